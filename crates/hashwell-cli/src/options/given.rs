//! The names of the options that the command line gives, to refuse those that a task would ignore.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Id};

/// The identifiers of the given options. It defines no option itself, and must be the first field of its structure,
/// because other fields take their values out of the matches.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenOptions(Vec<String>);

impl GivenOptions {
    /// Returns true if the option with this identifier is given.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.0.iter().any(|given| given == id)
    }
}

impl Args for GivenOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for GivenOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let is_given = |id: &&Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        Ok(Self(matches.ids().filter(is_given).map(ToString::to_string).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
