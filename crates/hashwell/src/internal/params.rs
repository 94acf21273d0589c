//! What an algorithm takes besides its message.

use crate::internal::small;

/// An input besides the message. Numbers are those of the C interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u32)]
pub enum Parameter {
    /// [`Params::output_len`]; bytes. Every row has a range, in most of a single length.
    OutputLength = 0,
    /// Secret key; its length in bytes is limited.
    Key = 1,
    /// BLAKE2 salt; length in bytes.
    Salt = 2,
    /// BLAKE2 personalization; length in bytes.
    Personal = 3,
    /// Customisation string; length in bytes.
    Customization = 4,
    /// cSHAKE's function name N, reserved for NIST; length in bytes.
    FunctionName = 5,
    /// TurboSHAKE's domain byte D; its value.
    Domain = 6,
    /// BLAKE3's key-derivation context; length in bytes.
    Context = 7,
    /// [`Node::fanout`] of a BLAKE2 tree; its value, as of those that follow.
    Fanout = 8,
    /// [`Node::max_depth`].
    MaxDepth = 9,
    /// [`Node::leaf_length`].
    LeafLength = 10,
    /// [`Node::offset`].
    NodeOffset = 11,
    /// [`Node::depth`].
    NodeDepth = 12,
    /// [`Node::inner_length`].
    InnerLength = 13,
    /// [`Node::last`]; 0 or 1.
    LastNode = 14,
}

/// What kind of value a parameter has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Any bytes; their number is limited.
    Bytes,
    /// Text, hashed as UTF-8, of which the bytes are limited.
    Text,
    /// A number; it is limited itself.
    Number,
    /// A number that is 0 or 1: no or yes.
    Flag,
}

/// What a parameter is where nobody gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// Absent, which is not the same as an empty value.
    Absent,
    /// Empty.
    Empty,
    /// This number.
    Number(u64),
}

/// A parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Of [`Shape::Bytes`].
    Bytes(&'a [u8]),
    /// Of [`Shape::Text`].
    Text(&'a str),
    /// Of [`Shape::Number`] and [`Shape::Flag`].
    Number(u64),
}

impl Value<'_> {
    /// What limits are about: the length in bytes, or the number itself.
    #[must_use]
    pub const fn quantity(self) -> u64 {
        match self {
            Value::Bytes(bytes) => bytes.len() as u64,
            Value::Text(text) => text.len() as u64,
            Value::Number(number) => number,
        }
    }
}

/// One row of [`PARAMETERS`]: how a parameter is called everywhere, and what its values are. Which rows of the
/// registry take it, and in which range, [`Algorithm::limits`](crate::Algorithm::limits) tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParameterRow {
    /// Which.
    pub parameter: Parameter,
    /// Number in the C interface, which programs have compiled in: never changed, never given again.
    pub id: u32,
    /// Canonical name, of C's `HW_PARAM_…` and of fields.
    pub name: &'static str,
    /// Keyword argument in Python; hashlib's where it has one.
    pub keyword: &'static str,
    /// Option of the command, without its hyphens.
    pub option: &'static str,
    /// Kind of value.
    pub shape: Shape,
    /// What it is where nobody gives it.
    pub plain: Plain,
    /// Unit of the range; empty for a plain number.
    pub unit: &'static str,
    /// The limited quantity in words, for [`Error::OutOfRange`](crate::Error::OutOfRange).
    pub quantity: &'static str,
    /// What a row without it does not have, for [`Error::Unsupported`](crate::Error::Unsupported).
    pub noun: &'static str,
    /// What it is for, and of which functions: one line for help texts, without a full stop. Empty in WebAssembly without an
    /// operating system.
    pub help: &'static str,
}

