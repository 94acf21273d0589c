"""Makes the site: build.py COMMAND OUT [--types FOLDER] [--draw] [--reports] [--rust FOLDER]. Sphinx has to be importable.

The pages are those of `site/`, `docs/` and `dev/`, copied into one folder, with a reference made of
what each front is made of (`reference.py`) and the speeds of `bench/runs` (`measured.py`). The sources are put together in
OUT-source. A warning of Sphinx's is an error.
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
    """A copy, since Sphinx resolves links between documents from where a file really is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(original, path)


def put_together(source, options):
    """The folder that Sphinx reads: copies of documents, and the pages that are made."""
    if source.exists():
        shutil.rmtree(source)
    # The folders and names are those of the repository, so that one link works in both places.
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
    """The pictures of docs/gallery, drawn anew; one that came out otherwise is a change to be looked at, and is said."""
    for name, arguments in reference.gallery_commands():
        picture = ROOT / "docs/gallery" / f"{name}.svg"
        with tempfile.TemporaryDirectory() as folder:
            drawn = Path(folder) / picture.name
            subprocess.run([command, "process", *arguments, "--svg", drawn], stdout=subprocess.DEVNULL, check=True)
            if not picture.exists() or drawn.read_bytes() != picture.read_bytes():
                shutil.copy(drawn, picture)
                print(f"drawn anew: {picture}")


REPORTS = [
    ("speed", ["speed", "--quick"], "every 256-bit digest beside the libraries of the machine that built this site"),
    ("git", ["git", str(ROOT), "--repeat", "1"], "every object of this project's own repository, read, checked and hashed"),
]
PAGE = ROOT / "web/site/app/index.html"


def reports_page(made):
    text = "# Reports\n\nThe command writes pages of its own, with charts and intervals, each in one file.\n\n"
    for name, arguments, about in REPORTS:
        command = f"hashwell {' '.join(arguments).replace(str(ROOT), '.')} --html {name}.html"
        page = f'<a href="reports/{name}.html">{name}</a>' if made else name
        text += f"- {page}: {about} (`{command}`)\n"
    if not made:
        text += "\nThey are not part of this copy of the site. `make docs` builds it with them, and `make docs REPORTS=` without.\n"
    text += "\n## In the browser\n\nThe page of `docs/guides/browser.md` hashes files, makes and checks draws, and shows processes, offline.\n\n"
    return text + ('<a href="app/index.html">Open it</a>.\n' if PAGE.exists() else "It is not part of this copy: `make web` builds it.\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--types", type=Path)
    parser.add_argument("--rust", type=Path)
    parser.add_argument("--draw", action="store_true", help="the pictures of docs/gallery, too")
    parser.add_argument("--reports", action="store_true")
    options = parser.parse_args()
    options.command = options.command.resolve()
    out, source = options.out.resolve(), options.out.resolve().with_name(options.out.name + "-source")
    if options.draw:
        draw_gallery(options.command)
    put_together(source, options)
    shutil.rmtree(out, ignore_errors=True)
    # Raw pages are put in place first: Sphinx leaves them, and pages can link to them.
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
