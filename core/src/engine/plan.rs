//! The two sources of an einsum: a macro's constant and a specification parsed at run time.

use std::borrow::Cow;

use cteinsum_plan::{Network, RankError, Spec, Strategy};

use crate::einsum::Einsum;

/// What to compute: the engine does not care who wrote it down.
#[derive(Clone, Copy, Debug)]
pub enum Plan<'a> {
    /// A constant, emitted by a macro: labels and order.
    Constant(&'static Spec<'static>),
    /// Subscripts known only at run time.
    Parsed(&'a Einsum),
    /// The same, made for one call: not worth remembering.
    Once(&'a Einsum),
}

/// Tells one plan from another in the engine's memory.
///
/// A constant is known by its address: equal constants may share one, which does no harm. A parsed einsum has a
/// number of its own, since its address can be used again by another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PlanKey {
    Constant(usize),
    Parsed(u64),
}

impl Plan<'_> {
    #[inline]
    pub(crate) fn key(&self) -> Option<PlanKey> {
        match self {
            Plan::Constant(spec) => Some(PlanKey::Constant(core::ptr::from_ref(*spec).addr())),
            Plan::Parsed(einsum) => Some(PlanKey::Parsed(einsum.id())),
            Plan::Once(_) => None,
        }
    }

    /// The labels of every axis, `...` expanded for the ranks.
    pub(crate) fn network(&self, ranks: &[usize]) -> Result<Network, RankError> {
        match self {
            Plan::Constant(spec) => Network::from_spec(spec, ranks),
            Plan::Parsed(einsum) | Plan::Once(einsum) => einsum.checked().network(ranks),
        }
    }

    /// The contraction tree, if it is the same for all sizes.
    pub(crate) fn settled(&self) -> Option<&[(u32, u32)]> {
        match self {
            Plan::Constant(spec) => {
                (spec.is_settled() && spec.max_intermediate.is_none()).then_some(spec.tree)
            }
            Plan::Parsed(einsum) | Plan::Once(einsum) => {
                let strategy = einsum.strategy();
                let settled = strategy.is_settled() && strategy.max_intermediate.is_none();
                settled.then_some(&strategy.tree.0)
            }
        }
    }

    /// How the contraction tree is chosen.
    pub(crate) fn strategy(&self) -> Strategy {
        match self {
            Plan::Constant(spec) => Strategy::of_spec(spec),
            Plan::Parsed(einsum) | Plan::Once(einsum) => einsum.strategy().clone(),
        }
    }

    /// The subscripts as written, for messages.
    pub(crate) fn text(&self) -> Cow<'static, str> {
        match self {
            Plan::Constant(spec) => Cow::Borrowed(spec.text),
            Plan::Parsed(einsum) | Plan::Once(einsum) => Cow::Owned(einsum.checked().text.clone()),
        }
    }
}
