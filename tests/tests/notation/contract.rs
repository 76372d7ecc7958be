//! I: the sentences about index notation.

use std::cell::RefCell;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use cteinsum::{DynTensor, EinsumError, Engine, Scalar, Tensor, conj, einsum, try_einsum};
use num_complex::Complex;

/// Whole numbers, different ones for each seed.
fn numbers<const N: usize>(seed: i64, shape: [usize; N]) -> Tensor<i64, N> {
    let mut n = seed;
    Tensor::from_fn(shape, |_| {
        n = (5 * n + 3) % 17;
        n - 8
    })
}

/// Contract: I2
#[test]
fn labels_are_identifiers() {
    let (a, b) = (numbers(1, [2, 3]), numbers(2, [3, 4]));
    let c = einsum!("ij,jk->ik", a, b);
    assert_eq!(einsum!([row, col] = a[row, mid] * b[mid, col]), c);
    assert_eq!(einsum!([r#in, out] = a[in, r#type] * b[type, r#out]), c);
    assert_eq!(einsum!([größe, _y] = a[größe, i] * b[i, _y]), c);
    // Nothing of the expansion is called so, whatever it is called.
    assert_eq!(einsum!([op0, l0] = a[op0, raw] * b[raw, l0]), c);
    assert_eq!(einsum!([Spec, Dots] = a[Spec, Name] * b[Name, Dots]), c);
    let fixed: [[i64; 2]; 1] = einsum!([op1, dots] = [[1, 2, 3]][op1, m0] * [[1, 2]; 3][m0, dots]);
    assert_eq!(fixed, [[6, 12]]);
    let trace: i64 = einsum!([] = [[1, 2], [3, 4]][same, same]);
    assert_eq!(trace, 5);
}

/// Contract: I4
#[test]
fn the_left_side() {
    let (a, b) = (numbers(1, [2, 3]), numbers(2, [3, 4]));
    let product = einsum!("ij,jk->ik", a, b);
    let twice = einsum!(",ij->ij", 2, product);
    let mut c = Tensor::full([2, 4], 77);
    einsum!(c[i, k] = a[i, j] * b[j, k]);
    assert_eq!(c, product);
    einsum!(c[i, k] += a[i, j] * b[j, k]);
    assert_eq!(c, twice);
    einsum!(c[i, k] -= a[i, j] * b[j, k]);
    assert_eq!(c, product);
    einsum!(c.view_mut().permuted([1, 0])[k, i] += a[i, j] * b[j, k]);
    assert_eq!(c, twice);
    let reference = &mut c;
    einsum!(reference[i, k] -= a[i, j] * b[j, k]);
    einsum!((*reference)[i, k] += 0 * a[i, j] * b[j, k]);
    assert_eq!(c, product);
    let mut boxed = (Box::new(Tensor::zeros([2, 4])), vec![0i64; 4]);
    einsum!(boxed.0[i, k] = a[i, j] * b[j, k]);
    assert_eq!(*boxed.0, product);
    let mut whole = [[0i64; 4]; 2];
    einsum!(whole[i, k] = a[i, j] * b[j, k]);
    assert_eq!(whole[1][3], product[[1, 3]]);
    let mut unread = Tensor::full([2, 2], f64::NAN);
    einsum!(unread[i, i] = [1.0, 2.0][i]);
    assert_eq!(unread.as_slice(), [1.0, 0.0, 0.0, 2.0]);
    let mut s = 0;
    einsum!(s[] = a[i, j] * a[i, j]);
    einsum!(s[] += a[i, j] * a[i, j]);
    assert_eq!(s, 2 * einsum!("ij,ij->", a, a));
}

/// Contract: I5
#[test]
fn sums_from_left_to_right() {
    // 1e16 + 1 is 1e16: the order shows.
    let (large, one) = ([1e16], [1.0]);
    let s = einsum!([i] = large[i] + one[i] - large[i]);
    assert_eq!(s, [0.0]);
    let s = einsum!([i] = large[i] - large[i] + one[i]);
    assert_eq!(s, [1.0]);
    // `j` is another index in each term, here of another length.
    let (a, b) = (numbers(1, [2, 3]), numbers(2, [4, 2]));
    let sum = einsum!([i] = a[i, j] + 2 * b[j, i]);
    let expected = Tensor::from_fn([2], |[i]| {
        einsum!("ij->i", a)[[i]] + 2 * einsum!("ji->i", b)[[i]]
    });
    assert_eq!(sum, expected);
    let constant: [i64; 2] = einsum!([i] = [[1, 2, 3], [4, 5, 6]][i, j] + [[1, 2]; 5][j, i]);
    assert_eq!(constant, [6 + 5, 15 + 10]);
    // A diagonal is written by each term, zeros between by none but the first.
    let mut d = Tensor::full([2, 2], f64::NAN);
    einsum!(d[i, i] = [1.0, 2.0][i] + [[1.0, 5.0], [6.0, 2.0]][i, i]);
    assert_eq!(d.as_slice(), [2.0, 0.0, 0.0, 4.0]);
    assert_eq!(einsum!([i, i] = [1, 2][i] - [0, 1][i]), [[1, 0], [0, 1]]);
}

/// Contract: I6
#[test]
fn nothing_is_written_if_a_later_term_does_not_fit() {
    let (a, b) = (numbers(1, [2, 3]), numbers(2, [3, 4]));
    let (narrow, one) = (numbers(3, [2, 3]), numbers(3, [1, 4]));
    let mut c = Tensor::full([2, 4], 7);
    let before = c.clone();
    let error = try_einsum!(c[i, k] = a[i, j] * b[j, k] + a[i, j] * narrow[j, k]).unwrap_err();
    assert!(
        error.to_string().starts_with(
            "label 'j' is 3 in operand 0 (axis 1) but 2 in operand 1 (axis 0)\n    ij,jk->ik"
        ),
        "{error}"
    );
    let error = try_einsum!(c[row, col] += a[row, mid] * b[mid, col] - narrow[row, col]);
    let error = error.unwrap_err();
    assert!(
        error.to_string().starts_with(
            "term 1 of the sum has shape [2, 3], but the first has [2, 4]\n    [row, col] -> [row, col]"
        ),
        "{error}"
    );
    let EinsumError::Terms {
        term,
        expected,
        found,
        ..
    } = error
    else {
        panic!("another error");
    };
    assert_eq!((term, expected, found), (1, vec![2, 4], vec![2, 3]));
    assert!(try_einsum!(c[i, k] += a[i, j] * b[j, k] + one[i, k]).is_err());
    assert!(try_einsum!([i, k] = a[i, j] * b[j, k] + one[i, k]).is_err());
    assert!(try_einsum!([i, k] = one[i, k] + a[i, j] * b[j, k]).is_err());
    let mut short = Tensor::full([2, 3], 7);
    assert!(try_einsum!(short[i, k] = a[i, j] * b[j, k] + a[i, j] * b[j, k]).is_err());
    assert_eq!((c, short), (before, Tensor::full([2, 3], 7)));
    // A wrong rank of a later term, where only the run shows it.
    let (any, mut d) = (DynTensor::<i64>::zeros([2, 3, 1]), Tensor::full([2, 3], 7));
    assert!(try_einsum!(d[i, j] = a[i, j] + any[i, j]).is_err());
    assert_eq!(d, Tensor::full([2, 3], 7));
}

/// A message shows the term as it was read, with carets under the very labels.
///
/// Contract: X4
#[test]
fn messages_at_run_time() {
    let (a, b) = (numbers(1, [2, 3]), numbers(2, [5, 4]));
    let message = |error: Option<EinsumError>| error.expect("an error").to_string();
    assert_eq!(
        message(try_einsum!([row, col] = a[row, mid] * b[mid, col]).err()),
        "label 'mid' is 3 in operand 0 (axis 1) but 5 in operand 1 (axis 0)\n\
         \u{20}   [row, mid], [mid, col] -> [row, col]\n\
         \u{20}         ^^^    ^^^"
    );
    let any = DynTensor::<i64>::zeros([2]);
    assert_eq!(
        message(try_einsum!([row] = any[row, mid] * (a[row, mid] * b[mid, col])).err()),
        "the subscripts give operand 0 2 labels, but it has 1 axis\n\
         \u{20}   [row, mid], ([row, mid], [mid, col]) -> [row]\n\
         \u{20}    ^^^^^^^^"
    );
    let any = DynTensor::<i64>::zeros([3]);
    let told = message(try_einsum!([.., last] = any[..] * a[.., last]).err());
    let picture = "    [...], [..., last] -> [..., last]\n     ^^^    ^^^";
    assert!(told.ends_with(picture), "{told}");
}

/// Contract: I7
#[test]
fn scalars() {
    let a = [3.0, 6.0];
    let (x, list) = (2.0f64, [4.0, 5.0]);
    let pointer = &x;
    assert_eq!(einsum!([i] = 2.0 * a[i]), [6.0, 12.0]);
    assert_eq!(einsum!([i] = a[i] * x), [6.0, 12.0]);
    assert_eq!(einsum!([i] = a[i] / x), [1.5, 3.0]);
    assert_eq!(einsum!([i] = x * a[i] * 3.0 / (x + 1.0)), [6.0, 12.0]);
    assert_eq!(einsum!([i] = (list[0]) * a[i] * { list[1] }), [60.0, 120.0]);
    assert_eq!(einsum!([i] = -a[i]), [-3.0, -6.0]);
    assert_eq!(
        einsum!([i] = --a[i] * -x.sqrt().powi(2).round()),
        [-6.0, -12.0]
    );
    assert_eq!(
        einsum!([i] = a[i] * f64::max(x, 1.0) - *pointer * a[i]),
        [0.0, 0.0]
    );
    assert_eq!(einsum!([] = a[i] * a[i] / x / x), 45.0 / 4.0);
    assert_eq!(einsum!([i] = 1.0 / x * a[i]), [1.5, 3.0]);
    let mut c = [1.0, 1.0];
    einsum!(c[i] = a[i], alpha = 2.0, beta = 3.0);
    assert_eq!(c, [9.0, 15.0]);
    einsum!(c[i] -= 2.0 * a[i] + a[i], alpha = -1.0);
    assert_eq!(c, [18.0, 33.0]);
    assert_eq!(einsum!([i] = -[1u8, 0][i]), [255, 0]);
    let z = [Complex::new(0.0, 2.0)];
    assert_eq!(einsum!([i] = -z[i] / (z[0])), [Complex::new(-1.0, 0.0)]);

    fn generic<T: Scalar>(a: &Tensor<T, 1>, x: T) -> Tensor<T, 1> {
        einsum!([i] = x * x * a[i] - a[i])
    }
    assert_eq!(
        generic(&Tensor::from_vec([1], vec![2]), 3),
        Tensor::from_vec([1], vec![16])
    );
}

/// Contract: I8
#[test]
fn parentheses() {
    let (a, b, d) = (numbers(1, [2, 3]), numbers(2, [3, 4]), numbers(3, [4, 5]));
    let rough =
        |n: f64| Tensor::from_fn([4, 4], move |[i, j]| (n + i as f64 * 0.7 + j as f64).sin());
    let (x, y, z) = (rough(1.0), rough(2.0), rough(3.0));
    assert_eq!(
        einsum!([i, l] = x[i, j] * (y[j, k] * z[k, l])),
        einsum!("ij,(jk,kl)->il", x, y, z)
    );
    assert_eq!(
        einsum!([i, l] = (x[i, j] * y[j, k]) * z[k, l]),
        einsum!("(ij,jk),kl->il", x, y, z)
    );
    let all = einsum!("ij,jk,kl->il", a, b, d);
    assert_eq!(einsum!([i, l] = ((a[i, j]) * ((b[j, k] * d[k, l])))), all);
    assert_eq!(
        einsum!([i, l] = 2 * (a[i, j] * b[j, k]) * d[k, l] - (a[i, j] * b[j, k] * d[k, l])),
        all
    );
    let e = einsum!([i, k] = 2 * (a[i, j] * b[j, k] - (a[i, j] * b[j, k] + 3 * a[i, j] * b[j, k])));
    assert_eq!(e, einsum!(",ij,jk->ik", -6, a, b));
    assert_eq!(
        einsum!([i, k] = (a[i, j] * b[j, k] + a[i, j] * b[j, k]) * -3),
        e
    );
}

/// Contract: I9
#[test]
fn evaluated_once_from_left_to_right() {
    let log = RefCell::new(Vec::new());
    let operand = |k: i64| {
        log.borrow_mut().push(k);
        numbers(k, [2, 2])
    };
    let scalar = |k: i64| {
        log.borrow_mut().push(k);
        k
    };
    let mut c = Tensor::zeros([2, 2]);
    let mut engine = Engine::serial();
    let place = |k: i64| {
        log.borrow_mut().push(k);
    };
    einsum!(
        {
            place(9);
            &mut c
        }[i, k] = scalar(1) * (operand(2)[i, j] * operand(3)[j, k] + scalar(4) * operand(5)[i, k]) * scalar(6)
            - operand(7)[k, i] * scalar(8),
        engine = {
            log.borrow_mut().push(10);
            &mut engine
        }
    );
    assert_eq!(log.take(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    let (two, three, five) = (numbers(2, [2, 2]), numbers(3, [2, 2]), numbers(5, [2, 2]));
    let seven = numbers(7, [2, 2]);
    let product = einsum!("ij,jk->ik", two, three);
    let expected = Tensor::from_fn([2, 2], |[i, k]| {
        6 * (product[[i, k]] + 4 * five[[i, k]]) - 8 * seven[[k, i]]
    });
    assert_eq!(c, expected);
    // A scalar may ask the array on the left, which is borrowed after it.
    let mut v = Tensor::full([2], 3);
    einsum!(v[i] += (v.as_slice()[0]) * [1, 2][i]);
    assert_eq!(v.as_slice(), [6, 9]);
}

struct Holder {
    weights: Vec<Tensor<i64, 2>>,
}

fn pair<A, B>(a: A, _: B) -> A {
    a
}

/// Contract: I10
#[test]
fn operands_are_what_brackets_can_follow() {
    let holder = Holder {
        weights: vec![numbers(1, [2, 2]), numbers(2, [2, 2])],
    };
    let v = [1, 2];
    let (n, expected) = (1, einsum!("ij,j->i", holder.weights[1], v));
    assert_eq!(einsum!([i] = holder.weights[n][i, j] * v[j]), expected);
    assert_eq!(
        einsum!([i] = (&holder.weights[1])[i, j] * { v }[j]),
        expected
    );
    assert_eq!(
        einsum!([i] = holder.weights.last().unwrap().clone()[i, j] * [1, 2][j]),
        expected
    );
    assert_eq!(
        einsum!([i] = pair::<Tensor<i64, 2>, Vec<(u8, u8)>>(numbers(2, [2, 2]), vec![(1, 2)])[i, j] * vec![1, 2][j]),
        expected
    );
    assert_eq!(
        einsum!([i] = holder.weights[1].permuted([1, 0])[j, i] * (v, 0).0[j]),
        expected
    );
    assert_eq!(
        einsum!([i] = <Tensor<i64, 2> as Clone>::clone(&holder.weights[1])[i, j] * v[j]),
        expected
    );

    macro_rules! product {
        ($a:expr, $b:ident, $i:ident) => {
            einsum!([$i] = $a[$i, j] * $b[j])
        };
    }
    assert_eq!(product!(&holder.weights[n], v, column), expected);

    fn early(a: Option<&Tensor<i64, 2>>) -> Option<i64> {
        let s = einsum!([] = a?[i, j] * (match a { Some(a) => a, None => return Some(7) })[i, j]);
        Some(s)
    }
    assert_eq!(
        (early(None), early(Some(&holder.weights[0])).is_some()),
        (None, true)
    );
    let waiting = async {
        let ready = |x: [i64; 2]| async move { x };
        einsum!([] = ready([1, 2]).await[i] * ready([3, 4]).await[i])
    };
    let mut context = Context::from_waker(Waker::noop());
    assert_eq!(pin!(waiting).poll(&mut context), Poll::Ready(11));
}

/// Contract: I11
#[test]
fn conjugates() {
    let z = Tensor::from_fn([2], |[i]| Complex::new(1.0, i as f64));
    let w = Tensor::from_fn([2], |[i]| Complex::new(i as f64, 2.0));
    assert_eq!(
        einsum!([] = conj(z[i]) * w[i]),
        einsum!("i,i->", conj(&z), w)
    );
    assert_eq!(
        einsum!([i] = w[i] * cteinsum::conj(z[i])),
        einsum!("i,i->i", w, conj(&z))
    );
    assert_eq!(
        einsum!([i] = conj((w.view())[i])),
        einsum!("i->i", conj(&w))
    );
    // A factor of this name has no indices.
    let conj = |x: Complex<f64>| x.conj();
    assert_eq!(
        einsum!([i] = conj(Complex::new(0.0, 1.0)) * z[i])[[0]],
        Complex::new(0.0, -1.0)
    );
}

/// Contract: I12
#[test]
fn options() {
    let (a, b, d) = (numbers(1, [2, 3]), numbers(2, [3, 4]), numbers(3, [4, 5]));
    let all = einsum!("ij,jk,kl->il", a, b, d);
    let mut engine = Engine::serial();
    let found = einsum!(
        [i, l] = a[i, j] * b[j, k] * d[k, l],
        order = [(1, 2), (0, 1)],
        engine = &mut engine,
    );
    assert_eq!((found, engine.stats().misses), (all.clone(), 1));
    let twice = try_einsum!(
        [row, col] = a[row, j] * b[j, k] * d[k, col] + a[row, j] * b[j, k] * d[k, col],
        sizes = [row = 2, col = 5],
        minimize = flops,
        order = greedy,
        engine = &mut engine
    );
    assert_eq!(twice.unwrap(), einsum!(",ij->ij", 2, all));
    let limited = try_einsum!([i, l] = a[i, j] * (b[j, k] * d[k, l]), max_intermediate = 3);
    assert!(matches!(limited, Err(EinsumError::Intermediate { .. })));
}
