//! hashwell as a contender.

use super::{Contender, DRBG_ENTROPY, DRBG_NONCE, HMAC_KEY, Kind, Stream, Task};
use hashwell::{Algorithm, DrbgParams, Error, Hasher, Hmac, HmacDrbg, KernelInfo, Params, Reader};
use rayon::ThreadPool;
use std::sync::Arc;

/// The name of this provider, for [`crate::report::Provider::name`].
pub const NAME: &str = "hashwell";

/// The registry's row for the algorithm of a task.
///
/// # Panics
/// Panics if there is none. All tasks are constants of this crate.
#[must_use]
pub fn algorithm(task: Task) -> &'static Algorithm {
    hashwell::find(task.algorithm).expect("a task names a row")
}

/// The digests that every contender must compute, from the portable kernel, one message at a time.
///
/// # Errors
/// Returns an error if the hasher can't be created.
///
/// # Panics
/// Panics in the same cases as [`algorithm`].
pub fn expected(task: Task, messages: &[&[u8]]) -> Result<Vec<u8>, Error> {
    let algorithm = algorithm(task);
    let portable = algorithm.kernels().last().expect("a table has rows").name;
    let mut generator = match task.kind {
        Kind::Drbg => Some(drbg(algorithm, Some(portable))?),
        _ => None,
    };
    let digest = |message: &&[u8]| {
        if let Some(generator) = &mut generator {
            let mut out = vec![0; message.len()];
            return generator.generate(&mut out, b"").map(|()| out);
        }
        if task.kind.is_hmac() {
            let mut mac = Hmac::with_kernel(algorithm, HMAC_KEY, Some(portable))?;
            mac.update(message);
            return Ok(mac.tag());
        }
        let mut hasher = on_kernel(algorithm, portable)?;
        hasher.update(message);
        Ok(hasher.digest())
    };
    Ok(messages.iter().map(digest).collect::<Result<Vec<_>, Error>>()?.concat())
}

fn on_kernel(algorithm: &'static Algorithm, kernel: &str) -> Result<Hasher, Error> {
    algorithm.build(&Params { kernel: Some(kernel), ..Params::default() })
}

/// hashwell with the kernel that it chooses by default.
///
/// # Errors
/// Returns an error if the hasher can't be created.
pub fn contender(task: Task) -> Result<Contender<'static>, Error> {
    let algorithm = algorithm(task);
    match task.kind {
        Kind::Digest => Ok(one(algorithm)),
        Kind::Hmac => hmac_one(algorithm),
        Kind::Many => many(algorithm, None),
        Kind::HmacMany => hmac_many(algorithm),
        Kind::Drbg => drbg_request(algorithm),
    }
}

fn drbg(algorithm: &'static Algorithm, kernel: Option<&str>) -> Result<HmacDrbg, Error> {
    HmacDrbg::new(algorithm, DRBG_ENTROPY, DRBG_NONCE, &DrbgParams { kernel, ..DrbgParams::default() })
}

