//! The HMAC-DRBG mechanism: SP 800-90A Rev. 1 section 10.1.2, and the functions of section 9 that call it. A comment
//! that starts with a number names the step of the standard that the next line implements.

use super::limits::{MAX_INPUT, MAX_REQUEST, MAX_RESEED_INTERVAL};
use super::{DrbgParams, EntropySource, Request};
use crate::internal::error::Error;
use crate::internal::keyed::{KeyedHmac, MAX_DIGEST};
use zeroize::{Zeroize, Zeroizing};

/// HMAC-DRBG over any implementation of HMAC. [`HmacDrbg`](crate::HmacDrbg) uses HMAC over an algorithm of the
/// registry.
///
/// The generator is plain data without heap memory and contains no pointers except to statics, so you can move and
/// clone it byte by byte. A clone repeats the output of the original. The state is overwritten on drop.
///
/// The output depends on the lengths of the requests: two requests of 32 bytes return different bytes than one request
/// of 64 bytes. The output of [`DrbgStream`](crate::DrbgStream) does not depend on how you read it.
///
/// A call that fails changes neither the state nor the output buffer, with two exceptions:
/// [`Drbg::fill_from`] can fail after some of its requests, and a failed self-test wipes the
/// generator.
#[derive(Clone)]
pub struct Drbg<M: KeyedHmac> {
    pub(super) hmac: M,
    pub(super) k: [u8; MAX_DIGEST],
    pub(super) v: [u8; MAX_DIGEST],
    /// The reseed_counter of the standard: 1 before the first request. 0 marks a generator that was
    /// wiped.
    pub(super) counter: u64,
    pub(super) interval: u64,
    /// The security strength in bits.
    pub(super) strength: u16,
    pub(super) prediction_resistance: bool,
    /// True if seeds of any length are accepted.
    pub(super) unchecked: bool,
}

/// The security strengths of SP 800-90A, in bits.
pub(super) const STRENGTHS: [u16; 4] = [112, 128, 192, 256];

/// Returns the security strength of HMAC in a DRBG for a tag length in bytes (SP 800-57 part 1,
/// table 3).
pub(super) fn strength_of(output_len: usize) -> u16 {
    match output_len {
        0..28 => 128,
        28..32 => 192,
        _ => 256,
    }
}

const SHORTEST_TAG: usize = 20;

impl<M: KeyedHmac> Drbg<M> {
    /// Makes a generator like [`HmacDrbg::new`](crate::HmacDrbg::new), over your own implementation of HMAC. Its tags
    /// must have 20 to 64 bytes. No known-answer test is run.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] in the same cases as [`HmacDrbg::new`](crate::HmacDrbg::new), and if the tag
    /// length is not 20 to 64 bytes.
    pub fn with_hmac(hmac: M, entropy: &[u8], nonce: &[u8], params: &DrbgParams<'_>) -> Result<Self, Error> {
        Self::seeded(Self::empty(hmac, params)?, entropy, nonce, params)
    }

    /// Makes a generator like [`HmacDrbg::from_seed_unchecked`](crate::HmacDrbg::from_seed_unchecked), over your own
    /// implementation of HMAC.
    ///
    /// # Errors
    /// Returns the same errors as [`Drbg::with_hmac`], except that short inputs are accepted.
    pub fn with_hmac_unchecked(
        hmac: M,
        entropy: &[u8],
        nonce: &[u8],
        params: &DrbgParams<'_>,
    ) -> Result<Self, Error> {
        let mut empty = Self::empty(hmac, params)?;
        empty.unchecked = true;
        Self::seeded(empty, entropy, nonce, params)
    }

