//! Ctrl-C in work that has something to show when it stops early.

use signal_hook::consts::SIGINT;
use signal_hook::{SigId, flag, low_level};
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// While it lives, a first Ctrl-C is only noted; a second one ends the process.
pub(crate) struct Interrupt {
    noted: Arc<AtomicBool>,
    handlers: [SigId; 2],
}

/// Exit code of a process that Ctrl-C ended, as shells show it.
pub(crate) const INTERRUPTED: u8 = 130;

impl Interrupt {
    /// # Errors
    /// If the system does not let it.
    pub(crate) fn watch() -> io::Result<Self> {
        let noted = Arc::new(AtomicBool::new(false));
        // In this order: the first call ends the process only if the second one ran before.
        let end = flag::register_conditional_shutdown(SIGINT, INTERRUPTED.into(), Arc::clone(&noted))?;
        let note = flag::register(SIGINT, Arc::clone(&noted))?;
        Ok(Self { noted, handlers: [end, note] })
    }

    /// True once Ctrl-C was pressed.
    pub(crate) fn noted(&self) -> &AtomicBool {
        &self.noted
    }

    /// A break once Ctrl-C was pressed.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.noted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        self.handlers.into_iter().for_each(|handler| {
            low_level::unregister(handler);
        });
    }
}
