//! Small products are computed without a look into what an engine remembers: with the same bits and the same errors.

use cteinsum::{Engine, Tensor, TensorView, TensorViewMut, einsum, try_einsum};
use cteinsum_tests::random::Random;

/// Strides and first element of a matrix: dense, turned, backwards, gapped, and rows that are all the same one.
fn layouts([rows, columns]: [usize; 2]) -> [([isize; 2], usize); 5] {
    let [r, c] = [rows as isize, columns as isize];
    [
        ([c, 1], 0),
        ([1, r], 0),
        ([-c, -1], (rows * columns).saturating_sub(1)),
        ([3 * c + 2, 3], 1),
        ([0, 1], 0),
    ]
}

const MOST: usize = 1000;

/// An engine that looks every call up, because all of its threads (one) are to have a part in every step.
fn looking_up() -> Engine {
    let mut engine = Engine::serial();
    engine.__split_everything();
    engine
}

macro_rules! agree {
    ($t:ty) => {
        let mut random = Random(7);
        let (a, b): (Vec<$t>, Vec<$t>) = (0..MOST)
            .map(|_| (random.real() as $t, random.real() as $t))
            .unzip();
        let mut engine = looking_up();
        let lens = [0, 1, 2, 3, 4, 5, 16, 17];
        for (i, j, k) in (0..512).map(|n| (lens[n / 64], lens[n / 8 % 8], lens[n % 8])) {
            for (x, y) in (0..25).map(|n| (n / 5, n % 5)) {
                let (strides, first) = layouts([i, j])[x];
                let p = TensorView::new(&a, [i, j], strides, first).unwrap();
                let (strides, first) = layouts([j, k])[y];
                let q = TensorView::new(&b, [j, k], strides, first).unwrap();
                let v = q.permuted([1, 0]).slice([cteinsum::s(..k.min(1)), cteinsum::s(..)]);
                let v = TensorView::new(&b, [j], [v.strides()[1]], first).unwrap();
                let bits = |c: &[$t]| c.iter().map(|c| c.to_bits()).collect::<Vec<_>>();
                macro_rules! call {
                    ($spec:literal, $left:ident, $right:ident, $shape:expr) => {
                        let here = einsum!($spec, $left, $right);
                        let there = einsum!($spec, $left, $right, engine = &mut engine);
                        let at = ($spec, [i, j, k], [x, y]);
                        assert_eq!(here.shape(), there.shape(), "{at:?}");
                        assert_eq!(bits(here.as_slice()), bits(there.as_slice()), "{at:?}");
                        // Into every layout but the last, whose rows are one; NaNs are overwritten, or scaled if asked for.
                        let outputs = &layouts_of($shape)[..if (x + y) % 5 == 0 { 4 } else { 0 }];
                        for (strides, first) in outputs {
                            for (alpha, beta) in [(1.0, 0.0), (0.5, 0.0), (-1.0, 1.0), (3.0, 0.25)] {
                                let old = if beta == 0.0 { <$t>::NAN } else { 0.7 };
                                let mut c = [vec![old; MOST], vec![old; MOST]];
                                let [here, there] = &mut c;
                                let mut out = TensorViewMut::new(here, $shape, strides.clone().try_into().unwrap(), *first).unwrap();
                                einsum!($spec, $left, $right, out = &mut out, alpha = alpha, beta = beta);
                                let mut out = TensorViewMut::new(there, $shape, strides.clone().try_into().unwrap(), *first).unwrap();
                                einsum!($spec, $left, $right, out = &mut out, alpha = alpha, beta = beta, engine = &mut engine);
                                assert_eq!(bits(here), bits(there), "{at:?} {strides:?} {alpha} {beta}");
                            }
                        }
                    };
                }
                call!("ij,jk->ik", p, q, [i, k]);
                call!("ij,jk->ki", p, q, [k, i]);
                call!("jk,ij->ik", q, p, [i, k]);
                call!("ij,j->i", p, v, [i]);
                call!("j,ij->i", v, p, [i]);
            }
        }
    };
}

/// The same for shapes of one axis.
fn layouts_of<const N: usize>(shape: [usize; N]) -> Vec<(Vec<isize>, usize)> {
    match shape[..] {
        [rows, columns] => {
            let list = layouts([rows, columns]).into_iter();
            list.map(|(strides, first)| (strides.to_vec(), first))
                .collect()
        }
        [len] => [(1, 0), (-1, len.saturating_sub(1)), (3, 1), (2, 0), (0, 0)]
            .map(|(stride, first)| (vec![stride], first))
            .to_vec(),
        _ => unreachable!("matrices and vectors"),
    }
}

#[test]
fn the_bits_of_small_products_are_those_of_an_engine_f64() {
    agree!(f64);
}

#[test]
fn the_bits_of_small_products_are_those_of_an_engine_f32() {
    agree!(f32);
}

