//! `hashwell sum` with lists of other tools, and with lists that are updated.

use crate::common::{Folder, stderr, stdout};

/// SHA-256 of `one`.
const ONE: &str = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";

/// Lists of other tools for one file with the content `one`.
pub(crate) fn of_other_tools() -> Vec<String> {
    let upper = ONE.to_uppercase();
    let groups: Vec<&str> = (0..8).map(|i| &upper[8 * i..8 * i + 8]).collect();
    let (first, second) = (groups[..5].join(" "), groups[5..].join(" "));
    vec![
        format!("sha256:{ONE}  a.bin\n"),
        format!("a.bin {ONE}\n"),
        format!("a.bin: {ONE}\n"),
        format!("a.bin: {first}\n       {second}\n"),
        format!("a.bin: SHA256 = {first}\n                {second}\n"),
        format!("a.bin:8:{upper}:\n"),
        format!("SHA256 hash of a.bin:\r\n{ONE}\r\nCertUtil: -hashfile command completed successfully.\r\n"),
        format!(
            "SHA256-Hash von a.bin:\r\n{ONE}\r\nCertUtil: -hashfile-Befehl wurde erfolgreich ausgeführt.\r\n"
        ),
        format!("SHA256 hachage de a.bin :\r\n{ONE}\r\n"),
        format!("Algorithm : SHA256\r\nHash      : {upper}\r\nPath      : a.bin\r\n\r\n"),
        format!("\"Algorithm\",\"Hash\",\"Path\"\r\n\"SHA256\",\"{upper}\",\"a.bin\"\r\n"),
        format!("DIST a.bin 3 SHA256 {ONE} WHIRLPOOL 00\nTIMESTAMP 2026-11-28T00:00:00Z\n"),
        format!("Checksums-Sha256:\n {ONE} 3 a.bin\n"),
        format!("#mtree\n./a.bin type=file size=3 sha256digest={ONE}\n"),
        format!(
            "#\t   user: root\n#\tmachine: host\n\n# .\n/set type=file uid=0\n.    type=dir\n    a.bin size=3 \\\n  \
             sha256digest={ONE}\n..\n"
        ),
        format!("{ONE} ?SHA256*a.bin\n"),
        format!("f1220{ONE}  a.bin\n"),
        format!("1220{ONE}  a.bin\n"),
        "70442016644541655152402734003600202635356315466104161106215165014334705036012672717772061732  a.bin\n"
            .to_owned(),
        "9537328926287461646421720246447139461140581652570730770590736690617910574003270125  a.bin\n".to_owned(),
        "ZpLvjvBJUubggJqznpLPxRHgUHQgiCCpkeyQHgfAedv29ac  a.bin\n".to_owned(),
        format!("magnet:?xl=3&dn=a%2Ebin&xt=urn:sha256:{ONE}\n"),
        format!("Package: x\nFilename: a.bin\nSize: 3\nSHA256: {ONE}\n"),
        format!("a.bin:\n--hash=sha256:{ONE}\n"),
        format!("SHA256   (a.bin) = {ONE}\n"),
        format!("SHA256 的 a.bin 哈希:\r\n{ONE}\r\n"),
        format!("\r\nHash      Path\r\n----      ----\r\n{upper} a.bin \r\n\r\n"),
        format!("\"Path\",\"Hash\"\r\n\"a.bin\",\"{upper}\"\r\n"),
        format!("type=dir mode=0755 .\ntype=file size=3 sha256={ONE} ./a.bin\n"),
        format!("Package: x\nDirectory: .\nChecksums-Sha256:\n {ONE} 3 a.bin\n"),
    ]
}

/// Each list matches, and `one` is the file that it refers to.
#[test]
fn lists_of_other_tools() {
    let folder = Folder::new();
    folder.write("a.bin", "one");
    for list in of_other_tools() {
        folder.write("list", &list);
        let checked = folder.hashwell(["sum", "-c", "--strict", "list"]);
        let verdict = stdout(&checked);
        assert!(checked.status.success() && verdict.contains("a.bin: OK"), "{list}{verdict}");
    }
}

/// Tags that are padded with spaces, and names that begin like comments, are not skipped.
#[test]
fn no_entry_is_skipped() {
    let folder = Folder::new();
    folder.write("a.bin", "one");
    folder.write("#1 b", "damaged");
    let sha1 = "fe05bcdcdc4928012781a5f1a2a77cbb5398e106";
    let groups = "7692C3AD 3540BB80 3C020B3A EE66CD88 87123234 EA0C6E71 43C0ADD7 3FF431ED";
    let sfv = stdout(&folder.hashwell(["sum", "--format", "sfv", "#1 b", "a.bin"]));
    for list in [
        format!("SHA1  (#1 b) = {sha1}\nMD5   (a.bin) = f97c5d29941bfb1b2fdab0874906ab82\n"),
        sfv.replace("#1 b ", "#1 b 0"),
        sfv.lines().map(|line| format!("{}\n", line.replace("#1 b ", "#1 b  "))).collect(),
        format!("a.bin: {groups}\n#1 b: {groups}\n"),
    ] {
        let list = list.replace("#1 b 0", "#1 b ");
        folder.write("#1 b", if list == sfv { "damaged too" } else { "damaged" });
        folder.write("list", &list);
        let checked = folder.hashwell(["sum", "-c", "list"]);
        let verdicts = stdout(&checked);
        let is_right = list.contains("#1 b  ");
        assert_eq!(checked.status.code(), Some(i32::from(!is_right)), "{list}{checked:?}");
        assert!(verdicts.contains(if is_right { "#1 b: OK" } else { "#1 b: FAILED\n" }), "{list}{checked:?}");
        assert!(verdicts.contains("a.bin: OK"), "{list}{checked:?}");
    }
    let tag = format!("SHA1  (x) = {sha1}");
    assert_eq!(stdout(&folder.hashwell(["sum", "--expect", &tag, "a.bin"])), "a.bin: OK\n");
    folder.write("old", format!("{tag}\n"));
    folder.write("new", tag.replace("  (", " ("));
    assert_eq!(folder.hashwell(["sum", "--compare", "old", "new"]).status.code(), Some(0));
}

