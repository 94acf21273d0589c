//! Makes updates of the same list wait for each other, with an advisory lock that leaves no file behind.

use crate::system::interrupt::Interrupt;
use crate::system::os;
use crate::system::report::{Failure, complain_of};
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// The time after which a message explains the wait.
const PATIENCE: Duration = Duration::from_secs(1);

/// Locks a list until the returned file is closed. A list that does not exist yet is locked by its folder. Returns
/// `None` if the system or the file system does not support this.
///
/// # Errors
/// Returns [`Failure::Interrupted`] if the process is asked to stop while it waits.
pub(super) fn lock(path: &Path, name: &OsStr, interrupt: &Interrupt) -> Result<Option<File>, Failure> {
    // On Windows, a lock would also keep this process from reading the list.
    if !cfg!(unix) {
        return Ok(None);
    }
    let identity = |path: &Path| fs::metadata(path).and_then(|found| os::identity(path, &found)).ok();
    let start = Instant::now();
    let mut is_silent = true;
    'list: loop {
        // Opening a pipe could block.
        let locked = match fs::metadata(path) {
            Ok(found) if found.is_file() => path,
            Ok(_) => return Ok(None),
            Err(_) => path.parent().unwrap_or(Path::new("/")),
        };
        let before = identity(path);
        let Ok(file) = File::open(locked) else { return Ok(None) };
        loop {
            match file.try_lock() {
                // Another update has replaced the list, so the lock is on a file that is no longer the list.
                Ok(()) if identity(path) != before => continue 'list,
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::WouldBlock) if is_inherited(locked) => return Ok(None),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(_)) => return Ok(None),
            }
            if interrupt.flow().is_break() {
                return Err(Failure::Interrupted);
            }
            if is_silent && start.elapsed() >= PATIENCE {
                is_silent = false;
                complain_of(name, &"waiting for another program that has locked the list");
            }
            sleep(PAUSE);
        }
    }
}

/// Returns true if a program such as `flock` has probably locked the file for this process: it is open twice, so one of
/// its descriptors was inherited.
fn is_inherited(locked: &Path) -> bool {
    let identity = |path: &Path| fs::metadata(path).and_then(|found| os::identity(path, &found)).ok();
    let own = identity(locked);
    let Ok(open) = fs::read_dir("/proc/self/fd") else { return false };
    open.flatten().filter(|descriptor| own.is_some() && identity(&descriptor.path()) == own).count() > 1
}
