//! The simulated circuit: its digests, its clock cycles, and its description.
#![cfg(feature = "fpga-sim")]

use hashwell::Params;
use hashwell_accel::fpga_sim::{Error, FpgaSim, Simulated, SimulatedCore};

fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 % 251) as u8).collect()
}

#[test]
fn the_engine_keeps_the_contract() {
    let engine = FpgaSim::default();
    let checked = hashwell::engine::check(&engine).unwrap();
    assert_eq!(checked.rows, 2, "{checked:?}");
    let simulated = engine.simulated();
    assert!(simulated.messages >= checked.digests as u64, "{simulated}");
    // The number of cycles per block is between those of SHA-256 and of SHA256-90R, plus the overhead of each message.
    let cycles = simulated.cycles_per_block();
    assert!((66.0..92.0 + 13.0).contains(&cycles), "{simulated}");
    let keyed = hashwell::find("blake2b-512").unwrap().many(&Params::default()).unwrap();
    assert!(keyed.on(&engine).is_err());
}

/// Tests every length up to more than four blocks. The number of clock cycles must be as documented in dev/fpga.md.
#[test]
fn digests_and_clocks_are_the_circuits() {
    for (name, rounds) in [("sha256", 64), ("sha256-90r", 90)] {
        let row = hashwell::find(name).unwrap();
        let mut core = SimulatedCore::new(rounds).unwrap();
        for len in 0..=300 {
            let message = message(len);
            let (digest, simulated) = core.digest(&message).unwrap();
            assert_eq!(digest[..], row.digest(&message)[..], "{name}, {len} bytes");
            let blocks = (len as u64 + 8) / 64 + 1;
            let cycles = blocks * (rounds as u64 + 2) + 13;
            assert_eq!((simulated.blocks, simulated.cycles), (blocks, cycles), "{name}, {len} bytes");
        }
    }
}

#[test]
fn other_numbers_of_rounds_are_refused() {
    for given in [0, 1, 63, 65, 89, 91, 256, 257, (1 << 32) + 64, usize::MAX] {
        let error = SimulatedCore::new(given).unwrap_err();
        assert_eq!(error, Error::Rounds { given });
        assert_eq!(error.to_string(), format!("a simulated core must have 64 or 90 rounds, not {given}"));
    }
}

#[test]
fn what_it_says_of_itself_is_that_it_is_a_simulation() {
    let (_, one) = SimulatedCore::new(90).unwrap().digest(&message(1000)).unwrap();
    let text = one.to_string();
    assert!(
        text.starts_with("simulation: 1 messages, 16 blocks, 1485 clock cycles (92.8 per block) in "),
        "{text}"
    );
    let mut sum = Simulated::default();
    assert_eq!(sum.cycles_per_block(), 0.0);
    sum += one;
    sum += one;
    assert_eq!((sum.messages, sum.blocks, sum.cycles, sum.wall), (2, 32, 2970, 2 * one.wall));
    assert_eq!(sum.bits_per_second(1e6), one.bits_per_second(1e6));
    assert!((one.bits_per_second(100e6) / 1e9 - 512.0 * 16.0 / 1485.0 / 10.0).abs() < 1e-9);
}
