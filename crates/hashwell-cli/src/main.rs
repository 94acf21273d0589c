//! The native `hashwell` binary; everything is in the library but a look at the standard streams, for which `main`
//! would be too late, and what signals do.

use std::process::ExitCode;

#[cfg(unix)]
mod allocator;

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

// Elsewhere the runtime opens nothing in place of a closed stream.
#[cfg(unix)]
// SAFETY: before `main` nothing of the standard library may be relied on. This calls libc and writes to atomics.
ctor::declarative::ctor! {
    #[ctor(unsafe)]
    fn look_at_standard_streams() {
        use hashwell_cli::standard::{INPUT_CLOSED, OUTPUT_CLOSED};
        use std::sync::atomic::Ordering;
        // SAFETY: asks for the flags of a descriptor, which need not be open.
        let is_closed = |fd| unsafe { libc::fcntl(fd, libc::F_GETFD) } == -1;
        INPUT_CLOSED.store(is_closed(libc::STDIN_FILENO), Ordering::Relaxed);
        OUTPUT_CLOSED.store(is_closed(libc::STDOUT_FILENO), Ordering::Relaxed);
        // A file that would be longer than the system's limit is an error of the one who writes it, who then takes away
        // what is there of it; the signal would end the program before.
        // SAFETY: what is ignored calls nothing.
        unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    }
}

fn main() -> ExitCode {
    #[cfg(unix)]
    allocator::allocate_reserve();
    ExitCode::from(hashwell_cli::run(std::env::args_os()))
}
