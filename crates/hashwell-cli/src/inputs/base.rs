//! Locates the files that the names in a list refer to: relative to a folder, relative to the list, or without a part
//! of their path.

use crate::inputs::reading::is_stdin;
use crate::options::keep_args::KeepOptions;
use crate::system::os::{name_bytes, name_of};
use hashwell_checksums::read::BagIt;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The rule that converts the names in a list to paths.
pub(crate) struct Base<'o> {
    folder: Option<PathBuf>,
    basename: bool,
    prefix: Option<&'o OsStr>,
}

impl<'o> Base<'o> {
    /// The base that the options choose for a list with this name.
    pub(crate) fn of(options: &'o KeepOptions, list_name: &OsStr) -> Self {
        let of_list = || Path::new(list_name).parent().map(Path::to_path_buf);
        let folder = if options.relative { of_list() } else { options.directory.clone() };
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        Self { folder, basename: options.basename, prefix: options.strip_prefix.as_deref() }
    }

    /// The path that a name refers to.
    pub(crate) fn path(&self, name: &OsStr) -> OsString {
        if is_stdin(name) {
            return name.to_owned();
        }
        let bytes = name_bytes(name);
        let mut rest: &[u8] = &bytes;
        if self.basename {
            // Lists from other systems may have other separators.
            let at = rest.iter().rposition(|b| matches!(b, b'/' | b'\\'));
            rest = at.map_or(rest, |at| &rest[at + 1..]);
        } else if let Some(prefix) = self.prefix {
            rest = rest.strip_prefix(&*name_bytes(prefix)).unwrap_or(rest);
            while let Some(more) = rest.strip_prefix(b"/").filter(|_| rest.len() < bytes.len()) {
                rest = more;
            }
        }
        let path = if rest.is_empty() || rest.len() == bytes.len() { None } else { name_of(rest.to_vec()) };
        let path = path.unwrap_or_else(|| name.to_owned());
        self.folder.as_ref().map_or(path.clone(), |folder| folder.join(path).into_os_string())
    }

    /// The version of BagIt, if the list is the manifest of a bag. This is the version in `bagit.txt` next to the list,
    /// or else 1.0.
    pub(crate) fn bagit(list_name: &OsStr) -> Option<BagIt> {
        let path = Path::new(list_name);
        let name = path.file_name()?.to_str()?.strip_suffix(".txt")?;
        name.strip_prefix("manifest-").or_else(|| name.strip_prefix("tagmanifest-"))?;
        let mut text = String::new();
        let read = File::open(path.with_file_name("bagit.txt"))
            .and_then(|file| file.take(1 << 10).read_to_string(&mut text));
        Some(if read.is_ok() { bagit_version(&text) } else { BagIt::V1 })
    }
}

/// The version that `bagit.txt` declares.
pub(crate) fn bagit_version(text: &str) -> BagIt {
    let version = text.lines().find_map(|line| line.strip_prefix("BagIt-Version:"));
    if version.is_some_and(|version| version.trim().starts_with("0.")) { BagIt::Before } else { BagIt::V1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_paths() {
        let path = |options: &KeepOptions, name: &str| {
            Base::of(options, "lists/SUMS".as_ref()).path(name.as_ref()).into_string().unwrap()
        };
        let none = KeepOptions::default();
        assert_eq!(path(&none, "a/b"), "a/b");
        let relative = KeepOptions { relative: true, ..KeepOptions::default() };
        assert_eq!(
            (path(&relative, "a/b"), path(&relative, "/a")),
            ("lists/a/b".to_owned(), "/a".to_owned())
        );
        let basename = KeepOptions { basename: true, directory: Some("d".into()), ..KeepOptions::default() };
        assert_eq!(
            (path(&basename, "/x/y/b"), path(&basename, "C:\\x\\b")),
            ("d/b".to_owned(), "d/b".to_owned())
        );
        assert_eq!((path(&basename, "x/"), path(&basename, "-")), ("d/x/".to_owned(), "-".to_owned()));
        let strip = KeepOptions { strip_prefix: Some("/home/builder".into()), ..KeepOptions::default() };
        assert_eq!(
            (path(&strip, "/home/builder/a/b"), path(&strip, "/home/x")),
            ("a/b".to_owned(), "/home/x".to_owned())
        );
    }
}
