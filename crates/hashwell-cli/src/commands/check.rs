//! `hashwell sum -c`: checks lists. Messages and exit codes are those of coreutils where coreutils has them.

use crate::commands::ids::{self, kind::Kind};
use crate::commands::sum::refuse;
use crate::digests::digest::{Digests, digest_file, digest_group, digest_legacy, is_small};
use crate::digests::engines::{Engines, choose};
use crate::digests::recipe::{Keying, Recipe};
use crate::inputs::base::Base;
use crate::inputs::names_from::names;
use crate::inputs::reading::{Help, Unreadable, is_stdin, read_whole};
use crate::inputs::respelled::{self, Folders, Place};
use crate::inputs::stamps;
use crate::inputs::walk::{Exclude, Input, Rules, Skipped, inputs};
use crate::options::args::SumOptions;
use crate::options::names::warning;
use crate::outputs::format::{escaped_if_many_lines, name_in, name_member_in};
use crate::system::exit::{EDITED, FAILURE, ROTTEN, SUCCESS, UNCERTAIN};
use crate::system::os;
use crate::system::parallel;
use crate::system::parallel::{group_len, groups};
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, complain_of, note, printable, reason, write_line};
use data_encoding::HEXLOWER;
use hashwell::registry::ParameterRow;
use hashwell_checksums::encodings::{base64, hex, hex_with_colons};
use hashwell_checksums::formats;
use hashwell_checksums::read::{self, Candidates, Hints, List};
use hashwell_checksums::resolve::{
    Line, Others, Resolver, by_name, file_of_list, unsupported_by_name, unsupported_of_length,
};
use hashwell_checksums::stamp::Change;
use hashwell_checksums::{Choice, Legacy, Method};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub(crate) fn run(options: &SumOptions) -> Result<u8, Failure> {
    refuse_print_options(options)?;
    if let Some(kind) = Kind::of(options) {
        return ids::check::run(kind, options);
    }
    // Report unknown algorithm names before reading any list.
    let method = |name: &String| match Legacy::find(name) {
        Some(legacy) => Ok(Method::Legacy(legacy)),
        None => Choice::find(name, options.bits()).map(Method::Row).map_err(Failure::Usage),
    };
    let given: Vec<Method> = options.algorithms.iter().map(method).collect::<Result<_, _>>()?;
    if options.bits().is_some() && given.is_empty() {
        return Err(Failure::Usage("--length requires --algorithm when verifying checksums".to_owned()));
    }
    let exclude = Exclude::new(&options.exclude)?;
    let lists = names(options)?;
    let keying = Keying::of(&options.parameters, &lists)?;
    let takes_key = |method: &Method| match method {
        Method::Row(choice) => keying.check(*choice),
        Method::Legacy(legacy) => keying.check_legacy(legacy.tag()),
    };
    given.iter().try_for_each(takes_key).map_err(Failure::Usage)?;
    let checking = Checking { given: &given, keying: &keying, options };
    let mut listed = Vec::new();
    let mut outcome = Outcome::Good;
    let mut lists_read = lists.clone();
    if let [list, file] = &lists[..]
        && is_stdin(list)
        && !is_stdin(file)
        && let Ok(bytes) = read_whole(list, MAX_LIST)
    {
        // A single pasted digest, and the file to compare with it.
        if is_one_digest(&bytes) {
            return Ok(checking.check(list, &bytes, Some(file), &mut listed)?.code());
        }
        outcome = outcome.max(checking.check(list, &bytes, None, &mut listed)?);
        lists_read.remove(0);
    }
    for list in &lists_read {
        let bytes = match read_whole(list, MAX_LIST) {
            Ok(bytes) => bytes,
            Err(unreadable) => {
                complain_of(list, &unreadable.reason());
                outcome = outcome.max(Outcome::Failed);
                continue;
            }
        };
        outcome = outcome.max(checking.check(list, &bytes, None, &mut listed)?);
    }
    if (options.audit || options.keep.new) && !audit(&listed, &lists, &exclude, options)? {
        outcome = outcome.max(Outcome::Failed);
    }
    Ok(outcome.code())
}

/// The result of a check, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Good,
    /// Files were edited since they were listed, and nothing else is wrong.
    Edited,
    /// Files changed so soon after they were listed that an edit can't be told from bit rot.
    Uncertain,
    Failed,
    /// A file's bytes differ, but its size and time of modification are the recorded ones.
    Rotten,
}

impl Outcome {
    fn code(self) -> u8 {
        match self {
            Outcome::Good => SUCCESS,
            Outcome::Edited => EDITED,
            Outcome::Uncertain => UNCERTAIN,
            Outcome::Failed => FAILURE,
            Outcome::Rotten => ROTTEN,
        }
    }
}

/// True for a list of one digest without a name.
fn is_one_digest(bytes: &[u8]) -> bool {
    matches!(&read::parse(bytes).entries[..], [entry] if entry.name.is_none())
}

/// The minimum length in bytes of a digest whose length is not stated explicitly.
const SHORTEST_EXPECTED: usize = 16;

