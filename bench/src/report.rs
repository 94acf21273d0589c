//! The table of targets as text and as JSON.

use crate::jobs::{Figure, Job, Outcome, Unit, Verdict};
use serde_json::{Value, json};

/// The explanation of columns and units.
pub fn print_head() {
    println!("c/B: core cycles per byte; ns: for one message; c/p: cycles per permutation. Ratio: the best");
    println!("peer's time over hashwell's, paired by rounds; above 1, hashwell is faster. ~: disturbed.\n");
    println!(
        "{:<29} {:>10} {:<16} {:>10} {:30} {:>6} {:<7} target",
        "job", "hashwell", "kernel", "best peer", ' ', "ratio", ' '
    );
}

/// Prints the line of a job. With `all`, a line for each of the other peers follows.
pub fn print_row(outcome: &Outcome, processor: &str, all: bool) {
    let peer = outcome.peers.first();
    let noise = if !outcome.quiet || outcome.ours.cost.is_wide() { "~" } else { "" };
    let line = format!(
        "{:<29} {:>10} {:<16} {:>10} {:<30} {:>6} {:<7} {:<24} {}",
        outcome.job.name,
        format!("{noise}{}", cost(outcome.job.unit, &outcome.ours)),
        outcome.ours.kernel.as_deref().unwrap_or(""),
        peer.map_or_else(String::new, |peer| cost(outcome.job.unit, peer)),
        peer.map_or("no peer", |peer| &peer.name),
        peer.map_or_else(String::new, |peer| format!("{:.3}", peer.ratio.value)),
        outcome.verdict().map_or("", word),
        bar(&outcome.job, processor),
        met(outcome.met(processor)),
    );
    println!("{}", line.trim_end());
    for other in outcome.peers.iter().skip(1).filter(|_| all) {
        let cost = cost(outcome.job.unit, other);
        println!("{:54} {cost:>10} {:<30} {:>6.3}", "", other.name, other.ratio.value);
    }
}

fn cost(unit: Unit, figure: &Figure) -> String {
    match unit {
        Unit::NsPerMessage => format!("{:.1} ns", figure.cost.median),
        Unit::CyclesPerByte => format!("{:.3} c/B", figure.cost.median),
        Unit::CyclesPerPermutation(_) => format!("{:.0} c/p", figure.cost.median),
    }
}

/// The targets of a job in short form.
fn bar(job: &Job, processor: &str) -> String {
    let ratio = job.least_ratio().map(|least| format!("ratio {least:.2}"));
    let most = job.bar.most.map(|most| match job.unit {
        Unit::NsPerMessage => format!("<= {:.0} ns", most.on(processor)),
        Unit::CyclesPerByte => format!("<= {:.2} c/B", most.on(processor)),
        Unit::CyclesPerPermutation(_) => format!("<= {:.0} c/p", most.on(processor)),
    });
    ratio.into_iter().chain(most).collect::<Vec<_>>().join(", ")
}

fn met(met: Option<bool>) -> &'static str {
    match met {
        Some(true) => "met",
        Some(false) => "MISSED",
        None => "",
    }
}

/// The word for a verdict in the table and in JSON.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::First => "first",
        Verdict::Tied => "tied",
        Verdict::Behind => "behind",
    }
}

/// A summary of the run: the number of jobs with each verdict, and the names of the jobs in which a peer is
/// faster.
#[must_use]
pub fn verdict(outcomes: &[Outcome], cpu: &str) -> String {
    let of = |verdict| outcomes.iter().filter(move |outcome| outcome.verdict() == Some(verdict));
    let [first, tied, behind] = [Verdict::First, Verdict::Tied, Verdict::Behind].map(|v| of(v).count());
    let jobs = first + tied + behind;
    let mut text = format!(
        "behind in {behind} of {jobs} jobs on this processor ({cpu}), tied in {tied}, first in {first}"
    );
    for outcome in of(Verdict::Behind) {
        let peer = &outcome.peers[0];
        text += &format!("\n  {:<29} {:.3} of {}", outcome.job.name, peer.ratio.value, peer.name);
    }
    text
}

/// The results of one job as JSON. `rounds` is the number of rounds from all processes.
#[must_use]
pub fn row_json(outcome: &Outcome, processor: &str, rounds: usize) -> Value {
    let unit = match outcome.job.unit {
        Unit::NsPerMessage => "ns/message",
        Unit::CyclesPerByte => "cycles/byte",
        Unit::CyclesPerPermutation(_) => "cycles/permutation",
    };
    let figure = |f: &Figure| {
        json!({
            "name": f.name, "kernel": f.kernel, "median": f.cost.median,
            "quartiles": [f.cost.lower_quartile, f.cost.upper_quartile], "time_over_hashwell": f.ratio.value,
        })
    };
    json!({
        "job": outcome.job.name, "algorithm": outcome.job.task.algorithm, "hmac": outcome.job.task.kind.is_hmac(),
        "message_bytes": outcome.job.len, "messages": outcome.job.count, "unit": unit,
        "hashwell": figure(&outcome.ours), "peers": outcome.peers.iter().map(figure).collect::<Vec<_>>(),
        "ratio": outcome.peers.first().map(|peer| peer.ratio.value),
        "interval": outcome.peers.first().map(|peer| [peer.ratio.low, peer.ratio.high]),
        "verdict": outcome.verdict().map(word), "bar": bar(&outcome.job, processor),
        "met": outcome.met(processor), "clock_ghz": outcome.clock, "rounds": rounds, "quiet": outcome.quiet,
    })
}
