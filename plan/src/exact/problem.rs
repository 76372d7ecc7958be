//! Tensors to be contracted to one, as sets of classes of labels.

use crate::lists::Listed;
use alloc::vec::Vec;

use crate::spec::Label;

/// A set of classes.
pub(crate) type Set = u128;

/// Tensors and what is to be left of them.
///
/// Labels that stand in the same tensors, and are kept or not alike, act as one: they are a class, whose size is the
/// product of theirs. Six tensors have at most 126 classes.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// The classes that each tensor carries, without those that only it carries and the result does not.
    pub(crate) tensors: Vec<Set>,
    /// The classes that the result keeps.
    pub(crate) kept: Set,
    /// The size of each class.
    pub(crate) sizes: Vec<f64>,
    /// Tensors that are real among complex ones, by bits; none where no others are.
    pub(crate) real: u32,
    /// For each class, the tensors that carry it (by bits) and whether the result keeps it.
    keys: Vec<(u32, bool)>,
}

impl Problem {
    pub(crate) fn new(tensors: usize) -> Problem {
        Problem {
            tensors: alloc::vec![0; tensors],
            kept: 0,
            real: 0,
            sizes: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// Adds a label in these tensors, and returns its class: `None` for a label without a part in the order, or
    /// where there are too many classes.
    pub(crate) fn add(&mut self, carriers: u32, kept: bool, size: f64) -> Option<usize> {
        if carriers == 0 || (!kept && carriers.is_power_of_two()) {
            return None;
        }
        let key = (carriers, kept);
        if let Some(class) = self.keys.iter().position(|known| *known == key) {
            self.sizes[class] *= size;
            return Some(class);
        }
        let class = self.keys.len();
        if class >= Set::BITS as usize {
            return None;
        }
        self.keys.push(key);
        self.sizes.push(size);
        let mut rest = carriers;
        while rest != 0 {
            self.tensors[rest.trailing_zeros() as usize] |= 1 << class;
            rest &= rest - 1;
        }
        if kept {
            self.kept |= 1 << class;
        }
        Some(class)
    }

    /// The problem of these tensors, and the class of each label. `size` gives the size of a label; 0 counts as 1, so
    /// that an empty axis does not make all orders equal.
    pub(crate) fn of_labels(
        tensors: &[impl AsRef<[Label]>],
        kept: &[Label],
        labels: usize,
        size: impl Fn(Label) -> usize,
    ) -> (Problem, Vec<Option<u8>>) {
        let mut carriers = alloc::vec![0u32; labels];
        for (at, tensor) in tensors.iter().enumerate() {
            for &label in tensor.as_ref() {
                carriers[usize::from(label)] |= 1 << at;
            }
        }
        let mut in_kept = alloc::vec![false; labels];
        for &label in kept {
            in_kept[usize::from(label)] = true;
        }
        let mut problem = Problem::new(tensors.len());
        let class = |label: usize| {
            let size = size(label as Label).max(1) as f64;
            problem
                .add(carriers[label], in_kept[label], size)
                .map(|class| class as u8)
        };
        let classes = (0..labels).map(class).listed();
        (problem, classes)
    }

    /// The product of the sizes of some classes.
    pub(crate) fn volume(&self, set: Set) -> f64 {
        volume(set, &self.sizes)
    }
}

/// The product of the sizes of some classes.
#[inline]
pub(crate) fn volume(mut set: Set, sizes: &[f64]) -> f64 {
    let mut product = 1.0;
    while set != 0 {
        product *= sizes[set.trailing_zeros() as usize];
        set &= set - 1;
    }
    product
}

/// What the subsets of a problem's tensors carry: index s stands for the tensors whose bits are set in s.
pub(crate) fn carried(problem: &Problem) -> Vec<Set> {
    let all = (1usize << problem.tensors.len()) - 1;
    let mut union: Vec<Set> = alloc::vec![0; all + 1];
    for subset in 1..=all {
        let first = subset.trailing_zeros() as usize;
        union[subset] = union[subset & (subset - 1)] | problem.tensors[first];
    }
    (0..=all)
        .map(|subset| union[subset] & (problem.kept | union[all ^ subset]))
        .listed()
}
