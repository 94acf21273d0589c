//! The mechanism: SP 800-90A Rev. 1 section 10.1.2 under the envelope of section 9. Comments that begin with a number
//! name the step of the standard that the line after them does.

use super::limits::{MAX_INPUT, MAX_REQUEST, MAX_RESEED_INTERVAL};
use super::{DrbgParams, EntropySource, Request};
use crate::internal::error::Error;
use crate::internal::keyed::{KeyedHmac, MAX_DIGEST};
use zeroize::{Zeroize, Zeroizing};

/// HMAC-DRBG over any HMAC: over a registry row it is [`HmacDrbg`](crate::HmacDrbg).
///
/// Plain data without heap and without pointers but to statics, so that it may be moved and cloned byte by
/// byte; a clone repeats its original's output. Overwritten on drop.
///
/// Output depends on how it is cut into requests: two requests of 32 bytes are not one of 64.
/// [`DrbgStream`](crate::DrbgStream) is the generator for which it does not.
///
/// A call that fails changes neither the state nor the output buffer.
#[derive(Clone)]
pub struct Drbg<M: KeyedHmac> {
    pub(super) hmac: M,
    pub(super) k: [u8; MAX_DIGEST],
    pub(super) v: [u8; MAX_DIGEST],
    /// The standard's reseed_counter: 1 for the first request; 0 is a generator that was wiped.
    pub(super) counter: u64,
    pub(super) interval: u64,
    /// In bits.
    pub(super) strength: u16,
    pub(super) prediction_resistance: bool,
    /// Whether seeds of any length are accepted.
    pub(super) unchecked: bool,
}

/// The strengths that SP 800-90A knows, in bits.
pub(super) const STRENGTHS: [u16; 4] = [112, 128, 192, 256];

/// SP 800-57 part 1, table 3: the strength of HMAC in a DRBG, by the length of its tags in bytes.
pub(super) fn strength_of(output_len: usize) -> u16 {
    match output_len {
        0..28 => 128,
        28..32 => 192,
        _ => 256,
    }
}

const SHORTEST_TAG: usize = 20;

impl<M: KeyedHmac> Drbg<M> {
    /// As [`HmacDrbg::new`](crate::HmacDrbg::new), over an HMAC of the caller's own with tags of 20 to 64 bytes. No known-answer
    /// test is run.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] as [`HmacDrbg::new`](crate::HmacDrbg::new), and for a tag of another length.
    pub fn with_hmac(hmac: M, entropy: &[u8], nonce: &[u8], params: &DrbgParams<'_>) -> Result<Self, Error> {
        Self::seeded(Self::empty(hmac, params)?, entropy, nonce, params)
    }

    /// As [`HmacDrbg::from_seed_unchecked`](crate::HmacDrbg::from_seed_unchecked), over an HMAC of the caller's own.
    ///
    /// # Errors
    /// As [`Drbg::with_hmac`], but for inputs that are short.
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

