//! Axes as types: how many there are, what is known of their lengths, and what `...` makes of them.
//!
//! An operand's axes are a list: `()` for none, `(A, Rest)` for one more, where `A` says what is known of the
//! axis: [`Const<N>`](Const) if its length is part of the type, [`Dyn`] if it is known when the program runs.
//! [`AnyRank`] stands for a whole list that is known only then; it absorbs what meets it.
//!
//! `...` is arithmetic on lists: [`HasAtLeast`] splits off the axes with labels, [`ReverseOnto`] puts lists behind one
//! another. The axes that `...` covers are kept in reverse, last axis first, because they are aligned from the right.

use core::fmt::Debug;

use crate::fixed::{Known, Lengths};

/// An axis of length `N`, known while compiling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Const<const N: usize>;

/// An axis whose length is known at run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dyn;

/// The axes of an operand whose rank is known only at run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnyRank;

/// No axis: what stands opposite to an axis of a longer `...`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Absent;

/// A number of axes, for tables from numbers to lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank<const N: usize>;

/// What is known of an axis: [`Const`] or [`Dyn`].
pub trait Axis: Copy + Default + Debug + 'static {
    /// The axis as a value, which holds nothing.
    #[doc(hidden)]
    const NEW: Self;
    /// Its length, if that is part of the type.
    const LEN: Option<usize>;
}
impl<const N: usize> Axis for Const<N> {
    const NEW: Self = Const;
    const LEN: Option<usize> = Some(N);
}
impl Axis for Dyn {
    const NEW: Self = Dyn;
    const LEN: Option<usize> = None;
}

/// The axes of an operand as a type.
///
/// Bounds that are not needed stay away: the compiler proves each of them for every prefix of the tables below.
pub trait Dims: Copy + 'static {
    /// The list as a value, which holds nothing.
    #[doc(hidden)]
    const NEW: Self;
    /// Which axes of the view these are in a term with `...`, if they are not all: the others have length 1.
    const PART: Option<Part> = None;
    /// All lengths, if they are constants.
    #[doc(hidden)]
    const LENGTHS: Lengths = Lengths::UNKNOWN;
}
impl Dims for () {
    const NEW: Self = ();
    const LENGTHS: Lengths = Lengths::NONE;
}
impl<A: Axis, R: Dims> Dims for (A, R) {
    const NEW: Self = (A::NEW, R::NEW);
    const LENGTHS: Lengths = R::LENGTHS.behind(A::LEN);
}
impl Dims for AnyRank {
    const NEW: Self = AnyRank;
}

