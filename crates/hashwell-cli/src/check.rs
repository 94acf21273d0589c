//! `hashwell sum -c`: checks lists. Messages and exit codes are coreutils' wherever it has them.

use crate::args::SumOptions;
use crate::choice::Choice;
use crate::digest::{Digests, Help, SMALL_FILES, Unreadable, digest_group, is_small, is_stdin, read_file};
use crate::format::escaped;
use crate::ids::Kind;
use crate::list::{self, List};
use crate::names::warning;
use crate::progress::Progress;
use crate::recipe::{Keying, Recipe};
use crate::report::{Failure, complain, complain_of, note, write_line};
use crate::sum::{group_len, groups, names, refuse};
use crate::walk::{Exclude, Input, Rules, inputs, size};
use crate::{FAILURE, SUCCESS, parallel};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

pub(crate) fn run(options: &SumOptions) -> Result<u8, Failure> {
    refuse_print_options(options)?;
    if let Some(kind) = Kind::of(options) {
        let option = kind.option();
        return Err(Failure::Usage(format!("{option} identifiers cannot be checked, only digests of files")));
    }
    // Wrong names should be told before any list is read.
    let given: Vec<Choice> = options
        .algorithms
        .iter()
        .map(|name| Choice::from_options(name, options.length))
        .collect::<Result<_, _>>()?;
    if options.length.is_some() && given.is_empty() {
        return Err(Failure::Usage(
            "--length says nothing without --algorithm when verifying checksums".to_owned(),
        ));
    }
    let exclude = Exclude::new(&options.exclude)?;
    let lists = names(&options.files);
    let keying = Keying::of(options, &lists)?;
    given.iter().try_for_each(|choice| keying.check(*choice)).map_err(Failure::Usage)?;
    let mut listed = Vec::new();
    let mut good = true;
    for list in &lists {
        good &= check_list(list, &given, &keying, options, &mut listed)?;
    }
    if options.audit {
        good &= audit(&listed, &lists, &exclude, options)?;
    }
    Ok(if good { SUCCESS } else { FAILURE })
}

fn refuse_print_options(options: &SumOptions) -> Result<(), Failure> {
    let given = [
        (options.tag, "--tag"),
        (options.zero, "--zero"),
        (options.base64, "--base64"),
        (options.sri, "--sri"),
        (options.json, "--json"),
        (options.raw, "--raw"),
        (options.recursive, "--recursive"),
        (options.dereference, "--dereference"),
        (options.no_names, "--no-names"),
        (options.summary, "--summary"),
    ];
    refuse(
        &[(!options.exclude.is_empty() && !options.audit, "--exclude")],
        "is meaningful when verifying checksums only with --audit",
    )?;
    refuse(&given, "is meaningless when verifying checksums")
}

/// One file, and every digest that neighbouring lines of the list give for it.
struct Job {
    name: OsString,
    choices: Vec<Choice>,
    expected: Vec<Vec<u8>>,
}

/// What the lines of a list came to.
#[derive(Default)]
struct Tally {
    matched: usize,
    mismatched: usize,
    unreadable: usize,
}

/// Checks one list and, for an audit, adds the names in it to `listed`; whether all is well.
fn check_list(
    list_name: &OsString,
    given: &[Choice],
    keying: &Keying,
    options: &SumOptions,
    listed: &mut Vec<OsString>,
) -> Result<bool, Failure> {
    let mut bytes = Vec::new();
    if let Err(unreadable) = read_file(list_name, Help::None, |piece| bytes.extend_from_slice(piece)) {
        complain_of(list_name, &unreadable.reason());
        return Ok(false);
    }
    let mut list = list::parse(&bytes);
    drop(bytes);
    let jobs = jobs(list_name, &mut list, given, options);
    if options.audit {
        listed.extend(jobs.iter().map(|job| job.name.clone()));
    }
    if !list.notes.is_empty() && !options.status {
        complain_of(list_name, &list.notes.join("; "));
    }
    if options.warn && !options.status {
        for line in &list.malformed {
            complain_of(list_name, &format_args!("{line}: improperly formatted checksum line"));
        }
    }
    if jobs.is_empty() {
        complain_of(list_name, &"no properly formatted checksum lines found");
        return Ok(false);
    }
    let choices: BTreeSet<&str> =
        jobs.iter().flat_map(|job| &job.choices).map(|c| c.algorithm.name).collect();
    for algorithm in choices.into_iter().filter_map(|name| hashwell::find(name).ok()) {
        warning(algorithm).iter().filter(|_| !options.status).for_each(|text| note(text));
    }
    // A list may name algorithms that take no key, or one of another length.
    let mut choices = jobs.iter().flat_map(|job| &job.choices);
    if let Some(refusal) = choices.find_map(|choice| keying.check(*choice).err()) {
        complain_of(list_name, &refusal);
        return Ok(false);
    }
    let tally = verify(&jobs, keying, options)?;
    if !options.status {
        warnings(&tally, list.malformed.len());
        if options.ignore_missing && tally.matched == 0 {
            complain_of(list_name, &"no file was verified");
        }
    }
    let malformed_matters = options.strict && !list.malformed.is_empty();
    Ok(tally.matched > 0 && tally.mismatched + tally.unreadable == 0 && !malformed_matters)
}

