"""Draws the throughput chart of the site's home page from bench/readme.json."""

import json
import statistics
from html import escape
from pathlib import Path

RECORD = Path(__file__).resolve().parent.parent / "bench" / "readme.json"
LEFT, WIDTH, ROW = 230, 640, 30
GIB = 1.073741824


def throughput():
    """The name and GB per CPU second of each command that hashes 1 GiB."""
    measured = json.loads(RECORD.read_text(encoding="utf-8"))["measured"]
    return [(job["name"].replace("`", ""), GIB / statistics.median(job["cpu_seconds"]))
            for job in measured if "1 GiB" in job["task"]]


def svg():
    """A bar for each command, as SVG whose text is readable on light and dark pages."""
    rows = throughput()
    most = max(speed for _, speed in rows)
    height = ROW * len(rows) + 30
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" font-family="sans-serif" '
             f'font-size="14"><title>GB hashed per CPU second</title><rect width="{WIDTH}" height="{height}" fill="#fff"/>'
             '<text x="8" y="20" font-weight="bold">GB hashed per CPU second (higher is better)</text>']
    for place, (name, speed) in enumerate(rows):
        y = 30 + ROW * place
        color = "#0b6e4f" if name.startswith("hashwell") else "#6b7280"
        bar = speed / most * (WIDTH - LEFT - 60)
        parts.append(f'<text x="8" y="{y + 17}">{escape(name)}</text><rect x="{LEFT}" y="{y + 3}" width="{bar:.1f}" height="20" '
                     f'fill="{color}"/><text x="{LEFT + bar + 6:.1f}" y="{y + 18}">{speed:.1f}</text>')
    return "".join(parts) + "</svg>\n"
