//! Hashes messages on the simulated circuit, and prints its clock cycles and the time that the simulation took.
//!
//! ```text
//! cargo run --release -p hashwell-accel --features fpga-sim --example fpga_sim [MHZ]
//! ```
//!
//! `MHZ` is the clock rate of a routed design (dev/fpga.md), from which the last column is computed.

use hashwell_accel::fpga_sim::{Error, SimulatedCore};

fn main() -> Result<(), Error> {
    let mhz: Option<f64> = std::env::args().nth(1).and_then(|text| text.parse().ok());
    println!("simulation of hdl/rtl/sha256r_axis.v; the speed of the simulation is not that of hardware");
    println!("algorithm    bytes   blocks    clocks  per block  simulated kB/s  Gbit/s of a core at MHZ");
    for (name, rounds) in [("sha256", 64), ("sha256-90r", 90)] {
        let row = hashwell::find(name).expect("in the registry");
        let mut core = SimulatedCore::new(rounds)?;
        for len in [0, 32, 1 << 10, 16 << 10, 256 << 10] {
            let message: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            let (digest, simulated) = core.digest(&message)?;
            assert_eq!(digest[..], row.digest(&message)[..], "the circuit is wrong");
            let speed = 64.0 * simulated.blocks as f64 / simulated.wall.as_secs_f64() / 1e3;
            let there = mhz.map(|mhz| format!("{:.3}", simulated.bits_per_second(mhz * 1e6) / 1e9));
            println!(
                "{name:<10} {len:>7} {:>8} {:>9} {:>10.2} {speed:>15.0}  {}",
                simulated.blocks,
                simulated.cycles,
                simulated.cycles_per_block(),
                there.as_deref().unwrap_or("-")
            );
        }
    }
    Ok(())
}
