//! The report as tables, charts and a page.

use super::{AttackReport, AttackRow, Avalanche, DegreeReport, DegreeRow, Interval, LIMITS, Report, Row};
use hashwell_document::chart::{Axis, Chart, Ink, Labels, Layer, Mark, Point, Scale, number};
use hashwell_document::format::Format;
use hashwell_document::page::{figure, lead, page};
use hashwell_document::table::{Align, Table, document};
use serde::Serialize;

/// A report that can be shown in all formats.
pub trait Shown: Serialize {
    /// The title of a page.
    const TITLE: &str;

    /// The parameters, without the CPU.
    fn parameters(&self) -> String;

    /// The name of the CPU.
    fn cpu(&self) -> &str;

    /// The tables, each with the chart that belongs to it.
    fn parts(&self) -> Vec<(Table, Chart)>;

    /// One table with all figures.
    fn figures(&self) -> Table {
        self.parts().swap_remove(0).0
    }

    /// A remark for the lines above the tables.
    fn remark(&self) -> Option<String> {
        None
    }
}

/// Writes the report in a format. The text ends with a newline.
///
/// # Panics
/// Never panics: all values of a report can be represented in JSON.
#[must_use]
pub fn render<R: Shown>(report: &R, format: Format) -> String {
    let first = format!("{}; {}; {}", R::TITLE, report.cpu(), report.parameters());
    let lines: Vec<String> =
        [first].into_iter().chain(report.remark()).chain(LIMITS.map(str::to_owned)).collect();
    match format {
        Format::Json => serde_json::to_string(report).expect("numbers and words") + "\n",
        Format::Csv => report.figures().csv(),
        Format::Html => page(R::TITLE, |out| {
            out.open("header", &[]);
            out.element("h1", &[], R::TITLE);
            lead(out, &lines);
            out.close();
            for (table, chart) in report.parts() {
                table.html(out);
                figure(out, &chart);
            }
        }),
        _ => {
            document(format, &lines, &report.parts().into_iter().map(|(table, _)| table).collect::<Vec<_>>())
        }
    }
}

impl Shown for Report {
    const TITLE: &str = "SHA-256 with different numbers of rounds: speed and avalanche";

    fn parameters(&self) -> String {
        format!("messages of {} bytes; {} pairs of blocks, seed {}", self.bytes, self.pairs, self.seed)
    }

    fn cpu(&self) -> &str {
        &self.cpu
    }

    fn parts(&self) -> Vec<(Table, Chart)> {
        vec![(self.speed_table(), self.speed_chart()), (self.avalanche_table(), self.avalanche_chart())]
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

    fn remark(&self) -> Option<String> {
        self.refusal.as_ref().map(|reason| format!("No code was compiled: {reason}"))
    }
}

impl Report {
    fn speed_table(&self) -> Table {
        let columns = ["MB/s", "quartiles", "loop, MB/s", "code, ms", "pays off after, MB"];
        let mut table = Table::new("Speed: median of the samples", "rounds", columns.map(str::to_owned));
        table = table.with_words("on");
        table.rows = self.rows.iter().map(speed_row).collect();
        table.notes.push("loop: the portable implementation, which reads the number of rounds and the rotations while it runs".into());
        if self.rows.iter().any(|row| row.compile_ms.is_some()) {
            table.notes.push(
                "code: the time to compile the function at run time; pays off after: the amount of data above which \
                 compiling is faster than the loop"
                    .into(),
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
        let title = "Avalanche: output bits that change if one bit of the block is flipped, anywhere or in its last word";
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
            "biased bits: the number of the 256 output bits for which the Wilson interval of the rate of change does \
             not contain 50 % (95 % for all bits together)"
                .into(),
        );
        table
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
            title: format!("Speed of SHA-256 with different numbers of rounds, {}", self.cpu),
            description: "Megabytes per second against the number of rounds, with quartiles".into(),
            layers: vec![
                Layer::new("", Ink::Faint, Mark::Band(band.collect())),
                line(implementation, 0, |row| &row.ns_per_byte),
                line("loop", 1, |row| &row.loop_ns_per_byte),
            ],
            ..over_rounds(Axis::new("MB/s", Scale::Linear, number))
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
            title: "Output bits that do not change half of the time".into(),
            description:
                "The number of biased output bits (of 256) for each number of rounds, if the changed bit is \
                          anywhere in the block and if it is in the last word"
                    .into(),
            layers: vec![
                line("a bit anywhere", 0, |row| &row.anywhere),
                line("a bit of the last word", 1, |row| &row.last_word),
            ],
            ..over_rounds(Axis::new("biased bits of 256", Scale::Linear, number).over(0.0, 256.0))
        }
    }
}

impl Shown for AttackReport {
    const TITLE: &str = "SHA-256 with different numbers of rounds: generic attacks on some output bits";

    fn parameters(&self) -> String {
        format!(
            "the first {} bits of the output; {} experiments, seed {}",
            self.bits, self.experiments, self.seed
        )
    }

    fn cpu(&self) -> &str {
        &self.cpu
    }

