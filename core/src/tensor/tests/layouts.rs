//! Reading and writing through awkward layouts.

use super::{Case, all, indices, injective};
use crate::tensor::layout::{DynLayout, Extents};
use crate::{DynTensorView, DynTensorViewMut, TensorView, TensorViewMut, View};

#[test]
fn a_view_reads_what_its_strides_say() {
    for c in all() {
        let buffer = c.buffer();
        let entries = c.entries();
        let view = DynTensorView::new(&buffer, &c.shape, &c.strides, c.offset).unwrap();
        assert_eq!(
            (view.shape(), view.strides()),
            (&c.shape[..], &c.strides[..])
        );
        assert_eq!(view.rank(), c.shape.len());
        assert_eq!(view.len(), entries.len());
        assert_eq!(view.is_empty(), entries.is_empty());
        let elements: Vec<usize> = entries.iter().map(|(_, element)| *element).collect();
        for (index, element) in &entries {
            assert_eq!(view.get(index), Some(element));
            assert_eq!(view[&index[..]], *element);
        }
        assert!(view.iter().eq(&elements));
        assert!(view.iter().rev().eq(elements.iter().rev()));
        let copy = view.to_tensor();
        assert_eq!(copy.as_slice(), elements);
        assert_eq!(copy.shape(), c.shape);
        assert_eq!(copy, view);
        assert_eq!(
            view.map(|x| x + 1).into_vec(),
            view.iter().map(|x| x + 1).collect::<Vec<_>>()
        );
        if let Some(slice) = view.as_slice() {
            assert_eq!(slice, elements);
        }
    }
}

#[test]
fn only_row_major_elements_are_a_slice() {
    let buffer: Vec<usize> = (0..12).collect();
    let slice = |shape: &[usize], strides: &[isize], offset| {
        DynTensorView::new(&buffer, shape, strides, offset)
            .unwrap()
            .as_slice()
    };
    assert_eq!(slice(&[2, 3], &[3, 1], 2), Some(&buffer[2..8]));
    assert_eq!(slice(&[2, 1, 3], &[3, -7, 1], 2), Some(&buffer[2..8]));
    assert_eq!(slice(&[], &[], 5), Some(&buffer[5..6]));
    assert_eq!(slice(&[3, 0], &[-9, 7], 99), Some(&[][..]));
    assert_eq!(slice(&[2, 3], &[4, 1], 0), None);
    assert_eq!(slice(&[3, 2], &[1, 3], 0), None);
    assert_eq!(slice(&[3], &[-1], 2), None);
    assert_eq!(slice(&[2], &[0], 2), None);
}

#[test]
fn iterating_from_both_ends_meets_in_the_middle() {
    for c in all() {
        let buffer = c.buffer();
        let view = DynTensorView::new(&buffer, &c.shape, &c.strides, c.offset).unwrap();
        let mut left: std::collections::VecDeque<_> = c
            .entries()
            .into_iter()
            .map(|(_, element)| element)
            .collect();
        let mut iter = view.iter();
        for turn in 0.. {
            assert_eq!(iter.len(), left.len());
            let copy: Vec<usize> = iter.clone().copied().collect();
            assert!(left.len() > 100 || left.iter().eq(&copy));
            let (got, expected) = if turn % 3 == 0 {
                (iter.next_back(), left.pop_back())
            } else {
                (iter.next(), left.pop_front())
            };
            assert_eq!(got.copied(), expected);
            if expected.is_none() {
                break;
            }
        }
        assert_eq!((iter.next(), iter.next_back()), (None, None));
    }
}

#[test]
fn every_index_out_of_bounds_is_refused() {
    for c in all() {
        let buffer = c.buffer();
        let view = DynTensorView::new(&buffer, &c.shape, &c.strides, c.offset).unwrap();
        for axis in 0..c.shape.len() {
            for wrong in [c.shape[axis], usize::MAX, 1 << (usize::BITS - 1)] {
                // The length itself may be the largest number there is; that is out of bounds too.
                let mut index = vec![0; c.shape.len()];
                index[axis] = wrong;
                assert_eq!(view.get(&index), None, "{index:?} of {:?}", c.shape);
            }
        }
        let longer = vec![0; c.shape.len() + 1];
        assert_eq!(view.get(&longer), None);
        if !c.shape.is_empty() {
            assert_eq!(view.get(&longer[2..]), None);
        }
    }
}

