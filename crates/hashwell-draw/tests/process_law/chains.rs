//! Compares waiting times, chains, urns and branching processes with closed forms.

use super::distribution::{CONVICTED, deviations};
use super::{Limits, all, assert_near, counts, exact, exact_statistic, model};
use hashwell_draw::process::builtin::{GamblersRuin, Moran};
use hashwell_draw::process::registry::Value;
use std::collections::BTreeMap;

fn choose(n: i64, k: i64) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

#[test]
fn waiting_times_have_their_laws() {
    let geometric = model("geometric", &[("p", "0.1")], None);
    let negative = model("negative-binomial", &[("r", "3"), ("p", "0.25")], None);
    for process in [&geometric, &negative] {
        let law = process.exact(&Limits::default()).unwrap();
        assert!(law.lost > 0.0 && law.lost <= 1e-12);
        assert_near(law.outcomes.iter().map(|(_, mass)| mass).sum(), 1.0 - law.lost, 1e-14, "1 - lost");
        let (mut mean, mut square) = (0.0, 0.0);
        for (out, mass) in &law.outcomes {
            let Value::Whole(k) = *out else { panic!("{out:?}") };
            let must = if process.entry().name == "geometric" {
                0.1 * 0.9_f64.powi(k as i32 - 1)
            } else {
                choose(k + 2, k) * 0.25_f64.powi(3) * 0.75_f64.powi(k as i32)
            };
            assert_near(*mass, must, 1e-15, "mass");
            assert_near(process.log_probability(out).unwrap().exp(), must, 1e-13, "closed form");
            mean += k as f64 * mass;
            square += (k * k) as f64 * mass;
        }
        let moments = process.moments();
        assert_near(mean, moments[0].1, 1e-8, "mean");
        assert_near(square - mean * mean, moments[1].1, 1e-6, "variance");
    }
}

/// The counts of the outcomes below a bound, and of all others together.
fn pooled(counts: BTreeMap<Vec<i64>, u64>, bound: i64) -> BTreeMap<Vec<i64>, u64> {
    let mut pooled = BTreeMap::new();
    for (out, count) in counts {
        *pooled.entry(vec![out[0].min(bound)]).or_default() += count;
    }
    pooled
}

#[test]
fn simulated_waiting_times_have_their_laws() {
    let law = |p: f64| {
        let mut law: BTreeMap<_, _> = (1..40).map(|k| (vec![k], p * (1.0 - p).powi(k as i32 - 1))).collect();
        law.insert(vec![40], (1.0 - p).powi(39));
        law
    };
    let geometric = model("geometric", &[("p", "0.1")], None);
    let counts = pooled(counts(&geometric, b"waiting", 40_000), 40);
    let far = deviations(&counts, &law(0.1));
    assert!(far < CONVICTED, "{far}");
    assert!(deviations(&counts, &law(0.105)) > CONVICTED);
}

#[test]
fn walks_end_as_binomials() {
    let given = [("n", "9"), ("p", "0.3"), ("start", "-2")];
    let walk = model("random-walk", &given, None);
    let must: BTreeMap<_, _> = (0..=9)
        .map(|k| (vec![-2 + 2 * k - 9], choose(9, k) * 0.3_f64.powi(k as i32) * 0.7_f64.powi(9 - k as i32)))
        .collect();
    super::assert_equal(&exact_statistic(&walk, &all()), &must, "walk");
    let (mut ends, mut all) = (BTreeMap::new(), 0.0);
    for (path, mass) in exact(&walk) {
        let log = walk.log_probability(&Value::Wholes(path.clone())).unwrap();
        assert_near(log.exp(), mass, 1e-14, "path");
        *ends.entry(vec![path[9]]).or_insert(0.0) += mass;
        all += mass;
    }
    assert_near(all, 1.0, 1e-14, "all");
    super::assert_equal(&ends, &must, "ends of paths");
    for wrong in [vec![0, 1], vec![-2, -1, 1], vec![]] {
        assert_eq!(walk.log_probability(&Value::Wholes(wrong)), Some(f64::NEG_INFINITY));
    }
}

