//! Passes rows to the library's sampler, and picked rows to the outputs.

use super::input::{Inputs, Stream, Values, Weights};
use super::output::{Drawn, Out, write_state};
use super::request::{Job, Outputs, Start, work};
use crate::system::report::Failure;
use hashwell_draw::row_sampling::{
    Design, Keys, Kind, Order, Picks, Reuse, RowSampler, Rule, Sample, Shape, Shortage, Slots, SlotsDesign,
    Value, WeightSum,
};
use hashwell_draw::sample::{Ids, Tickets};
use hashwell_draw::{Key, draw};
use hashwell_rows::Texts;
use std::hint::black_box;
use std::ops::Range;
use std::path::Path;

/// The number of rows whose memory is read at once.
const TOGETHER: usize = 64;

/// If at least one of this many rows is picked on average, finding the end of every row is faster than skipping rows.
const NEAR: u64 = 12;

/// Draws from all rows; `None` if the state was written instead of rows.
pub(super) fn run(
    job: &Job<'_>,
    start: Start,
    inputs: &Inputs,
    stream: &mut Stream<'_>,
) -> Result<Option<Drawn>, Failure> {
    let Start { sampler, saved_shape, before } = start;
    match sampler {
        RowSampler::Sample(Sample::Slots(slots)) if is_read_twice(job, &slots, inputs) => {
            read_twice(job, &slots, inputs, stream).map(Some)
        }
        RowSampler::Sample(mut sample) => {
            read(&mut sample, stream, before)?;
            stream.watch.check()?;
            let own = stream.shape();
            let shape = saved_shape.filter(|shape| shape.header.is_some()).unwrap_or(own);
            if let Some(path) = job.outputs.state {
                write_state(path, sample, &shape)?;
                return Ok(None);
            }
            let rest = |picks: &Picks| {
                let path = job.outputs.complement;
                path.map(|path| complement(job, path, picks, inputs, stream)).transpose()
            };
            picks(&job.outputs, job.order, job.exact, sample, &shape, rest).map(Some)
        }
        RowSampler::Rule(rule) => filter(job, rule, stream).map(Some),
        RowSampler::Shuffle => shuffle(job, inputs, stream).map(Some),
    }
}

/// Returns true if the picked rows are read in a second pass, after their numbers are known.
fn is_read_twice(job: &Job<'_>, slots: &Slots, inputs: &Inputs) -> bool {
    let SlotsDesign { k, kind, stratify, .. } = &slots.design;
    let is_plain = *kind == Kind::Equal && stratify.is_none() && slots.seen() == 0;
    is_plain && job.outputs.state.is_none() && inputs.are_read_again_for(*k)
}

