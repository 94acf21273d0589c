//! Any bytes are a transcript or none: reading and verifying end, in lines that are one each, and what is read is written
//! as it was.
#![no_main]

use hashwell_draw::hwdraw::{Columns, Frame, Transcript, verify};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // A list may follow the transcript.
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let (json, list) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let transcript = match Transcript::from_json(json) {
        Ok(transcript) => transcript,
        Err(error) => return assert!(!error.to_string().contains('\n')),
    };
    assert_eq!(Transcript::from_json(transcript.to_json().as_bytes()).as_ref(), Ok(&transcript));
    let columns = Columns::of_names(&transcript.plan.frame.columns).unwrap_or_default();
    let frame = Frame::read(list, columns, false, false).ok();
    for frame in [None, frame.as_ref()] {
        let verdict = verify(&transcript, frame);
        assert!(verdict.wrong.iter().chain(&verdict.unchecked).all(|line| !line.contains('\n')));
    }
});
