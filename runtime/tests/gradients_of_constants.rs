//! Derivatives whose lengths are all constants: the numbers of the engine, and nothing allocated.

#[path = "common/still.rs"]
mod still;

use std::fmt::Debug;

use cteinsum::{
    Complex, Differentiable, Engine, Tensor, conj, einsum_jvp, einsum_vjp, try_einsum_jvp,
    try_einsum_vjp,
};
use still::still;

/// Small whole numbers, so that every order of summation gives the same.
trait Fill {
    fn fill(number: &mut i32) -> Self;
}
macro_rules! numbers {
    ($($t:ty: $n:ident => $value:expr;)*) => {$(
        impl Fill for $t {
            fn fill(number: &mut i32) -> $t {
                *number = (*number * 7 + 3) % 11;
                let $n = *number % 5 - 2;
                $value
            }
        }
    )*};
}
numbers! {
    f64: n => n.into();
    f32: n => n as f32;
    Complex<f64>: n => Complex::new(n.into(), (1 - n * n).into());
    Complex<f32>: n => Complex::new(n as f32, (1 - n) as f32);
}
impl<X: Fill, const N: usize> Fill for [X; N] {
    fn fill(number: &mut i32) -> Self {
        std::array::from_fn(|_| X::fill(number))
    }
}
/// An array of the type that is asked for.
fn some<X: Fill>(seed: i32) -> X {
    X::fill(&mut { seed })
}
fn like<X: Fill>(_: &X, seed: i32) -> X {
    some(seed)
}
/// All gradients, those of `wrt`, the transpose, accumulation, and tangents, by both ways.
macro_rules! agree {
    ($spec:literal: $($op:ident),+) => {{
        let mut engine = Engine::serial();
        let (y, pullback) = still(|| einsum_vjp!($spec, $($op),+));
        let dy = like(&y, 4);
        let gradients = still(|| pullback(&dy));
        let (by_engine, back) = einsum_vjp!($spec, $($op),+, engine = &mut engine);
        assert_eq!((y, gradients), (by_engine, back(&dy)), "{}", $spec);
        assert_eq!(gradients, still(|| pullback.call(&dy)), "{}: called twice", $spec);
        assert_eq!(gradients, pullback.call_in(&mut engine, &dy));
    }};
}
macro_rules! accumulated {
    ($spec:literal: $($op:ident),+) => {{
        let mut engine = Engine::serial();
        let (y, pullback) = einsum_vjp!($spec, $($op),+);
        let (_, back) = einsum_vjp!($spec, $($op),+, engine = &mut engine);
        let gradients = pullback(&y);
        let dy = like(&y, 4);
        let ($(mut $op,)+) = gradients;
        back.accumulate(&dy, ($(&mut $op,)+));
        let expected = ($($op,)+);
        let ($(mut $op,)+) = gradients;
        still(|| pullback.accumulate(&dy, ($(&mut $op,)+)));
        assert_eq!(($($op,)+), expected, "{}", $spec);
    }};
}
macro_rules! some_of {
    ($spec:literal: $($op:ident),+; wrt $wrt:tt) => {{
        let mut engine = Engine::serial();
        let (y, pullback) = still(|| try_einsum_vjp!($spec, $($op),+, wrt = $wrt, transpose = true)).expect("sizes");
        let dy = like(&y, 4);
        let gradients = still(|| pullback(&dy)).expect("sizes");
        let (_, back) = einsum_vjp!($spec, $($op),+, wrt = $wrt, transpose = true, engine = &mut engine);
        assert_eq!(gradients, back(&dy), "{}", $spec);
        let (a, b) = (pullback.to_string(), back.to_string());
        assert!(a.contains("saved") && b.contains("saved"), "{a}\n{b}");
    }};
}
macro_rules! along {
    ($spec:literal: $(($op:ident, $along:tt)),+) => {{
        let mut engine = Engine::serial();
        let both = still(|| einsum_jvp!($spec, $(($op, $along)),+));
        assert_eq!(both, einsum_jvp!($spec, $(($op, $along)),+, engine = &mut engine), "{}", $spec);
        assert_eq!(Ok(both), still(|| try_einsum_jvp!($spec, $(($op, $along)),+)));
    }};
}

