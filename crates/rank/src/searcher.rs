//! Holds what is open of a collection and answers questions from it.

pub(crate) mod authorities;
mod find;
mod helps;
mod pictures;
mod wishes;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use base::{Collection, Generation, Timestamp};
use index::{Reader, Snapshot};
use text::Synonyms;
use tracing::warn;

use self::find::Answer;
use self::helps::Asked;
use crate::below::Folders;
use crate::checking::Checker;
use crate::described::Described;
use crate::explain;
use crate::first::{Ranks, RanksByCommit};
use crate::fold::{self, Entry, Item, Sites};
use crate::generation::{Follower, Links};
use crate::model::{Bag, Exhaustive, Keeper, Norms};
use crate::order::{Candidate, Ranked};
use crate::patience::Patience;
use crate::plan::{Languages, Plan};
use crate::related::Found;
use crate::snippet::{self, Marker};
use crate::standing::Standing;
use crate::strategy::{Store, Stores};
use crate::vocabulary::{Lexicons, Surroundings};
use crate::{
    Error, Grouping, Helps, Hit, Model, Part, Query, Ranking, Reading, Remark, Request, Results,
    Snippet, Sorting, Strategy, TopicWeight, Total, Weights,
};

/// Answers questions about one collection; shared by all threads that ask.
///
/// Follows the commits of the index and the generations of the link analysis by itself, also
/// those of another process.
#[derive(Debug)]
pub struct Searcher {
    pub(crate) index: Reader,
    pub(crate) links: Follower,
    pub(crate) lexicons: Lexicons,
    pub(crate) norms: Keeper,
    ranks: RanksByCommit,
    stores: Stores,
    /// Those of the options, until others take their place.
    weights: RwLock<Weights>,
    pub(crate) options: Options,
}

/// How questions are answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// What counts how much in the order of answers.
    pub weights: Weights,
    /// Longest work on one question; what was found by then is answered. Default one second.
    pub deadline: Duration,
    /// Words that mean the same to the user of the collection (T6).
    pub synonyms: Synonyms,
    /// How candidates are found. Default `block-max`: exact, and the fastest.
    pub strategy: Strategy,
    /// Tells the time, for pages that are answers up to a date only. Default 1970: all of them.
    pub clock: Clock,
}

/// Tells the time.
pub type Clock = fn() -> Timestamp;

impl Default for Options {
    fn default() -> Self {
        Self {
            weights: Weights::default(),
            deadline: Duration::from_secs(1),
            synonyms: Synonyms::default(),
            strategy: Strategy::default(),
            clock: Timestamp::default,
        }
    }
}

/// Candidates by the page's own words that go to the second stage; deep windows take more.
const FEW_CANDIDATES: usize = 200;
/// Candidates by anchor texts.
const ANCHOR_CANDIDATES: usize = 200;
/// Share of the time that finding candidates may take: some is left to order and show them.
const FIRST_STAGE: f64 = 0.6;

impl Searcher {
    /// Opens a collection for searching, also one that has no index yet.
    pub fn open(collection: &Collection) -> Result<Self, Error> {
        Self::open_with(collection, Options::default())
    }

    /// Like [`Self::open`], with chosen weights and deadline.
    ///
    /// An index that is damaged is no reason to fail here: its writer fills it again, and until
    /// then each search says so. Fails when there is an index that is not ours.
    pub fn open_with(collection: &Collection, options: Options) -> Result<Self, Error> {
        let links = Follower::new(collection.clone());
        let lexicons = Lexicons::new(options.synonyms.clone());
        let index = Reader::open(&collection.index());
        let searcher = Self {
            index,
            links,
            lexicons,
            norms: Keeper::default(),
            ranks: RanksByCommit::default(),
            stores: Stores::new(collection.clone()),
            weights: RwLock::new(options.weights),
            options,
        };
        match searcher.index.snapshot() {
            Err(error @ index::Error::Damaged { .. }) => warn!(%error, "index cannot be searched"),
            opened => drop(opened?),
        }
        searcher.links.links();
        Ok(searcher)
    }

