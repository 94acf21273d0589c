//! Tests that states contain no heap memory, because they are copied byte by byte and never dropped.

use hashwell::registry::Parameter;
use hashwell::{ALGORITHMS, DrbgParams, HmacDrbg, Kind, Kmac, KmacVariant, Params, PlainHmac};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with a counter for each thread.
struct Counting;

thread_local!(static ALLOCATIONS: Cell<usize> = const { Cell::new(0) });

// SAFETY: all calls are passed to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the layout is passed on unchanged to an allocator with the same requirements.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: all memory came from the system's allocator, with this layout.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn without_heap<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let before = ALLOCATIONS.get();
    let result = work();
    assert_eq!(ALLOCATIONS.get() - before, 0, "{what} allocates");
    result
}

#[test]
fn the_counter_counts() {
    let before = ALLOCATIONS.get();
    std::hint::black_box(Box::new(1));
    assert_eq!(ALLOCATIONS.get() - before, 1);
}

/// Runs every operation on a state, with messages long enough to reach every part of every algorithm.
#[test]
fn no_state_allocates() {
    let message = vec![1; 100_000];
    let mut out = [0; 1000];
    for row in ALGORITHMS {
        let takes = |parameter| row.limits(parameter).is_some();
        let key = [7; 32];
        let params = Params {
            key: takes(Parameter::Key).then_some(&key),
            customization: if takes(Parameter::Customization) { b"customisation" } else { b"" },
            ..Params::default()
        };
        for params in [Params::default(), params] {
            without_heap(row.name, || {
                let mut hasher = row.plain_hasher(&params).unwrap();
                hasher.update(&message[..10]);
                hasher.update(&message);
                hasher.digest_into(&mut out[..row.output]).unwrap();
                row.digest_into(&message, &mut out[..row.output]).unwrap();
                if row.kind == Kind::Xof {
                    hasher.reader().unwrap().clone().read(&mut out);
                }
            });
        }
    }
    for row in ALGORITHMS.iter().filter(|row| row.hmac) {
        HmacDrbg::self_test(row).unwrap();
        without_heap(row.name, || {
            let mut hmac = PlainHmac::new(row, &[5; 200]).unwrap();
            hmac.update(&message);
            hmac.verify(&[0; 3]).unwrap_err();
            hmac.tag_into(&mut out[..row.output]).unwrap();
            hmac.reset();
            PlainHmac::tag_of(row, b"key", &message, &mut out[..row.output]).unwrap();
            let mut drbg = HmacDrbg::new(row, &[1; 32], &[2; 16], &DrbgParams::default()).unwrap();
            drbg.reseed(&[3; 32], b"").unwrap();
            drbg.generate(&mut out, b"additional").unwrap();
        });
    }
    for variant in [KmacVariant::Kmac128, KmacVariant::Kmac256] {
        without_heap(variant.name(), || {
            let mut kmac = Kmac::new(variant, b"key", b"customisation");
            kmac.update(&message);
            kmac.clone().into_reader().read(&mut out);
            kmac.tag_into(&mut out);
            kmac.reset();
        });
    }
}
