//! Charts of processes: everything that they mention is shown, and they are small for any input.

use hashwell_draw::process::interpret::{Branch, Tree};
use hashwell_draw::process::picture::{Mass, bars, paths, restaurant, sticks, tree};

/// The maximum size of a chart in bytes.
const MOST: usize = 100_000;

/// The visible texts in order, without titles, descriptions and tooltips.
fn texts(svg: &str) -> Vec<&str> {
    let parts = svg.split("<text").skip(1);
    parts.map(|part| part[part.find('>').unwrap() + 1..].split('<').next().unwrap()).collect()
}

/// Checks the properties that all charts have. Returns the chart.
fn checked(svg: String) -> String {
    assert!(svg.len() < MOST, "{} bytes", svg.len());
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.contains("role=\"img\""));
    assert!(svg.contains("<title>") && svg.contains("<desc>") && svg.contains("prefers-color-scheme:dark"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    assert_eq!(svg.matches("<svg").count(), 1);
    svg
}

#[test]
fn everybody_has_a_seat_newest_first() {
    let svg = checked(restaurant(&[0, 0, 1, 0]));
    assert_eq!(texts(&svg)[..8], ["4 customers at 2 tables", "3", "3", "1", "0", "1", "2", "next"]);
    // Tables may have any numbers, and are shown in the order of their first customers.
    assert_eq!(restaurant(&[7, 7, u32::MAX, 7]), svg);
    assert_ne!(restaurant(&[0, 1, 1, 0]), svg);
    assert_eq!(texts(&checked(restaurant(&[])))[..2], ["0 customers at 0 tables", "next"]);
    // Forty have seats; with forty-one, there are none.
    assert_eq!(texts(&checked(restaurant(&[0; 40]))).len(), 1 + 1 + 40 + 1 + 1);
    assert_eq!(texts(&checked(restaurant(&[0; 41])))[..3], ["41 customers at 1 table", "41", "next"]);
}

/// Ten tables of one customer each are small. If there is no space, customers are counted, and none is missing.
#[test]
fn a_million_customers_are_a_small_picture() {
    let each_alone: Vec<u32> = (0..1_000_000).collect();
    let svg = checked(restaurant(&each_alone));
    assert!(svg.contains("… and 999\u{202f}976 tables of one."), "{svg}");
    let halves: Vec<u32> = (0..1_000_000_u32).map(|i| i.trailing_zeros()).collect();
    let svg = checked(restaurant(&halves));
    assert!(texts(&svg).contains(&"500\u{202f}000"), "{svg}");
    let fewest = restaurant(&halves[..1 << 19]);
    assert!(fewest.len() < MOST);
    let crowd: Vec<u32> = (0..300).map(|i| i % 24).collect();
    checked(restaurant(&crowd));
}

#[test]
fn paths_keep_what_is_seen() {
    let mut long = vec![0.0; 1_000_000];
    (long[123_456], long[654_321]) = (50.0, -70.0);
    let svg = checked(paths("Walks", "value", "", &vec![long; 20]));
    assert!(texts(&svg)[0].contains("the first 8 of 20"), "{svg}");
    // The axis includes both isolated values.
    assert!(texts(&svg).contains(&"−50") && texts(&svg).contains(&"50"), "{svg}");
    let odd = [f64::NAN, 1.0, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308];
    for path in [&odd[..], &odd[..1], &[]] {
        assert!(paths("Odd", "value", "", &[path.to_vec()]).len() < MOST);
    }
    assert!(paths("None", "value", "", &[]).len() < MOST);
}

fn whole(place: i64, exact: f64, simulated: u64) -> Mass {
    Mass { label: place.to_string(), place: Some(place), exact: Some(exact), simulated: Some(simulated) }
}

#[test]
fn masses_on_an_axis_and_in_lines() {
    let three = [whole(-1, 0.25, 20), whole(0, 0.5, 60), whole(1, 0.25, 20)];
    let svg = checked(bars("Three", &three, 100));
    for tip in ["<title>-1: 0.25</title>", "<title>0: 60 of 100</title>"] {
        assert!(svg.contains(tip), "{tip} is not in {svg}");
    }
    let named: Vec<Mass> =
        three.iter().map(|mass| Mass { place: None, label: "[<2>]".into(), ..mass.clone() }).collect();
    let svg = checked(bars("Named", &named, 100));
    assert!(svg.contains("[&lt;2&gt;]") && texts(&svg).contains(&"0.5"), "{svg}");
    // Neighboring values are combined, so that at most 120 columns remain. Here they have the same height.
    let many: Vec<Mass> =
        (0..120_000).map(|place| Mass { simulated: None, ..whole(place, 1.0 / 120_000.0, 0) }).collect();
    let svg = checked(bars("Many", &many, 0));
    // A thousandth of the 120000 places is omitted at the ends. The remaining ones, 60 to 119939, are 120
    // columns of 999.
    assert!(svg.contains("probability of 999 neighbouring outcomes"), "{svg}");
    // The ends of the type, no outcome, and invalid masses.
    for masses in [
        vec![whole(i64::MIN, 0.5, 1), whole(i64::MAX, 0.5, 1)],
        Vec::new(),
        vec![whole(0, f64::NAN, 0)],
        vec![whole(0, 0.0, 0), whole(5, -1.0, 0)],
    ] {
        assert!(bars("Odd", &masses, 0).len() < MOST);
    }
    let lines: Vec<Mass> = (0..1000).map(|i| Mass { place: None, ..whole(i, 1e-3, 1) }).collect();
    let svg = checked(bars("Lines", &lines, 1000));
    assert!(svg.contains("976 outcomes more, with a total of 0.976, are not drawn"), "{svg}");
}

/// Everything that can make a chart large: the maximum number of all elements, with the longest texts.
#[test]
fn the_largest_picture_of_each_kind_is_small() {
    let name = |letters: usize| "&".repeat(letters);
    let outcome = |place, i: u64| Mass {
        label: name(100_000),
        place,
        exact: Some(1.234_567_89e-5 * (1.0 + i as f64)),
        simulated: Some((1 << 62) + i),
    };
    let lines: Vec<Mass> = (0..1000).map(|i| outcome(None, i)).collect();
    let in_lines = checked(bars("Lines", &lines, u64::MAX));
    assert!(texts(&in_lines).iter().all(|text| text.chars().count() < 6 * 100), "{in_lines}");
    let spread = |i: u64| i64::MIN.wrapping_add((i * (u64::MAX / 1200)) as i64);
    let columns: Vec<Mass> = (0..1200).map(|i| outcome(Some(spread(i)), i)).collect();
    checked(bars("Columns", &columns, u64::MAX));

    let long = |i: u64| (0..1_000_000).map(|j| ((i + 7 * j) % 1013) as f64 * 1e299 - 5e301).collect();
    let all: Vec<Vec<f64>> = (0..9).map(long).collect();
    checked(paths("Paths", "value", "path ", &all));

    for tables in 1..=300 {
        checked(restaurant(&(0..300).map(|i| i % tables).collect::<Vec<_>>()));
    }
    checked(sticks(&vec![1.0 / 61.0; 1_000_000]));

    // Trees that are wide, deep, and both.
    fn grown(width: usize, depth: usize, words: &str) -> Tree {
        let branch = |_| Branch {
            label: words.into(),
            probability: Some(0.123_456_789),
            tree: grown(width, depth - 1, words),
        };
        let branches = if depth == 0 { Vec::new() } else { (0..width).map(branch).collect() };
        Tree { label: words.into(), branches }
    }
    for (width, depth) in [(1, 100), (2, 11), (3, 9), (20_000, 1), (140, 2)] {
        let svg = checked(tree(&grown(width, depth, &name(40))));
        let drawn = texts(&svg).iter().filter(|text| text.starts_with("&amp;")).count();
        assert!(drawn > 20 && svg.contains(" nodes not drawn."), "{drawn}");
    }
}

#[test]
fn sticks_that_are_broken() {
    let svg = checked(sticks(&[0.5, 0.25]));
    assert!(svg.contains("<title>piece 2: 0.25</title>") && svg.contains("all later pieces"), "{svg}");
    let halves: Vec<f64> = (1..10_000).map(|i| 0.5_f64.powi(i)).collect();
    assert!(checked(sticks(&halves)).contains("… and 9\u{202f}987 more breaks."));
    for odd in [&[][..], &[f64::NAN, -1.0, f64::INFINITY], &[1.0, 1.0]] {
        checked(sticks(odd));
    }
}

#[test]
fn trees_are_cut_where_there_is_no_room() {
    let leaf = |label: &str| Tree { label: label.into(), branches: Vec::new() };
    let branch = |label: &str, tree| Branch { label: label.into(), probability: Some(0.5), tree };
    let coin = Tree {
        label: "Bernoulli(0.5)".into(),
        branches: vec![branch("0", leaf("tails")), branch("1", leaf("heads"))],
    };
    let svg = checked(tree(&coin));
    for text in ["Bernoulli(0.5)", "0 (0.5)", "tails", "1 (0.5)", "heads"] {
        assert!(texts(&svg).contains(&text), "{text} is not in {svg}");
    }
    let wide = Tree {
        label: "wide".into(),
        branches: (0..10_000).map(|i| branch(&i.to_string(), leaf("x"))).collect(),
    };
    let svg = checked(tree(&wide));
    assert!(texts(&svg).contains(&"wide …"), "{svg}");
    assert!(texts(&svg).contains(&"… and 9\u{202f}880 nodes not drawn."), "{svg}");
    let deep = (0..100)
        .fold(leaf("end"), |tree, _| Tree { label: "step".into(), branches: vec![branch("0", tree)] });
    assert!(texts(&checked(tree(&deep))).contains(&"step …"));
}
