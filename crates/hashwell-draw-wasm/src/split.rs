//! Splits rows into named parts, with the same result as `hashwell split` (`docs/spec/sampling.md`, Split).

use crate::failure::{Code, Failure};
use crate::inputs::Inputs;
use crate::reply;
use crate::sample::refused;
use hashwell_draw::Error;
use hashwell_draw::row_sampling::{ExactSplit, SamplingOptions, Shares, Sizes};
use serde::Deserialize;

/// The request. With `grouped`, the first text contains the group of each row; with `stratified`, the second text
/// contains the label of each row's stratum.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    rows: u32,
    shares: Vec<String>,
    grouped: bool,
    stratified: bool,
    exact: bool,
    context: String,
    seed_text: Option<String>,
    seed_hex: Option<String>,
}

/// The values of rows. Each value is its length in 4 bytes, little-endian, followed by its bytes.
struct Values<'a>(&'a [u8]);

impl<'a> Values<'a> {
    fn next(&mut self) -> Result<&'a [u8], Failure> {
        let missing = || Failure::usage("invalid request: a row has no value");
        let (len, rest) = self.0.split_first_chunk().ok_or_else(missing)?;
        let (value, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or_else(missing)?;
        self.0 = rest;
        Ok(value)
    }
}

/// Returns the index of each row's part.
pub(crate) fn split(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let Request { rows, shares, grouped, stratified, exact, context, seed_text, seed_hex } =
        inputs.request()?;
    let shares = Shares::parse(shares.iter().map(String::as_str))
        .map_err(|error| Failure { code: Code::Range, message: error.to_string() })?;
    let options =
        SamplingOptions { p: Some("1".to_owned()), context, seed_text, seed_hex, ..Default::default() };
    let key = options.request().map_err(refused)?.seed.key();
    let (mut groups, mut labels) = (Values(inputs.first()), Values(inputs.second()));
    let mut group = || if grouped { groups.next() } else { Ok([].as_slice()) };
    if exact || stratified {
        let mut split = ExactSplit::new(key, grouped);
        for _ in 0..rows {
            split.offer(if stratified { labels.next()? } else { &[] }, group()?)?;
        }
        return reply::json(&split.parts(&Sizes::Shares(&shares))?);
    }
    let mut parts = Vec::new();
    parts.try_reserve_exact(rows as usize).map_err(|_| Error::Memory { what: "the rows of the split" })?;
    for row in 1..=rows {
        let value = group()?;
        let ticket = if grouped { key.ticket(value) } else { key.ticket(row.to_string().as_bytes()) };
        parts.push(shares.part(ticket));
    }
    reply::json(&parts)
}
