#!/usr/bin/env python3
"""Changes tokens in copies of the portable kernels, and checks that the proofs (dev/verification.md) refute every change.

    tools/plant_changes.py [--every N] [--list]

Each change of one token is in a separate module, which is a copy of a family's `soft.rs`, next to a copy of the family's
proof, in a scratch copy of the crate; all are compiled into one test binary. A change is refuted if a proof of its module
fails and gives values for which an output differs from the standard. Exit code: 0 all are refuted, 1 some are not, 2 the
scratch copy does not compile.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRATE = Path("crates") / "hashwell"
FAMILIES = CRATE / "src" / "families"
PROOFS = CRATE / "proofs" / "families"
SCRATCH = ROOT / "target" / "planted"

LESS = lambda match: match[0][: match.start(1) - match.start()] + str(int(match[1]) - 1) + match[0][match.end(1) - match.start() :]
EXCHANGED = lambda match: f"{match[1]}{match[3]} {match[2]}"

# Patterns and their replacements: a rotation distance that is smaller by one, a missing term, a different function,
# exchanged words.
RULES: list[tuple[str, object]] = [
    (r"rotate_(?:left|right)::<(\d+)>", LESS),
    (r"\$rotate!\(\$x\d, (\d+)\)", LESS),
    (r"(?<=\b[sS][01] )(\d+)(?= \d+ \d+)", LESS),
    (r"(?<=\b[sS][01] )\d+ (\d+)(?= \d+)", LESS),
    (r"(?<=\b[sS][01] )\d+ \d+ (\d+)", LESS),
    (r"\((?:t|\$i) \+ (\d+)\) & 15", LESS),
    (r"\(X \+ ([234])\) % 5", LESS),
    (r"(?<=[\w\])]) \^ (?=[$!\w(])", lambda match: " & "),
    (r"(?<=\w) & (?=\$)", lambda match: " ^ "),
    (r"(?<=[(, ])!(?=\$x)", lambda match: ""),
    (r"V::xor3(?=\()", lambda match: "V::majority"),
    (r"V::majority(?=\()", lambda match: "V::choose"),
    (r"V::choose(?=\()", lambda match: "V::majority"),
    (r"(?<!!)V::chi(?=\()", lambda match: "V::xor3"),
    (r"!(?=V::chi)", lambda match: ""),
    (r"\.add\((?:k|t|x\[i\]|y\[i\]|v\[b\]|ss1|\$e|\$d|\$h|t1|d2|e2|a2|b2|c2)\)", lambda match: ""),
    (r"(round!\((?:true |false |\$first |\$schedule )?)([a-h]) ([a-h])\b", EXCHANGED),
    (r"(step!\([^;]*?, )([a-e]2?) ([a-e]2?)\b(?= )", EXCHANGED),
    (r"(?<=\[)(?P<x>\d+), (?P<y>\d+)(?=, \d+, \d+\])", lambda match: f"{match['y']}, {match['x']}"),
    (r"^    \[(\d+), (\d+), (?=(?:\d+, ){5})", lambda match: f"    [{match[2]}, {match[1]}, "),
    (r"(?<=\d, )(\d+), (\d+)(?=\],$)", lambda match: f"{match[2]}, {match[1]}"),
    (r"0x71\b", lambda match: "0x61"),
    (r"t \+ (2)\) / 2", LESS),
    (r"(?<=i \+ )0xc\b", lambda match: "0xd"),
]


def changes(source: str) -> Iterator[tuple[int, str, str]]:
    """For each change: the line number, the changed line, and the complete source with the change."""
    end = source.find("#[cfg(test)]")
    lines = source[:end].splitlines() if end > 0 else source.splitlines()
    rest = source.splitlines()[len(lines) :]
    for number, line in enumerate(lines):
        code = line.split("//")[0]
        if "debug_assert" in code or code.lstrip().startswith(("use ", "#[")):
            continue
        done = set()
        for pattern, change in RULES:
            for match in re.finditer(pattern, code):
                changed = code[: match.start()] + change(match) + code[match.end() :]
                if changed not in done and changed != code:
                    done.add(changed)
                    yield number + 1, changed.strip(), "\n".join([*lines[:number], changed, *lines[number + 1 :], *rest]) + "\n"


def plant(every: int) -> dict[str, str]:
    """Creates the scratch copy. Returns the changes by the names of their modules."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    ignored = shutil.ignore_patterns("vectors", "README.md", "LICENSE-*")
    shutil.copytree(ROOT / CRATE, SCRATCH / CRATE, ignore=ignored)
    os.symlink(ROOT / "README.md", SCRATCH / CRATE / "README.md")
    os.symlink(ROOT / "vectors", SCRATCH / CRATE / "vectors")
    workspace = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    workspace = workspace.replace('members = ["crates/*", "bench"]', 'members = ["crates/hashwell"]')
    (SCRATCH / "Cargo.toml").write_text(workspace, encoding="utf-8")
    shutil.copy(ROOT / "Cargo.lock", SCRATCH / "Cargo.lock")
    planted = {}
    number = 0
    for proof in sorted((SCRATCH / PROOFS).glob("*.rs")):
        family = SCRATCH / FAMILIES / proof.stem
        modules = []
        for line, text, source in changes((family / "soft.rs").read_text(encoding="utf-8")):
            number += 1
            if number % every:
                continue
            name = f"planted_{number:03}"
            (family / name).mkdir()
            (family / name / "soft.rs").write_text(source, encoding="utf-8")
            shutil.copy(proof, family / name / "proof.rs")
            modules.append(f"#[cfg(test)]\n#[allow(warnings)]\nmod {name} {{\n    use super::*;\n    mod proof;\n    mod soft;\n}}\n")
            planted[f"families::{family.name}::{name}"] = f"{family.name}/soft.rs:{line}: {text}"
        root = family / "mod.rs"
        root.write_text(root.read_text(encoding="utf-8") + "".join(modules), encoding="utf-8")
    return planted


