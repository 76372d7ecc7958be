//! Register tiles: the micro-kernels.

use core::marker::PhantomData;

use crate::element::Element;
use crate::lanes::Lanes;

/// A micro-kernel: `MR x NR` sums in registers.
pub(super) trait Tile<T> {
    /// Rows.
    const MR: usize;
    /// Columns.
    const NR: usize;
    /// `NR` columns of `MR` sums, one after the other in memory.
    type Sums: Copy;

    /// `sums[j][i] = sum over p of A~[p][i] * B~[p][j]`, one term after the other.
    ///
    /// # Safety
    ///
    /// `a` and `b` are packed micro-panels of `kc` terms of `MR` rows and `NR` columns, and the tile's instruction set
    /// is there.
    unsafe fn sums(kc: usize, a: *const T, b: *const T) -> Self::Sums;
}

/// Plain loops over arrays, for every element type; what vectorises is up to the compiler.
pub(super) struct Plain<const MR: usize, const NR: usize>;

impl<T: Element, const MR: usize, const NR: usize> Tile<T> for Plain<MR, NR> {
    const MR: usize = MR;
    const NR: usize = NR;
    type Sums = [[T; MR]; NR];

    #[cfg_attr(optimised, inline(always))]
    unsafe fn sums(kc: usize, a: *const T, b: *const T) -> [[T; MR]; NR] {
        let mut sums = [[T::ZERO; MR]; NR];
        for p in 0..kc {
            // SAFETY: term `p` of the micro-panels.
            let (a, b) = unsafe {
                (
                    &*a.add(p * MR).cast::<[T; MR]>(),
                    &*b.add(p * NR).cast::<[T; NR]>(),
                )
            };
            for (sums, &b) in sums.iter_mut().zip(b) {
                for (sum, &a) in sums.iter_mut().zip(a) {
                    *sum = T::add(*sum, T::mul(a, b));
                }
            }
        }
        sums
    }
}

/// Columns of `V` vector registers, one vector multiply-add for each and a broadcast element of B.
pub(super) struct Vector<L, const V: usize, const NR: usize>(PhantomData<L>);

impl<T, L: Lanes, const V: usize, const NR: usize> Tile<T> for Vector<L, V, NR> {
    const MR: usize = V * L::LEN;
    const NR: usize = NR;
    type Sums = [[L; V]; NR];

    #[cfg_attr(optimised, inline(always))]
    unsafe fn sums(kc: usize, a: *const T, b: *const T) -> [[L; V]; NR] {
        let (mut a, mut b) = (a.cast::<L::Elem>(), b.cast::<L::Elem>());
        // SAFETY: terms of the micro-panels, `V * LEN` and `NR` elements each; the instruction set is there.
        unsafe {
            let mut sums = [[L::zero(); V]; NR];
            for _ in 0..kc {
                let mut column = [L::zero(); V];
                for (v, lanes) in column.iter_mut().enumerate() {
                    *lanes = L::load(a.add(v * L::LEN));
                }
                for (j, sums) in sums.iter_mut().enumerate() {
                    let b = L::splat(b.add(j));
                    for (sum, &a) in sums.iter_mut().zip(&column) {
                        *sum = L::mul_add(a, b, *sum);
                    }
                }
                a = a.add(V * L::LEN);
                b = b.add(NR);
            }
            sums
        }
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
    type Sums = [[L; V]; NR];

    #[cfg_attr(optimised, inline(always))]
    unsafe fn sums(kc: usize, a: *const T, b: *const T) -> [[L; V]; NR] {
        let (mut a, mut b) = (a.cast::<L::Elem>(), b.cast::<L::Elem>());
        // SAFETY: terms of the micro-panels, `V * LEN` and `2 * NR` parts each; the instruction set is there. At the
        // end, the registers are read and written as the `V * LEN` parts that they are.
        unsafe {
            let mut by_re = [[L::zero(); V]; NR];
            let mut by_im = [[L::zero(); V]; NR];
            for _ in 0..kc {
                let mut column = [L::zero(); V];
                for (v, lanes) in column.iter_mut().enumerate() {
                    *lanes = L::load(a.add(v * L::LEN));
                }
                for j in 0..NR {
                    let re = L::splat(b.add(2 * j));
                    let im = L::splat(b.add(2 * j + 1));
                    for v in 0..V {
                        by_re[j][v] = L::mul_add(column[v], re, by_re[j][v]);
                        by_im[j][v] = L::mul_add(column[v], im, by_im[j][v]);
                    }
                }
                a = a.add(V * L::LEN);
                b = b.add(2 * NR);
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
/// broadcast element of B. Under AVX-512 24 of 32 registers hold sums, under AVX2 12 of 16.
macro_rules! with_tile {
    ($I:ty, $T:ty, $f:ident $arguments:tt) => {{
        use crate::packed::tile::*;
        tile_rows! { $I, $T, $f, $arguments;
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
    }};
}

/// One constant condition for each row: the tiles of other types and instruction sets are not even compiled.
macro_rules! tile_rows {
    ($I:ty, $T:ty, $f:ident, $arguments:tt; $($level:ident $kind:ident => $tile:ty,)*) => {
        'tile: {
            $(
                #[cfg(x86_vectors)]
                if const { <$I>::LEVEL.is(Level::$level) && <$T>::KIND.is(Kind::$kind) } {
                    break 'tile $f::<$T, $tile>$arguments;
                }
            )*
            $f::<$T, Plain<4, 4>>$arguments
        }
    };
}
pub(super) use {tile_rows, with_tile};

// What the rows name.
pub(super) use crate::isa::Level;
pub(super) use crate::kind::Kind;
#[cfg(x86_vectors)]
pub(super) use crate::lanes::{MaxPlus, MinPlus, U16x16, U16x32, U32x8, U32x16, U64x8};
#[cfg(x86_vectors)]
pub(super) use core::arch::x86_64::{__m256, __m256d, __m512, __m512d};
