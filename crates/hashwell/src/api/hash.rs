//! Any algorithm of the registry, chosen at run time: [`Hasher`] absorbs, [`Reader`] reads.

use crate::families::{OutputStream, State};
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::params::Secrecy;
#[cfg(feature = "states")]
use crate::internal::saved::encoded;
use crate::internal::storage::Kept;
use crate::internal::try_alloc::words;
use crate::internal::wipe::{self, Depth};
use crate::registry::{Algorithm, Kind, Params};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use zeroize::Zeroize;

/// A hash in progress, of any algorithm; made by [`Algorithm::hasher`] or [`Algorithm::build`].
///
/// Absorbing cannot fail, takes any number of pieces and is independent of how the message is cut.
/// Cloning is possible at any point. A state made with a key is on the heap and overwritten on drop.
#[derive(Clone)]
pub struct Hasher {
    pub(crate) algorithm: &'static Algorithm,
    pub(crate) state: Kept<State>,
    /// The state to go back to, where it is not the row's default.
    initial: Option<Box<Initial>>,
    output_len: usize,
    pub(crate) secrecy: Secrecy,
}

/// The state before the message, and the parameters as they are saved.
#[derive(Clone)]
struct Initial {
    state: State,
    /// Those that are not secret.
    #[cfg(feature = "states")]
    parameters: Vec<u8>,
}

impl Algorithm {
    /// A hasher without parameters.
    #[inline]
    #[must_use]
    pub fn hasher(&'static self) -> Hasher {
        Hasher::plain(self, self.default_state())
    }

    /// A hasher with parameters.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a parameter that the row does not list, [`Error::OutOfRange`] for one
    /// outside its limits, [`Error::UnknownKernel`] and [`Error::UnavailableKernel`] for the kernel.
    pub fn build(&'static self, params: &Params<'_>) -> Result<Hasher, Error> {
        if params.kernel.is_none() && params.is_plain() {
            return Ok(self.hasher());
        }
        Hasher::build(self, params)
    }

    /// The output stream of one message: what [`Algorithm::hasher`], [`Hasher::update`] and [`Hasher::into_reader`]
    /// give, without a state in between, which takes longer to move than a short message to hash.
    ///
    /// # Errors
    /// As [`Hasher::into_reader`].
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
        // Only pointers leave the frame that the key was in.
        let initial = wipe::try_after(Depth::if_secret(secret), || {
            #[cfg(feature = "states")]
            let parameters = encoded(algorithm.name, algorithm.output, params)?;
            let state = algorithm.state(params)?;
            Ok(Box::new(Initial {
                state,
                #[cfg(feature = "states")]
                parameters,
            }))
        })?;
        let state = initial.state.clone();
        let state = if secret { Kept::Away(Box::new(state)) } else { Kept::Here(state) };
        let output_len = params.output_len.unwrap_or(algorithm.output);
        Ok(Self { algorithm, state, initial: Some(initial), output_len, secrecy })
    }

    /// Makes it, and its reader, be overwritten on drop: for a message that is secret and still to come.
    pub(crate) fn keep_secret(&mut self) {
        self.secrecy = Secrecy::Secret;
        self.state = Kept::Away(Box::new(State::clone(&self.state)));
    }

    /// The parameters as they are saved.
    #[cfg(feature = "states")]
    pub(crate) fn parameters(&self) -> &[u8] {
        self.initial.as_ref().map_or(&[], |initial| &initial.parameters)
    }

    /// The registry row.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Bytes of [`Hasher::digest`]: the length asked for, else the row's default.
    #[must_use]
    pub fn output_len(&self) -> usize {
        self.output_len
    }

    /// Name of the kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.state.kernel()
    }

    /// Appends to the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.state.update(data);
    }

    /// Appends to the message, hashing on all cores of rayon's current thread pool if the algorithm allows
    /// it: BLAKE3, KT128 and KT256 (see [`Algorithm::is_parallel`]). Below 128 KiB per call, where that does not
    /// pay, for other algorithms, and where the system refuses the threads, the same as [`Hasher::update`].
    #[cfg(feature = "rayon")]
    pub fn update_parallel(&mut self, data: &[u8]) {
        const WORTH_IT: usize = 128 << 10;
        if self.algorithm.is_parallel() && data.len() >= WORTH_IT && crate::internal::threads::pool() {
            self.state.update_parallel(data);
        } else {
            self.state.update(data);
        }
    }

    /// The digest of the message so far. More may follow.
    #[must_use]
    pub fn digest(&self) -> Vec<u8> {
        let mut out = vec![0; self.output_len];
        self.write_digest(&mut out);
        out
    }

    /// Writes the digest of the message so far. More may follow.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `out` has another length than the digest. An extendable-output function
    /// fills any length.
    pub fn digest_into(&self, out: &mut [u8]) -> Result<(), Error> {
        self.algorithm.check_digest_len(self.output_len, out.len())?;
        self.write_digest(out);
        Ok(())
    }

    fn write_digest(&self, out: &mut [u8]) {
        let mut state = State::clone(&self.state);
        state.finalize_into(out);
        if self.secrecy == Secrecy::Secret {
            state.zeroize();
        }
    }

    /// Ends the message and turns to reading output.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the algorithm is not an extendable-output function.
    pub fn into_reader(self) -> Result<Reader, Error> {
        self.reader()
    }

    /// As [`Hasher::into_reader`], for who keeps the state where there is none.
    #[doc(hidden)]
    pub fn reader(&self) -> Result<Reader, Error> {
        let secret = self.secrecy == Secrecy::Secret;
        Reader::of(self.algorithm, self.state.stream(secret), self.secrecy)
    }

    /// Forgets the message, keeps all parameters (key, customisation, kernel, …).
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

