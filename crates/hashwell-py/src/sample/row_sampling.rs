//! A sample in progress, for the Python functions and the saved states.

use super::arrow::{self, Columns};
use super::batch::{Batch, Keep, Texts, Useful};
use super::keys::Reading;
use super::value::{texts, weights};
use crate::boundary::arrow::{from_arrow, reader};
use crate::boundary::buffer::copied_bytes;
use crate::boundary::errors::{self, Threads, exception};
use crate::boundary::watch::{Watch, run_draw};
use hashwell_arrow::{Chunk, Field, pack_field};
use hashwell_draw::row_sampling::{
    Design, Dialect, Form, Kept, Merged, PickedRow, Picks, Record, Reuse, RowSampler, Rule, SAMPLE, Sample,
    SamplingOptions, Seed, Shape, Shortage, SlotsDesign, State, Weigher, WeightSum, context_of, merge,
};
use hashwell_draw::{Error, draw};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A sample that is being built.
///
/// For each picked row, it stores the position, a number that identifies the caller's data (a handle), or, with
/// keep=True, the row itself.
#[pyclass(frozen, module = "hashwell._native", name = "_Survey")]
pub(crate) struct Survey(Mutex<Inner>);

#[derive(Clone)]
struct Inner {
    /// `None` for a sample that was saved or merged.
    seed: Option<Seed>,
    design: Design,
    work: Work,
    seen: u64,
    /// Statistics about the tickets of the first keys, to detect keys that an earlier sample selected.
    reuse: Reuse,
    /// True if an error occurred while several rows were added. Then it is unknown which of them the sample has seen.
    torn: bool,
}

#[derive(Clone)]
enum Work {
    Sample(Sample),
    Rule { rule: Rule, picks: Vec<Kept> },
}

/// The number of rows that a thread reads at a time.
const PIECE: usize = 1 << 17;
/// The number of rows in the first piece. A few rows are enough to exclude most tickets of the following rows.
const FIRST: usize = 1 << 12;

/// Returns positions, which start at 0, as native 64-bit integers.
fn integers(
    py: Python<'_>,
    len: usize,
    positions: impl Iterator<Item = u64>,
) -> PyResult<Bound<'_, PyBytes>> {
    PyBytes::new_with(py, len * 8, |out| {
        for (place, position) in out.as_chunks_mut::<8>().0.iter_mut().zip(positions) {
            *place = position.to_ne_bytes();
        }
        Ok(())
    })
}

fn form_of(name: &str) -> PyResult<Form> {
    Form::of_name(name).ok_or_else(|| exception::<PyValueError>(format!("unknown kind of rows '{name}'")))
}

#[pymethods]
impl Survey {
    /// Make a sample without rows from the options of a request in JSON.
    #[new]
    fn new(options: &str) -> PyResult<Self> {
        let options = SamplingOptions::from_json(options).map_err(errors::from_draw)?;
        let request = options.request().map_err(errors::from_request)?;
        let work = match request.sampler().map_err(errors::from_draw)? {
            RowSampler::Sample(sample) => Work::Sample(sample),
            RowSampler::Rule(rule) => Work::Rule { rule, picks: Vec::new() },
            RowSampler::Shuffle => {
                return Err(exception::<PyValueError>("a permutation of all rows is not a sample"));
            }
        };
        Ok(Self(Mutex::new(Inner {
            seed: Some(request.seed),
            design: request.design,
            work,
            seen: 0,
            reuse: Reuse::default(),
            torn: false,
        })))
    }

