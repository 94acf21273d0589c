//! The size, times and inode of a file next to its digest. They distinguish an edited file from one with bit rot.

use std::fmt::Write;

/// Nanoseconds in a second.
const SECOND: i128 = 1_000_000_000;

/// The state of a file when its digest was recorded. Times are in nanoseconds since 1970, and negative before that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The size in bytes.
    pub size: Option<u64>,
    /// The time of the last modification of the content.
    pub mtime: Option<i128>,
    /// The time of the last change of content or attributes. Users cannot set it.
    pub ctime: Option<i128>,
    /// The file's inode number.
    pub inode: Option<u64>,
    /// The time at which the digest was recorded.
    pub recorded: Option<i128>,
}

/// The result of comparing a file with its stamp, if the file's digest has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The size or the time of modification differs, so the file was edited.
    Edited {
        /// True if the time of modification is earlier than the recorded one, so the file is an older version.
        older: bool,
    },
    /// The size and the time of modification are the recorded ones, but the file was replaced, or its time was set
    /// back.
    Replaced,
    /// Only the content differs.
    Rotten,
    /// The file was modified so shortly before the digest was recorded that a later edit may not have changed the time
    /// of modification.
    Uncertain,
}

/// If two modifications are less than this apart, the recorded times may be equal: FAT has a resolution of two seconds.
const UNCERTAIN: i128 = 2 * SECOND;

impl Stamp {
    /// Returns true if there is enough information to distinguish an edited file from one with bit rot.
    #[must_use]
    pub fn tells(&self) -> bool {
        self.mtime.is_some()
    }

    /// Returns true if `now` has the same size and time of modification and, if both are known, the same change time
    /// and inode.
    #[must_use]
    pub fn is_unchanged(&self, now: &Self) -> bool {
        self.tells() && self.same_content_stamp(now) && !self.was_replaced(now)
    }

    /// Returns true if the file was modified so shortly before the digest was recorded that a later modification may
    /// have the same time.
    #[must_use]
    pub fn is_racy(&self) -> bool {
        // A time in the distant future was set on purpose, and says nothing about when the file was modified.
        matches!((self.mtime, self.recorded), (Some(mtime), Some(recorded)) if (recorded - mtime).abs() < UNCERTAIN)
    }

    fn same_content_stamp(&self, now: &Self) -> bool {
        self.mtime == now.mtime && (self.size.is_none() || self.size == now.size)
    }

    fn was_replaced(&self, now: &Self) -> bool {
        let differs = |then: Option<i128>, now: Option<i128>| then.is_some() && now.is_some() && then != now;
        differs(self.ctime, now.ctime) || differs(self.inode.map(i128::from), now.inode.map(i128::from))
    }

    /// Compares a file with this stamp, for a file whose digest has changed. Returns `None` if the stamp has no time of
    /// modification.
    #[must_use]
    pub fn change(&self, now: &Self) -> Option<Change> {
        let mtime = self.mtime?;
        Some(if !self.same_content_stamp(now) {
            Change::Edited { older: now.mtime.is_some_and(|now| now < mtime) }
        } else if self.is_racy() {
            Change::Uncertain
        } else if self.was_replaced(now) {
            Change::Replaced
        } else {
            Change::Rotten
        })
    }

    /// The comment that is written above the lines of a file, without a newline. Other tools ignore this comment.
    #[must_use]
    pub fn comment(&self) -> String {
        let mut text = PREFIX.to_owned();
        let number = |n: Option<u64>| n.map(|n| n.to_string());
        for (key, value) in [
            ("size", number(self.size)),
            ("mtime", self.mtime.map(seconds)),
            ("ctime", self.ctime.map(seconds)),
            ("inode", number(self.inode)),
            ("recorded", self.recorded.map(seconds)),
        ] {
            if let Some(value) = value {
                let _ = write!(text, " {key}={value}");
            }
        }
        text
    }

    /// Parses a comment that [`comment`](Self::comment) returned, or the same comment with a semicolon at its beginning.
    /// Unknown keys are ignored.
    #[must_use]
    pub fn from_comment(line: &[u8]) -> Option<Self> {
        let text = str::from_utf8(line).ok()?.strip_prefix(['#', ';'])?;
        let text = text.strip_prefix(&PREFIX[1..])?.strip_prefix(' ')?;
        let mut stamp = Self::default();
        for field in text.split_ascii_whitespace() {
            let at = field.bytes().position(|b| b == b'=')?;
            stamp.set(&field[..at], &field[at + 1..])?;
        }
        Some(stamp)
    }

