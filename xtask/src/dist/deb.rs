//! The Debian package: its control files, and what of ours is different in it.

use std::{env, fs, path::Path, process::Command};

use anyhow::{Context as _, bail};

use super::{
    Release,
    layout::{self, Made, ask, call},
};
use crate::cargo;

/// The Debian revision of a version of ours.
const REVISION: u32 = 1;
/// Nobody answers there; who makes a release says who they are by DEBFULLNAME and DEBEMAIL.
const MAINTAINER: &str = "The Lookfar authors <lookfar@lookfar.invalid>";

const DESCRIPTION: &str = "\
web search engine that one person can run
 Lookfar crawls politely, archives what it fetches, reads it, indexes it,
 analyses its links, ranks, and answers on a search page and to programs. It
 is one program without other servers.
 .
 The package brings a unit for systemd that runs `lookfar up` on the collection
 in /var/lib/lookfar. It is neither enabled nor started: `lookfar init` comes
 first.";

/// What dpkg runs when the package comes and goes.
const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];

/// Builds the package and returns its file name.
pub(super) fn build(release: &Release, made: &Made, folder: &Path) -> anyhow::Result<String> {
    let Some(machine) = machine(&release.target) else {
        bail!("no Debian architecture is known for `{}`", release.target);
    };
    let stage = release.stage("deb")?;
    let unit = fs::read_to_string(cargo::root().join("packaging/lookfar.service"))
        .context("cannot read the unit")?;
    let date = ask(Command::new("date").args(["-u", "-R", "-d", &format!("@{}", release.epoch)]))?;
    let date = String::from_utf8(date).context("`date` speaks no UTF-8")?;
    let maintainer = maintainer(|name| env::var(name).ok());
    let changelog = changelog(&release.version, &maintainer, date.trim());
    layout::stage(&layout::debian(&made.pages, &unit, &changelog), made, &stage)?;

    let control = control(&release.version, machine, &maintainer, installed_kib(&stage)?);
    let about = stage.join("DEBIAN");
    fs::create_dir(&about).context("cannot make the folder of control files")?;
    fs::write(about.join("control"), control).context("cannot write the control file")?;
    for script in SCRIPTS {
        let from = cargo::root().join("packaging/debian").join(script);
        fs::copy(from, about.join(script)).with_context(|| format!("cannot copy `{script}`"))?;
    }
    let sums = "find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum > DEBIAN/md5sums";
    call(Command::new("sh").args(["-c", sums]).current_dir(&stage))?;
    call(Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(&about))?;
    call(Command::new("chmod").arg("755").args(SCRIPTS.map(|script| about.join(script))))?;

    let name = file_name(&release.version, machine);
    let mut dpkg = Command::new("dpkg-deb");
    // Times in the package are at most this one.
    dpkg.env("SOURCE_DATE_EPOCH", release.epoch.to_string());
    // gzip would do for older systems; xz is what Debian itself uses.
    dpkg.args(["--build", "--root-owner-group", "-Zxz"]).arg(&stage).arg(folder.join(&name));
    call(dpkg.stdout(std::process::Stdio::null()))?;
    Ok(name)
}

fn file_name(version: &str, machine: &str) -> String {
    format!("lookfar_{version}-{REVISION}_{machine}.deb")
}

/// Returns Debian's name for the machine of a target.
fn machine(target: &str) -> Option<&'static str> {
    Some(match target.split('-').next()? {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "riscv64gc" | "riscv64" => "riscv64",
        "powerpc64le" => "ppc64el",
        "s390x" => "s390x",
        "loongarch64" => "loong64",
        _ => return None,
    })
}

fn maintainer(variable: impl Fn(&str) -> Option<String>) -> String {
    match (variable("DEBFULLNAME"), variable("DEBEMAIL")) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        _ => MAINTAINER.to_owned(),
    }
}

/// There is no `Depends`: the program is static, and dpkg's own tools are always there.
fn control(version: &str, machine: &str, maintainer: &str, installed_kib: u64) -> String {
    format!(
        "Package: lookfar\n\
         Version: {version}-{REVISION}\n\
         Section: web\n\
         Priority: optional\n\
         Architecture: {machine}\n\
         Installed-Size: {installed_kib}\n\
         Maintainer: {maintainer}\n\
         Description: {DESCRIPTION}\n"
    )
}

/// Debian's own changelog tells what is new about the package; ours stands beside it.
fn changelog(version: &str, maintainer: &str, date: &str) -> String {
    format!(
        "lookfar ({version}-{REVISION}) unstable; urgency=medium\n\n  \
         * Lookfar {version}; changelog.gz has what is new.\n\n \
         -- {maintainer}  {date}\n"
    )
}

