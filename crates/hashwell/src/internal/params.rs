//! The inputs of an algorithm other than the message.

use crate::internal::small;

/// A parameter of an algorithm: an input other than the message. The discriminants are the parameter numbers of the C
/// interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u32)]
pub enum Parameter {
    /// The output length in bytes ([`Params::output_len`]). Every algorithm has a range of output lengths, which often
    /// contains only one length.
    OutputLength = 0,
    /// Secret key. Limits apply to its length in bytes.
    Key = 1,
    /// BLAKE2 salt. Limits apply to its length in bytes.
    Salt = 2,
    /// BLAKE2 personalization. Limits apply to its length in bytes.
    Personal = 3,
    /// Customization string. Limits apply to its length in bytes.
    Customization = 4,
    /// The function name N of cSHAKE, which is reserved for NIST. Limits apply to its length in
    /// bytes.
    FunctionName = 5,
    /// The domain byte D of TurboSHAKE. Limits apply to its value.
    Domain = 6,
    /// The key-derivation context of BLAKE3. Limits apply to its length in bytes.
    Context = 7,
    /// [`Node::fanout`] of a BLAKE2 tree. Limits apply to the value of this and the following
    /// parameters.
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
    /// [`Node::last`], 0 or 1.
    LastNode = 14,
}

/// The type of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A byte string. Its length is limited.
    Bytes,
    /// A string that is hashed as UTF-8. Its length in bytes is limited.
    Text,
    /// A number. Its value is limited.
    Number,
    /// A number that is 0 (no) or 1 (yes).
    Flag,
}

/// The default value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// No value, which is not the same as an empty value.
    Absent,
    /// An empty value.
    Empty,
    /// This number.
    Number(u64),
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A value of [`Shape::Bytes`].
    Bytes(&'a [u8]),
    /// A value of [`Shape::Text`].
    Text(&'a str),
    /// A value of [`Shape::Number`] or [`Shape::Flag`].
    Number(u64),
}

impl Value<'_> {
    /// Returns the quantity to which limits apply: the length in bytes, or the number itself.
    #[must_use]
    pub const fn quantity(self) -> u64 {
        match self {
            Value::Bytes(bytes) => bytes.len() as u64,
            Value::Text(text) => text.len() as u64,
            Value::Number(number) => number,
        }
    }
}

/// A row of [`PARAMETERS`], with the names and the type of a parameter. [`Algorithm::limits`](crate::Algorithm::limits)
/// returns the range of the parameter for an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParameterRow {
    /// The parameter.
    pub parameter: Parameter,
    /// The number of the parameter in the C interface. Compiled programs contain it, so it is never
    /// changed or reused.
    pub id: u32,
    /// The canonical name, as in `HW_PARAM_…` and in the fields of `hw_params` and `hw_node` in C.
    pub name: &'static str,
    /// The keyword argument in Python. If hashlib has the parameter, the keyword is the same as in hashlib.
    pub keyword: &'static str,
    /// The command-line option, without the leading hyphens.
    pub option: &'static str,
    /// The type of the value.
    pub shape: Shape,
    /// The default.
    pub plain: Plain,
    /// The unit of the range, or an empty string for a plain number.
    pub unit: &'static str,
    /// A description of the limited quantity, for [`Error::OutOfRange`](crate::Error::OutOfRange).
    pub quantity: &'static str,
    /// A description of the parameter, for [`Error::Unsupported`](crate::Error::Unsupported).
    pub noun: &'static str,
    /// One line of help text without a full stop: the purpose of the parameter, and the functions that have it. The
    /// text is empty in WebAssembly without an operating system.
    pub help: &'static str,
}

/// All parameters, sorted by their number in the C interface. All interfaces iterate over this table.
pub static PARAMETERS: [ParameterRow; 15] = {
    use Parameter as P;
    use Plain::{Absent, Empty, Number};
    const TREE: &str = "tree parameters";
    #[rustfmt::skip]
    let rows = [
        row(P::OutputLength, "output_len", "digest_size", "length", Shape::Number, Absent, "bytes",
            "output length", "a variable output length", "Digest length (algorithms with variable output only)"),
        row(P::Key, "key", "key", "keyed", Shape::Bytes, Absent, "bytes",
            "key length", "a key", "Secret key (BLAKE2: 1 to 64 bytes, BLAKE2s: 1 to 32, BLAKE3: exactly 32)"),
        row(P::Salt, "salt", "salt", "salt", Shape::Bytes, Empty, "bytes",
            "salt length", "a salt", "BLAKE2 salt of at most 16 bytes (BLAKE2s: 8), padded with zeros [default: none]"),
        row(P::Personal, "personal", "person", "personalization", Shape::Bytes, Empty, "bytes",
            "personalisation length", "personalisation", "BLAKE2 personalization of at most 16 bytes (BLAKE2s: 8), padded with zeros [default: none]"),
        row(P::Customization, "customization", "customization", "customization", Shape::Bytes, Empty, "bytes",
            "customisation length", "customisation", "Customization string (cSHAKE, KangarooTwelve, Ascon-CXOF128) [default: empty]"),
        row(P::FunctionName, "function_name", "function_name", "function-name", Shape::Bytes, Empty, "bytes",
            "function name length", "a function name", "cSHAKE function name; only NIST assigns these names [default: empty]"),
        row(P::Domain, "domain", "domain", "domain", Shape::Number, Number(0x1f), "",
            "domain byte", "a domain byte", "TurboSHAKE domain separation byte, 1 to 127 [default: 31]"),
        row(P::Context, "context", "derive_key_context", "derive-key", Shape::Text, Absent, "bytes",
            "context length", "a key-derivation context", "Derive a key with BLAKE3 from the input, which is the key material; CONTEXT states the purpose of the key"),
        row(P::Fanout, "fanout", "fanout", "fanout", Shape::Number, Number(Node::SEQUENTIAL.fanout as u64), "",
            "fanout", TREE, "Maximum number of children per node, 0 to 255; 0 means unlimited [default: 1]"),
        row(P::MaxDepth, "max_depth", "depth", "depth", Shape::Number, Number(Node::SEQUENTIAL.max_depth as u64), "",
            "maximal depth", TREE, "Number of levels of the tree, 1 to 255; 255 can also mean no limit [default: 1]"),
        row(P::LeafLength, "leaf_len", "leaf_size", "leaf-size", Shape::Number, Number(0), "bytes",
            "leaf length", TREE, "Maximum number of input bytes per leaf; 0 means unlimited [default: 0]"),
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

#[allow(clippy::too_many_arguments)] // one for each column
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
    /// Returns the names, type and unit of the parameter.
    #[must_use]
    pub fn row(self) -> &'static ParameterRow {
        &PARAMETERS[self as usize]
    }
}

