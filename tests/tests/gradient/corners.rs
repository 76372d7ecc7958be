//! The macros themselves: kinds of operands, options, corners by hand.

use cteinsum::{
    Complex, Differentiable, Engine, Pullback, Tensor, conj, einsum, einsum_jvp, einsum_vjp,
    try_einsum_jvp, try_einsum_vjp,
};

fn counted<const N: usize>(shape: [usize; N]) -> Tensor<f64, N> {
    let count = shape.iter().product();
    Tensor::from_vec(
        shape,
        (0..count)
            .map(|n| ((7 * n + 1) % 11) as f64 - 5.0)
            .collect(),
    )
}

#[test]
fn a_label_of_one_operand_is_broadcast_back() {
    let (a, b) = (counted([2, 3]), counted([2, 4]));
    let (_, pullback) = einsum_vjp!("ij,ik->ik", a, b);
    let dy = counted([2, 4]);
    let (da, db) = pullback(&dy);
    for j in 0..3 {
        for i in 0..2 {
            let expected: f64 = (0..4).map(|k| dy[[i, k]] * b[[i, k]]).sum();
            assert_eq!(da[[i, j]], expected);
        }
    }
    assert_eq!(db, einsum!("ik,ij->ik", dy, a));
}

#[test]
fn diagonals_are_scattered_and_taken() {
    let a = counted([3, 3]);
    let (y, pullback) = einsum_vjp!("ii->i", a);
    let (da,) = pullback(&y);
    assert_eq!(
        da,
        Tensor::from_fn([3, 3], |[i, j]| if i == j { a[[i, i]] } else { 0.0 })
    );
    let v = counted([3]);
    let (y, pullback) = einsum_vjp!("i->ii", v);
    assert_eq!(y.shape(), &[3, 3]);
    let dy = counted([3, 3]);
    let (dv,) = pullback(&dy);
    assert_eq!(dv, Tensor::from_fn([3], |[i]| dy[[i, i]]));
    let (trace, pullback) = einsum_vjp!("ii->", a);
    assert_eq!(trace, a[[0, 0]] + a[[1, 1]] + a[[2, 2]]);
    let (da,) = pullback(&2.0);
    assert_eq!(
        da,
        Tensor::from_fn([3, 3], |[i, j]| if i == j { 2.0 } else { 0.0 })
    );
}

#[test]
fn broadcasts_are_summed_and_keep_their_shape() {
    let (a, b) = (counted([2, 1]), counted([2, 3]));
    let (y, pullback) = einsum_vjp!("ij,ij->ij", a, b);
    assert_eq!(y.shape(), &[2, 3]);
    let (da, db) = pullback(&y);
    assert_eq!(da.shape(), &[2, 1]);
    for i in 0..2 {
        assert_eq!(
            da[[i, 0]],
            (0..3).map(|j| y[[i, j]] * b[[i, j]]).sum::<f64>()
        );
    }
    assert_eq!(db, einsum!("ij,ij->ij", y, a));
    let (y, pullback) = einsum_vjp!("...i,...i->...", counted([1, 3]), counted([4, 3]));
    let (da, db) = pullback(&y);
    assert_eq!((da.shape(), db.shape()), (&[1, 3], &[4, 3]));
}

#[test]
fn empty_arrays_and_empty_sums() {
    let (a, b) = (
        Tensor::<f64, 2>::zeros([2, 0]),
        Tensor::<f64, 2>::zeros([0, 3]),
    );
    let (y, pullback) = einsum_vjp!("ij,jk->ik", a, b);
    assert_eq!(y, Tensor::zeros([2, 3]));
    let (da, db) = pullback(&Tensor::full([2, 3], 1.0));
    assert_eq!((da.shape(), db.shape()), (&[2, 0], &[0, 3]));
    let (_, pullback) = einsum_vjp!("ij,jk->ik", b, counted([3, 2]));
    let (db, dc) = pullback(&Tensor::zeros([0, 2]));
    assert_eq!((db.shape(), dc), (&[0, 3], Tensor::zeros([3, 2])));
}

