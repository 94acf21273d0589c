//! How a test says that it did not run: the harness hides what passing tests print, so that a line on standard
//! error alone is never seen.

use std::io::Write;

/// Says on standard error that `what` was skipped and why, and adds the line to the file that `HASHWELL_SKIPPED`
/// names, from which `make test` makes its last line.
pub fn skipped(what: &str, why: &str) {
    let line = format!("{what} ({why})\n");
    eprint!("SKIPPED: {line}");
    let Some(path) = std::env::var_os("HASHWELL_SKIPPED") else { return };
    // One short write to a file opened for appending is not mixed with that of another process.
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.unwrap_or_else(|e| panic!("HASHWELL_SKIPPED={}: {e}", path.display()));
}
