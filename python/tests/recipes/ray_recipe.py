"""Ray Data: a state for each batch as a row of bytes, merged where they come together."""

import hashwell


def table_digest(dataset, suite="lthash64-blake3"):
    """The digest of all rows of a dataset."""

    def of_batch(batch):
        digest = hashwell.TableDigest(suite)
        digest.update(batch)
        return {"state": [digest.to_bytes()]}

    found = hashwell.TableDigest(suite)
    for row in dataset.map_batches(of_batch, batch_format="pyarrow").iter_rows():
        found.merge(hashwell.TableDigest.from_bytes(row["state"]))
    return found
