//! Columns of a window of rows, each written from its first row to its last, so that its kind is checked only once.

use crate::cell::{Cell, Form, Number, Width};
use crate::window::Place;
use crate::write::{Writer, Wrong, head};
use hashwell_arrow::Layout;
use std::ops::Range;

impl Cell<'_> {
    /// Writes this column of some rows, at least one, after the bytes that the rows have so far.
    ///
    /// # Errors
    /// Returns an error if a value has no encoding. The error does not name the value, and it need not be about the
    /// first such value.
    pub(crate) fn write_column(&self, rows: Range<usize>, places: &mut [Place]) -> Result<(), Wrong> {
        use Number::{Days, Float, Signed, Unsigned};
        use Width::Eight;
        match &self.form {
            // The number types are constants here, so that each combination is compiled to a separate loop.
            Form::Fixed(Signed(Eight), bytes) => {
                self.numbers(rows, places, |row| Signed(Eight).short(bytes, row))
            }
            Form::Fixed(Float(Eight), bytes) => {
                self.numbers(rows, places, |row| Float(Eight).short(bytes, row))
            }
            Form::Fixed(number @ (Signed(_) | Unsigned(_) | Float(_) | Days), bytes) => {
                self.numbers(rows, places, |row| number.short(bytes, row))
            }
            Form::Bool => self.each(rows, places, |row, place| {
                place.put(&[1 + u8::from(self.node.bit(row)?)]);
                Ok(())
            }),
            Form::Text | Form::Bytes if matches!(self.node.layout(), Layout::Bytes { .. }) => {
                self.strings(rows, places)
            }
            _ => {
                let mut out = Writer::default();
                self.each(rows, places, |row, place| {
                    out.clear();
                    self.write(row, &mut out)?;
                    out.go_on()?;
                    place.put(out.as_bytes());
                    place.row().map(drop).ok_or("the row is too long")
                })
            }
        }
    }

    #[inline(always)]
    fn numbers(
        &self,
        rows: Range<usize>,
        places: &mut [Place],
        short: impl Fn(usize) -> Option<[u8; 9]>,
    ) -> Result<(), Wrong> {
        self.each(rows, places, |row, place| {
            place.put(&short(row).ok_or("the number has more than 64 bits")?);
            Ok(())
        })
    }

    fn strings(&self, rows: Range<usize>, places: &mut [Place]) -> Result<(), Wrong> {
        let (first, strings) = (rows.start, self.node.strings(rows.clone())?);
        let put = |place: &mut Place, tag, value: Range<usize>| {
            let (head, len) = head(tag, value.len());
            place.put_first(&head, len);
            place.put_first(&strings.bytes()[value.start..], value.len());
        };
        if matches!(self.form, Form::Bytes) {
            return self.each(rows, places, |row, place| {
                let value = strings.range(row - first);
                strings.bytes().get(value.clone()).ok_or("an offset is wrong")?;
                put(place, 0x31, value);
                Ok(())
            });
        }
        // If the strings are UTF-8 as a whole, so is every piece that is not cut within a character.
        let all = std::str::from_utf8(strings.bytes()).map_err(|_| "a string is not UTF-8")?;
        self.each(rows, places, |row, place| {
            let value = strings.range(row - first);
            all.get(value.clone()).ok_or("an offset is wrong, or a string is not UTF-8")?;
            put(place, 0x30, value);
            Ok(())
        })
    }

    /// Calls `write` for each row that is not null; null rows are written here.
    #[inline(always)]
    fn each(
        &self,
        rows: Range<usize>,
        places: &mut [Place],
        mut write: impl FnMut(usize, &mut Place) -> Result<(), Wrong>,
    ) -> Result<(), Wrong> {
        for (row, place) in rows.zip(places) {
            if self.nullable && !self.node.is_valid(row) {
                place.put(&[0]);
            } else {
                write(row, place)?;
            }
        }
        Ok(())
    }
}
