//! What an expansion does with the expressions of a call.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, LazyLock, Mutex};

use cteinsum::{EinsumError, Engine, Scalar, Tensor, einsum, try_einsum};

fn matrix(values: [f64; 4]) -> Tensor<f64, 2> {
    Tensor::from_vec([2, 2], values.to_vec())
}

fn a() -> Tensor<f64, 2> {
    matrix([1.0, 2.0, 3.0, 4.0])
}

fn b() -> Tensor<f64, 2> {
    matrix([5.0, 6.0, 7.0, 8.0])
}

fn ab() -> Tensor<f64, 2> {
    matrix([19.0, 22.0, 43.0, 50.0])
}

#[test]
fn operands_are_evaluated_once_from_left_to_right_and_the_engine_last() {
    let log = RefCell::new(Vec::new());
    let operand = |name: &'static str, value: Tensor<f64, 2>| {
        log.borrow_mut().push(name);
        value
    };
    let mut engine = Engine::serial();
    let c = einsum!(
        "ij,jk,kl->il",
        operand("first", a()),
        operand("second", b()),
        operand("third", a()),
        engine = {
            log.borrow_mut().push("engine");
            &mut engine
        },
        order = [(1, 2), (0, 1)]
    );
    assert_eq!(c.shape(), &[2, 2]);
    assert_eq!(*log.borrow(), ["first", "second", "third", "engine"]);
}

#[test]
fn operands_may_leave_the_function() {
    fn both(
        x: Option<Tensor<f64, 2>>,
        y: Result<Tensor<f64, 2>, String>,
    ) -> Option<Result<f64, String>> {
        let inner = || -> Result<Option<f64>, String> { Ok(Some(einsum!("ij,ij->", a(), y?))) };
        match inner() {
            Ok(sum) => Some(Ok(sum? + einsum!("ij->", x?))),
            Err(error) => Some(Err(error)),
        }
    }
    assert_eq!(both(None, Ok(a())), None);
    assert_eq!(both(Some(a()), Ok(a())), Some(Ok(40.0)));
    assert_eq!(
        both(Some(a()), Err(String::from("no"))),
        Some(Err(String::from("no")))
    );

    fn early(stop: bool) -> f64 {
        einsum!("ij->", if stop { return -1.0 } else { a() })
    }
    assert_eq!((early(true), early(false)), (-1.0, 10.0));

    let mut sums = Vec::new();
    'rows: for row in 0..4 {
        sums.push(einsum!(
            "i->",
            match row {
                1 => continue 'rows,
                3 => break 'rows,
                _ => Tensor::from_vec([2], vec![f64::from(row), 1.0]),
            }
        ));
    }
    assert_eq!(sums, [1.0, 3.0]);
}

#[test]
fn operands_may_await() {
    async fn load(value: Tensor<f64, 2>) -> Tensor<f64, 2> {
        value
    }
    async fn product() -> Tensor<f64, 2> {
        einsum!("ij,jk->ik", load(a()).await, &load(b()).await)
    }
    let mut future = Box::pin(product());
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match future.as_mut().poll(&mut context) {
        std::task::Poll::Ready(c) => assert_eq!(c, ab()),
        std::task::Poll::Pending => panic!("nothing to wait for"),
    }
}

#[test]
fn temporaries_live_until_the_result_is_there() {
    struct Shared(Mutex<Tensor<f64, 2>>);
    let shared = Shared(Mutex::new(a()));
    let c = einsum!("ij,jk->ik", *shared.0.lock().unwrap(), b().view());
    assert_eq!(c, ab());
    let cell = RefCell::new(b());
    assert_eq!(
        einsum!("ij,jk->ik", a().permuted([0, 1]), *cell.borrow()),
        ab()
    );
    assert!(cell.try_borrow_mut().is_ok(), "the borrow has ended");
}

#[test]
fn operands_of_many_kinds() {
    fn generic<A: Default, B: Default>(x: Tensor<f64, 2>) -> Tensor<f64, 2> {
        let _ = (A::default(), B::default());
        x
    }
    struct Model {
        weights: Vec<Tensor<f64, 2>>,
    }
    let model = Model { weights: vec![a()] };
    let mut unique = a();
    let (x, y) = (a(), b());
    for c in [
        einsum!("ij,jk->ik", generic::<u8, Vec<(u8, u8)>>(a()), y),
        einsum!("ij,jk->ik", &&x, &&&y),
        einsum!("ij,jk->ik", Box::new(a()), Arc::new(b())),
        einsum!("ij,jk->ik", Rc::new(&x), y.clone()),
        einsum!("ij,jk->ik", &mut unique, { b() }),
        einsum!("ij,jk->ik", model.weights.first().unwrap(), [b()][0]),
        einsum!("ij,jk->ik", model.weights[0], [b].map(|make| make())[0]),
        einsum!("ij,jk->ik", if true { &x } else { &y }, *Rc::new(b())),
        einsum!(r"ij,jk->ik", x, y,),
        einsum!(concat!("ij", ',', "jk", "->ik"), x, y),
        einsum! { "ij, jk -> ik", x, y },
        einsum!["ij,jk", x, y],
    ] {
        assert_eq!(c, ab());
    }
}

