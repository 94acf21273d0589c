//! `hashwell sum --git-blob`, `--git-tree`, `--swhid`, `--go-h1` and `--nar`: identifiers of files and directories that
//! other tools define. `nar` hashes one archive for each name. For the others:
//!
//! ```text
//! names -> walk -> steps -> digests of the files, many at a time -> git::Objects | h1::Lines -> ID  NAME
//! ```

pub(crate) mod check;
mod git;
mod h1;
pub(crate) mod kind;
mod nar;
mod summary;
mod walk;

use crate::commands::sum::refuse_check_options;
use crate::digests::digest::{Digests, Kept, SMALL, digest_file_of_size, digest_small_files};
use crate::digests::recipe::{Recipe, SMALL_FILES};
use crate::inputs::reading::names;
use crate::inputs::reading::{Help, Unreadable};
use crate::inputs::walk::Skipped;
use crate::options::args::SumOptions;
use crate::outputs::format::{End, line};
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::parallel;
use crate::system::parallel::{group_len, groups};
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain_of, write_line};
use hashwell_checksums::Choice;
use hashwell_git::object::Mode;
use kind::Kind;
use std::ffi::{OsStr, OsString};
use summary::{Found, Summary};
use walk::Step;

/// Prints the identifiers.
pub(crate) fn run(kind: Kind, options: &SumOptions) -> Result<u8, Failure> {
    refuse_check_options(options)?;
    let choice = kind.choice(&options.algorithms)?;
    if options.files.is_empty() && matches!(kind, Kind::GitTree | Kind::H1) {
        return Err(Failure::Usage(format!("{} needs a directory", kind.option())));
    }
    if options.files.is_empty() && kind == Kind::Nar {
        return Err(Failure::Usage("--nar needs a file or a directory".to_owned()));
    }
    let end = if options.zero { End::Nul } else { End::Newline };
    let mut code = SUCCESS;
    compute(kind, choice, options, &names(&options.files), &mut |name, id| match id {
        Some(id) => write_line(&line(&id, "  ", name, "", end)),
        None => {
            code = FAILURE;
            Ok(())
        }
    })?;
    Ok(code)
}

/// Called for each name, in order, with its identifier, or with `None` after a message if it could not be read.
type Take<'a> = dyn FnMut(&OsStr, Option<String>) -> Result<(), Failure> + 'a;

/// Computes the identifiers of the names.
fn compute(
    kind: Kind,
    choice: Choice,
    options: &SumOptions,
    names: &[OsString],
    take: &mut Take<'_>,
) -> Result<(), Failure> {
    let prefix = h1::prefix(options.go_h1_prefix.as_deref())?;
    if kind == Kind::Nar {
        return nar::compute(options, choice, names, take);
    }
    let steps = walk::steps(names, kind, choice, options.go_h1_prefix.is_some());
    let jobs = parallel::jobs(options.jobs, steps.len())?;
    let files = steps.iter().filter(|step| step.has_bytes()).count();
    let progress = Progress::of_files(steps.iter().map(Step::size).sum(), files);
    let summary: Box<dyn Summary> = match kind {
        Kind::H1 => Box::new(h1::Lines::new(prefix)),
        _ => Box::new(git::Objects::new(kind, choice)),
    };
    let mut results =
        Results { summary, take, whole: true, skipped: Skipped::default(), progress: &progress };
    let work = |group: &&[Step]| read(group, kind, choice, Help::of(options.jobs), &progress);
    // Some steps of a group aren't files, so groups may be twice as long as groups that contain only files.
    let longest = group_len(steps.len(), jobs, 2 * SMALL_FILES);
    let groups = groups(&steps, longest, |a, b| small(a) && small(b));
    parallel::in_order(&groups, jobs, work, |group, found| {
        let mut found = found.into_iter();
        group.iter().try_for_each(|step| {
            let found = if step.has_bytes() { found.next() } else { None };
            results.add_step(step, found.unwrap_or(Ok(Vec::new())))
        })
    })?;
    let skipped = results.skipped;
    drop(progress);
    skipped.complain();
    Ok(())
}

