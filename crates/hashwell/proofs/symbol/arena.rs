//! Expressions over symbolic words in a normal form. If two expressions have the same normal form, they have the same
//! value, for all values of the unknown words.
//!
//! ```text
//! expression = XOR of (mask & product)                  product = AND of up to four atoms; the empty product is 1
//! atom       = base rotated to the right by 0 … bits - 1
//! base       = an unknown word
//!            | a sum: constant + coefficients * expressions, modulo 2^bits; no term is a sum or a constant itself
//!            | a name of an expression: one that the standard defines, or that is too long to be multiplied out
//!            | the bytes of an expression in reverse order
//! ```
//!
//! Everything is stored once, so equal normal forms have equal numbers. At each bit position of the word, a bitwise
//! function is a polynomial over the field of two elements (its Zhegalkin polynomial). A shift is a rotation and a
//! mask. Sums are linear forms. The form doesn't show, for example, that a sum without carries is an XOR, or that two
//! names can stand for rotations of one expression. So two equal expressions can have different forms. But different
//! expressions never have the same form, because every step preserves the value. [`Arena::compute`] computes this value
//! with the CPU's arithmetic, and the tests compare it with every operation.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// An expression, given by its index in the arena.
pub(super) type Id = u32;

/// The number of a base and the distance of its rotation in one integer. 0 means that there is no atom.
type Atom = u32;

/// The AND of up to four atoms, sorted, after leading zeros. Four are needed, because `(x & y) | (!x & z)` is
/// multiplied out before half of it cancels.
type Product = [Atom; 4];

/// Products, each with the mask of the bit positions at which it occurs. They are sorted, and no mask is 0.
type Polynomial = Box<[(Product, u64)]>;

#[derive(PartialEq, Eq, Hash)]
enum Base {
    /// A placeholder for the number 0, which is not a base.
    Nothing,
    Unknown(u32),
    Sum {
        constant: u64,
        /// The terms, sorted by expression. No coefficient is 0.
        terms: Box<[(Id, u64)]>,
    },
    Name(Id),
    Swapped(Id),
}

/// The maximum number of pairs of products, not counting constants, for which an AND is multiplied out. If there are
/// more, each operand that consists of several products gets a name first. GG of SM3 needs 9 · 12 pairs: it is the OR
/// of ANDs of words, each of which is the XOR of three rotations.
const PAIRS: usize = 120;

/// A nonlinear expression with more products than this gets a name wherever it occurs. Expressions of a wrong kernel
/// match no definition, and would otherwise grow from round to round.
const LONGEST: usize = 256;

const ONE: Product = [0; 4];

pub(super) struct Arena {
    bits: u32,
    expressions: IndexSet<Polynomial, FxBuildHasher>,
    bases: IndexSet<Base, FxBuildHasher>,
    /// The names of defined expressions, by the expression without its constant.
    defined: FxHashMap<Id, Id>,
    unknowns: u32,
}

impl Arena {
    /// Creates an arena for words of 32 or 64 bits.
    pub(super) fn new(bits: u32) -> Self {
        // Expression 0 is reserved, so memory full of zeros contains no word.
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
        u32::try_from(id).expect("too many expressions")
    }

    fn atom(&mut self, base: Base) -> Id {
        let number = self.bases.insert_full(base).0;
        let number = u32::try_from(number).ok().filter(|n| *n < 1 << 26).expect("too many bases");
        let ones = self.ones();
        self.expression(&[([0, 0, 0, number << 6], ones)])
    }

    /// Returns a new unknown word.
    pub(super) fn unknown(&mut self) -> Id {
        self.unknowns += 1;
        self.atom(Base::Unknown(self.unknowns - 1))
    }

    pub(super) fn unknowns(&self) -> usize {
        self.unknowns as usize
    }

    /// Returns a mark for [`Arena::forget`].
    pub(super) fn mark(&self) -> Mark {
        Mark { expressions: self.expressions.len(), bases: self.bases.len(), unknowns: self.unknowns }
    }

    /// Forgets everything after the mark. Nothing may have been defined since then.
    pub(super) fn forget(&mut self, mark: &Mark) {
        assert!(self.defined.is_empty(), "a definition would be forgotten");
        self.expressions.truncate(mark.expressions);
        self.bases.truncate(mark.bases);
        self.unknowns = mark.unknowns;
    }

    pub(super) fn constant(&mut self, value: u64) -> Id {
        let value = value & self.ones();
        if value == 0 { self.expression(&[]) } else { self.expression(&[(ONE, value)]) }
    }

    /// Returns the value, if the expression is a constant.
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

