//! The families of algorithms: how a registry row becomes a state, whatever is underneath.

use crate::families::blake2::Blake2Lanes;
use crate::families::keccak::kangaroo::Kangaroo;
use crate::families::md::{Md, MdLanes};
use crate::families::sponge::SpongeLanes;
use crate::ground::batch::{self, Pair};
use crate::ground::cores::Core;
use crate::ground::error::Error;
use crate::ground::kernel::KernelTable;
use crate::ground::params::{Node, Params};
use crate::ground::storage::{Boxed, Kept, Plain, Storage};
use crate::ground::wipe;
use alloc::boxed::Box;
use zeroize::Zeroize;

pub(crate) mod ascon;
pub(crate) mod blake2;
pub(crate) mod blake3;
pub(crate) mod keccak;
pub(crate) mod lockstep;
mod md;
pub(crate) mod sha1;
pub(crate) mod sha2;
mod sponge;

/// A row's family, and what tells the row from its siblings.
#[derive(Clone, Copy)]
pub(crate) enum Family {
    Sha1(&'static md::Spec<u32, 5, 64>),
    Sha2x32(&'static md::Spec<u32, 8, 64>),
    Sha2x64(&'static md::Spec<u64, 8, 128>),
    Keccak(&'static keccak::Spec),
    CShake(&'static keccak::Spec),
    TurboShake(&'static keccak::Spec),
    Kangaroo(&'static keccak::kangaroo::KangarooSpec),
    Blake2b,
    Blake2s,
    Blake2bp,
    Blake3,
    Ascon(&'static ascon::Spec),
    AsconCxof,
}

/// The states of all families. Large ones are boxed, so that the common ones stay cheap to move, unless the
/// whole has to be plain data.
#[derive(Clone)]
pub(crate) enum State<P: Storage = Boxed> {
    Sha1(sha1::State),
    Sha2x32(sha2::State32),
    Sha2x64(sha2::State64),
    Keccak(keccak::State),
    Kangaroo(P::Large<Kangaroo<P::Bytes>>),
    Blake2b(blake2::Blake2b),
    Blake2s(blake2::Blake2s),
    Blake2bp(P::Large<blake2::Blake2bp>),
    Blake3(P::Large<blake3::State>),
    Ascon(ascon::State),
}

/// The output streams of the families that have one.
#[derive(Clone)]
pub(crate) enum OutputStream {
    Keccak(keccak::Reader),
    Ascon(ascon::Reader),
    Blake3(Kept<blake3::Reader>),
}

impl Family {
    pub(crate) fn kernels(self) -> &'static dyn KernelTable {
        match self {
            Family::Sha1(spec) => spec.kernels,
            Family::Sha2x32(spec) => spec.kernels,
            Family::Sha2x64(spec) => spec.kernels,
            Family::Keccak(_) | Family::CShake(_) | Family::TurboShake(_) | Family::Kangaroo(_) => {
                &keccak::KERNELS
            }
            Family::Blake2b | Family::Blake2bp => &blake2::KERNELS_B,
            Family::Blake2s => &blake2::KERNELS_S,
            Family::Blake3 => &blake3::KERNELS,
            Family::Ascon(_) | Family::AsconCxof => &ascon::KERNELS,
        }
    }

    /// The table of kernels for many messages at once, where there is one.
    pub(crate) fn batch_kernels(self) -> Option<&'static dyn KernelTable> {
        match self {
            Family::Sha1(spec) => Some(spec.many),
            Family::Sha2x32(spec) => Some(spec.many),
            Family::Sha2x64(spec) => Some(spec.many),
            Family::Keccak(spec) | Family::CShake(spec) | Family::TurboShake(spec) => Some(spec.many),
            Family::Kangaroo(spec) => Some(spec.turboshake.many),
            Family::Blake2b | Family::Blake2bp => Some(&blake2::MANY_B),
            Family::Blake2s => Some(&blake2::MANY_S),
            // Ascon-XofA's last permutation has more rounds than the others, so its lanes could not go together.
            Family::Ascon(spec) => spec.is_uniform().then_some(spec.many as _),
            Family::AsconCxof => Some(ascon::CXOF128.many),
            Family::Blake3 => None,
        }
    }

    /// Whether a block of the message, or of a key, stays on the stack when a state was moved or a kernel has
    /// run: BLAKE2 holds its last block back, and its kernels and BLAKE3's crate need more room than registers.
    pub(crate) fn leaves_blocks(self) -> bool {
        matches!(self, Family::Blake2b | Family::Blake2s | Family::Blake2bp | Family::Blake3)
    }

    /// Whether one message is hashed by batch kernels.
    pub(crate) fn is_tree(self) -> bool {
        matches!(self, Family::Kangaroo(_) | Family::Blake2bp)
    }

    /// Whether many messages, or the leaves of one tree, can use a kernel of this name.
    pub(crate) fn check_kernel(self, name: &str) -> Result<&'static str, Error> {
        match (self.kernels().lookup(name), self.batch_kernels()) {
            (Ok(name), _) => Ok(name),
            (Err(Error::UnknownBackend { .. }), Some(batch)) => batch.lookup(name),
            (Err(error), _) => Err(error),
        }
    }

    /// The empty state. The row has checked the parameters against its limits.
    pub(crate) fn build<P: Storage>(self, p: &Params<'_>, output_len: usize) -> Result<State<P>, Error> {
        self.build_for(p, output_len, |state| state)
    }

    /// Gives the empty state to `place`. For each family apart, so that what is moved is one family's state and
    /// not the kilobytes of the largest.
    #[inline(always)]
    pub(crate) fn build_for<P: Storage, R>(
        self,
        p: &Params<'_>,
        output_len: usize,
        place: impl FnOnce(State<P>) -> R,
    ) -> Result<R, Error> {
        let blake2 = || blake2::Parameters {
            output_len,
            key: p.key.unwrap_or_default(),
            salt: p.salt,
            personal: p.personal,
            node: p.node,
        };
        Ok(match self {
            Family::Sha1(spec) => place(State::Sha1(Md::with_kernel(spec, p.kernel)?)),
            Family::Sha2x32(spec) => place(State::Sha2x32(Md::with_kernel(spec, p.kernel)?)),
            Family::Sha2x64(spec) => place(State::Sha2x64(Md::with_kernel(spec, p.kernel)?)),
            Family::Keccak(spec) => place(State::Keccak(keccak::State::with_kernel(spec, p.kernel)?)),
            Family::CShake(shake) => {
                let sponge = keccak::State::with_kernel(shake, p.kernel)?;
                place(State::Keccak(keccak::cshake(sponge, p.function_name, p.customization)))
            }
            Family::TurboShake(spec) => {
                let mut sponge = keccak::State::with_kernel(spec, p.kernel)?;
                if let Some(domain) = p.domain {
                    sponge.set_suffix(domain);
                }
                place(State::Keccak(sponge))
            }
            Family::Kangaroo(spec) => {
                place(State::Kangaroo(Kangaroo::new(spec, p.customization, p.kernel)?.into()))
            }
            Family::Blake2b => {
                place(State::Blake2b(blake2::Blake2b::new(&blake2::KERNELS_B, p.kernel, &blake2())?))
            }
            Family::Blake2s => {
                place(State::Blake2s(blake2::Blake2s::new(&blake2::KERNELS_S, p.kernel, &blake2())?))
            }
            Family::Blake2bp => place(State::Blake2bp(blake2::Blake2bp::new(p.kernel, &blake2())?.into())),
            Family::Blake3 => place(State::Blake3(blake3::new(p.key, p.context, p.kernel)?.into())),
            Family::Ascon(spec) => place(State::Ascon(ascon::State::with_kernel(spec, p.kernel)?)),
            Family::AsconCxof => {
                let sponge = ascon::State::with_kernel(&ascon::CXOF128, p.kernel)?;
                place(State::Ascon(ascon::cxof128(sponge, p.customization)))
            }
        })
    }

    /// The digest of one message, without parameters. Same as by way of a [`State`], which the common
    /// families spare: making and moving it costs a fifth of hashing 32 bytes.
    #[inline]
    pub(crate) fn digest(self, data: &[u8], out: &mut [u8]) {
        match self {
            Family::Sha1(spec) => Md::new(spec).digest(data, out),
            Family::Sha2x32(spec) => Md::new(spec).digest(data, out),
            Family::Sha2x64(spec) => Md::new(spec).digest(data, out),
            Family::Keccak(spec) | Family::CShake(spec) | Family::TurboShake(spec) => {
                keccak::State::new(spec).digest(data, out);
            }
            Family::Ascon(spec) => ascon::State::new(spec).digest(data, out),
            // The crate's own call makes no hasher, which costs as much as a short message.
            Family::Blake3 if out.len() == ::blake3::OUT_LEN => {
                out.copy_from_slice(::blake3::hash(data).as_bytes());
            }
            other => {
                let state = other.build::<Plain>(&Params::default(), out.len());
                state.expect("plain hashing refuses nothing").digest(data, out);
            }
        }
    }
}

macro_rules! into_state {
    ($($variant:ident $state:ty),*) => {$(
        impl From<$state> for State<Plain> {
            fn from(state: $state) -> Self {
                State::$variant(state.into())
            }
        }
    )*};
}
into_state!(
    Sha1 sha1::State, Sha2x32 sha2::State32, Sha2x64 sha2::State64, Keccak keccak::State, Blake2b blake2::Blake2b,
    Blake2s blake2::Blake2s, Blake2bp blake2::Blake2bp, Blake3 blake3::State
);

impl<P: Storage> State<P> {
    fn core(&self) -> &dyn Core {
        match self {
            State::Sha1(s) => s,
            State::Sha2x32(s) => s,
            State::Sha2x64(s) => s,
            State::Keccak(s) => s,
            State::Kangaroo(s) => &**s,
            State::Blake2b(s) => s,
            State::Blake2s(s) => s,
            State::Blake2bp(s) => &**s,
            State::Blake3(s) => &**s,
            State::Ascon(s) => s,
        }
    }

    #[inline]
    fn core_mut(&mut self) -> &mut dyn Core {
        match self {
            State::Sha1(s) => s,
            State::Sha2x32(s) => s,
            State::Sha2x64(s) => s,
            State::Keccak(s) => s,
            State::Kangaroo(s) => &mut **s,
            State::Blake2b(s) => s,
            State::Blake2s(s) => s,
            State::Blake2bp(s) => &mut **s,
            State::Blake3(s) => &mut **s,
            State::Ascon(s) => s,
        }
    }

    /// The stream that the message gives, for the families that have one. BLAKE3's still has the key; that goes
    /// to the heap if `away`.
    pub(crate) fn stream(&self, away: bool) -> Option<OutputStream> {
        match self {
            State::Keccak(s) => Some(OutputStream::Keccak(s.clone().into_reader())),
            State::Kangaroo(s) => Some(OutputStream::Keccak(Kangaroo::clone(s).into_reader())),
            State::Ascon(s) => Some(OutputStream::Ascon(s.clone().into_reader())),
            State::Blake3(s) if away => {
                Some(OutputStream::Blake3(Kept::Away(wipe::after(true, || Box::new(s.finalize_xof())))))
            }
            State::Blake3(s) => Some(OutputStream::Blake3(Kept::Here(s.finalize_xof()))),
            _ => None,
        }
    }
}

/// Many digests to make.
pub(crate) struct Jobs<'a, 'm> {
    /// The state before the messages and their prefixes.
    pub(crate) start: &'a State,
    pub(crate) messages: batch::Messages<'a, 'm>,
    /// Bytes of each digest; they go to `out` one after the other.
    pub(crate) output_len: usize,
    /// Whether the state or the prefixes depend on a key.
    pub(crate) secret: bool,
}

impl Family {
    /// Hashes all of them side by side where the family can, on the kernel of this name, which the caller has
    /// checked.
    pub(crate) fn digest_many(self, jobs: &Jobs<'_, '_>, kernel: Option<&str>, out: &mut [u8]) {
        let Jobs { start, ref messages, output_len, secret } = *jobs;
        let count = messages.count;
        const CHECKED: &str = "the name was checked";
        macro_rules! merkle_damgard {
            ($start:ident, $spec:ident) => {{
                let kernels = Pair::choose($spec.kernels, $spec.many, kernel, count).expect(CHECKED);
                batch::run(&mut MdLanes::new(kernels, $start, secret), messages, out, output_len);
            }};
        }
        macro_rules! blake2 {
            ($start:ident, $chain:ident, $many:ident) => {{
                let kernels = Pair::choose(&blake2::$chain, &blake2::$many, kernel, count).expect(CHECKED);
                batch::run(&mut Blake2Lanes::new(kernels, $start, secret), messages, out, output_len);
            }};
        }
        macro_rules! sponge {
            ($start:ident, $spec:expr) => {{
                let kernels = Pair::choose($spec.kernels, $spec.many, kernel, count).expect(CHECKED);
                batch::run(&mut SpongeLanes::new(kernels, $start, secret), messages, out, output_len);
            }};
        }
        match (self, start) {
            (Family::Sha1(spec), State::Sha1(start)) => merkle_damgard!(start, spec),
            (Family::Sha2x32(spec), State::Sha2x32(start)) => merkle_damgard!(start, spec),
            (Family::Sha2x64(spec), State::Sha2x64(start)) => merkle_damgard!(start, spec),
            (Family::Blake2b, State::Blake2b(start)) => blake2!(start, KERNELS_B, MANY_B),
            (Family::Blake2s, State::Blake2s(start)) => blake2!(start, KERNELS_S, MANY_S),
            (
                Family::Keccak(spec) | Family::CShake(spec) | Family::TurboShake(spec),
                State::Keccak(start),
            ) if start.suits_lanes() => sponge!(start, spec),
            (Family::Ascon(spec), State::Ascon(start)) if start.suits_lanes() => sponge!(start, spec),
            (Family::AsconCxof, State::Ascon(start)) if start.suits_lanes() => {
                sponge!(start, ascon::CXOF128);
            }
            (Family::Kangaroo(spec), State::Kangaroo(start)) if start.suits_lanes() => {
                let table = spec.turboshake;
                let kernels = Pair::choose(table.kernels, table.many, kernel, count).expect(CHECKED);
                let node = start.single_node();
                let whole = |message: &[u8], out: &mut [u8]| start.digest_with(message, out);
                let mut lanes = SpongeLanes::new(kernels, &node, secret).with_trailer(
                    keccak::kangaroo::NO_CUSTOMIZATION,
                    keccak::kangaroo::SINGLE_NODE_LEN,
                    &whole,
                );
                batch::run(&mut lanes, messages, out, output_len);
            }
            // Trees, which fill the lanes by themselves, and what does not fit the lanes.
            _ => {
                for job in 0..count {
                    let mut state = start.clone();
                    state.update(messages.prefix(job));
                    state.update(messages.message(job));
                    state.finalize_into(&mut out[job * output_len..][..output_len]);
                    if secret {
                        state.zeroize();
                    }
                }
            }
        }
    }
}

impl<P: Storage> Core for State<P> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.core_mut().update(data);
    }

    #[cfg(feature = "rayon")]
    fn update_parallel(&mut self, data: &[u8]) {
        self.core_mut().update_parallel(data);
    }

    #[inline]
    fn finalize_into(&mut self, out: &mut [u8]) {
        self.core_mut().finalize_into(out);
    }

    fn digest_with(&self, last: &[u8], out: &mut [u8]) {
        match self {
            State::Sha1(s) => s.digest_with(last, out),
            State::Sha2x32(s) => s.digest_with(last, out),
            State::Sha2x64(s) => s.digest_with(last, out),
            State::Keccak(s) => s.digest_with(last, out),
            State::Kangaroo(s) => s.digest_with(last, out),
            State::Blake2b(s) => s.digest_with(last, out),
            State::Blake2s(s) => s.digest_with(last, out),
            State::Blake2bp(s) => s.digest_with(last, out),
            State::Blake3(s) => s.digest_with(last, out),
            State::Ascon(s) => s.digest_with(last, out),
        }
    }

    fn kernel(&self) -> &'static str {
        self.core().kernel()
    }
}

/// What the largest family's state is in this storage.
pub(crate) trait Blank: Storage {
    fn blank() -> State<Self>;
}

/// Parameters of a state that nobody uses.
const NOTHING: blake2::Parameters<'static> =
    blake2::Parameters { output_len: 0, key: &[], salt: &[], personal: &[], node: Node::SEQUENTIAL };

impl Blank for Boxed {
    fn blank() -> State<Self> {
        const { assert!(size_of::<State<Self>>() <= size_of::<blake2::Blake2b>() + 16) };
        let blank = blake2::Blake2b::new(&blake2::KERNELS_B, None, &NOTHING);
        State::Blake2b(blank.expect("no kernel was named"))
    }
}

impl Blank for Plain {
    fn blank() -> State<Self> {
        const { assert!(size_of::<State<Self>>() <= size_of::<blake2::Blake2bp>() + 16) };
        let blank = blake2::Blake2bp::new(None, &NOTHING);
        State::Blake2bp(blank.expect("no kernel was named").into())
    }
}

impl<P: Blank> State<P> {
    /// Overwrites all of a state that is not used again, also the bytes that its family leaves alone: moving an
    /// enumeration moves those too, with what had been on the stack there.
    pub(crate) fn erase(&mut self) {
        self.zeroize();
        *self = P::blank();
        zeroize::optimization_barrier(self);
    }
}

impl<P: Storage> Zeroize for State<P> {
    fn zeroize(&mut self) {
        self.core_mut().zeroize();
    }
}

impl OutputStream {
    /// Bytes read so far.
    pub(crate) fn position(&self) -> u64 {
        match self {
            OutputStream::Keccak(r) => r.position(),
            OutputStream::Ascon(r) => r.position(),
            OutputStream::Blake3(r) => r.position(),
        }
    }

    /// Whether it is made of independent blocks.
    pub(crate) fn is_seekable(&self) -> bool {
        matches!(self, OutputStream::Blake3(_))
    }

    /// Goes to a byte position; returns whether it can.
    pub(crate) fn seek(&mut self, position: u64) -> bool {
        match self {
            OutputStream::Blake3(r) => {
                r.set_position(position);
                true
            }
            OutputStream::Keccak(_) | OutputStream::Ascon(_) => false,
        }
    }

    pub(crate) fn read(&mut self, out: &mut [u8]) {
        match self {
            OutputStream::Keccak(r) => r.read(out),
            OutputStream::Ascon(r) => r.read(out),
            OutputStream::Blake3(r) => r.fill(out),
        }
    }
}

impl Zeroize for OutputStream {
    fn zeroize(&mut self) {
        match self {
            OutputStream::Keccak(r) => r.zeroize(),
            OutputStream::Ascon(r) => r.zeroize(),
            OutputStream::Blake3(r) => r.zeroize(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ALGORITHMS;
    use alloc::vec;

    /// What comes out of a state after `zeroize` depends neither on its message nor on its key.
    #[test]
    fn zeroize_forgets_everything() {
        for algorithm in ALGORITHMS {
            let wiped = |secret: u8| {
                let key = [secret; 32];
                let keyed = algorithm.limits(crate::registry::Parameter::Key).is_some();
                let params = Params { key: keyed.then_some(&key), ..Params::default() };
                let mut state = algorithm.state(&params).unwrap();
                // Partial blocks, whole ones, and leaves of trees.
                state.update(&vec![secret; 20_011]);
                let stream = state.stream(false).map(|mut stream| {
                    stream.zeroize();
                    let mut out = [0; 500];
                    stream.read(&mut out);
                    out
                });
                state.zeroize();
                let mut digest = vec![0; algorithm.output];
                state.finalize_into(&mut digest);
                (digest, stream)
            };
            assert_eq!(wiped(1), wiped(2), "{}", algorithm.name);
        }
    }
}
