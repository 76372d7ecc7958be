//! Sorted lists in the place of trees and of the standard library's sorts.
//!
//! What is sorted here are labels of a term, members of a group, mistakes of a text: short lists, in no hot loop. The
//! sorts and the B-trees of the standard library are made anew for every type of element, a hundred functions at a time,
//! and were half of what an unoptimised build of this crate compiled. A vector and a binary search are five.

use alloc::vec::Vec;

/// Sorts; equals stay in their order.
#[doc(hidden)]
pub fn sort_by<T>(items: &mut [T], before: impl Fn(&T, &T) -> bool) {
    for at in 1..items.len() {
        let mut place = at;
        while place > 0 && before(&items[place], &items[place - 1]) {
            items.swap(place, place - 1);
            place -= 1;
        }
    }
}

/// How many items come first, of those for which `before` says so: it holds for none behind one for which it does not.
fn place<T>(items: &[T], before: impl Fn(&T) -> bool) -> usize {
    let (mut from, mut to) = (0, items.len());
    while from < to {
        let middle = from.midpoint(to);
        if before(&items[middle]) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    from
}

pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::lt);
}

/// Puts an item in its place, unless it is there already.
pub(crate) fn insert<T: Ord>(items: &mut Vec<T>, item: T) -> bool {
    let place = place(items, |other| *other < item);
    let new = items.get(place).is_none_or(|other| *other != item);
    if new {
        items.insert(place, item);
    }
    new
}

/// Numbers keys in the order in which they are first met.
pub(crate) struct Numbers<K> {
    sorted: Vec<(K, usize)>,
}

impl<K: Ord> Numbers<K> {
    pub(crate) fn new() -> Self {
        Numbers { sorted: Vec::new() }
    }

    pub(crate) fn get(&self, key: &K) -> Option<usize> {
        let place = self.place(key);
        let (other, number) = self.sorted.get(place)?;
        (other == key).then_some(*number)
    }

    /// The number of a key, and whether this is the first time that it is met.
    pub(crate) fn number(&mut self, key: K) -> (usize, bool) {
        if let Some(number) = self.get(&key) {
            return (number, false);
        }
        let (place, number) = (self.place(&key), self.sorted.len());
        self.sorted.insert(place, (key, number));
        (number, true)
    }

    fn place(&self, key: &K) -> usize {
        place(&self.sorted, |(other, _)| other < key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_and_keeps_equals_in_their_order() {
        let mut items: Vec<(u32, usize)> =
            (0..200).map(|i| ((i * 7919) % 23, i as usize)).collect();
        let mut expected = items.clone();
        expected.sort();
        sort_by(&mut items, |a, b| a.0 < b.0);
        assert_eq!(items, expected);
        sort::<u32>(&mut []);
    }

    #[test]
    fn inserts_once() {
        let mut items = Vec::new();
        assert!(
            [3, 1, 2, 5]
                .into_iter()
                .all(|item| insert(&mut items, item))
        );
        assert!(![5, 1, 3].into_iter().any(|item| insert(&mut items, item)));
        assert_eq!(items, [1, 2, 3, 5]);
    }

    #[test]
    fn numbers_in_the_order_of_the_first_meeting() {
        let mut numbers = Numbers::new();
        let met: Vec<_> = ["k", "a", "k", "z", "a"]
            .into_iter()
            .map(|key| numbers.number(key))
            .collect();
        assert_eq!(
            met,
            [(0, true), (1, true), (0, false), (2, true), (1, false)]
        );
        assert_eq!((numbers.get(&"z"), numbers.get(&"b")), (Some(2), None));
    }
}
