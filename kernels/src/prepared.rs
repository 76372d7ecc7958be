//! A step made ready: axes fused, kernel chosen.

use cteinsum_plan::sort_by;

use super::OPTIMISED;
use super::axis::{Axis, AxisList, Contraction, Reduction, size};
use super::decide;
use super::fuse::{Carriers, fuse};
use super::kind::ElementType;
use super::operands::Operands;
use super::pack_buffer::PackBuffer;
use super::route::{Kernel, Route};
use super::scale::Scale;
use super::team::Team;
use super::{batch_inner, copy, direct, elementwise, packed, sum, tiny};
use crate::element::Element;

/// A contraction or reduction ready to run, any number of times, on any arrays with these lengths and strides.
///
/// Plain data: it holds no element and no pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    route: Route,
    /// The fused axes. A reduction keeps `kept` in `batch` and `summed` in `k`.
    axes: Contraction,
    /// Whether A and B have changed places in `axes`.
    swapped: bool,
    /// Whether C is memory that nobody has touched.
    untouched: bool,
}

impl Prepared {
    /// Prepares a contraction of elements `T` for up to `threads` threads.
    ///
    /// # Panics
    ///
    /// If the index space has more than `usize::MAX` points.
    pub fn contraction<T: Element>(contraction: &Contraction, threads: usize) -> Prepared {
        Prepared::contraction_of(contraction, ElementType::of::<T>(), threads)
    }

    /// [`contraction`](Prepared::contraction), the element type as a value.
    pub fn contraction_of(
        contraction: &Contraction,
        element: ElementType,
        threads: usize,
    ) -> Prepared {
        let mut axes = Contraction {
            batch: fuse(&contraction.batch, Carriers::BATCH),
            m: fuse(&contraction.m, Carriers::M),
            n: fuse(&contraction.n, Carriers::N),
            k: fuse(&contraction.k, Carriers::K),
        };
        let route = decide::contraction(&axes, element, threads);
        if route.kernel == Kernel::Tiny {
            // A vector is a matrix of one column.
            for group in [&mut axes.m, &mut axes.n] {
                if group.is_empty() {
                    group.push(decide::NO_AXIS);
                }
            }
        }
        let swapped = decide::swaps(route.kernel, &axes, element);
        if swapped {
            swap(&mut axes);
        }
        if route.kernel == Kernel::Packed {
            packed::sort(&mut axes, element);
        }
        axes = match route.kernel {
            Kernel::Faer | Kernel::Packed | Kernel::Tiny => axes,
            Kernel::BatchInner => lanewise(axes),
            _ => flat(axes),
        };
        Prepared {
            route,
            axes,
            swapped,
            untouched: false,
        }
    }

    /// Prepares a reduction of elements `T` for up to `threads` threads.
    ///
    /// # Panics
    ///
    /// If the index space has more than `usize::MAX` points.
    pub fn reduction<T: Element>(reduction: &Reduction, threads: usize) -> Prepared {
        Prepared::reduction_of(reduction, threads)
    }

    /// [`reduction`](Prepared::reduction): its kernels are those of every element type.
    pub fn reduction_of(reduction: &Reduction, threads: usize) -> Prepared {
        let axes = Contraction {
            batch: fuse(&reduction.kept, Carriers::M),
            k: fuse(&reduction.summed, Carriers::SUMMED),
            ..Contraction::default()
        };
        Prepared {
            route: decide::reduction(&axes.batch, &axes.k, threads),
            axes,
            swapped: false,
            untouched: false,
        }
    }

    /// The same step shared by `threads` threads however little work it is, for tests.
    pub fn with_threads(mut self, threads: usize) -> Prepared {
        self.route.threads = threads;
        self
    }

    /// The same step for a C that was only just allocated. The system clears its pages, if C is large, when they are first
    /// touched, which leaves them in the caches: it does not pay to write past those then.
    pub fn into_untouched(mut self) -> Prepared {
        self.untouched = true;
        self
    }

    /// Whether the kernel takes B before A: [`execute`](Prepared::execute) does.
    pub fn swapped(&self) -> bool {
        self.swapped
    }

    /// The kernel that runs, and why.
    pub fn route(&self) -> Route {
        self.route
    }

    /// Runs the step: `C <- alpha * sum + beta * C`.
    ///
    /// A reduction ignores `b`, which may dangle.
    ///
    /// # Safety
    ///
    /// `T` is the element type that the step was prepared for. `a` and `b` are valid for reads and `c` for writes at
    /// every index combination of their axes; different index combinations of C's axes are different elements; C
    /// overlaps neither A nor B. C is initialised memory if `scale.beta` is given, or if the route is
    /// [`Faer`](Kernel::Faer), which takes C as a matrix of values.
    pub unsafe fn run<T: Element>(
        &self,
        a: *const T,
        b: *const T,
        c: *mut T,
        scale: Scale<T>,
        team: &mut Team,
        pack: &mut PackBuffer,
    ) {
        let mut operands = Operands { a, b, c, scale };
        if self.swapped {
            operands = operands.exchanged();
        }
        // SAFETY: the caller's promise, passed on.
        unsafe { T::run_step(self, &operands, team, pack) }
    }

