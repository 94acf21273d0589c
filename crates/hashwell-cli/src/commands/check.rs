//! `hashwell sum -c`: checks lists. Messages and exit codes are coreutils' wherever it has them.

use crate::commands::ids::kind::Kind;
use crate::commands::list::{self, Entry, List};
use crate::commands::sum::refuse;
use crate::digests::choice::Choice;
use crate::digests::digest::{Digests, digest_group, digest_legacy, is_small};
use crate::digests::engines::{Engines, choose};
use crate::digests::legacy::Legacy;
use crate::digests::method::Method;
use crate::digests::recipe::{Keying, Recipe};
use crate::inputs::reading::names;
use crate::inputs::reading::{Help, Unreadable, is_stdin, read_whole};
use crate::inputs::walk::{Exclude, Input, Rules, inputs, size};
use crate::options::args::SumOptions;
use crate::options::names::warning;
use crate::outputs::format::{escaped_if_many_lines, name_in};
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::os;
use crate::system::parallel;
use crate::system::parallel::{group_len, groups};
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, complain_of, note, write_line};
use hashwell::registry::ParameterRow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::path::{Component, Path, PathBuf};

pub(crate) fn run(options: &SumOptions) -> Result<u8, Failure> {
    refuse_print_options(options)?;
    if let Some(kind) = Kind::of(options) {
        let option = kind.option();
        return Err(Failure::Usage(format!("{option} identifiers cannot be checked, only digests of files")));
    }
    // Wrong names should be told before any list is read.
    let method = |name: &String| match Legacy::find(name) {
        Some(legacy) => Ok(Method::Legacy(legacy)),
        None => Choice::from_options(name, options.length).map(Method::Row),
    };
    let given: Vec<Method> = options.algorithms.iter().map(method).collect::<Result<_, _>>()?;
    if options.length.is_some() && given.is_empty() {
        return Err(Failure::Usage(
            "--length says nothing without --algorithm when verifying checksums".to_owned(),
        ));
    }
    let exclude = Exclude::new(&options.exclude)?;
    let lists = names(&options.files);
    let keying = Keying::of(&options.parameters, &lists)?;
    let takes_key = |method: &Method| match method {
        Method::Row(choice) => keying.check(*choice),
        Method::Legacy(legacy) => keying.check_legacy(legacy.tag()),
    };
    given.iter().try_for_each(takes_key).map_err(Failure::Usage)?;
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

/// The most bytes of a list: two million lines or more.
const MOST_LIST: u64 = 256 << 20;

/// One file, and every digest that neighbouring lines of the list give for it.
struct Job {
    name: OsString,
    work: Work,
    lines: Vec<Readings>,
}

/// How a file is hashed.
#[derive(Debug, PartialEq, Eq)]
enum Work {
    /// With all of these in one read.
    Rows(Vec<Choice>),
    /// With this one, alone.
    Legacy(Legacy),
}

/// What a line can mean: one digest, or two where it reads as hexadecimal and as base64 and both fit. The line is right
/// if one of them is.
type Readings = Vec<(Method, Vec<u8>)>;

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
    given: &[Method],
    keying: &Keying<'_>,
    options: &SumOptions,
    listed: &mut Vec<OsString>,
) -> Result<bool, Failure> {
    let bytes = match read_whole(list_name, MOST_LIST) {
        Ok(bytes) => bytes,
        Err(unreadable) => {
            complain_of(list_name, &unreadable.reason());
            return Ok(false);
        }
    };
    let by_name = by_name(list_name);
    let is_sfv = |method: &Method| *method == Method::Legacy(Legacy::Crc32);
    let mut list = list::parse_as(&bytes, by_name.iter().chain(given).any(is_sfv));
    drop(bytes);
    let Jobs { jobs, guessed, assumed } = jobs(list_name, &mut list, given, options.length.is_some());
    let missing = |row: &&&ParameterRow| !keying.given().any(|(given, _)| given == **row);
    let missing: Vec<String> =
        list.needs.iter().filter(missing).map(|row| format!("--{}", row.option)).collect();
    if !missing.is_empty() {
        let options = missing.join(" and ");
        complain_of(
            list_name,
            &format_args!("its digests were made with {options}: give the same to check them"),
        );
        return Ok(false);
    }
    if keying.given().next().is_some() && (assumed || !guessed.is_empty()) {
        complain_of(list_name, &"no algorithm named: give the keyed one with -a");
        return Ok(false);
    }
    let say = |message: &dyn Display| {
        if !options.status {
            complain_of(list_name, message);
        }
    };
    if options.audit {
        listed.extend(jobs.iter().map(|job| job.name.clone()));
    }
    if !list.notes.is_empty() {
        say(&list.notes.join("; "));
    }
    if !guessed.is_empty() {
        let guessed: Vec<String> = guessed.into_iter().collect();
        let guessed = guessed.join(" and ");
        say(&format_args!("no algorithm named, {guessed} guessed from the digest's length"));
    }
    let legacy: BTreeSet<&str> = jobs.iter().filter_map(Job::legacy).map(Legacy::tag).collect();
    for name in legacy {
        say(&format_args!("{name} is legacy: it shows accidents, but not forgeries"));
    }
    let unsupported_by_name = unsupported_by_name(list_name).filter(|_| given.is_empty());
    for name in list.unsupported.iter().chain(&unsupported_by_name) {
        say(&format_args!("{name} is not supported: its lines are not checked"));
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
        complain_of(list_name, &"no properly formatted checksum lines found");
        return Ok(false);
    }
    let choices = || jobs.iter().flat_map(Job::choices);
    let names: BTreeSet<&str> = choices().map(|choice| choice.algorithm.name).collect();
    for algorithm in names.into_iter().filter_map(|name| hashwell::find(name).ok()) {
        warning(algorithm).iter().filter(|_| !options.status).for_each(|text| note(text));
    }
    // A list may name algorithms that take no key, or one of another length.
    let legacy = jobs.iter().find_map(Job::legacy).and_then(|legacy| keying.check_legacy(legacy.tag()).err());
    if let Some(refusal) = legacy.or_else(|| choices().find_map(|choice| keying.check(*choice).err())) {
        complain_of(list_name, &refusal);
        return Ok(false);
    }
    let tally = verify(&jobs, keying, options)?;
    if assumed && tally.mismatched > 0 {
        let usual = Choice::of(usual()).tag();
        say(&format_args!("no algorithm named, {usual} assumed, as sum has it without -a"));
    }
    if !options.status {
        warnings(&tally, list.malformed.len());
        if options.ignore_missing && tally.matched == 0 {
            complain_of(list_name, &"no file was verified");
        }
    }
    let malformed_matters = options.strict && !list.malformed.is_empty();
    Ok(tally.matched > 0 && tally.mismatched + tally.unreadable == 0 && !malformed_matters)
}

