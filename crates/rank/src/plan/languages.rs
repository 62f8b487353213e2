//! The languages that a query may be in, and how each reads its words.

use index::NO_LANGUAGE;
use text::{Analyzer, Folding, Form, Language, Numbers, Token};

use super::Kind;

/// Languages that a query is taken to be in: those with the most pages. Among all of them a few
/// words would often be told wrongly, and the stop words of another language would be left out.
const LIKELY: usize = 8;

/// The languages that a query may be in, given the pages that there are.
///
/// A page is found by the stem of its own language alone, so that each of them reads the query: one
/// with few pages too, but not each of many that read alike.
pub(crate) struct Languages {
    /// The likely ones, the main language first; there is at least one.
    likely: Vec<Analyzer>,
    /// The others.
    rare: Vec<Rare>,
    /// Whose stop words count.
    main: Option<Language>,
}

/// Languages with few pages that read every word alike.
struct Rare {
    analyzer: Analyzer,
    /// What the index calls them.
    codes: Vec<&'static str>,
}

/// A way to read a word.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Its stems.
    pub(crate) terms: Vec<String>,
    /// The languages that read it so if none of the likely ones does.
    pub(crate) codes: Option<Vec<&'static str>>,
}

impl Languages {
    /// Takes the languages of the index, most pages first, and the query's text.
    pub(crate) fn new(present: &[(String, u64)], query: &str) -> Self {
        let mut known: Vec<Option<Language>> = Vec::new();
        let mut rare: Vec<Rare> = Vec::new();
        for (code, _) in present {
            let language = if code == NO_LANGUAGE { None } else { Language::parse(code) };
            if known.len() < LIKELY {
                push_new(&mut known, language);
                continue;
            }
            if known.iter().any(|other| *other == language || reads_alike(*other, language)) {
                continue;
            }
            let code = language.map_or(NO_LANGUAGE, Language::code);
            let reads_so = |it: &&mut Rare| reads_alike(it.analyzer.language(), language);
            match rare.iter_mut().find(reads_so) {
                Some(alike) => alike.codes.push(code),
                None => rare.push(Rare { analyzer: Analyzer::new(language), codes: vec![code] }),
            }
        }
        let usual = known.iter().copied().flatten().next();
        // Where pages are in one language, it need not be asked for: that costs more than a word.
        let has_others = known.iter().flatten().any(|language| Some(*language) != usual);
        let identified = has_others.then(|| text::identify(query, None)).flatten();
        let main = identified.filter(|found| known.contains(&Some(*found))).or(usual);
        let mut likely: Vec<_> = known.into_iter().map(Analyzer::new).collect();
        if likely.is_empty() {
            likely.push(Analyzer::new(None));
        }
        // The main language reads first: its form is the one that is shown and preferred.
        likely.sort_by_key(|analyzer| analyzer.language() != main);
        Self { likely, rare, main }
    }

    /// Returns the analyzers of all languages, that of the main language first.
    pub(crate) fn analyzers(&self) -> Vec<Analyzer> {
        self.all().copied().collect()
    }

