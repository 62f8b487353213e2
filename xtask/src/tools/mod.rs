//! What tests need besides Cargo: found, installed where that is possible, or asked for.
//!
//! - A C compiler, for dependencies that carry C code.
//! - Chromium, for tests that look at the search page: `LOOKFAR_CHROMIUM`.
//! - Firefox, for a test that adds the search to its search engines: `LOOKFAR_FIREFOX`.
//! - A Python with warcio and schemathesis, for tests that let others read what we write and ask
//!   what we describe: `LOOKFAR_PYTHON`.
//! - axe-core, which looks for faults in the search page that keep people out: `LOOKFAR_AXE`.
//!
//! Each variable may be set by the user; then nothing is installed for it.
//!
//! Programs that check dependencies are in [`programs`]. What is not the system's is kept in a
//! folder that all checkouts share: [`shared`].

mod programs;
mod python;
pub(crate) mod shared;

use std::{
    env,
    path::{self, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, bail};

pub(crate) use self::{
    programs::{DENY, FUZZ, MACHETE, Program},
    python::{install as python, install_axe as accessibility},
};

const CHROMIUM_NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FIREFOX_NAMES: &[&str] = &["firefox-esr", "firefox"];

/// Something that comes with the operating system.
struct Need {
    what: &'static str,
    /// Debian's names.
    packages: &'static [&'static str],
    is_there: fn() -> bool,
}

const NEEDS: &[Need] = &[
    Need {
        what: "a C compiler",
        packages: &["gcc", "libc6-dev"],
        is_there: || ["cc", "gcc", "clang"].iter().any(|name| find_program(name).is_some()),
    },
    Need { what: "Chromium", packages: &["chromium"], is_there: || chromium().is_some() },
    Need { what: "Firefox", packages: &["firefox-esr"], is_there: || firefox().is_some() },
    Need {
        what: "Python 3 with venv",
        packages: &["python3", "python3-venv"],
        is_there: || {
            env::var_os("LOOKFAR_PYTHON").is_some()
                || succeeds(Command::new("python3").args(["-c", "import venv, ensurepip"]))
        },
    },
];

/// Returns what tests find in their environment besides what they inherit.
pub(crate) fn environment() -> Vec<(&'static str, PathBuf)> {
    let python = env::var_os("LOOKFAR_PYTHON").is_none().then(python::ours).flatten();
    let settings = [
        ("LOOKFAR_PYTHON", python),
        ("LOOKFAR_CHROMIUM", chromium()),
        ("LOOKFAR_FIREFOX", firefox()),
        ("LOOKFAR_AXE", python::axe()),
        ("LOOKFAR_DATA", data()),
    ];
    settings.into_iter().filter_map(|(name, path)| Some((name, path?))).collect()
}

/// Returns the folder of the shared data packs, if the user names one.
///
/// It is absolute, because tests run in the folder of their crate.
pub(crate) fn data() -> Option<PathBuf> {
    let folder = env::var_os("LOOKFAR_DATA").filter(|folder| !folder.is_empty())?;
    path::absolute(folder).ok()
}

