//! Command-line programs, and standard libraries of programming languages, that can hash. The installed ones are run on
//! messages with known digests.

use crate::report::{ProgramKind, ProgramSupport, State};
use hashwell::Algorithm;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Commands for each algorithm. Each command reads standard input and prints the digest in hexadecimal, possibly with
/// other text. For extendable-output functions, the output length is that of the registry.
const COMMANDS: &[(&str, &[&str])] = &[
    ("sha1", &["sha1sum", "cksum -a sha1", "openssl dgst -sha1", "shasum -a 1", "rhash --sha1 -"]),
    (
        "sha224",
        &["sha224sum", "cksum -a sha224", "openssl dgst -sha224", "shasum -a 224", "rhash --sha224 -"],
    ),
    (
        "sha256",
        &["sha256sum", "cksum -a sha256", "openssl dgst -sha256", "shasum -a 256", "rhash --sha256 -"],
    ),
    (
        "sha384",
        &["sha384sum", "cksum -a sha384", "openssl dgst -sha384", "shasum -a 384", "rhash --sha384 -"],
    ),
    (
        "sha512",
        &["sha512sum", "cksum -a sha512", "openssl dgst -sha512", "shasum -a 512", "rhash --sha512 -"],
    ),
    ("sha512-224", &["openssl dgst -sha512-224", "shasum -a 512224"]),
    ("sha512-256", &["openssl dgst -sha512-256", "shasum -a 512256"]),
    ("sm3", &["sm3sum", "cksum -a sm3", "openssl dgst -sm3"]),
    ("sha3-224", &["openssl dgst -sha3-224", "sha3sum -a 224", "rhash --sha3-224 -"]),
    ("sha3-256", &["openssl dgst -sha3-256", "sha3sum -a 256", "rhash --sha3-256 -"]),
    ("sha3-384", &["openssl dgst -sha3-384", "sha3sum -a 384", "rhash --sha3-384 -"]),
    ("sha3-512", &["openssl dgst -sha3-512", "sha3sum -a 512", "rhash --sha3-512 -"]),
    // sha3sum prints 168 and 136 bytes, of which the first ones are the digest.
    ("shake128", &["openssl dgst -shake128 -xoflen 32", "sha3sum -a 128000"]),
    ("shake256", &["openssl dgst -shake256 -xoflen 64", "sha3sum -a 256000"]),
    ("blake2b-256", &["b2sum -l 256", "cksum -a blake2b -l 256"]),
    ("blake2b-512", &["b2sum", "cksum -a blake2b", "openssl dgst -blake2b512", "rhash --blake2b -"]),
    ("blake2s-256", &["openssl dgst -blake2s256", "rhash --blake2s -"]),
    ("blake3", &["b3sum", "rhash --blake3 -"]),
    ("ripemd160", &["openssl dgst -ripemd160", "rhash --ripemd160 -"]),
];

/// Prints a line `name digest` for each name in the arguments that the language supports. The message is read from
/// standard input.
const PYTHON: &str = "import hashlib, sys
m = sys.stdin.buffer.read()
for n, size in (a.split(':') for a in sys.argv[1:]):
    try:
        h = hashlib.blake2b(m, digest_size=32) if n == 'blake2b_256' else hashlib.new(n, m)
    except ValueError:
        continue
    print(f'{n}:{size}', h.hexdigest(int(size)) if n.startswith('shake') else h.hexdigest())
