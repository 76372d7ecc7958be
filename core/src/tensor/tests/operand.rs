//! Tensors, views and pointers to them as operands.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use crate::{
    AnyRank, Axes, DynTensor, Operand, Rank, Scalar, Tensor, TensorView, View, ViewMut, s,
};

/// What the engine would read, element by element, without any of the methods under test.
fn read<X: Operand + ?Sized>(operand: &X) -> (Vec<usize>, Vec<X::Elem>) {
    let view = operand.operand_view();
    let elements = super::indices(view.shape()).into_iter().map(|index| {
        let far = index.iter().zip(view.strides());
        let offset: isize = far.map(|(&i, &s)| i as isize * s).sum();
        // SAFETY: the index is in bounds, and a `View` promises its elements.
        unsafe { *view.as_ptr().offset(offset) }
    });
    (view.shape().to_vec(), elements.collect())
}

fn of_rank<const N: usize>(_: &impl Operand<Dims = <Rank<N> as Axes>::List>)
where
    Rank<N>: Axes,
{
}
fn of_any_rank(_: &impl Operand<Dims = AnyRank>) {}

#[test]
fn every_kind_of_tensor() {
    let mut t = Tensor::from_fn([2, 3], |[i, j]| (10 * i + j) as f64);
    let expected = (vec![2, 2], vec![12., 10., 2., 0.]);
    let part = [s(..).step(-1), s(..).step(-2)];
    assert_eq!(read(&t), (vec![2, 3], vec![0., 1., 2., 10., 11., 12.]));
    assert_eq!(read(&t.slice(part)), expected);
    assert_eq!(read(&t.slice(part).to_tensor()), expected);
    assert_eq!(read(&t.view_mut().slice(part)), expected);
    assert_eq!(read(&t.slice(part).as_dyn()), expected);
    assert_eq!(read(&t.as_dyn().slice(part).to_tensor()), expected);
    assert_eq!(read(&t.as_dyn_mut().slice(part)), expected);
    assert_eq!(read(&DynTensor::<f64>::zeros([3, 0])), (vec![3, 0], vec![]));
    of_rank::<2>(&t);
    of_rank::<2>(&t.view());
    of_rank::<2>(&&t.view_mut());
    of_rank::<0>(&Tensor::from_element(1.0));
    of_rank::<32>(&Tensor::full([1; 32], 1.0));
    of_any_rank(&t.as_dyn());
    of_any_rank(&t.as_dyn_mut());
    of_any_rank(&t.into_dyn());
}

#[test]
fn behind_every_kind_of_pointer() {
    let mut t = Tensor::from(vec![1, 2]);
    let expected = (vec![2], vec![1, 2]);
    assert_eq!(read(&&&t), expected);
    assert_eq!(read(&&mut t), expected);
    assert_eq!(read(&&mut &mut t), expected);
    assert_eq!(read(&Box::new(t.clone())), expected);
    assert_eq!(read(&Rc::new(t.view())), expected);
    assert_eq!(read(&Arc::new(Box::new(t.clone().into_dyn()))), expected);
    assert_eq!(read(&Cow::Borrowed(&t)), expected);
    assert_eq!(read(&Box::new(2.5)), (vec![], vec![2.5]));
    assert_eq!(read(&Cow::<f64>::Owned(2.5)), (vec![], vec![2.5]));
}

/// The bound `T: Scalar` is enough for tensors of `T`.
#[test]
fn in_generic_code() {
    fn sum<T: Scalar>(tensor: &Tensor<T, 2>) -> T {
        read(tensor).1.into_iter().fold(T::ZERO, T::add)
    }
    assert_eq!(sum(&Tensor::from([[1, 2], [3, 4]])), 10);
    let x = 5;
    assert_eq!(read(&TensorView::from_element(&x)), (vec![], vec![5]));
}

#[test]
fn written_through_a_mutable_view() {
    fn write(mut view: impl ViewMut<Elem = i32>) {
        for (n, index) in super::indices(view.shape()).into_iter().enumerate() {
            let far = index.iter().zip(view.strides());
            let offset: isize = far.map(|(&i, &s)| i as isize * s).sum();
            // SAFETY: the index is in bounds, and a `ViewMut` promises its elements.
            unsafe { *view.as_mut_ptr().offset(offset) = n as i32 };
        }
    }
    let mut t = Tensor::full([2, 3], -1);
    write(t.view_mut().permuted([1, 0]).slice_axis(0, s(..).step(-2)));
    assert_eq!(t.as_slice(), &[2, -1, 0, 3, -1, 1]);
    write(t.as_dyn_mut());
    assert_eq!(t.as_slice(), &[0, 1, 2, 3, 4, 5]);
    let mut x = 7;
    write(crate::TensorViewMut::from_element(&mut x));
    assert_eq!(x, 0);
}
