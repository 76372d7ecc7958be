//! The memory of prepared calls: bounded, keyed by plan and element type, checked by shapes and strides.

use std::any::TypeId;

#[cfg(feature = "report")]
use cteinsum_plan::Spec;

use crate::engine::plan::PlanKey;
#[cfg(feature = "report")]
use crate::engine::prepare::Elements;
use crate::engine::prepare::Recipe;
use crate::engine::raw::{Layout, MemoryOrder, Target};

/// Sets of the table, a power of two. Until one set is full there is only that one, so that an engine of few calls is cheap.
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
    order: MemoryOrder,
    /// Rank, whether it is real and conjugated, shape and strides of each operand, and of the output unless it is fresh, behind one another.
    layout: Box<[isize]>,
    pub(crate) recipe: Recipe,
}

/// A set-associative table. Which calls it forgets depends on the calls before, what a call computes never does:
/// a forgotten call is prepared again, to the same kernels.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// None before the first call, then one, then [`SETS`].
    sets: Vec<Set>,
    stats: CacheStats,
    /// What the last call was.
    #[cfg(feature = "report")]
    last: Last,
}

/// What the last call was.
#[cfg(feature = "report")]
#[derive(Debug, Default)]
pub(crate) enum Last {
    /// Forgotten, or one that failed.
    #[default]
    Nothing,
    /// One that was found or put there.
    At(At),
    /// One that needs no preparation.
    Small(Small),
}

/// A small product that ran without being looked up: what it is prepared from, should somebody ask what ran.
#[cfg(feature = "report")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Small {
    pub(crate) spec: &'static Spec<'static>,
    pub(crate) elements: &'static Elements,
    /// Of new memory, unless the output is given.
    pub(crate) order: MemoryOrder,
    pub(crate) given: bool,
    /// The operands and a given output.
    pub(crate) arrays: [SmallArray; 3],
}

/// Rank, and as many lengths and strides.
#[cfg(feature = "report")]
pub(crate) type SmallArray = (usize, [usize; 3], [isize; 3]);

