//! The rows of one file: takes blocks and returns complete rows, even if they begin in one block and end in another.

use std::fmt::Display;
use std::io;

use memchr::{memchr, memchr_iter, memrchr};

use crate::ahead::{Ahead, Form, What};
use crate::blocks::{Block, Blocks};
use crate::error::Error;
use crate::fields::{BOM, Blank};
use crate::split::{Fault, Rest, Splitter};
use crate::texts::Texts;

pub(crate) struct Text {
    name: String,
    blocks: Blocks,
    block: Block,
    splitter: Splitter,
    /// The lines that are not rows.
    blank: Blank,
    /// True if the block may contain such lines; `None` if this is not known.
    may_have_blanks: Option<bool>,
    /// The number of lines that were not rows.
    other_lines: u64,
    limit: usize,
    /// The position of the next byte to read in the block.
    at: usize,
    /// The offset of the block in the file.
    base: u64,
    /// The number of ends of rows from `at` on, if it is known.
    left: Option<u64>,
    /// A row that began in an earlier block.
    carry: Vec<u8>,
    row: Span,
    /// The number of rows read or skipped.
    rows: u64,
    /// The number of newlines before the block; counted only if rows may contain newlines.
    lines: u64,
    /// The line of a quote that was opened in an earlier block.
    quote_line: u64,
    /// The line on which the row in `carry` begins.
    carry_line: u64,
    /// True if rows of this block were skipped.
    skipped: bool,
    ended: bool,
    /// Values of the next rows, if they were read ahead.
    ahead: Ahead,
}

/// The beginning of a file.
pub(crate) struct Beginning {
    /// Bytes of the first row that were read already and contain no row end, quote or delimiter.
    pub(crate) lead: &'static [u8],
    /// A line such as `sep=;` before the first row, which is not a row itself; empty if there is none.
    pub(crate) first_line: Vec<u8>,
    /// The delimiter set by this line.
    pub(crate) delimiter: Option<u8>,
    /// The lines that are not rows.
    pub(crate) blank: Blank,
}

/// The kind of bytes that earlier blocks contain of the row at the beginning of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begun {
    Nothing,
    /// Only bytes with which the row may still be a blank line: a carriage return, or white space in JSON lines.
    Blank,
    Bytes,
}

impl Begun {
    /// The state after these bytes of a block. `goes_on` is true if a row continues after them, and `in_quotes` if it
    /// continues within quotes.
    fn behind(self, bytes: &[u8], goes_on: bool, in_quotes: bool, blank: Blank) -> Begun {
        let (before, line) = match memrchr(b'\n', bytes) {
            Some(end) => (Begun::Nothing, &bytes[end + 1..]),
            None => (self, bytes),
        };
        match (before, line) {
            _ if !goes_on => Begun::Nothing,
            _ if in_quotes => Begun::Bytes,
            (Begun::Nothing, b"\r") => Begun::Blank,
            (Begun::Nothing | Begun::Blank, _) if blank == Blank::Space && blank.is(line) => Begun::Blank,
            _ => Begun::Bytes,
        }
    }
}

/// The location of the row that was read last.
#[derive(Clone, Copy)]
enum Span {
    None,
    /// In the block, from this position to the next byte to read.
    Block(usize),
    Carry,
}

