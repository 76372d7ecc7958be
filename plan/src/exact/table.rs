//! The same search from a table made once for an einsum, for the time that it takes at a call.
//!
//! Everything that depends on labels alone is in the table: which subsets there are, their splits, and which products
//! of sizes these need, each product once, as an earlier one times one more size.

use crate::lists::Listed;
use alloc::vec::Vec;

use super::{
    MOST,
    dominance::{Term, dominates},
    problem::{Problem, Set, carried},
};
use crate::{
    model::{element, parts, product, shape},
    sorted::{Numbers, sort_by},
    spec::{Cost, Label},
};

/// The table of an einsum of three to six operands in which every axis is longer than 1.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    operands: usize,
    /// The labels of each class, behind one another, with the class.
    labels: Vec<(Label, u16)>,
    classes: usize,
    /// Products of sizes: 1, the classes, then each an earlier one times a class.
    products: Vec<(u16, u16)>,
    subsets: Vec<Subset>,
    splits: Vec<Split>,
    /// Room for the values of the products.
    values: Vec<f64>,
    /// The tree, if one is the cheapest for all sizes.
    settled: Option<FewPairs>,
}

/// A subset of two operands or more. The subsets within it come before it.
#[derive(Clone, Copy, Debug)]
struct Subset {
    set: u8,
    splits: u16,
    /// The product that is its number of elements.
    elements: u16,
    /// What an element costs; the result costs nothing.
    element: f64,
}

#[derive(Clone, Copy, Debug)]
struct Split {
    part: u8,
    rest: u8,
    contracted: u16,
    batch: u16,
    multiply_add: f64,
    matrix: f64,
}

/// The cheapest tree: n - 1 pairs in SSA form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FewPairs {
    pairs: [(u32, u32); MOST - 1],
    steps: usize,
}

impl core::ops::Deref for FewPairs {
    type Target = [(u32, u32)];

    fn deref(&self) -> &[(u32, u32)] {
        &self.pairs[..self.steps]
    }
}

/// Collects the products that the splits need.
struct Products {
    list: Vec<(u16, u16)>,
    numbers: Numbers<Set>,
}

impl Products {
    fn of(&mut self, set: Set) -> u16 {
        if let Some(known) = self.numbers.get(&set) {
            return known as u16;
        }
        let class = Set::BITS - 1 - set.leading_zeros();
        let rest = self.of(set & !(1 << class));
        self.list.push((rest, 1 + class as u16));
        self.numbers.number(set).0 as u16
    }
}

impl Table {
    /// `None` where an exact choice is not made from a table: too few or too many operands, or [`Cost::Size`], which
    /// is no sum.
    pub(crate) fn new(
        inputs: &[Vec<Label>],
        output: &[Label],
        labels: usize,
        cost: Cost,
        real: u32,
    ) -> Option<Table> {
        if !(3..=MOST).contains(&inputs.len()) || cost == Cost::Size {
            return None;
        }
        let (problem, classes) = Problem::of_labels(inputs, output, labels, |_| 1);
        let carried = carried(&problem);
        let all = carried.len() - 1;
        let mut products = Products {
            list: Vec::new(),
            numbers: Numbers::new(),
        };
        // Nothing, and each class alone, are there without a multiplication.
        products.numbers.number(0);
        for class in 0..problem.sizes.len() {
            products.numbers.number(1 << class);
        }
        let (mut subsets, mut splits) = (Vec::new(), Vec::new());
        for subset in 1..=all {
            let first = subset & subset.wrapping_neg();
            if subset == first {
                continue;
            }
            let others = subset ^ first;
            let mut other = (others - 1) & others;
            let before = splits.len();
            loop {
                let (part, rest) = (first | other, subset ^ (first | other));
                let (a, b, c) = (carried[part], carried[rest], carried[subset]);
                let (batch, contracted) = (a & b & c, a & b & !c);
                let free = usize::from(a & !b != 0) + usize::from(b & !a != 0);
                let [multiply_add, matrix] =
                    product(cost, shape(batch != 0, contracted != 0, free));
                splits.push(Split {
                    part: part as u8,
                    rest: rest as u8,
                    contracted: products.of(contracted),
                    batch: if matrix == 0.0 { 0 } else { products.of(batch) },
                    multiply_add: multiply_add
                        * parts(real, part as u32)
                        * parts(real, rest as u32),
                    matrix,
                });
                if other == 0 {
                    break;
                }
                other = (other - 1) & others;
            }
            // The first of equals is taken.
            sort_by(&mut splits[before..], |a, b| {
                a.part.reverse_bits() > b.part.reverse_bits()
            });
            subsets.push(Subset {
                set: subset as u8,
                splits: (splits.len() - before) as u16,
                elements: products.of(carried[subset]),
                element: if subset == all {
                    0.0
                } else {
                    element(cost) * parts(real, subset as u32)
                },
            });
        }
        let labels = classes.iter().enumerate();
        Some(Table {
            operands: inputs.len(),
            labels: labels
                .filter_map(|(label, class)| Some((label as Label, 1 + u16::from((*class)?))))
                .listed(),
            classes: problem.sizes.len(),
            values: alloc::vec![1.0; 1 + problem.sizes.len() + products.list.len()],
            products: products.list,
            subsets,
            splits,
            settled: None,
        })
    }