/// Returns the unit as the package has it: programs of packages are in `/usr/bin`, and what its
/// first comment says how to do is done.
pub(super) fn unit(ours: &str) -> String {
    let settings = ours.split_once("\n\n").map_or(ours, |(_, settings)| settings);
    let settings = settings.replace("ExecStart=/usr/local/bin/", "ExecStart=/usr/bin/");
    format!(
        "# Lookfar as a service of the system. To begin:\n\
         #\n\
         #   sudo -u lookfar LOOKFAR_DIR=/var/lib/lookfar lookfar init\n\
         #   sudo systemctl enable --now lookfar\n\n{settings}"
    )
}

/// Returns what the files of a folder take once they are installed, as Debian counts: each in
/// whole KiB, and one for each folder.
fn installed_kib(folder: &Path) -> anyhow::Result<u64> {
    let mut sum = 1;
    for entry in fs::read_dir(folder).context("cannot list the files of the package")? {
        let entry = entry?;
        sum += match entry.metadata()? {
            data if data.is_dir() => installed_kib(&entry.path())?,
            data => data.len().div_ceil(1024),
        };
    }
    Ok(sum)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) const UNIT: &str =
        "# How to\n# install it.\n\n[Service]\nExecStart=/usr/local/bin/lookfar up\n";

    #[test]
    fn packages_are_named_as_debian_names_them() {
        let machine = machine("x86_64-unknown-linux-musl").unwrap();
        assert_eq!(file_name("0.1.0", machine), "lookfar_0.1.0-1_amd64.deb");
        assert_eq!(super::machine("aarch64-unknown-linux-gnu"), Some("arm64"));
        assert_eq!(super::machine("vax-unknown-linux-gnu"), None);
    }

    #[test]
    fn the_control_file_has_what_dpkg_wants_and_needs_no_other_package() {
        let control = control("0.1.0", "amd64", "Ann <ann@example.org>", 1234);
        let fields: Vec<&str> = control
            .lines()
            .filter(|line| !line.starts_with(' '))
            .map(|line| line.split_once(": ").unwrap().0)
            .collect();
        for field in
            ["Package", "Version", "Architecture", "Installed-Size", "Maintainer", "Description"]
        {
            assert!(fields.contains(&field), "{field}: {control}");
        }
        assert!(!fields.contains(&"Depends"));
        assert!(control.contains("\nVersion: 0.1.0-1\n") && control.ends_with("first.\n"));
        // dpkg takes an empty line for the end of the paragraph.
        assert!(!control.contains("\n\n"));
    }

    #[test]
    fn who_makes_a_release_says_who_they_are() {
        let ann = |name: &str| {
            Some(if name == "DEBEMAIL" { "ann@example.org" } else { "Ann" }.to_owned())
        };
        assert_eq!(maintainer(ann), "Ann <ann@example.org>");
        assert_eq!(maintainer(|_| None), MAINTAINER);
    }

    #[test]
    fn the_unit_of_the_package_starts_the_program_of_the_package() {
        let ours = fs::read_to_string(cargo::root().join("packaging/lookfar.service")).unwrap();
        for unit in [unit(&ours), unit(UNIT)] {
            assert!(unit.contains("\nExecStart=/usr/bin/lookfar up\n"), "{unit}");
            assert!(!unit.contains("/usr/local"), "{unit}");
            assert!(unit.starts_with("# Lookfar") && unit.contains("\n\n["));
        }
        let settings = |text: &str| text.lines().filter(|line| line.contains('=')).count();
        assert!(settings(&unit(&ours)) >= settings(&ours) - 1);
    }

    #[test]
    fn the_changelog_is_one_that_debian_can_read() {
        let text = changelog("0.1.0", "Ann <a@b.example>", "Thu, 01 Jan 1970 00:00:00 +0000");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "lookfar (0.1.0-1) unstable; urgency=medium");
        assert!(lines[2].starts_with("  * "));
        assert_eq!(lines[4], " -- Ann <a@b.example>  Thu, 01 Jan 1970 00:00:00 +0000");
    }

    #[test]
    fn installed_sizes_are_whole_kibibytes() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("usr")).unwrap();
        fs::write(folder.path().join("usr/one"), [0; 1]).unwrap();
        fs::write(folder.path().join("usr/two"), [0; 1025]).unwrap();
        assert_eq!(installed_kib(folder.path()).unwrap(), 2 + 1 + 2);
    }

    #[cfg(unix)]
    #[test]
    fn the_shell_can_read_the_scripts() {
        for script in SCRIPTS {
            let path = cargo::root().join("packaging/debian").join(script);
            let checked = Command::new("sh").arg("-n").arg(&path).status().unwrap();
            assert!(checked.success(), "{script}");
            let text = fs::read_to_string(&path).unwrap();
            assert!(!text.contains("systemctl start") && !text.contains("systemctl enable"));
        }
    }
}
