//! One run: from the inputs to rows, or a state, in their files.

use super::filter::Filter;
use super::keys;
use super::out::{Closed, Out};
use super::output::Sink;
use super::reading::{Inputs, Stream, Watch};
use super::seed::Seed;
use super::shape::shape;
use super::slots;
use super::state;
use super::stats::Stats;
use super::stop::Stop;
use super::transcript;
use crate::options::sample_args::{Order, SampleOptions};
use crate::system::report::complain;
use hashwell_draw::Key;
use hashwell_draw::survey::{Design, Keys, Pick, Sample, Shape, Slots, SlotsDesign};
use std::path::Path;

/// Inputs, seed and options of a run.
pub(super) struct Run<'a> {
    options: &'a SampleOptions,
    inputs: &'a Inputs,
    watch: &'a Watch,
    seed: Option<Seed>,
    key: Key,
    stats: Stats,
}

impl<'a> Run<'a> {
    pub(super) fn new(options: &'a SampleOptions, inputs: &'a Inputs, watch: &'a Watch, seed: Seed) -> Self {
        let key = seed.key();
        Self { options, inputs, watch, seed: Some(seed), key, stats: Stats::begin(options.stats) }
    }

    /// A run that goes on from a state, whose key it has.
    pub(super) fn from_state(
        options: &'a SampleOptions,
        inputs: &'a Inputs,
        watch: &'a Watch,
        key: Key,
    ) -> Self {
        Self { options, inputs, watch, seed: None, key, stats: Stats::begin(options.stats) }
    }

