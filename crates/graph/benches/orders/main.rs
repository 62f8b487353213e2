//! Which order of crawling gathers what matters first?
//!
//! `cargo xtask bench orders [--pictures FOLDER] [--pages 300000]`. A crawl of a graph that is known
//! as a whole is replayed from a few seeds in each order; printed is the share of all PageRank
//! (β 0.85) that the first pages hold, for shares of all pages, and the area under that curve up
//! to where the crawl ends. Graphs: cnr-2000, where `LOOKFAR_DATA` is set, and a made-up web that
//! grows by copying. Seeds: the page with the most links, and pages by chance.
//!
//! "All known" is no crawl: it takes every page of the graph by its rank.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench that fails should say so")]

#[path = "../help/random.rs"]
mod random;
mod web;

use std::path::PathBuf;

use graph::plot::{self, Axis, Mark, Scale, Series, Unit};
use graph::{
    Gathered, Links, Named, Node, Order, PageRankOptions, crawl_order, gathered, pagerank, shape,
};
use random::Random;

const SEED: u64 = 2_026;
/// Points of a curve.
const POINTS: usize = 200;
/// Shares of all pages that the table shows.
const SHARES: [f64; 6] = [0.01, 0.05, 0.1, 0.2, 0.3, 0.5];

fn main() {
    match std::env::var_os("LOOKFAR_DATA") {
        Some(data) => {
            let file = PathBuf::from(data).join("graphs/cnr-2000/cnr-2000.graph");
            let cnr = Named::open(&file, None, &mut |_, _| ()).unwrap();
            compare("cnr-2000", cnr.links());
        }
        None => println!("cnr-2000: not measured, because LOOKFAR_DATA is not set"),
    }
    let pages = text("--pages").map_or(300_000, |text| text.parse().unwrap());
    compare("copying", &web::web(pages, SEED));
}

fn compare(name: &str, links: &Links) {
    let options = PageRankOptions { tolerance: 1e-10, ..PageRankOptions::default() };
    let ranks = pagerank(links.in_links(), &options).unwrap().scores;
    println!("\n{name}: {} pages, {} links", links.num_nodes(), links.num_arcs());
    let hub = shape(links, &mut |_, _| ()).most_out_links.unwrap().0;
    let mut random = Random(SEED);
    let by_chance: Vec<Node> = (0..100).map(|_| Node(random.below(links.num_nodes()))).collect();
    for (told, seeds) in [
        ("the page with the most links", &[hub][..]),
        ("10 pages by chance", &by_chance[..10]),
        ("100 pages by chance", &by_chance),
    ] {
        let curves = curves(links, &ranks, seeds);
        print(told, &curves);
        if let Some(folder) = text("--pictures") {
            let file = format!("orders-{name}-{}.svg", seeds.len());
            let title = format!("PageRank gathered on {name}, from {told}");
            std::fs::write(PathBuf::from(folder).join(file), draw(&title, &curves)).unwrap();
        }
    }
}

/// Returns the curve of each order.
fn curves(links: &Links, ranks: &[f64], seeds: &[Node]) -> Vec<(&'static str, Vec<Gathered>)> {
    let mut all: Vec<Node> = links.nodes().collect();
    all.sort_by(|a, b| ranks[b.index()].total_cmp(&ranks[a.index()]));
    let mut curves = vec![("all known", gathered(&all, ranks, POINTS).unwrap())];
    for (name, order) in [
        ("by rank", Order::Best(ranks)),
        ("OPIC", Order::Opic),
        ("our frontier", Order::Frontier),
        ("in-links so far", Order::InLinks),
        ("breadth first", Order::BreadthFirst),
        ("random", Order::Random(SEED)),
        ("depth first", Order::DepthFirst),
    ] {
        let fetched = crawl_order(links, seeds, order).unwrap();
        curves.push((name, gathered(&fetched, ranks, POINTS).unwrap()));
    }
    curves
}

fn print(seeds: &str, curves: &[(&str, Vec<Gathered>)]) {
    let end = curves[1].1.last().unwrap();
    println!(
        "\nfrom {seeds}: {:.1} % of the pages are reached, with {:.1} % of the rank",
        end.pages * 100.0,
        end.score * 100.0
    );
    let shares: String = SHARES.iter().map(|share| format!(" {:>4.0} %", share * 100.0)).collect();
    println!("{:<16}{shares}   area", "");
    for (name, curve) in curves {
        let shares = SHARES.map(|share| match at(curve, share) {
            Some(score) => format!(" {:>6.1}", score * 100.0),
            None => format!(" {:>6}", "-"),
        });
        println!("{name:<16}{}  {:.3}", shares.concat(), area(curve, end.pages));
    }
}

/// Returns the score at a share of the pages, between the points next to it.
fn at(curve: &[Gathered], pages: f64) -> Option<f64> {
    let pair = curve.windows(2).find(|pair| pair[1].pages >= pages)?;
    let part = (pages - pair[0].pages) / (pair[1].pages - pair[0].pages);
    Some(pair[0].score + part * (pair[1].score - pair[0].score))
}

/// Returns the mean height of a curve up to a share of the pages.
fn area(curve: &[Gathered], end: f64) -> f64 {
    let pairs = curve.windows(2).filter(|pair| pair[1].pages <= end + 1e-12);
    let area =
        |pair: &[Gathered]| (pair[1].pages - pair[0].pages) * (pair[0].score + pair[1].score) / 2.0;
    pairs.map(area).sum::<f64>() / end
}

fn draw(title: &str, curves: &[(&str, Vec<Gathered>)]) -> String {
    let axis =
        |label: &str| Axis { label: label.to_owned(), scale: Scale::Linear, unit: Unit::Percent };
    let series = curves.iter().map(|(name, curve)| Series {
        name: (*name).to_owned(),
        points: curve.iter().map(|point| (point.pages, point.score)).collect(),
        mark: Mark::Line,
    });
    let axes = (&axis("pages fetched"), &axis("PageRank gathered"));
    plot::lines(title, axes, &series.collect::<Vec<_>>())
}

/// Returns what stands behind an option on the command line.
fn text(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}
