//! Weights, names, seeds, and records.

use super::{design, key, names, stratified};
use hashwell::Sha256;
use hashwell_draw::row_sampling::{
    Design, Form, Kind, MERGE, METHODS, Record, SAMPLE, SAMPLE_2, SPEC, Seed, Shape, SlotsDesign, Stratify,
    Value, Weigher, Weight, WeightError, context_of, joined, parts_of_context,
};
use serde_json::{Value as Json, json};

#[test]
fn weights_of_texts() {
    let floats = Weigher::new(Kind::Successive, None);
    let wrong = |text: &str| Err(WeightError::Is(text.to_owned()));
    for (text, weight) in [
        ("1.5", 1.5),
        (" 0.1\t", 0.1),
        ("0", 0.0),
        ("-0", 0.0),
        ("0.00e7", 0.0),
        ("1e-320", 1e-320),
        ("5e-324", 5e-324),
        ("1e308", 1e308),
        ("+2", 2.0),
    ] {
        assert_eq!(floats.of_text(text.as_bytes()), Ok(Value::Float(weight)), "{text}");
    }
    let must = "; it must be finite and not negative";
    assert_eq!(floats.of_text(b"-1"), wrong(&format!("-1{must}")));
    assert_eq!(floats.of_text(b"inf"), wrong(&format!("inf{must}")));
    assert_eq!(floats.of_text(b"NaN"), wrong(&format!("NaN{must}")));
    assert_eq!(floats.of_text(b"1e309"), wrong(&format!("1e309{must}")));
    assert_eq!(floats.of_text(b"heavy"), wrong("'heavy', which is not a number"));
    assert_eq!(floats.of_text(b"\xff1"), wrong("'\u{fffd}1', which is not a number"));
    assert_eq!(floats.of_text(b"1e-999"), wrong("1e-999, which is too small: the minimum is 5e-324"));
    assert_eq!(floats.of_text(b"0.9E-999"), wrong("0.9E-999, which is too small: the minimum is 5e-324"));
    assert_eq!(floats.of_text(b"  "), Err(WeightError::Blank));
    assert_eq!(Weigher::new(Kind::Pps, None).of_text(b""), Err(WeightError::Blank));

    // A text of 40 bytes is displayed completely, and only the beginning of a longer text.
    let [full, longer] = [40, 41].map(|len| "x".repeat(len));
    assert_eq!(floats.of_text(full.as_bytes()), wrong(&format!("'{full}', which is not a number")));
    assert_eq!(floats.of_text(longer.as_bytes()), wrong(&format!("'{full}…', which is not a number")));

    let missing = Weigher::new(Kind::WeightedReplace, Some("2.5"));
    assert_eq!(missing.of_text(b" "), Ok(Value::Float(2.5)));
    assert_eq!(missing.of_text(b"3"), Ok(Value::Float(3.0)));
    let bad = Weigher::new(Kind::Successive, Some("-2"));
    assert_eq!(bad.of_text(b""), wrong(&format!("-2{must}")));

    let units = Weigher::new(Kind::Pps, Some("1"));
    let one = 10_u128.pow(18);
    assert_eq!(units.of_text(b""), Ok(Value::Units(one)));
    assert_eq!(units.of_text(b"2.25"), Ok(Value::Units(9 * one / 4)));
    assert_eq!(units.of_text(b"0.000000000000000001"), Ok(Value::Units(1)));
    assert_eq!(units.of_text(b"0"), Ok(Value::Units(0)));
    assert_eq!(units.of_text(b"-1"), wrong(&format!("-1{must}")));
    assert_eq!(
        (units.of_text(b"-0.0"), units.of_text(b"0e99999999999999999999")),
        (Ok(Value::Units(0)), Ok(Value::Units(0)))
    );
    assert_eq!(
        (units.of_text(b"+2.5e-1"), units.of_text(b"1e20")),
        (Ok(Value::Units(one / 4)), Ok(Value::Units(100 * one * one)))
    );
    // Weights with more decimals, or that do not fit into 128 bits, are exact, too.
    for texts in [
        ["1e-19", "0.00000000000000000010", "+.001e-16"],
        ["5e-324", "0.5e-323", "0.00005e-319"],
        ["1e300", "10.00e299", "0.001e303"],
        [
            "123456789012345678901234567890123456789012345",
            "1.23456789012345678901234567890123456789012345e44",
            "123456789012345678901234567890123456789012345.0",
        ],
    ] {
        let [one, two, three] = texts.map(|text| units.of_text(text.as_bytes()).unwrap());
        assert!(
            matches!(one, Value::Exact(_)) && one.is_positive() && one == two && one == three,
            "{texts:?}"
        );
    }
    assert_ne!(units.of_text(b"1e-19"), units.of_text(b"1e-20"));
    assert_ne!(units.of_text(b"1e300"), units.of_text(b"1.0000000000000000000000001e300"));
    let long = |digits: usize| units.of_text(format!("0.{}", "7".repeat(digits)).as_bytes());
    assert!(long(800).is_ok() && units.of_text(format!("7{}", "0".repeat(5000)).as_bytes()).is_err());
    let shown = format!("0.{}…, which has 5000 significant digits; the maximum is 800", "7".repeat(38));
    assert_eq!(long(5000), wrong(&shown));
    assert_eq!(units.of_text(format!("7.{}", "0".repeat(5000)).as_bytes()), Ok(Value::Units(7 * one)));
}

