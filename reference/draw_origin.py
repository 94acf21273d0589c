"""The origin of a seed: the source in a plan, its description, and the checks of a beacon (docs/spec/draw.md)."""

import json
import re
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PEOPLE = ("dice", "text", "hex", "os")
LETTERS, DIGITS = "abcdefghijklmnopqrstuvwxyz", "0123456789"
OF_LETTERS = ((0x249C, 0x24B5), (0x24B6, 0x24CF), (0x24D0, 0x24E9), (0xFF21, 0xFF3A), (0xFF41, 0xFF5A), (0x1D400, 0x1D6A3),
              (0x1F110, 0x1F129), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189), (0x1F1E6, 0x1F1FF))
OF_DIGITS = ((0x2070, 0x2079), (0x2080, 0x2089), (0xFF10, 0xFF19), (0x1D7CE, 0x1D7FF))
BLOCKS = [*((a, b, LETTERS) for a, b in OF_LETTERS), *((a, b, DIGITS) for a, b in OF_DIGITS), (0x2460, 0x2468, DIGITS[1:])]
NOTHING = ((0xAD, 0xAD), (0x300, 0x36F), (0x200B, 0x200F), (0x2060, 0x2064), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF))
CONTROLS = "[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
WORD = "n[i1l][s5]t[0-9]*"
NAMES = ("dr[a4]nd", "qu[i1l]ckn[e3]t", "f[a4][s5]tn[e3]t", "b[e3][a4]c[o0]n", "l[e3][a4]gu[e3][o0]f[e3]ntr[o0]py", "n[il][s5]t[0-9]",
         "[0-9a-f]{64}")
LOOKALIKES = """
a @ªÀÁÂÃÄÅàáâãäåĀāĂăĄąǍǎǞǟǠǡǺǻȀȁȂȃȦȧȺɐɑΑαАаᎪᴀᵃḀḁẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặₐ∀⍺＠
b ßƀƄɓʙΒβВЬвьᏴᴃᵇḂḃḄḅḆḇ
c ¢©ÇçĆćĈĉĊċČčƈɕϲϹСсᏟᴄᶜḈḉℂⅭⅽ∁Ⲥⲥꮯ￠
d ÐðĎďĐđƊɖɗԀԁᎠᏧᴅᵈḊḋḌḍḎḏḐḑḒḓⅅⅆⅮⅾ∂ꓒꓓꭰ
e ÈÉÊËèéêëĒēĔĕĖėĘęĚěƏƐȄȅȆȇȨȩɘəɛΕεϵЁЄЕЭеэёєҼҽᎬᴇᵉḔḕḖḗḘḙḚḛḜḝẸẹẺẻẼẽẾếỀềỂểỄễỆệₑ€℮ℯℰⅇ∃ꭼ
f ƒϜϝḞḟℱꜰ
g ĜĝĞğĠġĢģƓǦǧǴǵɠɡɢԌԍցᏀᵍḠḡℊ
i !¡ÌÍÎÏìíîïĨĩĪīĬĭĮįİıǏǐȈȉȊȋɩɪΙιІЇіїӀӏᎥᵢḬḭḮḯỈỉỊịⁱℹⅈⅠⅰ！
k ĶķĸƘƙǨǩΚκКкҚқᏦᴋᵏḰḱḲḳḴḵₖKⲔⲕ
l |¦ĹĺĻļĽľŁłǀɭʟˡ׀ᏞḶḷḸḹḺḻḼḽₗℓⅬⅼ∣｜
n ÑñŃńŅņŇňŊŋƞǸǹȠɲɳɴΝΠηπИПипՌոռᴎṄṅṆṇṈṉṊṋⁿₙℕꓠ
o °ºÒÓÔÕÖØòóôõöøŌōŎŏŐőƠơǑǒǪǫǬǭȌȍȎȏȪȫȬȭȮȯȰȱΘΟΣθοσОоӨөՕօᴏᵒṌṍṎṏṐṑṒṓỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợₒ
p ÞþƤƥΡρРрᏢᴘᵖṔṕṖṗₚℙ⍴
q ɊɋʠԚԛգզℚ
r ®ŔŕŖŗŘřȐȑȒȓɼɽɾʀʳГЯгяᎡᏒᴙᴦᵣṘṙṚṛṜṝṞṟℛℝⲄⲅꓣ
s $§ŚśŜŝŞşŠšſȘșʂˢЅѕՏᏚṠṡṢṣṤṥṦṧṨṩẛₛ∫ꓢꜱ＄
t ŢţŤťŦŧƬƭȚțʈΤτТтᎢᴛᵗṪṫṬṭṮṯṰṱẗ†ₜ⊤ꓔ
u ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲųƯưƱǓǔǕǖǗǘǙǚǛǜȔȕȖȗʊʋμυцՍսᴜᵘᵤṲṳṴṵṶṷṸṹṺṻỤụỦủỨứỪừỬửỮữỰự∪
y ¥ÝýÿŶŷŸȲȳʏΥγУуҮүყẎẏẙỲỳỴỵỶỷỸỹ
"""
ALIKE = {alike: line[0] for line in LOOKALIKES.split("\n") if line for alike in line[2:]}

