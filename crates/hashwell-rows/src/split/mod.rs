//! Where rows end, in bytes that come in blocks.

mod plain;
mod quoted;
mod rest;

pub(crate) use quoted::Fault;
use quoted::Quoted;
pub(crate) use rest::Rest;

/// Finds the ends of rows. It keeps what it must know of the bytes before the block that it is given.
pub(crate) enum Splitter {
    /// Rows end at every such byte.
    Plain(u8),
    /// Rows end at line feeds outside of quotes.
    Quoted(Quoted),
}

impl Splitter {
    pub(crate) fn plain(terminator: u8) -> Splitter {
        Splitter::Plain(terminator)
    }

    pub(crate) fn quoted(delimiter: u8, quote: u8, limit: usize) -> Splitter {
        Splitter::Quoted(Quoted::new(delimiter, quote, limit))
    }

    /// The byte that can be counted in a block without knowing what was before it.
    pub(crate) fn counted(&self) -> Option<u8> {
        match self {
            Splitter::Plain(terminator) => Some(*terminator),
            Splitter::Quoted(_) => None,
        }
    }

    /// Where the row ends that goes on at the rest's beginning: behind its terminator. `None`: not in this block.
    pub(crate) fn end(&mut self, rest: Rest<'_>) -> Result<Option<usize>, Fault> {
        match self {
            Splitter::Plain(terminator) => Ok(plain::end(*terminator, rest)),
            Splitter::Quoted(quoted) => quoted.end(rest),
        }
    }

    /// Passes over at most `n` ends of rows: how many there were, and where the last of them is, or where the block ends
    /// if there were fewer. `left` is how many ends the rest has, if that is known; it is kept true.
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

    /// A block is used up, and another will come.
    pub(crate) fn leave(&mut self, bytes: &[u8]) {
        if let Splitter::Quoted(quoted) = self {
            quoted.leave(bytes);
        }
    }

    /// Whether a row goes on where a block ends with this byte.
    pub(crate) fn goes_on(&self, last: u8) -> bool {
        match self {
            Splitter::Plain(terminator) => last != *terminator,
            Splitter::Quoted(quoted) => quoted.goes_on(last),
        }
    }

    /// Where in the file the quote was opened that is not closed yet.
    pub(crate) fn open_quote(&self) -> Option<u64> {
        match self {
            Splitter::Plain(_) => None,
            Splitter::Quoted(quoted) => quoted.open_quote(),
        }
    }
}
