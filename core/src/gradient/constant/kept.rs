//! From a call of `einsum_vjp!` to its pullback, where all lengths are constants; where they are not, to the engine.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use std::sync::Arc;

use cteinsum_plan::fixed::gradient::FixedGradient;

use crate::dims::{Dims, Flat};
use crate::engine::with_default_engine;
use crate::error::EinsumError;
use crate::family::ResultOf;
use crate::fixed::{FixedArray, FixedStrides, Written};
use crate::gradient::constant::calls::{
    self, Finish, Memory, Scratch, Way, computes_backward, computes_forward, with_scratch,
};
use crate::gradient::constant::facts::Facts;
use crate::gradient::constant::rooms::{Decides, Likes, Rooms};
use crate::gradient::outcome::{Outcome, Panics, Tries};
use crate::gradient::pullback::{Backward, In, InPlace, Pullback, Request, vjp};
use crate::gradient::results::Gradients;
use crate::private::{CallSite, Operands};
use crate::scalar::Scalar;

/// All lengths of the operands are constants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constant;
/// A length is known at run time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Varying;

/// Who computes a call whose operands have gradients like these.
#[inline]
pub fn constancy<G: Decides>(_: G) -> G::Is {
    G::Is::default()
}

type Out<D, U, F> = <<D as Flat>::List as ResultOf<U, F>>::Out;

/// The array that a result is.
pub(super) const fn output<L: Dims + ResultOf<U, F>, U: Scalar, F>() -> FixedArray<'static> {
    FixedArray {
        shape: const { &L::LENGTHS }.as_slice(),
        strides: match L::IN_PLACE {
            Some(strides) => strides,
            None => FixedStrides::RowMajor,
        },
        conj: false,
    }
}

/// The way back of a call `C` of operands like `G`: result `D` in the family `F`, gradients `L`, memory `S`.
pub struct Back<C, G, D, F, U, L, S>(PhantomData<fn() -> (C, G, D, F, U, L, S)>);

impl<C, G, D, F, U, L, S> Way for Back<C, G, D, F, U, L, S>
where
    C: CallSite,
    G: Likes,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
    L: Gradients<U>,
    S: Rooms,
{
    const PLAN: &'static FixedGradient = &if Self::IN_PLACE {
        planned::<C, D, F, U, L, S>(G::ARRAYS)
    } else {
        FixedGradient::TOO_LARGE
    };
    const WRT: &'static [usize] = C::WRT;
}

impl<C, G, D, F, U, L, S> Back<C, G, D, F, U, L, S>
where
    C: CallSite,
    G: Likes,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
    L: Gradients<U>,
    S: Rooms,
{
    /// Whether the elements of results and gradients are parts of them.
    const IN_PLACE: bool = <D::List as ResultOf<U, F>>::IN_PLACE.is_some()
        && D::List::LENGTHS.are_constant()
        && L::IN_PLACE;
    const FITS: bool = Self::IN_PLACE && computes_backward::<Self, U>();

    const FACTS: Facts<U, Out<D, U, F>> = Facts {
        request: Request {
            spec: const { &C::SPEC },
            wrt: C::WRT,
            transpose: C::TRANSPOSE,
        },
        plan: Self::PLAN,
        operands: G::ARRAYS,
        output: output::<D::List, U, F>(),
        gradients: L::ARRAYS,
        zeros: || {
            // SAFETY: the function needs no operands.
            D::List::in_place(unsafe { Written::new(zeros::<D::List, U>, &[]) })
        },
        elements: |y| core::ptr::from_mut(y).cast(),
    };
}

/// Writes zeros.
///
/// # Safety
///
/// At `out` are the elements of an array of the axes `L`.
unsafe fn zeros<L: Dims, U: Scalar>(_: &[*const U], out: *mut U) {
    let len = L::LENGTHS.as_slice().iter().product();
    for i in 0..len {
        // SAFETY: the caller's promise.
        unsafe { out.add(i).write(U::ZERO) };
    }
}

