//! Samples as bytes: what `--state-out` writes.
//!
//! Fields, in the envelope of `hashwell_draw::state`: key, k, method, weight column and weight of blanks, stratum column,
//! allocation, key column, format, header; then the parts, each with its label, sampler and rows; or the keys, each
//! with its ticket and rows. What there may be is a field of bytes: none, or a 1 and the bytes.

use super::kept::Kept;
use super::keys::Keys;
use super::made::{Sample, Shape};
use super::output::Sink;
use super::part::Part;
use super::plan::{By, Kind, SlotsDesign, Weight};
use super::sampler::Sampler;
use super::slots::Slots;
use super::stop::Stop;
use crate::system::report::{printable, reason};
use hashwell_draw::state::{Kind as Saved, Reader, Writer};
use hashwell_draw::{Error, Key};
use hashwell_rows::Format;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A sample that was saved, and how its rows look.
pub(super) struct State {
    pub(super) sample: Sample,
    pub(super) shape: Shape,
}

/// The most rows that a state may say went by: so many never do, and so many more can be counted.
pub(super) const MOST_ROWS: u64 = u64::MAX >> 1;

/// How every state begins.
const MAGIC: &[u8] = b"hwstate/";

/// The most bytes of a state that does not come from a file.
const MOST_PIPED: u64 = 4 << 30;

/// Formats by their number in states.
const FORMATS: [Format; 5] = [Format::Lines, Format::Nul, Format::Csv, Format::Tsv, Format::JsonLines];

/// Writes a sample's state into its file.
pub(super) fn write(path: &Path, sample: Sample, shape: &Shape) -> Result<(), Stop> {
    let bytes = to_bytes(sample, shape)?;
    let mut sink = Sink::open(Some(path), b'\n')?;
    sink.bytes(&bytes)?;
    Ok(sink.end()?)
}

/// Reads a state from its file.
pub(super) fn read(path: &Path) -> Result<State, Stop> {
    let name = || printable(path.as_os_str());
    let bytes = bounded(path).map_err(|error| Stop::work(format!("{}: {}", name(), reason(&error))))?;
    from_bytes(&bytes).map_err(|error| Stop::work(format!("{}: {error}", name())))
}

