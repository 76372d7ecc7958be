//! Nested brackets, one row a line, as ndarray and NumPy print arrays; long ones with their middle left out.

use core::fmt::{self, Debug, Display, Formatter, LowerExp};

use super::layout::Extents;
use super::owned::{DynTensor, Tensor};
use super::raw::Shared;
use super::view::{DynTensorView, TensorView};
use super::view_mut::{DynTensorViewMut, TensorViewMut};

/// Up to this many elements are printed in full; so is everything with the flag `#`.
const ALL: usize = 500;
/// How many are printed at each end of a long row, of a long column, and of the axes before.
const ENDS: (usize, usize, usize) = (5, 5, 3);

type Put<T> = fn(&T, &mut Formatter<'_>) -> fmt::Result;

struct Printer<'p, T, L> {
    view: &'p Shared<'p, T, L>,
    put: Put<T>,
    elide: bool,
}

impl<T, L: Extents> Printer<'_, T, L> {
    /// Everything under the index `prefix`.
    fn print(&self, f: &mut Formatter<'_>, prefix: &mut Vec<usize>) -> fmt::Result {
        let shape = self.view.layout().shape();
        let axis = prefix.len();
        if axis == shape.len() {
            let element = self.view.get(prefix);
            return (self.put)(element.expect("an index in bounds"), f);
        }
        let (len, axes_below) = (shape[axis], shape.len() - axis - 1);
        let ends = match axes_below {
            0 => ENDS.0,
            1 => ENDS.1,
            _ => ENDS.2,
        };
        let hidden = if self.elide && len > 2 * ends + 1 {
            ends..len - ends
        } else {
            len..len
        };

        f.write_str("[")?;
        for i in 0..hidden.start {
            self.separate(f, i, axis, axes_below)?;
            self.print_at(f, prefix, i)?;
        }
        if !hidden.is_empty() {
            self.separate(f, hidden.start, axis, axes_below)?;
            f.write_str("...")?;
        }
        for i in hidden.end..len {
            self.separate(f, i, axis, axes_below)?;
            self.print_at(f, prefix, i)?;
        }
        f.write_str("]")
    }

    fn print_at(&self, f: &mut Formatter<'_>, prefix: &mut Vec<usize>, i: usize) -> fmt::Result {
        prefix.push(i);
        self.print(f, prefix)?;
        prefix.pop();
        Ok(())
    }

    /// Before every item but the first: rows on lines of their own, and empty lines between blocks of more axes.
    fn separate(
        &self,
        f: &mut Formatter<'_>,
        i: usize,
        axis: usize,
        axes_below: usize,
    ) -> fmt::Result {
        match (i, axes_below) {
            (0, _) => Ok(()),
            (_, 0) => f.write_str(", "),
            _ => {
                f.write_str(",")?;
                for _ in 0..axes_below {
                    f.write_str("\n")?;
                }
                for _ in 0..=axis {
                    f.write_str(" ")?;
                }
                Ok(())
            }
        }
    }
}

fn print<T, L: Extents>(
    f: &mut Formatter<'_>,
    view: &Shared<'_, T, L>,
    put: Put<T>,
) -> fmt::Result {
    let layout = view.layout();
    if layout.is_empty() {
        // One pair of brackets an axis; how often the empty row would repeat is in the shape.
        let rank = layout.shape().len();
        return write!(f, "{}{}", "[".repeat(rank), "]".repeat(rank));
    }
    let elide = !f.alternate() && layout.len() > ALL;
    Printer { view, put, elide }.print(f, &mut Vec::new())
}

macro_rules! display {
    ($([$($generics:tt)*] $name:ty;)*) => {$(
        display!(@ Display, [$($generics)*] $name);
        display!(@ LowerExp, [$($generics)*] $name);
        impl<T: Debug, $($generics)*> Debug for $name {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                print(f, &self.shared(), T::fmt)?;
                write!(f, ", shape={:?}, strides={:?}", self.shape(), self.strides())
            }
        }
    )*};
    (@ $trait:ident, [$($generics:tt)*] $name:ty) => {
        impl<T: $trait, $($generics)*> $trait for $name {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                print(f, &self.shared(), T::fmt)
            }
        }
    };
}

display! {
    [const N: usize] Tensor<T, N>;
    [const N: usize] TensorView<'_, T, N>;
    [const N: usize] TensorViewMut<'_, T, N>;
    [] DynTensor<T>;
    [] DynTensorView<'_, T>;
    [] DynTensorViewMut<'_, T>;
}
