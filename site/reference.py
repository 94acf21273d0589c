"""Generates the API reference of each language from its sources.

Each function whose name ends with `_page` returns a page in Markdown. `build.py` writes the pages.
"""

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


# The maximum number of characters in a line of code that is shown without scrolling.
WIDTH = 100


def fenced(text, language="text"):
    return f"```{language}\n{text.strip()}\n```\n\n"


def prose(text):
    """Returns a comment as Markdown, with all markup characters escaped."""
    return re.sub(r"([*_<>\[\]`$\\#|])", r"\\\1", text)


# ---------------------------------------------------------------- the command


def output(command, *arguments):
    run = subprocess.run([command, *arguments], capture_output=True, text=True, check=True)
    return run.stdout


def command_page(command):
    """Returns the output of `--help` for each command, with the examples of its manual page."""
    top = output(command, "--help")
    names = re.findall(r"^  ([a-z-]+) ", top[top.index("Commands:") : top.index("Options:")], re.MULTILINE)
    pages = [
        "# Command\n\nThis page contains the output of `hashwell --help` and of `hashwell COMMAND --help`, with the examples from"
        " the manual pages. To read a manual page, run `hashwell man COMMAND | man -l -`. `make test` runs the examples.\n\n"
        + fenced(top)
    ]
    for name in names:
        if name == "help":
            continue
        manual = ROOT / "crates/hashwell-cli/manual" / f"{name}.txt"
        pages.append(f"## hashwell {name}\n\n{fenced(output(command, name, '--help'))}")
        if manual.exists():
            pages.append(fenced(manual.read_text(encoding="utf-8"), "text"))
    return "".join(pages)


# ---------------------------------------------------------------- Python


def signature(node):
    kind = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    gives = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{kind} {node.name}({ast.unparse(node.args)}){gives}"
    if len(line) <= WIDTH:
        return line
    # One parameter on each line. Commas inside brackets don't separate parameters.
    parts, depth, start, inside = [], 0, 0, ast.unparse(node.args)
    for place, letter in enumerate(inside):
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            parts.append(inside[start : place + 1].strip())
            start = place + 1
    parts.append(inside[start:].strip() + ",")
    return f"{kind} {node.name}(\n    {f'{chr(10)}    '.join(parts)}\n){gives}"


def spoken(text):
    """A line of a docstring as Markdown: only code in backquotes is markup."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(part if place % 2 else prose(part) for place, part in enumerate(parts))


def docstring(text):
    """A docstring as Markdown: sections become headings in bold, arguments a list, and examples a box of code."""
    parts, lines, section, code = [], text.splitlines(), "", []

    def shut():
        if code:
            parts.append(fenced("\n".join(code), "pycon"))
            code.clear()

    for number, line in enumerate(lines):
        bare = line.strip()
        if bare.startswith(">>> ") or (code and bare and not bare.endswith(":")):
            code.append(bare if bare.startswith((">>> ", "... ")) or not code else line[len(line) - len(line.lstrip()) :])
            continue
        shut()
        if line in ("Args:", "Returns:", "Raises:", "Examples:"):
            section = line
            # An empty line, which lists and paragraphs need before them.
            parts.append(f"\n**{line[:-1]}**\n\n")
        elif section in ("Args:", "Raises:") and (item := re.match(r"    (\*{0,2}\w+): (.*)", line)):
            parts.append(f"- `{item[1]}`: {spoken(item[2])}\n")
        elif section in ("Args:", "Raises:") and bare:
            parts.append(f"  {spoken(bare)}\n")
        else:
            parts.append(f"{spoken(bare)}\n")
    shut()
    return "".join(parts).strip() + "\n\n"


def described(name, node, depth):
    """A class, a function or a value with its docstring; a class's methods below it."""
    if isinstance(node, str):
        return f"{'#' * depth} Function `{name}`\n\n`{name}` is an alias of `{node}`.\n\n"
    if isinstance(node, ast.AnnAssign):
        return f"{'#' * depth} Value `{name}`\n\n{fenced(ast.unparse(node), 'python')}"
    text = ast.get_docstring(node) or ""
    is_class = isinstance(node, ast.ClassDef)
    if is_class:
        bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
        head = f"class {node.name}{bases}"
    else:
        head = signature(node)
    kind = "Class" if is_class else "Function"
    lines = [f"{'#' * depth} {kind} `{name}`\n\n", fenced(head, "python"), text and docstring(text)]
    if is_class:
        seen = set()
        for part in node.body:
            # The first of several overloads has the docstring.
            if isinstance(part, ast.FunctionDef) and not part.name.startswith("_") and part.name not in seen:
                seen.add(part.name)
                about = (ast.get_docstring(part) or "").split("\n\n")[0]
                about = " ".join(about.split())
                lines.append(f"- `{' '.join(signature(part).split())}`{about and ': ' + prose(about)}\n")
        lines.append("\n")
    return "".join(lines)


