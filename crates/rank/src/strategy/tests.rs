//! Holds the strategies against each other on random texts, ranks and queries.

use std::cell::Cell;
use std::fs;
use std::sync::{Arc, LazyLock};

use base::{
    Block, Collection, ContentKind, Generation, Link, LinkKind, PageId, PageRecord, Rel, Timestamp,
    Url, Zone, pages,
};
use index::{Reader, Snapshot};
use proptest::prelude::*;
use tantivy::query::{BooleanQuery, ConstScoreQuery, EnableScoring, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, SegmentReader, Term};

use super::blocks;
use super::lists::{self, Lists};
use super::{FirstStage, NO_LISTS, NOT_FLAT, Report, Store, Strategy, first};
use crate::answer::Total;
use crate::first::{Flat, Found, Heap, Ranks, Walk};
use crate::generation::{Follower, Links};
use crate::row::RowQuery;

/// A collection of random texts in several segments, with ranks and lists.
struct World {
    /// The file of the lists. All files are gone by now; those that are open stay readable.
    file: Vec<u8>,
    snapshot: Arc<Snapshot>,
    links: Arc<Links>,
    ranks: Ranks,
    store: Store,
}

const NUM_PAGES: u64 = 900;
const NUM_WORDS: usize = 120;

fn world() -> &'static World {
    static WORLD: LazyLock<World> = LazyLock::new(World::new);
    &WORLD
}

/// Chance that is the same each time.
fn dice(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

/// Words by rank: the first ones are in almost every text, the last ones in few.
fn word(rank: usize) -> String {
    let syllables = ["ba", "do", "ki", "lu", "me"];
    let letter = |place: u32| syllables[rank / 5_usize.pow(place) % 5];
    format!("{}{}{}", letter(2), letter(1), letter(0))
}

fn random_text(seed: &mut u64) -> String {
    let len = 5 + dice(seed) % 60;
    let words = (0..len).map(|_| {
        let (one, other) = (dice(seed) % NUM_WORDS, dice(seed) % NUM_WORDS);
        word(one * other / NUM_WORDS)
    });
    words.collect::<Vec<_>>().join(" ")
}

fn random_page(number: u64, seed: &mut u64) -> PageRecord {
    let url = |number: u64| Url::parse(&format!("http://d{number}.example/")).unwrap();
    let id = PageId::new(0, number).unwrap();
    let mut record = PageRecord::new(id, url(number), Timestamp::from_millis(0), 200);
    record.kind = ContentKind::Html;
    record.blocks = vec![Block { zone: Zone::Body, text: random_text(seed) }];
    for _ in 0..dice(seed) % 4 {
        // Most links go to pages with a low number.
        let target = dice(seed) as u64 % (1 + dice(seed) as u64 % NUM_PAGES);
        record.links.push(Link {
            target: url(target),
            anchor: String::new(),
            kind: LinkKind::Anchor,
            rel: Rel::default(),
        });
    }
    record
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
        let mut log = pages::Writer::open(&collection.pages()).unwrap();
        let mut seed = 7;
        let catch_up = || {
            index::catch_up(&collection, index::Options::default(), |_| {}).unwrap();
        };
        for number in 0..NUM_PAGES {
            log.append(&random_page(number, &mut seed)).unwrap();
            if number % 300 == 299 {
                log.sync().unwrap();
                catch_up();
            }
        }
        for number in (0..NUM_PAGES).filter(|number| number % 7 == 0) {
            log.append(&random_page(number, &mut seed)).unwrap();
        }
        log.sync().unwrap();
        catch_up();
        let generation = Generation(1);
        let options = graph::AnalyseOptions::default();
        graph::analyse(&collection, generation, &options, &mut graph::unwatched).unwrap();
        let anchors = collection.anchors(generation);
        index::anchors::build(&collection.pages(), &anchors, Default::default()).unwrap();
        collection.publish(generation).unwrap();
        let snapshot = Reader::open(&collection.index()).snapshot().unwrap().unwrap();
        assert!(snapshot.searcher.segment_readers().len() > 1);
        assert!(snapshot.searcher.segment_readers().iter().any(SegmentReader::has_deletes));
        let links = Follower::new(collection).links();
        let ranks = first::RanksByCommit::default().get(&snapshot, &links, 2.0);
        let path = folder.path().join("lists");
        lists::build(&snapshot, &path, 20).unwrap().unwrap();
        lists::check(&path).unwrap();
        let store = Store::new(Lists::open(&path).unwrap(), &links);
        let file = fs::read(&path).unwrap();
        Self { file, snapshot, links, ranks, store }
    }

    fn term(&self, rank: usize) -> Term {
        Term::from_field_text(self.snapshot.fields.stems, &word(rank))
    }

    fn query(&self, words: &[usize], occur: Occur) -> Box<dyn Query> {
        let term = |rank: &usize| -> Box<dyn Query> {
            Box::new(TermQuery::new(self.term(*rank), IndexRecordOption::WithFreqs))
        };
        match words {
            [word] => term(word),
            words => {
                Box::new(BooleanQuery::new(words.iter().map(|word| (occur, term(word))).collect()))
            }
        }
    }

    /// Returns the query for documents that have one term of each word, and one of each filter, and
    /// none of what is excluded.
    fn words(&self, words: &[Vec<usize>], filters: &[usize], excluded: &[usize]) -> BooleanQuery {
        let words = words.iter().map(|word| (Occur::Must, self.query(word, Occur::Should)));
        let filters = filters.iter().map(|rank| {
            let query = ConstScoreQuery::new(self.query(&[*rank], Occur::Must), 0.0);
            (Occur::Must, Box::new(query) as Box<dyn Query>)
        });
        let excluded =
            excluded.iter().map(|rank| (Occur::MustNot, self.query(&[*rank], Occur::Must)));
        BooleanQuery::new(words.chain(filters).chain(excluded).collect())
    }

    fn first(&self) -> FirstStage<'_> {
        FirstStage {
            snapshot: &self.snapshot,
            ranks: &self.ranks,
            links: &self.links,
            store: Some(&self.store),
            is_over: &|| false,
            gone: None,
        }
    }

    fn best(&self, strategy: Strategy, query: &dyn Query, count: usize) -> (Found, Report) {
        self.first().best(strategy, query, count).unwrap()
    }
}

