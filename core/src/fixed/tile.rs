//! One register tile: some rows times some vectors, summed and stored.

use core::marker::PhantomData;

use super::lanes::Lanes;
use super::nest::Nest;
use super::scale::Scale;
use super::tiles::{ROWS, VECTORS};
use crate::scalar::Scalar;

/// The bigger pieces of a cut.
pub(super) const BIG: u8 = 0;
/// The smaller pieces of a cut.
pub(super) const SMALL: u8 = 1;
/// The last piece of the vectors, whose last vector may be partly filled.
pub(super) const LAST_BIG: u8 = 2;
pub(super) const LAST_SMALL: u8 = 3;

/// A tile of a nest: which piece of the rows, which of the vectors.
pub(super) struct Tile<N, const R: u8, const C: u8>(PhantomData<N>);

/// Repeats a statement for the rows of a tile; a row that the tile lacks is not even compiled.
///
/// `$has` is `Self::ROW` and the like: a named constant is evaluated once for a tile, `const { .. }` at each place.
macro_rules! rows {
    ($tile:ty; $i:ident => $body:expr) => {{
        rows!(@ $tile; $i => $body; ROW_0 0, ROW_1 1, ROW_2 2, ROW_3 3, ROW_4 4, ROW_5 5, ROW_6 6, ROW_7 7)
    }};
    (@ $tile:ty; $i:ident => $body:expr; $($has:ident $n:literal),*) => {
        {$(if <$tile>::$has { let $i: usize = $n; $body })*}
    };
}

/// The same for the vectors of a row.
macro_rules! vectors {
    ($tile:ty; $i:ident => $body:expr) => {
        rows!(@ $tile; $i => $body; VECTOR_0 0, VECTOR_1 1, VECTOR_2 2, VECTOR_3 3)
    };
}

/// The same for groups of rows.
macro_rules! groups {
    ($tile:ty; $i:ident => $body:expr) => {
        rows!(@ $tile; $i => $body; GROUP_0 0, GROUP_1 1, GROUP_2 2, GROUP_3 3)
    };
}

macro_rules! has {
    ($($name:ident = $count:expr, $n:literal;)*) => {$(
        const $name: bool = $count > $n;
    )*};
}

impl<T: Scalar, V: Lanes<T>, N: Nest<Elem = T, Lanes = V>, const R: u8, const C: u8> Tile<N, R, C> {
    const HEIGHT: usize = N::TILES.rows.big - (R == SMALL) as usize;
    const WIDTH: usize = N::TILES.vectors.big - (C == SMALL || C == LAST_SMALL) as usize;

    /// Elements of a summed vector axis that a last round with fewer vectors has.
    const REST: usize = N::STEP.vec.len % (Self::WIDTH * V::WIDTH);

    /// Rows of a summed vector axis that are summed `SUMS` at a time.
    const GROUPED: usize =
        if V::SUMS > 1 && N::STEP.rows.count() == 1 && N::STEP.rows.axis(0).c == 1 {
            Self::HEIGHT / V::SUMS * V::SUMS
        } else {
            0
        };

    has! {
        ROW_0 = Self::HEIGHT, 0; ROW_1 = Self::HEIGHT, 1; ROW_2 = Self::HEIGHT, 2; ROW_3 = Self::HEIGHT, 3;
        ROW_4 = Self::HEIGHT, 4; ROW_5 = Self::HEIGHT, 5; ROW_6 = Self::HEIGHT, 6; ROW_7 = Self::HEIGHT, 7;
        VECTOR_0 = Self::WIDTH, 0; VECTOR_1 = Self::WIDTH, 1; VECTOR_2 = Self::WIDTH, 2; VECTOR_3 = Self::WIDTH, 3;
        GROUP_0 = Self::GROUPED / V::SUMS, 0; GROUP_1 = Self::GROUPED / V::SUMS, 1;
        GROUP_2 = Self::GROUPED / V::SUMS, 2; GROUP_3 = Self::GROUPED / V::SUMS, 3;
    }

