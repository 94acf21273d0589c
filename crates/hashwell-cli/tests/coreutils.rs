//! Compares hashwell with the real sha256sum, b2sum, cksum and openssl: the output is the same, and each can check the
//! other's lists.

use crate::common;

use common::{Folder, stderr, stdout};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::process::Output;

/// Names that are often handled wrongly in lists: spaces, escapes, marks, and invalid UTF-8.
fn odd_names() -> Vec<OsString> {
    let names: [&[u8]; 14] = [
        b"plain",
        b"two words",
        b" leading",
        b"trailing ",
        b"*star",
        b"new\nline",
        b"back\\slash",
        b"carriage\rreturn",
        b"tab\tbed",
        b"paren) = (",
        b"\\n",
        b"#hash",
        b"-dash",
        b"\xff\xfe latin \xe9",
    ];
    names.iter().map(|name| OsStr::from_bytes(name).to_owned()).collect()
}

fn folder_of_odd_names() -> Folder {
    let folder = Folder::new();
    for name in odd_names() {
        folder.write(&name, name.as_bytes());
    }
    folder
}

fn args(options: &[&str], names: &[OsString]) -> Vec<OsString> {
    options.iter().map(OsString::from).chain(["--".into()]).chain(names.iter().cloned()).collect()
}

#[track_caller]
fn assert_same(ours: &Output, theirs: &Output) {
    assert_eq!(stdout(ours), stdout(theirs));
    assert!(ours.stdout == theirs.stdout, "bytes differ");
    assert_eq!(ours.status.code(), theirs.status.code());
}

/// Other tools with their options, and the corresponding options of hashwell.
const PAIRS: &[(&str, &[&str], &[&str])] = &[
    ("sha1sum", &[], &["-a", "sha1"]),
    ("sha224sum", &[], &["-a", "sha224"]),
    ("sha256sum", &[], &[]),
    ("sha384sum", &[], &["-a", "sha384"]),
    ("sha512sum", &[], &["-a", "sha512"]),
    ("b2sum", &[], &["-a", "blake2b"]),
    ("b2sum", &["-l", "160"], &["-a", "b2", "-l", "160"]),
    ("sha256sum", &["-b"], &["-b"]),
    ("sha256sum", &["--binary", "--zero"], &["--binary", "--zero"]),
    ("b2sum", &["-b", "-t"], &["-a", "blake2b", "-b", "-t"]),
    ("sha1sum", &["-t", "--binary"], &["-a", "sha1", "-t", "--binary"]),
    ("sha256sum", &["--tag", "-b"], &["--tag", "-b"]),
    ("sha256sum", &["--tag"], &["--tag"]),
    ("sha512sum", &["--zero"], &["-a", "sha512", "--zero"]),
    ("b2sum", &["--tag"], &["-a", "blake2b", "--tag"]),
    ("b2sum", &["--tag", "-l", "256"], &["-a", "blake2b", "-l", "256", "--tag"]),
    ("cksum", &["-a", "sha256"], &["--tag"]),
    ("cksum", &["-a", "sha512", "--untagged"], &["-a", "sha512"]),
    ("cksum", &["-a", "blake2b", "-l", "384"], &["-a", "blake2b", "-l", "384", "--tag"]),
];

#[test]
fn output_is_byte_for_byte_theirs() {
    let folder = folder_of_odd_names();
    for (tool, their_options, our_options) in PAIRS {
        let Some(theirs) = folder.tool(tool, args(their_options, &odd_names())) else { continue };
        assert!(theirs.status.success(), "{tool}: {}", stderr(&theirs));
        let ours = folder.hashwell(args(&[&["sum"], *our_options].concat(), &odd_names()));
        assert_same(&ours, &theirs);
    }
}

#[test]
fn lists_are_exchanged_both_ways() {
    let folder = folder_of_odd_names();
    for (tool, their_options, our_options) in PAIRS {
        let Some(theirs) = folder.tool(tool, args(their_options, &odd_names())) else { continue };
        folder.write("theirs.list", &theirs.stdout);
        let algorithm: Vec<&str> = match our_options.iter().position(|o| *o == "-a") {
            Some(at) => our_options[at..=at + 1].to_vec(),
            None => Vec::new(),
        };
        let checked =
            folder.hashwell([&["sum", "-c", "--strict"], &algorithm[..], &["theirs.list"]].concat());
        assert_eq!(checked.status.code(), Some(0), "{tool} {their_options:?}: {}", stderr(&checked));
        assert_eq!(stdout(&checked).matches(": OK\n").count(), odd_names().len());

        // coreutils does not check NUL-terminated lists.
        if their_options.contains(&"--zero") {
            continue;
        }
        let ours = folder.hashwell(args(&[&["sum"], *our_options].concat(), &odd_names()));
        folder.write("ours.list", &ours.stdout);
        let check = match *tool {
            "cksum" => ["-c", "--strict", "-a", their_options[1], "ours.list"].to_vec(),
            _ => ["-c", "--strict", "ours.list"].to_vec(),
        };
        let checked = folder.tool(tool, check).unwrap();
        assert!(checked.status.success(), "{tool} {their_options:?}: {}", stderr(&checked));
    }
}