/// Both closed forms solve the equations of one step, whose solution is unique.
#[test]
fn ruin_solves_its_equations() {
    for p in [0.5, 0.45, 0.501, 0.9, 0.05] {
        let of = |start| GamblersRuin::new(start, 20, p).unwrap();
        assert_eq!((of(0).ruin(), of(20).ruin(), of(0).games(), of(20).games()), (1.0, 0.0, 0.0, 0.0));
        for i in 1..20 {
            let ruin = p * of(i + 1).ruin() + (1.0 - p) * of(i - 1).ruin();
            assert_near(of(i).ruin(), ruin, 1e-13, "ruin");
            let games = 1.0 + p * of(i + 1).games() + (1.0 - p) * of(i - 1).games();
            assert_near(of(i).games(), games, 1e-10, "games");
        }
        let (start, target) = (("start", "7"), ("target", "20"));
        let game = model("gamblers-ruin", &[start, target, ("p", &p.to_string())], None);
        let law = exact_statistic(&game, &Limits { mass: 1e-14, ..all() });
        assert_near(law[&vec![0]], of(7).ruin(), 1e-12, "enumerated");
    }
    // Certain outcomes.
    assert_eq!(GamblersRuin::new(3, 9, 0.0).unwrap().ruin(), 1.0);
    assert_eq!(GamblersRuin::new(3, 9, 1.0).unwrap().ruin(), 0.0);
    assert_eq!(GamblersRuin::new(3, 9, 1.0).unwrap().games(), 6.0);
    assert_eq!(GamblersRuin::new(3, 9, 0.0).unwrap().games(), 3.0);
}

#[test]
fn simulated_games_have_their_law() {
    let game = model("gamblers-ruin", &[("start", "2"), ("target", "5"), ("p", "0.4")], None);
    let mut ends = BTreeMap::new();
    for (path, count) in counts(&game, b"games", 40_000) {
        assert!(path[..path.len() - 1].iter().all(|&at| at > 0 && at < 5));
        *ends.entry(vec![path[path.len() - 1]]).or_default() += count;
    }
    let law = |ruin| BTreeMap::from([(vec![0], ruin), (vec![5], 1.0 - ruin)]);
    let ruin = GamblersRuin::new(2, 5, 0.4).unwrap().ruin();
    assert!(deviations(&ends, &law(ruin)) < CONVICTED);
    assert!(deviations(&ends, &law(ruin + 0.02)) > CONVICTED);
}

#[test]
fn genes_are_fixed_as_moran_says() {
    for (fitness, closed) in [(1.0, 3.0 / 8.0), (2.0, (1.0 - 0.5_f64.powi(3)) / (1.0 - 0.5_f64.powi(8)))] {
        let moran = Moran::new(8, 3, fitness).unwrap();
        assert_near(moran.fixation(), closed, 1e-14, "closed form");
        let given = [("n", "8"), ("start", "3"), ("fitness", &*fitness.to_string())];
        let law = exact_statistic(&model("moran", &given, None), &Limits { mass: 1e-14, ..all() });
        assert_near(law[&vec![8]], closed, 1e-12, "enumerated");
        assert_near(law[&vec![0]], 1.0 - closed, 1e-12, "enumerated");
    }
    assert_eq!(Moran::new(8, 8, 1.0).unwrap().fixation(), 1.0);
    assert_eq!(Moran::new(8, 0, 3.0).unwrap().fixation(), 0.0);
}

#[test]
fn chains_are_powers_of_their_matrix() {
    let given = [("transition", "0.5,0.5,0;0.2,0.3,0.5;0,0.1,0.9"), ("n", "6"), ("start", "1")];
    let chain = model("markov-chain", &given, None);
    let rows: Vec<Vec<f64>> = vec![vec![0.5, 0.5, 0.0], vec![0.2, 0.3, 0.5], vec![0.0, 0.1, 0.9]];
    let closed = hashwell_draw::process::builtin::MarkovChain::new(rows, 1, 6).unwrap().end();
    let law = exact_statistic(&chain, &all());
    let paths = exact(&chain);
    for (state, mass) in closed.iter().enumerate() {
        assert_near(law[&vec![state as i64]], *mass, 1e-14, "last");
        let ends = paths.iter().filter(|(path, _)| path[6] == state as i64);
        assert_near(ends.map(|(_, mass)| mass).sum(), *mass, 1e-14, "paths");
    }
    for (path, mass) in &paths {
        assert_near(chain.log_probability(&Value::Wholes(path.clone())).unwrap().exp(), *mass, 1e-14, "path");
    }
    let mut last = BTreeMap::new();
    for (path, count) in counts(&chain, b"chains", 30_000) {
        *last.entry(vec![path[6]]).or_default() += count;
    }
    assert!(deviations(&last, &law) < CONVICTED);
    // Control: a chain that leaves its last state slightly more often.
    let biased = [("transition", "0.5,0.5,0;0.2,0.3,0.5;0,0.12,0.88"), ("n", "6"), ("start", "1")];
    assert!(deviations(&last, &exact_statistic(&model("markov-chain", &biased, None), &all())) > CONVICTED);
}

