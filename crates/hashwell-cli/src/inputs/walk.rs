//! Turns the names on the command line into the files to read.

use crate::inputs::reading::is_stdin;
use crate::system::interrupt::stopped;
use crate::system::os::{self, Identity};
use crate::system::parallel;
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, printable, reason};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::Path;

/// Something to do for a name, in the order of the names.
#[derive(Debug)]
pub(crate) enum Input {
    /// A file to read, or standard input, with the size if known.
    File(OsString, Option<u64>),
    /// A name that cannot be read, and the reason.
    Refused(OsString, String),
    /// Something below a directory that is skipped.
    Skipped(OsString, Skip),
}

impl Input {
    /// The name of a file to read.
    pub(crate) fn file(&self) -> Option<&OsString> {
        match self {
            Input::File(name, _) => Some(name),
            Input::Refused(..) | Input::Skipped(..) => None,
        }
    }

    /// The number of bytes to read, if known.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Input::File(_, size) => *size,
            Input::Refused(..) | Input::Skipped(..) => Some(0),
        }
    }
}

/// The reason why something below a directory is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    Link,
    LinkAbove,
    Special,
    /// The file that standard output goes to. It is being written, and would list itself.
    Output,
    /// A temporary file of this program, left by a process that was killed.
    Unfinished,
}

impl Skip {
    const ALL: [Skip; 5] = [Skip::Link, Skip::LinkAbove, Skip::Special, Skip::Output, Skip::Unfinished];

    /// The singular and the plural.
    fn words(self) -> [&'static str; 2] {
        match self {
            Skip::Link => ["symbolic link", "symbolic links"],
            Skip::LinkAbove => ["link to an enclosing directory", "links to enclosing directories"],
            Skip::Special => ["special file", "special files"],
            Skip::Output => {
                ["file that standard output is written to", "files that standard output is written to"]
            }
            Skip::Unfinished => {
                ["temporary file of an interrupted update", "temporary files of interrupted updates"]
            }
        }
    }
}

/// Counts of everything that was skipped. They are printed in one line at the end, because a tree may have thousands of
/// links.
#[derive(Default)]
pub(crate) struct Skipped {
    /// The number of skipped entries and the name of the first one, in the order of [`Skip::ALL`].
    found: [Option<(u64, OsString)>; Skip::ALL.len()],
}

impl Skipped {
    pub(crate) fn add(&mut self, path: &OsStr, skip: Skip) {
        self.found[skip as usize].get_or_insert_with(|| (0, path.to_owned())).0 += 1;
    }

    /// Prints the line, if anything was skipped.
    pub(crate) fn complain(&self) {
        let part = |skip: Skip| {
            let (n, first) = self.found[skip as usize].as_ref()?;
            let [one, many] = skip.words();
            let first = printable(first);
            Some(if *n == 1 { format!("1 {one} ({first})") } else { format!("{n} {many} ({first}, …)") })
        };
        let parts: Vec<String> = Skip::ALL.into_iter().filter_map(part).collect();
        if !parts.is_empty() {
            complain(&format_args!("skipped {}", parts.join(", ")));
        }
    }
}

/// The patterns of `--exclude`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclude {
    /// Patterns that are compared with the name only.
    names: GlobSet,
    /// Patterns that are compared with the path below the directory that was named.
    paths: GlobSet,
}