def called(found, node):
    """The signature of a value that is called, such as `blake2b: Final[_blake2b]`."""
    if isinstance(node, ast.AnnAssign):
        annotation = ast.unparse(node.annotation).removeprefix("Final[").removesuffix("]")
        for call in getattr(found.get(annotation), "body", ()):
            if isinstance(call, ast.FunctionDef) and call.name == "__call__":
                call.name, call.args.args = node.target.id, call.args.args[1:]
                return call
    return node


def defined(path):
    """Return the definitions of a module or its stub by name, and its `__all__`."""
    found, exported = {}, []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.setdefault(node.name, node)
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = node
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__" and isinstance(node.value, ast.List):
            exported = ast.literal_eval(node.value)
    return {name: called(found, node) for name, node in found.items()}, exported


def handed_on(front):
    """The public names of a package, which its front imports: name -> definition."""
    public = {}
    for line in ast.parse(front.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.ImportFrom) and line.level:
            module = front.parents[line.level - 1] / (line.module or "__init__")
            stub = module.with_suffix(".pyi")
            found, exported = defined(stub if stub.exists() else module.with_suffix(".py"))
            for name in line.names:
                names = exported if name.name == "*" else [name.name]
                public |= {taken: found[taken] for taken in names if not taken.startswith("_")}
        elif isinstance(line, ast.Assign) and isinstance(line.value, ast.Name):
            # An alias of an imported name.
            public[line.targets[0].id] = line.value.id
    return public


# The names of the module `hashwell` by task. Constructors of hash functions are added to the first two groups.
TASKS = {
    "Hashing": ("Tutorial: {doc}`/docs/tutorials/python`.",
        ["hash_many", "digest", "hexdigest", "file_digest", "new", "Digest", "Pieces"]),
    "Damaged ranges and slices": ("Tutorial: {doc}`/docs/tutorials/damaged-ranges`.",
        ["outboard", "locate", "Located", "make_slice", "decode_slice"]),
    "Streams (XOF)": ("Extendable-output functions: output of any length from one message.",
        ["xof_many", "Xof", "FinalizedError"]),
    "Message authentication and key derivation": ("Tags with a secret key, and keys derived from secrets.",
        ["hmac", "hmac_many", "Hmac", "kmac128", "kmac256", "Kmac", "hkdf", "hkdf_extract", "hkdf_expand", "TagMismatchError"]),
    "Random numbers": ("Guide: {doc}`/docs/guides/random`, which lists the types of seeds.",
        ["Random", "BitGenerator", "HmacDrbg", "random_sources", "ReseedRequiredError"]),
    "Sampling": ("Guide: {doc}`/docs/guides/sampling`.",
        ["sample", "split", "shuffle", "choice", "Reservoir", "KeySampler", "Weighted", "ArrowRows"]),
    "Verifiable draws": ("Tutorial: {doc}`/docs/tutorials/fair-draw`.",
        ["draw", "verify", "Draw", "Verification", "Finding"]),
    "Tables and Arrow": ("Guide: {doc}`/docs/guides/tables`.",
        ["hash_rows", "hash_columns", "table_digest", "TableDigest", "ArrowDigests", "diff", "TableDiff", "Change"]),
    "Introspection": ("The algorithms, kernels and devices of this machine, and their throughput.",
        ["algorithms", "algorithms_available", "Algorithm", "kernels", "Kernel", "devices", "Device", "speed", "Speed"]),
}


def tasks(public):
    """Task -> (introduction, names). Raises ValueError for a name that is in no group, in two, or does not exist."""
    groups = {task: (about, list(names)) for task, (about, names) in TASKS.items()}
    listed = {name for _, names in groups.values() for name in names}
    for name, node in public.items():
        node = public.get(node, node) if isinstance(node, str) else node
        returns = ast.unparse(node.returns) if isinstance(node, ast.FunctionDef) and node.returns else ""
        if name not in listed and returns in ("Digest", "Xof"):
            groups["Hashing" if returns == "Digest" else "Streams (XOF)"][1].append(name)
    names = [name for _, names in groups.values() for name in names]
    if wrong := {name for name in names if names.count(name) > 1} | (set(names) ^ set(public)):
        raise ValueError(f"the Python reference needs exactly one group for each public name: {sorted(wrong)}")
    return groups


