//! House rules that a machine can check: `cargo test -p cli tidy`.
//!
//! Each rule is a pure function from text to a list of findings, with tests of its own on
//! made-up bad input. The tests in this file run the rules over the repository itself and
//! print every finding at once, as `place: what is wrong, what to do`.
//!
//! - [`manifests`]: arrows between crates and the homes of heavy dependencies.
//! - [`sources`]: file length, module docs, the five answers, the size of `base`, `unsafe`.
//! - [`cases`]: the tests that the page of hostile inputs names.
//! - [`dependencies`]: the document of direct dependencies, the size of `Cargo.lock`.
//! - [`docs`]: the three lists of crates, paths named in docs, placeholder text.
//! - [`rust`]: tells code from comments and literals, for the rules above.

mod cases;
mod dependencies;
mod docs;
mod manifests;
mod rust;
mod sources;

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// A text file of the repository; its path is relative to the root, with `/`.
struct File {
    path: String,
    text: String,
}

impl File {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, found)| extensions.contains(&found))
    }
}

/// The repository as the rules see it.
struct Repository {
    /// Every text file that some rule reads, sorted by path.
    files: Vec<File>,
    /// Every file and folder, text or not.
    paths: BTreeSet<String>,
}

impl Repository {
    fn open(root: &Path) -> io::Result<Self> {
        let mut repository = Self { files: Vec::new(), paths: BTreeSet::new() };
        repository.visit(root, "", 0)?;
        repository.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(repository)
    }

    /// Reads one folder and those below it; symbolic links are not followed.
    fn visit(&mut self, root: &Path, folder: &str, depth: usize) -> io::Result<()> {
        if depth > MAX_DEPTH {
            return Err(io::Error::other(format!("`{folder}` is nested too deeply")));
        }
        for entry in fs::read_dir(root.join(folder))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_left_out(folder, &name) {
                continue;
            }
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.visit(root, &path, depth + 1)?;
            } else if kind.is_file() && is_text(&path) {
                let bytes = fs::read(entry.path())?;
                let text = String::from_utf8_lossy(&bytes).into_owned();
                self.files.push(File { path: path.clone(), text });
            }
            self.paths.insert(path);
        }
        Ok(())
    }

    fn text(&self, path: &str) -> &str {
        self.files
            .iter()
            .find(|file| file.path == path)
            .map_or_else(|| panic!("`{path}` is missing"), |file| &file.text)
    }

    fn markdown(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.has_extension(&["md"]))
    }

    fn rust(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.has_extension(&["rs"]))
    }

    /// Returns the packages of both workspaces, read from their manifests.
    fn packages(&self) -> Result<Vec<manifests::Manifest>, String> {
        let renames = manifests::renames(self.text("Cargo.toml"))?;
        let mut packages = Vec::new();
        for path in ["Cargo.toml", "benches/Cargo.toml"] {
            for folder in manifests::workspace_folders(path, self.text(path), &self.paths)? {
                let manifest = self.text(&format!("{folder}/Cargo.toml"));
                packages.push(manifests::Manifest::parse(&folder, manifest, &renames)?);
            }
        }
        Ok(packages)
    }
}

/// No folder of ours is nested as deeply as this.
const MAX_DEPTH: usize = 24;

static REPOSITORY: LazyLock<Repository> = LazyLock::new(|| {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    Repository::open(&root).unwrap_or_else(|error| panic!("cannot read `{root:?}`: {error}"))
});

/// Tells what git ignores too: builds, tools and a collection made at the root.
fn is_left_out(folder: &str, name: &str) -> bool {
    matches!(name, ".git" | "target" | ".tools") || (folder.is_empty() && name == "lookfar")
}

fn is_text(path: &str) -> bool {
    const EXTENSIONS: &[&str] = &["rs", "md", "toml", "html", "css", "js", "py", "sh", "txt"];
    path == ".ci/run"
        || path == "Cargo.lock"
        || path.rsplit_once('.').is_some_and(|(_, found)| EXTENSIONS.contains(&found))
}

/// Fails with all findings, so that one run shows everything there is to do.
#[track_caller]
fn assert_none(findings: &[String]) {
    assert!(findings.is_empty(), "{} to tidy:\n{}\n", findings.len(), findings.join("\n"));
}

#[test]
fn crates_depend_on_each_other_only_along_the_arrows() {
    let packages = REPOSITORY.packages().unwrap_or_else(|what| panic!("{what}"));
    assert_none(&manifests::check_arrows(&packages, manifests::ARROWS));
}

