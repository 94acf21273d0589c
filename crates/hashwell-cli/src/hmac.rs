//! `hashwell hmac`: prints or verifies tags.

use crate::args::HmacOptions;
use crate::names::hmac_warning;
use crate::report::{Failure, note};
use crate::secret::{decode, key};
use crate::sum::names;
use crate::tags::{self, Mac, Sink, Work};
use hashwell::Hmac;

pub(crate) fn run(options: &HmacOptions) -> Result<u8, Failure> {
    let usage = |error: hashwell::Error| Failure::Usage(error.to_string());
    let algorithm = hashwell::find(&options.algorithm).map_err(usage)?;
    let verify = options.verify.as_deref().map(|hex| decode("--verify", hex)).transpose()?;
    let inputs = names(&options.files);
    let key = key(&options.key, &inputs)?;
    let fresh = Hmac::new(algorithm, &key).map_err(usage)?;
    drop(key);
    hmac_warning(algorithm).iter().for_each(|text| note(text));
    tags::run(&fresh, &inputs, verify.as_deref().map_or(Work::Print, |tag| Work::Verify(tag)))
}

impl Mac for Hmac {
    fn update(&mut self, data: &[u8]) {
        Hmac::update(self, data);
    }

    fn write_tag(self, sink: &mut Sink<'_>) -> Result<(), Failure> {
        sink(&self.tag())
    }

    fn verify(self, tag: &[u8]) -> Result<bool, Failure> {
        Ok(Hmac::verify(&self, tag).is_ok())
    }
}
