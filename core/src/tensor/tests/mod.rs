//! Every operation against index arithmetic written out again, on layouts chosen to be awkward.

mod bounds;
mod layouts;
mod operand;
mod owned;
mod printed;
#[cfg(feature = "serde")]
mod serde;
mod slices;
mod traits;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// A buffer and a layout on it: the elements are their positions in the buffer.
struct Case {
    len: usize,
    shape: Vec<usize>,
    strides: Vec<isize>,
    offset: usize,
}

fn case(len: usize, shape: &[usize], strides: &[isize], offset: usize) -> Case {
    Case {
        len,
        shape: shape.to_vec(),
        strides: strides.to_vec(),
        offset,
    }
}

impl Case {
    fn buffer(&self) -> Vec<usize> {
        (0..self.len).collect()
    }

    /// Index and element, in row-major order.
    fn entries(&self) -> Vec<(Vec<usize>, usize)> {
        let position = |index: &[usize]| {
            let far = index.iter().zip(&self.strides);
            self.offset as i128 + far.map(|(&i, &s)| i as i128 * s as i128).sum::<i128>()
        };
        let indices = indices(&self.shape).into_iter();
        indices
            .map(|index| (index.clone(), position(&index) as usize))
            .collect()
    }
}

/// All indices of a shape, in row-major order.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    if shape.contains(&0) {
        return Vec::new();
    }
    shape.iter().fold(vec![vec![]], |prefixes, &len| {
        let longer = |prefix: Vec<usize>| (0..len).map(move |i| [&prefix[..], &[i]].concat());
        prefixes.into_iter().flat_map(longer).collect()
    })
}

/// Layouts that a mutable view takes as well.
fn injective() -> Vec<Case> {
    vec![
        case(6, &[2, 3], &[3, 1], 0),
        case(6, &[3, 2], &[1, 3], 0),
        case(6, &[2, 3], &[-3, -1], 5),
        case(6, &[2, 3], &[3, -1], 2),
        case(6, &[2, 3], &[-3, 1], 3),
        case(20, &[2, 3], &[11, 3], 2),
        case(20, &[3, 2], &[-3, 10], 7),
        case(9, &[3], &[4], 0),
        case(9, &[3], &[-2], 6),
        case(24, &[2, 3, 4], &[12, 4, 1], 0),
        case(24, &[4, 2, 3], &[1, -12, 4], 12),
        case(30, &[2, 1, 3], &[15, 7, 5], 1),
        // A stride says nothing on an axis of length 1, and nothing at all without elements.
        case(4, &[2, 1, 2], &[2, isize::MAX, 1], 0),
        case(4, &[1, 2, 1], &[isize::MIN, -1, 0], 1),
        case(1, &[1, 1], &[0, 0], 0),
        case(3, &[2, 0, 3], &[isize::MIN, 1, isize::MAX], 0),
        case(0, &[0], &[1], 0),
        case(0, &[0, usize::MAX], &[1, isize::MAX], 77),
        case(2, &[usize::MAX, 0, usize::MAX], &[0, 0, 0], usize::MAX),
        case(1, &[], &[], 0),
        case(5, &[], &[], 3),
        case(
            1024,
            &[2; 10],
            &[1, -512, 2, 256, -4, 128, 8, -64, 16, 32],
            512 + 4 + 64,
        ),
        case(
            24,
            &[1, 2, 1, 1, 3, 1, 1, 1, 4],
            &[9, 1, 9, 9, 2, 9, 9, 9, 6],
            0,
        ),
        case(0, &[2, 1, 1, 1, 1, 1, 1, 1, 0], &[0; 9], 0),
    ]
}

/// Layouts in which indices meet, so that only a read-only view takes them.
fn meeting() -> Vec<Case> {
    vec![
        case(3, &[2, 3], &[0, 1], 0),
        case(2, &[2, 3], &[-1, 0], 1),
        case(1, &[4], &[0], 0),
        case(4, &[3, 2], &[1, 1], 0),
        case(6, &[3, 2, 2], &[1, -1, 2], 1),
        case(9, &[2, 2, 3], &[0, 0, 4], 0),
        case(2, &[2; 9], &[0, 0, 0, 0, 1, 0, 0, 0, 0], 0),
    ]
}

fn all() -> Vec<Case> {
    let mut cases = injective();
    cases.extend(meeting());
    cases
}

/// The message that `f` panics with.
fn panic_of<V>(f: impl FnOnce() -> V) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else {
        panic!("it did not panic");
    };
    match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => payload.downcast::<&str>().unwrap().to_string(),
    }
}
