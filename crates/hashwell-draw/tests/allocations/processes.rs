//! Processes: models of the registry and user-defined ones, interpreters, charts and texts.

use crate::refusing::{Answer, Call, again, again_after, number, number_of};
use crate::{key, shown, words};
use hashwell::random::ByteSource;
use hashwell::{RandomSource, Source};
use hashwell_draw::process::builtin::{
    Ar1, Chain, Crp, CrpTables, GaltonWatson, GamblersRuin, Geometric, Hmm, HoppeUrn, Keep, MarkovChain,
    Moran, NegativeBinomial, Partition, PitmanYor, PolyaUrn, RandomWalk, Seating, StickBreaking, Walk,
};
use hashwell_draw::process::interpret::{
    Depth, Limits, each, exact, expect, explain, pieces, sample, score, simulate, trace, weigh, weigh_one,
};
use hashwell_draw::process::registry::{Argument, Data, Given, Model, PROCESSES, Value, find, sizes, tables};
use hashwell_draw::process::{
    Coalgebra, Distribution, ExactTable, Flow, Mwc256, Outcome, Program, Run, Streams, ana, apo, futu,
    picture, show,
};
use hashwell_draw::{Error, Watch};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::LazyLock;

/// A small process for each row of the registry.
fn model(name: &str) -> Result<Model, Error> {
    const GIVEN: &[(&str, &[(&str, &str)])] = &[
        ("geometric", &[("p", "0.3")]),
        ("negative-binomial", &[("r", "3"), ("p", "0.3")]),
        ("crp", &[("n", "6"), ("alpha", "1.5")]),
        ("pitman-yor", &[("n", "6"), ("discount", "0.5")]),
        ("stick-breaking", &[("n", "6")]),
        ("polya-urn", &[("n", "6"), ("balls", "1,2")]),
        ("hoppe-urn", &[("n", "6")]),
        ("random-walk", &[("n", "6")]),
        ("gamblers-ruin", &[("start", "2"), ("target", "5")]),
        ("markov-chain", &[("n", "6"), ("transition", "0.9,0.1;0.2,0.8")]),
        (
            "hmm",
            &[
                ("initial", "0.5,0.5"),
                ("transition", "0.9,0.1;0.2,0.8"),
                ("emission", "0.7,0.3;0.1,0.9"),
                ("observed", "0,1,1,0"),
            ],
        ),
        ("ar1", &[("n", "6"), ("phi", "0.5")]),
        ("galton-watson", &[("generations", "4"), ("offspring", "0.5,0.3,0.2")]),
        ("moran", &[("n", "6"), ("start", "2")]),
    ];
    let parameters = GIVEN.iter().find(|(own, _)| *own == name).expect("each process is given").1;
    let given = parameters.iter().fold(Given::new(), |given, (name, value)| given.with(name, *value));
    find(name)?.build(&given, None)
}

fn run() -> Run {
    Run::seeded(b"allocations").expect("the source is there")
}

/// Limits for one thread, because other threads allocate memory when they are started.
fn limits() -> Limits<'static> {
    Limits { terms: 1 << 20, threads: 1, mass: 1e-3, steps: 50, states: 1 << 12, watch: Watch::never() }
}

/// Draws, traces, and scores the trace.
fn drawn<C: Coalgebra<Out: Debug>>(process: &C) -> Answer {
    let out = sample(process, &mut words(), &Limits::default())?;
    let watch = Watch::new(&|_| ControlFlow::Continue(()));
    let watched = Limits { terms: 1 << 10, watch: &watch, ..limits() };
    let same = sample(process, &mut words(), &watched)?;
    let traced = trace(process, &mut words(), &Limits::default())?;
    let short = trace(process, &mut words(), &watched)?;
    let score = score(process, &traced.outcomes(), &Limits::default())?;
    let (weighted, weight) = weigh_one(process, &mut words(), &watched)?;
    let chance = [traced.log_probability()?, short.log_weight, weight].map(f64::to_bits);
    Ok(shown(&(out, same, traced.out))? ^ shown(&(weighted, score))? ^ number_of(chance))
}

/// Same as [`drawn`], and also enumerates all possible outcomes, sorted.
fn enumerated<C>(process: &C) -> Answer
where
    C: Coalgebra<State: Clone + Eq + Hash, Out: Debug + Ord + Eq + Hash>,
{
    let law = exact(process, &limits())?.sorted();
    let mean = expect(process, &limits(), |_| 1.0)?;
    let sum = shown(&law.posterior()?)? ^ law.log_evidence().to_bits() ^ mean.value.to_bits();
    Ok(sum ^ drawn(process)?)
}

