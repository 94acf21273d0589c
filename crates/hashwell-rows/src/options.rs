//! Options for reading a stream of rows.

use std::path::Path;

/// The format of rows. In CSV and TSV, blank lines are not rows. In JSON lines, lines that contain only white space are
/// not rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Bytes up to and including a newline. A carriage return before the newline is part of the row.
    Lines,
    /// Bytes up to and including a zero byte.
    Nul,
    /// A line, or several if a quoted field contains newlines (RFC 4180).
    Csv,
    /// A line of fields separated by tabs. Fields are not quoted unless [`Options::quotes`] is set.
    Tsv,
    /// A line that is a JSON object. It is parsed only if a column is read.
    JsonLines,
    /// A row of a Parquet file, which is not text: see [`Rows::is_table`](crate::Rows::is_table).
    Parquet,
}

/// The properties of a format. This is the only list of names, file extensions and readers.
#[derive(Clone, Copy, Debug)]
struct Row {
    format: Format,
    /// The name of the format's option, which is also used in records of samples.
    name: &'static str,
    /// The name in messages.
    title: &'static str,
    /// The help text of the format's option, if the format has one.
    help: Option<&'static str>,
    /// The file extensions; the first one is the default.
    endings: &'static [&'static str],
    /// The way in which rows are divided into fields.
    fields: Fields,
    /// The byte that ends a row.
    terminator: Option<u8>,
    /// The help text about writing tables in this format, if this is supported.
    written: Option<&'static str>,
}

/// The way in which the rows of a format are divided into fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fields {
    /// A row is one field.
    One,
    /// Fields are separated by a delimiter; the first row is a header.
    Delimited {
        /// The delimiter.
        delimiter: u8,
        /// True if fields may be quoted (RFC 4180).
        quotes: bool,
    },
    /// Fields are the members of a JSON object.
    Json,
    /// Fields are the columns of a table, which is not text.
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
        help: Some("Read comma-separated values, in which quoted fields may contain newlines"),
        endings: &["csv"],
        fields: Fields::Delimited { delimiter: b',', quotes: true },
        terminator: Some(b'\n'),
        written: Some("with a header, and lists and structs as JSON"),
    },
    Row {
        format: Format::Tsv,
        name: "tsv",
        title: "TSV",
        help: Some("Read tab-separated values (quotes are ordinary characters)"),
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
    /// All formats, in the order of the enum.
    pub const ALL: [Self; 6] = [Self::Lines, Self::Nul, Self::Csv, Self::Tsv, Self::JsonLines, Self::Parquet];

    fn row(self) -> &'static Row {
        FORMATS.iter().find(|row| row.format == self).expect("a test looks for each format")
    }

    /// Finds the format by the extension of a file name. An extension for compression, such as `.gz`, is ignored.
    /// Returns `None` if no format has this extension.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Format> {
        let ending = ending(path)?;
        if Compression::of_ending(&ending).is_some() {
            return Format::of_path(Path::new(path.file_stem()?));
        }
        Format::ALL.into_iter().find(|format| format.row().endings.contains(&&ending[..]))
    }

    /// Finds the format with this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The name of the format's option, which is also used in records of samples.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The name in messages.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// The help text of the format's option, or `None` if the format has no option.
    #[must_use]
    pub fn help(self) -> Option<&'static str> {
        self.row().help
    }

    /// The default file extension, without the dot.
    #[must_use]
    pub fn ending(self) -> Option<&'static str> {
        self.row().endings.first().copied()
    }

    /// The way in which the rows are divided into fields.
    #[must_use]
    pub fn fields(self) -> Fields {
        self.row().fields
    }

    /// The help text about writing tables in this format, or `None` if this is not supported.
    #[must_use]
    pub fn written(self) -> Option<&'static str> {
        self.row().written
    }

    /// Returns true if the first row is a header by default.
    #[must_use]
    pub fn has_header(self) -> bool {
        matches!(self.fields(), Fields::Delimited { .. })
    }

    /// Returns true if there may be a header row.
    #[must_use]
    pub fn may_have_header(self) -> bool {
        matches!(self.fields(), Fields::One | Fields::Delimited { .. })
    }

    /// The byte that ends a row, for writers that have to add one; `None` for Parquet.
    #[must_use]
    pub fn terminator(self) -> Option<u8> {
        self.row().terminator
    }
}

