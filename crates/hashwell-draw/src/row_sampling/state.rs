//! Saved states of samples.
//!
//! Fields, in the envelope of [`crate::state`]: key, k, method, weight column, default weight, columns of `stratify`,
//! allocation, columns of `group_by`, format, header. These are followed by the parts, each with its label, sampler and
//! rows, or by the number of rows seen and the keys. Each key has its ticket and rows, after the label of its stratum
//! if there are strata. An optional value is a field of bytes: empty, or a 1 followed by the value. Several columns are
//! a 2 followed by their names, encoded like the texts of a key.

use super::columns::joined;
use super::design::{SlotsDesign, Stratify, Weight};
use super::keys::Keys;
use super::kind::Kind;
use super::methods::{Engine, Merging, Method};
use super::part::Part;
use super::row::Kept;
use super::sample::{Form, Sample, Shape};
use super::sampler::Sampler;
use super::slots::Slots;
use crate::design::Clusters;
use crate::state::{Kind as Saved, Reader, Writer};
use crate::{Error, Key};

/// A saved sample, with the format of its rows.
#[derive(Clone)]
pub struct State {
    /// The sample.
    pub sample: Sample,
    /// The format of the sample's rows.
    pub shape: Shape,
}

/// The maximum number of rows seen in a saved state. No real stream has this many rows. After such a state is restored,
/// this many more rows can be counted without overflow.
pub const MAX_ROWS: u64 = u64::MAX >> 1;

/// The name of the method for samples of keys.
fn ticket() -> &'static [u8] {
    Method::of_engine(Engine::Keys).name.as_bytes()
}

impl State {
    /// Returns the state as bytes.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if the rows have no bytes, as in a Parquet file, or if the last row has to be offered
    /// again.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let Self { sample, shape } = self;
        let form = Form::SAVED.iter().position(|form| *form == shape.form);
        let form = form.ok_or_else(|| Error::refused("a state cannot store rows of this format"))?;
        let mut writer = Writer::new(Saved::Command);
        writer.bytes(&sample.key().0);
        match sample {
            Sample::Slots(Slots { design: SlotsDesign { k, kind, weight, stratify }, .. }) => {
                writer.u64(*k as u64).bytes(kind.method().as_bytes());
                optional(&mut writer, weight.as_ref().map(|weight| weight.column.as_bytes()));
                let default = weight.as_ref().and_then(|weight| weight.default.as_deref());
                optional(&mut writer, default.map(str::as_bytes));
                columns(&mut writer, stratify.as_ref().map(|stratify| &stratify.columns[..]));
                writer.u64(stratify.as_ref().is_some_and(|stratify| stratify.proportional).into());
                optional(&mut writer, None);
            }
            Sample::Keys(keys) => {
                writer.u64(keys.k as u64).bytes(ticket());
                (0..2).for_each(|_| optional(&mut writer, None));
                columns(&mut writer, keys.stratify.as_deref());
                writer.u64(0);
                columns(&mut writer, Some(&keys.columns));
            }
        }
        writer.u64(form as u64);
        optional(&mut writer, shape.header.as_deref());
        match sample {
            Sample::Slots(slots) => write_parts(&mut writer, slots)?,
            Sample::Keys(keys) => write_keys(&mut writer, keys),
        }
        Ok(writer.finish())
    }

    /// Restores a saved state.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the bytes are not a valid state, or if values in it contradict each other.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Saved::Command)?;
        let key = read_key(&mut reader)?;
        let k = reader.usize()?;
        let method = reader.bytes()?;
        let column = maybe_text(&mut reader)?;
        let default = maybe_text(&mut reader)?;
        let weight = column.map(|column| Weight { column, default });
        let stratify = maybe_columns(&mut reader)?;
        let proportional = reader.u64()? == 1;
        let group_by = maybe_columns(&mut reader)?;
        let form = Form::SAVED.get(reader.usize()?);
        let form = *form.ok_or_else(|| Reader::contradiction("its format is unknown"))?;
        let shape = Shape { form, header: maybe(&mut reader)?.map(<[u8]>::to_vec) };
        let kind = Kind::ALL.into_iter().find(|kind| kind.method().as_bytes() == method);
        let sample = match (group_by, kind) {
            (Some(columns), None) if method == ticket() => {
                Sample::Keys(read_keys(&mut reader, Keys::new(k, key, columns, stratify))?)
            }
            (None, Some(kind)) => {
                let stratify = stratify.map(|columns| Stratify { columns, proportional });
                let design = SlotsDesign { k, kind, weight, stratify };
                Sample::Slots(read_parts(&mut reader, design, key)?)
            }
            _ => return Err(Reader::contradiction("its method is unknown")),
        };
        reader.end()?;
        let state = Self { sample, shape };
        Reader::same(bytes, &state.to_bytes()?)?;
        Ok(state)
    }
}

