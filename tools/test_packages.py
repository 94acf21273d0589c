"""Makes the crates that can be published into packages, unpacks them side by side, away from the repository, and runs their
tests there: what a test needs is in its package, or the test is not.

`python tools/test_packages.py FOLDER` needs cargo, and as long as the tests of these crates take.
"""

import json
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def publishable() -> list[dict]:
    """The members of the workspace that may be published."""
    command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version=1"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    return [package for package in metadata["packages"] if package["publish"] != []]


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
    packages = publishable()
    names = [package["name"] for package in packages]
    chosen = [word for name in names for word in ("--package", name)]
    made = folder / "target"
    shutil.rmtree(made / "package", ignore_errors=True)
    # Not verified: that would be against what a registry has of the others.
    options = ["--locked", "--no-verify", "--allow-dirty", "--quiet", "--target-dir", str(made)]
    subprocess.run(["cargo", "package", *options, *chosen], cwd=ROOT, check=True)
    unpacked = folder / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    for crate in sorted((made / "package").glob("*.crate")):
        with tarfile.open(crate) as archive:
            archive.extractall(unpacked, filter="data")
    folders = sorted(path.name for path in unpacked.iterdir())
    if len(folders) != len(names):
        print(f"{len(names)} crates made {len(folders)} packages: {folders}", file=sys.stderr)
        return 1
    (unpacked / "Cargo.toml").write_text(workspace((ROOT / "Cargo.toml").read_text(), folders))
    shutil.copy(ROOT / "Cargo.lock", unpacked)
    # What the repository has besides leaves the lock, and nothing else changes in it.
    test = ["cargo", "test", "--quiet", "--offline", "--workspace", "--target-dir", str(made)]
    return subprocess.run(test, cwd=unpacked).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