/// Flips a coin until there are two heads (an `ana`).
fn flips() -> impl Coalgebra<State = u32, Out = u32> {
    let done = |&heads: &u32| (heads >= 2).then_some(heads);
    ana(
        0,
        done,
        |_: &u32| Distribution::Bernoulli(0.5),
        |heads, draw: Outcome| heads + u32::from(draw.flag()),
    )
}

fn ending_flips() -> impl Coalgebra<State = u32, Out = u32> {
    let next =
        |flips: u32, draw: Outcome| if draw.flag() { Flow::Done(flips) } else { Flow::More(flips + 1) };
    apo(0, |_: &u32| Distribution::Bernoulli(0.5), next)
}

fn die(sides: u64) -> Program<u64> {
    Program::term(Distribution::Below(sides), |draw| Program::Pure(draw.index() + 1))
}

/// Two dice per step.
fn rolls() -> impl Coalgebra<Out = u64, State: Clone + Eq + Hash> {
    futu(0_u64, |&sum| {
        die(2).and_then(move |one| {
            let next = move |other| if sum > 4 { Flow::Done(sum) } else { Flow::More(sum + one + other) };
            die(2).and_then(move |other| Program::Pure(next(other)))
        })
    })
}

fn hmm() -> Result<Hmm, Error> {
    let emission = vec![vec![0.7, 0.3], vec![0.1, 0.9]];
    Hmm::new(vec![0.5, 0.5], transition(), emission, &[0, 1, 1, 0])
}

fn transition() -> Vec<Vec<f64>> {
    vec![vec![0.9, 0.1], vec![0.2, 0.8]]
}

/// Models that are created before the call.
struct Models {
    ar1: Ar1,
    crp: Crp,
    tables: CrpTables,
    family: GaltonWatson,
    ruin: GamblersRuin,
    geometric: Geometric,
    hmm: Hmm,
    hoppe: HoppeUrn,
    chain: MarkovChain,
    moran: Moran,
    waiting: NegativeBinomial,
    partition: Partition,
    polya: PolyaUrn,
    walk: RandomWalk,
    sticks: StickBreaking,
}

impl Models {
    fn new() -> Result<Self, Error> {
        Ok(Self {
            ar1: Ar1::new(5, 0.5, 0.1, 1.0, 0.0)?,
            crp: Crp::new(5, 1.5)?,
            tables: CrpTables::new(5, 1.5, Seating::Ana)?,
            family: GaltonWatson::new(vec![0.5, 0.3, 0.2], 3, 1, 100, Keep::All)?,
            ruin: GamblersRuin::new(2, 4, 0.4)?,
            geometric: Geometric::new(0.3)?,
            hmm: hmm()?,
            hoppe: HoppeUrn::new(5, 1.5)?,
            chain: MarkovChain::new(transition(), 0, 4)?,
            moran: Moran::new(4, 2, 1.0)?,
            waiting: NegativeBinomial::new(2, 0.4)?,
            partition: Partition::new(5, 1.5, 0.2)?,
            polya: PolyaUrn::new(vec![1.0, 2.0], 1.0, 4, Keep::All)?,
            walk: RandomWalk::new(4, 0.4, 0)?,
            sticks: StickBreaking::new(5, 1.5, 0.2)?,
        })
    }
}

static MODELS: LazyLock<Models> = LazyLock::new(|| Models::new().expect("all have parameters"));
static ROW: LazyLock<Model> = LazyLock::new(|| model("crp").expect("it is given"));

/// The initial state and the first step of a chain.
fn first_step(chain: &impl Chain) -> Answer {
    let place = chain.begin();
    let next = chain.step(place, Outcome::Index(1));
    Ok(number_of([place as u64, next as u64, chain.absorbs(next).into(), shown(&chain.steps())?]))
}

