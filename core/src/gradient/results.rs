//! Which arrays gradients are: those of their operands' families, with their operands' axes.

use core::marker::PhantomData;

use crate::dims::{Dims, SameRank};
use crate::engine::RawMut;
use crate::error::EinsumError;
use crate::family::ResultOf;
use crate::fixed::{FixedArray, FixedStrides};
use crate::gradient::constant::{Facts, LastCall, Memory, Way, each};
use crate::gradient::last::{Last, PartOf};
use crate::output::OperandMut;
use crate::scalar::Scalar;

/// The gradient of an operand with the axes `D` in the family `F`, of elements `E`.
#[derive(Debug)]
#[allow(clippy::type_complexity)] // no data
#[doc(hidden)]
pub struct GradientLike<D, F, E>(PhantomData<fn() -> (D, F, E)>);

impl<D, F, E> Clone for GradientLike<D, F, E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D, F, E> Copy for GradientLike<D, F, E> {}

impl<D, F, E> GradientLike<D, F, E> {
    pub(crate) const fn new() -> Self {
        GradientLike(PhantomData)
    }
}

/// The gradients of several operands: a tuple of [`GradientLike`].
pub trait Gradients<T> {
    /// The tuple of gradients.
    type Out;
    /// Computes them.
    ///
    /// # Errors
    /// If memory cannot hold one.
    #[doc(hidden)]
    fn compute(last: &mut Last<'_, T>) -> Result<Self::Out, EinsumError>;
    /// Whether all lengths are constants, and the elements parts of the gradients.
    #[doc(hidden)]
    const IN_PLACE: bool;
    /// Where they lie then.
    #[doc(hidden)]
    const ARRAYS: &'static [FixedArray<'static>];
    /// Computes them by the calls of constant lengths.
    ///
    /// # Safety
    /// The memory is that of the plan, which has the kernels for its last calls, and the calls before those have run.
    #[doc(hidden)]
    unsafe fn in_place<W: Way>(memory: &Memory<'_, T>) -> Self::Out;
}

/// Gradients that are added to the arrays `O`, a tuple of mutable borrows.
pub trait Accumulate<T, O>: Gradients<T> {
    /// Adds them: all or, if a shape does not fit, none.
    ///
    /// # Errors
    /// If a shape is not that of the operand.
    #[doc(hidden)]
    fn accumulate(last: &mut Last<'_, T>, gradients: O) -> Result<(), EinsumError>;
    /// Adds gradients that are in place.
    ///
    /// # Errors
    /// If a shape is not that of the operand.
    #[doc(hidden)]
    fn add<Y>(facts: &Facts<T, Y>, new: &Self::Out, gradients: O) -> Result<(), EinsumError>;
}

/// An array with the axes `L` of an operand, to add a gradient to.
#[diagnostic::on_unimplemented(
    message = "einsum: a gradient is added to a `{Self}`, which does not have the axes of its operand",
    label = "expected an array with as many axes as the operand"
)]
#[doc(hidden)]
pub trait GradientOutput<L>: OperandMut {}
#[diagnostic::do_not_recommend]
impl<L, X: OperandMut<Dims: SameRank<L>> + ?Sized> GradientOutput<L> for X {}

