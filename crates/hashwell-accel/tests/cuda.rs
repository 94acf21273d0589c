//! Tests the CUDA host code without a GPU, on a stand-in for CUDA's driver and compiler (`cuda_stand_in/driver.cpp`),
//! which runs the kernels on the CPU. Each test runs in a separate child process, because a library is loaded only once
//! per process.
#![cfg(all(feature = "cuda", target_os = "linux", target_arch = "x86_64"))]

use hashwell_accel::gpu::{Error, Gpu, Kind, Listed, Sharing, devices};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder that contains the stand-in's libraries.
fn stand_in() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cuda_stand_in");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cuda");
        std::fs::create_dir_all(&folder).unwrap();
        // Other processes may use these libraries at the same time, so each is renamed into place when it is complete.
        let made = folder.join(format!("made-{}", std::process::id()));
        let done = Command::new("c++")
            .args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"])
            .arg(format!("-DSTAND_IN_KERNELS=\"{}\"", source.join("kernels.h").display()))
            .arg("-o")
            .arg(&made)
            .arg(source.join("driver.cpp"))
            .output()
            .expect("c++ starts");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let copy = made.with_extension("copy");
        std::fs::copy(&made, &copy).unwrap();
        std::fs::rename(&made, folder.join("libcuda.so")).unwrap();
        std::fs::rename(&copy, folder.join("libnvrtc.so")).unwrap();
        folder
    })
}

/// Runs one of the ignored tests below in a child process, with the stand-in in `folder` and these settings.
fn child(test: &str, folder: &Path, settings: &[(&str, &str)]) {
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "--nocapture", test])
        .env("LD_LIBRARY_PATH", folder)
        .envs(settings.iter().copied())
        .output()
        .unwrap();
    let said = [&done.stdout[..], &done.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(done.status.success() && said.contains("1 passed"), "{test}: {said}");
    assert!(!said.contains("stand-in:"), "{test}: {said}");
}

macro_rules! on_the_stand_in {
    ($($name:ident: $settings:expr;)*) => {
        $(
            #[test]
            fn $name() {
                child(concat!("children::", stringify!($name)), stand_in(), &$settings);
            }
        )*
    };
}

on_the_stand_in! {
    devices_are_listed: [("STAND_IN_DEVICES", "2")];
    a_card_that_says_nothing_hides_no_other: [("STAND_IN_DEVICES", "2"), ("STAND_IN_MUTE", "0")];
    no_card: [("STAND_IN_DEVICES", "0")];
    digests_are_right: [];
    tickets_are_right: [];
    trees_are_right: [];
    trees_need_room_for_one_piece: [("STAND_IN_MEMORY", "150000")];
    memory_runs_out: [("STAND_IN_MEMORY", "100000")];
    no_memory_for_a_stream: [("STAND_IN_FULL", "cuStreamCreate:2")];
    no_memory_for_a_module: [("STAND_IN_FULL", "cuModuleLoadData:2")];
    no_memory_for_a_launch: [("STAND_IN_FULL", "cuLaunchKernel:4")];
    a_device_is_lost_at_work: [("STAND_IN_LAUNCHES", "4")];
    a_wrong_digest_is_refused: [("STAND_IN_WRONG", "messages")];
    a_wrong_ticket_is_refused: [("STAND_IN_WRONG", "tickets")];
    a_wrong_tree_is_refused: [("STAND_IN_WRONG", "chunks")];
}

#[test]
fn without_libraries() {
    let empty = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("none-{}", std::process::id()));
    std::fs::create_dir_all(&empty).unwrap();
    // These empty files are found before the real libraries that a machine may have.
    for library in ["cuda", "nvcuda", "nvrtc"] {
        for name in cudarc::get_lib_name_candidates(library) {
            std::fs::write(empty.join(name), "").unwrap();
        }
    }
    child("children::no_driver", &empty, &[]);
    std::fs::copy(stand_in().join("libcuda.so"), empty.join("libcuda.so")).unwrap();
    child("children::no_compiler", &empty, &[]);
    std::fs::remove_dir_all(&empty).unwrap();
}

/// These tests only run if `child` starts them, because a machine with a GPU has real libraries.
mod children {
    use super::{Error, Gpu, Kind, Listed, Sharing, devices};

