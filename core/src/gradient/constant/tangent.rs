//! The product rule along the tree, where all lengths are constants.

use core::marker::PhantomData;

use cteinsum_plan::fixed::gradient::{FixedGradient, GradientCall};

use crate::dims::{Dims, Flat};
use crate::family::ResultOf;
use crate::fixed::{FixedArray, SCRATCH, Written, computes, contract, contract_into};
use crate::gradient::constant::calls::{
    AtCall, Finish, Forward, Memory, Of, Scratch, Way, computes_forward, with_scratch,
};
use crate::gradient::constant::kept::output;
use crate::private::{CallSite, Operands};
use crate::scalar::Scalar;

/// Most operands, and as many tangents.
const MOST: usize = cteinsum_plan::fixed::gradient::MAX_OPERANDS;

/// The steps of a call `C` with the operands `O`, or its tangents.
#[allow(clippy::type_complexity)] // no data
struct Steps<'a, C, O, D, F, E, U>(PhantomData<(&'a (), fn() -> (C, O, D, F, E, U))>);

impl<'a, C, O, D, F, E, U> Way for Steps<'a, C, O, D, F, E, U>
where
    C: CallSite,
    O: Operands<'a, U, E>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    const PLAN: &'static FixedGradient = &if O::ALIKE && in_place::<D, U, F>() {
        let output = output::<D::List, U, F>();
        FixedGradient::new(&C::SPEC, O::ARRAYS, &output, &[], &[], false, 0)
    } else {
        FixedGradient::TOO_LARGE
    };
    const WRT: &'static [usize] = C::WRT;
}

const fn in_place<D: Flat<List: ResultOf<U, F>>, U: Scalar, F>() -> bool {
    D::List::LENGTHS.are_constant() && <D::List as ResultOf<U, F>>::IN_PLACE.is_some()
}

/// Step `K` of the operands `W` with the tangent, one of `V`, of its input `I`; the last step if there is no such step.
struct Product<W, V, const K: usize, const I: usize>(PhantomData<(W, V)>);
impl<W: Way, V: Way, const K: usize, const I: usize> AtCall for Product<W, V, K, I> {
    const CALL: &'static GradientCall = &{
        let k = number::<W>(K);
        let (scratch, operands) = (W::PLAN.forward_scratch, W::PLAN.operands());
        W::PLAN.forward[k].along(I, &V::PLAN.forward[k], scratch, operands)
    };
}

/// The number of a step; that of the last one if there is no such step.
const fn number<W: Way>(k: usize) -> usize {
    let last = W::PLAN.forwards.saturating_sub(1);
    if k < last { k } else { last }
}

const fn varies<W: Way>(k: usize, i: usize) -> bool {
    let k = number::<W>(k);
    i < W::PLAN.forward[k].inputs().len() && W::PLAN.varies(k, i, W::WRT)
}

/// The last step, whatever its number.
const LAST: usize = usize::MAX;

const fn computed<W: Way, V: Way, T: Scalar>() -> bool {
    macro_rules! all {
        ($($k:expr),*) => {
            computes_forward::<W, T>() && V::PLAN.fits && 2 * W::PLAN.forward_scratch <= SCRATCH
                $(&& (!varies::<W>($k, 0) || computes::<Of<Product<W, V, { $k }, 0>>, T>()))*
                $(&& (!varies::<W>($k, 1) || computes::<Of<Product<W, V, { $k }, 1>>, T>()))*
        };
    }
    all!(0, 1, 2, 3, 4, 5, 6, LAST)
}

const fn same_shapes(a: &[FixedArray<'_>], b: &[FixedArray<'_>]) -> bool {
    let mut p = 0;
    while p < a.len() {
        let (x, y) = (a[p].shape, b[p].shape);
        if x.len() != y.len() {
            return false;
        }
        let mut axis = 0;
        while axis < x.len() {
            if x[axis] != y[axis] {
                return false;
            }
            axis += 1;
        }
        p += 1;
    }
    true
}

/// The result with the axes `D` of operands up to one with elements `U` and the family `F`.
type Out<D, U, F> = <<D as Flat>::List as ResultOf<U, F>>::Out;
/// What a step makes of its tangents.
type Direction<T> = unsafe fn(&Memory<'_, T>);
/// What the last step makes of the pointers of both products.
type LastDirection<T> = unsafe fn(&[*const T], *mut T);

/// The result and its derivative, if all lengths are constants; where an operand has no tangent, `tangents` has the
/// operand itself.
#[inline]
pub(crate) fn jvp<'a, C, O, P, U, F, E, D>(
    operands: O,
    tangents: P,
) -> Result<(Out<D, U, F>, Out<D, U, F>), (O, P)>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    P: Operands<'a, U, E>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    if const {
        O::ALIKE
            && P::ALIKE
            && same_shapes(O::ARRAYS, P::ARRAYS)
            && computed::<Steps<'a, C, O, D, F, F, U>, Steps<'a, C, P, D, F, E, U>, U>()
    } {
        type Run<T, Y> = unsafe fn(&[*const T]) -> (Y, Y);
        let run = with_scratch!(
            2 * <Steps<'a, C, O, D, F, F, U> as Way>::PLAN.forward_scratch;
            Run<U, Out<D, U, F>>:
            run::<Steps<'a, C, O, D, F, F, U>, Steps<'a, C, P, D, F, E, U>, D::List, F, U>
        );
        let mut pointers = [core::ptr::null(); 2 * MOST];
        let (operands, tangents) = (operands.pointers(), tangents.pointers());
        let n = operands.as_ref().len();
        pointers[..n].copy_from_slice(operands.as_ref());
        pointers[n..2 * n].copy_from_slice(tangents.as_ref());
        // SAFETY: these are the operands and tangents of the plans, their views as they take them to be.
        Ok(unsafe { run(&pointers) })
    } else {
        Err((operands, tangents))
    }
}

