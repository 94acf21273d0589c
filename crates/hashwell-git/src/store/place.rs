//! The folders of a repository's objects, as gitrepository-layout(5) describes them.

use super::config::object_format;
use super::read::Damage;
use crate::files::{name_of, reason};
use crate::gitlink::{common_directory, git_directory};
use crate::id::ObjectHash;
use crate::regular;
use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The maximum size in bytes of a configuration or of a list of alternates.
const TEXT_MAX: u64 = 1 << 20;

/// The maximum depth of alternates that have alternates; git's limit.
const ALTERNATES_DEPTH: usize = 5;

/// The folders that contain objects, and the hash function of their ids.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The repository's own folder of objects, followed by those of its alternates.
    pub(crate) objects: Vec<PathBuf>,
    /// The hash function for object ids.
    pub(crate) hash: ObjectHash,
}

/// Finds the repository at `path`, or the one that contains `path`: a working tree, a worktree or submodule (whose
/// `.git` is a file), a `.git` folder, or a bare repository. Alternates that cannot be used are returned as damage.
///
/// # Errors
/// Returns a message if there is no repository or a part of it is missing.
pub(crate) fn find(path: &Path) -> Result<(Place, Vec<Damage>), String> {
    let start = path.canonicalize().map_err(|e| reason(&e))?;
    let git = start.ancestors().find_map(git_folder).ok_or("not a git repository, and not inside one")??;
    let common = common_directory(&git)?;
    let objects = common.join("objects");
    if !objects.is_dir() {
        return Err(format!("{} is not a folder", objects.display()));
    }
    let config = common.join("config");
    let of_config = |why: String| format!("{}: {why}", config.display());
    let text = match regular::read(&config, TEXT_MAX) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|error| of_config(reason(&error)))?,
    };
    let hash = object_format(&text).map_err(of_config)?;
    let mut damage = Vec::new();
    let objects = with_alternates(objects, &mut damage);
    Ok((Place { objects, hash }, damage))
}

/// A folder of objects and all folders that it borrows from, without duplicates. As in git, folders may borrow from
/// each other in cycles.
fn with_alternates(objects: PathBuf, damage: &mut Vec<Damage>) -> Vec<PathBuf> {
    let mut seen: HashSet<PathBuf> = objects.canonicalize().into_iter().collect();
    let mut folders = vec![objects];
    let mut depths = vec![0];
    let mut done = 0;
    while done < folders.len() {
        let (folder, depth) = (folders[done].clone(), depths[done]);
        done += 1;
        let list = folder.join("info/alternates");
        let mut wrong = |path: &Path, why: String| damage.push(Damage { path: path.to_owned(), why });
        let named = match regular::read(&list, TEXT_MAX) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => Err(reason(&error)),
            Ok(_) if depth > ALTERNATES_DEPTH => Err(format!(
                "not followed, because alternates are nested more than {ALTERNATES_DEPTH} levels deep"
            )),
            Ok(text) => alternates(&text).ok_or_else(|| "its list of paths is malformed".to_owned()),
        };
        for path in named.unwrap_or_else(|why| {
            wrong(&list, why);
            Vec::new()
        }) {
            let path = folder.join(path);
            match path.canonicalize() {
                Ok(real) if !seen.insert(real.clone()) => {}
                Ok(real) if real.is_dir() => {
                    folders.push(path);
                    depths.push(depth + 1);
                }
                Ok(_) => wrong(&path, "this alternate is not a folder".to_owned()),
                Err(error) => wrong(&path, format!("an alternate: {}", reason(&error))),
            }
        }
    }
    folders
}

/// The paths in a list of alternates: one per line, without comments. A path that starts with a double quote may be
/// quoted as in C. If its quoting is invalid, the whole line is the path, as in git. `None` if the system cannot
/// represent a path.
fn alternates(mut text: &[u8]) -> Option<Vec<PathBuf>> {
    let mut paths = Vec::new();
    while !text.is_empty() {
        let line = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
        let is_comment = text[0] == b'#';
        let (path, end) = unquoted(text).unwrap_or_else(|| (text[..line].to_vec(), line));
        if !is_comment && !path.is_empty() {
            paths.push(name_of(path)?.into());
        }
        // Skip one byte. After an unquoted path, it is a newline. After a quoted path, it can be any byte, which git
        // skips as well.
        text = text.get(end + 1..).unwrap_or_default();
    }
    Some(paths)
}

