//! Seeds and keys of the configuration, changed by hand from the control room.
//!
//! `lookfar.toml` stays the one place: a change is made in its text, with its comments, checked by
//! the code that reads it at a start, and written whole. Then those who run are told to read it.

use std::fs;
use std::io::ErrorKind;

use anyhow::{Context, Result, bail};
use base::file::write_whole;
use base::{Collection, Url};
use rank::Searcher;
use serde::Deserialize;
use serde_json::Value;
use serve::{Setting, Settings};
use toml_edit::{DocumentMut, Item};

use super::Crawl;
use crate::config::{Config, TEMPLATE};
use crate::control::Request;
use crate::place::{parse_seeds, read_seeds};
use crate::seeds;

/// Keys that can be changed, and what they mean.
const KEYS: [(&str, &str, &str); 12] = [
    (
        "crawl",
        "scope",
        "Where pages may lie: \"page\", \"host\", \"sites\", \"open\", { country = \"dk\" }, or domains such as [\"dk\", \"example.org\"].",
    ),
    (
        "crawl",
        "include",
        "Only addresses that match one of these patterns, such as [\"*/docs/*\"]; none for all.",
    ),
    ("crawl", "exclude", "No addresses that match one of these patterns, not even seeds."),
    ("crawl", "types", "Kinds of files, told by the end of the path."),
    ("crawl", "depth", "Most links between a seed and a page."),
    ("crawl", "pages_per_host", "Most pages of one host; 0 for no limit."),
    ("crawl", "pages", "Most pages in all; 0 for no limit."),
    (
        "crawl",
        "again_after",
        "When a page is fetched for the second time; \"never\" fetches every page once.",
    ),
    ("graph", "find_spam", "Whether pages get a score for taking part in farms and exchanges."),
    ("graph", "spam", "Whether links of farms and exchanges count as votes."),
    ("rank", "spam", "Share of its score that surest link spam loses, 0 to 1."),
    (
        "rank",
        "quality",
        "Share of its own words' worth that a page loses which looks made for search engines, 0 to 1.",
    ),
];

/// The one that has a switch of its own.
pub(super) const GRANTS: (&str, &str) = ("crawl", "grants");

/// Returns what can be changed, and how it stands.
pub(super) fn read(collection: &Collection) -> Result<Settings> {
    let document = parse(&text_of(collection)?)?;
    let setting = |(section, name, meaning): &(&str, &str, &str)| {
        let item = document.get(section).and_then(|table| table.get(name));
        let value = item.and_then(Item::as_value).map(|value| value.clone().decorated("", ""));
        Setting {
            key: format!("{section}.{name}"),
            value: value.map(|value| value.to_string()).unwrap_or_default(),
            default: default(section, name).to_owned(),
            meaning: (*meaning).to_owned(),
        }
    };
    let seeds = read_seeds(&collection.root().join("seeds.txt"), rules(collection)?)?;
    Ok(Settings {
        seeds: seeds.iter().map(ToString::to_string).collect(),
        keys: KEYS.iter().map(setting).collect(),
    })
}

/// The one that a crawl reads only when it begins.
const AT_START: &str = "crawl.again_after";

/// Changes keys, in the file and for those who run; says so in a sentence. Nothing is written unless
/// all of them are good.
pub(super) fn set(
    collection: &Collection,
    crawl: &Crawl,
    searcher: &Searcher,
    changes: &[(String, String)],
) -> Result<String> {
    let before = read(collection)?;
    if !write(collection, changes)? {
        return Ok("Nothing was changed.".to_owned());
    }
    let after = read(collection)?;
    let pairs = before.keys.iter().zip(&after.keys);
    let changed: Vec<&str> = pairs
        .filter(|(before, after)| before.value != after.value)
        .map(|(_, after)| after.key.as_str())
        .collect();
    searcher.set_weights(Config::read(&collection.config())?.rank);
    let is_heard = crawl.ask::<Value>(&Request::Settings).is_ok();
    Ok(told(&changed, is_heard))
}

