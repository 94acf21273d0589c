//! hwdraw/1: draws from a list that anybody can recheck.

use crate::border::errors::{self, Ids, Picks, Scale, exception};
use hashwell::EntropySource;
use hashwell_draw::hwdraw::beacon::{drand::Round, nist::Pulse};
use hashwell_draw::hwdraw::{
    Allocation, Columns, Frame, FrameBuilder, Kind, Method, Plan, Seed, Transcript, Wishes, verify,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// What is drawn from: ids with strata and weights, or a number of rows.
pub(crate) enum List {
    Numbers(u64),
    Rows(Vec<Vec<String>>),
}

impl<'py> FromPyObject<'_, 'py> for List {
    type Error = PyErr;

    /// By hand: PyO3's own makes a TypeError of whatever goes wrong.
    fn extract(list: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if list.is_instance_of::<PyInt>() {
            list.extract().map(|Ids(n)| Self::Numbers(n))
        } else {
            list.extract().map(Self::Rows)
        }
    }
}

fn frame(list: &List, columns: Columns, open: bool) -> PyResult<Frame> {
    match list {
        List::Numbers(n) => Ok(Frame::numbers(*n)),
        List::Rows(rows) => {
            let mut builder = FrameBuilder::new(columns);
            for row in rows {
                let fields: Vec<&str> = row.iter().map(String::as_str).collect();
                builder.push(&fields).map_err(errors::from_draw)?;
            }
            builder.finish(open).map_err(errors::from_draw)
        }
    }
}

/// The seed by where it comes from.
fn seed(origin: &str, value: &[u8], beside: Option<&[u8]>) -> PyResult<Seed> {
    let text =
        || std::str::from_utf8(value).map_err(|_| exception::<PyValueError>(format!("{origin}: not UTF-8")));
    match origin {
        "text" => Ok(Seed::text(text()?)),
        "hex" => Ok(Seed::hex(value)),
        "dice" => Seed::dice(text()?).map_err(errors::from_draw),
        "drand" => {
            Seed::drand(Round::read(value, beside).map_err(errors::from_draw)?).map_err(errors::from_draw)
        }
        "nist" => {
            let (pulse, value) = Pulse::read(value, beside).map_err(errors::from_draw)?;
            Ok(Seed::nist(pulse, &value))
        }
        _ => {
            let mut bytes = [0; 32];
            hashwell::OsEntropy.fill(&mut bytes).map_err(errors::from_library)?;
            Ok(Seed::os(&bytes))
        }
    }
}

/// A draw, or without an origin of the seed the commitment to one: commitment, plan, transcript and ids.
#[pyfunction]
#[pyo3(signature = (list, method, *, stratum, weight, open, context, k, p, scale, allocation, seed_source, words, origin, value, beside))]
#[allow(clippy::too_many_arguments, reason = "a plan has these parts, and Python gives them by name")]
pub(super) fn draw_lot(
    list: List,
    method: &str,
    stratum: bool,
    weight: bool,
    open: bool,
    context: String,
    k: Option<Picks>,
    p: Option<String>,
    scale: Option<Scale>,
    allocation: Option<&str>,
    seed_source: Option<String>,
    words: &str,
    origin: Option<&str>,
    value: Vec<u8>,
    beside: Option<Vec<u8>>,
) -> PyResult<(String, String, Option<String>, Vec<String>)> {
    let known = Method::ALL.into_iter().find(|known| known.name() == method);
    let method = known.ok_or_else(|| {
        let names: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
        exception::<PyValueError>(format!("method must be one of {}, not '{method}'", names.join(", ")))
    })?;
    let allocation = match allocation {
        None => None,
        Some("each") => Some(Allocation::Each),
        Some("proportional") => Some(Allocation::Proportional),
        Some(other) => {
            return Err(exception::<PyValueError>(format!(
                "allocation must be 'each' or 'proportional', not '{other}'"
            )));
        }
    };
    let frame = frame(&list, Columns { stratum, weight }, open)?;
    let seed = origin.map(|origin| seed(origin, &value, beside.as_deref())).transpose()?;
    let source = hashwell::Source::find(words).map_err(errors::no_source)?;
    let wishes = Wishes {
        context,
        k: k.map(|Picks(k)| k),
        p,
        scale: scale.map(|Scale(scale)| scale),
        allocation,
        seed_source: seed_source.or(seed.as_ref().map(Seed::source)).unwrap_or_default(),
        words: Some(source.name()),
    };
    let plan = Plan::new(&frame, method, wishes).map_err(errors::from_draw)?;
    let commitment: String = plan.commitment().iter().map(|byte| format!("{byte:02x}")).collect();
    let text = plan.text();
    let Some(seed) = seed else { return Ok((commitment, text, None, Vec::new())) };
    let program = concat!("hashwell ", env!("CARGO_PKG_VERSION"));
    let transcript = Transcript::draw(plan, seed, &frame, program).map_err(errors::from_draw)?;
    let json = transcript.to_json();
    Ok((commitment, text, Some(json), transcript.picks.into_iter().map(|pick| pick.id).collect()))
}

/// What of a transcript does not agree, what could not be looked at, and its commitment.
#[pyfunction]
#[pyo3(signature = (json, list=None))]
pub(super) fn verify_lot(json: Vec<u8>, list: Option<List>) -> PyResult<(Vec<String>, Vec<String>, String)> {
    let transcript = Transcript::from_json(&json).map_err(errors::from_draw)?;
    let note = &transcript.plan.frame;
    let columns = Columns::of_names(&note.columns).map_err(errors::from_draw)?;
    let frame = list.map(|list| frame(&list, columns, note.kind == Kind::Open)).transpose()?;
    let verdict = verify(&transcript, frame.as_ref());
    let commitment = transcript.plan.commitment().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((verdict.wrong, verdict.unchecked, commitment))
}