#[test]
fn inner_products_too() {
    let mut random = Random(3);
    let a = random.reals(5000);
    let mut engine = looking_up();
    for len in [0, 1, 2, 3, 31, 32, 33, 64, 1000, 4096, 4097] {
        for (stride, first) in [(1, 0), (-1, 4999), (0, 5)] {
            let x = TensorView::new(&a, [len], [stride], first).unwrap();
            let y = TensorView::new(&a, [len], [1], 5000 - len).unwrap();
            let here: f64 = einsum!("i,i->", x, y);
            let there: f64 = einsum!("i,i->", x, y, engine = &mut engine);
            assert_eq!(here.to_bits(), there.to_bits(), "{len} {stride}");
            let mut c = (0.5f64, 0.5f64);
            einsum!("i,i->", x, y, out = &mut c.0, alpha = 2.0, beta = -1.0);
            einsum!(
                "i,i->",
                x,
                y,
                out = &mut c.1,
                alpha = 2.0,
                beta = -1.0,
                engine = &mut engine
            );
            assert_eq!(c.0.to_bits(), c.1.to_bits(), "{len} {stride}");
        }
    }
}

#[test]
fn two_summed_labels_side_by_side_too() {
    let mut random = Random(5);
    let a = random.reals(3000);
    let (mut engine, mut given) = (looking_up(), Engine::serial());
    let mut small = 0;
    let lens = [0, 1, 2, 4, 9];
    for (i, j, k) in (0..125).map(|n| (lens[n / 25], lens[n / 5 % 5], lens[n % 5])) {
        let [l, m, n] = [i, j, k].map(|len| len as isize);
        // Dense, turned, padded, the summed ones in the other order, backwards, all the same.
        let left = [
            [m * n, n, 1],
            [1, l * n, l],
            [m * n + m, n + 1, 1],
            [m * n, 1, m],
        ];
        let left = left.into_iter().chain([[-m * n, -n, -1], [1, 0, 0]]);
        let right = [[n, 1], [2 * n, 2], [n + 1, 1], [1, m], [-n, -1], [0, 0]];
        for ([pi, pj, pk], [qj, qk]) in left.flat_map(|p| right.map(|q| (p, q))) {
            let p = TensorView::new(&a, [i, j, k], [pi, pj, pk], 1500).unwrap();
            let q = TensorView::new(&a, [j, k], [qj, qk], 1000).unwrap();
            let at = ([i, j, k], p.strides(), q.strides());
            let bits = |c: &[f64]| c.iter().map(|c| c.to_bits()).collect::<Vec<_>>();
            macro_rules! call {
                ($spec:literal, $left:ident, $right:ident) => {
                    let here = einsum!($spec, $left, $right);
                    let there = einsum!($spec, $left, $right, engine = &mut engine);
                    assert_eq!(bits(here.as_slice()), bits(there.as_slice()), "{at:?}");
                    let before = given.stats();
                    let beside = einsum!($spec, $left, $right, engine = &mut given);
                    assert_eq!(bits(beside.as_slice()), bits(there.as_slice()), "{at:?}");
                    small += usize::from(given.stats() == before);
                };
            }
            call!("ijk,jk->i", p, q);
            call!("jk,ijk->i", q, p);
            let here: f64 = einsum!("jk,jk->", q, q);
            let there: f64 = einsum!("jk,jk->", q, q, engine = &mut engine);
            assert_eq!(here.to_bits(), there.to_bits(), "{at:?}");
        }
    }
    assert!((200..2000).contains(&small), "{small} without a look-up");
}

/// What is said of sizes that do not fit does not depend on who finds it out.
#[test]
fn errors_are_those_of_an_engine() {
    let a = Tensor::from_fn([2, 3], |[i, j]| (i + j) as f64);
    let b = Tensor::from_fn([4, 2], |[i, j]| (i * j) as f64);
    let v = Tensor::from_vec([2], vec![1.0; 2]);
    let mut engine = looking_up();
    let here = try_einsum!("ij,jk->ik", a, b).unwrap_err().to_string();
    let there = try_einsum!("ij,jk->ik", a, b, engine = &mut engine).unwrap_err();
    assert_eq!(here, there.to_string());
    assert!(here.starts_with("label 'j' is 3 in operand 0 (axis 1) but 4 in operand 1 (axis 0)"));
    let here = try_einsum!("ij,j->i", a, v).unwrap_err().to_string();
    assert!(here.starts_with("label 'j' is 3 in operand 0 (axis 1) but 2 in operand 1 (axis 0)"));
    let mut c = Tensor::full([3, 3], 5.0);
    let error = try_einsum!("ij,kj->ik", a, a, out = &mut c).unwrap_err();
    let there = try_einsum!("ij,kj->ik", a, a, out = &mut c, engine = &mut engine).unwrap_err();
    assert_eq!(error.to_string(), there.to_string());
    assert_eq!(c, Tensor::full([3, 3], 5.0), "untouched");
}

/// Lengths of 1 broadcast, and ranks known at run time are checked.
#[test]
fn what_is_out_of_the_ordinary_is_left_to_the_engine() {
    let a = Tensor::from_fn([2, 1], |[i, _]| (i + 1) as f64);
    let b = Tensor::from_fn([3, 2], |[i, j]| (2 * i + j) as f64);
    assert_eq!(
        einsum!("ij,jk->ik", a, b),
        Tensor::from([[6.0, 9.0], [12.0, 18.0]])
    );
    let wrong = a.as_dyn();
    assert!(try_einsum!("i,ik->k", wrong, b).is_err());
    let right = Tensor::from_vec([3], vec![1.0, 0.0, 2.0]);
    assert_eq!(
        einsum!("i,ik->k", right.as_dyn(), b).as_slice(),
        [8.0, 11.0]
    );
}
