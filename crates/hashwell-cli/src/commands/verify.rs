//! `hashwell verify`: whether a draw is what its transcript says.

use crate::commands::draw::{MOST, MOST_BEACON, of};
use crate::commands::sample;
use crate::inputs::reading::is_stdin;
use crate::inputs::reading::read_named;
use crate::options::draw_args::VerifyOptions;
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::report::{Failure, printable, write_line};
use data_encoding::HEXLOWER;
use hashwell_draw::hwdraw::beacon::nist::Pulse;
use hashwell_draw::hwdraw::{Columns, Frame, Kind, Transcript, verify};

pub(crate) fn run(options: &VerifyOptions) -> Result<u8, Failure> {
    if is_stdin(&options.transcript) && options.frames.iter().any(|frame| is_stdin(frame)) {
        return Err(Failure::Usage("only one of TRANSCRIPT and FRAME can be standard input".to_owned()));
    }
    let json = read_named(&options.transcript, MOST)?;
    if let Some(done) = sample::recheck(&options.transcript, &json, &options.frames) {
        return done;
    }
    if let Some(second) = options.frames.get(1) {
        let second = printable(second);
        return Err(Failure::Usage(format!("a draw has one list, so that {second} is one too many")));
    }
    let transcript = Transcript::from_json(&json).map_err(|error| of(&options.transcript, &error))?;
    let frame = options.frames.first().map(|name| {
        let columns = Columns::of_names(&transcript.plan.frame.columns)
            .map_err(|error| of(&options.transcript, &error))?;
        let open = transcript.plan.frame.kind == Kind::Open;
        if transcript.plan.frame.kind == Kind::Numbers {
            return Err(Failure::Usage("a draw from numbers has no list: leave out FRAME".to_owned()));
        }
        Frame::read(&read_named(name, MOST)?, columns, options.zero, open).map_err(|error| of(name, &error))
    });
    let mut verdict = verify(&transcript, frame.transpose()?.as_ref());
    let commitment = HEXLOWER.encode(&transcript.plan.commitment());
    match &options.committed {
        None => verdict.unchecked.insert(0, "whether this commitment was published".to_owned()),
        Some(committed) if committed.eq_ignore_ascii_case(&commitment) => {}
        Some(_) => verdict.wrong.push("the commitment is not the one of --committed".to_owned()),
    }
    if let Some(name) = &options.certificate {
        let certificate = read_named(name, MOST_BEACON)?;
        let pulse = transcript.seed.nist.as_ref().filter(|pulse| pulse.certificate.is_some());
        let whose = pulse.and_then(Pulse::whose);
        match pulse.map(|pulse| pulse.has_certificate(&certificate)).transpose() {
            Ok(Some(true)) => verdict.unchecked.retain(|line| Some(line) != whose.as_ref()),
            Ok(Some(false)) => {
                verdict.wrong.push("the certificate is not the one of --certificate".to_owned());
            }
            Ok(None) => {
                verdict
                    .wrong
                    .push("the transcript has no certificate to compare with --certificate".to_owned());
            }
            Err(error) => return Err(of(name, &error)),
        }
    }
    let mut text = String::new();
    if verdict.agrees() {
        let plan = &transcript.plan;
        let (picks, n, method) = (transcript.picks.len(), plan.n, plan.method.name());
        text += &format!("agrees: {picks} of {n} by {method}, seed from {}\n", transcript.seed.from.name());
    }
    verdict.wrong.iter().for_each(|what| text += &format!("does not agree: {what}\n"));
    text += &format!("hwdraw/1 commitment {commitment}\n");
    verdict.unchecked.iter().for_each(|what| text += &format!("not checked: {what}\n"));
    write_line(text.as_bytes())?;
    Ok(if verdict.agrees() { SUCCESS } else { FAILURE })
}