/// Says from when on changed keys hold; `is_heard` if a crawl goes by them.
fn told(changed: &[&str], is_heard: bool) -> String {
    let has = |section: &str| changed.iter().any(|key| key.starts_with(section));
    let mut text = "lookfar.toml is written.".to_owned();
    if has("rank.") {
        text += " Results go by it at once.";
    }
    if is_heard && has("graph.") {
        text += " The links are analysed anew.";
    }
    if is_heard && changed.iter().any(|key| key.starts_with("crawl.") && *key != AT_START) {
        text += " The crawl goes by it at once; links that it has left out before are looked \
                 through again at the next start.";
    }
    let waits = |key: &&str| match is_heard {
        true => *key == AT_START,
        false => !key.starts_with("rank."),
    };
    let waiting: Vec<&str> = changed.iter().copied().filter(waits).collect();
    if !waiting.is_empty() {
        text += &format!(" From the next start on: {}.", waiting.join(", "));
    }
    text
}

/// Changes keys; returns whether anything had to be written. Nothing is unless all are good.
pub(super) fn write(collection: &Collection, changes: &[(String, String)]) -> Result<bool> {
    let text = text_of(collection)?;
    let changed = changed(&text, changes)?;
    if changed == text {
        return Ok(false);
    }
    let config: Config = toml::from_str(&changed).context("lookfar.toml would not be valid")?;
    let seeds = read_seeds(&collection.root().join("seeds.txt"), config.crawl.urls.rules())?;
    config.crawl_options(&seeds)?;
    config.search_options()?;
    config.analyse_options(collection.root())?;
    write_whole(&collection.config(), changed.as_bytes()).context("cannot write lookfar.toml")?;
    Ok(true)
}

/// What the crawl says to new pages.
#[derive(Deserialize)]
struct Queued {
    is_queued: bool,
}

/// Adds pages to begin at, to the file and to a crawl that runs; says so in a sentence.
pub(super) fn add_seeds(collection: &Collection, crawl: &Crawl, urls: &[String]) -> Result<String> {
    let (path, rules) = (collection.root().join("seeds.txt"), rules(collection)?);
    let known = read_seeds(&path, rules)?;
    let mut fresh: Vec<Url> = Vec::new();
    for seed in parse_seeds(urls)? {
        let seed = Url::parse_with(seed.as_str(), rules)?;
        if !known.contains(&seed) && !fresh.contains(&seed) {
            fresh.push(seed);
        }
    }
    if fresh.is_empty() {
        return Ok("They are all known already.".to_owned());
    }
    seeds::append(&path, &fresh)?;
    let count = fresh.len();
    let urls = fresh.iter().map(ToString::to_string).collect();
    let queued = crawl.ask::<Queued>(&Request::Seeds { urls });
    Ok(match queued {
        Ok(Queued { is_queued: true }) => {
            format!("{count} pages to begin at are queued and in seeds.txt.")
        }
        _ => format!("{count} pages to begin at are in seeds.txt; the next crawl takes them."),
    })
}

/// Takes a page to begin at out of the file; says so in a sentence.
pub(super) fn remove_seed(collection: &Collection, crawl: &Crawl, url: &str) -> Result<String> {
    let path = collection.root().join("seeds.txt");
    let config = Config::read(&collection.config())?;
    let rules = config.crawl.urls.rules();
    let url = Url::parse_with(url, rules).with_context(|| format!("`{url}` is no address"))?;
    let mut left = read_seeds(&path, rules)?;
    let before = left.len();
    left.retain(|seed| *seed != url);
    if left.len() == before {
        return Ok(format!("{url} is not in seeds.txt."));
    }
    // A collection without any would not start again.
    if left.is_empty() {
        bail!("{url} is the only page to begin at: add another first");
    }
    config.crawl_options(&left)?;
    seeds::remove(&path, &url, rules)?;
    // Where the scope is made of the seeds, it has become smaller. Without a crawl the next one reads it.
    let _ = crawl.ask::<Value>(&Request::Settings);
    Ok(format!("{url} is no longer in seeds.txt. What was fetched stays, unless you forget it."))
}

