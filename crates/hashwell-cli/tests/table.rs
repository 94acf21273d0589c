//! `hashwell table` and `diff`: a table has the same digest in every format, order and division into files, and
//! differences are reported.

use crate::common;

use common::{Folder, assert_ran, stderr, stdout};
use parquet::basic::Encoding;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::process::{Output, Stdio};
use std::sync::Arc;

const SCHEMA: &str = "message rows { required int64 id; optional binary name (UTF8); optional double x; \
                      required boolean ok; required int32 day (DATE); }";

/// SHA-256 of the sorted digests of the 1000 rows below, as reference/rows.py computes it, followed by the digest of
/// the other scheme.
const SORTED: &str = "dc64ea15c62962b2db1b382149d79b209b594abc581d20dcf85bcd5675b8b798";
const LTHASH: &str = "ebd20b3fbcf56577b1347cf1b1943561e5b6c7ce2292cef7e5baab22a627f3c9";

const DAYS: [(&str, i32); 3] = [("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-11-22", 20_779)];

#[derive(Clone, Debug, PartialEq)]
struct Row {
    id: i64,
    name: Option<String>,
    x: Option<f64>,
    ok: bool,
    day: (&'static str, i32),
}

fn row(id: i64) -> Row {
    Row {
        id,
        name: (id % 5 != 0).then(|| format!("n{}, \"é\"", id * id % 7)),
        x: (id % 11 != 0).then(|| id as f64 / 8.0 - 3.0),
        ok: id % 3 == 0,
        day: DAYS[(id % 3) as usize],
    }
}

fn rows() -> Vec<Row> {
    (0..1000).map(row).collect()
}

/// The same rows in a different order.
fn shuffled() -> Vec<Row> {
    (0..1000).map(|id| row(id * 617 % 1000)).collect()
}

fn csv(rows: &[Row]) -> String {
    let quoted = |name: &String| format!("\"{}\"", name.replace('"', "\"\""));
    let line = |row: &Row| {
        let name = row.name.as_ref().map_or_else(String::new, quoted);
        let x = row.x.map_or_else(String::new, |x| x.to_string());
        format!("{},{name},{x},{},{}\n", row.id, row.ok, row.day.0)
    };
    format!("id,name,x,ok,day\n{}", rows.iter().map(line).collect::<String>())
}

/// The same rows with the columns in a different order, and with carriage returns.
fn tsv(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let x = row.x.map_or_else(String::new, |x| format!("{x:e}"));
        format!("{}\t{}\t{x}\t{}\t{}\r\n", row.day.0, row.name.clone().unwrap_or_default(), row.ok, row.id)
    };
    format!("day\tname\tx\tok\tid\r\n{}", rows.iter().map(line).collect::<String>())
}

/// In every other row, keys with null values are omitted.
fn jsonl(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let mut object = serde_json::json!({ "ok": row.ok, "id": row.id, "day": row.day.0 });
        if row.name.is_some() || row.id % 2 == 0 {
            object["name"] = row.name.clone().into();
        }
        if row.x.is_some() || row.id % 2 == 0 {
            object["x"] = row.x.into();
        }
        format!("{object}\n")
    };
    rows.iter().map(line).collect()
}

fn parquet(rows: &[Row]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    for rows in rows.chunks(300) {
        let mut group = writer.next_row_group().unwrap();
        macro_rules! column {
            ($type:ty, $values:expr, $levels:expr) => {
                let mut column = group.next_column().unwrap().unwrap();
                let levels: Option<Vec<i16>> = $levels;
                column.typed::<$type>().write_batch(&$values, levels.as_deref(), None).unwrap();
                column.close().unwrap();
            };
        }
        let level = |some: bool| i16::from(some);
        column!(Int64Type, rows.iter().map(|row| row.id).collect::<Vec<_>>(), None);
        let names: Vec<ByteArray> = rows.iter().filter_map(|row| Some(row.name.as_deref()?.into())).collect();
        column!(ByteArrayType, names, Some(rows.iter().map(|row| level(row.name.is_some())).collect()));
        let numbers: Vec<f64> = rows.iter().filter_map(|row| row.x).collect();
        column!(DoubleType, numbers, Some(rows.iter().map(|row| level(row.x.is_some())).collect()));
        column!(BoolType, rows.iter().map(|row| row.ok).collect::<Vec<_>>(), None);
        column!(Int32Type, rows.iter().map(|row| row.day.1).collect::<Vec<_>>(), None);
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes.as_ref()).unwrap();
    packer.finish().unwrap()
}

/// The table in all formats.
fn folder() -> Folder {
    let folder = Folder::new();
    let (rows, shuffled) = (rows(), shuffled());
    folder.write("t.csv", csv(&rows));
    folder.write("t.tsv", tsv(&shuffled));
    folder.write("t.jsonl", jsonl(&shuffled));
    folder.write("t.parquet", parquet(&rows));
    folder.write("s.parquet", parquet(&shuffled));
    folder.write("t.csv.gz", gzip(csv(&shuffled)));
    folder.write("1.csv", csv(&shuffled[..400]));
    folder.write("2.jsonl.gz", gzip(jsonl(&shuffled[400..401])));
    folder.write("3.parquet", parquet(&shuffled[401..]));
    folder
}

