//! Rows of Parquet files: the values are the same as those written, for any selection and order.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hashwell_rows::{Error, Input, Options, Rows};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

const SCHEMA: &str = "message it {
    required int64 id;
    optional double weight;
    optional group tags (LIST) { repeated group list { optional binary element (UTF8); } }
    required group who { optional binary name (UTF8); }
}";

/// Every seventh weight and every fifth name is null. Row i has i % 4 tags, of which the second one is null.
fn write(path: &Path, ids: std::ops::Range<i64>, group: usize) {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).unwrap()))
        .set_data_page_row_count_limit(100)
        .set_write_batch_size(50)
        .build();
    let mut writer =
        SerializedFileWriter::new(std::fs::File::create(path).unwrap(), schema, Arc::new(properties))
            .unwrap();
    let ids: Vec<i64> = ids.collect();
    for ids in ids.chunks(group) {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(ids, None, None).unwrap();
        column.close().unwrap();
        let weights: Vec<f64> = ids.iter().filter(|id| *id % 7 != 0).map(|id| *id as f64 / 8.0).collect();
        let levels: Vec<i16> = ids.iter().map(|id| i16::from(id % 7 != 0)).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&weights, Some(&levels), None).unwrap();
        column.close().unwrap();
        let (mut tags, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
        for id in ids {
            for tag in 0..(id % 4).max(1) {
                let level = if id % 4 == 0 {
                    1
                } else if tag == 1 {
                    2
                } else {
                    3
                };
                definitions.push(level);
                repetitions.push(i16::from(tag > 0));
                if level == 3 {
                    tags.push(ByteArray::from(format!("t{id}.{tag}").into_bytes()));
                }
            }
        }
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&tags, Some(&definitions), Some(&repetitions)).unwrap();
        column.close().unwrap();
        let names: Vec<ByteArray> = ids
            .iter()
            .filter(|id| *id % 5 != 0)
            .map(|id| ByteArray::from(format!("\"n\",{id}").into_bytes()))
            .collect();
        let levels: Vec<i16> = ids.iter().map(|id| i16::from(id % 5 != 0)).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&names, Some(&levels), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = vec![folder.join("a.parquet"), folder.join("b.parquet"), folder.join("c.parquet")];
    write(&paths[0], 0..1000, 300);
    write(&paths[1], 1000..1000, 300);
    write(&paths[2], 1000..3500, 2000);
    paths
}

fn open(paths: &[PathBuf]) -> Rows {
    let inputs: Vec<Input> = paths.iter().map(Input::path).collect();
    Rows::open(&inputs, &Options::default()).unwrap()
}

/// The rows as the parquet crate's own row reader returns them.
fn whole(paths: &[PathBuf]) -> Vec<String> {
    let rows = paths
        .iter()
        .flat_map(|path| SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap().into_iter());
    rows.map(|row| row.unwrap().to_string()).collect()
}

/// A page that cannot be decompressed is reported for the file that contains it, not for the output.
#[test]
fn a_corrupt_page_is_the_input_s() {
    let folder = tempfile::tempdir().unwrap();
    let paths = files(folder.path());
    let whole = std::fs::read(&paths[2]).unwrap();
    let (mut refused, mut bytes) = (0, whole.clone());
    let numbers: Vec<u64> = (0..3500).step_by(20).collect();
    for at in (4..whole.len() / 2).step_by(whole.len() / 40) {
        bytes.clone_from(&whole);
        bytes[at..at + 64].fill(0x5a);
        std::fs::write(&paths[2], &bytes).unwrap();
        let (rows, mut out) = (open(&paths), Vec::new());
        match rows.write_table(&numbers, &mut out) {
            Err(Error::Invalid { place, .. }) => {
                assert_eq!(place, paths[2].display().to_string());
                refused += 1;
            }
            wrote => wrote.unwrap(),
        }
    }
    assert!(refused > 3, "{refused}");
}

#[test]
fn an_output_that_fails_is_the_output_s() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let rows = open(&files(folder.path()));
    let Err(Error::Io { name, error }) = rows.write_table(&[5, 1100], &mut Full) else {
        panic!("it was written");
    };
    assert_eq!((&*name, error.kind()), ("output", std::io::ErrorKind::StorageFull));
}

#[test]
fn picked_rows_are_those_rows() {
    let folder = tempfile::tempdir().unwrap();
    let paths = files(folder.path());
    let rows = open(&paths);
    assert_eq!((rows.is_table(), rows.known_rows()), (true, Some(3500)));
    let all = whole(&paths);
    let every: Vec<u64> = (0..3500).collect();
    for numbers in [&[][..], &[0], &[3499, 5, 5, 999, 1000, 299, 300, 2999, 3000], &[7, 8, 9, 1234], &every] {
        let picked = folder.path().join("picked.parquet");
        let mut file = std::fs::File::create(&picked).unwrap();
        rows.write_table(numbers, &mut file).unwrap();
        let expected: Vec<String> = numbers.iter().map(|&number| all[number as usize].clone()).collect();
        assert_eq!(whole(std::slice::from_ref(&picked)), expected);
        let reader = SerializedFileReader::new(std::fs::File::open(&picked).unwrap()).unwrap();
        let schema =
            |reader: &SerializedFileReader<std::fs::File>| reader.metadata().file_metadata().schema().clone();
        assert_eq!(schema(&reader), parse_message_type(SCHEMA).unwrap());
        for group in reader.metadata().row_groups() {
            assert!(
                group.columns().iter().all(|column| matches!(column.compression(), Compression::ZSTD(_)))
            );
        }
    }
    assert!(rows.write_table(&[3500], &mut Vec::new()).is_err());
    let mut plain = Vec::new();
    rows.write_table_uncompressed(&[7, 7], &mut plain).unwrap();
    let picked = folder.path().join("plain.parquet");
    std::fs::write(&picked, plain).unwrap();
    assert_eq!(whole(std::slice::from_ref(&picked)), [all[7].clone(), all[7].clone()]);
    let reader = SerializedFileReader::new(std::fs::File::open(&picked).unwrap()).unwrap();
    let columns = reader.metadata().row_group(0).columns();
    assert!(columns.iter().all(|column| column.compression() == Compression::UNCOMPRESSED));
}

