//! The parameters of a hash, as C has them.

use crate::boundary::Failure;
use crate::memory::{input, text};
use hashwell::registry::{PARAMETERS, Parameter, Value};
use hashwell::{Algorithm, Params};
use std::ffi::{c_char, c_int};
use std::mem::{MaybeUninit, offset_of};

/// `hw_params` of the header.
#[repr(C)]
pub(crate) struct CParams {
    /// Bytes of the struct that the program was compiled with.
    size: usize,
    output_len: usize,
    key: *const u8,
    key_len: usize,
    salt: *const u8,
    salt_len: usize,
    personal: *const u8,
    personal_len: usize,
    customization: *const u8,
    customization_len: usize,
    function_name: *const u8,
    function_name_len: usize,
    context: *const u8,
    context_len: usize,
    kernel: *const c_char,
    domain: c_int,
    node: *const CNode,
}

/// Bytes of the struct before it had `node`, which programs may have compiled in.
const WITHOUT_NODE: usize = offset_of!(CParams, node);

/// `hw_node` of the header.
#[derive(Clone, Copy)]
#[repr(C)]
struct CNode {
    node_offset: u64,
    leaf_len: u32,
    fanout: u8,
    max_depth: u8,
    node_depth: u8,
    inner_len: u8,
    last_node: u8,
}

impl CParams {
    /// What the struct has for a parameter.
    ///
    /// # Safety
    /// The struct's pointers are good.
    unsafe fn value<'a>(
        &self,
        node: Option<CNode>,
        parameter: Parameter,
    ) -> Result<Option<Value<'a>>, Failure> {
        let bytes = |data: *const u8, len: usize| match data.is_null() {
            true if len == 0 => Ok(None),
            // SAFETY: the caller vouches for every pointer of the struct.
            _ => unsafe { input(data, len) }.map(Some),
        };
        let number = |number: u64| (number != 0).then_some(Value::Number(number));
        let of_node = |field: fn(&CNode) -> u64| node.as_ref().map(|node| Value::Number(field(node)));
        Ok(match parameter {
            Parameter::OutputLength => number(self.output_len as u64),
            Parameter::Key => bytes(self.key, self.key_len)?.map(Value::Bytes),
            Parameter::Salt => bytes(self.salt, self.salt_len)?.map(Value::Bytes),
            Parameter::Personal => bytes(self.personal, self.personal_len)?.map(Value::Bytes),
            Parameter::Customization => bytes(self.customization, self.customization_len)?.map(Value::Bytes),
            Parameter::FunctionName => bytes(self.function_name, self.function_name_len)?.map(Value::Bytes),
            Parameter::Domain => number(u64::try_from(self.domain).map_err(|_| Failure::Range)?),
            Parameter::Context => {
                let context = bytes(self.context, self.context_len)?.map(str::from_utf8).transpose();
                context.map_err(|_| Failure::Text)?.map(Value::Text)
            }
            Parameter::Fanout => of_node(|node| node.fanout.into()),
            Parameter::MaxDepth => of_node(|node| node.max_depth.into()),
            Parameter::LeafLength => of_node(|node| node.leaf_len.into()),
            Parameter::NodeOffset => of_node(|node| node.node_offset),
            Parameter::NodeDepth => of_node(|node| node.node_depth.into()),
            Parameter::InnerLength => of_node(|node| node.inner_len.into()),
            Parameter::LastNode => of_node(|node| node.last_node.into()),
            // A parameter of the table that the struct does not have: `unknown` names it to a test.
            _ => return Err(Failure::Internal),
        })
    }
}

/// The first parameter of the table that the struct has no value for.
#[cfg(test)]
pub(crate) fn unknown() -> Option<&'static str> {
    // SAFETY: null pointers and zeros are values of every field.
    let nothing = unsafe { MaybeUninit::<CParams>::zeroed().assume_init() };
    // SAFETY: a null pointer is good.
    let known = |parameter| unsafe { nothing.value(None, parameter) }.is_ok();
    PARAMETERS.iter().find(|row| !known(row.parameter)).map(|row| row.name)
}

/// The parameters; none if there is no struct.
///
/// # Safety
/// `params` is NULL or points to a `size_t` and as many bytes in all as it says, whose pointers are good.
pub(crate) unsafe fn read<'a>(params: *const CParams) -> Result<Params<'a>, Failure> {
    let mut read = Params::default();
    if params.is_null() {
        return Ok(read);
    }
    // SAFETY: the size comes first, and the caller vouches for as many bytes as it says. Nothing else is looked at unless
    // it is one that the struct has had, and what the struct did not have then is zero, a value of every field.
    let given = unsafe {
        let size = (&raw const (*params).size).read();
        if ![WITHOUT_NODE, size_of::<CParams>()].contains(&size) {
            return Err(Failure::Params);
        }
        let mut given = MaybeUninit::<CParams>::zeroed();
        params.cast::<u8>().copy_to_nonoverlapping(given.as_mut_ptr().cast(), size);
        given.assume_init()
    };
    // SAFETY: NULL, or a pointer of the struct, for which the caller vouches.
    let node = unsafe { given.node.as_ref() }.copied();
    for row in &PARAMETERS {
        // SAFETY: the caller vouches for every pointer of the struct.
        if let Some(value) = unsafe { given.value(node, row.parameter)? } {
            read.set(row.parameter, value).ok_or(Failure::Range)?;
        }
    }
    // SAFETY: NULL, or a name that ends with a NUL, for which the caller vouches.
    read.kernel = unsafe { text(given.kernel)? };
    Ok(read)
}

/// The row of this number.
#[inline]
pub(crate) fn algorithm(id: u32) -> Result<&'static Algorithm, Failure> {
    hashwell::registry::by_id(id).ok_or(Failure::Algorithm)
}
