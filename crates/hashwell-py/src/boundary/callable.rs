//! The type of constructors: builtin functions with attributes, which pickle by name.
//!
//! A [builtin function](crate::boundary::builtin) can't have attributes (`blake2b.SALT_SIZE`), and pickles as an
//! attribute of its owner. A class that PyO3 defines does not support vectorcall: Python would build a tuple and a
//! dictionary for every call, which costs a third of the time for hashing a short message.
#![allow(unsafe_code)]

use crate::boundary::builtin::{self, Builtin};
use crate::boundary::errors::exception;
use pyo3::exceptions::PyAttributeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use std::ffi::{CStr, c_int, c_ulong, c_void};
use std::mem::offset_of;
use std::ptr;

/// The description of a constructor, without its code.
pub(crate) struct About {
    /// Its name in the package.
    pub(crate) name: String,
    /// The text of its signature, in parentheses.
    pub(crate) signature: String,
    pub(crate) doc: String,
    pub(crate) row: &'static hashwell::Algorithm,
}

/// A builtin function with attributes.
pub(crate) trait Attributes: Builtin {
    /// The names of all attributes that any of these functions has.
    const NAMES: [&CStr; 9];

    /// Returns the value of the attribute, or `None` if this function does not have it.
    fn attribute<'py>(py: Python<'py>, about: &About, name: &str) -> PyResult<Option<Bound<'py, PyAny>>>;
}

#[repr(C)]
struct Callable {
    head: ffi::PyObject,
    /// The C function that Python finds with `__vectorcalloffset__` and calls.
    call: ffi::vectorcallfunc,
    about: &'static About,
}

/// The `PyMethodDef`s or `PyMemberDef`s of a type, which keeps pointers to them forever.
struct Table<T, const N: usize>([T; N]);
// SAFETY: the tables hold pointers to static text and functions, and are never written to.
unsafe impl<T, const N: usize> Sync for Table<T, N> {}

// Python 3.9 introduced the flag, but it has been part of the stable ABI only since 3.12.
const HAVE_VECTORCALL: c_ulong = 1 << 11;

static MEMBERS: Table<ffi::PyMemberDef, 2> = Table([
    ffi::PyMemberDef {
        name: c"__vectorcalloffset__".as_ptr(),
        type_code: ffi::Py_T_PYSSIZET,
        offset: offset_of!(Callable, call) as ffi::Py_ssize_t,
        flags: ffi::Py_READONLY,
        doc: ptr::null(),
    },
    ffi::PyMemberDef { name: ptr::null(), type_code: 0, offset: 0, flags: 0, doc: ptr::null() },
]);

static METHODS: Table<ffi::PyMethodDef, 2> = Table([
    ffi::PyMethodDef {
        ml_name: c"__reduce__".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: reduce },
        ml_flags: ffi::METH_NOARGS,
        ml_doc: c"__reduce__($self)\n--\n\nIts name in the package.".as_ptr(),
    },
    ffi::PyMethodDef::zeroed(),
]);

static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The type, created at the first call. There is only one kind of callable.
fn class<F: Attributes>(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    let class = TYPE.get_or_try_init(py, || {
        let getter = |name: &CStr| ffi::PyGetSetDef {
            name: name.as_ptr(),
            get: Some(get::<F>),
            set: None,
            doc: ptr::null(),
            closure: name.as_ptr().cast_mut().cast(),
        };
        // The type keeps pointers to the getters forever.
        let getters: Box<[ffi::PyGetSetDef]> =
            F::NAMES.map(getter).into_iter().chain([ffi::PyGetSetDef::default()]).collect();
        let slot = |slot: c_int, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
        let mut slots = [
            slot(ffi::Py_tp_call, call_with_tuple as *mut c_void),
            slot(ffi::Py_tp_repr, repr as *mut c_void),
            slot(ffi::Py_tp_getset, Box::leak(getters).as_mut_ptr().cast()),
            slot(ffi::Py_tp_descr_get, itself as *mut c_void),
            slot(ffi::Py_tp_members, MEMBERS.0.as_ptr().cast_mut().cast()),
            slot(ffi::Py_tp_methods, METHODS.0.as_ptr().cast_mut().cast()),
            slot(0, ptr::null_mut()),
        ];
        let mut spec = ffi::PyType_Spec {
            name: c"hashwell.constructor".as_ptr(),
            basicsize: size_of::<Callable>() as c_int,
            itemsize: 0,
            flags: (ffi::Py_TPFLAGS_DEFAULT
                | ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION
                | ffi::Py_TPFLAGS_IMMUTABLETYPE
                | HAVE_VECTORCALL) as _,
            slots: slots.as_mut_ptr(),
        };
        // SAFETY: the spec is complete: its slots end with a zero, each function has its slot's type, members, methods
        // and getters are never freed and end with zeros, and the offset of the vectorcall function is within the basic
        // size. The result is a new type, or null with an exception set.
        let class = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec)) }?;
        Ok::<_, PyErr>(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py))
}

