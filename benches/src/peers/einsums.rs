//! Other einsums.

use std::hint::black_box;

use cpueinsum::strided_view::{StridedView, StridedViewMut};
use cpueinsum::{EinsumPlan, EinsumSpec, Exec, Layout, Scratch};
use ndarray::{ArrayViewD, LinalgScalar};
use ndarray_einsum::{ArrayLike, EinsumPath, OptimizationMethod, einsum_path};
use tcontract::api::{CSpec, DType, Labels, LayoutSpec, OperandSpec, Problem};
use tcontract::{Plan, PlanConfig};

use super::{Array, strides};
use crate::clock::Contender;

/// The labels of the operands, and of the result.
fn labels(spec: &str) -> (Vec<Vec<i64>>, Vec<i64>) {
    let (inputs, output) = spec.split_once("->").expect("an arrow");
    let labels = |term: &str| term.chars().map(|c| i64::from(u32::from(c))).collect();
    (inputs.split(',').map(labels).collect(), labels(output))
}

/// cpueinsum with a plan and scratch made beforehand, into a given output; `tree` are SSA pairs.
pub(crate) fn cpueinsum<'a, T: cpueinsum::Scalar>(
    spec: &str,
    operands: &[Array<'a, T>],
    out: &'a mut [T],
    shape: &'a [usize],
    tree: &[(usize, usize)],
    mut exec: Exec<'a>,
) -> Contender<'a> {
    let (inputs, output) = labels(spec);
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
    Box::new(move |runs| {
        for _ in 0..runs {
            plan.execute_into(&mut exec, black_box(&views), &mut out, &mut scratch)
                .expect("it runs");
        }
    })
}

/// tcontract with a plan made beforehand, into a given output, one thread.
pub(super) fn tcontract<'a, T: cpueinsum::Scalar>(
    dtype: DType,
    spec: &str,
    [a, b]: [Array<'a, T>; 2],
    out: &'a mut [T],
    shape: &'a [usize],
) -> Contender<'a> {
    let (inputs, output) = labels(spec);
    let operand = |shape: &[usize]| {
        OperandSpec::new(LayoutSpec::new(shape, &strides(shape), 0).expect("a layout"))
    };
    let labels = Labels::new(&inputs[0], &inputs[1], &output);
    let (one, [l, r, d]) = (
        <T as cpueinsum::Scalar>::ONE,
        [a.1, b.1, shape].map(operand),
    );
    let problem = Problem::from_labels(dtype, l, r, CSpec::Absent, d, &labels).expect("a problem");
    let plan = Plan::<T>::new(&problem, &PlanConfig::default()).expect("a plan");
    let view = |(data, shape): Array<'a, T>| {
        StridedView::new(data, shape, &strides(shape), 0).expect("a view")
    };
    let (a, b) = (view(a), view(b));
    let mut out = StridedViewMut::new(out, shape, &strides(shape), 0).expect("a view");
    let mut exec = Exec::serial();
    Box::new(move |runs| {
        for _ in 0..runs {
            let (a, b) = black_box((&a, &b));
            plan.execute_into(&mut exec, one, a, b, &mut out)
                .expect("it runs");
        }
    })
}

/// ndarray-einsum with a path made beforehand. It gives fresh arrays, of which one is written to `out`.
pub(crate) fn ndarray_einsum<'a, T: LinalgScalar>(
    spec: &str,
    operands: &[Array<'a, T>],
    out: &mut [T],
) -> Contender<'a> {
    let views: Vec<ArrayViewD<'a, T>> = operands
        .iter()
        .map(|(data, shape)| ArrayViewD::from_shape(*shape, data).expect("a view"))
        .collect();
    let path: EinsumPath<T> = {
        let operands: Vec<&dyn ArrayLike<T>> = views.iter().map(|v| v as _).collect();
        einsum_path(spec, &operands, OptimizationMethod::Naive).expect("a path")
    };
    let operands: Vec<&dyn ArrayLike<T>> = views.iter().map(|v| v as _).collect();
    // In the order of its axes, whatever their strides.
    for (to, &from) in out.iter_mut().zip(&path.contract_operands(&operands)) {
        *to = from;
    }
    Box::new(move |runs| {
        let operands: Vec<&dyn ArrayLike<T>> = views.iter().map(|v| v as _).collect();
        for _ in 0..runs {
            black_box(path.contract_operands(black_box(&operands)));
        }
    })
}
