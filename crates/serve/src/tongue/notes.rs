//! What a search has to say of a query, in the language of the page.
//!
//! `rank` says it in English; every other language brings sentences of its own, with `{0}`, `{1}`
//! and so on where the words and numbers of a note stand.

use rank::{Note, Wants, WhyNot};

use super::Tongue;

/// The sentences of one language, in the order of [`Note`].
#[derive(Debug)]
pub(crate) struct NoteWords {
    /// Name of the field, all of the text.
    pub(crate) no_field: &'static str,
    /// Field, what it wants, value.
    pub(crate) wrong_value: &'static str,
    pub(crate) wants: WantsWords,
    /// Largest distance.
    pub(crate) near_reach: &'static str,
    /// Word, fewest letters, most letters, what was searched.
    pub(crate) fuzzy_length: &'static str,
    /// Word, most differences.
    pub(crate) fewer_edits: &'static str,
    /// Word, fewest letters, what was searched.
    pub(crate) short_pattern: &'static str,
    /// Word.
    pub(crate) no_pattern: &'static str,
    /// Pattern, number of words.
    pub(crate) many_words: &'static str,
    /// Filter.
    pub(crate) no_links_yet: &'static str,
    /// Filter, number of pages.
    pub(crate) some_linking: &'static str,
    /// Number of pages.
    pub(crate) some_related: &'static str,
    /// Address.
    pub(crate) related_unknown: &'static str,
    /// Address, words.
    pub(crate) related_by_words: &'static str,
    /// Address.
    pub(crate) related_by_links: &'static str,
    /// Address, words.
    pub(crate) related_by_both: &'static str,
    /// Words of the query.
    pub(crate) no_page_has_all: &'static str,
    /// Words of the query, pages that have all of them.
    pub(crate) few_have_all: &'static str,
    /// Answers, those linked to, pages around them.
    pub(crate) authorities: &'static str,
    /// Number of answers; follows the one before.
    pub(crate) some_links: &'static str,
    pub(crate) no_graph: &'static str,
    pub(crate) no_time: &'static str,
    pub(crate) unreadable: &'static str,
    /// What stands between two words of a list.
    pub(crate) comma: &'static str,
}

/// What fields want.
#[derive(Debug)]
pub(crate) struct WantsWords {
    pub(crate) words: &'static str,
    pub(crate) site: &'static str,
    pub(crate) file_type: &'static str,
    pub(crate) language: &'static str,
    pub(crate) date: &'static str,
    pub(crate) country: &'static str,
    pub(crate) address: &'static str,
}

impl WantsWords {
    fn of(&self, wants: Wants) -> &'static str {
        match wants {
            Wants::Words => self.words,
            Wants::Site => self.site,
            Wants::FileType => self.file_type,
            Wants::Language => self.language,
            Wants::Date => self.date,
            Wants::Country => self.country,
            Wants::Address => self.address,
        }
    }
}

impl Tongue {
    /// Says a note.
    pub(crate) fn note(self, note: &Note) -> String {
        match &self.words().notes {
            Some(words) => self.say(words, note),
            None => note.to_string(),
        }
    }

    fn say(self, words: &NoteWords, note: &Note) -> String {
        let n = |number: usize| self.number(number as u64);
        match note {
            Note::NoField { name, text } => fill(words.no_field, &[name, text]),
            Note::WrongValue { field, wants, value } => {
                fill(words.wrong_value, &[field, words.wants.of(*wants), value])
            }
            Note::NearReach { most } => fill(words.near_reach, &[&self.number((*most).into())]),
            Note::FuzzyLength { word, least, most, searched } => {
                fill(words.fuzzy_length, &[word, &n(*least), &n(*most), searched])
            }
            Note::FewerEdits { word, most } => {
                fill(words.fewer_edits, &[word, &self.number((*most).into())])
            }
            Note::ShortPattern { word, least, searched } => {
                fill(words.short_pattern, &[word, &n(*least), searched])
            }
            Note::NoPattern { word } => fill(words.no_pattern, &[word]),
            Note::ManyWords { pattern, count } => fill(words.many_words, &[pattern, &n(*count)]),
            Note::NoLinksYet { filter } => fill(words.no_links_yet, &[filter]),
            Note::SomeLinking { filter, count } => fill(words.some_linking, &[filter, &n(*count)]),
            Note::SomeRelated { most } => fill(words.some_related, &[&n(*most)]),
            Note::RelatedUnknown { url } => fill(words.related_unknown, &[url]),
            Note::Related { url, words: shared, by_links } => {
                let sentence = match (shared.is_empty(), by_links) {
                    (true, _) => words.related_by_links,
                    (false, false) => words.related_by_words,
                    (false, true) => words.related_by_both,
                };
                fill(sentence, &[url, &shared.join(words.comma)])
            }
            Note::FewerWords { all, pages: 0 } => fill(words.no_page_has_all, &[&n(*all)]),
            Note::FewerWords { all, pages } => fill(words.few_have_all, &[&n(*all), &n(*pages)]),
            Note::Authorities { answers, linked, around, num_cut } => {
                let mut text = fill(words.authorities, &[&n(*answers), &n(*linked), &n(*around)]);
                if *num_cut > 0 {
                    text += &fill(words.some_links, &[&n(*num_cut)]);
                }
                text
            }
            Note::NoAuthorities(why) => match why {
                WhyNot::NoGraph => words.no_graph,
                WhyNot::NoTime => words.no_time,
                WhyNot::Unreadable => words.unreadable,
            }
            .to_owned(),
        }
    }
}

