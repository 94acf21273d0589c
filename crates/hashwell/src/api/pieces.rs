//! Pieces of one message that are hashed apart, in any order and anywhere, and joined.

use crate::api::hash::Hasher;
use crate::internal::cores::{Joint, PIECE, Subtrees};
use crate::internal::error::Error;
use crate::registry::{Algorithm, Params};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// How one message of known length is cut into pieces, each of which can be hashed without the others; made by
/// [`Algorithm::pieces`].
///
/// ```
/// let (blake3, message) = (hashwell::find("blake3")?, vec![7; 1_000_000]);
/// let pieces = blake3.pieces(&hashwell::Params::default(), message.len() as u64)?;
/// let piece = |index| &message[pieces.range(index).start as usize..pieces.range(index).end as usize];
/// // In any order, on any threads or machines:
/// let values: Result<Vec<_>, _> = (0..pieces.count()).rev().map(|i| pieces.value(i, piece(i))).collect();
/// // In the message's order, in one place:
/// let mut join = pieces.join();
/// values?.iter().rev().try_for_each(|value| join.push(value))?;
/// assert_eq!(join.digest()?, blake3.digest(&message));
/// # Ok::<(), hashwell::Error>(())
/// ```
///
/// A piece's value is bytes, which may be kept and sent: of BLAKE3 the 32 bytes of a chaining value (BLAKE3 paper section
/// 2.1), of KT128 and KT256 those of all leaves, 32 or 64 bytes for 8 KiB, with the message's first chunk and its end as
/// they are (RFC 9861 section 3.2). What is one piece only is its own value. Values are not digests: who has one can
/// go on from it, and may know some of the message.
pub struct Pieces {
    start: Hasher,
    tree: Box<dyn Subtrees>,
    message_len: u64,
}

impl Algorithm {
    /// The pieces of a message of `message_len` bytes.
    ///
    /// # Errors
    /// As [`Algorithm::build`]; [`Error::Unsupported`] if pieces cannot be hashed apart: of all rows but BLAKE3, KT128 and
    /// KT256 (see [`Algorithm::is_parallel`]), and of BLAKE3 with a key or context.
    pub fn pieces(&'static self, params: &Params<'_>, message_len: u64) -> Result<Pieces, Error> {
        let start = self.build(params)?;
        match self.family.subtrees(params)? {
            Some(tree) => Ok(Pieces { start, tree, message_len }),
            None if self.is_parallel() => {
                Err(Error::Unsupported { algorithm: self.name, what: "pieces under a key or context" })
            }
            None => Err(Error::Unsupported { algorithm: self.name, what: "pieces to hash apart" }),
        }
    }
}

impl Pieces {
    /// Bytes of every piece but the last, which has 1 to so many. Part of what values mean: it never changes.
    pub const LEN: usize = PIECE;

    /// The registry row.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.start.algorithm()
    }

    /// How many pieces there are; none of an empty message.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.message_len.div_ceil(Self::LEN as u64)
    }

    /// Which bytes of the message a piece is; none from [`Pieces::count`] on.
    #[must_use]
    pub fn range(&self, index: u64) -> Range<u64> {
        let at = |index: u64| index.saturating_mul(Self::LEN as u64).min(self.message_len);
        at(index)..at(index.saturating_add(1))
    }

    /// The value of a piece.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there is no such piece, or it has another length than `data`.
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

    /// Where values become the digest.
    #[must_use]
    pub fn join(&self) -> Join<'_> {
        let joint = if self.is_one() {
            Joining::One(Box::new(self.start.clone()))
        } else {
            Joining::Many(self.tree.joint())
        };
        Join { pieces: self, joint, pushed: 0 }
    }

    /// Whether no piece is a subtree, since the root is.
    fn is_one(&self) -> bool {
        self.count() <= 1
    }

    fn piece_len(&self, index: u64) -> usize {
        let range = self.range(index);
        (range.end - range.start) as usize
    }

    /// Bytes of a piece's value, if there is the piece.
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

/// The values of a message's pieces on their way to its digest; made by [`Pieces::join`].
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
    /// Takes the value of the next piece, from the first on. That it was made of that piece, and of the same algorithm
    /// and parameters, nobody can see.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there is no further piece, or its value has another length. Nothing is taken then.
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

    /// The digest of the message.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if values are missing.
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
