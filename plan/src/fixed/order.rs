//! The order of contraction for constant lengths: the cheapest tree of all for few operands, a greedy one for more.

use super::{Bound, LabelSet, MAX_LABELS, MAX_OPERANDS};
use crate::spec::{Cost, Spec};

/// Up to this many operands every tree is looked at (through the subsets: 3^n steps of const evaluation).
const EXHAUSTIVE: usize = 6;
const SUBSETS: usize = 1 << EXHAUSTIVE;

/// A contraction tree in SSA form: operands 0..n, step s makes n + s.
pub type FixedTree = [(u8, u8); MAX_OPERANDS];

/// What one contraction costs: multiply-adds, the sums before it, the elements it reads and writes, and a constant,
/// because each step has loops of its own.
#[inline]
const fn cost(left: LabelSet, right: LabelSet, kept: LabelSet, sizes: &[usize; MAX_LABELS]) -> u64 {
    let (left_alone, right_alone) = (left.without(right.or(kept)), right.without(left.or(kept)));
    let mut cost = 4u64;
    if !left_alone.is_empty() {
        cost = cost.saturating_add(left.size(sizes));
    }
    if !right_alone.is_empty() {
        cost = cost.saturating_add(right.size(sizes));
    }
    let used = left.or(right).without(left_alone.or(right_alone));
    cost.saturating_add(used.size(sizes).saturating_mul(2))
        .saturating_add(kept.size(sizes))
        .saturating_add(left.size(sizes) / 4)
        .saturating_add(right.size(sizes) / 4)
}

/// Parentheses, as sets of operands: each is contracted to one array before it meets what is outside.
pub(super) struct Groups {
    sets: [usize; MAX_OPERANDS],
    count: usize,
}

impl Groups {
    #[inline]
    pub(super) const fn of(spec: &Spec<'_>) -> Groups {
        let operands = spec.inputs.len();
        let (mut sets, mut g) = ([0; MAX_OPERANDS], 0);
        while g < spec.groups.len() {
            let (members, mut m) = (spec.groups[g], 0);
            while m < members.len() {
                let member = members[m] as usize;
                sets[g] |= if member < operands {
                    1 << member
                } else {
                    sets[member - operands]
                };
                m += 1;
            }
            g += 1;
        }
        Groups { sets, count: g }
    }

    /// Whether a set may be an intermediate: no group is in part inside and in part outside of it, unless the set is
    /// within the group.
    #[inline]
    const fn allow(&self, set: usize) -> bool {
        let mut g = 0;
        while g < self.count {
            let inside = set & self.sets[g];
            if inside != 0 && inside != set && inside != self.sets[g] {
                return false;
            }
            g += 1;
        }
        true
    }
}

/// The tree of the spec as it stands.
#[inline]
pub(super) const fn given(tree: &[(u32, u32)]) -> FixedTree {
    let (mut out, mut s) = ([(0, 0); MAX_OPERANDS], 0);
    while s < tree.len() {
        out[s] = (tree[s].0 as u8, tree[s].1 as u8);
        s += 1;
    }
    out
}

/// The cheapest tree if there are few operands, else a greedy one.
#[inline]
pub(super) const fn cheapest(bound: &Bound, goal: Cost, groups: &Groups) -> FixedTree {
    if bound.operands <= EXHAUSTIVE {
        exhaustive(bound, goal, groups, 0)
    } else {
        greedy(bound, groups)
    }
}

/// The same for an einsum and the gradients of its operands `wanted` (bit p: operand p) together.
#[cfg(feature = "gradient")]
#[inline]
pub(super) const fn together(bound: &Bound, goal: Cost, groups: &Groups, wanted: u32) -> FixedTree {
    if bound.operands <= EXHAUSTIVE {
        exhaustive(bound, goal, groups, wanted as usize)
    } else {
        greedy(bound, groups)
    }
}

