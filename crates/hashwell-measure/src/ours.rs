//! hashwell as a contender.

use crate::peers::{Contender, HMAC_KEY, Task};
use hashwell::{Algorithm, Error, Hmac, Params};

/// The registry's row of a task.
///
/// # Panics
/// If there is none: tasks are written down in this crate.
#[must_use]
pub fn algorithm(task: Task) -> &'static Algorithm {
    hashwell::find(task.algorithm).expect("a task names a row")
}

/// The digests that every contender must give: the portable kernel's, one message at a time.
///
/// # Errors
/// Of the library.
///
/// # Panics
/// As [`algorithm`].
pub fn expected(task: Task, messages: &[&[u8]]) -> Result<Vec<u8>, Error> {
    let algorithm = algorithm(task);
    let portable = algorithm.kernels().last().expect("a table has rows").name;
    let digest = |message: &&[u8]| {
        if task.hmac {
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

fn on_kernel(algorithm: &'static Algorithm, kernel: &str) -> Result<hashwell::Hasher, Error> {
    algorithm.build(&Params { kernel: Some(kernel), ..Params::default() })
}

/// hashwell as a user gets it: the kernel it chooses.
///
/// # Errors
/// Of the library.
pub fn contender(task: Task) -> Result<Contender<'static>, Error> {
    match (task.hmac, task.many) {
        (false, false) => Ok(one(algorithm(task))),
        (true, false) => hmac_one(algorithm(task)),
        (false, true) => many(algorithm(task)),
        (true, true) => hmac_many(algorithm(task)),
    }
}

fn name(algorithm: &'static Algorithm) -> String {
    format!("hashwell {}", algorithm.name)
}

fn one(algorithm: &'static Algorithm) -> Contender<'static> {
    Contender::one_by_one(name(algorithm), |message, out| {
        algorithm.digest_into(message, out).expect("the digest's length");
    })
    .on_kernel(algorithm.hasher().kernel())
}

/// One message at a time on each kernel this CPU has whose name `admit` accepts.
///
/// # Errors
/// Of the library.
///
/// # Panics
/// As [`algorithm`]; the contenders, if the output has not the digests' length.
pub fn on_kernels(task: Task, admit: fn(&str) -> bool) -> Result<Vec<Contender<'static>>, Error> {
    let algorithm = algorithm(task);
    let kernels = algorithm.kernels().into_iter().filter(|k| k.available && admit(k.name));
    let contender = |kernel: hashwell::KernelInfo| {
        let fresh = on_kernel(algorithm, kernel.name)?;
        let digest = move |message: &[u8], out: &mut [u8]| {
            let mut hasher = fresh.clone();
            hasher.update(message);
            hasher.digest_into(out).expect("the digest's length");
        };
        Ok(Contender::one_by_one(name(algorithm), digest).on_kernel(kernel.name))
    };
    kernels.map(contender).collect()
}

fn hmac_one(algorithm: &'static Algorithm) -> Result<Contender<'static>, Error> {
    let mac = Hmac::new(algorithm, HMAC_KEY)?;
    let kernel = mac.kernel();
    let tag = move |message: &[u8], out: &mut [u8]| mac.tag_of(message, out);
    Ok(Contender::one_by_one(name(algorithm), tag).on_kernel(kernel))
}

fn many(algorithm: &'static Algorithm) -> Result<Contender<'static>, Error> {
    let many = algorithm.many(&Params::default())?;
    let kernel = many.kernel();
    let digests = move |messages: &[&[u8]], out: &mut [u8]| {
        many.digest_into(messages, out).expect("room for all digests");
    };
    Ok(Contender::here(name(algorithm), digests).on_kernel(kernel))
}

fn hmac_many(algorithm: &'static Algorithm) -> Result<Contender<'static>, Error> {
    let kernel = algorithm.many(&Params::default())?.kernel();
    let tags = move |messages: &[&[u8]], out: &mut [u8]| {
        out.copy_from_slice(&hashwell::hmac_many(algorithm, &[HMAC_KEY], messages).expect("HMAC"));
    };
    Ok(Contender::here(name(algorithm), tags).on_kernel(kernel))
}