/// Runs `hashwell table`, or `hashwell diff` if that is the first word. Words are separated by spaces.
fn run(folder: &Folder, options: &str) -> Output {
    let command = if options.starts_with("diff ") { None } else { Some("table") };
    folder.hashwell(command.into_iter().chain(options.split_whitespace()))
}

#[track_caller]
fn ran(folder: &Folder, options: &str, code: i32) -> String {
    let output = run(folder, options);
    assert_eq!(output.status.code(), Some(code), "{options}: {}{}", stdout(&output), stderr(&output));
    stdout(&output)
}

/// The command must print exactly one line, which contains these words.
#[track_caller]
fn refused(folder: &Folder, options: &str, code: i32, words: &str) {
    let output = run(folder, options);
    let (out, err) = (stdout(&output), stderr(&output));
    assert_eq!((output.status.code(), &*out), (Some(code), ""), "{options}: {err}");
    assert!(err.contains(words) && err.lines().count() == 1, "{options}: {err}");
}

const TYPES: &str = "--types id=int,x=float64,ok=bool,day=date";

#[test]
fn one_table_has_one_digest() {
    let folder = folder();
    let line = format!("{SORTED}  sorted-sha256: 1,000 rows, 5 columns: day, id, name, ok, x\n");
    for files in ["t.parquet", "s.parquet", "1.csv 2.jsonl.gz 3.parquet", "3.parquet 1.csv 2.jsonl.gz"] {
        assert_eq!(ran(&folder, files, 0), line, "{files}");
    }
    for files in ["t.csv", "t.tsv", "t.csv.gz", "t.jsonl"] {
        assert_eq!(ran(&folder, &format!("{TYPES} {files}"), 0), line, "{files}");
    }
    let other = ran(&folder, "--scheme lthash64-blake3 t.parquet", 0);
    assert!(other.starts_with(&format!("{LTHASH}  lthash64-blake3: 1,000 rows")), "{other}");
    let json: serde_json::Value = serde_json::from_str(&ran(&folder, "--json t.parquet", 0)).unwrap();
    assert_eq!((json["digest"].as_str(), json["rows"].as_u64()), (Some(SORTED), Some(1000)));
    // The digest is the same through a pipe, and is different with columns in a different order if the order counts.
    let mut child = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let mut child =
        child.args(["table", "--parquet"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&parquet(&shuffled())).unwrap();
    assert_eq!(stdout(&child.wait_with_output().unwrap()), line);
    let declared = |files: &str| ran(&folder, &format!("--ordered-columns {TYPES} {files}"), 0);
    assert_eq!(declared("t.csv"), declared("t.parquet"));
    assert_ne!(declared("t.csv")[..64], declared("t.tsv")[..64]);
}

#[test]
fn digests_of_rows_are_those_of_the_vectors() {
    let vectors = include_str!("../../../vectors/rows.json");
    let vectors: serde_json::Value = serde_json::from_str(vectors).unwrap();
    let case =
        |name: &str| vectors["cases"].as_array().unwrap().iter().find(|case| case["name"] == name).unwrap();
    let folder = Folder::new();
    folder.write("one.csv", "c00\n1\n");
    let one = case("one")["sha256"][0].as_str().unwrap();
    for of in ["int", "decimal"] {
        let out = ran(&folder, &format!("--per-row --types c00={of} one.csv"), 0);
        assert_eq!(out, format!("{one}  one.csv:2\n"));
    }
    folder.write("yes.jsonl", "{\"c00\":true,\"c01\":false}\n");
    let yes = case("booleans")["sha256"][0].as_str().unwrap();
    assert_eq!(ran(&folder, "--per-row yes.jsonl", 0), format!("{yes}  yes.jsonl:1\n"));
    let json = ran(&folder, "--per-row --json yes.jsonl", 0);
    assert_eq!(json, format!("{{\"digest\":\"{yes}\",\"place\":\"yes.jsonl:1\"}}\n"));
    // The place is the line on which a row begins. Another algorithm gives a different column of digests.
    folder.write("lines.csv", "a,b\n1,\"x\ny\"\n2,z\n");
    let out = ran(&folder, "--per-row -a blake3 lines.csv", 0);
    let places: Vec<&str> = out.lines().map(|line| line.split_once("  ").unwrap().1).collect();
    assert_eq!(places, ["lines.csv:2", "lines.csv:4"]);
    assert_ne!(out, ran(&folder, "--per-row lines.csv", 0));
}

#[test]
fn equal_tables_are_the_same_whatever_they_are_in() {
    let folder = folder();
    for (a, b) in [
        ("t.parquet", "s.parquet"),
        ("t.parquet", "t.csv"),
        ("t.tsv", "t.parquet"),
        ("t.jsonl", "t.parquet"),
        ("t.csv", "t.csv.gz"),
        ("t.csv", "t.tsv"),
        ("t.parquet", "1.csv 2.jsonl.gz 3.parquet"),
    ] {
        // If both tables only have text, floating-point numbers are compared as text.
        if (a, b) == ("t.csv", "t.tsv") {
            assert!(ran(&folder, &format!("diff {a} {b}"), 1).starts_with("different: "));
        }
        let types = if b == "t.tsv" { TYPES } else { "" };
        assert_eq!(
            ran(&folder, &format!("diff {types} {a} --with {b}"), 0),
            "the same: 1,000 rows\n",
            "{a} {b}"
        );
    }
    // JSON Lines define types by their values, and text in the other table is parsed as these types.
    let output = run(&folder, "diff --types day=date t.csv t.jsonl");
    let told = "hashwell: text fields are parsed with the types of the JSON lines: id int, name text, ok bool, \
                x float64\n";
    assert_ran(&output, 0, "the same: 1,000 rows\n", told);
}

#[test]
fn what_differs_is_named() {
    let folder = folder();
    let mut other = shuffled();
    let gone = other.remove(10);
    let changed = other.iter().position(|row| row.id == 7).unwrap();
    other[changed].x = Some(0.0);
    let twice = other[500].clone();
    other.push(twice.clone());
    folder.write("other.parquet", parquet(&other));
    let out = ran(&folder, "diff t.csv other.parquet", 1);
    let lines: Vec<&str> = out.lines().collect();
    let csv = csv(&rows());
    let line = |id: i64| format!("< t.csv:{}  {}", id + 2, csv.lines().nth(id as usize + 1).unwrap());
    assert_eq!(
        lines[0],
        "different: 2 rows only in t.csv, 2 only in other.parquet \
         (rows: 1,000 in the first table, 1,000 in the second)"
    );
    let mut here = [gone.id, 7];
    here.sort_unstable();
    assert_eq!(lines[1..3], here.map(line));
    assert!(lines[3].starts_with(&format!("> other.parquet:{}  {{\"id\":7,", changed + 1)), "{out}");
    // If a row is repeated, the later copies are reported.
    assert!(lines[4].starts_with(&format!("> other.parquet:1000  {{\"id\":{},", twice.id)), "{out}");
    assert_eq!(lines.len(), 5);
    // The opposite direction, with fewer lines, and as JSON.
    let out = ran(&folder, "diff --show 1 other.parquet t.csv", 1);
    assert!(out.contains("\n< and 1 more rows only in other.parquet\n"), "{out}");
    assert_eq!(ran(&folder, "diff --show 0 other.parquet t.csv", 1).lines().count(), 1);
    let json = ran(&folder, "diff --json t.csv other.parquet", 1);
    let json: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json[0], serde_json::json!({ "same": false, "rows": [1000, 1000], "only": [2, 2] }));
    assert_eq!((&json[1]["only"], &json[3]["only"]), (&0.into(), &1.into()));
    // With different columns.
    folder.write("less.csv", "id,name,y\n1,a,b\n");
    let out = ran(&folder, "diff less.csv t.parquet", 1);
    assert_eq!(out, "different: columns only in less.csv: y; only in t.parquet: x, ok, day\n");
    let out = ran(&folder, "diff --columns id,name less.csv t.parquet", 1);
    assert!(out.starts_with("different: 1 row only in less.csv, 1,000 only in t.parquet"), "{out}");
}

