//! Options for the format of rows, shared by all commands that read rows.

use super::bytes::some_bytes;
use crate::system::report::complain;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use hashwell_rows::{Compression, Encoding, Fields, Format, Input, Options, Rows};

/// The heading of options about input files.
pub(crate) const INPUT: &str = "Input format";

/// Options for the format of rows.
#[derive(Args, Debug)]
pub(crate) struct FormOptions {
    #[command(flatten)]
    asked: Asked,
    /// Allow quoted fields in TSV, as in CSV
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub(crate) quotes: bool,
    /// Delimiter of CSV or TSV: one ASCII character such as ';' or '|', \t for a tab, or auto
    ///
    /// auto tries comma, semicolon, tab and vertical bar on the first 1,000 rows of a file, uses the only one with which all
    /// rows have the same number of fields, and reports it on standard error. table and diff do this for each file. sample
    /// and split do it for the first file, and read all others with the same delimiter. In a CSV file, a first line such as
    /// sep=; sets the delimiter if this option doesn't, and is skipped
    #[arg(long, value_name = "CHAR", value_parser = delimiter, help_heading = INPUT, hide_short_help = true)]
    delimiter: Option<Delimiter>,
    /// Quote character of CSV or TSV: one ASCII character, or none to treat quotes as plain characters [default: "]
    #[arg(long, value_name = "CHAR", value_parser = quote, conflicts_with = "quotes", help_heading = INPUT, hide_short_help = true)]
    quote: Option<Quote>,
    /// Ignore lines that begin with this ASCII character, such as '#', outside of quotes (CSV, TSV and JSON lines)
    #[arg(long, value_name = "CHAR", value_parser = character, help_heading = INPUT, hide_short_help = true)]
    comment: Option<u8>,
    /// Encoding of text files, such as utf-16, latin1 or windows-1252, or auto [default: UTF-8, which is not validated]
    ///
    /// Every name in the WHATWG Encoding Standard is accepted. auto means UTF-16 if the file begins with a byte order mark of
    /// UTF-16, else UTF-8. Rows are written in UTF-8.
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = INPUT, hide_short_help = true)]
    encoding: Option<Encoding>,
    /// Sheet of an Excel workbook, or table of an SQLite database [default: the only one]
    #[arg(long, value_name = "NAME", visible_alias = "sheet", value_hint = ValueHint::Other, help_heading = INPUT)]
    #[arg(hide_short_help = true, hide = cfg!(not(any(feature = "excel", feature = "sqlite"))))]
    table: Option<String>,
    /// Maximum size of a text row, with a unit such as K, M or G (KiB, MiB, GiB); limits memory if a quote is never closed
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = some_bytes)]
    #[arg(help_heading = INPUT, hide_short_help = true)]
    max_record: u64,
    /// Allow up to 2 GiB of memory for decompressing Zstandard files, which files written with zstd --long=31 need
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    long: bool,
}

impl FormOptions {
    /// Returns the format that an option selects.
    pub(crate) fn asked(&self) -> Option<Format> {
        self.asked.0
    }

    /// Returns the format of a file if neither its name nor an option selects one: CSV if an option describes its
    /// fields.
    pub(crate) fn implied(&self) -> Option<Format> {
        (self.delimiter.is_some() || self.quote.is_some()).then_some(Format::Csv)
    }

    /// Returns the reason why options that describe text cannot describe rows of this format.
    pub(crate) fn refused(&self, format: Format) -> Option<String> {
        self.refused_for_all(&[format])
    }

    /// Returns the reason why an option that describes text fits none of these formats. An option that fits only some of
    /// them describes only their files.
    pub(crate) fn refused_for_all(&self, formats: &[Format]) -> Option<String> {
        let fits_any = |fits: fn(Format) -> bool| formats.iter().any(|format| fits(*format));
        let options = [
            ("--delimiter", self.delimiter.is_some(), fits_any(has_fields), "CSV or TSV"),
            ("--quote", self.quote.is_some(), fits_any(has_fields), "CSV or TSV"),
            ("--comment", self.comment.is_some(), fits_any(has_comments), "CSV, TSV or JSON lines"),
            ("--encoding", self.encoding.is_some(), fits_any(is_text), "text"),
        ];
        let (name, _, _, which) = options.into_iter().find(|(_, given, fits, _)| *given && !*fits)?;
        let format = formats.first()?;
        Some(format!("{name} requires {which}, but the format is {}", format.title()))
    }

    /// Returns the name of the sheet or table to read.
    pub(crate) fn table(&self) -> Option<&str> {
        self.table.as_deref()
    }

    /// Returns an option that describes text, if one is given.
    pub(crate) fn of_text(&self) -> Option<&'static str> {
        let options = [
            ("--delimiter", self.delimiter.is_some()),
            ("--quote", self.quote.is_some()),
            ("--quotes", self.quotes),
            ("--comment", self.comment.is_some()),
            ("--encoding", self.encoding.is_some()),
        ];
        options.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// Returns the quote character of fields in this format, or `None` if fields cannot be quoted.
    pub(crate) fn quote(&self, format: Format) -> Option<u8> {
        let options = self.reading(format);
        let Fields::Delimited { quotes, .. } = format.fields() else { return None };
        options.quotes.unwrap_or(quotes).then_some(options.quote)
    }

    /// Returns true if the bytes of a file are not those of its rows.
    pub(crate) fn decodes(&self) -> bool {
        self.encoding.is_some()
    }

