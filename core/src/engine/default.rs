//! The engines that serve calls without `engine =`.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::engine::{Engine, EngineError};
use crate::kernel::Team;

thread_local! {
    /// One serial engine a thread, so that calls without an engine keep their preparations and their workspace.
    static ENGINE: RefCell<Engine> = const { RefCell::new(Engine::of_thread()) };
}

/// The threads of the whole process, lent to one call at a time.
struct Shared {
    /// `None` while they are lent, or if there are none.
    team: Option<Team<'static>>,
    /// Which setting the team belongs to: one that comes back after a new setting is let go.
    setting: u64,
}

static SHARED: Mutex<Shared> = Mutex::new(Shared {
    team: None,
    setting: 0,
});
/// Whether there are threads to be lent at all, so that a program without them never takes the lock.
static ANY: AtomicBool = AtomicBool::new(false);

/// The lock is held for a few moves only; no code of a user runs under it.
fn shared() -> MutexGuard<'static, Shared> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the number of threads for every call without `engine =`, in the whole process.
///
/// The threads are lent to one call at a time; calls that find them taken run on their own thread, with the same
/// bits. Calls that run already end with the threads they have. 1 returns to serial calls.
///
/// # Errors
/// [`EngineError`] if `threads` is 0 or the threads cannot be had; the setting stays what it was.
pub fn set_default_threads(threads: usize) -> Result<(), EngineError> {
    let team = Team::new(threads)?;
    let team = (team.threads() > 1).then_some(team);
    ANY.store(team.is_some(), Ordering::Relaxed);
    let mut shared = shared();
    shared.setting += 1;
    // The old threads are joined at the end of this function, outside of the lock.
    let _old = core::mem::replace(&mut shared.team, team);
    drop(shared);
    Ok(())
}

/// Runs `call` with the engine of this thread, and with the shared threads if they are free.
#[inline]
pub(crate) fn with_default_engine<R>(call: impl FnOnce(&mut Engine) -> R) -> R {
    let mut call = Some(call);
    let result = ENGINE.try_with(|engine| {
        let mut engine = engine.try_borrow_mut().ok()?;
        let call = call.take()?;
        Some(if ANY.load(Ordering::Relaxed) {
            with_shared_team(&mut engine, call)
        } else {
            call(&mut engine)
        })
    });
    match (result, call) {
        (Ok(Some(result)), _) => result,
        // A call from within a call, by the arithmetic of a user's element type, or from the destructor of another
        // thread local, when this one is gone.
        (_, Some(call)) => call(&mut Engine::serial()),
        (_, None) => unreachable!("a call that was taken has a result"),
    }
}

fn with_shared_team<R>(engine: &mut Engine, call: impl FnOnce(&mut Engine) -> R) -> R {
    let (team, setting) = {
        let mut shared = shared();
        (shared.team.take(), shared.setting)
    };
    let Some(team) = team else {
        return call(engine);
    };
    /// Gives the threads back when the call ends, by a panic as well.
    struct Lent<'a> {
        engine: &'a mut Engine,
        own: Option<Team<'static>>,
        setting: u64,
    }
    impl Drop for Lent<'_> {
        fn drop(&mut self) {
            let own = self.own.take().expect("the engine's own team");
            let team = core::mem::replace(&mut self.engine.team, own);
            let mut shared = shared();
            // Else `team` is dropped behind `shared`, outside of the lock.
            if shared.setting == self.setting {
                shared.team = Some(team);
            }
        }
    }
    let own = Some(core::mem::replace(&mut engine.team, team));
    let lent = Lent {
        engine,
        own,
        setting,
    };
    call(lent.engine)
}