#[test]
fn disks_do_not_change_what_differs() {
    let folder = Folder::new();
    // The table has more than three times the 26,214 rows that fit into the minimum memory.
    let line = |i: u64| format!("{},{}\n", i % 70_000, i % 7);
    let all: String = (0..90_000).map(line).collect();
    let less: String = (0..90_000).rev().filter(|i| i % 9_000 != 17).map(line).collect();
    folder.write("a.csv", format!("n,m\n{all}"));
    folder.write("b.csv", format!("n,m\n{less}"));
    let held = ran(&folder, "diff --show 100 a.csv b.csv", 1);
    assert!(
        held.starts_with(
            "different: 10 rows only in a.csv, 0 only in b.csv \
             (rows: 90,000 in the first table, 89,990 in the second)\n"
        ),
        "{held}"
    );
    assert_eq!(ran(&folder, "diff --show 100 --memory 2M a.csv b.csv", 1), held);
    refused(
        &folder,
        "diff --memory 1M a.csv b.csv",
        2,
        "--memory must be at least 2097152 bytes, not 1048576",
    );
    let output = folder
        .command(env!("CARGO_BIN_EXE_hashwell"))
        .env("TMPDIR", "/nowhere")
        .args(["diff", "--memory", "2M", "a.csv", "b.csv"])
        .output()
        .unwrap();
    assert_ran(&output, 2, "", "hashwell: temporary file in /nowhere: No such file or directory\n");
}

