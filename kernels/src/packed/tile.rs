//! Register tiles: the micro-kernels.

use core::marker::PhantomData;

use crate::element::Element;
use crate::lanes::Lanes;

/// Most columns of a tile.
const COLUMNS: usize = 8;

/// Where a micro-kernel finds the elements of B.
pub(super) trait Terms<T>: Copy {
    /// Term `p` of column `j < NR`.
    ///
    /// # Safety
    ///
    /// There are more than `p` terms.
    unsafe fn at(&self, p: usize, j: usize) -> *const T;
}

/// In a packed micro-panel.
#[derive(Clone, Copy)]
pub(super) struct Packed<T> {
    pub(super) panel: *const T,
    /// Columns of the panel.
    pub(super) nr: usize,
}

impl<T: Copy> Terms<T> for Packed<T> {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn at(&self, p: usize, j: usize) -> *const T {
        // SAFETY: the panel has `nr` elements a term.
        unsafe { self.panel.add(p * self.nr + j) }
    }
}

/// In B itself: an element is broadcast to a register, wherever it lies.
#[derive(Clone, Copy)]
pub(super) struct InPlace<T> {
    columns: [*const T; COLUMNS],
    depth: *const isize,
}

impl<T: Copy> InPlace<T> {
    /// These columns of B, the last one in place of those that do not exist, and the offsets of the terms.
    ///
    /// # Safety
    ///
    /// `columns` are offsets in B, at least one.
    #[cfg_attr(optimised, inline(always))]
    pub(super) unsafe fn new(b: *const T, columns: &[isize], depth: &[isize]) -> InPlace<T> {
        let last = columns.len() - 1;
        InPlace {
            // SAFETY: the caller's promise.
            columns: core::array::from_fn(|j| unsafe { b.offset(columns[j.min(last)]) }),
            depth: depth.as_ptr(),
        }
    }
}

impl<T: Copy> Terms<T> for InPlace<T> {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn at(&self, p: usize, j: usize) -> *const T {
        // SAFETY: `p` is a term, so that it has an offset, which leads to an element of the column.
        unsafe { self.columns[j].offset(*self.depth.add(p)) }
    }
}

/// A micro-kernel: `MR x NR` sums in registers.
pub(super) trait Tile<T> {
    /// Rows.
    const MR: usize;
    /// Columns, at most [`COLUMNS`].
    const NR: usize;
    /// Rows that are stored at once. A tile of so many, or of twice as many, serves what is left over of the rows.
    const LANES: usize;
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
    /// `a` is a packed micro-panel of `kc` terms of `MR` rows, `b` has as many terms, and the tile's instruction set is
    /// there.
    unsafe fn sums<B: Terms<T>>(kc: usize, a: *const T, b: B) -> Self::Sums;

    /// Puts `len` sums of column `j`, from row `v * LANES` on (`len <= LANES`), into the elements from `to` on.
    ///
    /// # Safety
    ///
    /// The elements are writable, and the tile's instruction set is there.
    unsafe fn store(sums: &Self::Sums, j: usize, v: usize, to: *mut T, len: usize);
}

/// Plain loops over arrays, for every element type; what vectorises is up to the compiler.
pub(super) struct Plain<const MR: usize, const NR: usize>;

impl<T: Element, const MR: usize, const NR: usize> Tile<T> for Plain<MR, NR> {
    const MR: usize = MR;
    const NR: usize = NR;
    const LANES: usize = MR;
    type Sums = [[T; MR]; NR];
    type One = Self;
    type Two = Self;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn sums<B: Terms<T>>(kc: usize, a: *const T, b: B) -> [[T; MR]; NR] {
        let mut sums = [[T::ZERO; MR]; NR];
        for p in 0..kc {
            // SAFETY: term `p` of the micro-panel.
            let a = unsafe { &*a.add(p * MR).cast::<[T; MR]>() };
            for (j, sums) in sums.iter_mut().enumerate() {
                // SAFETY: term `p` of B.
                let b = unsafe { *b.at(p, j) };
                for (sum, &a) in sums.iter_mut().zip(a) {
                    *sum = T::add(*sum, T::mul(a, b));
                }
            }
        }
        sums
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(sums: &[[T; MR]; NR], j: usize, _: usize, to: *mut T, len: usize) {
        for (i, &sum) in sums[j][..len].iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { to.add(i).write(sum) };
        }
    }
}

/// Columns of `V` vector registers, one vector multiply-add for each and a broadcast element of B.
pub(super) struct Vector<L, const V: usize, const NR: usize>(PhantomData<L>);

impl<T, L: Lanes, const V: usize, const NR: usize> Tile<T> for Vector<L, V, NR> {
    const MR: usize = V * L::LEN;
    const NR: usize = NR;
    const LANES: usize = L::LEN;
    type Sums = [[L; V]; NR];
    type One = Vector<L, 1, NR>;
    type Two = Vector<L, 2, NR>;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn sums<B: Terms<T>>(kc: usize, a: *const T, b: B) -> [[L; V]; NR] {
        let mut a = a.cast::<L::Elem>();
        // SAFETY: terms of the micro-panel, `V * LEN` elements each, and of B; the instruction set is there.
        unsafe {
            let mut sums = [[L::zero(); V]; NR];
            for p in 0..kc {
                let mut column = [L::zero(); V];
                for (v, lanes) in column.iter_mut().enumerate() {
                    *lanes = L::load(a.add(v * L::LEN));
                }
                for (j, sums) in sums.iter_mut().enumerate() {
                    let b = L::splat(b.at(p, j).cast());
                    for (sum, &a) in sums.iter_mut().zip(&column) {
                        *sum = L::mul_add(a, b, *sum);
                    }
                }
                a = a.add(V * L::LEN);
            }
            sums
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(sums: &[[L; V]; NR], j: usize, v: usize, to: *mut T, len: usize) {
        // SAFETY: the caller's promise.
        unsafe { sums[j][v].store_some(to.cast(), len) };
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
    type Sums = [[L; V]; NR];
    type One = ComplexVector<L, 1, NR>;
    type Two = ComplexVector<L, 2, NR>;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn sums<B: Terms<T>>(kc: usize, a: *const T, b: B) -> [[L; V]; NR] {
        let mut a = a.cast::<L::Elem>();
        // SAFETY: terms of the micro-panel, `V * LEN` parts each, and of B, two parts an element; the instruction set is
        // there. At the end, the registers are read and written as the `V * LEN` parts that they are.
        unsafe {
            let mut by_re = [[L::zero(); V]; NR];
            let mut by_im = [[L::zero(); V]; NR];
            for p in 0..kc {
                let mut column = [L::zero(); V];
                for (v, lanes) in column.iter_mut().enumerate() {
                    *lanes = L::load(a.add(v * L::LEN));
                }
                for j in 0..NR {
                    let b = b.at(p, j).cast::<L::Elem>();
                    let (re, im) = (L::splat(b), L::splat(b.add(1)));
                    for v in 0..V {
                        by_re[j][v] = L::mul_add(column[v], re, by_re[j][v]);
                        by_im[j][v] = L::mul_add(column[v], im, by_im[j][v]);
                    }
                }
                a = a.add(V * L::LEN);
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
    unsafe fn store(sums: &[[L; V]; NR], j: usize, v: usize, to: *mut T, len: usize) {
        // SAFETY: the caller's promise: two parts an element.
        unsafe { sums[j][v].store_some(to.cast(), 2 * len) };
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
