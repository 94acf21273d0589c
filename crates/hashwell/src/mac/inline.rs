//! HMAC as plain data: no heap and no pointer but to statics, so that what holds it can be copied byte by
//! byte. Unlike [`Hmac`](super::Hmac) it is keyed again and again, as HMAC-DRBG does.

use super::hmac::{MAX_BLOCK, MAX_DIGEST};
use crate::drbg::self_test::{self, KnownAnswer};
use crate::error::Error;
use crate::family::{Core, State, Tag};
use crate::registry::{Algorithm, Node, Params};
use crate::storage::Inline;
use crate::wipe;
use crate::{blake2, blake3, keccak, sha1, sha2};
use zeroize::{Zeroize, Zeroizing};

/// HMAC under a key that can be changed: what [`Drbg`](crate::Drbg) runs on. hashwell implements it over its
/// rows; an implementation of the caller's own has to be right, since nothing here can test it.
pub trait KeyedHmac {
    /// What errors call it.
    fn name(&self) -> &'static str;

    /// Bytes of a tag, 1 to 64.
    fn output_len(&self) -> usize;

    /// Whether it may be used. [`RowHmac`] answers with the verdict of its known-answer test.
    ///
    /// # Errors
    /// [`Error::SelfTestFailed`].
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Replaces the key, which has [`KeyedHmac::output_len`] bytes.
    fn set_key(&mut self, key: &[u8]);

    /// Writes the tag of all pieces one after the other; `out` has [`KeyedHmac::output_len`] bytes.
    fn tag(&self, message: &[&[u8]], out: &mut [u8]);

    /// `v` becomes its own tag once for each [`KeyedHmac::output_len`] bytes of `out`, which every new `v` is
    /// written to. Only so many bytes of `v` count, the others are zeros.
    fn chain(&self, v: &mut [u8; 64], out: &mut [u8]) {
        chain_by_definition(self, v, out);
    }

    /// HMAC_DRBG_Update without data: `k` becomes the tag of `v` ‖ 00 and the new key, `v` its own tag under it.
    /// Lengths as for [`KeyedHmac::chain`].
    fn rekey(&mut self, k: &mut [u8; 64], v: &mut [u8; 64]) {
        rekey_by_definition(self, k, v);
    }

    /// Overwrites all that depends on the key.
    fn wipe(&mut self);
}

pub(crate) fn chain_by_definition(hmac: &(impl KeyedHmac + ?Sized), v: &mut Tag, out: &mut [u8]) {
    let mut tag = [0; MAX_DIGEST];
    let len = hmac.output_len();
    for chunk in out.chunks_mut(len) {
        hmac.tag(&[&v[..len]], &mut tag[..len]);
        *v = tag;
        chunk.copy_from_slice(&v[..chunk.len()]);
    }
    tag.zeroize();
}

pub(crate) fn rekey_by_definition(hmac: &mut (impl KeyedHmac + ?Sized), k: &mut Tag, v: &mut Tag) {
    let len = hmac.output_len();
    hmac.tag(&[&v[..len], &[0]], &mut k[..len]);
    hmac.set_key(&k[..len]);
    let before = Zeroizing::new(*v);
    hmac.tag(&[&before[..len]], &mut v[..len]);
}

/// HMAC over a registry row, as plain data.
#[derive(Clone)]
pub struct RowHmac {
    pub(crate) algorithm: &'static Algorithm,
    states: States,
    /// Where the verdict is; nothing while the test itself runs.
    test: Option<&'static KnownAnswer>,
}

/// H's states before a message, after (key ⊕ ipad) and after (key ⊕ opad).
#[derive(Clone)]
pub(crate) struct Midstates<S> {
    algorithm: &'static Algorithm,
    pub(crate) fresh: S,
    pub(crate) inner: S,
    pub(crate) outer: S,
}

#[derive(Clone)]
#[allow(clippy::large_enum_variant)] // a box would be heap
enum States {
    Sha1(Midstates<sha1::State>),
    Sha2x32(Midstates<sha2::State32>),
    Sha2x64(Midstates<sha2::State64>),
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
    Blake2bp(blake2::Kernels<u64, 128>),
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

impl<S: Core + Clone> Midstates<S> {
    fn new(algorithm: &'static Algorithm, fresh: S) -> Self {
        Self { algorithm, inner: fresh.clone(), outer: fresh.clone(), fresh }
    }
}

impl<S: Core + Clone> KeyedHmac for Midstates<S> {
    fn name(&self) -> &'static str {
        self.algorithm.name
    }

    fn output_len(&self) -> usize {
        self.algorithm.output
    }

    fn set_key(&mut self, key: &[u8]) {
        let Self { algorithm, fresh, inner, outer } = self;
        let mut block = [0; MAX_BLOCK];
        for (state, pad) in [(inner, 0x36), (outer, 0x5c)] {
            let block = &mut block[..algorithm.block];
            block.fill(pad);
            block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
            state.clone_from(fresh);
            state.update(block);
        }
        block = [0; MAX_BLOCK];
        zeroize::optimization_barrier(&block);
    }

