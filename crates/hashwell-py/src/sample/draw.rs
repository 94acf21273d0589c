//! hwdraw/1: draws from a list that anyone can verify.

use crate::boundary::errors::{self, Ids, Picks, Scale, exception};
use crate::boundary::watch::{look, run_draw, signals};
use hashwell::EntropySource;
use hashwell_draw::hwdraw::beacon::drand::{Info, Round};
use hashwell_draw::hwdraw::beacon::nist::{Certificate, Pulse};
use hashwell_draw::hwdraw::{
    self, Allocation, Columns, DrawOptions, EntryList, EntryListBuilder, Evidence, KeyMismatch, Kind, Method,
    Origin, Plan, Planned, Seed, SeedSource, Transcript,
};
use hashwell_draw::{Error, hex};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};

/// The list to draw from: IDs with strata and weights, or a number of rows.
pub(crate) enum List {
    Numbers(u64),
    Rows(Vec<Vec<String>>),
}

impl<'py> FromPyObject<'_, 'py> for List {
    type Error = PyErr;

    /// This conversion is not derived, because PyO3's derived one reports every error as a TypeError.
    fn extract(list: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if list.is_instance_of::<PyInt>() {
            list.extract().map(|Ids(n)| Self::Numbers(n))
        } else {
            let (mut rows, watch) = (Vec::new(), signals());
            for row in list.try_iter()? {
                rows.push(row?.extract()?);
                look(&watch)?;
            }
            Ok(Self::Rows(rows))
        }
    }
}

fn entries(list: &List, columns: Columns, open: bool) -> Result<EntryList, Error> {
    match list {
        List::Numbers(n) => Ok(EntryList::numbers(*n)),
        List::Rows(rows) => {
            let mut builder = EntryListBuilder::new(columns);
            for row in rows {
                let fields: Vec<&str> = row.iter().map(String::as_str).collect();
                builder.push(&fields)?;
            }
            builder.finish(open)
        }
    }
}

/// Reads a seed from its origin. The value of a beacon requires the parameters of the drand chain, or NIST's
/// certificate, unless the library knows them.
fn seed(
    origin: &str,
    value: &[u8],
    drand_chain: Option<&[u8]>,
    certificate: Option<&[u8]>,
) -> PyResult<Seed> {
    let text =
        || std::str::from_utf8(value).map_err(|_| exception::<PyValueError>(format!("{origin}: not UTF-8")));
    match origin {
        "text" => Ok(Seed::text(text()?)),
        "hex" => Ok(Seed::hex(value)),
        "dice" => Seed::dice(text()?).map_err(errors::from_draw),
        "drand" => Seed::drand(Round::read(value, drand_chain).map_err(errors::from_draw)?)
            .map_err(errors::from_draw),
        "nist" => {
            let (pulse, value) = Pulse::read(value, certificate).map_err(errors::from_draw)?;
            Ok(Seed::nist(pulse, &value))
        }
        _ => {
            let mut bytes = [0; 32];
            hashwell::OsEntropy.fill(&mut bytes).map_err(errors::from_library)?;
            Ok(Seed::os(&bytes))
        }
    }
}

