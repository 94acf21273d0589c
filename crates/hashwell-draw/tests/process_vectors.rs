//! `vectors/process.json`: every process in every encoding, with a sample, the first replicates, and exact
//! distributions.
//!
//! If the environment variable `WRITE_VECTORS=1` is set, the file is written; `reference/process.py` must agree with
//! it.

use hashwell_draw::process::interpret::{Exact, Limits};
use hashwell_draw::process::registry::{Data, Given, Model, PROCESSES, Shape, Value, find};
use hashwell_draw::process::{Mwc256, Run, Streams};
use serde_json::{Value as Json, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/process.json");
const SOURCE: &str = "computed with hashwell-draw (tests/process_vectors.rs), samples and replicates again with \
    reference/process.py; mwc: the ten geometric values of J. Tobin, Recursive stochastic processes (2017)";

/// A process, its parameters, and whether its distribution is in the file.
type Case = (&'static str, &'static [(&'static str, &'static str)], bool);

const CASES: &[Case] = &[
    ("geometric", &[("p", "0.1")], false),
    ("geometric", &[("p", "1")], true),
    ("negative-binomial", &[("r", "3"), ("p", "0.25")], false),
    ("crp", &[("n", "0"), ("alpha", "1")], true),
    ("crp", &[("n", "1"), ("alpha", "1")], true),
    ("crp", &[("n", "4"), ("alpha", "1.5")], true),
    ("crp", &[("n", "30"), ("alpha", "1.5")], false),
    ("crp", &[("n", "60"), ("alpha", "0.1")], false),
    ("pitman-yor", &[("n", "4"), ("theta", "0.5"), ("discount", "0.25")], true),
    ("pitman-yor", &[("n", "40"), ("theta", "-0.2"), ("discount", "0.5")], false),
    ("stick-breaking", &[("n", "40"), ("theta", "1.5"), ("discount", "0")], false),
    ("stick-breaking", &[("n", "40"), ("theta", "0.5"), ("discount", "0.25")], false),
    ("polya-urn", &[("balls", "1,2.5"), ("n", "3"), ("add", "1")], true),
    ("polya-urn", &[("balls", "1,1,1"), ("n", "30"), ("add", "0.3")], false),
    ("hoppe-urn", &[("n", "4"), ("theta", "1.5")], true),
    ("hoppe-urn", &[("n", "30"), ("theta", "0.7")], false),
    ("random-walk", &[("n", "3"), ("p", "0.3"), ("start", "-1")], true),
    ("random-walk", &[("n", "30"), ("p", "0.5"), ("start", "0")], false),
    ("gamblers-ruin", &[("start", "2"), ("target", "5"), ("p", "0.4")], false),
    ("markov-chain", &[("transition", "0.5,0.5,0;0.2,0.3,0.5;0,0.1,0.9"), ("n", "2"), ("start", "1")], true),
    (
        "markov-chain",
        &[("transition", "0.5,0.5,0;0.2,0.3,0.5;0,0.1,0.9"), ("n", "30"), ("start", "0")],
        false,
    ),
    (
        "hmm",
        &[
            ("initial", "0.6,0.4"),
            ("transition", "0.7,0.3;0.05,0.95"),
            ("emission", "0.9,0.1;0.4,0.6"),
            ("observed", "0,1,1"),
        ],
        true,
    ),
    ("ar1", &[("n", "20"), ("phi", "0.8"), ("sigma", "0.5"), ("c", "1"), ("start", "-2")], false),
    (
        "galton-watson",
        &[("offspring", "0.3,0.4,0.3"), ("generations", "8"), ("start", "2"), ("most", "1000")],
        false,
    ),
    (
        "galton-watson",
        &[("offspring", "0.5,0,0.5"), ("generations", "2"), ("start", "1"), ("most", "9")],
        true,
    ),
    ("moran", &[("n", "6"), ("start", "2"), ("fitness", "1.5")], false),
];
const SEED: &[u8] = b"hashwell vectors of processes";

fn built(process: &str, parameters: &[(&str, &str)], encoding: &str) -> Model {
    let given = parameters.iter().fold(Given::new(), |given, (name, value)| given.with(name, *value));
    find(process).unwrap().build(&given, Some(encoding)).unwrap()
}

fn distribution(exact: Exact<Value>) -> Json {
    assert_eq!(exact.lost, 0.0);
    json!(exact.outcomes)
}

fn case(process: &str, parameters: &[(&str, &str)], listed: bool, encoding: &str) -> Json {
    let (model, run) = (built(process, parameters, encoding), Run::seeded(SEED).unwrap());
    let sample =
        |words: &mut dyn hashwell_draw::RandomSource| model.sample(words, &Limits::default()).unwrap();
    let replicates: Vec<Value> = (0..4).map(|j| sample(&mut run.replicate(j).unwrap())).collect();
    let mut case = json!({
        "process": process,
        "parameters": parameters.iter().map(|(name, value)| (name.to_string(), json!(value))).collect::<serde_json::Map<_, _>>(),
        "encoding": encoding,
        "seed": data_encoding::HEXLOWER.encode(SEED),
        "sample": sample(&mut run.words().unwrap()),
        "replicates": replicates,
    });
    if listed {
        let all = Limits { mass: 0.0, ..Limits::default() };
        case["exact"] = distribution(model.exact(&all).unwrap());
        case["statistic"] = distribution(model.exact_statistic(&all).unwrap());
    }
    simulated(&model, &run, &replicates);
    case
}

/// Simulating returns the same replicates in flat arrays.
fn simulated(model: &Model, run: &Run, replicates: &[Value]) {
    let columns = model.simulate(Streams::Separate(run, 1..4), &Limits::default()).unwrap();
    assert_eq!((columns.replicates, columns.finished), (3, true));
    for (j, must) in replicates[1..].iter().enumerate() {
        let range = |items: usize| match &columns.shape {
            Shape::Scalars => j..j + 1,
            Shape::Rows { width } => j * width..(j + 1) * width,
            Shape::Ragged(offsets) => {
                assert_eq!((offsets.len(), offsets[3]), (4, items));
                offsets[j]..offsets[j + 1]
            }
        };
        let same = match (&columns.data, must) {
            (Data::I64(items), Value::Whole(whole)) => items[range(items.len())] == [*whole],
            (Data::I64(items), Value::Wholes(wholes)) => items[range(items.len())] == wholes[..],
            (Data::U32(items), Value::Labels(labels)) => items[range(items.len())] == labels[..],
            (Data::F64(items), Value::Reals(reals)) => items[range(items.len())] == reals[..],
            _ => false,
        };
        assert!(same, "{}: replicate {}", model.entry().name, j + 1);
    }
}

/// Random numbers and geometric values of the generator of mwc-random.
fn mwc(seed: &[u32]) -> Json {
    let mut words = Mwc256::seeded(seed);
    let geometric = built("geometric", &[("p", "0.1")], "apo");
    let mut source = Mwc256::seeded(seed).into_words();
    let values: Vec<Value> =
        (0..10).map(|_| geometric.sample(&mut source, &Limits::default()).unwrap()).collect();
    json!({
        "mwc": seed,
        "words": (0..4).map(|_| words.next_u64().to_string()).collect::<Vec<_>>(),
        "doubles": (0..4).map(|_| words.next_f64()).collect::<Vec<_>>(),
        "geometric": {"p": "0.1", "values": values},
    })
}

#[test]
fn vectors_are_what_processes_give() {
    let encodings = |process| find(process).unwrap().encodings.iter();
    let cases = CASES.iter().flat_map(|&(process, parameters, listed)| {
        encodings(process).map(move |encoding| case(process, parameters, listed, encoding))
    });
    let cases: Vec<Json> = cases
        .chain([mwc(&[]), mwc(&[42]), mwc(&[4, 8, 15, 16, 23, 42]), mwc(&Mwc256::new().saved())])
        .collect();
    for row in PROCESSES {
        assert!(CASES.iter().any(|(process, _, _)| *process == row.name), "no vector of {}", row.name);
    }
    let lines: Vec<String> = cases.iter().map(Json::to_string).collect();
    let (begin, end) =
        (format!("{{\"algorithm\": \"process\", \"source\": {}, \"cases\": [\n", json!(SOURCE)), "\n]}\n");
    if std::env::var_os("WRITE_VECTORS").is_some() {
        std::fs::write(FILE, format!("{begin}{}{end}", lines.join(",\n"))).unwrap();
    }
    // The lines are compared as text, so that every digit counts.
    let file = std::fs::read_to_string(FILE).unwrap();
    let kept: Vec<&str> =
        file.strip_prefix(&begin).unwrap().strip_suffix(end).unwrap().split(",\n").collect();
    assert_eq!(kept.len(), lines.len());
    for (kept, line) in kept.iter().zip(&lines) {
        assert_eq!(kept, line);
    }
}

/// The ten values in the original text.
#[test]
fn the_originals_values_come_out() {
    let values = &mwc(&[])["geometric"]["values"];
    assert_eq!(*values, json!([1, 9, 13, 3, 4, 3, 13, 1, 4, 17]));
}
