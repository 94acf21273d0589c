//! Invalid input gives one line with the limit and the value.

use super::model;
use hashwell_draw::Watch;
use hashwell_draw::process::interpret::Limits;
use hashwell_draw::process::registry::{Given, Kind, PROCESSES, Value, find};
use hashwell_draw::process::{Run, Streams};
use std::ops::ControlFlow;

fn error(name: &str, given: &[(&str, &str)]) -> String {
    let given = given.iter().fold(Given::new(), |given, (name, value)| given.with(name, *value));
    find(name)
        .unwrap()
        .build(&given, None)
        .err()
        .unwrap_or_else(|| panic!("{name} takes {given:?}"))
        .to_string()
}

/// Parameters with which each process works.
fn right(name: &str) -> Vec<(&'static str, &'static str)> {
    match name {
        "geometric" => vec![("p", "0.5")],
        "negative-binomial" => vec![("r", "2"), ("p", "0.5")],
        "pitman-yor" => vec![("n", "4"), ("discount", "0.5")],
        "crp" | "hoppe-urn" | "stick-breaking" | "polya-urn" | "random-walk" | "moran" => vec![("n", "4")],
        "gamblers-ruin" => vec![("start", "2"), ("target", "4")],
        "markov-chain" => vec![("transition", "0.5,0.5;0,1"), ("n", "4")],
        "hmm" => vec![
            ("initial", "0.5,0.5"),
            ("transition", "0.5,0.5;0,1"),
            ("emission", "0.5,0.5;0,1"),
            ("observed", "0,1"),
        ],
        "ar1" => vec![("n", "4"), ("phi", "0.5")],
        "galton-watson" => vec![("offspring", "0.5,0.5"), ("generations", "4")],
        other => panic!("{other} is not here"),
    }
}

#[test]
fn every_parameter_refuses_what_it_must() {
    for row in PROCESSES {
        let right = right(row.name);
        model(row.name, &right, None);
        for parameter in row.parameters {
            let with = |value: &'static str| {
                let others = right.iter().filter(|(name, _)| *name != parameter.name);
                others.copied().chain([(parameter.name, value)]).collect::<Vec<_>>()
            };
            let wrong: &[&str] = match parameter.kind {
                Kind::Number => &["nan", "inf", "-inf", "", "x", "1,2"],
                Kind::Whole => &["-9223372036854775808", "9223372036854775808", "1.5", "nan", ""],
                Kind::Numbers => &["", "nan", "inf,1", "-1,2", "0.5,,0.5"],
                Kind::Wholes => &["", "-1", "2", "1.5", "9223372036854775808"],
                Kind::Matrix => {
                    &["", "nan,1;0,1", "1;1;1", "1,0;1", "0.5,0.6;0,1", "1.5,-0.5;0,1", "1,0;;0,1"]
                }
            };
            for value in wrong {
                let error = error(row.name, &with(value));
                assert!(!error.contains('\n') && error.len() < 200, "{error}");
                assert!(error.contains(parameter.name), "{}: {} {value}: {error}", row.name, parameter.name);
            }
            let twice = [with("1"), vec![(parameter.name, "1")]].concat();
            assert!(error(row.name, &twice).contains("is given twice"));
            assert!(
                !parameter.range.is_empty() && !parameter.help.is_empty() && !parameter.symbol.is_empty()
            );
            if let Some(default) = parameter.default {
                assert!(!right.iter().any(|(name, _)| *name == parameter.name), "{default} is left");
            } else {
                let without: Vec<_> =
                    right.iter().copied().filter(|(name, _)| *name != parameter.name).collect();
                assert!(error(row.name, &without).contains(&format!("missing parameter {}", parameter.name)));
            }
        }
        assert!(
            error(row.name, &[right, vec![("colour", "1")]].concat()).contains("no parameter \"colour\"")
        );
    }
}

