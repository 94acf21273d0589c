//! Refuses each allocation of tables, charts and pages once. The process must then end, as with Rust's own collections,
//! because all output is text. The result must never be a different text.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes

#[path = "../../hashwell/tests/common/refusing.rs"]
mod refusing;

#[path = "../../hashwell/tests/common/every_function.rs"]
mod every_function;

use hashwell_document::chart::{
    self, Anchor, Axis, Bar, BarGroup, Bars, Chart, Dash, Drawing, Fill, Ink, Labels, Layer, Letters, Mark,
    Picture, Point, Scale,
};
use hashwell_document::differences::{Changed, Differences, Facts, Single};
use hashwell_document::format::Format;
use hashwell_document::markup::{self, Markup};
use hashwell_document::{page, table};
use refusing::{Call, number, number_of};

fn table() -> table::Table {
    let mut table = table::Table::new("Cycles a byte", "function", ["long".into(), "short".into()]);
    table.rows.push(vec!["one".into(), "1.25".into(), "9|5".into(), "a word".into()]);
    table.notes.push("a note".into());
    table.with_words("more")
}

fn chart() -> Chart {
    let points = [(1.0, 2.0), (10.0, 3.0), (100.0, 1.5)];
    let points = points.map(|(x, y)| Point { x, y, tip: "here".into() }).to_vec();
    Chart {
        id: "chart".into(),
        title: "A title".into(),
        description: "What there is to see".into(),
        width: 600.0,
        height: 300.0,
        x: Axis::new("bytes", Scale::Log10, chart::bytes),
        y: Axis::new("bytes a second", Scale::Linear, chart::bytes_per_second).over(0.0, 4.0),
        layers: vec![Layer::new("a line", Ink::Hue(0), Mark::Line(points)).dashed(Dash::Solid)],
        labels: Labels::Ends,
    }
}

fn bars() -> Bars {
    let bar = |value: f64| Bar {
        label: "one".into(),
        ink: Ink::Hue(1),
        value,
        interval: Some((value - 0.5, value + 0.5)),
        down_from: None,
        text: chart::number(value),
        tip: "here".into(),
    };
    Bars {
        id: "bars".into(),
        title: "A title".into(),
        description: "What there is to see".into(),
        width: 600.0,
        label: "seconds".into(),
        format: chart::seconds,
        groups: vec![BarGroup { name: "a group".into(), bars: vec![bar(1.0), bar(2.0)] }],
        legend: vec![("a hue".into(), Ink::Hue(1))],
    }
}

/// Queries about a text do not allocate.
const QUIET: &[(&str, Call)] = &[("what a text is like", || {
    let obeyed = "a\u{1b}\u{202e}".chars().map(|c| u64::from(markup::is_obeyed(c)));
    let seconds = chart::seconds_unit(0.02);
    let widths = [Drawing::text_width("some words"), seconds.0].map(f64::to_bits);
    Ok(number_of(obeyed.chain(widths)) ^ number(seconds.1.bytes()))
})];

