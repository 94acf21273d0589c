//! Builtin functions and methods that get their arguments as an array (METH_FASTCALL | METH_KEYWORDS).
//!
//! PyO3 makes such functions too, but not with `**params`, for which it has Python build a tuple and a
//! dictionary: a third of the cost of hashing a short message. Its methods take longer than what the shortest
//! of ours do; those are made here, too.
#![allow(unsafe_code)]

use crate::boundary::errors;
use pyo3::PyClass;
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyString, PyTuple, PyType};
use std::any::Any;
use std::ffi::CString;
use std::marker::PhantomData;
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

    /// Refuses any argument.
    #[inline]
    pub(crate) fn none(self, function: &str) -> PyResult<()> {
        if self.positional.is_empty() && self.keywords.is_none() { Ok(()) } else { self.refused(function, 0) }
    }

    /// The one argument, by its place or its name.
    #[inline]
    pub(crate) fn one(self, function: &str, name: &str) -> PyResult<&'a Bound<'py, PyAny>> {
        match self.positional {
            [value] if self.keywords.is_none() => Ok(value),
            _ => self.one_by_name(function, name),
        }
    }

    #[cold]
    fn one_by_name(self, function: &str, name: &str) -> PyResult<&'a Bound<'py, PyAny>> {
        let mut value = self.positional.first().map(|value| &**value);
        if self.positional.len() > 1 {
            return Err(errors::too_many_arguments(function, 1, self.positional.len()));
        }
        for (keyword, given) in self.named() {
            let keyword = keyword.to_cow()?;
            if keyword != name {
                return Err(errors::unexpected_keyword(function, &keyword));
            }
            if value.replace(given).is_some() {
                return Err(errors::two_values(function, name));
            }
        }
        value.ok_or_else(|| errors::missing_argument(function, name))
    }

    #[cold]
    fn refused(self, function: &str, most: usize) -> PyResult<()> {
        match self.named().next() {
            Some((keyword, _)) => Err(errors::unexpected_keyword(function, &keyword.to_cow()?)),
            None => Err(errors::too_many_arguments(function, most, self.positional.len())),
        }
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
    let definition = definition(trampoline::<F>, name, signature, doc)?;
    let module = PyString::new(py, module);
    // SAFETY: the definition is valid and never freed, its flags tell the type of its function, and the
    // result is a new reference or an error set.
    unsafe {
        let function = ffi::PyCFunction_NewEx(definition, ptr::null_mut(), module.as_ptr());
        Bound::from_owned_ptr_or_err(py, function)
    }
}

/// A class of which nobody can make another one.
pub(crate) trait Class {
    /// What its objects hold.
    type Held;

    fn class(py: Python<'_>) -> PyResult<Bound<'_, PyType>>;

    /// # Safety
    /// The object is of the class.
    unsafe fn held<'a>(object: Borrowed<'a, '_, PyAny>) -> &'a Self::Held;
}

/// A class of PyO3's.
pub(crate) struct OfPyO3<T>(PhantomData<T>);

impl<T: PyClass<Frozen = True> + Sync> Class for OfPyO3<T> {
    type Held = T;

    fn class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        Ok(py.get_type::<T>())
    }

    #[inline]
    unsafe fn held<'a>(object: Borrowed<'a, '_, PyAny>) -> &'a T {
        // SAFETY: as the caller says; what a frozen object holds lives as long as the reference to the object.
        unsafe { &*ptr::from_ref(object.cast_unchecked::<T>().get()) }
    }
}

/// What a method does.
pub(crate) trait Method {
    type Of: Class;

    fn call<'py>(
        held: &<Self::Of as Class>::Held,
        py: Python<'py>,
        arguments: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>>;
}

/// Adds a method to its class, with the text of its signature behind `$self`.
pub(crate) fn add_method<M: Method>(py: Python<'_>, name: &str, signature: &str, doc: &str) -> PyResult<()> {
    let class = M::Of::class(py)?;
    // A module that is imported again, or by a subinterpreter, is made again, but not its classes, which nobody can change
    // any more.
    if class.getattr("__dict__")?.contains(name)? {
        return Ok(());
    }
    let signature = if signature.is_empty() { "$self".to_owned() } else { format!("$self, {signature}") };
    let definition = definition(method::<M>, name, &signature, doc)?;
    // SAFETY: the class is a type, the definition is valid and never freed, its flags tell the type of its function, and
    // the result is a new reference or an error set.
    let descriptor =
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewMethod(class.as_type_ptr(), definition))? };
    class.setattr(name, descriptor)
}

