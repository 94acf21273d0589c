//! Reports that a test did not run. The test harness hides the output of passing tests, so a line on standard error
//! would not be seen.

use std::io::Write;

/// Prints to standard error that `what` was skipped and why, and adds the line to the file that `HASHWELL_SKIPPED`
/// names. From that file, `make test` prints its last line.
pub fn skipped(what: &str, why: &str) {
    let line = format!("{what} ({why})\n");
    eprint!("SKIPPED: {line}");
    let Some(path) = std::env::var_os("HASHWELL_SKIPPED") else { return };
    // A short write to a file that was opened for appending is not mixed with those of other processes.
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.unwrap_or_else(|e| panic!("HASHWELL_SKIPPED={}: {e}", path.display()));
}
