//! The names that a command processes: its arguments, and the names in a list of names.

use crate::inputs::reading::{self, read_named};
use crate::options::args::SumOptions;
use crate::system::os::name_of;
use crate::system::report::{Failure, printable};
use std::ffi::OsString;

/// The maximum size in bytes of a list of names.
const MAX_NAMES: u64 = 1 << 30;

/// The names given as arguments and by `--files-from` or `--files0-from`, or standard input if there are none.
///
/// # Errors
/// Returns [`Failure`] if the list of names cannot be read, or has an empty name between NULs.
pub(crate) fn names(options: &SumOptions) -> Result<Vec<OsString>, Failure> {
    let keep = &options.keep;
    let (list, end) = match (&keep.files_from, &keep.files0_from) {
        (Some(list), _) => (list, b'\n'),
        (None, Some(list)) => (list, 0),
        (None, None) => return Ok(reading::names(&options.files)),
    };
    if reading::is_stdin(list) && options.files.iter().any(|file| reading::is_stdin(file)) {
        return Err(Failure::Usage("standard input cannot be both a file and the list of names".to_owned()));
    }
    let bytes = read_named(list, MAX_NAMES)?;
    let mut names = options.files.clone();
    let last = bytes.strip_suffix(&[end]).unwrap_or(&bytes);
    if last.is_empty() {
        return Ok(names);
    }
    for (number, name) in (1..).zip(last.split(|b| *b == end)) {
        let name = if end == b'\n' { name.strip_suffix(b"\r").unwrap_or(name) } else { name };
        if name.is_empty() {
            if end == b'\n' {
                continue;
            }
            return Err(Failure::Work(format!("{}:{number}: the name is empty", printable(list))));
        }
        names.extend(name_of(name.to_vec()));
    }
    Ok(names)
}
