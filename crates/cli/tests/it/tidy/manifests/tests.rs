//! Tests of the rules about manifests, on made-up ones.

use super::*;

const MADE_UP_ARROWS: &[(&str, &[&str])] = &[("low", &[]), ("high", &["low"]), ("testweb", &[])];
const MADE_UP_HOMES: &[Home] = &[
    Home { what: "the engine", names: &["big-engine"], paths: &["crates/high/"] },
    Home { what: "errors", names: &["anyhow"], paths: &["crates/low/src/main.rs"] },
    Home { what: "a part", names: &["net::client"], paths: &["crates/low/"] },
];

fn manifest(folder: &str, rest: &str) -> Manifest {
    let name = folder.rsplit('/').next().expect("a split has a last part");
    let text = format!("package.name = '{name}'\nlints.workspace = true\n{rest}");
    Manifest::parse(folder, &text, &BTreeMap::new()).expect("made-up manifests are well formed")
}

/// Checks package `crates/low` with these lines in its manifest, beside a good `crates/high`.
#[track_caller]
fn check_low(rest: &str, expected: &[&str]) {
    let packages = [
        manifest("crates/low", rest),
        manifest("crates/high", "[dependencies]\nlow.workspace = true\nbig-engine = '1'"),
        manifest("crates/testweb", ""),
    ];
    let mut findings = check_arrows(&packages, MADE_UP_ARROWS);
    findings.extend(check_homes(&packages, MADE_UP_HOMES));
    assert_eq!(findings, expected);
}

const WRONG_ARROW: &str = "crates/low/Cargo.toml: no arrow leads from `low` to `high`; \
                           hand over through a record in `base`";
const WRONG_HOME: &str =
    "crates/low/Cargo.toml: uses `big-engine`, but the engine lives in crates/high/";

#[test]
fn allowed_manifests_pass() {
    check_low("[dependencies]\nserde = '1'", &[]);
}

#[test]
fn arrow_against_the_flow_is_found() {
    check_low("dependencies.high.workspace = true", &[WRONG_ARROW]);
    check_low("build-dependencies.high = { path = '../high' }", &[WRONG_ARROW]);
    check_low("dev-dependencies.high.workspace = true", &[WRONG_ARROW]);
    check_low("[target.'cfg(unix)'.dependencies]\nhigh.workspace = true", &[WRONG_ARROW]);
    check_low("dependencies.other = { package = 'high', path = '../high' }", &[WRONG_ARROW]);
}

#[test]
fn rename_in_the_root_does_not_hide_an_arrow() {
    let root = "[workspace.dependencies]\nother = { path = 'crates/high', package = 'high' }";
    let renames = renames(root).expect("it is well formed");
    let text = "package.name = 'low'\ndependencies.other.workspace = true";
    let low = Manifest::parse("crates/low", text, &renames).expect("it is well formed");
    assert_eq!(low.uses, [Use { package: "high".to_owned(), by: By::Program }]);
}

#[test]
fn only_tests_may_use_the_made_up_web() {
    check_low("dev-dependencies.testweb.workspace = true", &[]);
    check_low(
        "dependencies.testweb.workspace = true",
        &["crates/low/Cargo.toml: no arrow leads from `low` to `testweb`; \
           hand over through a record in `base`"],
    );
}

#[test]
fn heavy_dependency_out_of_its_home_is_found() {
    check_low("dependencies.big-engine = '1'", &[WRONG_HOME]);
    check_low("dev-dependencies.big-engine = '1'", &[WRONG_HOME]);
}

#[test]
fn untyped_errors_are_free_in_tests_only() {
    let high = [manifest("crates/high", "dev-dependencies.anyhow = '1'")];
    assert!(check_homes(&high, MADE_UP_HOMES).is_empty());
    let high = [manifest("crates/high", "dependencies.anyhow = '1'")];
    assert_eq!(check_homes(&high, MADE_UP_HOMES).len(), 1);
}

#[track_caller]
fn check_code(path: &str, code: &str, expected: &[&str]) {
    assert_eq!(check_mentions(path, code, MADE_UP_HOMES), expected);
}

#[test]
fn code_keeps_to_the_homes() {
    check_code("crates/low/src/main.rs", "use anyhow::Result;", &[]);
    check_code(
        "crates/low/src/lib.rs",
        "use anyhow::Result;",
        &["crates/low/src/lib.rs: uses `anyhow`, but errors lives in crates/low/src/main.rs"],
    );
    check_code("crates/low/tests/it/main.rs", "anyhow::bail!()", &[]);
    check_code("crates/low/src/lib.rs", "use net::client::Client;", &[]);
    check_code(
        "crates/high/src/lib.rs",
        "use big_engine::X; use net::client::Client;",
        &["crates/high/src/lib.rs: uses `net::client`, but a part lives in crates/low/"],
    );
}

#[test]
fn table_of_arrows_and_workspace_agree() {
    let packages = [manifest("crates/low", ""), manifest("crates/extra", "")];
    assert_eq!(
        check_arrows(&packages, &[("low", &[]), ("gone", &[])]),
        [
            "crates/extra: `extra` is not in the table of arrows; add it",
            "table of arrows: `gone` is no package of the workspace; take it out",
        ]
    );
}

#[test]
fn folder_with_another_name_and_missing_lints_are_found() {
    let text = "package.name = 'low_level'";
    let low = Manifest::parse("crates/low", text, &BTreeMap::new()).expect("it is well formed");
    assert_eq!(
        check_names_and_lints(&[low]),
        [
            "crates/low: holds package `low_level`; give both one name",
            "crates/low/Cargo.toml: lacks `[lints] workspace = true`",
        ]
    );
}

#[test]
fn workspace_folders_are_those_with_a_manifest() {
    let root = "workspace.members = ['crates/*', 'xtask']";
    let paths =
        ["crates/a/Cargo.toml", "crates/a/fuzz/Cargo.toml", "crates/README.md", "b/Cargo.toml"];
    let paths = paths.map(str::to_owned).into_iter().collect();
    assert_eq!(
        workspace_folders("Cargo.toml", root, &paths),
        Ok(vec!["crates/a".to_owned(), "xtask".to_owned()])
    );
    let own = workspace_folders("crates/Cargo.toml", "workspace.members = ['*']", &paths);
    assert_eq!(own, Ok(vec!["crates/a".to_owned()]));
}

#[test]
fn broken_manifest_is_named() {
    let broken = Manifest::parse("crates/low", "package = [", &BTreeMap::new());
    assert!(broken.is_err_and(|what| what.starts_with("crates/low/Cargo.toml: ")));
    let nameless = Manifest::parse("crates/low", "", &BTreeMap::new());
    assert!(nameless.is_err_and(|what| what.ends_with("has no `package.name`")));
}

#[test]
fn arrows_lead_upwards_only_so_there_is_no_cycle() {
    for (at, (from, allowed)) in ARROWS.iter().enumerate() {
        for to in *allowed {
            let above = ARROWS[..at].iter().any(|(name, _)| name == to);
            assert!(above, "`{to}` does not stand above `{from}`");
        }
    }
}
