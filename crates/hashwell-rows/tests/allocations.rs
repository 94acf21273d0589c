//! Refuses each allocation of reading rows once. There must be an error that reports it, or the process ends, as with
//! Rust's own collections, or the rows are right. No row may be missing or different.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes

#[path = "../../hashwell/tests/common/refusing.rs"]
mod refusing;

// `api.txt` lists the functions of all features.
#[cfg(feature = "parquet")]
#[path = "../../hashwell/tests/common/every_function.rs"]
mod every_function;

use hashwell_rows::{
    Compression, Encoding, Error, Fields, Format, Input, Options, Packer, RawField, Row, Rows,
    named_delimiter,
};
use refusing::{Answer, Call, Wrong, number, number_of};
use std::error::Error as _;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// The inputs: plain text, and the same text compressed by each library, all in memory.
struct Texts {
    csv: Vec<u8>,
    /// A header as long as a block, and fields whose quotes must be removed.
    long: Vec<u8>,
    json: Vec<u8>,
    packed: [Vec<u8>; 4],
}

fn texts() -> &'static Texts {
    static TEXTS: OnceLock<Texts> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let (mut csv, mut json) = (b"id,text\n".to_vec(), Vec::new());
        for id in 0..300 {
            // Some rows are longer than a block.
            let text = "x".repeat(if id % 100 == 50 { 9000 } else { id % 17 });
            write!(csv, "{id},\"{text}\n\"\n").unwrap();
            writeln!(json, "{{\"id\": {id}, \"text\": \"{text}\"}}").unwrap();
        }
        let mut long = format!("id,{}\n", "x".repeat(LONG)).into_bytes();
        for id in 0..10 {
            writeln!(long, "\"a \"\"{}{id}\",text", "x".repeat(LONG)).unwrap();
        }
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&csv).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(&csv).unwrap();
        let mut xz = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(0)).unwrap();
        xz.write_all(&csv).unwrap();
        let zstd = zstd::encode_all(&csv[..], 1).unwrap();
        let packed = [gzip.finish().unwrap(), bzip2.finish().unwrap(), xz.finish().unwrap(), zstd];
        Texts { csv, long, json, packed }
    })
}

/// The length in bytes of a text that is larger than all allocations that do not depend on the input.
const LONG: usize = 100_000;

/// A file of several blocks, which threads read ahead.
fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("allocations.csv")
}

fn options(format: Format, threads: usize) -> Options {
    let mut options = Options::default().with_format(format);
    (options.threads, options.block) = (threads, 4096);
    options
}

/// Reads all rows, with one field of each, from two inputs, of which the second one is empty. After an error, there are
/// no more rows, and no end.
fn read(input: Input, options: &Options) -> Answer {
    let second = Input::reader("second", &b"id,text\n"[..]);
    let inputs = [input, second];
    let two = options.format == Some(Format::Csv);
    let mut rows = Rows::open(&inputs[..1 + usize::from(two)], options)?;
    let column = rows.column("id")?;
    let mut sum = 0;
    let mut rest = |rows: &mut Rows| {
        let passed = rows.skip(20)?;
        while let Some(row) = rows.next()? {
            let bytes = number(row.bytes().iter().copied());
            sum = number_of([sum, passed, bytes, number(row.field(&column)?.iter().copied())]);
        }
        Ok::<_, Error>(())
    };
    if let Err(refused) = rest(&mut rows) {
        assert!(rows.next().is_err() && rows.skip(1).is_err());
        return Err(refused.into());
    }
    Ok(number_of([sum, rows.rows(), rows.bytes()]))
}

/// Libraries whose known allocations are refused. The inflate library panics, and that of bzip2 reports invalid data.
fn packed(which: usize) -> Answer {
    let packed = || read(Input::reader("packed", &texts().packed[which][..]), &options(Format::Csv, 1));
    let answer = std::panic::catch_unwind(packed).unwrap_or(Err(Wrong::Memory));
    if which == BZIP2 { answer.map_err(|_| Wrong::Memory) } else { answer }
}

const BZIP2: usize = 1;

