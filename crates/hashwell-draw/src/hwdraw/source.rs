//! The origin that a plan announces for its seed, with a description for people.

use super::beacon::nist::{CERTIFICATES, Certificate};
use super::list::quoted;
use super::lookalike::names_a_beacon;
use super::present;
use crate::Error;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The maximum length of a description in bytes.
pub const MAX_DESCRIPTION: usize = 1000;

/// The origin of a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A text that the organizer chose.
    Text,
    /// Bytes that the organizer chose, in hexadecimal.
    Hex,
    /// The digits that dice showed, kept as text.
    Dice,
    /// A round of drand.
    Drand,
    /// A pulse of NIST's beacon.
    Nist,
    /// The operating system's random generator, on the machine that made the draw.
    Os,
}

impl Origin {
    /// The name used in transcripts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Hex => "hex",
            Self::Dice => "dice",
            Self::Drand => "drand",
            Self::Nist => "nist",
            Self::Os => "os",
        }
    }
}

/// The origin of a seed that doesn't exist yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Planned {
    /// Digits of dice.
    Dice,
    /// A text that the organizer chooses.
    #[default]
    Text,
    /// Bytes that the organizer chooses, in hexadecimal.
    Hex,
    /// The operating system's random generator, on the machine that makes the draw.
    Os,
    /// A round of drand.
    Drand {
        /// The chain's hash, 64 lower-case hexadecimal digits.
        chain: String,
        /// The round's number, 1 or more.
        round: u64,
    },
    /// A pulse of NIST's beacon.
    Nist {
        /// SHA-512 of the certificate (DER), 128 lower-case hexadecimal digits.
        certificate: String,
        /// The chain's number, 1 or more.
        chain: u64,
        /// The pulse's number in its chain, 1 or more.
        pulse: u64,
    },
}

/// The origin that a plan announces for its seed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct SeedSource {
    /// The origin that the seed must have.
    pub planned: Planned,
    /// A description in words, which is never interpreted.
    pub description: String,
}

impl Planned {
    /// Reads the form that front ends accept: `dice`, `text`, `hex`, `os`, `drand CHAIN ROUND`, `nist CHAIN PULSE` or
    /// `nist CHAIN PULSE SHA512`. For `nist`, SHA512 names the certificate. Without SHA512, the certificate is the one
    /// passed in, or else the latest one that NIST published for the chain.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] for any other text, because it is not treated as a description, or if no certificate
    /// is known for a NIST chain.
    pub fn parse(text: &str, certificate: Option<&Certificate>) -> Result<Self, Error> {
        let words: Vec<&str> = text.split(' ').collect();
        let number = |word: &str| word.parse().ok().filter(|number: &u64| number.to_string() == word);
        match words[..] {
            ["dice"] => return Ok(Self::Dice),
            ["text"] => return Ok(Self::Text),
            ["hex"] => return Ok(Self::Hex),
            ["os"] => return Ok(Self::Os),
            ["drand", chain, round] if is_digest(chain, 64) => {
                if let Some(round) = number(round) {
                    return Ok(Self::Drand { chain: chain.to_owned(), round });
                }
            }
            ["nist", chain, pulse, sha512] if is_digest(sha512, 128) => {
                if let (Some(chain), Some(pulse)) = (number(chain), number(pulse)) {
                    return Ok(Self::Nist { certificate: sha512.to_owned(), chain, pulse });
                }
            }
            ["nist", chain, pulse] => {
                if let (Some(chain), Some(pulse)) = (number(chain), number(pulse)) {
                    let published = || CERTIFICATES.iter().find(|published| published.chain == chain);
                    let certificate = match certificate {
                        Some(certificate) => Some(certificate.sha512()),
                        None => published().map(|published| published.sha512),
                    };
                    let certificate = certificate.ok_or_else(|| {
                        Error::refused(format!(
                            "no certificate is built in for NIST beacon chain {chain}: give the one named in its pulses"
                        ))
                    })?;
                    return Ok(Self::Nist { certificate: certificate.to_owned(), chain, pulse });
                }
            }
            _ => {}
        }
        Err(Error::refused(format!(
            "the source of a seed must be dice, text, hex, os, drand CHAIN ROUND (the chain's hash in 64 lower-case digits) or \
             nist CHAIN PULSE, not {} (for free text, use the description)",
            quoted(text)
        )))
    }
}

impl From<Planned> for SeedSource {
    fn from(planned: Planned) -> Self {
        Self { planned, description: String::new() }
    }
}

/// A chain as plans name it: drand chains by their hash, NIST chains by their number.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Chain {
    Number(u64),
    Hash(String),
}

/// The JSON object in plans. Fields are sorted by name.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    certificate: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    chain: Option<Chain>,
    description: String,
    kind: Origin,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pulse: Option<u64>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    round: Option<u64>,
}

