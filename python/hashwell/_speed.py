"""hashwell.speed: runs the command `hashwell speed` and returns its report as a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _command
from ._copies import Independent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from typing_extensions import Self


_FORMATS = ("text", "markdown", "asciidoc", "csv", "json", "html")


class Speed(Independent, dict[str, Any]):
    """The report of speed(): a dict with the content of the JSON that `hashwell speed --json` prints.

    print() shows the summary and the tables. Notebooks show a page with charts.

    Examples:
        >>> from hashwell import Speed
        >>> Speed({})
        <hashwell.Speed: not a report, 0 entries>
    """

    def __init__(self, report: Mapping[str, Any] | Iterable[tuple[str, Any]] = (), /, **entries: Any) -> None:
        super().__init__(report, **entries)

    def __repr__(self) -> str:
        # The whole report is too long, because it has thousands of samples.
        try:
            machine, run, rows = self["machine"], self["run"], self["rows"]
            algorithms = len({row["algorithm"] for row in rows})
            mode = ("quick" if run["quick"] else "full") + ("" if run["complete"] else ", stopped")
            return f"<hashwell.Speed: {algorithms} algorithms in {len(rows)} rows, {mode}, {str(machine['cpu'])[:80]!r}>"
        except (KeyError, TypeError):
            return f"<hashwell.Speed: not a report, {len(self)} entries>"

    def __str__(self) -> str:
        try:
            return self.render()
        except (TypeError, ValueError, RuntimeError, OSError):
            return repr(self)

    def render(self, format: str = "text", *, compare_published: bool = False, ticks: bool = False) -> str:
        """Return the report as text, by running the command `hashwell`.

        Args:
            format: "text", "markdown", "asciidoc", "csv", "json" or "html".
            compare_published: True adds a comparison with published figures.
            ticks: True shows cycles of the time stamp counter.

        Returns:
            The report in this format.

        Raises:
            ValueError: The format is unknown, or the object is not a valid report.
            RuntimeError: The command is not installed.
        """
        import json
        import os
        import subprocess
        import tempfile

        if format not in _FORMATS:
            raise ValueError(f"unknown format '{format}'; known: {', '.join(_FORMATS)}")
        options = ["--compare-published"] * compare_published + ["--ticks"] * ticks
        text = json.dumps(self)
        with tempfile.TemporaryDirectory(prefix="hashwell-") as folder:
            report, page = os.path.join(folder, "report.json"), os.path.join(folder, "page.html")
            with open(report, "w", encoding="utf-8") as file:
                file.write(text)
            options += {"text": [], "html": ["--html", page]}.get(format, [f"--{format}"])
            done = subprocess.run(
                ["hashwell", "speed", "--from", report, *options],
                executable=_command.find(),
                env=_command.environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
            )
            if done.returncode != 0:
                said = _said(done.stderr).removeprefix(f"{report}: ")
                raise ValueError(said or f"hashwell speed failed with exit code {done.returncode}")
            if format != "html":
                return done.stdout
            with open(page, encoding="utf-8", newline="") as file:
                return file.read()

    @classmethod
    def load(cls, path: str) -> Self:
        """Read a report that `hashwell speed --json` wrote.

        Args:
            path: The path of the file.

        Returns:
            The report.

        Raises:
            OSError: The file can't be read.
            ValueError: The file is not JSON.
        """
        import json

        with open(path, encoding="utf-8") as file:
            return cls(json.load(file))

    def _repr_markdown_(self) -> str:
        # For front ends that can't show HTML.
        return self.render("markdown")

    def _repr_html_(self) -> str:
        from html import escape

        # In a frame, because the page has its own styles.
        page = escape(self.render("html"))
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 800px; border: 0"></iframe>'


def speed(
    *,
    quick: bool = True,
    algorithms: Iterable[str] = (),
    all: bool = False,
    providers: Iterable[str] = (),
    kernels: Iterable[str] = (),
    tables: Iterable[str] = (),
    threaded: bool | None = None,
    processes: int | None = None,
    rounds: int | None = None,
) -> Speed:
    """Benchmark hash functions on this machine by running the command `hashwell speed`.

    The command is in the package hashwell-cli. `hashwell speed --help` describes the method.

    Args:
        quick: True limits the benchmark to 30 seconds. On a slow machine, rounds and sizes are omitted; the report
            shows which.
        algorithms: The names of the algorithms. By default, a selection is measured.
        all: True measures all algorithms.
        providers: The names of the libraries to compare with.
        kernels: The names of the kernels to measure.
        tables: The names of the tables to measure.
        threaded: True also measures on all cores, and False measures only on one core.
        processes: The number of processes in which to measure.
        rounds: The number of rounds. All of them are measured, even with quick.

    Returns:
        The report.

    Raises:
        ValueError: The command rejects one of the arguments.
        RuntimeError: The command is not installed, or it failed.

    Examples:
        >>> import hashwell
        >>> print(hashwell.speed(algorithms=["sha256"]))                                    # doctest: +SKIP
    """
    import json
    import subprocess
    import sys

    command = ["hashwell", "speed", "--json"]
    command += ["--quick"] * quick + ["--all"] * all
    for option, values in [("algorithm", algorithms), ("library", providers), ("kernels", kernels), ("tables", tables)]:
        command += [f"--{option}={value}" for value in values]
    if threaded is not None:
        command.append("--threaded" if threaded else "--no-threaded")
    for option, number in [("processes", processes), ("rounds", rounds)]:
        command += [] if number is None else [f"--{option}={number}"]
    # On a terminal, the command shows its progress.
    terminal = sys.stderr is not None and sys.stderr.isatty()
    stderr = None if terminal else subprocess.PIPE
    # Only this process receives Ctrl-C, and then ends the other one.
    with subprocess.Popen(
        command,
        executable=_command.find(),
        env=_command.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate()
        except BaseException:
            process.terminate()
            raise
    if process.returncode == 0:
        return Speed(json.loads(out))
    said = _said((err or b"").decode(errors="replace"))
    raise (ValueError if process.returncode == 2 else RuntimeError)(
        said or f"hashwell speed failed with exit code {process.returncode}"
    )


def _said(complaints: str) -> str:
    """Return the error message of the command, without the command's name."""
    return complaints.strip().removeprefix("hashwell: ")
