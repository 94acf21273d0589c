//! `hashwell sum --bagit`: makes bags in place, and checks them (BagIt, RFC 8493).

use crate::commands::check::{instead, plain};
use crate::commands::sum::choices;
use crate::digests::digest::{digest_group, digest_legacy};
use crate::digests::engines::Engines;
use crate::digests::recipe::{Keying, Recipe};
use crate::inputs::base;
use crate::inputs::reading::{Help, read_named};
use crate::inputs::respelled;
use crate::inputs::walk::{Exclude, Input, Rules, children, inputs};
use crate::options::args::SumOptions;
use crate::outputs::format::escaped_if_many_lines;
use crate::outputs::output::write_file;
use crate::outputs::pending::is_unfinished;
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::os::{self, name_bytes, name_of};
use crate::system::parallel;
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain_of, printable, reason, write_line};
use data_encoding::HEXLOWER;
use hashwell_checksums::fetch::{self, Fetch};
use hashwell_checksums::formats::to_bagit_name;
use hashwell_checksums::read::{self, BagIt, Hints};
use hashwell_checksums::{Choice, Method};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum size in bytes of a manifest or tag file.
const MAX_TAGS: u64 = 256 << 20;

/// Converts each folder to a bag. If a folder is a bag already, checks it.
pub(crate) fn run(options: &SumOptions) -> Result<u8, Failure> {
    if options.files.is_empty() {
        return Err(Failure::Usage("--bagit needs a folder".to_owned()));
    }
    let mut code = SUCCESS;
    for folder in &options.files {
        let folder = Path::new(folder);
        if !folder.is_dir() {
            return Err(Failure::Usage(format!("--bagit: {}: not a folder", printable(folder.as_os_str()))));
        }
        let marks = Marks::of(folder).map_err(|error| failed(folder, &error))?;
        let good = if !marks.exist() && folder.join("bagit.txt").exists() {
            check(folder, options)?
        } else if !marks.exist() && is_incomplete_bag(folder)? {
            return Err(Failure::Work(format!(
                "{}: looks like an incomplete bag: it contains manifests, but no bagit.txt (restore bagit.txt to check \
                 the bag)",
                printable(folder.as_os_str())
            )));
        } else {
            make(folder, &marks, options)?
        };
        if !good {
            code = FAILURE;
        }
    }
    Ok(code)
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Work(format!("{}: {}", printable(path.as_os_str()), reason(error)))
}

/// The algorithm in the name of a manifest: the name in the registry without hyphens, or a legacy checksum.
fn manifest_method(word: &str) -> Option<Method> {
    let row = hashwell::ALGORITHMS.iter().find(|row| row.name.replace('-', "") == word);
    row.map(|row| Method::Row(Choice::of(row))).or_else(|| Method::find(word))
}

