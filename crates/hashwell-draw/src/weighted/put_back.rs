//! A random source to which drawn numbers can be returned: if there is no memory for a row, the next row gets its
//! numbers.

use crate::{Error, RandomSource};

/// A random source and up to two numbers that were drawn and returned.
#[derive(Clone)]
pub(crate) struct PutBack<W> {
    words: W,
    back: [u64; 2],
    held: usize,
}

impl<W: RandomSource> PutBack<W> {
    pub(crate) fn new(words: W) -> Self {
        Self { words, back: [0; 2], held: 0 }
    }

    #[inline]
    pub(crate) fn next_u64(&mut self) -> Result<u64, Error> {
        match self.held {
            0 => Ok(self.words.next_u64()?),
            held => {
                self.held = held - 1;
                Ok(self.back[held - 1])
            }
        }
    }

    /// Returns the number that was drawn last, so that it is drawn again.
    #[cold]
    pub(crate) fn give_back(&mut self, word: u64) {
        self.back[self.held] = word;
        self.held += 1;
    }

    /// The position of the next random number, if the source counts.
    pub(crate) fn stream_position(&self) -> Option<u128> {
        self.words.stream_position().map(|position| position - 8 * self.held as u128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::CounterRng;

    #[test]
    fn words_that_were_given_back_come_first() {
        let mut plain = CounterRng::new(&[1; 32]);
        let [first, second, third] = [(); 3].map(|()| plain.next_u64().unwrap());
        let mut words = PutBack::new(CounterRng::new(&[1; 32]));
        assert_eq!(words.stream_position(), Some(0));
        assert_eq!([words.next_u64().unwrap(), words.next_u64().unwrap()], [first, second]);
        assert_eq!(words.stream_position(), Some(16));
        words.give_back(second);
        assert_eq!(words.stream_position(), Some(8));
        words.give_back(first);
        assert_eq!(words.stream_position(), Some(0));
        assert_eq!(words.next_u64().unwrap(), first);
        assert_eq!(words.stream_position(), Some(8));
        assert_eq!([words.next_u64().unwrap(), words.next_u64().unwrap()], [second, third]);
        assert_eq!(words.stream_position(), Some(24));
    }
}
