//! Algebras whose sums are made in another type than that of the elements.

use core::fmt::{Debug, Formatter};

use super::Algebra;
use crate::engine::execute::{Fresh, Shape};
use crate::engine::sum::{self, Term};
use crate::engine::{Engine, MemoryOrder, Raw, RawMut};
use crate::error::EinsumError;
use crate::family::NoFamily;
use crate::operand::Operand;
use crate::output::OperandMut;
use crate::scalar::Scalar;
use crate::tensor::{DynTensorView, TensorView, TensorViewMut};
use crate::widen::{converted_by, write_each};

/// A commutative semiring of elements `T` that are multiplied and added up in a type of their own, the accumulator.
///
/// Every element is converted once ([`widen`](Accumulating::widen)), the whole call runs with accumulators, also from one
/// step of its order to the next, and every element of the result is converted back once ([`narrow`](Accumulating::narrow)).
/// `add` and `mul` have the laws of [`Algebra`], which every type that implements this trait implements, too. Where the
/// result shall have the accumulator's type, take an [`Algebra`] of that type and the option `acc = …`.
///
/// ```
/// use cteinsum::algebra::Accumulating;
/// use cteinsum::{Tensor, einsum};
///
/// /// Sums of probabilities given by their logarithms.
/// #[derive(Clone, Copy, Debug)]
/// struct LogSumExp;
/// /// exp(max) · sum, so that nothing under- or overflows.
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Scaled { max: f64, sum: f64 }
///
/// impl Accumulating<f32> for LogSumExp {
///     type Acc = Scaled;
///     const ZERO: f32 = f32::NEG_INFINITY;
///     const ONE: f32 = 0.0;
///     const ACC_ZERO: Scaled = Scaled { max: f64::NEG_INFINITY, sum: 0.0 };
///     const ACC_ONE: Scaled = Scaled { max: 0.0, sum: 1.0 };
///     fn widen(x: f32) -> Scaled {
///         if x == f32::NEG_INFINITY { return Self::ACC_ZERO; }
///         Scaled { max: x.into(), sum: 1.0 }
///     }
///     fn add(a: Scaled, b: Scaled) -> Scaled {
///         if a.sum == 0.0 { return b; }
///         if b.sum == 0.0 { return a; }
///         let max = a.max.max(b.max);
///         Scaled { max, sum: a.sum * (a.max - max).exp() + b.sum * (b.max - max).exp() }
///     }
///     fn mul(a: Scaled, b: Scaled) -> Scaled {
///         Scaled { max: a.max + b.max, sum: a.sum * b.sum }
///     }
///     fn narrow(x: Scaled) -> f32 {
///         (x.max + x.sum.ln()) as f32
///     }
/// }
///
/// // Two halves of exp(-2000), which is no number of its own in any float.
/// let p = Tensor::from_vec([2], vec![-1000.0 - 2f32.ln(); 2]);
/// let q = Tensor::full([2], -1000.0);
/// assert_eq!(einsum!("i,i->", p, q, algebra = LogSumExp), -2000.0);
/// ```
pub trait Accumulating<T: Scalar>: Copy + Debug + Send + Sync + 'static {
    /// The type in which products and sums are made.
    type Acc: Copy + Debug + PartialEq + Send + Sync + 'static;
    /// The neutral element of ⊕, as an element.
    const ZERO: T;
    /// The neutral element of ⊗, as an element.
    const ONE: T;
    /// The neutral element of ⊕: the value of an empty sum.
    const ACC_ZERO: Self::Acc;
    /// The neutral element of ⊗: the value of an empty product.
    const ACC_ONE: Self::Acc;
    /// The element as an accumulator.
    fn widen(element: T) -> Self::Acc;
    /// a ⊕ b.
    fn add(a: Self::Acc, b: Self::Acc) -> Self::Acc;
    /// a ⊗ b.
    fn mul(a: Self::Acc, b: Self::Acc) -> Self::Acc;
    /// The sum as an element.
    fn narrow(sum: Self::Acc) -> T;
}

#[diagnostic::do_not_recommend]
impl<A: Accumulating<T>, T: Scalar> Algebra<T> for A {
    const ZERO: T = <A as Accumulating<T>>::ZERO;
    const ONE: T = <A as Accumulating<T>>::ONE;
    fn add(a: T, b: T) -> T {
        A::narrow(<A as Accumulating<T>>::add(A::widen(a), A::widen(b)))
    }
    fn mul(a: T, b: T) -> T {
        A::narrow(<A as Accumulating<T>>::mul(A::widen(a), A::widen(b)))
    }

