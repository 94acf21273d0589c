//! Interrupts: a front end that handles signals, such as the one for Python, can stop a long call of this crate.

use crate::Error;
use std::cell::RefCell;
use std::rc::Rc;

type GoOn = Rc<dyn Fn() -> bool>;

thread_local! {
    static GO_ON: RefCell<Option<GoOn>> = const { RefCell::new(None) };
}

/// The number of loop steps between two calls of `go_on`.
const STEPS: u64 = 1 << 12;

/// Runs `work`. Meanwhile, the long loops of this thread's draws call `go_on` every few thousand steps; if `go_on`
/// returns false, the draws end with [`Error::Stopped`].
///
/// # Examples
/// ```
/// use hashwell_draw::{Error, Key, draw::permutation, interruptible, key::OPEN_LIST};
///
/// let mut words = Key::derive(b"0877", b"", &OPEN_LIST).words();
/// let stopped = interruptible(|| false, || permutation(&mut words, 1_000_000));
/// assert_eq!(stopped, Err(Error::Stopped));
/// ```
pub fn interruptible<R>(go_on: impl Fn() -> bool + 'static, work: impl FnOnce() -> R) -> R {
    /// Restores the outer call's function, also after a panic.
    struct Outer(Option<GoOn>);
    impl Drop for Outer {
        fn drop(&mut self) {
            GO_ON.set(self.0.take());
        }
    }
    let _outer = Outer(GO_ON.replace(Some(Rc::new(go_on))));
    work()
}

/// Must be called in long loops, with the number of the step. Returns [`Error::Stopped`] if the call should end.
#[inline]
pub(crate) fn check(step: u64) -> Result<(), Error> {
    // WebAssembly has no interrupts, and leaving this out keeps its modules small.
    if cfg!(target_family = "wasm") || !step.is_multiple_of(STEPS) { Ok(()) } else { ask() }
}

#[cold]
fn ask() -> Result<(), Error> {
    // Clone `go_on` first, because it may run a signal handler that also draws.
    let go_on = GO_ON.with_borrow(Option::clone);
    if go_on.is_none_or(|go_on| go_on()) { Ok(()) } else { Err(Error::Stopped) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hwdraw::{
        Columns, DrawOptions, EntryListBuilder, Evidence, Method, Plan, Planned, Seed, SeedSource,
        Transcript, verify,
    };

    #[test]
    fn the_outer_function_is_put_back() {
        interruptible(
            || false,
            || {
                assert_eq!(interruptible(|| true, ask), Ok(()));
                assert_eq!(ask(), Err(Error::Stopped));
            },
        );
        assert_eq!((ask(), check(1)), (Ok(()), Ok(())));
        interruptible(|| false, || assert_eq!((check(1), check(STEPS)), (Ok(()), Err(Error::Stopped))));
    }

    #[test]
    fn every_method_stops() {
        for method in Method::ALL {
            let weight = method.is_weighted();
            let mut builder = EntryListBuilder::new(Columns { stratum: false, weight });
            for id in ["a", "b", "c"] {
                builder.push(&[id, "1"][..=usize::from(weight)]).unwrap();
            }
            let entries = builder.finish(false).unwrap();
            let (k, p) = match method {
                Method::Bernoulli => (None, Some("1".to_owned())),
                _ => (Some(2), None),
            };
            let options =
                DrawOptions { k, p, seed_source: SeedSource::from(Planned::Text), ..DrawOptions::default() };
            let plan = Plan::new(&entries, method, options).unwrap();
            let draw = || Transcript::draw(plan.clone(), Seed::text("s"), &entries, "test");
            assert_eq!(interruptible(|| false, draw), Err(Error::Stopped), "{}", method.name());
            let drawn = interruptible(|| true, draw).unwrap();
            assert_eq!(interruptible(|| false, || drawn.to_json_or_stop()), Err(Error::Stopped));
            assert_eq!(drawn.to_json_or_stop().unwrap(), drawn.to_json());
            let evidence = Evidence::from(Some(&entries));
            assert_eq!(interruptible(|| false, || verify(&drawn, &evidence)), Err(Error::Stopped));
            assert_eq!(verify(&drawn, &evidence).unwrap().mismatches(), []);
        }
    }
}
