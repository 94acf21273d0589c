//! What columns say of a row: weights, strata, keys.

use super::stop::Stop;
use hashwell_draw::survey::{Kind, Value, Weigher, Weight, Wrong, joined};
use hashwell_rows::{Column, Format, Row, Rows};
use std::borrow::Cow;

/// A column of weights.
pub(super) struct Weights {
    column: Column,
    name: String,
    weigher: Weigher,
}

impl Weights {
    pub(super) fn of(rows: &Rows, weight: &Weight, kind: Kind) -> Result<Self, Stop> {
        let column = column(rows, "--weight", &weight.column)?;
        let weigher = Weigher::new(kind, weight.missing.as_deref());
        Ok(Self { column, name: weight.column.clone(), weigher })
    }

    /// The weight of a row: a number that is not negative.
    pub(super) fn read(&self, row: &Row<'_>) -> Result<Value, Stop> {
        if self.weigher.takes_floats()
            && let Ok(weight) = row.float(&self.column)
            && let Some(value) = self.weigher.quick(weight)
        {
            return Ok(value);
        }
        self.weigher.of_text(&row.field(&self.column)?).map_err(|wrong| match wrong {
            Wrong::Blank => self.wrong(row, "blank; --missing-weight 0 would never pick such rows"),
            Wrong::Is(what) => self.wrong(row, &what),
            Wrong::Refused(why) => Stop::work(format!("{}: column {}: {why}", row.place(), self.name)),
        })
    }

    fn wrong(&self, row: &Row<'_>, what: &str) -> Stop {
        Stop::work(format!("{}: the weight (column {}) is {what}", row.place(), self.name))
    }
}

/// What strata or keys are made of: columns, or the whole row for one of the name [`WHOLE`].
pub(super) struct Values(Vec<Option<Column>>);

/// The name of the whole row as a column.
const WHOLE: &str = "0";

impl Values {
    pub(super) fn of(rows: &Rows, option: &str, names: &[String]) -> Result<Self, Stop> {
        let is_whole =
            |name: &str| name == WHOLE && !matches!(rows.format(), Format::JsonLines | Format::Parquet);
        let of_name =
            |name: &String| if is_whole(name) { Ok(None) } else { column(rows, option, name).map(Some) };
        names.iter().map(of_name).collect::<Result<_, _>>().map(Self)
    }

    /// The value of a row, as the format means it: without the quotes of CSV, and without what ends a row.
    pub(super) fn read<'a>(&self, row: &Row<'a>) -> Result<Cow<'a, [u8]>, Stop> {
        match &self.0[..] {
            [column] => field(row, column.as_ref()),
            columns => {
                let fields: Vec<_> =
                    columns.iter().map(|column| field(row, column.as_ref())).collect::<Result<_, _>>()?;
                Ok(joined(&fields))
            }
        }
    }
}

fn field<'a>(row: &Row<'a>, column: Option<&Column>) -> Result<Cow<'a, [u8]>, Stop> {
    match column {
        Some(column) => Ok(row.field(column)?),
        None => Ok(Cow::Borrowed(without_end(row.bytes()))),
    }
}

fn without_end(row: &[u8]) -> &[u8] {
    match row.split_last() {
        Some((b'\n', line)) => line.strip_suffix(b"\r").unwrap_or(line),
        Some((0, record)) => record,
        _ => row,
    }
}

fn column(rows: &Rows, option: &str, name: &str) -> Result<Column, Stop> {
    rows.column(name).map_err(|error| Stop::work(format!("{option}: {error}")))
}