def section(title, about, public, names=None):
    names = names or sorted(public, key=lambda name: (isinstance(public[name], ast.ClassDef), name.lower()))
    return f"## {title}\n\n{about}\n\n" + "".join(described(name, public[name], 3) for name in names)


def python_page():
    """The public names of the package by task, from its stubs and sources."""
    package = ROOT / "python/hashwell"
    files = (package / f"{name}.py" for name in ("random", "xoflib", "polars", "duckdb", "pandas"))
    random, xoflib, polars, duckdb, pandas = ({name: found[name] for name in names} for found, names in map(defined, files))
    public = handed_on(package / "__init__.pyi")
    groups = {task: section(task, about, public, names) for task, (about, names) in tasks(public).items()}
    numpy = section("", "", random).split("\n", 2)[2].strip().replace("`default_rng`", "`hashwell.random.default_rng`")
    groups["Random numbers"] += numpy + "\n\n"
    last = groups.pop("Introspection")
    return (
        "# Python\n\nThe public names of the package, grouped by task. `help()` prints the same text, for example"
        " `help(hashwell.sample)`.\n\n"
        + "".join(groups.values())
        + section("Processes", "The module `hashwell.process`. Guide: {doc}`/docs/guides/processes`.",
                  handed_on(package / "process/__init__.py"))
        + section("Spark", "The module `hashwell.spark`. Guide: {doc}`/docs/guides/spark`.", handed_on(package / "spark/__init__.py"))
        + section("Polars", "The module `hashwell.polars`. Tutorial: {doc}`/docs/tutorials/data-frames`.", polars)
        + section("DuckDB", "The module `hashwell.duckdb`. Tutorial: {doc}`/docs/tutorials/data-frames`.", duckdb)
        + section("pandas", "The module `hashwell.pandas`. Tutorial: {doc}`/docs/tutorials/data-frames`.", pandas)
        + section("xoflib compatibility", "The module `hashwell.xoflib` has the interface of the package xoflib 0.4.", xoflib)
        + last
    )


# ---------------------------------------------------------------- C


def c_page():
    """Returns the header, section by section."""
    header = (ROOT / "crates/hashwell-ffi/include/hashwell.h").read_text(encoding="utf-8")
    head, *rest = re.split(r"^/\* -{8,} (.*?) \*/\n", header, flags=re.MULTILINE)
    manual = re.match(r"/\*\n(.*?) \*/", head, re.DOTALL)[1]
    manual = re.sub(r"^ \* ?", "", manual, flags=re.MULTILINE)
    parts = ["# C\n\nThis page contains the header `crates/hashwell-ffi/include/hashwell.h`. Its comments document every"
             f" function.\n\n{fenced(manual)}"]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        parts.append(f"## {title[0].upper()}{title[1:]}\n\n")
        parts += [fenced(block, "c") for block in re.split(r"\n\n(?=/\*\*|enum)", body) if block.strip()]
    return "".join(parts)


# ---------------------------------------------------------------- JavaScript


def javascript_page(types):
    """Returns the declarations that TypeScript generates for the entry points of the package."""
    parts = ["# JavaScript\n\nThis page contains the TypeScript declarations of the npm package, which are generated from its"
             " sources. Guide: `docs/guides/javascript.md`.\n\n"]
    if not (types and (types / "index.d.ts").exists()):
        return parts[0] + "The declarations are missing, because npm was not installed when this site was built.\n"
    entries = [("hashwell", ["engine", "errors", "hash", "file", "keyed", "memory", "options", "random", "index"]),
               ("hashwell/hashes", ["digests", "hashes"]),
               ("hashwell/draw", ["draw/index", "draw/hwdraw", "draw/sample", "draw/split"]),
               ("hashwell/process", ["process/index", "process/process"]),
               ("hashwell/sha256, and other entry points for one algorithm", ["one", "one/sha256"])]
    for entry, files in entries:
        parts.append(f"## {entry}\n\n")
        parts += [fenced((types / f"{name}.d.ts").read_text(encoding="utf-8"), "typescript") for name in files]
    return "".join(parts)


# ---------------------------------------------------------------- Haskell


