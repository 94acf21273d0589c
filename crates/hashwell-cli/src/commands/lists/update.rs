//! `hashwell sum --update`: brings a list up to date. A file is not read if its size, times and inode are the recorded
//! ones.

use crate::commands::check::{Directories, is_missing, plain, roots_of};
use crate::commands::lists::lock::lock;
use crate::commands::lists::refuse_ignored;
use crate::commands::sum::{choices, refuse_check_options};
use crate::digests::digest::{Digests, digest_group, is_small};
use crate::digests::engines::Engines;
use crate::digests::recipe::{Keying, Recipe};
use crate::inputs::names_from::names;
use crate::inputs::reading::{Help, Unreadable, is_stdin, read_whole, watch_files};
use crate::inputs::respelled;
use crate::inputs::stamps;
use crate::inputs::walk::{Exclude, Input, Rules, Skip, Skipped, seen_inputs};
use crate::options::args::SumOptions;
use crate::outputs::format::{Encoding, End, Layout, Style, escaped_if_many_lines};
use crate::outputs::output::write_file_if;
use crate::outputs::pending::{behind_links, is_unfinished};
use crate::system::exit::{FAILURE, ROTTEN, SUCCESS};
use crate::system::interrupt::Interrupt;
use crate::system::os::{self, Identity, name_bytes, name_of};
use crate::system::parallel::{self, group_len, groups};
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, complain_of, printable, reason, write_line};
use hashwell_checksums::formats::Writer;
use hashwell_checksums::read::{self, List};
use hashwell_checksums::resolve::{Resolver, by_name, unsupported_by_name};
use hashwell_checksums::stamp::{Change, Stamp};
use hashwell_checksums::{Choice, Method};
use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The maximum size in bytes of a list.
const MAX_LIST: u64 = 256 << 20;

/// A file of the list.
struct Kept {
    /// The name as the list spells it.
    name: OsString,
    /// The number of its first line in the list; `None` for a new file.
    line: Option<usize>,
    /// The numbers of the lines with its digests, as long as the digests are those of the list.
    lines: Vec<(Choice, usize)>,
    /// The digests, in the list's order.
    digests: Vec<(Choice, Vec<u8>)>,
    stamp: Stamp,
    state: State,
}

/// A result of the update for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Does not exist.
    Gone,
    /// Exists but was not found below the folders, or its folder could not be read. The record stays.
    NotExamined,
    /// Has the recorded size, times and inode; not read.
    Unchanged,
    /// Was read, and the digest is the recorded one.
    Same,
    Added,
    Edited,
    /// The digest differs; it is only recorded with `--accept`.
    Alarm(Change),
    /// Could not be read; the record stays.
    Unreadable,
    /// Changed while it was read; the record stays.
    Changing,
}

/// Counts for the summary.
#[derive(Default)]
struct Tally {
    added: usize,
    changed: usize,
    removed: usize,
    missing: usize,
    unchanged: usize,
    not_examined: usize,
    alarms: usize,
    unreadable: usize,
}

/// Updates the list. If the process is asked to stop before the list is written, it stops immediately and reports that
/// the list was not changed.
pub(crate) fn run(list_name: &OsString, options: &SumOptions) -> Result<u8, Failure> {
    let result = update(list_name, options);
    if matches!(result, Err(Failure::Interrupted)) {
        complain_of(list_name, &"stopped by a signal; the list was not changed");
    }
    result
}

