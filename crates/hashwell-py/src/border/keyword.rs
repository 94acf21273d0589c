//! Python's names of the library's parameters.

use hashwell::registry::Parameter;

/// Python's names of the library's parameters.
pub(crate) struct Keyword;

impl Keyword {
    /// The keyword of a parameter; hashlib's where it has one. `None` for a parameter this binding does
    /// not know, which its tests refuse.
    pub(crate) fn of(parameter: Parameter) -> Option<&'static str> {
        Some(match parameter {
            Parameter::Key => "key",
            Parameter::Salt => "salt",
            Parameter::Personal => "person",
            Parameter::Customization => "customization",
            Parameter::FunctionName => "function_name",
            Parameter::Domain => "domain",
            Parameter::Context => "derive_key_context",
            Parameter::Fanout => "fanout",
            Parameter::MaxDepth => "depth",
            Parameter::LeafLength => "leaf_size",
            Parameter::NodeOffset => "node_offset",
            Parameter::NodeDepth => "node_depth",
            Parameter::InnerLength => "inner_size",
            Parameter::LastNode => "last_node",
            _ => return None,
        })
    }

    /// Its default, as a signature shows it.
    pub(crate) fn default(parameter: Parameter) -> &'static str {
        match parameter {
            Parameter::Key | Parameter::Context => "None",
            Parameter::Domain => "31",
            Parameter::Fanout | Parameter::MaxDepth => "1",
            Parameter::LeafLength | Parameter::NodeOffset | Parameter::NodeDepth | Parameter::InnerLength => {
                "0"
            }
            Parameter::LastNode => "False",
            _ => "b''",
        }
    }
}