/// Creates a callable of the package.
pub(crate) fn make<F: Attributes>(py: Python<'_>, about: About) -> PyResult<Bound<'_, PyAny>> {
    let class = class::<F>(py)?;
    // SAFETY: the type is ready and its objects are `Callable`s, whose object head the allocation has initialized; the
    // two other fields are written before any other code can access the object.
    unsafe {
        let object = ffi::PyType_GenericAlloc(class.as_ptr().cast(), 0);
        let object = Bound::from_owned_ptr_or_err(py, object)?;
        let callable = object.as_ptr().cast::<Callable>();
        (&raw mut (*callable).call).write(vectorcall::<F>);
        // Leaked, because the object lives as long as the module, which is never unloaded.
        (&raw mut (*callable).about).write(Box::leak(Box::new(about)));
        Ok(object)
    }
}

/// Returns the description of an object, if it is one of these callables.
#[inline]
pub(crate) fn about(object: &Bound<'_, PyAny>) -> Option<&'static About> {
    let class = TYPE.get(object.py())?;
    if !object.get_type().is(class) {
        return None;
    }
    // SAFETY: only `make` creates objects of exactly this type, and it fills the field.
    Some(unsafe { (*object.as_ptr().cast::<Callable>()).about })
}

/// The C function that Python calls. The callable is the owner of the builtin.
unsafe extern "C" fn vectorcall<F: Builtin>(
    callable: *mut ffi::PyObject,
    values: *const *mut ffi::PyObject,
    positional: usize,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // The highest bit is PY_VECTORCALL_ARGUMENTS_OFFSET, which allows this function to overwrite the element before the
    // first argument. We don't.
    let positional = (positional & (usize::MAX >> 1)) as ffi::Py_ssize_t;
    // SAFETY: apart from that bit, the arguments follow the protocol of METH_FASTCALL | METH_KEYWORDS.
    unsafe { builtin::trampoline::<F>(callable, values, positional, keywords) }
}

/// Implements `type(f).__call__(f, …)`, the only call that passes a tuple and a dictionary.
unsafe extern "C" fn call_with_tuple(
    callable: *mut ffi::PyObject,
    positional: *mut ffi::PyObject,
    named: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls this function on an attached thread.
    let py = unsafe { Python::assume_attached() };
    let vectorcall = || {
        // SAFETY: tp_call gets a tuple, and a dictionary or null; both outlive this call.
        let (positional, named) = unsafe {
            let positional = Borrowed::from_ptr(py, positional).cast_unchecked::<PyTuple>();
            (positional, Borrowed::from_ptr_or_opt(py, named).map(|named| named.cast_unchecked::<PyDict>()))
        };
        let mut values: Vec<Bound<'_, PyAny>> = positional.iter().collect();
        let mut keywords = None;
        if let Some(named) = named.filter(|named| !named.is_empty()) {
            keywords = Some(PyTuple::new(py, named.iter().map(|(keyword, _)| keyword))?);
            values.extend(named.iter().map(|(_, value)| value));
        }
        let keywords = keywords.as_ref().map_or(ptr::null_mut(), |keywords| keywords.as_ptr());
        // SAFETY: the callable is a `Callable`, whose function takes as many values as there are positional
        // ones and keywords; `Bound` is one pointer to an object.
        let result = unsafe {
            let call = (*callable.cast::<Callable>()).call;
            call(callable, values.as_ptr().cast(), positional.len(), keywords)
        };
        // SAFETY: the result is a new reference, or null with an exception set.
        unsafe { Bound::from_owned_ptr_or_err(py, result) }
    };
    builtin::give(py, vectorcall)
}

/// `__get__`, which returns the callable itself: like a builtin function, it does not become a method if it is an
/// attribute of a class.
unsafe extern "C" fn itself(
    callable: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the caller's reference is valid.
    unsafe { ffi::Py_NewRef(callable) }
}

unsafe extern "C" fn repr(callable: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: Python calls this function on an attached thread, and only with objects of the type.
    let (py, about) = unsafe { (Python::assume_attached(), (*callable.cast::<Callable>()).about) };
    builtin::give(py, || Ok(PyString::new(py, &format!("<constructor hashwell.{}>", about.name)).into_any()))
}

unsafe extern "C" fn reduce(callable: *mut ffi::PyObject, _: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: the same reasons as in `repr` apply.
    let (py, about) = unsafe { (Python::assume_attached(), (*callable.cast::<Callable>()).about) };
    builtin::give(py, || Ok(PyString::new(py, &about.name).into_any()))
}

unsafe extern "C" fn get<F: Attributes>(
    callable: *mut ffi::PyObject,
    name: *mut c_void,
) -> *mut ffi::PyObject {
    // SAFETY: the same reasons as in `repr` apply; the closure of every getter is its static name.
    let (py, about, name) = unsafe {
        let about = (*callable.cast::<Callable>()).about;
        (Python::assume_attached(), about, CStr::from_ptr(name.cast()))
    };
    builtin::give(py, || {
        let name = name.to_string_lossy();
        let none =
            || exception::<PyAttributeError>(format!("hashwell.{} has no attribute '{name}'", about.name));
        F::attribute(py, about, &name)?.ok_or_else(none)
    })
}