/// If a name in an SFV list or in a heading of certutil can be read in several ways, the files decide.
#[test]
fn files_decide_names() {
    let folder = Folder::new();
    folder.write("a.bin", "one");
    let crc = "7A6C86F1";
    for (list, files) in [
        (format!("; x\nb  {crc}\n"), &["b", "b "][..]),
        (format!("SHA256 somme du fichier b c:\n{ONE}\n"), &["c", "b c"]),
        (format!("SHA256 的 b 哈希:\n{ONE}\n"), &["b"]),
    ] {
        folder.write("l.txt", &list);
        for i in 1..=files.len() {
            files[..i].iter().for_each(|file| folder.write(file, "one"));
            let checked = folder.hashwell(["sum", "-c", "l.txt"]);
            assert_eq!(stdout(&checked), format!("{}: OK\n", files[i - 1]), "{list}{checked:?}");
        }
        files.iter().for_each(|file| std::fs::remove_file(folder.path().join(file)).unwrap());
    }
    // The digest below an unknown heading is not that of the file after which the list is named.
    folder.write("l", "one");
    folder.write("l.txt", format!("SHA256 somme du fichier b:\n{ONE}\n"));
    let refused = folder.hashwell(["sum", "-c", "l.txt"]);
    assert_eq!((refused.status.code(), &stdout(&refused)[..]), (Some(1), ""), "{refused:?}");
}

