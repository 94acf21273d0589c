//! One Rust type per algorithm. Each type wraps [`Hasher`] and has a digest length that is known at
//! compile time.
//!
//! With feature `std`, every type implements [`std::io::Write`], so `std::io::copy` can hash a
//! file.

use crate::api::hash::{Hasher, Reader};
use crate::internal::error::Error;
use crate::registry::{ALGORITHMS, Algorithm, Kind, Params};
#[cfg(feature = "states")]
use alloc::vec::Vec;

/// Passes the list of typed algorithms to the macro `$with`: the type, the registry name, the
/// digest length in bytes (for digests only), and the first words of its documentation, which are
/// the title and status of the algorithm.
macro_rules! for_each_typed {
    ($with:ident) => {
        $with! {
            fixed {
                Sha1 "sha1" 20 "SHA-1, broken: practical collisions exist",
                Sha224 "sha224" 28 "SHA-224, sound",
                Sha256 "sha256" 32 "SHA-256, sound",
                Sha384 "sha384" 48 "SHA-384, sound",
                Sha512 "sha512" 64 "SHA-512, sound",
                Sha512_224 "sha512-224" 28 "SHA-512/224, sound",
                Sha512_256 "sha512-256" 32 "SHA-512/256, sound",
                Sm3 "sm3" 32 "SM3, sound",
                Sha3_224 "sha3-224" 28 "SHA3-224, sound",
                Sha3_256 "sha3-256" 32 "SHA3-256, sound",
                Sha3_384 "sha3-384" 48 "SHA3-384, sound",
                Sha3_512 "sha3-512" 64 "SHA3-512, sound",
                Blake2b256 "blake2b-256" 32 "BLAKE2b-256, sound",
                Blake2b512 "blake2b-512" 64 "BLAKE2b-512, sound",
                Blake2bp512 "blake2bp-512" 64 "BLAKE2bp-512, sound",
                Blake2s256 "blake2s-256" 32 "BLAKE2s-256, sound",
                Blake2sp256 "blake2sp-256" 32 "BLAKE2sp-256, sound",
                AsconHash256 "ascon-hash256" 32 "Ascon-Hash256, sound",
                Ripemd160 "ripemd160" 20 "RIPEMD-160, legacy: only to read old data; too short to resist collisions",
                Sha256_90r "sha256-90r" 32 "SHA256-90R, experimental: no public analysis",
            }
            xof {
                Shake128 "shake128" "SHAKE128, sound",
                Shake256 "shake256" "SHAKE256, sound",
                CShake128 "cshake128" "cSHAKE128, sound",
                CShake256 "cshake256" "cSHAKE256, sound",
                TurboShake128 "turboshake128" "TurboSHAKE128, sound",
                TurboShake256 "turboshake256" "TurboSHAKE256, sound",
                Kt128 "kt128" "KT128, sound",
                Kt256 "kt256" "KT256, sound",
                Blake3 "blake3" "BLAKE3, sound",
                AsconXof128 "ascon-xof128" "Ascon-XOF128, sound",
                AsconCxof128 "ascon-cxof128" "Ascon-CXOF128, sound",
                AsconXofV1_2 "ascon-xof-v1.2" "Ascon-Xof v1.2, legacy: only to read old data; superseded by Ascon-XOF128",
                AsconXofaV1_2 "ascon-xofa-v1.2" "Ascon-Xofa v1.2, legacy: only to read old data; superseded by Ascon-XOF128",
            }
        }
    };
}
#[cfg(any(feature = "digest", feature = "digest-0-10"))]
pub(crate) use for_each_typed;

/// Returns the row of this name at compile time.
pub(crate) const fn row(name: &str) -> &'static Algorithm {
    &ALGORITHMS[index(name)]
}

/// Returns the index of the row of this name in the registry.
const fn index(name: &str) -> usize {
    let mut i = 0;
    while i < ALGORITHMS.len() {
        if same_bytes(ALGORITHMS[i].name.as_bytes(), name.as_bytes()) {
            return i;
        }
        i += 1;
    }
    panic!("no registry row has this name")
}

const fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

macro_rules! define_typed {
    (
        fixed { $($fixed:ident $fixed_name:literal $len:literal $fixed_head:literal,)* }
        xof { $($xof:ident $xof_name:literal $xof_head:literal,)* }
    ) => {
        $( define_common! {
            $fixed $fixed_name $fixed_head
            concat!("assert_eq!(hasher.finalize(), hashwell::", stringify!($fixed), "::digest(b\"abc\"));")
        }
        impl $fixed {
            /// The length of the digest in bytes.
            pub const OUTPUT_LEN: usize = $len;

            #[doc = concat!("Returns the digest of one message (", $fixed_head, ").")]
            #[must_use]
            pub fn digest(data: &[u8]) -> [u8; $len] {
                let mut out = [0; $len];
                let right_length = Self::algorithm().digest_into(data, &mut out);
                debug_assert!(right_length.is_ok());
                out
            }

            /// Returns the digest of the message.
            #[must_use]
            pub fn finalize(self) -> [u8; $len] {
                let mut out = [0; $len];
                let right_length = self.0.digest_into(&mut out);
                debug_assert!(right_length.is_ok());
                out
            }
        }
        const _: () = assert!(row($fixed_name).output == $len && matches!(row($fixed_name).kind, Kind::Fixed)); )*
        $( define_common! {
            $xof $xof_name $xof_head
            "let mut stream = hasher.into_reader();\nassert_ne!(stream.read_vec(16), stream.read_vec(16));"
        }
        impl $xof {
            /// Ends the message and returns its output stream.
            #[must_use]
            pub fn into_reader(self) -> Reader {
                self.0.into_reader().expect("the row is an extendable-output function")
            }
        }
        const _: () = assert!(matches!(row($xof_name).kind, Kind::Xof)); )*

        #[cfg(test)]
        const TYPED: &[(&str, &str)] = &[$(($fixed_name, $fixed_head),)* $(($xof_name, $xof_head),)*];
    };
}

