//! `hashwell git` with malicious repositories, and with folders that only look like repositories. For any input, it
//! must not panic, hang or exceed the memory limit, and it must print a clear line for each problem.

use crate::common;
use crate::packs;
use crate::timing;

use common::{Folder, stderr, stdout};
use packs::{BLOB, Pack, blob_id, deflated, deflated_zeros, delta, hex, leb};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

/// The content of a valid object. It is large enough that hashing it a few times is fast to measure.
static SOUND: [u8; 1 << 16] = [7; 1 << 16];

/// A folder that git accepts as a bare repository.
struct Repository {
    folder: Folder,
}

impl Repository {
    fn new() -> Self {
        let repository = Self { folder: Folder::new() };
        repository.write("HEAD", "ref: refs/heads/main\n");
        repository.write("refs/heads/.keep", "");
        repository.write("objects/pack/.keep", "");
        repository.write("config", "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
        repository.folder.write("speed.json", timing::speed_report());
        repository
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join("repository").join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        self.folder.write(format!("repository/{name}"), bytes);
    }

    /// Writes a file with the content `compressed`, for an object with this id.
    fn loose(&self, id: &str, compressed: impl AsRef<[u8]>) {
        self.write(&format!("objects/{}/{}", &id[..2], &id[2..]), compressed);
    }

    fn loose_blob(&self, content: &[u8]) -> String {
        let id = hex(&blob_id(content));
        let header = format!("blob {}\0", content.len());
        self.loose(&id, deflated(&[header.as_bytes(), content].concat()));
        id
    }

    fn pack(&self, pack: &Pack) {
        self.files_of_pack(&pack.pack(), &pack.index());
    }

    fn files_of_pack(&self, pack: &[u8], index: &[u8]) {
        self.write("objects/pack/pack-1.pack", pack);
        self.write("objects/pack/pack-1.idx", index);
    }

    /// Runs the command with these limits of `ulimit`. If it hangs, it is killed.
    fn run_with(&self, limits: &str, args: &str) -> Output {
        let program = env!("CARGO_BIN_EXE_hashwell");
        let line = format!(
            "{limits} exec timeout 200 '{program}' git -a sha256 --repeat 1 --speed speed.json --json {args} repository"
        );
        let output = self.folder.command("sh").args(["-c", &line]).output().unwrap();
        let told = stderr(&output);
        assert_ne!(output.status.code(), Some(124), "it waited: {told}");
        for line in told.lines() {
            assert!(line.starts_with("hashwell: "), "{told}");
            for odd in ["panicked", "os error", "::", "Some(", "Err(", " { ", "Version", " V1", " V2", "Kind"]
            {
                assert!(!line.contains(odd), "{odd} is in: {line}");
            }
        }
        output
    }

    #[track_caller]
    fn report_with(&self, limits: &str, args: &str, code: i32) -> (Value, String) {
        let output = self.run_with(limits, args);
        assert_eq!(output.status.code(), Some(code), "{:?} {}", output.status, stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        (report, stderr(&output))
    }

    /// Runs the command, whose messages must contain all of `lines`. Returns the report.
    #[track_caller]
    fn wrong(&self, lines: &[&str]) -> Value {
        let (report, told) = self.report_with("", "", 1);
        for line in lines {
            assert!(told.contains(line), "{line}\nis not in\n{told}");
        }
        report
    }

    /// The command must fail with this line.
    #[track_caller]
    fn refused(&self, line: &str) {
        let output = self.run_with("", "");
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()));
        assert!(
            stderr(&output).contains(line) && stderr(&output).lines().count() == 1,
            "{}",
            stderr(&output)
        );
    }
}

fn fifo(path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(path);
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn link(target: &str, path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target, path).unwrap();
}

/// The numbers of checked objects, mismatches, unreadable objects and damaged files.
fn counts(report: &Value) -> [u64; 4] {
    let check = &report["check"];
    let checked = check["checked"].as_u64().unwrap();
    let [mismatches, unreadable, damaged] =
        ["mismatches", "unreadable", "damaged"].map(|what| check[what]["count"].as_u64().unwrap());
    [checked, mismatches, unreadable, damaged]
}