    /// Returns true if the delimiter of a file of this format must be guessed, which means that the file is read twice.
    pub(crate) fn guesses_in(&self, format: Format) -> bool {
        self.guesses() && has_fields(format)
    }

    /// Returns true if the delimiter must be guessed, which means that the first file is read twice.
    pub(crate) fn guesses(&self) -> bool {
        self.delimiter == Some(Delimiter::Auto)
    }

    /// Same as [`Self::reading`], without the options that don't fit the format.
    pub(crate) fn fitting(&self, format: Format) -> Options {
        let (mut options, usual) = (self.reading(format), Options::default().with_format(format));
        if !has_fields(format) {
            (options.delimiter, options.quote, options.quotes) = (usual.delimiter, usual.quote, usual.quotes);
        }
        options.comment = options.comment.filter(|_| has_comments(format));
        options.encoding = options.encoding.filter(|_| is_text(format));
        options
    }

    /// Returns the options for reading rows of this format.
    pub(crate) fn reading(&self, format: Format) -> Options {
        let mut options = Options::default().with_format(format);
        options.quotes = self.quotes.then_some(true);
        if let Some(Delimiter::Is(delimiter)) = self.delimiter {
            options.delimiter = Some(delimiter);
        }
        match self.quote {
            Some(Quote::Is(quote)) => (options.quote, options.quotes) = (quote, Some(true)),
            Some(Quote::None) => options.quotes = Some(false),
            None => {}
        }
        options.comment = self.comment;
        options.encoding = self.encoding;
        options.long_window = self.long;
        options.max_record = usize::try_from(self.max_record).unwrap_or(usize::MAX);
        options
    }
}

fn has_fields(format: Format) -> bool {
    matches!(format.fields(), Fields::Delimited { .. })
}

fn has_comments(format: Format) -> bool {
    has_fields(format) || format == Format::JsonLines
}

fn is_text(format: Format) -> bool {
    format != Format::Parquet
}

/// The value of `--delimiter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delimiter {
    Auto,
    Is(u8),
}

/// The value of `--quote`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quote {
    None,
    Is(u8),
}

fn character(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'\n' | b'\r') => Ok(*byte),
        _ => Err("expected one ASCII character".to_owned()),
    }
}

fn delimiter(text: &str) -> Result<Delimiter, String> {
    match text {
        "auto" => Ok(Delimiter::Auto),
        "\\t" => Ok(Delimiter::Is(b'\t')),
        _ => character(text)
            .map(Delimiter::Is)
            .map_err(|_| "expected one ASCII character, \\t for a tab, or auto".to_owned()),
    }
}

fn quote(text: &str) -> Result<Quote, String> {
    if text == "none" { Ok(Quote::None) } else { character(text).map(Quote::Is) }
}

fn encoding(name: &str) -> Result<Encoding, String> {
    let unknown = "unknown encoding: expected a name such as utf-8, utf-16, latin1 or windows-1252, or auto";
    Encoding::of_name(name).ok_or_else(|| unknown.to_owned())
}

/// Detects the delimiter of the first input, replaces `--delimiter auto` with it, and prints it. The input can be read
/// again afterwards.
///
/// # Errors
/// Returns the errors of [`Rows::guess_delimiter`].
pub(crate) fn guess(inputs: &[Input], options: &mut Options) -> Result<(), hashwell_rows::Error> {
    let delimiter = Rows::guess_delimiter(inputs, options)?;
    let name = inputs.first().map_or_else(String::new, Input::name);
    complain(&format_args!("{name}: the delimiter is {}", shown(delimiter)));
    options.delimiter = Some(delimiter);
    Ok(())
}

/// Prints a note if the header of the opened rows seems to have a different delimiter.
pub(crate) fn hint(name: &str, rows: &Rows) {
    if let Some(other) = rows.other_delimiter() {
        let shown = shown(other);
        complain(&format_args!(
            "{name}: the header is one column and contains {shown} (if that is the delimiter, give --delimiter {shown})"
        ));
    }
}

/// The spelling of a delimiter on the command line.
fn shown(delimiter: u8) -> String {
    if delimiter == b'\t' { "'\\t'".to_owned() } else { format!("'{}'", char::from(delimiter)) }
}

/// The extensions of file names that choose a format, for help texts.
pub(crate) fn endings() -> String {
    let endings = Format::ALL.into_iter().filter_map(Format::ending);
    endings.map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ")
}

/// The sentences about files that are converted first, for help texts. Builds that can't read workbooks and databases
/// don't mention them.
pub(crate) fn containers() -> &'static str {
    if cfg!(any(feature = "excel", feature = "sqlite")) {
        " An Arrow file (.arrow, .arrows, .feather, .ipc) is converted to Parquet first. A sheet of an Excel workbook \
         (.xlsx, .xlsm) or a table of an SQLite database (.sqlite, .sqlite3, .db) is converted to CSV first; --table \
         chooses it."
    } else {
        " An Arrow file (.arrow, .arrows, .feather, .ipc) is converted to Parquet first."
    }
}

/// The extensions of compressed files, for help texts and errors.
pub(crate) fn compressions() -> String {
    let [others @ .., last] = Compression::ALL.map(|compression| format!(".{}", compression.ending()));
    format!("{} and {last}", others.join(", "))
}

/// The format that an option selects. For each format of the list there is an option with its name.
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
