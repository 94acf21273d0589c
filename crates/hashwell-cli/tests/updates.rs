//! Tests `hashwell sum --update`: the records that an update keeps, and its reaction to interruptions and to other
//! processes. Also tests comparisons of lists, and duplicates.

use crate::common::{Folder, signal, stderr, stdout};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

fn run(folder: &Folder, line: &str) -> Output {
    folder.hashwell(line.split(' '))
}

/// The names in the list L, in its order.
fn listed(folder: &Folder) -> Vec<String> {
    let text = fs::read_to_string(folder.path().join("L")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once("  ").unwrap().1.to_owned()).collect()
}

/// If a listed file exists but is outside the FILEs, excluded or a link, it does not count as missing and keeps its
/// record.
#[test]
fn only_files_that_do_not_exist_are_missing() {
    let folder = Folder::new();
    for name in ["a", "b", "d/c", "d/e.tmp", "d/gone"] {
        folder.write(name, name);
    }
    symlink("c", folder.path().join("d/link")).unwrap();
    let absolute = folder.path().join("d/c").into_os_string().into_string().unwrap();
    let list = run(&folder, &format!("sum a b {absolute} d/e.tmp d/gone d/link"));
    fs::remove_file(folder.path().join("d/gone")).unwrap();
    let kept = ["a", "b", &absolute, "d/e.tmp", "d/link"];
    for (options, lost, out, counts) in [
        ("a", None, "", "0 removed, 1 unchanged, 5 not examined"),
        ("d/c", None, "", "0 removed, 1 unchanged, 5 not examined"),
        ("d", Some("d/gone"), "d/gone: removed\n", "1 removed, 2 unchanged, 3 not examined"),
        ("--exclude *.tmp d", Some("d/gone"), "d/gone: removed\n", "1 removed, 1 unchanged, 4 not examined"),
        (". d/c", Some("d/gone"), "d/gone: removed\n", "1 removed, 4 unchanged, 1 not examined"),
    ] {
        folder.write("L", &list.stdout);
        let updated = run(&folder, &format!("sum --prune --update L {options}"));
        assert_eq!((updated.status.code(), &stdout(&updated)[..]), (Some(0), out), "{options}: {updated:?}");
        let counts = format!("hashwell: 0 added, 0 changed, {counts}\n");
        assert!(stderr(&updated).ends_with(&counts), "{options}: {updated:?}");
        let names = listed(&folder);
        assert!(kept.iter().all(|name| names.iter().any(|listed| listed == name)), "{options}: {names:?}");
        assert_eq!(names.len(), if lost.is_some() { 5 } else { 6 }, "{options}: {names:?}");
    }
    // A new file that is given under two names is added once.
    folder.write("new", "new");
    let added = run(&folder, "sum --update L new ./new d/../new");
    assert_eq!(stdout(&added), "new: added\n", "{added:?}");
}

/// All lines that name a file by different paths are updated.
#[test]
fn files_with_several_names_are_updated_in_all_lines() {
    let folder = Folder::new();
    folder.write("a", "one");
    folder.write("d/b", "one");
    symlink("d", folder.path().join("l")).unwrap();
    folder.write("SHA256SUMS", run(&folder, "sum a ./a d/b l/b").stdout);
    for content in ["two", "three"] {
        folder.write("a", content);
        folder.write("d/b", content);
        let updated = run(&folder, "sum --update SHA256SUMS --accept .");
        assert_eq!(updated.status.code(), Some(0), "{updated:?}");
        let checked = run(&folder, "sum -c SHA256SUMS");
        assert_eq!(stdout(&checked), "a: OK\n./a: OK\nd/b: OK\nl/b: OK\n", "{updated:?}");
    }
}

/// The list does not list itself if a pattern such as * names it.
#[test]
fn lists_do_not_list_themselves() {
    let folder = Folder::new();
    folder.write("a", "one");
    run(&folder, "sum --update L a");
    for _ in 0..2 {
        let updated = run(&folder, "sum --update L a L");
        assert_eq!((updated.status.code(), listed(&folder)), (Some(0), vec!["a".to_owned()]), "{updated:?}");
        folder.write("b", "two");
    }
}

