"""Third-party code in a package: the licence notices, and a bill of materials (CycloneDX 1.6).

Both are made from `cargo tree`, which knows the features and the target, and from `cargo metadata`, which knows the
folders of the crates. They contain no path, time or random number, so that they are the same on every machine.
"""

import json
import re
import sys
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from build import rust
from project import NOTICES, ROOT, SBOM, TOOLS, VERSION, run

TEXTS = re.compile(r"(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|UNLICENSE|PATENTS)", re.IGNORECASE)
LINE = re.compile(r"(\d+)(\S+) v(\S+)")


@dataclass(frozen=True)
class Component:
    """A crate, or a library of the compilers that is linked in."""

    name: str
    version: str
    licence: str
    texts: tuple[str, ...]
    purl: str
    sha256: str = ""
    ours: bool = False
    needs: tuple[str, ...] = field(default=(), compare=False)


@cache
def checksums() -> dict[tuple[str, str], str]:
    packages = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    return {(package["name"], package["version"]): package.get("checksum", "") for package in packages}


@cache
def metadata(target: str) -> dict[tuple[str, str], dict]:
    text = run("cargo", "metadata", "--format-version=1", "--locked", "--filter-platform", target, quiet=True, cwd=ROOT)
    return {(package["name"], package["version"]): package for package in json.loads(text)["packages"]}


def purl(name: str, version: str) -> str:
    return f"pkg:cargo/{name}@{version.replace('+', '%2B')}"


def licence_texts(package: dict) -> tuple[str, ...]:
    folder = Path(package["manifest_path"]).parent
    paths = {path for path in folder.iterdir() if path.is_file() and TEXTS.match(path.name)}
    if package.get("license_file"):
        paths.add(folder / package["license_file"])
    return tuple(path.read_text(errors="replace").replace("\r\n", "\n").strip() for path in sorted(paths))


@cache
def crates(package: str, target: str, features: str = "") -> tuple[Component, ...]:
    """The crates that are compiled into a package, with the package first. Macros and build scripts are not included,
    because they only run during the build."""
    options = ["--features", features] if features else []
    tree = run("cargo", "tree", "--package", package, "--target", target, "--edges", "normal,no-proc-macro",
               "--prefix", "depth", "--format", "{p}", "--locked", *options, quiet=True, cwd=ROOT)
    edges: dict[tuple[str, str], set[str]] = {}
    above: list[tuple[str, str]] = []
    for line in tree.splitlines():
        match = LINE.match(line)
        if not match:
            sys.exit(f"cargo tree said what packaging/bom.py cannot read: {line}")
        depth, key = int(match[1]), (match[2], match[3])
        edges.setdefault(key, set())
        del above[depth:]
        if above:
            edges[above[-1]].add(purl(*key))
        above.append(key)
    known = metadata(target)
    components = [
        Component(
            name, version, known[name, version]["license"] or "see its text",
            licence_texts(known[name, version]), purl(name, version), checksums()[name, version],
            known[name, version]["source"] is None, tuple(sorted(edges[name, version])),
        )
        for name, version in edges
    ]
    return (components[0], *sorted(components[1:], key=lambda each: (each.name, each.version)))


def text_of(path: Path) -> str:
    """The text of a licence in the compiler's folder. If it is missing, the program ends, because the notices would be
    incomplete."""
    if not path.is_file():
        sys.exit(f"{path} is not there: the text of a licence that the notices need")
    return path.read_text(errors="replace").strip()


@cache
def runtime(target: str) -> tuple[Component, ...]:
    """The libraries that the compilers link into a program for this target."""
    sysroot, facts = rust()
    licences = sysroot / "share/doc/rust/licenses"
    zig = Path(run(TOOLS / "bin/python", "-c", "import ziglang; print(ziglang.__path__[0])").strip()) / "lib"
    zig_version = run(TOOLS / "bin/python", "-m", "ziglang", "version").strip()

    parts = [
        Component("rust-std", facts["release"], "MIT OR Apache-2.0",
                  (text_of(licences / "MIT.txt"), text_of(licences / "Apache-2.0.txt")), f"pkg:generic/rust-std@{facts['release']}"),
    ]
    if "wasm" in target:
        return tuple(parts)
    parts += [
        Component("llvm-libunwind", f"zig-{zig_version}", "Apache-2.0 WITH LLVM-exception",
                  (text_of(zig / "libunwind/LICENSE.TXT"),), f"pkg:generic/llvm-libunwind@zig-{zig_version}"),
    ]
    if target.endswith("musl"):
        parts.append(Component("musl", f"zig-{zig_version}", "MIT", (text_of(zig / "libc/musl/COPYRIGHT"),),
                               f"pkg:generic/musl@zig-{zig_version}"))
    if "windows" in target:
        parts.append(Component("mingw-w64", f"zig-{zig_version}", "ZPL-2.1", (text_of(zig / "libc/mingw/COPYING"),),
                               f"pkg:generic/mingw-w64@zig-{zig_version}"))
    return tuple(parts)


def notices(package: str, target: str, features: str = "") -> str:
    """The authors and licences of the third-party code, with each licence text once."""
    others = [each for each in (*crates(package, target, features), *runtime(target)) if not each.ours]
    numbers: dict[str, int] = {}
    for component in others:
        for text in component.texts:
            numbers.setdefault(text, len(numbers) + 1)
    lines = [
        f"hashwell {VERSION} contains the following works of others, as compiled for {target}.",
        "Each is named with its version, its licence and the numbers of the texts below that came with it.",
        "",
    ]
    for component in others:
        found = ", ".join(str(numbers[text]) for text in component.texts) or "none came with it"
        lines.append(f"{component.name} {component.version}: {component.licence} (texts: {found})")
    for text, number in numbers.items():
        lines += ["", "-" * 78, f"Text {number}", "-" * 78, "", text]
    return "\n".join(lines) + "\n"


def licence_field(expression: str) -> list[dict]:
    """CycloneDX takes SPDX expressions; some old crates write a slash for OR."""
    return [{"expression": expression.replace("/", " OR ").replace("  ", " ")}]


def sbom(package: str, target: str, name: str, kind: str, features: str = "") -> str:
    """The bill of materials of a package called `name`. `kind` is the type of its purl."""
    top, *parts = (*crates(package, target, features), *runtime(target))
    root = f"pkg:{kind}/{name}@{VERSION}"
    everything = [
        {
            "type": "library",
            "bom-ref": part.purl,
            "name": part.name,
            "version": part.version,
            "licenses": licence_field(part.licence),
            "purl": part.purl,
            **({"hashes": [{"alg": "SHA-256", "content": part.sha256}]} if part.sha256 else {}),
        }
        for part in parts
    ]
    linked = [part.purl for part in runtime(target)]
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application" if package == "hashwell-cli" else "library",
                "bom-ref": root,
                "name": name,
                "version": VERSION,
                "licenses": licence_field("MIT OR Apache-2.0"),
                "purl": root,
                "properties": [{"name": "rust:target", "value": target}],
            },
        },
        "components": sorted(everything, key=lambda part: part["bom-ref"]),
        "dependencies": sorted(
            [{"ref": root, "dependsOn": sorted([*top.needs, *linked])},
             *({"ref": part.purl, "dependsOn": list(part.needs)} for part in parts)],
            key=lambda entry: entry["ref"],
        ),
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def documents(package: str, target: str, name: str, kind: str) -> dict[str, bytes]:
    """Both files for a package, by their names."""
    return {NOTICES: notices(package, target).encode(), SBOM: sbom(package, target, name, kind).encode()}
