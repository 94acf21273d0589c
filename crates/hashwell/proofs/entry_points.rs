//! Tests that every entry point uses the batch kernels, for every algorithm that has them. A family with a missing hook
//! would still produce correct digests, but one message at a time.

use crate::internal::entry_points::called_by;
use crate::registry::{ALGORITHMS, Algorithm, Kind, Parameter, Params};
use crate::{Hmac, hash_many, hmac, hmac_many, hmac_many_with_kernel, xof_many};
use alloc::vec;
use alloc::vec::Vec;

/// More messages than the widest kernel has lanes.
const COUNT: usize = 40;

/// Longer than KangarooTwelve's first chunk and than several leaves of its tree.
const TREE: usize = 80_000;

type Way<'a> = (&'static str, &'a dyn Fn(Option<&str>));

fn params(kernel: Option<&str>) -> Params<'_> {
    Params { kernel, ..Params::default() }
}

/// Passes to `check` all entry points that use the algorithm's batch kernels. Each takes the name of a kernel, or
/// `None` for the kernel that the library chooses.
fn ways(algorithm: &'static Algorithm, check: impl Fn(&[Way<'_>])) {
    // Messages of different lengths exercise all parts of the scheduler.
    let messages: Vec<Vec<u8>> = (0..COUNT).map(|i| vec![7; 3 * algorithm.block + i]).collect();
    let long = vec![7; TREE];
    let streams = |kernel: Option<&str>| {
        let mut streams = algorithm.streams(&messages, &params(kernel)).unwrap();
        streams.read(&mut vec![0; COUNT * 3 * algorithm.block]).unwrap();
    };
    let keyed = |kernel: Option<&str>| {
        let params = Params { key: Some(&[1; 32]), ..params(kernel) };
        algorithm.many(&params).unwrap().digest(&messages);
    };
    let many_of_any_length = |kernel: Option<&str>| {
        let params = Params { output_len: Some(500), ..params(kernel) };
        algorithm.many(&params).unwrap().digest(&messages);
    };
    let many = |kernel: Option<&str>| {
        drop(algorithm.many(&params(kernel)).unwrap().digest(&messages));
    };
    let tags = |kernel: Option<&str>| {
        hmac_many_with_kernel(algorithm, &["key"], &messages, kernel).unwrap();
    };
    let hasher = |kernel: Option<&str>| {
        let mut hasher = algorithm.build(&params(kernel)).unwrap();
        hasher.update(&long);
        drop(hasher.digest());
    };
    let plain = |kernel: Option<&str>| {
        let mut hasher = algorithm.plain_hasher(&params(kernel)).unwrap();
        hasher.update(&long);
        hasher.digest_into(&mut vec![0; algorithm.output]).unwrap();
    };
    let mac = |kernel: Option<&str>| {
        let mut mac = Hmac::with_kernel(algorithm, b"key", kernel).unwrap();
        mac.update(&long);
        drop(mac.tag());
    };
    #[cfg(feature = "rayon")]
    let parallel = |kernel: Option<&str>| {
        let many = algorithm.many(&params(kernel)).unwrap();
        many.digest_into_parallel(&messages, &mut vec![0; COUNT * algorithm.output]).unwrap();
    };
    let mut all: Vec<Way<'_>> = vec![("Many", &many)];
    #[cfg(feature = "rayon")]
    all.push(("digest_into_parallel", &parallel));
    if algorithm.limits(Parameter::Key).is_some() {
        all.push(("keyed Many", &keyed));
    }
    if algorithm.hmac {
        all.push(("hmac_many", &tags));
    }
    if algorithm.kind == Kind::Xof {
        all.push(("Many with a length", &many_of_any_length));
        // The streams of a tree hash end in single nodes, which are read one at a time.
        if !algorithm.family.is_tree() {
            all.push(("streams", &streams));
        }
    }
    if algorithm.family.is_tree() {
        all.push(("Hasher", &hasher));
        all.push(("PlainHasher", &plain));
        if algorithm.hmac {
            all.push(("Hmac", &mac));
        }
    }
    check(&all);
}

/// Runs `act` in a pool of one thread, because calls of kernels are recorded for each thread.
fn alone(act: impl FnOnce() + Send) {
    #[cfg(feature = "rayon")]
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(act);
    #[cfg(not(feature = "rayon"))]
    act();
}

#[test]
fn every_way_reaches_the_batch_kernel_of_this_name() {
    alone(|| {
        for algorithm in ALGORITHMS {
            for kernel in algorithm.batch_kernels().into_iter().filter(|kernel| kernel.available) {
                ways(algorithm, |ways| {
                    for (way, go) in ways {
                        let called = called_by(|| go(Some(kernel.name)));
                        assert_eq!(called, [kernel.name], "{way} of {}", algorithm.name);
                    }
                });
            }
        }
    });
}

#[test]
fn every_way_reaches_a_batch_kernel_by_itself() {
    alone(|| {
        let rows = ALGORITHMS.iter().filter(|row| row.batch_kernels().iter().any(|kernel| kernel.chosen));
        for algorithm in rows {
            ways(algorithm, |ways| {
                for (way, go) in ways {
                    assert_ne!(called_by(|| go(None)), [""; 0], "{way} of {}", algorithm.name);
                }
            });
            let name = algorithm.name;
            let (short, long) = (vec![vec![7; 500]; COUNT], vec![7; TREE]);
            assert_ne!(called_by(|| drop(hash_many(algorithm, &short))), [""; 0], "hash_many of {name}");
            if algorithm.kind == Kind::Xof {
                let called = called_by(|| drop(xof_many(algorithm, &short, 500).unwrap()));
                assert_ne!(called, [""; 0], "xof_many of {name}");
            }
            if algorithm.hmac {
                let called = called_by(|| drop(hmac_many(algorithm, &["key"], &short).unwrap()));
                assert_ne!(called, [""; 0], "hmac_many of {name}");
            }
            if algorithm.family.is_tree() {
                assert_ne!(called_by(|| drop(algorithm.digest(&long))), [""; 0], "digest of {name}");
                if algorithm.hmac {
                    let called = called_by(|| drop(hmac(algorithm, b"key", &long).unwrap()));
                    assert_ne!(called, [""; 0], "hmac of {name}");
                }
            }
        }
    });
}
