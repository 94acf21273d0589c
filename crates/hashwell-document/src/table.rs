//! A table as data, and its renderers: text, Markdown, AsciiDoc, CSV and HTML.

use crate::format::Format;
use crate::markup::{Markup, is_obeyed};
use std::fmt::Write as _;

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// For text.
    Left,
    /// For numbers.
    Right,
}

/// A table. Every row has one cell for each column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The title, which states the units and the order of the rows.
    pub title: String,
    /// The names and alignments of the columns.
    pub head: Vec<(String, Align)>,
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
    /// Lines below the table.
    pub notes: Vec<String>,
}

impl Table {
    /// A table without rows, with one text column and any number of numeric columns.
    pub fn new(title: impl Into<String>, words: &str, numbers: impl IntoIterator<Item = String>) -> Self {
        let numbers = numbers.into_iter().map(|name| (name, Align::Right));
        let head = std::iter::once((words.to_owned(), Align::Left)).chain(numbers).collect();
        Self { title: title.into(), head, rows: Vec::new(), notes: Vec::new() }
    }

    /// Adds a text column.
    #[must_use]
    pub fn with_words(mut self, name: &str) -> Self {
        self.head.push((name.to_owned(), Align::Left));
        self
    }

    /// The table for a terminal: aligned columns, and lines that end with newlines. Control characters are replaced,
    /// because a terminal would interpret them.
    #[must_use]
    pub fn text(&self) -> String {
        let head: Vec<String> = self.head.iter().map(|(name, _)| plain(name)).collect();
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(|c| plain(c)).collect()).collect();
        let wide = |column: usize| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([head[column].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..head.len()).map(wide).collect();
        let mut out = format!("{}\n\n", plain(&self.title));
        for row in std::iter::once(&head).chain(&rows) {
            let cells =
                row.iter().zip(&widths).zip(&self.head).map(|((cell, &width), (_, align))| match align {
                    Align::Left => format!("{cell:<width$}"),
                    Align::Right => format!("{cell:>width$}"),
                });
            let _ = writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        self.write_notes(&mut out, plain);
        out
    }

    /// The table for GitHub and similar sites.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut out = format!("### {}\n\n", markdown(&self.title));
        out += &line(self.head.iter().map(|(name, _)| markdown(name)).collect());
        let rule = |align: &Align| if *align == Align::Right { "--:" } else { ":--" };
        out += &line(self.head.iter().map(|(_, align)| rule(align).to_owned()).collect());
        for row in &self.rows {
            out += &line(row.iter().map(|cell| markdown(cell)).collect());
        }
        self.write_notes(&mut out, |note| format!("{}  ", markdown(note)));
        out
    }

    /// The table as in emails of the git project: `|===`.
    #[must_use]
    pub fn asciidoc(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = &String>| -> String {
            cells.map(|cell| format!("| {} ", asciidoc(cell))).collect::<String>().trim_end().to_owned()
        };
        let column = |(_, align): &(String, Align)| if *align == Align::Right { ">1" } else { "<2" };
        let columns: Vec<&str> = self.head.iter().map(column).collect();
        let mut out = format!(
            ".{}\n[options=\"header\",cols=\"{}\"]\n|===\n",
            asciidoc(&self.title),
            columns.join(",")
        );
        let _ = writeln!(out, "{}", line(&mut self.head.iter().map(|(name, _)| name)));
        for row in &self.rows {
            let _ = writeln!(out, "{}", line(&mut row.iter()));
        }
        out += "|===\n";
        self.write_notes(&mut out, |note| format!("{} +", asciidoc(note)));
        out
    }

    /// The table as in RFC 4180, except that lines end with newlines; without title and notes.
    #[must_use]
    pub fn csv(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = &String>| {
            cells.map(|c| csv(c)).collect::<Vec<_>>().join(",") + "\n"
        };
        let head = line(&mut self.head.iter().map(|(name, _)| name));
        self.rows.iter().fold(head, |out, row| out + &line(&mut row.iter()))
    }

    /// Writes the table with its caption, in a box that scrolls if the table is too wide.
    pub fn html(&self, out: &mut Markup) {
        out.open("div", &[("class", &"table")]);
        out.open("table", &[]);
        out.element("caption", &[], &self.title);
        out.open("thead", &[]);
        out.open("tr", &[]);
        for (name, align) in &self.head {
            out.element("th", &[("scope", &"col"), ("class", &class(*align))], name);
        }
        out.close();
        out.close();
        out.open("tbody", &[]);
        for row in &self.rows {
            out.open("tr", &[]);
            for (i, (cell, (_, align))) in row.iter().zip(&self.head).enumerate() {
                match i {
                    0 => out.element("th", &[("scope", &"row"), ("class", &class(*align))], cell),
                    _ => out.element("td", &[("class", &class(*align))], cell),
                }
            }
            out.close();
            out.line();
        }
        out.close();
        out.close();
        out.close();
        for note in &self.notes {
            out.element("p", &[("class", &"note")], note);
        }
        out.line();
    }

