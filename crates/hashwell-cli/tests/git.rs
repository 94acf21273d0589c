//! `hashwell git` with repositories that git itself creates. Results are compared with git's own list of objects.

use crate::common;
use crate::timing;

use common::{Folder, interrupt, skipped, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// One algorithm and a single pass, because these tests check what is read, not how fast it is.
const SHORT: [&str; 4] = ["-a", "sha256", "--repeat", "1"];

/// A report with times by size, which then need not be measured.
const SPEED: &str = ".git/speed.json";

/// A repository in a separate folder. If git is missing, this is reported once for each test.
struct Repository {
    folder: Folder,
    /// The number of hexadecimal digits of an id.
    digits: usize,
}

impl Repository {
    fn new(init: &[&str]) -> Option<Self> {
        let digits = if init.contains(&"sha256") { 64 } else { 40 };
        let repository = Self { folder: Folder::new(), digits };
        let version = repository.folder.tool("git", ["--version"])?;
        assert!(version.status.success());
        repository.git(&[&["init", "--quiet", "--initial-branch=main"], init].concat());
        repository.folder.write(SPEED, timing::speed_report());
        Some(repository)
    }

    fn path(&self) -> PathBuf {
        self.folder.path()
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = self.folder.command("git");
        command.current_dir(folder).envs([
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_AUTHOR_NAME", "A"),
            ("GIT_AUTHOR_EMAIL", "a@example.org"),
            ("GIT_COMMITTER_NAME", "A"),
            ("GIT_COMMITTER_EMAIL", "a@example.org"),
            ("GIT_ALLOW_PROTOCOL", "file"),
        ]);
        command
    }

    #[track_caller]
    fn git_in(&self, folder: &Path, args: &[&str]) -> String {
        let output = self.command(folder).args(args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", stderr(&output));
        stdout(&output).trim_end().to_owned()
    }

    #[track_caller]
    fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.path(), args)
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    /// Adds every kind of object: versions of a file that become deltas, a symbolic link, an executable file, a link to
    /// a submodule, an empty blob, an empty tree, a lightweight and an annotated tag, and a tag of a tag.
    fn fill(&self) {
        let mut stream = Vec::new();
        let mut commit = |message: &str, files: &[(&str, &str, Vec<u8>)]| {
            let head = "commit refs/heads/main\ncommitter A <a@example.org> 1 +0000\n";
            stream.extend(format!("{head}data {}\n{message}\n", message.len()).into_bytes());
            for (mode, name, content) in files {
                stream.extend(format!("M {mode} inline {name}\ndata {}\n", content.len()).into_bytes());
                stream.extend([content, &b"\n"[..]].concat());
            }
        };
        commit("empty tree", &[]);
        for version in 0..30 {
            // A window that moves over lines that are all different, so that the nearest version is the best base.
            let line = |n: u32| format!("line {n} {:08x}\n", n.wrapping_mul(2_654_435_761));
            let file = (20 * version..20 * version + 400).map(line).collect::<String>();
            let small = format!("folder/{version}");
            let files = [("100644", "file", file.into()), ("100644", &small, version.to_string().into())];
            commit(&format!("version {version}"), &files);
        }
        let program = b"#!/bin/sh\n".to_vec();
        let files = [
            ("120000", "link", b"file".to_vec()),
            ("100755", "program", program),
            ("100644", "empty", Vec::new()),
        ];
        commit("all kinds", &files);
        let head = "from refs/heads/main\n";
        stream.extend(format!("M 160000 {} submodule\n", "a".repeat(self.digits)).into_bytes());
        stream.extend(format!("reset refs/tags/light\n{head}\ntag heavy\n{head}").into_bytes());
        stream.extend(b"tagger A <a@example.org> 1 +0000\ndata 5\na tag\n");
        // Keep every object as a loose object.
        let mut import = self.command(&self.path());
        import.args(["-c", "fastimport.unpackLimit=100000", "fast-import", "--quiet", "--done"]);
        let mut import = import.stdin(Stdio::piped()).spawn().unwrap();
        stream.extend(b"done\n");
        import.stdin.take().unwrap().write_all(&stream).unwrap();
        assert!(import.wait().unwrap().success());
        self.git(&["tag", "--annotate", "--message", "a tag of a tag", "heavier", "heavy"]);
        self.git(&["reset", "--quiet", "--hard"]);
    }

    fn hashwell(&self, repository: &Path, args: &[&str]) -> Output {
        let mut command = self.folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.arg("git").args(args).arg(repository).output().unwrap()
    }

    #[track_caller]
    fn survey(&self, repository: &Path, args: &[&str], code: i32) -> Value {
        let speed = self.path().join(SPEED);
        let speed = ["--speed", speed.to_str().unwrap()];
        let speed = if args.contains(&"--speed") { &[][..] } else { &speed };
        let output = self.hashwell(repository, &[&SHORT[..], &["--json"], speed, args].concat());
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Compares the counts, bytes and largest size by type with git's list. Returns the report.
    #[track_caller]
    fn compare(&self, repository: &Path) -> Value {
        let format = "--batch-check=%(objecttype) %(objectsize)";
        let listed = self.git_in(repository, &["cat-file", "--batch-all-objects", "--unordered", format]);
        let mut expected: BTreeMap<String, (u64, u64, u64)> = BTreeMap::new();
        for line in listed.lines() {
            let (kind, size) = line.split_once(' ').unwrap();
            let size: u64 = size.parse().unwrap();
            for kind in [kind, "all"] {
                let (count, bytes, max) = expected.entry(kind.to_owned()).or_default();
                (*count, *bytes, *max) = (*count + 1, *bytes + size, size.max(*max));
            }
        }
        let report = self.survey(repository, &[], 0);
        let number = |line: &Value, name: &str| line[name].as_u64().unwrap();
        let line = |line: &Value| {
            let sizes = (number(line, "count"), number(line, "bytes"), number(line, "max"));
            (line["kind"].as_str().unwrap().to_owned(), sizes)
        };
        let found: BTreeMap<_, _> = report["sizes"].as_array().unwrap().iter().map(line).collect();
        assert_eq!(found, expected);
        assert_eq!(number(&report["check"], "checked"), expected["all"].0);
        report
    }

    fn packs(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.path().join(".git/objects/pack")).unwrap();
        let paths = files.map(|file| file.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|e| e == "pack")).collect()
    }

    fn loose_file(&self, id: &str) -> PathBuf {
        self.path().join(".git/objects").join(&id[..2]).join(&id[2..])
    }
}

