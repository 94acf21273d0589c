"""Opens the page of `make web` in headless Chromium, from its file and offline.

Usage: `test_page.py CHROMIUM PAGE AXE COMMAND SCREENSHOTS`.

The test uses each of the five parts as a person would, and compares the results with hashlib, the project's vectors
and the native command. Each bad input gets its own message. In light and dark mode, on a desktop and a phone, there are
no messages on the console, nothing is fetched, nothing is wider than the window, and axe-core finds no violations.
Screenshots are written to a folder, for visual inspection.
"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

PARTS = ("files", "squeeze", "draw", "processes", "speed")
LIST = "".join(f"row {i}\n" for i in range(40))
SQUEEZED = "text => document.querySelector('#squeeze-result pre')?.textContent == text"
ODD = "name with  blanks, “quotes” & <b>tags \\ and \u202e.txt"


class Page:
    """The page in a window, and the messages that it printed."""

    def __init__(self, browser, file, colours, width, quiet=()):
        self.heard, self.file, self.quiet = [], file, quiet
        self.context = browser.new_context(color_scheme=colours, viewport={"width": width, "height": 900}, offline=True)
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.page.on("console", lambda message: self.hear(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.hear(f"error: {error}"))
        self.page.on("request", lambda request: self.fetched(request.url))

    def hear(self, what):
        if not any(word in what for word in self.quiet):
            self.heard.append(what)

    def fetched(self, url):
        if not url.startswith((self.file.as_uri(), "blob:", "data:")):
            self.heard.append(f"fetches {url}")

    def open(self, part):
        self.page.goto(f"{self.file.as_uri()}#{part}")
        self.page.wait_for_selector(f"#{part}:not([hidden])")
        return self.page

    def close(self):
        self.context.close()
        assert not self.heard, self.heard


def text(page, selector):
    page.wait_for_selector(selector)
    return page.locator(selector).first.inner_text()


def until(page, what, expression, argument=None, seconds=30):
    """Waits for an expression to become true.

    The page's policy forbids Playwright's own method, which evaluates text inside the page.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(expression, argument):
        assert time.monotonic() < end, f"{what} does not come"
        page.wait_for_timeout(30)


def give(page, selector, name, content):
    """Puts a file with these bytes into a file input."""
    data = content if isinstance(content, bytes) else content.encode()
    page.set_input_files(selector, [{"name": name, "mimeType": "application/octet-stream", "buffer": data}])


def check(page, transcript, rows=None, committed="", attested=False):
    """Enters a draw to be checked, and returns the page's result."""
    page.fill("#check-transcript", transcript)
    if rows is not None:
        give(page, "#check-list", "list", rows)
        until(page, "the list", "document.getElementById('check-list-name').textContent.startsWith('The list:')")
    page.fill("#check-committed", committed)
    page.set_checked("#check-attested", attested)
    page.click("#check-form [type=submit]")
    return text(page, "#check-result .verdict h2")


