//! The way backward: what a call of `einsum_vjp!` leaves behind.

use core::fmt::{self, Debug, Display};
use core::marker::PhantomData;
use core::ops::Deref;
use std::borrow::Cow;
use std::sync::Arc;

use crate::dims::Dims;
use crate::engine::plan::Plan;
use crate::engine::sum::Term;
use crate::engine::{Engine, Raw, with_default_engine};
use crate::error::{Derivative, EinsumError};
use crate::family::{Pending, ResultOf};
use crate::gradient::constant::Facts;
use crate::gradient::display::{Described, describe};
use crate::gradient::last::Last;
use crate::gradient::outcome::{Outcome, Panics};
use crate::gradient::plan::{Array, GradientPlan};
use crate::gradient::results::{Accumulate, Gradients};
use crate::gradient::run::{Memory, Source, elements, with_inputs};
use crate::gradient::saved::Saved;
use crate::operand::Operand;
use crate::scalar::Scalar;

/// What is differentiated by what.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The einsum.
    pub spec: &'static cteinsum_plan::Spec<'static>,
    /// The operands whose gradients are asked for, in the order of the gradients.
    pub wrt: &'static [usize],
    /// The plain transpose: nothing is conjugated.
    pub transpose: bool,
}

/// The steps backward of one call, and all that they read.
#[derive(Debug)]
pub struct Backward<T, L, M> {
    plan: Arc<GradientPlan>,
    request: Request,
    saved: Saved<T>,
    results: PhantomData<fn() -> (L, M)>,
}

/// The gradients of an einsum's operands as a function of the gradient of its result: what
/// `einsum_vjp!` gives beside the result.
///
/// It is called like a function, as often as needed: `let (da, db) = pullback(&dy)`, with a `dy` of the type and shape of
/// the result; [`call`](Pullback::call) takes other arrays as well. `T` are the elements, `Y` the result, `L` says which
/// arrays the gradients are, `M` how a call ends whose `dy` does not fit, `F` is the function that a call calls.
///
/// It owns what it needs: copies of the operands that gradients are made of, and the intermediates, in one block of
/// memory. So it can be kept, sent to another thread, and called after the operands have changed. Displayed, it is the
/// plan: its steps, their cost and what is saved.
///
/// Where all lengths of the operands are constants of their types (nested arrays, and the arrays of nalgebra and mdarray
/// that have such lengths), the block is a part of the pullback, and neither direction allocates or has an engine; `F`
/// then is a type without a name.
pub struct Pullback<
    T: 'static,
    Y: 'static,
    L: Gradients<T> + 'static,
    M: Outcome = Panics,
    F = Box<dyn Fn(&Y) -> <M as Outcome>::Of<<L as Gradients<T>>::Out> + Send + Sync>,
> {
    /// What a call runs; where it is not the engine, what is known of the function.
    backward: Result<Arc<Backward<T, L, M>>, &'static Facts<T, Y>>,
    function: F,
}

/// What a pullback is called as.
pub trait Function {
    /// A function.
    type Of: ?Sized;
    /// The function.
    fn of(&self) -> &Self::Of;
}
impl<X: ?Sized> Function for Box<X> {
    type Of = X;
    #[inline]
    fn of(&self) -> &X {
        self
    }
}
/// A function that is a part of its pullback.
#[derive(Clone, Copy, Debug)]
pub struct InPlace<X>(pub(crate) X);
impl<X> Function for InPlace<X> {
    type Of = X;
    #[inline]
    fn of(&self) -> &X {
        &self.0
    }
}

/// So that a pullback can be called like a function.
impl<T, Y, L: Gradients<T>, M: Outcome, F: Function> Deref for Pullback<T, Y, L, M, F> {
    type Target = F::Of;
    #[inline]
    fn deref(&self) -> &F::Of {
        self.function.of()
    }
}

impl<T: Scalar, Y, L: Gradients<T>, M: Outcome> Pullback<T, Y, L, M> {
    pub(crate) fn boxed(
        backward: Backward<T, L, M>,
        function: fn(&Backward<T, L, M>, &Y) -> M::Of<L::Out>,
    ) -> Self {
        let backward = Arc::new(backward);
        let own = backward.clone();
        Pullback {
            backward: Ok(backward),
            function: Box::new(move |dy: &Y| function(&own, dy)),
        }
    }

    /// The pullback, as that of constant lengths is made.
    #[doc(hidden)]
    #[inline]
    pub fn into_pullback(self) -> Self {
        self
    }
}

