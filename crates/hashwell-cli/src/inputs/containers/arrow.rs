//! Arrow IPC files (Feather, version 2) and streams, which are converted to Parquet.

use super::super::reading::of_copy;
use crate::system::report::reason;
use arrow_array::RecordBatch;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{FileDecoder, StreamDecoder, read_footer_length};
use arrow_ipc::{Block, root_as_footer, root_as_message};
use arrow_schema::{DataType, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

/// The first bytes of a file. A stream begins with a message instead.
const FILE: &[u8] = b"ARROW1";

/// The first bytes of version 1 of Feather, which has a different structure.
const FEATHER_1: &[u8] = b"FEA1";

/// The bytes before the length of each message. Versions of Arrow before 0.15 omit them.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// The number of rows of a row group.
const ROWS: usize = 1 << 17;

/// Converts a file or a stream to Parquet without compression.
pub(super) fn read(name: &OsString, to: &mut File, stopped: &dyn Fn() -> bool) -> Result<(), String> {
    let mut from = File::open(name).map_err(|error| reason(&error))?;
    let first = exact(&mut from, FILE.len() as u64)?;
    if first.starts_with(FEATHER_1) {
        return Err(
            "Feather version 1 can't be read: write the table as Parquet, or as Feather version 2".into()
        );
    }
    let mut output = Output { to, writer: None, stopped };
    if first == FILE {
        of_file(&mut from, &mut output)?;
    } else {
        from.rewind().map_err(|error| reason(&error))?;
        of_stream(BufReader::with_capacity(256 << 10, from), &mut output)?;
    }
    let writer = output.writer.ok_or_else(|| damaged(&"it has no schema"))?;
    writer.close().map(drop).map_err(of_parquet)
}

/// The Parquet file that is written.
struct Output<'o> {
    to: &'o File,
    writer: Option<ArrowWriter<File>>,
    stopped: &'o dyn Fn() -> bool,
}

impl Output<'_> {
    /// The writer, which is created with this schema if there is none.
    fn begin(&mut self, schema: Arc<Schema>) -> Result<&mut ArrowWriter<File>, String> {
        let none = match &mut self.writer {
            Some(writer) => return Ok(writer),
            none => none,
        };
        let properties = WriterProperties::builder()
            .set_compression(Compression::UNCOMPRESSED)
            .set_dictionary_enabled(false)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_max_row_group_row_count(Some(ROWS))
            .build();
        if let Some(column) = schema.fields().iter().find(|column| has_union(column.data_type())) {
            return Err(format!(
                "column {:?} has a union type, which can't be converted to Parquet",
                column.name()
            ));
        }
        let to = self.to.try_clone().map_err(|error| reason(&error))?;
        Ok(none.insert(ArrowWriter::try_new(to, schema, Some(properties)).map_err(of_parquet)?))
    }

    /// Writes a batch. Returns an error if the command was asked to stop.
    fn write(&mut self, batch: &RecordBatch) -> Result<(), String> {
        if (self.stopped)() {
            return Err("stopped".into());
        }
        self.begin(batch.schema())?.write(batch).map_err(of_parquet)
    }
}

/// Returns true if a type is a union or contains one. The writer of Parquet panics on unions.
fn has_union(of: &DataType) -> bool {
    match of {
        DataType::Union(..) => true,
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => has_union(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| has_union(field.data_type())),
        DataType::Dictionary(_, values) => has_union(values),
        DataType::RunEndEncoded(_, values) => has_union(values.data_type()),
        _ => false,
    }
}

const MALFORMED: &str = "a message is malformed";

fn damaged(error: &dyn Display) -> String {
    format!("not readable as Arrow: {error}")
}

fn of_parquet(error: ParquetError) -> String {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => reason(&of_copy(*error)),
            Err(error) => error.to_string(),
        },
        error => format!("can't be converted to Parquet: {error}"),
    }
}

/// Reads a file, whose footer has the positions of all batches. Its first message is not read, because Polars omits
/// the message's length.
fn of_file(from: &mut File, to: &mut Output<'_>) -> Result<(), String> {
    const END: u64 = 10;
    let len = from.metadata().map_err(|error| reason(&error))?.len();
    let end = exact_at(from, len.saturating_sub(END), END)?;
    let end = end.first_chunk().ok_or_else(|| damaged(&"the file is incomplete"))?;
    let size = read_footer_length(*end).map_err(|error| damaged(&error))? as u64;
    let start = len.checked_sub(END + size).ok_or_else(|| damaged(&"the footer is longer than the file"))?;
    let footer = exact_at(from, start, size)?;
    let footer = root_as_footer(&footer).map_err(|_| damaged(&"the footer is malformed"))?;
    let schema = footer.schema().ok_or_else(|| damaged(&"it has no schema"))?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err(damaged(&"its numbers are big-endian"));
    }
    let schema = Arc::new(try_fb_to_schema(schema).map_err(|error| damaged(&error))?);
    to.begin(schema.clone())?;
    let mut decoder = FileDecoder::new(schema, footer.version());
    for block in footer.dictionaries().into_iter().flatten() {
        let bytes = of_block(from, block)?;
        decoder.read_dictionary(block, &bytes.into()).map_err(|error| damaged(&error))?;
    }
    for block in footer.recordBatches().into_iter().flatten() {
        let bytes = of_block(from, block)?;
        if let Some(batch) =
            decoder.read_record_batch(block, &bytes.into()).map_err(|error| damaged(&error))?
        {
            to.write(&batch)?;
        }
    }
    Ok(())
}

