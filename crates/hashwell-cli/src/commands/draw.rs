//! `hashwell draw`: a draw that anyone can verify.

use crate::commands::draw_list::{self, WITH_WEIGHTS, of};
use crate::inputs::reading::read_named;
use crate::inputs::seed::warn_if_empty;
use crate::inputs::stamps::nanoseconds;
use crate::options::bytes::from_hex;
use crate::options::draw_args::{DrawOptions, Replay};
use crate::outputs::output::{check_not_input, write_file};
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, complain, printable, write_line};
use data_encoding::HEXLOWER;
use hashwell::{EntropySource, Sha256};
use hashwell_draw::Error;
use hashwell_draw::hwdraw::beacon::drand::{CHAINS, Round};
use hashwell_draw::hwdraw::beacon::nist::{CERTIFICATES, Certificate, Pulse};
use hashwell_draw::hwdraw::replay::{consistent, rfc3797, rivest};
use hashwell_draw::hwdraw::{
    self, Columns, EntryList, Method, Origin, Plan, Planned, Seed, SeedSource, Transcript,
};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The maximum size in bytes of a beacon's JSON, or of a certificate.
pub(crate) const MAX_BEACON: u64 = 1 << 20;

/// The maximum number of ids for which consistent-sampler makes tickets, at about 100 bytes each.
const MAX_REPLAYED: u64 = 10_000_000;

/// The names of the specifications of `--replay`.
pub(crate) const REPLAYED: [&str; 3] = ["rfc3797", "rivest", "consistent-sampler"];

/// The number of bytes of a seed from the operating system.
const OS_SEED: usize = 32;

/// The name of this program in transcripts.
const PROGRAM: &str = concat!("hashwell ", env!("CARGO_PKG_VERSION"));

pub(crate) fn run(options: &DrawOptions) -> Result<u8, Failure> {
    if let Some(path) = &options.transcript {
        let beacons = [&options.drand, &options.drand_chain, &options.nist, &options.certificate];
        check_not_input("--transcript", path, options.file.iter().chain(beacons.into_iter().flatten()))?;
    }
    let text = match options.replay {
        Some(replay) => replayed(replay, options)?,
        None => drawn(options)?,
    };
    write_line(text.as_bytes())?;
    Ok(SUCCESS)
}

/// Returns the text to print: the drawn ids or the commitment. The transcript has been written by then.
fn drawn(options: &DrawOptions) -> Result<String, Failure> {
    check_usage(options)?;
    let seed = if options.commit { None } else { Some(seed(options)?) };
    let method = options.method;
    let entries =
        entries(options, Columns { stratum: options.strata.is_some(), weight: method.is_weighted() })?;
    let seed_source = seed_source(options, seed.as_ref())?;
    let chosen = hwdraw::DrawOptions {
        context: options.context.clone(),
        k: options.picks,
        p: options.probability.clone(),
        scale: options.scale,
        allocation: options.strata.map(Into::into),
        seed_source,
        random_source: Some(random_source(&options.source)?),
    };
    let plan = Plan::new(&entries, method, chosen).map_err(work)?;
    if let Some(committed) = &options.committed {
        plan.check_commitment(committed).map_err(work)?;
    }
    let Some(seed) = seed else {
        let commitment = HEXLOWER.encode(&plan.commitment());
        if let Some(warning) = foreseeable(&plan.seed_source.planned, nanoseconds(SystemTime::now())) {
            complain(&warning);
        }
        return Ok(format!("hwdraw/1 commitment {commitment}\n{}\n", plan.text()));
    };
    let mut lines = Lines::new(options.zero);
    let Some(path) = &options.transcript else {
        let mut add = |id: &str| {
            lines.add(id);
            Ok(())
        };
        Transcript::draw_ids(&plan, &seed, &entries, &mut add).map_err(work)?;
        return lines.text();
    };
    let transcript = Transcript::draw(plan, seed, &entries, PROGRAM).map_err(work)?;
    transcript.picks.iter().for_each(|pick| lines.add(&pick.id));
    let text = lines.text()?;
    write_file(path, transcript.to_json().as_bytes())?;
    Ok(text)
}