    /// Returns a generator that is not instantiated yet.
    pub(super) fn empty(hmac: M, params: &DrbgParams<'_>) -> Result<Self, Error> {
        let name = hmac.name();
        let refuse = |what, unit, min, max, got| Err(out_of_range(name, what, unit, min, max, got));
        let len = hmac.output_len();
        if !(SHORTEST_TAG..=MAX_DIGEST).contains(&len) {
            return refuse("HMAC tag", "bytes", SHORTEST_TAG as u64, MAX_DIGEST as u64, len as u64);
        }
        // 9.1 step 1: the strength is at most that of the hash.
        let most = strength_of(len);
        let asked = params.strength.unwrap_or(most.into());
        if !(1..=u32::from(most)).contains(&asked) {
            return refuse("HMAC-DRBG security strength", "bits", 1, most.into(), asked.into());
        }
        // 9.1 step 2 never fails, since prediction resistance is supported.
        // 9.1 step 4: the lowest strength that is sufficient.
        let strength = STRENGTHS.into_iter().find(|&s| u32::from(s) >= asked).unwrap_or(most);
        let interval = params.reseed_interval.unwrap_or(MAX_RESEED_INTERVAL);
        if !(1..=MAX_RESEED_INTERVAL).contains(&interval) {
            return refuse("HMAC-DRBG reseed interval", "requests", 1, MAX_RESEED_INTERVAL, interval);
        }
        // 9.1 step 3.
        check_len(name, "HMAC-DRBG personalization string", 0, params.personalization)?;
        Ok(Self {
            hmac,
            k: [0; MAX_DIGEST],
            v: [0; MAX_DIGEST],
            counter: 0,
            interval,
            strength,
            prediction_resistance: params.prediction_resistance,
            unchecked: false,
        })
    }

    /// Checks the lengths of the seed, then instantiates the generator.
    fn seeded(mut self, entropy: &[u8], nonce: &[u8], params: &DrbgParams<'_>) -> Result<Self, Error> {
        let name = self.hmac.name();
        // 9.1 steps 6 to 8: the caller provides entropy input and nonce, and this code checks their
        // lengths.
        check_len(name, "HMAC-DRBG entropy input", self.min_entropy(), entropy)?;
        check_len(name, "HMAC-DRBG nonce", self.min_nonce(), nonce)?;
        // 9.1 steps 9 to 11: the handle is the value itself.
        self.instantiate(entropy, nonce, params.personalization);
        Ok(self)
    }

    /// HMAC_DRBG_Instantiate_algorithm, section 10.1.2.3.
    pub(super) fn instantiate(&mut self, entropy: &[u8], nonce: &[u8], personalization: &[u8]) {
        let len = self.hmac.output_len();
        // 10.1.2.3 step 2.
        self.k[..len].fill(0);
        self.hmac.set_key(&self.k[..len]);
        // 10.1.2.3 step 3.
        self.v[..len].fill(1);
        // 10.1.2.3 steps 1 and 4: the pieces of the seed material are hashed one after the other.
        self.update([entropy, nonce, personalization]);
        // 10.1.2.3 step 5.
        self.counter = 1;
    }

    /// HMAC_DRBG_Update, section 10.1.2.2, with the provided data in pieces. Empty data is the Null
    /// of the standard.
    fn update(&mut self, data: [&[u8]; 3]) {
        if data.iter().all(|piece| piece.is_empty()) {
            // 10.1.2.2 steps 1 to 3, which a kernel may compute in registers.
            self.hmac.rekey(&mut self.k, &mut self.v);
            return;
        }
        let len = self.hmac.output_len();
        for round in [0, 1] {
            // 10.1.2.2 step 1, and step 4 with the byte 01.
            let key = &mut self.k[..len];
            self.hmac.tag(&[&self.v[..len], &[round], data[0], data[1], data[2]], key);
            self.hmac.set_key(key);
            // 10.1.2.2 step 2, and step 5.
            let before = Zeroizing::new(self.v);
            self.hmac.tag(&[&before[..len]], &mut self.v[..len]);
        }
    }

    /// Mixes fresh entropy into the state.
    ///
    /// `entropy` must have at least as many bits as the security strength. The bits of `additional` do not count. A
    /// generator made by [`HmacDrbg::from_seed_unchecked`](crate::HmacDrbg::from_seed_unchecked) accepts any length.
    ///
    /// # Errors
    /// - [`Error::OutOfRange`] if an input is too short or too long.
    /// - [`Error::NotInstantiated`] after [`Drbg::uninstantiate`].
    /// - [`Error::SelfTestFailed`] if the known-answer test has failed.
    pub fn reseed(&mut self, entropy: &[u8], additional: &[u8]) -> Result<(), Error> {
        // 9.2 step 1.
        self.check_ready()?;
        let name = self.hmac.name();
        // 9.2 steps 4 and 5: the caller provides the entropy input.
        check_len(name, "HMAC-DRBG entropy input", self.min_entropy(), entropy)?;
        // 9.2 step 3.
        check_len(name, "HMAC-DRBG additional input", 0, additional)?;
        self.mix_in(entropy, [additional, &[]]);
        Ok(())
    }

