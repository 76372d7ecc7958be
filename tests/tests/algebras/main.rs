//! Einsums in algebras against the naive loop, and what the contract says of them.

mod accumulating;
mod calls;
mod judge;
mod kernels;
mod run;

use cteinsum::algebra::{BoolOr, Count, Counted, MaxMul, MaxPlus, MinPlus};
use judge::{Max, Min, Mul, Or, Ways};
use run::against_the_loop;

/// Small whole numbers, and an infinity now and then.
fn or_infinity(n: usize) -> Option<i64> {
    (n != 0).then_some(n as i64 - 5)
}

/// Contract: A1
#[test]
fn max_plus() {
    let judge = |n| Max(or_infinity(n));
    against_the_loop::<MaxPlus, f64, Max>(
        1,
        150,
        judge,
        |x| x.0.map_or(f64::NEG_INFINITY, |x| x as f64),
        f64::NAN,
    );
    against_the_loop::<MaxPlus, f32, Max>(
        2,
        80,
        judge,
        |x| x.0.map_or(f32::NEG_INFINITY, |x| x as f32),
        f32::NAN,
    );
    against_the_loop::<MaxPlus, i16, Max>(3, 80, judge, |x| x.0.map_or(i16::MIN, |x| x as i16), 99);
    against_the_loop::<MaxPlus, i64, Max>(4, 100, judge, |x| x.0.unwrap_or(i64::MIN), 99);
}

#[test]
fn min_plus() {
    let judge = |n| Min(or_infinity(n));
    against_the_loop::<MinPlus, f64, Min>(
        5,
        150,
        judge,
        |x| x.0.map_or(f64::INFINITY, |x| x as f64),
        f64::NAN,
    );
    against_the_loop::<MinPlus, f32, Min>(
        6,
        80,
        judge,
        |x| x.0.map_or(f32::INFINITY, |x| x as f32),
        f32::NAN,
    );
    against_the_loop::<MinPlus, i32, Min>(
        7,
        80,
        judge,
        |x| x.0.map_or(i32::MAX, |x| x as i32),
        -99,
    );
    let distance = |n: usize| Min((n != 0).then_some(n as i64));
    against_the_loop::<MinPlus, u16, Min>(
        8,
        80,
        distance,
        |x| x.0.map_or(u16::MAX, |x| x as u16),
        0,
    );
}

#[test]
fn max_mul() {
    let judge = |n: usize| Mul(n as i64 % 4);
    against_the_loop::<MaxMul, f64, Mul>(9, 80, judge, |x| x.0 as f64, f64::NAN);
    against_the_loop::<MaxMul, u64, Mul>(10, 80, judge, |x| x.0 as u64, 99);
}

#[test]
fn bool_or() {
    against_the_loop::<BoolOr, bool, Or>(11, 150, |n| Or(n % 3 == 0), |x| x.0, true);
}

#[test]
fn count() {
    let judge = |n: usize| Ways(or_infinity(n).map(|x| (x, 1 + n as u64 % 2)));
    let poison = Counted {
        value: f64::NAN,
        count: 99,
    };
    let floats = |x: Ways| match x.0 {
        None => Counted {
            value: f64::NEG_INFINITY,
            count: 0,
        },
        Some((value, count)) => Counted {
            value: value as f64,
            count,
        },
    };
    against_the_loop::<Count, Counted<f64>, Ways>(12, 80, judge, floats, poison);
    let poison = Counted {
        value: 99,
        count: 99,
    };
    let integers = |x: Ways| match x.0 {
        None => Counted {
            value: i32::MIN,
            count: 0,
        },
        Some((value, count)) => Counted {
            value: value as i32,
            count,
        },
    };
    against_the_loop::<Count, Counted<i32>, Ways>(13, 80, judge, integers, poison);
}
