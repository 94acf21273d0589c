//! KangarooTwelve: KT128 and KT256 (RFC 9861 section 3).

use super::encode::absorb_length_encode;
use super::{Reader, Spec, State, TURBOSHAKE128, TURBOSHAKE256};
use crate::families::contract::{HashState, Jobs, StateFamily};
use crate::families::sponge::{KernelPair, SpongeLanes};
use crate::internal::batch::{self, BatchKernelTable, Load, Pair};
use crate::internal::cores::{Core, CoreReader, Joint, Lockstep, Subtrees};
use crate::internal::error::{Error, surely};
use crate::internal::kernel::KernelTable;
use crate::internal::keyed;
use crate::internal::params::Params;
use crate::internal::saved::{Fields, Saved};
use crate::internal::small;
use crate::internal::storage::{Boxed, Bytes, Storage};
use crate::internal::try_alloc;
use crate::internal::wipe::Depth;
use alloc::boxed::Box;
#[cfg(feature = "rayon")]
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroize;

/// The length of a chunk of S = M ‖ C ‖ length_encode(|C|) in bytes.
const CHUNK: usize = 8192;

/// The domain bytes of the nodes (section 3.2).
const SINGLE_NODE: u8 = 0x07;
const LEAF: u8 = 0x0b;
const FINAL_NODE: u8 = 0x06;

/// The end of S without a customization string: length_encode(0).
const NO_CUSTOMIZATION: &[u8] = &[0];

/// The maximum length in bytes of a message that is a single node without a customization string.
const SINGLE_NODE_LEN: usize = CHUNK - NO_CUSTOMIZATION.len();

/// The number of leaves hashed at a time: enough to keep the widest kernel busy, and few enough for
/// the stack.
const LEAVES: usize = 32;

/// KT128 or KT256.
#[derive(Clone, Copy)]
pub(crate) struct KangarooSpec {
    turboshake: &'static Spec,
    /// The length of a chaining value in bytes: twice the security strength.
    chaining_value: usize,
}

impl KangarooSpec {
    fn leaf_kernels(&self, name: Option<&str>) -> Result<KernelPair<25>, Error> {
        Pair::choose(self.turboshake.kernels, self.turboshake.many, name, Load::long(LEAVES))
    }
}

pub(crate) static KT128: KangarooSpec = KangarooSpec { turboshake: &TURBOSHAKE128, chaining_value: 32 };
pub(crate) static KT256: KangarooSpec = KangarooSpec { turboshake: &TURBOSHAKE256, chaining_value: 64 };

/// KangarooTwelve in progress.
///
/// The first chunk is absorbed by the final node. Every further chunk is a leaf, whose chaining
/// value the final node absorbs next. Leaves that are complete in the input are hashed in parallel.
/// `C` stores the customization string, which follows the message.
#[derive(Clone)]
pub(crate) struct Kangaroo<C> {
    spec: &'static KangarooSpec,
    /// The kernels that the caller named. Without a name, the kernels of the leaves are chosen when the first leaf
    /// starts, so that kernels are not measured for a short message.
    kernels: Option<KernelPair<25>>,
    final_node: State,
    /// A leaf without input.
    fresh_leaf: State,
    leaf: State,
    /// The number of bytes in the current chunk, `0..=CHUNK`. A full leaf has already ended.
    in_chunk: usize,
    /// The number of leaves started. 0 while the input fits into the first chunk.
    leaves: u64,
    customization: C,
}

impl<C: Bytes> Kangaroo<C> {
    fn new(spec: &'static KangarooSpec, customization: &[u8], kernel: Option<&str>) -> Result<Self, Error> {
        let kernels = kernel.map(|name| spec.leaf_kernels(Some(name))).transpose()?;
        let chain = kernels.map_or_else(|| spec.turboshake.kernels.best(), |kernels| kernels.chain);
        let final_node = State::on(spec.turboshake, chain);
        let mut leaf = final_node.clone();
        leaf.set_suffix(LEAF);
        Ok(Self {
            spec,
            kernels,
            final_node,
            fresh_leaf: leaf.clone(),
            leaf,
            in_chunk: 0,
            leaves: 0,
            customization: C::holding(customization)?,
        })
    }

    /// Returns true if short messages are single nodes that [`SpongeLanes`] can hash.
    fn suits_lanes(&self) -> bool {
        self.customization.as_ref().is_empty() && self.leaves == 0 && self.final_node.suits_lanes()
    }

    /// Returns the sponge of a message that fits into one chunk.
    fn single_node(&self) -> State {
        let mut node = self.final_node.clone();
        node.set_suffix(SINGLE_NODE);
        node
    }

    fn kernels(&self) -> KernelPair<25> {
        self.kernels.unwrap_or_else(|| surely(self.spec.leaf_kernels(None), "no kernel was named"))
    }

