//! Reads one column forward, for callers that read one value from every row or from some rows.

use std::fs::File;

use parquet::basic::Compression;
use parquet::column::reader::ColumnReader;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;

use super::spot::Spot;
use super::text::text;
use super::try_alloc;
use super::typed::{self, Cells};

/// The number of rows read at a time.
const ROWS: usize = 1024;

/// The current position in a column.
pub(super) struct Cursor {
    open: Option<Open>,
}

struct Open {
    file: usize,
    group: usize,
    reader: ColumnReader,
    packed: Compression,
    cells: Cells,
    /// The number, within the row group, of the first row in `cells`.
    first: u64,
}

impl Cursor {
    pub(super) fn new() -> Cursor {
        Cursor { open: None }
    }

    /// The value in this row as text.
    pub(super) fn text(
        &mut self,
        file: &SerializedFileReader<File>,
        spot: Spot,
        leaf: usize,
    ) -> Result<Vec<u8>> {
        let descriptor = file.metadata().file_metadata().schema_descr().column(leaf);
        let fits = |open: &Open| open.file == spot.file && open.group == spot.group && open.first <= spot.row;
        let mut open = match self.open.take().filter(fits) {
            Some(open) => open,
            None => Open {
                file: spot.file,
                group: spot.group,
                reader: file.get_row_group(spot.group)?.get_column_reader(leaf)?,
                packed: file.metadata().row_group(spot.group).column(leaf).compression(),
                cells: Cells::new(descriptor.physical_type()),
                first: 0,
            },
        };
        let behind = open.first + open.cells.rows() as u64;
        if spot.row >= behind {
            try_alloc::to_unpack(open.packed)?;
            let gap = usize::try_from(spot.row - behind).map_err(|_| short())?;
            if typed::skip(&mut open.reader, gap)? < gap {
                return Err(short());
            }
            open.first = spot.row;
            if open.cells.refill(&mut open.reader, ROWS, descriptor.max_def_level())? == 0 {
                return Err(short());
            }
        }
        // The row is among the at most `ROWS` rows that were read.
        let field = open.cells.field(&descriptor, (spot.row - open.first) as usize)?;
        // This is not stored after an error, because the reader's position is then unknown. The group is then read
        // again from its beginning.
        self.open = Some(open);
        Ok(text(&field).unwrap_or_default())
    }
}

fn short() -> ParquetError {
    ParquetError::General("a column has fewer rows than its row group".into())
}