/// Compresses with a library that panics if more is refused than was checked before.
fn packing() -> Answer {
    let pack = || {
        let of_output = |error| Error::Io { name: String::new(), error };
        let mut packer = Packer::new(Some(Compression::Gzip), Vec::new()).map_err(of_output)?;
        packer.write_all(&texts().csv).and_then(|()| packer.flush()).map_err(of_output)?;
        let before = packer.get_ref().len() as u64;
        Ok(number_of([before, number(packer.finish().map_err(of_output)?)]))
    };
    std::panic::catch_unwind(pack).unwrap_or(Err(Wrong::Memory))
}

/// Queries about inputs, formats and errors that do not read any file do not allocate, and neither does a row within a
/// block.
const QUIET: &[(&str, Call)] = &[
    ("what is known before", || {
        static PATH: OnceLock<Input> = OnceLock::new();
        let path = PATH.get_or_init(|| Input::path("a.csv"));
        let formats = [Format::Csv, Format::Nul, Format::Parquet];
        let formats = formats
            .map(|format| u64::from(format.has_header()) << 8 | format.terminator().map_or(99, u64::from));
        let packed = texts().packed.iter().filter_map(|packed| Compression::of_magic(packed));
        let names = packed.map(|compression| number(compression.name().bytes()));
        let error = Error::Io { name: String::new(), error: io::ErrorKind::NotFound.into() };
        let titles = [Format::Csv, Format::Nul, Format::Parquet].map(|format| {
            let texts =
                [Some(format.name()), Some(format.title()), format.ending(), format.help(), format.written()];
            let texts = number(texts.into_iter().flatten().flat_map(str::bytes));
            let known = Format::of_name(format.name()) == Some(format);
            texts
                ^ u64::from(matches!(format.fields(), Fields::One))
                ^ u64::from(format.may_have_header()) << 1
                ^ u64::from(known) << 2
        });
        let ending = number(Compression::Gzip.ending().bytes());
        let rest = [
            path.as_path().is_some(),
            Input::stdin().as_path().is_none(),
            error.source().is_some(),
            Options::default().with_format(Format::Tsv).format == Some(Format::Tsv),
        ];
        let names = names.chain(titles).chain([ending]);
        Ok(number_of(formats.into_iter().chain(names).chain(rest.map(u64::from))))
    }),
    ("a row in a block", || {
        static ROWS: OnceLock<Mutex<Rows>> = OnceLock::new();
        let rows = ROWS.get_or_init(|| {
            let text = io::Cursor::new([&b"a,b\n"[..], &b"1,2\n".repeat(1000)].concat());
            let mut rows = Rows::open(&[Input::reader("rows", text)], &options(Format::Csv, 1)).unwrap();
            assert!(rows.next().unwrap().is_some());
            Mutex::new(rows)
        });
        let mut rows = rows.lock().unwrap();
        let column = COLUMN.get_or_init(|| rows.column("2").unwrap());
        let kind = [rows.is_table(), rows.known_rows().is_some(), rows.format() == Format::Csv];
        let header = number(rows.header().unwrap_or_default().iter().copied());
        let passed = rows.skip(3)?;
        let before = [rows.rows(), rows.bytes()];
        let row = rows.next()?.expect("there are more");
        let here = row.number() == before[0] && before[1].is_multiple_of(4);
        let key =
            number(row.sampling_key(column)?.iter().copied()) ^ column.number().map_or(0, |at| at as u64);
        let field = number(row.field(column)?.iter().copied()) ^ row.float(column)?.to_bits() ^ key;
        let fields = row.fields().map(|field| number(field.iter().copied()));
        let raw = |field: RawField<'_>| {
            u64::from(field.is_quoted()) ^ number(field.bytes().iter().chain(&*field.text()).copied())
        };
        let fields = fields.chain(row.raw_fields().map(raw));
        let rest = [number(row.bytes().iter().copied()), field, header, passed, here.into()];
        Ok(number_of(kind.map(u64::from).into_iter().chain(rest).chain(fields)))
    }),
];

static COLUMN: OnceLock<hashwell_rows::Column> = OnceLock::new();

