//! The commands: one file or folder for each.

pub(crate) mod algorithms;
pub(crate) mod check;
pub(crate) mod devices;
pub(crate) mod draw;
pub(crate) mod draw_list;
#[cfg(feature = "git")]
pub(crate) mod git;
pub(crate) mod hkdf;
pub(crate) mod hmac;
pub(crate) mod ids;
pub(crate) mod kmac;
pub(crate) mod lists;
pub(crate) mod manual;
pub(crate) mod outboard;
pub(crate) mod process;
pub(crate) mod random;
pub(crate) mod research;
pub(crate) mod resume;
pub(crate) mod sample;
pub(crate) mod slices;
pub(crate) mod speed;
pub(crate) mod sum;
pub(crate) mod table;
pub(crate) mod timing_test;
pub(crate) mod verify;
pub(crate) mod xof;
