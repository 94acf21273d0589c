//! All tests of this crate in one program, because linking a program for each file would take most of the time for
//! building the tests. `cargo nextest` runs each test in a separate process.

mod common;
#[cfg(feature = "git")]
#[path = "../../hashwell-git/tests/common/packs.rs"]
mod packs;
#[cfg(any(all(target_os = "linux", target_arch = "x86_64"), feature = "git", target_os = "linux", unix))]
#[path = "common/timing.rs"]
mod timing;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "common/traced.rs"]
mod traced;

mod arrow_files;
mod cli;
mod completions;
mod coreutils;
mod devices;
mod diff_key;
mod draw;
#[cfg(feature = "accel")]
mod engines;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod faults;
#[cfg(feature = "git")]
mod git;
#[cfg(feature = "git")]
mod git_hostile;
mod ids;
mod keys;
#[cfg(unix)]
mod killed;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod killed_lists;
#[cfg(target_os = "linux")]
mod limits;
mod lists;
mod lists_hostile;
mod manual;
mod outboard;
mod process;
mod random;
mod research;
mod resume;
mod sample;
mod sample_formats;
mod sample_hostile;
mod sample_merge;
mod sample_outputs;
mod sample_parquet;
mod sample_verify;
#[cfg(target_os = "linux")]
mod shortage;
mod speed;
mod split;
mod table;
mod timing_test;
#[cfg(unix)]
mod updates;
