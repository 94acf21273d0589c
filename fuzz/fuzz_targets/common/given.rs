//! Parameters in addition to the message, chosen by the fuzzer: in most cases those that the algorithm takes.
use arbitrary::Arbitrary;
use hashwell::registry::Parameter;
use hashwell::{Algorithm, Node, Params};

#[derive(Arbitrary, Debug)]
pub struct Given {
    /// One bit for each parameter: 1 if it is given.
    which: u16,
    /// If 0, parameters are given with any length, whether or not the algorithm takes them.
    any: u8,
    output_len: u8,
    lengths: [u8; 3],
    key: [u8; 70],
    salt: [u8; 20],
    personal: [u8; 20],
    customization: Vec<u8>,
    function_name: Vec<u8>,
    domain: u8,
    context: String,
    node: (u64, u32, [u8; 4], bool),
}

impl Given {
    pub fn params(&self, algorithm: &Algorithm) -> Params<'_> {
        let any = self.any == 0;
        let given = |bit: u32, parameter| self.which >> bit & 1 == 1 && (any || algorithm.takes(parameter));
        let fitting = |number: u64, parameter| match algorithm.limits(parameter) {
            Some(limits) if !any => number.clamp(limits.min, limits.max),
            _ => number,
        };
        let bytes = |bit, parameter, bytes: &'_ [u8], len: u8| {
            let len = usize::from(len) % (bytes.len() + 1);
            if given(bit, parameter) { fitting(len as u64, parameter) as usize } else { 0 }
        };
        let (offset, leaf_length, of_node, last) = self.node;
        let small = |place: usize, parameter, plain| match given(8, parameter) {
            true => fitting(of_node[place].into(), parameter) as u8,
            false => plain,
        };
        let plain = Node::SEQUENTIAL;
        let node = Node {
            fanout: small(0, Parameter::Fanout, plain.fanout),
            max_depth: small(1, Parameter::MaxDepth, plain.max_depth),
            leaf_length: if given(8, Parameter::LeafLength) { leaf_length } else { 0 },
            offset: if given(8, Parameter::NodeOffset) { fitting(offset, Parameter::NodeOffset) } else { 0 },
            depth: small(2, Parameter::NodeDepth, plain.depth),
            inner_length: small(3, Parameter::InnerLength, plain.inner_length),
            last: last && given(8, Parameter::LastNode),
        };
        let key_len = bytes(0, Parameter::Key, &self.key, self.lengths[0]);
        let output_len = fitting(self.output_len.into(), Parameter::OutputLength) as usize;
        Params {
            output_len: given(7, Parameter::OutputLength).then_some(output_len).filter(|len| *len > 0),
            key: given(0, Parameter::Key).then(|| &self.key[..key_len]),
            salt: &self.salt[..bytes(1, Parameter::Salt, &self.salt, self.lengths[1])],
            personal: &self.personal[..bytes(2, Parameter::Personal, &self.personal, self.lengths[2])],
            customization: match given(3, Parameter::Customization) {
                true => &self.customization,
                false => &[],
            },
            function_name: if given(4, Parameter::FunctionName) { &self.function_name } else { &[] },
            // In C, 0 means that there is no domain.
            domain: given(5, Parameter::Domain)
                .then(|| fitting(self.domain.into(), Parameter::Domain) as u8)
                .filter(|domain| *domain > 0),
            context: given(6, Parameter::Context).then_some(&*self.context),
            node,
            kernel: None,
        }
    }
}

/// A kernel of the algorithm that this CPU supports, or `None`, which lets hashwell choose.
#[allow(dead_code)] // each target uses only some of the functions
pub fn kernel(algorithm: &'static Algorithm, choice: u8, batch: bool) -> Option<&'static str> {
    let more = if batch { algorithm.batch_kernels() } else { Vec::new() };
    let there = algorithm.kernels().into_iter().chain(more).filter(|kernel| kernel.available);
    let names: Vec<_> = [None].into_iter().chain(there.map(|kernel| Some(kernel.name))).collect();
    names[usize::from(choice) % names.len()]
}

/// The portable kernel, which comes last in every table.
#[allow(dead_code)] // each target uses only some of the functions
pub fn portable(algorithm: &'static Algorithm) -> Option<&'static str> {
    algorithm.kernels().last().map(|kernel| kernel.name)
}
