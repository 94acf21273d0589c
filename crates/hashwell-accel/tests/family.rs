//! Compares members of the SHA-256 family with an independent model, on every implementation that this machine has.

mod model;

use hashwell_accel::family::{Error, Implementation, MAX_ROUNDS, Prepared, Rotations, Sha256Family};
use model::{Random, model_digest};

fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 % 251) as u8).collect()
}

/// A member with random parameters. Unless `free` is true, it has the rotations of SHA-256, so that the CPU's
/// instructions are used as well.
fn member(random: &mut Random, rounds: usize, free: bool) -> Sha256Family {
    let constants: Vec<u32> = (0..rounds).map(|_| random.word()).collect();
    let mut three = || [0; 3].map(|_| random.word() % 32);
    let rotations =
        Rotations { big_sigma_0: three(), big_sigma_1: three(), sigma_0: three(), sigma_1: three() };
    let initial = [0; 8].map(|_| random.word());
    Sha256Family::new(rounds, &constants, if free { rotations } else { Rotations::SHA256 }, initial).unwrap()
}

/// The member on each implementation that supports it.
fn everywhere(member: &Sha256Family) -> Vec<Prepared> {
    let there: Vec<Prepared> =
        member.implementations().iter().map(|&implementation| member.on(implementation).unwrap()).collect();
    assert!(
        there
            .iter()
            .zip(member.implementations())
            .all(|(prepared, implementation)| prepared.implementation() == implementation)
    );
    // The JIT compiler must be available where nothing forbids it. Otherwise an error in it would only make everything
    // slower.
    #[cfg(all(feature = "jit", target_os = "linux"))]
    assert!(member.implementations().contains(&Implementation::Jit));
    assert_eq!(there.last().unwrap().implementation(), Implementation::Soft);
    there
}

#[test]
fn sixty_four_rounds_are_sha256_and_ninety_sha256_90r() {
    for (name, rounds) in [("sha256", 64), ("sha256-90r", 90)] {
        let row = hashwell::find(name).unwrap();
        for prepared in everywhere(&Sha256Family::sha256_with_rounds(rounds).unwrap()) {
            for len in 0..=300 {
                let message = message(len);
                assert_eq!(
                    prepared.digest(&message)[..],
                    row.digest(&message)[..],
                    "{prepared:?}, {len} bytes"
                );
            }
        }
    }
}

/// The collision of Li, Liu, Wang, Dong and Sun (ASIACRYPT 2024): two blocks, of which the first is the same in both
/// messages.
#[test]
fn the_published_collision_on_31_rounds_is_one() {
    #[rustfmt::skip]
    const FIRST: [u32; 16] = [
        0x8ce3_f805, 0x5c40_1aed, 0x579e_5f7f, 0xbc31_16cb, 0xca18_9b3c, 0xeb75_f04c, 0x958f_0a0e, 0x7760_b082,
        0xdcd5_027d, 0x3226_0ad6, 0x7b12_b659, 0xeee6_6518, 0xad7f_88dd, 0xf8ad_20bb, 0x7ae4_0ffd, 0x2160_9249,
    ];
    #[rustfmt::skip]
    const SECOND: [u32; 16] = [
        0x9abd_eb1b, 0x1f19_5f41, 0x5a72_10c1, 0x5561_4f13, 0xa226_9dd1, 0xbe88_8a61, 0x3592_57d4, 0xadf3_737b,
        0x9f04_84a6, 0xeb83_0a58, 0x66ad_d94a, 0x9669_232d, 0x4527_1fa5, 0xb8f6_9585, 0x428b_bce3, 0x0703_b904,
    ];
    let mut other = SECOND;
    other[5..10].copy_from_slice(&[0xbe88_7a67, 0x35b2_dfc5, 0xfde3_2975, 0xc705_95a6, 0xeb83_8a5c]);
    let message = |second: [u32; 16]| [FIRST, second].concat().into_iter().flat_map(u32::to_be_bytes);
    let (a, b): (Vec<u8>, Vec<u8>) = (message(SECOND).collect(), message(other).collect());
    for (rounds, collide) in [(31, true), (32, false), (64, false), (90, false)] {
        for prepared in everywhere(&Sha256Family::sha256_with_rounds(rounds).unwrap()) {
            assert_eq!(prepared.digest(&a) == prepared.digest(&b), collide, "{rounds} rounds: {prepared:?}");
        }
    }
}

/// Tests every number of rounds, with the rotations of SHA-256 and with others.
#[test]
fn every_number_of_rounds_agrees_with_the_model() {
    let mut random = Random(1);
    for rounds in 1..=MAX_ROUNDS {
        for free in [false, true] {
            let member = member(&mut random, rounds, free);
            let message = message(random.word() as usize % 300);
            let expected = model_digest(&member, &message);
            // Compiling code for all of them would take a minute, so this is only done below 20 rounds and for some
            // others.
            let code = rounds < 20 || rounds % 61 == 0 || rounds == MAX_ROUNDS;
            for implementation in Implementation::ALL
                .into_iter()
                .filter(|&implementation| code || implementation != Implementation::Jit)
            {
                let Ok(prepared) = member.on(implementation) else { continue };
                let digest = prepared.digest(&message);
                assert_eq!(digest, expected, "{rounds} rounds on {implementation}, {} bytes", message.len());
            }
        }
    }
}

