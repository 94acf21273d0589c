//! Classes whose attributes nobody can set, as hashlib's: one module's patch of `Digest.update` would reach all.
//!
//! PyO3 sets the flag for builds of one Python version, or for the stable ABI from 3.14 on. This build's stable ABI
//! starts at 3.11, where the flag exists but a type made by PyO3 gets it in no other way than here.
#![allow(unsafe_code)]

use pyo3::PyClass;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::ffi::c_ulong;
use std::ptr;

/// Where a type object keeps its flags: behind three words of an object with a size and eighteen of the type.
/// Released versions do not change it; that it is so in this one is checked.
const FLAGS_AT: usize = 21 * size_of::<usize>();

/// Adds a class, which cannot be changed from now on.
pub(crate) fn add_class<T: PyClass>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<T>()?;
    freeze(&module.py().get_type::<T>());
    Ok(())
}

/// Adds a class that only the package itself uses: it can't be changed either, and `__all__` doesn't list it.
pub(crate) fn add_private_class<T: PyClass>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let class = module.py().get_type::<T>();
    freeze(&class);
    module.setattr(class.name()?, class)
}

/// From now on nobody can set the class's attributes.
pub(crate) fn freeze(class: &Bound<'_, PyType>) {
    // Free-threaded builds have larger heads, and read flags atomically.
    if size_of::<ffi::PyObject>() != 2 * size_of::<usize>() {
        return;
    }
    let class = class.as_type_ptr();
    let known = [class, ptr::addr_of_mut!(ffi::PyType_Type), ptr::addr_of_mut!(ffi::PyBaseObject_Type)];
    let flags = |class: *mut ffi::PyTypeObject| class.wrapping_byte_add(FLAGS_AT).cast::<c_ulong>();
    // SAFETY: a type object is several hundred bytes, so that the word can be read. Three types of different
    // flags that all have them there show that it is the word; the interpreter is attached, so that nobody
    // reads it meanwhile, and it is told of the change.
    unsafe {
        if known.into_iter().all(|class| flags(class).read() == ffi::PyType_GetFlags(class)) {
            *flags(class) |= ffi::Py_TPFLAGS_IMMUTABLETYPE;
            ffi::PyType_Modified(class);
        }
    }
}
