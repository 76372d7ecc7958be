//! A road network, and the shortest ways in it.

use cteinsum::{Engine, Tensor, einsum};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Where there is no road: the infinity of min and plus.
pub const NONE: f64 = f64::INFINITY;

/// Towns and the roads between them, by town: where to, and how many metres.
#[derive(Debug)]
pub struct Roads(Vec<Vec<(usize, u32)>>);

impl Roads {
    /// Towns at random places of a square of 100 km: each has roads to its four nearest, some 30 % longer than the line
    /// between them, and to the town before it, so that all hang together.
    ///
    /// # Panics
    /// If there are not at least two towns.
    pub fn scattered(towns: usize, seed: u64) -> Roads {
        assert!(towns >= 2, "a road has two ends");
        let mut random = seed;
        let mut next = |below: u64| {
            // Knuth's MMIX generator; the high bits are the good ones.
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        let places: Vec<[f64; 2]> = (0..towns)
            .map(|_| [next(100_000) as f64, next(100_000) as f64])
            .collect();
        let mut roads = vec![Vec::new(); towns];
        for (from, [x, y]) in places.iter().enumerate() {
            let line = |to: usize| (places[to][0] - x).hypot(places[to][1] - y);
            let mut near: Vec<usize> = (0..towns).filter(|to| *to != from).collect();
            near.sort_by(|a, b| line(*a).total_cmp(&line(*b)).then(a.cmp(b)));
            near.truncate(4);
            near.push((from + towns - 1) % towns);
            for to in near {
                let metres = (line(to) * (1.2 + next(20) as f64 / 100.0)) as u32 + 1;
                roads[from].push((to, metres));
                roads[to].push((from, metres));
            }
        }
        Roads(roads)
    }

    /// How many roads there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// The length of the shortest road between any two towns, in whole metres, so that no sum is rounded; 0 from a town to itself.
    pub fn matrix(&self) -> Tensor<f64, 2> {
        let mut matrix = Tensor::full([self.0.len(); 2], NONE);
        for (from, roads) in self.0.iter().enumerate() {
            matrix[[from, from]] = 0.0;
            for &(to, metres) in roads {
                matrix[[from, to]] = matrix[[from, to]].min(f64::from(metres));
            }
        }
        matrix
    }
}

/// The shortest ways of twice as many roads.
pub fn squared(ways: &Tensor<f64, 2>, engine: &mut Engine) -> Tensor<f64, 2> {
    einsum!([from, to] = ways[from, over] * ways[over, to], algebra = MinPlus, engine = engine)
}

/// The shortest ways from one town, by Dijkstra's algorithm.
pub fn dijkstra(roads: &Roads, from: usize) -> Vec<f64> {
    let mut ways = vec![NONE; roads.0.len()];
    let mut next = BinaryHeap::from([Reverse((0, from))]);
    // The heap orders whole metres.
    while let Some(Reverse((way, town))) = next.pop() {
        if f64::from(way) >= ways[town] {
            continue;
        }
        ways[town] = f64::from(way);
        for &(to, metres) in &roads.0[town] {
            next.push(Reverse((way + metres, to)));
        }
    }
    ways
}
