//! Links of a page: where they lead, and which letters lie under them.
//!
//! A PDF does not say what a link's words are, only which rectangle of the page is clicked.

use std::ops::Range;

use lopdf::{Dictionary, Object};

use super::layout::Layout;
use super::{annotations_of, dictionary_of, rectangle, text_of};

/// Rectangles of one page that letters are held against: each letter's run is held against all.
const RECTANGLES: usize = 200;
/// How far above the line on which a letter stands its middle is, in ems.
const MIDDLE: f32 = 0.25;

/// A rectangle of the page, and the number of its link.
pub(super) type Area = ([f32; 4], usize);

/// Letters of a run that lie under a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Number of the link.
    pub(super) link: usize,
    /// Bytes of the run.
    pub(super) range: Range<usize>,
}

/// Takes the links of a page; returns where they lie.
pub(super) fn read(
    document: &lopdf::Document,
    page: &Dictionary,
    most: usize,
    layout: &mut Layout,
) -> Vec<Area> {
    let mut areas = Vec::new();
    for annotation in annotations_of(document, page) {
        let kind = annotation.get(b"Subtype").and_then(Object::as_name).unwrap_or_default();
        let action = dictionary_of(document, annotation, b"A");
        let address = action.and_then(|action| action.get_deref(b"URI", document).ok());
        let Some(address) = address.filter(|_| kind == b"Link") else { continue };
        let said = annotation.get_deref(b"Contents", document).map(text_of).unwrap_or_default();
        let Some(number) = layout.link(text_of(address), said, most) else { break };
        if let Some(place) = rectangle(document, annotation, b"Rect")
            && areas.len() < RECTANGLES
        {
            areas.push((place, number));
        }
    }
    areas
}

/// Where the letters of a run begin: byte of its text, and place on the page; one more for its end.
#[derive(Debug, Default)]
pub(super) struct Letters(Vec<(usize, (f32, f32))>);

impl Letters {
    pub(super) fn push(&mut self, byte: usize, place: (f32, f32)) {
        self.0.push((byte, place));
    }

    /// Returns which letters lie under links; `up` is how far an em reaches, as a vector.
    pub(super) fn marks(&self, areas: &[Area], up: (f32, f32)) -> Vec<Mark> {
        let (Some((_, first)), Some((_, last))) = (self.0.first(), self.0.last()) else {
            return Vec::new();
        };
        let lift = |(x, y): (f32, f32)| (x + MIDDLE * up.0, y + MIDDLE * up.1);
        let (first, last) = (lift(*first), lift(*last));
        let touches = |[left, bottom, right, top]: &[f32; 4]| {
            first.0.min(last.0) <= *right
                && first.0.max(last.0) >= *left
                && first.1.min(last.1) <= *top
                && first.1.max(last.1) >= *bottom
        };
        let mut marks = Vec::new();
        for (area, link) in areas.iter().filter(|(area, _)| touches(area)) {
            let inside = self.0.windows(2).filter(|pair| {
                let (one, next) = (pair[0].1, pair[1].1);
                let (x, y) = lift((f32::midpoint(one.0, next.0), f32::midpoint(one.1, next.1)));
                let [left, bottom, right, top] = area;
                (*left..=*right).contains(&x) && (*bottom..=*top).contains(&y)
            });
            let mut range: Option<Range<usize>> = None;
            for pair in inside {
                range.get_or_insert(pair[0].0..pair[1].0).end = pair[1].0;
            }
            marks.extend(range.map(|range| Mark { link: *link, range }));
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_whose_middle_is_under_a_link_are_its_words() {
        let mut letters = Letters::default();
        for byte in 0..=10_u8 {
            letters.push(usize::from(byte), (100.0 + 10.0 * f32::from(byte), 50.0));
        }
        let marks = |area: [f32; 4]| {
            let found = letters.marks(&[(area, 7)], (0.0, 12.0));
            found.first().map(|mark| (mark.link, mark.range.clone()))
        };
        assert_eq!(marks([118.0, 48.0, 151.0, 62.0]), Some((7, 2..5)));
        assert_eq!(marks([0.0, 0.0, 1_000.0, 1_000.0]), Some((7, 0..10)));
        // The line below and the one above.
        assert_eq!(marks([118.0, 30.0, 151.0, 49.0]), None);
        assert_eq!(marks([118.0, 60.0, 151.0, 72.0]), None);
        assert_eq!(Letters::default().marks(&[([0.0; 4], 0)], (0.0, 1.0)), Vec::new());
    }
}
