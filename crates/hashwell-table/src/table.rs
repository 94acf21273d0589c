//! Digests of tables that do not see the order of rows.

use crate::columns::{Columns, Order, parts_of};
use crate::error::Error;
use crate::lthash::{Sums, WIDTH};
use crate::rows::Rows;
use crate::sorted::{Bucket, Digest, Sorted, differing, sha256};
use hashwell::{Algorithm, Many, Params};
use std::ops::Range;

/// What a table's digest is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// The sorted SHA-256 digests of all rows: as strong as SHA-256, 32 bytes a row.
    #[default]
    SortedSha256,
    /// The sum of all rows' BLAKE3 output: 4 KiB, rows can be taken out again; for up to 2^32 rows.
    Lthash64Blake3,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::SortedSha256, Self::Lthash64Blake3];

    /// Its name in `hwtable/1`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SortedSha256 => "sorted-sha256",
            Self::Lthash64Blake3 => "lthash64-blake3",
        }
    }

    /// The scheme of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }
}

/// The state of a table's digest: rows that were added, in any order.
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

/// Rows that are in one of two tables only, by their digests in rising order, each as often as it is there more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// In the first table.
    pub here: Vec<Digest>,
    /// In the second one.
    pub there: Vec<Digest>,
}

const NOT_SORTED: Error = Error::Scheme("only sorted-sha256 has buckets: lthash64-blake3 keeps no rows");

fn row(name: &str) -> &'static Algorithm {
    hashwell::find(name).expect("a row of the registry")
}

pub(crate) fn sha256_of(message: &[u8]) -> Digest {
    hashwell::Sha256::digest(message)
}

/// Room for so many digests.
fn digests(count: usize) -> Result<Vec<Digest>, Error> {
    let mut digests = Vec::new();
    let bytes = count.saturating_mul(size_of::<Digest>());
    digests.try_reserve_exact(count).map_err(|_| Error::NoMemory(bytes))?;
    digests.resize(count, [0; 32]);
    Ok(digests)
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(scheme: Scheme, columns: &Columns) -> Self {
        let body = match scheme {
            Scheme::SortedSha256 => Body::Sorted(Sorted::new()),
            Scheme::Lthash64Blake3 => Body::Sums(Sums::new()),
        };
        Self { header: columns.header().to_vec(), rows: 0, body }
    }

    /// The names of its columns, in the order of a row.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        parts_of(&self.header).map(|(_, names)| names).unwrap_or_default()
    }

    /// What orders its columns.
    #[must_use]
    pub fn order(&self) -> Order {
        parts_of(&self.header).map(|(order, _)| order).unwrap_or_default()
    }

    /// What it is made of.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        match self.body {
            Body::Sorted(_) => Scheme::SortedSha256,
            Body::Sums(_) => Scheme::Lthash64Blake3,
        }
    }

    /// How many rows were added, less those that were taken out.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// How many rows there are with so many more.
    fn rows_and(&self, more: u64) -> Result<u64, Error> {
        self.rows.checked_add(more).ok_or(Error::Count("more than 2^64 - 1 rows"))
    }

    /// Adds rows, all or none, on at most so many threads. About 0.2 µs a row, or 1.1 µs with `lthash64-blake3`.
    ///
    /// # Errors
    /// [`Error::Value`] for a row without encoding; [`Error::NoMemory`].
    ///
    /// # Panics
    /// If there are not that many rows, or they are of other columns.
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

    /// Adds rows by their bytes, each as `hwrow/1` writes one of this table's columns, which is for the caller to see to.
    ///
    /// # Errors
    /// [`Error::NoMemory`], and [`Error::Count`] for too many rows.
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

    /// Takes rows out again, with `lthash64-blake3`. That they were added is for the caller to know: nothing here can tell.
    ///
    /// # Errors
    /// As [`Table::add`]; [`Error::Scheme`]; [`Error::Count`] if there are fewer rows.
    ///
    /// # Panics
    /// As [`Table::add`].
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

    /// A copy.
    ///
    /// # Errors
    /// [`Error::NoMemory`].
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
    /// [`Error::Unlike`] if scheme or columns are others; [`Error::NoMemory`].
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

    /// Takes all rows of another state out again, with `lthash64-blake3`.
    ///
    /// # Errors
    /// As [`Table::merge`] and [`Table::remove`].
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

    /// Whether two states may be merged and compared.
    ///
    /// # Errors
    /// [`Error::Unlike`] if scheme or columns are others.
    pub fn check_alike(&self, other: &Self) -> Result<(), Error> {
        let unlike = |what, here, there| Err(Error::Unlike { what, here, there });
        if self.scheme() != other.scheme() {
            return unlike("scheme", self.scheme().name().to_owned(), other.scheme().name().to_owned());
        }
        if self.header != other.header {
            let (these, those) = (self.names().join(", "), other.names().join(", "));
            let what = if these == those { "what orders their columns" } else { "columns" };
            return unlike(what, format!("'{these}'"), format!("'{those}'"));
        }
        Ok(())
    }

    /// Sorts some rows more, as [`Table::digest`] does with all, and says whether others are left: long work in pieces.
    pub fn sort_some(&mut self, threads: usize) -> bool {
        match &mut self.body {
            Body::Sorted(sorted) => sorted.sort_some(threads),
            Body::Sums(_) => false,
        }
    }

    /// The digest of the rows so far. More may be added afterwards.
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

    /// The 256 buckets, one for each first byte of a row's digest: where two tables differ in few rows, few of them do.
    ///
    /// # Errors
    /// [`Error::Scheme`] if there are none.
    pub fn buckets(&mut self, threads: usize) -> Result<Vec<Bucket>, Error> {
        let Body::Sorted(sorted) = &mut self.body else { return Err(NOT_SORTED) };
        sorted.sort(threads);
        Ok(sorted.summaries())
    }

    /// The rows of one bucket that are in one of two tables only.
    ///
    /// # Errors
    /// [`Error::Scheme`] if there are no buckets, [`Error::Unlike`] if columns are others; [`Error::NoMemory`].
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
