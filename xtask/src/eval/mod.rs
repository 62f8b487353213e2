//! `cargo xtask eval`: how good the ranking is on every shared test collection.
//!
//! Each set of the pack `sets` is imported into a collection of its own and asked with
//! `lookfar eval`, the same way for all: one configuration, nothing is tuned per set. Fails as a
//! check when a set is below plain BM25 or below its goal, and when links make the search for known
//! items, which come after them, worse. Trials of what only a web has, spam and topics and the like,
//! are the last.

mod known;
mod served;
mod sets;
mod trials;
mod tune;

use std::{
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context as _, bail};

use self::{
    known::{MANUALS, Manual},
    sets::{SETS, Set},
    trials::{TRIALS, Trial},
    tune::Source,
};
use crate::{cargo, steps::CheckFailed, tools};

/// What is to be done.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Options {
    /// Look for better weights instead of measuring those there are.
    pub(crate) tune: bool,
    /// Where imported sets are kept for the next time; without it they are removed.
    pub(crate) keep: Option<PathBuf>,
    /// Only sets whose name contains one of these.
    pub(crate) only: Vec<String>,
    /// Cargo's profile to build with instead of `release`: faster to build, slower to ask.
    pub(crate) profile: Option<String>,
    /// Queries of each set that are asked when tuning.
    pub(crate) queries: Option<usize>,
}

impl Options {
    fn profile(&self) -> &str {
        self.profile.as_deref().unwrap_or("release")
    }

    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| name.contains(part.as_str()))
    }

    pub(crate) fn parse(words: &[&str]) -> anyhow::Result<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().copied();
            match *word {
                "--tune" => options.tune = true,
                "--keep" => options.keep = value().map(PathBuf::from),
                "--only" => {
                    let names = value().unwrap_or_default().split(',').map(str::to_owned);
                    options.only = names.filter(|name| !name.is_empty()).collect();
                }
                "--profile" => options.profile = value().map(str::to_owned),
                "--queries" => {
                    let number = value().unwrap_or_default().parse();
                    options.queries = Some(number.context("`--queries` takes a number")?);
                }
                other => bail!("no option `{other}`; `cargo xtask help` lists what there is"),
            }
        }
        Ok(options)
    }
}

/// Models in the columns of the table; the last is the one that must be good.
const MODELS: [&str; 5] = ["tfidf", "tfidf-log", "cosine", "bm25", "lookfar"];

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let data = data()?;
    let lookfar = cargo_build(options.profile(), "cli")?;
    let folder = match &options.keep {
        Some(folder) => folder.clone(),
        None => cargo::target().join("eval").join(std::process::id().to_string()),
    };
    let bench = Bench { lookfar, data, folder };
    let result = bench.measure(options);
    if options.keep.is_none() {
        // What is left over lies in the target folder.
        let _ = fs::remove_dir_all(&bench.folder);
    }
    result
}

/// How queries are asked.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// Every page with any of the words is looked at.
    Ranked,
    /// As `lookfar search` does.
    Searched,
}

impl Way {
    fn argument(self) -> Option<&'static str> {
        (self == Self::Searched).then_some("--as-searched")
    }
}

/// A program, the data it reads, and a place for collections.
struct Bench {
    lookfar: PathBuf,
    data: PathBuf,
    folder: PathBuf,
}

