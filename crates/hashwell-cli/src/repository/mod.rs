//! What git keeps on disk, as files that anybody may have made: nothing of git's is needed to read them.

pub(crate) mod gitlink;
pub(crate) mod object;
#[cfg(feature = "git")]
pub(crate) mod store;
