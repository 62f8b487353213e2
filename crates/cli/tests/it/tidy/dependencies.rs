//! Holds `docs/develop/dependencies.md` against `Cargo.toml` and `Cargo.lock`.
//!
//! The document has one table row for each direct dependency: `` | `name` | job | why | packages |
//! seconds | ``. The packages a dependency brings are those that would leave `Cargo.lock` with it.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

/// Most packages that `Cargo.lock` may have; each of them has to be built and audited.
pub(super) const MOST_PACKAGES: usize = 450;

/// Checks the rows of the document, and the size of the lock file.
pub(super) fn check(manifest: &str, lock: &str, document: &str) -> Result<Vec<String>, String> {
    let direct = direct(manifest)?;
    let graph = Graph::parse(lock)?;
    let rows = rows(document);
    let mut findings = Vec::new();
    let in_all = graph.uses.len();
    if in_all > MOST_PACKAGES {
        findings.push(format!("Cargo.lock: has {in_all} packages, more than {MOST_PACKAGES}"));
    }
    for name in &direct {
        let brings = graph.brought_by(name).to_string();
        match rows.get(name.as_str()) {
            None => findings.push(format!("{PATH}: has no row for `{name}`; it brings {brings}")),
            Some(packages) if *packages != brings => findings.push(format!(
                "{PATH}: `{name}` brings {brings} packages, not {packages}; correct the row"
            )),
            Some(_) => {}
        }
    }
    let gone = rows.keys().filter(|name| !direct.contains(**name));
    findings
        .extend(gone.map(|name| format!("{PATH}: `{name}` is not in Cargo.toml; remove its row")));
    let stated = format!("**{in_all}** packages");
    if !document.contains(&stated) {
        findings.push(format!("{PATH}: does not say that Cargo.lock has {stated}"));
    }
    Ok(findings)
}

pub(super) const PATH: &str = "docs/develop/dependencies.md";

/// Returns the packages of others that the workspace names.
fn direct(manifest: &str) -> Result<BTreeSet<String>, String> {
    let table: Table = manifest.parse().map_err(|error| format!("Cargo.toml: {error}"))?;
    let named = table.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let named = named.and_then(Value::as_table).ok_or("Cargo.toml: has no dependencies")?;
    let others = named.iter().filter(|(_, value)| value.get("path").is_none());
    Ok(others.map(|(name, _)| name.clone()).collect())
}

/// Returns the packages column by name.
fn rows(document: &str) -> BTreeMap<&str, &str> {
    let row = |line| {
        let mut cells = str::split(line, '|').map(str::trim);
        let name = cells.nth(1)?.strip_prefix('`')?.strip_suffix('`')?;
        let packages = cells.nth(2)?;
        cells.nth(1)?;
        Some((name, packages))
    };
    document.lines().filter_map(row).collect()
}

/// Which package of the lock file uses which.
struct Graph {
    /// By name and version; packages with no source are ours.
    uses: BTreeMap<(String, String), Vec<(String, String)>>,
    ours: Vec<(String, String)>,
}

impl Graph {
    fn parse(lock: &str) -> Result<Self, String> {
        let table: Table = lock.parse().map_err(|error| format!("Cargo.lock: {error}"))?;
        let packages = table.get("package").and_then(Value::as_array);
        let packages = packages.ok_or("Cargo.lock: has no packages")?;
        let text = |package: &Value, key| {
            package.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let keys: Vec<_> = packages
            .iter()
            .map(|package| (text(package, "name"), text(package, "version")))
            .collect();
        // `name`, or `name version` where the name alone would mean several.
        let find = |use_: &str| {
            let (name, version) = use_.split_once(' ').unwrap_or((use_, ""));
            let version = version.split(' ').next().unwrap_or_default();
            keys.iter()
                .find(|key| key.0 == name && (version.is_empty() || key.1 == version))
                .cloned()
        };
        let mut graph = Self { uses: BTreeMap::new(), ours: Vec::new() };
        for (package, key) in packages.iter().zip(&keys) {
            let uses = package.get("dependencies").and_then(Value::as_array);
            let uses = uses.into_iter().flatten().filter_map(Value::as_str).filter_map(find);
            graph.uses.insert(key.clone(), uses.collect());
            if package.get("source").is_none() {
                graph.ours.push(key.clone());
            }
        }
        Ok(graph)
    }

    /// Returns how many packages would leave the lock file with this one, itself included.
    fn brought_by(&self, name: &str) -> usize {
        self.num_reached(None) - self.num_reached(Some(name))
    }

    /// Counts what our packages reach, not through the one named.
    fn num_reached(&self, without: Option<&str>) -> usize {
        let mut seen = BTreeSet::new();
        let mut stack: Vec<_> = self.ours.iter().collect();
        while let Some(key) = stack.pop() {
            if Some(key.0.as_str()) != without && seen.insert(key) {
                stack.extend(self.uses.get(key).into_iter().flatten());
            }
        }
        seen.len()
    }
}

#[cfg(test)]
mod tests;
