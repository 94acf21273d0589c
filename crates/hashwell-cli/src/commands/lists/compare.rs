//! `hashwell sum --compare` compares two lists; `hashwell sum --duplicates` finds files with the same content.

use crate::commands::check::{choose_names, parse, plain};
use crate::commands::lists::refuse_ignored;
use crate::commands::sum::choices;
use crate::digests::digest::{digest_group, is_small};
use crate::digests::engines::Engines;
use crate::digests::recipe::{Keying, Recipe};
use crate::inputs::names_from::names;
use crate::inputs::reading::{Help, read_named};
use crate::inputs::respelled::folded;
use crate::inputs::walk::{Exclude, Input, Rules, Skipped, inputs};
use crate::options::args::SumOptions;
use crate::outputs::format::{escaped_if_many_lines, name_in, name_member_in};
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::os::{self, name_bytes, name_of};
use crate::system::parallel::{self, group_len, groups};
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, complain_of, printable, reason, write_line};
use crate::system::standard::identity_of_output;
use data_encoding::HEXLOWER;
use hashwell_checksums::read::List;
use hashwell_checksums::resolve::Resolver;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use unicode_normalization::UnicodeNormalization;

/// The maximum size in bytes of a list.
const MAX_LIST: u64 = 256 << 20;

/// Files count as equal only if they have equal digests of at least this length in bytes.
const SHORTEST: usize = 16;

/// The digests of a file by the names of their algorithms.
type Digests = BTreeMap<String, Vec<u8>>;

/// Compares two lists; exit code 1 if they differ.
pub(crate) fn compare(options: &SumOptions) -> Result<u8, Failure> {
    refuse_ignored(options, "--compare", "prints names and changes", &["--zero", "--json"])?;
    let names = names(options)?;
    let [old_name, new_name] = &names[..] else {
        return Err(Failure::Usage(format!("--compare needs two lists, not {}", names.len())));
    };
    let read = |name: &OsString| Ok::<_, Failure>(parse(name, &read_named(name, MAX_LIST)?, &[]));
    let (mut old, mut new) = (read(old_name)?, read(new_name)?);
    // If a name can be read in several ways, the names in the other list decide.
    let (in_old, in_new) = (names_of(&old), names_of(&new));
    choose_names(&mut old, |name| in_new.contains(plain(name).as_os_str()));
    choose_names(&mut new, |name| in_old.contains(plain(name).as_os_str()));
    let any_case = old.windows || new.windows;
    let (old, mut new) = (files_of(old_name, old, options)?, files_of(new_name, new, options)?);
    respell(&old, &mut new, any_case, options);
    let new = new;
    // For each digest, the names of its files that are only in the old list.
    let mut moved: HashMap<(&str, &[u8]), VecDeque<&OsStr>> = HashMap::new();
    for (_, file) in old.iter().filter(|(name, _)| !new.contains_key(*name)) {
        for (algorithm, digest) in &file.digests {
            moved.entry((algorithm, digest)).or_default().push_back(&file.name);
        }
    }
    let mut gone: HashSet<&OsStr> = HashSet::new();
    let mut lines: Vec<(&OsStr, &str, Option<&OsStr>)> = Vec::new();
    let mut incomparable = 0;
    for (path, File { name, digests }) in &new {
        match old.get(path) {
            Some(before) => match same(&before.digests, digests) {
                Some(true) => {}
                Some(false) => lines.push((name, "changed", None)),
                None => incomparable += 1,
            },
            None => {
                let from = digests.iter().find_map(|(algorithm, digest)| {
                    let names = moved.get_mut(&(&algorithm[..], &digest[..]))?;
                    // Each name is removed at most once, so the cost is linear even if many files have the same digest.
                    while names.front().is_some_and(|name| gone.contains(name)) {
                        names.pop_front();
                    }
                    names.front().copied()
                });
                gone.extend(from);
                lines.push((name, if from.is_some() { "moved" } else { "added" }, from));
            }
        }
    }
    let removed = old.iter().filter(|(path, _)| !new.contains_key(*path)).map(|(_, file)| &file.name[..]);
    lines.extend(removed.filter(|name| !gone.contains(name)).map(|name| (name, "removed", None)));
    lines.sort_unstable();
    for (name, word, from) in &lines {
        print(name, word, *from, options)?;
    }
    if incomparable > 0 {
        let files = if incomparable == 1 { "file has" } else { "files have" };
        let were = if incomparable == 1 { "was" } else { "were" };
        complain(&format_args!(
            "WARNING: {incomparable} {files} no algorithm in common with the other list and {were} not compared"
        ));
    }
    Ok(if lines.is_empty() && incomparable == 0 { SUCCESS } else { FAILURE })
}

