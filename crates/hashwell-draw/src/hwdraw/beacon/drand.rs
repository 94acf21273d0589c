//! Rounds of drand (<https://drand.love>): a network's BLS signatures, which no one knows before the round's time.

use super::signatures::DRAND;
use crate::Error;
use crate::hwdraw::list::quoted;
use crate::hwdraw::{hex, one_line, present, unhex};
use hashwell::Sha256;
use serde::{Deserialize, Serialize};

/// A published chain.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// The chain's beacon id.
    pub name: &'static str,
    /// The chain's hash, which identifies it.
    pub hash: &'static str,
    /// The signature scheme of the chain's rounds.
    pub scheme: &'static str,
    /// The key that verifies the chain's signatures.
    pub public_key: &'static str,
    /// The time of the chain's first round, in seconds since 1970.
    pub genesis: i64,
    /// The time between two rounds, in seconds.
    pub period: u32,
}

impl Chain {
    /// The time at which a round is published, in seconds since 1970. The first round has the number 1.
    #[must_use]
    pub fn time(&self, round: u64) -> i64 {
        let later =
            i64::try_from(round.saturating_sub(1)).unwrap_or(i64::MAX).saturating_mul(self.period.into());
        self.genesis.saturating_add(later)
    }
}

/// The drand chains of the League of Entropy. Each hash is computed from the chain's parameters; a test recomputes it.
pub const CHAINS: [Chain; 3] = [
    Chain {
        name: "quicknet",
        hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        scheme: "bls-unchained-g1-rfc9380",
        public_key: "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
        genesis: 1_692_803_367,
        period: 3,
    },
    Chain {
        name: "default",
        hash: "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
        scheme: "pedersen-bls-chained",
        public_key: "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31",
        genesis: 1_595_431_050,
        period: 30,
    },
    Chain {
        name: "fastnet",
        hash: "dbd506d6ef76e5f386f41c651dcb808c5bcbd75471cc4eafa3f4df7ad4e4c493",
        scheme: "bls-unchained-on-g1",
        public_key: "a0b862a7527fee3a731bcb59280ab6abd62d5c0b6ea03dc4ddf6612fdfc9d01f01c31542541771903475eb1ec6615f8d0df0b8b6dce385811d6dcf8cbefb8759e5e616a3dfd054c928940766d9a5b9db91e3b697e5d70a975181e007f87fca5e",
        genesis: 1_677_685_200,
        period: 3,
    },
];

/// A round with the data that verifies it. Fields are sorted by name, and bytes are in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// The chain's hash.
    pub chain: String,
    /// The signature of the previous round, if the scheme chains rounds.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub previous_signature: Option<String>,
    /// The chain's key.
    pub public_key: String,
    /// The number of the round.
    pub round: u64,
    /// The signature scheme.
    pub scheme: String,
    /// The signature.
    pub signature: String,
}

/// The content of `/public/ROUND`; other fields are ignored.
#[derive(Deserialize)]
struct Published {
    round: u64,
    randomness: Option<String>,
    signature: String,
    previous_signature: Option<String>,
}

impl Published {
    fn read(json: &[u8]) -> Result<Self, Error> {
        serde_json::from_slice(json).map_err(|error| invalid(one_line(&error)))
    }

    /// The round, with its chain, scheme and key.
    fn of(&self, chain: &str, scheme: &str, public_key: &str) -> Round {
        let previous = self.previous_signature.as_ref().filter(|_| scheme == chained());
        Round {
            chain: chain.to_owned(),
            previous_signature: previous.map(|signature| signature.to_ascii_lowercase()),
            public_key: public_key.to_owned(),
            round: self.round,
            scheme: scheme.to_owned(),
            signature: self.signature.to_ascii_lowercase(),
        }
    }
}

/// A chain's parameters, as its servers publish them (`/CHAIN/info`).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Info {
    public_key: String,
    period: u32,
    genesis_time: i64,
    hash: String,
    #[serde(rename = "groupHash")]
    group_hash: String,
    #[serde(rename = "schemeID", default = "chained")]
    scheme: String,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
struct Metadata {
    #[serde(rename = "beaconID", default)]
    beacon: String,
}

fn chained() -> String {
    "pedersen-bls-chained".to_owned()
}

const WHAT: &str = "a drand round";

