//! A loop over all indices, straight from the labels of a spec, and memory for its arrays.

use std::collections::BTreeMap;
use std::vec::Vec;

use super::Sample;
use crate::fixed::{FixedArray, FixedEinsum, FixedStrides};
use crate::scalar::Scalar;
use cteinsum_plan::{ELLIPSIS, Label};

/// Buffers as long as the arrays need them.
pub(super) struct Memory<T> {
    buffers: Vec<Vec<T>>,
    bases: Vec<usize>,
    pub(super) pointers: Vec<*const T>,
}

pub(super) struct Output<T> {
    buffer: Vec<T>,
    base: usize,
    offsets: Vec<usize>,
}

fn strides(array: &FixedArray<'_>) -> Vec<isize> {
    let rank = array.shape.len();
    match array.strides {
        FixedStrides::Given(strides) => strides.to_vec(),
        FixedStrides::RowMajor => (0..rank)
            .map(|a| array.shape[a + 1..].iter().product::<usize>() as isize)
            .collect(),
        FixedStrides::ColumnMajor => (0..rank)
            .map(|a| array.shape[..a].iter().product::<usize>() as isize)
            .collect(),
    }
}

/// The distances below and above index 0.
fn extent(array: &FixedArray<'_>) -> (usize, usize) {
    if array.shape.contains(&0) {
        return (0, 0);
    }
    let (mut below, mut above) = (0, 1);
    for (&n, s) in array.shape.iter().zip(strides(array)) {
        let reach = (n - 1) * s.unsigned_abs();
        if s < 0 {
            below += reach
        } else {
            above += reach
        }
    }
    (below, above)
}

/// All indices of a shape, row-major.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &n in shape {
        all = all
            .into_iter()
            .flat_map(|i: Vec<usize>| (0..n).map(move |k| [i.clone(), vec![k]].concat()))
            .collect();
    }
    all
}

fn dot(index: &[usize], strides: &[isize]) -> isize {
    index
        .iter()
        .zip(strides)
        .map(|(&i, s)| i as isize * s)
        .sum()
}

impl<T: Sample> Memory<T> {
    pub(super) fn new<E: FixedEinsum>() -> Self {
        let (mut buffers, mut bases) = (vec![], vec![]);
        for (p, array) in E::OPERANDS.iter().enumerate() {
            let (below, above) = extent(array);
            buffers.push(
                (0..below + above)
                    .map(|i| T::sample(i + 11 * p))
                    .collect::<Vec<T>>(),
            );
            bases.push(below);
        }
        let pointers = buffers
            .iter()
            .zip(&bases)
            .map(|(b, &base): (&Vec<T>, _)| b.as_ptr().wrapping_add(base))
            .collect();
        Memory {
            buffers,
            bases,
            pointers,
        }
    }

    pub(super) fn output<E: FixedEinsum>(&self, start: T) -> Output<T> {
        let (below, above) = extent(&E::OUTPUT);
        let strides = strides(&E::OUTPUT);
        let offsets = indices(E::OUTPUT.shape)
            .iter()
            .map(|i| (below as isize + dot(i, &strides)) as usize)
            .collect();
        Output {
            buffer: vec![start; below + above],
            base: below,
            offsets,
        }
    }

    fn at(&self, p: usize, array: &FixedArray<'_>, index: &[usize]) -> T {
        let at = self.bases[p] as isize + dot(index, &strides(array));
        let x = self.buffers[p][at as usize];
        if array.conj { T::conj(x) } else { x }
    }
}

impl<T: Scalar> Output<T> {
    pub(super) fn pointer(&mut self) -> *mut T {
        self.buffer.as_mut_ptr().wrapping_add(self.base)
    }

    /// The elements, row-major.
    pub(super) fn elements(&self) -> Vec<T> {
        self.offsets.iter().map(|&i| self.buffer[i]).collect()
    }

    /// What lies between the elements; compared as text, because NaN is not equal to itself.
    pub(super) fn gaps(&self) -> Vec<String> {
        (0..self.buffer.len())
            .filter(|i| !self.offsets.contains(i))
            .map(|i| format!("{:?}", self.buffer[i]))
            .collect()
    }

    pub(super) fn gaps_before(&self, start: T) -> Vec<String> {
        self.gaps().iter().map(|_| format!("{start:?}")).collect()
    }
}

/// The labels of all axes: `...` becomes negative numbers, counted from the right.
fn labels(term: &[Label], rank: usize) -> Vec<i32> {
    let covered = (rank + 1).saturating_sub(term.len()) as i32;
    term.iter()
        .flat_map(|&label| match label {
            ELLIPSIS => (0..covered).rev().map(|e| -1 - e).collect::<Vec<_>>(),
            label => vec![label as i32],
        })
        .collect()
}

/// The result, row-major: `alpha` times the einsum, plus `beta` times what was there.
pub(super) fn expected<E: FixedEinsum, T: Sample>(
    memory: &Memory<T>,
    alpha: T,
    old: Option<(T, T)>,
) -> Vec<T> {
    let mut sizes = BTreeMap::new();
    let terms: Vec<Vec<i32>> = E::OPERANDS
        .iter()
        .zip(E::SPEC.inputs)
        .map(|(array, term)| labels(term, array.shape.len()))
        .collect();
    for (array, term) in E::OPERANDS.iter().zip(&terms) {
        for (&n, &label) in array.shape.iter().zip(term) {
            let size = sizes.entry(label).or_insert(n);
            if *size == 1 {
                *size = n;
            }
        }
    }
    let names: Vec<i32> = sizes.keys().copied().collect();
    let output = labels(E::SPEC.output, E::OUTPUT.shape.len());
    let mut sums: BTreeMap<Vec<usize>, T> = indices(E::OUTPUT.shape)
        .into_iter()
        .map(|i| {
            let start = old.map_or(T::ZERO, |(beta, old)| T::mul(beta, old));
            (i, start)
        })
        .collect();
    let order: Vec<Vec<usize>> = sums.keys().cloned().collect();
    for index in indices(&sizes.values().copied().collect::<Vec<_>>()) {
        let of = |label: i32| index[names.iter().position(|&n| n == label).unwrap()];
        let mut product = alpha;
        for (p, (array, term)) in E::OPERANDS.iter().zip(&terms).enumerate() {
            let at: Vec<usize> = array
                .shape
                .iter()
                .zip(term)
                .map(|(&n, &label)| if n == 1 { 0 } else { of(label) })
                .collect();
            product = T::mul(product, memory.at(p, array, &at));
        }
        let at: Vec<usize> = output.iter().map(|&label| of(label)).collect();
        let sum = sums.get_mut(&at).unwrap();
        *sum = T::add(*sum, product);
    }
    order.iter().map(|i| sums[i]).collect()
}