#[test]
fn numbers_arrays_vectors_and_views() {
    let (y, pullback) = einsum_vjp!(",,->", 2.0, 3.0_f32, 4.0);
    assert_eq!(y, 24.0);
    assert_eq!(pullback(&1.0), (12.0, 8.0, 6.0));
    let a = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let x = vec![1.0, -1.0];
    let (y, pullback) = einsum_vjp!("ij,j->i", a, x);
    assert_eq!(y, [-1.0, -1.0, -1.0]);
    let (da, dx): ([[f64; 2]; 3], Tensor<f64, 1>) = pullback(&[1.0, 0.0, 2.0]);
    assert_eq!(da, [[1.0, -1.0], [0.0, 0.0], [2.0, -2.0]]);
    assert_eq!(dx.as_slice(), [11.0, 14.0]);
    let t = counted([3, 2]);
    let (_, pullback) = einsum_vjp!("ij,j->i", t.view().permuted([1, 0]), vec![1.0; 3]);
    let (dt, _) = pullback(&Tensor::full([2], 1.0));
    assert_eq!(dt, Tensor::full([2, 3], 1.0));
    let (y, pullback) = einsum_vjp!("ij->i", t.as_dyn());
    let (dt,) = pullback(&y);
    assert_eq!(dt.shape(), [3, 2]);
}

/// A pullback does not borrow: operands can change, and it can leave.
#[test]
fn pullbacks_are_values() {
    let mut a = counted([2, 2]);
    let b = counted([2, 2]);
    let (y, pullback) = einsum_vjp!("ij,jk->ik", a, b);
    a[[0, 0]] = 100.0;
    let before = pullback(&y);
    assert_eq!(before, pullback(&y), "called twice");
    let (da, db) = std::thread::spawn(move || pullback(&y)).join().unwrap();
    assert_eq!((da, db), before);

    type Kept =
        Pullback<f64, f64, (cteinsum::GradientLike<(cteinsum::Dyn, ()), cteinsum::Tensors, f64>,)>;
    fn kept(x: &Tensor<f64, 1>) -> Kept {
        einsum_vjp!("i,i->", x, x, wrt = [1]).1
    }
    let (dx,) = kept(&counted([3]))(&2.0);
    assert_eq!(dx.as_slice(), [-8.0, 6.0, -2.0]);
}

#[test]
fn the_same_operand_twice() {
    let x = counted([4]);
    let (_, pullback) = einsum_vjp!("i,i->", x, x);
    let (left, right) = pullback(&1.0);
    assert_eq!((&left, &right), (&x, &x));
    let mut sum = left;
    let (_, pullback) = einsum_vjp!("i,i->", x, x, wrt = [1]);
    pullback.accumulate(&1.0, (&mut sum,));
    assert_eq!(sum, Tensor::from_fn([4], |i| 2.0 * x[i]));
}

/// |Σ a b|² of complex numbers: the gradient is the direction of steepest ascent, and the transpose is not.
#[test]
fn complex_gradients_point_uphill() {
    let number = |n: usize| Complex::new((n as f64 * 1.3).sin(), (n as f64 * 0.7).cos());
    let a = Tensor::from_fn([3], |[i]| number(i));
    let b = Tensor::from_fn([3], |[i]| number(i + 5));
    let loss = |a: &Tensor<Complex<f64>, 1>| einsum!("i,i->", a, b).norm_sqr();
    let (y, pullback) = einsum_vjp!("i,i->", a, b, wrt = [0]);
    let (da,) = pullback(&(y * 2.0));
    for i in 0..3 {
        let h = 1e-6;
        let along = |step: Complex<f64>| {
            let moved = |sign: f64| {
                Tensor::from_fn(
                    [3],
                    |[k]| if k == i { a[[k]] + step * sign } else { a[[k]] },
                )
            };
            (loss(&moved(1.0)) - loss(&moved(-1.0))) / (2.0 * h)
        };
        let slope = Complex::new(along(Complex::new(h, 0.0)), along(Complex::new(0.0, h)));
        assert!((slope - da[[i]]).norm() < 1e-7, "{slope} {}", da[[i]]);
    }
    let (_, transpose) = einsum_vjp!("i,i->", a, b, wrt = [0], transpose = true);
    assert_eq!(transpose(&Complex::new(1.0, 0.0)).0, b);
    let (_, pullback) = einsum_vjp!("i,i->", conj(&a), b);
    let (da, db) = pullback(&Complex::new(1.0, 0.0));
    assert_eq!(da, Tensor::from_fn([3], |i| b[i].conj()));
    assert_eq!(db, a);
}

