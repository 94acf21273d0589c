//! Where a repository's objects lie: the folder layout of gitrepository-layout(5).

use super::config::object_format;
use super::read::Damage;
use crate::repository::gitlink::{common_directory, git_directory};
use crate::system::regular;
use crate::system::report::reason;
use gix_hash::Kind;
use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Bytes of a configuration or of a list of alternates, at most.
const TEXT_MAX: u64 = 1 << 20;

/// How many lists of alternates may lead to the next one; git's limit.
const ALTERNATES_DEPTH: usize = 5;

/// Folders that hold objects, and what names them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The repository's own folder of objects, then those of its alternates.
    pub(crate) objects: Vec<PathBuf>,
    /// The hash that makes object ids.
    pub(crate) hash: Kind,
}

/// Finds the repository that `path` is, or is inside of: a working tree, a worktree or submodule (whose `.git`
/// is a file), a `.git` folder, or a bare repository. Alternates that cannot be used come as damage.
///
/// # Errors
/// In words, if there is none or a part of it is missing.
pub(crate) fn find(path: &Path) -> Result<(Place, Vec<Damage>), String> {
    let start = path.canonicalize().map_err(|e| reason(&e))?;
    let git =
        start.ancestors().find_map(git_folder).ok_or("not a git repository, and not inside of one")??;
    let common = common_directory(&git);
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

/// A folder of objects and all that it borrows from, each once. As with git, a circle is no harm.
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
            Ok(_) if depth > ALTERNATES_DEPTH => {
                Err(format!("alternates of alternates, more than {ALTERNATES_DEPTH} times: not followed"))
            }
            Ok(text) => gix_odb::alternate::parse(&text).map_err(|_| "its paths cannot be read".to_owned()),
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
                Ok(_) => wrong(&path, "an alternate that is not a folder".to_owned()),
                Err(error) => wrong(&path, format!("an alternate: {}", reason(&error))),
            }
        }
    }
    folders
}

/// The `.git` folder that belongs to this folder, if it has one or is one.
fn git_folder(folder: &Path) -> Option<Result<PathBuf, String>> {
    let dot_git = folder.join(".git");
    if dot_git.exists() {
        let git = git_directory(folder).filter(|git| git.is_dir());
        return Some(git.ok_or_else(|| format!("{} names no folder", dot_git.display())));
    }
    let has_objects = folder.join("objects").is_dir() || folder.join("commondir").is_file();
    (has_objects && folder.join("HEAD").is_file()).then(|| Ok(folder.to_path_buf()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_repository() {
        let folder = tempfile::tempdir().unwrap();
        assert!(find(folder.path()).unwrap_err().contains("not a git repository"));
        std::fs::write(folder.path().join(".git"), "gitdir: gone\n").unwrap();
        assert!(find(folder.path()).unwrap_err().contains("names no folder"));
        std::fs::write(folder.path().join(".git"), "rubbish").unwrap();
        assert!(find(folder.path()).unwrap_err().contains("names no folder"));
    }
}
