//! Checks for available memory before the gzip library is called, which panics if there is none.

use std::io;

use parquet::basic::Compression;
use parquet::errors::Result;

use crate::{options, unpack};

/// Checks the memory for pages that are read.
pub(super) fn to_unpack(packed: Compression) -> Result<()> {
    match packed {
        Compression::GZIP(_) => Ok(unpack::look_for_room(options::Compression::Gzip)?),
        _ => Ok(()),
    }
}

/// Checks the memory for pages that are written.
pub(super) fn to_pack(packed: Compression) -> Result<()> {
    match packed {
        Compression::GZIP(_) => Ok(Vec::<u8>::new().try_reserve_exact(512 << 10).map_err(io::Error::from)?),
        _ => Ok(()),
    }
}
