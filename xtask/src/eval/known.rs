//! Known items: terms that people put into the index of a manual, and the pages they lead to.
//!
//! Three manuals of Debian (python3.11-doc, postgresql-doc-15 and glibc-doc-reference, unpacked
//! below `LOOKFAR_DOCS`) are served by `testweb` as three hosts and crawled into one collection,
//! without their index pages. Asked are the concept terms of the pack `known-item`, in the usual
//! way and by the text alone: what the links between pages add is the difference.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use super::{
    Bench, Way, measure_of,
    served::{self, Host},
};

/// A manual, where it lies, and the terms of its index.
pub(super) struct Manual {
    pub(super) name: &'static str,
    /// Its pages below the folder of all packages.
    pages: &'static str,
    terms: &'static str,
    /// What stands before the paths in the list of terms.
    prefix: &'static str,
}

pub(super) const MANUALS: [Manual; 3] = [
    Manual {
        name: "known-python",
        pages: "python3.11-doc/usr/share/doc/python3.11/html",
        terms: "python-genindex.tsv",
        prefix: "",
    },
    Manual {
        name: "known-postgresql",
        pages: "postgresql-doc-15/usr/share/doc/postgresql-doc-15/html",
        terms: "postgresql-bookindex.tsv",
        prefix: "",
    },
    Manual {
        name: "known-glibc",
        pages: "glibc-doc-reference/usr/share/doc/glibc-doc-reference/html",
        terms: "glibc-concept-index.tsv",
        prefix: "usr/share/doc/glibc-doc-reference/html/",
    },
];

/// The pages that hold the answers.
pub(super) const INDEXES: [&str; 8] = [
    "*/genindex*",
    "*/py-modindex.html",
    "*/bookindex.html",
    "*/Concept-Index.html",
    "*/Function-Index.html",
    "*/Type-Index.html",
    "*/Variable-Index.html",
    "*/File-Index.html",
];

/// The usual ranking without what links say.
const TEXT_ALONE: &str = "lookfar,anchors=0,links=0";

impl Manual {
    fn host(&self) -> String {
        format!("{}.lookfar", self.name)
    }

    /// Returns what it is about, in a word.
    pub(super) fn topic(&self) -> &'static str {
        self.name.strip_prefix("known-").unwrap_or(self.name)
    }

    /// Returns how it is served.
    pub(super) fn served(&self, docs: &Path) -> Host {
        Host { name: self.host(), pages: docs.join(self.pages) }
    }

    /// Writes the concept terms and their pages as queries and verdicts; returns how many.
    pub(super) fn write_queries(&self, bench: &Bench) -> anyhow::Result<usize> {
        let (asked, verdicts, count) = self.queries(&self.list(bench)?);
        fs::write(self.queries_path(bench), asked).context("cannot write the queries")?;
        fs::write(self.qrels_path(bench), verdicts).context("cannot write the verdicts")?;
        Ok(count)
    }

    /// Returns its concept terms with the addresses of their pages.
    pub(super) fn terms(&self, bench: &Bench) -> anyhow::Result<Vec<(String, Vec<String>)>> {
        let list = self.list(bench)?;
        let addresses = |pages: Vec<&str>| {
            pages.into_iter().map(|page| format!("http://{}/{page}", self.host())).collect()
        };
        let terms = self.concepts(&list);
        Ok(terms.map(|(term, pages)| (term.to_owned(), addresses(pages))).collect())
    }

    fn list(&self, bench: &Bench) -> anyhow::Result<String> {
        let path = bench.data.join("known-item").join(self.terms);
        fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))
    }

    /// Returns where the queries lie once they were written.
    pub(super) fn queries_path(&self, bench: &Bench) -> PathBuf {
        bench.known_items().join(format!("{}.queries.tsv", self.name))
    }

    fn qrels_path(&self, bench: &Bench) -> PathBuf {
        bench.known_items().join(format!("{}.qrels.tsv", self.name))
    }

    /// Asks the queries of a file and returns the measure of known items.
    pub(super) fn ask(
        &self,
        bench: &Bench,
        model: &str,
        queries: &Path,
        way: Way,
    ) -> anyhow::Result<f64> {
        let mut command = bench.command(&bench.known_items());
        let url = format!("http://{}/", self.host());
        command.args(["eval", "--model", model, "--url", &url]).args(way.argument());
        command.arg("--queries").arg(queries).arg("--qrels").arg(self.qrels_path(bench));
        measure_of(command, "MRR@10", self.name)
    }

    fn queries(&self, list: &str) -> (String, String, usize) {
        let (mut asked, mut verdicts, mut count) = (String::new(), String::new(), 0);
        for (term, pages) in self.concepts(list) {
            count += 1;
            let _ = writeln!(asked, "{count}\t{term}");
            for page in pages {
                let _ = writeln!(verdicts, "{count}\t{page}\t1");
            }
        }
        (asked, verdicts, count)
    }

    /// Reads the concept terms of a list, each with its pages.
    fn concepts<'a>(&self, list: &'a str) -> impl Iterator<Item = (&'a str, Vec<&'a str>)> {
        let prefix = self.prefix;
        let page = move |target: &'a str| {
            let page = target.split('#').next().unwrap_or_default();
            page.strip_prefix(prefix).unwrap_or(page)
        };
        list.lines().filter_map(move |line| {
            let mut columns = line.split('\t');
            let (Some("concept"), Some(term), Some(targets)) =
                (columns.next(), columns.next(), columns.next())
            else {
                return None;
            };
            Some((term, targets.split('|').map(page).collect()))
        })
    }
}

