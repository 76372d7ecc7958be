//! Vectors of elements, as the register tile needs them.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, Sse2};

/// `WIDTH` elements in a register.
///
/// A count `n` of lanes is a constant once inlined; the lanes beyond it are 0 when loaded and untouched when stored.
///
/// # Safety
///
/// Every method needs the instructions that the implementing type stands for. A method that takes a pointer touches
/// `n` elements at it, `stride` elements apart, and nothing else.
pub trait Lanes<T>: Copy {
    /// Number of lanes.
    const WIDTH: usize;
    /// `x` in every lane.
    unsafe fn splat(x: T) -> Self;
    /// `n` elements one after the other.
    unsafe fn load(p: *const T, n: usize) -> Self;
    /// `WIDTH` elements one after the other.
    unsafe fn load_all(p: *const T) -> Self;
    /// `n` elements, `stride` apart.
    unsafe fn gather(p: *const T, stride: isize, n: usize) -> Self;
    /// Writes `n` elements one after the other.
    unsafe fn store(self, p: *mut T, n: usize);
    /// Writes `WIDTH` elements one after the other.
    unsafe fn store_all(self, p: *mut T);
    /// Writes `n` elements, `stride` apart.
    unsafe fn scatter(self, p: *mut T, stride: isize, n: usize);
    /// Lane by lane.
    unsafe fn add(self, other: Self) -> Self;
    /// Lane by lane.
    unsafe fn mul(self, other: Self) -> Self;
    /// `self * factor + term`, rounded once where there is an instruction for it.
    unsafe fn mul_add(self, factor: Self, term: Self) -> Self;
    /// The complex conjugate of each lane.
    unsafe fn conj(self) -> Self;
    /// The sum of all lanes, in a fixed order.
    unsafe fn sum(self) -> T;
    /// How many vectors `sums` takes: 1, 2 or 4.
    const SUMS: usize;
    /// `SUMS` lanes.
    type Sums: Lanes<T>;
    /// Of each of `SUMS` vectors the sum of all lanes, in a fixed order.
    unsafe fn sums(vectors: [Self; 4]) -> Self::Sums;
    /// The first `n` lanes of a vector, 0 in the others.
    unsafe fn head(self, n: usize) -> Self;
}

/// A set of vector types: one for each width, narrow ones for short axes.
pub trait Isa<T> {
    /// A single lane.
    type V1: Lanes<T>;
    /// At least 2 lanes, or the widest there is.
    type V2: Lanes<T>;
    /// At least 4 lanes, or the widest there is.
    type V4: Lanes<T>;
    /// At least 8 lanes, or the widest there is.
    type V8: Lanes<T>;
    /// At least 16 lanes, or the widest there is.
    type V16: Lanes<T>;
    /// Most lanes.
    const WIDEST: usize;
    /// Most lanes for the sums of several short rows: adding up the lanes of wide vectors is what takes long.
    const SUMMED: usize;
    /// Vectors that a tile may keep in registers, beside what it needs for its operands.
    const ACCUMULATORS: usize;

    /// The product of two matrices of 2×2 elements, each row-major and without gaps, as one vector; nothing if there
    /// are no instructions for it.
    ///
    /// # Safety
    ///
    /// The four elements at each pointer are readable; the machine has the instructions.
    #[inline(always)]
    unsafe fn two_by_two(_: *const T, _: *const T) -> Option<Self::V4> {
        None
    }
}
