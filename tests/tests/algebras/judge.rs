//! Algebras as the naive loop sees them: over whole numbers with an infinity, apart from the crate's own.

use cteinsum_tests::oracle::Ring;

/// Max and plus; `None` is −∞.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Max(pub(crate) Option<i64>);
impl Ring for Max {
    const ZERO: Self = Max(None);
    const ONE: Self = Max(Some(0));
    fn plus(self, other: Self) -> Self {
        Max(self.0.into_iter().chain(other.0).max())
    }
    fn times(self, other: Self) -> Self {
        Max(self.0.zip(other.0).map(|(a, b)| a + b))
    }
}

/// Min and plus; `None` is ∞.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Min(pub(crate) Option<i64>);
impl Ring for Min {
    const ZERO: Self = Min(None);
    const ONE: Self = Min(Some(0));
    fn plus(self, other: Self) -> Self {
        Min(self.0.into_iter().chain(other.0).min())
    }
    fn times(self, other: Self) -> Self {
        Min(self.0.zip(other.0).map(|(a, b)| a + b))
    }
}

/// Max and times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mul(pub(crate) i64);
impl Ring for Mul {
    const ZERO: Self = Mul(0);
    const ONE: Self = Mul(1);
    fn plus(self, other: Self) -> Self {
        Mul(self.0.max(other.0))
    }
    fn times(self, other: Self) -> Self {
        Mul(self.0 * other.0)
    }
}

/// Or and and.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Or(pub(crate) bool);
impl Ring for Or {
    const ZERO: Self = Or(false);
    const ONE: Self = Or(true);
    fn plus(self, other: Self) -> Self {
        Or(self.0 || other.0)
    }
    fn times(self, other: Self) -> Self {
        Or(self.0 && other.0)
    }
}

/// Max and plus with counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ways(pub(crate) Option<(i64, u64)>);
impl Ring for Ways {
    const ZERO: Self = Ways(None);
    const ONE: Self = Ways(Some((0, 1)));
    fn plus(self, other: Self) -> Self {
        match (self.0, other.0) {
            (Some((a, n)), Some((b, m))) if a == b => Ways(Some((a, n + m))),
            (Some((a, _)), Some((b, _))) => {
                if a > b {
                    self
                } else {
                    other
                }
            }
            (None, _) => other,
            (_, None) => self,
        }
    }
    fn times(self, other: Self) -> Self {
        Ways(self.0.zip(other.0).map(|((a, n), (b, m))| (a + b, n * m)))
    }
}
