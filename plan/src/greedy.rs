//! The greedy order.

use crate::lists::Listed;
use alloc::{collections::BinaryHeap, vec::Vec};
use core::cmp::Reverse;

use crate::{
    groups::{Groups, Member},
    magnitude::Magnitude,
    order::Tree,
    sorted::{insert, sort},
    spec::Label,
};

/// Of the tensors that carry a label, this many (the smallest) are considered as partners.
const WINDOW: usize = 16;

/// The greedy contraction tree: of all pairs that share a label, contracts the one with the smallest result; of
/// equals the one with the fewest multiply-adds; of those the one with the lowest tensors. What shares no label any
/// more is multiplied last, the smallest tensors first.
///
/// Of the tensors that carry one label, only the 16 smallest count as partners by that label, so that a label in a
/// thousand operands costs no more than a thousand labels; with fewer carriers the rule is exact. `carried` are the
/// distinct labels of each operand, `output` those of the result, `sizes` the size of each label (0 counts as 1);
/// `groups` are contracted inside before anything outside touches them.
pub fn greedy(
    carried: &[Vec<Label>],
    output: &[Label],
    sizes: &[usize],
    groups: Option<&Groups>,
) -> Tree {
    if carried.len() < 2 {
        return Tree::default();
    }
    let mut planner = Planner::new(carried, output, sizes);
    let all;
    let groups = match groups {
        Some(groups) if !groups.is_empty() => groups,
        _ => {
            all = Groups::all(carried.len());
            &all
        }
    };
    let mut results: Vec<u32> = Vec::with_capacity(groups.len());
    for members in groups.iter() {
        let tensor = |member: &Member| match *member {
            Member::Operand(operand) => operand,
            Member::Group(group) => results[group as usize],
        };
        let members: Vec<u32> = members.iter().map(tensor).listed();
        results.push(planner.contract(members));
    }
    Tree::canonical(planner.pairs, carried.len())
}

/// A pair and what speaks for it; the least is the best.
type Candidate = (Magnitude, Magnitude, u32, u32);