    /// Whether the last vector begins before the end of the one before it, so that all of its lanes are in use: it computes
    /// some elements a second time, and is loaded and stored as one where its rest would be several pieces. Not in a small
    /// result: the compiler keeps in registers only what is stored without overlaps.
    const OVERLAPS: bool = (C == LAST_BIG || C == LAST_SMALL)
        && Self::WIDTH > 1
        && !N::TILES.tail.is_power_of_two()
        && N::IN_MEMORY
        && N::CONTIGUOUS
        && !N::SUMMED;

    /// Whether all lanes of all vectors are in use.
    const FULL: bool = Self::TAIL == V::WIDTH;
    /// Whether whole vectors are stored.
    const STORED: bool = Self::FULL && N::CONTIGUOUS;

    /// Whether a row is not summed together with others.
    #[inline(always)]
    const fn alone(row: usize) -> bool {
        row >= Self::GROUPED
    }

    /// Lanes in use in the last vector of a row.
    const TAIL: usize = if (C == LAST_BIG || C == LAST_SMALL) && !Self::OVERLAPS {
        N::TILES.tail
    } else {
        V::WIDTH
    };

    /// The first element of a vector of the tile.
    #[inline(always)]
    fn start(v: usize) -> usize {
        let overlap = if Self::OVERLAPS && v + 1 == Self::WIDTH {
            V::WIDTH - N::TILES.tail
        } else {
            0
        };
        v * V::WIDTH - overlap
    }

    /// Lanes in use in a vector of the tile.
    #[inline(always)]
    fn lanes(v: usize) -> usize {
        if v + 1 == Self::WIDTH {
            Self::TAIL
        } else {
            V::WIDTH
        }
    }

    /// Computes rows `row..` of the tile whose first vectors are at the pointers.
    ///
    /// # Safety
    ///
    /// The pointers are those of the nest for an index of its outer axes and the first element of this piece of the
    /// vector axis; `row + HEIGHT` is at most the number of rows.
    #[inline(always)]
    pub(super) unsafe fn run<S: Scale<T>>(
        a: *const T,
        b: *const T,
        c: *mut T,
        row: usize,
        scale: S,
    ) {
        // SAFETY: every offset below is one of an index of the nest: rows of this tile, rounds of the sums, vectors of
        // this piece with the lanes that the axis has. The caller has the instructions of V.
        unsafe {
            let (mut rows_a, mut rows_b, mut rows_c) = ([a; ROWS], [b; ROWS], [c; ROWS]);
            rows!(Self; i => {
                let at = N::row(row + i);
                rows_a[i] = a.offset(at.a);
                rows_b[i] = b.offset(at.b);
                rows_c[i] = c.offset(at.c);
            });
            let mut sums = [[V::splat(T::ZERO); VECTORS]; ROWS];
            if N::SUMMED {
                Self::sum_vectors(&mut sums, rows_a, rows_b);
                let mut totals = [V::splat(T::ZERO); ROWS];
                rows!(Self; i => totals[i] = Self::total(sums[i]));
                // Rows that lie one after the other in the result are summed and stored together.
                groups!(Self; i => {
                    let i = i * V::SUMS;
                    let group = [totals[i], totals[(i + 1) % ROWS], totals[(i + 2) % ROWS], totals[(i + 3) % ROWS]];
                    let old = || V::Sums::load(rows_c[i], V::SUMS);
                    scale.finish(V::sums(group), old).store(rows_c[i], V::SUMS);
                });
                rows!(Self; i => if Self::alone(i) {
                    let sum = N::One::splat(totals[i].sum());
                    scale.finish(sum, || N::One::load(rows_c[i], 1)).store(rows_c[i], 1);
                });
                return;
            }
            rows!(Self; i => Self::first(&mut sums[i], rows_a[i], rows_b[i]));
            let mut k = 1;
            while k < N::ROUNDS {
                let at = N::sum(k);
                rows!(Self; i =>
                    Self::accumulate(&mut sums[i], rows_a[i].offset(at.a), rows_b[i].offset(at.b)));
                k += 1;
            }
            rows!(Self; i => Self::finish(sums[i], rows_c[i], scale));
        }
    }

