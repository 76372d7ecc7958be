//! What does not fit when the program runs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cteinsum::{
    Derivative, DynTensor, EinsumError, Tensor, einsum_jvp, einsum_vjp, try_einsum_jvp,
    try_einsum_vjp,
};

fn message(call: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(call)).unwrap_err();
    panic.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn the_gradient_of_the_result_has_its_shape() {
    let (a, b) = (
        Tensor::<f64, 2>::zeros([2, 3]),
        Tensor::<f64, 2>::zeros([3, 4]),
    );
    let (_, pullback) = einsum_vjp!("ij,jk->ik", a, b);
    let expected = "einsum: label 'k' is 4 in the result (axis 1) but 5 in its gradient, which has shape [2, 5] and not [2, 4]\n    ij,jk->ik\n            ^";
    assert_eq!(message(|| drop(pullback(&Tensor::zeros([2, 5])))), expected);
    assert_eq!(
        message(|| drop(pullback.call(&Tensor::<f64, 2>::zeros([2, 5])))),
        expected
    );
    let (_, pullback) = try_einsum_vjp!("ij,jk->ik", a, b).unwrap();
    let error = pullback(&Tensor::zeros([4, 2])).unwrap_err();
    let EinsumError::Derivative {
        of,
        expected,
        found,
        ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!(
        (*of, &**expected, &**found),
        (Derivative::Cotangent, &[2, 4][..], &[4, 2][..])
    );
    let error = pullback.call(&DynTensor::<f64>::zeros([8])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the result has shape [2, 4], but its gradient has shape [8]\n    ij,jk->ik\n           ^"
    );
    let (_, named) = try_einsum_vjp!([row, .., col] = a[row, mid] * b[.., mid, col]).unwrap();
    let error = named(&Tensor::zeros([2, 5])).unwrap_err().to_string();
    assert!(
        error.starts_with("label 'col' is 4 in the result (axis 1) but 5 in"),
        "{error}"
    );
    let (_, dots) = try_einsum_vjp!("i...->...i", a).unwrap();
    let error = dots(&Tensor::zeros([2, 3])).unwrap_err().to_string();
    assert!(
        error.starts_with("axis 0 is 3 in the result but 2 in its gradient"),
        "{error}"
    );
    // It does not broadcast, and a rank known at run time is checked there.
    assert!(pullback(&Tensor::zeros([1, 1])).is_err());
    assert!(pullback.call(&DynTensor::<f64>::zeros([2, 4, 1])).is_err());
    assert!(pullback.call(&DynTensor::<f64>::zeros([2, 4])).is_ok());
}

/// A panic has a place in the program: methods that of their call; where a pullback is called like a function, which
/// cannot know by whom, that of the macro.
#[test]
fn panics_have_a_place() {
    use std::sync::Mutex;
    static LINES: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    let a = Tensor::<f64, 2>::zeros([2, 3]);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().filter(|place| place.file() == file!());
        match place.filter(|_| std::thread::current().name() == Some("places")) {
            Some(place) => LINES.lock().unwrap().push(place.line()),
            None => before(panic),
        }
    }));
    let wrong = Tensor::<f64, 1>::zeros([3]);
    let places = std::thread::Builder::new().name("places".to_owned());
    let lines = places.spawn(move || {
        let (macro_line, (_, pullback)) = (line!(), einsum_vjp!("ij->i", a));
        let silent = |call: &dyn Fn()| assert!(catch_unwind(AssertUnwindSafe(call)).is_err());
        silent(&|| drop(pullback(&wrong)));
        silent(&|| drop(pullback.call(&wrong)));
        let call_line = line!() - 1;
        silent(&|| pullback.accumulate(&wrong, (&mut a.clone(),)));
        [macro_line, call_line, call_line + 2]
    });
    let lines = lines.unwrap().join().unwrap();
    let _ = std::panic::take_hook();
    assert_eq!(*LINES.lock().unwrap(), lines);
}

/// Every shape is checked before anything is written.
#[test]
fn gradients_are_accumulated_into_their_shapes() {
    let (a, b) = (
        Tensor::<f64, 2>::full([2, 3], 1.0),
        Tensor::<f64, 2>::full([3, 4], 1.0),
    );
    let (y, pullback) = try_einsum_vjp!("ij,jk->ik", a, b).unwrap();
    let (mut da, mut wrong) = (Tensor::full([2, 3], 1.0), Tensor::full([4, 3], 1.0));
    let error = pullback.accumulate(&y, (&mut da, &mut wrong)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "label 'j' is 3 in operand 1 (axis 0) but 4 in the array for its gradient, which has shape [4, 3] and not [3, 4]\n    ij,jk->ik\n       ^"
    );
    assert_eq!(
        (da, wrong),
        (Tensor::full([2, 3], 1.0), Tensor::full([4, 3], 1.0))
    );
    let (mut da, mut db) = (Tensor::full([2, 3], 1.0), Tensor::full([3, 4], 1.0));
    assert!(
        pullback
            .accumulate(&Tensor::<f64, 2>::zeros([4, 2]), (&mut da, &mut db))
            .is_err()
    );
    assert_eq!(da, Tensor::full([2, 3], 1.0));
    pullback.accumulate(&y, (&mut da, &mut db)).unwrap();
    assert_eq!(da[[0, 0]], 13.0);
}

#[test]
fn tangents_have_the_shapes_of_their_operands() {
    let a = Tensor::<f64, 2>::zeros([2, 3]);
    let error =
        try_einsum_jvp!("ij,kj->ik", (a, _), (a, Tensor::<f64, 2>::zeros([2, 1]))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "label 'j' is 3 in operand 1 (axis 1) but 1 in its tangent, which has shape [2, 1] and not [2, 3]\n    ij,kj->ik\n        ^"
    );
    let text = message(|| {
        einsum_jvp!("ij->i", (a, Tensor::<f64, 2>::zeros([3, 3])));
    });
    assert!(
        text.starts_with("einsum: label 'i' is 2 in operand 0 (axis 0) but 3 in its tangent"),
        "{text}"
    );
}

#[test]
fn sizes_are_checked_as_in_an_einsum() {
    let (a, b) = (
        Tensor::<f64, 2>::zeros([2, 3]),
        Tensor::<f64, 2>::zeros([4, 2]),
    );
    let error = try_einsum_vjp!("ij,jk->ik", a, b).unwrap_err();
    assert_eq!(
        error.to_string(),
        "label 'j' is 3 in operand 0 (axis 1) but 4 in operand 1 (axis 0)\n    ij,jk->ik\n     ^ ^"
    );
    let text = message(|| drop(einsum_vjp!("ij,jk->ik", a, b)));
    assert!(text.starts_with("einsum: label 'j' is 3"), "{text}");
    let d = DynTensor::<f64>::zeros([2]);
    assert!(matches!(
        try_einsum_vjp!("ij->i", d),
        Err(EinsumError::Rank { .. })
    ));
    let square = Tensor::<f64, 2>::zeros([4, 4]);
    let error =
        try_einsum_vjp!("ij,jk,kl->il", square, square, square, max_intermediate = 3).unwrap_err();
    assert!(matches!(error, EinsumError::Intermediate { .. }), "{error}");
    assert!(try_einsum_jvp!("ij,jk->ik", (a, a), (b, _)).is_err());
}
