"""Makes the crates that can be published into packages, unpacks them side by side, away from the repository, and runs their
tests there: what a test needs is in its package, or the test is not.

`python tools/test_packages.py FOLDER` needs cargo, and as long as the tests of these crates take.
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
    """A manifest for the unpacked crates: they need each other as they lie there, and are compiled as in the repository."""
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
    # What the repository has besides leaves the lock, and nothing else changes in it.
    test = ["cargo", "test", "--quiet", "--offline", "--workspace", "--target-dir", str(made)]
    return subprocess.run(test, cwd=unpacked).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
