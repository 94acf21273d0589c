"""hwrow/1 and hwtable/1: rows as bytes, digests of rows and of tables (docs/spec/rows.md), with the standard library.

A value is None, a bool, an int or a `decimal.Decimal` (one class: exact numbers), a float (the caller widens binary16 and
binary32), a str, bytes, a list, or one of the classes below. `of_json` reads the values of vectors/rows.json.
"""

import hashlib
import json
import math
import struct
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from . import blake3

SORTED, LTHASH = "sorted-sha256", "lthash64-blake3"
DAY = 86_400


class Date(NamedTuple):
    """Days since 1970-01-01."""

    days: int


class Local(NamedTuple):
    """A timestamp without a zone: seconds since 1970, rounded down, and nanoseconds."""

    seconds: int
    nanoseconds: int


class Instant(NamedTuple):
    """A timestamp with a zone, in UTC."""

    seconds: int
    nanoseconds: int


class Time(NamedTuple):
    """Nanoseconds since midnight."""

    nanoseconds: int


class Duration(NamedTuple):
    seconds: int
    nanoseconds: int


class Interval(NamedTuple):
    months: int
    days: int
    nanoseconds: int


class Struct(NamedTuple):
    """Fields as pairs of name and value, in any order."""

    fields: tuple


class Map(NamedTuple):
    """Pairs of key and value, in any order."""

    pairs: tuple


class Refused(ValueError):
    """An error: a value or a table that has no encoding."""


def length(number):
    """A byte below 255, or 255 and eight bytes."""
    return bytes([number]) if number < 255 else b"\xff" + number.to_bytes(8, "big")


def string(data):
    return length(len(data)) + data


def exact(number):
    """A number m * 10**-s, with the smallest nonnegative s."""
    number = Decimal(number)
    if not number.is_finite():
        raise Refused("a decimal is a number")
    sign, digits, exponent = number.as_tuple()
    m = int("".join(map(str, digits)) or "0") * (-1 if sign else 1)
    s = -exponent
    if s < 0:
        m, s = m * 10**-s, 0
    while s > 0 and m % 10 == 0:
        m, s = m // 10, s - 1
    if s == 0 and -(2**63) <= m < 2**63:
        return b"\x10" + m.to_bytes(8, "big", signed=True)
    count = 1
    while not -(2 ** (8 * count - 1)) <= m < 2 ** (8 * count - 1):
        count += 1
    if s > 255 or count > 255:
        raise Refused("a number needs more than 255 digits or bytes")
    return bytes([0x11, s, count]) + m.to_bytes(count, "big", signed=True)


def real(number):
    """There is one encoding for all NaNs and one for both zeros."""
    if math.isnan(number):
        return b"\x20" + bytes.fromhex("7ff8000000000000")
    return b"\x20" + struct.pack(">d", number or 0.0)


def numbers(form, *values):
    try:
        return struct.pack(form, *values)
    except struct.error:
        raise Refused("a number is not of its width") from None


def moment(tag, value):
    if not 0 <= value.nanoseconds < 10**9:
        raise Refused("nanoseconds are a part of a second")
    return bytes([tag]) + numbers(">qI", *value)


def utf8(text):
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Refused("a text or name is not UTF-8") from None


def struct_of(value):
    names = [utf8(name) for name, _ in value.fields]
    if len(set(names)) < len(names):
        raise Refused("two fields have one name")
    fields = sorted(zip(names, (field for _, field in value.fields)), key=lambda pair: pair[0])
    return b"\x51" + length(len(fields)) + b"".join(string(name) + encode(field) for name, field in fields)


def map_of(value):
    if any(key is None for key, _ in value.pairs):
        raise Refused("a key of a map is null")
    pairs = sorted((encode(key), encode(item)) for key, item in value.pairs)
    if len({key for key, _ in pairs}) < len(pairs):
        raise Refused("a map has a key twice")
    return b"\x52" + length(len(pairs)) + b"".join(key + item for key, item in pairs)


