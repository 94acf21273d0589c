//! Tickets of many ids at once.

use crate::key::Digests;
use crate::{Error, Key};
use std::mem;

/// The tickets of a key for many ids, as [`Key::ticket`] gives them, made side by side on the widest SHA-256 that the
/// processor has.
pub struct Tickets {
    digests: Digests,
    prefix: [u8; 33],
}

/// Ids that are hashed at a time: their copies and digests stay in the nearest cache.
const BATCH: usize = 256;

impl Tickets {
    /// Tickets of this key.
    #[must_use]
    pub fn new(key: &Key) -> Self {
        Self { digests: Digests::new(), prefix: key.ticket_prefix() }
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
        let write = |i: usize, out: &mut Vec<u8>| {
            let id = ids[i].as_ref();
            out.try_reserve(id.len()).map_err(|_| Error::Memory { what: "ids" })?;
            out.extend_from_slice(id);
            Ok(())
        };
        self.each_written(ids.len(), write, |i, ticket, _| {
            take(i, ticket);
            Ok(())
        })
    }

    /// As [`Tickets::each`], of so many ids that nobody holds: `write` appends the bytes of one to what is there, which it
    /// must leave as it is, and `take` gets them, too. Each id is written once, to where it is hashed.
    ///
    /// # Errors
    /// [`Error::Memory`], and what `write` and `take` say.
    pub fn each_written(
        &self,
        ids: usize,
        mut write: impl FnMut(usize, &mut Vec<u8>) -> Result<(), Error>,
        mut take: impl FnMut(usize, u128, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut messages = Vec::new();
        let mut ends = Vec::with_capacity(BATCH.min(ids));
        let mut digests = vec![[0; 32]; BATCH.min(ids)];
        for first in (0..ids).step_by(BATCH) {
            messages.clear();
            ends.clear();
            for id in first..ids.min(first + BATCH) {
                messages.try_reserve(self.prefix.len()).map_err(|_| Error::Memory { what: "ids" })?;
                messages.extend_from_slice(&self.prefix);
                write(id, &mut messages)?;
                ends.push(messages.len());
            }
            let mut begin = 0;
            let cut = |&end: &usize| &messages[mem::replace(&mut begin, end)..end];
            let cuts: Vec<&[u8]> = ends.iter().map(cut).collect();
            let digests = &mut digests[..cuts.len()];
            self.digests.of(&cuts, digests)?;
            for (i, (digest, message)) in digests.iter().zip(cuts).enumerate() {
                take(first + i, Key::ticket_of(digest), &message[self.prefix.len()..])?;
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Tickets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tickets")
    }
}
