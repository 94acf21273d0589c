//! Each output has a file of its own.

use crate::options::sample_args::SampleOptions;
use crate::system::report::{Failure, printable};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Refuses two outputs in one file, of which the later would replace the earlier.
pub(super) fn check(options: &SampleOptions) -> Result<(), Failure> {
    let outputs = [
        ("--output", &options.output),
        ("--complement", &options.complement),
        ("--transcript", &options.transcript),
        ("--state-out", &options.state_out),
    ];
    let mut places = HashMap::new();
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        if let Some(other) = place(path).and_then(|place| places.insert(place, option)) {
            let path = printable(path.as_os_str());
            return Err(Failure::Usage(format!("{other} and {option} are the same file: {path}")));
        }
    }
    Ok(())
}

/// Where a file gets its name: the folder, whichever way it is named, and the name. Devices may be named twice.
fn place(path: &Path) -> Option<PathBuf> {
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return None;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}
