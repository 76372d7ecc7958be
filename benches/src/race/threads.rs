//! Two threads beside one, of the same call.

use cpueinsum::{Exec, Pool};
use cteinsum::{Engine, Tensor, einsum};

use super::tensors::tccg;
use super::values;
use crate::clock::{Contender, rounds};
use crate::peers;
use crate::record::{Row, fingerprint};

/// One row; the bytes that must move where it is the memory that limits, else multiply-adds. With a pool also cpueinsum on it.
macro_rules! two {
    ($name:expr, $t:ty, $spec:literal, $($x:ident [$($a:expr),*])+ => [$($n:expr),*], $work:expr $(, $pool:expr)?) => {{
        let mut seed = 0;
        $(
            seed += 1;
            let $x = values::<$t, _>([$($a),*], seed);
        )+
        let shape = [$($n),*];
        let mut outs = [(); 3].map(|()| Tensor::<$t, _>::zeros(shape));
        let mut engines = [Engine::with_threads(2).expect("two threads"), Engine::serial()];
        let times = {
            let operands = ($(&$x,)+);
            let [ours @ .., theirs] = &mut outs;
            let pairs = ours.iter_mut().zip(&mut engines);
            let contenders = pairs.map(|(out, engine)| -> Contender<'_> {
                Box::new(move |runs| {
                    for _ in 0..runs {
                        let ($($x,)+) = std::hint::black_box(operands);
                        einsum!($spec, $($x),+, out = &mut *out, engine = &mut *engine);
                    }
                })
            });
            let mut contenders: Vec<_> = contenders.collect();
            let arrays = [$(($x.as_slice(), &$x.shape()[..])),+];
            let pools: &[&Pool<'_>] = &[$($pool)?];
            if let Some(pool) = pools.first() {
                let two = Exec::new(pool, 2).expect("two threads");
                let theirs = theirs.as_mut_slice();
                contenders.push(peers::cpueinsum($spec, &arrays, theirs, &shape, &[(0, 1)], two));
            }
            rounds(&mut contenders)
        };
        assert!(outs[0] == outs[1], "the same bits, however many threads: {}", $spec);
        let mut names = vec!["two threads", "one thread"];
        if times.len() > 2 {
            names.push("cpueinsum on two threads");
            assert!(outs[0] == outs[2], "the contenders disagree on {}", $spec);
        }
        Row {
            spec: $spec,
            size: format!("{} {}", stringify!($t), $name).trim().to_owned(),
            shapes: vec![$($x.shape().to_vec()),+],
            shape: shape.to_vec(),
            work: $work as f64,
            names,
            times,
            marks: 0,
            fingerprint: fingerprint(outs[0].as_slice()),
        }
        .report();
    }};
}

pub(super) fn rows() {
    let team = threadteam::Pool::builder()
        .threads(2)
        .build()
        .expect("two threads");
    let pool = Pool::borrow(&team);
    for n in [32usize, 64, 128] {
        two!(n, f64, "ij,jk->ik", a [n, n] b [n, n] => [n, n], n * n * n);
    }
    for n in [256usize, 512, 1024] {
        two!(n, f64, "ij,jk->ik", a [n, n] b [n, n] => [n, n], n * n * n, &pool);
    }
    two!(1024, f32, "ij,jk->ik", a [1024, 1024] b [1024, 1024] => [1024, 1024], 1024usize.pow(3), &pool);
    two!(64, f64, "bij,bjk->bik", a [64, 64, 64] b [64, 64, 64] => [64, 64, 64], 64usize.pow(4));
    two!(64, f64, "ijb,jkb->ikb", a [64, 64, 64] b [64, 64, 64] => [64, 64, 64], 64usize.pow(4));
    two!("8 8 128 64", f32, "bhqd,bhkd->bhqk", q [8, 8, 128, 64] k [8, 8, 128, 64] => [8, 8, 128, 128], 64 * 128 * 128 * 64);
    macro_rules! pair {
        ($spec:literal, $a:tt $b:tt => $c:tt, $work:expr) => {
            two!("", f64, $spec, a $a b $b => $c, $work, &pool);
        };
    }
    tccg!(pair);
    two!(16, f64, "war,abu,bgl,gwd->ruld", a [16, 16, 16] b [16, 16, 16] c [16, 16, 16] d [16, 16, 16] => [16, 16, 16, 16],
        16usize.pow(6) + 2 * 16usize.pow(5));
    two!(128, f64, "awi,apqb,wprv,vqsy,byj->irsj",
        l [128, 5, 128] t [128, 2, 2, 128] w [5, 2, 2, 5] v [5, 2, 2, 5] r [128, 5, 128] => [128, 2, 2, 128],
        2 * 20 * 128usize.pow(3) + 2 * 200 * 128 * 128);
    let n = 4096usize;
    two!(n, f64, "ij->ji", a [n, n] => [n, n], n * n * 16);
    two!("4096, a copy", f64, "ij->ij", a [n, n] => [n, n], n * n * 16);
    two!(64, f64, "ijkl->lkji", a [64, 64, 64, 64] => [64, 64, 64, 64], n * n * 16);
    two!(n, f64, "ij->i", a [n, n] => [n], n * n * 8);
    two!(n, f64, "ij->j", a [n, n] => [n], n * n * 8);
    two!(n, f64, "ij->", a [n, n] => [], n * n * 8);
    two!(n, f64, "ij,ij->", a [n, n] b [n, n] => [], n * n * 16);
    two!(n, f64, "i,j->ij", a [n] b [n] => [n, n], n * n * 8);
    two!(n, f64, "ij,ij->ij", a [n, n] b [n, n] => [n, n], n * n * 24);
    two!(256, f64, "ijk,ik->ijk", a [256, 256, 256] b [256, 256] => [256, 256, 256], n * n * 16);
}
