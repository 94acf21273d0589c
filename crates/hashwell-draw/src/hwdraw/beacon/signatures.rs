//! The functions that verify beacon signatures in this process. They are set at run time instead of being called
//! directly. If another crate of the build enables a feature, this neither changes the results of a front end nor links
//! the pairing code into it.

use crate::Error;
use std::sync::OnceLock;

/// Verifies a drand round. The arguments are the scheme, the key, the round, the previous signature and the signature.
pub(super) type Drand = fn(&str, &[u8], u64, &[u8], &[u8]) -> Result<bool, Error>;

/// Verifies a pulse of NIST's beacon. The arguments are the certificate, the time, the message and the signature.
pub(super) type Nist = fn(&[u8], &str, &[u8], &[u8]) -> Result<(), String>;

pub(super) static DRAND: OnceLock<Drand> = OnceLock::new();
pub(super) static NIST: OnceLock<Nist> = OnceLock::new();
