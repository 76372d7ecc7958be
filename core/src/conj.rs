//! Complex conjugation, left to the kernel.

use crate::fixed::FixedStrides;
use crate::operand::{Operand, View, sealed::Sealed};

/// An operand whose elements count as their complex conjugates; see [`conj`].
#[derive(Clone, Copy, Debug)]
pub struct Conj<X>(X);

/// The complex conjugate of an operand, without a copy: the kernel conjugates while it multiplies.
///
/// Pass a reference, unless the operand is not needed any more: `conj(&a)`.
///
/// Of elements without a conjugate, such as real numbers, it is the operand itself; of a conjugate it is the original.
///
/// ```
/// use cteinsum::{Tensor, conj, einsum};
/// use num_complex::Complex64;
///
/// let x = Tensor::from_vec([2], vec![Complex64::new(3.0, 4.0), Complex64::new(0.0, 1.0)]);
/// let norm = einsum!("i,i->", conj(&x), x);
/// assert_eq!(norm, Complex64::new(26.0, 0.0));
/// ```
pub fn conj<X: Operand>(operand: X) -> Conj<X> {
    Conj(operand)
}

impl<X: Operand> Operand for Conj<X> {
    type Elem = X::Elem;
    type Dims = X::Dims;
    type Family = X::Family;
    type View<'a>
        = ConjView<X::View<'a>>
    where
        Self: 'a;
    const STRIDES: Option<FixedStrides<'static>> = X::STRIDES;
    #[inline]
    fn operand_view(&self) -> Self::View<'_> {
        ConjView(self.0.operand_view())
    }
}

/// The view of a [`Conj`].
#[derive(Clone, Copy, Debug)]
pub struct ConjView<V>(V);

impl<V: Sealed> Sealed for ConjView<V> {}
impl<V: View> View for ConjView<V> {
    type Elem = V::Elem;
    type Rank = V::Rank;
    #[inline]
    fn as_ptr(&self) -> *const V::Elem {
        self.0.as_ptr()
    }
    #[inline]
    fn shape(&self) -> &[usize] {
        self.0.shape()
    }
    #[inline]
    fn strides(&self) -> &[isize] {
        self.0.strides()
    }
    const CONJ: bool = !V::CONJ;
}
