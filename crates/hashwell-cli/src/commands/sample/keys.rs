//! All rows of the keys with the least tickets: the same keys in every order, every part, and every table that has them.

use super::fields::Values;
use super::kept::Kept;
use super::reading::Stream;
use super::stop::Stop;
use hashwell_draw::Key;
use hashwell_draw::design::Clusters;

/// The keys with the least tickets so far, and all their rows.
pub(super) struct Keys {
    pub(super) k: usize,
    pub(super) key: Key,
    pub(super) column: String,
    pub(super) clusters: Clusters<Kept>,
    /// Rows that went by.
    pub(super) seen: u64,
}

impl Keys {
    pub(super) fn new(k: usize, key: Key, column: &str) -> Self {
        Self { k, key, column: column.to_owned(), clusters: Clusters::new(k), seen: 0 }
    }

    /// Reads all rows.
    pub(super) fn run(&mut self, stream: &mut Stream<'_>) -> Result<(), Stop> {
        let column = Values::of(&stream.rows, "--key", &self.column)?;
        while let Some(row) = stream.next()? {
            self.seen += 1;
            let value = column.read(&row)?;
            let ticket = self.key.ticket(&value);
            if self.clusters.admits(ticket, &value) {
                self.clusters.offer(ticket, &value, Kept::of(self.seen, row.bytes())?)?;
            }
        }
        Ok(())
    }

    /// The rows, key by key in the order of tickets, each with its ticket.
    pub(super) fn drawn(self) -> Vec<(Option<u128>, Kept)> {
        let key = self.key;
        let rows = |(value, rows): (Box<[u8]>, Vec<Kept>)| {
            let ticket = key.ticket(&value);
            rows.into_iter().map(move |row| (Some(ticket), row))
        };
        self.clusters.into_sorted().into_iter().flat_map(rows).collect()
    }
}