#[test]
fn a_mutable_view_writes_where_its_strides_say_and_nowhere_else() {
    for c in injective() {
        let entries = c.entries();
        let mut by_iterator = vec![usize::MAX; c.len];
        let mut by_index = by_iterator.clone();
        let mut backwards = by_iterator.clone();
        let mut expected = by_iterator.clone();
        for (n, (_, position)) in entries.iter().enumerate() {
            expected[*position] = n;
        }

        fn view<'b>(c: &Case, buffer: &'b mut [usize]) -> DynTensorViewMut<'b, usize> {
            DynTensorViewMut::new(buffer, &c.shape, &c.strides, c.offset).unwrap()
        }
        for (n, element) in view(&c, &mut by_iterator).iter_mut().enumerate() {
            *element = n;
        }
        assert_eq!(by_iterator, expected);

        let mut written = view(&c, &mut by_index);
        for (n, (index, _)) in entries.iter().enumerate() {
            *written.get_mut(index).unwrap() = 0;
            written[&index[..]] += n;
        }
        assert_eq!(by_index, expected);

        let mut written = view(&c, &mut backwards);
        let mut elements = written.iter_mut();
        for n in (0..entries.len()).rev() {
            *elements.next_back().unwrap() = n;
        }
        assert!(elements.next().is_none());
        assert_eq!(backwards, expected);
    }
}

#[test]
fn all_mutable_references_may_live_at_once() {
    for c in injective() {
        let mut buffer = c.buffer();
        let mut view = DynTensorViewMut::new(&mut buffer, &c.shape, &c.strides, c.offset).unwrap();
        let mut references: Vec<&mut usize> = view.iter_mut().collect();
        for reference in &mut references {
            **reference += 1000;
        }
        let sum = references.iter().map(|r| **r).sum::<usize>();
        let expected: usize = c.entries().iter().map(|(_, element)| element + 1000).sum();
        assert_eq!(sum, expected);
    }
}

#[test]
fn fixed_and_run_time_ranks_are_the_same_view() {
    let mut buffer: Vec<usize> = (0..20).collect();
    let view = TensorView::new(&buffer, [3, 2], [-3, 10], 7).unwrap();
    let twin = DynTensorView::new(&buffer, [3, 2], [-3, 10], 7).unwrap();
    assert_eq!(view.as_dyn(), twin);
    assert_eq!(view.as_dyn().strides(), &[-3, 10]);
    assert_eq!(twin.try_into_rank::<2>().unwrap(), view);
    assert_eq!(twin.try_into_rank::<2>().unwrap().strides(), &[-3, 10]);
    assert!(twin.try_into_rank::<3>().is_err());
    assert!(twin.try_into_rank::<0>().is_err());
    let entries: Vec<_> = view.indexed_iter().map(|(i, x)| (i.to_vec(), *x)).collect();
    let expected = super::case(20, &[3, 2], &[-3, 10], 7).entries();
    assert_eq!(entries, expected);

    let mut view = TensorViewMut::new(&mut buffer, [3, 2], [-3, 10], 7).unwrap();
    view.as_dyn_mut()[[2, 1]] = 99;
    assert_eq!(view.view().as_dyn()[[2, 1]], 99);
    let mut view = view.into_dyn().into_dyn().try_into_rank::<2>().unwrap();
    view[[0, 0]] = 98;
    assert!(view.into_dyn().try_into_rank::<1>().is_err());
    assert_eq!((buffer[11], buffer[7]), (99, 98));
}

#[test]
fn a_reborrowed_view_gives_the_first_one_back() {
    let mut buffer = vec![0; 6];
    let mut view = TensorViewMut::from_slice([2, 3], &mut buffer);
    view.view_mut().permuted([1, 0]).fill(3);
    view.view_mut().view_mut()[[1, 1]] = 4;
    for element in &mut view {
        *element *= 2;
    }
    assert_eq!(view.iter().sum::<i32>(), 38);
    assert_eq!((&view).into_iter().count(), 6);
    assert_eq!(buffer, [6, 6, 6, 6, 8, 6]);
}