/// The plan of both directions for operands that are these.
const fn planned<C, D, F, U, L, S>(operands: &[FixedArray<'_>]) -> FixedGradient
where
    C: CallSite,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
    L: Gradients<U>,
    S: Rooms,
{
    FixedGradient::new(
        &C::SPEC,
        operands,
        &output::<D::List, U, F>(),
        C::WRT,
        L::ARRAYS,
        C::TRANSPOSE,
        room::<S, U>(),
    )
}

/// The elements that there is room for.
const fn room<S: Rooms, U: Scalar>() -> usize {
    match size_of::<U>() {
        0 => 0,
        size => size_of::<S::Of<U>>() / size,
    }
}

/// The way forward, of operands that are `O`.
struct Fore<'a, C, O, D, F, U, L, S>(PhantomData<(&'a (), fn() -> (C, O, D, F, U, L, S))>);

impl<'a, C, O, D, F, U, L, S> Way for Fore<'a, C, O, D, F, U, L, S>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
    L: Gradients<U>,
    S: Rooms,
{
    const PLAN: &'static FixedGradient = &if O::ALIKE {
        planned::<C, D, F, U, L, S>(O::ARRAYS)
    } else {
        FixedGradient::TOO_LARGE
    };
    const WRT: &'static [usize] = C::WRT;
}

/// What the way forward leaves: the pullback, once it has its function. Two calls, because the operands may be borrowed
/// in this one, and are not in what the next one returns.
///
/// `Y` is the result, `R` what a call gives: parameters, so that the function's type has no projections in it (in a
/// function that is generic in lengths, a lint of clippy would fail to look at them).
pub struct Kept<C, G, D, F, U: Scalar, L, S: Rooms, M, Y, R> {
    saved: MaybeUninit<S::Of<U>>,
    /// Where the lengths are constants, but the call is beyond what is computed without the engine.
    backward: Option<Arc<Backward<U, L, M>>>,
    function: fn(&Backward<U, L, M>, &Y) -> R,
    call: PhantomData<fn() -> (C, G, D, F)>,
}

impl<C, G, D, F, U: Scalar, L, S: Rooms, M, Y, R> core::fmt::Debug
    for Kept<C, G, D, F, U, L, S, M, Y, R>
{
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}

impl<C, G, D, F, U, L, S, M, Y, R> Kept<C, G, D, F, U, L, S, M, Y, R>
where
    C: CallSite,
    G: Likes,
    U: Scalar,
    D: Flat<List: ResultOf<U, F, Out = Y>>,
    L: Gradients<U>,
    S: Rooms,
    M: Outcome<Of<L::Out> = R>,
{
    /// The pullback.
    #[inline]
    pub fn into_pullback(self) -> Pullback<U, Y, L, M, InPlace<impl Fn(&Y) -> R + Send + Sync>> {
        let Kept {
            saved,
            backward,
            function,
            ..
        } = self;
        let own = backward.clone();
        let call = move |dy: &Y| match &own {
            Some(backward) => function(backward, dy),
            None => M::end(Ok(gradients::<Back<C, G, D, F, U, L, S>, D, F, U, L, S>(
                &saved, dy,
            ))),
        };
        let facts = const { &Back::<C, G, D, F, U, L, S>::FACTS };
        Pullback::new(backward.ok_or(facts), InPlace(call))
    }
}

/// The gradients, of what the way forward has saved.
#[inline]
fn gradients<W, D, F, U, L, S>(saved: &MaybeUninit<S::Of<U>>, dy: &Out<D, U, F>) -> L::Out
where
    W: Way,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
    L: Gradients<U>,
    S: Rooms,
{
    type Run<T, G> = unsafe fn(*const T, *const T) -> G;
    let run = with_scratch!(W::PLAN.backward_scratch; Run<U, L::Out>: back::<W, U, L>);
    // SAFETY: the elements of a result that is in place are all of it; the saved ones are there, since the way forward
    // has not been the engine's, and its plan is the same but for the memory of the operands.
    unsafe { run(core::ptr::from_ref(dy).cast(), saved.as_ptr().cast()) }
}

