//! The names of outputs determine format and compression, and contradictions are errors.

use crate::common;

use common::{Folder, sample, stderr, stdout};
use hashwell_rows::{Compression, Format, Input, Options, Rows};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::file::writer::SerializedFileWriter;
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::parser::parse_message_type;
use std::path::Path;
use std::sync::Arc;

/// 300 rows as CSV, TSV, JSON Lines and plain lines.
fn folder() -> Folder {
    let folder = Folder::new();
    let rows = |row: fn(usize) -> String| (0..300).map(row).collect::<String>();
    folder.write("t.csv", format!("id,x\n{}", rows(|i| format!("{i},a\n"))));
    folder.write("t.tsv", format!("id\tx\n{}", rows(|i| format!("{i}\ta\n"))));
    folder.write("t.jsonl", rows(|i| format!("{{\"id\":{i},\"x\":\"a\"}}\n")));
    folder.write("t.txt", rows(|i| format!("line {i}\n")));
    folder.write("t.parquet", table());
    folder
}

/// Ids, and texts: in every three rows, one text is null and the next one is empty.
fn table() -> Vec<u8> {
    let schema = "message rows { required int64 id; optional binary x (UTF8); }";
    let mut bytes = Vec::new();
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let ids: Vec<i64> = (0..300).collect();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
    column.close().unwrap();
    let texts: Vec<ByteArray> =
        ids.iter().filter(|id| *id % 3 != 0).map(|id| if id % 3 == 1 { "" } else { "a,b" }.into()).collect();
    let there: Vec<i16> = ids.iter().map(|id| i16::from(id % 3 != 0)).collect();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(&texts, Some(&there), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.path().join(name)).unwrap()
}

#[track_caller]
fn done(folder: &Folder, options: &str) {
    let output = sample(folder, options);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{options}");
}

/// The text of a file that is compressed as its name says.
fn unpacked(folder: &Folder, name: &str) -> Vec<u8> {
    let path = folder.path().join(name);
    assert_eq!(Compression::of_magic(&read(folder, name)), Compression::of_path(&path), "{name}");
    let mut rows = Rows::open(&[Input::path(path)], &Options::default().with_format(Format::Lines)).unwrap();
    let mut text = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        text.extend_from_slice(row.bytes());
    }
    text
}

#[test]
fn a_name_says_how_rows_are_compressed() {
    let folder = folder();
    for (input, ending) in [("t.csv", "csv"), ("t.tsv", "tsv"), ("t.jsonl", "jsonl"), ("t.txt", "txt")] {
        done(&folder, &format!("-p 0.5 --seed s -o plain.{ending} --complement rest.{ending} {input}"));
        for packed in ["gz", "zst", "bz2", "xz"] {
            for options in ["-p 0.5", "-p 0.5 --transcript t.json"] {
                let names = format!("-o p.{ending}.{packed} --complement r.{ending}.{packed}");
                done(&folder, &format!("{options} --seed s {names} {input}"));
                let (picked, rest) = (format!("p.{ending}.{packed}"), format!("r.{ending}.{packed}"));
                assert_eq!(unpacked(&folder, &picked), read(&folder, &format!("plain.{ending}")), "{picked}");
                assert_eq!(unpacked(&folder, &rest), read(&folder, &format!("rest.{ending}")), "{rest}");
            }
        }
    }
    // Designs that read the input twice, keep rows, or merge.
    done(&folder, "-n 20 --seed s -o plain.csv --complement rest.csv t.csv");
    done(&folder, "-n 20 --seed s -o p.csv.gz --complement r.csv.zst t.csv");
    assert_eq!(unpacked(&folder, "p.csv.gz"), read(&folder, "plain.csv"));
    assert_eq!(unpacked(&folder, "r.csv.zst"), read(&folder, "rest.csv"));
    done(&folder, "-n 20 --seed s --state-out s.state t.csv");
    done(&folder, "--merge -o m.csv.gz s.state");
    assert_eq!(unpacked(&folder, "m.csv.gz"), read(&folder, "plain.csv"));
    done(&folder, "--shuffle --seed s -o all.csv.xz t.csv");
    assert_eq!(unpacked(&folder, "all.csv.xz").len(), read(&folder, "t.csv").len());
}