/// Gives every line its algorithm and file, and puts neighbouring lines of one file together so that it is
/// read once. Lines for which there is no algorithm or no file count as malformed; among lines with names, a
/// digest without one has no file.
fn jobs(list_name: &OsStr, list: &mut List, given: &[Choice], options: &SumOptions) -> Vec<Job> {
    // With `-l`, digests have the length asked for, not just one that the algorithm could have.
    let exact = options.length.is_some();
    let any_named = list.entries.iter().any(|entry| entry.name.is_some());
    let by_name = algorithm_of_list(list_name);
    let mut guessed = BTreeSet::new();
    let mut jobs: Vec<Job> = Vec::new();
    for entry in std::mem::take(&mut list.entries) {
        let len = entry.digest.len();
        let of_length = |algorithm| Choice::with_len(algorithm, len);
        let choice = entry.choice.or_else(|| {
            if !given.is_empty() {
                let fits = |choice: &Choice| of_length(choice.algorithm).filter(|c| !exact || c == choice);
                return given.iter().find_map(fits);
            }
            by_name.and_then(of_length).or_else(|| {
                let guess = guess(len)?;
                guessed.insert(guess.tag());
                Some(guess)
            })
        });
        let name = entry.name.map(OsString::from_vec).or_else(|| (!any_named).then(|| beside(list_name))?);
        let (Some(choice), Some(name)) = (choice, name) else {
            list.malformed.push(entry.line);
            continue;
        };
        match jobs.last_mut() {
            Some(job) if job.name == name => {
                job.choices.push(choice);
                job.expected.push(entry.digest);
            }
            _ => jobs.push(Job { name, choices: vec![choice], expected: vec![entry.digest] }),
        }
    }
    list.malformed.sort_unstable();
    if !guessed.is_empty() && !options.status {
        let guessed: Vec<String> = guessed.into_iter().collect();
        let note = format!("no algorithm named, {} guessed from the digest's length", guessed.join(" and "));
        complain_of(list_name, &note);
    }
    jobs
}

/// The algorithm in a list's name: `SHA256SUMS`, `b2sums.txt`, `x.tar.gz.sha512`, `x.b3`.
fn algorithm_of_list(list_name: &OsStr) -> Option<&'static hashwell::Algorithm> {
    let name = Path::new(list_name).file_name()?.to_str()?.to_ascii_lowercase();
    let name = [".txt", ".asc"].into_iter().fold(&name[..], |n, suffix| n.strip_suffix(suffix).unwrap_or(n));
    let last = name.rsplit('.').next()?;
    let last = last.strip_suffix("sums").or_else(|| last.strip_suffix("sum")).unwrap_or(last);
    hashwell::find(last.trim_end_matches(['-', '_'])).ok()
}

/// The usual algorithm for a digest of this many bytes.
fn guess(len: usize) -> Option<Choice> {
    let name = match len {
        20 => "sha1",
        28 => "sha224",
        32 => "sha256",
        48 => "sha384",
        64 => "sha512",
        _ => return None,
    };
    hashwell::find(name).ok().map(Choice::of)
}

/// The file that a list of one digest alone is about: the list's name without its last extension.
fn beside(list_name: &OsStr) -> Option<OsString> {
    let path = Path::new(list_name);
    let has_extension = path.extension().is_some() && !is_stdin(list_name);
    has_extension.then(|| path.with_extension("").into_os_string())
}

