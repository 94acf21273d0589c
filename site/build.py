"""Builds the site: build.py COMMAND OUT [--types FOLDER] [--draw] [--reports] [--rust FOLDER]. Sphinx must be importable.

The pages are copies of those in `site/`, `docs/` and `dev/`. The API reference is generated from the sources of each
language (`reference.py`), and the table of speeds from `bench/runs` (`measured.py`). Sphinx reads all of them from the
folder OUT-source. Each warning of Sphinx is an error.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import chart
import measured
import reference

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def copy(path, original):
    """Copies a file. A symbolic link isn't enough, because Sphinx resolves relative links from the target's folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(original, path)


def put_together(source, options):
    """Writes the folder that Sphinx reads: copies of documents, and generated pages."""
    if source.exists():
        shutil.rmtree(source)
    # The folders and names are the same as in the repository, so relative links work in both places.
    for page in HERE.glob("*.md"):
        copy(source / page.name, page)
    for folder in ("docs", "dev"):
        shutil.copytree(ROOT / folder, source / folder)
    for name in ("CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md"):
        copy(source / name, ROOT / name)
    pages = {
        "gallery.md": reference.gallery_page(reference.gallery_commands()),
        "measured.txt": measured.measured(),
        "throughput.svg": chart.svg(),
        "reference/command.md": reference.command_page(options.command),
        "reference/python.md": reference.python_page(),
        "reference/c.md": reference.c_page(),
        "reference/javascript.md": reference.javascript_page(options.types),
        "reference/haskell.md": reference.haskell_page(),
        "reference/rust.md": reference.rust_page(options.rust),
        "reports.md": reports_page(options.reports),
    }
    for name, text in pages.items():
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")


def draw_gallery(command):
    """Draws the charts of docs/gallery again, and prints the name of each chart that changed, so that you can review it."""
    for name, arguments in reference.gallery_commands():
        picture = ROOT / "docs/gallery" / f"{name}.svg"
        with tempfile.TemporaryDirectory() as folder:
            drawn = Path(folder) / picture.name
            subprocess.run([command, "process", *arguments, "--svg", drawn], stdout=subprocess.DEVNULL, check=True)
            if not picture.exists() or drawn.read_bytes() != picture.read_bytes():
                shutil.copy(drawn, picture)
                print(f"changed: {picture}")


REPORTS = [
    ("speed", ["speed", "--quick"],
     "the speed of SHA-1 and of the algorithms with 256-bit digests, in hashwell and in the other libraries "
     "on the machine that built this site"),
    ("git", ["git", str(ROOT), "--repeat", "1"], "the time to read, check and hash all objects of this project's Git repository"),
]
PAGE = ROOT / "web/site/app/index.html"


def reports_page(made):
    text = "# Reports\n\nWith `--html`, some commands write a report: one HTML file with charts and tables. These are examples:\n\n"
    for name, arguments, about in REPORTS:
        command = f"hashwell {' '.join(arguments).replace(str(ROOT), '.')} --html {name}.html"
        page = f'<a href="reports/{name}.html">{name}</a>' if made else name
        text += f"- {page}: {about} (`{command}`)\n"
    if not made:
        text += ("\nThis copy of the site was built without the reports. `make docs` includes them, and `make docs REPORTS=` omits"
                 " them.\n")
    text += ("\n## Browser page\n\nThe browser page hashes files, makes and verifies draws, and simulates processes. It works"
             " offline. Guide: `docs/guides/browser.md`.\n\n")
    return text + ('<a href="app/index.html">Open the browser page</a>.\n' if PAGE.exists()
                   else "This copy of the site was built without this page. `make web` builds it.\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--types", type=Path)
    parser.add_argument("--rust", type=Path)
    parser.add_argument("--draw", action="store_true", help="also draw the charts of docs/gallery")
    parser.add_argument("--reports", action="store_true")
    options = parser.parse_args()
    options.command = options.command.resolve()
    out, source = options.out.resolve(), options.out.resolve().with_name(options.out.name + "-source")
    if options.draw:
        draw_gallery(options.command)
    put_together(source, options)
    shutil.rmtree(out, ignore_errors=True)
    # Pages that Sphinx doesn't generate are copied first, so that other pages can link to them. Sphinx doesn't remove them.
    if options.rust:
        shutil.copytree(options.rust, out / "rust")
    if PAGE.exists():
        (out / "app").mkdir(parents=True)
        shutil.copy(PAGE, out / "app")
    if options.reports:
        (out / "reports").mkdir(parents=True)
        for name, arguments, _ in REPORTS:
            page = out / "reports" / f"{name}.html"
            subprocess.run([options.command, *arguments, "--html", page], stdout=subprocess.DEVNULL, check=True)
    sphinx = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "--jobs=2", "--conf-dir", HERE,
              "--doctree-dir", out.with_name(out.name + "-doctrees"), source, out]
    done = subprocess.run(sphinx)
    if done.returncode:
        sys.exit(done.returncode)
    for left in (".buildinfo", "objects.inv"):
        (out / left).unlink(missing_ok=True)
    pages = sum(1 for path in out.rglob("*.html") if path.relative_to(out).parts[0] not in ("rust", "reports", "app"))
    print(f"{out}/index.html: {pages} pages")


if __name__ == "__main__":
    main()
