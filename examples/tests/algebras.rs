//! Shortest ways and ground states against plain searches.

use cteinsum::Engine;
use cteinsum_examples::roads::{Roads, dijkstra, squared};
use cteinsum_examples::spins::Glass;

#[test]
fn ways_are_those_of_dijkstra() {
    let mut engine = Engine::serial();
    for (towns, seed) in [(2, 1), (7, 2), (40, 3), (65, 4)] {
        let roads = Roads::scattered(towns, seed);
        let mut ways = roads.matrix();
        for _ in 0..towns.ilog2() + 1 {
            ways = squared(&ways, &mut engine);
        }
        for from in 0..towns {
            let row = &ways.as_slice()[from * towns..][..towns];
            assert_eq!(row, dijkstra(&roads, from), "{towns} towns, from {from}");
        }
    }
}

#[test]
fn ground_states_are_those_of_all_states() {
    let mut engine = Engine::serial();
    for (rows, columns, seed) in [
        (1, 1, 1),
        (1, 5, 2),
        (6, 1, 3),
        (3, 3, 4),
        (4, 4, 5),
        (2, 7, 6),
    ] {
        let glass = Glass::random(rows, columns, seed);
        let found = glass.ground_state(&mut engine, |_| ()).unwrap();
        assert_eq!(found, glass.by_brute_force(), "{rows} x {columns}");
    }
}

#[test]
fn threads_change_nothing() {
    let glass = Glass::random(6, 8, 9);
    let mut pair = Engine::with_threads(2).unwrap();
    assert_eq!(
        glass.ground_state(&mut pair, |_| ()).unwrap(),
        glass.ground_state(&mut Engine::serial(), |_| ()).unwrap()
    );
}
