//! The threads that a kernel may use.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

/// A fixed number of threads: the caller's and, with feature `threads`, reserved helpers that wait for work.
///
/// Kernels split their output over the team in pieces whose results do not depend on the number of pieces, so a
/// team of any size gives the same bits. A panic in one piece reaches the caller after all pieces have ended, and
/// the team can be used again.
///
/// Whoever hands out work has to enter the team first: for one step, or [`within`](Team::within) one entry for many. `'e` is
/// the life of an entry that is going on, `'static` outside.
pub struct Team<'e> {
    #[cfg(feature = "threads")]
    hands: Hands<'e>,
    entries: usize,
    entry: PhantomData<&'e ()>,
}

#[cfg(feature = "threads")]
enum Hands<'e> {
    /// The caller's alone.
    Own,
    /// Those of helpers, too.
    Helpers(threadteam::Team),
    /// Of helpers who wait for the caller's next step and for nobody else's.
    Entered(threadteam::Exec<'e>),
}

/// Why a team could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TeamError {
    /// A team of no threads was asked for.
    Zero,
    /// More than one thread was asked for, but the crate was built without feature `threads`.
    Unsupported {
        /// The number of threads asked for.
        threads: usize,
    },
    /// The threads could not be started or reserved.
    Unavailable {
        /// The number of threads asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

impl fmt::Display for TeamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TeamError::Zero => write!(f, "a team needs at least one thread"),
            TeamError::Unsupported { threads } => write!(
                f,
                "a team of {threads} threads needs the feature `threads` of cteinsum"
            ),
            TeamError::Unavailable { threads, reason } => {
                write!(f, "a team of {threads} threads is not available: {reason}")
            }
        }
    }
}

impl std::error::Error for TeamError {}

impl Team<'_> {
    /// The calling thread alone.
    pub const fn serial() -> Self {
        Team {
            #[cfg(feature = "threads")]
            hands: Hands::Own,
            entries: 0,
            entry: PhantomData,
        }
    }

    /// The calling thread and `threads - 1` helpers, reserved until the team is dropped.
    ///
    /// # Errors
    ///
    /// [`TeamError`] if `threads` is 0 or the helpers cannot be had. There is no fallback to fewer.
    pub fn new(threads: usize) -> Result<Self, TeamError> {
        match threads {
            0 => Err(TeamError::Zero),
            1 => Ok(Team::serial()),
            _ => Team::with_helpers(threads),
        }
    }

    #[cfg(not(feature = "threads"))]
    fn with_helpers(threads: usize) -> Result<Self, TeamError> {
        Err(TeamError::Unsupported { threads })
    }

    #[cfg(feature = "threads")]
    fn with_helpers(threads: usize) -> Result<Self, TeamError> {
        let unavailable = |reason: String| TeamError::Unavailable { threads, reason };
        let most = MOST.max(8 * std::thread::available_parallelism().map_or(1, usize::from));
        if threads > most {
            // The system would start threads until it has none left, for minutes, and then refuse.
            return Err(unavailable(format!(
                "a team has at most {most} on this machine"
            )));
        }
        // The pool is this team's own, so nobody can hold its workers: the timeout bounds only how long the system
        // may take to start them.
        let pool = threadteam::Pool::builder()
            .threads(threads)
            .acquire_timeout(START)
            .spin_polls(SPIN)
            .build()
            .map_err(|error| unavailable(error.to_string()))?;
        let helpers = pool
            .into_team(threads)
            .map_err(|error| unavailable(error.reason().to_string()))?;
        let size = helpers.size().get();
        if size != threads {
            return Err(unavailable(format!("only {size} could be reserved")));
        }
        Ok(Team {
            hands: Hands::Helpers(helpers),
            ..Team::serial()
        })
    }

    /// The number of threads, the caller's included.
    pub fn threads(&self) -> usize {
        #[cfg(feature = "threads")]
        return match &self.hands {
            Hands::Own => 1,
            Hands::Helpers(helpers) => helpers.size().get(),
            Hands::Entered(token) => token.budget().get(),
        };
        #[cfg(not(feature = "threads"))]
        1
    }

    /// How often the team was entered.
    #[doc(hidden)]
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Runs `work` within one entry of up to `width` threads, which all its steps share. Within an entry it is that one.
    pub fn within(&mut self, width: usize, work: &mut dyn FnMut(&mut Team<'_>)) {
        #[cfg(feature = "threads")]
        if width > 1
            && let Hands::Helpers(helpers) = &self.hands
        {
            self.entries += 1;
            return work(&mut Team {
                hands: Hands::Entered(helpers.exec(width)),
                ..Team::serial()
            });
        }
        let _ = width;
        work(self);
    }

    /// Runs `f` on contiguous parts of `0..len`, at most `width` of them and each on its own thread.
    ///
    /// The scheduler is compiled once, for a function behind a reference, not once for every kernel and element type.
    pub(crate) fn for_ranges(
        &mut self,
        len: usize,
        width: usize,
        f: &(dyn Fn(Range<usize>) + Sync),
    ) {
        #[cfg(feature = "threads")]
        if width > 1 && len > 1 && !matches!(self.hands, Hands::Own) {
            return self.share(len, width, f);
        }
        let _ = width;
        if len > 0 {
            f(0..len);
        }
    }

    #[cfg(feature = "threads")]
    #[inline(never)]
    fn share(&mut self, len: usize, width: usize, f: &(dyn Fn(Range<usize>) + Sync)) {
        let one = core::num::NonZeroUsize::MIN;
        match &mut self.hands {
            Hands::Own => f(0..len),
            Hands::Helpers(helpers) => {
                self.entries += 1;
                helpers.exec(width).for_ranges(len, one, f);
            }
            Hands::Entered(token) => {
                let width = core::num::NonZeroUsize::new(width).unwrap_or(one);
                token.reborrow().limit(width).for_ranges(len, one, f);
            }
        }
    }
}

/// No team is larger, unless the machine has so many processors.
#[cfg(feature = "threads")]
const MOST: usize = 1024;

/// How often who waits for the others looks before it sleeps: for about a tenth of a millisecond. Beside another program
/// on one of two processors, products of 512 took 5.5 ms of two threads with the pool's own 300,000 and 3.7 with this
/// (3.5 of one thread), those of 128 955 us and 302; by themselves they lost 0 and 5 %.
#[cfg(feature = "threads")]
const SPIN: u32 = 2_000;

/// How long the system may take to start the helpers.
#[cfg(feature = "threads")]
const START: core::time::Duration = core::time::Duration::from_secs(5);

impl fmt::Debug for Team<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Team")
            .field("threads", &self.threads())
            .finish()
    }
}