/// The jobs of a list.
struct Jobs {
    jobs: Vec<Job>,
    /// Algorithms that lines have been given by the length of their digests alone.
    guessed: BTreeSet<String>,
    /// Whether lines have been given the algorithm that `sum` has without being asked.
    assumed: bool,
}

/// Gives every line its algorithm and file, and puts neighbouring lines of one file together so that it is
/// read once. Lines for which there is no algorithm or no file count as malformed; among lines with names, a
/// digest without one has no file. `exact`: digests have the length of those `given`, not just one that the algorithm
/// could have.
fn jobs(list_name: &OsStr, list: &mut List, given: &[Method], exact: bool) -> Jobs {
    let any_named = list.entries.iter().any(|entry| entry.name.is_some());
    let by_name = by_name(list_name);
    let is_unsupported = unsupported_by_name(list_name).is_some();
    let mut all = Jobs { jobs: Vec::new(), guessed: BTreeSet::new(), assumed: false };
    for entry in std::mem::take(&mut list.entries) {
        let Entry { line, method, digest, as_base64, name } = entry;
        let mut method_for = |len: usize| {
            if method.is_some() || !given.is_empty() {
                let fits = |given: &Method| of_length(*given, len).filter(|m| !exact || m == given);
                return method.or_else(|| given.iter().find_map(fits));
            }
            if let Some(method) = by_name.and_then(|method| of_length(method, len)) {
                return Some(method);
            }
            let guess = guess(len).filter(|_| !is_unsupported)?;
            if guess == Method::Row(Choice::of(usual())) {
                all.assumed = true;
            } else {
                all.guessed.insert(guess.title());
            }
            Some(guess)
        };
        let readings: Readings = std::iter::once(digest)
            .chain(as_base64)
            .filter_map(|digest| Some((method_for(digest.len())?, digest)))
            .collect();
        let name = match name {
            Some(name) => os::name_of(name),
            None if !any_named => beside(list_name),
            None => None,
        };
        match name {
            Some(name) if !readings.is_empty() => all.add(name, readings),
            _ => list.malformed.push(line),
        }
    }
    list.malformed.sort_unstable();
    all
}

