//! `hashwell sample` of Parquet files picks the same rows as from text with the same rows.

use crate::common;

use common::{Folder, assert_ran, sample, stderr, stdout};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::ops::Range;
use std::process::Stdio;
use std::sync::Arc;

const SCHEMA: &str = "message rows { required int64 id; required int64 w; required binary g (UTF8); }";

fn row(id: i64) -> (i64, i64, String) {
    (id, id * 7919 % 13, format!("g{}", id * id % 4))
}

/// Row groups of 300 rows, with pages of 50 rows.
fn table(ids: Range<i64>) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties =
        WriterProperties::builder().set_data_page_row_count_limit(50).set_write_batch_size(50).build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).unwrap();
    for rows in ids.map(row).collect::<Vec<_>>().chunks(300) {
        let mut group = writer.next_row_group().unwrap();
        for values in [rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1).collect()] {
            let values: Vec<i64> = values;
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<Int64Type>().write_batch(&values, None, None).unwrap();
            column.close().unwrap();
        }
        let values: Vec<ByteArray> = rows.iter().map(|row| row.2.as_str().into()).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

/// 1000 rows as Parquet in one file and in two, and as CSV.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("all.parquet", table(0..1000));
    folder.write("a.parquet", table(0..450));
    folder.write("b.parquet", table(450..1000));
    let line = |(id, w, g)| format!("{id},{w},{g}\n");
    folder.write("all.csv", format!("id,w,g\n{}", (0..1000).map(row).map(line).collect::<String>()));
    folder
}

/// JSON objects have each name once; most programs would read only one of two columns.
#[test]
fn repeated_names_are_not_written_to_json() {
    let folder = Folder::new();
    for (schema, as_csv) in [
        ("message rows { required int64 a; required int64 a; }", true),
        ("message rows { required group s { required int64 a; required int64 a; } }", false),
    ] {
        let mut bytes = Vec::new();
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        for value in [1, 2] {
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<Int64Type>().write_batch(&[value], None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.close().unwrap();
        folder.write("t.parquet", bytes);
        let refused = sample(&folder, "-n 1 --seed 0877 --as jsonl t.parquet");
        assert_eq!((refused.status.code(), &stdout(&refused)[..]), (Some(1), ""), "{refused:?}");
        assert!(stderr(&refused).contains("two columns are named \"a\""), "{refused:?}");
        if as_csv {
            assert_eq!(done(&folder, "-n 1 --seed 0877 --as csv t.parquet"), b"a,a\n1,2\n");
        }
    }
}

#[track_caller]
fn done(folder: &Folder, options: &str) -> Vec<u8> {
    let output = sample(folder, options);
    assert_eq!((output.status.code(), &stderr(&output)[..]), (Some(0), ""), "{options}");
    output.stdout
}

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.path().join(name)).unwrap()
}

/// The rows of a Parquet file, as the parquet crate formats them.
fn rows(bytes: Vec<u8>) -> Vec<String> {
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect()
}

const DESIGNS: [&str; 14] = [
    "-n 0",
    "-n 20",
    "-n 20 --order draw",
    "-n 20 --replace",
    "-n 5 --stratify g --order draw",
    "-n 20 --stratify g --proportional",
    "-n 20 --weight w --design successive",
    "-n 20 --weight w --design pps",
    "-n 20 --weight w --replace",
    "-n 20 --group-by id --order draw",
    "-p 0.05",
    "-p 0.05 --group-by id",
    "--every 70",
    "--shuffle",
];

#[test]
fn the_picks_are_those_of_text() {
    let folder = folder();
    for design in DESIGNS {
        let rest = !(design.contains("--replace") || design.contains("--shuffle"));
        let beside = |name: &str| {
            let rest = if rest { format!("--complement {name}.rest") } else { String::new() };
            format!("{design} --seed 0877 {rest} --transcript {name}.json")
        };
        let text = done(&folder, &format!("{} all.csv", beside("text")));
        for files in ["all.parquet", "a.parquet b.parquet"] {
            assert_eq!(done(&folder, &format!("{} --as csv {files}", beside("table"))), text, "{design}");
            if rest {
                assert_eq!(read(&folder, "table.rest"), read(&folder, "text.rest"), "{design}");
            }
            let json = |name| -> serde_json::Value { serde_json::from_slice(&read(&folder, name)).unwrap() };
            let (of_text, of_table) = (json("text.json"), json("table.json"));
            for field in ["n", "picks", "seed_hex", "design"] {
                assert_eq!(of_table[field], of_text[field], "{design}: {field}");
            }
            // Rows of Parquet files have no bytes, so the digest is that of JSON Lines, no matter how the rows are
            // written.
            let lines = done(&folder, &format!("{design} --seed 0877 --as jsonl {files}"));
            let digest = data_encoding::HEXLOWER.encode(&hashwell::Sha256::digest(&lines));
            assert_eq!(of_table["rows_sha256"], digest, "{design}");
        }
    }
}

