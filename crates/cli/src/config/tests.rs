//! The template, the documentation and the code name the same keys with the same defaults.

use std::collections::BTreeSet;

use super::*;

const DOCUMENTATION: &str = include_str!("../../../../docs/configuration.md");

/// Returns the template with every key switched on.
fn uncommented() -> String {
    let lines = TEMPLATE.lines().map(|line| match line.strip_prefix("#") {
        Some(rest) if !rest.starts_with(' ') => rest,
        _ => line,
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns the keys of a table, those of tables in it with their path.
fn keys(table: &toml::Table, path: &str, sections: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (key, value) in table {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            toml::Value::Table(inner) if sections.contains(&path.as_str()) => {
                found.extend(keys(inner, &path, sections));
            }
            _ => {
                found.insert(path);
            }
        }
    }
    found
}

const SECTIONS: [&str; 7] = ["crawl", "crawl.urls", "fetch", "index", "graph", "rank", "serve"];

/// Returns the keys that the code knows: serde lists them when it meets one it does not know.
fn known() -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for section in SECTIONS {
        let error = toml::from_str::<Config>(&format!("[{section}]\nnosuchkey = 1")).unwrap_err();
        let text = error.message().to_owned();
        let (_, list) = text.split_once("expected").unwrap_or_else(|| panic!("{text}"));
        let names = list.split('`').skip(1).step_by(2);
        known.extend(names.map(|name| format!("{section}.{name}")));
    }
    known.into_iter().filter(|key| !SECTIONS.contains(&key.as_str())).collect()
}

#[test]
fn the_template_with_every_key_uncommented_says_the_defaults() {
    let text = uncommented();
    let config: Config = toml::from_str(&text).expect(&text);
    assert_eq!(format!("{config:?}"), format!("{:?}", Config::default()));
    let table: toml::Table = toml::from_str(&text).unwrap();
    let written = keys(&table, "", &SECTIONS);
    assert_eq!(written, known(), "a key without its line in the template, or the other way round");
    assert_eq!(written.len(), 108, "count them again");
}

#[test]
fn the_template_as_it_is_says_the_defaults() {
    let config: Config = toml::from_str(TEMPLATE).unwrap();
    assert_eq!(format!("{config:?}"), format!("{:?}", Config::default()));
}

#[test]
fn the_documentation_has_every_key_with_its_default() {
    let table: toml::Table = toml::from_str(&uncommented()).unwrap();
    let mut section = String::new();
    let mut documented = BTreeSet::new();
    for line in DOCUMENTATION.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let name = heading.strip_prefix("`[").and_then(|name| name.strip_suffix("]`"));
            section = name.unwrap_or_default().to_owned();
        }
        if section.is_empty() {
            continue;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, key, default, ..] = cells.as_slice() else { continue };
        let Some(key) = key.strip_prefix('`').and_then(|key| key.strip_suffix('`')) else {
            continue;
        };
        let inside = section.split('.').try_fold(&table, |table, name| table[name].as_table());
        let value = &inside.unwrap()[key];
        let said: toml::Table = toml::from_str(&format!("x = {}", default.trim_matches('`')))
            .unwrap_or_else(|error| panic!("{section}.{key}: {error}"));
        assert_eq!(&said["x"], value, "the default of {section}.{key}");
        documented.insert(format!("{section}.{key}"));
    }
    assert_eq!(documented, known());
}

#[test]
fn the_examples_in_the_documentation_are_valid() {
    let mut examples = 0;
    for block in DOCUMENTATION.split("```toml\n").skip(1) {
        let (text, _) = block.split_once("```").expect("a block that is closed");
        let config: Config = toml::from_str(text).unwrap_or_else(|e| panic!("{text}\n{e}"));
        config.crawl_options(&[]).unwrap_or_else(|e| panic!("{text}\n{e}"));
        examples += 1;
    }
    assert!(examples >= 3, "{examples} examples");
}

#[test]
fn unknown_keys_and_bad_values_are_errors_that_say_what_to_write() {
    for (text, advice) in [
        ("[crawl]\ndelai = \"1s\"", "unknown field `delai`"),
        ("[crawl.urls]\ndrop = true", "unknown field `drop`"),
        ("[fetch]\nconect = \"1s\"", "unknown field `conect`"),
        ("[crawl]\ndelay = \"soon\"", "write it like `250ms`"),
        ("[crawl]\ndelay = 1", "expected a string"),
        ("[crawl]\nbytes = \"much\"", "write it like `500kB`"),
        ("[crawl]\nscope = \"opne\"", "write \"page\", \"host\""),
        ("[crawl]\nexclude = [\"ftp://a.example/\"]", "only http and https are"),
        ("[crawl]\ntypes = [\"pdf\"]", "an extension with its dot"),
        ("[crawl]\nstrategy = \"best\"", "best-first"),
        ("[crawl]\npriority = [{ pattern = \"*\" }]", "missing field `add`"),
    ] {
        let error = toml::from_str::<Config>(text).expect_err(text).to_string();
        assert!(error.contains(advice), "{text}: {error}");
    }
}

#[test]
fn weights_that_are_none_are_refused() {
    for (line, reason) in [
        ("b = 1.5", "weight `b` must be between 0 and 1, not 1.5"),
        ("k1 = -1.0", "weight `k1` must be between 0 and 1000000, not -1"),
        ("links = nan", "weight `links` must be between 0 and 1000000, not NaN"),
    ] {
        let config: Config = toml::from_str(&format!("[rank]\n{line}")).unwrap();
        let error = config.search_options().unwrap_err().to_string();
        assert_eq!(error, format!("[rank] in lookfar.toml: {reason}"));
    }
}

#[test]
fn the_index_has_the_memory_that_it_needs_and_more_where_nothing_is_crawled() {
    let of = |text: &str| toml::from_str::<Config>(text).unwrap();
    let mib = |bytes: usize| bytes / (1024 * 1024);
    let live =
        |config: &Config| config.live_index_options().map(|options| mib(options.memory_bytes));
    let anew = |config: &Config| mib(config.refill_options().unwrap().memory_bytes);
    let config = Config::default();
    assert_eq!((live(&config).unwrap(), anew(&config)), (64, 1_024));
    let config = of("[crawl]\nmemory = \"128MiB\"\n[index]\nmemory = \"24MiB\"");
    assert_eq!((live(&config).unwrap(), anew(&config)), (24, 64));
    let config = of("[crawl]\nmemory = \"0B\"\n[index]\nmemory = \"3GiB\"");
    assert_eq!((live(&config).unwrap(), anew(&config)), (3_072, 3_072));
    let little = live(&of("[index]\nmemory = \"23MiB\"")).unwrap_err().to_string();
    assert!(little.contains("`index.memory`") && little.contains("24MiB"), "{little}");
}

#[test]
fn web_09_proxies_are_addresses_and_networks_and_nothing_else() {
    let serve =
        |list: &str| toml::from_str::<Config>(&format!("[serve]\ntrusted_proxies = {list}"));
    let proxies = serve("[\"192.0.2.7\", \"fd00::/8\"]").unwrap().serve.trusted_proxies;
    assert!(proxies.len() == 2 && proxies[1].contains("fd00::1".parse().unwrap()));
    for bad in ["[\"proxy.example\"]", "[\"10.0.0.0/40\"]", "[7]", "\"10.0.0.1\""] {
        let error = serve(bad).unwrap_err().to_string();
        assert!(error.contains("trusted_proxies"), "{error}");
    }
}
