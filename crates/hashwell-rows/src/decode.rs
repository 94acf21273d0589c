//! Transformations between a file and its rows: other encodings become UTF-8, comment lines become blank lines, and
//! lines that end with a carriage return end with a newline.

use std::io::{self, Read};

use encoding_rs::{Decoder, DecoderResult};

use crate::options::Encoding;

/// The number of bytes read from the source at a time.
const PIECE: usize = 64 << 10;

/// Text in another encoding, decoded to UTF-8 without a byte order mark.
pub(crate) struct Decoded<R> {
    source: R,
    name: &'static str,
    decoder: Decoder,
    /// Bytes that were read, and the position of the first one that was not decoded.
    read: Vec<u8>,
    at: usize,
    /// The number of bytes of the source before `read`.
    before: u64,
    ended: bool,
    text: Vec<u8>,
    given: usize,
    done: bool,
}

impl<R: Read> Decoded<R> {
    pub(crate) fn new(source: R, encoding: Encoding) -> Self {
        Self {
            source,
            name: encoding.name(),
            decoder: encoding.decoder(),
            read: Vec::new(),
            at: 0,
            before: 0,
            ended: false,
            text: Vec::new(),
            given: 0,
            done: false,
        }
    }

    /// Decodes more text, unless the source has ended.
    fn fill(&mut self) -> io::Result<()> {
        if self.at == self.read.len() && !self.ended {
            self.before += self.read.len() as u64;
            self.read.resize(PIECE, 0);
            self.at = 0;
            let len = self.source.read(&mut self.read);
            self.read.truncate(*len.as_ref().unwrap_or(&0));
            self.ended = len? == 0;
        }
        self.text.resize(PIECE * 3, 0);
        self.given = 0;
        let (result, read, written) = self.decoder.decode_to_utf8_without_replacement(
            &self.read[self.at..],
            &mut self.text,
            self.ended,
        );
        self.at += read;
        self.text.truncate(written);
        match result {
            DecoderResult::InputEmpty => self.done = self.ended,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(len, more) => {
                let at = self.before + self.at as u64 - u64::from(len) - u64::from(more);
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!(
                        "byte {at} is not valid {} (check that --encoding names the encoding of the file)",
                        self.name
                    ),
                ));
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.done {
            self.fill()?;
        }
        let len = out.len().min(self.text.len() - self.given);
        out[..len].copy_from_slice(&self.text[self.given..self.given + len]);
        self.given += len;
        Ok(len)
    }
}

/// The bytes that [`Lines`] looks for.
#[derive(Clone, Copy, Default)]
pub(crate) struct Marks {
    pub(crate) delimiter: Option<u8>,
    pub(crate) quote: Option<u8>,
    /// The first byte of lines that are comments.
    pub(crate) comment: Option<u8>,
    /// True if carriage returns end lines.
    pub(crate) carriage: bool,
}

/// Lines without comments, each of which ends with a newline. A comment becomes a blank line, so that later lines keep
/// their numbers. Bytes in quotes are unchanged.
pub(crate) struct Lines<R> {
    source: R,
    marks: Marks,
    place: Place,
}

/// The syntactic position of the next byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    LineStart,
    FieldStart,
    Field,
    Quoted,
    /// After a quote in a quoted field: another quote means a literal quote, and anything else is outside the quotes.
    AfterQuote,
    Comment,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(source: R, marks: Marks) -> Self {
        Self { source, marks, place: Place::LineStart }
    }
}

impl Marks {
    /// The position after a byte, and the byte that is kept.
    fn step(self, place: Place, byte: u8) -> (Place, Option<u8>) {
        let ends = byte == b'\n' || byte == b'\r' && self.carriage;
        match place {
            Place::Comment if ends => (Place::LineStart, Some(b'\n')),
            Place::Comment => (place, None),
            Place::Quoted if Some(byte) == self.quote => (Place::AfterQuote, Some(byte)),
            Place::Quoted => (place, Some(byte)),
            Place::AfterQuote if Some(byte) == self.quote => (Place::Quoted, Some(byte)),
            _ if ends => (Place::LineStart, Some(b'\n')),
            Place::LineStart if Some(byte) == self.comment => (Place::Comment, None),
            _ if Some(byte) == self.delimiter => (Place::FieldStart, Some(byte)),
            Place::LineStart | Place::FieldStart if Some(byte) == self.quote => (Place::Quoted, Some(byte)),
            _ => (Place::Field, Some(byte)),
        }
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let len = self.source.read(out)?;
            let mut kept = 0;
            for i in 0..len {
                let (place, byte) = self.marks.step(self.place, out[i]);
                self.place = place;
                if let Some(byte) = byte {
                    out[kept] = byte;
                    kept += 1;
                }
            }
            if kept > 0 || len == 0 {
                return Ok(kept);
            }
        }
    }
}
