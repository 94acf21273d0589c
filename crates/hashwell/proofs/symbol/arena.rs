//! Expressions over words of unknown value, in a normal form: two expressions with one normal form have one value,
//! whatever the unknown words are.
//!
//! ```text
//! expression = exclusive or of (mask & product)       product = up to four atoms anded; of none, 1
//! atom       = base rotated to the right by 0 … bits - 1
//! base       = an unknown word
//!            | a sum: constant + coefficients * expressions, modulo 2^bits; none of them a sum or a constant itself
//!            | a name of an expression: one that the standard defines, or that is too long to be multiplied out
//!            | the bytes of an expression, read in another order
//! ```
//!
//! Everything is kept once, so that equal normal forms are equal numbers. Bitwise functions are thus polynomials over
//! the field of two elements (Zhegalkin's), at each place of the word its own; a shift is a rotation and a mask; sums are
//! linear forms. What the form does not know (that a sum without carries is an exclusive or, that two names may stand
//! for rotations of one expression) makes it fail to see that expressions are equal; it never makes different ones equal,
//! since every step keeps the value. [`Arena::compute`] computes that value by arithmetic of the processor's, which the tests
//! compare with every operation.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// An expression: its place in the arena.
pub(super) type Id = u32;

/// A base and the distance of its rotation, packed; 0 is no atom.
type Atom = u32;

/// Atoms anded, sorted, behind zeros. Four, since `(x & y) | (!x & z)` is multiplied out before half of it cancels.
type Product = [Atom; 4];

/// Products and the mask of places where each occurs; sorted, no mask is 0.
type Polynomial = Box<[(Product, u64)]>;

#[derive(PartialEq, Eq, Hash)]
enum Base {
    /// Takes the place of the number 0, which is no base.
    Nothing,
    Unknown(u32),
    Sum {
        constant: u64,
        /// Sorted by expression; no coefficient is 0.
        terms: Box<[(Id, u64)]>,
    },
    Name(Id),
    Swapped(Id),
}

/// An and of so many pairs of products is multiplied out, constants not counted; of more, each operand that is not one
/// product alone is named first. GG of SM3, which ors ands of words that are three rotations each, takes 9 times 12.
const PAIRS: usize = 120;

/// An expression of more products, none of them linear, is named wherever it comes up: what a wrong kernel computes fits no
/// definition, and would grow from round to round.
const LONGEST: usize = 256;

const ONE: Product = [0; 4];

pub(super) struct Arena {
    bits: u32,
    expressions: IndexSet<Polynomial, FxBuildHasher>,
    bases: IndexSet<Base, FxBuildHasher>,
    /// Names of what was defined, by the expression without its constant.
    defined: FxHashMap<Id, Id>,
    unknowns: u32,
}

impl Arena {
    /// Of words of 32 or 64 bits.
    pub(super) fn new(bits: u32) -> Self {
        // Nobody gets expression 0, so that memory full of zeros holds none: it is none, with a mask of nothing.
        let none = Polynomial::from([(ONE, 0)]);
        Self {
            bits,
            expressions: core::iter::once(none).collect(),
            bases: core::iter::once(Base::Nothing).collect(),
            defined: FxHashMap::default(),
            unknowns: 0,
        }
    }

    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    pub(super) fn len(&self) -> usize {
        self.expressions.len()
    }

