//! Rows by chance, each by its ticket.

use crate::number::Ratio;

/// Whether a row is in the sample: its ticket, uniform on 0 to 2^128 - 1 ([`Key::ticket`](crate::Key::ticket)), is below
/// p·2^128. Exact to the ticket's last bit: p = 1 takes all, p = 0 none, and a larger p takes the same rows and more.
///
/// One p for all rows is a Bernoulli sample, one for each a Poisson sample; a key's ticket for all rows of the key keeps
/// them together. Every row is decided by itself, so that samples of parts are put one after the other.
///
/// ```
/// use hashwell_draw::{Key, design::takes, key::OPEN_LIST};
///
/// let key = Key::derive(b"0877", b"audit", &OPEN_LIST);
/// let p = "0.05".parse()?;
/// let sample = (1..=1000).filter(|id: &u32| takes(key.ticket(id.to_string().as_bytes()), &p));
/// assert_eq!(sample.count(), 51);
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
#[must_use]
pub fn takes(ticket: u128, p: &Ratio) -> bool {
    p.tickets().is_none_or(|below| ticket < below)
}
