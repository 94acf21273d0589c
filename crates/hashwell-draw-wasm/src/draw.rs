//! Plans, commitments and draws of hwdraw/1 (`docs/spec/draw.md`).

use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::reply;
use hashwell_draw::hex;
use hashwell_draw::hwdraw::beacon::{drand::Round, nist::Pulse};
use hashwell_draw::hwdraw::{Allocation, Columns, Frame, Method, Plan, Seed, Transcript, Wishes};
use serde::Deserialize;
use serde_json::json;

/// What transcripts name as their program.
const PROGRAM: &str = concat!("hashwell ", env!("CARGO_PKG_VERSION"), " (JavaScript)");

/// What is to be drawn, of a list or of numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Request {
    method: Method,
    k: Option<u64>,
    p: Option<String>,
    scale: Option<u32>,
    strata: Option<Allocation>,
    #[serde(default)]
    context: String,
    seed_source: Option<String>,
    words: Option<String>,
    /// The numbers 1 to this, in place of a list.
    numbers: Option<u64>,
    #[serde(default)]
    zero: bool,
    #[serde(default)]
    open: bool,
    seed: Option<Given>,
    /// The commitment that was published.
    committed: Option<String>,
}

/// A seed. Of beacons the JSON that they publish.
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
    fn seed(&self) -> Result<Seed, Failure> {
        let hex = |digits: &str| {
            let invalid = |error| Failure::usage(format!("a seed in hexadecimal: {error}"));
            hex::decode_any_case(digits).map_err(invalid)
        };
        Ok(match self {
            Self::Text(text) => Seed::text(text),
            Self::Dice(digits) => Seed::dice(digits)?,
            Self::Hex(digits) => Seed::hex(&hex(digits)?),
            Self::Os(digits) => Seed::os(&hex(digits)?),
            Self::Drand(json) => Seed::drand(Round::read(json.as_bytes(), None)?)?,
            Self::Nist(json) => {
                let (pulse, value) = Pulse::read(json.as_bytes(), None)?;
                Seed::nist(pulse, &value)
            }
        })
    }
}

impl Request {
    fn frame(&self, list: &[u8]) -> Result<Frame, Failure> {
        if let Some(n) = self.numbers {
            if !list.is_empty() {
                return Err(Failure::usage("a draw is from numbers or from a list, not from both"));
            }
            return Ok(Frame::numbers(n));
        }
        let columns = Columns { stratum: self.strata.is_some(), weight: self.method.is_weighted() };
        Ok(Frame::read(list, columns, self.zero, self.open)?)
    }

    fn plan(&self, frame: &Frame, seed: Option<&Seed>) -> Result<Plan, Failure> {
        let source = self.seed_source.clone().or_else(|| seed.map(Seed::source));
        let source = source
            .ok_or_else(|| Failure::usage("a commitment needs seedSource: where will the seed come from?"))?;
        let wishes = Wishes {
            context: self.context.clone(),
            k: self.k,
            p: self.p.clone(),
            scale: self.scale,
            allocation: self.strata,
            seed_source: source,
            words: self.words.clone(),
        };
        let plan = Plan::new(frame, self.method, wishes)?;
        let commitment = hex::encode(&plan.commitment());
        match &self.committed {
            Some(committed) if !committed.eq_ignore_ascii_case(&commitment) => Err(Failure::input(format!(
                "the commitment is {commitment}, not {committed}: nothing was drawn"
            ))),
            _ => Ok(plan),
        }
    }
}

/// The plan's text and its commitment.
pub(crate) fn plan(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let request: Request = inputs.request()?;
    let plan = request.plan(&request.frame(inputs.first())?, None)?;
    reply::json(&json!({ "commitment": hex::encode(&plan.commitment()), "plan": plan.text(), "n": plan.n }))
}

/// The transcript's text.
pub(crate) fn draw(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let request: Request = inputs.request()?;
    let given = request.seed.as_ref().ok_or_else(|| Failure::usage("a draw needs a seed"))?;
    let (frame, seed) = (request.frame(inputs.first())?, given.seed()?);
    let plan = request.plan(&frame, Some(&seed))?;
    Ok(Transcript::draw(plan, seed, &frame, PROGRAM)?.to_json())
}
