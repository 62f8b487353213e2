//! Vocabularies of the Snowball project: our stemmers give their stems, word by word (T3).

use std::collections::HashMap;

use text::{Beginnings, Language};

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

/// Whoever looks for a word finds each of its forms, whatever else is passed over.
#[test]
fn words_are_found_among_those_that_begin_alike() {
    let Some(pack) = pack("snowball/snowball-data") else { return };
    for (folder, code) in VOCABULARIES {
        let words = std::fs::read_to_string(pack.join(folder).join("voc.txt")).unwrap();
        let analyzer = analyzer(code);
        let (mut num_read, mut num_all) = (0, 0);
        for word in words.lines() {
            let [small, large] = [word.to_owned(), capitalised(word)];
            for text in [small, large] {
                for sought in analyzer.terms(&text) {
                    let mut is_found = false;
                    let beginnings = Beginnings::of([sought.stem.as_str()]);
                    analyzer.for_each_term_among(&text, beginnings, |term| {
                        is_found |= term.stem == sought.stem && term.start == sought.start;
                    });
                    assert!(is_found, "{folder}: {text} by {}", sought.stem);
                }
                let none = Beginnings::default();
                analyzer.for_each_term_among(&text, none, |_| num_read += 1);
                num_all += 1;
            }
        }
        // The languages of most pages gain by it.
        let is_told = matches!(code, "en" | "de" | "fr" | "es" | "it" | "pt" | "da" | "sv" | "no");
        assert!(!is_told || num_read * 2 < num_all, "{folder}: {num_read} of {num_all}");
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
