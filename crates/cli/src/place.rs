//! The collection as the command line sees it: folder, configuration, seeds.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use base::collection::{Collection, Error as CollectionError, Lock};
use base::file::write_whole;
use base::{Rules, Url};

use crate::args::LimitArgs;
use crate::config::{Config, TEMPLATE};
use crate::control::Client;
use crate::progress;

/// A collection that this process may change.
pub(crate) struct Place {
    pub(crate) collection: Collection,
    pub(crate) config: Config,
    pub(crate) seeds: Vec<Url>,
    /// What goes before the file for this run.
    limits: LimitArgs,
    /// Kept until the process ends.
    pub(crate) _lock: Lock,
}

impl Place {
    /// Opens the collection for writing. If none is there, it is made, provided that there are
    /// seeds: given ones, or `seeds.txt` in a folder that somebody prepared.
    ///
    /// `limits` go before the file for this run. `prepare` may look at the configuration and the
    /// new seeds, and refuse, before anything is made or changed.
    pub(crate) fn open(
        dir: &Path,
        new_seeds: &[Url],
        template: &str,
        limits: &LimitArgs,
        prepare: impl FnOnce(&Config, &[Url]) -> Result<()>,
    ) -> Result<Self> {
        let has_seeds = !new_seeds.is_empty() || dir.join("seeds.txt").exists();
        let existing = match Collection::open(dir) {
            Ok(collection) => Some(collection),
            Err(CollectionError::Missing(_)) if has_seeds => None,
            Err(error) => return Err(error.into()),
        };
        // Another process may be at work here: ask for the lock before reading what it writes.
        let held = existing.as_ref().map(|found| lock(found, Patience::TO_WORK)).transpose()?;
        let config_path = dir.join("lookfar.toml");
        let mut config = match config_path.exists() {
            true => Config::read(&config_path)?,
            false => toml::from_str(template).context("the built-in configuration is not valid")?,
        };
        let rules = config.crawl.urls.rules();
        let mut seeds = read_seeds(&dir.join("seeds.txt"), rules)?;
        let mut fresh = Vec::new();
        for seed in new_seeds {
            let seed = Url::parse_with(seed.as_str(), rules)?;
            if !seeds.contains(&seed) {
                seeds.push(seed.clone());
                fresh.push(seed);
            }
        }
        if seeds.is_empty() {
            bail!("no page to begin at: name one, such as `lookfar up https://example.org/`");
        }
        refuse_links_out(dir, &config)?;
        config.crawl.limit(limits);
        config.crawl_options(&seeds)?;
        prepare(&config, &fresh)?;
        // VERSION last: a folder that has it has everything.
        fs::create_dir_all(dir).with_context(|| format!("cannot create `{}`", dir.display()))?;
        if !config_path.exists() {
            write_whole(&config_path, template.as_bytes()).context("cannot write lookfar.toml")?;
        }
        if !fresh.is_empty() {
            crate::seeds::append(&dir.join("seeds.txt"), &fresh)?;
        }
        let collection = match existing {
            Some(collection) => collection,
            None => Collection::open_or_create(dir)?,
        };
        let lock = match held {
            Some(held) => held,
            None => lock(&collection, Patience::TO_WORK)?,
        };
        Ok(Self { collection, config, seeds, limits: limits.clone(), _lock: lock })
    }

    /// Opens the collection for writing without a page to begin at, making it if nothing is
    /// there.
    pub(crate) fn open_without_seeds(dir: &Path) -> Result<Self> {
        let existing = match Collection::open(dir) {
            Err(CollectionError::Missing(_)) => None,
            other => Some(other?),
        };
        let collection = match existing {
            Some(collection) => collection,
            None => {
                fs::create_dir_all(dir)
                    .with_context(|| format!("cannot create `{}`", dir.display()))?;
                let path = dir.join("lookfar.toml");
                if !path.exists() {
                    write_whole(&path, DEFAULT.as_bytes()).context("cannot write lookfar.toml")?;
                }
                Collection::open_or_create(dir)?
            }
        };
        let lock = lock(&collection, Patience::TO_WORK)?;
        let config = Config::read(&collection.config())?;
        refuse_links_out(dir, &config)?;
        let seeds = read_seeds(&dir.join("seeds.txt"), config.crawl.urls.rules())?;
        Ok(Self { collection, config, seeds, limits: LimitArgs::default(), _lock: lock })
    }

    /// Returns what reads the settings as they stand now, as this process would if it began anew.
    pub(crate) fn settings(&self) -> impl Fn() -> Result<(Config, Vec<Url>)> + use<> {
        let (collection, limits) = (self.collection.clone(), self.limits.clone());
        move || {
            let mut config = Config::read(&collection.config())?;
            config.crawl.limit(&limits);
            let path = collection.root().join("seeds.txt");
            let seeds = read_seeds(&path, config.crawl.urls.rules())?;
            Ok((config, seeds))
        }
    }
}

