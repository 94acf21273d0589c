//! Samples of rows as drawn by the command and by Python, compared with the samplers themselves, with sorting, and with
//! values computed by hand: samples, states, merges, rules and records.

mod by_hand;
mod keys;
mod merges;
mod rules;
mod slots;
mod states;
mod texts;

use by_hand::Saved;
use hashwell_draw::row_sampling::{
    Form, Kind, Sample, Shape, Slots, SlotsDesign, State, Stratify, Value, Weight,
};
use hashwell_draw::{Error, Key};
use std::borrow::Cow;

/// A key for tests.
fn key(of: u8) -> Key {
    Key([of; 32])
}

/// Texts as names of columns.
fn names(of: &[&str]) -> Vec<String> {
    of.iter().map(|name| (*name).to_owned()).collect()
}

fn has_weights(kind: Kind) -> bool {
    !matches!(kind, Kind::Equal | Kind::Replace)
}

/// The design for k rows of this kind.
fn design(kind: Kind, k: usize) -> SlotsDesign {
    let weight = has_weights(kind).then(|| Weight { column: "w".into(), default: None });
    SlotsDesign { k, kind, weight, stratify: None }
}

/// The same design, stratified.
fn stratified(kind: Kind, k: usize, proportional: bool) -> SlotsDesign {
    SlotsDesign { stratify: Some(Stratify { columns: names(&["g"]), proportional }), ..design(kind, k) }
}

/// A weight in the form that the kind requires.
fn value(kind: Kind, weight: u64) -> Value {
    match kind {
        Kind::Equal | Kind::Replace => Value::One,
        Kind::Successive | Kind::WeightedReplace => Value::Float(weight as f64),
        Kind::Pps => Value::Units(weight.into()),
    }
}

/// The bytes of a row, of several lengths.
fn row(number: u64) -> Vec<u8> {
    format!("row {number} {}", "x".repeat(number as usize % 5)).into_bytes()
}

fn bytes_of(number: u64) -> Result<Cow<'static, [u8]>, Error> {
    Ok(row(number).into())
}

/// Weights that include zeros and some large values.
fn weight_of(number: u64) -> u64 {
    if number % 97 == 5 { number * 40 } else { number % 9 }
}

/// A sample of rows with these numbers, which all have the same label.
fn sampled(kind: Kind, k: usize, of: Key, numbers: impl IntoIterator<Item = u64>) -> Slots {
    let mut slots = Slots::new(design(kind, k), of).unwrap();
    for number in numbers {
        slots.offer(number, value(kind, weight_of(number)), b"", || bytes_of(number)).unwrap();
    }
    slots
}

/// The shape of plain lines.
fn lines() -> Shape {
    Shape { form: Form::Lines, header: None }
}

fn saved(sample: Sample) -> Vec<u8> {
    State { sample, shape: lines() }.to_bytes().unwrap()
}

fn saved_slots(slots: &Slots) -> Vec<u8> {
    saved(Sample::Slots(slots.clone()))
}

/// The row numbers in drawing order, for rows whose bytes are made from them.
fn drawn(sample: Sample) -> Vec<u64> {
    numbers(sample, true)
}

fn numbers(sample: Sample, of_drawing: bool) -> Vec<u64> {
    let picks = sample.picks(of_drawing).unwrap();
    assert!(picks.iter().all(|(_, kept)| kept.bytes == row(kept.number)), "a row is another one");
    assert_eq!((picks.iter().count(), picks.iter().next().is_none()), (picks.len(), picks.is_empty()));
    picks.iter().map(|(_, kept)| kept.number).collect()
}

/// The error for bytes that are not a valid state.
fn refused(state: &Saved) -> String {
    match State::from_bytes(&state.bytes()) {
        Ok(_) => "it was read".into(),
        Err(error) => error.to_string().trim_start_matches("not a saved sample: ").to_owned(),
    }
}