/// The list of `N` axes of run-time length: `Rank<2>: Axes<List = (Dyn, (Dyn, ()))>`. Ranks 0 to 32.
pub trait Axes {
    /// The list.
    type List: Dims;
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
/// How many axes a list has, as a [`Rank`] of 0 to 32.
pub trait Counted: Dims {
    /// The number.
    type Rank;
}
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
impl Counted for () {
    type Rank = Rank<0>;
}
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
impl<A: Axis, R: Counted<Rank: Next>> Counted for (A, R) {
    type Rank = <R::Rank as Next>::Next;
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
/// One more.
pub trait Next {
    /// `Rank<N + 1>` for `Rank<N>`.
    type Next;
}

/// A list of `N` axes, or any rank (which is checked when the program runs).
#[doc(hidden)]
pub trait HasRank<const N: usize> {
    /// The list; `N` axes of run-time length for any rank.
    type Axes: Dims;
    /// The type itself, for [`Keep`]: after an error `Axes` is the list that a call asks for, this stays open.
    #[doc(hidden)]
    type Itself;
    /// Which axes of the view these are, if they are not all: the others have length 1.
    const PART: Option<Part> = None;
}

impl<const N: usize> HasRank<N> for AnyRank
where
    Rank<N>: Axes,
{
    type Axes = <Rank<N> as Axes>::List;
    type Itself = Self;
}

/// Some of a view's axes, one behind the other: `count` of them from `first` on. (A matrix of one column is a vector as
/// well where a library has one type for both.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Part {
    /// The first axis.
    pub first: usize,
    /// The number of axes.
    pub count: usize,
}

/// A list of at least `N` axes: the first `N`, and what `...` covers beside them.
///
#[doc(hidden)]
pub trait HasAtLeast<const N: usize> {
    /// The first `N`.
    type First: Dims;
    /// The rest.
    type Rest: Dims;
}

/// The identity of types, by way of a list: where an error leaves the list open, `Kept` stays open as well, so that
/// rustc does not report it again where `Kept` is used.
pub trait Keep {
    /// `K`.
    type Kept<K: Known>: Known;
}
impl<D> Keep for D {
    type Kept<K: Known> = K;
}

/// A list with one more axis in front; what is [`Absent`] adds nothing.
pub trait Prepend<A>: Dims {
    /// The longer list.
    type Out: Dims;
}
impl Prepend<Absent> for () {
    type Out = ();
}
impl Prepend<AnyRank> for () {
    type Out = AnyRank;
}
impl<A: Axis> Prepend<A> for () {
    type Out = (A, ());
}
impl<A: Axis, B: Axis, R: Dims> Prepend<A> for (B, R) {
    type Out = (A, (B, R));
}
impl<A> Prepend<A> for AnyRank {
    type Out = AnyRank;
}

/// A list backwards.
pub trait Reverse: Dims {
    /// The last axis first.
    type Out: Dims;
}
impl<L: ReverseOnto<()>> Reverse for L {
    type Out = L::Out;
}

/// A list backwards, in front of `Tail`; any rank if one of them is.
///
/// It recurs on itself alone: with two recursive bounds in one implementation rustc would look twice on every level.
pub trait ReverseOnto<Tail>: Dims {
    /// The last axis first, then `Tail`.
    type Out: Dims;
}
impl<T: Dims> ReverseOnto<T> for () {
    type Out = T;
}
impl<A: Axis, R, T> ReverseOnto<T> for (A, R)
where
    T: Prepend<A>,
    R: ReverseOnto<T::Out>,
{
    type Out = R::Out;
}
impl<T> ReverseOnto<T> for AnyRank {
    type Out = AnyRank;
}

/// The first axis of a list, [`Absent`] if there is none, and the rest.
pub trait Split: Dims {
    /// The first axis.
    type Head: Copy + Default + 'static;
    /// The others.
    type Tail: Dims;
}
impl Split for () {
    type Head = Absent;
    type Tail = ();
}
impl<A: Axis, R: Dims> Split for (A, R) {
    type Head = A;
    type Tail = R;
}
impl Split for AnyRank {
    type Head = AnyRank;
    type Tail = AnyRank;
}

/// The longer of two lists of axes of run-time length. Lengths that a type knows are forgotten.
#[doc(hidden)]
pub trait Longest<L>: Dims {
    /// The longer list.
    type Out: Dims;
}
impl Longest<()> for () {
    type Out = ();
}
impl<B: Axis, S: Longest<()>> Longest<(B, S)> for () {
    type Out = (Dyn, S::Out);
}
impl<A: Axis, R: Longest<()>> Longest<()> for (A, R) {
    type Out = (Dyn, R::Out);
}
impl<A: Axis, R: Longest<S>, B: Axis, S: Dims> Longest<(B, S)> for (A, R) {
    type Out = (Dyn, R::Out);
}
impl Longest<AnyRank> for () {
    type Out = AnyRank;
}
impl<A: Axis, R: Dims> Longest<AnyRank> for (A, R) {
    type Out = AnyRank;
}
impl<L> Longest<L> for AnyRank {
    type Out = AnyRank;
}

/// A list of as many axes as `L`; a rank known at run time is checked there.
pub trait SameRank<L>: Dims {
    /// This list.
    type Axes: Dims;
}
impl SameRank<()> for () {
    type Axes = Self;
}
impl<A: Axis, R: SameRank<S>, B, S> SameRank<(B, S)> for (A, R) {
    type Axes = Self;
}
impl SameRank<AnyRank> for () {
    type Axes = Self;
}
impl<A: Axis, R: Dims> SameRank<AnyRank> for (A, R) {
    type Axes = Self;
}
impl<L> SameRank<L> for AnyRank {
    type Axes = Self;
}

/// The rank of a view that is a part of its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct KnownRank;

/// What an operand makes of the axes of a result with `...`: one whose rank is known only at run time makes that of
/// the result so, too.
#[doc(hidden)]
pub trait RankKind {
    /// The axes `E` beside such an operand.
    type Beside<E: Dims>: Dims;
}
impl RankKind for KnownRank {
    type Beside<E: Dims> = E;
}
impl RankKind for AnyRank {
    type Beside<E: Dims> = AnyRank;
}

/// What the output term may leave out: a `...` that covers no axis. A rank known at run time is checked there.
#[diagnostic::on_unimplemented(
    message = "einsum: the output leaves out `...`, which covers axes of the operands",
    label = "the output term needs `...`",
    note = "einsum never sums over `...`: put it into the output, or name the labels to sum over"
)]
#[doc(hidden)]
pub trait CoversNothing: Dims {}
impl CoversNothing for () {}
impl CoversNothing for AnyRank {}