impl From<SeedSource> for Written {
    fn from(source: SeedSource) -> Self {
        let kind = source.kind();
        let mut written = Self {
            certificate: None,
            chain: None,
            description: source.description,
            kind,
            pulse: None,
            round: None,
        };
        match source.planned {
            Planned::Drand { chain, round } => {
                (written.chain, written.round) = (Some(Chain::Hash(chain)), Some(round));
            }
            Planned::Nist { certificate, chain, pulse } => {
                written.certificate = Some(certificate);
                (written.chain, written.pulse) = (Some(Chain::Number(chain)), Some(pulse));
            }
            _ => {}
        }
        written
    }
}

impl TryFrom<Written> for SeedSource {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { certificate, chain, description, kind, pulse, round } = written;
        let planned = match (kind, certificate, chain, pulse, round) {
            (Origin::Dice, None, None, None, None) => Planned::Dice,
            (Origin::Text, None, None, None, None) => Planned::Text,
            (Origin::Hex, None, None, None, None) => Planned::Hex,
            (Origin::Os, None, None, None, None) => Planned::Os,
            (Origin::Drand, None, Some(Chain::Hash(chain)), None, Some(round)) => {
                Planned::Drand { chain, round }
            }
            (Origin::Nist, Some(certificate), Some(Chain::Number(chain)), Some(pulse), None) => {
                Planned::Nist { certificate, chain, pulse }
            }
            _ => {
                let must = match kind {
                    Origin::Drand => "the fields chain (text), description and round",
                    Origin::Nist => "the fields certificate, chain (number), description and pulse",
                    _ => "only the field description",
                };
                return Err(format!("a seed_source of kind {} must have {must}", kind.name()));
            }
        };
        Ok(Self { planned, description })
    }
}

/// Returns true for a text of this many lower-case hexadecimal digits.
fn is_digest(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns true for characters that are invisible and change how a line is read: control characters, including those
/// for text direction.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl SeedSource {
    /// The kind of seed that this source announces.
    #[must_use]
    pub fn kind(&self) -> Origin {
        match self.planned {
            Planned::Dice => Origin::Dice,
            Planned::Text => Origin::Text,
            Planned::Hex => Origin::Hex,
            Planned::Os => Origin::Os,
            Planned::Drand { .. } => Origin::Drand,
            Planned::Nist { .. } => Origin::Nist,
        }
    }

    /// Checks the numbers and digests of a beacon, and the description.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if a field is not valid; the error names the field. Returns [`Error::Refused`] if
    /// the description seems to name a beacon, but the seed does not come from one.
    pub fn check(&self) -> Result<(), Error> {
        match &self.planned {
            Planned::Drand { chain, round } => {
                if !is_digest(chain, 64) {
                    let must = "its hash, in 64 lower-case hexadecimal digits";
                    return Err(Error::range("a drand chain", must, quoted(chain)));
                }
                at_least_one("a drand round", *round)?;
            }
            Planned::Nist { certificate, chain, pulse } => {
                if !is_digest(certificate, 128) {
                    let must = "the SHA-512 of its DER encoding, in 128 lower-case hexadecimal digits";
                    return Err(Error::range("a NIST beacon certificate", must, quoted(certificate)));
                }
                at_least_one("a NIST beacon chain", *chain)?;
                at_least_one("a NIST beacon pulse", *pulse)?;
            }
            _ => {}
        }
        self.check_description()
    }

    fn check_description(&self) -> Result<(), Error> {
        const WHAT: &str = "the description of a seed's source";
        let text = &self.description;
        if text.len() > MAX_DESCRIPTION {
            return Err(Error::range(WHAT, format!("at most {MAX_DESCRIPTION} bytes"), text.len()));
        }
        if text.chars().any(is_control) {
            let must = "one line without control characters";
            return Err(Error::range(WHAT, must, quoted(text)));
        }
        let is_beacon = matches!(self.planned, Planned::Drand { .. } | Planned::Nist { .. });
        if !is_beacon && names_a_beacon(text) {
            return Err(Error::refused(format!(
                "the description {} seems to name a beacon, but the seed's source is {}: plan the beacon's \
                 chain and round, or don't name a beacon",
                quoted(text),
                self.kind().name()
            )));
        }
        Ok(())
    }
}

fn at_least_one(what: &'static str, number: u64) -> Result<(), Error> {
    if number == 0 { Err(Error::range(what, "1 to 2^64 - 1", number)) } else { Ok(()) }
}

impl fmt::Display for SeedSource {
    /// Formats the source as one line for people, as verifiers show it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind().name())?;
        match &self.planned {
            Planned::Drand { chain, round } => write!(f, " chain {chain} round {round}")?,
            Planned::Nist { certificate, chain, pulse } => {
                write!(f, " chain {chain} pulse {pulse} certificate {certificate}")?;
            }
            _ => {}
        }
        if self.description.is_empty() { Ok(()) } else { write!(f, " ({:?})", self.description) }
    }
}
