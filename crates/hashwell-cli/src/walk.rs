//! From the names on the command line to the files to read.

use crate::digest::is_stdin;
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
    let mut inputs = Vec::new();
    for name in names {
        named(name, rules, &mut inputs);
    }
    inputs
}

/// A name the user gave: links are followed, and pipes and devices read, because they were asked for.
fn named(name: &OsString, rules: Rules, inputs: &mut Vec<Input>) {
    if is_stdin(name) {
        inputs.push(Input::File(name.clone(), None));
        return;
    }
    match fs::metadata(name) {
        Ok(metadata) if metadata.is_dir() && rules.recursive => {
            directory(name, &mut vec![identity(&metadata)], rules, inputs);
        }
        Ok(metadata) if metadata.is_dir() => {
            inputs.push(Input::Refused(name.clone(), "Is a directory".to_owned(), Severity::Failure));
        }
        Ok(metadata) => {
            inputs.push(Input::File(name.clone(), metadata.is_file().then_some(metadata.len())));
        }
        // Opening it will say why.
        Err(_) => inputs.push(Input::File(name.clone(), None)),
    }
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

/// `ancestors`: the directories above and this one, to notice links that lead back up.
fn directory(name: &OsStr, ancestors: &mut Vec<(u64, u64)>, rules: Rules, inputs: &mut Vec<Input>) {
    let names = match children(name) {
        Ok(names) => names,
        Err(error) => {
            inputs.push(Input::Refused(name.to_owned(), reason(&error), Severity::Failure));
            return;
        }
    };
    for child in names {
        let path = Path::new(name).join(child).into_os_string();
        let metadata = if rules.follow_links { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
        let skip = |why: &str| Input::Refused(path.clone(), format!("skipped ({why})"), Severity::Skipped);
        match metadata {
            Ok(m) if m.is_file() => inputs.push(Input::File(path, Some(m.len()))),
            Ok(m) if m.is_dir() && ancestors.contains(&identity(&m)) => {
                inputs.push(skip("link to a directory above"));
            }
            Ok(m) if m.is_dir() => {
                ancestors.push(identity(&m));
                directory(&path, ancestors, rules, inputs);
                ancestors.pop();
            }
            Ok(m) if m.is_symlink() => inputs.push(skip("symbolic link")),
            Ok(_) => inputs.push(skip("not a regular file")),
            Err(error) => inputs.push(Input::Refused(path.clone(), reason(&error), Severity::Failure)),
        }
    }
}
