//! Git objects: their headers, and the modes and names of tree entries.

use crate::files::name_bytes;
use std::ffi::OsStr;

/// The header that git hashes before an object's content: its type (`blob`, `tree`, `commit`, `tag`), a space, the
/// content's length in decimal, and a NUL.
#[must_use]
pub fn object_header(object_type: &str, size: u64) -> Vec<u8> {
    format!("{object_type} {size}\0").into_bytes()
}

/// The type of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectType {
    /// A commit.
    Commit,
    /// A directory.
    Tree,
    /// The content of a file.
    Blob,
    /// An annotated tag.
    Tag,
}

impl ObjectType {
    /// All types, in the order of their numbers in packs.
    pub const ALL: [Self; 4] = [Self::Commit, Self::Tree, Self::Blob, Self::Tag];

    /// The name in object headers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Tree => "tree",
            Self::Blob => "blob",
            Self::Tag => "tag",
        }
    }

    /// The type with this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|object_type| object_type.name() == name)
    }
}

/// The kind of a tree entry. The value of each variant is the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A regular file.
    File = 0o100644,
    /// A regular file that may be executed.
    Executable = 0o100755,
    /// A symbolic link.
    Link = 0o120000,
    /// A tree.
    Directory = 0o40000,
    /// A commit of another repository: a submodule.
    Commit = 0o160000,
}

/// Returns true if git rejects a tree entry with this name: any spelling of `.git` that some file system treats as
/// equal, and `.gitmodules` as a symbolic link.
#[must_use]
pub fn refuses(name: &OsStr, link: bool) -> bool {
    let name = name_bytes(name).to_ascii_lowercase();
    if link && name == b".gitmodules" {
        return true;
    }
    // Windows uses backslashes as separators, ignores trailing dots and spaces, and allows the name of a stream after a
    // colon.
    name.split(|byte| *byte == b'\\').any(|part| {
        let rest = part.strip_prefix(b".git").or_else(|| part.strip_prefix(b"git~1"));
        let rest = rest.and_then(|rest| rest.split(|byte| *byte == b':').next());
        rest.is_some_and(|rest| rest.iter().all(|byte| matches!(byte, b'.' | b' ')))
    })
}
