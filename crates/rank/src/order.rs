//! Second stage: the order of the candidates, exact and in the open (Q5).
//!
//! ```text
//! score = text + exact + title + address + anchors + links + trust + freshness + quality − spam
//!         + closeness + phrase + letters
//!
//! idf(l)  = ln(1 + (N − df + ½) / (df + ½)), summed over the terms of the commonest form of l
//! focus   = idf of leaves found outside boilerplate / idf of leaves found; aside_zone at least
//! text    = focus · Σ over leaves: idf · BM25F of the zones; BM25 for phrases of several words
//!           zones: tf = body + title_zone · title + aside_zone · aside
//! exact   = exact · focus · Σ over words found as they were written: idf
//! title   = title · Σ over leaves in the title: idf · (title words found / title words)
//! address = address · Σ over leaves in the URL: idf
//! anchors = anchors · Σ over leaves: idf · s / (s + anchor_half)
//!           s = foreign sites that use the leaf in links to the page; of a phrase its rarest word
//! links   = links · ln(1 + PageRank / mean) / ln(1 + max / mean)
//!           for topics that were asked for: topics · the same of their blend
//! trust   = trust · the same of the trust that flows from checked pages
//! spam    = spam · all of the above · how surely the page takes part in spam (`standing`)
//! freshness = freshness · ½^(years since the page says it was worked on)
//! quality = − quality · doubt · (text + exact + title + address); doubt grows with the spam score
//! related = related · likeness to the page of `related:`, from 0 to 1, as `related` says
//!
//! for the best candidates by the sum so far, and letters only where words may be missing:
//! closeness = closeness · focus · what `closeness` says of pairs of words; so for phrase
//! letters   = letters · focus · (best text of all candidates · what `letters` says, at most 1, for
//!             the share of the page that it looked at, text for the rest)
//! each for the part of the page's words that is believed: 1 − quality · doubt
//! and, unless `feedback` is 0, for all: feedback · what `feedback` says
//! ```
//! A word that the query has several times counts as often.
//!
//! `links` is bounded by its weight and says the same whatever was asked, so it decides between
//! pages that fit alike and never alone.

mod closeness;
mod feedback;
mod letters;
mod page;
mod refine;
mod written;
mod zones;

use base::Timestamp;
use index::Snapshot;
use index::anchors::Anchors;
use tantivy::{DocAddress, Searcher, Term};

use self::zones::Zones;
use crate::answer::Part;
use crate::checking::Checker;
use crate::generation::Links;
use crate::plan::{Kind, Languages, Leaf, Plan};
use crate::probe::{self, Terms};
use crate::standing::Standing;
use crate::voices;
use crate::weights::Weights;

/// A page that may be an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Its document.
    pub(crate) address: DocAddress,
    /// The document of the anchors that point to it.
    pub(crate) anchors: Option<DocAddress>,
    /// Whether its own words are known to meet the query.
    pub(crate) is_match: bool,
}

/// A candidate and its score.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) candidate: Candidate,
    pub(crate) score: f32,
    pub(crate) parts: Vec<Part>,
    /// Share of what was found that stands outside boilerplate and is believed.
    focus: f32,
}

/// What one leaf says of each candidate.
struct Evidence {
    idf: f32,
    /// Whether the page's own words have it.
    found: Vec<bool>,
    /// Whether they have it outside boilerplate.
    main: Vec<bool>,
    text: Vec<f32>,
    exact: Vec<bool>,
    /// Words of the title that are the leaf's.
    title: Vec<u32>,
    /// What those are of the leaf, by rarity: 1 for all of it.
    titled: Vec<f32>,
    address: Vec<bool>,
    /// Foreign sites, the own one as a quarter.
    sites: Vec<f32>,
}

impl Evidence {
    /// Nothing yet, of a leaf of this rarity.
    fn none(idf: f32, count: usize) -> Self {
        Self {
            idf,
            found: vec![false; count],
            main: vec![false; count],
            text: vec![0.0; count],
            exact: vec![false; count],
            title: vec![0; count],
            titled: vec![0.0; count],
            address: vec![false; count],
            sites: vec![0.0; count],
        }
    }