/// The strides of a nested array.
#[inline(always)]
pub(crate) const fn row_major<const N: usize>(shape: [usize; N]) -> [isize; N] {
    let (mut strides, mut axis, mut stride) = ([0; N], N, 1isize);
    while axis > 0 {
        axis -= 1;
        strides[axis] = stride;
        // Beside a length of 0 strides do not matter.
        stride = stride.wrapping_mul(shape[axis] as isize);
    }
    strides
}

/// Axes as a flat tuple, as a call writes them: `(A, B)` for `(A, (B, ()))`.
pub trait Flat {
    /// The list.
    type List: Dims;
}

/// The tables from numbers of axes to lists that are made from the number before: no row is longer than the first.
macro_rules! ranks {
    ($zero:literal $($n:literal)*) => {
        impl Axes for Rank<$zero> { type List = (); }
        impl<L: Dims> HasAtLeast<$zero> for L { type First = (); type Rest = Self; }
        ranks!(@ $zero $($n)*);
    };
    (@ $n:literal) => {};
    (@ $before:literal $n:literal $($more:literal)*) => {
        #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
        impl Next for Rank<$before> { type Next = Rank<$n>; }
        impl Axes for Rank<$n> { type List = (Dyn, <Rank<$before> as Axes>::List); }
        #[diagnostic::do_not_recommend]
        impl<A: Axis, R: HasAtLeast<$before>> HasAtLeast<$n> for (A, R) {
            type First = (A, R::First);
            type Rest = R::Rest;
        }
        impl HasAtLeast<$n> for AnyRank {
            type First = <Rank<$n> as Axes>::List;
            type Rest = AnyRank;
        }
        ranks!(@ $n $($more)*);
    };
}
ranks!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);

/// The tables that are written out, for lists of axes of any kind: flat tuples, and (because rustc would report from the middle
/// of a recursion) exact ranks.
macro_rules! lists {
    (@ [$($p:ident)*] $n:literal $a:ident $($more:tt)*) => {
        lists!(@ [$($p)*] $n);
        lists!(@ [$($p)* $a] $($more)*);
    };
    (@ [$($p:ident)*] $n:literal) => {
        impl<$($p: Axis),*> HasRank<$n> for lists!(list $($p)*) { type Axes = Self; type Itself = Self; }
        impl<$($p: Axis),*> Flat for ($($p,)*) { type List = lists!(list $($p)*); }
    };
    (list) => { () };
    (list $a:ident $($p:ident)*) => { ($a, lists!(list $($p)*)) };
}
lists!(@ [] 0 A0 1 A1 2 A2 3 A3 4 A4 5 A5 6 A6 7 A7 8 A8 9 A9 10 A10 11 A11 12 A12 13 A13 14 A14 15 A15 16 A16 17 A17 18 A18
    19 A19 20 A20 21 A21 22 A22 23 A23 24 A24 25 A25 26 A26 27 A27 28 A28 29 A29 30 A30 31 A31 32);
