"""Source packages: Python's sdist, the crates, the npm package and the Haskell packages."""

import json
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import bom
import wheel
from archive import Member, members_of, place, tar_gz
from project import DIST, NOTICES, ROOT, SBOM, STAGE, TARGET, VERSION, run, tracked

WASM = "wasm32-unknown-unknown"


def sdist() -> Path:
    """The repository with PKG-INFO, so that it can be built and tested. maturin's own sdist omits optional crates, but cargo
    can't read the workspace without them."""
    name = f"hashwell-{VERSION}"
    described = wheel.documented(ROOT)
    # A source package contains no third-party code. These documents are for the wheels that are built from it.
    documents = bom.documents("hashwell-py", "x86_64-unknown-linux-gnu", "hashwell", "pypi")
    members = [
        *(Member(path.as_posix(), (ROOT / path).read_bytes(), os.access(ROOT / path, os.X_OK)) for path in tracked()),
        Member("PKG-INFO", described["METADATA"]),
        *(Member(file, data) for file, data in documents.items()),
    ]
    return tar_gz(DIST / f"{name}.tar.gz", [Member(f"{name}/{each.name}", each.data, each.executable) for each in members])


def published() -> list[str]:
    """The crates that will be published in a registry."""
    text = run("cargo", "metadata", "--format-version=1", "--locked", "--no-deps", quiet=True, cwd=ROOT)
    return sorted(package["name"] for package in json.loads(text)["packages"] if package["publish"] != [])


def crate_files(target: Path) -> list[Path]:
    """A .crate file for each crate, in cargo's folder. cargo does not verify them, because it would use the versions of the
    other crates in a registry. Instead, `make test-packages` unpacks all of them and runs their tests."""
    names = published()
    chosen = [option for name in names for option in ("-p", name)]
    run("cargo", "package", "--quiet", "--locked", "--no-verify", "--allow-dirty", *chosen, cwd=ROOT,
        env={**os.environ, "CARGO_TARGET_DIR": str(target)})
    packages = [target / "package" / f"{name}-{VERSION}.crate" for name in names]
    for package in packages:
        check_crate(package.name, members_of(package))
    return packages


# A file that a source file includes, by its path relative to that file.
TAKEN_IN = re.compile(rb'^ *(?:#\[path = |[^/\n]*\binclude(?:_str|_bytes)?!\()"([^"]+)"', re.M)


def check_crate(name: str, members: Sequence[Member]) -> None:
    """Raises an error if a source file of a crate includes a file that is not in its package."""
    there = {member.name for member in members}
    for member in (member for member in members if member.name.endswith(".rs")):
        for beside in TAKEN_IN.findall(member.data):
            path = os.path.normpath(PurePosixPath(member.name).parent / beside.decode())
            if path not in there:
                raise ValueError(f"{name}: {member.name} takes in {beside.decode()}, which is not in the package")


def crates() -> list[Path]:
    return [place(DIST / path.name, path.read_bytes()) for path in crate_files(TARGET)]


def npm() -> Path | None:
    """The npm package, with the notices for its WebAssembly modules."""
    if not shutil.which("node") or not shutil.which("npm"):
        print("SKIPPED: the npm package (no Node.js or npm: make web-tools)")
        return None
    run("make", "--no-print-directory", "web-package", cwd=ROOT, env=without_make())
    out = STAGE / "npm"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    run("npm", "pack", "--silent", "--pack-destination", out, cwd=ROOT / "web/package")
    (made,) = out.iterdir()
    inside = [
        Member(f"package/{NOTICES}", bom.notices("hashwell-wasm", WASM, "all").encode()),
        Member(f"package/{SBOM}", bom.sbom("hashwell-wasm", WASM, "hashwell", "npm", "all").encode()),
    ]
    return tar_gz(DIST / f"hashwell-{VERSION}-npm.tgz", [*members_of(made), *inside])


HASKELL = ("hashwell", "hashwell-hmac-drbg", "hashwell-process", "hashwell-sampling", "hashwell-sha256", "hashwell-sha512")


def haskell() -> list[Path]:
    """The Haskell packages as cabal packs them, without a registry."""
    if not shutil.which("cabal"):
        print("SKIPPED: the Haskell packages (no cabal: make haskell-tools)")
        return []
    out = STAGE / "haskell"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / "config").write_text("-- no repository\n")
    for name in HASKELL:
        # Each package is packed as a separate project, because otherwise cabal packs all packages of the project.
        run("cabal", "v2-sdist", "--builddir", out / "build", "--output-directory", out, ".", quiet=True,
            cwd=ROOT / "haskell" / name, env={**os.environ, "CABAL_DIR": str(out)})
    return [tar_gz(DIST / made.name.replace(".tar.gz", "-haskell.tar.gz"), members_of(made)) for made in sorted(out.glob("*.tar.gz"))]


def without_make() -> dict[str, str]:
    """The environment for a separate make, which does not share the job slots of the calling make."""
    return {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
