//! `hashwell sum --resume`.
#![cfg(unix)]

use crate::common::{Folder, interrupt, stderr, stdout};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;
use std::thread::sleep;
use std::time::Duration;

const LEN: usize = 4 << 20;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "f",
        (0..LEN as u32).flat_map(|i| [(i.wrapping_mul(0x9e37_79b9) >> 24) as u8]).collect::<Vec<u8>>(),
    );
    folder
}

/// Starts the command with a rate limit, with which it takes several seconds, and stops it after half a second.
fn stop(folder: &Folder, arguments: &[&str], how: impl FnOnce(&mut std::process::Child)) -> Output {
    let mut child = folder
        .command(env!("CARGO_BIN_EXE_hashwell"))
        .args(["sum", "--rate", "1M", "--resume", "state", "--jobs", "1"])
        .args(arguments)
        .arg("f")
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    how(&mut child);
    child.wait_with_output().unwrap()
}

fn interrupted(folder: &Folder, arguments: &[&str]) -> Output {
    stop(folder, arguments, |child| {
        sleep(Duration::from_millis(600));
        interrupt(child);
    })
}

/// Runs the command with the state, and checks the exit code and a part of the messages.
fn resume(folder: &Folder, arguments: &[&str], code: i32, message: &str) -> Output {
    let done = folder.hashwell(["sum", "--resume", "state"].iter().chain(arguments));
    let said = stderr(&done);
    assert_eq!(done.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(said.contains(message) && said.is_empty() == message.is_empty(), "{arguments:?}: {said}");
    done
}

fn offset(folder: &Folder) -> u64 {
    let text = fs::read_to_string(folder.path().join("state")).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value["offset"].as_u64().unwrap()
}

/// Returns the number of files in the folder.
fn files(folder: &Folder) -> usize {
    fs::read_dir(folder.path()).unwrap().count()
}

#[test]
fn interrupted_sums_continue() {
    for arguments in [
        &[][..],
        &["-a", "blake3"],
        &["-a", "kt128", "-a", "sha3-256", "-a", "sha1"],
        &["-a", "blake2b", "-l", "160", "--personalization", "test", "--json"],
    ] {
        let folder = folder();
        let whole = folder.hashwell(["sum"].iter().chain(arguments).chain(&["f"]));
        assert!(whole.status.success(), "{}", stderr(&whole));
        let stopped = interrupted(&folder, arguments);
        assert_eq!((stopped.status.code(), stdout(&stopped).len()), (Some(130), 0), "{}", stderr(&stopped));
        let at = offset(&folder);
        assert!(at > 0 && at < LEN as u64, "{at}");
        let said = format!("f: stopped at byte {at} of {LEN}: run the same command again to continue");
        assert!(stderr(&stopped).contains(&said), "{}", stderr(&stopped));
        // It can be interrupted again.
        let again = interrupted(&folder, arguments);
        assert_eq!(again.status.code(), Some(130), "{}", stderr(&again));
        let later = offset(&folder);
        assert!(later > at, "{later}");
        assert_eq!(files(&folder), 2, "no other files");
        let message = format!("f: continued at byte {later} of {LEN}");
        let done = resume(&folder, &[arguments, &["f"]].concat(), 0, &message);
        assert_eq!(stdout(&done), stdout(&whole));
        assert_eq!(files(&folder), 1, "the state was removed");
    }
}

/// A killed process leaves the state of its last save.
#[test]
fn killed_sums_continue() {
    let folder = folder();
    let killed = stop(&folder, &["--resume-every", "1"], |child| {
        sleep(Duration::from_millis(2300));
        child.kill().unwrap();
    });
    assert_eq!(killed.status.code(), None);
    let at = offset(&folder);
    assert!(at > 0, "{at}");
    let done = resume(&folder, &["f"], 0, &format!("f: continued at byte {at} of {LEN}"));
    assert_eq!(stdout(&done), stdout(&folder.hashwell(["sum", "f"])));
}

#[test]
fn sums_that_are_not_interrupted_leave_no_state() {
    let folder = folder();
    for arguments in [&["f"][..], &["-a", "blake3", "f"], &["-a", "sm3", "--tag", "f"]] {
        let done = resume(&folder, arguments, 0, "");
        assert_eq!(stdout(&done), stdout(&folder.hashwell(["sum"].iter().chain(arguments))));
        assert_eq!(files(&folder), 1);
    }
    folder.write("f", "");
    assert_eq!(stdout(&resume(&folder, &["f"], 0, "")), stdout(&folder.hashwell(["sum", "f"])));
}

#[test]
fn changed_files_are_refused() {
    let folder = folder();
    assert_eq!(interrupted(&folder, &[]).status.code(), Some(130));
    let (path, state) = (folder.path().join("f"), folder.path().join("state"));
    let saved = fs::read_to_string(&state).unwrap();
    let bytes = fs::read(&path).unwrap();
    let before = fs::metadata(&path).unwrap();
    // The state is readable to the same users as the file.
    assert_eq!(fs::metadata(&state).unwrap().permissions().mode(), before.permissions().mode());
    fs::write(folder.path().join("g"), &bytes).unwrap();
    resume(
        &folder,
        &["g"],
        1,
        "state: the state belongs to a different file than g (remove the state to start again)",
    );
    fs::write(&path, [&bytes[..], b"more"].concat()).unwrap();
    let size = format!("f has changed since the state was saved: size: got {}, expected {LEN}", LEN + 4);
    resume(&folder, &["f"], 1, &size);
    fs::write(&path, &bytes).unwrap();
    resume(&folder, &["f"], 1, "f has changed since the state was saved: modification time: got");
    // The change time can't be set back.
    fs::File::options().write(true).open(&path).unwrap().set_modified(before.modified().unwrap()).unwrap();
    resume(&folder, &["f"], 1, "f has changed since the state was saved: change time: got");
    assert_eq!(fs::read_to_string(&state).unwrap(), saved, "the state is kept");
    fs::remove_file(&state).unwrap();
    resume(&folder, &["f"], 0, "");
}

#[test]
fn wrong_states_are_refused() {
    let folder = folder();
    assert_eq!(interrupted(&folder, &["-a", "blake2b"]).status.code(), Some(130));
    let state = folder.path().join("state");
    let saved = fs::read_to_string(&state).unwrap();
    let at = offset(&folder).to_string();
    let other = "state: the state was saved with different algorithms or parameters";
    resume(&folder, &["f"], 1, other);
    resume(&folder, &["-a", "blake2b", "-a", "sha1", "f"], 1, other);
    resume(&folder, &["-a", "blake2b", "-l", "160", "f"], 1, other);
    resume(&folder, &["-a", "blake2b", "--personalization", "other", "f"], 1, other);
    for (text, message) in [
        (String::new(), "state: not a state written by --resume: not complete JSON"),
        (saved[..saved.len() / 2].to_owned(), "not complete JSON"),
        ("[]".to_owned(), "the field \"format\" is not"),
        (saved.replace("\"version\":1", "\"version\":2"), "version: got 2, expected 1"),
        (saved.replace(&at, "18446744073709551615"), "the offset is not within the file"),
        (saved.replace(&at, "5"), "the message length of a saved hash differs from the offset"),
        (saved.replace("\"hashes\"", "\"other\""), "the field \"hashes\" is missing"),
        (saved.replace("48575354", "zz"), "a hash is not in hexadecimal"),
        (saved.replace("48575354", "48575355"), "not an exported state"),
        (saved.replace("[\"", "[\"00"), "not an exported state"),
    ] {
        assert_ne!(text, saved, "{message}");
        fs::write(&state, &text).unwrap();
        resume(&folder, &["-a", "blake2b", "f"], 1, message);
        assert_eq!(fs::read_to_string(&state).unwrap(), text, "what is no state is not overwritten");
    }
    // Damage to any byte of the state is either noticed or does not change the digest.
    let digest = stdout(&folder.hashwell(["sum", "-a", "blake2b", "f"]));
    for index in (0..saved.len()).step_by(7) {
        let mut bytes = saved.clone().into_bytes();
        bytes[index] ^= 1;
        fs::write(&state, &bytes).unwrap();
        let done = folder.hashwell(["sum", "-a", "blake2b", "--resume", "state", "f"]);
        match done.status.code() {
            Some(0) => assert_eq!(stdout(&done), digest, "byte {index}"),
            code => assert_eq!((code, stdout(&done).len()), (Some(1), 0), "byte {index}"),
        }
        assert!(!stderr(&done).contains("panicked"), "byte {index}: {}", stderr(&done));
    }
}

#[test]
fn refused_with_one_line() {
    let folder = folder();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("p")).status().unwrap();
    assert!(made.success());
    fs::write(folder.path().join("key"), [7; 32]).unwrap();
    for (arguments, code, message) in [
        (&["f", "f"][..], 2, "--resume requires exactly one file, not 2"),
        (&["-"], 2, "cannot read standard input"),
        (&["none"], 1, "none: No such file"),
        (&["."], 1, "is a directory"),
        (&["p"], 1, "not a regular file"),
        (&["-a", "blake3", "--keyed", "--key-file", "key", "f"], 2, "depends on a key"),
        (&["--format", "sfv", "f"], 2, "--resume cannot be used with --format sfv"),
        (&["-c", "f"], 2, "cannot be used with"),
        (&["-r", "."], 2, "cannot be used with"),
        (&["--outboard", "f"], 2, "cannot be used with"),
        (&["--resume-every", "0", "f"], 2, "it must be at least 1"),
    ] {
        let refused = resume(&folder, arguments, code, message);
        assert!(stdout(&refused).is_empty(), "{arguments:?}");
    }
    let itself = folder.hashwell(["sum", "--resume", "./f", "f"]);
    assert!(stderr(&itself).contains("--resume: STATE and FILE are the same file"), "{}", stderr(&itself));
    let nowhere = folder.hashwell(["sum", "--resume", "none/state", "f"]);
    assert!(stderr(&nowhere).contains("none/state: No such file"), "{}", stderr(&nowhere));
    let every = folder.hashwell(["sum", "--resume-every", "5", "f"]);
    assert_eq!(every.status.code(), Some(2));
    assert_eq!(files(&folder), 3, "no state of a refused file");
}
