//! Compares identifiers with the tools that define them, git and Go, and with known answers.

use crate::common;

use common::{Folder, assert_ran, output, skipped, stderr, stdout};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const FORMATS: [&str; 2] = ["sha1", "sha256"];

/// Runs git in `directory` of the folder, without any user settings.
fn git_command(folder: &Folder, directory: &str) -> Command {
    let mut git = folder.command("git");
    git.current_dir(folder.path().join(directory)).env("HOME", folder.path());
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"] {
        git.env_remove(name);
    }
    git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    git.args(["-c", "user.name=n", "-c", "user.email=e"]);
    git
}

/// The output of git. If there is no git, reports that and returns `None`.
#[track_caller]
fn git<A: AsRef<OsStr>>(
    folder: &Folder,
    directory: &str,
    args: impl IntoIterator<Item = A>,
) -> Option<String> {
    let output = output(git_command(folder, directory).args(args))?;
    assert!(output.status.success(), "{}", stderr(&output));
    Some(stdout(&output))
}

/// The id that git computes for everything in `directory`. The repository is removed afterwards.
#[track_caller]
fn write_tree(folder: &Folder, directory: &str, format: &str) -> Option<String> {
    git(folder, directory, ["init", "-q", &format!("--object-format={format}")])?;
    git(folder, directory, ["add", "-A", "-f"])?;
    let id = git(folder, directory, ["write-tree"]);
    fs::remove_dir_all(folder.path().join(directory).join(".git")).unwrap();
    id
}

#[track_caller]
fn assert_git_tree(folder: &Folder, directory: &str) {
    for format in FORMATS {
        let Some(id) = write_tree(folder, directory, format) else { return };
        for jobs in ["-j1", "-j2", "-j7"] {
            let ours = folder.hashwell(["sum", jobs, "--git-tree", "-a", format, directory]);
            assert_ran(&ours, 0, &format!("{}  {directory}\n", id.trim()), "");
        }
    }
}

fn mode(folder: &Folder, name: &str, mode: u32) {
    fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
}

/// Every kind of entry, and names that are difficult to sort or print.
fn odd_tree() -> Folder {
    let folder = Folder::new();
    let names: [&[u8]; 22] = [
        b"a",
        b"a.b",
        b"a-b/x",
        b"a0",
        b"foo/bar/baz",
        b"foo.txt",
        b"foo-bar",
        b"foo0",
        b"foo\xff",
        b"A",
        b" lead",
        b"two words",
        b"new\nline",
        b"back\\slash",
        b"tab\t",
        b"\"quote",
        b"\xff\xfe",
        b"\xc3\xa9/\xe9",
        b"deep/1/2/3/4/5/6/7/8",
        b".gitignore",
        b".hidden/x",
        b"-dash",
    ];
    for name in names {
        folder.write(Path::new("d").join(OsStr::from_bytes(name)).as_os_str(), name);
    }
    folder.write("d/.gitignore", "*\n");
    folder.write("d/empty", "");
    for size in [65_535, 65_536, 5_000_000] {
        folder.write(format!("d/large/{size}"), vec![size as u8; size]);
    }
    for i in 0..200 {
        folder.write(format!("d/many/{i}"), vec![i as u8; 10 * i]);
    }
    for (i, permissions) in [0o755, 0o700, 0o744, 0o654, 0o645, 0o444].into_iter().enumerate() {
        let name = format!("d/mode/{i}");
        folder.write(&name, "x");
        mode(&folder, &name, permissions);
    }
    for (link, target) in
        [("file", "a"), ("directory", "foo"), ("nowhere", "no/such"), ("up", ".."), ("bytes", "\u{fc}\n")]
    {
        symlink(target, folder.path().join("d").join(link)).unwrap();
    }
    fs::create_dir_all(folder.path().join("d/nothing/below/here")).unwrap();
    fs::create_dir_all(folder.path().join("d/foo/also-nothing")).unwrap();
    folder
}

#[test]
fn git_trees() {
    assert_git_tree(&odd_tree(), "d");
    // The tree of an empty directory; and various names of the same directory.
    let folder = Folder::new();
    folder.write("d/sub/x", "x");
    fs::create_dir_all(folder.path().join("nothing/at/all")).unwrap();
    symlink("d/sub", folder.path().join("link")).unwrap();
    assert_git_tree(&folder, "nothing");
    let Some(id) = write_tree(&folder, "d/sub", "sha1") else { return };
    let id = id.trim();
    let ours = folder.hashwell(["sum", "--git-tree", "d/sub", "d/sub/", "link", "d/./sub"]);
    assert_ran(&ours, 0, &format!("{id}  d/sub\n{id}  d/sub/\n{id}  link\n{id}  d/./sub\n"), "");
}

