//! A function of the program under test, with its machine code.

use crate::internal::machine::{Change, Image, Machine, Trap};
use crate::internal::vector::symbol::Claim;
use alloc::vec::Vec;
use core::cell::RefCell;
use iced_x86::Instruction;
use std::sync::OnceLock;

/// The address of a function, and the bit of it that is changed.
pub(super) struct Code {
    pub(super) at: u64,
    pub(super) change: Option<Change>,
    /// The instructions that were executed.
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
        let own = || std::env::current_exe().expect("the path of this program");
        Image::read(&std::env::var_os("HASHWELL_MACHINE").map_or_else(own, Into::into))
    })
}