fn queries() -> impl proptest::strategy::Strategy<Value = (Vec<usize>, Occur)> {
    let occur = prop::sample::select(vec![Occur::Must, Occur::Should]);
    (prop::collection::vec(0..NUM_WORDS + 3, 1..6), occur)
}

/// Same scores in the same order. Which of equal documents comes first is not compared: sums of
/// the same weights in another order differ in their last bit.
#[track_caller]
fn assert_same(one: &Found, other: &Found) {
    let scores = |found: &Found| found.best.iter().map(|scored| scored.score).collect::<Vec<_>>();
    let (left, right) = (scores(one), scores(other));
    assert_eq!(left.len(), right.len());
    for (left, right) in left.iter().zip(&right) {
        assert!((left - right).abs() <= 1e-5 * left.abs(), "{left} and {right}");
    }
}

fn random_ranks(mut seed: u64, weight: f32) -> Ranks {
    let segments = world().snapshot.searcher.segment_readers().iter();
    let ranks = segments.map(|segment| {
        (0..segment.max_doc()).map(|_| (dice(&mut seed) % 1_000) as f32 / 1_000.0).collect()
    });
    Ranks::of_segments(ranks.collect(), weight)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn exact_strategies_find_what_exhaustive_search_finds(
        (words, occur) in queries(),
        count in 1_usize..40,
    ) {
        let world = world();
        let query = world.query(&words, occur);
        let (all, _) = world.best(Strategy::Exhaustive, query.as_ref(), count);
        for strategy in [Strategy::BlockMax, Strategy::Threshold] {
            let (found, report) = world.best(strategy, query.as_ref(), count);
            prop_assert_eq!((report.strategy, report.note), (strategy, None));
            assert_same(&all, &found);
        }
    }

    #[test]
    fn pruning_is_exact_for_ranks_in_any_order(
        (words, occur) in queries(),
        count in 1_usize..40,
        seed: u64,
        weight in 0.0_f32..8.0,
    ) {
        let (world, ranks) = (world(), random_ranks(seed, weight));
        let query = world.query(&words, occur);
        let best = |walk| {
            let searcher = &world.snapshot.searcher;
            first::best(searcher, query.as_ref(), walk, count, &ranks, &|| false, None).unwrap()
        };
        assert_same(&best(Walk::Whole), &best(Walk::Pruned));
    }

    #[test]
    fn a_walk_over_words_of_several_terms_is_exact_for_ranks_in_any_order(
        words in prop::collection::vec(prop::collection::vec(0..NUM_WORDS + 3, 1..4), 1..4),
        filters in prop::collection::vec(0..NUM_WORDS / 8, 0..2),
        excluded in prop::collection::vec(0..NUM_WORDS, 0..3),
        count in 1_usize..40,
        most_counted in 0_u64..60,
        seed: u64,
        weight in 0.0_f32..8.0,
    ) {
        let (world, ranks) = (world(), random_ranks(seed, weight));
        let query = world.words(&words, &filters, &excluded);
        let best = |walk| {
            let searcher = &world.snapshot.searcher;
            first::best(searcher, &query, walk, count, &ranks, &|| false, None).unwrap()
        };
        let all = best(Walk::Whole);
        let found = best(Walk::Words(Flat::of(&query).unwrap(), most_counted));
        assert_same(&all, &found);
        prop_assert!(found.num_documents <= all.num_documents);
        let (exact, counted) = (all.num_matching.unwrap(), found.num_matching.unwrap());
        prop_assert!(!counted.is_exact || counted == exact);
        prop_assert!(counted.is_exact || exact.count >= most_counted);
    }

    #[test]
    fn lists_find_words_of_several_terms_too(
        words in prop::collection::vec(prop::collection::vec(0..NUM_WORDS + 3, 1..4), 1..4),
        count in 1_usize..40,
    ) {
        let world = world();
        let query = world.words(&words, &[], &[]);
        let (all, _) = world.best(Strategy::Exhaustive, &query, count);
        let (found, report) = world.best(Strategy::Threshold, &query, count);
        prop_assert_eq!((report.strategy, report.note), (Strategy::Threshold, None));
        assert_same(&all, &found);
        for strategy in [Strategy::Champions, Strategy::Clusters, Strategy::Tiers] {
            let (found, report) = world.best(strategy, &query, count);
            prop_assert_eq!((report.strategy, report.note), (strategy, None));
            prop_assert!(found.best.len() <= all.best.len());
        }
    }

    #[test]
    fn a_walk_over_rows_is_exact_for_ranks_in_any_order(
        words in prop::collection::vec((0_usize..3, 0..NUM_WORDS / 4), 2..4),
        count in 1_usize..40,
        most_counted in 0_u64..60,
        seed: u64,
        weight in 0.0_f32..8.0,
    ) {
        let world = world();
        let (searcher, field) = (&world.snapshot.searcher, world.snapshot.fields.words);
        let ranks = random_ranks(seed, weight);
        let mut offset = 0;
        let terms = words.iter().enumerate().map(|(place, (gap, rank))| {
            offset += usize::from(place > 0) * (1 + gap / 2);
            (offset, Term::from_field_text(field, &word(*rank)))
        });
        let query = RowQuery::new(terms.collect());
        let best = |walk| {
            first::best(searcher, &query, walk, count, &ranks, &|| false, None).unwrap()
        };
        let (all, found) = (best(Walk::Whole), best(Walk::Row(&query, most_counted)));
        assert_same(&all, &found);
        prop_assert!(found.num_documents <= all.num_documents);
        let (exact, counted) = (all.num_matching.unwrap(), found.num_matching.unwrap());
        prop_assert!(!counted.is_exact || counted == exact);
        prop_assert!(counted.is_exact || exact.count >= most_counted);
    }

    #[test]
    fn inexact_strategies_find_nothing_that_does_not_match(
        (words, occur) in queries(),
    ) {
        let world = world();
        let query = world.query(&words, occur);
        let (all, whole) = world.best(Strategy::Exhaustive, query.as_ref(), 1_000);
        for strategy in [Strategy::Champions, Strategy::Clusters, Strategy::Tiers] {
            let (found, report) = world.best(strategy, query.as_ref(), 10);
            prop_assert_eq!((report.strategy, report.note), (strategy, None));
            for scored in &found.best {
                let same = all.best.iter().find(|other| other.address == scored.address);
                prop_assert!(same.is_some_and(|same| (same.score - scored.score).abs() < 1e-4));
            }
        }
        prop_assert_eq!(whole.documents, all.num_documents);
    }
}

