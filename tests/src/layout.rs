//! Where the elements of an operand lie in memory.

use crate::element::Element;
use crate::oracle::Dense;

/// A way to lay out an operand. The elements at an index never depend on it.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// Row-major, without gaps.
    Row,
    /// Axes in reversed order in memory.
    Reversed,
    /// Axes rotated in memory.
    Rotated,
    /// Every axis backwards.
    Negative,
    /// Row-major with gaps of poison between the elements of every axis.
    Gapped,
    /// Reversed axes, every other one backwards, with gaps.
    Hostile,
    /// These axes have stride 0; the elements must repeat along them.
    Zero(Vec<usize>),
}

/// The layouts that fit any elements.
pub const ANY: [Layout; 6] = [
    Layout::Row,
    Layout::Reversed,
    Layout::Rotated,
    Layout::Negative,
    Layout::Gapped,
    Layout::Hostile,
];

/// An operand in memory: what a strided view is made of.
#[derive(Clone, Debug)]
pub struct Laid<T> {
    /// The memory.
    pub data: Vec<T>,
    /// Length of each axis.
    pub shape: Vec<usize>,
    /// Stride of each axis, in elements.
    pub strides: Vec<isize>,
    /// Where the element at index 0 lies.
    pub offset: usize,
}

/// Lays exact numbers out as elements.
pub fn lay<T: Element>(dense: &Dense<T::Exact>, layout: &Layout) -> Laid<T> {
    let elements: Vec<T> = dense.values.iter().map(|&x| T::from_exact(x)).collect();
    lay_elements(&dense.shape, &elements, layout, T::POISON)
}

/// Lays row-major elements out.
///
/// # Panics
/// If elements do not repeat along an axis of stride 0.
pub fn lay_elements<T: Copy + PartialEq>(
    shape: &[usize],
    elements: &[T],
    layout: &Layout,
    poison: T,
) -> Laid<T> {
    let rank = shape.len();
    let mut order: Vec<usize> = (0..rank).collect();
    match layout {
        Layout::Reversed | Layout::Hostile => order.reverse(),
        Layout::Rotated if rank > 0 => order.rotate_left(1),
        _ => {}
    }
    let gap = match layout {
        Layout::Gapped => 2,
        Layout::Hostile => 3,
        _ => 1,
    };
    let mut strides = vec![0; rank];
    let mut room = gap;
    let mut offset = 0;
    for &axis in order.iter().rev() {
        if matches!(layout, Layout::Zero(axes) if axes.contains(&axis)) {
            continue;
        }
        strides[axis] = room as isize;
        let backwards = match layout {
            Layout::Negative => true,
            Layout::Hostile => axis % 2 == 0,
            _ => false,
        };
        if backwards {
            strides[axis] = -strides[axis];
            offset += room * shape[axis].saturating_sub(1);
        }
        room = room * shape[axis].max(1) + gap - 1;
    }
    if gap > 1 {
        offset += 3;
        room += 5;
    }
    let mut data: Vec<Option<T>> = vec![None; room];
    if shape.contains(&0) {
        data.clear();
        offset = 0;
    } else {
        let mut index = vec![0; rank];
        for &element in elements {
            let at = offset as isize
                + (index.iter().zip(&strides))
                    .map(|(&i, s)| i as isize * s)
                    .sum::<isize>();
            let to = &mut data[at as usize];
            assert!(to.is_none_or(|x| x == element), "elements do not repeat");
            *to = Some(element);
            for axis in (0..rank).rev() {
                index[axis] += 1;
                if index[axis] < shape[axis] {
                    break;
                }
                index[axis] = 0;
            }
        }
    }
    Laid {
        data: data.into_iter().map(|x| x.unwrap_or(poison)).collect(),
        shape: shape.to_vec(),
        strides,
        offset,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reading a layout back by hand gives the elements, and every layout is what its name says.
    #[test]
    fn layouts_keep_the_elements() {
        let shape = [2, 3, 4];
        let elements: Vec<i32> = (0..24).collect();
        for layout in ANY {
            let laid = lay_elements(&shape, &elements, &layout, -1);
            let at = |i: usize, j: usize, k: usize| {
                let [a, b, c]: [isize; 3] = laid.strides.clone().try_into().expect("three");
                let at = laid.offset as isize + i as isize * a + j as isize * b + k as isize * c;
                laid.data[at as usize]
            };
            for i in 0..2 {
                for j in 0..3 {
                    for k in 0..4 {
                        assert_eq!(at(i, j, k) as usize, (i * 3 + j) * 4 + k, "{layout:?}");
                    }
                }
            }
            let gaps = laid.data.contains(&-1);
            assert_eq!(gaps, matches!(layout, Layout::Gapped | Layout::Hostile));
            let negative = laid.strides.iter().any(|&s| s < 0);
            assert_eq!(
                negative,
                matches!(layout, Layout::Negative | Layout::Hostile)
            );
        }
        let laid = lay_elements(&[2, 3], &[1, 2, 3, 1, 2, 3], &Layout::Zero(vec![0]), -1);
        assert_eq!((laid.data, laid.strides), (vec![1, 2, 3], vec![0, 1]));
    }
}
