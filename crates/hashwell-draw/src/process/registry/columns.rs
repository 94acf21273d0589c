//! Many values of one process in flat arrays.

use super::value::{Value, ValueKind};
use crate::Error;
use std::ops::Range;

/// Many values of one process in flat arrays, as needed by NumPy and columnar files.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    /// The items of all values, one value after another.
    pub data: Data,
    /// The shape, which defines where each value ends.
    pub shape: Shape,
    /// The number of replicates, counted from the first one.
    pub replicates: u64,
    /// True if all replicates were simulated; false if the simulation was canceled.
    pub finished: bool,
}

/// The items of values.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Items of [`ValueKind::Whole`] and [`ValueKind::Wholes`].
    I64(Vec<i64>),
    /// Items of [`ValueKind::Labels`].
    U32(Vec<u32>),
    /// Items of [`ValueKind::Reals`].
    F64(Vec<f64>),
}

/// The way in which items form values. It depends only on the process and its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Each item is a value.
    Scalars,
    /// Each value has the same number of items.
    Rows {
        /// The number of items of each value, which can be 0.
        width: usize,
    },
    /// Value j consists of the items from offset j up to, but not including, offset j + 1. There is one more offset
    /// than there are values.
    Ragged(Vec<usize>),
}

/// The number of items of each value of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// One item, which is the value.
    One,
    /// The same number for each value.
    Fixed(usize),
    /// A different number for each value.
    Ragged,
}

impl Width {
    /// The shape of values. `offsets` is used if the values have different numbers of items.
    pub(super) fn shape(self, offsets: Vec<usize>) -> Shape {
        match self {
            Width::One => Shape::Scalars,
            Width::Fixed(width) => Shape::Rows { width },
            Width::Ragged => Shape::Ragged(offsets),
        }
    }
}

impl Data {
    /// Creates an empty list for this kind of value.
    pub(super) fn of(outcome: ValueKind) -> Self {
        match outcome {
            ValueKind::Whole | ValueKind::Wholes => Data::I64(Vec::new()),
            ValueKind::Labels => Data::U32(Vec::new()),
            ValueKind::Reals => Data::F64(Vec::new()),
        }
    }

    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Data::I64(items) => items.len(),
            Data::U32(items) => items.len(),
            Data::F64(items) => items.len(),
        }
    }

    /// Returns true if there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the items of a value, which must be of this kind.
    pub(super) fn push(&mut self, value: &Value) -> Result<(), Error> {
        match (self, value) {
            (Data::I64(items), Value::Whole(whole)) => extend(items, &[*whole]),
            (Data::I64(items), Value::Wholes(wholes)) => extend(items, wholes),
            (Data::U32(items), Value::Labels(labels)) => extend(items, labels),
            (Data::F64(items), Value::Reals(reals)) => extend(items, reals),
            (_, value) => {
                Err(Error::invalid("a value of this process", format!("its kind is {:?}", value.kind())))
            }
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
            _ => Err(Error::invalid("values of one kind", "two kinds")),
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

/// The items of values while they are collected.
pub(super) struct Items {
    pub(super) data: Data,
    /// The end of each value, if values have different numbers of items.
    ends: Vec<usize>,
}

impl Items {
    pub(super) fn of(outcome: ValueKind) -> Self {
        Self { data: Data::of(outcome), ends: Vec::new() }
    }

    /// Ends a value, which consists of the data added since the last end.
    pub(super) fn end(&mut self, width: Width) -> Result<(), Error> {
        if width == Width::Ragged { extend(&mut self.ends, &[self.data.len()]) } else { Ok(()) }
    }

    /// Creates an empty list. Reserves memory for these replicates if their width is known. If the memory cannot be
    /// reserved, this is not an error yet, because a simulation may be canceled before it needs the memory.
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

    /// Appends the values of another list.
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
