//! `hashwell hmac`: prints or verifies tags.

use crate::inputs::reading::names;
use crate::inputs::secret::{decode, key};
use crate::options::args::HmacOptions;
use crate::options::names::hmac_warning;
use crate::outputs::tags::{self, Mac, Sink, Work};
use crate::system::report::{Failure, note};
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
