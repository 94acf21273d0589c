"""How Python finds the command, and what the wheel contains. The tests of the command itself are in
crates/hashwell-cli."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import hashwell
from hashwell import _command

ROOT = Path(__file__).resolve().parents[2]
WHEELS = ROOT / "target" / "wheels"


def script(folder: Path, says: str) -> Path:
    """A program named hashwell."""
    folder.mkdir()
    path = folder / "hashwell"
    path.write_text(f"#!/bin/sh\n{says}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """There is no command next to the interpreter, in the folder of scripts, or on PATH."""
    monkeypatch.setattr(_command.sysconfig, "get_path", lambda *_: "/nonexistent")
    monkeypatch.setattr(sys, "executable", "")
    monkeypatch.setenv("PATH", "")
    return monkeypatch


def test_without_the_command_one_line_says_what_to_install(alone) -> None:
    missing = r"^the command 'hashwell' is not installed: pip install hashwell-cli$"
    for call in (hashwell.speed, hashwell.Speed(rows=[]).render):
        with pytest.raises(RuntimeError, match=missing):
            call()
    # Showing an object never fails.
    assert str(hashwell.Speed()) == "<hashwell.Speed: not a report, 0 entries>"


def test_only_the_same_version_will_do(alone, tmp_path) -> None:
    old = script(tmp_path / "old", "echo hashwell 0.0.9")
    odd = script(tmp_path / "odd", "echo usage; exit 2")
    alone.setenv("PATH", f"{old.parent}:{odd.parent}")
    with pytest.raises(RuntimeError) as error:
        _command.find()
    version = hashwell.__version__
    assert str(error.value) == (
        f"no command 'hashwell' of version {version} was found: pip install hashwell-cli=={version} "
        f"({old} has version 0.0.9, {odd} is a different program)"
    )
    right = script(tmp_path / "right", f"echo hashwell {version}")
    alone.setenv("PATH", f"{old.parent}:{odd.parent}:{right.parent}")
    assert _command.find() == str(right)


def test_the_working_folder_is_no_place_for_commands(alone, tmp_path) -> None:
    here = script(tmp_path / "here", f"echo hashwell {hashwell.__version__}")
    alone.chdir(here.parent)
    alone.setenv("PATH", os.pathsep)
    with pytest.raises(RuntimeError, match="not installed"):
        _command.find()


def test_a_script_that_calls_the_module_does_not_call_itself_for_ever(tmp_path) -> None:
    """The scripts of older installations call the module."""
    wrapper = script(tmp_path / "bin", f'exec "{sys.executable}" -m hashwell "$@"')
    program = "import sys, sysconfig; sysconfig.get_path = lambda *_: ''; sys.executable = ''\n"
    program += "from hashwell._command import find; find()"
    environment = {**os.environ, "PATH": str(wrapper.parent)}
    result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert f"({wrapper} is a different program)" in result.stderr and result.returncode == 1


def test_the_module_says_what_to_install(tmp_path) -> None:
    """Only the package itself is installed."""
    program = "import sys, sysconfig; sysconfig.get_path = lambda *_: ''; sys.executable = ''\n"
    program += "import runpy; runpy.run_module('hashwell', run_name='__main__')"
    environment = {**os.environ, "PATH": ""}
    result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    line = "hashwell: the command 'hashwell' is not installed: pip install hashwell-cli\n"
    assert (result.returncode, result.stdout, result.stderr) == (1, "", line)


def test_the_wheel_carries_what_its_users_call() -> None:
    """Checks the wheel that `make python` built and installed."""
    wheels = list(WHEELS.glob("hashwell-*.whl"))
    if not wheels:
        pytest.skip("make python builds the wheel")
    (wheel,) = wheels
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        extension = archive.read(next(name for name in names if "_native" in name and not name.endswith(".pyi")))
    assert not any(name.endswith(("entry_points.txt", "/scripts/hashwell")) for name in names)
    # The names of compiled crates occur in the file names of their panics.
    assert b"pyo3" in extension
    for crate in (b"clap_builder", b"sha1dc", b"/zip-", b"indicatif", b"hashwell-measure"):
        assert crate not in extension, crate
