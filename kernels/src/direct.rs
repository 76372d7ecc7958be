//! Plain loops, for products too small to set anything up for.

use core::ops::Range;

use super::axis::{Axis, size};
use super::operands::Operands;
use super::walk::runs;
use crate::element::Element;

/// The elements `range` of C, counted over `outer` with the last axis fastest: one sum over `k` each.
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn contract<T: Element>(
    outer: &[Axis],
    k: &[Axis],
    range: Range<usize>,
    operands: Operands<T>,
) {
    let update = operands.scale.update();
    let depth = size(k);
    for (at, run) in runs(outer, range) {
        for i in 0..run.len {
            // SAFETY: points of the index space, all of which are readable and writable; `here.c` is an element of C
            // that belongs to this piece.
            unsafe {
                let here = operands.at(at.along(&run, i));
                let mut sum = T::ZERO;
                match k {
                    [terms] => sum = run_of_terms(sum, here, terms),
                    _ => {
                        for (at, terms) in runs(k, 0..depth) {
                            sum = run_of_terms(sum, here.at(at), &terms);
                        }
                    }
                }
                update.apply(here.c, sum);
            }
        }
    }
}

/// `sum` and the terms along one axis, one after the other.
///
/// # Safety
///
/// A and B are readable along `terms`.
unsafe fn run_of_terms<T: Element>(mut sum: T, operands: Operands<T>, terms: &Axis) -> T {
    let Operands { a, b, scale, .. } = operands;
    for p in 0..terms.len as isize {
        // SAFETY: the caller's promise.
        let (a, b) = unsafe { (*a.offset(p * terms.a), *b.offset(p * terms.b)) };
        let real = const { T::KIND.is_real() };
        let a = if !real && scale.conj_a { T::conj(a) } else { a };
        let b = if !real && scale.conj_b { T::conj(b) } else { b };
        sum = T::add(sum, T::mul(a, b));
    }
    sum
}