/// Tests the sort order for every pair of names with up to three characters, as file and directory in both
/// combinations.
#[test]
fn git_order_of_names() {
    let alphabet = ["a", "-", ".", "0"];
    let mut names: Vec<String> = alphabet.map(str::to_owned).to_vec();
    for len in 1..3 {
        let longer = names
            .iter()
            .filter(|name| name.len() == len)
            .flat_map(|name| alphabet.map(|c| format!("{name}{c}")));
        let longer: Vec<String> = longer.collect();
        names.extend(longer);
    }
    names.retain(|name| name != "." && name != "..");
    let folder = Folder::new();
    for bit in 0..7 {
        for flip in 0..2 {
            for (i, name) in names.iter().enumerate() {
                let below = if (i >> bit) & 1 == flip { "" } else { "/x" };
                folder.write(format!("d/{bit}{flip}/{name}{below}"), "");
            }
        }
    }
    assert!(names.len() <= 1 << 7, "the bits tell any two names apart");
    assert_git_tree(&folder, "d");
}

#[test]
fn git_blobs() {
    let folder = odd_tree();
    let names =
        ["a", "empty", "foo/bar/baz", "large/65535", "large/65536", "large/5000000", "many/7", "two words"];
    let names = names.map(|name| format!("d/{name}"));
    let args = |options: &[&str]| -> Vec<String> {
        options.iter().map(|o| (*o).to_owned()).chain(names.iter().cloned()).collect()
    };
    for format in FORMATS {
        let Some(_) = git(&folder, ".", ["init", "-q", "r", &format!("--object-format={format}")]) else {
            return;
        };
        let ids = git(&folder, "r", ["rev-parse", "--show-object-format"]).unwrap();
        assert_eq!(ids.trim(), format);
        let hash = |name: &String| git(&folder, "r", ["hash-object", &format!("../{name}")]).unwrap();
        let theirs: String = names.iter().map(|name| format!("{}  {name}\n", hash(name).trim())).collect();
        for jobs in ["-j1", "-j3"] {
            assert_ran(&folder.hashwell(args(&["sum", jobs, "--git-blob", "-a", format])), 0, &theirs, "");
        }
        fs::remove_dir_all(folder.path().join("r")).unwrap();
    }
}

/// For nested repositories, git records the commit, wherever its id is stored.
#[test]
fn git_repositories_below() {
    let folder = Folder::new();
    folder.write("d/file", "x");
    for name in ["loose", "packed", "detached", "linked", "main"] {
        folder.write(format!("d/{name}/f"), name);
    }
    for name in ["loose", "packed", "detached", "linked", "main"] {
        let directory = format!("d/{name}");
        let Some(_) = git(&folder, &directory, ["init", "-q"]) else { return };
        git(&folder, &directory, ["add", "f"]).unwrap();
        git(&folder, &directory, ["commit", "-q", "-m", name]).unwrap();
    }
    git(&folder, "d/packed", ["tag", "-m", "a tag, peeled on a line of its own", "t"]).unwrap();
    git(&folder, "d/packed", ["pack-refs", "--all", "--prune"]).unwrap();
    git(&folder, "d/detached", ["checkout", "-q", "--detach"]).unwrap();
    git(&folder, "d/main", ["worktree", "add", "-q", "-b", "other", "../worktree"]).unwrap();
    fs::rename(folder.path().join("d/linked/.git"), folder.path().join("elsewhere")).unwrap();
    folder.write("d/linked/.git", "gitdir: ../../elsewhere\n");
    // A directory that is not a valid repository is an ordinary directory, without its `.git`.
    let valid = "ref: refs/heads/main\n";
    for (name, head, others) in [
        ("plain", valid, &[][..]),
        ("no-refs", valid, &["objects"]),
        ("no-objects", valid, &["refs"]),
        ("no-head", "ref: elsewhere\n", &["objects", "refs"]),
    ] {
        folder.write(format!("d/{name}/f"), name);
        folder.write(format!("d/{name}/.git/HEAD"), head);
        for other in others {
            folder.write(format!("d/{name}/.git/{other}/x"), "x");
        }
    }
    folder.write("d/junk/.git", "junk\n");
    folder.write("d/junk/f", "f");
    git(&folder, "d", ["init", "-q", "--bare", "bare.git"]).unwrap();
    let Some(theirs) = write_tree(&folder, "d", "sha1") else { return };
    let ours = folder.hashwell(["sum", "--git-tree", "d"]);
    assert_ran(&ours, 0, &format!("{}  d\n", theirs.trim()), "");
    // By itself, each of these is a directory of files.
    let ours = folder.hashwell(["sum", "--git-tree", "d/loose"]);
    let theirs = git(&folder, "d/loose", ["rev-parse", "HEAD^{tree}"]).unwrap();
    assert_ran(&ours, 0, &format!("{}  d/loose\n", theirs.trim()), "");

    let ours = folder.hashwell(["sum", "--git-tree", "-a", "sha256", "d"]);
    assert_eq!((ours.status.code(), &stdout(&ours)[..]), (Some(1), ""));
    assert!(
        stderr(&ours).contains("d/loose: the object IDs of this Git repository are not SHA-256\n"),
        "{}",
        stderr(&ours)
    );

    let folder = Folder::new();
    folder.write("d/sub/f", "f");
    git(&folder, "d/sub", ["init", "-q"]).unwrap();
    let message = "hashwell: d/sub: Git does not accept a nested repository without a checked-out commit\n";
    assert_ran(&folder.hashwell(["sum", "--git-tree", "d"]), 1, "", message);
    git(&folder, "d", ["init", "-q"]).unwrap();
    assert!(!git_command(&folder, "d").args(["add", "-A", "-f"]).output().unwrap().status.success());
}

