//! The seed: bytes that no one could predict, and their origin.

use super::beacon::{drand, nist};
use super::list::quoted;
use super::plan::Plan;
use super::source::{Origin, Planned, SeedSource};
use super::verification::Mismatch;
use super::{hex, present, unhex};
use crate::Error;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A seed in the form that transcripts use. Its bytes are given as text or in hexadecimal, never as a number. Fields
/// are sorted by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seed {
    /// The round. It is present only for [`Origin::Drand`].
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub drand: Option<drand::Round>,
    /// The origin of the seed.
    pub from: Origin,
    /// The seed's bytes in hexadecimal, if the seed is not given as text.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
    /// The pulse. It is present only for [`Origin::Nist`].
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub nist: Option<nist::Pulse>,
    /// The seed as a string, if it comes from text or dice.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

const WHAT: &str = "a seed";

impl Seed {
    fn of_text(from: Origin, text: &str) -> Self {
        Self { drand: None, from, hex: None, nist: None, text: Some(text.to_owned()) }
    }

    fn of_bytes(from: Origin, bytes: &[u8]) -> Self {
        Self { drand: None, from, hex: Some(hex(bytes)), nist: None, text: None }
    }

    /// Creates a seed from a text. Every byte matters, including spaces.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::of_text(Origin::Text, text)
    }

    /// Creates a seed from bytes.
    #[must_use]
    pub fn hex(bytes: &[u8]) -> Self {
        Self::of_bytes(Origin::Hex, bytes)
    }

    /// Creates a seed from bytes of the operating system's random generator.
    #[must_use]
    pub fn os(bytes: &[u8]) -> Self {
        Self::of_bytes(Origin::Os, bytes)
    }

    /// Creates a seed from the digits that dice showed, in order. The digits are kept as text, so leading zeros count.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the text is empty, or contains characters other than digits.
    pub fn dice(digits: &str) -> Result<Self, Error> {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Error::invalid(
                "a sequence of dice digits",
                format!("{} must be one or more digits", quoted(digits)),
            ));
        }
        Ok(Self::of_text(Origin::Dice, digits))
    }

    /// Creates a seed from a round of drand; see [`drand::Round::read`].
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the signature is not hexadecimal.
    pub fn drand(round: drand::Round) -> Result<Self, Error> {
        Ok(Self { drand: Some(round.clone()), ..Self::of_bytes(Origin::Drand, &round.randomness()?) })
    }

    /// Creates a seed from a pulse of NIST's beacon; see [`nist::Pulse::read`].
    #[must_use]
    pub fn nist(pulse: nist::Pulse, value: &[u8]) -> Self {
        Self { nist: Some(pulse), ..Self::of_bytes(Origin::Nist, value) }
    }

    /// The source that a plan announces if a draw is made immediately with this seed. The source has no description.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if a pulse's message is not valid.
    pub fn source(&self) -> Result<SeedSource, Error> {
        Ok(SeedSource::from(match (self.from, &self.drand, &self.nist) {
            (Origin::Drand, Some(round), _) => {
                Planned::Drand { chain: round.chain.clone(), round: round.round }
            }
            (Origin::Nist, _, Some(pulse)) => Planned::Nist {
                certificate: pulse.certificate_sha512()?,
                chain: pulse.chain,
                pulse: pulse.pulse,
            },
            (Origin::Dice, ..) => Planned::Dice,
            (Origin::Text, ..) => Planned::Text,
            (Origin::Hex, ..) => Planned::Hex,
            (Origin::Os, ..) => Planned::Os,
            (Origin::Drand | Origin::Nist, ..) => {
                return Err(Error::invalid(
                    WHAT,
                    format!("its fields do not fit the origin {}", self.from.name()),
                ));
            }
        }))
    }

    /// The bytes of the seed.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the seed has both a text and hexadecimal digits, or neither of them, if the digits
    /// are invalid, or if the seed's origin does not allow this form.
    pub fn bytes(&self) -> Result<Vec<u8>, Error> {
        let is_text = matches!(self.from, Origin::Text | Origin::Dice);
        let beacons = (self.from == Origin::Drand, self.from == Origin::Nist);
        if (self.drand.is_some(), self.nist.is_some()) != beacons {
            return Err(Error::invalid(
                WHAT,
                format!("its fields do not fit the origin {}", self.from.name()),
            ));
        }
        match (&self.text, &self.hex) {
            (Some(text), None) if is_text => {
                if self.from == Origin::Dice {
                    Self::dice(text)?;
                }
                Ok(text.clone().into_bytes())
            }
            (None, Some(hex)) if !is_text => {
                let bytes = unhex(WHAT, hex)?;
                if self.from == Origin::Nist && bytes.len() != OUTPUT_BYTES {
                    return Err(Error::invalid(
                        WHAT,
                        format!("the output value of a pulse must have 64 bytes, not {}", bytes.len()),
                    ));
                }
                Ok(bytes)
            }
            _ => Err(Error::invalid(
                WHAT,
                "a seed from text or dice must have the field text, and any other seed the field hex",
            )),
        }
    }

    /// Checks that the seed has the origin that the plan announced.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if the origins differ. The error names both of them.
    pub fn check_origin(&self, plan: &Plan) -> Result<(), Error> {
        let given = self.source()?;
        if given.planned == plan.seed_source.planned {
            return Ok(());
        }
        let planned = plan.seed_source.clone();
        Err(Error::refused(Mismatch::SeedOrigin { planned, given }.to_string()))
    }

    /// Checks everything except the origin and the signature: the seed has the fields and the bytes that its origin
    /// requires, and the bytes are those of the round or pulse.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if a check fails. The error names the first check that failed.
    pub fn check(&self) -> Result<(), Error> {
        let bytes = self.bytes()?;
        if let Some(round) = &self.drand {
            round.check()?;
            if bytes != round.randomness()? {
                return Err(Error::invalid(WHAT, "it is not the SHA-256 of the round's signature"));
            }
        }
        self.nist.as_ref().map_or(Ok(()), |pulse| pulse.check(&bytes))
    }
}

