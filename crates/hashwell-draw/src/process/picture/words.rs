//! Numbers and lists in the texts of pictures.

use hashwell_document::chart::number;

/// A number with its noun: "1 table", "2 tables".
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(count as f64), if count == 1 { one } else { many })
}

/// A list in words: "a", "a and b", "a, b and c".
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The text. If it is longer than `letters` characters, it is shortened to this length, and its last character is `…`.
pub(super) fn shortened(text: &str, letters: usize) -> String {
    if text.chars().nth(letters).is_none() {
        return text.to_owned();
    }
    text.chars().take(letters - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lists() {
        assert_eq!(counted(1, "table", "tables"), "1 table");
        assert_eq!(counted(12_345, "table", "tables"), "12\u{202f}345 tables");
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(["", "abc", "äöüß"].map(|text| shortened(text, 3)), ["", "abc", "äö…"]);
        assert_eq!([0, 1, 2, 3].map(|n| listed(&items[..n])), ["", "a", "a and b", "a, b and c"]);
    }
}
