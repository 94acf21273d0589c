//! `hashwell sum`: prints checksums.

use crate::digests::digest::{Digests, digest_group, is_small};
use crate::digests::engines::{Engines, choose};
use crate::digests::recipe::{Keying, Recipe};
use crate::inputs::reading::names;
use crate::inputs::reading::{Help, Unreadable};
use crate::inputs::walk::{Exclude, Input, Rules, Skipped, inputs};
use crate::options::args::SumOptions;
use crate::options::names::warning;
use crate::outputs::format::{Encoding, End, Layout, Style, digest_line, sri_prefix};
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::os::identity_of_output;
use crate::system::parallel::{self, group_len, groups};
use crate::system::progress::{Progress, Summary};
use crate::system::report::{Failure, complain_of, note, write_bytes, write_line};
use hashwell_checksums::Choice;
use std::ffi::OsString;
use std::mem;

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
    let names = names(&options.files);
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
    let work = |group: &&[Input]| {
        let names: Vec<&OsString> = group.iter().filter_map(Input::file).collect();
        digest_group(&names, recipe, Help::of(options.jobs), &progress)
    };
    // The lines of a group are there at once, and go out at once: each call of the system's costs what a small digest does.
    let write = |lines: &mut Vec<u8>| match &mem::take(lines)[..] {
        [] => Ok(()),
        digest if style.layout == Layout::Raw => progress.suspend(|| write_bytes(digest)),
        lines => progress.suspend(|| write_line(lines)),
    };
    let mut print = |lines: &mut Vec<u8>, input: &Input, digests| match (input, digests) {
        (Input::File(name, _), Some(Ok::<Digests, Unreadable>(digests))) => {
            summary.count(digests.size);
            let digests_of = choices.iter().zip(&digests.digests);
            lines.extend(digests_of.flat_map(|(choice, digest)| {
                digest_line(style, *choice, &keying, digest, name, digests.size)
            }));
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
    let groups = groups(&inputs, group_len(inputs.len(), jobs, recipe.side_by_side()), together);
    parallel::in_order(&groups, jobs, work, |group, digests| {
        let mut digests = digests.into_iter();
        let mut result = |input: &Input| input.file().and_then(|_| digests.next());
        let mut lines = Vec::new();
        group.iter().try_for_each(|input| print(&mut lines, input, result(input)))?;
        write(&mut lines)
    })?;
    drop(progress);
    skipped.complain();
    summary.say();
    Ok(code)
}

/// Whether neighbours may share a group.
fn together(a: &Input, b: &Input) -> bool {
    is_small(a.size()) && is_small(b.size())
}

/// What `-a` and `-l` say; SHA-256 if nothing.
fn choices(options: &SumOptions) -> Result<Vec<Choice>, Failure> {
    let default = ["sha256".to_owned()];
    let names = if options.algorithms.is_empty() { &default[..] } else { &options.algorithms };
    names.iter().map(|name| Choice::find(name, options.bits()).map_err(Failure::Usage)).collect()
}

fn style(options: &SumOptions, choices: &[Choice]) -> Result<Style, Failure> {
    let layout = match options {
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
        // Untagged lines would not say which algorithm each is of.
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

fn refuse_check_options(options: &SumOptions) -> Result<(), Failure> {
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