    /// Records in the final node that leaves follow.
    fn begin_leaves(&mut self) {
        if self.leaves == 0 {
            self.final_node.absorb(&[3, 0, 0, 0, 0, 0, 0, 0]);
        }
    }

    fn end_leaf(&mut self) {
        let leaf = core::mem::replace(&mut self.leaf, self.fresh_leaf.clone());
        let mut chaining_value = [0; 64];
        let chaining_value = &mut chaining_value[..self.spec.chaining_value];
        leaf.into_reader().read(chaining_value);
        self.final_node.absorb(chaining_value);
    }

    /// Absorbs whole leaves.
    fn whole_leaves(&mut self, data: &[u8]) {
        for data in data.chunks(LEAVES * CHUNK) {
            let mut values = [0; LEAVES * 64];
            let values = &mut values[..data.len() / CHUNK * self.spec.chaining_value];
            self.chaining_values(data, values);
            self.absorb_values(values);
        }
    }

    /// Absorbs the chaining values of whole leaves.
    fn absorb_values(&mut self, values: &[u8]) {
        self.final_node.absorb(values);
        self.leaves += (values.len() / self.spec.chaining_value) as u64;
        self.in_chunk = CHUNK;
    }

    /// Absorbs whole leaves like `whole_leaves`, on all cores.
    #[cfg(feature = "rayon")]
    fn whole_leaves_parallel(&mut self, data: &[u8]) {
        use rayon::prelude::*;
        let mut values = vec![0; data.len() / CHUNK * self.spec.chaining_value];
        let groups =
            data.par_chunks(LEAVES * CHUNK).zip(values.par_chunks_mut(LEAVES * self.spec.chaining_value));
        groups.for_each(|(data, values)| self.chaining_values(data, values));
        self.absorb_values(&values);
    }

    fn chaining_values(&self, data: &[u8], out: &mut [u8]) {
        chaining_values(self.spec, self.kernels(), &self.fresh_leaf, data, out);
    }

    /// Fills the incomplete chunk, or starts one that the data does not fill. Returns the rest of
    /// the data.
    fn update_chunk<'d>(&mut self, data: &'d [u8]) -> &'d [u8] {
        if self.in_chunk == CHUNK {
            self.begin_leaves();
            self.leaves += 1;
            self.in_chunk = 0;
        }
        let (head, rest) = data.split_at(data.len().min(CHUNK - self.in_chunk));
        let node = if self.leaves == 0 { &mut self.final_node } else { &mut self.leaf };
        node.absorb(head);
        self.in_chunk += head.len();
        if self.in_chunk == CHUNK && self.leaves > 0 {
            self.end_leaf();
        }
        rest
    }

    fn update_with(&mut self, mut data: &[u8], whole_leaves: fn(&mut Self, &[u8])) {
        while !data.is_empty() {
            let whole = data.len() / CHUNK * CHUNK;
            if self.in_chunk == CHUNK && whole > 0 {
                self.begin_leaves();
                whole_leaves(self, &data[..whole]);
                data = &data[whole..];
            } else {
                data = self.update_chunk(data);
            }
        }
    }

    /// Returns the parts of a piece: the number of bytes of the first chunk in it, and the number
    /// of whole leaves after them.
    fn cut(&self, index: u64, len: usize) -> (usize, usize) {
        let first = if index == 0 { len.min(CHUNK) } else { 0 };
        (first, (len - first) / CHUNK)
    }

    fn into_reader(mut self) -> Reader {
        self.end();
        self.final_node.into_reader()
    }

    /// Absorbs the data after the message. The final node still needs its padding.
    fn end(&mut self) {
        let customization = core::mem::take(&mut self.customization);
        let customization = customization.as_ref();
        self.update(customization);
        absorb_length_encode(&mut |bytes| self.update(bytes), customization.len() as u64);
        if self.leaves == 0 {
            self.final_node.set_suffix(SINGLE_NODE);
        } else {
            if self.in_chunk < CHUNK {
                self.end_leaf();
            }
            self.end_node();
        }
    }

    /// Absorbs the data after the values of the leaves. The final node still needs its padding.
    fn end_node(&mut self) {
        absorb_length_encode(&mut |bytes| self.final_node.absorb(bytes), self.leaves);
        self.final_node.absorb(&[0xff, 0xff]);
        self.final_node.set_suffix(FINAL_NODE);
    }
}

