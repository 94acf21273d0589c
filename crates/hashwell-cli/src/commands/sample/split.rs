//! `hashwell split`, and samples with an exact share or with given sizes. Every row goes to one of several outputs.

use super::input::{Inputs, Stream, Values};
use super::output::Out;
use super::request::{Job, Outputs, Reading, Work, check_places, usage, work};
use crate::inputs::containers::format_of;
use crate::inputs::reading::is_stdin;
use crate::inputs::seed::PublicSeed;
use crate::options::sample_args::{Amount, Order as OrderOption, SampleOptions};
use crate::options::split_args::SplitOptions;
use crate::outputs::output::check_not_input;
use crate::system::report::{Failure, complain, printable, reason, write_line};
use hashwell_draw::row_sampling::{
    ExactSplit, Order, Reuse, SAMPLE, Sample, SamplingOptions, Shape, Shares, Sizes, context_of, joined,
};
use hashwell_draw::sample::{Ids, Tickets};
use hashwell_draw::{Key, hex, row_sampling};
use hashwell_rows::{Compression, Fields, Format, Input, Options, Rows, Texts};
use indicatif::HumanCount;
use std::collections::HashMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The rule that assigns rows to parts.
pub(super) struct Rule<'a> {
    pub(super) key: Key,
    pub(super) group_by: &'a [String],
    pub(super) stratify: &'a [String],
    /// The sizes, if they are exact. If there are none, rows are assigned by the shares.
    pub(super) sizes: Option<Sizes<'a>>,
    /// True if having fewer rows in a stratum than its size is an error.
    pub(super) refuses_short: bool,
}

/// The output of each part, and its number of rows. The files have no names until all of them are complete.
pub(super) struct Parts {
    outs: Vec<Option<Out>>,
    pub(super) rows: Vec<u64>,
}

impl Parts {
    /// Writes a row to its part.
    fn row(&mut self, part: usize, number: u64, bytes: &[u8]) -> Result<(), Failure> {
        self.rows[part] += 1;
        self.outs[part].as_mut().map_or(Ok(()), |out| out.row(None, number, bytes))
    }

    /// Gives the files their names.
    pub(super) fn end(self, stream: &Stream<'_>) -> Result<(), Failure> {
        let close = |out: Out| out.close_rows(stream);
        let sinks = self.outs.into_iter().flatten().map(close).collect::<Result<Vec<_>, _>>()?;
        sinks.into_iter().try_for_each(super::output::Sink::end)
    }
}

