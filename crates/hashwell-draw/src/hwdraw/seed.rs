//! The seed: bytes that nobody could foresee, and where they came from.

use super::beacon::{drand, nist};
use super::frame::quoted;
use super::plan::Plan;
use super::{hex, present, unhex};
use crate::Error;
use serde::{Deserialize, Serialize};

/// Where a seed came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A text that somebody gave.
    Text,
    /// Bytes that somebody gave in hexadecimal.
    Hex,
    /// Digits of dice, kept as their text.
    Dice,
    /// A round of drand.
    Drand,
    /// A pulse of NIST's beacon.
    Nist,
    /// The operating system of whoever drew.
    Os,
}

impl Origin {
    /// Its name in transcripts.
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

/// A seed as transcripts have it: its bytes as text or in hexadecimal, never a number. Fields are in the order of
/// their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seed {
    /// The round, of [`Origin::Drand`] alone.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub drand: Option<drand::Round>,
    /// Where it came from.
    pub from: Origin,
    /// Its bytes in hexadecimal, unless they are a text.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
    /// The pulse, of [`Origin::Nist`] alone.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub nist: Option<nist::Pulse>,
    /// Its bytes, if they are a text.
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

    /// A text, of which every byte counts.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::of_text(Origin::Text, text)
    }

    /// Bytes.
    #[must_use]
    pub fn hex(bytes: &[u8]) -> Self {
        Self::of_bytes(Origin::Hex, bytes)
    }

    /// Bytes of the operating system's.
    #[must_use]
    pub fn os(bytes: &[u8]) -> Self {
        Self::of_bytes(Origin::Os, bytes)
    }

    /// The digits that dice showed, in their order; a text, so that zeros in front count.
    ///
    /// # Errors
    /// [`Error::Invalid`] for anything but digits, and for none.
    pub fn dice(digits: &str) -> Result<Self, Error> {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Error::invalid("digits of dice", format!("{} has others, or none", quoted(digits))));
        }
        Ok(Self::of_text(Origin::Dice, digits))
    }

    /// A round of drand; see [`drand::Round::read`].
    ///
    /// # Errors
    /// [`Error::Invalid`] for a signature that is not hexadecimal.
    pub fn drand(round: drand::Round) -> Result<Self, Error> {
        Ok(Self { drand: Some(round.clone()), ..Self::of_bytes(Origin::Drand, &round.randomness()?) })
    }

    /// A pulse of NIST's beacon; see [`nist::Pulse::read`].
    #[must_use]
    pub fn nist(pulse: nist::Pulse, value: &[u8]) -> Self {
        Self { nist: Some(pulse), ..Self::of_bytes(Origin::Nist, value) }
    }

    /// What a plan says of where such a seed is to come from, unless whoever plans says more: of a beacon which chain and
    /// round, else the name of the origin.
    #[must_use]
    pub fn source(&self) -> String {
        match (&self.drand, &self.nist) {
            (Some(round), _) => format!("drand {} {}", round.chain, round.round),
            (_, Some(pulse)) => format!("nist {} {}", pulse.chain, pulse.pulse),
            _ => self.from.name().to_owned(),
        }
    }

    /// Its bytes.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it has both forms or none, bad hexadecimal, or what its origin does not have.
    pub fn bytes(&self) -> Result<Vec<u8>, Error> {
        let is_text = matches!(self.from, Origin::Text | Origin::Dice);
        let beacons = (self.from == Origin::Drand, self.from == Origin::Nist);
        if (self.drand.is_some(), self.nist.is_some()) != beacons {
            return Err(Error::invalid(WHAT, format!("{} has other fields", self.from.name())));
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
                if self.from == Origin::Nist && bytes.len() != nist::OUTPUT_BYTES {
                    return Err(Error::invalid(
                        WHAT,
                        format!("a pulse of NIST has 64 bytes, not {}", bytes.len()),
                    ));
                }
                Ok(bytes)
            }
            _ => Err(Error::invalid(WHAT, "texts and dice have text, the others hex")),
        }
    }

    /// Whether it is what it says and what the plan announced. What could not be verified is returned, in words.
    ///
    /// # Errors
    /// [`Error::Invalid`], which names what does not agree.
    pub fn check(&self, plan: &Plan) -> Result<Option<String>, Error> {
        let bytes = self.bytes()?;
        let is_planned = ["drand ", "nist "].iter().any(|beacon| plan.seed_source.starts_with(beacon));
        let is_beacon = self.drand.is_some() || self.nist.is_some();
        if (is_planned || is_beacon) && plan.seed_source != self.source() {
            let planned = quoted(&plan.seed_source);
            return Err(Error::invalid(
                WHAT,
                format!("planned was {planned}, it is {}", quoted(&self.source())),
            ));
        }
        if let Some(round) = &self.drand {
            if bytes != round.randomness()? {
                return Err(Error::invalid(WHAT, "it is not the SHA-256 of the round's signature"));
            }
            let published = round.is_published()?;
            if drand::verifies() {
                round.verify()?;
                let unknown = "whose key this is: the chain is none of drand's that are known here";
                return Ok((!published).then(|| unknown.to_owned()));
            }
            return Ok(Some("the round's signature".to_owned()));
        }
        self.nist.as_ref().map(|pulse| pulse.verify(&bytes)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_bytes() {
        assert_eq!(Seed::dice("00877").unwrap().bytes().unwrap(), b"00877");
        assert_eq!(Seed::text(" 0877\n").bytes().unwrap(), b" 0877\n");
        assert_eq!(Seed::hex(&[0, 255]).bytes().unwrap(), [0, 255]);
        assert_eq!((Seed::os(&[7]).bytes(), Seed::os(&[7]).source()), (Ok(vec![7]), "os".to_owned()));
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
        let form = "texts and dice have text, the others hex";
        for (seed, why) in [
            (both, form),
            (neither, form),
            (other, form),
            (digits, form),
            (bare, "nist has other fields"),
            (odd, "its hexadecimal: invalid length at 2"),
        ] {
            assert_eq!(seed.bytes().unwrap_err().to_string(), format!("not a seed: {why}"), "{seed:?}");
        }
        let why = "not digits of dice: \"12x\" has others, or none";
        assert_eq!(wrong.bytes().unwrap_err().to_string(), why);
        let origins = [Origin::Text, Origin::Hex, Origin::Dice, Origin::Drand, Origin::Nist, Origin::Os];
        assert_eq!(origins.map(Origin::name), ["text", "hex", "dice", "drand", "nist", "os"]);
    }
}
