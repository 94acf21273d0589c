//! Hashes pieces of one message independently, in any order, and joins the results.

use crate::api::hash::Hasher;
use crate::internal::cores::{Joint, PIECE, Subtrees};
use crate::internal::error::Error;
use crate::registry::{Algorithm, Params};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// Divides a message of known length into pieces that can be hashed independently. [`Algorithm::pieces`] returns this
/// type.
///
/// ```
/// let (blake3, message) = (hashwell::find("blake3")?, vec![7; 1_000_000]);
/// let pieces = blake3.pieces(&hashwell::Params::default(), message.len() as u64)?;
/// let piece = |index| &message[pieces.range(index).start as usize..pieces.range(index).end as usize];
/// // Hash the pieces in any order, on any threads or machines:
/// let values: Result<Vec<_>, _> = (0..pieces.count()).rev().map(|i| pieces.value(i, piece(i))).collect();
/// // Join the values in the order of the message:
/// let mut join = pieces.join();
/// values?.iter().rev().try_for_each(|value| join.push(value))?;
/// assert_eq!(join.digest()?, blake3.digest(&message));
/// # Ok::<(), hashwell::Error>(())
/// ```
///
/// Each piece has a value, which [`Pieces::value`] computes. You can store the value or send it to a different machine.
/// The contents of a value depend on the algorithm:
///
/// - BLAKE3: the 32 bytes of a chaining value (BLAKE3 paper, section 2.1).
/// - KT128 and KT256: the chaining values of all chunks of 8 KiB, 32 bytes each for KT128 and 64 bytes each for KT256.
///   The first chunk and the end of the message are included unchanged (RFC 9861, section 3.2).
/// - A message that is a single piece: the message itself.
///
/// Values are not digests. An attacker who has a value can continue the hash from it, and may learn
/// parts of the message.
pub struct Pieces {
    start: Hasher,
    tree: Box<dyn Subtrees>,
    message_len: u64,
}

impl Algorithm {
    /// Divides a message of `message_len` bytes into pieces.
    ///
    /// # Errors
    /// Returns the same errors as [`Algorithm::build`], and [`Error::Unsupported`] if pieces cannot be hashed
    /// independently. Only BLAKE3 without a key or context, KT128 and KT256 support pieces (see
    /// [`Algorithm::is_parallel`]).
    pub fn pieces(&'static self, params: &Params<'_>, message_len: u64) -> Result<Pieces, Error> {
        let start = self.build(params)?;
        match self.family.subtrees(params)? {
            Some(tree) => Ok(Pieces { start, tree, message_len }),
            None if self.is_parallel() => Err(Error::Unsupported {
                algorithm: self.name,
                what: "hashing in pieces with a key or context",
            }),
            None => Err(Error::Unsupported { algorithm: self.name, what: "hashing in pieces" }),
        }
    }
}

impl Pieces {
    /// The length of every piece except the last, in bytes. The last piece has 1 to `LEN` bytes.
    ///
    /// The values depend on this length, so it never changes.
    pub const LEN: usize = PIECE;

    /// Returns the algorithm.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.start.algorithm()
    }

    /// Returns the number of pieces, which is 0 for an empty message.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.message_len.div_ceil(Self::LEN as u64)
    }

    /// Returns the range of message bytes in a piece. The range is empty if `index` is
    /// [`Pieces::count`] or more.
    #[must_use]
    pub fn range(&self, index: u64) -> Range<u64> {
        let at = |index: u64| index.saturating_mul(Self::LEN as u64).min(self.message_len);
        at(index)..at(index.saturating_add(1))
    }

    /// Computes the value of a piece.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if there is no piece with this index, or if `data` does not
    /// have the length of the piece.
    pub fn value(&self, index: u64, data: &[u8]) -> Result<Vec<u8>, Error> {
        let Some(value_len) = self.value_len(index) else {
            let last = self.count().saturating_sub(1);
            return Err(self.algorithm().out_of_range("number of the piece", "", 0, last, index));
        };
        let (len, got) = (self.piece_len(index) as u64, data.len() as u64);
        if got != len {
            return Err(self.algorithm().out_of_range("length of the piece", "bytes", len, len, got));
        }
        if self.is_one() {
            return Ok(data.to_vec());
        }
        let mut value = vec![0; value_len];
        self.tree.value(index, data, &mut value);
        Ok(value)
    }

    /// Returns a [`Join`], which computes the digest from the values.
    #[must_use]
    pub fn join(&self) -> Join<'_> {
        let joint = if self.is_one() {
            Joining::One(Box::new(self.start.clone()))
        } else {
            Joining::Many(self.tree.joint())
        };
        Join { pieces: self, joint, pushed: 0 }
    }

    /// Returns true if the message is a single piece, whose value is the message itself.
    fn is_one(&self) -> bool {
        self.count() <= 1
    }

    fn piece_len(&self, index: u64) -> usize {
        let range = self.range(index);
        (range.end - range.start) as usize
    }

    /// Returns the length of a piece's value in bytes, or `None` if there is no such piece.
    fn value_len(&self, index: u64) -> Option<usize> {
        let len = self.piece_len(index);
        let of_value = || if self.is_one() { len } else { self.tree.value_len(index, len) };
        (index < self.count()).then(of_value)
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pieces({}, {} of {} bytes)", self.algorithm().name, self.count(), self.message_len)
    }
}

/// Computes the digest of a message from the values of its pieces. [`Pieces::join`] returns this type.
pub struct Join<'p> {
    pieces: &'p Pieces,
    joint: Joining,
    pushed: u64,
}

enum Joining {
    One(Box<Hasher>),
    Many(Box<dyn Joint>),
}

impl Join<'_> {
    /// Appends the value of the next piece. Start with the first piece, and append the values in order.
    ///
    /// This method checks only the length of the value. It cannot check that you computed the value
    /// from the right piece with the same algorithm and parameters.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if all pieces have already been appended, or if the value has the wrong length. In
    /// both cases, the value is not appended.
    pub fn push(&mut self, value: &[u8]) -> Result<(), Error> {
        let (pieces, index) = (self.pieces, self.pushed);
        let algorithm = pieces.algorithm();
        let Some(len) = pieces.value_len(index) else {
            let count = pieces.count();
            return Err(algorithm.out_of_range("number of values", "", count, count, index + 1));
        };
        if value.len() != len {
            let (len, got) = (len as u64, value.len() as u64);
            return Err(algorithm.out_of_range("value of the piece", "bytes", len, len, got));
        }
        match &mut self.joint {
            Joining::One(hasher) => hasher.update(value),
            Joining::Many(joint) => joint.push(index, pieces.piece_len(index), value),
        }
        self.pushed += 1;
        Ok(())
    }

    /// Returns the digest of the message.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if values are missing.
    pub fn digest(self) -> Result<Vec<u8>, Error> {
        let (pieces, count) = (self.pieces, self.pieces.count());
        if self.pushed != count {
            return Err(pieces.algorithm().out_of_range("number of values", "", count, count, self.pushed));
        }
        Ok(match self.joint {
            Joining::One(hasher) => hasher.digest(),
            Joining::Many(joint) => {
                let mut digest = vec![0; pieces.start.output_len()];
                joint.finish(&mut digest);
                digest
            }
        })
    }
}

impl fmt::Debug for Join<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Join({} of {:?})", self.pushed, self.pieces)
    }
}
