//! The `hashwell` command as a library, so that the native binary and Python run the same code.
//!
//! ```text
//! args -> sum   -> walk -> inputs -> digest (one read, all algorithms) -> format -> stdout
//!      -> ids   -> steps through directories -> digest -> trees -> stdout
//!      -> check -> list (bytes of a check file -> entries) -> digest -> verdicts
//!      -> git   -> objects of a repository -> times and sizes -> report
//!      -> speed -> hashwell-measure -> report
//!      -> algorithms | xof | hmac | leak | random | completions | man
//! ```
//!
//! Results go to standard output, one write a line; everything else goes to standard error, one line
//! each. Nothing here ends the process.
#![forbid(unsafe_code)]

mod algorithms;
mod args;
mod check;
mod choice;
mod digest;
mod format;
#[cfg(feature = "git")]
mod git;
mod hmac;
mod ids;
mod interrupt;
mod leak;
#[doc(hidden)]
pub mod list;
mod output;
mod parallel;
mod progress;
mod random;
#[cfg_attr(not(feature = "git"), allow(dead_code))] // only reading in pieces is for `git` alone
mod regular;
mod report;
mod speed;
mod sum;
mod walk;
mod xof;

use args::{Command, Options};
pub use hashwell_measure::child::Launcher;
pub use hashwell_measure::render::Format;
pub use hashwell_measure::tables::Options as Shown;
pub use speed::render_report;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use report::{Failure, complain, write_line};
use std::ffi::OsString;

/// Exit code: everything asked for was done and found right.
const SUCCESS: u8 = 0;
/// Exit code: a file could not be read, a checksum is wrong, output could not be written.
const FAILURE: u8 = 1;
/// Exit code: the command line makes no sense.
const USAGE: u8 = 2;
/// Exit code of `leak`: it cannot be told.
const INCONCLUSIVE: u8 = 3;
/// Exit code of a process that a closed pipe ended, as shells show it.
const BROKEN_PIPE: u8 = 141;

/// Runs the command line `argv` (program name first) and returns the exit code. `again` is the program that starts
/// this command, with the arguments that come before the command's own.
pub fn run(argv: impl IntoIterator<Item = OsString>, again: &Launcher) -> u8 {
    match try_run(argv.into_iter().collect(), again) {
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
    }
}

fn try_run(argv: Vec<OsString>, again: &Launcher) -> Result<u8, Failure> {
    let options = match Options::try_parse_from(&argv) {
        Ok(options) => options,
        Err(error) if !error.use_stderr() => {
            write_line(error.render().to_string().as_bytes())?;
            return Ok(SUCCESS);
        }
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            report::explain(&error.render().to_string());
            return Ok(USAGE);
        }
        // clap explains over many lines; those before the first blank one say what is wrong.
        Err(error) => {
            let text = error.render().to_string();
            let wrong: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
            let wrong = wrong.join(" ");
            let wrong = wrong.strip_prefix("error: ").unwrap_or(&wrong);
            return Err(Failure::Usage(format!("{wrong} (see 'hashwell --help')")));
        }
    };
    force_backend()?;
    match options.command {
        Command::Sum(options) if options.check => check::run(&options),
        Command::Sum(options) => match ids::Kind::of(&options) {
            Some(kind) => ids::run(kind, &options),
            None => sum::run(&options),
        },
        Command::Algorithms(options) => algorithms::run(&options),
        Command::Xof(options) => xof::run(&options),
        Command::Hmac(options) => hmac::run(&options),
        Command::Random(options) => random::run(&options),
        #[cfg(feature = "git")]
        Command::Git(options) => git::run(&options, &argv),
        Command::Speed(options) => speed::run(&options, &argv, again),
        Command::MeasureChild => speed::serve(),
        Command::Leak(options) => leak::run(&options),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Options::command(), "hashwell", &mut text);
            write_line(&text)?;
            Ok(SUCCESS)
        }
        Command::Man => {
            write_line(&man_page().map_err(Failure::Output)?)?;
            Ok(SUCCESS)
        }
    }
}

/// `HASHWELL_BACKEND` fixes the kernel for the whole process.
fn force_backend() -> Result<(), Failure> {
    let Some(name) = std::env::var_os("HASHWELL_BACKEND").filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let name = name.to_string_lossy();
    hashwell::force_backend(&name).map_err(|error| {
        Failure::Usage(format!("HASHWELL_BACKEND: {error}; known: {}", hashwell::backends().join(", ")))
    })
}

/// One page: the command, then each subcommand.
fn man_page() -> std::io::Result<Vec<u8>> {
    let command = Options::command();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for subcommand in command.get_subcommands().filter(|c| c.get_name() != "help" && !c.is_hide_set()) {
        let name = format!("hashwell {}", subcommand.get_name());
        let man = clap_mangen::Man::new(subcommand.clone().bin_name(&name).display_name(&name));
        page.extend(format!(".SH \"{}\"\n", name.to_uppercase()).as_bytes());
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
        man.render_extra_section(&mut page)?;
    }
    Ok(page)
}
