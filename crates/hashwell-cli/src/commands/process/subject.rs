//! The process that a command is about: its model, its limits and its random numbers.

use crate::inputs::reading::read_named;
use crate::inputs::seed::PublicSeed;
use crate::options::names::{MWC, source_warning};
use crate::options::process_args::{Asked, ChosenProcess};
use crate::outputs::output::{check_place, write_file};
use crate::system::report::{Failure, note, printable};
use hashwell::{RandomSource, Source};
use hashwell_draw::process::interpret::Limits;
use hashwell_draw::process::registry::{Given, Kind, Model};
use hashwell_draw::process::{Mwc256, Run};
use hashwell_draw::{Error, Watch};

/// A process and the options of the command.
pub(super) struct Subject<'a> {
    pub(super) model: Model,
    pub(super) asked: &'a Asked,
}

impl<'a> Subject<'a> {
    /// # Errors
    /// Returns a usage error if parameters are missing or out of range, and an error if no chart can be written to its
    /// place.
    pub(super) fn of(chosen: &'a ChosenProcess) -> Result<Self, Failure> {
        let mut given = Given::new();
        for (name, text) in &chosen.given {
            let parameter = chosen.row.parameters.iter().find(|parameter| parameter.name == *name);
            given = match (parameter.map(|parameter| parameter.kind), text.strip_prefix('@')) {
                (Some(kind @ (Kind::Numbers | Kind::Wholes | Kind::Matrix)), Some(file)) => {
                    given.with(name, list_of_file(name, file, kind)?)
                }
                _ => given.with(name, text.as_str()),
            };
        }
        let model = chosen.row.build(&given, chosen.encoding.as_deref());
        let model = model.map_err(|error| Failure::Usage(error.to_string()))?;
        // Check this before work that may take hours.
        chosen.asked.svg.as_deref().map_or(Ok(()), check_place)?;
        Ok(Self { model, asked: &chosen.asked })
    }

    /// Prints a note if the process has observations, for commands that ignore them.
    pub(super) fn note_what_was_observed(&self) {
        if self.model.observes() {
            note(
                &"the observations were ignored; --exact, --posterior and --replicates N --weights use them",
            );
        }
    }

    /// The limits that the options set, with this `watch`.
    pub(super) fn limits<'w>(&self, watch: &'w Watch<'w>) -> Limits<'w> {
        let (Asked { mass, states, steps, threads, .. }, usual) = (self.asked, Limits::default());
        Limits {
            terms: steps.unwrap_or(usual.terms),
            threads: threads.unwrap_or(0).into(),
            mass: *mass,
            steps: steps.unwrap_or(usual.steps),
            states: *states,
            watch,
        }
    }

    /// Writes the chart, if requested.
    pub(super) fn picture(&self, draw: impl FnOnce() -> Result<String, Failure>) -> Result<(), Failure> {
        self.asked.svg.as_ref().map_or(Ok(()), |path| write_file(path, draw()?.as_bytes()))
    }
}

/// A random source, and its seed.
pub(super) enum Origin {
    /// A key, from which each replicate derives its own, and the seed.
    Run(Run, PublicSeed),
    /// One generator, from which the replicates are drawn one after the other.
    Mwc,
}

impl Origin {
    pub(super) fn of(asked: &Asked) -> Result<Self, Failure> {
        if asked.source == MWC {
            if asked.seed.is_some() || asked.seed_hex.is_some() {
                let message =
                    "--source mwc takes no seed: it always starts from the default state of mwc-random";
                return Err(Failure::Usage(message.to_owned()));
            }
            return Ok(Self::Mwc);
        }
        let source = Source::find(&asked.source).map_err(|error| {
            let names: Vec<String> = Source::all().map(Source::name).collect();
            Failure::Usage(format!("--source: {error}; known generators: {}, {MWC}", names.join(", ")))
        })?;
        source_warning(source).iter().for_each(|text| note(text));
        let seed = PublicSeed::of(asked.seed.as_deref(), asked.seed_hex.as_deref())?;
        Ok(Self::Run(Run::of_seed(source, &seed.bytes), seed))
    }

    /// The random numbers of a process that is sampled once, or of all replicates if they share one generator.
    pub(super) fn words(&self) -> Result<Box<dyn RandomSource>, Failure> {
        match self {
            Self::Run(run, _) => Ok(Box::new(run.words().map_err(failed)?)),
            Self::Mwc => Ok(Box::new(Mwc256::new().into_words())),
        }
    }

    /// Prints the seed if it was chosen at random. Called once the work is done.
    pub(super) fn say(&self) {
        if let Self::Run(_, seed) = self {
            seed.say();
        }
    }
}

/// The maximum size in bytes of a file with a parameter.
const MAX_LIST: u64 = 1 << 30;

/// Reads a list from a file and converts it to the form of the option. The numbers are separated by commas, spaces or
/// line breaks; a matrix has one row per line.
fn list_of_file(name: &str, file: &str, kind: Kind) -> Result<String, Failure> {
    let bytes = read_named(&file.into(), MAX_LIST)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::Work(format!("{}: --{name} must be UTF-8 text", printable(file.as_ref()))))?;
    let items = |text: &str| {
        let items = text.split(|c: char| c == ',' || c.is_ascii_whitespace()).filter(|item| !item.is_empty());
        items.collect::<Vec<_>>().join(",")
    };
    Ok(match kind {
        Kind::Matrix => {
            let rows = text.split(['\n', ';']).filter(|row| !row.trim().is_empty());
            rows.map(items).collect::<Vec<_>>().join(";")
        }
        _ => items(&text),
    })
}

/// The failure with which the command ends if the process returns an error.
pub(super) fn failed(error: Error) -> Failure {
    let option = match error.innermost() {
        Error::Endless { .. } => " (--steps)",
        Error::OutOfRange { what: Limits::STATES, .. } => " (--states)",
        _ => "",
    };
    Failure::Work(format!("{error}{option}"))
}