    /// Mixes entropy from `source` into the state. The method reads as many bits as the security strength.
    ///
    /// # Errors
    /// Returns the same errors as [`Drbg::reseed`], and the errors of the source.
    pub fn reseed_from(&mut self, source: &mut dyn EntropySource, additional: &[u8]) -> Result<(), Error> {
        // 9.2 steps 1 and 3.
        self.check_ready()?;
        check_len(self.hmac.name(), "HMAC-DRBG additional input", 0, additional)?;
        self.draw(source, [additional, &[]])
    }

    /// Reseed_function from step 4 on, with entropy from the source.
    fn draw(&mut self, source: &mut dyn EntropySource, additional: [&[u8]; 2]) -> Result<(), Error> {
        let mut entropy = Zeroizing::new([0; 32]);
        let entropy = &mut entropy[..usize::from(self.strength / 8)];
        // 9.2 steps 4 and 5.
        source.fill(entropy)?;
        self.mix_in(entropy, additional);
        Ok(())
    }

    /// HMAC_DRBG_Reseed_algorithm, section 10.1.2.4; 9.2 steps 6 and 7.
    fn mix_in(&mut self, entropy: &[u8], [first, second]: [&[u8]; 2]) {
        // 10.1.2.4 steps 1 and 2.
        self.update([entropy, first, second]);
        // 10.1.2.4 step 3.
        self.counter = 1;
    }

    /// Fills `out` with one request of at most 65,536 bytes.
    ///
    /// If `additional` is empty, the request has no additional input. The [module](crate::drbg) documentation explains
    /// the purpose of additional input. A request of zero bytes counts as a request and changes the state.
    ///
    /// # Errors
    /// - [`Error::OutOfRange`] if the request or the additional input is too long.
    /// - [`Error::ReseedRequired`] if the generator has served as many requests as the reseed interval allows.
    /// - [`Error::NotInstantiated`] after [`Drbg::uninstantiate`].
    /// - [`Error::SelfTestFailed`] if the known-answer test has failed.
    pub fn generate(&mut self, out: &mut [u8], additional: &[u8]) -> Result<(), Error> {
        self.generate_pieces(out, &[], additional)
    }

    /// Fills `out` like [`Drbg::generate`]. The additional input is `own`, a few bytes from this crate, followed by
    /// `additional`, the bytes of the caller.
    pub(crate) fn generate_pieces(
        &mut self,
        out: &mut [u8],
        own: &[u8],
        additional: &[u8],
    ) -> Result<(), Error> {
        self.check_request(out.len(), &Request { additional, ..Request::default() })?;
        // 10.1.2.5 step 1; without a source of entropy, the caller does 9.3.1 step 9.
        self.check_requests_left(1)?;
        self.serve(out, [own, additional]);
        Ok(())
    }

    /// Fills `out` like [`Drbg::generate`], but reseeds from `source` before the request if necessary. This is the case
    /// if the reseed interval is over, or if the request requires prediction resistance.
    ///
    /// # Errors
    /// - The same errors as [`Drbg::generate`], except [`Error::ReseedRequired`].
    /// - [`Error::OutOfRange`] if the request requires a higher strength than the generator has.
    /// - [`Error::NoPredictionResistance`] if the request requires prediction resistance and the
    ///   generator was made without it.
    /// - The errors of the source.
    pub fn generate_from(
        &mut self,
        source: &mut dyn EntropySource,
        out: &mut [u8],
        request: &Request<'_>,
    ) -> Result<(), Error> {
        self.check_request(out.len(), request)?;
        self.serve_from(source, out, request.prediction_resistance, [request.additional, &[]])
    }

