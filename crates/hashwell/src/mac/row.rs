//! HMAC over a registry row as plain data: no heap and no pointer but to statics, so that what holds it can be
//! copied byte by byte. Unlike [`Hmac`](super::Hmac) it can be keyed again and again, as HMAC-DRBG does.

use crate::families::{State, blake2, keccak, ripemd160, sha1, sha2};
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::keyed::{HmacCore, Keyed, KeyedHmac, MAX_BLOCK, Rekeyable, Tag, key_block};
use crate::internal::storage::Plain;
use crate::internal::verdict::Verdict;
use crate::internal::wipe;
use crate::registry::{Algorithm, Params};
use zeroize::Zeroize;

/// HMAC over a registry row, as plain data.
#[derive(Clone)]
#[allow(unreachable_pub)] // small code has the one of `row_of_any` in public
pub struct RowHmac {
    pub(crate) algorithm: &'static Algorithm,
    states: States,
    /// Where the verdict is; nothing while the test itself runs.
    test: Option<&'static Verdict>,
}

/// The kinds of state, for `$then`: what [`State`] calls those that are kept, and their types, then those that are
/// large, then those that HMAC is not defined over.
macro_rules! kinds {
    ($then:ident $arguments:tt) => {
        $then! {
            [
                Sha1(sha1::State) Ripemd160(ripemd160::State) Md32(sha2::State32) Md64(sha2::State64)
                Keccak(keccak::State) Blake2b(blake2::Blake2b) Blake2s(blake2::Blake2s)
            ]
            [Blake2bp Blake2sp Blake3]
            [Kangaroo Ascon]
            $arguments
        }
    };
}

macro_rules! define_states {
    ([$($kind:ident($state:ty))*] [$($large:ident)*] [$($none:ident)*] ()) => {
        #[derive(Clone)]
        #[allow(clippy::large_enum_variant)] // a box would be heap
        enum States {
            $($kind(Rekeyable<$state>),)*
            /// States of kilobytes are not kept: every tag keys anew.
            Large(Large),
        }

        impl States {
            /// Under no key yet. `fresh` is the row's hash.
            #[inline(always)]
            fn new(algorithm: &'static Algorithm, fresh: State<Plain>) -> Self {
                // By name, so that states made later are on it whatever the process is forced onto then.
                let kernel = fresh.kernel();
                match fresh {
                    $(State::$kind(fresh) => States::$kind(rekeyable(algorithm, fresh.into_inner())),)*
                    $(State::$large(_))|* => {
                        States::Large(Large { algorithm, kernel, key: [0; MAX_BLOCK] })
                    }
                    $(State::$none(_))|* => unreachable!("HMAC is not defined over them"),
                }
            }
        }
    };
}
kinds!(define_states());

macro_rules! match_states {
    ([$($kind:ident($state:ty))*] $large:tt $none:tt ($states:expr, $hmac:ident => $then:expr)) => {
        match $states {
            $(States::$kind($hmac) => $then,)*
            States::Large($hmac) => $then,
        }
    };
}

/// Lends the keyed states of a [`Large`]; of one type for each kind, since to move the enumeration is to move all
/// its kilobytes.
macro_rules! lend {
    (
        [$($kind:ident($state:ty))*] [$($large:ident)*] [$($none:ident)*]
        ($hmac:expr, $keyed:ident => $then:expr)
    ) => {
        $hmac.fresh(|fresh| match fresh {
            $(State::$large(fresh) => $hmac.lend(fresh.into_inner(), |$keyed| $then),)*
            $(State::$kind(_))|* => unreachable!("their states are kept"),
            $(State::$none(_))|* => unreachable!("HMAC is not defined over them"),
        })
    };
}

/// What [`RowHmac`] wants of one kind of state besides. Hashes of messages are given to `place`, for each kind
/// apart, so that no more is moved than it has.
trait Kind: KeyedHmac {
    /// The hash before anything.
    fn fresh<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R;
    /// The hash of a message that begins.
    fn begin<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R;
    /// As [`Keyed::finish`].
    fn finish(&self, message: &State<Plain>, tag: &mut [u8]);
    fn kernel(&self) -> &'static str;
}

fn rekeyable<S: HmacCore>(algorithm: &Algorithm, fresh: S) -> Rekeyable<S> {
    Rekeyable::new(algorithm.name, algorithm.block, algorithm.output, fresh)
}

impl<S: HmacCore + Into<State<Plain>>> Kind for Rekeyable<S> {
    #[inline(always)]
    fn fresh<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R {
        place(self.fresh.clone().into())
    }

    #[inline(always)]
    fn begin<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R {
        place(self.keyed.inner.clone().into())
    }