#[test]
fn a_sound_one_passes() {
    let repository = Repository::new();
    repository.loose_blob(b"loose");
    let mut pack = Pack::new();
    let base = pack.blob(b"base");
    let more = pack.ofs_delta(base, &delta(4, 3, b"more"), blob_id(b"basebasebasemore"));
    pack.ofs_delta(more, &delta(16, 1, b""), blob_id(b"basebasebasemore"));
    pack.listed.pop();
    pack.ref_delta(&blob_id(b"base"), &delta(4, 2, b""), blob_id(b"basebase"));
    repository.pack(&pack);
    let (report, told) = repository.report_with("", "", 0);
    assert_eq!((counts(&report), told.as_str()), ([4, 0, 0, 0], ""));
    assert_eq!(report["sizes"][0]["bytes"], 5 + 4 + 16 + 8);
    if let Some(listed) = repository
        .folder
        .tool("git", ["-C", "repository", "cat-file", "--batch-all-objects", "--batch-check=%(objectsize)"])
    {
        let mut sizes: Vec<u64> = stdout(&listed).lines().map(|line| line.parse().unwrap()).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [4, 5, 8, 16], "{}", stderr(&listed));
    }
}

/// If an object declares a size that its content doesn't have, the declared size is not counted. Sums of such sizes
/// used to overflow: 16 caused a division by zero, and 40 a mean above the total.
#[test]
fn sizes_that_are_only_declared_count_nowhere() {
    let repository = Repository::new();
    repository.loose_blob(b"sound");
    for i in 0..40 {
        let id = hex(&blob_id(format!("{i}").as_bytes()));
        repository.loose(&id, deflated(format!("blob {}\0{i}", 1_u64 << 60).as_bytes()));
    }
    let mut pack = Pack::new();
    for i in 0..16 {
        pack.entry(BLOB, 1 << 60, &[], &deflated(b"x"), blob_id(format!("packed {i}").as_bytes()));
    }
    // A delta that declares this size for its result, and one that declares it for itself.
    let base = pack.blob(b"base");
    pack.ofs_delta(base, &[leb(4), leb(1 << 60), vec![1, 7]].concat(), blob_id(b"delta"));
    pack.entry(packs::REF_DELTA, 1 << 60, &blob_id(b"base"), &deflated(&delta(4, 1, b"")), blob_id(b"long"));
    repository.pack(&pack);
    let (most, no_more) = ("18446744073709551615", 1_u64 << 60);
    for (args, line) in [
        (
            String::new(),
            format!("it declares {no_more} bytes; the limit is 536870912 (--max-object raises it)"),
        ),
        (format!("--max-object {most}"), format!("it declares {no_more} bytes but has 1")),
        (format!("--max-object {most}"), format!("declares {no_more} bytes but produces 1")),
    ] {
        let (report, told) = repository.report_with("", &args, 1);
        let all = report["check"]["unreadable"].to_string();
        assert!(all.contains(&line), "{line}\nis not in\n{told}\n{all}");
        assert!(told.contains("48 more objects with this problem"), "{told}");
        assert_eq!(counts(&report), [2, 0, 58, 0]);
        let line = &report["sizes"][1];
        assert_eq!(
            (&line["count"], &line["bytes"], &line["mean"], &line["max"]),
            (&2.into(), &9.into(), &4.5.into(), &5.into())
        );
    }
    // For a sample, only declared sizes are known. The estimate must not overflow.
    let (report, _) = repository.report_with("", &format!("--max-object {most} --sample 1K"), 1);
    assert_eq!(report["repository"]["stream_bytes"], u64::MAX);
}