/// Splits the rows of the inputs into outputs. `open` opens the output of a part, if it has one.
pub(super) fn split<'w>(
    rule: &Rule<'_>,
    shares: &Shares,
    inputs: &'w Inputs,
    watch: &'w super::input::Watch,
    open: impl Fn(usize, &Shape) -> Result<Option<Out>, Failure>,
) -> Result<(Parts, Stream<'w>, Vec<String>), Failure> {
    let mut stream = inputs.open(watch)?;
    inputs.hint(&stream);
    let mut notes = Vec::new();
    let mut first = None;
    let mut parts = None;
    if let Some(sizes) = &rule.sizes {
        let split = exact(rule, &mut stream)?;
        let [short, others, several] = shortages(&split, sizes, rule.stratify.len());
        if let Some(short) = short.as_ref().filter(|_| rule.refuses_short) {
            return Err(work(short.as_str()));
        }
        notes.extend([short, others, several].into_iter().flatten());
        parts = Some(split.parts(sizes)?);
        first = Some((stream.seen(), stream.rows.bytes()));
        stream = inputs.open(watch)?;
    }
    let shape = stream.shape();
    let count = if rule.sizes.is_some() { 2.max(shares.names().len()) } else { shares.names().len() };
    let outs = (0..count).map(|part| open(part, &shape)).collect::<Result<_, _>>()?;
    let mut to = Parts { outs, rows: vec![0; count] };
    let groups = if rule.group_by.is_empty() || parts.is_some() {
        None
    } else {
        Some(Values::of(&stream.rows, "--group-by", rule.group_by)?)
    };
    let mut assigner = Assigner {
        shares,
        key: rule.key,
        tickets: Tickets::new(&rule.key),
        parts,
        is_grouped: groups.is_some(),
        reuse: Reuse::default(),
    };
    // Rows that can be read ahead are assigned a block at a time.
    let ahead = groups.as_ref().map_or(Some(None), Values::single);
    let mut assigned = Vec::new();
    loop {
        let number = stream.seen() + 1;
        if let Some(column) = ahead {
            let texts = stream.texts(column)?;
            let rows = texts.len();
            assigner.of_rows(number, &texts, &mut assigned)?;
            for (row, part) in assigned.iter().enumerate() {
                to.row(*part, number + row as u64, texts.row(row))?;
            }
            stream.rows.pass_ahead(rows);
            if rows > 0 {
                continue;
            }
        }
        let Some(row) = stream.next()? else { break };
        let group = groups.as_ref().map(|groups| groups.read(&row)).transpose()?.unwrap_or_default();
        to.row(assigner.of_row(number, &group)?, number, row.bytes())?;
    }
    if first.is_some_and(|first| first != (stream.seen(), stream.rows.bytes())) {
        return Err(changed());
    }
    notes.extend(assigner.reuse.warning().map(|warning| format!("{warning} (--context)")));
    Ok((to, stream, notes))
}

/// Assigns rows to parts.
struct Assigner<'a> {
    shares: &'a Shares,
    key: Key,
    tickets: Tickets,
    /// The part of each row, if sizes are exact.
    parts: Option<Vec<u16>>,
    is_grouped: bool,
    reuse: Reuse,
}

impl Assigner<'_> {
    /// The part of a row with this number and this text of its group.
    fn of_row(&mut self, number: u64, group: &[u8]) -> Result<usize, Failure> {
        if let Some(parts) = &self.parts {
            let part = usize::try_from(number - 1).ok().and_then(|at| parts.get(at));
            return part.map(|part| usize::from(*part)).ok_or_else(changed);
        }
        if !self.is_grouped {
            return Ok(self.shares.part(self.key.ticket(number.to_string().as_bytes())));
        }
        let ticket = self.key.ticket(group);
        self.reuse.see(ticket);
        Ok(self.shares.part(ticket))
    }

    /// The parts of rows that were read ahead, whose texts are those of their groups. `first` is the number of the first
    /// row.
    fn of_rows(&mut self, first: u64, texts: &Texts<'_>, assigned: &mut Vec<usize>) -> Result<(), Failure> {
        let (rows, Self { shares, tickets, parts, is_grouped, reuse, .. }) = (texts.len(), self);
        assigned.clear();
        assigned.try_reserve(rows).map_err(|_| work("not enough memory for the parts of the rows"))?;
        if let Some(parts) = parts {
            let at = usize::try_from(first - 1).map_err(|_| changed())?;
            let parts = parts.get(at..).and_then(|parts| parts.get(..rows)).ok_or_else(changed)?;
            assigned.extend(parts.iter().map(|part| usize::from(*part)));
        } else if *is_grouped {
            let write = |rows: Range<usize>, ids: &mut Ids| {
                rows.into_iter().try_for_each(|row| ids.push(texts.get(row)))
            };
            tickets.each_written(rows, write, |_, ticket, _| {
                reuse.see(ticket);
                assigned.push(shares.part(ticket));
                Ok(())
            })?;
        } else {
            tickets.each_number(first..first + rows as u64, |ticket| {
                assigned.push(shares.part(ticket));
                Ok(())
            })?;
        }
        Ok(())
    }
}

fn changed() -> Failure {
    work("the input changed between the first and the second pass")
}

