//! The engine: threads, workspace and the memory of prepared calls.
//!
//! A call goes through here in four steps, one module each: [`plan`] (what to compute), [`cache`] (is it prepared
//! for these shapes and strides?), [`prepare`] (if not: check the sizes, lower the tree, choose the kernels),
//! [`execute`] (run them, intermediates in the [`workspace`]).

pub(crate) mod apart;
mod cache;
mod default;
pub(crate) mod execute;
#[cfg(feature = "report")]
mod explain;
mod orders;
pub(crate) mod plan;
mod prepare;
mod raw;
pub(crate) mod small;
mod strides;
pub(crate) mod sum;
#[cfg(feature = "gradient")]
pub(crate) mod tape;
#[cfg(test)]
mod tests;
mod workspace;

use crate::kernel::{PackBuffer, Team, TeamError};
use crate::scalar::Scalar;

pub use default::set_default_threads;
pub(crate) use default::with_default_engine;
#[cfg(feature = "report")]
pub use explain::Explanation;
pub(crate) use raw::Target;
pub use raw::{MemoryOrder, Raw, RawMut};
#[cfg(feature = "gradient")]
pub(crate) use strides::row_major;
#[cfg(feature = "gradient")]
pub(crate) use workspace::Slots;

/// New elements, all zero, on large pages where the system has them: pages that are zeroed cost less than zeros written.
pub(crate) fn zeros<T: Scalar>(len: usize) -> Vec<T> {
    let elements = vec![T::ZERO; len];
    cteinsum_kernels::large_pages(elements.as_ptr(), size_of_val(elements.as_slice()));
    elements
}

/// Why an engine could not be made.
pub type EngineError = TeamError;

/// Runs einsums: owns threads, workspace and the memory of prepared calls.
///
/// An engine belongs to its caller and is borrowed for a call. Results do not depend on it: every engine gives
/// the same bits, whatever its number of threads and whatever it computed before.
///
/// ```
/// use cteinsum::{Engine, Tensor, einsum};
/// let mut engine = Engine::serial();
/// let a = Tensor::from_fn([2, 3], |[i, j]| (i + j) as f64);
/// let b = Tensor::from_fn([3, 2], |[j, k]| (j * k) as f64);
/// let c = einsum!("ij,jk->ik", a, b, engine = &mut engine);
/// assert_eq!(c.as_slice(), [0.0, 5.0, 0.0, 8.0]);
/// ```
#[derive(Debug)]
pub struct Engine {
    pub(crate) team: Team<'static>,
    cache: cache::Cache,
    pub(crate) orders: orders::Orders,
    /// Plans of derivatives, the oldest one first.
    #[cfg(feature = "gradient")]
    pub(crate) gradients: Vec<std::sync::Arc<crate::gradient::plan::GradientPlan>>,
    /// What plans of derivatives run, made ready.
    #[cfg(feature = "gradient")]
    tapes: Vec<tape::Tape>,
    /// Memory of the last derivative: its bytes, and a `Vec` of its elements.
    #[cfg(feature = "gradient")]
    scratch: Option<(usize, Box<dyn core::any::Any + Send + Sync>)>,
    /// Memory of the last pullback that is gone.
    #[cfg(feature = "gradient")]
    saved: Option<std::sync::Arc<crate::gradient::Home>>,
    workspace: workspace::Workspace,
    pack: PackBuffer,
    /// Bytes that may be kept for later calls.
    retained_limit: usize,
    /// Every step is shared out, however little work it is.
    split_all: bool,
}

impl Engine {
    /// An engine that runs on the calling thread alone. Making one allocates nothing.
    pub const fn serial() -> Self {
        Engine::on(Team::serial())
    }

    /// How a call may be shared out.
    #[inline]
    fn sharing(&self) -> prepare::Sharing {
        prepare::Sharing {
            threads: self.team.threads(),
            always: self.split_all,
        }
    }

    /// An engine of `threads` threads, the calling one among them.
    ///
    /// # Errors
    /// If `threads` is 0 or the threads cannot be had: at once, never after a wait, and never a serial engine instead.
    pub fn with_threads(threads: usize) -> Result<Self, EngineError> {
        Ok(Engine::on(Team::new(threads)?))
    }

    const fn on(team: Team<'static>) -> Self {
        Engine {
            team,
            cache: cache::Cache::new(),
            orders: orders::Orders::new(),
            #[cfg(feature = "gradient")]
            gradients: Vec::new(),
            #[cfg(feature = "gradient")]
            tapes: Vec::new(),
            #[cfg(feature = "gradient")]
            scratch: None,
            #[cfg(feature = "gradient")]
            saved: None,
            workspace: workspace::Workspace::new(),
            pack: PackBuffer::new(),
            retained_limit: usize::MAX,
            split_all: false,
        }
    }

