//! The memory of what is saved, as a type: nested arrays of the lengths of labels.
//!
//! Which tensors are saved follows from the tree, which is chosen in const evaluation; but no type can follow from a
//! constant. So the macro names the intermediates of all sensible trees, and there is room for those of any one.

use crate::dims::{AnyRank, Const, Dims, Dyn};
use crate::fixed::{FixedArray, FixedStrides};
use crate::gradient::constant::kept::{Constant, Varying};
use crate::gradient::results::GradientLike;
use crate::private::Covers;

/// Plain memory.
pub trait Plain: Copy + Send + Sync + 'static {}
impl<X: Copy + Send + Sync + 'static> Plain for X {}

/// A list of axes of constant lengths.
pub trait Room {
    /// As many `X` as an array of these axes has elements.
    type Of<X: Plain>: Plain;
}
impl Room for () {
    type Of<X: Plain> = X;
}
impl<const N: usize, R: Room> Room for (Const<N>, R) {
    type Of<X: Plain> = [R::Of<X>; N];
}
/// A number in an array of any rank: the engine's.
impl Room for AnyRank {
    type Of<X: Plain> = X;
}
impl<E: Room> Room for Covers<E> {
    type Of<X: Plain> = E::Of<X>;
}
impl<D: Room, F, E> Room for GradientLike<D, F, E> {
    type Of<X: Plain> = D::Of<X>;
}

/// Rooms, one behind the other.
pub trait Together {
    /// The memory.
    type Of<X: Plain>: Plain;
}
impl Together for () {
    type Of<X: Plain> = ();
}
impl<A: Room, R: Together> Together for (A, R) {
    type Of<X: Plain> = Both<A::Of<X>, R::Of<X>>;
}
/// Two rooms.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
#[allow(dead_code)] // memory, reached by pointers
pub struct Both<A, B>(A, B);

/// Rooms of which one is used: those of the trees.
pub trait Largest {
    /// The memory.
    type Of<X: Plain>: Plain;
}
impl Largest for () {
    type Of<X: Plain> = ();
}
impl<A: Together, R: Largest> Largest for (A, R) {
    type Of<X: Plain> = Either<A::Of<X>, R::Of<X>>;
}
/// One of two rooms.
#[derive(Clone, Copy)]
#[repr(C)]
#[allow(dead_code, missing_debug_implementations)] // memory, reached by pointers
pub union Either<A: Copy, B: Copy> {
    a: A,
    b: B,
}

/// The operands that may be saved, and the intermediates of each tree.
pub trait Rooms {
    /// The memory.
    type Of<X: Plain>: Plain;
}
impl<A: Together, B: Largest> Rooms for (A, B) {
    type Of<X: Plain> = Both<A::Of<X>, B::Of<X>>;
}

/// Whether a list has constant lengths alone.
pub trait Constancy: Dims {
    /// [`Constant`] or [`Varying`].
    type Is: Is;
}
impl Constancy for () {
    type Is = Constant;
}
impl<const N: usize, R: Constancy> Constancy for (Const<N>, R) {
    type Is = R::Is;
}
impl<R: Dims> Constancy for (Dyn, R) {
    type Is = Varying;
}
impl Constancy for AnyRank {
    type Is = Varying;
}

/// [`Constant`] or [`Varying`].
pub trait Is: Default {
    /// Both.
    type And<X: Is>: Is;
}
impl Is for Constant {
    type And<X: Is> = X;
}
impl Is for Varying {
    type And<X: Is> = Varying;
}

/// All operands of a call, by what their gradients are.
pub trait Decides {
    /// Who computes the call.
    type Is: Is;
}
impl Decides for () {
    type Is = Constant;
}
/// The same, as arrays in row-major order.
pub trait Likes {
    /// One for each operand.
    const ARRAYS: &'static [FixedArray<'static>];
}

macro_rules! likes {
    (@ [$($done:tt)*]) => {};
    (@ [$($done:tt)*] ($d:ident $f:ident $e:ident) $($rest:tt)*) => {
        likes!(one $($done)* ($d $f $e));
        likes!(@ [$($done)* ($d $f $e)] $($rest)*);
    };
    (one $(($d:ident $f:ident $e:ident))*) => {
        impl<$($d: Constancy, $f, $e),*> Decides for ($(GradientLike<$d, $f, $e>,)*) {
            type Is = likes!(and $($d)*);
        }
        impl<$($d: Dims, $f, $e),*> Likes for ($(GradientLike<$d, $f, $e>,)*) {
            const ARRAYS: &'static [FixedArray<'static>] = &[$(FixedArray {
                shape: const { &$d::LENGTHS }.as_slice(),
                strides: FixedStrides::RowMajor,
                conj: false,
            }),*];
        }
    };
    (and $d:ident) => { $d::Is };
    (and $d:ident $($rest:ident)*) => { <$d::Is as Is>::And<likes!(and $($rest)*)> };
}
likes!(@ [] (D0 F0 E0) (D1 F1 E1) (D2 F2 E2) (D3 F3 E3) (D4 F4 E4) (D5 F5 E5) (D6 F6 E6) (D7 F7 E7));
