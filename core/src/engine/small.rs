//! Products of two small matrices, without what an engine remembers.
//!
//! A call whose subscripts are a product ([`Product`]) and whose lengths are small runs at once: to look up what an engine
//! remembers of it would take longer than the product. It is the same kernel that the engine would run
//! ([`kernel::small`](crate::kernel::small)), so that the bits are the same; whatever is out of the ordinary, and all that
//! is wrong, is left to the engine. One that is given is told what ran, should it be asked to explain that.

use cteinsum_plan::Product;

use crate::engine::Engine;
#[cfg(feature = "report")]
use crate::engine::execute::elements;
use crate::engine::plan::Plan;
use crate::engine::raw::{MemoryOrder, Raw, RawMut, Target};
use crate::engine::sum::Term;
use crate::kernel::Element;
use crate::kernel::small::{Little, MOST, NO_STRIDE, Small, little, ready};
use crate::scalar::Scalar;

/// Whether small products need not be looked up: not where a test wants all threads for every step.
#[inline]
pub(crate) fn may_run(engine: Option<&Engine>) -> bool {
    engine.is_none_or(|engine| !engine.split_all)
}

/// Tells an engine that was given that a term has run.
#[inline]
#[cfg_attr(not(feature = "report"), allow(unused_variables))]
pub(crate) fn ran<T: Scalar>(engine: &mut Engine, term: &Term<'_, T>, target: Target<'_>) {
    #[cfg(feature = "report")]
    if let Plan::Constant(spec) = term.plan {
        let of = (spec, const { &elements::<T>() });
        (engine.cache).ran_small(of, Raw::layouts(term.operands), target);
    }
}

/// `C <- term + beta * C`; `false` if that is left to the engine.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn into<T: Scalar>(term: &Term<'_, T>, output: &RawMut<'_, T>, beta: T) -> bool {
    match term.plan {
        Plan::Constant(spec) => spec.product.as_ref().is_some_and(|product| {
            T::__small_into(product, term.operands, output, (term.alpha, beta))
        }),
        Plan::Parsed(_) | Plan::Once(_) => false,
    }
}

/// The elements of the term in new memory, and its shape in `shape`, which has as many axes; `None` if that is left to the
/// engine.
#[inline]
pub(crate) fn fresh<T: Scalar>(
    term: &Term<'_, T>,
    order: MemoryOrder,
    shape: &mut [usize],
) -> Option<Vec<T>> {
    match term.plan {
        Plan::Constant(spec) => {
            let product = spec.product.as_ref()?;
            T::__small(product, term.operands, term.alpha, order, shape)
        }
        Plan::Parsed(_) | Plan::Once(_) => None,
    }
}

/// As [`into`], for one element type. Where it is inlined, most of it is known to the compiler: which axes there are, and
/// that they are.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn into_of<T: Scalar + Element>(
    of: &Product,
    operands: &[Raw<'_, T>],
    output: &RawMut<'_, T>,
    (alpha, beta): (T, T),
) -> bool {
    let [a, b] = operands else { return false };
    let ((a, pa), (b, pb)) = ((a.layout(), a.ptr()), (b.layout(), b.ptr()));
    let c = &output.given;
    let [rows, columns] = [of.m, of.n].map(|axes| usize::from(axes.is_some()));
    // Said one by one: arrays would be compared in a register that waits for its parts.
    let terms = 1 + usize::from(of.two);
    let a_fits = a.shape.len() == rows + terms && a.real;
    let b_fits = b.shape.len() == columns + terms && b.real;
    if !a_fits || !b_fits || c.shape.len() != rows + columns {
        return false;
    }
    let mut small = Small {
        m: 1,
        n: 1,
        k: 0,
        a: [0; 2],
        b: [0; 2],
        c: [NO_STRIDE; 2],
    };
    let at = |axes: [u8; 2]| axes.map(usize::from);
    let [in_a, in_b] = at(of.k);
    small.k = a.shape[in_a];
    (small.a[1], small.b[0]) = (a.strides[in_a], b.strides[in_b]);
    // Lengths that broadcast differ, as those do that are wrong.
    let mut alike = small.k == b.shape[in_b];
    if of.two {
        // One axis, if the second label's is what a step of the first one's goes along, in both.
        let (next_a, next_b) = (in_a + 1, in_b + 1);
        let len = a.shape[next_a];
        let chains = |outer: isize, inner: isize| inner.checked_mul(len as isize) == Some(outer);
        alike &= len == b.shape[next_b]
            && chains(a.strides[in_a], a.strides[next_a])
            && chains(b.strides[in_b], b.strides[next_b]);
        small.k = small.k.saturating_mul(len);
        (small.a[1], small.b[0]) = (a.strides[next_a], b.strides[next_b]);
    }
    if let Some([in_a, in_c]) = of.m.map(at) {
        small.m = a.shape[in_a];
        alike &= small.m == c.shape[in_c];
        (small.a[0], small.c[0]) = (a.strides[in_a], c.strides[in_c]);
    }
    if let Some([in_b, in_c]) = of.n.map(at) {
        small.n = b.shape[in_b];
        alike &= small.n == c.shape[in_c];
        (small.b[1], small.c[1]) = (b.strides[in_b], c.strides[in_c]);
    }
    if !alike {
        return false;
    }
    if alpha == <T as Scalar>::ONE
        && beta == <T as Scalar>::ZERO
        && let Some(Little { a, b, c, rest }) = little(small, [pa, pb], output.ptr)
    {
        // SAFETY: as below.
        unsafe { T::__run_little(a, b, c, rest) };
        return true;
    }
    let scale = (alpha, (beta != <T as Scalar>::ZERO).then_some(beta));
    let Some(ready) = ready::<T>(small, [pa, pb], output.ptr, scale) else {
        return false;
    };
    // SAFETY: the axes are those of the operands and of the output, of the same lengths, by whose strides every index leads
    // to an element; the output is borrowed mutably, so that it overlaps no operand. It is initialised if there is a beta.
    unsafe { T::__run_small(&ready) };
    true
}

/// As [`fresh`], for one element type.
#[inline]
pub(crate) fn fresh_of<T: Scalar + Element>(
    of: &Product,
    operands: &[Raw<'_, T>],
    alpha: T,
    order: MemoryOrder,
    shape: &mut [usize],
) -> Option<Vec<T>> {
    let [a, b] = operands else { return None };
    for (raw, axes) in [(a, of.m), (b, of.n)] {
        if let Some([from, to]) = axes {
            let len = *raw.layout().shape.get(usize::from(from))?;
            // Nothing is allocated for what the kernel would refuse.
            *shape.get_mut(usize::from(to))? = len;
            if len > MOST {
                return None;
            }
        }
    }
    let (len, strides) = match (&*shape, order) {
        (&[len], _) => (len, [1, 0]),
        (&[rows, columns], MemoryOrder::RowMajor) => (rows * columns, [columns as isize, 1]),
        (&[rows, columns], MemoryOrder::ColumnMajor) => (rows * columns, [1, rows as isize]),
        _ => return None,
    };
    let mut data = Vec::with_capacity(len);
    // SAFETY: the vector has room for the elements of this shape, which lie behind one another.
    let output = unsafe { RawMut::new_memory(&mut data, shape, &strides[..shape.len()]) };
    into_of(of, operands, &output, (alpha, <T as Scalar>::ZERO)).then(|| {
        // SAFETY: a product without a beta writes every element of its result, and reads none.
        unsafe { data.set_len(len) };
        data
    })
}
