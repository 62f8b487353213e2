//! The languages that a query may be in, and how each reads its words.

use index::NO_LANGUAGE;
use text::{Analyzer, Folding, Form, Language, Numbers, Token};

use super::Kind;

/// Languages that a query is taken to be in: those with the most pages. Among all of them a few
/// words would often be told wrongly, and the stop words of another language would be left out.
const LIKELY: usize = 8;

/// The languages that a query may be in, given the pages that there are.
pub(crate) struct Languages {
    /// The main language first.
    pub(super) analyzers: Vec<Analyzer>,
    /// Whose stop words count.
    main: Option<Language>,
}

impl Languages {
    /// Takes the languages of the index, most pages first, and the query's text.
    pub(crate) fn new(present: &[(String, u64)], query: &str) -> Self {
        let codes = present.iter().map(|(code, _)| code.as_str());
        let mut known: Vec<Option<Language>> = Vec::new();
        for code in codes {
            let language = if code == NO_LANGUAGE { None } else { Language::parse(code) };
            // A page is found by the stem of its own language alone, so that each of them reads the
            // query: a language with few pages too, but not one of many that read alike.
            let is_like = |other: &Option<Language>| reads_alike(*other, language);
            if known.len() < LIKELY || !known.iter().any(is_like) {
                push_new(&mut known, language);
            }
        }
        let likely = &known[..known.len().min(LIKELY)];
        let usual = likely.iter().copied().flatten().next();
        // Where pages are in one language, it need not be asked for: that costs more than a word.
        let has_others = likely.iter().flatten().any(|language| Some(*language) != usual);
        let identified = has_others.then(|| text::identify(query, None)).flatten();
        let main = identified.filter(|found| likely.contains(&Some(*found))).or(usual);
        let mut analyzers: Vec<_> = known.into_iter().map(Analyzer::new).collect();
        if analyzers.is_empty() {
            analyzers.push(Analyzer::new(None));
        }
        // The main language reads first: its form is the one that is shown and preferred.
        analyzers.sort_by_key(|analyzer| analyzer.language() != main);
        Self { analyzers, main }
    }

    /// Returns the analyzers, that of the main language first; there is at least one.
    pub(crate) fn analyzers(&self) -> &[Analyzer] {
        &self.analyzers
    }

    /// Returns whether a surface form is a stop word of the main language.
    pub(crate) fn is_stop(&self, surface: &str) -> bool {
        text::is_stop_word(self.main, surface)
    }

    /// Returns whether a text is made of nothing but stop words.
    pub(super) fn is_stop_word(&self, word: &str) -> bool {
        let tokens = self.analyzers[0].tokens(word);
        !tokens.is_empty() && tokens.iter().all(|token| self.is_stop(&token.surface))
    }

    /// Returns the stems that a surface form may have.
    pub(crate) fn stems(&self, surface: &str) -> Vec<String> {
        let mut stems = Vec::new();
        for analyzer in &self.analyzers {
            push_new(&mut stems, analyzer.stem_of(surface));
        }
        stems
    }

    /// Returns a text in lower case, as its letters stand in the index.
    pub(crate) fn normal(&self, text: &str) -> String {
        let mut tokens = self.analyzers[0].tokens(text);
        match tokens.len() {
            1 => tokens.remove(0).surface,
            _ => text.to_lowercase(),
        }
    }

    /// Returns the ways to read a text: stems of a word, surface forms of a phrase.
    pub(crate) fn forms(&self, kind: Kind, text: &str) -> Vec<Vec<String>> {
        let mut forms = Vec::new();
        for analyzer in &self.analyzers {
            let (running, over): (Vec<_>, Vec<_>) =
                analyzer.terms(text).into_iter().partition(|term| term.form.is_running());
            let in_one = |token: &&Token| {
                kind == Kind::Word
                    && token.form == Form::Whole
                    && token.length as usize == running.len()
            };
            // `host-name` is also asked for as `hostname`.
            let wholes = over.iter().filter(in_one).map(|token| vec![token.stem.clone()]);
            let form: Vec<String> = running
                .iter()
                .map(|token| if kind == Kind::Word { &token.stem } else { &token.surface })
                .cloned()
                .collect();
            for form in [form].into_iter().chain(wholes) {
                if !form.is_empty() {
                    push_new(&mut forms, form);
                }
            }
        }
        forms
    }

    /// Returns the ways to read a phrase, with an empty text for each word that is not known.
    pub(super) fn rows(&self, kind: Kind, phrase: &str) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for analyzer in &self.analyzers {
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
        self.analyzers.iter().map(read).find(|surfaces| !surfaces.is_empty()).unwrap_or_default()
    }
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
