//! From a query tree to what the index can be asked: leaves by stem or phrase, and how they
//! combine.

use std::borrow::Cow;

use index::NO_LANGUAGE;
use text::{Analyzer, Form, Language, Token};

use crate::query::{Node, Query};

/// A query made ready for one commit of the index.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// How leaves combine; `None` if there is nothing to search for.
    pub(crate) root: Option<Expr>,
    /// Distinct words and phrases.
    pub(crate) leaves: Vec<Leaf>,
    /// How the query was understood.
    pub(crate) made_of: String,
}

/// A condition on a page; numbers are places in [`Plan::leaves`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    Leaf(usize),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Not(Box<Expr>),
}

/// A word or phrase.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) kind: Kind,
    /// The same as one list of forms, several if languages read the word differently. Each form
    /// is a list of terms: stems of a word, surface forms of a phrase.
    pub(crate) forms: Vec<Vec<String>>,
    /// The word as written, in surface forms.
    pub(crate) surfaces: Vec<String>,
    /// Whether pages should have it; not so for what stands only behind NOT.
    pub(crate) is_wanted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All stems of a form, anywhere.
    Word,
    /// The surface forms side by side.
    Phrase,
}

/// Languages whose reading of a query is tried: those with the most pages.
const MOST_LANGUAGES: usize = 8;

/// The languages that a query may be in, given the pages that there are.
pub(crate) struct Languages {
    analyzers: Vec<Analyzer>,
    /// Whose stop words count.
    main: Option<Language>,
}

impl Languages {
    /// Takes the languages of the index, most pages first, and the query's text.
    pub(crate) fn new(present: &[(String, u64)], query: &str) -> Self {
        let codes = present.iter().take(MOST_LANGUAGES).map(|(code, _)| code.as_str());
        let known: Vec<Option<Language>> = codes
            .map(|code| if code == NO_LANGUAGE { None } else { Language::parse(code) })
            .collect();
        let identified = text::identify(query, None).filter(|found| known.contains(&Some(*found)));
        let main = identified.or_else(|| known.iter().copied().flatten().next());
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

    fn is_stop_word(&self, word: &str) -> bool {
        let tokens = self.analyzers[0].tokens(word);
        !tokens.is_empty()
            && tokens.iter().all(|token| text::is_stop_word(self.main, &token.surface))
    }
}

impl Plan {
    /// Makes a query ready.
    ///
    /// Stop words among other words do not decide which pages match, only their order; a query
    /// of nothing but stop words is searched as it is (T5).
    pub(crate) fn new(query: &Query, languages: &Languages) -> Self {
        let Some(root) = query.root() else { return Self::default() };
        let mut optional = Vec::new();
        let root = without_stop_words(root, languages, &mut optional);
        let mut plan = Self { made_of: root.to_string(), ..Self::default() };
        plan.root = plan.expr(&root, languages, true);
        for word in optional {
            plan.leaf(Kind::Word, &word, languages, true);
        }
        plan
    }

    /// Returns the leaves that pages should have.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = &Leaf> {
        self.leaves.iter().filter(|leaf| leaf.is_wanted)
    }

    fn expr(&mut self, node: &Node, languages: &Languages, is_wanted: bool) -> Option<Expr> {
        match node {
            Node::Word(word) => self.leaf(Kind::Word, word, languages, is_wanted),
            Node::Phrase(words) => self.leaf(Kind::Phrase, words, languages, is_wanted),
            Node::And(parts) => {
                let parts = self.exprs(parts, languages, is_wanted);
                if parts.len() > 1 { Some(Expr::And(parts)) } else { parts.into_iter().next() }
            }
            Node::Or(parts) => {
                let parts = self.exprs(parts, languages, is_wanted);
                if parts.len() > 1 { Some(Expr::Or(parts)) } else { parts.into_iter().next() }
            }
            Node::Not(part) => Some(Expr::Not(Box::new(self.expr(part, languages, !is_wanted)?))),
        }
    }

    fn exprs(&mut self, parts: &[Node], languages: &Languages, is_wanted: bool) -> Vec<Expr> {
        let mut exprs = Vec::new();
        for part in parts {
            if let Some(expr) = self.expr(part, languages, is_wanted)
                && !exprs.contains(&expr)
            {
                exprs.push(expr);
            }
        }
        exprs
    }

    /// Returns the leaf of a word or phrase; `None` if there is no word in it.
    fn leaf(
        &mut self,
        kind: Kind,
        text: &str,
        languages: &Languages,
        is_wanted: bool,
    ) -> Option<Expr> {
        let mut forms = Vec::new();
        let mut surfaces = Vec::new();
        for analyzer in &languages.analyzers {
            let (running, over): (Vec<_>, Vec<_>) =
                analyzer.terms(text).into_iter().partition(|term| term.form.is_running());
            if surfaces.is_empty() {
                surfaces = running.iter().map(|token| token.surface.clone()).collect();
            }
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
                if !form.is_empty() && !forms.contains(&form) {
                    forms.push(form);
                }
            }
        }
        if forms.is_empty() {
            return None;
        }
        let same = |leaf: &Leaf| leaf.kind == kind && leaf.forms == forms;
        if let Some(place) = self.leaves.iter().position(same) {
            self.leaves[place].is_wanted |= is_wanted;
            return Some(Expr::Leaf(place));
        }
        self.leaves.push(Leaf { kind, forms, surfaces, is_wanted });
        Some(Expr::Leaf(self.leaves.len() - 1))
    }
}