    /// Add `len` rows.
    ///
    /// Each row has the weight, the stratum label and the key that the design needs. If handle is given, the sample
    /// stores a number for each picked row: handle for the first of these rows, handle + 1 for the second, and so on.
    #[pyo3(signature = (len, *, weights=None, labels=None, keys=None, handle=None))]
    fn update(
        &self,
        py: Python<'_>,
        len: usize,
        weights: Option<&Bound<'_, PyAny>>,
        labels: Option<&Bound<'_, PyAny>>,
        keys: Option<&Bound<'_, PyAny>>,
        handle: Option<u64>,
    ) -> PyResult<()> {
        let (before, weigher, useful) = {
            let inner = self.lock(py);
            (inner.seen, inner.weigher(), inner.useful())
        };
        // This may run Python code, so the lock must not be held.
        let weights = weights.zip(weigher).map(|(of, weigher)| self::weights(&weigher, before, of));
        let mut batch = Batch {
            len,
            before,
            weights: weights.transpose()?,
            labels: labels.map(|labels| texts("the stratum", before, labels)).transpose()?,
            ticketed: None,
            keep: handle.map_or(Keep::Nothing, Keep::Handles),
        };
        let keys = keys.map(|keys| texts("the key", before, keys)).transpose()?;
        batch.check(keys.as_ref().map(Texts::len))?;
        let ticketed = keys.zip(useful).map(|(keys, useful)| {
            useful.of(len, &mut |mut rows, ids| rows.try_for_each(|row| ids.push(keys.get(row))))
        });
        batch.ticketed = ticketed.transpose().map_err(errors::from_draw)?;
        let mut inner = self.lock(py);
        if inner.seen != before {
            return Err(errors::updated_meanwhile());
        }
        inner.take(&batch).map_err(errors::from_draw)
    }

