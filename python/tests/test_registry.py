"""Everything that depends on the registry: names, parameters, kernels, errors, signatures, stubs, and the command."""

import copy
import doctest
import inspect
import multiprocessing
import os
import pathlib
import pickle
import re
import subprocess
import sys

import pytest

import hashwell
import hashwell.process
import hashwell.xoflib

PARAMETERS = {
    "key": bytes(32),
    "salt": b"salt",
    "person": b"person",
    "customization": b"custom",
    "function_name": b"name",
    "domain": 5,
    "derive_key_context": "context",
    "fanout": 2,
    "depth": 3,
    "leaf_size": 4,
    "node_offset": 5,
    "node_depth": 6,
    "inner_size": 7,
    "last_node": True,
}


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=os.environ | environment, timeout=60
    )


def test_rows(row) -> None:
    info = hashwell.algorithms[row]
    status = "" if info.status == "sound" else f", {info.status}"
    assert info.name == row and repr(info) == f"<hashwell.Algorithm '{row}'{status}>"
    assert info.title and info.source and info.status in {"sound", "legacy", "broken", "experimental"}
    for name in (row, *info.aliases, row.upper(), row.replace("-", "_")):
        assert hashwell.new(name).block_size == info.block_size
    assert {row, *info.aliases} <= hashwell.algorithms_available
    low, high = info.digest_size_range
    assert low <= info.digest_size and (high is None or info.digest_size <= high)
    assert info.kind == "xof" or info.digest_size > 0


def test_the_mapping_is_read_only() -> None:
    with pytest.raises(TypeError):
        hashwell.algorithms["sha256"] = None
    with pytest.raises(KeyError):
        hashwell.algorithms["nope"]


def test_parameters_are_those_of_the_row(row) -> None:
    constructor, info = getattr(hashwell, row.replace("-", "_").replace(".", "_")), hashwell.algorithms[row]
    assert set(info.parameters) <= set(PARAMETERS)
    plain = hashwell.digest(row, b"abc", info.digest_size or 32)
    for keyword, value in PARAMETERS.items():
        size = {} if info.digest_size else {"digest_size": 32}
        calls = [
            lambda: constructor(b"abc", **size, **{keyword: value}).digest(),
            lambda: hashwell.new(row, b"abc", **size, **{keyword: value}).digest(),
            lambda: hashwell.digest(row, b"abc", info.digest_size or 32, **{keyword: value}),
        ]
        if keyword in info.parameters:
            assert len({call() for call in calls} | {plain}) == 2
            assert constructor(b"abc", **{**size, keyword: None}).digest() == plain
        else:
            for call in calls:
                with pytest.raises(TypeError, match=f"unexpected keyword argument '{keyword}'"):
                    call()
    for keyword, (low, high) in info.parameters.items():
        wrong = [] if high is None else [high + 1]
        wrong += [low - 1] if low else []
        if keyword == "last_node":
            continue
        for size in wrong:
            value = bytes(size) if isinstance(PARAMETERS[keyword], bytes) else size
            # As in hashlib, a value that doesn't fit into a field of more than one byte raises OverflowError.
            error = OverflowError if isinstance(value, int) and high is not None and size > high > 255 else ValueError
            with pytest.raises(error, match=f"not {size}"):
                constructor(**{keyword: value})


def test_domain_beyond_a_byte() -> None:
    for domain in (-1, 0, 128, 255, 256, 2**40):
        with pytest.raises(ValueError, match=f"domain byte must be 1 to 127, not {domain}"):
            hashwell.turboshake128(domain=domain)


def test_digest_size_beyond_the_range() -> None:
    for call in (hashwell.blake2b, lambda **k: hashwell.digest("blake2b", b"", k["digest_size"])):
        for size in (0, 65):
            with pytest.raises(ValueError, match=f"1 to 64 bytes, not {size}"):
                call(digest_size=size)
    with pytest.raises(ValueError, match="must be 32 bytes, not 16"):
        hashwell.digest("sha256", b"", 16)
    with pytest.raises(TypeError):
        hashwell.sha256(digest_size=32)
    with pytest.raises(ValueError, match="a length cannot be negative"):
        hashwell.blake2b(digest_size=-1)


def test_blake3_is_keyed_or_derives() -> None:
    with pytest.raises(ValueError, match="key together with a context"):
        hashwell.blake3(key=bytes(32), derive_key_context="c")
    with pytest.raises(TypeError, match="derive_key_context must be a str"):
        hashwell.blake3(derive_key_context=b"c")


