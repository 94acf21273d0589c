//! The list of entries that a draw picks from, and its digest.

use crate::Error;
use crate::key::OPEN_LIST;
use crate::order::sort_unstable_by;
use hashwell::Sha256;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;

/// The origin of the rows, which determines how the digest of a list is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A list, whose digest is part of the key. Its rows are sorted by the bytes of their ids.
    List,
    /// The numbers 1 to n, in this order.
    Numbers,
    /// A stream that was not listed before the draw. Its rows stay in the order in which they came, and its digest is
    /// 32 zero bytes.
    Open,
}

/// A column of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Column {
    /// The row's name.
    Id,
    /// The label of the row's stratum.
    Stratum,
    /// The row's weight, a decimal number.
    Weight,
}

/// The columns of a list: an id, then optionally a stratum, then optionally a weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// True if rows have a stratum.
    pub stratum: bool,
    /// True if rows have a weight.
    pub weight: bool,
}

impl Columns {
    /// The names of the columns, in order.
    #[must_use]
    pub fn names(self) -> Vec<Column> {
        let optional = [(self.stratum, Column::Stratum), (self.weight, Column::Weight)];
        let there = optional.into_iter().filter(|(there, _)| *there).map(|(_, name)| name);
        std::iter::once(Column::Id).chain(there).collect()
    }

    /// Creates the columns from their names.
    ///
    /// # Errors
    /// Returns [`Error::InvalidList`] if the id is missing, or if the names are not in the required order.
    pub fn of_names(names: &[Column]) -> Result<Self, Error> {
        let columns =
            Self { stratum: names.contains(&Column::Stratum), weight: names.contains(&Column::Weight) };
        if columns.names() == names {
            Ok(columns)
        } else {
            Err(Error::list(
                "its columns must be an id, an optional stratum and an optional weight, in this order",
            ))
        }
    }

    /// The number that is hashed before the first row, so that lists with different columns have different digests. It
    /// is larger than the length of any id.
    fn mark(self) -> Option<u64> {
        match (self.stratum, self.weight) {
            (false, false) => None,
            (false, true) => Some(MARK_WEIGHT),
            (true, false) => Some(MARK_STRATUM),
            (true, true) => Some(MARK_BOTH),
        }
    }
}

const MARK_NUMBERS: u64 = u64::MAX;
const MARK_WEIGHT: u64 = u64::MAX - 1;
const MARK_STRATUM: u64 = u64::MAX - 2;
const MARK_BOTH: u64 = u64::MAX - 3;

/// The rows that a draw picks from: a list, the numbers 1 to n, or the rows of a stream.
#[derive(Clone, Debug)]
pub struct EntryList {
    kind: Kind,
    columns: Columns,
    digest: [u8; 32],
    rows: Rows,
}

#[derive(Clone, Debug)]
enum Rows {
    Numbers(u64),
    List { text: String, spots: Vec<Spot> },
}

/// The place of a row in the text: its fields follow one another.
#[derive(Clone, Copy, Debug)]
struct Spot {
    start: usize,
    id_end: usize,
    stratum_end: usize,
    weight_end: usize,
}

impl Spot {
    fn id(self) -> Range<usize> {
        self.start..self.id_end
    }
}

/// Builds an [`EntryList`] row by row.
#[derive(Debug)]
pub struct EntryListBuilder {
    columns: Columns,
    text: String,
    spots: Vec<Spot>,
}

impl EntryListBuilder {
    /// Starts a list with these columns.
    #[must_use]
    pub fn new(columns: Columns) -> Self {
        Self { columns, text: String::new(), spots: Vec::new() }
    }

    /// Adds a row: the id, then the stratum and the weight if there are such columns. Fields are used unchanged, byte
    /// for byte.
    ///
    /// # Errors
    /// Returns [`Error::InvalidList`] if the id is empty, if the number of fields differs from the number of columns,
    /// or if the weight is not a decimal number. Returns [`Error::Memory`] if an allocation fails.
    pub fn push(&mut self, fields: &[&str]) -> Result<(), Error> {
        let row = self.spots.len() + 1;
        let wanted = self.columns.names();
        if fields.len() != wanted.len() {
            return Err(refused(
                row,
                &format!("has {} of {} columns, which are separated by tabs", fields.len(), wanted.len()),
            ));
        }
        if fields[0].is_empty() {
            return Err(refused(row, "has an empty id"));
        }
        let weight = if self.columns.weight { fields[fields.len() - 1] } else { "" };
        if self.columns.weight && !is_decimal(weight) {
            return Err(refused(
                row,
                &format!(
                    "has the weight {}, which is not a number such as 12 or 0.5 (at most {MAX_DECIMAL} characters)",
                    quoted(weight)
                ),
            ));
        }
        let stratum = if self.columns.stratum { fields[1] } else { "" };
        let memory = |_| Error::Memory { what: "the list" };
        self.text.try_reserve(fields[0].len() + stratum.len() + weight.len()).map_err(memory)?;
        self.spots.try_reserve(1).map_err(memory)?;
        let start = self.text.len();
        self.text.push_str(fields[0]);
        let id_end = self.text.len();
        self.text.push_str(stratum);
        let stratum_end = self.text.len();
        self.text.push_str(weight);
        self.spots.push(Spot { start, id_end, stratum_end, weight_end: self.text.len() });
        Ok(())
    }

