//! The foundation of every command: standard streams, messages to the user, threads, Ctrl-C, panics of libraries, and
//! differences between operating systems.

pub(crate) mod exit;
pub(crate) mod interrupt;
pub(crate) mod os;
pub(crate) mod panics;
pub(crate) mod parallel;
pub(crate) mod progress;
pub(crate) mod rate;
pub(crate) mod report;
pub mod standard;