impl Exclude {
    /// # Errors
    /// Returns [`Failure`] if a pattern is invalid.
    pub(crate) fn new(patterns: &[OsString]) -> Result<Self, Failure> {
        let [mut names, mut paths] = [GlobSetBuilder::new(), GlobSetBuilder::new()];
        for pattern in patterns {
            let refuse = |why: &str| Failure::Usage(format!("--exclude: {}: {why}", printable(pattern)));
            let text = pattern.to_str().ok_or_else(|| refuse("not UTF-8"))?;
            if text.is_empty() {
                return Err(refuse("an empty pattern matches nothing"));
            }
            // Shell completion appends a slash to directories. A slash at the beginning anchors the pattern to FILE.
            let inner = text.strip_suffix('/').unwrap_or(text);
            let anchored = inner.contains('/');
            let inner = inner.strip_prefix("./").or(inner.strip_prefix('/')).unwrap_or(inner);
            let glob = GlobBuilder::new(inner).literal_separator(true).backslash_escape(true).build();
            let glob = glob.map_err(|error| refuse(&error.kind().to_string()))?;
            if anchored {
                paths.add(glob)
            } else {
                names.add(glob)
            };
        }
        let build =
            |set: GlobSetBuilder| set.build().map_err(|error| Failure::Usage(format!("--exclude: {error}")));
        Ok(Self { names: build(names)?, paths: build(paths)? })
    }

    /// Returns true if there are no patterns.
    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.paths.is_empty()
    }

    /// Returns true if this name, at this path below the directory that was named, is excluded.
    fn leaves_out(&self, name: &OsStr, below: &Path) -> bool {
        self.names.is_match(name) || self.paths.is_match(below)
    }
}

/// The rules for directories and links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<'a> {
    pub(crate) recursive: bool,
    pub(crate) follow_links: bool,
    pub(crate) exclude: &'a Exclude,
    /// The file that standard output goes to, which is not read.
    pub(crate) output: Option<Identity>,
    /// The number of threads that look at files. The default is one per core.
    pub(crate) jobs: Option<usize>,
}

impl Rules<'_> {
    fn is_output(&self, path: &OsStr, metadata: &fs::Metadata) -> bool {
        self.output
            .is_some_and(|output| os::identity(Path::new(path), metadata).is_ok_and(|own| own == output))
    }

    /// Reads the metadata of a file that was a regular file when its directory was read.
    fn look(&self, path: &OsStr) -> Result<fs::Metadata, Looked> {
        match fs::symlink_metadata(path) {
            Ok(m) if m.is_file() && self.is_output(path, &m) => Err(Looked::Output),
            Ok(m) if m.is_file() => Ok(m),
            Ok(_) => Err(Looked::Refused("no longer a regular file".to_owned())),
            Err(error) => Err(Looked::Refused(reason(&error))),
        }
    }
}

/// The reason why a file is not read.
enum Looked {
    Output,
    Refused(String),
}

/// The inputs for the names, in the given order. Below a directory, they are in byte order, depth first.
///
/// # Errors
/// Returns [`Failure`] if the number of jobs is invalid, or if the process is asked to stop.
pub(crate) fn inputs(names: &[OsString], rules: Rules<'_>) -> Result<Vec<Input>, Failure> {
    Ok(seen_inputs(names, rules, |_| ())?.into_iter().map(|(input, ())| input).collect())
}

/// The [`inputs`], with the value that `see` computes from the metadata of each file, so that metadata are read only
/// once.
///
/// # Errors
/// Returns [`Failure`] if the number of jobs is invalid, or if the process is asked to stop.
pub(crate) fn seen_inputs<T: Default + Send + Sync>(
    names: &[OsString],
    rules: Rules<'_>,
    see: fn(&fs::Metadata) -> T,
) -> Result<Vec<(Input, T)>, Failure> {
    let mut walk = Walk { rules, progress: Progress::names(), see, inputs: Vec::new(), unseen: Vec::new() };
    for name in names {
        walk.named(name);
    }
    let Walk { mut inputs, unseen, .. } = walk;
    let chunks: Vec<&[usize]> = unseen.chunks(LOOKS).collect();
    let mut seen = Vec::with_capacity(unseen.len());
    let look = |chunk: &&[usize]| {
        if stopped() {
            return Vec::new();
        }
        let paths = chunk.iter().filter_map(|i| inputs[*i].0.file());
        paths.map(|path| rules.look(path).map(|m| (m.len(), see(&m)))).collect::<Vec<_>>()
    };
    parallel::in_order(&chunks, parallel::jobs(rules.jobs, chunks.len())?, look, |_, looked| {
        seen.extend(looked);
        if stopped() { Err(Failure::Interrupted) } else { Ok(()) }
    })?;
    if stopped() {
        return Err(Failure::Interrupted);
    }
    for (i, looked) in unseen.into_iter().zip(seen) {
        let (input, of_file) = &mut inputs[i];
        let Input::File(path, size) = input else { continue };
        match looked {
            Ok((len, of_metadata)) => (*size, *of_file) = (Some(len), of_metadata),
            Err(Looked::Output) => *input = Input::Skipped(std::mem::take(path), Skip::Output),
            Err(Looked::Refused(reason)) => *input = Input::Refused(std::mem::take(path), reason),
        }
    }
    Ok(inputs)
}

