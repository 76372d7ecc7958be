use num_complex::Complex;

use super::arrays::{Modular, Rng, Sample, Tropical, array, strides};
use super::oracle;
use crate::{Axis, AxisList, Contraction, PackBuffer, Prepared, Scale, Team};

/// A random contraction: lengths for each group, strides for each array.
pub(super) fn random(rng: &mut Rng, groups: [Vec<usize>; 4]) -> Contraction {
    let [batch, m, n, k] = &groups;
    let a = strides(rng, &[&batch[..], m, k].concat(), true);
    let b = strides(rng, &[&batch[..], k, n].concat(), true);
    let c = strides(rng, &[&batch[..], m, n].concat(), false);
    let (h, r, s, t) = (batch.len(), m.len(), n.len(), k.len());
    // Strides of arrays that do not carry an axis are noise, to be ignored.
    let list = |lens: &[usize], f: &dyn Fn(usize) -> [isize; 3]| -> AxisList {
        (0..lens.len())
            .map(|i| Axis::new(lens[i], f(i)[0], f(i)[1], f(i)[2]))
            .collect()
    };
    let _ = s;
    Contraction {
        batch: list(batch, &|i| [a[i], b[i], c[i]]),
        m: list(m, &|i| [a[h + i], 13, c[h + i]]),
        n: list(n, &|i| [-5, b[h + t + i], c[h + r + i]]),
        k: list(k, &|i| [a[h + r + i], b[h + i], 3]),
    }
}

pub(super) fn carried(c: &Contraction) -> [Vec<(usize, isize)>; 3] {
    let pick = |groups: [&AxisList; 3], f: fn(&Axis) -> isize| {
        groups
            .iter()
            .flat_map(|group| group.iter())
            .map(|axis| (axis.len, f(axis)))
            .collect()
    };
    [
        pick([&c.batch, &c.m, &c.k], |axis| axis.a),
        pick([&c.batch, &c.k, &c.n], |axis| axis.b),
        pick([&c.batch, &c.m, &c.n], |axis| axis.c),
    ]
}

/// Runs the step and the oracle on the same arrays, and compares every element of C's memory.
pub(super) fn check<T: Sample>(
    rng: &mut Rng,
    step: &Contraction,
    team: &mut Team,
    pack: &mut PackBuffer,
) {
    let [a_axes, b_axes, c_axes] = carried(step);
    let (a, a0) = array(&a_axes, rng.below(8), || T::small(rng));
    let (b, b0) = array(&b_axes, rng.below(8), || T::small(rng));
    let factor = |rng: &mut Rng| match rng.below(3) {
        0 => T::ZERO,
        1 => T::ONE,
        _ => T::small(rng),
    };
    let scale = Scale {
        alpha: if rng.chance(60) { T::ONE } else { factor(rng) },
        beta: (!rng.chance(50)).then(|| factor(rng)),
        conj_a: rng.chance(40),
        conj_b: rng.chance(40),
    };
    let (mut c, c0) = array(&c_axes, rng.below(8), T::poison);
    if scale.beta.is_some() {
        for offset in oracle::outputs(step) {
            c[c0.checked_add_signed(offset).expect("in C")] = T::small(rng);
        }
    }
    let mut want = c.clone();
    oracle::contract(step, (&a, a0), (&b, b0), (&mut want, c0), scale);
    let prepared = Prepared::contraction::<T>(step, team.threads());
    // SAFETY: the arrays hold every offset of the axes, and C's are distinct.
    unsafe {
        prepared.run(
            a.as_ptr().add(a0),
            b.as_ptr().add(b0),
            c.as_mut_ptr().add(c0),
            scale,
            team,
            pack,
        );
    }
    for (i, (&got, &want)) in c.iter().zip(&want).enumerate() {
        let same = got == want || got.bits() == want.bits();
        assert!(
            same,
            "{}: element {i} is {got:?}, not {want:?}\n{step:?}\n{scale:?}\n{}",
            core::any::type_name::<T>(),
            prepared.route()
        );
    }
}

fn lens(rng: &mut Rng, most: usize, from: &[usize]) -> Vec<usize> {
    (0..rng.below(most + 1)).map(|_| rng.pick(from)).collect()
}

