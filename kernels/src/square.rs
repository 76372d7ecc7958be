//! Squares of elements, transposed in registers.

/// Reads `S` rows of `S` elements and writes them as columns. Inline it into what is compiled for an instruction set.
///
/// # Safety
///
/// `S` elements are readable at each of `rows` and writable at each of `columns`; the columns are apart from the rows.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn square<U: Copy, const S: usize>(rows: [*const U; S], columns: [*mut U; S]) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut square = [[rows[0].read_unaligned(); S]; S];
        for (line, row) in square.iter_mut().zip(rows) {
            *line = row.cast::<[U; S]>().read_unaligned();
        }
        for (x, to) in columns.into_iter().enumerate() {
            let mut column = square[0];
            for (value, line) in column.iter_mut().zip(&square) {
                *value = line[x];
            }
            to.cast::<[U; S]>().write_unaligned(column);
        }
    }
}
