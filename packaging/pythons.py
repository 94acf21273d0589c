"""Other Pythons than this machine's: Debian's, of other suites and processors, unpacked into a folder and not installed."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from project import TOOLS

PLACE = TOOLS / "pythons"
# Of every Debian that has one of its own.
SUITES = {"3.11": "bookworm", "3.13": "trixie", "3.14": "sid"}
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
LIBRARIES = ("libc6", "zlib1g", "libexpat1", "libffi8", "libgcc-s1")


@dataclass(frozen=True)
class Python:
    """An interpreter, and how this machine starts it."""

    version: str
    debian: str
    top: Path

    def command(self) -> list[str]:
        program = self.top / f"usr/bin/python{self.version}"
        if self.debian == "arm64":
            return ["qemu-aarch64", "-L", str(self.top), str(program)]
        # By its own loader, since its C library is younger than this machine's.
        places = [self.top / "usr/lib/x86_64-linux-gnu", self.top / "lib/x86_64-linux-gnu"]
        (loader,) = [path for place in places for path in place.glob("ld-linux-x86-64.so.2")][:1]
        return [str(loader), "--library-path", ":".join(map(str, places)), str(program)]

    def run(self, *arguments: str, wheels: list[Path]) -> subprocess.CompletedProcess:
        environment = {"PATH": os.defpath, "PYTHONHOME": str(self.top / "usr"), "PYTHONPATH": ":".join(map(str, wheels)),
                       "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run([*self.command(), *arguments], capture_output=True, text=True, env=environment)


def mirror() -> str:
    """Where this machine has its Debian from."""
    text = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE)"], capture_output=True, text=True).stdout
    sites = [line for line in text.splitlines() if line.rstrip("/").endswith("/debian")]
    if not sites:
        raise LookupError("apt names no mirror of Debian")
    return sites[0]


def get(version: str, debian: str) -> Python:
    """Downloads and unpacks one, by an apt of its own; raises where that cannot be done."""
    top = PLACE / f"{version}-{debian}"
    python = Python(version, debian, top)
    if (top / "complete").exists():
        return python
    shutil.rmtree(top, ignore_errors=True)
    state = top / "apt"
    for folder in ("lists/partial", "cache/archives/partial"):
        (state / folder).mkdir(parents=True)
    (state / "status").touch()
    (state / "sources.list").write_text(f"deb [signed-by={KEYS}] {mirror()} {SUITES[version]} main\n")
    settings = {
        "Dir::State": state, "Dir::State::lists": state / "lists", "Dir::State::status": state / "status",
        "Dir::Cache": state / "cache", "Dir::Etc::sourcelist": state / "sources.list", "Dir::Etc::sourceparts": "/dev/null",
        "APT::Architecture": debian, "APT::Architectures": debian, "APT::Sandbox::User": "root", "Acquire::Languages": "none",
    }
    options = [f"-o{name}={value}" for name, value in settings.items()]

    def quietly(*command: str, where: Path = top) -> None:
        done = subprocess.run(command, capture_output=True, text=True, cwd=where)
        if done.returncode != 0:
            raise OSError(f"{command[0]}: {(done.stderr or done.stdout).strip().splitlines()[-1]}")

    quietly("apt-get", *options, "update")
    names = [f"python{version}-minimal", f"libpython{version}-minimal", f"libpython{version}-stdlib", *LIBRARIES]
    # Whose interface to time has 64 bits everywhere since trixie, and the name says so.
    names.append("libssl3" if SUITES[version] == "bookworm" else "libssl3t64")
    quietly("apt-get", *options, "download", *names, where=state)
    for package in sorted(state.glob("*.deb")):
        quietly("dpkg-deb", "-x", str(package), str(top))
    shutil.rmtree(state)
    (top / "complete").touch()
    return python