pub(super) const QUIET: &[(&str, Call)] = &[
    ("what models say", || {
        let Models { ar1, crp, tables, family, ruin, geometric, hmm, moran, waiting, .. } = &*MODELS;
        let Models { hoppe, partition, polya, walk, sticks, .. } = &*MODELS;
        let pairs = [ar1.last(), family.last(), waiting.moments(), partition.tables(), walk.end()];
        let pairs = pairs.into_iter().chain([polya.first_colour()]).chain(ar1.stationary());
        let parts = [crp.partition(), hoppe.partition(), sticks.partition()].map(|part| part.together());
        let chances = [ar1.log_probability(&[0.1, 0.2, 0.3, 0.4, 0.5]), waiting.log_probability(3)];
        let closed =
            [family.extinct(), ruin.games(), ruin.ruin(), moran.fixation(), geometric.p(), crp.alpha()];
        let counts = [ar1.n(), crp.n(), tables.crp().n(), partition.n(), polya.n(), family.generations()];
        let sizes = [hmm.observations(), hmm.states(), polya.colours()].map(|size| size as u64);
        let floats = pairs.flat_map(|(one, other)| [one, other]).chain(parts).chain(chances).chain(closed);
        Ok(number_of(floats.map(f64::to_bits).chain(counts.map(u64::from)).chain(sizes)))
    }),
    ("what chains say", || {
        let Models { ruin, chain, moran, walk, .. } = &*MODELS;
        let first = [first_step(ruin)?, first_step(chain)?, first_step(moran)?, first_step(walk)?];
        Ok(number_of(first) ^ shown(&(ruin.distribution(2), chain.distribution(1), walk.distribution(0)))?)
    }),
    ("what a row says", || {
        let (value, data) = (Value::Labels(Vec::new()), Data::U32(Vec::new()));
        let names = number(ROW.encoding().bytes()) ^ number(ROW.entry().name.bytes());
        let sizes = [data.len() as u64, data.is_empty().into(), ROW.observes().into(), show::count(&value)];
        let chance = ROW.log_probability(&Value::Whole(7)).map_or(1, f64::to_bits);
        let defaults = (Depth::default(), Limits::default().states);
        Ok(number_of(sizes.into_iter().chain([names, chance, shown(&(value.kind(), defaults))?])))
    }),
    ("a law's draws", || {
        let laws = [
            Distribution::Bernoulli(0.3),
            Distribution::Uniform,
            Distribution::Below(6),
            Distribution::Gaussian { mean: 0.0, deviation: 1.0 },
            Distribution::Beta { a: 2.0, b: 3.0 },
            Distribution::Categorical((&[0.2, 0.8][..]).into()),
            Distribution::Observe(0.5),
        ];
        let (words, mut sum) = (&mut words(), 0);
        for law in &laws {
            let law = law.borrowed();
            let draw = law.draw(words)?;
            let said = match draw {
                Outcome::Index(_) => draw.index() ^ u64::from(draw.index() < 2 && draw.flag()),
                Outcome::Real(_) => draw.real().to_bits(),
                Outcome::Nothing => 0,
            };
            sum = number_of([sum, said, law.admits(draw).into(), law.log_probability(draw)?.to_bits()]);
        }
        laws[0].each_outcome(|_, chance| {
            sum = number_of([sum, chance.to_bits()]);
            Ok(())
        })?;
        Ok(sum)
    }),
    ("multiply with carry", || {
        let mut all = [Mwc256::new(), Mwc256::default(), Mwc256::seeded(&[1, 2, 3])];
        let first =
            all.each_mut().map(|mwc| u64::from(mwc.next_u32()) ^ mwc.next_u64() ^ mwc.next_f64().to_bits());
        let [mut words, ..] = all.map(Mwc256::into_words);
        Ok(number_of(first) ^ words.next_u64()?)
    }),
    ("a seed of a run", || {
        let runs = [Run::of_seed(Source::find("blake3")?, b"seed"), Run::seeded(b"seed")?];
        let own = Run::new(Source::find("blake3")?, key());
        Ok(u64::from(runs[0] == runs[1]) + u64::from(own == runs[0]))
    }),
];

