//! What an algorithm takes besides its message.

/// An input besides the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parameter {
    /// Secret key; its length in bytes is limited.
    Key,
    /// BLAKE2 salt; length in bytes.
    Salt,
    /// BLAKE2 personalisation; length in bytes.
    Personal,
    /// Customisation string; length in bytes.
    Customization,
    /// cSHAKE's function name N, reserved for NIST; length in bytes.
    FunctionName,
    /// TurboSHAKE's domain byte D; its value.
    Domain,
    /// BLAKE3's key-derivation context; length in bytes.
    Context,
    /// [`Node::fanout`] of a BLAKE2 tree; its value, as of those that follow.
    Fanout,
    /// [`Node::max_depth`].
    MaxDepth,
    /// [`Node::leaf_length`].
    LeafLength,
    /// [`Node::offset`].
    NodeOffset,
    /// [`Node::depth`].
    NodeDepth,
    /// [`Node::inner_length`].
    InnerLength,
    /// [`Node::last`]; 0 or 1.
    LastNode,
}

impl Parameter {
    /// What messages call it, and the unit of its limits.
    pub(crate) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Parameter::Key => ("key length", "bytes"),
            Parameter::Salt => ("salt length", "bytes"),
            Parameter::Personal => ("personalisation length", "bytes"),
            Parameter::Customization => ("customisation length", "bytes"),
            Parameter::FunctionName => ("function name length", "bytes"),
            Parameter::Domain => ("domain byte", ""),
            Parameter::Context => ("context length", "bytes"),
            Parameter::Fanout => ("fanout", ""),
            Parameter::MaxDepth => ("maximal depth", ""),
            Parameter::LeafLength => ("leaf length", "bytes"),
            Parameter::NodeOffset => ("node offset", ""),
            Parameter::NodeDepth => ("node depth", ""),
            Parameter::InnerLength => ("inner digest length", "bytes"),
            Parameter::LastNode => ("last node flag", ""),
        }
    }

    /// What [`Error::Unsupported`](crate::Error::Unsupported) calls it.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Parameter::Key => "key",
            Parameter::Salt => "salt",
            Parameter::Personal => "personalisation",
            Parameter::Customization => "customisation",
            Parameter::FunctionName => "function name",
            Parameter::Domain => "domain byte",
            Parameter::Context => "key-derivation context",
            Parameter::Fanout
            | Parameter::MaxDepth
            | Parameter::LeafLength
            | Parameter::NodeOffset
            | Parameter::NodeDepth
            | Parameter::InnerLength
            | Parameter::LastNode => "tree parameters",
        }
    }

    /// The limited quantity, if the parameter is given.
    pub(crate) fn given(self, params: &Params<'_>) -> Option<u64> {
        let non_empty = |bytes: &[u8]| (!bytes.is_empty()).then_some(bytes.len() as u64);
        // A tree parameter is given where it is not what plain hashing has.
        let (node, plain) = (params.node, Node::SEQUENTIAL);
        let other = |value: u64, plain: u64| (value != plain).then_some(value);
        match self {
            Parameter::Key => params.key.map(|key| key.len() as u64),
            Parameter::Salt => non_empty(params.salt),
            Parameter::Personal => non_empty(params.personal),
            Parameter::Customization => non_empty(params.customization),
            Parameter::FunctionName => non_empty(params.function_name),
            Parameter::Domain => params.domain.map(u64::from),
            Parameter::Context => params.context.map(|context| context.len() as u64),
            Parameter::Fanout => other(node.fanout.into(), plain.fanout.into()),
            Parameter::MaxDepth => other(node.max_depth.into(), plain.max_depth.into()),
            Parameter::LeafLength => other(node.leaf_length.into(), plain.leaf_length.into()),
            Parameter::NodeOffset => other(node.offset, plain.offset),
            Parameter::NodeDepth => other(node.depth.into(), plain.depth.into()),
            Parameter::InnerLength => other(node.inner_length.into(), plain.inner_length.into()),
            Parameter::LastNode => other(node.last.into(), plain.last.into()),
        }
    }

    /// Every parameter.
    pub const ALL: [Parameter; 14] = [
        Parameter::Key,
        Parameter::Salt,
        Parameter::Personal,
        Parameter::Customization,
        Parameter::FunctionName,
        Parameter::Domain,
        Parameter::Context,
        Parameter::Fanout,
        Parameter::MaxDepth,
        Parameter::LeafLength,
        Parameter::NodeOffset,
        Parameter::NodeDepth,
        Parameter::InnerLength,
        Parameter::LastNode,
    ];
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
