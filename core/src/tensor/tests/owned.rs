//! Owned tensors.

use super::panic_of;
use crate::{DynTensor, LayoutError, Tensor};

#[test]
fn the_strides_are_row_major() {
    let strides = |shape: &[usize]| DynTensor::<u8>::zeros(shape).strides().to_vec();
    assert!(strides(&[]).is_empty());
    assert_eq!(strides(&[5]), [1]);
    assert_eq!(strides(&[2, 3, 4]), [12, 4, 1]);
    assert_eq!(strides(&[2, 1, 4]), [4, 4, 1]);
    assert_eq!(strides(&[2; 10])[..2], [512, 256]);
    assert_eq!(strides(&[usize::MAX, 0, 3]), [0, 0, 0]);
    assert_eq!(Tensor::<u8, 3>::zeros([2, 3, 4]).strides(), &[12, 4, 1]);
}

#[test]
fn in_another_shape() {
    let a = Tensor::from_fn([2, 3, 2], |[i, j, k]| 6 * i + 2 * j + k);
    let at = a.as_slice().as_ptr();
    let b = a.into_shape([3, 4]);
    assert_eq!(b, Tensor::from_vec([3, 4], (0..12).collect::<Vec<usize>>()));
    assert_eq!((b.strides(), b.as_slice().as_ptr()), (&[4, 1], at));
    assert_eq!(Tensor::full([1, 1], 7).into_shape([]).into_element(), 7);
    let none = Tensor::<f64, 2>::zeros([0, 3]).into_shape([5, 0, 2]);
    assert_eq!(none.shape(), &[5, 0, 2]);
    let message = panic_of(|| Tensor::full([2, 3], 1).into_shape([4]));
    assert_eq!(message, "shape [4] has 4 elements, but 6 were given");
}

#[test]
fn made_from_vectors_functions_and_values() {
    let v = Tensor::from_vec([2, 3], vec!["a", "b", "c", "d", "e", "f"]);
    assert_eq!(v[[1, 2]], "f");
    assert_eq!(v.shape(), &[2, 3]);
    assert_eq!((v.rank(), v.len(), v.is_empty()), (2, 6, false));
    let mut calls = Vec::new();
    let f = Tensor::from_fn([2, 2], |[i, j]| {
        calls.push((i, j));
        2 * i + j
    });
    assert_eq!(calls, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    assert_eq!(f.as_slice(), &[0, 1, 2, 3]);
    let d = DynTensor::from_fn([2, 2], |i| 2 * i[0] + i[1]);
    assert_eq!(f.clone().into_dyn(), d);
    assert_eq!(Tensor::full([2], 7).into_vec(), [7, 7]);
    assert_eq!(DynTensor::full(vec![2], 7).into_vec(), [7, 7]);
    assert_eq!(Tensor::<f64, 2>::zeros([1, 2]).into_vec(), [0., 0.]);
    assert_eq!(Tensor::from_fn([], |[]| 5).into_element(), 5);
    assert_eq!(
        Tensor::from_fn([3, 0], |_| -> i32 { unreachable!() }).shape(),
        &[3, 0]
    );
    // Elements need no `Clone` nor `Debug`.
    struct Plain(i32);
    let t = Tensor::from_fn([2], |[i]| Plain(i as i32));
    assert_eq!(t.view()[[1]].0, 1);
    assert_eq!(t.map(|p| p.0 + 1).as_slice(), &[1, 2]);
}

#[test]
fn converted_from_nested_arrays() {
    assert_eq!(Tensor::<i32, 0>::from(5)[[]], 5);
    assert_eq!(Tensor::from(vec![1, 2]).shape(), &[2]);
    assert_eq!(Tensor::<i32, 1>::from([1, 2])[[1]], 2);
    let t: Tensor<i32, 2> = [[1, 2, 3], [4, 5, 6]].into();
    assert_eq!((t.shape(), t[[1, 0]]), (&[2, 3], 4));
    let t: Tensor<i32, 3> = [[[1, 2, 3], [4, 5, 6]]].into();
    assert_eq!((t.shape(), t[[0, 1, 2]]), (&[1, 2, 3], 6));
    let t: Tensor<i32, 2> = [[]; 3].into();
    assert_eq!(t.shape(), &[3, 0]);
    let t: DynTensor<i32> = t.into();
    assert_eq!(t.shape(), &[3, 0]);
}

#[test]
fn written_by_index_and_as_a_slice() {
    let mut t = Tensor::zeros([2, 3]);
    t[[1, 2]] = 5;
    *t.get_mut([0, 1]).unwrap() = 4;
    assert_eq!(t.get_mut([0, 3]), None);
    t.as_mut_slice()[0] = 3;
    t.view_mut()[[1, 0]] = 2;
    t.as_dyn_mut()[[1, 1]] = 1;
    assert_eq!(t.as_slice(), &[3, 4, 0, 2, 1, 5]);
    for x in &mut t {
        *x += 1;
    }
    assert_eq!((&t).into_iter().sum::<i32>(), 21);
    let mut d = t.into_dyn();
    d[&[0, 0]] = 0;
    d[&[0, 1][..]] = 0;
    d[[0, 2]] = 0;
    d[vec![1, 0]] = 0;
    d.fill(d[[1, 2]]);
    assert_eq!(d.into_vec(), [6; 6]);
}

#[test]
fn an_index_out_of_bounds_is_named() {
    let mut t = Tensor::from_fn([2, 3], |[i, j]| i + j);
    let message = "index 3 is out of bounds for axis 1 of length 3";
    assert_eq!(panic_of(|| t[[0, 3]]), message);
    assert_eq!(
        panic_of(|| t[[2, 3]]),
        "index 2 is out of bounds for axis 0 of length 2"
    );
    assert_eq!(panic_of(|| t[[0, 3]] = 1), message);
    assert_eq!(panic_of(|| t.view()[[0, 3]]), message);
    assert_eq!(panic_of(|| t.as_dyn()[[0, 3]]), message);
    assert_eq!(panic_of(|| t.view_mut()[[0, 3]] = 1), message);
    let mut d = t.clone().into_dyn();
    assert_eq!(panic_of(|| d[[0, 3]]), message);
    assert_eq!(panic_of(|| d[[0, 3]] = 1), message);
    assert_eq!(panic_of(|| d[[0]]), "1 indices for a tensor with 2 axes");
    assert_eq!(
        panic_of(|| d[[0; 3]] = 1),
        "3 indices for a tensor with 2 axes"
    );
    assert_eq!(t.as_slice(), &[0, 1, 2, 1, 2, 3]);
}

#[test]
fn a_panic_points_at_the_caller() {
    use std::sync::{Arc, Mutex};
    let seen = Arc::new(Mutex::new(Vec::new()));
    let before = Arc::new(std::panic::take_hook());
    // The hook is one for the process; the panics of other tests go their usual way.
    let (here, record, others) = (std::thread::current().id(), seen.clone(), before.clone());
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == here {
            let location = info.location().unwrap();
            record
                .lock()
                .unwrap()
                .push((location.file().to_owned(), location.line()));
        } else {
            others(info);
        }
    }));
    let first = line!();
    let t = Tensor::from_fn([2, 3], |[i, j]| i + j);
    panic_of(|| t[[0, 3]]);
    panic_of(|| t.as_dyn().permuted([0]));
    panic_of(|| t.slice([crate::s(5..), crate::s(..)]));
    panic_of(|| t.view().reversed(7));
    panic_of(|| t.as_dyn().slice_axis(0, 3));
    panic_of(|| t.clone().view_mut().permuted([1, 1]).len());
    panic_of(|| t.clone()[[9, 9]] = 1);
    panic_of(|| Tensor::from_vec([2, 3], vec![0]));
    panic_of(|| Tensor::<f64, 2>::zeros([usize::MAX, 2]));
    let last = line!();
    std::panic::set_hook(Box::new(move |info| before(info)));
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 9);
    for (file, line) in &*seen {
        assert_eq!(file, file!());
        assert!(first < *line && *line < last, "{line}");
    }
}