impl Jobs {
    fn add(&mut self, name: OsString, readings: Readings) {
        let rows: Option<Vec<Choice>> = readings.iter().map(|(method, _)| method.row()).collect();
        match (self.jobs.last_mut(), rows, &readings[0].0) {
            (Some(Job { name: last, work: Work::Rows(choices), lines }), Some(rows), _) if *last == name => {
                choices.extend(rows);
                lines.push(readings);
            }
            (_, Some(rows), _) => self.jobs.push(Job { name, work: Work::Rows(rows), lines: vec![readings] }),
            (_, None, Method::Legacy(legacy)) => {
                self.jobs.push(Job { name, work: Work::Legacy(*legacy), lines: vec![readings] });
            }
            (_, None, Method::Row(_)) => unreachable!("no legacy checksum has two readings"),
        }
    }
}

impl Job {
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

/// The method with digests of this many bytes, if it has them.
fn of_length(method: Method, len: usize) -> Option<Method> {
    match method {
        Method::Row(choice) => Choice::with_len(choice.algorithm, len).map(Method::Row),
        Method::Legacy(legacy) => (legacy.digest_len() == len).then_some(method),
    }
}

/// What a list's name says of its algorithm: `SHA256SUMS`, `b2sums.txt`, `x.tar.gz.sha512`, `x.b3`.
fn word_of_name(list_name: &OsStr) -> Option<String> {
    let name = Path::new(list_name).file_name()?.to_str()?.to_ascii_lowercase();
    let name = [".txt", ".asc"].into_iter().fold(&name[..], |n, suffix| n.strip_suffix(suffix).unwrap_or(n));
    let last = name.rsplit('.').next()?;
    let last = last.strip_suffix("sums").or_else(|| last.strip_suffix("sum")).unwrap_or(last);
    Some(last.trim_end_matches(['-', '_']).to_owned())
}

/// The algorithm in a list's name.
fn by_name(list_name: &OsStr) -> Option<Method> {
    let word = word_of_name(list_name)?;
    let row = || hashwell::find(&word).ok().map(|algorithm| Method::Row(Choice::of(algorithm)));
    row().or_else(|| Legacy::find(&word).map(Method::Legacy))
}

/// The algorithm in a list's name, if nothing here computes it.
fn unsupported_by_name(list_name: &OsStr) -> Option<String> {
    const KNOWN: &[&str] = &[
        "aich",
        "btih",
        "ed2k",
        "edonr256",
        "edonr512",
        "gost",
        "gost12",
        "has160",
        "md2",
        "md4",
        "rmd128",
        "snefru",
        "tiger",
        "tth",
        "whirlpool",
        "xxh",
    ];
    word_of_name(list_name).filter(|word| KNOWN.contains(&&word.replace('-', "")[..]))
}

/// The algorithm of `sum` without `-a`.
fn usual() -> &'static hashwell::Algorithm {
    hashwell::find("sha256").expect("it is in the registry")
}

/// The usual algorithm for a digest of this many bytes.
fn guess(len: usize) -> Option<Method> {
    let name = match len {
        16 => return Some(Method::Legacy(Legacy::Md5)),
        20 => "sha1",
        28 => "sha224",
        32 => return Some(Method::Row(Choice::of(usual()))),
        48 => "sha384",
        64 => "sha512",
        _ => return None,
    };
    hashwell::find(name).ok().map(|algorithm| Method::Row(Choice::of(algorithm)))
}

/// The file that a list of one digest alone is about: the list's name without its last extension.
fn beside(list_name: &OsStr) -> Option<OsString> {
    let path = Path::new(list_name);
    let has_extension = path.extension().is_some() && !is_stdin(list_name);
    has_extension.then(|| path.with_extension("").into_os_string())
}

