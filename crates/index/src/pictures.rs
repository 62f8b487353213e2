//! What the index keeps of a page's pictures, and the words by which they are found (P8).
//!
//! ```text
//! pictures = [Picture], postcard; none if there are none
//! ```

use base::{Image, PageRecord, Span, Url};
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use text::Language;

/// Pictures kept of one page; those with a text of their own first.
const MOST_PICTURES: usize = 32;
/// Bytes kept of an alternative text or caption.
const TEXT_BYTES: usize = 240;
/// Bytes of a file name that are read as words.
const NAME_BYTES: usize = 120;
/// Pictures with a side shorter than this are signs, bullets and counters.
const LEAST_SIDE: u32 = 33;

/// A picture as the index keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Where it is.
    pub url: Url,
    /// Alternative text; empty if the page has none or forbids to show text of it.
    pub alt: String,
    /// Caption, likewise.
    pub caption: String,
    /// Width in CSS pixels as the page says; 0 if it says nothing.
    pub width: u32,
    /// Height, likewise.
    pub height: u32,
}

/// A page with its pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Pictured {
    /// Its address.
    pub url: Url,
    /// Its title; may be empty.
    pub title: String,
    /// Language that its words are stemmed by.
    pub language: Option<Language>,
    /// Its pictures, those with a text of their own first.
    pub pictures: Vec<Picture>,
}

impl Picture {
    /// Returns what the picture is called: alternative text, caption, words of its file name.
    pub fn words(&self) -> String {
        format!("{}\n{}\n{}", self.alt, self.caption, self.name())
    }

    /// Returns the words of its file name, without the extension.
    pub fn name(&self) -> String {
        let name = self.url.path().rsplit('/').next().unwrap_or_default();
        let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let name = base::limits::cut(name, NAME_BYTES);
        let name = percent_decode_str(name).decode_utf8_lossy();
        let letter = |letter: char| if letter.is_alphanumeric() { letter } else { ' ' };
        name.chars().map(letter).collect()
    }
}

/// Returns the pictures of a page that are worth keeping.
pub(crate) fn of(record: &PageRecord) -> Vec<Picture> {
    let is_sign = |side: u32| side != 0 && side < LEAST_SIDE;
    let is_kept = |image: &&Image| !is_sign(image.width) && !is_sign(image.height);
    let has_text = |image: &&Image| !(image.alt.is_empty() && image.caption.is_empty());
    let images = record.images.iter().filter(is_kept);
    let with_text = images.clone().filter(has_text);
    let without = images.filter(|image| !has_text(image));
    let kept = with_text.chain(without).take(MOST_PICTURES);
    let text = |text: &str| base::limits::cut(text, TEXT_BYTES).to_owned();
    kept.map(|image| Picture {
        url: image.target.clone(),
        alt: text(&image.alt),
        caption: text(&image.caption),
        width: image.width,
        height: image.height,
    })
    .collect()
}

/// Returns pictures as they are stored: without texts that the page forbids to show.
pub(crate) fn encode(record: &PageRecord, mut pictures: Vec<Picture>) -> Vec<u8> {
    let spans = record.unquotable.iter();
    let unquotable: Vec<&str> = spans.filter_map(|span: &Span| record.text_of(*span)).collect();
    let is_forbidden = |text: &str| {
        record.robots.nosnippet || unquotable.iter().any(|unquotable| unquotable.contains(text))
    };
    for picture in &mut pictures {
        for text in [&mut picture.alt, &mut picture.caption] {
            if !text.is_empty() && is_forbidden(text) {
                text.clear();
            }
        }
    }
    postcard::to_stdvec(&pictures).expect("plain data is always written")
}

/// Reads what [`encode`] has written; what cannot be read is no pictures.
pub(crate) fn decode(bytes: &[u8]) -> Vec<Picture> {
    postcard::from_bytes(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use base::{Block, PageId, Timestamp, Zone};

    use super::*;

    fn image(url: &str, alt: &str, width: u32) -> Image {
        let target = Url::parse(url).unwrap();
        Image { target, alt: alt.to_owned(), caption: String::new(), width, height: 0 }
    }

    fn record(images: Vec<Image>) -> PageRecord {
        let url = Url::parse("http://a.example/").unwrap();
        let record = PageRecord::new(PageId::new(0, 0).unwrap(), url, Timestamp::default(), 200);
        PageRecord { images, ..record }
    }

    #[test]
    fn pictures_with_words_come_first_and_signs_are_left_out() {
        let record = record(vec![
            image("http://a.example/plain.png", "", 0),
            image("http://a.example/dot.gif", "dot", 8),
            image("http://a.example/cat.jpg", "A jaguar", 640),
        ]);
        let kept = of(&record);
        let names: Vec<String> = kept.iter().map(Picture::name).collect();
        assert_eq!(names, ["cat", "plain"]);
        assert_eq!(decode(&encode(&record, kept.clone())), kept);
        assert_eq!(decode(&[7, 7]), []);
        let many = (0..99).map(|n| image(&format!("http://a.example/{n}.png"), "x", 0));
        assert_eq!(of(&self::record(many.collect())).len(), MOST_PICTURES);
    }

    #[test]
    fn file_names_are_read_as_words() {
        let check = |url: &str, expected: &str| {
            let record = record(vec![image(url, "", 0)]);
            assert_eq!(of(&record)[0].name(), expected, "{url}");
        };
        check("http://a.example/x/black_jaguar-2.JPG?w=9", "black jaguar 2");
        check("http://a.example/K%C3%B8benhavn.png", "København");
        check("http://a.example/100%25.png", "100 ");
        // A sign is no digit: `%+1` was once read as the octet 1.
        check("http://a.example/a%+1b.png", "a  1b");
        check("http://a.example/", "");
    }

    #[test]
    fn texts_that_may_not_be_shown_are_not_stored() {
        let mut page = record(vec![image("http://a.example/a.png", "secret cat", 0)]);
        let text = "a secret cat here".to_owned();
        page.blocks.push(Block { zone: Zone::Body, text });
        let alts = |page: &PageRecord| decode(&encode(page, of(page)))[0].alt.clone();
        assert_eq!(alts(&page), "secret cat");
        page.unquotable.push(Span { block: 0, start: 0, end: 17 });
        assert_eq!(alts(&page), "");
        page.unquotable.clear();
        page.robots.nosnippet = true;
        assert_eq!(alts(&page), "");
    }
}
