//! Kernel tables, which list every implementation of a family's inner function, and the choice of a
//! kernel.
//!
//! Each family has a [`Table`] of kernels for one message, whose last row runs on every CPU, and may have a table of
//! batch kernels. Rows are in the order of their speed on the CPUs that were measured. If that order differs between
//! CPUs, the table measures its rows at its first use.
//!
//! A state contains a [`Chosen`] row. Only a table creates one, after it has checked the CPU, or if the table has only
//! one row. So a [`Chosen`] proves that its function may be called, and the single unsafe call of each family relies on
//! this.

use crate::internal::error::Error;
#[cfg(feature = "std")]
use crate::internal::plan::{Choice, Published, enabled};
use crate::internal::plan::{Plan, ROWS};
use crate::internal::small;
use crate::internal::try_alloc;
use alloc::vec::Vec;
use core::time::Duration;

/// A row: an implementation, and a test that returns true if this CPU can run it.
#[derive(Debug)]
pub(crate) struct Kernel<F: 'static> {
    pub(crate) name: &'static str,
    pub(crate) available: fn() -> bool,
    pub(crate) function: F,
}

/// The kernels of one family. The last row of a chain table (a table of single-message kernels)
/// runs on every CPU. A batch table may have no row for a CPU.
#[derive(Debug)]
pub(crate) struct Table<F: 'static> {
    rows: &'static [Kernel<F>],
    /// Measures which row is the fastest. `None` if the order of the table is right on every CPU.
    #[cfg(feature = "std")]
    contest: Option<fn() -> Plan>,
    #[cfg(feature = "std")]
    plan: Published,
}

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
    /// Returns the row's function. It may be called, because `self` exists.
    pub(crate) fn function(self) -> F {
        self.0.function
    }

    /// Returns the row's name.
    pub(crate) fn name(self) -> &'static str {
        self.0.name
    }
}

impl<F> Table<F> {
    /// Makes a table whose order is right on every CPU.
    pub(crate) const fn written(rows: &'static [Kernel<F>]) -> Self {
        assert!(rows.len() <= ROWS);
        Self {
            rows,
            #[cfg(feature = "std")]
            contest: None,
            #[cfg(feature = "std")]
            plan: Published::new(),
        }
    }

    /// Makes a table whose order `contest` measures.
    ///
    /// Without `std` there is no clock, so the order of the table is used. The same applies to
    /// WebAssembly without an operating system, where the code for the measurements would be
    /// useless.
    pub(crate) const fn measured(rows: &'static [Kernel<F>], contest: fn() -> Plan) -> Self {
        #[cfg(all(feature = "std", not(all(target_family = "wasm", target_os = "unknown"))))]
        return Self { contest: Some(contest), ..Self::written(rows) };
        #[cfg(any(not(feature = "std"), all(target_family = "wasm", target_os = "unknown")))]
        {
            let _ = contest;
            Self::written(rows)
        }
    }

    small::not_inlined_if_small! {
        /// Returns the row that is forced for this process, if this table has it. Otherwise returns
        /// the fastest row that this CPU can run.
        pub(crate) fn best(&self) -> Chosen<F> {
            // A single row runs on every CPU, so the CPU isn't checked. WebAssembly has tables of
            // one row.
            if let [only] = self.rows {
                return Chosen(only);
            }
            self.best_if_any().expect("the last row of a chain table runs anywhere")
        }
    }

    /// Like [`Table::best`], but returns `None` if this CPU can run no row. The fastest row is the
    /// one measured, or the first one in the order of the table.
    pub(crate) fn best_if_any(&self) -> Option<Chosen<F>> {
        self.forced_row().or_else(|| self.fastest()).or_else(|| self.available().map(|(_, row)| row).next())
    }

    /// Returns the row that is forced for this process, if this table has it.
    pub(crate) fn forced_row(&self) -> Option<Chosen<F>> {
        forced().and_then(|name| self.named(name).ok())
    }

    /// Returns every row that this CPU can run with its index, in the order of the table.
    pub(crate) fn available(&self) -> impl Iterator<Item = (usize, Chosen<F>)> {
        self.rows.iter().enumerate().filter(|(_, row)| (row.available)()).map(|(i, row)| (i, Chosen(row)))
    }

    /// Returns the row that calibration found to be the fastest.
    #[cfg(feature = "std")]
    fn fastest(&self) -> Option<Chosen<F>> {
        let row = self.published()?.row()?;
        Some(Chosen(&self.rows[row]))
    }

    #[cfg(not(feature = "std"))]
    fn fastest(&self) -> Option<Chosen<F>> {
        None
    }

    /// Returns the kernel that was measured to be the fastest for `messages` messages of `bytes` bytes each, and the
    /// number of active lanes from which it is faster than hashing the messages one at a time.
    ///
    /// Returns `Some(None)` if the messages should be hashed one at a time, and `None` if nothing
    /// was measured.
    #[cfg(feature = "std")]
    pub(crate) fn fastest_for(&self, messages: usize, bytes: usize) -> Option<Option<(Chosen<F>, usize)>> {
        let choice = self.published()?.choice(messages, bytes);
        Some(choice.map(|Choice { row, break_even }| (Chosen(&self.rows[row]), break_even)))
    }