/// The schemes, each with the number of bytes of a key and of a signature.
const SCHEMES: [(&str, usize, usize); 4] = [
    ("pedersen-bls-chained", 48, 96),
    ("pedersen-bls-unchained", 48, 96),
    ("bls-unchained-on-g1", 96, 48),
    ("bls-unchained-g1-rfc9380", 96, 48),
];

impl Round {
    /// Reads a round from the JSON that drand's servers publish for it (`/CHAIN/public/ROUND`), and verifies its
    /// signature. The key is read from `info`, the JSON that the servers publish for the chain (`/CHAIN/info`). Without
    /// `info`, the keys of all [`CHAINS`] are tried.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the JSON or the signature is not valid, or if [`verifies`] returns false.
    pub fn read(json: &[u8], info: Option<&[u8]>) -> Result<Self, Error> {
        let published = Published::read(json)?;
        let with = |chain: &str, scheme: &str, public_key: &str| published.of(chain, scheme, public_key);
        let round = match info {
            Some(info) => {
                let info = Info::read(info)?;
                let round = with(&info.hash, &info.scheme, &info.public_key);
                round.verify()?;
                round
            }
            None => {
                let of = |chain: &Chain| with(chain.hash, chain.scheme, chain.public_key);
                if !verifies() {
                    return Err(invalid(
                        "its chain is unknown, and this build can't find the chain without the chain's parameters"
                            .to_owned(),
                    ));
                }
                let found = CHAINS.iter().map(of).find(|round| round.verify().is_ok());
                found.ok_or_else(|| {
                    let known = CHAINS.map(|chain| chain.name).join(", ");
                    invalid(format!("its signature is wrong, or its chain is not one of {known}"))
                })?
            }
        };
        if published
            .randomness
            .is_some_and(|given| !given.eq_ignore_ascii_case(&hex(&round.randomness().unwrap_or_default())))
        {
            return Err(invalid("its randomness is not the SHA-256 of its signature".to_owned()));
        }
        Ok(round)
    }

    /// Reads a round of a published chain from the JSON that drand's servers publish for it, without verifying its
    /// signature.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the chain is not one of [`CHAINS`], or if the JSON does not have this format.
    pub fn read_unverified(json: &[u8], chain: &str) -> Result<Self, Error> {
        let Some(chain) = CHAINS.iter().find(|published| published.hash == chain) else {
            let chain = quoted(chain);
            return Err(invalid(format!("its chain {chain} is not a published one")));
        };
        Ok(Published::read(json)?.of(chain.hash, chain.scheme, chain.public_key))
    }

    /// The randomness of the round, which is the SHA-256 of the signature.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the signature is not hexadecimal.
    pub fn randomness(&self) -> Result<[u8; 32], Error> {
        Ok(Sha256::digest(&unhex(WHAT, &self.signature)?))
    }

    /// Returns true if the round's chain is one of [`CHAINS`]. The key and the scheme of the round must then be those
    /// of the chain. Returns false for all other chains, because their keys are not known.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the chain is one of [`CHAINS`], but has a different key or scheme.
    pub fn is_published(&self) -> Result<bool, Error> {
        match CHAINS.iter().find(|chain| chain.hash == self.chain) {
            None => Ok(false),
            Some(chain) if (chain.public_key, chain.scheme) == (&*self.public_key, &*self.scheme) => Ok(true),
            Some(chain) => Err(invalid(format!("its key is not the key of chain {}", chain.name))),
        }
    }