struct Planner {
    /// Size of each label.
    sizes: Vec<Magnitude>,
    /// Operands and results so far: their labels in increasing order.
    tensors: Vec<Vec<Label>>,
    /// Elements of each.
    elements: Vec<Magnitude>,
    live: Vec<bool>,
    /// For each label, how many live tensors carry it, and one more if the output names it.
    users: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl Planner {
    fn new(carried: &[Vec<Label>], output: &[Label], sizes: &[usize]) -> Planner {
        let mut users = alloc::vec![0u32; sizes.len()];
        for &label in carried.iter().flatten() {
            users[usize::from(label)] += 1;
        }
        let mut named = alloc::vec![false; sizes.len()];
        for &label in output {
            if !core::mem::replace(&mut named[usize::from(label)], true) {
                users[usize::from(label)] += 1;
            }
        }
        let mut planner = Planner {
            sizes: sizes.iter().map(|&size| Magnitude::of(size)).listed(),
            tensors: Vec::with_capacity(2 * carried.len()),
            elements: Vec::with_capacity(2 * carried.len()),
            live: Vec::with_capacity(2 * carried.len()),
            users,
            pairs: Vec::with_capacity(carried.len()),
        };
        for labels in carried {
            // A label with one user is summed before anything else, whatever the order.
            let mut labels: Vec<Label> = labels
                .iter()
                .copied()
                .filter(|&l| planner.users[usize::from(l)] > 1)
                .listed();
            sort(&mut labels);
            planner.add(labels);
        }
        planner
    }

    fn add(&mut self, labels: Vec<Label>) -> u32 {
        let size = |&label: &Label| self.sizes[usize::from(label)];
        self.elements.push(
            labels
                .iter()
                .map(size)
                .fold(Magnitude::ONE, Magnitude::times),
        );
        self.tensors.push(labels);
        self.live.push(true);
        self.tensors.len() as u32 - 1
    }

    /// Result and multiply-adds of a pair.
    ///
    /// Neither changes while both are alive: as long as a third tensor carries a label of theirs, its successor does.
    fn candidate(&self, a: u32, b: u32) -> Candidate {
        let (mut few, mut many) = (&self.tensors[a as usize], &self.tensors[b as usize]);
        if few.len() > many.len() {
            (few, many) = (many, few);
        }
        let mut work = self.elements[a as usize].times(self.elements[b as usize]);
        let mut summed = Magnitude::ONE;
        for label in few {
            if many.binary_search(label).is_ok() {
                let size = self.sizes[usize::from(*label)];
                work = work.over(size);
                if self.users[usize::from(*label)] == 2 {
                    summed = summed.times(size);
                }
            }
        }
        (work.over(summed), work, a.min(b), a.max(b))
    }

    /// Contracts two tensors.
    fn join(&mut self, a: u32, b: u32) -> u32 {
        let (left, right) = (&self.tensors[a as usize], &self.tensors[b as usize]);
        let mut labels = Vec::with_capacity(left.len() + right.len());
        let (mut i, mut j) = (0, 0);
        while i < left.len() || j < right.len() {
            let (l, r) = (left.get(i).copied(), right.get(j).copied());
            if l == r {
                let label = left[i];
                let users = &mut self.users[usize::from(label)];
                *users -= 1;
                if *users > 1 {
                    labels.push(label);
                }
                i += 1;
                j += 1;
            } else if r.is_none_or(|r| l.is_some_and(|l| l < r)) {
                labels.push(left[i]);
                i += 1;
            } else {
                labels.push(right[j]);
                j += 1;
            }
        }
        self.live[a as usize] = false;
        self.live[b as usize] = false;
        self.pairs.push((a, b));
        self.add(labels)
    }

    /// Contracts all members to one tensor.
    fn contract(&mut self, members: Vec<u32>) -> u32 {
        match members.as_slice() {
            [one] => return *one,
            [a, b] => return self.join(*a, *b),
            _ => {}
        }
        let mut market = Market::new(self, &members);
        for &member in &members {
            market.insert(self, member);
        }
        for at in 0..market.carriers.len() {
            market.refresh(self, market.carriers[at].label);
        }
        while let Some(Reverse((_, _, a, b))) = market.candidates.pop() {
            if !(self.live[a as usize] && self.live[b as usize]) {
                continue;
            }
            market.remove(self, a);
            market.remove(self, b);
            let mut touched = [
                self.tensors[a as usize].as_slice(),
                self.tensors[b as usize].as_slice(),
            ]
            .concat();
            sort(&mut touched);
            touched.dedup();
            let result = self.join(a, b);
            market.insert(self, result);
            for label in touched {
                market.refresh(self, label);
            }
        }
        let mut rest = market.all;
        while let [(_, a), (_, b), ..] = rest[..] {
            rest.drain(..2);
            let result = self.join(a, b);
            insert(&mut rest, (self.elements[result as usize], result));
        }
        // A group has members, and two of them always leave one.
        rest.first().map_or(0, |&(_, last)| last)
    }
}

/// The tensors of a group, and the pairs among them that are worth a look.
struct Market {
    /// In increasing order, as all lists here.
    all: Vec<(Magnitude, u32)>,
    carriers: Vec<Carriers>,
    candidates: BinaryHeap<Reverse<Candidate>>,
    /// For each tensor the later ones with which it has been a candidate.
    seen: Vec<Vec<u32>>,
}

struct Carriers {
    label: Label,
    by_size: Vec<(Magnitude, u32)>,
    /// The first of `by_size`, all pairs of which are candidates.
    window: Vec<u32>,
}

impl Market {
    fn new(planner: &Planner, members: &[u32]) -> Market {
        let mut met = alloc::vec![false; planner.sizes.len()];
        for &member in members {
            for &label in &planner.tensors[member as usize] {
                met[usize::from(label)] = true;
            }
        }
        let carriers = (0..).zip(met).filter(|&(_, met)| met);
        Market {
            all: Vec::new(),
            carriers: carriers
                .map(|(label, _)| Carriers {
                    label,
                    by_size: Vec::new(),
                    window: Vec::new(),
                })
                .listed(),
            candidates: BinaryHeap::new(),
            seen: Vec::new(),
        }
    }

    fn carriers(&mut self, label: Label) -> Option<&mut Carriers> {
        let at = self.carriers.binary_search_by_key(&label, |c| c.label);
        self.carriers.get_mut(at.ok()?)
    }

    fn insert(&mut self, planner: &Planner, tensor: u32) {
        let key = (planner.elements[tensor as usize], tensor);
        insert(&mut self.all, key);
        for &label in &planner.tensors[tensor as usize] {
            if let Some(carriers) = self.carriers(label) {
                insert(&mut carriers.by_size, key);
            }
        }
    }

    fn remove(&mut self, planner: &Planner, tensor: u32) {
        let key = (planner.elements[tensor as usize], tensor);
        remove(&mut self.all, key);
        for &label in &planner.tensors[tensor as usize] {
            if let Some(carriers) = self.carriers(label) {
                remove(&mut carriers.by_size, key);
            }
        }
    }

    /// Makes candidates of the pairs that have come into the window of a label.
    fn refresh(&mut self, planner: &Planner, label: Label) {
        let Some(carriers) = self.carriers(label) else {
            return;
        };
        let smallest = carriers.by_size.iter().take(WINDOW);
        let window: Vec<u32> = smallest.map(|&(_, tensor)| tensor).listed();
        let old = core::mem::replace(&mut carriers.window, window.clone());
        self.seen.resize(planner.tensors.len(), Vec::new());
        for &new in window.iter().filter(|tensor| !old.contains(tensor)) {
            for &other in &window {
                // Two tensors may share many labels; one candidate will do.
                if other != new && insert(&mut self.seen[new.min(other) as usize], new.max(other)) {
                    self.candidates.push(Reverse(planner.candidate(new, other)));
                }
            }
        }
    }
}

fn remove(keys: &mut Vec<(Magnitude, u32)>, key: (Magnitude, u32)) {
    if let Ok(at) = keys.binary_search(&key) {
        keys.remove(at);
    }
}
