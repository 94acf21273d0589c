//! Kernel tables: every way to compute a family's inner function, and how one is chosen.
//!
//! Each family has one [`Table`], whose last row runs anywhere. Its rows stand in the order of their speed on the
//! processors that it was measured on; where that order differs from one processor to the next, the table measures
//! them at its first use. A state holds a [`Chosen`] row. Only the table makes one, and only after asking the CPU, so
//! holding a [`Chosen`] proves that its function may be called: that is what each family's single unsafe call rests on.

use crate::internal::error::Error;
#[cfg(feature = "std")]
use crate::internal::plan::{Choice, Published, enabled};
use crate::internal::plan::{Plan, ROWS};
use crate::internal::small;
use crate::internal::try_alloc;
use alloc::vec::Vec;
use core::time::Duration;

/// One row: an implementation and the test that says whether this CPU can run it.
#[derive(Debug)]
pub(crate) struct Kernel<F: 'static> {
    pub(crate) name: &'static str,
    pub(crate) available: fn() -> bool,
    pub(crate) function: F,
}

/// The kernels of one family. The last row of a chain table runs anywhere; a batch table may have none for a CPU.
#[derive(Debug)]
pub(crate) struct Table<F: 'static> {
    rows: &'static [Kernel<F>],
    /// Measures which row is the fastest; none if the written order holds anywhere.
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
    /// A table whose written order holds anywhere.
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

    /// A table whose order `contest` measures. Without `std` there is no clock, and the written order holds; nor is there one in
    /// WebAssembly without an operating system, whose modules would have the code of every contest for nothing.
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
        /// The row forced for this process if this table has it, else the fastest one that this CPU can run.
        pub(crate) fn best(&self) -> Chosen<F> {
            // A single row runs anywhere, so the CPU isn't asked. WebAssembly has tables of one row.
            if let [only] = self.rows {
                return Chosen(only);
            }
            self.best_if_any().expect("the last row of a chain table runs anywhere")
        }
    }

    /// The same, if there is one: the fastest by measurement, else the first in the written order.
    pub(crate) fn best_if_any(&self) -> Option<Chosen<F>> {
        self.forced_row().or_else(|| self.fastest()).or_else(|| self.available().map(|(_, row)| row).next())
    }

    /// The row forced for this process, if this table has it.
    pub(crate) fn forced_row(&self) -> Option<Chosen<F>> {
        forced().and_then(|name| self.named(name).ok())
    }

    /// Every row that this CPU can run, in the written order, with its place in the table.
    pub(crate) fn available(&self) -> impl Iterator<Item = (usize, Chosen<F>)> {
        self.rows.iter().enumerate().filter(|(_, row)| (row.available)()).map(|(i, row)| (i, Chosen(row)))
    }

    /// The row that a calibration found to be the fastest.
    #[cfg(feature = "std")]
    fn fastest(&self) -> Option<Chosen<F>> {
        let row = self.published()?.row()?;
        Some(Chosen(&self.rows[row]))
    }

    #[cfg(not(feature = "std"))]
    fn fastest(&self) -> Option<Chosen<F>> {
        None
    }

    /// The row that a calibration found to be the fastest for so many messages of so many bytes each, and the fewest
    /// live lanes that pay for it; `Some(None)` if they should go one by one, `None` if nothing was measured.
    #[cfg(feature = "std")]
    pub(crate) fn fastest_for(&self, messages: usize, bytes: usize) -> Option<Option<(Chosen<F>, usize)>> {
        let choice = self.published()?.choice(messages, bytes);
        Some(choice.map(|Choice { row, break_even }| (Chosen(&self.rows[row]), break_even)))
    }

    #[cfg(not(feature = "std"))]
    pub(crate) fn fastest_for(&self, _: usize, _: usize) -> Option<Option<(Chosen<F>, usize)>> {
        None
    }

    /// What was measured; it is now, if it was not before.
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

    /// The figures of the calibration, if there was one.
    pub(crate) fn plan(&self) -> Option<Plan> {
        #[cfg(feature = "std")]
        return self.published().and_then(Published::get);
        #[cfg(not(feature = "std"))]
        None
    }

    /// The row of this name if one is given, else the best.
    pub(crate) fn choose(&self, name: Option<&str>) -> Result<Chosen<F>, Error> {
        name.map_or_else(|| Ok(self.best()), |name| self.named(name))
    }

    /// Whether a row has this name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.rows.iter().any(|row| row.name == name)
    }

    /// The row of this name.
    pub(crate) fn named(&self, name: &str) -> Result<Chosen<F>, Error> {
        let row = |i: usize| self.rows.get(i).map(|row| (row.name, (row.available)()));
        place_of(name, &row).map(|i| Chosen(&self.rows[i]))
    }
}

