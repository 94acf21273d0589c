//! Keys and secret messages leave no copies in the process's memory after the objects that contained them are dropped.
//!
//! Everything runs in a child process in which nothing else allocates. Secrets are identified by numbers: see
//! `common/residue.rs`. States that are derived from them, such as midstates of HMAC, chaining values, and K and V of
//! HMAC-DRBG, are computed by the parent and passed to the child in masked form. So the child only has them unmasked if
//! the code under test leaves them behind.
#![cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))] // qemu-user's /proc/self/mem is qemu's own

mod common;
#[path = "common/residue.rs"]
mod residue;
#[path = "common/states.rs"]
mod states;

use common::{Random, slow};
use hashwell::{
    ALGORITHMS, Algorithm, CounterRng, DrbgParams, DrbgStream, Hmac, HmacDrbg, Kind, Kmac, KmacVariant,
    OsDrbg, Params, PlainHasher, PlainHmac, RandomSource, RandomStream, SHA256_CONSTANTS, Source, StreamKey,
    registry::Parameter,
};
use residue::{Found, Masked, derived, left_behind, next_word, of_states, snapshot, written_below_cleared};
use states::{MESSAGE, drbg_states, hasher_states, hmac_states, message, params, source_states};
use std::ffi::OsStr;
use std::hint::black_box;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::path::Path;
use zeroize::Zeroize;

type Use = Box<dyn FnOnce(&[u8]) + Send>;

/// The states that are derived from a secret, as bytes.
type States = Box<dyn Fn(&[u8]) -> Vec<Vec<u8>>>;

/// A use of a secret.
struct Case {
    name: String,
    /// The length of the secret in bytes.
    len: usize,
    run: Use,
    states: Option<States>,
}

impl Case {
    fn with(self, states: impl Fn(&[u8]) -> Vec<Vec<u8>> + 'static) -> Self {
        Self { states: Some(Box::new(states)), ..self }
    }
}

fn case(name: impl Into<String>, len: usize, run: impl FnOnce(&[u8]) + Send + 'static) -> Case {
    Case { name: name.into(), len, run: Box::new(run), states: None }
}

/// Uses a generator in a separate stack frame, because it is moved within its caller's frame and leaves its state
/// there, which is a documented limitation. The same applies to KMAC.
#[inline(never)]
fn drbg_at_work(row: &'static Algorithm, seed: &[u8]) {
    let (entropy, nonce) = seed.split_at(32);
    let mut drbg = HmacDrbg::new(row, entropy, nonce, &DrbgParams::default()).unwrap();
    drbg.generate(&mut [0; 100], b"").unwrap();
    drbg.reseed(entropy, b"").unwrap();
    drbg.generate(&mut [0; 100], b"").unwrap();
}

#[inline(never)]
fn stream_at_work(row: &'static Algorithm, seed: &[u8]) {
    let (entropy, nonce) = seed.split_at(32);
    let mut stream = DrbgStream::new(row, entropy, nonce, &DrbgParams::default()).unwrap();
    stream.read(&mut [0; 100]).unwrap();
    stream.fork_stream(b"label").unwrap().read(&mut [0; 100]).unwrap();
}

/// A `Reader` is moved to its caller. With a plain hasher there is no heap memory in which the key could be left.
#[inline(never)]
fn plain_reader_at_work(hasher: &PlainHasher) {
    hasher.reader().unwrap().read(&mut [0; 200]);
}

#[inline(never)]
fn kmac_at_work(variant: KmacVariant, key: &[u8]) {
    let mut kmac = Kmac::new(variant, key, b"customisation");
    kmac.update(MESSAGE);
    black_box(kmac.tag(32));
    kmac.reset();
    kmac.into_reader().read(&mut [0; 200]);
}