/// Changes a file that git has made read-only.
fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    change(&mut bytes);
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o644)).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn loose_packed_and_both() {
    for (format, title) in [("sha1", "SHA-1"), ("sha256", "SHA-256")] {
        let Some(repository) = Repository::new(&["--object-format", format]) else { return };
        repository.fill();
        let path = repository.path();
        let loose = repository.compare(&path);
        assert_eq!(loose["repository"]["object_format"], title);
        assert_eq!(loose["repository"]["packs"], 0);

        repository.git(&["repack", "-a", "-d", "-f", "--window=3", "--depth=20", "--quiet"]);
        repository.git(&["prune-packed"]);
        let index = repository.packs()[0].with_extension("idx");
        let chains = repository.git(&["verify-pack", "--verbose", index.to_str().unwrap()]);
        assert!(chains.contains("chain length = 6"), "no long chains to test:\n{chains}");
        let packed = repository.compare(&path);
        assert_eq!(packed["repository"]["packs"], 1);
        assert_eq!(packed["sizes"], loose["sizes"]);

        // Add the same objects as loose files next to the pack. Each object is counted once.
        let pack = std::fs::File::open(&repository.packs()[0]).unwrap();
        let other = Repository::new(&["--object-format", format]).unwrap();
        let status =
            other.command(&other.path()).args(["unpack-objects", "-q"]).stdin(pack).status().unwrap();
        assert!(status.success());
        let copied = Command::new("cp")
            .args(["-r", "--no-clobber"])
            .arg(other.path().join(".git/objects"))
            .arg(path.join(".git"))
            .status();
        assert!(copied.unwrap().success());
        let both = repository.compare(&path);
        assert_eq!(both["sizes"], loose["sizes"]);
    }
}

