//! From a call of the macros to the kernels.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::known::Lengths;
use super::{
    FixedArray, FixedEinsum, FixedStrides, Known, computes, contract, contract_into, make,
};
use crate::dims::{Dims, Part};
use crate::family::ResultOf;
use crate::private::{CallSite, Operands, Summands};
use crate::scalar::Scalar;
use cteinsum_plan::Spec;

type Run<T> = unsafe fn(&[*const T], *mut T);
type RunScaled<T> = unsafe fn(&[*const T], *mut T, T, T);

/// What is computed from constant lengths, and its operands: it waits to be told what its result is.
pub trait Ready<T>: Sized {
    /// Writes the result.
    ///
    /// # Safety
    ///
    /// At `out` are all elements of the result, in the order that the family's [`IN_PLACE`](crate::Results::IN_PLACE)
    /// says, writable and no part of an operand.
    unsafe fn write(self, out: *mut T);

    /// The result as an `X`.
    ///
    /// # Safety
    ///
    /// An `X` is the elements of the result and nothing else, in the memory that the family's
    /// [`IN_PLACE`](crate::Results::IN_PLACE) says.
    #[inline(always)]
    unsafe fn make<X>(self) -> X {
        let mut out = MaybeUninit::<X>::uninit();
        // SAFETY: all elements are written, which are all of `out`.
        unsafe {
            self.write(out.as_mut_ptr().cast());
            out.assume_init()
        }
    }
}

/// One einsum `E`.
#[derive(Debug)]
pub struct Product<'a, T, E> {
    operands: &'a [*const T],
    site: PhantomData<fn(E)>,
}

impl<'a, T: Scalar, E: FixedEinsum> Product<'a, T, E> {
    /// # Safety
    ///
    /// The pointers are those of the operands of `E`.
    #[inline(always)]
    pub(crate) unsafe fn new(operands: &'a [*const T]) -> Self {
        Product {
            operands,
            site: PhantomData,
        }
    }
}

impl<T: Scalar, E: FixedEinsum> Ready<T> for Product<'_, T, E> {
    #[inline(always)]
    unsafe fn write(self, out: *mut T) {
        // No `unwrap` in const evaluation: rustc evaluates the constants of calls that are never made as well.
        let Some(run) = (const { run::<E, T>() }) else {
            unreachable!("the lengths are constants");
        };
        // SAFETY: the operands are those of the call, the output is as the caller says.
        unsafe { run(self.operands, out) }
    }

    #[inline(always)]
    unsafe fn make<X>(self) -> X {
        let Some(make) = (const { maker::<E, T, X>() }) else {
            unreachable!("the lengths are constants");
        };
        // SAFETY: the operands are those of the call; it writes all elements, which are all of the `X`.
        unsafe { make(self.operands) }
    }
}

/// A function that writes the result, and what it reads.
#[cfg(feature = "gradient")]
#[derive(Debug)]
pub struct Written<'a, T> {
    run: Run<T>,
    inputs: &'a [*const T],
}

#[cfg(feature = "gradient")]
impl<'a, T: Scalar> Written<'a, T> {
    /// # Safety
    ///
    /// The pointers are those that `run` reads, and it writes all elements of a result.
    #[inline(always)]
    pub(crate) unsafe fn new(run: Run<T>, inputs: &'a [*const T]) -> Self {
        Written { run, inputs }
    }
}

#[cfg(feature = "gradient")]
impl<T: Scalar> Ready<T> for Written<'_, T> {
    #[inline(always)]
    unsafe fn write(self, out: *mut T) {
        // SAFETY: these are its inputs; the output is as the caller says.
        unsafe { (self.run)(self.inputs, out) }
    }
}

/// A sum `S`, and what `K` knows of its result.
#[derive(Debug)]
pub struct Total<S, K>(S, PhantomData<fn(K)>);

impl<S, K> Total<S, K> {
    #[inline(always)]
    pub(crate) fn new(sum: S) -> Self {
        Total(sum, PhantomData)
    }
}