/// The configuration of a new collection.
pub(crate) const DEFAULT: &str = TEMPLATE;

/// Reads seeds as people type them: `example.org` means its front page.
///
/// What a collection's own rules make of them is not known before its configuration is.
pub(crate) fn parse_seeds(texts: &[String]) -> Result<Vec<Url>> {
    let parse = |text: &String| {
        let with_scheme =
            if text.contains("://") { text.clone() } else { format!("https://{text}") };
        if has_strange_scheme(text) {
            bail!("cannot begin at `{text}`: write `https://` and the name of a host");
        }
        Url::parse_with(&with_scheme, Rules::NONE)
            .with_context(|| format!("cannot begin at `{text}`"))
    };
    texts.iter().map(parse).collect()
}

/// Returns whether something stands before a `:` that is neither a scheme of the web nor a host with
/// its port: `htp:/x` would be taken for a host called `htp`.
fn has_strange_scheme(text: &str) -> bool {
    if text.contains("://") || text.starts_with('[') {
        return false;
    }
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    let port = host.split_once(':').map(|(_, port)| port);
    port.is_some_and(|port| port.is_empty() || port.bytes().any(|byte| !byte.is_ascii_digit()))
}

/// Returns how this collection is crawled, by its files.
pub(crate) fn options_of(collection: &Collection) -> Result<crawl::Options> {
    let config = Config::read(&collection.config())?;
    let seeds = read_seeds(&collection.root().join("seeds.txt"), config.crawl.urls.rules())?;
    config.crawl_options(&seeds)
}

/// Refuses seeds whose hosts cannot be reached by name, before anything is written.
pub(crate) fn refuse_unreachable(config: &Config, seeds: &[Url]) -> Result<()> {
    match unreachable(config, seeds)?.first() {
        Some((url, failure)) => bail!(unreachable_because(url, *failure)),
        None => Ok(()),
    }
}

/// Returns the seeds whose hosts cannot be reached by name.
pub(crate) fn unreachable(config: &Config, seeds: &[Url]) -> Result<Vec<(Url, crawl::Failure)>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(crawl::reachable_seeds(seeds, &config.dns_options()))?)
}

/// Says why a seed cannot be reached, and what to do.
pub(crate) fn unreachable_because(url: &Url, failure: crawl::Failure) -> String {
    let host = url.host();
    match failure {
        crawl::Failure::NoSuchHost => format!(
            "there is no host `{host}`: check its spelling, and that this machine is connected"
        ),
        crawl::Failure::BlockedAddress => format!(
            "`{host}` has an address that is not public: to crawl this machine or an intranet, \
             set `crawl.addresses` in lookfar.toml to \"loopback\" or \"private\""
        ),
        _ => format!("cannot look up `{host}`: is this machine connected, and does its DNS work?"),
    }
}

/// Refuses to write through links that lead out of the collection, unless that is allowed.
///
/// Whoever can put a link into a folder could else have us write, and remove, where only we may.
fn refuse_links_out(dir: &Path, config: &Config) -> Result<()> {
    let Ok(root) = dir.canonicalize() else { return Ok(()) };
    if config.crawl.outside_folders {
        return Ok(());
    }
    let failed = || format!("cannot read `{}`", dir.display());
    for entry in fs::read_dir(dir).with_context(failed)? {
        let path = entry.with_context(failed)?.path();
        if !path.is_symlink() || path.canonicalize().is_ok_and(|target| target.starts_with(&root)) {
            continue;
        }
        bail!(
            "`{}` is a link that leads out of the collection: if it should, set \
             `crawl.outside_folders` in lookfar.toml to true",
            path.display()
        );
    }
    Ok(())
}

/// How long a lock that is taken is tried again.
#[derive(Clone, Copy)]
pub(crate) struct Patience {
    /// While a process that crawls has it; it may be about to end.
    while_crawled: Duration,
    /// While another one has it: `status`, `why` and the control room of a process that only serves
    /// have it for the moment of a question.
    while_asked: Duration,
}

impl Patience {
    /// For who wants to work on the collection.
    pub(crate) const TO_WORK: Self =
        Self { while_crawled: Duration::from_secs(1), while_asked: Duration::from_secs(5) };
    /// For who wants to look at it, and has something to say otherwise as well.
    pub(crate) const TO_LOOK: Self =
        Self { while_crawled: Duration::ZERO, while_asked: Duration::from_millis(500) };

