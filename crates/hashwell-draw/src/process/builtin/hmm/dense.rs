//! Forward and backward passes as products of vectors and matrices. Every sum runs over the states in order, with a
//! single accumulator, so that the result is the same on every machine. Terms that are 0 do not change a sum and can be
//! skipped.

use super::Hmm;
use crate::Error;
use crate::number::ln;

/// The distribution of the hidden state at each time, given the observations up to that time.
#[derive(Clone, Debug, PartialEq)]
pub struct Filtered {
    /// For each time, a row with the probability of each hidden state.
    pub probabilities: Vec<f64>,
    /// The natural logarithm of the probability of all observations.
    pub log_evidence: f64,
}

/// The distribution of the hidden state at each time, given all observations.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoothed {
    /// The number of hidden states.
    pub states: usize,
    /// For each time, a row with the probability of each hidden state.
    pub probabilities: Vec<f64>,
    /// The result of the backward pass: for each time, a row with the likelihood of the later observations, given each
    /// hidden state. Each row is divided by its largest number. States with filtered probability 0 are impossible, and
    /// their number is 0. The smoothed probabilities are proportional to the filtered probabilities times these
    /// numbers.
    pub backward: Vec<f64>,
    /// The natural logarithm of the probability of all observations.
    pub log_evidence: f64,
}

impl Hmm {
    /// The natural logarithm of the probability of the observations, computed by a forward pass. For T observations and
    /// S hidden states, this takes T S² multiplications and O(S) memory.
    ///
    /// # Errors
    /// Returns [`Error::AtStep`] if an observation is impossible. Its step is the time of the first such observation,
    /// counted from 0.
    pub fn log_evidence(&self) -> Result<f64, Error> {
        self.forward(|_| {})
    }

    /// Computes the distribution of the hidden state at each time, given the observations up to that time, by a forward
    /// pass. For T observations and S hidden states, this takes T S² multiplications and 8 T S bytes.
    ///
    /// # Errors
    /// Returns the same errors as [`Hmm::log_evidence`], or [`Error::Memory`] if an allocation fails.
    pub fn filter(&self) -> Result<Filtered, Error> {
        let mut probabilities = self.rows()?;
        let log_evidence = self.forward(|row| probabilities.extend_from_slice(row))?;
        Ok(Filtered { probabilities, log_evidence })
    }

    /// Computes the distribution of the hidden state at each time, given all observations, by a forward and a backward
    /// pass. For T observations and S hidden states, this takes 2 T S² multiplications and 16 T S + 8 S² bytes.
    ///
    /// # Errors
    /// Returns the same errors as [`Hmm::filter`]. States that are less likely than others by a factor of 10^-308 may
    /// count as impossible.
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

    /// Makes the forward pass, calls `keep` with each filtered row, and returns the logarithm of the evidence.
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

    /// Reserves memory for a row for each time.
    fn rows(&self) -> Result<Vec<f64>, Error> {
        let mut rows = Vec::new();
        let size = self.observations().saturating_mul(self.states());
        rows.try_reserve_exact(size)
            .map_err(|_| Error::Memory { what: "the probabilities of hidden states" })?;
        Ok(rows)
    }
}

/// Divides a backward row by its largest value for a possible state, which keeps it in the range of floats, and turns
/// the filtered row into the smoothed one.
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

/// out[j] = Σ vector[i] matrix[i][j], in the order of i. Eight rows are processed together, so that `out` is read and
/// written only once for every eight rows.
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
