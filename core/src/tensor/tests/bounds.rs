//! What shapes and strides are accepted.

use super::{all, case, indices, injective, meeting};
use crate::tensor::check::{check_bounds, check_no_overlap, checked_len};
use crate::tensor::layout::DynLayout;
use crate::{DynTensorView, DynTensorViewMut, LayoutError, Tensor, TensorView, TensorViewMut, s};

const MAX: usize = usize::MAX;
const HALF: usize = isize::MAX as usize;

#[test]
fn element_counts_are_those_of_memory() {
    assert_eq!(checked_len::<u8>(&[]), Some(1));
    assert_eq!(checked_len::<u8>(&[2, 3]), Some(6));
    assert_eq!(checked_len::<u8>(&[HALF]), Some(HALF));
    assert_eq!(checked_len::<u8>(&[HALF + 1]), None);
    assert_eq!(checked_len::<f64>(&[HALF / 8]), Some(HALF / 8));
    assert_eq!(checked_len::<f64>(&[HALF / 8 + 1]), None);
    assert_eq!(checked_len::<f64>(&[MAX, MAX]), None);
    assert_eq!(checked_len::<f64>(&[MAX, MAX, 0]), Some(0));
    assert_eq!(checked_len::<f64>(&[0, MAX, MAX]), Some(0));
    assert_eq!(checked_len::<()>(&[MAX]), Some(MAX));
    assert_eq!(checked_len::<()>(&[MAX, 2]), None);
    // 2^32 squared, four times 2^16: products that come out as 0 when they wrap.
    assert_eq!(checked_len::<u8>(&[1 << (usize::BITS / 2); 2]), None);
    assert_eq!(checked_len::<u8>(&[1 << (usize::BITS / 4); 4]), None);
}

#[test]
fn all_small_layouts_are_accepted_or_refused_rightly() {
    let mut counts = [0; 4];
    let lens = 0..4usize;
    let strides = -4..=4isize;
    for shape in lens
        .clone()
        .flat_map(|a| lens.clone().map(move |b| [a, b, 2]))
    {
        for t in strides
            .clone()
            .flat_map(|a| strides.clone().map(move |b| (a, b)))
        {
            for (third, offset) in [(3, 0), (-2, 9)] {
                let layout = DynLayout::new(&shape, &[t.0, t.1, third]).unwrap();
                let mut reached: Vec<i128> = indices(&shape)
                    .iter()
                    .map(|i| {
                        offset as i128
                            + i[0] as i128 * t.0 as i128
                            + i[1] as i128 * t.1 as i128
                            + i[2] as i128 * third as i128
                    })
                    .collect();
                for len in [0, 1, 5, 9, 10, 12, 15, 20] {
                    let inside = reached.iter().all(|&p| 0 <= p && p < len as i128);
                    assert_eq!(
                        check_bounds(&layout, offset, len).is_ok(),
                        inside,
                        "{layout:?} {offset} {len}"
                    );
                    counts[inside as usize] += 1;
                }
                reached.sort_unstable();
                let meet = reached.windows(2).any(|pair| pair[0] == pair[1]);
                let accepted = check_no_overlap(&layout).is_ok();
                assert!(!(meet && accepted), "{layout:?}");
                counts[2 + accepted as usize] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&n| n > 200), "{counts:?}");
}

#[test]
fn parts_of_a_contiguous_tensor_pass_as_mutable() {
    let t = Tensor::from_fn([4, 5, 6], |[i, j, k]| 100 * i + 10 * j + k);
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        for step in [1, 2, 3, -1, -3] {
            let part = t.slice([s(1..), s(..).step(step), s(..4).step(-2)]);
            let part = part.permuted(order);
            let layout = DynLayout::new(part.shape(), part.strides()).unwrap();
            assert_eq!(check_no_overlap(&layout), Ok(()));
        }
    }
    // So does a diagonal, of whatever rank.
    for strides in [[6], [31]] {
        assert!(TensorViewMut::new(&mut [0; 125], [5], strides, 0).is_ok());
    }
}

#[test]
fn the_awkward_layouts_are_accepted() {
    for c in all() {
        let mut buffer = c.buffer();
        assert!(DynTensorView::new(&buffer, &c.shape, &c.strides, c.offset).is_ok());
        let overlap = DynTensorViewMut::new(&mut buffer, &c.shape, &c.strides, c.offset).err();
        let meets = meeting().iter().any(|m| m.strides == c.strides);
        let expected = meets.then(|| LayoutError::Overlap {
            shape: c.shape.clone(),
            strides: c.strides.clone(),
        });
        assert_eq!(overlap, expected);
    }
}

#[test]
fn one_element_less_is_out_of_bounds() {
    for mut c in all() {
        let entries = c.entries();
        let Some(last) = entries.iter().map(|(_, p)| *p).max() else {
            continue;
        };
        let first = entries.iter().map(|(_, p)| *p).min().unwrap();
        let (lowest, highest) = (first as i128, last as i128);
        let buffer = c.buffer();
        let error = DynTensorView::new(&buffer[..last], &c.shape, &c.strides, c.offset);
        assert_eq!(
            error.unwrap_err(),
            LayoutError::OutOfBounds {
                lowest,
                highest,
                len: last
            }
        );
        // Moved down until the first element falls off the start.
        if c.offset > first {
            c.offset -= first + 1;
            let error = DynTensorView::new(&buffer, &c.shape, &c.strides, c.offset);
            let Err(LayoutError::OutOfBounds { lowest: -1, .. }) = error else {
                panic!("{error:?}");
            };
            let overlapping = check_no_overlap(&DynLayout::new(&c.shape, &c.strides).unwrap());
            let mut copy = buffer.clone();
            let error = DynTensorViewMut::new(&mut copy, &c.shape, &c.strides, c.offset);
            assert!(overlapping.is_err() || matches!(error, Err(LayoutError::OutOfBounds { .. })));
        }
    }
}