impl<'a, T: Scalar, S: Summands<'a, T, K>, K: Known> Ready<T> for Total<S, K> {
    #[inline(always)]
    unsafe fn write(self, out: *mut T) {
        // SAFETY: the caller's promise; a beta of 0 does not read the output.
        unsafe { self.0.write(out, T::ZERO) }
    }
}

/// A new array with the axes `L` of the family `F`.
#[derive(Debug)]
pub struct New<T, L, F>(PhantomData<(T, L, F)>);

impl<T: Scalar, L: Dims + ResultOf<T, F>, F> Known for New<T, L, F> {
    const PART: Option<Part> = None;
    const LENGTHS: &'static Lengths = &L::LENGTHS;
    const STRIDES: Option<FixedStrides<'static>> = L::IN_PLACE;
}

/// A call `C` with the operands `O`, of the families up to `F`, and a result that `K` knows.
#[derive(Debug)]
#[allow(clippy::type_complexity)] // no data
pub struct OfCall<'a, C, O, U, F, K>(PhantomData<(&'a (), C, O, U, F, K)>);

impl<'a, C, O, U, F, K> FixedEinsum for OfCall<'a, C, O, U, F, K>
where
    C: CallSite,
    U: Scalar,
    O: Operands<'a, U, F>,
    K: Known,
{
    const SPEC: Spec<'static> = C::SPEC;
    const OPERANDS: &'static [FixedArray<'static>] = O::ARRAYS;
    const OUTPUT: FixedArray<'static> = K::ARRAY;
    const REAL: u32 = O::REAL;
}

/// `E`, all operands of which are real, in a sum of complex elements.
struct RealTerm<E>(PhantomData<E>);

impl<E: FixedEinsum> FixedEinsum for RealTerm<E> {
    const SPEC: Spec<'static> = E::SPEC;
    const OPERANDS: &'static [FixedArray<'static>] = E::OPERANDS;
    const OUTPUT: FixedArray<'static> = E::OUTPUT;
    const REAL: u32 = u32::MAX >> (32 - E::OPERANDS.len());
}

impl<'a, C, O, U, F, K> OfCall<'a, C, O, U, F, K>
where
    C: CallSite,
    U: Scalar,
    O: Operands<'a, U, F>,
    K: Known,
{
    const CONSTANT: bool = O::CONSTANT && K::CONSTANT && !U::__NARROW;
    /// The kernels of the call, if all of its lengths are constants, and not too many.
    pub(crate) const RUN: Option<Run<U>> = if Self::CONSTANT {
        run::<Self, U>()
    } else {
        None
    };
    /// The same with factors.
    pub(crate) const RUN_SCALED: Option<RunScaled<U>> = Self::scaled();

    /// The same as a term of a sum of elements `V`: these are `U`, or complex numbers over `U`.
    pub(crate) const fn scaled<V: Scalar>() -> Option<RunScaled<V>> {
        if !Self::CONSTANT {
            None
        } else if U::__REAL == V::__REAL {
            run_scaled::<Self, V>()
        } else {
            run_scaled::<RealTerm<Self>, V>()
        }
    }
}

// Functions, so that nothing of them is evaluated for a call that they are not asked for.

const fn run<E: FixedEinsum, T: Scalar>() -> Option<Run<T>> {
    if computes::<E, T>() {
        Some(contract::<E, T>)
    } else {
        None
    }
}

const fn run_scaled<E: FixedEinsum, T: Scalar>() -> Option<RunScaled<T>> {
    if computes::<E, T>() {
        Some(contract_into::<E, T>)
    } else {
        None
    }
}

/// A function that has the result where its caller wants it: it is written there and not copied, as a value that is
/// assembled in a variable first would be.
const fn maker<E: FixedEinsum, T: Scalar, X>() -> Option<unsafe fn(&[*const T]) -> X> {
    type Uninit<T, X> = unsafe fn(&[*const T]) -> MaybeUninit<X>;
    if computes::<E, T>() {
        let make: Uninit<T, X> = make::<E, T, X>;
        // SAFETY: a `MaybeUninit<X>` is returned as an `X` is, and who calls this knows that all of it is initialised.
        Some(unsafe { core::mem::transmute::<Uninit<T, X>, unsafe fn(&[*const T]) -> X>(make) })
    } else {
        None
    }
}