fn rules(collection: &Collection) -> Result<base::Rules> {
    Ok(Config::read(&collection.config())?.crawl.urls.rules())
}

fn text_of(collection: &Collection) -> Result<String> {
    match fs::read_to_string(collection.config()) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.context("cannot read lookfar.toml"),
    }
}

fn parse(text: &str) -> Result<DocumentMut> {
    text.parse().context("lookfar.toml is not valid")
}

/// Returns the file's text with these keys changed; an empty value takes its key out.
fn changed(text: &str, changes: &[(String, String)]) -> Result<String> {
    let mut document = parse(text)?;
    for (key, value) in changes {
        let known = KEYS.iter().map(|(section, name, _)| (*section, *name)).chain([GRANTS]);
        let known = known.into_iter().find(|(section, name)| *key == format!("{section}.{name}"));
        let Some((section, name)) = known else { bail!("`{key}` cannot be changed here") };
        let value = value.trim();
        if value.is_empty() {
            if let Some(table) = document.get_mut(section).and_then(Item::as_table_like_mut) {
                table.remove(name);
            }
            continue;
        }
        let mut value: toml_edit::Value =
            value.parse().with_context(|| format!("`{key}` is not a value: {value}"))?;
        let table = document.entry(section).or_insert_with(toml_edit::table);
        let Some(table) = table.as_table_like_mut() else { bail!("`{section}` is no table") };
        match table.get_mut(name).and_then(Item::as_value_mut) {
            Some(old) => {
                // What stands around it, a comment behind it, stays.
                *value.decor_mut() = old.decor().clone();
                *old = value;
            }
            None => drop(table.insert(name, Item::Value(value))),
        }
    }
    Ok(document.to_string())
}

