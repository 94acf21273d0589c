//! Turns names into the steps that compute their identifiers.

use super::kind::Kind;
use crate::inputs::reading::is_stdin;
use crate::inputs::walk::{Skip, children};
use crate::system::os::{has_mode, name_bytes};
use crate::system::progress::Progress;
use crate::system::report::reason;
use hashwell_checksums::Choice;
use hashwell_git::gitlink::checked_out;
use hashwell_git::object::{Mode, object_header, refuses};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// A step of the walk. The steps of a directory's entries come between its `Enter` and its `Leave`.
#[derive(Debug)]
pub(super) enum Step {
    /// A directory begins.
    Enter,
    /// A file to read, or standard input, with its size if known.
    File { path: OsString, mode: Mode, size: Option<u64> },
    /// A zip file whose files are to be read.
    Archive(OsString),
    /// A digest that is known without reading a file.
    Known { path: OsString, mode: Mode, digest: Vec<u8> },
    /// An entry that cannot be part of an identifier, so that there is no identifier, and the reason.
    Refused(OsString, String),
    /// An entry that is not part of the identifier.
    Skipped(OsString, Skip),
    /// The directory ends.
    Leave(OsString),
    /// The end of a name of the command line.
    End(OsString),
}

impl Step {
    /// The file to read.
    pub(super) fn file(&self) -> Option<&OsString> {
        match self {
            Step::File { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Returns true if there are bytes to read.
    pub(super) fn has_bytes(&self) -> bool {
        matches!(self, Step::File { .. } | Step::Archive(_))
    }

    /// The number of bytes to read, if known.
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            Step::File { size, .. } => *size,
            Step::Archive(_) => None,
            _ => Some(0),
        }
    }
}

/// The steps of all names. `prefixed`: true if a prefix for the names in directories was given.
pub(super) fn steps(names: &[OsString], kind: Kind, choice: Choice, prefixed: bool) -> Vec<Step> {
    let mut walk = Walk { kind, choice, progress: Progress::names(), steps: Vec::new() };
    for name in names {
        walk.named(name, prefixed);
        walk.steps.push(Step::End(name.clone()));
    }
    walk.steps
}

struct Walk {
    kind: Kind,
    choice: Choice,
    progress: Progress,
    steps: Vec<Step>,
}

impl Walk {
    fn refuse(&mut self, path: &OsStr, reason: impl Into<String>) {
        self.steps.push(Step::Refused(path.to_owned(), reason.into()));
    }

    /// A name of the command line. Links are followed, because the user named them.
    fn named(&mut self, name: &OsString, prefixed: bool) {
        self.progress.add(1);
        let files = matches!(self.kind, Kind::GitBlob | Kind::Swhid);
        if files && is_stdin(name) {
            self.steps.push(Step::File { path: name.clone(), mode: Mode::File, size: None });
            return;
        }
        match fs::metadata(name) {
            Ok(metadata) if metadata.is_dir() && self.kind == Kind::GitBlob => {
                self.refuse(name, "Is a directory");
            }
            Ok(metadata) if metadata.is_dir() => self.directory(name),
            Ok(metadata) if files => self.file(name.clone(), &metadata),
            Ok(metadata) if metadata.is_file() && self.kind == Kind::H1 && prefixed => {
                self.refuse(
                    name,
                    "--go-h1-prefix can't be used with a zip file, whose names already have a prefix",
                );
            }
            Ok(metadata) if metadata.is_file() && self.kind == Kind::H1 => {
                self.steps.push(Step::Archive(name.clone()));
            }
            Ok(_) => self.refuse(name, "Not a directory"),
            Err(error) => self.refuse(name, reason(&error)),
        }
    }

    fn file(&mut self, path: OsString, metadata: &Metadata) {
        // Git checks whether the owner may execute the file; the SWHID tools check whether anyone may.
        let executable = if self.kind == Kind::Swhid { 0o111 } else { 0o100 };
        let mode = if has_mode(metadata, executable) { Mode::Executable } else { Mode::File };
        self.steps.push(Step::File { path, mode, size: metadata.is_file().then_some(metadata.len()) });
    }

    fn directory(&mut self, path: &OsStr) {
        self.steps.push(Step::Enter);
        match children(path) {
            Ok(children) => children.iter().for_each(|child| self.child(path, &child.name)),
            Err(error) => self.refuse(path, reason(&error)),
        }
        self.steps.push(Step::Leave(path.to_owned()));
    }

    fn child(&mut self, parent: &OsStr, name: &OsStr) {
        self.progress.add(1);
        if self.kind == Kind::GitTree && name == ".git" {
            return;
        }
        let path = Path::new(parent).join(name).into_os_string();
        if self.kind == Kind::H1 && name_bytes(name).contains(&b'\n') {
            return self.refuse(&path, "the name has a newline, which Go's h1 hash does not allow");
        }
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) => return self.refuse(&path, reason(&error)),
        };
        if self.kind == Kind::GitTree && refuses(name, metadata.is_symlink()) {
            return self.refuse(&path, "Git does not allow this name");
        }
        if metadata.is_dir() {
            self.subdirectory(path);
        } else if metadata.is_file() {
            self.file(path, &metadata);
        } else if metadata.is_symlink() {
            self.link(path);
        } else if self.kind == Kind::GitTree {
            self.steps.push(Step::Skipped(path, Skip::Special));
        } else {
            self.refuse(&path, "not a file, directory or link");
        }
    }

    fn subdirectory(&mut self, path: OsString) {
        if self.kind != Kind::GitTree {
            return self.directory(&path);
        }
        match checked_out(Path::new(&path)) {
            Ok(None) => self.directory(&path),
            Ok(Some(commit)) if commit.len() == self.choice.output_len => {
                self.steps.push(Step::Known { path, mode: Mode::Commit, digest: commit });
            }
            Ok(Some(_)) => self.refuse(
                &path,
                format!("the object IDs of this Git repository are not {}", self.choice.algorithm.title),
            ),
            Err(reason) => self.refuse(&path, reason),
        }
    }

    /// In a tree, a link is the text of its target; Go reads the file that it points to.
    fn link(&mut self, path: OsString) {
        let found: io::Result<()> = if self.kind == Kind::H1 {
            fs::metadata(&path).map(|metadata| match metadata.is_file() {
                true => self.file(path.clone(), &metadata),
                false => self.refuse(&path, "the link does not lead to a file"),
            })
        } else {
            fs::read_link(&path).map(|target| {
                let target = name_bytes(target.as_os_str());
                let object = [&object_header("blob", target.len() as u64), &*target].concat();
                let digest = self.choice.algorithm.digest(&object);
                self.steps.push(Step::Known { path: path.clone(), mode: Mode::Link, digest });
            })
        };
        if let Err(error) = found {
            self.refuse(&path, reason(&error));
        }
    }
}
