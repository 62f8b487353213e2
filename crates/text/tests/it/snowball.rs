//! Vocabularies of the Snowball project: our stemmers give their stems, word by word (T3).

use std::collections::HashMap;

use text::Language;

use super::{analyzer, pack};

const VOCABULARIES: [(&str, &str); 12] = [
    ("danish", "da"),
    ("dutch", "nl"),
    ("english", "en"),
    ("finnish", "fi"),
    ("french", "fr"),
    ("german", "de"),
    ("italian", "it"),
    ("norwegian", "no"),
    ("portuguese", "pt"),
    ("russian", "ru"),
    ("spanish", "es"),
    ("swedish", "sv"),
];

#[test]
fn stems_are_those_of_the_snowball_vocabularies() {
    let Some(pack) = pack("snowball/snowball-data") else { return };
    let mut wrong = Vec::new();
    for (folder, code) in VOCABULARIES {
        let read = |name: &str| std::fs::read_to_string(pack.join(folder).join(name)).unwrap();
        let (words, stems) = (read("voc.txt"), read("output.txt"));
        assert_eq!(words.lines().count(), stems.lines().count(), "{folder}");
        let stemmer = Language::parse(code).unwrap().stemmer().unwrap();
        let analyzer = analyzer(code);
        let mut ours: HashMap<&str, String> = HashMap::new();
        let (mut count, mut parted) = (0, 0);
        for (word, stem) in words.lines().zip(stems.lines()) {
            let found = stemmer.stem(word);
            if found != stem {
                wrong.push(format!("{folder}: {word} gave {found}, not {stem}"));
            }
            count += 1;
            // The analyzer may fold stems further, never part what Snowball joins.
            if word.chars().all(char::is_alphabetic) && found == stem {
                let folded = analyzer.stem_of(word);
                let known = ours.entry(stem).or_insert_with(|| folded.clone());
                parted += usize::from(*known != folded);
            }
        }
        assert!(count > 10_000, "{folder}: {count} words");
        assert_eq!(parted, 0, "{folder}: of {count} words");
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
}