/// Checks the rules about options that clap cannot express.
fn check_usage(options: &DrawOptions) -> Result<(), Failure> {
    let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
    match (options.method, options.picks, &options.probability) {
        (Method::Bernoulli, Some(_), _) => {
            return usage("--method bernoulli takes -p/--probability, not -n/--picks");
        }
        (Method::Bernoulli, None, None) => {
            return usage("--method bernoulli needs -p P, the probability of each row");
        }
        (Method::Bernoulli, ..) => {}
        (_, _, Some(_)) => {
            return usage("-p requires --method bernoulli (to draw a fixed number of rows, use -n/--picks)");
        }
        (_, None, _) => return usage("missing option -n K: the number of rows to draw"),
        _ => {}
    }
    if options.commit && options.seed_source.is_none() {
        return usage(
            "--commit requires --seed-source with the kind of the planned seed: dice, text, hex, os, \
             \"drand CHAIN ROUND\" or \"nist CHAIN PULSE\" (--seed-description can describe the source in words)",
        );
    }
    if options.range.is_some() && options.list.is_given() {
        return usage("--range draws from integers, not from a list: remove options such as --id and --csv");
    }
    let plans_nist = options
        .seed_source
        .as_ref()
        .is_some_and(|words| words.split(' ').next() == Some(Origin::Nist.name()));
    if options.certificate.is_some() && options.nist.is_none() && !plans_nist {
        return usage("--certificate requires --nist or --seed-source \"nist CHAIN PULSE\"");
    }
    if options.drand_chain.is_some() && options.drand.is_none() {
        return usage("--drand-chain requires --drand");
    }
    if options.scale.is_some() && !options.method.is_weighted() {
        return usage("--scale requires a weighted method (weighted-ticket or pps-systematic)");
    }
    Ok(())
}

/// Returns the canonical name of a random source, for any of its spellings.
fn random_source(name: &str) -> Result<String, Failure> {
    let source =
        hashwell::Source::find(name).map_err(|error| Failure::Usage(format!("--source: {error}")))?;
    Ok(source.name())
}

fn seed(options: &DrawOptions) -> Result<Seed, Failure> {
    let usage = |error: Error| Failure::Usage(error.to_string());
    if let Some(text) = &options.seed {
        warn_if_empty(text.as_bytes());
        return Ok(Seed::text(text));
    }
    if let Some(hex) = &options.seed_hex {
        let bytes = from_hex("--seed-hex", hex).map_err(Failure::Usage)?;
        warn_if_empty(&bytes);
        // This repeats a draw with --os-seed, which prints these two options.
        let is_os = bytes.len() == OS_SEED && options.seed_source.as_deref() == Some(Origin::Os.name());
        return Ok(if is_os { Seed::os(&bytes) } else { Seed::hex(&bytes) });
    }
    if let Some(digits) = &options.dice {
        return Seed::dice(digits).map_err(usage);
    }
    if let Some(name) = &options.drand {
        let json = read_named(name, MAX_BEACON)?;
        let chain = options.drand_chain.as_ref().map(|name| read_named(name, MAX_BEACON)).transpose()?;
        let round = Round::read(&json, chain.as_deref()).map_err(|error| of(name, &error))?;
        return Seed::drand(round).map_err(work);
    }
    if let Some(name) = &options.nist {
        let json = read_named(name, MAX_BEACON)?;
        let certificate =
            options.certificate.as_ref().map(|name| read_named(name, MAX_BEACON)).transpose()?;
        let (pulse, value) = Pulse::read(&json, certificate.as_deref()).map_err(|error| of(name, &error))?;
        return Ok(Seed::nist(pulse, &value));
    }
    if !options.os_seed {
        return Err(Failure::Usage(
            "a draw needs a seed that no one could choose: give --dice DIGITS, --drand FILE, --nist FILE or --seed TEXT (or \
             --os-seed, if other people need not trust the draw)"
                .to_owned(),
        ));
    }
    let mut bytes = [0; OS_SEED];
    hashwell::OsEntropy.fill(&mut bytes).map_err(|error| Failure::Work(error.to_string()))?;
    complain(&format_args!("seed: --seed-source os --seed-hex {}", HEXLOWER.encode(&bytes)));
    Ok(Seed::os(&bytes))
}