    /// Returns the list of the rows added. It is sorted by the bytes of the ids, unless `open` is true.
    ///
    /// # Errors
    /// Returns [`Error::InvalidList`] if two rows have the same id.
    pub fn finish(self, open: bool) -> Result<EntryList, Error> {
        let Self { columns, text, mut spots } = self;
        // Both closures have the same type, so that the sort is compiled only once.
        let by_start: &dyn Fn(&Spot, &Spot) -> Ordering = &|a, b| a.start.cmp(&b.start);
        let by_id: &dyn Fn(&Spot, &Spot) -> Ordering =
            &|a, b| text[a.id()].cmp(&text[b.id()]).then_with(|| by_start(a, b));
        sort_unstable_by(&mut spots, by_id);
        if let Some(pair) = spots.windows(2).find(|pair| text[pair[0].id()] == text[pair[1].id()]) {
            // The text contains the rows in input order, so this is the number of the row in the input, from 1.
            let place = |spot: Spot| 1 + spots.iter().filter(|other| other.start < spot.start).count();
            return Err(Error::list(format!(
                "rows {} and {} have the same id {}",
                place(pair[0]),
                place(pair[1]),
                quoted(&text[pair[0].id()])
            )));
        }
        if open {
            sort_unstable_by(&mut spots, by_start);
        }
        let kind = if open { Kind::Open } else { Kind::List };
        let mut entries = EntryList { kind, columns, digest: OPEN_LIST, rows: Rows::List { text, spots } };
        if !open {
            entries.digest = entries.digest_of_list();
        }
        Ok(entries)
    }
}

impl EntryList {
    /// The numbers 1 to `n`. The id of each number is its decimal digits.
    #[must_use]
    pub fn numbers(n: u64) -> Self {
        let mut hash = Sha256::new();
        hash.update(&MARK_NUMBERS.to_be_bytes());
        hash.update(&n.to_be_bytes());
        Self {
            kind: Kind::Numbers,
            columns: Columns::default(),
            digest: hash.finalize(),
            rows: Rows::Numbers(n),
        }
    }

    /// Reads the rows of a file. The rows are lines without their line endings (LF or CRLF) or, if `zero` is true,
    /// texts that end in NUL. The last row may lack the LF or NUL at its end. If there are columns for the stratum or
    /// the weight, they follow the id, each after a TAB. Otherwise, the whole row is the id.
    ///
    /// # Errors
    /// Returns the same errors as [`EntryListBuilder::push`] and [`EntryListBuilder::finish`]. Also returns
    /// [`Error::InvalidList`] if the file is not UTF-8, if it has a byte order mark or, unless `zero` is true, if it
    /// contains a NUL byte or a CR that isn't followed by LF.
    pub fn read(content: &[u8], columns: Columns, zero: bool, open: bool) -> Result<Self, Error> {
        if let Some(mark) = byte_order_mark(content) {
            let reason =
                format!("it begins with the byte order mark of {mark}; save it as UTF-8 without a mark");
            return Err(Error::list(reason));
        }
        let mut builder = EntryListBuilder::new(columns);
        let end = if zero { 0 } else { b'\n' };
        let count = columns.names().len();
        for (i, line) in content.split_inclusive(|byte| *byte == end).enumerate() {
            let line = match line.strip_suffix(&[end]) {
                Some(line) if !zero => line.strip_suffix(b"\r").unwrap_or(line),
                Some(line) => line,
                None => line,
            };
            if let Some(reason) = (!zero).then(|| not_text(line)).flatten() {
                return Err(refused(i + 1, reason));
            }
            let line = std::str::from_utf8(line).map_err(|_| refused(i + 1, "is not UTF-8"))?;
            let mut fields: Vec<&str> = line.rsplitn(count, '\t').collect();
            fields.reverse();
            builder.push(&fields)?;
        }
        builder.finish(open)
    }

