//! An array, checked as far as the interface allows without reading values: its buffers, children and dictionary.

use crate::abi::ArrowArray;
use crate::error::Malformed;
use crate::field::{Field, Layout};
use std::ffi::c_void;
use std::ptr::{self, NonNull};

/// A typed view of an array and of everything in it. The memory belongs to the [`Chunk`](crate::Chunk) that lends the
/// node.
///
/// Rows are counted from 0 in every node. Children of structs have the struct's rows. Children of fixed-size lists have
/// as many rows for each list as the list has values. Children of other lists are complete, and [`range`](Self::range)
/// returns the part that belongs to a row.
pub struct Node {
    pub(crate) layout: Layout,
    /// The offset of the first row in the buffers.
    pub(crate) offset: usize,
    len: usize,
    nulls: usize,
    /// Null, or `n_buffers` pointers.
    buffers: *const *const c_void,
    pub(crate) n_buffers: usize,
    children: Vec<Node>,
    dictionary: Option<Box<Node>>,
}

// SAFETY: a node reads memory that no code writes to until its array is released, and it releases nothing.
unsafe impl Send for Node {}
// SAFETY: as before.
unsafe impl Sync for Node {}

pub(crate) const NOT_OF_THE_FORMAT: Malformed = "the buffers do not match the format";

/// The range of a child's rows that a sliced parent, such as a struct, uses.
#[derive(Clone, Copy)]
struct Slice {
    from: usize,
    len: usize,
}

impl Node {
    /// Creates a view of an array.
    ///
    /// # Safety
    /// The array must conform to the interface and have the type from which the field was made. It must not be released
    /// before the node is dropped. Buffers must be as long as lengths, offsets and views require.
    pub(crate) unsafe fn new(array: &ArrowArray, field: &Field) -> Result<Self, Malformed> {
        // SAFETY: this function has the same contract.
        unsafe { Self::sliced(array, field, None) }
    }

    /// # Safety
    /// The same requirements as for [`Node::new`] apply.
    unsafe fn sliced(array: &ArrowArray, field: &Field, slice: Option<Slice>) -> Result<Self, Malformed> {
        let size = |number: i64| usize::try_from(number).map_err(|_| "a length or offset is negative");
        let (mut offset, mut len) = (size(array.offset)?, size(array.length)?);
        let end = offset.checked_add(len).filter(|sum| isize::try_from(*sum).is_ok());
        end.ok_or("length and offset are too large")?;
        if let Some(slice) = slice {
            // The sum can't overflow: it is the parent's offset plus its length, times the size of its lists.
            if slice.from + slice.len > len {
                return Err("a child has too few rows");
            }
            (offset, len) = (offset + slice.from, slice.len);
        }
        let n_buffers = size(array.n_buffers)?;
        let mut node = Self {
            layout: field.layout,
            offset,
            len,
            nulls: 0,
            buffers: array.buffers.cast_const(),
            n_buffers,
            children: Vec::new(),
            dictionary: None,
        };
        let right = match field.layout {
            // Some producers pass a validity bitmap that should be absent.
            Layout::Null | Layout::Runs => n_buffers <= 1,
            Layout::FixedList(_) | Layout::Struct => n_buffers == 1,
            Layout::Bits | Layout::Fixed(_) | Layout::List { .. } => n_buffers == 2,
            Layout::Bytes { .. } | Layout::ListView { .. } => n_buffers == 3,
            Layout::Views => n_buffers >= 3,
        };
        let children = size(array.n_children)?;
        if !right
            || (n_buffers > 0 && array.buffers.is_null())
            || children != field.children.len()
            || array.dictionary.is_null() != field.dictionary.is_none()
        {
            return Err(NOT_OF_THE_FORMAT);
        }
        node.nulls = node.count_nulls(array.null_count)?;
        // SAFETY: the children and dictionary of an array are arrays that are valid as long as the outer one.
        unsafe {
            node.children = node.checked_children(array, field)?;
            if let Some(values) = &field.dictionary {
                node.dictionary = Some(Box::new(Self::sliced(&*array.dictionary, values, None)?));
            }
        }
        if field.layout == Layout::Runs {
            node.check_runs()?;
        }
        Ok(node)
    }

