//! Makes what is handed to people: `cargo xtask dist`, into `target/dist`.
//!
//! A static program ([`target`]), a tarball of it ([`layout`]), a Debian package ([`deb`]), and
//! the checksums of all three. Where a tool is missing, what needs it is left out, which is said
//! before the build and again at the end. With `SOURCE_DATE_EPOCH`, or at the same commit, the
//! archives of one program are the same byte for byte.

mod deb;
mod layout;
mod notices;
mod target;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};

use self::{
    layout::{COMPLETIONS, Made, NOTICES, ask, call},
    target::Build,
};
use crate::{cargo, steps::CheckFailed, tools};

/// What is made besides the program, the tools for it, and Debian's package of each tool.
const PARTS: &[(Part, &[(&str, &str)])] = &[
    (Part::Tarball, &[("tar", "tar"), ("gzip", "gzip")]),
    (
        Part::Debian,
        &[("dpkg-deb", "dpkg"), ("gzip", "gzip"), ("md5sum", "coreutils"), ("date", "coreutils")],
    ),
    (Part::Sums, &[("sha256sum", "coreutils")]),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Tarball,
    Debian,
    Sums,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Tarball => "the tarball",
            Self::Debian => "the Debian package",
            Self::Sums => "SHA256SUMS",
        }
    }
}

/// What the artefacts of one release have in common.
struct Release {
    version: String,
    target: String,
    /// Seconds since 1970: the time of every file in an archive.
    epoch: u64,
    /// Where archives are put together.
    work: PathBuf,
}

/// Builds what can be built here, and fails at the end if that was not all.
pub(crate) fn run() -> anyhow::Result<()> {
    let build = Build::here()?;
    say_which(&build);
    let (parts, missing) = possible(|program| tools::find_program(program).is_some());
    for line in &missing {
        eprintln!("warning: {line}");
    }
    let folder = cargo::target().join("dist");
    let release = Release {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        target: build.target.clone(),
        epoch: epoch()?,
        work: cargo::target().join("dist-work"),
    };
    let made = release.make(build.run()?)?;
    fs::create_dir_all(&folder).context("cannot make `target/dist`")?;
    let mut names = vec![release.name()];
    fs::copy(&made.program, folder.join(release.name())).context("cannot copy the program")?;
    for part in parts {
        let name = match part {
            Part::Tarball => tarball(&release, &made, &folder)?,
            Part::Debian => deb::build(&release, &made, &folder)?,
            Part::Sums => sums(&names, &folder)?,
        };
        names.push(name);
    }
    fs::remove_dir_all(&release.work).context("cannot remove what is not needed any more")?;
    eprintln!("\nin {}:", folder.display());
    for name in &names {
        let bytes = fs::metadata(folder.join(name)).context("an artefact is gone")?.len();
        eprintln!("{:>10}  {name}", size(bytes));
    }
    match missing[..] {
        [] => Ok(()),
        _ => Err(CheckFailed(missing.join("; ")).into()),
    }
}

fn say_which(build: &Build) {
    let library = if build.is_musl() { "musl" } else { "glibc" };
    eprintln!("a static program with {library}, for {}", build.target);
    if !build.lacking.is_empty() {
        eprintln!("with musl it would depend on even less; for that is lacking:");
    }
    for lacking in &build.lacking {
        eprintln!("  {lacking}");
    }
}

/// Returns what can be made with the programs of this machine, and what to say of the rest.
fn possible(is_there: impl Fn(&str) -> bool) -> (Vec<Part>, Vec<String>) {
    let (mut parts, mut missing) = (Vec::new(), Vec::new());
    for (part, programs) in PARTS {
        let lacking: Vec<_> = programs.iter().filter(|(program, _)| !is_there(program)).collect();
        if lacking.is_empty() {
            parts.push(*part);
            continue;
        }
        let names: Vec<&str> = lacking.iter().map(|(program, _)| *program).collect();
        let mut packages: Vec<&str> = lacking.iter().map(|(_, package)| *package).collect();
        packages.dedup();
        missing.push(format!(
            "{} cannot be made without {}; install it: sudo apt-get install {}",
            part.name(),
            names.join(" and "),
            packages.join(" ")
        ));
    }
    (parts, missing)
}

/// Returns the time that files of archives have: of the environment, or of the commit.
fn epoch() -> anyhow::Result<u64> {
    if let Ok(text) = env::var("SOURCE_DATE_EPOCH") {
        return text.parse().context("SOURCE_DATE_EPOCH is no number of seconds");
    }
    let mut git = Command::new("git");
    let asked = ask(git.args(["log", "-1", "--format=%ct"]).current_dir(cargo::root()));
    let told = asked.ok().and_then(|told| String::from_utf8(told).ok()?.trim().parse().ok());
    told.context("this is no git repository; set SOURCE_DATE_EPOCH to the time of the release")
}

impl Release {
    /// Returns the name of program, tarball and its folder.
    fn name(&self) -> String {
        format!("lookfar-{}-{}", self.version, self.target)
    }