    #[cfg(not(feature = "std"))]
    pub(crate) fn fastest_for(&self, _: usize, _: usize) -> Option<Option<(Chosen<F>, usize)>> {
        None
    }

    /// Returns the results of the measurement. Measures first if necessary.
    #[cfg(feature = "std")]
    #[inline]
    fn published(&self) -> Option<&Published> {
        if !self.plan.is_ready() {
            self.calibrate();
        }
        self.plan.is_ready().then_some(&self.plan)
    }

    #[cfg(feature = "std")]
    #[cold]
    fn calibrate(&self) {
        let Some(contest) = self.contest else { return };
        if self.plan.is_empty() && enabled() {
            self.plan.publish(&contest());
        }
    }

    /// Returns the figures of the calibration, if there was one.
    pub(crate) fn plan(&self) -> Option<Plan> {
        #[cfg(feature = "std")]
        return self.published().and_then(Published::get);
        #[cfg(not(feature = "std"))]
        None
    }

    /// Returns the row of this name, or the best row if no name is given.
    pub(crate) fn choose(&self, name: Option<&str>) -> Result<Chosen<F>, Error> {
        name.map_or_else(|| Ok(self.best()), |name| self.named(name))
    }

    /// Returns true if a row has this name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.rows.iter().any(|row| row.name == name)
    }

    /// Returns the row of this name.
    pub(crate) fn named(&self, name: &str) -> Result<Chosen<F>, Error> {
        let row = |i: usize| self.rows.get(i).map(|row| (row.name, (row.available)()));
        place_of(name, &row).map(|i| Chosen(&self.rows[i]))
    }
}

/// Returns the index of the row of this name. `row` returns the name of each row, and true if the CPU can run it. This
/// function is shared by all tables.
#[inline(never)]
fn place_of(name: &str, row: &dyn Fn(usize) -> Option<(&'static str, bool)>) -> Result<usize, Error> {
    match (0..).map_while(row).enumerate().find(|(_, (row, _))| *row == name) {
        None => Err(Error::UnknownKernel { name: try_alloc::words(name) }),
        Some((_, (_, false))) => Err(Error::UnavailableKernel { name: try_alloc::words(name) }),
        Some((place, _)) => Ok(place),
    }
}

/// A description of one kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelInfo {
    /// The name, which [`Params::kernel`](crate::Params::kernel) and `HASHWELL_KERNEL` accept.
    pub name: &'static str,
    /// True if this CPU can run the kernel.
    pub available: bool,
    /// True if a new state without [`Params::kernel`](crate::Params::kernel) would use the kernel.
    /// For a batch kernel: true if a large batch of long messages would use it.
    pub chosen: bool,
    /// The results of calibration, or `None` if the kernel was not measured. See
    /// [`Algorithm::calibration`].
    ///
    /// [`Algorithm::calibration`]: crate::Algorithm::calibration
    pub speed: Option<KernelSpeed>,
}

/// The speed of a kernel on this CPU in MB/s (10^6 bytes per second), when all lanes of the kernel are active.
///
/// hashwell uses the speed only to choose between kernels. To measure the throughput that a program gets, run
/// `hashwell speed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelSpeed {
    /// The speed of calls that process one block.
    pub one_block: u32,
    /// The speed of calls that process several blocks: 2 KiB in all lanes together, or 512 bytes for a single-message
    /// kernel.
    pub long: u32,
}

/// A table without its function type. It has as few methods as possible, since every table has its
/// own code for each of them.
pub(crate) trait KernelTable: Sync {
    /// Returns the name of row `i`, and true if this CPU can run it.
    fn row(&self, i: usize) -> Option<(&'static str, bool)>;
    /// Returns the name of the row that [`Table::best_if_any`] returns.
    fn chosen(&self) -> Option<&'static str>;
    /// Returns the figures of the calibration, if there was one.
    fn figures(&self) -> Option<Plan>;
}

impl<F: Copy + Sync> KernelTable for Table<F> {
    fn row(&self, i: usize) -> Option<(&'static str, bool)> {
        self.rows.get(i).map(|row| (row.name, (row.available)()))
    }

    fn chosen(&self) -> Option<&'static str> {
        self.best_if_any().map(Chosen::name)
    }

    fn figures(&self) -> Option<Plan> {
        self.plan()
    }
}

/// The queries that every table supports.
pub(crate) trait Listing: KernelTable {
    /// Returns the rows in the order of the table.
    fn rows(&self) -> Vec<KernelInfo> {
        self.infos().collect()
    }

