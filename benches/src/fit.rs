//! The coefficients of the planner's model of time, fitted to measurements of the engine: regime `fit`.
//!
//! Steps of every kind (matrix product, matrix times vector, outer product, batches of them, elementwise product, sum) are timed
//! over sizes, each as the shortest of many runs, and the coefficients of `cteinsum-plan`'s model are those, not negative, that
//! make the sum of the squares of the relative errors least. Beside each stands what the planner has stored.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use cteinsum::{DynTensor, Einsum, Engine};

/// What a coefficient is for, and the value stored in `plan/src/model.rs` and `plan/src/estimate.rs`, in nanoseconds.
///
/// The model has one rate of multiply-adds, that of a matrix product. It counts those of a batch of matrix products 1.5 times,
/// and all others twice: more is not possible without a size of 2 costing less than a size of 1.
const COEFFICIENTS: [(&str, f64); 5] = [
    ("a step", 150.0),
    ("an element moved", 0.13),
    ("a multiply-add of a matrix product", 0.03),
    ("a product of a batch", 15.0),
    ("an element of a sum", 0.32),
];

/// Timed specs with their sizes, one letter a label.
const STEPS: [(&str, &[usize]); 9] = [
    ("ij,jk->ik", &[8, 24, 64, 160, 320]),
    ("bij,bjk->bik", &[4, 12, 32, 64]),
    ("ij,j->i", &[16, 64, 256, 1000]),
    ("bij,bj->bi", &[8, 24, 64, 128]),
    ("bi,bi->b", &[16, 64, 256, 1000]),
    ("i,j->ij", &[16, 64, 256, 1000]),
    ("bi,bj->bij", &[8, 24, 64, 128]),
    ("ij,ij->ij", &[16, 64, 256, 1000]),
    ("ij->i", &[16, 64, 256, 1000]),
];

struct Sample {
    name: String,
    time: f64,
    /// By coefficient, how often it counts.
    counts: [f64; COEFFICIENTS.len()],
}

pub(crate) fn run() {
    let mut samples = Vec::new();
    for (spec, lengths) in STEPS {
        for &length in lengths {
            // Square, one axis shorter, one axis longer.
            let labels = spec.chars().filter(|c| c.is_ascii_lowercase());
            let labels: std::collections::BTreeSet<char> = labels.collect();
            for odd in [None].into_iter().chain(labels.iter().map(Some)) {
                let size = |label: &char| match odd {
                    Some(odd) if odd == label => (length / 4).max(2),
                    _ => length,
                };
                let sizes = labels.iter().map(|l| (*l, size(l))).collect();
                samples.push(sample(spec, &sizes));
            }
        }
    }
    let fitted = fit(&samples);
    println!(
        "{:<44} {:>10} {:>10}",
        "nanoseconds for", "fitted", "stored"
    );
    for ((name, stored), fitted) in COEFFICIENTS.iter().zip(fitted) {
        println!("{name:<44} {fitted:>10.4} {stored:>10.4}");
    }
    let stored = COEFFICIENTS.map(|(_, stored)| stored);
    println!(
        "\n{:<30} {:>12} {:>16} {:>16}",
        "step", "measured ns", "fitted / measured", "stored / measured"
    );
    for sample in &samples {
        let ratio = |coefficients: &[f64; COEFFICIENTS.len()]| {
            predicted(sample, coefficients) / sample.time
        };
        println!(
            "{:<30} {:>12.0} {:>16.2} {:>16.2}",
            sample.name,
            sample.time,
            ratio(&fitted),
            ratio(&stored)
        );
    }
}

