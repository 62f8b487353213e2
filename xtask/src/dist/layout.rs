//! What is in the tarball and in the Debian package, and where it lies there.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};

use super::deb;
use crate::cargo;

/// Shells with the name of their script in the folder `completions`.
pub(super) const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "lookfar.bash"), ("zsh", "_lookfar"), ("fish", "lookfar.fish")];
/// The list of what the program is linked with.
pub(super) const NOTICES: &str = "THIRD-PARTY.txt";

/// A file of an archive.
#[derive(Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) from: From,
    /// Packed by gzip; the path ends with `.gz`.
    is_packed: bool,
}

/// Where the content of a file comes from.
#[derive(Debug, PartialEq)]
pub(super) enum From {
    Program,
    /// A file of the repository.
    Repository(&'static str),
    /// A file that the program wrote into the folder of [`Made`].
    Made(String),
    Text(String),
}

impl Entry {
    fn new(path: impl Into<String>, from: From) -> Self {
        Self { path: path.into(), from, is_packed: false }
    }

    fn packed(path: impl Into<String>, from: From) -> Self {
        Self { path: path.into() + ".gz", from, is_packed: true }
    }
}

/// The program and what it says of itself.
pub(super) struct Made {
    pub(super) program: PathBuf,
    /// Holds `man`, `completions` and [`NOTICES`].
    pub(super) folder: PathBuf,
    /// Names of the manual's pages.
    pub(super) pages: Vec<String>,
}

/// Returns the files of the tarball, relative to its one folder.
pub(super) fn tarball(pages: &[String]) -> Vec<Entry> {
    let mut entries = vec![Entry::new("lookfar", From::Program)];
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        entries.push(Entry::new(file, From::Repository(file)));
    }
    // Where they are in the repository: comments of the unit and docs/install.md name these paths.
    for file in ["packaging/lookfar.service", "packaging/lookfar.sysusers"] {
        entries.push(Entry::new(file, From::Repository(file)));
    }
    entries.push(Entry::new(NOTICES, From::Made(NOTICES.to_owned())));
    for (_, script) in COMPLETIONS {
        let path = format!("completions/{script}");
        entries.push(Entry::new(path.clone(), From::Made(path)));
    }
    for page in pages {
        entries.push(Entry::new(format!("man/man1/{page}"), From::Made(format!("man/{page}"))));
    }
    entries
}

/// Returns the files of the Debian package, relative to `/`.
pub(super) fn debian(pages: &[String], unit: &str, changelog: &str) -> Vec<Entry> {
    let doc = |name: &str| format!("usr/share/doc/lookfar/{name}");
    let mut entries = vec![
        Entry::new("usr/bin/lookfar", From::Program),
        Entry::new("usr/lib/systemd/system/lookfar.service", From::Text(deb::unit(unit))),
        Entry::new(
            "usr/lib/sysusers.d/lookfar.conf",
            From::Repository("packaging/lookfar.sysusers"),
        ),
        Entry::new(doc("copyright"), From::Repository("packaging/debian/copyright")),
        Entry::packed(doc("changelog"), From::Repository("CHANGELOG.md")),
        Entry::packed(doc("changelog.Debian"), From::Text(changelog.to_owned())),
        Entry::packed(doc("third-party.txt"), From::Made(NOTICES.to_owned())),
    ];
    for (shell, script) in COMPLETIONS {
        let path = match shell {
            "bash" => "usr/share/bash-completion/completions/lookfar",
            "zsh" => "usr/share/zsh/vendor-completions/_lookfar",
            _ => "usr/share/fish/vendor_completions.d/lookfar.fish",
        };
        entries.push(Entry::new(path, From::Made(format!("completions/{script}"))));
    }
    for page in pages {
        let path = format!("usr/share/man/man1/{page}");
        entries.push(Entry::packed(path, From::Made(format!("man/{page}"))));
    }
    entries
}