#[test]
fn raw_parts_are_taken_as_they_are() {
    let mut buffer: Vec<usize> = (0..20).collect();
    for c in all().iter().filter(|c| c.len == 20) {
        let whole = buffer.as_ptr().wrapping_add(c.offset);
        // SAFETY: the layout has been found to be within a buffer of this length; nobody writes to it meanwhile.
        let view = unsafe { DynTensorView::from_raw_parts(whole, &c.shape, &c.strides) };
        assert!(
            view.iter()
                .copied()
                .eq(c.entries().into_iter().map(|(_, x)| x))
        );
    }
    let start = buffer.as_mut_ptr();
    // SAFETY: 5, 7, .., 13 are positions of the buffer, and the view is the only one to use it.
    let mut view = unsafe { TensorViewMut::from_raw_parts(start.add(13), [5], [-2]) };
    view[[4]] = 100;
    // SAFETY: as before, with the same element a second time, from one view after the other.
    let mut view = unsafe { DynTensorViewMut::from_raw_parts(start.add(13), &[5], &[-2]) };
    view[[4]] += 1;
    assert_eq!(buffer[5], 101);
    // SAFETY: nothing is reached from it.
    let empty = unsafe { TensorView::<f64, 2>::from_raw_parts(std::ptr::null(), [0, 3], [1, 1]) };
    assert_eq!(empty.iter().count(), 0);
    assert_eq!(empty.as_slice(), Some(&[][..]));
    let message = super::panic_of(|| {
        // SAFETY: it is refused.
        unsafe { DynTensorView::from_raw_parts(&0, &[1, 1], &[1]) }
    });
    assert_eq!(message, "1 strides for a shape of 2 axes");
}

/// Not even a pointer is moved out of its allocation, or an odd one made a reference.
#[test]
fn nothing_is_done_with_the_pointer_of_a_view_without_elements() {
    let buffer = [0usize, 1];
    let view = TensorView::new(&buffer, [2, 0], [isize::MAX, isize::MIN], usize::MAX).unwrap();
    assert_eq!(View::as_ptr(&view), buffer.as_ptr());
    let part = view.slice_axis(0, 1..).reversed(1);
    assert_eq!(View::as_ptr(&part), buffer.as_ptr());
    let view = TensorView::from_slice([2], &buffer);
    assert_eq!(View::as_ptr(&view.slice_axis(0, 2..)), buffer.as_ptr());

    let odd = std::ptr::without_provenance::<usize>(1);
    // SAFETY: nothing is reached from it.
    let view = unsafe { TensorView::from_raw_parts(odd, [0], [1]) };
    assert!(view.as_slice().unwrap().as_ptr().is_aligned());
}

#[test]
fn axes_at_one_stride_are_iterated_as_one() {
    let fused = |shape: &[usize], strides: &[isize]| {
        let fused = DynLayout::fused(&DynLayout::new(shape, strides).unwrap());
        (fused.shape().to_vec(), fused.strides().to_vec())
    };
    assert_eq!(fused(&[2, 3, 4], &[12, 4, 1]), (vec![24], vec![1]));
    assert_eq!(fused(&[2, 3, 4], &[-24, -8, -2]), (vec![24], vec![-2]));
    assert_eq!(fused(&[2, 3, 4], &[13, 4, 1]), (vec![2, 12], vec![13, 1]));
    assert_eq!(
        fused(&[2, 3, 4], &[12, 1, 3]),
        (vec![2, 3, 4], vec![12, 1, 3])
    );
    assert_eq!(fused(&[2, 1, 1, 3], &[3, 50, -7, 1]), (vec![6], vec![1]));
    assert_eq!(fused(&[1, 1], &[3, 50]), (vec![], vec![]));
    assert_eq!(fused(&[5, 7], &[0, 0]), (vec![35], vec![0]));
    assert_eq!(fused(&[5, 0], &[9, 9]).0, [0]);
    assert_eq!(fused(&[2; 20], &[1; 20]).0, [2; 20]);
}

#[test]
fn elements_of_size_zero() {
    let units = vec![(); usize::MAX];
    let view = TensorView::new(&units, [usize::MAX], [1], 0).unwrap();
    assert_eq!(view.len(), usize::MAX);
    assert_eq!(view.get([usize::MAX - 1]), Some(&()));
    assert_eq!(view.get([usize::MAX]), None);
    assert_eq!(view.reversed(0).iter().next_back(), Some(&()));
    let half = usize::MAX / 2;
    let view = TensorView::new(&units, [half, 2], [2, 1], 0).unwrap();
    assert_eq!(view.permuted([1, 0]).iter().nth(3), Some(&()));
    assert!(TensorView::new(&units, [half + 1, 2], [2, 1], 0).is_err());
    let t = crate::Tensor::from_vec([3, 2], vec![(); 6]);
    assert_eq!(t.iter().count(), 6);
    assert_eq!(indices(t.shape()).len(), 6);
}
