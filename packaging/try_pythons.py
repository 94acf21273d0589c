"""Tests of wheels: with pip in a new environment, and with Pythons of other versions, architectures and C libraries."""

import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pythons
from project import PROCESSORS, ROOT, TOOLS, Processor
from trial import ABC, HOST, Skip, bare, host, names, names_no_place, need, one, run, skipped, those_there, wheel_of

TRY = ("import hashlib, hashwell, sys; "
       "assert hashwell.digest('sha256', b'abc') == hashlib.sha256(b'abc').digest(); "
       "assert hashwell.shake128(b'seed').read(4).hex() == '25629347'; print(sys.version.split()[0])")
# Tests that need only pytest and NumPy.
TESTS = ("test_hashlib.py", "test_xof.py", "test_mac.py", "test_vectors.py", "test_registry.py")
# Tests that need only pytest.
PLAIN = ("test_mac.py", "test_vectors.py", "test_registry.py")
# All tests except those that start another process, which qemu-user can't do.
CHILDLESS = " and not ".join((
    "not TestCommand", "test_kernel_of_the_environment", "test_constructors_cross_to_other_processes", "test_the_module_is_imported_again"))
# The maximum number of seconds from the wheel to the first digest, for a user without Rust.
PATIENCE = 60


def within_a_minute(seconds: float) -> str:
    """Returns how long the first digest took, and fails if it took too long."""
    assert seconds < PATIENCE, f"the first digest came {seconds:.1f} s after the wheel, and is to come within {PATIENCE} s"
    return f"first digest after {seconds:.1f} s, making the venv included"


def python_wheels(folder: Path) -> str:
    start = time.monotonic()
    run(sys.executable, "-m", "venv", folder / "venv")
    python = folder / "venv/bin/python"
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", wheel_of(host()), env=bare(), cwd=folder)
    run(python, "-c", TRY, env=bare(), cwd=folder)
    said = within_a_minute(time.monotonic() - start)
    missing = subprocess.run([str(python), "-m", "hashwell"], capture_output=True, text=True, env=bare(), cwd=folder)
    assert missing.stderr.strip().endswith("pip install hashwell-cli"), missing
    # The same command as in the documents, except for --no-index: hashwell's packages don't come from a registry, and
    # the command needs no others.
    place = one(f"hashwell_cli-*{host().name}.whl").parent
    run(python, "-m", "pip", "install", "--no-index", "--find-links", place, "hashwell[cli]", env=bare(), cwd=folder)
    for command in ([python, "-m", "hashwell"], [python.with_name("hashwell")]):
        assert ABC in run(*command, "sum", "-a", "sha256", input="abc", env=bare(), cwd=folder)
    run(python, "-m", "pip", "check", env=bare(), cwd=folder)
    return f"{said}; then hashwell-cli"


def other_pythons(folder: Path) -> str:
    need("apt-get", "dpkg-deb")
    said = []
    wheels = dict(those_there("other_pythons", wheel_of))
    pairs = [("3.11", PROCESSORS[1]), *((version, PROCESSORS[0]) for version in pythons.SUITES)]
    for version, processor in ((version, processor) for version, processor in pairs if processor in wheels):
        try:
            if processor != HOST:
                need(f"qemu-{processor.name}")
            python = pythons.get(version, processor.debian)
        except (Skip, OSError, LookupError) as why:
            skipped(f"CPython {version} on {processor.name}", str(why))
            continue
        place = folder / f"{version}-{processor.name}"
        with zipfile.ZipFile(wheels[processor]) as archive:
            archive.extractall(place)
        done = python.run("-c", TRY, wheels=[place])
        assert done.returncode == 0, (version, processor.name, done.stderr)
        said.append(f"{done.stdout.strip()} on {processor.name}")
    if not said:
        raise Skip("none of them could be had")
    return ", ".join(said)


def aarch64_tests(folder: Path) -> str:
    """The tests that need no NumPy and start no child processes, which qemu-user can't do."""
    need("apt-get", "dpkg-deb", "qemu-aarch64")
    with zipfile.ZipFile(wheel_of(PROCESSORS[1])) as archive:
        archive.extractall(folder / "wheel")
    try:
        python = pythons.get("3.11", "arm64")
    except (OSError, LookupError) as why:
        raise Skip(str(why)) from None
    run(sys.executable, "-m", "pip", "install", "--quiet", "--only-binary=:all:", "--python-version", "3.11", "--target", folder / "site",
        "pytest")
    tests = [str(ROOT / "python/tests" / name) for name in PLAIN]
    done = python.run("-m", "pytest", "-o", "addopts=", "-q", "-p", "no:cacheprovider", "-k", CHILDLESS, *tests,
                      wheels=[folder / "wheel", folder / "site"])
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-1000:]
    return f"under qemu: {done.stdout.strip().splitlines()[-1]}"