fn update(list_name: &OsString, options: &SumOptions) -> Result<u8, Failure> {
    refuse_check_options(options)?;
    let allowed = [
        "--tag",
        "--untagged",
        "--text",
        "--json",
        "--times",
        "--format gnu",
        "--format bsd",
        "--format json",
    ];
    refuse_ignored(options, "--update", "writes lists in the formats gnu, bsd and json", &allowed)?;
    let keep = &options.keep;
    if is_stdin(list_name) {
        return Err(Failure::Usage(
            "--update: - is not a file name (to update a file named -, use ./-)".to_owned(),
        ));
    }
    let exclude = Exclude::new(&options.exclude)?;
    let path = behind_links(list_name.as_ref());
    // Names are read before signals are watched: afterwards, the first signal would not end waiting for more names.
    let given = !options.files.is_empty() || keep.files_from.is_some() || keep.files0_from.is_some();
    let roots = given.then(|| names(options)).transpose()?;
    watch_files();
    let interrupt = Interrupt::watch_reading().map_err(|error| Failure::Work(reason(&error)))?;
    // The list stays locked until the end of this function.
    let _lock = if keep.dry_run { None } else { lock(&path, list_name, &interrupt)? };
    let before = match fs::metadata(&path) {
        Ok(metadata) if !metadata.is_file() => {
            return Err(Failure::Usage(format!("--update: {}: not a regular file", printable(list_name))));
        }
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(Failure::Work(format!("{}: {}", printable(list_name), reason(&error)))),
    };
    let bytes = || match &before {
        Some(_) => read_whole(&path.clone().into_os_string(), MAX_LIST)
            .map_err(|error| Failure::Work(format!("{}: {}", printable(list_name), error.reason()))),
        None => Ok(Vec::new()),
    };
    let written = before.as_ref().and_then(|metadata| stamps::of_metadata(metadata).mtime);
    let rules = Rules {
        recursive: true,
        follow_links: options.dereference,
        exclude: &exclude,
        output: before.as_ref().and_then(|metadata| os::identity(&path, metadata).ok()),
        jobs: options.jobs,
    };
    let read = || {
        let bytes = bytes()?;
        Ok::<_, Failure>((Book::read(list_name, &bytes, written, options)?, bytes))
    };
    let stamp = |metadata: &fs::Metadata| metadata.is_file().then(|| stamps::of_metadata(metadata));
    let look = |roots: &[OsString]| seen_inputs(roots, rules, stamp);
    let ((mut book, bytes), found, roots) = if let Some(roots) = roots {
        // If nothing in the list has changed, reading the list and looking at the files each take half of the time.
        let (read, found) = parallel::both(options.jobs, read, || look(&roots))?;
        (read?, found?, Some(roots))
    } else {
        let (book, bytes) = read()?;
        let roots = match book.files.is_empty() {
            true => vec![".".into()],
            false => {
                let names = || book.files.iter().map(|file| &file.name);
                // Lists that were written on other systems can also spell the folders differently.
                let mut directories = Directories::default();
                let lost = names().filter(|name| directories.path_of(name).is_none());
                let respelled: Vec<OsString> = lost.filter_map(|name| respelled::file(name)).collect();
                roots_of(names().chain(&respelled))
            }
        };
        ((book, bytes), look(&roots)?, None)
    };
    let keying = Keying::of(&options.parameters, &[])?;
    book.choices.iter().try_for_each(|choice| keying.check(*choice)).map_err(Failure::Usage)?;
    let mut tally = Tally::default();
    let mut skipped = Skipped::default();
    let places = book.places();
    let mut sightings = Sightings::new(&book, options);
    let file_name = name_bytes(path.file_name().unwrap_or_default());
    // The file in the list after the last file that was found.
    let mut next = 0;
    // Found files whose name, without `.` and doubled slashes, is not in the list.
    let mut others: Vec<(OsString, Stamp)> = Vec::new();
    // Names that could not be read. They may be folders.
    let mut unread: Vec<OsString> = Vec::new();
    for (input, seen) in found {
        let name = match input {
            Input::File(name, _) => name,
            // The list itself.
            Input::Skipped(_, Skip::Output) => continue,
            Input::Skipped(name, skip) => {
                skipped.add(&name, skip);
                continue;
            }
            Input::Refused(name, why) => {
                tally.unreadable += 1;
                complain_of(&name, &why);
                if let Some(place) = places.get(&*plain_name(&name)) {
                    book.files[*place].state = State::Unreadable;
                }
                unread.push(name);
                continue;
            }
        };
        // Comparing paths takes longer than comparing bytes.
        if name_bytes(&name).ends_with(&file_name) && fs::canonicalize(&name).is_ok_and(|real| real == path) {
            continue;
        }
        if is_unfinished(&name) {
            skipped.add(&name, Skip::Unfinished);
            continue;
        }
        let place = match book.files.get(next) {
            Some(file) if file.name == name => Some(next),
            _ => places.get(&*plain_name(&name)).copied(),
        };
        next = place.map_or(next, |place| place + 1);
        // A file that was named on the command line has no stamp yet if its metadata could not be read earlier.
        let look = || stamp(&fs::metadata(&name)?).ok_or_else(|| io::Error::other("not a regular file"));
        let stamp = match seen.map_or_else(look, Ok) {
            Ok(stamp) => stamp,
            // A file of the list that is missing is reported later, when the results are printed.
            Err(error) if place.is_some() && is_missing(error.kind()) => continue,
            Err(error) => {
                tally.unreadable += 1;
                complain_of(&name, &reason(&error));
                unread.push(name);
                continue;
            }
        };
        match place {
            Some(_) => sightings.add(&mut book, name, place, stamp),
            None => others.push((name, stamp)),
        }
    }
    // The files whose names are spelled differently in the list, with their indices in it.
    let unseen = book.files.iter().enumerate().filter(|(place, _)| !sightings.seen[*place]);
    let respelled: Vec<(usize, OsString)> =
        unseen.filter_map(|(place, file)| Some((place, respelled::file(&file.name)?))).collect();
    if !others.is_empty() {
        let mut directories = Directories::default();
        let listed = book.files.iter().enumerate();
        let mut paths: HashMap<PathBuf, Option<usize>> = listed
            .filter_map(|(place, file)| Some((directories.path_of(&file.name)?, Some(place))))
            .collect();
        for (place, name) in &respelled {
            // A file belongs to the record that has exactly its name.
            if let Some(path) = directories.path_of(name) {
                paths.entry(path).or_insert(Some(*place));
            }
        }
        for (name, stamp) in others {
            let known = directories.path_of(&name).map(|path| paths.entry(path));
            let place = match known {
                Some(Entry::Occupied(known)) => match known.get() {
                    Some(place) => Some(*place),
                    // A new file with several names is added once.
                    None => continue,
                },
                Some(Entry::Vacant(new)) => *new.insert(None),
                None => None,
            };
            sightings.add(&mut book, name, place, stamp);
        }
    }
    add_other_names(&mut book, &mut sightings);
    let Sightings { mut todo, samples, seen } = sightings;
    let samples = samples.unwrap_or_default();
    let recorded: Vec<(usize, Stamp)> =
        samples.iter().filter_map(|sample| Some((sample.place?, book.files[sample.place?].stamp))).collect();
    todo.extend(samples);
    let mut scope = Scope::new(roots.as_deref(), &unread);
    let names = book.files.iter().filter(|_| !respelled.is_empty()).map(|file| &*file.name);
    let named: HashSet<&OsStr> = names.collect();
    let exist: HashSet<usize> =
        respelled.iter().filter(|(_, name)| !named.contains(&**name)).map(|(place, _)| *place).collect();
    for (place, file) in book.files.iter_mut().enumerate() {
        if !seen[place] && file.state == State::Gone && (exist.contains(&place) || !scope.lacks(&file.name)) {
            file.state = State::NotExamined;
        }
    }
    hash(&mut book, todo, &keying, options, &interrupt, &mut tally)?;
    if book.is_of_another_algorithm(options) {
        let (guessed, advice) = match options.algorithms.is_empty() {
            true => ("guessed ", "give the algorithm of the list with -a"),
            false => ("", "the list keeps its algorithm; to change it, write a new list"),
        };
        return Err(Failure::Work(format!(
            "{}: no checksum matches the {guessed}algorithm {}: {advice}",
            printable(list_name),
            book.choices.iter().map(|choice| choice.name()).collect::<Vec<_>>().join(", ")
        )));
    }
    // A file that was only read to confirm the algorithm keeps its record.
    for (place, stamp) in recorded {
        let file = &mut book.files[place];
        if file.state == State::Same {
            (file.state, file.stamp) = (State::Unchanged, stamp);
        }
    }
    skipped.complain();
    let code = book.report(options, &mut tally)?;
    if interrupt.flow().is_break() {
        return Err(Failure::Interrupted);
    }
    if before.is_none() && book.files.is_empty() {
        complain_of(list_name, &"no file was recorded, so the list was not created");
        return Ok(code);
    }
    if !keep.dry_run {
        // If all files are unchanged, the list is not rewritten.
        if before.is_none() || book.is_changed(options) {
            let text = book.text(&bytes, options)?;
            if before.is_none() || text != bytes {
                let version = before.as_ref().map(|metadata| version(&path, metadata));
                let is_current = || match fs::metadata(&path) {
                    Ok(metadata) => Some(self::version(&path, &metadata)) == version,
                    Err(error) => error.kind() == io::ErrorKind::NotFound && version.is_none(),
                };
                if !write_file_if(&path, &text, before.is_none(), is_current)? {
                    return Err(Failure::Work(format!(
                        "{}: another program changed the list during the update, so nothing was written (run the \
                         command again)",
                        printable(list_name)
                    )));
                }
            }
        }
    }
    tally.say(keep.prune, keep.dry_run);
    // The process ends after this, and freeing each record of a long list takes time.
    std::mem::forget((book, places));
    Ok(code)
}

