//! Many values of one process in flat arrays.

use super::value::{Value, ValueKind};
use crate::Error;
use std::ops::Range;

/// Many values of one process in flat arrays, as NumPy and files of columns want them.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    /// The values, one after the other.
    pub data: Data,
    /// Where each value ends.
    pub shape: Shape,
    /// Replicates that are there: the first ones.
    pub replicates: u64,
    /// Whether all were simulated: false after a break.
    pub finished: bool,
}

/// The items of values.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Of [`ValueKind::Whole`] and [`ValueKind::Wholes`].
    I64(Vec<i64>),
    /// Of [`ValueKind::Labels`].
    U32(Vec<u32>),
    /// Of [`ValueKind::Reals`].
    F64(Vec<f64>),
}

/// How items make values. It is the same for all values of a process with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An item is a value.
    Scalars,
    /// So many items each.
    Rows {
        /// Items of each; 0 of those that have none.
        width: usize,
    },
    /// Value j is the items from offset j up to offset j + 1; one offset more than values.
    Ragged(Vec<usize>),
}

/// How many items each value of a process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// One, which is the value.
    One,
    /// As many each.
    Fixed(usize),
    /// Each its own.
    Ragged,
}

impl Width {
    /// The shape of values, which end at these offsets if each has its own number of items.
    pub(super) fn shape(self, offsets: Vec<usize>) -> Shape {
        match self {
            Width::One => Shape::Scalars,
            Width::Fixed(width) => Shape::Rows { width },
            Width::Ragged => Shape::Ragged(offsets),
        }
    }
}

impl Data {
    /// None yet.
    pub(super) fn of(outcome: ValueKind) -> Self {
        match outcome {
            ValueKind::Whole | ValueKind::Wholes => Data::I64(Vec::new()),
            ValueKind::Labels => Data::U32(Vec::new()),
            ValueKind::Reals => Data::F64(Vec::new()),
        }
    }

    /// Items.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Data::I64(items) => items.len(),
            Data::U32(items) => items.len(),
            Data::F64(items) => items.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items of one more value, which is of this kind.
    pub(super) fn push(&mut self, value: &Value) -> Result<(), Error> {
        match (self, value) {
            (Data::I64(items), Value::Whole(whole)) => extend(items, &[*whole]),
            (Data::I64(items), Value::Wholes(wholes)) => extend(items, wholes),
            (Data::U32(items), Value::Labels(labels)) => extend(items, labels),
            (Data::F64(items), Value::Reals(reals)) => extend(items, reals),
            (_, value) => Err(Error::invalid("a value of this process", format!("{:?}", value.kind()))),
        }
    }

    fn reserve(&mut self, more: usize) -> Result<(), Error> {
        match self {
            Data::I64(items) => reserve(items, more),
            Data::U32(items) => reserve(items, more),
            Data::F64(items) => reserve(items, more),
        }
    }

    fn append(&mut self, other: &Self) -> Result<(), Error> {
        match (self, other) {
            (Data::I64(items), Data::I64(others)) => extend(items, others),
            (Data::U32(items), Data::U32(others)) => extend(items, others),
            (Data::F64(items), Data::F64(others)) => extend(items, others),
            _ => Err(Error::invalid("one kind of values", "two")),
        }
    }
}

fn extend<T: Copy>(items: &mut Vec<T>, more: &[T]) -> Result<(), Error> {
    reserve(items, more.len())?;
    items.extend_from_slice(more);
    Ok(())
}

fn reserve<T>(items: &mut Vec<T>, more: usize) -> Result<(), Error> {
    items.try_reserve(more).map_err(|_| Error::Memory { what: "the values of replicates" })
}

/// Values that are being gathered.
pub(super) struct Items {
    pub(super) data: Data,
    /// Where each ends, of ragged ones.
    ends: Vec<usize>,
}

impl Items {
    pub(super) fn of(outcome: ValueKind) -> Self {
        Self { data: Data::of(outcome), ends: Vec::new() }
    }

    /// What was put into the data since the last end is a value.
    pub(super) fn end(&mut self, width: Width) -> Result<(), Error> {
        if width == Width::Ragged { extend(&mut self.ends, &[self.data.len()]) } else { Ok(()) }
    }

    /// None yet, with room for those of so many replicates, if their width is known and there is as much memory. Where there
    /// is not, a simulation may still be stopped before it is needed.
    pub(super) fn with_room(outcome: ValueKind, width: Width, replicates: &Range<u64>) -> Self {
        let mut items = Self::of(outcome);
        let each = match width {
            Width::One => 1,
            Width::Fixed(width) => width,
            Width::Ragged => 0,
        };
        let count = usize::try_from(replicates.end.saturating_sub(replicates.start)).unwrap_or(usize::MAX);
        let _ = items.data.reserve(count.saturating_mul(each));
        items
    }

    /// Puts the values of others behind these.
    pub(super) fn append(&mut self, others: &Self) -> Result<(), Error> {
        let before = self.data.len();
        self.data.append(&others.data)?;
        reserve(&mut self.ends, others.ends.len())?;
        self.ends.extend(others.ends.iter().map(|end| before + end));
        Ok(())
    }

    /// The values as columns.
    pub(super) fn columns(self, width: Width, replicates: u64, finished: bool) -> Result<Columns, Error> {
        let mut offsets = self.ends;
        reserve(&mut offsets, 1)?;
        offsets.insert(0, 0);
        Ok(Columns { data: self.data, shape: width.shape(offsets), replicates, finished })
    }
}
