"""Finds the command `hashwell`, a separate program that the package hashwell-cli installs."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig

from ._native import __version__

# This environment variable is set for programs that this module starts, which may not be the command.
_MARK = "_HASHWELL_PYTHON_LOOKS_FOR_ITS_COMMAND"


def environment() -> dict[str, str]:
    """Return the environment of a process that runs the command."""
    return {**os.environ, _MARK: "1"}


def find() -> str:
    """Return the path of the installed command that has the same version as this package.

    The command is searched for next to the interpreter, in Python's folders for scripts, and on PATH. If it is not
    found, raises RuntimeError with a one-line message that names the package to install.
    """
    import shutil

    if _MARK in os.environ:
        # A script named hashwell calls `python -m hashwell`, which would start the script again, without end.
        msg = "the command 'hashwell' is a script that starts this package again: pip install hashwell-cli"
        raise RuntimeError(msg)
    schemes = sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")
    scripts = [sysconfig.get_path("scripts", scheme) for scheme in schemes]
    folders = [os.path.dirname(sys.executable or ""), *scripts, *os.get_exec_path()]
    others = []
    for folder in dict.fromkeys(filter(None, folders)):
        path = shutil.which("hashwell", path=folder)
        if path is None:
            continue
        version = _version(path)
        if version == __version__:
            return path
        others.append(f"{path} has version {version}" if version else f"{path} is a different program")
    if others:
        raise RuntimeError(
            f"no command 'hashwell' of version {__version__} was found: pip install hashwell-cli=={__version__} "
            f"({', '.join(others)})"
        )
    raise RuntimeError("the command 'hashwell' is not installed: pip install hashwell-cli")


def _version(path: str) -> str | None:
    """Return the version that a program prints, or None if the program is not the command."""
    try:
        said = subprocess.run(
            [path, "--version"],
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=10,
            text=True,
            errors="replace",
        )
    except (OSError, subprocess.SubprocessError):
        return None
    name, _, version = said.stdout.strip().partition(" ")
    return version if name == "hashwell" and said.returncode == 0 and version.isprintable() else None