/// Compares files with a digest that was given on the command line.
pub(crate) fn expect(digest: &str, options: &SumOptions) -> Result<u8, Failure> {
    let method = |name: &String| match Legacy::find(name) {
        Some(legacy) => Ok(Method::Legacy(legacy)),
        None => Choice::find(name, options.bits()).map(Method::Row).map_err(Failure::Usage),
    };
    let given: Vec<Method> = options.algorithms.iter().map(method).collect::<Result<_, _>>()?;
    let files = names(options)?;
    let keying = Keying::of(&options.parameters, &files)?;
    let checking = Checking { given: &given, keying: &keying, options };
    // A short checksum is only recognized next to a name.
    let text = [digest.trim().to_owned(), format!("{}  -", digest.trim())];
    let text = ungrouped(digest)
        .into_iter()
        .chain(text)
        .find(|text| read::parse(text.as_bytes()).entries.len() == 1);
    let Some(text) = text.or_else(|| in_base64(digest, &given)) else {
        let digits = digest.trim();
        if digits.len() % 2 == 1 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Failure::Usage(format!(
                "--expect: the digest has {} hexadecimal digits, but complete bytes have an even number of digits",
                digits.len()
            )));
        }
        return Err(Failure::Usage(format!(
            "--expect: '{}' is not a digest (expected hexadecimal, base64, base64url, SRI, ALG:DIGEST or a multihash)",
            printable(digest.as_ref())
        )));
    };
    // Anyone can find a file that matches a few bytes of a digest.
    for entry in read::parse(text.as_bytes()).entries {
        let len = entry.digest.len();
        let states_length =
            options.bits().is_some() || entry.method.is_some() && text.contains(&format!("-{}", 8 * len));
        let line = Resolver::new("--expect".as_ref(), &given, false).resolve(entry);
        let bytes = if len == 1 { "byte" } else { "bytes" };
        if line.readings.is_empty() {
            let which =
                if given.is_empty() { "no algorithm has" } else { "the algorithm of -a does not have" };
            return Err(Failure::Usage(format!(
                "--expect: the digest has {len} {bytes}, but {which} digests of that length by default"
            )));
        }
        let is_row = line.readings.iter().any(|(method, _)| method.row().is_some());
        if len < SHORTEST_EXPECTED && is_row && !states_length {
            return Err(Failure::Usage(format!(
                "--expect: the digest has {len} {bytes}, but at least {SHORTEST_EXPECTED} are expected (if it is \
                 complete, give its length with --length-bytes {len})"
            )));
        }
    }
    let mut outcome = Outcome::Good;
    for file in &files {
        outcome =
            outcome.max(checking.check(&"--expect".into(), text.as_bytes(), Some(file), &mut Vec::new())?);
    }
    Ok(outcome.code())
}

/// The digits of a hexadecimal digest that is separated into groups by spaces, or into bytes by colons. Two groups are a
/// digest and a name if two spaces separate them, or if the second one has few digits.
fn ungrouped(digest: &str) -> Option<String> {
    let digest = digest.trim();
    if let Some(bytes) = hex_with_colons(digest.as_bytes()) {
        return Some(HEXLOWER.encode(&bytes));
    }
    let groups: Vec<&str> = digest.split_ascii_whitespace().collect();
    let is_group = |group: &&str| hex(group.as_bytes()).is_some();
    let joined = groups.concat();
    let is_digest = matches!(joined.len() / 2, 16 | 20 | 28 | 32 | 48 | 64);
    let is_line = matches!(groups[..], [_, name] if name.len() <= 8 || digest.contains("  "));
    (groups.len() > 1 && groups.iter().all(is_group) && is_digest && !is_line).then_some(joined)
}

/// A line with the hexadecimal digits of a digest in base64 without padding, or in base64url with or without padding. A
/// word can also be base64, so the length must be that of a digest of a known algorithm. A text of hexadecimal digits is
/// an incomplete digest in hexadecimal.
fn in_base64(digest: &str, given: &[Method]) -> Option<String> {
    let digest = digest.trim();
    if digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let bytes = base64(digest.as_bytes())?;
    let is_given = given.iter().any(|method| method.digest_len() == bytes.len());
    let is_default = || {
        let mut rows = hashwell::ALGORITHMS.iter().map(|row| row.output);
        rows.any(|len| len == bytes.len()) || bytes.len() == Legacy::Md5.digest_len()
    };
    let is_known = is_given || bytes.len() >= SHORTEST_EXPECTED && is_default();
    // A short digest is only recognized next to a name.
    is_known.then(|| format!("{}  -", HEXLOWER.encode(&bytes)))
}

fn refuse_print_options(options: &SumOptions) -> Result<(), Failure> {
    if options.binary || options.text {
        return Err(Failure::Usage(
            "the --binary and --text options are meaningless when verifying checksums".to_owned(),
        ));
    }
    let given = [
        (options.tag, "--tag"),
        (options.untagged, "--untagged"),
        (options.zero, "--zero"),
        (options.base64, "--base64"),
        (options.sri, "--sri"),
        (options.raw, "--raw"),
        (options.recursive, "--recursive"),
        (options.dereference, "--dereference"),
        (options.no_names, "--no-names"),
        (options.summary, "--summary"),
    ];
    let audits = options.audit || options.keep.new;
    refuse(
        &[(!options.exclude.is_empty() && !audits, "--exclude")],
        "requires --audit or --new when verifying checksums",
    )?;
    refuse(&given, "is meaningless when verifying checksums")
}

/// The maximum size in bytes of a list: two million lines or more.
pub(crate) const MAX_LIST: u64 = 256 << 20;

/// One file, and all digests that adjacent lines of the list give for it.
struct Job {
    /// The name in the list.
    name: OsString,
    /// The path that the name means.
    path: OsString,
    /// The alternative reading of the name, if the list's format is ambiguous.
    other_name: Option<OsString>,
    /// True if the other reading means that the digest was computed after converting line endings.
    folded: bool,
    /// True if the list allows the file to be missing.
    optional: bool,
    /// The location of the file; filled in by [`locate`].
    place: Place,
    work: Work,
    lines: Vec<Line>,
}

/// The method for hashing a file.
#[derive(Debug, PartialEq, Eq)]
enum Work {
    /// Hash the file by all of these algorithms, in one read.
    Rows(Vec<Choice>),
    /// Compute only this legacy checksum.
    Legacy(Legacy),
}

/// Counts of the lines of a list, by result.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) matched: usize,
    pub(crate) mismatched: usize,
    pub(crate) unreadable: usize,
    /// Files that `--ignore-missing` ignored.
    pub(crate) missing: usize,
    /// Lines whose digest matched an algorithm other than the guessed one: the guessed and the matching algorithm, and
    /// the number of lines.
    by_others: BTreeMap<(String, String), usize>,
    /// The names of the matching algorithms that are in the registry.
    other_rows: BTreeSet<&'static str>,
    /// Lines without an algorithm that no algorithm matched, and the names of the algorithms that were tried.
    unmatched: usize,
    tried: Vec<String>,
    /// The lengths of the digests of these lines.
    lens: BTreeSet<usize>,
    /// Files that differ from when they were listed, by the kind of change.
    edited: usize,
    uncertain: usize,
    rotten: usize,
}

/// Reads a list in the format that its name and the `given` methods suggest.
pub(crate) fn parse(list_name: &OsStr, bytes: &[u8], given: &[Method]) -> List {
    let is_sfv = |method: &Method| *method == Method::Legacy(Legacy::Crc32);
    let sfv = by_name(list_name).iter().chain(given).any(is_sfv);
    read::parse_with(bytes, Hints { sfv, bagit: Base::bagit(list_name) })
}