def test_draw(page, command):
    verdict = check(page, command("draw", "-", "-n", "5", "--dice", "08773518", "--context", "audit", transcript=True), LIST)
    assert verdict == "Consistent, but not fully verified.", verdict
    # Only verified items have a tick: neither the plan, which was not compared, nor the seed's source.
    marks = page.locator("#check-result .steps .mark").all_inner_texts()
    assert marks == [*["– not fully verified", "✓ verified"] * 2, "✓ verified", "✓ verified"], marks
    assert page.locator("#check-result .verdict li").count() == 2
    assert page.locator("#check-result .beside dd").all_inner_texts() == ["dice", 'dice "08773518"']
    assert page.locator("#check-result tbody tr").count() == 5
    assert "computed 8 hashes of this draw a second time. All of them match the first computation" in text(page, "#check-result .steps")

    # With the published commitment, and with the attestation of a person who saw the dice, everything is verified.
    page.click("#check-example")
    commitment = "08156a181cd19bab00f8cc9be1883928f11c123cc033b7c939a7f847ec1c10aa"
    page.wait_for_selector("#check-result .verdict")
    page.fill("#check-committed", commitment)
    page.click("#check-form [type=submit]")
    page.wait_for_selector("#check-result .verdict.partly")
    page.check("#check-attested")
    page.click("#check-form [type=submit]")
    page.wait_for_selector("#check-result .verdict.good")
    assert text(page, "#check-result .verdict h2") == "Verified."
    assert page.locator("#check-result .mark.good").count() == 6
    example = page.input_value("#check-transcript")
    assert "leaves the remainder 2, which picks the 3rd row" in text(page, "#check-result tbody tr")
    # Results for previous inputs are removed.
    page.fill("#check-committed", commitment[:-1])
    assert page.locator("#check-result .verdict").count() == 0

    # One byte was changed: the page explains what follows from that, and nothing has a tick.
    for old, new, named in [
        ('"id":"pear"', '"id":"peas"', "output"),
        ('"index":3', '"index":4', "pick"),
        ('"commitment": "0', '"commitment": "1', "commitment"),
        ("08773518267254361087", "08773518267254361086", "pick"),
        ('"k":3', '"k":2', "commitment"),
        ('"context":"worked', '"context":"Worked', "commitment"),
        ('"kind":"dice"', '"kind":"text"', "seed"),
        ('{"from":"dice","text":"08773518267254361087"}', '{"from":"hex","hex":"3038"}', "seed"),
    ]:
        assert old in example, old
        said = check(page, example.replace(old, new))
        assert said == "Verification failed.", (old, said)
        assert named in text(page, "#check-result .verdict"), (named, text(page, "#check-result .verdict"))
        assert page.locator("#check-result .mark.good").count() == 0, old
    for broken in ("{", example.replace('"seed": {', '"sead": {'), example.replace('"picks"', '"pick"')):
        assert check(page, broken).startswith("This cannot be verified"), broken
        assert "Nothing was verified" in text(page, "#check-result")
    assert check(page, example, "fig\napple\npear\nquince\nplum\n") == "Verification failed."
    assert "list" in text(page, "#check-result .verdict")
    assert check(page, example, "fig\nfig\n").startswith("This cannot be verified")
    page.fill("#check-transcript", "")
    page.click("#check-form [type=submit]")
    assert "no transcript yet" in text(page, "#check-result .alarm")
    test_slow_files(page)


def test_slow_files(page):
    """If files are chosen one after the other, the last one is used, even if the first one is read slowly."""
    page.evaluate("""() => {
        const read = File.prototype.arrayBuffer;
        File.prototype.arrayBuffer = async function () {
            if (this.name === 'slow') await new Promise(resolve => setTimeout(resolve, 500));
            return read.call(this);
        };
    }""")
    for selector, shown in [
        ("#check-file", "document.getElementById('check-transcript').value"),
        ("#check-list", "document.getElementById('check-list-name').textContent"),
        ("#make-file", "document.getElementById('make-list').value"),
    ]:
        for name in ("slow", "quick"):
            give(page, selector, name, f"{name} one")
        until(page, "the second file", f"{shown}.includes('quick')")
        page.wait_for_timeout(700)
        assert "quick" in page.evaluate(shown), selector


def test_make(page, command, folder):
    page.click("#make-tab")
    page.fill("#make-list", LIST)
    page.fill("#make-k", "4")
    page.fill("#make-source", "a round of Drand")
    page.click("#make-commit")
    assert "beacon" in text(page, "#make-result .alarm")
    page.select_option("#make-kind", "drand")
    page.fill("#make-beacon", "123")
    page.click("#make-commit")
    assert "CHAIN ROUND" in text(page, "#make-result .alarm")
    page.select_option("#make-kind", "dice")
    page.fill("#make-source", "on stage")
    page.click("#make-commit")
    expected = command("draw", "-", "-n", "4", "--commit", "--seed-source", "dice", "--seed-description", "on stage").split()[2]
    assert expected in text(page, "#make-result .verdict .mono")
    page.fill("#make-seed", "0877x")
    page.click("#make-form [type=submit]")
    assert "dice" in text(page, "#make-result .alarm")
    page.fill("#make-seed", "0877")
    page.click("#make-form [type=submit]")
    page.wait_for_selector("#make-result ol")
    picks = page.locator("#make-result ol li").all_inner_texts()
    assert picks == command("draw", "-", "-n", "4", "--dice", "0877").splitlines(), picks
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the transcript").click()
    saved.value.save_as(folder / "transcript.json")
    assert "4 of 40" in command("verify", folder / "transcript.json", "-", "--committed", expected, "--seed-attested")
    page.get_by_role("button", name="Verify it step by step").click()
    page.wait_for_selector("#check-result .verdict.partly")
    # A single number means the numbers from 1 to n. Even a million of them take almost no time.
    page.click("#make-tab")
    page.fill("#make-list", "1000000")
    page.fill("#make-k", "3")
    page.click("#make-form [type=submit]")
    until(page, "three picks", "document.querySelectorAll('#make-result ol li').length == 3")
    assert page.locator("#make-result ol li").all_inner_texts() == command("draw", "--range", "1000000", "-n", "3", "--dice", "0877").split()
    # A list from a file is read as bytes, as by the command, while a text box changes line endings and empty text.
    give(page, "#make-file", "list", b"caf\xe9\nfig\n")
    until(page, "the file", "document.getElementById('make-list').value.startsWith('caf')")
    page.click("#make-form [type=submit]")
    assert "UTF-8" in text(page, "#make-result .alarm")
    # A list that does not fit into memory gives a message, and the next draw works.
    page.fill("#make-list", str(2**53 - 1))
    page.fill("#make-k", str(2**40))
    page.click("#make-form [type=submit]")
    assert "memory" in text(page, "#make-result .alarm")
    page.fill("#make-k", "1")
    page.click("#make-form [type=submit]")
    until(page, "one pick", "document.querySelectorAll('#make-result ol li').length == 1")


