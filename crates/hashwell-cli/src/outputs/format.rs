//! Output lines of `sum`, with the file names of this system.

use crate::digests::recipe::Keying;
use crate::system::os::name_bytes;
use hashwell_checksums::Choice;
use hashwell_checksums::stamp::Stamp;
use hashwell_checksums::write;
pub(crate) use hashwell_checksums::write::{Encoding, End, Layout, Style, sri_prefix};
use std::ffi::OsStr;

/// The line for one digest, including its terminator.
pub(crate) fn digest_line(
    style: Style,
    choice: Choice,
    keying: &Keying<'_>,
    digest: &[u8],
    name: &OsStr,
    stamp: &Stamp,
) -> Vec<u8> {
    style.line(choice, keying.given(), digest, &name_bytes(name), stamp)
}

/// A line that contains a name. The name is escaped if the line ends with a newline.
pub(crate) fn line(before: &str, separator: &str, name: &OsStr, after: &str, end: End) -> Vec<u8> {
    write::line(before, separator, &name_bytes(name), after, end)
}

/// The name as coreutils 9 escapes it, and the backslash with which the line begins in this case.
pub(crate) fn escaped(name: &OsStr) -> (&'static [u8], Vec<u8>) {
    let bytes = name_bytes(name);
    let (escape, name) = write::escaped(&bytes);
    (escape, name.into_owned())
}

/// The name in a verification result, escaped only if it would take several lines.
pub(crate) fn escaped_if_many_lines(name: &OsStr) -> (&'static [u8], Vec<u8>) {
    let bytes = name_bytes(name);
    let (escape, name) = write::escaped_if_many_lines(&bytes);
    (escape, name.into_owned())
}

/// Adds a name to a JSON object, as the member `name`.
pub(crate) fn name_in(object: &mut serde_json::Value, name: &OsStr) {
    name_member_in(object, "name", name);
}

/// Adds a name to a JSON object, as the member `member`, and its bytes if it is not UTF-8.
pub(crate) fn name_member_in(object: &mut serde_json::Value, member: &str, name: &OsStr) {
    write::name_in(object, member, &name_bytes(name));
}
