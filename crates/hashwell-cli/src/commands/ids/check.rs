//! `hashwell sum -c` with the option of an identifier: computes the identifiers in lists again and compares them.

use super::compute;
use super::kind::Kind;
use crate::commands::check::{MAX_LIST, Tally, Verdict, print_words, warnings};
use crate::inputs::base::Base;
use crate::inputs::names_from::names;
use crate::inputs::reading::read_whole;
use crate::options::args::SumOptions;
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::os::name_of;
use crate::system::report::{Failure, complain_of};
use hashwell_checksums::Choice;
use hashwell_checksums::write::unescaped;
use std::ffi::{OsStr, OsString};
use std::path::Path;

pub(crate) fn run(kind: Kind, options: &SumOptions) -> Result<u8, Failure> {
    let asked = if options.algorithms.is_empty() { None } else { Some(kind.choice(&options.algorithms)?) };
    let mut code = SUCCESS;
    for list in &names(options)? {
        let good = match read_whole(list, MAX_LIST) {
            Ok(bytes) => check(list, &bytes, kind, asked, options)?,
            Err(unreadable) => {
                complain_of(list, &unreadable.reason());
                false
            }
        };
        if !good {
            code = FAILURE;
        }
    }
    Ok(code)
}

/// A line of a list.
struct Line {
    id: Vec<u8>,
    name: OsString,
}

/// Checks one list. Returns true if at least one identifier matches and everything else is in order.
fn check(
    list: &OsStr,
    bytes: &[u8],
    kind: Kind,
    asked: Option<Choice>,
    options: &SumOptions,
) -> Result<bool, Failure> {
    let option = kind.option();
    let (choice, mut lines, malformed) = parse(bytes, kind, asked);
    if options.warn && !options.status {
        for number in &malformed {
            complain_of(list, &format_args!("{number}: improperly formatted {option} line"));
        }
    }
    if lines.is_empty() {
        complain_of(list, &format_args!("no lines with {option} identifiers found"));
        return Ok(false);
    }
    let mut tally = Tally::default();
    let base = Base::of(&options.keep, list);
    if options.ignore_missing {
        let before = lines.len();
        lines.retain(|line| Path::new(&base.path(&line.name)).symlink_metadata().is_ok());
        tally.missing = before - lines.len();
    }
    let paths: Vec<OsString> = lines.iter().map(|line| base.path(&line.name)).collect();
    let mut left = lines.iter();
    compute(kind, choice, options, &paths, &mut |_, found| {
        let line = left.next().expect("a line for each path");
        let verdict = match found {
            None => {
                tally.unreadable += 1;
                Verdict::Unreadable
            }
            Some(id) if kind.parse(choice, id.as_bytes()).as_ref() == Some(&line.id) => {
                tally.matched += 1;
                Verdict::Right { by_other: false }
            }
            Some(_) => {
                tally.mismatched += 1;
                Verdict::Wrong { tried: Vec::new(), change: None }
            }
        };
        let is_right = matches!(verdict, Verdict::Right { .. });
        if options.status || options.quiet && is_right {
            return Ok(());
        }
        print_words(&line.name, &verdict, "")
    })?;
    if !options.status {
        warnings(&tally, malformed.len());
        if options.ignore_missing && tally.matched == 0 {
            complain_of(list, &"no file was verified");
        }
    }
    let wrong = tally.mismatched + tally.unreadable > 0 || options.strict && !malformed.is_empty();
    Ok(tally.matched > 0 && !wrong)
}