fn write_parts(writer: &mut Writer, slots: &Slots) -> Result<(), Error> {
    writer.u64(slots.count() as u64);
    slots.each_part(&mut |label, part| {
        part.check_whole()?;
        let (ranks, slots) = (part.sampler.ranks(), part.slots());
        writer.bytes(label).bytes(&part.key.0);
        optional(writer, part.sampler.to_bytes().as_deref());
        writer.u64(part.seen).u64(part.eligible).u64(slots as u64);
        let mut slot = 0..;
        part.each_slot(&mut |row| {
            let rank = ranks.as_ref().zip(slot.next()).map_or(0.0, |(ranks, slot): (_, usize)| ranks[slot]);
            writer.u64(row.number).bytes(&row.bytes).f64(rank);
        })
    })
}

fn write_keys(writer: &mut Writer, keys: &Keys) {
    writer.u64(keys.seen);
    if keys.stratify.is_some() {
        writer.u64(keys.parts.len() as u64);
    }
    for (label, clusters) in &keys.parts {
        if keys.stratify.is_some() {
            writer.bytes(label);
        }
        writer.u64(clusters.len() as u64);
        for (value, rows) in clusters.iter() {
            writer.bytes(value).u64(rows.len() as u64);
            for row in rows {
                writer.u64(row.number).bytes(&row.bytes);
            }
        }
    }
}

fn read_parts(reader: &mut Reader<'_>, design: SlotsDesign, key: Key) -> Result<Slots, Error> {
    let count = reader.u64()?;
    let mut slots = Slots::empty(design, key)?;
    let (mut seen_by_all, mut largest) = (0_u64, 0);
    for _ in 0..count {
        let design = &slots.design;
        let label = reader.bytes()?.to_vec();
        // Each stratum has the key derived from its label.
        let own = if design.stratify.is_some() { key.stratum(&label) } else { key };
        if read_key(reader)? != own {
            return Err(Reader::contradiction("a stratum has the key of a different stratum"));
        }
        let sampler = maybe(reader)?;
        let (seen, eligible, rows) = (reader.u64()?, reader.u64()?, reader.u64()?);
        let (mut kept, mut ranks) = (Vec::new(), Vec::new());
        for _ in 0..rows {
            let row = read_row(reader)?;
            if row.number == 0 {
                return Err(other_number());
            }
            largest = largest.max(row.number);
            kept.push(row);
            ranks.push(reader.f64()?);
        }
        let ranks = (design.kind.row().merging == Merging::Ranks).then_some(ranks);
        let sampler = match sampler {
            Some(bytes) => Sampler::from_bytes(design.kind, &own, bytes, kept.len())?,
            None => Sampler::Done { kind: design.kind, ranks },
        };
        check_part(design, &sampler, seen, eligible, kept.len())?;
        let sum = seen_by_all.checked_add(seen).filter(|seen| *seen <= MAX_ROWS);
        seen_by_all = sum.ok_or_else(too_many)?;
        if !slots.restore(label, Part::of_slots(own, sampler, kept, seen, eligible)?)? {
            return Err(Reader::contradiction("a stratum occurs twice"));
        }
    }
    // A row's number cannot exceed the number of rows in the stream.
    if largest > seen_by_all {
        return Err(other_number());
    }
    if slots.design.stratify.is_none() && !(slots.parts.len() == 1 && slots.parts.contains_key(&b""[..])) {
        return Err(Reader::contradiction("its strata do not match its design"));
    }
    Ok(slots)
}

