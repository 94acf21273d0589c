//! `hashwell devices`: the engines that can hash here, and why others cannot.

use crate::options::args::DevicesOptions;
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, write_line};
use hashwell_accel::engines::{Device, Engines};
use hashwell_document::chart::bytes;

pub(crate) fn run(options: &DevicesOptions) -> Result<u8, Failure> {
    let found = hashwell_accel::engines();
    let text = if options.json { json(&found) } else { table(&found) };
    write_line(text.as_bytes())?;
    Ok(SUCCESS)
}

fn json(found: &Engines) -> String {
    let device = |device: &Device| {
        serde_json::json!({
            "id": device.id, "kind": device.kind.name(), "name": device.name, "platform": device.platform,
            "driver": device.driver, "memory_bytes": device.memory, "units": device.units,
        })
    };
    let report = serde_json::json!({
        "devices": found.here.iter().map(device).collect::<Vec<_>>(),
        "absent": found.absent.iter()
            .map(|absent| serde_json::json!({ "prefix": absent.prefix, "reason": absent.reason }))
            .collect::<Vec<_>>(),
    });
    format!("{report}\n")
}

fn table(found: &Engines) -> String {
    let head = ["ID", "KIND", "UNITS", "MEMORY", "NAME", "PLATFORM"].map(str::to_owned);
    let number = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
    let row = |device: &Device| {
        [
            device.id.clone(),
            device.kind.name().to_owned(),
            number(device.units.map(|units| units.to_string())),
            number(device.memory.map(|memory| bytes(memory as f64))),
            line(&device.name),
            line(&format!("{} {}", device.platform, device.driver)),
        ]
    };
    let rows: Vec<[String; 6]> = std::iter::once(head).chain(found.here.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let [id, kind, units, memory, name, _] = std::array::from_fn(width);
    let written = |[a, b, c, d, e, f]: &[String; 6]| {
        format!("{a:<id$}  {b:<kind$}  {c:>units$}  {d:>memory$}  {e:<name$}  {f}\n")
    };
    let mut text: String = rows.iter().map(written).collect();
    if !found.absent.is_empty() {
        text += "\nNot here:\n";
    }
    for absent in &found.absent {
        text += &format!("{}: {}\n", absent.prefix, line(&absent.reason));
    }
    text
}

/// A driver's words, in one line.
fn line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
