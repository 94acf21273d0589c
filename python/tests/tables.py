"""Tables of random types, each in random Arrow forms, to compare hashwell with reference/rows.py.

First come the values, in the form of the reference. Arrays are then built from buffers, without pyarrow's conversions of
values, so that they have everything that the columnar format allows: values behind nulls, offsets, overlaps, dictionaries
and runs.
"""

import struct
from decimal import Decimal

import pyarrow as pa
from reference import rows as ref

DAY = 86_400
UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
LENGTHS = [0, 1, 2, 5, 11, 12, 13, 14, 40, 253, 254, 255, 256, 300]
EDGES = [n + d for n in (0, 2**7, 2**8, 2**15, 2**16, 2**31, 2**32, 2**63, 2**64, 2**127, 2**255) for d in (-2, -1, 0, 1)]


# ---------------------------------------------------------------- types and values


def random_type(rng, depth=0):
    flat = ["null", "bool", "int", "int", "float", "decimal", "decimal", "text", "text", "bytes", "fixed", "date32", "date64",
            "time", "local", "instant", "duration", "interval"]
    nested = ["list", "list", "fixed_list", "struct", "struct", "map"]
    kind = rng.choice(flat if depth >= 3 else flat + nested * (2 if depth == 0 else 1))
    if kind == "int":
        return kind, rng.choice([1, 2, 4, 8]), rng.random() < 0.5
    if kind == "float":
        return kind, rng.choice([2, 4, 8])
    if kind == "decimal":
        width, digits = rng.choice([(4, 9), (8, 18), (16, 38), (32, 76)])
        return kind, width, digits, rng.choice([0, 0, 1, 2, digits, digits - 1, -1, -3, rng.randrange(-40, 80), -255, 255])
    if kind == "fixed":
        return kind, rng.choice([0, 1, 3, 16, 255, 256])
    if kind in ("time", "local", "instant", "duration"):
        return kind, rng.choice(list(UNITS))
    if kind == "list":
        return kind, random_type(rng, depth + 1)
    if kind == "fixed_list":
        return kind, rng.choice([0, 0, 1, 2, 3, 300 if depth == 0 else 4]), random_type(rng, max(depth + 1, 3) if rng.random() < 0.5 else depth + 1)
    if kind == "struct":
        names = rng.sample(["a", "b", "B", "é", "ab", "", "z" * 254, "z" * 255, "𝄞", "\uffee"], rng.randrange(4))
        return kind, [(name, random_type(rng, depth + 1)) for name in names]
    if kind == "map":
        while True:
            key = random_type(rng, 3 if rng.random() < 0.8 else 2)
            if key[0] not in ("null",):
                return kind, key, random_type(rng, depth + 1)
    return (kind,)


def integer(rng, low, high):
    some = [n for edge in EDGES for n in (edge, -edge) if low <= n <= high]
    return rng.choice(some) if rng.random() < 0.5 else rng.randint(low, high) if rng.random() < 0.5 else max(low, min(high, rng.randint(-9, 9)))


