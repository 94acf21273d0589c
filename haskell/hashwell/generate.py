#!/usr/bin/env python3
"""Writes what the Haskell package has once an algorithm, from the registry: generate.py [--check] libhashwell.so.

The constants of Hashwell.Internal.Names, a module Crypto.Hash.* for each digest, and their list in hashwell.cabal.
With --check nothing is written, and what differs is named."""
import ctypes
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).parent
SPELLING = {"turboshake": "TurboSHAKE", "blake": "BLAKE", "ascon": "Ascon", "ripemd": "RIPEMD", "cshake": "CSHAKE"}


class Row:
    def __init__(self, library, number):
        text = lambda function: function(number).decode()
        for function in ("hw_name", "hw_title", "hw_source"):
            getattr(library, function).restype = ctypes.c_char_p
        self.number = number
        self.name, self.title, self.source = (text(getattr(library, f"hw_{f}")) for f in ("name", "title", "source"))
        self.len = library.hw_output_len(number)
        self.xof = library.hw_kind(number) == 2
        self.hmac = library.hw_has_hmac(number) == 1

    @property
    def constant(self):
        return re.sub(r"\W", "_", self.name)

    @property
    def module(self):
        """sha3-256 is SHA3_256, blake2b-512 BLAKE2b_512, ascon-xof-v1.2 Ascon_XOF_v1_2."""
        first, *rest = self.name.split("-")
        for old, new in SPELLING.items():
            if first.startswith(old):
                first = new + first[len(old):]
                break
        else:
            first = first.upper()
        rest = [r if r.startswith("v") else re.sub("^[a-z]+", lambda m: m[0].upper(), r) for r in rest]
        return "_".join([first, *rest]).replace(".", "_").replace("XOFA", "XOFa").replace("HASH", "Hash")


def names(rows):
    out = ["-- Written by generate.py. Change that.", "",
           "-- |", "-- The algorithms' numbers, which are a promise of the C interface, under their names.",
           "module Hashwell.Internal.Names"]
    out += [f"  {'(,'[i > 0]} {r.constant}" for i, r in enumerate(rows)]
    out += ["  ) where", "", "import Hashwell.Internal.Registry (Algorithm (..))"]
    for r in rows:
        out += ["", f"-- | {r.title}: {r.source}.", f"{r.constant} :: Algorithm",
                f"{r.constant} = Algorithm {r.number}"]
    return "\n".join(out) + "\n"


FUNCTIONS = {
    "hash": ("ByteString -> ByteString", "digest {number} {len}", "The digest of a message{default}."),
    "hash_lazy": ("BL.ByteString -> ByteString", "digestLazy {number} {len}",
                  "The same of a lazy one, in constant memory."),
    "hmac": ("ByteString -> ByteString -> ByteString", "tag {number} {len}", "The HMAC tag: key, then message."),
    "hmac_lazy": ("ByteString -> BL.ByteString -> ByteString", "tagLazy {number} {len}",
                  "The same of a lazy message; the key is strict."),
    "xof": ("Int -> ByteString -> ByteString", "\\len -> digest {number} (max 0 len)",
            "The first so many bytes of output; none for a negative number."),
    "xof_lazy": ("BL.ByteString -> BL.ByteString", "stream {number}", "All of the output, made as it is read."),
}