#[test]
fn ranges_are_named_with_the_value() {
    for (name, given, must) in [
        ("geometric", vec![("p", "0")], "p must be more than 0 and at most 1, not 0"),
        ("geometric", vec![("p", "1.5")], "p must be more than 0 and at most 1, not 1.5"),
        ("crp", vec![("n", "-1")], "n must be 0 to 4294967295, not -1"),
        ("crp", vec![("n", "3"), ("alpha", "0")], "alpha must be finite and more than 0, not 0"),
        ("crp", vec![("n", "3"), ("alpha", "-2")], "alpha must be finite and more than 0, not -2"),
        ("pitman-yor", vec![("n", "3"), ("discount", "1")], "discount must be 0 to 1, excluding 1, not 1"),
        (
            "pitman-yor",
            vec![("n", "3"), ("discount", "-0.1")],
            "discount must be 0 to 1, excluding 1, not -0.1",
        ),
        (
            "pitman-yor",
            vec![("n", "3"), ("discount", "0.5"), ("theta", "-0.5")],
            "theta must be finite and greater than -discount, not -0.5",
        ),
        ("hoppe-urn", vec![("n", "3"), ("theta", "0")], "theta must be finite and more than 0, not 0"),
        ("polya-urn", vec![("n", "3"), ("balls", "0,1")], "balls must be finite and more than 0, not 0"),
        ("polya-urn", vec![("n", "3"), ("add", "-1")], "add must be finite and at least 0, not -1"),
        ("gamblers-ruin", vec![("start", "5"), ("target", "4")], "start must be 0 to 4, not 5"),
        ("markov-chain", vec![("transition", "1"), ("n", "1"), ("start", "1")], "start must be 0, not 1"),
        ("markov-chain", vec![("transition", "0.5,0.4;0,1"), ("n", "1")], "sum to 1, not to 0.9"),
        ("markov-chain", vec![("transition", "1,0;1"), ("n", "1")], "not 1 (in row 1)"),
        ("moran", vec![("n", "0")], "n must be 1 to 2147483648, not 0"),
        ("moran", vec![("n", "3"), ("start", "4")], "start must be 0 to 3, not 4"),
        ("moran", vec![("n", "3"), ("fitness", "0")], "fitness must be"),
        (
            "ar1",
            vec![("n", "3"), ("phi", "1"), ("sigma", "0")],
            "sigma must be more than 0 and at most 1e307, not 0",
        ),
        ("galton-watson", vec![("offspring", "0.5,0.4"), ("generations", "1")], "offspring must be"),
        ("negative-binomial", vec![("r", "0"), ("p", "0.5")], "r must be 1 to 4294967295, not 0"),
    ] {
        let error = error(name, &given);
        assert!(error.contains(must), "{error}");
    }
    let missing = find("crq").unwrap_err().to_string();
    assert!(missing.contains("crp") && missing.contains("\"crq\""), "{missing}");
    let encoding = find("crp").unwrap().build(&Given::new().with("n", 3), Some("chairs")).err().unwrap();
    assert_eq!(
        encoding.to_string(),
        "crp has no encoding \"chairs\" (it has urn, futu, ana, futu-categorical)"
    );
}

