//! `hashwell draw`: a sample that anyone can recheck.

use crate::inputs::reading::read_named;
use crate::options::bytes::from_hex;
use crate::options::draw_args::{DrawOptions, Replay};
use crate::outputs::output::write_file;
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, complain, printable, write_line};
use data_encoding::HEXLOWER;
use hashwell::EntropySource;
use hashwell_draw::Error;
use hashwell_draw::hwdraw::beacon::{drand::Round, nist::Pulse};
use hashwell_draw::hwdraw::replay::{consistent, rfc3797, rivest};
use hashwell_draw::hwdraw::{Columns, Frame, Method, Plan, Seed, Transcript, Wishes};
use std::ffi::OsString;

/// The most bytes of a list or a transcript, which are kept in memory.
pub(crate) const MOST: u64 = 1 << 30;

/// The most bytes of a beacon's JSON, or of a certificate.
pub(crate) const MOST_BEACON: u64 = 1 << 20;

/// The most ids that consistent-sampler makes tickets of, each some 100 bytes.
const MOST_REPLAYED: u64 = 10_000_000;

/// What transcripts name as their program.
const PROGRAM: &str = concat!("hashwell ", env!("CARGO_PKG_VERSION"));

pub(crate) fn run(options: &DrawOptions) -> Result<u8, Failure> {
    let text = match options.replay {
        Some(replay) => lines(&replayed(replay, options)?, options.zero)?,
        None => drawn(options)?,
    };
    write_line(text.as_bytes())?;
    Ok(SUCCESS)
}

/// What is to be printed, the ids that were drawn or the commitment. The transcript is written by then.
fn drawn(options: &DrawOptions) -> Result<String, Failure> {
    check_usage(options)?;
    let seed = if options.commit { None } else { Some(seed(options)?) };
    let method = options.method;
    let frame = frame(options, Columns { stratum: options.strata.is_some(), weight: method.is_weighted() })?;
    let source = seed.as_ref().map(Seed::source);
    let wishes = Wishes {
        context: options.context.clone(),
        k: options.k,
        p: options.p.clone(),
        scale: options.scale,
        allocation: options.strata.map(Into::into),
        seed_source: options.seed_source.clone().or(source).unwrap_or_default(),
        words: Some(words(&options.source)?),
    };
    let plan = Plan::new(&frame, method, wishes).map_err(work)?;
    let commitment = HEXLOWER.encode(&plan.commitment());
    if let Some(committed) = &options.committed
        && !committed.eq_ignore_ascii_case(&commitment)
    {
        return Err(Failure::Work(format!(
            "the commitment is {commitment}, not {committed}: nothing was drawn"
        )));
    }
    let Some(seed) = seed else {
        return Ok(format!("hwdraw/1 commitment {commitment}\n{}\n", plan.text()));
    };
    let transcript = Transcript::draw(plan, seed, &frame, PROGRAM).map_err(work)?;
    let ids: Vec<&str> = transcript.picks.iter().map(|pick| &*pick.id).collect();
    let text = lines(&ids, options.zero)?;
    if let Some(path) = &options.transcript {
        write_file(path, transcript.to_json().as_bytes())?;
    }
    Ok(text)
}

/// What clap cannot say.
fn check_usage(options: &DrawOptions) -> Result<(), Failure> {
    let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
    match (options.method, options.k, &options.p) {
        (Method::Bernoulli, Some(_), _) => {
            return usage("bernoulli takes -p, the chance of each row, and no -k");
        }
        (Method::Bernoulli, None, None) => {
            return usage("how likely? bernoulli needs -p, the chance of each row");
        }
        (Method::Bernoulli, ..) => {}
        (_, _, Some(_)) => return usage("-p is of --method bernoulli; how many is -k"),
        (_, None, _) => return usage("how many? give -k"),
        _ => {}
    }
    if options.commit && options.seed_source.is_none() {
        return usage(
            "--commit needs --seed-source: where will the seed come from? as: --seed-source \"dice, thrown on 3 May\"",
        );
    }
    if options.scale.is_some() && !options.method.is_weighted() {
        return usage("--scale is of weighted methods");
    }
    Ok(())
}

/// The source's own name, whichever of its spellings was given.
fn words(name: &str) -> Result<String, Failure> {
    let source =
        hashwell::Source::find(name).map_err(|error| Failure::Usage(format!("--source: {error}")))?;
    Ok(source.name())
}

