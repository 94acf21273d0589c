//! What comes of a process whose kind is known at run time only.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// What a process's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// A whole number.
    Whole,
    /// A list of whole numbers: a path, counts, states.
    Wholes,
    /// A list of real numbers.
    Reals,
    /// The table of each customer.
    Labels,
}

/// What came of a process.
///
/// As JSON: a number; a list of numbers; labels as `{"labels": [0, 0, 1], "tables": [[1, 0], [2]]}`, tables in their order
/// of opening, the newest customer first.
#[derive(Clone, PartialEq)]
pub enum Value {
    /// [`ValueKind::Whole`].
    Whole(i64),
    /// [`ValueKind::Wholes`].
    Wholes(Vec<i64>),
    /// [`ValueKind::Reals`].
    Reals(Vec<f64>),
    /// [`ValueKind::Labels`]: of the customers 0 to n - 1, the tables being numbered from 0 in their order of opening.
    Labels(Vec<u32>),
}

impl Value {
    /// The last of these; the list itself if it is empty.
    pub(super) fn last(list: Vec<i64>) -> Self {
        list.last().copied().map_or_else(|| Value::Wholes(Vec::new()), Value::Whole)
    }

    /// The order of values of one process: of numbers, and item by item of lists.
    // Not inlined, because a sort calls it in many places.
    #[inline(never)]
    pub(super) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Whole(one), Value::Whole(other)) => one.cmp(other),
            (Value::Wholes(one), Value::Wholes(other)) => one.cmp(other),
            (Value::Labels(one), Value::Labels(other)) => one.cmp(other),
            // Reals are not enumerated.
            _ => Ordering::Equal,
        }
    }

    /// Which it is.
    #[must_use]
    pub fn kind(&self) -> ValueKind {
        match self {
            Value::Whole(_) => ValueKind::Whole,
            Value::Wholes(_) => ValueKind::Wholes,
            Value::Reals(_) => ValueKind::Reals,
            Value::Labels(_) => ValueKind::Labels,
        }
    }
}

/// Its number or list alone.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Whole(whole) => whole.fmt(f),
            Value::Wholes(wholes) => wholes.fmt(f),
            Value::Reals(reals) => reals.fmt(f),
            Value::Labels(labels) => labels.fmt(f),
        }
    }
}

/// The customers of each table, in the order of the tables' numbers, the newest customer first. Labels that leave out a
/// table give an empty one. O(n).
#[must_use]
pub fn tables(labels: &[u32]) -> Vec<Vec<u32>> {
    let count = labels.iter().max().map_or(0, |&most| most as usize + 1);
    let mut tables = vec![Vec::new(); count];
    for (customer, &table) in labels.iter().enumerate().rev() {
        tables[table as usize].push(customer as u32);
    }
    tables
}

/// How many customers each table has, in the order of the tables' numbers. O(n).
#[must_use]
pub fn sizes(labels: &[u32]) -> Vec<u64> {
    let count = labels.iter().max().map_or(0, |&most| most as usize + 1);
    let mut sizes = vec![0; count];
    for &table in labels {
        sizes[table as usize] += 1;
    }
    sizes
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Whole(whole) => whole.serialize(serializer),
            Value::Wholes(wholes) => wholes.serialize(serializer),
            Value::Reals(reals) => reals.serialize(serializer),
            Value::Labels(labels) => {
                let mut object = serializer.serialize_struct("Labels", 2)?;
                object.serialize_field("labels", labels)?;
                object.serialize_field("tables", &tables(labels))?;
                object.end()
            }
        }
    }
}