#[test]
fn tangents_of_some_operands() {
    let (a, b) = (counted([2, 3]), counted([3, 2]));
    let (da, db) = (Tensor::full([2, 3], 0.5), Tensor::full([3, 2], -1.0));
    let (y, dy) = einsum_jvp!("ij,jk->ik", (a, da), (b, db),);
    assert_eq!(y, einsum!("ij,jk->ik", a, b));
    let parts = (einsum!("ij,jk->ik", da, b), einsum!("ij,jk->ik", a, db));
    assert_eq!(dy, Tensor::from_fn([2, 2], |i| parts.0[i] + parts.1[i]));
    let (_, only_b) = einsum_jvp!("ij,jk->ik", (&a, _), (&b, &db));
    assert_eq!(only_b, parts.1);
    let (y, dy) = einsum_jvp!(",...j->...j", (2.0, 1.0), (b.view(), _));
    assert_eq!((y, dy), (einsum!(",ij->ij", 2.0, b), b.clone()));
    let (y, dy) = einsum_jvp!("ii->", ([[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [0.0, 1.0]]));
    assert_eq!((y, dy), (5.0, 2.0));
}

#[test]
fn options_apply() {
    let (a, b, c) = (counted([2, 3]), counted([3, 4]), counted([4, 5]));
    let mut engine = Engine::with_threads(2).unwrap();
    let (y, path) = einsum_vjp!(
        "ij,jk,kl->il",
        a,
        b,
        c,
        order = [(1, 2), (0, 1)],
        engine = &mut engine
    );
    let gradients = path(&y);
    assert_eq!(gradients, path.call_in(&mut engine, &y));
    assert!(path.to_string().contains("v0 = 1·2"), "{path}");
    let (_, grouped) = einsum_vjp!("(ij,jk),kl->il", a, b, c);
    assert!(grouped.to_string().contains("v0 = 0·1"), "{grouped}");
    assert_eq!(gradients, grouped(&y));
    let (_, sized) = einsum_vjp!("ij,jk,kl->il", a, b, c, minimize = flops, sizes = [i = 2]);
    assert_eq!(gradients, sized(&y));
    let (z, indexed) = einsum_vjp!([i, l] = a[i, j] * b[j, k] * c[k, l]);
    assert_eq!((z, indexed(&y)), (y, gradients));
}

/// An equation is the same call; a pair with its indices is an operand with its tangent.
#[test]
fn index_notation() {
    let (a, b) = (counted([2, 3]), counted([3, 2]));
    let (da, db) = (Tensor::full([2, 3], 0.5), Tensor::full([3, 2], -1.0));
    let expected = einsum_jvp!("ij,jk->ik", (a, da), (b, db));
    assert_eq!(
        einsum_jvp!([i, k] = (a, da)[i, j] * (b, db)[j, k]),
        expected
    );
    let mut engine = Engine::serial();
    let named =
        einsum_jvp!([row, col] = (&a, &da)[row, mid] * (&b, &db)[mid, col], engine = &mut engine);
    assert_eq!(named, expected);
    let constant = einsum_jvp!([i, k] = (a, _)[i, j] * (b, db)[j, k]);
    assert_eq!(constant, einsum_jvp!("ij,jk->ik", (a, _), (b, db)));
    let grouped = einsum_jvp!([l] = (a, _)[i, j] * ((b, db)[j, k] * (a, da)[k, l]));
    let text = einsum_jvp!("ij,(jk,kl)->l", (a, _), (b, db), (a, da));
    assert_eq!(grouped, text);
    let z = Tensor::from_fn([2], |[i]| Complex::new(i as f64, 1.0));
    let conjugated = einsum_jvp!([] = conj((z, z)[i]) * (z, _)[i]);
    let text = einsum_jvp!("i,i->", (conj(&z), conj(&z)), (z, _));
    assert_eq!(conjugated, text);
    assert!(try_einsum_jvp!([i] = (a, b)[i, j]).is_err());
    let (y, pullback) = einsum_vjp!([..., k] = conj(z[i]) * z[i] * z[..., k], wrt = [2]);
    let (_, text) = einsum_vjp!("i,i,...k->...k", conj(&z), z, z, wrt = [2]);
    assert_eq!(pullback(&y), text(&y));
}

/// One gradient of a chain of three: the two that it is made of are contracted first, since that is saved anyway.
#[test]
fn the_order_serves_both_ways() {
    let square = |n| counted([n, n]);
    let (a, b, c) = (square(8), square(8), square(8));
    let (_, first) = einsum_vjp!("ij,jk,kl->il", a, b, c, wrt = [0]);
    let text = first.to_string();
    assert!(
        text.contains("v0 = 1·2") && text.contains("saved: v0 (64 elements)"),
        "{text}"
    );
    assert!(
        text.ends_with("multiply-adds: 1024 forward, 512 backward"),
        "{text}"
    );
    let (_, last) = einsum_vjp!("ij,jk,kl->il", a, b, c, wrt = [2]);
    let text = last.to_string();
    assert!(
        text.contains("v0 = 0·1") && text.contains("saved: v0 (64 elements)"),
        "{text}"
    );
    assert_eq!(last.saved_bytes(), 512);
}

/// In generic functions the element type and lengths may be open.
#[test]
fn generic_functions() {
    fn normal<T: Differentiable, const N: usize>(
        a: &[[T; N]; N],
        x: &Tensor<T, 1>,
    ) -> (T, [[T; N]; N]) {
        let (y, pullback) = einsum_vjp!("i,ij,j->", x, a, x, wrt = [1]);
        let (da,) = pullback(&T::ONE);
        (y, da)
    }
    let (y, da) = normal(
        &[[1.0, 2.0], [3.0, 4.0]],
        &Tensor::from_vec([2], vec![1.0, 2.0]),
    );
    assert_eq!((y, da), (27.0, [[1.0, 2.0], [2.0, 4.0]]));
}

/// The macros are hygienic: names of theirs and of the user's do not meet.
#[test]
fn names_of_the_user() {
    let (op0, backward, dy, g0, pull) = (2.0, 3.0, 1.0, 5.0, 7.0);
    let (y, pullback) = einsum_vjp!(",,,->", op0, backward, g0, pull);
    assert_eq!((y, pullback(&dy)), (210.0, (105.0, 70.0, 42.0, 30.0)));
    let result: Result<(f64, f64), cteinsum::EinsumError> =
        try_einsum_vjp!("i,i->", [1.0, 2.0], [3.0, 4.0])
            .and_then(|(y, pullback)| Ok((y, pullback(&1.0)?.1[1])));
    assert_eq!(result, Ok((11.0, 2.0)));
}

/// The memory that an engine keeps for the next derivative is counted, bounded, and of no influence.
#[test]
fn an_engine_keeps_memory_for_derivatives() {
    let a = counted([6, 6]);
    let single = Tensor::from_fn([7, 7], |[i, j]| (i * j) as f32);
    let mut engine = Engine::serial();
    let run = |engine: &mut Engine| {
        let (y, pullback) = einsum_vjp!("ij,jk,kl->il", a, a, a, engine = &mut *engine);
        let (_, other) = einsum_vjp!(
            "ij,jk,kl->il",
            single,
            single,
            single,
            wrt = [1],
            engine = &mut *engine
        );
        let of_single = other.call_in(engine, &single);
        (pullback.call_in(engine, &y), of_single)
    };
    let first = run(&mut engine);
    assert!(engine.retained_bytes() > 0);
    assert_eq!(run(&mut engine), first, "in memory that was used before");
    let (_, pullback) = einsum_vjp!("ij,jk,kl->il", a, a, a, engine = &mut engine);
    let without = engine.retained_bytes();
    let saved = pullback.saved_bytes();
    drop(pullback);
    assert!(
        engine.retained_bytes() >= without + saved,
        "it is given back"
    );
    let (_, pullback) = einsum_vjp!("ij,jk,kl->il", a, a, a, engine = &mut engine);
    let sent = std::thread::spawn(move || pullback(&counted([6, 6]))).join();
    assert!(
        sent.is_ok() && engine.retained_bytes() >= without + saved,
        "from any thread"
    );
    let (y, longer) = einsum_vjp!("ij,jk,kl->il", a, a, a, engine = &mut Engine::serial());
    assert_eq!(
        longer(&y),
        first.0,
        "the engine is gone before the pullback"
    );
    engine.set_retained_limit(0);
    assert_eq!(run(&mut engine), first);
    assert_eq!(engine.retained_bytes(), 0);
    engine.clear();
    assert_eq!(run(&mut engine), first);
}
