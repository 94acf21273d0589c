//! A writer of XML that is also HTML: what is opened is closed, and text cannot become markup.

use std::fmt::{Display, Write as _};

/// Attributes, in the order in which they are written.
pub type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

/// A document, or part of one, being written.
#[derive(Default)]
pub struct Markup {
    text: String,
    open: Vec<&'static str>,
}

impl Markup {
    /// `<name ...>`, to be closed.
    pub fn open(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.tag(name, attributes, ">");
        self.open.push(name);
    }

    /// Closes what was opened last.
    ///
    /// # Panics
    /// If nothing is open.
    pub fn close(&mut self) {
        let name = self.open.pop().expect("an open element");
        let _ = write!(self.text, "</{name}>");
    }

    /// An element without content.
    pub fn empty(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.tag(name, attributes, "/>");
    }

    /// An element that holds only text.
    pub fn element(&mut self, name: &'static str, attributes: Attributes<'_>, text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close();
    }

    /// Text, escaped.
    pub fn text(&mut self, text: &str) {
        self.text.push_str(&escape(text));
    }

    /// Ends the line, for those who read the file.
    pub fn line(&mut self) {
        self.text.push('\n');
    }

    /// What another writer finished, or a style sheet: written as it is.
    pub fn raw(&mut self, finished: &str) {
        self.text.push_str(finished);
    }

    /// All of it.
    ///
    /// # Panics
    /// If an element is still open.
    #[must_use]
    pub fn finish(self) -> String {
        assert!(self.open.is_empty(), "still open: {:?}", self.open);
        self.text
    }

    fn tag(&mut self, name: &str, attributes: Attributes<'_>, end: &str) {
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"{}\"", escape(&value.to_string()));
        }
        self.text.push_str(end);
    }
}

/// Whether a terminal or a browser does something instead of showing it: control characters, ends of lines and
/// paragraphs, and marks that turn the order of what follows.
#[must_use]
pub fn is_obeyed(c: char) -> bool {
    let turns =
        matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Text that is itself in content and in quoted attributes. What would be obeyed instead of shown, some of which XML has
/// no way to write, becomes U+FFFD.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            c if is_obeyed(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_cannot_become_markup() {
        let mut markup = Markup::default();
        let hostile = "<script>\"&'\u{0}\u{1b}\u{85}</script>";
        markup.element("p", &[("title", &hostile)], hostile);
        let escaped = "&lt;script&gt;&quot;&amp;&#39;\u{fffd}\u{fffd}\u{fffd}&lt;/script&gt;";
        assert_eq!(markup.finish(), format!("<p title=\"{escaped}\">{escaped}</p>"));
    }

    #[test]
    #[should_panic(expected = "still open: [\"g\"]")]
    fn what_is_open_is_seen() {
        let mut markup = Markup::default();
        markup.open("svg", &[]);
        markup.open("g", &[]);
        markup.close();
        markup.open("g", &[]);
        markup.close();
        markup.close();
        markup.open("g", &[]);
        let _ = markup.finish();
    }
}