const CALLS: &[(&str, Call)] = &[
    ("CSV", || read(Input::reader("csv", &texts().csv[..]), &options(Format::Csv, 1))),
    ("JSON lines", || read(Input::reader("json", &texts().json[..]), &options(Format::JsonLines, 1))),
    ("JSON lines with missing keys", || {
        let inputs = [Input::reader("json", &b"{\"a\":\"x\"}\n{\"b\":1}\n"[..])];
        let (mut rows, mut sum) = (Rows::open(&inputs, &options(Format::JsonLines, 1))?, 0);
        let column = rows.column("a")?;
        while let Some(row) = rows.next()? {
            let values = [row.field_or_null(&column)?, row.sampling_key(&column)?];
            sum =
                number_of([sum].into_iter().chain(values.iter().map(|value| number(value.iter().copied()))));
        }
        Ok(sum)
    }),
    ("a file, read ahead", || read(Input::path(file()), &options(Format::Csv, 2))),
    ("a long header, and long fields", || {
        let mut rows = Rows::open(&[Input::reader("csv", &texts().long[..])], &options(Format::Csv, 1))?;
        let (column, mut sum) = (rows.column("id")?, 0);
        while let Some(row) = rows.next()? {
            sum = number_of([sum, number(row.field(&column)?.iter().copied())]);
        }
        Ok(sum)
    }),
    ("columns read ahead", || {
        let open = || Rows::open(&[Input::reader("csv", &texts().csv[..])], &options(Format::Csv, 1));
        let (mut rows, mut sum) = (open()?, 0);
        let id = rows.column("id")?;
        loop {
            let numbers = rows.numbers(&id);
            sum = numbers.iter().fold(sum, |sum, number| number_of([sum, number.to_bits()]));
            let ahead = numbers.len();
            rows.pass_ahead(ahead);
            let Some(row) = rows.next()? else { break };
            sum = number_of([sum, row.float(&id)?.to_bits()]);
        }
        let mut rows = open()?;
        loop {
            let units = rows.units(&id);
            sum = units.iter().fold(sum, |sum, units| number_of([sum, *units as u64]));
            let ahead = units.len();
            rows.pass_ahead(ahead);
            let Some(row) = rows.next()? else { break };
            sum = number_of([sum, row.float(&id)?.to_bits()]);
        }
        let mut rows = open()?;
        let text = rows.column("text")?;
        loop {
            let texts = rows.texts(Some(&text));
            let ahead = if texts.is_empty() { 0 } else { texts.len() };
            let of_bytes = |bytes: &[u8]| number(bytes.iter().copied());
            let of_row = |at| [of_bytes(texts.get(at)), of_bytes(texts.row(at))];
            sum = (0..ahead).fold(sum, |sum, at| number_of([[sum, 0], of_row(at)].concat()));
            assert_eq!(texts.rows().len(), (0..ahead).map(|at| texts.row(at).len()).sum::<usize>());
            rows.pass_ahead(ahead);
            let Some(row) = rows.next()? else { return Ok(sum) };
            sum = number_of([sum, 0, of_bytes(&row.sampling_key(&text)?), of_bytes(row.bytes())]);
        }
    }),
    ("rows by their numbers, and names", || {
        let mut rows = Rows::open(&[Input::operand(OsStr::new(&file()))], &options(Format::Csv, 1))?;
        let names = rows.names().into_iter().flatten();
        let sum = number_of(names.map(|name| number(name.iter().copied())));
        let place = |row: Option<Row<'_>>| row.map_or(0, |row| number(row.place().bytes()));
        let places = [place(rows.at(51)?), place(rows.at(7).ok().flatten()), place(rows.at(1000)?)];
        Ok(number_of(places.into_iter().chain([sum])))
    }),
    ("delimiters and encodings", || {
        let inputs = [Input::path(file())];
        let guessed = Rows::guess_delimiter(&inputs, &options(Format::Csv, 1))?;
        let rows = Rows::open(&[Input::reader("csv", &b"a;b\n1;2\n"[..])], &options(Format::Csv, 1))?;
        let other = rows.other_delimiter().or(rows.delimiter()).map_or(0, u64::from);
        let encoding = Encoding::of_name("latin1").map_or(0, |encoding| number(encoding.name().bytes()));
        let first = number(rows.first_lines().unwrap_or_default());
        let named = named_delimiter(b"sep=;\n").map_or(0, |(delimiter, _)| delimiter.into());
        Ok(number_of([guessed.into(), other, encoding, first, named]))
    }),
    ("inputs, and what names say", || {
        let opened = File::open(file()).map_err(|error| Error::Io { name: String::new(), error })?;
        let inputs = [Input::file("opened", opened), Input::path(file()), Input::stdin()];
        let mut sum = 0;
        for input in inputs {
            sum = number_of([sum, input.opens_again().into(), number(input.name().bytes())]);
        }
        let of = |name: &str| Format::of_path(Path::new(name)) == Some(Format::Csv);
        let packed = Compression::of_path(Path::new("a.GZ")) == Some(Compression::Gzip);
        Ok(number_of([sum, of("a.csv.zst").into(), of("a").into(), packed.into()]))
    }),
    ("gzip", || packed(0)),
    ("bzip2", || packed(BZIP2)),
    ("xz", || packed(2)),
    ("zstd", || packed(3)),
    ("gzip, as output", packing),
];