impl Text {
    /// Creates a reader for a file whose beginning was read already.
    pub(crate) fn new(
        name: String,
        blocks: Blocks,
        size: usize,
        splitter: Splitter,
        limit: usize,
        begin: &Beginning,
    ) -> io::Result<Text> {
        let lines = u64::from(!begin.first_line.is_empty());
        Ok(Text {
            name,
            blocks,
            block: Block::new(size)?,
            splitter,
            blank: begin.blank,
            may_have_blanks: None,
            other_lines: lines,
            limit,
            at: 0,
            base: (begin.lead.len() + begin.first_line.len()) as u64,
            left: None,
            carry: begin.lead.to_vec(),
            row: Span::None,
            rows: 0,
            lines,
            quote_line: lines + 1,
            carry_line: lines + 1,
            skipped: false,
            ended: false,
            ahead: Ahead::default(),
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The number of bytes of the file before the next row.
    pub(crate) fn bytes(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Reads a row. Returns false at the end.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<bool, Error> {
        // A fast path: most rows are within the block and end at a single byte, so nothing else has to be checked.
        if let Splitter::Plain(terminator) = self.splitter
            && self.carry.is_empty()
            && let Some(len) = memchr(terminator, &self.block.bytes()[self.at..])
            && len < self.limit
            && !self.passes_over(&self.block.bytes()[self.at..=self.at + len])
        {
            self.found(Span::Block(self.at), self.at + len + 1);
            return Ok(true);
        }
        self.advance_slowly()
    }

    fn found(&mut self, row: Span, end: usize) {
        self.row = row;
        self.at = end;
        self.rows += 1;
        if let Some(left) = &mut self.left {
            *left -= 1;
        }
    }

    fn advance_slowly(&mut self) -> Result<bool, Error> {
        if matches!(self.row, Span::Carry) {
            self.carry.clear();
        }
        self.row = Span::None;
        loop {
            let from = self.at;
            let rest = Rest { bytes: self.block.bytes(), from, base: self.base };
            match self.splitter.end(rest).map_err(|_| self.row_too_long(from))? {
                Some(end) => {
                    let row = self.whole(from, end)?;
                    let is_blank = match row {
                        Span::Block(start) => self.passes_over(&self.block.bytes()[start..end]),
                        _ => self.passes_over(&self.carry),
                    };
                    if is_blank {
                        self.carry.clear();
                        self.at = end;
                        self.other_lines += 1;
                        self.left = self.left.map(|left| left - 1);
                        continue;
                    }
                    self.found(row, end);
                    return Ok(true);
                }
                None => {
                    self.keep_tail(from)?;
                    if !self.skipped {
                        self.blocks.want_counts(false);
                    }
                    if !self.refill()? {
                        return self.last();
                    }
                }
            }
        }
    }

    /// Returns true for a line that is not a row. A byte order mark before the first line is not part of it.
    fn passes_over(&self, line: &[u8]) -> bool {
        let line = if self.rows == 0 { line.strip_prefix(BOM).unwrap_or(line) } else { line };
        line.first().is_some_and(|first| self.blank.may_begin(*first)) && self.blank.is(line)
    }

    fn carry_holds_row(&self) -> bool {
        !self.carry.is_empty()
    }

    fn whole(&mut self, start: usize, end: usize) -> Result<Span, Error> {
        if !self.carry_holds_row() {
            self.within_limit(end - start, || self.line_of(start))?;
            return Ok(Span::Block(start));
        }
        self.append(start, end)?;
        Ok(Span::Carry)
    }

    fn keep_tail(&mut self, start: usize) -> Result<(), Error> {
        let end = self.block.bytes().len();
        if start == end {
            return Ok(());
        }
        if !self.carry_holds_row() {
            self.carry_line = self.line_of(start);
        }
        self.append(start, end)
    }

    /// Appends bytes of the block to those that were kept.
    fn append(&mut self, start: usize, end: usize) -> Result<(), Error> {
        let line = self.carry_line;
        self.within_limit(self.carry.len() + (end - start), || line)?;
        if self.carry.try_reserve(end - start).is_err() {
            return Err(Error::Memory { place: self.place(line) });
        }
        self.carry.extend_from_slice(&self.block.bytes()[start..end]);
        Ok(())
    }

    fn within_limit(&self, len: usize, line: impl Fn() -> u64) -> Result<(), Error> {
        if len > self.limit {
            return Err(Error::TooLong { place: self.place(line()), limit: self.limit });
        }
        Ok(())
    }

    /// Bytes left at the end of the file are a row without a terminator.
    fn last(&mut self) -> Result<bool, Error> {
        let only_mark = self.rows == 0 && self.carry == BOM && self.base == BOM.len() as u64;
        if self.carry.is_empty() || only_mark || self.blank == Blank::Space && self.passes_over(&self.carry) {
            return Ok(false);
        }
        self.row = Span::Carry;
        self.rows += 1;
        Ok(true)
    }

    /// Skips at most `n` rows, and returns their number.
    pub(crate) fn skip(&mut self, n: u64) -> Result<u64, Error> {
        if n == 0 || self.ended {
            return Ok(0);
        }
        self.row = Span::None;
        self.carry.clear();
        self.skipped = true;
        self.blocks.want_counts(true);
        let mut passed = 0;
        let mut inside = false;
        let mut begun = Begun::Nothing;
        while passed < n {
            let from = self.at;
            if self.blank != Blank::Never
                && *self.may_have_blanks.get_or_insert_with(|| self.blank.may_be_in(self.block.bytes()))
            {
                passed += self.skip_line_by_line(n - passed, begun)?;
            } else {
                let rest = Rest { bytes: self.block.bytes(), from, base: self.base };
                let (ends, at) = self
                    .splitter
                    .pass(rest, n - passed, &mut self.left)
                    .map_err(|fault| self.too_long(fault))?;
                passed += ends;
                self.at = at;
            }
            if passed < n {
                // Any bytes after the last terminator are a row that continues.
                let bytes = &self.block.bytes()[from..];
                if let Some(&last) = bytes.last() {
                    inside = self.splitter.goes_on(last);
                    begun = begun.behind(bytes, inside, self.splitter.open_quote().is_some(), self.blank);
                }
                if !self.refill()? {
                    passed += u64::from(inside && !(self.blank == Blank::Space && begun == Begun::Blank));
                    break;
                }
            }
        }
        self.rows += passed;
        Ok(passed)
    }

    /// The numbers of the next rows, as long as these are in the usual form and within the block.
    pub(crate) fn read_numbers(&mut self, column: usize, form: &Form<'_>) -> &[f64] {
        self.read_ahead(What::Number(column), form);
        self.ahead.numbers()
    }

    /// The numbers of the next rows in units of 10^-18, as long as these are in the usual form and in the block.
    pub(crate) fn read_units(&mut self, column: usize, form: &Form<'_>) -> &[u128] {
        self.read_ahead(What::Units(column), form);
        self.ahead.units()
    }

    /// The texts of the next rows, as long as these are in the usual form and within the block. `what` must not be a
    /// number.
    pub(crate) fn read_texts(&mut self, what: What, form: &Form<'_>) -> Texts<'_> {
        self.read_ahead(what, form);
        let (texts, ends) = self.ahead.texts();
        Texts { block: self.block.bytes(), texts, begin: self.at, ends }
    }

    fn read_ahead(&mut self, what: What, form: &Form<'_>) {
        self.ahead.go_to(self.base, what, self.at);
        // The first row may begin with a byte order mark, and an unread row in `carry` began in an earlier block.
        let is_begun = self.carry_holds_row() && !matches!(self.row, Span::Carry);
        if self.rows == 0 || is_begun {
            self.ahead.clear();
        } else {
            self.ahead.read(self.block.bytes(), self.at, form, self.limit, self.blank);
        }
    }

    /// Skips rows whose values were read ahead.
    pub(crate) fn pass_ahead(&mut self, n: usize) {
        self.carry.clear();
        self.row = Span::None;
        self.at = self.ahead.pass(self.at, n);
        self.rows += n as u64;
        self.left = self.left.map(|left| left - n as u64);
    }

    /// Skips at most `n` rows of this block, in which some lines may be blank, and returns their number.
    fn skip_line_by_line(&mut self, n: u64, mut begun: Begun) -> Result<u64, Error> {
        let mut passed = 0;
        self.left = None;
        while passed < n {
            let bytes = self.block.bytes();
            let rest = Rest { bytes, from: self.at, base: self.base };
            let Some(end) = self.splitter.end(rest).map_err(|fault| self.too_long(fault))? else {
                self.at = self.block.bytes().len();
                break;
            };
            let line = &self.block.bytes()[self.at..end];
            let is_blank = match begun {
                Begun::Nothing => self.blank.is(line),
                Begun::Blank => line == b"\n" || self.blank == Blank::Space && self.blank.is(line),
                Begun::Bytes => false,
            };
            begun = Begun::Nothing;
            self.at = end;
            if is_blank {
                self.other_lines += 1;
            } else {
                passed += 1;
            }
        }
        Ok(passed)
    }

    /// Reads the next block. Returns false at the end.
    fn refill(&mut self) -> Result<bool, Error> {
        if self.ended {
            return Ok(false);
        }
        let used = self.block.bytes();
        if self.splitter.counted().is_none() {
            if let Some(open) = self.splitter.open_quote().and_then(|open| open.checked_sub(self.base)) {
                self.quote_line = self.line_of(open as usize);
            }
            self.lines += memchr_iter(b'\n', used).count() as u64;
        }
        self.splitter.leave(used);
        self.base += used.len() as u64;
        self.at = 0;
        self.skipped = false;
        self.blocks.next(&mut self.block).map_err(|error| Error::Io { name: self.name.clone(), error })?;
        self.left = self.block.ends;
        self.may_have_blanks = self.block.may_have_blanks;
        self.ended = self.block.bytes().is_empty();
        if self.ended && self.splitter.open_quote().is_some() {
            let place = self.place(self.quote_line);
            return Err(Error::invalid(place, "the quote opened here is never closed"));
        }
        Ok(!self.ended)
    }

    /// The error for a row that is too long. It reports the line of the row, not the line of a quoted field, because
    /// the division into blocks determines which of the two limits is exceeded first.
    fn row_too_long(&self, start: usize) -> Error {
        let line = if self.carry_holds_row() { self.carry_line } else { self.line_of(start) };
        Error::TooLong { place: self.place(line), limit: self.limit }
    }

    fn too_long(&self, fault: Fault) -> Error {
        let line = fault.0.checked_sub(self.base).map_or(self.quote_line, |at| self.line_of(at as usize));
        Error::TooLong { place: self.place(line), limit: self.limit }
    }

    fn place(&self, line: impl Display) -> String {
        format!("{}:{line}", self.name)
    }

    /// The line of a byte in the block that belongs to the next row.
    fn line_of(&self, at: usize) -> u64 {
        match self.splitter.counted() {
            // In this case every row is a line.
            Some(_) => self.rows + self.other_lines + 1,
            None => self.lines + 1 + memchr_iter(b'\n', &self.block.bytes()[..at]).count() as u64,
        }
    }

    /// The row that was read last; empty before the first one.
    #[inline]
    pub(crate) fn row(&self) -> &[u8] {
        match self.row {
            Span::None => &[],
            Span::Carry => &self.carry,
            Span::Block(start) => &self.block.bytes()[start..self.at],
        }
    }

    /// Returns true if this is the file's first row, which may begin with a byte order mark.
    pub(crate) fn is_first(&self) -> bool {
        self.rows == 1
    }

    /// The line on which this row begins, counted from 1; computed on each call.
    pub(crate) fn line(&self) -> u64 {
        match self.row {
            Span::Block(start) if self.splitter.counted().is_none() => self.line_of(start),
            Span::Carry if self.splitter.counted().is_none() => self.carry_line,
            _ => self.rows + self.other_lines,
        }
    }
}
