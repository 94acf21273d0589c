"""Debian packages: hashwell (the command), libhashwell0 (the C library) and libhashwell-dev (headers, for linking).

The files are those of `make install` with the prefix /usr. dpkg-deb packs them, with fixed owners, times and order.
"""

import hashlib
import os
import re
import shutil
import sys
import textwrap
import time
from pathlib import Path

import bom
import build
from archive import gzipped, place
from command import describing, runnable
from project import DIST, GLIBC, NOTICES, ROOT, STAGE, VERSION, Processor, epoch, is_clone, run

HERE = Path(__file__).resolve().parent / "debian"
REVISION = f"{VERSION}-1"
ABI = VERSION.split(".", 1)[0]
LIBRARY = f"libhashwell{ABI}"

SUMMARIES = {
    "hashwell": ("utils", "digests, output streams and fair draws: the command", """\
        Computes and checks digests of files in the formats of coreutils, b3sum, openssl and others: SHA-1, SHA-2,
        SHA-3, BLAKE2, BLAKE3, KangarooTwelve, Ascon and more; prints output streams of any length; computes HMAC, KMAC
        and HKDF; picks samples and draws that anyone can recheck. `hashwell speed` compares every algorithm with the
        libraries that are installed.
        .
        The program is static: it needs no other package."""),
    LIBRARY: ("libs", "digests, output streams and fair draws: the C library", """\
        Digests, extendable output, HMAC, KMAC, HKDF and HMAC-DRBG, with implementations chosen at run time for the CPU.
        .
        This package has the shared library."""),
    "libhashwell-dev": ("libdevel", "digests, output streams and fair draws: development files", """\
        Digests, extendable output, HMAC, KMAC, HKDF and HMAC-DRBG, with implementations chosen at run time for the CPU.
        .
        This package has the headers, the static library, and the files of pkg-config and CMake."""),
}
DEPENDS = {LIBRARY: f"libc6 (>= {GLIBC})", "libhashwell-dev": f"{LIBRARY} (= {REVISION})"}


def maintainer() -> str:
    """The maintainer according to Debian's variables DEBFULLNAME and DEBEMAIL. The default address is that of the
    commit's author."""
    name = os.environ.get("DEBFULLNAME") or "The hashwell developers"
    address = os.environ.get("DEBEMAIL", "")
    if not address and not is_clone():
        sys.exit("DEBEMAIL, the maintainer's address, has to be given: there is no commit whose author it could be")
    address = address or run("git", "-C", ROOT, "log", "-1", "--format=%ae").strip()
    return f"{name} <{address}>"


def write(path: Path, data: bytes | str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    path.chmod(mode)


def changelog() -> str:
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(epoch()))
    text = "See /usr/share/doc/hashwell/changelog.gz, the changelog of the project."
    return f"hashwell ({REVISION}) unstable; urgency=medium\n\n  * {text}\n\n -- {maintainer()}  {date}\n"


def papers(tree: Path, package: str, crate: str, target: str) -> None:
    """Writes /usr/share/doc of a package."""
    doc = tree / "usr/share/doc" / package
    licence = (ROOT / "LICENSE-MIT").read_text().split("\n\n", 2)[2]
    lines = "".join(f" {line or '.'}\n" for line in licence.strip().splitlines())
    write(doc / "copyright", (HERE / "copyright").read_text() + lines)
    write(doc / "changelog.Debian.gz", gzipped(changelog().encode()))
    write(doc / "changelog.gz", gzipped((ROOT / "CHANGELOG.md").read_bytes()))
    for name, data in bom.documents(crate, target, "hashwell", "generic").items():
        write(doc / (name + ".gz" if name == NOTICES else name), gzipped(data) if name == NOTICES else data)
    overrides = HERE / f"{package}.overrides"
    if overrides.exists():
        write(tree / "usr/share/lintian/overrides" / package, overrides.read_bytes())


def finish(tree: Path, package: str, processor: Processor, extra: dict[str, str]) -> Path:
    """Writes the control files and makes the package."""
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in files)
    size = sum(-(-path.stat().st_size // 1024) for path in files) + sum(path.is_dir() for path in tree.rglob("*"))
    section, summary, text = SUMMARIES[package]
    paragraphs = textwrap.dedent(text).split("\n.\n")
    description = "\n .\n".join(textwrap.fill(each, 76, initial_indent=" ", subsequent_indent=" ") for each in paragraphs)
    depends = f"Depends: {DEPENDS[package]}\n" if package in DEPENDS else ""
    # No Multi-Arch, because the packages of two architectures have different notices at the same path.
    control = (
        f"Package: {package}\nSource: hashwell\nVersion: {REVISION}\nArchitecture: {processor.debian}\n"
        f"Maintainer: {maintainer()}\nInstalled-Size: {size}\n{depends}Section: {section}\nPriority: optional\n"
        f"Description: {summary}\n{description}\n"
    )
    for name, data in {"control": control, "md5sums": sums, **extra}.items():
        write(tree / "DEBIAN" / name, data)
    for path in [tree, *tree.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (epoch(), epoch()), follow_symlinks=False)
    made = tree.with_name(f"{package}_{REVISION}_{processor.debian}.deb")
    # Only one thread, because the compressed bytes depend on the number of threads.
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", tree, made, quiet=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch())})
    return place(DIST / made.name, made.read_bytes())


def empty(package: str, processor: Processor) -> Path:
    tree = STAGE / "debian" / f"{package}-{processor.debian}"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    return tree


def command_package(processor: Processor) -> Path:
    tree = empty("hashwell", processor)
    write(tree / "usr/bin/hashwell", build.command(processor).read_bytes(), 0o755)
    for member in describing(runnable()):
        page = member.name.startswith("share/man/")
        # Debian has a different folder for zsh's functions.
        name = member.name.replace("zsh/site-functions", "zsh/vendor-completions")
        write(tree / "usr" / (name + ".gz" if page else name), gzipped(member.data) if page else member.data)
    papers(tree, "hashwell", "hashwell-cli", processor.musl)
    return finish(tree, "hashwell", processor, {})


def library_packages(processor: Processor) -> list[Path]:
    built = build.library(processor)
    whole = empty("libhashwell", processor)
    libdir = f"/usr/lib/{processor.multiarch}"
    run(ROOT / "crates/hashwell-ffi/install", built,
        env={**os.environ, **build.linker(), "PREFIX": "/usr", "LIBDIR": libdir, "DESTDIR": str(whole)})
    shared = empty(LIBRARY, processor)
    for path in sorted((whole / libdir[1:]).glob("libhashwell.so.*")):
        target = shared / path.relative_to(whole)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)
        if not target.is_symlink():
            target.chmod(0o644)
    packages = []
    for package, tree in ((LIBRARY, shared), ("libhashwell-dev", whole)):
        papers(tree, package, "hashwell-ffi", processor.glibc)
        extra = {}
        if package == LIBRARY:
            extra["shlibs"] = f"libhashwell {ABI} {LIBRARY} (>= {VERSION})\n"
            extra["symbols"] = symbols()
            extra["triggers"] = "activate-noawait ldconfig\n"
        packages.append(finish(tree, package, processor, extra))
    return packages


def symbols() -> str:
    """The exported symbols, each since this version. The C library's tests compare crates/hashwell-ffi/symbols.txt with
    the library."""
    names = re.findall(r"^\w+$", (ROOT / "crates/hashwell-ffi/symbols.txt").read_text(), re.MULTILINE)
    lines = "".join(f" {name}@Base {VERSION}\n" for name in sorted(names))
    return f"libhashwell.so.{ABI} {LIBRARY} #MINVER#\n{lines}"
