//! What a stream of rows is read as.

use std::path::Path;

/// What a row is. In CSV, TSV and JSON lines, blank lines are no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Bytes up to and with a line feed. A carriage return before it is part of the row.
    Lines,
    /// Bytes up to and with a zero byte.
    Nul,
    /// A line, or several where a quoted field holds line feeds (RFC 4180).
    Csv,
    /// A line of fields with tabs between them; no quotes unless [`Options::quotes`] says so.
    Tsv,
    /// A line that is a JSON object. It is parsed only where a column is asked for.
    JsonLines,
    /// A row of a Parquet file, which is binary: see [`Rows::is_table`](crate::Rows::is_table).
    Parquet,
}

/// A format of rows: the one list from which names, endings and readers are taken.
#[derive(Clone, Copy, Debug)]
struct Row {
    format: Format,
    /// The name of the option, and in records of samples.
    name: &'static str,
    /// The name in messages.
    title: &'static str,
    /// The help of the option, if an option asks for the format.
    help: Option<&'static str>,
    /// The endings of file names; the first one is proposed.
    endings: &'static [&'static str],
    /// How rows are cut into fields.
    fields: Fields,
    /// The byte that ends a row.
    terminator: Option<u8>,
    /// The help of a table that is written in this format, if tables are.
    written: Option<&'static str>,
}

/// How the rows of a format are cut into fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fields {
    /// A row is one field.
    One,
    /// A delimiter stands between fields; the first row is a header.
    Delimited {
        /// The delimiter.
        delimiter: u8,
        /// Returns true if fields may stand in quotes (RFC 4180).
        quotes: bool,
    },
    /// A JSON object's members.
    Json,
    /// Columns of a table, which has no text.
    Table,
}

static FORMATS: [Row; 6] = [
    Row {
        format: Format::Lines,
        name: "lines",
        title: "lines",
        help: None,
        endings: &[],
        fields: Fields::One,
        terminator: Some(b'\n'),
        written: None,
    },
    Row {
        format: Format::Nul,
        name: "zero",
        title: "lines",
        help: None,
        endings: &[],
        fields: Fields::One,
        terminator: Some(0),
        written: None,
    },
    Row {
        format: Format::Csv,
        name: "csv",
        title: "CSV",
        help: Some("Read comma-separated values (quoted fields may contain newlines)"),
        endings: &["csv"],
        fields: Fields::Delimited { delimiter: b',', quotes: true },
        terminator: Some(b'\n'),
        written: Some("with a header; lists and groups as JSON"),
    },
    Row {
        format: Format::Tsv,
        name: "tsv",
        title: "TSV",
        help: Some("Read tab-separated values (quotes have no meaning)"),
        endings: &["tsv", "tab"],
        fields: Fields::Delimited { delimiter: b'\t', quotes: false },
        terminator: Some(b'\n'),
        written: None,
    },
    Row {
        format: Format::JsonLines,
        name: "jsonl",
        title: "JSON lines",
        help: Some("Read JSON lines: one JSON value per line"),
        endings: &["jsonl", "ndjson"],
        fields: Fields::Json,
        terminator: Some(b'\n'),
        written: Some("one JSON object per line"),
    },
    Row {
        format: Format::Parquet,
        name: "parquet",
        title: "Parquet",
        help: Some("Read Parquet"),
        endings: &["parquet"],
        fields: Fields::Table,
        terminator: None,
        written: Some(""),
    },
];

impl Format {
    /// All of them, in the order of the enum.
    pub const ALL: [Self; 6] = [Self::Lines, Self::Nul, Self::Csv, Self::Tsv, Self::JsonLines, Self::Parquet];

    fn row(self) -> &'static Row {
        FORMATS.iter().find(|row| row.format == self).expect("a test looks for each format")
    }

    /// The format of a file name's ending, the ending of a compression left out; `None` if no format has the ending.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Format> {
        let ending = ending(path)?;
        if Compression::of_ending(&ending).is_some() {
            return Format::of_path(Path::new(path.file_stem()?));
        }
        Format::ALL.into_iter().find(|format| format.row().endings.contains(&&ending[..]))
    }

    /// The format of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The name of its option, and in records of samples.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The name in messages.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// The help of the option that asks for it; `None` if no option has its name.
    #[must_use]
    pub fn help(self) -> Option<&'static str> {
        self.row().help
    }

    /// The ending of a file name, without its point, that is proposed for it.
    #[must_use]
    pub fn ending(self) -> Option<&'static str> {
        self.row().endings.first().copied()
    }

    /// How its rows are cut into fields.
    #[must_use]
    pub fn fields(self) -> Fields {
        self.row().fields
    }

    /// The help of a table that is written in this format; `None` if tables are not.
    #[must_use]
    pub fn written(self) -> Option<&'static str> {
        self.row().written
    }

    /// Returns true if the first row is a header unless an option says otherwise.
    #[must_use]
    pub fn has_header(self) -> bool {
        matches!(self.fields(), Fields::Delimited { .. })
    }

    /// Returns true if there may be a header row.
    #[must_use]
    pub fn may_have_header(self) -> bool {
        matches!(self.fields(), Fields::One | Fields::Delimited { .. })
    }

    /// The byte that ends a row, for a writer that must add one; `None` for Parquet.
    #[must_use]
    pub fn terminator(self) -> Option<u8> {
        self.row().terminator
    }
}

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// gzip (RFC 1952), one member or several.
    Gzip,
    /// Zstandard (RFC 8878), one frame or several.
    Zstd,
    /// bzip2, one stream or several.
    Bzip2,
    /// xz, one stream or several.
    Xz,
}

impl Compression {
    /// How many bytes [`of_magic`](Self::of_magic) looks at.
    pub const MAGIC_LEN: usize = 10;

