//! Types for one algorithm that contain only the state of its family.
//!
//! A program that uses only these types links neither the registry nor other families. The npm package builds its
//! single-algorithm modules from them.

use crate::api::typed::row;
use crate::families::{Family, StateFamily, ascon, blake2, blake3, keccak, md};
use crate::internal::cores::Core;
use crate::internal::params::Params;
use crate::internal::storage::Plain;
use crate::registry::{Algorithm, Kind};
use zeroize::Zeroize;

macro_rules! alone {
    ($($type:ident $name:literal $variant:ident($family:ty),)*) => { $(
        #[doc = concat!("A hash in progress with `", $name, "`, without parameters, as plain data that you can copy and move.")]
        #[derive(Clone)]
        pub struct $type(<$family as StateFamily>::State<Plain>);

        impl $type {
            /// Returns the row. This is a function because, until Rust 1.93, a constant must not
            /// refer to mutable data such as a kernel table.
            const fn row() -> &'static Algorithm {
                row($name)
            }

            fn family() -> $family {
                static FAMILY: $family = match $type::row().family {
                    Family::$variant(family) => family,
                    _ => panic!("the row is of another family"),
                };
                FAMILY
            }

            /// The length of the digest in bytes. For an extendable-output function, this is the default output length.
            pub const OUTPUT_LEN: usize = Self::row().output;
            /// The smallest and the largest output length in bytes.
            pub const RANGE: (usize, usize) = match Self::row().kind {
                Kind::Fixed => (Self::OUTPUT_LEN, Self::OUTPUT_LEN),
                Kind::Xof => Self::row().output_range,
            };

            /// Returns the state before any input.
            #[must_use]
            #[expect(clippy::new_without_default, reason = "nobody is generic over these")]
            pub fn new() -> Self {
                match Self::family().build::<Plain>(&Params::default(), Self::OUTPUT_LEN) {
                    Ok(state) => Self(state),
                    // `expect` would add the texts of all errors to the binary.
                    Err(_) => unreachable!("plain hashing refuses nothing"),
                }
            }

            /// Appends bytes to the message.
            pub fn update(&mut self, data: &[u8]) {
                self.0.update(data);
            }

            /// Fills `out` with the first bytes of the output for the message so far.
            ///
            /// You can append to the message afterwards. A digest has [`Self::OUTPUT_LEN`] bytes.
            pub fn digest_into(&self, out: &mut [u8]) {
                debug_assert!((Self::RANGE.0..=Self::RANGE.1).contains(&out.len()));
                let mut state = self.0.clone();
                state.finalize_into(out);
                state.zeroize();
            }
        }
    )* };
}

type Md<W, const N: usize, const B: usize> = &'static md::Spec<W, N, B>;
type Blake2<W, const B: usize> = &'static blake2::Sequential<W, B>;

// Algorithms that have a small state and are useful without the others.
alone! {
    Sha1 "sha1" Sha1(Md<u32, 5, 64>),
    Sha256 "sha256" Md32(Md<u32, 8, 64>),
    Sha384 "sha384" Md64(Md<u64, 8, 128>),
    Sha512 "sha512" Md64(Md<u64, 8, 128>),
    Sm3 "sm3" Md32(Md<u32, 8, 64>),
    Sha3_256 "sha3-256" Keccak(keccak::Row),
    Sha3_512 "sha3-512" Keccak(keccak::Row),
    Shake128 "shake128" Keccak(keccak::Row),
    Shake256 "shake256" Keccak(keccak::Row),
    Blake2b512 "blake2b-512" Blake2b(Blake2<u64, 128>),
    Blake2s256 "blake2s-256" Blake2s(Blake2<u32, 64>),
    Blake3 "blake3" Blake3(blake3::Row),
    AsconHash256 "ascon-hash256" Ascon(ascon::Row),
    Ripemd160 "ripemd160" Ripemd160(Md<md::Little, 5, 64>),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The types give the same digests as the registry, for messages in pieces and in one call.
    #[test]
    fn alone_and_registry_agree() {
        let message: Vec<u8> = (0..1000_u32).map(|i| i as u8).collect();
        macro_rules! agree {
            ($($type:ident)*) => { $(
                for len in [0, 1, 63, 64, 127, 128, 129, 1000] {
                    let (head, tail) = message[..len].split_at(len / 3);
                    let mut state = $type::new();
                    state.update(head);
                    state.update(tail);
                    let mut digest = [0; $type::OUTPUT_LEN];
                    state.digest_into(&mut digest);
                    assert_eq!(digest[..], $type::row().digest(&message[..len]), "{} of {len}", $type::row().name);
                }
            )* };
        }
        agree!(Sha1 Sha256 Sha384 Sha512 Sm3 Sha3_256 Sha3_512 Shake128 Shake256 Blake2b512 Blake2s256 Blake3 AsconHash256 Ripemd160);
        let mut stream = [0; 100];
        Shake128::new().digest_into(&mut stream);
        let mut reader = Shake128::row().hasher().into_reader().unwrap();
        assert_eq!(stream[..], reader.read_vec(100));
    }
}