    /// Add the rows of an Arrow table or stream.
    ///
    /// With `keep`, the sample stores the picked rows, encoded as bytes. Otherwise, it stores their numbers. Returns
    /// the Arrow type of the rows, encoded as bytes.
    #[pyo3(
        signature = (data, *, keep, threads=Threads(1), progress=None),
        text_signature = "($self, data, *, keep, threads=1, progress=None)"
    )]
    fn update_arrow<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        keep: bool,
        threads: Threads,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let threads = threads.count();
        let mut watch = Watch::new(progress)?;
        let Some(mut reader) = reader(data)? else { return Err(errors::no_arrow(data)) };
        let (weight, labels, keys) = self.columns(py);
        let columns = Columns::of(
            reader.field(),
            weight.as_ref(),
            &labels.unwrap_or_default(),
            &keys.unwrap_or_default(),
        )?;
        let mut header = Vec::new();
        pack_field(reader.field(), &mut header);
        let mut piece = FIRST;
        py.detach(|| {
            while let Some(chunk) = reader.next_chunk().map_err(from_arrow)? {
                let rows = chunk.node().len();
                let mut from = 0;
                while from < rows {
                    let to = rows.min(from.saturating_add(piece * threads));
                    self.take_pieces(reader.field(), &chunk, &columns, from..to, keep, threads)?;
                    watch.step(to - from)?;
                    (from, piece) = (to, PIECE.min(2 * piece));
                }
            }
            watch.end()
        })?;
        copied_bytes(py, &header)
    }

    /// The number of rows that were added.
    #[getter]
    fn seen(&self, py: Python<'_>) -> u64 {
        self.lock(py).seen
    }

    /// Return the data that the sample stores for its rows, in an arbitrary order.
    fn kept<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let (mut rows, mut error) = (Vec::new(), None);
        self.lock(py).each_kept(&mut |row| match copied_bytes(py, row.bytes) {
            Ok(bytes) => rows.push(bytes),
            Err(other) => error = Some(other),
        });
        error.map_or(Ok(rows), Err)
    }

    /// Return the distinct positions of the stored rows that are at least `first`, in ascending order.
    fn kept_positions(&self, py: Python<'_>, first: u64) -> Vec<u64> {
        let mut positions = Vec::new();
        match &self.lock(py).work {
            // The picks are in row order, so those that earlier calls returned are skipped with one search.
            Work::Rule { picks, .. } => {
                let from = picks.partition_point(|row| row.number <= first);
                positions.extend(picks[from..].iter().map(|row| row.number - 1));
            }
            Work::Sample(sample) => {
                sample.each_kept(&mut |row| positions.extend((row.number > first).then(|| row.number - 1)));
            }
        }
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// Return an independent copy.
    fn __copy__(&self, py: Python<'_>) -> Self {
        Self(Mutex::new(self.lock(py).clone()))
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__(py)
    }

    /// Return the stored handles that are at least `first`.
    fn handles(&self, py: Python<'_>, first: u64) -> Vec<u64> {
        let mut handles = Vec::new();
        self.lock(py).each_kept(&mut |row| {
            let handle = row.bytes.first_chunk().map(|handle| u64::from_be_bytes(*handle));
            handles.extend(handle.filter(|handle| *handle >= first));
        });
        handles
    }

    /// Return a copy with different data for the stored rows.
    ///
    /// `rows` has the new data, in the order in which kept() returns the old data.
    fn with_kept(&self, py: Python<'_>, rows: Vec<Vec<u8>>) -> PyResult<Self> {
        let mut inner = self.lock(py).clone();
        let mut count = 0;
        inner.each_kept(&mut |_| count += 1);
        if count != rows.len() {
            return Err(errors::not_one_each("payloads", rows.len(), count));
        }
        match &mut inner.work {
            Work::Sample(sample) => sample.set_kept(rows).map_err(errors::from_draw)?,
            Work::Rule { picks, .. } => picks.iter_mut().zip(rows).for_each(|(row, bytes)| row.bytes = bytes),
        }
        Ok(Self(Mutex::new(inner)))
    }

    /// Return the positions of the picked rows, counted from 0, as native 64-bit integers.
    fn positions<'py>(&self, py: Python<'py>, of_drawing: bool) -> PyResult<Bound<'py, PyBytes>> {
        let picks = self.lock(py).clone().picks(of_drawing)?;
        integers(py, picks.len(), picks.iter().map(|(_, row)| row.number - 1))
    }

    /// Return the positions of the rows that would be picked from an input of `rows` rows.
    ///
    /// The positions are native 64-bit integers, counted from 0. Returns None if the design depends on the rows, if
    /// rows were added before, or if the input has too few rows for picks without replacement.
    fn positions_of<'py>(
        &self,
        py: Python<'py>,
        rows: u64,
        of_drawing: bool,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let slots = match &*self.lock(py) {
            Inner { work: Work::Sample(Sample::Slots(slots)), seen: 0, .. } if rows > 0 => slots.clone(),
            _ => return Ok(None),
        };
        // Without replacement, fewer than k rows may be an error.
        let SlotsDesign { kind, k, .. } = slots.design;
        if !kind.replaces() && rows < k as u64 {
            return Ok(None);
        }
        let picks = run_draw(py, || slots.picks_after(rows, of_drawing))?;
        picks.map(|picks| integers(py, picks.len(), picks.into_iter().map(|row| row - 1))).transpose()
    }

    /// Return the data that the sample stores for the picked rows.
    fn payloads<'py>(&self, py: Python<'py>, of_drawing: bool) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let picks = self.lock(py).clone().picks(of_drawing)?;
        picks.iter().map(|(_, row)| copied_bytes(py, row.bytes)).collect()
    }

    /// Return a description of the shortage if there are fewer rows or keys than requested.
    fn shortage(&self, py: Python<'_>) -> Option<String> {
        let inner = self.lock(py);
        let Work::Sample(sample) = &inner.work else { return None };
        let no_rows = inner.seen == 0 && sample.k() > 0;
        let shortage = sample.shortage().or(no_rows.then_some(Shortage::Rows(0)))?;
        Some(shortage.refused(sample.k()))
    }

    /// Return the weight sums of a weighted design, with a tuple for each stratum or one for all rows.
    ///
    /// A tuple has the label or None, the sum of the weights as text, and the positions of the rows with inclusion
    /// probability 1, counted from 0.
    fn weights(&self, py: Python<'_>) -> Vec<(Option<String>, String, Vec<u64>)> {
        let row =
            |sum: WeightSum| (sum.stratum, sum.sum, sum.certain.into_iter().map(|row| row - 1).collect());
        self.lock(py).weights().into_iter().map(row).collect()
    }

    /// Return a warning if the keys were probably selected before with the same seed and context.
    fn warning(&self, py: Python<'_>) -> Option<String> {
        self.lock(py).reuse.warning()
    }

    /// Return the state as bytes. `form` is the kind of its rows, and `header` their header or schema.
    fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        form: &str,
        header: Option<Vec<u8>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.lock(py).state(Shape { form: form_of(form)?, header })?;
        copied_bytes(py, &state.to_bytes().map_err(errors::from_draw)?)
    }

    /// Read a saved state. Returns the sample, the form of its rows and their header.
    #[staticmethod]
    fn from_bytes(bytes: Vec<u8>) -> PyResult<(Self, &'static str, Option<Vec<u8>>)> {
        let State { sample, shape } = State::from_bytes(&bytes).map_err(errors::from_draw)?;
        Ok((Self::over(sample), shape.form.name(), shape.header))
    }

    /// Merge several samples. The rows of a sample come after the rows of the samples before it.
    #[staticmethod]
    fn merge(py: Python<'_>, parts: Vec<Bound<'_, Self>>, seed: Vec<u8>) -> PyResult<Self> {
        let part = |(i, part): (usize, &Bound<'_, Self>)| {
            let shape = Shape { form: Form::Objects, header: None };
            Ok(Merged { name: format!("sample {}", i + 1), state: part.get().lock(py).state(shape)? })
        };
        let parts = parts.iter().enumerate().map(part).collect::<PyResult<_>>()?;
        let merged = merge(parts, || Ok::<_, Error>(seed)).map_err(errors::from_draw)?;
        Ok(Self::over(merged.sample))
    }

    /// Return the record of the draw as JSON, or None for a sample that was saved or merged.
    #[pyo3(signature = (form, of_drawing, digest=None))]
    fn record(
        &self,
        py: Python<'_>,
        form: &str,
        of_drawing: bool,
        digest: Option<[u8; 32]>,
    ) -> PyResult<Option<String>> {
        let inner = self.lock(py).clone();
        let (Some(seed), design, n) = (inner.seed.clone(), inner.design.clone(), inner.seen) else {
            return Ok(None);
        };
        let weights = inner.weights();
        let record = Record {
            seed: &seed,
            design: &design,
            form: form_of(form)?,
            header: false,
            quotes: false,
            dialect: Dialect::default(),
            of_drawing,
            n,
            picks: inner.picks(of_drawing)?.iter().map(|(_, row)| row.number).collect(),
            rows_sha256: digest,
            weights,
            program: concat!("hashwell ", env!("CARGO_PKG_VERSION")),
        };
        Ok(Some(record.text()))
    }

    /// The columns of the design: weight, strata, key.
    #[getter]
    fn columns(&self, py: Python<'_>) -> (Option<String>, Option<Vec<String>>, Option<Vec<String>>) {
        match self.lock(py).design.clone() {
            Design::Slots(slots) => (
                slots.weight.map(|weight| weight.column),
                slots.stratify.map(|stratify| stratify.columns),
                None,
            ),
            Design::Keys { columns, stratify, .. } => (None, stratify, Some(columns)),
            Design::KeyChance { columns, .. } => (None, None, Some(columns)),
            _ => (None, None, None),
        }
    }

    /// The name of the sampling method in the record of the draw.
    #[getter]
    fn method(&self, py: Python<'_>) -> &'static str {
        self.lock(py).design.method()
    }

    /// Return the positions of `len` rows in random order, counted from 0, as native 64-bit integers.
    #[staticmethod]
    fn order<'py>(
        py: Python<'py>,
        len: usize,
        seed: Vec<u8>,
        context: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let key = Seed { bytes: seed, context: context_of(SAMPLE, context, None) }.key();
        let order = run_draw(py, || draw::permutation(&mut key.words(), len))?;
        integers(py, len, order.into_iter().map(|place| place as u64))
    }
}

