//! A length that the types know and that a given output does not have: an error that names the label.

use super::{Dots, Given, Label, Name};
use crate::dims::Const;

/// A length that a given output does not have.
pub trait GivenDiffers<const L: char, const A: usize, const B: usize>: Sized {
    /// Does not compile.
    fn __einsum_join<O>(self) -> O
    where
        (): LengthOfOut<L, A, B, Out = O>;
}
impl<const L: char, const A: usize, const B: usize> GivenDiffers<L, A, B>
    for &Given<Label<L>, Const<A>, Const<B>>
{
    fn __einsum_join<O>(self) -> O
    where
        (): LengthOfOut<L, A, B, Out = O>,
    {
        unreachable!("lengths that differ do not compile")
    }
}

/// Nothing implements it: rustc names the label and its lengths.
#[diagnostic::on_unimplemented(
    message = "einsum: label {L} has length {A} in the operands and {B} in `out`",
    label = "this is not of the shape of the result",
    note = "an output does not broadcast: its shape is that of the result"
)]
pub trait LengthOfOut<const L: char, const A: usize, const B: usize> {
    /// No type.
    type Out;
}

/// A length that a given output does not have.
pub trait GivenNameDiffers<L, const A: usize, const B: usize>: Sized {
    /// Does not compile.
    fn __einsum_join<O>(self) -> O
    where
        (): LengthOfNameInOut<L, A, B, Out = O>;
}
impl<L, const A: usize, const B: usize> GivenNameDiffers<L, A, B>
    for &Given<Name<L>, Const<A>, Const<B>>
{
    fn __einsum_join<O>(self) -> O
    where
        (): LengthOfNameInOut<L, A, B, Out = O>,
    {
        unreachable!("lengths that differ do not compile")
    }
}

/// Nothing implements it: rustc names the label and its lengths.
#[diagnostic::on_unimplemented(
    message = "einsum: label '{L}' has length {A} in the operands and {B} in `out`",
    label = "this is not of the shape of the result",
    note = "an output does not broadcast: its shape is that of the result"
)]
pub trait LengthOfNameInOut<L, const A: usize, const B: usize> {
    /// No type.
    type Out;
}

/// A length that a given output does not have.
pub trait GivenDotsDiffer<const A: usize, const B: usize>: Sized {
    /// Does not compile.
    fn __einsum_join<O>(self) -> O
    where
        (): LengthOfDotsInOut<A, B, Out = O>;
}
impl<const A: usize, const B: usize> GivenDotsDiffer<A, B> for &Given<Dots, Const<A>, Const<B>> {
    fn __einsum_join<O>(self) -> O
    where
        (): LengthOfDotsInOut<A, B, Out = O>,
    {
        unreachable!("lengths that differ do not compile")
    }
}

/// Nothing implements it: rustc names the label and its lengths.
#[diagnostic::on_unimplemented(
    message = "einsum: an axis of `...` has length {A} in the operands and {B} in `out`",
    label = "this is not of the shape of the result",
    note = "an output does not broadcast: its shape is that of the result"
)]
pub trait LengthOfDotsInOut<const A: usize, const B: usize> {
    /// No type.
    type Out;
}

/// Compares lengths of a result with those of a given output: `'j' l1 n1_0`.
#[doc(hidden)]
#[macro_export]
macro_rules! __einsum_given {
    ($($label:literal $a:ident $b:ident),*) => {$(
        $crate::__private::given($crate::__private::Label::<$label>, $a, $b).__einsum_join();
    )*};
    ($($label:ident $a:ident $b:ident),*) => {$({
        #[allow(non_camel_case_types, dead_code)]
        enum $label {}
        $crate::__private::given($crate::__private::Name::<$label>::new(), $a, $b).__einsum_join()
    })*};
}

/// Compares what `...` covers in a result with the axes of a given output.
#[doc(hidden)]
#[macro_export]
macro_rules! __einsum_given_dots {
    ($a:ident $b:ident) => {{
        use $crate::__private::{Dots, given};
        let (a, b) = ($a, $b);
        given(Dots, a.head(), b.head()).__einsum_join();
        let (a, b) = (a.tail(), b.tail());
        given(Dots, a.head(), b.head()).__einsum_join();
        let (a, b) = (a.tail(), b.tail());
        given(Dots, a.head(), b.head()).__einsum_join();
        let (a, b) = (a.tail(), b.tail());
        given(Dots, a.head(), b.head()).__einsum_join();
        let (a, b) = (a.tail(), b.tail());
        given(Dots, a.head(), b.head()).__einsum_join();
        let (a, b) = (a.tail(), b.tail());
        given(Dots, a.head(), b.head()).__einsum_join();
    }};
}
