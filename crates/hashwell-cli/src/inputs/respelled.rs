//! Finds files whose names are spelled differently in a list than on this system: with the separators of Windows, in
//! the other normalization form of Unicode, with spaces at the end, or after a column of sizes. In lists from Windows,
//! the case of letters may differ too.

use crate::inputs::reading::is_stdin;
use crate::system::os::{name_bytes, name_of};
use crate::system::report::reason;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

/// The location of a listed file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The name of the file, if it is another spelling of the name in the list.
    pub(crate) respelled: Option<OsString>,
    /// The size in bytes, if known.
    pub(crate) size: Option<u64>,
    /// Set if another line has exactly the respelled name: the reason why the name in the list cannot be opened. Then
    /// the file only belongs to this line if its digest matches.
    pub(crate) doubt: Option<String>,
    /// True if there is no such file, under any spelling, or only a folder with this name.
    pub(crate) missing: bool,
}

/// Finds the file that a name refers to. If there is a file with exactly this name, it is always that one. `other`: an
/// alternative name to try. `listed`: all names in the list. `folders`: given if the case of letters may differ.
pub(crate) fn locate(
    name: &OsStr,
    other: Option<&OsStr>,
    listed: &HashSet<&OsStr>,
    folders: Option<&mut Folders>,
) -> Place {
    let as_it_is = |size| Place { size, ..Place::default() };
    if is_stdin(name) {
        return as_it_is(None);
    }
    let missing = match fs::metadata(name) {
        Ok(metadata) => {
            let size = metadata.is_file().then_some(metadata.len());
            return Place { missing: metadata.is_dir(), ..as_it_is(size) };
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => error,
        Err(_) => return as_it_is(Some(0)),
    };
    let spellings = other.map(OsStr::to_owned).into_iter().chain(spellings(name));
    let spellings: Vec<OsString> = spellings.filter(|spelling| stays_below(spelling, name)).collect();
    let found = spellings.iter().find_map(|spelling| find(spelling)).or_else(|| {
        let folders = folders?;
        spellings.iter().find_map(|spelling| find_in_any_case(spelling, folders))
    });
    match found {
        Some((file, size)) => {
            let doubt = listed.contains(file.as_os_str()).then(|| reason(&missing));
            Place { respelled: Some(file), size: Some(size), doubt, missing: false }
        }
        None => Place { missing: true, ..as_it_is(Some(0)) },
    }
}

/// The file that a name refers to, if there is no file with exactly this name but one with a different spelling.
pub(crate) fn file(name: &OsStr) -> Option<OsString> {
    locate(name, None, &HashSet::new(), None).respelled
}

/// The file with this name, or with the same name in another normalization form.
pub(crate) fn normalized(name: &OsStr) -> Option<OsString> {
    find(name).map(|(file, _)| file)
}

/// Other spellings of a name, starting with the most likely one.
fn spellings(name: &OsStr) -> impl Iterator<Item = OsString> {
    let bytes = name_bytes(name).into_owned();
    let swapped =
        |from: u8, to: u8| -> Vec<u8> { bytes.iter().map(|b| if *b == from { to } else { *b }).collect() };
    let separators = [bytes.clone(), swapped(b'\\', b'/'), swapped(b'/', b'\\')];
    let all: Vec<Vec<u8>> = separators
        .iter()
        .flat_map(|name| [&name[..], name.trim_ascii_end(), name.trim_ascii(), without_size(name)])
        .filter(|name| !name.is_empty())
        .map(<[u8]>::to_vec)
        .collect();
    all.into_iter().filter_map(name_of)
}

/// The name without the column of sizes that precedes it in some lists.
fn without_size(name: &[u8]) -> &[u8] {
    let digits = name.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = name[digits..].trim_ascii_start();
    if digits == 0 || digits + rest.len() == name.len() { name } else { rest }
}

/// Returns false if the spelling leads out of folders that the name stays in. Only the list may decide where files are,
/// not the spellings that are tried here.
fn stays_below(spelling: &OsStr, name: &OsStr) -> bool {
    let climbs = |name: &OsStr| {
        let of = |wanted: fn(&Component<'_>) -> bool| Path::new(name).components().filter(wanted).count();
        (
            of(|c| matches!(c, Component::ParentDir)),
            of(|c| matches!(c, Component::RootDir | Component::Prefix(_))),
        )
    };
    let ((up, root), (most_up, most_root)) = (climbs(spelling), climbs(name));
    up <= most_up && root <= most_root
}

/// The size of a regular file. Returns `None` if there is no regular file with this name.
fn size_of(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len())
}

/// Finds the regular file with this name, or with the same name in another normalization form. Returns its name and
/// size.
fn find(name: &OsStr) -> Option<(OsString, u64)> {
    if let Some(size) = size_of(Path::new(name)) {
        return Some((name.to_owned(), size));
    }
    if name.to_str().is_none_or(str::is_ascii) {
        return None;
    }
    // Each folder may have been named on a different system, so each component can have a different form.
    let components: Vec<Component<'_>> = Path::new(name).components().collect();
    let mut looks = 1000_u32;
    let path = complete(PathBuf::new(), &components, &mut looks)?;
    size_of(&path).map(|size| (path.into_os_string(), size))
}

/// The names in folders, by their lower-case forms. Each folder is read once.
#[derive(Default)]
pub(crate) struct Folders(HashMap<PathBuf, HashMap<String, Vec<OsString>>>);

impl Folders {
    /// The name in this folder that differs from `name` at most in the case of letters and in its normalization form.
    /// Returns `None` if there are several.
    fn only(&mut self, folder: &Path, name: &str) -> Option<&OsString> {
        let names = self.0.entry(folder.to_owned()).or_insert_with(|| {
            let mut names: HashMap<String, Vec<OsString>> = HashMap::new();
            let at = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            for entry in fs::read_dir(at).into_iter().flatten().flatten() {
                let name = entry.file_name();
                if let Some(text) = name.to_str() {
                    names.entry(folded(text)).or_default().push(name);
                }
            }
            names
        });
        match &names.get(&folded(name))?[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// The form of a name in which the case of letters and the normalization form do not matter.
pub(crate) fn folded(name: &str) -> String {
    name.to_lowercase().nfc().collect()
}

/// Finds the regular file with this name, in which the case of letters may differ. Each part of the path must exist in
/// exactly one spelling, unless it exists as it is.
fn find_in_any_case(name: &OsStr, folders: &mut Folders) -> Option<(OsString, u64)> {
    let mut path = PathBuf::new();
    for component in Path::new(name).components() {
        let as_it_is = path.join(component);
        path = match component {
            Component::Normal(part) if fs::symlink_metadata(&as_it_is).is_err() => {
                path.join(folders.only(&path, part.to_str()?)?)
            }
            _ => as_it_is,
        };
    }
    size_of(&path).map(|size| (path.into_os_string(), size))
}

/// Returns the first existing path that consists of `path` and a form of each component. Gives up after `looks`
/// attempts.
fn complete(path: PathBuf, components: &[Component<'_>], looks: &mut u32) -> Option<PathBuf> {
    let Some((component, rest)) = components.split_first() else { return Some(path) };
    let text = component.as_os_str().to_str()?;
    let forms: [String; 3] = [text.to_owned(), text.nfc().collect(), text.nfd().collect()];
    for (i, form) in forms.iter().enumerate() {
        *looks = looks.checked_sub(1)?;
        let longer = path.join(form);
        if !forms[..i].contains(form)
            && fs::symlink_metadata(&longer).is_ok()
            && let Some(found) = complete(longer, rest, looks)
        {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_lead_no_further_out_than_the_name() {
        for (spelling, name, stays) in [
            ("a/b", "a\\b", true),
            ("../a", "..\\a", false),
            ("../a/b", "../a\\b", true),
            ("../../a", "../..\\a", false),
            ("/etc/passwd", " /etc/passwd", false),
            ("/a/b", "/a\\b", true),
            ("d/..", "d/.. ", false),
        ] {
            assert_eq!(stays_below(spelling.as_ref(), name.as_ref()), stays, "{spelling} of {name}");
        }
    }

    #[test]
    fn sizes_before_names() {
        for (name, without) in
            [("700 a b", "a b"), ("7  a", "a"), ("7a", "7a"), ("a", "a"), ("7", "7"), ("7 ", "")]
        {
            assert_eq!(without_size(name.as_bytes()), without.as_bytes(), "{name}");
        }
    }
}