/// All uses of a key that must leave nothing.
fn keyed() -> Vec<Case> {
    let mut cases = Vec::new();
    for row in ALGORITHMS {
        let name = row.name;
        if row.hmac {
            cases.push(
                case(format!("Hmac over {name}"), 32, move |key| {
                    let mut hmac = Hmac::new(row, key).unwrap();
                    hmac.update(MESSAGE);
                    black_box(hmac.tag());
                })
                .with(move |key| hmac_states(row, key)),
            );
            cases.push(
                case(format!("hmac over {name}, a key longer than its block"), 200, move |key| {
                    black_box(hashwell::hmac(row, key, MESSAGE).unwrap());
                })
                .with(move |key| hmac_states(row, key)),
            );
            cases.push(
                case(format!("PlainHmac over {name}"), 64, move |key| {
                    let mut place = MaybeUninit::uninit();
                    let hmac = PlainHmac::new_in(row, key, &mut place).unwrap();
                    hmac.update(MESSAGE);
                    hmac.tag_into(&mut [0; 16]).unwrap();
                    hmac.verify(&[0; 16]).unwrap_err();
                    hmac.reset();
                    hmac.update(MESSAGE);
                    hmac.zeroize();
                    PlainHmac::tag_of(row, key, MESSAGE, &mut [0; 16]).unwrap();
                })
                .with(move |key| hmac_states(row, key)),
            );
            cases.push(
                case(format!("hmac_many over {name}"), 32, move |key| {
                    black_box(hashwell::hmac_many(row, &[key; 9], &[MESSAGE; 9]).unwrap());
                })
                .with(move |key| hmac_states(row, key)),
            );
            cases.push(
                case(format!("HKDF over {name}, key material"), 32, move |ikm| {
                    let mut okm = [0; 100];
                    hashwell::hkdf(row, ikm, b"salt", b"info", &mut okm).unwrap();
                })
                .with(move |ikm| {
                    let prk = hashwell::hkdf_extract(row, b"salt", ikm).unwrap();
                    [hmac_states(row, &prk), vec![prk]].concat()
                }),
            );
            cases.push(
                case(format!("HKDF-Expand over {name}"), 64, move |prk| {
                    let mut okm = [0; 100];
                    hashwell::hkdf_expand(row, prk, b"info", &mut okm).unwrap();
                })
                .with(move |prk| hmac_states(row, prk)),
            );
            cases.push(case(format!("HmacDrbg over {name}"), 48, move |seed| drbg_at_work(row, seed)));
            cases.push(
                case(format!("HmacDrbg over {name}, whose places are overwritten"), 48, move |seed| {
                    drbg_at_work(row, seed);
                    hashwell::wipe_stack();
                })
                .with(move |seed| drbg_states(row, seed)),
            );
            cases.push(case(format!("DrbgStream over {name}"), 48, move |seed| stream_at_work(row, seed)));
            cases.push(
                case(format!("DrbgStream over {name}, whose places are overwritten"), 48, move |seed| {
                    stream_at_work(row, seed);
                    hashwell::wipe_stack();
                })
                .with(move |seed| drbg_states(row, seed)),
            );
        }
        for (parameter, what) in [(Parameter::Key, "key"), (Parameter::Context, "key material")] {
            let Some(limits) = row.limits(parameter) else { continue };
            let derive = parameter == Parameter::Context;
            let len = if derive { 32 } else { limits.max as usize };
            cases.push(
                case(format!("Hasher of {name}, {what}"), len, move |key| {
                    let mut hasher = row.build(&params(derive, key)).unwrap();
                    hasher.update(message(derive, key));
                    black_box(hasher.digest());
                    hasher.reset();
                    hasher.update(message(derive, key));
                    black_box(hasher.clone().digest());
                })
                .with(move |key| hasher_states(row, derive, key)),
            );
            cases.push(
                case(format!("PlainHasher in place of {name}, {what}"), len, move |key| {
                    let mut place = MaybeUninit::uninit();
                    let hasher = row.plain_hasher_in(&params(derive, key), &mut place).unwrap();
                    hasher.update(message(derive, key));
                    hasher.digest_into(&mut vec![0; row.output]).unwrap();
                    hasher.zeroize();
                })
                .with(move |key| hasher_states(row, derive, key)),
            );
            cases.push(
                case(format!("Many of {name}, {what}"), len, move |key| {
                    black_box(row.many(&params(derive, key)).unwrap().digest(&[message(derive, key); 9]));
                })
                .with(move |key| hasher_states(row, derive, key)),
            );
            if row.kind == Kind::Xof {
                cases.push(
                    case(format!("Reader of {name}, {what}"), len, move |key| {
                        let mut hasher = row.build(&params(derive, key)).unwrap();
                        hasher.update(message(derive, key));
                        let mut reader = hasher.into_reader().unwrap();
                        reader.read(&mut [0; 200]);
                        black_box(reader.clone().read_vec(10));
                    })
                    .with(move |key| hasher_states(row, derive, key)),
                );
                cases.push(
                    case(format!("Reader of a PlainHasher of {name}, {what}"), len, move |key| {
                        let mut place = MaybeUninit::uninit();
                        let hasher = row.plain_hasher_in(&params(derive, key), &mut place).unwrap();
                        hasher.update(message(derive, key));
                        plain_reader_at_work(hasher);
                        hasher.zeroize();
                    })
                    .with(move |key| hasher_states(row, derive, key)),
                );
                cases.push(
                    case(format!("Streams of {name}, {what}, of no seed"), len, move |key| {
                        black_box(row.streams::<&[u8]>(&[], &params(derive, key)).unwrap());
                    })
                    .with(move |key| hasher_states(row, derive, key)),
                );
                cases.push(
                    case(format!("Streams of {name}, {what}"), len, move |key| {
                        let mut streams =
                            row.streams(&[message(derive, key); 9], &params(derive, key)).unwrap();
                        streams.read(&mut [0; 9 * 200]).unwrap();
                    })
                    .with(move |key| hasher_states(row, derive, key)),
                );
            }
        }
    }
    for variant in KmacVariant::ALL {
        cases.push(case(variant.name(), 32, move |key| kmac_at_work(variant, key)));
        cases.push(
            case(format!("{}, whose places are overwritten", variant.name()), 32, move |key| {
                kmac_at_work(variant, key);
                hashwell::wipe_stack();
            })
            .with(move |key| {
                let mut kmac = Kmac::new(variant, key, b"customisation");
                let keyed = snapshot(&kmac);
                kmac.update(MESSAGE);
                vec![keyed, snapshot(&kmac)]
            }),
        );
    }
    for source in Source::all() {
        let of_seed = case(format!("source {}, seed", source.name()), 32, move |seed| {
            // The stream is moved, and its key with it.
            #[inline(never)]
            fn draw(source: Source, seed: &[u8]) {
                let mut stream = source.seeded(seed, b"").unwrap();
                stream.read(&mut [0; 100]).unwrap();
                stream.spawn().unwrap().next_u64().unwrap();
            }
            draw(source, seed);
            hashwell::wipe_stack();
        });
        cases.push(of_seed.with(move |seed| {
            let key = StreamKey::for_frame(seed, b"", &[0; 32]).root;
            [source_states(source, &key), vec![key.to_vec()]].concat()
        }));
        let of_key = case(format!("source {}, key", source.name()), 32, move |key| {
            // The key is moved with its struct, as its documentation says.
            #[inline(never)]
            fn draw(source: Source, key: &[u8]) {
                let root = StreamKey { root: key.try_into().unwrap(), jumps: 0 };
                let mut stream = RandomStream::of_key(source, root).unwrap();
                stream.read(&mut [0; 100]).unwrap();
                stream.jumped(2).unwrap().next_u64().unwrap();
            }
            draw(source, key);
            hashwell::wipe_stack();
        });
        // This is the stream before the jumps.
        cases.push(of_key.with(move |key| source_states(source, key)));
    }
    cases.push(
        case("CounterRng", 32, |key| {
            let mut words = CounterRng::new(key.try_into().unwrap());
            words.read(&mut [0; 100]);
        })
        .with(|key| vec![snapshot(&CounterRng::new(key.try_into().unwrap()))]),
    );
    cases.push(case("OsDrbg, additional input", 32, |additional| {
        let mut drbg = OsDrbg::new(hashwell::find("sha256").unwrap(), &DrbgParams::default()).unwrap();
        drbg.generate(&mut [0; 100], additional).unwrap();
    }));
    cases
}