    /// Takes out what is never the cheapest, whatever the sizes: see [`dominance`](super::dominance). Only where nothing
    /// but the cost counts: a tree that costs more may have the smaller intermediates.
    pub(crate) fn prune(&mut self) {
        let mut sets: Vec<Set> = alloc::vec![0];
        sets.extend((0..self.classes).map(|class| 1 << class));
        for &(earlier, class) in &self.products {
            sets.push(sets[usize::from(earlier)] | sets[usize::from(class)]);
        }
        // By subset: what its tree costs, if one is the cheapest for all sizes.
        let mut known: Vec<Option<Vec<Term>>> = alloc::vec![None; 1 << self.operands];
        for operand in 0..self.operands {
            known[1 << operand] = Some(Vec::new());
        }
        let all = core::mem::take(&mut self.splits);
        let mut splits = all.as_slice();
        for subset in &mut self.subsets {
            let (own, rest) = splits.split_at(usize::from(subset.splits));
            splits = rest;
            let elements = sets[usize::from(subset.elements)];
            // What each costs at least, and whether that is all.
            let mut costs: Vec<(Vec<Term>, bool)> = Vec::with_capacity(own.len());
            for split in own {
                let product = elements | sets[usize::from(split.contracted)];
                let mut terms = Vec::with_capacity(3 * self.operands);
                terms.push((split.multiply_add, product));
                if split.matrix > 0.0 {
                    terms.push((split.matrix, sets[usize::from(split.batch)]));
                }
                let mut complete = true;
                for part in [split.part, split.rest] {
                    match &known[usize::from(part)] {
                        Some(more) => terms.extend(more),
                        None => complete = false,
                    }
                }
                costs.push((terms, complete));
            }
            let before = self.splits.len();
            let mut last = 0;
            for (at, split) in own.iter().enumerate() {
                let beats = |(other, (terms, complete)): (usize, &(Vec<Term>, bool))| {
                    other != at && *complete && dominates(terms, &costs[at].0, other < at)
                };
                if !costs.iter().enumerate().any(beats) {
                    self.splits.push(*split);
                    last = at;
                }
            }
            subset.splits = (self.splits.len() - before) as u16;
            let (mut terms, complete) = costs.swap_remove(last);
            if subset.splits == 1 && complete {
                terms.push((subset.element, elements));
                known[usize::from(subset.set)] = Some(terms);
            }
        }
        if known[(1 << self.operands) - 1].is_some() {
            let labels = self.labels.iter().map(|&(label, _)| usize::from(label) + 1);
            let sizes = alloc::vec![2; labels.max().unwrap_or(0)];
            self.settled = self.choose(&sizes, f64::INFINITY);
        }
    }