#[test]
fn numbers_at_their_limits_do_not_wrap() {
    let buffer = [7u8; 4];
    let refused = |shape: &[usize], strides: &[isize], offset| {
        let error = DynTensorView::new(&buffer, shape, strides, offset).unwrap_err();
        let mut copy = buffer;
        assert!(DynTensorViewMut::new(&mut copy, shape, strides, offset).is_err());
        error
    };
    let out = |error| matches!(error, LayoutError::OutOfBounds { .. });
    assert!(out(refused(&[2], &[isize::MAX], 0)));
    assert!(out(refused(&[2], &[isize::MIN], 0)));
    assert!(out(refused(&[3], &[isize::MAX], 2)));
    assert!(out(refused(&[MAX], &[1], 0)));
    assert!(out(refused(&[MAX], &[isize::MIN], 0)));
    assert!(out(refused(&[1], &[0], MAX)));
    assert!(out(refused(&[1], &[0], 4)));
    assert!(out(refused(&[], &[], 4)));
    // 2^63 twice, and -2^63 twice: sums that come out as 0 when they wrap.
    assert!(out(refused(&[2; 4], &[isize::MIN, isize::MIN, 1, 1], 0)));
    assert!(out(refused(&[2, 2, 3], &[isize::MIN, isize::MIN, 1], 1)));
    assert!(out(refused(&[HALF, 2], &[2, 2], 0)));
    let many: Vec<isize> = vec![isize::MAX; 60];
    assert!(out(refused(&[2; 60], &many, 0)));
    let large = |error| matches!(error, LayoutError::TooLarge { .. });
    let too_large = |shape: &[usize], strides: &[isize]| {
        large(DynTensorView::new(&buffer, shape, strides, 0).unwrap_err())
    };
    assert!(too_large(&[MAX, 2], &[0, 0]));
    assert!(too_large(&[2; 64], &[0; 64]));

    let wide = TensorView::new(&buffer, [MAX], [0], 3).unwrap();
    assert_eq!(wide.len(), MAX);
    assert_eq!(wide[[MAX - 1]], 7);
    assert_eq!(wide.iter().len(), MAX);
    assert_eq!(wide.iter().next_back(), Some(&7));
    assert_eq!(
        wide.reversed(0).slice_axis(0, 5..7).to_tensor().as_slice(),
        &[7, 7]
    );
    let wide = TensorView::new(&buffer, [HALF + 1, 1], [0, 9], 3).unwrap();
    assert_eq!(wide.iter().nth(3), Some(&7));
}

#[test]
fn a_slice_must_fit_its_shape() {
    let error = |found| LayoutError::Length {
        shape: vec![2, 3],
        expected: 6,
        found,
    };
    assert_eq!(
        Tensor::try_from_vec([2, 3], vec![0; 5]).unwrap_err(),
        error(5)
    );
    assert_eq!(
        Tensor::try_from_vec([2, 3], vec![0; 7]).unwrap_err(),
        error(7)
    );
    let message = "shape [2, 3] has 6 elements, but 5 were given";
    assert_eq!(error(5).to_string(), message);
    assert_eq!(
        super::panic_of(|| Tensor::from_vec([2, 3], vec![0; 5])),
        message
    );
    assert_eq!(
        super::panic_of(|| TensorView::from_slice([2, 3], &[0; 5])),
        message
    );
    assert_eq!(
        super::panic_of(|| DynTensorView::from_slice([2, 3], &[0; 5])),
        message
    );
    assert_eq!(
        super::panic_of(|| TensorViewMut::from_slice([2, 3], &mut [0; 5]).len()),
        message
    );
    assert_eq!(
        super::panic_of(|| DynTensorViewMut::from_slice([2, 3], &mut [0; 5]).len()),
        message
    );
}

#[test]
fn errors_say_what_is_wrong() {
    let text = |c: super::Case| {
        let mut buffer = c.buffer();
        let view = DynTensorViewMut::new(&mut buffer, &c.shape, &c.strides, c.offset);
        view.err().unwrap().to_string()
    };
    assert_eq!(
        text(case(4, &[2, 2], &[-3, 1], 1)),
        "the view reaches the elements -2 to 2 of a slice of length 4"
    );
    assert_eq!(
        text(case(4, &[2, 2], &[1, 1], 0)),
        "shape [2, 2] with strides [1, 1] may reach an element twice, which a mutable view must not"
    );
    assert_eq!(
        text(case(4, &[2, 2], &[1], 0)),
        "1 strides for a shape of 2 axes"
    );
    assert_eq!(
        Tensor::<f64, 2>::try_from_vec([MAX, 2], vec![])
            .unwrap_err()
            .to_string(),
        format!("shape [{MAX}, 2] has more elements than memory can hold")
    );
    let error: &dyn std::error::Error = &LayoutError::Rank {
        expected: 2,
        found: 3,
    };
    assert_eq!(
        error.to_string(),
        "a tensor of rank 3 where rank 2 is needed"
    );
    assert!(injective().len() > 20);
}
