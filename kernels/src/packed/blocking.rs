//! Sizes of blocks.

use core::marker::PhantomData;

use super::tile::{Tile, highest, tile_rows, with_tile};
use crate::element::Element;
use crate::isa::{Isa, Level, Vectorize, vectorize};

/// Bytes of A~, the packed block of A: it stays in the level-2 cache while LOOP 2 passes over it.
const A_BYTES: usize = 768 << 10;
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
    /// Whether tiles may read A in its place.
    pub(super) fresh: bool,
    /// Rows of A~.
    pub(super) mc: usize,
    /// Columns of B~.
    pub(super) nc: usize,
    /// Depth of both: the fixed blocks in which sums are cut.
    pub(super) kc: usize,
}

/// Depth of a block of K: deep, because C is read and written once for each of them. It depends on the element's size alone,
/// because it decides how sums are rounded.
pub(super) const fn kc(bytes: usize) -> usize {
    match 4096 / bytes {
        0..64 => 64,
        depth @ 64..1024 => depth,
        _ => 1024,
    }
}

/// The register tile for elements `T`: rows, columns, lanes, and whether it may read A in its place.
fn tile<T: Element>() -> (usize, usize, usize, bool) {
    struct Shape<T>(PhantomData<T>);
    impl<T: Element> Vectorize for Shape<T> {
        type Output = (usize, usize, usize, bool);
        const MOST: Level = highest::<T>();
        #[cfg_attr(optimised, inline(always))]
        fn run<I: Isa>(self) -> (usize, usize, usize, bool) {
            with_tile!(I, T, shape())
        }
    }
    #[cfg_attr(optimised, inline(always))]
    fn shape<T, K: Tile<T>>() -> (usize, usize, usize, bool) {
        (K::MR, K::NR, K::LANES, K::FRESH)
    }
    vectorize(Shape::<T>(PhantomData))
}

/// The block sizes for elements `T`.
pub(super) fn blocking<T: Element>() -> Blocking {
    let (mr, nr, lanes, fresh) = tile::<T>();
    let bytes = size_of::<T>().max(1);
    let kc = kc(bytes);
    Blocking {
        mr,
        nr,
        lanes,
        fresh,
        mc: (A_BYTES / (kc * bytes)).max(1).next_multiple_of(mr),
        nc: (B_BYTES / (kc * bytes)).max(1).next_multiple_of(nr),
        kc,
    }
}
