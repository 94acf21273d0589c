//! `hashwell diff --key`: rows that were added, removed and changed, and cases in which other tools fail.

use crate::common;

use common::{Folder, stderr, stdout};
use parquet::data_type::{ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

/// The output of a comparison of two texts, and its exit code.
fn diff(old: &str, new: &str, options: &str) -> (String, i32) {
    let folder = Folder::new();
    folder.write("a.csv", old);
    folder.write("b.csv", new);
    let args =
        ["diff", "a.csv", "b.csv"].into_iter().chain(options.split(' ').filter(|part| !part.is_empty()));
    let output = folder.hashwell(args);
    (stdout(&output) + &stderr(&output), output.status.code().unwrap())
}

#[test]
fn changed_cells_are_shown_with_counts() {
    let (text, code) = diff(
        "id,name,weight\n1,Ada,1.30\n2,Bob,2\n3,Cid,3\n",
        "weight,id,name\n1.31,1,Ada\n4,4,Eve\n3,3,Sid\n",
        "--key id",
    );
    assert_eq!(code, 1);
    assert_eq!(
        text,
        "different: 1 removed, 1 added, 2 changed (rows: 3 in the first table, 3 in the second)\n\
         column name: 1 changed\ncolumn weight: 1 changed\n\
         ~ id=1  weight: 1.30 → 1.31  (a.csv:2, b.csv:2)\n\
         ~ id=3  name: Cid → Sid  (a.csv:4, b.csv:4)\n\
         - id=2  name: Bob; weight: 2  (a.csv:3)\n\
         + id=4  name: Eve; weight: 4  (b.csv:3)\n"
    );
    let (text, code) = diff("id,x\n1,a\n2,\n", "id,x\n1,b\n3,c\n", "--key id --json");
    let expected = "{\"op\":\"change\",\"key\":{\"id\":\"1\"},\"places\":[\"a.csv:2\",\"b.csv:2\"],\"cells\":{\"x\":[\"a\",\"b\"]}}\n\
                    {\"op\":\"remove\",\"key\":{\"id\":\"2\"},\"place\":\"a.csv:3\",\"row\":{\"id\":\"2\",\"x\":null}}\n\
                    {\"op\":\"add\",\"key\":{\"id\":\"3\"},\"place\":\"b.csv:3\",\"row\":{\"id\":\"3\",\"x\":\"c\"}}\n";
    assert!(text.starts_with(expected), "{text}");
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(
        (last["changed"].as_u64(), last["removed"].as_u64(), last["same"].as_bool()),
        (Some(1), Some(1), Some(false))
    );
    assert_eq!(code, 1);
    assert_eq!(diff("id,x\n1,a\n", "x,id\na,1\n", "--key id"), ("the same: 1 row\n".to_owned(), 0));
}

/// The difficult cases of the tool comparison. Each is identified by the expected text in the first line.
#[test]
fn traps() {
    let same = "the same: ";
    let cases = [
        (
            "keys with zeros in front",
            "id,x\n00123,a\n",
            "id,x\n123,a\n",
            "",
            "different: 1 removed, 1 added, 0 changed",
        ),
        (
            "integers beyond 2^53",
            "id,x\n1,9007199254740993\n",
            "id,x\n1,9007199254740992\n",
            "--types x=int",
            "different: 0 removed, 0 added, 1 changed",
        ),
        (
            "two rows of one key change places",
            "id,x\n1,a\n1,b\n",
            "id,x\n1,b\n1,a\n",
            "--duplicates multiset",
            same,
        ),
        (
            "a row is repeated once more",
            "id,x\n1,a\n1,a\n",
            "id,x\n1,a\n1,a\n1,a\n",
            "--duplicates multiset",
            "different: 0 removed, 1 added, 0 changed",
        ),
        (
            "a repeated key with another row",
            "id,x\n1,a\n1,b\n",
            "id,x\n1,a\n1,c\n",
            "--duplicates multiset",
            "different: 1 removed, 1 added, 0 changed",
        ),
        ("a null key", "id,x\n,a\n2,b\n", "id,x\n,a\n2,b\n", "", same),
        (
            "a changed row of a null key",
            "id,x\n,a\n",
            "id,x\n,b\n",
            "",
            "different: 0 removed, 0 added, 1 changed",
        ),
        (
            "spellings of a number as text",
            "id,x\n1,1.0\n",
            "id,x\n1,1.00\n",
            "",
            "different: 0 removed, 0 added, 1 changed",
        ),
        ("spellings of a number", "id,x\n1,1.0\n", "id,x\n1,1.00\n", "--types x=decimal", same),
        ("not a number", "id,x\n1,NaN\n", "id,x\n1,nan\n", "--types x=float64", same),
        (
            "zones",
            "id,x\n1,2026-01-01T12:00:00Z\n",
            "id,x\n1,2026-01-01T13:00:00+01:00\n",
            "--types x=instant",
            same,
        ),
        (
            "null and the empty text",
            "id,x\n1,\n",
            "id,x\n1,\"\"\n",
            "",
            "different: 0 removed, 0 added, 1 changed",
        ),
        (
            "line endings in quotes",
            "id,x\n1,\"a\r\nb\"\n",
            "id,x\n1,\"a\nb\"\n",
            "",
            "different: 0 removed, 0 added, 1 changed",
        ),
        (
            "normal forms",
            "id,x\n1,\u{e9}\n",
            "id,x\n1,e\u{301}\n",
            "",
            "different: 0 removed, 0 added, 1 changed",
        ),
        ("another order of columns", "id,x,y\n1,a,b\n", "y,id,x\nb,1,a\n", "", same),
        ("another order of rows", "id,x\n1,a\n2,b\n", "id,x\n2,b\n1,a\n", "", same),
        (
            "two columns as a key",
            "id,k,x\n1,2,a\n12,,a\n",
            "id,k,x\n1,2,b\n12,,a\n",
            "--key k",
            "different: 0 removed, 0 added, 1 changed",
        ),
        ("signed zeros", "id,x\n1,0.0\n", "id,x\n1,-0.0\n", "--types x=float64", same),
    ];
    for (what, old, new, options, expected) in cases {
        let (text, code) = diff(old, new, &format!("--key id {options}"));
        assert!(text.starts_with(expected), "{what}: {text}");
        assert_eq!(code, i32::from(expected != same), "{what}");
    }
    // A text in row 30,000 of a column of numbers.
    let long = |last: &str| {
        format!("id,x\n{}", (0..30_000).map(|i| format!("{i},{i}\n")).collect::<String>() + "n,n/a\n" + last)
    };
    let (text, _) = diff(&long(""), &long("z,1\n"), "--key id");
    assert!(text.starts_with("different: 0 removed, 1 added, 0 changed"), "{text}");
    // Different values are displayed differently.
    let (text, _) = diff("id,x\n1,\u{e9}\n", "id,x\n1,e\u{301}\n", "--key id");
    assert!(text.contains("x: \"\\u{e9}\" → \"e\\u{301}\""), "{text}");
    // Readable values are not escaped.
    for (old, new) in [("東京", "大阪"), ("Müller", "Mueller"), ("😀", "😁"), ("naïve", "naive")] {
        let [a, b] = [old, new].map(|value| format!("id,x\n1,{value}\n2,{value};\n"));
        let (text, _) = diff(&a, &b, "--key id");
        assert!(text.contains(&format!("x: {old} → {new}  ")), "{text}");
        assert!(text.contains(&format!("x: \"{old};\" → \"{new};\"")), "{text}");
        let (page, _) = page(a.as_bytes(), b.as_bytes(), "");
        assert!(page.contains(&format!("<td><code>{old}</code></td><td><code>{new}</code></td>")), "{page}");
    }
}

#[test]
fn columns_may_be_missing_renamed_and_ignored() {
    let (text, code) = diff("id,x,old\n1,a,b\n", "id,x,new\n1,a,c\n", "--key id");
    assert_eq!(code, 1);
    assert_eq!(
        text,
        "different: some columns are in only one table (rows: 1, all with equal values in the other columns)\n\
         columns only in a.csv: old\ncolumns only in b.csv: new\n"
    );
    let (text, _) = diff("id,x,old\n1,a,b\n", "id,x,new\n1,a,c\n", "--key id --rename old=new");
    assert!(text.contains("new: b → c"), "{text}");
    assert_eq!(diff("id,x,old\n1,a,b\n", "id,x,new\n1,a,c\n", "--key id --ignore old,new").1, 0);
    assert_eq!(diff("id,x,t\n1,a,b\n", "id,x,t\n1,a,c\n", "--ignore t").1, 0);
    let (text, code) = diff("id,x\n1,a\n", "id,x\n1,a\n", "--key nothing");
    assert_eq!((text.contains("--key: there is no column \"nothing\""), code), (true, 2), "{text}");
    // A name that neither table has is an error, and so is a column that two options treat differently.
    let (old, new) = ("id,price\n1,1\n", "id,price\n1,999\n");
    let cases = [
        ("--key id --columns id,prize", "--columns: there is no column \"prize\" in a.csv or b.csv"),
        ("--columns id,prize", "a.csv: there is no column \"prize\""),
        ("--key id --ignore prize", "--ignore: there is no column \"prize\" in a.csv or b.csv"),
        ("--ignore prize", "--ignore: there is no column \"prize\" in a.csv or b.csv"),
        ("--key id --ignore id", "--ignore: the column \"id\" is also in --key"),
        ("--key id --ignore price --columns price", "--ignore: the column \"price\" is also in --columns"),
        ("--ignore price --columns id,price", "--ignore: the column \"price\" is also in --columns"),
        ("--types price=int,price=text", "--types price=text: the column \"price\" already has a type"),
        (
            "--key id --tolerance price=1 --tolerance price=2",
            "--tolerance price=2: the column already has a tolerance",
        ),
        ("--key id --tolerance 1 --tolerance 2", "--tolerance 2: every column already has a tolerance"),
        ("--rename price=typo", "--rename price=typo: there is no column \"typo\" in b.csv"),
        ("--rename typo=price", "--rename typo=price: there is no column \"typo\" in a.csv"),
        ("--rename id=id --rename id=price", "--rename id=price: the column \"id\" is already renamed"),
        ("--rename id=price", "a.csv: --rename: there is already a column \"price\""),
    ];
    for (options, expected) in cases {
        let (text, code) = diff(old, new, options);
        assert_eq!((text.contains(expected), code), (true, 2), "{options}: {text}");
    }
    // Columns can swap their names.
    for options in ["", "--key id"] {
        let options = format!("--rename id=price --rename price=id {options}");
        assert_eq!(diff("id,price\n9,1\n", "id,price\n1,9\n", &options).1, 0);
    }
    let (text, code) = diff("id,x\n7,a\n1,c\n7,b\n", "id,x\n7,a\n", "--key id");
    assert_eq!(code, 2);
    assert!(text.contains("a.csv:4: the key id=7 is already in a.csv:2"), "{text}");
}

/// A JSON Lines table has the columns whose keys it has, and an empty file has none. Tables whose digests differ because of
/// their columns are different.
#[test]
fn json_and_empty_files_may_lack_columns() {
    let folder = Folder::new();
    let cases = [
        ("a.jsonl", "{\"id\":1}\n{\"id\":2,\"b\":null}\n"),
        ("b.jsonl", "{\"id\":1}\n{\"id\":2}\n"),
        ("a.csv", "id,b\n1,\n2,\n"),
        ("more.csv", "id,b\n1,foo\n2,bar\n"),
        ("null.jsonl", "{\"id\":1,\"b\":null}\n{\"id\":2}\n"),
        ("header.csv", "id,b\n"),
        ("empty.csv", ""),
        ("empty.jsonl", ""),
    ];
    for (name, text) in cases {
        folder.write(name, text);
    }
    let run = |line: &str| {
        let output = folder.hashwell(line.split(' '));
        (stdout(&output), output.status.code().unwrap())
    };
    let digest = |name: &str| run(&format!("table {name}")).0[..64].to_owned();
    for (old, new) in [("a.jsonl", "b.jsonl"), ("a.csv", "b.jsonl"), ("more.csv", "b.jsonl")] {
        assert_ne!(digest(old), digest(new));
        let (text, code) = run(&format!("diff {old} {new}"));
        assert_eq!((&text[..], code), (&format!("different: columns only in {old}: b\n")[..], 1));
        let (text, code) = run(&format!("diff --key id {old} {new}"));
        let expected = format!(
            "different: some columns are in only one table (rows: 2, all with equal values in the other columns)\n\
                 columns only in {old}: b\n"
        );
        assert_eq!((text, code), (expected, 1));
        for options in ["--ignore b", "--columns id", "--key id --ignore b", "--key id --columns id"] {
            assert_eq!(run(&format!("diff {options} {old} {new}")).1, 0, "{options}");
        }
    }
    // Nulls don't tell the type of the other values.
    assert_eq!(run("diff a.csv null.jsonl"), ("the same: 2 rows\n".to_owned(), 0));
    let (text, _) = run("diff --key id more.csv null.jsonl");
    assert!(text.contains("~ id=1  b: \"foo\" → null  (more.csv:2, null.jsonl:1)\n"), "{text}");
    let (text, code) = run("diff more.csv null.jsonl");
    assert_eq!((text.lines().count(), code), (5, 1), "{text}");
    for empty in ["empty.csv", "empty.jsonl"] {
        assert_ne!(digest("header.csv"), digest(empty));
        let columns = "different: columns only in header.csv: id, b\n";
        assert_eq!(run(&format!("diff header.csv {empty}")), (columns.to_owned(), 1));
        let (text, code) = run(&format!("diff --key id header.csv {empty}"));
        assert_eq!((text.contains("columns only in header.csv: b\n"), code), (true, 1), "{text}");
        // All rows of the other table were added, with all their cells.
        let (text, code) = run(&format!("diff --key id {empty} more.csv"));
        assert_eq!((text.contains("+ id=1  b: foo  (more.csv:2)\n"), code), (true, 1), "{text}");
        assert!(text.starts_with("different: 0 removed, 2 added, 0 changed"), "{text}");
    }
    let (text, code) = run("diff --key b a.csv b.jsonl");
    assert_eq!((&text[..], code), ("", 2));
    // Two empty exports are equal for any key.
    let (text, code) = run("diff --key id --ignore b empty.csv empty.jsonl");
    assert_eq!((&text[..], code), ("the same: 0 rows\n", 0));
}

#[test]
fn the_order_of_columns_counts_only_on_request() {
    let (old, new) = ("id,x,y\n1,a,b\n", "id,y,x\n1,b,a\n");
    let line = "order of columns: x before y in a.csv, y before x in b.csv\n";
    let only = "different: only the order of the columns differs (rows: 1, all with equal values)\n";
    for (options, different) in [("", "different: order of columns: x before y"), ("--key id", only)] {
        assert_eq!(diff(old, new, options), ("the same: 1 row\n".to_owned(), 0));
        let with = |more: &str| diff(old, new, &format!("--ordered-columns {options} {more}"));
        let (text, code) = with("");
        assert_eq!((text.contains(line), text.starts_with(different), code), (true, true, 1), "{text}");
        let (text, code) = with("--json");
        let summary: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        let orders = serde_json::json!([["id", "x", "y"], ["id", "y", "x"]]);
        assert_eq!((&summary["same"], &summary["columns_order"]), (&false.into(), &orders), "{text}");
        assert_eq!(code, 1);
        // Columns that are not compared have no order.
        assert_eq!(with("--ignore y").1, 0);
        assert_eq!(with("--columns id,x").1, 0);
        let (text, code) = diff(old, old, &format!("--ordered-columns {options}"));
        assert_eq!((&text[..], code), ("the same: 1 row\n", 0));
    }
    // A column that only one table has does not change the order of the others.
    let (text, _) = diff(old, "id,z,x,y\n1,c,a,c\n", "--ordered-columns --key id");
    assert!(
        text.starts_with("different: 0 removed, 0 added, 1 changed") && !text.contains("order"),
        "{text}"
    );
    let (text, _) = diff(old, "id,y,x\n1,b,c\n", "--ordered-columns --key id");
    assert!(text.starts_with("different: 0 removed, 0 added, 1 changed") && text.contains(line), "{text}");
    let (html, _) = page(old.as_bytes(), new.as_bytes(), "--ordered-columns");
    assert!(
        html.contains("different: only the order of the columns differs (rows: 1, all with equal values)"),
        "{html}"
    );
    // Every file of a table is compared.
    let folder = Folder::new();
    folder.write("a.csv", old);
    folder.write("b.csv", old);
    folder.write("c.csv", new);
    folder.write("d.jsonl", "{\"id\":\"1\",\"y\":\"b\",\"x\":\"a\"}\n");
    let run = |line: &str| stdout(&folder.hashwell(line.split(' ')));
    let several = run("diff --ordered-columns a.csv b.csv --with b.csv c.csv");
    assert_eq!(several, "different: order of columns: x before y in a.csv, y before x in c.csv\n");
    let json = run("diff --ordered-columns a.csv d.jsonl");
    assert_eq!(json, "different: order of columns: x before y in a.csv, y before x in d.jsonl\n");
}

#[test]
fn tolerances() {
    let numbers = ("id,x,y\n1,1000.0,a\n2,1,B\n3,0, c\n", "id,x,y\n1,1000.0001,a\n2,1.1,b\n3,0.0000001,c\n");
    let run = |options: &str| diff(numbers.0, numbers.1, &format!("--key id {options}"));
    assert!(run("").0.contains("3 changed"));
    let (text, _) = run("--tolerance 1e-6 --ignore-case --trim");
    assert!(text.contains(", 1 changed") && text.contains("within the tolerance: 2 rows"), "{text}");
    assert_eq!(run("--tolerance x=0.2 --ignore-case --trim").1, 0);
    assert_eq!(run("--tolerance z=1").1, 2);
    // The tolerance of a column has precedence, in either order.
    for options in ["--tolerance x=0.2 --tolerance 0", "--tolerance 0 --tolerance x=0.2"] {
        assert_eq!(run(&format!("{options} --ignore-case --trim")).1, 0, "{options}");
    }
    // A general tolerance does not apply to codes.
    let codes = |tolerance: &str| {
        diff("id,x\n1,007\n2,+49\n3,0.50\n", "id,x\n1,7\n2,49\n3,.5\n", &format!("--key id {tolerance}"))
    };
    for tolerance in ["--tolerance 0", "--tolerance 0.1", "--tolerance 10"] {
        let (text, _) = codes(tolerance);
        assert!(text.contains("2 changed") && text.contains("within the tolerance: 1 row\n"), "{text}");
    }
    assert_eq!(codes("--tolerance x=0").1, 0);
    // Exact numbers and floats can be equal within a tolerance, so there is no note that they never are.
    let folder = Folder::new();
    folder.write("a.parquet", parquet::<Int64Type>("1", "int64 v", 9_007_199_254_740_992));
    folder.write("b.parquet", parquet::<DoubleType>("1", "double v", 9_007_199_254_740_992.0));
    let output = folder.hashwell("diff --key k --tolerance 0 a.parquet b.parquet".split(' '));
    assert_eq!((output.status.code(), &stderr(&output)[..]), (Some(0), ""), "{}", stdout(&output));
    let output = folder.hashwell("diff --key k a.parquet b.parquet".split(' '));
    assert!(output.status.code() == Some(1) && stderr(&output).contains("; these are never equal"));
    assert_eq!(run("--tolerance -1").1, 2);
}

/// An infinity is within the tolerance only of itself, and bounds that overflow accept nothing more.
#[test]
fn tolerances_of_infinities() {
    let cases = [
        ("inf", "inf", "1e-9", true),
        ("-inf", "-Infinity", "1e-9", true),
        ("inf", "5", "1e-9", false),
        ("5", "inf", "1e-9", false),
        ("inf", "-inf", "1e-9", false),
        ("inf", "1e308", "1e300", false),
        ("nan", "nan", "1e-9", true),
        ("nan", "5", "1e300", false),
        ("nan", "inf", "1e300", false),
        ("1e308", "-1e308", "0.999", false),
        ("1e308", "-1e308", "1e300", false),
        ("1e308", "0.9e308", "0.1", true),
    ];
    for (old, new, tolerance, is_same) in cases {
        let [a, b] = [old, new].map(|value| format!("id,x\n1,{value}\n"));
        let options = format!("--key id --types x=float64 --tolerance {tolerance}");
        let (text, code) = diff(&a, &b, &options);
        assert_eq!(code, i32::from(!is_same), "{old} {new} {tolerance}: {text}");
    }
}

/// Integers, decimals and texts are not rounded before they are compared.
#[test]
fn tolerances_are_exact() {
    let cases = [
        ("9007199254740993", "9007199254740992", "1e-300", "", false),
        ("9007199254740993", "9007199254740992", "1e-300", "--types x=int", false),
        ("9007199254740993", "9007199254740992", "1", "--types x=int", true),
        ("10000000000000000001", "10000000000000000000", "1e-19", "--types x=int", true),
        ("10000000000000000001", "10000000000000000000", "0.9999e-19", "--types x=int", false),
        ("0.10000000000000000001", "0.1", "1e-30", "--types x=decimal", false),
        ("0.10000000000000000001", "0.1", "1e-20", "--types x=decimal", true),
        ("0.10000000000000000001", "0.1", "1e-30", "--types x=float64", true),
        ("1.5", "1.75", "0.1", "--types x=float64", false),
        ("1.5", "1.6", "0.1", "--types x=float64", true),
        // A tolerance of 1 or more is not relative.
        ("1", "1000000", "1", "", false),
        ("1", "1000000", "2", "--types x=int", false),
        ("1", "1000000", "1", "--types x=float64", false),
        ("1000000", "1000001", "1", "--types x=float64", true),
        // A tolerance of 0 accepts equal numbers.
        ("0.1", "0.10000", "0", "", true),
        ("1e3", "1000", "0", "", true),
        ("0.1", "0.1000000000000000000001", "0", "", false),
    ];
    for (old, new, tolerance, types, is_same) in cases {
        let [a, b] = [old, new].map(|value| format!("id,x\n1,{value}\n"));
        let (text, code) = diff(&a, &b, &format!("--key id --tolerance x={tolerance} {types}"));
        assert_eq!(code, i32::from(!is_same), "{old} {new} {tolerance} {types}: {text}");
    }
}

/// A Parquet file with one row, which has a text in the column `k` and a value in the column of this schema.
fn parquet<T: DataType>(key: &str, column: &str, value: T::T) -> Vec<u8> {
    let schema =
        parse_message_type(&format!("message rows {{ required binary k (UTF8); required {column}; }}"));
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, Arc::new(schema.unwrap()), Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut keys = group.next_column().unwrap().unwrap();
    keys.typed::<ByteArrayType>().write_batch(&[key.into()], None, None).unwrap();
    keys.close().unwrap();
    let mut values = group.next_column().unwrap().unwrap();
    values.typed::<T>().write_batch(&[value], None, None).unwrap();
    values.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

/// Values of different types with the same text are told apart, also by a row-by-row comparison and in JSON.
#[test]
fn values_with_the_same_text_are_told_apart() {
    let of = |text: &str, key: &str| match text {
        "NaN" => parquet::<DoubleType>(key, "double v", f64::NAN),
        "2021-12-13" => parquet::<Int32Type>(key, "int32 v (DATE)", 18_974),
        _ => parquet::<ByteArrayType>(key, "binary v", "abc".into()),
    };
    let cases = [
        ("NaN", "float64", "\"NaN\" (float64)"),
        ("2021-12-13", "date", "\"2021-12-13\" (date)"),
        ("YWJj", "bytes", "\"YWJj\" (bytes)"),
    ];
    for (text, kind, shown) in cases {
        let folder = Folder::new();
        folder.write("a.parquet", parquet::<ByteArrayType>("1", "binary v (UTF8)", text.into()));
        folder.write("b.parquet", of(text, "1"));
        folder.write("c.parquet", of(text, "2"));
        let run = |line: &str| stdout(&folder.hashwell(line.split(' ')));
        let json = run("diff --key k --json a.parquet b.parquet");
        let cells = format!(
            "\"cells\":{{\"v\":[{{\"value\":\"{text}\",\"type\":\"text\"}},{{\"value\":\"{text}\",\"type\":\"{kind}\"}}]}}"
        );
        assert!(json.contains(&cells), "{json}");
        let lines = run("diff a.parquet b.parquet");
        assert!(lines.contains(&format!("  (v: \"{text}\" (text))\n")), "{lines}");
        assert!(lines.contains(&format!("  (v: {shown})\n")), "{lines}");
        let json = run("diff --json a.parquet b.parquet");
        let cell =
            |kind: &str| format!("\"cells\":{{\"v\":{{\"value\":\"{text}\",\"type\":\"{kind}\"}}}}}}\n");
        assert!(json.contains(&cell("text")) && json.contains(&cell(kind)), "{json}");
        // The same for keys, in rows that were removed and added.
        let json = run("diff --key v --json a.parquet b.parquet");
        for (op, kind) in [("remove", "text"), ("add", kind)] {
            let part =
                format!("{{\"op\":\"{op}\",\"key\":{{\"v\":{{\"value\":\"{text}\",\"type\":\"{kind}\"}}}}");
            assert!(json.contains(&part), "{part} {json}");
        }
        let lines = run("diff --key v a.parquet b.parquet");
        assert!(lines.contains(&format!("- v={text} (text)  k: 1 (text)")), "{lines}");
        assert!(lines.contains(&format!("+ v={shown}  k: 1 (text)")), "{lines}");
        run("diff --key v --html page.html a.parquet b.parquet");
        let html = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
        let cell = |shown: &str| format!("<code>{}</code>", shown.replace('"', "&quot;"));
        assert!(html.contains(&cell(&format!("{text} (text)"))) && html.contains(&cell(shown)), "{html}");
        // These keys look different, so the rows are written without types.
        let json = run("diff --key k --json a.parquet c.parquet");
        assert!(json.contains(&format!("\"row\":{{\"k\":\"1\",\"v\":\"{text}\"}}")), "{json}");
        assert!(json.contains(&format!("\"row\":{{\"k\":\"2\",\"v\":\"{text}\"}}")), "{json}");
    }
    // Rows and cells have the same form in JSON.
    for (new, json) in
        [(of("NaN", "1"), "NaN"), (parquet::<DoubleType>("1", "double v", f64::INFINITY), "Infinity")]
    {
        let folder = Folder::new();
        folder.write("a.parquet", of("YWJj", "1"));
        folder.write("b.parquet", new);
        for (options, part) in [
            ("", format!("\"row\":\"{{\\\"k\\\":\\\"1\\\",\\\"v\\\":\\\"{json}\\\"}}\"")),
            ("--key k ", format!("\"cells\":{{\"v\":[\"YWJj\",\"{json}\"]}}")),
            ("--key v ", format!("\"key\":{{\"v\":\"{json}\"}}")),
        ] {
            let text =
                stdout(&folder.hashwell(format!("diff {options}--json a.parquet b.parquet").split(' ')));
            assert!(text.contains(&part), "{part} {text}");
        }
    }
    // Rows of text with the columns in a different order.
    let (lines, _) = diff("a,b\n1,2\n3,4\n", "b,a\n1,2\n5,6\n", "");
    assert!(lines.contains("< a.csv:2  1,2  (a: 1; b: 2)\n< a.csv:3  3,4\n"), "{lines}");
    assert!(lines.contains("> b.csv:2  1,2  (a: 2; b: 1)\n> b.csv:3  5,6\n"), "{lines}");
}

/// Texts are folded before rows with repeated keys are paired. A tolerance is refused, because it gives no unique pairs.
#[test]
fn repeated_keys_with_options_for_texts() {
    let (old, new) = ("id,x\n1,A\n1,b\n2,c\n", "id,x\n1,B\n1, a \n2,C\n");
    let run = |options: &str| diff(old, new, &format!("--key id --duplicates multiset {options}"));
    assert_eq!(run("--ignore-case --trim"), ("the same: 3 rows\n".to_owned(), 0));
    assert!(run("--ignore-case").0.starts_with("different: 1 removed, 1 added, 0 changed"));
    assert!(run("--trim").0.starts_with("different: 2 removed, 2 added, 1 changed"));
    let (text, _) = run("--ignore-case --json");
    let summary: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(
        (summary["removed"].as_u64(), &summary["tolerated"]),
        (Some(1), &serde_json::Value::Null),
        "{text}"
    );
    // Each row is paired once.
    let (text, _) = diff("id,x\n1,a\n1,A\n", "id,x\n1,A\n", "--key id --duplicates multiset --ignore-case");
    assert!(text.starts_with("different: 1 removed, 0 added, 0 changed"), "{text}");
    let (text, code) = run("--tolerance 0.1");
    assert_eq!(
        (text.contains("--tolerance can't be used with --duplicates multiset"), code),
        (true, 2),
        "{text}"
    );
}

/// Parquet, JSON Lines and CSV are compared with each other, with little memory and with a lot.
#[test]
fn formats_and_memory() {
    let folder = Folder::new();
    let rows: Vec<(u32, u32)> = (0..60_000).map(|i| (i, i % 7)).collect();
    let changed = |row: &(u32, u32)| (row.0, row.1 + u32::from(row.0 % 3 == 1));
    let csv = |rows: Vec<(u32, u32)>| {
        format!("id,x\n{}", rows.iter().map(|row| format!("{},{}\n", row.0, row.1)).collect::<String>())
    };
    folder.write("a.csv", csv(rows.clone()));
    folder.write("b.csv", csv(rows.iter().rev().map(changed).collect()));
    let lines: String =
        rows.iter().map(changed).map(|row| format!("{{\"x\":{},\"id\":{}}}\n", row.1, row.0)).collect();
    folder.write("b.jsonl", lines);
    let run = |line: &str| stdout(&folder.hashwell(line.split(' ')));
    let much = run("diff --key id --show 3 a.csv b.csv");
    assert!(
        much.starts_with(
            "different: 0 removed, 0 added, 20,000 changed \
             (rows: 60,000 in the first table, 60,000 in the second)\n"
        ),
        "{much}"
    );
    assert_eq!(run("diff --key id --show 3 --memory 4M a.csv b.csv"), much);
    assert!(
        run("diff --key id --show 3 a.csv b.jsonl")
            .starts_with("different: 0 removed, 0 added, 20,000 changed")
    );
    let all = run("diff --key id --json a.csv b.jsonl");
    assert_eq!(all.lines().count(), 20_001);
    assert!(all.starts_with("{\"op\":\"change\",\"key\":{\"id\":1},\"places\":[\"a.csv:3\",\"b.jsonl:2\"],\"cells\":{\"x\":[1,2]}}\n"), "{}", &all[..200]);
}

/// The page of a comparison of two texts, and the output.
fn page(old: &[u8], new: &[u8], options: &str) -> (String, String) {
    let folder = Folder::new();
    folder.write("a.csv", old);
    folder.write("b.csv", new);
    let all = ["diff", "--key", "id", "--html", "page.html", "a.csv", "b.csv"];
    let output = folder.hashwell(all.into_iter().chain(options.split(' ').filter(|part| !part.is_empty())));
    let page = std::fs::read_to_string(folder.path().join("page.html"));
    (page.unwrap_or_default(), stdout(&output) + &stderr(&output))
}

#[test]
fn a_page_shows_counts_options_and_rows() {
    let (page, text) = page(
        b"id,name,x,seen\n1,Ada,1.0,a\n2,Bob,2,a\n3,Cid,3,a\n5,Eve,1,a\n",
        b"id,x,name,seen\n1,1.5,Ada,b\n3,3.0000001,Cid,b\n4,1,Dan,b\n5,1,Eve,b\n",
        "--ignore seen --tolerance x=0.001",
    );
    let head = "different: 1 removed, 1 added, 1 changed (rows: 4 in the first table, 4 in the second)";
    assert!(text.starts_with(&format!("{head}\n")), "{text}");
    for part in [
        "<h1>Differences between <code>a.csv</code> and <code>b.csv</code></h1>",
        &format!("<p class=\"lead verdict\">{head}</p>"),
        "<caption>Rows</caption>",
        "<th scope=\"row\">Added</th><td class=\"number\">1</td>",
        "<th scope=\"row\">Removed</th><td class=\"number\">1</td>",
        "<th scope=\"row\">Changed</th><td class=\"number\">1</td>",
        "<th scope=\"row\">Equal</th><td class=\"number\">2</td>",
        "only within the tolerance</th><td class=\"number\">1</td>",
        "<th scope=\"row\"><code>x</code></th><td class=\"number\">1</td>",
        "<p class=\"note\">1 compared column has no changed cells.</p>",
        "<th scope=\"row\">Ignored columns (--ignore)</th><td><code>seen</code></td>",
        "<th scope=\"row\">Tolerance for numbers (--tolerance)</th><td><code>x=0.001</code></td>",
        "diff --key id --html page.html a.csv b.csv --ignore seen --tolerance x=0.001</code>",
        "<th scope=\"rowgroup\" rowspan=\"1\"><code>1</code></th><td><code>x</code></td><td><code>1.0</code></td>\
         <td><code>1.5</code></td><td rowspan=\"1\"><code>a.csv:2</code></td><td rowspan=\"1\"><code>b.csv:2</code></td>",
        "<th scope=\"row\"><code>2</code></th><td><code>Bob</code></td><td><code>2</code></td><td><code>a.csv:3</code></td>",
        "<th scope=\"row\"><code>4</code></th><td><code>Dan</code></td><td><code>1</code></td><td><code>b.csv:4</code></td>",
        "The one added row is shown.",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(page.contains("prefers-color-scheme:dark") && !page.contains("<script"), "{page}");
}

/// Markup, control characters, invisible differences and long values.
#[test]
fn values_on_a_page_are_escaped_and_told_apart() {
    let long = "y".repeat(10 << 20);
    let old = [
        "id,x\n1,<script>alert('1')</script>\n2,\"say \"\"a\"\" & b\"\n3,a\u{0}b\n4,end\n5,\u{e9}\n6,\"a\r\nb\"\n7,0.0\n",
        "8,2026-01-01T12:00:00Z\n9,a  b\n10,\u{202e}cba\n11,",
        &long,
        "1\n</td>,gone\n",
    ]
    .concat();
    let new = [
        "id,x\n1,<script>alert(\"1\")</script>\n2,\"say \"\"b\"\" & b\"\n3,ab\n4,end \n5,e\u{301}\n6,\"a\nb\"\n7,-0.0\n",
        "8,2026-01-01T12:00:00+00:00\n9,a b\n10,abc\n11,",
        &long,
        "2\n",
    ]
    .concat();
    let (page, text) = page(old.as_bytes(), new.as_bytes(), "--show 100");
    assert!(text.starts_with("different: 1 removed, 0 added, 11 changed"), "{}", &text[..200]);
    let pairs = [
        (
            "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;",
            "&quot;&lt;script&gt;alert(\\&quot;1\\&quot;)&lt;/script&gt;&quot;",
        ),
        ("&quot;say \\&quot;a\\&quot; &amp; b&quot;", "&quot;say \\&quot;b\\&quot; &amp; b&quot;"),
        ("&quot;a\\u{0}b&quot;", "&quot;ab&quot;"),
        ("&quot;end&quot;", "&quot;end &quot;"),
        ("&quot;\\u{e9}&quot;", "&quot;e\\u{301}&quot;"),
        ("&quot;a\\r\\nb&quot;", "&quot;a\\nb&quot;"),
        ("0.0", "-0.0"),
        ("2026-01-01T12:00:00Z", "2026-01-01T12:00:00+00:00"),
        ("&quot;a  b&quot;", "&quot;a b&quot;"),
        ("&quot;\\u{202e}cba&quot;", "&quot;abc&quot;"),
    ];
    for (old, new) in pairs {
        let cells = format!("<td><code>{old}</code></td><td><code>{new}</code></td>");
        // In the first pair, both values are quoted, because one of them needs it.
        let quoted = format!("<td><code>&quot;{old}&quot;</code></td><td><code>{new}</code></td>");
        assert!(page.contains(&cells) || page.contains(&quoted), "{cells}\n{page}");
    }
    let end = (10 << 20) + 1;
    assert!(page.contains(&format!("y1&quot; (bytes {} to {end} of {end})", end - 251)), "{page}");
    assert!(page.contains("<th scope=\"row\"><code>&lt;/td&gt;</code></th>"), "{page}");
    assert!(page.len() < 40_000 && !page.contains("<script"), "{}", page.len());
    assert!(!page.contains(|c: char| c.is_control() && c != '\n'));
}

#[test]
fn a_page_has_limits_and_is_whole_or_absent() {
    let rows = |x: u32| format!("id,x\n{}", (0..2000).map(|i| format!("{i},{x}\n")).collect::<String>());
    let (html, text) = page(rows(1).as_bytes(), rows(2).as_bytes(), "");
    assert!(html.contains("1,000 of 2,000 changed rows are shown, and 1,000 are not shown"), "{html}");
    assert!(text.contains("~ and 1,980 more changed rows"), "{text}");
    let (html, text) = page(rows(1).as_bytes(), b"id,x\n", "--show 3");
    assert!(html.contains("3 of 2,000 removed rows are shown, and 1,997 are not shown"), "{html}");
    assert!(text.contains("- and 1,997 more removed rows"), "{text}");
    let (html, text) = page(rows(1).as_bytes(), rows(1).as_bytes(), "");
    assert!(html.contains("the same: 2,000 rows") && text == "the same: 2,000 rows\n", "{text}");
    let (html, text) = page(rows(1).as_bytes(), b"id,x\n", "--json");
    assert_eq!((text.lines().count(), html.matches("a.csv:").count()), (2001, 1000));
    // Bytes that are not UTF-8.
    let (html, text) = page(b"id,x\n1,a\xff\n", b"id,x\n1,a\n", "");
    assert!(html.is_empty() && text.contains("a.csv:2"), "{text}");
    let (html, _) = page(b"id,x\n1,a\xff\n", b"id,x\n1,a\n", "--types x=bytes");
    assert!(
        html.contains("<td><code>&quot;Yf8=&quot;</code></td><td><code>&quot;YQ==&quot;</code></td>"),
        "{html}"
    );
    let folder = Folder::new();
    folder.write("a.csv", "id,x\n1,a\n");
    folder.write("b.csv", "id,x\n1,b\n");
    let run = |line: &str| {
        let output = folder.hashwell(line.split(' '));
        (output.status.code(), stderr(&output))
    };
    let (code, text) = run("diff --key id a.csv b.csv --html no/page.html");
    assert_eq!((code, &text[..]), (Some(2), "hashwell: no/page.html: No such file or directory\n"));
    let (code, text) = run("diff --key id a.csv b.csv --html ./b.csv");
    assert_eq!((code, &text[..]), (Some(2), "hashwell: --html: b.csv is also an input\n"));
    assert_eq!(run("diff a.csv b.csv --html page.html").0, Some(2));
    folder.write("page.html", "old");
    assert_eq!(run("diff --key x a.csv missing.csv --html page.html").0, Some(2));
    assert_eq!(std::fs::read_to_string(folder.path().join("page.html")).unwrap(), "old");
}

/// An option that describes text applies to the tables that it fits, and a format option to the operand that has no known
/// ending.
#[test]
fn options_of_one_side() {
    let folder = Folder::new();
    folder.write("s.csv", "# note\nid;v\n1;a\n");
    folder.write("s.jsonl", "{\"id\":\"1\",\"v\":\"a\"}\n");
    folder.write("plain.csv", "id,v\n1,a\n");
    let run = |line: &str, input: &str| {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.args(line.split(' ')).stdin(std::fs::File::open(folder.path().join(input)).unwrap());
        command.output().unwrap()
    };
    for (line, input) in [
        ("diff --key id --delimiter ; --comment # s.csv s.jsonl", "s.jsonl"),
        ("diff --key id --delimiter auto --comment # s.csv s.jsonl", "s.jsonl"),
        ("diff --key id --jsonl - plain.csv", "s.jsonl"),
        ("diff --key id --csv - s.jsonl", "plain.csv"),
    ] {
        let done = run(line, input);
        assert_eq!(done.status.code(), Some(0), "{line}: {}", stderr(&done));
    }
    let refused = run("diff --key id --delimiter ; s.jsonl s.jsonl", "s.jsonl");
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(stderr(&refused).contains("--delimiter requires CSV or TSV"), "{refused:?}");
}
