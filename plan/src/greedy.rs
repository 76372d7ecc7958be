//! The greedy order.

use crate::lists::Listed;
use alloc::vec::Vec;

use crate::{
    groups::{Groups, Member},
    heap::{Heap, Offer},
    order::Tree,
    spec::Label,
};

/// Of the tensors that carry a label, this many (the smallest) are considered as partners.
const WINDOW: usize = 16;

/// Numbers of elements saturate here.
const CAP: f64 = 1e300;

/// What a greedy order makes small in each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Score {
    /// The result; of equals, the multiply-adds.
    Result,
    /// The result times what it is beyond the larger of the two: makes less of small results that use up small tensors,
    /// which the others will miss. The better one on networks with loops.
    Growth,
}

/// The greedy contraction tree: of all pairs that share a label, contracts the one with the smallest result; of
/// equals the one with the fewest multiply-adds; of those the one with the lowest tensors. What shares no label any
/// more is multiplied last, the smallest tensors first.
///
/// Of the tensors that carry one label, only the 16 smallest count as partners by that label, so that a label in a
/// thousand operands costs no more than a thousand labels; with fewer carriers the rule is exact. `carried` are the
/// distinct labels of each operand, `output` those of the result, `sizes` the size of each label (0 counts as 1);
/// `groups` are contracted inside before anything outside touches them. Numbers of elements saturate at 1e300.
pub fn greedy(
    carried: &[Vec<Label>],
    output: &[Label],
    sizes: &[usize],
    groups: Option<&Groups>,
) -> Tree {
    greedy_by(Score::Result, carried, output, sizes, groups)
}

pub(crate) fn greedy_by(
    score: Score,
    carried: &[Vec<Label>],
    output: &[Label],
    sizes: &[usize],
    groups: Option<&Groups>,
) -> Tree {
    if carried.len() < 2 {
        return Tree::default();
    }
    let mut planner = Planner::new(score, carried, output, sizes);
    match groups {
        Some(groups) if !groups.is_empty() => {
            let mut results: Vec<u32> = Vec::with_capacity(groups.len());
            for members in groups.iter() {
                let tensor = |member: &Member| match *member {
                    Member::Operand(operand) => operand,
                    Member::Group(group) => results[group as usize],
                };
                let members: Vec<u32> = members.iter().map(tensor).listed();
                results.push(planner.contract(&members));
            }
        }
        _ => {
            let members: Vec<u32> = (0..carried.len() as u32).listed();
            planner.contract(&members);
        }
    }
    Tree::canonical(planner.pairs, carried.len())
}

/// How many tensors carry each label, and one more if the output names it.
pub(crate) fn users(carried: &[Vec<Label>], output: &[Label], labels: usize) -> Vec<u32> {
    let mut users = alloc::vec![0u32; labels];
    for term in carried {
        for &label in term {
            users[usize::from(label)] += 1;
        }
    }
    for (at, label) in output.iter().enumerate() {
        if !output[..at].contains(label) {
            users[usize::from(*label)] += 1;
        }
    }
    users
}