def test_calls_with_wrong_arguments() -> None:
    wrong = [
        (lambda: hashwell.sha256(b"", b""), "at most 1 positional"),
        (lambda: hashwell.sha256(b"", data=b""), "multiple values for argument 'data'"),
        (lambda: hashwell.sha256().digest(1), r"digest\(\) takes no positional arguments \(1 given\)"),
        (lambda: hashwell.sha256().hexdigest(x=1), r"hexdigest\(\) got an unexpected keyword argument 'x'"),
        (lambda: hashwell.sha256().update(), "missing required argument 'data'"),
        (lambda: hashwell.sha256().update(b"", b""), r"at most 1 positional argument \(2 given\)"),
        (lambda: hashwell.sha256().update(b"", data=b""), "multiple values for argument 'data'"),
        (lambda: hashwell.shake128().read(m=1), r"read\(\) got an unexpected keyword argument 'm'"),
        (lambda: hashwell.new(), "missing required argument 'algorithm'"),
        (lambda: hashwell.new("sha256", b"", b""), "at most 2 positional"),
        (lambda: hashwell.digest("sha256"), "missing required argument 'data'"),
        (lambda: hashwell.digest("sha256", b"", 32, 1), "at most 3 positional"),
        (lambda: hashwell.digest("sha256", b"", data=b""), "multiple values for argument 'data'"),
        (lambda: hashwell.hexdigest("sha256", b"", nope=1), r"hexdigest\(\) got an unexpected keyword argument 'nope'"),
    ]
    for call, message in wrong:
        with pytest.raises(TypeError, match=message):
            call()
    assert hashwell.digest(data=b"abc", algorithm="sha256") == hashwell.sha256(data=b"abc").digest()


@pytest.mark.parametrize("call", [hashwell.new, lambda name: hashwell.digest(name, b""), lambda name: hashwell.hmac(name, b"", b"")])
def test_unknown_names(call) -> None:
    with pytest.raises(ValueError, match=r"unknown algorithm 'sha265' \(did you mean 'sha256'\?\)"):
        call("sha265")
    for name in ("", "whirlpool", "sha256\0", "\ud800"):
        with pytest.raises(ValueError):
            call(name)


def test_kernels(row) -> None:
    info = hashwell.algorithms[row]
    size = info.digest_size or 50
    data = bytes(range(256)) * 20
    expected = hashwell.digest(row, data, size)
    assert [kernel.chosen for kernel in info.kernels].count(True) == 1
    for kernel in info.kernels:
        assert kernel.name in hashwell.kernels() and kernel.name in repr(kernel)
        if kernel.available:
            assert hashwell.digest(row, data, size, kernel=kernel.name) == expected
            if info.kind == "digest" and len(info.kernels) > 1:
                assert hashwell.new(row, kernel=kernel.name).kernel == kernel.name
        else:
            with pytest.raises(RuntimeError, match="CPU feature"):
                hashwell.new(row, kernel=kernel.name)
    with pytest.raises(ValueError, match="unknown kernel 'nope'"):
        hashwell.new(row, kernel="nope")


def test_kernel_of_the_environment() -> None:
    program = "import hashwell; print([k.name for a in hashwell.algorithms.values() for k in a.kernels if k.chosen])"
    names = {row.kernels[-1].name for row in hashwell.algorithms.values()}
    for name in names:
        chosen = python("-c", program, HASHWELL_KERNEL=name)
        assert chosen.returncode == 0 and name in chosen.stdout, chosen.stderr
    assert python("-c", program, HASHWELL_KERNEL="").returncode == 0
    wrong = python("-c", program, HASHWELL_KERNEL="nope")
    assert "ImportError: HASHWELL_KERNEL: unknown kernel 'nope'; known: " in wrong.stderr
    command = python("-m", "hashwell", "algorithms", HASHWELL_KERNEL="nope")
    known = ", ".join(hashwell.kernels())
    assert command.stderr == f"hashwell: HASHWELL_KERNEL: unknown kernel 'nope'; known: {known}\n"
    assert (command.returncode, command.stdout) == (2, "")


def test_signatures_are_those_of_the_rows(row) -> None:
    name = row.replace("-", "_").replace(".", "_")
    constructor, info = getattr(hashwell, name), hashwell.algorithms[row]
    parameters = inspect.signature(constructor).parameters
    assert set(parameters) - {"data", "string", "digest_size", "kernel", "usedforsecurity"} == set(info.parameters)
    assert constructor.__name__ == name and constructor.__module__ == "hashwell" and info.title in constructor.__doc__
    low, high = info.digest_size_range
    assert ("digest_size" in parameters) == (low != high)


def test_what_is_not_sound_says_so(row) -> None:
    """The warning is in the docstrings of the constructors, and in the repr of the algorithm and of objects."""
    info = hashwell.algorithms[row]
    constructors = [value for value in vars(hashwell).values() if getattr(value, "algorithm", None) == info]
    assert constructors
    for constructor in constructors:
        for text in (constructor.__doc__, repr(info), repr(constructor())):
            words = {word for word in ("legacy", "broken", "experimental") if word in text.lower()}
            assert words == {info.status} - {"sound"}, text


def test_kernels_pickle(row) -> None:
    for kernel in (*hashwell.algorithms[row].kernels, *hashwell.algorithms[row].batch_kernels):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert repr(pickle.loads(pickle.dumps(kernel, protocol))) == repr(kernel)
    make, (name, *rest) = kernel.__reduce__()
    with pytest.raises(ValueError, match="there is no kernel 'quantum'"):
        make("quantum", *rest)