#[test]
fn a_name_says_how_rows_of_parquet_are_written() {
    let folder = folder();
    let csv = "id,x\n0,\n1,\"\"\n2,\"a,b\"\n";
    for (options, name, begins) in [
        ("", "p.csv", csv),
        ("--as csv", "p.txt", csv),
        ("", "p.csv.gz", csv),
        ("", "p.jsonl", "{\"id\":0,\"x\":null}\n{\"id\":1,\"x\":\"\"}\n"),
        ("", "p.ndjson.zst", "{\"id\":0,\"x\":null}\n"),
        ("--as jsonl", "p.data", "{\"id\":0,"),
    ] {
        done(&folder, &format!("-p 1 --seed s {options} -o {name} t.parquet"));
        let text = String::from_utf8(unpacked(&folder, name)).unwrap();
        assert!(text.starts_with(begins), "{name}: {text}");
    }
    for name in ["p.parquet", "p.data"] {
        done(&folder, &format!("-p 1 --seed s -o {name} t.parquet"));
        assert!(read(&folder, name).starts_with(b"PAR1"), "{name}");
    }
    // The name of each output file determines its format.
    done(&folder, "-n 10 --seed s -o a.csv --complement b.jsonl.gz t.parquet");
    assert_eq!(read(&folder, "a.csv").iter().filter(|byte| **byte == b'\n').count(), 11);
    assert_eq!(unpacked(&folder, "b.jsonl.gz").iter().filter(|byte| **byte == b'\n').count(), 290);
}

/// Fields become strings. An empty field is null, and a quoted empty field is the empty string.
#[test]
fn rows_of_text_are_written_in_other_formats() {
    let folder = Folder::new();
    folder.write("t.csv", "id;x;\"a \"\"name\"\"\"\n1;;a\n2;\"\";\"b;\r\n,\"\n3;é;c\n");
    let all = "-p 1 --seed s --delimiter ; t.csv";
    done(&folder, &format!("-o t.jsonl.gz {all}"));
    let jsonl = concat!(
        "{\"id\":\"1\",\"x\":null,\"a \\\"name\\\"\":\"a\"}\n",
        "{\"id\":\"2\",\"x\":\"\",\"a \\\"name\\\"\":\"b;\\r\\n,\"}\n",
        "{\"id\":\"3\",\"x\":\"é\",\"a \\\"name\\\"\":\"c\"}\n",
    );
    assert_eq!(String::from_utf8(unpacked(&folder, "t.jsonl.gz")).unwrap(), jsonl);
    done(&folder, &format!("-o t.parquet {all}"));
    for other in ["t.parquet", "t.jsonl.gz"] {
        let same = folder.hashwell(["diff", "--delimiter", ";", "t.csv", other]);
        assert_eq!(stdout(&same), "the same: 3 rows\n", "{other}: {}", stderr(&same));
    }
    // The values of JSON have types. A column of several types, or of lists, contains JSON.
    let lines = "{\"i\":1,\"f\":1,\"l\":[1, 2],\"m\":\"x\"}\n{\"f\":2.5,\"b\":true,\"m\":7,\"big\":99999999999999999999}\n{\"i\":null,\"b\":false}\n";
    folder.write("u.jsonl", lines);
    done(&folder, "-p 1 --seed s -o u.csv u.jsonl");
    let csv = "i,f,l,m,b,big\n1,1,\"[1, 2]\",x,,\n,2.5,,7,true,99999999999999999999\n,,,,false,\n";
    assert_eq!(String::from_utf8(read(&folder, "u.csv")).unwrap(), csv);
    done(&folder, "-p 1 --seed s -o u.parquet u.jsonl");
    let back = sample(&folder, "-p 1 --seed s --as jsonl u.parquet");
    let expected = concat!(
        "{\"i\":1,\"f\":1.0,\"l\":\"[1, 2]\",\"m\":\"\\\"x\\\"\",\"b\":null,\"big\":null}\n",
        "{\"i\":null,\"f\":2.5,\"l\":null,\"m\":\"7\",\"b\":true,\"big\":\"99999999999999999999\"}\n",
        "{\"i\":null,\"f\":null,\"l\":null,\"m\":null,\"b\":false,\"big\":null}\n",
    );
    assert_eq!(stdout(&back), expected);
}

