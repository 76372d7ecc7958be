//! The methods that tensors and views of both kinds of rank share, written once.

/// The reading methods. `shared()` lends the elements for the lifetime given.
macro_rules! reading {
    (
        impl [$($generics:tt)*] $name:ty, lends $life:lifetime, $view:ident, $owned:ident [$($rank:tt)*],
        shape $shape:ty, strides $strides:ty, index $index:ty
    ) => {
        impl<$($generics)*> $name {
            /// Length of each axis.
            #[inline]
            pub fn shape(&self) -> $shape {
                &self.0.layout().shape
            }

            /// Stride of each axis: how many elements apart in memory two neighbours on it are.
            #[inline]
            pub fn strides(&self) -> $strides {
                &self.0.layout().strides
            }

            /// Number of axes.
            #[inline]
            pub fn rank(&self) -> usize {
                self.shape().len()
            }

            /// Number of elements.
            #[inline]
            pub fn len(&self) -> usize {
                self.0.layout().len()
            }

            /// Whether there is no element, because an axis has length 0.
            #[inline]
            pub fn is_empty(&self) -> bool {
                self.0.layout().is_empty()
            }

            /// The element at `index`, or `None` if it is out of bounds.
            #[inline]
            pub fn get(&self, index: $index) -> Option<&$life T> {
                self.shared().get(index.as_ref())
            }

            /// A view of all elements.
            #[inline]
            pub fn view(&self) -> $view<$life, T $($rank)*> {
                $view(self.shared())
            }

            /// The elements in row-major order.
            pub fn iter(&self) -> Iter<$life, T> {
                self.shared().iter()
            }

            /// A tensor of the same shape with `f` of each element, called in row-major order.
            ///
            /// # Panics
            /// If a view with stride 0 has more elements than memory can hold.
            pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> $owned<U $($rank)*> {
                let data = self.iter().map(f).collect();
                $owned(must(Owned::new(self.0.layout().clone(), data)))
            }

            /// A copy: a tensor of the same shape and elements, row-major whatever the strides of this one.
            ///
            /// # Panics
            /// If a view with stride 0 has more elements than memory can hold.
            pub fn to_tensor(&self) -> $owned<T $($rank)*>
            where
                T: Clone,
            {
                let data = match self.shared().as_slice() {
                    Some(elements) => elements.to_vec(),
                    None => self.iter().cloned().collect(),
                };
                $owned(must(Owned::new(self.0.layout().clone(), data)))
            }
        }

        impl<'i, $($generics)*> IntoIterator for &'i $name {
            type Item = &'i T;
            type IntoIter = Iter<'i, T>;
            fn into_iter(self) -> Iter<'i, T> {
                self.iter()
            }
        }
    };
}

/// Parts of something readable, as views.
macro_rules! parts {
    (
        impl [$($generics:tt)*] $name:ty, lends $life:lifetime, $view:ident [$($rank:tt)*],
        index $index:ty, slices $slices:ty
    ) => {
        impl<$($generics)*> $name {
            /// A view with the axes in another order: its axis `k` is axis `order[k]` of this one. So `[1, 0]` is the
            /// transpose of a matrix. One to write through is `a.view_mut().permuted(order)`.
            ///
            /// # Panics
            /// If `order` is not a permutation of the axes.
            #[doc(alias = "transpose")]
            #[track_caller]
            pub fn permuted(&self, order: $index) -> $view<$life, T $($rank)*> {
                $view(self.shared().permuted(order.as_ref()))
            }

            /// A view of part of every axis; see [`s`](crate::s).
            ///
            /// # Panics
            /// If a slice reaches past the end of its axis, or there is not one for each axis.
            #[track_caller]
            pub fn slice(&self, slices: $slices) -> $view<$life, T $($rank)*> {
                $view(self.shared().sliced(slices.as_ref()))
            }

            /// A view of part of one axis.
            ///
            /// # Panics
            /// If there is no such axis, or the slice reaches past its end.
            #[track_caller]
            pub fn slice_axis(&self, axis: usize, slice: impl Into<Slice>) -> $view<$life, T $($rank)*> {
                $view(self.shared().restricted(axis, slice.into()))
            }

            /// A view with one axis in reversed order.
            ///
            /// # Panics
            /// If there is no such axis.
            #[track_caller]
            pub fn reversed(&self, axis: usize) -> $view<$life, T $($rank)*> {
                self.slice_axis(axis, s(..).step(-1))
            }
        }
    };
}

