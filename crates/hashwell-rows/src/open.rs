//! Opens an input: detects its kind, its compression and its beginning.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use memchr::memchr;

use crate::blocks::{Blocks, Plan};
use crate::decode::{Decoded, Lines, Marks};
use crate::error::Error;
use crate::fields::{BOM, Cut};
use crate::input::{Input, Opened};
use crate::options::{Compression, Encoding};
use crate::split::Splitter;
use crate::text::{Beginning, Text};
use crate::unpack::unpacked;

/// The settings that all inputs of a stream share.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) cut: Cut,
    /// True if a line `sep=;` at the beginning, as Excel reads it, is not a row.
    pub(crate) names_delimiter: bool,
    /// True if the options set the delimiter, so that a line such as `sep=;` does not set it.
    pub(crate) has_delimiter: bool,
    /// The first byte of comment lines.
    pub(crate) comment: Option<u8>,
    pub(crate) encoding: Option<Encoding>,
    pub(crate) terminator: u8,
    pub(crate) unpack: bool,
    pub(crate) long_window: bool,
    pub(crate) limit: usize,
    pub(crate) size: usize,
    pub(crate) threads: usize,
}

impl Settings {
    fn splitter(&self, begin: &Beginning) -> Splitter {
        match self.cut {
            Cut::Delimited { delimiter, quote: Some(quote) } => {
                Splitter::quoted(begin.delimiter.unwrap_or(delimiter), quote, self.limit)
            }
            _ => Splitter::plain(self.terminator),
        }
    }

    fn plan(&self) -> Plan {
        let count =
            if let Cut::Delimited { quote: Some(_), .. } = self.cut { None } else { Some(self.terminator) };
        Plan { size: self.size, threads: self.threads, count, blank: self.cut.blank() }
    }

    /// The number of bytes at the beginning of a text that are inspected before it is read.
    fn looked_at(&self) -> usize {
        if self.cut == Cut::None { UTF16 } else { FIRST_LINES }
    }

    /// Returns true if the lines of a text with this beginning have to be rewritten.
    fn rewrites(&self, start: &[u8]) -> bool {
        self.cut != Cut::None && (self.comment.is_some() || has_carriages(start, self.cut))
    }

    fn marks(&self, start: &[u8], named: Option<u8>) -> Marks {
        let (comment, carriage) = (self.comment, has_carriages(start, self.cut));
        match self.cut {
            Cut::Delimited { delimiter, quote } => {
                Marks { delimiter: named.or(Some(delimiter)), quote, comment, carriage }
            }
            _ => Marks { delimiter: None, quote: None, comment, carriage },
        }
    }

    /// Analyzes the beginning of a text. `start` has at least [`BEGINNING`] bytes unless the text is shorter.
    fn beginning(&self, start: &[u8]) -> io::Result<Beginning> {
        let mut begin =
            Beginning { lead: &[], first_line: Vec::new(), delimiter: None, blank: self.cut.blank() };
        // The byte of a newline may be half of a character in UTF-16.
        if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the file is UTF-16: it begins with the byte order mark of UTF-16 (give --encoding utf-16)",
            ));
        }
        if let Some(what) = not_text(start) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        // Records that end with NUL contain zeros in any case.
        let has_zeros = self.cut == Cut::None && self.terminator != b'\n';
        if let Some(name) = utf16_without_mark(start).filter(|_| !has_zeros) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("the file looks like UTF-16 without a byte order mark (give --encoding {name})"),
            ));
        }
        if self.cut == Cut::None {
            return Ok(begin);
        }
        if start.starts_with(BOM) {
            begin.lead = BOM;
        }
        let text = &start[begin.lead.len()..];
        let named =
            named_delimiter(text).filter(|(_, len)| text[len - 1] == b'\n' || has_carriages(start, self.cut));
        if let (true, Some((delimiter, len))) = (self.names_delimiter, named) {
            begin.delimiter = Some(delimiter).filter(|_| !self.has_delimiter);
            begin.first_line = text[..len].to_vec();
            if let Some(end) = begin.first_line.last_mut() {
                *end = b'\n';
            }
        }
        Ok(begin)
    }
}

