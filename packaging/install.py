"""Installs the command, its manual and completions, and the C library below a prefix, or removes what was installed.

    install.py install COMMAND FOLDER-OF-THE-C-LIBRARY
    install.py uninstall

PREFIX must be set in the environment; LIBDIR (default: PREFIX/lib) and DESTDIR have their usual meaning. The installed
files and created folders are listed in PREFIX/share/hashwell/installed. The removal deletes only these. If a file with
the name of one of hashwell's files existed before, it is replaced and not restored.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from command import describing
from project import ROOT, run

USAGE = "make install PREFIX=/usr/local (LIBDIR=, DESTDIR=), make uninstall with the same"


def fail(why: str) -> None:
    print(f"install: {why}", file=sys.stderr)
    sys.exit(2)


def place() -> tuple[str, str, str]:
    """The values of PREFIX, LIBDIR and DESTDIR."""
    prefix = os.environ.get("PREFIX", "")
    if not prefix:
        fail(f"PREFIX is not given: {USAGE}")
    libdir = os.environ.get("LIBDIR") or f"{prefix.rstrip('/')}/lib"
    for name, value in (("PREFIX", prefix), ("LIBDIR", libdir)):
        if not value.startswith("/") or ".." in Path(value).parts or "\n" in value:
            fail(f"{name} has to be an absolute path without '..', not {value!r}")
    return prefix, libdir, os.environ.get("DESTDIR", "")


def stage(top: Path, prefix: str, libdir: str, program: Path, library: Path) -> None:
    """Copies all files of an installation below an empty folder."""
    below = Path(f"{top}{prefix}")
    (below / "bin").mkdir(parents=True)
    shutil.copy(program, below / "bin" / "hashwell")
    (below / "bin" / "hashwell").chmod(0o755)
    for member in describing(program):
        path = below / member.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(member.data)
        path.chmod(0o644)
    run(ROOT / "crates/hashwell-ffi/install", library,
        env={**os.environ, "PREFIX": prefix, "LIBDIR": libdir, "DESTDIR": str(top)})


class Installed:
    """The installed files and created folders according to the list: one path per line, without DESTDIR. Folders end
    with a slash."""

    def __init__(self, prefix: str, destination: str) -> None:
        self.destination = destination
        self.list = Path(f"{destination}{prefix}/share/hashwell/installed")

    def read(self) -> list[str]:
        return self.list.read_text().splitlines() if self.list.is_file() else []

    def real(self, name: str) -> Path:
        return Path(f"{self.destination}{name}")

    def remove(self, names: list[str]) -> None:
        """Removes the files, and then the folders that are empty, beginning with the deepest ones."""
        for name in names:
            if not name.endswith("/"):
                self.real(name).unlink(missing_ok=True)
        for name in sorted(names, key=len, reverse=True):
            if name.endswith("/") and self.real(name).is_dir() and not any(self.real(name).iterdir()):
                self.real(name).rmdir()


def install(program: Path, library: Path) -> None:
    prefix, libdir, destination = place()
    for needed in (program, library / "libhashwell_ffi.so"):
        if not needed.exists():
            fail(f"{needed} is not there: make build build-c")
    installed = Installed(prefix, destination)
    before = installed.read()
    with tempfile.TemporaryDirectory() as scratch:
        top = Path(scratch) / "tree"
        top.mkdir()
        stage(top, prefix, libdir, program, library)
        sources = sorted(path for path in top.rglob("*") if path.is_symlink() or path.is_file())
        names = ["/" + path.relative_to(top).as_posix() for path in sources]
        made: list[str] = []
        # DESTDIR itself belongs to the caller, so it is not listed and not removed.
        Path(destination or "/").mkdir(parents=True, exist_ok=True)

        def make(path: Path) -> None:
            """Creates a folder and its missing parents, and lists them."""
            if not path.is_dir():
                make(path.parent)
                path.mkdir()
                made.append(f"/{path.relative_to(destination or '/').as_posix()}/")

        make(installed.list.parent)
        for name in names:
            make(installed.real(name).parent)
        kept = [name for name in before if name.endswith("/")]
        # The list is written before the files, so that a removal finds the files of an interrupted installation.
        listed = sorted({*before, *names, *made})
        installed.list.write_text("".join(f"{name}\n" for name in listed))
        for source, name in zip(sources, names, strict=True):
            # The file is copied next to the target and then renamed, because writing into a running program would fail.
            target = installed.real(name)
            beside = target.with_name(f".{target.name}.new")
            beside.unlink(missing_ok=True)
            shutil.copy2(source, beside, follow_symlinks=False)
            beside.replace(target)
        # Files of an older version that this version does not have.
        installed.remove([name for name in before if name not in names and not name.endswith("/")])
        installed.list.write_text("".join(f"{name}\n" for name in sorted({*names, *made, *kept})))
    print(f"install: {len(names)} files below {destination}{prefix}; {installed.list} names them")


def uninstall() -> None:
    prefix, _, destination = place()
    installed = Installed(prefix, destination)
    names = installed.read()
    if not names:
        fail(f"nothing was installed below {destination}{prefix}: {installed.list} is not there")
    # The list and the folders above it are removed last, so that an interrupted removal can be repeated.
    above = [name for name in names if name.endswith("/") and installed.list.is_relative_to(installed.real(name))]
    installed.remove([name for name in names if name not in above])
    installed.list.unlink()
    installed.remove(above)
    print(f"uninstall: {sum(not name.endswith('/') for name in names)} files removed below {destination}{prefix}")


def main(arguments: list[str]) -> None:
    try:
        match arguments:
            case ["install", program, library]:
                install(Path(program).resolve(), Path(library).resolve())
            case ["uninstall"]:
                uninstall()
            case _:
                fail(USAGE)
    except OSError as error:
        fail(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
