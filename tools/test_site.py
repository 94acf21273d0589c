"""Opens the site of `make docs` in headless Chromium, from its files and offline: `test_site.py CHROMIUM SITE AXE
SCREENSHOTS`.

For every page, in light and dark mode, at 390 and 1280 pixels: there are no messages on the console, only files of
the site are fetched, nothing is wider than the window, and axe-core finds no violations. The search finds a page,
from a file. Screenshots of the first page and of one page of each other kind are written to a folder, for visual
inspection. First, axe must find the errors of a planted page.
"""

import pathlib
import sys

from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import sync_playwright

MODES = [("light", 1280), ("dark", 1280), ("dark", 390), ("light", 390)]
SHOWN = ("index", "docs/choosing", "docs/tutorials/fair-draw", "reference/python", "dev/kernels", "gallery")
# Pages that another part of the project generates have separate tests.
OTHERS = ("rust", "app", "reports")
# Only colors and sizes differ between modes, so axe only checks these again.
CHANGES = ["color-contrast", "scrollable-region-focusable", "target-size"]
AXE = """async rules => {
    // Style sheets are not fetched again, which a page from a file cannot do.
    const options = {preload: false, ...(rules && {runOnly: {type: 'rule', values: rules}})};
    const {violations} = await axe.run(document, options);
    return violations.map(one => `${one.id}: ${one.nodes.length} × ${one.nodes[0].html.slice(0, 160)}`);
}"""


class Window:
    """A window, and what it printed and fetched."""

    def __init__(self, browser, site):
        self.site, self.heard = site, []
        self.context = browser.new_context(offline=True)
        self.page = self.context.new_page()
        # A long limit, because other parts of `make test` run at the same time.
        self.page.set_default_timeout(120_000)
        self.page.on("console", lambda message: self.heard.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.heard.append(f"error: {error}"))
        self.page.on("request", lambda request: self.fetched(request.url))

    def fetched(self, url):
        if not url.startswith((self.site.as_uri(), "data:", "blob:")):
            self.heard.append(f"fetches {url}")

    def faults(self, file, axe, shots):
        name = file.relative_to(self.site).with_suffix("").as_posix()
        found = []
        for number, (colours, width) in enumerate(MODES):
            self.page.emulate_media(color_scheme=colours)
            self.page.set_viewport_size({"width": width, "height": 900})
            if number == 0:
                self.page.goto(file.as_uri())
                self.page.evaluate(axe)
            wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wide > 0:
                found.append(f"{name}, {colours}, {width}: {wide} pixels wider than the window")
            told = self.page.evaluate(AXE, CHANGES if number else None)
            found += [f"{name}, {colours}, {width}: {one}" for one in told]
            if name in SHOWN:
                self.page.screenshot(path=shots / f"{name.replace('/', '-')}-{colours}-{width}.png")
        found += [f"{name}: {one}" for one in self.heard]
        self.heard.clear()
        return found

    def search(self, words, page):
        """The errors of a search. Its results must include the page."""
        self.page.goto(f"{(self.site / 'search.html').as_uri()}?q={words}")
        found = self.page.locator("ul.search li a")
        try:
            # The results appear one after another.
            self.page.wait_for_selector(f"ul.search li a[href*='{page}']")
        except Late:
            links = found.evaluate_all("all => all.map(one => one.href)")
            return [f"search for {words} finds {links[:5]}, and not {page}"]
        return []


def axe_sees(browser, axe):
    """Checks that axe finds errors in a page that has some."""
    page = browser.new_page()
    page.set_content("<html><body><img src='data:,'><p style='color:#ccc;background:#fff'>pale</p></body></html>")
    page.evaluate(axe)
    found = " ".join(page.evaluate(AXE, None))
    page.close()
    return [] if all(rule in found for rule in ("image-alt", "color-contrast", "html-has-lang")) else [f"axe finds only {found}"]


def main(chromium, site, axe, shots):
    site, shots = pathlib.Path(site).resolve(), pathlib.Path(shots)
    shots.mkdir(parents=True, exist_ok=True)
    axe = pathlib.Path(axe).read_text(encoding="utf-8")
    pages = [path for path in sorted(site.rglob("*.html")) if path.relative_to(site).parts[0] not in OTHERS]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        faults = axe_sees(browser, axe)
        window = Window(browser, site)
        for page in pages:
            faults += window.faults(page, axe, shots)
        for words, page in (("reservoir", "docs/guides/sampling.html"), ("commitment", "docs/tutorials/fair-draw.html"), ("hw_find", "reference/c.html")):
            faults += window.search(words, page) + window.heard
            window.heard.clear()
        browser.close()
    print("\n".join(faults) or f"{len(pages)} pages, light and dark, {MODES[-1][1]} and {MODES[0][1]} pixels, offline; screenshots in {shots}")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