/// Adds the files of the list that are also named by a different path, under which they were found.
fn add_other_names(book: &mut Book, sightings: &mut Sightings) {
    let unseen: Vec<usize> = (0..book.files.len())
        .filter(|place| !sightings.seen[*place] && book.files[*place].state == State::Gone)
        .collect();
    if unseen.is_empty() {
        return;
    }
    let mut directories = Directories::default();
    let files = book.files.iter().zip(&sightings.seen);
    let found: HashSet<PathBuf> =
        files.filter(|(_, seen)| **seen).filter_map(|(file, _)| directories.path_of(&file.name)).collect();
    for place in unseen {
        let name = book.files[place].name.clone();
        if directories.path_of(&name).is_some_and(|path| found.contains(&path))
            && let Ok(metadata) = fs::metadata(&name)
        {
            sightings.add(book, name, Some(place), stamps::of_metadata(&metadata));
        }
    }
}

/// The algorithms of a new list: those of `-a`. Without `-a`, it is the algorithm that `-c` would read from the list's
/// name.
fn new_choices(list_name: &OsStr, options: &SumOptions) -> Result<Vec<Choice>, Failure> {
    if !options.algorithms.is_empty() {
        return choices(options);
    }
    let of_default_length = || {
        if unsupported_by_name(list_name).is_some() {
            return None;
        }
        let line = format!("{}  name\n", "0".repeat(64));
        let entry = read::parse(line.as_bytes()).entries.into_iter().next()?;
        let line = Resolver::new(list_name, &[], false).resolve(entry);
        line.readings.into_iter().next().map(|(method, _)| method)
    };
    let title = match (by_name(list_name).or_else(of_default_length), options.bits()) {
        (Some(Method::Row(choice)), None) => return Ok(vec![choice]),
        (Some(Method::Row(choice)), bits) => {
            return Ok(vec![Choice::find(choice.algorithm.name, bits).map_err(Failure::Usage)?]);
        }
        (Some(legacy), _) => legacy.title(),
        (None, _) => unsupported_by_name(list_name).map_or_else(String::new, |(name, _)| name),
    };
    Err(Failure::Work(format!(
        "{}: the name of the list selects {title}, which --update cannot write (choose an algorithm with -a)",
        printable(list_name)
    )))
}

/// The identity and the stamp of a list, at least one of which differs between two versions of it.
fn version(path: &Path, metadata: &fs::Metadata) -> (Option<Identity>, Stamp) {
    (os::identity(path, metadata).ok(), stamps::of_metadata(metadata))
}

/// Returns the same name as [`plain`], without a copy if the name is plain already.
fn plain_name(name: &OsStr) -> Cow<'_, OsStr> {
    let bytes = name_bytes(name);
    let is_plain = !cfg!(windows)
        && !bytes.starts_with(b"./")
        && !bytes.ends_with(b"/.")
        && !bytes.ends_with(b"/")
        && *bytes != b"."[..]
        && !bytes.windows(2).any(|pair| pair == b"//")
        && !bytes.windows(3).any(|part| part == b"/./");
    if is_plain { name.into() } else { plain(name).into_os_string().into() }
}

/// The maximum number of unchanged files that are read to confirm the algorithm of a list.
const SAMPLES: usize = 8;

/// The files that were found.
struct Sightings {
    /// The files to read.
    todo: Vec<Todo>,
    /// The smallest unchanged files, if some must be read to confirm the algorithm of the list.
    samples: Option<Vec<Todo>>,
    /// True for each file of the list that was found.
    seen: Vec<bool>,
}