/// The transcript has the digest of the rows as they are in the input.
#[test]
fn other_formats_have_the_same_picks_in_every_design() {
    let folder = folder();
    for design in [
        "-n 9",
        "-n 9 --order draw",
        "-p 0.1",
        "-p 0.1 --group-by id",
        "-n 9 --replace",
        "--every 7",
        "--shuffle",
    ] {
        for (input, own) in [("t.csv", "csv"), ("t.tsv", "tsv"), ("t.jsonl", "jsonl")] {
            done(&folder, &format!("{design} --seed s -o own.{own} --transcript own.json {input}"));
            for other in ["parquet", "csv", "jsonl.zst"].iter().filter(|other| !other.starts_with(own)) {
                done(&folder, &format!("{design} --seed s -o other.{other} --transcript other.json {input}"));
                assert_eq!(
                    read(&folder, "own.json"),
                    read(&folder, "other.json"),
                    "{design} {input} {other}"
                );
                let types = if own == "jsonl" { "id=int" } else { "id=text" };
                let files = [format!("own.{own}"), format!("other.{other}")];
                let same = folder.hashwell(["diff", "--types", types, &files[0], &files[1]]);
                assert_eq!(
                    same.status.code(),
                    Some(0),
                    "{design} {files:?}: {}{}",
                    stdout(&same),
                    stderr(&same)
                );
            }
        }
    }
    done(&folder, "-n 9 --seed s --as csv -o a --complement b t.jsonl");
    assert_eq!(read(&folder, "b").iter().filter(|byte| **byte == b'\n').count(), 292);
    done(&folder, "-p 0.1 --group-by id --print-ticket --seed s -o k.jsonl t.csv");
    assert!(read(&folder, "k.jsonl").starts_with(b"{\"ticket\":\""));
    done(&folder, "-p 0 --seed s -o none.parquet t.csv");
    assert!(stdout(&folder.hashwell(["table", "none.parquet"])).contains("0 rows, 2 columns"));
}

#[test]
fn rows_that_cannot_be_converted_leave_no_file() {
    let folder = Folder::new();
    folder.write("short.csv", "id,x\n1,2\n3\n");
    folder.write("twice.csv", "id,id\n1,2\n");
    folder.write("latin.csv", b"id,x\n1,\xe9\n");
    folder.write("bad.jsonl", "{\"a\":1}\n[2]\n");
    folder.write("one.jsonl", "{\"a\":1}\n{\"a\":null}\n");
    folder.write("t.csv", "id\n1\n");
    for (options, said) in [
        ("-o o.jsonl short.csv", "row 2 of the output: the row has 1 fields, but the table has 2 columns"),
        (
            "-o o.jsonl twice.csv",
            "the output: two columns are named \"id\", but their names must differ in JSON lines",
        ),
        (
            "-o o.parquet latin.csv",
            "row 1 of the output: column \"x\": the value is not UTF-8 (give --encoding)",
        ),
        ("-o o.csv bad.jsonl", "row 2 of the output: not a JSON object"),
        ("-o o.csv one.jsonl", "row 2 of the output: null in the only column would be an empty line"),
    ] {
        let output = sample(&folder, &format!("-p 1 --seed s {options}"));
        assert_eq!(output.status.code(), Some(1), "{options}: {}", stderr(&output));
        assert!(stderr(&output).contains(said), "{options}: {}", stderr(&output));
    }
    done(&folder, "-n 1 --seed s --state-out s t.csv");
    let merged = sample(&folder, "--merge -o o.jsonl s");
    assert!(
        stderr(&merged).contains("a merged sample can't be written as JSON lines"),
        "{}",
        stderr(&merged)
    );
    for name in ["o.jsonl", "o.parquet", "o.csv"] {
        assert!(!folder.path().join(name).exists(), "{name}");
    }
    // The line that sets the delimiter is not copied if there is no header.
    folder.write("sep.csv", "sep=;\nid;x\n1;2\n");
    done(&folder, "-p 1 --seed s --no-header -o o.jsonl sep.csv");
    assert_eq!(read(&folder, "o.jsonl"), b"{\"1\":\"id\",\"2\":\"x\"}\n{\"1\":\"1\",\"2\":\"2\"}\n");
    folder.write("empty.jsonl", "");
    done(&folder, "-p 1 --seed s -o o.csv empty.jsonl");
    assert_eq!(read(&folder, "o.csv"), b"");
    // The carriage return of the only picked row is not the end of a line.
    folder.write("carriage.csv", "x\n1\r2");
    for seed in 0..8 {
        done(&folder, &format!("-n 1 --seed {seed} --no-header -o o.jsonl carriage.csv"));
        let text = String::from_utf8(read(&folder, "o.jsonl")).unwrap();
        assert!(["{\"1\":\"x\"}\n", "{\"1\":\"1\\r2\"}\n"].contains(&&text[..]), "{text}");
    }
    done(&folder, "-p 1 --seed s --encoding latin1 -o o.jsonl latin.csv");
    assert_eq!(read(&folder, "o.jsonl"), "{\"id\":\"1\",\"x\":\"é\"}\n".as_bytes());
}

