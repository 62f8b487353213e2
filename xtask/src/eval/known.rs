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
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use anyhow::{Context as _, bail};

use super::{Bench, cargo_build, measure_of};

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
const INDEXES: [&str; 8] = [
    "*/genindex*",
    "*/py-modindex.html",
    "*/bookindex.html",
    "*/Concept-Index.html",
    "*/Function-Index.html",
    "*/Type-Index.html",
    "*/Variable-Index.html",
    "*/File-Index.html",
];

/// How the terms are asked: by all that there is, by the text alone, and by plain BM25.
const MODELS: [&str; 3] = ["lookfar", "lookfar,anchors=0,links=0", "bm25"];

impl Manual {
    fn host(&self) -> String {
        format!("{}.lookfar", self.name)
    }

    /// Writes the concept terms and their pages as queries and verdicts; returns how many.
    fn write_queries(&self, data: &Path, queries: &Path, qrels: &Path) -> anyhow::Result<usize> {
        let path = data.join("known-item").join(self.terms);
        let list = fs::read_to_string(&path)
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        let (asked, verdicts, count) = self.queries(&list);
        fs::write(queries, asked).context("cannot write the queries")?;
        fs::write(qrels, verdicts).context("cannot write the verdicts")?;
        Ok(count)
    }

    fn queries(&self, list: &str) -> (String, String, usize) {
        let (mut asked, mut verdicts, mut count) = (String::new(), String::new(), 0);
        for line in list.lines() {
            let mut columns = line.split('\t');
            let (Some("concept"), Some(term), Some(targets)) =
                (columns.next(), columns.next(), columns.next())
            else {
                continue;
            };
            count += 1;
            let _ = writeln!(asked, "{count}\t{term}");
            for target in targets.split('|') {
                let page = target.split('#').next().unwrap_or_default();
                let page = page.strip_prefix(self.prefix).unwrap_or(page);
                let _ = writeln!(verdicts, "{count}\t{page}\t1");
            }
        }
        (asked, verdicts, count)
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

/// Crawls the manuals and asks for their terms; returns a table.
pub(super) fn run(
    bench: &Bench,
    docs: &Path,
    manuals: &[&Manual],
    profile: &str,
) -> anyhow::Result<String> {
    let dir = bench.folder.join("known-items");
    if !dir.join("crawled").exists() {
        eprintln!("== crawling the manuals");
        crawl(bench, docs, &dir, profile)?;
        fs::write(dir.join("crawled"), "").context("cannot write into the collection")?;
    }
    let mut table =
        "| manual | terms | whole ranking | text alone | plain BM25 | what links add |\n\
                     |---|---:|---:|---:|---:|---:|\n"
            .to_owned();
    let mut sums = [0.0; MODELS.len()];
    for manual in manuals {
        eprintln!("== {}", manual.name);
        let [queries, qrels] =
            ["queries", "qrels"].map(|kind| dir.join(format!("{}.{kind}.tsv", manual.name)));
        let count = manual.write_queries(&bench.data, &queries, &qrels)?;
        let mut values = [0.0; MODELS.len()];
        for ((value, sum), model) in values.iter_mut().zip(&mut sums).zip(MODELS) {
            let mut command = bench.command(&dir);
            command.args([
                "eval",
                "--model",
                model,
                "--url",
                &format!("http://{}/", manual.host()),
            ]);
            command.arg("--queries").arg(&queries).arg("--qrels").arg(&qrels);
            *value = measure_of(command, "MRR@10", manual.name)?;
            *sum += *value / manuals.len() as f64;
        }
        row(&mut table, manual.name, &count.to_string(), values);
    }
    row(&mut table, "mean of them", "", sums);
    Ok(table)
}

fn row(table: &mut String, name: &str, count: &str, [whole, text, plain]: [f64; 3]) {
    let gain = (whole / text.max(f64::MIN_POSITIVE) - 1.0) * 100.0;
    let _ = writeln!(
        table,
        "| {name} | {count} | {whole:.4} | {text:.4} | {plain:.4} | {gain:+.1} % |"
    );
}

fn crawl(bench: &Bench, docs: &Path, dir: &Path, profile: &str) -> anyhow::Result<()> {
    let testweb = cargo_build(profile, "testweb")?;
    let served = Served::start(&testweb, docs)?;
    fs::create_dir_all(dir).context("cannot make a folder for the collection")?;
    let exclude = INDEXES.map(|pattern| format!("\"{pattern}\"")).join(", ");
    let Served { port, dns, .. } = &served;
    let config = format!(
        "[crawl]\nscope = \"host\"\ndelay = \"0s\"\naddresses = \"loopback\"\n\
         dns_servers = [\"{dns}\"]\ninstead_of_port_80 = {port}\nexclude = [{exclude}]\n"
    );
    fs::write(dir.join("lookfar.toml"), config).context("cannot write lookfar.toml")?;
    let mut command = bench.command(dir);
    command.args(["crawl", "--until-idle"]);
    command.args(MANUALS.iter().map(|manual| format!("http://{}/", manual.host())));
    let status = command.stdout(Stdio::null()).status().context("cannot start lookfar")?;
    if !status.success() {
        bail!("the manuals cannot be crawled; see above");
    }
    Ok(())
}

/// The manuals as hosts, until it is dropped.
struct Served {
    process: Child,
    port: String,
    dns: String,
}

impl Served {
    fn start(testweb: &Path, docs: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(testweb);
        command.args(["sites", "--port", "0", "--dns-port", "0"]);
        for manual in &MANUALS {
            let site = format!("{}={}", manual.host(), docs.join(manual.pages).display());
            command.args(["--site", &site]);
        }
        let mut process = command.stdout(Stdio::piped()).spawn().context("cannot start testweb")?;
        let said = process.stdout.take().context("testweb says nothing")?;
        let (mut port, mut dns) = (None, None);
        for line in BufReader::new(said).lines() {
            let line = line.context("cannot read what testweb says")?;
            port = port.or_else(|| word_behind(&line, "; port "));
            dns = dns.or_else(|| word_behind(&line, "DNS at "));
            if let (Some(port), Some(dns)) = (&port, &dns) {
                let (port, dns) = (port.clone(), dns.clone());
                return Ok(Self { process, port, dns });
            }
        }
        bail!("testweb ended before it served anything")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn word_behind(line: &str, mark: &str) -> Option<String> {
    let (_, rest) = line.split_once(mark)?;
    rest.split_whitespace().next().map(str::to_owned)
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
    fn ports_are_read_from_what_testweb_says() {
        let line = "hosts: 3; port 7480 stands for port 80";
        assert_eq!(word_behind(line, "; port ").as_deref(), Some("7480"));
        let line = "  names     DNS at 127.0.0.1:7453 (UDP and TCP)";
        assert_eq!(word_behind(line, "DNS at ").as_deref(), Some("127.0.0.1:7453"));
    }
}
