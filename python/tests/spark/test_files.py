"""hashwell.spark.sum_files gives the digests that `hashwell sum` prints, and a row for every file that fails."""

import json
import os
import zipfile
from pathlib import Path

import pytest

import hashwell.spark
from hashwell.spark import _pieces, _sums

ALGORITHMS = ["sha256", "blake3", "kt128"]
STREAMS = [name for name, row in hashwell.algorithms.items() if row.kind == "xof" and not row.digest_size]


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> list[str]:
    folder = tmp_path_factory.mktemp("files")
    for i, size in enumerate([0, 1, 1 << 20, (3 << 20) + 7]):
        (folder / f"{i} ünd.bin").write_bytes(bytes(range(256)) * (size // 256) + bytes(size % 256))
    return sorted(str(path) for path in folder.iterdir())


def said_by_the_command(command, algorithms: list[str], paths: list[str]) -> dict[str, dict[str, str]]:
    options = [part for name in algorithms for part in ("-a", name)]
    lines = map(json.loads, command("sum", "--json", *options, *paths).splitlines())
    found: dict[str, dict[str, str]] = {}
    for line in lines:
        found.setdefault(line["name"], {"size": line["size"]})[line["algorithm"]] = line["digest"]
    return found


def test_equal_to_the_command(session, command, files) -> None:
    df = hashwell.spark.sum_files(files, ALGORITHMS, spark=session)
    assert df.columns == ["path", "size", "modified", *ALGORITHMS, "error"]
    table = df.toArrow().to_pylist()
    expected = said_by_the_command(command, ALGORITHMS, files)
    assert {row["path"]: {name: row[name] for name in ["size", *ALGORITHMS]} for row in table} == expected
    assert all(row["error"] is None for row in table)
    for row in table:
        assert abs(row["modified"].timestamp() - os.stat(row["path"]).st_mtime) < 1e-3


def test_every_stream_has_the_commands_length(spark, command, files) -> None:
    (row,) = hashwell.spark.sum_files(files[1:2], STREAMS, spark=spark).toArrow().to_pylist()
    expected = said_by_the_command(command, STREAMS, files[1:2])[files[1]]
    assert {name: row[name] for name in STREAMS} == {name: expected[name] for name in STREAMS}


def test_a_task_a_file(spark, files) -> None:
    from pyspark.sql.functions import spark_partition_id

    found = hashwell.spark.sum_files(files, spark=spark).withColumn("task", spark_partition_id()).collect()
    assert len({row.task for row in found}) == len(files)
    found = hashwell.spark.sum_files(files, spark=spark, tasks=2).withColumn("task", spark_partition_id()).collect()
    assert sorted(row.task for row in found) == [0, 0, 1, 1]


def test_schemes(spark, files, tmp_path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(files[3], "inner")
    paths = [f"file://{files[3]}", f"zip://inner::file://{tmp_path}/a.zip", f"file://{tmp_path}", "none://x"]
    found = {row.path: row for row in hashwell.spark.sum_files(paths, spark=spark).collect()}
    plain, packed, folder, unknown = (found[path] for path in paths)
    expected = hashwell.file_digest(files[3], "sha256").hexdigest()
    assert plain.sha256 == packed.sha256 == expected and plain.size == packed.size == (3 << 20) + 7
    assert folder.error == "Is a directory" and folder.sha256 is None
    assert "none" in unknown.error and unknown.size is None


def test_files_that_fail_are_rows(session, files, tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    paths = [files[1], str(tmp_path / "missing"), str(tmp_path), str(tmp_path / "pipe"), "zero\0byte"]
    table = hashwell.spark.sum_files(paths, spark=session).toArrow().to_pylist()
    found = {row["path"]: row for row in table}
    assert found[paths[0]]["error"] is None and found[paths[0]]["sha256"]
    reasons = ["No such file or directory", "Is a directory", "not a regular file", "ValueError: embedded null byte"]
    for path, reason in zip(paths[1:], reasons, strict=True):
        assert found[path]["error"] == reason and found[path]["sha256"] is None


def append(path: Path) -> None:
    with open(path, "ab") as file:
        file.write(b"more")


def replace(path: Path) -> None:
    """Replaces a file by a different one with the same size and time."""
    before = path.stat()
    other = path.with_name("other")
    other.write_bytes(bytes(before.st_size))
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.rename(path)


CHANGES = pytest.mark.parametrize(
    ("meddle", "said"),
    [
        (append, "changed while it was read"),
        (replace, "changed while it was read"),
        (Path.unlink, "No such file or directory"),
    ],
)
SCHEMES = pytest.mark.parametrize("scheme", ["", "file://"])


@SCHEMES
@CHANGES
def test_a_file_that_changes_meanwhile(tmp_path, monkeypatch, scheme, meddle, said) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(1 << 16))
    real = _sums.sums

    def meddling(stream, algorithms):
        sums = real(stream, algorithms)
        meddle(path)
        return sums

    undisturbed = _sums.row(scheme + str(path), ["sha256"], {})
    assert undisturbed.error is None and undisturbed.digests[0]
    monkeypatch.setattr(_sums, "sums", meddling)
    row = _sums.row(scheme + str(path), ["sha256"], {})
    assert row.error.startswith(said) and row.digests == [None]
    if meddle is append:
        assert row.error.endswith("65536 of 65540 bytes were read")


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> str:
    """A file slightly longer than two parts."""
    path = tmp_path_factory.mktemp("large") / "file"
    with path.open("wb") as file:
        file.truncate((130 << 20) + 7)
        for at in range(0, 130 << 20, 100_003):
            file.seek(at)
            file.write(at.to_bytes(4, "big"))
    return str(path)


@pytest.mark.parametrize("algorithms", [["blake3", "sha256", "kt256", "sha3-256"], ["kt128"]])
def test_a_large_file_by_its_parts(session, command, files, large, algorithms) -> None:
    paths = [*files, f"file://{large}", large, large + ".missing"]
    df = hashwell.spark.sum_files(paths, algorithms, spark=session, split=1 << 20)
    assert df.columns == ["path", "size", "modified", *algorithms, "error"]
    found = {row["path"]: row for row in df.toArrow().to_pylist()}
    assert len(found) == len(paths)
    expected = said_by_the_command(command, algorithms, [*files, large])
    for path in paths[:-1]:
        row, local = found[path], path.removeprefix("file://")
        assert {name: row[name] for name in ["size", *algorithms]} == expected[local] and row["error"] is None
        assert abs(row["modified"].timestamp() - os.stat(local).st_mtime) < 1e-3
    missing = found[paths[-1]]
    assert missing["error"] == "No such file or directory" and missing[algorithms[0]] is None


def test_a_large_file_has_parts(spark, large) -> None:
    """Parts of 64 MiB for BLAKE3, and one part for SHA-256, which needs the complete file."""
    steps = _pieces._Sums(["blake3", "sha256"], {}, 1 << 20)
    begun = spark.createDataFrame([(0, large)], "number BIGINT, path STRING").mapInArrow(steps.begin, steps.schema)
    parts = begun.select("kind", "part").collect()
    assert [tuple(row) for row in parts] == [(_pieces.PART, part) for part in range(4)]


def test_nothing_is_cut_without_split(spark, large) -> None:
    archive = large + ".zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(large, "inner")
    paths = [f"zip://inner::file://{archive}"]
    (row,) = hashwell.spark.sum_files(paths, ["blake3"], spark=spark, split=None).collect()
    assert row.blake3 == hashwell.file_digest(large, "blake3").hexdigest() and row.error is None


def by_steps(steps: _pieces._Sums, path: str, meddle) -> dict:
    """Runs the steps that Spark runs for one path in this process."""
    import pyarrow as pa

    begun = list(steps.begin([pa.record_batch({"number": [0], "path": [path]})]))
    hashed = []
    for i, batch in enumerate(begun):
        meddle(i)
        hashed += steps.hash([batch])
    in_order = pa.Table.from_batches(hashed).sort_by([("kind", "ascending"), ("part", "ascending")])
    (row,) = steps.join(in_order.to_batches())
    return row.to_pylist()[0]


@SCHEMES
@CHANGES
@pytest.mark.parametrize("when", range(4))
def test_a_large_file_that_changes_meanwhile(tmp_path, large, scheme, meddle, said, when) -> None:
    path = tmp_path / "file"
    os.link(large, path)
    if meddle is append:
        path.unlink()
        path.write_bytes(Path(large).read_bytes())
    steps = _pieces._Sums(["kt128", "sha1", "sha256"], {}, 1 << 20)
    row = by_steps(steps, scheme + str(path), lambda step: meddle(path) if step == when else None)
    assert row["error"].startswith(said) and row["kt128"] is row["sha1"] is None


@pytest.mark.parametrize(
    ("paths", "options", "said"),
    [
        ("a", {}, "paths must be a list of paths"),
        (["a"], {"algorithms": ["sha257"]}, "sha257"),
        (["a"], {"algorithms": []}, "algorithms must contain at least one name"),
        (["a"], {"algorithms": ["sha256", "SHA-256"]}, "algorithms contains 'sha256' twice"),
        (["a"], {"tasks": 0}, "tasks must be at least 1, not 0"),
        (["a"], {"split": 0}, "split must be at least 1, not 0"),
    ],
)
def test_refused(spark, paths, options, said) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        hashwell.spark.sum_files(paths, spark=spark, **options)


def test_no_paths(spark) -> None:
    assert hashwell.spark.sum_files([], spark=spark).count() == 0
