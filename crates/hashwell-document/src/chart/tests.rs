//! Tests of the text of charts: structure, escaping, colors. The appearance is checked by eye (`make test-browser`).

use super::*;
use crate::markup;

/// The names of all elements, in the order of their opening tags. Panics if the text is not well-formed.
pub(crate) fn elements(text: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut seen = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let content = &rest[..start];
        assert!(!content.contains('>'), "a bare '>' in {content:?}");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
        } else if !tag.starts_with('!') {
            assert_eq!(tag.matches('"').count() % 2, 0, "quotes in {tag:?}");
            let name = tag.trim_end_matches('/').split_whitespace().next().expect("a name").to_owned();
            seen.push(name.clone());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    seen
}

fn line(name: &str, ys: &[f64]) -> Layer {
    let point =
        |(i, y): (usize, &f64)| Point { x: 64.0 * 4_f64.powi(i as i32), y: *y, tip: format!("{y} & more") };
    Layer::new(name, Ink::Hue(0), Mark::Line(ys.iter().enumerate().map(point).collect()))
}

fn chart(layers: Vec<Layer>) -> Chart {
    Chart {
        id: "speed".into(),
        title: "Speed <by> size".into(),
        description: "Lines \"rise\"".into(),
        width: 760.0,
        height: 420.0,
        x: Axis::new("message", Scale::Log2, bytes),
        y: Axis::new("speed", Scale::Log10, number),
        layers,
        labels: Labels::Ends,
    }
}

#[test]
fn every_mark_is_drawn_and_everything_is_closed() {
    let layers = vec![
        Layer::new(
            "sizes",
            Ink::Faint,
            Mark::Backdrop(vec![((0.0, 64.0, 1.0), "1".into()), ((64.0, 128.0, 3.0), String::new())]),
        ),
        Layer::new("", Ink::Hue(0), Mark::Band(vec![(64.0, 1.0, 2.0), (256.0, 2.0, 4.0)])),
        line("SHA-256", &[1.5, 3.0, 4.0]),
        Layer::new(
            "ecdf",
            Ink::Hue(9),
            Mark::Stairs(vec![
                Point { x: 64.0, y: 1.0, tip: String::new() },
                Point { x: 128.0, y: 2.0, tip: String::new() },
            ]),
        ),
        Layer::new("dots", Ink::Strong, Mark::Points(vec![Point { x: 99.0, y: 2.0, tip: String::new() }])),
        Layer::new("t = 4.5", Ink::Alarm, Mark::Threshold(4.5)),
    ];
    let svg = chart(layers).svg();
    let names = elements(&svg);
    let count = |name: &str| names.iter().filter(|n| *n == name).count();
    assert_eq!(
        (count("svg"), count("style"), count("desc"), count("polygon"), count("path")),
        (1, 1, 1, 1, 2)
    );
    // The background, the two bins of the backdrop, and its sample in the legend.
    assert_eq!(count("rect"), 4);
    assert!(svg.contains("role=\"img\"") && svg.contains("aria-labelledby=\"speed-title speed-about\""));
    assert!(svg.contains("Speed &lt;by&gt; size") && svg.contains("4 &amp; more"));
    assert!(svg.contains("prefers-color-scheme:dark") && !svg.contains("<script"));
    // The only URL is the name of the XML namespace.
    assert_eq!(svg.matches("://").count(), 1);
}

#[test]
fn hostile_names_stay_text() {
    let hostile = "</text><script>alert('x')</script>\u{0}\"";
    let svg =
        chart(vec![line(hostile, &[1.0, 2.0]), Layer::new(hostile, Ink::Alarm, Mark::Threshold(1.0))]).svg();
    assert!(!elements(&svg).iter().any(|name| name == "script"));
    assert!(svg.contains(&markup::escape(hostile)));
}

