//! Hashing with any algorithm, chosen at run time. A [`Hasher`] absorbs the message, and a
//! [`Reader`] reads the output.

use crate::families::{OutputStream, State};
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::params::Secrecy;
#[cfg(feature = "states")]
use crate::internal::saved::{Saved, encoded};
use crate::internal::storage::Kept;
use crate::internal::try_alloc::words;
use crate::internal::wipe::{self, Depth};
use crate::registry::{Algorithm, Kind, Params};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use zeroize::Zeroize;
#[cfg(feature = "states")]
use zeroize::Zeroizing;

/// A hash computation in progress, with any algorithm. Call [`Algorithm::hasher`] or [`Algorithm::build`] to make one.
///
/// Absorbing cannot fail. You can pass the message in any number of pieces: the digest does not depend on how you
/// divide the message. You can clone a hasher at any point. A state with a key is on the heap and is overwritten on
/// drop.
///
/// ```
/// let mut hasher = hashwell::find("sha256")?.hasher();
/// hasher.update(b"a");
/// hasher.update(b"bc");
/// assert_eq!(hasher.digest(), hashwell::Sha256::digest(b"abc"));
/// # Ok::<(), hashwell::Error>(())
/// ```
pub struct Hasher {
    pub(crate) algorithm: &'static Algorithm,
    pub(crate) state: Kept<State>,
    /// The state that [`Hasher::reset`] restores, if it is not the default of the algorithm.
    initial: Option<Box<Initial>>,
    output_len: usize,
    pub(crate) secrecy: Secrecy,
}

impl Clone for Hasher {
    fn clone(&self) -> Self {
        let Self { algorithm, ref state, ref initial, output_len, secrecy } = *self;
        let depth = Depth::if_secret(secrecy == Secrecy::Secret);
        // If this were inlined, the state that is being copied would stay in the caller's frame.
        let initial = wipe::after(depth, || initial.clone());
        wipe::before(depth, || Self { algorithm, state: state.clone(), initial, output_len, secrecy })
    }
}

/// The state before the message, and the parameters in their saved form.
#[derive(Clone)]
struct Initial {
    state: State,
    /// The parameters, with the key if there is one.
    #[cfg(feature = "states")]
    parameters: Zeroizing<Vec<u8>>,
}

impl Algorithm {
    /// Returns a hasher with the default parameters.
    #[inline]
    #[must_use]
    pub fn hasher(&'static self) -> Hasher {
        Hasher::plain(self, self.default_state())
    }

    /// Returns a hasher with these parameters.
    ///
    /// # Errors
    /// - [`Error::Unsupported`] if the algorithm does not accept a parameter.
    /// - [`Error::OutOfRange`] if a parameter is outside its limits.
    /// - [`Error::UnknownKernel`] or [`Error::UnavailableKernel`] if the kernel cannot be used.
    pub fn build(&'static self, params: &Params<'_>) -> Result<Hasher, Error> {
        if params.kernel.is_none() && params.is_plain() {
            return Ok(self.hasher());
        }
        Hasher::build(self, params)
    }

    /// Returns the output stream of one message.
    ///
    /// The stream is the same as with [`Algorithm::hasher`], [`Hasher::update`] and [`Hasher::into_reader`]. For a
    /// short message, this method is faster, because it does not move the state.
    ///
    /// # Errors
    /// Returns the same errors as [`Hasher::into_reader`].
    pub fn reader(&'static self, data: &[u8]) -> Result<Reader, Error> {
        Reader::of(self, self.family.stream(data, self.output), Secrecy::Public)
    }
}

impl Hasher {
    #[inline]
    pub(crate) fn plain(algorithm: &'static Algorithm, state: State) -> Self {
        let output_len = algorithm.output;
        let state = Kept::Here(state);
        Self { algorithm, state, initial: None, output_len, secrecy: Secrecy::Public }
    }

    pub(crate) fn build(algorithm: &'static Algorithm, params: &Params<'_>) -> Result<Self, Error> {
        let secrecy = Secrecy::of(params);
        let secret = secrecy == Secrecy::Secret;
        // The stack frame of the closure contains the key and is overwritten afterwards, so the closure returns only a
        // pointer.
        let initial = wipe::try_after(Depth::if_secret(secret), || {
            let state = algorithm.state(params)?;
            #[cfg(feature = "states")]
            let parameters = encoded(algorithm.name, algorithm.output, params)?;
            Ok(Box::new(Initial {
                state,
                #[cfg(feature = "states")]
                parameters,
            }))
        })?;
        let state = || initial.state.clone();
        let state = if secret { Kept::away(state) } else { Kept::Here(state()) };
        let output_len = params.output_len.unwrap_or(algorithm.output);
        Ok(Self { algorithm, state, initial: Some(initial), output_len, secrecy })
    }