    /// Adds what is said by something that stands in the leaf's place, at less than its worth.
    fn add_other(&mut self, other: &Self, weight: f32) {
        if self.idf == 0.0 {
            self.idf = weight * other.idf;
        }
        // Something rarer than the word, or longer, must not be worth more for that.
        let rarity = if other.idf > self.idf { self.idf / other.idf } else { 1.0 };
        for i in 0..self.found.len() {
            self.found[i] |= other.found[i];
            self.main[i] |= other.main[i];
            self.text[i] = self.text[i].max(weight * rarity * other.text[i]);
            self.title[i] = self.title[i].max(other.title[i]);
            self.titled[i] = self.titled[i].max(other.titled[i]);
            self.sites[i] = self.sites[i].max(weight * other.sites[i]);
        }
    }

    /// Lets the leaf count several times.
    fn count(&mut self, count: f32) {
        self.idf *= count;
        self.text.iter_mut().for_each(|text| *text *= count);
    }
}

impl Ranked {
    /// Takes a candidate whose score is known by its parts.
    pub(crate) fn of_parts(candidate: Candidate, parts: Vec<Part>) -> Self {
        let score = parts.iter().map(|part| part.value).sum();
        Self { candidate, score, parts, focus: 1.0 }
    }

    fn add(&mut self, name: &'static str, raw: f32, weight: f32) {
        let part = Part::new(name, raw, weight);
        self.score += part.value;
        self.parts.push(part);
    }
}

/// Everything the second stage looks at.
pub(crate) struct Order<'a> {
    pub(crate) plan: &'a Plan,
    /// How the query's words may be read.
    pub(crate) languages: &'a Languages,
    pub(crate) snapshot: &'a Snapshot,
    /// The terms of its pages.
    pub(crate) terms: Terms<'a>,
    pub(crate) links: &'a Links,
    pub(crate) standing: &'a Standing,
    pub(crate) weights: &'a Weights,
    pub(crate) checker: &'a Checker,
    /// How often the query has each leaf of the plan; once if it does not say.
    pub(crate) counts: &'a [f32],
    /// The time of the question.
    pub(crate) now: Timestamp,
}

/// Candidates whose text and positions are looked at: what costs much is done for those that may
/// be among the first answers. Fewer where all of them have all words: then the rest of the score
/// has said most of what there is to say.
const REFINED: usize = 100;
const REFINED_STRICT: usize = 50;

/// Parts that most scores have at most.
const MOST_PARTS: usize = 12;