/// # Safety
///
/// `dy` is an array like the result, `saved` what the way forward has saved; `N` is at least the plan's scratch.
unsafe fn back<W: Way, U: Scalar, L: Gradients<U>, const N: usize>(
    dy: *const U,
    saved: *const U,
) -> L::Out {
    let mut scratch = Scratch::<U, N>::new();
    let memory = Memory {
        operands: &[],
        saved: saved.cast_mut(),
        scratch: scratch.as_mut_ptr(),
        seed: dy,
    };
    // SAFETY: the memory is that of the plan; nothing on the way back writes what is saved.
    unsafe {
        calls::backward::<W, U>(&memory);
        L::in_place::<W>(&memory)
    }
}

/// # Safety
///
/// The operands are those of the plan, `saved` has room for what it saves; `N` is at least the plan's scratch.
unsafe fn fore<W: Way, L: ResultOf<U, F>, F, U: Scalar, const N: usize>(
    operands: &[*const U],
    saved: *mut U,
) -> L::Out {
    let mut scratch = Scratch::<U, N>::new();
    let memory = Memory {
        operands,
        saved,
        scratch: scratch.as_mut_ptr(),
        seed: core::ptr::null(),
    };
    // SAFETY: the memory is that of the plan.
    unsafe { calls::forward::<W, U>(&memory) };
    let inputs = memory.inputs::<Finish<W>>();
    // SAFETY: the calls before the last one have run.
    L::in_place(unsafe { memory.ready::<Finish<W>>(&inputs) })
}

impl Constant {
    /// The result, and what the pullback is made of.
    ///
    /// # Panics
    /// If the engine computes it and the sizes do not fit.
    #[track_caller]
    #[inline]
    pub fn vjp<'a, C, O, U, F, D, L, G, S>(
        self,
        call: C,
        operands: O,
        axes: D,
        like: L,
        of: (G, S),
        function: fn(&Backward<U, L, Panics>, &Out<D, U, F>) -> L::Out,
    ) -> (
        Out<D, U, F>,
        Kept<C, G, D, F, U, L, S, Panics, Out<D, U, F>, L::Out>,
    )
    where
        C: CallSite,
        O: Operands<'a, U, F>,
        U: Scalar,
        D: Flat<List: ResultOf<U, F, Out: 'static>>,
        L: Gradients<U, Out: 'static> + 'static,
        G: Likes,
        S: Rooms,
    {
        Panics::end(forward(call, operands, axes, like, of, function))
    }

    /// As [`vjp`](Constant::vjp).
    ///
    /// # Errors
    /// If the engine computes it and the sizes do not fit.
    #[inline]
    pub fn try_vjp<'a, C, O, U, F, D, L, G, S>(
        self,
        call: C,
        operands: O,
        axes: D,
        like: L,
        of: (G, S),
        function: fn(&Backward<U, L, Tries>, &Out<D, U, F>) -> Result<L::Out, EinsumError>,
    ) -> Result<
        (
            Out<D, U, F>,
            Kept<C, G, D, F, U, L, S, Tries, Out<D, U, F>, Result<L::Out, EinsumError>>,
        ),
        EinsumError,
    >
    where
        C: CallSite,
        O: Operands<'a, U, F>,
        U: Scalar,
        D: Flat<List: ResultOf<U, F, Out: 'static>>,
        L: Gradients<U, Out: 'static> + 'static,
        G: Likes,
        S: Rooms,
    {
        forward(call, operands, axes, like, of, function)
    }
}

#[inline]
fn forward<'a, C, O, U, F, D, L, G, S, M>(
    _call: C,
    operands: O,
    _axes: D,
    _like: L,
    _of: (G, S),
    function: fn(&Backward<U, L, M>, &Out<D, U, F>) -> M::Of<L::Out>,
) -> Result<
    (
        Out<D, U, F>,
        Kept<C, G, D, F, U, L, S, M, Out<D, U, F>, M::Of<L::Out>>,
    ),
    EinsumError,