fn sample(spec: &str, sizes: &BTreeMap<char, usize>) -> Sample {
    let (inputs, output) = spec.split_once("->").expect("an arrow");
    let inputs: Vec<&str> = inputs.split(',').collect();
    let volume =
        |labels: &mut dyn Iterator<Item = char>| labels.map(|l| sizes[&l] as f64).product::<f64>();
    let all = volume(&mut sizes.keys().copied());
    let mut counts = [0.0; COEFFICIENTS.len()];
    counts[0] = 1.0;
    let moved: f64 = inputs.iter().map(|term| volume(&mut term.chars())).sum();
    let result = volume(&mut output.chars());
    if let [a, b] = inputs[..] {
        let batch = |l: &char| a.contains(*l) && b.contains(*l) && output.contains(*l);
        let batches = sizes.keys().any(batch);
        let contracts = sizes.keys().any(|l| !output.contains(*l));
        let free = [
            a.chars().any(|l| !b.contains(l)),
            b.chars().any(|l| !a.contains(l)),
        ];
        let matrices = free == [true; 2];
        counts[1] = moved + result;
        counts[2] = match (contracts && matrices, batches) {
            (true, false) => all,
            (true, true) => 1.5 * all,
            (false, _) => 2.0 * all,
        };
        if batches && (contracts || matrices) {
            counts[3] = volume(&mut sizes.keys().copied().filter(batch));
        }
    } else {
        counts[1] = result;
        counts[4] = moved;
    }
    let tensor = |term: &str| {
        let shape: Vec<usize> = term.chars().map(|l| sizes[&l]).collect();
        let len = shape.iter().product();
        DynTensor::from_vec(
            &shape,
            (0..len).map(|i| ((i * 31) % 13) as f64 - 6.0).collect(),
        )
    };
    let operands: Vec<DynTensor<f64>> = inputs.iter().map(|term| tensor(term)).collect();
    let views: Vec<_> = operands.iter().map(DynTensor::view).collect();
    let mut out = tensor(output);
    let einsum = Einsum::parse(spec).expect("a spec");
    let mut engine = Engine::serial();
    let least = shortest(|| {
        let done = einsum.contract_into(&mut engine, black_box(&views), out.view_mut(), 1.0, 0.0);
        done.expect("shapes that fit");
    });
    let shape: Vec<String> = sizes.values().map(usize::to_string).collect();
    Sample {
        name: format!("{spec} {}", shape.join(",")),
        time: least,
        counts,
    }
}

/// Nanoseconds of the shortest of many batches of runs.
pub(crate) fn shortest(mut work: impl FnMut()) -> f64 {
    let mut timed = |runs: usize| {
        let start = Instant::now();
        for _ in 0..runs {
            work();
        }
        start.elapsed().as_nanos() as f64 / runs as f64
    };
    let once = timed(1).min(timed(1));
    let runs = (20_000.0 / once).clamp(1.0, 1000.0) as usize;
    let (mut least, start) = (f64::INFINITY, Instant::now());
    while start.elapsed() < Duration::from_millis(15) {
        least = least.min(timed(runs));
    }
    least
}

fn predicted(sample: &Sample, coefficients: &[f64; COEFFICIENTS.len()]) -> f64 {
    sample
        .counts
        .iter()
        .zip(coefficients)
        .map(|(count, c)| count * c)
        .sum()
}

/// Least squares of relative errors without negative coefficients, by coordinate descent: each coefficient in turn is made the
/// best one for the others (Franc, Hlaváč and Navara, "Sequential coordinate-wise algorithm for the non-negative least squares
/// problem", 2005).
fn fit(samples: &[Sample]) -> [f64; COEFFICIENTS.len()] {
    let mut coefficients = [0.0; COEFFICIENTS.len()];
    for _ in 0..20_000 {
        for at in 0..coefficients.len() {
            let (mut along, mut square) = (0.0, 0.0);
            for sample in samples {
                let share = sample.counts[at] / sample.time;
                let error = 1.0 - predicted(sample, &coefficients) / sample.time;
                along += share * error;
                square += share * share;
            }
            if square > 0.0 {
                coefficients[at] = f64::max(0.0, coefficients[at] + along / square);
            }
        }
    }
    coefficients
}
