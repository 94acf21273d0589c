//! The native `hashwell` binary. Everything is in the library except the check of the standard streams and the setup of
//! signals, which must run before `main`.

use std::process::ExitCode;

#[cfg(unix)]
mod allocator;

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

// On other systems, the runtime opens nothing in place of a closed stream.
#[cfg(unix)]
// SAFETY: code that runs before `main` may not rely on the standard library. This calls libc and writes to atomics.
ctor::declarative::ctor! {
    #[ctor(unsafe)]
    fn look_at_standard_streams() {
        use hashwell_cli::standard::{INPUT_CLOSED, OUTPUT_CLOSED};
        use std::sync::atomic::Ordering;
        // SAFETY: the call asks for the flags of a descriptor, which does not have to be open.
        let is_closed = |fd| unsafe { libc::fcntl(fd, libc::F_GETFD) } == -1;
        INPUT_CLOSED.store(is_closed(libc::STDIN_FILENO), Ordering::Relaxed);
        OUTPUT_CLOSED.store(is_closed(libc::STDOUT_FILENO), Ordering::Relaxed);
        // Ignore the signal for a file that exceeds the system's limit on file sizes, because it would end the program.
        // The write then returns an error, and the writer removes the incomplete file.
        // SAFETY: an ignored signal calls no handler.
        unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    }
}

fn main() -> ExitCode {
    #[cfg(unix)]
    allocator::allocate_reserve();
    ExitCode::from(hashwell_cli::run(std::env::args_os()))
}
