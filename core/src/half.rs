//! `f16` and `bf16`: einsums of them are einsums of `f32` whose results are rounded.

use half::{bf16, f16};

use crate::engine::execute::Fresh;
use crate::engine::plan::Plan;
use crate::engine::{Engine, MemoryOrder, Raw, RawMut};
use crate::error::EinsumError;
use crate::scalar::Scalar;
use crate::tensor::DynTensorView;
use crate::widen::{Widen, converted_elements, write_each};

/// The result in `f32`, of elements converted before.
fn in_single<T: Widen<f32>>(
    engine: &mut Engine,
    plan: Plan<'_>,
    operands: &[Raw<'_, T>],
    order: MemoryOrder,
) -> Result<Fresh<f32>, EinsumError> {
    let wide: Vec<_> = operands
        .iter()
        .map(|raw| {
            let layout = raw.layout();
            // SAFETY: a `Raw` is made of a view, whose constructor has checked that every index leads to an element.
            unsafe { converted_elements(raw.ptr(), layout.shape, layout.strides) }
        })
        .collect();
    let views: Vec<DynTensorView<'_, f32>> = wide
        .iter()
        .zip(operands)
        .map(|(wide, raw)| wide.view(raw.layout().shape))
        .collect();
    let raws: Vec<Raw<'_, f32>> = views.iter().map(Raw::new).collect();
    f32::__einsum(engine, plan, &raws, order)
}

/// `C <- alpha * einsum + beta * C`, rounded once.
fn into<T: Widen<f32>>(
    engine: &mut Engine,
    plan: Plan<'_>,
    operands: &[Raw<'_, T>],
    output: &RawMut<'_, T>,
    (alpha, beta): (T, T),
    round: impl Fn(f32) -> T,
) -> Result<(), EinsumError> {
    let Fresh { shape, data } = in_single(engine, plan, operands, MemoryOrder::RowMajor)?;
    if *shape != *output.given.shape {
        return Err(EinsumError::output(plan, &shape, output.given.shape));
    }
    let (alpha, reads) = (alpha.widen(), beta != T::ZERO);
    write_each(output, data, |to, sum| {
        let kept = match reads {
            // SAFETY: `write_each` gives pointers to elements; where it is read, the output is initialised.
            true => beta.widen() * unsafe { *to }.widen(),
            false => 0.0,
        };
        round(alpha * sum + kept)
    });
    Ok(())
}

macro_rules! halves {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            const ZERO: Self = <$t>::ZERO;
            const ONE: Self = <$t>::ONE;
            const MINUS_ONE: Option<Self> = Some(<$t>::NEG_ONE);
            #[inline]
            fn add(a: Self, b: Self) -> Self {
                a + b
            }
            #[inline]
            fn mul(a: Self, b: Self) -> Self {
                a * b
            }
            const __NARROW: bool = true;

            #[inline(never)]
            fn __einsum(
                engine: &mut Engine,
                plan: Plan<'_>,
                operands: &[Raw<'_, Self>],
                order: MemoryOrder,
            ) -> Result<Fresh<Self>, EinsumError> {
                let Fresh { shape, data } = in_single(engine, plan, operands, order)?;
                let data = data.into_iter().map(<$t>::from_f32).collect();
                Ok(Fresh { shape, data })
            }

            #[inline(never)]
            fn __einsum_into(
                engine: &mut Engine,
                plan: Plan<'_>,
                operands: &[Raw<'_, Self>],
                output: &RawMut<'_, Self>,
                alpha: Self,
                beta: Self,
            ) -> Result<(), EinsumError> {
                into(engine, plan, operands, output, (alpha, beta), <$t>::from_f32)
            }
        }
        crate::scalar_operand!($t);

        #[diagnostic::do_not_recommend]
        impl Widen<f32> for $t {
            #[inline]
            fn widen(self) -> f32 {
                self.to_f32()
            }
        }
        #[diagnostic::do_not_recommend]
        impl Widen<f64> for $t {
            #[inline]
            fn widen(self) -> f64 {
                self.to_f64()
            }
        }
    )*};
}
halves!(f16, bf16);
