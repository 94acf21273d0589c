"""Compares the speed of the package with hash-wasm, @noble/hashes and WebCrypto in headless Chromium.

Run `browser.py CHROMIUM` after `node web/build.mjs`. The tables are in ns for 32 B, and in MB/s (10^6) for longer messages.

The page is isolated, so that its clock has steps of 5 µs.
"""

import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

from playwright.sync_api import sync_playwright

WEB = pathlib.Path(__file__).parents[1]


class Handler(http.server.BaseHTTPRequestHandler):
    bundle = b""

    def do_GET(self):
        script = self.path == "/bench.js"
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if script else "text/html")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.end_headers()
        self.wfile.write(self.bundle if script else b"<!doctype html><html lang=en><title>hashwell</title><link rel=icon href=data:,>")

    def log_message(self, *_):
        pass


def main(chromium):
    rounds = int(os.environ.get("ROUNDS", "40"))
    with tempfile.TemporaryDirectory() as folder:
        bundle = pathlib.Path(folder, "bench.js")
        esbuild = [WEB / "node_modules/.bin/esbuild", WEB / "bench/browser.mjs", "--bundle", "--format=esm", "--target=es2022"]
        subprocess.run([*esbuild, "--log-level=warning", f"--outfile={bundle}"], check=True)
        Handler.bundle = bundle.read_bytes()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        assert page.evaluate("crossOriginIsolated"), "the clock would be coarse"
        load = os.getloadavg()[0]
        print(f"Chromium {browser.version}, load {load:.1f}, least of {rounds} slices of 3 ms; ns at 32 B, MB/s above", flush=True)
        print(page.evaluate("async rounds => (await import('/bench.js')).bench(rounds)", rounds))
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