/// One-shot hashing of a secret message. For performance on short messages, hashwell does not guarantee to clear it for
/// rows whose kernels need more memory than registers: those of Keccak, BLAKE2 and BLAKE3.
fn one_shot() -> Vec<Case> {
    let promised = |name: &str| {
        name.starts_with("ascon")
            || name == "sha1"
            || name.starts_with("sha2")
            || name.starts_with("sha5")
            || name == "sha384"
    };
    let rows = ALGORITHMS.iter().filter(|row| promised(row.name));
    rows.flat_map(|row| {
        let digest = |len| {
            case(format!("one-shot {} of {len} bytes", row.name), len, move |message| {
                row.digest_into(message, &mut vec![0; row.output]).unwrap();
            })
        };
        [digest(32), digest(64), digest(200)]
    })
    .collect()
}

/// Remains that the search must find.
fn controls() -> Vec<Case> {
    #[inline(never)]
    fn copy_on_the_stack(key: &[u8]) {
        let mut copy = [0u8; 32];
        copy.copy_from_slice(key);
        black_box(&copy);
    }
    #[inline(never)]
    fn end_of_a_schedule(block: &[u8]) {
        let mut w = [0; 64];
        for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for t in 16..64 {
            w[t] = next_word([t - 16, t - 15, t - 7, t - 2].map(|i| w[i]));
        }
        let end: [u32; 16] = std::array::from_fn(|i| w[48 + i].wrapping_add(SHA256_CONSTANTS[48 + i]));
        black_box(&end);
        w.zeroize();
    }
    let sha256 = hashwell::find("sha256").unwrap();
    vec![
        case("a copy on the stack", 32, copy_on_the_stack),
        case("a copy on the heap", 32, |key| std::mem::forget(black_box(key.to_vec()))),
        case("a copy that was freed", 64, |key| drop(black_box(key.to_vec()))),
        case("the end of a schedule", 64, end_of_a_schedule),
        case("a message in a hasher", 32, move |message| {
            let mut hasher = sha256.hasher();
            hasher.update(message);
            std::mem::forget(black_box(Box::new(hasher)));
        }),
        case("a keyed state that is never wiped", 32, |key| {
            let params = Params { key: Some(key), ..Params::default() };
            let hasher = hashwell::find("blake3").unwrap().plain_hasher(&params).unwrap();
            black_box(&hasher);
        }),
        case("an HMAC that is never wiped: its states", 32, move |key| {
            // The key itself is not in the object.
            let hmac = ManuallyDrop::new(Hmac::new(sha256, key).unwrap());
            black_box(&hmac);
        })
        .with(move |key| hmac_states(sha256, key)),
        case("an HMAC-DRBG that is never wiped: its states", 48, move |seed| {
            let (entropy, nonce) = seed.split_at(32);
            let drbg = HmacDrbg::new(sha256, entropy, nonce, &DrbgParams::default()).unwrap();
            std::mem::forget(black_box(Box::new(drbg)));
            hashwell::wipe_stack();
        })
        .with(move |seed| drbg_states(sha256, seed)),
    ]
}

