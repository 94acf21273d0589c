//! Builtin functions and methods that get their arguments as an array (METH_FASTCALL | METH_KEYWORDS).
//!
//! PyO3 creates such functions, too. However, it lets Python build a tuple and a dictionary for `**params`, which costs
//! a third of the time for hashing a short message. And a call of one of its methods takes longer than the work of our
//! shortest methods, so those are also created here.
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

/// The implementation of a builtin function.
pub(crate) trait Builtin {
    /// `owner` is the constructor that is called. It is `None` for a function.
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

    /// Returns an error if there is any argument.
    #[inline]
    pub(crate) fn none(self, function: &str) -> PyResult<()> {
        if self.positional.is_empty() && self.keywords.is_none() { Ok(()) } else { self.refused(function, 0) }
    }

    /// Returns the only argument, which may be positional or named.
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

    /// The keyword arguments, in the order of the call.
    pub(crate) fn named(self) -> impl Iterator<Item = (Bound<'py, PyString>, &'a Bound<'py, PyAny>)> {
        let keywords = self.keywords.into_iter().flat_map(|names| names.to_owned().into_iter());
        // SAFETY: keywords are strings; the interpreter and the contract of PyObject_Vectorcall guarantee this.
        let keywords = keywords.map(|keyword| unsafe { keyword.cast_into_unchecked::<PyString>() });
        keywords.zip(self.values.iter().map(|value| &**value))
    }
}

/// Creates a builtin function of a module of the package, with its name, the text of its signature and its docstring.
pub(crate) fn make<'py, F: Builtin>(
    py: Python<'py>,
    module: &str,
    name: &str,
    signature: &str,
    doc: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let definition = definition(trampoline::<F>, name, signature, doc)?;
    let module = PyString::new(py, module);
    // SAFETY: the definition is valid and never freed, its flags match the type of its function, and the result is a
    // new reference, or null with an exception set.
    unsafe {
        let function = ffi::PyCFunction_NewEx(definition, ptr::null_mut(), module.as_ptr());
        Bound::from_owned_ptr_or_err(py, function)
    }
}

/// A class that Rust code can identify: its objects hold a value of a known type.
pub(crate) trait Class {
    /// The value that an object of the class holds.
    type Held;

    fn class(py: Python<'_>) -> PyResult<Bound<'_, PyType>>;

    /// # Safety
    /// The object must be an instance of the class.
    unsafe fn held<'a>(object: Borrowed<'a, '_, PyAny>) -> &'a Self::Held;
}

/// A class that PyO3 defines.
pub(crate) struct OfPyO3<T>(PhantomData<T>);

impl<T: PyClass<Frozen = True> + Sync> Class for OfPyO3<T> {
    type Held = T;

    fn class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        Ok(py.get_type::<T>())
    }

    #[inline]
    unsafe fn held<'a>(object: Borrowed<'a, '_, PyAny>) -> &'a T {
        // SAFETY: the caller guarantees that the object is an instance of the class; the value in a frozen object lives
        // as long as the reference to the object.
        unsafe { &*ptr::from_ref(object.cast_unchecked::<T>().get()) }
    }
}

/// The implementation of a method.
pub(crate) trait Method {
    type Of: Class;

    fn call<'py>(
        held: &<Self::Of as Class>::Held,
        py: Python<'py>,
        arguments: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>>;
}

/// Adds a method to its class. `signature` is the text of its signature after `$self`.
pub(crate) fn add_method<M: Method>(py: Python<'_>, name: &str, signature: &str, doc: &str) -> PyResult<()> {
    let class = M::Of::class(py)?;
    // If a module is imported again, or by a subinterpreter, the module object is created again, but its classes are
    // not, and they are immutable by then.
    if class.getattr("__dict__")?.contains(name)? {
        return Ok(());
    }
    let signature = if signature.is_empty() { "$self".to_owned() } else { format!("$self, {signature}") };
    let definition = definition(method::<M>, name, &signature, doc)?;
    // SAFETY: the class is a type, the definition is valid and never freed, its flags match the type of its function,
    // and the result is a new reference, or null with an exception set.
    let descriptor =
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewMethod(class.as_type_ptr(), definition))? };
    class.setattr(name, descriptor)
}

/// Adds a class method to a class, with the text of its signature. The owner of the function is the class.
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
    // SAFETY: the class is a type, the definition is valid and never freed, its flags match the type of its function,
    // and the result is a new reference, or null with an exception set.
    let descriptor = unsafe {
        Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewClassMethod(class.as_type_ptr(), definition))?
    };
    class.setattr(name, descriptor)
}

/// Creates the definition of a builtin function or method. It is never freed, because the function keeps a pointer to
/// it and to its texts.
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

