//! `hashwell sum`: prints checksums.

use crate::commands::resume;
use crate::digests::digest::{Digests, digest_group, digest_legacy, is_small};
use crate::digests::engines::{Engines, choose};
use crate::digests::recipe::{Keying, Recipe};
use crate::inputs::names_from::names;
use crate::inputs::reading::{Help, Unreadable};
use crate::inputs::stamps;
use crate::inputs::walk::{Exclude, Input, Rules, Skipped, inputs};
use crate::options::args::SumOptions;
use crate::options::names::warning;
use crate::outputs::format::{Encoding, End, Layout, Style, digest_line, sri_prefix};
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::os::name_bytes;
use crate::system::parallel::{self, group_len, groups};
use crate::system::progress::{Progress, Summary};
use crate::system::report::{Failure, complain_of, note, write_bytes, write_line};
use crate::system::standard::identity_of_output;
use hashwell_checksums::formats::Writer;
use hashwell_checksums::stamp::Stamp;
use hashwell_checksums::{Choice, Legacy};
use std::ffi::OsString;
use std::mem;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub(crate) fn run(options: &SumOptions) -> Result<u8, Failure> {
    refuse_check_options(options)?;
    let below = [(options.dereference, "--dereference"), (!options.exclude.is_empty(), "--exclude")];
    refuse(
        &below.map(|(given, name)| (given && !options.recursive, name)),
        "is meaningful only with --recursive",
    )?;
    let choices = choices(options)?;
    let style = style(options, &choices)?;
    let exclude = Exclude::new(&options.exclude)?;
    let names = names(options)?;
    let keying = Keying::of(&options.parameters, &names)?;
    choices.iter().try_for_each(|choice| keying.check(*choice)).map_err(Failure::Usage)?;
    choices.iter().filter_map(|choice| warning(choice.algorithm)).for_each(|text| note(&text));
    let chosen = choose(&options.engine, &choices, |choice| keying.many(choice))?;
    let engines = Engines::ready(&chosen)?;
    let recipe = Recipe { choices: &choices, keying: &keying, engines: &engines };
    let (recursive, follow_links) = (options.recursive, options.dereference);
    let (output, jobs) = (identity_of_output(), options.jobs);
    let inputs = inputs(&names, Rules { recursive, follow_links, exclude: &exclude, output, jobs })?;
    if style.layout == Layout::Raw && inputs.len() != 1 {
        return Err(Failure::Usage("--raw requires exactly one file".to_owned()));
    }
    let jobs = parallel::jobs(options.jobs, inputs.len())?;
    let files = inputs.iter().filter_map(Input::file).count();
    let progress = Progress::of_files(inputs.iter().map(Input::size).sum(), files);
    let mut summary = Summary::begin(options.summary, options.recursive);
    let mut skipped = Skipped::default();
    let mut code = SUCCESS;
    let sfv = options.keep.format == Some(Writer::Sfv);
    let resumed = Mutex::new(resumed(options, &names, recipe, &progress)?);
    let work = |group: &&[Input]| {
        let names: Vec<&OsString> = group.iter().filter_map(Input::file).collect();
        if let Some(digests) = resumed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return vec![Ok(digests)];
        }
        if sfv {
            return names.iter().map(|name| digest_legacy(&[Legacy::Crc32], name, &progress)).collect();
        }
        digest_group(&names, recipe, Help::of(options.jobs), &progress)
    };
    // Write all lines of a group with one system call: a call for each line would take as long as hashing a small file.
    let write = |lines: &mut Vec<u8>| match &mem::take(lines)[..] {
        [] => Ok(()),
        digest if style.layout == Layout::Raw => progress.suspend(|| write_bytes(digest)),
        lines => progress.suspend(|| write_line(lines)),
    };
    let mut print = |lines: &mut Vec<u8>, input: &Input, digests| match (input, digests) {
        (Input::File(name, _), Some(Ok::<Digests, Unreadable>(digests))) => {
            summary.count(digests.size);
            let stamp = recorded(options, style, name, digests.size);
            if options.keep.times {
                lines.extend(style.comment(&stamp));
            }
            for (choice, digest) in choices.iter().zip(&digests.digests) {
                if let Layout::Other(writer) = style.layout
                    && let Err(refusal) = writer.line(*choice, digest, &name_bytes(name), digests.size)
                {
                    code = FAILURE;
                    write(lines)?;
                    progress.suspend(|| complain_of(name, &refusal));
                }
                lines.extend(digest_line(style, *choice, &keying, digest, name, &stamp));
            }
            Ok::<(), Failure>(())
        }
        (Input::File(name, _), Some(Err(unreadable))) => {
            code = FAILURE;
            write(lines)?;
            progress.suspend(|| complain_of(name, &unreadable.reason()));
            Ok(())
        }
        (Input::Refused(name, reason), _) => {
            code = FAILURE;
            write(lines)?;
            progress.suspend(|| complain_of(name, reason));
            Ok(())
        }
        (Input::Skipped(name, skip), _) => {
            skipped.add(name, *skip);
            Ok(())
        }
        (Input::File(..), None) => unreachable!("every file is worked on"),
    };
    if let Some(header) = options.keep.format.and_then(Writer::header) {
        write_line(header.as_bytes())?;
    }
    let groups = groups(&inputs, group_len(inputs.len(), jobs, recipe.side_by_side()), together);
    parallel::in_order(&groups, jobs, work, |group, digests| {
        let mut digests = digests.into_iter();
        let mut result = |input: &Input| input.file().and_then(|_| digests.next());
        let mut lines = Vec::new();
        group.iter().try_for_each(|input| print(&mut lines, input, result(input)))?;
        write(&mut lines)
    })?;
    drop(progress);
    if let Some(state) = &options.keep.resume
        && code == SUCCESS
    {
        resume::remove(state)?;
    }
    skipped.complain();
    summary.say();
    Ok(code)
}

