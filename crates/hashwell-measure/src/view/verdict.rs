//! The verdict in plain words, which comes before all tables: which hash to use for new files, where another one is
//! faster, and how certain that is. It is based only on the report's figures and on the registry's facts about each
//! algorithm.

use super::figures::{
    Trust, bytes_per_second, distinct, provider, quartiles, rows, sizes, time_ratio, written_ratio,
};
use crate::report::{Cell, Group, Operation, Report, Row, Standing};
use crate::timing::statistics::Estimate;
use hashwell_document::chart;

/// The minimum factor between two times for one of them to be called slower. It is compared with the lower end of the
/// interval.
const LEAST: f64 = 1.02;

/// The minimum number of bytes of a digest that is recommended: finding a collision must cost 2^128.
const DIGEST: usize = 32;

/// The sentences of the verdict. The last one is about confidence.
#[must_use]
pub fn verdict(report: &Report) -> Vec<String> {
    let mut measured = rows(report, Group::Single, Operation::Digest);
    measured.retain(|row| row.threads == 1);
    let (proposed, others): (Vec<&Row>, Vec<&Row>) =
        measured.iter().partition(|row| why_not(&row.algorithm).is_none());
    let mut lines = answer(&Field::new(proposed));
    lines.extend(left_out(&others));
    lines.extend((!measured.is_empty()).then(|| confidence(report)));
    lines
}

/// The reason why an algorithm is not recommended, regardless of its speed. `None` if it may be recommended.
#[must_use]
pub fn why_not(algorithm: &str) -> Option<String> {
    match (Standing::of(algorithm), hashwell::find(algorithm)) {
        (Standing::Sound, Ok(row)) if row.output_range.1 >= DIGEST => None,
        (Standing::Sound, _) => Some(format!("below {} bits", 8 * DIGEST)),
        (standing, _) => Some(standing.word().to_owned()),
    }
}

/// The preimage strength of an algorithm with its default output, in bits. 0 if it is unknown.
fn preimage_bits(algorithm: &str) -> u32 {
    hashwell::find(algorithm).map_or(0, |row| row.strength().preimage)
}

fn is_nist(algorithm: &str) -> bool {
    hashwell::find(algorithm)
        .is_ok_and(|row| row.source.starts_with("FIPS") || row.source.starts_with("SP 800"))
}

/// A sentence about the algorithms that may not be recommended, such as `Left out: SHA-1 (broken), XXH3 (checksum).`
fn left_out(others: &[&Row]) -> Option<String> {
    let algorithms = distinct(others.iter().map(|row| row.algorithm.as_str()));
    let words = algorithms.into_iter().filter_map(|algorithm| {
        let title = &others.iter().find(|row| row.algorithm == algorithm)?.title;
        Some(format!("{title} ({})", why_not(algorithm)?))
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| format!("Left out: {}.", listed(&words)))
}

/// A sentence about the reliability of the figures.
#[must_use]
pub fn confidence(report: &Report) -> String {
    let run = &report.run;
    let processes = if run.processes == 1 { "process" } else { "processes" };
    let intervals = format!(
        "Confidence: 95 % intervals over {} {processes} of up to {} rounds",
        run.processes, run.rounds
    );
    let Trust { disturbed, all } = Trust::of(report);
    match disturbed {
        0 => format!("{intervals}; no figure was disturbed."),
        _ if Trust::of(report).marks() => {
            format!("{intervals}; {disturbed} of {all} figures, marked ~, were disturbed by other work.")
        }
        _ => format!(
            "{intervals}; but {disturbed} of {all} figures were disturbed by other work: rely only on the intervals, \
             or measure again on a quiet machine."
        ),
    }
}

/// The fastest implementation of one algorithm at one size.
#[derive(Clone, Copy)]
struct Entry<'a> {
    row: &'a Row,
    cell: &'a Cell,
    median: f64,
}

impl<'a> Entry<'a> {
    fn algorithm(&self) -> &'a str {
        &self.row.algorithm
    }

    /// The ratio of its time to the time of another entry.
    fn over(&self, other: &Self) -> Estimate {
        time_ratio(self.cell, other.cell)
    }

    fn is_slower(&self, other: &Self) -> bool {
        self.algorithm() != other.algorithm() && self.over(other).low > LEAST
    }

    fn speed(&self) -> String {
        chart::bytes_per_second(bytes_per_second(self.cell.bytes, self.median))
    }
}

/// The algorithms that are compared, at the sizes that most of them have.
struct Field<'a> {
    /// The sizes in ascending order, with their entries in ascending order of the median. Never empty.
    sizes: Vec<(u64, Vec<Entry<'a>>)>,
}

