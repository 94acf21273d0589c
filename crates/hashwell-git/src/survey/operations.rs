//! Runs the installed git's `index-pack` and `fsck` on the repository, to find how much of their time is spent on
//! hashing.
//!
//! The repository may come from an attacker, so git may not use any protocol to fetch missing objects, and does not
//! read the user's configuration. `index-pack` runs outside of the repository, and writes its index to a temporary
//! folder.

use super::report::{Operation, Operations};
use crate::files::reason;
use crate::id::ObjectHash;
use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time between two checks whether git has ended, which is also the maximum error of a measured time.
const POLL: Duration = Duration::from_millis(1);

impl Operations {
    fn unavailable(why: &str) -> Self {
        Self { git: None, index_pack: Operation::unavailable(why), fsck: Operation::unavailable(why) }
    }
}

impl Operation {
    fn unavailable(why: impl Into<String>) -> Self {
        Self { seconds: None, unavailable: Some(why.into()) }
    }

    fn of(measured: Result<f64, String>) -> Self {
        match measured {
            Ok(seconds) => Self { seconds: Some(seconds), unavailable: None },
            Err(why) => Self::unavailable(why),
        }
    }
}

/// Measures both operations, each once.
pub(super) fn measure(
    repository: &Path,
    packs: &[PathBuf],
    loose: u64,
    hash: ObjectHash,
    stop: &AtomicBool,
) -> Operations {
    let folder = match tempfile::Builder::new().prefix("hashwell-git-").tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            return Operations::unavailable(&format!("{}: {}", env::temp_dir().display(), reason(&error)));
        }
    };
    let git = Git { folder: folder.path(), stop };
    let version = match git.version() {
        Ok(version) => version,
        Err(why) => return Operations::unavailable(&why),
    };
    Operations {
        git: Some(version),
        index_pack: Operation::of(git.index_packs(packs, loose, hash)),
        fsck: Operation::of(git.fsck(repository)),
    }
}

/// The installed git.
struct Git<'a> {
    folder: &'a Path,
    stop: &'a AtomicBool,
}

impl Git<'_> {
    /// git with a configuration that does not depend on the user, and without access to the network.
    fn command(&self) -> Command {
        let mut git = Command::new("git");
        git.current_dir(self.folder).stdin(Stdio::null());
        for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            git.env_remove(name);
        }
        git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", self.folder.join("no-configuration"));
        git.env("GIT_ALLOW_PROTOCOL", "none").env("GIT_NO_LAZY_FETCH", "1").env("GIT_TERMINAL_PROMPT", "0");
        git.env("LC_ALL", "C").args(["-c", "pack.threads=1", "-c", "pack.writeReverseIndex=false"]);
        git
    }

    fn version(&self) -> Result<String, String> {
        match self.command().arg("--version").output() {
            Ok(output) if output.status.success() => {
                Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
            }
            Ok(output) => Err(format!("git --version ended with {}", output.status)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err("git is not installed".into()),
            Err(error) => Err(format!("git: {}", reason(&error))),
        }
    }

    /// The time in seconds for indexing all packs again.
    fn index_packs(&self, packs: &[PathBuf], loose: u64, hash: ObjectHash) -> Result<f64, String> {
        if packs.is_empty() {
            return Err("the repository has no packs; git repack -ad creates one".to_owned());
        }
        if loose > 0 {
            return Err(format!(
                "{loose} objects are not in a pack, and index-pack would not read them; git repack -ad packs them"
            ));
        }
        let mut total = 0.0;
        for (number, pack) in packs.iter().enumerate() {
            let mut git = self.command();
            // Outside of a repository, git does not compare the objects with those that exist.
            git.env("GIT_CEILING_DIRECTORIES", env::temp_dir());
            git.arg("index-pack").arg(format!("--object-format={}", hash.algorithm().name));
            git.arg("-o").arg(self.folder.join(format!("{number}.idx"))).arg(pack);
            total += self.time(git, "git index-pack")?;
        }
        Ok(total)
    }

    fn fsck(&self, repository: &Path) -> Result<f64, String> {
        let repository = repository.canonicalize().map_err(|error| reason(&error))?;
        let mut git = self.command();
        git.arg("-C").arg(repository).args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]);
        git.args(["fsck", "--full", "--no-dangling", "--no-progress", "--no-reflogs"]);
        self.time(git, "git fsck")
    }

    /// The time in seconds that a command takes.
    fn time(&self, mut command: Command, name: &str) -> Result<f64, String> {
        let messages = self.folder.join("messages");
        let of = |error: std::io::Error| format!("{name}: {}", reason(&error));
        command.stdout(Stdio::null()).stderr(File::create(&messages).map_err(of)?);
        let start = Instant::now();
        let mut child = command.spawn().map_err(of)?;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(of)? {
                break status;
            }
            if self.stop.load(Ordering::Relaxed) {
                // It may have ended in the meantime.
                let _ = child.kill();
                child.wait().map_err(of)?;
                return Err("stopped".to_owned());
            }
            sleep(POLL);
        };
        let seconds = start.elapsed().as_secs_f64();
        if status.success() {
            Ok(seconds)
        } else {
            Err(format!("{name} ended with {status}{}", first(&messages)))
        }
    }
}

/// The first line of a command's messages, preceded by a colon.
fn first(messages: &Path) -> String {
    let mut text = Vec::new();
    let read = File::open(messages).and_then(|file| file.take(300).read_to_end(&mut text));
    let text = String::from_utf8_lossy(&text);
    match (read, text.lines().next()) {
        (Ok(_), Some(line)) if !line.is_empty() => {
            let line: String = line.chars().filter(|c| !c.is_control()).collect();
            format!(": {line}")
        }
        _ => String::new(),
    }
}
