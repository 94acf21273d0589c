//! From an input to its blocks: what it is, whether it is packed, and how it begins.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use crate::blocks::{Blocks, Plan};
use crate::error::Error;
use crate::fields::{BOM, Cut};
use crate::input::{Input, Opened};
use crate::options::Compression;
use crate::split::Splitter;
use crate::text::{Beginning, Text};
use crate::unpack::unpacked;

/// What all inputs of a stream have in common.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) cut: Cut,
    /// Whether a line `sep=;` at the beginning names the delimiter, as Excel writes it.
    pub(crate) names_delimiter: bool,
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
            Cut::Delimited { delimiter, quotes: true } => {
                Splitter::quoted(begin.delimiter.unwrap_or(delimiter), self.limit)
            }
            _ => Splitter::plain(self.terminator),
        }
    }

    fn plan(&self) -> Plan {
        let count =
            if let Cut::Delimited { quotes: true, .. } = self.cut { None } else { Some(self.terminator) };
        Plan { size: self.size, threads: self.threads, count, look_for_blanks: self.cut != Cut::None }
    }

    /// The beginning of a text, of which at least [`BEGINNING`] bytes are given unless it is shorter.
    fn beginning(&self, start: &[u8]) -> io::Result<Beginning> {
        let mut begin =
            Beginning { lead: &[], first_line: 0, delimiter: None, skip_blank: self.cut != Cut::None };
        if self.cut == Cut::None {
            return Ok(begin);
        }
        // UTF-16 has no line feeds that could be found.
        if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the file is UTF-16: expected UTF-8 or ASCII (convert it first)",
            ));
        }
        if start.starts_with(BOM) {
            begin.lead = BOM;
        }
        if let (true, Some((delimiter, len))) = (self.names_delimiter, named(&start[begin.lead.len()..])) {
            (begin.delimiter, begin.first_line) = (Some(delimiter), len);
        }
        Ok(begin)
    }
}

/// The bytes at the beginning of a text that are looked at: a mark, and `sep=;` with its line's end.
const BEGINNING: usize = 10;

/// The delimiter that a line at the beginning names, and how long this line is. A letter or a digit is none: then the line is
/// a header.
fn named(start: &[u8]) -> Option<(u8, usize)> {
    let [b's', b'e', b'p', b'=', delimiter, end @ ..] = start else { return None };
    let len = match end {
        [b'\n', ..] => 6,
        [b'\r', b'\n', ..] => 7,
        _ => return None,
    };
    let is_delimiter = matches!(delimiter, b'\t' | b' ') || delimiter.is_ascii_punctuation();
    (is_delimiter && *delimiter != b'"').then_some((*delimiter, len))
}

/// Opens one file. The second value is the delimiter that its first line names.
pub(crate) fn text(input: &Input, settings: &Settings) -> Result<(Text, Option<u8>), Error> {
    blocks(input, settings)
        .and_then(|(blocks, begin)| {
            let splitter = settings.splitter(&begin);
            let text = Text::new(input.name(), blocks, settings.size, splitter, settings.limit, &begin)?;
            Ok((text, begin.delimiter))
        })
        .map_err(|error| Error::Io { name: input.name(), error })
}

fn blocks(input: &Input, settings: &Settings) -> io::Result<(Blocks, Beginning)> {
    const LEN: usize = if BEGINNING > Compression::MAGIC_LEN { BEGINNING } else { Compression::MAGIC_LEN };
    match input.open()? {
        Opened::File(mut file, offset) => {
            let start = start(&mut file, LEN)?;
            file.seek(SeekFrom::Start(offset))?;
            match compression(input, settings, &start)? {
                Some(compression) => {
                    streamed(unpacked(compression, Box::new(file), settings.long_window)?, true, settings)
                }
                None => {
                    let begin = settings.beginning(&start)?;
                    let offset = offset + (begin.lead.len() + begin.first_line) as u64;
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

/// The first bytes say how the input is packed. A name that says that it is packed, and bytes that do not, contradict
/// each other.
fn compression(input: &Input, settings: &Settings, start: &[u8]) -> io::Result<Option<Compression>> {
    if !settings.unpack {
        return Ok(None);
    }
    let named = input.as_path().and_then(Compression::of_path);
    match (Compression::of_magic(start), named) {
        (None, Some(named)) => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("it is named as {} data, and does not begin as such", named.name()),
        )),
        (found, _) => Ok(found),
    }
}

fn streamed(
    mut reader: Box<dyn Read + Send>,
    packed: bool,
    settings: &Settings,
) -> io::Result<(Blocks, Beginning)> {
    let start = start(&mut reader, BEGINNING)?;
    let begin = settings.beginning(&start)?;
    let rest = Cursor::new(start[begin.lead.len() + begin.first_line..].to_vec()).chain(reader);
    Ok((Blocks::of_stream(Box::new(rest), packed, settings.plan()), begin))
}

/// The first bytes, fewer only where there are no more.
fn start(reader: &mut (impl Read + ?Sized), len: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(len);
    reader.take(len as u64).read_to_end(&mut start)?;
    Ok(start)
}
