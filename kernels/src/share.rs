//! Sharing out a matrix, or a batch of them, over a team.

use core::ops::Range;

/// What one thread works on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Batch items.
    pub(crate) items: Range<usize>,
    /// Rows of C.
    pub(crate) rows: Range<usize>,
    /// Columns of C.
    pub(crate) columns: Range<usize>,
}

/// C cut along one direction: the batch where there are enough items, else the longer of rows and columns, at
/// multiples of the register tile. The last part takes what is left over, so no part is thinner than a tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    parts: usize,
    items: usize,
    rows: usize,
    columns: usize,
    along: Along,
    unit: usize,
}

#[derive(Clone, Copy, Debug)]
enum Along {
    Items,
    Rows,
    Columns,
}

impl Share {
    /// At most `width` parts of `items` matrices of `rows x columns`, cut at multiples of `row_unit` or `column_unit`.
    pub(crate) fn new(
        items: usize,
        (rows, row_unit): (usize, usize),
        (columns, column_unit): (usize, usize),
        width: usize,
    ) -> Share {
        let (along, unit, units) = if items >= 4 * width {
            (Along::Items, 1, items)
        } else if rows / row_unit >= width && rows >= columns {
            (Along::Rows, row_unit, rows / row_unit)
        } else if columns / column_unit >= width {
            (Along::Columns, column_unit, columns / column_unit)
        } else {
            (Along::Rows, row_unit, rows / row_unit)
        };
        Share {
            parts: width.min(units).max(1),
            items,
            rows,
            columns,
            along,
            unit,
        }
    }

    /// The number of parts.
    pub(crate) fn parts(&self) -> usize {
        self.parts
    }

    /// Part `part`.
    pub(crate) fn part(&self, part: usize) -> Part {
        let cut = |len: usize| {
            let units = len / self.unit;
            let at = |part: usize| {
                if part == self.parts {
                    len
                } else {
                    units * part / self.parts * self.unit
                }
            };
            at(part)..at(part + 1)
        };
        let mut whole = Part {
            items: 0..self.items,
            rows: 0..self.rows,
            columns: 0..self.columns,
        };
        match self.along {
            Along::Items => whole.items = cut(self.items),
            Along::Rows => whole.rows = cut(self.rows),
            Along::Columns => whole.columns = cut(self.columns),
        }
        whole
    }
}