    /// Returns all analyzers, those of rare languages with what the index calls these.
    pub(super) fn readers(&self) -> impl Iterator<Item = (&Analyzer, Option<&[&'static str]>)> {
        let likely = self.likely.iter().map(|analyzer| (analyzer, None));
        likely.chain(self.rare.iter().map(|rare| (&rare.analyzer, Some(rare.codes.as_slice()))))
    }

    fn all(&self) -> impl Iterator<Item = &Analyzer> {
        self.readers().map(|(analyzer, _)| analyzer)
    }

    /// Returns whether a surface form is a stop word of the main language.
    pub(crate) fn is_stop(&self, surface: &str) -> bool {
        text::is_stop_word(self.main, surface)
    }

    /// Returns whether a text is made of nothing but stop words.
    pub(super) fn is_stop_word(&self, word: &str) -> bool {
        let tokens = self.likely[0].tokens(word);
        !tokens.is_empty() && tokens.iter().all(|token| self.is_stop(&token.surface))
    }

    /// Returns the stem of a surface form in the main language.
    pub(crate) fn stem(&self, surface: &str) -> String {
        self.likely[0].stem_of(surface)
    }

    /// Returns the stems that a surface form may have, the main one first.
    pub(crate) fn stems(&self, surface: &str) -> Vec<String> {
        stems(self.all(), surface)
    }

    /// Returns the stems that it may have in the likely languages, where it is about what visitors
    /// see and not about what they find.
    pub(crate) fn likely_stems(&self, surface: &str) -> Vec<String> {
        stems(self.likely.iter(), surface)
    }

    /// Returns a text in lower case, as its letters stand in the index.
    pub(crate) fn normal(&self, text: &str) -> String {
        let mut tokens = self.likely[0].tokens(text);
        match tokens.len() {
            1 => tokens.remove(0).surface,
            _ => text.to_lowercase(),
        }
    }

    /// Returns a piece of a word as it stands in the index; it may begin with a mark.
    pub(super) fn surface_of(&self, piece: &str) -> String {
        self.likely[0].surface_of(piece)
    }

    /// Returns the ways to read a text: stems of a word, surface forms of a phrase.
    pub(crate) fn forms(&self, kind: Kind, text: &str) -> Vec<Vec<String>> {
        self.readings(kind, text).into_iter().map(|reading| reading.terms).collect()
    }

    /// Like [`Self::forms`], with the languages that read it so.
    ///
    /// Cost: an analysis for each likely language; for others a stem, if the text is a plain word.
    pub(crate) fn readings(&self, kind: Kind, text: &str) -> Vec<Reading> {
        let mut readings: Vec<Reading> = Vec::new();
        for terms in self.likely.iter().flat_map(|analyzer| read(analyzer, kind, text)) {
            push_new(&mut readings, Reading { terms, codes: None });
        }
        let plain = is_plain(text).then(|| text.to_ascii_lowercase());
        for Rare { analyzer, codes } in &self.rare {
            let forms = match &plain {
                Some(_) if kind != Kind::Word => break,
                Some(surface) => vec![vec![analyzer.stem_of(surface)]],
                None => read(analyzer, kind, text),
            };
            for terms in forms {
                match readings.iter_mut().find(|known| known.terms == terms) {
                    Some(known) => known.codes.iter_mut().for_each(|known| known.extend(codes)),
                    None => readings.push(Reading { terms, codes: Some(codes.clone()) }),
                }
            }
        }
        readings
    }

    /// Returns the ways to read a phrase, with an empty text for each word that is not known.
    pub(super) fn rows(&self, kind: Kind, phrase: &str) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        // Surface forms of plain words are the same in all languages.
        let is_plain = kind != Kind::Word && phrase.split(' ').all(|it| it == "*" || is_plain(it));
        let num_readers = if is_plain { self.likely.len() } else { usize::MAX };
        for analyzer in self.all().take(num_readers) {
            let mut row = Vec::new();
            let mut gap = 0;
            for piece in phrase
                .split(' ')
                .collect::<Vec<_>>()
                .chunk_by(|one, next| (*one == "*") == (*next == "*"))
            {
                if piece[0] == "*" {
                    gap = piece.len();
                    continue;
                }
                let terms = analyzer.terms(&piece.join(" "));
                let running = terms.into_iter().filter(|term| term.form.is_running());
                let words: Vec<String> = running
                    .map(|term| if kind == Kind::Word { term.stem } else { term.surface })
                    .collect();
                if !row.is_empty() && !words.is_empty() {
                    row.extend(std::iter::repeat_n(String::new(), gap));
                }
                row.extend(words);
            }
            if !row.is_empty() {
                push_new(&mut rows, row);
            }
        }
        rows
    }

