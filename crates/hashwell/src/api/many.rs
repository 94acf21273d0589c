//! Hashes and authenticates many messages at once, with the fastest batch kernel for this CPU and
//! this number of messages.

use crate::families::{Jobs, State};
use crate::internal::batch;
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::kernel::{KernelInfo, Listing};
use crate::internal::params::Secrecy;
use crate::internal::try_alloc;
use crate::internal::wipe::{self, Depth};
use crate::registry::{Algorithm, Kind, Node, Params};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// Hashes many messages with one algorithm and one set of parameters. [`Algorithm::many`] returns this type.
///
/// Messages are hashed in parallel, one in each SIMD lane, or interleaved to hide the latency of instructions. When a
/// message ends, its lane takes the next message. The digests are the same as if you hashed the messages one at a time.
///
/// BLAKE3, BLAKE2bp and BLAKE2sp divide a message into the leaves of a tree, and so does KangarooTwelve if the message
/// has more than 8191 bytes. The leaves of a single message fill all lanes, so these messages are hashed one at a time.
///
/// ```
/// let blake2b = hashwell::find("blake2b-512")?;
/// let keyed = blake2b.many(&hashwell::Params { key: Some(b"secret"), ..Default::default() })?;
/// let digests = keyed.digest(&["first", "second"]);
/// assert_eq!(digests.len(), 2 * keyed.output_len());
/// # Ok::<(), hashwell::Error>(())
/// ```
pub struct Many {
    algorithm: &'static Algorithm,
    /// The state is on the heap, so that a move does not copy a key.
    start: Box<State>,
    /// The parameters that an engine needs, because it cannot use the state. `None` if all of them
    /// have their defaults.
    params: Option<Box<OwnedParams>>,
    kernel: Option<&'static str>,
    output_len: usize,
    secret: bool,
}

impl Algorithm {
    /// Returns a [`Many`] with these parameters.
    ///
    /// [`Params::kernel`] can name a batch kernel, or a single-message kernel to hash the messages
    /// one at a time.
    ///
    /// # Errors
    /// Returns the same errors as [`Algorithm::build`], and [`Error::OutOfMemory`] if an allocation fails.
    pub fn many(&'static self, params: &Params<'_>) -> Result<Many, Error> {
        // The parameters are copied before the state is made, so that an allocation failure leaves no state behind.
        let owned = OwnedParams::of(params)?;
        Many::of(self, params, owned)
    }

    /// Writes the same digests as [`Many::digest_into`] after [`Algorithm::many`], but does not store the parameters
    /// for engines.
    #[doc(hidden)]
    pub fn digest_many_into(
        &'static self,
        params: &Params<'_>,
        messages: &[&[u8]],
        out: &mut [u8],
    ) -> Result<(), Error> {
        Many::of(self, params, None)?.digest_into(messages, out)
    }

    /// Returns the batch kernels of the algorithm. The list is empty if messages are hashed one at
    /// a time.
    ///
    /// The first call measures the speed of the kernels (see [`Algorithm::calibration`]).
    #[must_use]
    pub fn batch_kernels(&self) -> Vec<KernelInfo> {
        // If a kernel for one message is forced, batches are hashed one message at a time.
        let one_by_one = self.family.kernels().is_forced();
        let rows = self.family.batch_kernels().map_or_else(Vec::new, |table| table.rows());
        rows.into_iter().map(|row| KernelInfo { chosen: row.chosen && !one_by_one, ..row }).collect()
    }

    /// Returns the kernel at this index in a list of all [`Algorithm::kernels`], followed by all
    /// [`Algorithm::batch_kernels`]. The second value is true if the kernel is a batch kernel.
    #[must_use]
    pub fn kernel_at(&self, index: usize) -> Option<(KernelInfo, bool)> {
        let chain = self.family.kernels().infos().map(|kernel| (kernel, false));
        let batch = self.family.batch_kernels().into_iter().flat_map(|table| table.infos());
        chain.chain(batch.map(|kernel| (kernel, true))).nth(index)
    }

