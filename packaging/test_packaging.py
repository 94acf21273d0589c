"""Tests of packaging/ that compile nothing: test_packaging.py COMMAND, the command of `make build`.

That command and small dummy files replace the products of cargo and zig; `make test-dist` tests the real packages.
"""

import base64
import contextlib
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import archive
import bom
import build
import command
import debian
import dist
import project
import sources
import trial
import try_dist
import try_install
import try_pythons
import wheel
from archive import Member

sys.path.append(str(project.ROOT / "tools"))
from skipped import skipped  # noqa: E402

HERE = Path(__file__).resolve().parent
COMMAND = project.TARGET / "release" / "hashwell"
X86 = project.PROCESSORS[0]


def tree(top: Path) -> dict[str, bytes | str | None]:
    """The content of all files and links below a folder, by name."""
    found: dict[str, bytes | str | None] = {}
    for path in sorted(top.rglob("*")):
        name = path.relative_to(top).as_posix()
        found[name] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
    return found


def stand_in(folder: Path) -> Path:
    """Make dummy versions of the files of the C library that the package copies. cargo would build the real ones."""
    folder.mkdir()
    (folder / "libhashwell_ffi.so").write_bytes(b"libhashwell_ffi.so")
    # The static library is linked again, so it must be a real archive.
    source, member = folder / "one.c", folder / "one.o"
    source.write_text("unsigned hw_find(const char *name) { return name != 0; }\n")
    subprocess.run(["cc", "-c", source, "-o", member], check=True)
    subprocess.run(["ar", "rcsD", folder / "libhashwell_ffi.a", member], check=True)
    source.unlink()
    member.unlink()
    return folder


class Aloud(unittest.TestCase):
    """Tests that report when they are skipped, also in the last line of `make test`."""

    def need(self, *, git: bool = False, program: str = "") -> None:
        why = "no clone, or no git" if git and not project.is_clone() else f"no {program}" if program and not shutil.which(program) else ""
        if why:
            skipped(f"{self._testMethodName} of make test-packaging", why)
            self.skipTest(why)


