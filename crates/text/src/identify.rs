//! Language identification (T1): what the text says, with the declared language as a prior.

mod script;

pub(crate) use script::has_own_script;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use whatlang::{Detector, Lang, Script};

use crate::language::{Language, Numbers};
use crate::segment::{Segmenter, Span};
use crate::tables::stop_words;

/// Bytes of text looked at: enough to be sure, little enough to be cheap.
const SAMPLE_BYTES: usize = 2_048;
/// A long text is sampled at this many places, so that an English menu on top does not decide
/// for the whole page.
const SAMPLE_PLACES: usize = 4;
/// Stands between the places of a sample.
const PLACE_END: char = '\n';
/// Bytes of the longest stop word of all.
const LONGEST_STOP_WORD: usize = 48;
/// With fewer letters than this the statistics of an alphabet shared by many languages say little.
const ENOUGH_LETTERS: usize = 24;
/// Weight of a stop word that one language has; a word that several have is shared by them.
const WHOLE_VOTE: u32 = 60;
/// Votes of one language that make evidence: a few words shared by two or three languages.
const ENOUGH_VOTES: u32 = WHOLE_VOTE;
/// Votes of one language that leave no doubt if no other has half of them.
const LANDSLIDE_VOTES: u32 = 12 * WHOLE_VOTE;

/// Returns the language of `text`, or `None` if it cannot be told.
///
/// A script that one language has decides by itself. Else stop words decide when one language has
/// far more of them than any other, and letter statistics when they are sure. The declared
/// language wins when nothing clearly contradicts it: it decides short texts and close relatives
/// (Danish and Norwegian). It never decides alone: a text without letters, or in a script that
/// the language is not written in, is not in that language.
/// Cost: bounded, whatever the length of the text.
pub fn identify(text: &str, declared: Option<Language>) -> Option<Language> {
    let sample = sample(text);
    if let Some(found) = script::language(&sample, declared) {
        return Some(found);
    }
    let votes = Votes::count(&sample);
    if let Some(winner) = votes.landslide()
        && declared.is_none_or(|declared| declared == winner)
    {
        return Some(winner);
    }
    let info = Detector::new().detect(&sample)?;
    let evidence = Evidence {
        script: info.script(),
        lang: info.lang(),
        letters: sample.chars().filter(|character| character.is_alphabetic()).count(),
        is_reliable: info.is_reliable(),
        votes,
    };
    match declared {
        Some(declared) if evidence.allows(declared) => Some(declared),
        _ => evidence.verdict(),
    }
}

/// What a sample says of its language.
struct Evidence {
    script: Script,
    lang: Lang,
    letters: usize,
    is_reliable: bool,
    votes: Votes,
}

impl Evidence {
    /// Returns the language if the text alone is enough to tell it.
    fn verdict(&self) -> Option<Language> {
        let detected = Language::from_detected(self.lang);
        let is_enough = self.letters >= ENOUGH_LETTERS || self.script.langs().len() == 1;
        let voted = self.votes.winner().filter(|voted| self.can_be(*voted));
        // Statistics mix up relatives even when they feel sure; their small words differ. A
        // language without a list cannot have lost the vote.
        match (detected, voted) {
            (Some(detected), Some(voted))
                if are_relatives(detected, voted) && detected.has_stop_words() =>
            {
                Some(voted)
            }
            _ if self.is_reliable && is_enough => detected,
            (_, voted) => voted,
        }
    }

    /// Returns whether a declared language is believed in the light of the text.
    fn allows(&self, declared: Language) -> bool {
        if !self.can_be(declared) {
            return false;
        }
        match self.verdict() {
            None => true,
            Some(verdict) if verdict == declared => true,
            // Kanji alone may be either; a whole page of Japanese has kana.
            Some(_) if self.script == Script::Mandarin => self.letters < ENOUGH_LETTERS,
            Some(verdict) => match declared.is_identified() {
                true => {
                    are_relatives(verdict, declared)
                        && 2 * self.votes.of(declared) > self.votes.of(verdict)
                }
                // Statistics cannot speak for a language they do not know. The usual wrong
                // declaration is a template's, of a widespread language; a rare one is meant.
                false => verdict.code() != "en",
            },
        }
    }

    /// Returns whether a language is written in the script of the sample.
    fn can_be(&self, language: Language) -> bool {
        match language.profile().detected {
            Some(lang) => {
                self.script.langs().contains(&lang)
                    || self.script == Script::Mandarin && lang == Lang::Jpn
                    || self.script == Script::Latin && lang == Lang::Srp
            }
            None => self.script == Script::Latin,
        }
    }
}

/// How many stop words of each language a sample holds, weighed by how telling they are.
struct Votes([u32; Language::COUNT]);

/// Every stop word with the languages that have it.
static VOTERS: LazyLock<HashMap<&'static str, Vec<Language>, BuildHasherDefault<WordHasher>>> =
    LazyLock::new(|| {
        let mut voters: HashMap<&str, Vec<Language>, _> = HashMap::default();
        for language in Language::all() {
            for word in stop_words::of(language.code()) {
                voters.entry(*word).or_default().push(language);
            }
        }
        voters
    });

impl Votes {
    /// Counts place by place, and stops when there is no doubt left.
    fn count(sample: &str) -> Self {
        let lower = sample.to_lowercase();
        let mut votes = Self([0; Language::COUNT]);
        for (place, piece) in lower.split(PLACE_END).enumerate() {
            votes.count_piece(piece);
            if place + 1 >= SAMPLE_PLACES / 2 && votes.landslide().is_some() {
                break;
            }
        }
        votes
    }