/// Random contractions of every shape, from nothing to a few tiles.
fn sweep<T: Sample>(seed: u64, cases: usize) {
    let mut rng = Rng(seed);
    let mut team = Team::serial();
    let mut pack = PackBuffer::new();
    for _ in 0..cases {
        let small: &[usize] = if rng.chance(10) {
            &[0, 1, 2, 3]
        } else {
            &[1, 2, 2, 3, 3, 4, 5]
        };
        let groups = [
            lens(&mut rng, 2, small),
            lens(&mut rng, 3, small),
            lens(&mut rng, 3, small),
            lens(&mut rng, 3, small),
        ];
        let step = random(&mut rng, groups);
        check::<T>(&mut rng, &step, &mut team, &mut pack);
    }
}

/// Sizes around the edges of register tiles and of blocks of K.
fn edges<T: Sample>(seed: u64, cases: usize) {
    let mut rng = Rng(seed);
    let mut team = Team::serial();
    let mut pack = PackBuffer::new();
    let tile = [
        1, 2, 3, 4, 7, 8, 9, 11, 12, 13, 23, 24, 25, 31, 47, 48, 49, 50, 64, 65,
    ];
    let deep = [1, 2, 5, 31, 255, 256, 257, 511, 512, 513, 1025];
    for _ in 0..cases {
        let mut groups = [
            lens(&mut rng, 1, &[2, 3, 9]),
            vec![rng.pick(&tile)],
            vec![rng.pick(&tile)],
            vec![rng.pick(&deep)],
        ];
        // Split a group in two, so that it does not fuse in general.
        for group in &mut groups[1..] {
            if rng.chance(40) {
                group.push(rng.pick(&[2, 3]));
                group[0] = group[0].div_ceil(3);
            }
        }
        let step = random(&mut rng, groups);
        check::<T>(&mut rng, &step, &mut team, &mut pack);
    }
}

/// Groups of axes that do not fuse, with lengths such that whole registers lie within the innermost one: few rows and many,
/// little to pack and much.
fn registers<T: Sample>(seed: u64, cases: usize) {
    let mut rng = Rng(seed);
    let mut team = Team::serial();
    let mut pack = PackBuffer::new();
    for _ in 0..cases {
        let mut free = |long: usize| {
            let inner = rng.pick(&[4, 8, 8, 12, 16, 24, 32, 48]);
            match rng.below(3) {
                0 => vec![inner],
                1 => vec![rng.pick(&[2, 3]), inner],
                _ => vec![rng.pick(&[2, long]), inner, rng.pick(&[1, 2])],
            }
        };
        let (m, n) = (free(5), free(9));
        let k = free(2);
        let step = random(&mut rng, [vec![], m, n, k]);
        check::<T>(&mut rng, &step, &mut team, &mut pack);
    }
}

/// Large operands whose lines lie across the order of C and of the terms.
#[test]
fn lines_across() {
    fn of<T: Sample>(rng: &mut Rng, [x, y, p, q, n]: [usize; 5]) {
        let [i, j, k, l] = [x, y, p, q].map(|len| len as isize);
        let step = Contraction {
            // A is [y, p, q, x], B is [n, q, p], C is [n, x, y].
            m: [Axis::new(x, 1, 0, j), Axis::new(y, i * k * l, 0, 1)].into(),
            n: [Axis::new(n, 0, k * l, i * j)].into(),
            k: [Axis::new(p, i * l, 1, 0), Axis::new(q, i, k, 0)].into(),
            ..Contraction::default()
        };
        check::<T>(rng, &step, &mut Team::serial(), &mut PackBuffer::new());
    }
    let mut rng = Rng(6);
    // Whole squares, rests of micro-panels and of blocks, and lengths that nothing divides.
    for sizes in [
        [16, 24, 8, 40, 104],
        [12, 24, 16, 37, 60],
        [9, 56, 24, 23, 61],
        [16, 17, 11, 41, 75],
    ] {
        of::<f64>(&mut rng, sizes);
        of::<i64>(&mut rng, sizes);
        of::<f32>(&mut rng, sizes);
    }
    of::<Complex<f64>>(&mut rng, [8, 24, 8, 40, 56]);
}

