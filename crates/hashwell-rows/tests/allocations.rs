//! Each allocation of reading rows is refused once: an error that says so, or the process ends as Rust's own collections end
//! it, or the rows are right. No row is lost, none is another.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes

#[path = "../../hashwell/tests/common/refusing.rs"]
mod refusing;

use hashwell_rows::{Error, Format, Input, Options, Rows};
use refusing::{Answer, Call, Wrong, number, number_of};
use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;

/// What is read, once as it is and packed by each library, all in memory.
struct Texts {
    csv: Vec<u8>,
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
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&csv).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(&csv).unwrap();
        let mut xz = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(0)).unwrap();
        xz.write_all(&csv).unwrap();
        let zstd = zstd::encode_all(&csv[..], 1).unwrap();
        let packed = [gzip.finish().unwrap(), bzip2.finish().unwrap(), xz.finish().unwrap(), zstd];
        Texts { csv, json, packed }
    })
}

/// A file of some blocks, which threads read ahead.
fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("allocations.csv")
}

fn options(format: Format, threads: usize) -> Options {
    let mut options = Options::default().with_format(format);
    (options.threads, options.block) = (threads, 4096);
    options
}

/// All rows with one field of each, of two inputs of which the second has none. After an error there are no rows, and no end.
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

/// Libraries that are refused what they were seen to have: the one that inflates panics, and bzip2's blames the data.
fn packed(which: usize) -> Answer {
    let packed = || read(Input::reader("packed", &texts().packed[which][..]), &options(Format::Csv, 1));
    let answer = std::panic::catch_unwind(packed).unwrap_or(Err(Wrong::Memory));
    if which == BZIP2 { answer.map_err(|_| Wrong::Memory) } else { answer }
}

const BZIP2: usize = 1;

const CALLS: &[(&str, Call)] = &[
    ("CSV", || read(Input::reader("csv", &texts().csv[..]), &options(Format::Csv, 1))),
    ("JSON lines", || read(Input::reader("json", &texts().json[..]), &options(Format::JsonLines, 1))),
    ("a file, read ahead", || read(Input::path(file()), &options(Format::Csv, 2))),
    ("gzip", || packed(0)),
    ("bzip2", || packed(BZIP2)),
    ("xz", || packed(2)),
    ("zstd", || packed(3)),
];

#[test]
fn child() {
    // What is read is there before a refusal.
    texts();
    refusing::child(&[CALLS]);
}

#[test]
fn each_allocation_is_refused_once() {
    std::fs::write(file(), &texts().csv).unwrap();
    for (name, outcomes) in refusing::refuse_each(CALLS) {
        // Of JSON lines, so many of the allocations are fields that others are not among those tried.
        assert!(
            outcomes.errors > 0 || name == "JSON lines",
            "{name} returns no error any more: {outcomes:?}"
        );
        assert!(outcomes.ends + outcomes.errors > 0, "{name} asks for no memory any more");
    }
}

/// How large blocks are is the caller's choice.
#[test]
fn a_block_that_no_memory_holds_is_an_error() {
    let mut options = options(Format::Csv, 1);
    options.block = usize::MAX >> 1;
    let refused = Rows::open(&[Input::reader("csv", &texts().csv[..])], &options).err().unwrap();
    assert!(
        matches!(&refused, Error::Io { error, .. } if error.kind() == std::io::ErrorKind::OutOfMemory),
        "{refused:?}"
    );
}
