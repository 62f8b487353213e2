//! `[graph]`: which links count as votes, and for whom pages are ranked besides.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ::graph::{
    AnalyseOptions, BuildOptions, Counted, DeadEnds, PageRankOptions, ReputationOptions, Topic,
};
use anyhow::{Context, Result};
use serde::Deserialize;

use super::share::Share;
use super::units::Size;
use crate::names;

/// `[graph]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct GraphConfig {
    /// Links that the page does not vouch for.
    pub(crate) nofollow: Share,
    /// Links within a registered domain or web site.
    pub(crate) intra_site: Share,
    /// Links that stand on nearly every page of their site.
    pub(crate) template: Share,
    /// Links of farms and exchanges.
    pub(crate) spam: bool,
    /// Chance that a visitor follows a link instead of jumping.
    pub(crate) beta: f64,
    /// What a visitor does on a page without links.
    pub(crate) dead_ends: DeadEndsConfig,
    /// Memory that link analysis holds, about; a quarter of it for sorting.
    pub(crate) memory: Size,
    /// Whether pages get a score for taking part in spam.
    pub(crate) find_spam: bool,
    /// Sets of pages that can be asked for as topics.
    pub(crate) topics: TopicsConfig,
    /// Pages that people have checked.
    pub(crate) trusted: PathBuf,
}

impl Default for GraphConfig {
    fn default() -> Self {
        let AnalyseOptions { spam, reputation, memory, counted, pagerank, .. } =
            AnalyseOptions::default();
        let Counted { nofollow, intra_site, template } = counted;
        Self {
            nofollow: Share(nofollow),
            intra_site: Share(intra_site),
            template: Share(template),
            spam,
            beta: pagerank.beta,
            dead_ends: DeadEndsConfig::Redistribute,
            memory: Size(memory),
            find_spam: reputation.spam,
            topics: TopicsConfig::Folder(TOPICS.into()),
            trusted: TRUSTED.into(),
        }
    }
}

/// Read if they are there; any other name must be.
const TOPICS: &str = "topics";
const TRUSTED: &str = "trusted.txt";
/// Files of a folder that are lists of pages.
const LISTS: [&str; 3] = ["txt", "html", "htm"];

/// What a visitor does on a page without links. Losing them, which the command line can, helps no
/// search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DeadEndsConfig {
    /// Jumps as anywhere else.
    Redistribute,
    /// Stays.
    Stay,
    /// Such pages are left out and ranked in the end.
    Prune,
}

/// Where topics come from.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a folder with a file per topic, or a table of names and files")]
pub(crate) enum TopicsConfig {
    /// A folder: each file in it is a topic, called by its name.
    Folder(PathBuf),
    /// Files by name.
    Files(BTreeMap<String, PathBuf>),
}

impl GraphConfig {
    /// Returns how much each kind of link counts.
    pub(crate) fn counted(&self) -> Counted {
        let Self { nofollow, intra_site, template, .. } = *self;
        Counted { nofollow: nofollow.0, intra_site: intra_site.0, template: template.0 }
    }

    /// Returns how links are analysed. Reads the files that it names, below `root`.
    pub(super) fn options(&self, root: &Path) -> Result<AnalyseOptions> {
        let Self { spam, memory: Size(memory), .. } = *self;
        let counted = self.counted();
        let build = BuildOptions {
            memory: usize::try_from(memory / 4).unwrap_or(usize::MAX),
            ..BuildOptions::default()
        };
        let reputation = ReputationOptions {
            topics: self.topics(root).context("`graph.topics` in lookfar.toml")?,
            trusted: self.trusted(root).context("`graph.trusted` in lookfar.toml")?,
            spam: self.find_spam,
        };
        reputation.check().context("`graph.topics` in lookfar.toml")?;
        let (pagerank, options) = (self.pagerank()?, AnalyseOptions::default());
        Ok(AnalyseOptions { build, counted, spam, memory, reputation, pagerank, ..options })
    }

    /// Returns how pages are ranked.
    pub(super) fn pagerank(&self) -> Result<PageRankOptions> {
        let beta = self.beta;
        anyhow::ensure!(
            (0.0..=1.0).contains(&beta),
            "`graph.beta` in lookfar.toml is {beta}: it must be between 0 and 1"
        );
        let dead_ends = match self.dead_ends {
            DeadEndsConfig::Redistribute => DeadEnds::Redistribute,
            DeadEndsConfig::Stay => DeadEnds::Stay,
            DeadEndsConfig::Prune => DeadEnds::Prune,
        };
        Ok(PageRankOptions { beta, dead_ends, ..PageRankOptions::default() })
    }

    fn trusted(&self, root: &Path) -> Result<Vec<String>> {
        let path = root.join(&self.trusted);
        if self.trusted.as_os_str().is_empty()
            || (self.trusted == Path::new(TRUSTED) && !path.exists())
        {
            return Ok(Vec::new());
        }
        names::read(&path)
    }