#[test]
fn operators_keep_their_precedence() {
    macro_rules! scaled {
        ($factor:expr) => {
            einsum!(",i->i", 2.0 * $factor, Tensor::from_vec([1], vec![1.0]))
        };
    }
    macro_rules! forwarded {
        ($spec:expr, $($operand:expr),+; $($name:ident = $value:expr),*) => {
            einsum!($spec, $($operand),+ $(, $name = $value)*)
        };
    }
    assert_eq!(scaled!(1.0 + 2.0).into_vec(), [6.0]);
    assert_eq!(einsum!(",->", 1.0 + 2.0, -3.0 - 1.0), -12.0);
    let mut engine = Engine::serial();
    let engine = &mut engine;
    let c = forwarded!("ij,jk->ik", a(), &b(); engine = engine, order = [(0, 1)]);
    assert_eq!(c, ab());
    // Reborrowed, not moved.
    assert_eq!(einsum!("ij,jk->ik", a(), b(), engine = engine), c);
    assert_eq!(einsum!("ij,jk->ik", a(), b(), engine = &mut *engine), c);
}

#[test]
fn numbers_take_the_type_of_the_others() {
    let x = Tensor::<f32, 1>::from_vec([2], vec![1.0, 2.0]);
    assert_eq!(einsum!(",i->i", 2.0, x).into_vec(), [2.0f32, 4.0]);
    assert_eq!(einsum!("...,i...->i...", 2.0, x).into_vec(), [2.0f32, 4.0]);
    assert_eq!(einsum!("i...,...->i", x, 2.0).into_vec(), [2.0f32, 4.0]);
    assert_eq!(einsum!("...,...", 1.5, 2.0f32), 3.0);
    assert_eq!(einsum!("i,->i", x, -0.5).into_vec(), [-0.5f32, -1.0]);
    let n = Tensor::<u8, 1>::from_vec([2], vec![100, 200]);
    assert_eq!(einsum!("i,->", n, 2), 88, "wraps");
    let alone: f64 = einsum!("->", 2.5);
    assert_eq!(alone, 2.5);
    assert_eq!(einsum!(",,->", 2, 3, 7u64), 42);
}

#[test]
fn generic_functions_need_scalar_alone() {
    fn product<T: Scalar>(x: &Tensor<T, 2>, y: &Tensor<T, 2>) -> Tensor<T, 2> {
        einsum!("ij,jk->ik", x, y)
    }
    fn norm<T: Scalar, const N: usize>(x: &Tensor<T, 1>, scale: T) -> T {
        assert_eq!(x.shape(), &[N]);
        einsum!("i,i,->", x, x, scale)
    }
    fn rows<T: Scalar>(x: &Tensor<T, 2>) -> Result<Tensor<T, 1>, EinsumError> {
        let mut engine = Engine::serial();
        try_einsum!("...i->...", x, engine = &mut engine)
    }
    assert_eq!(product(&a(), &b()), ab());
    assert_eq!(norm::<i64, 2>(&Tensor::from_vec([2], vec![3, 4]), 2), 50);
    assert_eq!(rows(&a()).unwrap().into_vec(), [3.0, 7.0]);
}

#[test]
fn mistakes_in_sizes_name_the_place_of_the_call() {
    thread_local!(static LINE: Cell<u32> = const { Cell::new(0) });
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|info| {
        LINE.set(info.location().expect("a place").line())
    }));
    let narrow = Tensor::<f64, 2>::zeros([3, 2]);
    let panicked = catch_unwind(AssertUnwindSafe(|| einsum!("ij,jk->ik", a(), narrow)));
    let line = line!() - 1;
    std::panic::set_hook(hook);
    assert!(panicked.is_err());
    assert_eq!(LINE.get(), line);
    let error = try_einsum!("ij,jk->ik", a(), narrow).unwrap_err();
    assert!(error.to_string().contains("ij,jk->ik"), "{error}");
}

#[test]
fn in_a_static() {
    static PRODUCT: LazyLock<Tensor<f64, 2>> = LazyLock::new(|| einsum!("ij,jk->ik", a(), b()));
    assert_eq!(*PRODUCT, ab());
}

#[test]
fn orders_agree() {
    let v = Tensor::from_vec([2], vec![1.0, -1.0]);
    let expected = einsum!("ij,jk,k->i", a(), b(), v, order = left_to_right);
    assert_eq!(expected.as_slice(), [-3.0, -7.0]);
    assert_eq!(einsum!("(ij,jk),k->i", a(), b(), v), expected);
    assert_eq!(einsum!("ij,jk,k->i", a(), b(), v, order = greedy), expected);
    assert_eq!(
        einsum!("ij,jk,k->i", a(), b(), v, order = [(1, 2), (0, 1)]),
        expected
    );
    assert_eq!(
        einsum!("ij,jk,k->i", a(), b(), v, order = tree([(1, 2), (0, 3)])),
        expected
    );
    assert_eq!(
        einsum!("ij,jk,k->i", a(), b(), v, order = [(0, 1, 2)]),
        expected
    );
    assert_eq!(einsum!("ij->ji", a(), order = []), einsum!("ij->ji", a()));
}
