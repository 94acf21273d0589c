//! Git's objects: their headers, and the entries of trees.

use crate::system::os::name_bytes;
use std::ffi::OsStr;

/// What git hashes before an object's content: its type (`blob`, `tree`, `commit`, `tag`), a space, the content's
/// bytes in decimal, and NUL.
pub(crate) fn object_header(object_type: &str, size: u64) -> Vec<u8> {
    format!("{object_type} {size}\0").into_bytes()
}

/// What an entry of a tree is, as its mode says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    File = 0o100644,
    Executable = 0o100755,
    Link = 0o120000,
    Directory = 0o40000,
    Commit = 0o160000,
}

/// Whether git takes no entry of this name: other spellings of `.git` on some file system, and `.gitmodules` as
/// a link.
pub(crate) fn refuses(name: &OsStr, link: bool) -> bool {
    let name = name_bytes(name).to_ascii_lowercase();
    if link && name == b".gitmodules" {
        return true;
    }
    // Windows separates by backslashes, ignores dots and blanks at the end, and names streams after a colon.
    name.split(|byte| *byte == b'\\').any(|part| {
        let rest = part.strip_prefix(b".git").or_else(|| part.strip_prefix(b"git~1"));
        let rest = rest.and_then(|rest| rest.split(|byte| *byte == b':').next());
        rest.is_some_and(|rest| rest.iter().all(|byte| matches!(byte, b'.' | b' ')))
    })
}