    /// Iterates over the rows.
    fn infos(&self) -> impl Iterator<Item = KernelInfo> {
        let (chosen, plan) = (self.chosen(), self.figures());
        let speed = move |row: usize| {
            let [one_block, long] = *plan?.speeds.get(row)?;
            (long > 0).then_some(KernelSpeed { one_block, long })
        };
        // Names are unique within a table.
        let info = move |(i, (name, available))| KernelInfo {
            name,
            available,
            chosen: chosen == Some(name),
            speed: speed(i),
        };
        self.each().enumerate().map(info)
    }

    /// Iterates over the names, each with true if this CPU can run the kernel. This does not measure anything.
    fn each(&self) -> impl Iterator<Item = (&'static str, bool)> {
        (0..).map_while(|i| self.row(i))
    }

    /// Returns the names.
    fn names(&self) -> Vec<&'static str> {
        self.each().map(|(name, _)| name).collect()
    }

    /// Returns the table's own copy of a row's name, if the table has the row and the CPU can run
    /// it.
    fn lookup(&self, name: &str) -> Result<&'static str, Error> {
        let place = place_of(name, &|i| self.row(i))?;
        Ok(self.row(place).map_or("", |(name, _)| name))
    }

    /// Returns the time that calibration took, or `None` if the order of the table is used.
    fn calibration(&self) -> Option<Duration> {
        let nanoseconds = self.figures()?.nanoseconds;
        (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds.into()))
    }

    /// Returns true if one of the rows is forced for this process.
    fn is_forced(&self) -> bool {
        forced().is_some_and(|name| self.lookup(name).is_ok())
    }

    /// Returns the name of the row that [`Table::best`] returns. The table must be a chain table.
    fn best_name(&self) -> &'static str {
        self.chosen().expect("the last row of a chain table runs anywhere")
    }
}

impl<T: KernelTable + ?Sized> Listing for T {}

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

/// Sets the kernel name for the rest of the process. The caller must have found the name in a
/// table.
#[cfg(feature = "std")]
pub(crate) fn force(name: &'static str) -> Result<(), Error> {
    let in_force = *FORCED.get_or_init(|| name);
    if in_force == name { Ok(()) } else { Err(Error::KernelAlreadyForced { name: in_force }) }
}

/// The `available` test of a row that runs on every CPU.
pub(crate) fn always() -> bool {
    true
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    const KERNELS: [Kernel<u8>; 3] = [
        Kernel { name: "missing", available: || false, function: 1 },
        Kernel { name: "first", available: always, function: 2 },
        Kernel { name: "second", available: always, function: 3 },
    ];

    fn contest() -> Plan {
        let mut plan = Plan::always(2);
        plan.nanoseconds = 5_000;
        plan.speeds[1] = [10, 1];
        plan.speeds[2] = [30, 40];
        plan
    }

    static MEASURED: Table<u8> = Table::measured(&KERNELS, contest);
    static WRITTEN: Table<u8> = Table::written(&KERNELS);

    #[test]
    fn a_table_shows_what_was_measured() {
        let speed = |one_block, long| Some(KernelSpeed { one_block, long });
        let row = |name, available, chosen, speed| KernelInfo { name, available, chosen, speed };
        let shown = [
            row("missing", false, false, None),
            row("first", true, false, speed(10, 1)),
            row("second", true, true, speed(30, 40)),
        ];
        assert_eq!(MEASURED.rows(), shown);
        assert_eq!(MEASURED.calibration(), Some(Duration::from_micros(5)));
        assert_eq!((MEASURED.best().function(), MEASURED.best_name()), (3, "second"));
    }

    #[test]
    fn without_measurement_the_written_order_holds() {
        assert_eq!((WRITTEN.best().function(), WRITTEN.best_name()), (2, "first"));
        assert!(
            WRITTEN.fastest().is_none() && WRITTEN.fastest_for(2, 0).is_none() && WRITTEN.plan().is_none()
        );
        assert_eq!(WRITTEN.calibration(), None);
        assert!(WRITTEN.rows().iter().all(|row| row.speed.is_none()));
        assert!(!WRITTEN.is_forced());
    }

    #[test]
    fn a_row_that_this_cpu_lacks_has_a_name_and_is_refused() {
        let (lacks, unknown) = (
            |name: &str| Error::UnavailableKernel { name: name.into() },
            |name: &str| Error::UnknownKernel { name: name.into() },
        );
        assert_eq!(WRITTEN.named("missing").err(), Some(lacks("missing")));
        assert_eq!(WRITTEN.lookup("missing"), Err(lacks("missing")));
        assert_eq!(WRITTEN.named("third").err(), Some(unknown("third")));
        assert_eq!(WRITTEN.lookup("third"), Err(unknown("third")));
        assert_eq!(WRITTEN.choose(Some("second")).map(Chosen::function), Ok(3));
        assert!(WRITTEN.knows("missing") && !WRITTEN.knows("third"));
        assert_eq!(WRITTEN.names(), ["missing", "first", "second"]);
    }
}
