//! Verifies and explains transcripts of hwdraw/1.

use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::reply;
use hashwell_draw::hex;
use hashwell_draw::hwdraw::beacon::{drand, nist};
use hashwell_draw::hwdraw::{self, EntryList, Evidence, Transcript, Verification};
use serde::{Deserialize, Serialize};

/// The request for a verification. The transcript and its list are separate inputs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Request {
    /// True if the list was given.
    #[serde(default)]
    list: bool,
    #[serde(default)]
    zero: bool,
    /// The published commitment.
    committed: Option<String>,
    /// True if the caller witnessed that the seed was created as planned.
    #[serde(default)]
    seed_attested: bool,
    /// The parameters of a drand chain, in the format that its servers publish.
    drand_chain: Option<String>,
    /// A certificate of NIST's beacon (PEM or DER) in hexadecimal.
    certificate: Option<String>,
}

impl Request {
    fn evidence<'a>(&'a self, entries: Option<&'a EntryList>) -> Result<Evidence<'a>, Failure> {
        let drand_chain =
            self.drand_chain.as_deref().map(|json| drand::Info::read(json.as_bytes())).transpose()?;
        let certificate = match &self.certificate {
            Some(digits) => {
                let invalid = |error| Failure::usage(format!("invalid hexadecimal certificate: {error}"));
                Some(nist::Certificate::read(&hex::decode_any_case(digits).map_err(invalid)?)?)
            }
            None => None,
        };
        Ok(Evidence {
            list: entries,
            commitment: self.committed.as_deref(),
            drand_chain,
            certificate,
            seed_attested: self.seed_attested,
        })
    }
}

fn read(request: &Request, inputs: &Inputs<'_>) -> Result<(Transcript, Option<EntryList>), Failure> {
    let transcript = Transcript::from_json(inputs.first())?;
    if !request.list {
        return Ok((transcript, None));
    }
    let (columns, open) = transcript.plan.list.layout()?;
    let entries = EntryList::read(inputs.second(), columns, request.zero, open)?;
    Ok((transcript, Some(entries)))
}

/// The result of a verification, as the library serializes it, and the parts of the transcript that a web page shows
/// with the result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply<'a> {
    attested: bool,
    commitment: String,
    plan_text: String,
    seed: SeedLines,
    transcript: &'a Transcript,
    #[serde(flatten)]
    verification: Verification,
}

/// The origin that the plan announces and the seed as given, each as one line.
#[derive(Serialize)]
struct SeedLines {
    given: String,
    planned: String,
}

/// Verifies a transcript.
pub(crate) fn verify(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let request: Request = inputs.request()?;
    let (transcript, entries) = read(&request, inputs)?;
    let verification = hwdraw::verify(&transcript, &request.evidence(entries.as_ref())?)?;
    let plan = &transcript.plan;
    reply::json(&Reply {
        attested: request.seed_attested,
        commitment: hex::encode(&plan.commitment()),
        plan_text: plan.text(),
        seed: SeedLines { given: transcript.seed.to_string(), planned: plan.seed_source.to_string() },
        transcript: &transcript,
        verification,
    })
}

/// Explains how each pick was computed.
pub(crate) fn steps(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let request: Request = inputs.request()?;
    let (transcript, entries) = read(&request, inputs)?;
    reply::json(&hwdraw::steps(&transcript, entries.as_ref())?)
}
