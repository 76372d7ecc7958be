//! Einsums prepared for shapes, limits of what an engine keeps, and what an order is to make small, at run time.

use std::thread;

use cteinsum::{
    Complex, Cost, DynTensor, Einsum, EinsumError, Engine, Order, PreparedEinsum, Tensor, einsum,
    try_einsum,
};
use cteinsum_plan::{Chooser, Request, Subscripts};

fn tensor(seed: usize, shape: &[usize]) -> DynTensor<f64> {
    let len = shape.iter().product();
    let at = |n: usize| ((seed * 7919 + n) as f64 * 0.37).sin();
    DynTensor::from_vec(shape, (0..len).map(at).collect())
}

fn bits(t: &DynTensor<f64>) -> Vec<u64> {
    t.as_slice().iter().map(|x| x.to_bits()).collect()
}

/// Whether a prepared einsum computes what the einsum itself does, and returns its result.
fn same(e: &Einsum, shapes: &[&[usize]]) -> DynTensor<f64> {
    let plan = e.prepare(shapes).expect("sizes");
    let operands: Vec<_> = shapes
        .iter()
        .enumerate()
        .map(|(n, s)| tensor(n, s))
        .collect();
    let views: Vec<_> = operands.iter().map(DynTensor::view).collect();
    let mut engine = Engine::serial();
    let expected = e.contract(&mut engine, &views).expect("sizes");
    for _ in 0..2 {
        let found = plan.contract(&mut engine, &views).expect("sizes");
        assert_eq!(found.shape(), expected.shape());
        assert_eq!(bits(&found), bits(&expected), "{}", e.subscripts());
    }
    let mut out = DynTensor::from_vec(expected.shape(), vec![1.0; expected.as_slice().len()]);
    plan.contract_into(&mut engine, &views, out.view_mut(), 2.0, -1.0)
        .expect("sizes");
    for (found, expected) in out.as_slice().iter().zip(expected.as_slice()) {
        let expected = 2.0 * expected - 1.0;
        assert!((found - expected).abs() <= 1e-12 * (1.0 + expected.abs()));
    }
    expected
}

#[test]
fn a_prepared_einsum_has_the_bits_of_the_einsum() {
    let chain = Einsum::parse("ij,jk,kl,lm->im").expect("subscripts");
    for shapes in [
        [&[3, 40][..], &[40, 2], &[2, 30], &[30, 5]],
        [&[40, 3], &[3, 20], &[20, 2], &[2, 50]],
        // A length of 1 broadcasts.
        [&[40, 1], &[3, 20], &[20, 1], &[2, 50]],
    ] {
        for cost in [Cost::Time, Cost::Flops, Cost::Size] {
            for order in [Order::Auto, Order::Greedy, Order::LeftToRight] {
                same(&chain.clone().order(order).minimize(cost), &shapes);
            }
        }
    }
    let e = Einsum::parse("...ij,...jk,k->...i").expect("subscripts");
    same(&e, &[&[2, 3, 4, 5], &[3, 5, 6], &[6]]);
    same(&Einsum::parse("ii->i").expect("subscripts"), &[&[4, 4]]);
}

#[test]
fn threads_share_a_prepared_einsum_of_any_element_type() {
    fn assert_shared<T: Send + Sync + Clone>(_: &T) {}
    let e = Einsum::parse("ij,jk->ik").expect("subscripts");
    let plan = e.prepare(&[&[5, 7], &[7, 3]]).expect("sizes");
    assert_shared(&plan);
    let (a, b) = (tensor(0, &[5, 7]), tensor(1, &[7, 3]));
    let expected = bits(
        &plan
            .contract(&mut Engine::serial(), &[a.view(), b.view()])
            .unwrap(),
    );
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let found = plan.contract(&mut Engine::serial(), &[a.view(), b.view()]);
                assert_eq!(bits(&found.unwrap()), expected);
            });
        }
    });
    let complex = |t: &DynTensor<f64>| {
        let values = t.as_slice().iter().map(|&x| Complex::new(x, 1.0));
        DynTensor::from_vec(t.shape(), values.collect::<Vec<_>>())
    };
    let (a, b) = (complex(&a), complex(&b));
    let mut engine = Engine::serial();
    assert_eq!(
        plan.contract(&mut engine, &[a.view(), b.view()]),
        e.contract(&mut engine, &[a.view(), b.view()])
    );
}