/// Every parameter, in the order of the C interface's numbers: the one table that all interfaces iterate.
pub static PARAMETERS: [ParameterRow; 15] = {
    use Parameter as P;
    use Plain::{Absent, Empty, Number};
    const TREE: &str = "tree parameters";
    #[rustfmt::skip]
    let rows = [
        row(P::OutputLength, "output_len", "digest_size", "length", Shape::Number, Absent, "bytes",
            "output length", "choice of output length", "Digest length (algorithms with variable output only)"),
        row(P::Key, "key", "key", "keyed", Shape::Bytes, Absent, "bytes",
            "key length", "key", "Secret key (BLAKE2: 1 to 64 bytes, BLAKE2s: 1 to 32, BLAKE3: exactly 32)"),
        row(P::Salt, "salt", "salt", "salt", Shape::Bytes, Empty, "bytes",
            "salt length", "salt", "BLAKE2 salt of at most 16 bytes (BLAKE2s: 8), padded with zeros [default: none]"),
        row(P::Personal, "personal", "person", "personalization", Shape::Bytes, Empty, "bytes",
            "personalisation length", "personalisation", "BLAKE2 personalization of at most 16 bytes (BLAKE2s: 8), padded with zeros [default: none]"),
        row(P::Customization, "customization", "customization", "customization", Shape::Bytes, Empty, "bytes",
            "customisation length", "customisation", "Customization string (cSHAKE, KangarooTwelve, Ascon-CXOF128) [default: empty]"),
        row(P::FunctionName, "function_name", "function_name", "function-name", Shape::Bytes, Empty, "bytes",
            "function name length", "function name", "cSHAKE function name; only NIST assigns these names [default: empty]"),
        row(P::Domain, "domain", "domain", "domain", Shape::Number, Number(0x1f), "",
            "domain byte", "domain byte", "TurboSHAKE domain separation byte, 1 to 127 [default: 31]"),
        row(P::Context, "context", "derive_key_context", "derive-key", Shape::Text, Absent, "bytes",
            "context length", "key-derivation context", "BLAKE3 key derivation: the purpose of the key as text; the input is the key material"),
        row(P::Fanout, "fanout", "fanout", "fanout", Shape::Number, Number(Node::SEQUENTIAL.fanout as u64), "",
            "fanout", TREE, "Maximum number of children per node, 0 to 255; 0 means unlimited [default: 1]"),
        row(P::MaxDepth, "max_depth", "depth", "depth", Shape::Number, Number(Node::SEQUENTIAL.max_depth as u64), "",
            "maximal depth", TREE, "Maximum depth of the tree, 1 to 255; 255 means unlimited [default: 1]"),
        row(P::LeafLength, "leaf_len", "leaf_size", "leaf-size", Shape::Number, Number(0), "bytes",
            "leaf length", TREE, "Maximum bytes of input per leaf; 0 means unlimited [default: 0]"),
        row(P::NodeOffset, "node_offset", "node_offset", "node-offset", Shape::Number, Number(0), "",
            "node offset", TREE, "Index of this node within its level, counted from 0 [default: 0]"),
        row(P::NodeDepth, "node_depth", "node_depth", "node-depth", Shape::Number, Number(0), "",
            "node depth", TREE, "Level of this node; leaves are level 0 [default: 0]"),
        row(P::InnerLength, "inner_len", "inner_size", "inner-size", Shape::Number, Number(0), "bytes",
            "inner digest length", TREE, "Digest length of inner nodes in bytes, at most 64 (BLAKE2s: 32) [default: 0]"),
        row(P::LastNode, "last_node", "last_node", "last-node", Shape::Flag, Number(0), "",
            "last node flag", TREE, "Mark this node as the last one of its level"),
    ];
    let mut i = 0;
    while i < rows.len() {
        assert!(rows[i].id as usize == i, "the table is in the order of the enumeration");
        i += 1;
    }
    rows
};

