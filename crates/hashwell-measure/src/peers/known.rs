//! A library that the system may have.

use super::contender::Provider;
use super::library::Library;
use crate::report;

/// Somebody who was looked for.
pub struct Found {
    /// For the report.
    pub about: report::Provider,
    /// If it is there.
    pub provider: Option<Box<dyn Provider>>,
}

/// How to find a library.
pub(crate) struct Known {
    /// What people call it.
    pub(super) name: &'static str,
    /// Environment variable that names another file.
    pub(super) variable: &'static str,
    /// The names that the system looks up, in this order.
    pub(super) files: &'static [&'static str],
    /// A function without which it is of no use.
    pub(super) symbol: &'static str,
    /// Makes it ready; in words, why it is not.
    pub(super) open: fn(Library) -> Result<Box<dyn Provider>, String>,
}

/// The names of GnuTLS and Mbed TLS.
pub(super) const CAPITALS: [(&str, &str); 10] = [
    ("sha1", "SHA1"),
    ("sha224", "SHA224"),
    ("sha256", "SHA256"),
    ("sha384", "SHA384"),
    ("sha512", "SHA512"),
    ("sha3-224", "SHA3-224"),
    ("sha3-256", "SHA3-256"),
    ("sha3-384", "SHA3-384"),
    ("sha3-512", "SHA3-512"),
    ("ripemd160", "RIPEMD160"),
];

impl Known {
    /// Loads it; in words, why it is of no use.
    pub(super) fn load(&self) -> Result<Library, String> {
        let named = std::env::var(self.variable).ok();
        let files = named.as_deref().map_or_else(|| self.files.to_vec(), |file| vec![file]);
        let mut loaded = files.iter().filter_map(|file| {
            // SAFETY: the initialisers of these libraries are made to be run by any program; of another file the user
            // who named it answers for them.
            unsafe { Library::load(file) }.map(|library| (library, file))
        });
        let (library, file) =
            loaded.next().ok_or_else(|| format!("{} cannot be loaded", files.join(" or ")))?;
        if library.has(self.symbol) { Ok(library) } else { Err(format!("{file} lacks {}", self.symbol)) }
    }

    /// Looks for it.
    pub(super) fn find(&self) -> Found {
        let loaded = self.load();
        let path = loaded.as_ref().ok().and_then(|library| library.path(self.symbol));
        let (provider, missing) = match loaded.and_then(self.open) {
            Ok(provider) => (Some(provider), None),
            Err(why) => (None, Some(why)),
        };
        Found {
            about: report::Provider {
                name: self.name.into(),
                version: provider.as_ref().and_then(|provider| provider.version()),
                path,
                missing,
            },
            provider,
        }
    }
}