/// A pipe is refused without waiting for a writer, and waiting for names ends with the first signal.
#[test]
fn updates_do_not_wait_for_pipes() {
    let folder = Folder::new();
    if folder.tool("mkfifo", ["pipe"]).is_none() {
        return;
    }
    let refused = run(&folder, "sum --update L pipe");
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(stderr(&refused).contains("pipe: not a regular file\n"), "{refused:?}");
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let mut child =
        command.args(["sum", "--update", "M", "--files-from", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, libc::SIGTERM);
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(20), "the process has ended");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!folder.path().join("M").exists());
}

/// A record whose name is spelled differently keeps its digest, so that an update doesn't hide bit rot.
#[test]
fn respelled_names_keep_their_records() {
    let folder = Folder::new();
    for (listed, file, scope) in [
        ("d/caf\u{e9}", "d/cafe\u{301}", Some("d")),
        ("d/caf\u{e9}", "d/cafe\u{301}", None),
        ("w\\x", "w/x", Some("w")),
        ("caf\u{e9}/x", "cafe\u{301}/x", None),
    ] {
        folder.write(file, "good");
        let digest = stdout(&folder.hashwell(["sum", "--no-names", file]));
        folder.write("SHA256SUMS", format!("{}  {listed}\n", digest.trim()));
        let update = || {
            let args = ["sum", "--update", "SHA256SUMS", "--prune"].into_iter().chain(scope);
            let updated = folder.hashwell(args);
            (updated.status.code(), stdout(&updated), stderr(&updated))
        };
        let (code, out, err) = update();
        assert_eq!((code, &out[..]), (Some(0), ""), "{listed}: {err}");
        assert!(err.ends_with("0 added, 0 changed, 0 removed, 1 unchanged\n"), "{listed}: {err}");
        let path = folder.path().join(file);
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        folder.write(file, "rots");
        fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        let (code, out, err) = update();
        assert_ne!(code, Some(0), "{listed}: {out}{err}");
        assert!(out.starts_with(listed) && out.lines().count() == 1, "{listed}: {out}{err}");
        assert!(fs::read_to_string(folder.path().join("SHA256SUMS")).unwrap().contains(digest.trim()));
        let top = file.split('/').next().unwrap();
        fs::remove_dir_all(folder.path().join(top)).unwrap();
    }
    fs::remove_file(folder.path().join("SHA256SUMS")).unwrap();
    // A file that has its own record does not belong to another one.
    folder.write("w/x", "x");
    let digest = stdout(&folder.hashwell(["sum", "--no-names", "w/x"]));
    folder.write("L", format!("{0}  w\\x\n{0}  w/x\n", digest.trim()));
    assert_eq!(stdout(&run(&folder, "sum --update L --prune w/x .")), "w\\x: removed\n");
}

/// A listed file that became a folder is missing.
#[test]
fn a_folder_is_not_a_listed_file() {
    let folder = Folder::new();
    folder.write("d/a", "a");
    folder.write("d/b", "b");
    folder.write("L", run(&folder, "sum -r d").stdout);
    fs::remove_file(folder.path().join("d/b")).unwrap();
    fs::create_dir(folder.path().join("d/b")).unwrap();
    let missing = run(&folder, "sum --missing L");
    assert_eq!((missing.status.code(), &stdout(&missing)[..]), (Some(1), "d/b: missing\n"));
    assert_eq!(stdout(&run(&folder, "sum --update L --prune d")), "d/b: removed\n");
    assert_eq!(listed(&folder), ["d/a"]);
}

/// An updated list keeps its line endings.
#[test]
fn lists_with_nul_stay_so() {
    let folder = Folder::new();
    folder.write("a", "a");
    folder.write("b\nc", "b");
    for times in [&["--times"][..], &[]] {
        folder.write("L", folder.hashwell([&["sum", "-z", "a"], times].concat()).stdout);
        let updated = folder.hashwell(["sum", "--update", "L", "a", "b\nc"]);
        assert_eq!(updated.status.code(), Some(0), "{updated:?}");
        let text = fs::read_to_string(folder.path().join("L")).unwrap();
        assert!(text.ends_with("  b\nc\0") && text.matches('\n').count() == 1, "{text:?}");
        assert_eq!(stdout(&run(&folder, "sum -c L")), "a: OK\n\\b\\nc: OK\n", "{text:?}");
    }
}