const CALLS: &[(&str, Call)] = &[
    ("a table", || {
        let table = table();
        let texts = [table.text(), table.markdown(), table.asciidoc(), table.csv()];
        let mut out = Markup::default();
        table.html(&mut out);
        Ok(number_of(texts.map(|text| number(text.bytes()))) ^ number(out.finish().bytes()))
    }),
    ("a document", || {
        let formats = [Format::Text, Format::Markdown, Format::Asciidoc];
        let texts = formats.map(|format| table::document(format, &["a_line".into()], &[table()]));
        let escaped = formats.map(|format| table::escaped(format, "a*b|c\u{1b}"));
        let plain = [table::plain("a\nb"), markup::escape("<a & b>")];
        let all = texts.into_iter().chain(escaped).chain(plain);
        Ok(number_of(all.map(|text| number(text.bytes()))))
    }),
    ("markup", || {
        let mut out = Markup::default();
        out.open("p", &[("class", &"<a>"), ("id", &7)]);
        out.empty("br", &[]);
        out.element("b", &[], "a text");
        out.text("more & more");
        out.line();
        out.raw("<i/>");
        out.close();
        Ok(number(out.finish().bytes()))
    }),
    ("pictures for narrow windows", || {
        let pictures = [chart().narrow().markup(), bars().narrow().markup(), chart::style()];
        Ok(number_of(pictures.map(|text| number(text.bytes()))))
    }),
    ("a chart", || Ok(number(chart().svg().bytes()))),
    ("bars", || Ok(number(bars().svg().bytes()))),
    ("a drawing", || {
        let mut drawing = Drawing::new("A title", "What there is to see", 300.0);
        let top = drawing.top();
        drawing.text((10.0, top), Anchor::Start, Letters::Bold, "bold");
        drawing.circle((50.0, top), 5.0, Ink::Hue(0), Fill::Full, "here");
        drawing.rectangle((10.0, top), (20.0, 10.0), Ink::Hue(1), Fill::Dashed, "there");
        drawing.branch((0.0, top), (9.0, top + 9.0), Ink::Hue(2));
        drawing.end_line();
        let lines = Drawing::wrapped("some words in lines", 60.0).concat();
        Ok(number(drawing.svg(100.0).bytes()) ^ number(lines.bytes()))
    }),
    ("a page", || {
        let lines = ["a verdict".into(), "a line".into()];
        let whole = page::page("A title", |out| {
            page::lead(out, &lines);
            page::section(out, "A heading", "id", |out| {
                page::figure(out, &chart());
                page::figure(out, &bars());
                out.text("text");
            });
        });
        Ok(number(whole.bytes()) ^ number(page::of_tables("A title", &lines, &[table()]).bytes()))
    }),
    ("differences", || {
        let mut found = Differences::new(Facts { changed: 1, singles: [1, 0], most: 9, ..Facts::default() });
        let cells = vec![["a".into(), "old".into(), "new".into()]];
        found.push_changed(Changed { key: vec!["k".into()], cells, ..Changed::default() });
        found.push_single(0, Single { values: vec!["v".into()], place: "f:1".into() });
        let line = page::command_line(&["a".into(), "b c".into()]);
        Ok(number(found.html().bytes()) ^ number(line.bytes()))
    }),
    ("numbers in words", || {
        let rates = [chart::bytes(2e6), chart::bytes_per_second(3e9), chart::seconds(0.02)];
        let all = rates.into_iter().chain([chart::percent(0.25), chart::number(0.1)]);
        Ok(number_of(all.map(|text| number(text.bytes()))) ^ number(chart::seconds_unit(0.02).1.bytes()))
    }),
];

#[test]
fn child() {
    refusing::child(&[QUIET, CALLS]);
}

#[test]
fn some_calls_ask_for_no_memory() {
    refusing::ask_for_none(QUIET);
}

#[test]
fn each_allocation_is_refused_once() {
    for (name, outcomes) in refusing::refuse_each(CALLS) {
        assert!(outcomes.ends > 0, "{name} asks for no memory any more: {outcomes:?}");
        assert_eq!((outcomes.errors, outcomes.answers), (0, 0), "{name}: {outcomes:?}");
    }
}

const LOOKED_AT: &[(&str, &str)] = &[
    ("what a text is like", "markup: is_obeyed, chart: seconds_unit, Drawing: text_width"),
    ("a table", "Table: new with_words text markdown asciidoc csv html, Markup: finish"),
    ("a document", "table: document escaped plain, markup: escape"),
    ("markup", "Markup: open close empty element text line raw finish"),
    (
        "pictures for narrow windows",
        "Picture: narrow markup, Chart: narrow markup, Bars: narrow markup, chart: style",
    ),
    ("a chart", "Axis: new over, Layer: new dashed, Chart: svg"),
    ("bars", "Bars: svg"),
    ("a drawing", "Drawing: new top text circle rectangle branch end_line wrapped svg"),
    ("a page", "page: page lead section figure of_tables"),
    ("differences", "Differences: new push_changed push_single html, page: command_line"),
    ("numbers in words", "chart: bytes bytes_per_second seconds percent number"),
];

/// Every public function has a case.
#[test]
fn every_public_function_has_a_case() {
    every_function::each_has_a_case(
        include_str!("../api.txt"),
        include_str!("allocations.rs"),
        &[QUIET, CALLS],
        LOOKED_AT,
    );
}
