//! Stick breaking, with a stick that is broken only as far as needed.

use super::check::{self, MAX_POINTS};
use super::partition::Partition;
use super::path::{Path, failure};
use super::pitman_yor::PitmanYor;
use crate::Error;
use crate::error::shown;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// The process in which n points fall on a stick of length 1 that is broken into infinitely many pieces (Sethuraman, "A
/// constructive definition of Dirichlet priors", 1994; for a positive discount, Pitman and Yor 1997). Piece k, counted
/// from 1, is the fraction V_k of the remaining stick, where V_k has the distribution Beta(1 - d, θ + k d). Points on
/// the same piece share a label. The labels, in order of appearance, have the distribution of the Pitman-Yor process,
/// or of the Chinese restaurant process for d = 0.
///
/// There is no truncation: a piece is broken off only when a point lies beyond the existing pieces. There is a uniform
/// term for each point and a beta term for each piece. If d = 0, about θ ln n pieces are broken off. If d > 0, there
/// are far more: their number is of order n^(d / (1 - d)), and it has no finite mean if d is at least 1/2. If more than
/// [`StickBreaking::MAX_PIECES`] pieces are needed, the run fails at that step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StickBreaking {
    partition: Partition,
}

/// The outcome of stick breaking.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The label of each point.
    pub labels: Vec<u32>,
    /// The end of each piece on the stick, in order.
    pub ends: Vec<f64>,
}

impl Broken {
    /// The lengths of the pieces, in order, and the length of the rest.
    #[must_use]
    pub fn sticks(&self) -> (Vec<f64>, f64) {
        let mut begin = 0.0;
        let length = |&end: &f64| {
            let length = end - begin;
            begin = end;
            length
        };
        let sticks = self.ends.iter().map(length).collect();
        (sticks, 1.0 - begin)
    }
}

impl StickBreaking {
    /// The maximum number of pieces.
    pub const MAX_PIECES: usize = 1 << 23;
    /// The maximum strength. With this strength, n = 2^27 points need about θ ln(1 + n / θ) = 5 million pieces.
    pub const MAX_THETA: f64 = 1e6;

    /// Creates a process of n points, with strength θ and discount d.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if d is less than 0 or at least 1, if θ is not from -d + 10^-300 to 10^6, or if n
    /// exceeds [`MAX_POINTS`].
    pub fn new(n: u32, theta: f64, discount: f64) -> Result<Self, Error> {
        let n = check::whole("n", 0, MAX_POINTS, n)?;
        let partition = Partition::new(n, theta, discount)?;
        if theta > Self::MAX_THETA {
            return Err(Error::range("theta", "at most 1000000", shown(theta)));
        }
        // This is the second shape parameter of the first piece. Those of later pieces are larger.
        if theta + discount < 1e-300 {
            let got = shown(theta + discount);
            return Err(Error::range("theta + discount", "at least 1e-300", got));
        }
        Ok(Self { partition })
    }

    /// The distribution of the labels, as a partition of the points.
    #[must_use]
    pub fn partition(&self) -> Partition {
        self.partition
    }

    /// Returns a process whose labels have the same distribution. It has no sticks, so it can be enumerated.
    #[must_use]
    pub fn without_sticks(&self) -> PitmanYor {
        PitmanYor::of(self.partition)
    }

    /// Gives a point the label of its piece, or keeps the point until its piece is broken off.
    fn place(&self, mut stick: Stick, point: f64) -> Flow<Stick, Broken> {
        if stick.refused() {
            return Flow::More(stick);
        }
        let piece = stick.ends.partition_point(|&end| end <= point);
        if piece == stick.ends.len() {
            stick.waits = Some(point);
            return Flow::More(stick);
        }
        if stick.label_of[piece] == NO_LABEL {
            stick.label_of[piece] = stick.seen;
            stick.seen += 1;
        }
        stick.labels.push(stick.label_of[piece]);
        self.flow(stick)
    }

    fn flow(&self, stick: Stick) -> Flow<Stick, Broken> {
        if stick.labels.len() == self.partition.n as usize && !stick.refused() {
            Flow::Done(Broken { labels: stick.labels.into_items(), ends: stick.ends.into_items() })
        } else {
            Flow::More(stick)
        }
    }
}

