//! The tables in docs/algorithms.md, to which algorithms.md in this folder is a symbolic link, agree with the registry.

use hashwell::registry::{Attack, Target};
use hashwell::{ALGORITHMS, Algorithm, KernelInfo, Kind, Status};

fn line(algorithm: &Algorithm) -> String {
    let kind = match algorithm.kind {
        Kind::Fixed => "digest",
        Kind::Xof => "stream",
    };
    let names = |rows: Vec<KernelInfo>| rows.iter().map(|k| k.name).collect::<Vec<_>>().join(", ");
    format!(
        "| `{}` | {} | {kind} | {} | {} | {} | {} |",
        algorithm.name,
        algorithm.title,
        algorithm.status.name(),
        names(algorithm.kernels()),
        names(algorithm.batch_kernels()),
        algorithm.source
    )
}

/// A row of the table of strength.
fn strength_line(algorithm: &Algorithm) -> String {
    let strength = algorithm.strength();
    let attacks = strength.attacks.iter().map(|a| {
        format!("{} on {} rounds ({}; {}, {})", a.target.name(), a.rounds, a.work, a.source, a.year)
    });
    let attacks: Vec<String> = attacks.collect();
    format!(
        "| `{}` | {} | {} | {}{} | {} | {} | {} | {} |",
        algorithm.name,
        strength.collision,
        strength.preimage,
        strength.second_preimage,
        if strength.shrinks_with_length { " − k" } else { "" },
        if strength.length_extension { "yes" } else { "no" },
        strength.margin(),
        if attacks.is_empty() { "none published".into() } else { attacks.join("; ") },
        strength.standards,
    )
}

#[test]
fn every_row_is_in_both_tables() {
    let page = include_str!("algorithms.md");
    let table: Vec<String> =
        ALGORITHMS.iter().map(line).chain(ALGORITHMS.iter().map(strength_line)).collect();
    let printed: Vec<&str> = page.lines().filter(|l| l.starts_with("| `")).collect();
    assert_eq!(printed, table, "the tables should be:\n{}", table.join("\n"));
}

/// The strength is as stated in FIPS 202 (table 4), SP 800-232 and the specifications of the other algorithms.
#[test]
fn strength_is_what_the_standards_say() {
    let rows = [
        ("sha224", 112, 224, false),
        ("sha256", 128, 256, true),
        ("sha384", 192, 384, false),
        ("sha512", 256, 512, true),
        ("sha512-224", 112, 224, false),
        ("sha512-256", 128, 256, false),
        ("sha3-224", 112, 224, false),
        ("sha3-256", 128, 256, false),
        ("sha3-384", 192, 384, false),
        ("sha3-512", 256, 512, false),
        ("shake128", 128, 128, false),
        ("shake256", 256, 256, false),
        ("cshake128", 128, 128, false),
        ("turboshake128", 128, 128, false),
        ("kt128", 128, 128, false),
        ("kt256", 256, 256, false),
        ("blake2b-256", 128, 256, false),
        ("blake2bp-512", 256, 512, false),
        ("blake3", 128, 128, false),
        ("ascon-hash256", 128, 128, false),
        ("ascon-xof128", 128, 128, false),
    ];
    for (name, collision, preimage, extension) in rows {
        let strength = hashwell::find(name).unwrap().strength();
        let found = (strength.collision, strength.preimage, strength.length_extension);
        assert_eq!(found, (collision, preimage, extension), "{name}");
    }
    for algorithm in ALGORITHMS {
        let strength = algorithm.strength();
        // All algorithms except the experimental one have been attacked, and only SHA-1 in all its rounds.
        assert_eq!(strength.attacks.is_empty(), algorithm.status == Status::Experimental, "{algorithm:?}");
        let full = |a: &Attack| a.target == Target::Collision && a.rounds >= strength.rounds as f32;
        assert_eq!(strength.attacks.iter().any(full), algorithm.name == "sha1", "{algorithm:?}");
        let broken = strength.margin().starts_with("broken");
        assert_eq!(broken, algorithm.status == Status::Broken, "{algorithm:?}");
    }
}

/// The capacity of a sponge in bits; `None` for other algorithms.
fn capacity(algorithm: &Algorithm) -> Option<u32> {
    let width = match algorithm.name {
        name if name.starts_with("ascon") => 320,
        name if name.contains("sha3-") || name.contains("shake") || name.starts_with("kt") => 1600,
        _ => return None,
    };
    Some(width - 8 * u32::try_from(algorithm.block).unwrap())
}

#[test]
fn bits_are_at_most_those_of_generic_attacks() {
    let sponges = ALGORITHMS.iter().filter(|a| capacity(a).is_some()).count();
    assert_eq!(sponges, 17, "four SHA-3, four SHAKE, four with 12 rounds, five Ascon");
    for algorithm in ALGORITHMS {
        let strength = algorithm.strength();
        let bits = 8 * u32::try_from(algorithm.output).unwrap();
        let half = capacity(algorithm).map_or(bits, |capacity| capacity / 2);
        assert!(strength.collision <= (bits / 2).min(half), "{algorithm:?}");
        assert!(strength.preimage <= bits.min(half), "{algorithm:?}");
        assert!(strength.second_preimage <= strength.preimage, "{algorithm:?}");
        assert!(strength.collision <= strength.preimage, "{algorithm:?}");
        // If the digest is the whole state, length extension is possible.
        assert_eq!(strength.length_extension, strength.shrinks_with_length, "{algorithm:?}");
        let experimental = algorithm.status == Status::Experimental;
        assert_eq!(strength.standards == "none", experimental, "{algorithm:?}");
        assert_eq!(strength.margin() == "no analysis is published", experimental, "{algorithm:?}");
    }
}

/// A listed attack must need less work than a generic attack on the same algorithm.
#[test]
fn attacks_are_better_than_generic_ones() {
    for algorithm in ALGORITHMS {
        let strength = algorithm.strength();
        let mut before: Option<&Attack> = None;
        for attack in strength.attacks {
            let what = format!("{}: {attack:?}", algorithm.name);
            assert!(attack.rounds > 0.0 && attack.rounds <= strength.rounds as f32, "{what}");
            assert!((1990..=2026).contains(&attack.year), "{what}");
            let generic = match attack.target {
                Target::Collision => algorithm.output * 4,
                // The generic bound for a distinguisher depends on its kind.
                Target::Distinguisher => continue,
                _ => strength.preimage as usize,
            };
            let power = attack.work.trim_start_matches("about ").strip_prefix("2^");
            match power {
                Some(power) => assert!(power.parse::<f64>().unwrap() < generic as f64, "{what}"),
                None => {
                    let words = match attack.target {
                        Target::Collision => ["practical", "below 2^(n/2)"],
                        _ => ["practical", "below 2^n"],
                    };
                    assert!(words.contains(&attack.work), "{what}");
                }
            }
            // The attack on the most rounds is first, and collisions come before preimages.
            if let Some(before) = before.filter(|before| before.target == attack.target) {
                assert!(before.rounds > attack.rounds, "{what}");
            }
            before = Some(attack);
        }
    }
}
