//! Made-up makes that repeat themselves, and real pages that do not (`LOOKFAR_DATA`).

use std::collections::HashMap;
use std::path::PathBuf;

use base::Zone;
use parse::{Input, Options, parse};
use proptest::prelude::*;

use super::super::{Lessons, Observation, Outcome};
use super::*;

fn url(text: &str) -> Url {
    Url::parse(&format!("http://a.example{text}")).unwrap()
}

/// Returns which of the pages are stale, each given by its address and its text.
fn stale(pages: &[(&str, &str)], strict: bool) -> Vec<bool> {
    let mut watch = Watch::default();
    let sketch = |(path, text): &(&str, &str)| {
        let block = Block { zone: Zone::Body, text: (*text).to_owned() };
        Sketch::of_page(&url(path), &[block], &[])
    };
    pages.iter().map(|page| watch.is_stale(1, &sketch(page), strict)).collect()
}

#[test]
fn lnk_01_dates_and_numbers_say_nothing() {
    let pages = [
        ("/2026/11", "November 2026: no appointments. Mon 1, Tue 2"),
        ("/2026/12", "December 2026: no appointments. Mon 1, Wed 30"),
        ("/2027/01", "January 2027: no appointments. Sunday 3"),
    ];
    assert_eq!(stale(&pages, false), [false, true, true]);
}

#[test]
fn lnk_15_words_of_the_address_say_nothing() {
    let pages = [
        ("/s?q=boats", "Results for boats: none at all were found, try another word"),
        (
            "/s?q=sails+and+oars",
            "Results for sails and oars: none at all were found, try another word",
        ),
        ("/s?q=tea", "Results for tea: a fine kettle of copper, made in the north by hand"),
    ];
    assert_eq!(stale(&pages, true), [false, true, false]);
}

#[test]
fn one_new_sentence_is_enough() {
    let frame = "Home of the society. Opening hours as usual. Write to us if you like. ";
    let first = format!("{frame}The heron stands at the weir.");
    let second = format!("{frame}A kingfisher was seen by the mill.");
    assert_eq!(
        stale(&[("/1", &first), ("/2", &second), ("/3", &second)], false),
        [false, false, true]
    );
}

#[test]
fn sketches_of_no_script_ever_change() {
    let texts = [
        "The heron stands at the weir, March 12, 2026; they may march on WEDNESDAY or Wed.",
        "utf8 8bit 3rd and 12.5 e-mail don't a@b.example — naïve nai\u{308}ve e\u{301}\u{301}",
        "ÆBLE Ærø øl ΟΔΟΣ οδός İstanbul ISTANBUL straße Привет мир العربية مَرْحَبًا ٣٤ हिन्दी १२",
        "東京タワー 2026年3月12日 漢字abc漢 ไทย ខ្មែរ 한국어 ㊀ ½ x² 𠀀𠀁 a😀b zero\u{200b}width",
        "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihung, twice as long",
        "monda monday mondays jan janu decem dec december sun Sunday may maybe MAR marc",
    ];
    let blocks = texts.map(|text| Block { zone: Zone::Body, text: text.to_owned() });
    let of = |blocks: &[Block]| {
        let sketch = Sketch::of_page(&url("/weir/ÆBLE?q=heron+stands&n=5"), blocks, &[]);
        let bytes: Vec<u8> = sketch.0.iter().flat_map(|pair| pair.to_le_bytes()).collect();
        (sketch.0.len(), xxh3_64(&bytes))
    };
    let long = Block { zone: Zone::Body, text: texts.join(" ").repeat(40) };
    let mut found: Vec<_> = blocks.iter().map(|block| of(std::slice::from_ref(block))).collect();
    found.extend([of(&blocks), of(&[long])]);
    let expected = [
        (7, 11_874_363_737_345_238_309),
        (12, 9_095_458_915_314_400_870),
        (16, 13_924_056_163_256_136_874),
        (14, 17_849_802_285_118_430_007),
        (4, 13_874_309_600_496_409_308),
        (6, 14_914_087_693_034_911_645),
        (58, 8_370_226_615_185_175_057),
        (59, 15_965_664_954_495_034_018),
    ];
    // Hosts keep filters of them.
    assert_eq!(found, expected);
}

#[test]
fn a_page_without_words_cannot_be_told() {
    assert_eq!(stale(&[("/1", "1"), ("/2", "2"), ("/3", "3")], true), [false; 3]);
}

