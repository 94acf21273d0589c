//! The `hashwell` command as a library, so that tests and fuzzers can reach its parts.
//!
//! Modules are listed from the bottom layer to the top: each folder uses only those above it in this list
//! (`dev/architecture.md`).
//!
//! ```text
//! options -> inputs: names, walk, reading, secrets -> digests: choice, recipe -> outputs: lines, tags
//!
//! commands: sum   -> walk -> inputs -> digest (one read, all algorithms) -> format -> stdout
//!           ids   -> steps through directories -> digest -> trees -> stdout
//!           check -> list (bytes of a check file -> entries) -> digest -> verdicts
//!           git   -> hashwell-git -> report
//!           speed -> hashwell-measure -> report
//!           sample | split -> rows -> samplers -> rows
//!           table | diff -> values -> bytes -> digests -> differences
//!           process -> a model -> values | laws | terms -> lines, pictures
//!           algorithms | xof | hmac | kmac | hkdf | timing-test | random | completions | man
//! ```
//!
//! Results go to standard output, with one write per line. Everything else goes to standard error, one line per
//! message. Nothing here ends the process.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod system;

mod options;

mod inputs;

mod digests;

mod outputs;

mod commands;

#[doc(hidden)]
pub use system::standard;

#[cfg(feature = "git")]
use commands::git;
use commands::{
    algorithms, check, devices, draw, hkdf, hmac, ids, kmac, lists, manual, outboard, process, random,
    research, sample, speed, sum, table, timing_test, verify, xof,
};
use options::args::{Command, Options};
use options::hints;
use options::later::Later;
use options::sha256_90r;
use system::exit::{BROKEN_PIPE, FAILURE, SUCCESS, USAGE};
use system::interrupt::interrupted;
use system::progress;
use system::report::{self, Failure, complain, write_line};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use std::ffi::OsString;

/// Runs the command line `argv` (program name first) and returns the exit code. Benchmarks start this program again as
/// a child process.
pub fn run(argv: impl IntoIterator<Item = OsString>) -> u8 {
    match try_run(argv.into_iter().collect()) {
        Ok(code) => code,
        Err(Failure::Usage(message)) => {
            complain(&message);
            USAGE
        }
        Err(Failure::Work(message)) => {
            complain(&message);
            FAILURE
        }
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => BROKEN_PIPE,
        Err(Failure::Output(error)) => {
            complain(&format!("write error: {}", report::reason(&error)));
            FAILURE
        }
        Err(Failure::Interrupted) => interrupted(),
    }
}

fn try_run(argv: Vec<OsString>) -> Result<u8, Failure> {
    // `speed` starts this program with a hidden argument, which help and completions do not show.
    if argv.get(1).is_some_and(|command| command == hashwell_measure::engine::ARGUMENT) {
        force_kernel(false)?;
        return speed::serve();
    }
    // The command `help` of clap has no options: `help --help` prints the help of the program.
    let help_of_help = argv.len() == 3 && argv[1] == "help" && (argv[2] == "--help" || argv[2] == "-h");
    let understood = if help_of_help { &argv[..2] } else { &argv[..] };
    let options = match Options::try_parse_from(understood) {
        Ok(options) => options,
        Err(error) if !error.use_stderr() => {
            write_line(error.render().to_string().as_bytes())?;
            return Ok(SUCCESS);
        }
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            report::explain(&error.render().to_string());
            return Ok(USAGE);
        }
        Err(error) => return Err(Failure::Usage(explanation(&error, &argv))),
    };
    progress::hide(options.no_progress);
    force_kernel(true)?;
    sha256_90r::read_environment(match &options.command {
        Command::Sum(Later(options)) => options.engine.option(),
        _ => None,
    })?;
    hashwell_draw::hwdraw::beacon::verify_signatures();
    match options.command {
        Command::Sum(Later(mut options)) => {
            match lists::prepare(&mut options).map(|()| lists::task(&options))? {
                lists::Task::Compare => lists::compare(&options),
                lists::Task::FindDuplicates => lists::duplicates(&options),
                lists::Task::Bag => lists::bag(&options),
                lists::Task::Update(list) => lists::update(list, &options),
                lists::Task::Check => check::run(&options),
                lists::Task::Expect(digest) => check::expect(digest, &options),
                lists::Task::Identify(kind) => ids::run(kind, &options),
                lists::Task::Trees => outboard::run(&options),
                lists::Task::Print => sum::run(&options),
            }
        }
        Command::Algorithms(Later(options)) => algorithms::run(&options),
        Command::Xof(Later(options)) => xof::run(&options),
        Command::Hmac(Later(options)) => hmac::run(&options),
        Command::Kmac(Later(options)) => kmac::run(&options),
        Command::Hkdf(Later(options)) => hkdf::run(&options),
        Command::Random(Later(options)) => random::run(&options),
        Command::Sample(Later(options)) => sample::run(&options),
        Command::Split(Later(options)) => sample::split(&options),
        Command::Table(Later(options)) => table::run(&options),
        Command::Diff(Later(options)) => table::compare(&options),
        Command::Draw(Later(options)) => draw::run(&options),
        Command::Verify(Later(options)) => verify::run(&options),
        Command::Process(Later(options)) => process::run(&options),
        #[cfg(feature = "git")]
        Command::Git(Later(options)) => git::run(&options, &argv),
        Command::Speed(Later(options)) => speed::run(&options, &argv),
        Command::Research(Later(options)) => research::run(&options),
        Command::Devices(Later(options)) => devices::run(&options),
        Command::TimingTest(Later(options)) => timing_test::run(&options),
        Command::Completions(Later(options)) => {
            let mut text = Vec::new();
            clap_complete::generate(options.shell, &mut Options::command(), "hashwell", &mut text);
            write_line(&text)?;
            Ok(SUCCESS)
        }
        Command::Man(Later(options)) => manual::run(&options),
    }
}

