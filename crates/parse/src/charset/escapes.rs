//! Japanese in seven bits: escapes lead into kanji and back (ISO-2022-JP).
//!
//! Where nothing declares it, browsers have become careful: between two escapes any markup reads as
//! kanji. It is guessed here only of a text that keeps all rules, so that whoever may write a few
//! bytes of a page cannot make the rest of it unreadable (CHR-07): every run of kanji is of whole
//! pairs, has no space and no line break in it, ends with an escape back, and a good part of all
//! pairs are kana, as in any Japanese.

/// Of how many pairs at least one is kana.
const PAIRS_PER_KANA: usize = 12;

/// What the bytes behind an escape are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Ascii,
    /// Pairs of bytes.
    Kanji,
    /// Narrow katakana, one byte each.
    Kana,
}

/// Returns whether a text is Japanese in seven bits. Cost: linear, and of a text without an escape
/// little more than looking for one.
pub(super) fn is_japanese(body: &[u8]) -> bool {
    if !body.contains(&ESCAPE) || !body.is_ascii() {
        return false;
    }
    let (mut set, mut place) = (Set::Ascii, 0);
    let (mut pairs, mut kana) = (0_usize, 0_usize);
    while let Some(&byte) = body.get(place) {
        match (byte, set) {
            (ESCAPE, _) => {
                let Some((next, length)) = escape(&body[place..]) else { return false };
                set = next;
                place += length;
                continue;
            }
            (_, Set::Ascii) => {}
            (b'!'..=b'_', Set::Kana) => {}
            (b'!'..=b'~', Set::Kanji) => {
                let Some(b'!'..=b'~') = body.get(place + 1) else { return false };
                pairs += 1;
                kana += usize::from(matches!(byte, b'$' | b'%'));
                place += 1;
            }
            _ => return false,
        }
        place += 1;
    }
    set == Set::Ascii && pairs > 0 && kana * PAIRS_PER_KANA >= pairs
}

const ESCAPE: u8 = 0x1B;

/// Returns the set that an escape leads into, and how many bytes the escape takes.
fn escape(bytes: &[u8]) -> Option<(Set, usize)> {
    let set = match bytes.get(1..3)? {
        b"(B" | b"(J" => Set::Ascii,
        b"(I" => Set::Kana,
        b"$B" | b"$@" => Set::Kanji,
        _ => return None,
    };
    Some((set, 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &[u8], expected: bool) {
        assert_eq!(is_japanese(body), expected, "{:?}", String::from_utf8_lossy(body));
    }

    #[test]
    fn japanese_in_seven_bits_is_told() {
        check(b"<p>\x1B$B$3$s$K$A$O\x1B(B, \x1B$@$3$s\x1B(J <b>\x1B(I12\x1B(B", true);
        check(b"plain", false);
        check(b"", false);
    }

    #[test]
    fn chr_07_whoever_breaks_the_rules_is_not_believed() {
        for body in [
            &b"<p>\x1B$B$3$s$K<a href=/1>one</a>"[..],
            b"<p>\x1B$B$3$s$K$A\n<a>\x1B(B",
            b"<p>\x1B$B$3$s$\x1B(B",
            b"<p>\x1B$B$3$s",
            b"<p>\x1B$B<a/href=/1>one</a>\x1B(B",
            b"<p>\x1B(I<a>\x1B(B",
            b"<p>\x1B[0m\x1B$B$3$s\x1B(B",
            b"<p>\x1B$B\x1B(B",
            b"\x1B",
            b"\x1B$",
            b"\xE9\x1B$B$3$s\x1B(B",
        ] {
            check(body, false);
        }
    }
}