#[test]
fn rows_come_out_as_parquet() {
    let folder = folder();
    let all = rows(table(0..1000));
    for design in DESIGNS {
        let picked = rows(done(&folder, &format!("{design} --seed s --transcript t.json all.parquet")));
        let record: serde_json::Value = serde_json::from_slice(&read(&folder, "t.json")).unwrap();
        let picks = record["picks"].as_array().unwrap().iter().map(|pick| pick.as_u64().unwrap());
        assert_eq!(picked, picks.map(|pick| all[pick as usize - 1].clone()).collect::<Vec<_>>(), "{design}");
    }
    // A Parquet file may have a name without the extension, or come from a pipe, although its end must be read first.
    let whole = done(&folder, "-n 9 --seed s all.parquet");
    folder.write("table", table(0..1000));
    assert_eq!(done(&folder, "-n 9 --seed s --parquet table"), whole);
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args(["sample", "-n", "9", "--seed", "s", "--parquet"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&table(0..1000)).unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, whole);
}

#[test]
fn what_parquet_cannot_is_one_line() {
    let folder = folder();
    let refused = |options: &str, code: i32, said: &str| {
        let output = sample(&folder, &format!("{options} --seed s -o out"));
        assert_eq!((output.status.code(), stdout(&output)), (Some(code), String::new()), "{options}");
        assert!(stderr(&output).lines().next().unwrap().starts_with(said), "{options}: {}", stderr(&output));
        assert!(!folder.path().join("out").exists());
    };
    let state = sample(&folder, "-n 5 --seed s --state-out s all.parquet");
    let said = "hashwell: --state-out does not support Parquet: a state stores rows byte for byte\n";
    assert_ran(&state, 2, "", said);
    refused("-n 5 -H all.parquet", 2, "hashwell: -H requires lines, CSV or TSV");
    refused(
        "-n 5 --group-by id --print-ticket all.parquet",
        2,
        "hashwell: --print-ticket requires lines, CSV or TSV",
    );
    refused("-n 5 --weight x --design pps all.parquet", 1, "hashwell: --weight: ");
    refused("-n 5 --group-by 0 all.parquet", 1, "hashwell: --group-by: ");
    refused(
        "-n 5 --as csv --complement x.parquet all.parquet",
        2,
        "hashwell: --complement x.parquet: the name contradicts --as csv",
    );
    refused("-n 5 --exact -p 1 all.parquet", 2, "");
    refused("-n 1001 --exact all.parquet", 1, "hashwell: only 1000 rows, not 1001");
    let whole = read(&folder, "all.parquet");
    folder.write("cut.parquet", &whole[..whole.len() / 2]);
    refused("-n 5 cut.parquet", 1, "hashwell: cut.parquet: ");
    // Pages are damaged, but the footer is intact.
    let mut torn = whole;
    torn[4..4000].fill(0xff);
    folder.write("torn.parquet", &torn);
    refused("-n 900 torn.parquet", 1, "hashwell: torn.parquet: ");
}

/// A file whose page offsets are wrong. The Parquet library panics when fields are read. When rows are written, it
/// panics or returns an error. In each case there is one line, and no file is left.
#[test]
fn a_reader_that_panics_is_one_line_and_no_file() {
    let folder = Folder::new();
    folder.write("t.parquet", include_bytes!("panics.parquet"));
    folder.write("old", "what was there");
    let mut panics = 0;
    for options in [
        "-n 1 --group-by b",
        "-n 1 --stratify b",
        "-p 1/2 --group-by b",
        "-n 2",
        "-n 2 --as csv --transcript record",
    ] {
        for name in ["new", "old"] {
            let output = sample(&folder, &format!("{options} --seed s t.parquet -o {name}"));
            let err = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{options}: {err}");
            assert!(output.stdout.is_empty() && err.lines().count() == 1, "{options}: {err}");
            assert!(err.starts_with("hashwell: t.parquet: not readable as Parquet: "), "{options}: {err}");
            panics += usize::from(err.contains("the file may be damaged"));
            let files = std::fs::read_dir(folder.path()).unwrap().count();
            assert!(files == 2 && std::fs::read(folder.path().join("old")).unwrap() == b"what was there");
        }
    }
    assert!(panics > 0, "the reader panics no more: this needs another file");
}
