"""Python interpreters for tests, in addition to this machine's. Those of other Debian suites and architectures are unpacked
into a folder and not installed. One for musl, which Debian does not have, is compiled from Debian's sources of CPython
with Debian's musl.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from project import TOOLS

PLACE = TOOLS / "pythons"
# For each version of Python, a Debian suite that has it.
SUITES = {"3.11": "bookworm", "3.13": "trixie", "3.14": "sid"}
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
LIBRARIES = ("libc6", "zlib1g", "libexpat1", "libffi8", "libgcc-s1")


@dataclass(frozen=True)
class Python:
    """An interpreter, and how to start it on this machine."""

    version: str
    debian: str
    top: Path

    def command(self) -> list[str]:
        program = self.top / f"usr/bin/python{self.version}"
        if self.debian == "arm64":
            return ["qemu-aarch64", "-L", str(self.top), str(program)]
        if self.debian == "musl":
            return [str(program)]
        # It is started by its own loader, because its C library is newer than this machine's.
        places = [self.top / "usr/lib/x86_64-linux-gnu", self.top / "lib/x86_64-linux-gnu"]
        (loader,) = [path for place in places for path in place.glob("ld-linux-x86-64.so.2")][:1]
        return [str(loader), "--library-path", ":".join(map(str, places)), str(program)]

    def run(self, *arguments: str, wheels: list[Path]) -> subprocess.CompletedProcess:
        environment = {"PATH": os.defpath, "PYTHONHOME": str(self.top / "usr"), "PYTHONPATH": ":".join(map(str, wheels)),
                       "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run([*self.command(), *arguments], capture_output=True, text=True, env=environment)


def mirror() -> str:
    """The Debian mirror of this machine."""
    text = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE)"], capture_output=True, text=True).stdout
    sites = [line for line in text.splitlines() if line.rstrip("/").endswith("/debian")]
    if not sites:
        raise LookupError("apt names no mirror of Debian")
    return sites[0]


def quietly(*command: str | Path, where: Path) -> None:
    text = [str(part) for part in command]
    done = subprocess.run(text, capture_output=True, text=True, cwd=where)
    if done.returncode != 0:
        raise OSError(f"{text[0]}: {(done.stderr or done.stdout).strip().splitlines()[-1]}")


def apt(top: Path, suite: str, debian: str) -> tuple[Path, list[str]]:
    """A folder for a separate apt, which ignores the packages that are installed on this machine, and the command line
    to run it."""
    state = top / "apt"
    for folder in ("lists/partial", "cache/archives/partial"):
        (state / folder).mkdir(parents=True)
    (state / "status").touch()
    (state / "sources.list").write_text("".join(f"{kind} [signed-by={KEYS}] {mirror()} {suite} main\n" for kind in ("deb", "deb-src")))
    settings = {
        "Dir::State": state, "Dir::State::lists": state / "lists", "Dir::State::status": state / "status",
        "Dir::Cache": state / "cache", "Dir::Etc::sourcelist": state / "sources.list", "Dir::Etc::sourceparts": "/dev/null",
        "APT::Architecture": debian, "APT::Architectures": debian, "APT::Sandbox::User": "root", "Acquire::Languages": "none",
    }
    command = ["apt-get", *(f"-o{name}={value}" for name, value in settings.items())]
    quietly(*command, "update", where=top)
    return state, command


def get(version: str, debian: str) -> Python:
    """Downloads and unpacks an interpreter with a separate apt. Raises an error if that fails."""
    top = PLACE / f"{version}-{debian}"
    python = Python(version, debian, top)
    if (top / "complete").exists():
        return python
    shutil.rmtree(top, ignore_errors=True)
    state, command = apt(top, SUITES[version], debian)
    names = [f"python{version}-minimal", f"libpython{version}-minimal", f"libpython{version}-stdlib", *LIBRARIES]
    # Since trixie, time values have 64 bits on all architectures, and this package has a different name.
    names.append("libssl3" if SUITES[version] == "bookworm" else "libssl3t64")
    quietly(*command, "download", *names, where=state)
    for package in sorted(state.glob("*.deb")):
        quietly("dpkg-deb", "-x", package, top, where=top)
    shutil.rmtree(state)
    (top / "complete").touch()
    return python


def get_musl() -> Python:
    """Compiles CPython for musl on x86-64, which takes a minute or two. Debian's musl is unpacked and not installed: its
    loader in /lib would make other programs believe that this machine uses musl.
    """
    version = "3.11"
    top = PLACE / f"{version}-musl"
    python = Python(version, "musl", top)
    if (top / "complete").exists():
        return python
    if " " in str(top):
        raise OSError(f"gcc's specs name folders, and {top} has a space")
    shutil.rmtree(top, ignore_errors=True)
    state, command = apt(top, SUITES[version], "amd64")
    quietly(*command, "source", "--download-only", f"python{version}", where=state)
    quietly(*command, "download", "musl", "musl-dev", "linux-libc-dev", where=state)
    for package in state.glob("*.deb"):
        quietly("dpkg-deb", "-x", package, state / ("kernel" if package.name.startswith("linux") else top), where=top)
    # The specs of the package musl-tools, changed to use the folder with the unpacked musl and the headers of the kernel.
    library, loader = top / "usr/lib/x86_64-linux-musl", top / "lib/x86_64-linux-musl/libc.so"
    kernel = state / "kernel/usr/include"
    headers = f"{top}/usr/include/x86_64-linux-musl -isystem {kernel} -isystem {kernel}/x86_64-linux-gnu"
    specs = (library / "musl-gcc.specs").read_text().replace("/usr/include/x86_64-linux-musl", headers)
    specs = specs.replace("/usr/lib/x86_64-linux-musl", str(library)).replace("/lib/ld-musl-x86_64.so.1", str(loader))
    (state / "specs").write_text(specs)
    (library / "libc.so").symlink_to(loader)
    # configure asks the compiler for the name of the C library.
    compiler = state / "cc"
    compiler.write_text('#!/bin/sh\ncase "$*" in *-print-multiarch) echo x86_64-linux-musl; exit;; esac\n'
                        f'exec gcc -specs {state}/specs "$@"\n')
    compiler.chmod(0o755)
    (archive,) = state.glob("*.orig.tar.gz")
    quietly("tar", "-xf", archive, where=state)
    (sources,) = state.glob("Python-*")
    # pkg-config would find this machine's zlib, which is not for musl.
    quietly("./configure", f"--prefix={top}/usr", "--without-ensurepip", "--disable-test-modules", f"CC={compiler}", "OPT=-O1 -DNDEBUG",
            "PKG_CONFIG=false", where=sources)
    quietly("make", "--silent", f"--jobs={os.cpu_count() or 1}", where=sources)
    quietly("make", "--silent", "install", where=sources)
    shutil.rmtree(state)
    (top / "complete").touch()
    return python