#[test]
fn every_way_to_name_a_repository() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    let path = repository.path();
    let expected = repository.compare(&path)["sizes"].clone();
    assert_eq!(repository.compare(&path.join("folder"))["sizes"], expected);
    assert_eq!(repository.compare(&path.join(".git"))["sizes"], expected);

    let away = Folder::new();
    let at = |name: &str| away.path().join(name);
    let text = |name: &str| at(name).to_str().unwrap().to_owned();
    repository.git(&["worktree", "add", "--quiet", "--detach", &text("worktree")]);
    assert_eq!(repository.compare(&at("worktree"))["sizes"], expected);
    repository.git(&["clone", "--quiet", "--bare", "--no-local", ".", &text("bare")]);
    assert_eq!(repository.compare(&at("bare"))["repository"]["packs"], 1);

    repository.git(&["clone", "--quiet", "--shared", ".", &text("shared")]);
    away.write("shared/more", "more\n");
    repository.git_in(&at("shared"), &["add", "more"]);
    let shared = repository.compare(&at("shared"));
    assert_eq!(
        (&shared["repository"]["alternates"], shared["sizes"][3]["count"].as_u64()),
        (&Value::from(1), Some(2))
    );
    // The blob just added is the only additional one.
    let blobs = |sizes: &Value| sizes[2]["count"].as_u64().unwrap();
    assert_eq!(blobs(&shared["sizes"]), blobs(&expected) + 1);

    let url = format!("file://{}", path.display());
    repository.git(&["clone", "--quiet", "--depth=2", &url, &text("shallow")]);
    assert_eq!(repository.compare(&at("shallow"))["sizes"][0]["count"], 2);
}

#[test]
fn several_packs_with_and_without_a_multi_pack_index() {
    let Some(repository) = Repository::new(&[]) else { return };
    let path = repository.path();
    for round in 0..3 {
        for version in 0..5 {
            repository.folder.write("file", format!("{round} {version}\n").repeat(300));
            repository.commit("another");
        }
        repository.git(&["repack", "--quiet"]);
    }
    // Pack everything again into one pack, so that every object is in two packs.
    repository.git(&["repack", "-a", "--quiet"]);
    let without = repository.compare(&path);
    assert_eq!(without["repository"]["packs"], 4);
    repository.git(&["multi-pack-index", "write"]);
    let with = repository.compare(&path);
    assert_eq!(with["sizes"], without["sizes"]);
}

#[test]
fn an_object_larger_than_a_batch() {
    let Some(repository) = Repository::new(&[]) else { return };
    let random: Vec<u8> =
        hashwell::find("shake128").unwrap().hasher().into_reader().unwrap().read_vec(33 << 20);
    repository.folder.write("large", &random);
    repository.folder.write("small", "small");
    repository.commit("large");
    repository.folder.write("large", &random[1..]);
    repository.commit("less large");
    repository.git(&[
        "-c",
        "core.bigFileThreshold=1g",
        "-c",
        "pack.windowMemory=1g",
        "repack",
        "-a",
        "-d",
        "-f",
        "--quiet",
    ]);
    let report = repository.compare(&repository.path());
    assert_eq!(report["sizes"][2]["max"], 33 << 20);
}

#[test]
fn our_own_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    if !root.join(".git").exists() {
        skipped("git of the project's own repository", "no .git");
        return;
    }
    let Some(helper) = Repository::new(&[]) else { return };
    helper.compare(root);
}