fn verify(jobs: &[Job], keying: &Keying, options: &SumOptions) -> Result<Tally, Failure> {
    let threads = parallel::jobs(options.jobs, jobs.len())?;
    let sized = sized(jobs);
    let progress = Progress::of_files(sized.iter().map(|(_, size)| *size).sum(), jobs.len());
    let mut tally = Tally::default();
    let groups = groups(&sized, group_len(jobs.len(), threads, SMALL_FILES), together);
    let work = |group: &&[SizedJob]| {
        let names: Vec<&OsString> = group.iter().map(|(job, _)| &job.name).collect();
        let recipe = Recipe { choices: &group[0].0.choices, keying };
        digest_group(&names, recipe, Help::of(options.jobs), &progress)
    };
    parallel::in_order(&groups, threads, work, |group, results| {
        let mut judge = |job, result| progress.suspend(|| judge(job, result, options, &mut tally));
        group.iter().zip(results).try_for_each(|((job, _), result)| judge(job, result))
    })?;
    Ok(tally)
}

/// Whether neighbours may share a group.
fn together((a, a_size): &SizedJob<'_>, (b, b_size): &SizedJob<'_>) -> bool {
    is_small(*a_size) && is_small(*b_size) && a.choices == b.choices
}

/// A job with the bytes to read for it, if known.
type SizedJob<'a> = (&'a Job, Option<u64>);

fn sized(jobs: &[Job]) -> Vec<SizedJob<'_>> {
    let progress = Progress::names();
    let counted = jobs.iter().inspect(|_| progress.add(1));
    counted.map(|job| (job, size(&job.name))).collect()
}

/// Compares, counts and prints, a line for each digest of the list.
fn judge(
    job: &Job,
    result: Result<Digests, Unreadable>,
    options: &SumOptions,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let digests = match result {
        Ok(digests) => digests.digests,
        Err(Unreadable::Missing(_)) if options.ignore_missing => return Ok(()),
        Err(unreadable) => {
            complain_of(&job.name, &unreadable.reason());
            tally.unreadable += job.expected.len();
            return job
                .expected
                .iter()
                .try_for_each(|_| print(&job.name, "FAILED open or read", options.status));
        }
    };
    for (digest, expected) in digests.iter().zip(&job.expected) {
        if digest == expected {
            tally.matched += 1;
            print(&job.name, "OK", options.status || options.quiet)?;
        } else {
            tally.mismatched += 1;
            print(&job.name, "FAILED", options.status)?;
        }
    }
    Ok(())
}

fn print(name: &OsStr, verdict: &str, silent: bool) -> Result<(), Failure> {
    if silent {
        return Ok(());
    }
    let (escape, name) = escaped(name);
    write_line(&[escape, &name, b": ", verdict.as_bytes(), b"\n"].concat())
}

fn warn(n: usize, one: &str, many: &str) {
    if n > 0 {
        complain(&format_args!("WARNING: {n} {}", if n == 1 { one } else { many }));
    }
}

/// coreutils' closing warnings, singular and plural.
fn warnings(tally: &Tally, malformed: usize) {
    warn(malformed, "line is improperly formatted", "lines are improperly formatted");
    warn(tally.unreadable, "listed file could not be read", "listed files could not be read");
    warn(tally.mismatched, "computed checksum did NOT match", "computed checksums did NOT match");
}