/// SFV lists can have names with blanks at the beginning or end. A name of only blanks is refused.
#[test]
fn blanks_around_names_in_sfv_lists() {
    let folder = Folder::new();
    // The second line looks like the continuation of the first one in the format of `gpg --print-md`.
    let names = ["x:", "  ab", " a", "a", "a ", "a  ", " b\t", "\tc ", " ;d", " #e "];
    for name in names {
        folder.write(name, format!("content of {name:?}"));
    }
    let made = folder.hashwell([&["sum", "--format", "sfv"], &names[..]].concat());
    assert!(made.status.success(), "{made:?}");
    for list in ["L.sfv", "L.txt"] {
        folder.write(list, &made.stdout);
        let checked = folder.hashwell(["sum", "-c", "--strict", list]);
        let expected: String = names.iter().map(|name| format!("{name}: OK\n")).collect();
        assert_eq!((checked.status.code(), stdout(&checked)), (Some(0), expected), "{list}: {checked:?}");
    }
    folder.write(" ", "blank");
    let refused = folder.hashwell(["sum", "--format", "sfv", " ", "a"]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let said = "hashwell:  : a name of only blanks cannot be written in the SFV format\n";
    assert_eq!(stderr(&refused), said);
    assert!(stdout(&refused).lines().last().is_some_and(|line| line.starts_with("a ")), "{refused:?}");
}

/// In lists from Windows, the case of letters may differ if only one file fits.
#[cfg(target_os = "linux")]
#[test]
fn letter_case_in_windows_lists() {
    let folder = Folder::new();
    folder.write("Sub/A.bin", "one");
    let powershell = format!("\"Algorithm\",\"Hash\",\"Path\"\n\"SHA256\",\"{ONE}\",\"sub/a.BIN\"\n");
    let lists = [
        format!("{ONE}  SUB\\a.bin\n"),
        "; x\nsub/a.bin 7A6C86F1\n".to_owned(),
        powershell,
        format!("SHA256 hash of sub/a.bin:\n{ONE}\n"),
    ];
    let check = |list: &String| {
        folder.write("list", list);
        folder.hashwell(["sum", "-c", "list"])
    };
    for list in &lists {
        let checked = check(list);
        assert!(checked.status.success(), "{list}{checked:?}");
        assert!(stderr(&checked).contains("is missing; checking 'Sub/A.bin' instead"), "{list}{checked:?}");
    }
    assert_eq!(check(&format!("{ONE}  sub/a.bin\n")).status.code(), Some(1));
    // If two files fit, neither is checked.
    folder.write("Sub/a.Bin", "one");
    for list in &lists {
        let checked = check(list);
        assert_eq!(checked.status.code(), Some(1), "{list}{checked:?}");
        assert!(stdout(&checked).ends_with("FAILED open or read\n"), "{list}{checked:?}");
    }
}

/// `--compare` accepts the same spellings of names as `-c`, and empty lists.
#[test]
fn compared_spellings() {
    let folder = Folder::new();
    let compare = |old: &str, new: &str| {
        folder.write("old", old);
        folder.write("new", new);
        let compared = folder.hashwell(["sum", "--compare", "old", "new"]);
        (compared.status.code(), stdout(&compared), stderr(&compared))
    };
    let line = |name: &str| format!("{ONE}  {name}\n");
    for (old, new) in [("sub/x", "sub\\x"), ("\u{fc}", "u\u{308}"), ("a", "a "), ("sub/x", "SUB\\X")] {
        let (code, said, note) = compare(&line(old), &line(new));
        assert_eq!((code, &said[..]), (Some(0), ""), "{old}: {note}");
        assert!(note.contains("are compared as spellings of the same name"), "{note}");
    }
    assert_eq!(compare(&line("a"), &line("A")).1, "A: moved from a\n");
    // A name that is in both lists has only one spelling, and a name with two spellings is not paired.
    assert_eq!(compare(&line("a"), &(line("a") + &line("a "))).1, "a : added\n");
    assert_eq!(
        compare(&line("a/b"), &(line("a/b ") + &line("a\\b"))).1,
        "a/b : moved from a/b\na\\b: added\n"
    );
    assert_eq!(compare("", &line("a")), (Some(1), "a: added\n".to_owned(), String::new()));
    assert_eq!(compare(&line("a"), "# empty\n").1, "a: removed\n");
    assert_eq!(compare("", "nonsense\n").0, Some(1));
    let (code, said, warning) = compare(&line("a"), &(line("a") + "nonsense\n"));
    assert_eq!((code, &said[..]), (Some(0), ""));
    assert_eq!(warning, "hashwell: new: WARNING: 1 line is improperly formatted and not compared\n");
}

/// The comments of `--times` have the form of the list's format.
#[test]
fn comments_of_times() {
    let folder = Folder::new();
    folder.write("a", "one");
    let sfv = stdout(&folder.hashwell(["sum", "--times", "--format", "sfv", "a"]));
    assert!(sfv.lines().all(|line| line.starts_with(';') || line.starts_with("a ")), "{sfv}");
    folder.write("list", &sfv);
    folder.write("a", "changed");
    assert_eq!(folder.hashwell(["sum", "-c", "list"]).status.code(), Some(4));
    for format in ["bagit", "powershell", "record"] {
        let refused = folder.hashwell(["sum", "--times", "--format", format, "a"]);
        assert_eq!((refused.status.code(), &stdout(&refused)[..]), (Some(2), ""), "{refused:?}");
        assert!(stderr(&refused).contains("has no comments"), "{refused:?}");
    }
}

/// `--expect` accepts digests in groups of digits, with colons, and as multihashes.
#[test]
fn spellings_of_expected_digests() {
    let folder = Folder::new();
    folder.write("a", "one");
    let colons: Vec<&str> = (0..32).map(|i| &ONE[2 * i..2 * i + 2]).collect();
    for digest in [
        format!("{} {}", &ONE[..32], &ONE[32..]),
        format!("{}\n{}", &ONE[..40], &ONE[40..]),
        colons.join(":"),
        colons.join(":").to_uppercase(),
        format!("SHA256  (x) = {ONE}"),
        format!("{ONE}  {ONE}"),
        "z5duKfsNpXSNwCktisTR2jCgUNWaZYh".to_owned(),
        "mERT+Bbzc3EkoASeBpfGip3y7U5jhBg".to_owned(),
        "kmugl4u70az1l8j0htblo4kf894s7vubkz35o2xet5bbj95x1noq5".to_owned(),
    ] {
        let matches = folder.hashwell(["sum", "--expect", &digest, "a"]);
        assert_eq!(stdout(&matches), "a: OK\n", "{digest}: {matches:?}");
        folder.write("b", "two");
        assert_eq!(folder.hashwell(["sum", "--expect", &digest, "b"]).status.code(), Some(1), "{digest}");
    }
    // A list of one CRC without letters.
    folder.write("c", "35829");
    folder.write("list", "99999999  c\n");
    assert_eq!(stdout(&folder.hashwell(["sum", "-c", "list"])), "c: FAILED\n");
}

/// `--expect` accepts base64 without padding, and base64url, if the length is that of a digest.
#[test]
fn expected_digests_in_base64() {
    let folder = Folder::new();
    folder.write("a", "one");
    folder.write("b", "two");
    for (digest, options) in [
        ("dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=", &[][..]),
        ("dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0", &[]),
        ("dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z_0Me0=", &[]),
        (" dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z_0Me0\n", &[]),
        ("sha256:dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z_0Me0=", &[]),
        // MD5, SHA-1 and SHA-384.
        ("-XxdKZQb-xsv2rCHSQargg", &[]),
        ("-XxdKZQb-xsv2rCHSQargg==", &[]),
        ("_gW83NxJKAEngaXxoqd8u1OY4QY", &[]),
        ("SHA384", &[]),
        // A digest of 8 bytes.
        ("BLAKE3", &["-a", "blake3", "-l", "64"]),
    ] {
        let of = |algorithm: &[&str]| {
            let made = folder.hashwell([&["sum", "--no-names", "--base64", "a"], algorithm].concat());
            stdout(&made).trim().trim_end_matches('=').replace('+', "-").replace('/', "_")
        };
        let digest = match digest {
            "SHA384" => of(&["-a", "sha384"]),
            "BLAKE3" => of(options),
            digest => digest.to_owned(),
        };
        for (file, verdict, code) in [("a", "OK", 0), ("b", "FAILED", 1)] {
            let expected = format!("--expect={digest}");
            let checked = folder.hashwell([&["sum", &expected[..], file], options].concat());
            assert_eq!(checked.status.code(), Some(code), "{digest}: {checked:?}");
            assert!(stdout(&checked).starts_with(&format!("{file}: {verdict}")), "{digest}: {checked:?}");
        }
    }
    for (digest, options, why) in [
        // Bits after the last byte that are not zero, a wrong length, mixed alphabets, and wrong padding.
        ("dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z_0Me1", &[][..], "is not a digest (expected hexadecimal"),
        ("dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z_0Mw", &[], "is not a digest (expected hexadecimal"),
        ("dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z_0M+0", &[], "is not a digest (expected hexadecimal"),
        ("dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z_0Me0==", &[], "is not a digest (expected hexadecimal"),
        ("an_ordinary_word", &[], "is not a digest (expected hexadecimal"),
        ("7692c3ad3540bb803c020b3aee66cd8887123234ea0", &[], "the digest has 43 hexadecimal digits"),
        (
            "dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z_0Me0",
            &["-a", "sha512"],
            "the digest has 32 bytes, but the algorithm of -a does not have digests of that length",
        ),
    ] {
        let refused = folder.hashwell([&["sum", "--expect", digest, "a"], options].concat());
        assert_eq!(refused.status.code(), Some(2), "{digest}: {refused:?}");
        assert!(stderr(&refused).contains(why), "{digest}: {refused:?}");
    }
}

/// Formats that cannot be checked are named, and none of their files is reported as a mismatch.
#[test]
fn refused_by_name() {
    let folder = Folder::new();
    folder.write("a.bin", "one");
    for (list, name) in [
        (format!("{ONE} ^a.bin\n"), "shasum -0"),
        (format!("{ONE} Ua.bin\n"), "shasum -U"),
        (format!("{ONE}  a.bin offset 0-2\n"), "md5deep -p"),
        ("golang.org/x/sync v0.7.0 h1:YsImfSBoP9QPYL0xyKJPq0gcaJdG3rInoqxTWbfQu9M=\n".to_owned(), "go.sum"),
        (
            format!("a==1.0 \\\n    --hash=sha256:{ONE} \\\n    --hash=sha256:{ONE}\n"),
            "pip's requirements format (its lines have no file names)",
        ),
        (format!("a==1.0 --hash=sha256:{ONE}\n"), "pip's requirements format (its lines have no file names)"),
        ("a list of nothing\n".to_owned(), "formats tried"),
    ] {
        folder.write("list", &list);
        let checked = folder.hashwell(["sum", "-c", "list"]);
        let said = String::from_utf8_lossy(&checked.stderr).into_owned();
        assert!(checked.status.code() == Some(1) && said.contains(name), "{list}{said}");
        assert_eq!(stdout(&checked), "", "{list}");
    }
}

/// mtree's keyword `optional` allows a file to be missing, but not to differ.
#[test]
fn optional_files() {
    let folder = Folder::new();
    folder.write("a.bin", "one");
    folder.write("list", format!("#mtree\n./a.bin sha256={ONE}\n./gone optional sha256={ONE}\n"));
    let checked = folder.hashwell(["sum", "-c", "list"]);
    assert_eq!((checked.status.code(), &stdout(&checked)[..]), (Some(0), "./a.bin: OK\n"), "{checked:?}");
    assert_eq!(folder.hashwell(["sum", "--missing", "list"]).status.code(), Some(0));
    folder.write("gone", "two");
    let checked = folder.hashwell(["sum", "-c", "list"]);
    assert_eq!((checked.status.code(), &stdout(&checked)[..]), (Some(1), "./a.bin: OK\n./gone: FAILED\n"));
}

/// A file that isn't a list fails in every mode, and malformed lines are reported.
#[test]
fn names_only_of_what_is_no_list() {
    let folder = Folder::new();
    folder.write("a", "one");
    let malformed = "hashwell: WARNING: 1 line is improperly formatted\n";
    for option in ["--missing", "--new", "--changed-only"] {
        for list in ["", "garbage\n", "\0\x01\u{2}"] {
            folder.write("list", list);
            let failed = folder.hashwell(["sum", option, "list"]);
            assert_eq!(failed.status.code(), Some(1), "{option}: {failed:?}");
            assert!(stderr(&failed).contains("no properly formatted checksum lines"), "{option}: {failed:?}");
        }
        folder.write("d/list", format!("{ONE}  a\ngarbage\n"));
        let said = |options: &[&str]| {
            let output = folder.hashwell([&["sum", option], options, &["d/list"]].concat());
            (output.status.code(), stderr(&output).replace("hashwell: WARNING: 1 file is not listed\n", ""))
        };
        let code = Some(i32::from(option == "--new"));
        let said_less = |options| {
            let (found, said) = said(options);
            (found, said.replace("hashwell: WARNING: 1 listed file has no recorded time\n", ""))
        };
        assert_eq!(said_less(&[]), (code, malformed.to_owned()), "{option}");
        let (code, told) = said(&["--strict", "-w"]);
        assert_eq!(code, Some(1), "{option}");
        assert!(told.contains("d/list: 2: improperly formatted checksum line\n"), "{option}: {told}");
    }
}

/// Options that a task would ignore are refused, and nothing is written.
#[test]
fn options_without_effect() {
    let folder = Folder::new();
    folder.write("d/a", "one");
    folder.write("L", format!("{ONE}  d/a\n"));
    for task in [
        "-c L",
        "--outboard d/a",
        "--slice 0:1 d/a",
        "--resume S d/a",
        "--duplicates",
        "--compare L L",
        "--expect ab d/a",
        "--git-tree d",
        "--swhid d",
        "--nar d",
        "--go-h1 d",
        "--bagit d",
        "d/a",
    ] {
        for option in ["--dry-run", "--prune", "--accept"] {
            let refused = folder.hashwell(["sum", option].into_iter().chain(task.split(' ')));
            assert_eq!(refused.status.code(), Some(2), "{option} {task}: {refused:?}");
            assert!(stderr(&refused).contains("--update"), "{option} {task}: {refused:?}");
        }
    }
    for line in [
        "--bagit --keyed --key-hex 00 d",
        "--bagit --key-env HOME d",
        "--bagit --exclude x d",
        "--bagit --json d",
        "--bagit --salt x d",
        "--bagit --derive-key x d",
        "--bagit -l 256 d",
        "--bagit --raw d",
        "--bagit --sri d",
        "--bagit --base64 d",
        "--bagit --zero d",
        "--bagit --times d",
        "--bagit --new d",
        "--bagit --missing d",
        "--bagit --audit d",
        "--bagit --files-from L d",
        "--compare -a sha256 L L",
        "--compare --salt x L L",
        "--duplicates --strict d",
        "--expect ab --audit d/a",
        "--update L --missing d",
        "--git-tree --go-h1-prefix x d",
        "--go-h1 --nar-format sri d",
        "--git-tree --files-from L",
        "--outboard --device cpu:0 d/a",
        "--missing --format bsd L",
        "-c --root ab L",
    ] {
        let refused = folder.hashwell(["sum"].into_iter().chain(line.split(' ')));
        assert_eq!((refused.status.code(), &stdout(&refused)[..]), (Some(2), ""), "{line}: {refused:?}");
    }
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .chain(std::fs::read_dir(folder.path().join("d")).unwrap())
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["L", "a", "d"]);
    for (line, why) in [
        ("--update - d", "--update: - is not a file name"),
        ("--format sfv -a sha256 d/a", "--format sfv always writes CRC-32"),
        ("--slice 0:1 --to - d/a", "--to: - is not a file name"),
        ("--duplicates -a blake3 -l 64", "--duplicates needs digests of at least 16 bytes, not 8"),
        ("--expect b3 -a blake3 d/a", "the digest has 1 byte, but at least 16 are expected"),
        ("--expect blake3:b30102 d/a", "the digest has 3 bytes, but at least 16 are expected"),
        (
            "--expect abc123 d/a",
            "the digest has 3 bytes, but no algorithm has digests of that length by default",
        ),
        (
            "--expect abc1234 d/a",
            "the digest has 7 hexadecimal digits, but complete bytes have an even number",
        ),
        ("--expect nothing d/a", "'nothing' is not a digest"),
    ] {
        let refused = folder.hashwell(["sum"].into_iter().chain(line.split(' ')));
        assert_eq!(refused.status.code(), Some(2), "{line}: {refused:?}");
        assert!(stderr(&refused).contains(why), "{line}: {refused:?}");
    }
}