/// If a FILE or a folder can't be read, no record below it is removed.
#[test]
fn records_below_unreadable_folders_stay() {
    for (replace, why) in [(false, "No such file or directory"), (true, "Too many levels of symbolic links")]
    {
        let folder = Folder::new();
        for name in ["d/a", "d/e/b", "f"] {
            folder.write(name, name);
        }
        folder.write("L", run(&folder, "sum -r d f").stdout);
        fs::remove_dir_all(folder.path().join("d")).unwrap();
        fs::remove_file(folder.path().join("f")).unwrap();
        if replace {
            symlink("d", folder.path().join("d")).unwrap();
        }
        for name in ["d", "./d", "d/e"] {
            let updated = run(&folder, &format!("sum --prune --update L {name}"));
            assert_eq!((updated.status.code(), &stdout(&updated)[..]), (Some(1), ""), "{updated:?}");
            assert!(stderr(&updated).starts_with(&format!("hashwell: {name}: {why}\n")), "{updated:?}");
            assert!(stderr(&updated).ends_with("0 removed, 0 unchanged, 3 not examined\n"), "{updated:?}");
        }
        assert_eq!(listed(&folder), ["d/a", "d/e/b", "f"]);
        // Without a FILE, the folders of the listed files are the scope.
        let all = run(&folder, "sum --prune --update L");
        let (code, removed) =
            if replace { (1, "f: removed\n") } else { (0, "d/a: removed\nd/e/b: removed\nf: removed\n") };
        assert_eq!((all.status.code(), &stdout(&all)[..]), (Some(code), removed), "{all:?}");
    }
}

