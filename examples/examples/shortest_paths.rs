//! All shortest ways of a road network, by squaring its matrix in the algebra of min and plus, next to Dijkstra's.
//!
//! ```text
//! cargo run --release --example shortest_paths
//! cargo run --release --example shortest_paths -- 1024     # towns
//! ```
//!
//! The `einsum!` is in `examples/src/roads.rs`.

use cteinsum::Engine;
use cteinsum_examples::roads::{Roads, dijkstra, squared};
use std::{error::Error, time::Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let towns = match std::env::args().nth(1) {
        Some(towns) => towns
            .parse::<usize>()
            .ok()
            .filter(|n| (2..=8192).contains(n))
            .ok_or("usage: shortest_paths [towns, 2 to 8192]")?,
        None => 512,
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut engine = Engine::with_threads(threads)?;
    let network = Roads::scattered(towns, 1);
    println!(
        "{towns} towns, {} roads, {threads} threads",
        network.count()
    );
    let start = Instant::now();
    let mut ways = network.matrix();
    let mut reach = 1;
    loop {
        let longer = squared(&ways, &mut engine);
        reach *= 2;
        let better = longer
            .as_slice()
            .iter()
            .zip(ways.as_slice())
            .filter(|(new, old)| new < old)
            .count();
        println!(
            "ways of at most {reach:4} roads: {better:8} became shorter, {:7.3} s",
            start.elapsed().as_secs_f64()
        );
        ways = longer;
        if better == 0 {
            break;
        }
    }
    let start = Instant::now();
    for from in 0..towns {
        let exact = dijkstra(&network, from);
        let row = &ways.as_slice()[from * towns..][..towns];
        if row != exact {
            return Err(format!("the ways from town {from} are not Dijkstra's").into());
        }
    }
    println!(
        "all {} ways are Dijkstra's, {:.3} s",
        towns * towns,
        start.elapsed().as_secs_f64()
    );
    let longest = ways.as_slice().iter().fold(0.0, |a: f64, b| a.max(*b));
    println!("the two towns farthest apart have {longest} m between them");
    Ok(())
}