fn print(name: &OsStr, word: &str, from: Option<&OsStr>, options: &SumOptions) -> Result<(), Failure> {
    if options.status {
        return Ok(());
    }
    if options.json {
        let mut object = serde_json::json!({ "change": word });
        name_in(&mut object, name);
        if let Some(from) = from {
            name_member_in(&mut object, "from", from);
        }
        return write_line(format!("{object}\n").as_bytes());
    }
    let (escape, name) = shown(name, options);
    let from = from.map_or(Vec::new(), |from| [b" from ", &shown(from, options).1[..]].concat());
    write_line(&[escape, &name, b": ", word.as_bytes(), &from, end(options)].concat())
}

/// The name for a line, and the backslash at the beginning of the line if it is escaped. Names aren't escaped with
/// `--zero`.
fn shown(name: &OsStr, options: &SumOptions) -> (&'static [u8], Vec<u8>) {
    if options.zero { (b"", name_bytes(name).into_owned()) } else { escaped_if_many_lines(name) }
}

/// The end of a line.
fn end(options: &SumOptions) -> &'static [u8] {
    if options.zero { b"\0" } else { b"\n" }
}

/// Returns true if digests of the same algorithm are equal; `None` if no algorithm is in both.
fn same(old: &Digests, new: &Digests) -> Option<bool> {
    let mut common =
        old.iter().filter_map(|(algorithm, digest)| Some(new.get(algorithm)? == digest)).peekable();
    common.peek()?;
    Some(common.all(|equal| equal))
}

/// A file of a list.
struct File {
    /// The name as the list spells it.
    name: OsString,
    digests: Digests,
}

/// The names in a list, without `.` components.
fn names_of(list: &List) -> HashSet<OsString> {
    let names = list.entries.iter().filter_map(|entry| name_of(entry.name.clone()?));
    names.map(|name| plain(&name).into_os_string()).collect()
}

/// Gives files of the new list the names of the old list, if the names are different spellings of the same name as for
/// `sum -c`: with the separators of Windows, in a different normalization form, with spaces at the end or, if `any_case`
/// is true, in a different case. Names that are in both lists stay as they are, and so do names with several spellings.
fn respell(
    old: &BTreeMap<OsString, File>,
    new: &mut BTreeMap<OsString, File>,
    any_case: bool,
    options: &SumOptions,
) {
    let key = |name: &OsStr| {
        let text = name.to_str()?.replace('\\', "/");
        let path = plain(text.trim_ascii().as_ref());
        let text = path.to_str()?;
        Some(if any_case { folded(text) } else { text.nfc().collect() })
    };
    let only_in = |own: &BTreeMap<OsString, File>, other: &BTreeMap<OsString, File>| {
        let mut names: HashMap<String, Vec<OsString>> = HashMap::new();
        for name in own.keys().filter(|name| !other.contains_key(*name)) {
            if let Some(key) = key(name) {
                names.entry(key).or_default().push(name.clone());
            }
        }
        names
    };
    let (only_old, only_new) = (only_in(old, new), only_in(new, old));
    let mut pairs: Vec<(&OsString, &OsString)> = Vec::new();
    for (key, names) in &only_new {
        if let ([new], Some([old])) = (&names[..], only_old.get(key).map(Vec::as_slice)) {
            pairs.push((old, new));
        }
    }
    pairs.sort_unstable();
    for (old, name) in &pairs {
        if let Some(file) = new.remove(*name) {
            new.insert((*old).clone(), file);
        }
    }
    if let [(old, new), more @ ..] = &pairs[..]
        && !options.status
    {
        let more = match more.len() {
            0 => String::new(),
            1 => " (and 1 more pair of names)".to_owned(),
            n => format!(" (and {n} more pairs of names)"),
        };
        let (old, new) = (printable(old), printable(new));
        complain(&format_args!("'{old}' and '{new}' are compared as spellings of the same name{more}"));
    }
}

/// The files of a list, by their paths without `.` components. Lines that cannot be compared are reported.
fn files_of(
    list_name: &OsString,
    list: List,
    options: &SumOptions,
) -> Result<BTreeMap<OsString, File>, Failure> {
    let is_empty = list.entries.is_empty() && list.malformed.is_empty() && list.unsupported.is_empty();
    let unnamed = list.entries.iter().filter(|entry| entry.name.is_none()).count();
    let ignored = list.malformed.len() + unnamed;
    if !options.status {
        for kind in &list.unsupported {
            complain_of(
                list_name,
                &format_args!("{kind} is not supported; lines that use it are not compared"),
            );
        }
        if ignored > 0 {
            let lines = if ignored == 1 { "line is" } else { "lines are" };
            complain_of(
                list_name,
                &format_args!("WARNING: {ignored} {lines} improperly formatted and not compared"),
            );
        }
    }
    let mut resolver = Resolver::new(list_name, &[], false);
    resolver.has_crcs = list.has_crcs;
    let mut files: BTreeMap<OsString, File> = BTreeMap::new();
    for mut entry in list.entries {
        let Some(name) = entry.name.take().and_then(name_of) else { continue };
        let file = files
            .entry(plain(&name).into_os_string())
            .or_insert_with(|| File { name, digests: Digests::new() });
        file.digests.extend(
            resolver.resolve(entry).readings.into_iter().map(|(method, digest)| (method.name(), digest)),
        );
    }
    if files.is_empty() && !is_empty {
        return Err(Failure::Work(format!("{}: no checksum line has a file name", printable(list_name))));
    }
    Ok(files)
}

