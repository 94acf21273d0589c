//! Arrow IPC files and streams give the results of the Parquet file with the same rows.

use crate::common;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, DurationSecondArray, Float64Array,
    Int8Array, Int64Array, IntervalMonthDayNanoArray, NullArray, RecordBatch, StringArray,
    TimestampMicrosecondArray, UnionArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field, UnionFields};
use common::{Folder, assert_ran, stderr, stdout};
use parquet::arrow::ArrowWriter;
use std::sync::Arc;

fn batch(ids: std::ops::Range<i64>) -> RecordBatch {
    let ids: Vec<i64> = ids.collect();
    let each = |make: fn(i64) -> Option<i64>| ids.iter().map(move |id| make(*id));
    let names = ids.iter().map(|id| (id % 5 != 0).then(|| format!("n{}, \"é\"", id * id % 7)));
    // A file has one dictionary for all batches.
    let values = Arc::new(StringArray::from(vec!["north", "south", ""]));
    let groups =
        DictionaryArray::new(ids.iter().map(|id| Some((id % 3) as i8)).collect::<Int8Array>(), values);
    let columns: [(&str, ArrayRef); 9] = [
        ("id", Arc::new(Int64Array::from(ids.clone()))),
        ("name", Arc::new(names.collect::<StringArray>())),
        (
            "x",
            Arc::new(
                ids.iter().map(|id| (id % 7 != 0).then_some(*id as f64 / 8.0)).collect::<Float64Array>(),
            ),
        ),
        ("group", Arc::new(groups)),
        ("ok", Arc::new(ids.iter().map(|id| Some(id % 2 == 0)).collect::<BooleanArray>())),
        ("day", Arc::new(ids.iter().map(|id| Some(*id as i32)).collect::<Date32Array>())),
        (
            "at",
            Arc::new(
                each(|id| Some(id * 1_234_567)).collect::<TimestampMicrosecondArray>().with_timezone("UTC"),
            ),
        ),
        ("price", Arc::new(ids.iter().map(|id| Some(i128::from(*id) * 25)).collect::<Decimal128Array>())),
        ("wait", Arc::new(each(|id| (id % 4 != 0).then_some(id)).collect::<DurationSecondArray>())),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn batches() -> [RecordBatch; 3] {
    [batch(0..400), batch(400..401), batch(401..1000)]
}

fn options(compression: Option<CompressionType>) -> IpcWriteOptions {
    IpcWriteOptions::default().try_with_compression(compression).unwrap()
}

fn file(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let schema = batches[0].schema();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &schema, options(compression)).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

fn stream(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let schema = batches[0].schema();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &schema, options(compression)).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

fn parquet(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batches[0].schema(), None).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

/// The file in Parquet, and the same rows in Arrow's formats.
fn folder() -> (Folder, Vec<String>) {
    let (folder, all) = (Folder::new(), batches());
    folder.write("all.parquet", parquet(&all));
    let mut names = Vec::new();
    for (form, compression) in
        [("plain", None), ("lz4", Some(CompressionType::LZ4_FRAME)), ("zstd", Some(CompressionType::ZSTD))]
    {
        for (ending, bytes) in [("arrow", file(&all, compression)), ("arrows", stream(&all, compression))] {
            let name = format!("{form}.{ending}");
            folder.write(&name, bytes);
            names.push(name);
        }
    }
    // The marker at the end of a stream is optional, and the extension does not decide between file and stream.
    let bytes = stream(&all, None);
    folder.write("open.feather", &bytes[..bytes.len() - 8]);
    folder.write("renamed.ipc", file(&all, None));
    names.extend(["open.feather".into(), "renamed.ipc".into()]);
    (folder, names)
}

#[test]
fn results_are_those_of_parquet() {
    let (folder, names) = folder();
    let commands = [
        "table",
        "table --per-row --columns id,group,at",
        "sample -n 20 --seed s --as csv",
        "sample -n 2 --seed s --as jsonl --stratify group",
        "sample -p 0.05 --seed s --as csv --group-by name",
        "draw --id id -n 3 --seed 0011",
    ];
    for command in commands {
        let run = |name: &str| {
            let ran = folder.hashwell(command.split(' ').chain([name]));
            assert_eq!(ran.status.code(), Some(0), "{command} {name}: {}", stderr(&ran));
            let text = stdout(&ran).replace(name, "FILE");
            text.lines().filter(|line| !line.contains("sha256\"")).collect::<Vec<_>>().join("\n")
        };
        let expected = run("all.parquet");
        for name in &names {
            assert_eq!(run(name), expected, "{command} {name}");
        }
    }
    assert_ran(
        &folder.hashwell(["diff", "--key", "id", "all.parquet", "lz4.arrow"]),
        0,
        "the same: 1,000 rows\n",
        "",
    );
    let ran = folder.hashwell([
        "sample",
        "-n",
        "5",
        "--seed",
        "s",
        "-o",
        "five.parquet",
        "--transcript",
        "t.json",
        "zstd.arrow",
    ]);
    assert_ran(&ran, 0, "", "");
    let ran = folder.hashwell(["verify", "t.json", "zstd.arrow"]);
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
}

/// Batches without rows, and columns without values, have messages without a body.
#[test]
fn messages_without_a_body_are_read() {
    let folder = Folder::new();
    let nulls = |rows| {
        let column: ArrayRef = Arc::new(NullArray::new(rows));
        RecordBatch::try_from_iter_with_nullable([("x", column, true)]).unwrap()
    };
    let batches = [nulls(3), nulls(0), nulls(2)];
    folder.write("a.arrow", file(&batches, None));
    folder.write("a.arrows", stream(&batches, None));
    folder.write("none.arrow", file(&[batch(0..0)], None));
    folder.write("none.arrows", stream(&[batch(0..0)], None));
    for (name, rows) in [
        ("a.arrow", "5 rows, 1 column"),
        ("a.arrows", "5 rows, 1 column"),
        ("none.arrow", "0 rows, 9"),
        ("none.arrows", "0 rows, 9"),
    ] {
        let ran = folder.hashwell(["table", name]);
        assert!(stdout(&ran).contains(rows), "{name}: {}{}", stdout(&ran), stderr(&ran));
    }
}

#[test]
fn malformed_files_end_with_one_line() {
    let folder = Folder::new();
    let all = [batch(0..50)];
    for (ending, bytes) in [
        ("arrow", file(&all, Some(CompressionType::LZ4_FRAME))),
        ("arrows", stream(&all, Some(CompressionType::ZSTD))),
    ] {
        let name = format!("bad.{ending}");
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        for i in 0..60 {
            let mut bad = bytes.clone();
            let at = random() % bad.len();
            match i % 3 {
                0 => bad.truncate(at),
                1 => bad[at] = [0, 0x7f, 0x80, 0xff][random() % 4],
                _ => bad[at] ^= 1 << (random() % 8),
            }
            folder.write(&name, bad);
            let ran = folder.hashwell(["table", &name]);
            let (code, told) = (ran.status.code(), stderr(&ran));
            assert!(matches!(code, Some(0 | 1)), "{name} {i}: {code:?} {told}");
            assert_eq!(told.lines().count(), usize::from(code == Some(1)), "{name} {i}: {told}");
        }
    }
}

/// A buffer that claims to have 2^60 bytes after decompression.
#[test]
fn wrong_sizes_do_not_end_the_process() {
    let folder = Folder::new();
    let zeros: ArrayRef = Arc::new(Int64Array::from(vec![0; 500]));
    let batches = [RecordBatch::try_from_iter([("x", zeros)]).unwrap()];
    for (name, bytes) in [
        ("a.arrow", file(&batches, Some(CompressionType::LZ4_FRAME))),
        ("a.arrows", stream(&batches, Some(CompressionType::ZSTD))),
    ] {
        let at = bytes.windows(8).position(|part| part == 4000_i64.to_le_bytes()).unwrap();
        let mut bad = bytes;
        bad[at..at + 8].copy_from_slice(&(1_i64 << 60).to_le_bytes());
        folder.write(name, bad);
        let ran = folder.hashwell(["table", name]);
        assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
        assert!(stderr(&ran).contains("not enough memory for a batch of"), "{}", stderr(&ran));
    }
}

#[test]
fn other_files_and_options_are_refused_by_name() {
    let (folder, _) = folder();
    folder.write("old.feather", b"FEA1xxxx");
    folder.write("empty.arrow", b"");
    let spans: ArrayRef = Arc::new(IntervalMonthDayNanoArray::new_null(2));
    let spans = RecordBatch::try_from_iter_with_nullable([("x", spans, true)]).unwrap();
    folder.write("spans.arrow", file(&[spans], None));
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    let fields = UnionFields::try_new([0], [Field::new("n", DataType::Int64, true)]).unwrap();
    let unions = UnionArray::try_new(fields, vec![0_i8, 0].into(), None, vec![numbers]).unwrap();
    let unions: ArrayRef = Arc::new(unions);
    folder.write("unions.arrow", file(&[RecordBatch::try_from_iter([("u", unions)]).unwrap()], None));
    let cases: [(&[&str], &str); 8] = [
        (&["table", "unions.arrow"], "unions.arrow: column \"u\" has a union type"),
        (&["table", "spans.arrow"], "spans.arrow: can't be converted to Parquet: "),
        (&["table", "old.feather"], "old.feather: Feather version 1 can't be read"),
        (&["table", "empty.arrow"], "empty.arrow: not readable as Arrow: it has no schema"),
        (&["table", "--table", "x", "plain.arrow"], "--table requires"),
        (&["table", "--delimiter", ";", "plain.arrow"], "plain.arrow: --delimiter requires CSV or TSV"),
        (&["sample", "-n", "1", "-o", "x.arrow", "plain.arrow"], "choose a name that ends in .parquet"),
        (&["sample", "-n", "1", "missing.arrow"], "missing.arrow: No such file"),
    ];
    for (args, told) in cases {
        let ran = folder.hashwell(args);
        assert!(ran.status.code() != Some(0) && stderr(&ran).contains(told), "{args:?}: {}", stderr(&ran));
    }
}

/// Lines of a binary file would be meaningless rows.
#[test]
fn tables_under_the_name_of_a_text_are_refused() {
    let (folder, _) = folder();
    for name in ["all.parquet", "plain.arrow", "plain.arrows"] {
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        folder.write("t.csv", &bytes);
        folder.write("t.txt", &bytes);
        for args in
            [&["sample", "-n", "1", "t.csv"][..], &["sample", "-n", "1", "t.txt"], &["table", "t.csv"]]
        {
            let ran = folder.hashwell(args);
            assert_eq!(ran.status.code(), Some(1), "{name} {args:?}");
            assert!(stderr(&ran).contains(", not text ("), "{name} {args:?}: {}", stderr(&ran));
        }
    }
    folder.write("t.csv", b"PK\x03\x04rest");
    assert!(
        stderr(&folder.hashwell(["sample", "-n", "1", "t.csv"]))
            .contains("is a ZIP archive or an Excel workbook")
    );
    // A text can begin with these letters.
    folder.write("t.csv", "PAR1,ARROW1\n1,2\n");
    assert_ran(&folder.hashwell(["sample", "-p", "1", "--seed", "s", "t.csv"]), 0, "PAR1,ARROW1\n1,2\n", "");
}