    fn count_piece(&mut self, piece: &str) {
        Segmenter::new(Numbers::Point).for_each(piece, |span| {
            let Span::Word(start, end) = span else { return };
            if end - start > LONGEST_STOP_WORD {
                return;
            }
            let Some(languages) = VOTERS.get(&piece[start..end]) else { return };
            let vote = WHOLE_VOTE / u32::try_from(languages.len()).unwrap_or(WHOLE_VOTE);
            for language in languages {
                self.0[language.place()] += vote;
            }
        });
    }

    fn of(&self, language: Language) -> u32 {
        self.0[language.place()]
    }

    /// Returns the winner if nobody comes near it: then the statistics, which cost ten times as
    /// much, need not be asked. Not if a relative without a list may hide behind it.
    fn landslide(&self) -> Option<Language> {
        let winner = self.winner()?;
        let best = self.of(winner);
        let is_alone = |other: Language| other == winner || 2 * self.of(other) < best;
        let is_hidden = |other: Language| are_relatives(winner, other) && !other.has_stop_words();
        (best >= LANDSLIDE_VOTES
            && Language::all().all(is_alone)
            && !Language::all().any(is_hidden))
        .then_some(winner)
    }

    /// Returns the language with the most votes, if they are enough and clearly the most.
    fn winner(&self) -> Option<Language> {
        let winner = Language::all().max_by_key(|language| (self.of(*language), *language))?;
        let second = Language::all().filter(|language| *language != winner);
        let second = second.map(|language| self.of(language)).max().unwrap_or_default();
        let best = self.of(winner);
        (best >= ENOUGH_VOTES && 5 * best >= 6 * second).then_some(winner)
    }
}

/// FNV-1a, for a table of fixed words: nobody can add to it, so nobody can make it slow.
struct WordHasher(u64);

impl Default for WordHasher {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Groups within which texts are taken for each other.
const RELATIVES: [&[&str]; 10] = [
    &["da", "no", "sv"],
    &["cs", "sk"],
    &["hr", "sr", "sl"],
    &["es", "pt", "ca", "gl", "it"],
    &["nl", "af", "de"],
    &["id", "jv", "ms"],
    &["ru", "uk", "be", "bg", "mk", "sr"],
    &["hi", "mr", "ne"],
    &["ar", "fa", "ur"],
    &["fi", "et"],
];

fn are_relatives(one: Language, other: Language) -> bool {
    let has = |group: &&[&str]| group.contains(&one.code()) && group.contains(&other.code());
    one == other || RELATIVES.iter().any(has)
}

/// Takes pieces of a long text from several places, a short one whole.
fn sample(text: &str) -> String {
    if text.len() <= SAMPLE_BYTES {
        return text.to_owned();
    }
    let piece = SAMPLE_BYTES / SAMPLE_PLACES;
    let step = (text.len() - piece) / (SAMPLE_PLACES - 1);
    let mut sample = String::with_capacity(SAMPLE_BYTES + SAMPLE_PLACES);
    for place in 0..SAMPLE_PLACES {
        let start = text.ceil_char_boundary(place * step);
        let piece = base::limits::cut(&text[start..], piece);
        // Lines of the text are no places.
        sample.extend(piece.split(PLACE_END).flat_map(|line| [line, " "]));
        sample.push(PLACE_END);
    }
    sample
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, declared: &str, expected: &str) {
        let found = identify(text, Language::parse(declared));
        assert_eq!(found.map_or("", Language::code), expected, "{text:?} declared {declared:?}");
    }

    const DANISH: &str =
        "Der var engang en konge, som havde en søn, og han ville giftes med en prinsesse.";
    const ENGLISH: &str =
        "Once upon a time there was a king whose son wished to marry a real princess.";

    #[test]
    fn the_text_decides_when_it_is_clear() {
        check(DANISH, "", "da");
        check(ENGLISH, "", "en");
        check(
            "Es war einmal ein König, der hatte einen Sohn und eine schöne Tochter im Schloss.",
            "en",
            "de",
        );
        check(ENGLISH, "da", "en");
        check("むかしむかし、ある国に王様が住んでいました。", "en", "ja");
        check("كان يا ما كان في قديم الزمان ملك له ابن واحد", "", "ar");
        check("Жил-был царь, и был у него сын, который хотел жениться на принцессе.", "", "ru");
        check("กาลครั้งหนึ่งนานมาแล้ว มีพระราชาองค์หนึ่ง", "", "th");
    }

    #[test]
    fn the_declared_language_decides_when_the_text_does_not() {
        check("jaguar", "", "");
        check("jaguar", "en", "en");
        check("jaguar", "da", "da");
        check("東京大学", "ja", "ja");
    }

    #[test]
    fn the_declared_language_never_decides_alone() {
        check("", "da", "");
        check("12 345 — 67", "da", "");
        check("Жил-был царь", "en", "ru");
        check("東京大学", "en", "zh");
    }

    #[test]
    fn relatives_are_told_apart_by_declaration() {
        check("Velkommen til vores side om heste og hunde her i landet", "no", "no");
        check("Velkommen til vores side om heste og hunde her i landet", "da", "da");
    }

    #[test]
    fn an_english_menu_does_not_decide_for_a_danish_page() {
        let page = format!("Home About us Contact Products {}", DANISH.repeat(80));
        check(&page, "en", "da");
    }
}