/// The bytes of a state. What is no file may have no end: it has to begin as a state does, and has at most [`MOST_PIPED`].
fn bounded(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    if file.metadata()?.is_file() {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes != MAGIC {
        // Read as a state it says so.
        return Ok(bytes);
    }
    file.take(MOST_PIPED).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_PIPED {
        return Err(io::Error::other(format!("a state from a pipe has at most {MOST_PIPED} bytes")));
    }
    Ok(bytes)
}

fn to_bytes(sample: Sample, shape: &Shape) -> Result<Vec<u8>, Stop> {
    let Some(format) = FORMATS.iter().position(|format| *format == shape.format) else {
        return Err(Stop::usage("--state-out is not of Parquet"));
    };
    let mut writer = Writer::new(Saved::Command);
    writer.bytes(&sample.key().0);
    match &sample {
        Sample::Slots(Slots { design: SlotsDesign { k, kind, weight, by }, .. }) => {
            writer.u64(*k as u64).bytes(kind.method().as_bytes());
            optional(&mut writer, weight.as_ref().map(|weight| weight.column.as_bytes()));
            let missing = weight.as_ref().and_then(|weight| weight.missing.as_deref());
            optional(&mut writer, missing.map(str::as_bytes));
            optional(&mut writer, by.as_ref().map(|by| by.column.as_bytes()));
            writer.u64(by.as_ref().is_some_and(|by| by.proportional).into());
            optional(&mut writer, None);
        }
        Sample::Keys(keys) => {
            writer.u64(keys.k as u64).bytes(TICKET);
            (0..3).for_each(|_| optional(&mut writer, None));
            writer.u64(0);
            optional(&mut writer, Some(keys.column.as_bytes()));
        }
    }
    writer.u64(format as u64);
    optional(&mut writer, shape.header.as_deref());
    match sample {
        Sample::Slots(slots) => write_parts(&mut writer, &slots)?,
        Sample::Keys(keys) => write_keys(&mut writer, keys),
    }
    Ok(writer.finish())
}

/// The method of samples of keys.
const TICKET: &[u8] = b"ticket";

fn write_parts(writer: &mut Writer, slots: &Slots) -> Result<(), Stop> {
    writer.u64(slots.parts.len() as u64);
    for label in slots.labels() {
        let part = &slots.parts[label];
        let ranks = part.sampler.ranks();
        writer.bytes(label).bytes(&part.key.0);
        optional(writer, part.sampler.to_bytes().as_deref());
        writer.u64(part.seen).u64(part.eligible).u64(part.kept.len() as u64);
        for (i, row) in part.kept.iter().enumerate() {
            writer.u64(row.number).bytes(&row.bytes).f64(ranks.as_ref().map_or(0.0, |ranks| ranks[i]));
        }
    }
    Ok(())
}

fn write_keys(writer: &mut Writer, keys: Keys) {
    let clusters = keys.clusters.into_sorted();
    writer.u64(keys.seen).u64(clusters.len() as u64);
    for (value, rows) in clusters {
        writer.bytes(&value).u64(rows.len() as u64);
        for row in rows {
            writer.u64(row.number).bytes(&row.bytes);
        }
    }
}

fn from_bytes(bytes: &[u8]) -> Result<State, Error> {
    let mut reader = Reader::new(bytes, Saved::Command)?;
    let key = read_key(&mut reader)?;
    let k = reader.usize()?;
    let method = reader.bytes()?;
    let column = maybe_text(&mut reader)?;
    let missing = maybe_text(&mut reader)?;
    let weight = column.map(|column| Weight { column, missing });
    let by = maybe_text(&mut reader)?;
    let proportional = reader.u64()? == 1;
    let by = by.map(|column| By { column, proportional });
    let key_column = maybe_text(&mut reader)?;
    let format =
        FORMATS.get(reader.usize()?).ok_or_else(|| Reader::contradiction("its format is unknown"))?;
    let shape = Shape { format: *format, header: maybe(&mut reader)?.map(<[u8]>::to_vec) };
    let sample = match (key_column, Kind::ALL.into_iter().find(|kind| kind.method().as_bytes() == method)) {
        (Some(column), None) if method == TICKET => {
            Sample::Keys(read_keys(&mut reader, Keys::new(k, key, &column))?)
        }
        (None, Some(kind)) => {
            let design = SlotsDesign { k, kind, weight, by };
            let parts = read_parts(&mut reader, &design)?;
            check_keys_and_numbers(&parts, &design, key)?;
            Sample::Slots(Slots { design, key, parts, before: 0 })
        }
        _ => return Err(Reader::contradiction("its method is unknown")),
    };
    reader.end()?;
    Ok(State { sample, shape })
}

fn read_parts(reader: &mut Reader<'_>, design: &SlotsDesign) -> Result<HashMap<Vec<u8>, Part>, Error> {
    let count = reader.u64()?;
    let mut parts = HashMap::new();
    for _ in 0..count {
        let label = reader.bytes()?.to_vec();
        let key = read_key(reader)?;
        let sampler = maybe(reader)?;
        let (seen, eligible, rows) = (reader.u64()?, reader.u64()?, reader.u64()?);
        let (mut kept, mut ranks) = (Vec::new(), Vec::new());
        for _ in 0..rows {
            kept.push(read_row(reader)?);
            ranks.push(reader.f64()?);
        }
        let ranks = (design.kind == Kind::Successive).then_some(ranks);
        let sampler = match sampler {
            Some(bytes) => Sampler::from_bytes(design.kind, &key, bytes)?,
            None => Sampler::Done { kind: design.kind, ranks },
        };
        check_part(design, &sampler, seen, eligible, kept.len())?;
        parts.insert(label, Part::over(key, sampler, kept, seen, eligible));
    }
    if parts.len() as u64 != count {
        return Err(Reader::contradiction("it has a stratum twice"));
    }
    if design.by.is_none() && !(parts.len() == 1 && parts.contains_key(&b""[..])) {
        return Err(Reader::contradiction("a sample without strata has one part"));
    }
    Ok(parts)
}

/// Each stratum has the key of its label, and each row a number that the stream had.
fn check_keys_and_numbers(
    parts: &HashMap<Vec<u8>, Part>,
    design: &SlotsDesign,
    key: Key,
) -> Result<(), Error> {
    let sum = |sum: u64, part: &Part| sum.checked_add(part.seen).filter(|seen| *seen <= MOST_ROWS);
    let seen = parts.values().try_fold(0, sum).ok_or_else(too_many)?;
    for (label, part) in parts {
        let own = if design.by.is_some() { key.stratum(label) } else { key };
        if part.key != own {
            return Err(Reader::contradiction("a stratum has a key that is not its own"));
        }
        check_numbers(&part.kept, seen)?;
    }
    Ok(())
}

fn too_many() -> Error {
    Reader::contradiction("it says that more rows went by than there can be")
}

fn check_numbers(rows: &[Kept], seen: u64) -> Result<(), Error> {
    if rows.iter().all(|row| (1..=seen).contains(&row.number)) {
        return Ok(());
    }
    Err(Reader::contradiction("a row has a number that the stream had not"))
}

/// A sampler and its rows belong together.
fn check_part(
    design: &SlotsDesign,
    sampler: &Sampler,
    seen: u64,
    eligible: u64,
    rows: usize,
) -> Result<(), Error> {
    let full = match design.kind {
        kind if kind.replaces() => {
            if eligible > 0 {
                design.k as u64
            } else {
                0
            }
        }
        _ => eligible.min(design.k as u64),
    };
    let same = sampler.size().is_none_or(|size| size == (seen, design.k, rows));
    if eligible <= seen && rows as u64 == full && same {
        return Ok(());
    }
    Err(Reader::contradiction("its rows are not as many as its sampler says"))
}

fn read_keys(reader: &mut Reader<'_>, mut keys: Keys) -> Result<Keys, Error> {
    let (seen, count) = (reader.u64()?, reader.u64()?);
    if seen > MOST_ROWS {
        return Err(too_many());
    }
    for _ in 0..count {
        let value = reader.bytes()?;
        let ticket = keys.key.ticket(value);
        for _ in 0..reader.u64()? {
            let row = read_row(reader)?;
            check_numbers(std::slice::from_ref(&row), seen)?;
            keys.clusters.offer(ticket, value, row)?;
        }
    }
    keys.seen = seen;
    if keys.clusters.seen() > seen {
        return Err(Reader::contradiction("it has more rows than went by"));
    }
    Ok(keys)
}

fn read_row(reader: &mut Reader<'_>) -> Result<Kept, Error> {
    Ok(Kept { number: reader.u64()?, bytes: reader.bytes()?.to_vec() })
}

fn read_key(reader: &mut Reader<'_>) -> Result<Key, Error> {
    let bytes = reader.bytes()?.try_into();
    bytes.map(Key).map_err(|_| Reader::contradiction("a key has 32 bytes"))
}

fn optional(writer: &mut Writer, bytes: Option<&[u8]>) {
    match bytes {
        None => writer.bytes(&[]),
        Some(bytes) => writer.bytes(&[&[1], bytes].concat()),
    };
}

fn maybe<'a>(reader: &mut Reader<'a>) -> Result<Option<&'a [u8]>, Error> {
    Ok(reader.bytes()?.split_first().map(|(_, bytes)| bytes))
}

fn maybe_text(reader: &mut Reader<'_>) -> Result<Option<String>, Error> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec());
    maybe(reader)?.map(text).transpose().map_err(|_| Reader::contradiction("a column's name is no UTF-8"))
}