impl Sightings {
    fn new(book: &Book, options: &SumOptions) -> Self {
        let samples = book.is_unconfirmed(options).then(Vec::new);
        Self { todo: Vec::new(), samples, seen: vec![false; book.files.len()] }
    }

    /// Adds a file that was found, unless it was found before under another name. `place`: the file's index in the
    /// list.
    fn add(&mut self, book: &mut Book, name: OsString, place: Option<usize>, stamp: Stamp) {
        if let Some(place) = place {
            if std::mem::replace(&mut self.seen[place], true) {
                return;
            }
            let file = &mut book.files[place];
            if file.stamp.is_unchanged(&stamp) && !file.stamp.is_racy() && !file.digests.is_empty() {
                file.state = State::Unchanged;
                if let Some(samples) = &mut self.samples {
                    samples.push(Todo { name, place: Some(place), stamp });
                    samples.sort_by_key(|sample| sample.stamp.size);
                    samples.truncate(SAMPLES);
                }
                return;
            }
        }
        self.todo.push(Todo { name, place, stamp });
    }
}

/// The part of the file system that was searched. Only listed files in this part can be reported as missing.
struct Scope {
    directories: Directories,
    /// The paths of the FILEs. `None`: everything.
    roots: Option<Paths>,
    /// The paths of folders that could not be read, and of FILEs that don't exist.
    unread: Paths,
}

/// A set of paths without `.` and doubled slashes.
struct Paths {
    paths: HashSet<PathBuf>,
    lens: HashSet<usize>,
}

impl Paths {
    fn of(paths: HashSet<PathBuf>) -> Self {
        Self { lens: paths.iter().map(|path| path.as_os_str().len()).collect(), paths }
    }

    /// Returns true if the set has one of the path's ancestors, beginning with the one at `skip`, where 0 is the path
    /// itself. An ancestor is looked up only if a path of the set has the same length, because a long path can have
    /// thousands of ancestors, and hashing all of them would be slow.
    fn has_ancestor(&self, path: &Path, skip: usize) -> bool {
        let fits = |above: &&Path| self.lens.contains(&above.as_os_str().len());
        path.ancestors().skip(skip).filter(fits).any(|above| self.paths.contains(above))
    }
}

impl Scope {
    fn new(roots: Option<&[OsString]>, unread: &[OsString]) -> Self {
        let mut directories = Directories::default();
        // Each name is compared both as it is spelled and without links.
        let mut paths = |names: &[OsString]| {
            let paths = names.iter().flat_map(|name| {
                let real = fs::canonicalize(name).unwrap_or_else(|_| directories.place_of(name));
                [spelled(name), real]
            });
            Paths::of(paths.collect())
        };
        let (roots, unread) = (roots.map(&mut paths), paths(unread));
        Self { directories, roots, unread }
    }

    /// Returns true if a listed file does not exist. Returns false if it exists, if the system reports a
    /// different error, or if it is outside the FILEs or below a folder that could not be read.
    fn lacks(&mut self, name: &OsStr) -> bool {
        let exists = match fs::symlink_metadata(name) {
            // Lists contain no folders, so a folder is not the listed file.
            Ok(metadata) => !metadata.is_dir(),
            Err(error) => !is_missing(error.kind()),
        };
        if exists {
            return false;
        }
        let paths = [spelled(name), self.directories.place_of(name)];
        let is_in = |set: &Paths, skip| paths.iter().any(|path| set.has_ancestor(path, skip));
        self.roots.as_ref().is_none_or(|roots| is_in(roots, 0)) && !is_in(&self.unread, 1)
    }
}

/// The absolute path without `.`, and with links and `..` as they are spelled.
fn spelled(name: &OsStr) -> PathBuf {
    let path = plain(name);
    std::path::absolute(&path).unwrap_or(path)
}

/// A file to read.
struct Todo {
    name: OsString,
    place: Option<usize>,
    stamp: Stamp,
}

/// Reads the files and enters the results.
fn hash(
    book: &mut Book,
    todo: Vec<Todo>,
    keying: &Keying<'_>,
    options: &SumOptions,
    interrupt: &Interrupt,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let progress = Progress::of_files(Some(todo.iter().filter_map(|todo| todo.stamp.size).sum()), todo.len());
    let threads = parallel::jobs(options.jobs, todo.len())?;
    let choices = book.choices.clone();
    let recipe = Recipe { choices: &choices, keying, engines: Engines::none() };
    let together = |a: &Todo, b: &Todo| is_small(a.stamp.size) && is_small(b.stamp.size);
    let groups = groups(&todo, group_len(todo.len(), threads, recipe.side_by_side()), together);
    let work = |group: &&[Todo]| {
        if interrupt.flow().is_break() {
            return Vec::new();
        }
        let names: Vec<&OsString> = group.iter().map(|todo| &todo.name).collect();
        digest_group(&names, recipe, Help::of(options.jobs), &progress)
    };
    parallel::in_order(&groups, threads, work, |group, results| {
        // Files that were not read to their end because of a signal are not unreadable.
        if interrupt.flow().is_break() {
            return Err(Failure::Interrupted);
        }
        for (todo, result) in group.iter().zip(results) {
            // Detects a file that was replaced between looking at it and reading it.
            let after = stamps::of_name(&todo.name);
            let result = match result {
                Ok(_) if after.is_none_or(|after| !todo.stamp.is_unchanged(&after)) => {
                    Err(Unreadable::Changed)
                }
                result => result,
            };
            match result {
                Ok(digests) => book.enter(todo, digests, options.keep.accept),
                Err(Unreadable::Changed) => {
                    book.changing.push(todo.name.clone());
                    if let Some(place) = todo.place {
                        book.files[place].state = State::Changing;
                    }
                }
                Err(unreadable) => {
                    tally.unreadable += 1;
                    progress.suspend(|| complain_of(&todo.name, &unreadable.reason()));
                    if let Some(place) = todo.place {
                        book.files[place].state = State::Unreadable;
                    }
                }
            }
        }
        Ok(())
    })
}