    /// Checks everything except the signature: the scheme is known, the key and the signature have the sizes that it
    /// requires, and there is a previous signature only if the scheme chains rounds.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if a check fails. The error names the first check that failed.
    pub fn check(&self) -> Result<(), Error> {
        let scheme = SCHEMES.iter().find(|(name, ..)| *name == self.scheme);
        let &(_, key_bytes, signature_bytes) =
            scheme.ok_or_else(|| invalid(format!("unknown scheme {}", quoted(&self.scheme))))?;
        let (key, signature) = (unhex(WHAT, &self.public_key)?, unhex(WHAT, &self.signature)?);
        if (key.len(), signature.len()) != (key_bytes, signature_bytes) {
            return Err(invalid(format!(
                "{} requires keys of {key_bytes} bytes and signatures of {signature_bytes} bytes",
                self.scheme
            )));
        }
        // The point at infinity would be a key for which every signature is valid.
        if key[0] & 0x40 != 0 {
            return Err(invalid("its public key is malformed".to_owned()));
        }
        if self.previous_signature.is_some() != (self.scheme == chained()) {
            return Err(invalid(format!(
                "rounds of {}, and no others, must have a previous signature",
                chained()
            )));
        }
        match self.previous_signature.as_deref().map(|previous| unhex(WHAT, previous)).transpose()? {
            Some(previous) if previous.is_empty() => {
                Err(invalid("its previous signature is empty".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Verifies the signature with the key that the round states.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the signature is wrong, if [`Round::check`] fails, if the key is not valid, or if
    /// [`verifies`] returns false.
    pub fn verify(&self) -> Result<(), Error> {
        self.check()?;
        let key = unhex(WHAT, &self.public_key)?;
        let signature = unhex(WHAT, &self.signature)?;
        let previous = unhex(WHAT, self.previous_signature.as_deref().unwrap_or(""))?;
        let signed =
            DRAND.get().ok_or_else(|| invalid("this build can't verify its signature".to_owned()))?;
        match signed(&self.scheme, &key, self.round, &previous, &signature)? {
            true => Ok(()),
            false => Err(invalid(format!("the signature of round {} is wrong", self.round))),
        }
    }
}

/// Returns true if this process verifies drand signatures. This requires the feature `drand` and a call of
/// `beacon::verify_signatures`.
#[must_use]
pub fn verifies() -> bool {
    DRAND.get().is_some()
}

#[cfg(feature = "drand")]
pub(super) fn signed(
    scheme: &str,
    key: &[u8],
    round: u64,
    previous: &[u8],
    signature: &[u8],
) -> Result<bool, Error> {
    use drand_verify::{G1Pubkey, G2PubkeyFastnet, G2PubkeyRfc, Pubkey};
    fn by<K: Pubkey>(key: &[u8], round: u64, previous: &[u8], signature: &[u8]) -> Result<bool, Error> {
        let key = K::from_variable(key).map_err(|error| invalid(format!("its key is invalid: {error}")))?;
        key.verify(round, previous, signature).map_err(|error| invalid(error.to_string()))
    }
    match scheme {
        "pedersen-bls-chained" => by::<G1Pubkey>(key, round, previous, signature),
        "pedersen-bls-unchained" => by::<G1Pubkey>(key, round, b"", signature),
        "bls-unchained-on-g1" => by::<G2PubkeyFastnet>(key, round, b"", signature),
        "bls-unchained-g1-rfc9380" => by::<G2PubkeyRfc>(key, round, b"", signature),
        other => Err(invalid(format!("unknown scheme {}", quoted(other)))),
    }
}

impl Info {
    /// Reads the JSON that drand's servers publish for a chain, and checks that the hash matches the parameters.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the JSON does not have this format, or if the hash does not match.
    pub fn read(json: &[u8]) -> Result<Self, Error> {
        let info: Self = serde_json::from_slice(json).map_err(|error| invalid(one_line(&error)))?;
        info.check()?;
        Ok(info)
    }

    /// The chain's hash, which identifies it.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns true if a round states the key and the scheme of this chain.
    pub(in crate::hwdraw) fn has_key_of(&self, round: &Round) -> bool {
        (&self.public_key, &self.scheme) == (&round.public_key, &round.scheme)
    }

    /// Checks that the hash is that of the parameters: period, time of the first round, key, group, and the beacon's id
    /// unless it is the default one (`Info.Hash` of drand).
    fn check(&self) -> Result<(), Error> {
        let mut hash = Sha256::new();
        hash.update(&self.period.to_be_bytes());
        hash.update(&self.genesis_time.to_be_bytes());
        hash.update(&unhex(WHAT, &self.public_key)?);
        hash.update(&unhex(WHAT, &self.group_hash)?);
        if self.metadata.beacon != "default" {
            hash.update(self.metadata.beacon.as_bytes());
        }
        if hex(&hash.finalize()) == self.hash {
            Ok(())
        } else {
            Err(invalid("the chain hash does not match the chain's parameters".to_owned()))
        }
    }
}

fn invalid(reason: String) -> Error {
    Error::invalid(WHAT, reason)
}