# Published chains: hash, scheme, key. For each scheme: the number of bytes of the key and of the signature.
CHAINS = {
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971": ("bls-unchained-g1-rfc9380", "83cf0f2896adee7eb8b5f01fcad3"
    "912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab"
    "4af5a6e9c76a4bc09e76eae8991ef5ece45a"),
    "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce": ("pedersen-bls-chained", "868f005eb8e6e4ca0a47c8a77ceaa530"
    "9a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31"),
    "dbd506d6ef76e5f386f41c651dcb808c5bcbd75471cc4eafa3f4df7ad4e4c493": ("bls-unchained-on-g1", "a0b862a7527fee3a731bcb59280ab6ab"
    "d62d5c0b6ea03dc4ddf6612fdfc9d01f01c31542541771903475eb1ec6615f8d0df0b8b6dce385811d6dcf8cbefb8759e5e616a3dfd054c928940766d9a5b9db"
    "91e3b697e5d70a975181e007f87fca5e"),
}
SCHEMES = {"pedersen-bls-chained": (48, 96), "pedersen-bls-unchained": (48, 96), "bls-unchained-on-g1": (96, 48),
           "bls-unchained-g1-rfc9380": (96, 48)}
# Published certificates of NIST's beacon, by their SHA-512; the files have them as PEM.
CERTIFICATES = {
    "528943a555f5f8ca54423be6dfb95925a35c7b552046420e7d7cd072058a14d6536ad3a8e9754b6582f164a90b0cd86a65d659f5426a2659a947595d1c816c8c":
    "nist-chain2-2025.pem",
    "5501e3d72bc42f3b96e16de4dcadcb16768e109662bd16d667d5fd9aee585af31bbdc5dd4f53592276064b53dddd76c8f3604b2a41db6e09f78f82bb5d6569e7":
    "nist-chain1-2018.pem",
}
SHA512_INFO = bytes.fromhex("3051300d060960864801650304020305000440")
RSA = bytes.fromhex("06092a864886f70d010101")


def check(right: bool, what: str, code: str = "beacon") -> None:
    """Raises an error with the code of a mismatch."""
    if not right:
        error = ValueError(what)
        error.__dict__["code"] = code
        raise error


def some_bytes(value: dict, *names: str) -> None:
    for name in names:
        check(bool(re.fullmatch("([0-9a-f]{2})+", value[name])), f"{name} is bytes in lower-case hexadecimal")


def fold(text: str) -> str:
    """Step 1 of the rule for descriptions."""
    def letter(c: str) -> str:
        block = [repeats[(ord(c) - first) % len(repeats)] for first, last, repeats in BLOCKS if first <= ord(c) <= last]
        unseen = any(first <= ord(c) <= last for first, last in NOTHING)
        return ALIKE.get(c) or "".join(block) or (c.lower() if re.fullmatch("[A-Za-z0-9]", c) else "" if unseen else " ")
    return "".join(map(letter, text))


def names_a_beacon(text: str) -> bool:
    words = fold(text)
    return any(re.fullmatch(WORD, word) for word in words.split(" ")) or bool(re.search("|".join(NAMES), words.replace(" ", "")))


