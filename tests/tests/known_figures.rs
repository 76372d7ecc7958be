//! A tensor network with known figures: the contraction at the heart of a tensor renormalization group.

use cteinsum::{DynTensor, Einsum, Engine, Tensor, einsum, try_einsum};
use cteinsum_plan::Order;

fn s(n: usize) -> Tensor<f64, 3> {
    Tensor::from_fn([4, 4, 4], |[a, b, c]| {
        (1.0 + n as f64 + 0.37 * (a + 4 * b + 16 * c) as f64).sin()
    })
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// Contract: D5, D6, N1
#[test]
fn the_figures_and_every_entry_point() {
    let [s0, s1, s2, s3] = [0, 1, 2, 3].map(s);
    let t = einsum!("war,abu,bgl,gwd->ruld", s0, s1, s2, s3);
    let sum: f64 = t.as_slice().iter().sum();
    assert!((sum + 57.97394471558693).abs() < 1e-11, "{sum:?}");
    assert!(
        (t[[0, 1, 2, 3]] - 0.35516360216185444).abs() < 1e-13,
        "{:?}",
        t[[0, 1, 2, 3]]
    );

    let expected = bits(t.as_slice());
    let mut serial = Engine::serial();
    let mut threads = Engine::with_threads(3).expect("three threads");
    let same = |name: &str, values: &[f64]| assert!(bits(values) == expected, "{name}");

    same(
        "again",
        einsum!("war,abu,bgl,gwd->ruld", s0, s1, s2, s3).as_slice(),
    );
    same(
        "engine",
        einsum!(
            "war,abu,bgl,gwd->ruld",
            s0,
            s1,
            s2,
            s3,
            engine = &mut serial
        )
        .as_slice(),
    );
    same(
        "threads",
        einsum!(
            "war,abu,bgl,gwd->ruld",
            s0,
            s1,
            s2,
            s3,
            engine = &mut threads
        )
        .as_slice(),
    );
    same(
        "try",
        try_einsum!("war,abu,bgl,gwd->ruld", s0, s1, s2, s3)
            .expect("shapes")
            .as_slice(),
    );
    same(
        "greedy",
        einsum!("war,abu,bgl,gwd->ruld", s0, s1, s2, s3, order = greedy).as_slice(),
    );
    same(
        "other names",
        einsum!("αβ1,βγ2,γδ3,δα4->1234", s0, s1, s2, s3).as_slice(),
    );
    same(
        "implicit",
        einsum!("αβ1,βγ2,γδ3,δα4", s0, s1, s2, s3).as_slice(),
    );
    let [d0, d1, d2, d3] =
        [&s0, &s1, &s2, &s3].map(|t| DynTensor::from_vec(t.shape(), t.as_slice().to_vec()));
    same(
        "dynamic",
        einsum!("war,abu,bgl,gwd->ruld", d0, d1, d2, d3).as_slice(),
    );
    same(
        "mixed",
        einsum!("war,abu,bgl,gwd->ruld", s0, d1, s2.view(), d3).as_slice(),
    );

    let operands = [s0.as_dyn(), s1.as_dyn(), s2.as_dyn(), s3.as_dyn()];
    let parsed = Einsum::parse("war,abu,bgl,gwd->ruld").expect("subscripts");
    // All lengths are equal, so that the greedy order by real sizes is the one of the macro.
    for engine in [&mut serial, &mut threads] {
        let t = parsed.contract(engine, &operands).expect("shapes");
        same("Einsum::parse", t.as_slice());
        let t = parsed.clone().contract(engine, &operands).expect("shapes");
        same("a clone", t.as_slice());
    }
    let [w, a, b, g, r, u, l, d] = [0, 1, 2, 3, 4, 5, 6, 7];
    let labels = Einsum::new(
        &[&[w, a, r], &[a, b, u], &[b, g, l], &[g, w, d]],
        &[r, u, l, d],
    )
    .expect("labels");
    same(
        "Einsum::new",
        labels
            .contract(&mut serial, &operands)
            .expect("shapes")
            .as_slice(),
    );
}

/// Contract: D5
#[test]
fn an_order_written_down_in_any_way() {
    let [s0, s1, s2, s3] = [0, 1, 2, 3].map(s);
    let operands = [s0.as_dyn(), s1.as_dyn(), s2.as_dyn(), s3.as_dyn()];
    let mut engine = Engine::serial();
    let mut by = |order: &Order| {
        let e = Einsum::parse("war,abu,bgl,gwd->ruld")
            .expect("subscripts")
            .order(order.clone());
        bits(
            e.contract(&mut engine, &operands)
                .expect("shapes")
                .as_slice(),
        )
    };
    let left = bits(
        einsum!(
            "war,abu,bgl,gwd->ruld",
            s0,
            s1,
            s2,
            s3,
            order = left_to_right
        )
        .as_slice(),
    );
    assert_eq!(
        bits(einsum!("((war,abu),bgl),gwd->ruld", s0, s1, s2, s3).as_slice()),
        left
    );
    assert_eq!(
        bits(
            einsum!(
                "war,abu,bgl,gwd->ruld",
                s0,
                s1,
                s2,
                s3,
                order = tree([(0, 1), (4, 2), (5, 3)])
            )
            .as_slice()
        ),
        left
    );
    assert_eq!(by(&Order::LeftToRight), left);
    assert_eq!(by(&Order::Tree(vec![(0, 1), (4, 2), (5, 3)])), left);

    let path = bits(
        einsum!(
            "war,abu,bgl,gwd->ruld",
            s0,
            s1,
            s2,
            s3,
            order = [(0, 1), (0, 1), (0, 1)]
        )
        .as_slice(),
    );
    assert_eq!(
        bits(einsum!("(war,abu),(bgl,gwd)->ruld", s0, s1, s2, s3).as_slice()),
        path
    );
    assert_eq!(
        by(&Order::Path(vec![vec![0, 1], vec![0, 1], vec![0, 1]])),
        path
    );
    assert_eq!(by(&Order::Tree(vec![(0, 1), (2, 3), (4, 5)])), path);
    assert_ne!(path, left, "orders that round alike show nothing");
    let again = Einsum::parse("(war,abu),(bgl,gwd)->ruld").expect("subscripts");
    assert_eq!(
        bits(
            again
                .contract(&mut engine, &operands)
                .expect("shapes")
                .as_slice()
        ),
        path
    );
}
