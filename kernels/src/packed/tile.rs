//! Register tiles: the micro-kernels.

use core::marker::PhantomData;

use super::operand::{Rows, Terms};
use crate::element::Element;
use crate::isa::Portable;
use crate::lanes::{Few, Lanes};

/// A micro-kernel: `MR x NR` sums in registers.
pub(super) trait Tile<T> {
    /// Rows.
    const MR: usize;
    /// Columns, at most [`COLUMNS`].
    const NR: usize;
    /// Rows that are stored at once. A tile of so many, or of twice as many, serves what is left over of the rows.
    const LANES: usize;
    /// Whether A may be read in its place ([`Fresh`]).
    const FRESH: bool;
    /// `NR` columns of `MR` sums, one after the other in memory.
    type Sums: Copy;
    /// The tile of `LANES` rows.
    type One: Tile<T>;
    /// The tile of twice as many.
    type Two: Tile<T>;

    /// `sums[j][i] = sum over p of A~[p][i] * B[p][j]`, one term after the other.
    ///
    /// # Safety
    ///
    /// `a` has `kc` terms of `MR` rows, `b` has as many terms, and the tile's instruction set is there.
    unsafe fn sums<A: Rows<T>, B: Terms<T>>(kc: usize, a: A, b: B) -> Self::Sums;

    /// Puts `len` sums of column `j`, from row `v * LANES` on (`len <= LANES`), into the elements from `to` on, or adds
    /// them to what is there.
    ///
    /// # Safety
    ///
    /// The elements are writable, and readable if they are added to; the tile's instruction set is there.
    unsafe fn store(sums: &Self::Sums, j: usize, v: usize, to: *mut T, len: usize, add: bool);
}

/// Plain loops over arrays, for every element type; what vectorises is up to the compiler.
pub(super) struct Plain<const MR: usize, const NR: usize>;

impl<T: Element, const MR: usize, const NR: usize> Tile<T> for Plain<MR, NR> {
    const MR: usize = MR;
    const NR: usize = NR;
    const LANES: usize = MR;
    const FRESH: bool = false;
    type Sums = [[T; MR]; NR];
    type One = Self;
    type Two = Self;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn sums<A: Rows<T>, B: Terms<T>>(kc: usize, a: A, b: B) -> [[T; MR]; NR] {
        let mut sums = [[T::ZERO; MR]; NR];
        for p in 0..kc {
            // SAFETY: term `p` of the micro-panel.
            let [Few(a, _)] = unsafe { a.column::<Few<Portable, T, MR>, 1>(p) };
            for (j, sums) in sums.iter_mut().enumerate() {
                // SAFETY: term `p` of B.
                let b = unsafe { *b.at(p, j) };
                for (sum, &a) in sums.iter_mut().zip(&a) {
                    *sum = T::add(*sum, T::mul(a, b));
                }
            }
        }
        sums
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(sums: &[[T; MR]; NR], j: usize, _: usize, to: *mut T, len: usize, add: bool) {
        for (i, &sum) in sums[j][..len].iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe {
                let to = to.add(i);
                to.write(if add { T::add(*to, sum) } else { sum });
            }
        }
    }
}

/// Columns of `V` vector registers, one vector multiply-add for each and a broadcast element of B.
pub(super) struct Vector<L, const V: usize, const NR: usize>(PhantomData<L>);