/// The settings for checking lists.
struct Checking<'a> {
    given: &'a [Method],
    keying: &'a Keying<'a>,
    options: &'a SumOptions,
}

impl Checking<'_> {
    /// Checks one list. For an audit, adds the names in it to `listed`. `target` is the file to compare with if the
    /// list is one digest without a name.
    fn check(
        &self,
        list_name: &OsString,
        bytes: &[u8],
        target: Option<&OsString>,
        listed: &mut Vec<OsString>,
    ) -> Result<Outcome, Failure> {
        let Checking { given, keying, options } = *self;
        let by_name = by_name(list_name);
        let mut list = parse(list_name, bytes, given);
        if let Some(target) = target {
            for entry in &mut list.entries {
                // A pasted text may name the algorithm before the digest.
                let label =
                    entry.name.as_deref().and_then(|name| str::from_utf8(name).ok()).and_then(Method::find);
                entry.method = entry.method.or_else(|| label?.of_length(entry.digest.len()));
                entry.name = Some(os::name_bytes(target).into_owned());
                entry.other_name = None;
                entry.candidates = Candidates::default();
            }
        }
        let base = Base::of(&options.keep, list_name);
        choose_names(&mut list, |name| Path::new(&base.path(name)).is_file());
        let Jobs { mut jobs, guessed, assumed, short } =
            jobs(list_name, &mut list, given, options.bits().is_some());
        let missing = |row: &&&ParameterRow| !keying.given().any(|(given, _)| given == **row);
        let missing: Vec<String> =
            list.needs.iter().filter(missing).map(|row| format!("--{}", row.option)).collect();
        if !missing.is_empty() {
            let options = missing.join(" and ");
            complain_of(
                list_name,
                &format_args!("the digests were made with {options}; use the same options to check them"),
            );
            return Ok(Outcome::Failed);
        }
        if keying.given().next().is_some() && (assumed || !guessed.is_empty()) {
            complain_of(list_name, &"the list does not name the keyed algorithm; select it with -a");
            return Ok(Outcome::Failed);
        }
        let say = |message: &dyn Display| {
            if !options.status {
                complain_of(list_name, message);
            }
        };
        locate(&mut jobs, &base, list.windows);
        let before = jobs.len();
        let is_folded = |job: &Job| job.folded && (job.place.respelled.is_some() || job.place.missing);
        let folded: Vec<usize> = jobs
            .iter()
            .filter(|job| is_folded(job))
            .flat_map(|job| &job.lines)
            .map(|line| line.number)
            .collect();
        jobs.retain(|job| !is_folded(job));
        if jobs.len() < before {
            list.malformed.extend(folded);
            list.unsupported.insert("shasum -U (digests of text with other line endings)".to_owned());
        }
        // If nothing is hashed, messages about algorithms and spellings are of no use.
        let only_names = options.keep.asks_for_names();
        if options.audit || only_names {
            listed.extend(jobs.iter().map(|job| job.file().clone()));
        }
        if !list.notes.is_empty() {
            say(&list.notes.join("; "));
        }
        let respelled: Vec<&Job> = jobs.iter().filter(|job| job.place.respelled.is_some()).collect();
        if let [first, more @ ..] = &respelled[..]
            && !only_names
        {
            say(&instead(&first.name, first.file(), more.len()));
        }
        if !guessed.is_empty() && !only_names {
            let guessed: Vec<String> = guessed.into_iter().collect();
            let guessed = guessed.join(" and ");
            say(&format_args!(
                "the algorithm is not named; assuming {guessed} from the length of the digest (use -a to choose \
                 another)"
            ));
        }
        let legacy: BTreeSet<&str> = jobs.iter().filter_map(Job::legacy).map(Legacy::tag).collect();
        for name in legacy.into_iter().filter(|_| !only_names) {
            say(&format_args!("warning: {name} detects accidental changes but not tampering"));
        }
        let unsupported_by_name = unsupported_by_name(list_name)
            .filter(|_| given.is_empty() && !list.malformed.is_empty())
            .map(|(name, _)| name);
        for name in list.unsupported.iter().chain(&unsupported_by_name) {
            say(&format_args!("{name} is not supported; lines that use it are not checked"));
        }
        if options.warn {
            let methods: Vec<Method> =
                if given.is_empty() { by_name.into_iter().collect() } else { given.to_vec() };
            let titles: BTreeSet<String> = methods.into_iter().map(Method::title).collect();
            let of = titles.into_iter().collect::<Vec<_>>().join(" or ");
            let kind = if of.is_empty() { "checksum".to_owned() } else { format!("{of} checksum") };
            for line in &list.malformed {
                say(&format_args!("{line}: improperly formatted {kind} line"));
            }
        }
        if jobs.is_empty() {
            let tried = match short {
                _ if !list.unsupported.is_empty() || unsupported_by_name.is_some() => String::new(),
                Some(len) if given.is_empty() => format!(
                    " (no algorithm has digests of {len} bytes by default: give the algorithm of the list with -a)"
                ),
                _ => format!(" (formats tried: {})", formats::titles()),
            };
            complain_of(list_name, &format_args!("no properly formatted checksum lines found{tried}"));
            return Ok(Outcome::Failed);
        }
        let malformed_matters = options.strict && !list.malformed.is_empty();
        if only_names {
            let outcome = names_only(&jobs, options)?;
            if !options.status {
                warnings(&Tally::default(), list.malformed.len());
            }
            return Ok(if malformed_matters { Outcome::Failed } else { outcome });
        }
        let choices = || jobs.iter().flat_map(Job::choices);
        let names: BTreeSet<&str> = choices().map(|choice| choice.algorithm.name).collect();
        for algorithm in names.into_iter().filter_map(|name| hashwell::find(name).ok()) {
            warning(algorithm).iter().filter(|_| !options.status).for_each(|text| note(text));
        }
        // A list may name algorithms that take no key, or that need a key of a different length.
        let legacy =
            jobs.iter().find_map(Job::legacy).and_then(|legacy| keying.check_legacy(legacy.tag()).err());
        if let Some(refusal) = legacy.or_else(|| choices().find_map(|choice| keying.check(*choice).err())) {
            complain_of(list_name, &refusal);
            return Ok(Outcome::Failed);
        }
        let tally = verify(&jobs, keying, options)?;
        for ((guessed, found), n) in &tally.by_others {
            say(&format_args!(
                "the algorithm is not named, and {} {found}, not {guessed}",
                match_or_matches(*n)
            ));
        }
        for name in &tally.other_rows {
            let warning = hashwell::find(name).ok().and_then(warning);
            warning.iter().filter(|_| !options.status).for_each(|text| note(text));
        }
        if tally.unmatched > 0 {
            let others: BTreeSet<&str> =
                tally.lens.iter().flat_map(|len| unsupported_of_length(*len)).collect();
            let others = others.into_iter().collect::<Vec<_>>().join(", ");
            // If other lines match, the algorithm of the list is most likely one that was tried.
            let others = if others.is_empty() || tally.matched > 0 {
                String::new()
            } else {
                format!(
                    "; hashwell does not support these algorithms with digests of the same length: {others}"
                )
            };
            say(&format_args!(
                "the algorithm is not named, and {} none of {}{others}",
                match_or_matches(tally.unmatched),
                algorithms_tried(&tally.tried)
            ));
        }
        if !options.status {
            warnings(&tally, list.malformed.len());
            if options.ignore_missing && tally.matched == 0 {
                complain_of(list_name, &"no file was verified");
            }
        }
        let plain = tally.mismatched - tally.edited - tally.uncertain - tally.rotten;
        let none = tally.matched + tally.mismatched == 0;
        Ok(if tally.rotten > 0 {
            Outcome::Rotten
        } else if none || plain + tally.unreadable > 0 || malformed_matters {
            Outcome::Failed
        } else if tally.uncertain > 0 {
            Outcome::Uncertain
        } else if tally.edited > 0 {
            Outcome::Edited
        } else {
            Outcome::Good
        })
    }
}

