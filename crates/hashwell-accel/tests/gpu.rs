//! Tests the computations of a device: the one that `HASHWELL_DEVICE` names, or the first one found. `make test-gpu`
//! runs this on PoCL, which is OpenCL on the CPU.
#![cfg(any(feature = "opencl", feature = "cuda"))]

use hashwell::{Params, engine, find};
use hashwell_accel::gpu::{Error, Gpu, Listed, Sharing, Ticket, devices};
use std::sync::OnceLock;

/// `None` if there is no device and none was requested.
fn device() -> Option<&'static Gpu> {
    static OPEN: OnceLock<Option<Gpu>> = OnceLock::new();
    let open = || {
        let listed = || {
            devices().into_iter().find_map(|listed| match listed {
                Listed::Device(device) => Some(device.id.to_string()),
                _ => None,
            })
        };
        let name = std::env::var("HASHWELL_DEVICE").ok().or_else(listed);
        if name.is_none() {
            eprintln!("SKIPPED: no device: {:?}", devices());
        }
        name.map(|name| Gpu::open(&name).unwrap())
    };
    OPEN.get_or_init(open).as_ref()
}

fn bytes(count: usize) -> Vec<u8> {
    let mut word = 1_u32;
    let mut next = || {
        word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (word >> 24) as u8
    };
    (0..count).map(|_| next()).collect()
}

fn expected(row: &str, data: &[u8], offsets: &[u64]) -> Vec<u8> {
    let many = find(row).unwrap().many(&Params::default()).unwrap();
    let cut = |pair: &[u64]| &data[pair[0] as usize..pair[1] as usize];
    many.digest(&offsets.windows(2).map(cut).collect::<Vec<_>>())
}

/// Checks that the digests of the batch are right and that the device computed all of them.
fn compare(gpu: &Gpu, row: &str, data: &[u8], offsets: &[u64]) {
    let mut out = vec![0; 32 * (offsets.len() - 1)];
    let shared = gpu.hash_batch_shared(row, data, offsets, &mut out, Sharing::device_alone()).unwrap();
    assert_eq!(shared.on_device, offsets.len() - 1);
    let expected = expected(row, data, offsets);
    if let Some(i) = (0..out.len()).find(|i| out[*i] != expected[*i]) {
        let (begin, end) = (offsets[i / 32], offsets[i / 32 + 1]);
        panic!("{row}: message {}, {} bytes from {begin} on", i / 32, end - begin);
    }
}

fn offsets_of(first: u64, lengths: impl Iterator<Item = u64>) -> Vec<u64> {
    std::iter::once(first)
        .chain(lengths.scan(first, |end, len| {
            *end += len;
            Some(*end)
        }))
        .collect()
}

/// Tests every length at every alignment, in the given order and sorted by the device. A piece begins at its first
/// message, so the length of that message shifts the alignment of the others.
#[test]
fn every_length_from_every_byte() {
    let Some(gpu) = device() else { return };
    let data = bytes(50_000);
    for row in ["sha256", "sha256-90r"] {
        for first in 0..16 {
            compare(gpu, row, &data, &offsets_of(3, std::iter::once(first).chain(0..=300)));
        }
        compare(gpu, row, &data, &offsets_of(3, (0..=300).rev()));
    }
}

#[test]
fn long_messages_and_a_million_short_ones() {
    let Some(gpu) = device() else { return };
    let data = bytes(60_000_000);
    compare(gpu, "sha256", &data, &offsets_of(5, [0, 1 << 20, 65_537, 64, 1023, 1 << 16].into_iter()));
    let million = offsets_of(3, (0..1_000_000).map(|i| i * 7919 % 119));
    compare(gpu, "sha256", &data, &million);
    // The device shares these messages with the CPU, in the given order.
    let mut out = vec![0; 32_000_000];
    let sharing = Sharing { break_even: Some(0), ..Sharing::default() };
    let shared = gpu.hash_batch_shared("sha256", &data, &million, &mut out, sharing).unwrap();
    assert!(out == expected("sha256", &data, &million));
    assert_eq!((shared.on_device + shared.on_cpu, shared.failure), (1_000_000, None));
}

