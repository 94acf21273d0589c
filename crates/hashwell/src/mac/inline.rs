//! HMAC as plain data: no heap and no pointer but to statics, so that what holds it can be copied byte by
//! byte. Unlike [`Hmac`](super::Hmac) it is keyed again and again, as HMAC-DRBG does.

use crate::families::State;
use crate::families::{blake2, blake3, keccak, ripemd160, sha1, sha2};
use crate::ground::cores::Core;
use crate::ground::error::Error;
use crate::ground::keyed::{HmacCore, KeyedHmac, MAX_BLOCK, MAX_DIGEST, Midstates, Tag};
use crate::ground::storage::Inline;
use crate::ground::verdict::Verdict;
use crate::ground::wipe;
use crate::registry::{Algorithm, Node, Params};
use zeroize::Zeroize;

/// HMAC over a registry row, as plain data.
#[derive(Clone)]
pub struct RowHmac {
    pub(crate) algorithm: &'static Algorithm,
    states: States,
    /// Where the verdict is; nothing while the test itself runs.
    test: Option<&'static Verdict>,
}

#[derive(Clone)]
#[allow(clippy::large_enum_variant)] // a box would be heap
enum States {
    Sha1(Midstates<sha1::State>),
    Ripemd160(Midstates<ripemd160::State>),
    Md32(Midstates<sha2::State32>),
    Md64(Midstates<sha2::State64>),
    Keccak(Midstates<keccak::State>),
    Blake2b(Midstates<blake2::Blake2b>),
    Blake2s(Midstates<blake2::Blake2s>),
    /// States of kilobytes are not kept: every tag keys anew.
    Large(Large),
}

#[derive(Clone)]
struct Large {
    algorithm: &'static Algorithm,
    hash: LargeHash,
    key: [u8; MAX_BLOCK],
    key_len: usize,
}

#[derive(Clone, Copy)]
enum LargeHash {
    Blake2bp(blake2::KernelPair<u64, 128>),
    Blake2sp(blake2::KernelPair<u32, 64>),
    Blake3,
}

/// What [`RowHmac`] wants of one kind of state besides.
trait Keyed: KeyedHmac {
    /// The hash of a message that begins.
    fn begin(&self) -> State<Inline>;
    /// The tag of a message whose hash this is.
    fn finish(&self, digest: &[u8], tag: &mut [u8]);
    fn kernel(&self) -> &'static str;
}

fn midstates<S: HmacCore>(algorithm: &Algorithm, fresh: S) -> Midstates<S> {
    Midstates::new(algorithm.name, algorithm.block, algorithm.output, fresh)
}

impl<S: HmacCore + Into<State<Inline>>> Keyed for Midstates<S> {
    fn begin(&self) -> State<Inline> {
        self.inner.clone().into()
    }

    fn finish(&self, digest: &[u8], tag: &mut [u8]) {
        self.outer.digest_with(digest, tag);
    }

    fn kernel(&self) -> &'static str {
        self.fresh.kernel()
    }
}

/// Parameters of BLAKE2bp and BLAKE2sp under HMAC.
const fn unkeyed(output_len: usize) -> blake2::Parameters<'static> {
    blake2::Parameters { output_len, key: &[], salt: &[], personal: &[], node: Node::SEQUENTIAL }
}

impl Large {
    fn states(algorithm: &'static Algorithm, hash: LargeHash) -> States {
        States::Large(Large { algorithm, hash, key: [0; MAX_BLOCK], key_len: 0 })
    }

    fn fresh(&self) -> State<Inline> {
        match self.hash {
            LargeHash::Blake2bp(kernels) => blake2::Blake2bp::on(kernels, &unkeyed(64)).into(),
            LargeHash::Blake2sp(kernels) => blake2::Blake2sp::on(kernels, &unkeyed(32)).into(),
            LargeHash::Blake3 => blake3::State::new().into(),
        }
    }

    /// Lends states under the key, on the stack.
    fn lend<R>(&self, use_them: impl FnOnce(&dyn Keyed) -> R) -> R {
        fn keyed<S: HmacCore + Into<State<Inline>>, R>(
            large: &Large,
            fresh: S,
            use_them: impl FnOnce(&dyn Keyed) -> R,
        ) -> R {
            let mut states = midstates(large.algorithm, fresh);
            states.set_key(&large.key[..large.key_len]);
            let result = use_them(&states);
            states.wipe();
            result
        }
        match self.hash {
            LargeHash::Blake2bp(kernels) => {
                keyed(self, blake2::Blake2bp::on(kernels, &unkeyed(64)), use_them)
            }
            LargeHash::Blake2sp(kernels) => {
                keyed(self, blake2::Blake2sp::on(kernels, &unkeyed(32)), use_them)
            }
            LargeHash::Blake3 => keyed(self, blake3::State::new(), use_them),
        }
    }
}

impl KeyedHmac for Large {
    fn name(&self) -> &'static str {
        self.algorithm.name
    }

    fn output_len(&self) -> usize {
        self.algorithm.output
    }

    fn set_key(&mut self, key: &[u8]) {
        self.key[..key.len()].copy_from_slice(key);
        self.key_len = key.len();
    }

    fn tag(&self, message: &[&[u8]], out: &mut [u8]) {
        self.lend(|states| states.tag(message, out));
    }

    fn chain(&self, v: &mut Tag, out: &mut [u8]) {
        self.lend(|states| states.chain(v, out));
    }

    fn wipe(&mut self) {
        self.key.zeroize();
    }
}

impl Keyed for Large {
    fn begin(&self) -> State<Inline> {
        self.lend(|states| states.begin())
    }

    fn finish(&self, digest: &[u8], tag: &mut [u8]) {
        self.lend(|states| states.finish(digest, tag));
    }