/// The C string in quotes at the start of `text`, and its length including the quotes. `None` if there is none.
fn unquoted(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut bytes = text.iter().enumerate().skip(1);
    let mut string = Vec::new();
    if *text.first()? != b'"' {
        return None;
    }
    loop {
        let (at, byte) = bytes.next()?;
        string.push(match byte {
            b'"' => return Some((string, at + 1)),
            b'\\' => match bytes.next()?.1 {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                b @ (b'"' | b'\\') => *b,
                first @ b'0'..=b'3' => {
                    let mut octal = || bytes.next().filter(|(_, digit)| matches!(digit, b'0'..=b'7'));
                    let (second, third) = (octal()?.1, octal()?.1);
                    (first - b'0') << 6 | (second - b'0') << 3 | (third - b'0')
                }
                _ => return None,
            },
            byte => *byte,
        });
    }
}

/// The `.git` folder in this folder, or this folder itself if it is one.
fn git_folder(folder: &Path) -> Option<Result<PathBuf, String>> {
    let dot_git = folder.join(".git");
    if dot_git.exists() {
        let git = git_directory(folder).filter(|git| git.is_dir());
        return Some(git.ok_or_else(|| format!("{} does not name a folder", dot_git.display())));
    }
    let has_objects = folder.join("objects").is_dir() || folder.join("commondir").is_file();
    (has_objects && folder.join("HEAD").is_file()).then(|| Ok(folder.to_path_buf()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_folder_that_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().join(".git");
        std::fs::create_dir_all(git.join("objects")).unwrap();
        std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        assert!(find(folder.path()).is_ok());
        // A pipe, which could block a read, and a device without an end must be rejected.
        assert!(std::process::Command::new("mkfifo").arg(git.join("commondir")).status().unwrap().success());
        let why = find(folder.path()).unwrap_err();
        assert!(why.ends_with("commondir: not a regular file"), "{why}");
        std::fs::remove_file(git.join("commondir")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", git.join("commondir")).unwrap();
        let why = find(folder.path()).unwrap_err();
        assert!(why.ends_with("commondir: not a regular file"), "{why}");
    }

    #[test]
    fn paths_of_alternates() {
        let paths = |text: &str| {
            let paths = alternates(text.as_bytes()).unwrap();
            paths.iter().map(|path| path.to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(paths(""), [""; 0]);
        assert_eq!(paths("\n#x\na\n\nb"), ["a", "b"]);
        assert_eq!(paths("a \\n\r\n"), ["a \\n\r"]);
        assert_eq!(paths("\"a\\nb\nc\\\\\\\"\\303\\244\"\nd"), ["a\nb\nc\\\"\u{e4}", "d"]);
        // As in git, the byte after a quoted path is skipped, and a path with invalid quoting is used unquoted.
        assert_eq!(paths("\"a\"bc\nd"), ["a", "c", "d"]);
        for wrong in ["\"a", "\"a\\", "\"a\\q\"", "\"\\40\"", "\"\\400\"", "\"\\08 \""] {
            assert_eq!(paths(&format!("{wrong}\nb")), [wrong, "b"], "{wrong}");
        }
    }

    #[test]
    fn no_repository() {
        let folder = tempfile::tempdir().unwrap();
        assert!(find(folder.path()).unwrap_err().contains("not a git repository"));
        std::fs::write(folder.path().join(".git"), "gitdir: gone\n").unwrap();
        assert!(find(folder.path()).unwrap_err().contains("does not name a folder"));
        std::fs::write(folder.path().join(".git"), "rubbish").unwrap();
        assert!(find(folder.path()).unwrap_err().contains("does not name a folder"));
    }
}
