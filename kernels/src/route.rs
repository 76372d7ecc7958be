//! The names of the kernels and the reasons for them.

use core::fmt;

/// Which kernel a step runs in, and why. What is reported is what runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Route {
    /// The kernel.
    pub kernel: Kernel,
    /// Why it is this one.
    pub reason: Reason,
    /// The largest number of threads that the step is split over.
    pub threads: usize,
}

/// The kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// C has no elements.
    Nothing,
    /// `C <- beta * C`: the sum is empty.
    Scale,
    /// Products without a sum: elementwise, outer, axpy.
    Product,
    /// One or more inner products.
    Dot,
    /// Matrix times vector.
    Gemv,
    /// Sums of products side by side, one lane each.
    LaneSums,
    /// A small product with its sums in registers.
    Tiny,
    /// Plain loops.
    Direct,
    /// Register tiles whose lanes are items of the batch.
    BatchInner,
    /// The matrix product of `faer`.
    Faer,
    /// Panels packed from any strides, register tiles, C written in place.
    Packed,
    /// A copy or a transposition.
    Copy,
    /// A sum over axes of one array.
    Sum,
}

/// Why a step takes its route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// An axis of C has length 0.
    NoElements,
    /// A summed axis has length 0.
    EmptySum,
    /// Nothing is summed.
    NothingSummed,
    /// Neither array has free axes.
    NoFreeAxes,
    /// One array has no free axes.
    OneFreeGroup,
    /// Too little work to pack for.
    Small,
    /// The batch has the unit stride everywhere.
    BatchInnermost,
    /// Each group of axes fuses to one stride.
    EveryGroupFuses,
    /// Each group fuses, and there is enough of the product for blocks and register tiles.
    Large,
    /// Each group fuses, but `faer` would read its right-hand side across the grain.
    Orientation,
    /// A group of axes has no single stride.
    GroupDoesNotFuse,
    /// No library kernel has this element type, or the build has none.
    ElementType,
    /// Without optimisation a plain loop is as fast as packing.
    NotOptimised,
    /// One array, nothing summed.
    OneArray,
    /// One array, axes summed.
    OneArraySummed,
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kernel::Nothing => "nothing",
            Kernel::Scale => "scale",
            Kernel::Product => "product",
            Kernel::Dot => "dot",
            Kernel::Gemv => "gemv",
            Kernel::LaneSums => "lane sums",
            Kernel::Tiny => "tiny gemm",
            Kernel::Direct => "direct loops",
            Kernel::BatchInner => "batch-innermost gemm",
            Kernel::Faer => "faer gemm",
            Kernel::Packed => "packed gemm",
            Kernel::Copy => "copy",
            Kernel::Sum => "sum",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::NoElements => "the result has no elements",
            Reason::EmptySum => "the sum is empty",
            Reason::NothingSummed => "nothing is summed",
            Reason::NoFreeAxes => "neither array has free axes",
            Reason::OneFreeGroup => "one array has no free axes",
            Reason::Small => "too little work to pack for",
            Reason::BatchInnermost => "the batch has the smallest stride everywhere",
            Reason::EveryGroupFuses => "every group of axes has one stride",
            Reason::NotOptimised => "the build is not optimised",
            Reason::Large => {
                "every group of axes has one stride, and there is enough work to block"
            }
            Reason::Orientation => "faer would read its right-hand side across the grain",
            Reason::GroupDoesNotFuse => "a group of axes has no single stride",
            Reason::ElementType if cfg!(feature = "faer") => {
                "no library kernel has this element type"
            }
            Reason::ElementType => "the build has no library kernels (feature `faer`)",
            Reason::OneArray => "one array, nothing summed",
            Reason::OneArraySummed => "one array, axes summed",
        })
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kernel, self.reason)?;
        if self.threads > 1 {
            write!(f, " (up to {} threads)", self.threads)?;
        }
        Ok(())
    }
}
