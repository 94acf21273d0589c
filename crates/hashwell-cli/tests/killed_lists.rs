//! Processes that write lists, bags and trees are killed at each of their system calls. A list must then be the old one
//! or the new one, and the next run must complete a bag.

use crate::common::{Folder, stderr, stdout};
use crate::faults::tracing_is_allowed;
use crate::traced::{self, Call, Fault, Traced};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// The flag for opening a file without a name.
const NAMELESS: u64 = libc::O_TMPFILE as u64;

/// Runs `hashwell` with these arguments. `choose` returns the fault to inject into a call.
fn run(folder: &Folder, line: &str, choose: impl FnMut(usize, &Call) -> Option<Fault>) -> Traced {
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args(line.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("HASHWELL_CALIBRATE", "0").env_remove("RUST_BACKTRACE");
    traced::run(&mut command, LIMIT, choose).expect("a process may trace its child")
}

/// If `named`, returns the fault that simulates a file system without support for files without a name.
fn without_nameless_files(named: bool, call: &Call) -> Option<Fault> {
    let flags = match call.number {
        libc::SYS_open => call.arguments[1],
        libc::SYS_openat => call.arguments[2],
        _ => 0,
    };
    let is_nameless = flags & NAMELESS == NAMELESS;
    (named && is_nameless).then_some(Fault::Unsupported(libc::EOPNOTSUPP))
}

/// All files below a folder, with their relative paths.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(folder: &Path, below: &str, all: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = format!("{below}{}", entry.file_name().into_string().unwrap());
            match entry.file_type().unwrap() {
                kind if kind.is_dir() => walk(&entry.path(), &format!("{name}/"), all),
                _ => drop(all.insert(name, fs::read(entry.path()).unwrap())),
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(folder, "", &mut all);
    all
}

/// The list without the times of recording, which differ between runs.
fn plain(list: &[u8]) -> String {
    let line = |line: &str| line.split(" recorded=").next().unwrap_or_default().to_owned();
    String::from_utf8_lossy(list).lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn a_killed_update_leaves_the_old_list_or_the_new_one() {
    // With one thread, all runs make the same calls.
    const LINE: &str = "sum -j 1 --update d/L d";
    let folder = Folder::new();
    if !tracing_is_allowed(&folder) {
        return;
    }
    folder.write("d/one", "one");
    assert!(folder.hashwell(["sum", "--update", "d/L", "d"]).status.success());
    folder.write("d/two", "two");
    let list = folder.path().join("d/L");
    let old = fs::read(&list).unwrap();
    let all = run(&folder, LINE, |_, _| None);
    assert!(all.status.success());
    let new = plain(&fs::read(&list).unwrap());
    assert_ne!(plain(&old), new);
    for named in [false, true] {
        let (mut ends, mut left) = ([0, 0], 0);
        for nth in 0.. {
            fs::write(&list, &old).unwrap();
            let mut calls = 0;
            let killed = run(&folder, LINE, |_, call| {
                calls += 1;
                without_nameless_files(named, call).or((calls > nth).then_some(Fault::Killed))
            });
            assert!(!killed.hung);
            let now = fs::read(&list).unwrap();
            let is_old = now == old;
            assert!(is_old || plain(&now) == new, "half a list after call {nth}");
            ends[usize::from(!is_old)] += 1;
            // A leftover temporary file is neither the list of the next update nor an entry in it.
            let unfinished: Vec<String> =
                files(&folder.path()).into_keys().filter(|name| name.contains(".hashwell-")).collect();
            if !unfinished.is_empty() {
                left += 1;
                let again = folder.hashwell(["sum", "--update", "d/L", "d"]);
                assert!(again.status.success(), "{again:?}");
                let skipped = stderr(&again).contains("skipped 1 temporary file of an interrupted update");
                assert!(skipped, "{again:?}");
                assert_eq!(plain(&fs::read(&list).unwrap()), new, "after call {nth}");
                unfinished.iter().for_each(|name| fs::remove_file(folder.path().join(name)).unwrap());
            }
            if killed.failed.is_none() {
                assert!(killed.status.success() && !is_old);
                break;
            }
        }
        // A file with a name exists during each call that writes or syncs it.
        assert!(!named || left > 2, "only {left} temporary files");
        println!("named: {named}: {} old lists, {} new ones, {left} temporary files", ends[0], ends[1]);
        assert!(ends[0] > 10 && ends[1] > 1 && left > 0, "{ends:?} {left}");
    }
}

/// The bytes of the new list are written to the disk before it gets its name, and then the name is written as well.
#[test]
fn the_new_list_is_synced() {
    let folder = Folder::new();
    if !tracing_is_allowed(&folder) {
        return;
    }
    folder.write("d/one", "one");
    for named in [false, true] {
        let _ = fs::remove_file(folder.path().join("L"));
        let run = run(&folder, "sum --update L d", |_, call| without_nameless_files(named, call));
        assert!(run.status.success());
        let is_rename =
            |number| [libc::SYS_rename, libc::SYS_renameat, libc::SYS_renameat2].contains(&number);
        let steps: Vec<&str> = run
            .calls
            .iter()
            .filter_map(|call| match call.number {
                libc::SYS_fsync => Some("fsync"),
                number if is_rename(number) => Some("rename"),
                _ => None,
            })
            .collect();
        assert_eq!(steps, ["fsync", "rename", "fsync"], "named: {named}");
    }
}

#[test]
fn access_and_links_to_lists_are_kept() {
    let folder = Folder::new();
    folder.write("d/one", "one");
    fs::create_dir(folder.path().join("lists")).unwrap();
    let [list, link] = ["lists/L", "link"].map(|name| folder.path().join(name));
    symlink("lists/L", &link).unwrap();
    // At first, the link points to a missing file.
    assert!(folder.hashwell(["sum", "--update", "link", "d"]).status.success());
    let is_link = || fs::symlink_metadata(&link).unwrap().is_symlink();
    assert!(is_link() && list.is_file());
    // As root, use a group other than the process's own.
    let own = fs::metadata(&list).unwrap();
    let group = if own.uid() == 0 { 54_321 } else { own.gid() };
    std::os::unix::fs::chown(&list, None, Some(group)).unwrap();
    for (mode, name) in [(0o640, "two"), (0o600, "three"), (0o444, "four"), (0o664, "five")] {
        fs::set_permissions(&list, fs::Permissions::from_mode(mode)).unwrap();
        folder.write(format!("d/{name}"), name);
        let inode = fs::metadata(&list).unwrap().ino();
        let updated = folder.hashwell(["sum", "--update", "link", "d"]);
        assert!(updated.status.success(), "{updated:?}");
        let now = fs::metadata(&list).unwrap();
        assert_ne!(now.ino(), inode, "it was replaced");
        assert_eq!((now.mode() & 0o7777, now.gid()), (mode, group));
        assert!(is_link());
    }
    assert_eq!(files(&folder.path().join("lists")).len(), 1);
}

/// A listed file is rewritten once at each call of the process. The list must never have a digest of bytes other than
/// those to which the recorded times belong.
#[test]
fn a_file_that_changes_while_it_is_hashed_is_uncertain() {
    let folder = Folder::new();
    if !tracing_is_allowed(&folder) {
        return;
    }
    let file = folder.path().join("d/one");
    let times = |at| {
        let at = std::time::UNIX_EPOCH + Duration::from_secs(at);
        fs::File::options().write(true).open(&file).unwrap().set_modified(at).unwrap();
    };
    folder.write("d/one", "old");
    times(1_000_000_000);
    assert!(folder.hashwell(["sum", "--update", "L", "d"]).status.success());
    let old = fs::read(folder.path().join("L")).unwrap();
    let mut uncertain = 0;
    for nth in 0.. {
        folder.write("L", &old);
        folder.write("d/one", "new");
        times(1_100_000_000);
        // This pause is longer than a step of the system's clock, so that the change time reveals a hidden change.
        std::thread::sleep(Duration::from_millis(11));
        let output = fs::File::create(folder.path().join("output")).unwrap();
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.args(["sum", "--update", "L", "d"]).stdout(output).stderr(Stdio::null());
        let mut was_changed = false;
        let run = traced::run(&mut command, LIMIT, |call, _| {
            if call == nth {
                was_changed = true;
                folder.write("d/one", "odd");
                // In every second run, simulate a program that hides the change.
                times(if nth % 2 == 0 { 1_100_000_000 } else { 1_200_000_000 });
            }
            None
        })
        .unwrap();
        let output = fs::read_to_string(folder.path().join("output")).unwrap();
        let list = fs::read_to_string(folder.path().join("L")).unwrap();
        let comment = list.lines().next().unwrap();
        let now = fs::metadata(&file).unwrap();
        let is_of_now = comment.contains(&format!("ctime={}.{:09} ", now.ctime(), now.ctime_nsec()));
        let digest = folder.hashwell(["sum", "d/one"]).stdout;
        assert!(!is_of_now || list.as_bytes().ends_with(&digest), "after call {nth}: {list}");
        let is_uncertain = output == "d/one: UNCERTAIN (changed while it was being read)\n";
        assert_eq!(run.status.code(), Some(i32::from(is_uncertain)), "after call {nth}: {output}");
        if is_uncertain {
            uncertain += 1;
            assert_eq!(list.as_bytes(), old, "the record was kept");
        }
        if !was_changed {
            assert_eq!(output, "d/one: changed\n");
            break;
        }
    }
    println!("uncertain: {uncertain} times");
    assert!(uncertain > 3, "{uncertain}");
}

/// The process is killed at each of its calls, or at every third one without `SLOW=1`. The next run always completes
/// the bag.
#[test]
fn a_killed_bag_is_completed() {
    const CONTENTS: &[&str] = &["data/inner", "a", "folder/b", "manifest-sha512.txt"];
    let folder = Folder::new();
    if !tracing_is_allowed(&folder) {
        return;
    }
    let bag = folder.path().join("bag");
    let begin = || {
        let _ = fs::remove_dir_all(&bag);
        CONTENTS.iter().for_each(|name| folder.write(format!("bag/{name}"), name));
    };
    begin();
    assert!(run(&folder, "sum --bagit bag", |_, _| None).status.success());
    let whole = files(&bag);
    let names: BTreeSet<&str> = whole.keys().map(String::as_str).collect();
    let tags = ["bag-info.txt", "bagit.txt", "manifest-sha512.txt", "tagmanifest-sha512.txt"];
    assert!(tags.iter().all(|name| names.contains(name)) && names.len() == CONTENTS.len() + tags.len());
    let mut seen = BTreeMap::new();
    let step = if std::env::var_os("SLOW").is_some_and(|slow| slow == "1") { 1 } else { 3 };
    for nth in (0..).step_by(step) {
        begin();
        let killed = run(&folder, "sum --bagit bag", |call, _| (call == nth).then_some(Fault::Killed));
        // No content is lost.
        let now = files(&bag);
        let is_there =
            |name: &&str| now.iter().any(|(path, bytes)| path.ends_with(*name) && bytes == name.as_bytes());
        assert!(CONTENTS.iter().all(is_there), "after call {nth}: {:?}", now.keys());
        let inode = fs::metadata(&bag).unwrap().ino();
        let is_marked = now.contains_key(&format!(".hashwell-bag-writing-{inode}"));
        let is_moving = bag.join(format!(".hashwell-bag-moving-{inode}")).exists();
        assert!(!now.contains_key("tagmanifest-sha512.txt") || now.contains_key("bagit.txt"));
        assert!(!now.contains_key("bagit.txt") || is_marked || now == whole);
        // With different options, the second run leaves nothing of the first one.
        let options: &[&str] = if nth % 2 == 0 { &[] } else { &["-a", "sha256"] };
        let again = folder.hashwell([&["sum", "--bagit", "bag"], options].concat());
        assert!(again.status.success(), "after call {nth}: {again:?}");
        let made = stdout(&again) == "bag: bag made\n";
        assert!(made || (now == whole && stdout(&again) == "bag: OK\n"), "{again:?}");
        *seen.entry((is_moving, is_marked, made)).or_insert(0) += 1;
        let after = files(&bag);
        match options {
            [] => assert_eq!(after, whole, "after call {nth}"),
            _ => assert_eq!(after.len(), whole.len(), "after call {nth}: {:?}", after.keys()),
        }
        let checked = folder.hashwell(["sum", "--bagit", "bag"]);
        assert_eq!(stdout(&checked), "bag: OK\n", "after call {nth}: {checked:?}");
        if killed.failed.is_none() {
            break;
        }
    }
    println!("(moving, writing, completed by the second run): {seen:?}");
    for state in [(false, false, true), (true, false, true), (true, true, true), (false, true, true)] {
        assert!(seen.contains_key(&state), "no process was killed in the state {state:?}: {seen:?}");
    }
}

/// The marker files of an unfinished bag have the folder's inode in their names, so those in a copy belong to a
/// different folder. The copy is checked, and its manifests are not replaced.
#[test]
fn marks_in_a_bag_from_elsewhere_are_ignored() {
    let folder = Folder::new();
    folder.write("bag/a", "a");
    assert_eq!(stdout(&folder.hashwell(["sum", "--bagit", "bag"])), "bag: bag made\n");
    let inode = fs::metadata(folder.path().join("bag")).unwrap().ino();
    for mark in ["bag-writing", &format!("bag-writing-{}", inode ^ 1), &format!("bag-moving-{}/x", inode ^ 1)]
    {
        folder.write(format!("bag/.hashwell-{mark}"), "");
    }
    assert_eq!(stdout(&folder.hashwell(["sum", "--bagit", "bag"])), "bag: OK\n");
    folder.write("bag/data/a", "b");
    let checked = folder.hashwell(["sum", "--bagit", "bag"]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(!stdout(&checked).contains("bag made"), "{checked:?}");
}

/// The other files that commands write, on a file system without support for files without a name.
#[test]
fn a_killed_command_leaves_the_old_file_or_the_new_one() {
    const JOBS: &[(&str, &[&str])] = &[
        ("sample -n 3 --seed s lines -o out", &["out"]),
        ("split --into train=0.5,test=0.5 --seed s -o part-{} lines", &["part-train", "part-test"]),
        ("sum --outboard a --tree out", &["out"]),
    ];
    let folder = Folder::new();
    if !tracing_is_allowed(&folder) {
        return;
    }
    folder.write("a", vec![7; 40_000]);
    folder.write("lines", (10..60).map(|line| format!("line {line}\n")).collect::<String>());
    for (line, outputs) in JOBS {
        let begin = || outputs.iter().for_each(|name| folder.write(name, "old"));
        begin();
        let whole = run(&folder, line, |_, _| None);
        assert!(whole.status.success(), "{line}: {:?}", folder.hashwell(line.split(' ')));
        let new = files(&folder.path());
        let mut ends = [0, 0];
        for named in [false, true] {
            for nth in 0.. {
                begin();
                let mut calls = 0;
                let killed = run(&folder, line, |_, call| {
                    calls += 1;
                    without_nameless_files(named, call).or((calls > nth).then_some(Fault::Killed))
                });
                for (name, now) in files(&folder.path()) {
                    if name.starts_with(".hashwell-") && name.ends_with(".tmp") {
                        fs::remove_file(folder.path().join(name)).unwrap();
                    } else if outputs.contains(&&*name) && now == b"old" {
                        ends[0] += 1;
                    } else {
                        assert_eq!(Some(&now), new.get(&name), "{line}: {name} after call {nth}");
                        ends[1] += usize::from(outputs.contains(&&*name));
                    }
                }
                if killed.failed.is_none() {
                    break;
                }
            }
        }
        println!("{line}: {} old files, {} new ones", ends[0], ends[1]);
        assert!(ends.iter().all(|count| *count > 0), "{line}: {ends:?}");
    }
}
