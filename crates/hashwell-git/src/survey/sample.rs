//! A random sample of the objects. Each object is equally likely to be in it, and the seed makes it reproducible.

use crate::id::ObjectId;
use hashwell::Hasher;

/// The ticket of an object is the first 8 bytes of SHA-256("hashwell git sample/1", zero byte, seed, zero byte, id),
/// big-endian. The objects with the lowest tickets are the sample, so it does not depend on their sizes.
pub(crate) struct Tickets {
    seeded: Hasher,
}

impl Tickets {
    pub(crate) fn of_seed(seed: &str) -> Self {
        let mut seeded = hashwell::find("sha256").expect("a row of the registry").hasher();
        for part in ["hashwell git sample/1", seed] {
            seeded.update(part.as_bytes());
            seeded.update(&[0]);
        }
        Self { seeded }
    }

    pub(crate) fn of(&self, id: &ObjectId) -> u64 {
        let mut hasher = self.seeded.clone();
        hasher.update(id.as_bytes());
        u64::from_be_bytes(*hasher.digest().first_chunk().expect("a digest of 32 bytes"))
    }
}

/// The number of objects to hash, out of `objects`, so that about `bytes` of the `total_bytes` are hashed. It is at
/// least one and at most all of them.
pub(crate) fn count(objects: u64, total_bytes: u64, bytes: u64) -> u64 {
    let part = u128::from(objects) * u128::from(bytes) / u128::from(total_bytes.max(1));
    u64::try_from(part).unwrap_or(u64::MAX).clamp(1, objects.max(1))
}

/// The highest of the `count` lowest tickets.
///
/// # Panics
/// Panics if there are fewer than `count` tickets.
pub(crate) fn highest_of_lowest(tickets: &mut [u64], count: u64) -> u64 {
    *tickets.select_nth_unstable(count as usize - 1).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::ObjectHash;

    fn ids(n: u32) -> Vec<ObjectId> {
        let id = |i: u32| {
            let mut bytes = [0; 20];
            bytes[..4].copy_from_slice(&i.to_be_bytes());
            ObjectId::new(ObjectHash::Sha1, &bytes).unwrap()
        };
        (0..n).map(id).collect()
    }

    /// The indices of the sampled ids.
    fn sample(ticket: impl Fn(&ObjectId) -> u64, ids: &[ObjectId], count: u64) -> Vec<usize> {
        let mut tickets: Vec<u64> = ids.iter().map(&ticket).collect();
        let highest = highest_of_lowest(&mut tickets, count);
        (0..ids.len()).filter(|i| ticket(&ids[*i]) <= highest).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_sample() {
        let ids = ids(1000);
        let of = |seed| sample(|id| Tickets::of_seed(seed).of(id), &ids, 100);
        assert_eq!((of("a").len(), of("a") == of("a"), of("a") == of("b")), (100, true, false));
        // The value that an independent implementation would compute.
        let message = [&b"hashwell git sample/1\0a\0"[..], ids[7].as_bytes()].concat();
        let digest = hashwell::find("sha256").unwrap().digest(&message);
        assert_eq!(Tickets::of_seed("a").of(&ids[7]).to_be_bytes(), digest[..8]);
    }

    /// A statistic of the numbers of picks in each of 10 groups of 100 neighboring objects. Each of 400 samples picks
    /// 100 out of 1000 objects. The statistic is approximately chi-square with 9 degrees of freedom.
    fn chi_square(ticket: impl Fn(&Tickets, &ObjectId) -> u64) -> f64 {
        let ids = ids(1000);
        let mut taken = [0_u32; 10];
        for seed in 0..400 {
            let tickets = Tickets::of_seed(&seed.to_string());
            sample(|id| ticket(&tickets, id), &ids, 100).into_iter().for_each(|i| taken[i / 100] += 1);
        }
        // The expected number per group and sample is 10, with the covariances of drawing without replacement.
        let (mean, scale) = (4000.0, 400.0 * 100.0 * 0.1 * 900.0 / 999.0);
        taken.iter().map(|n| (f64::from(*n) - mean).powi(2) / scale).sum()
    }

    #[test]
    fn every_object_is_as_likely_as_any_other() {
        // With 9 degrees of freedom, 99.99 % of the values are below 34. If the tickets of the first group are a fifth
        // too low, the value is above that.
        let fair = chi_square(Tickets::of);
        assert!(fair < 34.0, "{fair}");
        let biased = chi_square(|tickets, id| match tickets.of(id) {
            ticket if id.as_bytes()[2..4] < [0, 100][..] => ticket / 10 * 8,
            ticket => ticket,
        });
        assert!(biased > 34.0, "the control passes: {biased}");
    }

    #[test]
    fn sample_counts() {
        assert_eq!(count(1000, 1 << 30, 1), 1);
        assert_eq!(count(1000, 1 << 30, 1 << 29), 500);
        assert_eq!(count(1000, 1 << 30, u64::MAX), 1000);
        assert_eq!(count(5, 0, 1), 5);
    }
}
