//! The memory of intermediates: one aligned block for a whole call, slots by liveness.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// Alignment of the block and of every slot, in bytes: a cache line, and the widest vector register.
pub(crate) const ALIGN: usize = 64;

/// An aligned block that only grows. Its content means nothing between calls.
#[derive(Debug)]
pub(crate) struct Workspace {
    block: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the block is owned by this value alone and holds no references.
unsafe impl Send for Workspace {}
// SAFETY: a shared reference gives no access to the block.
unsafe impl Sync for Workspace {}

impl Workspace {
    pub(crate) const fn new() -> Self {
        Workspace {
            block: NonNull::dangling(),
            bytes: 0,
        }
    }

    /// The block, of at least `bytes` bytes: zeros when it is new (which costs next to nothing: the system has zeroed
    /// pages at hand), whatever earlier calls left there later.
    pub(crate) fn reserve(&mut self, bytes: usize) -> *mut u8 {
        if bytes > self.bytes {
            self.clear();
            let layout = Self::layout(bytes);
            // SAFETY: `bytes` is greater than 0, since it is greater than another usize.
            let block = unsafe { alloc_zeroed(layout) };
            self.block = NonNull::new(block).unwrap_or_else(|| handle_alloc_error(layout));
            cteinsum_kernels::large_pages(block, bytes);
            self.bytes = bytes;
        }
        self.block.as_ptr()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn clear(&mut self) {
        if self.bytes > 0 {
            // SAFETY: the block was allocated by `reserve` with this layout and is freed once: `bytes` is 0 after it.
            unsafe { dealloc(self.block.as_ptr(), Self::layout(self.bytes)) };
            self.block = NonNull::dangling();
            self.bytes = 0;
        }
    }

    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes, ALIGN)
            .expect("a workspace fits the address space: the caller checked its slots")
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Places slots in the block while a call is prepared: first fit, lowest address first.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    /// Live slots as (offset, length), by offset.
    live: Vec<(usize, usize)>,
    peak: usize,
}

impl Slots {
    /// The offset of a free range of `bytes` bytes; `None` if the block would not fit the address space.
    pub(crate) fn take(&mut self, bytes: usize) -> Option<usize> {
        let bytes = bytes.max(1).checked_next_multiple_of(ALIGN)?;
        let mut offset = 0;
        let mut place = self.live.len();
        for (i, &(start, len)) in self.live.iter().enumerate() {
            if start - offset >= bytes {
                place = i;
                break;
            }
            offset = start + len;
        }
        let end = offset
            .checked_add(bytes)
            .filter(|&end| end <= isize::MAX as usize - ALIGN)?;
        self.live.insert(place, (offset, bytes));
        self.peak = self.peak.max(end);
        Some(offset)
    }

    /// Frees the slot at `offset`.
    pub(crate) fn free(&mut self, offset: usize) {
        self.live.retain(|&(start, _)| start != offset);
    }

    /// The bytes that the block needs.
    pub(crate) fn peak(&self) -> usize {
        self.peak
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_slots_are_used_again_lowest_first() {
        let mut slots = Slots::default();
        let a = slots.take(100).unwrap();
        let b = slots.take(1).unwrap();
        let c = slots.take(64).unwrap();
        assert_eq!((a, b, c), (0, 128, 192));
        slots.free(a);
        assert_eq!(slots.take(65), Some(0));
        slots.free(b);
        assert_eq!(
            slots.take(65),
            Some(256),
            "a gap of 64 bytes is too small for 128"
        );
        assert_eq!(slots.peak(), 384);
    }

    #[test]
    fn sizes_beyond_the_address_space_are_refused() {
        let mut slots = Slots::default();
        assert_eq!(slots.take(usize::MAX), None);
        assert!(slots.take(isize::MAX as usize / 2).is_some());
        assert_eq!(slots.take(isize::MAX as usize / 2 + 2 * ALIGN), None);
    }

    #[test]
    fn the_block_is_aligned_and_grows() {
        let mut workspace = Workspace::new();
        assert_eq!(workspace.bytes(), 0);
        assert_eq!(workspace.reserve(3).addr() % ALIGN, 0);
        assert_eq!(workspace.reserve(1000).addr() % ALIGN, 0);
        assert_eq!(workspace.bytes(), 1000);
        workspace.reserve(10);
        assert_eq!(workspace.bytes(), 1000);
        workspace.clear();
        assert_eq!(workspace.bytes(), 0);
    }
}
