//! Reads a file as blocks of bytes, in order: on this thread, or ahead of it on others.

mod ahead;
mod block;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use ahead::Ahead;
pub(crate) use block::{Block, Plan};

/// Files with fewer blocks are read on this thread, because starting threads would take longer.
const LEAST_BLOCKS: u64 = 4;

/// The source of the blocks.
pub(crate) enum Blocks {
    Here(Box<dyn Read + Send>),
    Ahead(Ahead),
}

impl Blocks {
    /// The blocks of a stream. Decompression gets a separate thread. A pipe does not, because another process already
    /// fills it.
    pub(crate) fn of_stream(reader: Box<dyn Read + Send>, packed: bool, plan: Plan) -> Blocks {
        if packed && plan.threads > 1 {
            Blocks::Ahead(Ahead::of_reader(reader, plan))
        } else {
            Blocks::Here(reader)
        }
    }

    /// The blocks of a regular file, starting at an offset.
    pub(crate) fn of_file(mut file: File, offset: u64, plan: Plan) -> io::Result<Blocks> {
        let long = file.metadata()?.len().saturating_sub(offset) / plan.size as u64 >= LEAST_BLOCKS;
        if plan.threads > 1
            && long
            && let Some(ahead) = Ahead::of_file(file.try_clone()?, offset, plan)
        {
            return Ok(Blocks::Ahead(ahead));
        }
        file.seek(SeekFrom::Start(offset))?;
        Ok(Blocks::Here(Box::new(file)))
    }

    /// Replaces the block by the next one. An empty block is the end.
    pub(crate) fn next(&mut self, block: &mut Block) -> io::Result<()> {
        match self {
            Blocks::Here(reader) => block.read(reader),
            Blocks::Ahead(ahead) => ahead.next(block),
        }
    }

    /// Tells the threads if they should count the ends of rows in blocks that they have not read yet.
    pub(crate) fn want_counts(&self, wanted: bool) {
        if let Blocks::Ahead(ahead) = self {
            ahead.want_counts(wanted);
        }
    }
}
