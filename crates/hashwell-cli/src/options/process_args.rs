//! The options of `process`: a subcommand for each row of the table of processes, with the row's parameters as options.

use crate::options::names::Names;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand, ValueHint};
use hashwell_draw::process::Run;
use hashwell_draw::process::registry::{Kind, ModelEntry, PROCESSES, Parameter, find};
use std::ffi::OsString;
use std::path::PathBuf;

const PROCESS_HELP: &str = "A process is a program that denotes a distribution: one description is sampled, enumerated exactly, \
    traced, scored and drawn. Without the name of a process the list of them is printed; hashwell process NAME --help has the \
    law, the parameters, the cost and the source of each.\n\n\
    A seed gives the same value on every machine; without one the operating system gives one, which is printed so that the \
    run can be repeated. Replicate J of a seed is the same however many there are, on however many threads. What is promised, \
    and what not: docs/guides/processes.md.\n\n\
    Exit codes: 0 done; 1 the process cannot go on, has more states or terms than its limit, or the output could not be written; \
    2 usage; 130 stopped by Ctrl-C (143 by SIGTERM, 129 by SIGHUP), after whole lines.";

/// Sample, enumerate and draw a stochastic process.
#[derive(Args, Debug)]
#[command(after_help = PROCESS_HELP)]
pub(crate) struct ProcessOptions {
    #[command(subcommand)]
    pub(crate) process: Option<ChosenProcess>,
}

/// A process by name, what it is given, and what is asked of it.
#[derive(Debug)]
pub(crate) struct ChosenProcess {
    pub(crate) row: &'static ModelEntry,
    /// Parameters that were given, with their texts.
    pub(crate) given: Vec<(&'static str, String)>,
    pub(crate) encoding: Option<String>,
    pub(crate) asked: Asked,
}

/// What can be asked of every process.
#[derive(Args, Debug)]
#[command(
    group(clap::ArgGroup::new("seeds").args(["seed", "seed_hex"])),
    group(clap::ArgGroup::new("questions").args(["exact", "posterior", "trace", "score", "explain"]))
)]
pub(crate) struct Asked {
    /// Seed, as text
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub(crate) seed: Option<String>,
    /// Seed in hexadecimal
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) seed_hex: Option<String>,
    /// Where the words come from
    #[arg(long, value_name = "NAME", default_value = Run::SOURCE, value_parser = Names::process_sources())]
    #[arg(hide_possible_values = true)]
    pub(crate) source: String,

    /// Simulate N replicates, a line each
    #[arg(long, value_name = "N", conflicts_with_all = ["posterior", "trace", "score", "explain"])]
    pub(crate) replicates: Option<u64>,
    /// The number of the first replicate: with --replicates 1, replicate J alone
    #[arg(long, value_name = "J", default_value_t = 0, requires = "replicates")]
    pub(crate) first: u64,
    /// With --replicates: the weight of each, how likely it makes what was observed, and their effective sample size
    #[arg(long, requires = "replicates", conflicts_with_all = ["exact", "svg"])]
    pub(crate) weights: bool,
    /// With --replicates: threads, 1 to 256 [default: one per core]; they change nothing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), requires = "replicates")]
    pub(crate) threads: Option<u16>,

    /// Print the exact law: every outcome with its probability, and the mass that was not decided
    #[arg(long)]
    pub(crate) exact: bool,
    /// With --exact: the law of what the process is summed up by, which the help of the process says
    #[arg(long, requires = "exact")]
    pub(crate) summary: bool,
    /// Print the probabilities of the hidden states at each time, given all that was observed
    #[arg(long)]
    pub(crate) posterior: bool,
    /// With --exact: stop when at most this much is undecided
    #[arg(long, value_name = "MASS", default_value = "1e-12", value_parser = mass, requires = "exact")]
    pub(crate) mass: f64,
    /// With --exact: how many states and outcomes may be held at once
    #[arg(long, value_name = "N", default_value_t = 1 << 22, requires = "exact")]
    pub(crate) states: usize,
    /// The most terms of a run, and the most steps of --exact; with --explain how many terms are shown one after
    /// another [default: 2^40, 2^20 and 4]
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,

    /// Print every term with its draw
    #[arg(long)]
    pub(crate) trace: bool,
    /// Print how likely the run in FILE is, which --trace --json wrote; - is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) score: Option<OsString>,
    /// Print the tree of terms
    #[arg(long)]
    pub(crate) explain: bool,

    /// JSON: a value; with --replicates one a line; infinite numbers are texts
    #[arg(long, conflicts_with = "explain")]
    pub(crate) json: bool,
    /// Comma-separated values with a header: of a value, of replicates, of --exact and of --posterior
    #[arg(long, conflicts_with_all = ["json", "trace", "score", "explain"])]
    pub(crate) csv: bool,
    /// Draw a picture into this file: of the value, of replicates, of the exact law (beside replicates, if there are
    /// any) or of the tree of terms
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["trace", "score"])]
    #[arg(value_parser = PathBufValueParser::new().try_map(file))]
    pub(crate) svg: Option<PathBuf>,
}

/// A file that is to be written.
fn file(path: PathBuf) -> Result<PathBuf, &'static str> {
    if path.as_os_str() == "-" {
        return Err("must be a file, which standard output is not; ./- is one of that name");
    }
    Ok(path)
}

/// A mass that may be left undecided.
fn mass(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(mass) if (0.0..=1.0).contains(&mass) => Ok(mass),
        _ => Err("must be a number of 0 to 1".to_owned()),
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

/// Above the options that are one process's own.
pub(crate) const PARAMETERS: &str = "Parameters";

const ENCODING: &str = "encoding";

/// Apart from the names of the options that all processes have.
fn id(parameter: &Parameter) -> String {
    format!("parameter-{}", parameter.name)
}

fn subcommand(row: &'static ModelEntry) -> Command {
    let mut command = Command::new(row.name);
    command = command.next_help_heading(PARAMETERS);
    command = command.args(row.parameters.iter().map(parameter));
    if let [first, _, ..] = row.encodings {
        let help = format!("How it is made of terms; all are equal in law [default: {first}]");
        let values = PossibleValuesParser::new(row.encodings.iter().copied());
        command =
            command.arg(Arg::new(ENCODING).long(ENCODING).value_name("NAME").help(help).value_parser(values));
    }
    let command = Asked::augment_args(command.next_help_heading(None::<&str>));
    // Last, since what is flattened describes itself.
    command.about(row.title).after_help(about(row))
}

fn parameter(parameter: &'static Parameter) -> Arg {
    let default = parameter.default.map_or_else(String::new, |text| format!(" [default: {text}]"));
    let file = match parameter.kind {
        Kind::Numbers | Kind::Wholes | Kind::Matrix => "; @FILE reads them from a file",
        Kind::Number | Kind::Whole => "",
    };
    let help = format!("{}: {}, {}{file}{default}", parameter.symbol, parameter.help, parameter.range);
    let mut arg = Arg::new(id(parameter)).long(parameter.name).help(help);
    if parameter.name.len() == 1 {
        arg = arg.short(parameter.name.chars().next());
    }
    arg.value_name(parameter.name.to_uppercase()).value_hint(ValueHint::Other).allow_hyphen_values(true)
}

/// What the help says of a process, besides its parameters.
fn about(row: &ModelEntry) -> String {
    let summary = match row.statistic {
        "" => String::new(),
        statistic => format!("Summed up by: {statistic}.\n\n"),
    };
    format!("Law: {}.\n\n{summary}Cost: {}.\n\nSource: {}.", row.distribution, row.cost, row.source)
}
