//! The memory image of a program, as its file describes it, and the addresses of its functions.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use object::elf::{PF_W, PT_GNU_RELRO, PT_LOAD, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, R_X86_64_RELATIVE};
use object::read::elf::{ElfFile64, ProgramHeader};
use object::{Object, ObjectSymbol, ObjectSymbolTable, RelocationFlags, RelocationTarget};

/// The base address of the program. It is far from the memory that the tests lend, which has the same addresses as in
/// the process of the tests.
const BASE: u64 = 0x2000_0000_0000;

/// The base of the addresses that stand for functions of other libraries. The global offset table contains these
/// addresses.
const LIBRARIES: u64 = 0x3000_0000_0000;

pub(crate) struct Image {
    segments: Vec<(u64, Vec<u8>)>,
    functions: Vec<(String, u64)>,
    /// The names of functions of other libraries, by address.
    libraries: BTreeMap<u64, String>,
    /// Addresses that the program's data contains, such as those of kernels in the kernel tables.
    pointed: BTreeSet<u64>,
}

impl Image {
    /// Creates an empty image.
    pub(super) fn empty() -> Self {
        Self {
            segments: Vec::new(),
            functions: Vec::new(),
            libraries: BTreeMap::new(),
            pointed: BTreeSet::new(),
        }
    }

    /// Reads an executable or a library for x86-64 Linux.
    pub(crate) fn read(path: &std::path::Path) -> Self {
        let data = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file: ElfFile64 = ElfFile64::parse(&*data).expect("an ELF file of 64 bits");
        let mut image = Self {
            segments: Vec::new(),
            functions: file
                .symbols()
                .filter_map(|symbol| Some((symbol.name().ok()?.into(), BASE + symbol.address())))
                .collect(),
            libraries: BTreeMap::new(),
            pointed: BTreeSet::new(),
        };
        let headers = || file.elf_program_headers().iter();
        let end = file.endian();
        // Memory that is relocated when the program starts, and is read-only afterwards.
        let relocated: Vec<_> = headers()
            .filter(|header| header.p_type(end) == PT_GNU_RELRO)
            .map(|header| header.p_vaddr(end)..header.p_vaddr(end) + header.p_memsz(end))
            .collect();
        for header in headers().filter(|header| header.p_type(end) == PT_LOAD) {
            let mut bytes = header.data(end, &*data).expect("bytes of a segment").to_vec();
            bytes.resize(header.p_memsz(end) as usize, 0);
            let (start, len) = (header.p_vaddr(end), bytes.len() as u64);
            if header.p_flags(end) & PF_W == 0 {
                image.segments.push((BASE + start, bytes));
                continue;
            }
            // Writable memory can't contain constants of the kernels, so it is not part of the image.
            for constant in &relocated {
                let (from, to) = (constant.start.max(start), constant.end.min(start + len));
                if from < to {
                    let bytes = bytes[(from - start) as usize..(to - start) as usize].to_vec();
                    image.segments.push((BASE + from, bytes));
                }
            }
        }
        let symbols = file.dynamic_symbol_table();
        for (place, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
            let value = match (r_type, relocation.target()) {
                (R_X86_64_RELATIVE, _) => {
                    let at = BASE.wrapping_add_signed(relocation.addend());
                    image.pointed.insert(at);
                    at
                }
                (R_X86_64_GLOB_DAT | R_X86_64_JUMP_SLOT, RelocationTarget::Symbol(index)) => {
                    let symbol = symbols.as_ref().and_then(|table| table.symbol_by_index(index).ok());
                    let name = symbol.as_ref().and_then(|symbol| symbol.name().ok()).unwrap_or_default();
                    let at = LIBRARIES + 16 * image.libraries.len() as u64;
                    image.libraries.insert(at, name.into());
                    at
                }
                _ => continue,
            };
            image.write(BASE + place, value.to_le_bytes());
        }
        image
    }

    fn write(&mut self, at: u64, bytes: [u8; 8]) {
        for (start, segment) in &mut self.segments {
            if let Some(offset) = at.checked_sub(*start).filter(|offset| offset + 8 <= segment.len() as u64) {
                segment[offset as usize..][..8].copy_from_slice(&bytes);
            }
        }
    }

    /// Returns `len` bytes at the address, or fewer if the segment ends before.
    pub(super) fn bytes(&self, at: u64, len: usize) -> &[u8] {
        let inside = |(start, segment): &&(u64, Vec<u8>)| {
            at.checked_sub(*start).is_some_and(|o| o < segment.len() as u64)
        };
        let Some((start, segment)) = self.segments.iter().find(inside) else { return &[] };
        let rest = &segment[(at - start) as usize..];
        &rest[..rest.len().min(len)]
    }

    /// Returns the name of the library function for which this address stands.
    pub(super) fn library(&self, at: u64) -> Option<&str> {
        self.libraries.get(&at).map(String::as_str)
    }

    /// Returns true if the program's data contains this address.
    pub(crate) fn is_pointed_to(&self, at: u64) -> bool {
        self.pointed.contains(&at)
    }

    /// Returns the addresses of all instances of a function, given by the names of its modules and its own. A generic
    /// function has an instance for each choice of its parameters, which the symbol's name does not contain.
    pub(crate) fn instances(&self, path: &[&str]) -> Vec<u64> {
        // The mangled name contains each part after its length, and then a hash.
        let parts = path.iter().fold(String::new(), |name, part| format!("{name}{}{part}", part.len()));
        let beginning = format!("_ZN8hashwell{parts}17h");
        let mut found: Vec<u64> = self
            .functions
            .iter()
            .filter(|(name, _)| name.starts_with(&beginning))
            .map(|(_, at)| *at)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
