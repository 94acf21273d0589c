//! Options for parameters of hash functions, generated from the library's table of parameters.

use crate::options::bytes::from_hex;
use crate::options::key::KeyOptions;
use crate::system::os;
use clap::builder::{OsStringValueParser, StringValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, ValueHint, value_parser};
use hashwell::Kind;
use hashwell::registry::{PARAMETERS, Parameter, ParameterRow, Shape, Value};
use std::ffi::OsString;

/// Heading of the options for keyed hashing.
const KEYED: &str = "Keyed hashing";

/// Headings of the options that the table generates.
const PARAMETER: &str = "BLAKE2 and other parameters";
const TREE: &str = "BLAKE2 tree hashing";

/// The heading of a parameter. Tree parameters have a separate heading because they are rarely needed: a plain hash is
/// a tree with one node.
fn heading(row: &ParameterRow) -> &'static str {
    use Parameter as P;
    match row.parameter {
        P::Fanout
        | P::MaxDepth
        | P::LeafLength
        | P::NodeOffset
        | P::NodeDepth
        | P::InnerLength
        | P::LastNode => TREE,
        _ => PARAMETER,
    }
}

/// A value from the command line.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Bytes(Vec<u8>),
    Text(String),
    Number(u64),
}

impl Given {
    pub(crate) fn value(&self) -> Value<'_> {
        match self {
            Given::Bytes(bytes) => Value::Bytes(bytes),
            Given::Text(text) => Value::Text(text),
            Given::Number(number) => Value::Number(*number),
        }
    }
}

/// The options of parameters, with the key.
#[derive(Args, Debug)]
#[command(
    mut_group("key", |group| group.required(false)),
    mut_arg("key_file", |arg| arg.help_heading(KEYED).hide_short_help(true)),
    mut_arg("key_hex", |arg| arg.help_heading(KEYED).hide_short_help(true)),
    mut_arg("key_env", |arg| arg.help_heading(KEYED).hide_short_help(true))
)]
pub(crate) struct ParameterOptions<const STREAMS: bool> {
    /// Hash with a key: BLAKE2 (1 to 64 bytes; BLAKE2s: 1 to 32) or BLAKE3 (32 bytes)
    #[arg(long, requires = "key", help_heading = KEYED, hide_short_help = true)]
    pub(crate) keyed: bool,
    #[command(flatten)]
    pub(crate) key: Option<KeyOptions>,
    #[command(flatten)]
    pub(crate) table: TableOptions<STREAMS>,
}