def encode(value):
    """The bytes of a value."""
    match value:
        case None:
            return b"\x00"
        case bool():
            return b"\x02" if value else b"\x01"
        case int() | Decimal():
            return exact(value)
        case float():
            return real(value)
        case str():
            return b"\x30" + string(utf8(value))
        case bytes():
            return b"\x31" + string(value)
        case Date():
            return b"\x40" + numbers(">q", value.days)
        case Local():
            return moment(0x41, value)
        case Instant():
            return moment(0x42, value)
        case Time():
            if not 0 <= value.nanoseconds <= DAY * 10**9:
                raise Refused("a time of day is before 00:00 or after 24:00")
            return b"\x43" + struct.pack(">Q", value.nanoseconds)
        case Duration():
            return moment(0x44, value)
        case Interval():
            return b"\x45" + numbers(">iiq", *value)
        case list():
            return b"\x50" + length(len(value)) + b"".join(map(encode, value))
        case Struct():
            return struct_of(value)
        case Map():
            return map_of(value)
    raise Refused(f"{type(value).__name__} has no encoding")


def row(values):
    """The bytes of a row, whose values have the order of the header."""
    values = list(values)
    return b"\x60" + length(len(values)) + b"".join(map(encode, values))


def header(names, declared=False):
    """The bytes that describe the columns, sorted by the bytes of their names, or in the declared order."""
    names = [utf8(name) for name in names]
    if len(set(names)) < len(names):
        raise Refused("two columns have one name")
    names = names if declared else sorted(names)
    return b"\x61hwrow/1" + bytes([declared]) + length(len(names)) + b"".join(map(string, names))


def rows_of(names, table, declared=False):
    """The bytes of each row of a table, whose rows are in the order of `names`."""
    order = range(len(names))
    if not declared:
        order = sorted(order, key=lambda place: utf8(names[place]))
    return [row(values[place] for place in order) for values in table]


def sha256(data):
    return hashlib.sha256(data).digest()


def buckets(rows):
    """The sorted digests of rows, grouped by their first byte."""
    found = [[] for _ in range(256)]
    for digest in sorted(map(sha256, rows)):
        found[digest[0]].append(digest)
    return found


def root(rows, scheme):
    if scheme == SORTED:
        return sha256(b"".join(sha256(b"".join(bucket)) for bucket in buckets(rows)))
    if scheme != LTHASH:
        raise Refused(f"there is no scheme {scheme}")
    sums = [0] * 512
    for data, count in Counter(rows).items():
        for lane, number in enumerate(struct.unpack("<512Q", blake3.blake3(data, 4096))):
            sums[lane] = (sums[lane] + count * number) % 2**64
    return struct.pack("<512Q", *sums)


def table_digest(names, table, scheme=SORTED, declared=False):
    """The digest of a table, whose rows are in the order of `names`."""
    rows = rows_of(names, table, declared)
    head = sha256(header(names, declared))
    return sha256(
        b"hwtable/1" + string(scheme.encode()) + head + len(rows).to_bytes(8, "big") + root(rows, scheme)
    )


def of_json(value):
    """A value of vectors/rows.json: null, true, false, a list, or an object with one member, which names the class."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list):
        return [of_json(item) for item in value]
    ((name, inner),) = value.items()
    match name:
        case "int":
            return int(inner)
        case "decimal":
            return Decimal(inner)
        case "float":
            return struct.unpack(">d", bytes.fromhex(inner))[0]
        case "text":
            return inner
        case "bytes":
            return bytes.fromhex(inner)
        case "struct":
            return Struct(tuple((key, of_json(item)) for key, item in inner))
        case "map":
            return Map(tuple((of_json(key), of_json(item)) for key, item in inner))
    classes = {"date": Date, "time": Time, "local": Local, "instant": Instant, "duration": Duration, "interval": Interval}
    return classes[name](*inner)


def answers(case):
    """The expected results of a case in vectors/rows.json, computed again."""
    declared = case.get("order") == "declared"
    names, table = case["columns"], [[of_json(value) for value in values] for values in case["rows"]]
    rows = rows_of(names, table, declared)
    return {
        "header": header(names, declared).hex(),
        "encoded": [data.hex() for data in rows],
        "sha256": [sha256(data).hex() for data in rows],
        SORTED: table_digest(names, table, SORTED, declared).hex(),
        LTHASH: table_digest(names, table, LTHASH, declared).hex(),
    }


def main(path):
    """Writes the answers of all cases in a file: python3 -m reference.rows vectors/rows.json"""
    vectors = json.loads(path.read_text(encoding="utf-8"))
    for case in vectors["cases"]:
        if "refused" not in case:
            case |= answers(case)
    lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in vectors.pop("cases"))
    text = json.dumps(vectors, ensure_ascii=False)[:-1] + f', "cases": [\n{lines}\n]}}\n'
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