/// A list that is being updated.
struct Book {
    /// Comments and blank lines, with their line numbers.
    comments: Vec<(usize, Vec<u8>)>,
    files: Vec<Kept>,
    /// The index of each file by its name as spelled in the list.
    places: HashMap<OsString, usize>,
    choices: Vec<Choice>,
    layout: Layout,
    /// The layout of the list as it was read.
    read_layout: Layout,
    /// True if the list has lines, and they do not name the algorithm.
    is_untagged: bool,
    /// The end of the lines.
    end: End,
    /// The name of the list, for messages.
    name: OsString,
    /// The time at which the list was written, if it exists.
    written: Option<i128>,
    /// Files that changed while they were read.
    changing: Vec<OsString>,
}

impl Book {
    /// Reads the list. An empty list gets the format and the algorithms of the options.
    fn read(
        list_name: &OsString,
        bytes: &[u8],
        written: Option<i128>,
        options: &SumOptions,
    ) -> Result<Self, Failure> {
        let mut list = read::parse(bytes);
        let refuse = |why: &str| Failure::Work(format!("{}: {why}", printable(list_name)));
        if list.notes.contains(&read::SIGNED) {
            return Err(refuse("the list is signed, and an update would make the signature invalid"));
        }
        if let Some(line) = list.malformed.first() {
            return Err(refuse(&format!(
                "line {line} is improperly formatted; correct or remove it before --update"
            )));
        }
        if let Some(line) = list.ignored.first() {
            return Err(refuse(&format!("line {line} has no checksum; remove it before --update")));
        }
        if list.entries.iter().any(|entry| entry.name.is_none()) {
            return Err(refuse("a digest has no file name; --update needs a name on each line"));
        }
        if !list.needs.is_empty() || options.parameters.keyed || !options.parameters.table.0.is_empty() {
            return Err(refuse("lists of keyed digests cannot be updated"));
        }
        let end = if bytes.contains(&0) { End::Nul } else { End::Newline };
        let layout = Self::layout(bytes, end, &list, options).map_err(|why| refuse(&why))?;
        let comments = std::mem::take(&mut list.comments);
        let mut book = Self {
            comments,
            files: Vec::new(),
            places: HashMap::new(),
            choices: Vec::new(),
            layout,
            read_layout: layout,
            is_untagged: layout == Layout::Gnu && !list.entries.is_empty(),
            end,
            name: list_name.clone(),
            written,
            changing: Vec::new(),
        };
        book.enter_list(list, options).map_err(|why| refuse(&why))?;
        if !options.algorithms.is_empty() || book.choices.is_empty() {
            let given =
                if book.choices.is_empty() { new_choices(list_name, options)? } else { choices(options)? };
            if !book.choices.is_empty() && given != book.choices {
                let names: Vec<String> = book.choices.iter().map(|choice| choice.name()).collect();
                return Err(refuse(&format!(
                    "the list has digests of {}; -a must select the same algorithms (to change them, write a new list)",
                    names.join(", ")
                )));
            }
            book.choices = given;
        }
        // Untagged lines have the usual algorithm for their length, or the one that the list's name contains.
        let asked_for = book.layout;
        let usual = ["sha1", "sha224", "sha256", "sha384", "sha512"];
        let is_known = |choice: &Choice| {
            usual.contains(&choice.name().as_str()) || by_name(list_name) == Some(Method::Row(*choice))
        };
        if !book.choices.iter().all(is_known) {
            book.layout = match book.layout {
                Layout::Gnu => Layout::Tag,
                layout => layout,
            };
        }
        if book.choices.len() > 1 && book.layout == Layout::Gnu {
            book.layout = Layout::Tag;
        }
        if Self::asked(options) == Some(Layout::Gnu) && book.layout != asked_for {
            return Err(book.needs_tags());
        }
        Ok(book)
    }

    /// Returns the error for options that select lines without the name of the algorithm, if a different algorithm
    /// would be assumed when these lines are read.
    fn needs_tags(&self) -> Failure {
        Failure::Work(format!(
            "{}: without --tag, the lines would not name the algorithm, and a different one would be assumed",
            printable(&self.name)
        ))
    }

    /// The layout that the options select.
    fn asked(options: &SumOptions) -> Option<Layout> {
        match (options, options.keep.format) {
            (SumOptions { json: true, .. }, _) | (_, Some(Writer::Json)) => Some(Layout::Json),
            (SumOptions { tag: true, .. }, _) | (_, Some(Writer::Bsd)) => Some(Layout::Tag),
            (SumOptions { untagged: true, .. }, _) | (_, Some(Writer::Gnu)) => Some(Layout::Gnu),
            _ => None,
        }
    }