    fn parts(&self) -> Vec<(Table, Chart)> {
        let columns = ["collision, bits", "95 %", "preimage, bits", "95 %", "images of a counter, %", "95 %"];
        let mut table =
            Table::new("Collisions, preimages and images of a counter", "rounds", columns.map(str::to_owned));
        let bits = |measured: &Interval| {
            let [value, low, high] = [measured.value, measured.low, measured.high].map(|x| x.max(1.0).log2());
            [format!("{value:.2}"), format!("{low:.2}–{high:.2}")]
        };
        let cells = |row: &AttackRow| {
            let mut cells = vec![row.rounds.to_string()];
            cells.extend(bits(&row.collision));
            cells.extend(bits(&row.preimage));
            cells.extend([percent(row.images.value), range(&row.images)]);
            cells
        };
        table.rows = self.rows.iter().map(cells).collect();
        let expected = &self.expected;
        table.notes = vec![
            format!(
                "a random function: collision {:.2} bits, preimage {:.2} bits, images {} %",
                expected.collision.log2(),
                expected.preimage.log2(),
                percent(expected.images)
            ),
            "collision, preimage: the logarithm to base 2 of the mean number of random blocks that were hashed".into(),
            "images: the fraction of all possible outputs that occur when the last message word used by the rounds \
             takes each value of a counter once"
                .into(),
        ];
        let line = |name: &str, hue, of: fn(&AttackRow) -> f64, ideal: f64| {
            let point = |row: &AttackRow| {
                let y = of(row) / ideal;
                Point { x: row.rounds as f64, y, tip: format!("{} rounds: {y:.3}", row.rounds) }
            };
            Layer::new(name, Ink::Hue(hue), Mark::Line(self.rows.iter().map(point).collect()))
        };
        let chart = Chart {
            id: "rounds-attacks".into(),
            title: format!("Generic attacks on {} bits, relative to a random function", self.bits),
            description:
                "Number of inputs until a collision and until a preimage, and of images of a counter, each divided by \
                          its expectation for a random function, against the number of rounds"
                    .into(),
            layers: vec![
                line("collision", 0, |row| row.collision.value, expected.collision),
                line("preimage", 1, |row| row.preimage.value, expected.preimage),
                line("images of a counter", 2, |row| row.images.value, expected.images),
            ],
            ..over_rounds(Axis::new("measured / expected", Scale::Linear, number))
        };
        vec![(table, chart)]
    }
}

impl Shown for DegreeReport {
    const TITLE: &str = "SHA-256 with different numbers of rounds: algebraic degree";

    fn parameters(&self) -> String {
        let sets = if self.cubes == 1 { "set" } else { "sets" };
        format!("{} {sets} of input bits, degrees up to {}, seed {}", self.cubes, self.highest, self.seed)
    }

    fn cpu(&self) -> &str {
        &self.cpu
    }

    fn parts(&self) -> Vec<(Table, Chart)> {
        let shown = |degree: &u32| degree.is_power_of_two() || *degree == self.highest;
        let shown: Vec<u32> = (1..=self.highest).filter(shown).collect();
        let columns = ["one bit", "half of the bits", "all bits"].map(str::to_owned);
        let counts = shown.iter().map(|degree| format!("degree ≥ {degree}"));
        let mut table =
            Table::new("Lower bounds on the algebraic degree", "rounds", columns.into_iter().chain(counts));
        let cells = |row: &DegreeRow| {
            let degrees = [1, 128, 256].map(|bits| row.degree_of(bits).to_string());
            let counts = shown.iter().map(|degree| row.bits[*degree as usize - 1].to_string());
            [row.rounds.to_string()].into_iter().chain(degrees).chain(counts).collect()
        };
        table.rows = self.rows.iter().map(cells).collect();
        table.notes = vec![
            "one bit, half of the bits, all bits: the highest degree that was proved for at least 1, 128 or all 256 \
             output bits. Each output bit is a polynomial in the bits of the last message word that the rounds use."
                .into(),
            format!(
                "degree ≥ d: the number of output bits with at least degree d; degrees above {} were not tested",
                self.highest
            ),
        ];
        let line = |name: &str, hue, bits: u32| {
            let point = |row: &DegreeRow| {
                let degree = row.degree_of(bits);
                let tip = format!("{} rounds: degree at least {degree}", row.rounds);
                Point { x: row.rounds as f64, y: degree as f64, tip }
            };
            Layer::new(name, Ink::Hue(hue), Mark::Line(self.rows.iter().map(point).collect()))
        };
        let chart = Chart {
            id: "rounds-degree".into(),
            title: "Lower bounds on the algebraic degree".into(),
            description: "The highest degree that was proved for one output bit, for half of the bits and for all bits, \
                          against the number of rounds"
                .into(),
            layers: vec![line("one bit", 0, 1), line("half of the bits", 1, 128), line("all bits", 2, 256)],
            ..over_rounds(Axis::new("degree", Scale::Linear, number).over(0.0, f64::from(self.highest)))
        };
        vec![(table, chart)]
    }
}

/// An empty chart over the number of rounds.
fn over_rounds(y: Axis) -> Chart {
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
