"""Reads Rust source as text for this project's checks: removes comments, strings and tests, and lists the paths of
`use` trees."""

import re
from collections.abc import Iterator

# Raw strings come first, because they can contain unescaped quotes. A lifetime such as 'a is not a character.
NOT_CODE = re.compile(
    r'\br(#*)".*?"\1|"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|\'(?:\\.[^\']*|[^\\\'])\'',
    re.DOTALL,
)
TESTS = re.compile(r"#\[cfg\((?:all\()?(?:test|doc|doctest)\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:mod\s+\w+\s*\{|use\s)")
USE = re.compile(r"(?:\bpub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);")


def code_of(source: str) -> str:
    """The source without comments, strings and characters."""
    return NOT_CODE.sub('""', source)


def without_tests(code: str) -> str:
    """The code without the modules and imports that are compiled only for tests or rustdoc."""
    while match := TESTS.search(code):
        if not match[0].endswith("{"):
            end = code.index(";", match.end()) + 1
        else:
            depth, end = 1, match.end()
            while depth:
                depth += {"{": 1, "}": -1}.get(code[end], 0)
                end += 1
        code = code[: match.start()] + code[end:]
    return code


def leaves(tree: str, prefix: tuple[str, ...] = ()) -> Iterator[tuple[list[str], str]]:
    """The paths of a `use` tree, and the name that each path imports."""
    head, brace, rest = tree.partition("{")
    if not brace:
        path, _, alias = tree.partition(" as ")
        parts = [*prefix, *(part.strip() for part in path.split("::") if part.strip())]
        if parts[-1] == "self" and len(parts) > 1:
            parts.pop()
        yield parts, alias.strip() or parts[-1]
        return
    prefix = (*prefix, *(part.strip() for part in head.split("::") if part.strip()))
    inner = rest.rstrip().removesuffix("}") + ","
    depth, start = 0, 0
    for at, sign in enumerate(inner):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            if inner[start:at].strip():
                yield from leaves(inner[start:at].strip(), prefix)
            start = at + 1


def use_trees(code: str) -> Iterator[tuple[str, bool, list[tuple[list[str], str]]]]:
    """Each `use` statement: its text, whether it re-exports, and its paths."""
    for match in USE.finditer(code):
        yield match[0], match[0].startswith("pub"), list(leaves(match[1]))