#[test]
fn names_that_git_refuses() {
    let names = [
        ".GIT",
        ".Git",
        "git~1",
        "GIT~1 .",
        ".git ",
        ".git.",
        ".git...:x",
        ".git:x",
        "x\\.git",
        ".git\\x",
        "a\\git~1.",
        ".gitx",
        ".gitignore",
        ".git x",
        "git~2",
        "git",
        "x.git",
        "x\\git",
        "a\\b",
        ".git~1",
        "git~1x",
        "x:.git",
    ];
    let check = |folder: &Folder, name: &str| {
        git(folder, "d", ["init", "-q"])?;
        let theirs = git_command(folder, "d").args(["add", "-A", "-f"]).output().unwrap();
        let ours = folder.hashwell(["sum", "--git-tree", "d"]);
        assert_eq!(ours.status.success(), theirs.status.success(), "{name:?}: {}", stderr(&theirs));
        let err = format!("hashwell: d/{name}: Git does not allow this name\n");
        assert_eq!(stderr(&ours), if theirs.status.success() { String::new() } else { err });
        Some(theirs.status.success())
    };
    let mut refused = 0;
    for name in names {
        let folder = Folder::new();
        folder.write(format!("d/{name}"), "x");
        let Some(taken) = check(&folder, name) else { return };
        refused += usize::from(!taken);
    }
    assert_eq!(refused, 11);
    let folder = Folder::new();
    fs::create_dir(folder.path().join("d")).unwrap();
    symlink("x", folder.path().join("d/.gitmodules")).unwrap();
    assert_eq!(check(&folder, ".gitmodules"), Some(false));
}

