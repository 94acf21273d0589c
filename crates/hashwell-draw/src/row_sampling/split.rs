//! Named parts of a table, such as training and test data (`docs/spec/sampling.md`, Split).

use super::columns::joined;
use crate::number::Ratio;
use crate::sample::{Ids, Tickets};
use crate::{Error, Key, draw};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Named parts, each with its share of the rows or groups. The shares add up to 1.
///
/// ```
/// use hashwell_draw::row_sampling::Shares;
///
/// let shares = Shares::parse(["train=0.8", "test=1/5"])?;
/// assert_eq!(shares.names(), ["train", "test"]);
/// assert_eq!(shares.sizes(11), [9, 2]);
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares {
    names: Vec<String>,
    /// The cumulative sums of the shares, up to and including each part.
    ends: Vec<Ratio>,
    /// For each part, the exclusive upper bound of its tickets. Tickets of earlier parts are excluded. `None` means
    /// that the part has all remaining tickets.
    tickets: Vec<Option<u128>>,
}

/// The largest number of parts.
const MOST: usize = 1000;

/// The largest denominator of a sum of shares, so that sizes are computed in 128 bits.
const LARGEST: u128 = 1 << 62;

impl Shares {
    /// Reads parts given as `NAME=SHARE`. A share is a decimal or a fraction from 0 to 1.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] or [`Error::OutOfRange`] if a text does not have this form, if two parts have the
    /// same name, if there are more than 1,000 parts, if a share has more than 18 decimals, or if the shares don't add
    /// up to 1.
    pub fn parse<'a>(parts: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        let wrong = |text: String| Error::Refused { reason: text };
        let (mut names, mut ends, mut sum) = (Vec::<String>::new(), Vec::new(), Ratio::ZERO);
        for part in parts {
            let Some((name, share)) = part.rsplit_once('=').filter(|(name, _)| !name.is_empty()) else {
                return Err(wrong(format!("{part:?} is not a part: expected NAME=SHARE, such as train=0.8")));
            };
            if names.iter().any(|other| other == name) {
                return Err(wrong(format!("the part {name:?} is named twice")));
            }
            if names.len() == MOST {
                return Err(wrong(format!("a split has at most {MOST} parts")));
            }
            let ratio: Ratio = share.parse()?;
            if ratio.denominator() > LARGEST {
                return Err(wrong(format!("a share has at most 18 decimals: {name:?} has {share}")));
            }
            sum = plus(sum, ratio).map_err(|what| wrong(format!("the shares up to {name:?} {what}")))?;
            names.push(name.to_owned());
            ends.push(sum);
        }
        if sum != Ratio::ONE {
            return Err(wrong(format!(
                "the shares add up to {}, not 1: add a part for the rest",
                sum.to_f64()
            )));
        }
        let tickets = ends.iter().map(Ratio::tickets).collect();
        Ok(Self { names, ends, tickets })
    }

    /// The names of the parts, in order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the index of the part that gets the row or group with this ticket. The first part has the index 0.
    #[must_use]
    pub fn part(&self, ticket: u128) -> usize {
        let ends = &self.tickets;
        ends.partition_point(|end| end.is_some_and(|end| end <= ticket)).min(ends.len() - 1)
    }

    /// Returns the exact sizes of the parts for n rows or groups. Each part ends at n·c, rounded to the nearest
    /// integer, where c is the sum of the shares up to and including this part. Halves are rounded up.
    #[must_use]
    pub fn sizes(&self, n: u64) -> Vec<u64> {
        let mut before = 0;
        let end = |end: &Ratio| {
            let (top, bottom) = (end.numerator(), end.denominator());
            let rounded = (2 * u128::from(n) * top + bottom) / (2 * bottom);
            let rounded = u64::try_from(rounded).unwrap_or(n);
            rounded - std::mem::replace(&mut before, rounded)
        };
        self.ends.iter().map(end).collect()
    }
}

/// Returns the sum, or the reason for an error: the sum is above 1, or its denominator is too large. The denominators
/// of both numbers must be small enough.
fn plus(a: Ratio, b: Ratio) -> Result<Ratio, &'static str> {
    let top = a.numerator() * b.denominator() + b.numerator() * a.denominator();
    let sum = Ratio::new(top, a.denominator() * b.denominator()).map_err(|_| "add up to more than 1")?;
    if sum.denominator() > LARGEST { Err("have a common denominator above 2^62") } else { Ok(sum) }
}