@pytest.mark.parametrize("name", ["Digest", "Xof", "ArrowDigests", "Kernel"])
def test_classes_that_only_functions_make_have_no_signature(name) -> None:
    made = getattr(hashwell, name)
    with pytest.raises(ValueError, match="no signature found"):
        inspect.signature(made)
    for arguments, keywords in (((), {}), ((1,), {"a": 2})):
        with pytest.raises(TypeError, match=f"cannot create 'hashwell.{name}' instances"):
            made(*arguments, **keywords)


def test_the_module_is_imported_again() -> None:
    """Tests import the module again, and so do subinterpreters. They get the same classes."""
    code = (
        "import sys, hashwell; first = hashwell.sha256(b'').hexdigest(); update = hashwell.Digest.update; "
        "[sys.modules.pop(name) for name in list(sys.modules) if name.partition('.')[0] == 'hashwell']; "
        "import hashwell as again; assert again is not hashwell and again.Digest.update is update; "
        "assert again.sha256(b'').hexdigest() == first and len(again.shake128(b'').read(5)) == 5"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr


def test_memory_errors_say_how_much() -> None:
    with pytest.raises(MemoryError, match=rf"could not allocate {2**62} bytes"):
        hashwell.shake128().uniform(2**59, 5)
    with pytest.raises(OverflowError, match="a length must be 0 to 9223372036854775807, not 9223372036854775808"):
        hashwell.shake128().read(2**63)


def test_the_table_of_parameters_is_every_keyword() -> None:
    """Each of the library's parameters is a keyword of a constructor, and there are no other keywords."""
    known = {"data", "string", "kernel", "usedforsecurity"}
    found = set()
    for row in hashwell.algorithms:
        constructor = getattr(hashwell, row.replace("-", "_").replace(".", "_"))
        keywords = set(inspect.signature(constructor).parameters)
        assert keywords - known - {"digest_size"} == set(hashwell.algorithms[row].parameters)
        low, high = hashwell.algorithms[row].digest_size_range
        assert ("digest_size" in keywords) == (low != high)
        found |= keywords
    table = (pathlib.Path(__file__).parents[2] / "crates/hashwell/src/internal/params.rs").read_text(encoding="utf-8")
    rows = re.findall(r'row\(P::\w+, "\w+", "(\w+)"', table)
    assert len(rows) == 15 and found - known == set(rows)


def test_constructors_and_rows_pickle(row) -> None:
    info = hashwell.algorithms[row]
    constructors = [value for value in vars(hashwell).values() if getattr(value, "algorithm", None) == info]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for constructor in constructors:
            assert pickle.loads(pickle.dumps(constructor, protocol)) is constructor
        again = pickle.loads(pickle.dumps(info, protocol))
        assert again == info and hash(again) == hash(info) and again.title == info.title
    assert all(copy.deepcopy(constructor) is constructor for constructor in constructors)
    assert copy.deepcopy(info) == info != hashwell.algorithms["sha1" if row != "sha1" else "sha256"]
    assert hashwell.Algorithm(row) == info == hashwell.new(constructors[0]).algorithm if info.kind == "digest" else True


def test_constructors_cross_to_other_processes() -> None:
    rows = [hashwell.sha256, hashwell.blake2b, hashwell.shake_128, hashwell.algorithms["kt128"]]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(name_of, rows) == ["sha256", "blake2b", "shake_128", "kt128"]


def name_of(algorithm: object) -> str:
    return hashwell.new(algorithm).name


def test_a_row_by_name() -> None:
    assert hashwell.Algorithm("K12") == hashwell.algorithms["kt128"]
    with pytest.raises(ValueError, match="did you mean 'sha256'"):
        hashwell.Algorithm("sha265")
    with pytest.raises(TypeError):
        hashwell.Algorithm(256)


def test_docstrings() -> None:
    for module in (hashwell, hashwell.process, hashwell.xoflib):
        failed, tried = doctest.testmod(module)
        assert tried > 0 and failed == 0


class TestCommand:
    def test_runs(self, tmp_path) -> None:
        path = tmp_path / "file"
        path.write_bytes(b"abc")
        result = python("-m", "hashwell", "sum", "-a", "sha256", str(path))
        assert result.returncode == 0 and result.stdout.startswith(hashwell.hexdigest("sha256", b"abc"))

    def test_exit_codes_pass_through(self) -> None:
        result = python("-m", "hashwell", "no-such-command")
        assert result.returncode == 2 and "no-such-command" in result.stderr

    @pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
    def test_ctrl_c_ends_it(self) -> None:
        import signal
        import time

        command = [sys.executable, "-m", "hashwell", "sum", "-a", "sha256", "-"]
        # A background job of a shell ignores the signal, and so do its child processes.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        finally:
            signal.signal(signal.SIGINT, before)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == -signal.SIGINT
