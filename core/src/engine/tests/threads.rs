//! Trees on a team: entered once for all steps, the same bits, usable after a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::THREADS;
use crate::tensor::Tensor;
use crate::{Einsum, Engine, Scalar};

fn noise<const N: usize>(shape: [usize; N], seed: usize) -> Tensor<f64, N> {
    let len: usize = shape.iter().product();
    let value = |i: usize| ((i * 91 + seed * 37) as f64).sin();
    Tensor::from_vec(shape, (0..len).map(value).collect())
}

/// The entries of one call that is prepared.
fn entries(engine: &mut Engine, mut call: impl FnMut(&mut Engine)) -> usize {
    call(engine);
    let before = engine.team.entries();
    call(engine);
    engine.team.entries() - before
}

#[test]
fn a_tree_of_steps_on_a_team_enters_it_once() {
    if !THREADS {
        return;
    }
    let square = |n| noise([n, n], n);
    let chain = |n: usize, operands: usize| {
        let labels = ["ab", "bc", "cd", "de"];
        let last = labels[operands - 1].chars().last().expect("a label");
        let plan = Einsum::parse(&format!("{}->a{last}", labels[..operands].join(","))).unwrap();
        let a = square(n);
        move |engine: &mut Engine| {
            let operands = vec![a.as_dyn(); operands];
            plan.contract(engine, &operands).unwrap();
        }
    };
    for threads in [2, 3, 8] {
        let mut engine = Engine::with_threads(threads).unwrap();
        let engine = &mut engine;
        // One step for a team, several, and none.
        assert_eq!(entries(engine, chain(100, 2)), 1, "{threads}");
        assert_eq!(entries(engine, chain(100, 3)), 1, "{threads}");
        assert_eq!(entries(engine, chain(100, 4)), 1, "{threads}");
        assert_eq!(entries(engine, chain(32, 4)), 0, "{threads}");
        // Long sums, one after the other.
        let (rows, long) = (noise([3, 1 << 18], 1), noise([1 << 18], 2));
        let sums = Einsum::parse("ij,j->i").unwrap();
        let sums = |engine: &mut Engine| {
            let operands = [rows.as_dyn(), long.as_dyn()];
            sums.contract(engine, &operands).unwrap();
        };
        assert_eq!(entries(engine, sums), 1, "{threads}");
        engine.__split_everything();
        assert_eq!(entries(engine, chain(9, 4)), 1, "{threads}");
    }
}

#[test]
fn a_tree_has_the_same_bits_on_any_team_of_threads() {
    // Packed groups, batches, sums before the product, outer products; steps for one thread among the others.
    for (spec, shapes) in [
        (
            "ab,bc,cd,de->ae",
            vec![vec![90, 70], vec![70, 110], vec![110, 64], vec![64, 80]],
        ),
        ("war,abu,bgl,gwd->ruld", vec![vec![13; 3]; 4]),
        (
            "aib,bjc,ckd,dl->lkji",
            vec![
                vec![16, 9, 20],
                vec![20, 9, 17],
                vec![17, 9, 16],
                vec![16, 30],
            ],
        ),
        (
            "zab,zbc,zcd->zda",
            vec![vec![9, 40, 41], vec![9, 41, 42], vec![9, 42, 43]],
        ),
        (
            "abz,bcz,cdz->daz",
            vec![vec![9, 10, 64], vec![10, 11, 64], vec![11, 12, 64]],
        ),
        (
            "ab,bc,c,d->ad",
            vec![vec![300, 301], vec![301, 302], vec![302], vec![200]],
        ),
        (
            "abx,ab,bc->c",
            vec![vec![200, 201, 3], vec![200, 201], vec![201, 90]],
        ),
    ] {
        let operands: Vec<_> = shapes
            .iter()
            .enumerate()
            .map(|(seed, shape)| {
                let data = noise([shape.iter().product()], seed).as_slice().to_vec();
                crate::DynTensor::from_vec(shape, data)
            })
            .collect();
        let views: Vec<_> = operands.iter().map(|tensor| tensor.view()).collect();
        let plan = Einsum::parse(spec).unwrap();
        let serial = plan.contract(&mut Engine::serial(), &views).unwrap();
        let bits = |tensor: &crate::DynTensor<f64>| -> Vec<u64> {
            tensor.as_slice().iter().map(|x| x.to_bits()).collect()
        };
        for threads in [2, 3, 8] {
            if !THREADS {
                continue;
            }
            for split in [false, true] {
                let mut engine = Engine::with_threads(threads).unwrap();
                if split {
                    engine.__split_everything();
                }
                let shared = plan.contract(&mut engine, &views).unwrap();
                assert_eq!(bits(&shared), bits(&serial), "{spec}, {threads} threads");
                // Into what is there, as by one thread.
                let (mut one, mut other) = (serial.clone(), shared);
                plan.contract_into(&mut Engine::serial(), &views, one.view_mut(), 0.5, -1.5)
                    .unwrap();
                plan.contract_into(&mut engine, &views, other.view_mut(), 0.5, -1.5)
                    .unwrap();
                assert_eq!(bits(&one), bits(&other), "{spec}, {threads} threads");
            }
        }
    }
}

/// Cannot be multiplied if it is unlucky.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fragile(u32);
crate::scalar_operand!(Fragile);
impl Scalar for Fragile {
    const ZERO: Self = Fragile(0);
    const ONE: Self = Fragile(1);
    fn add(a: Self, b: Self) -> Self {
        Fragile(a.0.wrapping_add(b.0))
    }
    fn mul(a: Self, b: Self) -> Self {
        assert!(a.0 != 13 && b.0 != 13, "thirteen");
        Fragile(a.0.wrapping_mul(b.0))
    }
}

#[test]
fn a_panic_in_any_step_of_a_tree_leaves_the_team_usable() {
    for threads in [1, 2, 3] {
        if threads > 1 && !THREADS {
            continue;
        }
        let mut engine = Engine::with_threads(threads).unwrap();
        engine.__split_everything();
        let chain = Einsum::parse("ab,bc,cd,de->ae").unwrap();
        let fine = Tensor::full([20, 20], Fragile(1));
        // Who meets the unlucky element, and in which step.
        for (operand, at) in [
            (0, [0, 0]),
            (0, [19, 19]),
            (1, [10, 3]),
            (3, [19, 0]),
            (4, [0, 0]),
        ] {
            let mut unlucky = fine.clone();
            unlucky[at] = Fragile(13);
            let of = |i| {
                if i == operand {
                    unlucky.as_dyn()
                } else {
                    fine.as_dyn()
                }
            };
            let call = AssertUnwindSafe(|| chain.contract(&mut engine, &[0, 1, 2, 3].map(of)));
            match catch_unwind(call) {
                Ok(result) => {
                    assert_eq!(operand, 4);
                    assert!(result.unwrap().iter().all(|x| x.0 == 8000));
                }
                Err(panic) => {
                    assert_ne!(operand, 4);
                    assert_eq!(panic.downcast_ref::<&str>(), Some(&"thirteen"));
                }
            }
        }
    }
}
