//! The ids of git objects: builds the bytes that are hashed to compute an id.

use super::kind::Kind;
use super::summary::Summary;
use crate::system::os::name_bytes;
use data_encoding::HEXLOWER;
use hashwell_checksums::Choice;
use hashwell_git::object::{Mode, object_header};
use std::cmp::Ordering;
use std::ffi::OsStr;
use std::path::Path;

struct Entry {
    mode: Mode,
    name: Vec<u8>,
    id: Vec<u8>,
}

impl Entry {
    /// Git's order: by bytes, with a slash appended to the names of directories.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |entry: &Self| (entry.mode == Mode::Directory).then_some(b'/');
        self.name.iter().copied().chain(key(self)).cmp(other.name.iter().copied().chain(key(other)))
    }
}

fn tree(mut entries: Vec<Entry>, choice: Choice) -> Vec<u8> {
    entries.sort_by(Entry::cmp);
    let mut content = Vec::new();
    for Entry { mode, name, id } in &entries {
        content.extend(format!("{:o} ", *mode as u32).as_bytes());
        content.extend(name);
        content.push(0);
        content.extend(id);
    }
    content.splice(..0, object_header("tree", content.len() as u64));
    choice.algorithm.digest(&content)
}

/// Ids of blobs and trees, for git or as SWHIDs.
pub(super) struct Objects {
    kind: Kind,
    choice: Choice,
    /// The entries seen so far of each open directory. The first list is for the root.
    open: Vec<Vec<Entry>>,
}

impl Objects {
    pub(super) fn new(kind: Kind, choice: Choice) -> Self {
        Self { kind, choice, open: vec![Vec::new()] }
    }
}

impl Summary for Objects {
    fn enter(&mut self) {
        self.open.push(Vec::new());
    }

    fn add(&mut self, mode: Mode, path: &OsStr, id: Vec<u8>) {
        let name = name_bytes(Path::new(path).file_name().unwrap_or_default()).into_owned();
        self.open.last_mut().expect("there is always the root's list").push(Entry { mode, name, id });
    }

    fn leave(&mut self, path: &OsStr) {
        let entries = self.open.pop().unwrap_or_default();
        let root = self.open.len() == 1;
        // Git has no empty directories, but the root tree may be empty.
        if root || !entries.is_empty() || self.kind == Kind::Swhid {
            self.add(Mode::Directory, path, tree(entries, self.choice));
        }
    }

    fn finish(&mut self, _root: &OsStr) -> String {
        let Some(Entry { mode, id, .. }) = self.open[0].pop() else { return String::new() };
        let id = HEXLOWER.encode(&id);
        match self.kind {
            Kind::Swhid if mode == Mode::Directory => format!("swh:1:dir:{id}"),
            Kind::Swhid => format!("swh:1:cnt:{id}"),
            _ => id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex_tree(algorithm: &str, entries: Vec<Entry>) -> String {
        HEXLOWER.encode(&tree(entries, Choice::of(hashwell::find(algorithm).unwrap())))
    }

    /// The ids of the empty tree, which every copy of git knows without storing it.
    #[test]
    fn the_empty_tree() {
        assert_eq!(hex_tree("sha1", Vec::new()), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
        assert_eq!(
            hex_tree("sha256", Vec::new()),
            "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
        );
    }

    #[test]
    fn directories_sort_as_if_they_ended_in_a_slash() {
        let entry = |mode, name: &str| Entry { mode, name: name.into(), id: Vec::new() };
        let mut entries = [
            entry(Mode::File, "foo0"),
            entry(Mode::Directory, "foo"),
            entry(Mode::File, "foo.txt"),
            entry(Mode::Commit, "fo"),
            entry(Mode::Link, "foo-bar"),
        ];
        entries.sort_by(Entry::cmp);
        assert_eq!(
            entries.map(|e| String::from_utf8(e.name).unwrap()),
            ["fo", "foo-bar", "foo.txt", "foo", "foo0"]
        );
    }
}