impl Expr {
    /// Returns whether a page meets the condition.
    ///
    /// `has` says whether it has a leaf, `has_itself` whether it has it in its own words: only
    /// those can exclude a page, so that nobody keeps a page out of answers by linking to it.
    pub(crate) fn holds(
        &self,
        has: &impl Fn(usize) -> bool,
        has_itself: &impl Fn(usize) -> bool,
    ) -> bool {
        match self {
            Self::Leaf(place) => has(*place),
            Self::And(parts) => parts.iter().all(|part| part.holds(has, has_itself)),
            Self::Or(parts) => parts.iter().any(|part| part.holds(has, has_itself)),
            Self::Not(part) => !part.holds(has_itself, has),
        }
    }
}

/// Takes the stop words out of groups that have something else to go by.
fn without_stop_words<'a>(
    node: &'a Node,
    languages: &Languages,
    optional: &mut Vec<String>,
) -> Cow<'a, Node> {
    let is_stop = |part: &Node| matches!(part, Node::Word(word) if languages.is_stop_word(word));
    let mut inner = |parts: &[Node]| -> Vec<Node> {
        let parts = parts.iter();
        parts.map(|part| without_stop_words(part, languages, optional).into_owned()).collect()
    };
    match node {
        Node::Or(parts) => Cow::Owned(Node::Or(inner(parts))),
        Node::And(parts) => {
            let is_anchor = |part: &Node| !is_stop(part) && !matches!(part, Node::Not(_));
            if !parts.iter().any(is_anchor) {
                return Cow::Borrowed(node);
            }
            let (stop, mut rest): (Vec<Node>, Vec<Node>) =
                inner(parts).into_iter().partition(is_stop);
            optional.extend(stop.iter().map(Node::to_string));
            match rest.len() {
                1 => Cow::Owned(rest.remove(0)),
                _ => Cow::Owned(Node::And(rest)),
            }
        }
        _ => Cow::Borrowed(node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(query: &str, codes: &[&str]) -> Plan {
        let present: Vec<_> = codes.iter().map(|code| ((*code).to_owned(), 9)).collect();
        Plan::new(&Query::parse(query).unwrap(), &Languages::new(&present, query))
    }

    #[track_caller]
    fn check(query: &str, made_of: &str, num_leaves: usize) {
        let plan = plan(query, &["en"]);
        assert_eq!((plan.made_of.as_str(), plan.leaves.len()), (made_of, num_leaves));
    }

    #[test]
    fn stop_words_are_left_to_the_order() {
        check("the jaguar", "jaguar", 2);
        check("the jaguar OR a cat", "jaguar OR cat", 4);
        check("the -jaguar", "the AND NOT jaguar", 2);
        check("\"the jaguar\" and", "\"the jaguar\"", 2);
    }

    #[test]
    fn a_query_of_stop_words_is_searched_as_it_is() {
        check("to be or not to be", "to AND be AND or AND not AND to AND be", 4);
        check("it", "it", 1);
    }

    #[test]
    fn equal_leaves_are_one() {
        check("jaguar OR jaguars OR Jaguar", "jaguar OR jaguars OR Jaguar", 1);
        assert_eq!(plan("jaguar jaguars", &["en"]).root, Some(Expr::Leaf(0)));
    }

    #[test]
    fn words_without_letters_are_left_out() {
        assert_eq!(plan("… jaguar NOT …", &["en"]).root, Some(Expr::Leaf(0)));
        assert_eq!(plan("…", &["en"]).root, None);
    }

    #[test]
    fn each_language_may_read_a_word_in_its_way() {
        let plan = plan("running", &["en", "da"]);
        assert!(plan.leaves[0].forms.len() > 1, "{:?}", plan.leaves);
        let stems: Vec<_> = plan.leaves[0].forms.iter().map(|form| form[0].as_str()).collect();
        assert!(stems.contains(&"run"));
    }

    #[test]
    fn a_compound_may_be_written_in_one() {
        let plan = plan("host-name", &["en"]);
        assert_eq!(plan.leaves[0].forms, [vec!["host", "name"], vec!["hostnam"]]);
    }

    #[test]
    fn others_words_include_a_page_but_never_exclude_it() {
        let plan = plan("jaguar -car", &["en"]);
        let root = plan.root.unwrap();
        let in_anchors = |_: usize| true;
        assert!(root.holds(&in_anchors, &|_| false));
        assert!(!root.holds(&in_anchors, &|place| place == 1));
    }
}