/// The digests of the file that `--resume` hashes.
fn resumed(
    options: &SumOptions,
    names: &[OsString],
    recipe: Recipe<'_>,
    progress: &Progress,
) -> Result<Option<Digests>, Failure> {
    let Some(state) = &options.keep.resume else { return Ok(None) };
    let [name] = names else {
        return Err(Failure::Usage(format!("--resume requires exactly one file, not {}", names.len())));
    };
    if options.keep.format == Some(Writer::Sfv) {
        return Err(Failure::Usage("--resume cannot be used with --format sfv".to_owned()));
    }
    let every = Duration::from_secs(options.keep.resume_every.unwrap_or(10));
    resume::digests(name, state, every, recipe, Help::of(options.jobs), progress).map(Some)
}

/// The size and times of a file that its line contains. JSON always contains the time of modification.
fn recorded(options: &SumOptions, style: Style, name: &OsString, size: u64) -> Stamp {
    let size = Some(size);
    if !options.keep.times && style.layout != Layout::Json {
        return Stamp { size, ..Stamp::default() };
    }
    let stamp = stamps::of_name(name).unwrap_or_default();
    match options.keep.times {
        true => Stamp { size, recorded: Some(stamps::now()), ..stamp },
        false => Stamp { size, mtime: stamp.mtime, ..Stamp::default() },
    }
}

/// Returns true if neighbors may share a group.
fn together(a: &Input, b: &Input) -> bool {
    is_small(a.size()) && is_small(b.size())
}

/// The algorithms and lengths of `-a` and `-l`. The default is SHA-256.
pub(crate) fn choices(options: &SumOptions) -> Result<Vec<Choice>, Failure> {
    let default = ["sha256".to_owned()];
    let names = if options.algorithms.is_empty() { &default[..] } else { &options.algorithms };
    names.iter().map(|name| Choice::find(name, options.bits()).map_err(Failure::Usage)).collect()
}