/// The number of references to an object. If it is 1, only the owner of that reference can reach the object.
#[inline]
pub(crate) fn references<T>(object: &Py<T>, _attached: Python<'_>) -> isize {
    // SAFETY: the object is alive, because there is a reference to it, and only attached threads change reference
    // counts.
    unsafe { ffi::Py_REFCNT(object.as_ptr()) }
}

/// The C function that Python calls.
pub(crate) unsafe extern "C" fn trampoline<F: Builtin>(
    owner: *mut ffi::PyObject,
    values: *const *mut ffi::PyObject,
    positional: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls this function on an attached thread. The token does not outlive this call.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: `owner` is null or the callable, which outlives this call; the other arguments are as `given` requires.
    let (owner, arguments) =
        unsafe { (Borrowed::from_ptr_or_opt(py, owner), given(py, values, positional, keywords)) };
    give(py, || F::call(py, owner, arguments))
}

/// The C function that Python calls for a method.
unsafe extern "C" fn method<M: Method>(
    object: *mut ffi::PyObject,
    values: *const *mut ffi::PyObject,
    positional: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls this function on an attached thread. The token does not outlive this call.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the method's descriptor has checked that the object is an instance of its class; the object outlives this
    // call; the other arguments are as `given` requires.
    let (held, arguments) =
        unsafe { (M::Of::held(Borrowed::from_ptr(py, object)), given(py, values, positional, keywords)) };
    give(py, || M::call(held, py, arguments))
}

/// The arguments of a call.
///
/// # Safety
/// The arguments must follow the protocol of METH_FASTCALL | METH_KEYWORDS: there are `positional` values, then one per
/// keyword, and `keywords` is null or a tuple; all outlive the call.
#[inline]
unsafe fn given<'a, 'py>(
    py: Python<'py>,
    values: *const *mut ffi::PyObject,
    positional: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> Given<'a, 'py> {
    // SAFETY: the caller guarantees that the arguments follow the protocol. A `Borrowed` is one pointer to an object.
    // The pointer to the array may be null if the array is empty.
    unsafe {
        let keywords = Borrowed::from_ptr_or_opt(py, keywords).map(|names| names.cast_unchecked::<PyTuple>());
        let positional = usize::try_from(positional).unwrap_or(0);
        let all = positional + keywords.map_or(0, |names| names.len());
        let values = if all == 0 { &[] } else { slice::from_raw_parts(values.cast(), all) };
        let (positional, values) = values.split_at(positional);
        Given { positional, keywords, values }
    }
}

/// Returns a new reference, or null with an exception set, as a C function must. Panics are caught here.
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

/// PyO3 does not know that Python attached this thread. Until PyO3 knows this, it defers the release of references,
/// including those to the objects that caused the error; without another call they would never be released. So PyO3
/// attaches here, which releases the deferred references. This does not slow down successful calls.
///
/// Creating the exception needs memory, too.
#[cold]
fn raise(error: impl FnOnce() -> PyErr) {
    let raised = catch_unwind(AssertUnwindSafe(|| Python::attach(|py| error().restore(py))));
    raised.unwrap_or_else(|_| no_memory());
}

/// Calls `function` for a function that PyO3 exposes to Python. If Python has no memory for an object, PyO3 panics, and
/// this returns MemoryError.
pub(crate) fn or_no_memory<T>(function: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(|payload| {
        if panic_text(&*payload) == NO_OBJECT {
            return Err(PyMemoryError::new_err(()));
        }
        resume_unwind(payload)
    })
}

/// Unwinds like PyO3 after a failed allocation, in functions that cannot return an error.
#[cold]
pub(crate) fn unwind_for_memory() -> ! {
    resume_unwind(Box::new(NO_OBJECT))
}

/// When PyO3 catches a panic, it raises `PanicException`, a class of this extension module, which is not an `Exception`
/// and would end programs that handle errors. If an instance is created with the text of a failed allocation, this
/// `__init__` raises `MemoryError`, and Python raises that instead.
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

/// Converts PyO3's panics on failed allocations to `MemoryError`s.
pub(crate) fn tell_refused_memory(py: Python<'_>) -> PyResult<()> {
    // A builtin function in a class is not a method. So it gets the arguments of the exception, but not the exception.
    let init = make::<Panicked>(py, "hashwell", "__init__", "text", "")?;
    py.get_type::<PanicException>().setattr("__init__", init)
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic")
}

/// The text of PyO3's panic if Python returns no object. For the calls in this package, the only reason is a failed
/// allocation.
const NO_OBJECT: &str = "PyObject pointer is null";

/// Raises MemoryError. Python keeps an instance of it in reserve.
#[cold]
fn no_memory() {
    // SAFETY: this thread was called by Python, so it is attached.
    unsafe { ffi::PyErr_NoMemory() };
}
