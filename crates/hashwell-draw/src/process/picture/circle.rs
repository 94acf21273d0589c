//! Points on a circle, equal on every machine.

use std::f64::consts::FRAC_PI_2;

/// The point on the unit circle at this fraction of the circle, clockwise from the top, 0 <= part < 1; y grows
/// downwards.
pub(super) fn place(part: f64) -> (f64, f64) {
    let quarters = (4.0 * part).floor();
    let angle = (4.0 * part - quarters) * FRAC_PI_2;
    let (sine, cosine) = (series(angle, angle, 1.0), series(1.0, angle, 0.0));
    match quarters as u8 {
        0 => (sine, -cosine),
        1 => (cosine, sine),
        2 => (-sine, cosine),
        _ => (-cosine, -sine),
    }
}

/// The sum of ± x^k / k! over every second k, starting with the first term; accurate to 1e-12 up to a quarter of the
/// circle.
fn series(first: f64, angle: f64, power: f64) -> f64 {
    let (mut term, mut sum, mut k) = (first, first, power);
    for _ in 0..10 {
        term *= -angle * angle / ((k + 1.0) * (k + 2.0));
        sum += term;
        k += 2.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_sine_and_cosine() {
        for i in 0..360 {
            let part = f64::from(i) / 360.0;
            let (sine, cosine) = (part * std::f64::consts::TAU).sin_cos();
            let (x, y) = place(part);
            assert!((x - sine).abs() < 1e-12 && (y + cosine).abs() < 1e-12, "{i}: {x} {y}");
        }
    }
}