impl Bench {
    fn measure(&self, options: &Options) -> anyhow::Result<()> {
        let sets: Vec<&Set> = SETS.iter().filter(|set| options.wants(set.name)).collect();
        let manuals: Vec<&Manual> =
            MANUALS.iter().filter(|manual| options.wants(manual.name)).collect();
        let trials: Vec<&Trial> = TRIALS.iter().filter(|trial| options.wants(trial.name)).collect();
        if sets.is_empty() && manuals.is_empty() && trials.is_empty() {
            let names = SETS.iter().map(|set| set.name);
            let names = names.chain(MANUALS.iter().map(|manual| manual.name));
            let names = names.chain(TRIALS.iter().map(|trial| trial.name));
            bail!("no such set; there are {}", names.collect::<Vec<_>>().join(", "));
        }
        for set in &sets {
            self.import(set)?;
        }
        if options.tune {
            return self.tune(&sets, &manuals, &trials, options);
        }
        let mut text = String::new();
        let rows = self.rows(&sets)?;
        if !rows.is_empty() {
            let _ = writeln!(text, "{}\n", table(&rows));
        }
        let mut known = Vec::new();
        if let Some(docs) = known::docs().filter(|_| !manuals.is_empty()) {
            known = known::run(self, &docs, &manuals, options.profile())?;
            text += "## Known items\n\nMRR@10 of concept terms from the index of three manuals, crawled \
                     without their index pages.\n\n";
            text += &known::table(&known);
        } else if !manuals.is_empty() {
            text += "## Known items\n\nLeft out: LOOKFAR_DOCS named no folder with the manuals.\n";
        }
        let mut tried = Vec::new();
        if let Some(docs) = (!trials.is_empty()).then(trials::docs).flatten() {
            tried = trials::run(self, &docs, &trials, options.profile())?;
            text += "\n## Trials\n\nWhat only a web has, over manuals, a documentation in four \
                     versions and spammers.\n\n";
            text += &trials::table(&tried);
        } else if !trials.is_empty() {
            text += "\n## Trials\n\nLeft out: LOOKFAR_DOCS named no folder with all packages.\n";
        }
        let _ = writeln!(io::stdout(), "{text}");
        if options.only.is_empty() {
            write_down(&text)?;
        }
        judge(&rows, &known, &tried)
    }

    /// Looks for better weights on the sets and, if they are at hand, on the manuals; then for those
    /// that only trials tell of.
    fn tune(
        &self,
        sets: &[&Set],
        manuals: &[&Manual],
        trials: &[&Trial],
        options: &Options,
    ) -> anyhow::Result<()> {
        let mut sources: Vec<Source<'_>> = sets.iter().map(|set| Source::Set(set)).collect();
        if !manuals.is_empty()
            && let Some(docs) = known::docs()
        {
            known::prepare(self, &docs, options.profile())?;
            sources.extend(manuals.iter().map(|manual| Source::Manual(manual)));
        }
        if !sources.is_empty() {
            tune::run(self, &sources, options.queries)?;
        }
        if !trials.is_empty()
            && let Some(docs) = trials::docs()
        {
            trials::prepare(self, &docs, options.profile())?;
            tune::run_trials(self, trials, options.queries)?;
        }
        Ok(())
    }

    fn rows(&self, sets: &[&Set]) -> anyhow::Result<Vec<Row>> {
        let mut rows = Vec::new();
        for set in sets {
            eprintln!("== {}", set.name);
            let mut row = Row { set: **set, values: [0.0; MODELS.len()], searched: 0.0 };
            let queries = self.queries(set);
            for (value, model) in row.values.iter_mut().zip(MODELS) {
                *value = self.ask(set, model, &queries, Way::Ranked)?;
            }
            row.searched = self.ask(set, "lookfar", &queries, Way::Searched)?;
            rows.push(row);
        }
        Ok(rows)
    }

    /// Imports a set, unless it is there from an earlier time.
    fn import(&self, set: &Set) -> anyhow::Result<()> {
        let (dir, done) = (self.folder.join(set.name), self.folder.join(set.name).join("imported"));
        if done.exists() {
            return Ok(());
        }
        eprintln!("== importing {}", set.name);
        fs::create_dir_all(&self.folder).context("cannot make a folder for the sets")?;
        let docs = self.data.join("sets").join(set.docs).join("docs.jsonl");
        let url = format!("http://{}.example/", set.name);
        let mut command = self.command(&dir);
        command.arg("import").arg("jsonl").arg(docs).args(["--url", &url]).stdout(Stdio::null());
        if !command.status().context("cannot start lookfar")?.success() {
            bail!("`{}` cannot be imported; see above", set.name);
        }
        fs::write(done, "").context("cannot write into the collection")
    }

    fn queries(&self, set: &Set) -> PathBuf {
        self.data.join("sets").join(set.queries).join("queries.jsonl")
    }