/// The message that `file` is checked instead of the missing file `name`, and `more` files in the same way.
pub(crate) fn instead(name: &OsStr, file: &OsStr, more: usize) -> String {
    let (name, file) = (printable(name), printable(file));
    let more = match more {
        0 => String::new(),
        1 => " (and 1 more file in the same way)".to_owned(),
        n => format!(" (and {n} more files in the same way)"),
    };
    format!("'{name}' is missing; checking '{file}' instead{more}")
}

/// Prints the names for `--missing` and `--changed-only`.
fn names_only(jobs: &[Job], options: &SumOptions) -> Result<Outcome, Failure> {
    let (mut told, mut unknown) = (HashSet::new(), 0);
    let mut outcome = Outcome::Good;
    let print = |job: &Job, verdict: Verdict| match options {
        SumOptions { status: true, .. } => Ok(()),
        SumOptions { json: true, .. } => write_line(format!("{}\n", object(&job.name, &verdict)).as_bytes()),
        _ => print_words(&job.name, &verdict, ""),
    };
    for job in jobs.iter().filter(|job| told.insert(&job.name)) {
        // The size of a file that could not be looked at is 0.
        let error = match job.place.size {
            Some(0) if !job.place.missing => std::fs::metadata(job.file()).err(),
            _ => None,
        };
        if job.place.missing || error.as_ref().is_some_and(|error| is_missing(error.kind())) {
            if options.keep.missing && !job.optional {
                outcome = Outcome::Failed;
                print(job, Verdict::Missing)?;
            }
            continue;
        }
        if let Some(error) = error {
            outcome = Outcome::Failed;
            complain_of(&job.name, &reason(&error));
            continue;
        }
        if !options.keep.changed_only {
            continue;
        }
        let recorded = job.lines.iter().find(|line| line.stamp.tells());
        let now = stamps::of_name(job.file());
        match (recorded, now) {
            (Some(line), Some(now)) if !line.stamp.is_unchanged(&now) => {
                outcome = Outcome::Failed;
                print(job, Verdict::Changed)?;
            }
            (Some(_), _) => {}
            (None, _) => unknown += 1,
        }
    }
    if !options.status {
        warn(unknown, "listed file has no recorded time", "listed files have no recorded time");
    }
    Ok(outcome)
}

fn match_or_matches(checksums: usize) -> String {
    if checksums == 1 { "1 checksum matches".to_owned() } else { format!("{checksums} checksums match") }
}

/// The names of the algorithms that were tried: the first ones, if there are more than fit on a line.
fn algorithms_tried(names: &[String]) -> String {
    match names {
        [first, second, third, _, _, _, ..] => format!(
            "the {} algorithms with digests of the same length ({first}, {second}, {third}, …)",
            names.len()
        ),
        few => few.join(", "),
    }
}

/// The jobs of a list.
struct Jobs {
    jobs: Vec<Job>,
    /// Algorithms that were chosen for lines only by the length of their digests.
    guessed: BTreeSet<String>,
    /// True if lines got the default algorithm of `sum`.
    assumed: bool,
    /// The length in bytes of a digest of at least four bytes for which there is no algorithm.
    short: Option<usize>,
}

/// Assigns an algorithm and a file to every line, and combines adjacent lines for the same file so that the file is
/// read once. Lines without an algorithm or a file count as malformed. If any line has a name, a line without a name
/// has no file. `exact`: digests must have exactly the length of one of the `given` methods, not just a length that the
/// algorithm supports.
fn jobs(list_name: &OsStr, list: &mut List, given: &[Method], exact: bool) -> Jobs {
    let any_named = list.entries.iter().any(|entry| entry.name.is_some());
    let mut unnamed: HashMap<usize, usize> = HashMap::new();
    list.entries.iter().for_each(|entry| *unnamed.entry(entry.digest.len()).or_default() += 1);
    let mut resolver = Resolver::new(list_name, given, exact);
    resolver.has_crcs = list.has_crcs;
    let mut all = Jobs { jobs: Vec::new(), guessed: BTreeSet::new(), assumed: false, short: None };
    for mut entry in std::mem::take(&mut list.entries) {
        let (number, name, other_name) = (entry.line, entry.name.take(), entry.other_name.take());
        let (folded, optional) = (entry.folded, entry.optional);
        // If the list has several unnamed digests of the same length, they belong to different files, so none of them
        // is assigned to the file after which the list is named.
        let is_of_list = !any_named && unnamed.get(&entry.digest.len()) == Some(&1);
        let len = entry.digest.len();
        let line = resolver.resolve(entry);
        let name = match name {
            Some(name) => os::name_of(name),
            None if is_of_list => file_of_list(list_name),
            None => None,
        };
        match name {
            Some(name) if !line.readings.is_empty() => {
                all.add(name, other_name.and_then(os::name_of), folded, line);
                if let Some(job) = all.jobs.last_mut() {
                    job.optional = optional;
                }
            }
            _ => {
                // A shorter hexadecimal string could be an ordinary word, such as "face".
                all.short = all.short.or(Some(len).filter(|len| line.readings.is_empty() && *len >= 4));
                list.malformed.push(number);
            }
        }
    }
    (all.guessed, all.assumed) = (resolver.guessed, resolver.assumed);
    list.malformed.sort_unstable();
    all
}

