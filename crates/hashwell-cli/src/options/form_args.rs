//! Options that say how rows are written, of every command that reads rows.

use super::bytes::some_bytes;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches};
use hashwell_rows::{Compression, Format, Options};

/// The heading of options about input files.
pub(crate) const INPUT: &str = "Input format";

/// How rows are written.
#[derive(Args, Debug)]
pub(crate) struct FormOptions {
    #[command(flatten)]
    asked: Asked,
    /// Fields of TSV may be quoted like those of CSV
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub(crate) quotes: bool,
    /// Maximum size of a text row; limits memory if a quote is never closed
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = some_bytes)]
    #[arg(help_heading = INPUT, hide_short_help = true)]
    max_record: u64,
    /// Allow up to 2 GiB of memory for decompressing Zstandard files, as zstd --long=31 needs
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    long: bool,
}

impl FormOptions {
    /// The format that an option asks for.
    pub(crate) fn asked(&self) -> Option<Format> {
        self.asked.0
    }

    /// How rows of this format are read.
    pub(crate) fn reading(&self, format: Format) -> Options {
        let mut options = Options::default().with_format(format);
        options.quotes = self.quotes.then_some(true);
        options.long_window = self.long;
        options.max_record = usize::try_from(self.max_record).unwrap_or(usize::MAX);
        options
    }
}

/// The endings of file names that choose a format, for help texts.
pub(crate) fn endings() -> String {
    let endings = Format::ALL.into_iter().filter_map(Format::ending);
    endings.map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ")
}

/// The endings of compressed files, for help texts and errors.
pub(crate) fn compressions() -> String {
    let [others @ .., last] = Compression::ALL.map(|compression| format!(".{}", compression.ending()));
    format!("{} and {last}", others.join(", "))
}

/// The format that an option asks for: each format of the list has an option of its name.
#[derive(Debug)]
struct Asked(Option<Format>);

impl Asked {
    fn formats() -> impl Iterator<Item = (Format, &'static str)> {
        Format::ALL.into_iter().filter_map(|format| Some((format, format.help()?)))
    }
}

impl Args for Asked {
    fn augment_args(command: Command) -> Command {
        let option = |(format, help): (Format, &'static str)| {
            Arg::new(format.name())
                .long(format.name())
                .help(help)
                .action(ArgAction::SetTrue)
                .help_heading(INPUT)
                .hide_short_help(true)
        };
        let names = Self::formats().map(|(format, _)| format.name());
        command.args(Self::formats().map(option)).group(ArgGroup::new("format").args(names))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Asked {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let asked = Self::formats().find(|(format, _)| matches.get_flag(format.name()));
        Ok(Self(asked.map(|(format, _)| format)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
