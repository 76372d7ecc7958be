//! A priority queue of pairs.

use alloc::vec::Vec;

/// A pair of tensors and what speaks for it: the least is the best.
///
/// The bits of a float that is not negative are in the order of its values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Offer {
    pub(crate) first: u64,
    pub(crate) second: u64,
    /// The lower number of the two.
    pub(crate) low: u32,
    pub(crate) high: u32,
}

impl Offer {
    fn before(&self, other: &Offer) -> bool {
        if self.first != other.first {
            return self.first < other.first;
        }
        if self.second != other.second {
            return self.second < other.second;
        }
        (self.low, self.high) < (other.low, other.high)
    }
}

/// A binary heap in a vector, in plain loops: it is quick without optimisation, too, and compiled once.
pub(crate) struct Heap(Vec<Offer>);

impl Heap {
    pub(crate) fn with_capacity(offers: usize) -> Heap {
        Heap(Vec::with_capacity(offers))
    }

    pub(crate) fn push(&mut self, offer: Offer) {
        let mut at = self.0.len();
        self.0.push(offer);
        let list = &mut self.0[..];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !offer.before(&list[parent]) {
                break;
            }
            list[at] = list[parent];
            at = parent;
        }
        list[at] = offer;
    }

    pub(crate) fn pop(&mut self) -> Option<Offer> {
        let last = self.0.pop()?;
        let list = &mut self.0[..];
        if list.is_empty() {
            return Some(last);
        }
        let best = list[0];
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= list.len() {
                break;
            }
            if child + 1 < list.len() && list[child + 1].before(&list[child]) {
                child += 1;
            }
            if !list[child].before(&last) {
                break;
            }
            list[at] = list[child];
            at = child;
        }
        list[at] = last;
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_comes_first() {
        let mut random = crate::search::Random::new(3);
        let mut heap = Heap::with_capacity(4);
        let mut held: Vec<Offer> = Vec::new();
        for round in 0..4000u32 {
            if random.below(5) < 3 {
                let offer = Offer {
                    first: random.below(4),
                    second: random.below(4),
                    low: random.below(3) as u32,
                    high: round,
                };
                heap.push(offer);
                held.push(offer);
            } else {
                held.sort_by(|a, b| b.cmp(a));
                assert!(heap.pop() == held.pop());
            }
        }
    }
}