#[test]
fn contradictions_are_errors_and_leave_no_file() {
    let folder = folder();
    for (options, said) in [
        ("--as parquet t.txt", "--as requires a table: give the format of the input, such as --csv"),
        ("-o x.parquet t.txt", "--output x.parquet: the rows are lines"),
        ("-o x.tsv t.csv", "--output x.tsv: rows of CSV are written as .parquet, .csv or .jsonl"),
        ("--as csv -o x.jsonl t.csv", "--output x.jsonl: the name contradicts --as csv"),
        ("-o x.parquet.gz t.csv", "--output x.parquet.gz: Parquet compresses its own pages"),
        ("-o x.tsv t.parquet", "--output x.tsv: rows of Parquet are written as .parquet, .csv or .jsonl"),
        ("--as csv -o x.parquet t.parquet", "--output x.parquet: the name contradicts --as csv"),
        ("--as parquet -o x.csv t.parquet", "--output x.csv: the name contradicts --as parquet"),
        ("--as jsonl -o x.csv.gz t.parquet", "--output x.csv.gz: the name contradicts --as jsonl"),
        ("-o x.parquet.gz t.parquet", "--output x.parquet.gz: Parquet compresses its own pages"),
        ("-o x.gz t.parquet", "--output x.gz: Parquet compresses its own pages"),
        (
            "-o x.csv.zip t.csv",
            "--output x.csv.zip: .zip files can't be written (supported: .gz, .zst, .bz2 and .xz)",
        ),
        ("-o x.lz4 t.txt", "--output x.lz4: .lz4 files can't be written"),
        (
            "-o x.json t.parquet",
            "--output x.json: choose a name that ends in .parquet, .csv or .jsonl, or give --as",
        ),
        (
            "-o x.xlsx t.csv",
            "--output x.xlsx: choose a name that ends in .parquet, .csv or .jsonl, or give --as",
        ),
        ("-o x.csv --complement y.tsv t.csv", "--complement y.tsv: rows of CSV are written as .parquet"),
        (
            "-o x.csv --transcript t.json.gz t.csv",
            "--transcript t.json.gz: this file can't be compressed with gzip",
        ),
    ] {
        let output = sample(&folder, &format!("-p 0.5 --seed s {options}"));
        assert_eq!(output.status.code(), Some(2), "{options}: {}", stderr(&output));
        assert!(stderr(&output).starts_with(&format!("hashwell: {said}")), "{options}: {}", stderr(&output));
    }
    let state = sample(&folder, "-n 5 --seed s --state-out s.zst t.csv");
    assert!(stderr(&state).starts_with("hashwell: --state-out s.zst: this file can't be compressed"));
    for name in ["x.csv", "x.parquet", "x.jsonl", "y.jsonl", "s.zst", "t.json.gz"] {
        assert!(!Path::new(&folder.path().join(name)).exists(), "{name}");
    }
}

