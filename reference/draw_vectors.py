"""Computes the transcripts of vectors/draw.json again from their plans, seeds and rows, and prints the new file.

Run it from the repository's root after a change of docs/spec/draw.md: python3 -m reference.draw_vectors > FILE. The
plan's description of the list (its digest, n and strata) is computed too, as are the commitment, the picks and the digest
of the output.
"""

import json

from .test_draw import VECTORS, complete


def main() -> None:
    file = json.loads(VECTORS.read_text(encoding="utf-8"))
    for case in file["cases"]:
        if "transcript" in case:
            old = case["transcript"]
            case["transcript"] = complete(old["plan"], old["seed"], case.get("rows"))
    cases = ",\n  ".join(json.dumps(case, sort_keys=True) for case in file["cases"])
    print(f'{{\n "source": {json.dumps(file["source"])},\n "note": {json.dumps(file["note"])},\n "cases": [\n  {cases}\n ]\n}}')


if __name__ == "__main__":
    main()
