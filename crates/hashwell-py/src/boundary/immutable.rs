//! Immutable classes, like those of hashlib. Otherwise, if one module patched `Digest.update`, this would affect all
//! modules.
//!
//! PyO3 sets the flag for immutable classes only in builds for one Python version, or for the stable ABI from 3.14 on.
//! This package uses the stable ABI of 3.11, where the flag exists but PyO3 does not set it. So this module sets it.
#![allow(unsafe_code)]

use pyo3::PyClass;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::ffi::c_ulong;
use std::ptr;

/// The offset of the flags in a type object: they follow three machine words of the variable-size object head and
/// eighteen words of the type. Released versions of Python do not change this offset, and [`freeze`] checks it.
const FLAGS_AT: usize = 21 * size_of::<usize>();

/// Adds a class to the module, and makes it immutable.
pub(crate) fn add_class<T: PyClass>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<T>()?;
    freeze(&module.py().get_type::<T>());
    Ok(())
}

/// Adds a class that only the package itself uses. It is immutable, too, and `__all__` doesn't list it.
pub(crate) fn add_private_class<T: PyClass>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let class = module.py().get_type::<T>();
    freeze(&class);
    module.setattr(class.name()?, class)
}

/// Makes the class immutable.
pub(crate) fn freeze(class: &Bound<'_, PyType>) {
    // Free-threaded builds have larger object heads, and read the flags atomically.
    if size_of::<ffi::PyObject>() != 2 * size_of::<usize>() {
        return;
    }
    let class = class.as_type_ptr();
    let known = [class, ptr::addr_of_mut!(ffi::PyType_Type), ptr::addr_of_mut!(ffi::PyBaseObject_Type)];
    let flags = |class: *mut ffi::PyTypeObject| class.wrapping_byte_add(FLAGS_AT).cast::<c_ulong>();
    // SAFETY: a type object has several hundred bytes, so the word can be read. It is the word with the flags, because
    // it matches the flags of three types that differ in their flags. This thread is attached, so no other thread reads
    // the word at the same time, and the interpreter is notified of the change.
    unsafe {
        if known.into_iter().all(|class| flags(class).read() == ffi::PyType_GetFlags(class)) {
            *flags(class) |= ffi::Py_TPFLAGS_IMMUTABLETYPE;
            ffi::PyType_Modified(class);
        }
    }
}
