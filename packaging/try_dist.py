"""Tries every package of dist/ in an empty place: `make test-dist`, after `make dist`.

What cannot be tried here is said in a line that begins with SKIPPED.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import build
import pythons
from archive import members_of, unpack
from debian import ABI, REVISION
from project import DIST, LICENCES, NOTICES, PROCESSORS, ROOT, SBOM, TOOLS, VERSION, Processor

sys.path.append(str(ROOT / "tools"))
from skipped import skipped  # noqa: E402

ABC = hashlib.sha256(b"abc").hexdigest()
TRY = ("import hashlib, hashwell, sys; "
       "assert hashwell.digest('sha256', b'abc') == hashlib.sha256(b'abc').digest(); "
       "assert hashwell.shake128(b'seed').read(4).hex() == '25629347'; print(sys.version.split()[0])")
# Of the sdist: what needs no package besides pytest and NumPy.
TESTS = ("test_hashlib.py", "test_xof.py", "test_mac.py", "test_vectors.py", "test_registry.py")
HOST = next((each for each in PROCESSORS if each.name == build.native()), None)


class Skip(Exception):
    """Why something cannot be tried here."""


def run(*command: str | Path, **options) -> str:
    """The standard output of a command that has to succeed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


# What has each program: a target of make, or Debian's package where its name is another.
GIVEN = {"lintian": "make dist-tools", "qemu-aarch64": "make dist-tools", "node": "make web-tools"}
PACKAGES = {"dpkg-deb": "dpkg", "apt-get": "apt", "cc": "gcc", "readelf": "binutils", "unshare": "util-linux"}


