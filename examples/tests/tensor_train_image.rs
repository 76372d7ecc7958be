//! The gradient of the example and its descent.

use cteinsum::{Engine, Tensor};
use cteinsum_examples::picture::{
    LEVELS, SIDE, address,
    options::Options,
    scene,
    train::{Descent, Train, decibels},
};

#[test]
fn every_pixel_has_an_address() {
    let mut seen = vec![false; SIDE * SIDE];
    for y in 0..SIDE {
        for x in 0..SIDE {
            assert!(!std::mem::replace(&mut seen[address(x, y)], true));
        }
    }
    assert_eq!(address(0, 0), 0);
    assert_eq!(address(SIDE / 2, 0), 1 << (2 * (LEVELS - 1)));
}

/// Downhill by as much as the gradient says.
#[test]
fn the_gradient_is_the_slope() {
    let picture = scene::draw();
    let engine = &mut Engine::serial();
    let train = Train::random(3, 5);
    let (_, error, gradient) = train.compare(&picture, engine);
    let slope: f64 = gradient.clone().squared();
    let moved = |h: f64| {
        let mut train = train.clone();
        train.add(-h, &gradient);
        train.compare(&picture, engine).1
    };
    let values = [1e-4, -1e-4].map(moved);
    let difference = (values[1] - values[0]) / 2e-4;
    assert!(
        (difference / slope - 1.0).abs() < 1e-5,
        "{difference} {slope} {error}"
    );
}

#[test]
fn the_descent_goes_down() {
    let picture = scene::draw();
    let engine = &mut Engine::serial();
    let mut train = Train::random(32, 1);
    let mut descent = Descent::new(&train, 0.02);
    let steps = 40;
    let (_, start, _) = train.compare(&picture, engine);
    for step in 0..steps {
        let (_, _, gradient) = train.compare(&picture, engine);
        descent.step(&mut train, &gradient, step as f64 / steps as f64);
    }
    let (fit, end, _) = train.compare(&picture, engine);
    assert!(decibels(end) > 16.0 && end < start / 10.0, "{start} {end}");
    let sum = |t: &Tensor<f64, 2>| t.iter().sum::<f64>() / t.len() as f64;
    assert!((sum(&fit) - sum(&picture)).abs() < 0.05);
}

#[test]
fn options_are_read() {
    let parse = |line: &str| Options::parse(line.split_whitespace().map(Into::into));
    assert_eq!(parse("").unwrap(), Some(Options::default()));
    assert_eq!(parse("-h").unwrap(), None);
    let read = parse("--bond 7 --steps 9 --seed 3 --threads 1 --png a.png")
        .unwrap()
        .unwrap();
    assert_eq!(
        (read.bond, read.steps, read.seed, read.threads),
        (7, 9, 3, 1)
    );
    assert!(
        parse("--bond 0").is_err() && parse("--steps 0").is_err() && parse("--bonds 2").is_err()
    );
}