/// Returns the default of a key, as the template says it.
fn default(section: &str, name: &str) -> &'static str {
    let mut present = "";
    for line in TEMPLATE.lines() {
        if let Some(heading) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            present = heading;
        }
        let said = line.strip_prefix('#').and_then(|line| line.split_once(" = "));
        if let Some((key, value)) = said
            && present == section
            && key == name
        {
            return value;
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str, key: &str, value: &str) -> String {
        changed(text, &[(key.to_owned(), value.to_owned())]).unwrap()
    }

    #[test]
    fn keys_are_changed_and_comments_stay() {
        let text = "# mine\n[crawl]\n# why\ndepth = 3 # few\n#scope = \"sites\"\n\n[serve]\ntitle = \"T\"\n";
        let more = set(text, "crawl.depth", "9");
        assert_eq!(more, text.replace("depth = 3", "depth = 9"));
        let scope = set(text, "crawl.scope", "[\"dk\"]");
        assert!(scope.contains("scope = [\"dk\"]\n") && scope.contains("#scope = \"sites\""));
        assert_eq!(toml::from_str::<Config>(&scope).unwrap().crawl.depth, 3);
        let less = set(text, "crawl.depth", "");
        assert_eq!(toml::from_str::<Config>(&less).unwrap().crawl.depth, 32);
        assert!(less.contains("# mine") && less.contains("title = \"T\""));
        let new = set("", "rank.spam", "0.0");
        assert_eq!(toml::from_str::<Config>(&new).unwrap().rank.spam, 0.0);
        let template = set(TEMPLATE, "crawl.scope", "\"open\"");
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let added: Vec<String> =
            lines(&template).into_iter().filter(|line| !lines(TEMPLATE).contains(line)).collect();
        assert_eq!(added, ["scope = \"open\""]);
    }

    #[test]
    fn nothing_else_can_be_changed_and_nonsense_is_refused() {
        let refused = |key: &str, value: &str| {
            changed("[crawl]\n", &[(key.to_owned(), value.to_owned())]).is_err()
        };
        assert!(refused("serve.listen", "\"0.0.0.0:80\""));
        assert!(refused("crawl.addresses", "\"private\""));
        assert!(refused("crawl.depth", "3\n[serve]\nlisten = 1"));
        assert!(refused("crawl.depth", "]"));
        assert!(refused("depth", "3"));
    }

    #[test]
    fn what_would_not_start_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(folder.path()).unwrap();
        fs::write(collection.config(), "[crawl]\ndepth = 3\n").unwrap();
        let (crawl, searcher) =
            (Crawl::elsewhere(&collection), Searcher::open(&collection).unwrap());
        let set = |key: &str, value: &str| {
            super::set(&collection, &crawl, &searcher, &[(key.to_owned(), value.to_owned())])
        };
        assert!(set("crawl.depth", "\"deep\"").is_err());
        // The open web needs a contact, and there is none.
        assert!(set("crawl.scope", "\"open\"").is_err());
        assert_eq!(fs::read_to_string(collection.config()).unwrap(), "[crawl]\ndepth = 3\n");
        assert!(set("crawl.depth", "4").unwrap().contains("next start on: crawl.depth."));
        assert_eq!(set("crawl.depth", "4").unwrap(), "Nothing was changed.");
        let settings = read(&collection).unwrap();
        let depth = settings.keys.iter().find(|setting| setting.key == "crawl.depth").unwrap();
        assert_eq!((depth.value.as_str(), depth.default.as_str()), ("4", "32"));
        assert!(settings.keys.iter().all(|setting| !setting.default.is_empty()));
    }

    #[test]
    fn it_is_said_from_when_on_a_key_holds() {
        let written = "lookfar.toml is written.";
        let at_once = " The crawl goes by it at once; links that it has left out before are looked \
                       through again at the next start.";
        let check = |changed: &[&str], is_heard, expected: &str| {
            assert_eq!(told(changed, is_heard), format!("{written}{expected}"));
        };
        check(&["crawl.depth"], true, at_once);
        check(&["crawl.depth"], false, " From the next start on: crawl.depth.");
        check(&["crawl.again_after"], true, " From the next start on: crawl.again_after.");
        check(&["rank.spam"], false, " Results go by it at once.");
        check(&["graph.spam"], true, " The links are analysed anew.");
    }

    #[test]
    fn seeds_are_added_behind_those_that_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(folder.path()).unwrap();
        let path = folder.path().join("seeds.txt");
        fs::write(&path, "# mine\nhttps://a.example/").unwrap();
        let crawl = Crawl::elsewhere(&collection);
        let add = |urls: &[&str]| {
            let urls: Vec<String> = urls.iter().map(|url| (*url).to_owned()).collect();
            add_seeds(&collection, &crawl, &urls)
        };
        let told = add(&["a.example", "b.example", "b.example"]).unwrap();
        assert!(told.contains("1 pages") && told.contains("next crawl"), "{told}");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "# mine\nhttps://a.example/\nhttps://b.example/\n");
        assert!(add(&["ftp://a.example/"]).is_err());
        assert_eq!(read(&collection).unwrap().seeds.len(), 2);
    }

    #[test]
    fn a_seed_is_taken_out_and_the_last_one_stays() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(folder.path()).unwrap();
        let path = folder.path().join("seeds.txt");
        fs::write(&path, "# mine\nhttps://a.example/\n# and\nhttps://b.example/\n").unwrap();
        let crawl = Crawl::elsewhere(&collection);
        let remove = |url: &str| remove_seed(&collection, &crawl, url);
        assert!(remove("https://c.example/").unwrap().contains("not in seeds.txt"));
        assert!(remove("no address").is_err());
        let told = remove("https://a.example/").unwrap();
        assert!(told.contains("no longer"), "{told}");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "# mine\n# and\nhttps://b.example/\n");
        assert!(remove("https://b.example/").is_err(), "a crawl begins somewhere");
        assert_eq!(read(&collection).unwrap().seeds, ["https://b.example/"]);
    }
}