/// Writes the chaining values of whole leaves. This function does not depend on the storage type, so that the binary
/// contains the large batch scheduler only once.
#[inline(never)]
fn chaining_values(
    spec: &KangarooSpec,
    kernels: KernelPair<25>,
    fresh_leaf: &State,
    data: &[u8],
    out: &mut [u8],
) {
    // A WebAssembly module without vectors would need the scheduler only here.
    if small::ONE_SCHEDULER && !batch::EXIST {
        for (data, out) in data.chunks_exact(CHUNK).zip(out.chunks_exact_mut(spec.chaining_value)) {
            fresh_leaf.digest_with(data, out);
        }
        return;
    }
    let mut lanes = SpongeLanes::new(kernels, fresh_leaf, false);
    let chunk = |i: usize| &data[i * CHUNK..][..CHUNK];
    let chunks = batch::Messages::new(data.len() / CHUNK, &chunk);
    batch::run(&mut lanes, &chunks, out, spec.chaining_value);
}

impl<C: Bytes> Core for Kangaroo<C> {
    fn update(&mut self, data: &[u8]) {
        self.update_with(data, Self::whole_leaves);
    }

    #[cfg(feature = "rayon")]
    fn update_parallel(&mut self, data: &[u8]) {
        self.update_with(data, Self::whole_leaves_parallel);
    }

    fn finalize_into(&mut self, out: &mut [u8]) {
        self.end();
        self.final_node.finalize_into(out);
    }

    fn kernel(&self) -> &'static str {
        self.kernels().name()
    }
}

impl<C: Bytes> Zeroize for Kangaroo<C> {
    fn zeroize(&mut self) {
        self.final_node.zeroize();
        self.leaf.zeroize();
        self.customization.zeroize();
        (self.in_chunk, self.leaves) = (0, 0);
    }
}

/// Saves the final node, and the leaf in progress if there is one.
impl<C: Bytes> Saved for Kangaroo<C> {
    fn message_len(&self) -> u64 {
        self.leaves.wrapping_mul(CHUNK as u64).wrapping_add(self.in_chunk as u64)
    }

    fn save(&self, out: &mut Vec<u8>) {
        self.final_node.save(out);
        if self.leaves > 0 && self.in_chunk < CHUNK {
            self.leaf.save(out);
        }
    }

    fn restore(&mut self, length: u64, fields: &mut Fields<'_>) -> Result<(), Error> {
        let chunk = CHUNK as u64;
        // The next chunk starts only when its first byte arrives.
        let leaves = length.saturating_sub(1) / chunk;
        let in_chunk = length - leaves * chunk;
        if leaves == 0 {
            self.final_node.restore(length, fields)?;
        } else {
            let ended = leaves - u64::from(in_chunk < chunk);
            let absorbed = chunk + 8 + ended * self.spec.chaining_value as u64;
            self.final_node.restore(absorbed, fields)?;
            if in_chunk < chunk {
                self.leaf.restore(in_chunk, fields)?;
            }
        }
        (self.leaves, self.in_chunk) = (leaves, in_chunk as usize);
        Ok(())
    }
}

impl<C: Bytes> HashState for Kangaroo<C> {
    type Stream = Reader;

    const TAG_DEPTH: Depth = Depth::Most;

    fn stream(&self, _: bool) -> Option<Reader> {
        Some(self.clone().into_reader())
    }

    fn tag(self, block_len: usize, output_len: usize, key: &[u8], message: &[u8], tag: &mut [u8]) {
        keyed::tag(block_len, output_len, self, key, message, tag);
    }
}

impl StateFamily for &'static KangarooSpec {
    type State<P: Storage> = Kangaroo<P::Bytes>;
    type Held<P: Storage> = P::Large<Kangaroo<P::Bytes>>;

    const IS_TREE: bool = true;
    const IS_PARALLEL: bool = true;
    const SIDE_BY_SIDE: bool = true;
    const LEAVES_BLOCKS: bool = false;

    fn kernels(self) -> &'static dyn KernelTable {
        self.turboshake.kernels
    }

    fn batch_kernels(self) -> Option<&'static dyn BatchKernelTable> {
        Some(self.turboshake.many)
    }

    fn build<P: Storage>(self, p: &Params<'_>, _: usize) -> Result<Kangaroo<P::Bytes>, Error> {
        Kangaroo::new(self, p.customization, p.kernel)
    }

    fn digest(self, data: &[u8], out: &mut [u8]) {
        // An empty customization string takes no memory.
        let state = self.build::<Boxed>(&Params::default(), out.len());
        surely(state, "plain hashing refuses nothing").digest(data, out);
    }

    /// Messages of a single node are hashed in parallel. A longer message fills the lanes with its
    /// leaves.
    fn digest_many(
        self,
        start: &Kangaroo<<Boxed as Storage>::Bytes>,
        jobs: &Jobs<'_, '_>,
        kernel: Option<&str>,
        out: &mut [u8],
    ) {
        if !start.suits_lanes() {
            return jobs.one_by_one(start, out);
        }
        let table = self.turboshake;
        let kernels = jobs.kernels(table.kernels, table.many, kernel);
        let node = start.single_node();
        let whole = |message: &[u8], out: &mut [u8]| start.digest_with(message, out);
        let mut lanes = SpongeLanes::new(kernels, &node, jobs.secret).with_trailer(
            NO_CUSTOMIZATION,
            SINGLE_NODE_LEN,
            &whole,
        );
        batch::run(&mut lanes, &jobs.messages, out, jobs.output_len);
    }

    /// The streams are read one at a time, as the documentation of `Streams` says. The trees of the messages can differ
    /// in depth, so only their final nodes could be computed in parallel.
    fn lockstep(
        self,
        _: &Kangaroo<<Boxed as Storage>::Bytes>,
        _: Option<&str>,
        _: &[&[u8]],
    ) -> Result<Option<Box<dyn Lockstep>>, Error> {
        Ok(None)
    }

    fn subtrees(self, p: &Params<'_>) -> Result<Option<Box<dyn Subtrees>>, Error> {
        let tree = try_alloc::boxed(self.build::<Boxed>(p, 0)?)?;
        Ok(Some(tree as Box<dyn Subtrees>))
    }
}