/// Where a recipe is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    set: usize,
    way: usize,
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
            last: Last::Nothing,
        }
    }

    /// What the last call ran, if it is remembered, or the small product that it was.
    #[cfg(feature = "report")]
    pub(crate) fn last(&self) -> Option<Result<&Recipe, &Small>> {
        match &self.last {
            Last::Nothing => None,
            &Last::At(At { set, way }) => Some(Ok(&self.sets.get(set)?.ways[way].as_ref()?.recipe)),
            Last::Small(small) => Some(Err(small)),
        }
    }

    /// The last call is a small product, which nothing is remembered of.
    #[cfg(feature = "report")]
    #[inline(never)]
    pub(crate) fn ran_small(
        &mut self,
        (spec, elements): (&'static Spec<'static>, &'static Elements),
        operands: &[Layout<'_>],
        target: Target<'_>,
    ) {
        let mut arrays = [(0, [0; 3], [0; 3]); 3];
        let all = operands
            .iter()
            .map(|operand| (operand.shape, operand.strides));
        let given = target.given.map(|given| (given.shape, given.strides));
        for (to, (shape, strides)) in arrays.iter_mut().zip(all.chain(given)) {
            to.0 = shape.len();
            for axis in 0..shape.len().min(3) {
                (to.1[axis], to.2[axis]) = (shape[axis], strides[axis]);
            }
        }
        self.last = Last::Small(Small {
            spec,
            elements,
            order: target.order,
            given: target.given.is_some(),
            arrays,
        });
    }

    /// The last call is one that is not remembered, or failed.
    pub(crate) fn forget_last(&mut self) {
        #[cfg(feature = "report")]
        {
            self.last = Last::Nothing;
        }
    }

    /// The place of the recipe for a call of this plan, if it is remembered.
    #[inline]
    pub(crate) fn find(
        &mut self,
        (key, element, threads): (PlanKey, &TypeId, usize),
        operands: &[Layout<'_>],
        target: Target<'_>,
    ) -> Option<At> {
        let set = set_of(key, self.sets.len());
        let ways = &self.sets.get(set)?.ways;
        let way = ways.iter().position(|way| {
            way.as_ref().is_some_and(|e| {
                e.key == key
                    && e.element == *element
                    && e.threads == threads
                    && e.order == target.order
                    && fits(&e.layout, operands, target)
            })
        })?;
        self.stats.hits += 1;
        Some(At { set, way })
    }

    /// Remembers a recipe.
    pub(crate) fn keep(
        &mut self,
        (key, element, threads): (PlanKey, &TypeId, usize),
        operands: &[Layout<'_>],
        target: Target<'_>,
        recipe: Recipe,
    ) -> At {
        self.stats.misses += 1;
        match &*self.sets {
            [] => self.sets.push(Set::default()),
            [only] if only.ways.iter().all(Option::is_some) => self.spread(),
            _ => {}
        }
        self.put(Box::new(Entry {
            key,
            element: *element,
            threads,
            order: target.order,
            layout: layout(operands, target),
            recipe,
        }))
    }

    /// Puts an entry into its set, in the place of the oldest one.
    fn put(&mut self, entry: Box<Entry>) -> At {
        let at = set_of(entry.key, self.sets.len());
        let set = &mut self.sets[at];
        let way = set.oldest;
        set.oldest = (way + 1) % WAYS;
        set.ways[way] = Some(entry);
        At { set: at, way }
    }

    /// All sets for the only one.
    #[cold]
    fn spread(&mut self) {
        let before = core::mem::take(&mut self.sets);
        self.sets.resize_with(SETS, Set::default);
        for entry in before.into_iter().flat_map(|set| set.ways).flatten() {
            self.put(entry);
        }
    }

    /// The recipe at a place that was just found or filled: that of the last call.
    #[inline]
    pub(crate) fn at(&mut self, at: At) -> &Recipe {
        #[cfg(feature = "report")]
        {
            self.last = Last::At(at);
        }
        let entry = self.sets[at.set].ways[at.way].as_ref();
        &entry.expect("found or just filled").recipe
    }

    pub(crate) fn stats(&self) -> CacheStats {
        self.stats
    }

    pub(crate) fn clear(&mut self) {
        self.sets = Vec::new();
        self.forget_last();
    }
}

/// Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4): the top bits of a product. `sets` is a power of
/// two, or 0.
fn set_of(key: PlanKey, sets: usize) -> usize {
    let word = match key {
        PlanKey::Constant(address) => address as u64,
        PlanKey::Parsed(number) => number.rotate_left(32),
    };
    let top = word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SETS.trailing_zeros());
    top as usize & sets.saturating_sub(1)
}

/// What is remembered of an array beside its axes: the rank, and what else is known.
#[inline(always)]
fn word(rank: usize, real: bool, conj: bool) -> isize {
    (rank as isize) << 2 | isize::from(real) << 1 | isize::from(conj)
}

/// That word, shape and strides of the operands, then of a given output.
pub(super) fn layout(operands: &[Layout<'_>], target: Target<'_>) -> Box<[isize]> {
    let mut words = Vec::new();
    let mut push = |word: isize, shape: &[usize], strides: &[isize]| {
        words.push(word);
        words.extend(shape.iter().map(|&len| len as isize));
        words.extend_from_slice(strides);
    };
    for o in operands {
        push(word(o.shape.len(), o.real, o.conj), o.shape, o.strides);
    }
    if let Some(given) = target.given {
        push(
            word(given.shape.len(), false, false),
            given.shape,
            given.strides,
        );
    }
    words.into()
}

/// Whether [`layout`] would give these words.
#[inline]
pub(super) fn fits(layout: &[isize], operands: &[Layout<'_>], target: Target<'_>) -> bool {
    let mut words = layout;
    operands.iter().all(|o| {
        let word = word(o.shape.len(), o.real, o.conj);
        begins(&mut words, word, o.shape, o.strides)
    }) && target.given.is_none_or(|given| {
        let word = word(given.shape.len(), false, false);
        begins(&mut words, word, given.shape, given.strides)
    }) && words.is_empty()
}

/// Whether the words begin with these, which are taken off then. One compare after the other: these are a few, and what
/// compares many at a time takes longer to begin.
#[inline(always)]
fn begins(words: &mut &[isize], word: isize, shape: &[usize], strides: &[isize]) -> bool {
    let rank = shape.len();
    let Some((&first, rest)) = words.split_first() else {
        return false;
    };
    // A rank that is another is another word.
    if first != word || rest.len() < 2 * rank || strides.len() != rank {
        return false;
    }
    let (lens, rest) = rest.split_at(rank);
    let (steps, rest) = rest.split_at(rank);
    *words = rest;
    (0..rank).all(|i| lens[i] == shape[i] as isize && steps[i] == strides[i])
}