fn other_number() -> Error {
    Reader::contradiction("the number of a row is larger than the number of rows read")
}

fn too_many() -> Error {
    Reader::contradiction("it counts more rows than are possible")
}

fn check_numbers(rows: &[Kept], seen: u64) -> Result<(), Error> {
    if rows.iter().all(|row| (1..=seen).contains(&row.number)) {
        return Ok(());
    }
    Err(other_number())
}

/// Checks that a sampler and its rows are consistent.
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
    Err(Reader::contradiction("the number of stored rows doesn't match the sampler's state"))
}

fn read_keys(reader: &mut Reader<'_>, mut keys: Keys) -> Result<Keys, Error> {
    let seen = reader.u64()?;
    if seen > MAX_ROWS {
        return Err(too_many());
    }
    let strata = if keys.stratify.is_some() { reader.u64()? } else { 1 };
    for _ in 0..strata {
        let label = if keys.stratify.is_some() { reader.bytes()? } else { &[] };
        for _ in 0..reader.u64()? {
            let value = reader.bytes()?;
            let ticket = keys.key.ticket(value);
            for _ in 0..reader.u64()? {
                let row = read_row(reader)?;
                check_numbers(std::slice::from_ref(&row), seen)?;
                keys.keep(ticket, label, value, row)?;
            }
        }
    }
    keys.seen = seen;
    if keys.parts.values().map(Clusters::seen).sum::<u64>() > seen {
        return Err(Reader::contradiction("it has more rows than were read"));
    }
    Ok(keys)
}

fn read_row(reader: &mut Reader<'_>) -> Result<Kept, Error> {
    Ok(Kept { number: reader.u64()?, bytes: reader.bytes()?.to_vec() })
}

fn read_key(reader: &mut Reader<'_>) -> Result<Key, Error> {
    let bytes = reader.bytes()?.try_into();
    bytes.map(Key).map_err(|_| Reader::contradiction("a key must have 32 bytes"))
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
    maybe(reader)?.map(text).transpose().map_err(|_| no_text())
}

/// Writes column names: a single one like any optional text, several after a 2.
fn columns(writer: &mut Writer, names: Option<&[String]>) {
    match names {
        Some([name]) => optional(writer, Some(name.as_bytes())),
        Some(names) => {
            let names: Vec<_> = names.iter().map(|name| name.as_bytes().into()).collect();
            writer.bytes(&[&[2], &*joined(&names)].concat());
        }
        None => optional(writer, None),
    }
}

fn maybe_columns(reader: &mut Reader<'_>) -> Result<Option<Vec<String>>, Error> {
    let Some((&several, mut left)) = reader.bytes()?.split_first() else { return Ok(None) };
    let mut names = Vec::new();
    while several == 2 && !left.is_empty() {
        let field = left
            .split_first_chunk()
            .and_then(|(len, rest)| rest.split_at_checked(usize::try_from(u64::from_be_bytes(*len)).ok()?));
        let (name, rest) = field.ok_or_else(|| Reader::contradiction("a list of columns is truncated"))?;
        names.push(name);
        left = rest;
    }
    if several != 2 {
        names.push(left);
    }
    let text = |name: &[u8]| String::from_utf8(name.to_vec());
    names.into_iter().map(text).collect::<Result<_, _>>().map(Some).map_err(|_| no_text())
}

fn no_text() -> Error {
    Reader::contradiction("a column name is not UTF-8")
}
