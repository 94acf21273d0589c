//! The rows of files and pipes, byte for byte.
#![forbid(unsafe_code)]