#[test]
fn too_large_is_said_before_anything_is_allocated() {
    let max = usize::MAX;
    let message = format!("shape [{max}, 2] has more elements than memory can hold");
    assert_eq!(panic_of(|| Tensor::<f64, 2>::zeros([max, 2])), message);
    assert_eq!(panic_of(|| Tensor::full([max, 2], 1u8)), message);
    assert_eq!(panic_of(|| Tensor::from_fn([max, 2], |_| 1u8)), message);
    assert_eq!(panic_of(|| DynTensor::from_fn([max, 2], |_| 1u8)), message);
    let half = isize::MAX as usize / 8 + 1;
    assert!(panic_of(|| Tensor::<f64, 1>::zeros([half])).contains("more elements than memory"));
    let large = Tensor::<f64, 1>::try_from_vec([half], vec![]);
    assert!(matches!(large, Err(LayoutError::TooLarge { .. })));
    // A view with stride 0 may have more elements than memory can hold; its copy may not.
    let one = [1.0];
    let wide = crate::TensorView::new(&one, [half], [0], 0).unwrap();
    assert!(panic_of(|| wide.to_tensor()).contains("capacity overflow"));
}

#[test]
fn ranks_move_between_type_and_value() {
    let t = Tensor::from_fn([2, 3], |[i, j]| i + j);
    let address = t.as_slice().as_ptr();
    let d = t.clone().into_dyn();
    assert_eq!(d.shape(), &[2, 3]);
    assert_eq!(d.strides(), &[3, 1]);
    let again: Tensor<usize, 2> = d.try_into_rank().unwrap();
    assert_eq!(again, t);
    let wrong = t.clone().into_dyn().try_into_rank::<3>();
    let error = LayoutError::Rank {
        expected: 3,
        found: 2,
    };
    assert_eq!(wrong.unwrap_err(), error);
    let moved: Tensor<usize, 2> = t.into_dyn().try_into_rank().unwrap();
    assert_eq!(moved.as_slice().as_ptr(), address);
    let ten = DynTensor::from_fn([2; 10], |i| i.iter().fold(0, |n, i| 2 * n + i));
    assert_eq!(ten.as_slice(), (0..1024).collect::<Vec<_>>());
    assert_eq!(
        ten.permuted([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])[[1, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
        1
    );
    let ten: Tensor<usize, 10> = ten.try_into_rank().unwrap();
    assert_eq!(ten.as_dyn().shape(), &[2; 10]);
}