/// The number of rows or groups that each part gets from each stratum.
#[derive(Clone, Debug)]
pub enum Sizes<'a> {
    /// Each part gets its share of all rows or groups, and about the same share of each stratum.
    Shares(&'a Shares),
    /// The number of rows or groups that part 0 gets from each stratum, by the label of the stratum. Part 1 gets the
    /// others. From a stratum that is not listed, part 0 gets none.
    Each(&'a HashMap<Vec<u8>, u64>),
}

/// Splits rows into parts of exact sizes. A unit is a group, or a row if there are no groups. A split stores 20 bytes
/// for each unit, and with groups also 4 bytes for each row and the map from tickets to groups.
pub struct ExactSplit {
    key: Key,
    grouped: bool,
    /// With groups, the unit that each row belongs to.
    of_row: Vec<u32>,
    /// The tickets of the units.
    tickets: Vec<u128>,
    /// The labels of the units.
    label_of: Vec<u32>,
    by_ticket: HashMap<u128, u32>,
    labels: HashMap<Vec<u8>, u32>,
    /// The label of the last row, which the next row often has, too.
    last: Option<(Vec<u8>, u32)>,
    /// The labels of groups that have several.
    several: HashMap<u32, Vec<u32>>,
}

impl ExactSplit {
    /// Starts a split of groups if `grouped` is true, or else of rows. Tickets are derived from `key`.
    #[must_use]
    pub fn new(key: Key, grouped: bool) -> Self {
        Self {
            key,
            grouped,
            of_row: Vec::new(),
            tickets: Vec::new(),
            label_of: Vec::new(),
            by_ticket: HashMap::new(),
            labels: HashMap::new(),
            last: None,
            several: HashMap::new(),
        }
    }

    /// Adds the next row. `label` is the label of its stratum, and `group` is the text of its group. In a split of
    /// rows, `group` is ignored, and the number of the row in decimal, counted from 1, is used instead.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails or if there are more than 2^32 - 1 rows.
    pub fn offer(&mut self, label: &[u8], group: &[u8]) -> Result<(), Error> {
        let ticket = match self.grouped {
            true => self.key.ticket(group),
            false => self.key.ticket((self.rows() + 1).to_string().as_bytes()),
        };
        self.add(label, ticket)
    }

    /// Adds the next `rows` rows, like as many calls of [`ExactSplit::offer`], but computes their tickets in parallel.
    /// `label` and `group` get the index of a row, counted from 0.
    ///
    /// # Errors
    /// Returns the same errors as [`ExactSplit::offer`].
    pub fn offer_rows<'a>(
        &mut self,
        rows: usize,
        label: impl Fn(usize) -> &'a [u8],
        group: impl Fn(usize) -> &'a [u8],
    ) -> Result<(), Error> {
        let tickets = Tickets::new(&self.key);
        if self.grouped {
            let write =
                |rows: Range<usize>, ids: &mut Ids| rows.into_iter().try_for_each(|row| ids.push(group(row)));
            return tickets.each_written(rows, write, |row, ticket, _| self.add(label(row), ticket));
        }
        let (first, mut row) = (self.rows() + 1, 0..);
        tickets.each_number(first..first + rows as u64, |ticket| {
            self.add(label(row.next().unwrap_or(0)), ticket)
        })
    }

    /// Adds a row. `ticket` is that of its group, or of its number.
    fn add(&mut self, label: &[u8], ticket: u128) -> Result<(), Error> {
        let no_memory = Error::Memory { what: "the rows of the split" };
        let is_full = self.rows() >= u64::from(u32::MAX);
        if is_full || self.tickets.try_reserve(1).is_err() || self.label_of.try_reserve(1).is_err() {
            return Err(no_memory);
        }
        let label = self.label(label);
        let next = self.tickets.len() as u32;
        if !self.grouped {
            self.tickets.push(ticket);
            self.label_of.push(label);
            return Ok(());
        }
        if self.of_row.try_reserve(1).is_err() {
            return Err(no_memory);
        }
        let unit = *self.by_ticket.entry(ticket).or_insert(next);
        self.of_row.push(unit);
        if unit == next {
            self.tickets.push(ticket);
            self.label_of.push(label);
        } else if self.label_of[unit as usize] != label {
            let first = self.label_of[unit as usize];
            let labels = self.several.entry(unit).or_insert_with(|| vec![first]);
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        Ok(())
    }

    /// The number of a label. A new label gets the next number.
    fn label(&mut self, label: &[u8]) -> u32 {
        if let Some((last, number)) = &self.last
            && last == label
        {
            return *number;
        }
        let number = match self.labels.get(label) {
            Some(number) => *number,
            None => {
                let next = self.labels.len() as u32;
                self.labels.insert(label.to_vec(), next);
                next
            }
        };
        let (last, last_number) = self.last.get_or_insert_default();
        last.clear();
        last.extend_from_slice(label);
        *last_number = number;
        number
    }

    /// The number of rows and the number of groups so far. In a split of rows, each row counts as a group.
    #[must_use]
    pub fn seen(&self) -> (u64, u64) {
        (self.rows(), self.tickets.len() as u64)
    }

    fn rows(&self) -> u64 {
        let rows = if self.grouped { self.of_row.len() } else { self.tickets.len() };
        rows as u64
    }

    /// The number of rows or groups of each stratum, by the label of the stratum. Groups that have rows in several
    /// strata are not counted.
    #[must_use]
    pub fn counts(&self) -> HashMap<&[u8], u64> {
        let mut counts = vec![0; self.labels.len()];
        for (number, label) in self.label_of.iter().enumerate() {
            counts[*label as usize] += u64::from(!self.several.contains_key(&(number as u32)));
        }
        self.labels.iter().map(|(label, number)| (&label[..], counts[*number as usize])).collect()
    }

    /// Returns the index of the part of each row, in the order of the rows. The first part has the index 0.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails, or [`Error::Memory`] if an allocation fails.
    pub fn parts(mut self, sizes: &Sizes<'_>) -> Result<Vec<u16>, Error> {
        let mut strata = self.strata();
        let mut of_unit = vec![0_u16; self.tickets.len()];
        let counts: Vec<u64> = strata.values().map(|units| units.len() as u64).collect();
        let allocated = match sizes {
            Sizes::Shares(shares) => allocate(&self.key, shares, &counts)?,
            Sizes::Each(each) => strata
                .iter()
                .map(|(label, units)| {
                    let wanted = each.get(label).copied().unwrap_or(0).min(units.len() as u64);
                    vec![wanted, units.len() as u64 - wanted]
                })
                .collect(),
        };
        for (units, sizes) in strata.values_mut().zip(allocated) {
            self.assign(units, 0, &sizes, &mut of_unit);
        }
        if !self.grouped {
            return Ok(of_unit);
        }
        let mut parts = Vec::new();
        parts
            .try_reserve_exact(self.of_row.len())
            .map_err(|_| Error::Memory { what: "the rows of the split" })?;
        parts.extend(self.of_row.drain(..).map(|unit| of_unit[unit as usize]));
        Ok(parts)
    }

    /// Assigns units to the parts `first`, `first + 1`, … with these sizes, in the order of their tickets. The units are
    /// divided in half the parts at a time, which is faster than sorting them.
    fn assign(&self, units: &mut [u32], first: usize, sizes: &[u64], of_unit: &mut [u16]) {
        if sizes.len() < 2 {
            units.iter().for_each(|unit| of_unit[*unit as usize] = first as u16);
            return;
        }
        let middle = sizes.len() / 2;
        let (before, after) = sizes.split_at(middle);
        let cut = before.iter().sum::<u64>() as usize;
        if 0 < cut && cut < units.len() {
            units.select_nth_unstable_by_key(cut, |unit| self.tickets[*unit as usize]);
        }
        let (left, right) = units.split_at_mut(cut);
        self.assign(left, first, before, of_unit);
        self.assign(right, first + middle, after, of_unit);
    }

    /// The rows or groups of each stratum, by the stratum's label. Groups with several labels are in one stratum if they
    /// have the same set of labels.
    fn strata(&mut self) -> BTreeMap<Vec<u8>, Vec<u32>> {
        let mut names = vec![Vec::new(); self.labels.len()];
        for (name, label) in self.labels.drain() {
            names[label as usize] = name;
        }
        let mut strata: BTreeMap<Vec<u8>, Vec<u32>> = BTreeMap::new();
        let mut own = vec![Vec::new(); names.len()];
        for (number, label) in self.label_of.iter().enumerate() {
            let number = number as u32;
            match self.several.get(&number) {
                None => own[*label as usize].push(number),
                Some(labels) => {
                    let mut labels: Vec<Cow<'_, [u8]>> =
                        labels.iter().map(|label| Cow::Borrowed(&names[*label as usize][..])).collect();
                    labels.sort_unstable();
                    strata.entry(joined(&labels).into_owned()).or_default().push(number);
                }
            }
        }
        for (name, units) in names.into_iter().zip(own).filter(|(_, units)| !units.is_empty()) {
            strata.entry(name).or_default().extend(units);
        }
        strata
    }
}

/// The sizes of the parts in each stratum, given the strata's numbers of rows or groups. Each part except the last
/// takes rows from those that the earlier parts left. By systematic rounding, its size in a stratum is its share of the
/// rows left there, rounded up or down, and every row has the same probability.
fn allocate(key: &Key, shares: &Shares, counts: &[u64]) -> Result<Vec<Vec<u64>>, Error> {
    let mut left = counts.to_vec();
    let mut sizes = vec![Vec::new(); counts.len()];
    let mut words = key.allocation().words();
    let totals = shares.sizes(counts.iter().sum());
    let (last, others) = totals.split_last().unwrap_or((&0, &[]));
    for total in others {
        let all: u64 = left.iter().sum();
        let offset = if all == 0 { 0 } else { draw::below(&mut words, all)? };
        let mut before = 0;
        let up_to = |count: u64| {
            (u128::from(*total) * u128::from(count) + u128::from(offset)) / u128::from(all.max(1))
        };
        for (left, sizes) in left.iter_mut().zip(&mut sizes) {
            let size = (up_to(before + *left) - up_to(before)) as u64;
            before += *left;
            *left -= size;
            sizes.push(size);
        }
    }
    debug_assert_eq!(left.iter().sum::<u64>(), *last);
    sizes.iter_mut().zip(left).for_each(|(sizes, left)| sizes.push(left));
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::OPEN_LIST;

    fn key(seed: u32) -> Key {
        Key::derive(&seed.to_be_bytes(), b"", &OPEN_LIST)
    }

    #[test]
    fn shares_that_do_not_go_together_are_refused() {
        let told = |parts: &[&str]| Shares::parse(parts.iter().copied()).unwrap_err().to_string();
        assert!(told(&["a=0.5", "b=0.4"]).contains("add up to 0.9, not 1"));
        assert!(told(&["a=0.5", "b=0.6"]).contains("more than 1"));
        assert!(told(&["a=0.5", "a=0.5"]).contains("named twice"));
        assert!(told(&["a"]).contains("NAME=SHARE"));
        assert!(told(&["a=x"]).contains("probability"));
        assert!(told(&[]).contains("not 1"));
        let long = "a share has at most 18 decimals: \"a\" has 0.1234567890123456789012345";
        assert!(told(&["a=0.1234567890123456789012345", "b=0.5"]).contains(long));
        assert!(told(&["a=0.123456789012345679", "b=1/7"]).contains("common denominator above 2^62"));
        // Sums are exact. As binary floats, these shares would not add up to 1.
        assert_eq!(Shares::parse(["a=0.7", "b=0.2", "c=0.1"]).unwrap().sizes(10), [7, 2, 1]);
        assert_eq!(Shares::parse(["a=1/3", "b=1/3", "c=1/3"]).unwrap().sizes(10), [3, 4, 3]);
    }

    #[test]
    fn tickets_decide_where_parts_end() {
        let shares = Shares::parse(["a=1/2", "none=0", "b=1/4", "c=1/4"]).unwrap();
        let quarter = 1_u128 << 126;
        let ends = [
            (0, 0),
            (2 * quarter - 1, 0),
            (2 * quarter, 2),
            (3 * quarter - 1, 2),
            (3 * quarter, 3),
            (u128::MAX, 3),
        ];
        ends.iter().for_each(|(ticket, part)| assert_eq!(shares.part(*ticket), *part, "{ticket}"));
        assert_eq!(Shares::parse(["all=1", "none=0"]).unwrap().part(u128::MAX), 0);
    }

    /// The parts of rows with these labels.
    fn parts(seed: u32, shares: &Shares, labels: &[&str]) -> Vec<u16> {
        let mut split = ExactSplit::new(key(seed), false);
        labels.iter().for_each(|label| split.offer(label.as_bytes(), b"").unwrap());
        split.parts(&Sizes::Shares(shares)).unwrap()
    }

    #[test]
    fn sizes_are_exact_in_all_and_proportional_in_strata() {
        let shares = Shares::parse(["train=0.8", "val=0.1", "test=0.1"]).unwrap();
        let labels: Vec<&str> = (0..100).map(|i| if i % 50 == 0 { "rare" } else { "common" }).collect();
        let (mut rare, runs) = ([0; 3], 3000);
        for seed in 0..runs {
            let parts = parts(seed, &shares, &labels);
            let count = |part| parts.iter().filter(|own| **own == part).count();
            assert_eq!([count(0), count(1), count(2)], [80, 10, 10]);
            [0, 50].iter().for_each(|row| rare[usize::from(parts[*row])] += 1);
        }
        // Every row has the same probability; the tolerance is 5 standard deviations of the counts.
        for (found, share) in rare.into_iter().zip([0.8, 0.1, 0.1]) {
            let expected = f64::from(2 * runs) * share;
            assert!((f64::from(found) - expected).abs() < 5.0 * expected.sqrt(), "{rare:?}");
        }
    }

    #[test]
    fn a_group_is_in_one_part_and_its_labels_are_one_stratum() {
        let shares = Shares::parse(["a=1/2", "b=1/2"]).unwrap();
        let rows: Vec<(String, String)> = (0..200)
            .map(|i| (format!("u{}", i % 40), if i % 3 == 0 { "x" } else { "y" }.to_owned()))
            .collect();
        let split = |order: &[usize]| {
            let mut split = ExactSplit::new(key(7), true);
            for row in order {
                let (group, label) = &rows[*row];
                split.offer(label.as_bytes(), group.as_bytes()).unwrap();
            }
            assert_eq!(split.seen(), (200, 40));
            let parts = split.parts(&Sizes::Shares(&shares)).unwrap();
            order.iter().zip(parts).map(|(row, part)| (rows[*row].0.clone(), part)).collect::<HashMap<_, _>>()
        };
        let forward: Vec<usize> = (0..200).collect();
        let backward: Vec<usize> = (0..200).rev().collect();
        let parts = split(&forward);
        assert_eq!(parts, split(&backward));
        assert_eq!(parts.values().filter(|part| **part == 0).count(), 20);
    }

    /// Rows that are offered together get the same parts as rows that are offered one by one.
    #[test]
    fn rows_may_be_offered_together() {
        let shares = Shares::parse(["a=1/2", "none=0", "b=1/3", "c=1/6"]).unwrap();
        let values: Vec<[Vec<u8>; 2]> =
            (0..1000_usize).map(|i| [vec![(i * i % 7) as u8], (i % 90).to_string().into_bytes()]).collect();
        for grouped in [false, true] {
            let (mut single, mut together) =
                (ExactSplit::new(key(3), grouped), ExactSplit::new(key(3), grouped));
            values.iter().for_each(|[label, group]| single.offer(label, group).unwrap());
            let (first, rest) = values.split_at(1);
            together.offer(&first[0][0], &first[0][1]).unwrap();
            for rows in rest.chunks(600) {
                together.offer_rows(rows.len(), |row| &rows[row][0], |row| &rows[row][1]).unwrap();
            }
            assert_eq!(together.seen(), single.seen());
            let parts = together.parts(&Sizes::Shares(&shares)).unwrap();
            assert_eq!(parts, single.parts(&Sizes::Shares(&shares)).unwrap());
            assert!(!parts.contains(&1));
        }
    }

    #[test]
    fn units_with_equal_labels_form_one_stratum() {
        let shares = Shares::parse(["a=1/2", "b=1/2"]).unwrap();
        let joined = joined(&[Cow::Borrowed(&b"x"[..]), Cow::Borrowed(b"y")]).into_owned();
        for seed in 0..20 {
            // The group "two" has two labels, whose concatenation is the label of the group "one".
            let mut split = ExactSplit::new(key(seed), true);
            for (label, group) in [(&b"x"[..], b"two"), (b"y", b"two"), (&joined, b"one")] {
                split.offer(label, group).unwrap();
            }
            let parts = split.parts(&Sizes::Shares(&shares)).unwrap();
            let first = u16::from(key(seed).ticket(b"two") > key(seed).ticket(b"one"));
            assert_eq!(parts, [first, first, 1 - first], "seed {seed}");
        }
    }

    #[test]
    fn each_stratum_may_have_a_size() {
        let each = HashMap::from([(b"a".to_vec(), 3), (b"b".to_vec(), 70)]);
        let mut split = ExactSplit::new(key(1), false);
        for i in 0..30 {
            split.offer([&b"a"[..], b"b", b"c"][i % 3], b"").unwrap();
        }
        let parts = split.parts(&Sizes::Each(&each)).unwrap();
        let picked = |stratum: usize| (0..30).filter(|i| i % 3 == stratum && parts[*i] == 0).count();
        assert_eq!([picked(0), picked(1), picked(2)], [3, 10, 0]);
    }
}
