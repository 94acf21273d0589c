//! The ways in which lists write the bytes of a digest as text: hexadecimal with or without separators, base64, base32,
//! Nix's base32, base36, base58, and multihashes with a multibase prefix, also in base2, base8 and base10.

use crate::choice::Choice;
use crate::legacy::Legacy;
use crate::method::Method;
use data_encoding::{
    BASE32_DNSSEC, BASE32_NOPAD_NOCASE, BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD, HEXLOWER_PERMISSIVE,
};

/// Decodes hexadecimal digits, in upper or lower case. Returns `None` if the text is empty or invalid.
#[must_use]
pub fn hex(text: &[u8]) -> Option<Vec<u8>> {
    HEXLOWER_PERMISSIVE.decode(text).ok().filter(|digest| !digest.is_empty())
}

/// Decodes hexadecimal with colons between the bytes, as `openssl dgst -c` writes it.
#[must_use]
pub fn hex_with_colons(text: &[u8]) -> Option<Vec<u8>> {
    let bytes = text.split(|b| *b == b':').map(|pair| hex(pair).filter(|byte| byte.len() == 1));
    Some(bytes.collect::<Option<Vec<_>>>()?.concat()).filter(|digest| digest.len() > 1)
}

/// Decodes hexadecimal in groups of two to sixteen digits, separated by spaces, as `gpg --print-md` and certutil write
/// it. Returns `None` if there are fewer than 16 bytes or fewer than two groups.
#[must_use]
pub fn hex_in_groups(text: &[u8]) -> Option<Vec<u8>> {
    let groups = text.split(|b| *b == b' ').filter(|group| !group.is_empty());
    let (mut digest, mut count) = (Vec::new(), 0);
    for group in groups {
        digest.extend(hex(group).filter(|bytes| bytes.len() <= 8)?);
        count += 1;
    }
    (count > 1 && digest.len() >= 16).then_some(digest)
}

/// Decodes base64 with or without padding, in the standard or the URL-safe alphabet (RFC 4648 sections 4 and 5).
#[must_use]
pub fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let decoded = BASE64.decode(text).or_else(|_| BASE64_NOPAD.decode(text));
    let decoded = decoded.or_else(|_| BASE64URL_NOPAD.decode(text)).or_else(|_| BASE64URL.decode(text));
    decoded.ok().filter(|digest| !digest.is_empty())
}

/// Decodes base32 without padding, in upper or lower case (RFC 4648 section 6).
#[must_use]
pub fn base32(text: &[u8]) -> Option<Vec<u8>> {
    BASE32_NOPAD_NOCASE.decode(text).ok().filter(|digest| !digest.is_empty())
}

/// The alphabet of Nix's base32, without e, o, t and u.
const NIX: &[u8; 32] = b"0123456789abcdfghijklmnpqrsvwxyz";

/// Decodes Nix's base32, which writes the digest as one little-endian number with the most significant digit first.
#[must_use]
pub fn nix_base32(text: &[u8]) -> Option<Vec<u8>> {
    let len = text.len() * 5 / 8;
    if len == 0 || (len * 8).div_ceil(5) != text.len() {
        return None;
    }
    let mut digest = vec![0_u8; len];
    for (n, digit) in text.iter().rev().enumerate() {
        let value = NIX.iter().position(|letter| letter == digit)? as u16;
        let (byte, shift) = (n * 5 / 8, n * 5 % 8);
        let bits = value << shift;
        digest[byte] |= bits as u8;
        match digest.get_mut(byte + 1) {
            Some(next) => *next |= (bits >> 8) as u8,
            None if bits >> 8 != 0 => return None,
            None => {}
        }
    }
    Some(digest)
}

/// Encodes a digest in Nix's base32.
#[must_use]
pub fn to_nix_base32(digest: &[u8]) -> String {
    let digits = (digest.len() * 8).div_ceil(5);
    let digit = |n: usize| {
        let (byte, shift) = (n * 5 / 8, n * 5 % 8);
        let low = u16::from(digest[byte]) | u16::from(*digest.get(byte + 1).unwrap_or(&0)) << 8;
        char::from(NIX[usize::from(low >> shift & 31)])
    };
    (0..digits).rev().map(digit).collect()
}

/// The alphabet of base58 as Bitcoin and IPFS use it.
const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Decodes base58. Returns `None` if the text is empty, invalid or longer than 192 digits. The length is limited
/// because the cost grows with its square.
#[must_use]
pub fn base58(text: &[u8]) -> Option<Vec<u8>> {
    big_number(text, BASE58)
}

