"""Ray Data: each batch gives a state, as a row with its bytes; the states are merged at the end."""

import hashwell


def table_digest(dataset, scheme="lthash64-blake3"):
    """The digest of all rows of a dataset."""
    return _merged(dataset, lambda: hashwell.TableDigest(scheme))


def sample(dataset, n, *, group_by, seed):
    """All rows of n groups of a dataset, as Arrow columns."""
    return _merged(dataset, lambda: hashwell.KeySampler(n, seed=seed, group_by=group_by)).result()


def _merged(dataset, fresh):
    def of_batch(batch):
        state = fresh()
        state.update(batch)
        return {"state": [state.to_bytes()]}

    found = fresh()
    for row in dataset.map_batches(of_batch, batch_format="pyarrow").iter_rows():
        found.merge(type(found).from_bytes(row["state"]))
    return found
