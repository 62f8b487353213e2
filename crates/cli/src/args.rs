//! What can be asked on the command line, with the words that teach it.

mod search;
mod setup;
mod store;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueHint};

use crate::command::graph::GraphArgs;
use crate::config::{PatternConfig, ScopeConfig, Size, Span, StrategyConfig, TypesConfig};

use search::EVAL_EXAMPLES;
pub(crate) use search::{EvalArgs, SearchArgs, Setting};
use setup::{COMPLETIONS_EXAMPLES, INIT_EXAMPLES, MAN_EXAMPLES};
pub(crate) use setup::{CompletionsArgs, DoctorArgs, InitArgs, ManArgs};
use store::{EXPORT_EXAMPLES, IMPORT_EXAMPLES};
pub(crate) use store::{ExportArgs, ExportFormat, ExportTable, ImportArgs, ImportSource, TakeArgs};

/// A complete web search engine: crawl, archive, index, rank, serve.
#[derive(Parser)]
#[command(name = "lookfar", version, about, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "First steps:
  lookfar demo                       crawl a made-up web and search it at http://127.0.0.1:7700
  lookfar init                       answer three questions, get a lookfar.toml
  lookfar up https://example.org/    crawl a site, index it and serve the search page
  lookfar search 'jaguar -car'       ask from the command line, also while the crawl runs

Exit codes: 0 done, 1 nothing found or a check failed, 2 error.")]
pub(crate) struct Args {
    /// Folder of the collection: the crawl and everything made from it.
    #[arg(
        long,
        global = true,
        env = "LOOKFAR_DIR",
        hide_env_values = true,
        default_value = "./lookfar",
        value_name = "FOLDER",
        value_hint = ValueHint::DirPath
    )]
    pub(crate) dir: PathBuf,
    /// Says more on stderr: -v what stages do, -vv each host, -vvv each page.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// How lines of the log look: for people, or each a JSON object for programs that gather them.
    #[arg(
        long,
        global = true,
        env = "LOOKFAR_LOG_FORMAT",
        hide_env_values = true,
        value_enum,
        default_value_t = LogFormat::Text,
        value_name = "FORMAT"
    )]
    pub(crate) log_format: LogFormat,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How lines of the log look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Crawls a made-up web on this machine and serves a search page over it.
    ///
    /// Nothing leaves the machine. Some 2,000 pages on 60 hosts show what a web holds: several
    /// languages, near duplicates, a spam farm, traps, pages known only by their links.
    Demo(DemoArgs),
    /// Asks three questions and writes the configuration of a new collection.
    ///
    /// Which sites, how far, and who you are. Flags answer questions beforehand; without a
    /// terminal, or with --yes, nothing is asked. What is there already is never overwritten.
    #[command(after_help = INIT_EXAMPLES)]
    Init(InitArgs),
    /// Looks whether this machine and this collection are fit for a crawl; says what to change.
    ///
    /// One line per check: ok, warn or bad. Exit code 1 if something is bad.
    Doctor(DoctorArgs),
    /// Crawls, indexes, ranks and serves, all at the same time.
    ///
    /// Give the pages to begin at; without any, it goes on where it stopped. Ctrl-C ends cleanly.
    Up(UpArgs),
    /// Crawls and indexes without serving a page.
    Crawl(CrawlArgs),
    /// Serves the search page over what is there, without crawling.
    Serve(ServeArgs),
    /// Asks the search page whether it lives; exit code 1 if it does not answer.
    Health(HealthArgs),
    /// Answers a query; also while a crawl runs.
    ///
    /// Words must all occur unless joined by OR; NOT or - leaves out; "…" is a phrase;
    /// parentheses group.
    Search(SearchArgs),
    /// Measures how good the order of answers is, by the queries and verdicts of a test collection.
    ///
    /// Prints the mean of each measure, one per line. A query is a bag of words: any of them may
    /// occur, and nothing in it is an operator. Its conventions are those of trec_eval -c.
    #[command(after_help = EVAL_EXAMPLES)]
    Eval(EvalArgs),
    /// Tells how large the collection is and what the crawl is doing.
    Status(JsonArgs),
    /// Lets a running crawl send no new requests, until `lookfar resume`.
    ///
    /// Requests under way come to their end; index and search page go on. A crawl that is
    /// started again is not paused.
    Pause(JsonArgs),
    /// Lets a paused crawl go on.
    Resume(JsonArgs),
    /// Ends a running crawl cleanly, and waits until it has ended.
    Stop(JsonArgs),
    /// Tells everything known of a URL: where it stands, and which rule keeps it out.
    ///
    /// Also while a crawl runs. Exit code 1 if it was never seen.
    Why(WhyArgs),
    /// Takes pages out of everything, archive included, and keeps them out.
    ///
    /// `https://a.example/x` is one page, `a.example` a host, `*.a.example` a host and those
    /// below it, `https://a.example/private/*` what fits the pattern. Also while a crawl runs.
    Forget(ForgetArgs),
    /// Verifies every file of the collection; exit code 1 if something is wrong.
    Check(CheckArgs),
    /// Takes in what others have kept: WARC and ARC files, folders, JSON lines. No network.
    ///
    /// Makes the collection if there is none. What is imported can be found whatever the scope;
    /// its links are judged by the scope when a crawl goes on. Nothing is imported twice, so an
    /// import that was killed is simply started again. Broken records are named and passed over.
    #[command(after_help = IMPORT_EXAMPLES)]
    Import(ImportArgs),
    /// Reads one document from stdin; what the crawl starts for PDF and Office.
    #[command(hide = true)]
    ReadDocument,
    /// Writes out pages, links or page ids, for other programs; also while a crawl runs.
    ///
    /// The last record of each page, without those that were forgotten.
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportArgs),
    /// Analyses links, of the collection or of any graph: PageRank, topics, counts.
    ///
    /// With --graph FILE no collection is needed. Scores come best first.
    Graph(GraphArgs),
    /// Reads the whole archive again with this version's parser.
    ///
    /// Writes a new page log beside the old one and puts it in its place when it is whole; then
    /// frontier, index and link analysis are made again from it. A run that is killed changes
    /// nothing or is finished by the next command. Not while a crawl runs.
    Reparse(JsonArgs),
    /// Writes what a shell needs to complete commands and options, to stdout.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArgs),
    /// Writes the manual: one page to stdout, or a page per command into a folder.
    #[command(after_help = MAN_EXAMPLES)]
    Man(ManArgs),
}

