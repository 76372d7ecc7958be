//! X: errors at run time.

use std::error::Error;
use std::panic::{Location, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex};

use cteinsum::{DynTensor, Einsum, EinsumError, Engine, Tensor, einsum, try_einsum};

use crate::{numbers, refused, shapes_refused};

/// Contract: X2
#[test]
fn all_mistakes_together() {
    let message = refused("i&j,jk..->i,zk");
    for part in ["`&`", "`..`", "`,`", "`z`"] {
        assert!(message.contains(part), "no {part} in\n{message}");
    }
}

/// What a panic said and where.
fn panic_of(run: impl FnOnce() + std::panic::UnwindSafe) -> (String, u32, String) {
    type Seen = Arc<Mutex<Option<(String, u32)>>>;
    static HOOK: Mutex<()> = Mutex::new(());
    let _one = HOOK.lock().unwrap_or_else(|e| e.into_inner());
    let seen: Seen = Arc::default();
    let to = seen.clone();
    let me = std::thread::current().id();
    let old = take_hook();
    set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        if std::thread::current().id() == me {
            let place = info.location().map(|l| (l.file().to_owned(), l.line()));
            *to.lock().expect("the place") = place;
        }
    }));
    let payload = catch_unwind(run).expect_err("a panic");
    set_hook(old);
    let text = (payload.downcast_ref::<String>().cloned())
        .or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .expect("a text");
    let (file, line) = seen.lock().expect("the place").take().expect("a place");
    (file, line, text)
}

#[track_caller]
fn here() -> u32 {
    Location::caller().line()
}

/// Contract: X3
#[test]
fn shapes_panic_at_the_call_or_are_values() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [4, 5]));
    let error: EinsumError = try_einsum!("ij,jk->ik", a, b).expect_err("sizes");
    let mut line = 0;
    let (file, at, text) = panic_of(std::panic::AssertUnwindSafe(|| {
        line = here();
        let _ = einsum!("ij,jk->ik", a, b);
    }));
    assert!(file.ends_with("errors.rs"), "{file}");
    assert_eq!(at, line + 1);
    assert!(text.contains(&error.to_string()), "{text}\nlacks\n{error}");
    let (file, at, _) = panic_of(std::panic::AssertUnwindSafe(|| {
        line = here();
        let _ = einsum!(
            "ij,jk,kl->il",
            a,
            b,
            a,
            order = left_to_right,
            engine = &mut Engine::serial()
        );
    }));
    assert!(file.ends_with("errors.rs"), "{file}");
    assert_eq!(at, line + 1);
    let e = Einsum::parse("ij,jk->ik").expect("subscripts");
    let by_value = e
        .contract(&mut Engine::serial(), &[a.as_dyn(), b.as_dyn()])
        .expect_err("sizes");
    assert_eq!(by_value.to_string(), error.to_string());
}

fn has(message: &str, part: &str) {
    assert!(message.contains(part), "no {part:?} in\n{message}");
}