/// The options that are generated from the table: for the parameters of any algorithm or, with `STREAMS`, of any
/// extendable-output function.
#[derive(Clone, Debug)]
pub(crate) struct TableOptions<const STREAMS: bool>(pub(crate) Vec<(&'static ParameterRow, Given)>);

/// The parameters whose options are generated. Not included are the output length, for which each command defines an
/// option in its own unit, and the key, which can come from a file, a variable or the command line ([`KeyOptions`]).
fn tabled(streams: bool) -> impl Iterator<Item = &'static ParameterRow> {
    let by_hand = |row: &ParameterRow| matches!(row.parameter, Parameter::OutputLength | Parameter::Key);
    let taken = move |row: &ParameterRow| {
        let mut rows =
            hashwell::ALGORITHMS.iter().filter(|algorithm| !streams || algorithm.kind == Kind::Xof);
        rows.any(|algorithm| algorithm.takes(row.parameter))
    };
    PARAMETERS.iter().filter(move |row| !by_hand(row) && taken(row))
}

/// Returns the name of the option for hexadecimal values, for bytes that a command line cannot contain or display.
fn in_hex(row: &ParameterRow) -> String {
    format!("{}-hex", row.option)
}

/// Returns the identifiers of all these options, for groups and conflicts.
pub(crate) fn ids() -> Vec<String> {
    let of = |row: &ParameterRow| match row.shape {
        Shape::Bytes => vec![row.option.to_owned(), in_hex(row)],
        _ => vec![row.option.to_owned()],
    };
    ["keyed", "key"].map(str::to_owned).into_iter().chain(tabled(false).flat_map(of)).collect()
}

impl<const STREAMS: bool> Args for TableOptions<STREAMS> {
    fn augment_args(command: Command) -> Command {
        tabled(STREAMS).fold(command, |command, row| {
            let option = Arg::new(row.option).long(row.option).help(row.help);
            let heading = heading(row);
            let option = option.help_heading(heading).hide_short_help(true);
            // Without a hint, completions offer files. A flag has no value, and clap rejects a hint for it.
            let option = if row.shape == Shape::Flag { option } else { option.value_hint(ValueHint::Other) };
            match row.shape {
                Shape::Bytes => {
                    let hex = Arg::new(in_hex(row))
                        .long(in_hex(row))
                        .value_name("HEX")
                        .help(format!("--{} in hexadecimal", row.option))
                        .hide_short_help(true);
                    let hex =
                        hex.value_hint(ValueHint::Other).conflicts_with(row.option).help_heading(heading);
                    command.arg(option.value_name("TEXT").value_parser(OsStringValueParser::new())).arg(hex)
                }
                Shape::Text => {
                    let option = option.value_name("CONTEXT").value_parser(StringValueParser::new());
                    command.arg(option.conflicts_with("keyed"))
                }
                Shape::Number => command.arg(option.value_name("N").value_parser(value_parser!(u64))),
                Shape::Flag => command.arg(option.action(ArgAction::SetTrue)),
            }
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const STREAMS: bool> FromArgMatches for TableOptions<STREAMS> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Vec::new();
        for row in tabled(STREAMS) {
            let value = match row.shape {
                Shape::Bytes => match matches.get_one::<String>(&in_hex(row)) {
                    Some(hex) => {
                        let bytes = from_hex(&format!("--{}", in_hex(row)), hex);
                        let bytes = bytes.map_err(|why| Error::raw(ErrorKind::ValueValidation, why))?;
                        Some(Given::Bytes(bytes))
                    }
                    None => {
                        let bytes =
                            matches.get_one::<OsString>(row.option).cloned().map(os::text_bytes).transpose();
                        let refuse =
                            |why| Error::raw(ErrorKind::ValueValidation, format!("--{}: {why}", row.option));
                        bytes.map_err(refuse)?.map(Given::Bytes)
                    }
                },
                Shape::Text => matches.get_one::<String>(row.option).cloned().map(Given::Text),
                Shape::Number => matches.get_one::<u64>(row.option).copied().map(Given::Number),
                Shape::Flag => matches.get_flag(row.option).then_some(Given::Number(1)),
            };
            given.extend(value.map(|value| (row, value)));
        }
        Ok(Self(given))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::args::Options;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    /// The options that a command lists under the heading, and those that it defines itself for the two parameters
    /// without a generated option.
    fn offered(command: &str) -> BTreeSet<String> {
        let mut program = Options::command();
        program.build();
        let command = program.find_subcommand(command).unwrap();
        let of_table = |arg: &&Arg| {
            [PARAMETER, TREE].map(Some).contains(&arg.get_help_heading())
                || ["length", "bytes", "keyed"].contains(&arg.get_id().as_str())
        };
        command.get_arguments().filter(of_table).map(|arg| arg.get_long().unwrap().to_owned()).collect()
    }

    #[test]
    fn every_parameter_of_the_table_has_its_option_and_no_other_is_there() {
        let named = |row: &ParameterRow| match row.shape {
            Shape::Bytes if row.parameter != Parameter::Key => vec![row.option.to_owned(), in_hex(row)],
            _ => vec![row.option.to_owned()],
        };
        let all: BTreeSet<String> = PARAMETERS.iter().flat_map(named).collect();
        assert_eq!(offered("sum"), all);
        let streams = |row: &&ParameterRow| {
            hashwell::ALGORITHMS.iter().any(|a| a.kind == Kind::Xof && a.takes(row.parameter))
        };
        let mut of_streams: BTreeSet<String> = PARAMETERS.iter().filter(streams).flat_map(named).collect();
        // The length of a stream is in bytes, that of a digest in bits.
        assert!(of_streams.remove("length") && of_streams.insert("bytes".to_owned()));
        assert_eq!(offered("xof"), of_streams);
    }
}