#[test]
fn objects_larger_than_memory() {
    let repository = Repository::new();
    let sound = repository.loose_blob(&SOUND);
    let loose = hex(&blob_id(b"3 GiB"));
    repository.loose(&loose, deflated_zeros(format!("blob {}\0", 3_u64 << 30).as_bytes(), 1 << 10));
    let mut pack = Pack::new();
    let base = pack.blob(&[7; 1 << 20]);
    pack.ofs_delta(base, &delta(1 << 20, 2 << 10, b""), blob_id(b"2 GiB"));
    repository.pack(&pack);
    for (args, line) in [
        ("", "the limit is 536870912 (--max-object raises it)"),
        ("--max-object 4G", "not enough memory for its"),
    ] {
        let (report, told) = repository.report_with("ulimit -v 450000;", args, 1);
        assert_eq!(counts(&report), [2, 0, 2, 0], "{told}");
        for id in [&loose, &hex(&blob_id(b"2 GiB"))] {
            let told = told.lines().find(|told| told.contains(id)).unwrap();
            assert!(told.contains(line), "{told}");
        }
        assert!(!told.contains(&sound));
    }
}

/// 300 MiB of objects with 250 MiB of address space, most of which is used by the program and its libraries.
#[test]
fn memory_does_not_grow_with_the_repository() {
    let repository = Repository::new();
    let size = 4 << 20;
    let mut content = vec![7; size];
    let mut pack = Pack::new();
    let base = pack.blob(&content);
    for i in 0..75_u8 {
        content.truncate(size);
        content.push(i);
        pack.ofs_delta(base, &delta(size as u64, 1, &[i]), blob_id(&content));
    }
    repository.pack(&pack);
    let (report, _) = repository.report_with("ulimit -v 256000;", "", 0);
    assert_eq!(counts(&report), [76, 0, 0, 0]);
    assert!(report["repository"]["stream_bytes"].as_u64().unwrap() > 300 << 20);
    // Control: it is possible to hit the limit.
    let program = env!("CARGO_BIN_EXE_hashwell");
    let line =
        format!("ulimit -v 40960; exec {program} git -a sha256 --repeat 1 --speed speed.json repository");
    let control = repository.folder.command("sh").args(["-c", &line]).output().unwrap();
    assert!(!control.status.success());
}

/// 20,000 deltas used to take seconds, and cycles of 10,000 a minute, because each object was followed to its root.
/// (This measures CPU time, so other processes don't matter.)
#[test]
fn long_chains_and_circles_take_linear_time() {
    let repository = Repository::new();
    let mut pack = Pack::new();
    let mut content = vec![7; 100];
    let mut base = pack.blob(&content);
    for i in 0..20_000_u32 {
        // Each content begins with its number.
        let delta = [leb(100), leb(100), vec![4], i.to_be_bytes().to_vec(), vec![0x91, 4, 96]].concat();
        content[..4].copy_from_slice(&i.to_be_bytes());
        base = pack.ofs_delta(base, &delta, blob_id(&content));
    }
    let of_circle = |circle: u32, i: u32| blob_id(format!("circle {circle}: {i}").as_bytes());
    for (circle, count) in [(0, 10_000), (1, 10_000), (2, 1)] {
        for i in 0..count {
            pack.ref_delta(&of_circle(circle, (i + 1) % count), &delta(4, 1, b""), of_circle(circle, i));
        }
        // A delta that depends on the cycle.
        pack.ref_delta(&of_circle(circle, 0), &delta(4, 1, b""), blob_id(format!("on {circle}").as_bytes()));
    }
    repository.pack(&pack);
    let (report, told) = repository.report_with("ulimit -t 5;", "", 1);
    assert_eq!(counts(&report), [20_001, 0, 20_004, 3], "{told}");
    assert_eq!(told.matches("a cycle of 10000 deltas that includes object ").count(), 2, "{told}");
    assert_eq!(told.matches("a cycle of 1 delta that includes object ").count(), 1, "{told}");
    assert!(told.contains("it is in a cycle of deltas, or depends on one"), "{told}");
}

