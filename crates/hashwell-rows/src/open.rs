//! From an input to its blocks: what it is, whether it is packed, and how it begins.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

use crate::blocks::{Blocks, Plan};
use crate::error::Error;
use crate::fields::{BOM, Cut};
use crate::input::{Input, Opened};
use crate::options::Compression;
use crate::split::Splitter;
use crate::text::Text;
use crate::unpack::unpacked;

/// What all inputs of a stream have in common.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) cut: Cut,
    pub(crate) terminator: u8,
    pub(crate) unpack: bool,
    pub(crate) limit: usize,
    pub(crate) size: usize,
    pub(crate) threads: usize,
}

impl Settings {
    fn splitter(&self) -> Splitter {
        match self.cut {
            Cut::Delimited { delimiter, quotes: true } => Splitter::quoted(delimiter, self.limit),
            _ => Splitter::plain(self.terminator),
        }
    }
}

/// Opens one file.
pub(crate) fn text(input: &Input, settings: &Settings) -> Result<Text, Error> {
    let splitter = settings.splitter();
    let plan = Plan { size: settings.size, threads: settings.threads, count: splitter.counted() };
    let lead = if settings.cut == Cut::None { &[][..] } else { BOM };
    blocks(input, settings, plan, lead)
        .and_then(|(blocks, lead)| {
            Text::new(input.name(), blocks, settings.size, splitter, settings.limit, lead)
        })
        .map_err(|error| Error::Io { name: input.name(), error })
}

fn blocks<'l>(
    input: &Input,
    settings: &Settings,
    plan: Plan,
    lead: &'l [u8],
) -> io::Result<(Blocks, &'l [u8])> {
    match input.open()? {
        Opened::File(mut file, offset) => {
            let start = start(&mut file, Compression::MAGIC_LEN)?;
            file.seek(SeekFrom::Start(offset))?;
            match compression(input, settings, &start)? {
                Some(compression) => streamed(unpacked(compression, Box::new(file))?, true, plan, lead),
                None => plain_file(file, offset, &start, plan, lead),
            }
        }
        Opened::Stream(mut stream) => {
            let start = start(&mut stream, Compression::MAGIC_LEN)?;
            let compression = compression(input, settings, &start)?;
            let stream = Box::new(Cursor::new(start).chain(stream));
            match compression {
                Some(compression) => streamed(unpacked(compression, stream)?, true, plan, lead),
                None => streamed(stream, false, plan, lead),
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

fn plain_file<'l>(
    file: File,
    offset: u64,
    start: &[u8],
    plan: Plan,
    lead: &'l [u8],
) -> io::Result<(Blocks, &'l [u8])> {
    let lead = checked_lead(start, lead)?;
    Ok((Blocks::of_file(file, offset + lead.len() as u64, plan)?, lead))
}

fn streamed(
    mut reader: Box<dyn Read + Send>,
    packed: bool,
    plan: Plan,
    lead: &[u8],
) -> io::Result<(Blocks, &[u8])> {
    if lead.is_empty() {
        return Ok((Blocks::of_stream(reader, packed, plan), lead));
    }
    let start = start(&mut reader, BOM.len())?;
    let lead = checked_lead(&start, lead)?;
    let rest = Cursor::new(start[lead.len()..].to_vec()).chain(reader);
    Ok((Blocks::of_stream(Box::new(rest), packed, plan), lead))
}

/// The mark, if the text begins with the one that is looked for. UTF-16 has no line feeds that could be found.
fn checked_lead<'l>(start: &[u8], lead: &'l [u8]) -> io::Result<&'l [u8]> {
    if !lead.is_empty() && (start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff])) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "this is UTF-16; rows are read as UTF-8 or ASCII",
        ));
    }
    Ok(if start.starts_with(lead) { lead } else { &[] })
}

/// The first bytes, fewer only where there are no more.
fn start(reader: &mut (impl Read + ?Sized), len: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(len);
    reader.take(len as u64).read_to_end(&mut start)?;
    Ok(start)
}