fn verify(jobs: &[Job], keying: &Keying<'_>, options: &SumOptions) -> Result<Tally, Failure> {
    let threads = parallel::jobs(options.jobs, jobs.len())?;
    let sized = sized(jobs);
    let progress = Progress::of_files(sized.iter().map(|(_, size)| *size).sum(), jobs.len());
    let mut tally = Tally::default();
    let choices = jobs.iter().flat_map(Job::choices);
    let chosen = choose(&options.engine, choices, |choice| keying.many(choice))?;
    let engines = Engines::ready(&chosen)?;
    let recipe = Recipe { choices: &[], keying, engines: &engines };
    let groups = groups(&sized, group_len(jobs.len(), threads, recipe.side_by_side()), together);
    let work = |group: &&[SizedJob]| {
        let names: Vec<&OsString> = group.iter().map(|(job, _)| &job.name).collect();
        match &group[0].0.work {
            Work::Rows(choices) => {
                digest_group(&names, Recipe { choices, ..recipe }, Help::of(options.jobs), &progress)
            }
            Work::Legacy(legacy) => {
                names.iter().map(|name| digest_legacy(*legacy, name, &progress)).collect()
            }
        }
    };
    parallel::in_order(&groups, threads, work, |group, results| {
        let mut judge = |job, result| progress.suspend(|| judge(job, result, options, &mut tally));
        group.iter().zip(results).try_for_each(|((job, _), result)| judge(job, result))
    })?;
    Ok(tally)
}

/// Whether neighbours may share a group.
fn together((a, a_size): &SizedJob<'_>, (b, b_size): &SizedJob<'_>) -> bool {
    is_small(*a_size) && is_small(*b_size) && a.work == b.work
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
    let all = |verdict, options| {
        job.lines.iter().try_for_each(|line| print(&job.name, verdict, line[0].0, options))
    };
    let digests = match result {
        Ok(digests) => digests.digests,
        Err(Unreadable::Missing(_)) if options.ignore_missing => return Ok(()),
        Err(unreadable) => {
            complain_of(&job.name, &unreadable.reason());
            tally.unreadable += job.lines.len();
            return all(Verdict::Unreadable, options);
        }
    };
    let mut digests = digests.iter();
    for line in &job.lines {
        let matching =
            line.iter().zip(digests.by_ref()).filter(|((_, expected), digest)| expected == *digest);
        match matching.map(|((method, _), _)| *method).last() {
            Some(method) => {
                tally.matched += 1;
                if !options.quiet {
                    print(&job.name, Verdict::Right, method, options)?;
                }
            }
            None => {
                tally.mismatched += 1;
                print(&job.name, Verdict::Wrong, line[0].0, options)?;
            }
        }
    }
    Ok(())
}

/// What is said of a file.
#[derive(Clone, Copy)]
enum Verdict {
    Right,
    Wrong,
    Unreadable,
    NotListed,
}

impl Verdict {
    /// As coreutils says it where it does, and in JSON.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Verdict::Right => ("OK", "ok"),
            Verdict::Wrong => ("FAILED", "failed"),
            Verdict::Unreadable => ("FAILED open or read", "unreadable"),
            Verdict::NotListed => ("not listed", "not listed"),
        }
    }
}

