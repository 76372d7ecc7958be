//! A step made ready: axes fused, kernel chosen.

use super::axis::{Axis, AxisList, Contraction, Reduction, size};
use super::direct;
use super::fuse::{Carriers, fuse};
use super::operands::Operands;
use super::pack_buffer::PackBuffer;
use super::route::{Kernel, Reason, Route};
use super::scale::Scale;
use super::team::Team;
use crate::scalar::Scalar;

/// A contraction or reduction ready to run, any number of times, on any arrays with these lengths and strides.
///
/// Plain data: it holds no element and no pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    route: Route,
    /// The fused axes. A reduction keeps `kept` in `batch` and `summed` in `k`.
    axes: Contraction,
}

impl Prepared {
    /// Prepares a contraction of elements `T` for up to `threads` threads.
    pub fn contraction<T: Scalar>(contraction: &Contraction, threads: usize) -> Prepared {
        let axes = Contraction {
            batch: fuse(&contraction.batch, Carriers::BATCH),
            m: fuse(&contraction.m, Carriers::M),
            n: fuse(&contraction.n, Carriers::N),
            k: fuse(&contraction.k, Carriers::K),
        };
        let _ = threads;
        let (kernel, reason) = if is_empty(&axes.batch) || is_empty(&axes.m) || is_empty(&axes.n) {
            (Kernel::Nothing, Reason::NoElements)
        } else if is_empty(&axes.k) {
            (Kernel::Scale, Reason::EmptySum)
        } else {
            (Kernel::Direct, Reason::Small)
        };
        Prepared {
            route: Route {
                kernel,
                reason,
                threads: 1,
            },
            axes,
        }
    }

    /// Prepares a reduction of elements `T` for up to `threads` threads.
    pub fn reduction<T: Scalar>(reduction: &Reduction, threads: usize) -> Prepared {
        let axes = Contraction {
            batch: fuse(&reduction.kept, Carriers::M),
            k: fuse(&reduction.summed, Carriers::SUMMED),
            ..Contraction::default()
        };
        let _ = threads;
        let (kernel, reason) = if is_empty(&axes.batch) {
            (Kernel::Nothing, Reason::NoElements)
        } else if is_empty(&axes.k) {
            (Kernel::Scale, Reason::EmptySum)
        } else if axes.k.is_empty() {
            (Kernel::Copy, Reason::OneArray)
        } else {
            (Kernel::Sum, Reason::OneArraySummed)
        };
        Prepared {
            route: Route {
                kernel,
                reason,
                threads: 1,
            },
            axes,
        }
    }

    /// The kernel that runs, and why.
    pub fn route(&self) -> Route {
        self.route
    }

    /// Whether C must be initialised memory even where `beta` is zero: a kernel of another library takes C as
    /// a matrix of values. Our own kernels write uninitialised memory.
    pub fn needs_initialised_output(&self) -> bool {
        self.route.kernel == Kernel::Faer
    }

    /// Runs the step: `C <- alpha * sum + beta * C`.
    ///
    /// A reduction ignores `b`, which may dangle.
    ///
    /// # Safety
    ///
    /// `T` is the element type that the step was prepared for. `a` and `b` are valid for reads and `c` for writes at
    /// every index combination of their axes; different index combinations of C's axes are different elements; C
    /// overlaps neither A nor B. C is initialised unless `scale.beta` is zero and
    /// [`needs_initialised_output`](Prepared::needs_initialised_output) is false.
    pub unsafe fn run<T: Scalar>(
        &self,
        a: *const T,
        b: *const T,
        c: *mut T,
        scale: Scale<T>,
        team: &mut Team,
        pack: &mut PackBuffer,
    ) {
        let _ = (team, pack);
        let operands = Operands { a, b, c, scale };
        let Contraction { batch, m, n, k } = &self.axes;
        match self.route.kernel {
            Kernel::Nothing => {}
            Kernel::Copy | Kernel::Sum => {
                // SAFETY: the caller's promise.
                unsafe { direct::reduce(batch, k, 0..size(batch), operands) }
            }
            _ => {
                let outer: AxisList = batch
                    .iter()
                    .chain(m.iter())
                    .chain(n.iter())
                    .copied()
                    .collect();
                // SAFETY: the caller's promise.
                unsafe { direct::contract(&outer, k, 0..size(&outer), operands) }
            }
        }
    }
}

fn is_empty(axes: &[Axis]) -> bool {
    axes.iter().any(|axis| axis.len == 0)
}
