//! The parameters of a hash in their C form.

use crate::boundary::Failure;
use crate::memory::{input, text};
use hashwell::registry::{PARAMETERS, Parameter, Value};
use hashwell::{Algorithm, Params};
use std::ffi::{c_char, c_int};
use std::mem::{MaybeUninit, offset_of};

/// `hw_params` of the header.
#[repr(C)]
pub(crate) struct CParams {
    /// The size in bytes of the struct that the program was compiled with.
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

/// The size of the struct before `node` was added, which older programs may still use.
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
    /// Returns the value of a parameter in the struct, if it is set.
    ///
    /// # Safety
    /// The pointers of the struct are valid.
    unsafe fn value<'a>(
        &self,
        node: Option<CNode>,
        parameter: Parameter,
    ) -> Result<Option<Value<'a>>, Failure> {
        let bytes = |data: *const u8, len: usize| match data.is_null() {
            true if len == 0 => Ok(None),
            // SAFETY: the caller guarantees that every pointer of the struct is valid.
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
            // This parameter of the table is missing in the struct. A test finds such parameters with `unknown`.
            _ => return Err(Failure::Internal),
        })
    }
}

/// Returns the first parameter of the table that is missing in the struct.
#[cfg(test)]
pub(crate) fn unknown() -> Option<&'static str> {
    // SAFETY: null pointers and zeros are valid values of all fields.
    let nothing = unsafe { MaybeUninit::<CParams>::zeroed().assume_init() };
    // SAFETY: null pointers are valid here.
    let known = |parameter| unsafe { nothing.value(None, parameter) }.is_ok();
    PARAMETERS.iter().find(|row| !known(row.parameter)).map(|row| row.name)
}

/// Converts the parameters. NULL means that none is set.
///
/// # Safety
/// `params` is NULL, or points to a struct whose first field contains the size of the struct, and whose pointers are
/// valid.
pub(crate) unsafe fn read<'a>(params: *const CParams) -> Result<Params<'a>, Failure> {
    let mut read = Params::default();
    if params.is_null() {
        return Ok(read);
    }
    // SAFETY: the size is the first field, and the caller guarantees as many bytes. Nothing else is read unless a
    // version of the struct had this size. Fields that this version did not have are zero, which is valid for every
    // field.
    let given = unsafe {
        let size = (&raw const (*params).size).read();
        if ![WITHOUT_NODE, size_of::<CParams>()].contains(&size) {
            return Err(Failure::Params);
        }
        let mut given = MaybeUninit::<CParams>::zeroed();
        params.cast::<u8>().copy_to_nonoverlapping(given.as_mut_ptr().cast(), size);
        given.assume_init()
    };
    // SAFETY: this is NULL, or a pointer of the struct, which the caller guarantees to be valid.
    let node = unsafe { given.node.as_ref() }.copied();
    for row in &PARAMETERS {
        // SAFETY: the caller guarantees that every pointer of the struct is valid.
        if let Some(value) = unsafe { given.value(node, row.parameter)? } {
            read.set(row.parameter, value).ok_or(Failure::Range)?;
        }
    }
    // SAFETY: this is NULL, or the caller guarantees a name that ends with a NUL.
    read.kernel = unsafe { text(given.kernel)? };
    Ok(read)
}

/// Returns the algorithm with this number.
#[inline]
pub(crate) fn algorithm(id: u32) -> Result<&'static Algorithm, Failure> {
    hashwell::registry::by_id(id).ok_or(Failure::Algorithm)
}
