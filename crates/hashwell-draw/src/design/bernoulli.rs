//! Bernoulli and Poisson samples, decided by tickets.

use crate::number::Ratio;

/// Returns true if a row with this ticket is in the sample, which means that the ticket is below p·2^128. Tickets are
/// uniform on 0 to 2^128 - 1 ([`Key::ticket`](crate::Key::ticket)). The decision is exact to the ticket's last bit: p =
/// 1 takes all rows, p = 0 takes none, and a larger p takes the same rows and further ones.
///
/// The same p for all rows makes a Bernoulli sample, and a different p for each row makes a Poisson sample. If all rows
/// of a group use the ticket of the group's key, either all of them or none are in the sample. Every row is decided
/// independently of the others, so samples of parts can be concatenated.
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