/// Makes the first of two passes, which offers every row to the split.
fn exact(rule: &Rule<'_>, stream: &mut Stream<'_>) -> Result<ExactSplit, Failure> {
    let values = |option: &str, names: &[String]| {
        (!names.is_empty()).then(|| Values::of(&stream.rows, option, names)).transpose()
    };
    let (groups, labels) = (values("--group-by", rule.group_by)?, values("--stratify", rule.stratify)?);
    // Only one column can be read ahead.
    let ahead = match (&groups, &labels) {
        (None, None) => Some(None),
        (Some(values), None) | (None, Some(values)) => values.single(),
        (Some(_), Some(_)) => None,
    };
    let mut split = ExactSplit::new(rule.key, groups.is_some());
    loop {
        if let Some(column) = ahead {
            let texts = stream.texts(column)?;
            let text = |is_read: bool, row: usize| if is_read { texts.get(row) } else { &[] };
            let rows = texts.len();
            split.offer_rows(rows, |row| text(labels.is_some(), row), |row| text(groups.is_some(), row))?;
            stream.rows.pass_ahead(rows);
            if rows > 0 {
                continue;
            }
        }
        let Some(row) = stream.next()? else { break };
        let group = groups.as_ref().map(|groups| groups.read(&row)).transpose()?.unwrap_or_default();
        let label = labels.as_ref().map(|labels| labels.read(&row)).transpose()?.unwrap_or_default();
        split.offer(&label, &group)?;
    }
    Ok(split)
}

/// `hashwell split`.
pub(super) fn run(options: &SplitOptions) -> Result<(), Failure> {
    let shares = Shares::parse(options.into.iter().map(|part| part.trim()))
        .map_err(|error| usage(format!("--into: {error}")))?;
    if is_stdin(&options.output) {
        return Err(usage(
            "--output: several files can't be written to standard output (give a folder or a name with {})",
        ));
    }
    let paths = paths(options, shares.names())?;
    check_places(shares.names().iter().map(|name| format!("part {name:?}")).zip(&paths))?;
    paths.iter().try_for_each(|path| check_not_input("--output", path, &options.files))?;
    let seed = PublicSeed::of(options.seed.as_deref(), options.seed_hex.as_deref())?;
    let context = context_of(SAMPLE, &options.context, None);
    let wanted = SamplingOptions {
        p: Some("1".to_owned()),
        group_by: options.group_by.clone(),
        context: options.context.clone(),
        seed_hex: Some(hex::encode(&seed.bytes)),
        ..SamplingOptions::default()
    };
    let request = wanted.request().map_err(|error| work(error.to_string()))?;
    let key = row_sampling::Seed { bytes: seed.bytes.clone(), context }.key();
    let outputs = Outputs {
        complement: paths.first().map(PathBuf::as_path),
        are_parts: true,
        table_as: options.table_as,
        ..Outputs::default()
    };
    let format = if options.zero { Some(Format::Nul) } else { options.form.asked() };
    let header = if options.header { Some(true) } else { options.no_header.then_some(false) };
    let rows = options.form.reading(Format::Lines);
    let job = Job {
        work: Work::New(request),
        seed: None,
        files: &options.files,
        reading: Reading { format, header, rows, form: Some(&options.form), table: options.form.table() },
        outputs,
        order: Order::Input,
        exact: false,
        stats: None,
    };
    let is_exact = options.exact || !options.stratify.is_empty();
    let rule = Rule {
        key,
        group_by: &options.group_by,
        stratify: &options.stratify,
        sizes: is_exact.then_some(Sizes::Shares(&shares)),
        refuses_short: false,
    };
    let (inputs, watch) = Inputs::of(&job, is_exact, None)?;
    let counts = inputs.guard(|| {
        let open = |part: usize, shape: &Shape| {
            paths.get(part).map(|path| Out::rest(&job.outputs, shape, path)).transpose()
        };
        make_folder(options)?;
        let (parts, stream, warnings) = split(&rule, &shares, &inputs, &watch, open)?;
        seed.say();
        watch.check()?;
        let rows = parts.rows.clone();
        parts.end(&stream)?;
        warnings.iter().for_each(|warning| complain(warning));
        Ok(rows)
    })?;
    let widest = shares.names().iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for ((name, rows), path) in shares.names().iter().zip(counts).zip(&paths) {
        let (name, path) = (printable(name.as_ref()), printable(path.as_os_str()));
        let noun = if rows == 1 { "row" } else { "rows" };
        write_line(format!("{name:widest$}  {} {noun}  {path}\n", HumanCount(rows)).as_bytes())?;
    }
    Ok(())
}

