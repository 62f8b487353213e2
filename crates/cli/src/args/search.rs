//! Arguments of `search` and `eval`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(clap::Args)]
pub(crate) struct SearchArgs {
    /// The query. What the shell or we would take for something else goes in quotes:
    /// 'jaguar -car', '"new world"'.
    #[arg(required = true)]
    pub(crate) query: Vec<String>,
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
    /// beside others; `web` is all pages, `auto` lets the query tell. May be given several times.
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

pub(super) const EVAL_EXAMPLES: &str = "Examples:
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
    /// Asks as `lookfar search` does: all words first and fewer if no page has them, candidates by
    /// blocks and by anchors, and then the order. Without it every page with any of the words is
    /// looked at. The textbook models know no difference.
    #[arg(long)]
    pub(crate) as_searched: bool,
    /// The same, and operators and fields of a query count, as in related:URL.
    #[arg(long)]
    pub(crate) as_typed: bool,
    /// Ranks by the links around a topic, as `lookfar search --topic` does, where queries are asked
    /// as searched or typed.
    #[arg(long = "topic", value_name = "NAME=W", value_delimiter = ',')]
    pub(crate) topics: Vec<rank::TopicWeight>,
    /// Documents are the pages below this address, called by what stands behind it; without it,
    /// every page, called by what stands behind the last slash.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Every page is a document, called by its whole address.
    #[arg(long, conflicts_with = "url")]
    pub(crate) addresses: bool,
    /// One JSON object for the model, and one per measure that is compared.
    #[arg(long)]
    pub(crate) json: bool,
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
