//! Pulses of NIST's Randomness Beacon, version 2.0 (NISTIR 8213 draft). Their signatures are not verified.

use crate::Error;
use crate::hwdraw::{one_line, unhex};
use serde::{Deserialize, Serialize};

/// Which pulse a seed is of. Fields are in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pulse {
    /// The chain's number.
    pub chain: u64,
    /// The pulse's number in it.
    pub pulse: u64,
    /// `unchecked`: nobody verified its signature.
    pub signature: Unchecked,
    /// Its time, as it says.
    pub time: String,
    /// Where it is published.
    pub uri: String,
}

/// That a signature was not verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unchecked {
    /// The only thing that can be said.
    Unchecked,
}

#[derive(Deserialize)]
struct Published {
    pulse: Fields,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fields {
    chain_index: u64,
    pulse_index: u64,
    time_stamp: String,
    uri: String,
    output_value: String,
    status_code: u32,
}

impl Pulse {
    /// The pulse of a file as the beacon gives it, and its output value of 64 bytes. Nothing says that it is the beacon's:
    /// compare it with what its URI gives.
    ///
    /// # Errors
    /// [`Error::Invalid`] for another shape, and for a pulse whose status is not 0, normal operation.
    pub fn read(json: &[u8]) -> Result<(Self, Vec<u8>), Error> {
        let invalid = |reason: String| Error::invalid(WHAT, reason);
        let Published { pulse } = serde_json::from_slice(json).map_err(|error| invalid(one_line(&error)))?;
        let value = unhex(WHAT, &pulse.output_value.to_ascii_lowercase())?;
        if value.len() != OUTPUT_BYTES {
            return Err(invalid(format!("its output value has {} bytes, not 64", value.len())));
        }
        if pulse.status_code != 0 {
            return Err(invalid(format!("its status is {}, not 0, normal operation", pulse.status_code)));
        }
        let read = Self {
            chain: pulse.chain_index,
            pulse: pulse.pulse_index,
            signature: Unchecked::Unchecked,
            time: pulse.time_stamp,
            uri: pulse.uri,
        };
        Ok((read, value))
    }
}

const WHAT: &str = "a pulse of NIST's beacon";

/// The bytes of an output value.
pub(in crate::hwdraw) const OUTPUT_BYTES: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_pulse_is_refused() {
        let json = |value: &str, status: u8| {
            format!(
                r#"{{"pulse":{{"uri":"u","chainIndex":2,"pulseIndex":7,"timeStamp":"t","outputValue":"{value}","statusCode":{status},"version":"2.0"}}}}"#
            )
        };
        let (pulse, value) = Pulse::read(json(&"aB".repeat(64), 0).as_bytes()).unwrap();
        assert_eq!((pulse.chain, pulse.pulse, value), (2, 7, vec![0xab; 64]));
        assert!(Pulse::read(json(&"ab".repeat(63), 0).as_bytes()).is_err());
        assert!(Pulse::read(json(&"ab".repeat(64), 1).as_bytes()).is_err());
        assert!(Pulse::read(b"{}").is_err());
    }
}
