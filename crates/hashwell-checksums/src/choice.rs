//! An algorithm of the registry with a digest length.

use crate::legacy::Legacy;
use hashwell::{Algorithm, Kind};

/// The maximum length in bytes of a digest in lists.
const MAX_DIGEST: usize = 1 << 16;

/// A digest to compute: an algorithm and a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The registry row.
    pub algorithm: &'static Algorithm,
    /// The length of the digest in bytes. The algorithm supports this length.
    pub output_len: usize,
}

impl Choice {
    /// Chooses the algorithm with its usual digest length.
    #[must_use]
    pub fn of(algorithm: &'static Algorithm) -> Self {
        Self { algorithm, output_len: algorithm.output }
    }

    /// Chooses the algorithm with digests of `output_len` bytes. Returns `None` if the algorithm does not support this
    /// length.
    #[must_use]
    pub fn with_len(algorithm: &'static Algorithm, output_len: usize) -> Option<Self> {
        let (min, max) = algorithm.output_range;
        let fits = (min.max(1)..=max.min(MAX_DIGEST)).contains(&output_len);
        fits.then_some(Self { algorithm, output_len })
    }

    /// Finds the algorithm with this name. Its digests have `bits` bits, or the algorithm's usual length if `bits` is
    /// `None`.
    ///
    /// # Errors
    /// Returns a message if there is no such algorithm, or if the algorithm does not support this length.
    pub fn find(name: &str, bits: Option<u64>) -> Result<Self, String> {
        let algorithm = hashwell::find(name).map_err(|unknown| match Legacy::find(name) {
            Some(legacy) => {
                format!(
                    "{} is supported only for checking existing lists (-c); choose another algorithm",
                    legacy.tag()
                )
            }
            None => unknown.to_string(),
        })?;
        let Some(bits) = bits else { return Ok(Self::of(algorithm)) };
        let bytes = usize::try_from(bits / 8).unwrap_or(usize::MAX);
        if bits % 8 == 0
            && let Some(choice) = Self::with_len(algorithm, bytes)
        {
            return Ok(choice);
        }
        let (min, max) = algorithm.output_range;
        let (min, max) = (8 * min.max(1), 8 * max.min(MAX_DIGEST));
        let range =
            if min == max { format!("{min}") } else { format!("a multiple of 8 from {min} to {max}") };
        Err(format!("{}: length must be {range} bits, not {bits}", algorithm.name))
    }

    /// Finds the algorithm that a tag names, for digests of `digest_len` bytes. Examples of tags: `SHA256`, `SHA2-256`
    /// (OpenSSL 3), `BLAKE2b-256`, `SHAKE128-256`, and `BLAKE3` for any length, as b3sum writes it.
    #[must_use]
    pub fn from_tag(tag: &str, digest_len: usize) -> Option<Self> {
        if let Ok(algorithm) = hashwell::find(tag) {
            let any_length = algorithm.kind == Kind::Xof;
            return (any_length || digest_len == algorithm.output)
                .then(|| Self::with_len(algorithm, digest_len))
                .flatten();
        }
        let (base, bits) = tag.rsplit_once('-')?;
        let bits: usize = bits.parse().ok()?;
        let algorithm = hashwell::find(base).ok()?;
        (bits == 8 * digest_len).then(|| Self::with_len(algorithm, digest_len)).flatten()
    }

    /// The algorithm's name. If the digest length is not the usual one, it replaces the length in the name, or is
    /// appended to the name.
    #[must_use]
    pub fn name(self) -> String {
        let Choice { algorithm: Algorithm { name, output, .. }, output_len } = self;
        if output_len == *output {
            return (*name).to_owned();
        }
        let base = name.strip_suffix(&format!("-{}", 8 * output)).unwrap_or(name);
        format!("{base}-{}", 8 * output_len)
    }

    /// The tag for BSD-style lines (`TAG (NAME) = DIGEST`). The digest length is omitted if the algorithm's name
    /// contains it, or if the usual tool omits it (BLAKE2b, BLAKE3). The tags of other extendable-output functions
    /// always contain the length.
    #[must_use]
    pub fn tag(self) -> String {
        let Choice { algorithm, output_len } = self;
        let base = base_tag(algorithm);
        let (min, max) = algorithm.output_range;
        let named = if algorithm.kind == Kind::Xof && algorithm.name != "blake3" {
            false
        } else {
            min == max || output_len == algorithm.output
        };
        if named { base } else { format!("{base}-{}", 8 * output_len) }
    }
}

/// The algorithm's name in tags, without a digest length.
#[must_use]
pub fn base_tag(algorithm: &Algorithm) -> String {
    let title = algorithm.title;
    match algorithm.name {
        // coreutils and BSD write these names without the hyphen after SHA.
        "sha1" | "sha224" | "sha256" | "sha384" | "sha512" | "sha512-224" | "sha512-256" => {
            title.replacen('-', "", 1)
        }
        "blake2b-512" | "blake2bp-512" | "blake2s-256" | "blake2sp-256" => {
            title.split('-').next().unwrap_or(title).to_owned()
        }
        _ => title.replace(' ', "-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_reads_back() {
        for algorithm in hashwell::ALGORITHMS {
            let (min, max) = algorithm.output_range;
            for len in [min.max(1), algorithm.output, max.min(100)] {
                let choice = Choice::with_len(algorithm, len).unwrap();
                let tag = choice.tag();
                let read = Choice::from_tag(&tag, len).unwrap_or_else(|| panic!("{tag} does not read back"));
                assert_eq!((read.output_len, read.tag()), (len, tag));
            }
        }
    }

    #[test]
    fn tags_of_other_tools() {
        let name = |tag, len| Choice::from_tag(tag, len).map(|c| c.algorithm.name);
        assert_eq!(name("SHA2-256", 32), Some("sha256"));
        assert_eq!(name("SHA2-512/256", 32), Some("sha512-256"));
        assert_eq!(name("BLAKE2b-160", 20), Some("blake2b-512"));
        assert_eq!(name("BLAKE2B-512", 64), Some("blake2b-512"));
        assert_eq!(name("BLAKE3", 8), Some("blake3"));
        assert_eq!(name("SHA256", 31), None);
        assert_eq!(name("MD5", 16), None);
    }
}
