//! Partly filled vectors: every kind, every number of lanes.

use super::Sample;
#[cfg(target_arch = "x86_64")]
use crate::fixed::lanes::{Avx2, Avx512, Sse2};
use crate::fixed::lanes::{Isa, Lanes, Portable};

/// Loads and stores `n` lanes, in memory that ends behind them.
fn parts<T: Sample, V: Lanes<T>>() {
    for n in 1..=V::WIDTH {
        let source: Vec<T> = (0..n).map(|i| T::sample(i + 1)).collect();
        let mut whole = vec![T::POISON; V::WIDTH];
        let mut part = vec![T::POISON; V::WIDTH];
        let mut exact = vec![T::POISON; n];
        // SAFETY: the memory is as long as the lanes; the machine has the instructions.
        unsafe {
            let loaded = V::load(source.as_ptr(), n);
            loaded.store(whole.as_mut_ptr(), V::WIDTH);
            loaded.store(exact.as_mut_ptr(), n);
            V::load(whole.as_ptr(), V::WIDTH).store(part.as_mut_ptr(), n);
        }
        assert_eq!(whole[..n], source);
        assert!(whole[n..].iter().all(|x| *x == T::ZERO));
        assert_eq!(exact, source);
        assert_eq!(part[..n], source);
        // NaN where it is POISON still.
        assert!(part[n..].iter().all(|x| *x != T::ZERO && *x != T::ONE));
    }
}

fn all<T: Sample, I: Isa<T>>() {
    parts::<T, I::V1>();
    parts::<T, I::V2>();
    parts::<T, I::V4>();
    parts::<T, I::V8>();
    parts::<T, I::V16>();
}

#[test]
fn every_number_of_lanes() {
    all::<i8, Portable>();
    all::<f64, Portable>();
    #[cfg(target_arch = "x86_64")]
    {
        all::<f64, Sse2>();
        all::<f32, Sse2>();
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            all::<f64, Avx2>();
            all::<f32, Avx2>();
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            all::<f64, Avx512>();
            all::<f32, Avx512>();
        }
    }
}
