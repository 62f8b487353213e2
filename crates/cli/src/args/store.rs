//! Arguments of `import` and `export`.

use std::path::PathBuf;

use clap::Subcommand;

use crate::config::PatternConfig;

pub(super) const IMPORT_EXAMPLES: &str = "Examples:
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
    /// One JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(super) const EXPORT_EXAMPLES: &str = "Examples:
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
