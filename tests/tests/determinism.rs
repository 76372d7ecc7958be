//! Random reals give the same bits: on every run, for any number of threads, at any alignment, in any process, and
//! whatever other calls there were.

use std::process::Command;
use std::sync::LazyLock;

use cteinsum::kernel::{Axis, Contraction, Prepared, Reduction};
use cteinsum::{DynTensorView, Einsum, Engine, Tensor, einsum};
use cteinsum_tests::access::dynamic;
use cteinsum_tests::element::Element;
use cteinsum_tests::layout::{Laid, Layout, lay_elements};
use cteinsum_tests::outcome::{Outcome, fingerprint, same_bits};
use cteinsum_tests::random::Random;
use num_complex::Complex;

/// Subscripts and shapes that lead to each kind of kernel, some large enough for several threads.
const CALLS: [(&str, &[&[usize]]); 22] = [
    ("ij,jk->ik", &[&[150, 300], &[300, 170]]),
    ("ij,jk->ki", &[&[65, 1030], &[1030, 33]]),
    ("ij,kj->ik", &[&[7, 12000], &[9, 12000]]),
    ("ij,j->i", &[&[500, 700], &[700]]),
    ("ij,i->j", &[&[700, 500], &[700]]),
    ("i,i->", &[&[300_007], &[300_007]]),
    ("i->", &[&[300_007]]),
    ("ij->i", &[&[600, 555]]),
    ("ij->j", &[&[555, 600]]),
    ("ijk->j", &[&[60, 70, 75]]),
    ("i,j->ij", &[&[500], &[601]]),
    ("bij,bjk->bik", &[&[33, 20, 40], &[33, 40, 24]]),
    ("bij,bjk->ikb", &[&[9, 31, 40], &[9, 40, 24]]),
    ("bij,bij->b", &[&[9, 160, 200], &[9, 160, 200]]),
    ("bij,bij->bij", &[&[9, 160, 200], &[9, 160, 200]]),
    ("ij,ij->", &[&[510, 590], &[510, 590]]),
    ("ij,ji->", &[&[510, 590], &[590, 510]]),
    ("ii,ij->j", &[&[500, 500], &[500, 600]]),
    ("ij,jk->iik", &[&[30, 40], &[40, 50]]),
    (
        "ij,jk,kl,lm->im",
        &[&[40, 90], &[90, 30], &[30, 110], &[110, 50]],
    ),
    (
        "war,abu,bgl,gwd->ruld",
        &[&[9, 9, 8], &[9, 9, 8], &[9, 9, 8], &[9, 9, 8]],
    ),
    (
        "abc,bd,ce,...de->...a",
        &[&[20, 11, 12], &[11, 13], &[12, 14], &[5, 13, 14]],
    ),
];

trait Rough: Element {
    fn rough(random: &mut Random) -> Self;
}
impl Rough for f64 {
    fn rough(random: &mut Random) -> f64 {
        random.real()
    }
}
impl Rough for f32 {
    fn rough(random: &mut Random) -> f32 {
        random.real() as f32
    }
}
impl Rough for Complex<f64> {
    fn rough(random: &mut Random) -> Self {
        Complex::new(random.real(), random.real())
    }
}

fn operands<T: Rough>(n: usize, layout: &Layout) -> Vec<Laid<T>> {
    let mut random = Random(n as u64);
    (CALLS[n].1.iter())
        .map(|shape| {
            let count = shape.iter().product();
            let elements: Vec<T> = (0..count).map(|_| T::rough(&mut random)).collect();
            lay_elements(shape, &elements, layout, T::POISON)
        })
        .collect()
}

fn views<T: Element>(operands: &[Laid<T>]) -> Vec<DynTensorView<'_, T>> {
    cteinsum_tests::access::dyn_views(operands)
}

fn contract<T: Rough>(n: usize, engine: &mut Engine, operands: &[Laid<T>]) -> Outcome<T> {
    // One value for the whole process, so that engines remember its calls.
    static EINSUMS: LazyLock<Vec<Einsum>> = LazyLock::new(|| {
        let parse = |call: &(&str, _)| Einsum::parse(call.0).expect("subscripts");
        CALLS.iter().map(parse).collect()
    });
    dynamic(
        EINSUMS[n]
            .contract(engine, &views(operands))
            .expect("shapes"),
    )
}

fn threads<T: Rough>(layouts: &[(Layout, usize)]) {
    let mut engines: Vec<Engine> = [2, 3, 8]
        .map(|n| Engine::with_threads(n).expect("threads"))
        .into();
    for (layout, turns) in layouts {
        for (n, call) in CALLS.iter().enumerate() {
            let laid = operands::<T>(n, layout);
            let first = contract(n, &mut Engine::serial(), &laid);
            for engine in &mut engines {
                // The second time the engine remembers the call.
                for turn in 0..*turns {
                    assert!(
                        same_bits(&contract(n, engine, &laid), &first),
                        "{call:?} in {} with {} threads, {layout:?}, turn {turn}",
                        T::NAME,
                        engine.threads()
                    );
                }
            }
        }
    }
}