    /// The engine of a thread that nobody asked for: it keeps at most 256 MiB.
    pub(crate) const fn of_thread() -> Self {
        let mut engine = Engine::serial();
        engine.retained_limit = 256 << 20;
        engine
    }

    /// Shares every step out to all threads, even where that does not pay: small tests then meet the threads.
    #[doc(hidden)]
    pub fn __split_everything(&mut self) {
        self.clear();
        self.split_all = true;
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.team.threads()
    }

    /// Bytes kept for later calls: workspace and packing buffers.
    pub fn retained_bytes(&self) -> usize {
        #[cfg(feature = "gradient")]
        let saved = self.saved.as_ref().map_or(0, |saved| saved.bytes());
        #[cfg(not(feature = "gradient"))]
        let saved = 0;
        self.own_bytes() + saved
    }

    /// Those that nobody else gives back.
    fn own_bytes(&self) -> usize {
        #[cfg(feature = "gradient")]
        let scratch = self.scratch.as_ref().map_or(0, |(bytes, _)| *bytes);
        #[cfg(not(feature = "gradient"))]
        let scratch = 0;
        self.workspace.bytes() + self.pack.retained_bytes() + scratch
    }

    /// Memory for what a pullback keeps, which is given back when that is gone.
    #[cfg(feature = "gradient")]
    pub(crate) fn take_saved<T: Scalar>(&mut self, elements: usize) -> crate::gradient::Saved<T> {
        if elements == 0 {
            return crate::gradient::Saved::none();
        }
        let limit = self.retained_limit;
        let home = self
            .saved
            .get_or_insert_with(|| crate::gradient::Home::new(limit).into());
        crate::gradient::Saved::new(home, elements)
    }

    /// Bounds [`retained_bytes`](Engine::retained_bytes) between calls: what a call needs beyond that is freed at its end,
    /// and allocated again by the next one that needs it.
    ///
    /// Without it an engine keeps what its largest call needed; those behind calls without `engine =` keep at most
    /// 256 MiB a thread. What a call computes does not depend on it.
    pub fn set_retained_limit(&mut self, bytes: usize) {
        self.retained_limit = bytes;
        self.keep_below(bytes);
    }

    /// Memory for at least so many elements, of any values: that of the last derivative, if it had such elements.
    #[cfg(feature = "gradient")]
    pub(crate) fn take_scratch<T: Scalar>(
        &mut self,
        elements: usize,
    ) -> crate::gradient::Passing<T> {
        if elements == 0 {
            return crate::gradient::Passing(None);
        }
        let last = self.scratch.take();
        let last = last.and_then(|(_, last)| last.downcast::<Vec<T>>().ok());
        let last = last.filter(|last| last.len() >= elements);
        crate::gradient::Passing(last.or_else(|| Some(zeros(elements).into())))
    }

    /// Keeps memory for the next derivative.
    #[cfg(feature = "gradient")]
    pub(crate) fn keep_scratch<T: Scalar>(&mut self, scratch: crate::gradient::Passing<T>) {
        if let Some(scratch) = scratch.0 {
            self.scratch = Some((scratch.capacity() * size_of::<T>(), scratch));
            self.keep_to_limit();
        }
    }

    /// After a call. Nothing is counted where there is no limit.
    #[inline]
    fn keep_to_limit(&mut self) {
        if self.retained_limit != usize::MAX {
            self.keep_below(self.retained_limit);
        }
    }

    fn keep_below(&mut self, limit: usize) {
        if self.retained_bytes() > limit {
            self.workspace.clear();
            self.pack.clear();
            #[cfg(feature = "gradient")]
            {
                self.scratch = None;
            }
        }
        #[cfg(feature = "gradient")]
        if let Some(saved) = &self.saved {
            saved.set_limit(limit.saturating_sub(self.own_bytes()));
        }
    }

    /// Frees what is kept for later calls, and forgets every prepared call.
    pub fn clear(&mut self) {
        self.workspace.clear();
        self.pack.clear();
        self.cache.clear();
        self.orders.clear();
        #[cfg(feature = "gradient")]
        {
            self.gradients.clear();
            self.tapes.clear();
            self.scratch = None;
            self.saved = None;
        }
    }

    /// How often a call found its preparation in memory, and how often it had to be prepared.
    pub fn stats(&self) -> EngineStats {
        let stats = self.cache.stats();
        EngineStats {
            hits: stats.hits,
            misses: stats.misses,
        }
    }
}

impl Default for Engine {
    fn default() -> Self {
        Engine::serial()
    }
}

/// Counters of an [`Engine`]. Products of two small matrices, which need no preparation, may count as neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineStats {
    /// Calls whose preparation was remembered.
    pub hits: u64,
    /// Calls that were prepared.
    pub misses: u64,
}