/// The number of files that a thread looks at before it takes the next batch.
const LOOKS: usize = 256;

/// The number of bytes to read, if known: 0 if the name is missing, and `None` if it is not a regular file.
pub(crate) fn size(name: &OsString) -> Option<u64> {
    if is_stdin(name) {
        return None;
    }
    fs::metadata(name).map_or(Some(0), |metadata| metadata.is_file().then_some(metadata.len()))
}

/// A name in a directory.
pub(crate) struct Child {
    pub(crate) name: OsString,
    /// True if it is known to be a regular file from reading the directory.
    regular: bool,
}

/// The names in a directory, in byte order.
pub(crate) fn children(directory: &OsStr) -> io::Result<Vec<Child>> {
    let child = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        let regular = entry.file_type().is_ok_and(|kind| kind.is_file());
        Ok(Child { name: entry.file_name(), regular })
    };
    let mut children = fs::read_dir(directory)?.map(child).collect::<io::Result<Vec<_>>>()?;
    children.sort_by(|a, b| os::name_bytes(&a.name).cmp(&os::name_bytes(&b.name)));
    Ok(children)
}

struct Walk<'a, T> {
    rules: Rules<'a>,
    progress: Progress,
    see: fn(&fs::Metadata) -> T,
    inputs: Vec<(Input, T)>,
    /// The indices of inputs of which only the directory entry has been read. Reading the metadata of a file takes as
    /// long as hashing a small file, so it is done by all threads.
    unseen: Vec<usize>,
}

