"""Updates python/hashwell/_native.pyi from the installed extension. Run it after adding an algorithm.

Between the two marks it writes everything that depends on the registry: the constructors, the overloads of `new` and
`file_digest` for names, and `__all__`. In the rest of the file it only updates the docstrings, which come from the
extension. It also writes `__all__` of python/hashwell/__init__.pyi, and the complete stub of the built-in processes,
python/hashwell/process/_built_in.pyi. With `--check` it writes nothing and exits with 1 if a file is out of date.
"""

import argparse
import ast
import inspect
import sys
import textwrap
from pathlib import Path

import hashwell
from hashwell import _native, process

PACKAGE = Path(__file__).parents[1] / "python" / "hashwell"
STUB = PACKAGE / "_native.pyi"
FRONT = PACKAGE / "__init__.pyi"
PROCESSES = PACKAGE / "process" / "_built_in.pyi"
BEGIN, END = "# What the registry says, written by tools/generate_stubs.py.\n", "# End of what the registry says.\n"
TYPES = {
    "data": "Buffer",
    "string": "Buffer",
    "digest_size": "int | None",
    "key": "Buffer | None",
    "salt": "Buffer | None",
    "person": "Buffer | None",
    "customization": "Buffer | None",
    "function_name": "Buffer | None",
    "domain": "int | None",
    "derive_key_context": "str | None",
    "fanout": "int | None",
    "depth": "int | None",
    "leaf_size": "int | None",
    "node_offset": "int | None",
    "node_depth": "int | None",
    "inner_size": "int | None",
    "last_node": "bool | None",
    "kernel": "str | None",
    "usedforsecurity": "bool",
}
SIZES = ("SALT_SIZE", "PERSON_SIZE", "MAX_KEY_SIZE", "MAX_DIGEST_SIZE")
FILE = "file: str | bytes | PathLike[str] | PathLike[bytes] | BinaryIO"


def constructors() -> dict[str, object]:
    """Maps each name to its constructor, in the order of the registry."""
    found = {name: getattr(_native, name) for name in _native.__all__}
    return {name: value for name, value in found.items() if type(value) is type(_native.sha256)}


def constructor(name: str, function: object) -> str:
    """A constructor, which is a function. BLAKE2's constructors have attributes, so they are instances of a class with
    `__call__`."""
    sized = hasattr(function, "SALT_SIZE")
    parameters = [
        parameter.replace(annotation=f"@{parameter.name}@")
        for parameter in inspect.signature(function).parameters.values()
    ]
    if sized:
        parameters.insert(0, inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY))
    text = str(inspect.Signature(parameters)).replace("self, /, ", "self, ")
    for keyword, annotation in TYPES.items():
        text = text.replace(f"'@{keyword}@'", annotation)
    result = "Digest" if function.algorithm.kind == "digest" else "Xof"
    if not sized:
        return f"def {name}{text} -> {result}: ...\n"
    sizes = "".join(f"    {size}: Final = {getattr(function, size)}\n" for size in SIZES)
    return (
        f"\n@final\n@type_check_only\nclass _{name}:\n{sizes}    def __call__{text} -> {result}: ...\n\n"
        f"{name}: Final[_{name}]\n\n"
    )


def names(kind: str) -> str:
    """A type that contains all spellings of the names of the algorithms of one kind."""
    spellings = sorted(name for name in _native.algorithms_available if _native.Algorithm(name).kind == kind)
    alias = "_DigestName" if kind == "digest" else "_XofName"
    return f"{alias}: TypeAlias = Literal[\n" + "".join(f'    "{name}",\n' for name in spellings) + "]\n"


def overloads(function: str, before: str, after: str) -> str:
    """The overloads of a function whose result type depends on the kind of the algorithm, if a type checker can know
    the kind."""
    kinds = {
        "_DigestName": "Digest",
        "_XofName": "Xof",
        "Callable[..., Digest]": "Digest",
        "Callable[..., Xof]": "Xof",
        "_Algorithm": "Digest | Xof",
    }
    return "".join(
        f"@overload\ndef {function}({before}algorithm: {algorithm}, {after}) -> {result}: ...\n"
        for algorithm, result in kinds.items()
    )


def exported(names: list[str]) -> str:
    """`__all__` in the form that type checkers understand."""
    return "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"


def generated() -> str:
    return "\n".join(
        [
            names("digest") + names("xof"),
            overloads("new", "", 'data: Buffer = b"", **params: object')
            + overloads("file_digest", f"{FILE}, ", "/, **params: object"),
            "".join(constructor(*item) for item in constructors().items()),
            exported(_native.__all__),
        ]
    )


class Raw(str):
    """A text that appears unchanged in a signature."""

    __repr__ = str.__str__


