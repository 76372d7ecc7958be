//! What is reported is what runs: kernels and their reasons through `Einsum::explain` and `Engine::explain`.

use cteinsum::{
    DynTensor, DynTensorView, Einsum, Engine, Explanation, Kernel, Reason, Scalar, Tensor, einsum,
    try_einsum,
};

fn full<T: Scalar>(shape: &[usize]) -> DynTensor<T> {
    DynTensor::from_vec(shape, vec![T::ONE; shape.iter().product()])
}

fn explain<T: Scalar>(spec: &str, shapes: &[&[usize]]) -> Explanation {
    let operands: Vec<DynTensor<T>> = shapes.iter().map(|shape| full(shape)).collect();
    let views: Vec<DynTensorView<'_, T>> = operands.iter().map(DynTensor::view).collect();
    let mut engine = Engine::serial();
    let e = Einsum::parse(spec).expect("subscripts");
    let before = e.explain(&mut engine, &views).expect("sizes");
    // The call finds what was explained, and so runs it.
    e.contract(&mut engine, &views).expect("sizes");
    assert_eq!(
        (engine.stats().hits, engine.stats().misses),
        (1, 1),
        "{spec}"
    );
    let after = engine.explain().expect("a call");
    assert_eq!(before.routes(), after.routes(), "{spec}");
    assert_eq!(before.to_string(), after.to_string(), "{spec}");
    after
}

/// The kernels of each step, and the reason for the last one.
fn route<T: Scalar>(spec: &str, shapes: &[&[usize]]) -> (Vec<Vec<Kernel>>, Reason) {
    let explanation = explain::<T>(spec, shapes);
    let kernels = explanation.routes().iter();
    let kernels = kernels.map(|step| step.iter().map(|route| route.kernel).collect());
    let last = explanation.routes().last().and_then(|step| step.last());
    (kernels.collect(), last.expect("a kernel").reason)
}

#[test]
fn the_route_of_each_class() {
    let n: &[usize] = &[48, 48];
    let one = |kernel| vec![vec![kernel]];
    assert_eq!(
        route::<f64>("ij,jk->ik", &[n, n]),
        (one(Kernel::Faer), Reason::EveryGroupFuses)
    );
    assert_eq!(
        route::<i64>("ij,jk->ik", &[n, n]),
        (one(Kernel::Packed), Reason::ElementType)
    );
    // i and l of the first operand have no common stride in the result.
    assert_eq!(
        route::<f64>("ijl,jk->ikl", &[&[16, 48, 16], n]),
        (one(Kernel::Packed), Reason::GroupDoesNotFuse)
    );
    assert_eq!(
        route::<f64>("ij,jk->ik", &[&[4, 4], &[4, 4]]),
        (one(Kernel::Tiny), Reason::Small)
    );
    assert_eq!(
        route::<f64>("ij,j->i", &[n, &[48]]),
        (one(Kernel::Gemv), Reason::OneFreeGroup)
    );
    assert_eq!(
        route::<f64>("ij,ij->", &[n, n]),
        (one(Kernel::Dot), Reason::NoFreeAxes)
    );
    assert_eq!(
        route::<f64>("i,j->ij", &[&[48], &[48]]),
        (one(Kernel::Product), Reason::NothingSummed)
    );
    assert_eq!(
        route::<f64>("ij,ij->ij", &[n, n]),
        (one(Kernel::Product), Reason::NothingSummed)
    );
    assert_eq!(
        route::<f64>("ijb,jkb->ikb", &[&[16, 16, 64], &[16, 16, 64]]),
        (one(Kernel::BatchInner), Reason::BatchInnermost)
    );
    assert_eq!(
        route::<f64>("ij->ji", &[n]),
        (one(Kernel::Copy), Reason::OneArray)
    );
    assert_eq!(
        route::<f64>("ij->j", &[n]),
        (one(Kernel::Sum), Reason::OneArraySummed)
    );
    assert_eq!(
        route::<f64>("ij,jk->ik", &[&[0, 4], &[4, 4]]),
        (one(Kernel::Nothing), Reason::NoElements)
    );
    assert_eq!(
        route::<f64>("ij,jk->ik", &[&[4, 0], &[0, 4]]),
        (one(Kernel::Scale), Reason::EmptySum)
    );
    // Sums of one operand's own labels come before the product of their step.
    assert_eq!(
        route::<f64>("ijx,jky->ik", &[&[48, 48, 3], &[48, 48, 3]]),
        (
            vec![vec![Kernel::Sum, Kernel::Sum, Kernel::Faer]],
            Reason::EveryGroupFuses
        )
    );
    assert_eq!(
        route::<f64>("ij,jk,kx->i", &[n, n, n]).0,
        [vec![Kernel::Sum, Kernel::Gemv], vec![Kernel::Gemv]]
    );
}

#[test]
fn the_table_names_the_kernels() {
    let explanation = explain::<f32>("ij,jk,kl->il", &[&[48usize, 48][..]; 3]);
    let text = explanation.to_string();
    assert_eq!(
        text.matches("faer gemm: every group of axes has one stride\n")
            .count(),
        2,
        "{text}"
    );
    assert!(
        text.contains("peak workspace        2,304 elements, 9,216 bytes\n"),
        "{text}"
    );
    assert_eq!(
        explanation.workspace_bytes(),
        4 * 2304,
        "what the plan says is what is taken"
    );
    assert_eq!(explanation.report().multiply_adds(), 2 * 48 * 48 * 48);
    assert_eq!(explanation.report().peak(), 2304);
    // Axes of `...` are known here.
    let text = explain::<f64>("...ij,jk->...ik", &[&[2, 3, 40, 50], &[50, 60]]).to_string();
    assert!(text.contains("[-2] 2, [-1] 3"), "{text}");
}

