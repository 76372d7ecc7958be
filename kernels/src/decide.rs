//! The decision table (see the documentation of [`kernel`](super)).

use super::OPTIMISED;
use super::axis::{Axis, Contraction, size};
use super::batch_inner;
use super::isa::{Level, level};
use super::kind::{ElementType, Kind};
use super::pack_buffer::ALIGN as PACK_ALIGN;
use super::packed;
use super::route::{Kernel, Reason, Route};
use super::tiny;

/// Multiplications below which nothing is packed.
const SMALL: usize = 256;
/// Multiplications below which even the call of `faer` is too long.
const TINY: usize = 32;
/// Multiplications that keep one more thread busy for long enough.
const WORK: usize = 1 << 18;
/// Elements that keep one more thread busy for long enough where memory is the limit.
const TRAFFIC: usize = 1 << 16;

/// The route of a contraction whose axes are fused.
pub(super) fn contraction(axes: &Contraction, element: ElementType, threads: usize) -> Route {
    let Contraction { batch, m, n, k } = axes;
    let outputs = size(batch).saturating_mul(size(m)).saturating_mul(size(n));
    let work = outputs.saturating_mul(size(k));
    let per_item = size(m).saturating_mul(size(n)).saturating_mul(size(k));
    let (kernel, reason) = if outputs == 0 {
        (Kernel::Nothing, Reason::NoElements)
    } else if work == 0 {
        (Kernel::Scale, Reason::EmptySum)
    } else if k.is_empty() {
        (Kernel::Product, Reason::NothingSummed)
    } else if m.is_empty() && n.is_empty() {
        (Kernel::Dot, Reason::NoFreeAxes)
    } else if m.is_empty() || n.is_empty() {
        if small_gemv(axes, element, work) {
            (Kernel::Tiny, Reason::Small)
        } else {
            (Kernel::Gemv, Reason::OneFreeGroup)
        }
    } else {
        product(axes, element, per_item)
    };
    let unit = match kernel {
        Kernel::Product | Kernel::Scale | Kernel::Dot | Kernel::Gemv | Kernel::LaneSums => TRAFFIC,
        _ => WORK,
    };
    Route {
        kernel,
        reason,
        threads: width(work, unit, threads),
    }
}

/// The route of a product with rows, columns and terms.
fn product(axes: &Contraction, element: ElementType, work: usize) -> (Kernel, Reason) {
    let Contraction { batch, m, n, k } = axes;
    if batch_inner::lanes_axis(batch).is_some() {
        if k.len() == 1 && batch_inner::serves(element.kind) && batch_inner::fits(axes) {
            return (Kernel::BatchInner, Reason::BatchInnermost);
        }
        if work <= SMALL {
            return (Kernel::LaneSums, Reason::BatchInnermost);
        }
    }
    let fused = m.len() == 1 && n.len() == 1 && k.len() == 1;
    if fused && tiny::fits(element.kind, [&m[0], &n[0], &k[0]]) {
        return (Kernel::Tiny, Reason::Small);
    }
    if faer(element) && fused && work > TINY {
        if OPTIMISED && blocks_well([&m[0], &n[0], &k[0]], element, work) {
            return (Kernel::Packed, Reason::Large);
        }
        if OPTIMISED && work > LARGE && !rhs_in_terms(&m[0], &n[0], &k[0]) {
            return (Kernel::Packed, Reason::Orientation);
        }
        return (Kernel::Faer, Reason::EveryGroupFuses);
    }
    // The packed driver keeps two words for every index of a group.
    let indices = (size(m).saturating_add(size(n))).saturating_add(size(k));
    if work <= SMALL || element.align > PACK_ALIGN || indices > LONGEST {
        (Kernel::Direct, Reason::Small)
    } else if !OPTIMISED {
        (Kernel::Direct, Reason::NotOptimised)
    } else if fused {
        (Kernel::Packed, Reason::ElementType)
    } else {
        (Kernel::Packed, Reason::GroupDoesNotFuse)
    }
}

/// Multiplications up to which the tiny kernel gathers a matrix that is not dense along the elements of C.
const GATHERED: usize = 256;

/// Whether a matrix times a vector is one for registers.
fn small_gemv(axes: &Contraction, element: ElementType, work: usize) -> bool {
    let Contraction { batch, m, n, k } = axes;
    let (m, n) = match (&m[..], &n[..]) {
        ([m], []) => (m, &NO_AXIS),
        ([], [n]) => (&NO_AXIS, n),
        _ => return false,
    };
    k.len() == 1
        && batch_inner::lanes_axis(batch).is_none()
        && tiny::fits(element.kind, [m, n, &k[0]])
        && thin(if n.len == 1 { m.a } else { n.b }, work)
}

/// Of a matrix times a vector that fits: whether what there is to gather is little.
fn thin(along: isize, work: usize) -> bool {
    along == 1 || work <= GATHERED
}

