//! Randomly damaged lists of every format that `sum -c` reads. The command must not panic, and must not report OK for a
//! file that doesn't have the list's digest.
//!
//! Each format has 20 damaged lists, or 5,000 with `SLOW=1`. The lists are the same in every run.

use crate::common::{Folder, stderr, stdout};
use crate::lists::of_other_tools;
use hashwell::{RandomSource, RandomStream, Source};

/// The number of lists per process.
const BATCH: usize = 100;

fn count() -> usize {
    if std::env::var_os("SLOW").is_some_and(|slow| slow == "1") { 5000 } else { 20 }
}

/// A list of the file `a.bin` in each format that `sum` writes, and in those of other tools.
fn formats(folder: &Folder) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = of_other_tools().into_iter().map(String::into_bytes).collect();
    for options in [
        "--untagged",
        "--tag",
        "--json",
        "--sri",
        "--times",
        "--times --json",
        "-a md5",
        "-a sha1 --untagged",
        "-a sha512 --sri",
        "-a blake3 --tag",
        "-a sha3-256 --tag",
        "-a crc32",
        "--format openssl",
        "--format sfv",
        "--format bagit",
        "--format record",
        "--format powershell",
        "--format oci",
        "--format multihash",
        "--format nix",
    ] {
        let made = folder.hashwell(["sum"].into_iter().chain(options.split(' ')).chain(["a.bin"]));
        if made.status.success() {
            all.push(made.stdout);
        } else {
            assert!(["-a md5", "-a crc32"].contains(&options), "{options}: {}", stderr(&made));
        }
    }
    all.push(b"%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n## $ hashdeep a.bin\n##\n3,7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed,a.bin\n".to_vec());
    all.push(b"f97c5d29941bfb1b2fdab0874906ab82  a.bin\n".to_vec());
    all
}

fn below(stream: &mut RandomStream, end: usize) -> usize {
    (stream.next_u64().unwrap() % end.max(1) as u64) as usize
}

/// Changes a list in up to four places.
fn damage(list: &[u8], other: &[u8], stream: &mut RandomStream) -> Vec<u8> {
    const BYTES: &[u8] = b"\0\n\r \t\\%\"'()=:,;#*-+/{}[]0aFzZ\x7f\x80\xff";
    let mut list = list.to_vec();
    for _ in 0..=below(stream, 4) {
        let at = below(stream, list.len() + 1);
        let end = at + below(stream, (list.len() - at).min(40) + 1);
        let byte = BYTES[below(stream, BYTES.len())];
        match below(stream, 12) {
            0 if at < list.len() => list[at] ^= 1 << below(stream, 8),
            1 if at < list.len() => list[at] = byte,
            2 => list.insert(at, byte),
            3 => drop(list.drain(at..end)),
            4 => {
                let part = list[at..end].to_vec();
                list.splice(at..at, part);
            }
            5 => {
                let part: Vec<u8> = list.drain(at..end).collect();
                let to = below(stream, list.len() + 1);
                list.splice(to..to, part);
            }
            6 => list.truncate(at),
            7 => {
                let part = &other[below(stream, other.len() + 1)..];
                list.splice(at..at, part.iter().copied());
            }
            8 => {
                let many = list[at..end].repeat(1 + below(stream, 300));
                list.splice(at..at, many);
            }
            9 if at == 0 => list.splice(0..0, *b"\xef\xbb\xbf").for_each(drop),
            10 if list.len() < 2000 => {
                let units = list.iter().flat_map(|byte| [*byte, 0]);
                list = b"\xff\xfe".iter().copied().chain(units).collect();
            }
            11 => list[at..end].reverse(),
            _ => {}
        }
    }
    list
}