#[test]
fn faults_of_files_name_place_and_column() {
    let folder = folder();
    let file = |name: &str, bytes: &str| folder.write(name, bytes);
    file("bad.csv", "id,x\n1,1.5\n2,one\n");
    refused(
        &folder,
        "--types id=int,x=float64 bad.csv",
        1,
        "bad.csv:3: column \"x\": \"one\" is not a number",
    );
    refused(
        &folder,
        "--types id=bool bad.csv",
        1,
        "bad.csv:3: column \"id\": \"2\" is not a boolean such as true, t or 1",
    );
    refused(&folder, "--types y=int bad.csv", 2, "there is no column \"y\"");
    refused(&folder, "--types x=number bad.csv", 2, "the type must be one of null, bool, int");
    refused(&folder, "--columns id,z bad.csv", 1, "bad.csv: there is no column \"z\"");
    file("short.csv", "id,x\n1\n");
    refused(&folder, "short.csv", 1, "short.csv:2: the row has 1 fields, but the table has 2 columns");
    file("twice.csv", "id,id\n1,2\n");
    refused(&folder, "twice.csv", 1, "twice.csv: two columns have the name \"id\"");
    file("latin.csv", "id\n1\n");
    folder.write("latin.csv", b"id\n\xe9\n");
    refused(&folder, "latin.csv", 1, "latin.csv:2: column \"id\"");
    file("list.jsonl", "[1]\n");
    refused(&folder, "list.jsonl", 1, "list.jsonl:1: not a JSON object");
    file("keys.jsonl", "{\"a\":1,\"a\":2}\n");
    refused(&folder, "keys.jsonl", 1, "the key \"a\" occurs twice");
    file("deep.jsonl", &format!("{{\"a\":{}1{}}}\n", "[".repeat(100), "]".repeat(100)));
    refused(&folder, "deep.jsonl", 1, "the value is nested more than 64 levels deep");
    file("huge.jsonl", &format!("{{\"a\":{}}}\n", "9".repeat(10_000)));
    refused(&folder, "huge.jsonl", 1, "a number with more than 600 digits");
    file("mixed.jsonl", "{\"id\":1,\"x\":1}\n{\"id\":\"1\",\"x\":1}\n");
    refused(&folder, "diff bad.csv mixed.jsonl", 2, "column \"id\" has JSON values of several kinds");
    file("not.parquet", "PAR1 and no more");
    refused(&folder, "not.parquet", 1, "not.parquet: not readable as Parquet");
    refused(&folder, "list.jsonl", 1, "list.jsonl:1");
    refused(&folder, "bad.csv t.parquet", 1, "the columns differ: only in t.parquet: name, ok, day");
    refused(&folder, "gone.csv", 1, "gone.csv: No such file or directory");
    refused(&folder, "diff gone.csv t.csv", 2, "gone.csv: No such file or directory");
    refused(&folder, "diff t.csv", 2, "diff needs two tables: 'hashwell diff OLD NEW'");
    refused(&folder, "diff t.csv t.csv t.csv", 2, "diff needs two tables");
    refused(&folder, "diff --with t.csv", 2, "diff needs two tables");
    refused(
        &folder,
        "names",
        2,
        "names: can't tell the format from the file name (give --csv, --tsv, --jsonl or --parquet)",
    );
    refused(&folder, "--csv - -", 2, "standard input is named twice");
    // An empty file is a table without columns.
    file("empty.csv", "");
    assert!(ran(&folder, "empty.csv", 0).ends_with("0 rows, 0 columns: \n"));
}

#[test]
fn texts_and_nulls() {
    let folder = Folder::new();
    folder.write("a.csv", "id,name\n1,\n2,NA\n");
    folder.write("b.jsonl", "{\"id\":1,\"name\":null}\n{\"id\":2,\"name\":\"NA\"}\n");
    folder.write("c.jsonl", "{\"id\":1,\"name\":\"\"}\n{\"id\":2}\n");
    assert_eq!(ran(&folder, "diff a.csv b.jsonl", 0), "the same: 2 rows\n");
    assert_eq!(ran(&folder, "diff --null NA a.csv c.jsonl", 0), "the same: 2 rows\n");
    assert!(ran(&folder, "diff a.csv c.jsonl", 1).starts_with("different: 2 rows only in a.csv, 2 only in"));
    // Numbers of any size are exact, and 1 differs from 1.0 unless the other table says otherwise.
    folder.write(
        "d.jsonl",
        "{\"n\":123456789012345678901234567890123456789012345678901234567890}\n{\"n\":1.0}\n",
    );
    folder.write(
        "e.jsonl",
        "{\"n\":123456789012345678901234567890123456789012345678901234567891}\n{\"n\":1}\n",
    );
    assert!(
        ran(&folder, "diff d.jsonl e.jsonl", 1).starts_with("different: 2 rows only in d.jsonl, 2 only in")
    );
    // Lists and objects: the order of keys does not matter.
    folder.write("f.jsonl", "{\"v\":[1,[true,null],{\"b\":\"\\u00e9\",\"a\":2.5}]}\n");
    folder.write("g.jsonl", "{\"v\": [1, [true, null], {\"a\": 25e-1, \"b\": \"é\"}]}\n");
    assert_eq!(ran(&folder, "diff f.jsonl g.jsonl", 0), "the same: 1 row\n");
    // Bytes, with the type given by hand.
    folder.write("h.csv", "b\n00ff\n");
    folder.write("i.csv", "b\nAP8=\n");
    let digest = |options: &str| ran(&folder, options, 0);
    assert_eq!(digest("--types b=hex h.csv"), digest("--types b=base64 i.csv"));
}

