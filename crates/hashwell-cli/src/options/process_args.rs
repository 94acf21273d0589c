//! Options of `process`: a subcommand for each entry of the registry of processes, with its parameters as options.

use crate::options::bytes::output_file;
use crate::options::help::{brief, full};
use crate::options::names::Names;
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand, ValueHint};
use hashwell_draw::process::Run;
use hashwell_draw::process::registry::{Kind, ModelEntry, PROCESSES, Parameter, find};
use std::ffi::OsString;
use std::path::PathBuf;

const PROCESS_EXAMPLES: &str =
    "  hashwell process crp --n 10 --alpha 1.5 --seed 7            one random value
  hashwell process geometric --p 0.25 --exact --mass 0.01     its exact distribution";

const PROCESS_DETAILS: &str = "Without the name of a process, hashwell prints a list of all processes. hashwell process NAME --help describes \
    the distribution, parameters, cost and source of one of them.\n\n\
    A seed gives the same value on every machine. Without one, the operating system chooses a seed, which is printed so \
    that you can repeat the run. --replicates N runs the process N times; the value of replicate J \
    depends only on J and the seed, not on the number of replicates or threads.\n\n\
    Exit codes: 0 success; 1 the process failed, exceeded the limit of states or steps, or output could not be \
    written; 2 usage error; 130 stopped by Ctrl-C (143 by SIGTERM, 129 by SIGHUP), after the last complete line.";

/// Simulate a stochastic process or compute its exact distribution.
#[derive(Args, Debug)]
#[command(
    after_help = brief("process", PROCESS_EXAMPLES),
    after_long_help = full("process", PROCESS_DETAILS, PROCESS_EXAMPLES)
)]
pub(crate) struct ProcessOptions {
    #[command(subcommand)]
    pub(crate) process: Option<ChosenProcess>,
}

/// A process by name, its parameters, and what to compute.
#[derive(Debug)]
pub(crate) struct ChosenProcess {
    pub(crate) row: &'static ModelEntry,
    /// The given parameters, as text.
    pub(crate) given: Vec<(&'static str, String)>,
    pub(crate) encoding: Option<String>,
    pub(crate) asked: Asked,
}

/// Options of every process.
#[derive(Args, Debug)]
#[command(
    group(clap::ArgGroup::new("seeds").args(["seed", "seed_hex"])),
    group(clap::ArgGroup::new("questions").args(["exact", "posterior", "trace", "score", "explain"]))
)]
pub(crate) struct Asked {
    /// Seed as text [default: a random seed, which is printed]
    #[arg(help_heading = "Randomness", long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub(crate) seed: Option<String>,
    /// Seed in hexadecimal
    #[arg(help_heading = "Randomness", long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) seed_hex: Option<String>,
    /// Random generator that uses the seed
    #[arg(help_heading = "Randomness", hide_short_help = true, long, value_name = "NAME", default_value = Run::SOURCE, value_parser = Names::process_sources())]
    #[arg(hide_possible_values = true)]
    pub(crate) source: String,

    /// Simulate N replicates, one per line
    #[arg(help_heading = "Computation", long, value_name = "N", conflicts_with_all = ["posterior", "trace", "score", "explain"])]
    pub(crate) replicates: Option<u64>,
    /// With --replicates: number of the first replicate
    #[arg(
        help_heading = "Computation",
        hide_short_help = true,
        long,
        value_name = "J",
        default_value_t = 0,
        requires = "replicates"
    )]
    pub(crate) first: u64,
    /// With --replicates: also print the weight of each replicate (the probability of the observations) and the effective
    /// sample size
    #[arg(help_heading = "Computation", hide_short_help = true, long, requires = "replicates", conflicts_with_all = ["exact", "svg"])]
    pub(crate) weights: bool,
    /// With --replicates: number of threads, 1 to 256; results do not depend on it [default: one per core]
    #[arg(help_heading = "Computation", hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), requires = "replicates")]
    pub(crate) threads: Option<u16>,

    /// Print the exact distribution: every outcome with its probability, and the probability that was not assigned to
    /// an outcome
    #[arg(help_heading = "Computation", long)]
    pub(crate) exact: bool,
    /// With --exact: print the distribution of the summary statistic (see 'hashwell process NAME --help') instead of
    /// the distribution of the value
    #[arg(help_heading = "Computation", long, requires = "exact")]
    pub(crate) summary: bool,
    /// Print the probabilities of the hidden states at each time, given all observations
    #[arg(help_heading = "Computation", long)]
    pub(crate) posterior: bool,
    /// With --exact: stop when the probability that is not yet assigned to an outcome is at most MASS (0 to 1)
    #[arg(help_heading = "Computation", hide_short_help = true, long, value_name = "MASS", default_value = "1e-12", value_parser = mass, requires = "exact")]
    pub(crate) mass: f64,
    /// With --exact: maximum number of states and outcomes in memory
    #[arg(help_heading = "Computation", hide_short_help = true, long, value_name = "N", default_value_t = 1 << 22, requires = "exact")]
    pub(crate) states: usize,
    /// Maximum number of steps of a run, or of --exact; with --explain, number of steps to show [default: 2^40, with
    /// --exact 2^20, with --explain 4]
    #[arg(help_heading = "Computation", hide_short_help = true, long, value_name = "N")]
    pub(crate) steps: Option<u64>,

    /// Print every random choice of a run: its distribution and its outcome
    #[arg(help_heading = "Computation", long)]
    pub(crate) trace: bool,
    /// Print the probability of the run in FILE, written by --trace --json; - is standard input
    #[arg(help_heading = "Computation", hide_short_help = true, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) score: Option<OsString>,
    /// Print the tree of random choices
    #[arg(help_heading = "Computation", hide_short_help = true, long)]
    pub(crate) explain: bool,

    /// Print JSON (with --replicates, one value per line); infinite numbers are written as strings
    #[arg(help_heading = "Output format", long, conflicts_with = "explain")]
    pub(crate) json: bool,
    /// Print comma-separated values with a header
    #[arg(help_heading = "Output format", long, conflicts_with_all = ["json", "trace", "score", "explain"])]
    pub(crate) csv: bool,
    /// Write an SVG plot of the value, the replicates, the exact distribution (compared with the replicates, if there are
    /// any) or the tree of random choices
    #[arg(help_heading = "Output format", long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["trace", "score"])]
    #[arg(value_parser = output_file())]
    pub(crate) svg: Option<PathBuf>,
}