    /// The compression that a file's first bytes speak for.
    #[must_use]
    pub fn of_magic(bytes: &[u8]) -> Option<Compression> {
        Compression::ALL.into_iter().find(|compression| compression.begins(bytes))
    }

    /// The compression that a file's name speaks for.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Compression> {
        Compression::of_ending(&ending(path)?)
    }

    /// All of them.
    pub const ALL: [Self; 4] = [Self::Gzip, Self::Zstd, Self::Bzip2, Self::Xz];

    /// The name in messages, and the endings of file names.
    fn row(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Compression::Gzip => ("gzip", &["gz", "gzip", "bgz"]),
            Compression::Zstd => ("Zstandard", &["zst", "zstd"]),
            Compression::Bzip2 => ("bzip2", &["bz2"]),
            Compression::Xz => ("xz", &["xz"]),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The ending of a file name, without its point, that is proposed for it.
    #[must_use]
    pub fn ending(self) -> &'static str {
        self.row().1[0]
    }

    fn of_ending(ending: &str) -> Option<Compression> {
        Compression::ALL.into_iter().find(|compression| compression.row().1.contains(&ending))
    }

    /// Returns true if the first bytes of a file are those of this compression.
    fn begins(self, bytes: &[u8]) -> bool {
        match self {
            Compression::Gzip => bytes.starts_with(&[0x1f, 0x8b, 8]),
            Compression::Zstd => {
                let skippable =
                    bytes.len() >= 4 && bytes[0] & 0xf0 == 0x50 && bytes[1..4] == [0x2a, 0x4d, 0x18];
                bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) || skippable
            }
            Compression::Bzip2 => {
                const BLOCK: [u8; 6] = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
                const END: [u8; 6] = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90];
                // A text may begin with "BZh1", but not with the bytes after it.
                bytes.starts_with(b"BZh")
                    && bytes.len() >= 10
                    && matches!(bytes[3], b'1'..=b'9')
                    && [BLOCK, END].iter().any(|magic| bytes[4..10] == *magic)
            }
            Compression::Xz => bytes.starts_with(&[0xfd, b'7', b'z', b'X', b'Z', 0]),
        }
    }
}

/// The encoding of a text: one of the WHATWG Encoding Standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    of: &'static encoding_rs::Encoding,
    is_auto: bool,
}

impl Encoding {
    /// The encoding with this name or label, such as `utf-16`, `latin1` or `windows-1252`; `auto` is UTF-16 if the text
    /// begins with its byte order mark, else UTF-8. Case doesn't matter. Returns `None` if there is no such encoding.
    ///
    /// As in the standard, `latin1` is windows-1252, and a byte order mark decides between the byte orders of UTF-16.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("auto") {
            return Some(Self { of: encoding_rs::UTF_8, is_auto: true });
        }
        let of = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes())?;
        Some(Self { of, is_auto: false })
    }

    /// The name in the standard, or `auto`.
    #[must_use]
    pub fn name(self) -> &'static str {
        if self.is_auto { "auto" } else { self.of.name() }
    }

    /// A decoder that heeds byte order marks.
    pub(crate) fn decoder(self) -> encoding_rs::Decoder {
        self.of.new_decoder()
    }
}

fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// How rows are read. The rows do not depend on [`threads`](Self::threads) and [`block`](Self::block).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// What a row is; `None`: what the inputs' names say, else lines.
    pub format: Option<Format>,
    /// Whether the first row of each file is a header; `None`: for CSV and TSV it is.
    pub header: Option<bool>,
    /// The byte between two fields; `None`: for CSV what a first line such as `sep=;` names, else a comma; a tab for TSV.
    /// ASCII, and neither quote, line feed nor carriage return.
    pub delimiter: Option<u8>,
    /// Whether fields may stand in quotes (RFC 4180); `None`: in CSV they may.
    pub quotes: Option<bool>,
    /// The quote, by default `"`. ASCII, and neither the delimiter nor a line ending.
    pub quote: u8,
    /// The first byte of lines that are no rows; `None`: there are no such lines. Rows in quotes are not comments.
    pub comment: Option<u8>,
    /// The encoding of the inputs, whose rows are then in UTF-8; `None`: UTF-8, of which no byte is looked at.
    pub encoding: Option<Encoding>,
    /// Whether compressed inputs are unpacked. They are known by their first bytes.
    pub unpack: bool,
    /// Whether Zstandard frames may need a window of up to 2 GiB of memory, as `zstd --long=31` writes them; otherwise the
    /// limit is 128 MiB.
    pub long_window: bool,
    /// The longest row that is held, and the longest quoted field that is passed over, in bytes.
    pub max_record: usize,
    /// How many threads may read, this one included; 0: as many as there are processors, at most 4.
    pub threads: usize,
    /// How many bytes are read at once; at least 1.
    pub block: usize,
}

impl Options {
    /// The default of [`max_record`](Self::max_record): 16 MiB.
    pub const MAX_RECORD: usize = 16 << 20;

    /// These options with a format.
    #[must_use]
    pub fn with_format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            format: None,
            header: None,
            delimiter: None,
            quotes: None,
            quote: b'"',
            comment: None,
            encoding: None,
            unpack: true,
            long_window: false,
            max_record: Options::MAX_RECORD,
            threads: 0,
            block: 256 << 10,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_its_row() {
        for (format, row) in Format::ALL.into_iter().zip(&FORMATS) {
            assert_eq!((format.row().format, format), (format, row.format));
            assert_eq!(Format::of_name(format.name()), Some(format));
            for ending in row.endings {
                assert_eq!(
                    Format::of_path(Path::new(&format!("x.{}.gz", ending.to_uppercase()))),
                    Some(format)
                );
            }
        }
    }
}
