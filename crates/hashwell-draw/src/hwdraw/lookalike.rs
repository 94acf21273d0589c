//! Detects descriptions that look as if they named a beacon (`docs/spec/draw.md`, "Descriptions").

/// For each letter, the characters that look like it.
#[rustfmt::skip]
const LOOKALIKES: [(char, &str); 19] = [
    ('a', "@ªÀÁÂÃÄÅàáâãäåĀāĂăĄąǍǎǞǟǠǡǺǻȀȁȂȃȦȧȺɐɑΑαАаᎪᴀᵃḀḁẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặₐ∀⍺＠"),
    ('b', "ßƀƄɓʙΒβВЬвьᏴᴃᵇḂḃḄḅḆḇ"),
    ('c', "¢©ÇçĆćĈĉĊċČčƈɕϲϹСсᏟᴄᶜḈḉℂⅭⅽ∁Ⲥⲥꮯ￠"),
    ('d', "ÐðĎďĐđƊɖɗԀԁᎠᏧᴅᵈḊḋḌḍḎḏḐḑḒḓⅅⅆⅮⅾ∂ꓒꓓꭰ"),
    ('e', "ÈÉÊËèéêëĒēĔĕĖėĘęĚěƏƐȄȅȆȇȨȩɘəɛΕεϵЁЄЕЭеэёєҼҽᎬᴇᵉḔḕḖḗḘḙḚḛḜḝẸẹẺẻẼẽẾếỀềỂểỄễỆệₑ€℮ℯℰⅇ∃ꭼ"),
    ('f', "ƒϜϝḞḟℱꜰ"),
    ('g', "ĜĝĞğĠġĢģƓǦǧǴǵɠɡɢԌԍցᏀᵍḠḡℊ"),
    ('i', "!¡ÌÍÎÏìíîïĨĩĪīĬĭĮįİıǏǐȈȉȊȋɩɪΙιІЇіїӀӏᎥᵢḬḭḮḯỈỉỊịⁱℹⅈⅠⅰ！"),
    ('k', "ĶķĸƘƙǨǩΚκКкҚқᏦᴋᵏḰḱḲḳḴḵₖKⲔⲕ"),
    ('l', "|¦ĹĺĻļĽľŁłǀɭʟˡ׀ᏞḶḷḸḹḺḻḼḽₗℓⅬⅼ∣｜"),
    ('n', "ÑñŃńŅņŇňŊŋƞǸǹȠɲɳɴΝΠηπИПипՌոռᴎṄṅṆṇṈṉṊṋⁿₙℕꓠ"),
    ('o', "°ºÒÓÔÕÖØòóôõöøŌōŎŏŐőƠơǑǒǪǫǬǭȌȍȎȏȪȫȬȭȮȯȰȱΘΟΣθοσОоӨөՕօᴏᵒṌṍṎṏṐṑṒṓỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợₒ"),
    ('p', "ÞþƤƥΡρРрᏢᴘᵖṔṕṖṗₚℙ⍴"),
    ('q', "ɊɋʠԚԛգզℚ"),
    ('r', "®ŔŕŖŗŘřȐȑȒȓɼɽɾʀʳГЯгяᎡᏒᴙᴦᵣṘṙṚṛṜṝṞṟℛℝⲄⲅꓣ"),
    ('s', "$§ŚśŜŝŞşŠšſȘșʂˢЅѕՏᏚṠṡṢṣṤṥṦṧṨṩẛₛ∫ꓢꜱ＄"),
    ('t', "ŢţŤťŦŧƬƭȚțʈΤτТтᎢᴛᵗṪṫṬṭṮṯṰṱẗ†ₜ⊤ꓔ"),
    ('u', "ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲųƯưƱǓǔǕǖǗǘǙǚǛǜȔȕȖȗʊʋμυцՍսᴜᵘᵤṲṳṴṵṶṷṸṹṺṻỤụỦủỨứỪừỬửỮữỰự∪"),
    ('y', "¥ÝýÿŶŷŸȲȳʏΥγУуҮүყẎẏẙỲỳỴỵỶỷỸỹ"),
];

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
const DIGITS: &[u8] = b"0123456789";

/// Blocks of characters that repeat the letters or the digits: first and last character, and the repeated sequence.
const BLOCKS: [(u32, u32, &[u8]); 16] = [
    (0x2070, 0x2079, DIGITS),
    (0x2080, 0x2089, DIGITS),
    (0x2460, 0x2468, b"123456789"),
    (0x249c, 0x24b5, LETTERS),
    (0x24b6, 0x24cf, LETTERS),
    (0x24d0, 0x24e9, LETTERS),
    (0xff10, 0xff19, DIGITS),
    (0xff21, 0xff3a, LETTERS),
    (0xff41, 0xff5a, LETTERS),
    (0x1_d400, 0x1_d6a3, LETTERS),
    (0x1_d7ce, 0x1_d7ff, DIGITS),
    (0x1_f110, 0x1_f129, LETTERS),
    (0x1_f130, 0x1_f149, LETTERS),
    (0x1_f150, 0x1_f169, LETTERS),
    (0x1_f170, 0x1_f189, LETTERS),
    (0x1_f1e6, 0x1_f1ff, LETTERS),
];

