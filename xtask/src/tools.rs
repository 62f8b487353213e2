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

use std::{
    env, fs,
    path::{self, Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, bail};

use crate::cargo;

/// Python packages in the tests' own environment; the stamp there repeats this list.
const PYTHON_PACKAGES: &[&str] = &["warcio==1.8.1", "schemathesis==4.32.5"];
/// What shows that a Python has them.
const PYTHON_IMPORTS: &str = "import warcio, schemathesis";

/// A Python package that carries axe-core 4.12 as one file. Of the package itself nothing is run,
/// so what it depends on is left out.
const AXE_PACKAGE: &str = "axe-playwright-python==0.1.8";
const AXE_FILE: &str = "axe_playwright_python/axe.min.js";

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
    let python = env::var_os("LOOKFAR_PYTHON").is_none().then(python_of_ours).flatten();
    let settings = [
        ("LOOKFAR_PYTHON", python),
        ("LOOKFAR_CHROMIUM", chromium()),
        ("LOOKFAR_FIREFOX", firefox()),
        ("LOOKFAR_AXE", axe()),
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

/// Makes the tests' own Python environment, unless it is there or the user has set one.
pub(crate) fn python() -> anyhow::Result<String> {
    if let Some(python) = env::var_os("LOOKFAR_PYTHON") {
        if succeeds(Command::new(&python).args(["-c", PYTHON_IMPORTS])) {
            return Ok("as LOOKFAR_PYTHON says".to_owned());
        }
        bail!(
            "the Python that LOOKFAR_PYTHON names cannot `{PYTHON_IMPORTS}`; unset it or install {}",
            PYTHON_PACKAGES.join(" ")
        );
    }
    if python_of_ours().is_some() {
        return Ok(String::new());
    }
    let folder = venv();
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(&folder);
    if !make.status().is_ok_and(|status| status.success()) {
        bail!("cannot make a Python environment; install it: sudo apt-get install python3-venv");
    }
    let mut pip = Command::new(folder.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    if !pip.args(PYTHON_PACKAGES).status().is_ok_and(|status| status.success()) {
        bail!(
            "cannot install {} with pip; connect to a package index, \
             or set LOOKFAR_PYTHON to a Python that has them",
            PYTHON_PACKAGES.join(" ")
        );
    }
    fs::write(stamp(&folder), PYTHON_PACKAGES.join("\n"))
        .context("cannot write to target/tools")?;
    Ok(format!("installed {}", PYTHON_PACKAGES.join(", ")))
}

/// Fetches axe-core, unless it is there or the user has named one.
pub(crate) fn accessibility() -> anyhow::Result<String> {
    if let Some(path) = env::var_os("LOOKFAR_AXE").map(PathBuf::from) {
        if path.is_file() {
            return Ok("as LOOKFAR_AXE says".to_owned());
        }
        bail!("LOOKFAR_AXE names `{}`, which is no file; unset it", path.display());
    }
    if axe().is_some() {
        return Ok(String::new());
    }
    let python = env::var_os("LOOKFAR_PYTHON").map(PathBuf::from).or_else(python_of_ours);
    let mut pip = Command::new(python.unwrap_or_else(|| "python3".into()));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    pip.args(["--upgrade", "--target"]).arg(axe_folder()).arg(AXE_PACKAGE);
    if !pip.status().is_ok_and(|status| status.success()) {
        bail!(
            "cannot fetch {AXE_PACKAGE} with pip; connect to a package index, \
             or set LOOKFAR_AXE to the file axe.min.js of axe-core"
        );
    }
    fs::write(stamp(&axe_folder()), AXE_PACKAGE).context("cannot write to target/tools")?;
    Ok(format!("fetched {AXE_PACKAGE}"))
}

fn axe_folder() -> PathBuf {
    cargo::target().join("tools/axe")
}

/// Returns axe-core's file: the user's, or that of the package we want.
fn axe() -> Option<PathBuf> {
    let set = env::var_os("LOOKFAR_AXE").map(PathBuf::from);
    let folder = axe_folder();
    let is_ours = || fs::read_to_string(stamp(&folder)).is_ok_and(|name| name == AXE_PACKAGE);
    let ours = || Some(folder.join(AXE_FILE)).filter(|path| is_ours() && path.is_file());
    set.or_else(ours)
}

fn venv() -> PathBuf {
    cargo::target().join("tools/venv")
}

fn stamp(venv: &Path) -> PathBuf {
    venv.join("packages.txt")
}

/// Returns our own Python if its environment is complete.
fn python_of_ours() -> Option<PathBuf> {
    let folder = venv();
    is_complete(&folder).then(|| folder.join("bin/python"))
}

/// The stamp is written last, so it stands for everything before it.
fn is_complete(venv: &Path) -> bool {
    fs::read_to_string(stamp(venv)).is_ok_and(|list| list == PYTHON_PACKAGES.join("\n"))
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
fn find_program(name: &str) -> Option<PathBuf> {
    find_in(env::split_paths(&env::var_os("PATH")?), name)
}

fn find_in(mut folders: impl Iterator<Item = PathBuf>, name: &str) -> Option<PathBuf> {
    folders.find_map(|folder| Some(folder.join(name)).filter(|path| path.is_file()))
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn environment_of_another_package_list_is_incomplete() {
        let folder = env::temp_dir().join(format!("xtask-venv-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let before = is_complete(&folder);
        fs::write(stamp(&folder), "warcio==0.1").unwrap();
        let other = is_complete(&folder);
        fs::write(stamp(&folder), PYTHON_PACKAGES.join("\n")).unwrap();
        let same = is_complete(&folder);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!((before, other, same), (false, false, true));
    }
}
