//! Tests of devices that fail, as far as a simulated device can show it. `tests/gpu.rs` tests the results of real
//! devices.

mod simulated;

use super::batch::Sharing;
use super::device::{Gpu, Listed, devices, listed};
use super::error::Error;
use super::host::{Host, Kind};
use super::program::SHA256;
use super::rows::Source;
use super::slot::Room;
use super::work::Work;
use super::workers::{Shared, Workers};
use hashwell::engine::Engine;
use hashwell::{Params, find};
use simulated::{Absent, Faults, SOUND, Simulated};
use std::sync::OnceLock;

/// Returns the device for tests that need kernels: the one named by `HASHWELL_DEVICE`, or any device. Returns `None` if
/// there is no device and none is named.
pub(super) fn real_device() -> Option<&'static Gpu> {
    static OPEN: OnceLock<Option<Gpu>> = OnceLock::new();
    let open = || {
        let named = std::env::var("HASHWELL_DEVICE").ok();
        let listed = || {
            devices().into_iter().find_map(|listed| match listed {
                Listed::Device(device) => Some(device.id.to_string()),
                Listed::Nothing { .. } => None,
            })
        };
        named.or_else(listed).map(|name| Gpu::open(&name).unwrap())
    };
    OPEN.get_or_init(open).as_ref()
}

fn open(faults: Faults) -> Result<Gpu, Error> {
    Gpu::open_of(&[&Simulated(vec![faults])], "simulated:0")
}

/// Returns contiguous messages with lengths that rise and fall.
fn messages(count: u64) -> (Vec<u8>, Vec<u64>) {
    let offsets: Vec<u64> =
        (0..=count).scan(0, |end, i| Some(std::mem::replace(end, *end + i * 37 % 301))).collect();
    let bytes = (0..*offsets.last().unwrap()).map(|i| (i % 251) as u8).collect();
    (bytes, offsets)
}

fn expected(row: &str, data: &[u8], offsets: &[u64]) -> Vec<u8> {
    let many = find(row).unwrap().many(&Params::default()).unwrap();
    let cut = |pair: &[u64]| &data[pair[0] as usize..pair[1] as usize];
    many.digest(&offsets.windows(2).map(cut).collect::<Vec<_>>())
}

const SHARED: Sharing = Sharing { threads: Some(2), break_even: Some(0) };

/// Hashes a batch and checks the digests.
fn batch(gpu: &Gpu, row: &str, count: u64, sharing: Sharing) -> Result<Shared, Error> {
    let (data, offsets) = messages(count);
    let mut out = vec![0; 32 * count as usize];
    let shared = gpu.hash_batch_shared(row, &data, &offsets, &mut out, sharing)?;
    assert!(out == expected(row, &data, &offsets), "{row}: {shared:?}");
    assert_eq!(shared.on_device + shared.on_cpu, count as usize, "{shared:?}");
    Ok(shared)
}

#[test]
fn devices_of_one_name_have_numbers() {
    let two = Simulated(vec![SOUND, Faults { wrong: "sha256", ..SOUND }]);
    let hosts: [&dyn Host; 3] = [&two, &Absent, &Simulated(vec![])];
    let listed = listed(&hosts);
    let [
        Listed::Device(first),
        Listed::Device(second),
        Listed::Nothing { host, reason },
        Listed::Nothing { .. },
    ] = &listed[..]
    else {
        panic!("{listed:?}")
    };
    assert_eq!(
        (&*first.id, &*second.id, &*first.name, &*second.name),
        ("simulated:0", "simulated:1", "a card", "a card")
    );
    assert_eq!((*host, &**reason), ("absent", "no library is installed"));
    assert_eq!(&*Gpu::open_of(&hosts, "simulated:0").unwrap().described().id, "simulated:0");
    // The second name opens a different device, whose digests are wrong.
    assert!(matches!(Gpu::open_of(&hosts, "simulated:1"), Err(Error::WrongDigest { .. })));
}

#[test]
fn what_cannot_be_opened_is_said_in_a_line() {
    let host = Simulated(vec![SOUND]);
    let hosts: [&dyn Host; 2] = [&host, &Absent];
    let long = "x".repeat(1000);
    let numbers = ["simulated:1", "simulated:-1", "simulated:+0", "simulated:00", "simulated:x"];
    for name in ["", "simulated", "opencl", "cuda:99", &long].into_iter().chain(numbers) {
        let error = Gpu::open_of(&hosts, name).unwrap_err();
        assert!(matches!(error, Error::UnknownDevice { .. }), "{name}: {error:?}");
        let line = error.to_string();
        assert!(line.contains("available: simulated:0, a card; no absent devices: no library"), "{line}");
        assert!(line.len() < 300 && !line.contains('\n'), "{line}");
    }
    let line = Gpu::open_of(&hosts, "a\nb\u{1b}[2J").unwrap_err().to_string();
    assert!(line.starts_with("no device 'a b [2J' (available: "), "{line}");
    let line = Gpu::open_of(&hosts, "absent:0").unwrap_err().to_string();
    assert_eq!(line, "no absent devices: no library is installed");
    let line = Gpu::open_of(&[], "opencl:0").unwrap_err().to_string();
    assert_eq!(line, "no device 'opencl:0' (this build supports no devices)");
}

