"""Tests every package of dist/ in an empty folder: `make test-dist`, after `make dist`.

If a test can't run on this machine, a line that begins with SKIPPED says so.
"""

import hashlib
import json
import os
import re
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from archive import members_of, unpack
from debian import ABI, REVISION
from project import DIST, LICENCES, NOTICES, ROOT, SBOM, TARGET, TOOLS, VERSION
from trial import ABC, HOST, Skip, bare, host, names_no_place, need, one, run, skipped, those_there
from sources import HASKELL
from try_pythons import TESTS, aarch64_tests, glibc_is_old_enough, musl_python, musl_wheels, other_pythons, python_wheels
from try_windows import windows


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
        # Fixed-length digests and a stream, to use different parts of the code.
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
    # The folder contains only the program, which created no other files.
    assert [path.name for path in folder.iterdir()] == ["hashwell"]
    return "sum in a root with nothing else"


def sdist(folder: Path) -> str:
    unpack(one(f"hashwell-{VERSION}.tar.gz"), folder)
    top = folder / f"hashwell-{VERSION}"
    # All crates and the lock file are there and agree.
    text = run("cargo", "metadata", "--locked", "--offline", "--format-version=1", cwd=top)
    assert "hashwell-py" in text
    run(sys.executable, "-m", "venv", folder / "venv")
    python = folder / "venv/bin/python"
    run(python, "-m", "pip", "install", "--quiet", "pytest", "numpy", cwd=folder)
    run(python, "-m", "pip", "install", "--quiet", one(f"hashwell-{VERSION}.tar.gz"), cwd=folder,
        env={**os.environ, "CARGO_TARGET_DIR": str(TARGET / "sdist")})
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", one(f"hashwell_cli-*{host().name}.whl"), cwd=folder)
    out = run(python, "-m", "pytest", "-o", "addopts=", "-q", "-p", "no:cacheprovider", *TESTS, cwd=top / "python/tests")
    return f"resolves offline, compiled by pip; its tests: {out.strip().splitlines()[-1]}"


