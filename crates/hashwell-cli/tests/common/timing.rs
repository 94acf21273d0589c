//! A report of `hashwell speed` in which all hashes take 100 ns plus 1 ns per byte, so that `hashwell git` need not
//! measure times by size.
#![allow(dead_code, unreachable_pub)] // each test file uses only some of these

use serde_json::{Value, json};

pub fn speed_report() -> String {
    let cell = |bytes: u64| json!({ "bytes": bytes, "samples": [[100.0 + bytes as f64]], "clock_ghz": 1.0, "wall_over_cpu": 1.0, "quiet": true });
    let row = |(algorithm, provider, operation): (&str, &str, &str)| {
        json!({
            "group": "single", "algorithm": algorithm, "title": "", "provider": provider, "variant": null, "kernel": null,
            "operation": operation, "messages": 1, "threads": 1, "cells": [cell(64), cell(1 << 20)],
        })
    };
    let rows: Vec<Value> = [
        ("sha256", "hashwell", "digest"),
        ("sha256", "hashwell", "many"),
        ("sha256", "OpenSSL EVP", "digest"),
        ("sha256", "OpenSSL low-level", "digest"),
        ("sha1", "sha1dc", "digest"),
    ]
    .map(row)
    .into();
    let report = json!({
        "schema": "hashwell-speed/1", "providers": [], "availability": [], "rows": rows,
        "machine": { "cpu": "", "features": [], "cores": 1, "os": "", "compiler": "", "clock_ghz": 1.0, "tsc_ghz": null, "load": null, "notes": {} },
        "run": { "version": "", "commit": null, "command": [], "started": "", "seconds": 0.0, "quick": false, "complete": true,
            "processes": 1, "rounds": 1, "cycle_source": "", "complaints": [] },
    });
    report.to_string()
}
