//! Any bytes are either a report of `hashwell speed` or refused with a one-line error. A report that can be
//! read is written unchanged, and compared.
#![no_main]

use hashwell_measure::report::{Report, json};
use hashwell_measure::view::diff::{Diff, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Report::from_json(text) {
        Ok(report) => {
            assert_eq!(Report::from_json(&json(&report)).as_ref(), Ok(&report));
            let diff = Diff::between(&report, &report, Options::default());
            assert_eq!(diff.exit_code(), 0);
            let _ = (diff.summary(), diff.tables());
        }
        Err(why) => assert!(!why.contains(['\n', '\r']), "{why}"),
    }
});