def compiled() -> str | None:
    """Compiles the test binary."""
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    command = [
        "cargo", "rustc", "--quiet", "--offline", "--package", "hashwell", "--lib", "--profile", "test",
        "--target-dir", target, "--config", "profile.dev.package.hashwell.opt-level=0",
        "--message-format", "json-render-diagnostics", "--", "--cfg", "planted", "-A", "warnings",
    ]  # fmt: skip
    result = subprocess.run(command, cwd=SCRATCH, stdout=subprocess.PIPE, text=True, check=False)
    messages = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    found = [message["executable"] for message in messages if message.get("executable")]
    return found[-1] if found and result.returncode == 0 else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try only every Nth change")
    parser.add_argument("--list", action="store_true", help="list the changes without running the proofs")
    options = parser.parse_args()
    planted = plant(options.every)
    if options.list:
        print(*planted.values(), sep="\n")
        return 0
    binary = compiled()
    if binary is None:
        return 2
    environment = os.environ | {"RUST_BACKTRACE": "0"}
    run = subprocess.run([binary, "planted_"], capture_output=True, text=True, check=False, env=environment)
    # The message of each failure follows the name of its test.
    failures = re.findall(r"^---- (\S+?)::proof::\w+ stdout ----\n(.*?)(?=^---- |^failures:)", run.stdout, re.DOTALL | re.MULTILINE)
    refuted = {module for module, message in failures if "Refuted(" in message}
    missed = [module for module in planted if module not in refuted]
    for module in missed:
        said = [message.strip().splitlines()[-1] for name, message in failures if name == module]
        print(f"not refuted: {planted[module]} ({said[0] if said else 'the proofs hold'})")
    print(f"{len(planted)} changes of one token, {len(refuted)} refuted")
    return int(bool(missed) or not planted)


if __name__ == "__main__":
    sys.exit(main())