#[test]
fn what_is_no_regular_file_is_not_waited_for() {
    let repository = Repository::new();
    let sound = repository.loose_blob(&SOUND);
    let piped = hex(&blob_id(b"piped"));
    fifo(&repository.at(&format!("objects/{}/{}", &piped[..2], &piped[2..])));
    let endless = hex(&blob_id(b"endless"));
    link("/dev/zero", &repository.at(&format!("objects/{}/{}", &endless[..2], &endless[2..])));
    let mut pack = Pack::new();
    pack.blob(b"packed");
    for name in ["piped-pack", "endless-pack"] {
        repository.write(&format!("objects/pack/{name}.idx"), pack.index());
    }
    fifo(&repository.at("objects/pack/piped-pack.pack"));
    link("/dev/zero", &repository.at("objects/pack/endless-pack.pack"));
    for name in ["piped-index", "endless-index"] {
        repository.write(&format!("objects/pack/{name}.pack"), pack.pack());
    }
    fifo(&repository.at("objects/pack/piped-index.idx"));
    link("/dev/zero", &repository.at("objects/pack/endless-index.idx"));
    fifo(&repository.at("objects/info/alternates"));
    let report = repository.wrong(&[
        &format!("object {piped}: not a regular file"),
        &format!("object {endless}: not a regular file"),
        "piped-pack.idx: its pack: not a regular file",
        "endless-pack.idx: its pack: not a regular file",
        "piped-index.idx: not a regular file",
        "endless-index.idx: not a regular file",
        "alternates: not a regular file",
    ]);
    assert_eq!(counts(&report), [1, 0, 2, 5]);
    assert!(!report.to_string().contains(&sound));

    for (text, line) in [("", "config: not a regular file"), ("/dev/zero", "config: not a regular file")] {
        let config = repository.at("config");
        std::fs::remove_file(&config).unwrap();
        if text.is_empty() {
            fifo(&config);
        } else {
            link(text, &config);
        }
        repository.refused(line);
    }
}

#[test]
fn alternates_that_lead_nowhere_or_everywhere() {
    let repository = Repository::new();
    repository.loose_blob(&SOUND);
    let alternates = "objects/info/alternates";
    link("/dev/zero", &repository.at(alternates));
    assert_eq!(counts(&repository.wrong(&["info/alternates: not a regular file"])), [1, 0, 0, 1]);
    std::fs::remove_file(repository.at(alternates)).unwrap();
    repository.write(alternates, "x".repeat((1 << 20) + 1));
    repository.wrong(&["info/alternates: larger than 1048576 bytes"]);
    repository.write(alternates, "../gone\n\n# a comment\n../HEAD\n");
    let report = repository
        .wrong(&["/../gone: an alternate: No such file", "/../HEAD: this alternate is not a folder"]);
    assert_eq!(counts(&report), [1, 0, 0, 2]);
    // A repository that is its own alternate, and a cycle through another repository, are harmless.
    repository.write("other/info/alternates", "../objects\n../other\n");
    repository
        .write(alternates, format!("../objects\n{}\n\"../oth\\145r\"\n", repository.at("other").display()));
    let (report, told) = repository.report_with("", "", 0);
    assert_eq!((told.as_str(), &report["repository"]["alternates"]), ("", &1.into()));
    // A chain of ten alternates, of which git follows six.
    for i in 0..10 {
        repository.write(&format!("{i}/info/alternates"), format!("../{}\n", i + 1));
    }
    std::fs::create_dir(repository.at("10")).unwrap();
    repository.write(alternates, "../0\n");
    let report = repository
        .wrong(&["5/info/alternates: not followed, because alternates are nested more than 5 levels deep"]);
    assert_eq!(report["repository"]["alternates"], 6);
}

#[test]
fn links_of_worktrees_that_lead_nowhere_or_everywhere() {
    let repository = Repository::new();
    let tree = Repository::new();
    let dot_git = tree.at(".git");
    let said = |text: &str| {
        tree.write(".git", text);
        tree.refused(".git does not name a folder");
    };
    said("gitdir: .git\n");
    said("gitdir: ../gone\n");
    said(&format!("gitdir: {}\n", "../repository/".repeat(100_000)));
    said("rubbish");
    std::fs::remove_file(&dot_git).unwrap();
    fifo(&dot_git);
    tree.refused(".git does not name a folder");
    std::fs::remove_file(&dot_git).unwrap();
    link("/dev/zero", &dot_git);
    tree.refused(".git does not name a folder");
    std::fs::remove_file(&dot_git).unwrap();
    // The shared folder is given by a pipe or an endless file, which must not be read, or it is the folder itself,
    // which has no objects.
    for file in [None, Some("."), Some("/dev/zero")] {
        let common = tree.at(".git/commondir");
        let _ = std::fs::remove_file(&common);
        match file {
            None => fifo(&common),
            Some(".") => tree.write(".git/commondir", "."),
            Some(device) => link(device, &common),
        }
        let why = if file == Some(".") { "objects is not a folder" } else { "commondir: not a regular file" };
        tree.refused(why);
    }
    let _ = std::fs::remove_file(tree.at(".git/commondir"));
    tree.write(".git/commondir", repository.at("").to_str().unwrap());
    tree.report_with("", "", 0);
}

