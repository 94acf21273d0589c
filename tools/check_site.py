"""Checks that the built site loads nothing from other hosts, and that the links of the site and of documents are not
broken.

Usage: `check_site.py SITE DOCUMENT...`. Links are only checked if lychee is installed next to this interpreter. The
links of documents are checked relative to their place in the repository. Both checks must first find planted errors.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LYCHEE = Path(sys.executable).parent / "lychee"
OTHER = r"(?:https?:)?//[\w.-]+\.\w"
# Resources that a browser loads by itself. Links that a user follows are not included.
LOADED = {
    ".html": [rf"<(?:script|img|iframe|source|video|audio|embed|input)\b[^>]*\b(?:src|srcset|data)\s*=\s*[\"']?\s*{OTHER}",
              rf"<link\b(?![^>]*rel=[\"'](?:canonical|license|author)\b)[^>]*\bhref\s*=\s*[\"']?\s*{OTHER}",
              rf"<object\b[^>]*\bdata\s*=\s*[\"']?\s*{OTHER}", r"<base\b", rf"http-equiv=[\"']?refresh[^>]*{OTHER}",
              rf"url\(\s*[\"']?{OTHER}"],
    ".css": [rf"url\(\s*[\"']?{OTHER}", rf"@import\s+[\"']{OTHER}"],
    ".svg": [rf"<(?:image|use|script)\b[^>]*href\s*=\s*[\"']{OTHER}", rf"url\(\s*[\"']?{OTHER}"],
    ".js": [rf"(?:fetch|import|importScripts|open|WebSocket|EventSource)\(\s*[\"'`](?:ws|http)s?://", rf"\.src\s*=\s*[\"'`]{OTHER}"],
}
PLANTED = {
    "a.html": '<script async src="https://cdn.example.org/search.js"></script>',
    "b.html": '<link rel="stylesheet" href="//fonts.example.org/css">',
    "c.css": "body { background: url(https://example.org/a.png) }",
    "d.js": 'fetch("https://example.org/count")',
}


def hosts(site):
    """Everything that a page would load from another host."""
    found = []
    for path in sorted(site.rglob("*")):
        text = path.read_text(encoding="utf-8", errors="replace") if path.suffix in LOADED else ""
        found += [f"{path.relative_to(site)}: {hit[0]}" for one in LOADED.get(path.suffix, []) for hit in re.finditer(one, text)]
    return found


def links(site, *documents):
    """The exit code and the output of lychee, which runs offline and checks fragments."""
    command = [LYCHEE, "--offline", "--include-fragments", "--no-progress", "--root-dir", site, "--exclude-path", "/rust/", site, *documents]
    run = subprocess.run(command, capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def planted(site, folder):
    """Plants errors that the checks must find. A check that doesn't find them would not check anything."""
    for name, text in PLANTED.items():
        (folder / name).write_text(text, encoding="utf-8")
    found = {line.split(":")[0] for line in hosts(folder)}
    if found != set(PLANTED):
        return [f"a planted request to a different host was not found: {sorted(set(PLANTED) - found)}"]
    for page in ("index.html", "docs/faq.html"):
        shutil.copy(site / page, folder)
    (folder / "planted.html").write_text('<a href="nowhere.html">a</a> <a href="faq.html#nowhere">b</a> <a href="faq.html#frequently-asked-questions">c</a>')
    code, said = links(folder / "planted.html")
    if code == 0 or "nowhere.html" not in said or "faq.html#nowhere" not in said or "#frequently-asked-questions" in said:
        return [f"broken links that were planted are not what lychee finds:\n{said}"]
    document = folder / "planted.md"
    document.write_text("# Here\n\n[a](nowhere.md), [b](planted.md#nowhere), [c](planted.md#here)\n", encoding="utf-8")
    code, said = links(folder / "index.html", document)
    if code == 0 or "nowhere.md" not in said or "planted.md#nowhere" not in said or "#here" in said:
        return [f"broken links that were planted in a document are not what lychee finds:\n{said}"]
    return []


def main(site, *documents):
    with tempfile.TemporaryDirectory() as folder:
        found = planted(site, Path(folder))
    found += [f"a page loads from another host: {one}" for one in hosts(site)]
    code, said = links(site, *documents)
    if code:
        found.append(said)
    print("\n".join(found) or f"{site}: nothing is loaded from other hosts; links: {said.strip().splitlines()[-1]}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), *sys.argv[2:]))
