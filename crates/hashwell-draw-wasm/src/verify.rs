//! Transcripts of hwdraw/1, verified and explained.

use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::reply;
use hashwell_draw::hex;
use hashwell_draw::hwdraw::{self, Columns, Frame, Kind, Transcript};
use serde::Deserialize;
use serde_json::json;

/// Beside the transcript and its list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Request {
    /// Whether there is a list.
    #[serde(default)]
    list: bool,
    #[serde(default)]
    zero: bool,
    /// The commitment that was published.
    committed: Option<String>,
}

fn read(request: &Request, inputs: &Inputs<'_>) -> Result<(Transcript, Option<Frame>), Failure> {
    let transcript = Transcript::from_json(inputs.first())?;
    let note = &transcript.plan.frame;
    if !request.list {
        return Ok((transcript, None));
    }
    if note.kind == Kind::Numbers {
        return Err(Failure::usage("a draw from numbers has no list"));
    }
    let columns = Columns::of_names(&note.columns)?;
    let frame = Frame::read(inputs.second(), columns, request.zero, note.kind == Kind::Open)?;
    Ok((transcript, Some(frame)))
}

/// What agrees, what does not, and what was not looked at.
pub(crate) fn verify(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let request: Request = inputs.request()?;
    let (transcript, frame) = read(&request, inputs)?;
    let verdict = hwdraw::verify(&transcript, frame.as_ref());
    let commitment = hex::encode(&transcript.plan.commitment());
    let (mut wrong, mut unchecked) = (verdict.wrong, verdict.unchecked);
    match &request.committed {
        None => unchecked.insert(0, "whether this commitment was published".to_owned()),
        Some(committed) if committed.eq_ignore_ascii_case(&commitment) => {}
        Some(_) => wrong.push("the commitment is not the one that was published".to_owned()),
    }
    reply::json(&json!({
        "agrees": wrong.is_empty(),
        "wrong": wrong,
        "unchecked": unchecked,
        "commitment": commitment,
        "planText": transcript.plan.text(),
        "transcript": transcript,
    }))
}

/// How each pick comes about.
pub(crate) fn steps(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let request: Request = inputs.request()?;
    let (transcript, frame) = read(&request, inputs)?;
    reply::json(&hwdraw::steps(&transcript, frame.as_ref())?)
}
