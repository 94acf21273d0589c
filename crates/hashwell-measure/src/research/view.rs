//! The report as tables, charts and a page.

use super::{Avalanche, Interval, LIMITS, Report, Row};
use hashwell_document::chart::{Axis, Chart, Ink, Labels, Layer, Mark, Point, Scale, number};
use hashwell_document::format::Format;
use hashwell_document::page::{figure, lead, page};
use hashwell_document::table::{Align, Table, document};

const TITLE: &str = "SHA-256 over its number of rounds";

/// Writes the report in a format. The text ends with a newline.
///
/// # Panics
/// Never panics: all values of a report can be represented in JSON.
#[must_use]
pub fn render(report: &Report, format: Format) -> String {
    match format {
        Format::Json => serde_json::to_string(report).expect("numbers and words") + "\n",
        Format::Csv => report.figures().csv(),
        Format::Html => page(TITLE, |out| {
            out.open("header", &[]);
            out.element("h1", &[], TITLE);
            lead(out, &report.lines());
            out.close();
            report.speed_table().html(out);
            figure(out, &report.speed_chart());
            report.avalanche_table().html(out);
            figure(out, &report.avalanche_chart());
        }),
        _ => document(format, &report.lines(), &[report.speed_table(), report.avalanche_table()]),
    }
}

impl Report {
    fn lines(&self) -> Vec<String> {
        let first = format!(
            "{TITLE}, constants K256[t mod 64], rotations and initial value its own; {}; {} bytes a message; {} pairs of \
             blocks, seed {}",
            self.cpu, self.bytes, self.pairs, self.seed
        );
        let refusal = self.refusal.as_ref().map(|reason| format!("No code was made: {reason}"));
        [first].into_iter().chain(refusal).chain(LIMITS.map(str::to_owned)).collect()
    }

    fn speed_table(&self) -> Table {
        let columns = ["MB/s", "quartiles", "loop, MB/s", "code, ms", "pays after, MB"];
        let mut table = Table::new("Speed: median of the samples", "rounds", columns.map(str::to_owned));
        table = table.with_words("on");
        table.rows = self.rows.iter().map(speed_row).collect();
        table.notes.push("loop: the portable one, which reads rounds and rotations as it runs".into());
        if self.rows.iter().any(|row| row.compile_ms.is_some()) {
            table.notes.push(
                "code: made at run time, in so many milliseconds, which so many megabytes against the loop pay for".into(),
            );
        }
        table
    }

    fn avalanche_table(&self) -> Table {
        let columns = [
            "anywhere, %",
            "95 %",
            "biased bits",
            "worst bit, %",
            "last word, %",
            "biased bits",
            "worst bit, %",
        ];
        let title =
            "Avalanche: output bits that change with one bit of the block, anywhere or in its last word";
        let mut table = Table::new(title, "rounds", columns.map(str::to_owned));
        table.rows = self
            .rows
            .iter()
            .map(|row| {
                let [any, last] = [&row.anywhere, &row.last_word];
                let mut cells = vec![row.rounds.to_string(), percent(any.share.value), range(&any.share)];
                cells.extend([any.biased_bits.to_string(), worst(any), percent(last.share.value)]);
                cells.extend([last.biased_bits.to_string(), worst(last)]);
                cells
            })
            .collect();
        table.notes.push(
            "biased bits: output bits, of 256, whose share of changes leaves 50 % out of Wilson's interval (95 % for all of \
             them together)"
                .into(),
        );
        table
    }

    /// Combines both tables into one. Their columns have different names.
    fn figures(&self) -> Table {
        let names = [
            "anywhere, %",
            "anywhere, 95 %",
            "anywhere, biased bits",
            "anywhere, worst bit, %",
            "last word, %",
            "last word, biased bits",
            "last word, worst bit, %",
        ];
        let mut all = self.speed_table();
        all.head.extend(names.map(|name| (name.to_owned(), Align::Right)));
        for (row, more) in all.rows.iter_mut().zip(self.avalanche_table().rows) {
            row.extend(more.into_iter().skip(1));
        }
        all
    }

