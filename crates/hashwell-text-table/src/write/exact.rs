//! Detects values that Arrow's Parquet reader would change silently: timestamps of 96 bits that do not fit into 64
//! bits, and intervals with parts that the reader would drop.

use super::form::value_fields;
use hashwell_arrow::{Field, Interval, Kind, Unit};
use parquet::basic::{ConvertedType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescPtr;

/// The number of values that are checked at a time.
const AT_ONCE: usize = 1024;

/// Rejects a Parquet file with values that Arrow's reader would change.
///
/// # Errors
/// Returns a message with the name of the column if there are such values.
pub fn check<R: ChunkReader + 'static>(
    file: R,
    table: &Field,
    leaves: &[ColumnDescPtr],
) -> std::result::Result<(), String> {
    let fields = value_fields(table);
    let is_looked_at = |leaf: &ColumnDescPtr| {
        leaf.physical_type() == Type::INT96 || leaf.converted_type() == ConvertedType::INTERVAL
    };
    if !leaves.iter().any(is_looked_at) {
        return Ok(());
    }
    let unreadable = |error| format!("not readable as Parquet: {error}");
    let reader = SerializedFileReader::new(file).map_err(unreadable)?;
    for (number, leaf) in leaves.iter().enumerate().filter(|(_, leaf)| is_looked_at(leaf)) {
        let kind = fields.get(number).map_or(Kind::Null, |field| field.kind);
        for group in 0..reader.num_row_groups() {
            let column = reader.get_row_group(group).and_then(|group| group.get_column_reader(number));
            if !all_fit(column.map_err(unreadable)?, kind).map_err(unreadable)? {
                let what = if leaf.physical_type() == Type::INT96 {
                    "it contains an INT96 timestamp outside the range of 64-bit nanoseconds (years 1677 to 2262)"
                } else {
                    "it contains an INTERVAL that Arrow cannot represent, such as one with both months and days"
                };
                return Err(format!("column {:?}: {what}", leaf.path().string()));
            }
        }
    }
    Ok(())
}

fn all_fit(column: ColumnReader, kind: Kind) -> Result<bool> {
    match (column, kind) {
        (ColumnReader::Int96ColumnReader(column), Kind::Timestamp { unit, .. }) => {
            all(column, |time| timestamp_fits(time.data(), unit))
        }
        (ColumnReader::FixedLenByteArrayColumnReader(column), Kind::Interval(interval)) => {
            all(column, |bytes| interval_fits(bytes.data(), interval))
        }
        _ => Ok(true),
    }
}

fn all<D: DataType>(mut column: ColumnReaderImpl<D>, fits: impl Fn(&D::T) -> bool) -> Result<bool> {
    let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        values.clear();
        definitions.clear();
        repetitions.clear();
        let (rows, ..) =
            column.read_records(AT_ONCE, Some(&mut definitions), Some(&mut repetitions), &mut values)?;
        if rows == 0 {
            return Ok(true);
        }
        if !values.iter().all(&fits) {
            return Ok(false);
        }
    }
}

/// A timestamp has the nanoseconds of the day in the first 64 bits, followed by the Julian day.
fn timestamp_fits(words: &[u32], unit: Unit) -> bool {
    const DAY: i128 = 86_400_000_000_000;
    const JULIAN_DAY_OF_1970: i128 = 2_440_588;
    let [low, high, day] = *words else { return false };
    let time = i128::from(low) | i128::from(high) << 32;
    let since = (i128::from(day) - JULIAN_DAY_OF_1970) * DAY + time;
    let unit = match unit {
        Unit::Second => 1_000_000_000,
        Unit::Milli => 1_000_000,
        Unit::Micro => 1_000,
        Unit::Nano => 1,
    };
    since % unit == 0 && i64::try_from(since / unit).is_ok()
}

/// An interval has months, days and milliseconds, with 4 bytes each.
fn interval_fits(bytes: &[u8], interval: Interval) -> bool {
    let is_zero = |part: usize| bytes.get(4 * part..4 * part + 4).is_some_and(|bytes| bytes == [0; 4]);
    match interval {
        Interval::Months => is_zero(1) && is_zero(2),
        Interval::DayTime => is_zero(0),
        Interval::MonthDayNano => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_of_96_bits() {
        let noon = [0x4a4b_8000_u32, 0x2744, 2_440_588];
        assert!(timestamp_fits(&noon, Unit::Nano) && timestamp_fits(&[1, 0, 2_440_588], Unit::Nano));
        assert!(!timestamp_fits(&[1, 0, 2_440_588], Unit::Micro));
        // The year 9999, which microseconds can represent.
        let late = [0, 0, 5_373_484];
        assert!(!timestamp_fits(&late, Unit::Nano) && timestamp_fits(&late, Unit::Micro));
        // The year -4712.
        assert!(!timestamp_fits(&[0, 0, 0], Unit::Nano));
    }

    #[test]
    fn parts_of_intervals() {
        let interval =
            |months: u32, days: u32, time: u32| [months, days, time].map(u32::to_le_bytes).concat();
        assert!(interval_fits(&interval(0, 5, 7), Interval::DayTime));
        assert!(!interval_fits(&interval(1, 5, 7), Interval::DayTime));
        assert!(interval_fits(&interval(9, 0, 0), Interval::Months));
        assert!(!interval_fits(&interval(9, 1, 0), Interval::Months));
    }
}