/// The number of bytes of a pulse's output value.
const OUTPUT_BYTES: usize = 64;

impl fmt::Display for Seed {
    /// Formats the seed as one line for people, as verifiers show it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.from.name())?;
        if let Some(round) = &self.drand {
            write!(f, " chain {} round {}", plain(&round.chain), round.round)?;
        }
        if let Some(pulse) = &self.nist {
            write!(f, " chain {} pulse {}", pulse.chain, pulse.pulse)?;
            if let Ok(certificate) = pulse.certificate_sha512() {
                write!(f, " certificate {certificate}")?;
            }
        }
        match (&self.text, &self.hex) {
            (Some(text), _) => write!(f, " {}", quoted(text)),
            (_, Some(hex)) => write!(f, " {}", plain(hex)),
            _ => Ok(()),
        }
    }
}

/// Formats a text that should be hexadecimal: unchanged if it is, otherwise quoted.
fn plain(text: &str) -> String {
    let is_plain = text.len() <= 128 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_plain { text.to_owned() } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_bytes() {
        assert_eq!(Seed::dice("00877").unwrap().bytes().unwrap(), b"00877");
        assert_eq!(Seed::text(" 0877\n").bytes().unwrap(), b" 0877\n");
        assert_eq!(Seed::hex(&[0, 255]).bytes().unwrap(), [0, 255]);
        assert_eq!((Seed::os(&[7]).bytes(), Seed::os(&[7]).source()), (Ok(vec![7]), Ok(Planned::Os.into())));
        assert!(Seed::dice("12 3").is_err() && Seed::dice("").is_err());
    }

    #[test]
    fn seeds_have_one_form() {
        let both = Seed { hex: Some("00".into()), ..Seed::text("a") };
        let neither = Seed { text: None, ..Seed::text("a") };
        let wrong = Seed { text: Some("12x".into()), from: Origin::Dice, ..Seed::text("a") };
        let bare = Seed { from: Origin::Nist, ..Seed::hex(&[1]) };
        let odd = Seed { hex: Some("abc".into()), ..Seed::hex(&[1]) };
        let other = Seed { from: Origin::Hex, ..Seed::text("ab") };
        let digits = Seed { from: Origin::Text, ..Seed::hex(&[1]) };
        let form = "a seed from text or dice must have the field text, and any other seed the field hex";
        for (seed, why) in [
            (both, form),
            (neither, form),
            (other, form),
            (digits, form),
            (bare, "its fields do not fit the origin nist"),
            (odd, "a hexadecimal value has an odd number of digits, the last at offset 2"),
        ] {
            assert_eq!(seed.bytes().unwrap_err().to_string(), format!("not a seed: {why}"), "{seed:?}");
        }
        let why = "not a sequence of dice digits: \"12x\" must be one or more digits";
        assert_eq!(wrong.bytes().unwrap_err().to_string(), why);
        let origins = [Origin::Text, Origin::Hex, Origin::Dice, Origin::Drand, Origin::Nist, Origin::Os];
        assert_eq!(origins.map(Origin::name), ["text", "hex", "dice", "drand", "nist", "os"]);
    }
}
