//! A function of the program whose machine code is run.

use crate::internal::machine::{Change, Image, Machine, Trap};
use crate::internal::vector::symbol::Claim;
use alloc::vec::Vec;
use core::cell::RefCell;
use iced_x86::Instruction;
use std::sync::OnceLock;

/// A function of the program, and what is changed in it.
pub(super) struct Code {
    pub(super) at: u64,
    pub(super) change: Option<Change>,
    /// What was done of it.
    pub(super) done: RefCell<Vec<Instruction>>,
}

pub(super) type Outcome = Result<Claim, Trap>;

impl Code {
    pub(super) fn machine(&self) -> Machine<'static> {
        Machine::new(image(), self.change)
    }

    pub(super) fn call(&self, machine: &mut Machine<'_>, arguments: &[u64]) -> Result<(), Trap> {
        let called = machine.call(self.at, arguments);
        self.done.borrow_mut().extend(machine.decoded());
        called
    }
}

pub(super) fn image() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| {
        let own = || std::env::current_exe().expect("a name of this program");
        Image::read(&std::env::var_os("HASHWELL_MACHINE").map_or_else(own, Into::into))
    })
}