    /// A generator that is not instantiated yet.
    pub(super) fn empty(hmac: M, params: &DrbgParams<'_>) -> Result<Self, Error> {
        let name = hmac.name();
        let refuse = |what, unit, min, max, got| Err(out_of_range(name, what, unit, min, max, got));
        let len = hmac.output_len();
        if !(SHORTEST_TAG..=MAX_DIGEST).contains(&len) {
            return refuse("HMAC tag", "bytes", SHORTEST_TAG as u64, MAX_DIGEST as u64, len as u64);
        }
        // 9.1 step 1: no more strength than the hash has.
        let most = strength_of(len);
        let asked = params.strength.unwrap_or(most.into());
        if !(1..=u32::from(most)).contains(&asked) {
            return refuse("HMAC-DRBG security strength", "bits", 1, most.into(), asked.into());
        }
        // 9.1 step 2 has nothing to refuse: prediction resistance is supported.
        // 9.1 step 4: the lowest strength that is enough.
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

    /// Instantiates after checking the seed's lengths.
    fn seeded(mut self, entropy: &[u8], nonce: &[u8], params: &DrbgParams<'_>) -> Result<Self, Error> {
        let name = self.hmac.name();
        // 9.1 steps 6 to 8: the caller has got entropy input and nonce; here is whether they are enough.
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

    /// HMAC_DRBG_Update, section 10.1.2.2, with the provided data in pieces. No bytes are the standard's Null.
    fn update(&mut self, data: [&[u8]; 3]) {
        if data.iter().all(|piece| piece.is_empty()) {
            // 10.1.2.2 steps 1 to 3, which a kernel may do in registers.
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

    /// Mixes fresh entropy in: at least as many bits as the security strength, from the source alone. A
    /// generator made by [`HmacDrbg::from_seed_unchecked`](crate::HmacDrbg::from_seed_unchecked) accepts any length.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for an input too short or long; [`Error::NotInstantiated`];
    /// [`Error::SelfTestFailed`].
    pub fn reseed(&mut self, entropy: &[u8], additional: &[u8]) -> Result<(), Error> {
        // 9.2 step 1.
        self.check_ready()?;
        let name = self.hmac.name();
        // 9.2 steps 4 and 5: the caller has got the entropy input.
        check_len(name, "HMAC-DRBG entropy input", self.min_entropy(), entropy)?;
        // 9.2 step 3.
        check_len(name, "HMAC-DRBG additional input", 0, additional)?;
        self.mix_in(entropy, [additional, &[]]);
        Ok(())
    }

    /// As [`Drbg::reseed`], with entropy from the source, as much as the security strength.
    ///
    /// # Errors
    /// As [`Drbg::reseed`], and what the source fails with.
    pub fn reseed_from(&mut self, source: &mut dyn EntropySource, additional: &[u8]) -> Result<(), Error> {
        // 9.2 steps 1 and 3.
        self.check_ready()?;
        check_len(self.hmac.name(), "HMAC-DRBG additional input", 0, additional)?;
        self.draw(source, [additional, &[]])
    }

    /// The Reseed_function from step 4 on, with entropy from the source.
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

    /// Fills `out` with one request, at most 65,536 bytes. Empty additional input is none (see the module's
    /// head on what it is good for). A request of zero bytes is one like any other: it counts and changes the
    /// state.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a request or an input too long; [`Error::ReseedRequired`] after as many
    /// requests as the reseed interval; [`Error::NotInstantiated`] after [`Drbg::uninstantiate`];
    /// [`Error::SelfTestFailed`].
    pub fn generate(&mut self, out: &mut [u8], additional: &[u8]) -> Result<(), Error> {
        self.generate_pieces(out, &[], additional)
    }

    /// The additional input is a few bytes of our own, then the caller's.
    pub(crate) fn generate_pieces(
        &mut self,
        out: &mut [u8],
        own: &[u8],
        additional: &[u8],
    ) -> Result<(), Error> {
        self.check_request(out.len(), &Request { additional, ..Request::default() })?;
        // 10.1.2.5 step 1; without a source of entropy, 9.3.1 step 9 is the caller's.
        self.check_requests_left(1)?;
        self.serve(out, [own, additional]);
        Ok(())
    }

    /// As [`Drbg::generate`], with a source of entropy at hand: reseeds from it where that is due, or before
    /// the request if it asks for prediction resistance.
    ///
    /// # Errors
    /// As [`Drbg::generate`], but for [`Error::ReseedRequired`]; [`Error::OutOfRange`] for a strength that the
    /// generator does not have; [`Error::NoPredictionResistance`]; what the source fails with.
    pub fn generate_from(
        &mut self,
        source: &mut dyn EntropySource,
        out: &mut [u8],
        request: &Request<'_>,
    ) -> Result<(), Error> {
        self.check_request(out.len(), request)?;
        self.serve_from(source, out, request.prediction_resistance, [request.additional, &[]])
    }

    /// Section 9.3.1 from step 7 on: additional input that went into a reseed is not used again.
    pub(crate) fn serve_from(
        &mut self,
        source: &mut dyn EntropySource,
        out: &mut [u8],
        prediction_resistance: bool,
        mut additional: [&[u8]; 2],
    ) -> Result<(), Error> {
        // 9.3.1 step 7, for whose flag steps 6 and 9 there is 10.1.2.5 step 1, asked here.
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
        // 10.1.2.5 steps 3 to 5: `out` is temp, and takes only the leftmost bytes of the last block.
        self.hmac.chain(&mut self.v, out);
        // 10.1.2.5 step 6.
        self.update([first, second, &[]]);
        // 10.1.2.5 step 7.
        self.counter += 1;
    }

    /// Fills `out`, of any length, by requests of 65,536 bytes and a last one of the rest, each with the
    /// additional input. No bytes are no request.
    ///
    /// The bytes depend on where calls begin and end; see [`DrbgStream`](crate::DrbgStream).
    ///
    /// # Errors
    /// As [`Drbg::generate`]; [`Error::ReseedRequired`] if not all requests can be served, before the first.
    pub fn fill(&mut self, out: &mut [u8], additional: &[u8]) -> Result<(), Error> {
        self.check_request(0, &Request { additional, ..Request::default() })?;
        self.check_requests_left(out.len().div_ceil(MAX_REQUEST) as u64)?;
        for out in out.chunks_mut(MAX_REQUEST) {
            self.serve(out, [additional, &[]]);
        }
        Ok(())
    }

    /// As [`Drbg::fill`], by [`Drbg::generate_from`]: the strength and prediction resistance asked for hold
    /// for every request.
    ///
    /// # Errors
    /// As [`Drbg::generate_from`]. If the source fails after requests were served, what they wrote is
    /// overwritten with zeros; the state stays beyond them.
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

    /// Wipes the generator. Whatever is asked of it afterwards fails.
    pub fn uninstantiate(&mut self) {
        // 9.4 step 2: everything of the internal state.
        self.hmac.wipe();
        self.k.zeroize();
        self.v.zeroize();
        self.counter = 0;
        self.interval = 0;
        self.strength = 0;
        self.prediction_resistance = false;
        self.unchecked = false;
    }

    /// The HMAC that it runs on.
    #[must_use]
    pub fn hmac(&self) -> &M {
        &self.hmac
    }

    /// Whether it gives output: not after [`Drbg::uninstantiate`].
    #[must_use]
    pub fn is_instantiated(&self) -> bool {
        self.counter > 0
    }

    /// The security strength in bits; 0 after [`Drbg::uninstantiate`].
    #[must_use]
    pub fn strength(&self) -> u32 {
        self.strength.into()
    }

    /// Requests that are left before it must be reseeded.
    #[must_use]
    pub fn requests_left(&self) -> u64 {
        if self.is_instantiated() { (self.interval + 1).saturating_sub(self.counter) } else { 0 }
    }

    /// Requests that it serves between two reseeds.
    #[must_use]
    pub fn reseed_interval(&self) -> u64 {
        self.interval
    }

    /// Whether requests may ask for prediction resistance.
    #[must_use]
    pub fn prediction_resistance(&self) -> bool {
        self.prediction_resistance
    }

    /// Fewest bytes of entropy input.
    pub(super) fn min_entropy(&self) -> usize {
        if self.unchecked { 0 } else { usize::from(self.strength / 8) }
    }

    /// Fewest bytes of nonce.
    pub(super) fn min_nonce(&self) -> usize {
        self.min_entropy() / 2
    }

    /// Whether it is instantiated, over a hash that has passed its test.
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

    /// That much memory is asked for and not touched; what is longer is refused in `tests/drbg.rs`.
    #[test]
    fn an_input_of_2_to_the_35_bits_is_taken() {
        let longest = alloc::vec![0_u8; usize::try_from(MAX_INPUT).unwrap()];
        assert_eq!(check_len("sha256", "additional input", 0, &longest), Ok(()));
        assert_eq!(check_len("sha256", "entropy", 32, &longest[..32]), Ok(()));
        assert!(check_len("sha256", "entropy", 32, &longest[..31]).is_err());
    }
}
