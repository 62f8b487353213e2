//! The page about links: made in the background, once per generation, when somebody looks (G6, G7).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::graph::{
    Counted, Degrees, Evidence, Finding, Gathered, Hosts, Named, Node, Owners, PageRankOptions,
    Part, RankChange, Reputation, SpamOptions, bow_tie, draw_bow_tie, draw_degrees, find_spam,
    gathered, plot, preview, read_node_scores, read_summary, unwatched,
};
use anyhow::{Context, Result, bail};
use base::{Collection, Generation};
use serve::{Bombs, ChangeView, GraphView, SpamView};

use crate::command::graph::anchors;
use crate::config::Config;

/// Keeps the last picture.
#[derive(Default)]
pub(super) struct Drawing(Mutex<State>);

#[derive(Default)]
struct State {
    view: GraphView,
    /// Generation that is being drawn, or could not be.
    tried: Option<Generation>,
}

/// Pages drawn; beyond, the command line does it, where nobody waits for a page.
const MOST_NODES: u32 = 2_000_000;
/// Records of the page log that are read for bombs, each pass counted: a minute's work at most.
const MOST_READINGS: u64 = 1_000_000;
/// Points of a curve.
const POINTS: usize = 200;
/// Pages, topics and findings listed.
const TOP: usize = 20;
const TOPICS: usize = 12;
const TOP_OF_TOPIC: usize = 5;
const FINDINGS: usize = 20;
/// Smallest share of its rank by which a page's rank changes to be listed.
const LEAST_CHANGE: f64 = 0.1;

impl Drawing {
    /// Returns the last picture; begins to make a newer one if there is a newer generation.
    pub(super) fn view(this: &Arc<Self>, collection: &Collection) -> Result<GraphView> {
        let generation = collection.generation()?;
        let mut state = this.state();
        let Some(generation) = generation else { return Ok(state.view.clone()) };
        let is_old = state.view.generation != Some(generation.0);
        if is_old && !state.view.is_working && state.tried != Some(generation) {
            state.tried = Some(generation);
            state.view.is_working = true;
            let (drawing, collection) = (this.clone(), collection.clone());
            std::thread::Builder::new()
                .name("drawing".to_owned())
                .spawn(move || drawing.draw(&collection, generation))
                .context("cannot start a thread")?;
        }
        Ok(state.view.clone())
    }