/// Counts the rows, computes which are picked, and reads these in a second pass. This avoids copying rows that are
/// replaced by later rows.
fn read_twice(
    job: &Job<'_>,
    slots: &Slots,
    inputs: &Inputs,
    stream: &mut Stream<'_>,
) -> Result<Drawn, Failure> {
    stream.skip(u64::MAX)?;
    let (n, k, of_drawing) = (stream.seen(), slots.design.k, job.order == Order::Draw);
    let numbers = slots
        .picks_after(n, of_drawing)?
        .ok_or_else(|| work("the picks of this design can't be computed"))?;
    let shortage = (n < k as u64).then_some(Shortage::Rows(n));
    if let Some(shortage) = shortage.as_ref().filter(|_| job.exact) {
        return Err(work(shortage.refused(k)));
    }
    let shape = stream.shape();
    let mut out = Out::picks(&job.outputs, &shape)?;
    let path = job.outputs.complement;
    let mut rest = path.map(|path| Out::rest(&job.outputs, &shape, path)).transpose()?;
    let mut again = inputs.open(stream.watch)?;
    let no_memory = |_| work("not enough memory for the rows of the sample");
    // In drawing order, rows are kept in memory until it's their turn.
    let (mut places, mut bytes, mut spans) = (Vec::new(), Vec::new(), Vec::new());
    if of_drawing {
        places.try_reserve_exact(numbers.len()).map_err(no_memory)?;
        places.extend(0..numbers.len());
        places.sort_unstable_by_key(|place| numbers[*place]);
        spans.try_reserve_exact(numbers.len()).map_err(no_memory)?;
        spans.resize(numbers.len(), 0..0);
    }
    let mut at = 0;
    while at < numbers.len() {
        // The numbers in ascending order.
        let number = |at: usize| numbers[places.get(at).copied().unwrap_or(at)];
        let mut pick = |at: usize, row: &[u8]| {
            let Some(place) = places.get(at) else { return out.row(None, numbers[at], row) };
            bytes.try_reserve(row.len()).map_err(no_memory)?;
            let begin = bytes.len();
            bytes.extend_from_slice(row);
            spans[*place] = begin..bytes.len();
            Ok(())
        };
        let first = again.seen() + 1;
        let rows = again.texts(None)?;
        if rows.is_empty() {
            // A row in an unusual form, or the first one of a block.
            let gap = number(at) - first;
            match &mut rest {
                Some(rest) => rest.copy(gap, &mut again)?,
                None => again.skip(gap)?,
            };
            let Some(row) = again.next()? else { break };
            pick(at, row.bytes())?;
            at += 1;
            continue;
        }
        let mut next = 0;
        while at < numbers.len() && number(at) - first < rows.len() as u64 {
            let row = (number(at) - first) as usize;
            copy_texts(rest.as_mut(), &rows, next..row, first)?;
            pick(at, rows.row(row))?;
            next = row + 1;
            at += 1;
        }
        copy_texts(rest.as_mut(), &rows, next..rows.len(), first)?;
        let read = rows.len();
        again.rows.pass_ahead(read);
    }
    match &mut rest {
        Some(rest) => rest.copy(u64::MAX, &mut again)?,
        None => again.skip(u64::MAX)?,
    };
    check_unchanged(stream, &again)?;
    for (span, number) in spans.into_iter().zip(&numbers) {
        out.row(None, *number, &bytes[span])?;
    }
    let chance = Some(format!("each with probability {}", Sample::equal_chance(k as u64, n)));
    let notes = shortage.into_iter().map(|shortage| shortage.said(k)).collect();
    Ok(Drawn { out, rest, picked: numbers.len() as u64, chance, weights: Vec::new(), notes })
}

/// Copies rows that were read ahead to the output of the rows that were not picked, if there is one. `first` is the
/// number of the first row.
fn copy_texts(
    rest: Option<&mut Out>,
    rows: &Texts<'_>,
    range: Range<usize>,
    first: u64,
) -> Result<(), Failure> {
    let Some(rest) = rest else { return Ok(()) };
    range.into_iter().try_for_each(|row| rest.row(None, first + row as u64, rows.row(row)))
}

/// Returns an error if two passes have read different texts.
fn check_unchanged(one: &Stream<'_>, other: &Stream<'_>) -> Result<(), Failure> {
    if (one.seen(), one.rows.bytes()) == (other.seen(), other.rows.bytes()) {
        return Ok(());
    }
    Err(work("the input changed between the first and the second pass"))
}

/// Offers all rows of the stream to the sample. `before` is the number of rows that came before them.
fn read(sample: &mut Sample, stream: &mut Stream<'_>, before: u64) -> Result<(), Failure> {
    match sample {
        Sample::Slots(slots) => read_slots(slots, stream, before),
        Sample::Keys(keys) => read_keys(keys, stream),
    }
}

