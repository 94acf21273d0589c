#!/usr/bin/env python3
"""Writes the interface modules of SHA-2's other functions, whose source is that of SHA-256: interfaces.py [--check].

With --check it writes nothing and prints the files that differ. A common package instead would be a dependency that users
of one hash don't want. The modules Block and Message of the two packages are written by hand, to be read next to FIPS 180-4:
the sizes of words, lengths and padding differ in half of their lines."""
import pathlib
import re
import sys

HASKELL = pathlib.Path(__file__).resolve().parents[1]
SOURCE = HASKELL / "hashwell-sha256/src/Crypto/Hash/SHA256.hs"
# The family, the name, its section in FIPS 180-4, the section of its initial hash value, that value, and the digest's bytes.
OTHERS = {
    "SHA224": ("SHA256", "SHA-224", "6.3", "5.3.2", """
        c1059ed8 367cd507 3070dd17 f70e5939 ffc00b31 68581511 64f98fa7 befa4fa4""", 28),
    "SHA384": ("SHA512", "SHA-384", "6.5", "5.3.4", """
        cbbb9d5dc1059ed8 629a292a367cd507 9159015a3070dd17 152fecd8f70e5939
        67332667ffc00b31 8eb44a8768581511 db0c2e0d64f98fa7 47b5481dbefa4fa4""", 48),
    "SHA512": ("SHA512", "SHA-512", "6.4", "5.3.5", """
        6a09e667f3bcc908 bb67ae8584caa73b 3c6ef372fe94f82b a54ff53a5f1d36f1
        510e527fade682d1 9b05688c2b3e6c1f 1f83d9abfb41bd6b 5be0cd19137e2179""", 64),
    "SHA512_224": ("SHA512", "SHA-512/224", "6.6", "5.3.6.1", """
        8c3d37c819544da2 73e1996689dcd4d6 1dfab7ae32ff9c82 679dd514582f9fcf
        0f6d2b697bd44da8 77e36f7304c48942 3f9d85a86a1d36c8 1112e6ad91d692a1""", 28),
    "SHA512_256": ("SHA512", "SHA-512/256", "6.7", "5.3.6.2", """
        22312194fc2bf72c 9f555fa3c84c64c2 2393b86b6f53b151 963877195940eabd
        96283ee2a88effe3 be5e1e2553863992 2b0199fc2c85b8aa 0eb72ddc81c52ca2""", 32),
}
EXAMPLE = ['-- >>> BS.unpack (BS.take 4 (hash "strict bytestring input"))', "-- [189,68,42,11]"]


def interface(name, source):
    """The module of a function."""
    family, title, section, of_value, value, length = OTHERS[name]
    about, body = re.split(r"(?=^module )", source, maxsplit=1, flags=re.M)
    if name == family:
        about = about.replace("SHA-256", title).replace("6.2", section).replace("SHA256", name)
        about = re.sub(r"-- >>> BS.take 10.*\n.*\n", lambda _: "\n".join(EXAMPLE) + "\n", about)
    else:
        about = (f"-- |\n-- {title} (FIPS 180-4 section {section}) and HMAC-{title} (RFC 2104): {family[:3]}-{family[3:]} with another\n"
                 f'-- initial hash value and a digest of {length} bytes. "Crypto.Hash.{family}" has the security section.\n')
    words = ["0x" + word for word in value.split()]
    rows = f"Variant (State {' '.join(words)}) {length}" if family == "SHA256" else (
        f"Variant (State\n  {' '.join(words[:4])}\n  {' '.join(words[4:])}) {length}")
    body = re.sub(r"Variant \(State 0x.*\) 32$", rows, body, flags=re.M)
    body = body.replace("5.3.3", of_value).replace("32 bytes", f"{length} bytes").replace("sha256", name.lower())
    body = body.replace("Crypto.Hash.SHA256.", f"Crypto.Hash.{family}.").replace("Crypto.Hash.SHA256\n", f"Crypto.Hash.{name}\n")
    return about.replace("-- |\n", "-- Written by pure/interfaces.py from SHA256.hs. Don't edit this file.\n\n-- |\n", 1) + body


def main(arguments):
    source = SOURCE.read_text()
    differing = []
    for name in OTHERS:
        path = HASKELL / f"hashwell-{OTHERS[name][0].lower()}/src/Crypto/Hash/{name}.hs"
        text = interface(name, source)
        if path.exists() and path.read_text() == text:
            continue
        differing.append(path)
        if "--check" in arguments:
            print(f"{path} differs from the output of pure/interfaces.py")
        else:
            path.write_text(text)
    return 1 if differing and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
