"""Finds words in comments and documents for which there is a plainer one, and doc comments that begin with a fragment.

    tools/check_prose.py            fails if a file has such words
    tools/check_prose.py FILE...    lists the words in these files

EXCEPTIONS lists files in which such words are right, with the reason.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from rust_source import NOT_CODE

ROOT = Path(__file__).resolve().parent.parent

# Each pattern, and the advice what to write instead.
WORDS = {
    r"\banew\b": "again, from scratch",
    r"\bbeside\b": "next to, compared with",
    r"\bbut for\b": "except",
    r"\bfor want of\b": "because there is no",
    r"\bseldom\b": "rarely",
    r"\b(who|what|which|where)ever\b": "you; every; any",
    r"\b(somebody|nobody|anybody|everybody)\b": "you; users; no one",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\bwhole numbers?\b": "integer",
    r"\bwords? of unknown values?\b": "symbolic value",
    r"\brefused? memory\b|\bmemory (that is |is )?refused\b": "allocation failure",
    r"\bside by side\b": "in parallel; in SIMD lanes",
    r"\bput together\b": "merge, combine",
    r"\bin one go\b": "at once",
    r"\bgiven back\b|\bgives back\b": "returned, returns",
    r"\bcode (that is )?made at run ?time\b": "JIT-compiled code",
    r"\bgraphics cards?\b": "GPU",
    r"\bthe house\b": "the project",
    r"\b(is|are) no more\b": "no longer",
    # JavaScript's type Promise has a capital.
    r"\bnot promised\b|(?-i:\bpromises?\b)": "guaranteed; guarantee",
    r"\bas (it|they) (is|are|was|were) given\b": "unchanged",
    r"\bstands? (in|for|at|on) (the|a|its|this)\b": "is in; means",
}
# Beginnings that a doc comment must not have: a noun clause or a fragment instead of a noun or a verb.
BEGINNINGS = re.compile(r"^(What|Whether|Of|So many|So much|None|Nothing|Whoever|Wherever|Whatever|Where|Who|As|But|Else)\b")
BEGINNING_ADVICE = "begin with a noun or a verb: 'Returns true if ...', 'The number of ...'"

# Files in which these words are right, with the reason.
EXCEPTIONS = {
    "tools/check_prose.py": "the list of words itself",
    "CHANGELOG.md": "entries of the past stay as they are",
}
PATTERN = re.compile("|".join(f"(?:{word})" for word in WORDS), re.IGNORECASE)
KINDS = {".rs": "rust", ".py": "python", ".pyi": "python", ".ts": "script", ".mjs": "script", ".js": "script", ".hs": "haskell",
         ".md": "text", ".h": "script", ".c": "script"}


def rust(source: str) -> Iterator[tuple[int, str, bool]]:
    for match in NOT_CODE.finditer(source):
        text = match[0]
        if text.startswith(("//", "/*")):
            line = source.count("\n", 0, match.start()) + 1
            before = source.rfind("\n", 0, match.start())
            previous = source[source.rfind("\n", 0, max(before, 0)) + 1 : max(before, 0)].strip()
            doc = text.startswith(("///", "//!"))
            yield line, text.lstrip("/!* "), doc and not previous.startswith(text[:3])


def python(source: str) -> Iterator[tuple[int, str, bool]]:
    quoted = re.compile(r'"""(.*?)"""|#\s?([^\n]*)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
    for match in quoted.finditer(source):
        text = match[1] or match[2]
        if text:
            first = source.count("\n", 0, match.start()) + 1
            for number, line in enumerate(text.split("\n")):
                yield first + number, line.strip(), match[1] is not None and number == 0


def script(source: str) -> Iterator[tuple[int, str, bool]]:
    for match in re.finditer(r"/\*.*?\*/|(?<!:)//[^\n]*", source, re.DOTALL):
        first = source.count("\n", 0, match.start()) + 1
        lines = match[0].removesuffix("*/").split("\n")
        texts = [line.strip().lstrip("/* ") for line in lines]
        start = next((i for i, text in enumerate(texts) if text), 0)
        for number, text in enumerate(texts):
            yield first + number, text, match[0].startswith("/**") and number == start


def haskell(source: str) -> Iterator[tuple[int, str, bool]]:
    for number, line in enumerate(source.split("\n"), 1):
        if match := re.match(r"\s*--+ ?(.*)", line):
            yield number, match[1].lstrip("|^ "), match[1].startswith(("|", "^"))


def text(source: str) -> Iterator[tuple[int, str, bool]]:
    inside = False
    for number, line in enumerate(source.split("\n"), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            yield number, re.sub(r"`[^`]*`", "``", line), False


def findings(name: str, source: str) -> Iterator[tuple[int, str, str]]:
    """For each word: its line, the word, and what to write instead."""
    reader = {"rust": rust, "python": python, "script": script, "haskell": haskell, "text": text}[KINDS[Path(name).suffix]]
    for line, words, starts in reader(source):
        for match in PATTERN.finditer(words):
            yield line, match[0], next(advice for word, advice in WORDS.items() if re.fullmatch(word, match[0], re.IGNORECASE))
        if starts and (match := BEGINNINGS.match(words)):
            yield line, match[0], BEGINNING_ADVICE


def files() -> list[str]:
    """The documents and sources. Symbolic links are skipped, because their targets are in the list as well."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=False, capture_output=True, text=True).stdout.split("\0")
    found = listed if any(listed) else [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file()]
    places = ("crates/", "python/", "reference/", "tools/", "packaging/", "site/", "docs/", "dev/", "web/", "haskell/", "bench/", "fuzz/")
    return sorted(
        name for name in found
        if Path(name).suffix in KINDS and name not in EXCEPTIONS and (name.startswith(places) or "/" not in name)
        and "/target/" not in name and "node_modules" not in name
        and (ROOT / name).is_file() and not (ROOT / name).is_symlink()
    )


def main(names: list[str]) -> int:
    found = False
    for name in names or files():
        for line, word, advice in findings(name, (ROOT / name).read_text(encoding="utf-8")):
            print(f"{name}:{line}: '{word}': {advice}", file=sys.stderr)
            found = True
    return int(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
