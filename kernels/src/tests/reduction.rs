use num_complex::Complex;

use super::arrays::{Modular, Rng, Sample, Tropical, array, strides};
use super::oracle;
use crate::{Axis, Contraction, PackBuffer, Prepared, Reduction, Scale, Team};

fn random(rng: &mut Rng, kept: &[usize], summed: &[usize]) -> Reduction {
    let a = strides(rng, &[kept, summed].concat(), true);
    let c = strides(rng, kept, false);
    Reduction {
        kept: (0..kept.len())
            .map(|i| Axis::new(kept[i], a[i], 9, c[i]))
            .collect(),
        summed: (0..summed.len())
            .map(|i| Axis::new(summed[i], a[kept.len() + i], 4, -6))
            .collect(),
    }
}

fn check<T: Sample>(rng: &mut Rng, step: &Reduction, team: &mut Team, pack: &mut PackBuffer) {
    let a_axes: Vec<_> = step
        .kept
        .iter()
        .chain(step.summed.iter())
        .map(|x| (x.len, x.a))
        .collect();
    let c_axes: Vec<_> = step.kept.iter().map(|x| (x.len, x.c)).collect();
    let (a, a0) = array(&a_axes, rng.below(8), || T::small(rng));
    let scale = Scale {
        alpha: if rng.chance(60) {
            T::ONE
        } else {
            T::small(rng)
        },
        beta: match rng.below(4) {
            0 | 1 => None,
            2 => Some(T::ONE),
            _ => Some(T::small(rng)),
        },
        conj_a: rng.chance(40),
        conj_b: rng.chance(40),
    };
    let (mut c, c0) = array(&c_axes, rng.below(8), T::poison);
    if scale.beta.is_some() {
        let outputs = oracle::outputs(&Contraction {
            batch: step.kept.clone(),
            ..Contraction::default()
        });
        for offset in outputs {
            c[c0.checked_add_signed(offset).expect("in C")] = T::small(rng);
        }
    }
    let mut want = c.clone();
    oracle::reduce(step, (&a, a0), (&mut want, c0), scale);
    let prepared = Prepared::reduction::<T>(step, team.threads());
    // SAFETY: the arrays hold every offset of the axes, and C's are distinct; B is not read.
    unsafe {
        prepared.run(
            a.as_ptr().add(a0),
            core::ptr::null(),
            c.as_mut_ptr().add(c0),
            scale,
            team,
            pack,
        );
    }
    for (i, (&got, &want)) in c.iter().zip(&want).enumerate() {
        assert!(
            got == want || got.bits() == want.bits(),
            "{}: element {i} is {got:?}, not {want:?}\n{step:?}\n{scale:?}\n{}",
            core::any::type_name::<T>(),
            prepared.route()
        );
    }
}

fn sweep<T: Sample>(seed: u64, cases: usize, team: &mut Team) {
    let mut rng = Rng(seed);
    let mut pack = PackBuffer::new();
    for _ in 0..cases {
        let lens: &[usize] = match rng.below(8) {
            0 => &[0, 1, 2],
            1..=4 => &[1, 2, 3, 4, 5],
            _ => &[2, 7, 31, 32, 33, 65],
        };
        let most = if lens.contains(&65) { 2 } else { 4 };
        let kept: Vec<usize> = (0..rng.below(most + 1)).map(|_| rng.pick(lens)).collect();
        let summed: Vec<usize> = (0..rng.below(most)).map(|_| rng.pick(lens)).collect();
        let step = random(&mut rng, &kept, &summed);
        check::<T>(&mut rng, &step, team, &mut pack);
    }
    // Sums of more than one block, and ones that a team shares.
    for long in [4095, 4097, 200_003] {
        for lens in [
            [vec![], vec![long]],
            [vec![3], vec![long / 2, 2]],
            [vec![70], vec![long / 40]],
        ] {
            let step = random(&mut rng, &lens[0], &lens[1]);
            check::<T>(&mut rng, &step, team, &mut pack);
        }
    }
    // Runs of more than one piece, and transpositions of more than one tile.
    for lens in [vec![4097], vec![9000, 2], vec![70, 90], vec![33, 5, 40]] {
        let step = random(&mut rng, &lens, &[]);
        check::<T>(&mut rng, &step, team, &mut pack);
        let mut reversed = step.clone();
        let mut pitch = 1;
        for axis in reversed.kept.iter_mut() {
            axis.a = pitch;
            pitch *= axis.len as isize;
        }
        pitch = 1;
        for axis in reversed.kept.iter_mut().rev() {
            axis.c = pitch;
            pitch *= axis.len as isize;
        }
        check::<T>(&mut rng, &reversed, team, &mut pack);
    }
}

macro_rules! each {
    ($($name:ident: $t:ty),* $(,)?) => {$(
        #[test]
        fn $name() {
            sweep::<$t>(11, if cfg!(debug_assertions) { 200 } else { 1000 }, &mut Team::serial());
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
    let mut team = Team::new(3).expect("three threads");
    sweep::<f64>(12, 50, &mut team);
    sweep::<i64>(13, 50, &mut team);
}