    fn tag(&self, message: &[&[u8]], out: &mut [u8]) {
        let mut digest = [0; MAX_DIGEST];
        let digest = &mut digest[..out.len()];
        let mut state = self.inner.clone();
        message.iter().for_each(|piece| state.update(piece));
        state.finalize_into(digest);
        state.zeroize();
        self.outer.digest_with(digest, out);
        digest.fill(0);
        zeroize::optimization_barrier(digest);
    }

    fn chain(&self, v: &mut Tag, out: &mut [u8]) {
        S::chain_hmac(self, v, out);
    }

    fn rekey(&mut self, k: &mut Tag, v: &mut Tag) {
        S::rekey_hmac(self, k, v);
    }

    fn wipe(&mut self) {
        self.inner.zeroize();
        self.outer.zeroize();
    }
}

impl<S: Core + Clone + Into<State<Inline>>> Keyed for Midstates<S> {
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

/// Parameters of BLAKE2bp under HMAC.
const UNKEYED: blake2::Parameters<'static> =
    blake2::Parameters { output_len: 64, key: &[], salt: &[], personal: &[], node: Node::SEQUENTIAL };

impl Large {
    fn states(algorithm: &'static Algorithm, hash: LargeHash) -> States {
        States::Large(Large { algorithm, hash, key: [0; MAX_BLOCK], key_len: 0 })
    }

    fn fresh(&self) -> State<Inline> {
        match self.hash {
            LargeHash::Blake2bp(kernels) => blake2::Blake2bp::on(kernels, &UNKEYED).into(),
            LargeHash::Blake3 => blake3::State::new().into(),
        }
    }

    /// Lends states under the key, on the stack.
    fn lend<R>(&self, use_them: impl FnOnce(&dyn Keyed) -> R) -> R {
        fn keyed<S: Core + Clone + Into<State<Inline>>, R>(
            large: &Large,
            fresh: S,
            use_them: impl FnOnce(&dyn Keyed) -> R,
        ) -> R {
            let mut states = Midstates::new(large.algorithm, fresh);
            states.set_key(&large.key[..large.key_len]);
            let result = use_them(&states);
            states.wipe();
            result
        }
        match self.hash {
            LargeHash::Blake2bp(kernels) => keyed(self, blake2::Blake2bp::on(kernels, &UNKEYED), use_them),
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
            LargeHash::Blake3 => blake3::KERNELS.best().name(),
        }
    }
}

impl States {
    fn keyed(&self) -> &dyn Keyed {
        match self {
            States::Sha1(m) => m,
            States::Sha2x32(m) => m,
            States::Sha2x64(m) => m,
            States::Keccak(m) => m,
            States::Blake2b(m) => m,
            States::Blake2s(m) => m,
            States::Large(large) => large,
        }
    }

    fn keyed_mut(&mut self) -> &mut dyn Keyed {
        match self {
            States::Sha1(m) => m,
            States::Sha2x32(m) => m,
            States::Sha2x64(m) => m,
            States::Keccak(m) => m,
            States::Blake2b(m) => m,
            States::Blake2s(m) => m,
            States::Large(large) => large,
        }
    }
}

impl RowHmac {
    /// HMAC over the row, under no key yet, once HMAC-DRBG over it has passed its known-answer test.
    ///
    /// # Errors
    /// As [`Hmac::with_kernel`](super::Hmac::with_kernel), and [`Error::SelfTestFailed`].
    pub(crate) fn tested(algorithm: &'static Algorithm, kernel: Option<&str>) -> Result<Self, Error> {
        let test = self_test::ensure(algorithm)?;
        Ok(Self { test: Some(test), ..Self::untested(algorithm, kernel)? })
    }

    /// The same without its test.
    pub(crate) fn untested(algorithm: &'static Algorithm, kernel: Option<&str>) -> Result<Self, Error> {
        let params = Params { kernel, ..Params::default() };
        let states =
            algorithm.family.build_for::<Inline, _>(&params, algorithm.output, |state| match state {
                State::Sha1(fresh) => States::Sha1(Midstates::new(algorithm, fresh)),
                State::Sha2x32(fresh) => States::Sha2x32(Midstates::new(algorithm, fresh)),
                State::Sha2x64(fresh) => States::Sha2x64(Midstates::new(algorithm, fresh)),
                State::Keccak(fresh) => States::Keccak(Midstates::new(algorithm, fresh)),
                State::Blake2b(fresh) => States::Blake2b(Midstates::new(algorithm, fresh)),
                State::Blake2s(fresh) => States::Blake2s(Midstates::new(algorithm, fresh)),
                State::Blake2bp(state) => Large::states(algorithm, LargeHash::Blake2bp(state.kernels())),
                State::Blake3(_) => Large::states(algorithm, LargeHash::Blake3),
                State::Kangaroo(_) | State::Ascon(_) => unreachable!("HMAC is not defined over them"),
            })?;
        Ok(Self { algorithm, states, test: None })
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
            States::Sha2x32(m) => begin!(m),
            States::Sha2x64(m) => begin!(m),
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
        self.test.map_or(Ok(()), KnownAnswer::verdict)
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
