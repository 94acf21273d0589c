//! Where a key comes from, of every command that takes one.

use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// Where a key comes from.
#[derive(Args, Debug)]
#[group(id = "key", required = true, multiple = false)]
pub(crate) struct KeyOptions {
    /// File whose bytes, all of them, are the key; - is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) key_file: Option<PathBuf>,
    /// Key in hexadecimal; other users of the machine can see it in the process list
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) key_hex: Option<String>,
    /// Environment variable whose bytes are the key
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other)]
    pub(crate) key_env: Option<OsString>,
}
