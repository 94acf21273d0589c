//! Implements the traits of RustCrypto's `digest` for the typed hashers and
//! [`Reader`](crate::Reader), so that generic code (`hmac::SimpleHmac`, signatures, password
//! hashing) can use hashwell.
//!
//! The traits of `digest` 0.11 and 0.10 have the same names, so one macro implements both. The
//! imports of each module below select the version.
//!
//! `CoreProxy`, which exposes the block function of a hash, is not implemented. `hmac::Hmac<H>`, `hkdf::Hkdf<H>` with
//! its default HMAC type, and `pbkdf2_hmac::<H>` require it. Use `hmac::SimpleHmac<H>`, `Hkdf<H, SimpleHmac<H>>` and
//! `pbkdf2::<SimpleHmac<H>>` instead.

macro_rules! implement {
    (
        fixed { $($fixed:ident $_name:literal $len:literal $_head:literal,)* }
        xof { $($xof:ident $_xof_name:literal $_xof_head:literal,)* }
    ) => {
        $( implement_common! { $fixed }
        impl HashMarker for $fixed {}
        impl OutputSizeUser for $fixed {
            type OutputSize = U<$len>;
        }
        impl FixedOutput for $fixed {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finalize());
            }
        }
        impl FixedOutputReset for $fixed {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.clone().finalize());
                $fixed::reset(self);
            }
        } )*
        $( implement_common! { $xof }
        impl ExtendableOutput for $xof {
            type Reader = Reader;
            fn finalize_xof(self) -> Reader {
                self.into_reader()
            }
        }
        impl ExtendableOutputReset for $xof {
            fn finalize_xof_reset(&mut self) -> Reader {
                let reader = self.clone().into_reader();
                $xof::reset(self);
                reader
            }
        } )*
        impl XofReader for Reader {
            fn read(&mut self, buffer: &mut [u8]) {
                Reader::read(self, buffer);
            }
        }
    };
}

/// Passes the types that have an object identifier to the macro `$with`. The sources are NIST's
/// Computer Security Objects Register for SHA-2, SHA-3 and SHAKE; RFC 8017 appendix B.1 for SHA-1;
/// ISO/IEC 10118-3 for RIPEMD-160; GM/T 0006 for SM3; and RFC 7693 section 4 for BLAKE2.
macro_rules! for_each_oid {
    ($with:ident) => {
        $with! {
            Sha1 "1.3.14.3.2.26"
            Ripemd160 "1.3.36.3.2.1"
            Sha224 "2.16.840.1.101.3.4.2.4"
            Sha256 "2.16.840.1.101.3.4.2.1"
            Sha384 "2.16.840.1.101.3.4.2.2"
            Sha512 "2.16.840.1.101.3.4.2.3"
            Sha512_224 "2.16.840.1.101.3.4.2.5"
            Sha512_256 "2.16.840.1.101.3.4.2.6"
            Sha3_224 "2.16.840.1.101.3.4.2.7"
            Sha3_256 "2.16.840.1.101.3.4.2.8"
            Sha3_384 "2.16.840.1.101.3.4.2.9"
            Sha3_512 "2.16.840.1.101.3.4.2.10"
            Shake128 "2.16.840.1.101.3.4.2.11"
            Shake256 "2.16.840.1.101.3.4.2.12"
            Sm3 "1.2.156.10197.1.401"
            Blake2b256 "1.3.6.1.4.1.1722.12.2.1.8"
            Blake2b512 "1.3.6.1.4.1.1722.12.2.1.16"
            Blake2s256 "1.3.6.1.4.1.1722.12.2.2.8"
        }
    };
}

macro_rules! implement_oids {
    ($($type:ident $oid:literal)*) => { $(
        impl AssociatedOid for $type {
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
        }
    )* };
}

macro_rules! implement_common {
    ($type:ident) => {
        impl Update for $type {
            fn update(&mut self, data: &[u8]) {
                $type::update(self, data);
            }
        }
        impl Reset for $type {
            fn reset(&mut self) {
                $type::reset(self);
            }
        }
        impl BlockSizeUser for $type {
            type BlockSize = U<{ $type::BLOCK_LEN }>;
        }
    };
}

#[cfg(feature = "digest")]
mod version_0_11 {
    use crate::api::hash::Reader;
    use crate::api::typed::*;
    use crate::internal::error::Error;
    use crate::registry::Params;
    use digest::common::BlockSizeUser;
    use digest::const_oid::{AssociatedOid, ObjectIdentifier};
    use digest::typenum::U;
    use digest::{
        CustomizedInit, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker,
        Output, OutputSizeUser, Reset, TryCustomizedInit, Update, XofReader,
    };

    for_each_typed!(implement);
    for_each_oid!(implement_oids);

    // Version 0.11 introduced these traits.
    macro_rules! implement_customized {
        ($($type:ident)*) => { $(
            impl CustomizedInit for $type {
                fn new_customized(customization: &[u8]) -> Self {
                    let built = Self::build(&Params { customization, ..Params::default() });
                    Error::abort_without_memory(built).expect("the row takes a customisation of any length")
                }
            }
        )* };
    }

    implement_customized!(CShake128 CShake256 Kt128 Kt256);

    impl TryCustomizedInit for AsconCxof128 {
        type Error = Error;

        fn try_new_customized(customization: &[u8]) -> Result<Self, Error> {
            Self::build(&Params { customization, ..Params::default() })
        }
    }
}

#[cfg(feature = "digest-0-10")]
mod version_0_10 {
    use crate::api::hash::Reader;
    use crate::api::typed::*;
    use digest_0_10::const_oid::{AssociatedOid, ObjectIdentifier};
    use digest_0_10::crypto_common::BlockSizeUser;
    use digest_0_10::{
        ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker, Output,
        OutputSizeUser, Reset, Update, XofReader,
    };
    use typenum::U;

    for_each_typed!(implement);
    for_each_oid!(implement_oids);
}