/// Parses the probability that an enumeration may leave unassigned (`--mass`).
fn mass(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(mass) if (0.0..=1.0).contains(&mass) => Ok(mass),
        _ => Err("must be a number from 0 to 1".to_owned()),
    }
}

impl FromArgMatches for ChosenProcess {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let missing = || Error::new(ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let row = find(name).map_err(|_| missing())?;
        let text = |parameter: &Parameter| matches.get_one::<String>(&id(parameter)).cloned();
        let given = row.parameters.iter().filter_map(|parameter| Some((parameter.name, text(parameter)?)));
        let encoding = matches.try_get_one::<String>(ENCODING).ok().flatten().cloned();
        Ok(Self { row, given: given.collect(), encoding, asked: Asked::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for ChosenProcess {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(PROCESSES.iter().map(|row| subcommand(row)))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        find(name).is_ok()
    }
}

/// Heading of the options that only one process has.
pub(crate) const PARAMETERS: &str = "Parameters";

const ENCODING: &str = "encoding";

/// Returns an ID that differs from those of the options that all processes have.
fn id(parameter: &Parameter) -> String {
    format!("parameter-{}", parameter.name)
}

fn subcommand(row: &'static ModelEntry) -> Command {
    Command::new(row.name).about(row.title).defer(define)
}

/// Defines the options of a process once it is used.
fn define(command: Command) -> Command {
    let row = find(command.get_name()).expect("each subcommand is a process");
    let mut command = command.next_help_heading(PARAMETERS);
    command = command.args(row.parameters.iter().map(parameter));
    if let [first, _, ..] = row.encodings {
        let help = format!(
            "Method that generates the values; all methods have the same distribution [default: {first}]"
        );
        let values = PossibleValuesParser::new(row.encodings.iter().copied());
        command =
            command.arg(Arg::new(ENCODING).long(ENCODING).value_name("NAME").help(help).value_parser(values));
    }
    let command = Asked::augment_args(command.next_help_heading(None::<&str>));
    // Set last: flattened options would override the summary.
    command
        .about(row.title)
        .long_about(None::<&str>)
        .after_help(about(row, false))
        .after_long_help(about(row, true))
}

fn parameter(parameter: &'static Parameter) -> Arg {
    let default = parameter.default.map_or_else(String::new, |text| format!(" [default: {text}]"));
    let file = match parameter.kind {
        Kind::Numbers | Kind::Wholes | Kind::Matrix => " (@FILE reads them from a file)",
        Kind::Number | Kind::Whole => "",
    };
    let symbol = if parameter.symbol == parameter.name { "" } else { parameter.symbol };
    let symbol = if symbol.is_empty() { String::new() } else { format!(" ({symbol})") };
    let help = format!("{}{symbol}: {}{file}{default}", capital(parameter.help), parameter.range);
    let mut arg = Arg::new(id(parameter)).long(parameter.name).help(help);
    if parameter.name.len() == 1 {
        arg = arg.short(parameter.name.chars().next());
    }
    arg.value_name(parameter.name.to_uppercase()).value_hint(ValueHint::Other).allow_hyphen_values(true)
}

/// Returns the text after the options of a process: its distribution, and with `all` its cost and source.
fn about(row: &ModelEntry, all: bool) -> String {
    let mut text = format!("Distribution: {}.", row.distribution);
    if !all {
        return format!(
            "{text}\n\nAll options: hashwell process {} --help. Manual: hashwell man process",
            row.name
        );
    }
    if !row.statistic.is_empty() {
        text += &format!("\n\nStatistic (--summary): {}.", row.statistic);
    }
    text + &format!("\n\nCost: {}.\n\nSource: {}.", row.cost, row.source)
}

/// Returns the text with a capital letter at the start.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
