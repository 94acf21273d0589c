//! The traits of RustCrypto's `digest` 0.11 on the typed hashers and on [`Reader`], so that generic code
//! (`hmac::SimpleHmac`, signatures, password hashing) runs on hashwell's kernels.

use crate::error::Error;
use crate::hash::Reader;
use crate::registry::Params;

use crate::typed::*;
use digest::common::BlockSizeUser;
use digest::typenum::U;
use digest::{
    CustomizedInit, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker,
    Output, OutputSizeUser, Reset, TryCustomizedInit, Update, XofReader,
};

macro_rules! implement {
    (fixed { $($fixed:ident $_name:literal $len:literal,)* } xof { $($xof:ident $_xof_name:literal,)* }) => {
        $( implement_common! { $fixed }
        impl HashMarker for $fixed {}
        impl OutputSizeUser for $fixed {
            type OutputSize = U<$len>;
        }
        impl FixedOutput for $fixed {
            fn finalize_into(self, out: &mut Output<Self>) {
                *out = self.finalize().into();
            }
        }
        impl FixedOutputReset for $fixed {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                *out = self.clone().finalize().into();
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

for_each_typed!(implement);

impl XofReader for Reader {
    fn read(&mut self, buffer: &mut [u8]) {
        Reader::read(self, buffer);
    }
}

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