#[allow(clippy::too_many_arguments)] // the columns
const fn row(
    parameter: Parameter,
    name: &'static str,
    keyword: &'static str,
    option: &'static str,
    shape: Shape,
    plain: Plain,
    unit: &'static str,
    quantity: &'static str,
    noun: &'static str,
    help: &'static str,
) -> ParameterRow {
    let id = parameter as u32;
    let help = if small::NO_HELP { "" } else { help };
    ParameterRow { parameter, id, name, keyword, option, shape, plain, unit, quantity, noun, help }
}

impl Parameter {
    /// Its names, its kind of value and its unit.
    #[must_use]
    pub fn row(self) -> &'static ParameterRow {
        &PARAMETERS[self as usize]
    }
}

/// A parameter that a row accepts, with the range of its length (or value).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepts {
    /// Which.
    pub parameter: Parameter,
    /// Smallest length or value.
    pub min: u64,
    /// Largest length or value.
    pub max: u64,
}

pub(crate) const fn accepts(parameter: Parameter, min: u64, max: u64) -> Accepts {
    Accepts { parameter, min, max }
}

/// A node's place in a tree of BLAKE2 hashes, which the caller builds (BLAKE2 paper section 2.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Most children of a node, 0 for no limit.
    pub fanout: u8,
    /// Levels of the tree, 1 to 255; 255 also for no limit.
    pub max_depth: u8,
    /// Most bytes of message in a leaf, 0 for no limit.
    pub leaf_length: u32,
    /// Number of the node in its level, from 0. BLAKE2s: below 2^48.
    pub offset: u64,
    /// Level of the node, 0 for leaves.
    pub depth: u8,
    /// Bytes of the digests of inner nodes, at most what the function gives.
    pub inner_length: u8,
    /// Whether it is the last of its level.
    pub last: bool,
}

impl Node {
    /// Plain hashing: the one node of a tree of depth 1.
    pub const SEQUENTIAL: Node =
        Node { fanout: 1, max_depth: 1, leaf_length: 0, offset: 0, depth: 0, inner_length: 0, last: false };
}

impl Default for Node {
    fn default() -> Self {
        Node::SEQUENTIAL
    }
}

/// Inputs besides the message. `Params::default()` is plain hashing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Params<'a> {
    /// Digest bytes, where the row lets the caller choose. For an extendable-output function: how much
    /// [`Hasher::digest`](crate::Hasher::digest) gives; the bytes do not depend on it.
    pub output_len: Option<usize>,
    /// Secret key (BLAKE2: up to 64 or 32 bytes; BLAKE3: 32 bytes).
    pub key: Option<&'a [u8]>,
    /// BLAKE2 salt, filled with zeros to 16 or 8 bytes.
    pub salt: &'a [u8],
    /// BLAKE2 personalisation, filled with zeros to 16 or 8 bytes.
    pub personal: &'a [u8],
    /// Customisation string (cSHAKE's S, KangarooTwelve's C, Ascon-CXOF128's Z).
    pub customization: &'a [u8],
    /// cSHAKE's function name N. NIST reserves it for functions it defines.
    pub function_name: &'a [u8],
    /// TurboSHAKE's domain byte D, 0x01 to 0x7f; 0x1f if not given.
    pub domain: Option<u8>,
    /// BLAKE3 key derivation: the application's context string; the message is the key material.
    pub context: Option<&'a str>,
    /// BLAKE2b and BLAKE2s: the node of a tree that this is.
    pub node: Node,
    /// Kernel to use, by name, instead of the fastest.
    pub kernel: Option<&'a str>,
}

