//! The page of a report.

use super::charts;
use super::tables::{self, Options};
use crate::report::Report;
use hashwell_document::chart::{Chart, Picture};
use hashwell_document::markup::Markup;
use hashwell_document::page::{command_line, figure, lead, page, section};

/// The page of a report.
pub(crate) fn report(report: &Report, options: Options) -> String {
    page(&format!("hashwell speed: {}", report.machine.cpu), |out| {
        head(out, report);
        section(out, "Speed by size", "speed", |out| speed(out, report));
        if let Some(bars) = charts::providers(report) {
            section(out, "By provider", "providers", |out| figure(out, &bars));
        }
        if let Some(bars) = charts::waterfall(report) {
            section(out, "Kernels", "kernels", |out| figure(out, &bars));
        }
        let calls = charts::calls(report);
        if !calls.is_empty() {
            section(out, "Single calls", "calls", |out| panels(out, &calls));
        }
        let scaling = charts::scaling(report);
        if !scaling.is_empty() {
            section(out, "Scaling", "scaling", |out| scaling.iter().for_each(|chart| figure(out, chart)));
        }
        if options.published {
            let bars = charts::published(report);
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
    out.element("code", &[], &command_line(&run.command));
    out.close();
    out.close();
    out.line();
}

fn speed(out: &mut Markup, report: &Report) {
    match charts::overview(report) {
        Some(chart) => figure(out, &chart),
        None => out.element("p", &[("class", &"note")], "No digests were measured on one thread."),
    }
    let panels = charts::panels(report);
    if !panels.is_empty() {
        let note = "One chart for each algorithm that was measured in at least two implementations: throughput in \
                    GiB/s by message size. Each chart has its own vertical scale. The solid line is hashwell, and the \
                    band around it shows the lower and upper quartiles.";
        out.element("p", &[("class", &"note")], note);
        self::panels(out, &panels);
    }
}

/// Small charts next to each other.
fn panels(out: &mut Markup, charts: &[Chart]) {
    out.open("div", &[("class", &"panels")]);
    for chart in charts {
        out.open("figure", &[]);
        out.raw(&chart.markup());
        out.close();
        out.line();
    }
    out.close();
}