    /// The origin of the rows.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The digest F, which is part of the key.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.rows {
            Rows::Numbers(n) => *n,
            Rows::List { spots, .. } => spots.len() as u64,
        }
    }

    /// Returns true if the list has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of the row at this position, counted from 0.
    ///
    /// # Panics
    /// Panics if there is no such row.
    #[must_use]
    pub fn id(&self, position: u64) -> Cow<'_, str> {
        match &self.rows {
            Rows::Numbers(n) => {
                assert!(position < *n, "a position below n");
                (position + 1).to_string().into()
            }
            Rows::List { text, spots } => text[spots[position as usize].id()].into(),
        }
    }

    /// The stratum of a row, or an empty string if there are no strata.
    ///
    /// # Panics
    /// Panics if there is no such row.
    #[must_use]
    pub fn stratum(&self, position: u64) -> &str {
        self.field(position, |spot| spot.id_end..spot.stratum_end)
    }

    /// The weight of a row as written in the list, or an empty string if there are no weights.
    ///
    /// # Panics
    /// Panics if there is no such row.
    #[must_use]
    pub fn weight(&self, position: u64) -> &str {
        self.field(position, |spot| spot.stratum_end..spot.weight_end)
    }

    fn field(&self, position: u64, range: impl Fn(Spot) -> Range<usize>) -> &str {
        match &self.rows {
            Rows::Numbers(_) => "",
            Rows::List { text, spots } => &text[range(spots[position as usize])],
        }
    }

    /// The labels of the strata in the order of their bytes, each with the positions of the stratum's rows.
    #[must_use]
    pub fn strata(&self) -> BTreeMap<&str, Vec<u64>> {
        let mut strata: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        if self.columns.stratum {
            for position in 0..self.len() {
                strata.entry(self.stratum(position)).or_default().push(position);
            }
        }
        strata
    }

    /// SHA-256 of the fields of all rows, each preceded by its length. If there are columns in addition to the id, a
    /// mark is hashed first.
    fn digest_of_list(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        if let Some(mark) = self.columns.mark() {
            hash.update(&mark.to_be_bytes());
        }
        for position in 0..self.len() {
            let columns = self.columns;
            let beside = [(columns.stratum, self.stratum(position)), (columns.weight, self.weight(position))];
            let beside = beside.iter().filter(|(there, _)| *there).map(|(_, field)| *field);
            for field in std::iter::once(&*self.id(position)).chain(beside) {
                hash.update(&(field.len() as u64).to_be_bytes());
                hash.update(field.as_bytes());
            }
        }
        hash.finalize()
    }
}

/// The encoding indicated by the byte order mark at the beginning of a file.
fn byte_order_mark(content: &[u8]) -> Option<&'static str> {
    const MARKS: [(&[u8], &str); 3] =
        [(b"\xef\xbb\xbf", "UTF-8"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16")];
    MARKS.iter().find(|(mark, _)| content.starts_with(mark)).map(|(_, name)| *name)
}

/// Returns the reason why a line without its line ending is not text, or `None` if it is text. A NUL or CR would become
/// an invisible part of an id.
#[must_use]
pub fn not_text(line: &[u8]) -> Option<&'static str> {
    if line.contains(&0) {
        return Some(
            "has a NUL byte: save a UTF-16 file as UTF-8, or select NUL as the ending if the rows end with NUL",
        );
    }
    line.contains(&b'\r')
        .then_some("has a carriage return without a line feed: end the rows with LF, CRLF or NUL")
}

/// The maximum number of characters of a weight, and of `p`.
pub(super) const MAX_DECIMAL: usize = 100;

/// Returns true for digits, or digits, a point and digits.
pub(super) fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if text.len() > MAX_DECIMAL {
        return false;
    }
    match text.split_once('.') {
        Some((whole, decimals)) => digits(whole) && digits(decimals),
        None => digits(text),
    }
}

