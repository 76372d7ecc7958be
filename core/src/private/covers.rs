//! What `...` covers, as a value without data.

use super::bind::Bound;
use crate::dims::{
    CoversNothing, Dims, Flat, Longest, Prepend, RankKind, Reverse, ReverseOnto, Split,
};
use crate::operand::View;

/// What `...` covers: a list of axes, last axis first.
#[derive(Clone, Copy, Debug)]
pub struct Covers<E>(E);

impl<E: Dims> Covers<E> {
    #[inline]
    pub(super) fn new() -> Self {
        Covers(E::NEW)
    }

    /// The last axis.
    #[inline]
    pub fn head(self) -> E::Head
    where
        E: Split,
    {
        Default::default()
    }

    /// All axes but the last.
    #[inline]
    pub fn tail(self) -> Covers<E::Tail>
    where
        E: Split,
    {
        Covers::new()
    }

    /// What two `...` cover together, known lengths forgotten.
    #[inline]
    pub fn longest<D: Dims>(self, _: Covers<D>) -> Covers<E::Out>
    where
        E: Longest<D>,
    {
        Covers::new()
    }

    /// What the `...` of the result covers beside an operand without one.
    #[inline]
    pub fn beside<V: View, U, F, K>(
        self,
        _: &Bound<V, U, F, K>,
    ) -> Covers<<V::Rank as RankKind>::Beside<E>> {
        Covers::new()
    }

    /// With one more axis as the last one.
    #[inline]
    pub fn prepend<A>(self, _: A) -> Covers<E::Out>
    where
        E: Prepend<A>,
    {
        Covers::new()
    }

    /// The axes of the output: `before`, what `...` covers, `behind`.
    #[inline]
    pub fn between<B, C, T>(self, _before: B, _behind: C) -> Listed<T>
    where
        B: Flat<List: Reverse<Out: ReverseOnto<<E as ReverseOnto<C::List>>::Out, Out = T>>>,
        C: Flat,
        E: ReverseOnto<C::List>,
        T: Dims,
    {
        Listed(T::NEW)
    }
}

/// Checks that `...`, which the output term leaves out, covers no axis.
#[inline]
pub fn covers_nothing<E: CoversNothing>(_: Covers<E>) {}

/// The axes of an output as a list.
#[derive(Clone, Copy, Debug)]
pub struct Listed<L>(L);

impl<L: Dims> Flat for Listed<L> {
    type List = L;
}
