//! Options for the secret key, shared by all commands that take one.

use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// The three ways to give a key.
#[derive(Args, Debug)]
#[group(id = "key", required = true, multiple = false)]
pub(crate) struct KeyOptions {
    /// File whose entire content is the key; - is standard input
    #[arg(help_heading = "Key", long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) key_file: Option<PathBuf>,
    /// Key in hexadecimal; visible to other users in the process list
    #[arg(help_heading = "Key", long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) key_hex: Option<String>,
    /// Environment variable whose value is the key
    #[arg(help_heading = "Key", long, value_name = "NAME", value_hint = ValueHint::Other)]
    pub(crate) key_env: Option<OsString>,
}
