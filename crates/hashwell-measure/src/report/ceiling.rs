//! XXH3, the ceiling of the tables: no cryptographic hash, but about as fast as bytes can be read. The registry has no
//! row of it, so that what tables say of it stands here.

/// In place of a registry's name.
pub const ALGORITHM: &str = "xxh3-64";
/// For people.
pub const TITLE: &str = "XXH3";
/// Bytes of its result.
pub const OUTPUT: usize = 8;