def raw_number(rng, type):
    """An integer in the buffer of a type with a fixed width, and the value that it stands for."""
    kind = type[0]
    if kind == "int":
        low = -(1 << (8 * type[1] - 1)) if type[2] else 0
        n = integer(rng, low, low + (1 << 8 * type[1]) - 1)
        return n, n
    if kind == "decimal":
        _, width, digits, scale = type
        n = integer(rng, -(1 << (8 * width - 1)), (1 << (8 * width - 1)) - 1)
        if rng.random() < 0.4:
            n = integer(rng, -99, 99) * 10 ** rng.randrange(digits - 1)
            n = max(-(1 << (8 * width - 1)), min((1 << (8 * width - 1)) - 1, n))
        return n, Decimal((n < 0, tuple(map(int, str(abs(n)))), -scale))
    if kind == "date32":
        n = integer(rng, -(2**31), 2**31 - 1)
        return n, ref.Date(n)
    if kind == "date64":
        n = integer(rng, -(2**63) // (DAY * 1000) + 1, 2**63 // (DAY * 1000) - 1)
        return n * DAY * 1000, ref.Date(n)
    per = UNITS[type[1]]
    if kind == "time":
        n = rng.choice([0, 1, DAY * per, DAY * per - 1, rng.randrange(DAY * per)])
        return n, ref.Time(n * (10**9 // per))
    n = integer(rng, -(2**63), 2**63 - 1)
    made = {"local": ref.Local, "instant": ref.Instant, "duration": ref.Duration}[kind]
    return n, made(n // per, n % per * (10**9 // per))


class Item:
    """A value, with its bytes if they don't follow from the value."""

    __slots__ = ("raw", "value")

    def __init__(self, value, raw=None):
        self.value, self.raw = value, raw


FLOATS = {2: "e", 4: "f", 8: "d"}


def random_item(rng, type, nullable=True, size=4):
    """`value` has the form of the reference; `raw` is a number, bytes, or items."""
    kind = type[0]
    if kind == "null" or (nullable and rng.random() < 0.2):
        return Item(None)
    if kind == "bool":
        return Item(rng.random() < 0.5)
    if kind in ("int", "decimal", "date32", "date64", "time", "local", "instant", "duration"):
        raw, value = raw_number(rng, type)
        return Item(value, raw)
    if kind == "float":
        letter, width = FLOATS[type[1]], type[1]
        exponent, fraction = {2: (5, 10), 4: (8, 23), 8: (11, 52)}[width]
        top = ((1 << exponent) - 1) << fraction
        bits = rng.choice([0, 1 << (8 * width - 1), 1, top, top | 1, top | (1 << (fraction - 1)), rng.getrandbits(8 * width),
                           1 << fraction, (1 << fraction) - 1, ((1 << (exponent - 1)) - 1) << fraction, top - 1])
        data = (bits | (rng.getrandbits(1) << (8 * width - 1))).to_bytes(width, "little")
        (value,) = struct.unpack("<" + letter, data)
        return Item(value, data)
    if kind == "interval":
        raw = (integer(rng, -(2**31), 2**31 - 1), integer(rng, -(2**31), 2**31 - 1), integer(rng, -(2**63), 2**63 - 1))
        return Item(ref.Interval(*raw), struct.pack("<iiq", *raw))
    if kind == "text":
        value = "".join(rng.choice("aé|\0𝄞") for _ in range(rng.choice(LENGTHS[:8] if rng.random() < 0.9 else LENGTHS)))
        return Item(value, value.encode())
    if kind == "bytes":
        value = rng.randbytes(rng.choice(LENGTHS[:8] if rng.random() < 0.9 else LENGTHS))
        return Item(value, value)
    if kind == "fixed":
        value = rng.randbytes(type[1])
        return Item(value, value)
    if kind in ("list", "fixed_list"):
        count = type[1] if kind == "fixed_list" else rng.choice([0, 1, 2, size])
        if kind == "list" and size == 4 and rng.random() < 0.01:
            count = rng.choice([254, 255, 256])
        items = [random_item(rng, type[-1], size=2) for _ in range(count)]
        return Item([item.value for item in items], items)
    if kind == "struct":
        fields = [random_item(rng, inner) for _, inner in type[1]]
        return Item(ref.Struct(tuple((name, field.value) for (name, _), field in zip(type[1], fields))), fields)
    if kind == "map":
        pairs, keys = [], set()
        for _ in range(rng.choice([0, 1, 2, 4])):
            key = random_item(rng, type[1], nullable=False)
            data = ref.encode(key.value)
            if data not in keys:
                keys.add(data)
                pairs.append((key, random_item(rng, type[2])))
        return Item(ref.Map(tuple((key.value, value.value) for key, value in pairs)), pairs)
    raise AssertionError(kind)


# ---------------------------------------------------------------- arrays


def bits_of(flags):
    data = bytearray((len(flags) + 7) // 8)
    for i, flag in enumerate(flags):
        data[i // 8] |= bool(flag) << i % 8
    return pa.py_buffer(bytes(data))


def validity(items):
    return bits_of([item.value is not None for item in items])


def packed(form, numbers):
    return pa.py_buffer(struct.pack(f"<{len(numbers)}{form}", *numbers))


def arrow_type(type):
    kind = type[0]
    if kind == "int":
        return getattr(pa, f"{'' if type[2] else 'u'}int{8 * type[1]}")()
    if kind == "float":
        return getattr(pa, f"float{8 * type[1]}")()
    if kind == "decimal":
        return getattr(pa, f"decimal{8 * type[1]}")(type[2], type[3])
    if kind == "time":
        return (pa.time32 if type[1] in ("s", "ms") else pa.time64)(type[1])
    if kind == "instant":
        return pa.timestamp(type[1], "Europe/Oslo")
    if kind in ("local", "duration"):
        return (pa.timestamp if kind == "local" else pa.duration)(type[1])
    return {"date32": pa.date32, "date64": pa.date64, "interval": pa.month_day_nano_interval, "bool": pa.bool_}[kind]()


def build(rng, type, items):
    """An array of these items, which can be a slice of a longer array, and can be encoded as a dictionary or as runs."""
    before, after = rng.choice([(0, 0), (0, 0), (1, 0), (9, 3), (0, 2)]) if len(items) < 2000 else (0, 0)
    if before or after:
        # The parts outside of the slice have values as well.
        some = [random_item(rng, type, size=1) for _ in range(before + after)]
        return build_whole(rng, type, some[:before] + items + some[before:]).slice(before, len(items))
    return build_whole(rng, type, items)


def build_whole(rng, type, items):
    form = "plain" if type[0] == "null" else rng.choice(["plain"] * 5 + ["dictionary", "runs"])
    if form == "dictionary":
        return dictionary(rng, type, items)
    if form == "runs":
        return runs(rng, type, items)
    return direct(rng, type, items)


def dictionary(rng, type, items):
    """Build a dictionary array with the values in random order. A null is either a null index or an index of a null
    value."""
    places = list(range(len(items)))
    rng.shuffle(places)
    values = [items[i] for i in places]
    place_of = {i: j for j, i in enumerate(places)}
    null_by_index = rng.random() < 0.5
    narrow = [t for t in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64") if len(items) < 120 or t[-1] in "246" and len(items) < 30000]
    letter = dict(int8="b", uint8="B", int16="h", uint16="H", int32="i", uint32="I", int64="q", uint64="Q")
    name = rng.choice(narrow)
    numbers, valid = [], []
    for i, item in enumerate(items):
        hidden = null_by_index and item.value is None and rng.random() < 0.7
        valid.append(not hidden)
        numbers.append(100 if hidden else place_of[i])
    index = pa.Array.from_buffers(getattr(pa, name)(), len(items), [bits_of(valid), packed(letter[name], numbers)])
    return pa.DictionaryArray.from_arrays(index, build(rng, type, values), safe=False)


def runs(rng, type, items):
    ends, values = [], []
    for i, item in enumerate(items):
        # Equal values may be in separate runs. Values with the same encoding may share a run.
        if values and ref.encode(values[-1].value) == ref.encode(item.value) and rng.random() < 0.8:
            ends[-1] = i + 1
        else:
            ends.append(i + 1)
            values.append(item)
    name, letter = rng.choice([("int16", "h"), ("int32", "i"), ("int64", "q")])
    array = build(rng, type, values)
    ends = pa.Array.from_buffers(getattr(pa, name)(), len(ends), [None, packed(letter, ends)])
    return pa.RunEndEncodedArray.from_arrays(ends, array)


def direct(rng, type, items):
    kind, n = type[0], len(items)
    bitmap = None if all(item.value is not None for item in items) and rng.random() < 0.5 else validity(items)
    if kind == "null":
        return pa.nulls(n)
    if kind == "bool":
        flags = [rng.random() < 0.5 if item.value is None else item.value for item in items]
        return pa.Array.from_buffers(pa.bool_(), n, [bitmap, bits_of(flags)])
    if kind in ("text", "bytes"):
        return strings(rng, kind, items, bitmap)
    if kind == "fixed":
        data = b"".join(rng.randbytes(type[1]) if item.value is None else item.raw for item in items)
        return pa.Array.from_buffers(pa.binary(type[1]), n, [bitmap, pa.py_buffer(data)])
    if kind == "list":
        return lists(rng, type, items, bitmap)
    if kind == "fixed_list":
        inner = [part for item in items for part in (item.raw or [random_item(rng, type[2], size=1) for _ in range(type[1])] if type[1] else [])]
        child = build(rng, type[2], inner)
        return pa.Array.from_buffers(pa.list_(pa.field("item", child.type), type[1]), n, [bitmap], children=[child])
    if kind == "struct":
        children = []
        for i, (_, inner) in enumerate(type[1]):
            children.append(build(rng, inner, [item.raw[i] if item.value is not None else random_item(rng, inner, size=1) for item in items]))
        fields = [pa.field(name, child.type) for (name, _), child in zip(type[1], children)]
        return pa.Array.from_buffers(pa.struct(fields), n, [bitmap], children=children)
    if kind == "map":
        return maps(rng, type, items, bitmap)
    width = arrow_type(type).bit_width // 8
    data = b""
    for item in items:
        if item.value is None:
            data += rng.randbytes(width)
        elif isinstance(item.raw, bytes):
            data += item.raw
        else:
            data += item.raw.to_bytes(width, "little", signed=item.raw < 0)
    return pa.Array.from_buffers(arrow_type(type), n, [bitmap, pa.py_buffer(data)])


def strings(rng, kind, items, bitmap):
    # Behind a null there can be any bytes, even if they are not UTF-8.
    parts = [item.raw if item.value is not None else rng.choice([b"", b"\xff\xfe", b"hidden" * 4]) for item in items]
    n = len(items)
    if rng.random() < 0.35:
        buffers, views = [b"", b"junk" * 3], []
        for part in parts:
            if len(part) <= 12:
                views.append(struct.pack("<i12s", len(part), part))
                continue
            i = rng.randrange(2)
            # Equal values may share bytes.
            at = buffers[i].find(part)
            if at < 0:
                at, buffers[i] = len(buffers[i]), buffers[i] + part
            views.append(struct.pack("<i4sii", len(part), part[:4], i, at))
        type = pa.string_view() if kind == "text" else pa.binary_view()
        return pa.Array.from_buffers(type, n, [bitmap, pa.py_buffer(b"".join(views)), *map(pa.py_buffer, buffers)])
    wide = rng.random() < 0.5
    data, offsets = rng.choice([b"", b"unused"]), []
    offsets.append(len(data))
    for part in parts:
        data += part
        offsets.append(len(data))
    type = {("text", False): pa.string, ("text", True): pa.large_string, ("bytes", False): pa.binary, ("bytes", True): pa.large_binary}[kind, wide]()
    return pa.Array.from_buffers(type, n, [bitmap, packed("q" if wide else "i", offsets), pa.py_buffer(data)])


def hidden_list(rng, item, inner):
    if item.value is not None:
        return item.raw
    return [random_item(rng, inner, size=1) for _ in range(rng.randrange(3))]


def lists(rng, type, items, bitmap):
    n, inner = len(items), type[1]
    parts = [hidden_list(rng, item, inner) for item in items]
    wide = rng.random() < 0.5
    letter = "q" if wide else "i"
    if rng.random() < 0.4:
        # A list view: the lists are in any order, with gaps, and empty lists can begin anywhere.
        whole, places = [], [None] * n
        order = list(range(n))
        rng.shuffle(order)
        for i in order:
            part = parts[i]
            if rng.random() < 0.2:
                whole.append(random_item(rng, inner, size=1))
            places[i] = len(whole)
            whole.extend(part)
            if not part:
                places[i] = rng.randint(0, len(whole))
        sizes = [len(part) for part in parts]
        child = build(rng, inner, whole)
        made = (pa.large_list_view if wide else pa.list_view)(pa.field("item", child.type))
        return pa.Array.from_buffers(made, n, [bitmap, packed(letter, places), packed(letter, sizes)], children=[child])
    before = [random_item(rng, inner, size=1) for _ in range(rng.choice([0, 0, 2]))]
    offsets, whole = [len(before)], before
    for part in parts:
        whole = whole + part
        offsets.append(len(whole))
    child = build(rng, inner, whole)
    made = (pa.large_list if wide else pa.list_)(pa.field("item", child.type))
    return pa.Array.from_buffers(made, n, [bitmap, packed(letter, offsets)], children=[child])


def maps(rng, type, items, bitmap):
    pairs, offsets = [], [0]
    for item in items:
        if item.value is None:
            pairs += [(random_item(rng, type[1], nullable=False), random_item(rng, type[2], size=1)) for _ in range(rng.randrange(2))]
        else:
            some = list(item.raw)
            rng.shuffle(some)
            pairs += some
        offsets.append(len(pairs))
    keys = build(rng, type[1], [key for key, _ in pairs])
    values = build(rng, type[2], [value for _, value in pairs])
    entries = pa.struct([pa.field("key", keys.type, nullable=False), pa.field("value", values.type)])
    entry = pa.Array.from_buffers(entries, len(pairs), [None], children=[keys, values])
    made = pa.map_(pa.field("key", keys.type, nullable=False), pa.field("value", values.type))
    return pa.Array.from_buffers(made, len(items), [bitmap, packed("i", offsets)], children=[entry])


def random_table(rng):
    """Names, types, the items of each column, and rows in the form of the reference."""
    rows = rng.choice([0, 1, 2, 7, 17, 40])
    names = rng.sample(["id", "Id", "", "ä", "z", "n" * 255, "\uffee", "𝄞", "a\nb"], rng.randrange(1, 5))
    types = [random_type(rng) for _ in names]
    columns = [[random_item(rng, type) for _ in range(rows)] for type in types]
    values = list(zip(*([item.value for item in items] for items in columns))) if rows else []
    return names, types, columns, values