#[test]
fn the_contract_of_engines() {
    let Some(gpu) = device() else { return };
    let checked = engine::check(gpu).unwrap();
    assert_eq!(checked.rows, 2);
    assert!(checked.digests > 1000);
    let many = find("sha256").unwrap().many(&Params::default()).unwrap();
    assert_eq!(many.on(gpu).unwrap().digest(&["abc"]).unwrap(), many.digest(&["abc"]));
}

fn ticket(key: &[u8; 32], row: u64) -> Ticket {
    let digest = find("sha256").unwrap().digest(&[key, &[1][..], row.to_string().as_bytes()].concat());
    Ticket { ticket: u128::from_be_bytes(digest[..16].try_into().unwrap()), row }
}

#[test]
fn tickets_are_the_processors() {
    let Some(gpu) = device() else { return };
    let key: [u8; 32] = std::array::from_fn(|i| (i * i) as u8);
    // Row numbers of every length, including ranges in which the digits above the eighth change.
    let ranges = [0..1, 1..20_001, 99_999_000..100_001_000, u64::MAX - 500..u64::MAX, 5..5];
    let around = (4..20).map(|digits| 10_u64.pow(digits)).map(|first| first - 20..first + 20);
    for rows in ranges.into_iter().chain(around) {
        let mut all: Vec<Ticket> = rows.clone().map(|row| ticket(&key, row)).collect();
        let threshold = u128::MAX / 3;
        let under: Vec<Ticket> = all.iter().copied().filter(|ticket| ticket.ticket < threshold).collect();
        assert_eq!(gpu.keyed_scores(&key, rows.clone(), threshold, usize::MAX).unwrap(), under, "{rows:?}");
        all.sort_by_key(|ticket| (ticket.ticket, ticket.row.to_string()));
        for k in [0, 1, all.len() / 50, all.len()] {
            if k <= all.len() {
                assert_eq!(gpu.tickets(&key, rows.clone(), k).unwrap(), all[..k], "{k} of {rows:?}");
            }
        }
    }
    // The bound is exclusive: the ticket itself is not below it.
    let one = ticket(&key, 77);
    assert_eq!(gpu.keyed_scores(&key, 77..78, one.ticket, 1).unwrap(), []);
    assert_eq!(gpu.keyed_scores(&key, 77..78, one.ticket + 1, 1).unwrap(), [one]);
    let error = gpu.keyed_scores(&key, 0..1000, u128::MAX, 10).unwrap_err();
    assert_eq!(error, Error::TooMany { most: 10 });
    assert_eq!(gpu.tickets(&key, 0..9, 10).unwrap_err(), Error::TooFew { wanted: 10, rows: 9 });
}

/// The error comes before any of the work, which would take years.
#[test]
fn more_tickets_than_any_memory_holds_are_an_error() {
    let Some(gpu) = device() else { return };
    let all = 0..u64::MAX;
    let too_long = |given: Result<Vec<Ticket>, Error>| match given {
        Err(Error::AnswerTooLong { bytes }) => assert!(bytes >= 32 << 50, "{bytes}"),
        other => panic!("{:?}", other.map(|tickets| tickets.len())),
    };
    too_long(gpu.tickets(&[1; 32], all.clone(), 1 << 50));
    too_long(gpu.tickets(&[1; 32], all.clone(), usize::MAX));
    too_long(gpu.keyed_scores(&[1; 32], all.clone(), u128::MAX, usize::MAX));
    // `most` limits the tickets that are kept, not the number of entries.
    assert_eq!(gpu.keyed_scores(&[1; 32], all, u128::MAX, 7).unwrap_err(), Error::TooMany { most: 7 });
    assert_eq!(gpu.tickets(&[1; 32], 0..9, 1).unwrap().len(), 1, "the device works on");
}