    /// A chart of speed over the number of rounds.
    #[must_use]
    pub fn speed_chart(&self) -> Chart {
        let line = |name: &str, hue, of: fn(&Row) -> &Interval| {
            let point = |row: &Row| {
                let y = 1e3 / of(row).value;
                Point { x: row.rounds as f64, y, tip: format!("{} rounds: {y:.0} MB/s", row.rounds) }
            };
            Layer::new(name, Ink::Hue(hue), Mark::Line(self.rows.iter().map(point).collect()))
        };
        let band = self.rows.iter().map(|row| {
            let Interval { low, high, .. } = row.ns_per_byte;
            (row.rounds as f64, 1e3 / high, 1e3 / low)
        });
        let implementation = self.rows.first().map_or("", |row| row.implementation.as_str());
        Chart {
            id: "rounds-speed".into(),
            title: format!("{TITLE}: speed, {}", self.cpu),
            description: "Megabytes a second against the number of rounds, with quartiles".into(),
            layers: vec![
                Layer::new("", Ink::Faint, Mark::Band(band.collect())),
                line(implementation, 0, |row| &row.ns_per_byte),
                line("loop", 1, |row| &row.loop_ns_per_byte),
            ],
            ..self.chart(Axis::new("MB/s", Scale::Linear, number))
        }
    }

    /// A chart of the number of biased output bits over the number of rounds.
    #[must_use]
    pub fn avalanche_chart(&self) -> Chart {
        let line = |name: &str, hue, of: fn(&Row) -> &Avalanche| {
            let point = |row: &Row| {
                let bits = of(row).biased_bits;
                let tip = format!("{} rounds: {bits} of 256", row.rounds);
                Point { x: row.rounds as f64, y: bits as f64, tip }
            };
            Layer::new(name, Ink::Hue(hue), Mark::Line(self.rows.iter().map(point).collect()))
        };
        Chart {
            id: "rounds-avalanche".into(),
            title: format!("{TITLE}: output bits that do not change half of the time"),
            description: "Biased bits, of 256, against the number of rounds, for a changed bit anywhere in the block and \
                          for one in its last word"
                .into(),
            layers: vec![
                line("a bit anywhere", 0, |row| &row.anywhere),
                line("a bit of the last word", 1, |row| &row.last_word),
            ],
            ..self.chart(Axis::new("biased bits of 256", Scale::Linear, number).over(0.0, 256.0))
        }
    }

    fn chart(&self, y: Axis) -> Chart {
        Chart {
            id: String::new(),
            title: String::new(),
            description: String::new(),
            width: 860.0,
            height: 420.0,
            x: Axis::new("rounds", Scale::Linear, number),
            y,
            layers: Vec::new(),
            labels: Labels::Legend,
        }
    }
}

fn speed_row(row: &Row) -> Vec<String> {
    let speed = |ns: f64| format!("{:.0}", 1e3 / ns);
    let Interval { value, low, high } = row.ns_per_byte;
    vec![
        row.rounds.to_string(),
        speed(value),
        format!("{}–{}", speed(high), speed(low)),
        speed(row.loop_ns_per_byte.value),
        row.compile_ms.map_or(String::new(), |ms| format!("{ms:.1}")),
        row.break_even_bytes.map_or(String::new(), |bytes| format!("{:.2}", bytes / 1e6)),
        row.implementation.clone(),
    ]
}

fn percent(part: f64) -> String {
    format!("{:.2}", 100.0 * part)
}

fn range(interval: &Interval) -> String {
    format!("{}–{}", percent(interval.low), percent(interval.high))
}

fn worst(avalanche: &Avalanche) -> String {
    format!("{} [{}]", percent(avalanche.worst.value), range(&avalanche.worst))
}