/// # Safety
///
/// The operands, then the tangents, are those of the plans; `N` is at least twice the scratch of the plan.
unsafe fn run<W: Way, V: Way, L: ResultOf<T, F>, F, T: Scalar, const N: usize>(
    operands: &[*const T],
) -> (L::Out, L::Out) {
    let mut scratch = Scratch::<T, N>::new();
    let memory = &Memory {
        operands,
        saved: core::ptr::null_mut(),
        scratch: scratch.as_mut_ptr(),
        seed: core::ptr::null(),
    };
    macro_rules! steps {
        ($($k:literal)*) => {$(
            if const { W::PLAN.forwards > $k + 1 } {
                let step = const {
                    let step: Direction<T> = if W::PLAN.forwards > $k + 1 { step::<W, V, $k, T> } else { none };
                    step
                };
                // SAFETY: the caller's promise; the steps run in order.
                unsafe { step(memory) };
            }
        )*};
    }
    steps!(0 1 2 3 4 5 6);
    let inputs = memory.inputs::<Finish<W>>();
    // SAFETY: the steps before the last one have run.
    let y = L::in_place(unsafe { memory.ready::<Finish<W>>(&inputs) });
    let first = memory.inputs::<Product<W, V, LAST, 0>>();
    let second = memory.inputs::<Product<W, V, LAST, 1>>();
    let pointers = [first[0], first[1], second[0], second[1]];
    let run = const {
        let run: LastDirection<T> = match (varies::<W>(LAST, 0), varies::<W>(LAST, 1)) {
            (true, true) => last_both::<W, V, T>,
            (true, false) => last_first::<W, V, T>,
            (false, _) => last_second::<W, V, T>,
        };
        run
    };
    // SAFETY: as above; the pointers are those of the products.
    (y, L::in_place(unsafe { Written::new(run, &pointers) }))
}

/// # Safety
///
/// None: it does nothing.
unsafe fn none<T>(_: &Memory<'_, T>) {}

/// An intermediate, and its tangent if it has one.
///
/// # Safety
///
/// The memory is that of the plans, and the steps before this one have run.
#[inline(always)]
unsafe fn step<W: Way, V: Way, const K: usize, T: Scalar>(memory: &Memory<'_, T>) {
    let direction = const {
        let direction: Direction<T> = match (varies::<W>(K, 0), varies::<W>(K, 1)) {
            (true, true) => both::<W, V, K, T>,
            (true, false) => one::<Product<W, V, K, 0>, T>,
            (false, true) => one::<Product<W, V, K, 1>, T>,
            (false, false) => none::<T>,
        };
        direction
    };
    // SAFETY: the caller's promise.
    unsafe {
        memory.run::<Forward<W, K>>();
        direction(memory);
    }
}

/// # Safety
///
/// As for `step`.
#[inline(always)]
unsafe fn one<C: AtCall, T: Scalar>(memory: &Memory<'_, T>) {
    // SAFETY: the caller's promise.
    unsafe { memory.run::<C>() }
}

/// # Safety
///
/// As for `step`.
#[inline(always)]
unsafe fn both<W: Way, V: Way, const K: usize, T: Scalar>(memory: &Memory<'_, T>) {
    // SAFETY: the caller's promise; what the second one adds to, the first one has written.
    unsafe {
        memory.run::<Product<W, V, K, 0>>();
        memory.add::<Product<W, V, K, 1>>();
    }
}

/// # Safety
///
/// The pointers are the inputs of both products of the last step, `out` is the derivative's memory.
#[inline(always)]
unsafe fn last_first<W: Way, V: Way, T: Scalar>(pointers: &[*const T], out: *mut T) {
    let count = const { Product::<W, V, LAST, 0>::CALL.inputs().len() };
    // SAFETY: the caller's promise.
    unsafe { contract::<Of<Product<W, V, LAST, 0>>, T>(&pointers[..count], out) }
}

/// # Safety
///
/// As for `last_first`.
#[inline(always)]
unsafe fn last_second<W: Way, V: Way, T: Scalar>(pointers: &[*const T], out: *mut T) {
    // SAFETY: the caller's promise: there is a second input, since it has a tangent.
    unsafe { contract::<Of<Product<W, V, LAST, 1>>, T>(&pointers[2..], out) }
}

/// # Safety
///
/// As for `last_first`.
#[inline(always)]
unsafe fn last_both<W: Way, V: Way, T: Scalar>(pointers: &[*const T], out: *mut T) {
    // SAFETY: the caller's promise; what the second one adds to, the first one has written.
    unsafe {
        last_first::<W, V, T>(pointers, out);
        contract_into::<Of<Product<W, V, LAST, 1>>, T>(&pointers[2..], out, T::ONE, T::ONE);
    }
}