def glibc_is_old_enough(folder: Path) -> str:
    wheels = those_there("glibc_is_old_enough", wheel_of)
    for processor, path in wheels:
        with zipfile.ZipFile(path) as archive:
            names_no_place(archive.read("hashwell/_native.abi3.so"), f"the module for {processor.name}")
        out = run(TOOLS / "bin/python", "-m", "auditwheel", "show", path)
        found = re.search(r'platform tag:\s+"(\S+)"', " ".join(out.split()))
        assert found and found[1] in (f"manylinux_2_17_{processor.name}", f"manylinux_2_5_{processor.name}",
                                      f"manylinux_2_12_{processor.name}"), out
    return f"on {names(wheels)}: auditwheel finds nothing younger than glibc 2.17; no folder of this machine is named"


def musl_symbols(processor: Processor) -> set[str]:
    """The symbols of musl's shared library for an architecture, from the stub library with which zig links."""
    zig = Path(run(TOOLS / "bin/python", "-c", "import ziglang; print(ziglang.__path__[0])").strip())
    text = run(zig / "zig", "cc", "-target", processor.musl.replace("-unknown", ""), "-E", "-w", "-x", "assembler-with-cpp",
               "-DPTR64", f"-DARCH_{processor.name}", f"-DFAMILY_{processor.name.removesuffix('_64')}",
               zig / "lib/libc/musl/libc.S", env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(TOOLS / "cache/zig")})
    found = set(re.findall(r"^\.(?:globl|weak) (\w+)$", text, re.MULTILINE))
    assert {"malloc", "pthread_create", "__tls_get_addr"} <= found, f"zig's list of musl's symbols reads otherwise: {len(found)} found"
    return found


def musl_wheels(folder: Path) -> str:
    """All symbols that the module needs are in musl or in Python's stable interface."""
    need("readelf", "nm")
    wheels = those_there("musl_wheels", lambda processor: wheel_of(processor, "musllinux"))
    for processor, path in wheels:
        with zipfile.ZipFile(path) as archive:
            module = Path(archive.extract("hashwell/_native.abi3.so", folder / processor.name))
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--dynamic", module))
        assert needed == ["libc.so"], needed
        asked = {line.split()[-1] for line in run("nm", "--dynamic", "--undefined-only", module).splitlines() if " U " in line}
        ours = {name for name in asked if not name.startswith(("Py", "_Py"))}
        given = musl_symbols(processor)
        assert ours <= given, f"not in musl: {sorted(ours - given)}"
    return f"{names(wheels)} ask for symbols of musl and of Python only"


def musl_python(folder: Path) -> str:
    """Tests the wheel for musl in a CPython that was compiled for musl."""
    need("apt-get", "dpkg-deb", "gcc", "make")
    if HOST != PROCESSORS[0]:
        raise Skip("it is compiled on x86-64 alone")
    with zipfile.ZipFile(wheel_of(PROCESSORS[0], "musllinux")) as archive:
        archive.extractall(folder / "wheel")
    try:
        python = pythons.get_musl()
    except (OSError, LookupError) as why:
        raise Skip(str(why)) from None
    run(sys.executable, "-m", "pip", "install", "--quiet", "--only-binary=:all:", "--python-version", "3.11", "--target", folder / "site",
        "pytest")
    # The process has only one C library, which is musl.
    maps = python.run("-c", "import hashwell; print(open('/proc/self/maps').read())", wheels=[folder / "wheel"])
    libraries = set(re.findall(r"\S+/libc\.so\S*", maps.stdout))
    assert {Path(library).parent.name for library in libraries} == {"x86_64-linux-musl"}, (libraries, maps.stderr)
    tests = [str(ROOT / "python/tests" / name) for name in PLAIN]
    done = python.run("-m", "pytest", "-o", "addopts=", "-q", "-p", "no:cacheprovider", "-k", "not TestCommand", *tests,
                      wheels=[folder / "wheel", folder / "site"])
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-1000:]
    return f"CPython for musl: {done.stdout.strip().splitlines()[-1]}"