/// Reads the rows that may be picked, and skips the others.
fn read_slots(slots: &mut Slots, stream: &mut Stream<'_>, before: u64) -> Result<(), Failure> {
    let design = &slots.design;
    let weights = design.weight.as_ref().map(|weight| Weights::of(&stream.rows, weight, design.kind));
    let weights = weights.transpose()?;
    let labels = design
        .stratify
        .as_ref()
        .map(|stratify| Values::of(&stream.rows, "--stratify", &stratify.columns))
        .transpose()?;
    let (in_blocks, in_units) = (slots.passes_weights(), slots.passes_units());
    loop {
        let gap = slots.skip();
        if gap > 0 {
            let passed = stream.skip(gap)?;
            slots.passed(passed);
            if passed < gap {
                return Ok(());
            }
        }
        if in_blocks && let Some(weights) = &weights {
            let passed = slots.pass_weights(stream.rows.numbers(weights.column()));
            stream.rows.pass_ahead(passed);
        }
        if in_units && let Some(weights) = &weights {
            let passed = slots.pass_units(stream.rows.units(weights.column()));
            stream.rows.pass_ahead(passed);
        }
        let number = before + stream.seen() + 1;
        if let Some(column) = labels.as_ref().filter(|_| weights.is_none()).and_then(Values::single) {
            let texts = stream.texts(column)?;
            let rows = texts.len();
            slots.pass_labelled(number, rows, |row| texts.get(row), |row| Ok(texts.row(row).into()))?;
            stream.rows.pass_ahead(rows);
            if rows > 0 {
                continue;
            }
        }
        let Some(row) = stream.next()? else { return Ok(()) };
        let weight = weights.as_ref().map_or(Ok(Value::One), |weights| weights.read(&row))?;
        let label = labels.as_ref().map(|labels| labels.read(&row)).transpose()?.unwrap_or_default();
        slots.offer(number, weight, &label, || Ok(row.bytes().into()))?;
    }
}

fn read_keys(keys: &mut Keys, stream: &mut Stream<'_>) -> Result<(), Failure> {
    let columns = Values::of(&stream.rows, "--group-by", &keys.columns)?;
    let labels = keys
        .stratify
        .as_ref()
        .map(|stratify| Values::of(&stream.rows, "--stratify", stratify))
        .transpose()?;
    let many = labels.is_none().then(|| Tickets::new(&keys.key));
    let mut ahead = Vec::new();
    loop {
        if let Some(many) = &many {
            read_tickets(many, &columns, stream, &mut ahead)?;
            let mut passed = 0;
            for (i, ticket) in ahead.iter().enumerate() {
                if keys.bound().is_some_and(|bound| *ticket > bound) {
                    continue;
                }
                stream.rows.pass_ahead(i - passed);
                keys.passed((i - passed) as u64);
                passed = i + 1;
                let row = stream.next()?.ok_or_else(|| work("a row that was read ahead is missing"))?;
                keys.offer_ticket(*ticket, &[], &columns.read(&row)?, || Ok(row.bytes().into()))?;
            }
            stream.rows.pass_ahead(ahead.len() - passed);
            keys.passed((ahead.len() - passed) as u64);
        }
        let Some(row) = stream.next()? else { return Ok(()) };
        let label = labels.as_ref().map(|labels| labels.read(&row)).transpose()?.unwrap_or_default();
        keys.offer(&label, &columns.read(&row)?, row.bytes())?;
    }
}

/// Writes the rows of a sample; `rest` writes those that are not in it.
pub(super) fn picks(
    outputs: &Outputs<'_>,
    order: Order,
    exact: bool,
    sample: Sample,
    shape: &Shape,
    rest: impl FnOnce(&Picks) -> Result<Option<Out>, Failure>,
) -> Result<Drawn, Failure> {
    let (shortage, k, weights) = (sample.shortage(), sample.k(), sample.weights());
    let equal = sample.chance().map(|chance| format!("each with probability {chance}"));
    let chance = equal.or_else(|| of_weights(&weights));
    let picks = sample.picks(order == Order::Draw)?;
    if let Some(shortage) = shortage.as_ref().filter(|_| exact) {
        return Err(work(shortage.refused(k)));
    }
    let rest = rest(&picks)?;
    let mut out = Out::picks(outputs, shape)?;
    for (ticket, row) in picks.iter() {
        out.row(ticket, row.number, row.bytes)?;
    }
    let notes = shortage.into_iter().map(|shortage| shortage.said(k)).collect();
    Ok(Drawn { out, rest, picked: picks.len() as u64, chance, weights, notes })
}

