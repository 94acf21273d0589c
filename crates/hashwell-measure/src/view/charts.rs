//! The charts of a report.

use super::figures::{
    GIB, Scaling, Trust, Unit, bytes_per_second, call_name, cell, common_size, distinct, gib_per_second,
    is_ceiling, is_noisy, is_ours, is_oversubscribed, kernel_name, kernel_rows, long_size, name, provider,
    quartiles, rows, time_ratio, titled, written_ratio,
};
use super::published::{PublishedRow, counterparts, in_order, titled as published_title};
use crate::report::{Bin, CallRow, Cell, Group, Operation, Report, Row, Standing};
use crate::timing::statistics::estimate;
use hashwell_document::chart::{
    Axis, Bar, BarGroup, Bars, Chart, Dash, HUES, Ink, Labels, Layer, Mark, Point, Scale,
};
use hashwell_document::chart::{bytes, bytes_per_second as written_speed, number, percent};

/// Speed over message size, with one line for each algorithm of hashwell. Algorithms with the same speed share a line.
/// If hashwell was not measured, all rows are shown. The line of a checksum is dotted. `None` if there are
/// no rows.
#[must_use]
pub(crate) fn overview(report: &Report) -> Option<Chart> {
    let all = rows(report, Group::Single, Operation::Digest);
    let ours = |row: &&Row| is_ours(row) || is_ceiling(row);
    let any_ours = all.iter().any(|row| is_ours(row));
    let chosen: Vec<&Row> = all.into_iter().filter(|row| !any_ours || ours(row)).collect();
    let mut clusters = clusters(&chosen);
    let end = |rows: &[&Row]| rows[0].cells.last().map_or(0.0, median_speed);
    clusters.sort_by(|a, b| end(b).total_cmp(&end(a)));
    let mut layers = Vec::new();
    let mut hue = 0;
    for cluster in &clusters {
        let (ink, dash) = match is_ceiling(cluster[0]) {
            true => (Ink::Faint, Dash::Dotted),
            false => (Ink::Hue(hue), [Dash::Solid, Dash::Dashed, Dash::Dotted][(hue / HUES).min(2)]),
        };
        hue += usize::from(ink != Ink::Faint);
        layers.push(band(cluster[0], ink));
        layers.push(Layer::new(cluster_name(cluster), ink, Mark::Line(points(cluster[0]))).dashed(dash));
    }
    let who = if any_ours { "hashwell" } else { "all providers" };
    (!layers.is_empty()).then(|| Chart {
        id: "overview".into(),
        title: format!("Speed by message size, one thread, {who}"),
        description:
            "One line for each group of algorithms that are equally fast; the band contains the middle half \
            of the samples. The same figures are in the tables below."
                .into(),
        height: (520.0_f64).max(110.0 + 15.0 * clusters.len() as f64),
        layers,
        ..speed_chart()
    })
}

/// A chart of speed without any layers.
fn speed_chart() -> Chart {
    Chart {
        id: String::new(),
        title: String::new(),
        description: String::new(),
        width: 960.0,
        height: 420.0,
        x: Axis::new("length of a message", Scale::Log2, bytes),
        y: Axis::new("GiB/s", Scale::Log10, number),
        layers: Vec::new(),
        labels: Labels::Ends,
    }
}

fn median_speed(cell: &Cell) -> f64 {
    bytes_per_second(cell.bytes, quartiles(cell).median)
}

/// The cells through which curves are drawn. Cells below 64 bytes show the cost of a call, which is in the table of
/// latency, and would take a third of the chart. They are only used if there are fewer than two larger ones.
fn curve(row: &Row) -> Vec<&Cell> {
    let from = |bytes: u64| row.cells.iter().filter(move |cell| cell.bytes >= bytes);
    if from(64).count() >= 2 { from(64).collect() } else { from(1).collect() }
}

