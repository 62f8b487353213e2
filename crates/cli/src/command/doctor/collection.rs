//! What the folder of the collection says: its rights, configuration, seeds, formats, and who
//! has it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use base::Url;
use base::collection::{Collection, Error as CollectionError};

use super::Finding;
use crate::config::Config;
use crate::place::{Patience, lock, read_seeds};

/// What the other checks need to know.
pub(super) struct Subject {
    /// The folder, or the nearest one above it that is there.
    pub(super) folder: PathBuf,
    pub(super) config: Config,
    pub(super) seeds: Vec<Url>,
    /// Whether another process works on the collection.
    pub(super) is_in_use: bool,
}

/// Looks at the folder; returns what it holds and what is to be said of it.
pub(super) fn look(dir: &Path) -> (Subject, Vec<Finding>) {
    let mut findings = vec![folder(dir)];
    let (config, said) = configuration(dir);
    findings.push(said);
    let (seeds, said) = seeds(dir, &config);
    findings.extend(said);
    let (is_in_use, said) = stores(dir);
    findings.extend(said);
    let above = dir.ancestors().find(|path| path.is_dir()).unwrap_or(Path::new("."));
    // What stands above a bare name is the folder we are in.
    let folder = if above.as_os_str().is_empty() { Path::new(".") } else { above }.to_owned();
    (Subject { folder, config, seeds, is_in_use }, findings)
}

/// Whether we may write there, and nobody else may.
fn folder(dir: &Path) -> Finding {
    const CHECK: &str = "folder";
    let shown = dir.display();
    let data = match fs::metadata(dir) {
        Ok(data) => data,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Finding::warn(
                CHECK,
                format!("there is no `{shown}` yet"),
                "make a collection with `lookfar init`, or name another folder with `--dir`",
            );
        }
        Err(error) => {
            return Finding::bad(CHECK, format!("`{shown}`: {error}"), "name another with `--dir`");
        }
    };
    if !data.is_dir() {
        return Finding::bad(CHECK, format!("`{shown}` is no folder"), "name another with `--dir`");
    }
    if let Err(error) = try_to_write(dir) {
        return Finding::bad(
            CHECK,
            format!("cannot write to `{shown}`: {error}"),
            format!("give it to the user who crawls: `chown -R USER {shown}`"),
        );
    }
    if data.permissions().mode() & 0o002 != 0 {
        return Finding::warn(
            CHECK,
            format!("everybody on this machine may change `{shown}`"),
            format!("close it: `chmod o-w {shown}`"),
        );
    }
    Finding::ok(CHECK, format!("`{shown}` can be written to"))
}

/// Writes and removes a small file.
fn try_to_write(folder: &Path) -> io::Result<()> {
    let path = scratch(folder);
    let written = File::create_new(&path).and_then(|mut file| file.write_all(b"doctor"));
    written.and(fs::remove_file(&path))
}

/// Returns a path that nothing else uses; its ending is that of files in the making.
pub(super) fn scratch(folder: &Path) -> PathBuf {
    folder.join(format!("doctor-{}.new", std::process::id()))
}

fn configuration(dir: &Path) -> (Config, Finding) {
    const CHECK: &str = "config";
    let path = dir.join("lookfar.toml");
    let shown = path.display().to_string();
    if !path.exists() {
        let said = format!("there is no `{shown}`: everything is as by default");
        return (Config::default(), Finding::ok(CHECK, said));
    }
    let wrong = |error: &anyhow::Error| {
        let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        // What the parser says of a place has several lines.
        let said = causes.join(": ").lines().map(str::trim).collect::<Vec<_>>().join(" ");
        Finding::bad(CHECK, said, "docs/configuration.md has every key with its default")
    };
    let config = match Config::read(&path) {
        Ok(config) => config,
        Err(error) => return (Config::default(), wrong(&error)),
    };
    let checks = [
        config.crawl_options(&[]).map(drop),
        config.search_options().map(drop),
        config.analyse_options(dir).map(drop),
    ];
    match checks.into_iter().find_map(Result::err) {
        Some(error) => (config, wrong(&error)),
        None => (config, Finding::ok(CHECK, format!("`{shown}` is valid"))),
    }
}

