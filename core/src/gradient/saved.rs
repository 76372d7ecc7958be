//! The memory of what a pullback keeps: it goes back to its engine when the pullback is gone, so that a loop of gradients
//! neither allocates nor clears it in every round.

use core::any::Any;
use core::fmt;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use crate::scalar::Scalar;

/// Where an engine finds the memory of the last pullback that is gone.
#[derive(Debug)]
pub(crate) struct Home {
    memory: Mutex<Option<Box<dyn Any + Send>>>,
    bytes: AtomicUsize,
    /// Most bytes that are kept.
    limit: AtomicUsize,
}

impl Home {
    pub(crate) fn new(limit: usize) -> Home {
        Home {
            memory: Mutex::new(None),
            bytes: AtomicUsize::new(0),
            limit: AtomicUsize::new(limit),
        }
    }

    /// What is kept.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Keeps no more than this from now on.
    pub(crate) fn set_limit(&self, limit: usize) {
        self.limit.store(limit, Ordering::Relaxed);
        if self.bytes() > limit {
            self.replace(None, 0);
        }
    }

    fn replace(
        &self,
        memory: Option<Box<dyn Any + Send>>,
        bytes: usize,
    ) -> Option<Box<dyn Any + Send>> {
        // Whoever panicked with the lock has left what is either old or new.
        let mut place = self
            .memory
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        self.bytes.store(bytes, Ordering::Relaxed);
        core::mem::replace(&mut *place, memory)
    }

    #[allow(clippy::box_collection)]
    fn keep<T: Scalar>(&self, elements: Box<Vec<T>>) {
        let bytes = elements.capacity() * size_of::<T>();
        if bytes > self.bytes() && bytes <= self.limit.load(Ordering::Relaxed) {
            self.replace(Some(elements), bytes);
        }
    }
}

/// Elements of any values, to be written before they are read.
pub(crate) struct Saved<T> {
    /// In the box in which they are kept.
    #[allow(clippy::box_collection)]
    elements: Option<Box<Vec<T>>>,
    home: Weak<Home>,
    #[allow(clippy::box_collection)]
    keep: fn(&Home, Box<Vec<T>>),
}

impl<T: Scalar> Saved<T> {
    /// At least so many.
    pub(crate) fn new(home: &Arc<Home>, elements: usize) -> Saved<T> {
        let last = home.replace(None, 0);
        let last = last.and_then(|last| last.downcast::<Vec<T>>().ok());
        // A pullback that is kept should not keep the memory of a much larger one.
        let last = last.filter(|last| last.len() >= elements && last.len() / 4 <= elements);
        Saved {
            elements: last.or_else(|| Some(crate::engine::zeros(elements).into())),
            home: Arc::downgrade(home),
            keep: Home::keep::<T>,
        }
    }

    /// None.
    pub(crate) fn none() -> Saved<T> {
        Saved {
            elements: None,
            home: Weak::new(),
            keep: |_, _| {},
        }
    }
}

impl<T> Deref for Saved<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.elements.as_deref().map_or(&[], Vec::as_slice)
    }
}
impl<T> DerefMut for Saved<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.elements
            .as_deref_mut()
            .map_or(&mut [], Vec::as_mut_slice)
    }
}

impl<T> Drop for Saved<T> {
    fn drop(&mut self) {
        if let Some(home) = self.home.upgrade()
            && let Some(elements) = self.elements.take()
        {
            (self.keep)(&home, elements);
        }
    }
}

impl<T> fmt::Debug for Saved<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Saved").finish_non_exhaustive()
    }
}

/// Memory for one direction of a derivative; it goes back to the engine by hand.
#[derive(Debug)]
#[allow(clippy::box_collection)] // in the box in which they are kept
pub(crate) struct Passing<T>(pub(crate) Option<Box<Vec<T>>>);

impl<T> Deref for Passing<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}
impl<T> DerefMut for Passing<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.as_deref_mut().map_or(&mut [], Vec::as_mut_slice)
    }
}
