//! `hashwell devices`: the devices that can hash on this machine, and the reasons why other devices cannot.

use crate::digests::engines::why_absent;
use crate::options::args::DevicesOptions;
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, write_line};
use hashwell_accel::engines::{Absent, Device, Engines};
use hashwell_document::chart::bytes;
use hashwell_document::table::{Align, Table};

pub(crate) fn run(options: &DevicesOptions) -> Result<u8, Failure> {
    let found = hashwell_accel::engines();
    let text = if options.json { json(&found) } else { table(&found).text() };
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
            .map(|absent| serde_json::json!({ "prefix": absent.prefix, "reason": why_absent(absent.prefix, &absent.reason) }))
            .collect::<Vec<_>>(),
    });
    format!("{report}\n")
}

/// A table of the available devices, followed by the reasons why other kinds are missing.
fn table(found: &Engines) -> Table {
    let head = [
        ("id", Align::Left),
        ("kind", Align::Left),
        ("units", Align::Right),
        ("memory", Align::Right),
        ("name", Align::Left),
        ("platform", Align::Left),
    ];
    let number = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
    let row = |device: &Device| {
        vec![
            device.id.clone(),
            device.kind.name().to_owned(),
            number(device.units.map(|units| units.to_string())),
            number(device.memory.map(|memory| bytes(memory as f64))),
            device.name.clone(),
            format!("{} {}", device.platform, device.driver),
        ]
    };
    let why = |absent: &Absent| format!("{}: {}", absent.prefix, why_absent(absent.prefix, &absent.reason));
    Table {
        title: "Devices that can hash on this machine, and the reasons why others are missing".to_owned(),
        head: head.map(|(name, align)| (name.to_owned(), align)).to_vec(),
        rows: found.here.iter().map(row).collect(),
        notes: found.absent.iter().map(why).collect(),
    }
}
