//! The commit that is checked out in a repository, with loose, packed and linked references, and with any
//! bytes in the files that name the repository and the folder that work trees share.
#![no_main]

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::Path;

use arbitrary::Arbitrary;
use hashwell_git::gitlink::checked_out;
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Says {
    Id([u8; 20]),
    LongId([u8; 32]),
    /// The name of a reference, after this number of spaces.
    Name(u8, u8),
    /// The name of a reference as a symbolic link. Packed references can't be links, so there it gives an
    /// invalid line.
    Link(u8),
    Bytes(Vec<u8>),
}

#[derive(Arbitrary, Debug)]
struct Case {
    head: Says,
    /// Loose references, by number.
    loose: Vec<(u8, Says)>,
    packed: Vec<(u8, Says)>,
    /// Lines end with CR and LF. The CR is then part of the names of packed references.
    crlf: bool,
    capitals: bool,
    /// How the repository is found from the work tree.
    layout: u8,
    /// True if there is a folder of objects. Without it, the folder is not a repository.
    objects: bool,
    /// The content of the files `.git` and `commondir`, if it isn't the right one.
    link: Option<Vec<u8>>,
    common: Option<Vec<u8>>,
}

/// The number of different references.
const NAMES: u8 = 6;

fn name(number: u8) -> String {
    format!("refs/heads/b{}", number % NAMES)
}

fn hex(id: &[u8], capitals: bool) -> String {
    id.iter().map(|byte| if capitals { format!("{byte:02X}") } else { format!("{byte:02x}") }).collect()
}

impl Says {
    fn id(&self) -> Option<&[u8]> {
        match self {
            Self::Id(id) => Some(id),
            Self::LongId(id) => Some(id),
            _ => None,
        }
    }

    fn target(&self) -> Option<u8> {
        match self {
            Self::Name(number, _) | Self::Link(number) => Some(number % NAMES),
            _ => None,
        }
    }

    fn write(&self, file: &Path, capitals: bool) {
        match fs::remove_file(file) {
            Err(error) if error.kind() != ErrorKind::NotFound => panic!("{error}"),
            _ => {}
        }
        let bytes = match self {
            Self::Link(number) => return symlink(name(*number), file).unwrap(),
            Self::Name(number, spaces) => {
                format!("ref:{}{}\n", " ".repeat(usize::from(spaces % 4)), name(*number)).into_bytes()
            }
            Self::Bytes(bytes) => bytes.clone(),
            Self::Id(_) | Self::LongId(_) => format!("{}\n", hex(self.id().unwrap(), capitals)).into_bytes(),
        };
        fs::write(file, bytes).unwrap();
    }
}

/// The id to which the chain of names leads. `None` if a name doesn't exist, or after five names.
fn followed(case: &Case) -> Option<Vec<u8>> {
    let mut says = &case.head;
    let mut names = 0;
    while let Some(number) = says.target() {
        names += 1;
        // If several loose references have this number, the last one overwrites the others. Packed references
        // count only if there is no loose one.
        let loose = case.loose.iter().rfind(|(own, _)| own % NAMES == number);
        let mut packed =
            case.packed.iter().filter(|(own, says)| own % NAMES == number && says.id().is_some());
        says = match loose {
            Some((_, says)) => says,
            None if case.crlf => return None,
            None => &packed.next()?.1,
        };
        if names == 5 {
            return None;
        }
    }
    says.id().map(<[u8]>::to_vec)
}

fuzz_target!(|case: Case| {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let top = folder.path();
    let git = top.join(if case.layout % 4 == 0 { ".git" } else { "git" });
    let shared = if case.layout % 4 == 3 { top.join("shared") } else { git.clone() };
    fs::create_dir(&git).unwrap();
    fs::create_dir_all(shared.join("refs/heads")).unwrap();
    if case.objects {
        fs::create_dir(shared.join("objects")).unwrap();
    }
    match case.layout % 4 {
        0 => {}
        1 => fs::write(top.join(".git"), "gitdir: git\n").unwrap(),
        2 => fs::write(top.join(".git"), format!("gitdir: {}", git.display())).unwrap(),
        _ => {
            fs::write(top.join(".git"), "gitdir: ./git\r\n").unwrap();
            fs::write(git.join("commondir"), "../shared\n").unwrap();
        }
    }
    case.head.write(&git.join("HEAD"), case.capitals);
    for (number, says) in &case.loose {
        says.write(&shared.join(name(*number)), case.capitals);
    }
    let mut packed = b"# pack-refs with: peeled fully-peeled sorted \n".to_vec();
    for (number, says) in &case.packed {
        match says {
            Says::Bytes(bytes) => packed.extend(bytes),
            _ => {
                let id = says.id().map_or_else(|| "^".to_owned(), |id| hex(id, case.capitals));
                packed.extend(format!("{id} {}", name(*number)).bytes());
            }
        }
        packed.extend(if case.crlf { &b"\r\n"[..] } else { b"\n" });
    }
    fs::write(shared.join("packed-refs"), &packed).unwrap();
    if let Some(common) = &case.common {
        fs::write(git.join("commondir"), common).unwrap();
    }
    if let Some(link) = &case.link
        && case.layout % 4 > 0
    {
        fs::write(top.join(".git"), link).unwrap();
    }

    let found = checked_out(top);
    if let Ok(Some(id)) = &found {
        assert!([20, 32].contains(&id.len()));
    }
    // The expected result isn't known if the fuzzer chose the bytes of a file, because they can also be a
    // reference.
    let of_bytes = |says: &Says| matches!(says, Says::Bytes(_));
    if !of_bytes(&case.head)
        && !case.loose.iter().chain(&case.packed).any(|(_, says)| of_bytes(says))
        && case.link.is_none()
        && case.common.is_none()
    {
        let expected = if case.objects { followed(&case).map(Some) } else { Some(None) };
        assert_eq!(found.ok(), expected);
    }
});
