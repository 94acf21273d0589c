//! The command line: clap definitions of all commands and options.

pub(crate) mod args;
pub(crate) mod bytes;
pub(crate) mod draw_args;
pub(crate) mod engine_args;
pub(crate) mod form_args;
pub(crate) mod given;
pub(crate) mod help;
pub(crate) mod hints;
pub(crate) mod keep_args;
pub(crate) mod key;
pub(crate) mod later;
pub(crate) mod list_args;
pub(crate) mod names;
pub(crate) mod outboard_args;
pub(crate) mod parameters;
pub(crate) mod process_args;
pub(crate) mod sample_args;
pub(crate) mod sha256_90r;
pub(crate) mod split_args;
pub(crate) mod table_args;
