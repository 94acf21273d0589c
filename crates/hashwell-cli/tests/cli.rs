//! The command as users meet it: formats, repairs, errors, exit codes.

use crate::common;

use common::{Folder, assert_ran, stderr, stdout};
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const ABC_B64: &str = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("abc", "abc");
    folder
}

#[test]
fn standard_input_is_the_default() {
    let folder = folder();
    for args in [&["sum"][..], &["sum", "-"]] {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"abc").unwrap();
        assert_ran(&child.wait_with_output().unwrap(), 0, &format!("{ABC}  -\n"), "");
    }
}

#[test]
fn formats() {
    let folder = folder();
    std::fs::File::options()
        .write(true)
        .open(folder.path().join("abc"))
        .unwrap()
        .set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_577_836_800))
        .unwrap();
    let run = |options: &[&str]| stdout(&folder.hashwell([&["sum"], options, &["abc"]].concat()));
    assert_eq!(run(&["--base64"]), format!("{ABC_B64}  abc\n"));
    assert_eq!(run(&["--tag", "--base64"]), format!("SHA256 (abc) = {ABC_B64}\n"));
    assert_eq!(run(&["--sri"]), format!("sha256-{ABC_B64}  abc\n"));
    assert_eq!(run(&["--zero"]), format!("{ABC}  abc\0"));
    assert_eq!(run(&["-a", "shake128", "-l", "64"]), "5881092dd818bf5c  abc\n");
    assert_eq!(run(&["-a", "shake128", "-l", "64", "--tag"]), "SHAKE128-64 (abc) = 5881092dd818bf5c\n");
    assert_eq!(
        run(&["-a", "sha1", "-a", "sha256"]),
        format!("SHA1 (abc) = a9993e364706816aba3e25717850c26c9cd0d89d\nSHA256 (abc) = {ABC}\n")
    );
    assert_eq!(
        run(&["--json"]),
        format!(
            "{{\"algorithm\":\"sha256\",\"bits\":256,\"digest\":\"{ABC}\",\"mtime\":\"1577836800.000000000\",\"name\":\"abc\",\"size\":3}}\n"
        )
    );
    let raw = folder.hashwell(["sum", "--raw", "abc"]).stdout;
    assert_eq!((raw.len(), raw[0]), (32, 0xba));
}

#[test]
fn json_of_a_name_that_is_not_text() {
    let folder = Folder::new();
    let name = OsStr::from_bytes(b"\xff");
    folder.write(name, "");
    let output = folder.hashwell([OsStr::new("sum"), OsStr::new("--json"), name]);
    assert!(stdout(&output).contains("\"name_b64\":\"/w==\""), "{}", stdout(&output));
}

#[test]
fn every_algorithm_sums_and_checks() {
    let folder = folder();
    let names: Vec<&str> = hashwell::ALGORITHMS.iter().flat_map(|a| ["-a", a.name]).collect();
    let summed = folder.hashwell([&["sum"], &names[..], &["abc"]].concat());
    assert_eq!(stdout(&summed).lines().count(), hashwell::ALGORITHMS.len());
    folder.write("list", &summed.stdout);
    let checked = folder.hashwell(["sum", "-c", "--strict", "list"]);
    assert_ran(&checked, 0, &"abc: OK\n".repeat(hashwell::ALGORITHMS.len()), "");
    folder.write("abc", "abd");
    let checked = folder.hashwell(["sum", "-c", "--status", "list"]);
    assert_ran(&checked, 1, "", "");
}

/// Files are sorted by bytes, depth first, with any number of threads.
#[test]
fn directories() {
    let folder = Folder::new();
    for i in 0..300 {
        folder.write(format!("d/{}/{i}", i % 7), [i as u8; 100]);
    }
    for name in ["d/B", "d/a", "d/a.txt", "d/a-b/x"] {
        folder.write(name, name);
    }
    let one = folder.hashwell(["sum", "-r", "-j1", "d"]);
    assert_eq!(one.status.code(), Some(0));
    let names: Vec<String> = stdout(&one).lines().map(|l| l[66..].to_owned()).collect();
    let mut sorted = names.clone();
    sorted.sort_by(|a, b| a.split('/').cmp(b.split('/')));
    assert_eq!((names.len(), &names), (304, &sorted));
    for jobs in ["-j2", "-j9"] {
        assert_eq!(folder.hashwell(["sum", "-r", jobs, "d"]).stdout, one.stdout);
    }
    let without = folder.hashwell(["sum", "d", "d/a"]);
    assert_eq!((without.status.code(), &stderr(&without)[..]), (Some(1), "hashwell: d: Is a directory\n"));
    assert_eq!(stdout(&without).lines().count(), 1, "goes on with the next file");
}

#[test]
fn links_and_special_files() {
    let folder = Folder::new();
    folder.write("d/file", "x");
    std::os::unix::fs::symlink("file", folder.path().join("d/link")).unwrap();
    std::os::unix::fs::symlink("..", folder.path().join("d/up")).unwrap();
    std::os::unix::net::UnixListener::bind(folder.path().join("d/socket")).unwrap();
    let Some(_) = folder.tool("mkfifo", ["d/fifo"]) else { return };
    let plain = folder.hashwell(["sum", "-r", "d"]);
    assert_eq!(plain.status.code(), Some(0));
    assert_eq!(stdout(&plain).lines().count(), 1);
    assert_eq!(
        stderr(&plain),
        "hashwell: skipped 2 symbolic links (d/link, …), 2 special files (d/fifo, …)\n"
    );
    let followed = folder.hashwell(["sum", "-rL", "d"]);
    assert_eq!(stdout(&followed).lines().count(), 2, "file and link");
    assert_eq!(
        stderr(&followed),
        "hashwell: skipped 1 link to an enclosing directory (d/up/d), 2 special files (d/fifo, …)\n"
    );
    assert_eq!(folder.hashwell(["sum", "d/link"]).status.code(), Some(0), "a named link is followed");
    // A named FIFO is read, as by any other program.
    let mut child = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let child = child.args(["sum", "d/fifo"]).stdout(Stdio::piped()).spawn().unwrap();
    std::fs::write(folder.path().join("d/fifo"), "abc").unwrap();
    assert_ran(&child.wait_with_output().unwrap(), 0, &format!("{ABC}  d/fifo\n"), "");
}

