"""Wheels: the Python module for each C library, and the command for every Linux on each CPU architecture.

maturin writes the metadata from pyproject.toml. This file packs cargo's products, so that the wheel, the archive and the
Debian package contain the same static program, and so that equal contents give equal wheels.

`python wheel.py BUILT FOLDER module command` packs the products of `make build` in the folder BUILT, for this machine and
for the Python that runs it, with the maturin of that Python. One call of cargo builds both products, so that their common
dependencies are compiled only once.
"""

import base64
import hashlib
import os
import sys
import sysconfig
import tempfile
from pathlib import Path

import bom
import build
from archive import Member, folder, zipped
from project import DIST, NOTICES, ROOT, TOOLS, VERSION, Processor, run, tracked

# The module is linked with glibc 2.17 or musl 1.2. These are the tags of its wheels.
MODULE_TAGS = {"glibc": "manylinux_2_17_{0}.manylinux2014_{0}", "musl": "musllinux_1_2_{0}"}
COMMAND = ROOT / "crates" / "hashwell-cli"
# A static program needs no C library.
COMMAND_TAGS = "manylinux_2_17_{0}.manylinux2014_{0}.musllinux_1_1_{0}"


def metadata(project: Path, tools: Path = TOOLS / "bin") -> dict[str, bytes]:
    """The metadata that maturin writes for a project: the files of a wheel's dist-info."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
        name = run(tools / "maturin", "pep517", "write-dist-info", "--metadata-directory", folder,
                   quiet=True, cwd=project, env=environment).split()[-1]
        top = Path(folder) / name
        return {
            path.relative_to(top).as_posix(): path.read_bytes()
            for path in top.rglob("*") if path.is_file() and path.name not in ("WHEEL", "RECORD")
        }


def documented(project: Path) -> dict[str, bytes]:
    """The metadata of a project, with the notices added to METADATA."""
    files = metadata(project)
    last = b"License-File: LICENSE-MIT\n"
    if last not in files["METADATA"]:
        sys.exit(f"{project}: METADATA has no line '{last.decode().strip()}', after which the notices are named")
    files["METADATA"] = files["METADATA"].replace(last, last + f"License-File: {NOTICES}\n".encode(), 1)
    return files


def dist_info(name: str, tag: str, files: dict[str, bytes], documents: dict[str, bytes]) -> list[Member]:
    """The folder that describes a wheel, according to PEP 427, 639 (licences) and 770 (bills of materials)."""
    files = dict(files)
    interpreter, abi, platforms = tag.split("-")
    tags = "".join(f"Tag: {interpreter}-{abi}-{platform}\n" for platform in platforms.split("."))
    head = f"Wheel-Version: 1.0\nGenerator: hashwell packaging ({VERSION})\nRoot-Is-Purelib: false\n"
    files["WHEEL"] = (head + tags).encode()
    for file, data in documents.items():
        files[f"{'sboms' if file.endswith('.json') else 'licenses'}/{file}"] = data
    return [Member(f"{name}/{file}", data) for file, data in files.items()]


def pack(place: Path, distribution: str, tag: str, contents: list[Member], described: dict[str, bytes],
         documents: dict[str, bytes]) -> Path:
    """Makes a wheel in the folder `place` from its contents, its metadata, and the documents for dist-info."""
    name = f"{distribution}-{VERSION}.dist-info"
    members = [*contents, *dist_info(name, tag, described, documents)]
    rows = []
    for member in sorted(members, key=lambda member: member.name):
        digest = base64.urlsafe_b64encode(hashlib.sha256(member.data).digest()).rstrip(b"=").decode()
        rows.append(f"{member.name},sha256={digest},{len(member.data)}\n")
    record = f"{name}/RECORD"
    members.append(Member(record, "".join([*rows, f"{record},,\n"]).encode()))
    return zipped(place / f"{distribution}-{VERSION}-{tag}.whl", members, last=f"{name}/")


def python_files() -> list[Member]:
    """The files of the Python package in the repository."""
    return [Member(path.relative_to("python").as_posix(), (ROOT / path).read_bytes()) for path in tracked("python/hashwell")]


def module_wheel(processor: Processor, libc: str) -> Path:
    """The wheel of the library, for CPython 3.11 and later."""
    extension = Member("hashwell/_native.abi3.so", build.module(processor, libc).read_bytes(), executable=True)
    target = processor.musl if libc == "musl" else processor.glibc
    documents = bom.documents("hashwell-py", target, "hashwell", "pypi")
    tag = f"cp311-abi3-{MODULE_TAGS[libc].format(processor.name)}"
    return pack(DIST, "hashwell", tag, [*python_files(), extension], documented(ROOT), documents)


def command_wheel(processor: Processor) -> Path:
    """The wheel of the command, for every version of Python."""
    program = Member(f"hashwell_cli-{VERSION}.data/scripts/hashwell", build.command(processor).read_bytes(), True)
    documents = bom.documents("hashwell-cli", processor.musl, "hashwell-cli", "pypi")
    tag = f"py3-none-{COMMAND_TAGS.format(processor.name)}"
    return pack(DIST, "hashwell_cli", tag, [program], documented(COMMAND), documents)


def local_module(built: Path, place: Path) -> Path:
    """A wheel with the module that cargo built for this machine and this Python. It has no notices, because it is not
    published."""
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        # Free-threaded Pythons have no stable interface, so pyo3 builds for the version that it finds.
        version = "cp{}{}".format(*sys.version_info)
        tag, name = f"{version}-{version}t-{platform}", f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    else:
        tag, name = f"cp311-abi3-{platform}", "_native.abi3.so"
    library = built / ("lib_native.dylib" if sys.platform == "darwin" else "lib_native.so")
    # All files in the folder, because git may not be installed, and files that git doesn't know yet should be tested,
    # too.
    package = [each for each in folder(ROOT / "python/hashwell", "hashwell/") if not each.name.endswith((".pyc", ".so"))]
    contents = [*package, Member(f"hashwell/{name}", library.read_bytes(), True)]
    return pack(place, "hashwell", tag, contents, metadata(ROOT, Path(sys.executable).parent), {})


def local_command(built: Path, place: Path) -> Path:
    """A wheel with the command that cargo built for this machine."""
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    program = Member(f"hashwell_cli-{VERSION}.data/scripts/hashwell", (built / "hashwell").read_bytes(), True)
    return pack(place, "hashwell_cli", f"py3-none-{platform}", [program], metadata(COMMAND, Path(sys.executable).parent), {})


def main() -> None:
    makers = {"module": local_module, "command": local_command}
    built, place = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    place.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[3:]:
        makers[name](built, place)


if __name__ == "__main__":
    main()
