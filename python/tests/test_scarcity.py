"""If the system refuses threads or memory, calls continue with what there is or raise an error. They never hang."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits as Linux has them")

PROLOGUE = """
import hashlib, os, resource, sys
import hashwell

def threads_at_most(count):
    # The limit is on a user's threads, and does not hold for root.
    if os.getuid() == 0:
        os.setgroups([]), os.setgid(65534), os.setuid(65534)
    resource.setrlimit(resource.RLIMIT_NPROC, (count, count))

def memory_at_most(more):
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

messages = [bytes([i]) * 100_000 for i in range(100)]
expected = [hashlib.sha256(message).digest() for message in messages]
path = "/dev/shm/hashwell-test-%d" % os.getpid()
with open(path, "wb") as file:
    file.truncate(20_000_000)
whole = hashwell.blake3(bytes(20_000_000)).digest()
tree = hashwell.kt128(bytes(20_000_000)).digest(32)
file = os.open(path, os.O_RDONLY)
os.unlink(path)
path = "/proc/self/fd/%d" % file
"""

WORK = {
    "hash_many": "assert hashwell.hash_many('sha256', messages, threads=THREADS) == expected",
    "hmac_many": "assert len(hashwell.hmac_many('sha256', b'k', messages, threads=THREADS)) == 100",
    "file_digest of blake3": "assert hashwell.file_digest(path, 'blake3').digest() == whole",
    "file_digest of kt128": "assert hashwell.file_digest(path, 'kt128').digest(32) == tree",
}


def run(*lines: str) -> None:
    program = PROLOGUE + "\n".join(lines)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_threads(work, count) -> None:
    run(f"threads_at_most({count})", work.replace("THREADS", "64"), work.replace("THREADS", "0"))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_threads_sample_the_same_rows(count) -> None:
    run(
        "import pyarrow",
        "table = pyarrow.table({'id': [str(i) for i in range(50_000)]})",
        "def sample(threads): return hashwell.sample(table, 9, seed='s', group_by='id', threads=threads).to_pylist()",
        "must = sample(1)",
        f"threads_at_most({count})",
        "assert sample(64) == must",
    )


def test_the_limit_holds() -> None:
    """The control: other code can't start a thread."""
    run(
        "import threading; threads_at_most(1)",
        "try: threading.Thread(target=print).start()",
        "except RuntimeError: sys.exit(0)",
        "sys.exit('no thread was refused')",
    )


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
@pytest.mark.parametrize("more", [2**20, 3 * 2**20, 2**23])
def test_little_memory(work, more) -> None:
    """There isn't enough memory for all threads."""
    run(f"memory_at_most({more})", work.replace("THREADS", "64"))


@pytest.mark.parametrize(
    "work",
    [
        "hashwell.shake128(b'').read(2**33)",
        "hashwell.shake128(b'').uniform(2**31, 5)",
        "hashwell.xof_many('shake128', [b''] * 20, 2**29)",
        "hashwell.hash_many('shake128', [b''] * 20, length=2**29, hex=True)",
        "hashwell.HmacDrbg('sha256').generate(2**33)",
        "hashwell.kmac128(b'', b'', 2**33)",
    ],
)
def test_too_little_memory_is_an_exception(work) -> None:
    run("memory_at_most(2**24)", f"try: {work}", "except MemoryError: sys.exit(0)", "sys.exit('there was memory')")
