//! Object ids, and the hash functions that generate them.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use hashwell::Algorithm;
use std::fmt::{self, Debug, Display};

/// The hash function of a repository's object ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ObjectHash {
    Sha1,
    Sha256,
}

impl ObjectHash {
    /// The number of bytes of an id.
    pub(crate) fn id_len(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }

    pub(crate) fn algorithm(self) -> &'static Algorithm {
        let name = match self {
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
        };
        hashwell::find(name).expect("a row of the registry")
    }
}

/// The id of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObjectId {
    hash: ObjectHash,
    /// The id, followed by zeros if it is shorter.
    bytes: [u8; 32],
}

impl ObjectId {
    /// The id with these bytes. `None` if their number is wrong for `hash`.
    pub(crate) fn new(hash: ObjectHash, id: &[u8]) -> Option<Self> {
        let mut bytes = [0; 32];
        bytes.get_mut(..id.len()).filter(|_| id.len() == hash.id_len())?.copy_from_slice(id);
        Some(Self { hash, bytes })
    }

    /// The id that `hex` spells in hexadecimal, in upper or lower case.
    pub(crate) fn of_hex(hash: ObjectHash, hex: &[u8]) -> Option<Self> {
        Self::new(hash, &HEXLOWER_PERMISSIVE.decode(hex).ok()?)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.hash.id_len()]
    }
}

impl Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(self.as_bytes()))
    }
}

impl Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_the_length_of_their_hash() {
        let hex = b"4b825DC642cb6eb9a060e54bf8d69288fbee4904";
        let id = ObjectId::of_hex(ObjectHash::Sha1, hex).unwrap();
        assert_eq!(id.to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
        assert_eq!(ObjectId::new(ObjectHash::Sha1, id.as_bytes()), Some(id));
        assert_eq!(ObjectId::of_hex(ObjectHash::Sha256, hex), None);
        assert_eq!(ObjectId::of_hex(ObjectHash::Sha1, &hex[1..]), None);
        assert_eq!(ObjectId::of_hex(ObjectHash::Sha1, &[b'g'; 40]), None);
        for (hash, lengths) in [(ObjectHash::Sha1, [19, 21, 32]), (ObjectHash::Sha256, [20, 31, 33])] {
            assert!(lengths.iter().all(|len| ObjectId::new(hash, &vec![0; *len]).is_none()));
            assert_eq!(hash.algorithm().output, hash.id_len());
        }
    }
}