def debian_packages(folder: Path) -> str:
    need("dpkg", "dpkg-deb")
    debian = host().debian
    for name in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"):
        (folder / "root" / name).mkdir(parents=True)
    (folder / "root/var/lib/dpkg/status").touch()
    if os.geteuid() != 0:
        raise Skip("dpkg installs as root only")
    dpkg = ["dpkg", f"--root={folder / 'root'}", "--force-script-chrootless"]
    # The command is installed first, because its package depends on nothing.
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
    """Every bill of materials is valid according to CycloneDX's own schema."""
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
    """Installs the package with npm in an empty project, without a registry."""
    need("node", "npm")
    (folder / "package.json").write_text('{"type": "module", "private": true}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", one(f"hashwell-{VERSION}-npm.tgz"), cwd=folder)
    script = ("import { hash, load } from 'hashwell'; await load(); "
              "console.log(Buffer.from(hash('sha256', new TextEncoder().encode('abc'))).toString('hex'));")
    (folder / "try.js").write_text(script)
    assert run("node", "try.js", cwd=folder).strip() == ABC
    return "installed by npm into an empty project, imported by Node"


# A user's program, with one of the packages and the libraries that come with the compiler.
HASKELL_USER = {
    "cabal.project": "packages: . {packages}\n",
    "user.cabal": (
        "cabal-version: 2.4\nname: user\nversion: 1\n\nexecutable user\n  main-is: Main.hs\n  default-language: Haskell2010\n"
        "  build-depends: base, bytestring, {package}\n"
    ),
    "Main.hs": (
        "import qualified Crypto.Hash.SHA256 as SHA256\nimport qualified Data.ByteString as B\nimport Text.Printf\n\n"
        "main :: IO ()\nmain = B.getContents >>= mapM_ (printf \"%02x\") . B.unpack . SHA256.hash\n"
    ),
}


def haskell(folder: Path) -> str:
    """Unpacks the Haskell packages and builds them with cabal without a registry, with and without the C library of
    Debian's packages."""
    need("ghc", "ghc-pkg", "cabal", "pkg-config", "dpkg-deb")
    tops = []
    for name in HASKELL:
        unpack(one(f"{name}-{VERSION}*-haskell.tar.gz"), folder / "packages")
        (top,) = (folder / "packages").glob(f"{name}-{VERSION}*")
        tops.append(top)
    libraries = [one(f"{name}_{REVISION}_{host().debian}.deb") for name in (f"libhashwell{ABI}", "libhashwell-dev")]
    wanted: set[str] = set()
    for name, top in zip(HASKELL, tops, strict=True):
        described = (top / f"{name}.cabal").read_text().split("\nlibrary\n", 1)[1].split("exposed-modules:")[0]
        wanted |= set(re.findall(r"^    +, ([\w-]+) ", described, re.MULTILINE))
    assert {"base", "vector", "free"} <= wanted, f"the .cabal files read otherwise: {sorted(wanted)}"
    there = set(run("ghc-pkg", "list", "--global", "--simple-output", "--names-only").split())
    if missing := sorted(wanted - there - set(HASKELL)):
        raise Skip(f"no {' and no '.join(missing)} for GHC: make haskell-tools")
    root = folder / "root"
    for library in libraries:
        run("dpkg-deb", "--extract", library, root)
    libdir = root / "usr/lib" / host().multiarch
    (folder / "cabal").mkdir()
    (folder / "cabal/config").write_text("-- no repository\n")
    environment = {**os.environ, "CABAL_DIR": str(folder / "cabal"), "PKG_CONFIG_SYSROOT_DIR": str(root),
                   "PKG_CONFIG_LIBDIR": str(libdir / "pkgconfig"), "LD_LIBRARY_PATH": str(libdir)}
    environment.pop("PKG_CONFIG_PATH", None)
    # cabal 3.4 concludes that a library is missing only if pkg-config finds a different library.
    (folder / "other").mkdir()
    (folder / "other/other.pc").write_text("Name: other\nDescription: another library\nVersion: 1\n")
    without = {**environment, "PKG_CONFIG_LIBDIR": str(folder / "other"), "LD_LIBRARY_PATH": ""}

    def build(case: str, package: str, environment: dict[str, str], *options: str) -> tuple[str, str]:
        """Builds a program. Returns its output for abc, and the libraries with which it is linked."""
        user, place = folder / f"user-{case}", folder / f"built-{case}"
        user.mkdir()
        for name, text in HASKELL_USER.items():
            (user / name).write_text(text.replace("{packages}", " ".join(map(str, tops))).replace("{package}", package))
        run("cabal", "v2-build", "--verbose=1", f"--builddir={place}", *options, "exe:user", cwd=user, env=environment)
        (program,) = (path for path in (place / "build").rglob("user") if path.is_file())
        return run(program, input="abc", env=environment).strip(), run("ldd", program, env=environment)

    hashed, used = build("shared", "hashwell", environment)
    assert hashed == ABC and f"{libdir}/libhashwell.so.{ABI} " in used, (hashed, used)
    for case, package in (("pure", "hashwell-sha256"), ("no-library", "hashwell")):
        hashed, used = build(case, package, without)
        assert hashed == ABC and "libhashwell" not in used, (case, hashed, used)
    for shared in libdir.glob("libhashwell.so*"):
        shared.unlink()
    hashed, used = build("static", "hashwell", environment, "--disable-shared")
    assert hashed == ABC and "libhashwell" not in used, (hashed, used)
    return ("built by cabal without a registry, against Debian's packages of the C library, shared and static, and without it;"
            " a program of a user hashes")


def checksums(folder: Path) -> str:
    one("SHA256SUMS")
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=DIST)
    listed = {line.split("  ", 1)[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
    assert listed == {path.name for path in DIST.iterdir()} - {"SHA256SUMS"}, "dist/ has files that SHA256SUMS does not name"
    return f"{len(listed)} files, by coreutils"


CHECKS: tuple[Callable[[Path], str], ...] = (
    checksums, static_archives, empty_chroot, python_wheels, glibc_is_old_enough, musl_wheels, musl_python, other_pythons,
    aarch64_tests, sdist, debian_packages, lintian, bills, crates, npm, haskell, windows,
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