/// All physical types, with logical types that few programs write.
const TYPES: &str = "message rows {
    optional boolean ok; optional int32 i8 (INTEGER(8,true)); optional int32 u16 (INTEGER(16,false));
    optional int32 date (DATE); optional int32 t3 (TIME(MILLIS,false)); optional int32 d1 (DECIMAL(9,2));
    optional int64 u64 (INTEGER(64,false)); optional int64 t6 (TIME(MICROS,true)); optional int64 t9 (TIME(NANOS,true));
    optional int64 local (TIMESTAMP(NANOS,false)); optional int64 utc (TIMESTAMP(MILLIS,true));
    optional int64 d2 (DECIMAL(18,9)); optional int96 old;
    optional float f; optional double g;
    optional binary e (ENUM); optional binary j (JSON); optional binary b (BSON); optional binary raw;
    optional binary d3 (DECIMAL(20,3));
    optional fixed_len_byte_array(2) h (FLOAT16); optional fixed_len_byte_array(16) id (UUID);
    optional fixed_len_byte_array(12) p (INTERVAL); optional fixed_len_byte_array(16) d4 (DECIMAL(38,10));
    repeated int32 many; optional group m (MAP) {
        repeated group key_value { required int64 key (TIMESTAMP(NANOS,true)); optional binary value; }
    }
}";

/// Writes the next column. Without `levels`, it has all the values and then one null.
fn column<D: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: &[D::T],
    levels: Option<(&[i16], &[i16])>,
) {
    let there: Vec<i16> = values.iter().map(|_| 1).chain([0]).collect();
    let (definitions, repetitions) = levels.map_or((&there[..], None), |levels| (levels.0, Some(levels.1)));
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<D>().write_batch(values, Some(definitions), repetitions).unwrap();
    column.close().unwrap();
}

