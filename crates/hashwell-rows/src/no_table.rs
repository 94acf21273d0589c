//! The replacement for Parquet support if the feature `parquet` is off: no file can be opened.

use std::io::Write;

use crate::error::Error;
use crate::fields::Column;
use crate::input::Input;

pub(crate) enum Table {}

impl Table {
    pub(crate) fn open(_: &[Input]) -> Result<Table, Error> {
        Err(Error::Options("this program was built without support for Parquet".into()))
    }

    pub(crate) fn len(&self) -> u64 {
        match *self {}
    }

    pub(crate) fn at(&self) -> u64 {
        match *self {}
    }

    pub(crate) fn skip(&mut self, _: u64) -> u64 {
        match *self {}
    }

    pub(crate) fn place(&self, _: u64) -> String {
        match *self {}
    }

    pub(crate) fn column(&self, _: &str) -> Result<Column, Error> {
        match *self {}
    }

    pub(crate) fn field(&self, _: u64, _: &Column) -> Result<Vec<u8>, Error> {
        match *self {}
    }

    pub(crate) fn write(&self, _: &[u64], _: bool, _: &mut (dyn Write + Send)) -> Result<(), Error> {
        match *self {}
    }
}
