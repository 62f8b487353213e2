//! A made-up page log.

use std::ops::ControlFlow;
use std::path::Path;

use base::pages::Writer;
use base::{ContentKind, Link, LinkKind, PageId, PageRecord, Rel, Timestamp, Url};
use graph::{BuildOptions, Graph, Progress, Summary, build};

/// Returns the URL of a path on one host, or of a whole address.
pub(crate) fn url(text: &str) -> Url {
    match text.contains("://") {
        true => Url::parse(text).unwrap(),
        false => Url::parse(&format!("http://a.example/{text}")).unwrap(),
    }
}

/// Returns an ordinary link.
pub(crate) fn link(target: &str) -> Link {
    let anchor = format!("about {target}");
    Link { target: url(target), kind: LinkKind::Anchor, rel: Rel::default(), anchor }
}

/// Returns a page with ordinary links.
pub(crate) fn page(index: u64, name: &str, targets: &[&str]) -> PageRecord {
    PageRecord {
        kind: ContentKind::Html,
        title: name.to_owned(),
        links: targets.iter().map(|target| link(target)).collect(),
        ..PageRecord::new(
            PageId::new(0, index).unwrap(),
            url(name),
            Timestamp::from_millis(1_763_285_400_000),
            200,
        )
    }
}

/// Appends records to the page log in `folder`.
pub(crate) fn append(folder: &Path, records: &[PageRecord]) {
    let mut writer = Writer::open(folder).unwrap();
    for record in records {
        writer.append(record).unwrap();
    }
    writer.sync().unwrap();
}

/// Builds and opens the graph of some records.
pub(crate) fn graph_of(records: &[PageRecord], options: &BuildOptions) -> (Graph, Summary) {
    let folder = tempfile::tempdir().unwrap();
    let (pages, place) = (folder.path().join("pages"), folder.path().join("graph").join("1"));
    append(&pages, records);
    let summary = build(&pages, &place, options, &mut go_on).unwrap();
    assert_eq!(graph::check_graph(&place).unwrap(), summary);
    // The files stay open, so the folder may go.
    (Graph::open(&place).unwrap(), summary)
}

/// Builds and opens the graph of some records in a folder that stays.
pub(crate) fn graph_in(folder: &Path, records: &[PageRecord]) -> Graph {
    let (pages, place) = (folder.join("pages"), folder.join("graph").join("1"));
    append(&pages, records);
    build(&pages, &place, &BuildOptions::default(), &mut go_on).unwrap();
    graph::check_graph(&place).unwrap();
    Graph::open(&place).unwrap()
}

/// Returns the links as addresses, sorted.
pub(crate) fn links_of(graph: &Graph, name: &str) -> Vec<String> {
    let Some(node) = graph.node_of_url(&url(name)).unwrap() else {
        panic!("there is no node `{name}`");
    };
    let targets = graph.successors(node).map(|node| graph.url(node).unwrap().unwrap().to_string());
    let mut targets: Vec<String> = targets.collect();
    targets.sort_unstable();
    targets
}

/// Never stops.
pub(crate) fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