    /// The layout of the list. If the list is empty, it is the layout that the options select.
    fn layout(bytes: &[u8], end: End, list: &List, options: &SumOptions) -> Result<Layout, String> {
        let asked = Self::asked(options);
        if list.entries.is_empty() {
            return Ok(asked.unwrap_or(Layout::Gnu));
        }
        let first = list.entries[0].line;
        let line = bytes.split(|b| *b == end.byte()).nth(first - 1).unwrap_or_default();
        let named = list.entries.iter().all(|entry| entry.method.is_some());
        let none = list.entries.iter().all(|entry| entry.method.is_none());
        let line = line.strip_prefix(b"\\").unwrap_or(line);
        let is_gnu = none && line.first().is_some_and(u8::is_ascii_hexdigit);
        let is_tag = named && line.contains(&b'(') && !line.starts_with(b"{");
        let own = match () {
            () if line.starts_with(b"{") && end == End::Newline => Layout::Json,
            () if is_tag => Layout::Tag,
            () if is_gnu => Layout::Gnu,
            () => {
                return Err("only lists in the formats gnu, bsd and json can be updated; write a new one with hashwell sum".to_owned());
            }
        };
        match asked {
            Some(asked) if asked != own => {
                Err("the list has a different format than the options select".to_owned())
            }
            _ => Ok(own),
        }
    }

    fn enter_list(&mut self, list: List, options: &SumOptions) -> Result<(), String> {
        let given: Vec<Method> = options
            .algorithms
            .iter()
            .map(|name| Choice::find(name, options.bits()).map(Method::Row))
            .collect::<Result<_, _>>()?;
        let list_name = self.name.clone();
        let mut resolver = Resolver::new(&list_name, &given, options.bits().is_some());
        let mut places: HashMap<OsString, usize> = HashMap::with_capacity(list.entries.len());
        self.files.reserve(list.entries.len());
        for mut entry in list.entries {
            let (line, stamp) = (entry.line, entry.stamp);
            let Some(name) = entry.name.take().and_then(name_of) else { continue };
            let resolved = resolver.resolve(entry);
            let Some((method, digest)) = resolved.readings.into_iter().next() else {
                return Err(match &given[..] {
                    [] => format!("line {line}: no algorithm has a digest of this length"),
                    given => {
                        let names: Vec<String> = given.iter().map(|method| method.name()).collect();
                        format!(
                            "line {line}: the digest does not have the length of {} (the list keeps its algorithm; to \
                             change it, write a new list)",
                            names.join(", ")
                        )
                    }
                });
            };
            let Method::Row(choice) = method else {
                return Err(format!(
                    "line {line}: {} is supported only for checking; write a new list with another algorithm",
                    method.title()
                ));
            };
            if !self.choices.contains(&choice) {
                self.choices.push(choice);
            }
            let place = *places.entry(name.clone()).or_insert_with(|| {
                self.files.push(Kept {
                    name,
                    line: Some(line),
                    lines: Vec::new(),
                    digests: Vec::new(),
                    stamp,
                    state: State::Gone,
                });
                self.files.len() - 1
            });
            let file = &mut self.files[place];
            match file.digests.iter().find(|(known, _)| *known == choice) {
                Some((_, known)) if *known != digest => {
                    return Err(format!(
                        "line {line}: {} has a different digest in an earlier line; correct the list first",
                        printable(&file.name)
                    ));
                }
                Some(_) => {}
                None => {
                    file.digests.push((choice, digest));
                    file.lines.push((choice, line));
                }
            }
        }
        self.places = places;
        // A file without one of the list's digests is read again.
        let choices = self.choices.clone();
        let lacks = |file: &Kept| file.digests.len() != choices.len();
        self.files.iter_mut().filter(|file| lacks(file)).for_each(|file| file.stamp.mtime = None);
        Ok(())
    }

    /// Returns true if the options select the algorithm, and neither the lines nor the name of the list confirm it.
    fn is_unconfirmed(&self, options: &SumOptions) -> bool {
        let is_named = matches!(by_name(&self.name), Some(Method::Row(choice)) if self.choices == [choice]);
        self.is_untagged && !options.algorithms.is_empty() && !is_named
    }

    /// Returns true if the algorithm was only guessed from the length of the digests or is unconfirmed, and no digest of
    /// a file that was read matches.
    fn is_of_another_algorithm(&self, options: &SumOptions) -> bool {
        let is_unconfirmed = self.is_unconfirmed(options);
        let listed = || self.files.iter().filter(|file| file.state != State::Added);
        let is_ours = || listed().any(|file| file.stamp.recorded.is_some());
        let is_guess =
            self.is_untagged && options.algorithms.is_empty() && by_name(&self.name).is_none() && !is_ours();
        let differs = |file: &Kept| matches!(file.state, State::Edited | State::Alarm(_));
        // The digests of unchanged files were not compared, unless a guess is based on their records.
        let is_right = |file: &Kept| file.state == State::Same || is_guess && file.state == State::Unchanged;
        (is_guess || is_unconfirmed) && listed().any(differs) && !listed().any(is_right)
    }

    /// Records the digests of a file that was read.
    fn enter(&mut self, todo: &Todo, digests: Digests, accept: bool) {
        let stamp = Stamp { recorded: Some(stamps::now()), ..todo.stamp };
        let digests: Vec<(Choice, Vec<u8>)> = self.choices.iter().copied().zip(digests.digests).collect();
        let Some(place) = todo.place else {
            let name = plain(&todo.name).into_os_string();
            let (line, lines) = (None, Vec::new());
            self.files.push(Kept { name, line, lines, digests, stamp, state: State::Added });
            return;
        };
        let file = &mut self.files[place];
        let same = file.digests.iter().all(|known| digests.contains(known));
        let state = match (same, file.stamp.change(&todo.stamp)) {
            (true, _) => State::Same,
            (false, Some(Change::Edited { .. })) => State::Edited,
            (false, Some(change)) => State::Alarm(change),
            (false, None) if todo.stamp.mtime > self.written => State::Edited,
            // An edit can't be told from bit rot.
            (false, None) => State::Alarm(Change::Uncertain),
        };
        file.state = state;
        if !matches!(state, State::Alarm(_)) || accept {
            (file.digests, file.stamp) = (digests, stamp);
            if !same {
                file.lines.clear();
            }
        }
    }

