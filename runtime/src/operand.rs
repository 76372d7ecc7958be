//! What may stand as an operand: anything with elements, axes and strides.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use crate::scalar::Scalar;

/// An axis whose length is known at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dyn;

/// The axes of an operand whose rank is known only at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyRank;

/// A number of axes as a type, for tables from numbers to lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank<const N: usize>;

/// The axes of an operand as a type: `()` for none, `(Dyn, Rest)` for one more, [`AnyRank`] for a rank known at run time.
pub trait Dims {}
impl Dims for () {}
impl<A, R: Dims> Dims for (A, R) {}
impl Dims for AnyRank {}

/// The axes of `N` run-time sizes as a list: `Rank<2>: Axes<List = (Dyn, (Dyn, ()))>`.
pub trait Axes {
    /// The list.
    type List: Dims;
}

/// A borrowed array, reduced to what the engine reads: a pointer to the element at index 0, the shape, and the
/// strides in elements.
///
/// [`TensorView`](crate::TensorView) and [`DynTensorView`](crate::DynTensorView) implement it; the view of another
/// array type is made from one of them.
pub trait View: sealed::Sealed {
    /// The element type.
    type Elem: Scalar;
    /// Pointer to the element at index 0 on every axis (dangling if a length is 0).
    fn as_ptr(&self) -> *const Self::Elem;
    /// Length of each axis.
    fn shape(&self) -> &[usize];
    /// Stride of each axis, in elements.
    fn strides(&self) -> &[isize];
}

/// A mutably borrowed array, reduced to what the engine writes; different indices lead to different elements.
///
/// [`TensorViewMut`](crate::TensorViewMut) and [`DynTensorViewMut`](crate::DynTensorViewMut) implement it; the
/// mutable view of another array type is made from one of them.
pub trait ViewMut: sealed::Sealed {
    /// The element type.
    type Elem: Scalar;
    /// Pointer to the element at index 0 on every axis (dangling if a length is 0).
    fn as_mut_ptr(&mut self) -> *mut Self::Elem;
    /// Length of each axis.
    fn shape(&self) -> &[usize];
    /// Stride of each axis, in elements.
    fn strides(&self) -> &[isize];
}

pub(crate) mod sealed {
    /// A view is a promise about memory: only the checked views of this crate give it.
    pub trait Sealed {}
}

/// An array that einsum can read.
pub trait Operand {
    /// The element type.
    type Elem: Scalar;
    /// The axes as a type.
    type Dims: Dims;
    /// The borrowed view.
    type View<'a>: View<Elem = Self::Elem>
    where
        Self: 'a;
    /// Borrows the array.
    fn operand_view(&self) -> Self::View<'_>;
}

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        /// Behind the pointer.
        impl<X: Operand + ?Sized> Operand for $pointer {
            type Elem = X::Elem;
            type Dims = X::Dims;
            type View<'a>
                = X::View<'a>
            where
                Self: 'a;
            #[inline]
            fn operand_view(&self) -> X::View<'_> {
                (**self).operand_view()
            }
        }
    )*};
}

pointers!(&X, &mut X, Box<X>, Rc<X>, Arc<X>);

/// Behind the pointer.
impl<X: Operand + ToOwned + ?Sized> Operand for Cow<'_, X> {
    type Elem = X::Elem;
    type Dims = X::Dims;
    type View<'a>
        = X::View<'a>
    where
        Self: 'a;
    #[inline]
    fn operand_view(&self) -> X::View<'_> {
        (**self).operand_view()
    }
}

macro_rules! ranks {
    ($($n:literal)*) => { ranks!(@ () ; $($n)*); };
    (@ $list:ty ; $n:literal $($rest:literal)*) => {
        impl Axes for Rank<$n> { type List = $list; }
        ranks!(@ (Dyn, $list) ; $($rest)*);
    };
    (@ $list:ty ;) => {};
}
ranks!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
