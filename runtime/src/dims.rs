//! Axes as types: how many there are, and what `...` makes of them.
//!
//! An operand's axes are a list: `()` for none, `(A, Rest)` for one more, where `A` says what is known of the
//! axis ([`Dyn`]: its length is known at run time), or [`AnyRank`]. A list is also the number of its axes, so the
//! rank of a result with `...` is arithmetic on lists: what each operand's `...` covers is [`HasAtLeast`], what they
//! cover together is [`Longest`], the result is [`Plus`]. A rank known only at run time absorbs the others.

use crate::scalar::Scalar;
use crate::tensor::{DynTensor, Tensor};

/// An axis whose length is known at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dyn;

/// The axes of an operand whose rank is known only at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyRank;

/// A number of axes, for tables from numbers to lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank<const N: usize>;

/// The axes of an operand as a type.
pub trait Dims {}
impl Dims for () {}
impl<A, R: Dims> Dims for (A, R) {}
impl Dims for AnyRank {}

/// The list of `N` axes of run-time length: `Rank<2>: Axes<List = (Dyn, (Dyn, ()))>`. Ranks 0 to 32.
pub trait Axes {
    /// The list.
    type List: Dims;
}

/// A list of `N` axes, or any rank (which is checked when the program runs).
pub trait HasRank<const N: usize>: Dims {}
impl<const N: usize> HasRank<N> for AnyRank {}

/// A list of at least `N` axes, without the first `N`: what `...` covers beside `N` labels.
///
/// A table and no recursion, so that rustc does not report from the middle of one.
pub trait HasAtLeast<const N: usize>: Dims {
    /// The rest.
    type Rest: Dims;
}

/// The longer of two lists: `...` aligns from the right, missing axes count as length 1.
pub trait Longest<L>: Dims {
    /// The longer list.
    type Out: Dims;
}
impl Longest<()> for () {
    type Out = ();
}
impl<B, S: Dims> Longest<(B, S)> for () {
    type Out = (Dyn, S);
}
impl<A, R: Dims> Longest<()> for (A, R) {
    type Out = (Dyn, R);
}
impl<A, R: Longest<S>, B, S> Longest<(B, S)> for (A, R) {
    type Out = (Dyn, R::Out);
}
impl Longest<AnyRank> for () {
    type Out = AnyRank;
}
impl<A, R: Dims> Longest<AnyRank> for (A, R) {
    type Out = AnyRank;
}
impl<L> Longest<L> for AnyRank {
    type Out = AnyRank;
}

/// Two lists behind one another: the axes of a result whose output term has `...` and the named labels `L`.
pub trait Plus<L>: Dims {
    /// Both lists.
    type Out: Dims;
}
impl<L: Dims> Plus<L> for () {
    type Out = L;
}
impl<A, R: Plus<L>, L> Plus<L> for (A, R) {
    type Out = (Dyn, R::Out);
}
impl<L> Plus<L> for AnyRank {
    type Out = AnyRank;
}

/// A list of as many axes as `L`; a rank known at run time is checked there.
pub trait SameRank<L>: Dims {}
impl SameRank<()> for () {}
impl<A, R: SameRank<S>, B, S> SameRank<(B, S)> for (A, R) {}
impl SameRank<AnyRank> for () {}
impl<A, R: Dims> SameRank<AnyRank> for (A, R) {}
impl<L> SameRank<L> for AnyRank {}

/// What the output term may leave out: a `...` that covers no axis. A rank known at run time is checked there.
#[diagnostic::on_unimplemented(
    message = "einsum: the output leaves out `...`, which covers axes of the operands",
    label = "the output term needs `...`",
    note = "einsum never sums over `...`: put it into the output, or name the labels to sum over"
)]
pub trait CoversNothing: Dims {}
impl CoversNothing for () {}
impl CoversNothing for AnyRank {}

/// The result with these axes: the element itself for none, a [`Tensor`] for a known rank, else a [`DynTensor`].
pub trait ResultOf<T> {
    /// The result's type.
    type Out;
    /// Makes it of its shape and its elements in row-major order.
    fn build(shape: &[usize], data: Vec<T>) -> Self::Out;
}
impl<T: Scalar> ResultOf<T> for () {
    type Out = T;
    fn build(_: &[usize], data: Vec<T>) -> T {
        data[0]
    }
}
impl<T: Scalar> ResultOf<T> for AnyRank {
    type Out = DynTensor<T>;
    fn build(shape: &[usize], data: Vec<T>) -> DynTensor<T> {
        DynTensor::from_vec(shape, data)
    }
}

/// The tables from numbers of axes to lists. One type parameter an axis: they hold for axes of any kind.
macro_rules! ranks {
    ($($n:literal)* ; $($a:ident)*) => { ranks!(@ [] () R Dyns; $($n)* ; $($a)*); };
    (@ [$($p:ident)*] $list:tt $rest:tt $dyns:tt ; $n:literal $($ns:literal)* ; $a:ident $($as:ident)*) => {
        impl Axes for Rank<$n> { type List = ranks!(dyns $dyns); }
        impl<$($p),*> HasRank<$n> for $list {}
        impl<R: Dims $(, $p)*> HasAtLeast<$n> for $rest { type Rest = R; }
        ranks!(positive $n [$($p)*] $list);
        ranks!(@ [$($p)* $a] ($a, $list) ($a, $rest) (Dyn, $dyns) ; $($ns)* ; $($as)*);
    };
    (@ $p:tt $list:tt $rest:tt $dyns:tt ; ; $($a:ident)*) => {};
    (dyns Dyns) => { () };
    (dyns (Dyn, $rest:tt)) => { (Dyn, ranks!(dyns $rest)) };
    (positive $n:literal [] ()) => {};
    (positive $n:literal [$($p:ident)*] $list:tt) => {
        impl HasAtLeast<$n> for AnyRank { type Rest = AnyRank; }
        impl<T: Scalar, $($p),*> ResultOf<T> for $list {
            type Out = Tensor<T, $n>;
            fn build(shape: &[usize], data: Vec<T>) -> Tensor<T, $n> {
                let mut fixed = [0; $n];
                fixed.copy_from_slice(shape);
                Tensor::from_vec(fixed, data)
            }
        }
    };
}
ranks!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32;
    A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22 A23 A24 A25 A26 A27 A28 A29
    A30 A31 A32);
