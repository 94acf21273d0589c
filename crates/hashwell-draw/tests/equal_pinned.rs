//! Draws never change: samples for one key, as constants. All values except those of Algorithm L were computed by an
//! independent Python program that uses `hashlib` and integers.

use crate::slots::rows_in_slots;
use hashwell::CounterRng;
use hashwell_draw::algorithms::{AlgorithmL, AlgorithmR, SequentialSampler, floyd};
use hashwell_draw::draw::{
    below, below_lemire, below_u128, bernoulli_of, categorical, categorical_exact, exponential, permutation,
    unit, unit_positive,
};
use hashwell_draw::sample::{
    BottomK, FisherYates, Reservoir, Sample, SkipReservoir, Tickets, WithReplacement, from_iter, merge,
    multinomial,
};
use hashwell_draw::{Key, hex, key::OPEN_LIST};

fn key() -> Key {
    Key::derive(b"0877", b"pinned", &OPEN_LIST)
}

fn words() -> CounterRng {
    key().words()
}

#[test]
fn draws() {
    let mut words = words();
    assert_eq!(
        [below(&mut words, 10), below(&mut words, (1 << 63) + 1)].map(Result::unwrap),
        [3, 3_442_643_374_904_875_893]
    );
    assert_eq!(below_lemire(&mut words, 1_000_003), Ok(779_574));
    assert_eq!(below_u128(&mut words, 10_u128.pow(30)), Ok(443_100_033_987_831_450_271_628_001_978));
    let half = |words: &mut CounterRng| bernoulli_of(words, 1, 2).unwrap();
    assert_eq!([half(&mut words), half(&mut words), half(&mut words)], [true; 3]);
    assert_eq!(categorical(&mut words, &[0.1, 0.2, 0.3, 0.4]), Ok(2));
    assert_eq!(categorical_exact(&mut words, &[1, 2, 3, 4]), Ok(2));
    assert_eq!(
        (unit(&mut words), unit_positive(&mut words)),
        (Ok(0.647_657_365_214_563_7), Ok(0.894_885_355_588_967_4))
    );
    let time = exponential(&mut words).unwrap();
    assert_eq!((time.whole, time.fraction), (0, 49_510_159_740_861_857_403_278_292_809_220_724_634));
    assert_eq!(permutation(&mut words, 8).unwrap(), [3, 2, 1, 5, 4, 7, 0, 6]);
    assert_eq!(words.position() / 8, 26);
}

#[test]
fn reservoirs() {
    fn of(mut reservoir: impl Reservoir) -> Vec<u64> {
        from_iter(&mut reservoir, 0..1_000_000).unwrap()
    }
    assert_eq!(of(SkipReservoir::new(words(), 5).unwrap()), [991_053, 347_331, 580_182, 529_788, 817_548]);
    assert_eq!(of(SkipReservoir::new(words(), 1).unwrap()), [917_047]);
    assert_eq!(of(AlgorithmR::new(words(), 5).unwrap()), [193_705, 631_064, 122_230, 429_978, 942_642]);
    assert_eq!(of(AlgorithmL::new(words(), 5).unwrap()), [936_601, 646_123, 34_206, 839_302, 832_921]);
    let large: u64 =
        of(SkipReservoir::new(words(), 20_000).unwrap()).iter().zip(1..).map(|(row, slot)| row * slot).sum();
    assert_eq!(large, 100_460_917_929_816);
}

#[test]
fn known_n() {
    let mut shuffle = FisherYates::new(words(), 1_000_000).unwrap();
    assert_eq!(shuffle.picks(5).unwrap(), [802_583, 289_052, 527_821, 984_491, 522_056]);
    assert_eq!(floyd(&mut words(), 1_000_000, 5).unwrap(), [168_103, 171_504, 527_819, 598_656, 693_444]);
    let mut ordered = SequentialSampler::new(words(), 1_000_000, 5).unwrap();
    let picks: Vec<u64> = std::iter::from_fn(|| ordered.next_pick().unwrap()).collect();
    assert_eq!(picks, [233_602, 243_054, 315_395, 704_249, 769_441]);
    assert_eq!(multinomial(&mut words(), 4, 10).unwrap(), [(0, 1), (1, 5), (2, 2), (3, 2)]);
}

#[test]
fn slots_with_replacement() {
    let (sample, known) = WithReplacement::new(&key(), 5).unwrap().pass_known(1_000_000).unwrap();
    let rows: Vec<u64> = sample.places().unwrap().iter().map(|place| known.rows[*place as usize]).collect();
    assert_eq!(rows, [252_510, 853_212, 105_392, 768_486, 182_748]);
}

#[test]
fn tickets() {
    let ids: Vec<String> = (0..1000).map(|row| row.to_string()).collect();
    let mut kept = BottomK::new(5);
    Tickets::new(&key())
        .each(&ids, |row, ticket| {
            kept.offer(ticket, ids[row].as_bytes(), row);
        })
        .unwrap();
    assert_eq!(
        kept.rows().next().map(|(ticket, tie, _)| (ticket, tie)),
        Some((769_260_175_552_447_607_690_861_058_013_496_482, &b"370"[..]))
    );
    assert_eq!(kept.into_rows(), [370, 558, 432, 34, 115]);
}

#[test]
fn merged() {
    let part = |from: u64, seen| Sample::new((from..from + 5).collect(), seen, 5).unwrap();
    assert_eq!(merge(&mut words(), part(0, 1000), part(100, 500)).unwrap().rows(), [2, 3, 0, 4, 103]);
}

/// `vectors/sampling.json`, which `reference/sampling.py` computes: all rows at once, and several of them through a
/// stream.
#[test]
fn slots_with_replacement_are_those_of_the_reference() {
    let file: serde_json::Value = serde_json::from_str(include_str!("vectors/sampling.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    for case in cases {
        let key = Key(hex::decode(case["key"].as_str().unwrap()).unwrap().try_into().unwrap());
        if let Some(seed) = case["seed"].as_str() {
            let context = case["context"].as_str().unwrap().as_bytes();
            assert_eq!(Key::derive(&hex::decode(seed).unwrap(), context, &OPEN_LIST), key);
        }
        let k = case["k"].as_u64().unwrap() as usize;
        let n: u64 = case["n"].as_str().unwrap().parse().unwrap();
        let must: Vec<u64> = case["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row.as_str().unwrap().parse().unwrap())
            .collect();
        let (slots, known) = WithReplacement::new(&key, k).unwrap().pass_known(n).unwrap();
        assert_eq!(rows_in_slots(slots, known.rows, n), must, "{k} of {n}");
        let stream = WithReplacement::new(&key, k).unwrap();
        assert_eq!(rows_in_slots(stream, Vec::new(), n), must, "{k} of {n}, a stream");
    }
    assert_eq!(cases.len(), 11);
}
