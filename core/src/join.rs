//! One label, two axes: what is known of its length then.
//!
//! Two lengths that the types know and that disagree are an error of the compiler. No trait alone can say so: the
//! rules for equal lengths and for length 1 overlap. So each rule is a method of the same name on a reference to a
//! [`Pair`], with as many `&` as the rule is specific; where rustc looks a method up, it takes the first that fits.
//! The last one fits any two lengths, and needs what no label has: that they are equal.
//!
//! The label is a type: [`Label<'j'>`](Label) for a label of subscripts, [`Dots`] for an axis of `...`.

mod given;

use core::marker::PhantomData;

use crate::dims::{Absent, AnyRank, Const, Dyn};

pub use given::*;

/// A label of the subscripts.
#[derive(Debug)]
pub struct Label<const L: char>;

/// A label of several letters: `L` is a type of its name.
#[derive(Debug)]
pub struct Name<L>(PhantomData<L>);

impl<L> Name<L> {
    /// The label.
    #[inline(always)]
    pub fn new() -> Self {
        Name(PhantomData)
    }
}

impl<L> Default for Name<L> {
    fn default() -> Self {
        Name::new()
    }
}

/// An axis that `...` covers.
#[derive(Debug)]
pub struct Dots;

/// A label that stands at an axis of two operands.
#[derive(Debug)]
pub struct Pair<L, A, B>(PhantomData<(L, A, B)>);

/// A label that stands at two axes of one operand.
#[derive(Debug)]
pub struct Diagonal<L, A, B>(PhantomData<(L, A, B)>);

/// A label of a result and the axis of a given output that it stands at.
#[derive(Clone, Copy, Debug)]
pub struct Given<L, A, B>(PhantomData<(L, A, B)>);

/// As many references as there are levels.
type Levels<P> = &'static &'static &'static &'static P;

/// A label at an axis of two operands.
#[inline(always)]
pub fn pair<L: 'static, A: 'static, B: 'static>(_: L, _: A, _: B) -> Levels<Pair<L, A, B>> {
    const { &&&&Pair(PhantomData) }
}

/// A label at two axes of one operand.
#[inline(always)]
pub fn diagonal<L: 'static, A: 'static, B: 'static>(_: L, _: A, _: B) -> Levels<Diagonal<L, A, B>> {
    const { &&&&Diagonal(PhantomData) }
}

/// A label of a result and its axis of a given output.
#[inline(always)]
pub fn given<L: 'static, A: 'static, B: 'static>(_: L, _: A, _: B) -> Levels<Given<L, A, B>> {
    const { &&&&Given(PhantomData) }
}

