//! One step: its loops over register tiles.

use core::marker::PhantomData;
use core::mem::size_of;

use super::FixedEinsum;
use super::lanes::{Isa, Lanes};
use super::run::select;
use super::scale::Scale;
use super::site::Site;
use super::tile::{BIG, LAST_BIG, LAST_SMALL, SMALL, Tile};
use super::tiles::Tiles;
use crate::scalar::Scalar;
use cteinsum_plan::fixed::{FixedAxis, FixedGroup, FixedPlace, FixedStep};

/// The offsets of a round of a group of axes. The group is a constant, so that its divisions are multiplications.
macro_rules! offset {
    ($group:expr, $i:expr) => {
        match const { $group.count() } {
            0 => Offset { a: 0, b: 0, c: 0 },
            1 => {
                let (axis, i) = (const { $group.axis(0) }, $i as isize);
                Offset {
                    a: i * axis.a,
                    b: i * axis.b,
                    c: i * axis.c,
                }
            }
            _ => offset(const { &$group }, $i),
        }
    };
}

/// A pointer at an element of the vector axis.
macro_rules! step_by {
    ($p:ident, $at:expr, $field:ident) => {
        $p.offset($at as isize * N::$field)
    };
}

/// A vector of an operand: loaded, the same element in all lanes, or gathered. Branches on constants with a name, so
/// that two of the three are not compiled.
macro_rules! vector {
    ($at:ident, $n:ident, $loaded:ident, $fixed:ident, $stride:ident) => {
        if Self::$loaded {
            if FULL {
                Self::Lanes::load_all($at)
            } else {
                Self::Lanes::load($at, $n)
            }
        } else if Self::$fixed {
            let x = Self::Lanes::splat($at.read());
            // In a sum the lanes that the axis lacks must be 0.
            if FULL || !Self::SUMMED { x } else { x.head($n) }
        } else {
            Self::Lanes::gather($at, Self::$stride, $n)
        }
    };
}

/// A step as a type, with the vectors it is computed with.
pub(super) trait Nest {
    type Elem: Scalar;
    type Lanes: Lanes<Self::Elem>;
    /// A single element.
    type One: Lanes<Self::Elem>;
    const STEP: FixedStep;
    const TILES: Tiles;
    /// Whether the result is larger than what the compiler keeps in registers.
    const IN_MEMORY: bool;

    // Parts of the step by name: such a constant is evaluated once, `const { .. }` at each place.
    const BINARY: bool = !matches!(Self::STEP.right, FixedPlace::Absent);
    const SUMMED: bool = Self::STEP.vec_summed;
    const LENGTH: usize = Self::STEP.vec.len;
    const ROUNDS: usize = Self::STEP.sums.rounds();
    const LEFT_STRIDE: isize = Self::STEP.vec.a;
    const RIGHT_STRIDE: isize = Self::STEP.vec.b;
    const LEFT_LOADED: bool = Self::STEP.vec.a == 1;
    const RIGHT_LOADED: bool = Self::STEP.vec.b == 1;
    const LEFT_FIXED: bool = Self::STEP.vec.a == 0;
    const RIGHT_FIXED: bool = Self::STEP.vec.b == 0;
    const RESULT_STRIDE: isize = Self::STEP.vec.c;
    const CONTIGUOUS: bool = Self::STEP.vec.c == 1 || Self::STEP.vec.len == 1;
    const CONJ_LEFT: bool = Self::STEP.conj_left;
    const CONJ_RIGHT: bool = Self::STEP.conj_right;

    /// The offsets of a row.
    #[inline(always)]
    fn row(i: usize) -> Offset {
        offset!(Self::STEP.rows, i)
    }

    /// The offsets of a round of the sums.
    #[inline(always)]
    fn sum(i: usize) -> Offset {
        offset!(Self::STEP.sums, i)
    }

    /// The first `n` lanes of the vector of the left operand that begins at element `v`; `FULL`: all lanes.
    ///
    /// # Safety
    ///
    /// `p` is the pointer of a tile of this nest, whose vector axis has `n` elements from `v` on.
    #[inline(always)]
    unsafe fn left<const FULL: bool>(p: *const Self::Elem, v: usize, n: usize) -> Self::Lanes {
        // SAFETY: the caller's promise: the lanes of the vector are `n` elements from `at`, a stride apart.
        unsafe {
            let at = p.offset(v as isize * Self::LEFT_STRIDE);
            let x = vector!(at, n, LEFT_LOADED, LEFT_FIXED, LEFT_STRIDE);
            if Self::CONJ_LEFT { x.conj() } else { x }
        }
    }

