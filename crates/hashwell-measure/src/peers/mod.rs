//! Who hashwell is compared with. No peer is required: one that is missing is named in one line.

pub mod built;
pub mod library;
pub mod masked;
pub mod openssl;
#[cfg(feature = "peers")]
pub mod rust;

/// What there is to compute: the digests of some messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The registry's name of the hash.
    pub algorithm: &'static str,
    /// Whether it is HMAC over that hash, under [`HMAC_KEY`].
    pub hmac: bool,
    /// Whether there are many messages, which may be worked on together.
    pub many: bool,
}

/// Of HMAC tasks: 32 bytes. Contenders prepare it before they are timed.
pub const HMAC_KEY: &[u8; 32] = b"hashwell's bench key, 32 bytes..";

/// Writes the digests of all messages, in order and contiguously.
pub type Digests<'a> = Box<dyn FnMut(&[&[u8]], &mut [u8]) + 'a>;

/// How a contender works.
pub enum Work<'a> {
    /// In this thread.
    Here(Digests<'a>),
    /// In another process, which times itself.
    Child(masked::Masked),
}

/// One way to do a task.
pub struct Contender<'a> {
    /// Whose it is, and which of their calls.
    pub name: String,
    /// Kernel, where the library says.
    pub kernel: Option<String>,
    /// The work.
    pub work: Work<'a>,
}

impl<'a> Contender<'a> {
    /// One that works in this thread.
    pub fn here(name: impl Into<String>, digests: impl FnMut(&[&[u8]], &mut [u8]) + 'a) -> Self {
        Self { name: name.into(), kernel: None, work: Work::Here(Box::new(digests)) }
    }

    /// One that takes the messages one by one; `digest` writes one digest.
    pub fn one_by_one(name: impl Into<String>, mut digest: impl FnMut(&[u8], &mut [u8]) + 'a) -> Self {
        Self::here(name, move |messages, out| {
            let each = out.len() / messages.len();
            for (message, out) in messages.iter().zip(out.chunks_exact_mut(each)) {
                digest(message, out);
            }
        })
    }

    /// The same, with its kernel's name.
    #[must_use]
    pub fn on_kernel(self, kernel: impl Into<String>) -> Self {
        Self { kernel: Some(kernel.into()), ..self }
    }
}

/// Every peer this process found.
pub struct Peers {
    openssl: Result<openssl::Openssl, String>,
    built: Vec<built::Built>,
    /// One plain line for each peer that is missing.
    pub missing: Vec<String>,
    /// One line for each that is there.
    pub present: Vec<String>,
}

impl Peers {
    /// Looks for all of them.
    #[must_use]
    pub fn find() -> Self {
        let mut missing = Vec::new();
        let mut present = Vec::new();
        let openssl = openssl::Openssl::load();
        match &openssl {
            Ok(openssl) => present.push(openssl.version()),
            Err(why) => missing.push(format!("OpenSSL: {why}")),
        }
        let built = built::load(&mut present, &mut missing);
        if cfg!(feature = "peers") {
            present.push("Rust crates, with hashwell's compiler flags".into());
        } else {
            missing.push("Rust crates: built without `--features peers`".into());
        }
        Self { openssl, built, missing, present }
    }

    /// Everybody who can do the task.
    #[must_use]
    pub fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        let mut all = Vec::new();
        if let Ok(openssl) = &self.openssl {
            all.extend(openssl.contenders(task));
        }
        #[cfg(feature = "peers")]
        all.extend(rust::contenders(task));
        all.extend(self.built.iter().flat_map(|library| library.contenders(task)));
        all
    }
}