    /// # Safety
    /// The same requirements as for [`Node::new`] apply.
    unsafe fn checked_children(&self, array: &ArrowArray, field: &Field) -> Result<Vec<Self>, Malformed> {
        let slice = match self.layout {
            Layout::Struct => Some(Slice { from: self.offset, len: self.len }),
            Layout::FixedList(width) => {
                let places = self.offset.checked_mul(width).zip(self.len.checked_mul(width));
                let places = places.filter(|(from, len)| {
                    from.checked_add(*len).is_some_and(|end| isize::try_from(end).is_ok())
                });
                let (from, len) = places.ok_or("the lists are too long")?;
                Some(Slice { from, len })
            }
            _ => None,
        };
        if !field.children.is_empty() && array.children.is_null() {
            return Err(NOT_OF_THE_FORMAT);
        }
        let child = |(i, field): (usize, &Field)| {
            // SAFETY: there is a pointer to an array (or null) for each child, because the caller has compared the
            // numbers.
            let child = unsafe { array.children.add(i).read().as_ref() };
            // SAFETY: the child is an array that has the type of the field's child.
            unsafe { Self::sliced(child.ok_or("a child is missing")?, field, slice) }
        };
        field.children.iter().enumerate().map(child).collect()
    }

    /// The number of null rows, which is counted if the bitmap exists.
    fn count_nulls(&self, declared: i64) -> Result<usize, Malformed> {
        if self.layout == Layout::Null {
            return Ok(self.len);
        }
        match declared {
            0 => Ok(0),
            -1 if self.buffer(0).is_none() => Ok(0),
            -1.. if self.buffer(0).is_some() => Ok(self.count_zero_bits()),
            _ => Err("the null count is wrong"),
        }
    }

    fn count_zero_bits(&self) -> usize {
        let Some(bits) = self.buffer(0) else { return 0 };
        let (mut place, end) = (self.offset, self.offset + self.len);
        let mut ones = 0;
        while place < end {
            // SAFETY: the bitmap has a bit for every row.
            let byte = unsafe { bits.add(place / 8).read() } >> (place % 8);
            let here = (8 - place % 8).min(end - place);
            ones += (u32::from(byte) & ((1 << here) - 1)).count_ones() as usize;
            place += here;
        }
        self.len - ones
    }

    /// Checks that the ends of runs are positive and increasing, and reach the last row.
    fn check_runs(&self) -> Result<(), Malformed> {
        let (ends, values) = (&self.children[0], &self.children[1]);
        if ends.nulls > 0 || ends.len > values.len {
            return Err("a run end is null or has no value");
        }
        let mut last = 0;
        for run in 0..ends.len {
            let end = ends.number(run, true)?;
            if end <= last {
                return Err("the run ends do not increase");
            }
            last = end;
        }
        if last < (self.offset + self.len) as i128 {
            Err("the last run ends before the last row")
        } else {
            Ok(())
        }
    }

    /// Buffer `i`, or `None` if it is absent.
    #[inline]
    pub(crate) fn buffer(&self, i: usize) -> Option<NonNull<u8>> {
        let place = if i < self.n_buffers { self.buffers.wrapping_add(i) } else { ptr::null() };
        // SAFETY: there are `n_buffers` pointers, more than `i`.
        let buffer = unsafe { place.as_ref() }?;
        NonNull::new(buffer.cast_mut().cast())
    }

    /// The number of rows.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of rows that are null in this node itself. Rows that refer to a null value of the dictionary, or that
    /// are in a run of nulls, are not included.
    #[inline]
    #[must_use]
    pub fn nulls(&self) -> usize {
        self.nulls
    }

    /// How the values are stored in buffers.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The children, one for each child of the field.
    #[must_use]
    pub fn children(&self) -> &[Node] {
        &self.children
    }

    /// The dictionary, if the field has one.
    #[must_use]
    pub fn dictionary(&self) -> Option<&Node> {
        self.dictionary.as_deref()
    }
}