/// The test case in `vectors/draw.json` that draws from a range of numbers with tickets.
#[test]
fn tickets_are_those_of_the_specification() {
    let Some(gpu) = device() else { return };
    let sha256 = |parts: &[&[u8]]| find("sha256").unwrap().digest(&parts.concat());
    let (n, seed, context) = (50_u64, b"08773518267254361087", b"");
    let frame = sha256(&[&u64::MAX.to_be_bytes(), &n.to_be_bytes()]);
    let length = |bytes: &[u8]| (bytes.len() as u64).to_be_bytes();
    let key = sha256(&[b"hwdraw/1", &length(seed), seed, &length(context), context, &frame]);
    let picks = gpu.tickets(&key.try_into().unwrap(), 1..n + 1, 5).unwrap();
    let picks: Vec<(u64, String)> =
        picks.iter().map(|pick| (pick.row, format!("{:032x}", pick.ticket))).collect();
    let published = [
        (47, "0730539081745b412f6d10c107de9ced"),
        (19, "0e0d676231bd324cf3a6445f3327952c"),
        (33, "0e20184a1b0b1382a0c4755cc896b023"),
        (1, "182e438b47951579fa759e03a94155cd"),
        (37, "2156ddc20e016ec95fcaf331bf4f1f9b"),
    ];
    assert!(picks.iter().map(|(row, ticket)| (*row, &**ticket)).eq(published), "{picks:?}");
}

#[test]
fn roots_of_trees() {
    let Some(gpu) = device() else { return };
    let data = bytes(20_000_000);
    let blake3 = find("blake3").unwrap();
    // Sizes around chunks, and around pieces of 8 MiB.
    let piece = 8 << 20;
    let lengths = [0, 1, 63, 64, 1023, 1024, 1025, 3072, 5000, 65_536, 1_000_003];
    for len in lengths.into_iter().chain([piece - 1, piece, piece + 1, 2 * piece + 1025, data.len()]) {
        assert_eq!(
            gpu.tree_root("blake3", &data[..len]).unwrap()[..],
            blake3.digest(&data[..len])[..],
            "{len}"
        );
    }
    let line = gpu.tree_root("sha256", b"").unwrap_err().to_string();
    assert_eq!(line, "devices don't support 'sha256' (they support blake3)");
}

/// Runs a test of this file again in a separate process, in which no driver has been loaded. Returns true in that
/// process.
#[cfg(all(feature = "opencl", target_os = "linux"))]
fn is_child(test: &str, settings: &[(&str, &str)]) -> bool {
    if std::env::var_os("HASHWELL_TEST_CHILD").is_some() {
        return true;
    }
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test]).env("HASHWELL_TEST_CHILD", "1").envs(settings.iter().copied());
    let output = child.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    false
}

#[test]
#[cfg(all(feature = "opencl", target_os = "linux"))]
fn no_driver() {
    // These environment variables give the folders in which drivers are listed, or the names of drivers.
    let none = [
        ("OCL_ICD_VENDORS", "/nonexistent/"),
        ("OCL_ICD_FILENAMES", ""),
        ("OPENCL_VENDOR_PATH", "/nonexistent/"),
    ];
    if !is_child("no_driver", &none) {
        return;
    }
    let listed = devices();
    let [Listed::Nothing { host: "opencl", reason }, ..] = &listed[..] else { panic!("{listed:?}") };
    assert!(
        reason.starts_with("the OpenCL library has no driver") || reason.starts_with("no OpenCL library")
    );
    let line = Gpu::open("opencl:0").unwrap_err().to_string();
    assert_eq!(line, format!("no opencl devices: {reason}"));
}

/// Drivers are initialized at the first request, and not all of them support two concurrent requests.
#[test]
#[cfg(all(feature = "opencl", target_os = "linux"))]
fn several_ask_first() {
    if !is_child("several_ask_first", &[]) {
        return;
    }
    let all_at_once = std::sync::Barrier::new(4);
    std::thread::scope(|scope| {
        let ask = || {
            all_at_once.wait();
            devices()
        };
        let asked: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        let listed: Vec<_> = asked.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(listed.windows(2).all(|pair| pair[0] == pair[1]), "{listed:?}");
    });
}