    /// Lets other weights count from the next question on, for all threads.
    pub fn set_weights(&self, weights: Weights) {
        *self.weights.write().unwrap_or_else(PoisonError::into_inner) = weights;
    }

    pub(crate) fn weights(&self) -> Weights {
        *self.weights.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks for a new commit and a new generation, and makes ready what a search needs of them
    /// before one sees the commit.
    ///
    /// For a thread that does so several times a second: then no search does it, which for a large
    /// new segment takes longer than the search itself. Cost without anything new: two looks at
    /// files.
    pub fn refresh(&self) -> Result<(), Error> {
        let links = self.links.renewed();
        let rank = |snapshot: &Snapshot| {
            self.ranks.get(snapshot, &links, self.weights().links);
        };
        self.index.reload_with(rank)?;
        // Of a generation that is new for a commit that is not.
        if let Some(snapshot) = self.index.snapshot()? {
            rank(&snapshot);
        }
        Ok(())
    }

    /// Returns the number of pages that can be found.
    pub fn num_docs(&self) -> Result<u64, Error> {
        Ok(self.index.snapshot()?.map_or(0, |snapshot| snapshot.searcher.num_docs()))
    }

    /// Returns the generation of the link analysis in use.
    pub fn generation(&self) -> Option<Generation> {
        self.links.links().generation
    }

    /// Answers a question.
    ///
    /// Fails when the query or the window is larger than allowed, and when the index cannot be
    /// read. Cost: bounded by the deadline.
    pub fn search(&self, request: &Request<'_>) -> Result<Results, Error> {
        self.answer(self.options.strategy, Watch::Lightly, request)
    }

    /// Like [`Self::search`], with candidates found by a strategy of choice.
    ///
    /// [`Results::first`] tells all of what was looked at and missed, which takes longer than the
    /// search. A strategy whose lists are missing or of an earlier commit leaves the search to
    /// block-max and says so there; [`Self::prepare`] makes them.
    pub fn search_by(&self, strategy: Strategy, request: &Request<'_>) -> Result<Results, Error> {
        self.answer(strategy, Watch::Closely, request)
    }

    fn answer(
        &self,
        strategy: Strategy,
        watch: Watch,
        request: &Request<'_>,
    ) -> Result<Results, Error> {
        let begun = Instant::now();
        let query = Query::parse(request.query)?.narrowed(request.filters);
        let exact = Total { count: 0, is_exact: true };
        let mut results =
            Results { total: exact, made_of: query.to_string(), ..Results::default() };
        results.notes.extend_from_slice(query.notes());
        self.ask(strategy, watch, request, begun, |search| match request.model {
            Model::Lookfar => Ok(search.run(&query, request, &mut results)?),
            model => {
                let norms = self.norms(model, &search.snapshot)?;
                Ok(search.run_textbook(request, norms.as_deref(), &mut results)?)
            }
        })?;
        results.took = begun.elapsed();
        Ok(results)
    }
}

impl Searcher {
    /// Ranks pages as [`Self::search`] lists them one by one, without showing any: candidates by all
    /// words or, where too few pages have them, by any; by anchors; the second stage.
    ///
    /// What is longer than a query may be is left out. Pages that were never fetched are left out
    /// too: they have no id. At most [`Request::WINDOW`]. Scores fall from place to place: that of a
    /// page which stands behind others with less is lowered.
    pub fn searched(
        &self,
        text: &str,
        reading: Reading,
        topics: &[TopicWeight],
        count: usize,
    ) -> Result<Ranking, Error> {
        let begun = Instant::now();
        let count = count.min(Request::WINDOW);
        let request = Request { count, topics, helps: Helps::NONE, ..Request::new(text) };
        let query = match reading {
            Reading::Words => Query::of_words(text),
            Reading::Typed => Query::parse(text)?,
        };
        let mut ranking = Ranking::default();
        self.ask(self.options.strategy, Watch::Lightly, &request, begun, |search| {
            let mut results = Results::default();
            let Some(listed) = search.listed(&query, &request, &mut results)? else {
                return Ok(());
            };
            let found = &listed.found;
            let pages = listed.list.iter().map(|entry| &found.answers[entry.item]);
            // A run is ordered by its scores (`eval::Run`), but pages of a wider search stand behind
            // the first ones whatever theirs are.
            let mut above = f32::INFINITY;
            let page = |answer: &Answer| {
                let page = search.snapshot.page(answer.address()?);
                above = answer.score().min(above.next_down());
                Some((page, above))
            };
            ranking.pages = pages.filter_map(page).take(count).collect();
            ranking.is_partial = found.is_cut_short || search.checker.patience.is_over();
            Ok(())
        })?;
        Ok(ranking)
    }

