//! From the names on the command line to the files to read.

use crate::digest::is_stdin;
use crate::progress::Progress;
use crate::report::reason;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Something to do for a name, in order.
#[derive(Debug)]
pub(crate) enum Input {
    /// A file to read, or standard input; with its size where that is known.
    File(OsString, Option<u64>),
    /// A name that cannot be read: the reason, and whether it is a failure or only passed over.
    Refused(OsString, String, Severity),
}

impl Input {
    /// The name of a file to read.
    pub(crate) fn file(&self) -> Option<&OsString> {
        match self {
            Input::File(name, _) => Some(name),
            Input::Refused(..) => None,
        }
    }

    /// Bytes to read, if known.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Input::File(_, size) => *size,
            Input::Refused(..) => Some(0),
        }
    }
}

/// What a refused name does to the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    Failure,
    Skipped,
}

/// How directories and links are treated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) recursive: bool,
    pub(crate) follow_links: bool,
}

/// The inputs of the names, in the order given; below a directory in byte order, depth first.
pub(crate) fn inputs(names: &[OsString], rules: Rules) -> Vec<Input> {
    let mut walk = Walk { rules, progress: Progress::names(), inputs: Vec::new() };
    for name in names {
        walk.named(name);
    }
    walk.inputs
}

/// Bytes to read, where known: none of a name that is missing, any number of what is not a regular file.
pub(crate) fn size(name: &OsString) -> Option<u64> {
    if is_stdin(name) {
        return None;
    }
    fs::metadata(name).map_or(Some(0), |metadata| metadata.is_file().then_some(metadata.len()))
}

/// Device and inode: what tells one directory from another whatever it is called.
fn identity(metadata: &fs::Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// The names in a directory, in byte order.
pub(crate) fn children(directory: &OsStr) -> io::Result<Vec<OsString>> {
    let entries = fs::read_dir(directory)?.collect::<io::Result<Vec<_>>>()?;
    let mut names: Vec<OsString> = entries.iter().map(fs::DirEntry::file_name).collect();
    names.sort_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
    Ok(names)
}

struct Walk {
    rules: Rules,
    progress: Progress,
    inputs: Vec<Input>,
}

impl Walk {
    fn refuse(&mut self, name: &OsStr, reason: impl Into<String>, severity: Severity) {
        self.inputs.push(Input::Refused(name.to_owned(), reason.into(), severity));
    }

    /// A name the user gave: links are followed, and pipes and devices read, because they were asked for.
    fn named(&mut self, name: &OsString) {
        self.progress.add(1);
        if is_stdin(name) {
            self.inputs.push(Input::File(name.clone(), None));
            return;
        }
        match fs::metadata(name) {
            Ok(metadata) if metadata.is_dir() && self.rules.recursive => {
                self.directory(name, &mut vec![identity(&metadata)]);
            }
            Ok(metadata) if metadata.is_dir() => self.refuse(name, "Is a directory", Severity::Failure),
            Ok(metadata) => {
                let size = metadata.is_file().then_some(metadata.len());
                self.inputs.push(Input::File(name.clone(), size));
            }
            // Opening it will say why.
            Err(_) => self.inputs.push(Input::File(name.clone(), None)),
        }
    }

    /// `ancestors`: the directories above and this one, to notice links that lead back up.
    fn directory(&mut self, name: &OsStr, ancestors: &mut Vec<(u64, u64)>) {
        let names = match children(name) {
            Ok(names) => names,
            Err(error) => return self.refuse(name, reason(&error), Severity::Failure),
        };
        for child in names {
            self.progress.add(1);
            let path = Path::new(name).join(child).into_os_string();
            let metadata =
                if self.rules.follow_links { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
            let skipped = match metadata {
                Ok(m) if m.is_file() => {
                    self.inputs.push(Input::File(path, Some(m.len())));
                    continue;
                }
                Ok(m) if m.is_dir() && ancestors.contains(&identity(&m)) => "link to a directory above",
                Ok(m) if m.is_dir() => {
                    ancestors.push(identity(&m));
                    self.directory(&path, ancestors);
                    ancestors.pop();
                    continue;
                }
                Ok(m) if m.is_symlink() => "symbolic link",
                Ok(_) => "not a regular file",
                Err(error) => {
                    self.refuse(&path, reason(&error), Severity::Failure);
                    continue;
                }
            };
            self.refuse(&path, format!("skipped ({skipped})"), Severity::Skipped);
        }
    }
}
