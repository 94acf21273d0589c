//! What verifies signatures of beacons in this process. It is given, not compiled in where it is called, so that a feature which
//! another crate of the build asked for neither changes what a front says nor puts a pairing's arithmetic into it.

use crate::Error;
use std::sync::OnceLock;

/// Of a round of drand: scheme, key, round, signature before, signature.
pub(super) type Drand = fn(&str, &[u8], u64, &[u8], &[u8]) -> Result<bool, Error>;

/// Of a pulse of NIST's: certificate, time, message, signature.
pub(super) type Nist = fn(&[u8], &str, &[u8], &[u8]) -> Result<(), String>;

pub(super) static DRAND: OnceLock<Drand> = OnceLock::new();
pub(super) static NIST: OnceLock<Nist> = OnceLock::new();
