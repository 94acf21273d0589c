//! For any bytes, the parser of check lists ends, counts every line once, and finds names only inside their
//! lines.
#![no_main]

use hashwell_checksums::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let list = read::parse(bytes);
    let mut lines: Vec<usize> = list.entries.iter().map(|e| e.line).chain(list.malformed).collect();
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), count, "a line counted twice");
    for entry in list.entries {
        assert!(!entry.digest.is_empty());
        if let Some(method) = entry.method {
            assert_eq!(method.digest_len(), entry.digest.len());
        }
        assert_ne!(entry.name, Some(Vec::new()));
    }
});