/// Checks lists in one process. Fails if it panics or reports OK.
fn check(folder: &Folder, lists: &[Vec<u8>]) {
    let names: Vec<String> = (0..lists.len()).map(|i| format!("lists/{i}")).collect();
    names.iter().zip(lists).for_each(|(name, list)| folder.write(name, list));
    let run = |names: &[String]| {
        let options = ["sum", "-j", "1", "-c"].into_iter().chain(names.iter().map(String::as_str));
        folder.hashwell(options)
    };
    let is_wrong = |output: &std::process::Output| {
        let said = stderr(output);
        let is_ok = stdout(output).lines().any(|line| line.ends_with(": OK"));
        !matches!(output.status.code(), Some(1 | 4 | 5 | 6)) || said.contains("panicked") || is_ok
    };
    if is_wrong(&run(&names)) {
        for (name, list) in names.iter().zip(lists) {
            let output = run(std::slice::from_ref(name));
            assert!(!is_wrong(&output), "{:?}: {output:?}", list.escape_ascii().to_string());
        }
        panic!("a process of many lists fails");
    }
}

/// The file does not have the digest in the list, neither before the list is damaged nor after.
#[test]
fn damaged_lists_make_no_other_file_right() {
    let folder = Folder::new();
    folder.write("a.bin", "one");
    let formats = formats(&folder);
    folder.write("a.bin", "other bytes, of which no list has a digest");
    let mut stream = Source::find("counter").unwrap().seeded(b"lists", b"damaged").unwrap();
    for list in &formats {
        let damaged: Vec<Vec<u8>> = (0..count())
            .map(|_| {
                let other = &formats[below(&mut stream, formats.len())];
                damage(list, other, &mut stream)
            })
            .collect();
        damaged.chunks(BATCH).for_each(|lists| check(&folder, lists));
    }
    println!("{} formats, {} damaged lists each", formats.len(), count());
}

/// The file is right, but the digest in its list has one digit more, less or changed.
#[test]
fn a_wrong_digit_makes_no_file_right() {
    let folder = Folder::new();
    folder.write("a.bin", "one");
    let formats = formats(&folder);
    let mut stream = Source::find("counter").unwrap().seeded(b"lists", b"digits").unwrap();
    for list in &formats {
        let text = str::from_utf8(list).unwrap();
        let checked = {
            folder.write("list", text);
            folder.hashwell(["sum", "-c", "list"])
        };
        assert!(stdout(&checked).contains("a.bin: OK"), "{text}{checked:?}");
        // The digests are the longest words of their lines.
        let is_part = |b: u8| b.is_ascii_alphanumeric() || b"+/_".contains(&b);
        // An inode can have as many digits as a CRC.
        let is_short = |word: &[u8]| {
            word.len() == 8 && word.iter().all(u8::is_ascii_hexdigit) && !text.contains("inode")
        };
        let is_digit = |at: usize| {
            let start = list[..at].iter().rposition(|b| !is_part(*b)).map_or(0, |at| at + 1);
            let end = list[at..].iter().position(|b| !is_part(*b)).map_or(list.len(), |end| at + end);
            is_part(list[at]) && (end - start >= 28 || is_short(&list[start..end]))
        };
        // Without the letter of its base, a multihash is still the same.
        let is_base = |at: usize| at == 0 && list.starts_with(b"f12");
        let places: Vec<usize> = (0..list.len()).filter(|at| is_digit(*at) && !is_base(*at)).collect();
        assert!(places.len() >= 8, "{text}");
        let wrong: Vec<Vec<u8>> = (0..count())
            .map(|_| {
                let at = places[below(&mut stream, places.len())];
                let mut list = list.clone();
                // The new digit has the same kind and case, so that the word stays a digest.
                let next = |b: u8| match b {
                    b'9' => b'0',
                    b'f' => b'a',
                    b'F' => b'A',
                    b'z' => b'a',
                    b'Z' => b'A',
                    other => other + 1,
                };
                match below(&mut stream, 4) {
                    0 => drop(list.remove(at)),
                    1 => list.insert(at, b'0'),
                    _ => list[at] = next(list[at]),
                }
                list
            })
            .collect();
        wrong.chunks(BATCH).for_each(|lists| check(&folder, lists));
    }
}
