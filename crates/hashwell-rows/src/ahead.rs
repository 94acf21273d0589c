//! Reads one column ahead of the rows, so that a consumer that needs few rows can look at many values at once.

use std::ops::Range;

use crate::fields::{Blank, ahead, without_end};

/// The number of rows whose values are read together: few enough for the nearest cache.
const MOST: usize = 1024;

/// The value to read from each row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// The number in a field.
    Number(usize),
    /// The number in a field, in units of 10^-18.
    Units(usize),
    /// The text of a field.
    Field(usize),
    /// The text of the line.
    Line,
}

/// The format of the rows.
pub(crate) struct Form<'a> {
    /// The delimiter of fields; `None` if each row is a line without fields.
    pub(crate) delimiter: Option<u8>,
    pub(crate) quote: Option<u8>,
    /// The header row, without its line ending. Reading ahead stops before a row that equals it.
    pub(crate) header: Option<&'a [u8]>,
}

/// The values of rows in the block.
#[derive(Default)]
pub(crate) struct Ahead {
    numbers: Vec<f64>,
    units: Vec<u128>,
    texts: Vec<Range<usize>>,
    /// The ends of the rows in the block.
    ends: Vec<usize>,
    /// The number of values whose rows were skipped or read after the values.
    used: usize,
    /// The offset of the block in the file, and the value that was read.
    of: Option<(u64, What)>,
}

impl Ahead {
    /// The numbers of rows that were not used yet.
    pub(crate) fn numbers(&self) -> &[f64] {
        &self.numbers[self.used..]
    }

    /// The same numbers in units of 10^-18.
    pub(crate) fn units(&self) -> &[u128] {
        &self.units[self.used..]
    }

    /// The positions of the texts in the block, and of the ends of their rows.
    pub(crate) fn texts(&self) -> (&[Range<usize>], &[usize]) {
        (&self.texts[self.used..], &self.ends[self.used..])
    }

    /// Sets the block (by its offset in the file), the value to read, and the start of the next row. Earlier rows count
    /// as used.
    pub(crate) fn go_to(&mut self, base: u64, what: What, at: usize) {
        if self.of != Some((base, what)) {
            self.clear();
            self.of = Some((base, what));
        }
        self.use_up(at);
    }

    /// Marks the rows that end at or before this position as used.
    fn use_up(&mut self, at: usize) {
        while self.ends.get(self.used).is_some_and(|end| *end <= at) {
            self.used += 1;
        }
    }

    /// Marks `n` more rows as used, in addition to those before this position, and returns the end of the last one.
    pub(crate) fn pass(&mut self, at: usize, n: usize) -> usize {
        self.use_up(at);
        self.used += n;
        self.ends[self.used - 1]
    }

    /// Reads the rows from `at` on, unless some rows were not used yet. Stops before a row that is longer than `limit`,
    /// that is not in the usual form, or that is blank.
    pub(crate) fn read(&mut self, bytes: &[u8], mut at: usize, form: &Form<'_>, limit: usize, blank: Blank) {
        let Some((_, what)) = self.of.filter(|_| self.used == self.ends.len()) else { return };
        self.clear();
        let room = match what {
            What::Number(_) => self.numbers.try_reserve(MOST),
            What::Units(_) => self.units.try_reserve(MOST),
            What::Field(_) | What::Line => self.texts.try_reserve(MOST),
        };
        // If there is no memory, no row is read ahead, and each is read separately.
        if room.and_then(|()| self.ends.try_reserve(MOST)).is_err() {
            return;
        }
        let column = match what {
            What::Number(column) | What::Units(column) | What::Field(column) => column,
            What::Line => 0,
        };
        while self.ends.len() < MOST {
            let found = match form.delimiter {
                Some(delimiter) => ahead::field(bytes, at, delimiter, form.quote, column),
                None => ahead::line(bytes, at),
            };
            let Some((text, end)) = found else { break };
            let row = &bytes[at..end];
            let is_header = |header: &[u8]| header.first() == row.first() && without_end(row) == header;
            if row.len() >= limit || blank.is(row) || form.header.is_some_and(is_header) {
                break;
            }
            match what {
                What::Number(_) => match ahead::number(bytes, text) {
                    Some(number) => self.numbers.push(number),
                    None => break,
                },
                What::Units(_) => match ahead::units(bytes, text) {
                    Some(units) => self.units.push(units),
                    None => break,
                },
                What::Field(_) => self.texts.push(text),
                What::Line => self.texts.push(at..at + without_end(row).len()),
            }
            self.ends.push(end);
            at = end;
        }
    }

    /// Forgets all rows, for example before a row that has to be read separately.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.units.clear();
        self.texts.clear();
        self.ends.clear();
        self.used = 0;
    }
}