    /// The same of the right operand.
    ///
    /// # Safety
    ///
    /// As for `left`.
    #[inline(always)]
    unsafe fn right<const FULL: bool>(p: *const Self::Elem, v: usize, n: usize) -> Self::Lanes {
        // SAFETY: as in `left`.
        unsafe {
            let at = p.offset(v as isize * Self::RIGHT_STRIDE);
            let x = vector!(at, n, RIGHT_LOADED, RIGHT_FIXED, RIGHT_STRIDE);
            if Self::CONJ_RIGHT { x.conj() } else { x }
        }
    }

    /// The product in the vector that begins at element `v`.
    ///
    /// # Safety
    ///
    /// As for `left`, for both pointers.
    #[inline(always)]
    unsafe fn multiply<const FULL: bool>(
        a: *const Self::Elem,
        b: *const Self::Elem,
        v: usize,
        n: usize,
    ) -> Self::Lanes {
        // SAFETY: the caller's promise.
        unsafe {
            let x = Self::left::<FULL>(a, v, n);
            if Self::BINARY {
                x.mul(Self::right::<FULL>(b, v, n))
            } else {
                x
            }
        }
    }

    /// `sum` plus the product in the vector that begins at element `v`.
    ///
    /// # Safety
    ///
    /// As for `left`, for both pointers.
    #[inline(always)]
    unsafe fn multiply_add<const FULL: bool>(
        a: *const Self::Elem,
        b: *const Self::Elem,
        v: usize,
        n: usize,
        sum: Self::Lanes,
    ) -> Self::Lanes {
        // SAFETY: the caller's promise.
        unsafe {
            let x = Self::left::<FULL>(a, v, n);
            if Self::BINARY {
                x.mul_add(Self::right::<FULL>(b, v, n), sum)
            } else {
                x.add(sum)
            }
        }
    }
}

/// Where an index lies in the three arrays.
#[derive(Clone, Copy)]
pub(super) struct Offset {
    pub(super) a: isize,
    pub(super) b: isize,
    pub(super) c: isize,
}

#[inline(always)]
fn offset(group: &'static FixedGroup, mut i: usize) -> Offset {
    let mut at = Offset { a: 0, b: 0, c: 0 };
    let mut axis = group.count();
    while axis > 0 {
        axis -= 1;
        let FixedAxis { len, a, b, c } = group.axis(axis);
        let index = if axis == 0 { i } else { i % len } as isize;
        i /= len;
        at.a += index * a;
        at.b += index * b;
        at.c += index * c;
    }
    at
}

/// Step `S` of a call, computed with vectors of type `V`.
pub(super) struct Step<E, const S: usize, T, I, V>(PhantomData<(E, T, I, V)>);

impl<E: FixedEinsum, const S: usize, T: Scalar, I: Isa<T>, V: Lanes<T>> Nest
    for Step<E, S, T, I, V>
{
    type Elem = T;
    type Lanes = V;
    type One = I::V1;
    const STEP: FixedStep = Site::<E>::PLAN.steps[S];
    const TILES: Tiles = Tiles::new(
        Self::STEP.rows.rounds(),
        Self::STEP.vec.len,
        Self::STEP.vec_summed,
        V::WIDTH,
        I::ACCUMULATORS,
    );
    const IN_MEMORY: bool = matches!(Self::STEP.result, FixedPlace::Output)
        && E::OUTPUT.len() * size_of::<T>() > super::IN_REGISTERS;
}

/// Runs all loops of a step.
///
/// # Safety
///
/// The pointers are to the elements of index 0 of the arrays of the step; the operands are readable, the result is
/// writable (and initialised if `scale` reads it) and apart from them. The caller has the instructions of `N::Lanes`.
#[inline(always)]
pub(super) unsafe fn run<N: Nest, S: Scale<N::Elem>>(
    a: *const N::Elem,
    b: *const N::Elem,
    c: *mut N::Elem,
    scale: S,
) {
    let mut i = 0;
    while i < const { N::STEP.outer.rounds() } {
        let at = offset!(N::STEP.outer, i);
        // SAFETY: `i` is a round of the outer axes.
        unsafe { panels::<N, S>(a.offset(at.a), b.offset(at.b), c.offset(at.c), scale) };
        i += 1;
    }
}