fn drbg_request(algorithm: &'static Algorithm) -> Result<Contender<'static>, Error> {
    let mut drbg = drbg(algorithm, None)?;
    let kernel = drbg.kernel();
    let request = move |_: &[u8], out: &mut [u8]| drbg.generate(out, b"").expect("2^48 requests");
    Ok(Contender::one_by_one(NAME, request).on_kernel(kernel))
}

fn one(algorithm: &'static Algorithm) -> Contender<'static> {
    Contender::one_by_one(NAME, |message, out| {
        algorithm.digest_into(message, out).expect("the digest's length");
    })
    .on_kernel(algorithm.hasher().kernel())
}

/// Contenders that hash one message at a time: one for each kernel that this CPU supports and whose name `admit`
/// accepts. The default kernel is called as users call it, through the one-shot function. The others use a copy of a
/// fresh state.
///
/// # Errors
/// Returns an error if the hasher can't be created.
///
/// # Panics
/// The contenders panic if the output does not have the digests' length.
pub fn on_kernels(
    algorithm: &'static Algorithm,
    admit: fn(&str) -> bool,
) -> Result<Vec<Contender<'static>>, Error> {
    let kernels = algorithm.kernels().into_iter().filter(|k| k.available && admit(k.name));
    let contender = |kernel: KernelInfo| {
        if kernel.chosen {
            return Ok(one(algorithm));
        }
        let fresh = on_kernel(algorithm, kernel.name)?;
        let digest = move |message: &[u8], out: &mut [u8]| {
            let mut hasher = fresh.clone();
            hasher.update(message);
            hasher.digest_into(out).expect("the digest's length");
        };
        Ok(Contender::one_by_one(NAME, digest).on_kernel(kernel.name))
    };
    kernels.map(contender).collect()
}

/// Contenders that hash many messages at a time: one for each batch kernel that this CPU supports.
///
/// # Errors
/// Returns an error if the hasher can't be created.
pub fn on_batch_kernels(algorithm: &'static Algorithm) -> Result<Vec<Contender<'static>>, Error> {
    let kernels = algorithm.batch_kernels().into_iter().filter(|k| k.available);
    kernels.map(|kernel| many(algorithm, Some(kernel.name))).collect()
}

/// A contender that hashes one message at a time on all cores, if the algorithm supports this.
///
/// # Panics
/// The contender panics if the output does not have the digests' length.
#[must_use]
pub fn on_all_cores(algorithm: &'static Algorithm, threads: usize) -> Option<Contender<'static>> {
    let digest = |message: &[u8], out: &mut [u8]| {
        let mut hasher = algorithm.hasher();
        hasher.update_parallel(message);
        hasher.digest_into(out).expect("the digest's length");
    };
    let contender = || Contender::one_by_one(NAME, digest).on_kernel(algorithm.hasher().kernel());
    algorithm.is_parallel().then(|| contender().variant("threaded").on_threads(threads))
}

/// A contender that hashes one message at a time on the threads of a pool, if the algorithm supports this.
///
/// # Panics
/// The contender panics if the output does not have the digests' length.
#[must_use]
pub fn on_pool(algorithm: &'static Algorithm, pool: Arc<ThreadPool>) -> Option<Contender<'static>> {
    let threads = pool.current_num_threads();
    let digest = move |message: &[u8], out: &mut [u8]| {
        pool.install(|| {
            let mut hasher = algorithm.hasher();
            hasher.update_parallel(message);
            hasher.digest_into(out).expect("the digest's length");
        });
    };
    let kernel = algorithm.hasher().kernel();
    algorithm.is_parallel().then(|| Contender::one_by_one(NAME, digest).on_kernel(kernel).on_threads(threads))
}

/// A contender that hashes many messages at a time on the threads of a pool.
///
/// # Errors
/// Returns an error if the hasher can't be created.
///
/// # Panics
/// The contender panics if the output does not have the digests' length.
pub fn many_on_pool(
    algorithm: &'static Algorithm,
    pool: Arc<ThreadPool>,
) -> Result<Contender<'static>, Error> {
    let many = algorithm.many(&Params::default())?;
    let (kernel, threads) = (many.kernel(), pool.current_num_threads());
    let digests = move |messages: &[&[u8]], out: &mut [u8]| {
        pool.install(|| many.digest_into_parallel(messages, out)).expect("room for all digests");
    };
    Ok(Contender::here(NAME, digests).on_kernel(kernel).on_threads(threads))
}

/// A contender that hashes many messages at a time on all cores.
///
/// # Errors
/// Returns an error if the hasher can't be created.
///
/// # Panics
/// The contender panics if the output does not have the digests' length.
pub fn many_on_all_cores(algorithm: &'static Algorithm, threads: usize) -> Result<Contender<'static>, Error> {
    let many = algorithm.many(&Params::default())?;
    let kernel = many.kernel();
    let digests = move |messages: &[&[u8]], out: &mut [u8]| {
        many.digest_into_parallel(messages, out).expect("room for all digests");
    };
    Ok(Contender::here(NAME, digests).on_kernel(kernel).variant("threaded").on_threads(threads))
}

/// The output stream of the algorithm, if it has one, on the kernel with this name or on the default kernel.
///
/// # Errors
/// Returns an error if the hasher can't be created.
pub fn stream(algorithm: &'static Algorithm, kernel: Option<&str>) -> Result<Box<dyn Stream>, Error> {
    let fresh = algorithm.build(&Params { kernel, ..Params::default() })?;
    let reader = fresh.clone().into_reader()?;
    Ok(Box::new(OurStream { hasher: fresh.clone(), fresh, reader, absorbing: true }))
}

struct OurStream {
    fresh: Hasher,
    hasher: Hasher,
    reader: Reader,
    /// True if the hasher has absorbed a message that the reader does not have yet.
    absorbing: bool,
}

impl Stream for OurStream {
    fn absorb(&mut self, message: &[u8]) {
        self.hasher = self.fresh.clone();
        self.hasher.update(message);
        self.absorbing = true;
    }

    fn read(&mut self, out: &mut [u8]) {
        if std::mem::take(&mut self.absorbing) {
            self.reader = self.hasher.clone().into_reader().expect("it was one before");
        }
        self.reader.read(out);
    }
}

fn hmac_one(algorithm: &'static Algorithm) -> Result<Contender<'static>, Error> {
    let mac = Hmac::new(algorithm, HMAC_KEY)?;
    let kernel = mac.kernel();
    let tag = move |message: &[u8], out: &mut [u8]| mac.tag_of(message, out);
    Ok(Contender::one_by_one(NAME, tag).on_kernel(kernel))
}

fn many(algorithm: &'static Algorithm, kernel: Option<&str>) -> Result<Contender<'static>, Error> {
    let many = algorithm.many(&Params { kernel, ..Params::default() })?;
    let kernel = many.kernel();
    let digests = move |messages: &[&[u8]], out: &mut [u8]| {
        many.digest_into(messages, out).expect("room for all digests");
    };
    Ok(Contender::here(NAME, digests).on_kernel(kernel))
}

fn hmac_many(algorithm: &'static Algorithm) -> Result<Contender<'static>, Error> {
    let kernel = algorithm.many(&Params::default())?.kernel();
    let tags = move |messages: &[&[u8]], out: &mut [u8]| {
        out.copy_from_slice(&hashwell::hmac_many(algorithm, &[HMAC_KEY], messages).expect("HMAC"));
    };
    Ok(Contender::here(NAME, tags).on_kernel(kernel))
}