impl Jobs {
    fn add(&mut self, name: OsString, other_name: Option<OsString>, folded: bool, mut line: Line) {
        // A file is hashed either by algorithms of the registry or by a legacy checksum, so all readings of a line are
        // of one kind.
        let is_row = line.readings[0].0.row().is_some();
        line.readings.retain(|(method, _)| method.row().is_some() == is_row);
        let rows: Option<Vec<Choice>> = line.readings.iter().map(|(method, _)| method.row()).collect();
        let work = match (self.jobs.last_mut(), rows, &line.readings[0].0) {
            (Some(Job { name: last, work: Work::Rows(choices), lines, .. }), Some(rows), _)
                if *last == name =>
            {
                choices.extend(rows);
                lines.push(line);
                return;
            }
            (_, Some(rows), _) => Work::Rows(rows),
            (_, None, Method::Legacy(legacy)) => Work::Legacy(*legacy),
            (_, None, Method::Row(_)) => unreachable!("no legacy checksum has two readings"),
        };
        let path = name.clone();
        self.jobs.push(Job {
            name,
            path,
            other_name,
            folded,
            optional: false,
            place: Place::default(),
            work,
            lines: vec![line],
        });
    }
}

impl Job {
    /// The file to read.
    fn file(&self) -> &OsString {
        self.place.respelled.as_ref().unwrap_or(&self.path)
    }

    fn legacy(&self) -> Option<Legacy> {
        match self.work {
            Work::Legacy(legacy) => Some(legacy),
            Work::Rows(_) => None,
        }
    }

    fn choices(&self) -> &[Choice] {
        match &self.work {
            Work::Rows(choices) => choices,
            Work::Legacy(_) => &[],
        }
    }
}

/// Chooses the names of entries whose names can be read in several ways. An entry without any name is malformed.
pub(crate) fn choose_names(list: &mut List, exists: impl Fn(&OsStr) -> bool) {
    let List { entries, malformed, .. } = list;
    entries.retain_mut(|entry| {
        if entry.candidates.is_empty() {
            return true;
        }
        let is_file = |name: &&[u8]| os::name_of(name.to_vec()).is_some_and(|name| exists(&name));
        if let Some(name) = entry.candidates.iter().find(is_file) {
            (entry.name, entry.other_name) = (Some(name.to_vec()), None);
        }
        entry.candidates = Candidates::default();
        if entry.name.is_none() {
            malformed.push(entry.line);
        }
        entry.name.is_some()
    });
    malformed.sort_unstable();
}

/// Finds the files. `any_case`: the case of letters may differ.
fn locate(jobs: &mut [Job], base: &Base, any_case: bool) {
    let progress = Progress::names();
    for job in jobs.iter_mut() {
        job.path = base.path(&job.name);
        job.other_name = job.other_name.take().map(|name| base.path(&name));
    }
    let listed: HashSet<&OsStr> = jobs.iter().map(|job| job.path.as_os_str()).collect();
    let counted = jobs.iter().inspect(|_| progress.add(1));
    let mut folders = any_case.then(Folders::default);
    let place =
        |job: &Job| respelled::locate(&job.path, job.other_name.as_deref(), &listed, folders.as_mut());
    let places: Vec<Place> = counted.map(place).collect();
    jobs.iter_mut().zip(places).for_each(|(job, place)| job.place = place);
}

fn verify(jobs: &[Job], keying: &Keying<'_>, options: &SumOptions) -> Result<Tally, Failure> {
    let threads = parallel::jobs(options.jobs, jobs.len())?;
    let progress = Progress::of_files(jobs.iter().map(|job| job.place.size).sum(), jobs.len());
    let mut tally = Tally::default();
    let choices = jobs.iter().flat_map(Job::choices);
    let chosen = choose(&options.engine, choices, |choice| keying.many(choice))?;
    let engines = Engines::ready(&chosen)?;
    let recipe = Recipe { choices: &[], keying, engines: &engines };
    let judging =
        Judging { recipe, help: Help::of(options.jobs), progress: &progress, likely: Mutex::default() };
    let groups = groups(jobs, group_len(jobs.len(), threads, recipe.side_by_side()), together);
    parallel::in_order(
        &groups,
        threads,
        |group| judging.results(group),
        |group, results| {
            let mut tell = |job, result| progress.suspend(|| tell(job, result, options, &mut tally));
            group.iter().zip(results).try_for_each(|(job, result)| tell(job, result))
        },
    )?;
    Ok(tally)
}

/// Returns true if neighbors may share a group.
fn together(a: &Job, b: &Job) -> bool {
    is_small(a.place.size) && is_small(b.place.size) && a.work == b.work
}

/// For each line of a job, the algorithm whose digest matches, if any.
type Found = Result<Vec<Option<Method>>, Unreadable>;

/// Compares files with their lines in the list.
struct Judging<'a> {
    /// The settings for hashing. Its algorithms are replaced by those of each job.
    recipe: Recipe<'a>,
    help: Help,
    progress: &'a Progress,
    /// Algorithms that matched lines although others had been guessed. Later files are also hashed by these in their
    /// first read, so that a list of 100,000 files isn't read twice. The results don't depend on this list.
    likely: Mutex<Vec<Choice>>,
}