    /// [`run`](Prepared::run), behind the door of the element type. A and B have changed places if the step is
    /// [`swapped`](Prepared::swapped): who calls it often puts them in order once. (To exchange them here would cost a small
    /// product a third of its time: the copy waits for what was only just written.)
    ///
    /// # Safety
    ///
    /// As for `run`.
    pub unsafe fn execute<T: Element>(
        &self,
        operands: &Operands<T>,
        team: &mut Team,
        pack: &mut PackBuffer,
    ) {
        let width = self.route.threads;
        let Contraction { batch, m, n, k } = &self.axes;
        // SAFETY: the caller's promise, passed on.
        unsafe {
            match self.route.kernel {
                Kernel::Nothing => {}
                Kernel::Scale => elementwise::scale(batch, *operands, width, team),
                Kernel::Product if self.untouched => {
                    elementwise::in_caches(batch, *operands, width, team);
                }
                Kernel::Product => elementwise::product(batch, *operands, width, team),
                Kernel::Direct => team.for_ranges(size(batch), width, &|range| {
                    direct::contract(batch, k, range, *operands);
                }),
                Kernel::Tiny => {
                    // Behind a constant condition, so that it is not compiled for types without the kernel.
                    if const { tiny::serves(T::KIND) } {
                        tiny::run(batch, &[&m[0], &n[0], &k[0]], operands, width, team);
                    }
                }
                Kernel::Packed => {
                    if const { OPTIMISED } {
                        let gemm = packed::Gemm { batch, m, n, k };
                        packed::run(gemm, *operands, width, team, pack);
                    }
                }
                #[cfg(feature = "faer")]
                Kernel::Faer => {
                    super::faer_gemm::run(batch, [&m[0], &n[0], &k[0]], *operands, width, team);
                }
                Kernel::BatchInner => {
                    let [outer @ .., lanes] = &batch[..] else {
                        unreachable!("the lanes are the last axis of the batch");
                    };
                    let step = batch_inner::Lanewise {
                        lanes,
                        outer,
                        m: &m[0],
                        n: &n[0],
                        k: &k[0],
                    };
                    if const { batch_inner::serves(T::KIND) } {
                        batch_inner::run(step, *operands, width, team, pack);
                    }
                }
                Kernel::Dot | Kernel::Gemv | Kernel::LaneSums => {
                    sum::sum::<T>(true, batch, k, *operands, width, team, pack);
                }
                Kernel::Copy => copy::copy(batch, *operands, width, team),
                Kernel::Sum => sum::sum::<T>(false, batch, k, *operands, width, team, pack),
                #[cfg(not(feature = "faer"))]
                Kernel::Faer => unreachable!("no step is routed to a library that is not there"),
            }
        }
    }
}

/// A and B change places, and so do m and n.
fn swap(axes: &mut Contraction) {
    core::mem::swap(&mut axes.m, &mut axes.n);
    for group in [&mut axes.batch, &mut axes.m, &mut axes.n, &mut axes.k] {
        for axis in group.iter_mut() {
            core::mem::swap(&mut axis.a, &mut axis.b);
        }
    }
}

/// The lanes last in the batch, the other axes of the batch and all but the densest of m and n before them.
fn lanewise(axes: Contraction) -> Contraction {
    let Contraction { mut batch, m, n, k } = axes;
    let at = batch_inner::lanes_axis(&batch).expect("the route asks for lanes");
    let lanes = batch.swap_remove(at);
    let mut densest = |group: AxisList| {
        // Fused axes are sorted, the densest last.
        let (&last, others) = group.split_last().expect("the route asks for free axes");
        batch.extend(others.iter().copied());
        AxisList::from([last])
    };
    let (m, n) = (densest(m), densest(n));
    batch.push(lanes);
    Contraction { batch, m, n, k }
}

/// All axes of C in one list, outermost (largest stride in C) first.
fn flat(axes: Contraction) -> Contraction {
    let Contraction { mut batch, m, n, k } = axes;
    batch.extend(m.iter().chain(n.iter()).copied());
    sort_by(&mut batch, outside);
    Contraction {
        batch,
        m: AxisList::new(),
        n: AxisList::new(),
        k,
    }
}

fn outside(one: &Axis, other: &Axis) -> bool {
    let key = |axis: &Axis| (axis.c.unsigned_abs(), axis.a, axis.b, axis.len);
    key(one) > key(other)
}