#[test]
fn repaired_lists() {
    let folder = folder();
    let check = |bytes: &[u8], note: &str| {
        folder.write("SHA256SUMS", bytes);
        let err = if note.is_empty() { String::new() } else { format!("hashwell: SHA256SUMS: {note}\n") };
        assert_ran(&folder.hashwell(["sum", "-c", "--strict", "SHA256SUMS"]), 0, "abc: OK\n", &err);
    };
    let line = format!("{ABC}  abc");
    check(format!("{line}\n").as_bytes(), "");
    check(format!("{line}\r\n").as_bytes(), "the list has CRLF line endings");
    check(format!("\u{feff}{line}\n").as_bytes(), "the byte order mark was skipped");
    let utf16: Vec<u8> = format!("\u{feff}{line}\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    check(&utf16, "the list was read as UTF-16; the list has CRLF line endings");
    let signed = format!(
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{line}\n-----BEGIN PGP SIGNATURE-----\n\n\
         iQ==\n-----END PGP SIGNATURE-----\n"
    );
    check(signed.as_bytes(), "the PGP signature is not verified");
    check(format!("\n# comment\n{line}\n\n").as_bytes(), "");
}

#[test]
fn a_digest_alone_is_about_the_file_beside() {
    let folder = Folder::new();
    folder.write("d/x.tar.gz", "abc");
    folder.write("d/x.tar.gz.sha256", format!("{ABC}\n"));
    assert_ran(&folder.hashwell(["sum", "-c", "d/x.tar.gz.sha256"]), 0, "d/x.tar.gz: OK\n", "");
    folder.write("d/x.tar.gz.sri", format!("sha256-{ABC_B64}"));
    assert_ran(&folder.hashwell(["sum", "-c", "d/x.tar.gz.sri"]), 0, "d/x.tar.gz: OK\n", "");
}

#[test]
fn the_algorithm_is_found_or_guessed_and_said() {
    let folder = folder();
    let sha512 = stdout(&folder.hashwell(["sum", "-a", "sha512", "abc"]));
    let sha3 = stdout(&folder.hashwell(["sum", "-a", "sha3-256", "abc"]));
    folder.write("list", &sha512);
    let guessed = "hashwell: list: the algorithm is not named; assuming SHA512 from the length of the digest \
                   (use -a to choose another)\n";
    assert_ran(&folder.hashwell(["sum", "-c", "list"]), 0, "abc: OK\n", guessed);
    assert_ran(&folder.hashwell(["sum", "-c", "--status", "list"]), 0, "", "");
    folder.write("list", &sha3);
    let other = "hashwell: list: the algorithm is not named, and 1 checksum matches sha3-256, not sha256\n";
    assert_ran(&folder.hashwell(["sum", "-c", "list"]), 0, "abc: OK (sha3-256)\n", other);
    assert_ran(&folder.hashwell(["sum", "-c", "-a", "sha3-256", "list"]), 0, "abc: OK\n", "");
    folder.write("abc.sha3-256", &sha3);
    assert_ran(&folder.hashwell(["sum", "-c", "abc.sha3-256"]), 0, "abc: OK\n", "");
    let mixed = format!("{sha512}{}SHA3-256 (abc) = {}", ABC.to_owned() + "  abc\n", &sha3[..64]);
    folder.write("list", mixed);
    assert_ran(&folder.hashwell(["sum", "-c", "list"]), 0, &"abc: OK\n".repeat(3), guessed);
}

/// For the algorithm that `sum` uses by default, no guess is reported unless the checksum does not match.
#[test]
fn the_usual_algorithm_is_no_guess() {
    let folder = folder();
    folder.write("list", folder.hashwell(["sum", "abc"]).stdout);
    assert_ran(&folder.hashwell(["sum", "-c", "list"]), 0, "abc: OK\n", "");
    folder.write("list", format!("{}  abc\n", "0".repeat(64)));
    let checked = folder.hashwell(["sum", "-c", "list"]);
    assert_eq!((checked.status.code(), stdout(&checked)), (Some(1), "abc: FAILED\n".to_owned()));
    let tried = "hashwell: list: the algorithm is not named, and 1 checksum matches none of the 21 algorithms with \
         digests of the same length (sha256, sha512-256, sm3, …); hashwell does not support these algorithms with \
         digests of the same length: edonr256, gost, ";
    assert!(stderr(&checked).starts_with(tried), "{}", stderr(&checked));
    // If other files match, the algorithm is known well enough.
    folder.write("other", "other");
    let right = stdout(&folder.hashwell(["sum", "other"]));
    folder.write("list", format!("{right}{}  abc\n", "0".repeat(64)));
    let checked = folder.hashwell(["sum", "-c", "list"]);
    assert!(!stderr(&checked).contains("does not support"), "{}", stderr(&checked));
    assert_ran(&folder.hashwell(["sum", "-c", "--status", "list"]), 1, "", "");
}

/// A correct file never fails, even if its algorithm is guessed from the digest length.
#[test]
fn a_wrong_guess_is_no_wrong_file() {
    let folder = folder();
    folder.write("large", vec![9; 100_000]);
    for i in 0..40 {
        folder.write(format!("d/{i}"), i.to_string());
    }
    for algorithm in hashwell::ALGORITHMS.iter().filter(|row| row.status != hashwell::Status::Broken) {
        let name = algorithm.name;
        let list = folder.hashwell(["sum", "-r", "-a", name, "d", "abc", "large"]);
        folder.write("list", list.stdout);
        for jobs in if name.starts_with("sha3") { &["-j1", "-j3"][..] } else { &["-j2"] } {
            let checked = folder.hashwell(["sum", "-c", jobs, "list"]);
            assert_eq!(checked.status.code(), Some(0), "{name}: {}", stderr(&checked));
            // cSHAKE without a name and a customization is the same as SHAKE.
            let found = name.strip_prefix('c').filter(|_| name.starts_with("cshake")).unwrap_or(name);
            let guessed = ["sha224", "sha256", "sha384", "sha512"].contains(&name);
            let verdict = if guessed { ": OK\n".to_owned() } else { format!(": OK ({found})\n") };
            assert_eq!(stdout(&checked).matches(&verdict).count(), 42, "{name}: {}", stdout(&checked));
            let said = format!("the algorithm is not named, and 42 checksums match {found}, not ");
            assert_eq!(
                stderr(&checked).matches(&said).count(),
                usize::from(!guessed),
                "{}",
                stderr(&checked)
            );
        }
        folder.write("d/7", "other");
        let checked = folder.hashwell(["sum", "-c", "--quiet", "list"]);
        assert_eq!(
            (checked.status.code(), stdout(&checked)),
            (Some(1), "d/7: FAILED\n".to_owned()),
            "{name}"
        );
        assert!(stderr(&checked).contains("1 checksum matches none of"), "{}", stderr(&checked));
        folder.write("d/7", "7");
    }
    // A length that was chosen with `-l` is recognized, too. A broken algorithm is only used if it is named or is the
    // first guess.
    for (algorithm, bits, found) in [("blake2b", "128", "blake2b-128"), ("blake3", "160", "blake3-160")] {
        folder.write("list", folder.hashwell(["sum", "-a", algorithm, "-l", bits, "abc"]).stdout);
        let checked = folder.hashwell(["sum", "-c", "list"]);
        let verdict = format!("abc: OK ({found})\n");
        assert_eq!((checked.status.code(), stdout(&checked)), (Some(0), verdict), "{}", stderr(&checked));
    }
    folder.write("list.blake3", folder.hashwell(["sum", "-a", "sha1", "abc"]).stdout);
    assert_eq!(folder.hashwell(["sum", "-c", "list.blake3"]).status.code(), Some(1));
    // An algorithm that is given by `-a`, or by a tag in the list, has priority over guesses.
    folder.write("list", folder.hashwell(["sum", "-a", "sm3", "abc"]).stdout);
    let err = "hashwell: WARNING: 1 computed checksum did NOT match\n";
    assert_ran(&folder.hashwell(["sum", "-c", "-a", "sha256", "list"]), 1, "abc: FAILED\n", err);
    assert_ran(&folder.hashwell(["sum", "-c", "-a", "sha256", "-a", "sm3", "list"]), 0, "abc: OK\n", "");
    let json = "{\"algorithm\":\"sm3\",\"bits\":256,\"name\":\"abc\",\"verdict\":\"ok\"}\n";
    assert_eq!(stdout(&folder.hashwell(["sum", "-c", "--json", "list"])), json);
    folder.write("list", format!("{}  abc\n", "0".repeat(64)));
    let json = stdout(&folder.hashwell(["sum", "-c", "--json", "list"]));
    assert!(json.contains("\"tried\":[\"sha256\",\"sha512-256\""), "{json}");
    // Input that cannot be read twice is read only once.
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    folder.write("list", format!("{}  -\n", "0".repeat(64)));
    let mut child = command
        .args(["sum", "-c", "list"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"abc").unwrap();
    assert_ran(&child.wait_with_output().unwrap(), 1, "-: FAILED\n", err);
}

/// Comments, tags and headings above a line name its algorithm.
#[test]
fn algorithms_named_above() {
    let folder = folder();
    let of = |algorithm: &str| stdout(&folder.hashwell(["sum", "-a", algorithm, "abc"]));
    let tagged = |algorithm: &str| stdout(&folder.hashwell(["sum", "--tag", "-a", algorithm, "abc"]));
    let (b2, sha512) = (of("blake2b"), of("sha512"));
    let (b3, md5) = (of("blake3"), "900150983cd24fb0d6963f7d28e17f72");
    for list in [
        format!("# BLAKE2B HASH\n{b2}# SHA512 HASH\n{sha512}"),
        format!("; made by b2sum\n{b2}"),
        format!("{}{b2}", tagged("blake2b")),
        format!("Checksums-Sha512:\n {} 3 abc\nFormat: 3.0 (quilt)\n", &sha512[..128]),
        format!("BLAKE3:\n {}                3 abc\n", &b3[..64]),
        format!("SHA256 hash of abc:\r\n{ABC}\r\nCertUtil: -hashfile command completed successfully.\r\n"),
    ] {
        folder.write("list", &list);
        let checked = folder.hashwell(["sum", "-c", "list"]);
        assert_eq!(checked.status.code(), Some(0), "{list}{}", stderr(&checked));
        assert!(stdout(&checked).lines().all(|line| line == "abc: OK"), "{list}{}", stdout(&checked));
        assert!(!stderr(&checked).contains("the algorithm is not named"), "{list}{}", stderr(&checked));
    }
    // A comment with two algorithms names none. An algorithm named above is also just a guess.
    for list in [
        format!("# BLAKE2B and SHA512 HASH\n{b2}"),
        format!("# SHA3-512\n{b2}"),
        format!("{b2}{}", tagged("blake2b")),
    ] {
        folder.write("list", &list);
        let checked = folder.hashwell(["sum", "-c", "list"]);
        assert_eq!(checked.status.code(), Some(0), "{list}{}", stderr(&checked));
        assert!(stdout(&checked).starts_with("abc: OK (blake2b-512)\n"), "{list}{}", stdout(&checked));
    }
    folder.write("x.dsc", format!("Files:\n {md5} 3 abc\nOther:\n {md5} 3 abc\n"));
    let checked = folder.hashwell(["sum", "-c", "x.dsc"]);
    assert_eq!(
        (checked.status.code(), stdout(&checked)),
        (Some(0), "abc: OK\n3 abc: OK\n".to_owned()),
        "{}",
        stderr(&checked)
    );
    folder.write("x.changes", format!("Files:\n {md5} 3 misc optional abc\n"));
    assert_eq!(stdout(&folder.hashwell(["sum", "-c", "x.changes"])), "abc: OK\n");
}

/// A name is read as in the list, or else as another spelling that exists on this system.
#[test]
fn names_in_another_spelling() {
    let folder = folder();
    folder.write("sub/b.bin", "abc");
    folder.write("u\u{308}/\u{e9}", "abc");
    folder.write("back\\slash", "abc");
    let said =
        |name: &str, file: &str| format!("hashwell: list: '{name}' is missing; checking '{file}' instead\n");
    for (name, file) in [
        ("sub\\b.bin", "sub/b.bin"),
        ("back/slash", "back\\slash"),
        ("abc ", "abc"),
        ("abc \t", "abc"),
        ("sub\\b.bin ", "sub/b.bin"),
        // Each folder has its name in a different form.
        ("\u{fc}/e\u{301}", "u\u{308}/\u{e9}"),
        ("\u{fc}\\\u{e9}", "u\u{308}/\u{e9}"),
        ("3 abc", "abc"),
    ] {
        for line in [format!("{ABC}  {name}\n"), format!("SHA256 ({name}) = {ABC}\n")] {
            folder.write("list", line.clone() + &line);
            for options in [&["sum", "-c"][..], &["sum", "-c", "--ignore-missing"]] {
                let checked = folder.hashwell([options, &["list"]].concat());
                let said = said(&name.replace('\t', "\\t"), file);
                let said =
                    if name.contains('\t') { said.replace("'abc \\t'", "'\"abc \\t\"'") } else { said };
                assert_ran(&checked, 0, &format!("{name}: OK\n").repeat(2), &said);
            }
            folder.write("list", line.replace(ABC, &ABC.replace('b', "c")));
            let checked = folder.hashwell(["sum", "-c", "-a", "sha256", "--ignore-missing", "list"]);
            assert_eq!(
                (checked.status.code(), stdout(&checked)),
                (Some(1), format!("{name}: FAILED\n")),
                "{name}"
            );
        }
    }
    // The exact name has priority. A file that another line names is not used for this line, unless it has the digest
    // of this line.
    folder.write("abc ", "other");
    folder.write("list", format!("{ABC}  abc \n"));
    assert_eq!(folder.hashwell(["sum", "-c", "-a", "sha256", "list"]).status.code(), Some(1));
    std::fs::remove_file(folder.path().join("abc ")).unwrap();
    let other = "d".repeat(64);
    folder.write("list", format!("{ABC}  abc\n{other}  abc \n"));
    let checked = folder.hashwell(["sum", "-c", "-a", "sha256", "--ignore-missing", "list"]);
    let err = said("abc ", "abc") + "hashwell: WARNING: 1 listed file is missing\n";
    assert_ran(&checked, 0, "abc: OK\n", &err);
    let checked = folder.hashwell(["sum", "-c", "-a", "sha256", "list"]);
    assert_eq!(stdout(&checked), "abc: OK\nabc : FAILED open or read\n");
    // No spelling may lead out of the folder, unless the name does.
    let inside = |name: &str, code| {
        folder.write("sub/list", format!("{ABC}  {name}\n"));
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        let checked =
            command.current_dir(folder.path().join("sub")).args(["sum", "-c", "list"]).output().unwrap();
        assert_eq!(checked.status.code(), Some(code), "{name}: {}", stderr(&checked));
    };
    inside("../abc", 0);
    inside("../sub\\b.bin", 0);
    inside("..\\abc", 1);
    inside("b.bin\\..\\..\\abc", 1);
    inside(&format!(" {}/abc", folder.path().display()), 1);
    inside(&format!("{}/abc", folder.path().display()).replace('/', "\\"), 1);
    // An audit does not report a file as unlisted if it was found by a different spelling.
    folder.write("list", format!("{ABC}  sub\\b.bin\n{ABC}  sub\\list\n"));
    folder.write("sub/list", "abc");
    let audited = folder.hashwell(["sum", "-c", "--audit", "list"]);
    assert_eq!(audited.status.code(), Some(0), "{}{}", stdout(&audited), stderr(&audited));
    let json = stdout(&folder.hashwell(["sum", "-c", "--json", "list"]));
    assert!(json.contains("\"file\":\"sub/b.bin\",\"name\":\"sub\\\\b.bin\""), "{json}");
}

#[test]
fn missing_files_are_counted() {
    let folder = folder();
    let wrong = "0".repeat(64);
    folder.write("list", format!("{ABC}  abc\n{wrong}  gone\n{wrong}  gone too\n"));
    let missing = "hashwell: WARNING: 2 listed files are missing\n";
    for quiet in [&[][..], &["--quiet"]] {
        let checked = folder.hashwell([&["sum", "-c", "--ignore-missing"], quiet, &["list"]].concat());
        assert_ran(&checked, 0, if quiet.is_empty() { "abc: OK\n" } else { "" }, missing);
    }
    assert_ran(&folder.hashwell(["sum", "-c", "--ignore-missing", "--status", "list"]), 0, "", "");
    let unread = "hashwell: WARNING: 2 listed files could not be read\n";
    assert!(stderr(&folder.hashwell(["sum", "-c", "list"])).ends_with(unread));
}

/// Options of coreutils, shasum and b3sum are accepted, or rejected with a hint.
#[test]
fn options_of_similar_tools() {
    let folder = folder();
    let plain = format!("{ABC}  abc\n");
    let run = |options: &[&str]| folder.hashwell([&["sum"], options, &["abc"]].concat());
    for options in [
        &["-t"][..],
        &["--text"],
        &["-bt"],
        &["--untagged"],
        &["--tag", "--untagged"],
        &["-a", "sha256", "-z", "-z"],
    ] {
        let zero = options.contains(&"-z");
        assert_ran(&run(options), 0, &if zero { plain.replace('\n', "\0") } else { plain.clone() }, "");
    }
    assert_ran(&run(&["-b"]), 0, &format!("{ABC} *abc\n"), "");
    assert_ran(&run(&["-b", "--sri"]), 0, &format!("sha256-{ABC_B64} *abc\n"), "");
    let short = stdout(&run(&["-a", "blake3", "--length-bytes", "8"]));
    assert_eq!(short, stdout(&run(&["-a", "blake3", "-l", "64"])));
    assert_eq!(short, stdout(&run(&["-a", "blake3", "-l", "8", "-l", "64"])));
    folder.write("list", short);
    assert_ran(
        &folder.hashwell(["sum", "-c", "-a", "blake3", "--length-bytes", "8", "list"]),
        0,
        "abc: OK\n",
        "",
    );
    for (options, message) in [
        (&["--tag", "-t"][..], "--tag does not support --text mode"),
        (&["-b", "-c"], "the --binary and --text options are meaningless when verifying checksums"),
        (&["--untagged", "-a", "sha1", "-a", "sha256"], "--untagged requires exactly one algorithm"),
        (
            &["--debug"],
            "unexpected argument '--debug' found ('hashwell algorithms' lists the kernels; see 'hashwell sum --help')",
        ),
        (
            &["--num-threads", "1"],
            "unexpected argument '--num-threads' found (use --jobs; see 'hashwell sum --help')",
        ),
        (
            &["-a", "sysv"],
            "SYSV is supported only for checking existing lists (-c); choose another algorithm",
        ),
    ] {
        assert_ran(&run(options), 2, "", &format!("hashwell: {message}\n"));
    }
    let version = folder.hashwell(["sum", "--version"]);
    assert!(
        version.status.success() && stdout(&version).contains(env!("CARGO_PKG_VERSION")),
        "{}",
        stdout(&version)
    );
    for help in [&["sum", "--help"][..], &["man", "sum"]] {
        let help = stdout(&folder.hashwell(help)).replace("\\-", "-");
        assert!(help.contains("--length-bytes") && help.contains("b3sum"), "{help}");
    }
}

/// On a terminal, control characters, direction marks and invalid UTF-8 in names are escaped. A pipe gets the unchanged
/// bytes.
#[test]
fn names_reach_a_terminal_escaped() {
    let folder = folder();
    let name = OsStr::from_bytes(b"x: OK\x1b[8m\r\xc2\x9b31m\xe2\x80\xae\xff\x9b");
    folder.write(name, "abc");
    folder.write("evil", [ABC.as_bytes(), b"  ", name.as_bytes(), b"\n"].concat());
    folder.write("gone", [ABC.as_bytes(), b"  gone", name.as_bytes(), b"\n"].concat());
    folder.write("row.csv", b"a,\x1b[8m\n1,\x1b[31m\n");
    folder.write("other.csv", b"a,\x1b[8m\n1,\xc2\x9b31m\n");
    for command in [
        "sum -c evil",
        "sum -c --json evil",
        "sum -c gone",
        "sum -c --audit evil",
        "sum x*",
        "sum --tag x*",
        "sum --json x*",
        "sum --zero x*",
        "sum --git-blob x*",
        "sum x*/",
        "hmac -a sha256 --key-hex 00 x*",
        "hmac -a sha256 --key-hex 00 --verify 00 x*",
        "kmac -a kmac128 --key-hex 00 x*",
        "table row.csv",
        "diff row.csv other.csv",
        "verify x*",
        "sample -k 1 x*/",
    ] {
        let Some(screen) = folder
            .tool("script", ["-qc", &format!("{} {command}", env!("CARGO_BIN_EXE_hashwell")), "/dev/null"])
        else {
            return;
        };
        let screen = screen.stdout;
        assert!(!screen.is_empty(), "{command}");
        let screen = String::from_utf8(screen).unwrap_or_else(|error| panic!("{command}: {error}"));
        // The terminal converts line endings.
        let shown = screen.replace("\r\n", "\n");
        let obeyed = |c: char| (c.is_control() && !"\n\t\0".contains(c)) || c == '\u{202e}';
        assert!(!shown.contains(obeyed), "{command}: {shown:?}");
    }
    let lines = folder.hashwell([OsStr::new("sum"), name]).stdout;
    assert_eq!(
        lines,
        [b"\\", ABC.as_bytes(), b"  x: OK\x1b[8m\\r\xc2\x9b31m\xe2\x80\xae\xff\x9b\n"].concat()
    );
    let verdict = folder.hashwell(["sum", "-c", "evil"]).stdout;
    assert_eq!(verdict, [name.as_bytes(), b": OK\n"].concat());
}

#[test]
fn verdicts_in_json() {
    let folder = folder();
    let md5 = "900150983cd24fb0d6963f7d28e17f72";
    folder.write(
        "list",
        format!("SHA256 (abc) = {ABC}\nSHA256 (gone) = {ABC}\nMD5 (abc) = {md5}\nBLAKE3 (abc) = {ABC}\n"),
    );
    let out = "{\"algorithm\":\"sha256\",\"bits\":256,\"name\":\"abc\",\"verdict\":\"ok\"}\n\
               {\"algorithm\":\"sha256\",\"bits\":256,\"name\":\"gone\",\"verdict\":\"unreadable\"}\n\
               {\"legacy\":\"MD5\",\"name\":\"abc\",\"verdict\":\"ok\"}\n\
               {\"algorithm\":\"blake3\",\"bits\":256,\"name\":\"abc\",\"verdict\":\"failed\"}\n";
    let checked = folder.hashwell(["sum", "-c", "--json", "list"]);
    assert_eq!((checked.status.code(), &stdout(&checked)[..]), (Some(1), out));
    let wrong: String = out.split_inclusive('\n').filter(|line| !line.contains("\"ok\"")).collect();
    assert_eq!(stdout(&folder.hashwell(["sum", "-c", "--json", "--quiet", "list"])), wrong);
    assert_eq!(stdout(&folder.hashwell(["sum", "-c", "--json", "--status", "list"])), "");
    let audited = folder.hashwell(["sum", "-c", "--json", "--quiet", "--audit", "--ignore-missing", "list"]);
    assert!(stdout(&audited).is_empty() || stdout(&audited).lines().all(|line| line.starts_with('{')));
}

#[test]
fn sfv_and_rhash_lists() {
    let folder = folder();
    folder.write("a b", "abc");
    let legacy = |name: &str, title: &str| {
        format!("hashwell: {name}: warning: {title} detects accidental changes but not tampering\n")
    };
    let sfv = "; Generated by rhash\na b 352441C2\nabc 352441c2\n";
    for (name, text, args) in [
        ("list", sfv, &[][..]),
        ("x.sfv", &sfv[21..], &[]),
        ("list", &sfv[21..], &["-a", "crc32"]),
        ("list", "352441C2  a b\n352441C2  abc\n", &["-a", "crc32"]),
        ("list", "CRC32 (a b) = 352441C2\nCRC32 (abc) = 352441C2\n", &[]),
    ] {
        folder.write(name, text);
        let checked = folder.hashwell([&["sum", "-c", "--strict"], args, &[name]].concat());
        assert_ran(&checked, 0, "a b: OK\nabc: OK\n", &legacy(name, "CRC32"));
    }
    let md5 = "900150983cd24fb0d6963f7d28e17f72";
    for name in ["MD5SUMS", "abc.md5"] {
        folder.write(name, format!("{md5}  abc\n"));
        assert_ran(&folder.hashwell(["sum", "-c", name]), 0, "abc: OK\n", &legacy(name, "MD5"));
    }
    folder.write("list", format!("{md5}  abc\n"));
    let guessed = "hashwell: list: the algorithm is not named; assuming MD5 from the length of the digest \
                   (use -a to choose another)\n"
        .to_owned();
    assert_ran(&folder.hashwell(["sum", "-c", "list"]), 0, "abc: OK\n", &(guessed + &legacy("list", "MD5")));
    assert_ran(&folder.hashwell(["sum", "-c", "-a", "md5", "list"]), 0, "abc: OK\n", &legacy("list", "MD5"));
    assert_ran(&folder.hashwell(["sum", "-c", "--status", "list"]), 0, "", "");
    folder.write("list", format!("CRC32C (abc) = 364b3fb7\nMD5 (abc) = {}\n", md5.replace('9', "8")));
    let checked = folder.hashwell(["sum", "-c", "list"]);
    assert_eq!((checked.status.code(), &stdout(&checked)[..]), (Some(1), "abc: OK\nabc: FAILED\n"));
}

#[test]
fn what_cannot_be_checked_is_named() {
    let folder = folder();
    folder.write("list", format!("WHIRLPOOL (abc) = {ABC}{ABC}\nSHA256 (abc) = {ABC}\n"));
    let unsupported = "hashwell: list: WHIRLPOOL is not supported; lines that use it are not checked\n";
    let warning = "hashwell: WARNING: 1 line is improperly formatted\n";
    let err = format!("{unsupported}{warning}");
    assert_ran(&folder.hashwell(["sum", "-c", "list"]), 0, "abc: OK\n", &err);
    assert_ran(&folder.hashwell(["sum", "-c", "--strict", "list"]), 1, "abc: OK\n", &err);
    folder.write("abc.whirlpool", format!("{ABC}{ABC}  abc\n"));
    let err = "hashwell: abc.whirlpool: whirlpool is not supported; lines that use it are not checked\n\
               hashwell: abc.whirlpool: no properly formatted checksum lines found\n";
    assert_ran(&folder.hashwell(["sum", "-c", "abc.whirlpool"]), 1, "", err);
    let err = "hashwell: MD5 is supported only for checking existing lists (-c); choose another algorithm\n";
    assert_ran(&folder.hashwell(["sum", "-a", "md5", "abc"]), 2, "", err);
}

#[test]
fn b3sum_lists() {
    let folder = folder();
    let plain = stdout(&folder.hashwell(["sum", "-a", "blake3", "abc"]));
    folder.write("B3SUMS", &plain);
    assert_ran(&folder.hashwell(["sum", "-c", "B3SUMS"]), 0, "abc: OK\n", "");
    // The tag that `b3sum --tag -l 8` writes has no length.
    folder.write("list", format!("BLAKE3 (abc) = {}\n", &plain[..16]));
    assert_ran(&folder.hashwell(["sum", "-c", "list"]), 0, "abc: OK\n", "");
}

#[test]
fn audit_names_what_is_not_listed() {
    let folder = Folder::new();
    for name in ["d/a", "d/sub/b", "d/sub/new", "other"] {
        folder.write(name, name);
    }
    let list = folder.hashwell(["sum", "d/a", "d/sub/b"]).stdout;
    folder.write("d/SHA256SUMS", list);
    let audited = folder.hashwell(["sum", "-c", "--audit", "d/SHA256SUMS"]);
    let out = "d/a: OK\nd/sub/b: OK\nd/sub/new: not listed\n";
    assert_ran(&audited, 1, out, "hashwell: WARNING: 1 file is not listed\n");
    std::fs::remove_file(folder.path().join("d/sub/new")).unwrap();
    assert_eq!(folder.hashwell(["sum", "-c", "--audit", "d/SHA256SUMS"]).status.code(), Some(0));
    // Like -r, an audit skips links. A file in another list of the same command is listed.
    std::os::unix::fs::symlink("a", folder.path().join("d/link")).unwrap();
    for options in [&["-c", "--audit", "--quiet"][..], &["--new"]] {
        let audited = folder.hashwell([&["sum"], options, &["d/SHA256SUMS"]].concat());
        assert_ran(&audited, 0, "", "hashwell: skipped 1 symbolic link (d/link)\n");
    }
    folder.write("d/more.sha256", folder.hashwell(["sum", "d/link"]).stdout);
    let audited = folder.hashwell(["sum", "-c", "--audit", "--quiet", "d/SHA256SUMS", "d/more.sha256"]);
    assert_ran(&audited, 0, "", "");
}

#[test]
fn verdicts_come_in_the_order_of_the_list() {
    let folder = Folder::new();
    let mut list = String::new();
    let mut verdicts = String::new();
    for i in 0..200 {
        let name = format!("d/{i}");
        folder.write(&name, name.repeat(if i % 50 == 0 { 40_000 } else { 1 }));
        let algorithm = if i % 40 < 30 { "sha256" } else { "blake2b" };
        let line = stdout(&folder.hashwell(["sum", "--tag", "-a", algorithm, &name]));
        let verdict = match i % 20 {
            7 => {
                folder.write(&name, "changed");
                "FAILED"
            }
            8 => {
                std::fs::remove_file(folder.path().join(&name)).unwrap();
                "FAILED open or read"
            }
            _ => "OK",
        };
        list += &line;
        verdicts += &format!("{name}: {verdict}\n");
    }
    folder.write("list", list);
    for jobs in ["-j1", "-j2", "-j5"] {
        let checked = folder.hashwell(["sum", "-c", jobs, "list"]);
        assert_eq!((checked.status.code(), stdout(&checked)), (Some(1), verdicts.clone()), "{jobs}");
        let counts = "hashwell: WARNING: 10 listed files could not be read\n\
                      hashwell: WARNING: 10 computed checksums did NOT match\n";
        assert!(stderr(&checked).ends_with(counts), "{}", stderr(&checked));
    }
}

/// An audit recognizes a file by all of its names, including paths through links.
#[test]
fn audit_knows_a_file_by_all_its_names() {
    let folder = Folder::new();
    for name in ["a/x", "b/x", "b/y", "b/z", "b/w"] {
        folder.write(name, name);
    }
    std::os::unix::fs::symlink("b", folder.path().join("link")).unwrap();
    let absolute = folder.path().join("b/z").into_os_string();
    let names = ["./a/x", "b/x", "a/../b/y", absolute.to_str().unwrap(), "link/w"];
    folder.write("SHA256SUMS", folder.hashwell([&["sum"], &names[..]].concat()).stdout);
    let audit = |list: &str| folder.hashwell(["sum", "-c", "--audit", "--quiet", list]);
    assert_ran(&audit("SHA256SUMS"), 0, "", "");
    // A list among the files is also recognized by all of its names, and directories are walked only once.
    folder.write("b/SHA256SUMS", folder.hashwell([&["sum"], &names[..]].concat()).stdout);
    folder.write("b/new", "");
    let warning = "hashwell: WARNING: 1 file is not listed\n";
    assert_ran(&audit("link/../a/../b/SHA256SUMS"), 1, "b/new: not listed\n", warning);
}

#[test]
fn audit_says_nothing_of_directories_that_are_missing() {
    let folder = folder();
    folder.write("SHA256SUMS", format!("{ABC}  gone/abc\n"));
    let checked = folder.hashwell(["sum", "-c", "--audit", "SHA256SUMS"]);
    let err =
        "hashwell: gone/abc: No such file or directory\nhashwell: WARNING: 1 listed file could not be read\n";
    assert_ran(&checked, 1, "gone/abc: FAILED open or read\n", err);
}

#[test]
fn truncated_lists() {
    let folder = folder();
    folder.write("list", &format!("{ABC}  abc\n{ABC}  ab")[..100]);
    let checked = folder.hashwell(["sum", "-c", "--strict", "-a", "sha256", "list"]);
    let err = "hashwell: WARNING: 1 line is improperly formatted\n";
    assert_ran(&checked, 1, "abc: OK\n", err);
    folder.write("list", &ABC[..63]);
    let checked = folder.hashwell(["sum", "-c", "list"]);
    let err = "hashwell: list: no properly formatted checksum lines found (formats tried: GNU, BSD,";
    assert_eq!((checked.status.code(), stdout(&checked).as_str()), (Some(1), ""));
    assert!(String::from_utf8_lossy(&checked.stderr).starts_with(err));
}

#[test]
fn lengths_and_lone_digests_in_lists() {
    let folder = folder();
    let b2 = |bits: &str| stdout(&folder.hashwell(["sum", "-a", "blake2b", "-l", bits, "abc"]));
    folder.write("list", b2("256"));
    let with =
        |options: &[&str]| folder.hashwell([&["sum", "-c", "-a", "blake2b"], options, &["list"]].concat());
    assert_ran(&with(&[]), 0, "abc: OK\n", "");
    assert_ran(&with(&["-l", "256"]), 0, "abc: OK\n", "");
    assert_eq!(with(&["-l", "512"]).status.code(), Some(1), "the digest has another length than asked for");
    // If other lines have names, a digest without a name is malformed, and does not refer to the file next to the list.
    folder.write("l.sha256", format!("{ABC}  abc\n{ABC}\n"));
    let err = "hashwell: WARNING: 1 line is improperly formatted\n";
    assert_ran(&folder.hashwell(["sum", "-c", "l.sha256"]), 0, "abc: OK\n", err);
}

#[test]
fn files_of_the_kernel_are_read() {
    let folder = Folder::new();
    for name in ["/proc/version", "/sys/devices/system/cpu/possible"] {
        if std::fs::metadata(name).is_ok() {
            assert_eq!(folder.hashwell(["sum", name]).status.code(), Some(0), "{name}");
        }
    }
}

#[test]
fn usage_errors_are_one_line_and_exit_2() {
    let folder = folder();
    for (args, message) in [
        (&["sum", "-a", "sha265"][..], "unknown algorithm 'sha265' (did you mean 'sha256'?)"),
        (&["sum", "-l", "100"], "sha256: length must be 256 bits, not 100"),
        (
            &["sum", "-a", "blake2b", "-l", "520"],
            "blake2b-512: length must be a multiple of 8 from 8 to 512 bits, not 520",
        ),
        (
            &["sum", "-a", "blake2b", "-l", "0"],
            "blake2b-512: length must be a multiple of 8 from 8 to 512 bits, not 0",
        ),
        (&["sum", "--quiet", "abc"], "the --quiet option is meaningful only when verifying checksums"),
        (&["sum", "-L", "abc"], "the --dereference option is meaningful only with --recursive"),
        (&["sum", "-c", "--tag", "abc"], "the --tag option is meaningless when verifying checksums"),
        (&["sum", "--sri", "-a", "blake3"], "--sri supports only sha256, sha384 and sha512, not blake3"),
        (&["sum", "--raw", "abc", "abc"], "--raw requires exactly one file"),
        (&["sum", "-j0", "abc"], "--jobs must be at least 1, not 0"),
        (&["sum", "-j1025", "abc"], "--jobs must be at most 1024, not 1025"),
        (&["sum", "--no-such"], "unexpected argument '--no-such' found (see 'hashwell sum --help')"),
        (
            &["sum", "--zeroo"],
            "unexpected argument '--zeroo' found (did you mean '--zero'? see 'hashwell sum --help')",
        ),
        (
            &["random", "--format", "hexx", "-n", "1"],
            "invalid value 'hexx' for '--format <FORMAT>' [possible values: hex, raw, base64, u64, float] \
             (did you mean 'hex'? see 'hashwell random --help')",
        ),
        (&["summ"], "unknown command 'summ' (did you mean 'sum'? see 'hashwell --help')"),
        (
            &["measure-chil"],
            "unknown command 'measure-chil' (did you mean 'research'? see 'hashwell --help')",
        ),
        (&["sum", "--exclude", "x", "abc"], "the --exclude option is meaningful only with --recursive"),
        (
            &["sum", "-c", "--exclude", "x", "abc"],
            "the --exclude option requires --audit or --new when verifying checksums",
        ),
        (&["sum", "-r", "--exclude", "[a", "abc"], "--exclude: [a: unclosed character class; missing ']'"),
        (&["sum", "-r", "--exclude", "", "abc"], "--exclude: : an empty pattern matches nothing"),
        (
            &["xof", "-a", "blake3", "-n", "1X"],
            "invalid value '1X' for '--bytes <BYTES>': expected an integer below 2^64, optionally with a unit such as \
             K, kB or KiB (see 'hashwell xof --help')",
        ),
        (
            &["xof", "-a", "blake3", "-n", "16E"],
            "invalid value '16E' for '--bytes <BYTES>': more than 2^64 - 1 bytes (see 'hashwell xof --help')",
        ),
        (&["sum", "-c", "-l", "256", "abc"], "--length requires --algorithm when verifying checksums"),
        (&["sum", "-a", "new\nline"], "unknown algorithm 'new\\nline'"),
        (
            &["hmac", "-a", "sha256", "abc"],
            "the following required arguments were not provided: \
             <--key-file <FILE>|--key-hex <HEX>|--key-env <NAME>> (see 'hashwell hmac --help')",
        ),
        (
            &["xof", "-a", "blake3", "-n", "2", "--seek", "18446744073709551614"],
            "--seek 18446744073709551614 plus 2 bytes exceeds the maximum position 2^64 - 1",
        ),
        (&["xof", "-a", "sha256", "-n", "1"], "sha256 does not support output streams"),
        (
            &["xof", "-a", "turboshake128", "-n", "1", "--domain", "128"],
            "turboshake128: domain byte must be 1 to 127, not 128",
        ),
        (
            &["xof", "-a", "shake128", "-n", "1", "--customization", "c"],
            "shake128 does not support customisation",
        ),
        (&["hmac", "-a", "shake128", "--key-hex", "00", "abc"], "shake128 does not support HMAC"),
        (
            &["hmac", "-a", "sha256", "--key-hex", "0", "abc"],
            "--key-hex must be an even number of hexadecimal digits",
        ),
    ] {
        assert_ran(&folder.hashwell(args), 2, "", &format!("hashwell: {message}\n"));
    }
    for args in [&["hmac", "-a", "sha256", "abc"][..], &["nothing"]] {
        let output = folder.hashwell(args);
        assert_eq!(
            (output.status.code(), stderr(&output).lines().count()),
            (Some(2), 1),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn no_arguments_show_the_help() {
    let output = Folder::new().hashwell::<&str>([]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
    assert!(stderr(&output).contains("Usage:") && stderr(&output).contains("completions"));
}

#[test]
fn help_of_the_help_is_the_help() {
    let folder = Folder::new();
    let help = folder.hashwell(["help"]);
    assert!(stdout(&help).contains("Usage: hashwell"), "{}", stderr(&help));
    for option in ["--help", "-h"] {
        assert_ran(&folder.hashwell(["help", option]), 0, &stdout(&help), "");
    }
}

/// The short help of `sum` fits on a screen. Rare options are only in `--help`.
#[test]
fn the_short_help_of_sum_is_short() {
    let help = stdout(&Folder::new().hashwell(["sum", "-h"]));
    assert!((20..=40).contains(&help.lines().count()), "{help}");
    assert!(!help.contains("--outboard"), "{help}");
    let full = stdout(&Folder::new().hashwell(["sum", "--help"]));
    assert!(full.contains("Damaged ranges:") && full.contains("--outboard"), "{full}");
}

#[test]
fn unreadable_files_fail_and_the_rest_goes_on() {
    let folder = folder();
    let output = folder.hashwell(["sum", "missing", "abc"]);
    assert_ran(&output, 1, &format!("{ABC}  abc\n"), "hashwell: missing: No such file or directory\n");
    let output = folder.hashwell(["sum", "-c", "missing"]);
    assert_ran(&output, 1, "", "hashwell: missing: No such file or directory\n");
}

#[test]
fn a_full_disk_is_told() {
    let folder = folder();
    for args in
        [&["sum", "abc"][..], &["algorithms"], &["xof", "-a", "shake128", "-n", "9", "abc"], &["--help"]]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        let output = command.args(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_ran(&output, 1, "", "hashwell: write error: No space left on device\n");
    }
}

/// If the system refuses threads, the work is done without them. The test requests a stack size that no system can
/// provide, so that every thread is refused.
#[test]
fn refused_threads_are_done_without() {
    let folder = folder();
    folder.write("large", vec![0; 5 << 20]);
    for args in [&["sum", "-j4", "abc", "abc", "large"][..], &["sum", "large"]] {
        let expected = folder.hashwell(args);
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        let refused = command.args(args).env("RUST_MIN_STACK", (1_u64 << 62).to_string()).output().unwrap();
        assert_ran(&refused, 0, &stdout(&expected), "");
    }
}

#[test]
fn standard_error_may_be_full() {
    let folder = folder();
    for (args, code) in [(&[][..], 2), (&["sum", "missing"], 1)] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        assert_eq!(command.args(args).stderr(full).output().unwrap().status.code(), Some(code));
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = folder();
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args(["xof", "-a", "blake3", "-n", "100000000", "--raw", "abc"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_ran(&child.wait_with_output().unwrap(), 141, "", "");
}

#[test]
fn kernels_are_forced_or_refused() {
    let folder = folder();
    let with = |name: &str, args: &[&str]| {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.args(args).env("HASHWELL_KERNEL", name).output().unwrap()
    };
    assert_ran(&with("soft", &["sum", "abc"]), 0, &format!("{ABC}  abc\n"), "");
    // Batches are then hashed one message at a time. `blake3-crate` is the only kernel of BLAKE3.
    let table = stdout(&with("soft", &["algorithms"]));
    let marked: Vec<&str> =
        table.split('*').skip(2).map(|after| after.split([' ', '\n']).next().unwrap()).collect();
    assert!(
        marked.contains(&"soft") && marked.iter().all(|name| ["soft", "blake3-crate"].contains(name)),
        "{marked:?}"
    );
    let refused = with("warp", &["sum", "abc"]);
    let known = hashwell::kernels().join(", ");
    assert_ran(
        &refused,
        2,
        "",
        &format!("hashwell: HASHWELL_KERNEL: unknown kernel 'warp' (known kernels: {known})\n"),
    );
}

#[test]
fn calibration_is_shown_and_switched_off() {
    let folder = Folder::new();
    let with = |value: &str| {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.arg("algorithms").env("HASHWELL_CALIBRATE", value).output().unwrap()
    };
    assert!(!stdout(&with("0")).contains("measured in"));
    let has_batches = hashwell::find("sha512").unwrap().batch_kernels().iter().any(|kernel| kernel.available);
    assert_eq!(stdout(&with("1")).contains("µs)"), has_batches);
}

#[test]
fn algorithms_shows_strength() {
    let folder = Folder::new();
    let all = stdout(&folder.hashwell(["algorithms", "--strength"]));
    for algorithm in hashwell::ALGORITHMS {
        let strength = algorithm.strength();
        let row = all.lines().find(|line| line.split_whitespace().next() == Some(algorithm.name)).unwrap();
        let bits: Vec<&str> = row.split_whitespace().skip(1).take(2).collect();
        assert_eq!(bits, [strength.collision.to_string(), strength.preimage.to_string()], "{row}");
        assert!(row.ends_with(&strength.margin()), "{row}");
    }
    let two = stdout(&folder.hashwell(["algorithms", "SHA-256", "kt128"]));
    assert!(all.lines().chain(two.lines()).all(|line| line.chars().count() <= 80), "{all}{two}");
    assert!(two.starts_with("SHA-256 (sha256)\n") && two.contains("\n\nKT128 (kt128)\n"), "{two}");
    assert!(two.contains("45 of 64 rounds attacked, 31 in practice"), "{two}");
    let json: serde_json::Value =
        serde_json::from_slice(&folder.hashwell(["algorithms", "--json", "sha3-256"]).stdout).unwrap();
    assert_eq!(json[0]["strength"]["preimage_bits"], 256);
    assert_eq!(json[0]["strength"]["attacks"][0]["rounds"], 5.0);
    assert_eq!(json.as_array().unwrap().len(), 1);
    let wrong = folder.hashwell(["algorithms", "sha255"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert_eq!(stderr(&wrong), "hashwell: unknown algorithm 'sha255' (did you mean 'sha256'?)\n");
}

#[test]
fn algorithms_lists_every_row() {
    let folder = Folder::new();
    let table = stdout(&folder.hashwell(["algorithms"]));
    let json: serde_json::Value =
        serde_json::from_slice(&folder.hashwell(["algorithms", "--json"]).stdout).unwrap();
    for (algorithm, row) in hashwell::ALGORITHMS.iter().zip(json.as_array().unwrap()) {
        assert!(table.lines().any(|l| l.split_whitespace().next() == Some(algorithm.name)));
        assert_eq!(row["name"], algorithm.name);
        assert_eq!(row["kernels"].as_array().unwrap().iter().filter(|k| k["chosen"] == true).count(), 1);
        assert_eq!(row["by_number"][0]["from"], 1);
        let measured = |kernels: &str| {
            let speeds = row[kernels].as_array().unwrap().iter().map(|k| &k["mb_per_second"]["long"]);
            let took = &row["calibration_microseconds"][kernels];
            (speeds.filter(|mb| mb.is_number()).count() > 0, took.as_f64().is_some_and(|took| took > 0.0))
        };
        for kernels in ["kernels", "batch_kernels"] {
            let (speeds, took) = measured(kernels);
            assert_eq!(speeds, took, "{}: {kernels}", algorithm.name);
        }
        // The table fits the width of a terminal, and has every kernel.
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        for kernel in hashwell::kernels() {
            assert!(
                table.split_whitespace().any(|word| word.trim_matches(['*', '[', ']']) == kernel),
                "{kernel}"
            );
        }
    }
}

#[test]
fn streams() {
    let folder = folder();
    let hex = |args: &[&str]| stdout(&folder.hashwell([&["xof"], args, &["abc"]].concat()));
    let whole = hex(&["-a", "shake256", "-n", "200000"]);
    assert!(whole.starts_with("483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739"));
    assert_eq!(whole.len(), 400_001);
    assert_eq!(hex(&["-a", "shake256", "-n", "10", "--seek", "150000"]).trim(), &whole[300_000..300_020]);
    let blake3 = hex(&["-a", "blake3", "-n", "100"]);
    assert_eq!(hex(&["-a", "blake3", "-n", "10", "--seek", "70"]).trim(), &blake3[140..160]);
    // The last byte has the index 2^64 - 2. Seeking to the end is allowed.
    let last = hex(&["-a", "blake3", "-n", "3", "--seek", "18446744073709551612"]);
    assert_eq!(hex(&["-a", "blake3", "-n", "1", "--seek", "18446744073709551614"]), last[4..]);
    assert_eq!(hex(&["-a", "blake3", "-n", "0", "--seek", "18446744073709551615"]), "\n");
    assert_eq!(hex(&["-a", "shake256", "-n", "0"]), "\n");
    let raw = folder.hashwell(["xof", "-a", "kt128", "-n", "3", "--raw", "abc"]).stdout;
    assert_eq!(raw, [0xab, 0x17, 0x4f]);
    assert_ne!(hex(&["-a", "kt128", "-n", "3", "--customization", "c"]), "ab174f\n");
}

#[test]
fn tags() {
    let folder = Folder::new();
    folder.write("key", "Jefe");
    folder.write("data", "what do ya want for nothing?");
    // RFC 4231 section 4.3.
    let tag = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    for key in [["--key-file", "key"], ["--key-hex", "4a656665"]] {
        let args = |rest: &[&'static str]| [&["hmac", "-a", "sha256"], &key[..], rest, &["data"]].concat();
        assert_ran(&folder.hashwell(args(&[])), 0, &format!("{tag}  data\n"), "");
        assert_ran(&folder.hashwell(args(&["--verify", tag])), 0, "data: OK\n", "");
        assert_ran(&folder.hashwell(args(&["--verify", &tag[..32]])), 1, "data: FAILED\n", "");
    }
    let output = folder.hashwell(["hmac", "-a", "sha256", "--key-file", "missing", "data"]);
    assert_ran(&output, 1, "", "hashwell: missing: No such file or directory\n");
}

/// The output of a command on a terminal in its first three seconds. `None` if `script` is missing.
fn on_a_terminal(folder: &Folder, command: &str) -> Option<String> {
    let command = command.replace("hashwell", concat!("timeout 3 '", env!("CARGO_BIN_EXE_hashwell"), "'"));
    folder.tool("script", ["-qc", &command, "/dev/null"]).map(|output| stdout(&output))
}

#[test]
fn long_work_shows_its_progress() {
    let folder = Folder::new();
    for (command, shown) in [
        ("(echo; sleep 1.2; echo) | hashwell hmac -a sha256 --key-hex 00", " 2 B "),
        ("(echo; sleep 1.2; echo) | hashwell xof -a shake128 -n 1", " 2 B "),
        ("hashwell xof -a shake128 -n 1 --seek 1000000000000 < /dev/null", "/931.32 GiB "),
    ] {
        let Some(screen) = on_a_terminal(&folder, command) else { return };
        assert!(screen.contains(shown), "{command}: {screen:?}");
    }
}

#[test]
fn a_walk_shows_its_progress() {
    let folder = Folder::new();
    // If links are followed, each directory contains twice as many entries as the next one.
    for level in 0..24 {
        let directory = folder.path().join(level.to_string());
        std::fs::create_dir(&directory).unwrap();
        for link in ["a", "b"] {
            std::os::unix::fs::symlink(format!("../{}", level + 1), directory.join(link)).unwrap();
        }
    }
    for i in 0..1000 {
        std::fs::create_dir_all(folder.path().join(format!("wide/{i}"))).unwrap();
    }
    let wide = format!("hashwell sum --swhid {}", "wide ".repeat(3000));
    for command in ["hashwell sum -rL 0", &wide] {
        let Some(screen) = on_a_terminal(&folder, command) else { return };
        assert!(screen.contains(" names checked"), "{screen:?}");
    }
}

#[test]
fn progress_names_the_file_and_can_be_left_out() {
    let folder = folder();
    for command in ["hashwell sum --jobs 1 abc -", "hashwell hmac -a sha256 --key-hex 00 abc -"] {
        let slow = format!("(echo; sleep 1.2; echo) | {command}");
        let Some(screen) = on_a_terminal(&folder, &slow) else { return };
        assert!(screen.contains("2/2 -"), "{command}: {screen:?}");
        let hidden = slow.replace("hashwell ", "hashwell --no-progress ");
        let screen = on_a_terminal(&folder, &hidden).unwrap();
        assert_eq!(screen.lines().count(), 2, "{command}: {screen:?}");
        assert!(!screen.contains("2/2"), "{command}: {screen:?}");
    }
    // The option may also come after the command, and has no effect without a terminal.
    assert_ran(&folder.hashwell(["sum", "--no-progress", "abc"]), 0, &format!("{ABC}  abc\n"), "");
}

/// People see a note about broken and experimental algorithms. Scripts that compare standard error with that of
/// coreutils don't.
#[test]
fn broken_and_experimental_algorithms_say_so() {
    let folder = folder();
    for (command, said) in [
        ("sum -a sha1 abc", "SHA-1 is broken: an attacker can create different files with the same digest"),
        (
            "sum -a sha256 -a sha256-90r abc",
            "SHA256-90R is experimental: no analysis of it has been published",
        ),
        ("sum -a ascon-xof abc", "Ascon-Xof v1.2 is superseded; use it only for old data"),
        (
            "sum -c -a sha1 list",
            "SHA-1 is broken: an attacker can create different files with the same digest",
        ),
        ("xof -a ascon-xof -n 1 abc", "Ascon-Xof v1.2 is superseded; use it only for old data"),
        (
            "hmac -a sha1 --key-hex 00 abc",
            "SHA-1 is broken as a hash; no attack on HMAC with it is known, but use another hash for new work",
        ),
        (
            "hkdf -a sha1 --key-hex 00 -n 1",
            "SHA-1 is broken as a hash; no attack on HMAC with it is known, but use another hash for new work",
        ),
        ("hmac -a sha256-90r --key-hex 00 abc", "SHA256-90R is experimental"),
        ("random --source hmac-drbg-sha256-90r -n 1", "SHA256-90R is experimental"),
        ("random --source ascon-xof-v1.2 -n 1", "Ascon-Xof v1.2 is superseded"),
    ] {
        folder.write("list", folder.hashwell(["sum", "-a", "sha1", "abc"]).stdout);
        let args: Vec<&str> = command.split(' ').collect();
        let silent = folder.hashwell(&args);
        assert_eq!((silent.status.code(), stderr(&silent)), (Some(0), String::new()), "{command}");
        let Some(screen) = on_a_terminal(&folder, &format!("hashwell {command}")) else { return };
        assert_eq!(screen.matches(said).count(), 1, "{command}: {screen:?}");
    }
    let sound = on_a_terminal(&folder, "hashwell sum -a sha256 abc").unwrap();
    assert_eq!(sound.lines().count(), 1, "{sound:?}");
    for help in [&["--help"][..], &["man"]] {
        let help = stdout(&folder.hashwell(help))
            .replace("\\-", "-")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert!(help.contains("sha1 (broken)") && help.contains("sha256-90r (experimental)"), "{help}");
    }
    let help = stdout(&folder.hashwell(["sum", "--help"]));
    assert!(
        help.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains("SHA-1 is broken and SHA256-90R is experimental"),
        "{help}"
    );
    let table = stdout(&folder.hashwell(["algorithms"]));
    assert!(table.contains("SHA-1 is broken") && table.contains("SHA256-90R is experimental"), "{table}");
}

#[test]
fn a_tree_of_links_is_one_line() {
    let folder = Folder::new();
    folder.write("d/file", "x");
    for i in 0..3000 {
        std::os::unix::fs::symlink("file", folder.path().join(format!("d/link{i:04}"))).unwrap();
    }
    let output = folder.hashwell(["sum", "-r", "d"]);
    assert_eq!(stderr(&output), "hashwell: skipped 3000 symbolic links (d/link0000, …)\n");
    assert_eq!((output.status.code(), stdout(&output).lines().count()), (Some(0), 1));
}

#[test]
fn patterns_leave_files_out() {
    let folder = Folder::new();
    let all = ["a.o", "b.c", "build/x", "build/y/z", "src/[x]", "src/a.o", "src/build/x", "src/deep/b.c"];
    for name in all {
        folder.write(format!("t/{name}"), name);
    }
    // A name that is not UTF-8 is matched as bytes.
    folder.write(OsStr::from_bytes(b"t/\xff.o"), "");
    let left = |patterns: &[&str]| {
        let options = patterns.iter().flat_map(|pattern| ["--exclude", pattern]);
        let args: Vec<&str> = ["sum", "-r"].into_iter().chain(options).chain(["t"]).collect();
        let output = folder.hashwell(args);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{patterns:?}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut names: Vec<String> = text.lines().map(|line| line[68..].to_owned()).collect();
        names.retain(|name| !name.starts_with('\u{fffd}'));
        names
    };
    let without = |gone: &[&str]| -> Vec<String> {
        all.iter().filter(|name| !gone.contains(name)).map(|name| (*name).to_owned()).collect()
    };
    for (patterns, gone) in [
        (&["*.o"][..], &["a.o", "src/a.o"][..]),
        (&["build"], &["build/x", "build/y/z", "src/build/x"]),
        (&["build/"], &["build/x", "build/y/z", "src/build/x"]),
        (&["/build"], &["build/x", "build/y/z"]),
        (&["./build"], &["build/x", "build/y/z"]),
        (&["src/*"], &["src/a.o", "src/build/x", "src/deep/b.c", "src/[x]"]),
        (&["src/*.c"], &[]),
        (&["src/**/*.c"], &["src/deep/b.c"]),
        (&["**/x"], &["build/x", "src/build/x"]),
        (&["?.{o,c}"], &["a.o", "b.c", "src/a.o", "src/deep/b.c"]),
        (&["[ab].c"], &["b.c", "src/deep/b.c"]),
        (&["\\[x\\]"], &["src/[x]"]),
        (&["t"], &[]),
        (
            &["*.o", "build", "*.c"],
            &["a.o", "b.c", "build/x", "build/y/z", "src/a.o", "src/build/x", "src/deep/b.c"],
        ),
    ] {
        assert_eq!(left(patterns), without(gone), "{patterns:?}");
    }
    let named = folder.hashwell(["sum", "-r", "--exclude", "*.o", "t/a.o"]);
    assert_eq!(stdout(&named).lines().count(), 1, "what is named is not left out");
    // An audit excludes the same files.
    folder.write("SUMS", folder.hashwell(["sum", "-r", "--exclude", "*.o", "t"]).stdout);
    let audit = ["sum", "-c", "-a", "sha256", "--quiet", "--audit"];
    assert_eq!(folder.hashwell([&audit[..], &["SUMS"]].concat()).status.code(), Some(1));
    assert_ran(&folder.hashwell([&audit[..], &["--exclude", "*.o", "SUMS"]].concat()), 0, "", "");
}

#[test]
fn a_list_does_not_list_itself() {
    let folder = Folder::new();
    folder.write("t/a", "a");
    std::fs::create_dir(folder.path().join("t/d")).unwrap();
    let path = folder.path().join("t/d/SUMS");
    for append in [false, true] {
        let list = std::fs::OpenOptions::new().create(true).append(append).write(true).open(&path).unwrap();
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        let output = command.args(["sum", "-r", "t"]).stdout(list).stderr(Stdio::piped()).output().unwrap();
        assert_ran(
            &output,
            0,
            "",
            "hashwell: skipped 1 file that standard output is written to (t/d/SUMS)\n",
        );
    }
    let list = std::fs::read_to_string(&path).unwrap();
    assert_eq!((list.matches("  t/a\n").count(), list.lines().count()), (2, 2), "{list}");
    assert_eq!(folder.hashwell(["sum", "-c", "--quiet", "--audit", "t/d/SUMS"]).status.code(), Some(0));
    // A list of another owner is an ordinary file.
    assert_eq!(stdout(&folder.hashwell(["sum", "-r", "t"])).lines().count(), 2);
}

#[test]
fn a_summary_is_said_when_asked_for_and_on_terminals() {
    let folder = Folder::new();
    for i in 0..1234 {
        folder.write(format!("d/{i}"), "x");
    }
    let output = folder.hashwell(["sum", "-r", "--summary", "d"]);
    let said = "hashwell: 1,234 files, 1.21 KiB in ";
    assert!(stderr(&output).starts_with(said) && stderr(&output).ends_with(" s\n"), "{}", stderr(&output));
    assert_eq!(stderr(&folder.hashwell(["sum", "-r", "d"])), "");
    let Some(screen) = on_a_terminal(&folder, "hashwell sum -r d > /dev/null") else { return };
    assert!(screen.starts_with(said) && screen.lines().count() == 1, "{screen:?}");
    for silent in ["hashwell sum d/1 d/2 > /dev/null", "hashwell sum -r --no-progress d > /dev/null"] {
        assert_eq!(on_a_terminal(&folder, silent).unwrap(), "", "{silent}");
    }
}

#[test]
fn numbers_of_bytes_have_units() {
    let folder = folder();
    let len = |args: &[&str]| folder.hashwell(args).stdout.len();
    assert_eq!(len(&["xof", "-a", "shake128", "--raw", "-n", "2K", "abc"]), 2048);
    assert_eq!(len(&["random", "--seed", "s", "--format", "raw", "-n", "2kB"]), 2000);
    assert_eq!(len(&["kmac", "-a", "kmac128", "--key-hex", "00", "--raw", "-n", "1MiB", "abc"]), 1 << 20);
    assert_eq!(len(&["hkdf", "-a", "sha512", "--key-hex", "00", "--raw", "-n", "1K"]), 1024);
    let at = |position: &str| {
        folder.hashwell(["xof", "-a", "blake3", "-n", "9", "--seek", position, "abc"]).stdout
    };
    assert_eq!(at("3G"), at("3221225472"));
}

#[test]
fn old_and_guessed_options_name_the_new_one() {
    let folder = Folder::new();
    for (line, instead) in [
        ("sample -n 1 --key a", "use --group-by"),
        ("sample -n 1 --by a", "use --stratify"),
        ("sample -k 1", "use -n"),
        ("sample --frac 0.1", "use -p/--probability"),
        ("sample -n 1 --weights w", "use --weight COL"),
        ("sample -n 1 --missing-weight 0", "use --default-weight"),
        ("draw -k 2", "use -n/--picks"),
        ("draw --numbers 9", "use --range N"),
        ("draw --chance 0.1", "use -p/--probability"),
        ("draw --by g", "use --stratify"),
        ("verify --by g t", "use --stratify"),
        ("table --diff a b", "use 'hashwell diff OLD NEW'"),
        ("table --each a", "use --per-row"),
        ("table --suite x", "use --scheme"),
        ("diff --declared-order a b", "use --ordered-columns"),
    ] {
        let output = folder.hashwell(line.split(' '));
        let command = line.split(' ').next().unwrap();
        let end = format!(" ({instead}; see 'hashwell {command} --help')\n");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.ends_with(&end) && said.lines().count() == 1, "{line}: {said}");
    }
}