    fn now(self, collection: &Collection) -> Duration {
        match Client::connect(collection) {
            Ok(None) => self.while_asked,
            Ok(Some(_)) | Err(_) => self.while_crawled,
        }
    }
}

/// Takes the lock; one that is taken is tried again for a while.
pub(crate) fn lock(collection: &Collection, patience: Patience) -> Result<Lock, CollectionError> {
    match collection.lock() {
        Err(CollectionError::InUse(_)) => {}
        other => return other,
    }
    let begun = Instant::now();
    progress::during("waits for another process to let go of the collection", || {
        loop {
            let is_over = begun.elapsed() >= patience.now(collection);
            match collection.lock() {
                Err(CollectionError::InUse(_)) if !is_over => sleep(Duration::from_millis(50)),
                other => return other,
            }
        }
    })
}

pub(crate) fn read_seeds(path: &Path, rules: Rules) -> Result<Vec<Url>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).context(format!("cannot read `{}`", path.display())),
    };
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parse = |line| {
        Url::parse_with(line, rules).with_context(|| format!("`{line}` in seeds.txt is no URL"))
    };
    lines.map(parse).collect()
}

/// Returns what seeds.txt says of these pages.
pub(crate) fn seeds_text(seeds: &[Url]) -> String {
    let lines: String = seeds.iter().map(|url| format!("{url}\n")).collect();
    format!("# Pages that the crawl begins at, one per line.\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read_as_people_type_them() {
        let texts = ["example.org".to_owned(), "http://a.example/x".to_owned()];
        let seeds = parse_seeds(&texts).unwrap();
        assert_eq!(seeds[0].as_str(), "https://example.org/");
        assert_eq!(seeds[1].as_str(), "http://a.example/x");
        for refused in ["ftp://a.example/", "htp:/x", "mailto:ann@a.example"] {
            assert!(parse_seeds(&[refused.to_owned()]).is_err(), "{refused}");
        }
        for taken in ["a.example:8080/x", "127.0.0.1:80", "[::1]:8080/", "a.example/x:y"] {
            assert!(parse_seeds(&[taken.to_owned()]).is_ok(), "{taken}");
        }
    }

    #[test]
    fn seeds_survive_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seeds.txt");
        let read = || read_seeds(&path, Rules::default()).unwrap();
        assert!(read().is_empty());
        let seeds = parse_seeds(&["example.org".to_owned(), "a.example".to_owned()]).unwrap();
        crate::seeds::append(&path, &seeds).unwrap();
        assert_eq!(read(), seeds);
    }

    #[test]
    fn nothing_is_made_when_preparing_fails() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("c");
        let seeds = parse_seeds(&["a.example".to_owned()]).unwrap();
        let limits = LimitArgs::default();
        assert!(Place::open(&dir, &seeds, DEFAULT, &limits, |_, _| bail!("no")).is_err());
        assert!(!dir.exists());
        let place = Place::open(&dir, &seeds, DEFAULT, &limits, |_, _| Ok(())).unwrap();
        assert_eq!(place.seeds, seeds);
        assert!(place.collection.config().exists());
    }

    #[test]
    fn a_folder_that_somebody_prepared_becomes_a_collection() {
        let folder = tempfile::tempdir().unwrap();
        let open = || {
            Place::open(folder.path(), &[], DEFAULT, &LimitArgs::default(), |_, fresh| {
                assert!(fresh.is_empty());
                Ok(())
            })
        };
        fs::write(folder.path().join("lookfar.toml"), "[crawl]\ndepth = 3\n").unwrap();
        assert!(open().is_err(), "there is no page to begin at");
        assert!(!folder.path().join("VERSION").exists());
        fs::write(folder.path().join("seeds.txt"), "http://a.example/\n").unwrap();
        assert_eq!(open().unwrap().seeds.len(), 1);
    }

    #[test]
    fn seeds_follow_the_rules_of_their_collection() {
        let text = ["http://a.example/x//index.html?utm_source=y".to_owned()];
        let seeds = parse_seeds(&text).unwrap();
        let off = "[crawl.urls]\ndrop_tracking = false\nmerge_slashes = false\n";
        for (template, expected) in
            [(DEFAULT, "http://a.example/x/"), (off, "http://a.example/x//index.html?utm_source=y")]
        {
            let folder = tempfile::tempdir().unwrap();
            let dir = folder.path().join("c");
            // Given again it is the same seed.
            for _ in 0..2 {
                let limits = LimitArgs::default();
                let place = Place::open(&dir, &seeds, template, &limits, |_, _| Ok(())).unwrap();
                assert_eq!(place.seeds.len(), 1);
                assert_eq!(place.seeds[0].as_str(), expected);
            }
        }
    }
}
