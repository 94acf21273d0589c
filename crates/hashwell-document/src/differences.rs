//! A page that shows the differences between two tables: counts, the options, and the first rows that differ.

use crate::markup::Markup;
use crate::page;

/// The maximum number of columns in a table of rows. It also limits the changed cells that are shown for a row, and the
/// columns in a list.
const COLUMNS: usize = 100;

/// The maximum size of the rows on the page, in bytes before they are escaped.
const BYTES: usize = 16 << 20;

/// The number of bytes that a cell takes besides its text.
const CELL: usize = 40;

/// A row of both tables that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The values of the key columns.
    pub key: Vec<String>,
    /// The column, old value and new value of each cell that differs.
    pub cells: Vec<[String; 3]>,
    /// The places of the row in the two tables. Empty strings if the tables have no places.
    pub places: [String; 2],
}

/// A row that only one of the tables has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Single {
    /// The values of the key columns and of the other columns.
    pub values: Vec<String>,
    /// The place of the row in its table. An empty string if the table has no places.
    pub place: String,
}

/// The counts of a comparison of two tables, and its options. All texts are shown unchanged, except that characters
/// which a browser would interpret become U+FFFD. To show such characters, the caller must escape them first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The names of the two tables.
    pub tables: [String; 2],
    /// The result in one sentence.
    pub verdict: String,
    /// The numbers of rows of the two tables.
    pub rows: [u64; 2],
    /// The number of rows that only the first table has, and the number that only the second table has.
    pub singles: [u64; 2],
    /// The number of rows that changed.
    pub changed: u64,
    /// The number of rows that count as equal although their values differ; `None` if the options allow no differences.
    pub tolerated: Option<u64>,
    /// The key columns.
    pub keys: Vec<String>,
    /// The columns that were compared, with their numbers of changed cells.
    pub columns: Vec<(String, u64)>,
    /// The columns that only one table has.
    pub columns_only: [Vec<String>; 2],
    /// The options, with their values.
    pub options: Vec<(String, String)>,
    /// The command line, if there was one.
    pub command: Option<String>,
    /// The maximum number of rows of each kind on the page.
    pub most: u64,
}

/// The differences between two tables.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    /// The counts and the options.
    pub facts: Facts,
    changes: Vec<Changed>,
    rows_of: [Vec<Single>; 2],
    bytes: usize,
}