/// The text about weights for `--stats`. If there are several strata, their sums are only in the transcript.
fn of_weights(weights: &[WeightSum]) -> Option<String> {
    let [WeightSum { sum, certain, stratum: None }] = weights else { return None };
    let rows = match certain.len() {
        0 => String::new(),
        1 => format!("; row {} has the inclusion probability 1", certain[0]),
        count => format!("; {count} rows have the inclusion probability 1 (the first is row {})", certain[0]),
    };
    Some(format!("the weights sum to {sum}{rows}"))
}

/// Writes the rows that were not picked, in a second pass over the inputs.
fn complement(
    job: &Job<'_>,
    path: &Path,
    picks: &Picks,
    inputs: &Inputs,
    first: &Stream<'_>,
) -> Result<Out, Failure> {
    let mut numbers: Vec<u64> = picks.iter().map(|(_, row)| row.number).collect();
    numbers.sort_unstable();
    let mut stream = inputs.open(first.watch)?;
    let mut out = Out::rest(&job.outputs, &stream.shape(), path)?;
    for number in numbers {
        let gap = number - 1 - stream.seen();
        out.copy(gap, &mut stream)?;
        stream.skip(1)?;
    }
    out.copy(u64::MAX, &mut stream)?;
    check_unchanged(first, &stream)?;
    Ok(out)
}

/// Applies a rule that decides on each row as it is read, and keeps no rows in memory.
fn filter(job: &Job<'_>, mut rule: Rule, stream: &mut Stream<'_>) -> Result<Drawn, Failure> {
    let shape = stream.shape();
    let tickets = match job.request().map(|request| (&request.design, request.seed.key())) {
        Some((Design::KeyChance { columns, .. }, key)) => {
            Some((Values::of(&stream.rows, "--group-by", columns)?, key))
        }
        _ => None,
    };
    let chance = Some(format!("each with probability {}", rule.chance()));
    let mut out = Out::picks(&job.outputs, &shape)?;
    let path = job.outputs.complement;
    let mut rest = path.map(|path| Out::rest(&job.outputs, &shape, path)).transpose()?;
    let mut reuse = Reuse::default();
    let mut picked = 0;
    let many = tickets.as_ref().map(|(_, key)| Tickets::new(key));
    let (mut ahead, mut chosen) = (Vec::new(), Vec::new());
    let is_dense = match &rule {
        Rule::Chance { p, .. } => p.to_f64() * NEAR as f64 >= 1.0,
        Rule::Every { step, .. } => *step <= NEAR,
        Rule::Keys { .. } => false,
    };
    loop {
        if is_dense {
            let first = stream.seen() + 1;
            let rows = stream.texts(None)?;
            let count = rows.len();
            chosen.clear();
            chosen.try_reserve(count).map_err(|_| work("not enough memory for the picked rows"))?;
            rule.pass_rows(first, count as u64, |row| {
                chosen.push(row as usize);
                Ok(())
            })?;
            let mut next = 0;
            for row in &chosen {
                copy_texts(rest.as_mut(), &rows, next..*row, first)?;
                out.row(None, first + *row as u64, rows.row(*row))?;
                next = row + 1;
            }
            copy_texts(rest.as_mut(), &rows, next..count, first)?;
            picked += chosen.len() as u64;
            stream.rows.pass_ahead(count);
            if count > 0 {
                continue;
            }
        }
        if let (Some(many), Some((columns, _))) = (&many, &tickets) {
            read_tickets(many, columns, stream, &mut ahead)?;
            let mut passed = 0;
            for (i, ticket) in ahead.iter().enumerate() {
                reuse.see(*ticket);
                let takes = rule.takes(*ticket);
                if !takes && rest.is_none() {
                    continue;
                }
                stream.rows.pass_ahead(i - passed);
                passed = i + 1;
                let number = stream.seen() + 1;
                let row = stream.next()?.ok_or_else(|| work("a row that was read ahead is missing"))?;
                if takes {
                    out.row(Some(*ticket), number, row.bytes())?;
                    picked += 1;
                } else if let Some(rest) = &mut rest {
                    rest.row(None, number, row.bytes())?;
                }
            }
            stream.rows.pass_ahead(ahead.len() - passed);
        }
        let gap = rule.gap();
        if gap > 0 {
            let passed = match &mut rest {
                Some(rest) => rest.copy(gap, stream)?,
                None => stream.skip(gap)?,
            };
            rule.passed(passed);
            if passed < gap {
                break;
            }
        }
        let number = stream.seen() + 1;
        let Some(row) = stream.next()? else { break };
        let ticket = tickets
            .as_ref()
            .map(|(columns, key): &(Values, Key)| Ok::<_, Failure>(key.ticket(&columns.read(&row)?)));
        let ticket = ticket.transpose()?;
        let takes = match ticket {
            Some(ticket) => {
                reuse.see(ticket);
                rule.takes(ticket)
            }
            None => {
                rule.pick(number)?;
                true
            }
        };
        if takes {
            out.row(ticket, number, row.bytes())?;
            picked += 1;
        } else if let Some(rest) = &mut rest {
            rest.row(None, number, row.bytes())?;
        }
    }
    let notes = reuse.warning().into_iter().map(|warning| format!("{warning} (--context)")).collect();
    Ok(Drawn { out, rest, picked, chance, weights: Vec::new(), notes })
}

