//! Axes: the positions of values, the ticks, and how values are formatted.

/// The mapping from values to positions on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    Linear,
    /// Equal ratios have equal lengths; ticks are at powers of two.
    Log2,
    /// Equal ratios have equal lengths; ticks are at powers of ten, and between them if there is enough space.
    Log10,
}

/// One axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The label, with the unit.
    pub label: String,
    /// The scale.
    pub scale: Scale,
    /// Formats the value of a tick.
    pub format: fn(f64) -> String,
    /// The lower and upper end. By default, they depend on the data, and a linear axis starts at zero.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// An axis whose range depends on the data.
    pub fn new(label: impl Into<String>, scale: Scale, format: fn(f64) -> String) -> Self {
        Self { label: label.into(), scale, format, range: None }
    }

    /// Sets the range from `low` to `high`, regardless of the data.
    #[must_use]
    pub fn over(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }

    /// The range for these data. Values that cannot be on the axis are ignored.
    pub(super) fn extent(&self, data: impl Iterator<Item = f64>) -> (f64, f64) {
        if let Some(range) = self.range {
            return range;
        }
        let placed = data.filter(|v| self.scale.place(*v).is_some());
        let (mut low, mut high) =
            placed.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        match self.scale {
            Scale::Linear => {
                (low, high) = (low.min(0.0), high.max(0.0));
                let room = 0.04 * (high - low);
                let ends =
                    (low - if low < 0.0 { room } else { 0.0 }, high + if high > 0.0 { room } else { 0.0 });
                if low == high { (0.0, 1.0) } else { ends }
            }
            Scale::Log2 | Scale::Log10 if low > high => (1.0, 10.0),
            Scale::Log2 | Scale::Log10 if low == high => (low / 2.0, high * 2.0),
            Scale::Log2 | Scale::Log10 => {
                let room = (high / low).powf(0.03);
                (low / room, high * room)
            }
        }
    }
}

impl Scale {
    /// The position of the value before it is scaled to the chart. `None` if the value cannot be on the axis.
    fn place(self, value: f64) -> Option<f64> {
        let place = match self {
            Self::Linear => value,
            Self::Log2 | Self::Log10 if value > 0.0 => value.ln(),
            Self::Log2 | Self::Log10 => return None,
        };
        place.is_finite().then_some(place)
    }

    /// The values of the ticks between `low` and `high`, at most about `count` of them.
    pub(super) fn ticks(self, low: f64, high: f64, count: usize) -> Vec<f64> {
        let count = count.max(2);
        match self {
            Self::Linear => linear_ticks(low, high, count),
            Self::Log2 => log2_ticks(low, high, count),
            Self::Log10 => log10_ticks(low, high, count),
        }
    }
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear_ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let rough = (high - low) / count as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= rough * 0.999);
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((low / step).ceil() as i64, (high / step + 1e-9).floor() as i64);
    // Each is computed from an integer, so that rounding errors don't add up. Zero is never negative.
    (first..=last).map(|i| i as f64 * step + 0.0).collect()
}

/// Powers of two. If there are fewer than three, also the values halfway between them.
fn log2_ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let exponents = low.log2().floor() as i32..=high.log2().floor() as i32;
    let inside = |value: &f64| (low..=high).contains(value);
    let powers: Vec<f64> = exponents.map(|e| 2_f64.powi(e)).collect();
    match powers.iter().copied().filter(inside).count() {
        0..=2 => powers.iter().flat_map(|p| [*p, 1.5 * p]).filter(inside).collect(),
        many => powers.into_iter().filter(inside).step_by(many.div_ceil(count)).collect(),
    }
}

fn log10_ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let decades = || low.log10().floor() as i32..=high.log10().floor() as i32;
    let marked = |multiples: &[f64]| -> Vec<f64> {
        let all = decades().flat_map(|d| multiples.iter().map(move |m| m * 10_f64.powi(d)));
        all.filter(|v| (low..=high).contains(v)).collect()
    };
    let dense = marked(&[1.0, 2.0, 5.0]);
    let plain = marked(&[1.0]);
    match (dense.len(), plain.len()) {
        (0..=2, _) => linear_ticks(low, high, count),
        (dense_len, _) if dense_len <= count => dense,
        (_, plain_len) => plain.into_iter().step_by(plain_len.div_ceil(count).max(1)).collect(),
    }
}

/// Maps values to positions in the chart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    scale: Scale,
    low: f64,
    per_unit: f64,
    from: f64,
    ends: (f64, f64),
}

impl Projection {
    /// A projection of `range` to `from..to`.
    pub(super) fn new(scale: Scale, range: (f64, f64), from: f64, to: f64) -> Self {
        let low = scale.place(range.0).unwrap_or(0.0);
        let high = scale.place(range.1).unwrap_or(low + 1.0);
        let width = if high > low { high - low } else { 1.0 };
        Self { scale, low, per_unit: (to - from) / width, from, ends: (from.min(to), from.max(to)) }
    }

    /// The position of a value, which may be outside of the range. `None` if it cannot be on the axis.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        self.scale.place(value).map(|place| self.from + (place - self.low) * self.per_unit)
    }

    /// Same as [`Self::at`], but a position outside of the range is moved to the nearer end. A value that cannot be on
    /// the axis counts as below the range.
    pub(super) fn within(&self, value: f64) -> f64 {
        self.at(value).unwrap_or(self.from).clamp(self.ends.0, self.ends.1)
    }
}