class InAFolder(Aloud):
    """Tests with a temporary folder, which contains dist/ and the staging area. Functions that compile or call zig are
    replaced."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.library = stand_in(self.folder / "library")
        self.enterContext(mock.patch.dict(os.environ, {"DEBEMAIL": "hashwell@example.org"}))
        metadata = {"METADATA": b"Metadata-Version: 2.4\nName: hashwell\n", "licenses/LICENSE-MIT": b"MIT"}
        for place, name, value in (
            (build, "command", lambda processor: self.library / "libhashwell_ffi.a"),
            (command, "runnable", lambda: COMMAND),
            (debian, "runnable", lambda: COMMAND),
            (build, "module", lambda processor, libc: self.library / "libhashwell_ffi.so"),
            (build, "library", lambda processor: self.library),
            (bom, "runtime", lambda target: ()),
            (wheel, "documented", lambda project: metadata),
        ):
            self.enterContext(mock.patch.object(place, name, value))
        for module in (command, wheel, debian, sources):
            self.enterContext(mock.patch.object(module, "DIST", self.folder / "dist"))
        self.enterContext(mock.patch.object(debian, "STAGE", self.folder / "stage"))
        (self.folder / "dist").mkdir()


class Archives(unittest.TestCase):
    MEMBERS = [Member("b/run", b"run", True), Member("a", b"first"), Member("b/data", bytes(1000))]

    def test_equal_members_give_equal_archives(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for kind in (archive.tar_gz, archive.zipped):
                one, other = Path(folder) / "one", Path(folder) / "other"
                kind(one, self.MEMBERS)
                kind(other, self.MEMBERS[::-1])
                self.assertEqual(one.read_bytes(), other.read_bytes(), kind)

    def test_owners_times_and_modes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(archive.tar_gz(Path(folder) / "t", self.MEMBERS)) as made:
                entries = made.getmembers()
            self.assertEqual([entry.name for entry in entries], ["a", "b/data", "b/run"])
            self.assertEqual([entry.mode for entry in entries], [0o644, 0o644, 0o755])
            for entry in entries:
                self.assertEqual((entry.uid, entry.gid, entry.uname, entry.mtime), (0, 0, "", project.epoch()))

    def test_a_name_twice_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(ValueError, "twice.*'a'"):
            archive.zipped(Path(folder) / "z", [Member("a", b""), Member("a", b"1")])

    def planted(self, folder: Path, *entries: tarfile.TarInfo) -> Path:
        """An archive with a good file, followed by these entries."""
        path = folder / "planted.tar.gz"
        with tarfile.open(path, "w:gz") as made:
            for entry in (tarfile.TarInfo("good"), *entries):
                made.addfile(entry, io.BytesIO(bytes(entry.size)))
        return path

    def test_what_was_packed_is_unpacked(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder) / "a" / "b"
            archive.unpack(archive.tar_gz(Path(folder) / "t", self.MEMBERS), top)
            self.assertEqual(archive.folder(top), archive.ordered(self.MEMBERS))
            inside = tarfile.TarInfo("empty")
            inside.type = tarfile.DIRTYPE
            archive.unpack(self.planted(Path(folder), inside), Path(folder) / "c")
            self.assertEqual(tree(Path(folder) / "c"), {"good": b""})

    def test_an_archive_that_leads_out_is_refused(self) -> None:
        for name, kind, words in (
            ("/etc/passwd", tarfile.REGTYPE, "leads out"),
            ("../out", tarfile.REGTYPE, "leads out"),
            ("inside/../../out", tarfile.REGTYPE, "leads out"),
            ("../out", tarfile.DIRTYPE, "leads out"),
            ("link", tarfile.SYMTYPE, "neither a file"),
            ("link", tarfile.LNKTYPE, "neither a file"),
            ("pipe", tarfile.FIFOTYPE, "neither a file"),
            ("device", tarfile.CHRTYPE, "neither a file"),
        ):
            with self.subTest(name=name, kind=kind), tempfile.TemporaryDirectory() as folder:
                entry = tarfile.TarInfo(name)
                entry.type, entry.linkname = kind, "/etc/passwd"
                path = self.planted(Path(folder), entry)
                self.assertRaisesRegex(ValueError, f"planted.tar.gz: .*'{name}'.*{words}|'{name}' is {words}", archive.unpack, path,
                                       Path(folder) / "top")
                self.assertEqual([each.name for each in Path(folder).iterdir()], ["planted.tar.gz"])


class Bills(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(mock.patch.object(bom, "runtime", lambda target: ()))
        self.target = X86.musl
        self.crates = bom.crates("hashwell-cli", self.target)

    def test_the_bill_is_closed_and_names_no_place_and_no_time(self) -> None:
        text = bom.sbom("hashwell-cli", self.target, "hashwell", "generic")
        for absent in (str(project.ROOT), str(Path.home()), "timestamp", "serialNumber"):
            self.assertNotIn(absent, text)
        bill = json.loads(text)
        refs = [part["bom-ref"] for part in bill["components"]]
        self.assertEqual(len(refs), len(set(refs)))
        known = {*refs, bill["metadata"]["component"]["bom-ref"]}
        self.assertEqual({entry["ref"] for entry in bill["dependencies"]}, known)
        reached, ahead = set(), [bill["metadata"]["component"]["bom-ref"]]
        edges = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
        while ahead:
            if (ref := ahead.pop()) not in reached:
                reached.add(ref)
                ahead += edges[ref]
        self.assertEqual(reached, known)

    def test_crates_of_others_have_checksums_and_licences(self) -> None:
        names = {crate.name for crate in self.crates}
        self.assertLessEqual({"hashwell", "clap_builder", "blake3", "parquet", "sha1dc"}, names)
        # A crate for a different target, a macro, and a crate for tests.
        self.assertFalse({"windows-sys", "syn", "proptest"} & names)
        for crate in self.crates:
            self.assertEqual(bool(crate.sha256), not crate.ours, crate.name)
            self.assertTrue(crate.licence)

    def test_a_text_that_is_not_there_is_an_error(self) -> None:
        self.assertIn("Permission is hereby granted", bom.text_of(project.ROOT / "LICENSE-MIT"))
        self.assertRaisesRegex(SystemExit, "/nowhere/COPYING is not there", bom.text_of, Path("/nowhere/COPYING"))

    def test_notices_have_every_text_once(self) -> None:
        text = bom.notices("hashwell-cli", self.target)
        self.assertNotIn(str(Path.home()), text)
        for crate in self.crates:
            self.assertEqual(f"\n{crate.name} {crate.version}: " in text, not crate.ours, crate.name)
        texts = {words for crate in self.crates if not crate.ours for words in crate.texts}
        self.assertGreater(len(texts), 50)
        for words in texts:
            self.assertIn(f"\n\n{words}\n", text)
        self.assertEqual(text.count(f"\n{'-' * 78}\nText "), len(texts))


class Packages(InAFolder):
    def twice(self, make) -> list[Path]:
        """Returns the files that `make` makes. They are made twice, and the bytes must be the same."""
        first = make()
        before = [path.read_bytes() for path in first]
        for path in first:
            path.unlink()
        second = make()
        self.assertEqual([path.name for path in first], [path.name for path in second])
        self.assertTrue(before == [path.read_bytes() for path in second], f"{first[0].name} differs when made again")
        return second

    def test_the_archive_of_the_command(self) -> None:
        (path,) = self.twice(lambda: [command.static_archive(X86)])
        with tarfile.open(path) as made:
            names = {name.split("/", 1)[1] for name in made.getnames()}
        expected = {"bin/hashwell", "share/man/man1/hashwell.1", "share/man/man1/hashwell-sum.1", "README.md", *project.LICENCES,
                    project.NOTICES, project.SBOM, *command.COMPLETIONS.values()}
        self.assertLessEqual(expected, names)

    def test_wheels(self) -> None:
        self.need(git=True)
        paths = self.twice(lambda: [wheel.command_wheel(X86), wheel.module_wheel(X86, "glibc"), wheel.module_wheel(X86, "musl")])
        for path in paths:
            self.assertEqual(sum("sboms/" in name for name in self.described(path)), 1)

    def described(self, path: Path) -> dict[str, bytes]:
        """The files of a wheel. Checks that its RECORD and its tags describe them."""
        with zipfile.ZipFile(path) as made:
            names = made.namelist()
            files = {name: made.read(name) for name in names}
        record = f"{'-'.join(path.name.split('-')[:2])}.dist-info/RECORD"
        self.assertTrue(names[-1].startswith(record.split("/")[0]), "a wheel's description is at its end")
        rows = dict(row.split(",", 1) for row in files[record].decode().splitlines())
        self.assertEqual(sorted(rows), sorted(names))
        for name in set(names) - {record}:
            digest = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
            self.assertEqual(rows[name], f"sha256={digest},{len(files[name])}")
        tags = {line for line in files[record.replace("RECORD", "WHEEL")].decode().splitlines() if "Tag" in line}
        python, abi, platforms = path.stem.split("-")[2:]
        self.assertEqual(tags, {f"Tag: {python}-{abi}-{platform}" for platform in platforms.split(".")})
        return files

    def test_the_module_is_packed_with_the_whole_package(self) -> None:
        self.need(git=True)
        listed = subprocess.run(["git", "ls-files", "hashwell"], cwd=project.ROOT / "python", capture_output=True, text=True, check=True)
        self.assertEqual([member.name for member in wheel.python_files()], sorted(listed.stdout.split()))
        self.assertIn("hashwell/py.typed", listed.stdout.split())

    def test_what_cargo_made_here(self) -> None:
        built, place = self.folder / "built", self.folder / "wheels"
        built.mkdir()
        place.mkdir()
        (built / "lib_native.so").write_bytes(b"a module")
        shutil.copy(COMMAND, built / "hashwell")
        self.enterContext(mock.patch.object(sys, "platform", "linux"))
        self.enterContext(mock.patch.object(wheel, "metadata", lambda project, tools: {"METADATA": b"Metadata-Version: 2.4\n"}))
        module, program = self.twice(lambda: [wheel.local_module(built, place), wheel.local_command(built, place)])
        there = self.described(module)
        self.assertEqual(there.pop("hashwell/_native.abi3.so"), b"a module")
        package = tree(project.ROOT / "python/hashwell").items()
        listed = {f"hashwell/{name}": data for name, data in package if data is not None and not name.endswith((".pyc", ".so"))}
        self.assertTrue({name: data for name, data in there.items() if "dist-info" not in name} == listed, "the package differs")
        names = {name for name in self.described(program) if "dist-info" not in name}
        self.assertEqual(names, {f"hashwell_cli-{project.VERSION}.data/scripts/hashwell"})

    def test_the_size_of_the_module_s_wheel(self) -> None:
        """The limit is for the release build; a larger wheel needs a reason here."""
        library = COMMAND.parent / "lib_native.so"
        if COMMAND.parent.name != "release" or not library.exists():
            self.skipTest("the limit is for the release build of Python's module")
        self.enterContext(mock.patch.object(wheel, "metadata", lambda project, tools: {"METADATA": b"Metadata-Version: 2.4\n"}))
        # 0.99 MB with hashes only, 1.61 MB with processes, 2.38 MB with samples, draws and tables, 2.47 MB with a
        # strict reader of transcripts, verification in three outcomes and weights of any size.
        self.assertLessEqual(wheel.local_module(COMMAND.parent, self.folder).stat().st_size, 2_480_000)

    def test_only_what_git_has_is_packed(self) -> None:
        self.need(program="git")
        top = self.folder / "clone"
        for name in ("python/hashwell/a.py", "python/hashwell/made.so", "python/hashwell/new.py", "python/b.py", "shared/c", "d"):
            (top / name).parent.mkdir(parents=True, exist_ok=True)
            (top / name).write_text(name)
        (top / "python/hashwell/more").symlink_to("../../shared")
        subprocess.run(["git", "init", "--quiet", top], check=True)
        subprocess.run(["git", "-C", top, "add", "python/hashwell/a.py", "python/hashwell/more", "python/b.py", "d"], check=True)
        for module in (project, wheel):
            self.enterContext(mock.patch.object(module, "ROOT", top))
        expected = [Member("hashwell/a.py", b"python/hashwell/a.py"), Member("hashwell/more/c", b"shared/c")]
        self.assertEqual(wheel.python_files(), expected)
        self.assertEqual([str(path) for path in project.tracked()], ["d", "python/b.py", "python/hashwell/a.py", "python/hashwell/more/c"])
        # An sdist that was unpacked inside a different repository is not a clone, and nothing is one if git is not
        # installed.
        self.enterContext(mock.patch.object(project, "ROOT", top / "python"))
        self.assertRaisesRegex(SystemExit, "is no clone", project.tracked)
        self.enterContext(mock.patch.object(project, "ROOT", top))
        self.enterContext(mock.patch.dict(os.environ, {"PATH": str(self.folder)}))
        self.assertRaisesRegex(SystemExit, "git is not installed", project.tracked)

    def test_the_time_without_git_is_that_of_a_file(self) -> None:
        self.enterContext(mock.patch.object(project, "ROOT", self.folder))
        (self.folder / "Cargo.toml").touch()
        os.utime(self.folder / "Cargo.toml", (7, 7))
        with mock.patch.dict(os.environ):
            os.environ.pop("SOURCE_DATE_EPOCH", None)
            self.assertEqual(project.epoch.__wrapped__(), 7)
            (self.folder / ".git").mkdir()
            os.environ["PATH"] = str(self.folder)
            self.assertEqual(project.epoch.__wrapped__(), 7)
            os.environ["SOURCE_DATE_EPOCH"] = "8"
            self.assertEqual(project.epoch.__wrapped__(), 8)

    def test_the_sdist_is_the_repository(self) -> None:
        self.need(git=True)
        (path,) = self.twice(lambda: [sources.sdist()])
        with tarfile.open(path) as made:
            self.assertTrue(all(entry.isfile() for entry in made.getmembers()))
            names = {name.split("/", 1)[1] for name in made.getnames()}
        expected = {"PKG-INFO", "README.md", "CHANGELOG.md", "Cargo.lock", "python/tests/test_xof.py", "vectors/sha256.json",
                    "crates/hashwell-py/LICENSE-MIT", "crates/hashwell-accel/Cargo.toml", "crates/hashwell/vectors/sha256.json"}
        self.assertLessEqual(expected | set(project.LICENCES), names)

    def test_crates_are_whole(self) -> None:
        self.assertEqual(len(sources.crate_files(self.folder / "crates")), len(sources.published()))
        for text in (b'#[path = "../../b/c.rs"]\nmod c;', b'    let text = include_str!("../d.txt");'):
            member = Member("a-0.1.0/tests/a.rs", text)
            with self.assertRaisesRegex(ValueError, "which is not in the package"):
                sources.check_crate("a", [member])
            sources.check_crate("a", [member, Member("b/c.rs", b""), Member("a-0.1.0/d.txt", b"")])

    def test_debian_packages(self) -> None:
        self.need(program="dpkg-deb")
        paths = self.twice(lambda: [debian.command_package(X86), *debian.library_packages(X86)])
        listed = [
            subprocess.run(["dpkg-deb", "--contents", path], capture_output=True, text=True, check=True).stdout for path in paths
        ]
        for text in listed:
            self.assertTrue(all(" root/root " in line for line in text.splitlines()), text)
        for place in ("usr/bin/hashwell", "usr/share/man/man1/hashwell.1.gz", "usr/share/zsh/vendor-completions/_hashwell"):
            self.assertIn(place, listed[0])
        self.assertIn(f"usr/lib/x86_64-linux-gnu/libhashwell.so.{debian.ABI} ->", listed[1])
        self.assertIn("usr/include/hashwell.h", listed[2])
        self.assertIn("pkgconfig/hashwell.pc", listed[2])

    def test_debian_documents_are_whole(self) -> None:
        debian.papers(self.folder / "tree", "hashwell", "hashwell-cli", X86.musl)
        text = (self.folder / "tree/usr/share/doc/hashwell/copyright").read_text()
        self.assertIn("\nLicense: MIT\n Permission is hereby granted", text)
        self.assertIn("Copyright: 2026 The hashwell developers", text)
        log = gzip.decompress((self.folder / "tree/usr/share/doc/hashwell/changelog.Debian.gz").read_bytes()).decode()
        self.assertTrue(log.startswith(f"hashwell ({project.VERSION}-1) "))


class Installing(InAFolder):
    def call(self, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess:
        kept = {key: value for key, value in os.environ.items() if key not in ("PREFIX", "LIBDIR", "DESTDIR")}
        return subprocess.run([sys.executable, HERE / "install.py", *arguments], capture_output=True, text=True,
                              env={**kept, "PYTHONDONTWRITEBYTECODE": "1", **environment})

    def install(self, **environment: str) -> None:
        done = self.call("install", COMMAND, self.library, **environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def uninstall(self, **environment: str) -> None:
        done = self.call("uninstall", **environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_was_there_is_there_afterwards_and_nothing_else(self) -> None:
        root = self.folder / "a root"
        for name in ("usr/bin/other", "usr/share/man/man1/other.1", "etc/passwd"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(name)
        (root / "usr/share/zsh").mkdir()
        before = tree(root)
        for environment in ({"PREFIX": str(root / "usr")}, {"PREFIX": "/usr", "LIBDIR": "/usr/lib64", "DESTDIR": str(root)}):
            self.install(**environment)
            made = {name for name in tree(root) if name not in before}
            self.assertLessEqual({"usr/bin/hashwell", "usr/include/hashwell.h", "usr/share/man/man1/hashwell.1"}, made)
            self.assertTrue(all(name.startswith("usr/") for name in made))
            library = "usr/lib64" if "LIBDIR" in environment else "usr/lib"
            self.assertIn(f"{library}/libhashwell.so", made)
            version = subprocess.run([root / "usr/bin/hashwell", "--version"], capture_output=True, text=True, check=True).stdout
            self.assertEqual(version, f"hashwell {project.VERSION}\n")
            config = (root / library / "pkgconfig/hashwell.pc").read_text()
            self.assertTrue(config.startswith(f"prefix={environment['PREFIX']}\n"))
            self.assertNotIn(str(HERE), (root / "usr/share/hashwell/installed").read_text())
            self.uninstall(**environment)
            self.assertEqual(tree(root), before)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"a root", "library", "dist"})

    def test_folders_of_destdir_are_made(self) -> None:
        root = self.folder / "not" / "there yet"
        self.install(PREFIX="/usr", DESTDIR=str(root))
        self.assertTrue((root / "usr/bin/hashwell").is_file())
        self.assertNotIn(str(root), (root / "usr/share/hashwell/installed").read_text())
        self.uninstall(PREFIX="/usr", DESTDIR=str(root))
        self.assertEqual(tree(root), {})

    def test_a_removal_that_was_interrupted_is_repeated(self) -> None:
        prefix = self.folder / "prefix"
        self.install(PREFIX=str(prefix))
        # A folder in place of a file can't be unlinked, so the removal stops there.
        page = prefix / "share/man/man1/hashwell.1"
        page.unlink()
        page.mkdir()
        done = self.call("uninstall", PREFIX=str(prefix))
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done)
        self.assertIn("hashwell.1", done.stderr)
        page.rmdir()
        self.uninstall(PREFIX=str(prefix))
        self.assertFalse(prefix.exists())

    def test_a_second_installation_replaces_the_first(self) -> None:
        prefix = self.folder / "prefix"
        self.install(PREFIX=str(prefix))
        first = tree(prefix)
        # A file that an older version had, and that this version does not have.
        (prefix / "share/man/man1/hashwell-old.1").write_text("old")
        with (prefix / "share/hashwell/installed").open("a") as listed:
            listed.write(f"{prefix}/share/man/man1/hashwell-old.1\n")
        self.install(PREFIX=str(prefix))
        self.assertEqual(tree(prefix), first)
        self.uninstall(PREFIX=str(prefix))
        self.assertFalse(prefix.exists())

    def test_what_is_wrong_is_said_in_one_line(self) -> None:
        missing = str(self.folder / "missing")
        for environment, arguments, words in (
            ({}, ("install", COMMAND, self.library), "PREFIX is not given"),
            ({}, ("uninstall",), "PREFIX is not given"),
            ({"PREFIX": "usr"}, ("install", COMMAND, self.library), "absolute path without '..', not 'usr'"),
            ({"PREFIX": "/usr/../etc"}, ("uninstall",), "absolute path without '..'"),
            ({"PREFIX": missing}, ("uninstall",), "nothing was installed"),
            ({"PREFIX": missing}, ("install", COMMAND, missing), "make build build-c"),
            ({"PREFIX": "/usr", "DESTDIR": "/dev/null"}, ("install", COMMAND, self.library), "/dev/null"),
        ):
            done = self.call(*arguments, **environment)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done)
            self.assertIn(words, done.stderr)
        self.assertFalse(Path(missing).exists())

    def test_the_c_library_goes_nowhere_that_was_not_said(self) -> None:
        """Runs the script of `make install-c`, with a DESTDIR, so that the test writes nothing elsewhere even if it
        fails."""
        root = self.folder / "root"
        kept = {key: value for key, value in os.environ.items() if key not in ("PREFIX", "LIBDIR")}
        script = project.ROOT / "crates/hashwell-ffi/install"
        for environment, words in (
            ({}, "PREFIX is not given"),
            ({"PREFIX": ""}, "PREFIX is not given"),
            ({"LIBDIR": "/usr/lib64"}, "PREFIX is not given"),
            ({"PREFIX": "usr"}, "must be absolute"),
            ({"PREFIX": "/usr", "LIBDIR": "lib64"}, "must be absolute"),
        ):
            done = subprocess.run([script, self.library], capture_output=True, text=True, env={**kept, "DESTDIR": str(root), **environment})
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done)
            self.assertIn(words, done.stderr)
        self.assertFalse(root.exists())

    def test_make_installs_nothing_without_a_prefix(self) -> None:
        """The message comes before anything is built: MAKE=false would make a build fail."""
        kept = {key: value for key, value in os.environ.items() if key not in ("PREFIX", "LIBDIR", "MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        for target in ("install", "install-c"):
            done = subprocess.run(["make", "MAKE=false", f"DESTDIR={self.folder / 'root'}", target], cwd=project.ROOT,
                                  capture_output=True, text=True, env=kept)
            self.assertEqual((done.returncode, done.stdout), (2, f"make {target}: say where: PREFIX=/usr/local\n"), done)
        self.assertFalse((self.folder / "root").exists())


class Trying(InAFolder):
    """The tests of packages report the tests that they skipped."""

    def tried(self, *checks: str) -> tuple[str | int | None, list[str]]:
        """The exit status or last line, and all printed lines."""
        with mock.patch.object(sys, "argv", ["try_dist.py", *checks]), contextlib.redirect_stdout(io.StringIO()) as said:
            place = self.folder / "dist"
            with mock.patch.object(try_dist, "DIST", place), mock.patch.object(trial, "DIST", place):
                with self.assertRaises(SystemExit) as ended:
                    try_dist.main()
        return ended.exception.code, said.getvalue().splitlines()

    def test_nothing_to_try_is_a_failure(self) -> None:
        code, lines = self.tried()
        self.assertEqual(lines, [])
        self.assertIn("there is nothing in", str(code))
        (self.folder / "dist").rmdir()
        self.assertEqual(self.tried(), (code, []))

    def test_processors_without_a_package_are_said_and_the_others_tried(self) -> None:
        there = self.folder / "dist" / f"hashwell-{project.VERSION}-cp311-abi3-manylinux_2_17_x86_64.whl"
        there.touch()
        with contextlib.redirect_stdout(io.StringIO()) as said, mock.patch.object(trial, "DIST", there.parent):
            self.assertEqual(trial.those_there("a_check", trial.wheel_of), [(X86, there)])
            self.assertIn("SKIPPED: a_check for aarch64 (no hashwell-", said.getvalue())
            there.rename(there.with_name("other.whl"))
            self.assertRaisesRegex(trial.Skip, "x86_64.*aarch64", trial.those_there, "a_check", trial.wheel_of)

    def test_a_package_that_cannot_be_read_fails_its_check(self) -> None:
        (self.folder / "dist" / "hashwell-0.crate").write_bytes(b"not an archive")
        code, lines = self.tried("crates")
        self.assertIn("1 of", str(code))
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].startswith("FAILED: crates: ReadError: "), lines)

    def test_a_first_digest_that_comes_late_fails_its_check(self) -> None:
        """Tests a slow pip, for example, by setting the clock."""
        name = f"hashwell-{project.VERSION}-cp311-abi3-manylinux_2_17_{trial.host().name}.whl"
        (self.folder / "dist" / name).touch()
        for seconds, late in ((59.9, False), (60.0, True)):
            clock = mock.Mock(side_effect=[0.0, seconds])
            # After the clock is read, the check starts a process, where this test ends it.
            with (mock.patch.object(trial, "DIST", self.folder / "dist"), mock.patch.object(try_pythons, "run"),
                  mock.patch.object(try_pythons.time, "monotonic", clock),
                  mock.patch.object(try_pythons.subprocess, "run", side_effect=KeyError("in time")),
                  self.assertRaisesRegex(AssertionError if late else KeyError, "came 60.0 s after" if late else "in time")):
                try_pythons.python_wheels(self.folder)

    def test_each_kind_of_package_has_its_check(self) -> None:
        checks = {"sdist": "sdist", "crates": "crates", "haskell": "haskell", "commands": "static_archives", "wheels": "python_wheels",
                  "debian": "debian_packages", "npm": "npm", "windows": "windows", "sums": "checksums"}
        self.assertEqual(checks.keys(), dist.STEPS.keys())
        self.assertLessEqual(set(checks.values()), {check.__name__ for check in try_dist.CHECKS})

    def test_without_a_compiler_the_haskell_package_is_said_not_to_be_tried(self) -> None:
        (self.folder / "dist" / f"hashwell-{project.VERSION}.0-haskell.tar.gz").touch()
        self.enterContext(mock.patch.dict(os.environ, {"PATH": str(self.folder), "HASHWELL_SKIPPED": ""}))
        self.assertEqual(self.tried("haskell"), (0, ["SKIPPED: haskell (no ghc: make haskell-tools)"]))

    def test_a_program_that_is_missing_is_named_with_what_has_it(self) -> None:
        self.enterContext(mock.patch.dict(os.environ, {"PATH": str(self.folder)}))
        for program, where in (("lintian", "make dist-tools"), ("node", "make web-tools"), ("cc", "in gcc"), ("wine", "in wine")):
            self.assertRaisesRegex(trial.Skip, f"no {program}: .*{where}", trial.need, program)


class Ways(unittest.TestCase):
    """The documented ways to install, and the tests that follow them."""

    TABLE = "# Install\n\n| for | command |\n|---|---|\n| a | `make x` of `docs/a.md` |\n| b | over it: `docs/b.md` |\n\n| `other` |\n"

    def faults(self, table: str, text: str) -> list[str]:
        follow = {"make x": ("t.py", "def x("), "docs/b.md": ("t.py", "def b(")}
        with mock.patch.object(try_install, "FOLLOWED", follow), mock.patch.object(try_install, "TABLES", {"README.md": "command"}):
            return try_install.faults({"README.md": table}, {"t.py": text})

    def test_each_way_has_its_follower(self) -> None:
        self.assertEqual(try_install.ways(self.TABLE, "command"), ["make x", "docs/b.md"])
        self.assertEqual(self.faults(self.TABLE, "def x(y):\n    def b():\n"), [])

    def test_planted_faults(self) -> None:
        for table, text, words in (
            (self.TABLE.replace("`make x`", "`make x` or `make y`"), "def x(\ndef b(", "no test follows `make y`"),
            (self.TABLE, "def x(\ndef c(", "'def b(' of t.py, which is not there"),
            (self.TABLE, "def x(\n'def b('", "'def b(' of t.py, which is not there"),
            (self.TABLE.replace("`docs/b.md`", "it"), "def x(\ndef b(", "no document names the way `docs/b.md`"),
            (self.TABLE.replace("command", "way"), "def x(\ndef b(", "has no table of ways"),
        ):
            self.assertTrue(any(words in fault for fault in self.faults(table, text)), words)

    def test_commands_wherever_they_stand(self) -> None:
        text = (
            "Say `pip\ninstall a 'b[c]'`, not `pip install`, `make install` or `make test-install`.\n\n```sh\n$ sudo apt-get install --yes d # as root\n"
            "make -s install-c PREFIX=$HOME/x   # there\ncd e && cabal v2-build && cargo add f; echo npm install g\n```\n"
            "cargo install in prose is none.\n\n    make uninstall PREFIX=/h DESTDIR=i\n"
        )
        expected = ["sudo apt-get install --yes d", "make -s install-c PREFIX=/usr/local", "cabal v2-build", "cargo add f",
                    "make uninstall PREFIX=/usr/local DESTDIR=i", "pip install a b[c]"]
        self.assertEqual(try_install.commands(text), expected)

    def test_a_command_that_no_way_covers(self) -> None:
        """This also applies to documents without a table of ways."""
        follow = {"make x": ("t.py", "def x("), "docs/b.md": ("t.py", "def b("), "cargo add a": ("t.py", "def b(")}
        for text, expected in (
            ("```sh\ncargo add a\n```\n", []),
            ("`cargo add a`, `cargo add b`\n", ["docs/guides/c.md: no test follows `cargo add b` (packaging/try_install.py: FOLLOWED)"]),
            ("", ["packaging/try_install.py: no document names the way `cargo add a`"]),
        ):
            with mock.patch.object(try_install, "FOLLOWED", follow), mock.patch.object(try_install, "TABLES", {"README.md": "command"}):
                found = try_install.faults({"README.md": self.TABLE, "docs/guides/c.md": text}, {"t.py": "def x(\ndef b(\n"})
            self.assertEqual(found, expected)

    def test_commands_of_a_release_are_labelled(self) -> None:
        """Commands that work only after the release are accepted in a labelled section, and reported everywhere else."""
        follow = {"make x": ("t.py", "def x("), "docs/b.md": ("t.py", "def b(")}
        label = "## With pip (not yet published)\n\n"
        for text, accepted in (
            (label + "`pip install hashwell`\n", True),
            (label + "### More\n\n```sh\n# a comment\npip install hashwell\n```\n", True),
            ("`pip install hashwell`\n\n" + label, False),
            (label + "## Later\n\n```sh\npip install hashwell\n```\n", False),
            ("## Now\n\nIt is not yet published: `pip install hashwell`.\n", False),
            ("```sh\n# not yet published\npip install hashwell\n```\n", False),
        ):
            with mock.patch.object(try_install, "FOLLOWED", follow), mock.patch.object(try_install, "TABLES", {"README.md": "command"}):
                found = try_install.faults({"README.md": self.TABLE, "docs/a.md": text}, {"t.py": "def x(\ndef b(\n"})
            expected = ("docs/a.md: `pip install hashwell` is outside a section whose heading says 'not yet published' "
                        "(packaging/try_install.py: UNPUBLISHED)")
            self.assertEqual(found, [] if accepted else [expected], text)
        with mock.patch.object(try_install, "FOLLOWED", follow), mock.patch.object(try_install, "TABLES", {"README.md": "command"}):
            found = try_install.faults({"README.md": self.TABLE, "docs/a.md": label + "`pip install other`\n"}, {"t.py": "def x(\ndef b(\n"})
        self.assertEqual(found, ["docs/a.md: no test follows `pip install other` (packaging/try_install.py: FOLLOWED)"])

    def test_every_document_is_looked_at(self) -> None:
        found = try_install.documents()
        self.assertLessEqual({*try_install.TABLES, "docs/guides/spark.md", "docs/tutorials/python.md", "web/package/README.md", "CHANGELOG.md",
                              ".github/ISSUE_TEMPLATE/wish.md", "crates/hashwell-cli/README.md"}, set(found))
        self.assertFalse([name for name in found if name.startswith(("target/", "dist/", ".tools/")) or "node_modules" in name])

    def test_what_is_followed_here_is_run(self) -> None:
        named = {start.removeprefix("def ").rstrip("(") for file, start in try_install.FOLLOWED.values() if file == try_install.HERE}
        self.assertEqual(named, {way.__name__ for way in try_install.TRIED})


class Workflows(unittest.TestCase):
    """Checks of the files in .github that are possible without GitHub. These workflows have never been run."""

    def text(self, name: str) -> str:
        return (project.ROOT / ".github/workflows" / name).read_text()

    def test_they_say_that_nobody_has_run_them(self) -> None:
        for path in (project.ROOT / ".github/workflows").iterdir():
            self.assertTrue(path.read_text().startswith("# Never run: "), path.name)

    def test_packages_are_tried_before_a_release_is_drafted(self) -> None:
        release = self.text("release.yml")
        steps = [release.index(f" {step}\n") for step in ("make dist", "sudo make dist-tools", "make test-dist")]
        self.assertEqual(sorted(steps), steps)
        self.assertLess(steps[-1], release.index("gh release create"))

    def test_each_system_has_a_row_and_every_target_is_there(self) -> None:
        for name in ("ci.yml", "release.yml"):
            rows = ",".join(re.findall(r"^ +os: \[(.*)\]$", self.text(name), re.MULTILINE))
            self.assertIn("macos-", rows, name)
            self.assertIn("windows-", rows, name)
            self.assertIn("pip wheel --no-deps --wheel-dir wheels . crates/hashwell-cli\n", self.text(name), name)
            targets = set(re.findall(r"^([a-z0-9_-]+):", (project.ROOT / "Makefile").read_text(), re.MULTILINE))
            named = {word for words in re.findall(r"\bmake ((?:[a-z][a-z_-]* ?)+)", self.text(name)) for word in words.split()}
            self.assertTrue(named and named <= targets, named - targets)


class Steps(unittest.TestCase):
    def test_make_wheels_packs_both(self) -> None:
        """The wheel of the module may be missing even if the module is already installed."""
        command = ["make", "--dry-run", "--old-file=.venv/.installed-release", "wheels"]
        said = subprocess.run(command, cwd=project.ROOT, check=True, capture_output=True, text=True).stdout
        self.assertIn(" target/wheels module command\n", said)

    def test_an_unknown_step_is_named(self) -> None:
        for arguments, words in ((["wheel"], "no step 'wheel'"), (["--processors", "riscv64"], "no processor 'riscv64'")):
            errors = io.StringIO()
            with mock.patch.object(sys, "argv", ["dist.py", *arguments]), contextlib.redirect_stderr(errors):
                self.assertRaises(SystemExit, dist.main)
            self.assertIn(words, errors.getvalue())

    def test_the_document_names_every_step(self) -> None:
        text = (project.ROOT / "dev" / "releasing.md").read_text()
        for step in dist.STEPS:
            self.assertIn(f"| `{step}` |", text)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        COMMAND = Path(sys.argv.pop(1)).resolve()
    unittest.main()
