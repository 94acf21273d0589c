//! Values of processes whose type is known only at run time.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// The kind of a process's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// An integer.
    Whole,
    /// A list of integers, such as a path, counts or states.
    Wholes,
    /// A list of real numbers.
    Reals,
    /// The table number of each customer.
    Labels,
}

/// An outcome of a process.
///
/// In JSON it is a number, a list of numbers, or labels such as `{"labels": [0, 0, 1], "tables": [[1, 0], [2]]}`.
/// `tables` lists the tables in the order in which they were opened, each with its newest customer first.
#[derive(Clone, PartialEq)]
pub enum Value {
    /// A value of [`ValueKind::Whole`].
    Whole(i64),
    /// A value of [`ValueKind::Wholes`].
    Wholes(Vec<i64>),
    /// A value of [`ValueKind::Reals`].
    Reals(Vec<f64>),
    /// A value of [`ValueKind::Labels`], for customers 0 to n - 1. Tables are numbered from 0 in the order in which
    /// they were opened.
    Labels(Vec<u32>),
}

impl Value {
    /// The last item, or the list itself if it is empty.
    pub(super) fn last(list: Vec<i64>) -> Self {
        list.last().copied().map_or_else(|| Value::Wholes(Vec::new()), Value::Whole)
    }

    /// The order of values of one process; lists are compared item by item.
    // This is not inlined, because a sort calls it in many places.
    #[inline(never)]
    pub(super) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Whole(one), Value::Whole(other)) => one.cmp(other),
            (Value::Wholes(one), Value::Wholes(other)) => one.cmp(other),
            (Value::Labels(one), Value::Labels(other)) => one.cmp(other),
            // Real numbers are not enumerated, so they are not sorted either.
            _ => Ordering::Equal,
        }
    }

    /// The kind of this value.
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

/// Writes only the number or list, without the name of the variant.
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

/// Returns the customers of each table, in the order of the table numbers, with the newest customer first. If a number
/// does not occur in the labels, the table with this number is empty. This takes O(n) time.
#[must_use]
pub fn tables(labels: &[u32]) -> Vec<Vec<u32>> {
    let count = labels.iter().max().map_or(0, |&most| most as usize + 1);
    let mut tables = vec![Vec::new(); count];
    for (customer, &table) in labels.iter().enumerate().rev() {
        tables[table as usize].push(customer as u32);
    }
    tables
}

/// Returns the number of customers of each table, in the order of the table numbers. This takes O(n) time.
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