def test_processes(page, command):
    expected = command("process", "crp", "--n", "40", "--alpha", "2.06", "--seed", "round 7").strip()
    until(page, expected, "text => document.getElementById('process-value').textContent == text", expected)
    assert page.locator("#process-picture svg[role=img]").is_visible()
    page.wait_for_selector("#law-picture svg")
    law = json.loads(command("process", "crp", "--n", "7", "--alpha", "2.06", "--exact", "--summary", "--json", "--replicates", "2000",
                             "--seed", "round 7"))
    page.click("summary >> text=All outcomes")
    rows = page.locator("#law-table tbody tr").all_inner_texts()
    assert len(rows) == len(law["outcomes"])
    for row, outcome in zip(rows, law["outcomes"]):
        sizes, mass, count = row.split("\t")
        assert sizes == " ".join(map(str, outcome["value"])) and int(count.replace("\u202f", "")) == outcome["replicates"], row
        assert abs(float(mass) - outcome["probability"]) < 1e-4, row
    # The keyboard moves a slider, and a different evening is drawn.
    page.focus("#process-alpha")
    page.keyboard.press("End")
    until(page, "another value", "text => document.getElementById('process-value').textContent != text", expected)
    page.click("#process-play")
    until(page, "the third guest", "/^[3-9] of 40$/.test(document.getElementById('process-said').textContent)")
    page.click("#process-play")
    options = page.locator("#process-choice option").evaluate_all("all => all.map(one => one.value)")
    assert len(options) == 14, options
    for name in options:
        page.select_option("#process-choice", name)
        page.wait_for_selector("#process-picture svg, #process-picture .alarm")
        page.wait_for_timeout(250)
        assert page.locator("#process-picture .alarm").count() == 0, (name, text(page, "#process-picture"))
    page.select_option("#process-choice", "markov-chain")
    page.locator("#process-form input").nth(1).fill("0.5,0.6;1,0")
    assert "1" in text(page, "#process-picture .alarm")
    page.select_option("#process-choice", "pitman-yor")
    page.wait_for_selector("#process-picture svg")