def need(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            raise Skip(f"no {program}: {GIVEN.get(program) or f'Debian has it in {PACKAGES.get(program, program)}'}")


def one(pattern: str) -> Path:
    """The only file of dist/ of that name."""
    found = sorted(DIST.glob(pattern))
    if not found:
        raise Skip(f"no {pattern} in dist/")
    assert len(found) == 1, f"{len(found)} files {pattern} in dist/: remove the older ones"
    return found[0]


def wheel_of(processor: Processor, libc: str = "manylinux") -> Path:
    return one(f"hashwell-{VERSION}-*{libc}*{processor.name}.whl")


def bare(**more: str) -> dict[str, str]:
    """An environment without cargo and without this repository."""
    return {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8", **more}


def names_no_place(data: bytes, what: str) -> None:
    """Nothing compiled names a folder of the machine that compiled it."""
    found = [str(folder) for folder, name in build.folders() if str(folder) != name and f"{folder}/".encode() in data]
    assert not found, f"{what} names {', '.join(found)}"


def those_there(check: str, package: Callable[[Processor], Path]) -> list[tuple[Processor, Path]]:
    """The processors whose package is in dist/; without any there is nothing to check, and of the others it is said."""
    there, absent = [], []
    for processor in PROCESSORS:
        try:
            there.append((processor, package(processor)))
        except Skip as why:
            absent.append((processor, str(why)))
    if not there:
        raise Skip("; ".join(why for _, why in absent))
    for processor, why in absent:
        skipped(f"{check} for {processor.name}", why)
    return there


def names(packages: list[tuple[Processor, Path]]) -> str:
    return " and ".join(processor.name for processor, _ in packages)


def host() -> Processor:
    if HOST is None:
        raise Skip(f"no package runs on {build.native()}")
    return HOST


def static_archives(folder: Path) -> str:
    need("readelf")
    said = []
    for processor, path in those_there("static_archives", lambda each: one(f"hashwell-{VERSION}-{each.name}-linux.tar.gz")):
        unpack(path, folder)
        top = folder / f"hashwell-{VERSION}-{processor.name}-linux"
        for name in (*LICENCES, NOTICES, SBOM, "share/man/man1/hashwell.1", "share/bash-completion/completions/hashwell"):
            assert (top / name).stat().st_size > 0, name
        program = top / "bin/hashwell"
        names_no_place(program.read_bytes(), f"the command for {processor.name}")
        headers = run("readelf", "--program-headers", "--dynamic", program)
        assert "INTERP" not in headers and "NEEDED" not in headers, headers
        before: list[str] = []
        said.append(f"{processor.name} is static")
        if processor != HOST:
            try:
                need(f"qemu-{processor.name}")
            except Skip as why:
                skipped(f"running the command for {processor.name}", str(why))
                continue
            before = [f"qemu-{processor.name}"]
        # HMAC, a stream and a draw: code of every floor.
        for arguments, expected in (
            (["sum", "-a", "sha256"], ABC),
            (["xof", "-a", "shake128", "-n", "4"], hashlib.shake_128(b"abc").hexdigest(4)),
            (["sum", "-a", "sha3-512"], hashlib.sha3_512(b"abc").hexdigest()),
        ):
            out = run(*before, program, *arguments, input="abc", env=bare())
            assert expected in out, (arguments, out)
        said[-1] += " and runs"
    return ", ".join(said)


def empty_chroot(folder: Path) -> str:
    archive = one(f"hashwell-{VERSION}-{host().name}-linux.tar.gz")
    with tarfile.open(archive) as opened:
        member = opened.extractfile(f"hashwell-{VERSION}-{host().name}-linux/bin/hashwell")
        (folder / "hashwell").write_bytes(member.read())
    (folder / "hashwell").chmod(0o755)
    before = []
    if os.geteuid() != 0:
        need("unshare")
        before = ["unshare", "--map-root-user"]
    out = run(*before, "chroot", folder, "/hashwell", "sum", "-a", "sha256", "-a", "blake3", input="abc",
              env=bare(PATH="/usr/sbin:/usr/bin:/sbin:/bin"))
    assert ABC in out, out
    # Nothing else is there, and nothing was made.
    assert [path.name for path in folder.iterdir()] == ["hashwell"]
    return "sum in a root with nothing else"


def python_wheels(folder: Path) -> str:
    start = time.monotonic()
    run(sys.executable, "-m", "venv", folder / "venv")
    python = folder / "venv/bin/python"
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", wheel_of(host()), env=bare(), cwd=folder)
    run(python, "-c", TRY, env=bare(), cwd=folder)
    seconds = time.monotonic() - start
    missing = subprocess.run([str(python), "-m", "hashwell"], capture_output=True, text=True, env=bare(), cwd=folder)
    assert missing.stderr.strip().endswith("pip install hashwell-cli"), missing
    run(python, "-m", "pip", "install", "--no-index", one(f"hashwell_cli-*{host().name}.whl"), env=bare(), cwd=folder)
    for command in ([python, "-m", "hashwell"], [python.with_name("hashwell")]):
        assert ABC in run(*command, "sum", "-a", "sha256", input="abc", env=bare(), cwd=folder)
    run(python, "-m", "pip", "check", env=bare(), cwd=folder)
    return f"first digest after {seconds:.1f} s, making the venv included; then hashwell-cli"


def sdist(folder: Path) -> str:
    unpack(one(f"hashwell-{VERSION}.tar.gz"), folder)
    top = folder / f"hashwell-{VERSION}"
    # Every crate and the lock file are there, and agree.
    text = run("cargo", "metadata", "--locked", "--offline", "--format-version=1", cwd=top)
    assert "hashwell-py" in text
    run(sys.executable, "-m", "venv", folder / "venv")
    python = folder / "venv/bin/python"
    run(python, "-m", "pip", "install", "--quiet", "pytest", "numpy", cwd=folder)
    wheels = [wheel_of(host()), one(f"hashwell_cli-*{host().name}.whl")]
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", *wheels, cwd=folder)
    out = run(python, "-m", "pytest", "-o", "addopts=", "-q", "-p", "no:cacheprovider", *TESTS, cwd=top / "python/tests")
    return f"resolves offline; its tests on the wheels: {out.strip().splitlines()[-1]}"


def other_pythons(folder: Path) -> str:
    need("apt-get", "dpkg-deb")
    said = []
    wheels = dict(those_there("other_pythons", wheel_of))
    pairs = [("3.11", PROCESSORS[1]), *((version, PROCESSORS[0]) for version in pythons.SUITES)]
    for version, processor in ((version, processor) for version, processor in pairs if processor in wheels):
        try:
            if processor != HOST:
                need(f"qemu-{processor.name}")
            python = pythons.get(version, processor.debian)
        except (Skip, OSError, LookupError) as why:
            skipped(f"CPython {version} on {processor.name}", str(why))
            continue
        place = folder / f"{version}-{processor.name}"
        with zipfile.ZipFile(wheels[processor]) as archive:
            archive.extractall(place)
        done = python.run("-c", TRY, wheels=[place])
        assert done.returncode == 0, (version, processor.name, done.stderr)
        said.append(f"{done.stdout.strip()} on {processor.name}")
    if not said:
        raise Skip("none of them could be had")
    return ", ".join(said)


def glibc_is_old_enough(folder: Path) -> str:
    wheels = those_there("glibc_is_old_enough", wheel_of)
    for processor, path in wheels:
        with zipfile.ZipFile(path) as archive:
            names_no_place(archive.read("hashwell/_native.abi3.so"), f"the module for {processor.name}")
        out = run(TOOLS / "bin/python", "-m", "auditwheel", "show", path)
        found = re.search(r'platform tag:\s+"(\S+)"', " ".join(out.split()))
        assert found and found[1] in (f"manylinux_2_17_{processor.name}", f"manylinux_2_5_{processor.name}",
                                      f"manylinux_2_12_{processor.name}"), out
    return f"on {names(wheels)}: auditwheel finds nothing younger than glibc 2.17; no folder of this machine is named"


def musl_symbols(processor: Processor) -> set[str]:
    """What musl's shared library defines for a processor, by the stub that zig links with in its place."""
    zig = Path(run(TOOLS / "bin/python", "-c", "import ziglang; print(ziglang.__path__[0])").strip())
    text = run(zig / "zig", "cc", "-target", processor.musl.replace("-unknown", ""), "-E", "-w", "-x", "assembler-with-cpp",
               "-DPTR64", f"-DARCH_{processor.name}", f"-DFAMILY_{processor.name.removesuffix('_64')}",
               zig / "lib/libc/musl/libc.S", env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(TOOLS / "cache/zig")})
    found = set(re.findall(r"^\.(?:globl|weak) (\w+)$", text, re.MULTILINE))
    assert {"malloc", "pthread_create", "__tls_get_addr"} <= found, f"zig's list of musl's symbols reads otherwise: {len(found)} found"
    return found


def musl_wheels(folder: Path) -> str:
    """What the module asks for is there: in musl, or in Python's stable interface."""
    need("readelf", "nm")
    wheels = those_there("musl_wheels", lambda processor: wheel_of(processor, "musllinux"))
    for processor, path in wheels:
        with zipfile.ZipFile(path) as archive:
            module = Path(archive.extract("hashwell/_native.abi3.so", folder / processor.name))
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--dynamic", module))
        assert needed == ["libc.so"], needed
        asked = {line.split()[-1] for line in run("nm", "--dynamic", "--undefined-only", module).splitlines() if " U " in line}
        ours = {name for name in asked if not name.startswith(("Py", "_Py"))}
        given = musl_symbols(processor)
        assert ours <= given, f"not in musl: {sorted(ours - given)}"
    skipped("importing the wheels for musl", "no Python for musl is to be had here")
    return f"{names(wheels)} ask for symbols of musl and of Python only"


def debian_packages(folder: Path) -> str:
    need("dpkg", "dpkg-deb")
    debian = host().debian
    for name in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"):
        (folder / "root" / name).mkdir(parents=True)
    (folder / "root/var/lib/dpkg/status").touch()
    if os.geteuid() != 0:
        raise Skip("dpkg installs as root only")
    dpkg = ["dpkg", f"--root={folder / 'root'}", "--force-script-chrootless"]
    # By itself, since it depends on nothing.
    run(*dpkg, "--install", one(f"hashwell_{REVISION}_{debian}.deb"))
    assert ABC in run("chroot", folder / "root", "/usr/bin/hashwell", "sum", "-a", "sha256", input="abc")
    libraries = [one(f"{name}_{REVISION}_{debian}.deb") for name in (f"libhashwell{ABI}", "libhashwell-dev")]
    run(*dpkg, "--force-depends", "--install", *libraries)
    need("cc", "pkg-config")
    root, libdir = folder / "root", folder / f"root/usr/lib/{host().multiarch}"
    environment = {**os.environ, "PKG_CONFIG_SYSROOT_DIR": str(root), "PKG_CONFIG_LIBDIR": str(libdir / "pkgconfig"),
                   "LD_LIBRARY_PATH": str(libdir)}
    source = ROOT / "crates/hashwell-ffi/examples/hwsum.c"
    for way in ([], ["--static"]):
        flags = run("pkg-config", "--cflags", "--libs", *way, "hashwell", env=environment).split()
        if way:
            flags = [str(libdir / "libhashwell.a") if flag == "-lhashwell" else flag for flag in flags]
        run("cc", source, *flags, "-o", folder / "hwsum", env=environment)
        assert run(folder / "hwsum", "sha256", input="abc", env=environment).strip() == ABC
    run(*dpkg, "--force-depends", "--purge", "hashwell", f"libhashwell{ABI}", "libhashwell-dev")
    left = [path for path in (root / "usr").rglob("*") if path.is_file()] if (root / "usr").exists() else []
    assert not left, left
    return "installed, run in a chroot, a program built with -dev, purged"


def lintian(folder: Path) -> str:
    need("lintian")
    packages = sorted(DIST.glob("*.deb"))
    if not packages:
        raise Skip("no *.deb in dist/")
    out = run("lintian", "--allow-root", "--fail-on", "error,warning", *packages, env={**os.environ, "HOME": str(folder)})
    assert "E: " not in out and "W: " not in out, out
    return f"no error and no warning in {len(packages)} packages"


def bills(folder: Path) -> str:
    """Every bill of materials is one by CycloneDX's own schema."""
    texts: dict[str, bytes] = {}
    for path in sorted(DIST.iterdir()):
        if path.suffix in (".whl", ".zip"):
            with zipfile.ZipFile(path) as archive:
                found = {name: archive.read(name) for name in archive.namelist() if name.endswith(SBOM)}
        elif path.name.endswith((".tar.gz", ".tgz")) and "haskell" not in path.name:
            found = {member.name: member.data for member in members_of(path) if member.name.endswith("/" + SBOM)}
        elif path.suffix == ".deb":
            need("dpkg-deb")
            with tempfile.TemporaryDirectory(dir=folder) as place:
                run("dpkg-deb", "-x", path, place)
                found = {str(file): file.read_bytes() for file in Path(place).rglob(SBOM)}
        else:
            continue
        assert len(found) == 1, (path.name, sorted(found))
        texts[path.name] = next(iter(found.values()))
    if not texts:
        raise Skip("no package with a bill in dist/")
    program = ("import sys; from cyclonedx.schema import SchemaVersion as V; "
               "from cyclonedx.validation.json import JsonStrictValidator as J; "
               "e = J(V.V1_6).validate_str(open(sys.argv[1]).read()); sys.exit(str(e) if e else 0)")
    for name, text in texts.items():
        (folder / "bill.json").write_bytes(text)
        run(TOOLS / "bin/python", "-c", program, folder / "bill.json")
        assert json.loads(text)["components"], name
    return f"{len(texts)} valid by CycloneDX's schema"


def crates(folder: Path) -> str:
    paths = sorted(DIST.glob("*.crate"))
    if not paths:
        raise Skip("no *.crate in dist/")
    for path in paths:
        found = {member.name.split("/", 1)[1] for member in members_of(path)}
        assert {"Cargo.toml", *LICENCES} <= found, (path.name, sorted(found)[:9])
    return f"{len(paths)} have their licences"


def npm(folder: Path) -> str:
    need("node")
    unpack(one(f"hashwell-{VERSION}-npm.tgz"), folder / "node_modules")
    (folder / "node_modules/package").rename(folder / "node_modules/hashwell")
    script = ("import { hash, load } from 'hashwell'; await load(); "
              "console.log(Buffer.from(hash('sha256', new TextEncoder().encode('abc'))).toString('hex'));")
    (folder / "try.mjs").write_text(script)
    assert run("node", "try.mjs", cwd=folder).strip() == ABC
    return "imported by Node"


def windows(folder: Path) -> str:
    need("wine")
    with zipfile.ZipFile(one(f"hashwell-{VERSION}-x86_64-windows.zip")) as archive:
        program = archive.extract(f"hashwell-{VERSION}-x86_64-windows/bin/hashwell.exe", folder)
    environment = {**os.environ, "WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all", "HOME": str(folder)}
    (folder / "abc").write_text("abc")
    assert ABC in run("wine", program, "sum", "-a", "sha256", "abc", cwd=folder, env=environment)
    return "sum under wine"


def checksums(folder: Path) -> str:
    one("SHA256SUMS")
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=DIST)
    listed = {line.split("  ", 1)[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
    assert listed == {path.name for path in DIST.iterdir()} - {"SHA256SUMS"}, "dist/ has files that SHA256SUMS does not name"
    return f"{len(listed)} files, by coreutils"


CHECKS: tuple[Callable[[Path], str], ...] = (
    checksums, static_archives, empty_chroot, python_wheels, glibc_is_old_enough, musl_wheels, other_pythons, sdist,
    debian_packages, lintian, bills, crates, npm, windows,
)


def main() -> None:
    wanted = sys.argv[1:]
    known = [check.__name__ for check in CHECKS]
    if unknown := [name for name in wanted if name not in known]:
        sys.exit(f"try_dist: no check '{unknown[0]}': they are {', '.join(known)}")
    if not DIST.is_dir() or not any(DIST.iterdir()):
        sys.exit(f"test-dist: there is nothing in {DIST}: make dist")
    failed = 0
    for check in CHECKS:
        if wanted and check.__name__ not in wanted:
            continue
        with tempfile.TemporaryDirectory(prefix="hashwell-") as folder:
            start = time.monotonic()
            try:
                said = check(Path(folder))
            except Skip as why:
                skipped(check.__name__, str(why))
                continue
            except Exception as error:
                failed += 1
                kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
                print(f"FAILED: {check.__name__}: {kind}{'; '.join(str(error).splitlines())}", flush=True)
                continue
            print(f"{check.__name__}: {said} ({time.monotonic() - start:.0f} s)", flush=True)
    sys.exit(f"test-dist: {failed} of {len(CHECKS)} failed" if failed else 0)


if __name__ == "__main__":
    main()
