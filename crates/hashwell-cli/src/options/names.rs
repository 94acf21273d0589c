//! The names that options take: what completions offer, and what is to be said of an algorithm beside its name.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use hashwell::{ALGORITHMS, Algorithm, Kind, KmacVariant, Source, Status};
use hashwell_measure::{leak, peers};
use std::ffi::OsStr;

/// Marsaglia's MWC256, the generator of mwc-random, which is no source of the library's: whoever sees some of its words
/// knows all.
pub(crate) const MWC: &str = "mwc";

/// A name out of a table. Completions offer the table; any text is taken, since who looks the name up knows its other
/// spellings and says what is near a wrong one.
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

    /// Sources of the words of a process: those of random numbers, and one that is not for secrets.
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

/// As completions offer it, with its title and, where it is not sound, its status.
fn offered(algorithm: &Algorithm) -> PossibleValue {
    PossibleValue::new(algorithm.name).help(match algorithm.status {
        Status::Sound => algorithm.title.to_owned(),
        status => format!("{}: {}", algorithm.title, status.name()),
    })
}

/// Every algorithm's name in one line, with its status where it is not sound.
pub(crate) fn all_with_status() -> String {
    let named = |a: &Algorithm| match a.status {
        Status::Sound => a.name.to_owned(),
        status => format!("{} ({})", a.name, status.name()),
    };
    ALGORITHMS.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// What somebody who chooses the algorithm should know; nothing of a sound one.
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

/// As [`warning`], of HMAC and what is built on it. What breaks SHA-1 is collisions, which HMAC does not rest on.
pub(crate) fn hmac_warning(algorithm: &Algorithm) -> Option<String> {
    match algorithm.status {
        Status::Broken => Some(format!(
            "{} is broken as a hash; no attack on HMAC with it is known, but use another hash for new work",
            algorithm.title
        )),
        _ => warning(algorithm),
    }
}

/// As [`warning`], of a source of random numbers.
pub(crate) fn source_warning(source: Source) -> Option<String> {
    let of = if source.name().starts_with(DRBG) { hmac_warning } else { warning };
    algorithm_of(source).and_then(of)
}

/// How sources over HMAC are named.
const DRBG: &str = "hmac-drbg-";

/// The algorithm that a source is made of, after which it is named.
fn algorithm_of(source: Source) -> Option<&'static Algorithm> {
    let name = source.name();
    hashwell::find(name.strip_prefix(DRBG).unwrap_or(&name)).ok()
}
