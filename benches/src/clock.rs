//! Times of contenders that run in turns.

use std::time::{Duration, Instant};

/// Something to be timed: runs that many times.
pub(crate) type Contender<'a> = Box<dyn FnMut(usize) + 'a>;

/// Nanoseconds of one run of each contender: the shortest of many rounds, in turns.
pub(crate) fn shortest(contenders: &mut [Contender<'_>]) -> Vec<f64> {
    const ROUND: Duration = Duration::from_micros(30);
    const TOTAL: Duration = Duration::from_millis(150);
    let runs: Vec<usize> = contenders
        .iter_mut()
        .map(|contender| {
            let mut runs = 1;
            loop {
                let start = Instant::now();
                contender(runs);
                if start.elapsed() >= ROUND || runs > 1 << 20 {
                    return runs;
                }
                runs *= 2;
            }
        })
        .collect();
    let mut best = vec![f64::INFINITY; contenders.len()];
    let start = Instant::now();
    while start.elapsed() < TOTAL * contenders.len() as u32 {
        for (i, contender) in contenders.iter_mut().enumerate() {
            let start = Instant::now();
            contender(runs[i]);
            let time = start.elapsed().as_nanos() as f64 / runs[i] as f64;
            best[i] = best[i].min(time);
        }
    }
    best
}
