"""The npm package in headless Chromium: `browser.py CHROMIUM`, from the root of the project, after `node web/build.mjs`.

Tests every vector and every length of the sweep with each build of the complete package and of `hashwell/hashes`, hashes
files in workers, and runs the bundled script of `hashwell/inline`. The pages have a content security policy without
`unsafe-eval`. There must be no message on the console, and nothing may be fetched from other hosts.
"""

import http.server
import io
import pathlib
import subprocess
import sys
import tempfile
import threading

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).parents[2]
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:"
PAGE = b"<!doctype html><html lang=en><title>hashwell</title><link rel=icon href=data:,>"

CHECK = """async ([entry, module]) => {
    const api = await import(`/web/package/dist/${entry}.js`);
    const { checkSweep, checkVectors } = await import('/web/test/checks.js');
    await api.load(new URL(`web/package/dist/${module}`, location.href));
    const names = NAMES;
    const vectors = Object.fromEntries(await Promise.all(names.map(async name =>
        [name, await (await fetch(`/vectors/${name}.json`)).json()])));
    const [known, swept] = [checkVectors(api, vectors), checkSweep(api, vectors.sweep)];
    return { wrong: [...known.wrong, ...swept.wrong], compared: [known.compared, swept.compared] };
}"""

MODULES = [
    ("index", "hashwell.wasm", 2800),
    ("index", "hashwell.simd.wasm", 2800),
    ("hashes", "hashwell-hashes.wasm", 2400),
    ("hashes", "hashwell-hashes.simd.wasm", 2400),
]

FILES = """async () => {
    const { hash, hashFile, load } = await import('/web/package/dist/index.js');
    await load();
    const data = new Uint8Array(20_000_001).map((_, i) => i * 7);
    const expected = hash('sha256', data).join();
    const seen = [];
    const onProgress = progress => seen.push(progress.done);
    const wrong = [];
    for (const worker of [true, false]) for (const file of [new File([data], 'name'), new Blob([data]).stream()]) {
        const [one, other] = await hashFile(['sha256', 'kt128'], file, { worker, onProgress });
        if (one.join() !== expected || other.join() !== hash('kt128', data).join()) wrong.push(`${file} ${worker}`);
        if (seen.at(-1) !== data.length) wrong.push(`progress ends at ${seen.at(-1)}`);
    }
    // Reading goes on while this thread is idle: the work is elsewhere.
    const large = new File(Array(20).fill(data), 'large');
    const controller = new AbortController();
    let ticks = 0;
    const timer = setInterval(() => ++ticks === 5 && controller.abort(), 10);
    const why = await hashFile('sha256', large, { signal: controller.signal }).catch(error => error.code);
    clearInterval(timer);
    if (why !== 'aborted') wrong.push(`${why} after ${ticks} ticks`);
    return wrong;
}"""

INLINE = """async () => {
    const { hash, load } = await import('/inline.js');
    await load();
    return hash('sha256', new TextEncoder().encode('abc')).join();
}"""


class Handler(http.server.SimpleHTTPRequestHandler):
    bundle = b""

    def do_GET(self):
        if self.path in ("/", "/inline.js"):
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if self.path == "/" else "text/javascript")
            self.send_header("Content-Security-Policy", POLICY)
            self.end_headers()
            self.wfile.write(PAGE if self.path == "/" else self.bundle)
        else:
            super().do_GET()

    def log_message(self, *_):
        pass


# Replaces names that package.json defines differently for Node and for browsers. Other pages can use import maps for
# this.
class Mapped(Handler):
    def send_head(self):
        path = pathlib.Path(self.translate_path(self.path))
        if path.suffix == ".js" and path.is_file():
            text = path.read_text().replace("'#read'", "'./read.js'").replace("'#worker'", "'./worker.js'").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            return io.BytesIO(text)
        return super().send_head()


def main(chromium):
    with tempfile.TemporaryDirectory() as folder:
        bundle = pathlib.Path(folder, "inline.js")
        esbuild = [ROOT / "web/node_modules/.bin/esbuild", ROOT / "web/package/dist/inline.js", "--bundle", "--format=esm"]
        subprocess.run([*esbuild, "--minify", "--log-level=warning", f"--outfile={bundle}"], check=True)
        Handler.bundle = bundle.read_bytes()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *rest: Mapped(*rest, directory=ROOT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_port}/"
    names = sorted(path.stem for path in (ROOT / "vectors").glob("*.json"))
    faults, digest = [], "186,120,22,191,143,1,207,234,65,65,64,222,93,174,34,35,176,3,97,163,150,23,122,156,180,16,255,97,242,0,21,173"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        def run(script, argument=None):
            page = browser.new_page()
            page.on("console", lambda message: faults.append(f"console: {message.text}"))
            page.on("pageerror", lambda error: faults.append(f"error: {error}"))
            page.on("request", lambda request: request.url.startswith(origin) or faults.append(f"fetches {request.url}"))
            page.goto(origin)
            result = page.evaluate(script, argument)
            page.close()
            return result

        for entry, module, values in MODULES:
            result = run(CHECK.replace("NAMES", repr(names)), [entry, module])
            faults += result["wrong"]
            print(f"{module}: {result['compared'][0]} values, {result['compared'][1]} digests")
            if result["compared"][0] < values or result["compared"][1] < 80_000:
                faults.append("too few were compared")
        faults += run(FILES)
        if run(INLINE) != digest:
            faults.append("hashwell/inline")
        browser.close()
    server.shutdown()
    for fault in faults:
        print(fault)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
