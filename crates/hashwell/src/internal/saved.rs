//! Saved states: their fields, and the part of each core in them (`docs/spec/state.md`).

use crate::internal::error::Error;
use crate::internal::params::{PARAMETERS, Parameter, Params, Shape, Value};
use crate::internal::try_alloc;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// A core whose state can be saved. The caller saves the parameters and the number of message
/// bytes. A core saves only data that does not follow from these two.
pub(crate) trait Saved {
    /// Returns the number of message bytes absorbed so far.
    fn message_len(&self) -> u64;

    /// Appends chaining values and buffered bytes. Their number depends only on the parameters and
    /// on [`Saved::message_len`].
    fn save(&self, out: &mut Vec<u8>);

    /// Restores the data that [`Saved::save`] wrote for a message of `length` bytes. `self` has the
    /// same parameters and no message.
    ///
    /// # Errors
    /// Returns [`Error::BadState`] if no message of this length leads to such a state, as far as
    /// this can be checked.
    fn restore(&mut self, length: u64, fields: &mut Fields<'_>) -> Result<(), Error>;
}

/// An exclusive upper bound on message lengths in bytes: SHA-1, SHA-256 and others end at 2^64 bits. States
/// with this length or more are rejected, so that no counter can overflow afterwards.
pub(crate) const LONGEST: u64 = 1 << 61;

/// A chaining value that no message of this length leads to.
pub(crate) const NOT_INITIAL: Error =
    Error::BadState { what: "its chaining value must be the initial value, because no block was processed" };

/// A state that does not continue the state at the start of its message.
const NOT_CONTINUED: Error =
    Error::BadState { what: "it must begin with the key, because no block was processed after the key" };

/// An upper bound on the size of a saved state without its parameters. The largest states are those
/// of HMAC over BLAKE2bp and BLAKE3.
pub(crate) const ROOM: usize = 4096;

/// Returns the bytes that [`Saved::save`] writes, in memory that is overwritten when it is dropped.
pub(crate) fn secret_of(state: &dyn Saved) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut out = Zeroizing::new(try_alloc::list(ROOM)?);
    state.save(&mut out);
    Ok(out)
}

/// Checks that `state` continues `start` by `length` bytes, as far as this can be checked: if all of these bytes are
/// still buffered, the saved `state` must begin with `start`.
pub(crate) fn check_continued(start: &[u8], state: &dyn Saved, length: u64) -> Result<(), Error> {
    let state = secret_of(state)?;
    let is_buffered = state.len() as u64 == start.len() as u64 + length;
    if is_buffered && !state.starts_with(start) { Err(NOT_CONTINUED) } else { Ok(()) }
}

/// The fields that have not been read yet.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) const TOO_SHORT: Error = Error::BadState { what: "it is too short" };

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let (field, rest) = self.0.split_at_checked(len).ok_or(Self::TOO_SHORT)?;
        self.0 = rest;
        Ok(field)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<&'a [u8; N], Error> {
        let (field, rest) = self.0.split_first_chunk().ok_or(Self::TOO_SHORT)?;
        self.0 = rest;
        Ok(field)
    }

    /// Reads a byte string that follows its length.
    pub(crate) fn prefixed(&mut self) -> Result<&'a [u8], Error> {
        let len = u32::from_le_bytes(*self.array()?);
        self.take(usize::try_from(len).map_err(|_| Self::TOO_SHORT)?)
    }
}

pub(crate) const BAD_PARAMETERS: Error = Error::BadState { what: "its parameters are not in canonical form" };

/// Encodes the parameters that differ from those of plain hashing, in the order of the table, with
/// the key and the context if there is one. `algorithm` and `output` are the algorithm's name and
/// default output length.
pub(crate) fn encoded(
    algorithm: &'static str,
    output: usize,
    params: &Params<'_>,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    // A list that grows would leave copies of the key behind, so its length is computed first.
    let mut len: usize = 0;
    for_each(output, params, |_, bytes| {
        len = len.saturating_add(5 + bytes.len());
        Ok(())
    })?;
    let mut out = Zeroizing::new(try_alloc::list(len)?);
    for_each(output, params, |id, bytes| {
        let len = u32::try_from(bytes.len())
            .map_err(|_| Error::Unsupported { algorithm, what: "a parameter of more than 4 GiB" })?;
        out.push(id);
        out.extend_from_slice(&len.to_le_bytes());
        out.extend_from_slice(bytes);
        Ok(())
    })?;
    Ok(out)
}

/// Passes the number and the bytes of each parameter that is not the default to `write`.
fn for_each(
    output: usize,
    params: &Params<'_>,
    mut write: impl FnMut(u8, &[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    for row in &PARAMETERS {
        let is_length = row.parameter == Parameter::OutputLength;
        let id = row.id as u8;
        match params.get(row.parameter) {
            None => (),
            Some(Value::Number(len)) if is_length && len == output as u64 => (),
            Some(Value::Number(value)) => write(id, &value.to_le_bytes())?,
            Some(Value::Bytes(bytes)) => write(id, bytes)?,
            Some(Value::Text(text)) => write(id, text.as_bytes())?,
        }
    }
    Ok(())
}

/// Reads parameters.
pub(crate) fn decoded<'a>(mut fields: Fields<'a>) -> Result<Params<'a>, Error> {
    let mut params = Params::default();
    while !fields.0.is_empty() {
        let [id] = *fields.array()?;
        let bytes = fields.prefixed()?;
        let row = PARAMETERS.get(usize::from(id)).ok_or(BAD_PARAMETERS)?;
        let value = match row.shape {
            Shape::Bytes => Value::Bytes(bytes),
            Shape::Number | Shape::Flag => {
                Value::Number(u64::from_le_bytes(bytes.try_into().map_err(|_| BAD_PARAMETERS)?))
            }
            Shape::Text => Value::Text(str::from_utf8(bytes).map_err(|_| BAD_PARAMETERS)?),
        };
        params.set(row.parameter, value).ok_or(BAD_PARAMETERS)?;
    }
    Ok(params)
}