/// The digits of base36.
const BASE36: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// The alphabet of base58 as Flickr uses it.
const BASE58_FLICKR: &[u8; 58] = b"123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";

/// The digits of base10.
const BASE10: &[u8; 10] = b"0123456789";

/// The maximum number of digits of a [`big_number`]. A multihash of 64 bytes in a CID has at most 168 digits in base10.
/// The number is limited because the cost grows with its square.
const MOST_DIGITS: usize = 192;

/// Decodes a number with at most [`MOST_DIGITS`] digits. Zero digits at the beginning are zero bytes.
fn big_number(text: &[u8], digits: &[u8]) -> Option<Vec<u8>> {
    if text.is_empty() || text.len() > MOST_DIGITS {
        return None;
    }
    let mut number: Vec<u8> = Vec::new();
    for digit in text {
        let mut carry = digits.iter().position(|letter| letter == digit)?;
        for byte in &mut number {
            carry += usize::from(*byte) * digits.len();
            *byte = carry as u8;
            carry >>= 8;
        }
        while carry > 0 {
            number.push(carry as u8);
            carry >>= 8;
        }
    }
    number.extend(text.iter().take_while(|digit| **digit == digits[0]).map(|_| 0));
    number.reverse();
    Some(number)
}

/// The alphabet of z-base-32.
const ZBASE32: &[u8; 32] = b"ybndrfg8ejkmcpqxot1uwisza345h769";

/// Decodes z-base-32: base32 with a different alphabet.
fn zbase32(text: &[u8]) -> Option<Vec<u8>> {
    const STANDARD: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let value = |digit: &u8| ZBASE32.iter().position(|letter| letter == digit).map(|value| STANDARD[value]);
    base32(&text.iter().map(value).collect::<Option<Vec<u8>>>()?)
}

/// Decodes digits of one or three bits (base2, base8), as the multibase specification defines it: the first digit has
/// the most significant bits, and the last digit is filled with zero bits.
fn bits(text: &[u8], width: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * width / 8);
    let (mut held, mut count) = (0_u16, 0);
    for digit in text {
        let value = u16::from(digit.checked_sub(b'0').filter(|value| *value < 1 << width)?);
        (held, count) = (held << width | value, count + width);
        if count >= 8 {
            count -= 8;
            bytes.push((held >> count) as u8);
            held &= (1 << count) - 1;
        }
    }
    // The bits that remain are too few for a digit, and zero.
    (count < width && held == 0 && !bytes.is_empty()).then_some(bytes)
}

/// Decodes a text with a multibase prefix (multiformats/multibase): `0` for base2, `7` for base8, `9` for base10, `f` for
/// hexadecimal, `b` and `c` for base32, `v` and `t` for base32hex, `h` for z-base-32, `k` for base36, `z` for base58, `Z`
/// for base58 of Flickr, `m`, `M`, `u` and `U` for base64. Most other letters also have an upper-case form.
fn multibase(text: &[u8]) -> Option<Vec<u8>> {
    let (base, digits) = text.split_first()?;
    let unpadded = || {
        let end = digits.iter().rposition(|b| *b != b'=').map_or(0, |at| at + 1);
        (digits.len() % 8 == 0).then(|| &digits[..end])
    };
    match base {
        b'0' => bits(digits, 1),
        b'7' => bits(digits, 3),
        b'9' => big_number(digits, BASE10),
        b'f' | b'F' => hex(digits),
        b'b' | b'B' => base32(digits),
        b'c' | b'C' => base32(unpadded()?),
        b'v' | b'V' => BASE32_DNSSEC.decode(digits).ok(),
        b't' | b'T' => BASE32_DNSSEC.decode(unpadded()?).ok(),
        b'h' => zbase32(digits),
        b'k' => big_number(digits, BASE36),
        b'K' => big_number(&digits.to_ascii_lowercase(), BASE36),
        b'z' => base58(digits),
        b'Z' => big_number(digits, BASE58_FLICKR),
        b'm' => BASE64_NOPAD.decode(digits).ok(),
        b'M' => BASE64.decode(digits).ok(),
        b'u' => BASE64URL_NOPAD.decode(digits).ok(),
        b'U' => BASE64URL.decode(digits).ok(),
        _ => None,
    }
}