/// Turns an error of clap, which has several lines, into one line: the error, a suggestion, and the option for help.
fn explanation(error: &clap::Error, argv: &[OsString]) -> String {
    let text = error.render().to_string();
    // The lines before the first empty one describe the error.
    let wrong: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let wrong = wrong.join(" ");
    let wrong = plain_words(wrong.strip_prefix("error: ").unwrap_or(&wrong));
    let suggested =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let meant = suggested.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name),
        ContextValue::Strings(names) => names.first(),
        _ => None,
    });
    let meant = meant.map(|name| format!("did you mean '{name}'?"));
    // The subcommands that the command line names.
    let (mut command, mut page) = (Options::command(), "hashwell".to_owned());
    command.build();
    for name in argv.iter().skip(1).map_while(|name| name.to_str()) {
        let Some(found) = command.find_subcommand(name) else { break };
        (page, command) = (format!("{page} {name}"), found.clone());
    }
    let (wrong, meant) = match (error.get(ContextKind::InvalidSubcommand), error.get(ContextKind::InvalidArg))
    {
        (Some(ContextValue::String(name)), _) if page == "hashwell" => {
            (format!("unknown command '{name}'"), hints::instead_of_command(name).or(meant))
        }
        (Some(ContextValue::String(name)), _) => {
            let kind = if page == "hashwell process" { "process" } else { "command" };
            let near = hints::nearest(name, command.get_subcommands().map(clap::Command::get_name));
            (format!("unknown {kind} '{name}'"), near.map(|name| format!("did you mean '{name}'?")).or(meant))
        }
        (_, Some(ContextValue::String(option))) => {
            let known =
                page.strip_prefix("hashwell ").and_then(|page| hints::instead_of_option(page, option));
            (wrong, known.map(str::to_owned).or(meant))
        }
        _ => (wrong, meant),
    };
    let meant = meant.map_or_else(String::new, |meant| {
        let mark = if meant.ends_with('?') { "" } else { ";" };
        format!("{meant}{mark} ")
    });
    format!("{wrong} ({meant}see '{page} --help')")
}

/// Replaces reasons that contain Rust syntax, such as `0 is not in 1..=256`.
fn plain_words(wrong: &str) -> String {
    let Some((value, reason)) = wrong.rsplit_once(": ") else { return wrong.to_owned() };
    let reason = match reason.split_once(" is not in ").and_then(|(_, range)| range_of(range)) {
        Some((first, Some(last))) => format!("it must be {first} to {last}"),
        Some((first, None)) => format!("it must be at least {first}"),
        None => match reason {
            "number too large to fit in target type" => "the number is too large",
            "number too small to fit in target type" => "the number is too small",
            "invalid digit found in string" | "cannot parse integer from empty string" => {
                "expected an integer"
            }
            "invalid float literal" | "cannot parse float from empty string" => "expected a number",
            reason => reason,
        }
        .to_owned(),
    };
    format!("{value}: {reason}")
}

/// The first and last number of a range in Rust's form. The last one is `None` if it is the largest number of its type.
fn range_of(range: &str) -> Option<(i128, Option<i128>)> {
    let (first, last) = range.split_once("..")?;
    let last = match last.strip_prefix('=') {
        _ if last.is_empty() => None,
        Some(last) => Some(last.parse().ok()?),
        None => Some(last.parse::<i128>().ok()? - 1),
    };
    let is_limit = |last: &i128| *last >= i128::from(i64::MAX) - 1;
    Some((first.parse().ok()?, last.filter(|last| !is_limit(last))))
}

/// Applies `HASHWELL_KERNEL`, which selects the kernel for the whole process. A name of the SHA256-90R project is
/// accepted, with a note if `tell` is true.
fn force_kernel(tell: bool) -> Result<(), Failure> {
    let Some(name) = std::env::var_os("HASHWELL_KERNEL").filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let given = name.to_string_lossy();
    let name = sha256_90r::kernel_name(&given).unwrap_or(&given);
    if tell && name != given {
        complain(&format_args!("HASHWELL_KERNEL={given}: same as HASHWELL_KERNEL={name}"));
    }
    hashwell::force_kernel(name).map_err(|error| {
        Failure::Usage(format!(
            "HASHWELL_KERNEL: {error} (known kernels: {})",
            hashwell::kernels().join(", ")
        ))
    })
}