/// Three values of each type, and a null.
fn types() -> Vec<u8> {
    let mut bytes = Vec::new();
    let schema = Arc::new(parse_message_type(TYPES).unwrap());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    column::<BoolType>(&mut group, &[true, false, true], None);
    for values in [
        [-128, 0, 127],
        [0, 1, 65_535],
        [i32::MIN, -1, i32::MAX],
        [0, 1, 86_399_999],
        [-999_999_999, -5, 999_999_999],
    ] {
        column::<Int32Type>(&mut group, &values, None);
    }
    for values in [
        [0, -1, i64::MIN],
        [0, 1, 86_399_999_999],
        [0, 1, 86_399_999_999_999],
        [i64::MIN, -1, i64::MAX],
        [i64::MIN, -1, i64::MAX],
        [-999_999_999_999_999_999, -1, 1],
    ] {
        column::<Int64Type>(&mut group, &values, None);
    }
    let old = |low, high, day| {
        let mut old = Int96::new();
        old.set_data(low, high, day);
        old
    };
    column::<Int96Type>(
        &mut group,
        &[old(1, 0, 2_440_588), old(999, 0, 2_440_587), old(0x4a4b_8000, 0x2744, 2_459_000)],
        None,
    );
    column::<FloatType>(&mut group, &[f32::NAN, f32::MIN_POSITIVE, f32::NEG_INFINITY], None);
    column::<DoubleType>(&mut group, &[f64::INFINITY, -5e-324, 0.1 + 0.2], None);
    let texts = |texts: [&str; 3]| texts.map(ByteArray::from);
    column::<ByteArrayType>(&mut group, &texts(["", "A", "null"]), None);
    column::<ByteArrayType>(&mut group, &texts(["{}", "null", "\"\""]), None);
    column::<ByteArrayType>(&mut group, &texts(["", "\u{1}", "x"]), None);
    let raw = |bytes: &[u8]| ByteArray::from(bytes.to_vec());
    column::<ByteArrayType>(&mut group, &[raw(b""), raw(b"\xff\0"), raw(b"text")], None);
    column::<ByteArrayType>(&mut group, &[raw(b"\xff"), raw(b"\0\x80"), raw(&[0x12; 8])], None);
    let fixed = |bytes: &[u8]| FixedLenByteArray::from(ByteArray::from(bytes.to_vec()));
    column::<FixedLenByteArrayType>(
        &mut group,
        &[fixed(&[0, 0x7e]), fixed(&[1, 0]), fixed(&[0xff, 0xfb])],
        None,
    );
    column::<FixedLenByteArrayType>(
        &mut group,
        &[fixed(&[0; 16]), fixed(&[0xab; 16]), fixed(b"0123456789abcdef")],
        None,
    );
    let period = |days: i32, time: i32| fixed(&[[0; 4], days.to_le_bytes(), time.to_le_bytes()].concat());
    column::<FixedLenByteArrayType>(
        &mut group,
        &[period(0, 0), period(-3, i32::MIN), period(i32::MAX, 1)],
        None,
    );
    let wide = |number: i128| fixed(&number.to_be_bytes());
    let most = 10_i128.pow(38) - 1;
    column::<FixedLenByteArrayType>(&mut group, &[wide(-most), wide(1), wide(most)], None);
    // [1, 2], [], [3], []
    column::<Int32Type>(&mut group, &[1, 2, 3], Some((&[1, 1, 0, 1, 0], &[0, 1, 0, 0, 0])));
    // {-1: "", 0: null}, {}, null, {i64::MAX: "x"}
    column::<Int64Type>(&mut group, &[-1, 0, i64::MAX], Some((&[2, 2, 1, 0, 2], &[0, 1, 0, 0, 0])));
    column::<ByteArrayType>(
        &mut group,
        &texts(["", "x", ""])[..2],
        Some((&[3, 2, 1, 0, 3], &[0, 1, 0, 0, 0])),
    );
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn every_type_of_parquet_comes_back() {
    let folder = Folder::new();
    folder.write("t.parquet", types());
    for name in ["x.csv", "x.jsonl", "x.csv.zst", "x.parquet"] {
        done(&folder, &format!("-p 1 --seed s -o {name} t.parquet"));
        let output = folder.hashwell(["diff", "t.parquet", name]);
        let text = std::fs::read(folder.path().join(name)).unwrap();
        assert_eq!(
            stdout(&output),
            "the same: 4 rows\n",
            "{}\n{}",
            stderr(&output),
            String::from_utf8_lossy(&text)
        );
    }
    let lines = std::fs::read_to_string(folder.path().join("x.jsonl")).unwrap();
    for text in [
        "\"date\":\"-5877641-06-23\"",
        "\"u64\":18446744073709551615",
        "\"local\":\"1677-09-21T00:12:43.145224192\"",
        "\"utc\":\"+292278994-08-17T07:12:55.807Z\"",
        "\"old\":\"1970-01-01T00:00:00.000000001\"",
        "\"f\":\"NaN\"",
        "\"id\":\"abababab-abab-abab-abab-abababababab\"",
        "\"p\":\"P0M-3DT-2147483.648S\"",
        "\"d4\":\"-9999999999999999999999999999.9999999999\"",
        "\"many\":[1,2]",
        "\"m\":{\"1969-12-31T23:59:59.999999999Z\":\"\",\"1970-01-01T00:00:00Z\":null}",
    ] {
        assert!(lines.contains(text), "{text} is not in\n{lines}");
    }
}

/// Excel files, joined files and files with blank lines.
#[test]
fn files_as_programs_write_them() {
    let folder = folder();
    folder.write("excel.csv", "sep=;\r\nid;x\r\n1;a,b\r\n2;c\r\n");
    let output = sample(&folder, "-n 9 --seed s --group-by x excel.csv");
    // The line `sep=;` is copied to the output, because the rows have this delimiter.
    let all = "sep=;\r\nid;x\r\n1;a,b\r\n2;c\r\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), all);
    done(&folder, "-n 1 --seed s --state-out state -- excel.csv");
    done(&folder, "-n 1 --seed s -o o.csv --complement r.csv excel.csv");
    let split = folder.hashwell("split --into a=1,b=0 --seed s -o {}.csv excel.csv".split(' '));
    assert!(split.status.success(), "{}", stderr(&split));
    assert_eq!(read(&folder, "a.csv"), all.as_bytes());
    for name in ["o.csv", "r.csv", "b.csv"] {
        assert!(read(&folder, name).starts_with(b"sep=;\r\nid;x\r\n"), "{name}");
    }
    assert_eq!(sample(&folder, "--merge state").stdout, read(&folder, "o.csv"));
    folder.write("mark.csv", format!("\u{feff}{all}"));
    let tickets = "-n 9 --seed s --group-by x --print-ticket";
    let output = sample(&folder, &format!("{tickets} mark.csv"));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("\u{feff}sep=;\r\nticket;id;x\r\n") && text.contains(";1;a,b\r\n"), "{text}");
    folder.write("auto.csv", "id;x\n1;a\n2;c\n");
    let output = sample(&folder, &format!("{tickets} --delimiter auto auto.csv"));
    assert!(output.stdout.starts_with(b"ticket;id;x\n"), "{}", String::from_utf8_lossy(&output.stdout));
    let whole = std::fs::read_to_string(folder.path().join("t.csv")).unwrap();
    folder.write("blank.csv", format!("\n{}\n\r\n\n", whole.replace('\n', "\n\n")));
    for options in [
        "-n 20",
        "-p 0.1",
        "-n 20 --replace",
        "--every 7",
        "-n 5 --group-by id",
        "-n 3 --stratify x",
        "--shuffle",
    ] {
        let picked = |name: &str| sample(&folder, &format!("{options} --seed s {name}")).stdout;
        assert_eq!(picked("blank.csv"), picked("t.csv"), "{options}");
    }
    folder.write("joined.csv", format!("{whole}{whole}"));
    let output = sample(&folder, "-n 5 --group-by id --seed s joined.csv");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).starts_with("hashwell: joined.csv:302: the header is repeated here"),
        "{}",
        stderr(&output)
    );
}

