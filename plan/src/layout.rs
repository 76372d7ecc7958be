//! The order of the axes of intermediates.
//!
//! A step is a plain (batched) matrix product if the labels of each of its groups are neighbours, in one order, in all
//! the tensors that carry them. The operands and the output are as they are; an intermediate is between two steps, and
//! its axes are put in the order that suits the step that reads it:
//!
//! 1. the reader's batch labels outermost, in the order of the reader's result;
//! 2. then the reader's contracted labels and its free labels, each group together: the free ones in the order of the
//!    reader's result, the contracted ones in the order in which the sibling has them, or, where both siblings are
//!    intermediates, in order of first appearance among the operands;
//! 3. which of the two groups is the inner one is left to the writing step: the order in which more neighbours were
//!    neighbours in its operands, too; in doubt the contracted labels are the inner ones of a left operand and the
//!    outer ones of a right one, as in a product of row-major matrices.
//!
//! Where gradients are computed as well, an intermediate that is kept for them is read the other way round, too: its free
//! labels are contracted then. Neither group suits both readers as the inner one, so that in doubt the writing step has its
//! way: the order whose last label is the last one of an operand, which is read and stored by whole registers.
//!
//! This depends on the step, its reader and the operands alone. "Fuse axes once, choose the layout of intermediates so
//! that nothing is transposed" is the idea of Breuer et al.'s einsum trees.

use alloc::vec::Vec;

use crate::{lower::Step, sorted::sort_by, spec::Label};

/// Orders all results but the last one (which is given), then the groups of all steps. `differentiated` says of which tensors,
/// in SSA form, gradients are computed; it is empty where none are.
pub(crate) fn assign(steps: &mut [Step], carried: &[Vec<Label>], differentiated: &[bool]) {
    let operands = carried.len();
    let labels = carried
        .iter()
        .flatten()
        .max()
        .map_or(0, |&l| usize::from(l) + 1);
    let mut appearance = alloc::vec![usize::MAX; labels];
    for (at, &label) in carried.iter().flatten().enumerate() {
        let first = &mut appearance[usize::from(label)];
        *first = (*first).min(at);
    }
    let mut place = alloc::vec![usize::MAX; labels];
    // Readers come after writers: from the last step backwards, every result is settled before its operands are.
    for at in (0..steps.len()).rev() {
        let (writers, readers) = steps.split_at_mut(at);
        let reader = &mut readers[0];
        let Some(right) = reader.right else { continue };
        number(&mut place, &reader.result);
        for group in [
            &mut reader.batch,
            &mut reader.left_free,
            &mut reader.right_free,
        ] {
            sort_by(group, |&a, &b| {
                place[usize::from(a)] < place[usize::from(b)]
            });
        }
        for (own, other, is_left) in [(reader.left, right, true), (right, reader.left, false)] {
            let Some(writer) = own.checked_sub(operands) else {
                continue;
            };
            let mut contracted = reader.contracted.clone();
            match carried.get(other) {
                Some(sibling) => {
                    number(&mut place, sibling);
                    sort_by(&mut contracted, |&a, &b| {
                        place[usize::from(a)] < place[usize::from(b)]
                    });
                }
                None => sort_by(&mut contracted, |&a, &b| {
                    appearance[usize::from(a)] < appearance[usize::from(b)]
                }),
            }
            let free = if is_left {
                &reader.left_free
            } else {
                &reader.right_free
            };
            let inner = [&reader.batch[..], free, &contracted].concat();
            let outer = [&reader.batch[..], &contracted, free].concat();
            let writer = &mut writers[writer];
            let (inner_breaks, outer_breaks) = (
                breaks(writer, &inner, carried),
                breaks(writer, &outer, carried),
            );
            let saved = differentiated.get(other) == Some(&true);
            let [inner_ends, outer_ends] =
                [&inner, &outer].map(|order| saved && ends(writer, order, carried));
            let in_doubt = match inner_ends == outer_ends {
                true => is_left,
                false => inner_ends,
            };
            let take_inner =
                inner_breaks < outer_breaks || (inner_breaks == outer_breaks && in_doubt);
            writer.result = if take_inner { inner } else { outer };
        }
    }
    for at in 0..steps.len() {
        let tensor = |id: usize| match id.checked_sub(operands) {
            Some(writer) => steps[writer].result.clone(),
            None => carried[id].clone(),
        };
        let left_labels = tensor(steps[at].left);
        let right_labels = steps[at].right.map(tensor).unwrap_or_default();
        let step = &mut steps[at];
        number(&mut place, &left_labels);
        sort_by(&mut step.contracted, |&a, &b| {
            place[usize::from(a)] < place[usize::from(b)]
        });
        sort_by(&mut step.left_summed, |&a, &b| {
            place[usize::from(a)] < place[usize::from(b)]
        });
        number(&mut place, &right_labels);
        sort_by(&mut step.right_summed, |&a, &b| {
            place[usize::from(a)] < place[usize::from(b)]
        });
        (step.left_labels, step.right_labels) = (left_labels, right_labels);
    }
}

fn number(place: &mut [usize], labels: &[Label]) {
    for (at, &label) in labels.iter().enumerate() {
        place[usize::from(label)] = at;
    }
}

/// Whether the last label of this order of the writer's result is the last one of an operand. An intermediate can still take
/// any order.
fn ends(writer: &Step, order: &[Label], carried: &[Vec<Label>]) -> bool {
    let mut operands = [Some(writer.left), writer.right].into_iter().flatten();
    operands.any(|id| (carried.get(id)).is_none_or(|labels| labels.last() == order.last()))
}

/// How many neighbours in this order of the writer's result cannot be one axis in the writer's operands.
fn breaks(writer: &Step, order: &[Label], carried: &[Vec<Label>]) -> usize {
    let left = carried.get(writer.left);
    let right = writer.right.and_then(|right| carried.get(right));
    // An intermediate can still take any order.
    let neighbours = |operand: Option<&Vec<Label>>, a: Label, b: Label| {
        operand.is_none_or(|labels| labels.windows(2).any(|pair| pair == [a, b]))
    };
    order
        .windows(2)
        .filter(|pair| {
            let (a, b) = (pair[0], pair[1]);
            let both = |group: &[Label]| group.contains(&a) && group.contains(&b);
            let fuses = (both(&writer.batch) && neighbours(left, a, b) && neighbours(right, a, b))
                || (both(&writer.left_free) && neighbours(left, a, b))
                || (both(&writer.right_free) && neighbours(right, a, b));
            !fuses
        })
        .count()
}