/// DuckDB, Polars, pyarrow and PostgreSQL write null as an empty field, and the empty string as `""`.
#[test]
fn null_and_the_empty_text_differ_in_csv() {
    let folder = Folder::new();
    let table = |names: [Option<&str>; 3]| -> Vec<Row> {
        (1..).zip(names).map(|(id, name)| Row { name: name.map(str::to_owned), ..row(id) }).collect()
    };
    let rows = table([Some("a"), Some(""), None]);
    folder.write("t.parquet", parquet(&rows));
    folder.write("t.csv", csv(&rows));
    folder.write("t.jsonl", jsonl(&rows));
    assert!(csv(&rows).contains("2,\"\",") && csv(&rows).contains("3,,"), "{}", csv(&rows));
    for other in ["t.parquet", "t.jsonl", "t.csv"] {
        assert_eq!(ran(&folder, &format!("diff t.csv {other}"), 0), "the same: 3 rows\n", "{other}");
        assert_eq!(ran(&folder, &format!("diff --null= t.csv {other}"), 0), "the same: 3 rows\n", "{other}");
    }
    let differ = |options: &str| ran(&folder, options, 1).starts_with("different: 1 row only in");
    assert!(differ("diff --null= --null \"\" t.csv t.parquet"));
    // Without types, all fields are text.
    folder.write("one.csv", "id,name\n1,\n2,\"\"\n");
    folder.write("two.csv", "id,name\n2,\n1,\n");
    assert!(differ("diff one.csv two.csv"));
    assert_eq!(ran(&folder, "diff --null= --null \"\" one.csv two.csv", 0), "the same: 2 rows\n");
    // If every field is quoted, `""` is null in columns whose type has no empty value.
    let quoted = "id,name,x,ok,day\n\"1\",\"a\",\"\",\"true\",\"2000-02-29\"\n";
    folder.write("all.csv", quoted);
    folder.write("all.parquet", parquet(&[Row { x: None, ok: true, ..table([Some("a"); 3])[0].clone() }]));
    assert_eq!(ran(&folder, "diff all.csv all.parquet", 0), "the same: 1 row\n");
    refused(
        &folder,
        "--null NA --types x=float64 all.csv",
        1,
        "all.csv:2: column \"x\": \"\" is not a number",
    );
    // `--null` takes the field as it is written in the file: DuckDB quotes a text that is the same as the null text.
    folder.write("na.csv", "id,name\n1,NA\n2,\"NA\"\n3,\"N\"\"A\"\n");
    folder.write("na.jsonl", "{\"id\":1}\n{\"id\":2,\"name\":\"NA\"}\n{\"id\":3,\"name\":\"N\\\"A\"}\n");
    assert_eq!(ran(&folder, "diff --null NA na.csv na.jsonl", 0), "the same: 3 rows\n");
    // In TSV without quotes, `""` is a text of two characters.
    folder.write("q.tsv", "id\tname\n1\t\"\"\n");
    folder.write("q.jsonl", "{\"id\":1,\"name\":\"\\\"\\\"\"}\n");
    folder.write("e.jsonl", "{\"id\":1,\"name\":\"\"}\n");
    assert_eq!(ran(&folder, "diff q.tsv q.jsonl", 0), "the same: 1 row\n");
    assert_eq!(ran(&folder, "diff --quotes q.tsv e.jsonl", 0), "the same: 1 row\n");
}

/// If the time grew with the square of the number of columns, this test would not end.
#[test]
fn very_many_columns() {
    const COLUMNS: usize = 150_000;
    let folder = Folder::new();
    let list = |each: &dyn Fn(usize) -> String, step| {
        (0..COLUMNS).rev().step_by(step).map(each).collect::<Vec<_>>().join(",")
    };
    let header = list(&|i| format!("c{i}"), 1);
    let values = list(&|i| i.to_string(), 1);
    folder.write("t.csv", format!("{header}\n{values}\n{values}\n"));
    let object = list(&|i| format!("\"c{i}\":{i}"), 1);
    let reversed = object.rsplit(',').collect::<Vec<_>>().join(",");
    folder.write("t.jsonl", format!("{{{object}}}\n{{{reversed}}}\n"));
    assert_eq!(ran(&folder, "diff t.csv t.jsonl", 0), "the same: 2 rows\n");
    // A command-line argument has at most 128 KiB.
    let types = list(&|i| format!("c{i}=int"), 20);
    let columns = list(&|i| format!("c{i}"), 20);
    let [csv, json] = ["t.csv", "t.jsonl"]
        .map(|file| ran(&folder, &format!("--types {types} --columns {columns} {file}"), 0));
    assert!(csv == json && csv.contains("2 rows, 7500 columns"), "{csv}");
    // Structs have as many members as tables have columns.
    folder.write("in.jsonl", format!("{{\"x\":{{{object}}}}}\n{{\"x\":{{{reversed}}}}}\n"));
    folder.write("in.csv", format!("x\n\"{0}\"\n\"{0}\"\n", format!("{{{object}}}").replace('"', "\"\"")));
    assert_eq!(ran(&folder, "diff in.csv in.jsonl", 0), "the same: 2 rows\n");
    // A duplicate name is detected.
    folder.write("twice.csv", format!("{header},c7\n"));
    refused(&folder, "twice.csv", 1, "twice.csv: two columns have the name \"c7\"");
    refused(&folder, "--columns c1,c2,c1 t.csv", 2, "two columns or fields have the name 'c1'");
}