    /// Asks the queries of a file and returns the set's measure.
    fn ask(&self, set: &Set, model: &str, queries: &Path, way: Way) -> anyhow::Result<f64> {
        let qrels = self.data.join("sets").join(set.queries).join("qrels.tsv");
        let mut command = self.command(&self.folder.join(set.name));
        command.args(["eval", "--model", model]).arg("--queries").arg(queries);
        command.arg("--qrels").arg(qrels).args(way.argument());
        measure_of(command, set.measure, set.name)
    }

    /// Returns where the crawled manuals lie.
    fn known_items(&self) -> PathBuf {
        self.folder.join("known-items")
    }

    /// Returns where the pages of the trials lie once they were crawled.
    fn trials(&self) -> PathBuf {
        self.folder.join("trials")
    }

    /// Returns where queries and pages of the trials lie.
    fn trial_files(&self) -> PathBuf {
        self.folder.join("trial-files")
    }

    fn command(&self, dir: &Path) -> Command {
        let mut command = Command::new(&self.lookfar);
        command.arg("--dir").arg(dir);
        command
    }
}

/// Runs `lookfar eval` and returns one of the measures that it prints.
fn measure_of(mut command: Command, measure: &str, set: &str) -> anyhow::Result<f64> {
    let output = command.output().context("cannot start lookfar")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let value = text
        .lines()
        .find_map(|line| line.strip_prefix(measure)?.strip_prefix(' ')?.parse::<f64>().ok());
    value.with_context(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("no {measure} for `{set}` by {command:?}: {said}")
    })
}

/// A set and its measure under each model.
struct Row {
    set: Set,
    values: [f64; MODELS.len()],
    /// The last model as `lookfar search` asks it.
    searched: f64,
}

impl Row {
    fn ours(&self) -> f64 {
        self.values[MODELS.len() - 1]
    }
}

fn data() -> anyhow::Result<PathBuf> {
    let folder = tools::data().context("LOOKFAR_DATA must name a folder with the pack `sets`")?;
    if !folder.join("sets").is_dir() {
        bail!("`{}` has no pack `sets`", folder.display());
    }
    Ok(folder)
}

/// Builds a package of ours and returns its program.
fn cargo_build(profile: &str, package: &str) -> anyhow::Result<PathBuf> {
    let status = cargo::command(&["build", "--profile", profile, "--package", package]).status();
    if !status.context("cannot start cargo")?.success() {
        bail!("`{package}` cannot be built; see above");
    }
    // The only profile whose folder has another name.
    let folder = if profile == "dev" { "debug" } else { profile };
    let program = if package == "cli" { "lookfar" } else { package };
    Ok(cargo::target().join(folder).join(program))
}

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "| set | measure | plain BM25 of others | goal | {} | against plain | as searched |\n",
        MODELS.join(" | ")
    );
    text += &format!("|---|---|---:|---:|{}---:|---:|\n", "---:|".repeat(MODELS.len()));
    for row in rows {
        let number =
            |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.3}"));
        let Set { name, measure, plain, goal, .. } = row.set;
        let _ = write!(text, "| {name} | {measure} | {} | {goal:.3} |", number(plain));
        for value in row.values {
            let _ = write!(text, " {value:.4} |");
        }
        let gain = plain.map(|plain| format!("{:+.1} %", (row.ours() / plain - 1.0) * 100.0));
        let _ = writeln!(text, " {} | {:.4} |", gain.unwrap_or_default(), row.searched);
    }
    let _ = write!(text, "\nMean against plain: {:+.1} %.", (gain(rows) - 1.0) * 100.0);
    text
}

/// Returns the mean over sets of ours divided by plain BM25, where that is known.
fn gain(rows: &[Row]) -> f64 {
    let ratios: Vec<f64> =
        rows.iter().filter_map(|row| row.set.plain.map(|plain| row.ours() / plain)).collect();
    ratios.iter().sum::<f64>() / ratios.len().max(1) as f64
}

/// Writes the table beside the other measurements, under the day's date.
fn write_down(table: &str) -> anyhow::Result<()> {
    let date = today();
    let path = cargo::root().join(format!("docs/measurements/{date}-ranking-sets.md"));
    let commit = commit();
    let text = format!(
        "# Ranking on the shared test collections ({date})\n\n\
         Written by `cargo xtask eval`, commit {commit}. One configuration for all sets: the\n\
         defaults. What the columns mean, and how the defaults were found: [evaluation]\
         (../evaluation.md).\n\n{table}\n"
    );
    fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
    eprintln!("written to {}", path.display());
    Ok(())
}