    /// Lets a question be answered from one commit and one generation; not at all if nothing is
    /// indexed.
    fn ask(
        &self,
        strategy: Strategy,
        watch: Watch,
        request: &Request<'_>,
        begun: Instant,
        answer: impl FnOnce(&Search<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if request.offset.saturating_add(request.count) > Request::WINDOW {
            return Err(Error::Window { limit: Request::WINDOW });
        }
        let Some(snapshot) = self.index.snapshot()? else { return Ok(()) };
        let is_watched = watch == Watch::Closely;
        let search = Search { is_watched, ..self.begin(strategy, request, snapshot, begun)? };
        let answered = answer(&search);
        // Whatever came of files that are cut, it is no answer.
        if !(search.snapshot.is_whole() && search.links.is_whole()) {
            return Err(Error::Cut);
        }
        answered
    }

    /// Takes what a question needs of one commit and one generation.
    fn begin<'a>(
        &'a self,
        strategy: Strategy,
        request: &Request<'_>,
        snapshot: Arc<Snapshot>,
        begun: Instant,
    ) -> Result<Search<'a>, Error> {
        let deadline = begun + self.options.deadline;
        let first = begun + self.options.deadline.mul_f64(FIRST_STAGE);
        let patience = |until| Patience::until(until, request.is_left.cloned());
        let (fields, folders) = (snapshot.fields, Folders::default());
        let links = self.links.links();
        let weights = request.without.applied(self.weights());
        Ok(Search {
            languages: Languages::new(&snapshot.languages, request.query),
            // Topics count in the second stage only: what each document has of a blend is not
            // known before it is asked for, and would have to be computed for all of them.
            ranks: self.ranks.get(&snapshot, &links, weights.links),
            standing: Standing::new(links.clone(), request.topics)?,
            weights,
            lists: self.stores.get(strategy, &snapshot, &links),
            strategy,
            is_watched: false,
            explain: request.explain,
            links,
            now: (self.options.clock)(),
            lexicons: &self.lexicons,
            finder: Checker { fields, patience: patience(first), folders: folders.clone() },
            checker: Checker { fields, patience: patience(deadline), folders },
            snapshot,
        })
    }

    /// Makes the lists that a strategy needs for the present commit, unless they are there.
    ///
    /// Writes to the collection beside the scores of its generation; any process may do so, since
    /// the file appears whole and says which commit it is of.
    pub fn prepare(&self, strategy: Strategy) -> Result<(), Error> {
        let Some(snapshot) = self.index.snapshot()? else { return Ok(()) };
        self.stores.prepare(strategy, &snapshot, &self.links.links())
    }
}

/// How much is told of how candidates are found.
#[derive(Clone, Copy, PartialEq)]
enum Watch {
    /// What costs nothing.
    Lightly,
    /// Everything.
    Closely,
}

/// The answers to a query in the order in which they are paged through.
struct Listed {
    plan: Plan,
    found: find::Found,
    list: Vec<Entry>,
    /// How many pages match what was typed, before words were left out.
    typed: Total,
}

/// One question under way: one commit, one generation.
struct Search<'a> {
    snapshot: Arc<Snapshot>,
    links: Arc<Links>,
    ranks: Ranks,
    /// What links say of pages, for this question.
    standing: Standing,
    /// Those of the options, but for what the question leaves out.
    weights: Weights,
    strategy: Strategy,
    /// Whether somebody wants to know all of how candidates are found.
    is_watched: bool,
    /// Whether scores are explained in full.
    explain: bool,
    lists: Option<Arc<Store>>,
    languages: Languages,
    lexicons: &'a Lexicons,
    now: Timestamp,
    /// Asks pages while candidates are found.
    finder: Checker,
    /// Asks pages afterwards.
    checker: Checker,
}

