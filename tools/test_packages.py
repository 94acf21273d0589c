"""Packages the crates that can be published, unpacks them outside of the repository, and runs their tests there.

A file that a test needs must be in the crate's package, or the test must not be.

`python tools/test_packages.py FOLDER` needs cargo, and takes as long as the tests of these crates.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "packaging"))

from archive import unpack  # noqa: E402
from sources import crate_files  # noqa: E402


def workspace(manifest: str, names: list[str]) -> str:
    """A manifest for the unpacked crates. They depend on each other as unpacked, and are compiled as in the
    repository."""
    profiles = re.findall(r"^\[profile\.dev[^\n]*\n(?:(?!\[)[^\n]*\n)*", manifest, re.M)
    return "\n".join(
        ['[workspace]\nresolver = "3"', f"members = {json.dumps(names)}\n", "[patch.crates-io]"]
        + [f'{name.rsplit("-", 1)[0]} = {{ path = "{name}" }}' for name in names]
        + [""]
        + profiles
    )


def main(folder: Path) -> int:
    made, unpacked = folder / "target", folder / "unpacked"
    shutil.rmtree(made / "package", ignore_errors=True)
    shutil.rmtree(unpacked, ignore_errors=True)
    packages = crate_files(made)
    for package in packages:
        unpack(package, unpacked)
    folders = sorted(path.name for path in unpacked.iterdir())
    if len(folders) != len(packages):
        print(f"{len(packages)} packages made {len(folders)} folders: {folders}", file=sys.stderr)
        return 1
    (unpacked / "Cargo.toml").write_text(workspace((ROOT / "Cargo.toml").read_text(), folders))
    shutil.copy(ROOT / "Cargo.lock", unpacked)
    # The lock file is unchanged, except that the repository's other packages are removed.
    test = ["cargo", "test", "--quiet", "--offline", "--workspace", "--target-dir", str(made)]
    return subprocess.run(test, cwd=unpacked).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
