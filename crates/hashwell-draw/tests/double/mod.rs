//! Numbers that consist of two floats, with about 104 bits: a slow and simple reference for testing functions.
#![allow(unreachable_pub)]

/// high + low, where |low| is at most half an ulp of high.
#[derive(Clone, Copy, Debug)]
pub struct Double {
    high: f64,
    low: f64,
}

const LN_2: Double = Double { high: std::f64::consts::LN_2, low: 2.319_046_813_846_299_6e-17 };

impl Double {
    pub fn of(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }

    /// The exact sum of two floats (Knuth).
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let part = high - a;
        Self { high, low: (a - (high - part)) + (b - part) }
    }

    fn add(self, other: Self) -> Self {
        let sum = Self::sum(self.high, other.high);
        let rest = Self::sum(self.low, other.low);
        let first = Self::sum(sum.high, sum.low + rest.high);
        Self::sum(first.high, first.low + rest.low)
    }

    fn negative(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }

    fn times(self, other: Self) -> Self {
        let high = self.high * other.high;
        let exact = self.high.mul_add(other.high, -high);
        Self::sum(high, exact + (self.high * other.low + self.low * other.high))
    }

    fn over(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self.add(other.times(Self::of(-first)));
        let second = rest.high / other.high;
        let rest = rest.add(other.times(Self::of(-second)));
        Self::sum(first, second).add(Self::of(rest.high / other.high))
    }

    pub fn ln(x: f64) -> Self {
        let (x, twos) = if x < f64::MIN_POSITIVE { (x * 2_f64.powi(54), -54) } else { (x, 0) };
        let mut twos = twos + (x.to_bits() >> 52) as i32 - 1023;
        let mut m = f64::from_bits(x.to_bits() & ((1 << 52) - 1) | 1.0_f64.to_bits());
        if m > 1.4 {
            (m, twos) = (m / 2.0, twos + 1);
        }
        Self::artanh_series(Self::of(m - 1.0)).add(LN_2.times(Self::of(f64::from(twos))))
    }

    /// ln(1 + f) = 2 artanh(f/(2 + f)).
    fn artanh_series(f: Self) -> Self {
        let s = f.over(f.add(Self::of(2.0)));
        let z = s.times(s);
        let mut sum = Self::of(0.0);
        for i in (0..60).rev() {
            sum = sum.times(z).add(Self::of(2.0).over(Self::of(f64::from(2 * i + 1))));
        }
        sum.times(s)
    }

    pub fn log1p(x: f64) -> Self {
        if x.abs() < 0.25 {
            return Self::artanh_series(Self::of(x));
        }
        // ln(high·(1 + low/high)).
        let sum = Self::sum(1.0, x);
        Self::ln(sum.high).add(Self::artanh_series(Self::of(sum.low).over(Self::of(sum.high))))
    }

    /// e^x - 1 by its series for |x| < 0.35, and e^x = 2^k·e^r.
    pub fn expm1(x: f64) -> Self {
        if x.abs() < 0.34 { Self::series(Self::of(x)) } else { Self::exp(x).add(Self::of(-1.0)) }
    }

    pub fn exp(x: f64) -> Self {
        let k = (x / std::f64::consts::LN_2).round();
        let r = Self::of(x).add(LN_2.times(Self::of(k)).negative());
        let e = Self::series(r).add(Self::of(1.0));
        // 2^1024 is out of range.
        let power = 2_f64.powi(k as i32 - 1);
        Self { high: e.high * power * 2.0, low: e.low * power * 2.0 }
    }

    fn series(r: Self) -> Self {
        let mut sum = Self::of(0.0);
        for i in (1..30).rev() {
            sum = sum.add(Self::of(1.0)).times(r).over(Self::of(f64::from(i)));
        }
        sum
    }

    /// |x - self| in ulps of the nearest float.
    pub fn ulps_to(self, x: f64) -> f64 {
        let power = ((self.high.abs().to_bits() >> 52) as i32 - 1023).max(-1022) - 52;
        let error = ((x - self.high) - self.low).abs();
        if power < -900 {
            error * 2_f64.powi(600) / 2_f64.powi(power + 600)
        } else {
            error / 2_f64.powi(power)
        }
    }
}
