//! Rows that end at line feeds outside of quotes (RFC 4180).
//!
//! A quote opens a field only as its first byte: behind a delimiter, behind a line feed, or where the file begins.
//! Anywhere else outside of quotes it is a byte like others, as in `5" pipe`. Within quotes two of them stand for one, and
//! any other closes; what follows up to the next delimiter belongs to the field. This is what the crate `csv` reads.

use memchr::{memchr, memchr_iter, memchr2};

use super::plain::nth_end;
use super::rest::Rest;

const END: u8 = b'\n';

/// A quoted field is longer than the limit; the file's offset of the quote that opens it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault(pub(crate) u64);

pub(crate) struct Quoted {
    delimiter: u8,
    quote: u8,
    limit: u64,
    /// Where in the file the quote is that opened the field.
    open: Option<u64>,
    /// The last block ended behind a quote within quotes, of which the next byte tells what it was.
    pending: bool,
    /// The byte before the block.
    before: u8,
}

impl Quoted {
    pub(super) fn new(delimiter: u8, quote: u8, limit: usize) -> Quoted {
        Quoted { delimiter, quote, limit: limit as u64, open: None, pending: false, before: END }
    }

    pub(super) fn open_quote(&self) -> Option<u64> {
        // A quote at the very end of the file closes.
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

    /// Where reading outside of quotes goes on after a quote that was met there.
    fn behind_quote(&mut self, rest: Rest<'_>, quote: usize) -> Result<Option<usize>, Fault> {
        let before = if quote == 0 { self.before } else { rest.bytes[quote - 1] };
        if before != self.delimiter && before != END {
            return Ok(Some(quote + 1));
        }
        self.open = Some(rest.base + quote as u64);
        self.closed(rest, quote + 1)
    }

    /// Behind the quote that closes the field, or `at` itself outside of quotes. `None`: not in this block.
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
