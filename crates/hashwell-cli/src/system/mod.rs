//! What every command stands on: standard streams, lines to the user, files that may be anything, threads, Ctrl-C,
//! panics of libraries, and what differs between operating systems.

pub(crate) mod exit;
pub(crate) mod interrupt;
pub(crate) mod os;
pub(crate) mod panics;
pub(crate) mod parallel;
pub(crate) mod progress;
#[cfg_attr(not(feature = "git"), allow(dead_code))] // only reading in pieces is for `git` alone
pub(crate) mod regular;
pub(crate) mod report;
pub mod standard;