def haddock(text):
    """Returns a Haddock comment as Markdown. Haddock marks code with @ and names with quotes."""
    parts = re.split(r"@([^@\n]+)@|'([\w.]+)'|\"([A-Z][\w.]+)\"", text)
    shown = "".join(
        prose(part or "") if place % 4 == 0 else f"`{part}`".replace("\\", "") if part else "" for place, part in enumerate(parts)
    )
    return shown and shown + "\n\n"


def haskell_module(source, name):
    """Returns the comment at the head of a module, and the types of its exported names."""
    text = source.read_text(encoding="utf-8")
    about = re.search(r"^-- \|\n?(.*?)^module ", text, re.MULTILINE | re.DOTALL)
    lines = [line.removeprefix("--").removeprefix(" ") for line in (about[1] if about else "").splitlines()]
    # Examples are omitted: doctest runs them, and Haddock's pages contain them.
    shown = haddock("\n".join(lines).split(">>>")[0].strip())
    exports = re.search(r"^module .*?\((.*?)\) where", text, re.MULTILINE | re.DOTALL)
    names = re.findall(r"^\s*[(,]?\s*(\w[\w']*)", exports[1] if exports else "", re.MULTILINE)
    types = [found[0] for each in names
             for found in re.finditer(rf"^{re.escape(each)} ::.*(?:\n +(?:::|->|=>|\().*)*", text, re.MULTILINE)]
    return f"## {name}\n\n{shown}{fenced(chr(10).join(types), 'haskell') if types else ''}"


def haskell_page():
    package = ROOT / "haskell/hashwell"
    cabal = (package / "hashwell.cabal").read_text(encoding="utf-8").split("\n  else\n")[0]
    listed = "\n".join(re.findall(r"(?:exposed|reexported)-modules:\n(.*?)\n\s*\n", cabal, re.DOTALL))
    names = sorted(set(re.findall(r"^[ ,]*([A-Z][\w.]+)$", listed, re.MULTILINE)))
    folders = [package / "src", package / "native", *sorted(ROOT.glob("haskell/hashwell-*/src"))]
    sources = {name: next(path for folder in folders if (path := folder / f"{name.replace('.', '/')}.hs").exists()) for name in names}
    digests = [name for name in names if name.startswith("Crypto.Hash.") and name != "Crypto.Hash.SHA256"]
    parts = ["# Haskell\n\nThis page lists the modules of the package, with the types of the names that they export."
             " `docs/guides/haskell.md` describes when to use each module. `make test-haskell` builds the Haddock documentation.\n\n"]
    parts += [haskell_module(sources[name], name) for name in names if name not in digests]
    parts.append("## The other digests\n\nThese modules have the same functions as `Crypto.Hash.SHA256`. The modules of"
                 " extendable-output functions also have `xof`.\n\n")
    parts += [f"- `{name}`\n" for name in digests]
    return "".join(parts)


def rust_page(made):
    crates = [("hashwell", "digests, streams, tags, keys, random bytes"), ("hashwell-draw", "draws, samples, processes")]
    text = ("# Rust\n\nThe API documentation of these crates is generated by rustdoc from their sources. `make test` runs the"
            " examples in it.\n\n")
    for name, about in crates:
        page = f'<a href="../rust/{name.replace("-", "_")}/index.html">{name}</a>' if made else f"`{name}`"
        text += f"- {page}: {about}\n"
    if not made:
        text += ("\nThis copy of the site was built without the API documentation. `make docs` includes it, and `make docs RUST=`"
                 " omits it.\n")
    return text


# ---------------------------------------------------------------- charts


def gallery_page(commands):
    """Returns the charts of docs/gallery, each with the command that draws it."""
    parts = ["# Gallery\n\nThis page shows a chart of each built-in [process](docs/guides/processes.md), with the command that draws"
             " it. `make docs` draws the charts again.\n\n"]
    for name, arguments in commands:
        line = " ".join(f'"{word}"' if ";" in word else word for word in arguments)
        parts.append(f"## {name}\n\n![{name}: {prose(line)}](docs/gallery/{name}.svg)\n\n{fenced('hashwell process ' + line)}")
    return "".join(parts)


def gallery_commands():
    """Yields the name of each chart and the arguments of `hashwell process`. The process is the name, unless the line gives
    a different one."""
    for line in (ROOT / "docs/gallery/commands.txt").read_text(encoding="utf-8").splitlines():
        name, options = line.split(": ", 1)
        yield name, ([name] if options.startswith("--") else []) + options.split(" ")