/// The stick with the points on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stick {
    ends: Path<f64>,
    label_of: Path<u32>,
    seen: u32,
    labels: Path<u32>,
    /// The point that lies beyond all pieces, if there is one.
    waits: Option<f64>,
}

impl Stick {
    fn refused(&self) -> bool {
        self.ends.refused() || self.label_of.refused() || self.labels.refused()
    }
}

const NO_LABEL: u32 = u32::MAX;

impl Coalgebra for StickBreaking {
    type State = Stick;
    type Out = Broken;

    fn start(&self) -> Flow<Stick, Broken> {
        let (ends, label_of, labels) = (Path::default(), Path::default(), Path::default());
        self.flow(Stick { ends, label_of, seen: 0, labels, waits: None })
    }

    fn distribution<'a>(&'a self, stick: &'a Stick) -> Distribution<'a> {
        if stick.refused() {
            return failure();
        }
        if stick.waits.is_none() {
            return Distribution::Uniform;
        }
        let pieces = stick.ends.len();
        if pieces == Self::MAX_PIECES {
            let must = format!("at most {pieces}");
            return Distribution::Fail(Box::new(Error::range(
                "the number of pieces of a stick",
                must,
                pieces + 1,
            )));
        }
        let Partition { theta, discount, .. } = self.partition;
        Distribution::Beta { a: 1.0 - discount, b: theta + (pieces + 1) as f64 * discount }
    }

    fn next(&self, mut stick: Stick, draw: Outcome) -> Flow<Stick, Broken> {
        let Some(point) = stick.waits.take() else { return self.place(stick, draw.real()) };
        let end = stick.ends.last().copied().unwrap_or(0.0);
        stick.ends.push(end + (1.0 - end) * draw.real());
        stick.label_of.push(NO_LABEL);
        self.place(stick, point)
    }

    #[inline]
    fn lacks_memory(&self, state: &Stick) -> bool {
        state.refused()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If there is no memory for pieces or labels, the next distribution fails for every draw.
    #[test]
    fn refused_memory_fails_at_the_next_term() {
        let sticks = StickBreaking::new(1, 1.0, 0.0).unwrap();
        let refuse: [fn(&mut Stick); 3] = [
            |stick| stick.ends.resize(usize::MAX, 0.0),
            |stick| stick.label_of.resize(usize::MAX, 0),
            |stick| stick.labels.resize(usize::MAX, 0),
        ];
        for refuse in refuse {
            let Flow::More(mut stick) = sticks.start() else { panic!("a point is to fall") };
            stick.waits = Some(0.5);
            refuse(&mut stick);
            let Flow::More(stick) = sticks.next(stick, Outcome::Real(0.9)) else {
                panic!("it has no memory")
            };
            assert!(matches!(sticks.distribution(&stick), Distribution::NoMemory(_)));
        }
    }

    /// Tests the maximum number of pieces, and a point beyond all of them.
    #[test]
    fn pieces_are_bounded() {
        let sticks = StickBreaking::new(1, 1.0, 0.0).unwrap();
        let Flow::More(mut stick) = sticks.start() else { panic!("a point is to fall") };
        stick.waits = Some(0.5);
        stick.ends.resize(StickBreaking::MAX_PIECES - 1, 0.25);
        assert!(matches!(sticks.distribution(&stick), Distribution::Beta { .. }));
        stick.ends.push(0.25);
        let Distribution::Fail(error) = sticks.distribution(&stick) else {
            panic!("there is no room for a piece")
        };
        assert_eq!(error.to_string(), "the number of pieces of a stick must be at most 8388608, not 8388609");
    }

    /// A piece includes its beginning, but not its end.
    #[test]
    fn a_point_at_the_end_lies_beyond() {
        let sticks = StickBreaking::new(2, 1.0, 0.0).unwrap();
        let go = |stick, x| match sticks.next(stick, Outcome::Real(x)) {
            Flow::More(stick) => stick,
            Flow::Done(_) => panic!("it goes on"),
        };
        let Flow::More(stick) = sticks.start() else { panic!("a point is to fall") };
        let beyond = go(go(stick.clone(), 0.5), 0.5);
        assert!(
            beyond.labels.is_empty() && matches!(sticks.distribution(&beyond), Distribution::Beta { .. })
        );
        let within = go(go(stick, 0.5_f64.next_down()), 0.5);
        assert_eq!((&within.labels[..], sticks.distribution(&within)), (&[0][..], Distribution::Uniform));
    }
}
