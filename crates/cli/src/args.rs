//! What can be asked on the command line, with the words that teach it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Parser, Subcommand};

use crate::command::graph::GraphArgs;
use crate::config::{PatternConfig, ScopeConfig, Span, StrategyConfig};

/// A complete web search engine: crawl, archive, index, rank, serve.
#[derive(Parser)]
#[command(name = "lookfar", version, about, arg_required_else_help = true)]
#[command(after_help = "First steps:
  lookfar demo                       crawl a made-up web and search it at http://127.0.0.1:7700
  lookfar up https://example.org/    crawl a site, index it and serve the search page
  lookfar search 'jaguar -car'       ask from the command line, also while the crawl runs

Exit codes: 0 done, 1 nothing found or a check failed, 2 error.")]
pub(crate) struct Args {
    /// Folder of the collection: the crawl and everything made from it.
    #[arg(long, global = true, default_value = "./lookfar", value_name = "FOLDER")]
    pub(crate) dir: PathBuf,
    /// Says more on stderr: -v what stages do, -vv each host, -vvv each page.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Crawls a made-up web on this machine and serves a search page over it.
    ///
    /// Nothing leaves the machine. Some 2,000 pages on 60 hosts show what a web holds: several
    /// languages, near duplicates, a spam farm, traps, pages known only by their links.
    Demo(DemoArgs),
    /// Crawls, indexes, ranks and serves, all at the same time.
    ///
    /// Give the pages to begin at; without any, it goes on where it stopped. Ctrl-C ends cleanly.
    Up(UpArgs),
    /// Crawls and indexes without serving a page.
    Crawl(CrawlArgs),
    /// Serves the search page over what is there, without crawling.
    Serve(ServeArgs),
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
    Status(StatusArgs),
    /// Lets a running crawl send no new requests, until `lookfar resume`.
    ///
    /// Requests under way come to their end; index and search page go on. A crawl that is
    /// started again is not paused.
    Pause,
    /// Lets a paused crawl go on.
    Resume,
    /// Ends a running crawl cleanly, and waits until it has ended.
    Stop,
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
    Reparse,
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
}

#[derive(clap::Args)]
pub(crate) struct UpArgs {
    /// Pages to begin at.
    #[arg(value_name = "URL")]
    pub(crate) seeds: Vec<String>,
    /// Port of the search page on 127.0.0.1, instead of `serve.listen` in lookfar.toml.
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
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
    #[command(flatten)]
    pub(crate) sources: SourceArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
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
    /// Most links between a seed and a page.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u16>,
    /// Most pages in all; 0 for no limit.
    #[arg(long, value_name = "N")]
    pub(crate) pages: Option<u64>,
    /// Most pages of one host; 0 for no limit.
    #[arg(long, value_name = "N")]
    pub(crate) pages_per_host: Option<u64>,
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
    /// Port on 127.0.0.1, instead of `serve.listen` in lookfar.toml.
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
}

#[derive(clap::Args)]
pub(crate) struct SearchArgs {
    /// The query.
    pub(crate) query: String,
    /// How many answers.
    #[arg(short, default_value_t = 10, value_name = "N")]
    pub(crate) k: usize,
    /// One JSON object per line: url, title, snippet, score and more.
    #[arg(long)]
    pub(crate) json: bool,
    /// Tells what each score is made of.
    #[arg(long)]
    pub(crate) explain: bool,
    /// How answers are ordered: lookfar, bm25, tfidf, tfidf-log, tfidf-links or cosine; weights
    /// may follow, as in lookfar,k1=1.2. All but lookfar read the query as words.
    #[arg(long, default_value = "lookfar", value_name = "MODEL")]
    pub(crate) model: Setting,
    /// Lists every page by itself: near copies are not folded, sites not mixed.
    #[arg(long)]
    pub(crate) unfolded: bool,
    /// How candidates are found: exhaustive, block-max, threshold, champions, clusters, tiers.
    ///
    /// Says on stderr what was looked at. Makes the lists that a strategy needs.
    #[arg(long, value_name = "S")]
    pub(crate) strategy: Option<rank::Strategy>,
    #[command(flatten)]
    pub(crate) links: LinkArgs,
}

