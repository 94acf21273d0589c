//! Compressed files give the same rows as the original text, with any number of members. Truncated or damaged files
//! give an error.

use crate::common;

use std::io::Write;

use common::{all, rows};
use hashwell_rows::{Compression, Format, Input, Options, Packer, Rows};

/// A text that is compressed as one member.
fn pack(ending: &str, text: &[u8]) -> Vec<u8> {
    match ending {
        "gz" => {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            writer.write_all(text).unwrap();
            writer.finish().unwrap()
        }
        "zst" => {
            let mut writer = zstd::Encoder::new(Vec::new(), 1).unwrap();
            writer.include_checksum(true).unwrap();
            writer.write_all(text).unwrap();
            writer.finish().unwrap()
        }
        "bz2" => {
            let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            writer.write_all(text).unwrap();
            writer.finish().unwrap()
        }
        _ => {
            let mut writer =
                lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
            writer.write_all(text).unwrap();
            writer.finish().unwrap()
        }
    }
}

const ENDINGS: [&str; 4] = ["gz", "zst", "bz2", "xz"];

fn text() -> Vec<u8> {
    let mut text = b"id,text\n".to_vec();
    for id in 0_u64..20_000 {
        let number = id * 7919 % 100_003;
        write!(text, "{id},\"row {number}\r\n{}\"\r\n", number * number).unwrap();
    }
    text
}

fn options(threads: usize) -> Options {
    let mut options = Options::default();
    options.threads = threads;
    options
}

#[test]
fn rows_of_members_one_after_the_other() {
    let text = text();
    let expected = all(&mut rows(&text, &Options::default().with_format(Format::Csv))).unwrap();
    assert_eq!(expected.len(), 20_000);
    let folder = tempfile::tempdir().unwrap();
    for ending in ENDINGS {
        let (one, two) = text.split_at(text.len() / 3);
        let packed = [pack(ending, one), pack(ending, b""), pack(ending, two)].concat();
        let path = folder.path().join(format!("it.csv.{ending}"));
        std::fs::write(&path, &packed).unwrap();
        for threads in [1, 2] {
            let mut from_file = Rows::open(&[Input::path(&path)], &options(threads)).unwrap();
            assert_eq!(from_file.header(), Some(&b"id,text\n"[..]));
            assert_eq!(all(&mut from_file).unwrap(), expected, "{ending}");
            assert_eq!(from_file.bytes(), text.len() as u64);
        }
        // Without a name, the format is recognized by the first bytes.
        let mut from_pipe = rows(&packed, &Options::default().with_format(Format::Csv));
        assert_eq!(from_pipe.skip(u64::MAX).unwrap(), 20_000);
    }
}

#[test]
fn what_is_cut_is_an_error_that_names_the_file() {
    let text = text();
    let folder = tempfile::tempdir().unwrap();
    for ending in ENDINGS {
        let packed = pack(ending, &text);
        let path = folder.path().join(format!("it.csv.{ending}"));
        for len in [packed.len() / 2, packed.len() - 1, packed.len() - 9, 3, 0] {
            std::fs::write(&path, &packed[..len]).unwrap();
            for threads in [1, 2] {
                let read = Rows::open(&[Input::path(&path)], &options(threads))
                    .and_then(|mut rows| rows.skip(u64::MAX));
                let message = read.unwrap_err().to_string();
                assert!(message.starts_with(&path.display().to_string()), "{message}");
                assert!(
                    message.contains("end too early") || message.contains("its first bytes are not those of"),
                    "{len}: {message}"
                );
            }
        }
    }
}

#[test]
fn what_is_damaged_is_an_error() {
    let text = text();
    for ending in ENDINGS {
        let packed = pack(ending, &text);
        let middle = packed.len() / 2;
        let damaged = [&packed[..middle], &[packed[middle] ^ 0x55], &packed[middle + 1..]].concat();
        let read = Rows::open(&[Input::reader("it", std::io::Cursor::new(damaged))], &options(1))
            .and_then(|mut rows| rows.skip(u64::MAX));
        let message = read.unwrap_err().to_string();
        assert!(message.starts_with("it: the "), "{message}");
    }
}

#[test]
fn packed_bytes_are_left_alone_where_that_is_asked() {
    let packed = pack("gz", b"a\n");
    let mut options = options(1);
    options.unpack = false;
    assert_eq!(all(&mut rows(&packed, &options)).unwrap().concat(), packed);
}

#[test]
fn a_text_that_begins_as_bzip2_does_is_a_text() {
    assert_eq!(rows(b"BZh1 is a name\n\n", &options(1)).skip(9).unwrap(), 2);
}

/// The crate can read what it compresses, including empty strings.
#[test]
fn packers_write_what_is_read() {
    let text = text();
    for ending in ENDINGS {
        let compression = Compression::of_path(std::path::Path::new(&format!("it.{ending}")));
        for text in [&text[..], b"id\n", b""] {
            let mut packer = Packer::new(compression, Vec::new()).unwrap();
            text.chunks(1000).for_each(|chunk| packer.write_all(chunk).unwrap());
            let packed = packer.finish().unwrap();
            assert_eq!(Compression::of_magic(&packed), compression);
            assert!(packed.len() < text.len() / 2 + 100, "{ending}");
            assert_eq!(all(&mut rows(&packed, &options(1))).unwrap().concat(), text, "{ending}");
        }
    }
    let mut plain = Packer::new(None, Vec::new()).unwrap();
    plain.write_all(b"a\n").unwrap();
    assert_eq!((plain.get_ref().len(), plain.finish().unwrap()), (2, b"a\n".to_vec()));
}

/// Tapes and some archivers pad the last block with zeros, which gzip ignores.
#[test]
fn zeros_behind_gzip_data_are_ignored() {
    let text = text();
    let expected = all(&mut rows(&text, &options(1))).unwrap();
    for zeros in [1, 511, 100_000] {
        let packed = [&pack("gz", &text)[..], &vec![0; zeros]].concat();
        assert_eq!(all(&mut rows(&packed, &options(1))).unwrap(), expected, "{zeros}");
    }
    let garbage = [&pack("gz", &text)[..], b"\0\0garbage"].concat();
    assert!(all(&mut rows(&garbage, &options(1))).is_err());
}

/// A frame that needs a window of 256 MiB, as written by `zstd --long=28`.
#[test]
fn long_windows_are_an_option() {
    let mut packed = pack("zst", b"a\nb\n");
    packed[5] = 18 << 3;
    let read = |long_window| {
        let mut options = options(1);
        options.long_window = long_window;
        Rows::open(&[Input::reader("it", std::io::Cursor::new(packed.clone()))], &options)
            .and_then(|mut rows| all(&mut rows))
    };
    let message = read(false).unwrap_err().to_string();
    assert!(message.contains("--long") && message.contains("zstd -dc --long=31"), "{message}");
    assert_eq!(read(true).unwrap().concat(), b"a\nb\n");
}