/// Prints groups of files with the same content. Only files with the same size as another file are read. A file with
/// several names counts once.
pub(crate) fn duplicates(options: &SumOptions) -> Result<u8, Failure> {
    refuse_ignored(options, "--duplicates", "prints names", &["--zero", "--json"])?;
    let choices = choices(options)?;
    let [choice] = choices[..] else {
        return Err(Failure::Usage("--duplicates requires exactly one algorithm".to_owned()));
    };
    if choice.output_len < SHORTEST {
        return Err(Failure::Usage(format!(
            "--duplicates needs digests of at least {SHORTEST} bytes, not {}: different files can have the same short \
             digest",
            choice.output_len
        )));
    }
    let keying = Keying::of(&options.parameters, &[])?;
    keying.check(choice).map_err(Failure::Usage)?;
    let exclude = Exclude::new(&options.exclude)?;
    let roots = if options.files.is_empty()
        && options.keep.files_from.is_none()
        && options.keep.files0_from.is_none()
    {
        vec![".".into()]
    } else {
        names(options)?
    };
    let rules = Rules {
        recursive: true,
        follow_links: options.dereference,
        exclude: &exclude,
        output: identity_of_output(),
        jobs: options.jobs,
    };
    let mut code = SUCCESS;
    let mut skipped = Skipped::default();
    let mut by_size: BTreeMap<u64, Vec<OsString>> = BTreeMap::new();
    for input in inputs(&roots, rules)? {
        match input {
            Input::File(name, Some(size)) => by_size.entry(size).or_default().push(name),
            Input::File(name, None) => {
                code = FAILURE;
                let why = fs::metadata(&name)
                    .map_or_else(|error| reason(&error), |_| "not a regular file".to_owned());
                complain_of(&name, &why);
            }
            Input::Skipped(name, skip) => skipped.add(&name, skip),
            Input::Refused(name, reason) => {
                code = FAILURE;
                complain_of(&name, &reason);
            }
        }
    }
    let mut todo: Vec<(u64, OsString)> = Vec::new();
    for (size, names) in by_size.into_iter().filter(|(_, names)| names.len() > 1) {
        // Hard links are one file.
        let mut known = HashSet::new();
        for name in names {
            let identity = fs::metadata(&name).and_then(|metadata| os::identity(Path::new(&name), &metadata));
            if identity.is_ok_and(|identity| known.insert(identity)) {
                todo.push((size, name));
            }
        }
    }
    let progress = Progress::of_files(Some(todo.iter().map(|(size, _)| size).sum()), todo.len());
    let recipe = Recipe { choices: &choices, keying: &keying, engines: Engines::none() };
    let jobs = parallel::jobs(options.jobs, todo.len())?;
    let together = |a: &(u64, OsString), b: &(u64, OsString)| is_small(Some(a.0)) && is_small(Some(b.0));
    let groups = groups(&todo, group_len(todo.len(), jobs, recipe.side_by_side()), together);
    let work = |group: &&[(u64, OsString)]| {
        let names: Vec<&OsString> = group.iter().map(|(_, name)| name).collect();
        digest_group(&names, recipe, Help::of(options.jobs), &progress)
    };
    let mut found: BTreeMap<(u64, Vec<u8>), Vec<&OsString>> = BTreeMap::new();
    parallel::in_order(&groups, jobs, work, |group, results| {
        for ((size, name), result) in group.iter().zip(results) {
            match result {
                Ok(mut digests) => found.entry((*size, digests.digests.remove(0))).or_default().push(name),
                Err(unreadable) => {
                    code = FAILURE;
                    progress.suspend(|| complain_of(name, &unreadable.reason()));
                }
            }
        }
        Ok(())
    })?;
    drop(progress);
    skipped.complain();
    let mut first = true;
    for ((size, digest), names) in found.iter().filter(|(_, names)| names.len() > 1) {
        if options.json {
            let names: Vec<serde_json::Value> = names
                .iter()
                .map(|name| {
                    let mut object = serde_json::json!({});
                    name_in(&mut object, name);
                    object
                })
                .collect();
            let object = serde_json::json!({
                "size": size, "algorithm": choice.name(), "digest": HEXLOWER.encode(digest), "files": names,
            });
            write_line(format!("{object}\n").as_bytes())?;
            continue;
        }
        let mut text = if first { Vec::new() } else { end(options).to_vec() };
        first = false;
        for name in names {
            let (escape, name) = shown(name, options);
            text.extend([escape, &name, end(options)].concat());
        }
        write_line(&text)?;
    }
    Ok(code)
}
