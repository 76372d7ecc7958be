//! `Display` and `Debug`.

use crate::{DynTensor, Tensor, TensorViewMut};

#[test]
fn short_tensors_in_full() {
    assert_eq!(Tensor::from_element(5).to_string(), "5");
    assert_eq!(Tensor::from(vec![1, 2, 3]).to_string(), "[1, 2, 3]");
    let t = Tensor::from_fn([2, 2, 3], |[i, j, k]| 100 * i + 10 * j + k);
    let text = "[[[0, 1, 2],\n  [10, 11, 12]],\n\n [[100, 101, 102],\n  [110, 111, 112]]]";
    assert_eq!(t.to_string(), text);
    assert_eq!(t.as_dyn().to_string(), text);
    assert_eq!(t.clone().into_dyn().to_string(), text);
    let t = t.permuted([2, 1, 0]);
    let transposed = "[[0, 100],\n [10, 110]]";
    assert_eq!(
        t.slice_axis(0, 0).to_string(),
        format!("[{}]", transposed.replace("\n", "\n "))
    );
    let t = Tensor::from_fn([2, 1, 1, 2], |[i, _, _, l]| 2 * i + l);
    assert_eq!(t.to_string(), "[[[[0, 1]]],\n\n\n [[[2, 3]]]]");
}

#[test]
fn without_elements_only_the_brackets() {
    assert_eq!(Tensor::<f64, 1>::zeros([0]).to_string(), "[]");
    assert_eq!(Tensor::<f64, 3>::zeros([2, 0, 3]).to_string(), "[[[]]]");
    let huge = Tensor::<f64, 2>::zeros([usize::MAX, 0]);
    assert_eq!(huge.to_string(), "[[]]");
    assert_eq!(
        format!("{:?}", Tensor::<f64, 2>::zeros([0, 3])),
        "[[]], shape=[0, 3], strides=[0, 0]"
    );
}

#[test]
fn debug_adds_shape_and_strides() {
    let t = Tensor::from([[1.0, 2.5], [3.0, 4.0]]);
    assert_eq!(
        format!("{t:?}"),
        "[[1.0, 2.5],\n [3.0, 4.0]], shape=[2, 2], strides=[2, 1]"
    );
    let turned = t.permuted([1, 0]).as_dyn().reversed(0);
    assert_eq!(
        format!("{turned:?}"),
        "[[2.5, 4.0],\n [1.0, 3.0]], shape=[2, 2], strides=[-1, 2]"
    );
    let mut letters = ["a"];
    let view = TensorViewMut::from_slice([1], &mut letters);
    assert_eq!(format!("{view:?}"), "[\"a\"], shape=[1], strides=[1]");
}

#[test]
fn the_format_of_an_element_is_the_one_asked_for() {
    let t = Tensor::from(vec![1.0, -0.5]);
    assert_eq!(format!("{t:.2}"), "[1.00, -0.50]");
    assert_eq!(format!("{t:6.1}"), "[   1.0,   -0.5]");
    assert_eq!(format!("{t:e}"), "[1e0, -5e-1]");
    assert_eq!(format!("{t:+.1?}"), "[+1.0, -0.5], shape=[2], strides=[1]");
}

#[test]
fn long_axes_lose_their_middle() {
    let t = Tensor::from_fn([501], |[i]| i);
    assert_eq!(
        t.to_string(),
        "[0, 1, 2, 3, 4, ..., 496, 497, 498, 499, 500]"
    );
    assert!(!t.slice_axis(0, ..500).to_string().contains("..."));
    assert_eq!(format!("{t:#}").matches(", ").count(), 500);
    let t = Tensor::from_fn([12, 50], |[i, j]| 100 * i + j);
    let text = t.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 11);
    assert_eq!(lines[0], "[[0, 1, 2, 3, 4, ..., 45, 46, 47, 48, 49],");
    assert_eq!(
        lines[4],
        " [400, 401, 402, 403, 404, ..., 445, 446, 447, 448, 449],"
    );
    assert_eq!(lines[5], " ...,");
    assert_eq!(
        lines[6],
        " [700, 701, 702, 703, 704, ..., 745, 746, 747, 748, 749],"
    );
    assert!(lines[10].ends_with("1149]]"));
    let t = DynTensor::from_fn([100, 2, 3], |i| i[0]);
    let text = t.to_string();
    assert!(text.starts_with("[[[0, 0, 0],\n  [0, 0, 0]],\n\n [[1, 1, 1],"));
    assert!(text.contains(" [[2, 2, 2],\n  [2, 2, 2]],\n\n ...,\n\n [[97, 97, 97],"));
}

#[test]
fn nothing_is_left_out_for_one_item() {
    let t = Tensor::from_fn([11, 50], |[i, _]| i);
    assert_eq!(t.to_string().lines().count(), 11);
    let t = Tensor::from_fn([7, 1, 100], |[i, _, _]| i);
    assert!(!t.to_string().contains("\n ...,"));
    assert!(
        Tensor::from_fn([8, 1, 100], |[i, _, _]| i)
            .to_string()
            .contains("\n ...,")
    );
}

#[test]
fn a_view_of_more_than_memory_prints() {
    let wide = crate::TensorView::new(&[7], [usize::MAX], [0], 0).unwrap();
    assert_eq!(wide.to_string(), "[7, 7, 7, 7, 7, ..., 7, 7, 7, 7, 7]");
}