#[test]
fn child() {
    // Create the input before an allocation is refused.
    texts();
    #[cfg(feature = "parquet")]
    refusing::child(&[QUIET, CALLS, tables::CALLS]);
    #[cfg(not(feature = "parquet"))]
    refusing::child(&[QUIET, CALLS]);
}

#[test]
fn some_calls_ask_for_no_memory() {
    refusing::ask_for_none(QUIET);
}

#[test]
fn each_allocation_is_refused_once() {
    std::fs::write(file(), &texts().csv).unwrap();
    for (name, outcomes) in refusing::refuse_each(CALLS) {
        // Almost all allocations for JSON Lines are for fields, so the ones that are tried may include no others.
        assert!(
            outcomes.errors > 0 || ["JSON lines", "inputs, and what names say"].contains(&name),
            "{name} returns no error any more: {outcomes:?}"
        );
        assert!(outcomes.ends + outcomes.errors > 0, "{name} asks for no memory any more");
        // The largest allocation is for the part of a compressed file that is read at once, except the dictionary of
        // xz, whose size is stated in the file.
        assert!(outcomes.longest_end <= 64 << 10 || name == "xz", "{name}: {outcomes:?}");
    }
}

/// The caller chooses the size of blocks.
#[test]
fn a_block_that_no_memory_holds_is_an_error() {
    let mut options = options(Format::Csv, 1);
    options.block = usize::MAX >> 1;
    let refused = Rows::open(&[Input::reader("csv", &texts().csv[..])], &options).err().unwrap();
    assert!(
        matches!(&refused, Error::Io { error, .. } if error.kind() == io::ErrorKind::OutOfMemory),
        "{refused:?}"
    );
}

#[cfg(feature = "parquet")]
mod tables {
    use super::{Answer, Call, number, number_of, refusing};
    use hashwell_rows::{Error, Input, Options, Rows};
    use parquet::basic::{Compression, GzipLevel, ZstdLevel};
    use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use parquet::schema::types::ColumnPath;
    use std::fs::File;
    use std::io::{self, Write};
    use std::path::PathBuf;
    use std::sync::Arc;

    const ROWS: i64 = 300;

    /// A checksum of bytes that arrive one after the other.
    struct Sum(u64);

    impl Write for Sum {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            bytes.iter().for_each(|byte| self.0 = number_of([self.0, u64::from(*byte)]));
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn file() -> PathBuf {
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("allocations.parquet")
    }

    /// Two groups of rows: numbers compressed by one library, and texts compressed by another one, some of which are
    /// null.
    fn write() {
        let schema = "message it { required int64 id; optional binary text (UTF8); }";
        let properties = WriterProperties::builder()
            .set_column_compression(ColumnPath::from("id"), Compression::GZIP(GzipLevel::default()))
            .set_column_compression(ColumnPath::from("text"), Compression::ZSTD(ZstdLevel::default()))
            .set_data_page_row_count_limit(50)
            .set_write_batch_size(50)
            .build();
        let (schema, to) = (Arc::new(parse_message_type(schema).unwrap()), File::create(file()).unwrap());
        let mut writer = SerializedFileWriter::new(to, schema, Arc::new(properties)).unwrap();
        for from in [0, ROWS / 2] {
            let ids: Vec<i64> = (from..from + ROWS / 2).collect();
            let mut group = writer.next_row_group().unwrap();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
            column.close().unwrap();
            let there: Vec<i16> = ids.iter().map(|id| i16::from(id % 3 != 0)).collect();
            let text = |id: &i64| ByteArray::from(format!("a text of {id}").into_bytes());
            let texts: Vec<ByteArray> = ids.iter().filter(|id| *id % 3 != 0).map(text).collect();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&texts, Some(&there), None).unwrap();
            column.close().unwrap();
            group.close().unwrap();
        }
        writer.close().unwrap();
    }