    fn kernel(&self) -> &'static str {
        match self.hash {
            LargeHash::Blake2bp(kernels) => kernels.name(),
            LargeHash::Blake2sp(kernels) => kernels.name(),
            LargeHash::Blake3 => blake3::KERNELS.best().name(),
        }
    }
}

impl States {
    fn keyed(&self) -> &dyn Keyed {
        match self {
            States::Sha1(m) => m,
            States::Ripemd160(m) => m,
            States::Md32(m) => m,
            States::Md64(m) => m,
            States::Keccak(m) => m,
            States::Blake2b(m) => m,
            States::Blake2s(m) => m,
            States::Large(large) => large,
        }
    }

    fn keyed_mut(&mut self) -> &mut dyn Keyed {
        match self {
            States::Sha1(m) => m,
            States::Ripemd160(m) => m,
            States::Md32(m) => m,
            States::Md64(m) => m,
            States::Keccak(m) => m,
            States::Blake2b(m) => m,
            States::Blake2s(m) => m,
            States::Large(large) => large,
        }
    }
}

impl RowHmac {
    /// HMAC over the row, under no key yet.
    ///
    /// * `test`: where the verdict of the self-test is that it depends on, if it is not the test that asks.
    ///
    /// # Errors
    /// As [`Hmac::with_kernel`](super::Hmac::with_kernel).
    pub(crate) fn new(
        algorithm: &'static Algorithm,
        kernel: Option<&str>,
        test: Option<&'static Verdict>,
    ) -> Result<Self, Error> {
        let params = Params { kernel, ..Params::default() };
        let states =
            algorithm.family.build_for::<Inline, _>(&params, algorithm.output, |state| match state {
                State::Sha1(fresh) => States::Sha1(midstates(algorithm, fresh.into_inner())),
                State::Ripemd160(fresh) => States::Ripemd160(midstates(algorithm, fresh.into_inner())),
                State::Md32(fresh) => States::Md32(midstates(algorithm, fresh.into_inner())),
                State::Md64(fresh) => States::Md64(midstates(algorithm, fresh.into_inner())),
                State::Keccak(fresh) => States::Keccak(midstates(algorithm, fresh.into_inner())),
                State::Blake2b(fresh) => States::Blake2b(midstates(algorithm, fresh.into_inner())),
                State::Blake2s(fresh) => States::Blake2s(midstates(algorithm, fresh.into_inner())),
                State::Blake2bp(state) => Large::states(algorithm, LargeHash::Blake2bp(state.kernels())),
                State::Blake2sp(state) => Large::states(algorithm, LargeHash::Blake2sp(state.kernels())),
                State::Blake3(_) => Large::states(algorithm, LargeHash::Blake3),
                State::Kangaroo(_) | State::Ascon(_) => unreachable!("HMAC is not defined over them"),
            })?;
        Ok(Self { algorithm, states, test })
    }

    /// Sets a key of any length; one longer than the block is hashed first (FIPS 198-1 step 2).
    pub(super) fn set_any_key(&mut self, key: &[u8]) {
        if key.len() <= self.algorithm.block {
            return self.set_key(key);
        }
        let mut digest = [0; MAX_DIGEST];
        let hashed = &mut digest[..self.algorithm.output];
        self.algorithm.family.digest(key, hashed);
        self.set_key(hashed);
        digest.zeroize();
    }

    /// Gives the hash of a message that begins to `place`, with or without the key; for each kind of state apart, so
    /// that no more is moved than it has.
    #[inline(always)]
    pub(super) fn begin<R>(&self, keyed: bool, place: impl FnOnce(State<Inline>) -> R) -> R {
        macro_rules! begin {
            ($states:ident) => {
                place(if keyed { &$states.inner } else { &$states.fresh }.clone().into())
            };
        }
        match &self.states {
            States::Sha1(m) => begin!(m),
            States::Ripemd160(m) => begin!(m),
            States::Md32(m) => begin!(m),
            States::Md64(m) => begin!(m),
            States::Keccak(m) => begin!(m),
            States::Blake2b(m) => begin!(m),
            States::Blake2s(m) => begin!(m),
            States::Large(large) => place(if keyed { large.begin() } else { large.fresh() }),
        }
    }

    /// Writes the tag of a message, whose hash `begin` gave; more may follow.
    pub(super) fn finish(&self, message: &State<Inline>, tag: &mut [u8]) {
        let mut digest = [0; MAX_DIGEST];
        let hashed = &mut digest[..self.algorithm.output];
        message.digest_with(&[], hashed);
        self.states.keyed().finish(hashed, tag);
        digest.zeroize();
    }

    pub(crate) fn kernel(&self) -> &'static str {
        self.states.keyed().kernel()
    }
}

impl KeyedHmac for RowHmac {
    fn name(&self) -> &'static str {
        self.algorithm.name
    }

    fn output_len(&self) -> usize {
        self.algorithm.output
    }

    #[inline]
    fn check(&self) -> Result<(), Error> {
        self.test.map_or(Ok(()), Verdict::check)
    }

    fn set_key(&mut self, key: &[u8]) {
        self.states.keyed_mut().set_key(key);
    }

    fn tag(&self, message: &[&[u8]], out: &mut [u8]) {
        self.states.keyed().tag(message, out);
    }

    fn chain(&self, v: &mut [u8; 64], out: &mut [u8]) {
        self.states.keyed().chain(v, out);
    }

    fn rekey(&mut self, k: &mut [u8; 64], v: &mut [u8; 64]) {
        self.states.keyed_mut().rekey(k, v);
    }

    fn wipe(&mut self) {
        self.states.keyed_mut().wipe();
        if self.algorithm.family.leaves_blocks() {
            wipe::wipe_stack();
        }
    }
}