impl<'a> Field<'a> {
    fn new(rows: Vec<&'a Row>) -> Self {
        let algorithms = distinct(rows.iter().map(|row| row.algorithm.as_str()));
        let mut found: Vec<(u64, Vec<Entry<'a>>)> =
            sizes(&rows).into_iter().map(|s| (s, Vec::new())).collect();
        for algorithm in algorithms {
            let of = || rows.iter().filter(|row| row.algorithm == algorithm);
            for (size, entries) in &mut found {
                let cells = of().filter_map(|row| Some((*row, super::figures::cell(row, *size)?)));
                let entry = cells.map(|(row, cell)| Entry { row, cell, median: quartiles(cell).median });
                entries.extend(entry.min_by(|a, b| a.median.total_cmp(&b.median)));
            }
        }
        let most = found.iter().map(|(_, entries)| entries.len()).max();
        found.retain(|(_, entries)| Some(entries.len()) == most);
        found.iter_mut().for_each(|(_, entries)| entries.sort_by(|a, b| a.median.total_cmp(&b.median)));
        Self { sizes: found }
    }

    /// Ranges of sizes with the recommended algorithm, starting with the longest messages. For the longest messages,
    /// the fastest algorithm is recommended. For shorter messages, the recommendation stays the same as long as no
    /// other algorithm is clearly faster.
    fn ranges(&self) -> Vec<(&'a str, u64, u64)> {
        let mut ranges: Vec<(&str, u64, u64)> = Vec::new();
        for (size, entries) in self.sizes.iter().rev() {
            let first = &entries[0];
            let stays = ranges.last().is_some_and(|(algorithm, ..)| {
                let now = entries.iter().find(|entry| entry.algorithm() == *algorithm);
                now.is_some_and(|now| !now.is_slower(first))
            });
            match ranges.last_mut() {
                Some((_, from, _)) if stays => *from = *size,
                _ => ranges.push((first.algorithm(), *size, *size)),
            }
        }
        ranges
    }
}

/// The recommendation, and the sizes at which it changes.
fn answer(field: &Field<'_>) -> Vec<String> {
    let Some((longest, entries)) = field.sizes.last() else {
        return vec![format!(
            "No verdict: no collision-resistant hash of {} bits was measured on one thread.",
            8 * DIGEST
        )];
    };
    let size = |bytes: u64| chart::bytes(bytes as f64);
    let mut lines = vec![choice("For new files", entries, *longest)];
    if entries.len() == 1 {
        lines.push("No other hash of the same strength was measured.".into());
    }
    let ranges = field.ranges();
    let title = |algorithm: &str| {
        let found = entries.iter().find(|entry| entry.algorithm() == algorithm);
        found.map_or_else(|| algorithm.to_owned(), |entry| entry.row.title.clone())
    };
    const MOST: usize = 3;
    for ((_, from, _), (shorter, _, to)) in ranges.iter().zip(ranges.iter().skip(1)).take(MOST) {
        lines.push(format!(
            "Up to {}, {} is faster; the crossover is between {} and {}.",
            size(*to),
            title(shorter),
            size(*to),
            size(*from)
        ));
    }
    if ranges.len() > MOST + 1 {
        lines.push(format!("Below {}, the fastest hash changes every few sizes.", size(ranges[MOST].1)));
    }
    if let ([_], [(shortest, _), .., _], true) = (&ranges[..], &field.sizes[..], entries.len() > 1) {
        lines.push(format!(
            "No other hash is clearly faster at any of the {} sizes from {} to {}.",
            field.sizes.len(),
            size(*shortest),
            size(*longest)
        ));
    }
    let nist: Vec<Entry<'_>> = entries.iter().copied().filter(|entry| is_nist(entry.algorithm())).collect();
    if !nist.is_empty() && !is_nist(entries[0].algorithm()) {
        lines.push(choice("If you need a NIST standard", &nist, *longest));
    }
    let strong: Vec<Entry<'_>> =
        entries.iter().copied().filter(|entry| preimage_bits(entry.algorithm()) >= 256).collect();
    if let Some(first) = strong.first() {
        let when = "If you need 256-bit preimage strength";
        if first.algorithm() == entries[0].algorithm() {
            lines.push(format!("{when}: also {}.", first.row.title));
        } else {
            lines.push(choice(when, &strong, *longest));
        }
    }
    let conservative: Vec<Entry<'_>> =
        strong.into_iter().filter(|entry| is_nist(entry.algorithm())).collect();
    if let Some(first) = conservative.first() {
        let named = [entries.first(), nist.first()];
        let again = named.into_iter().flatten().any(|entry| entry.algorithm() == first.algorithm());
        let margin = hashwell::find(first.algorithm()).map(|row| row.strength().margin()).unwrap_or_default();
        let why = format!("a NIST standard with 256-bit preimage strength ({margin})");
        lines.push(if again {
            format!("The most conservative choice, {why}: also {}.", first.row.title)
        } else {
            choice(&format!("The most conservative choice, {why}"), &conservative, *longest)
        });
    }
    lines
}

/// Names the fastest entry and the entries that cannot be told apart from it, and states by how much the next one is
/// slower.
fn choice(when: &str, entries: &[Entry<'_>], bytes: u64) -> String {
    let first = &entries[0];
    let at = format!("{} at {}, {}", first.speed(), chart::bytes(bytes as f64), provider(first.row));
    let (slower, alike): (Vec<&Entry<'_>>, Vec<&Entry<'_>>) =
        entries[1..].iter().partition(|entry| entry.is_slower(first));
    let title = |entry: &Entry<'_>| entry.row.title.clone();
    let times = |entry: &Entry<'_>| format!("takes {} times as long", written_ratio(entry.over(first)));
    let leader = title(first);
    if !alike.is_empty() {
        let names: Vec<String> = alike.iter().map(|entry| title(entry)).collect();
        let next = slower.first().map(|entry| format!("; {} {}", title(entry), times(entry)));
        let (names, next) = (listed(&names), next.unwrap_or_default());
        return format!("{when}: {leader} ({at}), which is not clearly faster than {names}{next}.");
    }
    match slower.first() {
        Some(entry) => {
            format!("{when}: {leader} ({at}); the next fastest, {}, {}.", title(entry), times(entry))
        }
        None => format!("{when}: {leader} ({at})."),
    }
}

/// The words as a list, such as `A, B and C`. If there are more than five, only the first four are named.
#[must_use]
pub fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if words.len() <= 5 => format!("{} and {last}", first.join(", ")),
        _ => format!("{} and {} more", words[..4].join(", "), words.len() - 4),
    }
}