impl Judging<'_> {
    /// The results of a group of jobs that all have the same work.
    fn results(&self, group: &[Job]) -> Vec<Found> {
        let names: Vec<&OsString> = group.iter().map(|job| job.file()).collect();
        let Work::Rows(choices) = &group[0].work else {
            return group.iter().map(|job| self.legacy(job)).collect();
        };
        let likely = self.likely(group);
        let all = [&choices[..], &likely].concat();
        let digests = digest_group(&names, Recipe { choices: &all, ..self.recipe }, self.help, self.progress);
        let right = |(job, digests): (&Job, Result<_, _>)| {
            let Digests { digests, .. } = digests?;
            let (own, more) = digests.split_at(choices.len());
            let more: Vec<(Method, &Vec<u8>)> = likely.iter().copied().map(Method::Row).zip(more).collect();
            let mut own = own.iter();
            let by = |line: &Line| {
                let readings = line.readings.iter().zip(own.by_ref());
                let right = readings.filter(|((_, expected), digest)| expected == *digest);
                let right = right.map(|((method, _), _)| *method).last();
                right
                    .or_else(|| more.iter().find(|(m, digest)| line.is_right_by(*m, digest)).map(|(m, _)| *m))
            };
            let found = job.lines.iter().map(by).collect();
            self.second_look(job, found)
        };
        group.iter().zip(digests).map(right).collect()
    }

    fn legacy(&self, job: &Job) -> Found {
        let legacy: Vec<Legacy> = job.legacy().into_iter().collect();
        let Digests { digests, .. } = digest_legacy(&legacy, job.file(), self.progress)?;
        let by =
            |line: &Line| line.readings.iter().find(|(_, expected)| *expected == digests[0]).map(|(m, _)| *m);
        let found = job.lines.iter().map(by).collect();
        self.second_look(job, found)
    }

    /// The algorithms that are likely to match lines of these jobs, except those that are computed anyway.
    fn likely(&self, group: &[Job]) -> Vec<Choice> {
        let likely = self.likely.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = |choice: &&Choice| {
            let method = Method::Row(**choice);
            let may_be = |line: &Line| line.all_others().contains(&method);
            !group[0].choices().contains(choice) && group.iter().flat_map(|job| &job.lines).any(may_be)
        };
        likely.iter().filter(wanted).copied().collect()
    }

    /// If some lines don't match yet but their digests may be from other algorithms, reads the file once more and
    /// hashes it by all of these algorithms.
    fn second_look(&self, job: &Job, mut found: Vec<Option<Method>>) -> Found {
        let open: Vec<&Line> =
            job.lines.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(line, _)| line).collect();
        let mut others: Vec<Method> = Vec::new();
        for other in open.iter().flat_map(|line| line.all_others()) {
            if !others.contains(&other) {
                others.push(other);
            }
        }
        // Pipes and devices can be read only once.
        if others.is_empty() || job.place.size.is_none() {
            return Ok(found);
        }
        let takes_key = |choice: &Choice| self.recipe.keying.check(*choice).is_ok();
        let rows: Vec<Choice> = others.iter().filter_map(|other| other.row()).filter(takes_key).collect();
        let legacy: Vec<Legacy> = others.iter().filter_map(|other| other.legacy()).collect();
        let mut digests: Vec<(Method, Vec<u8>)> = Vec::new();
        if !rows.is_empty() {
            let recipe = Recipe { choices: &rows, engines: Engines::none(), ..self.recipe };
            let all = digest_file(job.file(), b"", recipe, self.help, self.progress)?.digests;
            digests.extend(rows.into_iter().map(Method::Row).zip(all));
        }
        if !legacy.is_empty() {
            let all = digest_legacy(&legacy, job.file(), self.progress)?.digests;
            digests.extend(legacy.into_iter().map(Method::Legacy).zip(all));
        }
        for (line, found) in job.lines.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            *found =
                digests.iter().find(|(method, digest)| line.is_right_by(*method, digest)).map(|(m, _)| *m);
            if let Some(choice) = found.and_then(Method::row) {
                let mut likely = self.likely.lock().unwrap_or_else(PoisonError::into_inner);
                if !likely.contains(&choice) {
                    likely.push(choice);
                }
            }
        }
        Ok(found)
    }
}

/// Counts the result and prints one line for each digest in the list.
fn tell(job: &Job, result: Found, options: &SumOptions, tally: &mut Tally) -> Result<(), Failure> {
    // If another line names this file exactly and the digest of this line doesn't match it, the file belongs to the
    // other line only, so this one is missing.
    let result = match (result, &job.place.doubt) {
        (Ok(found), Some(reason)) if found.iter().all(Option::is_none) => {
            Err(Unreadable::Missing(reason.clone()))
        }
        (result, _) => result,
    };
    let found = match result {
        Ok(found) => found,
        Err(Unreadable::Missing(_)) if options.ignore_missing || job.optional => {
            tally.missing += 1;
            return Ok(());
        }
        Err(unreadable) => {
            complain_of(&job.name, &unreadable.reason());
            tally.unreadable += job.lines.len();
            let all = |line: &Line| print(job, Verdict::Unreadable, line.readings[0].0, options);
            return job.lines.iter().try_for_each(all);
        }
    };
    for (line, found) in job.lines.iter().zip(found) {
        let guessed = line.readings[0].0;
        let is_guess = matches!(line.others, Others::Unbroken | Others::Decimal | Others::Crc);
        match found {
            Some(method) => {
                tally.matched += 1;
                let is_reading = line.readings.iter().any(|(reading, _)| *reading == method);
                let by_other = is_guess && !is_reading;
                if by_other {
                    *tally.by_others.entry((guessed.name(), method.name())).or_default() += 1;
                    tally.other_rows.extend(method.row().map(|choice| choice.algorithm.name));
                }
                if !options.quiet {
                    print(job, Verdict::Right { by_other }, method, options)?;
                }
            }
            None => {
                tally.mismatched += 1;
                let mut tried = Vec::new();
                if is_guess && job.place.size.is_some() {
                    let methods = line.readings.iter().map(|(method, _)| *method).chain(line.all_others());
                    tried = methods.map(Method::name).collect();
                }
                let change = stamps::of_name(job.file()).and_then(|now| line.stamp.change(&now));
                match change {
                    None => {}
                    Some(Change::Edited { .. }) => tally.edited += 1,
                    Some(Change::Uncertain) => tally.uncertain += 1,
                    Some(Change::Rotten | Change::Replaced) => tally.rotten += 1,
                }
                if tried.len() > 1 {
                    tally.lens.insert(line.readings[0].1.len());
                    tally.unmatched += 1;
                    let new: Vec<_> =
                        tried.iter().filter(|name| !tally.tried.contains(name)).cloned().collect();
                    tally.tried.extend(new);
                }
                print(job, Verdict::Wrong { tried, change }, guessed, options)?;
            }
        }
    }
    Ok(())
}