/// The output stream of an extendable-output function. Any cutting of the reads gives the same bytes. A stream
/// that depends on a key is overwritten on drop. Only that of a
/// keyed [`Hasher`] of BLAKE3 is on the heap.
///
/// It has 2^64 - 1 bytes, as BLAKE3's specification says of BLAKE3. Only [`Reader::seek`] gets anyone near that
/// end: at 10 GB/s, reading takes 58 years. Then [`Reader::try_read`] says so, `io::Read` gives what is left,
/// and what cannot fail panics: no stream begins again.
#[derive(Clone)]
pub struct Reader {
    name: &'static str,
    stream: OutputStream,
    secrecy: Secrecy,
}

impl Reader {
    /// Bytes of every stream.
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
            _ => Err(Error::Unsupported { algorithm: algorithm.name, what: "output stream" }),
        }
    }

    pub(crate) fn secret(name: &'static str, stream: OutputStream) -> Self {
        Self { name, stream, secrecy: Secrecy::Secret }
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Panics
    /// Past the stream's end; see [`Reader::try_read`].
    pub fn read(&mut self, out: &mut [u8]) {
        self.try_read(out).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Fills `out` with the next bytes, if there are so many.
    ///
    /// # Errors
    /// [`Error::Exhausted`] past byte 2^64 - 1. Nothing is read then.
    #[inline]
    pub fn try_read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.check_left(out.len() as u64)?;
        self.stream.read(out);
        Ok(())
    }

    /// Whether `len` more bytes can be read.
    ///
    /// # Errors
    /// As [`Reader::try_read`].
    #[inline]
    pub fn check_left(&self, len: u64) -> Result<(), Error> {
        if len <= self.left() { Ok(()) } else { Err(self.exhausted(len)) }
    }

    #[cold]
    fn exhausted(&self, len: u64) -> Error {
        let asked = u128::from(self.position()) + u128::from(len);
        Error::Exhausted { stream: words(self.name), end: Self::END.into(), asked }
    }

    /// Bytes until the end.
    fn left(&self) -> u64 {
        Self::END - self.position()
    }

    /// The next `len` bytes.
    ///
    /// # Panics
    /// As [`Reader::read`].
    #[must_use]
    pub fn read_vec(&mut self, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.read(&mut out);
        out
    }

    /// Bytes read so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.stream.position()
    }

    /// Whether [`Reader::seek`] works: the stream is made of independent blocks (BLAKE3).
    #[must_use]
    pub fn is_seekable(&self) -> bool {
        self.stream.is_seekable()
    }

    /// Goes to a byte position, forward or back, at constant cost. 2^64 - 1 is the end.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the stream is sequential: only BLAKE3's is not.
    pub fn seek(&mut self, position: u64) -> Result<(), Error> {
        let unsupported = Error::Unsupported { algorithm: self.name, what: "seekable output stream" };
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