/// The rows that `hashwell sample` picks in two passes.
pub(super) enum Allocation {
    /// An exact share.
    Share(Shares),
    /// A number of rows for each stratum.
    Each(SizesFile),
}

/// A file with a number of rows for each stratum.
pub(super) struct SizesFile {
    each: HashMap<Vec<u8>, u64>,
    header: Option<SizesHeader>,
}

/// The first line of a file of sizes, if it does not end with a number of rows. It must be a header that names the
/// columns of the strata.
struct SizesHeader {
    names: Vec<Vec<u8>>,
    /// The error if it is not a header.
    wrong: String,
}

impl SizesHeader {
    /// Fails unless these are the names or numbers of the columns in the rows.
    fn check(&self, rows: &Rows, columns: &[String]) -> Result<(), Failure> {
        let names = rows.names().unwrap_or_default();
        let is_name = |(name, column): (&Vec<u8>, &String)| {
            let number = rows.column(column).ok().and_then(|column| column.number());
            name == column.as_bytes()
                || number.and_then(|number| names.get(number)).is_some_and(|of| **of == **name)
        };
        if self.names.iter().zip(columns).all(is_name) {
            return Ok(());
        }
        Err(work(format!(
            "{} (a header must name the columns of --stratify: {})",
            self.wrong,
            columns.join(", ")
        )))
    }
}

impl Allocation {
    /// The requested allocation, if any.
    pub(super) fn of(options: &SampleOptions) -> Result<Option<Self>, Failure> {
        let (allocation, name) = match (&options.rows, &options.sizes) {
            (Some(Amount::Share(shares)), _) => (Self::Share(shares.clone()), "-n SHARE%"),
            (_, Some(path)) => (Self::Each(sizes(path, options.stratify.len())?), "--sizes"),
            _ => return Ok(None),
        };
        let others = [
            ("--weight", options.weight.is_some()),
            ("--design", options.design.is_some()),
            ("--replace", options.replace),
            ("--proportional", options.proportional),
            ("--order draw", options.order == OrderOption::Draw),
            ("--transcript", options.transcript.is_some()),
            ("--print-ticket", options.print_ticket),
            ("--state-out", options.state_out.is_some()),
            ("--state-in", options.state_in.is_some()),
            ("--after", !options.after.is_empty()),
        ];
        match others.iter().find(|(_, given)| *given) {
            Some((other, _)) => Err(usage(format!("{name} and {other} can't be combined"))),
            None => Ok(Some(allocation)),
        }
    }
}

/// Reads the sizes of strata whose labels have this number of columns.
fn sizes(path: &Path, columns: usize) -> Result<SizesFile, Failure> {
    let name = printable(path.as_os_str());
    let mut options = Options::default().with_format(Format::of_path(path).unwrap_or(Format::Csv));
    if !matches!(options.format.map(Format::fields), Some(Fields::Delimited { .. })) {
        return Err(usage(format!("--sizes {name}: expected a CSV or TSV file")));
    }
    options.header = Some(false);
    let mut rows = Rows::open(&[Input::path(path)], &options)?;
    let (mut each, mut header) = (HashMap::new(), None);
    while let Some(row) = rows.next()? {
        let said = |what: &str| format!("{}: {what}", row.place());
        let wrong = |what: &str| Err(work(said(what)));
        let fields: Vec<_> = row.fields().collect();
        if fields.len() != columns + 1 {
            return wrong(&format!(
                "expected {columns} values of --stratify and a number of rows, got {} fields",
                fields.len()
            ));
        }
        let (label, size) = fields.split_at(columns);
        let size = size.first().and_then(|size| std::str::from_utf8(size).ok()).unwrap_or_default();
        match size.trim().parse::<u64>() {
            Ok(size) => {
                if each.insert(joined(label).into_owned(), size).is_some() {
                    return wrong("the stratum is listed twice");
                }
            }
            Err(_) => {
                let what = format!("{size:?} is not a number of rows");
                if row.number() > 0 {
                    return wrong(&what);
                }
                let names = label.iter().map(|name| name.to_vec()).collect();
                header = Some(SizesHeader { names, wrong: said(&what) });
            }
        }
    }
    Ok(SizesFile { each, header })
}