#[test]
fn pruning_and_the_threshold_algorithm_look_at_less() {
    let world = world();
    let query = world.query(&[2, 5], Occur::Should);
    let documents = |strategy| world.best(strategy, query.as_ref(), 5).1.documents;
    let all = documents(Strategy::Exhaustive);
    assert!(all > 300, "{all}");
    for strategy in [Strategy::BlockMax, Strategy::Threshold, Strategy::Clusters] {
        assert!(documents(strategy) < all, "{strategy}: {} of {all}", documents(strategy));
    }
}

#[test]
fn words_of_several_terms_and_questions_are_searched_by_blocks() {
    let world = world();
    for query in [
        world.words(&[vec![0, 3], vec![1]], &[], &[]),
        world.words(&[vec![0]], &[1], &[40]),
        world.words(&[vec![0]], &[], &[1]),
    ] {
        let flat = Flat::of(&query).unwrap();
        assert!(matches!(Walk::of(&query), Walk::Words(..)));
        let (all, _) = world.best(Strategy::Exhaustive, &query, 5);
        let searcher = &world.snapshot.searcher;
        let found =
            first::best(searcher, &query, Walk::Words(flat, 5), 5, &world.ranks, &|| false, None);
        let found = found.unwrap();
        assert_same(&all, &found);
        assert!(found.num_documents * 2 < all.num_documents, "{found:?} of {all:?}");
        assert!(found.num_postings.is_some_and(|postings| postings > 0));
        // What it has read is told without anybody asking twice.
        let (_, report) = world.best(Strategy::BlockMax, &query, 5);
        assert!(report.strategy == Strategy::BlockMax && report.postings.is_some(), "{report}");
        // The time may be over.
        let late = Walk::Words(Flat::of(&query).unwrap(), 0);
        let late = first::best(searcher, &query, late, 5, &world.ranks, &|| true, None).unwrap();
        assert!(late.is_cut_short && late.num_matching.is_none());
    }
    // Many terms of one word are faster all together.
    let many = world.words(&[(0..8).collect(), vec![9]], &[], &[]);
    assert!(matches!(Walk::of(&many), Walk::Whole));
}