#[test]
fn weights_of_floats() {
    for kind in Kind::ALL {
        let weigher = Weigher::new(kind, None);
        let floats = kind != Kind::Pps;
        assert_eq!(weigher.takes_floats(), floats);
        for weight in [5e-324, 1.5, f64::MAX] {
            assert_eq!(weigher.quick(weight), floats.then_some(Value::Float(weight)));
        }
        for odd in [0.0, -0.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert_eq!(weigher.quick(odd), None, "{odd}");
        }
    }
    let positive = [Value::One, Value::Float(5e-324), Value::Units(1)];
    let others = [Value::Float(0.0), Value::Units(0)];
    assert!(positive.iter().all(|value| value.is_positive()));
    assert!(!others.iter().any(|value| value.is_positive()));
}

#[test]
fn columns_are_joined_with_their_lengths() {
    let of = |fields: &[&'static str]| {
        joined(&fields.iter().map(|field| field.as_bytes().into()).collect::<Vec<_>>()).into_owned()
    };
    assert_eq!(of(&["ab"]), b"ab");
    assert_eq!(of(&[]), b"");
    assert_eq!(of(&["ab", ""]), b"\0\0\0\0\0\0\0\x02ab\0\0\0\0\0\0\0\0");
    // Long fields are joined in the same way.
    let long = "y".repeat(300);
    let fields: Vec<std::borrow::Cow<'_, [u8]>> = vec![long.as_bytes().into(); 3];
    assert_eq!(joined(&fields).len(), 3 * 308);
}

#[test]
fn names_of_methods_and_forms() {
    assert_eq!(Kind::ALL.map(Kind::method), ["gap", "replace", "successive", "pps", "weighted-replace"]);
    assert_eq!(Kind::ALL.map(Kind::replaces), [false, true, false, false, true]);
    let p = "0.5".parse().unwrap();
    let methods = [
        Design::Keys { columns: Vec::new(), k: 1, stratify: None },
        Design::Chance(p),
        Design::KeyChance { columns: Vec::new(), p },
        Design::Every(2),
        Design::Shuffle,
        Design::Slots(design(Kind::Pps, 1)),
    ];
    let must = ["ticket", "chance", "bernoulli", "every", "shuffle", "pps"];
    assert_eq!(methods.map(|design| design.method()), must);
    let forms = [Form::Lines, Form::Nul, Form::Csv, Form::Tsv, Form::JsonLines, Form::Objects, Form::Arrow];
    let must = ["lines", "zero", "csv", "tsv", "jsonl", "objects", "arrow"];
    assert_eq!(forms.map(Form::name), must);
    assert_eq!(Form::Parquet.name(), "parquet");
    let shape = |form, header: Option<&[u8]>| Shape { form, header: header.map(<[u8]>::to_vec) };
    let plain = shape(Form::Csv, Some(b"a"));
    assert!(plain.agrees(&shape(Form::Csv, Some(b"a"))) && plain.agrees(&shape(Form::Csv, None)));
    assert!(shape(Form::Csv, None).agrees(&plain));
    assert!(!plain.agrees(&shape(Form::Csv, Some(b"b"))) && !plain.agrees(&shape(Form::Tsv, Some(b"a"))));
    assert!(!shape(Form::Csv, None).agrees(&shape(Form::Tsv, None)));
}

