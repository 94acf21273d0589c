//! XXH3, the ceiling in the tables. It is not a cryptographic hash, but is about as fast as bytes can be read. Since
//! the registry has no row for it, the facts for the tables are defined here.

/// The name used in place of a registry name.
pub const ALGORITHM: &str = "xxh3-64";
/// The title for people.
pub const TITLE: &str = "XXH3";
/// The size of its result in bytes.
pub const OUTPUT: usize = 8;