/// Check mode with the same lists in the same folder gives the same output, exit code and warnings, except for the
/// program's name.
#[test]
fn checking_says_what_sha256sum_says() {
    let folder = Folder::new();
    folder.write("a", "a");
    folder.write("b", "b");
    folder.write("new\nline", "n");
    let a = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
    let b = "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d";
    let n = "1b16b1df538ba12dc3f97edbb85caa7050d46c148134290feba80f8236c83db9";
    let wrong = "0".repeat(64);
    let all_good = format!("{a}  a\n{b} *b\n");
    let lists = [
        all_good.clone(),
        format!("{a}  a\n{wrong}  b\n"),
        format!("{wrong}  a\n{wrong}  b\n"),
        format!("{a}  a\n{a}  missing\n"),
        format!("{a}  missing1\n{a}  missing2\n"),
        format!("{a}  a\nnonsense\n"),
        format!("{a}  a\nnonsense\nmore nonsense\n"),
        format!("# comment\n\n{a}  a\n"),
        format!("{}  a\n", a.to_uppercase()),
        format!("   {a}  a\n"),
        format!("{a} a\n"),
        format!("SHA256 (a) = {a}\n"),
        format!("\\{n}  new\\nline\n"),
        format!("\\{wrong}  new\\nline\n"),
        format!("{a}  ./a\n"),
        format!("{a}  .\n"),
        "nonsense\n".to_owned(),
        String::new(),
    ];
    let options: [&[&str]; 15] = [
        &[],
        &["--quiet"],
        &["--quiet", "--quiet"],
        &["--status"],
        // The last of these three options counts.
        &["--status", "-w"],
        &["-w", "--status"],
        &["--quiet", "--warn"],
        &["--warn", "--quiet"],
        &["--status", "--quiet"],
        &["--quiet", "--status"],
        &["--strict"],
        &["-w"],
        &["--ignore-missing"],
        &["--ignore-missing", "--quiet"],
        &["--strict", "--status"],
    ];
    for list in &lists {
        folder.write("list", list);
        for options in options {
            let Some(theirs) = folder.tool("sha256sum", [&["-c"], options, &["list"]].concat()) else {
                return;
            };
            let ours = folder.hashwell([&["sum", "-c", "-a", "sha256"], options, &["list"]].concat());
            let label = format!("{options:?} on {list:?}");
            assert_eq!(ours.status.code(), theirs.status.code(), "{label}: {}", stderr(&ours));
            assert_eq!(stdout(&ours), stdout(&theirs), "{label}");
            let theirs = stderr(&theirs).replace("sha256sum: ", "hashwell: ");
            // The formats that were tried and the number of missing files are additions of hashwell.
            let tried = format!(" (formats tried: {})\n", hashwell_checksums::formats::titles());
            let theirs = theirs.replace("checksum lines found\n", &format!("checksum lines found{tried}"));
            let (missing, ours): (Vec<_>, Vec<_>) =
                stderr(&ours).split_inclusive('\n').map(str::to_owned).partition(|line| {
                    line.ends_with("listed file is missing\n") || line.ends_with("files are missing\n")
                });
            assert_eq!(ours.concat(), theirs, "{label}");
            let ignored = options.contains(&"--ignore-missing") && list.contains("missing");
            assert_eq!(missing.len(), usize::from(ignored), "{label}");
        }
    }
}

/// Names with a backslash or a carriage return in verdicts, for right and wrong checksums. With `-w`, a warning names
/// the algorithm.
#[test]
fn verdicts_have_names_as_coreutils_prints_them() {
    let folder = folder_of_odd_names();
    for (tool, algorithm) in [("sha256sum", "sha256"), ("b2sum", "blake2b"), ("sha1sum", "sha1")] {
        let Some(list) = folder.tool(tool, args(&[], &odd_names())) else { continue };
        let wrong: Vec<u8> = list.stdout.iter().map(|b| if *b == b'0' { b'1' } else { *b }).collect();
        for list in [list.stdout, [&wrong[..], b"nonsense\n"].concat()] {
            folder.write("list", list);
            let theirs = folder.tool(tool, ["-c", "-w", "list"]).unwrap();
            let ours = folder.hashwell(["sum", "-c", "-w", "-a", algorithm, "list"]);
            assert_same(&ours, &theirs);
            assert_eq!(stderr(&ours), stderr(&theirs).replace(&format!("{tool}: "), "hashwell: "));
        }
    }
}