fn style(options: &SumOptions, choices: &[Choice]) -> Result<Style, Failure> {
    let format = options.keep.format;
    if format.is_some_and(|format| format.is_untagged()) && choices.len() != 1 {
        let name = format.map_or("", Writer::name);
        return Err(Failure::Usage(format!("--format {name} requires exactly one algorithm")));
    }
    if format == Some(Writer::Sfv) && !options.algorithms.is_empty() {
        return Err(Failure::Usage(
            "--format sfv always writes CRC-32, so -a cannot be used with it".to_owned(),
        ));
    }
    if let Some(writer) = format {
        choices.iter().try_for_each(|choice| writer.check(*choice)).map_err(Failure::Usage)?;
        if options.keep.times && writer.comment().is_none() {
            let name = writer.name();
            return Err(Failure::Usage(format!(
                "--times writes comments, and the format {name} has no comments (use --format json, gnu or bsd)"
            )));
        }
        if options.base64 || options.zero || options.no_names || options.binary {
            let name = writer.name();
            return Err(Failure::Usage(format!(
                "--format {name} does not support --base64, --zero, --no-names or --binary"
            )));
        }
    }
    let layout = match options {
        _ if format.is_some() => match format {
            Some(Writer::Gnu) | None => Layout::Gnu,
            Some(Writer::Bsd) => Layout::Tag,
            Some(Writer::Json) => Layout::Json,
            Some(writer) => Layout::Other(writer),
        },
        SumOptions { raw: true, .. } => Layout::Raw,
        SumOptions { json: true, .. } => Layout::Json,
        SumOptions { sri: true, .. } => Layout::Sri,
        SumOptions { tag: true, text: true, .. } => {
            return Err(Failure::Usage("--tag does not support --text mode".to_owned()));
        }
        SumOptions { tag: true, .. } => Layout::Tag,
        SumOptions { no_names: true, .. } if choices.len() != 1 => {
            return Err(Failure::Usage("--no-names requires exactly one algorithm".to_owned()));
        }
        SumOptions { untagged: true, .. } if choices.len() != 1 => {
            return Err(Failure::Usage("--untagged requires exactly one algorithm".to_owned()));
        }
        // Untagged lines would not tell which algorithm each line belongs to.
        _ if choices.len() > 1 => Layout::Tag,
        _ => Layout::Gnu,
    };
    if layout == Layout::Raw && choices.len() != 1 {
        return Err(Failure::Usage("--raw requires exactly one algorithm".to_owned()));
    }
    if layout == Layout::Sri
        && let Some(choice) = choices.iter().find(|c| sri_prefix(**c).is_none())
    {
        let name = choice.algorithm.name;
        return Err(Failure::Usage(format!("--sri supports only sha256, sha384 and sha512, not {name}")));
    }
    Ok(Style {
        layout,
        names: !options.no_names,
        binary: options.binary,
        encoding: if options.base64 { Encoding::Base64 } else { Encoding::Hex },
        end: if options.zero { End::Nul } else { End::Newline },
    })
}

pub(crate) fn refuse_check_options(options: &SumOptions) -> Result<(), Failure> {
    let given = [
        (options.ignore_missing, "--ignore-missing"),
        (options.quiet, "--quiet"),
        (options.status, "--status"),
        (options.strict, "--strict"),
        (options.warn, "--warn"),
        (options.audit, "--audit"),
    ];
    refuse(&given, "is meaningful only when verifying checksums")
}

/// Fails for the first option that is given.
pub(crate) fn refuse(given: &[(bool, &str)], why: &str) -> Result<(), Failure> {
    match given.iter().find(|(given, _)| *given) {
        Some((_, name)) => Err(Failure::Usage(format!("the {name} option {why}"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digests::digest::SMALL;

    #[test]
    fn only_neighbouring_small_files_go_together() {
        let file = |size| Input::File("f".into(), size);
        let refused = || Input::Refused("r".into(), String::new());
        let small = || file(Some(10));
        let inputs = [
            small(),
            small(),
            small(),
            small(),
            refused(),
            small(),
            file(None),
            file(Some(0)),
            file(Some(SMALL)),
            small(),
            small(),
        ];
        let lens: Vec<usize> = groups(&inputs, 3, together).iter().map(|group| group.len()).collect();
        assert_eq!(lens, [3, 1, 1, 1, 1, 1, 1, 2]);
    }
}
