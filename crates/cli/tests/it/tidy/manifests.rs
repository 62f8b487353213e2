//! Which crate may use which: arrows between ours, homes of the heavy ones of others.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::rust;

/// From each package of ours to those that it may use, which all stand above it.
///
/// A new arrow is its own commit with a decision note in `docs/decisions/`.
pub(super) const ARROWS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("text", &["base"]),
    ("archive", &["base"]),
    ("parse", &["base", "text"]),
    ("crawl", &["base", "archive", "parse"]),
    ("graph", &["base"]),
    ("index", &["base", "text"]),
    ("rank", &["base", "text", "index", "graph"]),
    ("serve", &["base", "rank"]),
    ("testweb", &["base"]),
    (
        "cli",
        &[
            "base", "text", "archive", "parse", "crawl", "graph", "index", "rank", "serve",
            "testweb",
        ],
    ),
    // `crawl` takes minutes to build; what is read of robots.txt is included as sources.
    ("fuzz", &["base", "archive", "parse", "rank"]),
    // It must build in seconds on a machine where nothing else does yet.
    ("xtask", &[]),
    // Comparisons, in the workspace `benches`.
    ("html", &["base", "text", "parse"]),
    ("bv", &["graph"]),
];

/// What the tests of every crate may use besides its arrows.
const FOR_TESTS: &[&str] = &["testweb"];

/// Heavy dependencies, and the files that may speak to them.
pub(super) const HOMES: &[Home] = &[
    Home {
        what: "an HTTP client or resolver",
        names: &["hyper-rustls", "hickory-resolver", "reqwest", "ureq"],
        paths: &["crates/crawl/"],
    },
    // `testweb` may ask itself; everyone else reaches the network through `crawl`.
    Home {
        what: "an HTTP client",
        names: &["hyper::client", "hyper_util::client"],
        paths: &["crates/crawl/", "crates/testweb/"],
    },
    // `testweb` serves it, well and badly.
    Home { what: "TLS", names: &["rustls"], paths: &["crates/crawl/", "crates/testweb/"] },
    Home {
        what: "HTTP itself",
        names: &["hyper", "hyper-util"],
        paths: &["crates/crawl/", "crates/serve/", "crates/testweb/"],
    },
    // A bench of the crawl compares it with the bare tokeniser.
    Home {
        what: "the HTML parser",
        names: &["html5ever", "markup5ever", "scraper"],
        paths: &["crates/parse/", "crates/crawl/benches/"],
    },
    Home {
        what: "what the HTML parser is compared with",
        names: &["dom_query", "dom_smoothie"],
        paths: &["benches/html/"],
    },
    Home { what: "the key-value store", names: &["fjall"], paths: &["crates/crawl/"] },
    Home {
        what: "the inverted index",
        names: &["tantivy"],
        // A bench of the server compares it with the bare ones.
        paths: &["crates/index/", "crates/rank/", "crates/cli/benches/"],
    },
    // Graphs are read and written by code of our own; a bench compares it with the library.
    Home {
        what: "the graph library",
        names: &["webgraph", "webgraph-algo", "dsi-bitstream"],
        paths: &["benches/bv/"],
    },
    Home { what: "memory maps", names: &["memmap2"], paths: &["crates/graph/"] },
    Home {
        what: "the web server",
        names: &["axum", "tower-http", "askama"],
        paths: &["crates/serve/", "crates/cli/benches/"],
    },
    Home {
        what: "the argument parser",
        names: &["clap", "clap_complete", "clap_mangen"],
        paths: &["crates/cli/", "crates/testweb/src/main.rs", "crates/testweb/src/main/"],
    },
    Home { what: "the Parquet writer", names: &["parquet"], paths: &["crates/cli/"] },
    Home {
        what: "untyped errors",
        names: &["anyhow"],
        paths: &["crates/cli/", "crates/testweb/src/main.rs", "crates/testweb/src/main/", "xtask/"],
    },
];

