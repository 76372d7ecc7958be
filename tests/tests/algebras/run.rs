//! Operands in any layout, one call with one thread and with two, and the judge.

use cteinsum::algebra::Algebra;
use cteinsum::{DynTensorView, DynTensorViewMut, Einsum, Engine, Scalar};
use cteinsum_tests::layout::{ANY, lay_elements};
use cteinsum_tests::oracle::{self, Dense, Ring};
use cteinsum_tests::outcome::Failures;
use cteinsum_tests::random::Random;
use cteinsum_tests::specs;

/// An engine that shares out the smallest step.
pub(crate) fn pair() -> Engine {
    let mut pair = Engine::with_threads(2).expect("threads");
    pair.__split_everything();
    pair
}

/// One einsum over operands that `element` makes of random numbers below 10, in layouts of a random choice.
pub(crate) fn check<A: Algebra<T>, T: Scalar, R: Ring>(
    r: &mut Random,
    engines: [&mut Engine; 2],
    (spec, shapes): (&str, &[Vec<usize>]),
    judge: impl Fn(usize) -> R,
    element: impl Fn(R) -> T,
    poison: T,
) -> Result<(), String> {
    let mut dense = Vec::new();
    let mut laid = Vec::new();
    for shape in shapes {
        let count = shape.iter().product();
        let values: Vec<R> = (0..count).map(|_| judge(r.below(10))).collect();
        let elements: Vec<T> = values.iter().map(|x| element(*x)).collect();
        laid.push(lay_elements(
            shape,
            &elements,
            &ANY[r.below(ANY.len())],
            poison,
        ));
        dense.push(Dense {
            shape: shape.clone(),
            values,
        });
    }
    let exact = oracle::einsum(spec, &dense);
    let expected: Vec<T> = exact.values.iter().map(|x| element(*x)).collect();
    let views: Vec<DynTensorView<'_, T>> = laid
        .iter()
        .map(|o| DynTensorView::new(&o.data, &o.shape, &o.strides, o.offset).expect("a view"))
        .collect();
    let einsum = Einsum::parse(spec).map_err(|e| e.to_string())?;
    let mut texts = Vec::new();
    for engine in engines {
        let got = einsum
            .contract_in::<A, T>(engine, &views)
            .map_err(|e| e.to_string())?;
        if got.shape() != exact.shape || got.as_slice() != expected {
            return Err(format!("gave {:?}, not {expected:?}", got.as_slice()));
        }
        // The factors: 1 ⊗ result ⊕ 1 ⊗ c.
        let old: Vec<R> = (0..expected.len()).map(|n| judge(1 + n % 9)).collect();
        let mut out: Vec<T> = old.iter().map(|x| element(*x)).collect();
        let to = DynTensorViewMut::new(&mut out, &exact.shape, row_major(&exact.shape), 0);
        let to = to.expect("a view");
        einsum
            .contract_into_in::<A, T>(engine, &views, to, A::ONE, A::ONE)
            .map_err(|e| e.to_string())?;
        for ((c, old), sum) in out.iter().zip(old).zip(&exact.values) {
            if *c != element(sum.plus(old)) {
                return Err(format!("{c:?} of {old:?} and {sum:?} in a given output"));
            }
        }
        texts.push(format!("{:?} {out:?}", got.as_slice()));
    }
    match texts[0] == texts[1] {
        true => Ok(()),
        false => Err("other bits with two threads".to_owned()),
    }
}

fn row_major(shape: &[usize]) -> Vec<isize> {
    (0..shape.len())
        .map(|axis| shape[axis + 1..].iter().product::<usize>() as isize)
        .collect()
}

/// Random einsums.
pub(crate) fn against_the_loop<A: Algebra<T>, T: Scalar, R: Ring>(
    seed: u64,
    count: usize,
    judge: impl Fn(usize) -> R,
    element: impl Fn(R) -> T,
    poison: T,
) {
    let mut r = Random(seed);
    let (mut serial, mut pair) = (Engine::serial(), pair());
    let mut failures = Failures::new();
    for _ in 0..count {
        let case = specs::random(&mut r);
        let name = || format!("{:?} of {:?}", case.spec, case.shapes);
        failures.check(name, || {
            let call = (case.spec.as_str(), case.shapes.as_slice());
            check::<A, T, R>(
                &mut r,
                [&mut serial, &mut pair],
                call,
                &judge,
                &element,
                poison,
            )
        });
    }
    failures.finish(count);
}