    /// Returns the name if it is that of a single-message kernel, or if the state itself uses batch
    /// kernels.
    pub(crate) fn chain_kernel(&self, name: Option<&'static str>) -> Option<&'static str> {
        name.filter(|name| self.family.kernels().lookup(name).is_ok() || self.family.is_tree())
    }
}

/// A copy of the parameters, so that the caller does not have to keep them.
struct OwnedParams {
    /// The key, context, salt, personalization, customization and function name, one after the
    /// other. They are overwritten on drop, since the first two are secret.
    bytes: Zeroizing<Box<[u8]>>,
    /// The end of each field.
    ends: [usize; 6],
    has_key: bool,
    has_context: bool,
    domain: Option<u8>,
    node: Node,
}

impl OwnedParams {
    /// Copies all parameters except the output length and the kernel. Returns `None` if they are
    /// those of plain hashing.
    fn of(params: &Params<'_>) -> Result<Option<Box<Self>>, Error> {
        // There is no `..` here, so that a new parameter cannot be forgotten.
        let &Params {
            output_len: _,
            key,
            salt,
            personal,
            customization,
            function_name,
            domain,
            context,
            node,
            kernel: _,
        } = params;
        if (Params { output_len: None, ..*params }).is_plain() {
            return Ok(None);
        }
        let fields = [
            key.unwrap_or_default(),
            context.unwrap_or_default().as_bytes(),
            salt,
            personal,
            customization,
            function_name,
        ];
        // The list is allocated at its final size, because a list that grows leaves copies of the secrets behind.
        let mut bytes = try_alloc::list(fields.iter().map(|field| field.len()).sum())?;
        let ends = fields.map(|field| {
            bytes.extend_from_slice(field);
            bytes.len()
        });
        let bytes = Zeroizing::new(bytes.into_boxed_slice());
        let (has_key, has_context) = (key.is_some(), context.is_some());
        try_alloc::boxed(Self { bytes, ends, has_key, has_context, domain, node }).map(Some)
    }

    fn borrowed(&self) -> Params<'_> {
        let field = |i: usize| &self.bytes[if i == 0 { 0 } else { self.ends[i - 1] }..self.ends[i]];
        Params {
            output_len: None,
            key: self.has_key.then(|| field(0)),
            context: self.has_context.then(|| str::from_utf8(field(1)).expect("a copy of a text")),
            salt: field(2),
            personal: field(3),
            customization: field(4),
            function_name: field(5),
            domain: self.domain,
            node: self.node,
            kernel: None,
        }
    }
}

impl Many {
    fn of(
        algorithm: &'static Algorithm,
        params: &Params<'_>,
        owned: Option<Box<OwnedParams>>,
    ) -> Result<Self, Error> {
        let kernel = params.kernel.map(|name| algorithm.family.check_kernel(name)).transpose()?;
        let output_len = params.output_len.unwrap_or(algorithm.output);
        let secret = Secrecy::of(params) == Secrecy::Secret;
        let params = Params { kernel: algorithm.chain_kernel(kernel), ..*params };
        let start = wipe::try_after(Depth::if_secret(secret), || {
            algorithm.state(&params).and_then(try_alloc::boxed)
        })?;
        Ok(Self { algorithm, start, params: owned, kernel, output_len, secret })
    }

    fn plain(algorithm: &'static Algorithm) -> Self {
        let (start, output_len) = (Box::new(algorithm.default_state()), algorithm.output);
        Self { algorithm, start, params: None, kernel: None, output_len, secret: false }
    }

    /// Returns the algorithm.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Returns the length of each digest in bytes.
    #[must_use]
    pub fn output_len(&self) -> usize {
        self.output_len
    }