macro_rules! define_common {
    ($type:ident $name:literal $head:literal $end:expr) => {
        #[doc = concat!("A hash in progress with `", $name, "` (", $head, ").")]
        ///
        /// [`Self::algorithm`] returns the row of the algorithm in the registry, which names the standard.
        ///
        /// ```
        #[doc = concat!("let mut hasher = hashwell::", stringify!($type), "::new();")]
        /// hasher.update(b"a");
        /// hasher.update(b"bc");
        #[doc = $end]
        /// ```
        #[derive(Clone, Debug)]
        pub struct $type(Hasher);

        impl $type {
            /// The number of message bytes that each call of the compression function or permutation processes.
            pub const BLOCK_LEN: usize = row($name).block;

            /// Returns the row of the algorithm in the registry.
            #[inline]
            #[must_use]
            pub fn algorithm() -> &'static Algorithm {
                // The constant is an index, because a reference to the row would refer to kernel tables, which are
                // mutable, and Rust 1.89 rejects such constants.
                const ROW: usize = index($name);
                &ALGORITHMS[ROW]
            }

            #[doc = concat!("Returns a hasher without parameters, with the fastest kernel (", $head, ").")]
            #[inline]
            #[must_use]
            pub fn new() -> Self {
                Self(Self::algorithm().hasher())
            }

            #[doc = concat!("Returns a hasher with parameters and the digest length of this type (", $head, ").")]
            ///
            /// # Errors
            /// Returns the same errors as [`Algorithm::build`], and [`Error::Unsupported`] if `params.output_len` is
            /// set.
            pub fn build(params: &Params<'_>) -> Result<Self, Error> {
                if params.output_len.is_some() {
                    return Err(Error::Unsupported { algorithm: $name, what: "a different digest length in this type" });
                }
                Self::algorithm().build(params).map(Self)
            }

            /// Saves the state as bytes. The warnings of [`Hasher::to_bytes`] apply.
            ///
            /// # Errors
            /// Returns the same errors as [`Hasher::to_bytes`].
            #[cfg(feature = "states")]
            pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
                self.0.to_bytes()
            }

            /// Restores a state that [`Self::to_bytes`] saved.
            ///
            /// # Errors
            /// Returns the same errors as [`Hasher::from_bytes`], and [`Error::BadState`] if the state belongs to a
            /// different algorithm or output length.
            #[cfg(feature = "states")]
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
                let hasher = Hasher::from_bytes(bytes)?;
                if hasher.algorithm() != Self::algorithm() || hasher.output_len() != Self::algorithm().output
                {
                    return Err(Error::BadState {
                        what: concat!("its algorithm or output length differs from that of ", $name),
                    });
                }
                Ok(Self(hasher))
            }

            /// Appends bytes to the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                self.0.update(data);
            }

            /// Starts a new message with the same parameters.
            pub fn reset(&mut self) {
                self.0.reset();
            }
        }

        impl Default for $type {
            fn default() -> Self {
                Self::new()
            }
        }

        /// Appends to the message. Writing never fails.
        #[cfg(feature = "std")]
        impl std::io::Write for $type {
            fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
                self.update(data);
                Ok(data.len())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }

        impl From<$type> for Hasher {
            fn from(typed: $type) -> Hasher {
                typed.0
            }
        }
    };
}

for_each_typed!(define_typed);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_type() {
        for algorithm in ALGORITHMS {
            let (_, head) = TYPED.iter().find(|(name, _)| *name == algorithm.name).expect(algorithm.name);
            // The first line of the documentation.
            let status = head.strip_prefix(algorithm.title).and_then(|rest| rest.strip_prefix(", "));
            let word = status.map(|status| status.split(':').next().unwrap());
            assert_eq!(word, Some(algorithm.status.name()), "{head}");
        }
    }

    #[test]
    fn typed_and_registry_agree() {
        assert_eq!(Sha512_224::digest(b"abc")[..], find_digest("sha512-224"));
        let mut shake = Shake128::new();
        shake.update(b"abc");
        assert_eq!(shake.into_reader().read_vec(32), find_digest("shake128"));
    }

    #[cfg(feature = "std")]
    #[test]
    fn files_are_copied_into_any_of_them() {
        use std::io::{Read, Write, copy};
        let mut hasher = Sha256::new();
        let copied = copy(&mut std::io::repeat(7).take(100_000), &mut hasher).unwrap();
        hasher.flush().unwrap();
        assert_eq!((copied, hasher.finalize()), (100_000, Sha256::digest(&[7; 100_000])));
        let mut shake = Shake128::new();
        shake.write_all(b"abc").unwrap();
        assert_eq!(shake.into_reader().read_vec(32), find_digest("shake128"));
    }

    fn find_digest(name: &str) -> Vec<u8> {
        crate::find(name).unwrap().digest(b"abc")
    }
}