    /// Sets the field with this key, such as `mtime`. Returns `None` if `value` is not a number.
    pub fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "size" => self.size = Some(value.parse().ok()?),
            "mtime" => self.mtime = Some(nanoseconds(value)?),
            "ctime" => self.ctime = Some(nanoseconds(value)?),
            "inode" => self.inode = Some(value.parse().ok()?),
            "recorded" => self.recorded = Some(nanoseconds(value)?),
            _ => {}
        }
        Some(())
    }
}

/// The prefix of a comment that records the size and times of a file.
const PREFIX: &str = "#hashwell:";

/// Formats a time as seconds with nine decimals.
#[must_use]
pub fn seconds(nanoseconds: i128) -> String {
    let (sign, n) = if nanoseconds < 0 { ("-", -nanoseconds) } else { ("", nanoseconds) };
    format!("{sign}{}.{:09}", n / SECOND, n % SECOND)
}

/// Parses a time in seconds with at most nine decimals.
#[must_use]
pub fn nanoseconds(text: &str) -> Option<i128> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (whole, decimals) = match text.bytes().position(|b| b == b'.') {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, "0"),
    };
    let whole = i128::from(number(whole, 18)?) * SECOND;
    // There are at most nine digits, so this is less than a second.
    let n = whole + i128::from(number(decimals, 9)? * 10_u64.pow(9 - decimals.len() as u32));
    Some(if negative { -n } else { n })
}

/// Parses 1 to `most` decimal digits, where `most` is at most 19.
fn number(text: &str, most: usize) -> Option<u64> {
    let digit = |b: u8| Some(b.wrapping_sub(b'0')).filter(|digit| *digit < 10);
    let digits = Some(text).filter(|text| (1..=most).contains(&text.len()))?;
    digits.bytes().try_fold(0, |n, b| Some(10 * n + u64::from(digit(b)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_read_back() {
        let stamp = Stamp {
            size: Some(6),
            mtime: Some(-1_500_000_001),
            ctime: Some(1_795_872_320_394_388_420),
            inode: Some(7),
            recorded: Some(0),
        };
        let comment = stamp.comment();
        assert_eq!(
            comment,
            "#hashwell: size=6 mtime=-1.500000001 ctime=1795872320.394388420 inode=7 recorded=0.000000000"
        );
        assert_eq!(Stamp::from_comment(comment.as_bytes()), Some(stamp));
        assert_eq!(Stamp::from_comment(comment.replace('#', ";").as_bytes()), Some(stamp));
        assert_eq!(Stamp::from_comment(b"#hashwell: mtime=1e9"), None);
        assert_eq!(Stamp::from_comment(b"# a comment"), None);
        assert_eq!(nanoseconds("1.5"), Some(1_500_000_000));
        assert_eq!(nanoseconds("1.0000000001"), None);
    }

    #[test]
    fn edited_replaced_rotten_uncertain() {
        let then = Stamp {
            size: Some(3),
            mtime: Some(10 * SECOND),
            ctime: Some(10 * SECOND),
            inode: Some(1),
            recorded: Some(20 * SECOND),
        };
        let now = |mtime, ctime| Stamp { mtime: Some(mtime), ctime: Some(ctime), recorded: None, ..then };
        assert_eq!(then.change(&now(10 * SECOND, 10 * SECOND)), Some(Change::Rotten));
        assert_eq!(then.change(&now(10 * SECOND, 30 * SECOND)), Some(Change::Replaced));
        assert_eq!(then.change(&now(10 * SECOND + 1, 0)), Some(Change::Edited { older: false }));
        assert_eq!(then.change(&now(10 * SECOND - 1, 0)), Some(Change::Edited { older: true }));
        let longer = Stamp { size: Some(4), ..now(10 * SECOND, 10 * SECOND) };
        assert_eq!(then.change(&longer), Some(Change::Edited { older: false }));
        let racy = Stamp { recorded: Some(11 * SECOND), ..then };
        assert_eq!(racy.change(&now(10 * SECOND, 10 * SECOND)), Some(Change::Uncertain));
        let future = Stamp { mtime: Some(90 * SECOND), ..then };
        assert_eq!(future.change(&now(90 * SECOND, 10 * SECOND)), Some(Change::Rotten));
        assert_eq!(Stamp::default().change(&then), None);
        assert!(then.is_unchanged(&now(10 * SECOND, 10 * SECOND)));
        assert!(!then.is_unchanged(&now(10 * SECOND, 11 * SECOND)));
    }
}
