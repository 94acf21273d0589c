//! `hashwell algorithms`: the registry, and the kernels that this CPU can run.

use crate::digests::engines::{Listed, claiming, list};
use crate::options::args::AlgorithmsOptions;
use crate::options::names::warning;
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, write_line};
use hashwell::registry::{Attack, Strength};
use hashwell::{ALGORITHMS, Algorithm, KernelInfo, Kind};
use std::time::Duration;

pub(crate) fn run(options: &AlgorithmsOptions) -> Result<u8, Failure> {
    let named: Result<Vec<&Algorithm>, _> = options.names.iter().map(|name| hashwell::find(name)).collect();
    let named = named.map_err(|error| Failure::Usage(error.to_string()))?;
    let text = match &named[..] {
        [] if options.json => json(ALGORITHMS.iter()),
        [] if options.strength => strengths(),
        [] => table(),
        named if options.json => json(named.iter().copied()),
        named => named.iter().map(|algorithm| details(algorithm)).collect::<Vec<_>>().join("\n"),
    };
    write_line(text.as_bytes())?;
    Ok(SUCCESS)
}

fn kind(algorithm: &Algorithm) -> &'static str {
    match algorithm.kind {
        Kind::Fixed => "digest",
        Kind::Xof => "stream",
    }
}

fn json(algorithms: impl Iterator<Item = &'static Algorithm>) -> String {
    let engines = list();
    let row = |a: &'static Algorithm| {
        let kernel = |k: &KernelInfo| {
            let speed = k.speed.map(|s| serde_json::json!({ "one_block": s.one_block, "long": s.long }));
            serde_json::json!({
                "name": k.name, "available": k.available, "chosen": k.chosen, "mb_per_second": speed,
            })
        };
        let choice = |(from, kernel): &(usize, &str)| serde_json::json!({ "from": from, "kernel": kernel });
        let microseconds = |took: Option<Duration>| took.map(|took| took.as_nanos() as f64 / 1e3);
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
            "strength": strength_json(&a.strength()),
            "kernels": a.kernels().iter().map(kernel).collect::<Vec<_>>(),
            "batch_kernels": a.batch_kernels().iter().map(kernel).collect::<Vec<_>>(),
            "engines": claiming(&engines, a),
            "by_number": choices(a).iter().map(choice).collect::<Vec<_>>(),
            "calibration_microseconds": {
                "kernels": microseconds(a.calibration().chain),
                "batch_kernels": microseconds(a.calibration().batch),
            },
        })
    };
    let rows: Vec<_> = algorithms.map(row).collect();
    format!("{}\n", serde_json::Value::from(rows))
}

fn strength_json(strength: &Strength) -> serde_json::Value {
    let attack = |a: &Attack| {
        serde_json::json!({
            "target": a.target.name(), "rounds": a.rounds, "work": a.work, "source": a.source, "year": a.year,
        })
    };
    serde_json::json!({
        "collision_bits": strength.collision,
        "preimage_bits": strength.preimage,
        "second_preimage_bits": strength.second_preimage,
        "second_preimage_shrinks_with_length": strength.shrinks_with_length,
        "length_extension": strength.length_extension,
        "rounds": strength.rounds,
        "margin": strength.margin(),
        "attacks": strength.attacks.iter().map(attack).collect::<Vec<_>>(),
        "standards": strength.standards,
    })
}

/// The strengths of all algorithms, one line each.
fn strengths() -> String {
    let mut text = "NAME            COLLISION PREIMAGE  MARGIN\n".to_owned();
    for algorithm in ALGORITHMS {
        let strength = algorithm.strength();
        let (collision, preimage) = (strength.collision, strength.preimage);
        text += &format!("{:<15} {collision:>9} {preimage:>8}  {}\n", algorithm.name, strength.margin());
    }
    text + "\nCOLLISION, PREIMAGE: strength in bits, with the default output. MARGIN: rounds\n\
            broken by published attacks on collision or preimage resistance, as of November\n\
            2026. 'hashwell algorithms NAME' names the attacks and their sources.\n"
}

/// All the facts about an algorithm that help to choose one.
fn details(algorithm: &Algorithm) -> String {
    let strength = algorithm.strength();
    let yes = |is: bool| if is { "yes" } else { "no" };
    let shrinks = if strength.shrinks_with_length { ", less for long messages" } else { "" };
    let mut text = format!("{} ({})\n", algorithm.title, algorithm.name);
    let mut line = |name: &str, value: &str| text += &wrapped(value, &format!("  {name:<18}"));
    line("source", algorithm.source);
    line("standards", strength.standards);
    line("status", algorithm.status.name());
    line("default output", &format!("{} bits", 8 * algorithm.output));
    line("collisions", &format!("{} bits", strength.collision));
    line("preimages", &format!("{} bits", strength.preimage));
    line("second preimages", &format!("{} bits{shrinks}", strength.second_preimage));
    line("length extension", yes(strength.length_extension));
    line("margin", &strength.margin());
    for attack in strength.attacks {
        let Attack { target, rounds, work, source, year, .. } = attack;
        let rounds = format!("{rounds} of {} rounds", strength.rounds);
        line("attack", &format!("{}, {rounds}, {work}: {source}, {year}", target.name()));
    }
    text
}

