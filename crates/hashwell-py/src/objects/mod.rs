//! Hash objects, MAC objects and output streams, and their constructors.

pub(crate) mod constructor;
pub(crate) mod digest;
pub(crate) mod file;
pub(crate) mod mac;
pub(crate) mod pieces;
pub(crate) mod trees;
pub(crate) mod uniform;
pub(crate) mod xof;