    /// The cheapest tree for these sizes of the labels whose intermediates have at most `limit` elements; `None` if
    /// there is none.
    pub(crate) fn choose(&mut self, sizes: &[usize], limit: f64) -> Option<FewPairs> {
        if let Some(tree) = self.settled {
            return Some(tree);
        }
        match self.operands {
            3 => self.choose_of::<8>(sizes, limit),
            4 => self.choose_of::<16>(sizes, limit),
            5 => self.choose_of::<32>(sizes, limit),
            _ => self.choose_of::<{ 1 << MOST }>(sizes, limit),
        }
    }

    /// The same, with room for exactly the subsets that there are.
    fn choose_of<const SUBSETS: usize>(&mut self, sizes: &[usize], limit: f64) -> Option<FewPairs> {
        let values = &mut self.values[..];
        values[..=self.classes].fill(1.0);
        for &(label, class) in &self.labels {
            values[usize::from(class)] *= sizes[usize::from(label)].max(1) as f64;
        }
        for (number, &(earlier, class)) in (1 + self.classes..).zip(&self.products) {
            values[number] = values[usize::from(earlier)] * values[usize::from(class)];
        }
        let mut costs = [0.0f64; SUBSETS];
        let mut parts = [0u8; SUBSETS];
        let mut splits = self.splits.as_slice();
        for subset in &self.subsets {
            let (own, rest) = splits.split_at(usize::from(subset.splits));
            splits = rest;
            let elements = values[usize::from(subset.elements)];
            let (mut best, mut best_part) = (f64::INFINITY, own[0].part);
            for split in own {
                let cost = costs[usize::from(split.part) % SUBSETS]
                    + costs[usize::from(split.rest) % SUBSETS]
                    + split.multiply_add * (elements * values[usize::from(split.contracted)])
                    + split.matrix * values[usize::from(split.batch)];
                if cost < best {
                    (best, best_part) = (cost, split.part);
                }
            }
            let set = usize::from(subset.set) % SUBSETS;
            let inner = subset.set.count_ones() as usize != self.operands;
            costs[set] = if inner && elements > limit {
                f64::INFINITY
            } else {
                best + subset.element * elements
            };
            parts[set] = best_part;
        }
        let all = (1u8 << self.operands) - 1;
        if limit < f64::INFINITY && costs[usize::from(all)] == f64::INFINITY {
            return None;
        }
        let mut pairs = FewPairs {
            pairs: [(0, 0); MOST - 1],
            steps: 0,
        };
        self.emit(&parts, all, &mut pairs);
        Some(pairs)
    }