>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F, Out: 'static>>,
    L: Gradients<U, Out: 'static> + 'static,
    G: Likes,
    S: Rooms,
    M: Outcome,
{
    let mut kept = Kept::<C, G, D, F, U, L, S, M, _, _> {
        saved: MaybeUninit::<S::Of<U>>::uninit(),
        backward: None,
        function,
        call: PhantomData,
    };
    if const {
        Back::<C, G, D, F, U, L, S>::FITS && computes_forward::<Fore<'a, C, O, D, F, U, L, S>, U>()
    } {
        type Run<T, Y> = unsafe fn(&[*const T], *mut T) -> Y;
        let run = with_scratch!(
            <Fore<'a, C, O, D, F, U, L, S> as Way>::PLAN.forward_scratch;
            Run<U, Out<D, U, F>>: fore::<Fore<'a, C, O, D, F, U, L, S>, D::List, F, U>
        );
        let pointers = operands.pointers();
        // SAFETY: these are the operands of the plan, their views as it takes them to be; it saves no more than there is
        // room for.
        let y = unsafe { run(pointers.as_ref(), kept.saved.as_mut_ptr().cast()) };
        return Ok((y, kept));
    }
    let request = Back::<C, G, D, F, U, L, S>::FACTS.request;
    let (y, backward) = with_default_engine(|engine| {
        vjp::<U, In<D::List, F>, L, M>(engine, request, operands.raws().as_ref())
    })?;
    kept.backward = Some(Arc::new(backward));
    Ok((y, kept))
}

impl Varying {
    /// The result and the pullback.
    ///
    /// # Panics
    /// If the sizes do not fit.
    #[track_caller]
    #[inline]
    pub fn vjp<'a, C, O, U, F, D, L, G, S>(
        self,
        _call: C,
        operands: O,
        _axes: D,
        _like: L,
        _of: (G, S),
        function: fn(&Backward<U, L, Panics>, &Out<D, U, F>) -> L::Out,
    ) -> (Out<D, U, F>, Pullback<U, Out<D, U, F>, L, Panics>)
    where
        C: CallSite,
        O: Operands<'a, U, F>,
        U: Scalar,
        D: Flat<List: ResultOf<U, F, Out: 'static>>,
        L: Gradients<U, Out: 'static> + 'static,
    {
        Panics::end(boxed::<C, O, U, F, D, L, Panics>(operands, function))
    }

    /// As [`vjp`](Varying::vjp).
    ///
    /// # Errors
    /// If the sizes do not fit.
    #[inline]
    pub fn try_vjp<'a, C, O, U, F, D, L, G, S>(
        self,
        _call: C,
        operands: O,
        _axes: D,
        _like: L,
        _of: (G, S),
        function: fn(&Backward<U, L, Tries>, &Out<D, U, F>) -> Result<L::Out, EinsumError>,
    ) -> Result<(Out<D, U, F>, Pullback<U, Out<D, U, F>, L, Tries>), EinsumError>
    where
        C: CallSite,
        O: Operands<'a, U, F>,
        U: Scalar,
        D: Flat<List: ResultOf<U, F, Out: 'static>>,
        L: Gradients<U, Out: 'static> + 'static,
    {
        boxed::<C, O, U, F, D, L, Tries>(operands, function)
    }
}

fn boxed<'a, C, O, U, F, D, L, M>(
    operands: O,
    function: fn(&Backward<U, L, M>, &Out<D, U, F>) -> M::Of<L::Out>,
) -> Result<(Out<D, U, F>, Pullback<U, Out<D, U, F>, L, M>), EinsumError>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F, Out: 'static>>,
    L: Gradients<U, Out: 'static> + 'static,
    M: Outcome,
{
    let request = Request {
        spec: const { &C::SPEC },
        wrt: C::WRT,
        transpose: C::TRANSPOSE,
    };
    let (y, backward) = with_default_engine(|engine| {
        vjp::<U, In<D::List, F>, L, M>(engine, request, operands.raws().as_ref())
    })?;
    Ok((y, Pullback::boxed(backward, function)))
}
