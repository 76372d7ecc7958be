//! Fewer loops: axes of length 1 go, axes that follow one another in memory on every carrier become one.
//!
//! An outer axis and an inner one are a single axis where `outer.stride == inner.stride * inner.len` on *every*
//! array that carries them. The order of the axes in a group is free, so any two may be tried, and one order serves
//! all carriers by construction: pairing each array's own order would mix up axes. A broadcast axis (stride 0)
//! chains only with another broadcast axis, because `0 == s * len` and `s == 0 * len` are false for `s != 0`.

use cteinsum_plan::sort_by;

use super::axis::{Axis, AxisList};

/// Which arrays carry a group of axes.
#[derive(Clone, Copy)]
pub(crate) struct Carriers {
    pub(crate) a: bool,
    pub(crate) b: bool,
    pub(crate) c: bool,
}

impl Carriers {
    pub(crate) const BATCH: Carriers = Carriers {
        a: true,
        b: true,
        c: true,
    };
    pub(crate) const M: Carriers = Carriers {
        a: true,
        b: false,
        c: true,
    };
    pub(crate) const N: Carriers = Carriers {
        a: false,
        b: true,
        c: true,
    };
    pub(crate) const K: Carriers = Carriers {
        a: true,
        b: true,
        c: false,
    };
    pub(crate) const SUMMED: Carriers = Carriers {
        a: true,
        b: false,
        c: false,
    };
}

/// The same loops with as few axes as the strides allow, outermost (largest stride) first.
///
/// Strides of arrays that do not carry the group come back as 0.
pub(crate) fn fuse(group: &[Axis], carriers: Carriers) -> AxisList {
    let mut axes = AxisList::new();
    for axis in group.iter().filter(|axis| axis.len != 1) {
        let carried = Axis {
            len: axis.len,
            a: if carriers.a { axis.a } else { 0 },
            b: if carriers.b { axis.b } else { 0 },
            c: if carriers.c { axis.c } else { 0 },
        };
        insert(&mut axes, carried);
    }
    sort(&mut axes);
    axes
}

/// Adds `axis`, merging it (and what it makes possible) where it chains.
fn insert(axes: &mut AxisList, mut axis: Axis) {
    while let Some(at) = axes
        .iter()
        .position(|&other| chains(axis, other) || chains(other, axis))
    {
        let other = axes.swap_remove(at);
        let inner = if chains(axis, other) { other } else { axis };
        axis = Axis {
            len: axis.len.saturating_mul(other.len),
            ..inner
        };
    }
    axes.push(axis);
}

/// Whether one step of `outer` is `inner.len` steps of `inner` everywhere.
fn chains(outer: Axis, inner: Axis) -> bool {
    let follows = |outer: isize, stride: isize| {
        isize::try_from(inner.len)
            .ok()
            .and_then(|len| stride.checked_mul(len))
            == Some(outer)
    };
    follows(outer.a, inner.a) && follows(outer.b, inner.b) && follows(outer.c, inner.c)
}

/// Largest stride first: by C, then A, then B, then length, so that the order depends on the axes alone.
fn sort(axes: &mut [Axis]) {
    let key = |axis: &Axis| {
        (
            axis.c.unsigned_abs(),
            axis.a.unsigned_abs(),
            axis.b.unsigned_abs(),
            (axis.c, axis.a, axis.b, axis.len),
        )
    };
    sort_by(axes, |a, b| key(a) > key(b));
}