#[test]
fn versions_and_extensions_are_heeded_as_git_does() {
    let repository = Repository::new();
    repository.loose_blob(&SOUND);
    for (config, line) in [
        ("[core]\nrepositoryformatversion = 2\n", "core.repositoryformatversion must be 0 or 1, not '2'"),
        (
            "[core]\nrepositoryformatversion = 1\n[extensions]\nfuture = 1\n",
            "extensions.future is not supported",
        ),
        (
            "[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha3\n",
            "extensions.objectformat must be sha1 or sha256, not 'sha3'",
        ),
        (
            "[core]\nrepositoryformatversion = 0\n[extensions]\nobjectformat = sha256\n",
            "extensions.objectformat needs",
        ),
        ("[core]\n= 1\n", "line 2 is not a setting"),
    ] {
        repository.write("config", config);
        repository.refused(line);
        let git = repository
            .folder
            .tool("git", ["-C", "repository", "cat-file", "--batch-all-objects", "--batch-check"]);
        if let Some(git) = git {
            assert!(!git.status.success(), "git takes {config}");
        }
    }
    repository.write("config", "[core]\nrepositoryformatversion = 1\n[extensions]\nrefstorage = reftable\n");
    assert_eq!(counts(&repository.report_with("", "", 0).0), [1, 0, 0, 0]);
    repository.write("config", vec![b' '; (1 << 20) + 1]);
    repository.refused("config: larger than 1048576 bytes");
    std::fs::remove_file(repository.at("config")).unwrap();
    repository.report_with("", "", 0);
}

