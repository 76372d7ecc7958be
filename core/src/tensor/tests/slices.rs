//! Parts of views: permuted, sliced, reversed.

use super::{all, injective, panic_of};
use crate::{DynTensorView, DynTensorViewMut, Slice, Tensor, s};

/// All orders of `rank` axes.
fn orders(rank: usize) -> Vec<Vec<usize>> {
    let all = super::indices(&vec![rank; rank]);
    let all = all.into_iter();
    all.filter(|order| (0..rank).all(|axis| order.contains(&axis)))
        .collect()
}

#[test]
fn permuted_axes() {
    for c in all().into_iter().filter(|c| c.shape.len() <= 3) {
        let buffer = c.buffer();
        let view = DynTensorView::new(&buffer, &c.shape, &c.strides, c.offset).unwrap();
        for order in orders(c.shape.len()) {
            let turned = view.permuted(&order);
            assert_eq!(turned.len(), view.len());
            for (axis, &from) in order.iter().enumerate() {
                assert_eq!(turned.shape()[axis], c.shape[from]);
            }
            for (index, element) in c.entries() {
                let there: Vec<usize> = order.iter().map(|&axis| index[axis]).collect();
                assert_eq!(turned[&there[..]], element);
            }
        }
    }
    let t = Tensor::from_fn([2, 3, 4], |[i, j, k]| 100 * i + 10 * j + k);
    let turned = t.permuted([2, 0, 1]);
    assert_eq!(turned.shape(), &[4, 2, 3]);
    assert_eq!(turned[[3, 1, 2]], 123);
    assert_eq!(turned.to_tensor()[[3, 1, 2]], 123);
}

#[test]
fn every_slice_of_every_axis() {
    for c in all().into_iter().filter(|c| c.shape.len() <= 3) {
        let buffer = c.buffer();
        let entries = c.entries();
        let view = DynTensorView::new(&buffer, &c.shape, &c.strides, c.offset).unwrap();
        for axis in 0..c.shape.len() {
            let len = c.shape[axis].min(5);
            for start in 0..=len {
                for end in start..=len {
                    for step in [1, 2, 3, 7, isize::MAX, -1, -2, -3, isize::MIN] {
                        let mut kept: Vec<usize> = (start..end).collect();
                        if step < 0 {
                            kept.reverse();
                        }
                        let kept: Vec<usize> =
                            kept.into_iter().step_by(step.unsigned_abs()).collect();
                        let part = view.slice_axis(axis, s(start..end).step(step));
                        assert_eq!(part.shape()[axis], kept.len());
                        let mut expected = Vec::new();
                        for mut index in super::indices(part.shape()) {
                            index[axis] = kept[index[axis]];
                            let found = entries.iter().find(|(i, _)| *i == index);
                            expected.push(found.unwrap().1);
                        }
                        assert_eq!(part.to_tensor().into_vec(), expected);
                    }
                }
            }
        }
    }
}

#[test]
fn slices_of_slices_compose() {
    let t = Tensor::from_fn([10], |[i]| i);
    let part = t.slice_axis(0, s(1..9).step(2)); // 1 3 5 7
    let part = part.slice_axis(0, s(1..).step(-2)); // 7 3
    assert_eq!(part.to_tensor().as_slice(), &[7, 3]);
    assert_eq!(part.reversed(0).to_tensor().as_slice(), &[3, 7]);
    let none = part.slice_axis(0, 2..);
    assert!(none.is_empty());
    assert!(
        none.reversed(0)
            .permuted([0])
            .slice([s(0..0).step(-3)])
            .is_empty()
    );
}

