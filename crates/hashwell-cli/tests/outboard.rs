//! `hashwell sum --outboard` and `--locate`.

use crate::common::{Folder, stderr, stdout};
use std::fs;

/// The bytes of a file in which no two groups are equal.
fn content(len: usize) -> Vec<u8> {
    (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

/// A folder with the file `f` of this length and its tree. Also returns the digest.
fn folder_with(len: usize) -> (Folder, String) {
    let folder = Folder::new();
    folder.write("f", content(len));
    let written = folder.hashwell(["sum", "--outboard", "f"]);
    assert!(written.status.success(), "{}", stderr(&written));
    let line = stdout(&written);
    assert_eq!(line, stdout(&folder.hashwell(["sum", "-a", "blake3", "f"])));
    (folder, line[..64].to_owned())
}

fn damage(folder: &Folder, name: &str, at: usize) {
    let path = folder.path().join(name);
    let mut bytes = fs::read(&path).unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
}

/// Checks the exit code, the output, and a part of the messages. There must be no messages if `message` is empty.
fn locate(folder: &Folder, more: &[&str], code: i32, output: &str, message: &str) {
    let found = folder.hashwell(["sum", "--locate", "f"].iter().chain(more));
    let said = stderr(&found);
    assert_eq!((found.status.code(), &*stdout(&found)), (Some(code), output), "{said}");
    assert!(said.contains(message) && said.is_empty() == message.is_empty(), "{said}");
    assert!(said.lines().count() <= 2, "{said}");
}

#[test]
fn damaged_ranges() {
    let (folder, digest) = folder_with(100_000);
    locate(&folder, &[], 0, "f: OK\n", "");
    locate(&folder, &["--root", &digest], 0, "f: OK\n", "");
    damage(&folder, "f", 99_999);
    locate(&folder, &[], 1, "f: bytes 98304-99999 (1696 bytes): DAMAGED\n", "");
    damage(&folder, "f", 5);
    damage(&folder, "f", 16_384);
    let ranges = "f: bytes 0-32767 (32768 bytes): DAMAGED\nf: bytes 98304-99999 (1696 bytes): DAMAGED\n";
    locate(&folder, &[], 1, ranges, "");
    locate(&folder, &["--root", &digest.to_uppercase()], 1, ranges, "");
}

#[test]
fn small_groups_and_names_of_trees() {
    let folder = Folder::new();
    folder.write("f", content(10_000));
    let written = folder.hashwell(["sum", "--outboard", "f", "--group", "1K", "-o", "tree"]);
    assert!(written.status.success(), "{}", stderr(&written));
    assert_eq!(fs::metadata(folder.path().join("tree")).unwrap().len(), 8 + 64 * 9);
    damage(&folder, "f", 2_048);
    locate(&folder, &["-o", "tree"], 1, "f: bytes 2048-3071 (1024 bytes): DAMAGED\n", "");
    let itself = folder.hashwell(["sum", "--outboard", "f", "-o", "./f"]);
    assert_eq!(itself.status.code(), Some(1));
    assert!(stderr(&itself).contains("and FILE are the same file"), "{}", stderr(&itself));
    assert_eq!(fs::metadata(folder.path().join("f")).unwrap().len(), 10_000);
}

#[test]
fn other_lengths() {
    let (folder, _) = folder_with(100_000);
    let bytes = fs::read(folder.path().join("f")).unwrap();
    folder.write("f", &bytes[..40_000]);
    let cut = "f: bytes 32768-99999 (67232 bytes): DAMAGED\n";
    locate(&folder, &[], 1, cut, "f: has 40000 bytes, but its tree belongs to a file of 100000 bytes");
    folder.write("f", [&bytes[..], b"more"].concat());
    let grown = "f: bytes 100000-100003 (4 bytes): DAMAGED\n";
    locate(&folder, &[], 1, grown, "f: has 100004 bytes, but its tree belongs to a file of 100000 bytes");
}

#[test]
fn single_groups() {
    for len in [0, 1, 16_384] {
        let (folder, digest) = folder_with(len);
        assert_eq!(fs::read(folder.path().join("f.obao")).unwrap(), (len as u64).to_le_bytes());
        locate(&folder, &[], 1, "", "f.obao: the file has only one group, so its tree has no digest");
        locate(&folder, &["--root", &digest], 0, "f: OK\n", "");
        folder.write("f", "other");
        locate(
            &folder,
            &[],
            1,
            "",
            &format!("f: has 5 bytes, but its tree belongs to a file of {len} bytes"),
        );
        let ranges = match len {
            0 => "f: bytes 0-4 (5 bytes): DAMAGED\n".to_owned(),
            1 => "f: bytes 0-4 (5 bytes): DAMAGED\n".to_owned(),
            _ => format!("f: bytes 0-{} ({len} bytes): DAMAGED\n", len - 1),
        };
        locate(&folder, &["--root", &digest], 1, &ranges, "f: has 5 bytes");
    }
    let (folder, _) = folder_with(0);
    locate(&folder, &["--root", &"0".repeat(64)], 1, "f: DAMAGED\n", "");
}

#[test]
fn damaged_trees() {
    let (folder, digest) = folder_with(100_000);
    let tree = fs::read(folder.path().join("f.obao")).unwrap();
    let only = "f.obao: damaged, but the file is intact";
    for at in 8..tree.len() {
        damage(&folder, "f.obao", at);
        if at % 37 == 8 {
            locate(&folder, &["--root", &digest], 7, "f: OK\n", only);
        }
        folder.write("f.obao", &tree);
    }
    // Change the length by so little that the number of groups stays the same.
    folder.write("f.obao", [&100_001u64.to_le_bytes(), &tree[8..]].concat());
    locate(&folder, &["--root", &digest], 7, "f: OK\n", only);
    // Damage the first node. Its digest is then wrong, so the file can't be verified.
    folder.write("f.obao", &tree);
    damage(&folder, "f.obao", 8);
    let all = "f: bytes 0-65535 (65536 bytes): NOT LOCATED, since f.obao is damaged\n";
    locate(&folder, &[], 1, all, "f.obao: damaged (give --root DIGEST");
    // Damage file and tree in the same half of the file. The other half can still be verified.
    damage(&folder, "f", 1);
    locate(
        &folder,
        &["--root", &digest],
        1,
        "f: bytes 0-99999 (100000 bytes): NOT LOCATED, since f.obao is damaged\n",
        "f.obao: does not match the digest in --root",
    );
    folder.write("f.obao", &tree);
    damage(&folder, "f.obao", 8 + 64);
    locate(&folder, &["--root", &digest], 1, all, "f.obao: damaged, and so is the file");
}

#[test]
fn refused_with_one_line() {
    let (folder, digest) = folder_with(100_000);
    let tree = fs::read(folder.path().join("f.obao")).unwrap();
    for bytes in [&tree[..tree.len() - 1], &tree[..tree.len() - 64], &tree[..100], &tree[..7], &[]] {
        folder.write("f.obao", bytes);
        locate(&folder, &["--root", &digest], 1, "", "f.obao: damaged or truncated");
    }
    folder.write("f.obao", [&[0xff; 8], &tree[8..]].concat());
    locate(&folder, &[], 1, "", "f.obao: damaged or truncated");
    fs::remove_file(folder.path().join("f.obao")).unwrap();
    locate(&folder, &[], 1, "", "f.obao: No such file or directory (--outboard writes the tree)");
    for (arguments, code, message) in [
        (&["--locate"][..], 2, "standard input"),
        (&["--outboard", "-"], 2, "standard input"),
        (&["--outboard", "none"], 1, "none: No such file"),
        (&["--outboard", "."], 1, ".: is a directory"),
        (&["--outboard", "-a", "sha256", "f"], 2, "supports only blake3 and kt128, not sha256"),
        (&["--outboard", "-a", "blake3", "-a", "kt128", "f"], 2, "requires one algorithm, not 2"),
        (&["--outboard", "--group", "3000", "f"], 2, "power of two"),
        (&["--outboard", "--group", "128M", "f"], 2, "67108864"),
        (&["--outboard", "-o", "t", "f", "f"], 2, "--tree requires exactly one file, not 2"),
        (&["--outboard", "-o", "none/t", "f"], 1, "none/t: No such file"),
        (&["--locate", "--root", "00", "f"], 2, "--root must be 32 bytes in hexadecimal, not 1"),
        (&["--locate", "--group", "1K", "f"], 2, "cannot be used with"),
        (&["--locate", "--outboard", "f"], 2, "cannot be used with"),
        (&["--locate", "-c", "f"], 2, "cannot be used with"),
        (&["--outboard", "-r", "f"], 2, "cannot be used with"),
        (&["--outboard", "--keyed", "--key-file", "f", "f"], 2, "cannot be used with"),
        (&["--root", &digest, "f"], 2, "--locate"),
        (&["-o", "t", "f"], 2, "--outboard"),
    ] {
        let refused = folder.hashwell(["sum"].iter().chain(arguments));
        let said = stderr(&refused);
        assert_eq!((refused.status.code(), &*stdout(&refused)), (Some(code), ""), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no tree of a refused file");
}

#[cfg(unix)]
#[test]
fn pipes_are_refused_without_waiting() {
    let folder = Folder::new();
    folder.write("f", "one");
    for name in ["p", "f.obao"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path().join(name)).status().unwrap();
        assert!(made.success());
    }
    for arguments in [["--outboard", "p"], ["--locate", "p"], ["--locate", "f"]] {
        let refused = folder.hashwell(["sum"].iter().chain(&arguments));
        assert_eq!(refused.status.code(), Some(1));
        assert!(stderr(&refused).contains("not a regular file"), "{}", stderr(&refused));
    }
}

/// A run that ends early leaves the previous tree unchanged, and leaves no other file.
#[cfg(unix)]
#[test]
fn interrupted_runs_leave_no_partial_tree() {
    let folder = Folder::new();
    folder.write("f", content(1 << 20));
    folder.write("f.obao", "earlier");
    let mut child = folder
        .command(env!("CARGO_BIN_EXE_hashwell"))
        .args(["sum", "--outboard", "--rate", "100K", "f"])
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    crate::common::interrupt(&child);
    assert!(!child.wait().unwrap().success());
    assert_eq!(fs::read(folder.path().join("f.obao")).unwrap(), b"earlier");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// Runs the command in the folder, and checks the exit code and a part of the messages. Returns standard output.
fn sum(folder: &Folder, arguments: &[&str], code: i32, message: &str) -> Vec<u8> {
    let done = folder.hashwell(["sum"].iter().chain(arguments));
    let said = stderr(&done);
    assert_eq!(done.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(said.contains(message) && said.is_empty() == message.is_empty(), "{arguments:?}: {said}");
    assert!(said.lines().count() <= 1 || code == 2, "{said}");
    done.stdout
}

#[test]
fn slices_are_made_and_verified() {
    for (len, group) in [(100_000, "16K"), (100_000, "1K"), (16_384, "16K"), (1, "1K"), (0, "1K")] {
        let (folder, digest) = folder_with(len);
        let bytes = content(len);
        sum(&folder, &["--outboard", "--group", group, "f"], 0, "");
        for (start, count) in [(0, 1), (16_383, 2), (50_000, 20_000), (0, 1 << 40), (len, 1), (len + 9, 0)] {
            let range = format!("{start}:{count}");
            assert!(sum(&folder, &["--slice", &range, "--to", "s", "f"], 0, "").is_empty());
            let slice = fs::read(folder.path().join("s")).unwrap();
            assert_eq!(sum(&folder, &["--slice", &range, "--root", &digest, "f"], 0, ""), slice);
            let decode = ["--decode-slice", &range, "--group", group, "--root", &digest];
            let expected = &bytes[start.min(len)..(start + count).min(len)];
            let end = format!("s: the range reaches past the end: the whole file has {len} bytes");
            let end = if start + count > len { &*end } else { "" };
            assert_eq!(sum(&folder, &[&decode[..], &["s"]].concat(), 0, end), expected, "{range} of {len}");
            assert!(sum(&folder, &[&decode[..], &["--to", "part", "s"]].concat(), 0, end).is_empty());
            assert_eq!(fs::read(folder.path().join("part")).unwrap(), expected);
        }
    }
}

/// Neither a complete file nor an unverified byte is written.
#[test]
fn wrong_slices_leave_no_file() {
    let (folder, digest) = folder_with(100_000);
    let bytes = content(100_000);
    sum(&folder, &["--slice", "10000:60000", "--to", "s", "f"], 0, "");
    let slice = fs::read(folder.path().join("s")).unwrap();
    let decode = |range: &str, root: &str, message: &str| {
        let arguments = ["--decode-slice", range, "--root", root, "s"];
        let written = sum(&folder, &arguments, 1, message);
        assert!(bytes[10_000..].starts_with(&written), "{message}");
        sum(&folder, &[&arguments[..], &["--to", "part"]].concat(), 1, message);
        assert!(!folder.path().join("part").exists());
        written.len()
    };
    decode(
        "10000:60000",
        &"0".repeat(64),
        "s: the slice is wrong at byte 8: a node does not match the digest",
    );
    decode("10000:80000", &digest, "s: the slice is wrong at byte");
    for at in (8..slice.len()).step_by(997) {
        damage(&folder, "s", at);
        assert!(decode("10000:60000", &digest, "s: the slice is wrong at byte") <= at);
        folder.write("s", &slice);
    }
    folder.write("s", &slice[..50_000]);
    assert!(decode("10000:60000", &digest, "s: the slice is wrong at byte 50000: it is truncated") > 16_384);
    folder.write("s", [&slice[..], b"more"].concat());
    decode("10000:60000", &digest, "s: there are more bytes after the end of the slice");
    folder.write("s", [&(1u64 << 63).to_le_bytes()[..], &slice[8..]].concat());
    assert_eq!(decode("10000:60000", &digest, "s: the slice is wrong at byte"), 0);
}

#[test]
fn no_slice_of_damaged_bytes() {
    let (folder, digest) = folder_with(100_000);
    damage(&folder, "f", 20_000);
    sum(&folder, &["--slice", "40000:100", "--to", "s", "f"], 0, "");
    fs::remove_file(folder.path().join("s")).unwrap();
    let refused = |arguments: &[&str], message: &str| {
        sum(&folder, &[arguments, &["--to", "s", "f"]].concat(), 1, message);
        assert!(!folder.path().join("s").exists());
    };
    refused(&["--slice", "0:40000"], "f: bytes 16384-32767 are damaged: no slice can be made of them");
    refused(&["--slice", "0:1", "--root", &"0".repeat(64)], "f.obao: does not match the digest in --root");
    damage(&folder, "f.obao", 8 + 64);
    refused(&["--slice", "0:1", "--root", &digest], "f.obao: damaged: write it again with --outboard");
    let tree = fs::read(folder.path().join("f.obao")).unwrap();
    folder.write("f.obao", &tree[..100]);
    refused(
        &["--slice", "0:1"],
        "f.obao: damaged or truncated: a tree of a file of 100000 bytes can't have 100 bytes",
    );
    folder.write("f.obao", [&0xffu64.to_le_bytes()[..], &tree[8..]].concat());
    refused(&["--slice", "0:1"], "f.obao: damaged or truncated");
    folder.write("f.obao", &tree);
    folder.write("f", "short");
    refused(&["--slice", "0:1"], "f: has 5 bytes, but its tree belongs to a file of 100000 bytes");
    for (arguments, code, message) in [
        (&["--slice", "0", "f"][..], 2, "expected START:LEN"),
        (&["--slice", "0:x", "f"], 2, "expected an integer below 2^64"),
        (&["--slice", "0:1", "f", "f"], 2, "--slice requires exactly one file, not 2"),
        (&["--slice", "0:1", "-"], 2, "standard input"),
        (&["--slice", "0:1", "--to", "f", "f"], 1, "cannot replace the file that is read"),
        (&["--slice", "0:1", "--to", "f.obao", "f"], 1, "cannot replace the tree that is read"),
        (&["--slice", "0:1", "--group", "1K", "f"], 2, "cannot be used with"),
        (&["--slice", "0:1", "-a", "sha256", "f"], 2, "supports only blake3"),
        (&["--slice", "0:1", "-a", "kt128", "f"], 2, "--slice supports only blake3, not kt128"),
        (&["--outboard", "--group", "1K", "-a", "kt128", "f"], 2, "--group supports only blake3, not kt128"),
        (&["--decode-slice", "0:1", "f"], 2, "--root"),
        (&["--decode-slice", "0:1", "--root", &digest, "--group", "3K", "f"], 2, "power of two"),
        (&["--decode-slice", "0:1", "--root", &digest, "--slice", "0:1", "f"], 2, "cannot be used with"),
        (&["--decode-slice", "0:1", "--root", &digest, "none"], 1, "none: No such file"),
        (&["--to", "x", "f"], 2, "--slice"),
    ] {
        sum(&folder, arguments, code, message);
    }
}

#[test]
fn lists_of_kt128() {
    let folder = Folder::new();
    folder.write("f", content(100_000));
    let line = String::from_utf8(sum(&folder, &["--outboard", "-a", "kt128", "f"], 0, "")).unwrap();
    assert_eq!(line, stdout(&folder.hashwell(["sum", "-a", "kt128", "f"])));
    let digest = &line[..64];
    let list = fs::read(folder.path().join("f.hwcl")).unwrap();
    assert_eq!(list.len(), 48 + 13 * 32 + 8);
    let locate = |more: &[&str], code: i32, output: &str, message: &str| {
        let found = sum(&folder, &[&["--locate", "-a", "kt128", "f"], more].concat(), code, message);
        assert_eq!(String::from_utf8(found).unwrap(), output);
    };
    locate(&[], 0, "f: OK\n", "");
    locate(&["--root", digest], 0, "f: OK\n", "");
    damage(&folder, "f", 99_999);
    damage(&folder, "f", 8192);
    let ranges = "f: bytes 8192-16383 (8192 bytes): DAMAGED\nf: bytes 98304-99999 (1696 bytes): DAMAGED\n";
    locate(&[], 1, ranges, "");
    locate(&["--root", digest], 1, ranges, "");
    damage(&folder, "f", 0);
    let ranges = ranges.replace("8192-16383 (8192", "0-16383 (16384");
    locate(
        &["--root", digest],
        1,
        &ranges,
        "f.hwcl: can't be compared with the digest, because the first 8 KiB",
    );
    damage(&folder, "f.hwcl", 100);
    let unknown = "f: bytes 0-99999 (100000 bytes): NOT LOCATED, since f.hwcl is damaged\n";
    locate(&[], 1, unknown, "f.hwcl: damaged (give --root DIGEST to find out");
    locate(&["--root", digest], 1, unknown, "f.hwcl: damaged, and so is the file");
    locate(&["--root", &"0".repeat(64)], 1, unknown, "f.hwcl: does not match the digest in --root");
    folder.write("f", content(100_000));
    for at in (16..list.len()).step_by(5) {
        folder.write("f.hwcl", &list);
        damage(&folder, "f.hwcl", at);
        locate(&["--root", digest], 7, "f: OK\n", "f.hwcl: damaged, but the file is intact");
    }
    folder.write("f.hwcl", &list[..list.len() - 1]);
    locate(
        &[],
        1,
        "",
        "f.hwcl: damaged or truncated: the number of chunk values does not fit the message length",
    );
    folder.write("f.hwcl", "x");
    locate(&[], 1, "", "f.hwcl: damaged or truncated: a list of chunk values has at least 88 bytes");
    fs::remove_file(folder.path().join("f.hwcl")).unwrap();
    locate(&[], 1, "", "f.hwcl: No such file or directory (--outboard writes the list)");
    folder.write("f.hwcl", &list);
    folder.write("f", content(50_000));
    let cut = "f: bytes 49152-99999 (50848 bytes): DAMAGED\n";
    locate(&[], 1, cut, "f: has 50000 bytes, but its list belongs to a file of 100000 bytes");
}