    /// Marks the state as secret, for a secret message. The state and its reader are then
    /// overwritten on drop.
    pub(crate) fn keep_secret(&mut self) {
        self.secrecy = Secrecy::Secret;
        self.state = Kept::away(|| State::clone(&self.state));
    }

    /// Returns the parameters in their saved form.
    #[cfg(feature = "states")]
    pub(crate) fn parameters(&self) -> &[u8] {
        self.initial.as_ref().map_or(&[], |initial| initial.parameters.as_slice())
    }

    /// Returns the number of bytes that the state absorbed before the message, which is the length of the key block if
    /// there is one.
    #[cfg(feature = "states")]
    pub(crate) fn initial_len(&self) -> u64 {
        self.initial.as_ref().map_or(0, |initial| initial.state.message_len())
    }

    /// Returns the algorithm.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Returns the length of the digest in bytes: the requested length, or the default length of the algorithm.
    #[must_use]
    pub fn output_len(&self) -> usize {
        self.output_len
    }

    /// Returns the name of the kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.state.kernel()
    }

    /// Appends bytes to the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.state.update(data);
    }

    /// Appends bytes to the message, using all threads of the current rayon thread pool if the
    /// algorithm can hash one message in parallel.
    ///
    /// Only BLAKE3, KT128 and KT256 support this (see [`Algorithm::is_parallel`]). For other algorithms, this method
    /// does the same as [`Hasher::update`]. It also does the same for less than 128 KiB, where threads do not pay off,
    /// and if the system refuses to start threads.
    #[cfg(feature = "rayon")]
    pub fn update_parallel(&mut self, data: &[u8]) {
        const WORTH_IT: usize = 128 << 10;
        if self.algorithm.is_parallel() && data.len() >= WORTH_IT && crate::internal::threads::pool() {
            self.state.update_parallel(data);
        } else {
            self.state.update(data);
        }
    }

    /// Returns the digest of the message so far. You can append to the message afterwards.
    #[must_use]
    pub fn digest(&self) -> Vec<u8> {
        let mut out = vec![0; self.output_len];
        self.write_digest(&mut out);
        out
    }

    /// Writes the digest of the message so far. You can append to the message afterwards.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if `out` does not have the length of the digest. With an
    /// extendable-output function, `out` can have any length.
    pub fn digest_into(&self, out: &mut [u8]) -> Result<(), Error> {
        self.algorithm.check_digest_len(self.output_len, out.len())?;
        self.write_digest(out);
        Ok(())
    }

    /// Writes the digest. A copy of a secret state must not be in the frame of a caller, where nothing overwrites it.
    #[inline(never)]
    fn write_digest(&self, out: &mut [u8]) {
        let mut state = State::clone(&self.state);
        state.finalize_into(out);
        if self.secrecy == Secrecy::Secret {
            state.zeroize();
        }
    }

    /// Ends the message and returns its output stream.
    ///
    /// # Errors
    /// Returns [`Error::Unsupported`] if the algorithm is not an extendable-output function.
    pub fn into_reader(self) -> Result<Reader, Error> {
        self.reader()
    }

    /// Returns the output stream of the message so far, like [`Hasher::into_reader`], without
    /// consuming the hasher.
    #[doc(hidden)]
    pub fn reader(&self) -> Result<Reader, Error> {
        let secret = self.secrecy == Secrecy::Secret;
        wipe::before(Depth::if_secret(secret), || {
            Reader::of(self.algorithm, self.state.stream(secret), self.secrecy)
        })
    }

    /// Starts a new message with the same parameters (key, customization, kernel, …).
    // As in `write_digest`, a copy of a secret state must not be in the frame of a caller.
    #[inline(never)]
    pub fn reset(&mut self) {
        if self.secrecy == Secrecy::Secret {
            self.state.zeroize();
        }
        *self.state = match &self.initial {
            Some(initial) => initial.state.clone(),
            None => self.algorithm.default_state(),
        };
    }
}

impl Drop for Hasher {
    #[inline]
    fn drop(&mut self) {
        if self.secrecy == Secrecy::Secret {
            self.state.erase();
            if let Some(initial) = &mut self.initial {
                initial.state.erase();
            }
            wipe::below(Depth::Usual);
        }
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hasher({})", self.algorithm.name)
    }
}

