//! The command when there is no space: with a full disk, or with a limit on file sizes; and when clocks go backwards.

use crate::common;
use crate::timing;

use common::{Folder, ended, output, skipped, stderr, stdout};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Command lines to which the name of the output file is appended.
const WRITERS: [&str; 7] = [
    "sample -n 2000 --seed s lines -o",
    "sample -n 2000 --seed s lines --complement",
    "sample -n 2000 --seed s lines --transcript",
    "sample -n 2000 --seed s lines --state-out",
    "draw -n 2 --seed s lines --transcript",
    "speed --from report.json --html",
    "process crp --n 5 --seed s --svg",
];

/// Command lines that measure first, which takes a fraction of a second each.
const MEASURE: &[&str] = &[
    "speed -a sha256 --library hashwell --tables d --no-threaded --processes 1 --rounds 1 --html",
    "timing-test -a sha256 --target hmac-tag --samples 1000 --svg",
    "timing-test -a sha256 --target hmac-tag --samples 1000 --ecdf",
    #[cfg(feature = "git")]
    "git -a sha256 --repeat 1 --speed report.json repository --html",
];

/// The measuring commands that can be run on this machine: `git` needs git.
fn measuring(folder: &Folder) -> Vec<&'static str> {
    let survey = common::repository(folder);
    MEASURE.iter().copied().filter(|line| survey || !line.starts_with("git")).collect()
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("lines", (0..9000).map(|i| format!("line {i}\n")).collect::<String>());
    folder.write("report.json", timing::speed_report());
    folder.write("a", "a");
    folder
}

fn run(mut command: Command) -> Output {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    ended(&mut child, Duration::from_secs(120), &command);
    child.wait_with_output().unwrap()
}

/// A script that mounts a disk of 64 KiB in a separate mount namespace and fills it except for `$ROOM` bytes. It runs
/// the command and prints its exit code, and then all files except the one that fills the disk, with their contents.
const ON_A_SMALL_DISK: &str = r#"
mkdir disk && mount -t tmpfs -o "size=64k,$LIMIT" tmpfs disk || exit 77
printf 'what was there' > disk/old
head -c "$ROOM" /dev/zero > disk/room
cat /dev/zero > disk/fill 2> /dev/null
rm disk/room
"$@"
echo "ended with $?" >&2
rm disk/fill
echo "files:"
cd disk && find . -type f | cut -c3- | sort | while read -r file; do
    echo "$file: $(wc -c < "$file") bytes, $(head -c 20 "$file" | head -n 1)"
done
"#;

/// The result of a command on such a disk. `None` if mounting is not allowed.
fn on_a_small_disk(folder: &Folder, room: u32, limit: &str, line: &str) -> Option<(Output, String)> {
    let mut command = folder.command("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", ON_A_SMALL_DISK, "sh"]);
    command.env("ROOM", room.to_string()).env("LIMIT", limit);
    command.arg(env!("CARGO_BIN_EXE_hashwell")).args(line.split(' '));
    let ran = output(&mut command)?;
    std::fs::remove_dir(folder.path().join("disk")).ok();
    let said = stderr(&ran);
    let Some((said, _)) = said.split_once("ended with ") else {
        skipped("a full disk", said.trim());
        return None;
    };
    Some((ran.clone(), said.to_owned()))
}

/// There is one line, no incomplete or temporary file, and the old file is still there.
#[test]
fn a_full_disk_is_said() {
    let folder = folder();
    let measuring = measuring(&folder);
    for writer in measuring.iter().chain(&WRITERS) {
        for name in ["disk/new", "disk/old"] {
            // No page is free; one page is free, but the file is longer; no file can be created.
            let all = [(0, "mode=755"), (4096, "mode=755"), (0, "nr_inodes=5")];
            for (room, limit) in all.into_iter().take(if measuring.contains(writer) { 1 } else { 3 }) {
                let line = format!("{writer} {name}");
                if room > 0 && (writer.ends_with("--transcript") || writer.ends_with("--svg")) {
                    // The outputs of these commands are short.
                    continue;
                }
                let Some((ran, said)) = on_a_small_disk(&folder, room, limit, &line) else { return };
                let label = format!("{line}, {room} bytes free, {limit}: {ran:?}");
                assert!(stderr(&ran).contains("ended with 1\n"), "{label}");
                assert_eq!(said, format!("hashwell: {name}: No space left on device\n"), "{label}");
                assert!(stdout(&ran).ends_with("files:\nold: 14 bytes, what was there\n"), "{label}");
            }
        }
    }
    // Control: with enough space, the file is written.
    let line = format!("{} disk/new", WRITERS[0]);
    let (ran, said) = on_a_small_disk(&folder, 40_000, "mode=755", &line).unwrap();
    assert!(
        said.is_empty()
            && stdout(&ran).starts_with("files:\nnew: ")
            && stdout(&ran).contains(" bytes, line "),
        "{ran:?}"
    );
}