/// The writing methods of owned tensors and mutable views. `unique()` borrows them from `&mut self`.
macro_rules! writing {
    (impl [$($generics:tt)*] $name:ty, $view_mut:ident [$($rank:tt)*], index $index:ty) => {
        impl<$($generics)*> $name {
            /// The element at `index`, or `None` if it is out of bounds.
            #[inline]
            pub fn get_mut(&mut self, index: $index) -> Option<&mut T> {
                self.unique().into_element(index.as_ref())
            }

            /// A mutable view of all elements.
            #[inline]
            pub fn view_mut(&mut self) -> $view_mut<'_, T $($rank)*> {
                $view_mut(self.unique())
            }

            /// A mutable view of all elements, with the rank known at run time only.
            #[inline]
            pub fn as_dyn_mut(&mut self) -> DynTensorViewMut<'_, T> {
                self.view_mut().into_dyn()
            }

            /// The elements in row-major order, to be changed.
            pub fn iter_mut(&mut self) -> IterMut<'_, T> {
                self.unique().iter_mut()
            }

            /// Sets every element to `value`.
            pub fn fill(&mut self, value: T)
            where
                T: Clone,
            {
                self.iter_mut().for_each(|element| *element = value.clone());
            }
        }

        impl<'i, $($generics)*> IntoIterator for &'i mut $name {
            type Item = &'i mut T;
            type IntoIter = IterMut<'i, T>;
            fn into_iter(self) -> IterMut<'i, T> {
                self.iter_mut()
            }
        }
    };
}

/// Parts of a mutable view, which use it up: take them of a [`view_mut`](Self::view_mut) to keep it.
macro_rules! parts_mut {
    (impl [$($generics:tt)*] $name:ty, index $index:ty, slices $slices:ty) => {
        impl<$($generics)*> $name {
            /// The view with the axes in another order: its axis `k` is axis `order[k]` of this one.
            ///
            /// This and the other parts of a mutable view use it up; take them of its
            /// [`view_mut`](Self::view_mut) to go on with it afterwards.
            ///
            /// # Panics
            /// If `order` is not a permutation of the axes.
            #[track_caller]
            pub fn permuted(self, order: $index) -> Self {
                Self(self.0.permuted(order.as_ref()))
            }

            /// The view of part of every axis; see [`s`](crate::s).
            ///
            /// # Panics
            /// If a slice reaches past the end of its axis, or there is not one for each axis.
            #[track_caller]
            pub fn slice(self, slices: $slices) -> Self {
                Self(self.0.sliced(slices.as_ref()))
            }

            /// The view of part of one axis.
            ///
            /// # Panics
            /// If there is no such axis, or the slice reaches past its end.
            #[track_caller]
            pub fn slice_axis(self, axis: usize, slice: impl Into<Slice>) -> Self {
                Self(self.0.restricted(axis, slice.into()))
            }

            /// The view with one axis in reversed order.
            ///
            /// # Panics
            /// If there is no such axis.
            #[track_caller]
            pub fn reversed(self, axis: usize) -> Self {
                self.slice_axis(axis, s(..).step(-1))
            }
        }
    };
}

pub(super) use {parts, parts_mut, reading, writing};

use super::error::LayoutError;

/// The value, or a panic with the error's message.
#[inline]
#[track_caller]
pub(super) fn must<V>(result: Result<V, LayoutError>) -> V {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
