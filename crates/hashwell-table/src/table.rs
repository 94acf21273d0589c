//! Order-independent digests of tables.

use crate::columns::{Columns, Order, parts_of};
use crate::error::Error;
use crate::lthash::{Sums, WIDTH};
use crate::rows::Rows;
use crate::sorted::{Bucket, Digest, Sorted, differing, sha256};
use hashwell::{Algorithm, Many, Params};
use std::ops::Range;

/// The scheme of a table's digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// The sorted SHA-256 digests of all rows. This scheme is as strong as SHA-256, and takes 32 bytes for each row.
    #[default]
    SortedSha256,
    /// The sum of the BLAKE3 outputs of all rows. This scheme takes 4 KiB, and rows can be removed. Use it for at most
    /// 2^32 rows.
    Lthash64Blake3,
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Self; 2] = [Self::SortedSha256, Self::Lthash64Blake3];

    /// The scheme's name in the format `hwtable/1`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SortedSha256 => "sorted-sha256",
            Self::Lthash64Blake3 => "lthash64-blake3",
        }
    }

    /// Finds the scheme with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }
}

/// The state of a table's digest: the rows that were added, in any order.
///
/// ```
/// # use hashwell_arrow::Field;
/// # use hashwell_table::{Columns, Order, Scheme, Table};
/// let field = Field::new("", "+s", vec![Field::new("id", "l", vec![], None)?], None)?;
/// let columns = Columns::new(&field, None, Order::Name)?;
/// let mut table = Table::new(Scheme::SortedSha256, &columns);
/// assert_eq!((table.rows(), table.digest(1).len()), (0, 32));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Table {
    pub(crate) header: Vec<u8>,
    pub(crate) rows: u64,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Sorted(Sorted),
    Sums(Sums),
}

/// The digests of rows that occur more often in one of two tables than in the other, in ascending order. The digest of
/// a row that occurs n times more often is repeated n times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Digests of rows that occur more often in the first table.
    pub here: Vec<Digest>,
    /// Digests of rows that occur more often in the second table.
    pub there: Vec<Digest>,
}

const NOT_SORTED: Error =
    Error::Scheme("only sorted-sha256 has buckets: lthash64-blake3 stores no row digests");

fn row(name: &str) -> &'static Algorithm {
    hashwell::find(name).expect("a row of the registry")
}

pub(crate) fn sha256_of(message: &[u8]) -> Digest {
    hashwell::Sha256::digest(message)
}

/// Reserves memory for `count` digests.
fn digests(count: usize) -> Result<Vec<Digest>, Error> {
    let mut digests = Vec::new();
    let bytes = count.saturating_mul(size_of::<Digest>());
    digests.try_reserve_exact(count).map_err(|_| Error::NoMemory(bytes))?;
    digests.resize(count, [0; 32]);
    Ok(digests)
}

impl Table {
    /// Creates a table without rows.
    #[must_use]
    pub fn new(scheme: Scheme, columns: &Columns) -> Self {
        let body = match scheme {
            Scheme::SortedSha256 => Body::Sorted(Sorted::new()),
            Scheme::Lthash64Blake3 => Body::Sums(Sums::new()),
        };
        Self { header: columns.header().to_vec(), rows: 0, body }
    }