/// How links count in one search.
#[derive(clap::Args)]
#[command(next_help_heading = "How links count")]
pub(crate) struct LinkArgs {
    /// Ranks pages by the links around a topic of `graph.topics` in lookfar.toml: news, or news=0.7
    /// beside others; `web` is all pages. May be given several times.
    #[arg(long = "topic", value_name = "NAME=W", value_delimiter = ',')]
    pub(crate) topics: Vec<rank::TopicWeight>,
    /// Leaves out what links say: pagerank, trust, spam, several with commas.
    #[arg(long, value_name = "WHAT", default_value = "", hide_default_value = true)]
    pub(crate) without: rank::Without,
    /// Order of the answers: relevance, or authorities (HITS): the best of them by how much the
    /// hubs around them link to them.
    #[arg(long, value_name = "ORDER", default_value = "relevance", hide_default_value = true)]
    pub(crate) order: rank::Sorting,
}

impl LinkArgs {
    /// Returns whether nothing was asked for.
    pub(crate) fn is_plain(&self) -> bool {
        let (without, order) = (rank::Without::default(), rank::Sorting::default());
        self.topics.is_empty() && self.without == without && self.order == order
    }
}

const EVAL_EXAMPLES: &str = "Examples:
  lookfar --dir set import jsonl docs.jsonl --url http://set.example/
  lookfar --dir set eval --queries queries.jsonl --qrels qrels.tsv
  lookfar --dir set eval --queries queries.jsonl --qrels qrels.tsv --model bm25 --run bm25.run
  lookfar --dir set eval --queries q.trec --qrels q.rel --model bm25 --compare lookfar,k1=1.2";

#[derive(clap::Args)]
pub(crate) struct EvalArgs {
    /// Queries: topics of TREC, JSON lines with id and text, or lines of id, tab and text.
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: PathBuf,
    /// Verdicts: lines of query, 0, document, grade (TREC) or of query, document, grade.
    #[arg(long, value_name = "FILE")]
    pub(crate) qrels: PathBuf,
    /// lookfar, bm25, tfidf, tfidf-log, tfidf-links or cosine; weights other than those of
    /// lookfar.toml behind it, as in lookfar,k1=1.2,b=0.5.
    #[arg(long, default_value = "lookfar", value_name = "MODEL")]
    pub(crate) model: Setting,
    /// A second model (with weights) to hold against the first, with a paired randomisation test.
    #[arg(long, value_name = "MODEL")]
    pub(crate) compare: Option<Setting>,
    /// Writes the answers as a run file of TREC.
    #[arg(long, value_name = "FILE")]
    pub(crate) run: Option<PathBuf>,
    /// Writes the measures of each query, in columns.
    #[arg(long, value_name = "FILE")]
    pub(crate) per_query: Option<PathBuf>,
    /// Most answers per query.
    #[arg(long, default_value_t = 1_000, value_name = "N")]
    pub(crate) depth: usize,
    /// Documents are the pages below this address, called by what stands behind it; without it,
    /// every page, called by what stands behind the last slash.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
}

/// A model with weights of its own: `lookfar,k1=1.2`.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) model: rank::Model,
    weights: Vec<(String, f32)>,
}

impl Setting {
    /// Returns the weights to use instead of those given.
    pub(crate) fn weights(&self, mut weights: rank::Weights) -> anyhow::Result<rank::Weights> {
        for (name, value) in &self.weights {
            weights.set(name, *value).map_err(anyhow::Error::msg)?;
        }
        Ok(weights)
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',');
        let model = parts.next().unwrap_or_default().parse()?;
        let mut weights = Vec::new();
        for part in parts {
            let (name, value) = part.split_once('=').ok_or(format!("no value in `{part}`"))?;
            let value = value.parse().map_err(|_| format!("no number in `{part}`"))?;
            rank::Weights::default().set(name, value)?;
            weights.push((name.to_owned(), value));
        }
        Ok(Self { model, weights })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.model)?;
        for (name, value) in &self.weights {
            write!(formatter, ",{name}={value}")?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, clap::Args)]
