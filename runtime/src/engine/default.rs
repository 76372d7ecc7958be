//! The engines that serve calls without `engine =`.

use std::cell::RefCell;
use std::sync::{Mutex, TryLockError};

use crate::engine::{Engine, EngineError};
use crate::kernel::Team;

thread_local! {
    /// One serial engine a thread, so that calls without an engine keep their preparations and their workspace.
    static ENGINE: RefCell<Engine> = const { RefCell::new(Engine::serial()) };
}

/// The threads of the whole process, lent to one call at a time.
static SHARED: Mutex<Option<Team>> = Mutex::new(None);

/// Sets the number of threads for every call without `engine =`, in the whole process.
///
/// The threads are lent to one call at a time; calls that find them taken run on their own thread, with the same
/// bits. 1 returns to serial calls.
///
/// # Errors
/// [`EngineError`] if `threads` is 0 or the threads cannot be had; the setting stays what it was.
pub fn set_default_threads(threads: usize) -> Result<(), EngineError> {
    let team = Team::new(threads)?;
    let mut shared = SHARED
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    *shared = (team.threads() > 1).then_some(team);
    Ok(())
}

/// Runs `call` with the engine of this thread, and with the shared threads if they are free.
pub(crate) fn with_default_engine<R>(call: impl FnOnce(&mut Engine) -> R) -> R {
    ENGINE.with(|engine| match engine.try_borrow_mut() {
        Ok(mut engine) => with_shared_team(&mut engine, call),
        // A call from within a call, by the arithmetic of a user's element type.
        Err(_) => call(&mut Engine::serial()),
    })
}

fn with_shared_team<R>(engine: &mut Engine, call: impl FnOnce(&mut Engine) -> R) -> R {
    let mut shared = match SHARED.try_lock() {
        Ok(shared) => shared,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return call(engine),
    };
    let Some(team) = shared.as_mut() else {
        drop(shared);
        return call(engine);
    };
    /// Gives the team back when the call ends, by a panic as well.
    struct Lent<'a>(&'a mut Engine, &'a mut Team);
    impl Drop for Lent<'_> {
        fn drop(&mut self) {
            core::mem::swap(&mut self.0.team, self.1);
        }
    }
    core::mem::swap(&mut engine.team, team);
    let lent = Lent(engine, team);
    call(lent.0)
}