    /// The first row, after which a new seed is worth knowing.
    pub(super) fn open(&self) -> Result<Stream<'a>, Stop> {
        let stream = self.inputs.open(self.watch)?;
        self.seed.iter().for_each(Seed::say);
        Ok(stream)
    }

    pub(super) fn slots(self, design: SlotsDesign) -> Result<(), Stop> {
        let mut stream = self.open()?;
        let mut slots = Slots::new(design, self.key)?;
        slots::run(&mut slots, &mut stream, 0)?;
        self.finish(Sample::Slots(slots), &shape(&stream), &stream)
    }

    pub(super) fn keys(self, columns: Vec<String>, k: usize) -> Result<(), Stop> {
        let mut stream = self.open()?;
        let mut keys = Keys::new(k, self.key, columns, None);
        keys::run(&mut keys, &mut stream)?;
        self.finish(Sample::Keys(keys), &shape(&stream), &stream)
    }

    pub(super) fn shuffle(self) -> Result<(), Stop> {
        let mut stream = self.open()?;
        let rows = super::shuffle::read(&mut stream)?;
        let order = rows.shuffled(self.key)?;
        self.watch.check()?;
        let shape = shape(&stream);
        let mut out = Out::picks(self.options, &shape)?;
        for at in &order {
            out.row(None, *at as u64 + 1, rows.row(*at))?;
        }
        let (sink, transcript) = self.transcript(&Design::Shuffle, &stream, out.close(Some(&stream))?)?;
        sink.end()?;
        transcript.map_or(Ok(()), Sink::end)?;
        self.say(&stream, order.len() as u64, None);
        Ok(())
    }

    pub(super) fn filter(self, design: &Design) -> Result<(), Stop> {
        let mut stream = self.open()?;
        let shape = shape(&stream);
        let filter = Filter::of(design, self.key, &stream)?.expect("the other designs keep rows");
        let chance = filter.chance();
        let mut out = Out::picks(self.options, &shape)?;
        let path = self.options.complement.as_deref();
        let mut rest = path.map(|path| Out::rest(self.options, &shape, path)).transpose()?;
        let picked = filter.run(&mut stream, &mut out, rest.as_mut())?;
        self.watch.check()?;
        let rest = rest.map(|rest| rest.close(Some(&stream))).transpose()?;
        let (sink, transcript) = self.transcript(design, &stream, out.close(Some(&stream))?)?;
        sink.end()?;
        rest.map_or(Ok(()), |rest| rest.sink.end())?;
        transcript.map_or(Ok(()), Sink::end)?;
        self.say(&stream, picked, Some(&chance));
        Ok(())
    }

    /// Writes the sample, or its state.
    pub(super) fn finish(self, sample: Sample, shape: &Shape, stream: &Stream<'_>) -> Result<(), Stop> {
        self.watch.check()?;
        if let Some(path) = &self.options.state_out {
            return state::write(path, sample, shape);
        }
        let written = write(
            self.options,
            sample,
            shape,
            Some(stream),
            |picks| {
                let path = self.options.complement.as_deref();
                let rest = path.map(|path| self.complement(path, picks, stream)).transpose()?;
                Ok(rest.into_iter().collect())
            },
            |design, closed| self.transcript(design, stream, closed),
        )?;
        self.say(stream, written.picked, written.chance.as_deref());
        Ok(())
    }

    /// The rows that were not picked: a second pass over the inputs.
    fn complement(&self, path: &Path, picks: &[Pick], first: &Stream<'_>) -> Result<Sink, Stop> {
        let mut numbers: Vec<u64> = picks.iter().map(|(_, row)| row.number).collect();
        numbers.sort_unstable();
        let mut stream = self.inputs.open(self.watch)?;
        let mut out = Out::rest(self.options, &shape(&stream), path)?;
        for number in numbers {
            let gap = number - 1 - stream.seen();
            out.copy(gap, &mut stream)?;
            stream.skip(1)?;
        }
        out.copy(u64::MAX, &mut stream)?;
        if (stream.seen(), stream.rows.bytes()) != (first.seen(), first.rows.bytes()) {
            return Err(Stop::work("the input changed between its first and its second reading"));
        }
        Ok(out.close(Some(&stream))?.sink)
    }

    fn say(&self, stream: &Stream<'_>, picked: u64, chance: Option<&str>) {
        let bytes = (!stream.rows.is_table()).then(|| stream.rows.bytes());
        self.stats.say(stream.seen(), bytes, picked, chance);
    }

    /// The file of rows, and the transcript if one is wanted.
    fn transcript(
        &self,
        design: &Design,
        stream: &Stream<'_>,
        closed: Closed,
    ) -> Result<(Sink, Option<Sink>), Stop> {
        let Closed { sink, numbers: picks, digest } = closed;
        let (Some(path), Some(seed)) = (&self.options.transcript, &self.seed) else {
            return Ok((sink, None));
        };
        let shape = shape(stream);
        let what = (&seed.seed, design, &shape);
        let record = transcript::sink(path, what, self.options, stream.seen(), picks, digest)?;
        Ok((sink, Some(record)))
    }
}

/// What [`write`] has written.
pub(super) struct Written {
    pub(super) picked: u64,
    pub(super) chance: Option<String>,
}

/// Writes a sample's rows, those of tables from their `stream`; `beside` and `transcript` make the other files, which get
/// their names after the rows have theirs.
pub(super) fn write(
    options: &SampleOptions,
    sample: Sample,
    shape: &Shape,
    stream: Option<&Stream<'_>>,
    beside: impl FnOnce(&[Pick]) -> Result<Vec<Sink>, Stop>,
    transcript: impl FnOnce(&Design, Closed) -> Result<(Sink, Option<Sink>), Stop>,
) -> Result<Written, Stop> {
    let (shortage, k, chance) = (sample.shortage(), sample.k(), sample.chance());
    let design = sample.design();
    let picks = sample.picks(options.order == Order::Draw)?;
    if let Some(shortage) = shortage.as_ref().filter(|_| options.exact) {
        return Err(Stop::work(shortage.refused(k)));
    }
    let mut others = beside(&picks)?;
    let mut out = Out::picks(options, shape)?;
    for (ticket, row) in &picks {
        out.row(*ticket, row.number, &row.bytes)?;
    }
    let (sink, transcript) = transcript(&design, out.close(stream)?)?;
    others.extend(transcript);
    sink.end()?;
    others.into_iter().try_for_each(Sink::end)?;
    if let Some(shortage) = shortage {
        complain(&shortage.said(k));
    }
    Ok(Written { picked: picks.len() as u64, chance })
}
