//! Reads keys and seeds, and overwrites them after use.

use crate::inputs::reading::{is_stdin, too_long};
use crate::options::bytes::from_hex;
use crate::options::key::KeyOptions;
use crate::system::os;
use crate::system::report::{Failure, printable, reason};
use crate::system::standard;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use zeroize::Zeroizing;

/// The maximum size in bytes of a key or seed: far more than any needs, and far less than fits into memory.
const MOST: usize = 64 << 20;

/// The key's bytes. `inputs` are the files with data; these and the key cannot both be standard input.
pub(crate) fn key(options: &KeyOptions, inputs: &[OsString]) -> Result<Zeroizing<Vec<u8>>, Failure> {
    if let Some(hex) = &options.key_hex {
        return decode("--key-hex", hex);
    }
    if let Some(variable) = &options.key_env {
        let name = printable(variable);
        let refuse = |why: String| Failure::Usage(format!("--key-env: {why}"));
        let value = std::env::var_os(variable)
            .ok_or_else(|| refuse(format!("there is no environment variable {name}")))?;
        let key =
            os::text_bytes(value).map(Zeroizing::new).map_err(|why| refuse(format!("{name}: {why}")))?;
        // An empty variable or file is a mistake. An empty key can be given with --key-hex.
        return if key.is_empty() { Err(refuse(format!("{name} is empty"))) } else { Ok(key) };
    }
    let path = options.key_file.as_deref().expect("clap requires one of the three");
    if is_stdin(path.as_os_str()) && inputs.iter().any(|name| is_stdin(name)) {
        let message =
            "--key-file - reads the key from standard input, so the data must come from a named file";
        return Err(Failure::Usage(message.to_owned()));
    }
    let key = read_secret(path)?;
    if key.is_empty() {
        return Err(Failure::Usage(format!("--key-file: {} is empty", printable(path.as_os_str()))));
    }
    Ok(key)
}

/// Reads all bytes of a file, or of standard input if its name is `-`. They are overwritten when dropped.
pub(crate) fn read_secret(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let read = if is_stdin(path.as_os_str()) {
        standard::read(|input| read_zeroizing(input, MOST))
    } else {
        File::open(path).and_then(|mut file| read_zeroizing(&mut file, MOST))
    };
    read.map_err(|error| Failure::Work(format!("{}: {}", printable(path.as_os_str()), reason(&error))))
}

/// Reads everything from `source`, at most `most` bytes. When the buffer must grow, the old one is overwritten, which
/// the standard library would not do.
fn read_zeroizing(source: &mut impl Read, most: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut secret = Zeroizing::new(vec![0; 4096]);
    let mut len = 0;
    loop {
        if len > most {
            return Err(too_long(most as u64));
        }
        if len == secret.len() {
            let mut longer = Zeroizing::new(Vec::new());
            longer.try_reserve_exact(2 * len)?;
            longer.resize(2 * len, 0);
            longer[..len].copy_from_slice(&secret);
            secret = longer;
        }
        match source.read(&mut secret[len..]) {
            Ok(0) => break,
            Ok(n) => len += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    secret.truncate(len);
    Ok(secret)
}

/// Decodes hexadecimal digits in upper or lower case. The bytes are overwritten when dropped.
pub(crate) fn decode(option: &str, hex: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    from_hex(option, hex).map(Zeroizing::new).map_err(Failure::Usage)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    /// A reader that computes its bytes a few at a time, so that they are not in memory before they are read. It
    /// allocates memory at each read, so that no buffer can grow in place.
    struct Source(std::ops::Range<u64>, Vec<Vec<u8>>);

    /// `SplitMix64` (Steele, Lea and Flood 2014), so that all parts of the bytes are different.
    fn byte(position: u64) -> u8 {
        let z = position.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as u8
    }

    impl Read for Source {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1.push(vec![0; buffer.len()]);
            let n = buffer.len().min(1000);
            Ok(buffer[..n].iter_mut().zip(&mut self.0).map(|(to, position)| *to = byte(position)).count())
        }
    }

    /// The number of places in the process's memory that contain the 32 bytes of the source from this position on.
    /// `buffer` must have been allocated before, because a new one could overwrite the bytes.
    fn copies(position: u64, buffer: &mut [u8]) -> usize {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let memory = File::open("/proc/self/mem").unwrap();
        let mut found = 0;
        for line in maps.lines().filter(|line| line.contains(" rw")) {
            let (from, to) = line.split_once(' ').unwrap().0.split_once('-').unwrap();
            let [from, to] = [from, to].map(|hex| u64::from_str_radix(hex, 16).unwrap());
            for piece in (from..to).step_by(buffer.len()) {
                let len = buffer.len().min((to - piece) as usize);
                // Some parts of memory cannot be read.
                let n = memory.read_at(&mut buffer[..len], piece).unwrap_or(0);
                let here = |window: &&[u8]| (position..).zip(*window).all(|(p, b)| byte(p) == *b);
                found += buffer[..n].windows(32).filter(here).count();
            }
        }
        found
    }

    #[test]
    fn a_secret_leaves_no_copy_in_memory() {
        let mut buffer = vec![0; 1 << 20];
        let secret = |from| read_zeroizing(&mut Source(from..from + 100_000, Vec::new()), 100_000).unwrap();
        let kept = secret(1 << 32);
        assert!(kept.len() == 100_000 && (1 << 32..).zip(&**kept).all(|(p, b)| byte(p) == *b));
        assert_ne!(copies((1 << 32) + 3_000, &mut buffer), 0, "what is there is found");
        buffer.fill(0);
        drop(secret(0));
        for position in [50, 500, 5_000, 50_000] {
            assert_eq!(copies(position, &mut buffer), 0, "from byte {position} on");
        }
    }
}
