//! Elements whose sums and products are those of an algebra: what the engine and the kernels are run with.

use core::fmt::{Debug, Formatter};
use core::marker::PhantomData;
use core::mem::ManuallyDrop;

use super::Algebra;
use crate::engine::execute::{Fresh, Shape};
use crate::engine::sum::{self, Term};
use crate::engine::{Engine, MemoryOrder, RawMut};
use crate::error::EinsumError;
use crate::family::{Entries, NoFamily};
use crate::kernel::{Kind, Operands, PackBuffer, Prepared, Team};
use crate::operand::Operand;
use crate::output::OperandMut;
use crate::scalar::Scalar;
use crate::tensor::{TensorView, TensorViewMut};

/// A `T` that is added and multiplied as `A` says.
#[repr(transparent)]
pub(crate) struct In<A, T>(T, PhantomData<fn() -> A>);

impl<A, T> In<A, T> {
    const fn new(value: T) -> Self {
        In(value, PhantomData)
    }
}

impl<A, T: Copy> Clone for In<A, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, T: Copy> Copy for In<A, T> {}
impl<A, T: PartialEq> PartialEq for In<A, T> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<A, T: Debug> Debug for In<A, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

impl<A: Algebra<T>, T: Scalar> Operand for In<A, T> {
    type Elem = Self;
    type Dims = ();
    type Family = NoFamily;
    type View<'a> = TensorView<'a, Self, 0>;
    fn operand_view(&self) -> TensorView<'_, Self, 0> {
        TensorView::from_element(self)
    }
}
impl<A: Algebra<T>, T: Scalar> OperandMut for In<A, T> {
    type Elem = Self;
    type Dims = ();
    type ViewMut<'a> = TensorViewMut<'a, Self, 0>;
    fn operand_view_mut(&mut self) -> TensorViewMut<'_, Self, 0> {
        TensorViewMut::from_element(self)
    }
}

impl<A: Algebra<T>, T: Scalar> Scalar for In<A, T> {
    const ZERO: Self = In::new(A::ZERO);
    const ONE: Self = In::new(A::ONE);
    #[inline(always)]
    fn add(a: Self, b: Self) -> Self {
        In::new(A::add(a.0, b.0))
    }
    #[inline(always)]
    fn mul(a: Self, b: Self) -> Self {
        In::new(A::mul(a.0, b.0))
    }

    const __REAL: bool = T::__REAL;
    const __KIND: Kind = A::__KIND;

    unsafe fn __run_step(
        step: &Prepared,
        operands: &Operands<Self>,
        team: &mut Team,
        pack: &mut PackBuffer,
    ) {
        // SAFETY: the caller's promise; `In` is transparent.
        unsafe { A::__run_step(step, &operands.cast(), team, pack) }
    }
}

/// The terms, their elements seen as those of the algebra.
fn terms_in<'s, 'a, A: Algebra<T>, T: Scalar>(
    terms: &'s [Term<'a, T>],
) -> &'s [Term<'a, In<A, T>>] {
    // SAFETY: `In<A, T>` is transparent over `T`, and `Term` has the layout of C and holds, but for `alpha`, a type that
    // does not depend on `T` and a slice of transparent `Raw`s, so that both kinds of terms lie the same in memory. Every
    // `T` is an `In<A, T>`.
    unsafe { &*(core::ptr::from_ref(terms) as *const [Term<'a, In<A, T>>]) }
}

/// The sum in new memory, in the algebra.
pub(super) fn fresh<A: Algebra<T>, T: Scalar>(
    engine: &mut Engine,
    terms: &[Term<'_, T>],
    order: MemoryOrder,
) -> Result<Fresh<T>, EinsumError> {
    let Fresh { shape, data } = sum::fresh(engine, terms_in::<A, T>(terms), order)?;
    let mut data = ManuallyDrop::new(data);
    // SAFETY: the parts of a vector that nobody uses any more; `In<A, T>` is transparent over `T`, so that size, alignment
    // and values are the same.
    let data =
        unsafe { Vec::from_raw_parts(data.as_mut_ptr().cast(), data.len(), data.capacity()) };
    Ok(Fresh { shape, data })
}

/// The shape of the sum.
pub(super) fn shape<A: Algebra<T>, T: Scalar>(
    engine: &mut Engine,
    terms: &[Term<'_, T>],
) -> Result<Shape, EinsumError> {
    sum::shape(engine, terms_in::<A, T>(terms))
}

/// `C <- sum + beta * C`, in the algebra.
pub(super) fn into<A: Algebra<T>, T: Scalar>(
    engine: &mut Engine,
    terms: &[Term<'_, T>],
    output: &RawMut<'_, T>,
    beta: T,
) -> Result<(), EinsumError> {
    // SAFETY: `In<A, T>` is transparent over `T`.
    let output = unsafe { output.cast::<In<A, T>>() };
    sum::into(engine, terms_in::<A, T>(terms), &output, In::new(beta))
}

/// The ways into the engine for an algebra.
pub(crate) const fn entries<A: Algebra<T>, T: Scalar>() -> Entries<T> {
    Entries {
        fresh: A::__fresh,
        shape: A::__shape,
        into: A::__into,
        zero: A::ZERO,
    }
}

/// Overrides the ways into the engine by functions that are compiled in this crate.
macro_rules! entries_of {
    ($t:ty, $kind:ident) => {
        const __KIND: crate::kernel::Kind = crate::kernel::Kind::$kind;

        #[inline(never)]
        unsafe fn __run_step(
            step: &crate::kernel::Prepared,
            operands: &crate::kernel::Operands<$t>,
            team: &mut crate::kernel::Team,
            pack: &mut crate::kernel::PackBuffer,
        ) {
            // SAFETY: the caller's promise; `In` is transparent.
            unsafe {
                crate::own::run_step::<crate::algebra::within::In<Self, $t>>(
                    step,
                    &operands.cast(),
                    team,
                    pack,
                )
            }
        }
        #[inline(never)]
        fn __fresh(
            engine: &mut crate::engine::Engine,
            terms: &[crate::engine::sum::Term<'_, $t>],
            order: crate::engine::MemoryOrder,
        ) -> Result<crate::engine::execute::Fresh<$t>, crate::error::EinsumError> {
            crate::algebra::within::fresh::<Self, $t>(engine, terms, order)
        }
        #[inline(never)]
        fn __shape(
            engine: &mut crate::engine::Engine,
            terms: &[crate::engine::sum::Term<'_, $t>],
        ) -> Result<crate::engine::execute::Shape, crate::error::EinsumError> {
            crate::algebra::within::shape::<Self, $t>(engine, terms)
        }
        #[inline(never)]
        fn __into(
            engine: &mut crate::engine::Engine,
            terms: &[crate::engine::sum::Term<'_, $t>],
            output: &crate::engine::RawMut<'_, $t>,
            beta: $t,
        ) -> Result<(), crate::error::EinsumError> {
            crate::algebra::within::into::<Self, $t>(engine, terms, output, beta)
        }
    };
}
pub(crate) use entries_of;