/// The codes of the multicodec table for algorithms with a single digest length (multiformats/multicodec, April 2026).
/// BLAKE2 has a code for each length, which [`multihash_code`] computes.
const CODES: &[(u64, &str)] = &[
    (0x11, "sha1"),
    (0x12, "sha256"),
    (0x13, "sha512"),
    (0x14, "sha3-512"),
    (0x15, "sha3-384"),
    (0x16, "sha3-256"),
    (0x17, "sha3-224"),
    (0x18, "shake128"),
    (0x19, "shake256"),
    (0x1e, "blake3"),
    (0x20, "sha384"),
    (0x1013, "sha224"),
    (0x1014, "sha512-224"),
    (0x1015, "sha512-256"),
    (0x1053, "ripemd160"),
    (0x1d01, "kt128"),
    (0x1d02, "kt256"),
    (0x534d, "sm3"),
];

/// The code of MD5, which is only read.
const MD5: u64 = 0xd5;

/// The codes of BLAKE2b and BLAKE2s are these numbers plus the digest length in bytes.
const BLAKE2B: u64 = 0xb200;
const BLAKE2S: u64 = 0xb240;

/// The multihash code for this algorithm and digest length, if the multicodec table has one.
#[must_use]
pub fn multihash_code(choice: Choice) -> Option<u64> {
    let len = choice.output_len as u64;
    match choice.algorithm.name {
        "blake2b-512" | "blake2b-256" => Some(BLAKE2B + len),
        "blake2s-256" => Some(BLAKE2S + len),
        name => CODES.iter().find(|(_, row)| *row == name).map(|(code, _)| *code),
    }
}

/// Encodes a digest as a multihash: code, length and bytes. Returns `None` if the algorithm has no multihash code.
#[must_use]
pub fn to_multihash(choice: Choice, digest: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for mut number in [multihash_code(choice)?, digest.len() as u64] {
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    bytes.extend_from_slice(digest);
    Some(bytes)
}

/// An unsigned varint of at most 32 bits in its shortest form, and the bytes after it.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (i, byte) in bytes.iter().enumerate().take(5) {
        number |= u64::from(byte & 0x7f) << (7 * i);
        if byte & 0x80 == 0 {
            return (i == 0 || *byte != 0).then_some((number, &bytes[i + 1..]));
        }
    }
    None
}

/// Parses a multihash into the algorithm and the digest. Returns `None` for truncated digests, because the algorithm
/// must support the length.
#[must_use]
pub fn from_multihash(bytes: &[u8]) -> Option<(Method, Vec<u8>)> {
    let (code, rest) = varint(bytes)?;
    let (len, digest) = varint(rest)?;
    if digest.len() as u64 != len {
        return None;
    }
    if code == MD5 && len == 16 {
        return Some((Method::Legacy(Legacy::Md5), digest.to_vec()));
    }
    let blake2 = |base: u64, longest: u64| (base + 1..=base + longest).contains(&code) && code - base == len;
    let name = match code {
        _ if blake2(BLAKE2B, 64) => "blake2b-512",
        _ if blake2(BLAKE2S, 32) => "blake2s-256",
        _ => CODES.iter().find(|(known, _)| *known == code)?.1,
    };
    let choice = Choice::with_len(hashwell::find(name).ok()?, digest.len())?;
    Some((Method::Row(choice), digest.to_vec()))
}

/// Parses a multihash in text form: in hexadecimal, or with a multibase prefix. The multihash can be inside a CIDv1 of
/// raw bytes. Base58 without a prefix (`Qm…`) is not accepted, because it is the CID of a dag-pb node, not the digest of
/// a file.
#[must_use]
pub fn multihash(text: &[u8]) -> Option<(Method, Vec<u8>)> {
    // A shorter text could be a word. MD5 has 27 characters in base58 with a prefix, and 38 in hexadecimal.
    const SHORTEST: usize = 27;
    const SHORTEST_DIGEST: usize = 16;
    const SHORTEST_HEX: usize = 36;
    if text.len() < SHORTEST {
        return None;
    }
    let bare = Some(text).filter(|text| text.len() >= SHORTEST_HEX).and_then(hex);
    bare.and_then(|bytes| from_multihash(&bytes)).or_else(|| {
        let bytes = multibase(text)?;
        // A CIDv1 (0x01) of raw bytes (0x55) is a multihash after these two bytes.
        let read = from_multihash(bytes.strip_prefix(&[0x01, 0x55]).unwrap_or(&bytes));
        read.filter(|(_, digest)| digest.len() >= SHORTEST_DIGEST)
    })
}

