//! The calls of a plan, run one after the other.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use cteinsum_plan::Spec;
use cteinsum_plan::fixed::gradient::{FixedGradient, GradientCall, GradientPlace};

use crate::fixed::{FixedArray, FixedEinsum, SCRATCH, Written, computes, contract, contract_into};
use crate::scalar::Scalar;

/// One direction of a call of the macros.
pub trait Way {
    /// The plan of both.
    const PLAN: &'static FixedGradient;
    /// The operands whose gradients are asked for.
    const WRT: &'static [usize];
}

/// A call of a plan, as a type.
pub trait AtCall {
    /// The call.
    const CALL: &'static GradientCall;
}
/// Number `K` of the way forward.
pub(super) struct Forward<W, const K: usize>(PhantomData<W>);
impl<W: Way, const K: usize> AtCall for Forward<W, K> {
    const CALL: &'static GradientCall = &W::PLAN.forward[K];
}
/// The last one of the way forward.
pub(super) struct Finish<W>(PhantomData<W>);
impl<W: Way> AtCall for Finish<W> {
    const CALL: &'static GradientCall = &W::PLAN.forward[W::PLAN.forwards.saturating_sub(1)];
}
/// Number `K` of the way back.
pub(super) struct Backward<W, const K: usize>(PhantomData<W>);
impl<W: Way, const K: usize> AtCall for Backward<W, K> {
    const CALL: &'static GradientCall = &W::PLAN.backward[K];
}
/// What makes gradient `K`.
pub struct LastCall<W, const K: usize>(PhantomData<W>);
impl<W: Way, const K: usize> AtCall for LastCall<W, K> {
    const CALL: &'static GradientCall = &W::PLAN.last[W::WRT[K]];
}

/// The einsum of a call.
pub(super) struct Of<C>(PhantomData<C>);

impl<C: AtCall> Of<C> {
    const BINARY: bool = C::CALL.inputs().len() == 2;
    const LAST: usize = C::CALL.inputs().len() - 1;
    const ONE: &'static [&'static [u16]] = &[C::CALL.inputs()[0].labels()];
    const TWO: &'static [&'static [u16]] = &[
        C::CALL.inputs()[0].labels(),
        C::CALL.inputs()[Self::LAST].labels(),
    ];
    const FIRST_ARRAY: &'static [FixedArray<'static>] = &[C::CALL.inputs()[0].array()];
    const ARRAYS: &'static [FixedArray<'static>] = &[
        C::CALL.inputs()[0].array(),
        C::CALL.inputs()[Self::LAST].array(),
    ];
}

impl<C: AtCall> FixedEinsum for Of<C> {
    const SPEC: Spec<'static> = if Self::BINARY {
        Spec::new("", Self::TWO, C::CALL.output.labels(), &[(0, 1)])
    } else {
        Spec::new("", Self::ONE, C::CALL.output.labels(), &[])
    };
    const OPERANDS: &'static [FixedArray<'static>] = if Self::BINARY {
        Self::ARRAYS
    } else {
        Self::FIRST_ARRAY
    };
    const OUTPUT: FixedArray<'static> = C::CALL.output.array();
}

/// What the calls of one direction read and write.
#[derive(Debug)]
pub struct Memory<'a, T> {
    pub(super) operands: &'a [*const T],
    pub(super) saved: *mut T,
    pub(super) scratch: *mut T,
    /// The gradient of the result.
    pub(super) seed: *const T,
}

impl<T> Memory<'_, T> {
    fn at(&self, place: GradientPlace) -> *mut T {
        match place {
            GradientPlace::Operand(p) => self.operands[p].cast_mut(),
            GradientPlace::Saved(at) => self.saved.wrapping_add(at),
            GradientPlace::Scratch(at) => self.scratch.wrapping_add(at),
            GradientPlace::Result => self.seed.cast_mut(),
            GradientPlace::Gradient(_) => {
                unreachable!("no call reads it, and the last ones are given an output")
            }
        }
    }

    /// The inputs of a call.
    #[inline(always)]
    pub(crate) fn inputs<C: AtCall>(&self) -> [*const T; 2] {
        let place = |i: usize| self.at(C::CALL.inputs()[i].place).cast_const();
        [place(0), place(const { C::CALL.inputs().len() - 1 })]
    }

    /// A call of these inputs that makes an array of the caller's.
    ///
    /// # Safety
    ///
    /// As for `run`.
    #[inline(always)]
    pub(crate) unsafe fn ready<'a, C: AtCall>(&self, inputs: &'a [*const T; 2]) -> Written<'a, T>
    where
        T: Scalar,
    {
        let count = const { C::CALL.inputs().len() };
        // SAFETY: these are the inputs of the call, by the caller's promise.
        unsafe { Written::new(contract::<Of<C>, T>, &inputs[..count]) }
    }

    /// Adds what a call makes to what is there.
    ///
    /// # Safety
    ///
    /// As for `run`, and something is there.
    #[inline(always)]
    pub(super) unsafe fn add<C: AtCall>(&self)
    where
        T: Scalar,
    {
        let inputs = self.inputs::<C>();
        let count = const { C::CALL.inputs().len() };
        let to = self.at(C::CALL.output.place);
        // SAFETY: as in `run`.
        unsafe { contract_into::<Of<C>, T>(&inputs[..count], to, T::ONE, T::ONE) }
    }

    /// Runs a call that makes no array of the caller's.
    ///
    /// # Safety
    ///
    /// The memory is that of the plan, and the calls before it have run.
    #[inline(always)]
    pub(super) unsafe fn run<C: AtCall>(&self)
    where
        T: Scalar,
    {
        let inputs = self.inputs::<C>();
        let count = const { C::CALL.inputs().len() };
        // SAFETY: the plan's places are within the memory, which the caller answers for, and none of what a call reads
        // overlaps what it makes.
        unsafe { contract::<Of<C>, T>(&inputs[..count], self.at(C::CALL.output.place)) }
    }
}