    fn draw(&self, collection: &Collection, generation: Generation) {
        // A panic must not leave the page waiting for ever.
        let drawn = std::panic::catch_unwind(|| draw(collection, generation));
        let drawn = drawn.unwrap_or_else(|_| Err(anyhow::anyhow!("drawing it failed")));
        let mut state = self.state();
        match drawn {
            Ok(view) => state.view = view,
            Err(error) => {
                state.view.is_working = false;
                state.view.trouble = Some(format!("{error:#}"));
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn draw(collection: &Collection, generation: Generation) -> Result<GraphView> {
    let (folder, scores) = (collection.graph(generation), collection.scores(generation));
    let nodes = read_summary(&folder)?.num_nodes;
    if nodes > MOST_NODES {
        bail!("{nodes} pages are too many for this page: `lookfar graph bowtie` and `spam` do it");
    }
    let named = Named::generation(&folder, &mut |_, _| ())?;
    let links = named.links();
    let shape = bow_tie(links);
    let into = Degrees::of(links.nodes(), |node| links.in_degree(node));
    let out = Degrees::of(links.nodes(), |node| links.out_degree(node));
    let part =
        |part: &Part| (part.name().to_owned(), shape.count(*part), 100.0 * shape.share(*part));
    let ranks = read_node_scores(&scores)?;
    let mut options = Config::read(&collection.config())?.analyse_options(collection.root())?;
    // They are looked for here, so they must be there.
    options.spam = true;
    let (spam, bombs, changes) = match options.counted == Counted::default() {
        true => spam(collection, &named, &options.pagerank)?,
        false => {
            let counted = Named::generation_with(&folder, &options, &mut unwatched)?;
            spam(collection, &counted, &options.pagerank)?
        }
    };
    Ok(GraphView {
        generation: Some(generation.0),
        is_working: false,
        trouble: None,
        bow_tie: Some(draw_bow_tie(&shape, "The bow-tie", "pages").into()),
        degrees: Some(draw_degrees(&into, &out, "Links per page", "pages").into()),
        gathered: draw_gathered(&named, &ranks)?.map(Into::into),
        parts: Part::ALL.iter().map(part).collect(),
        top: top(&named, &ranks, TOP)?,
        topics: topics(&named, &scores)?,
        spam,
        bombs,
        changes,
    })
}

/// Draws how much of all rank the crawl had gathered after how many pages, beside an order that
/// knew all ranks beforehand; `None` if nothing was fetched.
fn draw_gathered(named: &Named, ranks: &[f32]) -> Result<Option<String>> {
    let Some(graph) = named.stored() else { return Ok(None) };
    let mut fetched = Vec::new();
    for node in named.links().nodes() {
        fetched.extend(graph.page(node)?.map(|page| (page, node)));
    }
    if fetched.is_empty() {
        return Ok(None);
    }
    // Pages are numbered as they come into the page log, so this is the order of the crawl.
    fetched.sort_unstable_by_key(|(page, _)| *page);
    let ranks: Vec<f64> = ranks.iter().map(|rank| f64::from(*rank)).collect();
    let mut order: Vec<Node> = fetched.into_iter().map(|(_, node)| node).collect();
    let crawl = gathered(&order, &ranks, POINTS)?;
    order.sort_by(|one, other| ranks[other.index()].total_cmp(&ranks[one.index()]));
    let best = gathered(&order, &ranks, POINTS)?;
    let series = |name: &str, points: &[Gathered]| plot::Series {
        name: name.to_owned(),
        points: points
            .iter()
            .map(|point| (point.pages * ranks.len() as f64, point.score))
            .collect(),
        mark: plot::Mark::Line,
    };
    let axis = |label: &str, unit| plot::Axis {
        label: label.to_owned(),
        scale: plot::Scale::Linear,
        unit,
    };
    let across = axis("pages, as they were fetched", plot::Unit::Number);
    let up = axis("share of all PageRank", plot::Unit::Percent);
    let lines = [series("this crawl", &crawl), series("best pages first", &best)];
    Ok(Some(plot::lines("PageRank gathered by the crawl", (&across, &up), &lines)))
}

/// Returns the pages with the highest scores, and their share of all in percent.
fn top(named: &Named, scores: &[f32], count: usize) -> Result<Vec<(String, f64)>> {
    let all: f64 = scores.iter().map(|score| f64::from(*score)).sum();
    let mut nodes: Vec<Node> = (0..).map(Node).take(scores.len()).collect();
    let by_score = |one: &Node, other: &Node| {
        scores[other.index()]
            .total_cmp(&scores[one.index()])
            .then_with(|| one.index().cmp(&other.index()))
    };
    if nodes.len() > count {
        nodes.select_nth_unstable_by(count, by_score);
        nodes.truncate(count);
    }
    nodes.sort_by(by_score);
    let mut found = Vec::new();
    for node in nodes {
        let share = 100.0 * f64::from(scores[node.index()]) / all.max(f64::MIN_POSITIVE);
        found.push((named.name(node)?.into_owned(), share));
    }
    Ok(found)
}

fn topics(named: &Named, folder: &std::path::Path) -> Result<Vec<(String, Vec<String>)>> {
    let Some(reputation) = Reputation::open(folder)? else { return Ok(Vec::new()) };
    let Some(graph) = named.stored() else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for name in reputation.topics().take(TOPICS) {
        let Some(ranks) = reputation.topic(name)? else { continue };
        let mut scores = vec![0.0; named.num_nodes() as usize];
        for node in named.links().nodes() {
            let page = graph.page(node)?;
            scores[node.index()] = page.and_then(|page| ranks.get(page)).unwrap_or_default();
        }
        let best = top(named, &scores, TOP_OF_TOPIC)?;
        found.push((name.to_owned(), best.into_iter().map(|(url, _)| url).collect()));
    }
    Ok(found)
}

/// Returns what looks made to raise a rank, what pages are called and never say, and whose place
/// would change without the first.
fn spam(
    collection: &Collection,
    named: &Named,
    ranking: &PageRankOptions,
) -> Result<(Vec<SpamView>, Bombs, Vec<ChangeView>)> {
    let owners = Owners::of(named)?;
    let hosts = owners.hosts()?;
    let options = SpamOptions { pagerank: ranking.clone(), ..SpamOptions::default() };
    let report = find_spam(named.links(), &hosts, &options)?;
    let bombs = bombs(collection, named, &hosts, &options);
    let findings = views(named, &report.findings)?;
    if findings.is_empty() {
        return Ok((findings, bombs, Vec::new()));
    }
    let today = ::graph::pagerank(named.links().in_links(), ranking)?.scores;
    let preview = preview(named.links(), &hosts, &today, &report, ranking, LEAST_CHANGE)?;
    let mut changes = Vec::new();
    for RankChange { node, place_before, place_after, .. } in preview.changes.iter().take(TOP) {
        let url = named.name(*node)?.into_owned();
        let (before, after) = (u64::from(*place_before), u64::from(*place_after));
        changes.push(ChangeView { url, before, after });
    }
    Ok((findings, bombs, changes))
}

/// Looks for bombs. They are the one part that reads the page log, which may be long, or damaged:
/// the page shows the rest in any case.
fn bombs(
    collection: &Collection,
    named: &Named,
    hosts: &Hosts<'_>,
    options: &SpamOptions,
) -> Bombs {
    let Some(graph) = named.stored() else { return Bombs::default() };
    let look = || match anchors::readings(graph) {
        0..=MOST_READINGS => {
            let found = anchors::bombs(&collection.pages(), graph, hosts, options, &mut || {})?;
            views(named, &found)
        }
        _ => bail!("there are too many pages to look for them here: `lookfar graph spam` does it"),
    };
    match look() {
        Ok(found) => Bombs { found, trouble: None },
        Err(error) => Bombs { found: Vec::new(), trouble: Some(format!("{error:#}")) },
    }
}

/// Returns the first findings as they are shown.
fn views(named: &Named, findings: &[Finding]) -> Result<Vec<SpamView>> {
    let view = |finding: &Finding| {
        let (kind, percent) = (finding.evidence.kind(), 100.0 * finding.score);
        let what = match &finding.evidence {
            Evidence::Bomb { phrase, .. } => format!("{kind} \"{phrase}\""),
            _ => kind.to_owned(),
        };
        let pages = finding.targets.iter().chain(&finding.pages).take(TOP_OF_TOPIC);
        let pages: Result<Vec<String>> =
            pages.map(|node| Ok(named.name(*node)?.into_owned())).collect();
        let headline = format!("{what}, certain to {percent:.0} %");
        Ok(SpamView { headline, reasons: finding.reasons.clone(), pages: pages? })
    };
    findings.iter().take(FINDINGS).map(view).collect()
}

#[cfg(test)]
mod tests {
    use ::graph::{AnalyseOptions, ReputationOptions, Topic, WHOLE_WEB, analyse};
    use base::{
        Block, ContentKind, Link, LinkKind, PageId, PageRecord, Rel, Timestamp, Url, Zone, pages,
    };

    use super::*;

    /// A page that eighteen pages on three hosts of another owner link to, without vouching for it.
    fn collection(root: &std::path::Path) -> Collection {
        let collection = Collection::open_or_create(root).unwrap();
        let target = Url::parse("http://t.example/").unwrap();
        let mut log = pages::Writer::open(&collection.pages()).unwrap();
        for number in 0..19 {
            let address = match number {
                0 => target.as_str().to_owned(),
                _ => format!("http://h{}.farm.example/{number}", number % 3),
            };
            let id = PageId::new(0, number).unwrap();
            let url = Url::parse(&address).unwrap();
            let mut record = PageRecord::new(id, url, Timestamp::from_millis(0), 200);
            record.kind = ContentKind::Html;
            let rel = Rel { nofollow: true, ..Rel::default() };
            let (target, anchor) = (target.clone(), "t".to_owned());
            record.links.push(Link { target, kind: LinkKind::Anchor, rel, anchor });
            log.append(&record).unwrap();
        }
        log.sync().unwrap();
        analyse(&collection, Generation(1), &AnalyseOptions::default(), &mut unwatched).unwrap();
        collection
    }

    /// An office that twenty-four pages on three hosts of one owner give a name that it never says.
    fn pranks(root: &std::path::Path) -> Collection {
        let collection = Collection::open_or_create(root).unwrap();
        let office = Url::parse("http://office.example/").unwrap();
        let mut log = pages::Writer::open(&collection.pages()).unwrap();
        for number in 0..25 {
            let address = match number {
                0 => office.as_str().to_owned(),
                _ => format!("http://h{}.pranks.example/{number}", number % 3),
            };
            let id = PageId::new(0, number).unwrap();
            let url = Url::parse(&address).unwrap();
            let mut record = PageRecord::new(id, url, Timestamp::from_millis(0), 200);
            record.kind = ContentKind::Html;
            let text = "the office builds roads and bridges and opens each of them with a small \
                        speech and with a band and cake for everybody who comes to see it";
            record.blocks.push(Block { zone: Zone::Body, text: text.to_owned() });
            if number > 0 {
                for anchor in ["Miserable <failure>", "small speech"] {
                    let (target, anchor) = (office.clone(), anchor.to_owned());
                    let (kind, rel) = (LinkKind::Anchor, Rel::default());
                    record.links.push(Link { target, kind, rel, anchor });
                }
            }
            log.append(&record).unwrap();
        }
        log.sync().unwrap();
        analyse(&collection, Generation(1), &AnalyseOptions::default(), &mut unwatched).unwrap();
        collection
    }

    #[test]
    fn a_name_that_a_page_never_says_is_shown_with_who_gives_it() {
        let folder = tempfile::tempdir().unwrap();
        let collection = pranks(folder.path());
        let Bombs { found, trouble } = draw(&collection, Generation(1)).unwrap().bombs;
        assert_eq!((found.len(), trouble), (1, None), "{found:?}");
        let SpamView { headline, reasons, pages } = &found[0];
        assert_eq!(headline, "bomb \"miserable <failure>\", certain to 96 %");
        assert!(reasons[0].starts_with("24 pages on 3 hosts of 1 owner"), "{reasons:?}");
        assert_eq!(reasons[1], "the page never says so itself");
        assert_eq!((pages.len(), pages[0].as_str()), (TOP_OF_TOPIC, "http://office.example/"));
        assert!(pages[1].contains("pranks.example"), "{pages:?}");
    }

    #[test]
    fn a_page_log_that_cannot_be_read_costs_the_bombs_only() {
        let folder = tempfile::tempdir().unwrap();
        let collection = pranks(folder.path());
        for file in std::fs::read_dir(collection.pages()).unwrap() {
            let path = file.unwrap().path();
            let mut bytes = std::fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle..middle + 8].fill(0xff);
            std::fs::write(&path, bytes).unwrap();
        }
        let view = draw(&collection, Generation(1)).unwrap();
        assert!(view.bombs.found.is_empty() && view.bombs.trouble.is_some(), "{:?}", view.bombs);
        assert!(view.bow_tie.is_some() && !view.top.is_empty());
    }

    #[test]
    fn spam_is_looked_for_among_the_links_that_count() {
        let folder = tempfile::tempdir().unwrap();
        let collection = collection(folder.path());
        let drawn = || draw(&collection, Generation(1)).unwrap();
        let GraphView { spam, changes, .. } = drawn();
        assert!(spam.is_empty() && changes.is_empty(), "{spam:?} {changes:?}");
        std::fs::write(collection.config(), "[graph]\nnofollow = true\nspam = false\n").unwrap();
        let GraphView { spam, changes, .. } = drawn();
        assert_eq!(spam.len(), 1);
        assert!(spam[0].headline.starts_with("farm, certain to "), "{}", spam[0].headline);
        assert_eq!(spam[0].pages[0], "http://t.example/");
        // Nobody's rank moves as far as that of the page they were made for.
        let ChangeView { url, before, .. } = &changes[0];
        assert_eq!((url.as_str(), *before), ("http://t.example/", 1), "{changes:?}");
    }

    #[test]
    fn topics_are_listed_with_their_best_pages() {
        let folder = tempfile::tempdir().unwrap();
        let collection = collection(folder.path());
        assert!(draw(&collection, Generation(1)).unwrap().topics.is_empty());
        // Its links do not count, so whoever begins at this page stays there.
        let page = "http://h1.farm.example/1";
        let topic = Topic { name: "farming".to_owned(), pages: vec![page.to_owned()] };
        let reputation = ReputationOptions { topics: vec![topic], ..ReputationOptions::default() };
        let options = AnalyseOptions { reputation, ..AnalyseOptions::default() };
        analyse(&collection, Generation(2), &options, &mut unwatched).unwrap();
        let topics = draw(&collection, Generation(2)).unwrap().topics;
        let names: Vec<&str> = topics.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, [WHOLE_WEB, "farming"]);
        let pages = &topics[1].1;
        assert_eq!((pages.len(), pages[0].as_str()), (TOP_OF_TOPIC, page));
    }
}
