//! Finds the commit that is checked out in a nested repository. Git records this commit in place of the repository.
//!
//! See gitrepository-layout(5): `.git` is a directory, or a file that names one. If several work trees share their
//! references, `commondir` names the directory with the references.

use crate::files::{name_bytes, name_of, reason};
use crate::regular;
use data_encoding::HEXLOWER_PERMISSIVE;
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum length of a chain of references; the limit of git.
const MAX_DEPTH: usize = 5;

/// The maximum size in bytes of a file that names a different place. This is git's limit for `.git`.
const LINK_MAX: u64 = 1 << 20;

/// The maximum size in bytes of the file of packed references.
const PACKED_MAX: u64 = 1 << 30;

/// The id of the commit that is checked out in the repository at `directory`. `None` if there is no repository.
///
/// # Errors
/// Returns a message if there is a repository, but its references lead to no commit.
pub fn checked_out(directory: &Path) -> Result<Option<Vec<u8>>, String> {
    let Some(git) = git_directory(directory) else { return Ok(None) };
    let common = common_directory(&git)?;
    // This is git's own criterion for whether a directory is a repository.
    let Some(mut reference) = read_reference(&git.join("HEAD")) else { return Ok(None) };
    if !(common.join("objects").is_dir() && common.join("refs").is_dir()) {
        return Ok(None);
    }
    for _ in 0..MAX_DEPTH {
        let name = match reference {
            Reference::Id(id) => return Ok(Some(id)),
            Reference::Name(name) => name,
        };
        let found = match read_reference(&common.join(&name)) {
            Some(found) => Some(found),
            None => packed(&common, &name)?.map(Reference::Id),
        };
        match found {
            Some(found) => reference = found,
            None => break,
        }
    }
    Err("Git does not accept a nested repository without a checked-out commit".to_owned())
}

/// The directory that several work trees share.
///
/// # Errors
/// Returns a message if the file that names it exists but cannot be read.
pub(crate) fn common_directory(git: &Path) -> Result<PathBuf, String> {
    let link = git.join("commondir");
    match regular::read(&link, LINK_MAX) {
        Ok(text) => path(&text)
            .map(|path| git.join(path))
            .ok_or_else(|| format!("{}: the file does not contain a path", link.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(git.to_owned()),
        Err(error) => Err(format!("{}: {}", link.display(), reason(&error))),
    }
}

/// The path of the repository that a work tree belongs to.
pub(crate) fn git_directory(work_tree: &Path) -> Option<PathBuf> {
    let dot_git = work_tree.join(".git");
    let metadata = fs::metadata(&dot_git).ok()?;
    if metadata.is_dir() {
        return Some(dot_git);
    }
    let text = regular::read(&dot_git, LINK_MAX).ok()?;
    Some(work_tree.join(path(text.strip_prefix(b"gitdir: ")?)?))
}

/// The path on the single line of a file.
fn path(text: &[u8]) -> Option<PathBuf> {
    name_of(text.trim_ascii_end().to_vec()).map(PathBuf::from)
}

/// The content of a reference.
enum Reference {
    Id(Vec<u8>),
    /// The path of another reference, which starts with `refs/`.
    Name(PathBuf),
}

/// Reads a file that contains a reference, or a symbolic link to a reference.
fn read_reference(file: &Path) -> Option<Reference> {
    let name = |name: PathBuf| name.starts_with("refs").then_some(Reference::Name(name));
    if let Some(target) = fs::read_link(file).ok().and_then(name) {
        return Some(target);
    }
    let text = regular::read(file, LINK_MAX).ok()?;
    match text.strip_prefix(b"ref:") {
        Some(target) => name(path(target.trim_ascii_start())?),
        None => id(text.trim_ascii_end()).map(Reference::Id),
    }
}

/// An object id of either hash in hexadecimal.
fn id(text: &[u8]) -> Option<Vec<u8>> {
    HEXLOWER_PERMISSIVE.decode(text).ok().filter(|id| [20, 32].contains(&id.len()))
}

/// The id of a reference in the file of packed references, which contains lines `ID NAME` and other lines.
fn packed(common: &Path, name: &Path) -> Result<Option<Vec<u8>>, String> {
    let file = common.join("packed-refs");
    let text = match regular::read(&file, PACKED_MAX) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| format!("packed-refs: {}", reason(&error)))?,
    };
    Ok(text.split(|byte| *byte == b'\n').find_map(|line| {
        let space = line.iter().position(|byte| *byte == b' ')?;
        (line[space + 1..] == *name_bytes(name.as_os_str())).then(|| id(&line[..space])).flatten()
    }))
}