/// A vector is a matrix of one column.
pub(super) const NO_AXIS: Axis = Axis::new(1, 0, 0, isize::MAX);

/// What the table says of a product of real numbers without a batch whose groups are single axes, or [`NO_AXIS`]: whether it
/// is for the tiny kernel.
#[inline(always)]
pub(super) fn is_tiny_product(
    kind: Kind,
    lens: [usize; 3],
    [along_a, along_b]: [isize; 2],
    in_c: [isize; 2],
) -> bool {
    let [m, n, k] = lens;
    // Other axes of length 1 are left out elsewhere, and sums that are empty are no products.
    let free = |len: usize, c| len > 1 || len == 1 && c == NO_AXIS.c;
    let vector = m == 1 || n == 1;
    tiny::serves(kind)
        && (free(m, in_c[0]) && free(n, in_c[1]) && k > 1 && m * n > 1)
        && lens.iter().all(|&len| len <= tiny::MOST)
        && (!vector || thin(if n == 1 { along_a } else { along_b }, m * n * k))
}

/// Indices of the groups of a product up to which the packed driver's vectors are in proportion: 16 GiB of them.
const LONGEST: usize = 1 << 30;

/// Multiplications above which `faer` suffers from the wrong orientation.
const LARGE: usize = 1 << 20;

/// Multiplications from which the packed driver is ahead of `faer` where it packs rows as they lie.
const BLOCKED: usize = 3 << 16;
/// The same where it has to turn them, in squares, which are slower for elements of four bytes.
const fn blocked_turned(bytes: usize) -> usize {
    if bytes >= 8 { BLOCKED } else { 1 << 22 }
}

/// Whether the packed driver is faster than `faer`: measured in the registers of AVX-512, of which C is written in whole
/// ones.
fn blocks_well([m, n, k]: [&Axis; 3], element: ElementType, work: usize) -> bool {
    if level() != Level::Avx512 || work < BLOCKED {
        return false;
    }
    // Rows are what C is dense along.
    let (rows, columns, along, apart) = if m.c.unsigned_abs() <= n.c.unsigned_abs() {
        (m, n, m.a, k.a)
    } else {
        (n, m, n.b, k.b)
    };
    let dense = along.unsigned_abs() <= apart.unsigned_abs();
    // Tiles have 8 columns, whether or not there are so many.
    let idle = columns.len.next_multiple_of(8) - columns.len;
    rows.c == 1
        && rows.len.min(columns.len) * element.size > 3 * 64
        // More than two tiles of rows, none of them whole.
        && rows.len * element.size > 4 * 64
        && k.len >= 32
        && 16 * idle <= columns.len
        && (dense && along == 1 || work >= blocked_turned(element.size))
}

/// Whether the right-hand side, as `faer` sees it, is dense along K.
///
/// `faer` takes the denser direction of C for rows and reads the right-hand side unpacked: column after column is
/// fast, row after row jumps a whole pitch for every term.
fn rhs_in_terms(m: &Axis, n: &Axis, k: &Axis) -> bool {
    if m.c.unsigned_abs() <= n.c.unsigned_abs() {
        k.b.unsigned_abs() <= n.b.unsigned_abs()
    } else {
        k.a.unsigned_abs() <= m.a.unsigned_abs()
    }
}

/// Whether `faer` is there and has kernels for the type.
fn faer(element: ElementType) -> bool {
    #[cfg(feature = "faer")]
    return element.kind.is_float();
    #[cfg(not(feature = "faer"))]
    return {
        let _ = element;
        false
    };
}

/// Whether A and B change places: the packed driver and the tiny kernel have rows and columns.
pub(super) fn swaps(kernel: Kernel, axes: &Contraction, element: ElementType) -> bool {
    let densest = |axes: &[Axis]| axes.iter().map(|axis| axis.c.unsigned_abs()).min();
    match kernel {
        Kernel::Packed => packed::swaps(axes, element),
        Kernel::Tiny => densest(&axes.n) < densest(&axes.m),
        _ => false,
    }
}

/// The route of a reduction whose axes are fused.
pub(super) fn reduction(kept: &[Axis], summed: &[Axis], threads: usize) -> Route {
    let work = size(kept).saturating_mul(size(summed));
    let (kernel, reason) = if size(kept) == 0 {
        (Kernel::Nothing, Reason::NoElements)
    } else if work == 0 {
        (Kernel::Scale, Reason::EmptySum)
    } else if summed.is_empty() {
        (Kernel::Copy, Reason::OneArray)
    } else {
        (Kernel::Sum, Reason::OneArraySummed)
    };
    Route {
        kernel,
        reason,
        threads: width(work, TRAFFIC, threads),
    }
}

/// How many of `threads` threads `work` keeps busy, `unit` for each.
fn width(work: usize, unit: usize, threads: usize) -> usize {
    (work / unit).clamp(1, threads.max(1))
}