/// A short digest is only accepted if its algorithm and its length are stated.
#[test]
fn short_digests() {
    let folder = Folder::new();
    folder.write("a", "one");
    let short = stdout(&folder.hashwell(["sum", "-a", "blake3", "--length-bytes", "8", "--untagged", "a"]));
    folder.write("L", &short);
    let failed = folder.hashwell(["sum", "-c", "L"]);
    assert_eq!(failed.status.code(), Some(1), "{failed:?}");
    assert!(stderr(&failed).contains("digests of 8 bytes") && stderr(&failed).contains("-a"), "{failed:?}");
    assert_eq!(stdout(&folder.hashwell(["sum", "-c", "-a", "blake3", "L"])), "a: OK\n");
    let digest = short.split(' ').next().unwrap();
    for expected in [&["-a", "blake3", "-l", "64"][..], &["-a", "blake3", "--length-bytes", "8"]] {
        let matches = folder.hashwell([&["sum", "--expect", digest, "a"], expected].concat());
        assert_eq!(stdout(&matches), "a: OK\n", "{matches:?}");
    }
    let tagged = format!("BLAKE3-64 (a) = {digest}");
    assert_eq!(stdout(&folder.hashwell(["sum", "--expect", &tagged, "a"])), "a: OK\n");
}

#[test]
fn a_list_is_kept() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("d")).unwrap();
    folder.write("d/a", "one");
    assert_eq!(stdout(&folder.hashwell(["sum", "--update", "L", "d"])), "d/a: added\n");
    folder.write("d/b", "two");
    let tried = folder.hashwell(["sum", "--update", "L", "d", "--dry-run"]);
    assert_eq!(stdout(&tried), "d/b: added\n");
    assert_eq!(stdout(&folder.hashwell(["sum", "-c", "--new", "L"])), "d/b: not listed\n");
    assert_eq!(stdout(&folder.hashwell(["sum", "--update", "L"])), "d/b: added\n");
    std::fs::remove_file(folder.path().join("d/b")).unwrap();
    assert_eq!(stdout(&folder.hashwell(["sum", "-c", "--missing", "L"])), "d/b: missing\n");
    assert_eq!(stdout(&folder.hashwell(["sum", "--update", "L", "--prune"])), "d/b: removed\n");
    let list = std::fs::read_to_string(folder.path().join("L")).unwrap();
    assert!(
        list.starts_with("#hashwell: size=3 mtime=") && list.ends_with(&format!("{ONE}  d/a\n")),
        "{list}"
    );
}

