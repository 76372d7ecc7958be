//! Sums that are added side by side, because memory is what they wait for, have the bits of each by itself.

use super::arrays::Rng;
use crate::{Axis, Contraction, PackBuffer, Prepared, Reduction, Scale, Team};

/// A step over A of `rows` rows of `len` elements, whose elements lie `step` apart: sums of rows or of columns, of A or
/// of its products with an equal array or with a vector.
fn prepared(rows: usize, len: usize, form: &str, step: isize, threads: usize) -> Prepared {
    let pitch = step * len as isize;
    let (row, column) = (
        Axis::new(rows, pitch, pitch, 1),
        Axis::new(len, step, step, 1),
    );
    let reduction = |kept, summed| {
        let (kept, summed) = ([kept].into_iter().collect(), [summed].into_iter().collect());
        Prepared::reduction::<f64>(&Reduction { kept, summed }, threads)
    };
    let contraction = |batch: &[Axis], m: &[Axis], k: &[Axis]| {
        let [batch, m, k] = [batch, m, k].map(|axes| axes.iter().copied().collect());
        let n = Default::default();
        Prepared::contraction::<f64>(&Contraction { batch, m, n, k }, threads)
    };
    let vector = |axis: Axis| Axis { b: step, ..axis };
    match form {
        "rows" => reduction(row, column),
        "columns" => reduction(column, row),
        "rows of products" => contraction(&[row], &[], &[column]),
        "columns of products" => contraction(&[column], &[], &[row]),
        "rows times vector" => contraction(&[], &[row], &[vector(column)]),
        "columns times vector" => contraction(&[], &[column], &[vector(row)]),
        _ => unreachable!("a form"),
    }
}

fn sums(rows: usize, len: usize, form: &str, step: usize, team: &mut Team) -> Vec<u64> {
    let mut rng = Rng(5);
    let mut array = || -> Vec<f64> {
        let mut all = vec![f64::NAN; rows * len * step];
        for x in all.iter_mut().step_by(step) {
            *x = (rng.next() >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
        }
        all
    };
    let (a, b) = (array(), array());
    let mut c = vec![f64::NAN; rows.max(len)];
    let step = prepared(rows, len, form, step as isize, team.threads());
    // SAFETY: the arrays hold what the axes reach.
    unsafe {
        step.run(
            a.as_ptr(),
            b.as_ptr(),
            c.as_mut_ptr(),
            Scale::overwrite(),
            team,
            &mut PackBuffer::new(),
        );
    }
    c.iter().map(|c| c.to_bits()).collect()
}

/// With gaps between the elements of A and B no run is dense, and each sum is added by itself.
#[test]
fn sums_side_by_side_have_the_bits_of_each_by_itself() {
    let shapes = [
        (1, 8 * 4096 * 64 + 4096 * 3 + 77),
        (3, 5 * 4096 + 5 + 690_000),
        (2091, 1037),
        (8205, 256),
        (33, 65_600),
    ];
    for (rows, len) in shapes {
        for form in [
            "rows",
            "columns",
            "rows of products",
            "columns of products",
            "rows times vector",
            "columns times vector",
        ] {
            let one = sums(rows, len, form, 2, &mut Team::serial());
            assert!(
                one == sums(rows, len, form, 1, &mut Team::serial()),
                "{form} of {rows} x {len}"
            );
            #[cfg(feature = "threads")]
            for threads in [2, 3] {
                let mut team = Team::new(threads).expect("a team");
                let shared = sums(rows, len, form, 1, &mut team);
                assert!(
                    one == shared,
                    "{form} of {rows} x {len} on {threads} threads"
                );
            }
        }
    }
}