def source(plan: dict) -> None:
    """Checks the source of a seed beyond its form."""
    description, kind = plan["seed_source"]["description"], plan["seed_source"]["kind"]
    check(len(description.encode()) <= 1000 and not re.search(CONTROLS, description), "the description is one line of 1000 bytes", "transcript")
    check(kind not in PEOPLE or not names_a_beacon(description), "the description doesn't read as if it named a beacon", "transcript")


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def show(source: dict) -> str:
    words = [source["kind"], *(f"{key} {source[key]}" for key in ("chain", "round", "pulse", "certificate") if key in source)]
    return " ".join(words) + (f" ({quoted(source['description'])})" if source.get("description") else "")


def given(seed: dict) -> str:
    beacon = seed.get("drand") or seed.get("nist") or {}
    return show({"kind": seed["from"]} | beacon_source(seed) if beacon else {"kind": seed["from"]}) + " " + (
        quoted(seed["text"]) if "text" in seed else seed["hex"])


def beacon_source(seed: dict) -> dict:
    if seed["from"] == "drand":
        return {key: seed["drand"][key] for key in ("chain", "round")}
    if seed["from"] == "nist":
        return {"certificate": Message(seed["nist"]).certificate, **{key: seed["nist"][key] for key in ("chain", "pulse")}}
    return {}


class Message:
    """The beginning of the signed message of a pulse."""

    def __init__(self, pulse: dict) -> None:
        some_bytes(pulse, "message")
        self.data, self.at = bytes.fromhex(pulse["message"]), 0
        self.uri, self.version, self.suite, self.period = self.field(), self.field(), self.take(4), self.take(4)
        self.certificate, self.chain, self.pulse = self.field().hex(), self.take(8), self.take(8)
        self.time = self.field()

    def take(self, size: int) -> bytes:
        self.at += size
        check(self.at <= len(self.data), "the message is too short")
        return self.data[self.at - size : self.at]

    def field(self) -> bytes:
        return self.take(int.from_bytes(self.take(4), "big"))


def drand(seed: dict, data: bytes, chain: bytes | None) -> list[str]:
    """The unchecked items of a round. Pairings are not computed."""
    round = seed["drand"]
    some_bytes(round, "public_key", "signature", *(name for name in ("previous_signature",) if name in round))
    sizes, key, signature = SCHEMES.get(round["scheme"]), bytes.fromhex(round["public_key"]), bytes.fromhex(round["signature"])
    check(sizes == (len(key), len(signature)) and not key[0] & 0x40, "the scheme is known, and has such keys and signatures")
    check(("previous_signature" in round) == (round["scheme"] == "pedersen-bls-chained"), "only chained rounds have one before")
    check(sha256(signature).digest() == data, "the seed is the round's randomness")
    known = CHAINS.get(round["chain"])
    check(known in (None, (round["scheme"], round["public_key"])), "the key is the published one")
    if chain is not None:
        info = json.loads(chain)
        beacon = info.get("metadata", {}).get("beaconID", "")
        parts = (info["period"].to_bytes(4, "big"), info["genesis_time"].to_bytes(8, "big", signed=True), bytes.fromhex(info["public_key"]),
                 bytes.fromhex(info["groupHash"]), b"" if beacon == "default" else beacon.encode())
        check(sha256(b"".join(parts)).hexdigest() == info["hash"] == round["chain"], "the chain given is the seed's", "beacon-key")
        check((info.get("schemeID", "pedersen-bls-chained"), info["public_key"]) == (round["scheme"], round["public_key"]), "its key", "beacon-key")
    return ["beacon-key"] * (known is None and chain is None) + ["beacon-signature"]