/// The exit code and the messages distinguish an edited file from one with bit rot. A folder that does not exist is an
/// error, and a list in the folder does not list itself.
#[test]
fn updates_of_odd_folders() {
    let folder = Folder::new();
    let missing = folder.hashwell(["sum", "--update", "E", "nope"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).starts_with("hashwell: nope: No such file or directory\n"), "{missing:?}");
    folder.write("d/x", "x");
    for added in [1, 0] {
        let updated = folder.hashwell(["sum", "--update", "d/L", "d"]);
        assert_eq!(updated.status.code(), Some(0));
        let counts = format!("hashwell: {added} added, 0 changed, 0 missing, {} unchanged\n", 1 - added);
        assert_eq!(stderr(&updated), counts);
    }
    let duplicates = folder.hashwell(["sum", "--duplicates", "nope"]);
    assert_eq!(duplicates.status.code(), Some(1));
    assert_eq!(stderr(&duplicates), "hashwell: nope: No such file or directory\n");
}

/// Lists are never mixed or shortened without a message: contradicting digests and a wrong guess are rejected.
#[test]
fn updates_of_doubtful_lists() {
    let folder = Folder::new();
    folder.write("d/x", "one");
    folder.write("d/y", "two");
    let twice = format!("{}  d/x\n{ONE}  d/x\n", "0".repeat(64));
    folder.write("twice", &twice);
    let refused = folder.hashwell(["sum", "--update", "twice", "d"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("line 2: d/x has a different digest in an earlier"), "{refused:?}");
    assert_eq!(std::fs::read_to_string(folder.path().join("twice")).unwrap(), twice);
    // A list of BLAKE3 that does not name its algorithm.
    let plain = stdout(&folder.hashwell(["sum", "-a", "blake3", "--untagged", "d/x"]));
    folder.write("plain", &plain);
    let refused = folder.hashwell(["sum", "--update", "plain", "d"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("no checksum matches the guessed algorithm sha256"), "{refused:?}");
    assert_eq!(std::fs::read_to_string(folder.path().join("plain")).unwrap(), plain);
    let given = folder.hashwell(["sum", "--update", "plain", "-a", "blake3", "d"]);
    assert_eq!(given.status.code(), Some(0), "{given:?}");
    // From now on, it names its algorithm.
    folder.write("d/z", "three");
    let again = folder.hashwell(["sum", "--update", "plain", "d"]);
    assert_eq!(again.status.code(), Some(0), "{again:?}");
    let text = std::fs::read_to_string(folder.path().join("plain")).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("BLAKE3 (d/")).count(), 3, "{text}");
    // A new list of BLAKE3 names its algorithm, unless its file name does.
    for (list, is_tagged) in [("new", true), ("new.b3", false)] {
        assert_eq!(folder.hashwell(["sum", "--update", list, "-a", "blake3", "d"]).status.code(), Some(0));
        let text = std::fs::read_to_string(folder.path().join(list)).unwrap();
        let line = text.lines().find(|line| !line.starts_with('#')).unwrap();
        assert_eq!(line.starts_with("BLAKE3 ("), is_tagged, "{list}: {line}");
        let checked = folder.hashwell(["sum", "-c", list]);
        assert_eq!(checked.status.code(), Some(0), "{checked:?}");
    }
}