/// The value of a piece contains the data that the final node absorbs for it: the chaining values of whole leaves, and,
/// unchanged, the bytes before and after them that are in no whole leaf (the first chunk and the end of the message).
/// So the customization string, which follows the message, is needed only when the values are joined.
impl Subtrees for Kangaroo<Vec<u8>> {
    fn value_len(&self, index: u64, len: usize) -> usize {
        let (first, leaves) = self.cut(index, len);
        first + leaves * self.spec.chaining_value + (len - first - leaves * CHUNK)
    }

    fn value(&self, index: u64, data: &[u8], out: &mut [u8]) {
        let (first, leaves) = self.cut(index, data.len());
        let (begin, data) = data.split_at(first);
        let (leaves, end) = data.split_at(leaves * CHUNK);
        out[..first].copy_from_slice(begin);
        let (values, rest) = out[first..].split_at_mut(leaves.len() / CHUNK * self.spec.chaining_value);
        self.chaining_values(leaves, values);
        rest.copy_from_slice(end);
    }

    fn joint(&self) -> Box<dyn Joint> {
        Box::new(self.clone())
    }
}

impl Joint for Kangaroo<Vec<u8>> {
    fn push(&mut self, index: u64, len: usize, value: &[u8]) {
        let (first, leaves) = self.cut(index, len);
        let (begin, value) = value.split_at(first);
        let (values, end) = value.split_at(leaves * self.spec.chaining_value);
        self.update(begin);
        if leaves > 0 {
            self.begin_leaves();
            self.absorb_values(values);
        }
        self.update(end);
    }

    fn finish(mut self: Box<Self>, out: &mut [u8]) {
        self.finalize_into(out);
    }
}

/// The length of a value of [`Chunks`].
#[cfg(feature = "states")]
pub(crate) const VALUE: usize = 32;

/// The values of the chunks of S under KT128 without a customization string, for lists of values
/// that are stored outside (`api/chunk_list.rs`).
///
/// The RFC defines values only for the chunks after the first, because the final node absorbs the
/// first chunk itself. The value of the first chunk is computed in the same way here.
#[cfg(feature = "states")]
pub(crate) struct Chunks(Kangaroo<Vec<u8>>);

#[cfg(feature = "states")]
impl Chunks {
    pub(crate) const LEN: usize = CHUNK;

    pub(crate) fn new() -> Result<Self, Error> {
        Kangaroo::new(&KT128, &[], None).map(Self)
    }

    /// Writes the values of whole chunks.
    pub(crate) fn whole(&self, data: &[u8], values: &mut [u8]) {
        self.0.chaining_values(data, values);
    }

    /// Returns the value of the last chunk of S. `message` is the part of the message in this chunk.
    pub(crate) fn last(&self, message: &[u8]) -> [u8; VALUE] {
        let mut leaf = self.0.fresh_leaf.clone();
        leaf.absorb(message);
        leaf.absorb(NO_CUSTOMIZATION);
        let mut value = [0; VALUE];
        leaf.into_reader().read(&mut value);
        value
    }

    /// Returns the digest of a message, computed from the first chunk and the values of all chunks
    /// of S. The value of the first chunk is ignored. If S is a single chunk, `first` is the
    /// message.
    pub(crate) fn digest(&self, first: &[u8], values: &[u8]) -> [u8; VALUE] {
        let mut state = self.0.clone();
        let mut digest = [0; VALUE];
        state.update(first);
        let leaves = &values[VALUE..];
        if leaves.is_empty() {
            state.finalize_into(&mut digest);
            return digest;
        }
        state.begin_leaves();
        state.absorb_values(leaves);
        state.end_node();
        state.final_node.finalize_into(&mut digest);
        digest
    }
}