/// Characters that are invisible, or drawn on top of the character before: they don't separate words.
const UNSEEN: [(char, char); 6] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{300}', '\u{36f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
];

/// Names of beacons. Each element lists the characters that can appear at that position.
const NAMES: [&[&str]; 6] = [
    &["d", "r", "a4", "n", "d"],
    &["q", "u", "i1l", "c", "k", "n", "e3", "t"],
    &["f", "a4", "s5", "t", "n", "e3", "t"],
    &["b", "e3", "a4", "c", "o0", "n"],
    &["l", "e3", "a4", "g", "u", "e3", "o0", "f", "e3", "n", "t", "r", "o0", "p", "y"],
    &["n", "il", "s5", "t", "0123456789"],
];

/// The number of digits of a chain's hash.
const HASH_DIGITS: usize = 64;

/// Appends the ASCII letter or digit that a character looks like, or a space if it looks like none.
fn fold(c: char, out: &mut Vec<u8>) {
    let code = u32::from(c);
    let alike = LOOKALIKES.iter().find(|(_, alike)| alike.contains(c)).map(|(letter, _)| *letter as u8);
    let repeated = BLOCKS
        .iter()
        .find(|(first, last, _)| (*first..=*last).contains(&code))
        .map(|(first, _, repeated)| repeated[(code - first) as usize % repeated.len()]);
    match alike.or(repeated) {
        Some(letter) => out.push(letter),
        None if c.is_ascii_alphanumeric() => out.push(c.to_ascii_lowercase() as u8),
        None if UNSEEN.iter().any(|(first, last)| (*first..=*last).contains(&c)) => {}
        None => out.push(b' '),
    }
}

/// Returns true if a text begins with one character from each of these sets, in order.
fn begins(text: &[u8], sets: &[&str]) -> bool {
    text.len() >= sets.len() && text.iter().zip(sets).all(|(byte, set)| set.as_bytes().contains(byte))
}

/// Returns true if a text looks as if it named a beacon, its chain or one of its pulses.
pub(super) fn names_a_beacon(text: &str) -> bool {
    let mut folded = Vec::with_capacity(text.len());
    text.chars().for_each(|c| fold(c, &mut folded));
    let is_nist = |word: &[u8]| {
        let rest = word.get(4..).unwrap_or_default();
        begins(word, &["n", "i1l", "s5", "t"]) && rest.iter().all(u8::is_ascii_digit)
    };
    if folded.split(|byte| *byte == b' ').any(is_nist) {
        return true;
    }
    folded.retain(|byte| *byte != b' ');
    let is_hash = |digits: &[u8]| digits.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let has_name = |at: usize| NAMES.iter().any(|name| begins(&folded[at..], name));
    folded.windows(HASH_DIGITS).any(is_hash) || (0..folded.len()).any(has_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_beacons_are_found_in_any_disguise() {
        let chain = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
        for text in [
            "drand",
            &format!("Drand {chain} 123"),
            &format!("drand\u{a0}{chain} 123"),
            &format!("chain {chain}"),
            "d r a n d, round 123",
            "d.r.a.n.d",
            "D\u{301}r\u{e5}n\u{200b}d",
            "\u{501}rand 123",
            "\u{ff24}\u{ff32}\u{ff21}\u{ff2e}\u{ff24}",
            "\u{1d41d}\u{1d42b}\u{1d41a}\u{1d427}\u{1d41d}",
            "\u{24d3}\u{24e1}\u{24d0}\u{24dd}\u{24d3}",
            "dr4nd",
            "Dr@nd",
            "quicknet round 123",
            "Qu1ck-Net",
            "NIST 2 7",
            "nist\t2\t7",
            "N\u{406}\u{405}\u{422} chain two",
            "NlST pulse 7",
            "NlST 7",
            "N1ST",
            "NIST27",
            "the NIST randomness service",
            "a public beacon",
            "League of Entropy",
        ] {
            assert!(names_a_beacon(text), "{text:?}");
        }
        for text in [
            "",
            "dice, thrown in public on 3 May",
            "ten-sided dice; the minister and the organist throw",
            "administration of the town, 2 dice, one hundred and ten throws",
            "drawn on 1st May",
            "Brand new dice, and a random number",
            "\u{43a}\u{43e}\u{441}\u{442}\u{438}, 3 \u{43c}\u{430}\u{44f}",
            "\u{9ab}\u{9b2}",
            &chain[1..],
        ] {
            assert!(!names_a_beacon(text), "{text:?}");
        }
    }

    /// No character occurs in two places of the tables.
    #[test]
    fn every_character_has_one_letter() {
        let mut all: Vec<char> = LOOKALIKES.iter().flat_map(|(_, alike)| alike.chars()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(!all.iter().any(|c| c.is_ascii_alphanumeric()));
        // The superscript i is the only exception, and the table is searched first.
        let in_a_block = |c: &char| BLOCKS.iter().any(|(a, b, _)| (*a..=*b).contains(&u32::from(*c)));
        assert_eq!(all.into_iter().filter(in_a_block).collect::<String>(), "\u{2071}");
    }
}