impl Survey {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Inner> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads rows of an array in pieces, in parallel, and adds the pieces to the sample in order.
    fn take_pieces(
        &self,
        field: &Field,
        chunk: &Chunk,
        columns: &Columns,
        rows: Range<usize>,
        keep: bool,
        threads: usize,
    ) -> PyResult<()> {
        let (before, weigher, useful) = {
            let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            (inner.seen, inner.weigher(), inner.useful())
        };
        // If no column is read, the rows need not be divided into pieces.
        let plain = columns.weight.is_none() && columns.labels.is_empty() && columns.keys.is_empty();
        let piece = if plain { rows.len() } else { rows.len().div_ceil(threads).max(FIRST) };
        let node = chunk.node();
        let read = |from: usize| -> PyResult<Batch<'_>> {
            let to = rows.end.min(from + piece);
            let before = before + (from - rows.start) as u64;
            let labels = (!columns.labels.is_empty())
                .then(|| arrow::texts(field, node, &columns.labels, from..to))
                .transpose()?;
            let ticketed = useful.filter(|_| !columns.keys.is_empty()).map(|useful| {
                let keys = Reading::of(field, node, &columns.keys, from..to);
                useful.of(to - from, &mut |rows, ids| keys.write_all(from + rows.start..from + rows.end, ids))
            });
            let weights = weigher.as_ref().zip(columns.weight).map(|(weigher, place)| {
                let column = (&field.children[place], &node.children()[place]);
                arrow::weights(weigher, column, from..to, before)
            });
            Ok(Batch {
                len: to - from,
                before,
                weights: weights.transpose()?,
                labels,
                ticketed: ticketed.transpose().map_err(errors::from_draw)?,
                keep: if keep { Keep::Packed(field, node, from) } else { Keep::Nothing },
            })
        };
        let done = hashwell_work::each(rows.clone().step_by(piece.max(1)).collect(), read);
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.seen != before {
            return Err(errors::updated_meanwhile());
        }
        for read in done {
            inner.take(&read?).map_err(errors::from_draw)?;
        }
        Ok(())
    }

    fn over(sample: Sample) -> Self {
        let (design, seen) = (sample.design(), sample.seen());
        Self(Mutex::new(Inner {
            seed: None,
            design,
            work: Work::Sample(sample),
            seen,
            reuse: Reuse::default(),
            torn: false,
        }))
    }
}

