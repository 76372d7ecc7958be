//! Results in new arrays: what the memory for them costs.

use std::hint::black_box;

use cteinsum::{Tensor, einsum};

use super::{Field, values};
use crate::clock::{self, Contender, rounds};
use crate::peers::How;
use crate::record::{Row, fingerprint};

/// A new result beside one that is written into a given array, memory of as many bytes that is written for the first
/// time, and memory that is written again.
macro_rules! fresh {
    ($name:expr, $spec:literal, $($x:ident [$($a:expr),*])+ => [$($n:expr),*], $work:expr) => {{
        let mut seed = 0;
        $(
            seed += 1;
            let $x = values::<f64, _>([$($a),*], seed);
        )+
        let shape = [$($n),*];
        let arrays = [$(($x.as_slice(), &$x.shape()[..])),+];
        let len: usize = shape.iter().product();
        let (mut out, mut again) = (Tensor::<f64, _>::zeros(shape), clock::array(len, 0.0));
        let field = Field::new($spec, &arrays, &shape, How::default());
        let (times, peer) = {
            let (target, operands, again) = (&mut out, ($(&$x,)+), &mut again);
            let mut peer = clock::array(len, -1.0);
            let mut contenders: Vec<Contender<'_>> = vec![
                Box::new(move |runs| {
                    for _ in 0..runs {
                        let ($($x,)+) = black_box(operands);
                        black_box(einsum!($spec, $($x),+));
                    }
                }),
                field.ndarray_einsum(&mut peer),
                Box::new(move |runs| {
                    for _ in 0..runs {
                        let ($($x,)+) = black_box(operands);
                        einsum!($spec, $($x),+, out = &mut *target);
                    }
                }),
                Box::new(move |runs| {
                    for _ in 0..runs {
                        black_box(vec![black_box(1.0); len]);
                    }
                }),
                Box::new(move |runs| {
                    for _ in 0..runs {
                        black_box(&mut *again).fill(black_box(1.0));
                    }
                }),
            ];
            (rounds(&mut contenders), peer)
        };
        let new = einsum!($spec, $($x),+);
        assert!(new == out && new.as_slice() == peer, "the contenders disagree on {}", $spec);
        Row {
            spec: $spec,
            size: format!("f64 {}", $name),
            shapes: arrays.iter().map(|(_, shape)| shape.to_vec()).collect(),
            shape: shape.to_vec(),
            work: $work as f64,
            names: vec!["ours", "ndarray-einsum", "ours into a given array", "first touch", "filled again"],
            times,
            marks: 3,
            fingerprint: fingerprint(new.as_slice()),
        }
        .report();
    }};
}

pub(super) fn rows() {
    for n in [2usize, 4, 8, 16, 32] {
        fresh!(n, "ij,jk->ik", a [n, n] b [n, n] => [n, n], n * n * 8);
    }
    let n = 1024usize;
    fresh!(n, "ij,jk->ik", a [n, n] b [n, n] => [n, n], n * n * 8);
    let n = 4096usize;
    fresh!(n, "ij->ji", a [n, n] => [n, n], n * n * 16);
    fresh!(64, "ijkl->lkji", a [64, 64, 64, 64] => [64, 64, 64, 64], n * n * 16);
    fresh!(n, "i,j->ij", a [n] b [n] => [n, n], n * n * 8);
    fresh!(n, "ij,ij->ij", a [n, n] b [n, n] => [n, n], n * n * 24);
}
