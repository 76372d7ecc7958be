//! Sums of einsums: one output, written term by term.

pub(crate) use crate::engine::execute::{Fresh, Shape};
use crate::engine::plan::Plan;
use crate::engine::strides::strides_of;
use crate::engine::{Engine, MemoryOrder, Raw, RawMut, zeros};
use crate::error::EinsumError;
use crate::scalar::Scalar;
use crate::tensor::DynTensorViewMut;

/// One term of a sum: alpha · einsum.
#[derive(Clone, Copy, Debug)]
#[repr(C)] // so that terms can be seen as those of another element type: see `algebra`
pub struct Term<'a, T> {
    pub(crate) plan: Plan<'a>,
    pub(crate) operands: &'a [Raw<'a, T>],
    pub(crate) alpha: T,
}

/// The shape that all terms have: every size is checked.
pub(crate) fn shape<T: Scalar>(
    engine: &mut Engine,
    terms: &[Term<'_, T>],
) -> Result<Shape, EinsumError> {
    let (first, more) = terms.split_first().expect("a sum has a term");
    let shape = T::__einsum_shape(engine, first.plan, first.operands)?;
    for (at, term) in more.iter().enumerate() {
        let other = T::__einsum_shape(engine, term.plan, term.operands)?;
        if *other != *shape {
            return Err(EinsumError::Terms {
                subscripts: term.plan.text(),
                term: at + 1,
                expected: shape.to_vec(),
                found: other.to_vec(),
            });
        }
    }
    Ok(shape)
}

/// `C <- sum + beta * C`. Everything is checked before anything is written.
pub(crate) fn into<T: Scalar>(
    engine: &mut Engine,
    terms: &[Term<'_, T>],
    output: &RawMut<'_, T>,
    beta: T,
) -> Result<(), EinsumError> {
    // A single term is checked by its own call.
    if terms.len() > 1 {
        let shape = shape(engine, terms)?;
        if *shape != *output.given.shape {
            return Err(EinsumError::output(
                terms[0].plan,
                &shape,
                output.given.shape,
            ));
        }
    }
    let mut beta = beta;
    for term in terms {
        T::__einsum_into(engine, term.plan, term.operands, output, term.alpha, beta)?;
        beta = T::ONE;
    }
    Ok(())
}

/// The sum in new memory.
pub(crate) fn fresh<T: Scalar>(
    engine: &mut Engine,
    terms: &[Term<'_, T>],
    order: MemoryOrder,
) -> Result<Fresh<T>, EinsumError> {
    if let [only] = terms
        && only.alpha == T::ONE
    {
        return T::__einsum(engine, only.plan, only.operands, order);
    }
    let shape = shape(engine, terms)?;
    let mut data = zeros(shape.iter().product());
    let strides = strides_of(&shape, order);
    let mut view =
        DynTensorViewMut::new(&mut data, &*shape, strides, 0).expect("a layout without gaps");
    into(engine, terms, &RawMut::new(&mut view), T::ZERO)?;
    Ok(Fresh { shape, data })
}