    fn ones(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    fn expression(&mut self, polynomial: &[(Product, u64)]) -> Id {
        let known = self.expressions.get_index_of(polynomial);
        let id = known.unwrap_or_else(|| self.expressions.insert_full(polynomial.into()).0);
        u32::try_from(id).expect("fewer expressions")
    }

    fn atom(&mut self, base: Base) -> Id {
        let number = self.bases.insert_full(base).0;
        let number = u32::try_from(number).ok().filter(|n| *n < 1 << 26).expect("fewer bases");
        let ones = self.ones();
        self.expression(&[([0, 0, 0, number << 6], ones)])
    }

    /// A word of which nothing is known.
    pub(super) fn unknown(&mut self) -> Id {
        self.unknowns += 1;
        self.atom(Base::Unknown(self.unknowns - 1))
    }

    pub(super) fn unknowns(&self) -> usize {
        self.unknowns as usize
    }

    /// What to forget back to.
    pub(super) fn mark(&self) -> Mark {
        Mark { expressions: self.expressions.len(), bases: self.bases.len(), unknowns: self.unknowns }
    }

    /// Forgets what has come since the mark; no definition may have.
    pub(super) fn forget(&mut self, mark: &Mark) {
        assert!(self.defined.is_empty(), "a name of what is forgotten");
        self.expressions.truncate(mark.expressions);
        self.bases.truncate(mark.bases);
        self.unknowns = mark.unknowns;
    }

    pub(super) fn constant(&mut self, value: u64) -> Id {
        let value = value & self.ones();
        if value == 0 { self.expression(&[]) } else { self.expression(&[(ONE, value)]) }
    }

    /// The value, if the expression is a constant.
    pub(super) fn number(&self, a: Id) -> Option<u64> {
        match *self.expressions[a as usize] {
            [] => Some(0),
            [(ONE, value)] => Some(value),
            _ => None,
        }
    }

    pub(super) fn xor(&mut self, a: Id, b: Id) -> Id {
        let sum = [&*self.expressions[a as usize], &*self.expressions[b as usize]].concat();
        self.collected(sum)
    }

    /// The expression of products in any order, some perhaps more than once.
    fn collected(&mut self, mut products: Vec<(Product, u64)>) -> Id {
        products.sort_by_key(|(product, _)| *product);
        products.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 ^= next.1;
            }
            same
        });
        products.retain(|(_, mask)| *mask != 0);
        let id = self.expression(&products);
        let (constant, rest) = self.without_constant(id);
        match self.defined.get(&rest) {
            Some(name) => self.with_constant(*name, constant),
            None if self.length(id) > LONGEST && self.degree(id) > 1 => self.named(id),
            None => id,
        }
    }

    fn without_constant(&mut self, a: Id) -> (u64, Id) {
        match &*self.expressions[a as usize] {
            [(ONE, mask), rest @ ..] => {
                let (mask, rest) = (*mask, rest.to_vec());
                (mask, self.expression(&rest))
            }
            _ => (0, a),
        }
    }

    /// `name` is an atom.
    fn with_constant(&mut self, name: Id, constant: u64) -> Id {
        match constant {
            0 => name,
            mask => {
                let polynomial = [&[(ONE, mask)], &*self.expressions[name as usize]].concat();
                self.expression(&polynomial)
            }
        }
    }

    /// The same value, of which from now on every expression of this form, negated or not, takes the name.
    pub(super) fn define(&mut self, a: Id) -> Id {
        let (constant, rest) = self.without_constant(a);
        let name = self.named(rest);
        self.defined.insert(rest, name);
        self.with_constant(name, constant)
    }

    pub(super) fn and(&mut self, a: Id, b: Id) -> Id {
        if self.places(a) & self.places(b) == 0 {
            return self.constant(0);
        }
        let long = self.length(a) * self.length(b) > PAIRS;
        let a = if long { self.named(a) } else { a };
        let b = if long { self.named(b) } else { b };
        let products = self.products(a, b).unwrap_or_else(|| {
            let a = if self.degree(a) > 1 { self.named(a) } else { a };
            let b = if self.degree(b) > 1 { self.named(b) } else { b };
            self.products(a, b).expect("what has a name is one atom")
        });
        self.collected(products)
    }

    /// Multiplied out, in any order; none if that has more atoms in a product than there is room for.
    fn products(&self, a: Id, b: Id) -> Option<Vec<(Product, u64)>> {
        let (a, b) = (&self.expressions[a as usize], &self.expressions[b as usize]);
        let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
        pairs.map(|(x, y)| Some((product(x.0, y.0)?, x.1 & y.1))).collect()
    }

    /// Places of the word at which it may be anything but zero.
    fn places(&self, a: Id) -> u64 {
        self.expressions[a as usize].iter().fold(0, |places, (_, mask)| places | mask)
    }

    /// The most atoms of a product.
    fn degree(&self, a: Id) -> usize {
        let products = self.expressions[a as usize].iter();
        products.map(|(atoms, _)| atoms.iter().filter(|atom| **atom != 0).count()).max().unwrap_or(0)
    }

    /// Products besides the constant.
    fn length(&self, a: Id) -> usize {
        self.expressions[a as usize].iter().filter(|(product, _)| *product != ONE).count()
    }

    /// The expression as a base of its own, but for its constant, so that it and its negation have one name.
    fn named(&mut self, a: Id) -> Id {
        let (constant, rest) = self.without_constant(a);
        if self.length(rest) == 0
            || matches!(*self.expressions[rest as usize], [([0, 0, 0, _], mask)] if mask == self.ones())
        {
            return a;
        }
        let name = self.atom(Base::Name(rest));
        self.with_constant(name, constant)
    }

    /// To the right.
    pub(super) fn rotate(&mut self, a: Id, distance: u32) -> Id {
        let bits = self.bits;
        let turn = |atom: Atom| match atom {
            0 => 0,
            atom => (atom & !63) | (((atom & 63) + distance) % bits),
        };
        let turned = self.expressions[a as usize].iter().map(|(product, mask)| {
            let mut product = product.map(turn);
            product.sort_unstable();
            let doubled = mask | mask.checked_shl(bits).unwrap_or(0);
            let mask = if bits == 64 { mask.rotate_right(distance) } else { doubled >> (distance % 32) };
            (product, mask & (u64::MAX >> (64 - bits)))
        });
        let turned = turned.collect();
        self.collected(turned)
    }

    /// To the right.
    pub(super) fn shift(&mut self, a: Id, distance: u32) -> Id {
        let turned = self.rotate(a, distance);
        let mask = self.constant(self.ones() >> distance);
        self.and(turned, mask)
    }

    /// What `a` is as a sum: its terms, onto `terms`, and its constant.
    fn add_terms(&self, a: Id, terms: &mut Vec<(Id, u64)>) -> u64 {
        match *self.expressions[a as usize] {
            [] => 0,
            [(ONE, value)] => value,
            [([0, 0, 0, atom], mask)] if atom & 63 == 0 && mask == self.ones() => {
                if let Base::Sum { constant, terms: own } = &self.bases[(atom >> 6) as usize] {
                    terms.extend_from_slice(own);
                    return *constant;
                }
                terms.push((a, 1));
                0
            }
            _ => {
                terms.push((a, 1));
                0
            }
        }
    }

    pub(super) fn add(&mut self, a: Id, b: Id) -> Id {
        let mut terms = Vec::new();
        let constant =
            self.add_terms(a, &mut terms).wrapping_add(self.add_terms(b, &mut terms)) & self.ones();
        let ones = self.ones();
        terms.sort_unstable();
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.wrapping_add(next.1) & ones;
            }
            same
        });
        terms.retain(|(_, coefficient)| *coefficient != 0);
        match (&*terms, constant) {
            ([], constant) => self.constant(constant),
            ([(only, 1)], 0) => *only,
            _ => self.atom(Base::Sum { constant, terms: terms.into_boxed_slice() }),
        }
    }

    /// The word of the same bytes in the opposite order.
    pub(super) fn swapped(&mut self, a: Id) -> Id {
        self.atom(Base::Swapped(a))
    }

    /// The value of each of `of` where the unknowns have these values.
    pub(super) fn values(&self, of: &[Id], unknowns: &[u64]) -> Vec<u64> {
        let mut computed = self.computed(of.to_vec());
        self.compute(&mut computed, |number| unknowns[number]);
        computed.values
    }

    /// Lists what it takes to compute expressions.
    pub(super) fn computed(&self, of: Vec<Id>) -> Computed {
        let mut steps = Vec::new();
        let mut listed = vec![false; self.bases.len()];
        // What comes first is listed first, without recursion: a function of ninety rounds is deep.
        let mut open: Vec<u32> = of.iter().flat_map(|id| self.bases_of(*id)).collect();
        while let Some(&number) = open.last() {
            let waiting = open.len();
            if !listed[number as usize] {
                let before = |id: &Id| self.bases_of(*id).filter(|number| !listed[*number as usize]);
                match &self.bases[number as usize] {
                    Base::Nothing | Base::Unknown(_) => (),
                    Base::Sum { terms, .. } => open.extend(terms.iter().flat_map(|(id, _)| before(id))),
                    Base::Name(id) | Base::Swapped(id) => open.extend(before(id)),
                }
                if open.len() > waiting {
                    continue;
                }
                listed[number as usize] = true;
                steps.push(number);
            }
            open.pop();
        }
        Computed { values: vec![0; of.len()], of, steps, bases: vec![0; self.bases.len()] }
    }

    fn bases_of(&self, id: Id) -> impl Iterator<Item = u32> {
        let atoms = self.expressions[id as usize].iter().flat_map(|(product, _)| product);
        atoms.map(|atom| atom >> 6).filter(|number| *number != 0)
    }

    /// Computes them where the unknowns have the values that their numbers are given.
    pub(super) fn compute(&self, computed: &mut Computed, unknowns: impl Fn(usize) -> u64) {
        let Computed { of, steps, bases, values } = computed;
        for number in steps {
            let number = *number as usize;
            let value = match &self.bases[number] {
                Base::Nothing => 0,
                Base::Unknown(number) => unknowns(*number as usize),
                Base::Sum { constant, terms } => terms.iter().fold(*constant, |sum, (id, coefficient)| {
                    sum.wrapping_add(coefficient.wrapping_mul(self.of_bases(*id, bases)))
                }),
                Base::Name(id) => self.of_bases(*id, bases),
                Base::Swapped(id) => self.of_bases(*id, bases).swap_bytes() >> (64 - self.bits),
            };
            bases[number] = value & self.ones();
        }
        for (value, id) in values.iter_mut().zip(of) {
            *value = self.of_bases(*id, bases);
        }
    }

    /// The value of an expression whose bases have these.
    fn of_bases(&self, id: Id, bases: &[u64]) -> u64 {
        let atom = |atom: Atom| {
            let value = bases[(atom >> 6) as usize];
            match self.bits {
                64 => value.rotate_right(atom & 63),
                _ => u64::from((value as u32).rotate_right(atom & 63)),
            }
        };
        // Atoms stand behind zeros, which are none.
        let products = self.expressions[id as usize].iter();
        products.fold(0, |sum, (product, mask)| {
            let atoms = product.iter().rev().take_while(|x| **x != 0);
            atoms.fold(*mask, |bits, x| bits & atom(*x)) ^ sum
        })
    }
}

/// Expressions that are computed for one choice of the unknowns' values after another.
pub(super) struct Computed {
    of: Vec<Id>,
    /// Bases, each behind those that it is made of.
    steps: Vec<u32>,
    /// Their values, by number.
    bases: Vec<u64>,
    pub(super) values: Vec<u64>,
}

/// How much there was at some time.
pub(crate) struct Mark {
    expressions: usize,
    bases: usize,
    unknowns: u32,
}

/// The atoms of both, each once; none if they are more than a product has.
fn product(x: Product, y: Product) -> Option<Product> {
    let mut product = ONE;
    let (mut i, mut j, mut free) = (ONE.len(), ONE.len(), ONE.len());
    // From the largest down, as a merge.
    loop {
        let largest = x[..i].last().copied().unwrap_or(0).max(y[..j].last().copied().unwrap_or(0));
        if largest == 0 {
            return Some(product);
        }
        free = free.checked_sub(1)?;
        product[free] = largest;
        i -= usize::from(x[..i].last() == Some(&largest));
        j -= usize::from(y[..j].last() == Some(&largest));
    }
}
