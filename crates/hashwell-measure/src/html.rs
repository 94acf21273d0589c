//! Pages that need nothing but themselves: style and pictures inside, no script, nothing loaded.

use crate::chart::{self, Picture};
use crate::figures;
use crate::markup::Markup;
use crate::report::Report;
use crate::table::Table;
use crate::tables::{self, Options};

const STYLE: &str = include_str!("page.css");

/// A whole page around what `body` writes into `<main>`.
#[must_use]
pub fn page(title: &str, body: impl FnOnce(&mut Markup)) -> String {
    let mut out = Markup::default();
    out.raw("<!DOCTYPE html>\n");
    out.open("html", &[("lang", &"en")]);
    out.open("head", &[]);
    out.empty("meta", &[("charset", &"utf-8")]);
    out.empty("meta", &[("name", &"viewport"), ("content", &"width=device-width, initial-scale=1")]);
    out.empty("meta", &[("name", &"color-scheme"), ("content", &"light dark")]);
    // Whatever a name in a report says, nothing is fetched or run.
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    out.empty("meta", &[("http-equiv", &"Content-Security-Policy"), ("content", &policy)]);
    out.element("title", &[], title);
    out.open("style", &[]);
    out.raw(STYLE);
    out.raw(&chart::style());
    out.close();
    out.close();
    out.line();
    out.open("body", &[]);
    out.open("main", &[]);
    body(&mut out);
    out.close();
    out.close();
    out.close();
    out.line();
    out.finish()
}

/// A picture for wide windows and one for narrow ones, of which the style sheet shows one.
pub fn figure(out: &mut Markup, picture: &impl Picture) {
    for (class, picture) in [("wide", picture.markup()), ("narrow", picture.narrow().markup())] {
        out.open("figure", &[("class", &class)]);
        out.raw(&picture);
        out.close();
        out.line();
    }
}

/// What `content` writes, under a heading; `id` is unique in the page.
pub fn section(out: &mut Markup, heading: &str, id: &str, content: impl FnOnce(&mut Markup)) {
    out.open("section", &[("id", &id)]);
    out.element("h2", &[], heading);
    content(out);
    out.close();
    out.line();
}

/// The page of a report.
pub(crate) fn report(report: &Report, options: Options) -> String {
    page(&format!("hashwell speed: {}", report.machine.cpu), |out| {
        head(out, report);
        section(out, "Speed by size", "speed", |out| speed(out, report));
        if let Some(bars) = figures::providers(report) {
            section(out, "By provider", "providers", |out| figure(out, &bars));
        }
        if let Some(bars) = figures::waterfall(report) {
            section(out, "Kernels", "kernels", |out| figure(out, &bars));
        }
        if options.published {
            let bars = figures::published(report);
            section(out, "2018 and here", "then", |out| figure(out, &bars));
        }
        let tables = tables::all(report, options);
        section(out, "Tables", "tables", |out| tables.iter().for_each(|table| table.html(out)));
        section(out, "Machine, run and providers", "machine", |out| {
            tables::machine(report).html(out);
            tables::providers(report).html(out);
        });
    })
}

/// The result in words, the verdict in larger ones.
pub fn lead(out: &mut Markup, lines: &[String]) {
    for (i, line) in lines.iter().enumerate() {
        let class = if i == 0 { "lead verdict" } else { "lead" };
        out.element("p", &[("class", &class)], line);
    }
}

fn head(out: &mut Markup, report: &Report) {
    out.open("header", &[]);
    out.element("p", &[("class", &"kicker")], "hashwell speed");
    out.element("h1", &[], &report.machine.cpu);
    lead(out, &tables::summary(report));
    let banner = tables::cautions(report);
    if !banner.is_empty() {
        out.open("ul", &[("class", &"cautions")]);
        banner.iter().for_each(|line| out.element("li", &[], line));
        out.close();
    }
    let (machine, run) = (&report.machine, &report.run);
    let mode = if run.quick { "quick" } else { "full" };
    let facts = [
        ("core clock", format!("{:.2} GHz", machine.clock_ghz)),
        ("load", machine.load.map_or_else(|| "unknown".into(), |load| format!("{:.2}", load[0]))),
        ("mode", format!("{mode}, {} × {}", run.processes, run.rounds)),
        ("hashwell", run.version.clone()),
        ("started", run.started.clone()),
    ];
    out.open("dl", &[("class", &"facts")]);
    for (name, value) in &facts {
        out.open("div", &[]);
        out.element("dt", &[], name);
        out.element("dd", &[], value);
        out.close();
    }
    out.close();
    out.open("p", &[("class", &"command")]);
    out.element("code", &[], &tables::command(&run.command));
    out.close();
    out.close();
    out.line();
}

fn speed(out: &mut Markup, report: &Report) {
    match figures::overview(report) {
        Some(chart) => figure(out, &chart),
        None => out.element("p", &[("class", &"note")], "No digests of one thread were measured."),
    }
    let panels = figures::panels(report);
    if !panels.is_empty() {
        let note = "Each algorithm that several have: GiB/s by the length of a message, each with its own vertical axis. hashwell is solid, with its band from the lower to the upper quartile.";
        out.element("p", &[("class", &"note")], note);
        out.open("div", &[("class", &"panels")]);
        for panel in &panels {
            out.open("figure", &[]);
            out.raw(&panel.markup());
            out.close();
            out.line();
        }
        out.close();
    }
}

/// A page of tables.
pub(crate) fn tables_page(title: &str, lines: &[String], tables: &[Table]) -> String {
    page(title, |out| {
        out.open("header", &[]);
        out.element("h1", &[], title);
        lead(out, lines);
        out.close();
        tables.iter().for_each(|table| table.html(out));
    })
}