#[test]
fn known_answers() {
    let folder = Folder::new();
    folder.write("empty", "");
    folder.write("abc", "abc");
    fs::create_dir_all(folder.path().join("nothing/below")).unwrap();
    let run = |args: &[&str]| stdout(&folder.hashwell([&["sum"], args].concat()));
    assert_eq!(run(&["--git-blob", "empty"]), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391  empty\n");
    assert_eq!(
        run(&["--git-blob", "-a", "sha2-256", "empty"]),
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813  empty\n"
    );
    assert_eq!(run(&["--git-tree", "nothing"]), "4b825dc642cb6eb9a060e54bf8d69288fbee4904  nothing\n");
    assert_eq!(
        run(&["--git-tree", "-a", "sha256", "nothing"]),
        "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321  nothing\n"
    );
    assert_eq!(run(&["--swhid", "empty"]), "swh:1:cnt:e69de29bb2d1d6434b8b29ae775ad8c2e48c5391  empty\n");
    assert_eq!(
        run(&["--swhid", "nothing/below"]),
        "swh:1:dir:4b825dc642cb6eb9a060e54bf8d69288fbee4904  nothing/below\n"
    );
    assert_eq!(run(&["--go-h1", "nothing"]), "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=  nothing\n");
    // The hash of golang.org/x/mod v0.22.0 that is in every go.sum with this module.
    folder.write(
        "mod/go.mod",
        "module golang.org/x/mod\n\ngo 1.22.0\n\nrequire golang.org/x/tools v0.13.0 // tagx:ignore\n",
    );
    assert_eq!(run(&["--go-h1", "mod"]), "h1:6SkKJ3Xj0I0BrPOZoBy3bdMptDDU9oJrpohJ3eWZ1fY=  mod\n");
    assert_eq!(run(&["-z", "--git-blob", "empty"]), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391  empty\0");
}

#[test]
fn standard_input_and_special_files() {
    let folder = Folder::new();
    folder.write("abc", "abc");
    let id = "f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f";
    for (option, prefix) in [("--git-blob", ""), ("--swhid", "swh:1:cnt:")] {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        let mut child =
            command.args(["sum", option]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"abc").unwrap();
        assert_ran(&child.wait_with_output().unwrap(), 0, &format!("{prefix}{id}  -\n"), "");
    }
    let ours = folder.hashwell(["sum", "--git-blob", ".", "missing", "abc"]);
    let err = "hashwell: .: Is a directory\nhashwell: missing: No such file or directory\n";
    assert_ran(&ours, 1, &format!("{id}  abc\n"), err);
    let ours = folder.hashwell(["sum", "--git-tree", "abc", "missing", "/dev/null"]);
    let err = "hashwell: abc: Not a directory\nhashwell: missing: No such file or directory\n\
               hashwell: /dev/null: Not a directory\n";
    assert_ran(&ours, 1, "", err);

    folder.write("d/abc", "abc");
    std::os::unix::net::UnixListener::bind(folder.path().join("d/socket")).unwrap();
    let ours = folder.hashwell(["sum", "--git-tree", "d"]);
    let tree = stdout(&ours);
    assert_ran(&ours, 0, &tree, "hashwell: skipped 1 special file (d/socket)\n");
    let err = "hashwell: d/socket: not a file, directory or link\n";
    for option in ["--swhid", "--go-h1"] {
        assert_ran(&folder.hashwell(["sum", option, "d"]), 1, "", err);
    }
    fs::remove_file(folder.path().join("d/socket")).unwrap();
    assert_ran(&folder.hashwell(["sum", "--git-tree", "d"]), 0, &tree, "");
}

#[test]
fn what_cannot_be_read_has_no_identifier() {
    let folder = Folder::new();
    folder.write("d/secret", "x");
    folder.write("d/other", "y");
    folder.write("e/x", "x");
    mode(&folder, "d/secret", 0);
    if fs::read(folder.path().join("d/secret")).is_ok() {
        skipped("identifiers of unreadable files", "this user can read every file");
        return;
    }
    for option in ["--git-tree", "--swhid", "--go-h1"] {
        let ours = folder.hashwell(["sum", option, "d", "e"]);
        assert_eq!(ours.status.code(), Some(1));
        assert_eq!(stderr(&ours), "hashwell: d/secret: Permission denied\n");
        assert!(stdout(&ours).ends_with("  e\n") && stdout(&ours).lines().count() == 1, "{}", stdout(&ours));
    }
}

/// Unlike git, SWHIDs support empty directories, `.git`, and execution by anyone. The values are from swh.model 8.4.
#[test]
fn swhids_of_directories() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path().join("d/empty/below")).unwrap();
    let swhid = |name: &str| stdout(&folder.hashwell(["sum", "--swhid", name]));
    assert_eq!(swhid("d"), "swh:1:dir:d2127e871eaf922603cd7d8f1e8c9c4370a3ff22  d\n");
    folder.write("d/.git/HEAD", "ref: refs/heads/main\n");
    folder.write("d/.git/objects/x", "x");
    folder.write("d/.git/refs/x", "x");
    folder.write("d/foo/.git", "junk");
    folder.write("d/foo.txt", "foo");
    folder.write("d/new\nline", "");
    folder.write("d/.GIT", "refused by git");
    for permissions in [0o644, 0o645, 0o700] {
        let name = format!("d/{permissions:o}");
        folder.write(&name, "x");
        mode(&folder, &name, permissions);
    }
    symlink("no/such", folder.path().join("d/link")).unwrap();
    assert_eq!(swhid("d"), "swh:1:dir:fa465cf22566ebf64f7cc7d0cd1d08533f0649c2  d\n");
}