/// The result for a file.
pub(crate) enum Verdict {
    /// Matches, possibly by an algorithm other than the guessed one.
    Right {
        by_other: bool,
    },
    /// Does not match. The fields are the algorithms that were tried, if the line doesn't name one, and the file's
    /// change since it was listed.
    Wrong {
        tried: Vec<String>,
        change: Option<Change>,
    },
    Unreadable,
    NotListed,
    Missing,
    Changed,
}

/// The change of a file since it was listed, as text and as a JSON value.
fn change_words(change: Change) -> (&'static str, &'static str) {
    match change {
        Change::Edited { older: false } => (" (edited: modified after it was listed)", "edited"),
        Change::Edited { older: true } => (" (edited: an older version than the listed one)", "older"),
        Change::Uncertain => (" (uncertain: modified within 2 seconds of being listed)", "uncertain"),
        Change::Rotten => (" (rotten: size and time of modification are unchanged)", "rotten"),
        Change::Replaced => (
            " (rotten or replaced: size and time of modification are unchanged, but ctime or inode changed)",
            "replaced",
        ),
    }
}

impl Verdict {
    /// The result as text (as coreutils words it, if coreutils has it), and as a JSON value.
    fn words(&self) -> (&'static str, &'static str) {
        match self {
            Verdict::Right { .. } => ("OK", "ok"),
            Verdict::Wrong { .. } => ("FAILED", "failed"),
            Verdict::Unreadable => ("FAILED open or read", "unreadable"),
            Verdict::NotListed => ("not listed", "not listed"),
            Verdict::Missing => ("missing", "missing"),
            Verdict::Changed => ("changed since it was listed", "changed"),
        }
    }
}

fn print(job: &Job, verdict: Verdict, method: Method, options: &SumOptions) -> Result<(), Failure> {
    if options.status {
        return Ok(());
    }
    if !options.json {
        let by = match verdict {
            Verdict::Right { by_other: true } => format!(" ({})", method.name()),
            Verdict::Wrong { change: Some(change), .. } => change_words(change).0.to_owned(),
            _ => String::new(),
        };
        return print_words(&job.name, &verdict, &by);
    }
    let mut object = object(&job.name, &verdict);
    match method {
        Method::Row(choice) => {
            object["algorithm"] = choice.algorithm.name.into();
            object["bits"] = (8 * choice.output_len).into();
        }
        Method::Legacy(legacy) => object["legacy"] = legacy.tag().into(),
    }
    if let Verdict::Wrong { tried, change } = verdict {
        if !tried.is_empty() {
            object["tried"] = tried.into();
        }
        if let Some(change) = change {
            object["change"] = change_words(change).1.into();
        }
    }
    if let Some(file) = &job.place.respelled {
        name_member_in(&mut object, "file", file);
    }
    write_line(format!("{object}\n").as_bytes())
}

pub(crate) fn print_words(name: &OsStr, verdict: &Verdict, by: &str) -> Result<(), Failure> {
    let (escape, name) = escaped_if_many_lines(name);
    write_line(&[escape, &name, b": ", verdict.words().0.as_bytes(), by.as_bytes(), b"\n"].concat())
}

fn object(name: &OsStr, verdict: &Verdict) -> serde_json::Value {
    let mut object = serde_json::json!({ "verdict": verdict.words().1 });
    name_in(&mut object, name);
    object
}

fn warn(n: usize, one: &str, many: &str) {
    if n > 0 {
        complain(&format_args!("WARNING: {n} {}", if n == 1 { one } else { many }));
    }
}

/// The closing warnings of coreutils, singular and plural.
pub(crate) fn warnings(tally: &Tally, malformed: usize) {
    warn(malformed, "line is improperly formatted", "lines are improperly formatted");
    warn(tally.unreadable, "listed file could not be read", "listed files could not be read");
    warn(tally.mismatched, "computed checksum did NOT match", "computed checksums did NOT match");
    warn(tally.missing, "listed file is missing", "listed files are missing");
    warn(
        tally.edited,
        "of them was edited after it was listed",
        "of them were edited after they were listed",
    );
    warn(tally.uncertain, "of them was edited or is rotten", "of them were edited or are rotten");
    warn(tally.rotten, "of them is ROTTEN or replaced", "of them are ROTTEN or replaced");
}

/// The topmost directories of the files, each as it was spelled first. Directories that don't exist are left out.
/// Directories that exist but can't be reached are included, so that reading them reports the reason.
pub(crate) fn roots_of<'n>(names: impl IntoIterator<Item = &'n OsString>) -> Vec<OsString> {
    let mut directories = Directories::default();
    let mut parents: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    let mut unreachable: BTreeSet<&Path> = BTreeSet::new();
    for spelled in names.into_iter().filter_map(|name| parent(name)) {
        if let Some(path) = directories.canonical(spelled) {
            parents.entry(path.to_path_buf()).or_insert(spelled);
        } else if let (_, Some((barrier, kind))) = directories.reached(spelled)
            && !is_missing(kind)
        {
            unreachable.insert(barrier);
        }
    }
    // A directory below one of these is walked together with it.
    let topmost = |path: &Path| !path.ancestors().skip(1).any(|above| parents.contains_key(above));
    let roots = parents.iter().filter(|(path, _)| topmost(path)).map(|(_, spelled)| *spelled);
    roots.chain(unreachable).map(OsString::from).collect()
}