/// A parameter that an algorithm accepts, with the range of its length or value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepts {
    /// The parameter.
    pub parameter: Parameter,
    /// The smallest length or value.
    pub min: u64,
    /// The largest length or value.
    pub max: u64,
}

pub(crate) const fn accepts(parameter: Parameter, min: u64, max: u64) -> Accepts {
    Accepts { parameter, min, max }
}

/// The position of a node in a tree of BLAKE2 hashes that you build yourself (BLAKE2 paper, section
/// 2.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The maximum number of children of a node, or 0 for no limit.
    pub fanout: u8,
    /// The maximum number of levels of the tree, 1 to 255. The value 255 can also mean that there is no limit.
    pub max_depth: u8,
    /// The maximum number of message bytes in a leaf, or 0 for no limit.
    pub leaf_length: u32,
    /// The index of the node in its level, counted from 0. For BLAKE2s, the index is less than 2^48.
    pub offset: u64,
    /// The level of the node, 0 for leaves.
    pub depth: u8,
    /// The length of the digests of inner nodes in bytes, at most the maximum digest length of the
    /// function.
    pub inner_length: u8,
    /// True if the node is the last one of its level.
    pub last: bool,
}

impl Node {
    /// The position of a hash that is not part of a larger tree: the only node of a tree of depth
    /// 1.
    pub const SEQUENTIAL: Node =
        Node { fanout: 1, max_depth: 1, leaf_length: 0, offset: 0, depth: 0, inner_length: 0, last: false };
}

impl Default for Node {
    fn default() -> Self {
        Node::SEQUENTIAL
    }
}

/// The inputs of an algorithm other than the message. `Params::default()` means plain hashing: no key, and the default
/// value of every other parameter.
///
/// ```
/// use hashwell::Params;
///
/// let params = Params { key: Some(b"a secret key"), output_len: Some(20), ..Default::default() };
/// let hasher = hashwell::find("blake2b-512")?.build(&params)?;
/// assert_eq!(hasher.output_len(), 20);
/// # Ok::<(), hashwell::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Params<'a> {
    /// The length of the digest in bytes, for algorithms that let you choose it. For an extendable-output function,
    /// this is the length of [`Hasher::digest`](crate::Hasher::digest), and the output bytes do not depend on this
    /// length.
    pub output_len: Option<usize>,
    /// The secret key: at most 64 bytes for BLAKE2b and BLAKE2bp, at most 32 bytes for BLAKE2s and BLAKE2sp, or exactly
    /// 32 bytes for BLAKE3.
    pub key: Option<&'a [u8]>,
    /// The BLAKE2 salt, padded with zeros to 16 bytes (BLAKE2b and BLAKE2bp) or 8 bytes (BLAKE2s and BLAKE2sp).
    pub salt: &'a [u8],
    /// The BLAKE2 personalization, padded with zeros to 16 bytes (BLAKE2b and BLAKE2bp) or 8 bytes (BLAKE2s and
    /// BLAKE2sp).
    pub personal: &'a [u8],
    /// The customization string, which is called S in cSHAKE, C in KangarooTwelve and Z in Ascon-CXOF128.
    pub customization: &'a [u8],
    /// The function name N of cSHAKE. NIST reserves it for functions that it defines.
    pub function_name: &'a [u8],
    /// The domain byte D of TurboSHAKE, 0x01 to 0x7f. The default is 0x1f.
    pub domain: Option<u8>,
    /// The context string of BLAKE3 key derivation. The message is then the key material.
    pub context: Option<&'a str>,
    /// The node of a tree that this hash computes, for BLAKE2b and BLAKE2s.
    pub node: Node,
    /// The name of the kernel to use instead of the fastest kernel.
    pub kernel: Option<&'a str>,
}

impl<'a> Params<'a> {
    /// Returns the value of a parameter, or `None` if the parameter is not set.
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
            // An algorithm without a domain byte rejects the default value, too.
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

    /// Returns true for plain hashing, with any kernel.
    #[must_use]
    pub(crate) fn is_plain(&self) -> bool {
        if small::PARAMETERS_BY_TABLE {
            return PARAMETERS.iter().all(|row| self.get(row.parameter).is_none());
        }
        Params { kernel: None, ..*self } == Params::default()
    }

    /// Sets a parameter. Returns `None` and changes nothing if the value has the wrong type or is
    /// too large for the field.
    ///
    /// This method does not check whether an algorithm accepts the parameter.
    /// [`Algorithm::build`](crate::Algorithm::build) checks this.
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

/// Records whether a state depends on a key and must be overwritten on drop.
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
