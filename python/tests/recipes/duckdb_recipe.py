"""DuckDB: reads a relation as a stream of Arrow batches, or computes the tickets only in SQL."""

import pyarrow as pa

import hashwell


def table_digest(relation, scheme="sorted-sha256"):
    """The digest of all rows of a relation."""
    return hashwell.table_digest(relation, scheme=scheme)


def sample(relation, n, *, group_by, seed):
    """All rows of n groups of a relation, as an Arrow table. Only the picked rows are kept in memory."""
    state = hashwell.KeySampler(n, seed=seed, group_by=group_by)
    state.update(relation)
    return pa.table(state.result())


def sample_in_sql(name, n, *, group_by, seed):
    """SQL that returns the same rows, with DuckDB's own SHA-256 for the tickets; for a key of one column."""
    start = (prefix(seed) + b"\x01").hex()
    text = f"coalesce(encode({group_by}::VARCHAR), ''::BLOB)"
    ticket = f"sha256(from_hex('{start}') || {text})"
    return f"""
        SELECT * FROM {name} SEMI JOIN (
            SELECT DISTINCT {text} AS picked, {ticket} AS ticket FROM {name} ORDER BY ticket LIMIT {n}
        ) ON {text} = picked"""


def prefix(seed):
    """The key of a sample: docs/spec/sampling.md, step 2."""
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in (seed.encode(), b"hashwell sample/1"))
    return hashwell.sha256(b"hwdraw/1" + framed + bytes(32)).digest()