impl Differences {
    /// Differences without rows.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        Self { facts, ..Self::default() }
    }

    /// Returns true if there is space for another row with this number of bytes, and takes the space.
    fn has_room(&mut self, rows: usize, bytes: usize) -> bool {
        let bytes = self.bytes.saturating_add(bytes);
        let has_room = (rows as u64) < self.facts.most && bytes <= BYTES;
        if has_room {
            self.bytes = bytes;
        }
        has_room
    }

    /// Adds a changed row, if there is space for it.
    pub fn push_changed(&mut self, mut row: Changed) {
        let cells = row.cells.len();
        row.cells.truncate(COLUMNS);
        if cells > COLUMNS {
            let more = format!("and {} more cells", grouped((cells - COLUMNS) as u64));
            row.cells.push([more, String::new(), String::new()]);
        }
        row.key.truncate(COLUMNS);
        let texts = row.cells.iter().flatten().chain(&row.key).chain(&row.places);
        let bytes = texts.map(|text| text.len() + CELL).sum();
        if self.has_room(self.changes.len(), bytes) {
            self.changes.push(row);
        }
    }

    /// Adds a row that only one of the tables has (0 or 1), if there is space for it.
    pub fn push_single(&mut self, table: usize, mut row: Single) {
        row.values.truncate(COLUMNS);
        let bytes = row.values.iter().chain([&row.place]).map(|text| text.len() + CELL).sum();
        if self.has_room(self.rows_of[table].len(), bytes) {
            self.rows_of[table].push(row);
        }
    }

    /// The page.
    #[must_use]
    pub fn html(&self) -> String {
        let [old, new] = &self.facts.tables;
        page::page(&format!("Differences between {old} and {new}"), |out| {
            out.open("header", &[]);
            out.open("h1", &[]);
            out.text("Differences between ");
            out.element("code", &[], old);
            out.text(" and ");
            out.element("code", &[], new);
            out.close();
            page::lead(out, std::slice::from_ref(&self.facts.verdict));
            out.close();
            page::section(out, "Counts", "counts", |out| self.counts(out));
            page::section(out, "Options", "options", |out| self.options(out));
            page::section(out, "Changed rows", "changed", |out| self.changes(out));
            for (table, (heading, id)) in
                [("Removed rows", "removed"), ("Added rows", "added")].into_iter().enumerate()
            {
                page::section(out, heading, id, |out| self.singles(out, table));
            }
        })
    }

    fn counts(&self, out: &mut Markup) {
        let [old, new] = &self.facts.tables;
        let equal =
            self.facts.rows[0].saturating_sub(self.facts.singles[0]).saturating_sub(self.facts.changed);
        let mut counts = vec![
            ("Added", self.facts.singles[1]),
            ("Removed", self.facts.singles[0]),
            ("Changed", self.facts.changed),
            ("Equal", equal),
        ];
        counts.extend(self.facts.tolerated.map(|tolerated| ("Equal only within the tolerance", tolerated)));
        table(out, "Rows", &["Rows", "Number"], |out| {
            for (name, count) in counts {
                line(out, name, &[], Some(count));
            }
            line(out, "Rows of ", &[old], Some(self.facts.rows[0]));
            line(out, "Rows of ", &[new], Some(self.facts.rows[1]));
        });
        let changed: Vec<_> = self.facts.columns.iter().filter(|(_, count)| *count > 0).collect();
        if !changed.is_empty() {
            table(out, "Changed cells in each column", &["Column", "Changed cells"], |out| {
                for (name, count) in changed.iter().take(COLUMNS) {
                    line(out, "", &[name], Some(*count));
                }
            });
        }
        let more = changed.len().saturating_sub(COLUMNS);
        if more > 0 {
            note(
                out,
                &format!("{} more columns have changed cells and are not shown.", grouped(more as u64)),
            );
        }
        let same = self.facts.columns.len() - changed.len();
        let (columns, have) = if same == 1 { ("column", "has") } else { ("columns", "have") };
        note(out, &format!("{} compared {columns} {have} no changed cells.", grouped(same as u64)));
        for (name, columns) in self.facts.tables.iter().zip(&self.facts.columns_only) {
            if columns.is_empty() {
                continue;
            }
            out.open("p", &[]);
            out.text("Columns only in ");
            out.element("code", &[], name);
            out.text(": ");
            listed(out, columns);
            out.close();
        }
    }

    fn options(&self, out: &mut Markup) {
        table(out, "Options of the comparison", &["Option", "Value"], |out| {
            for (name, value) in &self.facts.options {
                line(out, name, &[value], None);
            }
        });
        if let Some(command) = &self.facts.command {
            out.element("p", &[], "Command:");
            out.open("p", &[("class", &"command")]);
            out.element("code", &[], command);
            out.close();
        }
    }

    /// Writes how many rows are on the page, and returns false if there are none.
    fn rows_shown(&self, out: &mut Markup, shown: usize, of: u64, what: &str) -> bool {
        let rows = |count: u64| if count == 1 { "row" } else { "rows" };
        if of == 0 {
            note(out, &format!("There are no {what} rows."));
        } else if shown as u64 == of {
            let are = if of == 1 { "The one".to_owned() } else { format!("All {}", grouped(of)) };
            let verb = if of == 1 { "is" } else { "are" };
            note(out, &format!("{are} {what} {} {verb} shown.", rows(of)));
        } else {
            let (shown, hidden) = (shown as u64, of - shown as u64);
            let are = if hidden == 1 { "is" } else { "are" };
            note(
                out,
                &format!(
                    "{} of {} {what} rows are shown, and {} {are} not shown: the page has at most {} rows of each kind, \
                     and 16 MiB of rows.",
                    grouped(shown),
                    grouped(of),
                    grouped(hidden),
                    grouped(self.facts.most)
                ),
            );
        }
        shown > 0
    }

    fn changes(&self, out: &mut Markup) {
        if !self.rows_shown(out, self.changes.len(), self.facts.changed, "changed") {
            return;
        }
        let has_places = self.changes.iter().any(|row| row.places.iter().any(|place| !place.is_empty()));
        let mut head: Vec<&str> = self.facts.keys.iter().take(COLUMNS).map(String::as_str).collect();
        let keys = head.len();
        head.extend(["Column", "Old value", "New value"]);
        if has_places {
            head.extend(["Old row", "New row"]);
        }
        open_table(out, "Changed cells, with the keys of their rows", &head, keys);
        for row in &self.changes {
            out.open("tbody", &[]);
            let span = row.cells.len();
            for (i, [column, old, new]) in row.cells.iter().enumerate() {
                out.open("tr", &[]);
                if i == 0 {
                    for value in &row.key {
                        out.open("th", &[("scope", &"rowgroup"), ("rowspan", &span)]);
                        out.element("code", &[], value);
                        out.close();
                    }
                }
                for value in [column, old, new] {
                    cell(out, value);
                }
                if has_places && i == 0 {
                    for place in &row.places {
                        out.open("td", &[("rowspan", &span)]);
                        out.element("code", &[], place);
                        out.close();
                    }
                }
                out.close();
                out.line();
            }
            out.close();
        }
        close_table(out);
        self.hidden_columns(out, self.facts.keys.len());
    }

    fn singles(&self, out: &mut Markup, table: usize) {
        let rows = &self.rows_of[table];
        let what = ["removed", "added"][table];
        if !self.rows_shown(out, rows.len(), self.facts.singles[table], what) {
            return;
        }
        let has_places = rows.iter().any(|row| !row.place.is_empty());
        let names = self.facts.keys.iter().chain(self.facts.columns.iter().map(|(name, _)| name));
        let mut head: Vec<&str> = names.take(COLUMNS).map(String::as_str).collect();
        let columns = head.len();
        head.extend(has_places.then_some("Row"));
        let caption = format!("Rows that were {what}");
        open_table(out, &caption, &head, columns);
        out.open("tbody", &[]);
        for row in rows {
            out.open("tr", &[]);
            for (i, value) in row.values.iter().enumerate() {
                if i < self.facts.keys.len() {
                    out.open("th", &[("scope", &"row")]);
                    out.element("code", &[], value);
                    out.close();
                } else {
                    cell(out, value);
                }
            }
            if has_places {
                cell(out, &row.place);
            }
            out.close();
            out.line();
        }
        out.close();
        close_table(out);
        self.hidden_columns(out, self.facts.keys.len() + self.facts.columns.len());
    }

    fn hidden_columns(&self, out: &mut Markup, columns: usize) {
        let more = columns.saturating_sub(COLUMNS);
        if more > 0 {
            note(out, &format!("{} more columns are not shown.", grouped(more as u64)));
        }
    }
}