fn points(row: &Row) -> Vec<Point> {
    let point = |cell: &Cell| {
        let speed = median_speed(cell);
        let noisy = if is_noisy(cell) { ", disturbed" } else { "" };
        let tip = format!("{}, {}: {}{noisy}", name(row), bytes(cell.bytes as f64), written_speed(speed));
        Point { x: cell.bytes as f64, y: speed / GIB, tip }
    };
    curve(row).into_iter().map(point).collect()
}

fn band(row: &Row, ink: Ink) -> Layer {
    let part = |cell: &Cell| {
        let quartiles = quartiles(cell);
        let speed = |time| bytes_per_second(cell.bytes, time) / GIB;
        (cell.bytes as f64, speed(quartiles.upper_quartile), speed(quartiles.lower_quartile))
    };
    Layer::new("", ink, Mark::Band(curve(row).into_iter().map(part).collect()))
}

/// Groups rows of the same provider whose medians differ by less than 5 % at every size. Each group is drawn as one
/// line.
fn clusters<'a>(rows: &[&'a Row]) -> Vec<Vec<&'a Row>> {
    /// The size and the logarithm of the median time of each cell.
    type Times = Vec<(u64, f64)>;
    let mut clusters: Vec<(Times, Vec<&Row>)> = Vec::new();
    for row in rows {
        let times: Times = row.cells.iter().map(|c| (c.bytes, quartiles(c).median.ln())).collect();
        let near = |(a, b): (&(u64, f64), &(u64, f64))| a.0 == b.0 && (a.1 - b.1).abs() < 0.05;
        let alike = |(others, cluster): &&mut (Times, Vec<&Row>)| {
            cluster[0].provider == row.provider
                && others.len() == times.len()
                && others.iter().zip(&times).all(near)
        };
        match clusters.iter_mut().find(alike) {
            Some((_, cluster)) => cluster.push(row),
            None => clusters.push((times, vec![row])),
        }
    }
    clusters.into_iter().map(|(_, cluster)| cluster).collect()
}

/// At most two titles, and the number of the others.
fn cluster_name(cluster: &[&Row]) -> String {
    let mut sorted = cluster.to_vec();
    sorted.sort_by_key(|row| Standing::of(&row.algorithm));
    let titles: Vec<String> = sorted.into_iter().map(titled).collect();
    let titles = distinct(titles.iter().map(String::as_str));
    let shown = titles.iter().take(2).copied().collect::<Vec<_>>().join("; ");
    match titles.len() {
        0..=2 => shown,
        more => format!("{shown} +{}", more - 2),
    }
}

/// One chart for each algorithm that several providers have: hashwell's line with its band, and the lines of the
/// others. All charts have the same axis of sizes.
#[must_use]
pub(crate) fn panels(report: &Report) -> Vec<Chart> {
    let mut rows = rows(report, Group::Single, Operation::Digest);
    rows.retain(|row| !is_ceiling(row));
    let sizes = || rows.iter().flat_map(|row| curve(row)).map(|cell| cell.bytes as f64);
    let (low, high) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    let label_room = 100.0;
    let mut algorithms = distinct(rows.iter().map(|row| row.algorithm.as_str()));
    algorithms.sort_by_key(|algorithm| Standing::of(algorithm));
    let panel = |(nth, algorithm): (usize, &str)| {
        let mut lines: Vec<&Row> = rows.iter().copied().filter(|row| row.algorithm == algorithm).collect();
        if lines.len() < 2 {
            return None;
        }
        // Draw hashwell in front of the others.
        lines.sort_by_key(|row| is_ours(row));
        let layers = lines.iter().flat_map(|row| {
            let ink = provider_ink(report, row);
            let dash = if is_ours(row) { Dash::Solid } else { Dash::Dashed };
            let line = Layer::new(provider(row), ink, Mark::Line(points(row))).dashed(dash);
            [is_ours(row).then(|| band(row, ink)), Some(line)]
        });
        Some(Chart {
            id: format!("panel-{nth}"),
            title: titled(lines[0]),
            description: format!("Speed of {} by message size, by provider.", titled(lines[0])),
            width: 400.0,
            height: 230.0,
            layers: layers.flatten().collect(),
            x: Axis::new("", Scale::Log2, bytes).over(low * 0.9, high * 1.1),
            y: Axis::new("GiB/s", Scale::Log10, number),
            labels: Labels::EndsWithin(label_room),
        })
    };
    algorithms.into_iter().enumerate().filter_map(panel).collect()
}