#[test]
fn more_columns_than_there_may_be() {
    let folder = Folder::new();
    let header = (0..=1 << 20).map(|i| format!("{i:x}")).collect::<Vec<_>>().join(",");
    folder.write("t.csv", &header);
    refused(&folder, "t.csv", 1, "t.csv: the table has 1,048,577 columns: the limit is 1,048,576");
    folder.write("u.csv", header.rsplit_once(',').unwrap().0);
    assert!(ran(&folder, "--no-header u.csv", 0).contains("1 row, 1048576 columns"));
    // Keys that are data, so that there are as many columns as rows.
    let keys = |count| (0..count).map(|i| format!("{{\"k{i}\":{i}}}\n")).collect::<String>();
    folder.write("few.jsonl", keys(5_000));
    assert!(ran(&folder, "few.jsonl", 0).contains("5,000 rows, 5000 columns"));
    folder.write("many.jsonl", keys(40_000));
    let text = "many.jsonl: the 40,000 rows would have 40,000 columns, and almost all values would be null";
    refused(&folder, "many.jsonl", 1, text);
    assert!(ran(&folder, "--columns k7,k39999 many.jsonl", 0).contains("40,000 rows, 2 columns"));
}

#[test]
fn lists_and_objects_in_csv_are_json() {
    let folder = Folder::new();
    folder.write(
        "a.csv",
        "id,l,o\n1,\"[1,2]\",\"{\"\"b\"\": 1.5, \"\"a\"\": [null]}\"\n2, [ 3 ] ,\n3,\"\",{}\n",
    );
    let objects = "{\"id\":1,\"l\":[1,2],\"o\":{\"a\":[null],\"b\":15e-1}}\n{\"id\":2,\"l\":[3]}\n{\"id\":3,\"o\":{}}\n";
    folder.write("a.jsonl", objects);
    assert_eq!(ran(&folder, "diff a.csv a.jsonl", 0), "the same: 3 rows\n");
    assert_eq!(
        ran(&folder, "--types id=int,l=json,o=json a.csv", 0),
        ran(&folder, "--types l=json a.jsonl", 0)
    );
    folder.write("b.jsonl", objects.replace("[1,2]", "[2,1]"));
    assert!(ran(&folder, "diff a.csv b.jsonl", 1).starts_with("different: 1 row only in a.csv, 1 only in"));
    folder.write("c.csv", "id,l,o\n1,1|2,\n");
    let why = "c.csv:2: column \"l\": \"1|2\" is not JSON, which is required for JSON in CSV";
    refused(&folder, "--types l=json c.csv", 1, why);
    let told = stderr(&run(&folder, "diff c.csv a.jsonl"));
    assert!(told.contains("l json") && told.contains("\"1|2\" is not JSON"), "{told}");
    // If values have several kinds, the message names the kinds and the option that helps.
    folder.write("d.csv", "v\n1\n\"\"\"1\"\"\"\n[]\n");
    folder.write("d.jsonl", "{\"v\":1}\n{\"v\":\"1\"}\n{\"v\":[]}\n");
    refused(&folder, "diff d.csv d.jsonl", 2, "kinds (integers, strings, lists): give --types v=TYPE");
    assert_eq!(ran(&folder, "diff --types v=json d.csv d.jsonl", 0), "the same: 3 rows\n");
}