/// SHA-256("hwdraw/1" ‖ len(seed) ‖ seed ‖ len(context) ‖ context ‖ 32 zero bytes).
#[test]
fn a_seed_has_its_key() {
    assert_eq!(
        [SAMPLE, SAMPLE_2, MERGE],
        ["hashwell sample/1", "hashwell sample/2", "hashwell sample/1 merge"]
    );
    for method in &METHODS {
        assert_eq!(method.context, if ["replace", "pps"].contains(&method.name) { SAMPLE_2 } else { SAMPLE });
    }
    for (text, shard, context) in [
        ("", None, "hashwell sample/1"),
        ("", Some("north"), "hashwell sample/1 shard north"),
        ("", Some(""), "hashwell sample/1 shard "),
        ("arms", None, "hashwell sample/1 context 4:arms"),
        ("\u{e9}", Some(" context 1:a"), "hashwell sample/1 context 2:\u{e9} shard  context 1:a"),
        (" shard a", None, "hashwell sample/1 context 8: shard a"),
    ] {
        assert_eq!(context_of(SAMPLE, text, shard), context);
        assert_eq!(parts_of_context(SAMPLE, context), Some((text, shard)));
        assert_eq!(parts_of_context(SAMPLE_2, context), None);
        let other = context.replacen(SAMPLE, SAMPLE_2, 1);
        assert_eq!(context_of(SAMPLE_2, text, shard), other);
        assert_eq!(parts_of_context(SAMPLE_2, &other), Some((text, shard)));
    }
    for odd in [
        "",
        "hashwell sample/2",
        "hashwell sample/1 ",
        "hashwell sample/1 context 5:arms",
        "hashwell sample/1 context 0:",
    ]
    .into_iter()
    .chain([
        "hashwell sample/1 context 04:arms",
        "hashwell sample/1 context 4:arms ",
        "hashwell sample/1 merge",
    ])
    .chain(["hashwell sample/1 context 1:\u{e9}", "hashwell sample/1 context +4:arms"])
    {
        assert_eq!(parts_of_context(SAMPLE, odd), None, "{odd}");
    }
    let seed = Seed { bytes: b"0877".to_vec(), context: SAMPLE.into() };
    let mut message = b"hwdraw/1\0\0\0\0\0\0\0\x040877\0\0\0\0\0\0\0\x11hashwell sample/1".to_vec();
    message.extend([0; 32]);
    assert_eq!(seed.key().0, Sha256::digest(&message));
    assert_ne!(seed.key(), key(0));
}

