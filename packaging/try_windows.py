"""Tests the command for Windows with wine: it prints, writes and returns the same as the command for Linux."""

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

from archive import unpack
from project import TOOLS, VERSION
from trial import ABC, bare, host, need, one, run

# On Windows 10, Rust gets random bytes from this library, which wine does not have before version 9. It is not part of
# a package.
PRNG = """
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE out, SIZE_T len) { return SystemFunction036(out, (ULONG)len); }
"""

DRAW = ("draw", "applicants.txt", "-n", "3", "--context", "three places, spring", "--seed-source", "dice")
# Arguments, standard input, and exit status. {/} is replaced by the path separator of the system.
CASES: tuple[tuple[tuple[str, ...], str, int], ...] = (
    (("sum", "-a", "sha256"), "abc", 0),
    (("sum", "photos{/}one.jpg", "photos{/}summer{/}a ü.jpg"), "", 0),
    (("sum", "-r", "-a", "blake3", "photos"), "", 0),
    (("sum", "-r", "-a", "sha256", "-a", "sha3-256", "-a", "kt128", "photos{/}summer"), "", 0),
    (("sum", "--go-h1", "photos"), "", 0),
    (("sum", "-c", "photos.sums"), "", 0),
    (("sum", "-c", "crlf.sums"), "", 0),
    (("sum", "-c", "wrong.sums"), "", 1),
    (("sum", "-c", "--audit", "part.sums"), "", 1),
    (("sum", "nowhere{/}at all"), "", 1),
    (("sum", "-a", "sha-three"), "", 2),
    (("sum", "--no-such-option"), "", 2),
    (("xof", "-a", "shake256", "-n", "70000", "data.csv"), "", 0),
    (("hmac", "-a", "sha256", "--key-hex", "00ff", "data.csv"), "", 0),
    (("random", "--source", "blake3", "--seed", "a public seed", "--count", "3", "--format", "u64"), "", 0),
    ((*DRAW, "--commit"), "", 0),
    ((*DRAW, "--dice", "08773", "--transcript", "draw.json"), "", 0),
    (("verify", "draw.json", "applicants.txt"), "", 0),
    (("verify", "draw.json", "data.csv"), "", 1),
    (("sample", "-n", "3", "--seed", "0877", "data.csv"), "", 0),
    (("sample", "-n", "3", "--seed", "0877", "--transcript", "sample.json", "data.csv"), "", 0),
    (("verify", "sample.json", "data.csv"), "", 0),
    (("sample", "-p", "0.1", "--group-by", "user", "--seed", "0877", "-o", "test.csv", "--complement", "train.csv", "data.csv"), "", 0),
    (("process", "crp", "--n", "10", "--alpha", "1.5", "--seed", "round 7"), "", 0),
    (("process", "crp", "--n", "100", "--alpha", "5", "--seed", "gallery", "--svg", "tables.svg"), "", 0),
)


def inputs(folder: Path) -> None:
    """Writes the files that the cases read."""
    summer = folder / "photos/summer"
    summer.mkdir(parents=True)
    (folder / "photos/one.jpg").write_bytes(b"abc")
    (folder / "photos/two.jpg").write_bytes(bytes(range(256)) * 5000)
    (summer / "a ü.jpg").write_bytes(b"")
    (folder / "applicants.txt").write_bytes(b"fig\napple\npear\nquince\nplum\ncherry\n")
    rows = "".join(f"u{i % 200},{'fr' if i % 3 else 'de'},{i}\n" for i in range(1, 1001))
    (folder / "data.csv").write_bytes(b"user,country,spent\n" + rows.encode())
    right = f"{ABC}  photos/one.jpg\n"
    (folder / "photos.sums").write_bytes(right.encode() * 2)
    (folder / "crlf.sums").write_bytes(right.replace("\n", "\r\n").encode())
    (folder / "part.sums").write_bytes(right.encode())
    (folder / "wrong.sums").write_bytes(right.replace("ba78", "ba79", 1).encode())


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def windows(folder: Path) -> str:
    need("wine")
    with zipfile.ZipFile(one(f"hashwell-{VERSION}-x86_64-windows.zip")) as archive:
        program = Path(archive.extract(f"hashwell-{VERSION}-x86_64-windows/bin/hashwell.exe", folder))
    unpack(one(f"hashwell-{VERSION}-{host().name}-linux.tar.gz"), folder)
    expected = folder / f"hashwell-{VERSION}-{host().name}-linux/bin/hashwell"
    (folder / "prng.c").write_text(PRNG)
    run(TOOLS / "bin/python", "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-shared", folder / "prng.c",
        "-o", program.with_name("bcryptprimitives.dll"), "-ladvapi32",
        env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(TOOLS / "cache/zig"), "ZIG_LOCAL_CACHE_DIR": str(TOOLS / "cache/zig")})
    environment = bare(WINEPREFIX=str(folder / "wine"), WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree,mshtml=", HOME=str(folder))
    inputs(folder / "windows")
    inputs(folder / "linux")

    def both(arguments: tuple[str, ...], text: str) -> list[subprocess.CompletedProcess]:
        return [
            subprocess.run([*command, *(each.replace("{/}", between) for each in arguments)], input=text.encode(),
                           capture_output=True, cwd=folder / system, env=variables)
            for command, between, system, variables in (
                ([expected], "/", "linux", bare()), (["wine", program], "\\", "windows", environment))
        ]

    try:
        # wine creates its folder on the first start and prints messages about it.
        run("wine", program, "--version", env=environment)
        for arguments, text, status in CASES:
            linux, other = both(arguments, text)
            assert (linux.returncode, other.returncode) == (status, status), (arguments, linux, other)
            assert linux.stdout == other.stdout, (arguments, linux.stdout[:400], other.stdout[:400], other.stderr[-400:])
            if status == 2:
                assert b"hashwell" in other.stderr, (arguments, other.stderr)
        there, here = files(folder / "windows"), files(folder / "linux")
        assert there == here, sorted(name for name in there.keys() | here.keys() if there.get(name) != here.get(name))
        # Seeds from the operating system, which must differ.
        seeds = {run("wine", program, "random", "--source", "blake3", "-n", "16", env=environment) for _ in range(2)}
        assert len(seeds) == 2, seeds
    finally:
        server = shutil.which("wineserver") or next(map(str, Path("/usr/lib/wine").glob("wineserver*")), None)
        if server:
            subprocess.run([server, "-k"], env=environment, capture_output=True)
    version = run("wine", "--version", env=environment).split()[0]
    return f"{len(CASES)} calls under {re.sub('^wine-', 'wine ', version)} do what they do on Linux, files and exit codes included"