    /// Messages of 0 to 300 bytes, contiguous, so that they begin at all alignments.
    fn messages() -> (Vec<u8>, Vec<u64>) {
        let offsets: Vec<u64> = (0..=301).map(|len: u64| 3 + len * len.saturating_sub(1) / 2).collect();
        let bytes = (0..*offsets.last().unwrap()).map(|i| (i % 251) as u8).collect();
        (bytes, offsets)
    }

    fn of_processor(algorithm: &str, (bytes, offsets): &(Vec<u8>, Vec<u64>)) -> Vec<u8> {
        let row = hashwell::find(algorithm).unwrap();
        offsets.windows(2).flat_map(|at| row.digest(&bytes[at[0] as usize..at[1] as usize])).collect()
    }

    #[test]
    #[ignore = "a child"]
    fn devices_are_listed() {
        let listed = devices().into_iter().filter_map(|listed| match listed {
            Listed::Device(device) if device.id.starts_with("cuda:") => Some(device),
            _ => None,
        });
        let listed: Vec<_> = listed.collect();
        assert_eq!(listed.iter().map(|device| &*device.id).collect::<Vec<_>>(), ["cuda:0", "cuda:1"]);
        assert_eq!((listed[0].name.as_str(), listed[0].driver.as_str()), ("Stand-in", "CUDA 13.0"));
        assert_eq!((listed[0].kind, listed[0].compute_units), (Kind::Gpu, 2));
        let error = Gpu::open("cuda:2").unwrap_err().to_string();
        assert!(error.contains("cuda:0") && error.contains("cuda:1"), "{error}");
    }

    #[test]
    #[ignore = "a child"]
    fn a_card_that_says_nothing_hides_no_other() {
        let listed: Vec<_> = devices()
            .into_iter()
            .filter_map(|listed| match listed {
                Listed::Device(device) if device.id.starts_with("cuda:") => Some((device.id, device.name)),
                _ => None,
            })
            .collect();
        assert_eq!(listed, [("cuda:0".into(), String::new()), ("cuda:1".into(), "Stand-in".to_owned())]);
        Gpu::open("cuda:1").unwrap();
    }

    fn reason() -> String {
        let nothing = devices().into_iter().find_map(|listed| match listed {
            Listed::Nothing { host: "cuda", reason } => Some(reason.into()),
            _ => None,
        });
        nothing.expect("CUDA has no devices")
    }

    #[test]
    #[ignore = "a child"]
    fn no_card() {
        assert_eq!(reason(), "the installed drivers found no device");
    }

    #[test]
    #[ignore = "a child"]
    fn no_driver() {
        assert_eq!(reason(), "no CUDA driver is installed");
        assert_eq!(
            Gpu::open("cuda:0").unwrap_err().to_string(),
            "no cuda devices: no CUDA driver is installed"
        );
    }

    #[test]
    #[ignore = "a child"]
    fn no_compiler() {
        let error = Gpu::open("cuda:0").unwrap_err().to_string();
        assert!(error.starts_with("no cuda devices") && error.contains("NVRTC"), "{error}");
    }

    #[test]
    #[ignore = "a child"]
    fn digests_are_right() {
        let gpu = Gpu::open("cuda:0").unwrap();
        for algorithm in ["sha256", "sha256-90r"] {
            let batch = messages();
            let mut digests = vec![0; 32 * 301];
            let shared = gpu
                .hash_batch_shared(algorithm, &batch.0, &batch.1, &mut digests, Sharing::device_alone())
                .unwrap();
            assert_eq!((shared.on_device, shared.on_cpu), (301, 0));
            assert!(digests == of_processor(algorithm, &batch), "{algorithm}");
        }
    }

    #[test]
    #[ignore = "a child"]
    fn tickets_are_right() {
        let gpu = Gpu::open("cuda:0").unwrap();
        let key = [7; 32];
        let ticket = |row: u64| {
            let message = [&key[..], &[1], row.to_string().as_bytes()].concat();
            let digest = hashwell::find("sha256").unwrap().digest(&message);
            (u128::from_be_bytes(digest[..16].try_into().unwrap()), row)
        };
        let mut expected: Vec<_> = (90..12_000).map(ticket).collect();
        expected.sort_unstable();
        let given = gpu.tickets(&key, 90..12_000, 50).unwrap();
        assert_eq!(given.iter().map(|given| (given.ticket, given.row)).collect::<Vec<_>>(), expected[..50]);
    }