struct Planner {
    score: Score,
    /// Size of each label.
    sizes: Vec<f64>,
    /// The labels of operands and results so far, behind one another, and where those of each tensor end.
    labels: Vec<Label>,
    ends: Vec<u32>,
    /// Elements of each tensor.
    elements: Vec<f64>,
    live: Vec<bool>,
    /// For each label, how many live tensors carry it, and one more if the output names it.
    users: Vec<u32>,
    /// For each label the tensors of the group that carry it, the smallest first: where its room in `carriers` begins
    /// and how many there are.
    rooms: Vec<(u32, u32)>,
    carriers: Vec<u32>,
    offers: Heap,
    /// By label: whether the tensor last [`marked`](Planner::mark) carries it.
    marks: Vec<u32>,
    marked: u32,
    /// By tensor: the mark with which it has been offered last.
    met: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl Planner {
    fn new(score: Score, carried: &[Vec<Label>], output: &[Label], sizes: &[usize]) -> Planner {
        let operands = carried.len();
        let users = users(carried, output, sizes.len());
        let mut axes = 0;
        let mut rooms = Vec::with_capacity(sizes.len());
        for &users in &users {
            rooms.push((axes, 0));
            axes += users;
        }
        let axes = axes as usize;
        let mut planner = Planner {
            score,
            sizes: Vec::with_capacity(sizes.len()),
            labels: Vec::with_capacity(2 * axes),
            ends: Vec::with_capacity(2 * operands),
            elements: Vec::with_capacity(2 * operands),
            live: Vec::with_capacity(2 * operands),
            users,
            rooms,
            carriers: alloc::vec![0; axes],
            offers: Heap::with_capacity(2 * axes),
            marks: alloc::vec![0; sizes.len()],
            marked: 0,
            met: Vec::with_capacity(2 * operands),
            pairs: Vec::with_capacity(operands),
        };
        for &size in sizes {
            planner.sizes.push(size.max(1) as f64);
        }
        for term in carried {
            // A label with one user is summed before anything else, whatever the order.
            for &label in term {
                if planner.users[usize::from(label)] > 1 {
                    planner.labels.push(label);
                }
            }
            planner.add();
        }
        planner
    }

    fn start(&self, tensor: u32) -> usize {
        match tensor {
            0 => 0,
            tensor => self.ends[tensor as usize - 1] as usize,
        }
    }

    fn labels(&self, tensor: u32) -> core::ops::Range<usize> {
        self.start(tensor)..self.ends[tensor as usize] as usize
    }

    /// The tensor whose labels stand behind those of all others.
    fn add(&mut self) -> u32 {
        let tensor = self.ends.len() as u32;
        let mut elements = 1.0;
        for &label in &self.labels[self.ends.last().map_or(0, |&end| end as usize)..] {
            elements *= self.sizes[usize::from(label)];
        }
        self.elements.push(elements.min(CAP));
        self.ends.push(self.labels.len() as u32);
        self.live.push(true);
        self.met.push(0);
        tensor
    }

    /// Marks the labels of a tensor.
    fn mark(&mut self, tensor: u32) {
        self.marked += 1;
        for at in self.labels(tensor) {
            self.marks[usize::from(self.labels[at])] = self.marked;
        }
    }

    /// Contracts two tensors.
    fn join(&mut self, a: u32, b: u32) -> u32 {
        self.mark(b);
        for at in self.labels(a) {
            let label = self.labels[at];
            let l = usize::from(label);
            if self.marks[l] == self.marked {
                self.marks[l] = 0;
                self.users[l] -= 1;
                if self.users[l] == 1 {
                    continue;
                }
            }
            self.labels.push(label);
        }
        for at in self.labels(b) {
            let label = self.labels[at];
            if self.marks[usize::from(label)] == self.marked {
                self.labels.push(label);
            }
        }
        self.live[a as usize] = false;
        self.live[b as usize] = false;
        self.pairs.push((a, b));
        self.add()
    }

    /// Contracts all members to one tensor.
    fn contract(&mut self, members: &[u32]) -> u32 {
        match *members {
            [one] => return one,
            [a, b] => return self.join(a, b),
            _ => {}
        }
        for &member in members {
            for at in self.labels(member) {
                self.rooms[usize::from(self.labels[at])].1 = 0;
            }
        }
        for &member in members {
            self.enter(member);
        }
        for &member in members {
            self.offer(member, true);
        }
        let first = self.ends.len() as u32;
        // Labels that have got new partners, and how many.
        let mut entered: Vec<(Label, usize)> = Vec::new();
        while let Some(Offer { low, high, .. }) = self.offers.pop() {
            if !(self.live[low as usize] && self.live[high as usize]) {
                continue;
            }
            entered.clear();
            self.leave(low, &mut entered);
            self.leave(high, &mut entered);
            let result = self.join(low, high);
            self.enter(result);
            self.offer(result, false);
            for &(label, count) in &entered {
                self.offer_last(label, count + 1, result);
            }
        }
        // What is left shares no labels.
        let mut rest: Vec<u32> = Vec::new();
        for &member in members {
            self.queue(&mut rest, member);
        }
        for tensor in first..self.ends.len() as u32 {
            self.queue(&mut rest, tensor);
        }
        let mut next = 0;
        while let [a, b, ..] = rest[next..] {
            next += 2;
            let result = self.join(a, b);
            self.queue(&mut rest, result);
        }
        rest[next]
    }

    /// Puts a tensor into a list, the smallest first, unless it has been used up.
    fn queue(&self, list: &mut Vec<u32>, tensor: u32) {
        if !self.live[tensor as usize] {
            return;
        }
        let mut at = list.len();
        while at > 0 && self.smaller(tensor, list[at - 1]) {
            at -= 1;
        }
        list.insert(at, tensor);
    }

    fn smaller(&self, a: u32, b: u32) -> bool {
        let (first, second) = (self.elements[a as usize], self.elements[b as usize]);
        first < second || first == second && a < b
    }

    /// Makes a tensor a partner by its labels.
    fn enter(&mut self, tensor: u32) {
        for at in self.labels(tensor) {
            let label = usize::from(self.labels[at]);
            let (from, count) = self.rooms[label];
            let mut place = (from + count) as usize;
            while place > from as usize && self.smaller(tensor, self.carriers[place - 1]) {
                self.carriers[place] = self.carriers[place - 1];
                place -= 1;
            }
            self.carriers[place] = tensor;
            self.rooms[label].1 += 1;
        }
    }

    /// Takes a tensor away. Where others become partners in its place, notes the label.
    fn leave(&mut self, tensor: u32, entered: &mut Vec<(Label, usize)>) {
        for at in self.labels(tensor) {
            let label = self.labels[at];
            let (from, count) = self.rooms[usize::from(label)];
            let carriers = &mut self.carriers[from as usize..(from + count) as usize];
            let mut place = 0;
            while carriers[place] != tensor {
                place += 1;
            }
            if place < WINDOW && carriers.len() > WINDOW {
                match entered.iter_mut().find(|(known, _)| *known == label) {
                    Some((_, count)) => *count += 1,
                    None => entered.push((label, 1)),
                }
            }
            while place + 1 < carriers.len() {
                carriers[place] = carriers[place + 1];
                place += 1;
            }
            self.rooms[usize::from(label)].1 -= 1;
        }
    }

    /// The partners by a label.
    fn window(&self, label: Label) -> core::ops::Range<usize> {
        let (from, count) = self.rooms[usize::from(label)];
        from as usize..from as usize + WINDOW.min(count as usize)
    }

    /// Offers a tensor together with each of its partners, or only with those that come after it.
    fn offer(&mut self, tensor: u32, later: bool) {
        self.mark(tensor);
        for at in self.labels(tensor) {
            let window = self.window(self.labels[at]);
            // There are always two users of a label, but one may be the output.
            if window.len() == WINDOW && !self.carriers[window.clone()].contains(&tensor) {
                continue;
            }
            for at in window {
                let other = self.carriers[at];
                if other != tensor
                    && self.met[other as usize] != self.marked
                    && (!later || other > tensor)
                {
                    self.met[other as usize] = self.marked;
                    self.push(tensor, other);
                }
            }
        }
    }

    /// Offers the last partners by a label, except one, together with all others.
    fn offer_last(&mut self, label: Label, count: usize, except: u32) {
        let window = self.window(label);
        let from = window.start.max(window.end.saturating_sub(count));
        for at in from..window.end {
            let tensor = self.carriers[at];
            if tensor == except {
                continue;
            }
            self.mark(tensor);
            for at in window.clone() {
                if self.carriers[at] != tensor {
                    self.push(tensor, self.carriers[at]);
                }
            }
        }
    }

    /// Offers a pair, the labels of the first being marked.
    ///
    /// What speaks for it does not change while both are alive: as long as a third tensor carries a label of theirs, its
    /// successor does.
    fn push(&mut self, tensor: u32, other: u32) {
        let (a, b) = (
            self.elements[tensor as usize],
            self.elements[other as usize],
        );
        let (mut shared, mut summed) = (1.0, 1.0);
        for &label in &self.labels[self.labels(other)] {
            let label = usize::from(label);
            if self.marks[label] == self.marked {
                shared *= self.sizes[label];
                if self.users[label] == 2 {
                    summed *= self.sizes[label];
                }
            }
        }
        // Infinite is beyond the cap as well; what is shared by both cannot be larger than either.
        let work = (a / shared * b).min(CAP);
        let result = work / summed;
        let score = match self.score {
            Score::Result => result,
            Score::Growth => result * (result / a.max(b)),
        };
        self.offers.push(Offer {
            first: score.to_bits(),
            second: work.to_bits(),
            low: tensor.min(other),
            high: tensor.max(other),
        });
    }
}
