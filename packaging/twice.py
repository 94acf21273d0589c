"""Builds products for x86-64 twice and compares their packages' bytes: `make test-dist-twice`.

Each build uses a separate clone in a different folder, with a different home folder, and separate tools and cargo folders.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

from project import ROOT, VERSION, epoch, run

# The packages that are made from each product.
PRODUCTS = {
    "library": "debian.library_packages(X)",
    "module": "wheel.module_wheel(X, 'glibc')",
    "command": "command.static_archive(X), wheel.command_wheel(X), debian.command_package(X)",
}


def packages(top: Path, product: str) -> dict[str, str]:
    """The packages of a product that one clone makes."""
    clone, home = top / "hashwell", top / "home"
    if not clone.exists():
        run("git", "clone", "--quiet", ROOT, clone)
        # Only the downloaded crate files are copied; cargo unpacks them again.
        real = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo") / "registry"
        for part in ("cache", "index"):
            shutil.copytree(real / part, home / ".cargo/registry" / part)
    environment = {**os.environ, "HOME": str(home), "CARGO_HOME": str(home / ".cargo"), "SOURCE_DATE_EPOCH": str(epoch()),
                   "RUSTUP_HOME": os.environ.get("RUSTUP_HOME") or str(Path.home() / ".rustup")}
    environment = {key: value for key, value in environment.items() if key not in ("CARGO_TARGET_DIR", "MAKEFLAGS", "MFLAGS")}
    run("make", "--no-print-directory", ".tools/dist/.installed", cwd=clone, env=environment)
    program = "import command, debian, wheel; from project import *; DIST.mkdir(exist_ok=True); X = PROCESSORS[0]; "
    program += PRODUCTS[product]
    run(sys.executable, "-c", program, cwd=clone / "packaging", env=environment)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted((clone / "dist").iterdir())}


def main() -> None:
    chosen = sys.argv[1:] or ["library", "module"]
    if unknown := [name for name in chosen if name not in PRODUCTS]:
        sys.exit(f"twice: no product '{unknown[0]}': they are {', '.join(PRODUCTS)}")
    print(f"hashwell {VERSION}, twice: {', '.join(chosen)}", flush=True)
    differ = []
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        for product in chosen:
            first = packages(Path(one) / "one", product)
            second = packages(Path(other) / "a-folder-with-a-longer-name", product)
            differ += [name for name in first.keys() | second.keys() if first.get(name) != second.get(name)]
            print(f"{product}: {', '.join(sorted(first))}", flush=True)
    sys.exit(f"twice: these differ: {', '.join(sorted(differ))}" if differ else 0)


if __name__ == "__main__":
    main()