#[test]
fn what_a_prepared_einsum_refuses() {
    let e = Einsum::parse("ij,jk->ik").expect("subscripts");
    assert!(matches!(
        e.prepare(&[&[2, 3]]),
        Err(EinsumError::OperandCount { .. })
    ));
    assert!(matches!(
        e.prepare(&[&[2], &[3, 4]]),
        Err(EinsumError::Rank { .. })
    ));
    assert!(matches!(
        e.prepare(&[&[2, 5], &[3, 4]]),
        Err(EinsumError::Size { .. })
    ));
    let wrong = e.clone().order(Order::Tree(vec![(0, 0)]));
    assert!(matches!(
        wrong.prepare(&[&[2, 3], &[3, 4]]),
        Err(EinsumError::Order { .. })
    ));
    let chain = Einsum::parse("ij,jk,kl->il")
        .expect("subscripts")
        .max_intermediate(7);
    let shapes: &[&[usize]] = &[&[2, 4], &[4, 4], &[4, 2]];
    let error = chain.prepare(shapes).map(drop).unwrap_err();
    assert!(matches!(&error, EinsumError::Intermediate { error, .. } if error.smallest == 8));
    assert!(chain.max_intermediate(8).prepare(shapes).is_ok());

    let plan: PreparedEinsum = e.prepare(&[&[2, 3], &[3, 4]]).expect("sizes");
    assert_eq!(
        (plan.subscripts(), plan.tree()),
        ("ij,jk->ik", &[(0, 1)][..])
    );
    let (a, b) = (tensor(0, &[2, 3]), tensor(1, &[3, 4]));
    let mut engine = Engine::serial();
    let error = plan.contract(&mut engine, &[a.view()]).unwrap_err();
    assert!(matches!(
        error,
        EinsumError::OperandCount {
            terms: 2,
            operands: 1,
            ..
        }
    ));
    // An operand that the einsum itself would broadcast.
    let row = tensor(0, &[1, 3]);
    let mut out = tensor(5, &[2, 4]);
    let before = bits(&out);
    let error = plan
        .contract_into(
            &mut engine,
            &[row.view(), b.view()],
            out.view_mut(),
            1.0,
            0.0,
        )
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "operand 0 has shape [1, 3], but the einsum was prepared for [2, 3]\n    ij,jk->ik\n    ^^"
    );
    let error = plan
        .contract_into(
            &mut engine,
            &[a.view(), b.view()],
            row.clone().view_mut(),
            1.0,
            0.0,
        )
        .unwrap_err();
    assert!(matches!(error, EinsumError::Output { .. }));
    assert_eq!(bits(&out), before, "nothing is written");
}

/// A contraction so long that its order is looked at again when it is first needed: the same, whoever asks first.
#[test]
fn a_long_contraction_has_the_same_order_everywhere() {
    let auto = Einsum::parse("ab,bc,cd,de,ef,fg,gh->ah").expect("subscripts");
    let quick = auto.clone().order(Order::Search { seed: 1, effort: 0 });
    let shape = [256, 300, 280, 310, 256, 290, 270, 1];
    let shapes: Vec<[usize; 2]> = (0..7).map(|p| [shape[p], shape[p + 1]]).collect();
    let shapes: Vec<&[usize]> = shapes.iter().map(|shape| &shape[..]).collect();
    // With a vector at its end the chain is short; without it it is long.
    for (e, last) in [(&auto, 1), (&auto, 320), (&quick, 1), (&quick, 320)] {
        let mut shapes = shapes.clone();
        let ends = [shapes[6][0], last];
        shapes[6] = &ends;
        let (plan, clone) = {
            let plan = e.prepare(&shapes).expect("sizes");
            (plan.clone(), plan)
        };
        same(e, &shapes);
        assert_eq!(plan.tree(), clone.tree());
        assert_eq!(plan.tree().len(), 6);
        let again = e.prepare(&shapes).expect("sizes");
        assert_eq!(plan.tree(), again.tree());
    }
}