/// The number of columns of a terminal of the default size.
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
    text += "\nBLOCK: block size in bytes. BITS: size of the default output in bits.\n";
    for warning in ALGORITHMS.iter().filter_map(warning) {
        text += &format!("{warning}.\n");
    }
    text += "\nKernels: * marks those used on this CPU, and [] those that it can't run.\n";
    text += "Numbers are MB/s for long messages, measured to choose the fastest kernel. With\n";
    text += "HASHWELL_CALIBRATE=0, nothing is measured, and the order of the list decides.\n";
    let engines = list();
    if !engines.is_empty() {
        text += "\nEngines: devices other than the CPU, for 'hashwell sum --device' or the argument\n";
        text += "device of hash_many in Python. 'hashwell devices' describes them.\n";
    }
    text + &kernels(&engines)
}

/// Lists the kernels. Algorithms with the same kernels share an entry.
fn kernels(engines: &[Listed]) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for algorithm in ALGORITHMS {
        let many = marked(&algorithm.batch_kernels());
        let mut text = wrapped(&marked(&algorithm.kernels()), "  one message:   ");
        text += &wrapped(
            if many.is_empty() { "the same as for one message" } else { &many },
            "  many messages: ",
        );
        if !many.is_empty() {
            text += &wrapped(&by_number(algorithm), "  by number:     ");
        }
        let engines = claiming(engines, algorithm);
        if !engines.is_empty() {
            text += &wrapped(&engines.join(" "), "  engines:       ");
        }
        match groups.iter_mut().find(|group| group.0 == text) {
            Some(group) => group.1.push(algorithm.name),
            None => groups.push((text, vec![algorithm.name])),
        }
    }
    groups.iter().map(|(text, names)| format!("\n{}{text}", wrapped(&names.join(" "), ""))).collect()
}

/// The size in bytes of a message that counts as long for every algorithm.
const LONG: usize = 1 << 20;

/// The kernels for batches of long messages. Each entry has a kernel and the smallest number of messages for which it
/// is used. The largest number that is considered is one more than the lanes of the widest kernel.
fn choices(algorithm: &Algorithm) -> Vec<(usize, &'static str)> {
    let mut choices: Vec<(usize, &str)> = Vec::new();
    for messages in 1..=17 {
        let kernel = algorithm.kernel_for(messages, LONG);
        if choices.last().is_none_or(|(_, last)| *last != kernel) {
            choices.push((messages, kernel));
        }
    }
    choices
}

fn by_number(algorithm: &Algorithm) -> String {
    let choices: Vec<String> =
        choices(algorithm).iter().map(|(from, kernel)| format!("{from}{TIED}{kernel}")).collect();
    let took = algorithm.calibration();
    let took: Duration = [took.chain, took.batch].into_iter().flatten().sum();
    let measured =
        if took.is_zero() { String::new() } else { format!(" (measured in {} µs)", took.as_micros()) };
    choices.join(", ") + &measured
}

/// A non-breaking space.
const TIED: char = '\u{a0}';

/// Wraps a text to at most [`WIDTH`] columns. The first line begins with `begins`; the others are indented by its
/// length.
fn wrapped(words: &str, begins: &str) -> String {
    let mut text = begins.to_owned();
    let mut column = begins.len();
    for word in words.split(' ') {
        let width = word.chars().count();
        if column + width > WIDTH {
            text.truncate(text.trim_end().len());
            text += &format!("\n{:indent$}", "", indent = begins.len());
            column = begins.len();
        }
        text += &format!("{word} ");
        column += width + 1;
    }
    text.truncate(text.trim_end().len());
    text.replace(TIED, " ") + "\n"
}

fn marked(kernels: &[KernelInfo]) -> String {
    let name = |k: &KernelInfo| match (k.chosen, k.available) {
        (true, _) => format!("*{}", k.name),
        (false, true) => k.name.to_owned(),
        (false, false) => format!("[{}]", k.name),
    };
    let kernel =
        |k: &KernelInfo| name(k) + &k.speed.map_or_else(String::new, |s| format!("{TIED}{}", s.long));
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