/// hashwell has the first color. The colors of the others depend on their order in the report.
fn provider_ink(report: &Report, row: &Row) -> Ink {
    let others = report.providers.iter().map(|p| p.name.as_str()).filter(|name| *name != "hashwell");
    let names =
        distinct(others.chain(report.rows.iter().map(|r| r.provider.as_str()).filter(|n| *n != "hashwell")));
    match names.iter().position(|name| *name == row.provider) {
        Some(position) => Ink::Hue(1 + position % (HUES - 1)),
        None => Ink::Hue(0),
    }
}

/// The speed of all providers at the size nearest to 1 KiB, by algorithm, with 95 % intervals.
#[must_use]
pub(crate) fn providers(report: &Report) -> Option<Bars> {
    let mut rows = rows(report, Group::Single, Operation::Digest);
    rows.retain(|row| !is_ceiling(row));
    let size = common_size(&rows, 1024)?;
    let trust = Trust::of(report);
    let bar = |(row, cell): (&Row, &Cell)| {
        let time = estimate(&cell.samples);
        let speed = |time| bytes_per_second(size, time);
        let noisy = if trust.marks() && is_noisy(cell) { "~" } else { "" };
        let (low, high) = (speed(time.high), speed(time.low));
        Bar {
            label: provider(row),
            ink: provider_ink(report, row),
            value: speed(time.value) / GIB,
            interval: Some((low / GIB, high / GIB)),
            down_from: None,
            text: format!("{noisy}{}", gib_per_second(speed(time.value))),
            tip: format!(
                "{}: {} [{}, {}]{}",
                name(row),
                written_speed(speed(time.value)),
                written_speed(low),
                written_speed(high),
                row.kernel.as_ref().map_or_else(String::new, |kernel| format!(", kernel {kernel}")),
            ),
        }
    };
    let mut groups: Vec<(Standing, BarGroup)> = distinct(rows.iter().map(|row| row.algorithm.as_str()))
        .into_iter()
        .filter_map(|algorithm| {
            let of = rows.iter().copied().filter(|row| row.algorithm == algorithm);
            let mut bars: Vec<Bar> =
                of.clone().filter_map(|row| Some((row, cell(row, size)?))).map(bar).collect();
            bars.sort_by(|a, b| b.value.total_cmp(&a.value));
            let name = of.map(titled).next()?;
            (!bars.is_empty()).then(|| (Standing::of(algorithm), BarGroup { name, bars }))
        })
        .collect();
    groups.sort_by(|(a, of_a), (b, of_b)| a.cmp(b).then(of_b.bars[0].value.total_cmp(&of_a.bars[0].value)));
    let groups: Vec<BarGroup> = groups.into_iter().map(|(_, group)| group).collect();
    let words = bytes(size as f64);
    (!groups.is_empty()).then(|| Bars {
        id: "providers".into(),
        title: format!("Speed at {words}, one thread, by algorithm and provider"),
        description: format!(
            "Longer is faster. Medians at {words} with 95 % intervals; the same figures are in the tables."
        ),
        width: 960.0,
        label: format!("GiB/s at {words}; whiskers: 95 % interval"),
        format: number,
        groups,
        legend: Vec::new(),
    })
}