    /// Section 9.3.1 from step 7 on. Additional input that was used for reseeding is not used
    /// again.
    pub(crate) fn serve_from(
        &mut self,
        source: &mut dyn EntropySource,
        out: &mut [u8],
        prediction_resistance: bool,
        mut additional: [&[u8]; 2],
    ) -> Result<(), Error> {
        // 9.3.1 step 7. In the standard, steps 6 and 9 set the flag for this step from the result of 10.1.2.5 step 1.
        // Here, that condition is checked directly.
        if prediction_resistance || self.requests_left() == 0 {
            // 9.3.1 steps 7.1 to 7.3.
            self.draw(source, additional)?;
            // 9.3.1 step 7.4.
            additional = [&[], &[]];
        }
        // 9.3.1 steps 8 and 10.
        self.serve(out, additional);
        Ok(())
    }

    /// HMAC_DRBG_Generate_algorithm, section 10.1.2.5, from step 2 on.
    fn serve(&mut self, out: &mut [u8], [first, second]: [&[u8]; 2]) {
        // 10.1.2.5 step 2.
        if !(first.is_empty() && second.is_empty()) {
            self.update([first, second, &[]]);
        }
        // 10.1.2.5 steps 3 to 5: `out` is the standard's temp, and receives only the leftmost bytes of the last block.
        self.hmac.chain(&mut self.v, out);
        // 10.1.2.5 step 6.
        self.update([first, second, &[]]);
        // 10.1.2.5 step 7.
        self.counter += 1;
    }

    /// Fills `out`, which can have any length, with requests of 65,536 bytes and a last request for
    /// the rest. Each request uses the additional input. An empty `out` makes no request.
    ///
    /// The bytes depend on how you divide the output into calls. The bytes of a [`DrbgStream`](crate::DrbgStream) do
    /// not.
    ///
    /// # Errors
    /// Returns the same errors as [`Drbg::generate`]. [`Error::ReseedRequired`] is returned before the first request if
    /// the generator cannot serve all requests.
    pub fn fill(&mut self, out: &mut [u8], additional: &[u8]) -> Result<(), Error> {
        self.check_request(0, &Request { additional, ..Request::default() })?;
        self.check_requests_left(out.len().div_ceil(MAX_REQUEST) as u64)?;
        for out in out.chunks_mut(MAX_REQUEST) {
            self.serve(out, [additional, &[]]);
        }
        Ok(())
    }

    /// Fills `out` like [`Drbg::fill`], but serves each request like [`Drbg::generate_from`]. The required strength and
    /// prediction resistance apply to each request.
    ///
    /// # Errors
    /// Returns the same errors as [`Drbg::generate_from`]. If the source fails after some requests were served, their
    /// output is overwritten with zeros. The state is not restored.
    pub fn fill_from(
        &mut self,
        source: &mut dyn EntropySource,
        out: &mut [u8],
        request: &Request<'_>,
    ) -> Result<(), Error> {
        let mut done = 0;
        while done < out.len() {
            let len = (out.len() - done).min(MAX_REQUEST);
            if let Err(error) = self.generate_from(source, &mut out[done..done + len], request) {
                out[..done].zeroize();
                return Err(error);
            }
            done += len;
        }
        Ok(())
    }

    /// Wipes the generator. All later requests fail.
    pub fn uninstantiate(&mut self) {
        // 9.4 step 2: the whole internal state.
        self.hmac.wipe();
        self.k.zeroize();
        self.v.zeroize();
        self.counter = 0;
        self.interval = 0;
        self.strength = 0;
        self.prediction_resistance = false;
        self.unchecked = false;
    }

    /// Returns the underlying HMAC.
    #[must_use]
    pub fn hmac(&self) -> &M {
        &self.hmac
    }

    /// Returns true if the generator can produce output, and false after [`Drbg::uninstantiate`].
    #[must_use]
    pub fn is_instantiated(&self) -> bool {
        self.counter > 0
    }

    /// Returns the security strength in bits, or 0 after [`Drbg::uninstantiate`].
    #[must_use]
    pub fn strength(&self) -> u32 {
        self.strength.into()
    }

