//! The keys of a repository's configuration that define how its objects are stored, with the same checks as in git
//! (gitrepository-layout(5), "repository format version").

use crate::id::ObjectHash;

/// Extensions that do not affect how objects are read.
const HARMLESS: [&str; 8] = [
    "noop",
    "noop-v1",
    "preciousobjects",
    "partialclone",
    "worktreeconfig",
    "refstorage",
    "relativeworktrees",
    "compatobjectformat",
];

/// The hash function of the repository's ids.
///
/// # Errors
/// Returns a message if the configuration cannot be read, or requires an unsupported feature.
pub(super) fn object_format(config: &[u8]) -> Result<ObjectHash, String> {
    let settings = settings(config)?;
    let core = |s: &&Setting| s.section == "core" && s.key == "repositoryformatversion";
    // Without a version, a repository is older than all extensions, so git ignores them.
    let Some(version) = settings.iter().rfind(core) else { return Ok(ObjectHash::Sha1) };
    let version = version.value.as_deref().unwrap_or_default();
    if !matches!(version, "0" | "1") {
        return Err(format!("core.repositoryformatversion must be 0 or 1, not '{version}'"));
    }
    let mut format = "sha1";
    for Setting { key, value, .. } in settings.iter().filter(|s| s.section == "extensions") {
        match key.as_str() {
            "objectformat" if version == "0" => {
                return Err("extensions.objectformat needs core.repositoryformatversion = 1".to_owned());
            }
            "objectformat" => format = value.as_deref().unwrap_or_default(),
            // In version 0, programs may ignore extensions that they don't support.
            key if version == "1" && !HARMLESS.contains(&key) => {
                return Err(format!("extensions.{key} is not supported"));
            }
            _ => {}
        }
    }
    match format {
        "sha1" => Ok(ObjectHash::Sha1),
        "sha256" => Ok(ObjectHash::Sha256),
        other => Err(format!("extensions.objectformat must be sha1 or sha256, not '{other}'")),
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Setting {
    /// The section in lower case. A subsection keeps its quotes.
    section: String,
    /// The key in lower case.
    key: String,
    /// The text after `=`, if there is any.
    value: Option<String>,
}

/// All settings, in order: git-config(1), "syntax".
fn settings(config: &[u8]) -> Result<Vec<Setting>, String> {
    let text = String::from_utf8_lossy(config);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
    let mut rest = text.as_str();
    let wrong = |rest: &str| {
        let line = text[..text.len() - rest.len()].matches('\n').count() + 1;
        format!("line {line} is not a setting")
    };
    let mut settings = Vec::new();
    let mut section = String::new();
    loop {
        rest = rest.trim_start();
        match rest.chars().next() {
            None => return Ok(settings),
            Some('#' | ';') => rest = &rest[rest.find('\n').unwrap_or(rest.len())..],
            Some('[') => {
                let line = rest.lines().next().unwrap_or_default();
                // A quoted subsection may contain brackets.
                let quotes = line.rfind('"').filter(|_| line.find(']') > line.find('"')).unwrap_or(0);
                let end = line[quotes..].find(']').ok_or_else(|| wrong(rest))? + quotes;
                section = rest[1..end].to_lowercase();
                rest = &rest[end + 1..];
            }
            Some(letter) if letter.is_ascii_alphabetic() => {
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
                let key = rest[..end].to_lowercase();
                let after = rest[end..].trim_start_matches([' ', '\t']);
                let has_value = after.starts_with('=');
                if section.is_empty()
                    || !(has_value || after.is_empty() || after.starts_with(['\n', '#', ';']))
                {
                    return Err(wrong(rest));
                }
                let value = match after.strip_prefix('=') {
                    Some(after) => {
                        let (value, left) = value(after).ok_or_else(|| wrong(rest))?;
                        rest = left;
                        Some(value)
                    }
                    None => {
                        rest = after;
                        None
                    }
                };
                settings.push(Setting { section: section.clone(), key, value });
            }
            Some(_) => return Err(wrong(rest)),
        }
    }
}

/// The value at the start of `text`, and the rest of the text.
fn value(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    // The length of the value without trailing spaces.
    let mut solid = 0;
    let (mut quoted, mut comment) = (false, false);
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' if quoted => return None,
            '\n' => {
                value.truncate(solid);
                return Some((value, &text[at..]));
            }
            _ if comment => {}
            '#' | ';' if !quoted => comment = true,
            '"' => {
                quoted = !quoted;
                solid = value.len();
            }
            '\\' => {
                match chars.next()?.1 {
                    '\n' => continue,
                    'n' => value.push('\n'),
                    't' => value.push('\t'),
                    'b' => value.push('\u{8}'),
                    c @ ('"' | '\\') => value.push(c),
                    _ => return None,
                }
                solid = value.len();
            }
            c if c.is_whitespace() && !quoted => {
                if !value.is_empty() {
                    value.push(c);
                }
            }
            c => {
                value.push(c);
                solid = value.len();
            }
        }
    }
    value.truncate(solid);
    (!quoted).then_some((value, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<ObjectHash, String> {
        object_format(text.as_bytes())
    }

    #[test]
    fn object_formats() {
        let version = "[core]\n\trepositoryformatversion = 1\n";
        assert_eq!(of(""), Ok(ObjectHash::Sha1));
        assert_eq!(of(&format!("{version}[extensions]\n\tobjectFormat = sha256\n")), Ok(ObjectHash::Sha256));
        assert_eq!(
            of(&format!("{version}[Extensions] OBJECTFORMAT=\"sha256\" ; new")),
            Ok(ObjectHash::Sha256)
        );
        assert_eq!(of(&format!("{version}[core]\n\tobjectFormat = sha256\n")), Ok(ObjectHash::Sha1));
        assert_eq!(
            of(&format!("{version}[extensions \"x\"]\n\tobjectFormat = sha256\n")),
            Ok(ObjectHash::Sha1)
        );
        let error = of(&format!("{version}[extensions]\nobjectformat = md5\n")).unwrap_err();
        assert!(error.contains("'md5'"), "{error}");
    }

    #[test]
    fn versions_and_extensions() {
        let with = |version: &str, extension: &str| {
            of(&format!("[core]\nrepositoryformatversion = {version}\n[extensions]\n{extension}\n"))
        };
        assert_eq!(with("0", ""), Ok(ObjectHash::Sha1));
        assert_eq!(with("1", "refStorage = reftable\npreciousObjects"), Ok(ObjectHash::Sha1));
        assert_eq!(with("0", "future = true"), Ok(ObjectHash::Sha1));
        assert_eq!(with("1", "future = true"), Err("extensions.future is not supported".to_owned()));
        for version in ["2", "-1", "99", "one", ""] {
            assert!(with(version, "").unwrap_err().contains(&format!("'{version}'")), "{version}");
        }
        assert!(with("0", "objectformat = sha256").unwrap_err().contains("needs core.repository"));
        // Without a version, the extension is ignored.
        assert_eq!(of("[extensions]\nobjectformat = sha256\n"), Ok(ObjectHash::Sha1));
        // The last setting counts.
        assert_eq!(
            of("[core]\nrepositoryformatversion = 7\nRepositoryFormatVersion = 0"),
            Ok(ObjectHash::Sha1)
        );
    }

    #[test]
    fn syntax() {
        let list = |text: &str| -> Result<Vec<(String, String, Option<String>)>, String> {
            Ok(settings(text.as_bytes())?.into_iter().map(|s| (s.section, s.key, s.value)).collect())
        };
        let one = |text: &str| list(&format!("[a]{text}")).map(|mut s| s.pop().unwrap().2.unwrap());
        assert_eq!(one("x = a b  # c"), Ok("a b".to_owned()));
        assert_eq!(one("x = \" a#b \" ; c"), Ok(" a#b ".to_owned()));
        assert_eq!(one("x = a\\\n b\\t\\\"\r\n"), Ok("a b\t\"".to_owned()));
        assert_eq!(one("x ="), Ok(String::new()));
        let found = list("# x\n[A \"B]c\"] x\n;y\n[d.E]\ny-1=\nz = 1").unwrap();
        let flat: Vec<_> = found.iter().map(|(s, k, v)| (&**s, &**k, v.as_deref())).collect();
        assert_eq!(flat, [("a \"b]c\"", "x", None), ("d.e", "y-1", Some("")), ("d.e", "z", Some("1"))]);
        for wrong in
            ["x = 1", "[a]\n=", "[a\nx", "[a]\nx = \"b\n\"", "[a]\nx = \\q", "[a]\nx y", "[a]\n\u{0}"]
        {
            let error = list(wrong).unwrap_err();
            assert!(error.starts_with("line ") && error.ends_with(" is not a setting"), "{wrong}: {error}");
        }
    }
}