pub(super) const ASKING: &[(&str, Call)] = &[
    ("all are built and sampled", || {
        let mut sum = 0;
        for row in PROCESSES {
            let value = model(row.name)?.sample(&mut run().words()?, &Limits::default())?;
            sum = number_of([sum, shown(&value)?]);
        }
        Ok(sum)
    }),
    ("replicates of partitions", || {
        shown(&model("crp")?.simulate(Streams::Separate(&run(), 0..50), &limits())?)
    }),
    ("replicates of paths", || {
        shown(&model("markov-chain")?.simulate(Streams::Separate(&run(), 0..50), &limits())?)
    }),
    ("replicates of reals", || shown(&model("ar1")?.simulate(Streams::Separate(&run(), 0..50), &limits())?)),
    ("replicates in a row", || {
        let words: &mut dyn RandomSource = &mut run().words()?;
        shown(&model("hoppe-urn")?.simulate(Streams::Shared(words, 50), &limits())?)
    }),
    ("replicates on threads", || {
        let two = Limits { threads: 2, ..limits() };
        shown(&model("geometric")?.simulate(Streams::Separate(&run(), 0..5000), &two)?)
    }),
    ("a law", || shown(&model("crp")?.exact(&limits())?)),
    ("the law of a statistic", || shown(&model("pitman-yor")?.exact_statistic(&limits())?)),
    ("outcomes and their picture", || {
        let model = model("geometric")?;
        let outcomes = ExactTable::of(&model, false, &limits())?;
        let mut counted = outcomes.counter();
        counted.add(&Value::Whole(2));
        let facts = shown(&outcomes.facts(&model, Some(&counted)))?;
        Ok(number_of([facts, number(outcomes.picture(&model, Some((&counted, 1))).bytes())]))
    }),
    ("a trace and its score", || {
        let model = model("markov-chain")?;
        let trace = model.trace(&mut run().words()?, &Limits::default())?;
        let score = model.score(&trace.outcomes(), &Limits::default())?;
        Ok(number_of([shown(&trace.out)?, shown(&score)?, trace.log_probability()?.to_bits()]))
    }),
    ("a tree of terms", || {
        let tree =
            model("polya-urn")?.explain(&Depth { terms: 3, ..Depth::default() }, &Limits::default())?;
        Ok(number(tree.text().bytes()))
    }),
    ("weights and what was hidden", || {
        let model = model("hmm")?;
        let weighted = model.weigh(Streams::Separate(&run(), 0..30), &limits())?;
        let smooth = model.smooth().expect("it observes")?;
        Ok(number_of([shown(&weighted.posterior()?)?, shown(&smooth)?, model.moments().len() as u64]))
    }),
    ("pictures", || {
        let labels = picture::of(&model("crp")?, &Value::Labels(vec![0, 0, 1, 0, 2, 1]));
        let sticks = model("stick-breaking")?
            .sticks(&mut run().words()?, &Limits::default())
            .expect("it has sticks")?;
        Ok(number_of([number(labels.bytes()), shown(&sticks)?]))
    }),
    ("urns, restaurants and their like", || {
        let all = Models::new()?;
        let sums = [
            enumerated(&all.crp)?,
            enumerated(&all.tables.enumerable())?,
            drawn(&CrpTables::new(4, 1.5, Seating::Futu)?)?,
            enumerated(&all.hoppe)?,
            enumerated(&all.polya)?,
            enumerated(&all.partition)?,
            enumerated(&PitmanYor::new(4, 1.5, 0.2)?)?,
        ];
        let partition = PitmanYor::of(all.partition).partition();
        Ok(number_of(sums) ^ u64::from(partition.n()) ^ drawn(&all.polya.summary())?)
    }),
    ("waiting, chains, families", || {
        let all = Models::new()?;
        let walk = Walk::new(all.walk, Keep::All);
        let sums = [
            enumerated(&all.geometric)?,
            enumerated(&all.waiting)?,
            enumerated(&walk.summary())?,
            enumerated(&Walk::new(all.ruin, Keep::Summary))?,
            enumerated(&Walk::new(all.chain, Keep::All))?,
            enumerated(&Walk::new(all.moran, Keep::Summary))?,
            enumerated(&all.family.summary())?,
            enumerated(&all.family)?,
        ];
        let chance = walk.log_probability(&[0, 1, 0, 1, 2]);
        Ok(number_of(sums) ^ chance.to_bits() ^ walk.chain().begin() as u64)
    }),
    ("what is hidden, and reals", || {
        let all = Models::new()?;
        let (filtered, smooth) = (all.hmm.filter()?, all.hmm.smooth()?);
        let hidden = shown(&(filtered, smooth, all.hmm.log_evidence()?))?;
        let end = shown(&MODELS.chain.end())?;
        let sticks = sample(&all.sticks, &mut words(), &Limits::default())?.sticks();
        let sums = [
            enumerated(&all.hmm)?,
            enumerated(&all.hmm.summary())?,
            drawn(&all.ar1)?,
            drawn(&all.sticks)?,
            drawn(&all.sticks.without_sticks())?,
            shown(&sticks)?,
        ];
        Ok(number_of(sums) ^ hidden ^ end)
    }),
    ("labels behind others", || {
        let mut labels = vec![7];
        MODELS.crp.labels(&mut words(), &mut labels, Watch::never())?;
        MODELS.hoppe.labels(&mut words(), &mut labels, Watch::never())?;
        PitmanYor::new(5, 1.5, 0.2)?.labels(&mut words(), &mut labels, Watch::never())?;
        let chances =
            [MODELS.partition.log_probability(&[0, 0, 1, 2, 1]), MODELS.polya.log_probability(&[0, 1, 1, 0])];
        shown(&(labels, chances))
    }),
    ("processes of one's own", || {
        let sums = [
            enumerated(&flips())?,
            enumerated(&&ending_flips())?,
            enumerated(&rolls())?,
            enumerated(&die(6).and_then(|one| die(2).and_then(move |other| Program::Pure(one + other))))?,
        ];
        Ok(number_of(sums))
    }),
    ("interpreters of one's own process", || {
        let (flips, mut sum) = (flips(), 0);
        each(&flips, &run(), 0..20, &limits(), |j, heads| {
            sum = number_of([sum, j, heads.into()]);
            Ok(ControlFlow::Continue(()))
        })?;
        let simulated = simulate(&flips, &run(), 0..20, &limits())?;
        let weighed = weigh(&flips, &run(), 0..20, &limits())?;
        let mean = weighed.mean(|heads| (*heads).into())?;
        let size = if weighed.is_degenerate() { 0.0 } else { weighed.effective_sample_size()? };
        let facts = [mean, size, weighed.log_evidence()?].map(f64::to_bits);
        let tree = explain(&flips, &Depth { terms: 3, ..Depth::default() }, &Limits::default())?;
        let posterior = shown(&weighed.posterior()?)?;
        Ok(shown(&(simulated.outs, tree))? ^ number_of(facts) ^ posterior ^ sum)
    }),
    ("pieces of a run", || {
        let mut firsts = Vec::new();
        let work = |replicates: &mut hashwell_draw::process::Replicates, _: &Watch<'_>| {
            let mut sum = 0;
            while let Some((j, words)) = replicates.next_words()? {
                sum = number_of([sum, j, words.next_u64()?]);
            }
            Ok(sum)
        };
        let mut take = |sum| {
            firsts.try_reserve(1).map_err(|_| Error::Memory { what: "sums" })?;
            firsts.push(sum);
            Ok(())
        };
        let done = pieces(&run(), 0..20, &limits(), work, &mut take)?;
        Ok(number_of(firsts) ^ done.replicates)
    }),
    ("words of replicates", || {
        let mut sum = run().replicate(7)?.next_u64()? ^ run().words()?.next_u64()?;
        for name in ["blake3", "shake128"] {
            let mut replicates = Run::of_seed(Source::find(name)?, b"seed").replicates(3..9)?;
            while let Some((j, words)) = replicates.next_words()? {
                sum = number_of([sum, j, source(words)?]);
            }
            sum ^= replicates.left().start;
        }
        Ok(sum)
    }),
    ("a model's other ways", || {
        let model = model("markov-chain")?;
        let value = model.sample(&mut run().words()?, &limits())?;
        let traced = model.trace(&mut run().words()?, &limits())?;
        let score = model.score(&traced.outcomes(), &limits())?;
        let depth = Depth { terms: 2, ..Depth::default() };
        let tree = model.explain(&depth, &limits())?;
        let facts = shown(&(model.statistic(&value), model.shape(), model.moments()))?;
        Ok(shown(&(value, score))? ^ number(tree.text().bytes()) ^ facts)
    }),
    ("arguments of each kind", || {
        let given = Given::new()
            .with("text", "1")
            .with("string", "1".to_owned())
            .with("number", 0.5)
            .with("whole", 7_i64)
            .with("small", 7_i32)
            .with("numbers", vec![0.5])
            .with("wholes", vec![7_i64])
            .with("matrix", Argument::from(transition()));
        shown(&given)
    }),
    ("values as texts", || {
        let model = model("crp")?;
        let columns = model.simulate(Streams::Separate(&run(), 0..3), &limits())?;
        let value = show::value(&columns, PROCESSES[0].values, 0);
        let labels = Value::Labels(vec![0, 0, 1, 0, 2, 1]);
        let mut texts = [show::text(&labels), show::json(&labels), show::header(&columns.shape)].concat();
        texts += &show::fields(&labels, &columns.shape);
        texts += &show::items(&value, ' ');
        texts += &show::number(0.25);
        texts += &show::separated([1, 2, 3], ',');
        texts += &show::most_bytes(&labels).to_string();
        texts += &serde_json::to_string(&labels).expect("numbers");
        let facts = show::json_facts([("half", 0.5), ("none", f64::INFINITY)]);
        texts += &serde_json::to_string(&(facts, show::json_number(0.5))).expect("numbers");
        Ok(number(texts.bytes()) ^ shown(&(sizes(&[0, 1, 0]), tables(&[0, 1, 0])))?)
    }),
    ("more pictures", || {
        let many = [Value::Wholes(vec![0, 1, 0, 1]), Value::Wholes(vec![0, 1, 1, 1])];
        let paths = [vec![0.0, 1.0, 0.5], vec![0.0, -1.0, -0.5]];
        let mass = |place| picture::Mass {
            label: "one".to_owned(),
            place: Some(place),
            exact: Some(0.5),
            simulated: Some(3),
        };
        let tree =
            model("geometric")?.explain(&Depth { terms: 2, ..Depth::default() }, &Limits::default())?;
        let all = [
            picture::of_many(&model("markov-chain")?, &many),
            picture::paths("paths", "time", "place", &paths),
            picture::bars("bars", &[mass(0), mass(1)], 6),
            picture::restaurant(&[0, 0, 1, 0, 2]),
            picture::sticks(&[0.5, 0.25]),
            picture::tree(&tree),
        ];
        Ok(number(all.concat().bytes()))
    }),
    ("laws of one's own", || {
        let mut sum = 0;
        let law = Distribution::Categorical(vec![0.2, 0.8].into()).borrowed().into_owned();
        law.each_outcome(|draw, chance| {
            sum = number_of([sum, draw.index(), chance.to_bits()]);
            Ok(())
        })?;
        Ok(sum ^ shown(&Mwc256::new().saved())?)
    }),
    ("outcomes that are summed up", || {
        let model = model("random-walk")?;
        let outcomes = ExactTable::of(&model, true, &limits())?;
        shown(&outcomes.outcome(&model, model.sample(&mut run().words()?, &Limits::default())?))
    }),
    ("places of an error", || {
        let error = Error::from(hashwell::random::Tape::new(&[]).next_u64().expect_err("it is empty"));
        let error = error.in_replicate(7);
        let told = std::error::Error::source(&error).is_some();
        shown(&(error.innermost(), told))
    }),
];

