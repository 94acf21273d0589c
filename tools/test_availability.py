"""Tests the table of availability of `hashwell speed` with Debian's libraries and programs, and without any.

    tools/test_availability.py HASHWELL [--write]

The packages are downloaded with `apt-get download` and unpacked into .tools/availability; nothing is installed. Each
library must be found, and no digest may be wrong. The tables in docs/compare.md must be those of the report; --write
writes them there. Without libraries and programs, only hashwell may have anything.

The page is compared on Debian 12 only, because others have other versions.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".tools" / "availability"
PAGE = ROOT / "docs" / "compare.md"
BEGIN, END = "<!-- availability: begin -->\n", "<!-- availability: end -->\n"
# The libraries and programs of Debian 12, and dependencies that few machines have.
PACKAGES = [
    "libssl3", "libb2-1", "libgomp1", "libgcrypt20", "libgpg-error0", "libnettle8", "libhogweed6", "libgmp10", "libgnutls30",
    "libp11-kit0", "libidn2-0", "libunistring2", "libtasn1-6", "libffi8", "libsodium23", "libnss3", "libnspr4",
    "libsqlite3-0", "libmbedcrypto7", "libwolfssl35", "libbotan-2-19", "libboost-thread1.74.0", "libtspi1", "libcrypto++8",
    "b3sum", "rhash", "librhash0", "libdigest-sha3-perl",
]  # fmt: skip
# Variable, and the file that it names.
LIBRARIES = {
    "HASHWELL_LIBCRYPTO": "libcrypto.so.3", "HASHWELL_LIBB2": "libb2.so.1", "HASHWELL_LIBGCRYPT": "libgcrypt.so.20",
    "HASHWELL_LIBNETTLE": "libnettle.so.8", "HASHWELL_LIBGNUTLS": "libgnutls.so.30", "HASHWELL_LIBSODIUM": "libsodium.so.23",
    "HASHWELL_LIBNSS": "libnss3.so", "HASHWELL_LIBMBEDCRYPTO": "libmbedcrypto.so.7", "HASHWELL_LIBWOLFSSL": "libwolfssl.so.35",
    "HASHWELL_LIBBOTAN": "libbotan-2.so.19", "HASHWELL_LIBCRYPTOPP": "libcrypto++.so.8",
}  # fmt: skip
OTHERS = ["HASHWELL_LIBCOMMONCRYPTO", "HASHWELL_LIBXXHASH"]
MARKS = {"right": "✓", "uncalled": "(✓)"}
# Command-line programs, by the first word of their command.
PROGRAMS = {"openssl": "OpenSSL", "shasum": "Perl (`shasum`)", "sha3sum": "Perl (`sha3sum`)", "b3sum": "b3sum", "rhash": "rhash"}


def unpacked(package: str) -> bool:
    """Downloads and unpacks a package. Returns False if this system has no package with that name."""
    done = FOLDER / f".{package}"
    if not done.exists():
        got = subprocess.run(["apt-get", "download", "--quiet", package], cwd=FOLDER, capture_output=True)
        if got.returncode:
            return False
        for file in FOLDER.glob(f"{package}_*.deb"):
            subprocess.run(["dpkg-deb", "-x", file, FOLDER / "root"], check=True)
            file.unlink()
        done.touch()
    return True


def report(hashwell: Path, environment: dict[str, str]) -> dict:
    """The report of a run that measures nothing."""
    command = [hashwell, "speed", "--programs", "--json", "--processes", "1", "--rounds", "1"]
    ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(ran.stdout)


def with_debian() -> dict[str, str]:
    """The environment in which the unpacked files are found first."""
    root = FOLDER / "root"
    # Libraries of base systems are in lib, others in usr/lib.
    folders = [path for path in (*root.glob("usr/lib/*-linux-gnu"), *root.glob("lib/*-linux-gnu")) if path.is_dir()]
    environment = dict(os.environ)
    for variable, name in LIBRARIES.items():
        found = [folder / name for folder in folders if (folder / name).exists()]
        # The system's own file, if the package has none with that name.
        environment[variable] = str(found[0]) if found else name
    environment["LD_LIBRARY_PATH"] = ":".join(map(str, folders))
    environment["PATH"] = f"{root / 'usr/bin'}:{os.environ['PATH']}"
    environment["PERL5LIB"] = ":".join(map(str, root.glob("usr/lib/*-linux-gnu/perl5/*")))
    return environment


def titles(hashwell: Path) -> dict[str, str]:
    rows = json.loads(subprocess.run([hashwell, "algorithms", "--json"], stdout=subprocess.PIPE, check=True, text=True).stdout)
    return {row["name"]: row["title"] + (f", {row['status']}" if row["status"] != "sound" else "") for row in rows}


def version(provider: dict) -> str:
    """The name, and the version up to its second number, because security updates change the rest."""
    number = re.search(r"\d+\.\d+", provider.get("version") or "")
    return provider["name"] + (f" {number[0]}" if number else "")


def tables(found: dict, names: dict[str, str]) -> str:
    """Both tables as Markdown."""
    states = {(a["algorithm"], a["provider"]): MARKS[a["state"]] for a in found["availability"]}
    libraries = [p for p in found["providers"] if p["name"] != "hashwell" and any(key[1] == p["name"] for key in states)]
    programs: dict[str, list[str]] = {}
    languages: dict[str, list[str]] = {}
    for program in found["programs"]:
        kind = program["program"].split(" ")[0]
        listed, name = (languages, program["program"]) if program["kind"] == "language" else (programs, PROGRAMS.get(kind, "coreutils"))
        of = listed.setdefault(program["algorithm"], [])
        if name not in of:
            of.append(name)
    rows = [name for name in names if any((name, p["name"]) in states for p in libraries) or name in programs or name in languages]
    lines = ["| Algorithm | " + " | ".join(map(version, libraries)) + " |", "|---|" + "---|" * len(libraries)]
    lines += [f"| {names[row]} | " + " | ".join(states.get((row, p["name"]), "") for p in libraries) + " |" for row in rows]
    lines += ["", "| Algorithm | Command line | Standard library of |", "|---|---|---|"]
    lines += [f"| {names[row]} | {', '.join(programs.get(row, []))} | {', '.join(languages.get(row, []))} |" for row in rows]
    return "\n".join(re.sub(r" +\|", " |", line) for line in lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hashwell", type=Path)
    parser.add_argument("--write", action="store_true", help="write the tables to docs/compare.md")
    options = parser.parse_args()
    hashwell = options.hashwell.resolve()
    FOLDER.mkdir(parents=True, exist_ok=True)
    missing = [package for package in PACKAGES if not unpacked(package)]
    if missing:
        print(f"packages that this system doesn't offer: {', '.join(missing)}")

    found = report(hashwell, with_debian())
    wrong = [a for a in found["availability"] + found["programs"] if a["state"] == "wrong"]
    assert not wrong, f"wrong digests: {wrong}"
    there = {a["provider"] for a in found["availability"]}
    expected = {"hashwell", "OpenSSL", "libb2", "libgcrypt", "nettle", "GnuTLS", "libsodium", "NSS", "mbedTLS", "wolfSSL", "Botan",
                "Crypto++"}  # fmt: skip
    reasons = {p["name"]: p.get("missing") for p in found["providers"]}
    assert missing or expected <= there, {name: reasons[name] for name in expected - there}
    print(f"with Debian's packages: {len(found['availability'])} pairs of library and algorithm, {len(found['programs'])} of programs")

    with tempfile.TemporaryDirectory() as empty:
        bare = {"PATH": empty} | dict.fromkeys([*LIBRARIES, *OTHERS], "/no/such/library")
        alone = report(hashwell, bare)
    assert {a["provider"] for a in alone["availability"]} <= {"hashwell", "Rust"} and not alone.get("programs"), alone
    print("without libraries and programs: only hashwell")

    if missing or not {"Python", "Node.js", "Java", "Go"} <= {p["program"] for p in found["programs"]}:
        print("the page isn't compared: a package or a language is missing here")
        return
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    new = "\n" + tables(found, titles(hashwell)) + "\n"
    if options.write:
        PAGE.write_text(before + BEGIN + new + END + after, encoding="utf-8")
    elif old != new:
        sys.exit(f"the tables of {PAGE.relative_to(ROOT)} should be (--write writes them):\n{new}")
    else:
        print("the tables of docs/compare.md are right")


if __name__ == "__main__":
    main()