/// Returns a warning if the planned seed may be known already, or if its beacon may not be able to provide it. `now`:
/// the time in nanoseconds since 1970.
fn foreseeable(planned: &Planned, now: i128) -> Option<String> {
    let date = |seconds: i64| {
        let time = UNIX_EPOCH + Duration::from_secs(seconds.try_into().unwrap_or(0));
        humantime::format_rfc3339_seconds(time).to_string()
    };
    let is_past = |seconds: i64| i128::from(seconds) * 1_000_000_000 <= now;
    match planned {
        Planned::Drand { chain, round } => match CHAINS.iter().find(|known| known.hash == chain) {
            Some(known) => is_past(known.time(*round)).then(|| {
                let (name, time) = (known.name, date(known.time(*round)));
                format!("round {round} of the drand chain {name} was published on {time}, so the seed is already known")
            }),
            None => Some(format!(
                "the drand chain {chain} is not one of {}: the draw and its verification will need --drand-chain",
                CHAINS.map(|known| known.name).join(", ")
            )),
        },
        Planned::Nist { certificate, .. } => {
            let known = CERTIFICATES.iter().find(|known| known.sha512 == certificate)?;
            is_past(known.until).then(|| {
                let until = date(known.until);
                format!(
                    "the planned certificate of the NIST beacon was valid until {until}: later pulses need a \
                     different certificate (--certificate)"
                )
            })
        }
        _ => None,
    }
}

/// The source that the plan announces: the requested one, or else the source of the seed.
fn seed_source(options: &DrawOptions, seed: Option<&Seed>) -> Result<SeedSource, Failure> {
    let planned = match (&options.seed_source, seed) {
        (Some(words), _) => {
            let certificate = options.certificate.as_ref().map(certificate).transpose()?;
            Planned::parse(words, certificate.as_ref())
                .map_err(|error| Failure::Usage(format!("--seed-source: {error}; see --seed-description")))?
        }
        (None, Some(seed)) => seed.source().map_err(work)?.planned,
        (None, None) => Planned::default(),
    };
    Ok(SeedSource { planned, description: options.seed_description.clone() })
}

/// Reads a certificate in PEM or DER.
pub(crate) fn certificate(name: &OsString) -> Result<Certificate, Failure> {
    Certificate::read(&read_named(name, MAX_BEACON)?).map_err(|error| of(name, &error))
}

fn entries(options: &DrawOptions, columns: Columns) -> Result<EntryList, Failure> {
    let (entries, label) = match options.range {
        Some(n) => (EntryList::numbers(n), format!("--range {n}")),
        None => {
            let name = options.file.clone().unwrap_or_else(|| "-".into());
            // Lists in other specifications have an order, which is part of the draw.
            let open = options.open || options.replay.is_some();
            (draw_list::read(&name, &options.list, columns, options.zero, open)?, printable(&name))
        }
    };
    if columns == Columns::default() && !entries.is_empty() && draw_list::may_have_weights(&entries) {
        complain(&format_args!(
            "each row ends with a tab and a number, which is read as part of the row and not as a weight{WITH_WEIGHTS}"
        ));
    }
    // Without this, the error would be about -n.
    match (entries.len(), options.picks) {
        (0, Some(_)) => Err(Failure::Work(format!("{label}: there is nothing to draw from"))),
        _ => Ok(entries),
    }
}

fn work(error: Error) -> Failure {
    Failure::Work(error.to_string())
}