/// Dependencies that keep to their home in programs, but that any test may use.
const FREE_IN_TESTS: &[&str] = &["anyhow"];

/// A kind of dependency and where it lives.
pub(super) struct Home {
    what: &'static str,
    /// Package names, or paths in code where only a part of a package is meant.
    names: &'static [&'static str],
    /// A folder ends with `/`.
    paths: &'static [&'static str],
}

/// What the rules need to know of a `Cargo.toml`.
#[derive(Debug)]
pub(super) struct Manifest {
    /// Relative to the root: `crates/base`.
    pub(super) folder: String,
    package: String,
    uses: Vec<Use>,
    has_common_lints: bool,
}

#[derive(Debug, PartialEq)]
struct Use {
    package: String,
    /// Build scripts count as the program.
    by: By,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Program,
    Tests,
}

impl Manifest {
    /// Reads a manifest; `renames` is what [`renames`] found in the root's.
    pub(super) fn parse(
        folder: &str,
        text: &str,
        renames: &BTreeMap<String, String>,
    ) -> Result<Self, String> {
        let table = parse_table(&format!("{folder}/Cargo.toml"), text)?;
        let package = table
            .get("package")
            .and_then(|package| package.get("name"))
            .and_then(Value::as_str)
            .ok_or_else(|| format!("{folder}/Cargo.toml: has no `package.name`"))?;
        let mut uses = uses_in(&table, renames);
        let targets = table.get("target").and_then(Value::as_table);
        for target in targets.into_iter().flat_map(Table::values).filter_map(Value::as_table) {
            uses.extend(uses_in(target, renames));
        }
        let lints = table.get("lints").and_then(|lints| lints.get("workspace"));
        Ok(Self {
            folder: folder.to_owned(),
            package: package.to_owned(),
            uses,
            has_common_lints: lints.and_then(Value::as_bool) == Some(true),
        })
    }
}

fn uses_in(table: &Table, renames: &BTreeMap<String, String>) -> Vec<Use> {
    let mut uses = Vec::new();
    let sections = [
        ("dependencies", By::Program),
        ("build-dependencies", By::Program),
        ("dev-dependencies", By::Tests),
    ];
    for (section, by) in sections {
        let entries = table.get(section).and_then(Value::as_table);
        for (key, value) in entries.into_iter().flatten() {
            let renamed = value.get("package").and_then(Value::as_str);
            let package = renamed.or(renames.get(key).map(String::as_str)).unwrap_or(key);
            uses.push(Use { package: package.to_owned(), by });
        }
    }
    uses
}

/// Returns the names under which the root's manifest hides other packages.
pub(super) fn renames(root: &str) -> Result<BTreeMap<String, String>, String> {
    let table = parse_table("Cargo.toml", root)?;
    let shared = table.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let mut renames = BTreeMap::new();
    for (key, value) in shared.and_then(Value::as_table).into_iter().flatten() {
        if let Some(package) = value.get("package").and_then(Value::as_str) {
            renames.insert(key.clone(), package.to_owned());
        }
    }
    Ok(renames)
}

/// Returns the folders of a workspace's packages; `crates/*` means those that have a manifest.
///
/// `path` is that of the workspace's manifest, `text` what stands there.
pub(super) fn workspace_folders(
    path: &str,
    text: &str,
    paths: &BTreeSet<String>,
) -> Result<Vec<String>, String> {
    let table = parse_table(path, text)?;
    let start = path.strip_suffix("Cargo.toml").unwrap_or_default();
    let members = table.get("workspace").and_then(|workspace| workspace.get("members"));
    let members = members
        .and_then(Value::as_array)
        .ok_or_else(|| format!("{path}: has no `workspace.members`"))?;
    let mut folders = Vec::new();
    for member in members.iter().filter_map(Value::as_str) {
        let member = format!("{start}{member}");
        let Some(parent) = member.strip_suffix("/*") else {
            folders.push(member);
            continue;
        };
        let inside = paths.iter().filter_map(|path| path.strip_suffix("/Cargo.toml"));
        let children = inside
            .filter(|folder| folder.rsplit_once('/').is_some_and(|(above, _)| above == parent));
        folders.extend(children.map(str::to_owned));
    }
    Ok(folders)
}

