//! Many output streams in lockstep.

use crate::boundary::{Failure, OK};
use crate::memory::{gather, output, store};
use crate::object::{Kind, Object};
use crate::params::{self, CParams, algorithm};
use hashwell::{Error, Streams};
use std::ffi::c_int;

impl Kind for Streams {
    const KIND: u64 = u64::from_le_bytes(*b"hw strs0");
}

export! {
    fn hw_streams_new(
        out: *mut *mut Object<Streams>,
        id: u32,
        params: *const CParams,
        seeds: *const *const u8,
        lengths: *const usize,
        count: usize,
    ) -> c_int {
        Object::make(out, || {
            let row = algorithm(id)?;
            let params = params::read(params)?;
            // This call has no output buffer that a seed could overlap.
            let seeds = gather(seeds, lengths, count, (std::ptr::null_mut(), 0))?;
            Ok(row.streams(&seeds, &params)?)
        })
    }

    fn hw_streams_read(state: *mut Object<Streams>, out: *mut u8, len: usize) -> c_int {
        let streams = Object::get_mut(state)?;
        streams.read(output(out, len)?).map_err(|error| match error {
            Error::OutOfRange { .. } => Failure::Length,
            other => other.into(),
        })?;
        Ok(OK)
    }

    fn hw_streams_count(state: *const Object<Streams>) -> usize {
        Object::get(state).map_or(0, |streams| streams.count())
    }

    fn hw_streams_tell(state: *const Object<Streams>, position: *mut u64) -> c_int {
        store(position, Object::get(state)?.position())?;
        Ok(OK)
    }

    fn hw_streams_free(state: *mut Object<Streams>) {
        Object::free(state);
    }
}
