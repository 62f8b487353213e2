//! Tests of the fingerprints of pages.

use base::Zone;

use super::*;

fn block(zone: Zone, text: &str) -> Block {
    Block { zone, text: text.to_owned() }
}

fn of(blocks: &[Block]) -> u128 {
    Prints::of(blocks).hash
}

#[test]
fn equal_words_have_equal_numbers() {
    let one = of(&[block(Zone::Body, "Hello, World!"), block(Zone::Boilerplate, "Home")]);
    let other = of(&[block(Zone::Heading, "hello"), block(Zone::Body, "WORLD")]);
    assert_eq!(one, other);
    assert_ne!(one, of(&[block(Zone::Body, "hello worlds")]));
    // Stored in collections: must never change.
    assert_eq!(one, 68_336_032_580_360_441_841_590_467_279_766_278_511);
}

#[test]
fn navigation_counts_only_when_there_is_nothing_else() {
    let home = of(&[block(Zone::Boilerplate, "Home")]);
    assert_ne!(home, 0);
    assert_ne!(home, of(&[block(Zone::Boilerplate, "About")]));
    assert_eq!(of(&[block(Zone::Body, "— …")]), 0);
}

const TEXT: &str = "The lighthouse at the end of the mole was built of granite in the reign of the \
    old king, and whoever came to the harbour by night saw its lamp from thirty miles away, long \
    before the hills behind the town rose out of the sea and the bells could be heard.";

#[test]
fn sketches_never_change() {
    let sketch = Prints::of(&[block(Zone::Body, TEXT)]).sketch;
    assert_eq!(sketch.0.len(), MIN_HASHES);
    // Stored in collections, as are the super-shingles.
    let print = |bytes: &[u8]| xxhash_rust::xxh3::xxh3_64(bytes);
    let bytes: Vec<u8> = sketch.0.iter().flat_map(|value| value.to_le_bytes()).collect();
    let supers = super_shingles(&sketch).unwrap();
    let super_bytes: Vec<u8> = supers.iter().flat_map(|value| value.to_le_bytes()).collect();
    assert_eq!(
        (print(&bytes), print(&super_bytes)),
        (14_017_669_955_543_463_024, 9_841_889_516_133_039_804)
    );
}

#[test]
fn fingerprints_of_no_script_ever_change() {
    let print = |bytes: &[u8]| xxhash_rust::xxh3::xxh3_64(bytes);
    let (mut hashes, mut sketches, mut shingles) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..2_000 {
        let text = crate::babel::text(number);
        let blocks = [block(Zone::Body, &text), block(Zone::Heading, "Heading 5")];
        let prints = Prints::of(&blocks);
        hashes.extend(prints.hash.to_le_bytes());
        sketches.extend(prints.sketch.0.iter().flat_map(|value| value.to_le_bytes()));
        let runs_of_one = Shingles::of(&blocks, 1);
        shingles.extend(runs_of_one.sketch().0.iter().flat_map(|value| value.to_le_bytes()));
    }
    // Stored in collections: must never change.
    assert_eq!(print(&hashes), 1_889_197_433_448_062_923);
    assert_eq!(print(&sketches), 6_325_215_193_897_214_777);
    assert_eq!(print(&shingles), 5_281_595_791_894_852_598);
}

#[test]
fn texts_too_short_and_navigation_have_no_sketch() {
    let sketch = |blocks: &[Block]| Prints::of(blocks).sketch.0.len();
    assert_eq!(sketch(&[]), 0);
    assert_eq!(sketch(&[block(Zone::Boilerplate, TEXT)]), 0);
    assert_eq!(sketch(&[block(Zone::Body, &TEXT[..100])]), 0);
    // However long: there is one shingle in it.
    assert_eq!(sketch(&[block(Zone::Body, &"buy ".repeat(10_000))]), 0);
    let long = block(Zone::Body, TEXT);
    assert_eq!(sketch(&[block(Zone::Boilerplate, "Home"), long]), MIN_HASHES);
}

#[test]
fn the_sketch_of_a_page_is_that_of_its_shingles() {
    for words in [30, 50, 90, 200, 5_000] {
        let text: String = (0..words).map(|word| format!("word{} ", word * word % 997)).collect();
        let blocks = [block(Zone::Body, &text), block(Zone::Boilerplate, "Home and away")];
        let shingles = Shingles::of(&blocks, SHINGLE_WORDS);
        assert_eq!(Prints::of(&blocks).sketch, shingles.sketch(), "{words}");
    }
}