impl Order<'_> {
    /// Returns the candidates that meet the query, best first. They must come in order of
    /// address, each once.
    pub(crate) fn rank(&self, candidates: &[Candidate]) -> tantivy::Result<Vec<Ranked>> {
        let addresses: Vec<_> = candidates.iter().map(|candidate| candidate.address).collect();
        let titles =
            probe::lengths(&self.snapshot.searcher, self.snapshot.fields.title, &addresses)?;
        let (evidence, lengths) = self.all_evidence(candidates, &addresses)?;
        let mut ranked = Vec::new();
        for (i, candidate) in candidates.iter().enumerate() {
            if candidate.is_match || self.is_answer(&evidence, i, lengths[i]) {
                ranked.push(self.score(*candidate, &evidence, i, titles[i]));
            }
        }
        self.sort(&mut ranked);
        let most = if self.plan.wants_all_words() { REFINED_STRICT } else { REFINED };
        let count = ranked.len().min(most);
        self.refine(&mut ranked[..count], &evidence)?;
        // Nothing is taken from those that were looked at, so the others stay behind them.
        self.sort(&mut ranked[..count]);
        if self.weights.feedback > 0.0 {
            self.feed_back(&mut ranked)?;
            self.sort(&mut ranked);
        }
        Ok(ranked)
    }

    /// Returns what each leaf says of the candidates, and how long they are.
    fn all_evidence(
        &self,
        candidates: &[Candidate],
        addresses: &[DocAddress],
    ) -> tantivy::Result<(Vec<Evidence>, Vec<u32>)> {
        let stems = self.snapshot.fields.stems;
        let lengths = probe::lengths(&self.snapshot.searcher, stems, addresses)?;
        let mut evidence = Vec::new();
        for (place, leaf) in self.plan.leaves.iter().enumerate() {
            let mut one = self.evidence(leaf, candidates, addresses, &lengths)?;
            one.count(self.count(place));
            evidence.push(one);
        }
        Ok((evidence, lengths))
    }

    fn sort(&self, ranked: &mut [Ranked]) {
        ranked.sort_by(|one, other| {
            let by_page = || {
                let page = |ranked: &Ranked| self.snapshot.page(ranked.candidate.address);
                page(one).cmp(&page(other))
            };
            other.score.total_cmp(&one.score).then_with(by_page)
        });
    }

    fn count(&self, place: usize) -> f32 {
        self.counts.get(place).copied().unwrap_or(1.0)
    }

    /// Returns whether a candidate meets the query with its own words or those of others.
    fn is_answer(&self, evidence: &[Evidence], i: usize, length: u32) -> bool {
        let has_itself = |place: usize| evidence[place].found[i];
        let has = |place: usize| has_itself(place) || evidence[place].sites[i] > 0.0;
        let Some(root) = &self.plan.root else { return false };
        // A page without words of its own is what others say of it, for NOT too.
        if length == 0 { root.holds(&has, &has) } else { root.holds(&has, &has_itself) }
    }

    fn score(&self, candidate: Candidate, evidence: &[Evidence], i: usize, title: u32) -> Ranked {
        let weights = self.weights;
        let wanted = || {
            let leaves = self.plan.leaves.iter().zip(evidence);
            leaves.filter(|(leaf, _)| leaf.is_wanted).map(|(_, evidence)| evidence)
        };
        let sum = |value: &dyn Fn(&Evidence) -> f32| wanted().map(value).sum::<f32>();
        let in_title: u32 = wanted().map(|leaf| leaf.title[i]).sum();
        let title_share = in_title.min(title) as f32 / title.max(1) as f32;
        let found = sum(&|leaf| leaf.idf * f32::from(leaf.found[i]));
        let main = sum(&|leaf| leaf.idf * f32::from(leaf.main[i]));
        let focus = if found > 0.0 { (main / found).max(weights.aside_zone) } else { 1.0 };
        let votes = |sites: f32| sites / (sites + weights.anchor_half);
        let page = self.snapshot.page(candidate.address);
        let mut parts = Vec::with_capacity(MOST_PARTS);
        parts.extend([
            Part::new("text", focus * sum(&|leaf| leaf.text[i]), 1.0),
            Part::new(
                "exact",
                focus * sum(&|leaf| leaf.idf * f32::from(leaf.exact[i])),
                weights.exact,
            ),
            Part::new("title", title_share * sum(&|leaf| leaf.idf * leaf.titled[i]), weights.title),
            Part::new(
                "address",
                sum(&|leaf| leaf.idf * f32::from(leaf.address[i])),
                weights.address,
            ),
        ]);
        let own: f32 = parts.iter().map(|part| part.value).sum();
        let doubt = page::doubt(self.snapshot.spam(candidate.address));
        let fresh = page::freshness(self.snapshot.worked_on(candidate.address), self.now);
        let anchors = sum(&|leaf| leaf.idf * votes(leaf.sites[i]));
        parts.push(Part::new("anchors", anchors, weights.anchors));
        // Most pages have nothing of either.
        parts.extend((fresh > 0.0).then(|| Part::new("freshness", fresh, weights.freshness)));
        parts.extend((doubt > 0.0).then(|| Part::new("quality", -doubt * own, weights.quality)));
        let likeness = self.plan.related.get(&page).map(|found| found.score as f32);
        parts.extend(likeness.map(|likeness| Part::new("related", likeness, weights.related)));
        self.standing.add(&mut parts, page, weights);
        let believed = 1.0 - weights.quality * doubt;
        Ranked { focus: focus * believed, ..Ranked::of_parts(candidate, parts) }
    }

    fn evidence(
        &self,
        leaf: &Leaf,
        candidates: &[Candidate],
        addresses: &[DocAddress],
        lengths: &[u32],
    ) -> tantivy::Result<Evidence> {
        let idf = if leaf.is_pattern() { 0.0 } else { self.rarity(leaf.kind, &leaf.forms)? };
        let mut evidence = Evidence::none(idf, addresses.len());
        for form in leaf.forms.iter().filter(|_| !leaf.is_pattern()) {
            match leaf.kind {
                Kind::Word => self.add_word(form, addresses, lengths, &mut evidence)?,
                Kind::Phrase | Kind::Check => {
                    self.add_phrase(form, addresses, lengths, &mut evidence)?;
                }
            }
        }
        if leaf.is_pattern() {
            self.add_pattern(&leaf.forms, addresses, lengths, &mut evidence)?;
        }
        // Of pages that match, what is asked of them adds nothing.
        let is_open = candidates.iter().any(|candidate| !candidate.is_match);
        if let Some(check) = leaf.check.as_ref().filter(|_| is_open) {
            let query = self.checker.query(check);
            evidence.found = probe::matches(&self.snapshot.searcher, query.as_ref(), addresses)?;
        }
        if leaf.kind == Kind::Word {
            self.add_exact(&leaf.surfaces, addresses, &mut evidence)?;
        } else if !leaf.is_pattern() {
            // Whoever has it has it as it was written, and a page that others call so has not.
            evidence.exact.clone_from(&evidence.found);
        }
        if let Some(anchors) = &self.links.anchors {
            for form in &leaf.forms {
                self.add_anchors(anchors, leaf.kind, form, candidates, &mut evidence)?;
            }
        }
        for other in &leaf.others {
            let idf = self.rarity(other.kind, std::slice::from_ref(&other.terms))?;
            let mut found = Evidence::none(idf, addresses.len());
            match other.kind {
                Kind::Word => self.add_word(&other.terms, addresses, lengths, &mut found)?,
                _ => self.add_phrase(&other.terms, addresses, lengths, &mut found)?,
            }
            if let Some(anchors) = &self.links.anchors {
                self.add_anchors(anchors, other.kind, &other.terms, candidates, &mut found)?;
            }
            evidence.add_other(&found, other.weight);
        }
        Ok(evidence)
    }

    /// Adds what a word's stems say; of several forms the best counts.
    fn add_word(
        &self,
        stems: &[String],
        addresses: &[DocAddress],
        lengths: &[u32],
        evidence: &mut Evidence,
    ) -> tantivy::Result<()> {
        let (searcher, fields) = (&self.snapshot.searcher, self.snapshot.fields);
        let average = average_length(searcher, fields.stems)?;
        let count = addresses.len();
        let (mut text, mut has_all) = (vec![0.0; count], vec![true; count]);
        let (mut title, mut titled) = (vec![0; count], vec![0.0; count]);
        let mut address = vec![true; count];
        let mut main = vec![true; count];
        let mut form_idf = 0.0;
        for stem in stems {
            form_idf += self.idf(&Term::from_field_text(fields.stems, stem))?;
        }
        // What a language makes of a word that is not its own is rare, and would weigh more
        // than the word itself.
        let scale = evidence.idf / form_idf;
        for stem in stems {
            let frequencies =
                |field| self.terms.frequencies(&Term::from_field_text(field, stem), addresses);
            let (all, titles) = (frequencies(fields.stems)?, frequencies(fields.title)?);
            let (asides, urls) = (frequencies(fields.aside)?, frequencies(fields.address)?);
            let idf = self.idf(&Term::from_field_text(fields.stems, stem))?;
            for i in 0..count {
                let zones = Zones { all: all[i], title: titles[i], aside: asides[i] };
                text[i] += idf * self.bm25(zones.frequency(self.weights), lengths[i], average);
                has_all[i] &= all[i] > 0;
                main[i] &= zones.has_main();
                if titles[i] > 0 {
                    title[i] += 1;
                    titled[i] += idf / form_idf;
                }
                address[i] &= urls[i] > 0;
            }
        }
        for i in 0..count {
            evidence.found[i] |= has_all[i];
            evidence.main[i] |= has_all[i] && main[i];
            if has_all[i] {
                evidence.text[i] = evidence.text[i].max(text[i] * scale);
            }
            evidence.title[i] = evidence.title[i].max(title[i]);
            evidence.titled[i] = evidence.titled[i].max(titled[i]);
            evidence.address[i] |= address[i];
        }
        Ok(())
    }

    /// Returns how rare a term is.
    fn idf(&self, term: &Term) -> tantivy::Result<f32> {
        Ok(idf_of(&self.snapshot.searcher, self.terms.doc_freq(term)?))
    }

    fn bm25(&self, frequency: f32, length: u32, average: f32) -> f32 {
        let Weights { k1, b, .. } = *self.weights;
        let norm = 1.0 - b + b * length as f32 / average;
        frequency * (k1 + 1.0) / (frequency + k1 * norm)
    }

    /// Returns the rarity of what can be said in these forms: that of the commonest.
    fn rarity(&self, kind: Kind, forms: &[Vec<String>]) -> tantivy::Result<f32> {
        let fields = self.snapshot.fields;
        let field = if kind == Kind::Word { fields.stems } else { fields.words };
        let mut least = f32::INFINITY;
        for form in forms {
            let mut sum = 0.0;
            for term in form.iter().filter(|term| !term.is_empty()) {
                sum += self.idf(&Term::from_field_text(field, term))?;
            }
            least = least.min(sum);
        }
        Ok(if least.is_finite() { least } else { 0.0 })
    }

    fn add_exact(
        &self,
        surfaces: &[String],
        addresses: &[DocAddress],
        evidence: &mut Evidence,
    ) -> tantivy::Result<()> {
        evidence.exact.fill(!surfaces.is_empty());
        for surface in surfaces {
            let term = Term::from_field_text(self.snapshot.fields.words, surface);
            let frequencies = self.terms.frequencies(&term, addresses)?;
            for (exact, frequency) in evidence.exact.iter_mut().zip(frequencies) {
                *exact &= frequency > 0;
            }
        }
        Ok(())
    }

    /// Adds how many sites use a form in links to each candidate.
    fn add_anchors(
        &self,
        anchors: &Anchors,
        kind: Kind,
        form: &[String],
        candidates: &[Candidate],
        evidence: &mut Evidence,
    ) -> tantivy::Result<()> {
        let mut known: Vec<(DocAddress, usize)> = Vec::new();
        for (i, candidate) in candidates.iter().enumerate() {
            known.extend(candidate.anchors.map(|address| (address, i)));
        }
        known.sort_unstable();
        let places: Vec<_> = known.iter().map(|(address, _)| *address).collect();
        let sites = voices::sites_of(anchors, self.languages, kind, form, &places)?;
        for ((_, i), sites) in known.into_iter().zip(sites) {
            evidence.sites[i] = evidence.sites[i].max(sites);
        }
        Ok(())
    }
}

/// Returns how rare a term is.
pub(crate) fn idf(searcher: &Searcher, term: &Term) -> tantivy::Result<f32> {
    Ok(idf_of(searcher, searcher.doc_freq(term)?))
}

/// Returns how telling something is that so many pages have.
fn idf_of(searcher: &Searcher, with: u64) -> f32 {
    let num_docs: u64 = searcher.segment_readers().iter().map(|s| u64::from(s.max_doc())).sum();
    let (num_docs, with) = (num_docs as f32, with as f32);
    (1.0 + (num_docs - with).max(0.0) / (with + 0.5) + 0.5 / (with + 0.5)).ln()
}

fn average_length(searcher: &Searcher, field: tantivy::schema::Field) -> tantivy::Result<f32> {
    let (mut num_tokens, mut num_docs) = (0, 0);
    for segment in searcher.segment_readers() {
        num_tokens += segment.inverted_index(field)?.total_num_tokens();
        num_docs += u64::from(segment.max_doc());
    }
    Ok((num_tokens as f32 / num_docs.max(1) as f32).max(1.0))
}
