//! The rule on a made-up manifest, lock file and document.

use super::*;

const MANIFEST: &str = "\
[workspace.dependencies]
base = { path = \"crates/base\" }
url = \"2\"
zstd = { version = \"1\", default-features = false }
";

const LOCK: &str = "\
[[package]]
name = \"base\"
version = \"0.1.0\"
dependencies = [\"url\", \"zstd\"]
[[package]]
name = \"url\"
version = \"2.0.0\"
source = \"registry\"
dependencies = [\"idna 1.0.0\", \"log\"]
[[package]]
name = \"idna\"
version = \"1.0.0\"
source = \"registry\"
[[package]]
name = \"idna\"
version = \"2.0.0\"
source = \"registry\"
[[package]]
name = \"log\"
version = \"0.4.0\"
source = \"registry\"
[[package]]
name = \"zstd\"
version = \"1.0.0\"
source = \"registry\"
dependencies = [\"idna 2.0.0\", \"log\"]
";

const DOCUMENT: &str = "\
Cargo.lock has **6** packages.

| crate | job | why | packages | seconds |
|---|---|---|---|---|
| `url` | URLs | the standard | 2 | 1.9 |
| `zstd` | compression | the reference | 2 | 30 |
";

#[track_caller]
fn check_finds(document: &str, expected: &[&str]) {
    let found = check(MANIFEST, LOCK, document).unwrap();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn complete_table_is_accepted() {
    check_finds(DOCUMENT, &[]);
}

#[test]
fn missing_superfluous_and_outdated_rows_are_found() {
    check_finds(
        &DOCUMENT.replace("`url`", "`uri`"),
        &["no row for `url`; it brings 2", "`uri` is"],
    );
    check_finds(&DOCUMENT.replace("| 2 | 30", "| 3 | 30"), &["`zstd` brings 2 packages, not 3"]);
    check_finds(&DOCUMENT.replace("**6**", "**7**"), &["has **6** packages"]);
}

#[test]
fn lock_file_that_grows_too_large_is_found() {
    let more: String = (0..MOST_PACKAGES)
        .map(|n| format!("[[package]]\nname = \"p{n}\"\nversion = \"1.0.0\"\nsource = \"x\"\n"))
        .collect();
    let found = check(MANIFEST, &format!("{LOCK}{more}"), DOCUMENT).unwrap();
    assert!(found[0].contains("has 456 packages, more than 450"), "{found:?}");
}
