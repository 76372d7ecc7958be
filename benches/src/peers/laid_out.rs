//! The product of matrices that is left of a contraction of two tensors when they are laid out for it beforehand.

use std::collections::BTreeMap;

use super::{Array, Peer};
use crate::clock::array;

/// `c = a b`, row-major: the labels of the first operand and the result, those contracted, those of the second and the result.
pub(crate) struct Product<T> {
    /// Rows of `a`, what is contracted, columns of `b`.
    pub(crate) sizes: [usize; 3],
    pub(crate) a: Vec<T>,
    pub(crate) b: Vec<T>,
    pub(crate) c: Vec<T>,
    /// The labels of `c` and those of the result, and their lengths.
    labels: String,
    output: String,
    lengths: BTreeMap<char, usize>,
}

impl<T: Peer> Product<T> {
    /// Of two operands without batch labels and without labels that one of them sums alone.
    pub(crate) fn new(spec: &str, operands: &[Array<'_, T>]) -> Product<T> {
        let (inputs, output) = spec.split_once("->").expect("an arrow");
        let (left, right) = inputs.split_once(',').expect("two operands");
        let pick = |from: &str, keep: &dyn Fn(char) -> bool| {
            from.chars().filter(|&l| keep(l)).collect::<String>()
        };
        let rows = pick(output, &|l| left.contains(l));
        let columns = pick(output, &|l| right.contains(l));
        let inner = pick(left, &|l| !output.contains(l));
        assert!(
            left.len() + right.len() == rows.len() + columns.len() + 2 * inner.len(),
            "a product of matrices: {spec}"
        );
        let mut lengths = BTreeMap::new();
        for (term, (_, shape)) in [left, right].into_iter().zip(operands) {
            lengths.extend(term.chars().zip(shape.iter().copied()));
        }
        let size = |labels: &str| labels.chars().map(|l| lengths[&l]).product();
        let sizes: [usize; 3] = [size(&rows), size(&inner), size(&columns)];
        let lay_out = |data: &[T], from: &str, to: String| {
            let mut laid_out = array(data.len(), T::default());
            permute(data, from, &mut laid_out, &to, &lengths);
            laid_out
        };
        Product {
            sizes,
            a: lay_out(operands[0].0, left, format!("{rows}{inner}")),
            b: lay_out(operands[1].0, right, format!("{inner}{columns}")),
            c: array(sizes[0] * sizes[2], T::default()),
            labels: rows + &columns,
            output: output.to_owned(),
            lengths,
        }
    }

    /// The result, with its axes in the order that was asked for.
    pub(crate) fn result(&self) -> Vec<T> {
        let mut result = vec![T::default(); self.c.len()];
        permute(
            &self.c,
            &self.labels,
            &mut result,
            &self.output,
            &self.lengths,
        );
        result
    }
}

/// Elements of a row-major array with axes `from` to one with axes `to`.
fn permute<T: Copy>(
    data: &[T],
    from: &str,
    out: &mut [T],
    to: &str,
    lengths: &BTreeMap<char, usize>,
) {
    let stride = |label| {
        let behind = from.chars().rev().take_while(|&l| l != label);
        behind.map(|l| lengths[&l]).product::<usize>()
    };
    let axes: Vec<(usize, usize)> = to.chars().map(|l| (lengths[&l], stride(l))).collect();
    let mut index = vec![0; axes.len()];
    let mut place = 0;
    for element in out {
        *element = data[place];
        for (i, &(length, stride)) in index.iter_mut().zip(&axes).rev() {
            (*i, place) = (*i + 1, place + stride);
            if *i < length {
                break;
            }
            (*i, place) = (0, place - length * stride);
        }
    }
}
