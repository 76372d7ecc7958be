//! From operands in memory to operands of a call, and from results to outcomes.

use cteinsum::{DynTensor, DynTensorView, Tensor, TensorView};

use crate::element::Element;
use crate::layout::Laid;
use crate::outcome::Outcome;

/// Operand k as a view of static rank.
pub fn view<T: Element, const N: usize>(operands: &[Laid<T>], k: usize) -> TensorView<'_, T, N> {
    let o = &operands[k];
    let shape: [usize; N] = o.shape.as_slice().try_into().expect("the rank");
    let strides: [isize; N] = o.strides.as_slice().try_into().expect("the rank");
    TensorView::new(&o.data, shape, strides, o.offset).expect("a valid view")
}

/// Operand k as a view of dynamic rank.
pub fn dyn_view<T: Element>(operands: &[Laid<T>], k: usize) -> DynTensorView<'_, T> {
    let o = &operands[k];
    DynTensorView::new(&o.data, &o.shape, &o.strides, o.offset).expect("a valid view")
}

/// All operands as views of dynamic rank.
pub fn dyn_views<T: Element>(operands: &[Laid<T>]) -> Vec<DynTensorView<'_, T>> {
    (0..operands.len()).map(|k| dyn_view(operands, k)).collect()
}

/// Operand k, which lies row-major, as an owned tensor.
pub fn owned<T: Element, const N: usize>(operands: &[Laid<T>], k: usize) -> Tensor<T, N> {
    let o = &operands[k];
    let shape: [usize; N] = o.shape.as_slice().try_into().expect("the rank");
    Tensor::from_vec(shape, o.data.clone())
}

/// A result of static rank.
pub fn tensor<T: Element, const N: usize>(result: Tensor<T, N>) -> Outcome<T> {
    Outcome {
        shape: result.shape().to_vec(),
        values: result.into_vec(),
    }
}

/// A result of dynamic rank.
pub fn dynamic<T: Element>(result: DynTensor<T>) -> Outcome<T> {
    Outcome {
        shape: result.shape().to_vec(),
        values: result.into_vec(),
    }
}

/// A result without axes.
pub fn element<T: Element>(result: T) -> Outcome<T> {
    Outcome {
        shape: Vec::new(),
        values: vec![result],
    }
}