/// Opens a table. The first `values` headings are names of columns of the compared tables.
fn open_table(out: &mut Markup, caption: &str, head: &[&str], values: usize) {
    out.open("div", &[("class", &"table")]);
    out.open("table", &[]);
    out.element("caption", &[], caption);
    out.open("thead", &[]);
    out.open("tr", &[]);
    for (i, name) in head.iter().enumerate() {
        out.open("th", &[("scope", &"col")]);
        if i < values {
            out.element("code", &[], name);
        } else {
            out.text(name);
        }
        out.close();
    }
    out.close();
    out.close();
    out.line();
}

fn close_table(out: &mut Markup) {
    out.close();
    out.close();
    out.line();
}

fn table(out: &mut Markup, caption: &str, head: &[&str], rows: impl FnOnce(&mut Markup)) {
    open_table(out, caption, head, 0);
    out.open("tbody", &[]);
    rows(out);
    out.close();
    close_table(out);
}

/// Writes a row of a table with two columns. If there is a number, it is in the second column, and the `values` follow
/// the name in the first one.
fn line(out: &mut Markup, name: &str, values: &[&String], number: Option<u64>) {
    let codes = |out: &mut Markup| values.iter().for_each(|value| out.element("code", &[], value));
    out.open("tr", &[]);
    out.open("th", &[("scope", &"row")]);
    out.text(name);
    match number {
        Some(number) => {
            codes(out);
            out.close();
            out.element("td", &[("class", &"number")], &grouped(number));
        }
        None => {
            out.close();
            out.open("td", &[]);
            codes(out);
            out.close();
        }
    }
    out.close();
    out.line();
}

