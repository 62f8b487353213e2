//! What may stand in the place of words: compounds written in another way (T2) and the user's
//! synonyms (T6).

use std::collections::HashMap;

use text::Token;

use super::languages::push_new;
use super::planner::Planner;
use super::{Kind, Other};

/// What a compound written in another way is worth beside the word itself.
const COMPOUND: f32 = 0.9;
/// What a synonym is worth.
const SYNONYM: f32 = 0.8;
/// Others of one leaf.
const MOST_OTHERS: usize = 16;
/// Ways to part one word.
const MOST_SPLITS: usize = 4;

impl Planner<'_> {
    /// Gives two words and more what may stand for several of them.
    pub(super) fn add_shared(&mut self, run: &[(usize, &str)]) -> tantivy::Result<()> {
        if run.len() > 1 { self.add_others(run) } else { Ok(()) }
    }

    /// Gives words that stand side by side their others. What stands for several words stands
    /// for each of them: a page that has it, has them.
    pub(super) fn add_others(&mut self, run: &[(usize, &str)]) -> tantivy::Result<()> {
        let languages = self.languages;
        let mut parted: Vec<String> = Vec::new();
        let mut joined: Vec<String> = Vec::new();
        for (analyzer, codes) in languages.readers() {
            let lexicon = self.world.lexicon(analyzer.language());
            // Rare languages have others by the user's synonyms alone, or as the likely ones do.
            if codes.is_some() && lexicon.is_none() {
                continue;
            }
            let mut tokens: Vec<Token> = Vec::new();
            let mut owners = Vec::new();
            for (place, word) in run {
                let read = analyzer.tokens(word);
                owners.extend(read.iter().map(|_| (*place, read.len())));
                tokens.extend(read);
            }
            for expansion in lexicon.iter().flat_map(|lexicon| lexicon.expand(&tokens)) {
                let other = synonym(&expansion.tokens);
                for (place, _) in &owners[expansion.words] {
                    self.add_other(*place, other.clone());
                }
            }
            for (pair, owners) in tokens.windows(2).zip(owners.windows(2)) {
                let is_word = owners.iter().all(|(_, num_tokens)| *num_tokens == 1);
                let surface = text::join(&pair[0].surface, &pair[1].surface);
                if let Some(surface) = surface.filter(|it| is_word && !joined.contains(it)) {
                    self.add_joined([owners[0].0, owners[1].0], &surface)?;
                    joined.push(surface);
                }
            }
            // Most languages read a word alike, and its parts are those of all languages.
            if let ([token], [(place, _)]) = (tokens.as_slice(), owners.as_slice())
                && !parted.contains(&token.surface)
            {
                self.add_splits(*place, &token.surface)?;
                parted.push(token.surface.clone());
            }
        }
        Ok(())
    }

    /// Gives two words what they are in one, if a page has that: `hostname` for `host name`.
    fn add_joined(&mut self, places: [usize; 2], surface: &str) -> tantivy::Result<()> {
        if self.world.frequency(surface)? == 0 {
            return Ok(());
        }
        for terms in self.used(self.languages.readings(Kind::Word, surface))? {
            for place in places {
                let terms = terms.clone();
                self.add_other(place, Other { kind: Kind::Word, terms, weight: COMPOUND });
            }
        }
        Ok(())
    }

    /// Gives a word its parts, side by side: `host name` for `hostname`.
    fn add_splits(&mut self, place: usize, surface: &str) -> tantivy::Result<()> {
        let mut known: HashMap<String, bool> = HashMap::new();
        let mut failed = None;
        let mut links: Vec<&[&str]> = Vec::new();
        for (analyzer, _) in self.languages.readers() {
            if links.contains(&analyzer.links()) {
                continue;
            }
            links.push(analyzer.links());
            let knows = |part: &str| {
                if let Some(is_known) = known.get(part) {
                    return *is_known;
                }
                let is_known = !self.languages.is_stop(part)
                    && self.world.frequency(part).unwrap_or_else(|error| {
                        failed = Some(error);
                        0
                    }) > 0;
                known.insert(part.to_owned(), is_known);
                is_known
            };
            let splits = analyzer.splits(surface, knows);
            if let Some(error) = failed.take() {
                return Err(error);
            }
            for (head, tail) in splits.into_iter().take(MOST_SPLITS) {
                let terms = vec![head, tail];
                self.add_other(place, Other { kind: Kind::Phrase, terms, weight: COMPOUND });
            }
        }
        Ok(())
    }

    fn add_other(&mut self, place: usize, other: Other) {
        let leaf = &mut self.plan.leaves[place];
        let is_itself = leaf.kind == other.kind && leaf.forms.contains(&other.terms);
        if leaf.others.len() < MOST_OTHERS && !is_itself {
            push_new(&mut leaf.others, other);
        }
    }
}

fn synonym(tokens: &[Token]) -> Other {
    match tokens {
        [token] => Other { kind: Kind::Word, terms: vec![token.stem.clone()], weight: SYNONYM },
        tokens => {
            let terms = tokens.iter().map(|token| token.surface.clone()).collect();
            Other { kind: Kind::Phrase, terms, weight: SYNONYM }
        }
    }
}
