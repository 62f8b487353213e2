//! `lookfar graph …`: link analysis on the command line, of a collection or of any graph file.
//!
//! A command is one file here with its arguments and a `run`, and a line in [`GraphCommand`] and
//! in [`run`]. What all of them share: [`from`] opens the graph, [`table`] shows scores, [`walk`]
//! has the options of a random walk, [`sets`] reads names of nodes, [`owners`] tells their hosts.

mod advise;
pub(crate) mod anchors;
mod bowtie;
mod build;
mod export;
mod from;
mod hits;
mod owners;
mod pagerank;
mod sets;
mod similar;
mod spam;
mod stats;
mod table;
mod topics;
mod trust;
mod walk;

use std::path::Path;

use anyhow::Result;
use clap::Subcommand;

use crate::Done;

pub(crate) use build::Shown;

#[derive(clap::Args)]
pub(crate) struct GraphArgs {
    #[command(subcommand)]
    command: GraphCommand,
}

#[derive(Subcommand)]
enum GraphCommand {
    /// Makes a new generation of the collection's graph and scores, as a crawl does now and then.
    Build(build::BuildArgs),
    /// Ranks pages by PageRank: the share of time that a visitor who follows links spends there.
    #[command(after_help = pagerank::EXAMPLES)]
    Pagerank(pagerank::PagerankArgs),
    /// Ranks pages by several topics, each a set of pages that a visitor jumps to.
    ///
    /// One column per topic, and their blend, which sorts them.
    #[command(after_help = topics::EXAMPLES)]
    Topics(topics::TopicsArgs),
    /// Ranks pages by trust that flows from pages people have checked (TrustRank).
    ///
    /// Also suggests which pages to check, and finds the ranks that checked pages do not explain
    /// (spam mass).
    #[command(after_help = trust::EXAMPLES)]
    Trust(trust::TrustArgs),
    /// Finds hubs and authorities around the answers to a query (HITS).
    #[command(after_help = hits::EXAMPLES)]
    Hits(hits::HitsArgs),
    /// Sorts pages by where they stand to the core of the web, and draws the picture.
    #[command(after_help = bowtie::EXAMPLES)]
    Bowtie(bowtie::BowtieArgs),
    /// Finds spam farms, link exchanges, shared targets and bombs, with reasons.
    #[command(after_help = spam::EXAMPLES)]
    Spam(spam::SpamArgs),
    /// Finds pages like a page by links and by words, with the evidence.
    #[command(after_help = similar::EXAMPLES)]
    Similar(similar::SimilarArgs),
    /// Says which new links would raise a page's PageRank most.
    #[command(after_help = advise::EXAMPLES)]
    Advise(advise::AdviseArgs),
    /// Counts nodes, arcs, dead ends, degrees, and bits per link.
    #[command(after_help = stats::EXAMPLES)]
    Stats(stats::StatsArgs),
    /// Writes the graph as an arc list: from, tab, to.
    ///
    /// Nodes without any arc stand alone on a line. What is written can be read again with
    /// --graph.
    #[command(after_help = export::EXAMPLES)]
    Export(export::ExportArgs),
}

pub(crate) fn run(dir: &Path, args: &GraphArgs) -> Result<Done> {
    match &args.command {
        GraphCommand::Build(args) => build::run(dir, args),
        GraphCommand::Pagerank(args) => pagerank::run(dir, args),
        GraphCommand::Topics(args) => topics::run(dir, args),
        GraphCommand::Trust(args) => trust::run(dir, args),
        GraphCommand::Hits(args) => hits::run(dir, args),
        GraphCommand::Bowtie(args) => bowtie::run(dir, args),
        GraphCommand::Spam(args) => spam::run(dir, args),
        GraphCommand::Similar(args) => similar::run(dir, args),
        GraphCommand::Advise(args) => advise::run(dir, args),
        GraphCommand::Stats(args) => stats::run(dir, args),
        GraphCommand::Export(args) => export::run(dir, args),
    }
}
