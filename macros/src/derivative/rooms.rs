//! The memory of a pullback whose lengths are all constants, as the type of a list: the operands that may be saved, and
//! for each tree that may be chosen the intermediates, by their labels.

use cteinsum_plan::{ELLIPSIS, Label, Rule};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

use crate::bind::local_axis;
use crate::plan::{Labels, Planned};

/// Up to so many operands all sensible trees have room.
const FREE: usize = 5;

/// `((g0, (g1, ())), (((l0, (l2, ())), ()), ()))`.
pub(super) fn rooms(
    planned: &Planned,
    labels: &Labels,
    wrt: &[usize],
    like: impl Fn(usize) -> Ident,
    place: Span,
) -> TokenStream {
    // What is beside nothing whose gradient is asked for is not saved.
    let count = labels.inputs.len();
    let saved = (0..count).filter(|p| wrt.iter().any(|k| k != p));
    let operands = saved.map(&like).map(|like| quote_spanned!(place=> #like));
    let operands = list(operands.collect(), quote_spanned!(place=> ()), place);
    let trees = families(planned, labels).into_iter().map(|family| {
        let sets = family.into_iter().map(|set| {
            let axes = set.iter().filter(|label| **label != ELLIPSIS);
            let axes = axes.map(|label| local_axis(*label, place));
            let dots = set.contains(&ELLIPSIS);
            let end = match dots {
                true => quote_spanned!(place=> dots),
                false => quote_spanned!(place=> ()),
            };
            list(
                axes.map(|l| quote_spanned!(place=> #l)).collect(),
                end,
                place,
            )
        });
        list(sets.collect(), quote_spanned!(place=> ()), place)
    });
    let trees = list(trees.collect(), quote_spanned!(place=> ()), place);
    quote_spanned!(place=> (#operands, #trees))
}

fn list(items: Vec<TokenStream>, end: TokenStream, place: Span) -> TokenStream {
    let items = items.into_iter().rev();
    items.fold(end, |rest, item| quote_spanned!(place=> (#item, #rest)))
}

/// By tree, the labels of each intermediate.
fn families(planned: &Planned, labels: &Labels) -> Vec<Vec<Vec<Label>>> {
    let count = labels.inputs.len();
    if count < 3 {
        return Vec::new();
    }
    let strategy = &planned.strategy;
    let live: Vec<(u64, Vec<Label>)> = labels
        .inputs
        .iter()
        .enumerate()
        .map(|(p, term)| (1 << p, distinct(term)))
        .collect();
    let mut found = Vec::new();
    if strategy.rule == Rule::Exact && strategy.groups.is_none() && count <= FREE {
        visit(labels, &live, &mut Vec::new(), &mut found);
    }
    let mut tensors: Vec<_> = live.into_iter().collect();
    for &(left, right) in &strategy.tree.0[..count - 2] {
        let made = product(labels, &tensors[left as usize], &tensors[right as usize]);
        tensors.push(made);
    }
    let mut settled: Vec<_> = tensors.drain(count..).map(|tensor| tensor.1).collect();
    settled.sort();
    found.push(settled);
    // Where one tree needs no more than another, the other one's room serves both.
    let mut largest: Vec<Vec<Vec<Label>>> = Vec::new();
    for family in found {
        if largest.iter().any(|other| fits(&family, other)) {
            continue;
        }
        largest.retain(|other| !fits(other, &family));
        largest.push(family);
    }
    largest
}

/// Goes through the trees whose steps have a label in common, as far as there are any.
fn visit(
    labels: &Labels,
    live: &[(u64, Vec<Label>)],
    made: &mut Vec<Vec<Label>>,
    found: &mut Vec<Vec<Vec<Label>>>,
) {
    if live.len() == 2 {
        let mut family = made.clone();
        family.sort();
        if !found.contains(&family) {
            found.push(family);
        }
        return;
    }
    let mut pairs = Vec::new();
    for left in 0..live.len() {
        for right in left + 1..live.len() {
            let common = live[left].1.iter().any(|l| live[right].1.contains(l));
            pairs.push((left, right, common));
        }
    }
    let connected = pairs.iter().any(|pair| pair.2);
    for (left, right, _) in pairs.into_iter().filter(|pair| pair.2 == connected) {
        let tensor = product(labels, &live[left], &live[right]);
        let mut rest = live.to_vec();
        made.push(tensor.1.clone());
        rest[left] = tensor;
        rest.remove(right);
        visit(labels, &rest, made, found);
        made.pop();
    }
}

/// What a step makes: the labels that are needed outside.
fn product(labels: &Labels, a: &(u64, Vec<Label>), b: &(u64, Vec<Label>)) -> (u64, Vec<Label>) {
    let inside = a.0 | b.0;
    let outside = |label: &Label| {
        let others = labels.inputs.iter().enumerate();
        let mut others = others.filter(|(p, _)| inside >> p & 1 == 0);
        labels.output.contains(label) || others.any(|(_, term)| term.contains(label))
    };
    let both: Vec<Label> = a.1.iter().chain(&b.1).copied().collect();
    let kept = distinct(&both).into_iter().filter(outside).collect();
    (inside, kept)
}

/// In order, each once.
fn distinct(term: &[Label]) -> Vec<Label> {
    let mut labels = term.to_vec();
    labels.sort();
    labels.dedup();
    labels
}

/// Whether each tensor of `family` has one of its own in `other` with at least its labels.
fn fits(family: &[Vec<Label>], other: &[Vec<Label>]) -> bool {
    let Some((first, rest)) = family.split_first() else {
        return true;
    };
    (0..other.len()).any(|at| {
        let mut others = other.to_vec();
        let room = others.remove(at);
        first.iter().all(|label| room.contains(label)) && fits(rest, &others)
    })
}
