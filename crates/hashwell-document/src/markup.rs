//! A writer of XML that is also HTML. It closes all elements, and text cannot become markup.

use std::fmt::{Display, Write as _};

/// The attributes, in the order in which they are written.
pub type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

/// A document, or a part of one, that is being written.
#[derive(Default)]
pub struct Markup {
    text: String,
    open: Vec<&'static str>,
}

impl Markup {
    /// Writes `<name ...>`, which must be closed.
    pub fn open(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.tag(name, attributes, ">");
        self.open.push(name);
    }

    /// Closes the element that was opened last.
    ///
    /// # Panics
    /// Panics if no element is open.
    pub fn close(&mut self) {
        let name = self.open.pop().expect("an open element");
        let _ = write!(self.text, "</{name}>");
    }

    /// Writes an element without content.
    pub fn empty(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.tag(name, attributes, "/>");
    }

    /// Writes an element that contains only text.
    pub fn element(&mut self, name: &'static str, attributes: Attributes<'_>, text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close();
    }

    /// Writes text, which is escaped.
    pub fn text(&mut self, text: &str) {
        self.text.push_str(&escape(text));
    }

    /// Ends the line, for people who read the file.
    pub fn line(&mut self) {
        self.text.push('\n');
    }

    /// Writes the output of another writer, or a style sheet, without escaping.
    pub fn raw(&mut self, finished: &str) {
        self.text.push_str(finished);
    }

    /// Returns the text.
    ///
    /// # Panics
    /// Panics if an element is still open.
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

/// Returns true if a terminal or a browser interprets this character instead of showing it: control characters, line
/// and paragraph separators, and characters that change the text direction.
#[must_use]
pub fn is_obeyed(c: char) -> bool {
    let turns =
        matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Escapes text for content and for quoted attributes. Characters that would be interpreted, some of which XML cannot
/// represent, become U+FFFD.
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
