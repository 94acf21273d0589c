//! Exact distributions of partitions: Ewens and Pitman, for any encoding.

use super::{all, assert_equal, assert_near, enumerated, exact, exact_statistic, model};
use hashwell_draw::process::builtin::{CrpTables, Seating};
use std::collections::BTreeMap;

const BELL: [usize; 9] = [1, 1, 2, 5, 15, 52, 203, 877, 4140];

/// All partitions of n, as labels in order of appearance.
fn partitions(n: usize) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer = |labels: Vec<i64>| {
            let tables = labels.iter().max().map_or(0, |most| most + 1);
            (0..=tables).map(move |table| [labels.clone(), vec![table]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

fn sizes(labels: &[i64]) -> Vec<i64> {
    let tables = labels.iter().max().map_or(0, |most| most + 1);
    let mut sizes: Vec<i64> =
        (0..tables).map(|table| labels.iter().filter(|&&label| label == table).count() as i64).collect();
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    sizes
}

/// x (x + step) …, with this number of factors.
fn rising(x: f64, step: f64, factors: usize) -> f64 {
    (0..factors).map(|i| x + step * i as f64).product()
}

/// Pitman's formula, which is Ewens' formula for d = 0 (times α / α).
fn eppf(sizes: &[i64], theta: f64, discount: f64) -> f64 {
    let n: i64 = sizes.iter().sum();
    if n == 0 {
        return 1.0;
    }
    let tables: f64 = sizes.iter().map(|&size| rising(1.0 - discount, 1.0, size as usize - 1)).product();
    rising(theta + discount, discount, sizes.len() - 1) / rising(theta + 1.0, 1.0, n as usize - 1) * tables
}

fn law_of_labels(n: usize, theta: f64, discount: f64) -> BTreeMap<Vec<i64>, f64> {
    partitions(n).into_iter().map(|labels| (labels.clone(), eppf(&sizes(&labels), theta, discount))).collect()
}

#[test]
fn every_encoding_of_the_restaurant_has_ewens_law() {
    for (n, bell) in BELL.into_iter().enumerate() {
        for alpha in ["1.5", "0.01", "40"] {
            let must = law_of_labels(n, alpha.parse().unwrap(), 0.0);
            assert_eq!(must.len(), bell);
            for encoding in ["urn", "futu", "ana", "futu-categorical"] {
                let crp = model("crp", &[("n", &n.to_string()), ("alpha", alpha)], Some(encoding));
                assert_equal(&exact(&crp), &must, encoding);
                for (labels, mass) in &must {
                    let labels = labels.iter().map(|&label| label as u32).collect();
                    let log = crp.log_probability(&super::Value::Labels(labels)).unwrap();
                    assert_near(log.exp(), *mass, 1e-13, "closed form");
                }
            }
        }
    }
}

/// Tests the uniform term itself. With c customers, the choice of a table changes only at multiples of 1/c, so an
/// enumeration with 60 equal cells is exact for c up to 6.
#[test]
fn a_uniform_term_picks_tables_by_the_conditional() {
    let crp = CrpTables::new(7, 1.5, Seating::Futu).unwrap();
    let law = enumerated(&crp, 60);
    let law = law.into_iter().map(|(labels, mass)| (labels.into_iter().map(i64::from).collect(), mass));
    assert_equal(&law.collect(), &law_of_labels(7, 1.5, 0.0), "futu");
}

#[test]
fn hoppes_urn_has_ewens_law_and_pitman_yor_its_own() {
    for n in 0..=7 {
        let text = n.to_string();
        let hoppe = model("hoppe-urn", &[("n", &*text), ("theta", "0.7")], None);
        assert_equal(&exact(&hoppe), &law_of_labels(n, 0.7, 0.0), "hoppe");
        for (theta, discount) in [("1.5", "0.3"), ("-0.2", "0.5"), ("0", "0.5"), ("2", "0"), ("-0.89", "0.9")]
        {
            let given = [("n", &*text), ("theta", theta), ("discount", discount)];
            let must = law_of_labels(n, theta.parse().unwrap(), discount.parse().unwrap());
            for name in ["pitman-yor", "stick-breaking"] {
                assert_equal(&exact(&model(name, &given, None)), &must, name);
            }
        }
    }
}

/// n! / (α (α + 1) …) Π α^a / (j^a a!), over all sizes j with a tables each.
fn sampling_formula(sizes: &[i64], alpha: f64) -> f64 {
    let n: i64 = sizes.iter().sum();
    let mut chance: f64 = (0..n).map(|i| (i + 1) as f64 / (alpha + i as f64)).product();
    let mut alike = 0.0;
    for (place, &size) in sizes.iter().enumerate() {
        alike = if place > 0 && sizes[place - 1] == size { alike + 1.0 } else { 1.0 };
        chance *= alpha / (size as f64 * alike);
    }
    chance
}

#[test]
fn sizes_of_30_customers_have_ewens_sampling_formula() {
    let crp = model("crp", &[("n", "30"), ("alpha", "1.5")], None);
    let law = exact_statistic(&crp, &all());
    assert_eq!(law.len(), 5604);
    let (mut mean, mut square) = (0.0, 0.0);
    for (sizes, mass) in &law {
        let must = sampling_formula(sizes, 1.5);
        assert_near(*mass / must, 1.0, 1e-12, &format!("{sizes:?}"));
        mean += sizes.len() as f64 * mass;
        square += (sizes.len() * sizes.len()) as f64 * mass;
    }
    assert_near(law.values().sum(), 1.0, 1e-12, "all");
    assert_near(mean, 5.096_310_870_343, 1e-12, "tables");
    let moments = crp.moments();
    assert_near(moments[0].1, mean, 1e-12, moments[0].0);
    assert_near(moments[1].1, square - mean * mean, 1e-11, moments[1].0);
    let variance: f64 = (0..30).map(|i| 1.5 * f64::from(i) / (1.5 + f64::from(i)).powi(2)).sum();
    assert_near(moments[1].1, variance, 1e-12, "variance");
}

#[test]
fn sizes_are_summed_over_labels() {
    for (theta, discount) in [("1.5", "0.3"), ("-0.2", "0.5")] {
        let given = [("n", "8"), ("theta", theta), ("discount", discount)];
        let process = model("pitman-yor", &given, None);
        let (mut must, mut tables) = (BTreeMap::new(), (0.0, 0.0));
        for (labels, mass) in exact(&process) {
            let sizes = sizes(&labels);
            let count = sizes.len() as f64;
            tables = (tables.0 + count * mass, tables.1 + count * count * mass);
            *must.entry(sizes).or_insert(0.0) += mass;
        }
        assert_equal(&exact_statistic(&process, &all()), &must, "sizes");
        let moments = process.moments();
        assert_near(moments[0].1, tables.0, 1e-12, "mean");
        assert_near(moments[1].1, tables.1 - tables.0 * tables.0, 1e-12, "variance");
    }
}

/// With α = 1, tables are the cycles of a uniform permutation.
#[test]
fn tables_of_a_half_known_restaurant_are_cycles() {
    let mut stirling = vec![1.0];
    for i in 0..8 {
        let mut next = vec![0.0; i + 2];
        for (k, count) in stirling.iter().enumerate() {
            next[k + 1] += count;
            next[k] += count * i as f64;
        }
        stirling = next;
    }
    let mut tables = [0.0; 9];
    for (sizes, mass) in exact_statistic(&model("crp", &[("n", "8")], None), &all()) {
        tables[sizes.len()] += mass;
    }
    for (mass, count) in tables.iter().zip(stirling) {
        assert_near(*mass, count / 40320.0, 1e-14, "cycles");
    }
}

#[test]
fn customers_can_be_exchanged() {
    for (name, given) in [
        ("crp", vec![("n", "6"), ("alpha", "1.5")]),
        ("pitman-yor", vec![("n", "6"), ("theta", "0.5"), ("discount", "0.4")]),
    ] {
        let process = model(name, &given, None);
        let law = exact(&process);
        let together = process.moments()[2].1;
        for i in 0..6 {
            for j in 0..i {
                let mass =
                    law.iter().filter(|(labels, _)| labels[i] == labels[j]).map(|(_, mass)| mass).sum();
                assert_near(mass, together, 1e-13, "two together");
            }
        }
        // Customers are permuted, and tables are numbered again.
        for order in [[5, 4, 3, 2, 1, 0], [1, 2, 3, 4, 5, 0], [2, 0, 4, 1, 5, 3]] {
            for (labels, mass) in &law {
                let mut seen = Vec::new();
                let other: Vec<i64> = order
                    .map(|customer: usize| {
                        let table = labels[customer];
                        let number = seen.iter().position(|&known| known == table);
                        number.unwrap_or_else(|| {
                            seen.push(table);
                            seen.len() - 1
                        }) as i64
                    })
                    .to_vec();
                assert_near(law[&other], *mass, 1e-14, "exchanged");
            }
        }
    }
}

/// Multisets of sizes are merged, however they arose: there are as many states as integer partitions.
#[test]
fn states_of_a_partition_are_multisets() {
    use hashwell_draw::process::builtin::Partition;
    use hashwell_draw::process::interpret::exact;
    use hashwell_draw::process::{Coalgebra, Distribution, Flow, Outcome};
    // 1, 2, 3, 5, 7, 11 and 15 of up to 7 customers, and 22 of 8.
    let law = exact(&Partition::new(8, 1.5, 0.25).unwrap(), &all()).unwrap();
    assert_eq!((law.expanded, law.outcomes.len()), (44, 22));
    // With one table of three, the only table to join is that one.
    let process = Partition::new(4, 1.5, 0.25).unwrap();
    let mut flow = process.start();
    for _ in 1..3 {
        let Flow::More(sizes) = flow else { panic!("customers are to come") };
        flow = process.next(sizes, Outcome::Index(1));
    }
    let Flow::More(sizes) = flow else { panic!("a customer is to come") };
    assert_eq!(process.distribution(&sizes), Distribution::Categorical(vec![1.5 + 0.25, 3.0 - 0.25].into()));
}
