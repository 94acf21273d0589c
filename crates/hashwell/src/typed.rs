//! One Rust type per algorithm: the registry's [`Hasher`] with the digest length known when compiling.

use crate::error::Error;
use crate::hash::{Hasher, Reader};
use crate::registry::{ALGORITHMS, Algorithm, Kind, Params};

/// Hands the list of typed algorithms to the macro `$with`: type, registry name and digest bytes, or
/// type and registry name for extendable output.
macro_rules! for_each_typed {
    ($with:ident) => {
        $with! {
            fixed {
                Sha1 "sha1" 20, Sha224 "sha224" 28, Sha256 "sha256" 32, Sha384 "sha384" 48,
                Sha512 "sha512" 64, Sha512_224 "sha512-224" 28, Sha512_256 "sha512-256" 32,
                Sha3_224 "sha3-224" 28, Sha3_256 "sha3-256" 32, Sha3_384 "sha3-384" 48,
                Sha3_512 "sha3-512" 64, Blake2b256 "blake2b-256" 32, Blake2b512 "blake2b-512" 64,
                Blake2bp512 "blake2bp-512" 64, Blake2s256 "blake2s-256" 32,
                AsconHash256 "ascon-hash256" 32, Sha256_90r "sha256-90r" 32,
            }
            xof {
                Shake128 "shake128", Shake256 "shake256", CShake128 "cshake128", CShake256 "cshake256",
                TurboShake128 "turboshake128", TurboShake256 "turboshake256", Kt128 "kt128",
                Kt256 "kt256", Blake3 "blake3", AsconXof128 "ascon-xof128",
                AsconCxof128 "ascon-cxof128", AsconXofV1_2 "ascon-xof-v1.2",
                AsconXofaV1_2 "ascon-xofa-v1.2",
            }
        }
    };
}
#[cfg(feature = "digest")]
pub(crate) use for_each_typed;

/// The row of this name, found when compiling.
const fn row(name: &str) -> &'static Algorithm {
    let mut i = 0;
    while i < ALGORITHMS.len() {
        if same_bytes(ALGORITHMS[i].name.as_bytes(), name.as_bytes()) {
            return &ALGORITHMS[i];
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
    (fixed { $($fixed:ident $fixed_name:literal $len:literal,)* } xof { $($xof:ident $xof_name:literal,)* }) => {
        $( define_common! { $fixed $fixed_name }
        impl $fixed {
            /// Digest bytes.
            pub const OUTPUT_LEN: usize = $len;

            /// The digest of one message.
            #[must_use]
            pub fn digest(data: &[u8]) -> [u8; $len] {
                let mut out = [0; $len];
                let right_length = Self::algorithm().digest_into(data, &mut out);
                debug_assert!(right_length.is_ok());
                out
            }

            /// The digest of everything absorbed.
            #[must_use]
            pub fn finalize(self) -> [u8; $len] {
                let mut out = [0; $len];
                let right_length = self.0.digest_into(&mut out);
                debug_assert!(right_length.is_ok());
                out
            }
        }
        const _: () = assert!(row($fixed_name).output == $len && matches!(row($fixed_name).kind, Kind::Fixed)); )*
        $( define_common! { $xof $xof_name }
        impl $xof {
            /// Ends the message and turns to reading output.
            #[must_use]
            pub fn into_reader(self) -> Reader {
                self.0.into_reader().expect("the row is an extendable-output function")
            }
        }
        const _: () = assert!(matches!(row($xof_name).kind, Kind::Xof)); )*

        #[cfg(test)]
        const TYPED: &[&str] = &[$($fixed_name,)* $($xof_name,)*];
    };
}

macro_rules! define_common {
    ($type:ident $name:literal) => {
        #[doc = concat!("The registry's `", $name, "` in progress; see its row for the standard.")]
        #[derive(Clone, Debug)]
        pub struct $type(Hasher);

        impl $type {
            /// Bytes per compression or permutation.
            pub const BLOCK_LEN: usize = row($name).block;

            /// The registry row.
            #[inline]
            #[must_use]
            pub fn algorithm() -> &'static Algorithm {
                const { row($name) }
            }

            /// Plain hashing, on the fastest kernel.
            #[inline]
            #[must_use]
            pub fn new() -> Self {
                Self(Self::algorithm().hasher())
            }

            /// With parameters; the digest length stays the type's.
            ///
            /// # Errors
            /// As [`Algorithm::build`]; [`Error::Unsupported`] for a `params.output_len`.
            pub fn build(params: &Params<'_>) -> Result<Self, Error> {
                if params.output_len.is_some() {
                    return Err(Error::Unsupported { algorithm: $name, what: "other length in this type" });
                }
                Self::algorithm().build(params).map(Self)
            }

            /// Appends to the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                self.0.update(data);
            }

            /// Forgets the message, keeps the parameters.
            pub fn reset(&mut self) {
                self.0.reset();
            }
        }

        impl Default for $type {
            fn default() -> Self {
                Self::new()
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
            assert!(TYPED.contains(&algorithm.name), "{} has no type", algorithm.name);
        }
    }

    #[test]
    fn typed_and_registry_agree() {
        assert_eq!(Sha512_224::digest(b"abc")[..], find_digest("sha512-224"));
        let mut shake = Shake128::new();
        shake.update(b"abc");
        assert_eq!(shake.into_reader().read_vec(32), find_digest("shake128"));
    }

    fn find_digest(name: &str) -> Vec<u8> {
        crate::find(name).unwrap().digest(b"abc")
    }
}
