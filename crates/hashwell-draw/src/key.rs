//! The keys of draws. They are derived by the same rule as the keys of random streams (`docs/guides/random.md`), whose
//! tags are 00, 03, 04 and 05.

use crate::Error;
use hashwell::{CounterRng, RandomStream, Sha256, Source, StreamKey};

/// The use of a draw's key, as the byte after the key in the hashed message. The other values belong to the random
/// streams.
#[derive(Clone, Copy)]
enum Tag {
    Ticket = 1,
    Stratum = 2,
    Row = 6,
    Allocation = 7,
    Slots = 8,
}

/// The list digest of an open list, which is a stream or consists of rows that were not listed before the draw.
pub const OPEN_LIST: [u8; 32] = [0; 32];

/// The key K of hwdraw/1, from which a whole draw is derived. The key is public as soon as the seed is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(pub [u8; 32]);

impl Key {
    /// Derives a key, which is SHA-256("hwdraw/1" ‖ len(seed) ‖ seed ‖ len(context) ‖ context ‖ list). Each length is
    /// encoded in 8 bytes, big-endian.
    #[must_use]
    pub fn derive(seed: &[u8], context: &[u8], list: &[u8; 32]) -> Self {
        Self(StreamKey::for_frame(seed, context, list).root)
    }

    /// The random numbers of the key. Block i is SHA-256(K ‖ 00 ‖ i), and consists of four random numbers.
    #[must_use]
    pub fn words(&self) -> CounterRng {
        CounterRng::new(&self.0)
    }

    /// The message for a block of four random numbers, the first of which has the number 4·`block`.
    pub(crate) fn words_message(&self, block: u64) -> [u8; 32 + 1 + 8] {
        let mut message = [0; 32 + 1 + 8];
        message[..32].copy_from_slice(&self.0);
        message[33..].copy_from_slice(&block.to_be_bytes());
        message
    }

    /// The random numbers of the key from the given random source, which can be different from `counter`.
    ///
    /// # Errors
    /// Returns the same errors as [`RandomStream::of_key`].
    pub fn words_of(&self, source: Source) -> Result<RandomStream, hashwell::Error> {
        RandomStream::of_key(source, StreamKey { root: self.0, jumps: 0 })
    }

    /// The ticket of an id: the first 16 bytes of SHA-256(K ‖ 01 ‖ id) as a number, big-endian.
    #[must_use]
    pub fn ticket(&self, id: &[u8]) -> u128 {
        Self::ticket_of(&self.tagged(Tag::Ticket, id))
    }

    /// The bytes before an id in the message whose digest contains the id's ticket.
    pub(crate) fn ticket_prefix(&self) -> [u8; 33] {
        self.prefix(Tag::Ticket)
    }

    /// The bytes before an id in the message whose digest is the key of a row.
    pub(crate) fn row_prefix(&self) -> [u8; 33] {
        self.prefix(Tag::Row)
    }

    /// The beginning of the messages whose digests are the keys of strata.
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    pub(crate) fn stratum_prefix(&self) -> [u8; 33] {
        self.prefix(Tag::Stratum)
    }

    /// The beginning of the messages whose digests are the random numbers of slots with replacement.
    pub(crate) fn slots_prefix(&self) -> [u8; 33] {
        self.prefix(Tag::Slots)
    }

    fn prefix(&self, tag: Tag) -> [u8; 33] {
        let mut prefix = [tag as u8; 33];
        prefix[..32].copy_from_slice(&self.0);
        prefix
    }

    /// The ticket in a digest.
    pub(crate) fn ticket_of(digest: &[u8; 32]) -> u128 {
        digest.first_chunk().map_or(0, |ticket| u128::from_be_bytes(*ticket))
    }

    /// The key of a stratum: SHA-256(K ‖ 02 ‖ label).
    #[must_use]
    pub fn stratum(&self, label: &[u8]) -> Self {
        Self(self.tagged(Tag::Stratum, label))
    }

    /// The key of a row that has its own random numbers: SHA-256(K ‖ 06 ‖ id).
    #[must_use]
    pub fn row(&self, id: &[u8]) -> Self {
        Self(self.tagged(Tag::Row, id))
    }

    /// The key of the proportional allocation: SHA-256(K ‖ 07).
    #[must_use]
    pub fn allocation(&self) -> Self {
        Self(self.tagged(Tag::Allocation, &[]))
    }

    fn tagged(&self, tag: Tag, bytes: &[u8]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(&self.0);
        hash.update(&[tag as u8]);
        hash.update(bytes);
        hash.finalize()
    }
}

#[cfg(not(target_arch = "wasm32"))]
static SHARED: std::sync::OnceLock<Digests> = std::sync::OnceLock::new();

/// SHA-256 of many messages in parallel, with the widest kernel that the CPU supports. WebAssembly without SIMD has no
/// such kernel. There, messages are hashed one by one, because the scheduler of all families would only make the module
/// larger.
pub(crate) struct Digests {
    #[cfg(not(target_arch = "wasm32"))]
    many: hashwell::Many,
}

impl Digests {
    #[cfg(not(target_arch = "wasm32"))]
    fn try_new() -> Result<Self, hashwell::Error> {
        let sha256 = hashwell::find("sha256")?;
        Ok(Self { many: sha256.many(&hashwell::Params::default())? })
    }

    /// The instance of this process; only the first call allocates.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn shared() -> Result<&'static Self, Error> {
        if SHARED.get().is_none() {
            let _ = SHARED.set(Self::try_new()?);
        }
        Ok(SHARED.get().expect("it was set"))
    }

    /// Like [`Digests::shared`], but aborts the process if there is no memory.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn shared_or_abort() -> &'static Self {
        SHARED.get_or_init(|| {
            let made = hashwell::Error::abort_without_memory(Self::try_new());
            made.expect("SHA-256 takes no parameters")
        })
    }

    #[cfg(target_arch = "wasm32")]
    pub(crate) fn shared() -> Result<&'static Self, Error> {
        Ok(&Self {})
    }

    #[cfg(target_arch = "wasm32")]
    pub(crate) fn shared_or_abort() -> &'static Self {
        &Self {}
    }

    /// Computes the digest of each message.
    pub(crate) fn of<M: AsRef<[u8]> + Sync>(
        &self,
        messages: &[M],
        digests: &mut [[u8; 32]],
    ) -> Result<(), Error> {
        #[cfg(not(target_arch = "wasm32"))]
        self.many.digest_into(messages, digests.as_flattened_mut())?;
        #[cfg(target_arch = "wasm32")]
        for (message, digest) in messages.iter().zip(digests) {
            *digest = Sha256::digest(message.as_ref());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::RandomSource;

    #[test]
    fn an_open_draw_is_a_random_stream() {
        let source = Source::find("counter").unwrap();
        let mut stream = source.seeded(b"0877", b"audit").unwrap();
        let mut words = Key::derive(b"0877", b"audit", &OPEN_LIST).words();
        assert!((0..9).all(|_| stream.next_u64() == words.next_u64()));
        let other = Key::derive(b"0877", b"audit", &[1; 32]).words().next_u64();
        assert_ne!(other, Key::derive(b"0877", b"audit", &OPEN_LIST).words().next_u64());
    }
}