/// The tickets of the next rows, hashed together. Returns no tickets if the rows are in a format that cannot be read
/// ahead.
fn read_tickets(
    many: &Tickets,
    columns: &Values,
    stream: &mut Stream<'_>,
    tickets: &mut Vec<u128>,
) -> Result<(), Failure> {
    tickets.clear();
    let Some(column) = columns.single() else { return Ok(()) };
    let texts = stream.texts(column)?;
    if texts.is_empty() {
        return Ok(());
    }
    tickets.try_reserve(texts.len()).map_err(|_| work("not enough memory for the tickets of the rows"))?;
    let write =
        |rows: Range<usize>, ids: &mut Ids| rows.into_iter().try_for_each(|row| ids.push(texts.get(row)));
    many.each_written(texts.len(), write, |_, ticket, _| {
        tickets.push(ticket);
        Ok(())
    })?;
    Ok(())
}

/// The position of a row of a shuffle in one integer: where it begins, in 40 bits, and its length, in 24 bits. The
/// maximum length means that the row is at least this long, and that its end has to be looked up.
#[derive(Clone, Copy)]
struct Place(u64);

impl Place {
    const BITS: u32 = 24;
    const LONG: usize = (1 << Self::BITS) - 1;
    /// The maximum number of bytes of all rows.
    const MOST: u64 = 1 << (u64::BITS - Self::BITS);

    fn new(row: &Range<usize>) -> Self {
        Self((row.start as u64) << Self::BITS | row.len().min(Self::LONG) as u64)
    }

    /// The row's bytes. `long` has the positions of all long rows, in order.
    fn range(self, long: &[Range<usize>]) -> Range<usize> {
        let begin = (self.0 >> Self::BITS) as usize;
        match self.0 as usize & Self::LONG {
            Self::LONG => long[long.partition_point(|row| row.start < begin)].clone(),
            len => begin..begin + len,
        }
    }
}

/// The rows of a shuffle.
#[derive(Default)]
struct AllRows {
    bytes: Vec<u8>,
    /// The rows as integers, see [`Place`].
    places: Vec<u64>,
    long: Vec<Range<usize>>,
}