/// The time that each kernel saves compared with the next slower one, by algorithm, at the largest size.
#[must_use]
pub(crate) fn waterfall(report: &Report) -> Option<Bars> {
    let rows = kernel_rows(report);
    let size = long_size(&rows).or_else(|| common_size(&rows, 16384))?;
    let algorithms = distinct(rows.iter().map(|row| row.algorithm.as_str()));
    let group = |algorithm: &str| {
        let of = rows.iter().copied().filter(|row| row.algorithm == algorithm);
        let mut kernels: Vec<(&Row, &Cell, f64)> = of
            .filter_map(|row| {
                let cell = cell(row, size)?;
                Some((row, cell, Unit::CyclesPerByte.cost(report, cell)?))
            })
            .collect();
        kernels.sort_by(|a, b| b.2.total_cmp(&a.2));
        let slower = std::iter::once(None).chain(kernels.iter().map(Some));
        let bars = kernels.iter().zip(slower).map(|((row, cell, cost), slower)| {
            let ratio = slower.map(|(_, slower, _)| time_ratio(slower, cell));
            let gain = ratio.map_or_else(String::new, |r| match r.excludes(1.0) {
                true => format!(" (÷ {:.2})", r.value),
                false => " (tied)".into(),
            });
            let interval = ratio.map_or_else(String::new, |r| {
                format!("; the next slower kernel takes {} times as long", written_ratio(r))
            });
            Bar {
                label: kernel_name(row),
                ink: Ink::Hue(0),
                value: *cost,
                interval: None,
                down_from: slower.map(|(_, _, cost)| *cost),
                text: format!("{cost:.2}{gain}"),
                tip: format!("{} on {}: {cost:.2} cycles per byte{interval}", titled(row), kernel_name(row)),
            }
        });
        let name = kernels.first().map(|(row, ..)| titled(row))?;
        Some(BarGroup { name, bars: bars.collect() })
    };
    let groups: Vec<BarGroup> = algorithms.into_iter().filter_map(group).collect();
    let words = bytes(size as f64);
    (!groups.is_empty()).then(|| Bars {
        id: "kernels".into(),
        title: format!("Kernels, {words} messages: time saved by each kernel"),
        description: "Shorter is faster. The pale part of a bar is the time saved compared with the next slower kernel."
            .into(),
        width: 960.0,
        label: "core cycles per byte; pale: saved compared with the kernel above".into(),
        format: number,
        groups,
        legend: Vec::new(),
    })
}

/// Speed over the number of threads: one chart for one large message, and one for many messages. Empty if there is only
/// one number of threads.
#[must_use]
pub(crate) fn scaling(report: &Report) -> Vec<Chart> {
    let works = [
        (Operation::Digest, "scaling-one", "one large message"),
        (Operation::Many, "scaling-many", "many messages"),
    ];
    works.into_iter().filter_map(|(operation, id, what)| scaled(report, operation, id, what)).collect()
}

fn scaled(report: &Report, operation: Operation, id: &str, what: &str) -> Option<Chart> {
    let mut all = Scaling::all(report, operation);
    all.retain(|scaling| scaling.steps.len() > 1);
    let work = all.first()?.work();
    let mut layers = Vec::new();
    for (nth, scaling) in all.iter().enumerate() {
        let ink = Ink::Hue(nth % HUES);
        let (first, one) = scaling.steps[0];
        let linear = scaling.steps.iter().map(|(row, _)| Point {
            x: row.threads as f64,
            y: median_speed(one) / GIB * row.threads as f64,
            tip: String::new(),
        });
        let points = scaling.steps.iter().map(|(row, cell)| {
            let speed = written_speed(median_speed(cell));
            let threads =
                if row.threads == 1 { "1 thread".into() } else { format!("{} threads", row.threads) };
            let efficiency = percent(scaling.speed_up(cell).value / row.threads as f64);
            let cores = if is_oversubscribed(report, row) { ", more threads than cores" } else { "" };
            let noisy = if is_noisy(cell) { ", disturbed" } else { "" };
            let tip = format!("{}, {threads}: {speed}, efficiency {efficiency}{cores}{noisy}", name(row));
            Point { x: row.threads as f64, y: median_speed(cell) / GIB, tip }
        });
        layers.push(Layer::new("", Ink::Faint, Mark::Line(linear.collect())).dashed(Dash::Dotted));
        layers.push(
            Layer::new(titled(first), ink, Mark::Line(points.collect()))
                .dashed([Dash::Solid, Dash::Dashed, Dash::Dotted][(nth / HUES).min(2)]),
        );
    }
    Some(Chart {
        id: id.into(),
        title: format!("Throughput by number of threads: {what} ({work})"),
        description: format!(
            "One line for each algorithm; the dotted lines show perfect scaling. This machine has {} cores. The same \
             figures are in the tables.",
            report.machine.cores
        ),
        height: (420.0_f64).max(110.0 + 15.0 * all.len() as f64),
        x: Axis::new("threads", Scale::Log2, number),
        layers,
        ..speed_chart()
    })
}

