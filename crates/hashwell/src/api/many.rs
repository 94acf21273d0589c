//! Many messages at once: digests, output and tags, on the widest kernel of the CPU.

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

/// One algorithm with one set of parameters, ready to hash many messages; made by [`Algorithm::many`].
///
/// Messages are hashed side by side, one in each lane of a vector or in turns on instructions that would
/// else wait for themselves; a lane takes the next message as soon as its own has ended. The digests are
/// those of hashing one by one. KangarooTwelve beyond 8191 bytes, BLAKE2bp, BLAKE2sp and BLAKE3 are trees that fill
/// the lanes by themselves and go one by one.
pub struct Many {
    algorithm: &'static Algorithm,
    /// On the heap, so that moving it copies no key.
    start: Box<State>,
    /// What an engine has to know instead of the state; nothing where all of it is the default.
    params: Option<Box<OwnedParams>>,
    kernel: Option<&'static str>,
    output_len: usize,
    secret: bool,
}

impl Algorithm {
    /// Many messages with the same parameters. [`Params::kernel`] may name a batch kernel, or a chain kernel
    /// to hash them one by one.
    ///
    /// # Errors
    /// As [`Algorithm::build`], and [`Error::OutOfMemory`].
    pub fn many(&'static self, params: &Params<'_>) -> Result<Many, Error> {
        // Before the state, of which nothing may be left where there is no memory for these.
        let owned = OwnedParams::of(params)?;
        Many::of(self, params, owned)
    }

    /// What [`Algorithm::many`] and [`Many::digest_into`] give, without what only an engine would have to know.
    #[doc(hidden)]
    pub fn digest_many_into(
        &'static self,
        params: &Params<'_>,
        messages: &[&[u8]],
        out: &mut [u8],
    ) -> Result<(), Error> {
        Many::of(self, params, None)?.digest_into(messages, out)
    }

    /// The kernels for many messages; none where they are hashed one by one. The first call measures them: see
    /// [`Algorithm::calibration`].
    #[must_use]
    pub fn batch_kernels(&self) -> Vec<KernelInfo> {
        self.family.batch_kernels().map_or_else(Vec::new, |table| table.rows())
    }

    /// The kernel of this place among [`Algorithm::kernels`] and then [`Algorithm::batch_kernels`], and whether it is of the
    /// latter.
    #[must_use]
    pub fn kernel_at(&self, index: usize) -> Option<(KernelInfo, bool)> {
        let chain = self.family.kernels().infos().map(|kernel| (kernel, false));
        let batch = self.family.batch_kernels().into_iter().flat_map(|table| table.infos());
        chain.chain(batch.map(|kernel| (kernel, true))).nth(index)
    }

    /// The name, if it is a chain kernel's or the state itself goes by batch kernels.
    pub(crate) fn chain_kernel(&self, name: Option<&'static str>) -> Option<&'static str> {
        name.filter(|name| self.family.kernels().lookup(name).is_ok() || self.family.is_tree())
    }
}

/// Parameters that nobody else has to keep.
struct OwnedParams {
    /// Key, context, salt, personalisation, customisation and function name, one behind the other; overwritten, since the first
    /// two are secret.
    bytes: Zeroizing<Box<[u8]>>,
    /// Where each of them ends.
    ends: [usize; 6],
    has_key: bool,
    has_context: bool,
    domain: Option<u8>,
    node: Node,
}

impl OwnedParams {
    /// All but the output's length and the kernel; `None` if they are plain hashing's.
    fn of(params: &Params<'_>) -> Result<Option<Box<Self>>, Error> {
        // No `..`, so that a new parameter is not forgotten here.
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
        // As long as it is going to be: a list that grows leaves secrets behind.
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

    /// The registry row.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Bytes of each digest.
    #[must_use]
    pub fn output_len(&self) -> usize {
        self.output_len
    }

    /// Name of the kernel that a large batch uses.
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

    /// The digests of all messages, in order, one after the other.
    pub fn digest<M: AsRef<[u8]>>(&self, messages: &[M]) -> Vec<u8> {
        let mut out = vec![0; messages.len() * self.output_len];
        self.write(messages, &mut out);
        out
    }

    /// Writes the digests of all messages, in order, one after the other.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `out` is not [`Many::output_len`] bytes for each message.
    pub fn digest_into<M: AsRef<[u8]>>(&self, messages: &[M], out: &mut [u8]) -> Result<(), Error> {
        self.check_len(messages.len(), out.len())?;
        self.write(messages, out);
        Ok(())
    }

    /// As [`Many::digest_into`], on all cores of rayon's current thread pool: runs of about equal bytes. Where the
    /// system refuses the threads, on this one.
    ///
    /// # Errors
    /// As [`Many::digest_into`].
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

    /// Halves the work until there is a piece for each thread.
    #[cfg(feature = "rayon")]
    fn split<M: AsRef<[u8]> + Sync>(&self, messages: &[M], out: &mut [u8], pieces: usize) {
        // A message costs about as much as a block of padding and 256 bytes more.
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

    /// The digests of all messages, in order, one after the other, from an iterator; at most a thousand or so
    /// messages are held at a time.
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

    /// Whether [`Params::kernel`] was given.
    pub(crate) fn names_a_kernel(&self) -> bool {
        self.kernel.is_some()
    }

    /// Whether it depends on a key.
    pub(crate) fn is_secret(&self) -> bool {
        self.secret
    }

    /// The parameters it was made with, for so many bytes of output and for no kernel.
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

    /// The first `output_len` bytes of each, which of an extendable-output function may be any number.
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
            wipe::below(Depth::Usual);
        }
    }
}

impl core::fmt::Debug for Many {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Many({})", self.algorithm.name)
    }
}

/// The digests of many messages, in order, one after the other; any mix of lengths.
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

/// The first `output_len` bytes of output for each of many messages, in order, one after the other.
///
/// # Errors
/// [`Error::Unsupported`] if the algorithm is not an extendable-output function.
pub fn xof_many<M: AsRef<[u8]>>(
    algorithm: &'static Algorithm,
    messages: impl IntoIterator<Item = M>,
    output_len: usize,
) -> Result<Vec<u8>, Error> {
    if algorithm.kind != Kind::Xof {
        return Err(Error::Unsupported { algorithm: algorithm.name, what: "output of any length" });
    }
    let params = Params { output_len: Some(output_len), ..Params::default() };
    Ok(algorithm.many(&params)?.digest_iter(messages))
}