macro_rules! tuples {
    (@ [$($done:tt)*]) => {};
    (@ [$($done:tt)*] ($d:ident $f:ident $e:ident $x:ident $v:ident $k:tt) $($rest:tt)*) => {
        tuples!(one $($done)* ($d $f $e $x $v $k));
        tuples!(@ [$($done)* ($d $f $e $x $v $k)] $($rest)*);
    };
    (one $(($d:ident $f:ident $e:ident $x:ident $v:ident $k:tt))*) => {
        impl<T: Scalar, $($d: Dims + ResultOf<$e, $f>, $f, $e: PartOf<T>),*> Gradients<T>
            for ($(GradientLike<$d, $f, $e>,)*)
        {
            type Out = ($($d::Out,)*);
            fn compute(last: &mut Last<'_, T>) -> Result<Self::Out, EinsumError> {
                Ok(($($e::compute::<$d, $f>(last, $k)?,)*))
            }
            const IN_PLACE: bool =
                true $(&& $d::LENGTHS.are_constant() && $d::IN_PLACE.is_some() && $e::__REAL == T::__REAL)*;
            const ARRAYS: &'static [FixedArray<'static>] = &[$(array::<$e, $d, $f>()),*];
            #[inline]
            unsafe fn in_place<W: Way>(memory: &Memory<'_, T>) -> Self::Out {
                ($({
                    let inputs = memory.inputs::<LastCall<W, $k>>();
                    // SAFETY: the caller's promise.
                    $d::in_place($e::whole(unsafe { memory.ready::<LastCall<W, $k>>(&inputs) }))
                },)*)
            }
        }

        impl<T: Scalar, $($d: Dims + ResultOf<$e, $f>, $f, $e: PartOf<T>, $x),*> Accumulate<T, ($(&mut $x,)*)>
            for ($(GradientLike<$d, $f, $e>,)*)
        where
            $($x: GradientOutput<$d> + OperandMut<Elem = $e> + ?Sized),*
        {
            fn accumulate(last: &mut Last<'_, T>, gradients: ($(&mut $x,)*)) -> Result<(), EinsumError> {
                $(let mut $v = gradients.$k.operand_view_mut();)*
                $(let $v = part::<$e, $x::Dims>(RawMut::new(&mut $v), last.rank($k));)*
                $(last.check($k, $v.given.shape)?;)*
                $($e::add_to(last, $k, &$v)?;)*
                Ok(())
            }
            fn add<Y>(facts: &Facts<T, Y>, new: &Self::Out, gradients: ($(&mut $x,)*)) -> Result<(), EinsumError> {
                $(let mut $v = gradients.$k.operand_view_mut();)*
                $(let $v = part::<$e, $x::Dims>(RawMut::new(&mut $v), facts.gradient($k).shape.len());)*
                $(facts.check($k, $v.given.shape)?;)*
                $(
                    let from = core::ptr::from_ref(&new.$k).cast::<$e>();
                    each(facts.gradient($k), $v.given.strides, |own, other| {
                        // SAFETY: both are offsets of one index of arrays of this shape; the elements of a gradient in
                        // place are all of it, and lie as its array says.
                        unsafe {
                            let to = $v.ptr.offset(other);
                            to.write($e::add(to.read(), from.offset(own).read()));
                        }
                    });
                )*
                Ok(())
            }
        }
    };
}
tuples!(@ [] (D0 F0 E0 X0 v0 0) (D1 F1 E1 X1 v1 1) (D2 F2 E2 X2 v2 2) (D3 F3 E3 X3 v3 3) (D4 F4 E4 X4 v4 4) (D5 F5 E5 X5 v5 5)
    (D6 F6 E6 X6 v6 6) (D7 F7 E7 X7 v7 7) (D8 F8 E8 X8 v8 8) (D9 F9 E9 X9 v9 9) (D10 F10 E10 X10 v10 10) (D11 F11 E11 X11 v11 11)
    (D12 F12 E12 X12 v12 12) (D13 F13 E13 X13 v13 13) (D14 F14 E14 X14 v14 14) (D15 F15 E15 X15 v15 15));

/// The array that a gradient is.
const fn array<T: Scalar, D: Dims + ResultOf<T, F>, F>() -> FixedArray<'static> {
    FixedArray {
        shape: const { &D::LENGTHS }.as_slice(),
        strides: match D::IN_PLACE {
            Some(strides) => strides,
            None => FixedStrides::RowMajor,
        },
        conj: false,
    }
}

/// An array in the frame of its own axes, of which there are so many.
fn part<T, D: Dims>(raw: RawMut<'_, T>, rank: usize) -> RawMut<'_, T> {
    if raw.given.shape.len() == rank {
        raw
    } else {
        raw.part(D::PART)
    }
}