/// Prints the files that `-r` would list in or below the listed files' top directories but that are not listed; returns
/// true if there are none, and if all directories could be read. The lists themselves need not be listed.
fn audit(
    listed: &[OsString],
    lists: &[OsString],
    exclude: &Exclude,
    options: &SumOptions,
) -> Result<bool, Failure> {
    let mut directories = Directories::default();
    let known: HashSet<PathBuf> =
        listed.iter().chain(lists).filter_map(|name| directories.path_of(name)).collect();
    let roots = roots_of(listed);
    let (mut unlisted, mut unread) = (0, 0);
    let mut skipped = Skipped::default();
    let rules = Rules { recursive: true, follow_links: false, exclude, output: None, jobs: options.jobs };
    for input in inputs(&roots, rules)? {
        let why = match &input {
            Input::Refused(_, why) => Some(why.clone()),
            // A directory that was named but could not be looked at.
            Input::File(name, None) => std::fs::metadata(name).err().map(|error| reason(&error)),
            _ => None,
        };
        let skip = match &input {
            Input::Skipped(_, skip) => Some(*skip),
            _ => None,
        };
        let (Input::File(name, _) | Input::Refused(name, _) | Input::Skipped(name, _)) = input;
        if let Some(why) = why {
            unread += 1;
            complain_of(&name, &why);
            continue;
        }
        if directories.path_of(&name).is_none_or(|path| !known.contains(&path)) {
            if let Some(skip) = skip {
                skipped.add(&name, skip);
                continue;
            }
            unlisted += 1;
            let name = plain(&name);
            match options {
                SumOptions { status: true, .. } => {}
                SumOptions { json: true, .. } => {
                    let object = object(name.as_os_str(), &Verdict::NotListed);
                    write_line(format!("{object}\n").as_bytes())?;
                }
                _ => print_words(name.as_os_str(), &Verdict::NotListed, "")?,
            }
        }
    }
    if !options.status {
        skipped.complain();
        warn(unlisted, "file is not listed", "files are not listed");
    }
    Ok(unlisted + unread == 0)
}

/// Maps each spelling of a directory to its path without links, `.` and `..`, or to the reason why there is none.
#[derive(Default)]
pub(crate) struct Directories(HashMap<PathBuf, Result<PathBuf, ErrorKind>>);

impl Directories {
    fn look(&mut self, spelled: &Path) -> &Result<PathBuf, ErrorKind> {
        let looked = self.0.entry(spelled.to_owned());
        looked.or_insert_with(|| std::fs::canonicalize(spelled).map_err(|error| error.kind()))
    }

    fn canonical(&mut self, spelled: &Path) -> Option<&Path> {
        self.look(spelled).as_deref().ok()
    }

    /// Walks down a path. Returns its longest part that exists, which is empty for the working directory, and the first
    /// part that can't be reached, with the kind of the error. The parts below are not looked at, so that the cost of a
    /// long name does not grow with its depth.
    fn reached<'p>(&mut self, spelled: &'p Path) -> (&'p Path, Option<(&'p Path, ErrorKind)>) {
        let mut there = Path::new("");
        let parts: Vec<&Path> = spelled.ancestors().filter(|part| !part.as_os_str().is_empty()).collect();
        for part in parts.into_iter().rev() {
            match self.look(part) {
                Ok(_) => there = part,
                Err(kind) => return (there, Some((part, *kind))),
            }
        }
        (there, None)
    }

    /// Returns the same path for all spellings of a file. For a link, this is the path of the link itself.
    pub(crate) fn path_of(&mut self, name: &OsStr) -> Option<PathBuf> {
        Some(self.canonical(parent(name)?)?.join(Path::new(name).file_name()?))
    }

    /// Same as [`Self::path_of`], for a file that may be in a directory that doesn't exist.
    pub(crate) fn place_of(&mut self, name: &OsStr) -> PathBuf {
        let path = Path::new(name);
        let there = parent(name).map_or(path, |above| self.reached(above).0);
        let base = if there.as_os_str().is_empty() { Path::new(".") } else { there };
        let rest = path.strip_prefix(there).unwrap_or(path);
        self.canonical(base).map_or_else(|| name.into(), |base| base.join(rest))
    }
}

/// Returns true if this kind of error means that there is no such file.
pub(crate) fn is_missing(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The directory that a file is in, as its name spells it.
fn parent(name: &OsStr) -> Option<&Path> {
    let parent = Path::new(name).parent()?;
    Some(if parent.as_os_str().is_empty() { Path::new(".") } else { parent })
}

/// The path without `.` components.
pub(crate) fn plain(name: &OsStr) -> PathBuf {
    Path::new(name).components().filter(|c| !matches!(c, Component::CurDir)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_files_of_the_same_algorithms_go_together() {
        let job = |names: &[&str], size| Job {
            name: "f".into(),
            path: "f".into(),
            other_name: None,
            folded: false,
            optional: false,
            place: Place { size, ..Place::default() },
            work: Work::Rows(names.iter().map(|name| Choice::of(hashwell::find(name).unwrap())).collect()),
            lines: Vec::new(),
        };
        let (one, other, both) = (&["sha1"][..], &["sha256"][..], &["sha1", "sha256"][..]);
        let sizes = [Some(1), None, Some(0), Some(1 << 30)];
        let jobs = [one, one, one, one, other, other, both, both].map(|names| job(names, Some(9)));
        let jobs: Vec<Job> = jobs.into_iter().chain(sizes.map(|size| job(one, size))).collect();
        let lens: Vec<usize> = groups(&jobs, 3, together).iter().map(|group| group.len()).collect();
        assert_eq!(lens, [3, 1, 2, 2, 1, 1, 1, 1]);
    }

    #[test]
    fn neighboring_lines_of_one_file_are_one_job() {
        let digests = ["a9993e364706816aba3e25717850c26c9cd0d89d", "90f8b1ab44a1fa4fde35b9ae9f0cd9f2"];
        let text = format!("{0}  a\n{0}  a\n{1}  a\n{0}  b\n{0}  a\n", digests[0], digests[1]);
        let mut list = read::parse(text.as_bytes());
        let jobs = jobs("-".as_ref(), &mut list, &[], false).jobs;
        let found: Vec<_> = jobs.iter().map(|job| (job.name.to_str().unwrap(), job.lines.len())).collect();
        assert_eq!(found, [("a", 2), ("a", 1), ("b", 1), ("a", 1)]);
        assert_eq!(jobs[1].work, Work::Legacy(Legacy::Md5));
        assert!(list.malformed.is_empty());
    }
}