def processes() -> str:
    """The stub of the module with the built-in processes, from the functions that the module defines."""
    arrays = {"Sequence[float]": "_Numbers", "Sequence[int]": "_Numbers", "Sequence[Sequence[float]]": "_Matrix"}
    head = (
        f"# Written by tools/{Path(__file__).name}.\n"
        "from collections.abc import Sequence\nfrom typing import Any, Literal, TypeAlias\n\nimport numpy\n\n"
        "from ._process import BuiltIn\nfrom ._results import Restaurant\n\n"
        "_Numbers: TypeAlias = Sequence[float] | numpy.ndarray[Any, Any]\n"
        "_Matrix: TypeAlias = Sequence[Sequence[float]] | numpy.ndarray[Any, Any]\n"
    )
    functions = []
    for name, _, _, encodings, *_ in _native._process_rows():
        function = getattr(process, name)
        signature = inspect.signature(function)
        named = ", ".join(f'"{encoding}"' for encoding in encodings)
        taken = [
            one.replace(annotation=Raw(f"Literal[{named}]"), default=Raw(f'"{one.default}"'))
            if one.name == "encoding"
            else one.replace(annotation=Raw(arrays.get(one.annotation, one.annotation)))
            for one in signature.parameters.values()
        ]
        text = str(inspect.Signature(taken, return_annotation=Raw(signature.return_annotation)))
        doc = textwrap.indent(f'"""{inspect.getdoc(function)}\n"""', "    ")
        functions.append(f"def {name}{text}:\n{doc}\n")
    names = [row[0] for row in _native._process_rows()]
    return head + f"\n{exported(names)}\n" + "\n".join(functions)


def documentation(owner: object, name: str) -> str | None:
    """The extension's docstring of a class, function, method or property. Docstrings that Python generates are
    excluded."""
    if name.startswith("__"):
        return None
    value = inspect.getattr_static(owner, name, None)
    text = inspect.getdoc(value.__func__ if isinstance(value, staticmethod) else value)
    return text.strip() if text else None


def documented(stub: str) -> str:
    """The stub with the extension's docstrings, which replace the previous ones."""
    starts, edits = [0], []
    for line in stub.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def at(line: int, column: int) -> int:
        # Columns are counted in bytes.
        text = stub[starts[line - 1] : starts[line]]
        return starts[line - 1] + len(text.encode()[:column].decode())

    def first(part: ast.stmt) -> int:
        part = (getattr(part, "decorator_list", None) or [part])[0]
        return at(part.lineno, part.col_offset)

    def visit(body: list[ast.stmt], owner: object, indent: str) -> None:
        seen = set()
        for node in body:
            if not isinstance(node, ast.ClassDef | ast.FunctionDef):
                continue
            # The docstring is that of all overloads, so only the first one gets it.
            text = documentation(owner, node.name) if node.name not in seen else None
            seen.add(node.name)
            inner, inside = getattr(_native, node.name, None), indent + "    "
            if isinstance(node, ast.ClassDef) and node.name.removeprefix("_") in constructors():
                # The module has no class with the name in the stub. The docstring comes from the constructor object,
                # whose name is that of the stub's class without the underscore.
                inner = {"__call__": getattr(_native, node.name.removeprefix("_"))}
            if isinstance(owner, dict) and node.name in owner:
                text = inspect.getdoc(owner[node.name])
            if text:
                text = text.replace("\\", "\\\\").replace('"""', '\\"""') + "\n" * ("\n" in text)
            quoted = textwrap.indent(f'"""{text}"""', inside) if text else ""
            docs = [part for part in node.body if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)]
            members = [part for part in node.body if part not in docs]
            start = len(stub[: first(node.body[0])].rstrip("@ \n"))
            if members:
                line = stub.rindex("\n", 0, first(members[0])) + 1
                edits.append((start, line, f"\n{quoted}\n" if quoted else "\n"))
                visit(members, inner, inside)
            else:
                edits.append((start, at(node.end_lineno, node.end_col_offset), f"\n{quoted}" if quoted else " ..."))

    visit(ast.parse(stub).body, _native, "")
    for start, end, new in sorted(edits, reverse=True):
        stub = stub[:start] + new + stub[end:]
    return stub


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    old = STUB.read_text()
    before, rest = old.split(BEGIN)
    after = rest.split(END)[1]
    front = FRONT.read_text().partition("__all__ = [")[0] + exported(hashwell.__all__)
    new = {STUB: documented(before + BEGIN + "\n" + generated() + END + after), FRONT: front, PROCESSES: processes()}
    stale = [path for path, text in new.items() if not path.exists() or path.read_text() != text]
    if parser.parse_args().check:
        for path in stale:
            print(f"{path} is out of date: run {__file__}")
        return int(bool(stale))
    for path in stale:
        path.write_text(new[path])
    return 0


if __name__ == "__main__":
    sys.exit(main())