/// The lines of a list, and the numbers of the lines that are malformed. All lines must have the same algorithm. Unless
/// an algorithm is given, it is the algorithm of the first line.
fn parse(bytes: &[u8], kind: Kind, asked: Option<Choice>) -> (Choice, Vec<Line>, Vec<usize>) {
    let choices = asked.map_or_else(|| kind.choices(), |choice| vec![choice]);
    // In a list separated by NUL, as -z writes it, names are not escaped.
    let with_nul = bytes.contains(&0);
    let end = if with_nul { 0 } else { b'\n' };
    let (mut chosen, mut lines, mut malformed) = (asked, Vec::new(), Vec::new());
    for (index, text) in bytes.split(|byte| *byte == end).enumerate() {
        let text = if with_nul { text } else { text.strip_suffix(b"\r").unwrap_or(text) };
        if text.is_empty() || text.starts_with(b"#") {
            continue;
        }
        let of = |choice: &Choice| line(text, kind, *choice, with_nul).map(|line| (*choice, line));
        match chosen.map_or_else(|| choices.iter().find_map(of), |choice| of(&choice)) {
            Some((choice, line)) => {
                chosen = Some(choice);
                lines.push(line);
            }
            None => malformed.push(index + 1),
        }
    }
    (chosen.unwrap_or(choices[0]), lines, malformed)
}

/// Reads `ID  NAME`.
fn line(text: &[u8], kind: Kind, choice: Choice, with_nul: bool) -> Option<Line> {
    let escaped = if with_nul { None } else { text.strip_prefix(b"\\") };
    let text = escaped.unwrap_or(text);
    let at = text.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
    let (id, rest) = text.split_at(at);
    let name = rest.strip_prefix(b"  ").unwrap_or(&rest[1..]);
    let name = if escaped.is_some() { unescaped(name)? } else { name.to_vec() };
    let name = name_of(name).filter(|name| !name.is_empty())?;
    Some(Line { id: kind.parse(choice, id)?, name })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(kind: Kind, text: &[u8]) -> (&'static str, Vec<String>, Vec<usize>) {
        let (choice, lines, malformed) = parse(text, kind, None);
        let names = lines.into_iter().map(|line| line.name.into_string().unwrap()).collect();
        (choice.algorithm.name, names, malformed)
    }

    #[test]
    fn the_first_line_determines_the_algorithm() {
        let (sha1, sha256) = ("ab".repeat(20), "ab".repeat(32));
        let text =
            format!("# trees\r\n{sha256}  a b\r\n{sha1}  c\n\\{sha256}\td\\n\\\\e\n\\{sha256}  \\x\nwrong\n");
        let expected = ("sha256", vec!["a b".to_owned(), "d\n\\e".to_owned()], vec![3, 5, 6]);
        assert_eq!(names(Kind::GitTree, text.as_bytes()), expected);
        let text = format!("{sha1}  \\a\nb\0{sha1}  c\0");
        let expected = ("sha1", vec!["\\a\nb".to_owned(), "c".to_owned()], vec![]);
        assert_eq!(names(Kind::GitBlob, text.as_bytes()), expected);
    }

    #[test]
    fn spellings_of_one_identifier_are_equal() {
        let sha256 = Kind::Nar.choice(&[]).unwrap();
        let of = |text: &str| Kind::Nar.parse(sha256, text.as_bytes());
        let sri = of("sha256-LKC4zplvhl2zdhm/6RAjVZMFqtgVgEL8bdsO8dQ8W2c=");
        assert!(sri.is_some());
        for same in [
            "LKC4zplvhl2zdhm/6RAjVZMFqtgVgEL8bdsO8dQ8W2c=",
            "2ca0b8ce996f865db37619bfe91023559305aad8158042fc6ddb0ef1d43c5b67",
            "sha256:2CA0B8CE996F865DB37619BFE91023559305AAD8158042FC6DDB0EF1D43C5B67",
        ] {
            assert_eq!(of(same), sri, "{same}");
        }
        assert_eq!(of("sha512-LKC4zplvhl2zdhm/6RAjVZMFqtgVgEL8bdsO8dQ8W2c="), None);
        let id = "0123456789".repeat(4);
        let sha1 = Kind::Swhid.choice(&[]).unwrap();
        let of = |text: String| Kind::Swhid.parse(sha1, text.as_bytes());
        assert_eq!(of(format!("swh:1:cnt:{id};origin=https://example.org")), of(format!("swh:1:cnt:{id}")));
        assert_ne!(of(format!("swh:1:cnt:{id}")), of(format!("swh:1:dir:{id}")));
        assert_eq!(of(format!("swh:1:rev:{id}")), None);
    }
}
