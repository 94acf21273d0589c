//! Chooses the task of `hashwell sum`: printing, checking, updating or comparing.

mod bag;
mod compare;
mod lock;
mod update;

use crate::commands::ids::kind::Kind;
use crate::commands::sum::refuse;
use crate::inputs::reading::{is_stdin, read_directly};
use crate::options::args::SumOptions;
use crate::system::rate;
use crate::system::report::{Failure, printable, reason};
use std::ffi::OsString;
use std::path::{PathBuf, absolute};

pub(crate) use bag::run as bag;
pub(crate) use compare::{compare, duplicates};
pub(crate) use update::run as update;

/// The task that the options choose.
pub(crate) enum Task<'o> {
    /// Check lists.
    Check,
    /// Update a list.
    Update(&'o OsString),
    /// Compare files with a digest.
    Expect(&'o str),
    /// Compare two lists.
    Compare,
    /// Find files with the same content.
    FindDuplicates,
    /// Make or check bags.
    Bag,
    /// Write the outboard trees of files, or locate damage with them.
    Trees,
    /// Print identifiers.
    Identify(Kind),
    /// Print digests.
    Print,
}

/// The task of these options.
pub(crate) fn task(options: &SumOptions) -> Task<'_> {
    let keep = &options.keep;
    if let Some(list) = &keep.update {
        return Task::Update(list);
    }
    match (&keep.expect, Kind::of(options)) {
        _ if options.ranges.is_task() => Task::Trees,
        _ if keep.compare => Task::Compare,
        _ if keep.duplicates => Task::FindDuplicates,
        _ if keep.bagit => Task::Bag,
        (Some(digest), _) => Task::Expect(digest),
        _ if options.check || keep.asks_for_names() => Task::Check,
        (_, Some(kind)) => Task::Identify(kind),
        _ => Task::Print,
    }
}

impl Task<'_> {
    /// The option that chooses the task. Without one, digests are printed.
    fn option(&self, options: &SumOptions) -> &'static str {
        match self {
            Task::Check => {
                ["-c", "--missing, --new or --changed-only"][usize::from(options.keep.asks_for_names())]
            }
            Task::Update(_) => "--update",
            Task::Expect(_) => "--expect",
            Task::Compare => "--compare",
            Task::FindDuplicates => "--duplicates",
            Task::Bag => "--bagit",
            Task::Trees => options.ranges.task(),
            Task::Identify(kind) => kind.option(),
            Task::Print => "sum",
        }
    }

    /// The identifiers of the options that have no effect on the task, except those that its own code refuses.
    fn ignored(&self, options: &SumOptions) -> Vec<&'static str> {
        let groups: &[&[&str]] = match self {
            Task::Check if options.keep.asks_for_names() => {
                &[&["ignore_missing", "times", "format"], &DEVICES]
            }
            Task::Check if Kind::of(options).is_some() => &[&DEVICES],
            Task::Update(_) => &[&NAMES_ONLY],
            Task::Expect(_) => &[&["audit", "recursive"], &WALK, &NAMES_ONLY, &LINES],
            Task::Compare => &[
                &["algorithms", "quiet", "recursive", "directory"],
                &WALK,
                &LENGTH,
                &RESULTS,
                &NAMES_ONLY,
                &KEYS,
            ],
            Task::FindDuplicates => &[&["quiet", "status"], &RESULTS, &NAMES_ONLY],
            Task::Bag => {
                &[&["json"], &WALK, &LENGTH, &RESULTS, &NAMES_ONLY, &LINES, &KEYS, &DEVICES, &FILES_FROM]
            }
            Task::Trees => &[&DEVICES],
            Task::Identify(_) => &[&DEVICES, &FILES_FROM],
            Task::Check | Task::Print => &[],
        };
        groups.concat()
    }
}

const DEVICES: [&str; 2] = ["device", "mode"];
const FILES_FROM: [&str; 2] = ["files_from", "files0_from"];
const KEYS: [&str; 4] = ["keyed", "key_file", "key_hex", "key_env"];
const LENGTH: [&str; 2] = ["length", "length_bytes"];
const LINES: [&str; 12] = [
    "tag", "untagged", "binary", "text", "zero", "base64", "sri", "raw", "no_names", "times", "format",
    "summary",
];
const NAMES_ONLY: [&str; 3] = ["missing", "new", "changed_only"];
const RESULTS: [&str; 4] = ["ignore_missing", "strict", "warn", "audit"];
const WALK: [&str; 2] = ["dereference", "exclude"];

