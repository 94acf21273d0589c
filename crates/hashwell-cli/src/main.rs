//! The native `hashwell` binary; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(hashwell_cli::run(std::env::args_os()))
}