/// Comments and blank lines stay between the same files when others are added, changed or removed.
#[test]
fn comments_of_updated_lists_stay() {
    let folder = Folder::new();
    for name in ["a", "b", "c", "d"] {
        folder.write(format!("d/{name}"), name);
    }
    let digests = stdout(&folder.hashwell(["sum", "d/a", "d/b", "d/c"]));
    let [a, b, c] = digests.lines().collect::<Vec<_>>()[..] else { panic!("{digests}") };
    // The last comment would change untagged lines below it to BLAKE3.
    folder.write("L", format!("# first\n\n{a}\n; of b\n# and more\n{b}\n{c}\n\n# no BLAKE3 here\n"));
    let plain = || {
        let text = std::fs::read_to_string(folder.path().join("L")).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with("#hashwell: "));
        lines.map(|line| line.rsplit("  ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    std::fs::remove_file(folder.path().join("d/b")).unwrap();
    let ends = ["d/c", "d/d", "", "# no BLAKE3 here"];
    for (options, middle) in
        [(&[][..], &["; of b", "# and more", "d/b"][..]), (&["--prune"], &["; of b", "# and more"])]
    {
        let updated = folder.hashwell([&["sum", "--update", "L", "d"], options].concat());
        assert!(updated.status.success(), "{updated:?}");
        assert_eq!(plain(), [&["# first", "", "d/a"], middle, &ends].concat());
    }
    let checked = folder.hashwell(["sum", "-c", "L"]);
    assert_eq!(stdout(&checked), "d/a: OK\nd/c: OK\nd/d: OK\n", "{checked:?}");
    // If a list contains only comments, `--update` adds the new lines below them. The lines have tags if the comments
    // name a different algorithm.
    folder.write("new", "# BLAKE3\n");
    assert!(folder.hashwell(["sum", "--update", "new", "d"]).status.success());
    let text = std::fs::read_to_string(folder.path().join("new")).unwrap();
    assert!(text.starts_with("# BLAKE3\n#hashwell: ") && text.contains("SHA256 (d/a) = "), "{text}");
    assert!(folder.hashwell(["sum", "-c", "new"]).status.success());
    // Updating would lose the signature.
    folder.write("signed", format!("# comment\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{a}\n"));
    let refused = folder.hashwell(["sum", "--update", "signed", "d"]);
    assert!(stderr(&refused).contains("the list is signed"), "{refused:?}");
}

#[test]
fn edited_or_rotten() {
    let folder = Folder::new();
    folder.write("f", "one");
    let line = |mtime: &str| {
        format!(
            "{{\"algorithm\":\"sha256\",\"digest\":\"{ONE}\",\"name\":\"f\",\"size\":3,\"mtime\":\"{mtime}\"}}\n"
        )
    };
    folder.write("f", "tvo");
    let at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let file = std::fs::File::options().write(true).open(folder.path().join("f")).unwrap();
    file.set_modified(at).unwrap();
    for (mtime, code, word) in [("1000000000.0", 5, "rotten"), ("999999999.0", 4, "edited")] {
        folder.write("L", line(mtime));
        let checked = folder.hashwell(["sum", "-c", "L"]);
        assert_eq!(checked.status.code(), Some(code));
        assert!(stdout(&checked).contains(word), "{}", stdout(&checked));
    }
}

#[test]
fn a_bag_is_made_and_checked() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("bag")).unwrap();
    folder.write("bag/100%25", "one");
    assert_eq!(stdout(&folder.hashwell(["sum", "--bagit", "bag"])), "bag: bag made\n");
    assert_eq!(stdout(&folder.hashwell(["sum", "--bagit", "bag"])), "bag: OK\n");
    folder.write("bag/data/100%25", "two");
    let checked = folder.hashwell(["sum", "--bagit", "bag"]);
    assert_eq!((checked.status.code(), stdout(&checked).as_str()), (Some(1), "bag: FAILED\n"));
}