    fn open() -> Result<Rows, Error> {
        Rows::open(&[Input::path(file())], &Options::default())
    }

    /// The gzip library panics if an allocation is refused that was checked before. Then the call is repeated, so that
    /// the errors are those that this crate returns.
    fn caught(work: fn() -> Answer) -> Answer {
        std::panic::catch_unwind(work).unwrap_or_else(|_| work())
    }

    fn picked(packed: bool) -> Answer {
        let (mut sum, rows, numbers) = (Sum(0), open()?, [7, 299, 7, 0, 160]);
        match packed {
            true => rows.write_table(&numbers, &mut sum)?,
            false => rows.write_table_uncompressed(&numbers, &mut sum)?,
        }
        Ok(sum.0)
    }

    fn fields() -> Answer {
        let mut rows = open()?;
        let (id, text) = (rows.column("id")?, rows.column("2")?);
        let place = number(rows.place_in_table(7).bytes());
        let mut sum = number_of([rows.known_rows().unwrap_or(0), rows.is_table().into(), place]);
        while rows.skip(60)? == 60 {
            let Some(row) = rows.next()? else { break };
            let fields = [row.field(&id)?, row.field(&text)?].map(|field| number(field.iter().copied()));
            sum = number_of(fields.into_iter().chain([sum, number(row.place().bytes())]));
        }
        Ok(sum)
    }

    pub(super) const CALLS: &[(&str, Call)] = &[
        ("Parquet", || caught(fields)),
        ("Parquet, as Parquet", || caught(|| picked(true))),
        ("Parquet, uncompressed", || caught(|| picked(false))),
    ];

    #[test]
    fn each_allocation_is_refused_once() {
        write();
        for (name, outcomes) in refusing::refuse_each(CALLS) {
            assert!(outcomes.ends > 0, "{name} ends no process any more: {outcomes:?}");
            let all = refusing::all_are_refused();
            assert!(outcomes.errors > 0 || !all, "{name} looks for no memory any more: {outcomes:?}");
        }
    }
}

#[cfg(feature = "parquet")]
const LOOKED_AT: &[(&str, &str)] = &[
    (
        "what is known before",
        "Format: ending fields has_header help may_have_header name of_name terminator title written, \
         Compression: ending of_magic name, Input: as_path stdin, Options: default with_format, \
         Error: source",
    ),
    (
        "a row in a block",
        "Rows: format header is_table known_rows rows bytes skip next, Row: number bytes field fields float raw_fields \
         sampling_key, RawField: bytes is_quoted text, Column: number",
    ),
    ("CSV", "Rows: open column skip next, Input: reader, Row: field"),
    ("JSON lines", "Row: field"),
    ("JSON lines with missing keys", "Row: field_or_null"),
    ("a file, read ahead", "Input: path"),
    ("a long header, and long fields", "Rows: open, Row: field"),
    (
        "columns read ahead",
        "Rows: numbers texts units pass_ahead, Texts: get is_empty len row rows, Row: float sampling_key",
    ),
    ("rows by their numbers, and names", "Rows: at names, Row: place, Input: operand"),
    (
        "delimiters and encodings",
        "Rows: delimiter first_lines guess_delimiter other_delimiter, Encoding: name of_name, hashwell_rows: named_delimiter",
    ),
    ("gzip, as output", "Packer: new get_ref finish write flush"),
    ("inputs, and what names say", "Input: file opens_again name, Format: of_path, Compression: of_path"),
    ("Parquet", "Rows: place_in_table"),
    ("Parquet, as Parquet", "Rows: write_table"),
    ("Parquet, uncompressed", "Rows: write_table_uncompressed"),
];

/// Every public function has a case.
#[cfg(feature = "parquet")]
#[test]
fn every_public_function_has_a_case() {
    every_function::each_has_a_case(
        include_str!("../api.txt"),
        include_str!("allocations.rs"),
        &[QUIET, CALLS, tables::CALLS],
        LOOKED_AT,
    );
}
