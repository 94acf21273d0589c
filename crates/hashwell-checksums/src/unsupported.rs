//! The algorithms of other tools that hashwell does not support.

/// Algorithms for which other tools write lists, but that hashwell does not support. Names are spelled as in list
/// names, without hyphens, and are followed by the digest lengths in bytes.
pub(crate) const UNSUPPORTED: &[(&str, &[usize])] = &[
    ("aich", &[20]),
    ("btih", &[20]),
    ("ed2k", &[16]),
    ("edonr256", &[32]),
    ("edonr512", &[64]),
    ("gost", &[32]),
    ("gost12", &[32, 64]),
    ("gost12256", &[32]),
    ("gost12512", &[64]),
    ("gost94", &[32]),
    ("gost94cryptopro", &[32]),
    ("has160", &[20]),
    ("md2", &[16]),
    ("md4", &[16]),
    ("rmd128", &[16]),
    ("snefru", &[16, 32]),
    ("snefru128", &[16]),
    ("snefru256", &[32]),
    ("streebog", &[32, 64]),
    ("tiger", &[24]),
    ("tth", &[24]),
    ("whirlpool", &[64]),
    ("xxh", &[4, 8, 16]),
    ("xxh3", &[8, 16]),
    ("xxh64", &[8]),
    ("xxh128", &[16]),
];

/// Returns true if a tag names one of these algorithms. Case, hyphens, underscores and slashes are ignored.
pub(crate) fn is_unsupported(tag: &str) -> bool {
    let plain = tag.to_ascii_lowercase().replace(['-', '_', '/'], "");
    UNSUPPORTED.iter().any(|(name, _)| *name == plain)
}
