//! The memory of prepared calls: bounded, keyed by plan and element type, checked by shapes and strides.

use std::any::TypeId;

use crate::engine::plan::PlanKey;
use crate::engine::prepare::Recipe;
use crate::engine::raw::{Layout, MemoryOrder, Target};
use crate::error::EinsumError;

/// Sets of the table, a power of two.
const SETS: usize = 64;
/// Prepared calls of one set: as many calls whose keys collide, or as many sizes of one plan, are kept.
const WAYS: usize = 4;

/// A prepared call and what it was prepared for.
#[derive(Debug)]
pub(crate) struct Entry {
    key: PlanKey,
    element: TypeId,
    threads: usize,
    /// Of a fresh result.
    order: Option<MemoryOrder>,
    /// Rank, whether it is real and conjugated, shape and strides of each operand, and of the output unless it is fresh, behind one another.
    layout: Box<[isize]>,
    pub(crate) recipe: Recipe,
}

/// A set-associative table. Which calls it forgets depends on the calls before, what a call computes never does:
/// a forgotten call is prepared again, to the same kernels.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// Allocated at the first call, so that an engine costs nothing before.
    sets: Vec<Set>,
    stats: CacheStats,
    /// Where the last call was found or put.
    #[cfg(feature = "report")]
    last: Option<(usize, usize)>,
}

#[derive(Debug, Default)]
struct Set {
    ways: [Option<Box<Entry>>; WAYS],
    /// The way to replace next.
    oldest: usize,
}

/// How often a call found its preparation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CacheStats {
    pub(crate) hits: u64,
    pub(crate) misses: u64,
}

impl Cache {
    pub(crate) const fn new() -> Self {
        Cache {
            sets: Vec::new(),
            stats: CacheStats { hits: 0, misses: 0 },
            #[cfg(feature = "report")]
            last: None,
        }
    }

    /// What the last call ran, if it is remembered.
    #[cfg(feature = "report")]
    pub(crate) fn last(&self) -> Option<&Recipe> {
        let (set, way) = self.last?;
        Some(&self.sets.get(set)?.ways[way].as_ref()?.recipe)
    }

    /// The last call is one that is not remembered.
    pub(crate) fn forget_last(&mut self) {
        #[cfg(feature = "report")]
        {
            self.last = None;
        }
    }

    /// The recipe for a call of this plan with elements `element`, prepared by `prepare` unless it is remembered.
    pub(crate) fn find(
        &mut self,
        key: PlanKey,
        element: TypeId,
        threads: usize,
        operands: &[Layout<'_>],
        target: Target<'_>,
        prepare: &mut dyn FnMut() -> Result<Recipe, EinsumError>,
    ) -> Result<&Recipe, EinsumError> {
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, Set::default);
        }
        self.forget_last();
        let order = target.order();
        let set = &mut self.sets[set_of(key)];
        let found = set.ways.iter().position(|way| {
            way.as_ref().is_some_and(|e| {
                e.key == key
                    && e.element == element
                    && e.threads == threads
                    && e.order == order
                    && fits(&e.layout, operands, target)
            })
        });
        let way = match found {
            Some(way) => {
                self.stats.hits += 1;
                way
            }
            None => {
                let recipe = prepare()?;
                self.stats.misses += 1;
                let way = set.oldest;
                set.oldest = (way + 1) % WAYS;
                set.ways[way] = Some(Box::new(Entry {
                    key,
                    element,
                    threads,
                    order,
                    layout: layout(operands, target),
                    recipe,
                }));
                way
            }
        };
        #[cfg(feature = "report")]
        {
            self.last = Some((set_of(key), way));
        }
        Ok(&set.ways[way].as_ref().expect("found or just filled").recipe)
    }

    pub(crate) fn stats(&self) -> CacheStats {
        self.stats
    }

    pub(crate) fn clear(&mut self) {
        self.sets = Vec::new();
        self.forget_last();
    }
}

/// Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4): the top bits of a product.
fn set_of(key: PlanKey) -> usize {
    let word = match key {
        PlanKey::Constant(address) => address as u64,
        PlanKey::Parsed(number) => number.rotate_left(32),
    };
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SETS.trailing_zeros())) as usize
}

/// The rank with what else is known of it, shape and strides of the operands, then of a given output.
fn layouts<'a>(
    operands: &'a [Layout<'_>],
    target: Target<'a>,
) -> impl Iterator<Item = (isize, &'a [usize], &'a [isize])> {
    let word = |shape: &[usize], real, conj| {
        (shape.len() as isize) << 2 | isize::from(real) << 1 | isize::from(conj)
    };
    let operands = operands
        .iter()
        .map(move |o| (word(o.shape, o.real, o.conj), o.shape, o.strides));
    let given = target.given().into_iter();
    operands.chain(given.map(move |(shape, strides)| (word(shape, false, false), shape, strides)))
}

pub(super) fn layout(operands: &[Layout<'_>], target: Target<'_>) -> Box<[isize]> {
    let mut words = Vec::new();
    for (word, shape, strides) in layouts(operands, target) {
        words.push(word);
        words.extend(shape.iter().map(|&len| len as isize));
        words.extend_from_slice(strides);
    }
    words.into()
}

pub(super) fn fits(layout: &[isize], operands: &[Layout<'_>], target: Target<'_>) -> bool {
    let mut words = layout;
    for (word, shape, strides) in layouts(operands, target) {
        let rank = shape.len();
        let Some((&first, rest)) = words.split_first() else {
            return false;
        };
        if first != word || rest.len() < 2 * rank {
            return false;
        }
        let (lens, rest) = rest.split_at(rank);
        let (steps, rest) = rest.split_at(rank);
        // A few words, compared here: a call of the system's comparison for each would take longer.
        let mut differ = 0;
        for (&known, &len) in lens.iter().zip(shape) {
            differ |= known ^ len as isize;
        }
        for (&known, &stride) in steps.iter().zip(strides) {
            differ |= known ^ stride;
        }
        if differ != 0 {
            return false;
        }
        words = rest;
    }
    words.is_empty()
}
