//! Transpositions of every form that has code of its own, around the sizes from which C is written in whole lines, and
//! past the caches.

use num_complex::Complex;

use super::arrays::{Modular, Rng, Sample, Tropical, array};
use super::oracle;
use crate::axis::size;
use crate::transpose::{STREAMED, WHOLE};
use crate::{Axis, PackBuffer, Prepared, Reduction, Scale, Team};

/// Every element of C, and nothing else of its array, is written, wherever the arrays begin in a line.
fn check<T: Sample>(rng: &mut Rng, axes: &[Axis], team: &mut Team) {
    if size(axes) > 50_000 && rng.chance(70) {
        // Large ones take their time: some of the forms for each element type.
        return;
    }
    let step = Reduction {
        kept: axes.into(),
        ..Reduction::default()
    };
    let a_axes: Vec<_> = axes.iter().map(|x| (x.len, x.a)).collect();
    let c_axes: Vec<_> = axes.iter().map(|x| (x.len, x.c)).collect();
    let (a, a0) = array(&a_axes, rng.below(17), || T::small(rng));
    let (mut c, c0) = array(&c_axes, rng.below(17), T::poison);
    let mut want = c.clone();
    oracle::reduce(&step, (&a, a0), (&mut want, c0), Scale::overwrite());
    let prepared = Prepared::reduction::<T>(&step, 1).with_threads(team.threads());
    // SAFETY: the arrays hold every offset of the axes, and C's are distinct; B is not read.
    unsafe {
        prepared.run(
            a.as_ptr().add(a0),
            core::ptr::null(),
            c.as_mut_ptr().add(c0),
            Scale::overwrite(),
            team,
            &mut PackBuffer::new(),
        );
    }
    let wrong = (0..c.len()).find(|&i| c[i].bits() != want[i].bits());
    assert_eq!(
        wrong,
        None,
        "the first wrong element, of {}\n{axes:?}",
        core::any::type_name::<T>()
    );
}

/// Forms with about `elements` elements.
fn forms<T: Sample>(elements: usize, team: &mut Team) {
    let rng = &mut Rng(elements as u64);
    let side = elements.isqrt();
    // Rows and columns about a square, few of either, and pitches: dense, a multiple of a line, odd.
    for [rows, columns] in [
        [side, side + 1],
        [side.next_multiple_of(64), side / 64 * 64 + 64],
        [5, elements / 5],
        [elements / 5, 5],
        [9, elements / 9],
        [elements / 33, 33],
    ] {
        for gap in [0, 1] {
            let (a, c) = (columns + gap, rows + rng.below(2) * 3);
            let axes = [
                Axis::new(rows, a as isize, 0, 1),
                Axis::new(columns, 1, 0, c as isize),
            ];
            check::<T>(rng, &axes, team);
        }
    }
    // Against the direction of A, of C, and broadcast.
    let (n, pitch) = (side, side as isize);
    for [a, b, c, d] in [
        [-pitch, 1, 1, pitch],
        [pitch, -1, 1, pitch],
        [pitch, 1, -1, pitch],
        [pitch, 1, 1, -pitch],
        [2 * pitch, 2, 1, pitch],
        [pitch, 1, 2, 2 * pitch],
        [pitch, 0, 1, pitch],
    ] {
        let axes = [Axis::new(n, a, 0, c), Axis::new(n, b, 0, d)];
        check::<T>(rng, &axes, team);
    }
    // Four axes in every order, so that groups are made of several; once with a gap between the inner ones of C.
    let lens = [elements / (23 * 6 * 40), 23, 6, 40];
    let strides = |order: [usize; 4], gap: usize| {
        let (mut strides, mut step) = ([0; 4], 1);
        for axis in order {
            strides[axis] = step as isize;
            step = step * lens[axis] + gap;
        }
        strides
    };
    for order in [
        [0, 1, 2, 3],
        [2, 0, 1, 3],
        [1, 3, 0, 2],
        [3, 1, 0, 2],
        [0, 2, 3, 1],
    ] {
        for gap in [0, 1] {
            let (a, c) = (strides([3, 2, 1, 0], 0), strides(order, gap));
            let axes: Vec<_> = (0..4).map(|i| Axis::new(lens[i], a[i], 0, c[i])).collect();
            check::<T>(rng, &axes, team);
        }
    }
}

macro_rules! each {
    ($($name:ident: $t:ty),* $(,)?) => {$(
        #[test]
        fn $name() {
            for bytes in [0, WHOLE, STREAMED] {
                forms::<$t>(bytes / size_of::<$t>() + 9_000, &mut Team::serial());
            }
        }
    )*};
}
each! {
    bytes: u8, halves: u16, words: f32, doubles: f64, complex: Complex<f32>, wide: Complex<f64>, longest: u128,
    modular: Modular, odd: Tropical,
}

#[cfg(feature = "threads")]
#[test]
fn teams_share_a_transposition() {
    let mut team = Team::new(3).expect("three threads");
    forms::<f64>(300_000, &mut team);
    forms::<u16>(100_000, &mut team);
}

/// Long diagonals: each element of A on a page of its own, C dense, gapped and backwards.
fn diagonals<T: Sample>() {
    let page = 4096 / size_of::<T>() as isize;
    let rng = &mut Rng(41);
    for len in [1024, 1031] {
        for a in [page, page + 1, -page - 3] {
            for c in [1, 3, -1] {
                check::<T>(rng, &[Axis::new(len, a, 0, c)], &mut Team::serial());
            }
        }
    }
}

#[test]
fn long_diagonals() {
    diagonals::<f32>();
    diagonals::<f64>();
    diagonals::<Complex<f32>>();
    diagonals::<Complex<f64>>();
    diagonals::<i64>();
    diagonals::<i128>();
    diagonals::<u16>();
    diagonals::<Tropical>();
}
