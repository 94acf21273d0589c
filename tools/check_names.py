"""Checks that documents only name things that exist: `check_names.py COMMAND FILE...`, with a Python that has the
package.

Text in backquotes in a Markdown file is checked: paths must be files in the repository, `make` must have the
targets, `hashwell` must have the commands and options (including those of builds with more features), variables
HASHWELL_* must be read somewhere, and `hashwell.name` must be a name in the Python package. Code blocks are not
checked: `check_readme.py` runs them.
"""

import importlib
import importlib.util
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from skipped import skipped

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - {"target", "dist", "build"}
# Files that a build or a command generates, and patterns of placeholders.
MADE = re.compile(r"^(web/(site|package/dist)|bench/peers_rust/target)|[<{…]|/NAME|/X\b")
FILE_ENDINGS = {"h", "pc", "hpp", "wasm", "simd", "bash", "json", "rs", "py"}


skipped_once = cache(skipped)


def named(text):
    """The text in backquotes outside of code blocks, with its line number."""
    text = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    for found in re.finditer(r"`([^`]+)`", text):
        yield " ".join(found[1].split()), text.count("\n", 0, found.start()) + 1


def missing_path(name, root=ROOT, folders=FOLDERS):
    """Returns true if a name looks like a path in the repository but does not exist. For a line of a file, such as
    `path:6`, the file counts."""
    path = re.sub(r":\d+$", "", name)
    first, slash, _ = path.partition("/")
    reads_so = slash and first in folders and not re.search(r"\s", path) or re.fullmatch(r"[A-Z]{4,}\.md", path)
    return bool(reads_so and not MADE.search(path)) and not list(root.glob(path.rstrip("/")))


def missing_targets(name, targets, root=ROOT):
    """Targets named in `make a b VARIABLE=…` that make does not have."""
    words = name.split()
    if not words or words[0] != "make":
        return []
    if words[1:2] == ["-C"]:
        folder, words = words[2], [words[0], *words[3:]]
        targets = re.findall(r"^([a-z][\w-]*):", (root / folder / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    return [word for word in words[1:] if re.fullmatch(r"[a-z][\w-]*", word) and word not in targets]


def missing_options(name, options):
    """Commands and options named in `hashwell COMMAND …` that do not exist.

    `options` maps each command to a text that contains all of its options. The key "" is for options without a
    command.
    """
    words = name.split("|")[0].split()
    if not words or words[0] != "hashwell" or len(words) == 1 or not re.match(r"[a-z][a-z-]*$|--[a-z]", words[1]):
        return []
    command = "" if words[1].startswith("-") else words[1]
    if command not in options:
        return [command]
    flags = [re.sub(r"[=,.;:)\]]+.*", "", word) for word in words[1:] if re.match(r"--[a-z]", word)]
    return [flag for flag in flags if not re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", options[command])]


def missing_name(name, package="hashwell"):
    """Returns true if `hashwell.a.b(…)` is not a name in the Python package."""
    found = re.match(rf"{package}((?:\.[A-Za-z_]\w*)+)(?:$|[(\[ ])", name)
    if not found or FILE_ENDINGS & set(found[1].split(".")):
        return False
    thing, path = importlib.import_module(package), package
    for part in found[1].split(".")[1:]:
        path += f".{part}"
        if hasattr(thing, part):
            thing = getattr(thing, part)
        elif hasattr(thing, "__path__") and importlib.util.find_spec(path):
            try:
                thing = importlib.import_module(path)
            except ImportError as why:  # a dependency is not installed here
                skipped_once(f"the names of {path} in documents", str(why))
                return False
        else:
            return True
    return False


def make_targets():
    """The targets of the Makefile. `make -qp` exits with 1 if something needs to be built."""
    printed = subprocess.run(["make", "-qp"], cwd=ROOT, capture_output=True, text=True).stdout
    return set(re.findall(r"^([a-z][\w-]*):", printed, re.MULTILINE))


CONDITION = "#[cfg(feature"


def optional_options(source):
    """Maps each command to the options that only some builds have: fields and types after `#[cfg(feature…)]`, and
    the types that these contain.

    `source` contains all options of the command, in Rust.
    """
    types, conditional = {}, {}
    for found in re.finditer(r"^pub(?:\(\w+\))? (?:struct|enum) (\w+) \{\n(.*?)^\}", source, re.MULTILINE | re.DOTALL):
        conditional[found[1]] = CONDITION in source[: found.start()].rsplit("\n\n", 1)[-1]
        # Each item with its attributes, which begin after the previous item. Comments are removed, because they can
        # contain any words.
        body = re.sub(r"^ *//.*\n", "", found[2], flags=re.MULTILINE)
        types[found[1]] = re.findall(r"((?:^    [ #)].*\n)*)^    (?:(?:pub(?:\(\w+\))? )?(\w+): )?(\w.*),$", body, re.MULTILINE)

    def below(name, optional):
        for attributes, field, kind in types.get(name, []):
            here = optional or conditional[name] or CONDITION in attributes
            long = re.search(r'\blong\b(?: = "([\w-]+)")?', attributes)
            if here and field and long:
                yield f"--{long[1] or field.replace('_', '-')}"
            for inside in re.findall(r"\w+", kind):
                yield from below(inside, here)

    return {
        command.lower(): {option for kind in kinds for option in below(kind, CONDITION in attributes)}
        for attributes, _, variant in types["Command"]
        for command, *kinds in [re.findall(r"\w+", variant)]
    }


def option_sources():
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "crates/hashwell-cli/src/options").rglob("*.rs")))