/// A bag whose `bagit.txt` is missing is not made into a new bag.
#[test]
fn incomplete_bags() {
    let folder = Folder::new();
    folder.write("bag/a", "one");
    assert!(folder.hashwell(["sum", "--bagit", "bag"]).status.success());
    std::fs::remove_file(folder.path().join("bag/bagit.txt")).unwrap();
    folder.write("bag/data/a", "two");
    let refused = folder.hashwell(["sum", "--bagit", "bag"]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let said = stderr(&refused);
    assert!(
        said.starts_with("hashwell: bag: looks like an incomplete bag") && said.lines().count() == 1,
        "{said}"
    );
    assert!(folder.path().join("bag/manifest-sha512.txt").exists());
    assert!(!folder.path().join("bag/bagit.txt").exists());
}

/// The names in a manifest may have a different normalization form than the files.
#[cfg(target_os = "linux")]
#[test]
fn normalization_forms_in_bags() {
    let folder = Folder::new();
    folder.write("bag/\u{fc}", "one");
    assert!(folder.hashwell(["sum", "--bagit", "bag"]).status.success());
    let data = folder.path().join("bag/data");
    std::fs::rename(data.join("\u{fc}"), data.join("u\u{308}")).unwrap();
    let checked = folder.hashwell(["sum", "--bagit", "bag"]);
    assert_eq!(stdout(&checked), "bag: OK\n", "{checked:?}");
    let note = "'data/\u{fc}' is missing; checking 'data/u\u{308}' instead";
    assert_eq!(stderr(&checked), format!("hashwell: bag/manifest-sha512.txt: {note}\n"));
    // The manifest lists only one of two files.
    folder.write("bag/data/\u{fc}", "one");
    assert_eq!(folder.hashwell(["sum", "--bagit", "bag"]).status.code(), Some(1));
}

/// A bag with a wrong declaration, with a file that is listed twice, or with links out of it is not valid.
#[test]
fn invalid_bags() {
    let bag = |change: &dyn Fn(&Folder)| {
        let folder = Folder::new();
        folder.write("bag/a", "one");
        assert!(folder.hashwell(["sum", "--bagit", "bag"]).status.success());
        change(&folder);
        let checked = folder.hashwell(["sum", "--bagit", "bag"]);
        (checked.status.code(), stdout(&checked), stderr(&checked))
    };
    let encoding = "Tag-File-Character-Encoding: UTF-8\n";
    for (text, why) in [
        (String::new(), "expected the line 'BagIt-Version: 1.0'"),
        ("hello".to_owned(), "expected the line 'BagIt-Version: 1.0'"),
        ("BagIt-Version: 1.0\n".to_owned(), "expected the line 'Tag-File-Character-Encoding: UTF-8'"),
        (format!("BagIt-Version: 9.9\n{encoding}"), "version '9.9' is not supported"),
        (format!("BagIt-Version: x\n{encoding}"), "version 'x' is not supported"),
        (format!("\u{feff}BagIt-Version: 1.0\n{encoding}"), "begins with a byte order mark"),
        (format!("BagIt-Version: 1.0\n{encoding}x\n"), "has more than two lines"),
        (
            "BagIt-Version: 1.0\nTag-File-Character-Encoding: NOPE\n".to_owned(),
            "encoding 'NOPE' is not supported (only UTF-8)",
        ),
    ] {
        let (code, out, err) = bag(&|folder| {
            std::fs::remove_file(folder.path().join("bag/tagmanifest-sha512.txt")).unwrap();
            folder.write("bag/bagit.txt", &text);
        });
        assert_eq!((code, &out[..]), (Some(1), "bag: FAILED\n"), "{text}");
        assert!(err.starts_with(&format!("hashwell: bag/bagit.txt: {why}")), "{text}: {err}");
    }
    let valid = bag(&|folder| {
        std::fs::remove_file(folder.path().join("bag/tagmanifest-sha512.txt")).unwrap();
        folder.write("bag/bagit.txt", "BagIt-Version: 0.97\r\nTag-File-Character-Encoding: utf-8\r\n");
    });
    assert_eq!(valid, (Some(0), "bag: OK\n".to_owned(), String::new()));
    let (code, _, err) = bag(&|folder| {
        let path = folder.path().join("bag/manifest-sha512.txt");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, format!("{text}{}", text.replace("data/a", "data/./a"))).unwrap();
        std::fs::remove_file(folder.path().join("bag/tagmanifest-sha512.txt")).unwrap();
    });
    assert_eq!((code, &err[..]), (Some(1), "hashwell: bag/data/a: listed twice in manifest-sha512.txt\n"));
    for (name, why) in [
        ("data", "the folder of the payload is a symbolic link"),
        ("bag-info.txt", "listed in tagmanifest-sha512.txt, but a link in its path leads out of the bag"),
    ] {
        let (code, out, err) = bag(&|folder| {
            let path = folder.path().join("bag").join(name);
            std::fs::rename(&path, folder.path().join("outside")).unwrap();
            std::os::unix::fs::symlink("../outside", path).unwrap();
        });
        let why = format!("hashwell: bag/{name}: {why}\n");
        assert_eq!((code, &out[..], err), (Some(1), "bag: FAILED\n", why));
    }
}

