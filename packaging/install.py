"""Installs the command, its manual and completions, and the C library below a prefix, or removes what was installed.

    install.py install COMMAND FOLDER-OF-THE-C-LIBRARY
    install.py uninstall

PREFIX has to be given in the environment; LIBDIR (default PREFIX/lib) and DESTDIR as usual. What is made is written down
in PREFIX/share/hashwell/installed, which the removal follows: other files and folders stay. A file that was there under a
name of hashwell's own is replaced, and does not come back.
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
    """PREFIX, LIBDIR and DESTDIR."""
    prefix = os.environ.get("PREFIX", "")
    if not prefix:
        fail(f"PREFIX is not given: {USAGE}")
    libdir = os.environ.get("LIBDIR") or f"{prefix.rstrip('/')}/lib"
    for name, value in (("PREFIX", prefix), ("LIBDIR", libdir)):
        if not value.startswith("/") or ".." in Path(value).parts or "\n" in value:
            fail(f"{name} has to be an absolute path without '..', not {value!r}")
    return prefix, libdir, os.environ.get("DESTDIR", "")


def stage(top: Path, prefix: str, libdir: str, program: Path, library: Path) -> None:
    """The whole tree, below an empty folder."""
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
    """What is there already by a list of ours: one path a line, as it is without DESTDIR; folders end in a slash."""

    def __init__(self, prefix: str, destination: str) -> None:
        self.destination = destination
        self.list = Path(f"{destination}{prefix}/share/hashwell/installed")

    def read(self) -> list[str]:
        return self.list.read_text().splitlines() if self.list.is_file() else []

    def real(self, name: str) -> Path:
        return Path(f"{self.destination}{name}")

    def remove(self, names: list[str]) -> None:
        """Files first, then the folders that nothing is in any more, the deepest first."""
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
        # DESTDIR itself is the caller's: it is not noted, and stays.
        Path(destination or "/").mkdir(parents=True, exist_ok=True)

        def make(path: Path) -> None:
            """A folder, and those above it that are missing, noted."""
            if not path.is_dir():
                make(path.parent)
                path.mkdir()
                made.append(f"/{path.relative_to(destination or '/').as_posix()}/")

        make(installed.list.parent)
        for name in names:
            make(installed.real(name).parent)
        kept = [name for name in before if name.endswith("/")]
        # Written before the files, so that a removal finds what an interrupted installation has left.
        listed = sorted({*before, *names, *made})
        installed.list.write_text("".join(f"{name}\n" for name in listed))
        for source, name in zip(sources, names, strict=True):
            # Beside the target and then moved: a program that runs is replaced, not written into.
            target = installed.real(name)
            beside = target.with_name(f".{target.name}.new")
            beside.unlink(missing_ok=True)
            shutil.copy2(source, beside, follow_symlinks=False)
            beside.replace(target)
        # Files of an older version that this one has not.
        installed.remove([name for name in before if name not in names and not name.endswith("/")])
        installed.list.write_text("".join(f"{name}\n" for name in sorted({*names, *made, *kept})))
    print(f"install: {len(names)} files below {destination}{prefix}; {installed.list} names them")


def uninstall() -> None:
    prefix, _, destination = place()
    installed = Installed(prefix, destination)
    names = installed.read()
    if not names:
        fail(f"nothing was installed below {destination}{prefix}: {installed.list} is not there")
    # The list and the folders above it go last, so that a removal that was interrupted can be repeated.
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