    fn __fresh(
        engine: &mut Engine,
        terms: &[Term<'_, T>],
        order: MemoryOrder,
    ) -> Result<Fresh<T>, EinsumError> {
        let Fresh { shape, data } = accumulated::<A, T>(engine, terms, order)?;
        let data = data.into_iter().map(|sum| A::narrow(sum.0)).collect();
        Ok(Fresh { shape, data })
    }

    fn __shape(engine: &mut Engine, terms: &[Term<'_, T>]) -> Result<Shape, EinsumError> {
        sum::shape(engine, terms)
    }

    fn __into(
        engine: &mut Engine,
        terms: &[Term<'_, T>],
        output: &RawMut<'_, T>,
        beta: T,
    ) -> Result<(), EinsumError> {
        let Fresh { shape, data } = accumulated::<A, T>(engine, terms, MemoryOrder::RowMajor)?;
        if *shape != *output.given.shape {
            return Err(EinsumError::output(
                terms[0].plan,
                &shape,
                output.given.shape,
            ));
        }
        let (reads, beta) = (beta != <A as Accumulating<T>>::ZERO, A::widen(beta));
        write_each(output, data, |to, sum| {
            let kept = |old: T| <A as Accumulating<T>>::mul(beta, A::widen(old));
            A::narrow(match reads {
                // SAFETY: `write_each` gives pointers to elements; where it is read, the output is initialised.
                true => <A as Accumulating<T>>::add(sum.0, kept(unsafe { *to })),
                false => sum.0,
            })
        });
        Ok(())
    }
}

/// The sum of the terms, all elements converted before.
fn accumulated<A: Accumulating<T>, T: Scalar>(
    engine: &mut Engine,
    terms: &[Term<'_, T>],
    order: MemoryOrder,
) -> Result<Fresh<Wide<A, T>>, EinsumError> {
    let wide = |element| Wide::<A, T>(A::widen(element));
    let operands = terms.iter().flat_map(|term| term.operands);
    let converted: Vec<_> = operands
        .clone()
        .map(|raw| {
            let layout = raw.layout();
            // SAFETY: a `Raw` is made of a view, whose constructor has checked that every index leads to an element.
            unsafe { converted_by(raw.ptr(), layout.shape, layout.strides, wide) }
        })
        .collect();
    let views: Vec<DynTensorView<'_, _>> = converted
        .iter()
        .zip(operands)
        .map(|(converted, raw)| converted.view(raw.layout().shape))
        .collect();
    let raws: Vec<Raw<'_, _>> = views.iter().map(Raw::new).collect();
    let mut rest = raws.as_slice();
    let terms: Vec<Term<'_, Wide<A, T>>> = terms
        .iter()
        .map(|term| {
            let operands;
            (operands, rest) = rest.split_at(term.operands.len());
            Term {
                plan: term.plan,
                operands,
                alpha: wide(term.alpha),
            }
        })
        .collect();
    sum::fresh(engine, &terms, order)
}

/// An accumulator of `A`, as an element of the engine.
struct Wide<A: Accumulating<T>, T: Scalar>(A::Acc);

impl<A: Accumulating<T>, T: Scalar> Clone for Wide<A, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A: Accumulating<T>, T: Scalar> Copy for Wide<A, T> {}
impl<A: Accumulating<T>, T: Scalar> PartialEq for Wide<A, T> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<A: Accumulating<T>, T: Scalar> Debug for Wide<A, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}
impl<A: Accumulating<T>, T: Scalar> Operand for Wide<A, T> {
    type Elem = Self;
    type Dims = ();
    type Family = NoFamily;
    type View<'a> = TensorView<'a, Self, 0>;
    fn operand_view(&self) -> TensorView<'_, Self, 0> {
        TensorView::from_element(self)
    }
}
impl<A: Accumulating<T>, T: Scalar> OperandMut for Wide<A, T> {
    type Elem = Self;
    type Dims = ();
    type ViewMut<'a> = TensorViewMut<'a, Self, 0>;
    fn operand_view_mut(&mut self) -> TensorViewMut<'_, Self, 0> {
        TensorViewMut::from_element(self)
    }
}
impl<A: Accumulating<T>, T: Scalar> Scalar for Wide<A, T> {
    const ZERO: Self = Wide(A::ACC_ZERO);
    const ONE: Self = Wide(A::ACC_ONE);
    #[inline(always)]
    fn add(a: Self, b: Self) -> Self {
        Wide(<A as Accumulating<T>>::add(a.0, b.0))
    }
    #[inline(always)]
    fn mul(a: Self, b: Self) -> Self {
        Wide(<A as Accumulating<T>>::mul(a.0, b.0))
    }
}