    fn write_notes(&self, out: &mut String, write: impl Fn(&str) -> String) {
        if !self.notes.is_empty() {
            out.push('\n');
        }
        for note in &self.notes {
            let _ = writeln!(out, "{}", write(note));
        }
    }
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "words",
        Align::Right => "number",
    }
}

/// A document with lines and tables, as text, Markdown or AsciiDoc.
#[must_use]
pub fn document(format: Format, lines: &[String], tables: &[Table]) -> String {
    let table = match format {
        Format::Markdown => Table::markdown,
        Format::Asciidoc => Table::asciidoc,
        _ => Table::text,
    };
    let between = if format == Format::Text { "\n" } else { "\n\n" };
    let lines: Vec<String> = lines.iter().map(|line| escaped(format, line)).collect();
    let head = (!lines.is_empty()).then(|| lines.join(between) + "\n");
    head.into_iter().chain(tables.iter().map(table)).collect::<Vec<_>>().join("\n")
}

/// Returns the text on one line, without characters that would be interpreted.
#[must_use]
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if is_obeyed(c) { '\u{fffd}' } else { c }).collect()
}

/// Escapes one line of text for this format.
#[must_use]
pub fn escaped(format: Format, text: &str) -> String {
    match format {
        Format::Markdown => markdown(text),
        Format::Asciidoc => asciidoc(text),
        _ => plain(text),
    }
}

/// Text that Markdown shows unchanged.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    for c in plain(text).chars() {
        if matches!(c, '\\' | '|' | '<' | '>' | '&' | '*' | '_' | '`' | '[' | ']' | '#') {
            out.push('\\');
        }
        out.push(c);
    }
    // A single tilde is shown; two would strike through the text.
    out.replace("~~", "\\~\\~")
}

/// Text that does not end a cell, and that is neither a link nor a directive.
fn asciidoc(text: &str) -> String {
    let text = plain(text).replace('{', "&#123;").replace('|', "{vbar}").replace('<', "&lt;");
    text.replace("://", ":&#47;&#47;").replace("::", ":&#58;")
}

/// Newlines are allowed in a quoted field. RFC 4180 has no other control characters.
fn csv(text: &str) -> String {
    let text: String = text.chars().map(|c| if is_obeyed(c) && c != '\n' { '\u{fffd}' } else { c }).collect();
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hostile() -> Table {
        let mut table = Table::new("Title | <b>", "who", ["n, \"m\"".to_owned()]).with_words("more");
        table.rows.push(["a|b\u{1b}[2J", "1", "x,\n\"y\""].map(str::to_owned).to_vec());
        table.rows.push(["Größe", "22", "*_`"].map(str::to_owned).to_vec());
        table.notes.push("see </table>".into());
        table
    }

    #[test]
    fn text_is_aligned_by_characters_and_obeys_nobody() {
        let expected = "Title | <b>\n\nwho      n, \"m\"  more\na|b\u{fffd}[2J       1  x,\u{fffd}\"y\"\n\
             Größe        22  *_`\n\nsee </table>\n";
        assert_eq!(hostile().text(), expected);
    }

    #[test]
    fn markdown_and_asciidoc_keep_their_cells() {
        let expected = "### Title \\| \\<b\\>\n\n| who | n, \"m\" | more |\n| :-- | --: | :-- |\n\
             | a\\|b\u{fffd}\\[2J | 1 | x,\u{fffd}\"y\" |\n| Größe | 22 | \\*\\_\\` |\n\nsee \\</table\\>  \n";
        assert_eq!(hostile().markdown(), expected);
        let expected = ".Title {vbar} &lt;b>\n[options=\"header\",cols=\"<2,>1,<2\"]\n|===\n| who | n, \"m\" | more\n\
             | a{vbar}b\u{fffd}[2J | 1 | x,\u{fffd}\"y\"\n| Größe | 22 | *_`\n|===\n\nsee &lt;/table> +\n";
        assert_eq!(hostile().asciidoc(), expected);
    }

    #[test]
    fn csv_quotes_what_it_must() {
        let expected = "who,\"n, \"\"m\"\"\",more\na|b\u{fffd}[2J,1,\"x,\n\"\"y\"\"\"\nGröße,22,*_`\n";
        assert_eq!(hostile().csv(), expected);
    }

    #[test]
    fn html_is_escaped() {
        let mut out = Markup::default();
        hostile().html(&mut out);
        let text = out.finish();
        assert!(
            text.contains("see &lt;/table&gt;")
                && text.contains("<th scope=\"row\" class=\"words\">Größe</th>")
        );
    }
}
