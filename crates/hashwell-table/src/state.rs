//! Saved states: `docs/spec/rows.md`, section "States".

use crate::columns::parts_of;
use crate::error::Error;
use crate::lthash::{Sums, WIDTH};
use crate::sorted::{BUCKETS, Digest, Sorted};
use crate::table::{Body, Scheme, Table, sha256_of};

const MAGIC: &[u8] = b"hwtable-state/1";

impl Table {
    /// Saves the state as bytes. The bytes are the same for the same rows in any order. The size is about 2 KiB plus 32
    /// bytes for each row. With `lthash64-blake3`, the size is about 4 KiB for any number of rows.
    ///
    /// # Errors
    /// Returns [`Error::NoMemory`] if there is not enough memory.
    pub fn to_bytes(&mut self, threads: usize) -> Result<Vec<u8>, Error> {
        if let Body::Sorted(sorted) = &mut self.body {
            sorted.sort(threads);
        }
        let scheme = self.scheme().name();
        let mut bytes = Vec::new();
        let body = match &self.body {
            Body::Sorted(_) => {
                (self.rows as usize).saturating_mul(size_of::<Digest>()).saturating_add(8 * BUCKETS)
            }
            Body::Sums(_) => WIDTH,
        };
        let len = body.saturating_add(128 + self.header.len());
        bytes.try_reserve_exact(len).map_err(|_| Error::NoMemory(len))?;
        bytes.extend_from_slice(MAGIC);
        bytes.push(scheme.len() as u8);
        bytes.extend_from_slice(scheme.as_bytes());
        bytes.extend_from_slice(&(self.header.len() as u64).to_be_bytes());
        bytes.extend_from_slice(&self.header);
        bytes.extend_from_slice(&self.rows.to_be_bytes());
        match &self.body {
            Body::Sorted(sorted) => {
                let counts = sorted.buckets.iter().map(|bucket| (bucket.len() as u64).to_be_bytes());
                counts.for_each(|count| bytes.extend_from_slice(&count));
                sorted.buckets.iter().for_each(|bucket| bytes.extend_from_slice(bucket.as_flattened()));
            }
            Body::Sums(sums) => bytes.extend_from_slice(&sums.to_bytes()),
        }
        let check = sha256_of(&bytes);
        bytes.extend_from_slice(&check);
        Ok(bytes)
    }

    /// Restores a saved state.
    ///
    /// # Errors
    /// Returns [`Error::State`] if the bytes are not a state that [`Table::to_bytes`] can return, for example because
    /// they are incomplete or have a different version. Returns [`Error::NoMemory`] if there is not enough memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut rest =
            bytes.strip_prefix(MAGIC).ok_or(Error::State(match bytes.starts_with(b"hwtable-state/") {
                true => "it was saved in a different version of the format",
                false => "its first bytes are wrong",
            }))?;
        let (content, check) = bytes.split_last_chunk::<32>().ok_or(CUT)?;
        if *check != sha256_of(content) {
            return Err(Error::State("it is truncated or damaged"));
        }
        rest = rest.get(..rest.len().saturating_sub(check.len())).ok_or(CUT)?;
        let rest = &mut rest;
        let scheme = take(rest, 1)?[0];
        let scheme = take(rest, usize::from(scheme))?;
        let scheme = std::str::from_utf8(scheme).ok().and_then(Scheme::find);
        let scheme = scheme.ok_or(Error::State("its scheme is unknown"))?;
        let header = number(rest)?;
        let header = take(rest, usize::try_from(header).map_err(|_| CUT)?)?.to_vec();
        parts_of(&header).ok_or(Error::State("its columns are malformed"))?;
        let rows = number(rest)?;
        let body = match scheme {
            Scheme::SortedSha256 => Body::Sorted(sorted(rest, rows)?),
            Scheme::Lthash64Blake3 => {
                Body::Sums(Sums::of_bytes(take(rest, WIDTH)?.try_into().map_err(|_| CUT)?))
            }
        };
        if !rest.is_empty() {
            return Err(Error::State("there are extra bytes at the end"));
        }
        Ok(Self { header, rows, body })
    }
}

const CUT: Error = Error::State("it is truncated");

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Result<&'a [u8], Error> {
    rest.split_off(..len).ok_or(CUT)
}

fn number(rest: &mut &[u8]) -> Result<u64, Error> {
    Ok(u64::from_be_bytes(take(rest, 8)?.try_into().map_err(|_| CUT)?))
}

fn sorted(rest: &mut &[u8], rows: u64) -> Result<Sorted, Error> {
    let mut counts = [0; BUCKETS];
    let mut sum = 0u64;
    for count in &mut counts {
        *count = number(rest)?;
        sum = sum.checked_add(*count).ok_or(CUT)?;
    }
    let digests = rest.as_chunks::<32>();
    if sum != rows || digests.0.len() as u64 != sum || !digests.1.is_empty() {
        return Err(Error::State("its counts are inconsistent"));
    }
    let mut from = 0;
    for (first, count) in counts.iter().enumerate() {
        let bucket = &digests.0[from..][..*count as usize];
        if !bucket.is_sorted() || bucket.iter().any(|digest| usize::from(digest[0]) != first) {
            return Err(Error::State("its rows are not in order"));
        }
        from += bucket.len();
    }
    let mut sorted = Sorted::new();
    sorted.add(digests.0, 1)?;
    *rest = &[];
    Ok(sorted)
}