#[test]
fn a_compilers_log_is_cut() {
    let log = "\n\n<program>:3:1: error: no\twords\n  ^\n\nmore\nand\nmuch more\n";
    let line = open(Faults { log: Some(log), ..SOUND }).unwrap_err().to_string();
    assert_eq!(line, "simulated:0 cannot compile the program: <program>:3:1: error: no words; ^; more; and");
    let log: &str = "x".repeat(5000).leak();
    assert!(open(Faults { log: Some(log), ..SOUND }).unwrap_err().to_string().len() < 350);
}

#[test]
fn a_device_that_is_wrong_is_refused() {
    let line = open(Faults { wrong: "sha256", ..SOUND }).unwrap_err().to_string();
    assert_eq!(line, "simulated:0 can't be used: its 'sha256' result for 0 bytes is wrong");
    // A program is tested at its first use.
    let gpu = open(Faults { wrong: "sha256-90r", ..SOUND }).unwrap();
    assert_eq!(batch(&gpu, "sha256", 500, Sharing::device_alone()).unwrap().on_device, 500);
    let shared = batch(&gpu, "sha256-90r", 500, SHARED).unwrap();
    assert!(matches!(shared.failure, Some(Error::WrongDigest { .. })), "{shared:?}");
    assert_eq!(shared.on_device, 0);
    let alone = batch(&gpu, "sha256-90r", 500, Sharing::device_alone());
    assert!(matches!(alone, Err(Error::WrongDigest { .. })), "{alone:?}");
}

#[test]
fn the_device_alone_does_all_and_in_company_some() {
    let gpu = open(SOUND).unwrap();
    for row in ["sha256", "sha256-90r"] {
        for count in [0, 1, 2, 300, 5000] {
            let shared = batch(&gpu, row, count, Sharing::device_alone()).unwrap();
            assert_eq!((shared.on_device, shared.failure), (count as usize, None));
        }
    }
    // With one CPU thread and so many messages, both the device and the CPU hash some, regardless of which is faster.
    let sharing = Sharing { threads: Some(1), break_even: Some(0) };
    let shared = batch(&gpu, "sha256", 60_000, sharing).unwrap();
    assert!(shared.on_device > 0 && shared.on_cpu > 0 && shared.failure.is_none(), "{shared:?}");
    // Below the break-even, the device is not used.
    let sharing = Sharing { threads: Some(1), break_even: Some(u64::MAX) };
    assert_eq!(batch(&gpu, "sha256", 5000, sharing).unwrap().on_device, 0);
}

#[test]
fn a_device_that_is_lost_leaves_its_work_to_the_processor() {
    for panics in [false, true] {
        // Opening the device takes three launches.
        let gpu = open(Faults { launches: 3 + 4, panics, ..SOUND }).unwrap();
        assert!(gpu.available().is_ok());
        let alone = batch(&gpu, "sha256", 20_000, Sharing::device_alone()).unwrap_err();
        assert!(matches!(alone, Error::Lost { .. }), "{alone:?}");
        assert!(gpu.available().is_err());

        let gpu = open(Faults { launches: 3 + 4, panics, ..SOUND }).unwrap();
        // This is so much work that the device is certain to fail.
        let sharing = Sharing { threads: Some(1), break_even: Some(0) };
        let shared = batch(&gpu, "sha256", 200_000, sharing).unwrap();
        assert!(matches!(shared.failure, Some(Error::Lost { .. })), "{shared:?}");
        assert!(shared.on_cpu > 0, "{shared:?}");
        let again = batch(&gpu, "sha256", 1000, SHARED).unwrap();
        assert_eq!((again.on_device, again.failure), (0, shared.failure));
    }
}

#[test]
fn a_full_device_is_an_error_or_does_one_piece_after_the_other() {
    let line = open(Faults { memory: 1000, ..SOUND }).unwrap_err().to_string();
    assert_eq!(line, "simulated:0 does not have 66560 bytes of free memory");
    // There is room for only one slot.
    let one_slot = 66_560 + 8 * 1024 + 32 * 1024;
    let gpu = open(Faults { memory: one_slot, ..SOUND }).unwrap();
    assert_eq!(batch(&gpu, "sha256", 20_000, Sharing::device_alone()).unwrap().on_device, 20_000);
}

#[test]
fn a_driver_that_panics_while_a_device_is_opened_is_an_error() {
    let error = open(Faults { launches: 2, panics: true, ..SOUND }).unwrap_err();
    assert_eq!(error.to_string(), "simulated:0 failed: it panicked: a driver's bug");
}