/// Checks that Cargo can format and lint; a minimal toolchain cannot.
pub(crate) fn rust_components() -> anyhow::Result<String> {
    let missing: Vec<&str> = [("fmt", "rustfmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(verb, _)| !succeeds(Command::new("cargo").args([verb, "--version"])))
        .map(|(_, component)| component)
        .collect();
    if missing.is_empty() {
        return Ok(String::new());
    }
    let mut rustup = Command::new("rustup");
    rustup.args(["component", "add"]).args(&missing);
    if !rustup.status().is_ok_and(|status| status.success()) {
        bail!("cannot find {0}; install it: rustup component add {0}", missing.join(" "));
    }
    Ok(format!("added {}", missing.join(", ")))
}

/// Installs what is missing of the operating system's packages, or says what to install.
pub(crate) fn system_packages() -> anyhow::Result<String> {
    let missing: Vec<&Need> = NEEDS.iter().filter(|need| !(need.is_there)()).collect();
    if missing.is_empty() {
        return Ok(String::new());
    }
    let packages: Vec<&str> = missing.iter().flat_map(|need| need.packages).copied().collect();
    let Some(prefix) = way_to_install() else { bail!(advice(&missing, &packages)) };
    eprintln!("installing {}", packages.join(", "));
    for arguments in apt_calls(&packages) {
        let mut command = Command::new(prefix.first().copied().unwrap_or("apt-get"));
        command.args(prefix.iter().skip(1)).args(&arguments);
        command.env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
        let status = command.status().context("cannot start apt-get")?;
        // The lists may be half fetched and still name what we need.
        if !status.success() && arguments[0] != "update" {
            bail!(advice(&missing, &packages));
        }
    }
    let left: Vec<&Need> = missing.into_iter().filter(|need| !(need.is_there)()).collect();
    if !left.is_empty() {
        bail!(advice(&left, &packages));
    }
    Ok(format!("installed {}", packages.join(", ")))
}

/// Returns the words before apt-get's arguments, or `None` if we may not install.
fn way_to_install() -> Option<&'static [&'static str]> {
    find_program("apt-get")?;
    let id = Command::new("id").arg("-u").output().ok()?;
    if id.stdout.trim_ascii() == b"0" {
        return Some(&["apt-get"]);
    }
    succeeds(Command::new("sudo").args(["-n", "true"])).then_some(&["sudo", "-n", "-E", "apt-get"])
}

fn apt_calls<'a>(packages: &[&'a str]) -> [Vec<&'a str>; 2] {
    let update = vec!["update", "-qq"];
    let mut install = vec!["install", "-qq", "-y", "--no-install-recommends"];
    install.extend(packages);
    [update, install]
}

/// Says in one line what is missing and how to get it.
fn advice(missing: &[&Need], packages: &[&str]) -> String {
    let what: Vec<&str> = missing.iter().map(|need| need.what).collect();
    format!(
        "cannot find {}; install it: sudo apt-get install {} (or your system's packages like these)",
        what.join(", "),
        packages.join(" ")
    )
}

fn chromium() -> Option<PathBuf> {
    browser("LOOKFAR_CHROMIUM", CHROMIUM_NAMES)
}

fn firefox() -> Option<PathBuf> {
    browser("LOOKFAR_FIREFOX", FIREFOX_NAMES)
}

/// Returns the browser that the user has named, or the first of these that is there.
fn browser(variable: &str, names: &[&str]) -> Option<PathBuf> {
    let set = env::var_os(variable).map(PathBuf::from);
    set.or_else(|| names.iter().find_map(|name| find_program(name)))
}

/// Looks for a program where the shell would.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    find_in(env::split_paths(&env::var_os("PATH")?), name)
}

fn find_in(mut folders: impl Iterator<Item = PathBuf>, name: &str) -> Option<PathBuf> {
    folders.find_map(|folder| Some(folder.join(name)).filter(|path| path.is_file()))
}

pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Two needs, of which the second is never there.
    const MADE_UP: &[Need] = &[
        Need { what: "a fork", packages: &["fork"], is_there: || true },
        Need { what: "a spoon", packages: &["spoon", "spoon-dev"], is_there: || false },
    ];

    #[test]
    fn advice_is_one_line_that_can_be_copied() {
        let missing: Vec<&Need> = MADE_UP.iter().filter(|need| !(need.is_there)()).collect();
        let line = advice(&missing, &["spoon", "spoon-dev"]);
        assert!(line.starts_with(
            "cannot find a spoon; install it: sudo apt-get install spoon spoon-dev ("
        ));
        assert!(!line.contains('\n'));
    }

    #[test]
    fn packages_are_installed_after_the_lists_are_fetched() {
        let [update, install] = apt_calls(&["fork", "spoon"]);
        assert_eq!(update[0], "update");
        assert_eq!(install[0], "install");
        assert!(install.ends_with(&["fork", "spoon"]));
    }

    #[test]
    fn programs_are_found_in_the_order_of_the_path() {
        let folder = env::temp_dir().join(format!("xtask-tools-{}", std::process::id()));
        let [one, two] = ["one", "two"].map(|name| folder.join(name));
        fs::create_dir_all(&one).unwrap();
        fs::create_dir_all(&two).unwrap();
        fs::write(two.join("tool"), "").unwrap();
        // A folder of that name is no program.
        fs::create_dir_all(one.join("tool")).unwrap();
        let found = find_in([one.clone(), two.clone()].into_iter(), "tool");
        let missing = find_in([one].into_iter(), "tool");
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, Some(two.join("tool")));
        assert_eq!(missing, None);
    }
}
