//! `docs/languages.md` is written from the table in the code, so that it cannot drift.

use std::fmt::Write;
use std::path::Path;

use text::{Folding, Language, Numbers, Segmentation};

const HEAD: &str = "\
# Languages

What each language gets, from the table in `crates/text/src/tables/languages.rs`. This page is made
by `crates/text/tests/it/languages.rs`, which fails when it has drifted; `LOOKFAR_BLESS=1 cargo test -p
text --test it languages` writes it again.

- **identified**: the text alone tells the language. *script*: its script is enough; *letters*:
  letter statistics and, where there is a list, stop words; *words*: stop words only.
- **words**: how words are found. *spaces*: Unicode's word borders, with our own rules for acronyms,
  numbers, identifiers and addresses; *dictionary*: ICU's dictionary; *pairs*: overlapping pairs of
  characters as running text, with the words of ICU's dictionary over them.
- **stems**: the Snowball stemmer, or *particles* (the particles behind a Korean noun fall off). The
  surface form is always kept beside the stem.
- **stop words**: how many are tagged; none is ever dropped.
- **letters kept**: letters with marks that stems keep; other marks fall off. *Turkic*: dotted and
  dotless i; *Arabic*, *Persian*: one form of alef, yeh, kaf, teh marbuta; *Danish*: aa is å; foreign
  ä, ö or æ, ø become the language's own.
- **elisions**: words that lean on the next one with an apostrophe are taken off (`l'arbre`).
- **numbers**: how `1,000.5` is written; values meet across both.

For every language: NFKC, lower case, digits of all scripts as ASCII, no soft hyphens, joiners, tatweel
or vowel points, possessive `'s` off, units apart from their numbers, compounds whole and by part.
Phonetic keys (Soundex, Double Metaphone) exist for words in Latin letters.

Not done: conversion between traditional and simplified Chinese, readings of kanji, splitting of
German, Dutch, Scandinavian and Finnish compounds on pages (a query may split its own words by what
the index knows: `Analyzer::splits`), lemmas of Hebrew, Turkish suffixes beyond Snowball.

| code | language | identified | words | stems | stop words | letters kept | elisions | numbers |
|---|---|---|---|---|---|---|---|---|
";

fn table() -> String {
    let mut page = HEAD.to_owned();
    for language in Language::all() {
        let words = match (language.code(), language.segmentation()) {
            ("zh" | "ja", _) => "pairs",
            (_, Segmentation::Dictionary) => "dictionary",
            (_, Segmentation::Spaces) => "spaces",
        };
        let stems = match language.folding() {
            Folding::Korean => "particles",
            _ if language.has_stemmer() => "Snowball",
            _ => "–",
        };
        let letters = match language.folding() {
            Folding::Marks | Folding::Korean => language.own_letters().to_owned(),
            folding => format!("{} {folding:?}", language.own_letters()),
        };
        let numbers = match language.numbers() {
            Numbers::Point => "1,000.5",
            Numbers::Comma => "1.000,5",
        };
        let elisions = if language.elisions().is_empty() { "–" } else { "yes" };
        let count = text::stop_words(language).len();
        let count = if count == 0 { "–".to_owned() } else { count.to_string() };
        let letters = letters.trim();
        writeln!(
            page,
            "| {} | {} | {} | {words} | {stems} | {count} | {} | {elisions} | {numbers} |",
            language.code(),
            language.name(),
            language.identified_by(),
            if letters.is_empty() { "–" } else { letters },
        )
        .unwrap();
    }
    page
}

#[test]
fn the_page_of_languages_says_what_the_code_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/languages.md");
    let table = table();
    if std::env::var_os("LOOKFAR_BLESS").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(page == table, "`docs/languages.md` has drifted; see its first lines");
}

#[test]
fn twenty_eight_languages_get_all_of_it() {
    let gets_all = |language: &Language| {
        language.is_identified() && language.has_stemmer() && language.has_stop_words()
    };
    let count = Language::all().filter(gets_all).count();
    assert!(count >= 28, "{count}");
    for language in Language::all().filter(|language| language.has_stemmer()) {
        assert!(language.has_stop_words(), "{language} has stems and no stop words");
    }
}