/// For any memory size that a device reports, a message of `Room::bytes` bytes fits into a slot.
#[test]
fn room_is_whole_blocks_of_any_memory() {
    for kind in [Kind::Gpu, Kind::Cpu, Kind::Other] {
        for memory in [0, 1, 8 * 65_537 + 7, 8 * 1_000_001, 1 << 28, u64::MAX] {
            let room = Room::of(kind, memory);
            assert!(room.bytes.is_multiple_of(64) && room.rows == room.bytes / 64, "{memory}: {room:?}");
            assert!((1 << 16..=32 << 20).contains(&room.bytes), "{memory}: {room:?}");
        }
    }
}

#[test]
fn feeders_without_memory_leave_the_work_to_the_others() {
    let one_slot = 66_560 + 8 * 1024 + 32 * 1024;
    let gpu = open(Faults { memory: one_slot, ..SOUND }).unwrap();
    let (data, offsets) = messages(20_000);
    let mut out = vec![0; 32 * 20_000];
    let source = Source::arrow(&data, &offsets).unwrap();
    let order: Vec<usize> = (0..20_000).collect();
    let crew = Workers::new(&gpu, &SHA256, Work::new(source, Some(&order), &mut out), true);
    assert_eq!(crew.run(0, 4).unwrap().on_device, 20_000);
    assert!(out == expected("sha256", &data, &offsets));
    // If a CPU thread also hashes, the lack of room for more slots is not a failure either, as long as a feeder feeds
    // the device.
    let crew = Workers::new(&gpu, &SHA256, Work::new(source, Some(&order), &mut out), false);
    let shared = crew.run(1, 4).unwrap();
    assert!(shared.failure.is_none() || shared.on_device == 0, "{shared:?}");
}

#[test]
fn refused_threads_leave_the_work_to_the_caller() {
    let gpu = open(SOUND).unwrap();
    let (data, offsets) = messages(20_000);
    let source = Source::arrow(&data, &offsets).unwrap();
    let order: Vec<usize> = (0..20_000).collect();
    for (alone, allowed) in [(true, 0), (true, 1), (false, 0), (false, 1), (false, 2)] {
        let mut out = vec![0; 32 * 20_000];
        let crew = Workers::new(&gpu, &SHA256, Work::new(source, Some(&order), &mut out), alone);
        let run = || crew.run(if alone { 0 } else { 3 }, 4);
        let shared = hashwell_work::refuse_threads(allowed, run).unwrap();
        assert_eq!(shared.on_device + shared.on_cpu, 20_000, "{alone} {allowed}");
        assert!(out == expected("sha256", &data, &offsets), "{alone} {allowed}");
    }
}

#[test]
fn long_messages_are_the_processors() {
    let gpu = open(SOUND).unwrap();
    let data = vec![7; 200_000];
    let offsets = [0, 10, 100_000, 100_001, 200_000];
    let mut out = vec![0; 128];
    let shared = gpu.hash_batch_shared("sha256", &data, &offsets, &mut out, SHARED).unwrap();
    assert!(shared.on_cpu >= 2 && out == expected("sha256", &data, &offsets), "{shared:?}");
    let alone = gpu.hash_batch_shared("sha256", &data, &offsets, &mut out, Sharing::device_alone());
    assert_eq!(
        alone.unwrap_err().to_string(),
        "simulated:0 accepts messages of at most 65536 bytes, not 99990"
    );
    // 4 GiB that are never touched.
    let huge = vec![0; 1 << 32];
    let alone =
        gpu.hash_batch_shared("sha256", &huge, &[0, 1 << 32], &mut out[..32], Sharing::device_alone());
    let line = alone.unwrap_err().to_string();
    assert_eq!(line, "simulated:0 accepts messages of at most 65536 bytes, not 4294967296");
}

#[test]
fn a_batch_that_is_none_is_refused() {
    let gpu = open(SOUND).unwrap();
    let lines = [
        (
            gpu.hash_batch("sha512", b"", &[0], &mut []),
            "devices don't support 'sha512' (they support sha256, sha256-90r)",
        ),
        (
            gpu.hash_batch("sha256", b"", &[], &mut []),
            "the list of offsets is empty: it must have at least 1 entry",
        ),
        (gpu.hash_batch("sha256", b"abc", &[0, 2, 1], &mut [0; 64]), "offset 2 must be at least 2, not 1"),
        (
            gpu.hash_batch("sha256", b"abc", &[0, u64::MAX], &mut [0; 32]),
            "offset 1 must be at most 3, not 18446744073709551615",
        ),
        (gpu.hash_batch("sha256", b"abc", &[0, 3], &mut [0; 31]), "the output must have 32 bytes, not 31"),
    ];
    for (given, line) in lines {
        assert_eq!(given.unwrap_err().to_string(), line);
    }
}

#[test]
fn the_contract_of_engines_holds_for_a_simulated_device() {
    let gpu = open(SOUND).unwrap();
    // The batches of this check contain messages of 65,537 bytes, one more than there is room for.
    let breach = hashwell::engine::check(&gpu).unwrap_err().to_string();
    assert!(breach.contains("accepts messages of at most 65536 bytes, not 65537"), "{breach}");
}
