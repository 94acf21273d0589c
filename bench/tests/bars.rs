//! Runs the program of `make bench` with the shortest jobs, to test processes, contests, targets and JSON. No
//! speed is asserted.

use serde_json::Value;
use std::process::Command;

#[test]
fn a_row_for_each_job_that_the_words_choose() {
    let json = std::env::temp_dir().join(format!("hashwell-bench-{}.json", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_hashwell-bench"))
        .args(["--passes", "2", "--rounds", "1", "32 B", "--json"])
        .arg(&json)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    std::fs::remove_file(&json).unwrap();
    let rows = result["rows"].as_array().unwrap();
    let jobs: Vec<&str> = rows.iter().filter_map(|row| row["job"].as_str()).collect();
    let expected = [
        "SHA-256, 32 B",
        "SHA-256, many 32 B",
        "HMAC-SHA256, 32 B",
        "HMAC-SHA256, many 32 B",
        "HMAC-DRBG-SHA256, 32 B",
    ];
    assert_eq!(jobs, expected);
    let text = String::from_utf8(output.stdout).unwrap();
    for row in rows {
        assert!(row["hashwell"]["median"].as_f64().unwrap() > 0.0);
        assert_eq!((&row["hashwell"]["name"], &row["rounds"]), (&"hashwell".into(), &2.into()));
        assert!(text.contains(row["job"].as_str().unwrap()));
    }
    // The counts in the summary are those of the verdicts in the rows.
    let with = |verdict: &str| rows.iter().filter(|row| row["verdict"] == verdict).count();
    let (first, tied, behind) = (with("first"), with("tied"), with("behind"));
    let line = text.lines().find(|line| line.starts_with("behind in ")).unwrap();
    assert!(
        line.starts_with(&format!(
            "behind in {behind} of {} jobs on this processor (",
            first + tied + behind
        ))
    );
    assert!(line.ends_with(&format!("), tied in {tied}, first in {first}")));
    assert!(rows.iter().all(|row| row["verdict"].is_null() == row["ratio"].is_null()));
}