/// Returns true for the content identifier (CID) of a dag-pb node, which is not the digest of the file's bytes. This is
/// a CIDv0, or a CIDv1 with the codec dag-pb.
#[must_use]
pub fn is_cid_of_node(text: &[u8]) -> bool {
    let is_sha256 = |bytes: &[u8]| bytes.starts_with(&[0x12, 0x20]) && bytes.len() == 34;
    if text.starts_with(b"Qm") && text.len() == 46 {
        return base58(text).is_some_and(|bytes| is_sha256(&bytes));
    }
    let node = |bytes: Vec<u8>| bytes.strip_prefix(&[0x01, 0x70]).is_some_and(is_sha256);
    multibase(text).is_some_and(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nix_base32_as_nix_hash_writes_it() {
        let digest = hex(b"5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03").unwrap();
        // The output of `nix-hash --flat --type sha256 --base32` (Nix 2.8) for "hello\n".
        let text = "00xyyr3fi8l6hb839bv3f7yb86yjv7xi1cgh1xnhipym4asvb4aq";
        assert_eq!(to_nix_base32(&digest), text);
        assert_eq!(nix_base32(text.as_bytes()), Some(digest));
        for (len, text) in [(16, "4425hx5d1mc9y39llj4k4nm55i"), (20, "iwjz551fyw0cxcjgf4l6c879zabd6wpm")] {
            let digest = nix_base32(text.as_bytes()).unwrap();
            assert_eq!((digest.len(), to_nix_base32(&digest)), (len, text.to_owned()));
        }
        // A letter that is not in the alphabet, extra bits at the end, and a length that no digest has are invalid.
        assert_eq!(nix_base32(b"e0xyyr3fi8l6hb839bv3f7yb86yjv7xi1cgh1xnhipym4asvb4aq"), None);
        assert_eq!(nix_base32(b"z0xyyr3fi8l6hb839bv3f7yb86yjv7xi1cgh1xnhipym4asvb4aq"), None);
        assert_eq!(nix_base32(b"000"), None);
    }

    #[test]
    fn multihashes() {
        let hello = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
        let digest = hex(hello.as_bytes()).unwrap();
        let sha256 = Choice::of(hashwell::find("sha256").unwrap());
        let bytes = to_multihash(sha256, &digest).unwrap();
        assert_eq!(bytes[..2], [0x12, 0x20]);
        let expected = Some((Method::Row(sha256), digest));
        assert_eq!(from_multihash(&bytes), expected);
        for text in [
            format!("1220{hello}"),
            format!("f1220{hello}"),
            // The output of `ipfs add --cid-version 1 --raw-leaves` for "hello\n".
            "bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am".to_owned(),
            // The same multihash in base58.
            "zQmUJPTFZnR2CPGAzmfdYPghgrFtYFB6pf1BqMvqfiPDam8".to_owned(),
        ] {
            let read = multihash(text.as_bytes());
            assert_eq!(read, expected, "{text}");
        }
        assert_eq!(multihash(format!("1221{hello}").as_bytes()), None);
        // SHA-1 and SHA-256 of "one", as the Python package multiformats 0.3 writes them, except `C`, `t` and `U`.
        let one = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
        let expected = Some((Method::Row(sha256), hex(one.as_bytes()).unwrap()));
        for text in [
            "uEiB2ksOtNUC7gDwCCzruZs2IhxIyNOoMbnFDwK3XP_Qx7Q",
            "MEiB2ksOtNUC7gDwCCzruZs2IhxIyNOoMbnFDwK3XP/Qx7Q==",
            "UEiB2ksOtNUC7gDwCCzruZs2IhxIyNOoMbnFDwK3XP_Qx7Q==",
            "kmugl4u70az1l8j0htblo4kf894s7vubkz35o2xet5bbj95x1noq5",
            "v28g7d4m3lkqk1es07g10menecr6oh1oi68qek33ee51s1ben7vq33r8",
            "t28g7d4m3lkqk1es07g10menecr6oh1oi68qek33ee51s1ben7vq33r8=",
            "hneo8prsdiw4wbqhy8obysqzqc5gatba1ge4qwddqqfbhbmqz894dd5e",
            "zb2rhed96o7j2XHgcRvPsaqYcfNV6yoM7j59LdnZvUoymzKMv",
            "k2cwueblsmxccpj2ykdspoq9psxdnitysdinab08iqyybeuav1vbucj1",
            // The next four texts are from a Python program that converts integers.
            "000010010001000000111011010010010110000111010110100110101010000001011101110000000001111000000001000001011\
             00111010111011100110011011001101100010001000011100010010001100100011010011101010000011000110111001110001\
             0100001111000000101011011101011100111111111101000011000111101101",
            "70442016644541655152402734003600202635356315466104161106215165014334705036012672717772061732",
            "9537328926287461646421720246447139461140581652570730770590736690617910574003270125",
            "ZpLvjvBJUubggJqznpLPxRHgUHQgiCCpkeyQHgfAedv29ac",
        ] {
            assert_eq!(multihash(text.as_bytes()), expected, "{text}");
        }
        let md5 = hex(b"f97c5d29941bfb1b2fdab0874906ab82").unwrap();
        for text in ["zfzhnofJGLGKaneUd7ZDYuKQrp1", "m1QEQ+XxdKZQb+xsv2rCHSQargg"] {
            let read = multihash(text.as_bytes());
            assert_eq!(read, Some((Method::Legacy(Legacy::Md5), md5.clone())), "{text}");
        }
        let sha1 = Choice::of(hashwell::find("sha1").unwrap());
        let expected = Some((Method::Row(sha1), hex(b"fe05bcdcdc4928012781a5f1a2a77cbb5398e106").unwrap()));
        for text in [
            "z5duKfsNpXSNwCktisTR2jCgUNWaZYh",
            "mERT+Bbzc3EkoASeBpfGip3y7U5jhBg",
            "uERT-Bbzc3EkoASeBpfGip3y7U5jhBg",
            "MERT+Bbzc3EkoASeBpfGip3y7U5jhBg==",
            "k2swggdyby78zbevw0x9h582979wzc14qo6",
            "V24AFS1DSRJE4IA014U0QBSD2KTUBMKSOS430",
            "hnrkxhbph5uqr1kybr6y4mhpnw76mswhahrdy",
        ] {
            assert_eq!(multihash(text.as_bytes()), expected, "{text}");
        }
        assert!(is_cid_of_node(b"QmUJPTFZnR2CPGAzmfdYPghgrFtYFB6pf1BqMvqfiPDam8"));
        // BLAKE2 has a code for each length.
        let blake2b = Choice::find("blake2b", Some(160)).unwrap();
        assert_eq!(to_multihash(blake2b, &[7; 20]).unwrap()[..4], [0x94, 0xe4, 0x02, 20]);
        for algorithm in hashwell::ALGORITHMS {
            let choice = Choice::of(algorithm);
            let digest = vec![9; choice.output_len];
            if let Some(bytes) = to_multihash(choice, &digest) {
                let read =
                    from_multihash(&bytes).and_then(|(method, read)| Some((method.row()?.tag(), read)));
                assert_eq!(read, Some((choice.tag(), digest)), "{}", algorithm.name);
            } else {
                assert!(!algorithm.name.starts_with("blake2b-") && algorithm.name != "blake2s-256");
            }
        }
    }

    /// The texts for "yes mani !" are test vectors of the multibase specification.
    #[test]
    fn bases_of_multibase() {
        for text in [
            "001111001011001010111001100100000011011010110000101101110011010010010000000100001",
            "7362625631006654133464440102",
            "9573277761329450583662625",
            "f796573206d616e692021",
            "bpfsxgidnmfxgsibb",
            "hxf1zgedpcfzg1ebb",
            "k2lcpzo5yikidynfl",
            "z7paNL19xttacUY",
            "Z7Pznk19XTTzBtx",
            "meWVzIG1hbmkgIQ",
        ] {
            assert_eq!(multibase(text.as_bytes()).as_deref(), Some(&b"yes mani !"[..]), "{text}");
        }
        // Digits that the base does not have, bits after the last byte that are not zero, and incomplete bytes.
        for text in ["0012", "7362625631006654133464440103", "78", "736", "0", "7", "9", "9a", "Z0", "00000"]
        {
            assert_eq!(multibase(text.as_bytes()), None, "{text}");
        }
        // A multihash of the longest digest fits in base10 and base58, and much longer texts are rejected.
        let longest = format!("9{}", "9".repeat(MOST_DIGITS));
        assert!(multibase(longest.as_bytes()).is_some_and(|bytes| bytes.len() > 68));
        for prefix in ["9", "Z", "z"] {
            assert_eq!(multibase(format!("{prefix}{}", "2".repeat(MOST_DIGITS + 1)).as_bytes()), None);
        }
    }

    #[test]
    fn groups_and_colons() {
        assert_eq!(hex_in_groups(b"F572 D396 FAE9 2066 2871  4FB2 CE00 F72E 94F2 258F").unwrap().len(), 20);
        assert_eq!(hex_in_groups(b"12 34 56 78 9a"), None);
        assert_eq!(hex_in_groups(b"5891b5b522d5df086d0ff0b110fbd9d2"), None);
        assert_eq!(hex_with_colons(b"58:91:b5"), Some(vec![0x58, 0x91, 0xb5]));
        assert_eq!(hex_with_colons(b"589:1b5"), None);
    }
}