fn parse_table(path: &str, text: &str) -> Result<Table, String> {
    text.parse().map_err(|error| format!("{path}: {error}"))
}

/// Checks that packages use each other along `arrows` only, and that the table knows them all.
pub(super) fn check_arrows(packages: &[Manifest], arrows: &[(&str, &[&str])]) -> Vec<String> {
    let ours: BTreeSet<&str> = packages.iter().map(|manifest| manifest.package.as_str()).collect();
    let mut findings = Vec::new();
    for manifest in packages {
        let Manifest { folder, package, .. } = manifest;
        let Some((_, allowed)) = arrows.iter().find(|(from, _)| from == package) else {
            findings.push(format!("{folder}: `{package}` is not in the table of arrows; add it"));
            continue;
        };
        for Use { package: to, by } in &manifest.uses {
            let in_tests = *by == By::Tests && FOR_TESTS.contains(&to.as_str());
            if ours.contains(to.as_str()) && !allowed.contains(&to.as_str()) && !in_tests {
                findings.push(format!(
                    "{folder}/Cargo.toml: no arrow leads from `{package}` to `{to}`; \
                     hand over through a record in `base`"
                ));
            }
        }
    }
    let gone = arrows.iter().filter(|(from, _)| !ours.contains(from));
    findings.extend(gone.map(|(from, _)| {
        format!("table of arrows: `{from}` is no package of the workspace; take it out")
    }));
    findings
}

/// Checks that each folder is called like its package, and takes the workspace's lints.
pub(super) fn check_names_and_lints(packages: &[Manifest]) -> Vec<String> {
    let mut findings = Vec::new();
    for Manifest { folder, package, has_common_lints, .. } in packages {
        if folder.rsplit('/').next() != Some(package) {
            findings.push(format!("{folder}: holds package `{package}`; give both one name"));
        }
        if !has_common_lints {
            findings.push(format!("{folder}/Cargo.toml: lacks `[lints] workspace = true`"));
        }
    }
    findings
}

/// Checks that no manifest names a heavy dependency outside its home.
pub(super) fn check_homes(packages: &[Manifest], homes: &[Home]) -> Vec<String> {
    let mut findings = Vec::new();
    for manifest in packages {
        let folder = format!("{}/", manifest.folder);
        for Use { package, by } in &manifest.uses {
            let name = package.as_str();
            if *by == By::Tests && FREE_IN_TESTS.contains(&name) {
                continue;
            }
            for home in homes.iter().filter(|home| home.names.contains(&name)) {
                if !home.paths.iter().any(|path| path.starts_with(&folder)) {
                    findings.push(out_of_home(&format!("{folder}Cargo.toml"), name, home));
                }
            }
        }
    }
    findings
}

/// Checks that the code of one file, its comments blanked, keeps to the homes as well.
pub(super) fn check_mentions(path: &str, code: &str, homes: &[Home]) -> Vec<String> {
    let mut findings = Vec::new();
    for home in homes {
        if home.paths.iter().any(|prefix| path.starts_with(prefix)) {
            continue;
        }
        for name in home.names {
            let free = path.contains("/tests/") && FREE_IN_TESTS.contains(name);
            let in_code = format!("{}::", name.replace('-', "_"));
            if !free && rust::mentions(code, &in_code) {
                findings.push(out_of_home(path, name, home));
            }
        }
    }
    findings
}

fn out_of_home(place: &str, name: &str, home: &Home) -> String {
    format!("{place}: uses `{name}`, but {} lives in {}", home.what, home.paths.join(", "))
}

#[cfg(test)]
mod tests;