#[test]
fn the_last_call_of_an_engine() {
    let mut engine = Engine::serial();
    assert!(engine.explain().is_none());
    let a = Tensor::<f64, 2>::zeros([40, 50]);
    let kernel = |engine: &Engine| engine.explain().expect("a call").routes()[0][0].kernel;
    einsum!("ij->ji", a, engine = &mut engine);
    assert_eq!(kernel(&engine), Kernel::Copy);
    einsum!("ij->i", a, engine = &mut engine);
    assert_eq!(kernel(&engine), Kernel::Sum);
    einsum!("ij->ji", a, engine = &mut engine);
    assert_eq!(kernel(&engine), Kernel::Copy, "remembered");
    let mut out = Tensor::<f64, 2>::zeros([40, 40]);
    einsum!(
        "ij,kj->ik",
        a,
        a,
        engine = &mut engine,
        out = &mut out,
        beta = 1.0
    );
    assert_eq!(kernel(&engine), Kernel::Faer);
    assert!(try_einsum!("ij,jk->ik", a, a, engine = &mut engine).is_err());
    assert!(engine.explain().is_none(), "after an error");
    einsum!("ij->ji", a, engine = &mut engine);
    engine.clear();
    assert!(engine.explain().is_none(), "forgotten");
}

#[test]
fn a_small_product_is_explained_though_nothing_is_remembered_of_it() {
    let mut engine = Engine::serial();
    let a = Tensor::<f64, 2>::from_fn([3, 4], |[i, j]| (1.0 + (5 * i + j) as f64).sqrt());
    let b = Tensor::<f64, 2>::from_fn([4, 5], |[j, k]| (2.0 + (7 * j + k) as f64).ln());
    // What is known only at run time always asks the table.
    let e = Einsum::parse("ij,jk->ik").expect("subscripts");
    let mut other = Engine::serial();
    let views = [a.as_dyn(), b.as_dyn()];
    let expected = e.explain(&mut other, &views).expect("sizes");
    let c = einsum!("ij,jk->ik", a, b, engine = &mut engine);
    assert_eq!(e.contract(&mut other, &views).expect("sizes"), c.as_dyn());
    let mut out = Tensor::<f64, 2>::zeros([5, 3]);
    let check = |engine: &Engine| {
        let said = engine.explain().expect("a call");
        assert_eq!(said.routes(), expected.routes());
        assert_eq!(said.to_string(), expected.to_string());
        assert_eq!(said.routes()[0][0].kernel, Kernel::Tiny);
        assert_eq!((engine.stats().hits, engine.stats().misses), (0, 0));
    };
    check(&engine);
    engine.clear();
    assert!(engine.explain().is_none(), "forgotten");
    einsum!(
        "ij,jk->ik",
        a,
        b,
        engine = &mut engine,
        out = &mut out.view_mut().permuted([1, 0])
    );
    assert_eq!(out.permuted([1, 0]).as_dyn(), c.as_dyn());
    check(&engine);
    let row = Tensor::<f64, 1>::from_fn([4], |[i]| a[[1, i]]);
    einsum!("i,i->", row, row, engine = &mut engine);
    assert_eq!(
        engine.explain().expect("a call").routes()[0][0].kernel,
        Kernel::Dot
    );
    // Another call is the last one, then; and where steps are to meet threads, they do.
    einsum!("ij->ji", a, engine = &mut engine);
    assert_eq!(
        engine.explain().expect("a call").routes()[0][0].kernel,
        Kernel::Copy
    );
    engine.__split_everything();
    assert_eq!(einsum!("ij,jk->ik", a, b, engine = &mut engine), c);
    assert_eq!((engine.stats().hits, engine.stats().misses), (0, 2));
}

#[test]
fn threads_are_named() {
    let mut engine = Engine::with_threads(2).expect("threads");
    let a = Tensor::<f64, 2>::zeros([600, 600]);
    einsum!("ij,jk->ik", a, a, engine = &mut engine);
    let text = engine.explain().expect("a call").to_string();
    assert!(text.contains("(up to 2 threads)"), "{text}");
    // Work of this size does not touch the team.
    let a = Tensor::<f64, 2>::zeros([32, 32]);
    einsum!("ij,jk->ik", a, a, engine = &mut engine);
    assert_eq!(engine.explain().expect("a call").routes()[0][0].threads, 1);
}

/// The steps of a prepared einsum and of the plan before sizes are those that run.
#[test]
fn plans_and_explanations_agree() {
    let shapes: &[&[usize]] = &[&[64, 32], &[32, 1000], &[1000, 8]];
    let e = Einsum::parse("ij,jk,kl->il").expect("subscripts");
    let sizes = [("i", 64), ("j", 32), ("k", 1000), ("l", 8)];
    let planned = e.plan().expect("an order").at(sizes);
    let prepared = e.prepare(shapes).expect("sizes");
    let operands: Vec<DynTensor<f64>> = shapes.iter().map(|shape| full(shape)).collect();
    let views: Vec<_> = operands.iter().map(DynTensor::view).collect();
    let mut engine = Engine::serial();
    let explained = prepared.explain(&mut engine, &views).expect("sizes");
    let same = e.explain(&mut engine, &views).expect("sizes");
    assert_eq!(explained.report().tree(), planned.tree());
    assert_eq!(explained.report().program(), planned.program());
    assert_eq!(explained.routes(), same.routes());
    assert_eq!(explained.report().multiply_adds(), planned.multiply_adds());
}
