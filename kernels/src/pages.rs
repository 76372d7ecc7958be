//! Large pages for large arrays.
//!
//! The first touch of a page of 4 KiB costs the system more than filling it: a new array of 134 MB takes 72 ms to be touched
//! and 18 ms to be filled again. Pages of 2 MiB are touched 512 times less often, and their addresses are found
//! without a walk through tables. Linux gives them on request where it does not give them to everyone; NumPy asks for
//! arrays of the same size.

/// Bytes from which the request is worth a system call.
const LARGE: usize = 1 << 22;

/// Asks the system to back memory that was only just allocated with large pages, if it is large. What is in the memory
/// stays, and whether the system complies changes nothing but the time.
#[inline]
pub fn large_pages<T>(start: *const T, bytes: usize) {
    if bytes >= LARGE {
        ask(start.cast(), bytes);
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
#[cold]
fn ask(start: *const u8, bytes: usize) {
    use core::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }
    /// The same on all architectures of Linux.
    const MADV_HUGEPAGE: c_int = 14;
    /// The largest page that an architecture begins at: addresses must be those of pages.
    const PAGE: usize = 1 << 16;
    let before = start.addr().wrapping_neg() % PAGE;
    // SAFETY: the range lies in the caller's allocation, or is empty. The advice changes neither what is in the memory
    // nor who may use it, and a refusal is no error.
    unsafe {
        let start = start.wrapping_add(before).cast_mut().cast();
        madvise(start, (bytes - before) / PAGE * PAGE, MADV_HUGEPAGE);
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn ask(_: *const u8, _: usize) {}

#[cfg(test)]
mod tests {
    use super::{LARGE, large_pages};

    /// Any address and length of an allocation will do, and what is there stays.
    #[test]
    fn memory_is_as_it_was() {
        let mut data: Vec<u8> = vec![0; 3 * LARGE];
        data[LARGE] = 7;
        for (first, bytes) in [
            (0, data.len()),
            (1, LARGE),
            (4095, LARGE + 17),
            (5, LARGE - 1),
            (3, 0),
        ] {
            large_pages(&raw const data[first], bytes);
        }
        assert!(
            data.iter()
                .enumerate()
                .all(|(i, &x)| x == if i == LARGE { 7 } else { 0 })
        );
    }
}