    /// Prints a line for each file that differs from its record, and returns the exit code.
    fn report(&self, options: &SumOptions, tally: &mut Tally) -> Result<u8, Failure> {
        let mut code = if tally.unreadable > 0 { FAILURE } else { SUCCESS };
        for file in &self.files {
            let word = match file.state {
                State::Unchanged | State::Same => {
                    tally.unchanged += 1;
                    continue;
                }
                State::NotExamined => {
                    tally.not_examined += 1;
                    continue;
                }
                State::Unreadable | State::Changing => continue,
                State::Added => {
                    tally.added += 1;
                    "added"
                }
                State::Edited => {
                    tally.changed += 1;
                    "changed"
                }
                State::Gone if options.keep.prune => {
                    tally.removed += 1;
                    "removed"
                }
                State::Gone => {
                    tally.missing += 1;
                    "missing"
                }
                State::Alarm(change) => {
                    if options.keep.accept {
                        tally.changed += 1;
                    } else {
                        tally.alarms += 1;
                        code = if change == Change::Uncertain { code.max(FAILURE) } else { ROTTEN };
                    }
                    match change {
                        Change::Rotten => "ROTTEN (size and time of modification are unchanged)",
                        Change::Replaced => {
                            "ROTTEN or replaced (size and time of modification are unchanged)"
                        }
                        _ => "UNCERTAIN (changed by an edit or by bit rot)",
                    }
                }
            };
            let (escape, name) = escaped_if_many_lines(&file.name);
            if !options.quiet && !options.status {
                write_line(&[escape, &name, b": ", word.as_bytes(), b"\n"].concat())?;
            }
        }
        for name in &self.changing {
            code = code.max(FAILURE);
            let (escape, name) = escaped_if_many_lines(name);
            if !options.quiet && !options.status {
                let word = b": UNCERTAIN (changed while it was being read)\n";
                write_line(&[escape, &name, word].concat())?;
            }
        }
        if !self.changing.is_empty() {
            let n = self.changing.len();
            let files = if n == 1 { "file was" } else { "files were" };
            complain(&format_args!(
                "WARNING: {n} {files} not recorded because of changes; run the command again"
            ));
        }
        if tally.alarms > 0 {
            let n = tally.alarms;
            let files = if n == 1 { "file keeps its" } else { "files keep their" };
            complain(&format_args!(
                "WARNING: {n} {files} recorded digest (restore damaged files from a backup; if you changed them \
                 yourself, use --accept)"
            ));
        }
        Ok(code)
    }

    /// The text of the list. Each comment stays between the same files. New files are added directly below the last
    /// listed file, where a comment at the end of the list cannot name a different algorithm for them. Lines that do
    /// not change keep all their bytes. `bytes`: the list as it was read.
    fn text(&self, bytes: &[u8], options: &SumOptions) -> Result<Vec<u8>, Failure> {
        let prune = options.keep.prune;
        let source = Source::of(bytes, self);
        let text = self.text_as(self.layout, prune, &source);
        if self.layout == Layout::Gnu && !self.reads_back(&text) {
            return match Self::asked(options) {
                Some(Layout::Gnu) => Err(self.needs_tags()),
                _ => Ok(self.text_as(Layout::Tag, prune, &source)),
            };
        }
        Ok(text)
    }

    fn text_as(&self, layout: Layout, prune: bool, source: &Source<'_>) -> Vec<u8> {
        let mut text = Vec::new();
        let mut comments = self.comments.iter().peekable();
        let mut add_comments = |text: &mut Vec<u8>, until: usize| {
            while let Some((line, comment)) = comments.next_if(|(line, _)| *line < until) {
                match source.line(*line) {
                    Some(line) => source.keep(text, line),
                    None => source.write(text, &[comment, &[self.end.byte()][..]].concat()),
                }
            }
        };
        if self.files.iter().all(|file| file.line.is_none()) {
            add_comments(&mut text, usize::MAX);
        }
        for file in &self.files {
            add_comments(&mut text, file.line.unwrap_or(0));
            if !(prune && file.state == State::Gone) {
                self.add_entry(&mut text, file, layout, source);
            }
        }
        add_comments(&mut text, usize::MAX);
        text
    }

    /// Adds the comment and the lines of a file.
    fn add_entry(&self, text: &mut Vec<u8>, file: &Kept, layout: Layout, source: &Source<'_>) {
        let binary = file.line.and_then(|line| source.line(line)).map_or(source.is_binary, has_binary_mark);
        let style = Style { layout, names: true, binary, encoding: Encoding::Hex, end: self.end };
        let name = name_bytes(&file.name);
        let above = file.line.and_then(|line| source.line(line.checked_sub(1)?));
        let is_stamp = |line: &&[u8]| Stamp::from_comment(source.content(line)) == Some(file.stamp);
        match above.filter(is_stamp).filter(|_| layout != Layout::Json) {
            Some(comment) => source.keep(text, comment),
            None => source.write(text, &style.comment(&file.stamp)),
        }
        for (choice, digest) in &file.digests {
            let new = style.line(*choice, [], digest, &name, &file.stamp);
            let number = file.lines.iter().find(|(known, _)| known == choice).map(|(_, line)| *line);
            let old = number.and_then(|number| source.line(number)).filter(|line| {
                let is_new = || source.content(line) == new.strip_suffix(&[self.end.byte()]).unwrap_or(&new);
                let is_own = || match &read::parse(line).entries[..] {
                    [entry] => {
                        let method = (layout != Layout::Gnu).then_some(Method::Row(*choice));
                        entry.name.as_deref() == Some(&*name)
                            && (entry.digest == *digest && entry.method == method)
                            && (layout != Layout::Json || line.starts_with(b"{") && entry.stamp == file.stamp)
                    }
                    _ => false,
                };
                layout == self.read_layout && (is_new() || is_own())
            });
            match old {
                Some(line) => source.keep(text, line),
                None => source.write(text, &new),
            }
        }
    }

