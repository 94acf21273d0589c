//! Autoregression: moments of long paths.

use super::{assert_near, model};
use hashwell_draw::process::interpret::Limits;
use hashwell_draw::process::registry::{Data, Shape, Value};
use hashwell_draw::process::{Run, Streams};

const N: usize = 40_000;

fn path() -> Vec<f64> {
    let ar1 = model("ar1", &[("n", &N.to_string()), ("phi", "0.8"), ("sigma", "0.5"), ("c", "1")], None);
    match ar1.sample(&mut Run::seeded(b"series").unwrap().words().unwrap(), &Limits::default()).unwrap() {
        Value::Reals(path) => path,
        other => panic!("{other:?}"),
    }
}

/// The covariances of an autoregressive path are φ^h σ² / (1 - φ²). The standard deviations of their estimates from n
/// values, relative to the variance, are at most about √(2 (1 + φ²) / (1 - φ²) / n) (Bartlett 1946).
#[test]
fn covariances_are_powers_of_phi() {
    let path = &path()[200..];
    let n = path.len() as f64;
    let mean = path.iter().sum::<f64>() / n;
    // σ / (1 - φ) / √n.
    assert_near(mean, 5.0, 5.0 * 2.5 / n.sqrt(), "mean");
    let at = |h: usize| {
        let products = path.iter().zip(&path[h..]).map(|(x, y)| (x - mean) * (y - mean));
        products.sum::<f64>() / n
    };
    let variance = 0.25 / (1.0 - 0.64);
    let deviation = variance * (2.0 * 1.64 / 0.36 / n).sqrt();
    for h in [0, 1, 2, 5, 10] {
        let must = |phi: f64| phi.powi(h as i32) * 0.25 / (1.0 - phi * phi);
        assert_near(at(h), must(0.8), 5.0 * deviation, "covariance");
        // A process that is slightly more or less persistent is distinguished.
        assert!(h > 5 || (at(h) - must(0.84)).abs() > 5.0 * deviation, "{h}");
        assert!(h > 5 || (at(h) - must(0.74)).abs() > 5.0 * deviation, "{h}");
    }
}

#[test]
fn short_paths_have_the_moments_of_each_step() {
    let given = [("n", "3"), ("phi", "-0.5"), ("sigma", "2"), ("start", "10")];
    let ar1 = model("ar1", &given, None);
    let moments = ar1.moments();
    assert_near(moments[0].1, -1.25, 1e-15, "mean");
    assert_near(moments[1].1, 4.0 * (1.0 + 0.25 + 0.0625), 1e-15, "variance");
    assert_near(moments[3].1, 4.0 / 0.75, 1e-15, "stationary variance");
    let run = Run::seeded(b"short series").unwrap();
    let columns = ar1.simulate(Streams::Separate(&run, 0..20_000), &Limits::default()).unwrap();
    let (Data::F64(items), Shape::Rows { width: 4 }) = (columns.data, columns.shape) else { panic!() };
    let last: Vec<f64> = items.chunks(4).map(|path| path[3]).collect();
    let n = last.len() as f64;
    let mean = last.iter().sum::<f64>() / n;
    let variance = last.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    assert_near(mean, -1.25, 5.0 * (5.25 / n).sqrt(), "simulated mean");
    assert_near(variance, 5.25, 5.0 * 5.25 * (2.0 / n).sqrt(), "simulated variance");
}

#[test]
fn densities_are_products_of_steps() {
    let ar1 = model("ar1", &[("n", "2"), ("phi", "0.5"), ("c", "1"), ("sigma", "2")], None);
    let density =
        |x: f64, mean: f64| (-0.5 * ((x - mean) / 2.0).powi(2)).exp() / (2.0 * std::f64::consts::TAU.sqrt());
    let log = ar1.log_probability(&Value::Reals(vec![0.0, 3.0, -1.0])).unwrap();
    assert_near(log.exp(), density(3.0, 1.0) * density(-1.0, 2.5), 1e-15, "density");
    let trace = ar1.trace(&mut Run::seeded(b"trace").unwrap().words().unwrap(), &Limits::default()).unwrap();
    let score = ar1.score(&trace.outcomes(), &Limits::default()).unwrap();
    assert_near(score.log_probability, ar1.log_probability(&trace.out).unwrap(), 1e-12, "score");
    let error = ar1.exact(&Limits::default()).unwrap_err().to_string();
    assert_eq!(error, "ar1 can't be enumerated: its values are continuous");
}