impl<T, Y, L, M, F> Pullback<T, Y, L, M, F>
where
    T: Scalar,
    L: Gradients<T>,
    M: Outcome,
    F: Function<Of: Fn(&Y) -> M::Of<L::Out>>,
{
    pub(crate) fn new(
        backward: Result<Arc<Backward<T, L, M>>, &'static Facts<T, Y>>,
        function: F,
    ) -> Self {
        Pullback { backward, function }
    }

    /// The gradients, for a gradient of the result that is any array of its shape.
    ///
    /// # Panics
    /// If the shape of `dy` is not that of the result. (That of a `try_einsum_vjp!` returns the error.)
    #[track_caller]
    pub fn call<X: Operand<Elem = T> + ?Sized>(&self, dy: &X) -> M::Of<L::Out> {
        M::end(match &self.backward {
            Ok(backward) => with_default_engine(|engine| backward.gradients(engine, dy)),
            Err(facts) => self.seeded(facts, dy),
        })
    }

    /// As [`call`](Pullback::call), in an engine of your own: threads, workspace, and the memory of how it is computed.
    /// (Where all lengths are constants of the types, no engine has part in it.)
    ///
    /// # Panics
    /// As there.
    #[track_caller]
    pub fn call_in<X: Operand<Elem = T> + ?Sized>(
        &self,
        engine: &mut Engine,
        dy: &X,
    ) -> M::Of<L::Out> {
        M::end(match &self.backward {
            Ok(backward) => backward.gradients(engine, dy),
            Err(facts) => self.seeded(facts, dy),
        })
    }

    fn seeded<X>(&self, facts: &Facts<T, Y>, dy: &X) -> Result<L::Out, EinsumError>
    where
        X: Operand<Elem = T> + ?Sized,
    {
        M::result((self.function.of())(&facts.seed(dy)?))
    }

    /// Adds the gradients to arrays: `pullback.accumulate(&dy, (&mut da, &mut db))`. A `_` among the operands has no place
    /// here: `wrt` says which gradients there are.
    ///
    /// # Panics
    /// If the shape of `dy` is not that of the result, or one of an array not that of its operand; nothing is written
    /// then. (That of a `try_einsum_vjp!` returns the error.)
    #[track_caller]
    pub fn accumulate<X, O>(&self, dy: &X, gradients: O) -> M::Of<()>
    where
        X: Operand<Elem = T> + ?Sized,
        L: Accumulate<T, O>,
    {
        M::end(match &self.backward {
            Ok(backward) => {
                with_default_engine(|engine| backward.accumulate(engine, dy, gradients))
            }
            Err(facts) => self.add(facts, dy, gradients),
        })
    }

    /// As [`accumulate`](Pullback::accumulate), in an engine of your own.
    ///
    /// # Panics
    /// As there.
    #[track_caller]
    pub fn accumulate_in<X, O>(&self, engine: &mut Engine, dy: &X, gradients: O) -> M::Of<()>
    where
        X: Operand<Elem = T> + ?Sized,
        L: Accumulate<T, O>,
    {
        M::end(match &self.backward {
            Ok(backward) => backward.accumulate(engine, dy, gradients),
            Err(facts) => self.add(facts, dy, gradients),
        })
    }

    fn add<X, O>(&self, facts: &Facts<T, Y>, dy: &X, gradients: O) -> Result<(), EinsumError>
    where
        X: Operand<Elem = T> + ?Sized,
        L: Accumulate<T, O>,
    {
        let new = self.seeded(facts, dy)?;
        L::add(facts, &new, gradients)
    }
}

impl<T, Y, L: Gradients<T>, M: Outcome, F> Pullback<T, Y, L, M, F> {
    /// Bytes that are kept for the steps backward.
    pub fn saved_bytes(&self) -> usize {
        match &self.backward {
            Ok(backward) => elements(&backward.plan.values, true) * size_of::<T>(),
            Err(facts) => facts.saved_bytes(),
        }
    }

    fn request(&self) -> &Request {
        match &self.backward {
            Ok(backward) => &backward.request,
            Err(facts) => facts.request(),
        }
    }
}

impl<T, Y, L: Gradients<T>, M: Outcome, F> Debug for Pullback<T, Y, L, M, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let request = self.request();
        f.debug_struct("Pullback")
            .field("subscripts", &request.spec.text)
            .field("wrt", &request.wrt)
            .field("transpose", &request.transpose)
            .finish_non_exhaustive()
    }
}

