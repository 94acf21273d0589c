"""Polars: batches of the streaming engine are added to a state; map_batches gives a column of digests."""

import polars as pl

import hashwell


def table_digest(lazy, scheme="sorted-sha256"):
    """The digest of all rows of a LazyFrame, in bounded memory with lthash64-blake3."""
    digest = hashwell.TableDigest(scheme)
    for batch in lazy.collect_batches():
        digest.update(batch)
    return digest


def sample(lazy, n, *, group_by, seed):
    """All rows of n groups of a LazyFrame."""
    state = hashwell.KeySampler(n, seed=seed, group_by=group_by)
    for batch in lazy.collect_batches():
        state.update(batch)
    return pl.DataFrame(state.result())


def hash_rows(lazy, name="digest", **options):
    """A LazyFrame with an additional column: the digests of its rows."""

    def step(batch):
        return batch.with_columns(pl.Series(name, hashwell.hash_rows(batch, **options)).cast(pl.Binary))

    schema = lazy.collect_schema() | {name: pl.Binary}
    return lazy.map_batches(step, streamable=True, schema=schema)