/// Adds a class method to a class, with the text of its signature. Its owner is the class.
pub(crate) fn add_class_method<C: Class, F: Builtin>(
    py: Python<'_>,
    name: &str,
    signature: &str,
    doc: &str,
) -> PyResult<()> {
    let class = C::class(py)?;
    if class.getattr("__dict__")?.contains(name)? {
        return Ok(());
    }
    let definition = definition(trampoline::<F>, name, signature, doc)?;
    definition.ml_flags |= ffi::METH_CLASS;
    // SAFETY: the class is a type, the definition is valid and never freed, its flags tell the type of its function, and
    // the result is a new reference or an error set.
    let descriptor = unsafe {
        Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewClassMethod(class.as_type_ptr(), definition))?
    };
    class.setattr(name, descriptor)
}

/// Builtin functions and methods point to their definition and its texts for ever.
fn definition(
    function: ffi::PyCFunctionFastWithKeywords,
    name: &str,
    signature: &str,
    doc: &str,
) -> PyResult<&'static mut ffi::PyMethodDef> {
    Ok(Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: CString::new(name)?.into_raw(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: function },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: CString::new(format!("{name}({signature})\n--\n\n{doc}"))?.into_raw(),
    })))
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
    // SAFETY: `owner` is null or the callable, which outlives this call; the rest is what `given` asks for.
    let (owner, arguments) =
        unsafe { (Borrowed::from_ptr_or_opt(py, owner), given(py, values, positional, keywords)) };
    give(py, || F::call(py, owner, arguments))
}

/// What Python calls for a method.
unsafe extern "C" fn method<M: Method>(
    object: *mut ffi::PyObject,
    values: *const *mut ffi::PyObject,
    positional: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls its functions attached. The token does not outlive this call.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: a method's descriptor has looked that the object is of its class; the object outlives this call; the rest is
    // what `given` asks for.
    let (held, arguments) =
        unsafe { (M::Of::held(Borrowed::from_ptr(py, object)), given(py, values, positional, keywords)) };
    give(py, || M::call(held, py, arguments))
}

/// The arguments of a call.
///
/// # Safety
/// As METH_FASTCALL | METH_KEYWORDS promises: there are `positional` values, then one per keyword, and `keywords` is null or a
/// tuple; all outlive the call.
#[inline]
unsafe fn given<'a, 'py>(
    py: Python<'py>,
    values: *const *mut ffi::PyObject,
    positional: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> Given<'a, 'py> {
    // SAFETY: as promised. A `Borrowed` is one pointer to an object; the array's pointer may be null when it is empty.
    unsafe {
        let keywords = Borrowed::from_ptr_or_opt(py, keywords).map(|names| names.cast_unchecked::<PyTuple>());
        let positional = usize::try_from(positional).unwrap_or(0);
        let all = positional + keywords.map_or(0, |names| names.len());
        let values = if all == 0 { &[] } else { slice::from_raw_parts(values.cast(), all) };
        let (positional, values) = values.split_at(positional);
        Given { positional, keywords, values }
    }
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

/// As PyO3 does, for functions that cannot return an error.
#[cold]
pub(crate) fn unwind_for_memory() -> ! {
    resume_unwind(Box::new(NO_OBJECT))
}

/// Where PyO3 catches the panic, it raises `PanicException`, a class of this module's own, which would end programs that
/// expect errors. Made with this text it raises `MemoryError` instead, which Python then puts in its place.
struct Panicked;

impl Builtin for Panicked {
    fn call<'py>(
        py: Python<'py>,
        _: Option<Borrowed<'_, 'py, PyAny>>,
        arguments: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match arguments.positional {
            [text] if text.cast::<PyString>().is_ok_and(|text| text == NO_OBJECT) => {
                Err(PyMemoryError::new_err(()))
            }
            _ => Ok(py.None().into_bound(py)),
        }
    }
}

/// Makes PyO3's panics for want of memory `MemoryError`s.
pub(crate) fn tell_refused_memory(py: Python<'_>) -> PyResult<()> {
    // A builtin function in a class is no method: it gets what the exception is made with, and not the exception.
    let init = make::<Panicked>(py, "hashwell", "__init__", "text", "")?;
    py.get_type::<PanicException>().setattr("__init__", init)
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
