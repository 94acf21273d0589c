//! `hashwell sum --update`: which records an update keeps, and what it does if it is disturbed.

use crate::common::{Folder, stderr, stdout};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Output;

fn run(folder: &Folder, line: &str) -> Output {
    folder.hashwell(line.split(' '))
}

/// The names in the list L, in its order.
fn listed(folder: &Folder) -> Vec<String> {
    let text = fs::read_to_string(folder.path().join("L")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once("  ").unwrap().1.to_owned()).collect()
}

/// A listed file that exists is not missing if it is outside the FILEs, excluded or a link, and keeps its record.
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
