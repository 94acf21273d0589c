"""Tests of the C interface: run.py FOLDER [secrets], where `cargo build --profile c -p hashwell-ffi` has put the library.

Compiles and runs the C programs in this folder as C11 and C++17, with the sanitizers and valgrind if they are installed.
Checks the exported symbols of the library, installs it, and builds the example with pkg-config and CMake, and every C
snippet of the documents named below. SLOW=1 adds inputs beyond 4 GiB. With `secrets`, it only searches the memory for
wiped secrets, with each kernel.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent
CRATE = TESTS.parent
ROOT = CRATE.parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "docs" / "guides" / "c.md", ROOT / "docs/tutorials/c.md"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wshadow", "-Wconversion", "-Wstrict-aliasing"]
LANGUAGES = {
    "C11": [os.environ.get("CC", "cc"), "-xc", "-std=c11", "-Wstrict-prototypes"],
    "C++17": [os.environ.get("CXX", "c++"), "-xc++", "-std=c++17"],
}
PROGRAMS = ["contract", "known_answers"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def run(command, **options):
    """The standard output of a command that must succeed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def run_program(program, cases, before=(), slow=False):
    """Runs a test program. With SLOW=1 it includes the long tests and shows their progress."""
    environment = {key: value for key, value in os.environ.items() if slow or key != "SLOW"}
    arguments = [cases] if program.name.startswith("known_answers") else []
    command = [str(part) for part in (*before, program, *arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}")
    return f", {done.stdout.strip()}" if done.stdout else ""


def skip(what, why):
    """Prints that a part is skipped, and records it for the last line of `make test`."""
    print(f"SKIPPED: {what} ({why})")
    if path := os.environ.get("HASHWELL_SKIPPED"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{what} ({why})\n")


def hex_of(field, value):
    """A field of vectors/README.md in the form that known_answers.c reads."""
    if isinstance(value, dict):
        if "pattern" in value:
            pattern = {"zeros": "00", "ff": "ff"}.get(value["pattern"], value["pattern"]).removeprefix("byte:")
            return f"{pattern}:{value['len']}"
        return value["hex"] if "hex" in value else value["ascii"].encode().hex()
    return value.encode().hex() if field == "context" else str(value)


def fields(case):
    shown = ((field, value) for field, value in case.items() if field != "message")
    return "".join(f" {RENAMED.get(field, field)}={hex_of(field, value)}" for field, value in shown)


RENAMED = {"customization_pattern": "customization", "ikm": "input", "okm": "expected"}
NOT_IN_C = ("chunk-list", "draw", "process", "rows", "sampling", "sweep")
CONSTRUCTIONS = ("hmac", "hkdf", "kmac", "hmac-drbg", "random")


def known_answers():
    """All vectors of the project, one in each line, and all steps of generators."""
    for path in sorted((ROOT / "vectors").glob("*.json")):
        if path.stem in NOT_IN_C:
            continue
        file = json.loads(path.read_text())
        if path.stem == "state":
            yield from (f"state rest={file['rest']}{fields(case)}\n" for case in file["cases"])
            yield from (f"rejected kind=plain state={case['state']}\n" for case in file["rejected"])
            yield from (f"secret rest={file['rest']}{fields(case)}\n" for case in file["secret"])
            yield from (f"rejected{fields(case)}\n" for case in file["rejected_secret"])
            continue
        kind = file["algorithm"] if file["algorithm"] in CONSTRUCTIONS else "hash"
        for case in file["cases"]:
            case = {"algorithm": file["algorithm"], **case}
            steps = case.pop("steps", [])
            if kind == "kmac":
                case |= {"bits": case["algorithm"].removeprefix("kmac"), "xof": int(case["xof"])}
            if kind == "random":
                high, low = divmod(int(case.pop("skip", 0)), 2**64)
                case = case | {"skip_low": low, "skip_high": high}
                case.pop("numbers", None)
            yield f"{kind}{fields(case)}\n"
            for step in steps:
                yield f"{'generate' if 'generate' in step else 'reseed'}{fields(step)}\n"


def compile_program(compiler, name, library, out, extra=()):
    library = [f"-L{library}", "-lhashwell", f"-Wl,-rpath,{library}"]
    source = TESTS / f"{name}.c"
    run([*compiler, *WARNINGS, "-g", "-O1", f"-I{CRATE / 'include'}", *extra, source, "-o", out, *library])


def headers_stand_alone(folder):
    for header in sorted((CRATE / "include").glob("*.h")):
        for language, compiler in LANGUAGES.items():
            source = folder / "alone.c"
            source.write_text(f'#include "{header.name}"\n#include "{header.name}"\nint main(void) {{ return 0; }}\n')
            run([*compiler, *WARNINGS, f"-I{header.parent}", "-c", source, "-o", folder / "alone.o"])
            print(f"{header.name} alone: {language}")


def exports(library):
    """The library exports only the symbols in symbols.txt, and the header declares all of them."""
    listed = (CRATE / "symbols.txt").read_text().split()
    names = run(["nm", "-D", "--defined-only", library]).splitlines()
    exported = sorted(line.split()[-1] for line in names)
    if exported != listed:
        missing, extra = set(listed) - set(exported), set(exported) - set(listed)
        sys.exit(f"symbols.txt differs from the library: missing {sorted(missing)}, not listed {sorted(extra)}")
    header = (CRATE / "include" / "hashwell.h").read_text()
    declared = sorted(re.findall(r"^[a-z][\w *]*?\b(hw_\w+)\(", header, re.MULTILINE))
    if declared != listed:
        sys.exit(f"hashwell.h differs from symbols.txt: {sorted(set(declared) ^ set(listed))}")
    dynamic = run(["readelf", "-d", library])
    if not re.search(r"SONAME.*\[libhashwell\.so\.0\]", dynamic):
        sys.exit(f"no SONAME libhashwell.so.0:\n{dynamic}")
    print(f"exports: {len(exported)} functions, SONAME libhashwell.so.0")


def static_exports(folder, archive):
    """Only the symbols in symbols.txt are global in the static library. A program can therefore also link a different
    BLAKE3 implementation, and each one keeps its own functions."""
    listed = (CRATE / "symbols.txt").read_text().split()
    symbols = (line.split() for line in run(["nm", "-g", "--defined-only", archive]).splitlines())
    found = sorted(fields[2] for fields in symbols if len(fields) == 3)
    if found != listed:
        missing, extra = set(listed) - set(found), set(found) - set(listed)
        sys.exit(f"{archive}: missing {sorted(missing)}, global but not listed {sorted(extra)}")
    source, program = folder / "own_blake3.c", folder / "own_blake3"
    names = [f"{what}_{kind}" for what in ("compress_in_place", "compress_xof", "hash_many", "xof_many")
             for kind in ("portable", "sse2", "sse41", "avx2", "avx512", "neon")]
    own = "".join(f"int blake3_{name}(void) {{ called++; return 1; }}\n" for name in names)
    message = bytes(20_000)
    sys.path.insert(0, str(ROOT))
    from reference.blake3 import blake3  # from the readable model, so that the test does not rely on the library

    expected = blake3(message).hex()
    source.write_text(f"""#include <hashwell.h>
#include <stdio.h>
static int called;
{own}int main(void) {{
    static unsigned char message[{len(message)}];
    unsigned char digest[32];
    if (hw_hash(HW_BLAKE3, message, sizeof message, digest, sizeof digest) != HW_OK || called) return 1;
    for (int i = 0; i < 32; i++) printf("%02x", digest[i]);
    return !blake3_hash_many_avx512();
}}
""")
    compiler = LANGUAGES["C11"][0]
    run([compiler, "-std=c11", f"-I{CRATE / 'include'}", source, archive, "-o", program, "-lpthread", "-lm"])
    if (digest := run([program]).strip()) != expected:
        sys.exit(f"a program with another BLAKE3: {digest}, not {expected}")
    print(f"static library: {len(found)} global symbols, together with a program's own BLAKE3")


def sanitizers(folder, library, cases):
    probe = folder / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    compiler = LANGUAGES["C11"]
    found = subprocess.run([*compiler, *SANITIZE, probe, "-o", folder / "probe"], capture_output=True)
    if found.returncode != 0:
        return skip("sanitizers", "the compiler has none")
    for name in PROGRAMS:
        compile_program(compiler, name, library, folder / f"{name}-san", SANITIZE)
        run_program(folder / f"{name}-san", cases)
        print(f"{name}: address and undefined-behaviour sanitizers")


def memcheck(folder, cases):
    if not shutil.which("valgrind"):
        return skip("memcheck", "no valgrind")
    valgrind = ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full"]
    for name in PROGRAMS:
        run_program(folder / f"{name}-C11", cases, before=valgrind)
        print(f"{name}: memcheck")


def refusals(folder, library):
    """Tests allocation failures in every function. The program has its own allocator, so it runs without sanitizers and
    memcheck, which have theirs."""
    program = folder / "refusals"
    compile_program(LANGUAGES["C11"], "refusals", library, program)
    called = set(run([program, "--list"]).split())
    if called and called != (listed := set((CRATE / "symbols.txt").read_text().split())):
        sys.exit(f"refusals.c: not called {sorted(listed - called)}, unknown {sorted(called - listed)}")
    print(f"refusals: C11{run_program(program, None)}")


def secrets(folder, library, each_kernel=False):
    """Searches all memory for wiped secrets, with the kernels that hashwell chooses or with each one."""
    program = folder / "secrets"
    compile_program(LANGUAGES["C11"], "secrets", library, program, ["-pthread"])
    print(f"secrets: C11, {run([program])}")
    if each_kernel:
        for kernel in sorted(set(run([program, "--list"]).split())):
            print(f"secrets: {kernel}, {run([program, kernel])}")


def check_example(program, environment):
    text = b"hashwell" * 10_000
    for arguments, expected in (
        (["sha256"], hashlib.sha256(text).hexdigest()),
        (["SHAKE128", "100000"], hashlib.shake_128(text).hexdigest(100_000)),
    ):
        done = subprocess.run([program, *arguments], input=text, capture_output=True, env=environment)
        if done.stdout.decode().strip() != expected:
            sys.exit(f"{program} {arguments}: {done}")
    refused = subprocess.run([program, "sha257"], input=b"", capture_output=True, env=environment)
    if refused.returncode != 1 or b"no algorithm" not in refused.stderr:
        sys.exit(f"{program} sha257: {refused}")


def installed(folder, library):
    """Builds the example from an installation, with pkg-config and CMake, and every snippet of the documents."""
    prefix, stage = folder / "installed", folder / "stage"
    environment = os.environ | {"PREFIX": str(prefix)}
    run([CRATE / "install", library], env=environment)
    run([CRATE / "install", library], env=environment | {"DESTDIR": str(stage)})
    staged = stage / prefix.relative_to("/")
    if {path.relative_to(staged) for path in staged.rglob("*")} != {path.relative_to(prefix) for path in prefix.rglob("*")}:
        sys.exit("DESTDIR changes what is installed")
    static_exports(folder, prefix / "lib/libhashwell.a")
    libraries = environment | {"LD_LIBRARY_PATH": str(prefix / "lib")}
    example = CRATE / "examples" / "hwsum.c"
    compiler = [*LANGUAGES["C11"], *WARNINGS]

    if shutil.which("pkg-config"):
        config = environment | {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
        flags = run(["pkg-config", "--cflags", "--libs", "hashwell"], env=config).split()
        run([*compiler, example, "-o", folder / "hwsum", *flags])
        check_example(folder / "hwsum", libraries)
        private = run(["pkg-config", "--static", "--libs", "hashwell"], env=config).split()
        static = [prefix / "lib/libhashwell.a" if flag == "-lhashwell" else flag for flag in private]
        run([*compiler, example, f"-I{prefix / 'include'}", "-xnone", "-o", folder / "hwsum-static", *static])
        check_example(folder / "hwsum-static", environment)
        print("example: pkg-config, shared and static")
        snippets(folder, compiler, flags, libraries)
    else:
        skip("example and snippets", "no pkg-config")

    if shutil.which("cmake"):
        project = folder / "cmake"
        project.mkdir()
        targets = "".join(
            f"add_executable({kind} \"{example}\")\ntarget_link_libraries({kind} hashwell::{kind_of})\n"
            for kind, kind_of in (("shared", "hashwell"), ("fixed", "static"))
        )
        (project / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.13)\nproject(example C)\nfind_package(hashwell 0.1 REQUIRED)\n{targets}"
        )
        run(["cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}"])
        run(["cmake", "--build", project / "build"])
        for kind in ("shared", "fixed"):
            check_example(project / "build" / kind, environment)
        print("example: CMake, shared and static")
    else:
        skip("example", "no cmake")


def snippets(folder, compiler, flags, environment):
    """Compiles and runs the ```c blocks. A block without a main() is used as the body of one."""
    for document in filter(Path.exists, DOCUMENTS):
        blocks = re.findall(r"^```c\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)
        for number, block in enumerate(blocks):
            source, program = folder / f"snippet{number}.c", folder / f"snippet{number}"
            if "int main(" not in block:
                lines = block.splitlines(keepends=True)
                includes = [line for line in lines if line.startswith("#include")]
                body = [line for line in lines if not line.startswith("#include")]
                block = f"#include <assert.h>\n{''.join(includes)}int main(void) {{\n{''.join(body)}return 0;\n}}\n"
            source.write_text(block)
            run([*compiler, source, "-o", program, *flags])
            run([program], env=environment)
        if blocks:
            print(f"{document.name}: {len(blocks)} C snippets")


def main():
    built = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        library = folder / "lib"
        library.mkdir()
        (library / "libhashwell.so.0").symlink_to(built / "libhashwell_ffi.so")
        (library / "libhashwell.so").symlink_to("libhashwell.so.0")
        if sys.argv[2:] == ["secrets"]:
            return secrets(folder, library, each_kernel=True)
        cases = folder / "cases"
        cases.write_text("".join(known_answers()))

        for language, (compiler, *_) in list(LANGUAGES.items()):
            if not shutil.which(compiler):
                skip(f"the C interface as {language}", f"no {compiler}")
                del LANGUAGES[language]
        headers_stand_alone(folder)
        exports(built / "libhashwell_ffi.so")
        for language, compiler in LANGUAGES.items():
            for name in PROGRAMS:
                program = folder / f"{name}-{language}"
                compile_program(compiler, name, library, program)
                print(f"{name}: {language}{run_program(program, cases, slow=language == 'C11')}")
        refusals(folder, library)
        secrets(folder, library)
        sanitizers(folder, library, cases)
        memcheck(folder, cases)
        installed(folder, built)


if __name__ == "__main__":
    main()