#[test]
fn an_empty_repository() {
    let Some(repository) = Repository::new(&[]) else { return };
    let report = repository.survey(&repository.path(), &[], 0);
    assert_eq!(
        (&report["sizes"], &report["rows"]),
        (&Value::from(Vec::<Value>::new()), &Value::from(Vec::<Value>::new()))
    );
    let output = repository.hashwell(&repository.path(), &[]);
    assert!(output.status.success() && stdout(&output).contains("0 objects"), "{}", stdout(&output));
}

#[test]
fn what_is_no_repository() {
    let folder = Folder::new();
    for (path, why) in [(".", "not a git repository"), ("gone", "No such file")] {
        let output = folder.hashwell(["git", path]);
        assert_eq!(output.status.code(), Some(1), "{path}");
        assert!(stderr(&output).contains(why) && stderr(&output).contains(path), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
    for args in [
        &["--sample", "0"][..],
        &["--sample", "5X"],
        &["--repeat", "0"],
        &["-a", "md5"],
        &["--json", "--csv"],
        &["--all", "-a", "sha1"],
    ] {
        let output = folder.hashwell([&["git"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn a_flipped_bit_in_a_pack_is_found_and_the_rest_is_read() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    repository.git(&["gc", "--quiet"]);
    let pack = &repository.packs()[0];
    let listed = repository.git(&["verify-pack", "--verbose", pack.with_extension("idx").to_str().unwrap()]);
    // The columns are id, type, size, size in the pack and offset; for deltas also depth and base.
    let entries: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
    let place = |entry: &[&str]| entry[4].parse::<usize>().unwrap() + entry[3].parse::<usize>().unwrap() / 2;
    let whole = entries
        .iter()
        .filter(|e| e.len() == 5 && e[1] == "commit")
        .max_by_key(|e| e[3].parse::<u64>().unwrap())
        .unwrap();
    let objects = entries.iter().filter(|e| e.len() == 5 || e.len() == 7).count() as u64;
    change(pack, |bytes| bytes[place(whole)] ^= 0x10);

    let output =
        repository.hashwell(&repository.path(), &[&SHORT[..], &["--json", "--speed", SPEED]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains(whole[0]), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let count = |what: &str| report["check"][what]["count"].as_u64().unwrap();
    assert_eq!(count("mismatches") + count("unreadable"), 1, "{}", report["check"]);
    assert_eq!(report["check"]["checked"].as_u64().unwrap() + count("unreadable"), objects);
    assert!(!report["rows"].as_array().unwrap().is_empty());
}

#[test]
fn a_broken_base_breaks_what_is_made_from_it_only() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    repository.git(&["repack", "-a", "-d", "-f", "--window=3", "--depth=20", "--quiet"]);
    let pack = &repository.packs()[0];
    let listed = repository.git(&["verify-pack", "--verbose", pack.with_extension("idx").to_str().unwrap()]);
    let entries: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
    // Everything that depends on a delta. The deltas that git creates vary from run to run.
    let made_from = |first: &str| -> Vec<&str> {
        let mut made: Vec<&str> = entries.iter().map(|e| e[0]).filter(|id| *id == first).collect();
        for _ in 0..30 {
            let more = entries.iter().filter(|e| e.len() == 7 && made.contains(&e[6])).map(|e| e[0]);
            let more: Vec<&str> = more.filter(|id| !made.contains(id)).collect();
            made.extend(more);
        }
        made
    };
    // A delta of depth 1 with as few dependent deltas as possible, because the report only names the first ones.
    let deltas = entries.iter().filter(|e| e.len() == 7 && e[5] == "1");
    let first = deltas.filter(|e| made_from(e[0]).len() > 2).min_by_key(|e| made_from(e[0]).len()).unwrap();
    let mut broken = made_from(first[0]);
    assert!(broken.len() > 2);
    let end = first[4].parse::<usize>().unwrap() + first[3].parse::<usize>().unwrap();
    // Damage the checksum of the compressed data.
    change(pack, |bytes| bytes[end - 1] ^= 1);
    let report = repository.survey(&repository.path(), &[], 1);
    let names = |what: &str, name: fn(&Value) -> &str| -> Vec<String> {
        report["check"][what]["first"].as_array().unwrap().iter().map(|v| name(v).to_owned()).collect()
    };
    let mut named = names("unreadable", |v| v["name"].as_str().unwrap());
    named.extend(names("mismatches", |v| v.as_str().unwrap()));
    named.sort();
    broken.sort_unstable();
    assert_eq!(named, broken);
}

#[test]
fn a_truncated_pack_and_one_without_index() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    repository.git(&["gc", "--quiet"]);
    let objects: u64 = repository
        .git(&["count-objects", "-v"])
        .lines()
        .find_map(|l| l.strip_prefix("in-pack: "))
        .unwrap()
        .parse()
        .unwrap();
    let pack = &repository.packs()[0];
    change(pack, |bytes| bytes.truncate(bytes.len() / 2));
    let output =
        repository.hashwell(&repository.path(), &[&SHORT[..], &["--json", "--speed", SPEED]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains(pack.to_str().unwrap()) && stderr(&output).contains("truncated"),
        "{}",
        stderr(&output)
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (read, unreadable) = (
        report["check"]["checked"].as_u64().unwrap(),
        report["check"]["unreadable"]["count"].as_u64().unwrap(),
    );
    assert!(read > 0 && unreadable > 0 && read + unreadable == objects, "{read} {unreadable} {objects}");
    assert_eq!(report["check"]["mismatches"]["count"], 0);

    repository.folder.write("loose", "still read");
    repository.git(&["hash-object", "-w", "loose"]);
    for (rubbish, why) in [(Some("rubbish"), "not a valid pack index"), (None, "no index")] {
        let index = pack.with_extension("idx");
        match rubbish {
            Some(rubbish) => change(&index, |bytes| *bytes = rubbish.into()),
            None => std::fs::remove_file(&index).unwrap(),
        }
        let output =
            repository.hashwell(&repository.path(), &[&SHORT[..], &["--json", "--speed", SPEED]].concat());
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["check"]["checked"], 1);
    }
}

#[test]
fn loose_files_that_are_wrong() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    let object = |text: &str| {
        repository.folder.write("object", text);
        repository.git(&["hash-object", "-w", "object"])
    };
    let (cut, empty, other, right) = (object("cut"), object("empty"), object("another"), object("right"));
    change(&repository.loose_file(&cut), |bytes| bytes.truncate(bytes.len() / 2));
    change(&repository.loose_file(&empty), Vec::clear);
    // A valid file with a wrong name.
    let sound = std::fs::read(repository.loose_file(&right)).unwrap();
    change(&repository.loose_file(&other), |bytes| *bytes = sound);
    let output =
        repository.hashwell(&repository.path(), &[&SHORT[..], &["--json", "--speed", SPEED]].concat());
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["check"]["mismatches"]["first"], serde_json::json!([other]));
    assert_eq!(report["check"]["unreadable"]["count"], 2);
    for id in [&cut, &empty, &other] {
        assert!(stderr(&output).contains(id.as_str()), "{}", stderr(&output));
    }
    assert!(!stderr(&output).contains(&right));
}

#[test]
fn rows_are_candidates_with_intervals() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    let report = repository.survey(&repository.path(), &["-a", "blake3"], 0);
    let rows = report["rows"].as_array().unwrap();
    let of = |provider: &str| -> Vec<&str> {
        let ours = rows.iter().filter(|row| row["provider"].as_str().unwrap().starts_with(provider));
        ours.map(|row| row["algorithm"].as_str().unwrap()).collect()
    };
    let mut ours = of("hashwell");
    ours.sort_unstable();
    ours.dedup();
    assert_eq!(ours, ["blake3", "sha256"]);
    assert_eq!(of("sha1dc"), ["sha1"]);
    let mut before = (true, 0.0);
    for row in rows {
        let number = |value: &Value| value.as_f64().unwrap();
        let seconds = &row["seconds"];
        let [low, value, high] = ["low", "value", "high"].map(|name| number(&seconds[name]));
        assert!(0.0 < low && low <= value && value <= high, "{row}");
        // Broken algorithms come last, no matter how fast they are. The others are sorted by speed.
        let place = (row["status"] != "broken", value);
        assert!(!place.0 || before.0, "{row}");
        assert!(place.0 != before.0 || value >= before.1, "{row}");
        before = place;
        assert!(number(&row["predicted_seconds"]) > 0.0);
        if row["git_now"].as_bool().unwrap() {
            assert_eq!(number(&row["over_now"]["value"]), 1.0);
        }
    }
    assert_eq!(rows.iter().filter(|row| row["git_now"] == true).count(), 1);
}

#[test]
fn a_sample_is_the_same_each_time_and_estimates_the_whole() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    for round in 0..40 {
        repository.folder.write(format!("more/{round}"), format!("{round}").repeat(200 * round));
    }
    repository.commit("more");
    let path = repository.path();
    let whole = repository.survey(&path, &[], 0);
    let stream_bytes = whole["repository"]["stream_bytes"].as_u64().unwrap();
    let sample = |seed: &str| {
        repository.survey(&path, &["--sample", &(stream_bytes / 2).to_string(), "--seed", seed], 0)
    };
    let (one, again, other) = (sample("one"), sample("one"), sample("other"));
    assert_eq!(one["run"]["sample"], again["run"]["sample"]);
    assert_eq!(one["run"]["sample"]["objects"], other["run"]["sample"]["objects"]);
    assert_ne!(one["run"]["sample"]["stream_bytes"], other["run"]["sample"]["stream_bytes"]);
    assert_eq!(one["check"]["checked"], one["run"]["sample"]["objects"]);
    assert_eq!(one["sizes"], whole["sizes"]);
    // The sampled half of the objects represents all of them, so with the same curve, the predicted time is that of all
    // objects.
    let predicted = |report: &Value| {
        let rows = report["rows"].as_array().unwrap();
        let ours = rows.iter().find(|row| row["provider"] == "hashwell" && row["many"] == false).unwrap();
        ours["predicted_seconds"].as_f64().unwrap()
    };
    let ratio = predicted(&one) / predicted(&whole);
    assert!((0.98..1.02).contains(&ratio), "{ratio}");
    // The measured time is also close to that for all objects. Because other processes may interfere, one success is
    // enough; an estimate for only half of the objects would never be close.
    let seconds = |report: &Value| {
        let rows = report["rows"].as_array().unwrap();
        rows.iter().find(|row| row["git_now"] == true).unwrap()["seconds"]["value"].as_f64().unwrap()
    };
    let ratios: Vec<f64> =
        (0..5).map(|_| seconds(&sample("one")) / seconds(&repository.survey(&path, &[], 0))).collect();
    assert!(ratios.iter().any(|ratio| (0.7..1.4).contains(ratio)), "{ratios:?}");
}

#[test]
fn a_sample_of_everything_is_exact() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    let path = repository.path();
    let whole = repository.survey(&path, &[], 0);
    let bytes = whole["repository"]["stream_bytes"].as_u64().unwrap();
    for (sample, exact) in [(u64::MAX, true), (bytes, true), (bytes - 1, false)] {
        let sample = sample.to_string();
        let report = repository.survey(&path, &["--sample", &sample], 0);
        assert_eq!(report["run"]["sample_is_whole"], exact);
        assert_eq!(report["run"]["sample"].is_null(), exact);
        assert_eq!(report["check"]["checked"] == whole["check"]["checked"], exact);
        let text = stdout(
            &repository.hashwell(&path, &[&SHORT[..], &["--speed", SPEED, "--sample", &sample]].concat()),
        );
        assert_eq!((text.contains("EXACT: "), text.contains("ESTIMATED")), (exact, !exact), "{text}");
    }
}

#[test]
fn predictions_from_a_report_of_speed() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    // With 100 ns plus 1 ns per byte, the prediction is a simple sum.
    let report = repository.survey(&repository.path(), &[], 0);
    let rows = report["rows"].as_array().unwrap();
    let ours = rows.iter().find(|row| row["provider"] == "hashwell" && row["many"] == false).unwrap();
    let whole = &report["repository"];
    // Only some blobs are shorter than 64 bytes. They count as 64.
    let expected =
        1e-9 * (100.0 * whole["objects"].as_f64().unwrap() + whole["stream_bytes"].as_f64().unwrap());
    let predicted = ours["predicted_seconds"].as_f64().unwrap();
    assert!((predicted / expected - 1.0).abs() < 0.02, "{predicted} {expected}");
    repository.folder.write("speed.json", "{}");
    let output = repository.hashwell(&repository.path(), &["--speed", "speed.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("speed.json: not a report"), "{}", stderr(&output));
}

/// Waits until a process has used half a second of CPU time, which the system counts in hundredths.
fn wait_until_at_work(child: &Child) {
    let start = Instant::now();
    loop {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        // The name is in parentheses and may contain any characters.
        let ticks = stat.rsplit(')').next().unwrap().split_whitespace().nth(11).unwrap();
        if ticks.parse::<u64>().unwrap() >= 50 {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(100), "it does not work: {stat}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn ctrl_c_keeps_what_there_is() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    let mut command = repository.folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args(["git", "-a", "sha256", "--json", "--repeat", "100000000", "--html", "page.html"]);
    command.args(["--speed", SPEED, "."]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Reading two hundred objects takes hundredths of that, so it is hashing them repeatedly by then.
    wait_until_at_work(&child);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["run"]["complete"], false);
    assert!(report["repository"]["objects"].as_u64().unwrap() > 100);
    assert!(std::fs::read_to_string(repository.path().join("page.html")).unwrap().ends_with("</html>\n"));
}

/// The share of each object type in the row of git's current algorithm, as (type, share).
fn shares(report: &Value) -> Vec<(String, f64)> {
    let rows = report["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["git_now"] == true && row["many"] == false).unwrap();
    let types = row["types"].as_array().unwrap();
    let seconds: f64 = types.iter().map(|time| time["seconds"].as_f64().unwrap()).sum();
    let whole = row["seconds"]["value"].as_f64().unwrap();
    assert!((seconds / whole - 1.0).abs() < 1e-9, "{seconds} of {whole}");
    types
        .iter()
        .map(|time| (time["kind"].as_str().unwrap().to_owned(), time["share"].as_f64().unwrap()))
        .collect()
}

#[test]
fn times_of_each_type() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    // Blobs with a thousand times as many bytes as all other objects take most of the time.
    repository.folder.write("large", (0..3_000_000_u32).flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
    repository.commit("large");
    for report in [
        repository.compare(&repository.path()),
        repository.survey(&repository.path(), &["--sample", "1M"], 0),
    ] {
        let shares = shares(&report);
        let kinds: Vec<&str> = shares.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(kinds, ["commit", "tree", "blob", "tag"]);
        assert!((shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(shares[2].1 > 0.8 && shares.iter().all(|(_, share)| *share > 0.0), "{shares:?}");
    }
    // A type that does not occur has no time.
    let Some(single) = Repository::new(&[]) else { return };
    single.folder.write("file", "content");
    single.git(&["add", "file"]);
    let report = single.survey(&single.path(), &[], 0);
    assert_eq!(shares(&report), [("blob".to_owned(), 1.0)]);
}

#[test]
fn operations_of_git() {
    let Some(repository) = Repository::new(&[]) else { return };
    repository.fill();
    let path = repository.path();
    let of = |report: &Value, name: &str| report["operations"][name].clone();
    let report = repository.survey(&path, &[], 0);
    assert_eq!(report["operations"], Value::Null);
    // Loose objects are in no pack.
    let report = repository.survey(&path, &["--operations"], 0);
    let why = of(&report, "index_pack")["unavailable"].as_str().unwrap().to_owned();
    assert_eq!(why, "the repository has no packs; git repack -ad creates one");
    assert!(of(&report, "fsck")["seconds"].as_f64().unwrap() > 0.0, "{report}");
    repository.git(&["repack", "-a", "-d", "--quiet"]);
    let before = repository.packs();
    let report = repository.survey(&path, &["--operations"], 0);
    let why = of(&report, "index_pack")["unavailable"].as_str().map(str::to_owned);
    // Objects that no commit reaches stay loose.
    if let Some(why) = why {
        assert!(why.contains("objects are not in a pack"), "{why}");
        repository.git(&["prune", "--expire=now"]);
    }
    let report = repository.survey(&path, &["--operations"], 0);
    for name in ["index_pack", "fsck"] {
        assert!(of(&report, name)["seconds"].as_f64().unwrap() > 0.0, "{report}");
        assert_eq!(of(&report, name)["unavailable"], Value::Null);
    }
    assert!(report["operations"]["git"].as_str().unwrap().starts_with("git version "));
    let text = stdout(&repository.hashwell(&path, &[&SHORT[..], &["--operations"]].concat()));
    for part in
        ["git index-pack takes ", "git fsck takes ", "hashing with git's hash is about ", "index-pack ×"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The repository is as it was, and no temporary files are left.
    assert_eq!(repository.packs(), before);
    let folder = repository.folder.path().join("temporary");
    std::fs::create_dir(&folder).unwrap();
    let mut command = repository.folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let output =
        command.env("TMPDIR", &folder).args(["git", "--operations"]).args(SHORT).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    // Without git, the reason is printed, and everything else is printed as usual.
    let mut command = repository.folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let output =
        command.env("PATH", &folder).args(["git", "--operations"]).args(SHORT).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("git fsck: not available (git is not installed)"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn two_repositories_in_one_output() {
    let Some(old) = Repository::new(&["--object-format=sha1"]) else { return };
    let Some(new) = Repository::new(&["--object-format", "sha256"]) else { return };
    [&old, &new].iter().for_each(|repository| repository.fill());
    let of = |args: &[&str]| {
        let mut command = old.folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.arg("git").args(SHORT).args(args).arg(old.path()).arg(new.path()).output().unwrap()
    };
    let output = of(&["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let both: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(both["schema"], "hashwell-git-reports/1");
    let reports = both["reports"].as_array().unwrap();
    let formats: Vec<&Value> = reports.iter().map(|report| &report["repository"]["object_format"]).collect();
    assert_eq!(formats, ["SHA-1", "SHA-256"]);
    for (report, repository) in reports.iter().zip([&old, &new]) {
        assert_eq!(report["sizes"], repository.survey(&repository.path(), &[], 0)["sizes"]);
    }
    // The same objects, but ids in trees, commits and tags are longer.
    let line = |report: &Value, kind: &str| {
        let lines = report["sizes"].as_array().unwrap();
        let line = lines.iter().find(|line| line["kind"] == kind).unwrap();
        (line["count"].as_u64().unwrap(), line["bytes"].as_u64().unwrap())
    };
    for kind in ["commit", "tree", "blob", "tag"] {
        let [(old_count, old_bytes), (new_count, new_bytes)] = [0, 1].map(|i| line(&reports[i], kind));
        assert_eq!(old_count, new_count, "{kind}");
        assert!(if kind == "blob" { old_bytes == new_bytes } else { old_bytes < new_bytes }, "{kind}");
    }
    let text = stdout(&of(&[]));
    assert!(text.contains("Repositories: CPU time of git's hash by object type"), "{text}");
    assert_eq!(text.matches("CPU time for the objects of each type").count(), 2, "{text}");
    for refused in [&["--csv"][..], &["--html", "page.html"]] {
        let output = of(refused);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("--csv and --html need a single repository"), "{}", stderr(&output));
    }
}
