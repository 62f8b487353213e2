//! How small does our build make a graph that has a published size, and in what time?

use std::ops::ControlFlow;
use std::time::Instant;

use base::pages::Writer;
use base::{ContentKind, Link, LinkKind, PageId, PageRecord, Rel, Timestamp, Url};
use graph::{BuildOptions, Graph, Named, Node, build};

use crate::usage;

/// Builds a generation from a log of pages whose addresses sort as the nodes are numbered.
pub(crate) fn measure(published: &Named) {
    let links = published.links();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (pages, place) = (folder.path().join("pages"), folder.path().join("graph"));
    let mut writer = Writer::open(&pages).unwrap();
    for node in links.nodes() {
        let link = |to: Node| Link {
            target: url(to),
            kind: LinkKind::Anchor,
            rel: Rel::default(),
            anchor: String::new(),
        };
        let id = PageId::new(0, u64::from(node.0)).unwrap();
        let time = Timestamp::from_millis(1_763_285_400_000);
        let record = PageRecord {
            kind: ContentKind::Html,
            links: links.successors(node).map(link).collect(),
            ..PageRecord::new(id, url(node), time, 200)
        };
        writer.append(&record).unwrap();
    }
    writer.sync().unwrap();
    drop(writer);
    let (began, cpu) = (Instant::now(), usage::cpu_time());
    let watch = &mut |_| ControlFlow::Continue(());
    let summary = build(&pages, &place, &BuildOptions::default(), watch).unwrap();
    let (seconds, cpu) = (began.elapsed().as_secs_f64(), (usage::cpu_time() - cpu).as_secs_f64());
    let built = Graph::open(&place).unwrap().in_links().unwrap();
    let loops = links.nodes().filter(|node| links.successors(*node).any(|to| to == *node)).count();
    assert_eq!(built.num_arcs() + loops as u64, links.num_arcs(), "only self-loops are left out");
    let per_arc = |bits: u64, arcs: u64| bits as f64 / arcs as f64;
    println!("\ncnr-2000 from a page log: {} nodes, {} arcs", summary.num_nodes, summary.num_arcs);
    println!(
        "built in {seconds:.1} s, {cpu:.1} CPU-s, {:.2} CPU-µs per arc; forward {:.3} and transpose \
         {:.3} bits per link; published {:.3}",
        cpu * 1e6 / summary.num_arcs as f64,
        per_arc(summary.forward_bits, summary.num_arcs),
        per_arc(summary.transpose_bits, summary.num_arcs),
        per_arc(published.bits().unwrap(), links.num_arcs()),
    );
}

fn url(node: Node) -> Url {
    Url::parse(&format!("http://a.example/{:07}", node.0)).unwrap()
}