#[test]
fn packs_and_indexes_that_disagree() {
    let repository = Repository::new();
    let mut pack = Pack::new();
    pack.blob(&[1; 1 << 16]);
    pack.blob(&[2; 1 << 16]);
    let (sound, index) = (pack.pack(), pack.index());
    let changed = |bytes: &[u8], at: usize, new: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[at..at + new.len()].copy_from_slice(new);
        bytes
    };
    let at_end = index.len() - 40;
    let ids = 8 + 1024;
    let offsets = ids + 2 * (20 + 4);
    for (what, pack, index, line, checked) in [
        (
            "count",
            changed(&sound, 8, &[0, 0, 0, 9]),
            index.clone(),
            "its header declares 9 objects, but its index lists 2",
            2,
        ),
        ("version", changed(&sound, 7, &[4]), index.clone(), "its version is 4, not 2 or 3", 2),
        ("signature", changed(&sound, 0, b"KCAP"), index.clone(), "it does not begin like a pack", 2),
        (
            "garbage after it",
            [&sound[..], b"garbage"].concat(),
            index.clone(),
            "its checksum differs from the one in its index",
            2,
        ),
        ("empty", Vec::new(), index.clone(), "truncated: it has 0 bytes", 0),
        ("short", sound[..20].to_vec(), index.clone(), "truncated: it has 20 bytes", 0),
        ("no index", sound.clone(), Vec::new(), "not a valid pack index", 0),
        ("fan falls", sound.clone(), changed(&index, 8 + 40, &[0, 0, 1, 0]), "not a valid pack index", 0),
        ("fan lies", sound.clone(), changed(&index, 8 + 1020, &[0, 0, 0, 3]), "not a valid pack index", 0),
        ("fan lies far", sound.clone(), changed(&index, 8 + 1020, &[255; 4]), "not a valid pack index", 0),
        ("order", sound.clone(), changed(&index, ids, &[255; 20]), "its IDs are not sorted", 0),
        ("index garbage", sound.clone(), [&index[..], b"garbage"].concat(), "not a valid pack index", 0),
        (
            "offset at the head",
            sound.clone(),
            changed(&index, offsets, &[0, 0, 0, 2]),
            "its offset in the index, 2, is outside the objects of the pack",
            1,
        ),
        (
            "offset at the end",
            sound.clone(),
            changed(&index, offsets, &(sound.len() as u32 - 20).to_be_bytes()),
            "is outside the objects of the pack",
            1,
        ),
        (
            "offset beyond",
            sound.clone(),
            changed(&index, offsets, &[0x7f; 4]),
            "is outside the objects of the pack",
            1,
        ),
        (
            "large offset missing",
            sound.clone(),
            changed(&index, offsets, &[0x80, 0, 0, 0]),
            "not a valid pack index",
            0,
        ),
        (
            "checksum",
            sound.clone(),
            changed(&index, at_end, &[1; 20]),
            "its checksum differs from the one in its index",
            2,
        ),
    ] {
        repository.files_of_pack(&pack, &index);
        let (report, told) = repository.report_with("", "", 1);
        assert!(told.contains(line), "{what}: {told}");
        assert_eq!(report["check"]["checked"], checked, "{what}: {told}");
    }
    for far in [1_u64 << 31, 1 << 40, u64::MAX] {
        let mut pack = pack.clone();
        pack.listed[0].1 = far;
        repository.pack(&pack);
        let report = repository
            .wrong(&[&format!("its offset in the index, {far}, is outside the objects of the pack")]);
        assert_eq!(counts(&report), [1, 0, 1, 0]);
    }
    let many = [b"\xfftOc\0\0\0\x02".to_vec(), vec![0; 1024 + (1 << 20)]].concat();
    repository.files_of_pack(&sound, &many);
    repository.wrong(&["it lists more objects than fit into its pack"]);
    // Two objects have the same offset, which is wrong for one of them.
    let mut twice = pack.clone();
    twice.listed[0].1 = twice.listed[1].1;
    repository.pack(&twice);
    assert_eq!(counts(&repository.wrong(&["the hash of its content differs from its ID"])), [2, 1, 0, 0]);
    // An offset inside another entry.
    let mut inside = pack.clone();
    inside.listed[0].1 = inside.listed[1].1 - 3;
    repository.pack(&inside);
    let (report, told) = repository.report_with("", "", 1);
    assert_eq!(report["check"]["checked"].as_u64().unwrap() + counts(&report)[2], 2, "{told}");
    repository.pack(&Pack::new());
    assert_eq!(counts(&repository.report_with("", "", 0).0), [0, 0, 0, 0]);
}

