//! Builtin functions that get their arguments as an array (METH_FASTCALL | METH_KEYWORDS).
//!
//! PyO3 makes such functions too, but not with `**params`, for which it has Python build a tuple and a
//! dictionary: a third of the cost of hashing a short message.
#![allow(unsafe_code)]

use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use std::any::Any;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::{ptr, slice};

/// What a builtin function does.
pub(crate) trait Builtin {
    /// `owner` is the constructor that is called; a function has none.
    fn call<'py>(
        py: Python<'py>,
        owner: Option<Borrowed<'_, 'py, PyAny>>,
        arguments: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>>;
}

/// The arguments of a call.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a, 'py> {
    pub(crate) positional: &'a [Borrowed<'a, 'py, PyAny>],
    keywords: Option<Borrowed<'a, 'py, PyTuple>>,
    values: &'a [Borrowed<'a, 'py, PyAny>],
}

impl<'a, 'py> Given<'a, 'py> {
    #[inline]
    pub(crate) fn has_keywords(&self) -> bool {
        self.keywords.is_some()
    }

    /// Keyword arguments in the order given.
    pub(crate) fn named(self) -> impl Iterator<Item = (Bound<'py, PyString>, &'a Bound<'py, PyAny>)> {
        let keywords = self.keywords.into_iter().flat_map(|names| names.to_owned().into_iter());
        // SAFETY: keywords are strings, which the interpreter and PyObject_Vectorcall's contract ensure.
        let keywords = keywords.map(|keyword| unsafe { keyword.cast_into_unchecked::<PyString>() });
        keywords.zip(self.values.iter().map(|value| &**value))
    }
}

/// A builtin function of a module of the package with this name, the text of its signature and its docstring.
pub(crate) fn make<'py, F: Builtin>(
    py: Python<'py>,
    module: &str,
    name: &str,
    signature: &str,
    doc: &str,
) -> PyResult<Bound<'py, PyAny>> {
    // A builtin function points to its definition and its texts for ever.
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: CString::new(name)?.into_raw(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: trampoline::<F> },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: CString::new(format!("{name}({signature})\n--\n\n{doc}"))?.into_raw(),
    }));
    let module = PyString::new(py, module);
    // SAFETY: the definition is valid and never freed, its flags tell the type of its function, and the
    // result is a new reference or an error set.
    unsafe {
        let function = ffi::PyCFunction_NewEx(definition, ptr::null_mut(), module.as_ptr());
        Bound::from_owned_ptr_or_err(py, function)
    }
}

/// How many references to an object there are; where it is one, nobody but its owner can come to the object.
#[inline]
pub(crate) fn references<T>(object: &Py<T>, _attached: Python<'_>) -> isize {
    // SAFETY: the object is alive, as it is referred to, and counts change only while attached.
    unsafe { ffi::Py_REFCNT(object.as_ptr()) }
}

/// What Python calls.
pub(crate) unsafe extern "C" fn trampoline<F: Builtin>(
    owner: *mut ffi::PyObject,
    values: *const *mut ffi::PyObject,
    positional: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls its functions attached. The token does not outlive this call.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: METH_FASTCALL | METH_KEYWORDS promises `positional` values, then one per keyword, and that
    // `keywords` is null or a tuple; `owner` is null or the callable. All outlive this call. A
    // `Borrowed` is one pointer to an object; the array's pointer may be null when it is empty.
    let (owner, arguments) = unsafe {
        let owner = Borrowed::from_ptr_or_opt(py, owner);
        let keywords = Borrowed::from_ptr_or_opt(py, keywords).map(|names| names.cast_unchecked::<PyTuple>());
        let positional = usize::try_from(positional).unwrap_or(0);
        let all = positional + keywords.map_or(0, |names| names.len());
        let values = if all == 0 { &[] } else { slice::from_raw_parts(values.cast(), all) };
        let (positional, values) = values.split_at(positional);
        (owner, Given { positional, keywords, values })
    };
    give(py, || F::call(py, owner, arguments))
}

/// A new reference, or null with an error set, as C functions return it. No panic crosses this border.
pub(crate) fn give<'py>(
    _attached: Python<'py>,
    function: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
) -> *mut ffi::PyObject {
    match catch_unwind(AssertUnwindSafe(function)) {
        Ok(Ok(object)) => return object.into_ptr(),
        Ok(Err(error)) => raise(|| error),
        Err(payload) => {
            let text = panic_text(&*payload);
            if text == NO_OBJECT {
                no_memory();
            } else {
                raise(|| PanicException::new_err(text.to_owned()));
            }
        }
    }
    ptr::null_mut()
}

/// PyO3 does not know that Python attached this thread, and keeps references that are given up until it does:
/// those that made the error, too, for ever if no other call came. It is told here, where it costs successful
/// calls nothing; coming in, it gives back what was kept.
///
/// Making the exception takes memory, too.
#[cold]
fn raise(error: impl FnOnce() -> PyErr) {
    let raised = catch_unwind(AssertUnwindSafe(|| Python::attach(|py| error().restore(py))));
    raised.unwrap_or_else(|_| no_memory());
}

/// What `function` gives, for functions that PyO3 puts on Python's border: MemoryError where Python had no memory for an
/// object, which PyO3 panics at.
pub(crate) fn or_no_memory<T>(function: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(|payload| {
        if panic_text(&*payload) == NO_OBJECT {
            return Err(PyMemoryError::new_err(()));
        }
        resume_unwind(payload)
    })
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic")
}

/// PyO3's panic where Python gives it no object, for which the calls that are made here have one reason.
const NO_OBJECT: &str = "PyObject pointer is null";

/// Raises MemoryError, for which Python keeps an object.
#[cold]
fn no_memory() {
    // SAFETY: whoever is here was called by Python, and so is attached.
    unsafe { ffi::PyErr_NoMemory() };
}
