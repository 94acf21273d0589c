//! Replaces [`Strata`] in the module for browsers, to keep the download small. There, each stratum is a
//! [`Part`].

use super::design::SlotsDesign;
use super::part::{EachPart, Part};
use super::row::PickedRow;
use crate::{Error, Key};
use std::borrow::Cow;

/// Never constructed, because this module has no strata.
#[derive(Clone)]
pub(super) enum Strata {}

/// Never constructed, because this module has no strata.
#[derive(Clone, Debug)]
pub(super) enum PackedRows {}

/// Never constructed, because this module has no strata.
pub(super) type AllStrata = Strata;

impl Strata {
    pub(super) fn of(_: &SlotsDesign, _: Key) -> Option<AllStrata> {
        None
    }

    pub(super) fn len(&self) -> usize {
        match *self {}
    }

    pub(super) fn short(&self) -> usize {
        match *self {}
    }

    pub(super) fn seen(&self) -> u64 {
        match *self {}
    }

    pub(super) fn offer<'a>(
        &mut self,
        _: u64,
        _: &[u8],
        _: &mut dyn FnMut() -> Result<Cow<'a, [u8]>, Error>,
    ) -> Result<(), Error> {
        match *self {}
    }

    pub(super) fn pass<'l, 'r>(
        &mut self,
        _: u64,
        _: usize,
        _: &dyn Fn(usize) -> &'l [u8],
        _: &mut dyn FnMut(usize) -> Result<Cow<'r, [u8]>, Error>,
    ) -> Result<(), Error> {
        match *self {}
    }

    pub(super) fn each_kept(&self, _: &mut dyn FnMut(PickedRow<'_>)) {
        match *self {}
    }

    pub(super) fn set_kept(&mut self, _: &mut dyn Iterator<Item = Vec<u8>>) -> Result<(), Error> {
        match *self {}
    }

    pub(super) fn renumber(&mut self, _: u64) {
        match *self {}
    }

    pub(super) fn each_part(&self, _: &mut EachPart<'_>) -> Result<(), Error> {
        match *self {}
    }

    pub(super) fn into_parts(self, _: &mut dyn FnMut(Vec<u8>, Part)) -> Result<(), Error> {
        match self {}
    }

    pub(super) fn restore(&mut self, _: &[u8], _: Part) -> Result<bool, Error> {
        match *self {}
    }

    pub(super) fn sizes(&self) -> Result<Vec<(&[u8], u64)>, Error> {
        match *self {}
    }

    pub(super) fn drawn(self, _: &dyn Fn(usize) -> usize) -> Result<PackedRows, Error> {
        match self {}
    }

    pub(super) fn in_input_order(self) -> Result<PackedRows, Error> {
        match self {}
    }
}

impl PackedRows {
    pub(super) fn len(&self) -> usize {
        match *self {}
    }

    pub(super) fn get(&self, _: usize) -> PickedRow<'_> {
        match *self {}
    }

    pub(super) fn sort(&mut self) -> Result<(), Error> {
        match *self {}
    }
}