/// Contract: D2
#[test]
fn threads_change_nothing_f64() {
    threads::<f64>(&[(Layout::Row, 2), (Layout::Hostile, 1)]);
}

/// Contract: D2
#[test]
fn threads_change_nothing_f32() {
    threads::<f32>(&[(Layout::Reversed, 1)]);
}

/// Contract: D2
#[test]
fn threads_change_nothing_complex() {
    threads::<Complex<f64>>(&[(Layout::Hostile, 1)]);
}

/// Contract: D3
#[test]
fn alignment_changes_nothing() {
    fn shifted<T: Rough>() {
        let mut engine = Engine::serial();
        let mut pair = Engine::with_threads(2).expect("threads");
        for (n, call) in CALLS.iter().enumerate() {
            let laid = operands::<T>(n, &Layout::Row);
            let first = contract(n, &mut engine, &laid);
            for shift in 1..3 {
                let moved: Vec<Laid<T>> = (laid.iter().enumerate())
                    .map(|(k, o)| {
                        let by = shift + k % 2;
                        let mut data = vec![T::POISON; by];
                        data.extend(&o.data);
                        Laid {
                            data,
                            offset: o.offset + by,
                            ..o.clone()
                        }
                    })
                    .collect();
                assert!(
                    same_bits(&contract(n, &mut engine, &moved), &first),
                    "{call:?} by {shift}"
                );
                assert!(
                    same_bits(&contract(n, &mut pair, &moved), &first),
                    "{call:?} by {shift}"
                );
            }
        }
    }
    shifted::<f32>();
    shifted::<f64>();
}

/// Contract: D4, N1
#[test]
fn earlier_and_concurrent_calls_change_nothing() {
    let alone: Vec<Outcome<f64>> = (0..CALLS.len())
        .map(|n| contract(n, &mut Engine::serial(), &operands(n, &Layout::Row)))
        .collect();
    std::thread::scope(|scope| {
        for start in 0..4 {
            let alone = &alone;
            scope.spawn(move || {
                let mut engine = Engine::with_threads(1 + start % 3).expect("threads");
                for i in 0..CALLS.len() {
                    let n = (i * 5 + start * 7) % CALLS.len();
                    let got = contract(n, &mut engine, &operands::<f64>(n, &Layout::Row));
                    assert!(same_bits(&got, &alone[n]), "{:?}", CALLS[n]);
                }
            });
        }
    });
}

/// What the tests above compare is work that a team shares, not the same serial loop twice.
#[test]
fn the_calls_are_large_enough_for_a_team() {
    let axis = Axis::new;
    let gemm = Contraction {
        m: [axis(150, 300, 0, 170)].into(),
        n: [axis(170, 0, 1, 1)].into(),
        k: [axis(300, 1, 170, 0)].into(),
        ..Contraction::default()
    };
    let dot = Contraction {
        k: [axis(300_007, 1, 1, 0)].into(),
        ..Contraction::default()
    };
    let sum = Reduction {
        kept: [axis(600, 555, 0, 1)].into(),
        summed: [axis(555, 1, 0, 0)].into(),
    };
    assert!(Prepared::contraction::<f64>(&gemm, 3).route().threads > 1);
    assert!(Prepared::contraction::<f64>(&dot, 3).route().threads > 1);
    assert!(Prepared::reduction::<f64>(&sum, 3).route().threads > 1);
}

/// A single number for everything: macros and parsed calls in several types.
fn all_bits() -> u64 {
    let mut hash = 0u64;
    let mut mix = |x: u64| hash = hash.rotate_left(7) ^ x;
    let mut engine = Engine::with_threads(2).expect("threads");
    for n in 0..CALLS.len() {
        mix(fingerprint(&contract(
            n,
            &mut engine,
            &operands::<f64>(n, &Layout::Row),
        )));
        mix(fingerprint(&contract(
            n,
            &mut engine,
            &operands::<f32>(n, &Layout::Hostile),
        )));
    }
    let mut random = Random(99);
    let a = Tensor::from_vec([70, 80], random.reals(5600));
    let b = Tensor::from_vec([80, 90], random.reals(7200));
    let c = einsum!("ij,jk,lk->il", a, b, einsum!("ij,jk->ik", a, b));
    for x in c.as_slice() {
        mix(x.to_bits());
    }
    hash
}

const CHILD: &str = "CTEINSUM_TESTS_CHILD";

/// Contract: D1
#[test]
fn every_run_and_process_gives_the_same_bits() {
    let here = all_bits();
    if std::env::var_os(CHILD).is_some() {
        println!("bits:{here:016x}");
        return;
    }
    assert_eq!(all_bits(), here, "the second run");
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args([
            "--exact",
            "every_run_and_process_gives_the_same_bits",
            "--nocapture",
        ])
        .env(CHILD, "1")
        .output()
        .expect("another process");
    let text = String::from_utf8_lossy(&output.stdout);
    let there = text.split("bits:").nth(1).and_then(|t| t.get(..16));
    assert_eq!(there, Some(format!("{here:016x}").as_str()), "{text}");
}
