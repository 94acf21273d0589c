//! Self-contained pages: they include styles and charts, have no scripts, and load nothing.

use crate::chart::{self, Picture};
use crate::markup::Markup;
use crate::table::Table;

const STYLE: &str = include_str!("page.css");

/// A complete page around the content that `body` writes into `<main>`.
#[must_use]
pub fn page(title: &str, body: impl FnOnce(&mut Markup)) -> String {
    let mut out = Markup::default();
    out.raw("<!DOCTYPE html>\n");
    out.open("html", &[("lang", &"en")]);
    out.open("head", &[]);
    out.empty("meta", &[("charset", &"utf-8")]);
    out.empty("meta", &[("name", &"viewport"), ("content", &"width=device-width, initial-scale=1")]);
    out.empty("meta", &[("name", &"color-scheme"), ("content", &"light dark")]);
    // Regardless of the names in a report, nothing is fetched or run.
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

/// Writes a chart for wide windows and one for narrow windows. The style sheet shows one of them.
pub fn figure(out: &mut Markup, picture: &impl Picture) {
    for (class, picture) in [("wide", picture.markup()), ("narrow", picture.narrow().markup())] {
        out.open("figure", &[("class", &class)]);
        out.raw(&picture);
        out.close();
        out.line();
    }
}

/// Writes the `content` under a heading. `id` must be unique in the page.
pub fn section(out: &mut Markup, heading: &str, id: &str, content: impl FnOnce(&mut Markup)) {
    out.open("section", &[("id", &id)]);
    out.element("h2", &[], heading);
    content(out);
    out.close();
    out.line();
}

/// Writes the result as text, with the verdict in larger letters.
pub fn lead(out: &mut Markup, lines: &[String]) {
    for (i, line) in lines.iter().enumerate() {
        let class = if i == 0 { "lead verdict" } else { "lead" };
        out.element("p", &[("class", &class)], line);
    }
}

/// A command line as it can be typed in a shell.
#[must_use]
pub fn command_line(arguments: &[String]) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    let quoted = |argument: &String| match argument {
        a if !a.is_empty() && a.chars().all(safe) => a.clone(),
        a => format!("'{}'", a.replace('\'', "'\\''")),
    };
    arguments.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// A page that consists of tables.
#[must_use]
pub fn of_tables(title: &str, lines: &[String], tables: &[Table]) -> String {
    page(title, |out| {
        out.open("header", &[]);
        out.element("h1", &[], title);
        lead(out, lines);
        out.close();
        tables.iter().for_each(|table| table.html(out));
    })
}
