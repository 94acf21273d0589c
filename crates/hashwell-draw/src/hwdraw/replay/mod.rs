//! Ceremonies of others, replayed as their authors published them: not hwdraw/1, and not as good.

pub mod consistent;
pub mod rfc3797;
pub mod rivest;

use crate::Error;

/// Whether so many can be picked of so many.
fn check(k: u64, n: u64, most: u64) -> Result<(), Error> {
    if n == 0 || n > most {
        return Err(Error::range("n", format!("1 to {most}"), n));
    }
    if k == 0 || k > n { Err(Error::range("k", format!("1 to {n}"), k)) } else { Ok(()) }
}