    /// Returns true if a record is new or is removed.
    fn is_changed(&self, options: &SumOptions) -> bool {
        self.files.iter().any(|file| match file.state {
            State::Unchanged | State::NotExamined | State::Unreadable | State::Changing => false,
            State::Gone => options.keep.prune,
            State::Alarm(_) => options.keep.accept,
            State::Same | State::Added | State::Edited => true,
        })
    }

    /// The index of each file by its name without `.` and doubled slashes.
    fn places(&mut self) -> HashMap<OsString, usize> {
        let places = std::mem::take(&mut self.places);
        let is_plain = |file: &Kept| matches!(plain_name(&file.name), Cow::Borrowed(_));
        if self.files.iter().all(is_plain) {
            return places;
        }
        let places = self.files.iter().enumerate();
        places.map(|(i, file)| (plain_name(&file.name).into_owned(), i)).collect()
    }

    /// Returns true if untagged lines would be read back with the algorithm that computed their digests. The list's
    /// name or a comment above the lines can name a different one. Without comments, all lines are read like the first
    /// one.
    fn reads_back(&self, text: &[u8]) -> bool {
        let is_line = |line: &&[u8]| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b";");
        let text = match self.comments.is_empty() {
            true => text.split(|b| *b == self.end.byte()).find(is_line).unwrap_or_default(),
            false => text,
        };
        let mut resolver = Resolver::new(&self.name, &[], false);
        read::parse(text).entries.into_iter().all(|entry| {
            let readings = resolver.resolve(entry).readings;
            matches!(readings.first(), Some((Method::Row(choice), _)) if self.choices.contains(choice))
        })
    }
}

/// The lines of a list as they were read, and the conventions that new lines follow.
struct Source<'b> {
    /// The lines with their endings. There are none if the list was converted from UTF-16.
    lines: Vec<&'b [u8]>,
    /// The byte at the end of each line.
    end: u8,
    /// True if most lines end with CRLF.
    is_crlf: bool,
    /// True if most names have the mark of binary mode.
    is_binary: bool,
}

impl<'b> Source<'b> {
    fn of(bytes: &'b [u8], book: &Book) -> Self {
        let end = book.end.byte();
        let is_utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        let bytes = if is_utf16 { b"" } else { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) };
        let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == end).collect();
        let is_crlf = 2 * lines.iter().filter(|line| line.ends_with(b"\r\n")).count() > lines.len();
        let mut source = Self { lines, end, is_crlf, is_binary: false };
        if book.read_layout == Layout::Gnu {
            let listed = || book.files.iter().filter_map(|file| source.line(file.line?));
            let marked = listed().filter(|line| has_binary_mark(line)).count();
            source.is_binary = 2 * marked > listed().count();
        }
        source
    }

    /// The line with this number, with its ending.
    fn line(&self, number: usize) -> Option<&'b [u8]> {
        self.lines.get(number.checked_sub(1)?).copied()
    }

    /// A line without its ending.
    fn content<'l>(&self, line: &'l [u8]) -> &'l [u8] {
        let content = line.strip_suffix(&[self.end]).unwrap_or(line);
        if self.end == b'\n' { content.strip_suffix(b"\r").unwrap_or(content) } else { content }
    }

    /// Adds a line of the list. Only the last line of a list can have no ending.
    fn keep(&self, text: &mut Vec<u8>, line: &[u8]) {
        text.extend_from_slice(line);
        if !line.ends_with(&[self.end]) {
            self.write(text, &[self.end]);
        }
    }

    /// Adds new lines, with the line endings of the list.
    fn write(&self, text: &mut Vec<u8>, lines: &[u8]) {
        if !self.is_crlf {
            text.extend_from_slice(lines);
            return;
        }
        // Newlines in names are escaped.
        for line in lines.split_inclusive(|b| *b == b'\n') {
            match line.strip_suffix(b"\n") {
                Some(content) => text.extend([content, b"\r\n"].concat()),
                None => text.extend_from_slice(line),
            }
        }
    }
}

/// Returns true for a line `DIGEST *NAME`.
fn has_binary_mark(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.iter().position(|b| *b == b' ').is_some_and(|at| line.get(at + 1) == Some(&b'*'))
}

impl Tally {
    fn say(&self, prune: bool, dry_run: bool) {
        let Tally { added, changed, removed, missing, unchanged, not_examined, .. } = self;
        let gone = if prune { format!("{removed} removed") } else { format!("{missing} missing") };
        let others = if *not_examined > 0 { format!(", {not_examined} not examined") } else { String::new() };
        let nothing = if dry_run { " (dry run: nothing was written)" } else { "" };
        complain(&format_args!(
            "{added} added, {changed} changed, {gone}, {unchanged} unchanged{others}{nothing}"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_are_those_of_paths() {
        let parts = ["", ".", "..", "a", "/", "//", "./", ".a", "a.", "/."];
        for first in parts {
            for second in parts {
                for third in parts {
                    let name = OsString::from(format!("{first}{second}{third}"));
                    assert_eq!(*plain_name(&name), *plain(&name).into_os_string(), "{name:?}");
                }
            }
        }
    }
}
