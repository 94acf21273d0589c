//! Options that are defined only when they are needed.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// The options `T` of a subcommand, which are defined in clap only when the subcommand is used. Defining the options of
/// all subcommands would take most of the time of a short run.
#[derive(Debug)]
pub(crate) struct Later<T>(pub(crate) T);

/// Defines the options `T`. Keeps the summary of the subcommand, which `T` would replace.
fn define<T: Args>(command: Command) -> Command {
    let about = command.get_about().cloned();
    let command = T::augment_args(command).long_about(None);
    match about {
        Some(about) => command.about(about),
        None => command,
    }
}

impl<T: Args> Args for Later<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(define::<T>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: FromArgMatches> FromArgMatches for Later<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
