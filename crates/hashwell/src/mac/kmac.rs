//! KMAC128 and KMAC256 (SP 800-185 section 4).

use crate::api::hash::Reader;
use crate::families::OutputStream;
use crate::families::keccak::{self, SHAKE128, SHAKE256, encode};
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::kernel::{KernelInfo, Listing};
use crate::internal::names::edit_distance;
use crate::internal::try_alloc::words;
use alloc::vec;
use alloc::vec::Vec;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, Zeroizing};

/// Which KMAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KmacVariant {
    /// KMAC128: 128-bit security, default tag of 32 bytes.
    Kmac128,
    /// KMAC256: 256-bit security, default tag of 64 bytes.
    Kmac256,
}

impl KmacVariant {
    /// Both.
    pub const ALL: [KmacVariant; 2] = [KmacVariant::Kmac128, KmacVariant::Kmac256];

    /// `kmac128` or `kmac256`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            KmacVariant::Kmac128 => "kmac128",
            KmacVariant::Kmac256 => "kmac256",
        }
    }

    /// Default tag length: twice the security strength, in bytes.
    #[must_use]
    pub const fn output(self) -> usize {
        match self {
            KmacVariant::Kmac128 => 32,
            KmacVariant::Kmac256 => 64,
        }
    }

    fn shake(self) -> &'static keccak::Spec {
        match self {
            KmacVariant::Kmac128 => &SHAKE128,
            KmacVariant::Kmac256 => &SHAKE256,
        }
    }

    /// The kernels that both run on, fastest first.
    #[must_use]
    pub fn kernels(self) -> Vec<KernelInfo> {
        keccak::KERNELS.rows()
    }

    /// The variant of this name.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`].
    pub fn find(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|v| v.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
            let near = Self::ALL.into_iter().map(Self::name).filter(|own| edit_distance(own, name) <= 2);
            let nearest = near.min_by_key(|own| edit_distance(own, name));
            Error::UnknownAlgorithm { name: words(name), nearest }
        })
    }
}

/// KMAC in progress. Key-dependent state is overwritten on drop.
#[derive(Clone)]
pub struct Kmac {
    variant: KmacVariant,
    keyed: keccak::State,
    sponge: keccak::State,
}

impl Kmac {
    /// Keys KMAC; key and customisation of any length. SP 800-185 section 8.4.1 asks for a key of at
    /// least the security strength; shorter ones are accepted, as there.
    #[must_use]
    pub fn new(variant: KmacVariant, key: &[u8], customization: &[u8]) -> Self {
        let sponge = keccak::State::new(variant.shake());
        Self::keyed(variant, sponge, key, customization)
    }

    /// As [`Kmac::new`], on the kernel of this name.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] or [`Error::UnavailableKernel`].
    pub fn with_kernel(
        variant: KmacVariant,
        key: &[u8],
        customization: &[u8],
        kernel: Option<&str>,
    ) -> Result<Self, Error> {
        let sponge = keccak::State::with_kernel(variant.shake(), kernel)?;
        Ok(Self::keyed(variant, sponge, key, customization))
    }

    fn keyed(variant: KmacVariant, mut keyed: keccak::State, key: &[u8], customization: &[u8]) -> Self {
        keccak::cshake(&mut keyed, b"KMAC", customization);
        encode::absorb_bytepad(&mut keyed, &[key]);
        Self { variant, sponge: keyed.clone(), keyed }
    }

    /// KMAC128 or KMAC256.
    #[must_use]
    pub fn variant(&self) -> KmacVariant {
        self.variant
    }

    /// Appends to the message.
    pub fn update(&mut self, data: &[u8]) {
        self.sponge.absorb(data);
    }

    /// Writes the tag of the message so far. The tag depends on `out.len()`: a shorter tag is not a
    /// prefix of a longer one. More may follow.
    pub fn tag_into(&self, out: &mut [u8]) {
        let mut sponge = self.sponge.clone();
        encode::absorb_right_encode(&mut sponge, out.len() as u64 * 8);
        sponge.finalize_into(out);
        sponge.zeroize();
    }

    /// The tag of the message so far, of `len` bytes, to be read in pieces: it is the first `len` bytes of this
    /// stream, which has no others to give.
    #[must_use]
    pub fn tag_reader(&self, len: u64) -> Reader {
        self.reader(len.saturating_mul(8))
    }

    /// The output for the message so far, with this length in bits encoded at its end.
    fn reader(&self, bits: u64) -> Reader {
        let mut sponge = self.sponge.clone();
        encode::absorb_right_encode(&mut sponge, bits);
        let reader = Reader::secret(self.variant.name(), OutputStream::Keccak(sponge.clone().into_reader()));
        sponge.zeroize();
        reader
    }

    /// The tag of the message so far, `len` bytes long.
    #[must_use]
    pub fn tag(&self, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.tag_into(&mut out);
        out
    }

    /// Accepts the tag of the message so far, of the caller's tag length. Constant time in the tags'
    /// bytes.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] for any other bytes, an empty tag included.
    pub fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        if tag.is_empty() {
            return Err(Error::TagMismatch);
        }
        let mut piece = Zeroizing::new([0; 168]);
        if let Some(own) = piece.get_mut(..tag.len()) {
            self.tag_into(own);
            return super::verify(own, tag);
        }
        // In pieces, since a tag has any length, and there may be no memory for another one.
        let mut computed = self.tag_reader(tag.len() as u64);
        let mut same = Choice::from(1);
        for given in tag.chunks(piece.len()) {
            let own = &mut piece[..given.len()];
            computed.read(own);
            same &= own.ct_eq(given);
        }
        if same.into() { Ok(()) } else { Err(Error::TagMismatch) }
    }

    /// KMACXOF128 or KMACXOF256 (section 4.3.1): ends the message, output of any length.
    #[must_use]
    pub fn into_reader(self) -> Reader {
        self.reader(0)
    }

    /// Name of the kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.sponge.kernel()
    }

    /// Forgets the message, keeps key and customisation.
    pub fn reset(&mut self) {
        self.sponge.clone_from(&self.keyed);
    }
}

impl Drop for Kmac {
    fn drop(&mut self) {
        self.keyed.zeroize();
        self.sponge.zeroize();
    }
}

impl core::fmt::Debug for Kmac {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Kmac({})", self.variant.name())
    }
}