macro_rules! level {
    ($(#[$doc:meta])* $name:ident; $([$($generics:tt)*] $pair:ty => $out:ty;)*) => {
        $(#[$doc])*
        pub trait $name: Sized {
            /// What is known of the label's length.
            type Out: Default;
            /// What is known of the label's length.
            #[inline(always)]
            fn __einsum_join(self) -> Self::Out {
                Default::default()
            }
        }
        $(impl<L, $($generics)*> $name for $pair { type Out = $out; })*
    };
}

level! {
    /// Lengths that are the same, and those that depend on the other one only when the program runs.
    Same;
    [const N: usize] &&&&Pair<L, Const<N>, Const<N>> => Const<N>;
    [] &&&&Pair<L, Dyn, Dyn> => Dyn;
    [] &&&&Pair<L, Const<1>, Dyn> => Dyn;
    [] &&&&Pair<L, Dyn, Const<1>> => Dyn;
    [] &&&&Pair<L, Absent, Absent> => Absent;
    [B] &&&&Pair<L, AnyRank, B> => AnyRank;
    [A] &&&&Given<L, A, A> => ();
    [const N: usize] &&&&Diagonal<L, Const<N>, Const<N>> => Const<N>;
    [const N: usize] &&&&Diagonal<L, Const<N>, Dyn> => Const<N>;
    [const N: usize] &&&&Diagonal<L, Dyn, Const<N>> => Const<N>;
    [] &&&&Diagonal<L, Dyn, Dyn> => Dyn;
}
level! {
    /// The one length that is known; 1 stretches to the length of the second operand.
    Known;
    [const N: usize] &&&Pair<L, Const<1>, Const<N>> => Const<N>;
    [const N: usize] &&&Pair<L, Const<N>, Dyn> => Const<N>;
    [const N: usize] &&&Pair<L, Dyn, Const<N>> => Const<N>;
    [const N: usize] &&&Pair<L, Const<N>, Absent> => Const<N>;
    [const N: usize] &&&Pair<L, Absent, Const<N>> => Const<N>;
    [] &&&Pair<L, Dyn, Absent> => Dyn;
    [] &&&Pair<L, Absent, Dyn> => Dyn;
    [A] &&&Pair<L, A, AnyRank> => AnyRank;
    [B] &&&Given<L, Dyn, B> => ();
    [B] &&&Given<L, AnyRank, B> => ();
}
level! {
    /// 1 stretches to the length of the first operand.
    Stretched;
    [const N: usize] &&Pair<L, Const<N>, Const<1>> => Const<N>;
    [A] &&Given<L, A, Dyn> => ();
    [A] &&Given<L, A, AnyRank> => ();
}
level! {
    /// Of lengths that generic code does not know nothing is said.
    Unknown;
    [A, B] Given<L, A, B> => ();
}

/// Lengths of a label that disagree.
pub trait Differ<const L: char, const A: usize, const B: usize>: Sized {
    /// Does not compile.
    fn __einsum_join<O>(self) -> O
    where
        (): SameLength<L, A, B, Out = O>;
}
impl<const L: char, const A: usize, const B: usize> Differ<L, A, B>
    for &Pair<Label<L>, Const<A>, Const<B>>
{
    fn __einsum_join<O>(self) -> O
    where
        (): SameLength<L, A, B, Out = O>,
    {
        unreachable!("lengths that differ do not compile")
    }
}

/// Lengths of a label of several letters that disagree.
pub trait NamesDiffer<L, const A: usize, const B: usize>: Sized {
    /// Does not compile.
    fn __einsum_join<O>(self) -> O
    where
        (): SameLengthOfName<L, A, B, Out = O>;
}
impl<L, const A: usize, const B: usize> NamesDiffer<L, A, B>
    for &Pair<Name<L>, Const<A>, Const<B>>
{
    fn __einsum_join<O>(self) -> O
    where
        (): SameLengthOfName<L, A, B, Out = O>,
    {
        unreachable!("lengths that differ do not compile")
    }
}

/// Lengths of an axis of `...` that disagree.
pub trait DotsDiffer<const A: usize, const B: usize>: Sized {
    /// Does not compile.
    fn __einsum_join<O>(self) -> O
    where
        (): SameLengthInDots<A, B, Out = O>;
}
impl<const A: usize, const B: usize> DotsDiffer<A, B> for &Pair<Dots, Const<A>, Const<B>> {
    fn __einsum_join<O>(self) -> O
    where
        (): SameLengthInDots<A, B, Out = O>,
    {
        unreachable!("lengths that differ do not compile")
    }
}

/// Lengths of a label in one operand that disagree.
pub trait DiagonalDiffers<const L: char, const A: usize, const B: usize>: Sized {
    /// Does not compile.
    fn __einsum_join<O>(self) -> O
    where
        (): Square<L, A, B, Out = O>;
}
impl<const L: char, const A: usize, const B: usize> DiagonalDiffers<L, A, B>
    for &Diagonal<Label<L>, Const<A>, Const<B>>
{
    fn __einsum_join<O>(self) -> O
    where
        (): Square<L, A, B, Out = O>,
    {
        unreachable!("lengths that differ do not compile")
    }
}

/// Lengths of a label of several letters in one operand that disagree.
pub trait DiagonalOfNameDiffers<L, const A: usize, const B: usize>: Sized {
    /// Does not compile.
    fn __einsum_join<O>(self) -> O
    where
        (): SquareOfName<L, A, B, Out = O>;
}
impl<L, const A: usize, const B: usize> DiagonalOfNameDiffers<L, A, B>
    for &Diagonal<Name<L>, Const<A>, Const<B>>
{
    fn __einsum_join<O>(self) -> O
    where
        (): SquareOfName<L, A, B, Out = O>,
    {
        unreachable!("lengths that differ do not compile")
    }
}

/// Nothing implements it: rustc names the label and its lengths.
#[diagnostic::on_unimplemented(
    message = "einsum: label '{L}' has length {A} in one operand and {B} in another",
    label = "the lengths of label '{L}' do not agree",
    note = "all lengths of a label are equal, or 1"
)]
pub trait SameLengthOfName<L, const A: usize, const B: usize> {
    /// No type.
    type Out;
}

