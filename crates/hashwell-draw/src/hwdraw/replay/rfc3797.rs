//! RFC 3797, Publicly Verifiable Nominations Committee Random Selection (2004).

use super::check;
use crate::Error;
use md5::{Digest, Md5};

/// The largest pool that the RFC's 16-bit counter supports.
pub const MOST: u64 = 65_535;

/// One pick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The MD5 digest that determines the pick.
    pub digest: [u8; 16],
    /// The number of names that were left before this pick.
    pub left: u64,
    /// The picked name's number in the pool, from 1.
    pub number: u64,
}

/// Builds the key from sources of integers, one source on each line (RFC 3797, section 4). The numbers of each source
/// are sorted. Each number is followed by a point, and each source by a slash.
///
/// # Errors
/// Returns [`Error::Invalid`] unless the text consists of integers separated by whitespace.
pub fn key(sources: &str) -> Result<String, Error> {
    let mut key = String::new();
    for line in sources.lines().filter(|line| !line.trim().is_empty()) {
        let numbers: Result<Vec<u64>, _> = line.split_whitespace().map(str::parse).collect();
        let mut numbers = numbers.map_err(|_| {
            Error::invalid(
                "an RFC 3797 source",
                format!("{line:?} must contain only integers (or give the whole key, such as 9.12./3./)"),
            )
        })?;
        numbers.sort_unstable();
        numbers.iter().for_each(|number| key += &format!("{number}."));
        key.push('/');
    }
    Ok(key)
}

/// Picks k of the numbers 1 to n. For each pick, the m numbers that are left are in ascending order. The i-th pick is
/// the number at index MD5(i ‖ key ‖ i) mod m, where i is encoded in 2 bytes, big-endian. Picks and indices are counted
/// from 0.
///
/// # Errors
/// Returns [`Error::OutOfRange`] unless 1 <= k <= n <= 65535.
pub fn picks(key: &[u8], n: u64, k: u64) -> Result<Vec<Pick>, Error> {
    check(k, n, MOST)?;
    let mut pool: Vec<u64> = (1..=n).collect();
    let pick = |i: u64| {
        let i = (i as u16).to_be_bytes();
        let digest: [u8; 16] = Md5::new().chain_update(i).chain_update(key).chain_update(i).finalize().into();
        let left = pool.len() as u64;
        let number = pool.remove((u128::from_be_bytes(digest) % u128::from(left)) as usize);
        Pick { digest, left, number }
    };
    Ok((0..k).map(pick).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hwdraw::hex;

    /// The example in section 6: a pool of 25, with all digests and picks.
    #[test]
    fn the_worked_example() {
        let key = key("9319\n2 5 12 8 10\n9 18 26 34 41 45\n").unwrap();
        assert_eq!(key, "9319./2.5.8.10.12./9.18.26.34.41.45./");
        let expected = [
            ("990dd0a5692a029a98b5e01aa28f3459", 17),
            ("3691e55cb63fcc37914430b2f70b5ec6", 7),
            ("fe814edf564c190ac1d25753979990fa", 2),
            ("1863ccaceb568c31d7ddbdf1d4e91387", 16),
            ("f4ab33df4889f0af29c513905be1d758", 25),
            ("13eaeb529f61acfb9a29d0ba3a60de4a", 23),
            ("992db77c382ca2bdb9727001f3cdccd9", 8),
            ("63ab4258eca922976811c7f55c383ce7", 24),
            ("dfbc5ac97ced01b3a6e348e3cc63f40d", 19),
            ("31cb111c4a4ebe9287ceae16fe51b909", 13),
            ("07fa46c122f164c215bbc72793b189a3", 22),
            ("ac52f8d75ccbe2e61afeb3387637d501", 5),
            ("53306f73e14fc0b2fbf434218d25948e", 18),
            ("b5d1403501a81f9a47318be7893b347c", 9),
            ("85b10b356aa06663ef1b1b407765100a", 1),
            ("3269e6ce559abd57e2ba6aab495eb9bd", 4),
        ];
        let picks = picks(key.as_bytes(), 25, 16).unwrap();
        let picked: Vec<_> = picks.iter().map(|pick| (hex(&pick.digest), pick.number)).collect();
        assert_eq!(picked, expected.map(|(digest, number)| (digest.to_owned(), number)));
        assert_eq!((picks[0].left, picks[15].left), (25, 10));
    }

    #[test]
    fn limits() {
        assert!(picks(b"", 65_536, 1).is_err() && picks(b"", 5, 6).is_err());
        let all = picks(b"k", 65_535, 3).unwrap();
        assert_eq!(all.len(), 3);
        assert!(key("1 two").is_err());
    }
}