impl<T: Default> Walk<'_, T> {
    fn push(&mut self, input: Input) {
        self.inputs.push((input, T::default()));
    }

    fn push_file(&mut self, name: OsString, size: Option<u64>, metadata: &fs::Metadata) {
        self.inputs.push((Input::File(name, size), (self.see)(metadata)));
    }

    fn refuse(&mut self, name: &OsStr, reason: impl Into<String>) {
        self.push(Input::Refused(name.to_owned(), reason.into()));
    }

    /// Adds a name that the user gave. Links are followed, and pipes and devices are read, because they were named.
    fn named(&mut self, name: &OsString) {
        self.progress.add(1);
        if is_stdin(name) {
            self.push(Input::File(name.clone(), None));
            return;
        }
        match fs::metadata(name) {
            Ok(metadata) if metadata.is_dir() && self.rules.recursive => {
                match os::identity(Path::new(name), &metadata) {
                    Ok(identity) => self.directory(name, Path::new(""), &mut vec![identity]),
                    Err(error) => self.refuse(name, reason(&error)),
                }
            }
            Ok(metadata) if metadata.is_dir() => self.refuse(name, "Is a directory"),
            Ok(metadata) => {
                let size = metadata.is_file().then_some(metadata.len());
                self.push_file(name.clone(), size, &metadata);
            }
            // Opening the file will report the error.
            Err(_) => self.push(Input::File(name.clone(), None)),
        }
    }

    /// `below`: the path from the directory that was named. `ancestors`: this directory and all directories above it,
    /// to detect links that lead back up.
    fn directory(&mut self, name: &OsStr, below: &Path, ancestors: &mut Vec<Identity>) {
        let children = match children(name) {
            Ok(children) => children,
            Err(error) => return self.refuse(name, reason(&error)),
        };
        self.inputs.reserve(children.len());
        for child in children {
            if stopped() {
                return;
            }
            self.progress.add(1);
            if !self.rules.exclude.is_empty()
                && self.rules.exclude.leaves_out(&child.name, &below.join(&child.name))
            {
                continue;
            }
            let path = Path::new(name).join(&child.name).into_os_string();
            if child.regular {
                self.unseen.push(self.inputs.len());
                self.push(Input::File(path, None));
                continue;
            }
            let metadata =
                if self.rules.follow_links { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
            let skip = match metadata {
                Ok(m) if m.is_file() && self.rules.is_output(&path, &m) => Skip::Output,
                Ok(m) if m.is_file() => {
                    self.push_file(path, Some(m.len()), &m);
                    continue;
                }
                Ok(m) if m.is_dir() => match os::identity(Path::new(&path), &m) {
                    Ok(identity) if ancestors.contains(&identity) => Skip::LinkAbove,
                    Ok(identity) => {
                        ancestors.push(identity);
                        self.directory(&path, &below.join(&child.name), ancestors);
                        ancestors.pop();
                        continue;
                    }
                    Err(error) => {
                        self.refuse(&path, reason(&error));
                        continue;
                    }
                },
                Ok(m) if m.is_symlink() => Skip::Link,
                Ok(_) => Skip::Special,
                Err(error) => {
                    self.refuse(&path, reason(&error));
                    continue;
                }
            };
            self.push(Input::Skipped(path, skip));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(exclude: &Exclude, jobs: usize) -> Rules<'_> {
        Rules { recursive: true, follow_links: false, exclude, output: None, jobs: Some(jobs) }
    }

    #[test]
    fn files_are_looked_at_by_all_threads_and_stay_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut expected = Vec::new();
        for directory in 0..3 {
            let directory = folder.path().join(format!("d{directory}"));
            fs::create_dir(&directory).unwrap();
            for file in 0..LOOKS {
                let path = directory.join(format!("f{file:04}"));
                fs::write(&path, vec![0; file]).unwrap();
                expected.push((path.into_os_string(), Some(file as u64)));
            }
        }
        let exclude = Exclude::default();
        for jobs in [1, 2, 5] {
            let found = inputs(&[folder.path().into()], rules(&exclude, jobs)).unwrap();
            let files = found.into_iter().map(|input| match input {
                Input::File(path, size) => (path, size),
                other => panic!("{other:?}"),
            });
            assert!(files.eq(expected.iter().cloned()), "{jobs} jobs");
        }
        assert!(inputs(&[folder.path().into()], rules(&exclude, 0)).is_err());
    }

    #[test]
    fn what_a_file_has_become_since_its_directory_was_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).into_os_string();
        fs::write(at("file"), "12345").unwrap();
        std::os::unix::fs::symlink("file", at("link")).unwrap();
        let exclude = Exclude::default();
        let mut rules = rules(&exclude, 1);
        assert!(rules.look(&at("file")).is_ok_and(|metadata| metadata.len() == 5));
        for (name, why) in [("link", "no longer a regular file"), ("gone", "No such file or directory")] {
            let Err(Looked::Refused(reason)) = rules.look(&at(name)) else { panic!("{name}") };
            assert_eq!(reason, why);
        }
        let metadata = fs::metadata(at("file")).unwrap();
        rules.output = Some(os::identity(Path::new(&at("file")), &metadata).unwrap());
        assert!(matches!(rules.look(&at("file")), Err(Looked::Output)));
        let found = inputs(&[folder.path().into()], Rules { follow_links: false, ..rules }).unwrap();
        let names = |input: &Input| match input {
            Input::Skipped(path, skip) => (path.clone(), *skip),
            other => panic!("{other:?}"),
        };
        let expected = [(at("file"), Skip::Output), (at("link"), Skip::Link)];
        assert_eq!(found.iter().map(names).collect::<Vec<_>>(), expected);
    }
}
