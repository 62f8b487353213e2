//! Near duplicates through the whole reader: copies are found, other pages of a template are not
//! (C13, SPM-09). Real pages: `benches/duplicates.rs`.

use base::{Block, Sketch, Url, Zone};
use parse::fingerprint::{
    NEAR, NEAR_SUPER_SHINGLES, Prints, Shingles, resemblance, super_shingles,
};
use parse::{Input, Options};

/// Numbers without pattern.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    /// Returns a word; low ones are frequent, as in a language.
    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 12] =
            ["ka", "lo", "mi", "ren", "sul", "ta", "vor", "ne", "di", "po", "gar", "el"];
        let highest = 1 + self.below(2_000);
        let mut number = self.below(highest) + 12;
        let mut word = String::new();
        while number > 0 {
            word.push_str(SYLLABLES[(number % 12) as usize]);
            number /= 12;
        }
        word
    }

    fn words(&mut self, length: usize) -> Vec<String> {
        (0..length).map(|_| self.word()).collect()
    }
}

/// Returns the sketch of a page whose main text this is.
fn sketch_of(text: &[String]) -> Sketch {
    Prints::of(&[Block { zone: Zone::Body, text: text.join(" ") }]).sketch
}

/// Reads a page of this text in the dress of a site.
fn sketch(dress: &str, text: &str) -> Sketch {
    let html = format!(
        "<!doctype html><title>Of things</title><nav><ul><li><a href=/>{dress}</a></ul></nav>\
         <main><h1>Of things</h1><p>{text}</p></main><footer>{dress}</footer>"
    );
    let url = Url::parse("http://a.example/").unwrap();
    parse::parse(&Input::new(&url, html.as_bytes()), &Options::default()).sketch
}

fn is_near(one: &Sketch, other: &Sketch) -> bool {
    let (Some(left), Some(right)) = (super_shingles(one), super_shingles(other)) else {
        return false;
    };
    let equal = left.iter().zip(&right).filter(|(left, right)| left == right).count();
    equal >= NEAR_SUPER_SHINGLES && resemblance(one, other) >= NEAR
}

/// Returns how many of a hundred pages are near what `change` makes of them.
fn found(words: usize, change: impl Fn(&mut Draw, &mut Vec<String>)) -> usize {
    let mut draw = Draw(11);
    let is_found = |_: &usize| {
        let mut text = draw.words(words);
        let page = sketch_of(&text);
        change(&mut draw, &mut text);
        is_near(&page, &sketch_of(&text))
    };
    (0..100).filter(is_found).count()
}

fn swap(draw: &mut Draw, text: &mut [String], swaps: usize) {
    for _ in 0..swaps {
        let place = draw.below(text.len() as u64) as usize;
        text[place] = draw.word();
    }
}

#[test]
fn spm_09_machine_made_copies_with_a_few_swapped_words_are_found() {
    let recall =
        [0, 1, 2, 4, 8, 40].map(|swaps| (swaps, found(400, |draw, text| swap(draw, text, swaps))));
    println!("words swapped of 400, copies found of 100: {recall:?}");
    let least = [(0, 100), (1, 95), (2, 50)];
    for ((swaps, found), (_, least)) in recall.iter().zip(least) {
        assert!(*found >= least, "{found} copies with {swaps} words swapped");
    }
    // Every tenth word: two pages, as far as runs of eight words can tell.
    assert_eq!(recall[5], (40, 0));
}

#[test]
fn copies_with_other_dates_times_and_side_bars_are_found() {
    let mut draw = Draw(3);
    for _ in 0..20 {
        let text = draw.words(200).join(" ");
        let mut dated = |dress: &str, month: &str| {
            let (day, minute) = (1 + draw.below(28), 10 + draw.below(49));
            let date = format!("Posted Tuesday, {day} {month} 2026, 10:{minute}");
            sketch(dress, &format!("{date}</p><p>{text}</p><p>2026-03-{day:02} by staff"))
        };
        let (one, other) = (dated("Home", "May"), dated("Another side bar with offers", "June"));
        assert_eq!(resemblance(&one, &other), 1.0);
        assert!(is_near(&one, &other));
    }
}

/// A page that its site lays out by a table, one by named boxes, one by boxes that say what they
/// are: the same article, other side bars, other bylines.
#[test]
fn reprints_in_the_dress_of_another_site_are_found() {
    let mut draw = Draw(17);
    for _ in 0..20 {
        let text: String =
            (0..5).map(|_| format!("<p>{}, and so on.</p>", draw.words(40).join(" "))).collect();
        let byline = |name: &str| format!("<h1>Of things and others</h1><p>By {name}, 3 May 2026");
        let reprints = [
            format!(
                "<nav><a href=/>Home</a></nav><main>{}{text}</main><aside><h3>See also</h3><p>One \
                 crown a week, half for students, nothing for children.</aside>",
                byline("Joana Lindqvist")
            ),
            format!(
                "<div id=head><a href=/>Courier</a> since 1846</div><table><tr><td id=left><h3>This \
                 evening</h3><p>Concert on the pier at eight, dry until midnight.</p><ul><li><a \
                 href=/1>Another long story of the isles</a></ul></td><td>{}{text}</td></table><div \
                 id=foot>The Courier, Port Meridian, part of it is reprinted from other papers, with \
                 thanks to them.</div>",
                byline("our reporter")
            ),
            format!(
                "<div class=wrap><div class=side><h3>Weather</h3><p>The night ferry leaves at ten \
                 past eleven, if at all.</div><div class=text>{}{text}</div></div>",
                byline("staff")
            ),
        ];
        let sketch = |html: &String| super::page(html).sketch;
        let [one, two, three] = reprints.each_ref().map(sketch);
        for (left, right) in [(&one, &two), (&one, &three), (&two, &three)] {
            assert!(is_near(left, right), "{:.3}", resemblance(left, right));
        }
    }
}

#[test]
fn copies_with_other_counters_are_found() {
    let counters = |draw: &mut Draw, text: &mut Vec<String>| {
        text.insert(40, draw.below(9_999).to_string());
        text.insert(90, draw.below(9_999).to_string());
    };
    assert!(found(400, counters) >= 90, "{}", found(400, counters));
}

#[test]
fn spm_09_different_pages_of_one_template_are_never_near() {
    let mut draw = Draw(5);
    let shell = draw.words(150).join(" ");
    let pages: Vec<Sketch> = (0..60)
        .map(|_| sketch("Home", &format!("{shell} {} {shell}", draw.words(40).join(" "))))
        .collect();
    let mut near = 0;
    for (place, page) in pages.iter().enumerate() {
        near += pages[..place].iter().filter(|other| is_near(page, other)).count();
    }
    assert_eq!(near, 0, "of {} pairs", pages.len() * (pages.len() - 1) / 2);
}

/// W8 through the real path: what is around the sentences is not part of them.
#[test]
fn w8_two_pages_share_seven_of_eleven_pairs_of_words() {
    let shingles = |sentence: &str| {
        let html = format!(
            "<html><head><title>Diary</title></head><body><nav><a href=/>Home</a> <a href=/x>More</a>\
             </nav><article><p>{sentence}</p></article></body></html>"
        );
        Shingles::of(&super::page(&html).blocks, 2)
    };
    let one = shingles("I like to <b>watch</b> the sun&nbsp;set with my friend.");
    let other = shingles("My friend and I like to watch the <i>sun</i> set.");
    assert_eq!((one.num_shingles(), other.num_shingles()), (9, 9));
    assert_eq!(one.num_shared(&other), 7);
    assert_eq!(one.jaccard(&other), 7.0 / 11.0);
}
