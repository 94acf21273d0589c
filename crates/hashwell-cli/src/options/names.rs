//! The names that options accept: suggestions for completions, and warnings about algorithms.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use hashwell::{ALGORITHMS, Algorithm, Kind, KmacVariant, Source, Status};
use hashwell_measure::{leak, peers};
use std::ffi::OsStr;

/// Marsaglia's MWC256, the generator of mwc-random. It is not a source of the library, because its output is
/// predictable: an attacker who sees a part of it can compute the rest.
pub(crate) const MWC: &str = "mwc";

/// A name from a table. Completions offer the names in the table. But the parser accepts any text, because the later
/// lookup knows other spellings of a name, and suggests a similar name for a wrong one.
#[derive(Clone)]
pub(crate) struct Names(pub(crate) fn() -> Vec<PossibleValue>);

impl Names {
    /// Every algorithm.
    pub(crate) fn algorithms() -> Self {
        Self(|| ALGORITHMS.iter().map(offered).collect())
    }

    /// Extendable-output functions.
    pub(crate) fn xofs() -> Self {
        Self(|| ALGORITHMS.iter().filter(|row| row.kind == Kind::Xof).map(offered).collect())
    }

    /// Algorithms that HMAC and HKDF accept.
    pub(crate) fn hmacs() -> Self {
        Self(|| ALGORITHMS.iter().filter(|row| row.hmac).map(offered).collect())
    }

    /// KMAC128 and KMAC256.
    pub(crate) fn kmacs() -> Self {
        Self(|| KmacVariant::ALL.map(|variant| PossibleValue::new(variant.name())).to_vec())
    }

    /// Algorithms, and KMAC: the targets of `timing-test`.
    pub(crate) fn timing_algorithms() -> Self {
        Self(|| (Self::algorithms().0)().into_iter().chain((Self::kmacs().0)()).collect())
    }

    /// Paths that `timing-test` measures.
    pub(crate) fn timing_paths() -> Self {
        Self(|| {
            let mut paths: Vec<&str> = leak::targets().into_iter().map(|subject| subject.path).collect();
            paths.sort_unstable();
            paths.dedup();
            paths.into_iter().map(PossibleValue::new).collect()
        })
    }

    /// Sources of random numbers.
    pub(crate) fn sources() -> Self {
        Self(|| {
            let offered = |source: Source| {
                let name = PossibleValue::new(source.name());
                match algorithm_of(source).map(|row| row.status) {
                    None | Some(Status::Sound) => name,
                    Some(status) => name.help(status.name()),
                }
            };
            Source::all().map(offered).collect()
        })
    }

    /// Sources for processes: the sources of random numbers, and one that is not suitable for secrets.
    pub(crate) fn process_sources() -> Self {
        Self(|| {
            (Self::sources().0)()
                .into_iter()
                .chain([PossibleValue::new(MWC).help("not for secrets")])
                .collect()
        })
    }

    /// Libraries that `speed` can measure.
    pub(crate) fn libraries() -> Self {
        Self(|| peers::names().map(PossibleValue::new).collect())
    }
}

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter()))
    }
}

/// The entry of an algorithm in completions, with its title and, if it is not recommended, its status.
fn offered(algorithm: &Algorithm) -> PossibleValue {
    PossibleValue::new(algorithm.name).help(match algorithm.status {
        Status::Sound => algorithm.title.to_owned(),
        status => format!("{}: {}", algorithm.title, status.name()),
    })
}

/// The names of all algorithms in one line, with the status of those that are not recommended.
pub(crate) fn all_with_status() -> String {
    let named = |a: &Algorithm| match a.status {
        Status::Sound => a.name.to_owned(),
        status => format!("{} ({})", a.name, status.name()),
    };
    ALGORITHMS.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// The warning for users who choose the algorithm, or `None` if it needs no warning.
pub(crate) fn warning(algorithm: &Algorithm) -> Option<String> {
    let Algorithm { title, status, .. } = algorithm;
    match status {
        Status::Sound => None,
        Status::Broken => {
            Some(format!("{title} is broken: an attacker can create different files with the same digest"))
        }
        Status::Experimental => {
            Some(format!("{title} is experimental: no analysis of it has been published"))
        }
        Status::Legacy => Some(format!("{title} is superseded; use it only for old data")),
        status => Some(format!("{title} is {}", status.name())),
    }
}

/// Like [`warning`], for HMAC and the functions based on it. SHA-1 is broken by collisions, but the security of HMAC
/// does not depend on collision resistance.
pub(crate) fn hmac_warning(algorithm: &Algorithm) -> Option<String> {
    match algorithm.status {
        Status::Broken => Some(format!(
            "{} is broken as a hash; no attack on HMAC with it is known, but use another hash for new work",
            algorithm.title
        )),
        _ => warning(algorithm),
    }
}

/// Like [`warning`], for a source of random numbers.
pub(crate) fn source_warning(source: Source) -> Option<String> {
    let of = if source.name().starts_with(DRBG) { hmac_warning } else { warning };
    algorithm_of(source).and_then(of)
}

/// The prefix of the names of HMAC-DRBG sources.
const DRBG: &str = "hmac-drbg-";

/// Returns the algorithm that a source uses, which is part of its name.
fn algorithm_of(source: Source) -> Option<&'static Algorithm> {
    let name = source.name();
    hashwell::find(name.strip_prefix(DRBG).unwrap_or(&name)).ok()
}