/// A zip file with these names and contents.
fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn h1_of_directories_and_zip_files() {
    let folder = Folder::new();
    let long = vec![7; 300_000];
    let files: [(&str, &[u8]); 5] =
        [("go.mod", b"module m\n"), ("a/b.go", b"b"), ("a.go", b"a"), ("a-b/c", b""), ("long", &long)];
    for (name, content) in files {
        folder.write(format!("d/{name}"), content);
    }
    fs::create_dir(folder.path().join("d/empty")).unwrap();
    let named: Vec<(String, &[u8])> =
        files.iter().map(|(name, content)| (format!("m@v1/{name}"), *content)).collect();
    let named: Vec<(&str, &[u8])> = named.iter().map(|(name, content)| (&name[..], *content)).collect();
    let zip = zip_of(&named);
    folder.write("m.zip", &zip);
    // The result of HashDir for these files.
    let h1 = "h1:Mi7P36hRpnKCxPuWRsDwE+V4qSVAt7mJfsdUzzbBNaU=";
    assert_ran(
        &folder.hashwell(["sum", "--go-h1", "--go-h1-prefix", "m@v1", "d/"]),
        0,
        &format!("{h1}  d/\n"),
        "",
    );
    assert_ran(&folder.hashwell(["sum", "--go-h1", "m.zip"]), 0, &format!("{h1}  m.zip\n"), "");
    let plain = stdout(&folder.hashwell(["sum", "--go-h1", "d"]));
    assert!(plain.starts_with("h1:") && !plain.starts_with(h1));
    folder.write("plain.zip", zip_of(&files));
    assert_eq!(stdout(&folder.hashwell(["sum", "--go-h1", "plain.zip"]))[..47], plain[..47]);

    let fails = |name: &str, message: &str| {
        let err = format!("hashwell: {name}: {message}\n");
        assert_ran(&folder.hashwell(["sum", "--go-h1", name]), 1, "", &err);
    };
    let at = zip.windows(4).position(|bytes| bytes == b"a.go").unwrap();
    let mut broken = zip.clone();
    broken[at + 6] ^= 1;
    folder.write("broken.zip", &broken);
    let ours = folder.hashwell(["sum", "--go-h1", "broken.zip"]);
    assert_eq!((ours.status.code(), &stdout(&ours)[..]), (Some(1), ""), "{}", stderr(&ours));
    let two: Vec<u8> = {
        let mut bytes = zip_of(&[("a1", b"1"), ("a2", b"2")]);
        while let Some(at) = bytes.windows(2).position(|pair| pair == b"a2") {
            bytes[at + 1] = b'1';
        }
        bytes
    };
    folder.write("two.zip", two);
    fails("two.zip", "two files in the zip file have the same name");
    folder.write("newline.zip", zip_of(&[("a\nb", b"")]));
    fails("newline.zip", "a name in the zip file has a newline, which Go's h1 hash does not allow");
    folder.write("text", "text");
    let ours = stderr(&folder.hashwell(["sum", "--go-h1", "text"]));
    let why = "neither a directory nor a zip file: the central directory is missing or damaged";
    assert_eq!(ours, format!("hashwell: text: {why}\n"));
    let ours = folder.hashwell(["sum", "--go-h1", "--go-h1-prefix", "p", "m.zip"]);
    let err =
        "hashwell: m.zip: --go-h1-prefix can't be used with a zip file, whose names already have a prefix\n";
    assert_ran(&ours, 1, "", err);

    folder.write("odd/new\nline", "");
    let err = "hashwell: \"odd/new\\nline\": the name has a newline, which Go's h1 hash does not allow\n";
    assert_ran(&folder.hashwell(["sum", "--go-h1", "odd"]), 1, "", err);
    fs::remove_file(folder.path().join("odd/new\nline")).unwrap();
    symlink("nowhere", folder.path().join("odd/link")).unwrap();
    let err = "hashwell: odd/link: No such file or directory\n";
    assert_ran(&folder.hashwell(["sum", "--go-h1", "odd", "d"]), 1, &plain, err);
}

/// The package as included with Go itself, so that nothing is downloaded.
fn go_dirhash(folder: &Folder) -> Option<OsString> {
    let root = folder.tool("go", ["env", "GOROOT"])?;
    let source =
        Path::new(stdout(&root).trim()).join("src/cmd/vendor/golang.org/x/mod/sumdb/dirhash/hash.go");
    let Ok(package) = fs::read(&source) else {
        skipped("comparison with Go's dirhash", "this Go does not bring it along");
        return None;
    };
    folder.write("go/dirhash/hash.go", package);
    folder.write("go/go.mod", "module compare\n\ngo 1.21\n");
    let program = r#"
        package main

        import (
            "compare/dirhash"
            "fmt"
            "os"
        )

        func main() {
            var hash string
            var err error
            if len(os.Args) == 2 {
                hash, err = dirhash.HashZip(os.Args[1], dirhash.Hash1)
            } else {
                hash, err = dirhash.HashDir(os.Args[1], os.Args[2], dirhash.Hash1)
            }
            if err != nil {
                fmt.Fprintln(os.Stderr, err)
                os.Exit(1)
            }
            fmt.Print(hash)
        }
    "#;
    folder.write("go/main.go", program);
    let mut go = folder.command("go");
    go.current_dir(folder.path().join("go")).env("GOTOOLCHAIN", "local").env("GOFLAGS", "");
    let built = output(go.args(["build", "-o", "compare", "."]))?;
    assert!(built.status.success(), "{}", stderr(&built));
    Some(folder.path().join("go/compare").into_os_string())
}

#[test]
fn h1_is_what_go_says() {
    let folder = odd_tree();
    let Some(compare) = go_dirhash(&folder) else { return };
    let go = |args: &[&str]| folder.command(&compare).args(args).output().unwrap();
    // Go also rejects links to anything other than a file, and names with newlines.
    for name in ["directory", "nowhere", "up", "bytes", "new\nline"] {
        let theirs = go(&["d", ""]);
        let ours = folder.hashwell(["sum", "--go-h1", "d"]);
        assert_eq!((theirs.status.code(), ours.status.code()), (Some(1), Some(1)), "{}", stderr(&theirs));
        fs::remove_file(folder.path().join("d").join(name)).unwrap();
    }
    for prefix in ["", "example.com/m@v1.2.3", "p/", "/", "/p"] {
        let theirs = go(&["d", prefix]);
        assert!(theirs.status.success(), "{prefix}: {}", stderr(&theirs));
        let ours = folder.hashwell(["sum", "--go-h1", "--go-h1-prefix", prefix, "-j3", "d"]);
        assert_ran(&ours, 0, &format!("{}  d\n", stdout(&theirs)), "");
    }
    let many: Vec<(String, Vec<u8>)> =
        (0..50).map(|i| (format!("m@v/{}/{i}", i % 3), vec![i; 3000])).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, content)| (&name[..], &content[..])).collect();
    folder.write("many.zip", zip_of(&many));
    let theirs = go(&["many.zip"]);
    assert!(theirs.status.success(), "{}", stderr(&theirs));
    assert_ran(
        &folder.hashwell(["sum", "--go-h1", "many.zip"]),
        0,
        &format!("{}  many.zip\n", stdout(&theirs)),
        "",
    );
}

