//! `--print-ticket`: the number by which a row was picked, before it.

use super::output::Sink;
use super::stop::Stop;
use crate::options::sample_args::SampleOptions;
use hashwell_draw::survey::Form;
use hashwell_rows::BOM;

/// How tickets are printed, if they are.
pub(super) struct Tickets {
    separator: Option<u8>,
}

impl Tickets {
    /// None are printed.
    pub(super) fn none() -> Self {
        Self { separator: None }
    }

    /// Tickets stand in the first column, so that the format must have columns or none.
    pub(super) fn of(options: &SampleOptions, form: Form) -> Result<Self, Stop> {
        if !options.print_ticket {
            return Ok(Self::none());
        }
        let separator = match form {
            Form::Csv => b',',
            Form::Lines | Form::Nul | Form::Tsv => b'\t',
            _ => return Err(Stop::usage("--print-ticket is of lines, CSV and TSV")),
        };
        Ok(Self { separator: Some(separator) })
    }

    /// The header; the mark that precedes UTF-8 stays the file's beginning.
    pub(super) fn header(&self, sink: &mut Sink, header: &[u8]) -> Result<(), Stop> {
        match self.separator {
            Some(separator) => {
                let (mark, columns) = header.split_at(if header.starts_with(BOM) { BOM.len() } else { 0 });
                Ok(sink.rows(&[mark, b"ticket", &[separator], columns])?)
            }
            None => Ok(sink.row(header)?),
        }
    }

    /// A row, after its ticket: 32 hexadecimal digits.
    pub(super) fn write(&self, sink: &mut Sink, ticket: Option<u128>, row: &[u8]) -> Result<(), Stop> {
        match (self.separator, ticket) {
            (Some(separator), Some(ticket)) => {
                Ok(sink.rows(&[format!("{ticket:032x}").as_bytes(), &[separator], row])?)
            }
            _ => Ok(sink.row(row)?),
        }
    }
}