/// Dynamic programming over the sets of operands (Lawler; opt_einsum's `dp`): the cheapest tree of a set is the
/// cheapest way to split it in two. Of equal ones the split found first stays.
///
/// A split costs a step forward and one backward for each half with an operand whose gradient is `wanted`.
#[inline]
const fn exhaustive(bound: &Bound, goal: Cost, groups: &Groups, wanted: usize) -> FixedTree {
    let n = bound.operands;
    let mut labels = [LabelSet::EMPTY; SUBSETS];
    let mut best = [u64::MAX; SUBSETS];
    let mut split = [0usize; SUBSETS];
    let mut set = 1usize;
    while set < 1 << n {
        let first = set.trailing_zeros() as usize;
        if set & (set - 1) == 0 {
            labels[set] = bound.inputs[first].labels;
            best[set] = 0;
        } else {
            let rest = set & (set - 1);
            // The operand of lowest number is on the left: each split is looked at once.
            let (mut inner, mut right) = (LabelSet::EMPTY, rest);
            let mut p = 0;
            while p < n {
                if set >> p & 1 == 1 {
                    inner = inner.or(bound.inputs[p].labels);
                }
                p += 1;
            }
            labels[set] = inner.and(bound.needed_outside(set));
            while right != 0 {
                let left = set ^ right;
                let (a, b, c) = (labels[left], labels[right], labels[set]);
                let back = (left & wanted != 0, right & wanted != 0);
                let total = match goal {
                    Cost::Size => {
                        let here = if set + 1 == 1 << n {
                            0
                        } else {
                            c.size(&bound.sizes)
                        };
                        max(here, max(best[left], best[right]))
                    }
                    Cost::Flops => best[left].saturating_add(best[right]).saturating_add(
                        a.or(b)
                            .size(&bound.sizes)
                            .saturating_mul(1 + back.0 as u64 + back.1 as u64),
                    ),
                    Cost::Time => {
                        let mut time = best[left].saturating_add(best[right]);
                        time = time.saturating_add(cost(a, b, c, &bound.sizes));
                        if back.0 {
                            time = time.saturating_add(cost(c, b, a, &bound.sizes));
                        }
                        if back.1 {
                            time = time.saturating_add(cost(c, a, b, &bound.sizes));
                        }
                        time
                    }
                };
                let better = total < best[set] || split[set] == 0;
                if better && groups.allow(left) && groups.allow(right) {
                    best[set] = total;
                    split[set] = right;
                }
                right = (right - 1) & rest;
            }
        }
        set += 1;
    }

    // Steps in post-order, without recursion: a set is contracted once both of its halves have an id.
    let mut tree = [(0, 0); MAX_OPERANDS];
    let mut id = [u8::MAX; SUBSETS];
    let mut p = 0;
    while p < n {
        id[1 << p] = p as u8;
        p += 1;
    }
    let (mut stack, mut depth) = ([0usize; 2 * EXHAUSTIVE], 1);
    stack[0] = (1 << n) - 1;
    let mut step = 0;
    while depth > 0 {
        let set = stack[depth - 1];
        if id[set] != u8::MAX {
            depth -= 1;
            continue;
        }
        let (left, right) = (set ^ split[set], split[set]);
        if id[left] == u8::MAX {
            stack[depth] = left;
            depth += 1;
        } else if id[right] == u8::MAX {
            stack[depth] = right;
            depth += 1;
        } else {
            tree[step] = (id[left], id[right]);
            id[set] = (n + step) as u8;
            step += 1;
            depth -= 1;
        }
    }
    tree
}

/// Pair by pair, the one that shrinks most first (what it makes minus what it uses up), then the cheaper one.
#[inline]
pub(super) const fn greedy(bound: &Bound, groups: &Groups) -> FixedTree {
    let n = bound.operands;
    let mut tree = [(0, 0); MAX_OPERANDS];
    // The arrays there are: id, operands inside, labels.
    let mut alive = [(0u8, 0usize, LabelSet::EMPTY); MAX_OPERANDS];
    let mut p = 0;
    while p < n {
        alive[p] = (p as u8, 1 << p, bound.inputs[p].labels);
        p += 1;
    }
    let mut step = 0;
    while step + 1 < n {
        let count = n - step;
        let (mut least, mut chosen, mut found) = ((i64::MAX, u64::MAX), (0, 1), false);
        let mut i = 0;
        while i < count {
            let mut j = i + 1;
            while j < count {
                let (left, right) = (alive[i].2, alive[j].2);
                let kept = left
                    .or(right)
                    .and(bound.needed_outside(alive[i].1 | alive[j].1));
                let grows = clip(kept.size(&bound.sizes))
                    - clip(left.size(&bound.sizes))
                    - clip(right.size(&bound.sizes));
                let price = cost(left, right, kept, &bound.sizes);
                let better = !found || grows < least.0 || grows == least.0 && price < least.1;
                if better && groups.allow(alive[i].1 | alive[j].1) {
                    least = (grows, price);
                    chosen = (i, j);
                    found = true;
                }
                j += 1;
            }
            i += 1;
        }
        let (i, j) = chosen;
        let inside = alive[i].1 | alive[j].1;
        let kept = alive[i].2.or(alive[j].2).and(bound.needed_outside(inside));
        tree[step] = (alive[i].0, alive[j].0);
        alive[i] = ((n + step) as u8, inside, kept);
        let mut from = j + 1;
        while from < count {
            alive[from - 1] = alive[from];
            from += 1;
        }
        step += 1;
    }
    tree
}

#[inline]
const fn max(a: u64, b: u64) -> u64 {
    if a > b { a } else { b }
}

#[inline]
const fn clip(size: u64) -> i64 {
    if size > 1 << 60 { 1 << 60 } else { size as i64 }
}
