//! The picture to fit: two shaded balls on a chequered floor, under a sky.

use super::{SIDE, address};
use cteinsum::Tensor;

type Vector = [f64; 3];

fn add(a: Vector, b: Vector, scale: f64) -> Vector {
    [0, 1, 2].map(|i| a[i] + scale * b[i])
}

fn dot(a: Vector, b: Vector) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

fn unit(a: Vector) -> Vector {
    let length = dot(a, a).sqrt();
    a.map(|x| x / length)
}

struct Ball {
    centre: Vector,
    radius: f64,
    colour: Vector,
}

const BALLS: [Ball; 2] = [
    Ball {
        centre: [-0.55, 0.95, 3.2],
        radius: 0.95,
        colour: [0.85, 0.22, 0.16],
    },
    Ball {
        centre: [0.85, 0.55, 2.4],
        radius: 0.55,
        colour: [0.15, 0.45, 0.80],
    },
];

/// The nearest ball that a ray meets, and how far away.
fn meets(from: Vector, along: Vector) -> Option<(f64, &'static Ball)> {
    let hit = |ball: &'static Ball| {
        let to = add(ball.centre, from, -1.0);
        let (middle, off) = (dot(to, along), dot(to, to));
        let inside = middle * middle - off + ball.radius * ball.radius;
        let distance = middle - inside.max(0.0).sqrt();
        (inside > 0.0 && distance > 1e-6).then_some((distance, ball))
    };
    BALLS
        .iter()
        .filter_map(hit)
        .min_by(|a, b| a.0.total_cmp(&b.0))
}

/// The light that comes back along a ray.
fn light(from: Vector, along: Vector, bounces: u32) -> Vector {
    let sun = unit([0.6, 0.9, -0.5]);
    let shade = |at: Vector, normal: Vector| match meets(at, sun) {
        Some(_) => 0.22,
        None => 0.22 + 0.78 * dot(normal, sun).max(0.0),
    };
    if let Some((distance, ball)) = meets(from, along) {
        let at = add(from, along, distance);
        let normal = unit(add(at, ball.centre, -1.0));
        let shade = shade(at, normal);
        let mirrored = add(along, normal, -2.0 * dot(along, normal));
        let shine = if shade > 0.23 {
            dot(mirrored, sun).max(0.0).powi(40)
        } else {
            0.0
        };
        let seen = if bounces > 0 {
            light(at, mirrored, bounces - 1)
        } else {
            ball.colour
        };
        return [0, 1, 2].map(|i| 0.85 * ball.colour[i] * shade + 0.15 * seen[i] + 0.6 * shine);
    }
    if along[1] < -1e-6 {
        let distance = -from[1] / along[1];
        let at = add(from, along, distance);
        let odd = (at[0].floor() + at[2].floor()).rem_euclid(2.0) > 0.5;
        let stone = if odd { 0.85 } else { 0.32 };
        let haze = (-0.04 * distance).exp();
        let shade = stone * shade(at, [0.0, 1.0, 0.0]);
        return [0.72, 0.80, 0.90].map(|sky| haze * shade + (1.0 - haze) * sky);
    }
    let height = along[1].clamp(0.0, 1.0).sqrt();
    [[0.72, 0.35], [0.80, 0.52], [0.90, 0.85]].map(|[low, high]| low + height * (high - low))
}

/// The picture: colour, then the address of the pixel; from 0 (dark) to 1.
pub fn draw() -> Tensor<f64, 2> {
    let mut picture = Tensor::zeros([3, SIDE * SIDE]);
    for y in 0..SIDE {
        for x in 0..SIDE {
            let at = |pixel: usize, part: usize| {
                (2.0 * (pixel as f64 + (part as f64 + 0.5) / 3.0) / SIDE as f64) - 1.0
            };
            let mut sum = [0.0; 3];
            for part in 0..9 {
                let along = unit([at(x, part % 3), -at(y, part / 3) - 0.12, 1.6]);
                sum = add(sum, light([0.0, 1.1, -0.9], along, 1), 1.0 / 9.0);
            }
            for (colour, value) in sum.into_iter().enumerate() {
                picture[[colour, address(x, y)]] = value.clamp(0.0, 1.0).powf(1.0 / 1.6);
            }
        }
    }
    picture
}