    /// Returns an empty folder to put something together in.
    fn stage(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.work.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).context("cannot empty a working folder")?;
        }
        fs::create_dir_all(&folder).context("cannot make a working folder")?;
        Ok(folder)
    }

    /// Lets the program write its manual and completions; that it runs at all is seen by this.
    fn make(&self, program: PathBuf) -> anyhow::Result<Made> {
        let folder = self.stage("made")?;
        let told = ask(Command::new(&program).arg("--version"))?;
        let told = String::from_utf8_lossy(&told);
        if told.split_whitespace().last() != Some(&self.version) {
            bail!("the program says `{}`, and this is {}", told.trim(), self.version);
        }
        call(Command::new(&program).arg("man").arg(folder.join("man")))?;
        fs::create_dir(folder.join("completions")).context("cannot make a working folder")?;
        for (shell, script) in COMPLETIONS {
            let text = ask(Command::new(&program).args(["completions", shell]))?;
            fs::write(folder.join("completions").join(script), text)
                .context("cannot write completions")?;
        }
        fs::write(folder.join(NOTICES), notices::collect(&self.target)?)
            .context("cannot write what the program is linked with")?;
        let mut pages = Vec::new();
        for page in fs::read_dir(folder.join("man")).context("the program has no manual")? {
            pages.push(page?.file_name().to_string_lossy().into_owned());
        }
        pages.sort();
        Ok(Made { program, folder, pages })
    }
}

fn tarball(release: &Release, made: &Made, folder: &Path) -> anyhow::Result<String> {
    let stage = release.stage("tarball")?;
    layout::stage(&layout::tarball(&made.pages), made, &stage.join(release.name()))?;
    let name = format!("{}.tar.gz", release.name());
    call(Command::new("tar").args(tar_options(release)).arg(folder.join(&name)).args([
        "-C".as_ref(),
        stage.as_os_str(),
        release.name().as_ref(),
    ]))?;
    Ok(name)
}

/// Nothing of the machine goes into the archive: neither order, owner nor time.
fn tar_options(release: &Release) -> Vec<String> {
    let time = format!("--mtime=@{}", release.epoch);
    let fixed = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"];
    let mut options = fixed.map(str::to_owned).to_vec();
    options.extend([time, "--use-compress-program=gzip -9 -n".to_owned(), "-cf".to_owned()]);
    options
}

fn sums(names: &[String], folder: &Path) -> anyhow::Result<String> {
    let sums = ask(Command::new("sha256sum").arg("--").args(names).current_dir(folder))?;
    fs::write(folder.join("SHA256SUMS"), sums).context("cannot write SHA256SUMS")?;
    Ok("SHA256SUMS".to_owned())
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(folder: &Path) -> Release {
        Release {
            version: "0.1.0".to_owned(),
            target: "x86_64-unknown-linux-musl".to_owned(),
            epoch: 1_000_000_000,
            work: folder.join("work"),
        }
    }

    #[test]
    fn artefacts_are_named_after_version_and_target() {
        let release = release(Path::new("d"));
        assert_eq!(release.name(), "lookfar-0.1.0-x86_64-unknown-linux-musl");
    }

    #[test]
    fn what_cannot_be_made_is_said_with_the_way_to_mend_it() {
        let (parts, missing) = possible(|_| true);
        assert_eq!(parts, [Part::Tarball, Part::Debian, Part::Sums]);
        assert!(missing.is_empty());
        let (parts, missing) = possible(|program| program != "dpkg-deb" && program != "date");
        assert_eq!(parts, [Part::Tarball, Part::Sums]);
        assert_eq!(
            missing,
            ["the Debian package cannot be made without dpkg-deb and date; \
              install it: sudo apt-get install dpkg coreutils"]
        );
    }

    #[test]
    fn sizes_are_said_as_people_say_them() {
        assert_eq!([size(999), size(1_500), size(12_340_000)], ["999 B", "1.5 kB", "12.3 MB"]);
    }

    /// Makes what the program would have made of itself, at some time.
    fn made(folder: &Path) -> Made {
        let made = folder.join("made");
        fs::create_dir_all(made.join("man")).unwrap();
        fs::create_dir_all(made.join("completions")).unwrap();
        for (_, script) in COMPLETIONS {
            fs::write(made.join("completions").join(script), "complete").unwrap();
        }
        fs::write(made.join("man/lookfar.1"), ".TH lookfar 1").unwrap();
        fs::write(made.join(NOTICES), "nobody else").unwrap();
        let program = folder.join("program");
        fs::write(&program, "#!/bin/sh\n").unwrap();
        call(Command::new("chmod").arg("700").arg(&program)).unwrap();
        Made { program, folder: made, pages: vec!["lookfar.1".to_owned()] }
    }

    /// Packs twice, with other times and other rights on disk, and compares.
    #[cfg(unix)]
    #[test]
    fn the_same_files_make_the_same_archives() {
        let is_there = |program: &str| tools::find_program(program).is_some();
        let (parts, _) = possible(is_there);
        let pack = |rights: &str| {
            let folder = tempfile::tempdir().unwrap();
            let made = made(folder.path());
            call(Command::new("chmod").args(["-R", rights]).arg(&made.folder)).unwrap();
            let release = release(folder.path());
            let mut packed = Vec::new();
            if parts.contains(&Part::Tarball) {
                let name = tarball(&release, &made, folder.path()).unwrap();
                packed.push(fs::read(folder.path().join(name)).unwrap());
            }
            if parts.contains(&Part::Debian) {
                let name = deb::build(&release, &made, folder.path()).unwrap();
                packed.push(fs::read(folder.path().join(name)).unwrap());
            }
            packed
        };
        if parts.len() < PARTS.len() {
            println!("skipped: tar, gzip or dpkg-deb is not there");
        }
        let first = pack("u=rwX,go=");
        // Times of files are kept in whole seconds by both formats.
        std::thread::sleep(std::time::Duration::from_millis(1_100));
        assert!(first == pack("a=rwX"), "the archives differ");
    }
}