/// A large operand beside few rows: its terms lie far apart, and its columns fill whole lines, several in a row.
#[test]
fn few_rows_and_far_terms() {
    fn of<T: Sample>(rng: &mut Rng, [x, y, k, n]: [usize; 4]) {
        let [i, j] = [x, y].map(|len| len as isize);
        // A is [y, k, x] or [k, y, x], B is [n, k], C is [x, n, y] or [y, x, n].
        let lists = [
            [
                Axis::new(x, 1, 0, j * n as isize),
                Axis::new(y, i * k as isize, 0, 1),
            ],
            [
                Axis::new(y, i, 0, i * n as isize),
                Axis::new(x, 1, 0, n as isize),
            ],
        ];
        let columns = [
            Axis::new(n, 0, k as isize, j),
            Axis::new(n, 0, k as isize, 1),
        ];
        let terms = [Axis::new(k, i, 1, 0), Axis::new(k, i * j, 1, 0)];
        for ((m, n), k) in lists.into_iter().zip(columns).zip(terms) {
            let step = Contraction {
                m: m.into(),
                n: [n].into(),
                k: [k].into(),
                ..Contraction::default()
            };
            check::<T>(rng, &step, &mut Team::serial(), &mut PackBuffer::new());
        }
    }
    let mut rng = Rng(7);
    // Four micro-panels together and what is left of them, one block of columns and several.
    of::<f64>(&mut rng, [136, 11, 130, 9]);
    of::<f64>(&mut rng, [131, 17, 131, 24]);
    of::<f32>(&mut rng, [300, 9, 131, 17]);
    of::<i64>(&mut rng, [136, 11, 130, 5]);
    of::<Complex<f64>>(&mut rng, [70, 9, 131, 3]);
}

/// Few columns and an operand beyond the caches, of which blocks are asked for ahead: dense along an axis far out in C, in
/// whole blocks and with rows left over.
#[test]
fn few_columns_and_a_far_operand() {
    fn of<T: Sample>(rng: &mut Rng, [d, e, k, n]: [usize; 4]) {
        let [rows, inner] = [d, e].map(|len| len as isize);
        // A is [e, k, d], B is [n, k], C is [d, n, e].
        let step = Contraction {
            m: [
                Axis::new(d, 1, 0, inner * n as isize),
                Axis::new(e, rows * k as isize, 0, 1),
            ]
            .into(),
            n: [Axis::new(n, 0, k as isize, inner)].into(),
            k: [Axis::new(k, rows, 1, 0)].into(),
            ..Contraction::default()
        };
        check::<T>(rng, &step, &mut Team::serial(), &mut PackBuffer::new());
    }
    let mut rng = Rng(11);
    of::<f64>(&mut rng, [120, 48, 24, 24]);
    of::<f64>(&mut rng, [96, 61, 25, 7]);
    of::<f64>(&mut rng, [97, 59, 25, 32]);
    of::<f32>(&mut rng, [160, 96, 24, 19]);
    of::<Complex<f64>>(&mut rng, [64, 50, 24, 9]);
}

macro_rules! each {
    ($($name:ident: $t:ty),* $(,)?) => {$(
        mod $name {
            use super::*;
            #[test]
            fn small() {
                sweep::<$t>(1, if cfg!(debug_assertions) { 300 } else { 1500 });
            }
            #[test]
            fn tile_edges() {
                edges::<$t>(2, if cfg!(debug_assertions) { 12 } else { 60 });
            }
            #[test]
            fn whole_registers() {
                registers::<$t>(4, if cfg!(debug_assertions) { 12 } else { 60 });
            }
        }
    )*};
}
each! {
    f32_: f32, f64_: f64, c32: Complex<f32>, c64: Complex<f64>,
    i8_: i8, i16_: i16, i32_: i32, i64_: i64, i128_: i128, isize_: isize,
    u8_: u8, u16_: u16, u32_: u32, u64_: u64, u128_: u128, usize_: usize,
    modular: Modular, tropical: Tropical,
}

#[cfg(feature = "threads")]
#[test]
fn teams_agree_with_the_oracle() {
    let mut rng = Rng(3);
    let mut team = Team::new(3).expect("three threads");
    let mut pack = PackBuffer::new();
    for _ in 0..20 {
        let groups = [
            lens(&mut rng, 1, &[2, 5, 13]),
            vec![rng.pick(&[2, 40, 97])],
            vec![rng.pick(&[2, 33, 96]), 2],
            vec![rng.pick(&[3, 64, 130])],
        ];
        let step = random(&mut rng, groups);
        check::<f64>(&mut rng, &step, &mut team, &mut pack);
        check::<i32>(&mut rng, &step, &mut team, &mut pack);
        check::<Complex<f32>>(&mut rng, &step, &mut team, &mut pack);
    }
}
