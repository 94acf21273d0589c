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

/// A variant of KMAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KmacVariant {
    /// KMAC128, with 128-bit security and a default tag of 32 bytes.
    Kmac128,
    /// KMAC256, with 256-bit security and a default tag of 64 bytes.
    Kmac256,
}

impl KmacVariant {
    /// Both variants.
    pub const ALL: [KmacVariant; 2] = [KmacVariant::Kmac128, KmacVariant::Kmac256];

    /// Returns `kmac128` or `kmac256`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            KmacVariant::Kmac128 => "kmac128",
            KmacVariant::Kmac256 => "kmac256",
        }
    }

    /// Returns the default tag length in bytes, which is twice the security strength.
    #[must_use]
    pub const fn output(self) -> usize {
        match self {
            KmacVariant::Kmac128 => 32,
            KmacVariant::Kmac256 => 64,
        }
    }

    pub(super) fn shake(self) -> &'static keccak::Spec {
        match self {
            KmacVariant::Kmac128 => &SHAKE128,
            KmacVariant::Kmac256 => &SHAKE256,
        }
    }

    /// Returns the kernels of both variants, fastest first.
    #[must_use]
    pub fn kernels(self) -> Vec<KernelInfo> {
        keccak::KERNELS.rows()
    }

    /// Returns the variant with this name.
    ///
    /// # Errors
    /// Returns [`Error::UnknownAlgorithm`] if no variant has this name.
    pub fn find(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|v| v.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
            let near = Self::ALL.into_iter().map(Self::name).filter(|own| edit_distance(own, name) <= 2);
            let nearest = near.min_by_key(|own| edit_distance(own, name));
            Error::UnknownAlgorithm { name: words(name), nearest }
        })
    }
}

/// A KMAC computation in progress. All state that depends on the key is overwritten on drop.
///
/// ```
/// use hashwell::{Kmac, KmacVariant};
///
/// let mut mac = Kmac::new(KmacVariant::Kmac128, b"a secret key of 128 bits or more", b"my application");
/// mac.update(b"message");
/// let tag = mac.tag(32);
/// mac.verify(&tag)?;
/// # Ok::<(), hashwell::Error>(())
/// ```
#[derive(Clone)]
pub struct Kmac {
    pub(super) variant: KmacVariant,
    pub(super) keyed: keccak::State,
    pub(super) sponge: keccak::State,
}

impl Kmac {
    /// Makes a KMAC with a key and a customization string of any length.
    ///
    /// SP 800-185 section 8.4.1 requires a key of at least the security strength. Like the
    /// standard's algorithm, this function also accepts shorter keys.
    #[must_use]
    pub fn new(variant: KmacVariant, key: &[u8], customization: &[u8]) -> Self {
        let sponge = keccak::State::new(variant.shake());
        Self::keyed(variant, sponge, key, customization)
    }

    /// Makes a KMAC like [`Kmac::new`], with the kernel of this name.
    ///
    /// # Errors
    /// Returns [`Error::UnknownKernel`] or [`Error::UnavailableKernel`] if the kernel cannot be
    /// used.
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
        keyed.begin_message();
        Self { variant, sponge: keyed.clone(), keyed }
    }

    /// Returns the variant.
    #[must_use]
    pub fn variant(&self) -> KmacVariant {
        self.variant
    }

    /// Appends bytes to the message.
    pub fn update(&mut self, data: &[u8]) {
        self.sponge.absorb(data);
    }

    /// Fills `out` with the tag of the message so far. You can append to the message afterwards.
    ///
    /// The tag depends on its length, `out.len()`: a shorter tag is not a prefix of a longer tag.
    pub fn tag_into(&self, out: &mut [u8]) {
        let mut sponge = self.sponge.clone();
        encode::absorb_right_encode(&mut sponge, out.len() as u64 * 8);
        sponge.finalize_into(out);
        sponge.zeroize();
    }

    /// Returns a reader for the tag of the message so far, so that you can read a long tag in
    /// pieces.
    ///
    /// The tag is the first `len` bytes of the stream. Later bytes of the stream have no meaning.
    #[must_use]
    pub fn tag_reader(&self, len: u64) -> Reader {
        self.reader(len.saturating_mul(8))
    }

    /// Returns the output for the message so far, followed by the encoding of this length in bits.
    fn reader(&self, bits: u64) -> Reader {
        let mut sponge = self.sponge.clone();
        encode::absorb_right_encode(&mut sponge, bits);
        let reader = Reader::secret(self.variant.name(), OutputStream::Keccak(sponge.clone().into_reader()));
        sponge.zeroize();
        reader
    }

    /// Returns a tag of `len` bytes for the message so far.
    #[must_use]
    pub fn tag(&self, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.tag_into(&mut out);
        out
    }

    /// Verifies the tag of the message so far. The tag length is `tag.len()`. Tags are compared in constant time.
    ///
    /// # Errors
    /// Returns [`Error::TagMismatch`] if the tag is wrong or empty.
    pub fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        if tag.is_empty() {
            return Err(Error::TagMismatch);
        }
        let mut piece = Zeroizing::new([0; 168]);
        if let Some(own) = piece.get_mut(..tag.len()) {
            self.tag_into(own);
            return super::verify(own, tag);
        }
        // The tag is computed in pieces, since it can have any length and there may be no memory
        // for a copy.
        let mut computed = self.tag_reader(tag.len() as u64);
        let mut same = Choice::from(1);
        for given in tag.chunks(piece.len()) {
            let own = &mut piece[..given.len()];
            computed.read(own);
            same &= own.ct_eq(given);
        }
        if same.into() { Ok(()) } else { Err(Error::TagMismatch) }
    }

    /// Ends the message and returns its KMACXOF128 or KMACXOF256 output (section 4.3.1), of any
    /// length.
    #[must_use]
    pub fn into_reader(self) -> Reader {
        self.reader(0)
    }

    /// Returns the name of the kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.sponge.kernel()
    }

    /// Starts a new message with the same key and customization string.
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
