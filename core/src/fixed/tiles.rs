//! How rows and vectors are cut into register tiles.

/// Most rows of a tile.
pub(super) const ROWS: usize = 8;
/// Most vectors in a row of a tile.
pub(super) const VECTORS: usize = 4;

/// `len` cut into pieces of `big`, then pieces one smaller, as equal as can be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) big: usize,
    /// Number of the bigger pieces.
    pub(super) bigs: usize,
    /// Number of the smaller pieces.
    pub(super) smalls: usize,
}

impl Cut {
    const fn new(len: usize, most: usize) -> Cut {
        let pieces = len.div_ceil(most);
        let big = len.div_ceil(pieces);
        let smalls = pieces * big - len;
        Cut {
            big,
            bigs: pieces - smalls,
            smalls,
        }
    }
}

/// The tiles of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiles {
    pub(super) rows: Cut,
    /// Vectors across a kept axis; of a summed one: `big` vectors a round, in one piece.
    pub(super) vectors: Cut,
    /// Lanes in use in the last vector.
    pub(super) tail: usize,
}

impl Tiles {
    pub(super) const fn new(
        rows: usize,
        len: usize,
        summed: bool,
        width: usize,
        accumulators: usize,
    ) -> Tiles {
        let vectors = len.div_ceil(width);
        let tail = len - (vectors - 1) * width;
        if summed {
            // Sums in several registers, so that an addition need not wait for the one before it.
            let rows = Cut::new(rows, ROWS);
            let a_row = match rows.big {
                1 => 4,
                2 | 3 => 2,
                _ => 1,
            };
            let big = if vectors < a_row { vectors } else { a_row };
            return Tiles {
                rows,
                vectors: Cut {
                    big,
                    bigs: 1,
                    smalls: 0,
                },
                tail,
            };
        }
        let vectors = Cut::new(vectors, VECTORS);
        let most = accumulators / vectors.big;
        let most = if most > ROWS { ROWS } else { most };
        Tiles {
            rows: Cut::new(rows, most),
            vectors,
            tail,
        }
    }
}