/// Nothing implements it: rustc names the label and its lengths.
#[diagnostic::on_unimplemented(
    message = "einsum: label '{L}' has lengths {A} and {B} in one operand",
    label = "label '{L}' takes a diagonal of axes that differ in length",
    note = "axes of one operand that share a label have equal lengths; 1 is no exception there"
)]
pub trait SquareOfName<L, const A: usize, const B: usize> {
    /// No type.
    type Out;
}

/// Nothing implements it: rustc names the label and its lengths.
#[diagnostic::on_unimplemented(
    message = "einsum: label {L} has length {A} in one operand and {B} in another",
    label = "the lengths of label {L} do not agree",
    note = "all lengths of a label are equal, or 1"
)]
pub trait SameLength<const L: char, const A: usize, const B: usize> {
    /// No type.
    type Out;
}

/// Nothing implements it: rustc names the lengths.
#[diagnostic::on_unimplemented(
    message = "einsum: an axis of `...` has length {A} in one operand and {B} in another",
    label = "the lengths of `...` do not agree",
    note = "the axes of `...` are aligned from the right; all lengths of one are equal, or 1"
)]
pub trait SameLengthInDots<const A: usize, const B: usize> {
    /// No type.
    type Out;
}

/// Nothing implements it: rustc names the label and its lengths.
#[diagnostic::on_unimplemented(
    message = "einsum: label {L} has lengths {A} and {B} in one operand",
    label = "label {L} takes a diagonal of axes that differ in length",
    note = "axes of one operand that share a label have equal lengths; 1 is no exception there"
)]
pub trait Square<const L: char, const A: usize, const B: usize> {
    /// No type.
    type Out;
}

/// Joins axes of two operands: `'j' l1 m1` makes of `l1` what is known of the length of label `j`. Of names of several
/// letters (`row l1 m1`) types are made that are called so.
#[doc(hidden)]
#[macro_export]
macro_rules! __einsum_join {
    ($($label:literal $a:ident $b:ident),*) => {$(
        #[allow(unused_variables)]
        let $a = $crate::__private::pair($crate::__private::Label::<$label>, $a, $b).__einsum_join();
    )*};
    ($($label:ident $a:ident $b:ident),*) => {$(
        #[allow(unused_variables)]
        let $a = {
            #[allow(non_camel_case_types, dead_code)]
            enum $label {}
            $crate::__private::pair($crate::__private::Name::<$label>::new(), $a, $b).__einsum_join()
        };
    )*};
}

/// Joins two axes of one operand.
#[doc(hidden)]
#[macro_export]
macro_rules! __einsum_diagonal {
    ($($label:literal $a:ident $b:ident),*) => {$(
        #[allow(unused_variables)]
        let $a = $crate::__private::diagonal($crate::__private::Label::<$label>, $a, $b).__einsum_join();
    )*};
    ($($label:ident $a:ident $b:ident),*) => {$(
        #[allow(unused_variables)]
        let $a = {
            #[allow(non_camel_case_types, dead_code)]
            enum $label {}
            $crate::__private::diagonal($crate::__private::Name::<$label>::new(), $a, $b).__einsum_join()
        };
    )*};
}

/// Joins what two `...` cover. Six axes from the right, as many as a nested array has, keep lengths that types know.
#[doc(hidden)]
#[macro_export]
macro_rules! __einsum_dots {
    ($a:ident $b:ident) => {
        #[allow(unused_variables)]
        let $a = {
            use $crate::__private::{Dots, pair};
            let (a0, b0) = ($a.head(), $b.head());
            let (a, b) = ($a.tail(), $b.tail());
            let (a1, b1) = (a.head(), b.head());
            let (a, b) = (a.tail(), b.tail());
            let (a2, b2) = (a.head(), b.head());
            let (a, b) = (a.tail(), b.tail());
            let (a3, b3) = (a.head(), b.head());
            let (a, b) = (a.tail(), b.tail());
            let (a4, b4) = (a.head(), b.head());
            let (a, b) = (a.tail(), b.tail());
            let (a5, b5) = (a.head(), b.head());
            a.tail()
                .longest(b.tail())
                .prepend(pair(Dots, a5, b5).__einsum_join())
                .prepend(pair(Dots, a4, b4).__einsum_join())
                .prepend(pair(Dots, a3, b3).__einsum_join())
                .prepend(pair(Dots, a2, b2).__einsum_join())
                .prepend(pair(Dots, a1, b1).__einsum_join())
                .prepend(pair(Dots, a0, b0).__einsum_join())
        };
    };
}