/// For commands that need nothing else.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct JsonArgs {
    /// One JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
pub(crate) struct DemoArgs {
    /// Ends when everything is crawled, indexed and ranked.
    #[arg(long)]
    pub(crate) until_idle: bool,
    /// Serves no search page.
    #[arg(long)]
    pub(crate) no_serve: bool,
    /// Port of the search page on 127.0.0.1.
    #[arg(long, default_value_t = 7700, value_name = "N")]
    pub(crate) port: u16,
    /// Numbers as JSON on stdout: an object every ten seconds, and one at the end.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
pub(crate) struct UpArgs {
    /// Pages to begin at.
    #[arg(value_name = "URL")]
    pub(crate) seeds: Vec<String>,
    #[command(flatten)]
    pub(crate) listen: ListenArgs,
    /// Numbers as JSON on stdout: an object every ten seconds, and one at the end.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) sources: SourceArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(clap::Args)]
pub(crate) struct CrawlArgs {
    /// Pages to begin at.
    #[arg(value_name = "URL")]
    pub(crate) seeds: Vec<String>,
    /// Ends when nothing is left to fetch.
    #[arg(long)]
    pub(crate) until_idle: bool,
    /// Numbers as JSON on stdout: an object every ten seconds, and one at the end.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) sources: SourceArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Where the search page is served.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct ListenArgs {
    /// Port of the search page on 127.0.0.1, instead of `serve.listen` in lookfar.toml.
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// Address and port of the search page, such as 0.0.0.0:7700 for every visitor.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "port")]
    pub(crate) listen: Option<SocketAddr>,
}

/// Where URLs come from besides seeds and links.
#[derive(Clone, Default, clap::Args)]
pub(crate) struct SourceArgs {
    /// Access log of a web server in the combined format, may end in .gz: pages that its visitors
    /// came from are crawled too, as far as they are in scope; may be given several times.
    #[arg(long, value_name = "LOG")]
    pub(crate) referrers: Vec<PathBuf>,
}

/// What goes before lookfar.toml for this run; the file stays as it is.
#[derive(Clone, Default, clap::Args)]
#[command(next_help_heading = "For this run, instead of what lookfar.toml says")]
pub(crate) struct LimitArgs {
    /// Where pages may lie: page, host, sites, open, country=dk, domains=dk,example.org.
    #[arg(long, value_name = "WHERE")]
    pub(crate) scope: Option<ScopeConfig>,
    /// Only pages that match, such as '*/docs/*'; may be given several times.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) include: Vec<PatternConfig>,
    /// No pages that match, besides those that the file excludes; may be given several times.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<PatternConfig>,
    /// Kinds of files, such as page,document,.zip.
    #[arg(long, value_name = "KINDS")]
    pub(crate) types: Option<TypesConfig>,
    /// Most links between a seed and a page.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u16>,
    /// Most pages in all; 0 for no limit.
    #[arg(long, value_name = "N")]
    pub(crate) pages: Option<u64>,
    /// Most bytes in all, decoded (500MB, 2GiB); 0B for no limit.
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Option<Size>,
    /// Most pages of one host; 0 for no limit.
    #[arg(long, value_name = "N")]
    pub(crate) pages_per_host: Option<u64>,
    /// Most bytes from one host, decoded; 0B for no limit.
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes_per_host: Option<Size>,
    /// Most pages of one registered domain; 0 for no limit.
    #[arg(long, value_name = "N")]
    pub(crate) pages_per_site: Option<u64>,
    /// Most hosts of one registered domain; 0 for no limit.
    #[arg(long, value_name = "N")]
    pub(crate) hosts_per_site: Option<u64>,
    /// Ends the crawl after this time (90s, 10m, 2h, 3d).
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<Span>,
    /// Which pages come first.
    #[arg(long, value_name = "ORDER")]
    pub(crate) strategy: Option<StrategyConfig>,
    /// Shortest time between two requests to one host (1s, 250ms).
    #[arg(long, value_name = "TIME")]
    pub(crate) delay: Option<Span>,
    /// Page or mail address where site owners reach you.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) contact: Option<String>,
}

#[derive(clap::Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) listen: ListenArgs,
    /// Says where it serves as a JSON object on stdout.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, clap::Args)]
pub(crate) struct HealthArgs {
    /// Port of the search page on 127.0.0.1, instead of `serve.listen` in lookfar.toml.
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// One JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, clap::Args)]
pub(crate) struct CheckArgs {
    /// Makes index, link analysis and lists anew from the page log where they are damaged, and
    /// checks again.
    #[arg(long)]
    pub(crate) repair: bool,
    /// One JSON object per part, and one for the whole.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
pub(crate) struct WhyArgs {
    /// The URL, as you have it.
    pub(crate) url: String,
    /// One JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
pub(crate) struct ForgetArgs {
    /// A URL, a host, or a pattern.
    pub(crate) target: String,
    /// One JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests;
