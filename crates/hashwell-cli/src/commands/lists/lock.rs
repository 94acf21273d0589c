//! Makes updates of the same list wait for each other, with an advisory lock that leaves no file behind.

use crate::system::interrupt::Interrupt;
use crate::system::os;
use crate::system::report::{Failure, complain_of};
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// The time after which a message explains the wait.
const PATIENCE: Duration = Duration::from_secs(1);

/// Locks a list until the returned file is closed. If a list doesn't exist yet, its folder is locked instead. Returns
/// `None` if the system or the file system does not support this.
///
/// # Errors
/// Returns [`Failure::Interrupted`] if the process is asked to stop while it waits.
pub(super) fn lock(path: &Path, name: &OsStr, interrupt: &Interrupt) -> Result<Option<File>, Failure> {
    // On Windows, a lock would also keep this process from reading the list.
    if !cfg!(unix) {
        return Ok(None);
    }
    let start = Instant::now();
    let mut is_silent = true;
    'list: loop {
        // Opening a pipe could block.
        let is_new = match fs::metadata(path) {
            Ok(found) if found.is_file() => false,
            Ok(_) => return Ok(None),
            Err(_) => true,
        };
        let locked = if is_new { path.parent().unwrap_or(Path::new("/")) } else { path };
        let file = match File::open(locked) {
            Ok(file) => file,
            // The list existed when it was examined, but was removed before it was opened.
            Err(error) if !is_new && error.kind() == ErrorKind::NotFound => continue,
            Err(_) => return Ok(None),
        };
        // Another update may have replaced or made the list before this process got the lock.
        let is_current = || match (is_new, fs::metadata(path)) {
            (true, found) => found.is_err(),
            (false, Ok(found)) => is_same(path, &file, &found),
            (false, Err(_)) => false,
        };
        loop {
            match file.try_lock() {
                Ok(()) if is_current() => return Ok(Some(file)),
                Ok(()) => continue 'list,
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

/// Returns true if the open file is the one that was found under the path.
fn is_same(path: &Path, file: &File, found: &fs::Metadata) -> bool {
    let open = file.metadata().and_then(|open| os::identity(path, &open)).ok();
    open.is_some() && open == os::identity(path, found).ok()
}

/// Returns true if a program such as `flock` has probably locked the file for this process: it is open twice, so one of
/// its descriptors was inherited.
fn is_inherited(locked: &Path) -> bool {
    let identity = |path: &Path| fs::metadata(path).and_then(|found| os::identity(path, &found)).ok();
    let own = identity(locked);
    let Ok(open) = fs::read_dir("/proc/self/fd") else { return false };
    open.flatten().filter(|descriptor| own.is_some() && identity(&descriptor.path()) == own).count() > 1
}
