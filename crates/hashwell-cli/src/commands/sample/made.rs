//! A sample of a fixed size, and how its rows look.

use super::kept::Kept;
use super::keys::Keys;
use super::plan::{Design, Kind};
use super::reading::Stream;
use super::slots::{Shortage, Slots};
use super::stop::Stop;
use hashwell_draw::Key;
use hashwell_rows::Format;

/// What is needed to write rows beside the rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) format: Format,
    pub(super) header: Option<Vec<u8>>,
}

impl Shape {
    pub(super) fn of(stream: &Stream<'_>) -> Self {
        let rows = &stream.rows;
        Self { format: rows.format(), header: rows.header().map(<[u8]>::to_vec) }
    }

    /// Whether rows of both can stand in one file. A file without rows has no header.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let headers = self.header.as_ref().zip(other.header.as_ref());
        self.format == other.format && headers.is_none_or(|(one, other)| one == other)
    }

    /// What ends a row of text.
    pub(super) fn terminator(&self) -> u8 {
        self.format.terminator().unwrap_or(b'\n')
    }
}

/// A row that was picked, with its ticket where there is one.
pub(super) type Pick = (Option<u128>, Kept);

/// A sample of a fixed size, all rows read.
pub(super) enum Sample {
    Slots(Slots),
    Keys(Keys),
}

impl Sample {
    pub(super) fn shortage(&self) -> Option<Shortage> {
        match self {
            Self::Slots(slots) => slots.shortage(),
            // Counted where they are listed.
            Self::Keys(_) => None,
        }
    }

    pub(super) fn k(&self) -> usize {
        match self {
            Self::Slots(slots) => slots.design.k,
            Self::Keys(keys) => keys.k,
        }
    }

    pub(super) fn seen(&self) -> u64 {
        match self {
            Self::Slots(slots) => slots.seen(),
            Self::Keys(keys) => keys.seen,
        }
    }

    /// The chance of each row, where all have the same one.
    pub(super) fn chance(&self) -> Option<String> {
        let Self::Slots(slots) = self else { return None };
        let (k, n) = (slots.design.k as u64, slots.seen());
        let equal = slots.design.kind == Kind::Equal && slots.design.by.is_none();
        equal.then(|| if k >= n { "1".to_owned() } else { format!("{k}/{n}") })
    }

    /// The design that it is of.
    pub(super) fn design(&self) -> Design {
        match self {
            Self::Slots(slots) => Design::Slots(slots.design.clone()),
            Self::Keys(keys) => Design::Keys { column: keys.column.clone(), k: keys.k },
        }
    }

    /// The key that it was drawn with.
    pub(super) fn key(&self) -> Key {
        match self {
            Self::Slots(slots) => slots.key,
            Self::Keys(keys) => keys.key,
        }
    }

    /// The rows in the order of drawing.
    pub(super) fn drawn(self) -> Result<Vec<Pick>, Stop> {
        Ok(match self {
            Self::Slots(slots) => slots.drawn()?.into_iter().map(|row| (None, row)).collect(),
            Self::Keys(keys) => keys.drawn(),
        })
    }
}