/// `hashwell sample` with an exact share or with sizes of strata: part 0 is the sample.
pub(super) fn sample(options: &SampleOptions, allocation: &Allocation) -> Result<(), Failure> {
    let stats = options.stats.then(std::time::Instant::now);
    let seed = PublicSeed::of(options.seed.as_deref(), options.seed_hex.as_deref())?;
    let context = context_of(SAMPLE, &options.context, options.shard.as_deref());
    let wanted = SamplingOptions {
        p: Some("1".to_owned()),
        seed_hex: Some(hex::encode(&seed.bytes)),
        ..SamplingOptions::default()
    };
    let job = Job {
        work: Work::New(wanted.request().map_err(|error| work(error.to_string()))?),
        seed: None,
        files: &options.files,
        reading: super::request::reading(options),
        outputs: Outputs::of(options),
        order: Order::Input,
        exact: options.exact,
        stats: None,
    };
    let (shares, sizes) = match allocation {
        Allocation::Share(shares) => (shares.clone(), Sizes::Shares(shares)),
        Allocation::Each(file) => (Shares::parse(["picked=0", "rest=1"])?, Sizes::Each(&file.each)),
    };
    let key = row_sampling::Seed { bytes: seed.bytes.clone(), context }.key();
    let rule = Rule {
        key,
        group_by: &options.group_by,
        stratify: &options.stratify,
        sizes: Some(sizes),
        refuses_short: options.exact,
    };
    let (inputs, watch) = Inputs::of(&job, true, None)?;
    inputs.guard(|| {
        if let Allocation::Each(SizesFile { header: Some(header), .. }) = allocation {
            header.check(&inputs.open(&watch)?.rows, &options.stratify)?;
        }
        let open = |part: usize, shape: &Shape| match part {
            0 => Out::picks(&job.outputs, shape).map(Some),
            _ => job.outputs.complement.map(|path| Out::rest(&job.outputs, shape, path)).transpose(),
        };
        let (parts, stream, notes) = split(&rule, &shares, &inputs, &watch, open)?;
        seed.say();
        watch.check()?;
        let (picked, seen) = (parts.rows[0], stream.seen());
        let bytes = (!stream.rows.is_table()).then(|| stream.rows.bytes());
        parts.end(&stream)?;
        notes.iter().for_each(|note| complain(note));
        let is_equal = matches!(allocation, Allocation::Share(_))
            && rule.stratify.is_empty()
            && rule.group_by.is_empty();
        let chance =
            is_equal.then(|| format!("each with probability {}", Sample::equal_chance(picked, seen)));
        super::output::say_stats(stats, seen, bytes, picked, chance.as_deref());
        Ok(())
    })
}