    /// The products of the first round of the sums, in one row.
    ///
    /// # Safety
    ///
    /// As for `run`, of which this is a part.
    #[inline(always)]
    unsafe fn first(sums: &mut [V; VECTORS], a: *const T, b: *const T) {
        // SAFETY: as in `run`.
        unsafe {
            vectors!(Self; j => {
                let n = Self::lanes(j);
                sums[j] = if Self::FULL {
                    N::multiply::<true>(a, b, Self::start(j), n)
                } else {
                    N::multiply::<false>(a, b, Self::start(j), n)
                };
            });
        }
    }

    /// Adds the products of one round of the sums, in one row.
    ///
    /// # Safety
    ///
    /// As for `run`, of which this is a part.
    #[inline(always)]
    unsafe fn accumulate(sums: &mut [V; VECTORS], a: *const T, b: *const T) {
        // SAFETY: as in `run`.
        unsafe {
            vectors!(Self; j => {
                let n = Self::lanes(j);
                sums[j] = if Self::FULL {
                    N::multiply_add::<true>(a, b, Self::start(j), n, sums[j])
                } else {
                    N::multiply_add::<false>(a, b, Self::start(j), n, sums[j])
                };
            });
        }
    }

    /// # Safety
    ///
    /// As for `run`, of which this is a part.
    #[inline(always)]
    unsafe fn finish(mut sums: [V; VECTORS], c: *mut T, scale: impl Scale<T>) {
        // SAFETY: as in `run`.
        unsafe {
            if Self::STORED {
                // All is read before anything is written, because vectors may overlap.
                vectors!(Self; j => sums[j] = scale.finish(sums[j], || V::load_all(c.add(Self::start(j)))));
                vectors!(Self; j => sums[j].store_all(c.add(Self::start(j))));
                return;
            }
            vectors!(Self; j => {
                let n = Self::lanes(j);
                let stride = N::RESULT_STRIDE;
                let c = c.offset(Self::start(j) as isize * stride);
                if N::CONTIGUOUS {
                    scale.finish(sums[j], || V::load(c, n)).store(c, n);
                } else {
                    scale.finish(sums[j], || V::gather(c, stride, n)).scatter(c, stride, n);
                }
            });
        }
    }

    /// All rounds of the sums and of a summed vector axis.
    ///
    /// # Safety
    ///
    /// As for `run`, of which this is a part.
    #[inline(always)]
    unsafe fn sum_vectors(
        sums: &mut [[V; VECTORS]; ROWS],
        rows_a: [*const T; ROWS],
        rows_b: [*const T; ROWS],
    ) {
        // SAFETY: as in `run`; `start` is the first element of a round of `WIDTH` vectors, of which the last round
        // (`rest`) may have fewer.
        unsafe {
            let mut k = 0;
            while k < N::ROUNDS {
                let at = N::sum(k);
                let mut start = 0;
                while start + Self::WIDTH * V::WIDTH <= N::LENGTH {
                    let (x, y) = (
                        at.a + start as isize * N::LEFT_STRIDE,
                        at.b + start as isize * N::RIGHT_STRIDE,
                    );
                    rows!(Self; i => vectors!(Self; j => {
                        sums[i][j] = N::multiply_add::<true>(rows_a[i].offset(x), rows_b[i].offset(y), j * V::WIDTH, V::WIDTH, sums[i][j]);
                    }));
                    start += Self::WIDTH * V::WIDTH;
                }
                if Self::REST > 0 {
                    let (x, y) = (
                        at.a + start as isize * N::LEFT_STRIDE,
                        at.b + start as isize * N::RIGHT_STRIDE,
                    );
                    rows!(Self; i => vectors!(Self; j => if Self::REST > j * V::WIDTH {
                        let rest = Self::REST - j * V::WIDTH;
                        let n = if rest < V::WIDTH { rest } else { V::WIDTH };
                        sums[i][j] = N::multiply_add::<false>(rows_a[i].offset(x), rows_b[i].offset(y), j * V::WIDTH, n, sums[i][j]);
                    }));
                }
                k += 1;
            }
        }
    }

    /// # Safety
    ///
    /// The caller has the instructions of V.
    #[inline(always)]
    unsafe fn total(sums: [V; VECTORS]) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            match Self::WIDTH {
                1 => sums[0],
                2 => sums[0].add(sums[1]),
                3 => sums[0].add(sums[1]).add(sums[2]),
                _ => sums[0].add(sums[1]).add(sums[2].add(sums[3])),
            }
        }
    }
}
