//! Bad input: one line that names limit and value.

use super::model;
use hashwell_draw::process::Run;
use hashwell_draw::process::registry::{Given, Kind, PROCESSES, find};

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
                assert!(error(row.name, &without).contains(&format!("needs {}", parameter.name)));
            }
        }
        assert!(error(row.name, &[right, vec![("colour", "1")]].concat()).contains("not \"colour\""));
    }
}

#[test]
fn ranges_are_named_with_the_value() {
    for (name, given, must) in [
        ("geometric", vec![("p", "0")], "p must be more than 0, at most 1, not 0"),
        ("geometric", vec![("p", "1.5")], "p must be more than 0, at most 1, not 1.5"),
        ("crp", vec![("n", "-1")], "n must be 0 to 4294967295, not -1"),
        ("crp", vec![("n", "3"), ("alpha", "0")], "alpha must be finite and more than 0, not 0"),
        ("crp", vec![("n", "3"), ("alpha", "-2")], "alpha must be finite and more than 0, not -2"),
        ("pitman-yor", vec![("n", "3"), ("discount", "1")], "discount must be 0 to 1, without 1, not 1"),
        (
            "pitman-yor",
            vec![("n", "3"), ("discount", "-0.1")],
            "discount must be 0 to 1, without 1, not -0.1",
        ),
        (
            "pitman-yor",
            vec![("n", "3"), ("discount", "0.5"), ("theta", "-0.5")],
            "theta must be finite and more than minus the discount, not -0.5",
        ),
        ("hoppe-urn", vec![("n", "3"), ("theta", "0")], "theta must be finite and more than 0, not 0"),
        ("polya-urn", vec![("n", "3"), ("balls", "0,1")], "balls must be finite and more than 0, not 0"),
        ("polya-urn", vec![("n", "3"), ("add", "-1")], "add must be finite and at least 0, not -1"),
        ("gamblers-ruin", vec![("start", "5"), ("target", "4")], "start must be 0 to 4, not 5"),
        (
            "markov-chain",
            vec![("transition", "1"), ("n", "1"), ("start", "1")],
            "start must be 0 to 0, not 1",
        ),
        ("markov-chain", vec![("transition", "0.5,0.4;0,1"), ("n", "1")], "of sum 0.9"),
        ("markov-chain", vec![("transition", "1,0;1"), ("n", "1")], "not 1 in row 1"),
        ("moran", vec![("n", "0")], "n must be 1 to 2147483648, not 0"),
        ("moran", vec![("n", "3"), ("start", "4")], "start must be 0 to 3, not 4"),
        ("moran", vec![("n", "3"), ("fitness", "0")], "fitness must be"),
        (
            "ar1",
            vec![("n", "3"), ("phi", "1"), ("sigma", "0")],
            "sigma must be finite and more than 0, not 0",
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
        "not an encoding: crp has urn, futu, ana, futu-categorical, not \"chairs\""
    );
}

#[test]
fn nobody_comes_and_nothing_is_drawn() {
    let words = &mut Run::seeded(b"").unwrap().words().unwrap();
    for (name, more) in [("crp", None), ("hoppe-urn", None), ("pitman-yor", Some(("discount", "0.5")))] {
        let given: Vec<_> = [("n", "0")].into_iter().chain(more).collect();
        for encoding in find(name).unwrap().encodings {
            let process = model(name, &given, Some(encoding));
            let json = serde_json::to_string(&process.sample(words).unwrap()).unwrap();
            assert_eq!(json, r#"{"labels":[],"tables":[]}"#);
            assert_eq!(process.trace(words).unwrap().terms, []);
        }
    }
}

/// Limits of a step: families that grow, and a table too large for memory.
#[test]
fn growth_ends_in_an_error() {
    let given = [("offspring", "0,0,1"), ("generations", "100"), ("most", "1000")];
    let words = &mut Run::seeded(b"").unwrap().words().unwrap();
    let error = model("galton-watson", &given, None).sample(words).unwrap_err().to_string();
    assert!(error.contains("the size of a generation must be at most 1000, its limit, not 1002"), "{error}");
}

/// Underscores are hyphens, values need not be texts.
#[test]
fn parameters_can_be_values() {
    let row = find("polya_urn").unwrap();
    let given = Given::new().with("balls", vec![1_i64, 2]).with("n", 3).with("add", 2);
    assert_eq!(row.build(&given, Some("ana")).unwrap().moments()[0].1, 1.0);
    let wrong = Given::new().with("balls", 3.0).with("n", 3);
    assert!(row.build(&wrong, None).err().unwrap().to_string().contains("numbers with commas between them"));
    let chain = Given::new().with("transition", vec![vec![0.5, 0.5], vec![1.0, 0.0]]).with("n", 2);
    assert!(find("markov_chain").unwrap().build(&chain, None).is_ok());
}
