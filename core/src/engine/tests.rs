//! The engine through `Einsum`: memory of prepared calls, given outputs, default engines, panics.

use num_complex::Complex;

mod threads;

use crate::engine::execute::elements;
use crate::engine::plan::Plan;
use crate::engine::prepare::Recipe;
use crate::engine::raw::{Given, Target};
use crate::engine::{MemoryOrder, Raw};
use crate::tensor::{DynTensorViewMut, Tensor};
use crate::{Einsum, EinsumError, Engine, Scalar, set_default_threads, tensordot};

const THREADS: bool = cfg!(feature = "threads");

fn ramp<const N: usize>(shape: [usize; N]) -> Tensor<f64, N> {
    let len = shape.iter().product();
    Tensor::from_vec(shape, (0..len).map(|i| (i % 7) as f64 - 3.0).collect())
}

#[test]
fn a_call_with_the_same_shapes_and_strides_is_prepared_once() {
    let product = Einsum::parse("ij,jk->ik").unwrap();
    let mut engine = Engine::serial();
    let (a, b) = (ramp([3, 4]), ramp([4, 5]));
    let first = product
        .contract(&mut engine, &[a.as_dyn(), b.as_dyn()])
        .unwrap();
    assert_eq!((engine.stats().hits, engine.stats().misses), (0, 1));
    assert_eq!(
        product
            .clone()
            .contract(&mut engine, &[a.as_dyn(), b.as_dyn()])
            .unwrap(),
        first
    );
    assert_eq!((engine.stats().hits, engine.stats().misses), (1, 1));
    // Other strides, another element type, another einsum with the same text: each is prepared for itself.
    let transposed = ramp([4, 3]);
    product
        .contract(
            &mut engine,
            &[transposed.permuted([1, 0]).as_dyn(), b.as_dyn()],
        )
        .unwrap();
    let (c, d) = (a.map(|&x| x as i64), b.map(|&x| x as i64));
    product
        .contract(&mut engine, &[c.as_dyn(), d.as_dyn()])
        .unwrap();
    Einsum::parse("ij,jk->ik")
        .unwrap()
        .contract(&mut engine, &[a.as_dyn(), b.as_dyn()])
        .unwrap();
    assert_eq!((engine.stats().hits, engine.stats().misses), (1, 4));
    engine.clear();
    product
        .contract(&mut engine, &[a.as_dyn(), b.as_dyn()])
        .unwrap();
    assert_eq!((engine.stats().hits, engine.stats().misses), (1, 5));
}

/// The kernels take it for granted that what they are told is untouched has just been allocated.
#[test]
fn new_results_and_nothing_else_are_written_as_untouched() {
    let product = Einsum::parse("ij,jk,l->ikl").unwrap();
    let (a, b, c) = (ramp([3, 4]), ramp([4, 5]), ramp([2]));
    let (a, b, c) = (a.as_dyn(), b.as_dyn(), c.as_dyn());
    let operands = [Raw::new(&a), Raw::new(&b), Raw::new(&c)];
    let mut engine = Engine::serial();
    let sharing = engine.sharing();
    let given = Given {
        shape: &[3, 5, 2],
        strides: &[10, 2, 1],
    };
    for target in [Target::fresh(MemoryOrder::RowMajor), Target::given(&given)] {
        let recipe = Recipe::new(
            Plan::Parsed(&product),
            &mut engine.orders,
            elements::<f64>(),
            Raw::layouts(&operands),
            target,
            sharing,
        )
        .unwrap();
        let untouched = recipe.actions.iter().map(|action| {
            let kernel = action.kernel.clone();
            kernel.clone().into_untouched() == kernel
        });
        let expected = [false, target.given.is_none()];
        assert!(untouched.eq(expected), "{target:?}");
    }
}

