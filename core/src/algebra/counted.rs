//! Values with multiplicities.

/// A value, and in how many ways it comes about: the elements of [`Count`](super::Count).
///
/// The sum of two is the one with the greater value, and counts both where the values are equal; the product adds the
/// values and multiplies the counts. Equal means equal bit patterns of integers and `==` of floats: take whole numbers or
/// others that add without rounding. A count beyond `u64` stays at `u64::MAX`.
///
/// ```
/// use cteinsum::algebra::Counted;
/// use cteinsum::{Tensor, einsum};
/// // Two coupled spins: the greatest of J s t over all s and t is 1, in two ways.
/// let bond = Tensor::from_vec([2, 2], [1, -1, -1, 1].map(Counted::once).to_vec());
/// let best = einsum!("st->", bond, algebra = Count);
/// assert_eq!(best, Counted { value: 1, count: 2 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted<T> {
    /// The value.
    pub value: T,
    /// In how many ways it comes about.
    pub count: u64,
}

impl<T> Counted<T> {
    /// A value that comes about in one way.
    pub const fn once(value: T) -> Self {
        Counted { value, count: 1 }
    }
}