#[test]
fn usage_errors() {
    let folder = Folder::new();
    folder.write("d/x", "x");
    for (args, message) in [
        (&["--git-blob", "-a", "blake3"][..], "--git-blob supports only sha1 and sha256, not blake3"),
        (&["--git-tree", "-a", "sha512", "d"], "--git-tree supports only sha1 and sha256, not sha512"),
        (
            &["--git-tree", "-a", "sha1", "-a", "sha256", "d"],
            "--git-tree requires exactly one algorithm, not 2",
        ),
        (&["--swhid", "-a", "sha256", "d"], "--swhid supports only sha1, not sha256"),
        (&["--go-h1", "-a", "sha1", "d"], "--go-h1 supports only sha256, not sha1"),
        (&["--git-tree"], "--git-tree needs a directory"),
        (&["--go-h1"], "--go-h1 needs a directory"),
        (&["--git-tree", "--quiet", "d"], "the --quiet option is meaningful only when verifying checksums"),
        (
            &["--nar", "--update", "list", "d"],
            "the argument '--nar' cannot be used with '--update <LIST>' (see 'hashwell sum --help')",
        ),
        (
            &["--git-tree", "--json", "d"],
            "the argument '--git-tree' cannot be used with '--json' (see 'hashwell sum --help')",
        ),
        (
            &["--go-h1", "-r", "d"],
            "the argument '--go-h1' cannot be used with '--recursive' (see 'hashwell sum --help')",
        ),
        (
            &["--git-tree", "--swhid", "d"],
            "the argument '--git-tree' cannot be used with '--swhid' (see 'hashwell sum --help')",
        ),
        (
            &["--go-h1", "--go-h1-prefix", "a//b", "d"],
            "--go-h1-prefix must be a path without newlines, without empty parts, and without the parts '.' and '..'",
        ),
        (
            &["--go-h1-prefix", "p", "d"],
            "the following required arguments were not provided: --go-h1 (see 'hashwell sum --help')",
        ),
    ] {
        assert_ran(&folder.hashwell([&["sum"], args].concat()), 2, "", &format!("hashwell: {message}\n"));
    }
}

/// `-c` reads what each of these options prints.
#[test]
fn identifiers_are_checked() {
    let folder = Folder::new();
    folder.write("d/x", "x");
    folder.write("d/sub/a\nb", "y");
    folder.write("d/link", "");
    for options in [
        &["--git-blob"][..],
        &["--git-blob", "-a", "sha256"],
        &["--git-tree"],
        &["--git-tree", "-z"],
        &["--swhid"],
        &["--go-h1"],
        &["--nar"],
        &["--nar", "-a", "sha512", "--nar-format", "nix32"],
        &["--nar", "-a", "sha1", "-z", "--nar-format", "base16"],
        &["--nar", "--nar-format", "base64"],
    ] {
        folder.write("d/x", "x");
        let names: &[&str] = match options[0] {
            "--git-blob" => &["d/sub/a\nb", "d/x"],
            // Go has no hash of names with newlines.
            "--go-h1" => &["e"],
            _ => &["d/sub", "d"],
        };
        folder.write("e/x", "x");
        let printed = folder.hashwell([&["sum"], options, names].concat());
        assert!(printed.status.success(), "{options:?}: {}", stderr(&printed));
        folder.write("list", &printed.stdout);
        // The algorithm follows from the length of the list's identifiers.
        let check = |more: &[&str]| folder.hashwell([&["sum", "-c", options[0]], more, &["list"]].concat());
        let lines = |verdict: &str| -> String {
            let name = |name: &&str| match name.split_once('\n') {
                Some((a, b)) => format!("\\{a}\\n{b}: OK\n"),
                None if name.ends_with('b') => format!("{name}: OK\n"),
                None => format!("{name}: {verdict}\n"),
            };
            names.iter().map(name).collect()
        };
        assert_ran(&check(&[]), 0, &lines("OK"), "");
        assert_ran(&check(&["--quiet"]), 0, "", "");
        folder.write("d/x", "changed");
        folder.write("e/x", "changed");
        let warning = "hashwell: WARNING: 1 computed checksum did NOT match\n";
        assert_ran(&check(&[]), 1, &lines("FAILED"), warning);
        assert_ran(&check(&["--status"]), 1, "", "");
    }
}