#[test]
fn fresh_results_in_either_order_are_told_apart() {
    let product = Einsum::parse("ijk,k->ji").unwrap();
    let (a, b) = (ramp([3, 4, 2]), ramp([2]));
    let (a, b) = (a.as_dyn(), b.as_dyn());
    let operands = [Raw::new(&a), Raw::new(&b)];
    let expected = product.contract(&mut Engine::serial(), &[a.clone(), b.clone()]);
    let expected = expected.unwrap().try_into_rank::<2>().unwrap();
    let mut engine = Engine::serial();
    for _ in 0..2 {
        for order in [MemoryOrder::RowMajor, MemoryOrder::ColumnMajor] {
            let plan = Plan::Parsed(&product);
            let fresh = f64::__einsum(&mut engine, plan, &operands, order).unwrap();
            assert_eq!(*fresh.shape, [4, 3]);
            let wanted = match order {
                MemoryOrder::RowMajor => expected.as_slice().to_vec(),
                MemoryOrder::ColumnMajor => expected.permuted([1, 0]).iter().copied().collect(),
            };
            assert_eq!(fresh.data, wanted, "{order:?}");
            let shape = f64::__einsum_shape(&mut engine, plan, &operands).unwrap();
            assert_eq!(*shape, [4, 3]);
        }
    }
    assert_eq!((engine.stats().hits, engine.stats().misses), (6, 2));
}

#[test]
fn the_memory_of_prepared_calls_is_bounded_and_forgetting_changes_nothing() {
    let product = Einsum::parse("ij,jk->ik").unwrap();
    let mut engine = Engine::serial();
    for round in 0..3 {
        for n in 1..40 {
            let (a, b) = (ramp([n, 2]), ramp([2, n]));
            let c = product
                .contract(&mut engine, &[a.as_dyn(), b.as_dyn()])
                .unwrap();
            let expected = a[[n - 1, 0]] * b[[0, n - 1]] + a[[n - 1, 1]] * b[[1, n - 1]];
            assert_eq!(c[[n - 1, n - 1]], expected, "n = {n}, round {round}");
        }
    }
    assert_eq!(
        engine.stats().hits,
        0,
        "four sizes of a plan are kept, not 39"
    );
}

#[test]
fn a_growing_memory_of_prepared_calls_forgets_none() {
    let mut engine = Engine::serial();
    let a = ramp([3, 4]);
    // As many as one set holds, and one more.
    let plans: Vec<Einsum> = (0..5).map(|_| Einsum::parse("ij->ji").unwrap()).collect();
    for known in 1..=5 {
        for plan in &plans[..known] {
            plan.contract(&mut engine, &[a.as_dyn()]).unwrap();
        }
        assert_eq!(engine.stats().misses, known as u64);
    }
}

#[test]
fn alpha_and_beta_into_any_strides() {
    let (a, b) = (ramp([2, 3]), ramp([3, 4]));
    let product = Einsum::parse("ij,jk->ik").unwrap();
    let mut engine = Engine::serial();
    let plain = product
        .contract(&mut engine, &[a.as_dyn(), b.as_dyn()])
        .unwrap();
    // Columns backwards, one element of gap, in a buffer that starts as NaN where beta is 0.
    for (alpha, beta, start) in [
        (2.0, 0.0, f64::NAN),
        (1.0, 1.0, 5.0),
        (-0.5, 3.0, 2.0),
        (0.0, 0.0, f64::NAN),
    ] {
        let mut buffer = vec![start; 64];
        let out = DynTensorViewMut::new(&mut buffer, [2, 4], [2, -5], 40).unwrap();
        product
            .contract_into(&mut engine, &[a.as_dyn(), b.as_dyn()], out, alpha, beta)
            .unwrap();
        for (i, k) in (0..2).flat_map(|i| (0..4).map(move |k| (i, k))) {
            let old = if beta == 0.0 { 0.0 } else { beta * start };
            assert_eq!(buffer[40 + 2 * i - 5 * k], alpha * plain[[i, k]] + old);
        }
        let untouched = buffer
            .iter()
            .filter(|x| x.to_bits() == start.to_bits())
            .count();
        assert!(
            untouched >= 64 - 8,
            "only the eight elements of the view are written"
        );
    }
}

#[test]
fn off_the_diagonal_a_given_output_is_scaled_only() {
    let diagonal = Einsum::parse("i->ii").unwrap();
    let x = ramp([3]);
    for (beta, start) in [(0.0, f64::NAN), (1.0, 4.0), (2.0, 4.0)] {
        let mut out = Tensor::full([3, 3], start);
        diagonal
            .contract_into(
                &mut Engine::serial(),
                &[x.as_dyn()],
                out.as_dyn_mut(),
                10.0,
                beta,
            )
            .unwrap();
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            let old = if beta == 0.0 { 0.0 } else { beta * start };
            let new = if i == j { 10.0 * x[[i]] } else { 0.0 };
            assert_eq!(out[[i, j]], new + old);
        }
    }
}