/// Explains the beginning of a file that is a table or an archive and not text. Reading its lines would give rows of
/// meaningless bytes.
fn not_text(start: &[u8]) -> Option<&'static str> {
    // The byte after `PAR1` begins a structure of Thrift, and is not part of a text.
    let known: [(&[u8], &str); 4] = [
        (b"PAR1\x15", "the file is Parquet, not text (give --parquet, or a file name that ends in .parquet)"),
        (b"ARROW1\0\0", "the file is an Arrow file, not text (its name must end in .arrow or .feather)"),
        (b"SQLite format 3\0", "the file is an SQLite database, not text (its name must end in .sqlite)"),
        (
            b"PK\x03\x04",
            "the file is a ZIP archive or an Excel workbook, not text (extract the archive; the name of a workbook must end in .xlsx)",
        ),
    ];
    // An Arrow stream begins with a marker and the length of the schema. The marker is not UTF-8.
    if start.starts_with(&[0xff; 4]) && start.get(6..8) == Some(&[0, 0]) {
        return Some("the file is an Arrow stream, not text (its name must end in .arrow or .arrows)");
    }
    known.into_iter().find(|(magic, _)| start.starts_with(magic)).map(|(_, what)| what)
}

/// The number of bytes inspected at the beginning of a text: a byte order mark, and `sep=;` with its line ending.
const BEGINNING: usize = 10;

/// The number of bytes inspected at the beginning of a text with fields. If there are carriage returns but no newlines
/// outside quotes, lines end with carriage returns.
const FIRST_LINES: usize = 64 << 10;

/// The number of bytes at the beginning of a text that show whether it is UTF-16.
const UTF16: usize = 128;

/// Returns the name of the encoding if the beginning looks like UTF-16 without a byte order mark: in at least half of the
/// pairs of bytes, one byte is zero, always the first one or always the second one, and the other byte is a character of
/// Latin-1.
fn utf16_without_mark(start: &[u8]) -> Option<&'static str> {
    let pairs = start[..start.len().min(UTF16)].as_chunks::<2>().0;
    let least = 4.max(pairs.len() / 2);
    let is_latin = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0xa0..);
    let is_encoding = |high: usize| {
        let zeros = pairs.iter().filter(|pair| pair[high] == 0);
        zeros.clone().count() >= least
            && zeros.clone().all(|pair| is_latin(pair[1 - high]))
            && pairs.iter().all(|pair| pair[1 - high] != 0)
    };
    [("utf-16le", 1), ("utf-16be", 0)].into_iter().find(|(_, high)| is_encoding(*high)).map(|(name, _)| name)
}

/// Finds a line such as `sep=;` at the beginning of a CSV text. Returns the delimiter that the line sets, and the
/// length of the line. If the line contains a letter or a digit instead of a delimiter, it is a header. `start` must
/// not contain a byte order mark.
#[must_use]
pub fn named_delimiter(start: &[u8]) -> Option<(u8, usize)> {
    let [b's', b'e', b'p', b'=', delimiter, end @ ..] = start else { return None };
    let len = match end {
        [b'\n', ..] => 6,
        // The line endings are carriage returns: `Settings::beginning` replaces it.
        [b'\r', next, ..] if *next != b'\n' => 6,
        [b'\r', b'\n', ..] => 7,
        _ => return None,
    };
    let is_delimiter = matches!(delimiter, b'\t' | b' ') || delimiter.is_ascii_punctuation();
    (is_delimiter && *delimiter != b'"').then_some((*delimiter, len))
}

/// Opens one file.
pub(crate) fn text(input: &Input, settings: &Settings) -> Result<(Text, Beginning), Error> {
    blocks(input, settings)
        .and_then(|(blocks, begin)| {
            let splitter = settings.splitter(&begin);
            let text = Text::new(input.name(), blocks, settings.size, splitter, settings.limit, &begin)?;
            Ok((text, begin))
        })
        .map_err(|error| Error::Io { name: input.name(), error })
}