/// The bytes of a message and its body.
fn of_block(from: &mut File, block: &Block) -> Result<Vec<u8>, String> {
    let lies = || damaged(&"the footer has a wrong position");
    let offset = u64::try_from(block.offset()).map_err(|_| lies())?;
    let head = usize::try_from(block.metaDataLength()).map_err(|_| lies())?;
    let body = u64::try_from(block.bodyLength()).map_err(|_| lies())?;
    let size = body.checked_add(head as u64).ok_or_else(lies)?;
    let bytes = exact_at(from, offset, size)?;
    if bytes.len() as u64 != size {
        return Err(damaged(&"the file is incomplete"));
    }
    let (message, body) = bytes.split_at(head);
    let message = message.strip_prefix(&CONTINUATION).unwrap_or(message);
    check_memory(message.get(4..).ok_or_else(lies)?, body)?;
    Ok(bytes)
}

/// Reads a stream of messages.
fn of_stream(mut from: impl Read, to: &mut Output<'_>) -> Result<(), String> {
    let mut decoder = StreamDecoder::new();
    let mut decode = |part: Vec<u8>| {
        let mut part = part.into();
        loop {
            match decoder.decode(&mut part).map_err(|error| damaged(&error))? {
                Some(batch) => to.write(&batch)?,
                None if part.is_empty() => break,
                None => {}
            }
        }
        decoder.schema().map_or(Ok(()), |schema| to.begin(schema).map(drop))
    };
    loop {
        let mut head = exact(&mut from, 4)?;
        if head == CONTINUATION {
            head = exact(&mut from, 4)?;
        }
        // A stream may end with the end of the file.
        let size = head.first_chunk().map_or(0, |size| u32::from_le_bytes(*size));
        if size == 0 {
            // A message without a body is decoded only when more bytes arrive.
            return [CONTINUATION.to_vec(), vec![0; 4]].into_iter().try_for_each(decode);
        }
        let message = exact(&mut from, size.into())?;
        let known = root_as_message(&message).map_err(|_| damaged(&MALFORMED))?;
        let len = u64::try_from(known.bodyLength()).map_err(|_| damaged(&"a length is negative"))?;
        let body = exact(&mut from, len)?;
        if body.len() as u64 != len {
            return Err(damaged(&"the file is incomplete"));
        }
        check_memory(&message, &body)?;
        [CONTINUATION.to_vec(), head, message, body].into_iter().try_for_each(&mut decode)?;
    }
}

fn exact_at(from: &mut File, offset: u64, len: u64) -> Result<Vec<u8>, String> {
    from.seek(SeekFrom::Start(offset)).map_err(|error| reason(&error))?;
    exact(from, len)
}

/// Reads this number of bytes, or fewer if the file ends before. The number may be wrong, so memory is only allocated
/// for bytes that exist.
fn exact(from: &mut impl Read, len: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.take(len).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    Ok(bytes)
}

/// Returns an error if there is not enough memory to decompress the batch of a message. The sizes that are stated may
/// be wrong, and a decoder that cannot allocate this memory ends the process.
fn check_memory(message: &[u8], body: &[u8]) -> Result<(), String> {
    let message = root_as_message(message).map_err(|_| damaged(&MALFORMED))?;
    let batch = message
        .header_as_record_batch()
        .or_else(|| message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data()));
    let Some(buffers) = batch.filter(|batch| batch.compression().is_some()).and_then(|batch| batch.buffers())
    else {
        return Ok(());
    };
    let size = |offset: i64| {
        let bytes = body.get(usize::try_from(offset).ok()?..)?.first_chunk()?;
        u64::try_from(i64::from_le_bytes(*bytes)).ok()
    };
    let sizes =
        buffers.iter().filter(|buffer| buffer.length() >= 8).filter_map(|buffer| size(buffer.offset()));
    let total = sizes.fold(0, u64::saturating_add);
    let room = usize::try_from(total).ok().and_then(|total| Vec::<u8>::new().try_reserve_exact(total).ok());
    room.ok_or_else(|| format!("not enough memory for a batch of {total} bytes"))
}