/// The manual consists of many files. Those that fit are complete, and the command reports the one that does not.
#[test]
fn a_manual_without_room_has_whole_pages() {
    let folder = folder();
    let made = folder.hashwell(["man", "--out", "pages"]);
    assert!(made.status.success(), "{}", stderr(&made));
    let sizes: BTreeMap<String, u64> = std::fs::read_dir(folder.path().join("pages"))
        .unwrap()
        .map(Result::unwrap)
        .map(|page| (format!("new/{}", page.file_name().to_string_lossy()), page.metadata().unwrap().len()))
        .collect();
    for (room, limit, most) in
        [(0, "mode=755", 0), (20_000, "mode=755", sizes.len() - 1), (0, "nr_inodes=7", 2)]
    {
        let Some((ran, said)) = on_a_small_disk(&folder, room, limit, "man --out disk/new") else { return };
        let label = format!("{room} bytes free, {limit}: {ran:?}");
        assert!(stderr(&ran).contains("ended with 1\n"), "{label}");
        let is_said = said.starts_with("hashwell: disk/new") && said.ends_with(": No space left on device\n");
        assert!(is_said && said.lines().count() == 1, "{label}");
        let out = stdout(&ran);
        let files = out.strip_prefix("files:\n").unwrap();
        let mut written = 0;
        for file in files.lines().filter(|line| line.contains(" bytes, ") && !line.starts_with("old: ")) {
            let (name, rest) = file.split_once(": ").unwrap();
            assert_eq!(rest.split(' ').next().unwrap(), sizes[name].to_string(), "{label}");
            written += 1;
        }
        assert!(written <= most && (room == 0 || written > 0), "{written} pages, {label}");
    }
}

/// At the limit, the system sends a signal, which by default ends a program before it can remove an incomplete file.
#[test]
fn a_limit_on_the_size_of_files_is_said() {
    let folder = folder();
    let limited = |line: &str, most: u64| {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.args(line.split(' '));
        common::limited(&mut command, libc::RLIMIT_FSIZE, most);
        command
    };
    let names = || {
        let entries = std::fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    folder.write("old", "what was there");
    let measuring = measuring(&folder);
    let before = names();
    for writer in measuring.iter().chain(&WRITERS) {
        for name in ["new", "old"] {
            let ran = run(limited(&format!("{writer} {name}"), 100));
            assert_eq!(ran.status.code(), Some(1), "{writer} {name}: {ran:?}");
            assert_eq!(stderr(&ran), format!("hashwell: {name}: File too large\n"), "{writer} {name}");
            assert_eq!(names(), before, "{writer} {name}");
            assert_eq!(std::fs::read(folder.path().join("old")).unwrap(), b"what was there");
        }
    }
    // Some pages of the manual are longer than this.
    let ran = run(limited("man --out new", 100));
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let said = stderr(&ran);
    assert!(said.starts_with("hashwell: new/hashwell") && said.ends_with(".1: File too large\n"), "{said}");
    assert_eq!(std::fs::read_dir(folder.path().join("new")).unwrap().count(), 0);
    // The limit applies to standard output, too.
    let out = std::fs::File::create(folder.path().join("out")).unwrap();
    let ran = limited("random -n 1000 --seed s", 100).stdout(out).output().unwrap();
    assert_eq!((ran.status.code(), &stderr(&ran)[..]), (Some(1), "hashwell: write error: File too large\n"));
}

/// A library whose clocks sometimes go back: wall-clock time by an hour, the others by 20 ms.
const CLOCKS: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *t) {
    static int (*real)(clockid_t, struct timespec *);
    static _Atomic unsigned calls;
    if (!real) {
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    }
    int result = real(clock, t);
    if (result == 0 && ++calls % 5 == 0) {
        long long ns = t->tv_sec * 1000000000LL + t->tv_nsec;
        ns -= clock == CLOCK_REALTIME ? 3600000000000LL : 20000000LL;
        ns = ns < 0 ? 0 : ns;
        t->tv_sec = ns / 1000000000;
        t->tv_nsec = ns % 1000000000;
    }
    return result;
}
"#;