    /// The names of the columns, in the order in which a row contains them.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        parts_of(&self.header).map(|(_, names)| names).unwrap_or_default()
    }

    /// The order of the columns.
    #[must_use]
    pub fn order(&self) -> Order {
        parts_of(&self.header).map(|(order, _)| order).unwrap_or_default()
    }

    /// The scheme of the digest.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        match self.body {
            Body::Sorted(_) => Scheme::SortedSha256,
            Body::Sums(_) => Scheme::Lthash64Blake3,
        }
    }

    /// The number of rows added, minus the number of rows removed.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of rows after adding `more`.
    fn rows_and(&self, more: u64) -> Result<u64, Error> {
        self.rows.checked_add(more).ok_or(Error::Count("the number of rows exceeds 2^64 - 1"))
    }

    /// Adds rows, on at most `threads` threads. If there is an error, no rows are added. This takes about 0.2 µs for
    /// each row, or 1.1 µs with `lthash64-blake3`.
    ///
    /// # Errors
    /// Returns [`Error::Value`] if a row has no encoding, [`Error::NoMemory`] if there is not enough memory, or
    /// [`Error::Count`] if there are too many rows.
    ///
    /// # Panics
    /// Panics if a row does not exist, or if the columns of the rows differ from those of the table.
    pub fn add(&mut self, rows: &Rows<'_>, range: Range<usize>, threads: usize) -> Result<(), Error> {
        assert_eq!(self.header, rows.columns().header(), "rows are of the table's columns");
        let sum = self.rows_and(range.len() as u64)?;
        match &mut self.body {
            Body::Sorted(sorted) => {
                let mut digests = digests(range.len())?;
                rows.digest_into(&sha256(), range, digests.as_flattened_mut(), threads)?;
                sorted.add(&digests, threads)?;
            }
            Body::Sums(sums) => sums.add(&Sums::of_rows(&blake3(), rows, range, threads)?),
        }
        self.rows = sum;
        Ok(())
    }

    /// Adds encoded rows. The caller must ensure that each slice is the `hwrow/1` encoding of a row with this table's
    /// columns.
    ///
    /// # Errors
    /// Returns [`Error::NoMemory`] if there is not enough memory, or [`Error::Count`] if there are too many rows.
    pub fn add_written(&mut self, rows: &[&[u8]]) -> Result<(), Error> {
        let sum = self.rows_and(rows.len() as u64)?;
        match &mut self.body {
            Body::Sorted(sorted) => {
                let mut digests = digests(rows.len())?;
                let bytes = digests.as_flattened_mut();
                sha256().digest_into(rows, bytes).map_err(|error| Error::of_digests(error, bytes.len()))?;
                sorted.add(&digests, 1)?;
            }
            Body::Sums(sums) => {
                let mut more = Sums::new();
                more.add_written(&blake3(), rows)?;
                sums.add(&more);
            }
        }
        self.rows = sum;
        Ok(())
    }

    /// Removes rows, if the scheme is `lthash64-blake3`. The caller must ensure that the rows were added before,
    /// because this cannot be checked.
    ///
    /// # Errors
    /// Returns the same errors as [`Table::add`], [`Error::Scheme`] if the scheme does not support this, or
    /// [`Error::Count`] if more rows would be removed than were added.
    ///
    /// # Panics
    /// Panics in the same cases as [`Table::add`].
    pub fn remove(&mut self, rows: &Rows<'_>, range: Range<usize>, threads: usize) -> Result<(), Error> {
        assert_eq!(self.header, rows.columns().header(), "rows are of the table's columns");
        let Body::Sums(sums) = &mut self.body else {
            return Err(Error::Scheme("only lthash64-blake3 can remove rows"));
        };
        let left = self.rows.checked_sub(range.len() as u64);
        let left = left.ok_or(Error::Count("more rows would be removed than were added"))?;
        sums.subtract(&Sums::of_rows(&blake3(), rows, range, threads)?);
        self.rows = left;
        Ok(())
    }

    /// Copies the table.
    ///
    /// # Errors
    /// Returns [`Error::NoMemory`] if there is not enough memory.
    pub fn try_clone(&self) -> Result<Self, Error> {
        let body = match &self.body {
            Body::Sorted(sorted) => Body::Sorted(sorted.try_clone()?),
            Body::Sums(sums) => Body::Sums(sums.clone()),
        };
        Ok(Self { header: self.header.clone(), rows: self.rows, body })
    }

    /// Adds all rows of another state.
    ///
    /// # Errors
    /// Returns [`Error::Unlike`] if the scheme or the columns differ, [`Error::NoMemory`] if there is not enough
    /// memory, or [`Error::Count`] if there are too many rows.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        self.check_alike(&other)?;
        let sum = self.rows_and(other.rows)?;
        match (&mut self.body, other.body) {
            (Body::Sorted(sorted), Body::Sorted(more)) => sorted.merge(more)?,
            (Body::Sums(sums), Body::Sums(more)) => sums.add(&more),
            _ => unreachable!("states of two schemes are unlike"),
        }
        self.rows = sum;
        Ok(())
    }

    /// Removes all rows of another state, if the scheme is `lthash64-blake3`.
    ///
    /// # Errors
    /// Returns [`Error::Unlike`] if the scheme or the columns differ, [`Error::Scheme`] if the scheme does not support
    /// this, or [`Error::Count`] if more rows would be removed than were added.
    pub fn unmerge(&mut self, other: &Self) -> Result<(), Error> {
        self.check_alike(other)?;
        let (Body::Sums(sums), Body::Sums(less)) = (&mut self.body, &other.body) else {
            return Err(Error::Scheme("only lthash64-blake3 can remove rows"));
        };
        let left = self.rows.checked_sub(other.rows);
        self.rows = left.ok_or(Error::Count("more rows would be removed than were added"))?;
        sums.subtract(less);
        Ok(())
    }

    /// Checks that two states can be merged and compared.
    ///
    /// # Errors
    /// Returns [`Error::Unlike`] if the scheme or the columns differ.
    pub fn check_alike(&self, other: &Self) -> Result<(), Error> {
        let unlike = |what, here, there| Err(Error::Unlike { what, here, there });
        if self.scheme() != other.scheme() {
            return unlike("scheme", self.scheme().name().to_owned(), other.scheme().name().to_owned());
        }
        if self.header != other.header {
            let (these, those) = (self.names().join(", "), other.names().join(", "));
            if these == those && self.order() != other.order() {
                let order = |table: &Self| match table.order() {
                    Order::Name => "'name'".to_owned(),
                    Order::Declared => "'declared'".to_owned(),
                };
                return unlike("column order", order(self), order(other));
            }
            return unlike("columns", format!("'{these}'"), format!("'{those}'"));
        }
        Ok(())
    }

    /// Sorts some of the rows that are not sorted yet. Returns true if unsorted rows are left. [`Table::digest`] sorts
    /// all rows at once; use this function to do long work in pieces.
    pub fn sort_some(&mut self, threads: usize) -> bool {
        match &mut self.body {
            Body::Sorted(sorted) => sorted.sort_some(threads),
            Body::Sums(_) => false,
        }
    }

    /// The digest of the rows so far. You can add more rows afterwards.
    #[must_use]
    pub fn digest(&mut self, threads: usize) -> Digest {
        let root = match &mut self.body {
            Body::Sorted(sorted) => {
                sorted.sort(threads);
                let digests: Vec<_> = sorted.summaries().iter().map(|bucket| bucket.digest).collect();
                sha256_of(digests.as_flattened()).to_vec()
            }
            Body::Sums(sums) => sums.to_bytes(),
        };
        let scheme = self.scheme().name();
        let mut message = b"hwtable/1".to_vec();
        message.push(scheme.len() as u8);
        message.extend_from_slice(scheme.as_bytes());
        message.extend_from_slice(&sha256_of(&self.header));
        message.extend_from_slice(&self.rows.to_be_bytes());
        message.extend_from_slice(&root);
        sha256_of(&message)
    }

    /// The 256 buckets, one for each value of the first byte of a row's digest. If two tables differ in few rows, they
    /// differ in few buckets.
    ///
    /// # Errors
    /// Returns [`Error::Scheme`] if the scheme has no buckets.
    pub fn buckets(&mut self, threads: usize) -> Result<Vec<Bucket>, Error> {
        let Body::Sorted(sorted) = &mut self.body else { return Err(NOT_SORTED) };
        sorted.sort(threads);
        Ok(sorted.summaries())
    }

    /// Finds the rows of one bucket that occur more often in one of two tables than in the other.
    ///
    /// # Errors
    /// Returns [`Error::Scheme`] if the scheme has no buckets, [`Error::Unlike`] if the scheme or the columns differ,
    /// or [`Error::NoMemory`] if there is not enough memory.
    pub fn difference(&mut self, other: &mut Self, bucket: u8) -> Result<Difference, Error> {
        self.check_alike(other)?;
        let (Body::Sorted(these), Body::Sorted(those)) = (&mut self.body, &mut other.body) else {
            return Err(NOT_SORTED);
        };
        these.sort(1);
        those.sort(1);
        let bucket = usize::from(bucket);
        let (here, there) = differing(&these.buckets[bucket], &those.buckets[bucket])?;
        Ok(Difference { here, there })
    }
}

fn blake3() -> Many {
    let params = Params { output_len: Some(WIDTH), ..Params::default() };
    hashwell::Error::abort_without_memory(row("blake3").many(&params)).expect("the output has any length")
}
