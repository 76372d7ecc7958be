//! Elements converted to a wider type, in which they are multiplied and added up.

use core::any::TypeId;
use core::marker::PhantomData;

use num_complex::Complex;

use crate::dims::Dims;
use crate::family::Family;
use crate::operand::{Operand, View, sealed::Sealed};
use crate::scalar::Scalar;
use crate::tensor::short::Short;

/// Elements that an accumulator of type `A` can hold, all of them.
///
/// Integers widen to larger integers and to floats that hold all of them, `f32` to `f64`, `Complex<f32>` to `Complex<f64>`, and
/// every type to itself.
#[diagnostic::on_unimplemented(
    message = "einsum: an accumulator of type `{A}` does not hold all values of type `{Self}`",
    label = "elements of type `{Self}`",
    note = "integers widen to larger integers and to floats that hold all of them, f32 to f64, Complex<f32> to Complex<f64>"
)]
pub trait Widen<A>: Scalar {
    /// The same value.
    fn widen(self) -> A;
}
#[diagnostic::do_not_recommend]
impl<T: Scalar> Widen<T> for T {
    #[inline]
    fn widen(self) -> T {
        self
    }
}
macro_rules! widens {
    ($($from:ty: $($to:ty)*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl Widen<$to> for $from {
            #[inline]
            fn widen(self) -> $to {
                self.into()
            }
        }
    )*)*};
}
widens! {
    i8: i16 i32 i64 i128 f32 f64;
    u8: u16 u32 u64 u128 i16 i32 i64 i128 f32 f64;
    i16: i32 i64 i128 f32 f64;
    u16: u32 u64 u128 i32 i64 i128 f32 f64;
    i32: i64 i128 f64;
    u32: u64 u128 i64 i128 f64;
    i64: i128;
    u64: u128 i128;
    f32: f64;
}
#[diagnostic::do_not_recommend]
impl Widen<Complex<f64>> for Complex<f32> {
    #[inline]
    fn widen(self) -> Complex<f64> {
        Complex::new(self.re.into(), self.im.into())
    }
}

/// Converted elements, at strides of their own.
#[derive(Debug)]
pub(crate) struct Converted<A> {
    elements: Vec<A>,
    /// Where index 0 is.
    first: usize,
    strides: Short<isize>,
}

#[cfg(any(feature = "half", feature = "algebras"))]
impl<A: Scalar> Converted<A> {
    /// As a view of its shape.
    pub(crate) fn view(&self, shape: &[usize]) -> crate::tensor::DynTensorView<'_, A> {
        let view =
            crate::tensor::DynTensorView::new(&self.elements, shape, &*self.strides, self.first);
        view.expect("the elements are all there")
    }
}

/// An operand whose elements count as values of a wider type; see [`widened`].
#[derive(Debug)]
pub struct Widened<V, D, F, A> {
    view: V,
    /// None where the type is the same.
    converted: Option<Converted<A>>,
    types: PhantomData<fn() -> (D, F)>,
}

/// An operand with its elements converted to `A`: what `acc = …` makes of every operand.
///
/// Elements are converted into new memory, once each, however often strides repeat them; not if the type is `A`.
///
/// ```
/// use cteinsum::{Tensor, einsum, widened};
/// let weights = Tensor::from_vec([2, 2], vec![100i8, -100, 50, 25]);
/// let x = [100u8, 200];
/// let y = einsum!("ij,j->i", widened::<i32, _>(&weights), widened::<i32, _>(&x));
/// assert_eq!(y.as_slice(), [-10_000, 10_000]);
/// assert_eq!(y, einsum!("ij,j->i", weights, x, acc = i32));
/// ```
pub fn widened<A, X>(operand: &X) -> Widened<X::View<'_>, X::Dims, X::Family, A>
where
    X: Operand<Elem: Widen<A>> + ?Sized,
    A: Scalar,
{
    let view = operand.operand_view();
    let same = TypeId::of::<X::Elem>() == TypeId::of::<A>();
    Widened {
        // SAFETY: the constructor of a view has checked that every index leads to an element.
        converted: (!same)
            .then(|| unsafe { converted_elements(view.as_ptr(), view.shape(), view.strides()) }),
        view,
        types: PhantomData,
    }
}

/// The elements of a view, converted. What its strides repeat is there once.
///
/// # Safety
/// Every index within `shape` leads by `strides` from `start` to an element.
pub(crate) unsafe fn converted_elements<T: Widen<A>, A: Scalar>(
    start: *const T,
    shape: &[usize],
    strides: &[isize],
) -> Converted<A> {
    // SAFETY: the caller's promise.
    unsafe { converted_by(start, shape, strides, T::widen) }
}