/// Writes the files of an archive below a folder that is made for them.
pub(super) fn stage(entries: &[Entry], made: &Made, folder: &Path) -> anyhow::Result<()> {
    for entry in entries {
        let path = folder.join(entry.path.strip_suffix(".gz").unwrap_or(&entry.path));
        let cannot = || format!("cannot write `{}`", path.display());
        fs::create_dir_all(path.parent().unwrap_or(folder)).with_context(cannot)?;
        let copied: io::Result<()> = match &entry.from {
            From::Program => fs::copy(&made.program, &path).map(drop),
            From::Repository(file) => fs::copy(cargo::root().join(file), &path).map(drop),
            From::Made(file) => fs::copy(made.folder.join(file), &path).map(drop),
            From::Text(text) => fs::write(&path, text),
        };
        copied.with_context(cannot)?;
        if entry.is_packed {
            // Without name and time, so that the same text is packed into the same bytes.
            call(Command::new("gzip").args(["-9", "-n"]).arg(&path))?;
        }
    }
    // Whatever the user's mask and the repository's modes are.
    call(Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(folder))
}

/// Runs a program that must succeed.
pub(super) fn call(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| cannot_start(command))?;
    if !status.success() {
        bail!("`{}` failed: {status}", Path::new(command.get_program()).display());
    }
    Ok(())
}

/// Runs a program that must succeed and returns what it says.
pub(super) fn ask(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let output = command.output().with_context(|| cannot_start(command))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("`{}` failed: {said}", Path::new(command.get_program()).display());
    }
    Ok(output.stdout)
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start `{}`", Path::new(command.get_program()).display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> Vec<String> {
        ["lookfar.1", "lookfar-up.1"].map(str::to_owned).to_vec()
    }

    fn paths(entries: &[Entry]) -> Vec<&str> {
        entries.iter().map(|entry| entry.path.as_str()).collect()
    }

    #[test]
    fn the_tarball_has_what_somebody_without_the_repository_needs() {
        let entries = tarball(&pages());
        let paths = paths(&entries);
        for path in [
            "lookfar",
            "README.md",
            "CHANGELOG.md",
            "LICENSE-APACHE",
            "LICENSE-MIT",
            "THIRD-PARTY.txt",
            "packaging/lookfar.service",
            "packaging/lookfar.sysusers",
            "completions/lookfar.bash",
            "completions/_lookfar",
            "completions/lookfar.fish",
            "man/man1/lookfar.1",
            "man/man1/lookfar-up.1",
        ] {
            assert!(paths.contains(&path), "{path}: {paths:?}");
        }
    }

    #[test]
    fn the_package_has_its_files_where_debian_looks_for_them() {
        let unit = fs::read_to_string(cargo::root().join("packaging/lookfar.service")).unwrap();
        let entries = debian(&pages(), &unit, "");
        let paths = paths(&entries);
        for path in [
            "usr/bin/lookfar",
            "usr/lib/systemd/system/lookfar.service",
            "usr/lib/sysusers.d/lookfar.conf",
            "usr/share/bash-completion/completions/lookfar",
            "usr/share/doc/lookfar/changelog.Debian.gz",
            "usr/share/doc/lookfar/changelog.gz",
            "usr/share/doc/lookfar/copyright",
            "usr/share/fish/vendor_completions.d/lookfar.fish",
            "usr/share/man/man1/lookfar.1.gz",
            "usr/share/zsh/vendor-completions/_lookfar",
        ] {
            assert!(paths.contains(&path), "{path}: {paths:?}");
        }
        // A setting in /etc would have to be listed as one that dpkg asks about.
        assert!(paths.iter().all(|path| path.starts_with("usr/")));
    }

    #[test]
    fn files_of_the_repository_are_there() {
        let entries = tarball(&[]).into_iter().chain(debian(&[], deb::tests::UNIT, ""));
        let mut count = 0;
        for entry in entries {
            if let From::Repository(file) = entry.from {
                assert!(cargo::root().join(file).is_file(), "{file}");
                count += 1;
            }
        }
        assert_eq!(count, 9);
    }

    #[test]
    fn no_file_is_there_twice() {
        for entries in [tarball(&pages()), debian(&pages(), deb::tests::UNIT, "")] {
            let mut paths = paths(&entries);
            paths.sort_unstable();
            let count = paths.len();
            paths.dedup();
            assert_eq!(paths.len(), count);
        }
    }
}