impl<'a> Params<'a> {
    /// The value of a parameter; `None` where it is what plain hashing has.
    #[must_use]
    pub fn get(&self, parameter: Parameter) -> Option<Value<'a>> {
        let bytes = |bytes: &'a [u8]| (!bytes.is_empty()).then_some(Value::Bytes(bytes));
        let number =
            |number: u64| (parameter.row().plain != Plain::Number(number)).then_some(Value::Number(number));
        let node = self.node;
        match parameter {
            Parameter::OutputLength => self.output_len.map(|len| Value::Number(len as u64)),
            Parameter::Key => self.key.map(Value::Bytes),
            Parameter::Salt => bytes(self.salt),
            Parameter::Personal => bytes(self.personal),
            Parameter::Customization => bytes(self.customization),
            Parameter::FunctionName => bytes(self.function_name),
            // A row without a domain byte refuses the default, too.
            Parameter::Domain => self.domain.map(|domain| Value::Number(domain.into())),
            Parameter::Context => self.context.map(Value::Text),
            Parameter::Fanout => number(node.fanout.into()),
            Parameter::MaxDepth => number(node.max_depth.into()),
            Parameter::LeafLength => number(node.leaf_length.into()),
            Parameter::NodeOffset => number(node.offset),
            Parameter::NodeDepth => number(node.depth.into()),
            Parameter::InnerLength => number(node.inner_length.into()),
            Parameter::LastNode => number(node.last.into()),
        }
    }

    /// Whether it is plain hashing, on any kernel.
    #[must_use]
    pub(crate) fn is_plain(&self) -> bool {
        if small::PARAMETERS_BY_TABLE {
            return PARAMETERS.iter().all(|row| self.get(row.parameter).is_none());
        }
        Params { kernel: None, ..*self } == Params::default()
    }

    /// Sets a parameter by its name in the table; `None`, with nothing changed, if the value is of another shape, or more
    /// than the field can hold. Whether a row takes it is known when a state is built.
    #[must_use = "a value that does not fit changes nothing"]
    pub fn set(&mut self, parameter: Parameter, value: Value<'a>) -> Option<()> {
        let node = &mut self.node;
        match (parameter, value) {
            (Parameter::OutputLength, Value::Number(len)) => self.output_len = Some(len.try_into().ok()?),
            (Parameter::Key, Value::Bytes(key)) => self.key = Some(key),
            (Parameter::Salt, Value::Bytes(salt)) => self.salt = salt,
            (Parameter::Personal, Value::Bytes(personal)) => self.personal = personal,
            (Parameter::Customization, Value::Bytes(customization)) => self.customization = customization,
            (Parameter::FunctionName, Value::Bytes(name)) => self.function_name = name,
            (Parameter::Domain, Value::Number(domain)) => self.domain = Some(domain.try_into().ok()?),
            (Parameter::Context, Value::Text(context)) => self.context = Some(context),
            (Parameter::Fanout, Value::Number(fanout)) => node.fanout = fanout.try_into().ok()?,
            (Parameter::MaxDepth, Value::Number(depth)) => node.max_depth = depth.try_into().ok()?,
            (Parameter::LeafLength, Value::Number(len)) => node.leaf_length = len.try_into().ok()?,
            (Parameter::NodeOffset, Value::Number(offset)) => node.offset = offset,
            (Parameter::NodeDepth, Value::Number(depth)) => node.depth = depth.try_into().ok()?,
            (Parameter::InnerLength, Value::Number(len)) => node.inner_length = len.try_into().ok()?,
            (Parameter::LastNode, Value::Number(last @ (0 | 1))) => node.last = last == 1,
            _ => return None,
        }
        Some(())
    }
}

/// Whether a state depends on a key and must be overwritten on drop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrecy {
    Public,
    Secret,
}

impl Secrecy {
    pub(crate) fn of(params: &Params<'_>) -> Self {
        if params.key.is_some() || params.context.is_some() { Secrecy::Secret } else { Secrecy::Public }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_contexts_are_secret() {
        let (public, key, context) = (
            Params::default(),
            Params { key: Some(b""), ..Params::default() },
            Params { context: Some(""), ..Params::default() },
        );
        assert!(Secrecy::of(&public) == Secrecy::Public);
        assert!(Secrecy::of(&key) == Secrecy::Secret);
        assert!(Secrecy::of(&context) == Secrecy::Secret);
    }
}