/// The output stream of an extendable-output function.
///
/// The bytes do not depend on how you divide the reads. A stream that depends on a key is overwritten on drop. Only one
/// kind of stream uses heap memory: that of a [`Hasher`] for BLAKE3 with a key.
///
/// Every stream has 2^64 - 1 bytes, the limit in BLAKE3's specification. You can reach the end only with
/// [`Reader::seek`]: at 10 GB/s, reading the whole stream takes 58 years. At the end, [`Reader::try_read`] returns an
/// error, `io::Read` returns the bytes that are left, and methods that cannot return an error panic. A stream does not
/// start again after its end.
///
/// ```
/// let mut hasher = hashwell::find("shake128")?.hasher();
/// hasher.update(b"seed");
/// let mut stream = hasher.into_reader()?;
/// let mut block = [0; 16];
/// stream.read(&mut block);
/// assert_eq!(stream.position(), 16);
/// # Ok::<(), hashwell::Error>(())
/// ```
pub struct Reader {
    name: &'static str,
    stream: OutputStream,
    secrecy: Secrecy,
}

impl Clone for Reader {
    fn clone(&self) -> Self {
        let Self { name, ref stream, secrecy } = *self;
        let depth = Depth::if_secret(secrecy == Secrecy::Secret);
        wipe::before(depth, || Self { name, stream: stream.clone(), secrecy })
    }
}

impl Reader {
    /// The number of bytes in every stream.
    pub const END: u64 = u64::MAX;

    pub(crate) fn of(
        algorithm: &Algorithm,
        stream: Option<OutputStream>,
        secrecy: Secrecy,
    ) -> Result<Self, Error> {
        match stream {
            Some(stream) if algorithm.kind == Kind::Xof => {
                Ok(Reader { name: algorithm.name, stream, secrecy })
            }
            _ => Err(Error::Unsupported { algorithm: algorithm.name, what: "output streams" }),
        }
    }

    pub(crate) fn secret(name: &'static str, stream: OutputStream) -> Self {
        Self { name, stream, secrecy: Secrecy::Secret }
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Panics
    /// Panics if the stream has fewer than `out.len()` bytes left. [`Reader::try_read`] returns an error instead.
    pub fn read(&mut self, out: &mut [u8]) {
        self.try_read(out).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Errors
    /// Returns [`Error::Exhausted`] if the stream has fewer than `out.len()` bytes left. In this case, nothing is read.
    #[inline]
    pub fn try_read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.check_left(out.len() as u64)?;
        self.stream.read(out);
        Ok(())
    }

    /// Checks that `len` more bytes can be read.
    ///
    /// # Errors
    /// Returns [`Error::Exhausted`] if the stream has fewer than `len` bytes left.
    #[inline]
    pub fn check_left(&self, len: u64) -> Result<(), Error> {
        if len <= self.left() { Ok(()) } else { Err(self.exhausted(len)) }
    }

    #[cold]
    fn exhausted(&self, len: u64) -> Error {
        let asked = u128::from(self.position()) + u128::from(len);
        Error::Exhausted { stream: words(self.name), end: Self::END.into(), asked }
    }

    /// Returns the number of bytes left.
    fn left(&self) -> u64 {
        Self::END - self.position()
    }

    /// Returns the next `len` bytes.
    ///
    /// # Panics
    /// Panics if the stream has fewer than `len` bytes left.
    #[must_use]
    pub fn read_vec(&mut self, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.read(&mut out);
        out
    }

    /// Returns the position in the stream: the number of bytes before the next byte.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.stream.position()
    }

    /// Returns true if [`Reader::seek`] works. Only BLAKE3 supports it, because its output blocks are independent.
    #[must_use]
    pub fn is_seekable(&self) -> bool {
        self.stream.is_seekable()
    }

    /// Moves to a byte position, forwards or backwards, at constant cost. The position 2^64 - 1 is
    /// the end.
    ///
    /// # Errors
    /// Returns [`Error::Unsupported`] if the stream is sequential, which is the case for all
    /// algorithms except BLAKE3.
    pub fn seek(&mut self, position: u64) -> Result<(), Error> {
        let unsupported = Error::Unsupported { algorithm: self.name, what: "seeking" };
        self.stream.seek(position).then_some(()).ok_or(unsupported)
    }
}

impl Reader {
    pub(crate) fn out_of_range(&self, what: &'static str, min: u64, max: u64, got: u64) -> Error {
        Error::OutOfRange { algorithm: self.name, what, unit: "", min, max, got }
    }
}

impl Drop for Reader {
    #[inline]
    fn drop(&mut self) {
        if self.secrecy == Secrecy::Secret {
            self.stream.zeroize();
            wipe::below(Depth::Usual);
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reader({}, position {})", self.name, self.position())
    }
}

#[cfg(feature = "std")]
mod io {
    use super::{Hasher, Reader};
    use std::io;

    impl io::Write for Hasher {
        fn write(&mut self, data: &[u8]) -> io::Result<usize> {
            self.update(data);
            Ok(data.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl io::Read for Reader {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let len = out.len().min(usize::try_from(self.left()).unwrap_or(usize::MAX));
            Reader::read(self, &mut out[..len]);
            Ok(len)
        }
    }
}