/// The function of call `K`, or one that does nothing.
macro_rules! each {
    ($memory:ident $way:ident::<$w:ident, $t:ident>; $count:expr; $($k:literal)*) => {$(
        if const { $count > $k } {
            type Run<T> = unsafe fn(&Memory<'_, T>);
            // A branch on a constant would not keep rustc from the constants of calls that are not there.
            let run = const {
                let run: Run<$t> = if $count > $k { one::<$way<$w, $k>, $t> } else { none::<$t> };
                run
            };
            // SAFETY: the caller's promise; the calls run in order.
            unsafe { run($memory) }
        }
    )*};
}

/// # Safety
///
/// As for [`Memory::run`].
#[inline(always)]
unsafe fn one<C: AtCall, T: Scalar>(memory: &Memory<'_, T>) {
    // SAFETY: the caller's promise.
    unsafe { memory.run::<C>() }
}

/// # Safety
///
/// None: it does nothing.
unsafe fn none<T>(_: &Memory<'_, T>) {}

/// All calls of the way forward but the last one.
///
/// # Safety
///
/// The memory is that of the plan.
#[inline(always)]
pub(super) unsafe fn forward<W: Way, T: Scalar>(memory: &Memory<'_, T>) {
    each!(memory Forward::<W, T>; W::PLAN.forwards.saturating_sub(1); 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
}

/// All calls of the way back but those that make the gradients asked for.
///
/// # Safety
///
/// The memory is that of the plan, filled by the way forward.
#[inline(always)]
pub(super) unsafe fn backward<W: Way, T: Scalar>(memory: &Memory<'_, T>) {
    each!(memory Backward::<W, T>; W::PLAN.backwards; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}

/// Whether all calls of the way forward are computed here.
pub(super) const fn computes_forward<W: Way, T: Scalar>() -> bool {
    macro_rules! all {
        ($($k:literal)*) => {
            W::PLAN.fits && W::PLAN.forward_scratch <= SCRATCH && computes::<Of<Finish<W>>, T>()
                $(&& (W::PLAN.forwards <= $k + 1 || computes::<Of<Forward<W, $k>>, T>()))*
        };
    }
    all!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14)
}

/// The same of the way back.
pub(super) const fn computes_backward<W: Way, T: Scalar>() -> bool {
    macro_rules! all {
        ($($k:literal)*; $($last:literal)*) => {
            W::PLAN.fits && W::PLAN.backward_scratch <= SCRATCH
                $(&& (W::PLAN.backwards <= $k || computes::<Of<Backward<W, $k>>, T>()))*
                $(&& (W::WRT.len() <= $last || computes::<Of<LastCall<W, $last>>, T>()))*
        };
    }
    all!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; 0 1 2 3 4 5 6 7)
}

/// Memory on the stack.
#[repr(align(64))]
pub(super) struct Scratch<T, const N: usize>([MaybeUninit<T>; N]);
impl<T, const N: usize> Scratch<T, N> {
    pub(super) fn new() -> Self {
        Scratch([const { MaybeUninit::uninit() }; N])
    }
    pub(super) fn as_mut_ptr(&mut self) -> *mut T {
        self.0.as_mut_ptr().cast()
    }
}

/// A function with scratch memory of the length that a plan asks for, or a little more.
macro_rules! with_scratch {
    ($len:expr; $type:ty: $f:ident::<$($generic:ty),*>) => {
        const {
            let f: $type = match $len {
                0 => $f::<$($generic),*, 0>,
                1..=16 => $f::<$($generic),*, 16>,
                17..=64 => $f::<$($generic),*, 64>,
                65..=256 => $f::<$($generic),*, 256>,
                257..=1024 => $f::<$($generic),*, 1024>,
                _ => $f::<$($generic),*, { crate::fixed::SCRATCH }>,
            };
            f
        }
    };
}
pub(super) use with_scratch;