impl<T, Y, L: Gradients<T>, M: Outcome, F> Display for Pullback<T, Y, L, M, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.backward {
            Ok(backward) => {
                let plan = &backward.plan;
                let slots = plan.values.iter().flatten().filter(|slot| slot.saved);
                let described = Described {
                    text: backward.request.spec.text,
                    network: &plan.network,
                    gradient: &plan.gradient,
                    sizes: &plan.sizes,
                    saved: slots.map(|slot| slot.len).sum(),
                };
                describe(f, &described)
            }
            Err(facts) => facts.describe(f),
        }
    }
}

/// Computes an einsum and keeps what its gradients need.
pub(crate) fn vjp<T, D, L, M>(
    engine: &mut Engine,
    request: Request,
    operands: &[Raw<'_, T>],
) -> Result<(D::Out, Backward<T, L, M>), EinsumError>
where
    T: Scalar,
    D: AnyResult<T>,
{
    let plan = Plan::Constant(request.spec);
    let plan = GradientPlan::find(engine, plan, operands, request.wrt)?;
    let mut memory = Memory::<T>::new(engine, &plan.values);
    plan.values(engine, operands, &mut memory.saved, &mut memory.passing)?;
    let y = {
        let last = plan.forward.last().expect("a step");
        let memory = &memory;
        let source = |array| match array {
            Array::Operand(p) => Source::Raw(operands[p]),
            Array::Value(id) => memory.elements(&plan.values[id]),
            Array::Gradient(_) | Array::Seed => unreachable!("a step forward reads no gradient"),
        };
        with_inputs(&plan, last, false, source, |operands| {
            let term = Term {
                plan: Plan::Parsed(&last.einsum),
                operands,
                alpha: T::ONE,
            };
            D::compute(Pending {
                engine: Some(engine),
                terms: &[term],
                entries: None,
            })
        })?
    };
    engine.keep_scratch(memory.passing);
    let backward = Backward {
        plan,
        request,
        saved: memory.saved,
        results: PhantomData,
    };
    Ok((y, backward))
}

/// An operand in the frame of its own axes, of which there are so many.
pub(super) fn raw_of<T: Scalar, D: Dims>(raw: Raw<'_, T>, rank: usize) -> Raw<'_, T> {
    if raw.layout().shape.len() == rank {
        raw
    } else {
        raw.part(D::PART)
    }
}

impl<T: Scalar, L, M> Backward<T, L, M> {
    /// Runs the steps that gradients are made of, then gives `then` the way to the gradients.
    fn run<X: Operand<Elem = T> + ?Sized, R>(
        &self,
        engine: &mut Engine,
        dy: &X,
        then: impl FnOnce(&mut Last<'_, T>) -> Result<R, EinsumError>,
    ) -> Result<R, EinsumError> {
        let plan = &*self.plan;
        let view = dy.operand_view();
        let seed = raw_of::<T, X::Dims>(Raw::new(&view), plan.output_shape.len());
        if *seed.layout().shape != *plan.output_shape {
            return Err(EinsumError::derivative(
                Cow::Borrowed(self.request.spec.text),
                Derivative::Cotangent,
                &plan.output_shape,
                seed.layout().shape,
            ));
        }
        let mut passing = Memory::<T>::passing(engine, plan.inner.elements);
        // All that can fail does so before anything is written.
        let tape = plan.backward(engine, seed)?;
        let result = then(&mut Last {
            engine: &mut *engine,
            plan,
            request: self.request,
            seed,
            saved: &self.saved,
            passing: &mut passing,
            tape,
        });
        engine.keep_scratch(passing);
        result
    }

    /// The gradients in new arrays.
    pub(crate) fn gradients<X: Operand<Elem = T> + ?Sized>(
        &self,
        engine: &mut Engine,
        dy: &X,
    ) -> Result<L::Out, EinsumError>
    where
        L: Gradients<T>,
    {
        self.run(engine, dy, |last| L::compute(last))
    }

    fn accumulate<X: Operand<Elem = T> + ?Sized, O>(
        &self,
        engine: &mut Engine,
        dy: &X,
        gradients: O,
    ) -> Result<(), EinsumError>
    where
        L: Accumulate<T, O>,
    {
        self.run(engine, dy, |last| L::accumulate(last, gradients))
    }
}

/// A list of axes and a family as one type: what a result is.
pub(crate) trait AnyResult<T> {
    type Out;
    fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError>;
}
/// The axes `D` in the family `F`.
pub(crate) struct In<D, F>(PhantomData<(D, F)>);
impl<T, D: ResultOf<T, F>, F> AnyResult<T> for In<D, F> {
    type Out = D::Out;
    #[inline]
    fn compute(pending: Pending<'_, T>) -> Result<D::Out, EinsumError> {
        D::compute(pending)
    }
}