/// A symbolic link stays, and the file that it points to is replaced. A link to a standard stream writes to the stream,
/// after what was already written there.
#[cfg(unix)]
#[test]
fn links_are_written_through() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    folder.write("d/target", "old");
    for (name, target) in
        [("link", "d/target"), ("second", "link"), ("new", "d/new"), ("out", "/proc/self/fd/1")]
    {
        symlink(target, path(name)).unwrap();
    }
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    for (link, target) in [("link", "d/target"), ("second", "d/target"), ("new", "d/new")] {
        for line in [
            format!("sample -n 2 --seed {link} -o {link} t.txt"),
            format!("draw -n 2 --seed {link} --transcript {link} t.txt"),
        ] {
            let run = folder.hashwell(line.split(' '));
            assert_eq!(run.status.code(), Some(0), "{line}: {}", stderr(&run));
            assert!(path(link).is_symlink() && !path(target).is_symlink(), "{line}");
            let written = read(target);
            assert!(
                written.starts_with("line ") || written.contains(&format!("\"text\":\"{link}\"")),
                "{written}"
            );
        }
    }
    // Two names of one file.
    let both = folder.hashwell(["sample", "-n", "2", "-o", "link", "--rest", "d/target", "t.txt"]);
    assert_eq!(both.status.code(), Some(2), "{}", stderr(&both));
    assert!(stderr(&both).contains("are the same file"), "{}", stderr(&both));
    if !path("out").exists() {
        return;
    }
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args(["draw", "-n", "2", "--seed", "s", "--transcript", "out", "t.txt"]);
    let piped = command.output().unwrap().stdout;
    let to_file = std::fs::File::create(path("file")).unwrap();
    assert!(command.stdout(to_file).status().unwrap().success());
    assert_eq!(read("file").as_bytes(), piped);
    assert!(piped.starts_with(b"{") && piped.ends_with(b"\n") && path("out").is_symlink());
}