def command_options(command):
    """The help of each command (and under "" the help without a command), together with the source of options that
    only some builds have."""
    optional = optional_options(option_sources())
    top = subprocess.run([command, "--help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  ([a-z-]+) ", top[top.index("Commands:") : top.index("Options:")], re.MULTILINE)
    helps = {name: subprocess.run([command, name, "--help"], capture_output=True, text=True).stdout for name in names}
    processes = subprocess.run([command, "process"], capture_output=True, text=True).stdout.split("\n")
    for process in processes:
        if re.match(r"[a-z]", process):
            run = subprocess.run([command, "process", process.split()[0], "--help"], capture_output=True, text=True)
            helps["process"] += run.stdout
    for question in ("rounds", "attacks", "degree", "sum"):
        run = subprocess.run([command, "research", question, "--help"], capture_output=True, text=True)
        helps["research"] += run.stdout
    manuals = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "crates/hashwell-cli/manual").glob("*.txt")}
    return {name: " ".join([helps.get(name, ""), manuals.get(name, ""), *optional.get(name, ())]) for name in helps | manuals} | {"": top}


def variables_read(root=ROOT):
    """The variables HASHWELL_* in the repository, except in documents. Files that builds and tools have generated
    are ignored."""
    made = {"target", "dist", "build", "dist-newstyle", "node_modules", "corpus", "artifacts", "__pycache__"}
    found = set()
    for folder, inside, files in os.walk(root):
        inside[:] = [name for name in inside if name not in made and (name[0] != "." or name in (".ci", ".github"))]
        for path in (Path(folder) / name for name in files if not name.endswith((".md", ".so"))):
            if path.is_file():
                found.update(word.decode() for word in re.findall(rb"HASHWELL_[A-Z0-9_]+", path.read_bytes()))
    if not found:
        raise LookupError(f"no file below {root} has a name HASHWELL_*")
    return found


def faults(name, targets, options, variables):
    """The problems of a name in backquotes."""
    if missing_path(name):
        yield f"there is no {name}"
    for target in missing_targets(name, targets):
        yield f"make has no target {target}"
    for option in missing_options(name, options):
        yield f"hashwell has no {option}: {name}"
    if missing_name(name):
        yield f"the Python package has no {name}"
    for variable in re.findall(r"HASHWELL_[A-Z0-9_]+", name):
        if variable not in variables:
            yield f"nothing reads {variable}"


def main(command, *documents):
    targets, options, variables = make_targets(), command_options(command), variables_read()
    found, looked = [], 0
    for document in documents:
        for name, line in named(Path(document).read_text(encoding="utf-8")):
            looked += 1
            found += [f"{document}:{line}: {fault}" for fault in faults(name, targets, options, variables)]
    print("\n".join(found) or f"{looked} names in {len(documents)} documents: all exist")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
