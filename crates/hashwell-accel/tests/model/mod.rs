//! An independent implementation of the family, written only from the text of FIPS 180-4: a list of words, a message
//! that is padded in full, and functions as printed in the standard.

use hashwell_accel::family::Sha256Family;

/// SplitMix64, for test data.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32
    }
}

/// ROTR^n(x), section 3.2, computed as a sum in 64 bits.
fn rotr(x: u32, n: u32) -> u32 {
    let twice = u64::from(x) << 32 | u64::from(x);
    (twice >> n) as u32
}

/// The digest, computed as in sections 5.1.1, 5.2.1 and 6.2.
pub(crate) fn model_digest(member: &Sha256Family, message: &[u8]) -> [u8; 32] {
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((8 * message.len() as u64).to_be_bytes());
    let mut hash: Vec<u32> = member.initial().to_vec();
    let by = member.rotations();
    let three = |x, n: [u32; 3]| rotr(x, n[0]) ^ rotr(x, n[1]) ^ rotr(x, n[2]);
    let two = |x: u32, n: [u32; 3]| rotr(x, n[0]) ^ rotr(x, n[1]) ^ (x / (1 << n[2]));
    let sum = |terms: &[u32]| terms.iter().fold(0_u32, |sum, term| sum.wrapping_add(*term));
    for block in padded.chunks(64) {
        let mut w: Vec<u32> =
            block.chunks(4).map(|word| u32::from_be_bytes(word.try_into().unwrap())).collect();
        for t in 16..member.rounds() {
            let next = sum(&[two(w[t - 2], by.sigma_1), w[t - 7], two(w[t - 15], by.sigma_0), w[t - 16]]);
            w.push(next);
        }
        let mut v = hash.clone();
        for (word, constant) in w.iter().zip(member.constants()) {
            let [a, b, c, d, e, f, g, h] = v[..] else { unreachable!() };
            let choose = (e & f) ^ (!e & g);
            let majority = (a & b) ^ (a & c) ^ (b & c);
            let t1 = sum(&[h, three(e, by.big_sigma_1), choose, *constant, *word]);
            let t2 = sum(&[three(a, by.big_sigma_0), majority]);
            v = vec![sum(&[t1, t2]), a, b, c, sum(&[d, t1]), e, f, g];
        }
        hash = hash.iter().zip(&v).map(|(h, v)| sum(&[*h, *v])).collect();
    }
    let bytes: Vec<u8> = hash.iter().flat_map(|word| word.to_be_bytes()).collect();
    bytes.try_into().unwrap()
}