/// The secrets of the cases, in the same order.
fn secrets(cases: &[Case]) -> Vec<Masked> {
    let mut numbers = Random(0x006d_656d_6f72_7900);
    cases.iter().map(|case| Masked::new(numbers.next(), case.len)).collect()
}

/// The remains of the secrets, and of the states derived from them, by case.
fn search(cases: Vec<Case>, states: &[Vec<[u64; 2]>]) -> Vec<(String, Vec<Found>)> {
    assert_eq!(cases.len(), states.len());
    let all = secrets(&cases).into_iter().zip(states);
    let found = cases.into_iter().zip(all).map(|(Case { name, run, .. }, (secret, states))| {
        let found = left_behind(&secret, &of_states(states), run);
        (name, found)
    });
    found.collect()
}

fn assert_nothing_left(cases: Vec<Case>, states: &[Vec<[u64; 2]>]) {
    let mut report = String::new();
    for (name, found) in search(cases, states) {
        if let Some(first) = found.first() {
            report += &format!("{name}: {} pieces, the first {first}\n", found.len());
        }
    }
    assert!(report.is_empty(), "left in memory:\n{report}");
}

const CHILD: &str = "HASHWELL_TEST_CHILD";
/// The path of a file with the states to search for.
const STATES: &str = "HASHWELL_TEST_STATES";
/// The kernel that is forced in the child.
const KERNEL: &str = "HASHWELL_TEST_KERNEL";

/// The message of a child whose CPU lacks the kernel.
const NO_SUCH_KERNEL: &str = "the CPU lacks the kernel";