#[test]
fn every_direct_dependency_is_documented() {
    let [manifest, lock, document] =
        ["Cargo.toml", "Cargo.lock", dependencies::PATH].map(|path| REPOSITORY.text(path));
    let findings = dependencies::check(manifest, lock, document);
    assert_none(&findings.unwrap_or_else(|what| panic!("{what}")));
}

#[test]
fn folder_and_package_have_one_name_and_the_common_lints() {
    let packages = REPOSITORY.packages().unwrap_or_else(|what| panic!("{what}"));
    assert_none(&manifests::check_names_and_lints(&packages));
}

#[test]
fn heavy_dependencies_stay_in_their_homes() {
    let packages = REPOSITORY.packages().unwrap_or_else(|what| panic!("{what}"));
    let mut findings = manifests::check_homes(&packages, manifests::HOMES);
    for file in REPOSITORY.rust() {
        let code = rust::code_only(&file.text);
        findings.extend(manifests::check_mentions(&file.path, &code, manifests::HOMES));
    }
    assert_none(&findings);
}

#[test]
fn no_file_is_too_long() {
    let written = REPOSITORY.files.iter().filter(|file| file.path != "Cargo.lock");
    let limits = written.filter_map(sources::check_length);
    assert_none(&limits.collect::<Vec<_>>());
}

#[test]
fn base_stays_small() {
    let findings = sources::check_base(&REPOSITORY.files);
    assert_none(&findings.into_iter().collect::<Vec<_>>());
}

#[test]
fn every_module_says_what_it_is() {
    let findings = REPOSITORY.rust().filter_map(sources::check_module_doc);
    assert_none(&findings.collect::<Vec<_>>());
}

#[test]
fn every_crate_opens_with_the_five_answers() {
    let mut findings = Vec::new();
    for package in REPOSITORY.packages().unwrap_or_else(|what| panic!("{what}")) {
        let Some(folder) = package.folder.strip_prefix("crates/").map(|_| &package.folder) else {
            continue;
        };
        let root = [format!("{folder}/src/lib.rs"), format!("{folder}/src/main.rs")]
            .into_iter()
            .find(|path| REPOSITORY.paths.contains(path))
            .unwrap_or_else(|| panic!("`{folder}` has neither src/lib.rs nor src/main.rs"));
        findings.extend(sources::check_five_answers(&root, REPOSITORY.text(&root)));
    }
    assert_none(&findings);
}

#[test]
fn unsafe_code_is_listed_and_proved() {
    assert_none(&sources::check_unsafe(&REPOSITORY.files, sources::UNSAFE_MODULES));
}

#[test]
fn spm_10_no_map_that_strangers_fill_has_a_hash_without_a_key() {
    assert_none(&sources::check_hashers(&REPOSITORY.files, sources::KEYLESS));
}

#[test]
fn the_three_lists_of_crates_agree() {
    let path = "Cargo.toml";
    let folders = manifests::workspace_folders(path, REPOSITORY.text(path), &REPOSITORY.paths)
        .unwrap_or_else(|what| panic!("{what}"));
    let readme = docs::crates_in_readme(REPOSITORY.text("crates/README.md"));
    let map = docs::code_map(REPOSITORY.text("ARCHITECTURE.md"));
    let mut findings = docs::check_lists(&folders, &readme, &map);
    findings.extend(docs::check_code_map(&map));
    assert_none(&findings);
}

#[test]
fn paths_named_in_docs_exist() {
    let findings =
        REPOSITORY.markdown().flat_map(|file| docs::check_paths(file, &REPOSITORY.paths));
    assert_none(&findings.collect::<Vec<_>>());
}

#[test]
fn tests_named_for_hostile_inputs_exist() {
    let page = REPOSITORY.text("docs/hostile-inputs.md");
    assert_none(&cases::check(page, &REPOSITORY.files));
}

#[test]
fn no_placeholder_text_is_left() {
    let findings = REPOSITORY.files.iter().flat_map(docs::check_placeholders);
    assert_none(&findings.collect::<Vec<_>>());
}

#[test]
fn repository_is_seen_whole() {
    for path in [
        "Cargo.toml",
        "benches/Cargo.toml",
        "crates/cli/tests/it/tidy.rs",
        ".ci/run",
        "crates/README.md",
    ] {
        assert!(!REPOSITORY.text(path).is_empty());
    }
    assert!(!REPOSITORY.paths.contains("target"));
}