#[test]
fn the_clock_is_looked_at_also_where_nothing_matches() {
    let world = world();
    let pairs = (60..NUM_WORDS).flat_map(|one| (one + 1..NUM_WORDS).map(move |other| [one, other]));
    let is_strange = |pair: &[usize; 2]| {
        let query = world.query(pair, Occur::Must);
        world.best(Strategy::Exhaustive, query.as_ref(), 1).0.best.is_empty()
    };
    let pair = pairs.into_iter().find(is_strange).unwrap();
    let query = world.query(&pair, Occur::Must);
    for (strategy, is_late) in [
        (Strategy::BlockMax, true),
        (Strategy::Exhaustive, true),
        (Strategy::BlockMax, false),
        (Strategy::Exhaustive, false),
    ] {
        let first = FirstStage { is_over: &|| is_late, ..world.first() };
        let (found, _) = first.best(strategy, query.as_ref(), 10).unwrap();
        assert_eq!((found.best.len(), found.is_cut_short), (0, is_late), "{strategy}");
    }
}

/// Goes over the documents of a segment and tells them to a visitor.
type Going<'a> = dyn Fn(&mut dyn FnMut(u32, f32) -> f32) + 'a;

/// The walk that counts must be tantivy's own: the same documents, in the same order.
#[test]
fn blocks_are_counted_on_the_way_that_tantivy_takes() {
    let world = world();
    let searcher = &world.snapshot.searcher;
    let (mut seed, mut num_read, mut num_all) = (3, 0, 0);
    for _ in 0..300 {
        let words: Vec<usize> =
            (0..1 + dice(&mut seed) % 4).map(|_| dice(&mut seed) % (NUM_WORDS / 2)).collect();
        let occur = [Occur::Must, Occur::Should][dice(&mut seed) % 2];
        let query = world.query(&words, occur);
        let weight = query.weight(EnableScoring::enabled_from_searcher(searcher)).unwrap();
        let flat = Flat::of(query.as_ref()).unwrap();
        let count = 1 + dice(&mut seed) % 20;
        for segment in searcher.segment_readers() {
            let visited = |walk: &Going<'_>| {
                let (mut heap, mut visits) = (Heap::new(count), Vec::new());
                walk(&mut |doc_id, score| {
                    heap.push(score, DocAddress { segment_ord: 0, doc_id });
                    visits.push(doc_id);
                    heap.worst().unwrap_or(f32::MIN)
                });
                visits
            };
            let by_tantivy = visited(&|visit| {
                weight.for_each_pruning(f32::MIN, segment, visit).unwrap();
            });
            let counted = Cell::new(0);
            let by_us = visited(&|visit| {
                counted.set(blocks::walk(&flat, searcher, segment, f32::MIN, visit).unwrap());
            });
            assert_eq!(by_us, by_tantivy, "{words:?} {occur:?} {count}");
            num_read += counted.get();
            let index = segment.inverted_index(world.snapshot.fields.stems).unwrap();
            num_all += flat.terms().map(|t| u64::from(index.doc_freq(t).unwrap())).sum::<u64>();
        }
    }
    assert!(num_read > 0 && num_read < num_all, "{num_read} of {num_all}");
    // It is told where somebody wants to know.
    let (first, query) = (world.first(), world.query(&[1, 2], Occur::Must));
    let (found, mut told) = first.best(Strategy::BlockMax, query.as_ref(), 10).unwrap();
    assert_eq!(told.postings, None);
    first.complete(&mut told, query.as_ref(), 10, &found).unwrap();
    assert!(told.postings.is_some_and(|postings| postings > 0), "{told}");
}

