//! Where a repository's objects lie: the folder layout of gitrepository-layout(5), and the one key of its
//! configuration that matters here.

use crate::ids::gitlink::{common_directory, git_directory};
use crate::report::reason;
use gix_hash::Kind;
use std::path::{Path, PathBuf};

/// Folders that hold objects, and what names them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The repository's own folder of objects, then those of its alternates.
    pub(crate) objects: Vec<PathBuf>,
    /// The hash that makes object ids.
    pub(crate) hash: Kind,
}

/// Finds the repository that `path` is, or is inside of: a working tree, a worktree or submodule (whose `.git`
/// is a file), a `.git` folder, or a bare repository.
///
/// # Errors
/// In words, if there is none or a part of it is missing.
pub(crate) fn find(path: &Path) -> Result<Place, String> {
    let start = path.canonicalize().map_err(|e| reason(&e))?;
    let git =
        start.ancestors().find_map(git_folder).ok_or("not a git repository, and not inside of one")??;
    let common = common_directory(&git);
    let objects = common.join("objects");
    if !objects.is_dir() {
        return Err(format!("{} is not a folder", objects.display()));
    }
    let hash = object_format(&std::fs::read(common.join("config")).unwrap_or_default())?;
    let alternates = gix_odb::alternate::resolve(objects.clone(), &start).map_err(|e| super::one_line(&e))?;
    Ok(Place { objects: [vec![objects], alternates].concat(), hash })
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

/// `extensions.objectFormat`, which git itself writes; SHA-1 if it is missing.
fn object_format(config: &[u8]) -> Result<Kind, String> {
    let config = String::from_utf8_lossy(config).to_lowercase();
    let mut section = "";
    let mut format = "sha1";
    for line in config.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.split(']').next().unwrap_or_default().trim();
        } else if let Some((key, value)) = line.split_once('=')
            && section == "extensions"
            && key.trim() == "objectformat"
        {
            format = value.split(['#', ';']).next().unwrap_or_default().trim().trim_matches('"');
        }
    }
    match format {
        "sha1" => Ok(Kind::Sha1),
        "sha256" => Ok(Kind::Sha256),
        other => Err(format!("object format '{other}' is neither sha1 nor sha256")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_formats() {
        let read = |text: &str| object_format(text.as_bytes());
        assert_eq!(read(""), Ok(Kind::Sha1));
        assert_eq!(read("[core]\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n"), Ok(Kind::Sha256));
        assert_eq!(read("[Extensions]\nOBJECTFORMAT=\"SHA256\" ; new\n"), Ok(Kind::Sha256));
        assert_eq!(read("[core]\n\tobjectFormat = sha256\n"), Ok(Kind::Sha1));
        assert!(read("[extensions]\nobjectformat = md5\n").unwrap_err().contains("'md5'"));
    }

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