impl AllRows {
    /// Adds the next `rows` rows. `bytes` contains all of these rows, and `len` returns the length of each row.
    fn add(&mut self, rows: usize, bytes: &[u8], len: impl Fn(usize) -> usize) -> Result<(), Failure> {
        let no_memory = |_| work("not enough memory for the rows of the sample");
        let mut begin = self.bytes.len();
        if (begin + bytes.len()) as u64 > Place::MOST {
            let most = Place::MOST;
            return Err(work(format!("the rows have more than {most} bytes, the maximum of --shuffle")));
        }
        self.bytes.try_reserve(bytes.len()).map_err(no_memory)?;
        self.bytes.extend_from_slice(bytes);
        self.places.try_reserve(rows).map_err(no_memory)?;
        for row in 0..rows {
            let row = begin..begin + len(row);
            begin = row.end;
            self.places.push(Place::new(&row).0);
            if row.len() >= Place::LONG {
                self.long.try_reserve(1).map_err(no_memory)?;
                self.long.push(row);
            }
        }
        Ok(())
    }
}

/// Keeps all rows in memory, and writes them in random order.
fn shuffle(job: &Job<'_>, inputs: &Inputs, stream: &mut Stream<'_>) -> Result<Drawn, Failure> {
    let key = job
        .request()
        .map(|request| request.seed.key())
        .ok_or_else(|| work("--shuffle can't be combined with --state-in"))?;
    let mut all = AllRows::default();
    // If there is not enough memory for this, or the files are longer by now, the list grows while it is filled.
    let _ = inputs.plain_bytes().map(|bytes| all.bytes.try_reserve_exact(bytes as usize));
    loop {
        let rows = stream.texts(None)?;
        let read = rows.len();
        all.add(read, rows.rows(), |row| rows.row(row).len())?;
        stream.rows.pass_ahead(read);
        if read > 0 {
            continue;
        }
        let Some(row) = stream.next()? else { break };
        let row = row.bytes();
        all.add(1, row, |_| row.len())?;
    }
    let AllRows { bytes, mut places, long } = all;
    draw::shuffle_integers(&mut key.words(), &mut places)?;
    // The same random numbers shuffle the row numbers into the same order. Rows of Parquet files have no bytes here,
    // only numbers.
    let wants_numbers = job.outputs.record.is_some() || stream.rows.is_table();
    let numbers = wants_numbers.then(|| draw::permutation(&mut key.words(), places.len())).transpose()?;
    let mut numbers = numbers.into_iter().flatten();
    stream.watch.check()?;
    let mut out = Out::picks(&job.outputs, &stream.shape())?;
    let mut spans: Vec<Range<usize>> = Vec::new();
    for some in places.chunks(TOGETHER) {
        // Load several rows from memory at once, so that their cache misses overlap.
        spans.clear();
        spans.extend(some.iter().map(|place| Place(*place).range(&long)));
        let at = |at: usize| bytes.get(at).copied().unwrap_or(0);
        black_box(spans.iter().fold(0, |all, span| all ^ at(span.start) ^ at(span.end)));
        for span in &spans {
            let number = numbers.next().map_or(0, |number| number as u64 + 1);
            out.row(None, number, &bytes[span.clone()])?;
        }
    }
    let picked = places.len() as u64;
    Ok(Drawn { out, rest: None, picked, chance: None, weights: Vec::new(), notes: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::{AllRows, Place};

    /// Some rows are just shorter, and some just longer, than the length from which a row's end is looked up.
    #[test]
    fn places_give_the_rows_back() {
        let lens = [1, 5, Place::LONG - 1, Place::LONG, 3, Place::LONG + 1, 2 * Place::LONG, 1];
        let bytes = vec![0; lens.iter().sum()];
        let mut all = AllRows::default();
        let mut rest = &bytes[..];
        for lens in lens.chunks(3) {
            let (these, behind) = rest.split_at(lens.iter().sum());
            all.add(lens.len(), these, |row| lens[row]).unwrap();
            rest = behind;
        }
        let mut begin = 0;
        for (place, len) in all.places.iter().zip(lens) {
            assert_eq!(Place(*place).range(&all.long), begin..begin + len);
            begin += len;
        }
        assert_eq!(begin, all.bytes.len());
    }
}