impl Search<'_> {
    /// Makes a plan of a query by what this commit and this generation know.
    fn plan(&self, query: &Query, patience: &Patience) -> tantivy::Result<Plan> {
        let world = Surroundings {
            snapshot: &self.snapshot,
            links: &self.links,
            lexicons: self.lexicons,
            patience: patience.clone(),
            now: self.now,
        };
        Plan::new(query, &self.languages, &world)
    }

    fn run(
        &self,
        query: &Query,
        request: &Request<'_>,
        results: &mut Results,
    ) -> tantivy::Result<()> {
        let Some(listed) = self.listed(query, request, results)? else { return Ok(()) };
        let Listed { plan, mut found, list, typed } = listed;
        results.total = found.total;
        results.first = found.report.take();
        results.listed = (!found.is_full || found.answers.len() >= Request::WINDOW)
            .then(|| list.len().min(Request::WINDOW));
        let marker = Marker::new(&plan);
        for entry in list.into_iter().skip(request.offset).take(request.count) {
            let hit = match &found.answers[entry.item] {
                Answer::Page(ranked) => self.hit(ranked, &marker)?.map(|hit| {
                    let found = hit.page.and_then(|page| plan.related.get(&page));
                    Hit { reasons: found.map_or_else(Vec::new, Found::reasons), ..hit }
                }),
                Answer::Described(described) => self.described_hit(described)?,
            };
            let Entry { similar, held_back, .. } = entry;
            results.hits.extend(hit.map(|hit| Hit { similar, held_back, ..hit }));
        }
        results.is_partial = found.is_cut_short || self.checker.patience.is_over();
        self.help(&Asked { plan: &plan, request, typed }, &found, results)
    }

    /// Finds and lists the answers to a query; `None` if there is nothing to search for.
    fn listed(
        &self,
        query: &Query,
        request: &Request<'_>,
        results: &mut Results,
    ) -> tantivy::Result<Option<Listed>> {
        let mut plan = self.plan(query, &self.finder.patience)?;
        results.notes = std::mem::take(&mut plan.notes);
        if plan.root.is_none() {
            return Ok(None);
        }
        results.made_of.clone_from(&plan.made_of);
        let end = request.offset + request.count;
        let mut found = self.find(&plan, FEW_CANDIDATES)?;
        let typed = found.total;
        if let Some(loose) = self.find_loosely(&mut plan, &found, results)? {
            found = loose;
        }
        results.blocked = self.wish(request.personal, query, &mut found)?;
        let num_first = found.answers.len();
        let mut list = self.list(&found.answers, num_first, request)?;
        if found.is_full && list.len() < end {
            let mut wider = self.find(&plan, Request::WINDOW)?;
            results.blocked = self.wish(request.personal, query, &mut wider)?;
            found.extend(wider);
            list = self.list(&found.answers, num_first, request)?;
        }
        if request.sorting == Sorting::Authorities {
            results.notes.push(self.sort_by_authority(&mut found.answers));
            list = self.list(&found.answers, found.answers.len(), request)?;
        }
        Ok(Some(Listed { plan, found, list, typed }))
    }

    /// Makes the list that is paged through; the first page comes of the first `num_first` answers.
    fn list(
        &self,
        answers: &[Answer],
        num_first: usize,
        request: &Request<'_>,
    ) -> tantivy::Result<Vec<Entry>> {
        if request.grouping == Grouping::Plain {
            return Ok(fold::plain(answers.len()));
        }
        let sites = Sites::of(&self.snapshot, &self.links);
        sites.expect(answers.iter().filter_map(Answer::address))?;
        let mut items = Vec::with_capacity(answers.len());
        for answer in answers {
            items.push(match answer {
                Answer::Page(Ranked { candidate, score, .. }) => {
                    let (site, voice) = sites.get(candidate.address)?;
                    Item {
                        site,
                        voice,
                        print: self.snapshot.print(candidate.address),
                        score: *score,
                    }
                }
                Answer::Described(Described { place, score, .. }) => {
                    let target = match &self.links.anchors {
                        Some(anchors) => anchors.target(*place)?,
                        None => None,
                    };
                    let group = target.map(|target| sites.get_url(&target.url));
                    let (site, voice) = group.unwrap_or_default();
                    Item { site, voice, print: None, score: *score }
                }
            });
        }
        Ok(fold::arrange(&items, num_first, request.count))
    }

    /// Ranks every page that has a word of the query by a textbook model.
    fn run_textbook(
        &self,
        request: &Request<'_>,
        norms: Option<&Norms>,
        results: &mut Results,
    ) -> tantivy::Result<()> {
        let bag = Bag::new(request.query, &self.languages.analyzers());
        let exhaustive = Exhaustive {
            model: request.model,
            snapshot: &self.snapshot,
            links: &self.links,
            weights: &self.weights,
            norms,
            patience: self.checker.patience.clone(),
            gone: self.snapshot.expired(self.now),
        };
        let (found, is_cut_short) = exhaustive.rank(&bag)?;
        let plan = bag.plan();
        results.made_of.clone_from(&plan.made_of);
        results.total = Total { count: found.len() as u64, is_exact: !is_cut_short };
        let marker = Marker::new(&plan);
        for scored in found.into_iter().skip(request.offset).take(request.count) {
            let candidate = Candidate { address: scored.address, anchors: None, is_match: true };
            let parts = vec![Part::new(request.model.name(), scored.score, 1.0)];
            let Some(mut hit) = self.hit(&Ranked::of_parts(candidate, parts), &marker)? else {
                continue;
            };
            if self.explain && !self.checker.patience.is_over() {
                let told = exhaustive.told(&bag, scored.address)?;
                hit.remarks = told.into_iter().map(Remark::Sum).collect();
            }
            results.hits.push(hit);
        }
        results.is_partial = is_cut_short || self.checker.patience.is_over();
        Ok(())
    }

    fn hit(&self, ranked: &Ranked, marker: &Marker) -> tantivy::Result<Option<Hit>> {
        let Candidate { address, anchors, .. } = ranked.candidate;
        let Some(page) = self.snapshot.stored(address)? else { return Ok(None) };
        let title = snippet::title(&page, || {
            let target = self.links.anchors.as_ref()?.target(anchors?).ok()??;
            Some(target.text)
        });
        // Late answers come without a snippet rather than later still.
        let snippet = match self.checker.patience.is_over() {
            false => marker.snippet(&page),
            true => Snippet::default(),
        };
        let mut remarks = self.standing.remarks(page.id, &self.weights);
        // Only pages that are doubted have this part.
        if ranked.parts.iter().any(|part| part.name == "quality" && part.value < 0.0) {
            remarks.push(Remark::Doubts(self.snapshot.spam_kinds(address)));
        }
        Ok(Some(Hit {
            remarks,
            page: Some(page.id),
            site: fold::site_name(&self.links, Some(page.id), &page.url),
            url: page.url,
            title,
            snippet,
            score: ranked.score,
            parts: match self.explain {
                true => explain::completed(&ranked.parts, &self.weights),
                false => ranked.parts.clone(),
            },
            fetched: Some(page.fetched),
            language: page.language.map(|language| language.code().to_owned()),
            date: page.showing.date,
            has_copy: !page.showing.noarchive,
            similar: 0,
            held_back: 0,
            described_by: None,
            reasons: Vec::new(),
        }))
    }

    /// Shows a page that was never fetched; `None` if nothing is kept of it.
    fn described_hit(&self, described: &Described) -> tantivy::Result<Option<Hit>> {
        let Some(anchors) = &self.links.anchors else { return Ok(None) };
        let Some(target) = anchors.target(described.place)? else { return Ok(None) };
        Ok(Some(Hit {
            page: None,
            site: fold::site_name(&self.links, None, &target.url),
            title: snippet::title_of(&target.text, &target.url),
            url: target.url,
            snippet: Snippet::default(),
            score: described.score,
            parts: described.parts.clone(),
            fetched: None,
            language: None,
            date: None,
            has_copy: false,
            similar: 0,
            held_back: 0,
            described_by: Some(described.sites),
            reasons: Vec::new(),
            remarks: Vec::new(),
        }))
    }
}
