//! Compares the logarithm and the exponential with a reference of about 100 bits, and with values that never change.

use crate::double;

use double::Double;
use hashwell::{CounterRng, RandomSource};
use hashwell_draw::number::{exp, expm1, ln, ln_beta, ln_gamma, log1p, minus_ln_unit};

const SAMPLES: usize = 10_000;

/// The largest error over the inputs, in ulps of the result.
fn worst(inputs: impl Iterator<Item = f64>, function: fn(f64) -> f64, reference: fn(f64) -> Double) -> f64 {
    let mut worst = (0.0, 0.0);
    for x in inputs {
        let error = reference(x).ulps_to(function(x));
        if error.is_nan() || error > worst.0 {
            worst = (error, x);
        }
    }
    println!("{:.3} ulp at {:e}", worst.0, worst.1);
    worst.0
}

/// Uniform in `low..high`.
fn between(low: f64, high: f64) -> impl Iterator<Item = f64> {
    let mut words = CounterRng::new(&[1; 32]);
    (0..SAMPLES).map(move |_| low + (high - low) * words.next_f64().unwrap())
}

/// Numbers in every binade between 2^low and 2^high, with both signs if `signs`.
fn binades(low: i32, high: i32, signs: bool) -> impl Iterator<Item = f64> {
    let mut words = CounterRng::new(&[2; 32]);
    (0..SAMPLES).map(move |_| {
        let power = low + (words.next_u64().unwrap() % (high - low) as u64) as i32;
        let x = (1.0 + words.next_f64().unwrap()) * 2_f64.powi(power / 2) * 2_f64.powi(power - power / 2);
        if signs && words.next_u64().unwrap() % 2 == 1 { -x } else { x }
    })
}

/// The neighbors of 1, and of the boundaries of the argument reduction.
fn edges() -> impl Iterator<Item = f64> {
    use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};
    let seams = [1.0, 0.5, 2.0, FRAC_1_SQRT_2, SQRT_2, 1e-300, 1e300, f64::MIN_POSITIVE];
    seams
        .into_iter()
        .flat_map(|x: f64| (-9..=9).map(move |step| f64::from_bits(x.to_bits().wrapping_add_signed(step))))
}

#[test]
fn ln_is_off_by_less_than_an_ulp() {
    assert!(worst(edges().chain([f64::MAX, 5e-324, 1e-310, 2.2e-308]), ln, Double::ln) < 1.0);
    assert!(worst(binades(-1022, 1024, false), ln, Double::ln) < 1.0);
    assert!(worst(between(0.25, 4.0), ln, Double::ln) < 1.0);
    assert!(worst(binades(-53, -8, true).map(|x| 1.0 + x), ln, Double::ln) < 1.0);
    assert!(worst(binades(-1074, -1022, false), ln, Double::ln) < 1.0);
}

#[test]
fn log1p_is_off_by_less_than_an_ulp() {
    assert!(worst(binades(-1000, -1, true), log1p, Double::log1p) < 1.0);
    assert!(worst(between(-0.999, 3.0), log1p, Double::log1p) < 1.0);
    assert!(worst(binades(-4, 1000, false), log1p, Double::log1p) < 1.0);
    assert!(worst(binades(-53, -1, false).map(|x| x - 1.0), log1p, Double::log1p) < 1.0);
}

#[test]
fn exp_is_off_by_less_than_an_ulp_and_expm1_by_less_than_two() {
    // Below this, the second float of the reference is subnormal.
    assert!(worst(between(-650.0, 709.7), exp, Double::exp) < 1.0);
    assert!(worst(between(-1.0, 1.0), exp, Double::exp) < 1.0);
    assert!(worst(binades(-1000, -2, true), expm1, Double::expm1) < 2.0);
    assert!(worst(between(-2.0, 2.0), expm1, Double::expm1) < 2.0);
    assert!(worst(between(-40.0, 709.7), expm1, Double::expm1) < 2.0);
}

#[test]
fn ends_are_those_of_ieee_754() {
    let inf = f64::INFINITY;
    assert_eq!([ln(0.0), ln(-0.0), ln(inf), ln(1.0)], [-inf, -inf, inf, 0.0]);
    let not = [ln(-1.0), ln(f64::NAN), ln(-inf), ln(-5e-324), log1p(-1.5), log1p(f64::NAN)];
    assert!(not.iter().all(|x| x.is_nan()));
    assert_eq!([log1p(-1.0), log1p(inf), log1p(0.0), log1p(5e-324)], [-inf, inf, 0.0, 5e-324]);
    assert_eq!([exp(-inf), exp(inf), exp(0.0), exp(-745.14), exp(710.0)], [0.0, inf, 1.0, 0.0, inf]);
    assert_eq!(
        [expm1(-inf), expm1(inf), expm1(0.0), expm1(5e-324), expm1(-50.0)],
        [-1.0, inf, 0.0, 5e-324, -1.0]
    );
    assert!(exp(f64::NAN).is_nan() && expm1(f64::NAN).is_nan());
    // Subnormal results are accurate to half their unit, plus the error of the steps before.
    assert_eq!([exp(-745.0), exp(-744.5)], [5e-324, 5e-324]);
    assert!((exp(709.782_712_893_38) / 1.797_693_134_855e308 - 1.0).abs() < 1e-11);
}

#[test]
fn exponentials_of_words_keep_their_digits_at_both_ends() {
    assert_eq!(minus_ln_unit(u64::MAX), 2_f64.powi(-65));
    assert_eq!(minus_ln_unit(u64::MAX - 1), 3.0 * 2_f64.powi(-65));
    assert_eq!(minus_ln_unit(0), 65.0 * std::f64::consts::LN_2);
    assert!((minus_ln_unit(1 << 63) - minus_ln_unit((1 << 63) - 1)).abs() < 1e-15, "the two branches meet");
    let mut words = CounterRng::new(&[3; 32]);
    let mean = (0..100_000).map(|_| minus_ln_unit(words.next_u64().unwrap())).sum::<f64>() / 1e5;
    assert!((mean - 1.0).abs() < 0.016, "{mean}");
}

/// The values from which draws are computed must never change by a bit.
#[test]
fn values_are_pinned() {
    let mut digest = hashwell::Sha256::new();
    for x in binades(-1022, 1024, false).take(2000) {
        digest.update(&ln(x).to_bits().to_be_bytes());
    }
    for x in binades(-300, 9, true).take(2000) {
        for y in [log1p(x.max(-0.999)), exp(x), expm1(x)] {
            digest.update(&y.to_bits().to_be_bytes());
        }
    }
    let hex: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "ff633e08c71699c92b42a68ff2963495ad4748121cec1a5969a54d53c04fceb2");

    // Values where the last terms of the series count, values of random numbers, and values where the method changes.
    let mut digest = hashwell::Sha256::new();
    let mut words = CounterRng::new(&[4; 32]);
    for x in between(0.708, 0.75).chain(between(1.35, 1.414)).map(ln) {
        digest.update(&x.to_bits().to_be_bytes());
    }
    for _ in 0..2000 {
        digest.update(&minus_ln_unit(words.next_word()).to_bits().to_be_bytes());
    }
    for x in (1..80).map(|halves| f64::from(halves) / 2.0) {
        for y in [ln_gamma(x), ln_beta(x, 2.0), ln_beta(x, 16.0), ln_beta(x, 30.0)] {
            digest.update(&y.to_bits().to_be_bytes());
        }
    }
    let hex: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "f3af042a0ef38872473a71f161f1fc5fdff1a6341ccb54644a18f43541aabf50");
}