def nist(seed: dict, data: bytes, certificate: bytes | None) -> list[str]:
    """The unchecked items of a pulse."""
    pulse = seed["nist"]
    some_bytes(pulse, "signature", *(name for name in ("certificate",) if name in pulse))
    message, signature = Message(pulse), bytes.fromhex(pulse["signature"])
    fields = (pulse["uri"].encode(), pulse["chain"].to_bytes(8, "big"), pulse["pulse"].to_bytes(8, "big"), pulse["time"].encode())
    check((message.uri, message.chain, message.pulse, message.time) == fields, "the fields are the signed ones")
    check(message.suite == bytes(4) == message.data[-4:], "cipher suite and status are 0")
    check(pulse["uri"].startswith("https://"), "the uri is one of https")
    check(pulse["uri"].endswith(f"/chain/{pulse['chain']}/pulse/{pulse['pulse']}"), "the uri is that of the pulse")
    check(bool(re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", pulse["time"])), "the time is one")
    check(sha512(message.data + signature).digest() == data, "the seed is the pulse's output value")
    name, known = message.certificate, None
    if "certificate" in pulse:
        known = bytes.fromhex(pulse["certificate"])
        check(sha512(known).hexdigest() == name, "the certificate is the one that the message names")
    elif name in CERTIFICATES:
        known = der((ROOT / "crates/hashwell-draw/src/hwdraw/beacon" / CERTIFICATES[name]).read_bytes())
    if certificate is not None:
        check(sha512(der(certificate)).hexdigest() == name, "the certificate given is the seed's", "beacon-key")
    known = known or der(certificate or b"")
    if known:
        verify_rsa(known, pulse["time"], message.data, signature)
    return ["beacon-key"] * (name not in CERTIFICATES and certificate is None) + ["beacon-signature"] * (not known)


def der(file: bytes) -> bytes:
    from base64 import b64decode
    inside = re.search(b"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", file, re.DOTALL)
    return b64decode(b"".join(inside[1].split()), validate=True) if inside else file


def members(data: bytes) -> list[tuple[int, bytes, bytes]]:
    """The members of a DER sequence, each with its tag, its content, and all of its bytes."""
    found, at = [], 0
    while at < len(data):
        start, tag, size = at, data[at], data[at + 1]
        at += 2
        if size & 0x80:
            at, size = at + (size & 0x7F), int.from_bytes(data[at : at + (size & 0x7F)], "big")
        check(at + size <= len(data), "the certificate is DER")
        found.append((tag, data[at : at + size], data[start : at + size]))
        at += size
    return found


def moment(tag: int, text: bytes) -> str:
    digits = text.decode()[:-1] if tag == 0x18 else ("20" if text < b"50" else "19") + text.decode()[:-1]
    return "{}{}{}{}-{}{}-{}{}T{}{}:{}{}:{}{}".format(*digits)


def verify_rsa(certificate: bytes, time: str, message: bytes, signature: bytes) -> None:
    """RSASSA-PKCS1-v1_5 with SHA-512, with the key of a certificate that is valid at that time."""
    fields = members(members(members(certificate)[0][1])[0][1])
    fields = fields[1:] if fields[0][0] == 0xA0 else fields  # serial, algorithm, issuer, validity, subject, key
    first, last = (moment(tag, content) for tag, content, _ in members(fields[3][1]))
    check(first <= time[:19] <= last, "the time is within the certificate's")
    algorithm, key = members(fields[5][1])
    check(members(algorithm[1])[0][2] == RSA, "the key is of RSA")
    n, e = (int.from_bytes(content, "big") for _, content, _ in members(members(key[1][1:])[0][1]))
    size = (n.bit_length() + 7) // 8
    check(256 <= size <= 1024 and e < 2**32 and len(signature) == size, "sizes of key and signature")
    padded = b"\0\1" + b"\xff" * (size - 3 - 19 - 64) + b"\0" + SHA512_INFO + sha512(message).digest()
    s = int.from_bytes(signature, "big")
    check(s < n and pow(s, e, n).to_bytes(size, "big") == padded, "the signature is the certificate's")


def origin(plan: dict, seed: dict, data: bytes, evidence: dict[str, Any]) -> list[str]:
    """Unchecked items of the seed. Its origin must be the one in the plan."""
    planned = {key: value for key, value in plan["seed_source"].items() if key != "description"}
    check(planned == {"kind": seed["from"]} | beacon_source(seed), "the seed is the one planned", "seed-origin")
    kind, chain, certificate = seed["from"], evidence.get("chain"), evidence.get("certificate")
    if kind == "drand":
        unchecked = drand(seed, data, chain)
    elif kind == "nist":
        unchecked = nist(seed, data, certificate)
    else:
        unchecked = [] if evidence.get("attested") else ["seed-origin"]
    check(chain is None or kind == "drand", "a chain is given for a seed from drand", "beacon-key")
    check(certificate is None or kind == "nist", "a certificate is given for a seed from NIST's beacon", "beacon-key")
    return unchecked