/// Draws by a different specification. Prints the picks, with their tickets if the specification has any, and writes
/// the record.
fn replayed(replay: Replay, options: &DrawOptions) -> Result<String, Failure> {
    let k = options
        .picks
        .ok_or_else(|| Failure::Usage("missing option -n K: the number of rows to draw".to_owned()))?;
    let replacement = match options.method {
        Method::Index => false,
        Method::Replace if !matches!(replay, Replay::Rfc3797) => true,
        _ => {
            return Err(Failure::Usage(
                "--replay supports only --method index and replace (rfc3797: only index)".to_owned(),
            ));
        }
    };
    let seed = options.seed.as_deref().unwrap_or_default();
    let entries = entries(options, Columns::default())?;
    let id = |number: u64| entries.id(number - 1).into_owned();
    let (spec, picks): (_, Vec<(String, Value)>) = match replay {
        Replay::Rfc3797 => {
            let key = if seed.contains('/') { seed.to_owned() } else { rfc3797::key(seed).map_err(work)? };
            let picks = rfc3797::picks(key.as_bytes(), entries.len(), k).map_err(work)?;
            let pick = |pick: rfc3797::Pick| {
                let (id, md5) = (id(pick.number), HEXLOWER.encode(&pick.digest));
                (id.clone(), json!({"id": id, "number": pick.number, "md5": md5, "left": pick.left}))
            };
            (REPLAYED[0], picks.into_iter().map(pick).collect())
        }
        Replay::Rivest => {
            let numbers = rivest::picks(seed, entries.len(), k, replacement).map_err(work)?;
            let pick = |number| (id(number), json!({"id": id(number), "number": number}));
            (REPLAYED[1], numbers.into_iter().map(pick).collect())
        }
        Replay::ConsistentSampler => {
            if entries.len() > MAX_REPLAYED {
                return Err(Failure::Work(format!(
                    "--replay consistent-sampler allows at most {MAX_REPLAYED} entries, not {}",
                    entries.len()
                )));
            }
            let ids: Vec<_> = (0..entries.len()).map(|position| entries.id(position)).collect();
            let picks = consistent::picks(ids.iter().map(|id| &**id), seed, k, replacement).map_err(work)?;
            let pick = |pick: consistent::Pick| {
                let ticket = consistent::shown(&pick.ticket);
                let line = format!("{}\t{ticket}", pick.id);
                let of = json!({"id": pick.id, "ticket": pick.ticket, "generation": pick.generation});
                (line, of)
            };
            (REPLAYED[2], picks.into_iter().map(pick).collect())
        }
    };
    let (printed, picks): (Vec<String>, Vec<Value>) = picks.into_iter().unzip();
    let mut lines = Lines::new(options.zero);
    printed.iter().for_each(|line| lines.add(line));
    let text = lines.text()?;
    if let Some(path) = &options.transcript {
        let mut list = Sha256::new();
        for position in 0..entries.len() {
            let id = entries.id(position);
            list.update(&(id.len() as u64).to_be_bytes());
            list.update(id.as_bytes());
        }
        let record = json!({
            "spec": spec, "program": PROGRAM, "seed": seed, "n": entries.len(), "k": k, "replacement": replacement,
            "list_sha256": HEXLOWER.encode(&list.finalize()), "picks": picks,
        });
        write_file(path, format!("{record:#}\n").as_bytes())?;
    }
    Ok(text)
}

/// The text to print: one id per line, or one id per NUL-terminated string.
struct Lines {
    text: String,
    end: char,
    /// The first id that can't be a line.
    refused: Option<String>,
}

impl Lines {
    fn new(zero: bool) -> Self {
        Self { text: String::new(), end: if zero { '\0' } else { '\n' }, refused: None }
    }

    fn add(&mut self, id: &str) {
        if self.end == '\n' && self.refused.is_none() && id.contains('\n') {
            self.refused = Some(id.to_owned());
        }
        self.text.push_str(id);
        self.text.push(self.end);
    }

    fn text(self) -> Result<String, Failure> {
        match self.refused {
            Some(id) => Err(Failure::Work(format!("the id {id:?} contains a newline: use -z"))),
            None => Ok(self.text),
        }
    }
}
