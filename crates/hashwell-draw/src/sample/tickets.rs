//! Tickets of many ids at once.

use crate::{Error, Key};
use hashwell::{Many, Params};

/// The tickets of a key for many ids, as [`Key::ticket`] gives them, made side by side on the widest SHA-256 that the
/// processor has.
pub struct Tickets {
    many: Many,
    prefix: [u8; 33],
}

/// Ids that are hashed at a time: their copies stay in the nearest caches.
const BATCH: usize = 1024;

impl Tickets {
    /// Tickets of this key.
    #[must_use]
    pub fn new(key: &Key) -> Self {
        Self { many: many(), prefix: key.ticket_prefix() }
    }

    /// The tickets of all ids, in order.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn of<I: AsRef<[u8]>>(&self, ids: &[I]) -> Result<Vec<u128>, Error> {
        let mut tickets = Vec::new();
        tickets.try_reserve_exact(ids.len()).map_err(|_| Error::Memory { what: "tickets" })?;
        self.each(ids, |_, ticket| tickets.push(ticket))?;
        Ok(tickets)
    }

    /// Calls `take` with the number of each id, counted from 0, and its ticket, in order.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn each<I: AsRef<[u8]>>(&self, ids: &[I], mut take: impl FnMut(usize, u128)) -> Result<(), Error> {
        let mut messages = Vec::new();
        let mut ends = Vec::with_capacity(BATCH);
        let mut digests = vec![0; BATCH * self.many.output_len()];
        for (batch, ids) in ids.chunks(BATCH).enumerate() {
            messages.clear();
            ends.clear();
            for id in ids {
                let id = id.as_ref();
                let room = messages.try_reserve(self.prefix.len() + id.len());
                room.map_err(|_| Error::Memory { what: "ids" })?;
                messages.extend_from_slice(&self.prefix);
                messages.extend_from_slice(id);
                ends.push(messages.len());
            }
            let mut begin = 0;
            let cut = |&end: &usize| &messages[std::mem::replace(&mut begin, end)..end];
            let cuts: Vec<&[u8]> = ends.iter().map(cut).collect();
            let digests = &mut digests[..ids.len() * self.many.output_len()];
            self.many.digest_into(&cuts, digests)?;
            for (i, digest) in digests.as_chunks::<32>().0.iter().enumerate() {
                take(batch * BATCH + i, Key::ticket_of(digest));
            }
        }
        Ok(())
    }
}

fn many() -> Many {
    let sha256 = hashwell::find("sha256").and_then(|row| row.many(&Params::default()));
    sha256.expect("SHA-256 takes no parameters")
}

impl std::fmt::Debug for Tickets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tickets")
    }
}