/// Processes the steps in order, and passes on the result at the end of each name.
struct Results<'a, 't> {
    summary: Box<dyn Summary>,
    take: &'a mut Take<'t>,
    /// True if everything below the current name could be read.
    whole: bool,
    skipped: Skipped,
    progress: &'a Progress,
}

impl Results<'_, '_> {
    /// `found`: the digests of the file, if the step has a file.
    fn add_step(&mut self, step: &Step, found: Found) -> Result<(), Failure> {
        match step {
            Step::Enter => self.summary.enter(),
            Step::Leave(path) => self.summary.leave(path),
            Step::Known { path, mode, digest } => self.summary.add(*mode, path, digest.clone()),
            Step::File { path, mode, .. } => self.add(*mode, path, found),
            Step::Archive(path) => self.add(Mode::File, path, found),
            Step::Refused(path, reason) => {
                self.whole = false;
                self.progress.suspend(|| complain_of(path, reason));
            }
            Step::Skipped(path, skip) => self.skipped.add(path, *skip),
            Step::End(name) => {
                let id = self.summary.finish(name);
                let whole = std::mem::replace(&mut self.whole, true);
                return self.progress.suspend(|| (self.take)(name, whole.then_some(id)));
            }
        }
        Ok(())
    }

    fn add(&mut self, mode: Mode, path: &OsStr, found: Found) {
        match found {
            Ok(digests) => {
                digests.into_iter().for_each(|(path, digest)| self.summary.add(mode, &path, digest));
            }
            Err(reason) => {
                self.whole = false;
                self.progress.suspend(|| complain_of(path, &reason));
            }
        }
    }
}

/// Returns true if the step may share a group with its neighbors.
fn small(step: &Step) -> bool {
    match step {
        Step::File { size, .. } => size.is_some_and(|size| size < SMALL),
        Step::Archive(_) => false,
        _ => true,
    }
}

/// The digests of the files of a group, in order.
fn read(group: &[Step], kind: Kind, choice: Choice, help: Help, progress: &Progress) -> Vec<Found> {
    let why = |unreadable: Unreadable| unreadable.reason().to_owned();
    match group {
        [Step::Archive(path)] => vec![h1::archive(path, choice, progress)],
        [Step::File { path, size: Some(size), .. }] if *size >= SMALL => {
            let header = kind.header(*size);
            let digests = digest_file_of_size(path, *size, &header, Recipe::plain(&[choice]), help, progress);
            vec![digests.map(|digests| one(path, digests)).map_err(why)]
        }
        group => {
            let paths: Vec<&OsString> = group.iter().filter_map(Step::file).collect();
            // Input without a size, such as a pipe, cannot be read twice. It is kept in memory until its length, and so
            // the header, is known.
            let unsized_alone = matches!(group, [Step::File { size: None, .. }]);
            let kept = if unsized_alone { Kept::Whole } else { Kept::Small };
            let header = |size| kind.header(size);
            let digests = digest_small_files(&paths, kept, header, Recipe::plain(&[choice]), progress);
            let found = paths.into_iter().zip(digests);
            found.map(|(path, digests)| digests.map(|digests| one(path, digests)).map_err(why)).collect()
        }
    }
}

/// The digest of one file.
fn one(path: &OsString, digests: Digests) -> Vec<(OsString, Vec<u8>)> {
    digests.digests.into_iter().map(|digest| (path.clone(), digest)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_size_than_its_header_says_has_no_id() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large").into_os_string();
        std::fs::write(&path, vec![1; SMALL as usize + 1]).unwrap();
        let choice = Choice::of(hashwell::find("sha1").unwrap());
        let id = |size| {
            let step = Step::File { path: path.clone(), mode: Mode::File, size: Some(size) };
            read(&[step], Kind::GitBlob, choice, Help::None, &Progress::new(None)).remove(0)
        };
        assert_eq!(id(SMALL), Err("changed while it was being read".to_owned()));
        assert!(id(SMALL + 1).is_ok());
    }
}