fn sorted(numbers: &[u32]) -> Vec<u32> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers
}

#[test]
fn members_differ_in_each_of_their_numbers() {
    let mut random = Random(2);
    let one = member(&mut random, 70, true);
    let with = |constants: &[u32], rotations, initial| {
        Sha256Family::new(70, constants, rotations, initial).unwrap().prepare().digest(b"abc")
    };
    let (constants, rotations, initial) = (one.constants().to_vec(), *one.rotations(), *one.initial());
    let digest = with(&constants, rotations, initial);
    for i in 0..70 {
        let mut other = constants.clone();
        other[i] ^= 1;
        assert_ne!(with(&other, rotations, initial), digest, "constant {i}");
    }
    // Changes each rotation of each of the four functions, unless the change only swaps it with another one.
    for function in 0..4 {
        for i in 0..3 {
            let mut other = rotations;
            let by = match function {
                0 => &mut other.big_sigma_0,
                1 => &mut other.big_sigma_1,
                2 => &mut other.sigma_0,
                _ => &mut other.sigma_1,
            };
            let before = *by;
            by[i] = (by[i] + 1) % 32;
            let same = |by: [u32; 3]| {
                if function < 2 { sorted(&by) } else { [sorted(&by[..2]), vec![by[2]]].concat() }
            };
            if same(before) != same(*by) {
                assert_ne!(with(&constants, other, initial), digest, "function {function}, number {i}");
            }
        }
    }
    for i in 0..8 {
        let mut other = initial;
        other[i] ^= 1;
        assert_ne!(with(&constants, rotations, other), digest, "initial word {i}");
    }
}

#[test]
fn pieces_make_the_same_digest() {
    let member = member(&mut Random(3), 90, true);
    let message = message(1000);
    for prepared in everywhere(&member) {
        let expected = prepared.digest(&message);
        for cut in [0, 1, 63, 64, 65, 127, 128, 500, 999, 1000] {
            let mut hasher = prepared.hasher();
            hasher.update(&message[..cut]);
            let half = hasher.digest();
            assert_eq!(half, prepared.digest(&message[..cut]));
            hasher.update(&message[cut..]);
            assert_eq!(hasher.digest(), expected, "{prepared:?} cut at {cut}");
        }
    }
}

#[test]
fn bad_numbers_are_named() {
    let lines = [
        (Sha256Family::sha256_with_rounds(0), "the number of rounds must be 1 to 256, not 0"),
        (Sha256Family::sha256_with_rounds(257), "the number of rounds must be 1 to 256, not 257"),
        (Sha256Family::new(90, &[0; 64], Rotations::SHA256, [0; 8]), "90 rounds need 90 constants, not 64"),
        (
            Sha256Family::new(1, &[0], Rotations { sigma_1: [1, 2, 32], ..Rotations::SHA256 }, [0; 8]),
            "a rotation or shift of σ1 must be by 0 to 31 bits, not 32",
        ),
    ];
    for (member, line) in lines {
        assert_eq!(member.unwrap_err().to_string(), line);
    }
    // A number of rounds whose constants do not fit into any memory.
    let most = Sha256Family::sha256_with_rounds(usize::MAX);
    assert_eq!(most, Err(Error::Rounds { given: usize::MAX }));
    let unknown = "sha-in".parse::<Implementation>().unwrap_err();
    assert_eq!(unknown.to_string(), "unknown implementation 'sha-in' (known: sha-ni, armv8-sha2, jit, soft)");
}

#[test]
fn a_implementation_that_cannot_says_why() {
    let free = member(&mut Random(4), 64, true);
    let here = if cfg!(target_arch = "aarch64") { Implementation::Armv8 } else { Implementation::ShaNi };
    let elsewhere = if cfg!(target_arch = "aarch64") { Implementation::ShaNi } else { Implementation::Armv8 };
    assert!(free.on(here).unwrap_err().to_string().ends_with("only the rotations of SHA-256 are supported"));
    assert!(
        free.on(elsewhere).unwrap_err().to_string().ends_with("it is not available on this CPU architecture")
    );
    #[cfg(not(feature = "jit"))]
    {
        let reason = free.on(Implementation::Jit).unwrap_err().to_string();
        assert_eq!(
            reason,
            "the implementation jit cannot run this function: this build doesn't include the feature jit"
        );
        let prepared = free.compile();
        assert_eq!((prepared.implementation(), prepared.compiled()), (Implementation::Soft, None));
        assert_eq!(prepared.refusal(), Some("this build doesn't include the feature jit"));
    }
}

/// A CPU with instructions for SHA-256 uses them.
#[test]
fn instructions_are_used_where_they_are() {
    #[cfg(target_arch = "x86_64")]
    let there = is_x86_feature_detected!("sha").then_some(Implementation::ShaNi);
    #[cfg(target_arch = "aarch64")]
    let there = std::arch::is_aarch64_feature_detected!("sha2").then_some(Implementation::Armv8);
    let prepared = Sha256Family::sha256_with_rounds(90).unwrap().prepare();
    assert_eq!(prepared.implementation(), there.unwrap_or(Implementation::Soft));
    eprintln!("implementations compared with the model: {:?}", prepared.member().implementations());
}
