//! The other einsums of Rust, given the same operands: prepared beforehand where they can be.

use std::hint::black_box;

use cpueinsum::strided_view::{StridedView, StridedViewMut};
use cpueinsum::{EinsumPlan, EinsumSpec, Exec, Layout, Scratch};
use ndarray::{ArrayViewD, LinalgScalar};
use ndarray_einsum::{ArrayLike, EinsumPath, OptimizationMethod, einsum_path};

use crate::clock::Contender;

/// An array: its elements, row-major, and its shape.
pub(crate) type Array<'a, T> = (&'a [T], &'a [usize]);

fn strides(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis] as isize;
    }
    strides
}

/// cpueinsum with a plan and scratch made beforehand, into a given output, one thread; `tree` are SSA pairs.
fn cpueinsum<'a, T: cpueinsum::Scalar>(
    spec: &str,
    operands: &[Array<'a, T>],
    out: &'a mut [T],
    shape: &'a [usize],
    tree: &[(usize, usize)],
) -> Contender<'a> {
    let (inputs, output) = spec.split_once("->").expect("an arrow");
    let labels = |term: &str| term.chars().map(|c| i64::from(u32::from(c))).collect();
    let inputs: Vec<Vec<i64>> = inputs.split(',').map(labels).collect();
    let output: Vec<i64> = labels(output);
    let inputs: Vec<&[i64]> = inputs.iter().map(Vec::as_slice).collect();
    let tree: Vec<[usize; 2]> = tree.iter().map(|&(l, r)| [l, r]).collect();
    let spec = EinsumSpec::new(&inputs, &output, &tree).expect("a spec it takes");
    let views: Vec<_> = operands
        .iter()
        .map(|(data, shape)| StridedView::new(data, shape, &strides(shape), 0).expect("a view"))
        .collect();
    let mut out = StridedViewMut::new(out, shape, &strides(shape), 0).expect("a view");
    let layouts: Vec<_> = views.iter().map(Layout::of).collect();
    let plan = EinsumPlan::<T>::new(&spec, &layouts, Layout::of_mut(&out)).expect("a plan");
    let mut scratch = Scratch::with_len(plan.scratch_len());
    let mut exec = Exec::serial();
    Box::new(move |runs| {
        for _ in 0..runs {
            plan.execute_into(&mut exec, black_box(&views), &mut out, &mut scratch)
                .expect("it runs");
        }
    })
}

/// ndarray-einsum with a path made beforehand. It gives fresh arrays.
fn ndarray_einsum<'a, T: LinalgScalar>(spec: &str, operands: &[Array<'a, T>]) -> Contender<'a> {
    let views: Vec<ArrayViewD<'a, T>> = operands
        .iter()
        .map(|(data, shape)| ArrayViewD::from_shape(*shape, data).expect("a view"))
        .collect();
    let path: EinsumPath<T> = {
        let operands: Vec<&dyn ArrayLike<T>> = views.iter().map(|v| v as _).collect();
        einsum_path(spec, &operands, OptimizationMethod::Naive).expect("a path")
    };
    Box::new(move |runs| {
        let operands: Vec<&dyn ArrayLike<T>> = views.iter().map(|v| v as _).collect();
        for _ in 0..runs {
            black_box(path.contract_operands(black_box(&operands)));
        }
    })
}

/// faer called directly on row-major matrices, `c = op(a) op(b)`; `transposed` says which of them are read so.
fn faer<'a, T: faer::traits::ComplexField + Copy>(
    (a, [m, k]): (&'a [T], [usize; 2]),
    (b, n): (&'a [T], usize),
    out: &'a mut [T],
    transposed: [bool; 2],
) -> Contender<'a> {
    use faer::{Accum, MatMut, MatRef, Par};
    let one = T::one_impl();
    Box::new(move |runs| {
        for _ in 0..runs {
            let (a, b) = (black_box(a), black_box(b));
            let a = match transposed[0] {
                false => MatRef::from_row_major_slice(a, m, k),
                true => MatRef::from_row_major_slice(a, k, m).transpose(),
            };
            let b = match transposed[1] {
                false => MatRef::from_row_major_slice(b, k, n),
                true => MatRef::from_row_major_slice(b, n, k).transpose(),
            };
            let out = MatMut::from_row_major_slice_mut(out, m, n);
            faer::linalg::matmul::matmul(out, Accum::Replace, a, b, one, Par::Seq);
        }
    })
}

/// Element types, and who takes them.
pub(crate) trait Peer: LinalgScalar + cteinsum::Scalar + From<i8> + Default {
    /// The contenders that write to the outputs, by name.
    fn writers<'a>(
        spec: &str,
        operands: &[Array<'a, Self>],
        outs: [&'a mut [Self]; 2],
        shape: &'a [usize],
        how: How<'_>,
    ) -> Vec<(&'static str, Contender<'a>)>;
}

/// What some contenders must be told.
#[derive(Clone, Copy)]
pub(crate) struct How<'a> {
    /// The order, as SSA pairs.
    pub(crate) tree: &'a [(usize, usize)],
    /// Which of two matrices are read transposed, for faer called directly.
    pub(crate) faer: Option<[bool; 2]>,
}

macro_rules! floats {
    ($($t:ty)*) => {$(
        impl Peer for $t {
            fn writers<'a>(
                spec: &str,
                operands: &[Array<'a, Self>],
                [first, second]: [&'a mut [Self]; 2],
                shape: &'a [usize],
                how: How<'_>,
            ) -> Vec<(&'static str, Contender<'a>)> {
                let mut all = vec![("cpueinsum", cpueinsum(spec, operands, first, shape, how.tree))];
                if let (Some(transposed), &[(a, _), (b, _)]) = (how.faer, operands) {
                    let (m, n) = (shape[0], shape[1]);
                    all.push(("faer", faer((a, [m, a.len() / m]), (b, n), second, transposed)));
                }
                all
            }
        }
    )*};
}
floats!(f32 f64);

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Peer for $t {
            fn writers<'a>(
                _: &str,
                _: &[Array<'a, Self>],
                _: [&'a mut [Self]; 2],
                _: &'a [usize],
                _: How<'_>,
            ) -> Vec<(&'static str, Contender<'a>)> {
                Vec::new()
            }
        }
    )*};
}
integers!(i32 i64);

/// All contenders of a row but ours, by name.
pub(crate) fn all<'a, T: Peer>(
    spec: &str,
    operands: &[Array<'a, T>],
    outs: [&'a mut [T]; 2],
    shape: &'a [usize],
    how: How<'_>,
) -> Vec<(&'static str, Contender<'a>)> {
    let mut all = T::writers(spec, operands, outs, shape, how);
    all.push(("ndarray-einsum", ndarray_einsum(spec, operands)));
    all
}
