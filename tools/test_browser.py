"""Opens pages in headless Chromium: `test_browser.py CHROMIUM FOLDER`, with `*.html` in the folder.

Checks in light and dark mode, on a desktop, a tablet and a phone: there are no messages on the console, and nothing
is fetched. Headings and charts are visible and have names. No text of a chart overlaps another one, is outside of
the chart, or is too small to read. No chart is clipped or outside of the window, and nothing is wider than the
window. Screenshots are written next to the pages.
"""

import pathlib
import sys

from playwright.sync_api import sync_playwright

# The minimum size in pixels of letters in charts, whose normal size is 12.
SMALLEST_LETTERS = 8.5

# The positions of all texts of a visible chart, of the chart itself, and of the box that scrolls or clips it.
TEXTS = """charts => charts.map(chart => ({
    scale: chart.getBoundingClientRect().width / chart.viewBox.baseVal.width,
    clipped: [chart.parentElement, chart.parentElement.parentElement].some(box => box.scrollWidth > box.clientWidth
        && getComputedStyle(box).overflowX != 'visible'),
    name: chart.querySelector('title')?.textContent,
    box: chart.getBoundingClientRect().toJSON(),
    texts: [...chart.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect().toJSON()]),
}))"""


def overlap(a, b):
    """The fraction of the smaller box that the other box covers."""
    width = min(a["right"], b["right"]) - max(a["left"], b["left"])
    height = min(a["bottom"], b["bottom"]) - max(a["top"], b["top"])
    smaller = min(a["width"] * a["height"], b["width"] * b["height"])
    return max(width, 0) * max(height, 0) / smaller if smaller else 0


def chart_faults(chart, room):
    box, texts = chart["box"], [(t, b) for t, b in chart["texts"] if t.strip()]
    if not chart["name"] or not box["width"] or not texts:
        yield f"a chart without name, size or text: {chart['name']!r}"
    if box["right"] > room + 0.5 or box["left"] < -0.5 or chart["clipped"]:
        yield f"{chart['name']!r} is clipped: from {box['left']:.0f} to {box['right']:.0f} in a window of {room}"
    if 12 * chart["scale"] < SMALLEST_LETTERS:
        yield f"{chart['name']!r}: letters of {12 * chart['scale']:.1f} pixels"
    for i, (text, place) in enumerate(texts):
        if place["right"] > box["right"] + 1 or place["left"] < box["left"] - 1 or place["bottom"] > box["bottom"] + 1:
            yield f"{chart['name']!r}: {text!r} sticks out"
        for other, elsewhere in texts[:i]:
            if overlap(place, elsewhere) > 0.25:
                yield f"{chart['name']!r}: {text!r} over {other!r}"


def page_faults(page, colours):
    if not page.locator("h1").is_visible() or len(page.locator("main").inner_text()) < 100:
        yield "no visible text"
    width, room = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    if width > room:
        yield f"{width} pixels wide in a window of {room}"
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(int(part) for part in paper.removeprefix("rgb(").removesuffix(")").split(",")) > 384
    if light != (colours == "light"):
        yield f"paper {paper} in {colours} mode"
    charts = page.locator("svg[role=img]:visible").evaluate_all(TEXTS)
    if not charts and page.locator("svg[role=img]").count():
        yield "no chart is visible"
    for chart in charts:
        yield from chart_faults(chart, room)


def check(browser, file, colours, width):
    heard = []
    page = browser.new_page(color_scheme=colours, viewport={"width": width, "height": 900})
    page.on("console", lambda message: heard.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: heard.append(f"error: {error}"))
    page.on("request", lambda request: None if request.url == file.as_uri() else heard.append(f"fetches {request.url}"))
    page.goto(file.as_uri())
    faults = list(page_faults(page, colours)) + heard
    page.screenshot(path=file.with_name(f"{file.stem}-{colours}-{width}.png"), full_page=True)
    page.close()
    return [f"{file.name}, {colours}, {width} pixels: {fault}" for fault in faults]


def main():
    chromium, folder = sys.argv[1:]
    files = sorted(pathlib.Path(folder).resolve().glob("*.html"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        runs = [(f, colours, width) for f in files for colours in ("light", "dark") for width in (1100, 768, 390)]
        faults = [fault for run in runs for fault in check(browser, *run)]
        browser.close()
    print("\n".join(faults) or f"{len(files)} pages in Chromium, light and dark, desktop, tablet and phone: nothing to object; "
          f"screenshots in {folder}")
    sys.exit(bool(faults) or not files)


if __name__ == "__main__":
    main()
