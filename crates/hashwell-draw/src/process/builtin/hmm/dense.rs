//! Forward and backward passes as products of a vector and a matrix. Every sum goes over states in their order, with one
//! accumulator each, so that what comes out is the same on every machine; terms of 0 change no sum and may be left out.

use super::Hmm;
use crate::Error;
use crate::number::ln;

/// What is known of the hidden state at each time from what was observed up to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Filtered {
    /// A row of S probabilities for each time.
    pub probabilities: Vec<f64>,
    /// The natural logarithm of the probability of all that was observed.
    pub log_evidence: f64,
}

/// What is known of the hidden state at each time from all that was observed.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoothed {
    /// S, the number of hidden states.
    pub states: usize,
    /// A row of S probabilities for each time.
    pub probabilities: Vec<f64>,
    /// The backward pass: for each time a row of S numbers of 0 to 1, how likely what was observed later is from each state,
    /// over how likely it is from the best of those that the filtered row has; 0 for the others, which cannot be. Smoothed
    /// probabilities are to filtered ones as these numbers.
    pub backward: Vec<f64>,
    /// The natural logarithm of the probability of all that was observed.
    pub log_evidence: f64,
}

impl Hmm {
    /// The logarithm of the probability of what was observed: the forward pass, of which nothing is kept. T S² products,
    /// O(S) memory.
    ///
    /// # Errors
    /// [`Error::AtStep`] with the first time, counted from 0, whose observation is impossible.
    pub fn log_evidence(&self) -> Result<f64, Error> {
        self.forward(|_| {})
    }

    /// The forward pass: T S² products, 8 T S bytes.
    ///
    /// # Errors
    /// As [`Hmm::log_evidence`]; [`Error::Memory`].
    pub fn filter(&self) -> Result<Filtered, Error> {
        let mut probabilities = self.rows()?;
        let log_evidence = self.forward(|row| probabilities.extend_from_slice(row))?;
        Ok(Filtered { probabilities, log_evidence })
    }

    /// The forward and the backward pass: 2 T S² products, 16 T S bytes and 8 S².
    ///
    /// # Errors
    /// As [`Hmm::filter`]; what is less likely than 10^-308 beside others may count as impossible.
    pub fn smooth(&self) -> Result<Smoothed, Error> {
        let Filtered { mut probabilities, log_evidence } = self.filter()?;
        let states = self.states();
        let transposed = transposed(&self.transition, states, states);
        let mut backward = self.rows()?;
        backward.resize(probabilities.len(), 1.0);
        let mut seen = vec![0.0; states];
        for time in (1..self.observations()).rev() {
            let (before, after) = backward.split_at_mut(time * states);
            let scaled = self.likelihood(time).iter().zip(&*after);
            seen.iter_mut().zip(scaled).for_each(|(seen, (chance, after))| *seen = chance * after);
            let here = &mut before[(time - 1) * states..];
            product(&seen, &transposed, here);
            let filtered = &mut probabilities[(time - 1) * states..][..states];
            smooth_row(here, filtered).map_err(|error| error.at_step(time as u64))?;
        }
        Ok(Smoothed { states, probabilities, backward, log_evidence })
    }

    /// Gives each filtered row to `keep`.
    fn forward(&self, mut keep: impl FnMut(&[f64])) -> Result<f64, Error> {
        let mut log_evidence = 0.0;
        let mut row = self.initial.clone();
        let mut before = vec![0.0; self.states()];
        for time in 0..self.observations() {
            if time > 0 {
                std::mem::swap(&mut row, &mut before);
                product(&before, &self.transition, &mut row);
            }
            row.iter_mut().zip(self.likelihood(time)).for_each(|(mass, chance)| *mass *= chance);
            let scale: f64 = row.iter().sum();
            check_possible(scale).map_err(|error| error.at_step(time as u64))?;
            row.iter_mut().for_each(|mass| *mass /= scale);
            log_evidence += ln(scale);
            keep(&row);
        }
        Ok(log_evidence)
    }

    /// Memory for a row of each time.
    fn rows(&self) -> Result<Vec<f64>, Error> {
        let mut rows = Vec::new();
        let size = self.observations().saturating_mul(self.states());
        rows.try_reserve_exact(size)
            .map_err(|_| Error::Memory { what: "the probabilities of hidden states" })?;
        Ok(rows)
    }
}

/// Scales a backward row by its largest number that counts, which no float's range keeps from it, and makes the smoothed row
/// of the filtered one.
fn smooth_row(back: &mut [f64], row: &mut [f64]) -> Result<(), Error> {
    back.iter_mut().zip(&*row).for_each(|(back, &mass)| *back = if mass > 0.0 { *back } else { 0.0 });
    let largest = back.iter().copied().fold(0.0, f64::max);
    check_possible(largest)?;
    back.iter_mut().for_each(|back| *back /= largest);
    row.iter_mut().zip(&*back).for_each(|(mass, back)| *mass *= back);
    let sum: f64 = row.iter().sum();
    check_possible(sum)?;
    row.iter_mut().for_each(|mass| *mass /= sum);
    Ok(())
}

fn check_possible(chance: f64) -> Result<(), Error> {
    if chance > 0.0 {
        Ok(())
    } else {
        Err(Error::range("the probability of the observations", "more than 0", chance))
    }
}

/// out[j] = Σ vector[i] matrix[i][j], in the order of i. Eight rows are read at once, so that `out` is read and written
/// only once for each eight.
fn product(vector: &[f64], matrix: &[f64], out: &mut [f64]) {
    let width = out.len();
    out.fill(0.0);
    for (masses, rows) in vector.chunks(8).zip(matrix.chunks(8 * width)) {
        if masses.iter().all(|&mass| mass == 0.0) {
            continue;
        }
        if let &[a, b, c, d, e, f, g, h] = masses {
            let mut row = rows.chunks_exact(width);
            let mut next = || &row.next().unwrap_or_default()[..width];
            let rows = [next(), next(), next(), next(), next(), next(), next(), next()];
            for (j, sum) in out.iter_mut().enumerate() {
                let x = *sum + a * rows[0][j] + b * rows[1][j] + c * rows[2][j] + d * rows[3][j];
                *sum = x + e * rows[4][j] + f * rows[5][j] + g * rows[6][j] + h * rows[7][j];
            }
        } else {
            for (mass, row) in masses.iter().zip(rows.chunks(width)) {
                out.iter_mut().zip(row).for_each(|(sum, chance)| *sum += mass * chance);
            }
        }
    }
}

/// The columns of a matrix as rows.
pub(super) fn transposed(matrix: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    (0..columns).flat_map(|column| (0..rows).map(move |row| matrix[row * columns + column])).collect()
}