/// C(n, k) B(k + a, n - k + b) / B(a, b), the beta functions as products.
fn beta_binomial(n: i64, k: i64, a: f64, b: f64) -> f64 {
    let rising = |x: f64, factors: i64| (0..factors).map(|i| x + i as f64).product::<f64>();
    choose(n, k) * rising(a, k) * rising(b, n - k) / rising(a + b, n)
}

#[test]
fn colours_of_polyas_urn_are_beta_binomial() {
    let urn = model("polya-urn", &[("balls", "1.5,3"), ("add", "1.5"), ("n", "7")], None);
    let must: BTreeMap<_, _> = (0..=7).map(|k| (vec![k, 7 - k], beta_binomial(7, k, 1.0, 2.0))).collect();
    super::assert_equal(&exact_statistic(&urn, &all()), &must, "urn");
    let mean: f64 = must.iter().map(|(counts, mass)| counts[0] as f64 * mass).sum();
    let square: f64 = must.iter().map(|(counts, mass)| (counts[0] * counts[0]) as f64 * mass).sum();
    assert_near(urn.moments()[0].1, mean, 1e-13, "mean");
    assert_near(urn.moments()[1].1, square - mean * mean, 1e-12, "variance");
    for (colours, mass) in exact(&urn) {
        let log = urn.log_probability(&Value::Wholes(colours)).unwrap();
        assert_near(log.exp(), mass, 1e-14, "colours");
    }
    let mut ends = BTreeMap::new();
    for (colours, count) in counts(&urn, b"urns", 30_000) {
        let first = colours.iter().filter(|&&colour| colour == 0).count() as i64;
        *ends.entry(vec![first, 7 - first]).or_default() += count;
    }
    assert!(deviations(&ends, &must) < CONVICTED);
    // Control: draws without adding balls have a different distribution.
    let binomial =
        exact_statistic(&model("polya-urn", &[("balls", "1,2"), ("add", "0"), ("n", "7")], None), &all());
    assert!(deviations(&ends, &binomial) > CONVICTED);
}

#[test]
fn families_die_out_as_their_generating_function_says() {
    let given = [("offspring", "0.3,0.4,0.3"), ("generations", "4"), ("start", "2")];
    let family = model("galton-watson", &given, None);
    let law = exact_statistic(&family, &all());
    let f = |s: f64| 0.3 + 0.4 * s + 0.3 * s * s;
    assert_near(law[&vec![0]], f(f(f(f(0.0)))).powi(2), 1e-13, "extinct");
    let moments = family.moments();
    let mean: f64 = law.iter().map(|(size, mass)| size[0] as f64 * mass).sum();
    let square: f64 = law.iter().map(|(size, mass)| (size[0] * size[0]) as f64 * mass).sum();
    assert_near(moments[0].1, mean, 1e-12, "mean");
    assert_near(moments[1].1, square - mean * mean, 1e-11, "variance");
    assert_near(moments[2].1, law[&vec![0]], 1e-13, "probability of extinction");
    let (mut counts, all) = (counts(&family, b"families", 20_000), 20_000);
    counts.retain(|sizes, _| sizes[4] == 0);
    assert!(counts.keys().all(|sizes| sizes.len() == 5 && sizes[0] == 2));
    let extinct = counts.values().sum::<u64>();
    let ends = BTreeMap::from([(vec![0], extinct), (vec![1], all - extinct)]);
    let must = |chance| BTreeMap::from([(vec![0], chance), (vec![1], 1.0 - chance)]);
    assert!(deviations(&ends, &must(law[&vec![0]])) < CONVICTED);
    assert!(deviations(&ends, &must(law[&vec![0]] + 0.03)) > CONVICTED);
}

