//! Tests that the numbers in the header are those of the library.

use crate::boundary::Failure;
use crate::state::{ALIGN, Plain};
use hashwell::registry::{PARAMETERS, ParameterRow, Shape};
use hashwell::{ALGORITHMS, PlainHasher};
use std::fmt::Write;

const HEADER: &str = include_str!("../include/hashwell.h");

/// The value of `#define name`.
fn defined(name: &str) -> usize {
    let mut lines = HEADER.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once(' '));
    let value = lines.find(|(defined, _)| *defined == name).unwrap_or_else(|| panic!("no {name}")).1;
    value.trim().parse().unwrap_or_else(|_| panic!("{name} is {value}"))
}

#[test]
fn sizes() {
    assert_eq!(defined("HW_STATE_ALIGN"), ALIGN);
    assert_eq!(defined("HW_HASH_SIZE"), PlainHasher::SIZE);
    assert_eq!(defined("HW_XOF_SIZE"), hashwell::Reader::SIZE);
    assert_eq!(defined("HW_HMAC_SIZE"), hashwell::PlainHmac::SIZE);
    assert_eq!(defined("HW_KMAC_SIZE"), hashwell::Kmac::SIZE);
    assert_eq!(defined("HW_DRBG_SIZE"), hashwell::HmacDrbg::SIZE);
    assert_eq!(defined("HW_DRBG_CUSTOM_SIZE"), hashwell::Drbg::<crate::drbg::Custom>::SIZE);
    assert_eq!(defined("HW_RANDOM_SIZE"), hashwell::OsDrbg::SIZE);
    assert_eq!(defined("HW_MAX_KANGAROO_CUSTOMIZATION"), PlainHasher::MAX_KANGAROO_CUSTOMIZATION);
}

/// Converts `Sha512Something` or `sha512-something` to `SHA512_SOMETHING`.
fn upper(name: &str) -> String {
    let mut upper = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !upper.is_empty() {
            upper.push('_');
        }
        upper.push(if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
    }
    upper
}

#[test]
fn algorithms() {
    let mut expected = String::new();
    for row in ALGORITHMS {
        writeln!(expected, "    HW_{} = {}, /* {} */", upper(row.name), row.id, row.source).unwrap();
    }
    let (_, rest) = HEADER.split_once("/* begin algorithms */\n").unwrap();
    let (got, _) = rest.split_once("    /* end algorithms */").unwrap();
    assert!(got == expected, "the registry's algorithms are\n{expected}");
}

/// The numbers and fields of parameters in the header are exactly those of the table.
#[test]
fn parameters() {
    let numbers: Vec<_> = HEADER.lines().filter_map(|line| line.trim().strip_prefix("HW_PARAM_")).collect();
    let last = PARAMETERS.len() - 1;
    let number = |row: &ParameterRow| {
        format!("{} = {}{}", upper(row.name), row.id, if row.id as usize == last { "" } else { "," })
    };
    assert_eq!(numbers, PARAMETERS.iter().map(number).collect::<Vec<_>>());

    let fields = |name: &str| {
        let (_, rest) = HEADER.split_once(&format!("typedef struct {name} {{\n")).unwrap();
        let (body, _) = rest.split_once('}').unwrap();
        let field = |line: &str| line.split_once(';')?.0.rsplit([' ', '*']).next().map(str::to_owned);
        body.lines().filter_map(field).collect::<Vec<_>>()
    };
    let mut found: Vec<String> = [fields("hw_params"), fields("hw_node")].concat();
    found.sort();
    let of = |row: &ParameterRow| match row.shape {
        Shape::Bytes | Shape::Text => vec![row.name.to_owned(), format!("{}_len", row.name)],
        Shape::Number | Shape::Flag => vec![row.name.to_owned()],
    };
    let mut expected: Vec<String> = PARAMETERS.iter().flat_map(of).collect();
    expected.extend(["size", "kernel", "node"].map(str::to_owned));
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(crate::params::unknown(), None);
}

#[test]
fn codes() {
    let code = |line: &str| {
        let (name, rest) = line.trim().split_once(" = ")?;
        let code: i32 = rest.split([',', ' ']).next()?.parse().ok()?;
        name.starts_with("HW_E_").then(|| (name.to_owned(), code))
    };
    let got: Vec<_> = HEADER.lines().filter_map(code).collect();
    let expected = Failure::ALL.iter().map(|(name, code)| (format!("HW_E_{}", upper(name)), *code as i32));
    assert_eq!(got, expected.collect::<Vec<_>>());
}