type Rows<T, S> = unsafe fn(*const T, *const T, *mut T, S);

/// All vectors of all rows.
///
/// # Safety
///
/// As for `run`, for one index of the outer axes.
#[inline(always)]
unsafe fn panels<N: Nest, S: Scale<N::Elem>>(
    a: *const N::Elem,
    b: *const N::Elem,
    c: *mut N::Elem,
    scale: S,
) {
    if N::SUMMED {
        // SAFETY: as for this function.
        unsafe { rows::<N, S, BIG>(a, b, c, scale) };
        return;
    }
    // The last piece is apart: its last vector may be partly filled.
    let cut = const { N::TILES.vectors };
    let bigs = cut.bigs - (cut.smalls == 0) as usize;
    let mut at = 0;
    let mut piece = 0;
    let big = select!(Rows<N::Elem, S>: if N::TILES.vectors.bigs > 1 || N::TILES.vectors.smalls > 0 {
        rows::<N, S, BIG>
    } else {
        skip
    });
    while piece < bigs {
        // SAFETY: `at` is the first element of a piece of the vector axis.
        unsafe {
            big(
                step_by!(a, at, LEFT_STRIDE),
                step_by!(b, at, RIGHT_STRIDE),
                step_by!(c, at, RESULT_STRIDE),
                scale,
            )
        };
        at += const { N::TILES.vectors.big * N::Lanes::WIDTH };
        piece += 1;
    }
    if const { N::TILES.vectors.smalls > 1 } {
        let small = select!(Rows<N::Elem, S>: if N::TILES.vectors.smalls > 1 { rows::<N, S, SMALL> } else { skip });
        let mut piece = 1;
        while piece < cut.smalls {
            // SAFETY: as above.
            unsafe {
                small(
                    step_by!(a, at, LEFT_STRIDE),
                    step_by!(b, at, RIGHT_STRIDE),
                    step_by!(c, at, RESULT_STRIDE),
                    scale,
                )
            };
            at += const { (N::TILES.vectors.big - 1) * N::Lanes::WIDTH };
            piece += 1;
        }
    }
    let last = select!(Rows<N::Elem, S>: if N::TILES.vectors.smalls > 0 {
        rows::<N, S, LAST_SMALL>
    } else {
        rows::<N, S, LAST_BIG>
    });
    // SAFETY: as above.
    unsafe {
        last(
            step_by!(a, at, LEFT_STRIDE),
            step_by!(b, at, RIGHT_STRIDE),
            step_by!(c, at, RESULT_STRIDE),
            scale,
        )
    };
}

/// # Safety
///
/// None: it does nothing.
unsafe fn skip<T, S>(_: *const T, _: *const T, _: *mut T, _: S) {}

type Pieces<T, S> = unsafe fn(*const T, *const T, *mut T, usize, S);

/// One piece of the vectors of all rows.
///
/// # Safety
///
/// As for `Tile::run`, for all rows.
#[inline(always)]
unsafe fn rows<N: Nest, S: Scale<N::Elem>, const C: u8>(
    a: *const N::Elem,
    b: *const N::Elem,
    c: *mut N::Elem,
    scale: S,
) {
    let cut = const { N::TILES.rows };
    let mut i = 0;
    while i < cut.bigs {
        // SAFETY: the pieces of the cut are disjoint and together are all rows.
        unsafe { Tile::<N, BIG, C>::run(a, b, c, i * cut.big, scale) };
        i += 1;
    }
    if const { N::TILES.rows.smalls > 0 } {
        let small = select!(Pieces<N::Elem, S>: if N::TILES.rows.smalls > 0 {
            Tile::<N, SMALL, C>::run
        } else {
            skip_rows
        });
        let start = cut.bigs * cut.big;
        let mut i = 0;
        while i < cut.smalls {
            // SAFETY: as above.
            unsafe { small(a, b, c, start + i * (cut.big - 1), scale) };
            i += 1;
        }
    }
}

/// # Safety
///
/// None: it does nothing.
unsafe fn skip_rows<T, S>(_: *const T, _: *const T, _: *mut T, _: usize, _: S) {}