#[test]
fn an_output_of_another_shape_is_left_alone() {
    let (a, b) = (ramp([2, 3]), ramp([3, 4]));
    let mut out = Tensor::full([2, 1], f64::NAN);
    let error = Einsum::parse("ij,jk->ik")
        .unwrap()
        .contract_into(
            &mut Engine::serial(),
            &[a.as_dyn(), b.as_dyn()],
            out.as_dyn_mut(),
            1.0,
            0.0,
        )
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the result has shape [2, 4], but `out` has shape [2, 1]\n    ij,jk->ik\n            ^"
    );
    assert!(out.as_slice().iter().all(|x| x.is_nan()));
}

#[test]
fn sizes_are_checked_before_anything_is_allocated() {
    let huge = 1usize << 40;
    let one = [0u8];
    let a = crate::DynTensorView::new(&one, [huge, huge], [0, 0], 0);
    // A view of more than usize::MAX elements cannot be made; one of 2^40 can, and its outer square cannot.
    assert!(a.is_err());
    let a = crate::DynTensorView::new(&one, [huge], [0], 0).unwrap();
    let error = Einsum::parse("i,j->ij")
        .unwrap()
        .contract(&mut Engine::serial(), &[a.clone(), a])
        .unwrap_err();
    assert!(
        matches!(&error, EinsumError::TooLarge { shape, .. } if *shape == [huge, huge]),
        "{error:?}"
    );
}

/// Panics when it meets 13.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moody(u32);
crate::scalar_operand!(Moody);
impl Scalar for Moody {
    const ZERO: Self = Moody(0);
    const ONE: Self = Moody(1);
    fn add(a: Self, b: Self) -> Self {
        Moody(a.0 + b.0)
    }
    fn mul(a: Self, b: Self) -> Self {
        assert_ne!(a.0, 13, "thirteen");
        Moody(a.0 * b.0)
    }
}

#[test]
fn a_panic_of_the_element_type_leaves_the_engine_usable() {
    let product = Einsum::parse("ij,jk,k->i").unwrap();
    let mut engine = Engine::serial();
    let mut a = Tensor::full([3, 3], Moody(2));
    let (b, v) = (Tensor::full([3, 3], Moody(1)), Tensor::full([3], Moody(1)));
    let expected = vec![Moody(18); 3];
    assert_eq!(
        product
            .contract(&mut engine, &[a.as_dyn(), b.as_dyn(), v.as_dyn()])
            .unwrap()
            .into_vec(),
        expected
    );
    a[[1, 1]] = Moody(13);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        product.contract(&mut engine, &[a.as_dyn(), b.as_dyn(), v.as_dyn()])
    }));
    assert!(caught.is_err());
    a[[1, 1]] = Moody(2);
    assert_eq!(
        product
            .contract(&mut engine, &[a.as_dyn(), b.as_dyn(), v.as_dyn()])
            .unwrap()
            .into_vec(),
        expected
    );
}

#[test]
fn engines_of_no_threads_are_refused() {
    assert_eq!(
        Engine::with_threads(0).unwrap_err().to_string(),
        "a team needs at least one thread"
    );
    assert!(set_default_threads(0).is_err());
    assert_eq!(Engine::with_threads(1).unwrap().threads(), 1);
    assert_eq!(Engine::serial().retained_bytes(), 0);
}

#[test]
fn a_chain_keeps_its_intermediates_for_the_next_call_until_cleared() {
    let mut engine = Engine::serial();
    let a = ramp([8, 8]);
    let chain = Einsum::parse("ij,jk,kl->il").unwrap();
    chain
        .contract(&mut engine, &[a.as_dyn(), a.as_dyn(), a.as_dyn()])
        .unwrap();
    let kept = engine.retained_bytes();
    assert!(kept >= 8 * 8 * 8);
    chain
        .contract(&mut engine, &[a.as_dyn(), a.as_dyn(), a.as_dyn()])
        .unwrap();
    assert_eq!(engine.retained_bytes(), kept);
    engine.clear();
    assert_eq!(engine.retained_bytes(), 0);
}