#[test]
fn columns_are_read_where_they_are_asked() {
    let folder = tempfile::tempdir().unwrap();
    let paths = files(folder.path());
    for step in [0, 1, 6, 700] {
        let mut rows = open(&paths);
        let (weight, name) = (rows.column("weight").unwrap(), rows.column("who.name").unwrap());
        let mut id = step;
        while rows.skip(step).unwrap() == step {
            let Some(row) = rows.next().unwrap() else { break };
            assert_eq!(row.number(), id);
            let expected = if id % 7 == 0 { String::new() } else { (id as f64 / 8.0).to_string() };
            assert_eq!(&row.field(&weight).unwrap()[..], expected.as_bytes());
            if id % 3 == 0 {
                let expected = if id % 5 == 0 { String::new() } else { format!("\"n\",{id}") };
                assert_eq!(&row.field(&name).unwrap()[..], expected.as_bytes());
            }
            if id == 1400 {
                assert!(row.place().ends_with("c.parquet:401"), "{}", row.place());
            }
            id += step + 1;
        }
        assert!(id + step >= 3500);
    }
    let rows = open(&paths);
    assert!(rows.column("nothing").is_err());
    assert!(rows.column("tags.list.element").unwrap_err().to_string().contains("lists"));
}

#[test]
fn files_that_are_not_parquet_or_not_alike() {
    let folder = tempfile::tempdir().unwrap();
    let paths = files(folder.path());
    let whole = std::fs::read(&paths[0]).unwrap();
    let other = folder.path().join("other.parquet");
    let refused = |bytes: &[u8]| {
        std::fs::write(&other, bytes).unwrap();
        let open = Rows::open(&[Input::path(&paths[0]), Input::path(&other)], &Options::default());
        let message = open.err().expect("refused").to_string();
        assert!(message.starts_with(&other.display().to_string()), "{message}");
    };
    refused(b"");
    refused(b"PAR1");
    refused(&whole[..whole.len() - 1]);
    refused(&whole[whole.len() / 2..]);
    let schema = Arc::new(parse_message_type("message it { required int64 id; }").unwrap());
    let mut foreign = Vec::new();
    SerializedFileWriter::new(&mut foreign, schema, Arc::default()).unwrap().close().unwrap();
    refused(&foreign);
    // The end of a pipe is not available at first.
    let pipe = Input::reader("pipe", std::io::Cursor::new(whole));
    let options = Options::default().with_format(hashwell_rows::Format::Parquet);
    assert!(Rows::open(&[pipe], &options).err().unwrap().to_string().starts_with("pipe: "));
}

/// After a file could not be read for some time, it gives the same values again.
#[test]
fn values_after_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    write(&path, 0..3000, 3000);
    let whole = std::fs::read(&path).unwrap();
    // The file stays open and keeps its length.
    let put = |bytes: &[u8]| {
        let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        std::io::Write::write_all(&mut file, bytes).unwrap();
    };
    for (step, damaged) in
        [(1, 4..whole.len() - 4), (1, whole.len() / 4..whole.len() - 4), (40, 4..whole.len() - 4)]
    {
        let mut rows = open(std::slice::from_ref(&path));
        let columns = ["id", "weight", "who.name"].map(|name| rows.column(name).unwrap());
        let (mut faults, mut read) = (0, 0);
        while let Some(row) = rows.next().unwrap() {
            let id = row.number() as i64;
            let breaks = id % 1100 > 500 && faults < 20;
            if breaks {
                let mut broken = whole.clone();
                broken[damaged.clone()].fill(0xff);
                put(&broken);
                faults += columns.iter().filter(|column| row.field(column).is_err()).count();
                put(&whole);
            }
            let expected = [
                id.to_string(),
                if id % 7 == 0 { String::new() } else { (id as f64 / 8.0).to_string() },
                if id % 5 == 0 { String::new() } else { format!("\"n\",{id}") },
            ];
            for (column, expected) in columns.iter().zip(expected) {
                assert_eq!(&row.field(column).unwrap()[..], expected.as_bytes(), "row {id}, after {faults}");
            }
            read += 1;
            rows.skip(step).unwrap();
        }
        assert!(faults > 0 && read > 50, "{faults} faults, {read} rows");
    }
}

/// Picking rows takes time linear in the number of columns. With quadratic time, this test would take minutes.
#[test]
fn very_many_columns() {
    const COLUMNS: usize = 20_000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.parquet");
    let columns: String = (0..COLUMNS).map(|i| format!("required boolean c{i};")).collect();
    let schema = Arc::new(parse_message_type(&format!("message wide {{ {columns} }}")).unwrap());
    let file = std::fs::File::create(&path).unwrap();
    let properties = WriterProperties::builder().set_dictionary_enabled(false).build();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        column.typed::<BoolType>().write_batch(&[true, false], None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    let rows = open(&[path]);
    let picked = folder.path().join("picked.parquet");
    rows.write_table(&[1], &mut std::fs::File::create(&picked).unwrap()).unwrap();
    let mut rows = open(&[picked]);
    let column = rows.column(&format!("c{}", COLUMNS - 1)).unwrap();
    assert_eq!(*rows.next().unwrap().unwrap().field(&column).unwrap(), *b"false");
}