#[test]
fn nobody_comes_and_nothing_is_drawn() {
    let words = &mut Run::seeded(b"").unwrap().words().unwrap();
    for (name, more) in [("crp", None), ("hoppe-urn", None), ("pitman-yor", Some(("discount", "0.5")))] {
        let given: Vec<_> = [("n", "0")].into_iter().chain(more).collect();
        for encoding in find(name).unwrap().encodings {
            let process = model(name, &given, Some(encoding));
            let json = serde_json::to_string(&process.sample(words, &Limits::default()).unwrap()).unwrap();
            assert_eq!(json, r#"{"labels":[],"tables":[]}"#);
            assert_eq!(process.trace(words, &Limits::default()).unwrap().terms, []);
        }
    }
}

/// Underscores are equivalent to hyphens, and values need not be texts.
#[test]
fn parameters_can_be_values() {
    let row = find("polya_urn").unwrap();
    let given = Given::new().with("balls", vec![1_i64, 2]).with("n", 3).with("add", 2);
    assert_eq!(row.build(&given, Some("ana")).unwrap().moments()[0].1, 1.0);
    let wrong = Given::new().with("balls", 3.0).with("n", 3);
    assert!(row.build(&wrong, None).err().unwrap().to_string().contains("numbers separated by commas"));
    let chain = Given::new().with("transition", vec![vec![0.5, 0.5], vec![1.0, 0.0]]).with("n", 2);
    assert!(find("markov_chain").unwrap().build(&chain, None).is_ok());
}

/// The number of individuals in any generation may be the limit itself, but not one more, not even in the last
/// generation.
#[test]
fn families_never_grow_beyond_their_limit() {
    for (offspring, generations, most, sample) in [
        ("0,0,1", "1", "1", Err("at step 1: the size of a generation must be at most 1, not 2")),
        ("0,0,1", "1", "2", Ok("[1,2]")),
        ("0,0,1", "3", "7", Err("not 8")),
        ("0,0,1", "3", "8", Ok("[1,2,4,8]")),
        ("0,0,0,0,0,0,0,0,0,1", "3", "9", Err("at most 9, not 18")),
        ("0,0,1", "100", "1000", Err("the size of a generation must be at most 1000, not 1002")),
        ("0,0,0,0,0,0,0,0,0,1", "1", "8", Err("at most 8, not 9")),
    ] {
        let given = [("offspring", offspring), ("generations", generations), ("most", most)];
        let process = model("galton-watson", &given, None);
        let got = process.sample(&mut Run::seeded(b"").unwrap().words().unwrap(), &Limits::default());
        match sample {
            Ok(json) => assert_eq!(serde_json::to_string(&got.unwrap()).unwrap(), json),
            Err(must) => {
                let error = got.unwrap_err().to_string();
                assert!(error.contains(must), "{error}");
                assert!(
                    process.exact(&super::all()).is_err() && process.exact_statistic(&super::all()).is_err()
                );
            }
        }
    }
}

/// Text from the user does not add lines to a message.
#[test]
fn messages_are_one_line() {
    let said = error("crp", &[("n", "1\n2\r\u{1b}[31m")]);
    assert_eq!(said, "n must be an integer from -2^63 to 2^63 - 1, not \"1\\n2\\r\\u{1b}[31m\"");
}

/// A message is one line, however long a number, a text or a list is.
#[test]
fn messages_are_short() {
    let digits: &'static str = "9".repeat(400).leak();
    let list: &'static str = vec!["1e-300"; 5000].join(",").leak();
    let rows: &'static str = vec![list; 50].join(";").leak();
    for (name, given, must) in [
        ("moran", vec![("n", "3"), ("fitness", "1e300")], "fitness must be 1e-9 to 1e9, not 1e300"),
        ("polya-urn", vec![("n", "3"), ("add", "-1e300")], "add must be finite and at least 0, not -1e300"),
        ("polya-urn", vec![("n", "3"), ("balls", list), ("add", "x")], "not x"),
        (
            "hoppe-urn",
            vec![("n", "3"), ("theta", "-1e300")],
            "theta must be finite and more than 0, not -1e300",
        ),
        ("random-walk", vec![("n", digits)], "not 999"),
        ("galton-watson", vec![("generations", "1"), ("offspring", list)], "that sum to 1, not to 4.99"),
        ("markov-chain", vec![("n", "1"), ("transition", rows)], "rows of 50 probabilities"),
    ] {
        let error = error(name, &given);
        assert!(error.contains(must) && error.len() < 200, "{error}");
    }
    let list = Given::new().with("n", vec![1_i64; 100_000]);
    let error = find("crp").unwrap().build(&list, None).err().unwrap().to_string();
    assert!(error.contains("not [1, 1, 1, 1, 1, 1, 1, 1]") && error.len() < 200, "{error}");
}

/// The probability of an impossible number, including the smallest number of its type.
#[test]
fn what_cannot_come_has_no_chance() {
    for (name, given) in
        [("geometric", vec![("p", "0.5")]), ("negative-binomial", vec![("r", "2"), ("p", "0.5")])]
    {
        let process = model(name, &given, None);
        for k in [i64::MIN, i64::MIN + 1, -1] {
            assert_eq!(process.log_probability(&Value::Whole(k)), Some(f64::NEG_INFINITY), "{name} {k}");
        }
        assert!(process.log_probability(&Value::Whole(i64::MAX)).unwrap() < -1e18);
    }
    assert_eq!(model("geometric", &[("p", "1")], None).log_probability(&Value::Whole(1)), Some(0.0));
}

/// Values are summarized as in the distribution of the summary, and their shape is that of replicates.
#[test]
fn summaries_and_shapes_are_those_of_the_law() {
    for row in PROCESSES.iter().filter(|row| row.name != "ar1") {
        let process = model(row.name, &right(row.name), None);
        let law = process.exact_statistic(&Limits::default()).unwrap();
        for j in 0..20 {
            let value = process
                .sample(&mut Run::seeded(b"").unwrap().replicate(j).unwrap(), &Limits::default())
                .unwrap();
            let summary = process.statistic(&value);
            assert!(law.outcomes.iter().any(|(outcome, _)| *outcome == summary), "{}: {summary:?}", row.name);
        }
    }
    for row in PROCESSES {
        let process = model(row.name, &right(row.name), None);
        let none = process
            .simulate(Streams::Separate(&Run::seeded(b"").unwrap(), 0..0), &Limits::default())
            .unwrap();
        assert_eq!(process.shape(), none.shape, "{}", row.name);
    }
}

/// Parameters that no step could draw from are rejected before the first step.
#[test]
fn ranges_are_those_of_the_terms() {
    for (name, given, must) in [
        ("stick-breaking", vec![("n", "3"), ("theta", "1e-310")], "at least 1e-300, not 1e-310"),
        (
            "stick-breaking",
            vec![("n", "3"), ("theta", "1e12")],
            "theta must be at most 1000000, not 1000000000000",
        ),
        (
            "ar1",
            vec![("n", "3"), ("phi", "1"), ("sigma", "1e308")],
            "sigma must be more than 0 and at most 1e307, not 1e308",
        ),
        ("geometric", vec![("p", "1e300")], "p must be more than 0 and at most 1, not 1e300"),
    ] {
        let error = error(name, &given);
        assert!(error.contains(must), "{error}");
    }
    let words = &mut Run::seeded(b"").unwrap().words().unwrap();
    for (name, given) in [
        ("stick-breaking", vec![("n", "3"), ("theta", "1e-299")]),
        ("stick-breaking", vec![("n", "100"), ("theta", "1e6")]),
        ("stick-breaking", vec![("n", "2"), ("theta", "-0.5"), ("discount", "0.5000000000000001")]),
        ("ar1", vec![("n", "1"), ("phi", "1"), ("sigma", "1e307")]),
    ] {
        model(name, &given, None).sample(words, &Limits::default()).unwrap();
    }
    // A path that leaves the range of floating point reports the step and the numbers.
    let far = [("n", "3"), ("phi", "0"), ("c", "1.7e308"), ("sigma", "1e307")];
    let error = model("ar1", &far, None).sample(words, &Limits::default()).unwrap_err().to_string();
    assert_eq!(error, "at step 0: |mean| + 13·deviation must be finite, not |1.7e308| + 13·1e307");
}

/// If a row does not exactly sum to 1, it is normalized once, both for draws and for closed forms.
#[test]
fn laws_have_a_sum_of_one() {
    let given = [("offspring", "0.5,0.5000000009"), ("generations", "50")];
    let moments = model("galton-watson", &given, None).moments();
    assert!(moments[2].1 <= 1.0, "{moments:?}");
    let off = [
        ("initial", "0.5,0.5000000009"),
        ("transition", "0.5,0.5000000009;1,0"),
        ("emission", "0.3,0.7;0.6,0.4"),
    ];
    let hmm = model("hmm", &[&off[..], &[("observed", "0,1,1,0,1,0,0,1")]].concat(), None);
    let exact = hmm.exact(&super::all()).unwrap().log_evidence();
    super::assert_near(hmm.moments()[0].1, exact, 1e-14, "log evidence");
}

/// Models reject the same values as the table, and accept those at the limits.
#[test]
fn models_name_their_bounds() {
    use hashwell_draw::process::builtin::{
        Ar1, GaltonWatson, Keep, MarkovChain, PolyaUrn, RandomWalk, StickBreaking,
    };
    const MOST: u32 = 1 << 27;
    let one = || vec![vec![1.0]];
    let families = |generations| GaltonWatson::new(vec![1.0], generations, 1, 1, Keep::All).map(drop);
    let ar1 = |n| Ar1::new(n, 0.5, 1.0, 0.0, 0.0).map(drop);
    let chain = |n| MarkovChain::new(one(), 0, n).map(drop);
    let walk = |n, start| RandomWalk::new(n, 0.5, start).map(drop);
    let said = |refused: Result<(), hashwell_draw::Error>| refused.unwrap_err().to_string();
    assert_eq!((families(MOST - 1), ar1(MOST - 1), chain(MOST - 1)), (Ok(()), Ok(()), Ok(())));
    assert_eq!(said(families(MOST)), "generations must be 0 to 134217727, not 134217728");
    for refused in [ar1(MOST), chain(MOST), walk(MOST, 0)] {
        assert_eq!(said(refused), "n must be 0 to 134217727, not 134217728");
    }
    let far = (1_i64 << 53) - 1;
    assert_eq!((walk(MOST - 1, far), walk(0, -far)), (Ok(()), Ok(())));
    for start in [far + 1, -far - 1] {
        let must = format!("start must be -9007199254740991 to 9007199254740991, not {start}");
        assert_eq!(said(walk(1, start)), must);
    }
    // The weight of all balls, including those that are added, must be a float.
    let urn = |balls: &[f64], add, n| PolyaUrn::new(balls.to_vec(), add, n, Keep::All).map(drop);
    assert_eq!((urn(&[1e200], 1e200, 1), urn(&[1.0, 1e308], 1e306, 50)), (Ok(()), Ok(())));
    for refused in [urn(&[1.7e308], 1e308, 1), urn(&[1.0], 1e308, 10), urn(&[1e308, 1e308], 0.0, 1)] {
        assert_eq!(said(refused), "the weight of all balls must be finite, not inf");
    }
    let sticks = |theta, discount| StickBreaking::new(1, theta, discount).map(drop);
    assert_eq!((sticks(1e6, 0.0), sticks(1e-300, 0.0), sticks(-0.25, 0.5)), (Ok(()), Ok(()), Ok(())));
    assert_eq!(said(sticks(1e-301, 0.0)), "theta + discount must be at least 1e-300, not 1e-301");
    let (theta, discount) = (2_f64.powi(-1000), 2_f64.powi(-1001));
    assert!(said(sticks(theta, discount)).ends_with(&format!("not {:e}", theta + discount)));
    assert_eq!(said(sticks(1_000_001.0, 0.0)), "theta must be at most 1000000, not 1000001");
    assert!(error("crp", &[("n", " ")]).ends_with("not nothing"));
}

/// A model reports its encoding.
#[test]
fn encodings_have_their_names() {
    for row in PROCESSES {
        assert_eq!(model(row.name, &right(row.name), None).encoding(), row.encodings[0]);
        for encoding in row.encodings {
            assert_eq!(model(row.name, &right(row.name), Some(encoding)).encoding(), *encoding);
        }
    }
}

/// Missing features are reported as absent, and trees of built-in processes can be stopped.
#[test]
fn what_there_is_not_is_none() {
    use hashwell_draw::process::interpret::Depth;
    let words = || Run::seeded(b"").unwrap().words().unwrap();
    for row in PROCESSES {
        let process = model(row.name, &right(row.name), None);
        assert_eq!(process.smooth().is_some(), row.name == "hmm");
        assert_eq!(process.sticks(&mut words(), &Limits::default()).is_some(), row.name == "stick-breaking");
        let value = process.sample(&mut words(), &Limits::default()).unwrap();
        assert_eq!(value.kind(), row.values, "{}", row.name);
        let others =
            [Value::Whole(1), Value::Wholes(vec![1]), Value::Labels(vec![0]), Value::Reals(vec![1.0])];
        for other in others.iter().filter(|other| other.kind() != row.values) {
            assert_eq!(process.log_probability(other), None, "{} {other:?}", row.name);
        }
        let watch = Watch::new(&|_| ControlFlow::Break(()));
        let stops = Limits { watch: &watch, ..Limits::default() };
        let depth = Depth { terms: 2, nodes: 9 };
        let tree = process.explain(&depth, &Limits::default()).unwrap();
        assert!(!tree.branches.is_empty(), "{}", row.name);
        let stopped = process.explain(&depth, &stops).unwrap_err().to_string();
        assert_eq!(stopped, "at step 0: stopped on request");
    }
    let tree = model("geometric", &[("p", "0.25")], None)
        .explain(&Depth { terms: 2, nodes: 9 }, &Limits::default())
        .unwrap();
    let must = "Bernoulli(0.25)\n├─ 0 (0.75): Bernoulli(0.25)\n│  ├─ 0 (0.75): …\n│  └─ 1 (0.25): 2\n└─ 1 (0.25): 1\n";
    assert_eq!(tree.text(), must);
    // Their closed forms would take too long.
    assert_eq!(model("crp", &[("n", "100000001")], None).moments(), []);
    let shown =
        [Value::Whole(-1), Value::Wholes(vec![1, 2]), Value::Labels(vec![0]), Value::Reals(vec![0.5])];
    assert_eq!(shown.map(|value| format!("{value:?}")), ["-1", "[1, 2]", "[0]", "[0.5]"]);
}

/// Values of another kind are displayed, and empty lists are rejected.
#[test]
fn values_of_another_kind_are_named() {
    use hashwell_draw::process::builtin::{GaltonWatson, Hmm, Keep, PolyaUrn};
    let said = |given: Given| find("polya-urn").unwrap().build(&given, None).err().unwrap().to_string();
    assert!(said(Given::new().with("n", vec![0.5, 2.0])).ends_with("not [0.5, 2.0]"));
    assert!(said(Given::new().with("n", vec![vec![0.5], vec![]])).ends_with("not [[0.5], []]"));
    assert!(said(Given::new().with("n", 2).with("balls", 7)).ends_with("not 7"));
    let none = PolyaUrn::new(Vec::new(), 1.0, 1, Keep::All).unwrap_err().to_string();
    assert_eq!(none, "balls must be a list of at least one weight, not empty");
    let none = GaltonWatson::new(Vec::new(), 1, 1, 1, Keep::All).unwrap_err().to_string();
    assert_eq!(none, "offspring must be a list of at least one probability, not empty");
    assert!(Hmm::new(Vec::new(), Vec::new(), Vec::new(), &[]).is_err());
}
