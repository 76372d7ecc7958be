//! Scratch memory that outlives the calls.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};

use super::pages::large_pages;

/// The alignment of the scratch: one cache line, one AVX-512 register.
pub(crate) const ALIGN: usize = 64;

/// Reusable scratch memory for packed panels, 64-byte aligned, grown on demand and never shrunk by itself.
///
/// A kernel that runs with a buffer that has served the same step before does not allocate.
pub struct PackBuffer {
    ptr: *mut u8,
    bytes: usize,
}

// SAFETY: the buffer owns its memory like a `Vec<u8>`; nothing in it refers to a thread.
unsafe impl Send for PackBuffer {}
// SAFETY: a shared reference gives no access to the memory.
unsafe impl Sync for PackBuffer {}

impl PackBuffer {
    /// An empty buffer: no allocation before the first use.
    pub const fn new() -> PackBuffer {
        PackBuffer {
            ptr: core::ptr::null_mut(),
            bytes: 0,
        }
    }

    /// The number of bytes held between calls.
    pub fn retained_bytes(&self) -> usize {
        self.bytes
    }

    /// Gives the memory back.
    pub fn clear(&mut self) {
        *self = PackBuffer::new();
    }

    /// Uninitialised memory of at least `bytes` bytes, aligned to 64; the contents of earlier calls are gone.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Scratch {
        if bytes > self.bytes {
            self.clear();
            let layout = layout(bytes);
            // SAFETY: the layout has a size above 0, because `bytes > self.bytes >= 0`.
            let ptr = unsafe { alloc(layout) };
            if ptr.is_null() {
                handle_alloc_error(layout);
            }
            large_pages(ptr, layout.size());
            self.ptr = ptr;
            self.bytes = layout.size();
        }
        Scratch(self.ptr)
    }
}

/// The memory of a buffer during one call, to be shared out to threads.
#[derive(Clone, Copy)]
pub(crate) struct Scratch(*mut u8);

// SAFETY: a pointer; every thread of a call uses its own part of the memory (`part`).
unsafe impl Send for Scratch {}
// SAFETY: as above.
unsafe impl Sync for Scratch {}

impl Scratch {
    /// The memory from byte `at` on.
    ///
    /// # Safety
    ///
    /// `at` lies in the reserved memory and is aligned for `T`, and no other thread uses what this one does.
    pub(crate) unsafe fn part<T>(&self, at: usize) -> *mut T {
        // SAFETY: the caller's promise.
        unsafe { self.0.add(at).cast() }
    }
}

/// Whole cache lines that hold `bytes` bytes.
fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, ALIGN)
        .expect("a pack buffer larger than the address space")
        .pad_to_align()
}

impl Drop for PackBuffer {
    fn drop(&mut self) {
        if !self.ptr.is_null() {
            // SAFETY: `reserve` made this allocation with the same layout: `bytes` is its padded size.
            unsafe { dealloc(self.ptr, layout(self.bytes)) };
        }
    }
}

impl Default for PackBuffer {
    fn default() -> PackBuffer {
        PackBuffer::new()
    }
}

impl core::fmt::Debug for PackBuffer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PackBuffer")
            .field("bytes", &self.bytes)
            .finish()
    }
}
