//! Sizes of blocks.

use core::marker::PhantomData;

use super::tile::{Tile, highest, tile_rows, with_tile};
use crate::element::Element;
use crate::isa::{Isa, Level, Vectorize, vectorize};

/// Bytes of A~, the packed block of A: it stays in the level-2 cache while LOOP 2 passes over it.
const A_BYTES: usize = 384 << 10;
/// Bytes of B~, the packed panel of B: it stays in the level-3 cache.
const B_BYTES: usize = 4 << 20;

/// The block sizes for one element type on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocking {
    /// Rows of a register tile.
    pub(super) mr: usize,
    /// Columns of a register tile.
    pub(super) nr: usize,
    /// Rows of which a narrower tile has a multiple.
    pub(super) lanes: usize,
    /// Rows of A~.
    pub(super) mc: usize,
    /// Columns of B~.
    pub(super) nc: usize,
    /// Depth of both: the fixed blocks in which sums are cut.
    pub(super) kc: usize,
}

/// Depth of a block of K. It depends on the element's size alone, because it decides how sums are rounded.
pub(super) const fn kc(bytes: usize) -> usize {
    if bytes <= 4 { 512 } else { 256 }
}

/// The register tile for elements `T`: rows, columns and lanes.
fn tile<T: Element>() -> (usize, usize, usize) {
    struct Shape<T>(PhantomData<T>);
    impl<T: Element> Vectorize for Shape<T> {
        type Output = (usize, usize, usize);
        const MOST: Level = highest::<T>();
        #[cfg_attr(optimised, inline(always))]
        fn run<I: Isa>(self) -> (usize, usize, usize) {
            with_tile!(I, T, shape())
        }
    }
    #[cfg_attr(optimised, inline(always))]
    fn shape<T, K: Tile<T>>() -> (usize, usize, usize) {
        (K::MR, K::NR, K::LANES)
    }
    vectorize(Shape::<T>(PhantomData))
}

/// The block sizes for elements `T`.
pub(super) fn blocking<T: Element>() -> Blocking {
    let (mr, nr, lanes) = tile::<T>();
    let bytes = size_of::<T>().max(1);
    let kc = kc(bytes);
    Blocking {
        mr,
        nr,
        lanes,
        mc: (A_BYTES / (kc * bytes)).max(1).next_multiple_of(mr),
        nc: (B_BYTES / (kc * bytes)).max(1).next_multiple_of(nr),
        kc,
    }
}
