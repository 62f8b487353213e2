//! Snippets whose pieces are written in different directions.
//!
//! A snippet is put together of pieces of a page. A piece that runs against the result around it
//! must be set apart, or its full stop stands at its beginning. Browsers can tell a direction only
//! by the first letter, which a name in Latin letters would deceive; here all letters count.

use rank::Segment;

/// What stands between pieces.
const BETWEEN: &str = " · ";

/// A part of a snippet: a piece, what stands between two, or all of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    /// Which way it is written, where it must be set apart.
    pub(crate) direction: Option<&'static str>,
    /// Texts, and whether they are marked.
    pub(crate) runs: Vec<(&'a str, bool)>,
}

/// Returns the pieces of a snippet in a result that is written in a `direction`.
pub(crate) fn pieces<'a>(segments: &'a [Segment], direction: &str) -> Vec<Piece<'a>> {
    let mut pieces = Vec::from_iter(segments.first().map(|_| Piece::default()));
    for segment in segments {
        for (i, text) in segment.text.split(BETWEEN).enumerate() {
            if i > 0 {
                pieces.push(Piece { direction: None, runs: vec![(BETWEEN, false)] });
                pieces.push(Piece::default());
            }
            if let Some(piece) = pieces.last_mut().filter(|_| !text.is_empty()) {
                piece.runs.push((text, segment.is_marked));
            }
        }
    }
    let around = match direction {
        "ltr" | "rtl" => Some(direction),
        // Left to the browser: the first letter decides.
        _ => letters(&pieces).next().map(way),
    };
    for piece in &mut pieces {
        let own = prevailing(piece);
        piece.direction = own.filter(|own| Some(*own) != around);
    }
    pieces
}

/// Returns which way most letters of a piece are written; `None` if it has none.
fn prevailing(piece: &Piece<'_>) -> Option<&'static str> {
    let (mut left, mut right) = (0, 0);
    for letter in letters(std::slice::from_ref(piece)) {
        *(if is_from_right(letter) { &mut right } else { &mut left }) += 1;
    }
    match (left, right) {
        (0, 0) => None,
        _ if right > left => Some("rtl"),
        _ => Some("ltr"),
    }
}

fn letters<'a>(pieces: &'a [Piece<'_>]) -> impl Iterator<Item = char> + 'a {
    let texts = pieces.iter().flat_map(|piece| &piece.runs).map(|(text, _)| *text);
    texts.flat_map(str::chars).filter(|character| character.is_alphabetic())
}

fn way(letter: char) -> &'static str {
    if is_from_right(letter) { "rtl" } else { "ltr" }
}

/// Returns whether a letter is one of those that run from right to left: Hebrew, Arabic and what
/// Unicode has set aside beside them.
fn is_from_right(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words between stars are marked; what is set apart is shown in braces.
    #[track_caller]
    fn check(snippet: &str, direction: &str, expected: &str) {
        let segment = |(i, text): (usize, &str)| Segment {
            text: text.to_owned(),
            is_marked: !i.is_multiple_of(2),
        };
        let segments: Vec<Segment> = snippet.split('*').enumerate().map(segment).collect();
        let mut shown = String::new();
        for piece in pieces(&segments, direction) {
            let mark = |(text, is_marked): &(&str, bool)| match is_marked {
                true => format!("*{text}*"),
                false => (*text).to_owned(),
            };
            let text: String = piece.runs.iter().map(mark).collect();
            shown += &piece.direction.map_or(text.clone(), |way| format!("{{{way}: {text}}}"));
        }
        assert_eq!(shown, expected);
    }

    #[test]
    fn pieces_that_run_the_other_way_are_set_apart() {
        check("A *cat*. · Dogs", "ltr", "A *cat*. · Dogs");
        check("*قط* أسود. · A cat. · 1984", "ltr", "{rtl: *قط* أسود.} · A cat. · 1984");
        check("*قط* أسود. · A cat.", "rtl", "*قط* أسود. · {ltr: A cat.}");
        check("*קט* שחור.", "ltr", "{rtl: *קט* שחור.}");
        check("", "ltr", "");
    }

    #[test]
    fn a_name_at_the_beginning_does_not_turn_a_piece() {
        check("Lookfar هو محرك بحث.", "rtl", "Lookfar هو محرك بحث.");
        check("Lookfar هو محرك بحث.", "ltr", "{rtl: Lookfar هو محرك بحث.}");
    }

    #[test]
    fn where_nothing_is_known_the_first_letter_decides_as_in_the_browser() {
        check("A cat. · قط أسود.", "auto", "A cat. · {rtl: قط أسود.}");
        check("قط أسود. · A cat.", "auto", "قط أسود. · {ltr: A cat.}");
    }
}