/// Everything that can be read from the generator of a replicate.
fn source(words: &mut hashwell_draw::process::ReplicateRng) -> Answer {
    let mut out = [0; 24];
    words.fill(&mut out)?;
    let taken = words.take(4)?;
    let ahead = words.ahead().len().min(2);
    words.pass(ahead);
    Ok(number(out) ^ number(taken) ^ words.stream_position().map_or(0, |at| at as u64))
}

pub(super) const KEPT: &[(&str, Call)] = &[
    ("kept words of replicates", || {
        let mut sum = 0;
        for name in ["blake3", "shake128"] {
            let run = Run::of_seed(Source::find(name)?, b"seed");
            let mut replicates = again(|| run.replicates(0..300))?;
            for j in 0..300 {
                let step = |replicates: &mut hashwell_draw::process::Replicates| {
                    let (number, words) = replicates.next_words()?.expect("it is left");
                    Ok::<_, Error>((number, words.next_u64()?))
                };
                let left = |replicates: &mut hashwell_draw::process::Replicates| {
                    assert_eq!(replicates.left().start, j);
                };
                let (number, word) = again_after(&mut replicates, step, left)?;
                sum = number_of([sum, number, word]);
            }
        }
        Ok(sum)
    }),
    ("kept labels", || {
        let mut labels = vec![7, 8, 9];
        let same = |labels: &mut Vec<u32>| assert_eq!(*labels, [7, 8, 9]);
        again_after(&mut labels, |labels| MODELS.crp.labels(&mut words(), labels, Watch::never()), same)?;
        labels.truncate(3);
        again_after(&mut labels, |labels| MODELS.hoppe.labels(&mut words(), labels, Watch::never()), same)?;
        labels.truncate(3);
        let process = PitmanYor::new(5, 1.5, 0.2)?;
        again_after(&mut labels, |labels| process.labels(&mut words(), labels, Watch::never()), same)?;
        shown(&labels)
    }),
];
