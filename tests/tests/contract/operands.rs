//! O: operands and the surface of the macros.

use std::cell::RefCell;
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use cteinsum::{DynTensor, Engine, Scalar, Tensor, TensorView, einsum, try_einsum};
use cteinsum_tests::access::view;
use cteinsum_tests::layout::{ANY, Laid, lay};
use cteinsum_tests::{data, oracle};

use crate::numbers;

/// Contract: O1
#[test]
fn operands_are_borrowed() {
    let a = numbers(0, [2, 2]);
    let b = a.clone();
    let c = einsum!("ij,jk->ik", a, a);
    let d = einsum!("ij,jk,kl->il", a, &a, a);
    assert_eq!(a, b);
    assert_eq!(einsum!("ij,jk->ik", c, a), d);
    let mut m = a;
    let e = einsum!("ij->ji", &mut m);
    m[[0, 1]] = 7;
    assert_ne!(einsum!("ij->ji", m), e);
}

/// Contract: O2
#[test]
fn operands_are_evaluated_once_from_left_to_right() {
    let log = RefCell::new(Vec::new());
    let operand = |k: usize| {
        log.borrow_mut().push(k);
        numbers(k, [2, 2])
    };
    let c = einsum!(
        "ij,jk,kl,lm->im",
        operand(0),
        operand(1),
        operand(2),
        operand(3)
    );
    assert_eq!(log.take(), [0, 1, 2, 3]);
    assert_eq!(c.shape(), &[2, 2]);
    // No order of contraction changes the order of evaluation, nor does an error.
    einsum!(
        "(ij,(jk,(kl,lm)))->im",
        operand(0),
        operand(1),
        operand(2),
        operand(3)
    );
    assert_eq!(log.take(), [0, 1, 2, 3]);
    einsum!(
        "ij,jk,kl->il",
        operand(2),
        operand(1),
        operand(0),
        order = [(1, 2), (0, 1)]
    );
    assert_eq!(log.take(), [2, 1, 0]);
    let mut n = 2;
    let mut next = || {
        n += 1;
        numbers(n, [n])
    };
    assert!(try_einsum!("i,i->", next(), next()).is_err());
    assert_eq!(n, 4);
}

fn pair<A, B>(a: A, _: B) -> A {
    a
}

/// Contract: O3
#[test]
fn operands_are_expressions() {
    let a = numbers(0, [2, 3]);
    let expected = einsum!("ij,jk->ik", a, numbers(1, [3, 4]));
    let list = [a.clone(), a.clone()];
    let got = einsum!(
        "ij,jk->ik",
        pair::<Tensor<i64, 2>, Vec<(u8, u8)>>(a.clone(), vec![(1, 2)]),
        {
            let shape = [3, 4];
            numbers(1, shape)
        }
    );
    assert_eq!(got, expected);
    assert_eq!(
        einsum!(
            "ij,jk->ik",
            list[1],
            numbers(1, [4, 3]).permuted([1, 0]).view()
        )
        .shape(),
        &[2, 4]
    );
    assert_eq!(
        einsum!(
            "ij,jk->ik",
            list[0].view(),
            if true {
                numbers(1, [3, 4])
            } else {
                unreachable!()
            }
        ),
        expected
    );
    let f = |x: i64| Tensor::from_fn([2], move |[i]| x + i as i64);
    assert_eq!(einsum!("i,i->", f(1), [2].map(f)[0]), 2 + 6);
    assert_eq!(
        einsum!(
            "i,->",
            match 3 {
                3 => f(1),
                _ => f(0),
            },
            2
        ),
        6
    );
    assert_eq!(einsum!("i,i->", f(1), f(2),), 8);
    let t = (f(1), f(2));
    assert_eq!(einsum!("i,i->", t.0, t.1), 8);
    assert_eq!(
        einsum!(
            "i,i->",
            einsum!("i->i", t.0),
            einsum!("ij->i", einsum!("i,j->ij", t.1, f(0)))
        ),
        8
    );
}

fn product(a: Option<&Tensor<i64, 1>>, b: Result<Tensor<i64, 1>, String>) -> Result<i64, String> {
    let sum = einsum!("i,i->", a.ok_or("no a".to_owned())?, b?);
    Ok(sum)
}

fn fallible(text: &str) -> Result<i64, Box<dyn std::error::Error>> {
    let n: usize = text.parse()?;
    Ok(try_einsum!("i,i->", numbers(0, [n]), numbers(1, [3]))?)
}

