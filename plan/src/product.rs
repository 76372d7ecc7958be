//! The einsums that are one product of matrices or vectors, whatever the sizes.

use crate::spec::{ELLIPSIS, Label};

/// Which axes the rows, the columns and the terms of a product of two operands are. An axis that an operand or the result
/// does not have is a group without labels: a vector has no columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Product {
    /// The axes of the label that operand 0 and the result have: in operand 0, in the result.
    pub m: Option<[u8; 2]>,
    /// The axes of the label that operand 1 and the result have: in operand 1, in the result.
    pub n: Option<[u8; 2]>,
    /// The axes of the label that is summed: in operand 0, in operand 1.
    pub k: [u8; 2],
    /// A second label is summed, whose axes are right behind those in both operands.
    pub two: bool,
}

impl Product {
    /// The product that these terms are: of two operands with one axis of their own at most, one label summed, or two that
    /// stand side by side in both, no label twice in a term or in all three, none in one term alone. `None` for all others.
    pub const fn of(inputs: &[&[Label]], output: &[Label]) -> Option<Product> {
        let [a, b] = inputs else { return None };
        let (mut m, mut n, mut two) = (None, None, false);
        let mut k: Option<[u8; 2]> = None;
        if a.len() > 3 || b.len() > 3 || output.len() > 2 {
            return None;
        }
        let mut at = 0;
        while at < a.len() {
            match (find(b, a[at]), find(output, a[at]), k) {
                (Some(other), None, None) => k = Some([at as u8, other]),
                (Some(other), None, Some([in_a, in_b]))
                    if !two && in_a + 1 == at as u8 && in_b + 1 == other =>
                {
                    two = true;
                }
                (None, Some(other), _) if m.is_none() => m = Some([at as u8, other]),
                _ => return None,
            }
            at += 1;
        }
        at = 0;
        while at < b.len() {
            match (find(a, b[at]), find(output, b[at])) {
                (Some(_), None) => {}
                (None, Some(other)) if n.is_none() => n = Some([at as u8, other]),
                _ => return None,
            }
            at += 1;
        }
        let labels = m.is_some() as usize + n.is_some() as usize;
        match k {
            // What is counted is told apart: a label that stands twice, or in no operand, makes these differ.
            Some(k)
                if labels == output.len() && n.is_some() as usize + two as usize + 1 == b.len() =>
            {
                Some(Product { m, n, k, two })
            }
            _ => None,
        }
    }
}

/// The axis of a label. An ellipsis has none.
const fn find(term: &[Label], label: Label) -> Option<u8> {
    let mut at = 0;
    while at < term.len() {
        if term[at] == label && label != ELLIPSIS {
            return Some(at as u8);
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Product;
    use crate::spec::{ELLIPSIS, Label};

    const I: Label = 0;
    const J: Label = 1;
    const K: Label = 2;
    const L: Label = 3;

    #[test]
    fn products_of_matrices_and_vectors_in_any_orientation() {
        let of = |a: &[Label], b: &[Label], c: &[Label]| Product::of(&[a, b], c);
        let product = |m, n, k| {
            Some(Product {
                m,
                n,
                k,
                two: false,
            })
        };
        assert_eq!(
            of(&[I, J], &[J, K], &[I, K]),
            product(Some([0, 0]), Some([1, 1]), [1, 0])
        );
        assert_eq!(
            of(&[J, I], &[K, J], &[K, I]),
            product(Some([1, 1]), Some([0, 0]), [0, 1])
        );
        assert_eq!(of(&[I, J], &[J], &[I]), product(Some([0, 0]), None, [1, 0]));
        assert_eq!(of(&[J], &[J], &[]), product(None, None, [0, 0]));
        assert_eq!(of(&[J], &[J, K], &[K]), product(None, Some([1, 0]), [0, 0]));
    }

    #[test]
    fn two_labels_side_by_side_are_summed_as_one() {
        let of = |a: &[Label], b: &[Label], c: &[Label]| Product::of(&[a, b], c);
        let product = |m, n, k| Some(Product { m, n, k, two: true });
        assert_eq!(of(&[I, J], &[I, J], &[]), product(None, None, [0, 0]));
        assert_eq!(
            of(&[I, J, K], &[J, K], &[I]),
            product(Some([0, 0]), None, [1, 0])
        );
        assert_eq!(
            of(&[J, K], &[I, J, K], &[I]),
            product(None, Some([0, 0]), [0, 1])
        );
        assert_eq!(
            of(&[J, K, I], &[L, J, K], &[L, I]),
            product(Some([2, 1]), Some([0, 0]), [0, 1])
        );
        for (a, b, c) in [
            (&[I, J][..], &[J, I][..], &[][..]),
            (&[J, I, K], &[J, K], &[I]), // not side by side
            (&[J, K], &[J, I, K], &[I]),
            (&[I, J, K], &[I, J, K], &[]), // three
            (&[I, J, K], &[J, K, K], &[I]),
            (&[I, J, J], &[J, J], &[I]),
            (&[J, K], &[I, J], &[I]), // a label in one term alone
            (&[I, J, K], &[J], &[I]),
        ] {
            assert_eq!(of(a, b, c), None, "{a:?} {b:?} {c:?}");
        }
    }

    #[test]
    fn nothing_else_is_one() {
        let of = |a: &[Label], b: &[Label], c: &[Label]| Product::of(&[a, b], c);
        for (a, b, c) in [
            (&[I, I][..], &[I, K][..], &[K][..]), // a diagonal
            (&[I, J], &[J, J], &[I]),
            (&[I, J], &[J, K], &[I]), // a label of one operand alone
            (&[I, J], &[J, K], &[K]),
            (&[I, J], &[J, K], &[I, I]), // the diagonal of the result
            (&[I, J], &[J], &[I, I]),
            (&[I, J], &[J, K], &[J, K]), // a label in all three
            (&[I, J], &[I, J], &[I]),
            (&[I], &[K], &[I, K]), // an outer one
            (&[ELLIPSIS, J], &[J, K], &[ELLIPSIS, K]),
            (&[ELLIPSIS, J], &[ELLIPSIS, J], &[]),
            (&[I, J, K], &[J], &[I, K]),
        ] {
            assert_eq!(of(a, b, c), None, "{a:?} {b:?} {c:?}");
        }
        assert_eq!(Product::of(&[&[I, J]], &[I]), None);
        assert_eq!(Product::of(&[&[I, J], &[J, K], &[K]], &[I]), None);
    }
}
