//! From a call of the macros to the kernels.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::{FixedArray, FixedEinsum, Known, computes, contract, contract_into};
use crate::dims::Dims;
use crate::family::ResultOf;
use crate::private::{CallSite, Operands};
use crate::scalar::Scalar;
use cteinsum_plan::Spec;

type Run<T> = unsafe fn(&[*const T], *mut T);
type RunInto<T> = unsafe fn(&[*const T], *mut T, T, T);

/// An einsum whose lengths are all constants, and its operands: it waits for memory to write its result into.
#[derive(Debug)]
pub struct Ready<'a, T> {
    run: Run<T>,
    operands: &'a [*const T],
}

impl<'a, T: Scalar> Ready<'a, T> {
    /// # Safety
    ///
    /// The pointers are those of the operands that `run` is the call of.
    #[inline(always)]
    pub(crate) unsafe fn new(run: Run<T>, operands: &'a [*const T]) -> Self {
        Ready { run, operands }
    }

    /// Writes the result.
    ///
    /// # Safety
    ///
    /// At `out` are all elements of the result, in the order that the family's [`IN_PLACE`](crate::Results::IN_PLACE)
    /// says, writable and no part of an operand.
    #[inline(always)]
    #[cfg(feature = "mdarray")]
    pub(crate) unsafe fn write(self, out: *mut T) {
        // SAFETY: the operands are those of the call, the output is as the caller says.
        unsafe { (self.run)(self.operands, out) }
    }

    /// The result as an `X`.
    ///
    /// # Safety
    ///
    /// An `X` is the elements of the result and nothing else, in the memory that the family's
    /// [`IN_PLACE`](crate::Results::IN_PLACE) says.
    #[inline(always)]
    pub(crate) unsafe fn make<X>(self) -> X {
        let mut out = MaybeUninit::<X>::uninit();
        // SAFETY: the operands are those of the call; it writes all elements, which are all of `out`.
        unsafe {
            (self.run)(self.operands, out.as_mut_ptr().cast());
            out.assume_init()
        }
    }
}

/// A call `C` with the operands `O`, and a result with the axes `L` of the family `F`.
#[derive(Debug)]
#[allow(clippy::type_complexity)] // no data
pub struct Fresh<'a, C, O, U, L, F>(PhantomData<(&'a (), C, O, U, L, F)>);

impl<'a, C, O, U, L, F> FixedEinsum for Fresh<'a, C, O, U, L, F>
where
    C: CallSite,
    U: Scalar,
    O: Operands<'a, U, F>,
    L: Dims + ResultOf<U, F>,
{
    const SPEC: Spec<'static> = C::SPEC;
    const OPERANDS: &'static [FixedArray<'static>] = O::ARRAYS;
    const OUTPUT: FixedArray<'static> = FixedArray {
        shape: const { &L::LENGTHS }.as_slice(),
        strides: L::IN_PLACE.unwrap(),
        conj: false,
    };
}

impl<'a, C, O, U, L, F> Fresh<'a, C, O, U, L, F>
where
    C: CallSite,
    U: Scalar,
    O: Operands<'a, U, F>,
    L: Dims + ResultOf<U, F>,
{
    /// The kernels of the call, if all of its lengths are constants.
    pub(crate) const RUN: Option<Run<U>> =
        if O::CONSTANT && L::LENGTHS.are_constant() && L::IN_PLACE.is_some() {
            run::<Self, U>()
        } else {
            None
        };
}

/// A call `C` with the operands `O` and a given output that `K` knows.
#[derive(Debug)]
#[allow(clippy::type_complexity)] // no data
pub struct Into<'a, C, O, U, K, F>(PhantomData<(&'a (), C, O, U, K, F)>);

impl<'a, C, O, U, K, F> FixedEinsum for Into<'a, C, O, U, K, F>
where
    C: CallSite,
    U: Scalar,
    O: Operands<'a, U, F>,
    K: Known,
{
    const SPEC: Spec<'static> = C::SPEC;
    const OPERANDS: &'static [FixedArray<'static>] = O::ARRAYS;
    const OUTPUT: FixedArray<'static> = K::ARRAY;
}

impl<'a, C, O, U, K, F> Into<'a, C, O, U, K, F>
where
    C: CallSite,
    U: Scalar,
    O: Operands<'a, U, F>,
    K: Known,
{
    /// The kernels of the call, if all of its lengths are constants.
    pub(crate) const RUN: Option<Run<U>> = if O::CONSTANT && K::CONSTANT {
        run::<Self, U>()
    } else {
        None
    };

    /// The same with factors.
    pub(crate) const RUN_SCALED: Option<RunInto<U>> = if O::CONSTANT && K::CONSTANT {
        run_into::<Self, U>()
    } else {
        None
    };
}

// Functions, so that nothing of them is evaluated for a call that they are not asked for.

const fn run<E: FixedEinsum, T: Scalar>() -> Option<Run<T>> {
    if computes::<E, T>() {
        Some(contract::<E, T>)
    } else {
        None
    }
}

const fn run_into<E: FixedEinsum, T: Scalar>() -> Option<RunInto<T>> {
    if computes::<E, T>() {
        Some(contract_into::<E, T>)
    } else {
        None
    }
}
