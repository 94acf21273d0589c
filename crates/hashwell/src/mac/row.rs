//! HMAC over an algorithm of the registry as plain data. It uses no heap and contains no pointers
//! except to statics, so that types which contain it can be copied byte by byte. Unlike
//! [`Hmac`](super::Hmac), it can change its key, as HMAC-DRBG requires.

use crate::families::{State, blake2, keccak, ripemd160, sha1, sha2};
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::keyed::{HmacCore, Keyed, KeyedHmac, MAX_BLOCK, Rekeyable, Tag, key_block};
#[cfg(feature = "states")]
use crate::internal::saved::Fields;
use crate::internal::saved::Saved;
use crate::internal::storage::Plain;
use crate::internal::verdict::Verdict;
use crate::internal::wipe;
use crate::registry::{Algorithm, Params};
use zeroize::Zeroize;

/// HMAC over an algorithm of the registry, as plain data.
#[derive(Clone)]
#[allow(unreachable_pub)] // with small code, the type of `row_of_any` is public instead
pub struct RowHmac {
    pub(crate) algorithm: &'static Algorithm,
    states: States,
    /// The verdict of the known-answer test, or `None` while the test itself runs.
    test: Option<&'static Verdict>,
}

/// Passes three lists of state kinds to `$then`: the variants of [`State`] that are stored, with
/// their types; the kinds that are too large to store; and the kinds that do not support HMAC.
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
        #[allow(clippy::large_enum_variant)] // a box would use the heap
        enum States {
            $($kind(Rekeyable<$state>),)*
            /// States of several kilobytes are not stored. They are computed again from the key for
            /// every tag.
            Large(Large),
        }

        impl States {
            /// Returns an HMAC without a key. `fresh` is the state of the hash before any message.
            #[inline(always)]
            fn new(algorithm: &'static Algorithm, fresh: State<Plain>) -> Self {
                // The name is stored, so that later states use the same kernel even if a different
                // kernel is forced in the meantime.
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

/// Lends the keyed states of a [`Large`]. It uses a separate type for each kind, because moving the enum would move all
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

/// Lends unkeyed states of a [`Large`], like `lend!`.
#[cfg(feature = "states")]
macro_rules! lend_unkeyed {
    (
        [$($kind:ident($state:ty))*] [$($large:ident)*] [$($none:ident)*]
        ($hmac:expr, $keyed:ident => $then:expr)
    ) => {
        $hmac.fresh(|fresh| match fresh {
            $(State::$large(fresh) => {
                let Algorithm { block, output, .. } = *$hmac.algorithm;
                let mut states = Keyed::unkeyed(block, output, fresh.into_inner());
                let $keyed = &mut states;
                let result = $then;
                states.zeroize();
                result
            })*
            $(State::$kind(_))|* => unreachable!("their states are kept"),
            $(State::$none(_))|* => unreachable!("HMAC is not defined over them"),
        })
    };
}

/// The operations that [`RowHmac`] needs from each kind of state. Hash states are passed to `place`, separately for
/// each kind, so that only as many bytes are moved as a state of this kind has.
trait Kind: KeyedHmac {
    /// Passes the hash before any input to `place`.
    fn fresh<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R;
    /// Passes the hash at the start of a message to `place`.
    fn begin<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R;
    /// Writes a tag. See [`Keyed::finish`].
    fn finish(&self, message: &State<Plain>, tag: &mut [u8]);
    fn kernel(&self) -> &'static str;
    /// Passes the two states of the key to `lend`.
    #[cfg(feature = "states")]
    fn lend_states<R>(&self, lend: impl FnOnce([&dyn Saved; 2]) -> R) -> R;
    /// Restores the key from its two states. It must not have been set before.
    ///
    /// # Errors
    /// Returns the same errors as [`Keyed::restore`].
    #[cfg(feature = "states")]
    fn restore(&mut self, fields: &mut Fields<'_>) -> Result<(), Error>;
}

fn rekeyable<S: HmacCore>(algorithm: &Algorithm, fresh: S) -> Rekeyable<S> {
    Rekeyable::new(algorithm.name, algorithm.block, algorithm.output, fresh)
}

impl<S: HmacCore + Saved + Into<State<Plain>>> Kind for Rekeyable<S> {
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

    #[cfg(feature = "states")]
    fn lend_states<R>(&self, lend: impl FnOnce([&dyn Saved; 2]) -> R) -> R {
        lend([&self.keyed.inner, &self.keyed.outer])
    }

    #[cfg(feature = "states")]
    fn restore(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        self.keyed.restore(fields).map(|_| ())
    }
}

/// A key whose states are computed when they are needed.
#[derive(Clone)]
struct Large {
    algorithm: &'static Algorithm,
    kernel: &'static str,
    /// The key, as [`key_block`] writes it.
    key: [u8; MAX_BLOCK],
}

impl Large {
    /// Computes the states for the key on the stack and lends them.
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

    #[cfg(feature = "states")]
    fn lend_states<R>(&self, lend: impl FnOnce([&dyn Saved; 2]) -> R) -> R {
        kinds!(lend(self, keyed => lend([&keyed.inner, &keyed.outer])))
    }

    #[cfg(feature = "states")]
    fn restore(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        let key = kinds!(lend_unkeyed(self, keyed => keyed.restore(fields)))?;
        self.key = *key.expect("large states buffer their first block");
        Ok(())
    }
}

impl RowHmac {
    /// Returns an HMAC over the algorithm, without a key.
    ///
    /// `test` is the verdict of the self-test that it depends on, or `None` if the self-test itself
    /// calls this function.
    ///
    /// # Errors
    /// Returns [`Error::UnknownKernel`] or [`Error::UnavailableKernel`] if the kernel cannot be
    /// used.
    ///
    /// # Panics
    /// Panics if HMAC is not defined over the algorithm.
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

    /// Passes the hash before any input to `place`.
    #[inline(always)]
    pub(super) fn fresh<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R {
        kinds!(match_states(&self.states, hmac => hmac.fresh(place)))
    }

    /// Passes the hash at the start of a message to `place`.
    #[inline(always)]
    pub(super) fn begin<R>(&self, place: impl FnOnce(State<Plain>) -> R) -> R {
        kinds!(match_states(&self.states, hmac => hmac.begin(place)))
    }

    /// Writes the leftmost bytes of the tag of a message whose hash `begin` returned. The message
    /// can be continued afterwards.
    pub(super) fn finish(&self, message: &State<Plain>, tag: &mut [u8]) {
        kinds!(match_states(&self.states, hmac => hmac.finish(message, tag)));
    }

    pub(crate) fn kernel(&self) -> &'static str {
        kinds!(match_states(&self.states, hmac => hmac.kernel()))
    }

    /// Passes the two states of the key to `lend`.
    #[cfg(feature = "states")]
    pub(super) fn lend_states<R>(&self, lend: impl FnOnce([&dyn Saved; 2]) -> R) -> R {
        kinds!(match_states(&self.states, hmac => hmac.lend_states(lend)))
    }

    /// Restores the key from its two states. It must not have been set before.
    ///
    /// # Errors
    /// Returns the same errors as [`Keyed::restore`].
    #[cfg(feature = "states")]
    pub(super) fn restore(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        kinds!(match_states(&mut self.states, hmac => hmac.restore(fields)))
    }
}

/// Keys can have any length, and tags can be truncated.
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