/// Nothing is said of a folder in which nobody has begun.
fn seeds(dir: &Path, config: &Config) -> (Vec<Url>, Option<Finding>) {
    const CHECK: &str = "seeds";
    let add = "name one with `lookfar up https://example.org/`, or write it to seeds.txt";
    match read_seeds(&dir.join("seeds.txt"), config.crawl.urls.rules()) {
        Ok(seeds) if seeds.is_empty() => {
            let missing = Finding::warn(CHECK, "there is no page to begin at", add);
            (seeds, dir.is_dir().then_some(missing))
        }
        Ok(seeds) => {
            let said = match seeds.len() {
                1 => format!("the crawl begins at {}", seeds[0]),
                number => format!("the crawl begins at {number} pages"),
            };
            (seeds, Some(Finding::ok(CHECK, said)))
        }
        Err(error) => {
            let said = format!("{error:#}");
            (Vec::new(), Some(Finding::bad(CHECK, said, "one address per line, or `#` before it")))
        }
    }
}

/// Whether another process is at work, and whether this release knows the formats.
fn stores(dir: &Path) -> (bool, Vec<Finding>) {
    const CHECK: &str = "collection";
    let collection = match Collection::open(dir) {
        Ok(collection) => collection,
        Err(CollectionError::Missing(_)) => {
            return (false, vec![Finding::ok(CHECK, "nothing has been crawled yet")]);
        }
        Err(error) => {
            let advice = match error {
                CollectionError::Newer { .. } => "use the newer Lookfar that made it",
                _ => "name another folder with `--dir`",
            };
            return (false, vec![Finding::bad(CHECK, error.to_string(), advice)]);
        }
    };
    let (is_in_use, said) = match lock(&collection, Patience::TO_LOOK) {
        // Only who has the lock may open the frontier.
        Ok(_lock) => match ::crawl::stored_snapshot(&collection) {
            Ok(found) => {
                let said = format!("{} pages fetched; nobody works on it", found.pages);
                (false, Finding::ok(CHECK, said))
            }
            Err(error) => {
                let said = format!("{:#}", anyhow::Error::from(error));
                (false, Finding::bad(CHECK, said, "look closer with `lookfar check --repair`"))
            }
        },
        Err(CollectionError::InUse(_)) => {
            (true, Finding::ok(CHECK, "another process works on it; see `lookfar status`"))
        }
        Err(error) => {
            let said = format!("{:#}", anyhow::Error::from(error));
            (false, Finding::bad(CHECK, said, "give the folder to the user who crawls"))
        }
    };
    (is_in_use, vec![said, formats(&collection)])
}

/// Whether index and graph are of formats that can be read.
fn formats(collection: &Collection) -> Finding {
    const CHECK: &str = "formats";
    let repair = "look closer with `lookfar check`, and mend it with `lookfar check --repair`";
    if let Err(error) = index::Reader::open(&collection.index()).snapshot() {
        let said = format!("the index cannot be read: {:#}", anyhow::Error::from(error));
        return Finding::bad(CHECK, said, repair);
    }
    let generation = match collection.generation() {
        Ok(Some(generation)) => generation,
        Ok(None) => return Finding::ok(CHECK, "all of this release"),
        Err(error) => return Finding::bad(CHECK, error.to_string(), repair),
    };
    match graph::read_summary(&collection.graph(generation)) {
        Ok(_) => Finding::ok(CHECK, "all of this release"),
        Err(graph::Error::Older { .. }) => {
            let said = "the link graph is of an earlier release";
            Finding::warn(CHECK, said, "`lookfar up`, `crawl` or `graph build` makes it anew")
        }
        Err(error) => {
            let said = format!("the link graph cannot be read: {:#}", anyhow::Error::from(error));
            Finding::bad(CHECK, said, repair)
        }
    }
}