    /// Returns the surface forms of a text as the main language reads it.
    pub(super) fn surfaces(&self, text: &str) -> Vec<String> {
        let read = |analyzer: &Analyzer| -> Vec<String> {
            let terms = analyzer.terms(text).into_iter();
            terms.filter(|term| term.form.is_running()).map(|term| term.surface).collect()
        };
        self.all().map(read).find(|surfaces| !surfaces.is_empty()).unwrap_or_default()
    }
}

/// Returns the ways in which one language reads a text.
fn read(analyzer: &Analyzer, kind: Kind, text: &str) -> Vec<Vec<String>> {
    let (running, over): (Vec<_>, Vec<_>) =
        analyzer.terms(text).into_iter().partition(|term| term.form.is_running());
    let in_one = |token: &&Token| {
        kind == Kind::Word && token.form == Form::Whole && token.length as usize == running.len()
    };
    // `host-name` is also asked for as `hostname`.
    let wholes = over.iter().filter(in_one).map(|token| vec![token.stem.clone()]);
    let form = running
        .iter()
        .map(|token| if kind == Kind::Word { &token.stem } else { &token.surface })
        .cloned()
        .collect();
    [form].into_iter().chain(wholes).filter(|form: &Vec<String>| !form.is_empty()).collect()
}

/// Returns whether a text is a word whose surface form is the same in every language.
fn is_plain(text: &str) -> bool {
    // Turkish has two letters that look like this one.
    let is_plain = |byte: u8| byte.is_ascii_alphabetic() && byte != b'I';
    !text.is_empty() && text.len() <= PLAIN_BYTES && text.bytes().all(is_plain)
}

/// Longer words are cut, or none.
const PLAIN_BYTES: usize = 64;

fn stems<'a>(analyzers: impl Iterator<Item = &'a Analyzer>, surface: &str) -> Vec<String> {
    let mut stems = Vec::new();
    for analyzer in analyzers {
        push_new(&mut stems, analyzer.stem_of(surface));
    }
    stems
}

/// Returns whether two languages give every word the same stem, as far as their tables say: half
/// of all have no stemmer, and most of those no letters of their own.
fn reads_alike(one: Option<Language>, other: Option<Language>) -> bool {
    let told = |language: Option<Language>| match language {
        None => (false, Numbers::Point, Folding::Marks, "", &[][..]),
        Some(it) => (it.has_stemmer(), it.numbers(), it.folding(), it.own_letters(), it.elisions()),
    };
    let (one, other) = (told(one), told(other));
    !one.0 && one == other
}

pub(super) fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_word_is_its_stem_in_every_language() {
        for language in Language::all() {
            let analyzer = Analyzer::new(Some(language));
            for word in ["running", "Tables", "getElementByName", "aarhus", "SQLite", "x", "bild"] {
                assert!(is_plain(word), "{word}");
                let stem = analyzer.stem_of(&word.to_ascii_lowercase());
                assert_eq!(read(&analyzer, Kind::Word, word), [[stem]], "{language:?} {word}");
            }
        }
        for word in ["", "ISBN", "l'arbre", "v8", "straße", "two words", "host-name"] {
            assert!(!is_plain(word), "{word}");
        }
    }

    #[test]
    fn what_only_rare_languages_make_of_a_word_is_told_apart() {
        let present = ["en", "de", "fr", "es", "it", "nl", "pt", "ru", "da", "no", "ja", "ko"];
        let present: Vec<_> = present.map(|code| (code.to_owned(), 9)).into();
        let languages = Languages::new(&present, "running");
        let readings = languages.readings(Kind::Word, "running");
        let told = |stem: &str| {
            let reading = readings.iter().find(|reading| reading.terms == [stem]);
            reading.and_then(|reading| reading.codes.clone())
        };
        assert_eq!((readings[0].terms[0].as_str(), told("run")), ("run", None));
        let rare: Vec<_> = readings.iter().filter_map(|reading| reading.codes.clone()).collect();
        assert!(rare.iter().flatten().all(|code| ["da", "no", "ja", "ko"].contains(code)));
    }
}
