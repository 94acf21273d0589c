//! Draws by other published methods, repeated exactly as their authors specified them. They are not hwdraw/1, and have
//! weaker guarantees.

pub mod consistent;
pub mod rfc3797;
pub mod rivest;

use crate::Error;

/// Checks that k of n can be picked.
fn check(k: u64, n: u64, most: u64) -> Result<(), Error> {
    if n == 0 || n > most {
        return Err(Error::range("n", format!("1 to {most}"), n));
    }
    if k == 0 || k > n { Err(Error::range("k", format!("1 to {n}"), k)) } else { Ok(()) }
}
