//! A stick that is broken only as far as it is needed.

use super::check::{self, MOST_POINTS};
use super::partition::Partition;
use super::pitman_yor::PitmanYor;
use crate::Error;
use crate::process::{Coalgebra, Draw, Flow, Law};

/// n points fall on a stick of length 1, from which pieces are broken off without end (Sethuraman, "A constructive
/// definition of Dirichlet priors", 1994; with a discount Pitman and Yor 1997): piece k, counted from 1, is the part
/// V_k of what is left, V_k of the law Beta(1 - d, θ + k d). Points on one piece share a label; the labels, in their order
/// of appearance, have the law of the Pitman-Yor process, of the Chinese restaurant process with d = 0.
///
/// Nothing is cut off: a piece is broken off only when a point lies beyond those that are there. A uniform term for each
/// point, a beta term for each piece. About θ ln n pieces with d = 0. With d > 0 far more, of order
/// n^(d / (1 - d)) and with no mean from d = 1/2 on: more than [`StickBreaking::MOST_PIECES`] are an error at that step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StickBreaking {
    partition: Partition,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The label of each point.
    pub labels: Vec<u32>,
    /// Where each piece ends on the stick, in their order.
    pub ends: Vec<f64>,
}

impl Broken {
    /// The lengths of the pieces, in their order, and what is left.
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
    /// Pieces, at most.
    pub const MOST_PIECES: usize = 1 << 24;

    /// The process of n points, strength θ and discount d.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless 0 <= d < 1, θ is more than -d and at most 10^12, and n at most [`MOST_POINTS`].
    pub fn new(n: u32, theta: f64, discount: f64) -> Result<Self, Error> {
        let n = check::whole("n", 0, MOST_POINTS, n)?;
        check::whole("theta", -1.0, 1e12, theta)?;
        Ok(Self { partition: Partition::new(n, theta, discount)? })
    }

    /// The law of its labels.
    #[must_use]
    pub fn partition(&self) -> Partition {
        self.partition
    }

    /// The process that has the law of the labels and no sticks, so that it can be enumerated.
    #[must_use]
    pub fn without_sticks(&self) -> PitmanYor {
        PitmanYor::of(self.partition)
    }

    /// A point has its piece, or waits until its piece is broken off.
    fn place(&self, mut stick: Stick, point: f64) -> Flow<Stick, Broken> {
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
        if stick.labels.len() == self.partition.n as usize {
            Flow::Done(Broken { labels: stick.labels, ends: stick.ends })
        } else {
            Flow::More(stick)
        }
    }
}

/// The stick and the points on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stick {
    ends: Vec<f64>,
    label_of: Vec<u32>,
    seen: u32,
    labels: Vec<u32>,
    /// The point that lies beyond all pieces.
    waits: Option<f64>,
}

const NO_LABEL: u32 = u32::MAX;

impl Coalgebra for StickBreaking {
    type State = Stick;
    type Out = Broken;

    fn start(&self) -> Flow<Stick, Broken> {
        let (ends, label_of, labels) = (Vec::new(), Vec::new(), Vec::new());
        self.flow(Stick { ends, label_of, seen: 0, labels, waits: None })
    }

    fn law<'a>(&'a self, stick: &'a Stick) -> Law<'a> {
        if stick.waits.is_none() {
            return Law::Uniform;
        }
        let pieces = stick.ends.len();
        if pieces == Self::MOST_PIECES {
            let must = format!("at most {pieces}");
            return Law::Fail(Box::new(Error::range("the pieces of a stick", must, pieces + 1)));
        }
        let Partition { theta, discount, .. } = self.partition;
        Law::Beta { a: 1.0 - discount, b: theta + (pieces + 1) as f64 * discount }
    }

    fn next(&self, mut stick: Stick, draw: Draw) -> Flow<Stick, Broken> {
        let Some(point) = stick.waits.take() else { return self.place(stick, draw.real()) };
        let end = stick.ends.last().copied().unwrap_or(0.0);
        stick.ends.push(end + (1.0 - end) * draw.real());
        stick.label_of.push(NO_LABEL);
        self.place(stick, point)
    }
}