/// Returns the commit of this checkout, in short; empty where there is none.
fn commit() -> String {
    let output = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output();
    output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Fails as a check when a goal is missed.
fn judge(rows: &[Row], known: &[known::Row], tried: &[trials::Row]) -> anyhow::Result<()> {
    let mut missed = known::missed(known);
    missed.extend(trials::missed(tried));
    for row in rows {
        let least = row.set.plain.map_or(row.set.goal, |plain| plain.max(row.set.goal));
        // Goals have three digits.
        if row.ours() < least - 0.0005 {
            missed.push(format!("{} {:.4} < {least:.3}", row.set.name, row.ours()));
        }
    }
    if rows.len() == SETS.len() && gain(rows) < 1.05 {
        missed.push(format!("the mean gain over plain BM25, {:.3}, < 1.05", gain(rows)));
    }
    match missed.is_empty() {
        true => Ok(()),
        false => Err(CheckFailed(format!("goals missed: {}", missed.join("; "))).into()),
    }
}

/// Returns the date in UTC as `2026-11-16` (the algorithm is that of the civil calendar).
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

fn date(days_since_1970: u64) -> String {
    // Years that begin in March end with the leap day.
    let days = days_since_1970 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..=9 => (era * 400 + year, month + 3),
        _ => (era * 400 + year + 1, month - 9),
    };
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (days, expected) in
            [(0, "1970-01-01"), (11_016, "2000-02-29"), (20_773, "2026-11-16"), (59, "1970-03-01")]
        {
            assert_eq!(date(days), expected);
        }
    }

    fn rows(ours: f64) -> Vec<Row> {
        let row = |set: &Set| {
            let mut values = [0.1; MODELS.len()];
            values[MODELS.len() - 1] = set.plain.unwrap_or(set.goal) * ours;
            Row { set: *set, values, searched: 0.2 }
        };
        SETS.iter().map(row).collect()
    }

    #[test]
    fn a_set_below_its_goal_fails_the_check() {
        assert!(judge(&rows(1.2), &[], &[]).is_ok());
        let error = judge(&rows(1.0), &[], &[]).unwrap_err().to_string();
        assert!(error.contains("xquad-de") && error.contains("mean gain"), "{error}");
        assert!(!error.contains("cranfield"), "{error}");
    }

    #[test]
    fn the_table_has_a_row_for_each_set() {
        let table = table(&rows(1.1));
        assert_eq!(table.lines().filter(|line| line.starts_with("| ")).count(), SETS.len() + 1);
        assert!(table.contains("| +10.0 % | 0.2000 |\n"), "{table}");
        assert!(table.ends_with("Mean against plain: +10.0 %."), "{table}");
    }

    #[test]
    fn links_that_make_it_worse_fail_the_check() {
        let manual = |whole| known::Row { whole, ..known::Row::new("known-python", 3) };
        let [same, better] = [0.0, 0.1].map(manual);
        assert!(judge(&rows(1.2), &[same, better], &[]).is_ok());
        // Less than a digit of the table is no difference.
        assert!(judge(&rows(1.2), &[known::Row { text: 0.6004, ..manual(0.6) }], &[]).is_ok());
        let worse = known::Row { text: 0.61, ..manual(0.6) };
        let error = judge(&rows(1.2), &[manual(0.7), worse], &[]).unwrap_err().to_string();
        assert!(error.contains("known-python 0.6000 with links < 0.6100 without"), "{error}");
    }

    #[test]
    fn options_are_read() {
        let parse = |line: &str| Options::parse(&line.split_whitespace().collect::<Vec<_>>());
        let keep = Some(PathBuf::from("/x"));
        let only = vec!["adi".to_owned(), "med".to_owned()];
        assert_eq!(parse("").unwrap(), Options::default());
        let (profile, queries) = (Some("dev".to_owned()), Some(9));
        let expected = Options { tune: true, keep, only, profile, queries };
        assert_eq!(
            parse("--tune --keep /x --only adi,med --profile dev --queries 9").unwrap(),
            expected
        );
        assert!(parse("all").is_err() && parse("--queries x").is_err());
    }
}