/// A type applies to all values of the column: text fields are parsed, and values of Parquet and JSON are converted.
#[test]
fn types_apply_to_every_format() {
    let folder = folder();
    assert_eq!(ran(&folder, "diff --types x=float64 t.parquet s.parquet", 0), "the same: 1,000 rows\n");
    assert_eq!(ran(&folder, "diff --types x=float64 t.csv t.parquet", 0), "the same: 1,000 rows\n");
    for types in ["x=decimal,id=text", "x=float32,day=text,ok=text", "id=float64,name=bytes"] {
        for other in ["t.csv", "t.jsonl", "s.parquet"] {
            let same = ran(&folder, &format!("diff --types {types} {other} t.parquet"), 0);
            assert_eq!(same, "the same: 1,000 rows\n", "{types} {other}");
        }
        let digest = |file: &str| ran(&folder, &format!("--types {types} {file}"), 0);
        assert_eq!(digest("t.parquet"), digest("s.parquet"), "{types}");
    }
    let wrong = "t.parquet:2: column \"x\": \"-2.875\" is not an integer";
    refused(&folder, "diff --types x=int t.parquet s.parquet", 2, wrong);
    refused(&folder, "--types x=int t.parquet", 1, wrong);
    // Rows that are read again to be shown are converted as well.
    folder.write("old.jsonl", "{\"id\":1,\"on\":\"t\"}\n{\"id\":2,\"on\":0}\n");
    folder.write("new.csv", "id,on\n1,1\n2,true\n");
    let shown = ran(&folder, "diff --key id --types on=bool old.jsonl new.csv", 1);
    assert!(shown.contains("false → true"), "{shown}");
    let shown = ran(&folder, "diff --key id --types id=int,ok=text,day=text t.parquet t.csv", 0);
    assert_eq!(shown, "the same: 1,000 rows\n");
}

#[test]
fn columns_with_the_same_name_are_compared_by_their_order() {
    let folder = folder();
    folder.write("a.csv", "id,x,x,x\n1,2,3,4\n2,5,6,7\n");
    folder.write("b.csv", "id,x,x,x\n1,2,3,4\n2,5,0,7\n");
    let output = run(&folder, "diff --key id a.csv b.csv");
    assert!(stdout(&output).contains("~ id=2  x#2: 6 → 0"), "{}", stdout(&output));
    let told = "hashwell: a.csv: two columns have the name \"x\": the second one is named \"x#2\" here\n";
    assert!(stderr(&output).starts_with(told), "{}", stderr(&output));
    let typed = "diff --ignore x#2 --types x=int,x#3=float64 --rename x#3=y a.csv c.csv";
    folder.write("c.csv", "id,x,y\n1,2,4\n2,5,7\n");
    let output = run(&folder, &typed.replace("x#3=float64", "y=float64"));
    assert_eq!(stdout(&output), "the same: 2 rows\n", "{}", stderr(&output));
    folder.write("d.csv", "x,x,x#2\n1,2,3\n");
    let output = run(&folder, "diff d.csv d.csv");
    assert!(stderr(&output).contains("d.csv: two columns have the name \"x#2\""), "{}", stderr(&output));
    refused(&folder, "a.csv", 1, "a.csv: two columns have the name \"x\"");
}

/// PostgreSQL writes `t`, `f` and `\x6869`; MySQL writes 1, 0 and, with --hex-blob, `0x6869`.
#[test]
fn booleans_and_bytes_of_databases_are_read() {
    let folder = folder();
    folder.write("postgres.csv", "ok,b\nt,\\x6869\nf,\\x\n");
    folder.write("mysql.csv", "ok,b\n1,0x6869\n0,0x\n");
    folder.write("plain.csv", "ok,b\ntrue,6869\nfalse,\"\"\n");
    for other in ["mysql.csv", "plain.csv"] {
        let same = ran(&folder, &format!("diff --types ok=bool,b=hex postgres.csv {other}"), 0);
        assert_eq!(same, "the same: 2 rows\n", "{other}");
    }
    folder.write("odd.csv", "b\n\\x686\n");
    refused(&folder, "--types b=hex odd.csv", 1, "\"\\\\x686\" is not pairs of hexadecimal digits");
    // Bytes of Parquet: the fields of the other file are base64, or those of PostgreSQL.
    let schema = Arc::new(parse_message_type("message rows { required binary b; }").unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let values = [ByteArray::from("hi"), ByteArray::from("")];
    column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    folder.write("b.parquet", &bytes);
    folder.write("b64.csv", "b\naGk=\n\"\"\n");
    folder.write("bytea.csv", "b\n\\x6869\n\\x\n");
    for other in ["b64.csv", "bytea.csv"] {
        assert_eq!(ran(&folder, &format!("diff b.parquet {other}"), 0), "the same: 2 rows\n", "{other}");
    }
    // Some programs write text without stating that it is UTF-8.
    folder.write("text.csv", "b\nhi\n\"\"\n");
    assert_eq!(ran(&folder, "diff --types b=text b.parquet text.csv", 0), "the same: 2 rows\n");
}

#[test]
fn damaged_parquet_is_one_line_or_a_table() {
    let folder = Folder::new();
    let whole = parquet(&rows()[..50]);
    let mut refusals = 0;
    for at in (0..whole.len()).step_by(whole.len() / 80) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x5a;
        folder.write("t.parquet", &bytes);
        let output = run(&folder, "t.parquet");
        match output.status.code() {
            Some(0) => assert!(stderr(&output).is_empty(), "{at}: {}", stderr(&output)),
            Some(1) => {
                refusals += 1;
                let err = stderr(&output);
                assert!(err.starts_with("hashwell: t.parquet") && err.lines().count() == 1, "{at}: {err}");
            }
            code => panic!("byte {at}: {code:?} {}", stderr(&output)),
        }
    }
    assert!(refusals > 0);
    for len in [0, 3, 11, whole.len() / 2, whole.len() - 1] {
        folder.write("t.parquet", &whole[..len]);
        refused(&folder, "t.parquet", 1, "t.parquet: not readable as Parquet");
    }
}

