//! Equality, thread safety, variance, iterators.

use crate::{
    DynTensor, DynTensorView, DynTensorViewMut, Iter, IterMut, Tensor, TensorView, TensorViewMut, s,
};

#[test]
fn equal_is_the_same_shape_and_elements() {
    let a = Tensor::from_fn([2, 3], |[i, j]| 3 * i + j);
    let mut b = Tensor::from_fn([3, 2], |[i, j]| 3 * j + i);
    assert_ne!(a, Tensor::from_fn([3, 2], |[i, j]| 2 * i + j));
    assert_eq!(a, b.permuted([1, 0]));
    assert_eq!(b.permuted([1, 0]), a);
    assert_eq!(a.permuted([1, 0]), b);
    assert_eq!(a, b.view_mut().permuted([1, 0]));
    assert_eq!(b.view_mut().permuted([1, 0]), a.view());
    assert_eq!(a.as_dyn(), b.permuted([1, 0]).as_dyn());
    assert_eq!(
        a.clone().into_dyn(),
        b.permuted([1, 0]).as_dyn().to_tensor()
    );
    for n in 0..6 {
        let mut c = a.clone();
        c.as_mut_slice()[n] += 1;
        assert_ne!(a, c);
        assert_ne!(c.view(), a);
        assert_ne!(c.permuted([1, 0]), a.permuted([1, 0]));
        assert_ne!(c.as_dyn(), a.as_dyn());
    }
    assert_ne!(
        DynTensor::from_vec([2, 1], vec![1, 2]),
        DynTensor::from_vec([2], vec![1, 2])
    );
    assert_ne!(Tensor::<u8, 2>::zeros([0, 2]), Tensor::zeros([2, 0]));
    let nan = Tensor::from(vec![f64::NAN]);
    assert_ne!(nan, nan.clone());
    assert_eq!(Tensor::from(vec![0.0]), Tensor::from(vec![-0.0]));
}

#[test]
fn sent_between_threads_as_references_are() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    send::<Tensor<f64, 2>>();
    sync::<DynTensor<f64>>();
    send::<TensorView<'_, f64, 2>>();
    sync::<DynTensorView<'_, f64>>();
    send::<TensorViewMut<'_, f64, 2>>();
    sync::<DynTensorViewMut<'_, f64>>();
    send::<Iter<'_, f64>>();
    sync::<IterMut<'_, f64>>();
    // A mutable view of `Cell`s may be sent, as `&mut Cell` may.
    send::<TensorViewMut<'_, std::cell::Cell<f64>, 2>>();
    let mut t = Tensor::<i32, 2>::zeros([4, 4]);
    let half = t.view_mut().slice([s(..2), s(..)]);
    std::thread::scope(|scope| {
        scope.spawn(move || half.into_dyn().fill(3));
    });
    assert_eq!(t.iter().sum::<i32>(), 24);
}

#[test]
fn a_view_is_covariant_and_copy() {
    fn shorter<'s>(
        view: TensorView<'static, &'static str, 1>,
        _: &'s str,
    ) -> TensorView<'s, &'s str, 1> {
        view
    }
    let view = TensorView::from_slice([2], &["a", "b"]);
    let copy = view;
    assert_eq!(shorter(view, &String::from("c")), copy);
    // A part outlives the view it was taken from: it borrows the elements only.
    let part = {
        let whole = copy;
        whole.reversed(0)
    };
    let first = {
        let short = part.as_dyn();
        short.get([0]).copied()
    };
    assert_eq!(first, Some("b"));
}

#[test]
fn iterators_show_how_many_are_left() {
    let mut t = Tensor::from_fn([2, 3], |[i, j]| i + j);
    let mut iter = t.iter();
    iter.next();
    assert_eq!(format!("{iter:?}"), "Iter(5 left)");
    assert_eq!(format!("{:?}", t.iter_mut()), "IterMut(6 left)");
    assert_eq!(t.indexed_iter().last(), Some(([1, 2], &3)));
}