/// Closed forms at the ends of their ranges, and where a difference would cancel.
#[test]
fn ruin_holds_at_the_ends_and_near_a_fair_game() {
    let of = |start, target, p| GamblersRuin::new(start, target, p).unwrap();
    for p in [0.0, 0.3, 0.5, 1.0] {
        assert_eq!((of(5, 5, p).ruin(), of(5, 5, p).games()), (0.0, 0.0), "{p}");
        assert_eq!((of(0, 5, p).ruin(), of(0, 5, p).games()), (1.0, 0.0), "{p}");
    }
    // By Feller XIV.3, computed with 50 digits: 2500, with a relative difference of about 10^-24.
    assert_near(of(50, 100, 0.500_000_000_000_01).games(), 2500.0, 1e-9, "games");
    // More games than the 99 of a fair game, although the gambler is usually ruined soon.
    assert_near(of(1, 100, 0.5).games(), 99.0, 1e-10, "games");
    assert!((167.3..167.5).contains(&of(1, 100, 0.52).games()), "{}", of(1, 100, 0.52).games());
    // The equation of one more game, on both sides of the end of the series, and for both halves.
    for p in [0.4, 0.49, 0.497, 0.4987, 0.499_999, 0.500_000_001, 0.5013, 0.503, 0.51, 0.6] {
        for i in [1, 2, 50, 99, 100, 198, 199] {
            let games = 1.0 + p * of(i + 1, 200, p).games() + (1.0 - p) * of(i - 1, 200, p).games();
            assert_near(of(i, 200, p).games() / games, 1.0, 1e-11, "games");
        }
    }
}

/// Values beyond the range of floating point are infinite, not NaN.
#[test]
fn moments_are_numbers() {
    let doubles = [("offspring", "0,0,1"), ("generations", "2000")];
    let moments = model("galton-watson", &doubles, None).moments();
    assert_eq!(
        moments[..2],
        [("mean of the last value", f64::INFINITY), ("variance of the last value", 0.0)]
    );
    for (phi, sigma) in [("1e200", "1"), ("0", "1e200"), ("-1e200", "1e-100")] {
        let given = [("n", "3"), ("phi", phi), ("sigma", sigma)];
        let moments = model("ar1", &given, None).moments();
        assert_eq!(
            moments[..2],
            [("mean of the last value", 0.0), ("variance of the last value", f64::INFINITY)],
            "{phi} {sigma}"
        );
    }
}

/// The number of children has mean 1.25 and variance 0.6875. All results have few binary digits, so nothing is rounded.
#[test]
fn mean_and_variance_of_the_last_generation() {
    use hashwell_draw::process::builtin::{GaltonWatson, Keep};
    let family = GaltonWatson::new(vec![0.25, 0.25, 0.5], 3, 2, 1000, Keep::Summary).unwrap();
    // m μ^3, and m σ² μ² (μ³ - 1) / (μ - 1).
    let variance = 2.0 * 0.6875 * 1.25 * 1.25 * (1.25_f64.powi(3) - 1.0) / 0.25;
    assert_eq!(family.last(), (2.0 * 1.25_f64.powi(3), variance));
}

/// The row of the table describes the closed forms.
#[test]
fn moments_are_named() {
    use hashwell_draw::process::builtin::RandomWalk;
    let moments = |name, given: &[(&str, &str)]| model(name, given, None).moments();
    let (mean, variance) = RandomWalk::new(7, 0.3, -2).unwrap().end();
    let walk = moments("random-walk", &[("n", "7"), ("p", "0.3"), ("start", "-2")]);
    assert_eq!(walk, [("mean of the last value", mean), ("variance of the last value", variance)]);
    let game = GamblersRuin::new(2, 5, 0.4).unwrap();
    let given = [("start", "2"), ("target", "5"), ("p", "0.4")];
    let must = [("probability of ruin", game.ruin()), ("expected number of games", game.games())];
    assert_eq!(moments("gamblers-ruin", &given), must);
    let fixed = Moran::new(8, 3, 2.0).unwrap().fixation();
    let given = [("n", "8"), ("start", "3"), ("fitness", "2")];
    assert_eq!(moments("moran", &given), [("probability of fixation", fixed)]);
    assert_eq!(moments("markov-chain", &[("transition", "1"), ("n", "1")]), []);
}

/// Compares the distribution of the last state with values computed by hand: for one chain after zero, one and two
/// steps, and for a cycle of three states after three steps.
#[test]
fn the_last_state_of_a_chain() {
    use hashwell_draw::process::builtin::MarkovChain;
    let end = |rows: &[[f64; 3]], n| {
        MarkovChain::new(rows.iter().map(|row| row.to_vec()).collect(), 1, n).unwrap().end()
    };
    let rows = [[1.0, 0.0, 0.0], [0.0, 0.25, 0.75], [0.5, 0.5, 0.0]];
    assert_eq!(end(&rows, 0), [0.0, 1.0, 0.0]);
    assert_eq!(end(&rows, 1), [0.0, 0.25, 0.75]);
    assert_eq!(end(&rows, 2), [0.375, 0.0625 + 0.375, 0.1875]);
    assert_eq!(end(&[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], 3), [0.0, 1.0, 0.0]);
}

