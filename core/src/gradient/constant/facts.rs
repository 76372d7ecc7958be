//! What a pullback of constant lengths knows beside its function.

use std::borrow::Cow;
use std::fmt;

use cteinsum_plan::fixed::gradient::FixedGradient;
use cteinsum_plan::{Gradient, Network};

use crate::engine::Raw;
use crate::error::{Derivative, EinsumError};
use crate::fixed::FixedArray;
use crate::gradient::display::{Described, describe};
use crate::gradient::pullback::{Request, raw_of};
use crate::operand::Operand;
use crate::scalar::Scalar;

/// Constants of a call, and what makes a `Y`.
#[derive(Debug)]
pub struct Facts<T, Y> {
    pub(super) request: Request,
    pub(super) plan: &'static FixedGradient,
    pub(super) operands: &'static [FixedArray<'static>],
    /// The result.
    pub(super) output: FixedArray<'static>,
    /// The gradients asked for, in order.
    pub(super) gradients: &'static [FixedArray<'static>],
    pub(super) zeros: fn() -> Y,
    /// The elements of a `Y`, which lie as in `output`.
    pub(super) elements: fn(&mut Y) -> *mut T,
}

impl<T: Scalar, Y> Facts<T, Y> {
    /// The elements of any array of the shape of the result, as a result.
    pub(crate) fn seed<X: Operand<Elem = T> + ?Sized>(&self, dy: &X) -> Result<Y, EinsumError> {
        let view = dy.operand_view();
        let raw = raw_of::<T, X::Dims>(Raw::new(&view), self.output.shape.len());
        let layout = raw.layout();
        if *layout.shape != *self.output.shape {
            return Err(self.error(Derivative::Cotangent, self.output.shape, layout.shape));
        }
        let mut seed = (self.zeros)();
        let to = (self.elements)(&mut seed);
        each(&self.output, layout.strides, |own, other| {
            // SAFETY: both are offsets of one index of arrays of this shape: `to` is that of a `Y`, exclusively borrowed.
            unsafe {
                let element = raw.ptr().offset(other).read();
                let element = if layout.conj {
                    T::conj(element)
                } else {
                    element
                };
                to.offset(own).write(element);
            }
        });
        Ok(seed)
    }

    /// Gradient `k` of those asked for.
    pub(crate) fn gradient(&self, k: usize) -> &FixedArray<'static> {
        &self.gradients[k]
    }

    /// Whether gradient `k` can be added to an array of this shape.
    pub(crate) fn check(&self, k: usize, shape: &[usize]) -> Result<(), EinsumError> {
        let expected = self.gradients[k].shape;
        if expected == shape {
            return Ok(());
        }
        Err(self.error(Derivative::Gradient(self.request.wrt[k]), expected, shape))
    }

    fn error(&self, which: Derivative, expected: &[usize], found: &[usize]) -> EinsumError {
        let text = Cow::Borrowed(self.request.spec.text);
        EinsumError::derivative(text, which, expected, found)
    }
}

impl<T, Y> Facts<T, Y> {
    pub(crate) fn request(&self) -> &Request {
        &self.request
    }

    pub(crate) fn saved_bytes(&self) -> usize {
        self.plan.saved * size_of::<T>()
    }

    /// The plan in words.
    pub(crate) fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shapes: Vec<&[usize]> = self.operands.iter().map(|array| array.shape).collect();
        let ranks: Vec<usize> = shapes.iter().map(|shape| shape.len()).collect();
        let spec = self.request.spec;
        // The types have been checked; a plan that fits has sizes.
        let network = Network::from_spec(spec, &ranks).map_err(|_| fmt::Error)?;
        let sizes = network.bind(&shapes).map_err(|_| fmt::Error)?;
        let (carried, output) = (network.carried(&shapes), network.carried_output(&sizes));
        let steps = self.plan.tree[..shapes.len() - 1].iter();
        let tree: Vec<(u32, u32)> = steps.map(|&(a, b)| (a.into(), b.into())).collect();
        let mut wanted = vec![false; shapes.len()];
        for &p in self.request.wrt {
            wanted[p] = true;
        }
        let gradient = Gradient::new(&carried, &output, &tree, &wanted);
        let described = Described {
            text: spec.text,
            network: &network,
            gradient: &gradient,
            sizes: &sizes,
            saved: self.plan.saved,
        };
        describe(f, &described)
    }
}

/// Calls `f` with the offsets of every index of an array, and of another one of its shape with these strides.
pub(crate) fn each(array: &FixedArray<'_>, strides: &[isize], mut f: impl FnMut(isize, isize)) {
    for i in 0..array.len() {
        let (mut rest, mut own, mut other) = (i, 0, 0);
        for axis in (0..array.shape.len()).rev() {
            let index = (rest % array.shape[axis]) as isize;
            rest /= array.shape[axis];
            own += index * array.stride(axis);
            other += index * strides[axis];
        }
        f(own, other);
    }
}
