//! One loop over all indices: the meaning of an einsum, and nothing else.

use super::FixedEinsum;
use crate::scalar::Scalar;
use cteinsum_plan::fixed::{Bound, FixedArray, MAX_LABELS};

struct Bind<E>(core::marker::PhantomData<E>);
impl<E: FixedEinsum> Bind<E> {
    const BOUND: Bound = Bound::new(&E::SPEC, E::OPERANDS, &E::OUTPUT);
}

/// # Safety
///
/// As for `contract_into`.
pub(super) unsafe fn contract<E: FixedEinsum, T: Scalar>(
    operands: &[*const T],
    out: *mut T,
    alpha: T,
    beta: T,
) {
    let bound = const { &Bind::<E>::BOUND };
    let output: &FixedArray<'static> = const { &E::OUTPUT };
    for i in 0..output.len() {
        let (mut rest, mut at) = (i, 0);
        for axis in (0..output.shape.len()).rev() {
            at += (rest % output.shape[axis]) as isize * output.stride(axis);
            rest /= output.shape[axis];
        }
        // SAFETY: `i` decodes to an index of the output, which is writable there, and initialised unless beta is ZERO.
        unsafe {
            let c = out.offset(at);
            c.write(if beta == T::ZERO {
                T::ZERO
            } else {
                T::mul(beta, c.read())
            });
        }
    }
    let points: usize = bound.sizes.iter().product();
    for i in 0..points {
        let (mut rest, mut index) = (i, [0; MAX_LABELS]);
        for label in 0..MAX_LABELS {
            index[label] = (rest % bound.sizes[label]) as isize;
            rest /= bound.sizes[label];
        }
        let at = |strides: &[isize; MAX_LABELS]| -> isize {
            index.iter().zip(strides).map(|(i, s)| i * s).sum()
        };
        let mut product = alpha;
        for (p, operand) in operands.iter().enumerate() {
            // SAFETY: `index` is an index of the operand: each of its labels is below its length.
            let x = unsafe { operand.offset(at(&bound.inputs[p].strides)).read() };
            product = T::mul(
                product,
                if bound.conj >> p & 1 == 1 {
                    T::conj(x)
                } else {
                    x
                },
            );
        }
        // SAFETY: as above; every element of the output was written by the first loop.
        unsafe {
            let c = out.offset(at(&bound.output.strides));
            c.write(T::add(c.read(), product));
        }
    }
}
