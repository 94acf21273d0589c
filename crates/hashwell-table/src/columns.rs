//! Selects the columns of a table that are part of its rows, and their order.

use crate::cell::sort_by_name;
use crate::error::Error;
use crate::write::Writer;
use hashwell_arrow::{Field, Kind};
use std::sync::Arc;

/// The order of columns in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Columns are sorted by the bytes of their names, so tables that differ only in the order of columns are equal.
    #[default]
    Name,
    /// Columns are in the order in which they are selected or, if none are selected, in the order of the table.
    Declared,
}

/// A selection of a table's columns, of which its rows consist, and the type of the table. Copies share the type.
#[derive(Clone, Debug)]
pub struct Columns {
    field: Arc<Field>,
    /// The columns' indices in the table.
    places: Vec<usize>,
    header: Vec<u8>,
}

impl Columns {
    /// Selects the columns of a table that have these names, or all columns if `names` is `None`.
    ///
    /// # Errors
    /// Returns [`Error::NotATable`] if `field` is not a struct, [`Error::NoColumn`] if a name does not exist,
    /// [`Error::SameName`] if two columns have the same name or a name is requested twice, or [`Error::NoMemory`] if
    /// there is no memory for the names.
    pub fn new(field: &Field, names: Option<&[String]>, order: Order) -> Result<Self, Error> {
        if field.kind != Kind::Struct {
            return Err(Error::NotATable(field.format.clone()));
        }
        let children = &field.children;
        let name = |place: &usize| &children[*place].name;
        let mut places: Vec<usize> = match names {
            None => (0..children.len()).collect(),
            Some(names) => places_of(children, names)?,
        };
        let mut by_name = places.clone();
        sort_by_name(&mut by_name, &|place| &children[place].name);
        if let Some(two) = by_name.windows(2).find(|two| name(&two[0]) == name(&two[1])) {
            return Err(Error::SameName(name(&two[0]).clone()));
        }
        if order == Order::Name {
            places = by_name;
        }
        let header = header_of(places.iter().map(|place| &*children[*place].name), order)?;
        Ok(Self { field: Arc::new(field.clone()), places, header })
    }

    /// Splits the selection into one selection for each column, in the same order. Each selection has [`Order::Name`].
    ///
    /// # Errors
    /// Returns [`Error::NoMemory`] if there is no memory for the names.
    pub fn each(&self) -> Result<Vec<Self>, Error> {
        let one = |(place, field): (usize, &Field)| {
            let header = header_of([&*field.name].into_iter(), Order::Name)?;
            Ok(Self { field: Arc::clone(&self.field), places: vec![place], header })
        };
        self.fields().map(one).collect()
    }

    /// The encoding of the column order and the names. Table digests depend on it; row digests don't.
    #[must_use]
    pub fn header(&self) -> &[u8] {
        &self.header
    }

    /// The names of the columns, in the order in which a row contains them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields().map(|(_, field)| &*field.name)
    }

    /// The table's type.
    #[must_use]
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Each column's index in the table, and its type.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (usize, &Field)> {
        self.places.iter().map(|place| (*place, &self.field.children[*place]))
    }
}

/// The indices of the columns with these names, which must be unique.
fn places_of(children: &[Field], names: &[String]) -> Result<Vec<usize>, Error> {
    let mut sorted: Vec<usize> = (0..children.len()).collect();
    sort_by_name(&mut sorted, &|place| &children[place].name);
    let place = |name: &String| {
        let from = sorted.partition_point(|place| children[*place].name < *name);
        let mut found = sorted[from..].iter().copied().take_while(|place| children[*place].name == *name);
        let place = found.next().ok_or_else(|| Error::NoColumn(name.clone()))?;
        if found.next().is_some() { Err(Error::SameName(name.clone())) } else { Ok(place) }
    };
    names.iter().map(place).collect()
}

/// The header of these names.
fn header_of<'a>(names: impl ExactSizeIterator<Item = &'a str>, order: Order) -> Result<Vec<u8>, Error> {
    let mut header = Writer::default();
    header.put(b"\x61hwrow/1");
    header.put(&[u8::from(order == Order::Declared)]);
    header.len(names.len());
    for name in names {
        header.len(name.len());
        header.put(name.as_bytes());
    }
    header.go_on().map_err(|_| Error::NoMemory(header.bytes.len()))?;
    Ok(header.bytes)
}

/// The order and names in a header, or `None` if [`header_of`] never writes this header.
pub(crate) fn parts_of(header: &[u8]) -> Option<(Order, Vec<String>)> {
    let (order, mut rest) = match header.strip_prefix(b"\x61hwrow/1")? {
        [0, rest @ ..] => (Order::Name, rest),
        [1, rest @ ..] => (Order::Declared, rest),
        _ => return None,
    };
    // Longer encodings of a length are rejected, because they would make a different table that looks the same.
    let len = |rest: &mut &[u8]| match rest.split_off_first()? {
        255 => {
            let long = u64::from_be_bytes(rest.split_off(..8)?.try_into().ok()?);
            usize::try_from(long).ok().filter(|long| *long >= 255)
        }
        short => Some(usize::from(*short)),
    };
    let mut names = Vec::new();
    for _ in 0..len(&mut rest)? {
        let name = len(&mut rest)?;
        names.push(String::from_utf8(rest.split_off(..name)?.to_vec()).ok()?);
    }
    let mut sorted: Vec<usize> = (0..names.len()).collect();
    sort_by_name(&mut sorted, &|place| &names[place]);
    let differ = sorted.windows(2).all(|two| names[two[0]] != names[two[1]]);
    let right = differ && (order == Order::Declared || sorted.is_sorted());
    (right && rest.is_empty()).then_some((order, names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_no_columns_have() {
        let names = |rest: &[u8]| parts_of(&[b"\x61hwrow/1", rest].concat()).map(|(_, names)| names);
        assert_eq!(names(b"\0\x02\x01a\x01b"), Some(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(names(b"\x01\x02\x01b\x01a"), Some(vec!["b".to_owned(), "a".to_owned()]));
        let long = [b"\0\x01", &[255, 0, 0, 0, 0, 0, 0, 1, 44][..], &[b'x'; 300]].concat();
        assert_eq!(names(&long), Some(vec!["x".repeat(300)]));
        let wrong: [&[u8]; 9] = [
            b"\x02\0",
            b"\0\x02\x01b\x01a",
            b"\0\x02\x01a\x01a",
            b"\x01\x02\x01a\x01a",
            b"\0\xff\0\0\0\0\0\0\0\x01\x01a",
            b"\0\x01\xff\0\0\0\0\0\0\0\x01a",
            b"\0\x01\x01a\0",
            b"\0\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\0\x01\x01\xff",
        ];
        assert!(wrong.iter().all(|rest| names(rest).is_none()));
    }
}