#[test]
fn missing_values_interrupt_a_line_and_empty_charts_have_axes() {
    let svg = chart(vec![line("x", &[1.0, f64::NAN, 2.0, 0.0, 3.0, 4.0])]).markup();
    let path = svg.split(" d=\"").nth(1).and_then(|p| p.split('"').next()).unwrap();
    assert_eq!((path.matches('M').count(), path.matches('L').count()), (3, 1));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    assert!(elements(&chart(Vec::new()).svg()).contains(&"line".to_owned()));
}

/// The vertical positions of the texts that have the first color, in ascending order.
fn label_places(svg: &str) -> Vec<f64> {
    let value = |tag: &str, name: &str| -> f64 {
        tag.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let labels = svg.split("<text").skip(1).filter(|t| t.contains("\"hw-0\""));
    let mut places: Vec<f64> = labels.map(|t| value(t, "y")).collect();
    places.sort_by(f64::total_cmp);
    places
}

#[test]
fn labels_at_the_ends_do_not_overlap() {
    let layers =
        (0..20).map(|i| line(&format!("algorithm {i}"), &[1.0, 5.0 + 0.01 * f64::from(i)])).collect();
    let places = label_places(&chart(layers).markup());
    assert_eq!(places.len(), 20);
    assert!(places.windows(2).all(|p| p[1] - p[0] > FONT), "{places:?}");
    assert!(places[0] > 50.0 && places[19] < 400.0, "{places:?}");
}

#[test]
fn bars_have_lengths_whiskers_and_words() {
    let bar = |value: f64, from| Bar {
        label: "soft".into(),
        ink: Ink::Hue(1),
        value,
        interval: Some((0.9 * value, 1.1 * value)),
        down_from: from,
        text: "×2".into(),
        tip: "a < b".into(),
    };
    let bars = Bars {
        id: "kernels".into(),
        title: "Kernels".into(),
        description: "Shorter is faster".into(),
        width: 600.0,
        label: "cycles per byte".into(),
        format: number,
        groups: vec![
            BarGroup { name: "SHA-256".into(), bars: vec![bar(8.0, None), bar(4.0, Some(8.0))] },
            BarGroup { name: String::new(), bars: vec![bar(0.0, None)] },
        ],
        legend: vec![("this".into(), Ink::Hue(1))],
    };
    let svg = bars.svg();
    let names = elements(&svg);
    // The background, the legend, three bars, and the saved part of one of them.
    assert_eq!(names.iter().filter(|n| *n == "rect").count(), 6);
    assert!(svg.contains("a &lt; b") && !svg.contains("NaN"));
    let width = |n: usize| -> f64 {
        svg.split("hw-fill hw-1").nth(n).map(|_| ()).unwrap();
        let before = svg.split("hw-fill hw-1").nth(n - 1).unwrap();
        before.rsplit("width=\"").next().unwrap().split('"').next().unwrap().parse().unwrap()
    };
    // The first rectangle is the sample in the legend. Of the two bars after it, the first has twice the value, so it
    // has twice the length.
    assert!((width(2) / width(3) - 2.0).abs() < 0.01);
    assert_eq!(width(4), 0.0);
    let empty = Bars { groups: Vec::new(), legend: Vec::new(), ..bars };
    elements(&empty.svg());
}

/// The estimated left and right ends of all texts.
fn text_ends(svg: &str) -> Vec<(f64, f64, String)> {
    let texts = svg.split("<text ").skip(1).map(|text| {
        let value = |name: &str| text.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap();
        let (x, words): (f64, _) = (value("x").parse().unwrap(), text.split(['>', '<']).nth(1).unwrap());
        let size = if value("class") == "hw-title" { TITLE } else { FONT };
        let wide = text::width(words, size);
        let left = match value("text-anchor") {
            "middle" => x - 0.5 * wide,
            "end" => x - wide,
            _ => x,
        };
        (left, left + wide, words.to_owned())
    });
    texts.collect()
}

#[test]
fn narrow_pictures_have_room_for_their_words() {
    let layers =
        (0..12).map(|i| line(&format!("SHA-1, broken; Ascon-XOF128 +{i}"), &[1.0, 5.0, 90.0])).collect();
    let narrow =
        Chart { title: "Speed by message size, one thread, hashwell".into(), ..chart(layers) }.narrow();
    let bar = |label: &str| Bar {
        label: label.into(),
        ink: Ink::Hue(0),
        value: 3.0,
        interval: Some((2.9, 3.1)),
        down_from: Some(9.0),
        text: "3.21 (÷ 12.50)".into(),
        tip: String::new(),
    };
    let bars = Bars {
        id: "b".into(),
        title: "2018 and here, 1 KiB: laptop, Intel i7-6600U, 2.60 GHz, and this machine".into(),
        description: "d".into(),
        width: 960.0,
        label: "core cycles per byte; pale: saved against the line above; whiskers: 95 % interval".into(),
        format: number,
        groups: vec![BarGroup {
            name: "TurboSHAKE128 of somebody".into(),
            bars: vec![bar("a"), bar("OpenSSL; low-level")],
        }],
        legend: vec![("what git uses".into(), Ink::Strong), ("hashwell".into(), Ink::Hue(0))],
    };
    for (svg, all) in [(narrow.markup(), 12 + 2), (bars.narrow().markup(), 2 + 3)] {
        assert!(svg.contains("viewBox=\"0 0 360 ") && svg.contains("-narrow-title\""));
        let ends = text_ends(&svg);
        assert!(ends.len() > all, "{ends:?}");
        for (left, right, words) in ends {
            assert!(left >= 0.0 && right <= NARROW + 1.0, "{words} from {left} to {right}");
            assert!(!words.ends_with('…'), "{words}");
        }
        elements(&svg);
    }
}

// ----------------------------------------------------------------------------------------- colours

fn rgb(hex: &str) -> [f64; 3] {
    [1, 3, 5].map(|i| f64::from(u8::from_str_radix(&hex[i..i + 2], 16).unwrap()) / 255.0)
}

fn linear(channel: f64) -> f64 {
    if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
}

/// The relative luminance as defined in WCAG 2.2.
fn luminance(hex: &str) -> f64 {
    let [r, g, b] = rgb(hex).map(linear);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn colours_stand_out_from_the_paper() {
    for (class, light, dark) in PALETTE.iter().chain(TONES.iter().filter(|t| t.0 != "hw-grid")) {
        // 3 : 1 for graphics, and 4.5 : 1 for text.
        let least = if matches!(*class, "hw-strong" | "hw-alarm" | "hw-quiet") { 4.5 } else { 3.0 };
        assert!(contrast(light, PAPER.0) >= least, "{class} on white: {}", contrast(light, PAPER.0));
        assert!(contrast(dark, PAPER.1) >= least, "{class} on black: {}", contrast(dark, PAPER.1));
    }
}

/// The colors that people without one kind of cones see: Machado, Oliveira and Fernandes (2009), severity 1.
const DEFICIENCIES: [[[f64; 3]; 3]; 3] = [
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
];

/// CIE 1976 L*a*b* of linear sRGB, with D65.
fn lab(rgb: [f64; 3]) -> [f64; 3] {
    const XYZ: [[f64; 3]; 3] = [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ];
    let f = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    let [x, y, z] = multiply(XYZ, rgb);
    let (x, y, z) = (f(x / 0.95047), f(y), f(z / 1.08883));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn multiply(matrix: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(v).map(|(m, v)| m * v).sum::<f64>())
}

/// The smallest distance between two of these colors, for any kind of vision.
fn nearest(colours: &[&str]) -> f64 {
    let mut nearest = f64::INFINITY;
    let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for eyes in DEFICIENCIES.into_iter().chain([identity]) {
        let seen: Vec<[f64; 3]> = colours
            .iter()
            .map(|c| lab(multiply(eyes, rgb(c).map(linear)).map(|v| v.clamp(0.0, 1.0))))
            .collect();
        for (i, a) in seen.iter().enumerate() {
            for b in &seen[..i] {
                nearest = nearest.min(a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt());
            }
        }
    }
    nearest
}

#[test]
fn the_first_colours_differ_for_colour_blind_readers() {
    for mode in [PALETTE.map(|c| c.1), PALETTE.map(|c| c.2)] {
        assert!(nearest(&mode[..4]) > 20.0, "{}", nearest(&mode[..4]));
        assert!(nearest(&mode) > 15.0, "{}", nearest(&mode));
    }
    // As a control, red and green of the same lightness are not far enough apart.
    assert!(nearest(&["#c05050", "#6a8540"]) < 12.0);
}

#[test]
fn drawings_hold_every_shape_and_need_no_ids() {
    let mut drawing = Drawing::new("Shapes <2>", "All of them", 300.0);
    let top = drawing.top();
    drawing.circle((20.0, top), 10.0, Ink::Hue(0), Fill::Wash, "a \"tip\"");
    drawing.circle((50.0, top), 10.0, Ink::Faint, Fill::Dashed, "");
    drawing.rectangle((80.0, top), (10.0, 5.04), Ink::Hue(1), Fill::Full, "");
    drawing.branch((0.0, 0.0), (10.0, 8.0), Ink::Faint);
    drawing.text((20.0, top), Anchor::Middle, Letters::Small, "a & b");
    let svg = drawing.svg(100.0);
    let names = elements(&svg);
    let count = |name: &str| names.iter().filter(|n| *n == name).count();
    let counts = ["svg", "style", "desc", "circle", "rect", "path", "text", "title"].map(count);
    assert_eq!(counts, [1, 1, 1, 2, 2, 1, 2, 2]);
    assert!(
        svg.contains("M0 0C5 0 5 8 10 8") && svg.contains("a &amp; b") && svg.contains("dy=\".35em\""),
        "{svg}"
    );
    assert!(!svg.contains("id=") && !svg.contains("aria-labelledby"), "{svg}");
}

#[test]
fn columns_stand_on_zero_and_whiskers_span() {
    let columns = Mark::Columns(vec![((0.0, 1.0, 2.0), "two".into()), ((1.0, 2.0, -1.0), String::new())]);
    let whiskers = Mark::Whiskers(vec![(0.5, 1.0, 3.0)]);
    let svg = Chart {
        x: Axis::new("x", Scale::Linear, number),
        y: Axis::new("y", Scale::Linear, number),
        ..chart(vec![Layer::new("mass", Ink::Hue(0), columns), Layer::new("", Ink::Hue(1), whiskers)])
    }
    .svg();
    let number = |tag: &str, name: &str| {
        let (_, text) = tag.split_once(&format!(" {name}=\"")).unwrap();
        text.split('"').next().unwrap().parse::<f64>().unwrap()
    };
    let rects: Vec<[f64; 4]> = svg
        .split("<rect")
        .skip(1)
        .filter(|rect| rect.contains("hw-wash") && !rect.contains("height=\"10\""))
        .map(|rect| ["x", "width", "y", "height"].map(|name| number(rect, name)))
        .collect();
    let [[left, wide, top, tall], [_, _, zero, deep]] = rects[..] else { panic!("{rects:?}") };
    assert!((top + tall - zero).abs() < 0.2 && (tall - 2.0 * deep).abs() < 0.3, "{rects:?}");
    // The whisker goes from 1 up to 3, in the middle of the first column.
    let lines: Vec<&str> = svg.split("<line").skip(1).filter(|line| line.contains("hw-thin hw-1")).collect();
    let [whisker] = lines[..] else { panic!("{lines:?}") };
    let [low, high] = ["y1", "y2"].map(|name| (zero - number(whisker, name)) / deep);
    assert!((low - 1.0).abs() < 0.01 && (high - 3.0).abs() < 0.01, "{low} {high}");
    assert!((number(whisker, "x1") - left - 0.5 * wide).abs() < 1.0, "{whisker}");
}