#[test]
fn threads_do_not_change_the_bits() {
    let a = Tensor::from_fn([70, 90], |[i, j]| ((i * 91 + j * 17) as f64).sin());
    let b = Tensor::from_fn([90, 80], |[i, j]| ((i * 13 + j * 37) as f64).cos());
    let z = a.map(|&x| Complex::new(x, 1.0 - x));
    let w = b.map(|&x| Complex::new(x, x * x));
    let product = Einsum::parse("ij,jk->ki").unwrap();
    let mut engine = Engine::serial();
    let serial = product
        .contract(&mut engine, &[a.as_dyn(), b.as_dyn()])
        .unwrap();
    let complex = product
        .contract(&mut engine, &[z.as_dyn(), w.as_dyn()])
        .unwrap();
    for threads in [1, 2, 3, 8] {
        if threads > 1 && !THREADS {
            assert!(Engine::with_threads(threads).is_err());
            continue;
        }
        let mut engine = Engine::with_threads(threads).unwrap();
        let again = product.contract(&mut engine, &[a.as_dyn(), b.as_dyn()]);
        assert_eq!(again.unwrap(), serial);
        let again = product.contract(&mut engine, &[z.as_dyn(), w.as_dyn()]);
        assert_eq!(again.unwrap(), complex);
    }
}

#[test]
fn the_default_threads_are_lent_to_one_call_at_a_time() {
    let a = Tensor::from_fn([64, 96], |[i, j]| ((i * 91 + j * 17) as f64).sin());
    let expected = tensordot(&a, &a.permuted([1, 0]), 1).unwrap();
    assert_eq!(set_default_threads(2).is_ok(), THREADS);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(tensordot(&a, &a.permuted([1, 0]), 1).unwrap(), expected);
                }
            });
        }
    });
    set_default_threads(1).unwrap();
    assert_eq!(tensordot(&a, &a.permuted([1, 0]), 1).unwrap(), expected);
}

/// Equal to nothing, like NaN, and to be read only as what was written.
#[derive(Clone, Copy, Debug)]
struct Liar(u32);
impl PartialEq for Liar {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}
crate::scalar_operand!(Liar);
impl Scalar for Liar {
    const ZERO: Self = Liar(0);
    const ONE: Self = Liar(1);
    fn add(a: Self, b: Self) -> Self {
        Liar(a.0.checked_add(b.0).expect("small numbers"))
    }
    fn mul(a: Self, b: Self) -> Self {
        Liar(a.0.checked_mul(b.0).expect("small numbers"))
    }
}

#[test]
fn memory_is_not_read_on_the_word_of_an_equality() {
    let mut engine = Engine::serial();
    let chain = Einsum::parse("ij,jk,kl->il").unwrap();
    let dirt = Tensor::full([4, 4], u64::MAX);
    chain
        .contract(&mut engine, &[dirt.as_dyn(), dirt.as_dyn(), dirt.as_dyn()])
        .unwrap();
    let a = Tensor::full([4, 4], Liar(1));
    let c = chain
        .contract(&mut engine, &[a.as_dyn(), a.as_dyn(), a.as_dyn()])
        .unwrap();
    assert!(c.iter().all(|x| x.0 == 16));
}

#[test]
fn index_spaces_that_nobody_can_walk_are_errors_or_empty_sums() {
    let one = [1i32];
    let (long, few) = (1usize << 60, [2usize]);
    let a = crate::DynTensorView::new(&one, [few[0], long], [0, 0], 0).unwrap();
    let b = crate::DynTensorView::new(&one, [long, few[0] << 2], [0, 0], 0).unwrap();
    let product = Einsum::parse("ik,kj->ij").unwrap();
    let error = product
        .contract(&mut Engine::serial(), &[a, b])
        .unwrap_err();
    assert!(matches!(error, EinsumError::TooLarge { .. }), "{error:?}");
    let nothing: [f64; 0] = [];
    let empty = crate::DynTensorView::new(&nothing, [1 << 40, 1 << 40, 0], [7, 5, 3], 0).unwrap();
    let sum = Einsum::parse("ijk->").unwrap();
    let zero = sum.contract(&mut Engine::serial(), &[empty]).unwrap();
    assert_eq!(zero.as_slice(), [0.0]);
}

#[test]
fn parentheses_and_an_order_conflict() {
    use crate::Order;
    for order in [Order::Greedy, Order::LeftToRight] {
        let grouped = Einsum::parse("(ij,jk),kl->il").unwrap();
        assert!(matches!(
            grouped
                .order(order)
                .contract::<f64>(&mut Engine::serial(), &[]),
            Err(EinsumError::Order { .. })
        ));
    }
}