#[test]
fn recall_tells_how_much_a_strategy_misses() {
    let world = world();
    let first = world.first();
    let mut least: f32 = 1.0;
    for word in 0..NUM_WORDS {
        let query = world.query(&[word, (word * 7 + 3) % NUM_WORDS], Occur::Should);
        let (all, _) = world.best(Strategy::Exhaustive, query.as_ref(), 10);
        assert_eq!(first.recall(query.as_ref(), &all).unwrap(), Some(1.0));
        // Half of the best, and as many others.
        let mut half = world.best(Strategy::Exhaustive, query.as_ref(), 100).0;
        half.best.drain(..5);
        let tenth = all.best.last().map_or(0.0, |last| last.score);
        let others = half.best.iter().take(10).filter(|other| other.score >= tenth).count();
        let expected = others as f32 / all.best.len() as f32;
        assert_eq!(first.recall(query.as_ref(), &half).unwrap(), Some(expected));
        let (found, _) = world.best(Strategy::Clusters, query.as_ref(), 10);
        least = least.min(first.recall(query.as_ref(), &found).unwrap().unwrap());
    }
    assert!(least < 1.0, "clusters find everything: what is there to learn?");
}

#[test]
fn champions_and_tiers_find_the_best_of_one_word_but_for_ranks() {
    let world = world();
    let mut first = world.first();
    let none = Ranks::none();
    first.ranks = &none;
    for word in 0..NUM_WORDS {
        let query = world.query(&[word], Occur::Must);
        let best = |strategy| first.best(strategy, query.as_ref(), 10).unwrap().0;
        assert_same(&best(Strategy::Exhaustive), &best(Strategy::Champions));
        assert_same(&best(Strategy::Exhaustive), &best(Strategy::Tiers));
    }
}

