//! A naive einsum: its own reader of subscripts and one loop over all labels.
//!
//! It reads valid subscripts only, and is as plain as possible: it is the judge.

use std::collections::BTreeMap;

use num_complex::Complex;

/// An axis of a term: a label, or the n-th axis of `...` counted from the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// A named label.
    Name(char),
    /// An axis of `...`, 0 being the last.
    Dots(usize),
}

/// The axes of all operands and of the output.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Axes of each operand.
    pub inputs: Vec<Vec<Axis>>,
    /// Axes of the output.
    pub output: Vec<Axis>,
}

/// Reads valid subscripts for operands of the given ranks. Parentheses are dropped: they are an order only.
///
/// # Panics
/// If the ranks do not fit.
pub fn read(subscripts: &str, ranks: &[usize]) -> Terms {
    let text: String = subscripts
        .chars()
        .filter(|c| !c.is_whitespace() && !"()".contains(*c))
        .collect();
    let (left, right) = match text.split_once("->") {
        Some((left, right)) => (left, Some(right)),
        None => (text.as_str(), None),
    };
    let texts: Vec<&str> = left.split(',').collect();
    assert_eq!(texts.len(), ranks.len(), "operand count of {subscripts:?}");
    let inputs: Vec<Vec<Axis>> = texts
        .iter()
        .zip(ranks)
        .map(|(term, &rank)| {
            let named = term.replace("...", "").chars().count();
            let dots = rank.checked_sub(named).expect("rank below the labels");
            assert!(dots == 0 || term.contains("..."), "rank above the labels");
            term_axes(term, dots)
        })
        .collect();
    let dots = inputs
        .iter()
        .flatten()
        .map(|axis| match axis {
            Axis::Dots(n) => n + 1,
            Axis::Name(_) => 0,
        })
        .max()
        .unwrap_or(0);
    let output = match right {
        Some(term) => term_axes(term, dots),
        None => {
            let mut count = BTreeMap::new();
            for axis in inputs.iter().flatten() {
                *count.entry(*axis).or_insert(0) += 1;
            }
            let once = count
                .iter()
                .filter(|(axis, n)| **n == 1 && matches!(axis, Axis::Name(_)))
                .map(|(axis, _)| *axis);
            (0..dots).rev().map(Axis::Dots).chain(once).collect()
        }
    };
    Terms { inputs, output }
}

fn term_axes(term: &str, dots: usize) -> Vec<Axis> {
    let names = |s: &str| s.chars().map(Axis::Name).collect::<Vec<_>>();
    match term.split_once("...") {
        None => names(term),
        Some((before, after)) => {
            let mut axes = names(before);
            axes.extend((0..dots).rev().map(Axis::Dots));
            axes.extend(names(after));
            axes
        }
    }
}

/// Numbers that can be added and multiplied, here without overflow or rounding unless they are floats.
pub trait Ring: Copy + PartialEq + core::fmt::Debug {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// a + b.
    fn plus(self, other: Self) -> Self;
    /// a · b.
    fn times(self, other: Self) -> Self;
}

macro_rules! ring {
    ($($t:ty: $zero:expr, $one:expr;)*) => {$(
        impl Ring for $t {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn times(self, other: Self) -> Self {
                self * other
            }
        }
    )*};
}
ring! {
    i128: 0, 1;
    f64: 0.0, 1.0;
    Complex<i128>: Complex { re: 0, im: 0 }, Complex { re: 1, im: 0 };
    Complex<f64>: Complex { re: 0.0, im: 0.0 }, Complex { re: 1.0, im: 0.0 };
}

/// A shape and row-major elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense<R> {
    /// Length of each axis.
    pub shape: Vec<usize>,
    /// Elements, row-major.
    pub values: Vec<R>,
}

/// Length of every label, by the broadcasting rule.
///
/// # Panics
/// If lengths do not fit.
pub fn lengths(terms: &Terms, shapes: &[Vec<usize>]) -> BTreeMap<Axis, usize> {
    let mut lengths = BTreeMap::new();
    for (axes, shape) in terms.inputs.iter().zip(shapes) {
        let mut own = BTreeMap::new();
        for (axis, &n) in axes.iter().zip(shape) {
            assert_eq!(*own.entry(*axis).or_insert(n), n, "diagonal of {axis:?}");
        }
        for (axis, n) in own {
            let known = lengths.entry(axis).or_insert(n);
            assert!(*known == n || *known == 1 || n == 1, "length of {axis:?}");
            if *known == 1 {
                *known = n;
            }
        }
    }
    lengths
}