fn print(
    name: &OsStr,
    verdict: Verdict,
    method: impl Into<Option<Method>>,
    options: &SumOptions,
) -> Result<(), Failure> {
    if options.status {
        return Ok(());
    }
    let (words, json) = verdict.words();
    if !options.json {
        let (escape, name) = escaped_if_many_lines(name);
        return write_line(&[escape, &name, b": ", words.as_bytes(), b"\n"].concat());
    }
    let mut object = serde_json::json!({ "verdict": json });
    name_in(&mut object, name);
    match method.into() {
        Some(Method::Row(choice)) => {
            object["algorithm"] = choice.algorithm.name.into();
            object["bits"] = (8 * choice.output_len).into();
        }
        Some(Method::Legacy(legacy)) => object["legacy"] = legacy.tag().into(),
        None => {}
    }
    write_line(format!("{object}\n").as_bytes())
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
    let rules = Rules { recursive: true, follow_links: false, exclude, output: None, jobs: options.jobs };
    for input in inputs(&roots, rules)? {
        let (Input::File(name, _) | Input::Refused(name, _) | Input::Skipped(name, _)) = input;
        if directories.path_of(&name).is_none_or(|path| !known.contains(&path)) {
            unlisted += 1;
            print(plain(&name).as_os_str(), Verdict::NotListed, None, options)?;
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
    use crate::outputs::format::{Encoding, End, Layout, Style, sri_prefix};
    use proptest::prelude::*;
    use std::os::unix::ffi::OsStrExt;

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
            let named = by_name(list.as_ref()).and_then(Method::row).map(|choice| choice.algorithm.name);
            assert_eq!(named, name, "{list}");
        }
    }

    #[test]
    fn small_files_of_the_same_algorithms_go_together() {
        let job = |names: &[&str]| Job {
            name: "f".into(),
            work: Work::Rows(names.iter().map(|name| Choice::of(hashwell::find(name).unwrap())).collect()),
            lines: Vec::new(),
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
            assert_eq!(guess(len).unwrap().title(), tag);
        }
        assert_eq!(guess(33), None);
    }

    /// Names that look like parts of a list, and any others.
    fn names() -> impl Strategy<Value = Vec<u8>> {
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let b64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
        let odd = [
            " leading",
            "  two",
            "*star",
            " *mark",
            "trailing ",
            "\ttab",
            "new\nline",
            "carriage\r",
            "back\\slash",
            "\\n",
            "\\",
            "#hash",
            ";semicolon",
            "{\"name\":1}",
            ") = (",
            "(",
            ")",
            "%%%% size,md5,filename",
            "-----BEGIN PGP SIGNED MESSAGE-----",
            "3 f",
            "12 ab",
            "a 352441C2",
            "\u{feff}bom",
        ]
        .map(str::to_owned);
        let like_lines = [
            format!("SHA256 (x) = {digest}"),
            format!("(x) = {digest}"),
            format!("(x)= {digest}{digest}"),
            format!("{digest}  x"),
            format!("sha256-{b64}"),
            format!("sha256-{b64}  x"),
        ];
        let known: Vec<Vec<u8>> = odd.into_iter().chain(like_lines).map(String::into_bytes).collect();
        prop_oneof![prop::sample::select(known), prop::collection::vec(1..=255_u8, 1..30)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// What `sum` writes is what `-c` checks: any algorithm, length, digest and name, in every layout. Lines
        /// without a tag are checked with the `-a` that they were written with, with its `-l` or without.
        #[test]
        fn what_sum_writes_is_checked(
            row in 0..hashwell::ALGORITHMS.len(),
            len in prop_oneof![1..=24_usize, 1..=100_usize],
            // Digests of few values are often words of both alphabets.
            digest in prop_oneof![
                prop::collection::vec(any::<u8>(), 100),
                prop::collection::vec(prop::sample::select(vec![0x69_u8, 0xb7, 0x1d, 0x79, 0xb2]), 100),
            ],
            name in names(),
            layout in prop::sample::select(vec![Layout::Gnu, Layout::Tag, Layout::Json, Layout::Sri]),
            encoding in prop::sample::select(vec![Encoding::Hex, Encoding::Base64]),
            end in prop::sample::select(vec![End::Newline, End::Nul]),
            (upper, exact, alone) in any::<(bool, bool, bool)>(),
        ) {
            let algorithm = &hashwell::ALGORITHMS[row];
            let choice = Choice::with_len(algorithm, len).unwrap_or(Choice::of(algorithm));
            let layout = if layout == Layout::Sri && sri_prefix(choice).is_none() { Layout::Gnu } else { layout };
            let end = if layout == Layout::Json { End::Newline } else { end };
            let digest = &digest[..choice.output_len];
            let style = Style { layout, names: true, encoding, end };
            let mut line = style.line(choice, &Keying::PLAIN, digest, OsStr::from_bytes(&name), 0);
            if upper && encoding == Encoding::Hex && layout == Layout::Gnu {
                let digits = usize::from(line[0] == b'\\')..2 * choice.output_len;
                line[digits].make_ascii_uppercase();
            }
            // Beside another line or alone.
            let mut text = if alone { Vec::new() } else { line.clone() };
            text.extend(line);
            let mut list = list::parse(&text);
            let given = Choice { output_len: if exact { choice.output_len } else { algorithm.output }, ..choice };
            let jobs = jobs("-".as_ref(), &mut list, &[Method::Row(given)], exact).jobs;
            prop_assert_eq!(&list.malformed, &Vec::<usize>::new(), "{}", String::from_utf8_lossy(&text));
            prop_assert_eq!(jobs.len(), 1);
            prop_assert_eq!(jobs[0].name.as_bytes(), &name[..]);
            prop_assert_eq!(jobs[0].lines.len(), if alone { 1 } else { 2 });
            for line in &jobs[0].lines {
                // Two rows may be one function.
                let is_it = |(method, read): &(Method, Vec<u8>)| {
                    method.row().map(Choice::tag) == Some(choice.tag()) && read == digest
                };
                prop_assert!(line.iter().any(is_it), "{line:?}");
            }
        }
    }

    #[test]
    fn a_digest_alone_is_about_the_file_beside() {
        assert_eq!(beside("d/x.tar.gz.sha256".as_ref()), Some("d/x.tar.gz".into()));
        assert_eq!(beside("-".as_ref()), None);
        assert_eq!(beside("SHA256SUMS".as_ref()), None);
    }
}
