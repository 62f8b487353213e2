//! Languages by ISO 639-1 code, and what each of them gets.

use std::fmt;

use frostem::Algorithm;
use whatlang::Lang;

use crate::stem::Stemmer;
use crate::tables::languages::LANGUAGES;
use crate::tables::stop_words;

/// A language of the table; small and cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u8);

/// How words are found in a language's own script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segmentation {
    /// Words stand between spaces and punctuation.
    Spaces,
    /// Words are written without spaces and are found with a dictionary.
    Dictionary,
}

/// How a language writes the signs inside a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// `1,000.50`.
    Point,
    /// `1.000,50`, or spaces in place of the dots.
    Comma,
}

/// How letters are brought to one form, besides NFKC and case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folding {
    /// Marks are dropped, save on the language's own letters.
    Marks,
    /// Dotless and dotted i are two letters in both cases.
    Turkic,
    /// Arabic letters; alef, yeh and teh marbuta without their variants.
    Arabic,
    /// The same with Persian yeh and kaf.
    Persian,
    /// `aa` is `å`; foreign `ä` and `ö` are `æ` and `ø`.
    Danish,
    /// Foreign `æ` and `ø` are `ä` and `ö`.
    Swedish,
    /// Particles behind the noun are dropped from the stem.
    Korean,
}

/// One line of the table.
pub(crate) struct Profile {
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    pub(crate) detected: Option<Lang>,
    pub(crate) stemmer: Option<Algorithm>,
    pub(crate) segmentation: Segmentation,
    pub(crate) own: &'static str,
    pub(crate) numbers: Numbers,
    pub(crate) folding: Folding,
    pub(crate) elisions: &'static [&'static str],
}

impl Profile {
    pub(crate) const fn comma(self) -> Self {
        Self { numbers: Numbers::Comma, ..self }
    }

    pub(crate) const fn folding(self, folding: Folding) -> Self {
        Self { folding, ..self }
    }

    pub(crate) const fn elides(self, elisions: &'static [&'static str]) -> Self {
        Self { elisions, ..self }
    }
}

impl Language {
    /// How many there are.
    pub(crate) const COUNT: usize = LANGUAGES.len();

    /// Returns its place in the table.
    pub(crate) fn place(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the language of a tag as pages write it: `da`, `da-DK`, `zh_Hant`, `ENG`.
    ///
    /// Both written forms of Norwegian are `no`. `None` for what the table does not know.
    pub fn parse(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next().unwrap_or_default();
        if !(2..=3).contains(&primary.len()) {
            return None;
        }
        let lower = primary.to_ascii_lowercase();
        // Old or narrower codes that pages still carry.
        let code = match lower.as_str() {
            "nb" | "nn" | "nno" => "no",
            "iw" => "he",
            "in" => "id",
            "ji" => "yi",
            "jw" => "jv",
            "fil" => "tl",
            "bs" | "sh" => "hr",
            "zho" | "chi" | "yue" => "zh",
            "ger" => "de",
            "fre" => "fr",
            "dut" => "nl",
            "gre" => "el",
            "cze" => "cs",
            "fas" | "per" => "fa",
            "rum" => "ro",
            "slo" => "sk",
            "ice" | "isl" => "is",
            "msa" | "may" => "ms",
            other => other,
        };
        match code.len() {
            2 => {
                let place = LANGUAGES.binary_search_by(|profile| profile.code.cmp(code)).ok()?;
                Some(Self(u8::try_from(place).expect("the table has fewer than 256 lines")))
            }
            _ => Self::from_detected(Lang::from_code(code)?),
        }
    }

    /// Returns every language known, in order of code.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..LANGUAGES.len())
            .map(|place| Self(u8::try_from(place).expect("the table has fewer than 256 lines")))
    }

    /// Returns the ISO 639-1 code.
    pub fn code(self) -> &'static str {
        self.profile().code
    }

    /// Returns the English name.
    pub fn name(self) -> &'static str {
        self.profile().name
    }

    /// Returns how words are found.
    pub fn segmentation(self) -> Segmentation {
        self.profile().segmentation
    }

    /// Returns what gives its words their stems.
    pub fn stemmer(self) -> Option<Stemmer> {
        self.profile().stemmer.map(Stemmer::new)
    }

    /// Returns whether words are reduced to stems.
    pub fn has_stemmer(self) -> bool {
        self.profile().stemmer.is_some()
    }

    /// Returns whether [`crate::identify()`] can find the language by itself.
    pub fn is_identified(self) -> bool {
        self.identified_by() != "–"
    }

    /// Returns by what [`crate::identify()`] finds the language: `script`, `letters`, `words`, or
    /// `–` if it does not.
    pub fn identified_by(self) -> &'static str {
        match () {
            () if crate::identify::has_own_script(self) => "script",
            () if self.profile().detected.is_some() => "letters",
            () if self.has_stop_words() => "words",
            () => "–",
        }
    }

    /// Returns whether the language has a list of stop words.
    pub fn has_stop_words(self) -> bool {
        !stop_words::of(self.code()).is_empty()
    }

    /// Returns how it writes numbers.
    pub fn numbers(self) -> Numbers {
        self.profile().numbers
    }

    /// Returns how its letters are brought to one form.
    pub fn folding(self) -> Folding {
        self.profile().folding
    }

    /// Returns the letters with marks that are letters of their own and are kept in stems.
    pub fn own_letters(self) -> &'static str {
        self.profile().own
    }

    /// Returns the words that lean on the next one with an apostrophe: `l` of `l'arbre`.
    pub fn elisions(self) -> &'static [&'static str] {
        self.profile().elisions
    }

    pub(crate) fn profile(self) -> &'static Profile {
        &LANGUAGES[usize::from(self.0)]
    }

    pub(crate) fn from_detected(lang: Lang) -> Option<Self> {
        Self::all().find(|language| language.profile().detected == Some(lang))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tag: &str, code: &str) {
        assert_eq!(Language::parse(tag).map_or("", Language::code), code, "{tag:?}");
    }

    #[test]
    fn tags_as_pages_write_them_are_understood() {
        check("da", "da");
        check(" en-US ", "en");
        check("zh_Hant_TW", "zh");
        check("DAN", "da");
        check("nb-NO", "no");
        check("nno", "no");
        check("cmn", "zh");
        check("iw", "he");
    }

    #[test]
    fn what_is_no_language_is_none() {
        for tag in ["", "x", "xx", "english", "e\u{301}n", "日本", "x-default", "und"] {
            check(tag, "");
        }
    }

    #[test]
    fn the_table_is_sorted_and_leads_back() {
        for language in Language::all() {
            assert_eq!(Language::parse(language.code()), Some(language));
        }
        // T1 asks for 28 languages.
        assert!(Language::all().filter(|language| language.is_identified()).count() >= 28);
        assert!(Language::all().filter(|language| language.has_stemmer()).count() >= 28);
    }
}