/// The einsum as one loop over all labels.
pub fn einsum<R: Ring>(subscripts: &str, operands: &[Dense<R>]) -> Dense<R> {
    let shapes: Vec<Vec<usize>> = operands.iter().map(|o| o.shape.clone()).collect();
    let ranks: Vec<usize> = shapes.iter().map(Vec::len).collect();
    let terms = read(subscripts, &ranks);
    let lengths = lengths(&terms, &shapes);
    let labels: Vec<Axis> = lengths.keys().copied().collect();
    let sizes: Vec<usize> = lengths.values().copied().collect();
    let shape: Vec<usize> = terms.output.iter().map(|axis| lengths[axis]).collect();
    // steps[label][operand]: how far one step of the label moves in that operand; the output comes last.
    let mut steps = vec![vec![0; operands.len() + 1]; labels.len()];
    let mut place = |k: usize, axes: &[Axis], shape: &[usize]| {
        let mut stride = 1;
        for (axis, &n) in axes.iter().zip(shape).rev() {
            let label = labels.iter().position(|l| l == axis).expect("known label");
            steps[label][k] += if n == 1 { 0 } else { stride };
            stride *= n;
        }
    };
    for (k, axes) in terms.inputs.iter().enumerate() {
        place(k, axes, &shapes[k]);
    }
    place(operands.len(), &terms.output, &shape);

    let mut values = vec![R::ZERO; shape.iter().product()];
    if sizes.contains(&0) {
        return Dense { shape, values };
    }
    let mut index = vec![0; labels.len()];
    let mut at = vec![0; operands.len() + 1];
    loop {
        let product = operands
            .iter()
            .zip(&at)
            .fold(R::ONE, |p, (o, &i)| p.times(o.values[i]));
        let to = &mut values[at[operands.len()]];
        *to = to.plus(product);
        let mut label = labels.len();
        loop {
            let Some(next) = label.checked_sub(1) else {
                return Dense { shape, values };
            };
            label = next;
            index[label] += 1;
            let wrap = index[label] == sizes[label];
            for (at, step) in at.iter_mut().zip(&steps[label]) {
                if wrap {
                    *at -= step * (sizes[label] - 1);
                } else {
                    *at += step;
                }
            }
            if !wrap {
                break;
            }
            index[label] = 0;
        }
    }
}

/// A number that no product, partial sum or intermediate of any order exceeds in magnitude, if no element of
/// operand k exceeds `most[k]`.
pub fn bound(subscripts: &str, shapes: &[Vec<usize>], most: &[f64]) -> f64 {
    let ranks: Vec<usize> = shapes.iter().map(Vec::len).collect();
    let terms = read(subscripts, &ranks);
    let summed: f64 = lengths(&terms, shapes)
        .iter()
        .filter(|(axis, _)| !terms.output.contains(axis))
        .map(|(_, &n)| n.max(1) as f64)
        .product();
    most.iter().map(|m| m.max(1.0)).product::<f64>() * summed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(shape: &[usize], values: &[i128]) -> Dense<i128> {
        Dense {
            shape: shape.to_vec(),
            values: values.to_vec(),
        }
    }

    #[test]
    fn products_by_hand() {
        let a = dense(&[2, 2], &[1, 2, 3, 4]);
        let b = dense(&[2, 2], &[5, 6, 7, 8]);
        let run = |s: &str| einsum(s, &[a.clone(), b.clone()]);
        assert_eq!(run("ij,jk->ik"), dense(&[2, 2], &[19, 22, 43, 50]));
        assert_eq!(run("ij,kj->ki"), dense(&[2, 2], &[17, 39, 23, 53]));
        assert_eq!(run("ij,ij->"), dense(&[], &[70]));
        assert_eq!(run("ii,ij->jj"), dense(&[2, 2], &[33, 0, 0, 38]));
        assert_eq!(run("... , ..."), dense(&[2, 2], &[5, 12, 21, 32]));
    }

    #[test]
    fn broadcasting_by_hand() {
        let a = dense(&[1], &[3]);
        let b = dense(&[3], &[1, 2, 4]);
        assert_eq!(einsum("i,i->", &[a.clone(), b.clone()]).values, [21]);
        assert_eq!(einsum("...,i->i...", &[a, b]).shape, [3, 1]);
    }
}