";
const NODE: &str = "const { createHash } = require('node:crypto');
const m = require('node:fs').readFileSync(0);
for (const a of process.argv.slice(1)) {
  const [n, size] = a.split(':');
  let h;
  try { h = n.startsWith('shake') ? createHash(n, { outputLength: +size }) : createHash(n); } catch { continue; }
  console.log(a, h.update(m).digest('hex'));
}
";
const JAVA: &str = "import java.security.*;
import java.util.HexFormat;
class Main {
  public static void main(String[] names) throws Exception {
    byte[] m = System.in.readAllBytes();
    for (String a : names) {
      try {
        byte[] d = MessageDigest.getInstance(a.split(\":\")[0]).digest(m);
        System.out.println(a + \" \" + HexFormat.of().formatHex(d));
      } catch (NoSuchAlgorithmException none) { }
    }
  }
}
";
/// The Go program, with or without an import that Go lacks before version 1.24.
macro_rules! go {
    ($sha3:literal) => {
        concat!(
            "package main
import (\"crypto\"; _ \"crypto/sha1\"; _ \"crypto/sha256\"; _ \"crypto/sha512\"; ",
            $sha3,
            "\"fmt\"; \"io\"; \"os\"; \"strings\")
func main() {
  m, _ := io.ReadAll(os.Stdin)
  for _, a := range os.Args[1:] {
    for h := crypto.Hash(1); h < 32; h++ {
      if h.Available() && h.String() == strings.Split(a, \":\")[0] {
        d := h.New(); d.Write(m); fmt.Printf(\"%s %x\\n\", a, d.Sum(nil))
      }
    }
  }
}
"
        )
    };
}

/// The standard library of a language.
struct Language {
    name: &'static str,
    /// The command. `FILE` is replaced by the path of a file with the program, and `TEXT` by the program.
    command: &'static [&'static str],
    ending: &'static str,
    /// Versions of the program. The first one that runs is used.
    programs: &'static [&'static str],
    /// Names of the algorithms.
    names: &'static [(&'static str, &'static str)],
}

const HASHLIB: &[(&str, &str)] = &[
    ("sha1", "sha1"),
    ("sha224", "sha224"),
    ("sha256", "sha256"),
    ("sha384", "sha384"),
    ("sha512", "sha512"),
    ("sha512-224", "sha512_224"),
    ("sha512-256", "sha512_256"),
    ("sm3", "sm3"),
    ("sha3-224", "sha3_224"),
    ("sha3-256", "sha3_256"),
    ("sha3-384", "sha3_384"),
    ("sha3-512", "sha3_512"),
    ("shake128", "shake_128"),
    ("shake256", "shake_256"),
    ("blake2b-256", "blake2b_256"),
    ("blake2b-512", "blake2b"),
    ("blake2s-256", "blake2s"),
    ("ripemd160", "ripemd160"),
];
const OPENSSL: &[(&str, &str)] = &[
    ("sha1", "sha1"),
    ("sha224", "sha224"),
    ("sha256", "sha256"),
    ("sha384", "sha384"),
    ("sha512", "sha512"),
    ("sha512-224", "sha512-224"),
    ("sha512-256", "sha512-256"),
    ("sm3", "sm3"),
    ("sha3-224", "sha3-224"),
    ("sha3-256", "sha3-256"),
    ("sha3-384", "sha3-384"),
    ("sha3-512", "sha3-512"),
    ("shake128", "shake128"),
    ("shake256", "shake256"),
    ("blake2b-512", "blake2b512"),
    ("blake2s-256", "blake2s256"),
    ("ripemd160", "ripemd160"),
];
const STANDARD: &[(&str, &str)] = &[
    ("sha1", "SHA-1"),
    ("sha224", "SHA-224"),
    ("sha256", "SHA-256"),
    ("sha384", "SHA-384"),
    ("sha512", "SHA-512"),
    ("sha512-224", "SHA-512/224"),
    ("sha512-256", "SHA-512/256"),
    ("sha3-224", "SHA3-224"),
    ("sha3-256", "SHA3-256"),
    ("sha3-384", "SHA3-384"),
    ("sha3-512", "SHA3-512"),
];

const LANGUAGES: &[Language] = &[
    Language {
        name: "Python",
        command: &["python3", "FILE"],
        ending: "py",
        programs: &[PYTHON],
        names: HASHLIB,
    },
    Language {
        name: "Node.js",
        command: &["node", "-e", "TEXT", "--"],
        ending: "js",
        programs: &[NODE],
        names: OPENSSL,
    },
    Language { name: "Java", command: &["java", "FILE"], ending: "java", programs: &[JAVA], names: STANDARD },
    Language {
        name: "Go",
        command: &["go", "run", "FILE"],
        ending: "go",
        programs: &[go!("_ \"crypto/sha3\"; "), go!("")],
        names: STANDARD,
    },
];

/// The maximum time for a command.
const COMMAND: Duration = Duration::from_secs(10);
/// The maximum time for a language, which may have to compile its program first.
const LANGUAGE: Duration = Duration::from_secs(120);

/// Messages that are empty, shorter than a block, and several blocks long.
fn messages() -> [Vec<u8>; 3] {
    [Vec::new(), b"abc".to_vec(), (0..1000).map(|i| (i % 251) as u8).collect()]
}

/// Runs every program that is installed, until `stop` is set.
#[must_use]
pub fn find(stop: &AtomicBool) -> Vec<ProgramSupport> {
    let mut found = Vec::new();
    for (name, commands) in COMMANDS {
        let Ok(algorithm) = hashwell::find(name) else { continue };
        for command in *commands {
            if stop.load(Ordering::Relaxed) {
                return found;
            }
            found.extend(try_command(algorithm, command));
        }
    }
    for language in LANGUAGES {
        if stop.load(Ordering::Relaxed) {
            return found;
        }
        found.extend(try_language(language));
    }
    found
}

fn expected(algorithm: &'static Algorithm, message: &[u8]) -> String {
    algorithm.digest(message).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Runs a command. Returns `None` if the program is missing or does not support the algorithm.
fn try_command(algorithm: &'static Algorithm, command: &'static str) -> Option<ProgramSupport> {
    let mut words = command.split(' ');
    let program = words.next()?;
    let arguments: Vec<&str> = words.collect();
    let mut right = true;
    for message in messages() {
        let output = output_of(Command::new(program).args(&arguments), &message, COMMAND)?;
        right &= output.to_lowercase().split(|c: char| !c.is_ascii_hexdigit()).any(|word| {
            let expected = expected(algorithm, &message);
            word == expected || (algorithm.kind == hashwell::Kind::Xof && word.starts_with(&expected))
        });
    }
    Some(support(algorithm.name, ProgramKind::Command, command, right))
}

fn support(algorithm: &str, kind: ProgramKind, program: &str, right: bool) -> ProgramSupport {
    let state = if right { State::Right } else { State::Wrong };
    ProgramSupport { algorithm: algorithm.into(), kind, program: program.into(), state }
}

/// Runs the program of a language. The list is empty if the language is missing.
fn try_language(language: &Language) -> Vec<ProgramSupport> {
    let names: Vec<(&'static Algorithm, String)> = language
        .names
        .iter()
        .filter_map(|(name, theirs)| Some((hashwell::find(name).ok()?, *theirs)))
        .map(|(algorithm, theirs)| (algorithm, format!("{theirs}:{}", algorithm.output)))
        .collect();
    let mut right: Vec<Option<bool>> = vec![None; names.len()];
    for program in language.programs {
        for message in messages() {
            let Some(output) = run_language(language, program, &names, &message) else { break };
            for (right, (algorithm, name)) in right.iter_mut().zip(&names) {
                let line = output.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
                if let Some(digest) = line {
                    let same = digest.trim() == expected(algorithm, &message);
                    *right = Some(right.unwrap_or(true) && same);
                }
            }
        }
        if right.iter().any(Option::is_some) {
            break;
        }
    }
    let found = names.iter().zip(right);
    let found = found.filter_map(|((algorithm, _), right)| {
        Some(support(algorithm.name, ProgramKind::Language, language.name, right?))
    });
    found.collect()
}

fn run_language(
    language: &Language,
    program: &str,
    names: &[(&'static Algorithm, String)],
    message: &[u8],
) -> Option<String> {
    let folder = Folder::new()?;
    let file = folder.0.join(format!("Main.{}", language.ending));
    std::fs::write(&file, program).ok()?;
    let (first, rest) = language.command.split_first()?;
    let mut command = Command::new(first);
    for word in rest {
        match *word {
            "FILE" => command.arg(&file),
            "TEXT" => command.arg(program),
            word => command.arg(word),
        };
    }
    command.args(names.iter().map(|(_, name)| name)).current_dir(&folder.0);
    output_of(&mut command, message, LANGUAGE)
}

/// A new folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Option<Self> {
        let unique = Instant::now();
        let name = format!("hashwell-programs-{}-{unique:?}", std::process::id());
        let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let path = std::env::temp_dir().join(name);
        // An existing folder would belong to another process.
        std::fs::create_dir(&path).ok()?;
        Some(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns the standard output, or `None` if the program is missing, fails, or takes too long.
fn output_of(command: &mut Command, message: &[u8], most: Duration) -> Option<String> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).env("LC_ALL", "C");
    let mut child = piped.spawn().ok()?;
    // The message is shorter than any pipe's buffer. A program that rejects its options may have closed the pipe.
    let _ = child.stdin.take()?.write_all(message);
    let until = Instant::now() + most;
    let status = wait(&mut child, until)?;
    let mut output = String::new();
    // The output is short as well.
    child.stdout.take()?.read_to_string(&mut output).ok()?;
    status.then_some(output)
}

/// Returns true if the program succeeded, or `None` if it was stopped because it took too long.
fn wait(child: &mut Child, until: Instant) -> Option<bool> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(1)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_of_coreutils_are_right() {
        let sha256 = hashwell::find("sha256").unwrap();
        let Some(found) = try_command(sha256, "sha256sum") else {
            println!("skipped: no sha256sum");
            return;
        };
        assert_eq!((found.state, found.kind), (State::Right, ProgramKind::Command));
        // A digest of a different algorithm counts as wrong. An unknown option or a missing program counts as not
        // supported.
        let sha224 = hashwell::find("sha224").unwrap();
        assert_eq!(try_command(sha224, "sha256sum").unwrap().state, State::Wrong);
        assert!(try_command(sha256, "sha256sum --no-such-option").is_none());
        assert!(try_command(sha256, "hashwell-no-such-program").is_none());
    }

    #[test]
    fn names_are_those_of_the_registry() {
        let languages = LANGUAGES.iter().flat_map(|language| language.names.iter().map(|(name, _)| *name));
        for name in COMMANDS.iter().map(|(name, _)| *name).chain(languages) {
            assert_eq!(hashwell::find(name).unwrap().name, name);
        }
    }

    #[test]
    fn a_program_that_does_not_end_is_stopped() {
        let mut sleep = Command::new("sleep");
        let began = Instant::now();
        assert_eq!(output_of(sleep.arg("60"), b"", Duration::from_millis(50)), None);
        assert!(began.elapsed() < Duration::from_secs(30));
    }
}
