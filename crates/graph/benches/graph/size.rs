//! How small does our build make a graph that has a published size, and in what time?

use std::ops::ControlFlow;
use std::time::Instant;

use base::pages::Writer;
use base::{ContentKind, Link, LinkKind, PageId, PageRecord, Rel, Timestamp, Url};
use graph::{BuildOptions, Counted, Graph, Named, Node, PageRankOptions, build};

use crate::{BETA, TOLERANCE, usage};

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
    let graph = Graph::open(&place).unwrap();
    let built = graph.in_links().unwrap();
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
    drop(built);
    compare(&graph);
}

/// Ranks from memory and from disk.
fn compare(graph: &Graph) {
    let options =
        PageRankOptions { beta: BETA, tolerance: TOLERANCE, ..PageRankOptions::default() };
    let mut all = Vec::new();
    for (what, memory) in [("memory", u64::MAX), ("disk", 0)] {
        let votes = graph.votes(&Counted::default(), memory).unwrap();
        let (began, cpu) = (Instant::now(), usage::cpu_time());
        let ranks = votes.pagerank_with(&options, |_| ControlFlow::Continue(())).unwrap();
        let (seconds, cpu) = (began.elapsed().as_secs_f64(), usage::cpu_time() - cpu);
        let (steps, cpu) = (ranks.log.len() as f64, cpu.as_secs_f64());
        println!(
            "ranked from {what}: {:.2} CPU-ms per step, {:.2} ns per arc, {seconds:.2} s",
            cpu * 1e3 / steps,
            cpu * 1e9 / steps / graph.summary().num_arcs as f64,
        );
        all.push(ranks);
    }
    // In memory the links are packed, and added in another order.
    let pairs = all[0].scores.iter().zip(&all[1].scores);
    let sum: f64 = pairs.map(|(one, other)| (one - other).abs()).sum();
    assert!(sum < 1e-12, "ranks differ by {sum:e}");
}

fn url(node: Node) -> Url {
    Url::parse(&format!("http://a.example/{:07}", node.0)).unwrap()
}
