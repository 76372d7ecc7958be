//! Groups, one after the other: each is a contraction of its own.

use crate::lists::Listed;
use alloc::vec::Vec;

use crate::{
    greedy::users,
    groups::{Groups, Member},
    order::Tree,
    sorted::{insert, sort_by},
    spec::Label,
};

/// The tree of nested groups. `order` gives the tree of one group: of its members, by the labels that each carries and
/// the labels that its result keeps, as pairs in SSA form. Labels in one operand alone that the output leaves out are
/// summed before: no member carries them.
///
/// # Errors
/// The first error of `order`.
pub(crate) fn in_groups<E>(
    carried: &[Vec<Label>],
    output: &[Label],
    labels: usize,
    groups: &Groups,
    mut order: impl FnMut(&[Vec<Label>], &[Label]) -> Result<Vec<(u32, u32)>, E>,
) -> Result<Tree, E> {
    let operands = carried.len();
    let mut users = users(carried, output, labels);
    let needed = |labels: &Vec<Label>| -> Vec<Label> {
        let labels = labels.iter().copied();
        labels.filter(|&l| users[usize::from(l)] > 1).listed()
    };
    let leaves: Vec<Vec<Label>> = carried.iter().map(needed).listed();
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(operands.saturating_sub(1));
    // The first operand, the number and the labels of the result of each group.
    let mut results: Vec<(u32, u32, Vec<Label>)> = Vec::with_capacity(groups.len());
    for members in groups.iter() {
        let mut members: Vec<(u32, u32, Vec<Label>)> = members
            .iter()
            .map(|member| match *member {
                Member::Operand(operand) => (operand, operand, leaves[operand as usize].clone()),
                Member::Group(group) => results[group as usize].clone(),
            })
            .listed();
        // Among equal orders the one that goes from left to right is preferred.
        sort_by(&mut members, |a, b| a.0 < b.0);
        let first = members[0].0;
        let (ids, tensors): (Vec<u32>, Vec<Vec<Label>>) = members
            .into_iter()
            .map(|(_, id, labels)| (id, labels))
            .unzip();
        for &label in tensors.iter().flatten() {
            users[usize::from(label)] -= 1;
        }
        let mut kept = Vec::new();
        for &label in tensors.iter().flatten() {
            let users = &mut users[usize::from(label)];
            if *users > 0 && insert(&mut kept, label) {
                *users += 1;
            }
        }
        let base = (operands + pairs.len()) as u32;
        let number = |local: u32| match local.checked_sub(ids.len() as u32) {
            None => ids[local as usize],
            Some(step) => base + step,
        };
        let local = match tensors.len() {
            1 => Vec::new(),
            2 => alloc::vec![(0, 1)],
            _ => order(&tensors, &kept)?,
        };
        pairs.extend(local.iter().map(|&(a, b)| (number(a), number(b))));
        let result = number((ids.len() + local.len()) as u32 - 1);
        results.push((first, result, kept));
    }
    Ok(Tree::canonical(pairs, operands))
}
