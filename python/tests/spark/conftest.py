"""One local Spark for all tests, because it takes half a minute to start. The server of Spark Connect runs in it, too.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# Long versions of the tests: 10^7 rows instead of 2 * 10^5.
SLOW = os.environ.get("SLOW") == "1"

os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(scope="session")
def spark(tmp_path_factory) -> Iterator[object]:
    """Two cores, and two attempts for each task, which the tests of retries need."""
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    port = free_port()
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "3g",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(folder),
        "spark.log.level": "OFF",
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.port": str(port),
    }
    builder = SparkSession.builder.master("local[2,2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.connect_port = port
    yield session
    session.stop()


@pytest.fixture(scope="session")
def remote(spark) -> Iterator[object]:
    """A client that accesses the same Spark only through the protocol of Spark Connect. It is stopped before the server,
    because otherwise it would keep calling the server for minutes."""
    from pyspark.sql.connect.session import SparkSession

    session = SparkSession.builder.remote(f"sc://127.0.0.1:{spark.connect_port}").create()
    yield session
    session.stop()


@pytest.fixture(params=["spark", "remote"])
def session(request: pytest.FixtureRequest) -> object:
    """Runs a test with Spark, and again with Spark through Spark Connect."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def command():
    """A function that runs the command line and returns its output."""
    places = [os.environ.get("HASHWELL_COMMAND", ""), ROOT / ".venv/bin/hashwell"]
    program = next((str(place) for place in places if place and Path(place).is_file()), None)
    if program is None:
        pytest.skip("no command: make python")

    def run(*arguments: object) -> str:
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
