//! Samples of a fixed size, and the format of their rows.

use super::design::Design;
use super::keys::Keys;
use super::kind::Kind;
use super::row::{Kept, Pick, PickedRow, no_memory};
use super::slots::{Shortage, Slots, WeightSum};
use super::strata::PackedRows;
use crate::design::Clusters;
use crate::order::sort_by;
use crate::{Error, Key};
use serde::{Deserialize, Serialize};

/// The format of a row's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// Lines, each including its newline.
    #[serde(rename = "lines")]
    Lines,
    /// Records that end in a NUL byte, which is included.
    #[serde(rename = "zero")]
    Nul,
    /// Comma-separated values.
    #[serde(rename = "csv")]
    Csv,
    /// Tab-separated values.
    #[serde(rename = "tsv")]
    Tsv,
    /// JSON lines.
    #[serde(rename = "jsonl")]
    JsonLines,
    /// Objects of the calling program, such as Python objects, in an encoding that the program chooses.
    #[serde(rename = "objects")]
    Objects,
    /// Encoded rows of Arrow columns. The header is the schema of the columns.
    #[serde(rename = "arrow")]
    Arrow,
    /// Rows of a Parquet file, which have no separate bytes in the file.
    #[serde(rename = "parquet")]
    Parquet,
}

impl Form {
    /// The row formats that states can have. The index of a format is its number in states.
    pub(super) const SAVED: [Self; 7] =
        [Self::Lines, Self::Nul, Self::Csv, Self::Tsv, Self::JsonLines, Self::Objects, Self::Arrow];

    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Lines,
        Self::Nul,
        Self::Csv,
        Self::Tsv,
        Self::JsonLines,
        Self::Objects,
        Self::Arrow,
        Self::Parquet,
    ];

    /// Finds the format with this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// The name of the format in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Nul => "zero",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::JsonLines => "jsonl",
            Self::Objects => "objects",
            Self::Arrow => "arrow",
            Self::Parquet => "parquet",
        }
    }
}

/// The information about rows, in addition to their bytes, that is needed to write them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The format of the bytes.
    pub form: Form,
    /// The header or schema, if there is one.
    pub header: Option<Vec<u8>>,
}

impl Shape {
    /// Returns true if rows of both shapes can be written to the same file. A shape without a header agrees with any
    /// header, because an input without rows has no header.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        let headers = self.header.as_ref().zip(other.header.as_ref());
        self.form == other.form && headers.is_none_or(|(one, other)| one == other)
    }
}

/// The rows that were picked, in the order of drawing or of the input.
#[derive(Clone, Debug)]
pub struct Picks {
    rows: PickedRows,
    /// The ticket of each row; empty if no row has one.
    tickets: Vec<Option<u128>>,
    /// For each pick, the place of its row, if a row can be picked several times.
    places: Option<Vec<u32>>,
}

#[derive(Clone, Debug)]
enum PickedRows {
    Apart(Vec<Kept>),
    Packed(PackedRows),
}

impl PickedRows {
    fn get(&self, at: usize) -> PickedRow<'_> {
        match self {
            Self::Apart(rows) => PickedRow { number: rows[at].number, bytes: &rows[at].bytes },
            Self::Packed(rows) => rows.get(at),
        }
    }
}

impl Picks {
    /// The number of picks.
    #[must_use]
    pub fn len(&self) -> usize {
        match (&self.places, &self.rows) {
            (Some(places), _) => places.len(),
            (None, PickedRows::Apart(rows)) => rows.len(),
            (None, PickedRows::Packed(rows)) => rows.len(),
        }
    }

    /// Returns true if no row was picked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The picks in their order, each with its ticket if it has one.
    pub fn iter(&self) -> impl Iterator<Item = (Option<u128>, PickedRow<'_>)> {
        (0..self.len()).map(|at| {
            let row = self.places.as_ref().map_or(at, |places| places[at] as usize);
            (self.tickets.get(row).copied().flatten(), self.rows.get(row))
        })
    }
}

impl From<Vec<Kept>> for Picks {
    fn from(rows: Vec<Kept>) -> Self {
        Self { rows: PickedRows::Apart(rows), tickets: Vec::new(), places: None }
    }
}

/// Sorts places of rows by the rows' numbers. Uses a counting sort, because many places can be equal.
fn by_number(rows: &[Kept], mut places: Vec<u32>) -> Result<Vec<u32>, Error> {
    let mut counts: Vec<(u32, u32)> = Vec::new();
    counts.try_reserve_exact(rows.len()).map_err(|_| no_memory())?;
    counts.extend((0..rows.len() as u32).map(|row| (row, 0)));
    places.iter().for_each(|place| counts[*place as usize].1 += 1);
    // Strata number their rows separately, so the rows may not be sorted yet.
    let number = |row: u32| rows[row as usize].number;
    if !rows.is_sorted_by_key(|row| row.number) {
        sort_by(&mut counts, |one, other| number(one.0).cmp(&number(other.0)));
    }
    let mut at = 0;
    for (row, count) in counts {
        places[at..at + count as usize].fill(row);
        at += count as usize;
    }
    Ok(places)
}

/// A sample of a fixed size.
#[derive(Clone)]
pub enum Sample {
    /// A sample of rows.
    Slots(Slots),
    /// A sample of keys.
    Keys(Keys),
}

