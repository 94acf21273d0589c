//! Code that the test files share: it runs the binary in a temporary folder.
#![allow(dead_code, unreachable_pub)] // each test file uses only some of these

mod skipped;

pub use skipped::skipped;
use std::ffi::OsStr;
use std::fmt::Debug;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// A separate temporary folder for each test, which is removed at its end.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> PathBuf {
        self.0.path().to_path_buf()
    }

    pub fn write(&self, name: impl AsRef<OsStr>, bytes: impl AsRef<[u8]>) {
        let path = self.0.path().join(name.as_ref());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// A command that runs in this folder, with messages in the C locale.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).env("LC_ALL", "C");
        command.env_remove("HASHWELL_KERNEL").env_remove("SHA256_90R_BACKEND");
        command.stdin(Stdio::null());
        command
    }

    /// Runs `hashwell` with these arguments.
    pub fn hashwell<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Output {
        self.command(env!("CARGO_BIN_EXE_hashwell")).args(args).output().unwrap()
    }

    /// Runs another program. If it is missing, reports that and returns `None`.
    pub fn tool<A: AsRef<OsStr>>(&self, name: &str, args: impl IntoIterator<Item = A>) -> Option<Output> {
        output(self.command(name).args(args))
    }
}

/// Creates a repository with one file in one commit, in the folder `repository`. If there is no git, reports that and
/// returns false.
pub fn repository(folder: &Folder) -> bool {
    folder.write("repository/file", "a file of a repository\n");
    let git = |args: &str| {
        let names = "-C repository -c user.name=n -c user.email=e ";
        let output = folder.tool("git", [names, args].concat().split(' '))?;
        assert!(output.status.success(), "git {args}: {}", stderr(&output));
        Some(output)
    };
    ["init -q", "add file", "commit -q -m m"].into_iter().all(|args| git(args).is_some())
}

/// Runs a command. If its program is missing, reports that and returns `None`.
pub fn output(command: &mut Command) -> Option<Output> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            skipped(&format!("comparison with {name}"), "not installed");
            None
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Waits for a child to end. The test fails if this takes longer than `most`, because the child hangs.
#[track_caller]
pub fn ended(child: &mut Child, most: Duration, what: &dyn Debug) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > most {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("it hangs: {what:?}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Sends Ctrl-C (SIGINT) to one process, with the shell's built-in `kill`, because not every system has a program with
/// that name.
#[track_caller]
pub fn interrupt(child: &Child) {
    let line = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &line]).status().unwrap().success());
}

/// Sets a resource limit for the process that runs a command.
#[cfg(target_os = "linux")]
pub fn limited(command: &mut Command, resource: libc::__rlimit_resource_t, most: u64) {
    use std::os::unix::process::CommandExt;

    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: between fork and exec, this makes one system call, which reads a local value.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(resource, &raw const limit) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Compares exit code, standard output and standard error at the same time, so that a failure shows all of them.
#[track_caller]
pub fn assert_ran(output: &Output, code: i32, out: &str, err: &str) {
    assert_eq!((output.status.code(), &stdout(output)[..], &stderr(output)[..]), (Some(code), out, err));
}

/// Runs `hashwell sample` with these options, which are separated by spaces.
pub fn sample(folder: &Folder, options: &str) -> Output {
    folder.hashwell(["sample"].into_iter().chain(options.split_whitespace()))
}

/// Same as [`sample`], but must succeed without messages. Returns the output.
#[track_caller]
pub fn done(folder: &Folder, options: &str) -> String {
    let output = sample(folder, options);
    assert_eq!((output.status.code(), &stderr(&output)[..]), (Some(0), ""), "{options}");
    stdout(&output)
}

/// Sends a signal to a child that has not been waited for.
#[cfg(unix)]
pub fn signal(child: &Child, signal: i32) {
    // SAFETY: the call takes numbers, and no other process has the child's number before it is waited for.
    unsafe { libc::kill(child.id().cast_signed(), signal) };
}
