//! Words of which none is lost to a row that there was no memory for: the next row gets them.

use crate::{Error, RandomSource};

/// A source of words, and up to two that were drawn and given back.
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

    /// The word that was drawn last, once more the next one.
    #[cold]
    pub(crate) fn give_back(&mut self, word: u64) {
        self.back[self.held] = word;
        self.held += 1;
    }

    /// Where the next word lies, of sources that count.
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
