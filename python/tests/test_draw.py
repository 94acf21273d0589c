"""Changed transcripts of hwdraw/1: for each, verify() and reference/draw.py give the same outcome and the same codes.

This package does not verify signatures of beacons. It reports them as unchecked items.
"""

from collections import Counter

import hashwell
import pytest

from reference import mutations
from reference.draw_checks import SOURCES


# For these parts of the rules for reading a transcript, verify() has separate codes.
FORMS = {"plan", "seed", "pick-fields"}


def found(case: mutations.Case) -> tuple[str, list[str]]:
    """The outcome, with the codes of all unchecked items or of the first mismatch."""
    columns = dict(zip(case.columns, zip(*case.rows, strict=True), strict=True)) if case.rows else {}
    try:
        verification = hashwell.verify(
            case.transcript,
            columns.get("id"),
            strata=columns.get("stratum"),
            weights=columns.get("weight"),
            committed=case.committed,
            seed_attested=case.attested,
        )
    except ValueError:
        return "mismatch", ["transcript"]
    first = [item.code for item in verification.mismatches[:1]]
    codes = ["transcript" if code in FORMS else code for code in first]
    return verification.outcome, codes or sorted(item.code for item in verification.unchecked)


def test_changed_transcripts_have_one_outcome() -> None:
    compared: Counter[str] = Counter()
    for case in mutations.mutations():
        if case.list is not None and case.rows is None:
            continue  # a file that was changed, which verify() does not read
        expected = mutations.found(case, signatures=False)
        assert found(case) == expected, case
        compared[expected[0]] += 1
    assert compared.total() > 4500 and compared["verified"] > 100 and compared["partial"] > 200, compared


def test_sources_are_those_of_the_specification() -> None:
    for source in SOURCES:
        assert hashwell.draw(["a"], 1, seed="s", source=source).ids == ["a"]
    with pytest.raises(ValueError):
        hashwell.draw(["a"], 1, seed="s", source="sha256")


@pytest.mark.parametrize("odd", [None, b"a", 1.5, True, float("nan"), ("a",), object(), bytearray(b"a")])
def test_ids_that_have_no_one_text_are_refused(odd: object) -> None:
    """Otherwise an entrant could be called None or b'a'."""
    for rows, others in (([odd, "b"], {}), (["a", "b"], {"weights": [odd, 1]}), (["a", "b"], {"strata": [odd, "x"]})):
        with pytest.raises(TypeError, match="must be a str, an int or a Decimal, not "):
            hashwell.draw(rows, 1, seed="s", **others)


def test_ids_that_are_no_text_are_refused() -> None:
    for odd in ("\ud800", ""):
        with pytest.raises(ValueError):
            hashwell.draw([odd, "b"], 1, seed="s")
    for weight in ("0" * 101, "1e3", "-1", "\u0661", "NaN"):
        with pytest.raises(ValueError):
            hashwell.draw({"a": weight, "b": 1}, 1, method="weighted-ticket", seed="s")
    assert sorted(hashwell.draw([1, 2**70], 2, seed="s").ids) == ["1", str(2**70)]


def test_seeds_that_are_no_text_are_refused() -> None:
    with pytest.raises(TypeError, match="dice must be a str or bytes, not 'int': pass its digits as a string, such as '8773451233'"):
        hashwell.draw(["a", "b"], 1, dice=8773451233)
    for name in ("drand", "nist"):
        with pytest.raises(TypeError, match=f"{name} must be a str or bytes, not 'int'"):
            hashwell.draw(["a", "b"], 1, **{name: 10**12})
    with pytest.raises(TypeError, match="transcript must be a str or bytes, not 'int'"):
        hashwell.verify(10**12)
    for name in ("drand_chain", "certificate"):
        with pytest.raises(TypeError, match=f"{name} must be a str or bytes, not 'int'"):
            hashwell.draw(["a", "b"], 1, seed="s", **{name: 10**12})


def test_sets_have_no_order_for_lists_beside_them() -> None:
    for given in ({"weights": [1, 1000], "method": "weighted-ticket"}, {"strata": ["x", "y"]}):
        with pytest.raises(TypeError, match="ids is a set"):
            hashwell.draw({"ann", "bob"}, 1, dice="12", **given)  # type: ignore[arg-type]
    weights = {"ann": 1, "bob": 1000}
    assert hashwell.draw({"ann", "bob"}, 1, dice="12", weights=weights, method="weighted-ticket").ids