/// The tree that a macro's constant chooses for these shapes: among those found before the sizes were known.
fn tree_of_a_macro(spec: &str, cost: Cost, shapes: &[&[usize]]) -> Vec<(u32, u32)> {
    let checked = Subscripts::parse(spec).expect("subscripts").check();
    let checked = checked.expect("labels");
    let request = Request {
        cost,
        ..Request::default()
    };
    let strategy = checked.strategy(&request).expect("an order");
    let ranks: Vec<usize> = shapes.iter().map(|shape| shape.len()).collect();
    let network = checked.network(&ranks).expect("ranks");
    let sizes = network.bind(shapes).expect("sizes");
    let (carried, output) = (network.carried(shapes), network.carried_output(&sizes));
    Chooser::new(strategy, &network.inputs, &network.output, network.labels)
        .choose(&carried, &output, &sizes)
        .expect("no limit")
        .to_vec()
}

/// Seven and more operands of unequal sizes: an order found for the sizes, and the one that the macro chooses, which has its
/// bits.
#[test]
fn many_operands_have_the_same_bits_from_the_macro_and_the_parser() {
    const SPEC: &str = "ab,bc,cd,de,ef,fg,gh,bx,xe->ah";
    for sizes in [
        [2, 3, 4, 5, 6, 7, 8, 9, 10],
        [30, 2, 17, 3, 12, 2, 25, 2, 19],
        [2, 31, 2, 23, 3, 19, 2, 14, 3],
    ] {
        let size = |c: u8| sizes["abcdefghx".bytes().position(|l| l == c).expect("a label")];
        let t: Vec<Tensor<f64, 2>> = SPEC
            .split("->")
            .next()
            .into_iter()
            .flat_map(|inputs| inputs.split(','))
            .enumerate()
            .map(|(n, term)| {
                let [i, j] = [term.as_bytes()[0], term.as_bytes()[1]].map(size);
                tensor(n, &[i, j]).try_into_rank().expect("rank 2")
            })
            .collect();
        let views: Vec<_> = t.iter().map(Tensor::as_dyn).collect();
        let e = Einsum::parse(SPEC).expect("subscripts");
        let mut engine = Engine::serial();
        for (cost, found) in [
            (
                Cost::Time,
                einsum!(
                    "ab,bc,cd,de,ef,fg,gh,bx,xe->ah",
                    t[0],
                    t[1],
                    t[2],
                    t[3],
                    t[4],
                    t[5],
                    t[6],
                    t[7],
                    t[8]
                ),
            ),
            (
                Cost::Flops,
                einsum!(
                    "ab,bc,cd,de,ef,fg,gh,bx,xe->ah",
                    t[0],
                    t[1],
                    t[2],
                    t[3],
                    t[4],
                    t[5],
                    t[6],
                    t[7],
                    t[8],
                    minimize = flops
                ),
            ),
            (
                Cost::Size,
                einsum!(
                    "ab,bc,cd,de,ef,fg,gh,bx,xe->ah",
                    t[0],
                    t[1],
                    t[2],
                    t[3],
                    t[4],
                    t[5],
                    t[6],
                    t[7],
                    t[8],
                    minimize = size
                ),
            ),
        ] {
            let shapes: Vec<&[usize]> = views.iter().map(|v| v.shape()).collect();
            let e = e.clone().minimize(cost);
            let tree = tree_of_a_macro(SPEC, cost, &shapes);
            let ordered = e.clone().order(Order::Tree(tree));
            let expected = ordered.contract(&mut engine, &views).expect("sizes");
            let bits_found: Vec<u64> = found.as_slice().iter().map(|x| x.to_bits()).collect();
            assert_eq!(bits_found, bits(&expected), "{cost:?} {sizes:?}");
            let other = same(&e, &shapes);
            let bits_of_other: Vec<u64> = other.as_slice().iter().map(|x| x.to_bits()).collect();
            assert_eq!(bits_found, bits_of_other, "{cost:?} {sizes:?}");
        }
    }
}

