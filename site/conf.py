"""The configuration of Sphinx for the site. `site/build.py` collects the sources and runs Sphinx."""

import re
from pathlib import Path

from docutils import nodes
from pygments.lexers import TextLexer

project = "hashwell"
author = copyright = ""
html_title = "hashwell"
extensions = ["myst_parser"]
exclude_patterns = ["docs/gallery/**"]
# The anchors of headings are the same as on GitHub.
myst_heading_anchors = 4
# If a page has the same heading twice, the anchors get different numbers.
suppress_warnings = ["myst.header"]

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_copyright = html_show_sourcelink = html_copy_source = False
# For a summary of each result, the page would have to be fetched, which isn't possible if the site is opened from files.
html_show_search_summary = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

# Names in backquotes that are links to a page with a different name.
NAMED = {
    "README.md": "index",
    "docs/gallery": "gallery", "crates/hashwell-ffi/include/hashwell.h": "reference/c",
}
# Attributes and headings that people with a keyboard or a screen reader need and that the theme omits. A pattern no longer
# matches after its replacement, so it is safe to apply the replacements twice.
REPLACED = [
    (re.compile(r'<pre>|<div class="table-wrapper[^"]*">'), lambda found: found[0][:-1] + ' tabindex="0">'),
    (re.compile(r'<p class="caption" role="heading">'), '<p class="caption" role="heading" aria-level="2">'),
    (re.compile(r'<aside class="sidebar-drawer">'), '<aside class="sidebar-drawer" aria-label="Pages">'),
    (re.compile(r'<aside class="(toc-drawer[^"]*)">'), r'<aside class="\1" aria-label="On this page">'),
    (re.compile(r'<th class="head[^"]*"><p></p></th>'), "<td></td>"),
    (re.compile(r'(<article role="main"[^>]*>)(?=\s*<noscript>)'), r"\1<h1>Search</h1>"),
]


def page_named(text, pages):
    """Returns the page that a text in backquotes names, or None."""
    name = NAMED.get(text) or text.removesuffix(".md") * text.endswith(".md")
    return name if name in pages else None


def link_names(app, doctree, here):
    """Adds a link to each name of a document in backquotes."""
    for literal in list(doctree.findall(nodes.literal)):
        page = page_named(literal.astext(), app.env.found_docs)
        if page and page != here and not isinstance(literal.parent, nodes.reference):
            link = nodes.reference(refuri=app.builder.get_relative_uri(here, page), internal=True)
            literal.replace_self(link)
            link += literal


def finish(app, failed):
    """Applies the replacements to every page that Sphinx wrote."""
    made = [] if failed else Path(app.outdir).rglob("*.html")
    for page in made:
        if page.relative_to(app.outdir).parts[0] not in ("rust", "app", "reports"):
            text = page.read_text(encoding="utf-8")
            for pattern, instead in REPLACED:
                text = pattern.sub(instead, text)
            page.write_text(text, encoding="utf-8")


def setup(app):
    app.add_lexer("ghci", TextLexer)
    app.connect("doctree-resolved", link_names)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