/// Performs a draw. If `origin` is None, the seed isn't known yet, and this function only commits to the draw.
///
/// Returns the commitment, the plan, the transcript (or None) and the ids of the picked entries.
#[pyfunction(name = "_draw")]
#[pyo3(signature = (list, method, *, stratum, weight, open, context, k, p, scale, allocation, seed_source, seed_description, random_source, origin, value, drand_chain, certificate, committed))]
#[allow(clippy::too_many_arguments, reason = "a plan has these parts, and Python gives them by name")]
pub(super) fn draw<'py>(
    py: Python<'py>,
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
    seed_description: String,
    random_source: &str,
    origin: Option<&str>,
    value: Vec<u8>,
    drand_chain: Option<Vec<u8>>,
    certificate: Option<Vec<u8>>,
    committed: Option<&str>,
) -> PyResult<(String, String, Option<String>, Bound<'py, PyList>)> {
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
    let (chain, certificate) = (drand_chain.as_deref(), certificate.as_deref());
    let seed = origin.map(|origin| seed(origin, &value, chain, certificate)).transpose()?;
    let planned = match (&seed_source, &seed) {
        (Some(words), _) => {
            let certificate = certificate.map(Certificate::read).transpose().map_err(errors::from_draw)?;
            Planned::parse(words, certificate.as_ref()).map_err(errors::from_draw)?
        }
        (None, Some(seed)) => seed.source().map_err(errors::from_draw)?.planned,
        (None, None) => Planned::default(),
    };
    let seed_source = SeedSource { planned, description: seed_description };
    // A file that belongs to a different beacon than the seed is an error of the caller.
    if chain.is_some() && seed_source.kind() != Origin::Drand {
        return Err(exception::<PyValueError>(KeyMismatch::NotDrand.to_string()));
    }
    if certificate.is_some() && seed_source.kind() != Origin::Nist {
        return Err(exception::<PyValueError>(KeyMismatch::NotNist.to_string()));
    }
    let source = hashwell::Source::find(random_source).map_err(errors::no_source)?;
    let options = DrawOptions {
        context,
        k: k.map(|Picks(k)| k),
        p,
        scale: scale.map(|Scale(scale)| scale),
        allocation,
        seed_source,
        random_source: Some(source.name()),
    };
    let (commitment, text, json, picks) = run_draw(py, || {
        let entries = entries(&list, Columns { stratum, weight }, open)?;
        let plan = Plan::new(&entries, method, options)?;
        let commitment = hex::encode(&plan.commitment());
        committed.map_or(Ok(()), |committed| plan.check_commitment(committed))?;
        let text = plan.text();
        let Some(seed) = seed else { return Ok((commitment, text, None, Vec::new())) };
        let program = concat!("hashwell ", env!("CARGO_PKG_VERSION"));
        let transcript = Transcript::draw(plan, seed, &entries, program)?;
        let json = transcript.to_json_or_stop()?;
        Ok((commitment, text, Some(json), transcript.picks))
    })?;
    let (ids, watch) = (PyList::empty(py), signals());
    for pick in picks {
        ids.append(pick.id)?;
        look(&watch)?;
    }
    Ok((commitment, text, json, ids))
}

/// An unchecked item or a mismatch: its code, its description and its data.
type Item = (&'static str, String, Vec<(&'static str, String)>);

/// A verification: outcome, mismatches, unchecked items, the commitment, and the seed as planned and as given.
type Found = (&'static str, Vec<Item>, Vec<Item>, String, String, String);

/// Verifies a transcript.
#[pyfunction(name = "_verify")]
#[pyo3(signature = (json, list, *, committed, drand_chain, certificate, seed_attested))]
#[allow(clippy::too_many_arguments, reason = "evidence has these parts, and Python gives them by name")]
pub(super) fn verify(
    py: Python<'_>,
    json: Vec<u8>,
    list: Option<List>,
    committed: Option<&str>,
    drand_chain: Option<Vec<u8>>,
    certificate: Option<Vec<u8>>,
    seed_attested: bool,
) -> PyResult<Found> {
    run_draw(py, || {
        let transcript = Transcript::from_json(&json)?;
        let Transcript { plan, seed, .. } = &transcript;
        let columns = Columns::of_names(&plan.list.columns)?;
        let entries = list.map(|list| entries(&list, columns, plan.list.kind == Kind::Open)).transpose()?;
        let evidence = Evidence {
            list: entries.as_ref(),
            commitment: committed,
            drand_chain: drand_chain.map(|json| Info::read(&json)).transpose()?,
            certificate: certificate.map(|file| Certificate::read(&file)).transpose()?,
            seed_attested,
        };
        let found = hwdraw::verify(&transcript, &evidence)?;
        let mismatches = found.mismatches().iter();
        let unchecked = found.unchecked().iter();
        Ok((
            found.outcome().name(),
            mismatches.map(|item| (item.code(), item.to_string(), item.data())).collect(),
            unchecked.map(|item| (item.code(), item.to_string(), item.data())).collect(),
            hex::encode(&plan.commitment()),
            plan.seed_source.to_string(),
            seed.to_string(),
        ))
    })
}
