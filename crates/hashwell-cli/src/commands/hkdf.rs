//! `hashwell hkdf`: derives keys.

use crate::inputs::secret::{decode, key};
use crate::options::args::HkdfOptions;
use crate::options::names::hmac_warning;
use crate::outputs::output::unbuffered;
use crate::system::exit::SUCCESS;
use crate::system::os;
use crate::system::report::{Failure, note};
use data_encoding::HEXLOWER;
use hashwell::{Error, hkdf, hkdf_expand, hkdf_extract};
use std::ffi::OsString;
use std::io::Write;
use zeroize::Zeroizing;

pub(crate) fn run(options: &HkdfOptions) -> Result<u8, Failure> {
    let usage = |error: Error| Failure::Usage(error.to_string());
    let algorithm = hashwell::find(&options.algorithm).map_err(usage)?;
    let salt = field(options.salt.as_ref(), "--salt", options.salt_hex.as_deref())?;
    let info = field(options.info.as_ref(), "--info", options.info_hex.as_deref())?;
    // Only the key can come from standard input.
    let key = key(&options.key, &[])?;
    let derived = match options.bytes {
        None => Zeroizing::new(hkdf_extract(algorithm, &salt, &key).map_err(usage)?),
        Some(bytes) => {
            // The library checks this as well, but only once a buffer of this size has been allocated.
            let max = 255 * algorithm.output as u64;
            if algorithm.hmac && bytes > max {
                let (algorithm, what) = (algorithm.name, "HKDF output length");
                return Err(usage(Error::OutOfRange {
                    algorithm,
                    what,
                    unit: "bytes",
                    min: 0,
                    max,
                    got: bytes,
                }));
            }
            let mut derived = Zeroizing::new(vec![0; bytes.min(max) as usize]);
            if options.expand {
                hkdf_expand(algorithm, &key, &info, &mut derived)
            } else {
                hkdf(algorithm, &key, &salt, &info, &mut derived)
            }
            .map_err(usage)?;
            derived
        }
    };
    drop(key);
    hmac_warning(algorithm).iter().for_each(|text| note(text));
    let mut output = unbuffered()?;
    if options.raw {
        output.write_all(&derived).map_err(Failure::Output)?;
    } else {
        let mut line = Zeroizing::new(String::with_capacity(2 * derived.len() + 1));
        HEXLOWER.encode_append(&derived, &mut line);
        line.push('\n');
        output.write_all(line.as_bytes()).map_err(Failure::Output)?;
    }
    Ok(SUCCESS)
}

/// The bytes of an option that is given as text or in hexadecimal; empty if neither is given.
fn field(text: Option<&OsString>, option: &str, hex: Option<&str>) -> Result<Zeroizing<Vec<u8>>, Failure> {
    match (text, hex) {
        (Some(text), _) => {
            let bytes = os::text_bytes(text.clone()).map(Zeroizing::new);
            bytes.map_err(|why| Failure::Usage(format!("{option}: {why}")))
        }
        (None, Some(hex)) => decode(&format!("{option}-hex"), hex),
        (None, None) => Ok(Zeroizing::default()),
    }
}