def test_files(page, folder):
    contents = {"empty": b"", "a.bin": bytes(range(256)) * 9000, ODD: b"odd"}
    digest = {name: hashlib.sha256(data).hexdigest() for name, data in contents.items()}
    files = []
    for name, data in contents.items():
        (folder / name).write_bytes(data)
        files.append(str(folder / name))
    page.set_input_files("#files-choose", files)
    page.wait_for_selector("#files-result table")
    found = text(page, "#files-result")
    assert "3 files hashed" in found and all(one in found for one in digest.values()), found
    assert page.locator("#files-result b").count() == 0 and "\\u202e" in found
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save CHECKSUMS").click()
    saved.value.save_as(folder / "CHECKSUMS")
    done = subprocess.run([COMMAND, "sum", "-c", "CHECKSUMS"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.count(": OK") == 6, done

    # A list with its files: it is only valid if every line matches.
    def listed(lines):
        (folder / "SHA256SUMS").write_text(lines)
        page.set_input_files("#files-choose", [*files, str(folder / "SHA256SUMS")])
        page.wait_for_selector("#files-result .verdict")
        page.wait_for_selector("#files-result table")
        return text(page, "#files-result .verdict")

    escaped = ODD.replace("\\", "\\\\")
    lines = f"{digest['empty']}  empty\n{digest['a.bin']} *a.bin\n\\{digest[ODD]}  {escaped}\n"
    assert "all files match" in listed(lines)
    wrong = listed(lines.replace(digest["empty"][:2], "00", 1))
    assert "1 file does not match" in wrong and "empty: ✗ different digest" in wrong, wrong
    partly = listed(lines + f"{'0' * 64}  gone\nno line\n")
    assert "some lines could not be checked" in partly and "1 line is not valid (first: line 5)" in partly, partly
    assert "SHA256 (" not in partly

    # A folder that contains a list.
    (folder / "tree" / "below").mkdir(parents=True)
    (folder / "tree" / "below" / "a.bin").write_bytes(contents["a.bin"])
    (folder / "tree" / "a.bin").write_bytes(contents[ODD])
    (folder / "tree" / "SHA256SUMS").write_text(f"{digest['a.bin']}  below/a.bin\n{digest[ODD]}  a.bin\n")
    page.set_input_files("#files-folder", str(folder / "tree"))
    until(page, "the folder", "document.querySelector('#files-result')?.textContent.includes('tree/below/a.bin')")
    assert "tree/SHA256SUMS: all files match" in text(page, "#files-result .verdict")

    # Files that were removed or changed after they were chosen.
    (folder / "later").write_bytes(b"x" * 5)
    page.evaluate("""async () => {
        const input = document.getElementById('files-choose');
        window.kept = new Promise(done => input.addEventListener('change', event => { event.stopImmediatePropagation(); done([...input.files]); },
            { capture: true, once: true }));
    }""")
    page.set_input_files("#files-choose", [str(folder / "later")])
    page.evaluate("window.kept.then(files => { window.kept = files; })")
    (folder / "later").unlink()
    page.evaluate("""() => { const moved = new DataTransfer(); window.kept.forEach(file => moved.items.add(file));
        const input = document.getElementById('files-choose'); input.files = moved.files; input.dispatchEvent(new Event('change')); }""")
    page.wait_for_selector("#files-result .alarm")
    found = text(page, "#files-result")
    assert "cannot be read" in found and "0 files hashed, 1 failed" in found, found

    # After a cancellation, no partial results are shown.
    big = folder / "big"
    with big.open("wb") as file:
        file.truncate(3 << 30)
    page.set_input_files("#files-choose", [str(big)])
    page.wait_for_selector("#files-work:not([hidden])")
    until(page, "progress", "document.getElementById('files-progress').value > 0")
    page.click("#files-cancel")
    assert "Stopped" in text(page, "#files-result") and page.locator("#files-result table").count() == 0
    big.unlink()


def test_squeeze(page):
    page.wait_for_selector("#squeeze-result pre")
    shake = hashlib.shake_256(b"hashwell").hexdigest(96)
    assert text(page, "#squeeze-result pre") == shake[:128]
    page.fill("#squeeze-offset", "32")
    until(page, "the stream", SQUEEZED, shake[64:192])
    page.select_option("#squeeze-kind", "hex")
    page.wait_for_selector("#squeeze-result .alarm")
    page.fill("#squeeze-message", "00 ff")
    until(page, "another stream", SQUEEZED, hashlib.shake_256(b"\0\xff").hexdigest(96)[64:192])
    page.select_option("#squeeze-form-of", "bytes")
    until(page, "bytes", SQUEEZED, " ".join(map(str, hashlib.shake_256(b"\0\xff").digest(96)[32:])))
    page.select_option("#squeeze-form-of", "numbers")
    first = (int.from_bytes(hashlib.shake_256(b"\0\xff").digest(40)[32:], "big") >> 11) / 2**53
    until(page, "numbers", "first => Number(document.querySelector('#squeeze-result pre')?.textContent.split('\\n')[0]) == first", first)
    page.fill("#squeeze-length", "-1")
    assert "an integer from 0" in text(page, "#squeeze-result .alarm")
    page.fill("#squeeze-length", "64")
    page.select_option("#squeeze-form-of", "picture")
    page.wait_for_selector("#squeeze-result canvas")


def test_speed(page):
    page.click("#speed-start")
    until(page, "the end", "document.getElementById('speed-status').textContent.startsWith('Done')", seconds=90)
    assert page.locator("#speed-picture svg[role=img] text").count() > 8
    rows = page.locator("#speed-table tbody tr").all_inner_texts()
    assert any("WebCrypto" in row for row in rows) and all(re.search(r"\d", row) for row in rows), rows


def looks(page, part, axe, colours, width, folder):
    """The problems with how a part is displayed."""
    page.screenshot(path=folder / f"{part}-{colours}-{width}.png", full_page=True)
    wide, room = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    faults = [f"{wide} pixels wide in a window of {room}"] if wide > room else []
    client = page.context.new_cdp_session(page)
    # The page's policy allows no other scripts, so this is injected separately.
    client.send("Runtime.evaluate", {"expression": axe})
    done = client.send("Runtime.evaluate", {"expression": "axe.run().then(found => JSON.stringify(found.violations.map("
                       "one => [one.id, one.help, one.nodes.map(node => node.html).slice(0, 3)])))",
                       "awaitPromise": True, "returnByValue": True})
    faults += [f"axe: {fault}" for fault in json.loads(done["result"]["value"])]
    return [f"{part}, {colours}, {width} pixels: {fault}" for fault in faults]


def fill_in(page, part):
    """Fills in some contents, for windows in which nothing is tested."""
    if part == "draw":
        page.click("#check-example")
        page.wait_for_selector("#check-result .verdict")
    if part == "files":
        give(page, "#files-choose", "a file", b"abc")
        page.wait_for_selector("#files-result table")
    if part == "squeeze":
        page.wait_for_selector("#squeeze-result pre")
    if part == "processes":
        page.wait_for_selector("#law-picture svg")


def broken(browser, file, folder):
    """If the page's engine cannot be loaded, the page says so in a plain sentence."""
    page = file.read_text(encoding="utf-8")
    spoilt = re.sub(r'(id="draw-module"[^>]*>)[^<]*', r"\1AGFzbQEAAAD/", page)
    assert spoilt != page
    (folder / "spoilt.html").write_text(spoilt, encoding="utf-8")
    one = Page(browser, folder / "spoilt.html", "light", 1100)
    one.page.goto((folder / "spoilt.html").as_uri())
    assert "This browser cannot run the page" in text(one.page, "#start .alarm")
    one.close()
    # The same in a browser without WebAssembly.
    one = Page(browser, file, "light", 1100)
    one.page.add_init_script("delete window.WebAssembly")
    one.page.goto(file.as_uri())
    assert "does not support WebAssembly" in text(one.page, "#start .alarm")
    one.close()


def main():
    global COMMAND
    chromium, file, axe, COMMAND, shots = sys.argv[1:]
    file, shots, axe = pathlib.Path(file).resolve(), pathlib.Path(shots), pathlib.Path(axe).read_text(encoding="utf-8")
    COMMAND = str(pathlib.Path(COMMAND).resolve())
    shots.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)

        def command(*args, transcript=False):
            more = ["--transcript", str(folder / "theirs.json")] if transcript else []
            done = subprocess.run([COMMAND, *map(str, args), *more], input=LIST, capture_output=True, text=True, check=True)
            return (folder / "theirs.json").read_text() if transcript else done.stdout

        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tests = {
            "files": lambda page: test_files(page, folder), "squeeze": test_squeeze, "processes": lambda page: test_processes(page, command),
            "draw": lambda page: (test_draw(page, command), test_make(page, command, folder)), "speed": test_speed,
        }
        faults = []
        for part in PARTS:
            one = Page(browser, file, "light", 1100)
            tests[part](one.open(part))
            faults += looks(one.page, f"{part}-tested", axe, "light", 1100, shots)
            one.close()
        broken(browser, file, folder)
        for colours, width in (("light", 1100), ("dark", 1100), ("light", 390), ("dark", 390)):
            one = Page(browser, file, colours, width)
            for part in PARTS:
                page = one.open(part)
                fill_in(page, part)
                faults += looks(page, part, axe, colours, width, shots)
            one.close()
        browser.close()
    print("\n".join(faults) or f"the page's five parts work from a file, offline, light and dark, desktop and phone; screenshots in {shots}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
