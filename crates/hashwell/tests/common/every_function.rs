//! Checks that every public function of a crate has a case, or a reason why it needs none.
#![allow(unreachable_pub)]

use std::collections::BTreeSet;

/// Functions of Rust's own traits that write to the caller's memory or compare. They are omitted.
const OWN: &[&str] = &["fmt", "clone", "eq", "drop", "hash", "cmp", "partial_cmp"];

/// The functions that cases test.
pub struct Cases<'a> {
    /// The text of `api.txt`.
    pub api: &'a str,
    /// The name of the owner of a function, from its path in `api.txt` without the function.
    pub owner: &'a dyn Fn(&str) -> String,
    /// The names of the cases.
    pub names: BTreeSet<&'a str>,
    /// The source text of the cases, without the lists below.
    pub text: &'a str,
    /// The functions that each case tests: `Type: function (function) …, Type: …`. Functions in parentheses are called
    /// by other functions of the case. The names of all others must appear in the cases' text.
    pub looked_at: &'a [(&'a str, &'a str)],
    /// The functions that need no case, in the same form.
    pub without: &'a str,
}

/// Converts `Type: function (function), Type: function` to pairs of `Type::function` and whether it is called by name.
fn functions(of: &str) -> impl Iterator<Item = (String, bool)> {
    of.split(',').map(str::trim).filter(|of_type| !of_type.is_empty()).flat_map(|of_type| {
        let (name, functions) = of_type.split_once(": ").expect("a type and its functions");
        let mut inside = false;
        functions.split_whitespace().map(move |function| {
            inside |= function.starts_with('(');
            let of_others = inside;
            inside &= !function.ends_with(')');
            (format!("{name}::{}", function.trim_matches(['(', ')'])), !of_others)
        })
    })
}

/// A path without the parts in angle brackets, up to the parameters.
fn path(line: &str) -> String {
    let (mut path, mut depth, mut before) = (String::new(), 0, ' ');
    for c in line.chars() {
        match c {
            '(' if depth == 0 => break,
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ if depth == 0 => path.push(c),
            _ => {}
        }
        before = c;
    }
    path
}

/// For a crate whose types have distinct names and whose functions all have a case. `source` is the text of the cases,
/// followed by the lists from `LOOKED_AT` on.
#[allow(dead_code)] // not all crates use it
pub fn each_has_a_case<C>(api: &str, source: &str, cases: &[&[(&str, C)]], looked_at: &[(&str, &str)]) {
    let (text, _) = source.split_once("const LOOKED_AT").expect("the lists");
    Cases {
        api,
        owner: &|path| path.rsplit("::").next().unwrap_or_default().to_owned(),
        names: cases.iter().copied().flatten().map(|(name, _)| *name).collect(),
        text,
        looked_at,
        without: "",
    }
    .check();
}

impl Cases<'_> {
    /// All public functions in `api.txt`.
    fn public(&self) -> BTreeSet<String> {
        const BEGINNINGS: [&str; 3] = ["pub fn ", "pub const fn ", "pub unsafe fn "];
        let lines =
            self.api.lines().filter_map(|line| BEGINNINGS.iter().find_map(|begin| line.strip_prefix(begin)));
        let name = |path: String| {
            let (owner, function) = path.rsplit_once("::").expect("a path");
            (!OWN.contains(&function)).then(|| format!("{}::{function}", (self.owner)(owner)))
        };
        lines.map(path).filter_map(name).collect()
    }

    /// Checks that every public function has a case, or is listed among those without.
    pub fn check(&self) {
        let words: BTreeSet<&str> = self.text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let without: BTreeSet<String> = functions(self.without).map(|(name, _)| name).collect();
        let mut known = without.clone();
        let mut wrong = Vec::new();
        for (case, of) in self.looked_at {
            if !self.names.contains(case) {
                wrong.push(format!("no case {case}"));
            }
            for (name, is_called) in functions(of) {
                let function = name.rsplit("::").next().expect("a name");
                if is_called && !words.contains(function) {
                    wrong.push(format!("{case} does not call {name}"));
                }
                if without.contains(&name) {
                    wrong.push(format!("said to need no case, with one: {name}"));
                }
                known.insert(name);
            }
        }
        let public = self.public();
        wrong.extend(public.difference(&known).map(|name| format!("without a case: {name}")));
        wrong.extend(known.difference(&public).map(|name| format!("no public function: {name}")));
        assert!(wrong.is_empty(), "{wrong:#?}");
        println!(
            "{} public functions: {} have a case, {} need none",
            public.len(),
            public.len() - without.len(),
            without.len()
        );
    }
}