    fn finish(&self, message: &State<Plain>, tag: &mut [u8]) {
        self.keyed.finish(message, &[], tag);
    }

    fn kernel(&self) -> &'static str {
        self.fresh.kernel()
    }
}

/// A key whose states are made when they are needed.
#[derive(Clone)]
struct Large {
    algorithm: &'static Algorithm,
    kernel: &'static str,
    /// As [`key_block`] writes it.
    key: [u8; MAX_BLOCK],
}

impl Large {
    /// Lends the states under the key, on the stack.
    fn lend<S: Core + Clone, R>(&self, fresh: S, use_them: impl FnOnce(&Keyed<S>) -> R) -> R {
        let Algorithm { block, output, .. } = *self.algorithm;
        let mut keyed = Keyed::new(block, output, fresh, &self.key[..block]);
        let result = use_them(&keyed);
        keyed.zeroize();
        result
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
        self.wipe();
        let Algorithm { block, output, .. } = *self.algorithm;
        let mut padded = [0; MAX_BLOCK];
        key_block(key, &mut padded[..block], output, |key, digest| {
            self.fresh(|fresh| fresh.digest(key, digest));
        });
        self.key = padded;
        padded.zeroize();
    }

    fn tag(&self, message: &[&[u8]], out: &mut [u8]) {
        kinds!(lend(self, keyed => keyed.tag(message, out)));
    }

    fn chain(&self, v: &mut Tag, out: &mut [u8]) {
        kinds!(lend(self, keyed => keyed.chain(v, out)));
    }

    fn wipe(&mut self) {
        self.key.zeroize();
    }
}

impl Kind for Large {
    #[inline(always)]
    fn fresh<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R {
        let params = Params { kernel: Some(self.kernel), ..Params::default() };
        let fresh = self.algorithm.family.build_for(&params, self.algorithm.output, place);
        fresh.expect("it was made before, on the same kernel")
    }

    #[inline(always)]
    fn begin<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R {
        kinds!(lend(self, keyed => place(keyed.inner.clone().into())))
    }

    fn finish(&self, message: &State<Plain>, tag: &mut [u8]) {
        kinds!(lend(self, keyed => keyed.finish(message, &[], tag)));
    }

    fn kernel(&self) -> &'static str {
        self.kernel
    }
}

impl RowHmac {
    /// HMAC over the row, under no key yet.
    ///
    /// * `test`: where the verdict of the self-test is that it depends on, if it is not the test that asks.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] or [`Error::UnavailableKernel`].
    ///
    /// # Panics
    /// If HMAC is not defined over the row.
    pub(crate) fn new(
        algorithm: &'static Algorithm,
        kernel: Option<&str>,
        test: Option<&'static Verdict>,
    ) -> Result<Self, Error> {
        let params = Params { kernel, ..Params::default() };
        let place = |fresh| States::new(algorithm, fresh);
        let states = algorithm.family.build_for(&params, algorithm.output, place)?;
        Ok(Self { algorithm, states, test })
    }

    /// Gives the hash before anything to `place`.
    #[inline(always)]
    pub(super) fn fresh<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R {
        kinds!(match_states(&self.states, hmac => hmac.fresh(place)))
    }

    /// Gives the hash of a message that begins to `place`.
    #[inline(always)]
    pub(super) fn begin<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R {
        kinds!(match_states(&self.states, hmac => hmac.begin(place)))
    }

    /// Writes the leftmost bytes of the tag of a message, whose hash `begin` gave; more may follow.
    pub(super) fn finish(&self, message: &State<Plain>, tag: &mut [u8]) {
        kinds!(match_states(&self.states, hmac => hmac.finish(message, tag)));
    }

    pub(crate) fn kernel(&self) -> &'static str {
        kinds!(match_states(&self.states, hmac => hmac.kernel()))
    }
}

/// Keys may have any length, and tags may be cut.
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
        kinds!(match_states(&mut self.states, hmac => hmac.set_key(key)));
    }

    fn tag(&self, message: &[&[u8]], out: &mut [u8]) {
        kinds!(match_states(&self.states, hmac => hmac.tag(message, out)));
    }

    fn chain(&self, v: &mut Tag, out: &mut [u8]) {
        kinds!(match_states(&self.states, hmac => hmac.chain(v, out)));
    }

    fn rekey(&mut self, k: &mut Tag, v: &mut Tag) {
        kinds!(match_states(&mut self.states, hmac => hmac.rekey(k, v)));
    }

    fn wipe(&mut self) {
        kinds!(match_states(&mut self.states, hmac => hmac.wipe()));
        wipe::below(self.algorithm.family.depth_in_place());
    }
}
