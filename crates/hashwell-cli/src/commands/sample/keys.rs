//! Samples of keys: all rows go by.

use super::fields::Values;
use super::reading::Stream;
use super::stop::Stop;
use hashwell_draw::survey::Keys;

/// Reads all rows.
pub(super) fn run(keys: &mut Keys, stream: &mut Stream<'_>) -> Result<(), Stop> {
    let columns = Values::of(&stream.rows, "--key", &keys.columns)?;
    while let Some(row) = stream.next()? {
        keys.offer(b"", &columns.read(&row)?, row.bytes())?;
    }
    Ok(())
}
