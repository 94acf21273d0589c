//! Kernel tables: every way to compute a family's inner function, and how one is chosen.
//!
//! Each family has one [`Table`], fastest row first, whose last row runs anywhere. A state holds a
//! [`Chosen`] row. Only the table makes one, and only after asking the CPU, so holding a [`Chosen`]
//! proves that its function may be called: that is what each family's single unsafe call rests on.

use crate::ground::error::Error;
use alloc::vec::Vec;

/// One row: an implementation and the test that says whether this CPU can run it.
#[derive(Debug)]
pub(crate) struct Kernel<F: 'static> {
    pub(crate) name: &'static str,
    pub(crate) available: fn() -> bool,
    pub(crate) function: F,
}

/// The kernels of one family, fastest first. The last row of a chain table runs anywhere; a batch table may
/// have none for a CPU.
#[derive(Debug)]
pub(crate) struct Table<F: 'static>(pub(crate) &'static [Kernel<F>]);

/// A row that this CPU can run.
#[derive(Debug)]
pub(crate) struct Chosen<F: 'static>(&'static Kernel<F>);

impl<F> Clone for Chosen<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Chosen<F> {}

impl<F: Copy> Chosen<F> {
    /// The row's function; it may be called, because `self` exists.
    pub(crate) fn function(self) -> F {
        self.0.function
    }

    /// The row's name.
    pub(crate) fn name(self) -> &'static str {
        self.0.name
    }
}

impl<F> Table<F> {
    /// The row forced for this process if this table has it, else the first one the CPU can run.
    pub(crate) fn best(&self) -> Chosen<F> {
        self.best_if_any().expect("the last row of a chain table runs anywhere")
    }

    /// The row forced for this process, else the first one that the CPU can run, if there is one.
    pub(crate) fn best_if_any(&self) -> Option<Chosen<F>> {
        let can_run = |row: &&'static Kernel<F>| (row.available)();
        let forced = forced().and_then(|name| self.0.iter().filter(|row| row.name == name).find(can_run));
        forced.or_else(|| self.0.iter().find(can_run)).map(Chosen)
    }

    /// Every row that this CPU can run, fastest first.
    pub(crate) fn available(&self) -> impl Iterator<Item = Chosen<F>> {
        self.0.iter().filter(|row| (row.available)()).map(Chosen)
    }

    /// Whether the process is forced onto a row of this table.
    pub(crate) fn is_forced(&self) -> bool {
        forced().is_some_and(|name| self.named(name).is_ok())
    }

    /// The row of this name if one is given, else the best.
    pub(crate) fn choose(&self, name: Option<&str>) -> Result<Chosen<F>, Error> {
        name.map_or_else(|| Ok(self.best()), |name| self.named(name))
    }

    /// The row of this name.
    fn named(&self, name: &str) -> Result<Chosen<F>, Error> {
        match self.0.iter().find(|row| row.name == name) {
            None => Err(Error::UnknownBackend { name: name.into() }),
            Some(row) if !(row.available)() => Err(Error::UnavailableBackend { name: name.into() }),
            Some(row) => Ok(Chosen(row)),
        }
    }
}

/// What the registry shows of one kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelInfo {
    /// Name that `Params::kernel` and `HASHWELL_BACKEND` accept.
    pub name: &'static str,
    /// Whether this CPU can run it.
    pub available: bool,
    /// Whether a state made now, without `Params::kernel`, would use it.
    pub chosen: bool,
}

/// A table seen without its function type.
pub(crate) trait KernelTable: Sync {
    /// The rows, in the table's order.
    fn rows(&self) -> Vec<KernelInfo>;
    /// The table's own copy of a row's name, if it has the row and the CPU can run it.
    fn lookup(&self, name: &str) -> Result<&'static str, Error>;
}

impl<F: Copy + Sync> KernelTable for Table<F> {
    fn rows(&self) -> Vec<KernelInfo> {
        let chosen = self.best_if_any();
        let info = |row: &'static Kernel<F>| KernelInfo {
            name: row.name,
            available: (row.available)(),
            chosen: chosen.is_some_and(|chosen| core::ptr::eq(row, chosen.0)),
        };
        self.0.iter().map(info).collect()
    }

    fn lookup(&self, name: &str) -> Result<&'static str, Error> {
        self.named(name).map(Chosen::name)
    }
}

#[cfg(feature = "std")]
static FORCED: std::sync::OnceLock<&'static str> = std::sync::OnceLock::new();

#[cfg(feature = "std")]
pub(crate) fn forced() -> Option<&'static str> {
    FORCED.get().copied()
}

#[cfg(not(feature = "std"))]
pub(crate) fn forced() -> Option<&'static str> {
    None
}

/// Fixes the row name for the rest of the process. The caller has looked the name up in a table.
#[cfg(feature = "std")]
pub(crate) fn force(name: &'static str) -> Result<(), Error> {
    let in_force = *FORCED.get_or_init(|| name);
    if in_force == name { Ok(()) } else { Err(Error::BackendAlreadyForced { name: in_force }) }
}

/// `available` of the row that runs anywhere.
pub(crate) fn always() -> bool {
    true
}