/// A path that begins in another or an invalid state, or that continues after its end, is impossible.
#[test]
fn paths_that_cannot_be_have_no_chance() {
    let log = |name, given: &[(&str, &str)], path: &[i64]| {
        model(name, given, None).log_probability(&Value::Wholes(path.to_vec())).unwrap()
    };
    let chain = [("transition", "0.5,0.5;0.25,0.75"), ("n", "2"), ("start", "1")];
    assert_near(log("markov-chain", &chain, &[1, 0, 0]).exp(), 0.125, 1e-15, "a path");
    let game = [("start", "1"), ("target", "2"), ("p", "0.5")];
    assert_near(log("gamblers-ruin", &game, &[1, 0]).exp(), 0.5, 1e-15, "a game");
    for path in [&[-5, 0, 0][..], &[7, 0, 0], &[0, 0, 0], &[1, 0], &[1, 0, 0, 0], &[1, 2, 0], &[]] {
        assert_eq!(log("markov-chain", &chain, path), f64::NEG_INFINITY, "{path:?}");
    }
    for path in [&[1, 0, 1, 2][..], &[2, 1, 0], &[1], &[1, 1, 0]] {
        assert_eq!(log("gamblers-ruin", &game, path), f64::NEG_INFINITY, "{path:?}");
    }
    let ar1 = model("ar1", &[("n", "2"), ("phi", "0.5"), ("start", "3")], None);
    for path in [&[3.0, 1.0][..], &[3.0, 1.0, 1.0, 1.0], &[2.5, 1.0, 1.0], &[]] {
        assert_eq!(ar1.log_probability(&Value::Reals(path.to_vec())), Some(f64::NEG_INFINITY), "{path:?}");
    }
    let urn = model("polya-urn", &[("n", "2"), ("balls", "1,1")], None);
    for colours in [&[0][..], &[0, 0, 0], &[0, 2], &[-1, 0]] {
        assert_eq!(urn.log_probability(&Value::Wholes(colours.to_vec())), Some(f64::NEG_INFINITY));
    }
    let crp = model("crp", &[("n", "3")], None);
    for labels in [&[0, 0][..], &[1, 0, 0], &[0, 2, 1], &[0, 1, 3]] {
        assert_eq!(crp.log_probability(&Value::Labels(labels.to_vec())), Some(f64::NEG_INFINITY));
    }
}

/// The probability of extinction is a power whose exponent is the number of ancestors. The exponents have many patterns
/// of binary digits.
#[test]
fn families_of_many_ancestors_die_out_alone() {
    use hashwell_draw::process::builtin::{GaltonWatson, Keep};
    let of = |start| GaltonWatson::new(vec![0.5, 0.25, 0.25], 2, start, 1000, Keep::All).unwrap().extinct();
    // f(1/2) for f(s) = 1/2 + s/4 + s²/4.
    for start in 0..20 {
        assert_near(of(start), 0.6875_f64.powi(start as i32), 1e-15, "extinct");
    }
}

/// Feller's formula (XIV.3.5) for a game with two billion places, from both ends. The choice of the end determines how
/// much cancels.
#[test]
fn games_of_many_places() {
    let target = 1_u32 << 31;
    let n = f64::from(target);
    for (start, drift) in [(50_000, -1.0), (target - 1, 1.0), (target - 50_000, 1.0), (3, -1.0)] {
        let p = 0.5 + drift * 10.0 / (4.0 * n);
        // The formula is from the point of view of the player who is close to the end.
        let (near, lose) = if drift < 0.0 { (start, p) } else { (target - start, 1.0 - p) };
        let (i, odds) = (f64::from(near), ((1.0 - 2.0 * lose) / lose).ln_1p());
        let must = (i - n * (odds * i).exp_m1() / (odds * n).exp_m1()) / (1.0 - 2.0 * lose);
        let games = GamblersRuin::new(start, target, p).unwrap().games();
        assert_near(games / must, 1.0, 1e-13, &format!("{start}"));
    }
}
