//! The native `hashwell` binary; everything is in the library.

use std::process::ExitCode;

use hashwell_cli::Launcher;

fn main() -> ExitCode {
    ExitCode::from(hashwell_cli::run(std::env::args_os(), &Launcher::this()))
}
