//! The traits of RustCrypto's `digest` on the typed hashers and on [`Reader`](crate::Reader), so that generic code
//! (`hmac::SimpleHmac`, signatures, password hashing) runs on hashwell's kernels. `digest` 0.11 and 0.10 have them
//! under the same names, so that one text implements either: what a module below imports decides which.

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
    use crate::ground::error::Error;
    use crate::registry::Params;
    use crate::surface::hash::Reader;
    use crate::surface::typed::*;
    use digest::common::BlockSizeUser;
    use digest::typenum::U;
    use digest::{
        CustomizedInit, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker,
        Output, OutputSizeUser, Reset, TryCustomizedInit, Update, XofReader,
    };

    for_each_typed!(implement);

    // These traits are new in 0.11.
    macro_rules! implement_customized {
        ($($type:ident)*) => { $(
            impl CustomizedInit for $type {
                fn new_customized(customization: &[u8]) -> Self {
                    Self::build(&Params { customization, ..Params::default() })
                        .expect("the row takes a customisation of any length")
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
    use crate::surface::hash::Reader;
    use crate::surface::typed::*;
    use digest_0_10::crypto_common::BlockSizeUser;
    use digest_0_10::{
        ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker, Output,
        OutputSizeUser, Reset, Update, XofReader,
    };
    use typenum::U;

    for_each_typed!(implement);
}