/// The place of the row of this name, among rows that `row` names and says of whether the CPU can run them. Once for all tables.
#[inline(never)]
fn place_of(name: &str, row: &dyn Fn(usize) -> Option<(&'static str, bool)>) -> Result<usize, Error> {
    match (0..).map_while(row).enumerate().find(|(_, (row, _))| *row == name) {
        None => Err(Error::UnknownKernel { name: try_alloc::words(name) }),
        Some((_, (_, false))) => Err(Error::UnavailableKernel { name: try_alloc::words(name) }),
        Some((place, _)) => Ok(place),
    }
}

/// What the registry shows of one kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelInfo {
    /// Name that `Params::kernel` and `HASHWELL_KERNEL` accept.
    pub name: &'static str,
    /// Whether this CPU can run it.
    pub available: bool,
    /// Whether a state made now, without `Params::kernel`, would use it; of batch kernels, whether long messages would
    /// that are many.
    pub chosen: bool,
    /// What the calibration measured; `None` where it measured nothing: see [`Algorithm::calibration`].
    ///
    /// [`Algorithm::calibration`]: crate::Algorithm::calibration
    pub speed: Option<KernelSpeed>,
}

/// A kernel's speed on this processor, in MB/s (10^6 bytes a second) of blocks, with all its lanes at work. It decides
/// between kernels and nothing else: `hashwell speed` measures what a user gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelSpeed {
    /// In calls of one block.
    pub one_block: u32,
    /// In calls of several blocks, 2 KiB in all lanes together (512 bytes of a chain kernel).
    pub long: u32,
}

/// A table seen without its function type: as little as what all that can be asked of it is made of, since each table
/// has code of its own for every method here.
pub(crate) trait KernelTable: Sync {
    /// Name of row `i`, and whether this CPU can run it.
    fn row(&self, i: usize) -> Option<(&'static str, bool)>;
    /// Name of the row that [`Table::best_if_any`] gives.
    fn chosen(&self) -> Option<&'static str>;
    /// The figures of the calibration, if there was one.
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

/// What can be asked of any table.
pub(crate) trait Listing: KernelTable {
    /// The rows, in the table's order.
    fn rows(&self) -> Vec<KernelInfo> {
        self.infos().collect()
    }

    /// The same one by one.
    fn infos(&self) -> impl Iterator<Item = KernelInfo> {
        let (chosen, plan) = (self.chosen(), self.figures());
        let speed = move |row: usize| {
            let [one_block, long] = *plan?.speeds.get(row)?;
            (long > 0).then_some(KernelSpeed { one_block, long })
        };
        // A table has a name once.
        let info = move |(i, (name, available))| KernelInfo {
            name,
            available,
            chosen: chosen == Some(name),
            speed: speed(i),
        };
        self.each().enumerate().map(info)
    }

    /// Their names and whether this CPU can run them, for which nothing is measured.
    fn each(&self) -> impl Iterator<Item = (&'static str, bool)> {
        (0..).map_while(|i| self.row(i))
    }

    /// Their names alone.
    fn names(&self) -> Vec<&'static str> {
        self.each().map(|(name, _)| name).collect()
    }

    /// The table's own copy of a row's name, if it has the row and the CPU can run it.
    fn lookup(&self, name: &str) -> Result<&'static str, Error> {
        let place = place_of(name, &|i| self.row(i))?;
        Ok(self.row(place).map_or("", |(name, _)| name))
    }

    /// How long its calibration took; `None` where the written order holds.
    fn calibration(&self) -> Option<Duration> {
        let nanoseconds = self.figures()?.nanoseconds;
        (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds.into()))
    }

    /// Whether the process is forced onto one of its rows.
    fn is_forced(&self) -> bool {
        forced().is_some_and(|name| self.lookup(name).is_ok())
    }

    /// The row that [`Table::best`] gives. The table must be a chain table.
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

/// Fixes the row name for the rest of the process. The caller has looked the name up in a table.
#[cfg(feature = "std")]
pub(crate) fn force(name: &'static str) -> Result<(), Error> {
    let in_force = *FORCED.get_or_init(|| name);
    if in_force == name { Ok(()) } else { Err(Error::KernelAlreadyForced { name: in_force }) }
}

/// `available` of the row that runs anywhere.
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