fn record(design: &Design, seed: &[u8], change: impl FnOnce(&mut Record<'_>)) -> Json {
    let seed = Seed { bytes: seed.to_vec(), context: "c".into() };
    let mut record = Record {
        seed: &seed,
        design,
        form: Form::Csv,
        header: false,
        quotes: false,
        dialect: Default::default(),
        of_drawing: false,
        n: 9,
        picks: vec![2, 7],
        rows_sha256: None,
        weights: Vec::new(),
        program: "tests",
    };
    change(&mut record);
    serde_json::from_str(&record.text()).unwrap()
}

#[test]
fn a_record_says_all() {
    assert_eq!(SPEC, "hashwell sample/1");
    let seed = Seed { bytes: b"s".to_vec(), context: "c".into() };
    let key: String = seed.key().0.iter().map(|byte| format!("{byte:02x}")).collect();
    let must = |picks: Json| {
        json!({
            "spec": "hashwell sample/1", "context": "c", "seed_text": "s", "seed_hex": "73", "key": key,
            "random_source": "counter", "list": "open", "design": { "method": "every", "step": 3 },
            "input": { "format": "csv", "header": false, "quotes": false },
            "n": 9, "order": "input", "picks": picks, "rows_sha256": null, "program": "tests",
        })
    };
    let every = Design::Every(3);
    assert_eq!(record(&every, b"s", |_| ()), must(json!([2, 7])));
    let found = record(&every, b"s", |record| {
        (record.form, record.header, record.quotes) = (Form::Parquet, true, true);
        (record.of_drawing, record.rows_sha256, record.picks) = (true, Some([0xab; 32]), vec![u64::MAX]);
    });
    let mut other = must(json!([u64::MAX]));
    other["input"] = json!({ "format": "parquet", "header": true, "quotes": true });
    (other["order"], other["rows_sha256"]) = (json!("draw"), json!("ab".repeat(32)));
    assert_eq!(found, other);
    let binary = record(&every, b"\xff\0", |_| ());
    assert_eq!((&binary["seed_text"], &binary["seed_hex"]), (&Json::Null, &json!("ff00")));
    // One line for each item, sorted by name, with a newline at the end.
    let record = Record {
        seed: &seed,
        design: &every,
        form: Form::Lines,
        header: false,
        quotes: false,
        dialect: Default::default(),
        of_drawing: false,
        n: 0,
        picks: Vec::new(),
        rows_sha256: None,
        weights: Vec::new(),
        program: "tests",
    };
    assert!(
        record.text().starts_with("{\n  \"context\": \"c\",\n  \"design\": {\n    \"method\": \"every\",\n")
    );
    assert!(record.text().ends_with("\"spec\": \"hashwell sample/1\"\n}\n"));
}

#[test]
fn a_record_has_each_design() {
    let of = |design: Design| record(&design, b"s", |_| ())["design"].clone();
    let (half, user) = ("0.5".parse().unwrap(), names(&["user"]));
    assert_eq!(of(Design::Slots(design(Kind::Equal, 4))), json!({ "method": "gap", "k": 4 }));
    assert_eq!(of(Design::Slots(design(Kind::Replace, 4))), json!({ "method": "replace", "k": 4 }));
    let weight = |default: Json| json!({ "column": "w", "default": default });
    assert_eq!(
        of(Design::Slots(design(Kind::Pps, 4))),
        json!({ "method": "pps", "k": 4, "weight": weight(Json::Null), "algorithm": "chao" })
    );
    let strata = |columns: &[&str]| Some(Stratify { columns: names(columns), proportional: false });
    let weighted = SlotsDesign {
        weight: Some(Weight { column: "w".into(), default: Some("1".into()) }),
        stratify: strata(&["a", "b"]),
        ..design(Kind::Successive, 4)
    };
    assert_eq!(
        of(Design::Slots(weighted)),
        json!({
            "method": "successive", "k": 4, "weight": weight(json!("1")),
            "stratify": { "allocation": "each", "column": ["a", "b"] },
        })
    );
    assert_eq!(
        of(Design::Slots(stratified(Kind::Equal, 4, true))),
        json!({ "method": "gap", "k": 4, "stratify": { "allocation": "proportional", "column": "g" } })
    );
    assert_eq!(
        of(Design::Keys { columns: user.clone(), k: 4, stratify: None }),
        json!({ "method": "ticket", "k": 4, "group_by": "user" })
    );
    assert_eq!(
        of(Design::Keys { columns: names(&["a", "b"]), k: 4, stratify: Some(names(&["g"])) }),
        json!({
            "method": "ticket", "k": 4, "group_by": ["a", "b"], "stratify": { "allocation": "each", "column": "g" },
        })
    );
    assert_eq!(of(Design::Chance(half)), json!({ "method": "chance", "p": "1/2" }));
    assert_eq!(
        of(Design::KeyChance { columns: user, p: half }),
        json!({ "method": "bernoulli", "group_by": "user", "p": "1/2" })
    );
    assert_eq!(of(Design::Shuffle), json!({ "method": "shuffle" }));
}