fn returns(a: Option<Tensor<i64, 1>>) -> i64 {
    einsum!(
        "i->",
        match a {
            Some(a) => a,
            None => return -1,
        }
    )
}

async fn soon<T>(x: T) -> T {
    x
}

async fn waits(a: Tensor<i64, 1>) -> i64 {
    einsum!("i,i->", soon(a.clone()).await, soon(&a).await)
}

/// Contract: O4
#[test]
fn control_flow_in_operands() {
    let a = numbers(0, [3]);
    let dot = einsum!("i,i->", a, a);
    assert_eq!(product(Some(&a), Ok(a.clone())), Ok(dot));
    assert_eq!(product(None, Ok(a.clone())), Err("no a".to_owned()));
    assert_eq!(
        product(Some(&a), Err("no b".to_owned())),
        Err("no b".to_owned())
    );
    assert_eq!(
        fallible("3").ok(),
        Some(einsum!("i,i->", a, numbers(1, [3])))
    );
    assert!(fallible("4").is_err());
    assert!(fallible("x").is_err());
    assert_eq!(returns(None), -1);
    assert_eq!(returns(Some(a.clone())), einsum!("i->", a));
    let mut turns = 0;
    let sum = loop {
        turns += 1;
        let s = einsum!("i,->", a, if turns == 3 { break 5 } else { turns });
        assert_eq!(s, turns * einsum!("i->", a));
    };
    assert_eq!((sum, turns), (5, 3));
    let mut future = pin!(waits(a));
    let mut context = Context::from_waker(Waker::noop());
    assert_eq!(future.as_mut().poll(&mut context), Poll::Ready(dot));
}

/// Contract: O5
#[test]
fn operands_of_many_types() {
    let a = numbers(0, [3]);
    let dot = einsum!("i,i->", a, a);
    assert_eq!(einsum!("i,i->", &a, &&a), dot);
    assert_eq!(einsum!("i,i->", &&&a, Box::new(a.clone())), dot);
    assert_eq!(
        einsum!("i,i->", Rc::new(a.clone()), Arc::new(a.clone())),
        dot
    );
    assert_eq!(
        einsum!("i,i->", &Box::new(Arc::new(a.clone())), Rc::new(&a)),
        dot
    );
    assert_eq!(einsum!("i,i->", a.view(), &a.view()), dot);
    assert_eq!(einsum!("i,i->", a.as_dyn(), &a.as_dyn()), dot);
    let d = DynTensor::from_vec([3], a.as_slice().to_vec());
    assert_eq!(einsum!("i,i->", d, &d), dot);
    assert_eq!(einsum!("i,i->", Box::new(d.clone()), a), dot);
    assert_eq!(einsum!("i,->", a, 3i64), 3 * einsum!("i->", a));
    assert_eq!(einsum!("i,->", a, &3i64), 3 * einsum!("i->", a));
    assert_eq!(einsum!(",->", Box::new(3i64), 4i64), 12);
    let mut m = a.clone();
    assert_eq!(einsum!("i,i->", m.view_mut(), a), dot);
}

/// Contract: O6
#[test]
fn strides_mean_only_places() {
    let exact = [0, 1].map(|k| data::operand(k, &[4, 5], |n, k| i128::from(data::rule(n, k))));
    let expected = oracle::einsum("ij,kj->ki", &exact);
    for left in ANY {
        for right in ANY {
            let o: [Laid<i32>; 2] = [lay(&exact[0], &left), lay(&exact[1], &right)];
            let c = einsum!("ij,kj->ki", view::<i32, 2>(&o, 0), view::<i32, 2>(&o, 1));
            let got: Vec<i128> = c.as_slice().iter().map(|&x| x.into()).collect();
            assert_eq!(got, expected.values, "{left:?} {right:?}");
        }
    }
    // Stride 0: one element as a row; overlapping windows: a Hankel matrix without a copy.
    let one = TensorView::new(&[3i64], [4], [0], 0).expect("a view");
    assert_eq!(einsum!("i->", one), 12);
    let x = [1i64, 2, 3, 4, 5, 6];
    let windows = TensorView::new(&x, [4, 3], [1, 1], 0).expect("a view");
    assert_eq!(einsum!("ij->i", windows).as_slice(), [6, 9, 12, 15]);
    assert_eq!(
        einsum!("ij,ik->jk", windows, windows)[[0, 2]],
        3 + 8 + 15 + 24
    );
}