impl Sample {
    /// The reason why fewer rows were picked than requested, or `None` if there were enough.
    #[must_use]
    pub fn shortage(&self) -> Option<Shortage> {
        match self {
            Self::Slots(slots) => slots.shortage(),
            Self::Keys(keys) => keys.missing().map(Shortage::Keys),
        }
    }

    /// The number of rows or keys requested.
    #[must_use]
    pub fn k(&self) -> usize {
        match self {
            Self::Slots(slots) => slots.design.k,
            Self::Keys(keys) => keys.k,
        }
    }

    /// The number of rows seen.
    #[must_use]
    pub fn seen(&self) -> u64 {
        match self {
            Self::Slots(slots) => slots.seen(),
            Self::Keys(keys) => keys.seen,
        }
    }

    /// The probability with which each row is picked, as text. Returns `None` if it is not the same for all rows.
    #[must_use]
    pub fn chance(&self) -> Option<String> {
        let Self::Slots(slots) = self else { return None };
        let (k, n) = (slots.design.k as u64, slots.seen());
        let equal = slots.design.kind == Kind::Equal && slots.design.stratify.is_none();
        equal.then(|| Self::equal_chance(k, n))
    }

    /// The probability with which each of n rows is picked in a sample of k of these rows, as text.
    #[must_use]
    pub fn equal_chance(k: u64, n: u64) -> String {
        if k >= n { "1".to_owned() } else { format!("{k}/{n}") }
    }

    /// For weighted designs, the sums that estimates of totals need, for all rows or for each stratum.
    #[must_use]
    pub fn weights(&self) -> Vec<WeightSum> {
        match self {
            Self::Slots(slots) => slots.weights(),
            Self::Keys(_) => Vec::new(),
        }
    }

    /// The design of the sample.
    #[must_use]
    pub fn design(&self) -> Design {
        match self {
            Self::Slots(slots) => Design::Slots(slots.design.clone()),
            Self::Keys(keys) => keys.design(),
        }
    }

    /// The key from which the random numbers of the sample are derived.
    #[must_use]
    pub fn key(&self) -> Key {
        match self {
            Self::Slots(slots) => slots.key,
            Self::Keys(keys) => keys.key,
        }
    }

    /// Returns true if more rows can be offered.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        match self {
            Self::Slots(slots) => slots.goes_on(),
            Self::Keys(_) => true,
        }
    }

    /// Calls `each` with each row kept so far. The order is arbitrary, but stays the same until more rows are offered.
    pub fn each_kept(&self, each: &mut dyn FnMut(PickedRow<'_>)) {
        let row = |row: &Kept| each(PickedRow { number: row.number, bytes: &row.bytes });
        match self {
            Self::Slots(slots) => slots.each_kept(each),
            Self::Keys(keys) => {
                keys.parts.values().flat_map(Clusters::iter).flat_map(|(_, rows)| rows).for_each(row);
            }
        }
    }

    /// Replaces the bytes of the rows kept, in the order of [`Sample::each_kept`].
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub fn set_kept(&mut self, bytes: impl IntoIterator<Item = Vec<u8>>) -> Result<(), Error> {
        let mut bytes = bytes.into_iter();
        match self {
            Self::Slots(slots) => slots.set_kept(&mut bytes)?,
            Self::Keys(keys) => {
                let rows = keys.parts.values_mut().flat_map(Clusters::rows_mut);
                rows.zip(bytes).for_each(|(row, bytes)| row.bytes = bytes);
            }
        }
        Ok(())
    }

    /// The rows in the order of drawing.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails, or [`Error::Memory`] if an allocation fails.
    pub fn drawn(self) -> Result<Vec<Pick>, Error> {
        Ok(match self {
            Self::Slots(slots) => slots.drawn()?.into_iter().map(|row| (None, row)).collect(),
            Self::Keys(keys) => keys.drawn(),
        })
    }

    /// The picked rows, in the order of drawing if `of_drawing` is true, or else in the order of the input. A row that
    /// was drawn several times is stored only once.
    ///
    /// # Errors
    /// Returns the same errors as [`Sample::drawn`].
    pub fn picks(self, of_drawing: bool) -> Result<Picks, Error> {
        match self {
            Self::Slots(mut slots) => {
                if let Some(rows) = slots.packed(of_drawing)? {
                    return Ok(Picks { rows: PickedRows::Packed(rows), tickets: Vec::new(), places: None });
                }
                match slots.shared()? {
                    Ok((rows, places)) => {
                        let places = if of_drawing { places } else { by_number(&rows, places)? };
                        let rows = PickedRows::Apart(rows);
                        Ok(Picks { rows, tickets: Vec::new(), places: Some(places) })
                    }
                    Err(slots) => {
                        let mut rows = slots.drawn()?;
                        if !of_drawing {
                            sort_by(&mut rows, |one, other| one.number.cmp(&other.number));
                        }
                        Ok(rows.into())
                    }
                }
            }
            Self::Keys(keys) => {
                let mut picks = keys.drawn();
                if !of_drawing {
                    sort_by(&mut picks, |(_, one), (_, other)| one.number.cmp(&other.number));
                }
                let (tickets, rows) = picks.into_iter().unzip();
                Ok(Picks { rows: PickedRows::Apart(rows), tickets, places: None })
            }
        }
    }
}
