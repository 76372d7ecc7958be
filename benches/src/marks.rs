//! What the machine can do, measured in the run that is compared with it: bandwidths of memory, and multiply-adds a second.

use std::hint::black_box;
use std::sync::Barrier;
use std::time::Instant;

use serde_json::{Value, json};

use crate::clock::array;

/// Elements of an array beyond the caches that a core has for itself: 134 MB.
const LEN: usize = 1 << 24;

/// The marks of one thread and of two, in GB/s and GFLOP/s. Bytes of a copy count twice: they are read and written.
pub(crate) fn measure() -> Value {
    let mut all = serde_json::Map::new();
    for threads in [1, 2] {
        let mut arrays: Vec<_> = (0..threads)
            .map(|_| (array(LEN / threads, 1.0), array(LEN / threads, 2.0)))
            .collect();
        let bytes = (LEN * size_of::<f64>()) as f64;
        let mut mark = |name: &str, work: f64, run: Work| {
            let name = if threads == 1 {
                name.to_owned()
            } else {
                format!("{name} on two threads")
            };
            all.insert(name, json!(work / together(&mut arrays, run)));
        };
        mark("copy", 2.0 * bytes, |(from, to)| to.copy_from_slice(from));
        mark("read", bytes, |(from, _)| {
            black_box(sum(from));
        });
        mark("fill", bytes, |(_, to)| fill(to, black_box(3.0)));
        let flops = 2.0 * (ROUNDS * threads) as f64;
        mark("fma f64", flops * 128.0, |_| f64_chains(ROUNDS));
        mark("fma f32", flops * 256.0, |_| f32_chains(ROUNDS));
    }
    Value::Object(all)
}

/// Operations on the arrays of a thread.
type Work = fn(&mut (Vec<f64>, Vec<f64>));
/// Runs of a chain of multiply-adds.
const ROUNDS: usize = 400_000;

/// The shortest time in nanoseconds of the work on all arrays, a thread each.
fn together(arrays: &mut [(Vec<f64>, Vec<f64>)], work: Work) -> f64 {
    let barrier = Barrier::new(arrays.len());
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        let spans: Vec<(Instant, Instant)> = std::thread::scope(|scope| {
            let threads = arrays.iter_mut().map(|pair| {
                let barrier = &barrier;
                scope.spawn(move || {
                    barrier.wait();
                    let start = Instant::now();
                    work(pair);
                    (start, Instant::now())
                })
            });
            let threads: Vec<_> = threads.collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic"))
                .collect()
        });
        let start = spans.iter().map(|span| span.0).min().expect("a thread");
        let end = spans.iter().map(|span| span.1).max().expect("a thread");
        least = least.min((end - start).as_nanos() as f64);
    }
    least
}

/// Writes past the caches: else what is to be written is read first.
fn fill(to: &mut [f64], value: f64) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{__m128d, _mm_set1_pd, _mm_sfence, _mm_stream_pd};
        // SAFETY: any two doubles are a register.
        let (before, middle, behind) = unsafe { to.align_to_mut::<__m128d>() };
        before.fill(value);
        behind.fill(value);
        // SAFETY: `middle` is borrowed mutably, and its elements are aligned; SSE2 is part of the target.
        unsafe {
            let both = _mm_set1_pd(value);
            for pair in middle {
                _mm_stream_pd(std::ptr::from_mut(pair).cast(), both);
            }
            _mm_sfence();
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    to.fill(value);
}

/// The sum, by as many chains as keep the memory busy, at four places at a time: a core reads several streams faster than one.
fn sum(values: &[f64]) -> f64 {
    #[inline(always)]
    fn chains(values: &[f64]) -> f64 {
        let mut sums = [[0.0; 16]; 4];
        let quarter = values.len() / 4;
        let [a, b, c, d] =
            [0, 1, 2, 3].map(|i| values[i * quarter..][..quarter].as_chunks::<16>().0);
        for (((a, b), c), d) in a.iter().zip(b).zip(c).zip(d) {
            for (sums, chunk) in sums.iter_mut().zip([a, b, c, d]) {
                for (sum, value) in sums.iter_mut().zip(chunk) {
                    *sum += value;
                }
            }
        }
        sums.as_flattened().iter().sum()
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2(values: &[f64]) -> f64 {
        chains(values)
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has it.
        return unsafe { avx2(values) };
    }
    chains(values)
}

/// `$rounds` times `$lanes` independent multiply-adds: 16 registers of AVX-512, or as many elements in narrower ones.
macro_rules! chains {
    ($name:ident, $t:ty, $lanes:literal, $set:ident, $fma:ident) => {
        fn $name(rounds: usize) {
            #[cfg(target_arch = "x86_64")]
            {
                use core::arch::x86_64::{$fma, $set};
                #[target_feature(enable = "avx512f")]
                fn widest(rounds: usize) {
                    let (factor, more) = ($set(black_box(0.5)), $set(black_box(1.0)));
                    let mut all = [$set(black_box(1.5)); 16];
                    for _ in 0..rounds {
                        for one in &mut all {
                            *one = $fma(*one, factor, more);
                        }
                    }
                    black_box(all);
                }
                if is_x86_feature_detected!("avx512f") {
                    // SAFETY: the machine has it.
                    unsafe { widest(rounds) };
                    return;
                }
                #[target_feature(enable = "avx2,fma")]
                fn wide(rounds: usize) {
                    portable(rounds, <$t>::mul_add);
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the machine has them.
                    unsafe { wide(rounds) };
                    return;
                }
            }
            /// As many multiply-adds, in chains that fit narrower registers.
            #[inline(always)]
            fn portable(rounds: usize, multiply_add: impl Fn($t, $t, $t) -> $t) {
                let (factor, more) = (black_box(0.5), black_box(1.0));
                let mut all = [black_box(1.5); $lanes / 4];
                for _ in 0..4 * rounds {
                    for one in &mut all {
                        *one = multiply_add(*one, factor, more);
                    }
                }
                black_box(all);
            }
            portable(rounds, |x, factor, more| x * factor + more);
        }
    };
}
chains!(f64_chains, f64, 128, _mm512_set1_pd, _mm512_fmadd_pd);
chains!(f32_chains, f32, 256, _mm512_set1_ps, _mm512_fmadd_ps);
