//! Many messages in one call.

pub(crate) mod arrow;
pub(crate) mod device;
pub(crate) mod functions;
pub(crate) mod messages;
pub(crate) mod results;