fn generic<T: Scalar>(a: &Tensor<T, 2>, b: &Tensor<T, 2>) -> (Tensor<T, 2>, T) {
    let c = einsum!("ij,jk->ik", a, b);
    let t = einsum!("ij,ji->", c, c);
    let u = try_einsum!("ij,jk,kl->il", a, b, c, order = left_to_right).expect("shapes");
    (u, t)
}

fn generic_rank<T: Scalar, const N: usize>(list: &[Tensor<T, 1>; N]) -> Vec<T> {
    list.iter().map(|x| einsum!("i,i->", x, list[0])).collect()
}

struct Holder<'a, T: Scalar> {
    view: TensorView<'a, T, 2>,
}
impl<T: Scalar> Holder<'_, T> {
    fn trace(&self) -> T {
        einsum!("ii->", self.view)
    }
}

/// Contract: O7
#[test]
fn generic_functions() {
    let (a, b) = (numbers(0, [3, 3]), numbers(1, [3, 3]));
    let (u, t) = generic(&a, &b);
    assert_eq!(u, einsum!("ij,jk,kl,lm->im", a, b, a, b));
    assert_eq!(t, einsum!("ij,jk,kl,li->", a, b, a, b));
    assert_eq!(generic_rank(&[numbers(0, [2]), numbers(1, [2])]).len(), 2);
    assert_eq!(
        Holder { view: a.view() }.trace(),
        a[[0, 0]] + a[[1, 1]] + a[[2, 2]]
    );
}

macro_rules! matmul {
    ($a:expr, $b:expr $(, $($option:tt)*)?) => {
        einsum!("ij,jk->ik", $a, $b $(, $($option)*)?)
    };
}

macro_rules! apply {
    ($spec:literal; $($x:ident),*) => {
        einsum!($spec, $($x),*)
    };
}

/// Contract: O8
#[test]
fn inside_other_macros_and_names() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3, 4]));
    let expected = einsum!("ij,jk->ik", a, b);
    assert_eq!(matmul!(a, b), expected);
    assert_eq!(
        matmul!(&a, b.view(), engine = &mut Engine::serial()),
        expected
    );
    assert_eq!(apply!("ij,jk->ik"; a, b), expected);
    assert_eq!(vec![einsum!("ij,jk->ik", a, b)].len(), 1);
    // Operands named as an expansion might name its own, in swapped places.
    {
        let (b, a) = (&a, &b);
        assert_eq!(einsum!("ij,jk->ik", b, a), expected);
    }
    #[allow(dead_code, non_snake_case, non_upper_case_globals, unused_variables)]
    {
        struct Vec;
        struct Spec;
        struct Option;
        fn bind() {}
        fn contract() {}
        mod core {}
        mod std {}
        mod cteinsum {}
        const SPEC: u8 = 0;
        let (operands, engine, spec, op0, o0, t) = (1, 2, 3, 4, 5, 6);
        assert!(::cteinsum::einsum!("ij,jk->ik", a, b) == expected);
    }
}

/// Contract: O9
#[test]
fn options_stand_after_the_operands() {
    let (a, b, c) = (numbers(0, [2, 3]), numbers(1, [3, 4]), numbers(2, [4, 2]));
    let expected = einsum!("ij,jk,kl->il", a, b, c);
    let mut engine = Engine::serial();
    assert_eq!(
        einsum!("ij,jk,kl->il", a, b, c, engine = &mut engine),
        expected
    );
    assert_eq!(
        einsum!(
            "ij,jk,kl->il",
            a,
            b,
            c,
            engine = &mut engine,
            order = left_to_right
        ),
        expected
    );
    assert_eq!(
        einsum!(
            "ij,jk,kl->il",
            a,
            b,
            c,
            order = left_to_right,
            engine = &mut engine,
        ),
        expected
    );
    let borrowed = &mut engine;
    assert_eq!(
        einsum!("ij,jk,kl->il", a, b, c, engine = borrowed),
        expected
    );
    assert_eq!(
        try_einsum!("ij,jk,kl->il", a, b, c, engine = &mut engine),
        Ok(expected)
    );
    // An assignment in parentheses or a block is an operand.
    let order = 3i64;
    assert_eq!(
        einsum!(
            ",->",
            {
                let engine = order;
                engine.abs()
            },
            (order)
        ),
        9
    );
}