fn seed(options: &DrawOptions) -> Result<Seed, Failure> {
    let usage = |error: Error| Failure::Usage(error.to_string());
    if let Some(text) = &options.seed {
        return Ok(Seed::text(text));
    }
    if let Some(hex) = &options.seed_hex {
        return from_hex("--seed-hex", hex).map(|bytes| Seed::hex(&bytes)).map_err(Failure::Usage);
    }
    if let Some(digits) = &options.dice {
        return Seed::dice(digits).map_err(usage);
    }
    if let Some(name) = &options.drand {
        let json = read_named(name, MOST_BEACON)?;
        let chain = options.drand_chain.as_ref().map(|name| read_named(name, MOST_BEACON)).transpose()?;
        let round = Round::read(&json, chain.as_deref()).map_err(|error| of(name, &error))?;
        return Seed::drand(round).map_err(work);
    }
    if let Some(name) = &options.nist {
        let json = read_named(name, MOST_BEACON)?;
        let certificate =
            options.certificate.as_ref().map(|name| read_named(name, MOST_BEACON)).transpose()?;
        let (pulse, value) = Pulse::read(&json, certificate.as_deref()).map_err(|error| of(name, &error))?;
        return Ok(Seed::nist(pulse, &value));
    }
    if !options.os_seed {
        return Err(Failure::Usage(
            "a draw needs a seed that nobody could choose: --dice DIGITS, --drand FILE, --seed TEXT; or --os-seed, which \
             convinces only yourself"
                .to_owned(),
        ));
    }
    let mut bytes = [0; 32];
    hashwell::OsEntropy.fill(&mut bytes).map_err(|error| Failure::Work(error.to_string()))?;
    complain(&format_args!("seed: --seed-hex {} --seed-source os", HEXLOWER.encode(&bytes)));
    Ok(Seed::os(&bytes))
}

fn frame(options: &DrawOptions, columns: Columns) -> Result<Frame, Failure> {
    if let Some(n) = options.numbers {
        return Ok(Frame::numbers(n));
    }
    let name = options.file.clone().unwrap_or_else(|| "-".into());
    Frame::read(&read_named(&name, MOST)?, columns, options.zero, options.open)
        .map_err(|error| of(&name, &error))
}

pub(crate) fn of(name: &OsString, error: &Error) -> Failure {
    Failure::Work(format!("{}: {error}", printable(name)))
}

fn work(error: Error) -> Failure {
    Failure::Work(error.to_string())
}

/// What another specification draws.
fn replayed(replay: Replay, options: &DrawOptions) -> Result<Vec<String>, Failure> {
    let k = options.k.ok_or_else(|| Failure::Usage("how many? give -k".to_owned()))?;
    let replacement = match options.method {
        Method::Index => false,
        Method::Replace if !matches!(replay, Replay::Rfc3797) => true,
        _ => {
            return Err(Failure::Usage(
                "--replay goes with no --method but replace, and rfc3797 not with that".to_owned(),
            ));
        }
    };
    let seed = options.seed.as_deref().unwrap_or_default();
    // Their lists have an order, which is part of the draw.
    let frame = match options.numbers {
        Some(n) => Frame::numbers(n),
        None => {
            let name = options.file.clone().unwrap_or_else(|| "-".into());
            Frame::read(&read_named(&name, MOST)?, Columns::default(), options.zero, true)
                .map_err(|error| of(&name, &error))?
        }
    };
    let numbers: Vec<u64> = match replay {
        Replay::Rfc3797 => {
            let key = if seed.contains('/') { seed.to_owned() } else { rfc3797::key(seed).map_err(work)? };
            let picks = rfc3797::picks(key.as_bytes(), frame.len(), k).map_err(work)?;
            picks.into_iter().map(|pick| pick.number).collect()
        }
        Replay::Rivest => rivest::picks(seed, frame.len(), k, replacement).map_err(work)?,
        Replay::ConsistentSampler => {
            if frame.len() > MOST_REPLAYED {
                return Err(Failure::Work(format!(
                    "n of consistent-sampler must be at most {MOST_REPLAYED}, not {}",
                    frame.len()
                )));
            }
            let ids: Vec<_> = (0..frame.len()).map(|position| frame.id(position)).collect();
            let picks = consistent::picks(ids.iter().map(|id| &**id), seed, k, replacement).map_err(work)?;
            return Ok(picks.into_iter().map(|pick| pick.id).collect());
        }
    };
    Ok(numbers.into_iter().map(|number| frame.id(number - 1).into_owned()).collect())
}

/// A line for each id, or a text that ends in NUL.
fn lines(picks: &[impl AsRef<str>], zero: bool) -> Result<String, Failure> {
    let ids = || picks.iter().map(AsRef::as_ref);
    if let Some(id) = ids().find(|id| !zero && id.contains('\n')) {
        return Err(Failure::Work(format!("the id {id:?} has a newline: print with -z")));
    }
    let end = if zero { "\0" } else { "\n" };
    Ok(ids().flat_map(|id| [id, end]).collect())
}