impl Inner {
    /// Returns the tickets that a design by keys can still select.
    fn useful(&self) -> Option<Useful> {
        match &self.work {
            Work::Sample(Sample::Keys(keys)) => {
                Some(Useful { key: keys.key, most: keys.bound(), looks: false })
            }
            Work::Rule { rule: Rule::Keys { key, below, .. }, .. } => {
                Some(Useful { key: *key, most: *below, looks: self.reuse.is_looking() })
            }
            _ => None,
        }
    }

    fn weigher(&self) -> Option<Weigher> {
        let Design::Slots(SlotsDesign { kind, weight: Some(weight), .. }) = &self.design else { return None };
        Some(Weigher::new(*kind, weight.default.as_deref()))
    }

    fn weights(&self) -> Vec<WeightSum> {
        match &self.work {
            Work::Sample(sample) => sample.weights(),
            Work::Rule { .. } => Vec::new(),
        }
    }

    /// Adds rows to the sample.
    fn take(&mut self, batch: &Batch<'_>) -> Result<(), Error> {
        self.check_whole()?;
        if let Work::Sample(sample) = &self.work
            && !sample.goes_on()
        {
            return Err(Error::Refused {
                reason: "a merged sample accepts no more rows: sample them separately, and merge the samples"
                    .to_owned(),
            });
        }
        self.torn = true;
        if let Some(ticketed) = &batch.ticketed {
            self.reuse.add(&ticketed.reuse);
        }
        match &mut self.work {
            Work::Sample(Sample::Slots(slots)) => batch.pass_slots(slots)?,
            Work::Sample(Sample::Keys(keys)) => batch.pass_keys(keys)?,
            Work::Rule { rule, picks } => batch.pass_rule(rule, |number, bytes| {
                picks.try_reserve(1).map_err(|_| Error::Memory { what: "the rows of the sample" })?;
                picks.push(Kept { number, bytes });
                Ok(())
            })?,
        }
        self.torn = false;
        self.seen += batch.len as u64;
        Ok(())
    }

    fn check_whole(&self) -> Result<(), Error> {
        if !self.torn {
            return Ok(());
        }
        let reason = "an error occurred in the middle of a batch of rows: this sample can no longer be used";
        Err(Error::Refused { reason: reason.to_owned() })
    }

    /// Calls `each` for each row that is currently kept.
    fn each_kept(&self, each: &mut dyn FnMut(PickedRow<'_>)) {
        match &self.work {
            Work::Sample(sample) => sample.each_kept(each),
            Work::Rule { picks, .. } => {
                let row = |row: &Kept| each(PickedRow { number: row.number, bytes: &row.bytes });
                picks.iter().for_each(row);
            }
        }
    }

    fn picks(self, of_drawing: bool) -> PyResult<Picks> {
        self.check_whole().map_err(errors::from_draw)?;
        match self.work {
            Work::Sample(sample) => sample.picks(of_drawing).map_err(errors::from_draw),
            Work::Rule { picks, .. } => Ok(picks.into()),
        }
    }

    fn state(&self, shape: Shape) -> PyResult<State> {
        self.check_whole().map_err(errors::from_draw)?;
        match &self.work {
            Work::Sample(sample) => Ok(State { sample: sample.clone(), shape }),
            Work::Rule { .. } => Err(exception::<PyValueError>(
                "this method needs no state: sample consecutive parts separately, and concatenate the samples",
            )),
        }
    }
}