/// Returns where the manuals lie; says so if they are not there.
pub(super) fn docs() -> Option<PathBuf> {
    let docs = env::var_os("LOOKFAR_DOCS").map(PathBuf::from);
    let is_whole = |docs: &PathBuf| MANUALS.iter().all(|manual| docs.join(manual.pages).is_dir());
    let found = docs.filter(is_whole);
    if found.is_none() {
        eprintln!(
            "== known items: left out; LOOKFAR_DOCS must name a folder with python3.11-doc, \
             postgresql-doc-15 and glibc-doc-reference (`apt-get download P; dpkg -x P*.deb P`)"
        );
    }
    found
}

/// What was measured for one manual.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// Terms asked for.
    pub(super) num_terms: usize,
    /// By all that there is.
    pub(super) whole: f64,
    /// By the text alone.
    pub(super) text: f64,
    /// By plain BM25.
    pub(super) plain: f64,
    /// By all that there is, as `lookfar search` asks it.
    pub(super) searched: f64,
}

impl Row {
    pub(super) fn new(name: &'static str, num_terms: usize) -> Self {
        Self { name, num_terms, whole: 0.0, text: 0.0, plain: 0.0, searched: 0.0 }
    }
}

/// Crawls the manuals and asks for their terms.
pub(super) fn run(
    bench: &Bench,
    docs: &Path,
    manuals: &[&Manual],
    profile: &str,
) -> anyhow::Result<Vec<Row>> {
    prepare(bench, docs, profile)?;
    let mut rows = Vec::new();
    for manual in manuals {
        eprintln!("== {}", manual.name);
        let mut row = Row::new(manual.name, manual.write_queries(bench)?);
        let queries = manual.queries_path(bench);
        let ask = |model, way| manual.ask(bench, model, &queries, way);
        row.whole = ask("lookfar", Way::Ranked)?;
        row.text = ask(TEXT_ALONE, Way::Ranked)?;
        row.plain = ask("bm25", Way::Ranked)?;
        row.searched = ask("lookfar", Way::Searched)?;
        rows.push(row);
    }
    Ok(rows)
}

/// Crawls the manuals, unless they are there from an earlier time.
pub(super) fn prepare(bench: &Bench, docs: &Path, profile: &str) -> anyhow::Result<()> {
    let dir = bench.known_items();
    if !dir.join("crawled").exists() {
        eprintln!("== crawling the manuals");
        let hosts: Vec<Host> = MANUALS.iter().map(|manual| manual.served(docs)).collect();
        served::crawl(bench, &hosts, &INDEXES, "", &dir, profile)?;
        fs::write(dir.join("crawled"), "").context("cannot write into the collection")?;
    }
    Ok(())
}

pub(super) fn table(rows: &[Row]) -> String {
    let mut table = "| manual | terms | whole ranking | text alone | plain BM25 | what links add \
                     | as searched |\n|---|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    let mut add = |name: &str, count: &str, [whole, text, plain, searched]: [f64; 4]| {
        let gain = (whole / text.max(f64::MIN_POSITIVE) - 1.0) * 100.0;
        let _ = writeln!(
            table,
            "| {name} | {count} | {whole:.4} | {text:.4} | {plain:.4} | {gain:+.1} % | {searched:.4} |"
        );
    };
    let mut means = [0.0; 4];
    for Row { name, num_terms, whole, text, plain, searched } in rows {
        let values = [*whole, *text, *plain, *searched];
        add(name, &num_terms.to_string(), values);
        for (mean, value) in means.iter_mut().zip(values) {
            *mean += value / rows.len() as f64;
        }
    }
    add("mean of them", "", means);
    table
}

/// Returns where links and what they say make the ranking worse than the text alone, and whether
/// they fail to help on the whole.
pub(super) fn missed(rows: &[Row]) -> Vec<String> {
    // Half of the last digit of what is aimed at.
    let worse = rows.iter().filter(|row| row.whole < row.text - 0.0005);
    let told = |Row { name, whole, text, .. }: &Row| {
        format!("{name} {whole:.4} with links < {text:.4} without")
    };
    let mut missed: Vec<String> = worse.map(told).collect();
    let gain: f64 = rows.iter().map(|row| row.whole - row.text).sum();
    if rows.len() == MANUALS.len() && gain <= 0.0 {
        missed.push("links do not help on the mean of the manuals".to_owned());
    }
    missed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concept_terms_become_queries_with_their_pages() {
        let list = "class\tquery\ttargets(|)\ttitles(|)\n\
                    concept\twork area\tusr/share/doc/glibc-doc-reference/html/A.html#x|B.html\tA|B\n\
                    symbol\tmalloc\tM.html\tM\n";
        let (asked, verdicts, count) = MANUALS[2].queries(list);
        assert_eq!((asked.as_str(), count), ("1\twork area\n", 1));
        assert_eq!(verdicts, "1\tA.html\t1\n1\tB.html\t1\n");
    }

    #[test]
    fn the_table_ends_with_the_mean() {
        let row = |name, whole| Row { whole, text: 0.5, searched: 0.4, ..Row::new(name, 7) };
        let table = table(&[row("one", 0.6), row("other", 0.7)]);
        let last = "| mean of them |  | 0.6500 | 0.5000 | 0.0000 | +30.0 % | 0.4000 |\n";
        assert!(table.ends_with(last), "{table}");
        assert_eq!(table.lines().count(), 5);
    }

    #[test]
    fn links_must_help_and_not_hurt() {
        let row = |whole| Row { whole, text: 0.5, ..Row::new("one", 7) };
        assert!(missed(&[]).is_empty() && missed(&[row(0.6), row(0.5), row(0.5)]).is_empty());
        assert_eq!(missed(&[row(0.6), row(0.4)]), ["one 0.4000 with links < 0.5000 without"]);
        assert!(missed(&[row(0.5), row(0.5), row(0.5)])[0].contains("do not help"));
    }
}
