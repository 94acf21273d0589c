//! `hashwell verify`: verifies the transcript of a draw.

use crate::commands::draw::{MAX_BEACON, REPLAYED, certificate};
use crate::commands::draw_list::{self, MOST, of};
use crate::commands::sample;
use crate::inputs::reading::is_stdin;
use crate::inputs::reading::read_named;
use crate::options::draw_args::VerifyOptions;
use crate::system::exit::{FAILURE, PARTIAL, SUCCESS};
use crate::system::report::{Failure, one_line, printable, write_line};
use data_encoding::HEXLOWER;
use hashwell_draw::hwdraw::beacon::drand::Info;
use hashwell_draw::hwdraw::{Evidence, Kind, Outcome, Transcript, Verification, verify};

pub(crate) fn run(options: &VerifyOptions) -> Result<u8, Failure> {
    if is_stdin(&options.transcript) && options.lists.iter().any(|list| is_stdin(list)) {
        return Err(Failure::Usage("only one of TRANSCRIPT and LIST can be standard input".to_owned()));
    }
    let json = read_named(&options.transcript, MOST)?;
    let reads_lists = options.list.is_given();
    if let Some(done) =
        sample::recheck(&options.transcript, &json, &options.lists, reads_lists, options.list.form.table())
    {
        return done;
    }
    let transcript = Transcript::from_json(&json).map_err(|error| match replayed_spec(&json) {
        Some(spec) => of(
            &options.transcript,
            format!(
                "this transcript was written by 'draw --replay {spec}'; to check it, run that command again and \
                 compare the picks"
            ),
        ),
        None => of(&options.transcript, &error),
    })?;
    if let Some(second) = options.lists.get(1) {
        let second = printable(second);
        return Err(Failure::Usage(format!("a draw has one list: remove {second}")));
    }
    let entries = options.lists.first().map(|name| {
        let summary = &transcript.plan.list;
        if summary.kind == Kind::Numbers {
            let why = "the transcript is of a draw from integers, which has no list (remove LIST)";
            return Err(Failure::Work(format!("{}: {why}", printable(&options.transcript))));
        }
        let (columns, open) = summary.layout().map_err(|error| of(&options.transcript, &error))?;
        draw_list::read(name, &options.list, columns, options.zero, open)
    });
    let entries = entries.transpose()?;
    let chain = options.drand_chain.as_ref().map(|name| {
        let json = read_named(name, MAX_BEACON)?;
        Info::read(&json).map_err(|error| of(name, &error))
    });
    let evidence = Evidence {
        list: entries.as_ref(),
        commitment: options.committed.as_deref(),
        drand_chain: chain.transpose()?,
        certificate: options.certificate.as_ref().map(certificate).transpose()?,
        seed_attested: options.seed_attested,
    };
    let found = verify(&transcript, &evidence).map_err(|error| Failure::Work(error.to_string()))?;
    write_line(report(&transcript, &found, options.seed_attested).as_bytes())?;
    Ok(match found.outcome() {
        Outcome::Verified => SUCCESS,
        Outcome::Partial => PARTIAL,
        Outcome::Mismatch => FAILURE,
    })
}

/// The specification that a transcript of `draw --replay` names, if this is one.
fn replayed_spec(json: &[u8]) -> Option<&'static str> {
    let record: serde_json::Value = serde_json::from_slice(json).ok()?;
    REPLAYED.into_iter().find(|spec| record.get("spec").and_then(serde_json::Value::as_str) == Some(spec))
}

/// The text of the report: the outcome, a line for each mismatch, the commitment, the seed, and a line for each
/// unchecked item.
fn report(transcript: &Transcript, found: &Verification, attested: bool) -> String {
    let outcome = match found.outcome() {
        Outcome::Verified => "verified",
        Outcome::Partial => "consistent, but not fully verified",
        Outcome::Mismatch => "mismatch",
    };
    let Transcript { picks, plan, seed, .. } = transcript;
    let mut lines = vec![format!("{outcome}: {} of {} by {}", picks.len(), plan.n, plan.method.name())];
    lines.extend(
        found.mismatches().iter().map(|item| format!("does not agree: {}", one_line(&item.to_string()))),
    );
    lines.push(format!("hwdraw/1 commitment {}", HEXLOWER.encode(&plan.commitment())));
    lines.push(format!("seed planned: {}", one_line(&plan.seed_source.to_string())));
    lines.push(format!("seed given:   {}", one_line(&seed.to_string())));
    if attested {
        lines.push("seed attested by the person who verifies".to_owned());
    }
    lines
        .extend(found.unchecked().iter().map(|item| format!("not checked: {}", one_line(&item.to_string()))));
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}
