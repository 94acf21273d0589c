//! Many messages in one call.

pub(crate) mod device;
pub(crate) mod digests;
pub(crate) mod functions;
pub(crate) mod messages;
pub(crate) mod results;
