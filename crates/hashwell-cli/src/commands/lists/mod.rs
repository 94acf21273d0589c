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

/// Fails for an option about lines or devices that a task would ignore. `task`: its option. `prints`: what it prints.
/// `allowed`: the options that have an effect.
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
/// relative to it. The names of lists and other files that options have are relative to the folder in which the command
/// was started, so they become absolute.
///
/// # Errors
/// Returns [`Failure`] if there is no such folder, or if the system cannot read from the medium.
pub(crate) fn prepare(options: &mut SumOptions) -> Result<(), Failure> {
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
    let Some(folder) = &keep.directory else { return Ok(()) };
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
    std::env::set_current_dir(folder)
        .map_err(|error| Failure::Work(format!("{}: {}", printable(folder.as_os_str()), reason(&error))))
}