/// Returns true if the lines of a text with this beginning end with carriage returns, as those of old Macintosh
/// programs do. Line endings inside quotes don't count.
fn has_carriages(start: &[u8], cut: Cut) -> bool {
    let line = start.strip_suffix(b"\r").unwrap_or(start);
    if memchr(b'\r', line).is_none() {
        return false;
    }
    let Cut::Delimited { quote: Some(quote), .. } = cut else { return memchr(b'\n', start).is_none() };
    let (mut is_quoted, mut found) = (false, false);
    for (at, byte) in start.iter().enumerate() {
        match byte {
            byte if *byte == quote => is_quoted = !is_quoted,
            b'\n' if !is_quoted => return false,
            b'\r' if !is_quoted && at < line.len() => found = true,
            _ => {}
        }
    }
    found
}

fn blocks(input: &Input, settings: &Settings) -> io::Result<(Blocks, Beginning)> {
    const LEN: usize = if BEGINNING > Compression::MAGIC_LEN { BEGINNING } else { Compression::MAGIC_LEN };
    let looked_at = settings.looked_at();
    match input.open()? {
        Opened::File(mut file, offset) => {
            let start = start(&mut file, LEN.max(looked_at))?;
            file.seek(SeekFrom::Start(offset))?;
            match compression(input, settings, &start)? {
                Some(compression) => {
                    streamed(unpacked(compression, Box::new(file), settings.long_window)?, true, settings)
                }
                None if settings.encoding.is_some() || settings.rewrites(&start) => {
                    streamed(Box::new(file), false, settings)
                }
                None => {
                    let begin = settings.beginning(&start)?;
                    let offset = offset + (begin.lead.len() + begin.first_line.len()) as u64;
                    Ok((Blocks::of_file(file, offset, settings.plan())?, begin))
                }
            }
        }
        Opened::Stream(mut stream) => {
            let start = start(&mut stream, LEN)?;
            let compression = compression(input, settings, &start)?;
            let stream = Box::new(Cursor::new(start).chain(stream));
            match compression {
                Some(compression) => {
                    streamed(unpacked(compression, stream, settings.long_window)?, true, settings)
                }
                None => streamed(stream, false, settings),
            }
        }
    }
}

/// Detects the compression of the input from its first bytes. It is an error if the name indicates compression but the
/// bytes don't.
fn compression(input: &Input, settings: &Settings, start: &[u8]) -> io::Result<Option<Compression>> {
    if !settings.unpack {
        return Ok(None);
    }
    let named = input.as_path().and_then(Compression::of_path);
    match (Compression::of_magic(start), named) {
        (None, Some(named)) => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("its name indicates {0} data, but its first bytes are not those of {0}", named.name()),
        )),
        (found, _) => Ok(found),
    }
}

fn streamed(
    mut reader: Box<dyn Read + Send>,
    packed: bool,
    settings: &Settings,
) -> io::Result<(Blocks, Beginning)> {
    if let Some(encoding) = settings.encoding {
        reader = Box::new(Decoded::new(reader, encoding));
    }
    let start = start(&mut reader, settings.looked_at())?;
    let begin = settings.beginning(&start)?;
    let rest = Cursor::new(start[begin.lead.len() + begin.first_line.len()..].to_vec()).chain(reader);
    let mut rest: Box<dyn Read + Send> = Box::new(rest);
    if settings.rewrites(&start) {
        rest = Box::new(Lines::new(rest, settings.marks(&start, begin.delimiter)));
    }
    Ok((Blocks::of_stream(rest, packed, settings.plan()), begin))
}

/// The first bytes: `len` of them, or fewer if the input is shorter.
fn start(reader: &mut (impl Read + ?Sized), len: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(len);
    reader.take(len as u64).read_to_end(&mut start)?;
    Ok(start)
}