/// With -C, the FILEs are relative to DIR. Lists and other files that options name are not.
#[test]
fn only_the_files_are_relative_to_the_directory() {
    let folder = Folder::new();
    folder.write("d/a", "a");
    folder.write("names", "a\n");
    let updated = run(&folder, "sum -C d --update L a");
    assert!(updated.status.success(), "{updated:?}");
    assert_eq!(listed(&folder), ["a"]);
    let checked = run(&folder, "sum -C d -c L");
    assert_eq!(stdout(&checked), "a: OK\n");
    let printed = stdout(&run(&folder, "sum -C d --files-from names"));
    assert!(printed.ends_with("  a\n"), "{printed}");
    assert!(run(&folder, "sum -a blake3 -C d --outboard -o tree a").status.success());
    assert!(folder.path().join("tree").exists());
    let mut names: Vec<_> =
        fs::read_dir(folder.path().join("d")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a"]);
}

/// Starts a command whose output is collected at its end.
fn start(folder: &Folder, line: &str) -> Child {
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args(line.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Updates of one list at the same time don't lose records, also if the list is new.
#[test]
fn updates_at_the_same_time_wait_for_each_other() {
    let folder = Folder::new();
    let names: Vec<String> = (0..12).map(|i| format!("f{i:02}")).collect();
    names.iter().for_each(|name| folder.write(name, name));
    for _ in 0..3 {
        let children: Vec<Child> =
            names.iter().map(|name| start(&folder, &format!("sum --update L {name}"))).collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{output:?}");
        }
        let mut listed = listed(&folder);
        listed.sort();
        assert_eq!(listed, names);
        // The locks leave no files behind.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), names.len() + 1);
        fs::remove_file(folder.path().join("L")).unwrap();
    }
}

/// A list that another program writes during the update is not overwritten.
#[test]
fn a_list_that_another_program_changes_stays() {
    for is_new in [true, false] {
        let folder = Folder::new();
        folder.write("big", vec![0; 3 << 20]);
        folder.write("a", "a");
        let list = folder.path().join("L");
        if !is_new {
            assert!(run(&folder, "sum --update L a").status.success());
        }
        let child = start(&folder, "sum --update L --rate 2M big");
        std::thread::sleep(Duration::from_millis(500));
        fs::write(&list, "# another program\n").unwrap();
        let output = child.wait_with_output().unwrap();
        let why = "hashwell: L: another program changed the list during the update, so nothing was written (run the \
                   command again)\n";
        assert_eq!((output.status.code(), &stderr(&output)[..]), (Some(1), why));
        assert_eq!(fs::read_to_string(&list).unwrap(), "# another program\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "a temporary file is left");
    }
}

/// `flock LIST hashwell …` has locked the list for the update, which must not wait for it.
#[test]
#[cfg(target_os = "linux")]
fn a_lock_of_the_parent_process_does_not_block() {
    let folder = Folder::new();
    folder.write("a", "a");
    folder.write("L", "");
    let start = Instant::now();
    let arguments = ["-x", "L", env!("CARGO_BIN_EXE_hashwell"), "sum", "--update", "L", "a"];
    let Some(updated) = folder.tool("flock", arguments) else { return };
    assert_eq!(stdout(&updated), "a: added\n", "{updated:?}");
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// A signal stops an update while it reads a file, waits because of --rate, or waits for another update.
#[test]
fn a_signal_stops_an_update_at_once() {
    let folder = Folder::new();
    folder.write("big", vec![0; 20_000_000]);
    folder.write("a", "a");
    let told = "hashwell: L: stopped by a signal; the list was not changed\n";
    for (number, options) in [
        (libc::SIGTERM, "--rate 2M"),
        (libc::SIGINT, "--rate 2M -j 1"),
        (libc::SIGHUP, "--rate 1K -a blake3"),
    ] {
        let child = start(&folder, &format!("sum --update L {options} a big"));
        std::thread::sleep(Duration::from_millis(500));
        let waiting = start(&folder, "sum --update L a");
        std::thread::sleep(Duration::from_millis(300));
        for child in [waiting, child] {
            let sent = Instant::now();
            signal(&child, number);
            let output = child.wait_with_output().unwrap();
            assert!(sent.elapsed() < Duration::from_secs(2), "{options}: {:?}", sent.elapsed());
            assert_eq!(output.status.code(), Some(128 + number), "{options}: {output:?}");
            assert_eq!((&stdout(&output)[..], &stderr(&output)[..]), ("", told), "{options}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "{options}");
    }
}

/// Many moved files with the same digest are compared in linear time, and each old name is used once.
#[test]
fn moved_files_with_the_same_digest() {
    const FILES: usize = 40_000;
    let folder = Folder::new();
    let digest = "0".repeat(64);
    let list = |folder: &str, files: usize| -> String {
        (0..files).map(|i| format!("{digest}  {folder}/{i:05}\n")).collect()
    };
    folder.write("old", list("a", FILES));
    folder.write("new", list("b", FILES - 1));
    let start = Instant::now();
    let compared = run(&folder, "sum --compare old new");
    // A quadratic comparison takes minutes in a debug build.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    let moved = (0..FILES - 1).map(|i| format!("b/{i:05}: moved from a/{i:05}\n"));
    let expected: String = std::iter::once(format!("a/{:05}: removed\n", FILES - 1)).chain(moved).collect();
    assert_eq!(compared.status.code(), Some(1));
    assert!(stdout(&compared) == expected, "{}", &stdout(&compared)[..200]);
}

/// Names that differ only in `.` components and slashes are the same name. They are printed as the new list, or else
/// the old one, spells them.
#[test]
fn compared_names_are_paths() {
    let folder = Folder::new();
    let [one, two, three] = [1, 2, 3].map(|digit| digit.to_string().repeat(64));
    folder.write("old", format!("{one}  ./a\n{one}  d/./b\n{two}  ././c\n{three}  ./old\n"));
    folder.write("new", format!("{one}  a\n{one}  .//d//b\n{one}  c\n{three}  ./x/new\n"));
    let compared = run(&folder, "sum --compare old new");
    assert_eq!(stdout(&compared), "./x/new: moved from ./old\nc: changed\n", "{compared:?}");
    folder.write("new", format!("{one}  a\n{one}  d/b\n{two}  c\n{three}  old\n"));
    let same = run(&folder, "sum --compare old new");
    assert_eq!((same.status.code(), &stdout(&same)[..]), (Some(0), ""), "{same:?}");
}

/// If no file can be recorded, no list is created, and one line reports this.
#[test]
fn no_list_without_files() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("empty")).unwrap();
    let told = "hashwell: L: no file was recorded, so the list was not created\n";
    let missing = "hashwell: gone: No such file or directory\n";
    for (file, code, said) in [("gone", 1, &format!("{missing}{told}")[..]), ("empty", 0, told)] {
        let updated = run(&folder, &format!("sum --update L {file}"));
        assert_eq!((updated.status.code(), &stderr(&updated)[..]), (Some(code), said), "{updated:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{file}");
    }
    // An existing list stays, and is updated.
    folder.write("L", "");
    let updated = run(&folder, "sum --update L empty");
    assert_eq!(stderr(&updated), "hashwell: 0 added, 0 changed, 0 missing, 0 unchanged\n");
    assert!(folder.path().join("L").exists());
}

/// An update keeps the line endings and the marks of binary mode, and all bytes of unchanged lines.
#[test]
fn updates_keep_the_conventions_of_a_list() {
    let folder = Folder::new();
    for name in ["a", "b", "c", "d"] {
        folder.write(name, name);
    }
    let digest = |name: &str| stdout(&run(&folder, &format!("sum --no-names {name}"))).trim().to_owned();
    let [a, b, c] = ["a", "b", "c"].map(|name| digest(name).to_uppercase());
    let without_stamps = || {
        let text = fs::read_to_string(folder.path().join("L")).unwrap();
        let lines = text.split_inclusive('\n').filter(|line| !line.starts_with("#hashwell: "));
        (text.clone(), lines.collect::<String>())
    };
    let old = format!("# list\r\n\r\n{a} *a\r\n{b}  b\r\n; of c\r\n{c} *c");
    folder.write("L", &old);
    let updated = run(&folder, "sum --update L a b c d");
    assert_eq!(stdout(&updated), "d: added\n", "{updated:?}");
    let (text, lines) = without_stamps();
    assert_eq!(lines, format!("{old}\r\n{} *d\r\n", digest("d")));
    assert!(text.split_inclusive('\n').all(|line| line.ends_with("\r\n")), "{text}");
    assert_eq!(stdout(&run(&folder, "sum -c --quiet L")), "");
    // Changed lines keep their mark, and the lines of other files keep all their bytes.
    folder.write("b", "changed");
    folder.write("c", "changed");
    assert_eq!(stdout(&run(&folder, "sum --update L a b c d")), "b: changed\nc: changed\n");
    let new = digest("b");
    let start = format!("# list\r\n\r\n{a} *a\r\n{new}  b\r\n; of c\r\n{new} *c\r\n");
    assert_eq!(without_stamps().1, format!("{start}{} *d\r\n", digest("d")));
    // Most lines decide, and mixed endings stay.
    let old = format!("{a}  a\r\n{} *c\n{}  b\n", digest("c"), digest("b"));
    folder.write("L", &old);
    assert_eq!(stdout(&run(&folder, "sum --update L a b c d")), "d: added\n");
    assert_eq!(without_stamps().1, format!("{old}{}  d\n", digest("d")));
    // The same is true for tags and JSON.
    for option in ["--tag", "--json"] {
        let old = stdout(&run(&folder, &format!("sum {option} --times a b"))).replace('\n', "\r\n");
        folder.write("L", &old);
        std::thread::sleep(Duration::from_millis(10));
        assert_eq!(stdout(&run(&folder, "sum --update L a b d")), "d: added\n", "{option}");
        let (text, lines) = without_stamps();
        assert!(text.split_inclusive('\n').all(|line| line.ends_with("\r\n")), "{text}");
        assert_eq!(lines.lines().count(), 3, "{text}");
        assert_eq!(stdout(&run(&folder, "sum -c --quiet L")), "", "{text}");
    }
    // A name with a newline that is not escaped spans two lines, which are written as one.
    folder.write("x\ny", "x");
    let x = stdout(&folder.hashwell(["sum", "--no-names", "x\ny"]));
    let first = format!("SHA256 (a) = {a}\n");
    folder.write("L", format!("{first}SHA256 (x\ny) = {x}"));
    assert_eq!(stdout(&run(&folder, "sum --update L d")), "d: added\n");
    let start = format!("{first}\\SHA256 (x\\ny) = {x}SHA256 (d) = ");
    assert!(without_stamps().1.starts_with(&start), "{}", without_stamps().1);
}

/// The members `from` and `file` of JSON objects keep all bytes of names that are not UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn names_in_json_keep_their_bytes() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let digest = "1".repeat(64);
    folder.write("old", [digest.as_bytes(), b"  a\xff\n"].concat());
    folder.write("new", [digest.as_bytes(), b"  b\xfe\n"].concat());
    let member = |output: &Output, name: &str| {
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        object[name].as_str().map(str::to_owned)
    };
    let compared = run(&folder, "sum --compare --json old new");
    for (name, expected) in [
        ("from", Some("a\u{fffd}")),
        ("from_b64", Some("Yf8=")),
        ("name", Some("b\u{fffd}")),
        ("name_b64", Some("Yv4=")),
    ] {
        assert_eq!(member(&compared, name).as_deref(), expected, "{name}: {compared:?}");
    }
    let file = std::ffi::OsStr::from_bytes(b"d/\xff");
    folder.write(file, "one");
    let digest = stdout(&folder.hashwell(["sum".as_ref(), "--no-names".as_ref(), file]));
    folder.write("L", [digest.trim().as_bytes(), b"  d\\\xff\n"].concat());
    let checked = run(&folder, "sum -c --json L");
    assert_eq!(member(&checked, "file_b64").as_deref(), Some("ZC//"), "{checked:?}");
    // A name that is UTF-8 has no second member.
    folder.write("old", format!("{}  a\n", "1".repeat(64)));
    let compared = run(&folder, "sum --compare --json old new");
    assert_eq!(member(&compared, "from").as_deref(), Some("a"), "{compared:?}");
    assert_eq!(member(&compared, "from_b64"), None, "{compared:?}");
}

/// Options that a task would ignore are rejected, and nothing is written.
#[test]
fn ignored_options_are_rejected() {
    let folder = Folder::new();
    folder.write("a", "a");
    for option in
        ["--format sfv", "--format oci", "--base64", "--sri", "-z", "--raw", "--no-names", "-b", "--summary"]
    {
        let refused = run(&folder, &format!("sum --update L {option} a"));
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{option}: {said}");
        let start = "hashwell: --update writes lists in the formats gnu, bsd and json, so --";
        assert!(said.starts_with(start) && said.lines().count() == 1, "{option}: {said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{option}");
    }
    folder.write("old", run(&folder, "sum a").stdout);
    for option in ["--base64", "--no-names", "--times", "--tag", "--format oci"] {
        for task in ["--compare old old", "--duplicates"] {
            let refused = run(&folder, &format!("sum {task} {option}"));
            assert_eq!(refused.status.code(), Some(2), "{task} {option}: {refused:?}");
        }
    }
    // Formats that can be updated are written, and an update in a different format is rejected.
    for (name, option, start) in [
        ("g", "--format gnu", "ca978112"),
        ("untagged", "--untagged", "ca978112"),
        ("b", "--format bsd", "SHA256 (a) = "),
        ("tag", "--tag", "SHA256 (a) = "),
        ("json", "--format json", "{\"algorithm\""),
    ] {
        let updated = run(&folder, &format!("sum --update {name} {option} a"));
        assert_eq!(updated.status.code(), Some(0), "{updated:?}");
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.lines().any(|line| line.starts_with(start)), "{name}: {text}");
        let other = if name == "json" { "--tag" } else { "--json" };
        assert_eq!(run(&folder, &format!("sum --update {name} {other} a")).status.code(), Some(1), "{name}");
    }
    let untagged = run(&folder, "sum --update new --untagged -a blake3 a");
    assert_eq!(untagged.status.code(), Some(1), "{untagged:?}");
}

/// A new list has the algorithm that its name contains, so that other tools can check it.
#[test]
fn the_name_of_a_new_list_chooses_its_algorithm() {
    let folder = Folder::new();
    folder.write("a", "a");
    for (list, options, algorithm) in [
        ("SHA512SUMS", "", "sha512"),
        ("B2SUMS", "", "blake2b"),
        ("x.sha1", "", "sha1"),
        ("x.sha3", "", "sha3-256"),
        ("L", "", "sha256"),
        ("B3SUMS", "-a sha256", "sha256"),
    ] {
        let updated = run(&folder, format!("sum --update {list} a {options}").trim());
        assert_eq!(updated.status.code(), Some(0), "{updated:?}");
        let text = fs::read_to_string(folder.path().join(list)).unwrap();
        let digest = stdout(&run(&folder, &format!("sum --no-names -a {algorithm} a")));
        assert!(text.contains(digest.trim()), "{list}: {text}");
        let checked = run(&folder, &format!("sum -c {list}"));
        assert_eq!(stdout(&checked), "a: OK\n", "{list}: {checked:?}");
    }
    for list in ["MD5SUMS", "x.sfv", "x.ed2k"] {
        let refused = run(&folder, &format!("sum --update {list} a"));
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        assert!(stderr(&refused).contains("which --update cannot write"), "{refused:?}");
        assert!(!folder.path().join(list).exists());
    }
}

/// With -z, names are not escaped and end with NUL, and an empty name separates groups.
/// With `-a`, the digests of unchanged files are not written as those of another algorithm.
#[test]
fn a_list_keeps_its_algorithm() {
    let folder = Folder::new();
    let then = std::time::UNIX_EPOCH + Duration::from_secs(1_577_836_800);
    for i in 0..12 {
        let name = format!("d/{i:02}");
        folder.write(&name, name.repeat(20 - i));
        let path = folder.path().join(&name);
        fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
    }
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    for times in ["--times ", ""] {
        let lists = ["x.sha256", "list.txt"];
        let before = run(&folder, &format!("sum -r {times}--untagged d")).stdout;
        let before = String::from_utf8(before).unwrap();
        lists.iter().for_each(|list| folder.write(list, &before));
        folder.write("d/new", "new");
        for list in lists {
            let refused = run(&folder, &format!("sum --update {list} -a blake3 d"));
            let said = format!(
                "hashwell: {list}: no checksum matches the algorithm blake3: the list keeps its algorithm; to change \
                 it, write a new list\n"
            );
            assert_eq!(refused.status.code(), Some(1), "{times}{list}: {refused:?}");
            assert!(stderr(&refused) == said && text(list) == before, "{times}{list}: {refused:?}");
            let refused = run(&folder, &format!("sum --update {list} -a sha512 d"));
            let said = format!(
                "hashwell: {list}: line {}: the digest does not",
                if times.is_empty() { 1 } else { 2 }
            );
            assert!(stderr(&refused).starts_with(&said), "{times}{list}: {refused:?}");
        }
        // The right algorithm is confirmed, and the files that were read for it keep their records.
        for list in lists {
            let updated = run(&folder, &format!("sum --update {list} -a sha256 d"));
            assert_eq!(stdout(&updated), "d/new: added\n", "{times}{list}: {updated:?}");
            assert!(times.is_empty() || text(list).starts_with(&before), "{times}{list}");
            assert_eq!(run(&folder, &format!("sum -c {list}")).status.code(), Some(0), "{times}{list}");
        }
        fs::remove_file(folder.path().join("d/new")).unwrap();
    }
}

#[test]
fn names_that_end_with_nul() {
    let folder = Folder::new();
    for (name, text) in [("a\nb", "one"), ("c", "one"), ("d", "two!"), ("e\\", "two!")] {
        folder.write(name, text);
    }
    let found = run(&folder, "sum --duplicates -z .");
    assert_eq!(stdout(&found), "./a\nb\0./c\0\0./d\0./e\\\0", "{found:?}");
    folder.write("old", run(&folder, "sum c").stdout);
    folder.write("new", folder.hashwell(["sum", "a\nb"]).stdout);
    let compared = run(&folder, "sum --compare -z old new");
    assert_eq!(stdout(&compared), "a\nb: moved from c\0", "{compared:?}");
}

/// Runs a command. If this process runs as root, the command runs as a user to whom permissions apply.
fn run_as_user(folder: &Folder, line: &str) -> Output {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;

    let program = folder.path().join("hashwell");
    if !program.exists() {
        fs::copy(env!("CARGO_BIN_EXE_hashwell"), &program).unwrap();
    }
    let mut command = folder.command(program);
    command.args(line.split(' '));
    // On Linux, the owner of this folder is the user of the process.
    if fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0) {
        command.uid(1_000_000);
    }
    command.output().unwrap()
}

/// A folder that can't be read is an error: its files are neither missing nor unlisted, and keep their records.
#[test]
fn unreadable_folders_are_errors() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    for name in ["d/a", "d/locked/b", "d/locked/e/c"] {
        folder.write(name, name);
    }
    folder.write("L", run(&folder, "sum -r d").stdout);
    let access = |name: &str, mode| {
        fs::set_permissions(folder.path().join(name), Permissions::from_mode(mode)).unwrap();
    };
    access(".", 0o777);
    // The folder can't be listed, and then its files can't be looked at either.
    for mode in [0o111, 0] {
        access("d/locked", mode);
        let denied = "d/locked: Permission denied\n";
        for options in ["-c --new L", "-c --quiet --audit --ignore-missing L"] {
            let checked = run_as_user(&folder, &format!("sum {options}"));
            assert_eq!(checked.status.code(), Some(1), "{mode:o} {options}: {checked:?}");
            assert!(stderr(&checked).contains(denied), "{mode:o} {options}: {checked:?}");
            assert!(!stdout(&checked).contains("not listed"), "{mode:o} {options}: {checked:?}");
        }
        let missing = run_as_user(&folder, "sum -c --missing L");
        assert_eq!(stdout(&missing), "", "{missing:?}");
        if mode == 0 {
            assert_eq!(missing.status.code(), Some(1), "{missing:?}");
            let files =
                ["d/locked/b", "d/locked/e/c"].map(|name| format!("hashwell: {name}: Permission denied\n"));
            assert_eq!(stderr(&missing), files.concat());
        } else {
            assert_eq!(missing.status.code(), Some(0), "{missing:?}");
        }
        for options in ["d", ""] {
            let line = format!("sum --prune --dry-run --update L {options}");
            let updated = run_as_user(&folder, line.trim());
            assert_eq!(
                (updated.status.code(), &stdout(&updated)[..]),
                (Some(1), ""),
                "{mode:o}: {updated:?}"
            );
            let said = stderr(&updated);
            assert!(said.contains("Permission denied") && said.contains("0 removed"), "{mode:o}: {said}");
        }
    }
    access("d/locked", 0o755);
}

