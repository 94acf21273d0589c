//! `hashwell algorithms`: the registry, and what this CPU runs.

use crate::options::args::AlgorithmsOptions;
use crate::options::names::warning;
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, write_line};
use hashwell::{ALGORITHMS, Algorithm, KernelInfo, Kind};

pub(crate) fn run(options: &AlgorithmsOptions) -> Result<u8, Failure> {
    let text = if options.json { json() } else { table() };
    write_line(text.as_bytes())?;
    Ok(SUCCESS)
}

fn kind(algorithm: &Algorithm) -> &'static str {
    match algorithm.kind {
        Kind::Fixed => "digest",
        Kind::Xof => "stream",
    }
}

fn json() -> String {
    let row = |a: &Algorithm| {
        let kernel = |k: &KernelInfo| serde_json::json!({ "name": k.name, "available": k.available, "chosen": k.chosen });
        serde_json::json!({
            "name": a.name,
            "title": a.title,
            "aliases": a.aliases,
            "kind": kind(a),
            "status": a.status.name(),
            "block_bytes": a.block,
            "output_bits": 8 * a.output,
            "hmac": a.hmac,
            "source": a.source,
            "kernels": a.kernels().iter().map(kernel).collect::<Vec<_>>(),
            "batch_kernels": a.batch_kernels().iter().map(kernel).collect::<Vec<_>>(),
        })
    };
    let rows: Vec<_> = ALGORITHMS.iter().map(row).collect();
    format!("{}\n", serde_json::Value::from(rows))
}

/// Columns of a terminal that nobody has widened.
const WIDTH: usize = 80;

fn table() -> String {
    let head = ["NAME", "KIND", "STATUS", "BLOCK", "BITS", "SOURCE"].map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(head).chain(ALGORITHMS.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let [name, kind, status, block, bits, _] = std::array::from_fn(width);
    let line = |row: &[String; 6]| {
        let [a, b, c, d, e, f] = row;
        format!("{a:<name$}  {b:<kind$}  {c:<status$}  {d:>block$}  {e:>bits$}  {f}\n")
    };
    let mut text: String = rows.iter().map(line).collect();
    text += "\nBLOCK: bytes per compression or permutation. BITS: default output.\n";
    for warning in ALGORITHMS.iter().filter_map(warning) {
        text += &format!("{warning}.\n");
    }
    text += "\nKernels, fastest first: * is chosen on this CPU, [] needs another CPU.\n";
    text + &kernels()
}

/// Algorithms that have the same kernels stand together.
fn kernels() -> String {
    let mut groups: Vec<(String, String, Vec<&str>)> = Vec::new();
    for algorithm in ALGORITHMS {
        let (one, many) = (marked(&algorithm.kernels()), marked(&algorithm.batch_kernels()));
        match groups.iter_mut().find(|group| (&group.0, &group.1) == (&one, &many)) {
            Some(group) => group.2.push(algorithm.name),
            None => groups.push((one, many, vec![algorithm.name])),
        }
    }
    let group = |(one, many, names): &(String, String, Vec<&str>)| {
        let many = if many.is_empty() { "as one message" } else { many };
        let names = wrapped(&names.join(" "), "");
        format!("\n{names}{}{}", wrapped(one, "  one message:   "), wrapped(many, "  many messages: "))
    };
    groups.iter().map(group).collect()
}

/// Lines of at most [`WIDTH`] columns; what `begins` the first indents the others.
fn wrapped(words: &str, begins: &str) -> String {
    let mut text = begins.to_owned();
    let mut column = begins.len();
    for word in words.split(' ') {
        if column + word.len() > WIDTH {
            text.truncate(text.trim_end().len());
            text += &format!("\n{:indent$}", "", indent = begins.len());
            column = begins.len();
        }
        text += &format!("{word} ");
        column += word.len() + 1;
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

fn marked(kernels: &[KernelInfo]) -> String {
    let kernel = |k: &KernelInfo| match (k.chosen, k.available) {
        (true, _) => format!("*{}", k.name),
        (false, true) => k.name.to_owned(),
        (false, false) => format!("[{}]", k.name),
    };
    kernels.iter().map(kernel).collect::<Vec<_>>().join(" ")
}

fn row(a: &Algorithm) -> [String; 6] {
    [
        a.name.to_owned(),
        kind(a).to_owned(),
        a.status.name().to_owned(),
        a.block.to_string(),
        (8 * a.output).to_string(),
        a.source.to_owned(),
    ]
}