/// The Parquet library panics at some invalid lengths of deltas.
#[test]
fn a_reader_that_panics_is_one_line() {
    let schema = Arc::new(parse_message_type("message rows { required binary name (UTF8); }").unwrap());
    let properties =
        WriterProperties::builder().set_dictionary_enabled(false).set_encoding(Encoding::DELTA_BYTE_ARRAY);
    let mut whole = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut whole, schema, properties.build().into()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let names: Vec<ByteArray> = (0..9).map(|i| format!("name{i}").as_str().into()).collect();
    column.typed::<ByteArrayType>().write_batch(&names, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    let folder = Folder::new();
    folder.write("whole.parquet", &whole);
    let mut panics = 0;
    for at in 4..100 {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x7f;
        folder.write("t.parquet", &bytes);
        let output = run(&folder, "diff t.parquet whole.parquet");
        let (code, err) = (output.status.code(), stderr(&output));
        assert!(
            matches!(code, Some(0..=2)) && err.lines().count() == usize::from(code == Some(2)),
            "{at}: {err}"
        );
        panics += usize::from(err.contains("t.parquet: not readable as Parquet") && err.contains("panicked"));
    }
    assert!(panics > 0);
}

#[test]
fn names_with_commas_and_newlines() {
    let folder = Folder::new();
    folder.write("t.csv", "\"a,b\",a,b,\"c\nd\"\n1,2,3,4\n");
    let columns = |options: &str| ran(&folder, options, 0).split_once("1 row, ").unwrap().1.to_owned();
    assert_eq!(columns("--columns a,b t.csv"), "1 column: a,b\n");
    assert_eq!(columns("--columns b,a t.csv"), "2 columns: a, b\n");
    assert_eq!(columns("--columns a --columns b --columns a,b t.csv"), "3 columns: a, a,b, b\n");
    assert_eq!(columns("t.csv"), "4 columns: a, a,b, b, c\\nd\n");
    let digest = |options: &str| ran(&folder, &format!("{options} t.csv"), 0)[..64].to_owned();
    let all = ["", "--types a,b=int", "--types a=int,b=int", "--types a,b=int --types a=int,b=int"];
    let digests: std::collections::BTreeSet<_> = all.map(digest).into();
    assert_eq!(digests.len(), all.len());
}

/// If input can't be copied, the message names the folder for temporary files.
#[test]
fn a_missing_folder_for_copies_is_named() {
    let folder = Folder::new();
    folder.write("t.csv", "id\n1\n");
    for line in ["table --csv", "diff --csv t.csv -", "sample --csv -n 1 --complement rest"] {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.env("TMPDIR", "/nowhere").args(line.split(' ')).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The command may end before it reads its input.
        let _ = child.stdin.take().unwrap().write_all(b"id\n1\n");
        let text = stderr(&child.wait_with_output().unwrap());
        assert!(text.contains("temporary file in /nowhere: No such file or directory"), "{line}: {text}");
    }
}

#[test]
fn copies_of_pipes_have_no_names() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("tmp")).unwrap();
    let mut child = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    child.env("TMPDIR", folder.path().join("tmp")).args(["table", "--csv"]).stdin(Stdio::piped());
    let mut child = child.spawn().unwrap();
    // This is more than fits into a pipe's buffer, so most of it has been copied when the write returns.
    child.stdin.as_mut().unwrap().write_all(&b"id\n".repeat(1 << 19)).unwrap();
    assert_eq!(std::fs::read_dir(folder.path().join("tmp")).unwrap().count(), 0);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(std::fs::read_dir(folder.path().join("tmp")).unwrap().count(), 0);
}

/// The features `excel` and `sqlite` are tested by `containers.py`.
#[cfg(not(any(feature = "excel", feature = "sqlite")))]
#[test]
fn workbooks_and_databases_are_named() {
    let folder = Folder::new();
    folder.write("a.xlsx", "PK");
    folder.write("a.csv", "a\n1\n");
    for command in ["table", "sample -n 1", "draw -n 1 --seed s --id a"] {
        let output = folder.hashwell(format!("{command} a.xlsx").split(' '));
        assert_eq!(output.status.code(), Some(1), "{command}");
        let why = "hashwell: a.xlsx: this build of hashwell can't read an Excel workbook: build hashwell with \
                   --features excel, or export the table as CSV\n";
        assert_eq!(stderr(&output), why, "{command}");
    }
    let output = folder.hashwell(["table", "--table", "x", "a.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--table requires an Excel workbook"), "{}", stderr(&output));
}