fn specs<T: Differentiable + Fill + Debug, const N: usize, const M: usize>() {
    let a: [[T; M]; N] = some(1);
    let b: [[T; N]; M] = some(2);
    let c: [[T; M]; N] = some(3);
    let s: [[T; N]; N] = some(5);
    let x: [T; N] = some(6);
    let z: [T; M] = some(9);
    let n: T = some(7);
    let one: [[T; 1]; N] = some(8);
    let (da, db, dc) = (like(&a, 11), like(&b, 12), like(&c, 13));
    let (ds, dx) = (like(&s, 14), like(&x, 15));

    agree!("ij,jk->ik": a, b);
    agree!("ij,jk,kl->il": a, b, c);
    agree!("ij,jk,kl->li": a, b, c);
    agree!("ij,jk,kl,lm->mi": a, b, c, b);
    agree!("(ij,jk),(kl,lm)->": a, b, c, b);
    agree!("ij,jk,kl,lm,mn->in": a, b, c, b, a);
    agree!("ij,jk,kl,lm,mn,no->o": a, b, c, b, a, b);
    agree!("ab,bc,cd,de,ef,fg,gh,hi->ai": s, s, s, s, s, s, s, s);
    // Diagonals, sums of one operand, hyper-labels, numbers.
    agree!("ii->i": s);
    agree!("ii->": s);
    agree!("i->ii": x);
    agree!("i,i->iii": x, x);
    agree!("ij->": a);
    agree!("ij->i": a);
    agree!("ij->ji": a);
    agree!("ij,ik->ik": a, s);
    agree!("ij,kl->": a, s);
    agree!("ii,ij,jk->k": s, a, b);
    agree!("ij,ij,ij->j": a, a, c);
    agree!("i,i,i,i,i->": x, x, x, x, x);
    agree!("i,ij,j->": x, a, z);
    agree!(",i->i": n, x);
    agree!(",,->": n, n, n);
    agree!("i,j->ij": x, z);
    // Broadcasts.
    agree!("ij,ij->ij": one, a);
    agree!("ij,jk->ik": one, b);
    agree!("ij,jk,kl->il": one, b, a);
    agree!("...i,...i->...": one, a);
    agree!("...,...->...": a, n);
    agree!("...j,jk->...k": a, b);
    agree!("i...,...->...i": a, z);

    accumulated!("ij,jk->ik": a, b);
    accumulated!("ij,jk,kl->li": a, b, c);
    accumulated!("ii->i": s);
    accumulated!("ij,ij->ij": one, a);
    accumulated!(",i->i": n, x);

    some_of!("ij,jk->ik": a, b; wrt [1]);
    some_of!("ij,jk,kl->il": a, b, c; wrt [0]);
    some_of!("ij,jk,kl->il": a, b, c; wrt [2]);
    some_of!("ij,jk,kl->il": a, b, c; wrt [1]);
    some_of!("ij,jk,kl->il": a, b, c; wrt [2, 0]);
    some_of!("ij,jk,kl,lm,mn->in": a, b, c, b, a; wrt [3]);
    some_of!("ij,ik,kk->k": a, s, s; wrt [0]);

    along!("ij,jk->ik": (a, da), (b, db));
    along!("ij,jk->ik": (a, _), (b, db));
    along!("ij,jk,kl->il": (a, da), (b, db), (c, dc));
    along!("ij,jk,kl->il": (a, da), (b, _), (c, _));
    along!("ij,jk,kl->il": (a, _), (b, db), (c, dc));
    along!("ij,jk,kl,lm->mi": (a, da), (b, db), (c, dc), (b, db));
    along!("ij,jk,kl,lm,mn,no,op,pq->": (s, ds), (s, _), (s, ds), (s, _), (s, _), (s, ds), (s, ds), (s, _));
    along!("ii->i": (s, ds));
    along!("i->ii": (x, dx));
    along!("ij,ij->ij": (one, _), (a, da));
    along!("...j,jk->...k": (a, da), (b, db));
    along!(",i->i": (n, n), (x, dx));

    // Nothing is conjugated but what is to be.
    let mut engine = Engine::serial();
    let (y, pullback) = still(|| einsum_vjp!("ij,jk,kl->il", conj(&a), b, conj(&c)));
    let (e, back) = einsum_vjp!("ij,jk,kl->il", conj(&a), b, conj(&c), engine = &mut engine);
    assert_eq!((y, still(|| pullback(&y))), (e, back(&e)));
    let both = still(|| einsum_jvp!("ij,jk->ik", (conj(&a), conj(&da)), (b, _)));
    let engine = &mut engine;
    assert_eq!(
        both,
        einsum_jvp!("ij,jk->ik", (conj(&a), conj(&da)), (b, _), engine = engine)
    );
    let both = still(|| einsum_jvp!("ij,jk->ik", (conj(&a), da), (b, _)));
    assert_eq!(
        both,
        einsum_jvp!("ij,jk->ik", (conj(&a), da), (b, _), engine = engine)
    );
    let (_, pullback) = still(|| einsum_vjp!([i, l] = a[i, j] * (b[j, k] * c[k, l])));
    let (_, back) = einsum_vjp!("ij,(jk,kl)->il", a, b, c, engine = engine);
    assert_eq!(still(|| pullback(&y)), back(&y));
}