#[test]
fn makes_that_are_new_each_time_give_up_their_places() {
    let mut watch = Watch::default();
    let sketch = |make: u64, n: u64| Sketch(vec![make as u32 * 1_000 + n as u32]);
    for n in 0..6 {
        for make in 0..20 {
            assert!(!watch.is_stale(make, &sketch(make, n), false));
        }
    }
    assert_eq!(watch.makes.len(), WATCHED);
    // One that repeats itself is found among them all the same, and kept.
    let found = (0..60).filter(|n| {
        (0..5).for_each(|make| assert!(!watch.is_stale(make, &sketch(make, 100 + n), false)));
        watch.is_stale(99, &sketch(99, 7), false)
    });
    assert!(found.count() >= 40);
}

proptest! {
    #[test]
    fn anything_can_be_sketched_and_is_stale_when_it_comes_again(
        text in "\\PC{0,300}",
        path in "/[a-z0-9%+;=&?]{0,30}",
    ) {
        let Ok(url) = Url::parse(&format!("http://a.example{path}")) else { return Ok(()) };
        let block = Block { zone: Zone::Body, text };
        let sketch = Sketch::of_page(&url, &[block], &[]);
        prop_assert!(sketch.0.len() <= KEPT);
        let mut watch = Watch::default();
        watch.is_stale(1, &sketch, false);
        prop_assert_eq!(watch.is_stale(1, &sketch, false), !sketch.0.is_empty());
    }
}

/// Returns a folder of the data packs; says so where there is none.
fn pack(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("LOOKFAR_DATA").map(|data| PathBuf::from(data).join(name));
    let found = path.filter(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: no data pack `{name}`; set LOOKFAR_DATA to the folder of the packs");
    }
    found
}

fn sketch_of(url: &Url, body: &[u8]) -> (Sketch, u128) {
    let input = Input { content_type: Some("text/html"), ..Input::new(url, body) };
    let parsed = parse(&input, &Options::default());
    (Sketch::of_page(url, &parsed.blocks, &parsed.links), parsed.text_hash)
}

#[test]
fn real_articles_of_one_make_are_told_apart() {
    let Some(pack) = pack("readability/mozilla-readability/test/test-pages") else { return };
    let mut watch = Watch::default();
    let (mut pages, mut alarms) = (0, 0);
    for entry in std::fs::read_dir(pack).unwrap() {
        let Ok(body) = std::fs::read(entry.unwrap().path().join("source.html")) else { continue };
        // Some pages of the pack are made for a test, of one filler text.
        if String::from_utf8_lossy(&body).to_lowercase().contains("ipsum dolor sit") {
            continue;
        }
        let (sketch, _) = sketch_of(&url(&format!("/article?id={pages}")), &body);
        pages += 1;
        alarms += usize::from(watch.is_stale(1, &sketch, true));
    }
    println!("{alarms} false alarms among {pages} articles");
    assert!(pages >= 90 && alarms * 20 <= pages, "{alarms} of {pages}");
}

#[test]
fn no_make_of_a_real_web_is_left() {
    let Some(pack) = pack("webkb") else { return };
    let manifest = std::fs::read_to_string(pack.join("webkb-manifest.tsv")).unwrap();
    let mut hosts: HashMap<String, (Lessons, HashMap<u128, Url>)> = HashMap::new();
    let (mut pages, mut useless, mut left) = (0, 0, 0);
    for (address, file) in manifest.lines().filter_map(|line| line.split_once('\t')) {
        // A quarter of the hosts, whole: reading all 8,222 pages takes half a minute.
        let host = address.split('/').nth(2).unwrap_or_default().to_lowercase();
        if !xxh3_64(host.as_bytes()).is_multiple_of(4) {
            continue;
        }
        let (Ok(url), Ok(bytes)) = (Url::parse(address), std::fs::read(pack.join(file))) else {
            continue;
        };
        let head = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap_or(0);
        let (sketch, hash) = sketch_of(&url, &bytes[head..]);
        let (lessons, texts) = hosts.entry(Lessons::host_of(&url).to_owned()).or_default();
        left += usize::from(matches!(lessons.verdict(&url), super::super::Advice::Skip(_)));
        let first = texts.get(&hash).cloned();
        let outcome = first.as_ref().map_or(Outcome::New, Outcome::CopyOf);
        let text_hash = Some(hash as u64);
        let is_new = lessons.observe(&Observation {
            url: &url,
            from: Some(&url),
            text_hash,
            sketch: &sketch,
            outcome,
        });
        texts.entry(hash).or_insert(url);
        pages += 1;
        useless += usize::from(!is_new && first.is_none());
    }
    println!("{useless} of {pages} real pages say nothing new, {left} would have been left");
    assert!(pages > 500 && useless * 50 <= pages, "{useless} of {pages}");
    assert_eq!(left, 0);
}