#[test]
fn all_kinds_of_ranges() {
    let t = Tensor::from_fn([6], |[i]| i);
    let part = |slice: Slice| t.slice([slice]).to_tensor().into_vec();
    assert_eq!(part(s(..)), [0, 1, 2, 3, 4, 5]);
    assert_eq!(part(s(2..)), [2, 3, 4, 5]);
    assert_eq!(part(s(..2)), [0, 1]);
    assert_eq!(part(s(1..3)), [1, 2]);
    assert_eq!(part(s(1..=3)), [1, 2, 3]);
    assert_eq!(part(s(..=3)), [0, 1, 2, 3]);
    assert_eq!(part(s(4)), [4]);
    assert!(part(s(6..)).is_empty());
    assert!(part(s(3..3)).is_empty());
    assert_eq!(part(s(0..5).step(-2)), [4, 2, 0]);
    assert_eq!(part(s(..).step(4)), [0, 4]);
    assert_eq!(part(s(..).step(4).step(-1)), [5, 4, 3, 2, 1, 0]);
}

#[test]
fn parts_of_mutable_views() {
    for c in injective()
        .into_iter()
        .filter(|c| c.shape.len() == 2 && c.len > 4)
    {
        let mut by_part = c.buffer();
        let mut expected = c.buffer();
        for (index, position) in c.entries() {
            if index[0] >= 1 {
                expected[position] = 1000 + 10 * index[0] + index[1];
            }
        }
        let view = DynTensorViewMut::new(&mut by_part, &c.shape, &c.strides, c.offset).unwrap();
        let part = view
            .permuted([1, 0])
            .slice([s(..), s(1..)])
            .reversed(1)
            .slice_axis(0, ..);
        let mut part = part.try_into_rank::<2>().unwrap();
        let (columns, rows) = (part.shape()[0], part.shape()[1]);
        for j in 0..columns {
            for i in 0..rows {
                part[[j, i]] = 1000 + 10 * (rows - i) + j;
            }
        }
        assert_eq!(by_part, expected);
    }
    let mut t = Tensor::zeros([3, 4]);
    let part = t.view_mut().permuted([1, 0]).slice([s(1..).step(2), s(..)]);
    part.reversed(0).slice_axis(0, 0)[[0, 2]] = 1;
    assert_eq!(
        t,
        Tensor::from_fn([3, 4], |[i, j]| i32::from(i == 2 && j == 3))
    );
}

#[test]
fn what_is_no_part_is_refused() {
    let t = Tensor::from_fn([2, 3], |[i, j]| i + j);
    let d = t.as_dyn();
    let no_order =
        |order: &[usize]| format!("{order:?} is not a permutation of the 2 axes of the tensor");
    for order in [[0, 0], [1, 2], [1, usize::MAX]] {
        assert_eq!(panic_of(|| t.permuted(order)), no_order(&order));
        assert_eq!(panic_of(|| d.permuted(order)), no_order(&order));
    }
    for order in [&[][..], &[0], &[0, 1, 0], &[0, 1, 2]] {
        assert_eq!(panic_of(|| d.permuted(order)), no_order(order));
    }
    let beyond = |slice: Slice| panic_of(|| t.slice_axis(1, slice));
    assert_eq!(
        beyond(s(0..4)),
        "the slice 0..4 of axis 1 reaches past its length 3"
    );
    assert_eq!(
        beyond(s(4..)),
        "the slice 4.. of axis 1 reaches past its length 3"
    );
    assert_eq!(
        beyond(s(3)),
        "the slice 3..4 of axis 1 reaches past its length 3"
    );
    assert_eq!(
        beyond(s(4..4)),
        "the slice 4..4 of axis 1 reaches past its length 3"
    );
    #[allow(clippy::reversed_empty_ranges)]
    let backwards = s(2..1);
    assert_eq!(
        beyond(backwards),
        "the slice 2..1 of axis 1 ends before it starts"
    );
    assert_eq!(panic_of(|| s(..).step(0)), "a slice with step 0");
    assert_eq!(
        panic_of(|| s(..=usize::MAX)),
        "a slice that includes the index usize::MAX"
    );
    assert_eq!(panic_of(|| t.reversed(2)), "axis 2 of a tensor with 2 axes");
    assert_eq!(
        panic_of(|| d.slice([s(..)])),
        "1 slices for a tensor with 2 axes"
    );
    assert_eq!(
        panic_of(|| d.slice([s(..); 3])),
        "3 slices for a tensor with 2 axes"
    );
}