    /// Returns the expression for these products, which can be in any order and occur several times.
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

    /// Returns the XOR of a constant and `name`, which is an atom.
    fn with_constant(&mut self, name: Id, constant: u64) -> Id {
        match constant {
            0 => name,
            mask => {
                let polynomial = [&[(ONE, mask)], &*self.expressions[name as usize]].concat();
                self.expression(&polynomial)
            }
        }
    }

    /// Returns a name for the expression, with the same value. From now on, every expression of this form gets this
    /// name, even if it is negated.
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
            self.products(a, b).expect("a named expression is one atom")
        });
        self.collected(products)
    }

    /// Returns the products of all pairs in any order, or `None` if a product would have more atoms than there is room
    /// for.
    fn products(&self, a: Id, b: Id) -> Option<Vec<(Product, u64)>> {
        let (a, b) = (&self.expressions[a as usize], &self.expressions[b as usize]);
        let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
        pairs.map(|(x, y)| Some((product(x.0, y.0)?, x.1 & y.1))).collect()
    }

    /// Returns the mask of the bit positions at which the expression can be nonzero.
    fn places(&self, a: Id) -> u64 {
        self.expressions[a as usize].iter().fold(0, |places, (_, mask)| places | mask)
    }

    /// Returns the maximum number of atoms of a product.
    fn degree(&self, a: Id) -> usize {
        let products = self.expressions[a as usize].iter();
        products.map(|(atoms, _)| atoms.iter().filter(|atom| **atom != 0).count()).max().unwrap_or(0)
    }

    /// Returns the number of products, without the constant.
    fn length(&self, a: Id) -> usize {
        self.expressions[a as usize].iter().filter(|(product, _)| *product != ONE).count()
    }

    /// Returns the expression as a new base. The constant is not part of the base, so the expression and its
    /// negation have the same name.
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

    /// Rotates the word to the right.
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

    /// Shifts the word to the right.
    pub(super) fn shift(&mut self, a: Id, distance: u32) -> Id {
        let turned = self.rotate(a, distance);
        let mask = self.constant(self.ones() >> distance);
        self.and(turned, mask)
    }

    /// Appends the terms of `a`, as a sum, to `terms`, and returns its constant.
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

    /// Returns the word with its bytes in reverse order.
    pub(super) fn swapped(&mut self, a: Id) -> Id {
        self.atom(Base::Swapped(a))
    }

    /// Returns the values of the expressions `of` for these values of the unknowns.
    pub(super) fn values(&self, of: &[Id], unknowns: &[u64]) -> Vec<u64> {
        let mut computed = self.computed(of.to_vec());
        self.compute(&mut computed, |number| unknowns[number]);
        computed.values
    }

    /// Lists the steps that compute the expressions.
    pub(super) fn computed(&self, of: Vec<Id>) -> Computed {
        let mut steps = Vec::new();
        let mut listed = vec![false; self.bases.len()];
        // Dependencies are listed first, without recursion, because functions of ninety rounds are deeply nested.
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

    /// Computes the values of the expressions. `unknowns` returns the value of each unknown by its number.
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

    /// Returns the value of an expression for these values of the bases.
    fn of_bases(&self, id: Id, bases: &[u64]) -> u64 {
        let atom = |atom: Atom| {
            let value = bases[(atom >> 6) as usize];
            match self.bits {
                64 => value.rotate_right(atom & 63),
                _ => u64::from((value as u32).rotate_right(atom & 63)),
            }
        };
        // The atoms are preceded by zeros, which are not atoms.
        let products = self.expressions[id as usize].iter();
        products.fold(0, |sum, (product, mask)| {
            let atoms = product.iter().rev().take_while(|x| **x != 0);
            atoms.fold(*mask, |bits, x| bits & atom(*x)) ^ sum
        })
    }
}

/// Expressions that are computed for many assignments of the unknowns.
pub(super) struct Computed {
    of: Vec<Id>,
    /// The bases, each after those that it depends on.
    steps: Vec<u32>,
    /// The values of the bases, by number.
    bases: Vec<u64>,
    pub(super) values: Vec<u64>,
}

/// The size of the arena at some time.
pub(crate) struct Mark {
    expressions: usize,
    bases: usize,
    unknowns: u32,
}

/// Returns the atoms of both products without duplicates, or `None` if they are more than a product can have.
fn product(x: Product, y: Product) -> Option<Product> {
    let mut product = ONE;
    let (mut i, mut j, mut free) = (ONE.len(), ONE.len(), ONE.len());
    // A merge in descending order.
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
