"""The command as an archive: program, manual, completions, licences, notices, and bill of materials. Also the files below
a prefix, which Debian's package and `make install` share."""

import sys
import tempfile
from pathlib import Path

import bom
import build
from archive import Member, folder, tar_gz, zipped
from project import DIST, LICENCES, PROCESSORS, ROOT, VERSION, WINDOWS, Processor, run

# The folder below a prefix in which each shell searches completions.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/hashwell",
    "zsh": "share/zsh/site-functions/_hashwell",
    "fish": "share/fish/vendor_completions.d/hashwell.fish",
}


def describing(program: Path) -> list[Member]:
    """Manual and completions, by their paths below a prefix. A program that runs on this machine writes them."""
    with tempfile.TemporaryDirectory() as pages:
        run(program, "man", "--out", pages)
        members = folder(Path(pages), "share/man/man1/")
    if not members:
        sys.exit(f"{program} wrote no manual")
    for shell, place in COMPLETIONS.items():
        members.append(Member(place, run(program, "completions", shell).encode()))
    return members


def runnable() -> Path:
    """The static command that runs on this machine."""
    for processor in PROCESSORS:
        if processor.name == build.native():
            return build.command(processor)
    sys.exit(f"no package for {build.native()}, which would write the manual")


def papers() -> list[Member]:
    """The documents that every archive contains."""
    return [Member(name, (ROOT / name).read_bytes()) for name in (*LICENCES, "README.md", "CHANGELOG.md")]


def contents(program: Path, name: str, target: str, package_name: str) -> list[Member]:
    documents = bom.documents("hashwell-cli", target, "hashwell", "generic")
    members = [
        Member(f"bin/{name}", program.read_bytes(), True),
        *describing(runnable()),
        *papers(),
        *(Member(file, data) for file, data in documents.items()),
    ]
    return [Member(f"{package_name}/{member.name}", member.data, member.executable) for member in members]


def static_archive(processor: Processor) -> Path:
    name = f"hashwell-{VERSION}-{processor.name}-linux"
    return tar_gz(DIST / f"{name}.tar.gz", contents(build.command(processor), "hashwell", processor.musl, name))


def windows_archive() -> Path:
    name = f"hashwell-{VERSION}-x86_64-windows"
    return zipped(DIST / f"{name}.zip", contents(build.windows_command(), "hashwell.exe", WINDOWS, name))
