//! A library that may be installed on the system.

use super::contender::Provider;
use super::library::Library;
use crate::report;

/// A provider that was looked for.
pub struct Found {
    /// Its description in the report.
    pub about: report::Provider,
    /// The provider, if it was found.
    pub provider: Option<Box<dyn Provider>>,
}

/// The information for finding a library.
pub(crate) struct Known {
    /// The common name of the library.
    pub(super) name: &'static str,
    /// The environment variable that sets a different file.
    pub(super) variable: &'static str,
    /// The file names that the system looks up, in this order.
    pub(super) files: &'static [&'static str],
    /// A function that the library must have.
    pub(super) symbol: &'static str,
    /// Initializes the library. Returns a message if that is not possible.
    pub(super) open: fn(Library) -> Result<Box<dyn Provider>, String>,
}

/// The names that GnuTLS and Mbed TLS use.
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
    /// Loads the library. Returns a message if it cannot be used.
    pub(super) fn load(&self) -> Result<Library, String> {
        let named = std::env::var(self.variable).ok();
        let files = named.as_deref().map_or_else(|| self.files.to_vec(), |file| vec![file]);
        let mut loaded = files.iter().filter_map(|file| {
            // SAFETY: any program may run the initializers of these libraries. If the user names a different file, the
            // user is responsible for it.
            unsafe { Library::load(file) }.map(|library| (library, file))
        });
        let (library, file) =
            loaded.next().ok_or_else(|| format!("{} cannot be loaded", files.join(" or ")))?;
        if library.has(self.symbol) { Ok(library) } else { Err(format!("{file} lacks {}", self.symbol)) }
    }

    /// Looks for the library.
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