#[test]
fn other_queries_and_missing_lists_are_left_to_block_max() {
    let world = world();
    let words = Term::from_field_text(world.snapshot.fields.words, &word(0));
    let phrase = RowQuery::new(vec![(0, words.clone()), (1, words)]);
    let mut first = world.first();
    let (_, report) = first.best(Strategy::Threshold, &phrase, 10).unwrap();
    assert_eq!((report.strategy, report.note), (Strategy::BlockMax, Some(NOT_FLAT)));
    first.store = None;
    let query = world.query(&[1, 2], Occur::Must);
    let (found, report) = first.best(Strategy::Tiers, query.as_ref(), 10).unwrap();
    assert_eq!((report.strategy, report.note), (Strategy::BlockMax, Some(NO_LISTS)));
    assert_same(&found, &world.best(Strategy::Exhaustive, query.as_ref(), 10).0);
}

#[test]
fn of_rows_enough_are_counted_and_the_rest_is_estimated() {
    let world = world();
    let (searcher, field) = (&world.snapshot.searcher, world.snapshot.fields.words);
    let term = Term::from_field_text(field, &word(0));
    let query = RowQuery::new(vec![(0, term.clone()), (1, term)]);
    let best =
        |walk| first::best(searcher, &query, walk, 5, &world.ranks, &|| false, None).unwrap();
    let all = best(Walk::Whole).num_matching.unwrap().count;
    assert!(all > 50, "{all}");
    let found = best(Walk::Row(&query, all / 2));
    let Total { count, is_exact } = found.num_matching.unwrap();
    assert!(!is_exact && count.abs_diff(all) < all / 4, "{count} of {all}");
    assert!(found.num_documents < all, "what cannot be among the best is left out");
    let found = best(Walk::Row(&query, all + 1));
    assert_eq!(found.num_matching, Some(Total { count: all, is_exact: true }));
    // Where the time is over, nothing is said of how many there are.
    let late = Walk::Row(&query, 0);
    let found = first::best(searcher, &query, late, 5, &world.ranks, &|| true, None).unwrap();
    assert!(found.is_cut_short && found.num_matching.is_none());
}

#[test]
fn names_of_strategies_are_read_back() {
    for strategy in Strategy::ALL {
        assert_eq!(strategy.name().parse(), Ok(strategy));
    }
    assert!("magic".parse::<Strategy>().unwrap_err().contains("block-max"));
}

#[test]
fn sto_07_every_flipped_bit_of_the_lists_is_found() {
    let world = world();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lists");
    let whole = &world.file;
    let mut seed = 1;
    let last = (whole.len() - 40..whole.len()).chain(0..12);
    let places = last.chain(std::iter::repeat_with(|| dice(&mut seed) % whole.len()).take(1_000));
    for place in places.collect::<Vec<_>>() {
        let mut bytes = whole.to_vec();
        bytes[place] ^= 1 << (place % 8);
        fs::write(&path, &bytes).unwrap();
        assert!(lists::check(&path).is_err(), "byte {place}");
    }
    for end in (0..whole.len()).step_by(997) {
        fs::write(&path, &whole[..end]).unwrap();
        assert!(lists::check(&path).is_err(), "cut at {end}");
    }
}