/// Prints the files and links that lie in or below the listed files' top directories but are not listed;
/// whether there is none. The lists themselves need no listing.
fn audit(
    listed: &[OsString],
    lists: &[OsString],
    exclude: &Exclude,
    options: &SumOptions,
) -> Result<bool, Failure> {
    let mut directories = Directories::default();
    // The listed files' directories, each as it was spelled first.
    let mut parents: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for spelled in listed.iter().filter_map(|name| parent(name)) {
        if let Some(path) = directories.canonical(spelled) {
            parents.entry(path.to_path_buf()).or_insert(spelled);
        }
    }
    let known: HashSet<PathBuf> =
        listed.iter().chain(lists).filter_map(|name| directories.path_of(name)).collect();
    // A directory below another of them is walked with it.
    let topmost = |path: &Path| !path.ancestors().skip(1).any(|above| parents.contains_key(above));
    let roots: Vec<OsString> =
        parents.iter().filter(|(path, _)| topmost(path)).map(|(_, spelled)| spelled.into()).collect();
    let mut unlisted = 0;
    for input in inputs(&roots, Rules { recursive: true, follow_links: false, exclude, output: None }) {
        let (Input::File(name, _) | Input::Refused(name, _) | Input::Skipped(name, _)) = input;
        if directories.path_of(&name).is_none_or(|path| !known.contains(&path)) {
            unlisted += 1;
            print(plain(&name).as_os_str(), "not listed", options.status)?;
        }
    }
    if !options.status {
        warn(unlisted, "file is not listed", "files are not listed");
    }
    Ok(unlisted == 0)
}

/// What directories are called without links, `.` and `..`, by the spellings met; nothing if there is no such
/// directory.
#[derive(Default)]
struct Directories(HashMap<PathBuf, Option<PathBuf>>);

impl Directories {
    fn canonical(&mut self, spelled: &Path) -> Option<&Path> {
        let canonical = self.0.entry(spelled.to_owned());
        canonical.or_insert_with(|| std::fs::canonicalize(spelled).ok()).as_deref()
    }

    /// One path for all spellings of a file; if it is a link, the link's own.
    fn path_of(&mut self, name: &OsStr) -> Option<PathBuf> {
        Some(self.canonical(parent(name)?)?.join(Path::new(name).file_name()?))
    }
}

/// The directory that a file is in, as its name spells it.
fn parent(name: &OsStr) -> Option<&Path> {
    let parent = Path::new(name).parent()?;
    Some(if parent.as_os_str().is_empty() { Path::new(".") } else { parent })
}

/// The path without `.` components.
fn plain(name: &OsStr) -> PathBuf {
    Path::new(name).components().filter(|c| !matches!(c, Component::CurDir)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_names_choose_the_algorithm() {
        for (list, name) in [
            ("SHA256SUMS", Some("sha256")),
            ("dir/SHA512SUMS.txt", Some("sha512")),
            ("x.tar.gz.sha384", Some("sha384")),
            ("x.sha256sum", Some("sha256")),
            ("sha1sum.txt", Some("sha1")),
            ("B2SUMS", Some("blake2b-512")),
            ("b3sums", Some("blake3")),
            ("x.sha256.asc", Some("sha256")),
            ("sha3-256sums", Some("sha3-256")),
            ("CHECKSUMS", None),
            ("-", None),
            ("x.txt", None),
        ] {
            assert_eq!(algorithm_of_list(list.as_ref()).map(|a| a.name), name, "{list}");
        }
    }

    #[test]
    fn small_files_of_the_same_algorithms_go_together() {
        let job = |names: &[&str]| Job {
            name: "f".into(),
            choices: names.iter().map(|name| Choice::of(hashwell::find(name).unwrap())).collect(),
            expected: Vec::new(),
        };
        let (one, other, both) = (job(&["sha1"]), job(&["sha256"]), job(&["sha1", "sha256"]));
        let jobs = [&one, &one, &one, &one, &other, &other, &both, &both].map(|job| (job, Some(9)));
        let jobs =
            [&jobs[..], &[(&one, Some(1)), (&one, None), (&one, Some(0)), (&one, Some(1 << 30))]].concat();
        let lens: Vec<usize> = groups(&jobs, 3, together).iter().map(|group| group.len()).collect();
        assert_eq!(lens, [3, 1, 2, 2, 1, 1, 1, 1]);
    }

    #[test]
    fn guesses_are_the_usual_ones() {
        for (len, tag) in [(20, "SHA1"), (28, "SHA224"), (32, "SHA256"), (48, "SHA384"), (64, "SHA512")] {
            assert_eq!(guess(len).unwrap().tag(), tag);
        }
        assert_eq!(guess(33), None);
    }

    #[test]
    fn a_digest_alone_is_about_the_file_beside() {
        assert_eq!(beside("d/x.tar.gz.sha256".as_ref()), Some("d/x.tar.gz".into()));
        assert_eq!(beside("-".as_ref()), None);
        assert_eq!(beside("SHA256SUMS".as_ref()), None);
    }
}
