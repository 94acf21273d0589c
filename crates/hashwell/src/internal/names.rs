//! Names of algorithms as people type them: spellings that mean the same name, the distance between
//! names, and names of algorithms that hashwell does not have.

/// Folds a byte for comparisons, which ignore case and treat `_`, `/` and `-` as equal.
pub(crate) fn fold(byte: u8) -> u8 {
    if matches!(byte, b'_' | b'/') { b'-' } else { byte.to_ascii_lowercase() }
}

pub(crate) fn same_name(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).all(|(a, b)| fold(a) == fold(b))
}

/// Returns the number of insertions, deletions, substitutions and swaps of neighbours that turn `a`
/// into `b` after folding (optimal string alignment). The distance is the maximum if a name has
/// more than 64 bytes.
pub(crate) fn edit_distance(a: &str, b: &str) -> usize {
    const LONGEST: usize = 64;
    if a.len().max(b.len()) > LONGEST {
        return usize::MAX;
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = |i: usize, j: usize| fold(a[i]) == fold(b[j]);
    // Each row contains the distances of all prefixes of `b` from one prefix of `a`. The prefixes of `before` and
    // `above` are two bytes and one byte shorter than that of `row`.
    let mut before = [0; LONGEST + 1];
    let mut above: [usize; LONGEST + 1] = core::array::from_fn(|j| j);
    for i in 0..a.len() {
        let mut row = [0; LONGEST + 1];
        row[0] = i + 1;
        for j in 0..b.len() {
            let mut distance = (above[j] + usize::from(!same(i, j))).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j) {
                distance = distance.min(before[j - 1] + 1);
            }
            row[j + 1] = distance;
        }
        before = core::mem::replace(&mut above, row);
    }
    above[b.len()]
}

/// Names of other algorithms without hyphens, and the reason why no algorithm is suggested for
/// them. An algorithm with a similar name would be something different.
pub(crate) static ELSEWHERE: &[(&[&str], &str)] = &[
    (&["md2", "md4", "md5", "sha0", "haval", "ripemd", "ripemd128"], "broken and not supported"),
    (&["crc32", "crc32c", "crc64", "adler32"], "a checksum, not a hash; it is not supported"),
    (
        &["keccak224", "keccak256", "keccak384", "keccak512"],
        "SHA-3 before its padding was changed; it is not supported",
    ),
    (&["blake224", "blake256", "blake384", "blake512"], "BLAKE of 2008; it is not supported"),
    (&["ascon128", "ascon128a", "asconaead128"], "a cipher; it is not supported"),
];

/// Returns true if a name is `other`, ignoring case and hyphens. `other` is in lower case and has
/// no hyphens.
pub(crate) fn same_letters(name: &str, other: &str) -> bool {
    name.bytes().map(fold).filter(|&byte| byte != b'-').eq(other.bytes())
}

/// Returns a description of an algorithm that is not in the registry.
pub(crate) fn elsewhere(name: &str) -> Option<&'static str> {
    let known = |(names, _): &&(&[&str], _)| names.iter().any(|known| same_letters(name, known));
    ELSEWHERE.iter().find(known).map(|(_, why)| *why)
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    #[test]
    fn distances() {
        for (a, b, distance) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("abc", "axc", 1),
            ("abc", "acb", 1),
            ("abc", "ab", 1),
            ("abc", "xabc", 1),
            ("kitten", "sitting", 3),
            ("sha256", "sha512", 3),
            // Neighbours are swapped only if no letter is inserted between them.
            ("ca", "abc", 3),
            ("abcd", "badc", 2),
        ] {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
        let long = "x".repeat(65);
        assert_eq!((edit_distance(&long, "x"), edit_distance("x", &long)), (usize::MAX, usize::MAX));
        assert_eq!(edit_distance(&long[..64], "x"), 63);
    }
}