#[test]
fn files_without_a_common_algorithm_are_counted() {
    let folder = Folder::new();
    for name in ["a", "b"] {
        folder.write(name, name);
    }
    let lists = |files: &str| {
        folder.write("old", run(&folder, &format!("sum -a sha256 --tag {files}")).stdout);
        folder.write("new", run(&folder, &format!("sum -a blake3 --tag {files}")).stdout);
        let compared = run(&folder, "sum --compare old new");
        assert_eq!(compared.status.code(), Some(1));
        stderr(&compared)
    };
    let warning =
        "hashwell: WARNING: 1 file has no algorithm in common with the other list and was not compared\n";
    assert_eq!(lists("a"), warning);
    let warning =
        "hashwell: WARNING: 2 files have no algorithm in common with the other list and were not compared\n";
    assert_eq!(lists("a b"), warning);
}

/// The memory for a name does not grow with the square of its depth, and no name overflows the stack.
#[cfg(target_os = "linux")]
#[test]
fn names_of_many_folders() {
    use crate::common::limited;

    let folder = Folder::new();
    folder.write("a", "a");
    let mut list = format!("{}  {}x\n", "0".repeat(64), "d/".repeat(500_000));
    for i in 0..500 {
        list += &format!("{}  {i}/{}x\n", "0".repeat(64), "d/".repeat(1_900));
    }
    folder.write("L", &list);
    // The path of each folder of each name would take 1.8 GB.
    let run = |line: &str| {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.args(line.split(' '));
        limited(&mut command, libc::RLIMIT_AS, 512 << 20);
        command.output().unwrap()
    };
    let updated = run("sum -j1 --update L a");
    assert!(stderr(&updated).contains("1 added"), "{updated:?}");
    let pruned = run("sum -j1 --update L --prune .");
    assert!(stderr(&pruned).contains("500 removed"), "{pruned:?}");
}