/// The compression of a file.
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
    /// The number of bytes that [`of_magic`](Self::of_magic) inspects.
    pub const MAGIC_LEN: usize = 10;

    /// Detects the compression by a file's first bytes.
    #[must_use]
    pub fn of_magic(bytes: &[u8]) -> Option<Compression> {
        Compression::ALL.into_iter().find(|compression| compression.begins(bytes))
    }

    /// Finds the compression by the extension of a file's name.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Compression> {
        Compression::of_ending(&ending(path)?)
    }

    /// All compressions.
    pub const ALL: [Self; 4] = [Self::Gzip, Self::Zstd, Self::Bzip2, Self::Xz];

    /// The name in messages, and the file extensions.
    fn row(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Compression::Gzip => ("gzip", &["gz", "gzip", "bgz"]),
            Compression::Zstd => ("Zstandard", &["zst", "zstd"]),
            Compression::Bzip2 => ("bzip2", &["bz2"]),
            Compression::Xz => ("xz", &["xz"]),
        }
    }

    /// The name of the compression.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The default file extension, without the dot.
    #[must_use]
    pub fn ending(self) -> &'static str {
        self.row().1[0]
    }

    fn of_ending(ending: &str) -> Option<Compression> {
        Compression::ALL.into_iter().find(|compression| compression.row().1.contains(&ending))
    }

    /// Returns true if a file that begins with these bytes has this compression.
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
                // A text may begin with "BZh1", but not with the bytes that follow in bzip2.
                bytes.starts_with(b"BZh")
                    && bytes.len() >= 10
                    && matches!(bytes[3], b'1'..=b'9')
                    && [BLOCK, END].iter().any(|magic| bytes[4..10] == *magic)
            }
            Compression::Xz => bytes.starts_with(&[0xfd, b'7', b'z', b'X', b'Z', 0]),
        }
    }
}

/// A text encoding of the WHATWG Encoding Standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    of: &'static encoding_rs::Encoding,
    is_auto: bool,
}

impl Encoding {
    /// Finds the encoding with this name or label, such as `utf-16`, `latin1` or `windows-1252`. Case doesn't matter.
    /// `auto` is UTF-16 if the text begins with a byte order mark of UTF-16, and UTF-8 otherwise. Returns `None` if
    /// there is no such encoding.
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

    /// A decoder that evaluates byte order marks.
    pub(crate) fn decoder(self) -> encoding_rs::Decoder {
        self.of.new_decoder()
    }
}

fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// Options for reading rows. The rows do not depend on [`threads`](Self::threads) or [`block`](Self::block).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The format of the rows. `None` means the format that the names of the inputs indicate, or lines if they indicate
    /// none.
    pub format: Option<Format>,
    /// True if the first row of each file is a header. `None` means true for CSV and TSV, and false for other formats.
    pub header: Option<bool>,
    /// The byte between two fields. It must be ASCII, and must not be the quote, a newline or a carriage return. `None`
    /// means a tab for TSV; for CSV, it means the delimiter that a first line such as `sep=;` sets, or else a comma. In
    /// CSV, such a line is not a row, whether or not a delimiter is given.
    pub delimiter: Option<u8>,
    /// True if fields may be quoted (RFC 4180). `None` means true for CSV, and false for other formats.
    pub quotes: Option<bool>,
    /// The quote character. The default is `"`. It must be ASCII, and must not be the delimiter, a newline or a
    /// carriage return.
    pub quote: u8,
    /// The first byte of comment lines, which are not rows. `None` means that there are no comments. Quoted text is
    /// never a comment.
    pub comment: Option<u8>,
    /// The encoding of the inputs, which are converted to UTF-8. `None` means UTF-8, without validation.
    pub encoding: Option<Encoding>,
    /// True if compressed inputs are decompressed. Compression is detected by the first bytes of an input.
    pub unpack: bool,
    /// True if Zstandard frames may use a window of up to 2 GiB of memory, as frames written by `zstd --long=31` do. If
    /// false, the limit is 128 MiB.
    pub long_window: bool,
    /// The maximum number of bytes of a row that is returned, and of a quoted field that is skipped.
    pub max_record: usize,
    /// The maximum number of threads that read, including the calling thread. 0 means one thread for each CPU, but at
    /// most 4.
    pub threads: usize,
    /// The number of bytes that are read at a time. It must be at least 1.
    pub block: usize,
}

impl Options {
    /// The default of [`max_record`](Self::max_record): 16 MiB.
    pub const MAX_RECORD: usize = 16 << 20;

    /// Returns these options with this format.
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
