//! Which of two costs is never the larger one, whatever the sizes.

use alloc::vec::Vec;

use super::problem::Set;

/// A coefficient, and the classes of labels whose sizes it is multiplied with.
pub(crate) type Term = (f64, Set);

/// Whether the sum `a` is below `b` for all sizes of 2 and more; or, if `first`, below or equal.
///
/// Each term of `a` is set against as much of terms of `b` that have all of its sizes. That finds no order where one
/// needs the terms of `a` to be split otherwise, which does no harm.
pub(crate) fn dominates(a: &[Term], b: &[Term], first: bool) -> bool {
    // Mostly there is a term that nothing is set against: seen without an allocation.
    let larger = |&(c, set): &Term| c == 0.0 || b.iter().any(|t| t.0 > 0.0 && set & !t.1 == 0);
    if !a.iter().all(larger) {
        return false;
    }
    let mut left: Vec<Term> = b.to_vec();
    let mut below = first;
    for &(mut coefficient, set) in a {
        while coefficient > 0.0 {
            // The one of fewest sizes: the others serve larger terms.
            let fitting = left.iter_mut().filter(|(c, s)| *c > 0.0 && set & !s == 0);
            let Some(term) = fitting.min_by_key(|(_, s)| s.count_ones()) else {
                return false;
            };
            let part = coefficient.min(term.0);
            below |= term.1 != set;
            coefficient -= part;
            term.0 -= part;
        }
    }
    below || left.iter().any(|(c, _)| *c > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_products() {
        let (x, y, xy): (Set, Set, Set) = (1, 2, 3);
        assert!(dominates(&[(1.0, x)], &[(1.0, xy)], true));
        assert!(dominates(&[(1.0, x)], &[(1.0, xy)], false));
        assert!(!dominates(&[(1.0, x)], &[(1.0, x)], false));
        assert!(dominates(&[(1.0, x)], &[(2.0, xy)], false));
        assert!(!dominates(&[(1.0, xy)], &[(9.0, x), (9.0, y)], true));
        assert!(dominates(&[(2.0, x)], &[(1.0, x), (1.0, xy)], true));
        assert!(!dominates(&[(3.0, x)], &[(1.0, x), (1.0, xy)], true));
        assert!(dominates(
            &[(1.0, x), (1.0, y)],
            &[(1.0, y), (1.0, x), (0.5, 0)],
            false
        ));
        assert!(dominates(&[], &[], true) && !dominates(&[], &[], false));
    }
}
