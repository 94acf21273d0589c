//! `hashwell kmac`: prints or verifies tags of KMAC, or prints the stream of KMACXOF.

use crate::commands::xof::for_each_piece;
use crate::inputs::reading::names;
use crate::inputs::secret::{decode, key};
use crate::options::args::KmacOptions;
use crate::outputs::tags::{self, Mac, Sink, Work};
use crate::system::report::Failure;
use hashwell::{Kmac, KmacVariant};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

pub(crate) fn run(options: &KmacOptions) -> Result<u8, Failure> {
    let variant = KmacVariant::find(&options.algorithm).map_err(|error| Failure::Usage(error.to_string()))?;
    let verify = options.verify.as_deref().map(|hex| decode("--verify", hex)).transpose()?;
    let inputs = names(&options.files);
    if options.raw && inputs.len() != 1 {
        return Err(Failure::Usage("--raw requires exactly one file".to_owned()));
    }
    let len = options.bytes.unwrap_or(variant.output() as u64);
    if len == 0 {
        return Err(Failure::Usage(format!(
            "{}: the tag length must be at least 1 byte, not 0",
            variant.name()
        )));
    }
    let key = key(&options.key, &inputs)?;
    let kmac = Kmac::new(variant, &key, options.customization.as_bytes());
    drop(key);
    let work = match &verify {
        Some(tag) => Work::Verify(tag),
        None if options.raw => Work::PrintRaw,
        None => Work::Print,
    };
    if options.xof {
        tags::run(&Stream { kmac, len }, &inputs, work)
    } else {
        tags::run(&Tag { kmac, len }, &inputs, work)
    }
}

/// A KMAC tag in progress, and the length of the tag. The length is part of the hashed input.
#[derive(Clone)]
struct Tag {
    kmac: Kmac,
    len: u64,
}

impl Mac for Tag {
    fn update(&mut self, data: &[u8]) {
        self.kmac.update(data);
    }

    /// The library returns the whole tag at once.
    fn write_tag(self, sink: &mut Sink<'_>) -> Result<(), Failure> {
        let mut tag = Zeroizing::new(Vec::new());
        let len = usize::try_from(self.len).ok().filter(|len| tag.try_reserve_exact(*len).is_ok());
        let Some(len) = len else {
            let message = format!(
                "not enough memory for a tag of {} bytes (with --xof, the output is not kept in memory)",
                self.len
            );
            return Err(Failure::Work(message));
        };
        tag.resize(len, 0);
        self.kmac.tag_into(&mut tag);
        sink(&tag)
    }

    fn verify(self, tag: &[u8]) -> Result<bool, Failure> {
        Ok(tag.len() as u64 == self.len && self.kmac.verify(tag).is_ok())
    }
}

/// KMACXOF.
#[derive(Clone)]
struct Stream {
    kmac: Kmac,
    len: u64,
}

impl Mac for Stream {
    fn update(&mut self, data: &[u8]) {
        self.kmac.update(data);
    }

    fn write_tag(self, sink: &mut Sink<'_>) -> Result<(), Failure> {
        let mut reader = self.kmac.into_reader();
        for_each_piece(self.len, |len| {
            let mut piece = Zeroizing::new(vec![0; len]);
            reader.read(&mut piece);
            sink(&piece)
        })
    }

    fn verify(self, tag: &[u8]) -> Result<bool, Failure> {
        if tag.len() as u64 != self.len {
            return Ok(false);
        }
        let mut computed = Zeroizing::new(vec![0; tag.len()]);
        self.kmac.into_reader().read(&mut computed);
        Ok(computed.ct_eq(tag).into())
    }
}
