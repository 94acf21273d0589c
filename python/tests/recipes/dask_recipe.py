"""Dask: a state for each partition, merged in a tree."""

import dask.bag
import pyarrow as pa

import hashwell


def _table(part):
    return pa.Table.from_pandas(part, preserve_index=False)


def table_digest(frame, scheme="sorted-sha256"):
    """The digest of all rows of a dask.dataframe."""

    def of_part(parts):
        digest = hashwell.TableDigest(scheme)
        for part in parts:
            digest.update(_table(part))
        return digest

    return _states(frame).reduction(of_part, _merged, split_every=8)


def sample(frame, n, *, group_by, seed):
    """All rows of n groups of a dask.dataframe, as an Arrow table."""

    def of_part(parts):
        state = hashwell.KeySampler(n, seed=seed, group_by=group_by)
        for part in parts:
            state.update(_table(part))
        return state

    return _states(frame).reduction(of_part, _merged, split_every=8).apply(lambda state: pa.table(state.result()))


def _states(frame):
    """A bag with one partition for each partition of the data frame, which contains the data."""
    return dask.bag.from_delayed([dask.delayed(lambda part: [part])(part) for part in frame.to_delayed()])


def _merged(states):
    first, *others = states
    for other in others:
        first.merge(other)
    return first
