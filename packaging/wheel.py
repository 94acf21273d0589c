"""Wheels: Python's module for each C library, and the command for every Linux of a processor.

maturin writes the metadata from pyproject.toml; cargo's products are packed here, so that the same static program is in
the wheel, in the archive and in the Debian package, and so that equal contents give equal wheels.
"""

import base64
import hashlib
import os
import sys
import tempfile
from pathlib import Path

import bom
import build
from archive import Member, zipped
from project import DIST, NOTICES, ROOT, TOOLS, VERSION, Processor, run, tracked

# glibc 2.17 and musl 1.2: what the module is linked with, and the tag that says so.
MODULE_TAGS = {"glibc": "manylinux_2_17_{0}.manylinux2014_{0}", "musl": "musllinux_1_2_{0}"}
# A static program needs neither library.
COMMAND_TAGS = "manylinux_2_17_{0}.manylinux2014_{0}.musllinux_1_1_{0}"


def metadata(project: Path) -> dict[str, bytes]:
    """What maturin says of a project, as files of a wheel's dist-info. METADATA names the notices too."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PATH": f"{TOOLS / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        name = run(TOOLS / "bin/maturin", "pep517", "write-dist-info", "--metadata-directory", folder,
                   quiet=True, cwd=project, env=environment).split()[-1]
        top = Path(folder) / name
        files = {
            path.relative_to(top).as_posix(): path.read_bytes()
            for path in top.rglob("*") if path.is_file() and path.name not in ("WHEEL", "RECORD")
        }
    last = b"License-File: LICENSE-MIT\n"
    if last not in files["METADATA"]:
        sys.exit(f"{name}: METADATA has no line '{last.decode().strip()}', after which the notices are named")
    files["METADATA"] = files["METADATA"].replace(last, last + f"License-File: {NOTICES}\n".encode(), 1)
    return files


def dist_info(project: Path, name: str, tag: str, documents: dict[str, bytes]) -> list[Member]:
    """The folder that describes a wheel, as PEP 427, 639 (licences) and 770 (bills of materials) lay it out."""
    files = metadata(project)
    interpreter, abi, platforms = tag.split("-")
    tags = "".join(f"Tag: {interpreter}-{abi}-{platform}\n" for platform in platforms.split("."))
    head = f"Wheel-Version: 1.0\nGenerator: hashwell packaging ({VERSION})\nRoot-Is-Purelib: false\n"
    files["WHEEL"] = (head + tags).encode()
    for file, data in documents.items():
        files[f"{'sboms' if file.endswith('.json') else 'licenses'}/{file}"] = data
    return [Member(f"{name}/{file}", data) for file, data in files.items()]


def pack(project: Path, distribution: str, tag: str, contents: list[Member], documents: dict[str, bytes]) -> Path:
    name = f"{distribution}-{VERSION}.dist-info"
    members = [*contents, *dist_info(project, name, tag, documents)]
    rows = []
    for member in sorted(members, key=lambda member: member.name):
        digest = base64.urlsafe_b64encode(hashlib.sha256(member.data).digest()).rstrip(b"=").decode()
        rows.append(f"{member.name},sha256={digest},{len(member.data)}\n")
    record = f"{name}/RECORD"
    members.append(Member(record, "".join([*rows, f"{record},,\n"]).encode()))
    return zipped(DIST / f"{distribution}-{VERSION}-{tag}.whl", members, last=f"{name}/")


def python_files() -> list[Member]:
    """The package as it is in the repository."""
    return [Member(path.relative_to("python").as_posix(), (ROOT / path).read_bytes()) for path in tracked("python/hashwell")]


def module_wheel(processor: Processor, libc: str) -> Path:
    """The library's wheel, one for all CPythons from 3.11 on."""
    extension = Member("hashwell/_native.abi3.so", build.module(processor, libc).read_bytes(), executable=True)
    target = processor.musl if libc == "musl" else processor.glibc
    documents = bom.documents("hashwell-py", target, "hashwell", "pypi")
    tag = f"cp311-abi3-{MODULE_TAGS[libc].format(processor.name)}"
    return pack(ROOT, "hashwell", tag, [*python_files(), extension], documents)


def command_wheel(processor: Processor) -> Path:
    """The command's wheel, for every Python."""
    program = Member(f"hashwell_cli-{VERSION}.data/scripts/hashwell", build.command(processor).read_bytes(), True)
    documents = bom.documents("hashwell-cli", processor.musl, "hashwell-cli", "pypi")
    tag = f"py3-none-{COMMAND_TAGS.format(processor.name)}"
    return pack(ROOT / "crates" / "hashwell-cli", "hashwell_cli", tag, [program], documents)