pub(crate) struct StatusArgs {
    /// One JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, clap::Args)]
pub(crate) struct CheckArgs {
    /// Makes index, link analysis and lists anew from the page log where they are damaged, and
    /// checks again.
    #[arg(long)]
    pub(crate) repair: bool,
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

const IMPORT_EXAMPLES: &str = "Examples:
  lookfar --dir cc import warc CC-MAIN-20260101-00000.warc.gz
  lookfar --dir docs import folder /usr/share/doc/python3/html --url http://docs.example/
  lookfar --dir set import jsonl docs.jsonl --url http://cranfield.example/";

#[derive(clap::Args)]
pub(crate) struct ImportArgs {
    #[command(subcommand)]
    pub(crate) source: ImportSource,
}

#[derive(Subcommand)]
pub(crate) enum ImportSource {
    /// WARC and ARC files: of other crawlers, of browsers, of Common Crawl.
    ///
    /// Versions 0.17 to 1.1 and ARC 1 and 2, plain, gzip (by record or as a whole) or zstd.
    /// Responses, resources and conversions become pages.
    Warc {
        /// Files, or folders with files called .warc or .arc (.gz, .zst).
        #[arg(required = true, value_name = "FILE|FOLDER")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        take: TakeArgs,
    },
    /// A folder of files, as if a server served it.
    ///
    /// `a/b.html` in the folder becomes the page a/b.html below the address. Hidden files and
    /// those in which there is no text (pictures, programs, style sheets) are left out.
    Folder {
        /// The folder.
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// The address of the folder itself.
        #[arg(long, value_name = "URL")]
        url: String,
        #[command(flatten)]
        take: TakeArgs,
    },
    /// Files with one JSON object per line: id, title, text; also url, language, date, html.
    ///
    /// A line without a url gets the address with its id behind it, percent-encoded. The lines
    /// may be packed with gzip or zstd.
    Jsonl {
        /// The files.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The address below which lines without a url are put.
        #[arg(long, value_name = "URL")]
        url: String,
        #[command(flatten)]
        take: TakeArgs,
    },
}

#[derive(Clone, clap::Args)]
pub(crate) struct TakeArgs {
    /// Ends after this many responses; 0 for no limit.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) limit: u64,
    /// Only addresses that match, such as '*.example.org/*'; may be given several times.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) only: Vec<PatternConfig>,
}

const EXPORT_EXAMPLES: &str = "Examples:
  lookfar export pages --fields url,title,language | head
  lookfar export links --format parquet --output links.parquet
  lookfar export ids > ids.jsonl

Fields of pages: id, url, fetched, status, kind, language, title, text, description, author,
  published, modified, redirect, copy_of, noindex, spam, links, bytes, oddities
Fields of links: from_id, from, to, kind, anchor, nofollow, ugc, sponsored
Fields of ids:   id, url";

#[derive(clap::Args)]
pub(crate) struct ExportArgs {
    /// What to write.
    pub(crate) table: ExportTable,
    /// How to write it.
    #[arg(long, value_enum, default_value = "jsonl", value_name = "FORMAT")]
    pub(crate) format: ExportFormat,
    /// Where to; `-`, the default, is stdout.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Only these fields, in this order, with commas between them.
    #[arg(long, value_delimiter = ',', value_name = "FIELD,…")]
    pub(crate) fields: Vec<String>,
}

/// What can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ExportTable {
    /// A row per page.
    Pages,
    /// A row per link.
    Links,
    /// Page id and URL.
    Ids,
}

impl ExportTable {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Links => "links",
            Self::Ids => "ids",
        }
    }
}

/// How an export is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ExportFormat {
    /// One JSON object per line.
    Jsonl,
    /// Apache Parquet, Snappy.
    Parquet,
}