// ----------------------------------------------------------------------------------------- formats

/// Formats bytes with binary units: `64 B`, `1 KiB`, `1.5 MiB`.
#[must_use]
pub fn bytes(value: f64) -> String {
    binary(value, "")
}

/// Formats bytes per second with binary units: `512 MiB/s`.
#[must_use]
pub fn bytes_per_second(value: f64) -> String {
    binary(value, "/s")
}

fn binary(value: f64, per: &str) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = value;
    let mut unit = 0;
    while value.abs() >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{} {}{per}", number(value), units[unit])
}

/// Formats seconds with decimal units: `12 ns`, `3.4 ms`.
#[must_use]
pub fn seconds(value: f64) -> String {
    let (unit, name) = seconds_unit(value);
    format!("{} {name}", number(value / unit))
}

/// The unit in which this number of seconds has at most three digits before the decimal point: its length in seconds,
/// and its name. Use it for the highest value of an axis.
#[must_use]
pub fn seconds_unit(value: f64) -> (f64, &'static str) {
    let units = [(1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms")];
    let found = units.into_iter().find(|(unit, _)| value != 0.0 && value.abs() < 999.5 * unit);
    found.unwrap_or((1.0, "s"))
}

/// Formats a fraction as a percentage.
#[must_use]
pub fn percent(value: f64) -> String {
    format!("{} %", number(100.0 * value))
}

/// Formats a number with three digits, without trailing zeros. Large numbers have thin spaces between thousands, and
/// negative ones have a minus sign. NaN and infinities are written as a dash.
#[must_use]
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".into() } else { "–".into() };
    }
    let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{:.digits$}", value.abs());
    let text = match digits {
        0 => thousands(&text, '\u{202f}'),
        _ => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
    };
    if value < 0.0 { format!("−{text}") } else { text }
}

/// Inserts a gap after each group of three digits.
fn thousands(digits: &str, gap: char) -> String {
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(gap);
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_inside() {
        assert_eq!(Scale::Linear.ticks(0.0, 10.4, 6), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(Scale::Linear.ticks(-5.2, 5.2, 4), [-5.0, 0.0, 5.0]);
        assert_eq!(Scale::Log2.ticks(60.0, 70_000.0, 6), [64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0]);
        assert_eq!(Scale::Log2.ticks(400.0, 1600.0, 6), [512.0, 768.0, 1024.0, 1536.0]);
        assert_eq!(Scale::Log10.ticks(0.9, 1200.0, 6), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(Scale::Log10.ticks(0.9, 60.0, 8), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]);
        // Less than a decade: the ticks are like those of a linear axis.
        assert_eq!(Scale::Log10.ticks(3.0, 4.1, 4), [3.0, 3.5, 4.0]);
        assert_eq!(Scale::Log10.ticks(1.0, 1e12, 5), [1.0, 1e3, 1e6, 1e9, 1e12]);
    }

    #[test]
    fn extents_hold_the_data_and_ignore_what_has_no_place() {
        let linear = Axis::new("", Scale::Linear, number);
        assert_eq!(linear.extent([5.0, 10.0].into_iter()), (0.0, 10.4));
        assert_eq!(linear.extent(std::iter::empty()), (0.0, 1.0));
        assert_eq!(linear.extent([0.0].into_iter()), (0.0, 1.0));
        let log = Axis::new("", Scale::Log10, number);
        let (low, high) = log.extent([f64::NAN, 0.0, -1.0, 2.0, f64::INFINITY, 8.0].into_iter());
        assert!((1.8..2.0).contains(&low) && (8.0..8.9).contains(&high));
        assert_eq!(log.clone().over(1.0, 3.0).extent([99.0].into_iter()), (1.0, 3.0));
    }

    #[test]
    fn projections() {
        let log = Projection::new(Scale::Log2, (64.0, 1024.0), 0.0, 100.0);
        assert!((log.at(256.0).unwrap() - 50.0).abs() < 1e-9);
        assert_eq!(log.at(0.0), None);
        assert_eq!((log.within(0.0), log.within(1e9)), (0.0, 100.0));
        let upwards = Projection::new(Scale::Linear, (0.0, 10.0), 200.0, 100.0);
        assert_eq!(upwards.at(2.5), Some(175.0));
        // An empty range does not cause a division by zero.
        assert_eq!(Projection::new(Scale::Linear, (3.0, 3.0), 0.0, 10.0).at(3.0), Some(0.0));
    }

    #[test]
    fn values_as_people_write_them() {
        assert_eq!(
            [0.0, 64.0, 1024.0, 1536.0, 1048576.0].map(bytes),
            ["0 B", "64 B", "1 KiB", "1.5 KiB", "1 MiB"]
        );
        assert_eq!(bytes_per_second(2.5 * 1024.0 * 1024.0 * 1024.0), "2.5 GiB/s");
        assert_eq!([0.0, 3.2e-8, 1.5e-3, 12.0].map(seconds), ["0 s", "32 ns", "1.5 ms", "12 s"]);
        assert_eq!(
            [0.0, 1234567.0, 0.001234, -1500.0, 100.0, f64::NAN].map(number),
            ["0", "1\u{202f}234\u{202f}567", "0.00123", "−1\u{202f}500", "100", "–"]
        );
        assert_eq!(percent(0.125), "12.5 %");
    }
}