/// Puts values in their places, in one go: a value that looks like a place is a value.
pub(super) fn fill(sentence: &str, values: &[&str]) -> String {
    let mut pieces = sentence.split('{');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (place, rest) = piece.split_once('}').unwrap_or(("", piece));
        text.push_str(place.parse().ok().and_then(|i: usize| values.get(i)).copied().unwrap_or(""));
        text.push_str(rest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One note of every kind; words that look like places stand in them.
    fn notes() -> Vec<Note> {
        let text = |text: &str| text.to_owned();
        vec![
            Note::NoField { name: text("nam{1}e"), text: text("nam{1}e:x") },
            Note::WrongValue { field: "before", wants: Wants::Date, value: text("soon") },
            Note::NearReach { most: 99 },
            Note::FuzzyLength { word: text("ab~"), least: 3, most: 64, searched: text("ab") },
            Note::FewerEdits { word: text("river~9"), most: 2 },
            Note::ShortPattern { word: text("a*"), least: 2, searched: text("a") },
            Note::NoPattern { word: text("host-n*") },
            Note::ManyWords { pattern: text("ab*"), count: 64 },
            Note::NoLinksYet { filter: text("link:a.example") },
            Note::SomeLinking { filter: text("link:a.example"), count: 1_000 },
            Note::SomeRelated { most: 3 },
            Note::RelatedUnknown { url: text("a.example") },
            Note::Related { url: text("a.example"), words: vec![text("cat")], by_links: false },
            Note::Related { url: text("a.example"), words: vec![text("cat")], by_links: true },
            Note::Related { url: text("a.example"), words: vec![], by_links: true },
            Note::FewerWords { all: 12, pages: 0 },
            Note::FewerWords { all: 12, pages: 64 },
            Note::Authorities { answers: 200, linked: 12, around: 900, num_cut: 3 },
            Note::NoAuthorities(WhyNot::NoGraph),
            Note::NoAuthorities(WhyNot::NoTime),
            Note::NoAuthorities(WhyNot::Unreadable),
        ]
    }

    #[test]
    fn every_language_says_every_note_with_all_its_values() {
        for note in notes() {
            let english = note.to_string();
            assert_eq!(Tongue::English.note(&note), english);
            for tongue in Tongue::ALL {
                let said = tongue.note(&note);
                assert_eq!(said == english, tongue == Tongue::English, "{said}");
                for value in [
                    "nam{1}e:x",
                    "soon",
                    "ab~",
                    "river~9",
                    "a*",
                    "host-n*",
                    "link:a.example",
                    "cat",
                ] {
                    assert_eq!(said.contains(value), english.contains(value), "{said}");
                }
                for number in [99, 64, 900, 12] {
                    let is_in = english.contains(&number.to_string());
                    assert_eq!(said.contains(&tongue.number(number)), is_in, "{said}");
                }
            }
        }
        let german = Tongue::German.note(&Note::FewerWords { all: 1_005, pages: 4 });
        assert_eq!(
            german,
            "Seiten mit allen 1.005 Wörtern der Anfrage: 4. Die anderen enthalten einige davon."
        );
    }
}
