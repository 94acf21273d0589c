//! What a stream of rows is read as.

use std::path::Path;

/// What a row is.
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

impl Format {
    /// The format that a file's name speaks for, the ending of a compression left out; `None` where it says nothing.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Format> {
        let ending = ending(path)?;
        if Compression::of_ending(&ending).is_some() {
            return Format::of_path(Path::new(path.file_stem()?));
        }
        match ending.as_str() {
            "csv" => Some(Format::Csv),
            "tsv" | "tab" => Some(Format::Tsv),
            "jsonl" | "ndjson" => Some(Format::JsonLines),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }

    /// Whether the first row is a header where nothing else is said.
    #[must_use]
    pub fn has_header(self) -> bool {
        matches!(self, Format::Csv | Format::Tsv)
    }

    /// The byte that ends a row, for a writer that must add one; `None` for Parquet.
    #[must_use]
    pub fn terminator(self) -> Option<u8> {
        match self {
            Format::Parquet => None,
            Format::Nul => Some(0),
            _ => Some(b'\n'),
        }
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
        const BLOCK: [u8; 6] = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
        const END: [u8; 6] = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90];
        // A text may begin with "BZh1", and not with what follows it.
        let bzip2 = bytes.len() >= 10
            && matches!(bytes[3], b'1'..=b'9')
            && [BLOCK, END].iter().any(|m| bytes[4..10] == *m);
        let zstd_skippable = bytes.len() >= 4 && bytes[0] & 0xf0 == 0x50 && bytes[1..4] == [0x2a, 0x4d, 0x18];
        if bytes.starts_with(&[0x1f, 0x8b, 8]) {
            Some(Compression::Gzip)
        } else if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) || zstd_skippable {
            Some(Compression::Zstd)
        } else if bytes.starts_with(b"BZh") && bzip2 {
            Some(Compression::Bzip2)
        } else if bytes.starts_with(&[0xfd, b'7', b'z', b'X', b'Z', 0]) {
            Some(Compression::Xz)
        } else {
            None
        }
    }

    /// The compression that a file's name speaks for.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Compression> {
        Compression::of_ending(&ending(path)?)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "Zstandard",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
        }
    }

    fn of_ending(ending: &str) -> Option<Compression> {
        match ending {
            "gz" | "gzip" | "bgz" => Some(Compression::Gzip),
            "zst" | "zstd" => Some(Compression::Zstd),
            "bz2" => Some(Compression::Bzip2),
            "xz" => Some(Compression::Xz),
            _ => None,
        }
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
    /// The byte between two fields; `None`: a comma for CSV, a tab for TSV. ASCII, and neither quote, line feed nor
    /// carriage return.
    pub delimiter: Option<u8>,
    /// Whether fields may stand in quotes (RFC 4180); `None`: in CSV they may.
    pub quotes: Option<bool>,
    /// Whether compressed inputs are unpacked. They are known by their first bytes.
    pub unpack: bool,
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
            unpack: true,
            max_record: Options::MAX_RECORD,
            threads: 0,
            block: 256 << 10,
        }
    }
}
