//! Rows that end at newlines outside of quotes (RFC 4180).
//!
//! A quote opens a field only if it is the field's first byte: after a delimiter, after a newline, or at the beginning
//! of the file. Anywhere else outside of quotes it is an ordinary byte, as in `5" pipe`. Within quotes, two quotes mean
//! one, and any other quote closes the field; text up to the next delimiter still belongs to it. The crate `csv` reads
//! files in the same way.

use memchr::{memchr, memchr_iter, memchr2};

use super::plain::nth_end;
use super::rest::Rest;

const END: u8 = b'\n';

/// The error for a quoted field that is longer than the limit. It contains the offset in the file of the quote that
/// opens the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault(pub(crate) u64);

pub(crate) struct Quoted {
    delimiter: u8,
    quote: u8,
    limit: u64,
    /// The offset in the file of the quote that opened the field.
    open: Option<u64>,
    /// True if the last block ended after a quote within quotes, whose meaning depends on the next byte.
    pending: bool,
    /// The byte before the block.
    before: u8,
}

impl Quoted {
    pub(super) fn new(delimiter: u8, quote: u8, limit: usize) -> Quoted {
        Quoted { delimiter, quote, limit: limit as u64, open: None, pending: false, before: END }
    }

    pub(super) fn open_quote(&self) -> Option<u64> {
        // A quote at the very end of the file closes the field.
        if self.pending { None } else { self.open }
    }

    pub(super) fn goes_on(&self, last: u8) -> bool {
        self.open.is_some() || last != END
    }

    pub(super) fn leave(&mut self, bytes: &[u8]) {
        if let Some(&last) = bytes.last() {
            self.before = last;
        }
    }

    pub(super) fn end(&mut self, rest: Rest<'_>) -> Result<Option<usize>, Fault> {
        let bytes = rest.bytes;
        let Some(mut at) = self.closed(rest, rest.from)? else { return Ok(None) };
        while let Some(found) = memchr2(self.quote, END, &bytes[at..]) {
            let found = at + found;
            if bytes[found] == END {
                return Ok(Some(found + 1));
            }
            match self.behind_quote(rest, found)? {
                Some(next) => at = next,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    pub(super) fn pass(&mut self, rest: Rest<'_>, n: u64) -> Result<(u64, usize), Fault> {
        let bytes = rest.bytes;
        let mut passed = 0;
        let Some(mut at) = self.closed(rest, rest.from)? else { return Ok((0, bytes.len())) };
        loop {
            let quote = memchr(self.quote, &bytes[at..]).map_or(bytes.len(), |found| at + found);
            let ends = memchr_iter(END, &bytes[at..quote]).count() as u64;
            if passed + ends >= n {
                return Ok((n, at + nth_end(END, &bytes[at..quote], n - passed)));
            }
            passed += ends;
            if quote == bytes.len() {
                return Ok((passed, quote));
            }
            match self.behind_quote(rest, quote)? {
                Some(next) => at = next,
                None => return Ok((passed, bytes.len())),
            }
        }
    }

    /// The position at which reading continues outside of quotes, after a quote was found at `quote`.
    fn behind_quote(&mut self, rest: Rest<'_>, quote: usize) -> Result<Option<usize>, Fault> {
        let before = if quote == 0 { self.before } else { rest.bytes[quote - 1] };
        if before != self.delimiter && before != END {
            return Ok(Some(quote + 1));
        }
        self.open = Some(rest.base + quote as u64);
        self.closed(rest, quote + 1)
    }

    /// The position after the quote that closes the field, or `at` itself outside of quotes; `None` if it is not in
    /// this block.
    fn closed(&mut self, rest: Rest<'_>, mut at: usize) -> Result<Option<usize>, Fault> {
        let bytes = rest.bytes;
        let Some(open) = self.open else { return Ok(Some(at)) };
        if self.pending && at < bytes.len() {
            self.pending = false;
            if bytes[at] != self.quote {
                self.open = None;
                return Ok(Some(at));
            }
            at += 1;
        }
        while let Some(found) = memchr(self.quote, &bytes[at..]) {
            let quote = at + found;
            match bytes.get(quote + 1) {
                Some(&next) if next == self.quote => at = quote + 2,
                Some(_) => {
                    self.open = None;
                    return self.within_limit(open, rest.base + quote as u64, Some(quote + 1));
                }
                None => {
                    self.pending = true;
                    return self.within_limit(open, rest.base + quote as u64, None);
                }
            }
        }
        self.within_limit(open, rest.base + bytes.len() as u64, None)
    }

    fn within_limit(&self, open: u64, at: u64, found: Option<usize>) -> Result<Option<usize>, Fault> {
        if at - open > self.limit { Err(Fault(open)) } else { Ok(found) }
    }
}
