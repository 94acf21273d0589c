//! One column read forward, for those who ask every row or some for one value.

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

/// Rows that are read at once.
const ROWS: usize = 1024;

/// Where a column stands.
pub(super) struct Cursor {
    open: Option<Open>,
}

struct Open {
    file: usize,
    group: usize,
    reader: ColumnReader,
    packed: Compression,
    cells: Cells,
    /// The row of the group that comes first in `cells`.
    first: u64,
}

impl Cursor {
    pub(super) fn new() -> Cursor {
        Cursor { open: None }
    }

    /// The value in that row as text.
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
        // The row lies among at most `ROWS` others.
        let field = open.cells.field(&descriptor, (spot.row - open.first) as usize)?;
        // Not after an error, which may have left the reader anywhere: then the group is read again from its beginning.
        self.open = Some(open);
        Ok(text(&field).unwrap_or_default())
    }
}

fn short() -> ParquetError {
    ParquetError::General("a column has fewer rows than its row group".into())
}
