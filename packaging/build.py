"""Compiles the contents of packages with cargo, with zig as the C compiler and linker for every target (cargo-zigbuild).

The same sources give the same bytes in every folder, because the compilers replace the paths of the sources, of cargo and
of the target folder with fixed names.
"""

import os
import platform
from functools import cache
from pathlib import Path

from project import GLIBC, ROOT, TARGET, TOOLS, WINDOWS, Processor, epoch, run

PROFILE = "dist"


@cache
def rust() -> tuple[Path, dict[str, str]]:
    """The folder of the compiler, and the output of `rustc -vV`."""
    lines = run("rustc", "-vV", cwd=ROOT).splitlines()
    facts = dict(line.split(": ", 1) for line in lines if ": " in line)
    return Path(run("rustc", "--print", "sysroot", cwd=ROOT).strip()), facts


def folders() -> list[tuple[Path, str]]:
    """Folders whose paths would be compiled into the products, with the names that replace them. If several match, the
    last one counts."""
    sysroot, facts = rust()
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo").resolve()
    return [
        (ROOT, "/hashwell"),
        (TARGET, "/target"),
        (home, "/cargo"),
        (sysroot / "lib/rustlib/src/rust", f"/rustc/{facts['commit-hash']}"),
    ]


def environment(target: str, rustflags: tuple[str, ...]) -> dict[str, str]:
    """Cargo's environment for a target. Only downloads of cargo and rustup are stored outside of the project."""
    cache_folder = TOOLS / "cache"
    ours = {
        "PATH": f"{TOOLS / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "CARGO_TARGET_DIR": str(TARGET),
        "CARGO_ZIGBUILD_CACHE_DIR": str(cache_folder / "zigbuild"),
        "ZIG_GLOBAL_CACHE_DIR": str(cache_folder / "zig"),
        "ZIG_LOCAL_CACHE_DIR": str(cache_folder / "zig"),
        "SOURCE_DATE_EPOCH": str(epoch()),
    }
    flags = [*rustflags, *(f"--remap-path-prefix={folder}={name}" for folder, name in folders())]
    # Each flag is a separate field, so that folders may have spaces in their names.
    ours["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join(flags)
    c_flags = " ".join(f"-ffile-prefix-map={folder}={name}" for folder, name in folders() if " " not in str(folder))
    ours[f"CFLAGS_{target.replace('-', '_')}"] = c_flags
    # Flags that the caller has set for other builds.
    dropped = ("RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CFLAGS", "CARGO_BUILD_TARGET")
    return {key: value for key, value in os.environ.items() if key not in dropped} | ours


def cargo(package: str, target: str, *options: str, glibc: str = "", profile: str = PROFILE, last: tuple[str, ...] = (),
          rustflags: tuple[str, ...] = ()) -> Path:
    """Builds a package for a target and returns the folder with its products. The flags in `last` apply only to this
    package."""
    installed = run("rustup", "target", "list", "--installed", quiet=True, cwd=ROOT).split()
    if target not in installed:
        run("rustup", "--quiet", "target", "add", target, cwd=ROOT)
    zigbuild = TOOLS / "bin" / "cargo-zigbuild"
    run(zigbuild, "rustc", "--quiet", "--locked", "-p", package, "--profile", profile, "--target", target + glibc,
        *options, *(("--", *last) if last else ()), cwd=ROOT, env=environment(target, rustflags))
    return TARGET / target / profile


# Python loads the module into a process that already has a C library. For musl, all crates are therefore compiled for
# the shared library, and only the command is then linked with the static one. Thus nothing is compiled twice.
SHARED = ("-C", "target-feature=-crt-static")
STATIC = ("-C", "target-feature=+crt-static")


def command(processor: Processor) -> Path:
    """The command as one static program, which runs on every Linux with this CPU architecture."""
    return cargo("hashwell-cli", processor.musl, "--bin", "hashwell", rustflags=SHARED, last=STATIC) / "hashwell"


def module(processor: Processor, libc: str) -> Path:
    """The native module of the Python package, for glibc or musl."""
    if libc == "musl":
        return cargo("hashwell-py", processor.musl, rustflags=SHARED) / "lib_native.so"
    return cargo("hashwell-py", processor.glibc, glibc=f".{GLIBC}") / "lib_native.so"


def library(processor: Processor) -> Path:
    """The folder with the C library, built in the same way as for `make install-c`."""
    return cargo("hashwell-ffi", processor.glibc, glibc=f".{GLIBC}", profile="c")


def linker() -> dict[str, str]:
    """Variables for `crates/hashwell-ffi/install`: Rust's own linker and object tools, which support every
    architecture."""
    sysroot, facts = rust()
    tools = sysroot / "lib/rustlib" / facts["host"] / "bin"
    found = {"LD": tools / "gcc-ld/ld.lld", "OBJCOPY": tools / "rust-objcopy", "AR": tools / "llvm-ar"}
    # In Rust 1.95, the runpath of rust-objcopy doesn't lead to LLVM's library.
    libraries = os.pathsep.join(filter(None, [str(sysroot / "lib"), os.environ.get("LD_LIBRARY_PATH")]))
    return {"LD_LIBRARY_PATH": libraries} | {name: str(path) for name, path in found.items() if path.exists()}


def windows_command() -> Path:
    return cargo("hashwell-cli", WINDOWS, "--bin", "hashwell") / "hashwell.exe"


def native() -> str:
    """The CPU architecture of this machine, with its name in PROCESSORS."""
    return {"arm64": "aarch64", "AMD64": "x86_64"}.get(platform.machine(), platform.machine())