    fn emit(&self, parts: &[u8], subset: u8, pairs: &mut FewPairs) -> u32 {
        if subset & (subset - 1) == 0 {
            return subset.trailing_zeros();
        }
        let rest = subset & (subset - 1);
        let (left, right) = if rest & (rest - 1) == 0 {
            (subset.trailing_zeros(), rest.trailing_zeros())
        } else {
            let part = parts[usize::from(subset)];
            let left = self.emit(parts, part, pairs);
            (left, self.emit(parts, subset ^ part, pairs))
        };
        pairs.pairs[pairs.steps] = (left, right);
        pairs.steps += 1;
        (self.operands + pairs.steps - 1) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Random;

    fn settled(text: &str, cost: Cost) -> Option<Vec<(u32, u32)>> {
        let checked = crate::Subscripts::parse(text).unwrap().check().unwrap();
        let labels = checked.names.len();
        let mut table = Table::new(&checked.inputs, &checked.output, labels, cost, 0)?;
        table.prune();
        table.settled.map(|pairs| pairs.to_vec())
    }

    #[test]
    fn one_tree_for_all_sizes() {
        // A matrix and two vectors on its sides: vectors first, whatever the sizes.
        assert_eq!(
            settled("ij,j,j->i", Cost::Flops),
            Some([(1, 2), (0, 3)].to_vec())
        );
        // A chain has its best tree by the sizes.
        assert_eq!(settled("ij,jk,kl->il", Cost::Flops), None);
        assert_eq!(settled("ij,jk,kl->il", Cost::Time), None);
    }

    /// A pruned table chooses what the whole one does, for random networks and sizes.
    #[test]
    fn pruning_changes_no_choice() {
        let mut random = Random::new(7);
        let mut found = 0;
        for round in 0..600 {
            let operands = 3 + round % 4;
            let labels = 6;
            let mut term = || -> Vec<Label> {
                let mask = random.next() % 64;
                (0..6).filter(|l| mask >> l & 1 == 1).collect()
            };
            let inputs: Vec<Vec<Label>> = (0..operands).map(|_| term()).collect();
            let mut output = term();
            output.retain(|l| inputs.iter().any(|input| input.contains(l)));
            for cost in [Cost::Time, Cost::Flops] {
                let mut whole = Table::new(&inputs, &output, labels, cost, 0).unwrap();
                let mut pruned = whole.clone();
                pruned.prune();
                found += usize::from(pruned.settled.is_some());
                for _ in 0..6 {
                    let sizes: Vec<usize> =
                        (0..labels).map(|_| 2 << (random.next() % 10)).collect();
                    let price = |table: &mut Table| {
                        let tree = table.choose(&sizes, f64::INFINITY).unwrap();
                        crate::evaluate::evaluate(&inputs, &output, &sizes, &tree, cost).0
                    };
                    let (best, found) = (price(&mut whole), price(&mut pruned));
                    assert!(
                        found <= best * (1.0 + 1e-12),
                        "{inputs:?} {output:?} {sizes:?} {cost:?}: {found} {best}"
                    );
                }
            }
        }
        assert!(found > 20, "{found} of 1200");
    }

    /// Two real matrices come before a complex one where that saves enough, and not where all are of one type.
    #[test]
    fn real_operands_among_complex_ones() {
        let chain = [[0, 1], [1, 2], [2, 3]].map(Vec::from);
        let sizes = [100, 100, 100, 80];
        for cost in [Cost::Time, Cost::Flops] {
            let choose = |real: u32| {
                let mut table = Table::new(&chain, &[0, 3], 4, cost, real).unwrap();
                table.prune();
                table.choose(&sizes, f64::INFINITY).unwrap().to_vec()
            };
            assert_eq!(choose(0b011), [(0, 1), (3, 2)], "{cost:?}");
            for real in [0b000, 0b100, 0b110] {
                assert_eq!(choose(real), [(1, 2), (0, 3)], "{cost:?} {real:b}");
            }
        }
    }

    /// The table and the search without one agree, whatever is real.
    #[test]
    fn the_search_without_a_table_chooses_the_same() {
        let mut random = Random::new(8);
        let mut moved = 0;
        for round in 0..300 {
            let operands = 3 + round % 4;
            let mut term = || -> Vec<Label> {
                let mask = random.next() % 64;
                (0..6).filter(|l| mask >> l & 1 == 1).collect()
            };
            let inputs: Vec<Vec<Label>> = (0..operands).map(|_| term()).collect();
            let output: Vec<Label> = term();
            let real = random.next() as u32 & ((1 << operands) - 1);
            let sizes: Vec<usize> = (0..6).map(|_| 2 << (random.next() % 8)).collect();
            for cost in [Cost::Time, Cost::Flops] {
                let choose = |real: u32| {
                    let mut table = Table::new(&inputs, &output, 6, cost, real).unwrap();
                    table.choose(&sizes, f64::INFINITY).unwrap().to_vec()
                };
                let size = |label: Label| sizes[usize::from(label)];
                let mut problem = Problem::of_labels(&inputs, &output, 6, size).0;
                problem.real = real;
                let solution = crate::exact::solve_within(&problem, cost, f64::INFINITY).unwrap();
                assert_eq!(
                    choose(real),
                    solution.pairs(operands),
                    "{inputs:?} {real:b}"
                );
                moved += usize::from(choose(real) != choose(0));
            }
        }
        assert!(moved > 10, "{moved}");
    }
}
