//! What comes from the Python package index: an environment for tests, and axe-core.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::bail;

use super::{shared, succeeds};

/// Python packages in the tests' own environment; its folder is named after them.
const PACKAGES: &[&str] = &["warcio==1.8.1", "schemathesis==4.32.5"];
/// What shows that a Python has them.
const IMPORTS: &str = "import warcio, schemathesis";

/// A Python package that carries axe-core 4.12 as one file. Of the package itself nothing is run,
/// so what it depends on is left out.
const AXE_PACKAGE: &str = "axe-playwright-python==0.1.8";
const AXE_FILE: &str = "axe_playwright_python/axe.min.js";

const PIP_INSTALL: &[&str] = &["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];

/// Makes the tests' own Python environment, unless it is there or the user has set one.
pub(crate) fn install() -> anyhow::Result<String> {
    if let Some(python) = env::var_os("LOOKFAR_PYTHON") {
        if succeeds(Command::new(&python).args(["-c", IMPORTS])) {
            return Ok("as LOOKFAR_PYTHON says".to_owned());
        }
        bail!(
            "the Python that LOOKFAR_PYTHON names cannot `{IMPORTS}`; unset it or install {}",
            PACKAGES.join(" ")
        );
    }
    let mut note = String::new();
    // An environment ends with the system's Python that it was made of.
    let works = |folder: &Path| succeeds(Command::new(program_in(folder)).args(["-c", IMPORTS]));
    shared::install(&folder_name("python", PACKAGES), works, |folder| {
        note = format!("installed {}", PACKAGES.join(", "));
        make_environment(folder)
    })?;
    Ok(note)
}

fn make_environment(folder: &Path) -> anyhow::Result<()> {
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(folder);
    if !make.status().is_ok_and(|status| status.success()) {
        bail!("cannot make a Python environment; install it: sudo apt-get install python3-venv");
    }
    let mut pip = Command::new(program_in(folder));
    if !pip.args(PIP_INSTALL).args(PACKAGES).status().is_ok_and(|status| status.success()) {
        bail!(
            "cannot install {} with pip; connect to a package index, \
             or set LOOKFAR_PYTHON to a Python that has them",
            PACKAGES.join(" ")
        );
    }
    Ok(())
}

/// Fetches axe-core, unless it is there or the user has named one.
pub(crate) fn install_axe() -> anyhow::Result<String> {
    if let Some(path) = env::var_os("LOOKFAR_AXE").map(PathBuf::from) {
        if path.is_file() {
            return Ok("as LOOKFAR_AXE says".to_owned());
        }
        bail!("LOOKFAR_AXE names `{}`, which is no file; unset it", path.display());
    }
    if axe().is_some() {
        return Ok(String::new());
    }
    let works = |folder: &Path| folder.join(AXE_FILE).is_file();
    shared::install(&folder_name("axe", &[AXE_PACKAGE]), works, |folder| {
        let python = env::var_os("LOOKFAR_PYTHON").map(PathBuf::from).or_else(ours);
        let mut pip = Command::new(python.unwrap_or_else(|| "python3".into()));
        pip.args(PIP_INSTALL).args(["--no-deps", "--upgrade", "--target"]);
        if !pip.arg(folder).arg(AXE_PACKAGE).status().is_ok_and(|status| status.success()) {
            bail!(
                "cannot fetch {AXE_PACKAGE} with pip; connect to a package index, \
                 or set LOOKFAR_AXE to the file axe.min.js of axe-core"
            );
        }
        Ok(())
    })?;
    Ok(format!("fetched {AXE_PACKAGE}"))
}

/// Returns axe-core's file: the user's, or that of the package we want.
pub(super) fn axe() -> Option<PathBuf> {
    let ours = || Some(shared::find(&folder_name("axe", &[AXE_PACKAGE]))?.join(AXE_FILE));
    env::var_os("LOOKFAR_AXE").map(PathBuf::from).or_else(ours).filter(|path| path.is_file())
}

/// Returns our own Python if its environment is complete.
pub(super) fn ours() -> Option<PathBuf> {
    let python = program_in(&shared::find(&folder_name("python", PACKAGES))?);
    Some(python).filter(|python| python.is_file())
}

fn program_in(folder: &Path) -> PathBuf {
    folder.join("bin/python")
}

/// Names a folder after what is in it, so that another list of packages has another folder.
fn folder_name(kind: &str, packages: &[&str]) -> String {
    let packages = packages.iter().map(|package| package.replace("==", "-"));
    [kind.to_owned()].into_iter().chain(packages).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_list_of_packages_has_another_folder() {
        let name = folder_name("python", &["warcio==1.8.1", "schemathesis==4.32.5"]);
        assert_eq!(name, "python-warcio-1.8.1-schemathesis-4.32.5");
        assert_ne!(name, folder_name("python", &["warcio==1.8.2", "schemathesis==4.32.5"]));
        assert_ne!(name, folder_name("python", &["warcio==1.8.1"]));
    }
}