    /// Returns the name of the kernel for large batches.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        let chosen = |rows: Vec<KernelInfo>| rows.into_iter().find(|row| row.chosen).map(|row| row.name);
        let forced = crate::internal::kernel::forced()
            .and_then(|name| self.algorithm.family.kernels().lookup(name).ok());
        self.kernel
            .or(forced)
            .or_else(|| chosen(self.algorithm.batch_kernels()))
            .unwrap_or_else(|| self.start.kernel())
    }

    /// Returns the concatenated digests of all messages, in order.
    pub fn digest<M: AsRef<[u8]>>(&self, messages: &[M]) -> Vec<u8> {
        let mut out = vec![0; messages.len() * self.output_len];
        self.write(messages, &mut out);
        out
    }

    /// Writes the concatenated digests of all messages to `out`, in order.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if `out` does not have [`Many::output_len`] bytes for each
    /// message.
    pub fn digest_into<M: AsRef<[u8]>>(&self, messages: &[M], out: &mut [u8]) -> Result<(), Error> {
        self.check_len(messages.len(), out.len())?;
        self.write(messages, out);
        Ok(())
    }

    /// Writes digests like [`Many::digest_into`], on all threads of the current rayon thread pool.
    ///
    /// Each thread hashes consecutive messages with about the same number of bytes in total. If the
    /// system refuses to start threads, the calling thread hashes all messages.
    ///
    /// # Errors
    /// Returns the same errors as [`Many::digest_into`].
    #[cfg(feature = "rayon")]
    pub fn digest_into_parallel<M: AsRef<[u8]> + Sync>(
        &self,
        messages: &[M],
        out: &mut [u8],
    ) -> Result<(), Error> {
        self.check_len(messages.len(), out.len())?;
        let threads = if crate::internal::threads::pool() { rayon::current_num_threads() } else { 1 };
        self.split(messages, out, threads);
        Ok(())
    }

    /// Halves the work until there is one part for each thread.
    #[cfg(feature = "rayon")]
    fn split<M: AsRef<[u8]> + Sync>(&self, messages: &[M], out: &mut [u8], pieces: usize) {
        // The padding block and the overhead of a message cost about as much as hashing 256 more bytes.
        let cost = |message: &M| message.as_ref().len() as u64 + 256;
        if pieces < 2 || messages.len() < 2 {
            return self.write(messages, out);
        }
        let half = messages.iter().map(cost).sum::<u64>() / 2;
        let mut sum = 0;
        let reaches_half = |message: &M| {
            sum += cost(message);
            sum >= half
        };
        let at = messages.iter().position(reaches_half).unwrap_or(0).clamp(1, messages.len() - 1);
        let (left, right) = messages.split_at(at);
        let (left_out, right_out) = out.split_at_mut(at * self.output_len);
        rayon::join(
            || self.split(left, left_out, pieces / 2),
            || self.split(right, right_out, pieces - pieces / 2),
        );
    }

    /// Returns the concatenated digests of all messages of an iterator, in order. This method keeps at most about 1000
    /// messages in memory at a time.
    pub fn digest_iter<M: AsRef<[u8]>>(&self, messages: impl IntoIterator<Item = M>) -> Vec<u8> {
        const HELD: usize = 1024;
        let mut out = Vec::new();
        let mut messages = messages.into_iter();
        loop {
            let held: Vec<M> = messages.by_ref().take(HELD).collect();
            let from = out.len();
            out.resize(from + held.len() * self.output_len, 0);
            self.write(&held, &mut out[from..]);
            if held.len() < HELD {
                return out;
            }
        }
    }

    /// Returns true if [`Params::kernel`] was given.
    pub(crate) fn names_a_kernel(&self) -> bool {
        self.kernel.is_some()
    }

    /// Returns true if the state depends on a key.
    pub(crate) fn is_secret(&self) -> bool {
        self.secret
    }

    /// Returns the parameters for `output_len` bytes of output, without a kernel.
    pub(crate) fn params_for(&self, output_len: usize) -> Params<'_> {
        let params = self.params.as_ref().map_or_else(Params::default, |params| params.borrowed());
        Params { output_len: Some(output_len), ..params }
    }

    pub(crate) fn check_len(&self, messages: usize, len: usize) -> Result<(), Error> {
        let expected = messages as u64 * self.output_len as u64;
        if len as u64 == expected {
            return Ok(());
        }
        Err(self.algorithm.out_of_range("digests buffer", "bytes", expected, expected, len as u64))
    }

    fn write<M: AsRef<[u8]>>(&self, messages: &[M], out: &mut [u8]) {
        self.write_as(messages, self.output_len, out);
    }

    /// Writes the first `output_len` bytes of output for each message. An extendable-output
    /// function accepts any length.
    pub(crate) fn write_as<M: AsRef<[u8]>>(&self, messages: &[M], output_len: usize, out: &mut [u8]) {
        let message = |i: usize| messages[i].as_ref();
        let jobs = Jobs {
            messages: batch::Messages::new(messages.len(), &message),
            output_len,
            secret: self.secret,
        };
        self.algorithm.family.digest_many(&self.start, &jobs, self.kernel, out);
    }
}

impl Drop for Many {
    fn drop(&mut self) {
        if self.secret {
            self.start.erase();
            wipe::below(Depth::Most);
        }
    }
}

impl core::fmt::Debug for Many {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Many({})", self.algorithm.name)
    }
}

/// Returns the concatenated digests of many messages, in order. The messages can have different lengths.
///
/// ```
/// let sha256 = hashwell::find("sha256")?;
/// let digests = hashwell::hash_many(sha256, ["first", "second"]);
/// assert_eq!(digests[32..], sha256.digest(b"second"));
/// # Ok::<(), hashwell::Error>(())
/// ```
pub fn hash_many<M: AsRef<[u8]>>(
    algorithm: &'static Algorithm,
    messages: impl IntoIterator<Item = M>,
) -> Vec<u8> {
    Many::plain(algorithm).digest_iter(messages)
}

/// Returns the concatenated outputs of many messages, in order. Each output has `output_len` bytes.
///
/// # Errors
/// Returns [`Error::Unsupported`] if the algorithm is not an extendable-output function.
pub fn xof_many<M: AsRef<[u8]>>(
    algorithm: &'static Algorithm,
    messages: impl IntoIterator<Item = M>,
    output_len: usize,
) -> Result<Vec<u8>, Error> {
    if algorithm.kind != Kind::Xof {
        return Err(Error::Unsupported { algorithm: algorithm.name, what: "a variable output length" });
    }
    let params = Params { output_len: Some(output_len), ..Params::default() };
    Ok(algorithm.many(&params)?.digest_iter(messages))
}