#[test]
fn lists_of_identifiers_have_missing_names_and_malformed_lines() {
    let folder = Folder::new();
    folder.write("x", "x");
    let id = "c1b0730e0133409a4bd8d5ee2b9f9ee09ca73f6f";
    let right = stdout(&folder.hashwell(["sum", "--git-blob", "x"]));
    folder.write("list", format!("{right}{id}  missing\nwrong\n"));
    let check = |more: &[&str]| folder.hashwell([&["sum", "-c", "--git-blob"], more, &["list"]].concat());
    assert_ran(
        &check(&["--warn"]),
        1,
        "x: OK\nmissing: FAILED open or read\n",
        "hashwell: list: 3: improperly formatted --git-blob line\nhashwell: missing: No such file or directory\n\
         hashwell: WARNING: 1 line is improperly formatted\n\
         hashwell: WARNING: 1 listed file could not be read\n",
    );
    let ignored = "hashwell: WARNING: 1 line is improperly formatted\n\
                   hashwell: WARNING: 1 listed file is missing\n";
    assert_ran(&check(&["--ignore-missing"]), 0, "x: OK\n", ignored);
    assert_ran(&check(&["--ignore-missing", "--strict"]), 1, "x: OK\n", ignored);
    // Names are relative to the folder of -C.
    folder.write("there/x", "x");
    folder.write("list", &right);
    assert_ran(&check(&["-C", "there"]), 0, "x: OK\n", "");
    folder.write("list", "no list\n");
    assert_ran(&check(&[]), 1, "", "hashwell: list: no lines with --git-blob identifiers found\n");
}

/// The lines that `--nar` prints with `--nar-format=FORMAT`.
#[track_caller]
fn nar(folder: &Folder, format: &str, names: &[&str]) -> Vec<String> {
    let format = format!("--nar-format={format}");
    let ours = folder.hashwell(["sum", "--nar", &format, "--"].iter().chain(names));
    assert!(ours.status.success(), "{}", stderr(&ours));
    stdout(&ours).lines().map(str::to_owned).collect()
}

/// The example of nix-hash's manual page, and the three states of the file in Nix's own test `hash-path.sh`, whose
/// SHA-256 is that of nix-hash 2.8.
#[test]
fn nar_hashes_are_those_of_nix() {
    let folder = Folder::new();
    folder.write("test/world", "hello\n");
    let sha1 = |format: &str| {
        let ours = folder.hashwell(["sum", "--nar", "-a", "sha1", "--nar-format", format, "test/"]);
        stdout(&ours)
    };
    assert_eq!(sha1("base16"), "e4fd8ba5f7bbeaea5ace89fe10255536cd60dab6  test/\n");
    assert_eq!(sha1("hex"), sha1("base16"));
    assert_eq!(sha1("nix32"), "nvd61k9nalji1zl9rrdfmsmvyyjqpzg4  test/\n");
    assert_eq!(sha1("base64"), "5P2Lpfe76upazon+ECVVNs1g2rY=  test/\n");
    assert_eq!(sha1("sri"), "sha1-5P2Lpfe76upazon+ECVVNs1g2rY=  test/\n");
    let ours = folder.hashwell(["sum", "--nar", "test"]);
    assert_ran(&ours, 0, "sha256-jwzJDKF1wGfOv59Uq3lXP7a2mQCa5OclYuMcYHSNbQc=  test\n", "");

    folder.write("hash-path/hello", "Hello World\n");
    mode(&folder, "hash-path/hello", 0o644);
    let of = |folder: &Folder| nar(folder, "base16", &["hash-path"]).remove(0);
    assert!(of(&folder).starts_with("2630b68cd6b1bcb5315fb753e6ed135947bdd2a5f692848978943ce5cee85b25 "));
    for permissions in [0o755, 0o744, 0o700] {
        mode(&folder, "hash-path/hello", permissions);
        assert!(of(&folder).starts_with("6b1950365c180133ba77003190da490c3128a22c5137d5873cfd5bf58cbe3406 "));
    }
    fs::remove_file(folder.path().join("hash-path/hello")).unwrap();
    symlink("x", folder.path().join("hash-path/hello")).unwrap();
    assert!(of(&folder).starts_with("b382338e0de7ad2a1fe2520d6f273bf16ad84f249cfaa74203d0924aa7e45c1b "));
    // A link on the command line is hashed, not followed.
    symlink("test", folder.path().join("link")).unwrap();
    let link = nar(&folder, "base16", &["link"]).remove(0);
    assert_eq!(link, "7adb74c5e64f287e7c50ebe99337e5b2e4ba5edbfadcdb4e4df01b0a58125990  link");
}

