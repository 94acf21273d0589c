"""DataFusion: aggregate functions in Python with update, merge and state, for SQL with any number of partitions."""

import pyarrow as pa
from datafusion import Accumulator, udaf

import hashwell


def table_digest(names, types, scheme="sorted-sha256"):
    """The function hashwell_digest(columns...) for columns with these names and types."""

    class Digest(Accumulator):
        def __init__(self):
            self._digest = hashwell.TableDigest(scheme)

        def update(self, *columns):
            self._digest.update(pa.record_batch(list(columns), names=names))

        def merge(self, states):
            # Some releases pass the column of states, others a list that contains it.
            column = states[0] if isinstance(states, list) else states
            for state in column.to_pylist():
                if state:
                    self._digest.merge(hashwell.TableDigest.from_bytes(state))

        def state(self):
            known = self._digest.columns is not None
            return [pa.scalar(self._digest.to_bytes() if known else b"", pa.binary())]

        def evaluate(self):
            return pa.scalar(self._digest.digest(), pa.binary())

    return udaf(Digest, types, pa.binary(), [pa.binary()], "immutable", name="hashwell_digest")


def sample_keys(k, *, seed):
    """The function hashwell_keys(text), which returns the k texts with the smallest tickets. Join with them to get the
    rows."""

    class Keys(Accumulator):
        def __init__(self):
            self._state = hashwell.KeySampler(k, seed=seed, group_by="key")

        def update(self, keys):
            # One row for each key is enough.
            self._state.update(pa.record_batch([keys.unique()], names=["key"]))

        def _keys(self):
            return pa.table(self._state.result())["key"].unique().to_pylist() if self._state.seen else []

        def merge(self, states):
            column = states[0] if isinstance(states, list) else states
            for keys in column.to_pylist():
                self.update(pa.array(keys, pa.string()))

        def state(self):
            return [pa.scalar(self._keys(), pa.list_(pa.string()))]

        def evaluate(self):
            return self.state()[0]

    texts = pa.list_(pa.string())
    return udaf(Keys, [pa.string()], texts, [texts], "immutable", name="hashwell_keys")
