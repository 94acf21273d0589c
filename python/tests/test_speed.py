"""hashwell.speed: the command's report as a dict. The tests don't assert performance."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hashwell


@pytest.fixture(scope="module")
def report() -> hashwell.Speed:
    return hashwell.speed(
        algorithms=["sha256", "shake128"],
        providers=["hashwell"],
        tables=["a", "xof"],
        threaded=False,
        processes=2,
        rounds=2,
    )


def test_the_report_is_that_of_the_command(report) -> None:
    assert report["schema"] == "hashwell-speed/1" and report["run"]["complete"] and report["run"]["quick"]
    rows = [(row["algorithm"], row["operation"]) for row in report["rows"]]
    assert rows == [("sha256", "digest"), ("shake128", "digest"), ("shake128", "absorb"), ("shake128", "read")]
    assert all([len(p) for p in cell["samples"]] == [2, 2] for row in report["rows"] for cell in row["cells"])


def test_formats(report, tmp_path) -> None:
    assert "SHA-256 (hashwell)" in report.render()
    assert "| " in report.render("markdown") and "|===" in report.render("asciidoc")
    assert len(report.render("csv").splitlines()) == 1 + sum(len(row["cells"]) for row in report["rows"])
    assert "2018" in report.render(compare_published=True)
    path = tmp_path / "report.json"
    path.write_text(report.render("json"))
    assert hashwell.Speed.load(str(path)) == report
    with pytest.raises(ValueError, match="unknown format 'pdf'; known: text, markdown"):
        report.render("pdf")
    with pytest.raises(ValueError, match="not a report"):
        hashwell.Speed().render()


def test_repr_is_short_and_str_is_the_table(report) -> None:
    assert repr(report).startswith("<hashwell.Speed: 2 algorithms in 4 rows, quick, '") and len(repr(report)) < 200
    assert str(report) == report.render() and str(report).startswith("For new files: ")
    # An object that is not a report must have a repr as well, because debuggers show all objects.
    for odd in (hashwell.Speed(), hashwell.Speed(rows=1), hashwell.Speed(machine={}, run={}, rows=[], more={1})):
        assert repr(odd) == f"<hashwell.Speed: not a report, {len(odd)} entries>" == str(odd)


def test_a_notebook_shows_a_page(report) -> None:
    assert report._repr_markdown_() == report.render("markdown")
    shown = report._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;') and shown.count('"') == 4


def test_mistakes() -> None:
    with pytest.raises(ValueError, match="unknown algorithm 'sha257'"):
        hashwell.speed(algorithms=["sha257"])
    with pytest.raises(ValueError, match="the number of rounds must be at most 1000, not 1001"):
        hashwell.speed(rounds=1001)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")
def test_ctrl_c_ends_every_process() -> None:
    program = "import hashwell; hashwell.speed(algorithms=['sha256'], processes=2, rounds=1000)"
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE)

    def below(pid: int) -> list[int]:
        try:
            tasks = Path(f"/proc/{pid}/task").iterdir()
            found = [int(child) for task in tasks for child in (task / "children").read_text().split()]
        except FileNotFoundError:
            return []
        return found + [pid for child in found for pid in below(child)]

    deadline = time.monotonic() + 60
    while len(started := below(process.pid)) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert b"KeyboardInterrupt" in error

    def runs(pid: int) -> bool:
        try:
            os.kill(pid, 0)
            return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return False

    # The measuring processes end after the present sizes if their parent process is gone.
    deadline = time.monotonic() + 30
    while any(map(runs, started)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_module_is_the_command() -> None:
    command = [sys.executable, "-m", "hashwell", "speed", "--json", "-a", "sha1", "--library", "hashwell"]
    command += ["--tables", "d", "--processes", "1", "--rounds", "1"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert [row["algorithm"] for row in json.loads(result.stdout)["rows"]] == ["sha1"]
