//! Any bytes are either a transcript or refused. Reading and verifying end, each message is a single line,
//! and a transcript that can be read is written unchanged.
#![no_main]

use hashwell_draw::hwdraw::{Columns, EntryList, Transcript, verify};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // After a zero byte, a list can follow the transcript.
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let (json, list) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let transcript = match Transcript::from_json(json) {
        Ok(transcript) => transcript,
        Err(error) => return assert!(!error.to_string().contains('\n')),
    };
    assert_eq!(Transcript::from_json(transcript.to_json().as_bytes()).as_ref(), Ok(&transcript));
    let columns = Columns::of_names(&transcript.plan.list.columns).unwrap_or_default();
    let entries = EntryList::read(list, columns, false, false).ok();
    for entries in [None, entries.as_ref()] {
        let found = verify(&transcript, &entries.into()).expect("nothing stops it");
        let mismatches = found.mismatches().iter().map(ToString::to_string);
        let lines = mismatches.chain(found.unchecked().iter().map(ToString::to_string));
        let seed = [transcript.plan.seed_source.to_string(), transcript.seed.to_string()];
        assert!(lines.chain(seed).all(|line| !line.contains('\n')));
    }
});
