//! Finds the ends of rows in bytes that come in blocks.

mod plain;
mod quoted;
mod rest;

pub(crate) use quoted::Fault;
use quoted::Quoted;
pub(crate) use rest::Rest;

/// Finds the ends of rows. It stores the necessary state from the bytes before the current block.
pub(crate) enum Splitter {
    /// Rows end at every occurrence of this byte.
    Plain(u8),
    /// Rows end at newlines outside of quotes.
    Quoted(Quoted),
}

impl Splitter {
    pub(crate) fn plain(terminator: u8) -> Splitter {
        Splitter::Plain(terminator)
    }

    pub(crate) fn quoted(delimiter: u8, quote: u8, limit: usize) -> Splitter {
        Splitter::Quoted(Quoted::new(delimiter, quote, limit))
    }

    /// The byte that can be counted in a block without knowing the bytes before it.
    pub(crate) fn counted(&self) -> Option<u8> {
        match self {
            Splitter::Plain(terminator) => Some(*terminator),
            Splitter::Quoted(_) => None,
        }
    }

    /// The position after the terminator of the row that continues at the beginning of `rest`; `None` if it is not in
    /// this block.
    pub(crate) fn end(&mut self, rest: Rest<'_>) -> Result<Option<usize>, Fault> {
        match self {
            Splitter::Plain(terminator) => Ok(plain::end(*terminator, rest)),
            Splitter::Quoted(quoted) => quoted.end(rest),
        }
    }

    /// Skips at most `n` ends of rows. Returns their number, and the position of the last one, or of the end of the
    /// block if there were fewer. `left` is the number of ends in the rest, if it is known, and is updated.
    pub(crate) fn pass(
        &mut self,
        rest: Rest<'_>,
        n: u64,
        left: &mut Option<u64>,
    ) -> Result<(u64, usize), Fault> {
        match self {
            Splitter::Plain(terminator) => Ok(plain::pass(*terminator, rest, n, left)),
            Splitter::Quoted(quoted) => quoted.pass(rest, n),
        }
    }

    /// Ends a block that is used up; another one will follow.
    pub(crate) fn leave(&mut self, bytes: &[u8]) {
        if let Splitter::Quoted(quoted) = self {
            quoted.leave(bytes);
        }
    }

    /// Returns true if a row continues after a block that ends with this byte.
    pub(crate) fn goes_on(&self, last: u8) -> bool {
        match self {
            Splitter::Plain(terminator) => last != *terminator,
            Splitter::Quoted(quoted) => quoted.goes_on(last),
        }
    }

    /// The offset in the file of a quote that is not closed yet.
    pub(crate) fn open_quote(&self) -> Option<u64> {
        match self {
            Splitter::Plain(_) => None,
            Splitter::Quoted(quoted) => quoted.open_quote(),
        }
    }
}