#[test]
fn objects_that_are_not_what_they_declare() {
    let repository = Repository::new();
    let sound = repository.loose_blob(&SOUND);
    let mut expected = Vec::new();
    let mut loose = |name: &str, compressed: Vec<u8>, why: &'static str| {
        let id = hex(&blob_id(name.as_bytes()));
        repository.loose(&id, compressed);
        expected.push((id, why));
    };
    loose("empty", Vec::new(), "its compressed data is truncated");
    loose("no zlib", b"rubbish".to_vec(), "its compressed data is damaged");
    loose("more", deflated(b"blob 3\0four"), "it declares 10 bytes but has more");
    loose("less", deflated(b"blob 5\0four"), "it declares 12 bytes but has 11");
    loose("bomb", deflated_zeros(b"blob 3\0", 300), "it declares 10 bytes but has more");
    loose("cut", deflated_zeros(b"blob 9999999\0", 1), "its compressed data is truncated");
    loose("after", [deflated(b"blob 4\0four"), vec![0]].concat(), "extra bytes follow its compressed data");
    for (name, head) in
        [("type", "blub 4\0four"), ("size", "blob x\0"), ("minus", "blob -1\0"), ("no end", "blob 4")]
    {
        loose(name, deflated(head.as_bytes()), "it does not begin with its type and size");
    }
    loose(
        "long",
        deflated(format!("blob {}1\0", "0".repeat(100)).as_bytes()),
        "it does not begin with its type and size",
    );
    let mut pack = Pack::new();
    let base = pack.blob(b"base");
    let mut packed = |name: &str, why: &'static str, add: &mut dyn FnMut(&mut Pack, Vec<u8>) -> u64| {
        let id = blob_id(name.as_bytes());
        expected.push((hex(&id), why));
        add(&mut pack, id)
    };
    packed("p more", "it declares 3 bytes but has more", &mut |p, id| {
        p.entry(BLOB, 3, &[], &deflated(b"four"), id)
    });
    packed("p less", "it declares 5 bytes but has 4", &mut |p, id| {
        p.entry(BLOB, 5, &[], &deflated(b"four"), id)
    });
    packed("p bomb", "it declares 5 bytes but has more", &mut |p, id| {
        p.entry(BLOB, 5, &[], &deflated_zeros(b"", 300), id)
    });
    packed("p type 0", "its header in the pack is damaged", &mut |p, id| {
        p.entry(0, 5, &[], &deflated(b"four"), id)
    });
    packed("p type 5", "its header in the pack is damaged", &mut |p, id| {
        p.entry(5, 5, &[], &deflated(b"four"), id)
    });
    let wrong = packed("p base", "it needs a base of 5 bytes, but its base has 4", &mut |p, id| {
        p.ofs_delta(base, &delta(5, 1, b""), id)
    });
    packed("p on it", "the base of its delta cannot be read", &mut |p, id| {
        p.ofs_delta(wrong, &delta(4, 1, b""), id)
    });
    packed("p code", "its delta has an invalid instruction (0)", &mut |p, id| {
        p.ofs_delta(base, &[4, 4, 0], id)
    });
    packed("p copy", "its delta copies from beyond its base", &mut |p, id| {
        p.ofs_delta(base, &[4, 9, 0x90, 9], id)
    });
    packed("p short", "its delta is truncated", &mut |p, id| p.ofs_delta(base, &[4, 9, 9, 1], id));
    packed("p none", "its delta is truncated", &mut |p, id| p.ofs_delta(base, &[], id));
    packed("p thin", "the base of its delta is not listed in the index", &mut |p, id| {
        p.ref_delta(&blob_id(b"elsewhere"), &delta(4, 1, b""), id)
    });
    packed("p amid", "the base of its delta is not listed in the index", &mut |p, id| {
        p.ofs_delta(base + 1, &delta(4, 1, b""), id)
    });
    let own = blob_id(b"p self");
    packed("p self", "it is in a cycle of deltas, or depends on one", &mut |p, id| {
        p.ref_delta(&own, &delta(4, 1, b""), id)
    });
    // A distance that points before the start of the pack.
    packed("p before", "the base of its delta is not listed in the index", &mut |p, id| {
        p.entry(packs::OFS_DELTA, 3, &[0xff, 0xff, 0x7f], &deflated(&delta(4, 1, b"")), id)
    });
    repository.pack(&pack);
    let (report, told) = repository.report_with("", "", 1);
    let named = report["check"]["unreadable"]["first"].as_array().unwrap();
    for (id, why) in &expected {
        let line = named.iter().find(|line| line["name"] == id.as_str());
        assert_eq!(line.map(|line| line["why"].as_str().unwrap()), Some(*why), "{told}");
    }
    // A cycle of one: an entry that is a delta of itself.
    assert_eq!(counts(&report), [2, 0, expected.len() as u64, 1], "{told}");
    assert_eq!(report["repository"]["objects"], 2);
    assert!(!report["check"].to_string().contains(&sound));
}

#[test]
fn folders_that_cannot_be_read() {
    let repository = Repository::new();
    let sound = repository.loose_blob(&SOUND);
    let other = if sound.starts_with("aa") { "bb" } else { "aa" };
    link(other, &repository.at(&format!("objects/{other}")));
    repository.write("objects/cc", "a file");
    // This is not an object: git creates such a file while it writes an object.
    repository.write("objects/dd/tmp_obj_123456", "");
    std::fs::remove_dir_all(repository.at("objects/pack")).unwrap();
    repository.write("objects/pack", "a file");
    let report = repository.wrong(&[
        &format!("objects/{other}: Too many levels of symbolic links"),
        "objects/cc: Not a directory",
        "objects/pack: Not a directory",
    ]);
    assert_eq!(counts(&report), [1, 0, 0, 3]);
}
