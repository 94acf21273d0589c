//! Plans, commitments and draws of hwdraw/1 (`docs/spec/draw.md`).

use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::reply;
use hashwell_draw::hex;
use hashwell_draw::hwdraw::beacon::{drand::Round, nist::Pulse};
use hashwell_draw::hwdraw::{
    Allocation, Columns, DrawOptions, EntryList, Method, Plan, Planned, Seed, SeedSource, Transcript,
};
use serde::Deserialize;
use serde_json::json;

/// The name of the program in transcripts.
const PROGRAM: &str = concat!("hashwell ", env!("CARGO_PKG_VERSION"), " (JavaScript)");

/// The request for a plan: the parameters of a draw from a list or from numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Request {
    method: Method,
    n: Option<u64>,
    probability: Option<String>,
    scale: Option<u32>,
    strata: Option<Allocation>,
    #[serde(default)]
    context: String,
    /// The source of the seed: JSON as in a plan, or a text that `Planned::parse` accepts.
    seed_source: Option<String>,
    seed_description: Option<String>,
    source: Option<String>,
    /// Draws from the numbers 1 to this one instead of from a list.
    numbers: Option<u64>,
    #[serde(default)]
    zero: bool,
    #[serde(default)]
    open: bool,
    seed: Option<Given>,
    /// The published commitment.
    committed: Option<String>,
}

/// A seed. For a beacon, its value is the JSON that the beacon publishes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
enum Given {
    Text(String),
    Dice(String),
    Hex(String),
    Os(String),
    Drand(String),
    Nist(String),
}

impl Given {
    fn seed(&self, source: Option<&SeedSource>) -> Result<Seed, Failure> {
        let hex = |digits: &str| {
            let invalid = |error| Failure::usage(format!("invalid hexadecimal seed: {error}"));
            hex::decode_any_case(digits).map_err(invalid)
        };
        Ok(match self {
            Self::Text(text) => Seed::text(text),
            Self::Dice(digits) => Seed::dice(digits)?,
            Self::Hex(digits) => Seed::hex(&hex(digits)?),
            Self::Os(digits) => Seed::os(&hex(digits)?),
            Self::Drand(json) => {
                let Some(Planned::Drand { chain, .. }) = source.map(|source| &source.planned) else {
                    return Err(Failure::usage(
                        "a seed from drand needs seedSource with the chain hash and the round",
                    ));
                };
                // This module doesn't verify signatures, so a verification reports the signature of this value as
                // unchecked.
                Seed::drand(Round::read_unverified(json.as_bytes(), chain)?)?
            }
            Self::Nist(json) => {
                let (pulse, value) = Pulse::read(json.as_bytes(), None)?;
                Seed::nist(pulse, &value)
            }
        })
    }
}

impl Request {
    fn entries(&self, list: &[u8]) -> Result<EntryList, Failure> {
        if let Some(n) = self.numbers {
            if !list.is_empty() {
                return Err(Failure::usage("a draw is either from numbers or from a list"));
            }
            return Ok(EntryList::numbers(n));
        }
        let columns = Columns { stratum: self.strata.is_some(), weight: self.method.is_weighted() };
        Ok(EntryList::read(list, columns, self.zero, self.open)?)
    }

    fn announced(&self) -> Result<Option<SeedSource>, Failure> {
        let Some(text) = &self.seed_source else { return Ok(None) };
        if text.starts_with('{') {
            let invalid = |error| Failure::usage(format!("seedSource: {error}"));
            return serde_json::from_str(text).map(Some).map_err(invalid);
        }
        Ok(Some(Planned::parse(text, None)?.into()))
    }

    fn plan(&self, entries: &EntryList, mut source: SeedSource) -> Result<Plan, Failure> {
        if let Some(description) = &self.seed_description {
            source.description.clone_from(description);
        }
        let options = DrawOptions {
            context: self.context.clone(),
            k: self.n,
            p: self.probability.clone(),
            scale: self.scale,
            allocation: self.strata,
            seed_source: source,
            random_source: self.source.clone(),
        };
        let plan = Plan::new(entries, self.method, options)?;
        if let Some(committed) = &self.committed {
            plan.check_commitment(committed)?;
        }
        Ok(plan)
    }
}

/// Returns the text of the plan and its commitment.
pub(crate) fn plan(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let request: Request = inputs.request()?;
    let source = request
        .announced()?
        .ok_or_else(|| Failure::usage("a commitment needs seedSource, the source of the future seed"))?;
    let plan = request.plan(&request.entries(inputs.first())?, source)?;
    reply::json(&json!({ "commitment": hex::encode(&plan.commitment()), "plan": plan.text(), "n": plan.n }))
}

/// Returns the text of the transcript.
pub(crate) fn draw(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let request: Request = inputs.request()?;
    let given = request.seed.as_ref().ok_or_else(|| Failure::usage("a draw needs a seed"))?;
    let announced = request.announced()?;
    let (entries, seed) = (request.entries(inputs.first())?, given.seed(announced.as_ref())?);
    let plan = request.plan(&entries, announced.map_or_else(|| seed.source(), Ok)?)?;
    Ok(Transcript::draw(plan, seed, &entries, PROGRAM)?.to_json())
}