/// Returns true if a folder without `bagit.txt` looks like a bag: it has a folder `data`, and a manifest that lists files
/// in `data` or that is next to other tag files of a bag. A new bag of it would contain damaged files of the old one with
/// new, matching digests.
fn is_incomplete_bag(folder: &Path) -> Result<bool, Failure> {
    let children = children(folder.as_os_str()).map_err(|error| failed(folder, &error))?;
    let names: Vec<&str> = children.iter().filter_map(|child| child.name.to_str()).collect();
    let manifest_of = |name: &str, begin: &str| {
        let word = name.strip_prefix(begin).and_then(|rest| rest.strip_suffix(".txt"));
        word.is_some_and(|word| manifest_method(word).is_some())
    };
    let is_tag = |name: &str| name == "bag-info.txt" || manifest_of(name, "tagmanifest-");
    let has_tags = names.iter().any(|name| is_tag(name));
    let lists_data = |name: &&&str| {
        let path = folder.join(name);
        let bytes = if path.is_file() { read_named(&path.into_os_string(), MAX_TAGS)? } else { Vec::new() };
        let list = read::parse_with(&bytes, Hints { bagit: Some(BagIt::V1), ..Hints::default() });
        let is_in_data = |name: Vec<u8>| name.starts_with(b"data/") || name.starts_with(b"./data/");
        Ok::<bool, Failure>(list.entries.into_iter().filter_map(|entry| entry.name).any(is_in_data))
    };
    if !names.contains(&"data") {
        return Ok(false);
    }
    for name in names.iter().filter(|name| manifest_of(name, "manifest-")) {
        if has_tags || lists_data(&name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The regular files below a folder, by their paths relative to `top`. Returns an error for anything that a bag cannot
/// contain.
fn files_below(folder: &Path, top: &Path, options: &SumOptions) -> Result<BTreeMap<PathBuf, u64>, Failure> {
    let exclude = Exclude::default();
    let rules =
        Rules { recursive: true, follow_links: false, exclude: &exclude, output: None, jobs: options.jobs };
    let mut files = BTreeMap::new();
    for input in inputs(&[folder.as_os_str().to_owned()], rules)? {
        match input {
            Input::File(name, size) => {
                if name.to_str().is_none() {
                    return Err(Failure::Work(format!(
                        "{}: the names in a bag must be UTF-8",
                        printable(&name)
                    )));
                }
                let path = Path::new(&name).strip_prefix(top).unwrap_or(Path::new(&name)).to_path_buf();
                files.insert(path, size.unwrap_or(0));
            }
            Input::Skipped(name, _) => {
                return Err(Failure::Work(format!(
                    "{}: a bag can contain only regular files",
                    printable(&name)
                )));
            }
            Input::Refused(name, reason) => {
                return Err(Failure::Work(format!("{}: {reason}", printable(&name))));
            }
        }
    }
    Ok(files)
}

/// The digests of files below a folder, by their paths.
fn digests_of(
    top: &Path,
    paths: &[PathBuf],
    choices: &[Choice],
    options: &SumOptions,
    progress: &Progress,
) -> Result<Vec<Vec<Vec<u8>>>, Failure> {
    let recipe = Recipe { choices, keying: &Keying::PLAIN, engines: Engines::none() };
    let jobs = parallel::jobs(options.jobs, paths.len())?;
    let mut all = Vec::with_capacity(paths.len());
    let work = |path: &PathBuf| {
        digest_group(&[&top.join(path).into_os_string()], recipe, Help::of(options.jobs), progress)
    };
    parallel::in_order(paths, jobs, work, |path, mut result| match result.remove(0) {
        Ok(digests) => {
            all.push(digests.digests);
            Ok(())
        }
        Err(unreadable) => {
            Err(Failure::Work(format!("{}: {}", printable(path.as_os_str()), unreadable.reason())))
        }
    })?;
    Ok(all)
}

/// The text of the manifest of one algorithm.
fn manifest(paths: &[PathBuf], digests: &[Vec<Vec<u8>>], own: usize) -> Vec<u8> {
    let line = |(path, digests): (&PathBuf, &Vec<Vec<u8>>)| {
        let name = name_bytes(path.as_os_str()).into_owned();
        let name: Vec<u8> = if cfg!(windows) {
            name.iter().map(|b| if *b == b'\\' { b'/' } else { *b }).collect()
        } else {
            name
        };
        [HEXLOWER.encode(&digests[own]).as_bytes(), b"  ", &to_bagit_name(&name), b"\n"].concat()
    };
    paths.iter().zip(digests).flat_map(line).collect()
}

/// Evidence that a process is making a bag of a folder, or was stopped while making one.
///
/// The names contain the folder's inode. So a bag from elsewhere that contains such names is checked like any other
/// bag; otherwise its sender could have wrong manifests replaced instead of reported.
struct Marks {
    /// The folder into which the contents are moved. It becomes `data` once it has all of them.
    moving: PathBuf,
    /// An empty file that exists from the time when all contents are moved until the bag is complete.
    writing: PathBuf,
}

impl Marks {
    fn of(folder: &Path) -> std::io::Result<Self> {
        let (_, inode) = os::identity(folder, &fs::metadata(folder)?)?;
        let mark = |step: &str| folder.join(format!(".hashwell-bag-{step}-{inode}"));
        Ok(Self { moving: mark("moving"), writing: mark("writing") })
    }

    fn exist(&self) -> bool {
        self.moving.exists() || self.writing.exists()
    }
}

/// Moves the contents of a folder into its new subfolder `data`, and writes the manifests and tag files. `bagit.txt`,
/// whose presence makes the folder a bag, is written after the manifests and before the tag manifests, which list it.
///
/// The process can be stopped at any time. If it is stopped, a mark remains, and the next call completes the bag: all
/// contents are always in the folder, in [`Marks::moving`] or in `data`.
fn make(folder: &Path, marks: &Marks, options: &SumOptions) -> Result<bool, Failure> {
    let choices = match options.algorithms.is_empty() {
        true => vec![Choice::of(hashwell::find("sha512").expect("it is in the registry"))],
        false => choices(options)?,
    };
    if let Some(choice) = choices.iter().find(|choice| choice.output_len != choice.algorithm.output) {
        return Err(Failure::Usage(format!(
            "--bagit requires digests of the default length, not {}",
            choice.name()
        )));
    }
    if !marks.exist() {
        // Find files that cannot be in a bag before moving anything.
        files_below(folder, folder, options)?;
        fs::create_dir(&marks.moving).map_err(|error| failed(&marks.moving, &error))?;
    }
    let finished =
        move_contents(folder, marks).and_then(|()| write_tags(folder, &marks.writing, &choices, options));
    finished.map_err(|failure| match failure {
        Failure::Work(text) => {
            Failure::Work(format!("{text} (the bag is incomplete: run the command again to complete it)"))
        }
        other => other,
    })?;
    tell(folder, "bag made", options)?;
    Ok(true)
}

/// Moves the contents into `data`, unless this has been done already.
fn move_contents(folder: &Path, Marks { moving, writing }: &Marks) -> Result<(), Failure> {
    let data = folder.join("data");
    if !moving.exists() {
        return Ok(());
    }
    for child in children(folder.as_os_str()).map_err(|error| failed(folder, &error))? {
        let from = folder.join(&child.name);
        if from != *moving && from != *writing {
            fs::rename(&from, moving.join(&child.name)).map_err(|error| failed(&from, &error))?;
        }
    }
    os::sync_folder(moving);
    fs::write(writing, b"").map_err(|error| failed(writing, &error))?;
    // Without the mark, a power failure could leave a folder `data` that the next run would treat as contents.
    os::sync_folder(folder);
    fs::rename(moving, &data).map_err(|error| failed(&data, &error))?;
    os::sync_folder(folder);
    Ok(())
}

/// Writes the manifests and tag files of the payload in `data`, and removes the mark of an incomplete bag.
fn write_tags(folder: &Path, mark: &Path, choices: &[Choice], options: &SumOptions) -> Result<(), Failure> {
    // Remove files of a process that was stopped at this point and may have used other algorithms.
    for child in children(folder.as_os_str()).map_err(|error| failed(folder, &error))? {
        let name = child.name.to_string_lossy();
        let is_tag = ["bag-info.txt", "bagit.txt"].contains(&&*name)
            || (name.ends_with(".txt")
                && (name.starts_with("manifest-") || name.starts_with("tagmanifest-")));
        if is_tag || is_unfinished(&child.name) {
            let path = folder.join(&child.name);
            fs::remove_file(&path).map_err(|error| failed(&path, &error))?;
        }
    }
    let payload = files_below(&folder.join("data"), folder, options)?;
    let bytes: u64 = payload.values().sum();
    let progress = Progress::of_files(Some(bytes), payload.len());
    let paths: Vec<PathBuf> = payload.keys().cloned().collect();
    let digests = digests_of(folder, &paths, choices, options, &progress)?;
    let mut tags: Vec<PathBuf> = Vec::new();
    let mut write = |name: String, text: &[u8]| {
        write_file(&folder.join(&name), text)?;
        tags.push(name.into());
        Ok::<(), Failure>(())
    };
    for (own, choice) in choices.iter().enumerate() {
        write(format!("manifest-{}.txt", bagit_algorithm(*choice)), &manifest(&paths, &digests, own))?;
    }
    write(
        "bag-info.txt".to_owned(),
        format!("Bag-Software-Agent: hashwell\nPayload-Oxum: {bytes}.{}\n", payload.len()).as_bytes(),
    )?;
    write("bagit.txt".to_owned(), b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")?;
    tags.sort();
    let of_tags = digests_of(folder, &tags, choices, options, &progress)?;
    for (own, choice) in choices.iter().enumerate() {
        let name = format!("tagmanifest-{}.txt", bagit_algorithm(*choice));
        write_file(&folder.join(name), &manifest(&tags, &of_tags, own))?;
    }
    fs::remove_file(mark).map_err(|error| failed(mark, &error))?;
    os::sync_folder(folder);
    Ok(())
}

/// The name of an algorithm in the names of manifests: lower case letters and digits (RFC 8493 section 2.4).
fn bagit_algorithm(choice: Choice) -> String {
    choice.algorithm.name.replace('-', "")
}

fn tell(folder: &Path, word: &str, options: &SumOptions) -> Result<(), Failure> {
    if options.quiet || options.status {
        return Ok(());
    }
    let (escape, name) = escaped_if_many_lines(folder.as_os_str());
    write_line(&[escape, &name, b": ", word.as_bytes(), b"\n"].concat())
}

/// Checks a bag: its version, its Oxum, the files in `fetch.txt`, that the payload files and the entries of each manifest
/// are the same, and all digests.
fn check(folder: &Path, options: &SumOptions) -> Result<bool, Failure> {
    let text_of = |name: &str| -> Result<Vec<u8>, Failure> {
        read_named(&folder.join(name).into_os_string(), MAX_TAGS)
    };
    let declaration = text_of("bagit.txt")?;
    let mut faults = Faults { folder, count: 0 };
    if let Err(fault) = declared(&declaration) {
        faults.add(Path::new("bagit.txt"), &fault);
    }
    let version = base::bagit_version(&String::from_utf8_lossy(&declaration));
    let data = folder.join("data");
    if !data.is_dir() || data.is_symlink() {
        let what = if data.is_dir() { "a symbolic link" } else { "missing" };
        faults.add(Path::new("data"), &format!("the folder of the payload is {what}"));
        tell(folder, "FAILED", options)?;
        return Ok(false);
    }
    let payload = files_below(&data, folder, options)?;
    let absent = match folder.join(FETCH).exists() {
        true => absent(folder, fetch::parse(&text_of(FETCH)?, version), &payload, &mut faults),
        false => BTreeSet::new(),
    };
    // The Oxum includes the files that are not downloaded yet.
    if absent.is_empty() && folder.join("bag-info.txt").exists() {
        let info = text_of("bag-info.txt")?;
        let info = String::from_utf8_lossy(&info);
        let (files, bytes) = (payload.len(), payload.values().sum::<u64>());
        if let Some(oxum) = info.lines().find_map(|line| line.strip_prefix("Payload-Oxum:"))
            && oxum.trim() != format!("{bytes}.{files}")
        {
            faults.add(
                Path::new("bag-info.txt"),
                &format!("Payload-Oxum is {}, expected {bytes}.{files}", oxum.trim()),
            );
        }
    }
    let mut manifests = 0;
    for child in children(folder.as_os_str()).map_err(|error| failed(folder, &error))? {
        let Some(name) = child.name.to_str() else { continue };
        let Some(stem) = name.strip_suffix(".txt") else { continue };
        let (is_payload, word) = match (stem.strip_prefix("manifest-"), stem.strip_prefix("tagmanifest-")) {
            (Some(word), _) => (true, word),
            (_, Some(word)) => (false, word),
            (None, None) => continue,
        };
        manifests += usize::from(is_payload);
        let payload = is_payload.then_some(Payload { files: &payload, absent: &absent });
        check_manifest(folder, name, word, version, payload, options, &mut faults)?;
    }
    if manifests == 0 {
        faults.add(Path::new("."), "the bag has no payload manifest");
    }
    let good = faults.count == 0;
    tell(folder, if good { "OK" } else { "FAILED" }, options)?;
    Ok(good)
}

/// Checks `bagit.txt`, which has exactly two lines (RFC 8493 section 2.1.1). Returns an error if something is wrong
/// with it, or if the names in the bag have an encoding that cannot be read.
fn declared(text: &[u8]) -> Result<(), String> {
    let wrong = |line: &str| format!("expected the line '{line}'");
    if text.starts_with(b"\xef\xbb\xbf") {
        return Err("begins with a byte order mark".to_owned());
    }
    let text = str::from_utf8(text).map_err(|_| "not UTF-8".to_owned())?;
    let mut lines = text.trim_end().lines();
    let mut value = |label: &str| lines.next()?.strip_prefix(label).map(str::trim);
    let version = value("BagIt-Version:").ok_or_else(|| wrong("BagIt-Version: 1.0"))?;
    let encoding = value("Tag-File-Character-Encoding:");
    let encoding = encoding.ok_or_else(|| wrong("Tag-File-Character-Encoding: UTF-8"))?;
    if !["0.93", "0.94", "0.95", "0.96", "0.97", "1.0"].contains(&version) {
        return Err(format!("version '{version}' is not supported (only 0.93 to 0.97 and 1.0)"));
    }
    if !["utf-8", "utf8", "us-ascii", "ascii"].contains(&&*encoding.to_ascii_lowercase()) {
        return Err(format!("encoding '{encoding}' is not supported (only UTF-8)"));
    }
    match lines.next() {
        Some(_) => Err("has more than two lines".to_owned()),
        None => Ok(()),
    }
}

/// The file with the URLs of payload files.
const FETCH: &str = "fetch.txt";

/// Compares `fetch.txt` with the payload, and adds malformed lines, files that are absent and files with a different
/// size to the faults. Returns the paths of the absent files.
fn absent(
    folder: &Path,
    entries: Vec<Result<Fetch, fetch::Malformed>>,
    payload: &BTreeMap<PathBuf, u64>,
    faults: &mut Faults<'_>,
) -> BTreeSet<PathBuf> {
    let mut absent = BTreeSet::new();
    for entry in entries {
        let fetch = match entry {
            Ok(fetch) => fetch,
            Err(fetch::Malformed { line, what, got, expected }) => {
                let got = printable(String::from_utf8_lossy(&got).as_ref().as_ref());
                faults.add(
                    Path::new(&format!("{FETCH}:{line}")),
                    &format!("{what}: got '{got}', expected {expected}"),
                );
                continue;
            }
        };
        let Fetch { line, url, size, name, other_name } = fetch;
        let names = [Some(name), other_name].into_iter().flatten().filter_map(name_of);
        let paths: Vec<PathBuf> = names.map(|name| plain(&name)).collect();
        let other_form = || Some(normalized(folder, paths.first()?)?.1);
        let found = paths.iter().find(|path| payload.contains_key(*path)).cloned().or_else(other_form);
        let Some(path) = found.or_else(|| paths.first().cloned()) else { continue };
        match (payload.get(&path), size) {
            (None, _) => {
                let url = printable(url.as_ref());
                faults.add(&path, &format!("missing; {FETCH} gives its URL {url}"));
                absent.insert(path);
            }
            (Some(own), Some(size)) if *own != size => {
                faults
                    .add(&path, &format!("wrong length: got {own} bytes, expected {size} ({FETCH}:{line})"));
            }
            (Some(_), _) => {}
        }
    }
    absent
}

/// A path in a manifest, and the path of the file whose name has a different normalization form.
fn normalized(folder: &Path, path: &PathBuf) -> Option<(PathBuf, PathBuf)> {
    let file = PathBuf::from(respelled::normalized(folder.join(path).as_os_str())?);
    Some((path.clone(), file.strip_prefix(folder).ok()?.to_path_buf()))
}

/// The payload of a bag.
#[derive(Clone, Copy)]
struct Payload<'p> {
    /// The sizes of the files.
    files: &'p BTreeMap<PathBuf, u64>,
    /// The files in `fetch.txt` that are absent, which have been reported.
    absent: &'p BTreeSet<PathBuf>,
}

/// The problems that were found in a bag.
struct Faults<'f> {
    folder: &'f Path,
    count: usize,
}

impl Faults<'_> {
    fn add(&mut self, path: &Path, what: &str) {
        self.count += 1;
        complain_of(self.folder.join(path).as_os_str(), &what);
    }
}

/// Checks a manifest, and returns the paths that it lists. `payload` is the payload if the manifest must list it.
fn check_manifest(
    folder: &Path,
    manifest: &str,
    word: &str,
    version: BagIt,
    payload: Option<Payload<'_>>,
    options: &SumOptions,
    faults: &mut Faults<'_>,
) -> Result<(), Failure> {
    let bytes = read_named(&folder.join(manifest).into_os_string(), MAX_TAGS)?;
    let list = read::parse_with(&bytes, Hints { bagit: Some(version), ..Hints::default() });
    let Some(method) = manifest_method(word) else {
        faults.add(Path::new(manifest), &format!("the algorithm {word} is not supported"));
        return Ok(());
    };
    for line in &list.malformed {
        faults.add(Path::new(manifest), &format!("line {line} is improperly formatted"));
    }
    let mut listed: BTreeSet<PathBuf> = BTreeSet::new();
    let mut jobs: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    let top = fs::canonicalize(folder).map_err(|error| failed(folder, &error))?;
    let is_below = |path: &Path| fs::canonicalize(folder.join(path)).is_ok_and(|real| real.starts_with(&top));
    // The names in a manifest and the names of files can have different normalization forms.
    let mut other_forms: Vec<(PathBuf, PathBuf)> = Vec::new();
    for entry in list.entries {
        let names = [entry.name, entry.other_name].into_iter().flatten().filter_map(name_of);
        let mut paths: Vec<PathBuf> = names.map(|name: OsString| plain(&name)).collect();
        let Some(first) = paths.first().cloned() else {
            faults.add(Path::new(manifest), &format!("line {} has no file name", entry.line));
            continue;
        };
        // A path that leads out of the bag is not one of its files.
        paths.retain(|path| {
            path.is_relative() && !path.components().any(|part| part == std::path::Component::ParentDir)
        });
        let mut found = paths.iter().find(|path| folder.join(path).is_file()).cloned();
        if found.is_none()
            && let Some((name, file)) = paths.iter().find_map(|path| normalized(folder, path))
        {
            found = Some(file.clone());
            other_forms.push((name, file));
        }
        match found {
            Some(path) if !is_below(&path) => {
                faults.add(
                    &path,
                    &format!("listed in {manifest}, but a link in its path leads out of the bag"),
                );
            }
            Some(path) => {
                if !listed.insert(path.clone()) {
                    faults.add(&path, &format!("listed twice in {manifest}"));
                }
                jobs.push((path, entry.digest));
            }
            None if payload.is_some_and(|payload| paths.iter().any(|path| payload.absent.contains(path))) => {
                listed.extend(paths);
            }
            None => {
                faults.add(&first, &format!("listed in {manifest}, but there is no such file in the bag"));
            }
        }
    }
    if let [(name, file), more @ ..] = &other_forms[..]
        && !options.status
    {
        complain_of(
            folder.join(manifest).as_os_str(),
            &instead(name.as_os_str(), file.as_os_str(), more.len()),
        );
    }
    // RFC 8493 requires files in `fetch.txt` to be in every payload manifest, too.
    let required = payload.into_iter().flat_map(|payload| payload.files.keys().chain(payload.absent));
    for path in required.filter(|path| !listed.contains(*path)) {
        faults.add(path, &format!("not in {manifest}"));
    }
    let progress = Progress::of_files(None, jobs.len());
    let choices: Vec<Choice> = method.row().into_iter().collect();
    let recipe = Recipe { choices: &choices, keying: &Keying::PLAIN, engines: Engines::none() };
    let threads = parallel::jobs(options.jobs, jobs.len())?;
    let work = |(path, _): &(PathBuf, Vec<u8>)| {
        let name = folder.join(path).into_os_string();
        match method.legacy() {
            Some(legacy) => digest_legacy(&[legacy], &name, &progress),
            None => digest_group(&[&name], recipe, Help::of(options.jobs), &progress).remove(0),
        }
    };
    parallel::in_order(&jobs, threads, work, |(path, expected), result| {
        match result {
            Ok(digests) if digests.digests.first() == Some(expected) => {}
            Ok(_) => {
                progress.suspend(|| faults.add(path, &format!("does not match the digest in {manifest}")));
            }
            Err(unreadable) => progress.suspend(|| faults.add(path, unreadable.reason())),
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_algorithms() {
        let name = |name| bagit_algorithm(Choice::of(hashwell::find(name).unwrap()));
        assert_eq!((name("sha512"), name("sha3-256")), ("sha512".to_owned(), "sha3256".to_owned()));
        assert_eq!(Method::find("md5"), Some(Method::Legacy(hashwell_checksums::Legacy::Md5)));
    }
}