    /// Returns the number of requests left before the generator must be reseeded.
    #[must_use]
    pub fn requests_left(&self) -> u64 {
        if self.is_instantiated() { (self.interval + 1).saturating_sub(self.counter) } else { 0 }
    }

    /// Returns the maximum number of requests between two reseeds.
    #[must_use]
    pub fn reseed_interval(&self) -> u64 {
        self.interval
    }

    /// Returns true if requests can require prediction resistance.
    #[must_use]
    pub fn prediction_resistance(&self) -> bool {
        self.prediction_resistance
    }

    /// Returns the minimum length of the entropy input in bytes.
    pub(super) fn min_entropy(&self) -> usize {
        if self.unchecked { 0 } else { usize::from(self.strength / 8) }
    }

    /// Returns the minimum length of the nonce in bytes.
    pub(super) fn min_nonce(&self) -> usize {
        self.min_entropy() / 2
    }

    /// Checks that the generator is instantiated and that its hash has passed the known-answer
    /// test.
    pub(crate) fn check_ready(&mut self) -> Result<(), Error> {
        if let Err(error) = self.hmac.check() {
            self.uninstantiate();
            return Err(error);
        }
        if self.is_instantiated() {
            return Ok(());
        }
        Err(Error::NotInstantiated { algorithm: self.hmac.name() })
    }

    /// Section 9.3.1, steps 1 to 5.
    pub(crate) fn check_request(&mut self, len: usize, request: &Request<'_>) -> Result<(), Error> {
        // 9.3.1 step 1.
        self.check_ready()?;
        let name = self.hmac.name();
        // 9.3.1 step 2.
        if len > MAX_REQUEST {
            let max = MAX_REQUEST as u64;
            return Err(out_of_range(name, "HMAC-DRBG request", "bytes", 0, max, len as u64));
        }
        // 9.3.1 step 3.
        if let Some(asked) = request.strength.filter(|&asked| asked > self.strength()) {
            let (what, max) = ("strength of an HMAC-DRBG request", self.strength.into());
            return Err(out_of_range(name, what, "bits", 0, max, asked.into()));
        }
        // 9.3.1 step 4.
        check_len(name, "HMAC-DRBG additional input", 0, request.additional)?;
        // 9.3.1 step 5.
        if request.prediction_resistance && !self.prediction_resistance {
            return Err(Error::NoPredictionResistance { algorithm: name });
        }
        Ok(())
    }

    fn check_requests_left(&self, requests: u64) -> Result<(), Error> {
        if requests > self.requests_left() {
            return Err(Error::ReseedRequired { algorithm: self.hmac.name(), interval: self.interval });
        }
        Ok(())
    }
}

fn out_of_range(
    algorithm: &'static str,
    what: &'static str,
    unit: &'static str,
    min: u64,
    max: u64,
    got: u64,
) -> Error {
    Error::OutOfRange { algorithm, what, unit, min, max, got }
}

fn check_len(algorithm: &'static str, what: &'static str, min: usize, input: &[u8]) -> Result<(), Error> {
    let got = input.len() as u64;
    if got < min as u64 || got > MAX_INPUT {
        return Err(out_of_range(algorithm, what, "bytes", min as u64, MAX_INPUT, got));
    }
    Ok(())
}

impl<M: KeyedHmac> Drop for Drbg<M> {
    fn drop(&mut self) {
        self.uninstantiate();
    }
}

impl<M: KeyedHmac> core::fmt::Debug for Drbg<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "HmacDrbg({})", self.hmac.name())
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    /// This test allocates 2^35 bits of memory without touching them. `tests/drbg.rs` tests that longer inputs are
    /// rejected.
    #[test]
    fn an_input_of_2_to_the_35_bits_is_taken() {
        let longest = alloc::vec![0_u8; usize::try_from(MAX_INPUT).unwrap()];
        assert_eq!(check_len("sha256", "additional input", 0, &longest), Ok(()));
        assert_eq!(check_len("sha256", "entropy", 32, &longest[..32]), Ok(()));
        assert!(check_len("sha256", "entropy", 32, &longest[..31]).is_err());
    }
}