fn cell(out: &mut Markup, value: &str) {
    out.open("td", &[]);
    out.element("code", &[], value);
    out.close();
}

fn note(out: &mut Markup, text: &str) {
    out.element("p", &[("class", &"note")], text);
    out.line();
}

/// Names, separated by commas.
fn listed(out: &mut Markup, names: &[String]) {
    for (i, name) in names.iter().take(COLUMNS).enumerate() {
        if i > 0 {
            out.text(", ");
        }
        out.element("code", &[], name);
    }
    if names.len() > COLUMNS {
        out.text(&format!(" and {} more", grouped((names.len() - COLUMNS) as u64)));
    }
}

/// A number with commas between its thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differences() -> Differences {
        Differences::new(Facts {
            tables: ["<old>".to_owned(), "new".to_owned()],
            verdict: "different".to_owned(),
            rows: [1000, 1001],
            singles: [0, 3],
            changed: 2,
            keys: vec!["id".to_owned()],
            columns: vec![("a".to_owned(), 2), ("b".to_owned(), 0)],
            most: 2,
            ..Facts::default()
        })
    }

    #[test]
    fn rows_beyond_the_limits_are_counted() {
        let mut found = differences();
        for i in 0..3 {
            let values = vec![i.to_string(), "\"'&<script>".to_owned(), String::new()];
            found.push_single(1, Single { values, place: String::new() });
        }
        let cells = vec![["a".to_owned(), "1".to_owned(), "x".repeat(BYTES)]];
        found.push_changed(Changed { key: vec!["7".to_owned()], cells, ..Changed::default() });
        let page = found.html();
        assert!(page.contains("2 of 3 added rows are shown, and 1 is not shown"), "{page}");
        assert!(page.contains("0 of 2 changed rows are shown, and 2 are not shown"), "{page}");
        assert!(page.contains("There are no removed rows."), "{page}");
        assert!(page.contains("<code>&quot;&#39;&amp;&lt;script&gt;</code>"), "{page}");
        assert!(page.contains("<code>&lt;old&gt;</code>") && !page.contains("<script"), "{page}");
        assert!(page.contains("Equal</th><td class=\"number\">998</td>"), "{page}");
    }

    #[test]
    fn wide_rows_are_cut() {
        let mut found = differences();
        found.facts.columns = (0..150).map(|i| (format!("c{i}"), 1)).collect();
        let cells = (0..150).map(|i| [format!("c{i}"), "1".to_owned(), "2".to_owned()]).collect();
        found.push_changed(Changed { key: vec!["7".to_owned()], cells, ..Changed::default() });
        found.push_single(1, Single { values: vec![String::new(); 151], place: "f:1".to_owned() });
        let page = found.html();
        assert!(page.contains("rowspan=\"101\"") && page.contains("and 50 more cells"), "{page}");
        assert!(
            page.contains("51 more columns are not shown.") && page.contains("50 more columns have"),
            "{page}"
        );
    }
}
