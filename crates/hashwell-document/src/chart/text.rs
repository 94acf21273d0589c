//! The width of text, and labels that don't overlap.

/// The approximate width of a text in pixels, since an SVG is written without knowing the font. It is more often too
/// large than too small.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.30,
        'f' | 'r' | 't' | ' ' | '(' | ')' | '/' | '-' | 'I' | '[' | ']' | '\u{202f}' => 0.40,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.92,
        'A'..='Z' | '–' | '−' | '→' | '×' | '±' | '≥' | '≤' => 0.72,
        c if c.is_ascii() => 0.60,
        c if (c as u32) < 0x2000 => 0.66,
        _ => 1.05,
    };
    size * text.chars().map(em).sum::<f64>()
}

/// The text, or its beginning with an ellipsis if it is wider than `room`.
pub(super) fn shortened(text: &str, size: f64, room: f64) -> String {
    if text.is_empty() || width(text, size) <= room {
        return text.to_owned();
    }
    let mut taken = size;
    let fits = |c: &char| {
        taken += width(c.encode_utf8(&mut [0; 4]), size);
        taken <= room
    };
    let short: String = text.chars().take_while(fits).collect();
    format!("{}…", short.trim_end())
}

/// Wraps the text between words to lines that are no wider than `room`. A word that is wider is cut.
pub(super) fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // Do not break at the narrow spaces within numbers.
    for word in text.split_ascii_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + 0.4 * size <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shortened(word, size, room)),
        }
    }
    lines
}

/// Moves labels apart. Each one stays as near to its original position as the others allow, the distance between
/// neighbors is at least `gap`, the order is kept, and all are in `low..=high` if there is enough space.
///
/// This is an isotonic regression of the positions minus `gap` for each label above (pooling adjacent violators), which
/// minimizes the sum of squared moves.
pub(super) fn spread(places: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    // If there are more labels than fit, they are placed closer together.
    let gap = gap.min((high - low) / places.len().saturating_sub(1).max(1) as f64);
    // Blocks of labels that touch: the mean of their reduced positions, and their number.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (above, label) in order.iter().enumerate() {
        let mut block = (places[*label] - gap * above as f64, 1);
        while let Some((mean, count)) = blocks.pop_if(|(mean, _)| *mean > block.0) {
            let all = count + block.1;
            block = ((mean * count as f64 + block.0 * block.1 as f64) / all as f64, all);
        }
        blocks.push(block);
    }
    let reduced_high = high - gap * places.len().saturating_sub(1) as f64;
    let reduced = blocks.iter().flat_map(|(mean, count)| std::iter::repeat_n(*mean, *count));
    let mut moved = vec![0.0; places.len()];
    for (above, (label, mean)) in order.iter().zip(reduced).enumerate() {
        moved[*label] = mean.clamp(low, reduced_high.max(low)) + gap * above as f64;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance_and_move_little() {
        assert_eq!(spread(&[10.0, 50.0], 12.0, 0.0, 100.0), [10.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0, 50.0], 12.0, 0.0, 100.0), [38.0, 50.0, 62.0]);
        assert_eq!(spread(&[52.0, 48.0], 12.0, 0.0, 100.0), [56.0, 44.0]);
        // Labels at the edge stay inside.
        assert_eq!(spread(&[99.0, 100.0], 12.0, 0.0, 100.0), [88.0, 100.0]);
        // A block that runs into another one.
        assert_eq!(spread(&[30.0, 30.0, 30.0, 46.0], 10.0, 0.0, 100.0), [19.0, 29.0, 39.0, 49.0]);
        assert!(spread(&[], 12.0, 0.0, 100.0).is_empty());
    }

    #[test]
    fn too_many_labels_share_the_room() {
        let moved = spread(&[5.0; 21], 12.0, 0.0, 100.0);
        assert_eq!((moved[0], moved[20]), (0.0, 100.0));
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shortened("SHA-256", 12.0, 100.0), "SHA-256");
        assert_eq!(wrapped("one two three", 12.0, 50.0), ["one two", "three"]);
        assert!(wrapped("", 12.0, 50.0).is_empty());
        assert_eq!(shortened("", 12.0, -6.0), "");
        let short = shortened(&"very long name ".repeat(9), 12.0, 100.0);
        assert!(short.ends_with('…') && width(&short, 12.0) <= 112.0, "{short}");
    }
}