/// Quotes a text in a message: as one line of limited length.
pub(super) fn quoted(text: &str) -> String {
    const MOST: usize = 70;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

fn refused(row: usize, what: &str) -> Error {
    Error::list(format!("row {row} {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WITH_WEIGHT: Columns = Columns { stratum: false, weight: true };
    const WITH_BOTH: Columns = Columns { stratum: true, weight: true };

    fn ids(entries: &EntryList) -> Vec<String> {
        (0..entries.len()).map(|position| entries.id(position).into_owned()).collect()
    }

    fn list(content: &str) -> EntryList {
        EntryList::read(content.as_bytes(), Columns::default(), false, false).unwrap()
    }

    #[test]
    fn order_and_ends_of_lines_do_not_count() {
        let entries = list("b\na\n\u{e9}\nB");
        assert_eq!(ids(&entries), ["B", "a", "b", "\u{e9}"]);
        for same in ["\u{e9}\r\nB\r\na\r\nb\r\n", "a\nb\nB\n\u{e9}\n"] {
            assert_eq!(list(same).digest(), entries.digest());
        }
        let zero = EntryList::read("b\0a\0\u{e9}\0B\0".as_bytes(), Columns::default(), true, false).unwrap();
        assert_eq!(zero.digest(), entries.digest());
        let newline = EntryList::read(b"a\nb\0c\r\0", Columns::default(), true, false).unwrap();
        assert_eq!(ids(&newline), ["a\nb", "c\r"]);
        let open = EntryList::read(b"b\na", Columns::default(), false, true).unwrap();
        assert_eq!((ids(&open), open.digest()), (vec!["b".to_owned(), "a".to_owned()], &OPEN_LIST));
    }

    #[test]
    fn digests_are_of_the_ids_after_their_lengths() {
        let mut hash = Sha256::new();
        hash.update(b"\0\0\0\0\0\0\0\x01a\0\0\0\0\0\0\0\x02bc");
        assert_eq!(list("bc\na\n").digest(), &hash.finalize());
        assert_eq!(list("").digest(), &Sha256::digest(b""));
        let digests = [
            *list("a\t1").digest(),
            *list("a\n1").digest(),
            *EntryList::read(b"a\t1", WITH_WEIGHT, false, false).unwrap().digest(),
            *EntryList::read(b"a\t1", Columns { stratum: true, weight: false }, false, false)
                .unwrap()
                .digest(),
            *EntryList::read(b"a\t1\t1", WITH_BOTH, false, false).unwrap().digest(),
            *EntryList::numbers(1).digest(),
        ];
        for (i, digest) in digests.iter().enumerate() {
            assert!(!digests[..i].contains(digest), "{i}");
        }
    }

    #[test]
    fn columns_are_a_rows_last() {
        let entries = EntryList::read(b"x\ty\tnorth\t1.50\n", WITH_BOTH, false, false).unwrap();
        assert_eq!((&*entries.id(0), entries.stratum(0), entries.weight(0)), ("x\ty", "north", "1.50"));
        assert_eq!(entries.strata().into_iter().collect::<Vec<_>>(), [("north", vec![0])]);
        assert!(Columns::of_names(&[Column::Weight]).is_err());
        assert_eq!(Columns::of_names(&WITH_BOTH.names()), Ok(WITH_BOTH));
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let refused = |content: &[u8], columns: Columns| {
            EntryList::read(content, columns, false, false).unwrap_err().to_string()
        };
        let plain = Columns::default();
        assert_eq!(refused(b"b\nx\na\nx\n", plain), "invalid list: rows 2 and 4 have the same id \"x\"");
        assert_eq!(refused(b"b\n\na\n", plain), "invalid list: row 2 has an empty id");
        assert_eq!(refused(b"b\n\xff\n", plain), "invalid list: row 2 is not UTF-8");
        assert!(refused(b"\xef\xbb\xbfa\n", plain).contains("byte order mark of UTF-8"));
        for utf16 in [&b"\xff\xfea\0\n\0"[..], b"\xfe\xff\0a\0\n"] {
            assert!(refused(utf16, plain).contains("byte order mark of UTF-16"));
        }
        for (content, row) in
            [(&b"a\0\n\0b\0\n\0"[..], 1), (b"\0a\0\n\0b\0\n", 1), (b"a\nb\0", 2), (b"a\nb\n\0", 3)]
        {
            let message = refused(content, plain);
            assert!(message.starts_with(&format!("invalid list: row {row} has a NUL byte")), "{message}");
        }
        for (content, row) in
            [(&b"a\rb\rc\r"[..], 1), (b"a\r\nb\rc\n", 2), (b"a\r\nb\r", 2), (b"a\r\r\nb", 1)]
        {
            let message = refused(content, plain);
            assert!(
                message.starts_with(&format!("invalid list: row {row} has a carriage return")),
                "{message}"
            );
        }
        assert!(
            refused(b"a\n", WITH_WEIGHT).contains("row 1 has 1 of 2 columns, which are separated by tabs")
        );
        for weight in ["NaN", "-1", "", "1e3", ".5", "5.", "inf", "0x1", "1_0", &"0".repeat(101)] {
            let message = refused(format!("b\t1\na\t{weight}\n").as_bytes(), WITH_WEIGHT);
            assert!(message.contains("row 2 has the weight"), "{message}");
        }
    }

    #[test]
    fn numbers_need_no_memory() {
        let entries = EntryList::numbers(u64::MAX);
        assert_eq!((entries.len(), &*entries.id(0)), (u64::MAX, "1"));
        assert_eq!(entries.id(u64::MAX - 1), u64::MAX.to_string());
        assert_eq!((entries.stratum(0), entries.weight(0)), ("", ""));
        assert!(EntryList::numbers(0).is_empty() && !EntryList::numbers(1).is_empty());
        assert!(list("").is_empty() && !list("a").is_empty());
    }
}
