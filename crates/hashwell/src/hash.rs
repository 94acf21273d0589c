//! Any algorithm of the registry, chosen at run time: [`Hasher`] absorbs, [`Reader`] reads.

use crate::error::Error;
use crate::family::{Core, State, Stream};
use crate::keccak;
use crate::registry::{Algorithm, Kind, Params};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use zeroize::Zeroize;

/// Whether a state depends on a key and must be overwritten on drop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrecy {
    Public,
    Secret,
}

impl Secrecy {
    pub(crate) fn of(params: &Params<'_>) -> Self {
        if params.key.is_some() || params.context.is_some() { Secrecy::Secret } else { Secrecy::Public }
    }
}

/// A hash in progress, of any algorithm; made by [`Algorithm::hasher`] or [`Algorithm::build`].
///
/// Absorbing cannot fail, takes any number of pieces and is independent of how the message is cut.
/// Cloning is possible at any point. A state made with a key is overwritten on drop.
#[derive(Clone)]
pub struct Hasher {
    algorithm: &'static Algorithm,
    state: State,
    /// The state to go back to, where it is not the row's default.
    initial: Option<Box<State>>,
    output_len: usize,
    secrecy: Secrecy,
}

impl Hasher {
    #[inline]
    pub(crate) fn plain(algorithm: &'static Algorithm, state: State) -> Self {
        let output_len = algorithm.output;
        Self { algorithm, state, initial: None, output_len, secrecy: Secrecy::Public }
    }

    pub(crate) fn parametrised(
        algorithm: &'static Algorithm,
        state: State,
        output_len: usize,
        secrecy: Secrecy,
    ) -> Self {
        let initial = Some(Box::new(state.clone()));
        Self { algorithm, state, initial, output_len, secrecy }
    }

    /// Makes it, and its reader, be overwritten on drop: for a message that is secret.
    pub(crate) fn keep_secret(&mut self) {
        self.secrecy = Secrecy::Secret;
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
        if self.algorithm.is_parallel() && data.len() >= WORTH_IT && crate::threads::pool() {
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
        let mut state = self.state.clone();
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
        Reader::of(self.algorithm, self.state.stream(), self.secrecy)
    }

    /// Forgets the message, keeps all parameters (key, customisation, kernel, …).
    pub fn reset(&mut self) {
        if self.secrecy == Secrecy::Secret {
            self.state.zeroize();
        }
        self.state = match &self.initial {
            Some(initial) => State::clone(initial),
            None => self.algorithm.default_state(),
        };
    }
}

impl Drop for Hasher {
    #[inline]
    fn drop(&mut self) {
        if self.secrecy == Secrecy::Secret {
            self.state.zeroize();
            if let Some(initial) = &mut self.initial {
                initial.zeroize();
            }
        }
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hasher({})", self.algorithm.name)
    }
}

/// The output stream of an extendable-output function. Reading cannot fail, and any cutting of the reads
/// gives the same bytes. A stream that depends on a key is overwritten on drop. No part of it is on the heap.
#[derive(Clone)]
pub struct Reader {
    name: &'static str,
    stream: Stream,
    secrecy: Secrecy,
}

impl Reader {
    pub(crate) fn of(algorithm: &Algorithm, stream: Option<Stream>, secrecy: Secrecy) -> Result<Self, Error> {
        match stream {
            Some(stream) if algorithm.kind == Kind::Xof => {
                Ok(Reader { name: algorithm.name, stream, secrecy })
            }
            _ => Err(Error::Unsupported { algorithm: algorithm.name, what: "output stream" }),
        }
    }

    pub(crate) fn secret(name: &'static str, reader: keccak::Reader) -> Self {
        Self { name, stream: Stream::Keccak(reader), secrecy: Secrecy::Secret }
    }

    /// Fills `out` with the next bytes.
    pub fn read(&mut self, out: &mut [u8]) {
        self.stream.read(out);
    }

    /// The next `len` bytes.
    #[must_use]
    pub fn read_vec(&mut self, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.read(&mut out);
        out
    }

    /// Bytes read so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        match &self.stream {
            Stream::Keccak(r) => r.position(),
            Stream::Ascon(r) => r.position(),
            Stream::Blake3(r) => r.position(),
        }
    }

    /// Whether [`Reader::seek`] works: the stream is made of independent blocks (BLAKE3).
    #[must_use]
    pub fn is_seekable(&self) -> bool {
        matches!(self.stream, Stream::Blake3(_))
    }

    /// Goes to a byte position, forward or back, at constant cost.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the stream is sequential: only BLAKE3's is not.
    pub fn seek(&mut self, position: u64) -> Result<(), Error> {
        match &mut self.stream {
            Stream::Blake3(r) => {
                r.set_position(position);
                Ok(())
            }
            Stream::Keccak(_) | Stream::Ascon(_) => {
                Err(Error::Unsupported { algorithm: self.name, what: "seekable output stream" })
            }
        }
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
            Reader::read(self, out);
            Ok(out.len())
        }
    }
}
