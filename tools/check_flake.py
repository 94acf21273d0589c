"""Checks flake.nix: its Haskell dependencies are those of the .cabal files, and it evaluates.

`python tools/check_flake.py` prints each difference and exits with 1 if there is one. The evaluation needs
`nix-instantiate` (Debian: nix-bin) and uses a stub in place of nixpkgs, so nothing is built and nothing is downloaded.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OF_CABAL = re.compile(r"^ +, ([\w-]+)", re.MULTILINE)


def of_flake(flake: str, variable: str) -> dict[str, set[str]]:
    """An attribute set of lists of strings."""
    found = re.search(rf"{variable} = \{{(.*?)\n      \}};", flake, re.DOTALL)
    lists = re.findall(r"([\w-]+) = \[(.*?)\];", found[1], re.DOTALL) if found else []
    return {name: set(re.findall(r'"([\w-]+)"', items)) for name, items in lists}


def of_cabal(text: str) -> tuple[set[str], set[str]]:
    """The dependencies of the library with the flag `native` on, and those that only its tests have."""
    library = re.split(r"\n(?:test-suite|benchmark) ", text.split("\nlibrary\n", 1)[1])[0]
    if "if flag(native)" in library:
        library = library.split("\n  else\n")[0]
    needed = set(OF_CABAL.findall(library.split("reexported-modules:")[0]))
    needed |= set(re.findall(r"build-depends: +([\w-]+)", library))
    test = re.search(r"\ntest-suite .*?(?=\nbenchmark |\Z)", text, re.DOTALL)
    return needed, {name for name in OF_CABAL.findall(test[0]) if name.startswith("hashwell")} - needed if test else set()


def dependencies(flake: str) -> list[str]:
    library, tests = of_flake(flake, "haskellDepends"), of_flake(flake, "haskellTestDepends")
    found = []
    folders = sorted(path.parent for path in ROOT.glob("haskell/*/hashwell*.cabal") if path.parent.name == path.stem)
    if set(library) != {folder.name for folder in folders}:
        found.append(f"flake.nix: haskellDepends has {sorted(library)}, the packages are {[folder.name for folder in folders]}")
    for folder in folders:
        needed, tested = of_cabal((folder / f"{folder.name}.cabal").read_text())
        tested -= {folder.name}
        for listed, expected in ((library.get(folder.name), needed), (tests.get(folder.name), tested)):
            if listed != expected:
                found.append(f"flake.nix: {folder.name} has {sorted(listed or [])}, its .cabal file {sorted(expected)}")
    return found


def evaluation() -> list[str]:
    """Evaluates every output. This shows that the attributes of a system that a user builds exist."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NIX_STATE_DIR": f"{folder}/state", "NIX_STORE_DIR": f"{folder}/store"}
        done = subprocess.run(
            ["nix-instantiate", "--eval", "--strict", "--json", "tools/flake_stub.nix", "--arg", "folder", str(ROOT)],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        return [f"flake.nix: {done.stderr.strip()}"]
    outputs = json.loads(done.stdout)
    return [f"flake.nix: {kind} differ between systems" for kind, systems in outputs.items()
            if len({tuple(names) for names in systems.values()}) != 1 or not all(systems.values())]


def main() -> int:
    found = dependencies((ROOT / "flake.nix").read_text())
    if shutil.which("nix-instantiate"):
        found += evaluation()
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