/// Options that have an effect only with one of the other options. clap's `requires` doesn't ensure this: if a third
/// option is given that conflicts with the required option, clap accepts that the required option is missing.
const NEEDS: [(&str, &[&str]); 10] = [
    ("prune", &["update"]),
    ("dry_run", &["update"]),
    ("accept", &["update"]),
    ("resume_every", &["resume"]),
    ("go_h1_prefix", &["go_h1"]),
    ("nar_format", &["nar"]),
    ("to", &["slice", "decode_slice"]),
    ("tree", &["outboard", "locate", "slice"]),
    ("group", &["outboard", "decode_slice"]),
    ("root", &["locate", "slice", "decode_slice"]),
];

/// Fails for an option that has no effect on the task.
fn refuse_without_effect(options: &SumOptions) -> Result<(), Failure> {
    let option = |id: &str| match id {
        "algorithms" => "--algorithm".to_owned(),
        id => format!("--{}", id.replace('_', "-")),
    };
    let given = |id: &str| options.given.has(id);
    for (id, others) in NEEDS.into_iter().filter(|(id, _)| given(id)) {
        if !others.iter().any(|other| given(other)) {
            let others: Vec<String> = others.iter().map(|other| option(other)).collect();
            return Err(Failure::Usage(format!("{} requires {}", option(id), others.join(" or "))));
        }
    }
    let task = task(options);
    let parameter = match task {
        Task::Compare | Task::Bag => {
            options.parameters.table.0.first().map(|(row, _)| format!("--{}", row.option))
        }
        _ => None,
    };
    let ignored = task.ignored(options).into_iter().find(|id| given(id)).map(option);
    match ignored.or(parameter) {
        Some(name) => Err(Failure::Usage(format!("{name} has no effect with {}", task.option(options)))),
        None => Ok(()),
    }
}

/// Fails for an option about lines or devices that a task would ignore. `task`: its option. `prints`: the description
/// of its output. `allowed`: the options that have an effect.
fn refuse_ignored(options: &SumOptions, task: &str, prints: &str, allowed: &[&str]) -> Result<(), Failure> {
    let format = options.keep.format.map(|format| format!("--format {}", format.name()));
    let given = [
        (options.tag, "--tag"),
        (options.untagged, "--untagged"),
        (options.binary, "--binary"),
        (options.text, "--text"),
        (options.zero, "--zero"),
        (options.base64, "--base64"),
        (options.sri, "--sri"),
        (options.json, "--json"),
        (options.raw, "--raw"),
        (options.no_names, "--no-names"),
        (options.keep.times, "--times"),
        (options.summary, "--summary"),
        (format.is_some(), format.as_deref().unwrap_or_default()),
    ];
    if let Some((_, name)) = given.iter().find(|(given, name)| *given && !allowed.contains(name)) {
        return Err(Failure::Usage(format!("{task} {prints}, so {name} cannot be used with it")));
    }
    match options.engine.option() {
        Some(name) => {
            Err(Failure::Usage(format!("{task} hashes on the CPU, so {name} cannot be used with it")))
        }
        None => Ok(()),
    }
}

/// Sets how the whole process reads files, and changes to the folder of `-C`. The FILEs and the names in lists are
/// relative to that folder. The names of lists and other files in options are relative to the folder in which the
/// command was started, so they are made absolute.
///
/// # Errors
/// Returns [`Failure`] if there is no such folder, or if the system does not support `--direct`.
pub(crate) fn prepare(options: &mut SumOptions) -> Result<(), Failure> {
    refuse_without_effect(options)?;
    let keep = &mut options.keep;
    rate::limit(keep.rate.unwrap_or(0));
    if keep.direct {
        if !cfg!(target_os = "linux") {
            return Err(Failure::Usage("--direct is supported only on Linux".to_owned()));
        }
        read_directly();
    }
    let names = [
        (keep.relative, "--relative"),
        (keep.basename, "--basename"),
        (keep.strip_prefix.is_some(), "--strip-prefix"),
    ];
    if matches!(task(options), Task::Check) {
        return Ok(());
    }
    refuse(&names, "is meaningful only when verifying checksums")?;
    let keep = &mut options.keep;
    // Afterwards, names are relative to the working folder.
    let Some(folder) = keep.directory.take() else { return Ok(()) };
    let ranges = &mut options.ranges;
    let lists =
        [&mut keep.update, &mut keep.files_from, &mut keep.files0_from, &mut ranges.tree, &mut ranges.to];
    for name in lists.into_iter().flatten().filter(|name| !is_stdin(name)) {
        *name = absolute(&*name).map_or_else(|_| name.clone(), PathBuf::into_os_string);
    }
    let key_file = options.parameters.key.as_mut().and_then(|key| key.key_file.as_mut());
    for path in keep.resume.as_mut().into_iter().chain(key_file).filter(|path| !is_stdin(path.as_os_str())) {
        *path = absolute(&*path).unwrap_or_else(|_| path.clone());
    }
    std::env::set_current_dir(&folder)
        .map_err(|error| Failure::Work(format!("{}: {}", printable(folder.as_os_str()), reason(&error))))
}