/// What `minimize` and `max_intermediate` do when the program runs is what they say.
#[test]
fn what_is_minimized_and_what_is_bounded_at_run_time() {
    // (ab·bc) makes 6·8 = 48 elements with 6·10·8 products, (bc·cd) makes 10·30.
    let shapes: &[&[usize]] = &[&[6, 10], &[10, 8], &[8, 30]];
    let e = Einsum::parse("ab,bc,cd->ad").expect("subscripts");
    for cost in [Cost::Flops, Cost::Size] {
        let plan = e.clone().minimize(cost).prepare(shapes).expect("sizes");
        assert_eq!(plan.tree(), [(0, 1), (3, 2)], "{cost:?}");
    }
    // The smallest largest intermediate is one that all trees of the chain have to choose among: `bc·cd` makes 30·60.
    let unlike: &[&[usize]] = &[&[2, 30], &[30, 40], &[40, 60], &[60, 3]];
    let e = Einsum::parse("ab,bc,cd,de->ae").expect("subscripts");
    let largest = |plan: &PreparedEinsum| {
        let size = [2, 30, 40, 60, 3];
        let mut ends: Vec<(usize, usize)> = (0..4).map(|n| (n, n + 1)).collect();
        let mut largest = 0;
        for &(left, right) in &plan.tree()[..2] {
            let (l, r) = (ends[left as usize], ends[right as usize]);
            assert_eq!(l.1, r.0, "a chain");
            ends.push((l.0, r.1));
            largest = largest.max(size[l.0] * size[r.1]);
        }
        largest
    };
    let by_size = e
        .clone()
        .minimize(Cost::Size)
        .prepare(unlike)
        .expect("sizes");
    let least = largest(&by_size);
    let bounded = e.clone().max_intermediate(least as u64);
    assert!(largest(&bounded.prepare(unlike).expect("the smallest")) <= least);
    same(&bounded, unlike);
    let error = e
        .clone()
        .max_intermediate(least as u64 - 1)
        .prepare(unlike)
        .map(drop);
    let Err(EinsumError::Intermediate { error, .. }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(
        (error.smallest, error.limit),
        (least as u64, least as u64 - 1)
    );
    assert!(error.exact);
    // The same from the macro, at run time.
    let t: Vec<Tensor<f64, 2>> = unlike
        .iter()
        .enumerate()
        .map(|(n, s)| tensor(n, s).try_into_rank().expect("rank 2"))
        .collect();
    let refused = try_einsum!(
        "ab,bc,cd,de->ae",
        t[0],
        t[1],
        t[2],
        t[3],
        max_intermediate = 5
    );
    assert!(
        matches!(refused, Err(EinsumError::Intermediate { .. })),
        "{refused:?}"
    );
}

#[test]
fn an_engine_keeps_to_its_limit() {
    let e = Einsum::parse("ij,jk,kl->il").expect("subscripts");
    let t = tensor(0, &[64, 64]);
    let views = [t.view(), t.view(), t.view()];
    let mut engine = Engine::serial();
    let expected = bits(&e.contract(&mut engine, &views).expect("sizes"));
    let kept = engine.retained_bytes();
    assert!(kept >= 64 * 64 * 8, "an intermediate of {kept} bytes");
    engine.set_retained_limit(kept);
    assert_eq!(engine.retained_bytes(), kept, "within the limit");
    engine.set_retained_limit(kept - 1);
    assert_eq!(engine.retained_bytes(), 0, "beyond the limit");
    for _ in 0..2 {
        assert_eq!(
            bits(&e.contract(&mut engine, &views).expect("sizes")),
            expected
        );
        assert_eq!(engine.retained_bytes(), 0, "beyond the limit after a call");
    }
    let mut out = DynTensor::from_vec([64, 64], vec![0.0; 64 * 64]);
    e.contract_into(&mut engine, &views, out.view_mut(), 1.0, 0.0)
        .expect("sizes");
    assert_eq!((bits(&out), engine.retained_bytes()), (expected, 0));
    // What was prepared is not forgotten.
    assert_eq!((engine.stats().hits, engine.stats().misses), (2, 2));
    engine.clear();
    e.contract(&mut engine, &views).expect("sizes");
    assert_eq!(
        engine.retained_bytes(),
        0,
        "the limit outlives what is kept"
    );
}