/// Files, links and directories of all kinds, compared with `reference/nar.py`, and with nix-hash if it is installed.
#[test]
fn nar_hashes_are_those_of_the_model() {
    let folder = odd_tree();
    let mut names: Vec<String> = vec!["d".into(), "d/nothing".into(), "d/up".into(), "d/mode/0".into()];
    for len in 0..20 {
        names.push(format!("length/{len}"));
        folder.write(names.last().unwrap(), vec![b'x'; len]);
    }
    names.extend(["length", "-"].map(str::to_owned));
    folder.write("-", "not standard input");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let [hex, nix32] = ["base16", "nix32"].map(|format| nar(&folder, format, &names));
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/nar.py");
    if let Some(theirs) = output(folder.command("python3").arg(model).args(&names)) {
        assert!(theirs.status.success(), "{}", stderr(&theirs));
        let ours = hex.iter().zip(&nix32).zip(&names).map(|((hex, nix32), name)| {
            let [hex, nix32] = [hex, nix32].map(|line| line.strip_suffix(&format!("  {name}")).unwrap());
            format!("{hex} {nix32}\n")
        });
        assert_eq!(stdout(&theirs), ours.collect::<String>());
    }
    let nix = ["--type", "sha256", "--base32", "d", "length", "d/mode/0"];
    if let Some(theirs) = output(folder.command("nix-hash").args(nix)) {
        assert!(theirs.status.success(), "{}", stderr(&theirs));
        let ours = nar(&folder, "nix32", &nix[3..]);
        let ours: Vec<&str> = ours.iter().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(stdout(&theirs).lines().collect::<Vec<_>>(), ours);
    }
    // Each thread hashes different names.
    let one = folder.hashwell(["sum", "--nar", "-j1"].iter().chain(&names));
    let many = folder.hashwell(["sum", "--nar", "-j7"].iter().chain(&names));
    assert_ran(&many, 0, &stdout(&one), "");
}

#[test]
fn nar_refuses_special_files_by_name() {
    let folder = Folder::new();
    folder.write("d/a", "a");
    folder.write("fine", "a");
    let fifo = folder.path().join("d/pipe");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    std::os::unix::net::UnixListener::bind(folder.path().join("d/socket")).unwrap();
    let why = "not a file, directory or link, and a NAR can't contain anything else";
    let ours = folder.hashwell(["sum", "--nar", "d", "d/pipe", "/dev/null", "missing", "fine"]);
    assert_eq!(ours.status.code(), Some(1));
    assert!(stdout(&ours).ends_with("=  fine\n") && stdout(&ours).lines().count() == 1, "{}", stdout(&ours));
    let expected = [
        format!("hashwell: d/pipe: {why}"),
        format!("hashwell: d/socket: {why}"),
        format!("hashwell: d/pipe: {why}"),
        format!("hashwell: /dev/null: {why}"),
        "hashwell: missing: No such file or directory".to_owned(),
    ];
    assert_eq!(stderr(&ours).lines().collect::<Vec<_>>(), expected);
}

/// A directory so deep that a recursive program could overflow its stack, and one with an endless file.
#[test]
fn nar_of_hostile_trees() {
    let folder = Folder::new();
    let deep = format!("deep{}", "/d".repeat(1500));
    fs::create_dir_all(folder.path().join(&deep)).unwrap();
    assert_eq!(nar(&folder, "sri", &["deep"]).len(), 1);
    // A file in /proc reports a size of 0.
    let ours = folder.hashwell(["sum", "--nar", "/proc/self/maps"]);
    assert_ran(&ours, 1, "", "hashwell: /proc/self/maps: changed while it was being read\n");
}

#[test]
fn nar_options() {
    let folder = Folder::new();
    folder.write("a", "a");
    for (arguments, expected) in [
        (&["--nar"][..], "--nar needs a file or a directory"),
        (&["--nar", "-a", "blake3", "a"], "--nar supports only sha256, sha1 and sha512, not blake3"),
        (&["--nar", "-a", "sha1", "-a", "sha256", "a"], "--nar requires exactly one algorithm, not 2"),
        (&["--nar", "--swhid", "a"], "cannot be used with"),
        (&["--nar-format", "sri", "a"], "--nar"),
        (&["--nix", "a"], "use --nar"),
    ] {
        let refused = folder.hashwell(["sum"].iter().chain(arguments));
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&refused).contains(expected), "{arguments:?}: {}", stderr(&refused));
    }
    folder.write("new\nline", "a");
    let escaped = folder.hashwell(["sum", "--nar", "new\nline"]);
    assert!(stdout(&escaped).starts_with('\\') && stdout(&escaped).ends_with("  new\\nline\n"));
    let zero = folder.hashwell(["sum", "--nar", "-z", "new\nline"]);
    assert!(stdout(&zero).starts_with("sha256-") && stdout(&zero).ends_with("  new\nline\0"));
}