/// Contract: X4
#[test]
fn size_errors_name_everything() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [4, 5]));
    let error = try_einsum!("ij,jk->ik", a, b)
        .expect_err("sizes")
        .to_string();
    has(
        &error,
        "label 'j' is 3 in operand 0 (axis 1) but 4 in operand 1 (axis 0)",
    );
    // The subscripts, and under them carets at both places of the label.
    let lines: Vec<&str> = error.lines().collect();
    let spec = lines
        .iter()
        .position(|l| l.contains("ij,jk->ik"))
        .expect("the subscripts");
    let start = lines[spec].find("ij,jk->ik").expect("the subscripts");
    let carets: Vec<usize> = lines[spec + 1]
        .match_indices('^')
        .map(|(i, _)| i - start)
        .collect();
    assert!(carets.contains(&1) && carets.contains(&3), "{error}");
    let m = shapes_refused("a,ba->b", &[&[2], &[2, 3]]);
    has(
        &m,
        "label 'a' is 2 in operand 0 (axis 0) but 3 in operand 1 (axis 1)",
    );
    let m = shapes_refused("ij,jk,kl->il", &[&[2, 3], &[3, 4], &[5, 2]]);
    has(
        &m,
        "label 'k' is 4 in operand 1 (axis 1) but 5 in operand 2 (axis 0)",
    );
    let m = shapes_refused("i,i->", &[&[0], &[3]]);
    has(
        &m,
        "label 'i' is 0 in operand 0 (axis 0) but 3 in operand 1 (axis 0)",
    );
    let m = shapes_refused("i,i,i->", &[&[1], &[2], &[3]]);
    has(
        &m,
        "label 'i' is 2 in operand 1 (axis 0) but 3 in operand 2 (axis 0)",
    );
    let m = shapes_refused("αβ,βγ->αγ", &[&[2, 3], &[4, 5]]);
    has(
        &m,
        "label 'β' is 3 in operand 0 (axis 1) but 4 in operand 1 (axis 0)",
    );
    // Within one operand: the label itself and not a neighbour of it.
    let m = shapes_refused("aabcb,abc", &[&[3, 3, 4, 5, 6], &[3, 4, 5]]);
    has(&m, "'b'");
    has(&m, "4");
    has(&m, "6");
    assert!(!m.contains("'c'"), "{m}");
    let m = shapes_refused("ii->", &[&[2, 3]]);
    for part in ["'i'", "2", "3", "operand 0"] {
        has(&m, part);
    }
    // Axes of `...` have no name, but operands, axes and sizes.
    let m = shapes_refused("...ij,...jk->...ik", &[&[5, 2, 3], &[7, 3, 4]]);
    for part in ["...", "5", "7", "operand 0", "operand 1", "axis 0"] {
        has(&m, part);
    }
}

/// Contract: X5
#[test]
fn a_wrong_dynamic_rank_is_an_error() {
    let d = DynTensor::from_vec([2, 3, 4], vec![0.0; 24]);
    let m = Tensor::<f64, 2>::zeros([3, 4]);
    let error = try_einsum!("ij,jk->ik", d, m)
        .expect_err("the rank")
        .to_string();
    has(&error, "operand 0");
    has(&error, "3");
    has(&error, "2");
    has(&error, "ij,jk->ik");
    let error = try_einsum!("ij,jk->ik", m, d)
        .expect_err("the rank")
        .to_string();
    has(&error, "operand 1");
    let error =
        try_einsum!("...ij->...", DynTensor::from_vec([2], vec![0.0; 2])).expect_err("the rank");
    has(&error.to_string(), "operand 0");
    let (_, _, text) = panic_of(std::panic::AssertUnwindSafe(|| {
        let _ = einsum!("ij,jk->ik", d, m);
    }));
    has(&text, "operand 0");
}

/// Contract: X7
#[test]
fn errors_are_values_to_match_on() {
    fn travels<E: Error + Send + Sync + Clone + PartialEq + 'static>(_: &E) {}
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [4, 5]));
    let error = try_einsum!("ij,jk->ik", a, b).expect_err("sizes");
    travels(&error);
    let there = error.clone();
    let back = std::thread::spawn(move || there.to_string())
        .join()
        .expect("a thread");
    assert_eq!(back, error.to_string());
    let boxed: Box<dyn Error + Send + Sync> = error.into();
    assert!(boxed.downcast_ref::<EinsumError>().is_some());
    let question = || -> Result<f64, Box<dyn Error>> {
        Ok(try_einsum!(
            "i,i->",
            Tensor::from_vec([1], vec![2.0]),
            Tensor::from_vec([2], vec![1.0, 2.0])
        )?)
    };
    assert_eq!(question().expect("a broadcast"), 6.0);
}

/// Contract: X8
#[test]
fn no_text_makes_the_parser_panic() {
    let mut random = cteinsum_tests::random::Random(5);
    let alphabet: Vec<char> = "ijkK0αβ中,,,->-->......(()) \t\n\u{3000}^&😀\u{301}→Іﬁ\"\\\u{0}"
        .chars()
        .collect();
    let mut accepted = 0;
    for _ in 0..20_000 {
        let n = random.below(14);
        let text: String = (0..n)
            .map(|_| alphabet[random.below(alphabet.len())])
            .collect();
        match Einsum::parse(&text) {
            Ok(_) => accepted += 1,
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(accepted > 100, "{accepted}");
}