    fn topics(&self, root: &Path) -> Result<Vec<Topic>> {
        let files = match &self.topics {
            TopicsConfig::Files(files) => {
                files.iter().map(|(name, path)| (name.clone(), root.join(path))).collect()
            }
            TopicsConfig::Folder(folder) if folder.as_os_str().is_empty() => BTreeMap::new(),
            TopicsConfig::Folder(folder) => {
                let is_default = folder == Path::new(TOPICS);
                let folder = root.join(folder);
                match is_default && !folder.exists() {
                    true => BTreeMap::new(),
                    false => files_of(&folder)?,
                }
            }
        };
        let mut topics = Vec::new();
        for (name, path) in files {
            topics.push(Topic { name, pages: names::read(&path)? });
        }
        Ok(topics)
    }
}

/// Returns the lists of a folder by what they are called without their ending.
fn files_of(folder: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let failed = || format!("cannot list `{}`", folder.display());
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).with_context(failed)? {
        let path = entry.with_context(failed)?.path();
        let is_list = path.extension().and_then(|ending| ending.to_str());
        if is_list.is_none_or(|ending| !LISTS.contains(&ending)) {
            continue;
        }
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        if let Some(name) = name.filter(|name| !name.starts_with('.')) {
            anyhow::ensure!(!files.contains_key(&name), "there are two topics `{name}`");
            files.insert(name, path);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(root: &Path, text: &str) -> Result<ReputationOptions> {
        let config: GraphConfig = toml::from_str(text).unwrap();
        config.options(root).map(|options| options.reputation)
    }

    #[test]
    fn visitors_go_on_as_they_are_told() {
        let pagerank = |text: &str| toml::from_str::<GraphConfig>(text).unwrap().pagerank();
        assert_eq!(pagerank("").unwrap(), PageRankOptions::default());
        let found = pagerank("beta = 0.7\ndead_ends = \"stay\"").unwrap();
        assert_eq!((found.beta, found.dead_ends), (0.7, DeadEnds::Stay));
        for beta in ["-0.1", "1.5", "nan"] {
            let error = pagerank(&format!("beta = {beta}")).unwrap_err().to_string();
            assert!(error.starts_with("`graph.beta` in lookfar.toml is "), "{error}");
        }
        assert!(toml::from_str::<GraphConfig>("dead_ends = \"leak\"").is_err());
    }

    #[test]
    fn lists_that_are_there_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert_eq!(options(root, "").unwrap(), ReputationOptions::default());
        std::fs::create_dir(root.join("topics")).unwrap();
        std::fs::write(root.join("topics/news.txt"), "# mine\nhttp://a.example/\n").unwrap();
        std::fs::write(root.join("topics/readme.md"), "not a list").unwrap();
        std::fs::write(root.join("trusted.txt"), "b.example\n").unwrap();
        let found = options(root, "find_spam = false").unwrap();
        let pages = vec!["http://a.example/".to_owned()];
        assert_eq!(found.topics, [Topic { name: "news".to_owned(), pages: pages.clone() }]);
        assert_eq!((found.trusted, found.spam), (vec!["b.example".to_owned()], false));
        let found = options(root, "topics = { it = \"topics/news.txt\" }\ntrusted = \"\"").unwrap();
        assert_eq!(found.topics, [Topic { name: "it".to_owned(), pages }]);
        assert!(found.trusted.is_empty());
    }

    #[test]
    fn lists_are_found_below_a_relative_root() {
        let folder = tempfile::tempdir_in(".").unwrap();
        let root = Path::new(".").join(folder.path().file_name().unwrap());
        assert!(root.is_relative());
        std::fs::create_dir(root.join("topics")).unwrap();
        std::fs::write(root.join("topics/news.txt"), "http://a.example/\n").unwrap();
        assert_eq!(options(&root, "").unwrap().topics.len(), 1);
        let named = options(&root, "topics = { it = \"topics/news.txt\" }").unwrap();
        assert_eq!(named.topics[0].name, "it");
    }

    #[test]
    fn lists_that_are_named_must_be_there_and_have_good_names() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::write(root.join("list.txt"), "http://a.example/\n").unwrap();
        for (text, reason) in [
            ("trusted = \"none.txt\"", "cannot open"),
            ("topics = \"none\"", "cannot list"),
            ("topics = { news = \"none.txt\" }", "cannot open"),
            ("topics = { News = \"list.txt\" }", "a name is lower-case letters"),
            ("topics = { \"../x\" = \"list.txt\" }", "a name is lower-case letters"),
            ("topics = { web = \"list.txt\" }", "stands for all pages"),
            ("topics = { auto = \"list.txt\" }", "stands for what a query tells"),
        ] {
            let error = format!("{:#}", options(root, text).expect_err(text));
            assert!(error.contains("in lookfar.toml") && error.contains(reason), "{error}");
        }
        let many: Vec<String> = (0..65).map(|n| format!("t{n} = \"list.txt\"")).collect();
        let error = options(root, &format!("topics = {{ {} }}", many.join(", "))).unwrap_err();
        assert!(format!("{error:#}").contains("more than 64 topics"), "{error:#}");
        assert!(toml::from_str::<GraphConfig>("topics = 1").is_err());
    }
}
