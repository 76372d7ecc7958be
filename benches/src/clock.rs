//! Times of contenders that run in turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Something to be timed: runs that many times.
pub(crate) type Contender<'a> = Box<dyn FnMut(usize) + 'a>;

/// An array of `len` times `value`, asked for on large pages, as those of NumPy and the tensors of `cteinsum` are: all
/// contenders and marks read and write memory of one kind.
#[cfg(feature = "peers")]
pub(crate) fn array<T: Copy>(len: usize, value: T) -> Vec<T> {
    let mut array = Vec::with_capacity(len);
    cteinsum_kernels::large_pages(array.as_ptr(), len * size_of::<T>());
    array.resize(len, value);
    array
}

/// Nanoseconds of one run of each contender: the shortest of many rounds, in turns.
pub(crate) fn shortest(contenders: &mut [Contender<'_>]) -> Vec<f64> {
    rounds(contenders)
        .iter()
        .map(|times| times.iter().copied().fold(f64::INFINITY, f64::min))
        .collect()
}

/// The middle of the values.
#[cfg(feature = "peers")]
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What a run takes from which on a place on the stack and what the caches hold decide nothing.
const LONG: Duration = Duration::from_millis(20);
/// What a run takes from which on it is timed twice, and no more: the shorter one stands for every round.
const ENDLESS: Duration = Duration::from_millis(300);

/// Nanoseconds of one run of each contender in every round; they run in turns, at least five rounds of them.
pub(crate) fn rounds(contenders: &mut [Contender<'_>]) -> Vec<Vec<f64>> {
    const ROUND: Duration = Duration::from_micros(30);
    const TOTAL: Duration = Duration::from_millis(150);
    const LEAST: usize = 5;
    // How many runs a round has, and what one took.
    let runs: Vec<(usize, Duration)> = contenders
        .iter_mut()
        .map(|contender| {
            let mut runs = 1;
            loop {
                let start = Instant::now();
                contender(runs);
                let spent = start.elapsed();
                if spent >= ENDLESS {
                    let start = Instant::now();
                    contender(1);
                    return (1, (spent / runs as u32).min(start.elapsed()));
                }
                if spent >= ROUND || runs > 1 << 20 {
                    return (runs, spent / runs as u32);
                }
                runs *= 2;
            }
        })
        .collect();
    let mut times = vec![Vec::new(); contenders.len()];
    let start = Instant::now();
    while times[0].len() < LEAST || start.elapsed() < TOTAL * contenders.len() as u32 {
        for (i, contender) in contenders.iter_mut().enumerate() {
            let (runs, once) = runs[i];
            let time = if once >= ENDLESS {
                once.as_nanos() as f64
            } else if once >= LONG {
                padded::<16>(contender, runs)
            } else {
                // What the one before has left in the caches is not to decide: a contender is timed after itself.
                contender(1);
                let places = [padded::<16>, padded::<32>, padded::<48>, padded::<64>];
                let times = places.map(|padded| padded(contender, runs));
                times.into_iter().fold(f64::INFINITY, f64::min)
            };
            times[i].push(time / runs as f64);
        }
    }
    times
}

/// The time of a contender whose frame lies so much further down: where results on the stack happen to cross cache
/// lines must not decide a row, so that each contender is timed at every place.
#[inline(never)]
fn padded<const PADDING: usize>(contender: &mut Contender<'_>, runs: usize) -> f64 {
    let padding = [0u8; PADDING];
    black_box(&padding);
    let start = Instant::now();
    contender(runs);
    let time = start.elapsed().as_nanos() as f64;
    black_box(&padding);
    time
}