/// Reports the strata that have fewer rows or groups than requested, the strata without a size, and the number of
/// groups that are in several strata.
fn shortages(split: &ExactSplit, sizes: &Sizes<'_>, columns: usize) -> [Option<String>; 3] {
    const SHOWN: usize = 3;
    let Sizes::Each(each) = sizes else { return [None, None, None] };
    let counts = split.counts();
    let text = |label: &[u8]| format!("{:?}", shown(label, columns));
    let mut short: Vec<String> = each
        .iter()
        .filter_map(|(label, wanted)| {
            let there = counts.get(&label[..]).copied().unwrap_or(0);
            (there < *wanted).then(|| format!("{} has {there} instead of {wanted}", text(label)))
        })
        .collect();
    short.sort_unstable();
    let mut other: Vec<String> =
        counts.keys().filter(|label| !each.contains_key(**label)).map(|label| text(label)).collect();
    other.sort_unstable();
    let listed = |what: &str, list: &[String]| {
        let more = list
            .len()
            .checked_sub(SHOWN + 1)
            .map_or_else(String::new, |more| format!(" and {} more", more + 1));
        (!list.is_empty()).then(|| format!("{what}: {}{more}", list[..list.len().min(SHOWN)].join(", ")))
    };
    let several = split.seen().1 - counts.values().sum::<u64>();
    let groups = if several == 1 { "1 group" } else { &format!("{several} groups") };
    [
        listed("strata with too few rows", &short),
        listed("nothing is picked from these strata, because the --sizes file does not list them", &other),
        (several > 0)
            .then(|| format!("with --sizes, groups with rows in several strata are not picked ({groups})")),
    ]
}

/// The label of a stratum as text. In a label of several columns, each value is preceded by its length.
fn shown(label: &[u8], columns: usize) -> String {
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    if columns < 2 {
        return text(label);
    }
    let (mut values, mut rest) = (Vec::new(), label);
    while let Some((len, behind)) = rest.split_first_chunk() {
        let len = usize::try_from(u64::from_be_bytes(*len)).map_or(behind.len(), |len| len.min(behind.len()));
        let (value, others) = behind.split_at(len);
        values.push(text(value));
        rest = others;
    }
    values.join(", ")
}

/// The paths of the files of the parts.
fn paths(options: &SplitOptions, names: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let output = &options.output;
    let pattern = output.to_str().filter(|text| text.contains("{}"));
    let path = |name: &String| {
        if name.contains(['/', '\\', '\0']) || name == "." || name == ".." {
            return Err(usage(format!("--into: the part name {name:?} can't be used as a file name")));
        }
        Ok(match pattern {
            Some(pattern) => PathBuf::from(pattern.replace("{}", name)),
            None => Path::new(output).join(format!("{name}{}", ending(options))),
        })
    };
    names.iter().map(path).collect()
}

/// The extension of the names of files in a folder: that of the first input, or the default one of the format.
fn ending(options: &SplitOptions) -> String {
    let first = options.files.first().filter(|name| !is_stdin(name)).map(Path::new);
    let is_table = |format: Format| format == Format::Parquet;
    let named = first.and_then(|path| format_of(path.as_os_str()));
    let format = options.form.asked().or(named).or(options.form.implied());
    let written = options.table_as.or(format);
    let packed = first.and_then(Compression::of_path).filter(|_| !written.is_some_and(is_table));
    let packed = packed.map_or_else(String::new, |packed| format!(".{}", packed.ending()));
    let plain = || {
        let stem = first.map(|path| {
            if Compression::of_path(path).is_some() { path.with_extension("") } else { path.to_owned() }
        });
        let ending = stem.and_then(|stem| Some(stem.extension()?.to_str()?.to_owned()));
        format!(".{}", ending.unwrap_or_else(|| "txt".to_owned()))
    };
    let ending = written.and_then(Format::ending).map_or_else(plain, |ending| format!(".{ending}"));
    format!("{ending}{packed}")
}

/// Makes the folder of the parts, if the output is one.
fn make_folder(options: &SplitOptions) -> Result<(), Failure> {
    let output: &OsString = &options.output;
    if output.to_str().is_some_and(|text| text.contains("{}")) {
        return Ok(());
    }
    let fail = |error| work(format!("{}: {}", printable(output), reason(&error)));
    std::fs::create_dir_all(output).map_err(fail)
}