/// The library to preload. `None` if there is no C compiler.
fn clocks(folder: &Folder) -> Option<PathBuf> {
    folder.write("clocks.c", CLOCKS);
    let built = folder.tool("cc", ["-shared", "-fPIC", "-O1", "clocks.c", "-o", "clocks.so"])?;
    assert!(built.status.success(), "{}", stderr(&built));
    Some(folder.path().join("clocks.so"))
}

/// Returns the text without values that may be negative with any clock. These are the differences between the times of
/// two classes, which `timing-test` prints with their intervals (`-0.28 [-1.10, +0.55]`), and the errors of
/// predictions, which `git` prints in the last column (`-45 %`) and as `of -45 % at most`.
fn undirected(text: &str) -> String {
    let line = |line: &str| {
        if let Some((before, after)) = line.split_once(" % at most (") {
            return [before.rsplit_once(' ').map_or(before, |(before, _)| before), after].join(" ");
        }
        let off_by = line.strip_suffix(" %").and_then(|line| line.rsplit_once("  "));
        let line = match off_by {
            Some((before, figure)) if figure.trim().starts_with(['+', '-']) => before,
            _ => line,
        };
        let Some((before, interval)) = line.split_once(" [") else { return line.to_owned() };
        let Some((_, after)) = interval.split_once(']') else { return line.to_owned() };
        let figure = before.rfind(' ').map_or(0, |at| at + 1);
        let signed = before[figure..].starts_with(['+', '-']);
        if signed { format!("{}{after}", &before[..figure]) } else { line.to_owned() }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn time_that_goes_backwards_is_endured() {
    let folder = folder();
    let Some(library) = clocks(&folder) else { return };
    folder.write("large", vec![7; 20_000_000]);
    let list = folder.hashwell(["sum", "large", "a"]);
    folder.write("list", list.stdout);
    let survey = common::repository(&folder);
    for line in [
        "sum large a",
        "sum -a sha256 -a kt128 large",
        "sample --stats -n 3 --seed s lines",
        "process crp --n 5 --seed s --replicates 2000",
        "speed --quick -a sha256 --library hashwell --tables c --no-threaded",
        "timing-test -a sha256 --target hmac-tag --samples 2000",
        "sum -c list",
        "random -n 20000",
        "random -n 20000 --seed s",
        "xof -a shake128 -n 20000 a",
        "draw -n 2 --seed s lines",
        #[cfg(feature = "git")]
        "git -a sha256 --repeat 1 repository",
    ] {
        if line.starts_with("git") && !survey {
            continue;
        }
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.args(line.split(' ')).env("LD_PRELOAD", &library).env_remove("RUST_BACKTRACE");
        let ran = run(command);
        let (out, err) = (stdout(&ran), stderr(&ran));
        assert!(ran.status.code().is_some_and(|code| code <= 1), "{line}: {ran:?}");
        for text in [&out, &err].map(|text| undirected(text)) {
            let wrong = ["panicked", "NaN", "inf ", "-inf", " -0.", "18446744073"]
                .iter()
                .find(|wrong| text.contains(**wrong));
            assert!(wrong.is_none(), "{line}: {wrong:?} in {text}");
            let negative = text
                .split_whitespace()
                .find(|word| word.strip_prefix('-').is_some_and(|rest| rest.parse::<f64>().is_ok()));
            assert!(negative.is_none(), "{line}: {negative:?} in {text}");
        }
    }
}