def module(r):
    wanted = ["hash", "hash_lazy"] + ["hmac", "hmac_lazy"] * r.hmac + ["xof", "xof_lazy"] * r.xof
    used = {FUNCTIONS[f][1].replace("\\len -> ", "").split()[0] for f in wanted}
    imports = sorted(used & {"digest", "digestLazy", "tag", "tagLazy"})
    bits = f" {8 * r.len} bits, {r.len} bytes." if not r.xof else f" Output of any length, {r.len} bytes by default."
    words = '"Hashwell.Hash" takes messages in pieces, many messages at once, and parameters.'
    out = ["-- Written by generate.py. Change that.", "", "-- |"]
    out += [f"-- {line}" for line in textwrap.wrap(f"{r.title} ({r.source}).{bits} {words}", 112)]
    out += [f"module Crypto.Hash.{r.module}"]
    out += [f"  {'(,'[i > 0]} {f}" for i, f in enumerate(wanted)] + ["  ) where", ""]
    out += ["import Data.ByteString (ByteString)", "import qualified Data.ByteString.Lazy as BL",
            f"import Hashwell.Internal.Digest ({', '.join(imports)})"]
    if r.xof:
        out += ["import Hashwell.Internal.Stream (stream)"]
    for f in wanted:
        kind, body, words = FUNCTIONS[f]
        default = f": its first {r.len} bytes of output" if r.xof else ""
        out += ["", f"-- | {words.format(default=default)}", f"{f} :: {kind}",
                f"{f} = {body.format(number=r.number, len=r.len)}"]
    return "\n".join(out) + "\n"


def table(rows):
    """The modules as values, for the tests."""
    out = ["-- Written by generate.py. Change that.", "", "-- |", "-- The modules Crypto.Hash.* as values.",
           "module Digests", "  ( Digest (..)", "  , digests", "  ) where", ""]
    out += [f"import qualified Crypto.Hash.{m}" for m in sorted(r.module for r in rows)]
    out += ["import Data.ByteString (ByteString)", "import qualified Data.ByteString.Lazy as BL", "",
            "-- | What a module has.", "data Digest = Digest", "  { digestAlgorithm :: String",
            "  , digestHash :: ByteString -> ByteString", "  , digestHashLazy :: BL.ByteString -> ByteString",
            "  , digestHmac :: Maybe",
            "      (ByteString -> ByteString -> ByteString, ByteString -> BL.ByteString -> ByteString)",
            "  , digestXof :: Maybe (Int -> ByteString -> ByteString, BL.ByteString -> BL.ByteString)", "  }", "",
            "-- | All of them, in the registry's order.", "digests :: [Digest]", "digests ="]
    for i, r in enumerate(rows):
        m = f"Crypto.Hash.{r.module}"
        pair = lambda there, name: f"(Just ({m}.{name}, {m}.{name}_lazy))" if there else "Nothing"
        out += [f"  {'[,'[i > 0]} Digest \"{r.name}\" {m}.hash {m}.hash_lazy",
                f"      {pair(r.hmac, 'hmac')}", f"      {pair(r.xof, 'xof')}"]
    return "\n".join(out + ["  ]"]) + "\n"


def cabal(rows, old):
    listed = "".join(f"    Crypto.Hash.{m}\n" for m in sorted(r.module for r in rows))
    begin, end = "    -- begin digests\n", "    -- end digests\n"
    head, rest = old.split(begin)
    return head + begin + listed + end + rest.split(end)[1]


def main(arguments):
    checking = arguments[0] == "--check"
    library = ctypes.CDLL(arguments[-1])
    library.hw_output_len.restype = ctypes.c_size_t
    rows = [Row(library, library.hw_at(i)) for i in range(library.hw_count())]
    files = {HERE / f"src/Crypto/Hash/{r.module}.hs": module(r) for r in rows}
    files[HERE / "src/Hashwell/Internal/Names.hs"] = names(rows)
    files[HERE / "test/Digests.hs"] = table(rows)
    listed = HERE / "hashwell.cabal"
    files[listed] = cabal(rows, listed.read_text())
    differing = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    stale = sorted(set((HERE / "src/Crypto/Hash").glob("*.hs")) - set(files))
    for path in stale:
        if checking:
            print(f"{path} is of no algorithm")
        else:
            path.unlink()
    for path in differing:
        if checking:
            print(f"{path} is not what generate.py writes")
        else:
            path.write_text(files[path])
    return 1 if checking and (differing or stale) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
