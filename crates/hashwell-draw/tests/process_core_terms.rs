//! The distributions of the Gaussian and beta terms, compared with their distribution functions.

use crate::law as distribution;

use distribution::{CONVICTED, deviations};
use hashwell_draw::draw::{beta, gaussian};
use hashwell_draw::number::{exp, ln, ln_beta, log1p};
use hashwell_draw::{Key, RandomSource};
use std::collections::BTreeMap;

const DRAWS: u32 = 60_000;

/// The chi-square of draws in cells of equal probability.
fn cells(distribution: impl Fn(f64) -> f64, mut draw: impl FnMut() -> f64) -> f64 {
    const CELLS: u32 = 50;
    let mut counts = BTreeMap::new();
    for _ in 0..DRAWS {
        let cell = (distribution(draw()) * f64::from(CELLS)) as u32;
        *counts.entry(cell.min(CELLS - 1)).or_default() += 1;
    }
    let law = (0..CELLS).map(|cell| (cell, 1.0 / f64::from(CELLS))).collect();
    deviations(&counts, &law)
}

fn words(name: &str) -> impl RandomSource + use<> {
    Key::derive(b"process_core_terms", name.as_bytes(), &[0; 32]).words()
}

/// Φ(z) = ½ + φ(z) (z + z³/3 + z⁵/15 + …) (Abramowitz and Stegun 26.2.11).
fn normal(z: f64) -> f64 {
    let (mut term, mut sum, mut k) = (z, z, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        k += 2.0;
        term *= z * z / k;
        sum += term;
    }
    0.5 + sum * exp(-0.5 * z * z) * 0.398_942_280_401_432_7
}

/// The incomplete beta function, by its continued fraction (Abramowitz and Stegun 26.5.8, in Lentz's way).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = exp(a * ln(x) + b * log1p(-x) - ln_beta(a, b)) / a;
    let (mut c, mut d, mut value) = (1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0)), 1.0);
    value *= d;
    for m in 1..300 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for step in [even, odd] {
            d = 1.0 / (1.0 + step * d);
            c = 1.0 + step / c;
            value *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * value
}

#[test]
fn gaussian_law() {
    let mut fair = words("gaussian");
    let found = cells(normal, || gaussian(&mut fair).unwrap());
    assert!(found < CONVICTED, "{found}");
    // A bias of 1/20 of the deviation, and a scale that is wrong by 1/20, are detected.
    for (shift, scale) in [(0.05, 1.0), (0.0, 0.95)] {
        let mut biased = words("gaussian");
        let found = cells(normal, || shift + scale * gaussian(&mut biased).unwrap());
        assert!(found > CONVICTED, "{found}");
    }
}

#[test]
fn gaussian_moments_and_tails() {
    let mut words = words("moments");
    let draws: Vec<f64> = (0..DRAWS).map(|_| gaussian(&mut words).unwrap()).collect();
    let n = f64::from(DRAWS);
    let moment = |power: i32| draws.iter().map(|z| z.powi(power)).sum::<f64>() / n;
    // Their variances are 1, 2, 15 and 96 over n.
    for (power, must, variance) in [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
        let off = (moment(power) - must) / f64::sqrt(variance / n);
        assert!(off.abs() < 4.9, "{power}: {off}");
    }
    let beyond = |z: f64| draws.iter().filter(|draw| draw.abs() > z).count() as f64;
    // P(|z| > 3) = 0.0027.
    assert!((beyond(3.0) - 0.002_699_8 * n).abs() < 4.9 * f64::sqrt(0.0027 * n));
}

#[test]
fn beta_laws() {
    for (a, b) in [
        (2.0, 3.0),
        (1.0, 1.5),
        (0.5, 1.0),
        (1.0, 1.0),
        (0.5, 0.5),
        (0.1, 0.3),
        (30.0, 0.7),
        (1.5, 200.0),
        (1e-3, 2.0),
    ] {
        let mut fair = words(&format!("beta {a} {b}"));
        let law = |x: f64| incomplete_beta(a, b, x);
        // A draw of 0 represents all values below the smallest float.
        let mut spread = words("spread");
        let mut draw = || match beta(&mut fair, a, b).unwrap() {
            0.0 => f64::MIN_POSITIVE * spread.next_f64().unwrap().max(1e-16),
            x => x,
        };
        let found = if a == 1e-3 { at_the_ends(a, b, draw) } else { cells(law, &mut draw) };
        assert!(found.abs() < CONVICTED, "{a} {b}: {found}");
        if a > 0.01 {
            let mut biased = words(&format!("beta {a} {b}"));
            let found = cells(law, || beta(&mut biased, a * 1.1, b).unwrap());
            assert!(found > CONVICTED, "biased {a} {b}: {found}");
        }
    }
}

/// The deviation of the share of draws below 10^-100 from its expected value, in standard deviations. With such small
/// shapes, half of the mass is outside the range of floating point.
fn at_the_ends(a: f64, b: f64, mut draw: impl FnMut() -> f64) -> f64 {
    // x^a / (a B(a, b)) for small x.
    let must = exp(a * ln(1e-100) - ln(a) - ln_beta(a, b));
    let found = (0..DRAWS).filter(|_| draw() < 1e-100).count() as f64 / f64::from(DRAWS);
    (found - must) / f64::sqrt(must * (1.0 - must) / f64::from(DRAWS))
}

/// With equal shapes of 10^15, the distribution is approximately normal around 1/2.
#[test]
fn beta_of_large_shapes() {
    for shape in [1e9, 1e15] {
        let mut large = words("large");
        let deviation = f64::sqrt(0.25 / (2.0 * shape + 1.0));
        let found = cells(normal, || (beta(&mut large, shape, shape).unwrap() - 0.5) / deviation);
        assert!(found < CONVICTED, "{shape}: {found}");
        let mut biased = words("large");
        let found = cells(normal, || (beta(&mut biased, shape, shape).unwrap() - 0.5) / deviation * 1.05);
        assert!(found > CONVICTED);
    }
}
