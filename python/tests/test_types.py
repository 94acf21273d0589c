"""Type information and help for the package: stubs, docstrings, signatures."""

import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hashwell
from hashwell import _native

HERE = Path(__file__).parent
TYPED = HERE / "typed.py"
ROOT = HERE.parents[1]


def checker(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Runs a type checker, which finds the package in the same place as this test."""
    path = str(Path(hashwell.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": path}
    # mypy searches site-packages by itself, and doesn't allow it in MYPYPATH.
    if Path(path).name != "site-packages":
        environment["MYPYPATH"] = path
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, env=environment, timeout=300
    )


def compare(found: set[int], said: str) -> None:
    lines = TYPED.read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert wrong and found == wrong, f"only here: {found - wrong}, not here: {wrong - found}\n{said}"


def test_mypy(tmp_path) -> None:
    options = ["--strict", "--config-file=", "--no-incremental", f"--cache-dir={tmp_path}"]
    result = checker(tmp_path, "mypy", *options, str(TYPED))
    # Errors in other files, such as the stubs, count as well.
    found = re.findall(r"^(.*?):(\d+): error", result.stdout, re.MULTILINE)
    assert {Path(file).name for file, _ in found} == {TYPED.name}, result.stdout + result.stderr
    compare({int(line) for _, line in found}, result.stdout + result.stderr)


def test_pyright(tmp_path) -> None:
    settings = {
        "include": [str(TYPED), str(Path(hashwell.__file__).parent)],
        # pyspark and fsspec are only installed in the environment of make test-spark.
        "ignore": [str(Path(hashwell.__file__).parent / "spark")],
        "extraPaths": [str(Path(hashwell.__file__).parents[1])],
        # pyright's own mode. basedpyright is pyright with a Node runtime in its wheel, and has additional, stricter
        # modes.
        "typeCheckingMode": "standard",
        "pythonVersion": f"{sys.version_info.major}.{sys.version_info.minor}",
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    result = checker(tmp_path, "basedpyright", "--outputjson", "--pythonpath", sys.executable)
    said = json.loads(result.stdout)["generalDiagnostics"]
    errors = [entry for entry in said if entry["severity"] == "error"]
    text = "\n".join(f"{entry['file']}:{entry['range']['start']['line'] + 1}: {entry['message']}" for entry in errors)
    assert {Path(entry["file"]).name for entry in errors} == {TYPED.name}, text
    compare({entry["range"]["start"]["line"] + 1 for entry in errors}, text)


def test_stubs_are_up_to_date() -> None:
    """Constructors and overloads match the registry, and docstrings match the extension."""
    command = [sys.executable, str(ROOT / "tools" / "generate_stubs.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_stubs_fit_the_runtime(tmp_path) -> None:
    # pyspark and fsspec are only installed in the environment of make test-spark; pandas, pyarrow and scikit-learn have
    # no types.
    elsewhere, config = tmp_path / "elsewhere", tmp_path / "mypy.ini"
    elsewhere.write_text("hashwell.(spark|sklearn).*")
    config.write_text("[mypy]\n[mypy-pyspark.*,fsspec.*,pandas.*,pyarrow.*,sklearn.*]\nignore_missing_imports = True\n")
    options = ["--mypy-config-file", str(config), "--allowlist", str(elsewhere), "--ignore-unused-allowlist"]
    command = [sys.executable, "-m", "mypy.stubtest", "hashwell", *options]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def public() -> dict[str, object]:
    """All public callables of the package, and the methods of its classes."""
    values = {name: getattr(hashwell, name) for name in hashwell.__all__}
    found = {name: value for name, value in values.items() if callable(value)}
    for name, value in list(found.items()):
        for member in vars(value) if inspect.isclass(value) else ():
            if not member.startswith("_") and callable(getattr(value, member)):
                found[f"{name}.{member}"] = getattr(value, member)
    return found


@pytest.mark.parametrize("name", public())
def test_help_says_what_it_takes(name) -> None:
    value = public()[name]
    assert inspect.getdoc(value), "no docstring"
    if inspect.isclass(value) and issubclass(value, BaseException):
        return
    if value in (_native.Kernel, _native.Digest, _native.Xof, _native.ArrowDigests):
        with pytest.raises(TypeError, match="cannot create"):
            value()
        return
    signature = inspect.signature(value)
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    if name == "Random":
        return  # see test_random.py
    # Functions may pass on the keyword arguments of constructors, but no signature is just (*args, **kwargs).
    assert inspect.Parameter.VAR_POSITIONAL not in kinds, signature