/// Lists of checksums that are not used for new lists.
#[test]
fn legacy_lists_of_coreutils() {
    let folder = folder_of_odd_names();
    let names: Vec<OsString> =
        odd_names().into_iter().filter(|name| !name.as_bytes().contains(&b'\n')).collect();
    let cases = [
        ("md5sum", &[][..], "MD5", odd_names()),
        ("md5sum", &["--tag"], "MD5", odd_names()),
        ("cksum", &["-a", "md5"], "MD5", odd_names()),
        // Their names are not escaped: a name with a newline takes two lines.
        ("cksum", &[], "CRC", names),
    ];
    for (tool, options, title, names) in cases {
        let Some(list) = folder.tool(tool, args(options, &names)) else { continue };
        folder.write("list", &list.stdout);
        let checked = folder.hashwell(["sum", "-c", "--strict", "list"]);
        assert_eq!(checked.status.code(), Some(0), "{tool} {options:?}: {}", stderr(&checked));
        assert_eq!(stdout(&checked).matches(": OK\n").count(), names.len());
        let legacy =
            format!("hashwell: list: warning: {title} detects accidental changes but not tampering\n");
        assert!(stderr(&checked).ends_with(&legacy), "{}", stderr(&checked));
        folder.write("plain", "other");
        let checked = folder.hashwell(["sum", "-c", "list"]);
        assert_eq!(checked.status.code(), Some(1));
        assert_eq!(stdout(&checked).matches(": FAILED\n").count(), 1);
        folder.write("plain", "plain");
    }
}

/// Lists of `cksum` and `sum` have two numbers and name no algorithm. A correct file is recognized for each of the
/// possible algorithms.
#[test]
fn decimal_lists_of_other_checksums() {
    let folder = Folder::new();
    folder.write("abc", "abc");
    folder.write("large", vec![7; 11_000_000]);
    let crc32b = "891568578 3 abc\n".to_owned();
    let sum =
        |options: &[&str]| folder.tool("sum", [options, &["large"]].concat()).map(|output| stdout(&output));
    let lists = [
        Some((crc32b, "crc32b", 1)),
        // `sum -r` pads sizes with spaces to the width of a column, which only the size of a large file fills.
        sum(&["-r"]).map(|list| (list, "bsd", 1)),
        folder.tool("sum", ["-s", "abc", "large"]).map(|output| (stdout(&output), "sysv", 2)),
    ];
    for (list, name, n) in lists.into_iter().flatten() {
        folder.write("list", &list);
        let checked = folder.hashwell(["sum", "-c", "list"]);
        assert_eq!(checked.status.code(), Some(0), "{list}{}", stderr(&checked));
        assert_eq!(stdout(&checked).matches(&format!(": OK ({name})\n")).count(), n, "{list}");
        let said = format!("match{} {name}, not crc\n", if n == 1 { "es" } else { "" });
        assert!(stderr(&checked).contains(&said), "{}", stderr(&checked));
        let checked = folder.hashwell(["sum", "-c", "-a", name, "list"]);
        assert_eq!(stdout(&checked).matches(": OK\n").count(), n, "{list}");
        folder.write("list", list.replace("abc", "large").replace("large\n", "large\n1 2 abc\n"));
        let checked = folder.hashwell(["sum", "-c", "list"]);
        assert_eq!(checked.status.code(), Some(1));
        assert!(
            stderr(&checked).contains("match none of crc, crc32b, bsd, sysv\n")
                || stderr(&checked).contains("matches none of crc, crc32b, bsd, sysv\n"),
            "{}",
            stderr(&checked)
        );
    }
}

#[test]
fn openssl_lists() {
    let folder = Folder::new();
    folder.write("a b", "a b");
    let mut lists = Vec::new();
    for options in [&["-sha256"][..], &["-sha512"], &["-sha3-256"], &["-blake2b512"], &["-sha256", "-r"]] {
        let Some(list) = folder.tool("openssl", [&["dgst"], options, &["a b"]].concat()) else { return };
        assert!(list.status.success(), "{}", stderr(&list));
        lists.extend(list.stdout);
    }
    folder.write("list", lists);
    let checked = folder.hashwell(["sum", "-c", "--strict", "-a", "sha256", "list"]);
    assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
    assert_eq!(stdout(&checked), "a b: OK\n".repeat(5));
}