/// The same by any conversion.
///
/// # Safety
/// As for [`converted_elements`].
pub(crate) unsafe fn converted_by<T: Scalar, A: Scalar>(
    start: *const T,
    shape: &[usize],
    strides: &[isize],
    convert: impl Fn(T) -> A,
) -> Converted<A> {
    let mut own = Short::from_slice(strides);
    if shape.contains(&0) {
        return Converted {
            elements: Vec::new(),
            first: 0,
            strides: own,
        };
    }
    // The axes that lead to other elements.
    let axes: Vec<usize> = (0..shape.len())
        .filter(|&axis| shape[axis] > 1 && strides[axis] != 0)
        .collect();
    let count: usize = axes.iter().map(|&axis| shape[axis]).product();
    let reach = |backwards: bool| -> usize {
        let axes = axes
            .iter()
            .filter(|&&axis| (strides[axis] < 0) == backwards);
        axes.map(|&axis| strides[axis].unsigned_abs() * (shape[axis] - 1))
            .sum()
    };
    let (before, behind) = (reach(true), reach(false));
    // As it lies, if that takes no more memory: windows that overlap stay so. Else without gaps.
    let (mut first, mut len) = (before, before + behind + 1);
    if len > count {
        (first, len) = (0, count);
        let mut stride = 1;
        for &axis in axes.iter().rev() {
            own[axis] = stride;
            stride *= shape[axis] as isize;
        }
    }
    let mut elements = vec![A::ZERO; len];
    let mut index = vec![0; axes.len()];
    let (mut from, mut to) = (0isize, first as isize);
    loop {
        // SAFETY: the offset of an index within the shape; the rest is the caller's promise.
        let element = unsafe { *start.offset(from) };
        elements[to as usize] = convert(element);
        let mut place = axes.len();
        loop {
            let Some(next) = place.checked_sub(1) else {
                return Converted {
                    elements,
                    first,
                    strides: own,
                };
            };
            place = next;
            let axis = axes[place];
            index[place] += 1;
            if index[place] < shape[axis] {
                from += strides[axis];
                to += own[axis];
                break;
            }
            from -= strides[axis] * (shape[axis] as isize - 1);
            to -= own[axis] * (shape[axis] as isize - 1);
            index[place] = 0;
        }
    }
}

/// Writes `narrow(place, element)` to each place of an output, whose shape the data has, in row-major order.
#[cfg(any(feature = "half", feature = "algebras"))]
pub(crate) fn write_each<T, A>(
    output: &crate::engine::RawMut<'_, T>,
    data: Vec<A>,
    narrow: impl Fn(*mut T, A) -> T,
) {
    let (shape, strides) = (output.given.shape, output.given.strides);
    debug_assert_eq!(data.len(), shape.iter().product::<usize>());
    let mut index = vec![0; shape.len()];
    let mut at = 0isize;
    for sum in data {
        // SAFETY: the offset of an index within the shape of a mutable view, whose constructor has checked that it leads
        // to an element that is borrowed by nobody else.
        unsafe {
            let to = output.ptr.offset(at);
            to.write(narrow(to, sum));
        }
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            at += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            at -= strides[axis] * shape[axis] as isize;
            index[axis] = 0;
        }
    }
}

// Without `Widen`, which `widened` asks for: a mistake is then told once.
impl<V: View, D: Dims, F: Family, A: Scalar> Operand for Widened<V, D, F, A> {
    type Elem = A;
    type Dims = D;
    type Family = F;
    type View<'a>
        = WidenedView<'a, V, A>
    where
        Self: 'a;
    fn operand_view(&self) -> WidenedView<'_, V, A> {
        WidenedView {
            view: &self.view,
            converted: self.converted.as_ref(),
        }
    }
}

/// The view of a [`Widened`].
#[derive(Debug)]
pub struct WidenedView<'a, V, A> {
    view: &'a V,
    converted: Option<&'a Converted<A>>,
}

impl<V: Sealed, A> Sealed for WidenedView<'_, V, A> {}
impl<V: View, A: Scalar> View for WidenedView<'_, V, A> {
    type Elem = A;
    type Rank = V::Rank;
    fn as_ptr(&self) -> *const A {
        match self.converted {
            Some(converted) => converted.elements.as_ptr().wrapping_add(converted.first),
            None => self.view.as_ptr().cast(),
        }
    }
    fn shape(&self) -> &[usize] {
        self.view.shape()
    }
    fn strides(&self) -> &[isize] {
        match self.converted {
            Some(converted) => &converted.strides,
            None => self.view.strides(),
        }
    }
    const CONJ: bool = V::CONJ;
}