/// Histograms of hashwell's single calls for 1 KiB, one for each algorithm, without the calls above the 99th
/// percentile.
#[must_use]
pub(crate) fn calls(report: &Report) -> Vec<Chart> {
    const BYTES: u64 = 1024;
    let all = report.calls.iter().flat_map(|calls| &calls.rows);
    let mut rows: Vec<&CallRow> =
        all.filter(|row| row.provider == "hashwell" && row.bytes == BYTES).collect();
    rows.sort_by_key(|row| Standing::of(&row.algorithm));
    let chart = |(nth, row): (usize, &CallRow)| {
        let shown = row.bins.iter().filter(|bin| bin.to <= row.p99);
        let column = |bin: &Bin| {
            // A bin of calls with the same number of cycles must have a width, too.
            let to = bin.to.max(bin.from + 1.0);
            let [from, end] = [bin.from, to].map(|cycles| number(cycles.round()));
            let tip = format!("{} calls of {from} to {end} cycles", number(bin.calls as f64));
            ((bin.from, to, bin.calls as f64), tip)
        };
        let [p50, p99, maximum] = [row.p50, row.p99, row.maximum].map(|cycles| number(cycles.round()));
        Chart {
            id: format!("calls-{nth}"),
            title: call_name(row),
            description: format!(
                "Histogram of {} calls of {}: p50 {p50}, p99 {p99}, maximum {maximum} core cycles.",
                number(row.calls as f64),
                bytes(BYTES as f64),
            ),
            width: 400.0,
            height: 230.0,
            x: Axis::new("core cycles", Scale::Linear, number),
            y: Axis::new("calls", Scale::Linear, number),
            layers: vec![Layer::new("", Ink::Hue(0), Mark::Columns(shown.map(column).collect()))],
            labels: Labels::Legend,
        }
    };
    rows.into_iter().enumerate().map(chart).collect()
}

/// Compares the laptop of the email to the git mailing list in 2018 with this machine. Each published row is shown at
/// the size by which the email sorts its rows, followed by the rows of the same library and of hashwell on this
/// machine.
#[must_use]
pub(crate) fn published(report: &Report) -> Bars {
    let published = super::published::published();
    let table = &published.tables[0];
    const COLUMN: usize = 1;
    let size = table.sizes[COLUMN].unwrap_or_default();
    let bar = |label: &str, ink, value: f64, interval: Option<(f64, f64)>| Bar {
        label: label.into(),
        ink,
        value: value / GIB,
        interval: interval.map(|(low, high)| (low / GIB, high / GIB)),
        down_from: None,
        text: gib_per_second(value),
        tip: format!("{label}: {}", written_speed(value)),
    };
    let group = |row: &PublishedRow| {
        let then = bar("2018", Ink::Faint, row.figures[COLUMN] * 1024.0, None);
        let now = counterparts(report, row).into_iter().filter_map(|here| {
            let time = estimate(&cell(here, size)?.samples);
            let speed = |time| bytes_per_second(size, time);
            let interval = (speed(time.high), speed(time.low));
            Some(bar(&provider(here), provider_ink(report, here), speed(time.value), Some(interval)))
        });
        BarGroup { name: published_title(row), bars: std::iter::once(then).chain(now).collect() }
    };
    let words = bytes(size as f64);
    Bars {
        id: "published".into(),
        title: format!("Speed at {words} in 2018 ({}) and on this machine", table.machine),
        description: "Longer is faster. The same figures are in the tables.".into(),
        width: 960.0,
        label: format!("GiB/s at {words}; whiskers: 95 % interval, where known"),
        format: number,
        groups: in_order(table).into_iter().map(group).collect(),
        legend: Vec::new(),
    }
}