impl<T, L: Lanes, const V: usize, const NR: usize> Tile<T> for Vector<L, V, NR> {
    const MR: usize = V * L::LEN;
    const NR: usize = NR;
    const LANES: usize = L::LEN;
    const FRESH: bool = true;
    type Sums = [[L; V]; NR];
    type One = Vector<L, 1, NR>;
    type Two = Vector<L, 2, NR>;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn sums<A: Rows<T>, B: Terms<T>>(kc: usize, a: A, b: B) -> [[L; V]; NR] {
        // SAFETY: terms of the micro-panel, `V * LEN` elements each, and of B; the instruction set is there.
        unsafe {
            let mut sums = [[L::zero(); V]; NR];
            for p in 0..kc {
                let column = a.column::<L, V>(p);
                for (j, sums) in sums.iter_mut().enumerate() {
                    let b = L::splat(b.at(p, j).cast());
                    for (sum, &a) in sums.iter_mut().zip(&column) {
                        *sum = L::mul_add(a, b, *sum);
                    }
                }
            }
            sums
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(sums: &[[L; V]; NR], j: usize, v: usize, to: *mut T, len: usize, add: bool) {
        // SAFETY: the caller's promise.
        unsafe { put(sums[j][v], to.cast(), len, add) };
    }
}

/// Puts the first `len` lanes into the elements from `to` on, or adds them.
///
/// # Safety
///
/// As for [`Tile::store`].
#[cfg_attr(optimised, inline(always))]
unsafe fn put<L: Lanes>(mut lanes: L, to: *mut L::Elem, len: usize, add: bool) {
    // SAFETY: the caller's promise.
    unsafe {
        if add {
            lanes = L::add(L::load_some(to, len), lanes);
        }
        lanes.store_some(to, len);
    }
}

/// Complex columns of `V` vector registers of alternating real and imaginary parts.
///
/// Two sums for each register, `A * re(B)` and `A * im(B)`; they become one complex sum at the end.
pub(super) struct ComplexVector<L, const V: usize, const NR: usize>(PhantomData<L>);

impl<T, L, const V: usize, const NR: usize> Tile<T> for ComplexVector<L, V, NR>
where
    L: Lanes,
    L::Elem: Copy + core::ops::Add<Output = L::Elem> + core::ops::Sub<Output = L::Elem>,
{
    const MR: usize = V * L::LEN / 2;
    const NR: usize = NR;
    const LANES: usize = L::LEN / 2;
    const FRESH: bool = true;
    type Sums = [[L; V]; NR];
    type One = ComplexVector<L, 1, NR>;
    type Two = ComplexVector<L, 2, NR>;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn sums<A: Rows<T>, B: Terms<T>>(kc: usize, a: A, b: B) -> [[L; V]; NR] {
        // SAFETY: terms of the micro-panel, `V * LEN` parts each, and of B, two parts an element; the instruction set is
        // there. At the end, the registers are read and written as the `V * LEN` parts that they are.
        unsafe {
            let mut by_re = [[L::zero(); V]; NR];
            let mut by_im = [[L::zero(); V]; NR];
            for p in 0..kc {
                let column = a.column::<L, V>(p);
                for j in 0..NR {
                    let b = b.at(p, j).cast::<L::Elem>();
                    let (re, im) = (L::splat(b), L::splat(b.add(1)));
                    for v in 0..V {
                        by_re[j][v] = L::mul_add(column[v], re, by_re[j][v]);
                        by_im[j][v] = L::mul_add(column[v], im, by_im[j][v]);
                    }
                }
            }
            for j in 0..NR {
                let re = by_re[j].as_mut_ptr().cast::<L::Elem>();
                let im = by_im[j].as_ptr().cast::<L::Elem>();
                for i in (0..V * L::LEN).step_by(2) {
                    *re.add(i) = *re.add(i) - *im.add(i + 1);
                    *re.add(i + 1) = *re.add(i + 1) + *im.add(i);
                }
            }
            by_re
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(sums: &[[L; V]; NR], j: usize, v: usize, to: *mut T, len: usize, add: bool) {
        // SAFETY: the caller's promise: two parts an element.
        unsafe { put(sums[j][v], to.cast(), 2 * len, add) };
    }
}

/// The highest instruction set that has a tile of its own for elements `T`.
pub(super) const fn highest<T: Element>() -> Level {
    match T::KIND {
        Kind::U8 => Level::Avx2,
        kind => Level::Avx512.for_kind(kind),
    }
}

/// Calls `$f::<$T, tile>` with the micro-kernel for elements `$T` under the instruction set `$I`.
///
/// This is the one table of register tiles: `MR` is whole registers, and the sums leave room for a column of A and a
/// broadcast element of B. Under AVX-512 and NEON 24 of 32 registers hold sums, under AVX2 12 of 16.
macro_rules! with_tile {
    ($I:ty, $T:ty, $f:ident $arguments:tt) => {{
        use crate::packed::tile::*;
        tile_rows! { $I, $T, $f, $arguments;
            x86_vectors {
                Avx512 F64 => Vector<__m512d, 3, 8>,
                Avx512 F32 => Vector<__m512, 3, 8>,
                Avx512 C64 => ComplexVector<__m512d, 3, 4>,
                Avx512 C32 => ComplexVector<__m512, 3, 4>,
                Avx512 U64 => Vector<U64x8, 3, 8>,
                Avx512 U32 => Vector<U32x16, 3, 8>,
                Avx512 U16 => Vector<U16x32, 3, 8>,
                Avx2 F64 => Vector<__m256d, 3, 4>,
                Avx2 F32 => Vector<__m256, 3, 4>,
                Avx2 C64 => ComplexVector<__m256d, 3, 2>,
                Avx2 C32 => ComplexVector<__m256, 3, 2>,
                Avx2 U32 => Vector<U32x8, 3, 4>,
                Avx2 U16 => Vector<U16x16, 3, 4>,
                Avx2 U8 => Plain<32, 4>,
                Avx512 MaxF64 => Vector<MaxPlus<__m512d>, 3, 8>,
                Avx512 MaxF32 => Vector<MaxPlus<__m512>, 3, 8>,
                Avx512 MinF64 => Vector<MinPlus<__m512d>, 3, 8>,
                Avx512 MinF32 => Vector<MinPlus<__m512>, 3, 8>,
                Avx2 MaxF64 => Vector<MaxPlus<__m256d>, 3, 4>,
                Avx2 MaxF32 => Vector<MaxPlus<__m256>, 3, 4>,
                Avx2 MinF64 => Vector<MinPlus<__m256d>, 3, 4>,
                Avx2 MinF32 => Vector<MinPlus<__m256>, 3, 4>,
            }
            neon_vectors {
                Neon F64 => Vector<float64x2_t, 3, 8>,
                Neon F32 => Vector<float32x4_t, 3, 8>,
                Neon C64 => ComplexVector<float64x2_t, 3, 4>,
                Neon C32 => ComplexVector<float32x4_t, 3, 4>,
                Neon U32 => Vector<uint32x4_t, 3, 8>,
                Neon U16 => Vector<uint16x8_t, 3, 8>,
                Neon U8 => Vector<uint8x16_t, 3, 8>,
                Neon MaxF64 => Vector<MaxPlus<float64x2_t>, 3, 8>,
                Neon MaxF32 => Vector<MaxPlus<float32x4_t>, 3, 8>,
                Neon MinF64 => Vector<MinPlus<float64x2_t>, 3, 8>,
                Neon MinF32 => Vector<MinPlus<float32x4_t>, 3, 8>,
            }
        }
    }};
}

/// One constant condition for each row: the tiles of other types and instruction sets are not even compiled, those of other
/// architectures not even read.
macro_rules! tile_rows {
    ($I:ty, $T:ty, $f:ident, $arguments:tt; $($vectors:ident { $($level:ident $kind:ident => $tile:ty,)* })*) => {
        'tile: {
            $($(
                #[cfg($vectors)]
                if const { <$I>::LEVEL.is(Level::$level) && <$T>::KIND.is(Kind::$kind) } {
                    break 'tile $f::<$T, $tile>$arguments;
                }
            )*)*
            $f::<$T, Plain<4, 4>>$arguments
        }
    };
}
pub(super) use {tile_rows, with_tile};

// What the rows name.
pub(super) use crate::isa::Level;
pub(super) use crate::kind::Kind;
#[cfg(any(x86_vectors, neon_vectors))]
pub(super) use crate::lanes::{MaxPlus, MinPlus};
#[cfg(x86_vectors)]
pub(super) use crate::lanes::{U16x16, U16x32, U32x8, U32x16, U64x8};
#[cfg(neon_vectors)]
pub(super) use core::arch::aarch64::{
    float32x4_t, float64x2_t, uint8x16_t, uint16x8_t, uint32x4_t,
};
#[cfg(x86_vectors)]
pub(super) use core::arch::x86_64::{__m256, __m256d, __m512, __m512d};