/// The files in `fetch.txt` must be present, have the length there, and be in a payload manifest.
#[test]
fn fetch_files_of_bags() {
    let folder = Folder::new();
    folder.write("bag/a", "one");
    folder.write("bag/100%\n", "three");
    assert!(folder.hashwell(["sum", "--bagit", "bag"]).status.success());
    let check = |fetch: &str| {
        folder.write("bag/fetch.txt", fetch);
        let checked = folder.hashwell(["sum", "--bagit", "bag"]);
        (checked.status.code(), stdout(&checked), stderr(&checked))
    };
    let good = "https://example.org/a 3 data/a\r\nhttps://example.org/b\t-\tdata/100%25%0a\n";
    assert_eq!(check(good), (Some(0), "bag: OK\n".to_owned(), String::new()));
    for (fetch, why) in [
        ("https://x.org/a 4 data/a\n", "data/a: wrong length: got 3 bytes, expected 4 (fetch.txt:1)"),
        (
            "https://x.org/a 3\n",
            "fetch.txt:1: incomplete line: got 'https://x.org/a 3', expected URL LENGTH PATH",
        ),
        (
            "\nhttps://x.org/a 3x data/a\n",
            "fetch.txt:2: invalid length: got '3x', expected a number of bytes or -",
        ),
        (
            "x.org/a 3 data/a\n",
            "fetch.txt:1: invalid URL: got 'x.org/a', expected a URL with a scheme, such as https://example.org/x",
        ),
        (
            "https://x.org/a 3 bagit.txt\n",
            "fetch.txt:1: invalid path: got 'bagit.txt', expected a path below data/ without ..",
        ),
    ] {
        let said = format!("hashwell: bag/{why}\n");
        assert_eq!(check(fetch), (Some(1), "bag: FAILED\n".to_owned(), said), "{fetch}");
    }
    // A file that is neither present nor in a manifest.
    let said = "hashwell: bag/data/c: missing; fetch.txt gives its URL https://x.org/c\n\
                hashwell: bag/data/c: not in manifest-sha512.txt\n";
    assert_eq!(check("https://x.org/c - data/c\n"), (Some(1), "bag: FAILED\n".to_owned(), said.to_owned()));
    // Each absent file is reported once, with its URL. The Oxum includes it.
    std::fs::remove_file(folder.path().join("bag/data/100%\n")).unwrap();
    let said = "hashwell: \"bag/data/100%\\n\": missing; fetch.txt gives its URL https://example.org/b\n";
    assert_eq!(check(good), (Some(1), "bag: FAILED\n".to_owned(), said.to_owned()));
    // The other files are still checked.
    folder.write("bag/data/a", "two");
    let (_, _, said) = check(good);
    assert!(said.contains("bag/data/a: does not match the digest in manifest-sha512.txt\n"), "{said}");
}

/// A manifest is UTF-8, so files with other names are refused before anything is moved.
#[cfg(target_os = "linux")]
#[test]
fn names_in_bags_are_text() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"bag/\xff");
    folder.write(name, "one");
    let refused = folder.hashwell(["sum", "--bagit", "bag"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).ends_with("the names in a bag must be UTF-8\n"), "{refused:?}");
    assert!(folder.path().join(name).exists());
}