/// Runs a test in a child process, and returns its output.
fn child(name: &str, variables: &[(&str, &OsStr)]) -> String {
    let test = std::env::current_exe().unwrap();
    let args = [name, "--exact", "--nocapture"];
    let mut command = std::process::Command::new(test);
    let run = command.args(args).env(CHILD, "1").envs(variables.iter().copied()).output().unwrap();
    assert!(run.status.success(), "{name}, {variables:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

fn in_a_child(name: &str) -> bool {
    if std::env::var_os(CHILD).is_some() {
        return true;
    }
    child(name, &[]);
    false
}

/// Writes the states of all cases to a file, one line for each.
fn write_states(cases: &[Case], path: &Path) -> usize {
    let mut all = 0;
    let mut lines = String::new();
    for (Case { name, states, .. }, secret) in cases.iter().zip(secrets(cases)) {
        if let Some(states) = states {
            let pairs = derived(&secret, states);
            assert!(pairs.len() >= 2, "{name}: {} words of states", pairs.len());
            all += pairs.len();
            pairs.iter().for_each(|[one, two]| lines += &format!("{one:x} {two:x} "));
        }
        lines.push('\n');
    }
    std::fs::write(path, lines).unwrap();
    all
}

fn read_states(path: impl AsRef<Path>) -> Vec<Vec<[u64; 2]>> {
    let text = std::fs::read_to_string(path).unwrap();
    let words = |line: &str| -> Vec<u64> {
        line.split_whitespace().map(|word| u64::from_str_radix(word, 16).unwrap()).collect()
    };
    text.lines().map(|line| words(line).as_chunks().0.to_vec()).collect()
}

/// Checks that computing one tag clears all parts of the stack that it writes to. A search only for the key would
/// depend on which words the compiler spills in deep stack frames.
fn assert_one_tag_clears_its_frames() {
    /// The return addresses and saved registers of the clearing function.
    const OWN_FRAME: usize = 64;
    for row in ALGORITHMS.iter().filter(|row| row.hmac) {
        for len in [0, 32, 200] {
            let below = written_below_cleared(move || {
                PlainHmac::tag_of(row, &[0x5b; 200][..len], MESSAGE, &mut [0; 16]).unwrap();
            });
            assert!(below <= OWN_FRAME, "one tag of {}: {below} bytes below what is cleared", row.name);
        }
    }
}

/// All uses of a key, on the default kernels of this CPU and on the portable ones. With `SLOW=1`, each kernel of any
/// family is forced as well.
#[test]
fn keys() {
    if std::env::var_os(CHILD).is_some() {
        if let Some(kernel) = std::env::var_os(KERNEL)
            && let Err(error) = hashwell::force_kernel(kernel.to_str().unwrap())
        {
            assert!(matches!(error, hashwell::Error::UnavailableKernel { .. }), "{error}");
            println!("{NO_SUCH_KERNEL}");
            return;
        }
        assert_one_tag_clears_its_frames();
        assert_nothing_left(keyed(), &read_states(std::env::var_os(STATES).unwrap()));
        return;
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("states");
    let words = write_states(&keyed(), &file);
    assert!(words > 1000, "{words}");
    let states = (STATES, file.as_os_str());
    child("keys", &[states]);
    for kernel in hashwell::kernels() {
        if slow() || kernel == "soft" {
            let said = child("keys", &[states, (KERNEL, kernel.as_ref())]);
            eprintln!(
                "{kernel}: {}",
                if said.contains(NO_SUCH_KERNEL) { NO_SUCH_KERNEL } else { "nothing left" }
            );
        }
    }
}

#[test]
fn one_shot_messages() {
    if in_a_child("one_shot_messages") {
        let cases = one_shot();
        let states = vec![Vec::new(); cases.len()];
        assert_nothing_left(cases, &states);
    }
}

/// A call that clears less of the stack than it used.
fn too_deep() {
    #[inline(never)]
    fn work() {
        let mut frame = [0x3c_u8; 8 << 10];
        black_box(&mut frame);
    }
    #[inline(never)]
    fn clear() {
        let mut frame = [0u8; 2 << 10];
        black_box(&mut frame);
    }
    work();
    clear();
}

/// The controls, for keys and for states derived from them.
#[test]
fn what_is_left_is_found() {
    if std::env::var_os(CHILD).is_none() {
        let below = written_below_cleared(too_deep);
        assert!((4 << 10..8 << 10).contains(&below), "{below}");
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("states-that-stay");
        write_states(&controls(), &file);
        child("what_is_left_is_found", &[(STATES, file.as_os_str())]);
        return;
    }
    let states = read_states(std::env::var_os(STATES).unwrap());
    for (name, found) in search(controls(), &states) {
        assert!(found.len() >= 3, "{name}: {found:?}");
        assert!(
            !name.ends_with(": its states") || found.iter().any(|found| found.form.starts_with("in a state")),
            "{name}: {found:?}"
        );
    }
}