    #[test]
    #[ignore = "a child"]
    fn trees_are_right() {
        let gpu = Gpu::open("cuda:0").unwrap();
        let bytes: Vec<u8> = (0..100_000_u32).map(|i| (i % 251) as u8).collect();
        for len in [0, 1, 1023, 1024, 1025, 2048, 2049, 5000, 65_536, 100_000] {
            let root = gpu.tree_root("blake3", &bytes[..len]).unwrap();
            assert_eq!(root[..], hashwell::find("blake3").unwrap().digest(&bytes[..len])[..], "{len}");
        }
    }

    /// There is enough memory for the buffers of one feeder and one piece of a tree.
    #[test]
    #[ignore = "a child"]
    fn trees_need_room_for_one_piece() {
        trees_are_right();
    }

    #[test]
    #[ignore = "a child"]
    fn memory_runs_out() {
        let error = Gpu::open("cuda:0").unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    }

    /// Opening a device needs a stream, a module and three launches; computing tickets then needs one more of each. If
    /// the memory for one of them runs out once, the device is not lost.
    fn a_call_finds_no_memory() {
        let gpu = Gpu::open("cuda:0").unwrap();
        let full = gpu.tickets(&[7; 32], 0..1000, 10).unwrap_err();
        assert_eq!(full, Error::OutOfMemory { device: "cuda:0".into(), bytes: 0 });
        assert_eq!(full.to_string(), "cuda:0 has no free memory");
        assert_eq!(gpu.tickets(&[7; 32], 0..1000, 10).unwrap().len(), 10);
    }

    #[test]
    #[ignore = "a child"]
    fn no_memory_for_a_stream() {
        a_call_finds_no_memory();
    }

    #[test]
    #[ignore = "a child"]
    fn no_memory_for_a_module() {
        a_call_finds_no_memory();
    }

    #[test]
    #[ignore = "a child"]
    fn no_memory_for_a_launch() {
        a_call_finds_no_memory();
    }

    /// The CPU finishes what the device has begun. Opening takes three launches, and one more succeeds.
    #[test]
    #[ignore = "a child"]
    fn a_device_is_lost_at_work() {
        let gpu = Gpu::open("cuda:0").unwrap();
        let offsets: Vec<u64> = (0..=100_000).map(|row| 50 * row).collect();
        let batch = ((0..5_000_000_u32).map(|i| (i % 251) as u8).collect::<Vec<_>>(), offsets);
        let expected = of_processor("sha256", &batch);
        let sharing = Sharing { threads: Some(1), break_even: Some(0) };
        let mut digests = vec![0; expected.len()];
        // Workers compete for the pieces, so the fifth launch may come late.
        let failure = (0..50).find_map(|_| {
            digests.fill(0);
            let shared = gpu.hash_batch_shared("sha256", &batch.0, &batch.1, &mut digests, sharing).unwrap();
            assert!(digests == expected);
            assert_eq!(shared.on_device + shared.on_cpu, 100_000);
            shared.failure
        });
        let failure = failure.expect("the device is lost").to_string();
        assert_eq!(failure, "cuda:0 failed: cuLaunchKernel: CUDA_ERROR_LAUNCH_FAILED");
        let alone = Sharing::device_alone();
        let again = gpu.hash_batch_shared("sha256", &batch.0, &batch.1, &mut digests, alone).unwrap_err();
        assert_eq!(again.to_string(), failure);
    }

    #[test]
    #[ignore = "a child"]
    fn a_wrong_digest_is_refused() {
        let error = Gpu::open("cuda:0").unwrap_err();
        assert!(matches!(error, Error::WrongDigest { program: "sha256", .. }), "{error}");
    }

    #[test]
    #[ignore = "a child"]
    fn a_wrong_ticket_is_refused() {
        let error = Gpu::open("cuda:0").unwrap().tickets(&[0; 32], 1..1000, 10).unwrap_err();
        assert!(matches!(error, Error::WrongDigest { program: "tickets", .. }), "{error}");
    }

    #[test]
    #[ignore = "a child"]
    fn a_wrong_tree_is_refused() {
        let error = Gpu::open("cuda:0").unwrap().tree_root("blake3", &[0; 5000]).unwrap_err();
        assert!(matches!(error, Error::WrongDigest { program: "blake3", .. }), "{error}");
    }
}
