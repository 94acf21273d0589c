//! A class for objects that are created for every short message. PyO3 creates objects of its classes with
//! `object.__new__`, and the garbage collector tracks them. Both together take as long as hashing a short message.
//! Objects of this class contain no references to Python objects, so they need neither.
#![allow(unsafe_code)]

use crate::boundary::builtin::{self, Class};
use crate::boundary::errors;
use crate::boundary::immutable;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};
use std::ffi::{CStr, c_int, c_void};
use std::marker::PhantomData;
use std::ptr;

/// The value in the objects of a class. Only Rust code can create these objects.
pub(crate) trait Native: Send + Sync + Sized + 'static {
    /// The name of the class in the package.
    const NAME: &str;
    /// The same name, qualified with the name of the package.
    const FULL_NAME: &CStr;
    const DOC: &CStr;
    /// The attributes: name, docstring and value.
    const GETTERS: &'static [Getter<Self>];

    /// The cell that keeps the type.
    fn kept() -> &'static PyOnceLock<Py<PyType>>;

    fn repr(&self) -> String;
}

pub(crate) struct Getter<T> {
    pub(crate) name: &'static CStr,
    pub(crate) doc: &'static CStr,
    pub(crate) value: for<'py> fn(&T, Python<'py>) -> PyResult<Bound<'py, PyAny>>,
}

#[repr(C)]
struct Object<T> {
    head: ffi::PyObject,
    value: T,
}

/// Returns the type, which is created at the first call.
pub(crate) fn of<T: Native>(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    let class = T::kept().get_or_try_init(py, || {
        let getter = |getter: &'static Getter<T>| ffi::PyGetSetDef {
            name: getter.name.as_ptr(),
            get: Some(get::<T>),
            set: None,
            doc: getter.doc.as_ptr(),
            closure: ptr::from_ref(getter).cast_mut().cast(),
        };
        // The type keeps pointers to the getters forever.
        let getters: Box<[ffi::PyGetSetDef]> =
            T::GETTERS.iter().map(getter).chain([ffi::PyGetSetDef::default()]).collect();
        let slot = |slot: c_int, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
        let mut slots = [
            slot(ffi::Py_tp_doc, T::DOC.as_ptr().cast_mut().cast()),
            slot(ffi::Py_tp_new, refuse::<T> as *mut c_void),
            slot(ffi::Py_tp_dealloc, dealloc::<T> as *mut c_void),
            slot(ffi::Py_tp_repr, repr::<T> as *mut c_void),
            slot(ffi::Py_tp_getset, Box::leak(getters).as_mut_ptr().cast()),
            slot(0, ptr::null_mut()),
        ];
        let mut spec = ffi::PyType_Spec {
            name: T::FULL_NAME.as_ptr(),
            basicsize: size_of::<Object<T>>() as c_int,
            itemsize: 0,
            flags: ffi::Py_TPFLAGS_DEFAULT as _,
            slots: slots.as_mut_ptr(),
        };
        // SAFETY: the spec is complete: its slots end with a zero, each function has its slot's type, and the getters
        // are never freed and end with zeros. The result is a new type, or null with an exception set.
        let class = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec)) }?;
        Ok::<_, PyErr>(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py))
}

/// Creates an object of the class. Inlined, so that the value is moved only once.
#[inline(always)]
pub(crate) fn make<T: Native>(py: Python<'_>, value: T) -> PyResult<Bound<'_, PyAny>> {
    // CPython aligns memory only to two machine words, so values must not need a larger alignment.
    const { assert!(align_of::<T>() <= 2 * size_of::<usize>()) };
    let class = of::<T>(py)?;
    // SAFETY: the type is ready and its objects are `Object<T>`s, whose object head the allocation has initialized; the
    // value is written before any other code can access the object. If the result is null, an exception is set.
    unsafe {
        let object = ffi::PyType_GenericAlloc(class.as_ptr().cast(), 0);
        let object = Bound::from_owned_ptr_or_err(py, object)?;
        (&raw mut (*object.as_ptr().cast::<Object<T>>()).value).write(value);
        Ok(object)
    }
}

/// Implements [`Class`] for a class that is defined here.
pub(crate) struct Ours<T>(PhantomData<T>);

impl<T: Native> Class for Ours<T> {
    type Held = T;

    fn class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        of::<T>(py).cloned()
    }

    #[inline]
    unsafe fn held<'a>(object: Borrowed<'a, '_, PyAny>) -> &'a T {
        // SAFETY: only `make` creates objects of the class; the value is never moved, and only shared by reference.
        unsafe { &(*object.as_ptr().cast::<Object<T>>()).value }
    }
}

/// Rejects calls of the class, which would create an object. Without this function, `inspect.signature` would show the
/// signature of `object`.
unsafe extern "C" fn refuse<T: Native>(
    _: *mut ffi::PyTypeObject,
    _: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls this function on an attached thread.
    let py = unsafe { Python::assume_attached() };
    builtin::give(py, || Err(errors::not_constructible(&T::FULL_NAME.to_string_lossy())))
}

unsafe extern "C" fn dealloc<T: Native>(object: *mut ffi::PyObject) {
    // SAFETY: Python calls this function once, on an attached thread, when no references to the object are left. The
    // object is an instance of the class, and it has a value, because `make` returned it. Memory of objects that the
    // garbage collector does not track is freed by `PyObject_Free`. An object of a heap type has a reference to its
    // type, which is released last.
    unsafe {
        let class = ffi::Py_TYPE(object);
        ptr::drop_in_place(&raw mut (*object.cast::<Object<T>>()).value);
        ffi::PyObject_Free(object.cast());
        ffi::Py_DECREF(class.cast());
    }
}

unsafe extern "C" fn repr<T: Native>(object: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: Python calls this function on an attached thread, and only with objects of the type.
    let (py, held) = unsafe {
        let py = Python::assume_attached();
        (py, Ours::<T>::held(Borrowed::from_ptr(py, object)))
    };
    builtin::give(py, || Ok(PyString::from_bytes(py, held.repr().as_bytes())?.into_any()))
}

unsafe extern "C" fn get<T: Native>(object: *mut ffi::PyObject, getter: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: the same reasons as in `repr` apply; the closure of every getter is its own static description.
    let (py, held, getter) = unsafe {
        let py = Python::assume_attached();
        (py, Ours::<T>::held(Borrowed::from_ptr(py, object)), &*getter.cast::<Getter<T>>())
    };
    builtin::give(py, || (getter.value)(held, py))
}

/// Makes the class immutable, and adds it to the module.
pub(crate) fn add<T: Native>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    immutable::freeze(of::<T>(module.py())?);
    module.add(T::NAME, of::<T>(module.py())?)
}