/// The step of the renormalization group in two dimensions, and what a pullback says of itself.
fn renormalization() {
    let s: [[[f64; 2]; 2]; 2] = some(1);
    agree!("war,abu,bgl,gwd->ruld": s, s, s, s);
    let (y, pullback) = still(|| einsum_vjp!("war,abu,bgl,gwd->ruld", s, s, s, s, wrt = [2]));
    let text = pullback.to_string();
    assert!(
        text.starts_with("war,abu,bgl,gwd->ruld and its gradients\n"),
        "{text}"
    );
    assert_eq!(pullback.saved_bytes() % 8, 0);
    // It can be kept, sent, called often, and dy may be any array of the shape.
    let tensor = Tensor::from_fn([2; 4], |[r, u, l, d]| y[r][u][l][d]);
    let (by_call,) = still(|| pullback.call(&tensor));
    let sent = std::thread::spawn(move || (pullback(&y), pullback(&y)));
    assert_eq!(sent.join().unwrap(), ((by_call,), (by_call,)));
}

/// The arrays of other libraries whose lengths are constants, beside nested arrays and numbers.
#[cfg(feature = "nalgebra")]
fn matrices() {
    let a = nalgebra::SMatrix::<f64, 2, 3>::from_fn(|i, j| (3 * i + j) as f64 - 2.0);
    let x = nalgebra::SVector::<f64, 3>::from_fn(|i, _| 1.0 - i as f64);
    let b: [[f64; 2]; 3] = some(3);
    let mut engine = Engine::serial();
    let (y, pullback) = still(|| einsum_vjp!("ij,j,jk,->ik", a, x, b, 2.0));
    let (e, back) = einsum_vjp!("ij,j,jk,->ik", a, x, b, 2.0, engine = &mut engine);
    assert_eq!(y, e);
    let (da, dx, db, dn) = still(|| pullback(&y));
    assert_eq!((da, dx, db, dn), back(&e));
    let (mut sum, mut others) = (a, (x, b, dn));
    let into = (&mut sum, &mut others.0, &mut others.1, &mut others.2);
    still(|| pullback.accumulate(&y, into));
    assert_eq!(sum, a + da);
    let both = still(|| einsum_jvp!("ij,jk->ik", (a, da), (b, _)));
    assert_eq!(
        both,
        einsum_jvp!("ij,jk->ik", (a, da), (b, _), engine = &mut engine)
    );
    let part = a.fixed_view::<2, 2>(0, 1);
    let (y, pullback) = still(|| einsum_vjp!("ji,jk->ik", part, part));
    let (e, back) = einsum_vjp!("ji,jk->ik", part, part, engine = &mut engine);
    assert_eq!((y, still(|| pullback(&y))), (e, back(&e)));
}

/// Arrays of mdarray.
#[cfg(feature = "mdarray")]
fn arrays() {
    use mdarray::{Array, Const};
    let a: Array<f64, (Const<2>, Const<3>)> = Array::from([[1., 2., 3.], [4., 5., 6.]]);
    let (y, pullback) = still(|| einsum_vjp!("ij,kj->ik", a, a));
    let mut engine = Engine::serial();
    let (e, back) = einsum_vjp!("ij,kj->ik", a, a, engine = &mut engine);
    assert_eq!(y, e);
    assert_eq!(still(|| pullback(&y)), back(&e));
}

/// What does not fit is told, and nothing is written.
fn errors() {
    let (a, b): ([[f64; 3]; 2], [[f64; 2]; 3]) = (some(1), some(2));
    let (y, pullback) = try_einsum_vjp!("ij,jk->ik", a, b).unwrap();
    let wrong = Tensor::<f64, 2>::zeros([2, 3]);
    let error = pullback.call(&wrong).unwrap_err().to_string();
    assert!(
        error.starts_with("label 'k' is 2 in the result (axis 1) but 3 in its gradient"),
        "{error}"
    );
    let (mut da, mut db) = (Tensor::full([2, 3], 1.0), Tensor::full([2, 3], 1.0));
    let error = pullback
        .accumulate(&y, (&mut da, &mut db))
        .unwrap_err()
        .to_string();
    assert!(error.contains("operand 1"), "{error}");
    assert_eq!(da, Tensor::full([2, 3], 1.0));
    let mut db = Tensor::full([3, 2], 1.0);
    pullback.accumulate(&y, (&mut da, &mut db)).unwrap();
    let (new_a, new_b) = pullback(&y).unwrap();
    assert_eq!(da, Tensor::from_fn([2, 3], |[i, j]| 1.0 + new_a[i][j]));
    assert_eq!(db, Tensor::from_fn([3, 2], |[i, j]| 1.0 + new_b[i][j]));
}

#[test]
fn nothing_is_allocated_and_the_numbers_are_those_of_the_engine() {
    specs::<f64, 2, 3>();
    specs::<Complex<f64>, 3, 2>();
    specs::<f32, 0, 1>();
    renormalization();
    #[cfg(feature = "nalgebra")]
    matrices();
    #[cfg(feature = "mdarray")]
    arrays();
    errors();
}
